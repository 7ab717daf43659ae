//! The explicit oracle: a program's stores in the control locations and stack symbols of an *unweighted* pushdown system; then
//! post\* of the start meets pre\* of the error. Exact under recursion, and free of decision diagrams and weights.
//!
//! A control location is a valuation of the globals (while a call returns: with the returned value); a stack symbol is a location, or an
//! edge being executed, with a valuation of the frame's locals. Because an edge is a symbol of its own, "statement s is on a failing
//! run" reads: some configuration with s on top is in both sets.

use crate::pushdown::{Control, Meeting, Right, State, Symbol, System, poststar, prestar};
use crate::steps::{Interner, Outcome, Steps, Valuation};
use crate::stores::Liveness;
use faultline::lang::model::*;

/// What the oracle answers. The vectors go by edge number.
#[derive(Debug)]
pub struct Explicit {
    /// Does a run fail (with a targeted error)?
    pub is_unsafe: bool,
    /// Some run executes the edge.
    pub reached: Vec<bool>,
    /// Some failing run executes it.
    pub projection: Vec<bool>,
    /// Some run executes it with a store of which *some* stack of pending calls leads on to the error. The stack is any: its frames are
    /// return sites of calls to the procedure above them, from anywhere in the program, with any values of the locals there.
    pub naive: Vec<bool>,
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
    let liveness = if settings.keep_dead { Liveness::everything(program) } else { Liveness::new(program) };
    let mut stores = StoreSystem { steps: Steps::new(program, liveness), settings, heads: Interner::default(), modes: Interner::default() };
    let error = stores.modes.number(Mode::Error);
    let main = program.main_id();
    let entry = program.procedure(main).entry;
    let mut initial = Vec::new();
    for frame in stores.steps.frames(main, entry, &[])? {
        let top = stores.heads.number(Head::At(entry, frame));
        for globals in stores.steps.initial_globals()? {
            initial.push((State::Control(stores.modes.number(Mode::Run(globals))), top, State::Final));
        }
    }
    let post = poststar(&mut stores, &initial, settings.cap)?;
    let pre = prestar(&post, error);
    let reached: Vec<(Control, Symbol)> = post.rules.keys().copied().collect();
    let tops = Meeting::new(&post, &pre).tops();

    let mut answer = Explicit {
        is_unsafe: reached.iter().any(|(control, _)| *control == error),
        reached: vec![false; program.edges.len()],
        projection: vec![false; program.edges.len()],
        naive: vec![false; program.edges.len()],
    };
    let mut anywhere = Vec::new();
    for (control, symbol) in reached {
        let (Mode::Run(_), Some(edge)) = (stores.modes.value(control), stores.heads.value(symbol).executing()) else { continue };
        answer.reached[edge.0 as usize] = true;
        answer.projection[edge.0 as usize] |= tops.contains(&symbol);
        anywhere.push((edge, control, symbol));
    }
    anywhere.sort_unstable();

    let mut initial = Vec::new();
    for number in 0..program.procedures.len() as u32 {
        let below = stores.heads.number(Head::Anyone(ProcedureId(number)));
        initial.push((bottom(number), below, State::Final));
    }
    for (edge, control, symbol) in &anywhere {
        initial.push((State::Control(*control), *symbol, bottom(program.owner(*edge).0)));
    }
    let post = poststar(&mut stores, &initial, settings.cap)?;
    let pre = prestar(&post, error);
    for (edge, control, symbol) in anywhere {
        let below = stores.heads.number(Head::Anyone(program.owner(edge)));
        let mut tails = pre.targets(State::Control(control), symbol).iter();
        answer.naive[edge.0 as usize] |= tails.any(|tail| pre.targets(*tail, below).contains(&State::Final));
    }
    Some(answer)
}

fn bottom(procedure: u32) -> State {
    State::Middle(Control::MAX, procedure)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    Run(Valuation),
    Return(Valuation, Option<u64>),
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Head {
    At(LocationId, Valuation),
    /// The edge was executed, with this frame after it.
    Executed(EdgeId, Valuation),
    /// The call is about to happen: the caller's frame while it is pending, and the callee's first.
    Calling(EdgeId, Valuation, Valuation),
    Pending(EdgeId, Valuation),
    /// A check of this number failed.
    Failed(EdgeId, usize),
    /// Stands for any stack that this procedure may be called on.
    Anyone(ProcedureId),
}

impl Head {
    fn executing(self) -> Option<EdgeId> {
        match self {
            Head::Executed(edge, _) | Head::Calling(edge, ..) | Head::Failed(edge, _) => Some(edge),
            Head::At(..) | Head::Pending(..) | Head::Anyone(_) => None,
        }
    }
}

struct StoreSystem<'a> {
    steps: Steps<'a>,
    settings: Settings,
    heads: Interner<Head>,
    modes: Interner<Mode>,
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
                for (edge, outcome) in self.steps.next(location, globals, locals)? {
                    let (globals, head) = match outcome {
                        Outcome::Goes(globals, locals) => (globals, Head::Executed(edge, locals)),
                        Outcome::Calls(frame) => (globals, Head::Calling(edge, self.steps.pending(edge, locals), frame)),
                        Outcome::Fails(check) => (globals, Head::Failed(edge, check)),
                    };
                    rules.push(Right::Step(self.modes.number(Mode::Run(globals)), self.heads.number(head)));
                }
            }
            (Mode::Run(_), Head::Executed(edge, locals)) => {
                rules.push(Right::Step(control, self.heads.number(Head::At(program.edge(edge).to, locals))));
            }
            (Mode::Run(_), Head::Calling(edge, pending, frame)) => {
                let Operation::Call { callee, .. } = &program.edge(edge).operation else { unreachable!("only calls are called") };
                let entry = self.heads.number(Head::At(program.procedure(*callee).entry, frame));
                rules.push(Right::Push(control, entry, self.heads.number(Head::Pending(edge, pending))));
            }
            (Mode::Run(_), Head::Failed(edge, check)) => {
                let line = program.edge(edge).checks[check].line;
                if self.settings.error.is_none_or(|target| target == line) {
                    rules.push(Right::Step(self.modes.number(Mode::Error), symbol));
                }
            }
            (Mode::Return(globals, value), Head::Pending(edge, locals)) => {
                let (globals, locals) = self.steps.resume(edge, globals, locals, value);
                let mode = self.modes.number(Mode::Run(globals));
                rules.push(Right::Step(mode, self.heads.number(Head::At(program.edge(edge).to, locals))));
            }
            (Mode::Return(..), Head::Anyone(callee)) => {
                for edge in program.edge_ids() {
                    if matches!(&program.edge(edge).operation, Operation::Call { callee: called, .. } if *called == callee) {
                        let below = self.heads.number(Head::Anyone(program.owner(edge)));
                        for frame in self.steps.all_pending(edge)? {
                            rules.push(Right::Push(control, self.heads.number(Head::Pending(edge, frame)), below));
                        }
                    }
                }
            }
            _ => {}
        }
        Some(rules)
    }
}
