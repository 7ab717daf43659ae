//! The explicit oracle: a program's stores in the control locations and stack symbols of an
//! *unweighted* pushdown system; then post\* of the start meets pre\* of the error. Exact under
//! recursion, and free of decision diagrams and weights.
//!
//! A control location is a valuation of the globals (while a call returns: with the returned
//! value); a stack symbol is a location, or an edge about to be executed, with a valuation of the
//! frame's locals. Because such an edge is a symbol of its own, "statement s is on a failing run"
//! reads: some configuration with s on top is in both sets; and its stores there are those that
//! fail.

use crate::lengths;
use crate::pushdown::{
    Control, Meeting, Post, Pre, Right, State, Symbol, System, Transition, poststar, prestar,
};
use crate::steps::{Outcome, Steps, Valuation};
use crate::stores::Liveness;
use crate::support::interner::Interner;
use faultline::lang::model::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What the oracle answers. The vectors go by edge number.
#[derive(Debug)]
pub struct Explicit {
    /// Does a run fail (with a targeted error)?
    pub is_unsafe: bool,
    /// Some run executes the edge.
    pub reached: Vec<bool>,
    /// Some failing run executes it.
    pub projection: Vec<bool>,
    /// Some run executes it with a store of which *some* stack of pending calls leads on to the
    /// error. The stack is any: its frames are return sites of calls to the procedure above them,
    /// from anywhere in the program, with any values of the locals there.
    pub naive: Vec<bool>,
    /// With [`Settings::keep_dead`]: the values of the variables in scope before the edge, for all
    /// stores that some run brings there.
    pub arriving: Vec<BTreeSet<Vec<u64>>>,
    /// And for those of them with which some failing run executes the edge.
    pub failing: Vec<BTreeSet<Vec<u64>>>,
    /// With [`Settings::keep_dead`]: by the store before the edge, by which calls a run arrives
    /// with it, and under which calls (of any stack, as for `naive`) it would fail.
    pub contexts: Vec<BTreeMap<Vec<u64>, Contexts>>,
}

/// Who calls.
#[derive(Clone, Debug, Default)]
pub struct Contexts {
    /// Calls by which some run arrives.
    pub arrives: BTreeSet<EdgeId>,
    /// Some run arrives in the first frame.
    pub at_start: bool,
    /// Calls behind which some stack would fail.
    pub fails: BTreeSet<EdgeId>,
    /// It fails whatever the stack: in this frame or deeper.
    pub fails_here: bool,
}

/// How the oracle looks at the program.
#[derive(Clone, Copy)]
pub struct Settings {
    /// Only failed checks on this line count.
    pub error: Option<u32>,
    /// Transitions of an automaton; past that the oracle gives up.
    pub cap: usize,
    /// Keep the values of dead locals (slower, same answers: a test of the oracle).
    pub keep_dead: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { error: None, cap: 150_000, keep_dead: false }
    }
}

/// The oracle's answers, or `None` if the program is too large for it.
pub fn explore(program: &Program, settings: Settings) -> Option<Explicit> {
    let mut system = StoreSystem::new(program, settings);
    let error = system.modes.number(Mode::Error);
    let initial = system.start()?;
    let post = poststar(&mut system, &initial, settings.cap)?;
    let pre = prestar(&post, error);
    let mut reached: Vec<(Control, Symbol)> = post.rules.keys().copied().collect();
    reached.sort_unstable();
    let failing = Meeting::new(&post, &pre).heads();

    let none = vec![false; program.edges.len()];
    let mut answer = Explicit {
        is_unsafe: reached.iter().any(|(control, _)| *control == error),
        reached: none.clone(),
        projection: none.clone(),
        naive: none,
        arriving: vec![BTreeSet::new(); program.edges.len()],
        failing: vec![BTreeSet::new(); program.edges.len()],
        contexts: vec![BTreeMap::new(); program.edges.len()],
    };
    let mut executed = Vec::new();
    for (control, symbol) in reached {
        let Mode::Run(globals) = *system.modes.value(control) else { continue };
        match *system.heads.value(symbol) {
            Head::Execute(edge, locals) => {
                answer.reached[edge.0 as usize] = true;
                executed.push((edge, control, symbol));
                if failing.contains(&(control, symbol)) {
                    answer.projection[edge.0 as usize] = true;
                    answer.failing[edge.0 as usize].insert(system.in_scope(edge, globals, locals));
                }
            }
            Head::At(location, locals) => {
                for edge in system.steps.edges_from(location) {
                    answer.arriving[edge.0 as usize].insert(system.in_scope(edge, globals, locals));
                }
            }
            Head::Pending(..) | Head::Anyone(_) => {}
        }
    }
    if settings.keep_dead {
        system.arrivals(&post, &mut answer);
    }

    let initial = system.anywhere(&executed);
    let post = poststar(&mut system, &initial, settings.cap)?;
    let pre = prestar(&post, error);
    for (edge, control, symbol) in executed {
        let below = system.heads.number(Head::Anyone(program.owner(edge)));
        let mut tails = pre.targets(State::Control(control), symbol).iter();
        answer.naive[edge.0 as usize] |=
            tails.any(|tail| pre.targets(*tail, below).contains(&State::Final));
        if settings.keep_dead {
            system.continuations(&pre, edge, control, symbol, &mut answer)?;
        }
    }
    Some(answer)
}

/// Lengths of shortest failing runs; `None` where there is none.
#[derive(Debug)]
pub struct ShortestLengths {
    /// Of all failing runs.
    pub overall: Option<u64>,
    /// By edge: of those that execute it.
    pub through: Vec<Option<u64>>,
}

/// Entries of a trace: all but what the front end made and bare jumps.
fn counts(edge: &Edge) -> u64 {
    u64::from(!matches!(edge.kind, StatementKind::Hidden | StatementKind::Jump))
}

/// The least lengths through each edge, or `None` if the program is too large for that.
pub fn shortest_lengths(program: &Program, settings: Settings) -> Option<ShortestLengths> {
    let mut system = StoreSystem::new(program, settings);
    let error = system.modes.number(Mode::Error);
    let initial = system.start()?;
    let (rules, post) = lengths::poststar(&mut system, &initial, settings.cap)?;
    let plain = poststar(&mut system, &initial, 2 * settings.cap)?;
    assert!(lengths::same_transitions(&plain, &post), "the two explicit saturations disagree");
    let pre = lengths::prestar(&system, &rules, &post, error);
    let mut through = vec![None; program.edges.len()];
    let mut overall = None;
    for ((control, symbol), length) in lengths::through_heads(&post, &pre) {
        let least = |old: Option<u64>| Some(old.map_or(length, |old| old.min(length)));
        match (*system.modes.value(control), *system.heads.value(symbol)) {
            (Mode::Run(_), Head::Execute(edge, _)) => {
                through[edge.0 as usize] = least(through[edge.0 as usize])
            }
            (Mode::Error, _) => overall = least(overall),
            _ => {}
        }
    }
    Some(ShortestLengths { overall, through })
}

/// The least length of a failing run that executes an edge of each of the two sets (`Some(None)`:
/// there is none).
pub fn shortest_through_both(
    program: &Program,
    settings: Settings,
    sets: [&[EdgeId]; 2],
) -> Option<Option<u64>> {
    let mut system = WithHistory { inner: StoreSystem::new(program, settings), sets };
    let error = system.inner.modes.number(Mode::Error);
    let initial: Vec<Transition> = system
        .inner
        .start()?
        .into_iter()
        .map(|(from, symbol, to)| (scaled(from), symbol, to))
        .collect();
    let (_, post) = lengths::poststar(&mut system, &initial, settings.cap)?;
    let rest = post.to_final();
    let whole = |((from, _, to), length): (&Transition, &u64)| {
        (*from == State::Control(4 * error + 3))
            .then(|| rest.get(to).map(|rest| length + rest))
            .flatten()
    };
    Some(post.lengths.iter().filter_map(whole).min())
}

fn scaled(state: State) -> State {
    match state {
        State::Control(control) => State::Control(4 * control),
        State::Middle(control, symbol) => State::Middle(4 * control, symbol),
        State::Final => State::Final,
    }
}

/// Control locations 4p + m: m says which of the two sets were passed.
struct WithHistory<'a> {
    inner: StoreSystem<'a>,
    sets: [&'a [EdgeId]; 2],
}

impl System for WithHistory<'_> {
    fn rules(&mut self, control: Control, symbol: Symbol) -> Option<Vec<Right>> {
        let mut passed = control % 4;
        if let (Mode::Run(_), Head::Execute(edge, _)) =
            (*self.inner.modes.value(control / 4), *self.inner.heads.value(symbol))
        {
            passed |= u32::from(self.sets[0].contains(&edge))
                + 2 * u32::from(self.sets[1].contains(&edge));
        }
        let rules = self.inner.rules(control / 4, symbol)?.into_iter().map(|right| match right {
            Right::Pop(next) => Right::Pop(4 * next + passed),
            Right::Step(next, top) => Right::Step(4 * next + passed, top),
            Right::Push(next, top, below) => Right::Push(4 * next + passed, top, below),
        });
        Some(rules.collect())
    }
}

impl lengths::Lengths for WithHistory<'_> {
    fn length(&self, control: Control, symbol: Symbol, right: &Right) -> u64 {
        let right = match *right {
            Right::Pop(next) => Right::Pop(next / 4),
            Right::Step(next, top) => Right::Step(next / 4, top),
            Right::Push(next, top, below) => Right::Push(next / 4, top, below),
        };
        self.inner.length(control / 4, symbol, &right)
    }
}

impl lengths::Lengths for StoreSystem<'_> {
    /// An edge is counted when it is done, not when it is chosen.
    fn length(&self, _control: Control, symbol: Symbol, right: &Right) -> u64 {
        let Head::Execute(edge, _) = *self.heads.value(symbol) else { return 0 };
        match right {
            Right::Step(next, _) if *self.modes.value(*next) == Mode::Error => 1,
            _ => counts(self.steps.program.edge(edge)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    Run(Valuation),
    Return(Valuation, Option<u64>),
    /// A check that counts failed.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Head {
    At(LocationId, Valuation),
    /// The edge will be executed, or one of its checks will fail; with the frame before.
    Execute(EdgeId, Valuation),
    /// The caller's frame while the call is pending.
    Pending(EdgeId, Valuation),
    /// Stands for any stack that this procedure may be called on.
    Anyone(ProcedureId),
}

struct StoreSystem<'a> {
    steps: Steps<'a>,
    settings: Settings,
    heads: Interner<Head>,
    modes: Interner<Mode>,
    /// By head: what was found when the edge was chosen.
    outcomes: FxHashMap<(Control, Symbol), Vec<Outcome>>,
}

impl<'a> StoreSystem<'a> {
    fn new(program: &'a Program, settings: Settings) -> StoreSystem<'a> {
        let liveness =
            if settings.keep_dead { Liveness::everything(program) } else { Liveness::new(program) };
        StoreSystem {
            steps: Steps::new(program, liveness),
            settings,
            heads: Interner::default(),
            modes: Interner::default(),
            outcomes: FxHashMap::default(),
        }
    }
}

impl StoreSystem<'_> {
    /// ⟨globals, start⟩ for all stores that the program may start with.
    fn start(&mut self) -> Option<Vec<Transition>> {
        let main = self.steps.program.main_id();
        let entry = self.steps.program.procedure(main).entry;
        let mut initial = Vec::new();
        for frame in self.steps.frames(main, entry, &[])? {
            let top = self.heads.number(Head::At(entry, frame));
            for globals in self.steps.initial_globals()? {
                initial.push((
                    State::Control(self.modes.number(Mode::Run(globals))),
                    top,
                    State::Final,
                ));
            }
        }
        Some(initial)
    }

    /// Each of these heads on any stack.
    fn anywhere(&mut self, heads: &[(EdgeId, Control, Symbol)]) -> Vec<Transition> {
        let bottom = |procedure: ProcedureId| State::Middle(Control::MAX, procedure.0);
        let mut initial = Vec::new();
        for procedure in (0..self.steps.program.procedures.len() as u32).map(ProcedureId) {
            initial.push((
                bottom(procedure),
                self.heads.number(Head::Anyone(procedure)),
                State::Final,
            ));
        }
        for (edge, control, symbol) in heads {
            initial.push((
                State::Control(*control),
                *symbol,
                bottom(self.steps.program.owner(*edge)),
            ));
        }
        initial
    }

    /// The values of the variables in scope before an edge, one after the other; nothing unless all
    /// are remembered.
    fn in_scope(&self, edge: EdgeId, globals: Valuation, locals: Valuation) -> Vec<u64> {
        if !self.settings.keep_dead {
            return Vec::new();
        }
        let program = self.steps.program;
        let mut values = Vec::new();
        for variable in &program.scope(program.edge(edge).scope).variables {
            let place = self.steps.layout.place(*variable);
            let slots = if place.global {
                self.steps.globals.value(globals)
            } else {
                self.steps.locals.value(locals)
            };
            values.extend_from_slice(&slots[place.base..place.base + place.length]);
        }
        values
    }

    /// Below a head of post\*, the calls that are pending.
    fn arrivals(&self, post: &Post, answer: &mut Explicit) {
        for (from, symbol, to) in &post.transitions {
            let State::Control(control) = from else { continue };
            let (Mode::Run(globals), Head::Execute(edge, locals)) =
                (*self.modes.value(*control), *self.heads.value(*symbol))
            else {
                continue;
            };
            let contexts = answer.contexts[edge.0 as usize]
                .entry(self.in_scope(edge, globals, locals))
                .or_default();
            contexts.at_start |= *to == State::Final;
            for (below, _) in post.from.get(to).into_iter().flatten() {
                if let Head::Pending(call, _) = *self.heads.value(*below) {
                    contexts.arrives.insert(call);
                }
            }
        }
    }

    /// For a head of pre\*, the calls that may be pending below it so that some stack fails.
    fn continuations(
        &mut self,
        pre: &Pre,
        edge: EdgeId,
        control: Control,
        symbol: Symbol,
        answer: &mut Explicit,
    ) -> Option<()> {
        let (Mode::Run(globals), Head::Execute(_, locals)) =
            (*self.modes.value(control), *self.heads.value(symbol))
        else {
            return Some(());
        };
        let program = self.steps.program;
        let owner = program.owner(edge);
        let store = self.in_scope(edge, globals, locals);
        for tail in pre.targets(State::Control(control), symbol) {
            let contexts = answer.contexts[edge.0 as usize].entry(store.clone()).or_default();
            if *tail == State::Final {
                contexts.fails_here = true;
                continue;
            }
            for call in program.edge_ids() {
                if !matches!(&program.edge(call).operation, Operation::Call { callee, .. } if *callee == owner)
                {
                    continue;
                }
                let bottom = self.heads.number(Head::Anyone(program.owner(call)));
                for frame in self.steps.all_pending(call)? {
                    let pending = self.heads.number(Head::Pending(call, frame));
                    let fails = |t: &State| {
                        *t == State::Final || pre.targets(*t, bottom).contains(&State::Final)
                    };
                    if pre.targets(*tail, pending).iter().any(fails) {
                        contexts.fails.insert(call);
                    }
                }
            }
        }
        Some(())
    }

    fn run(&mut self, globals: Valuation) -> Control {
        self.modes.number(Mode::Run(globals))
    }
}

impl System for StoreSystem<'_> {
    fn rules(&mut self, control: Control, symbol: Symbol) -> Option<Vec<Right>> {
        let program = self.steps.program;
        let mut rules = Vec::new();
        match (*self.modes.value(control), *self.heads.value(symbol)) {
            (Mode::Run(globals), Head::At(location, locals)) => {
                let procedure = program.location(location).procedure;
                if location == program.procedure(procedure).exit {
                    let value = self.steps.returned(procedure, locals);
                    rules.push(Right::Pop(self.modes.number(Mode::Return(globals, value))));
                }
                for edge in self.steps.edges_from(location) {
                    let outcomes = self.steps.along(edge, globals, locals)?;
                    if !outcomes.is_empty() {
                        let head = self.heads.number(Head::Execute(edge, locals));
                        self.outcomes.insert((control, head), outcomes);
                        rules.push(Right::Step(control, head));
                    }
                }
            }
            (Mode::Run(_), Head::Execute(id, locals)) => {
                let edge = program.edge(id);
                for outcome in self
                    .outcomes
                    .get(&(control, symbol))
                    .cloned()
                    .expect("they were found when the edge was chosen")
                {
                    match outcome {
                        Outcome::Goes(globals, locals) => {
                            rules.push(Right::Step(
                                self.run(globals),
                                self.heads.number(Head::At(edge.to, locals)),
                            ));
                        }
                        Outcome::Calls(frame) => {
                            let Operation::Call { callee, .. } = &edge.operation else {
                                unreachable!("only calls call")
                            };
                            let entry = self
                                .heads
                                .number(Head::At(program.procedure(*callee).entry, frame));
                            let pending = Head::Pending(id, self.steps.pending(id, locals));
                            rules.push(Right::Push(control, entry, self.heads.number(pending)));
                        }
                        Outcome::Fails(check)
                            if self
                                .settings
                                .error
                                .is_none_or(|line| line == edge.checks[check].line) =>
                        {
                            rules.push(Right::Step(self.modes.number(Mode::Error), symbol));
                        }
                        Outcome::Fails(_) => {}
                    }
                }
            }
            (Mode::Return(globals, value), Head::Pending(edge, locals)) => {
                let (globals, locals) = self.steps.resume(edge, globals, locals, value);
                rules.push(Right::Step(
                    self.run(globals),
                    self.heads.number(Head::At(program.edge(edge).to, locals)),
                ));
            }
            (Mode::Return(..), Head::Anyone(callee)) => {
                for edge in program.edge_ids() {
                    if matches!(&program.edge(edge).operation, Operation::Call { callee: called, .. } if *called == callee)
                    {
                        let below = self.heads.number(Head::Anyone(program.owner(edge)));
                        for frame in self.steps.all_pending(edge)? {
                            rules.push(Right::Push(
                                control,
                                self.heads.number(Head::Pending(edge, frame)),
                                below,
                            ));
                        }
                    }
                }
            }
            _ => {}
        }
        Some(rules)
    }
}
