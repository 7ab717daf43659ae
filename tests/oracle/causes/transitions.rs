//! The explicit system whose stack symbols are transitions, and its correct ones.

use super::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    Run(Valuation),
    Return(Valuation, Option<u64>),
    Correct,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Head {
    At(LocationId, Valuation),
    /// A statement: locals before; globals and locals after.
    Step(EdgeId, Valuation, Valuation, Valuation),
    /// A call: the caller's locals, and the callee's with all but parameters zero.
    Enter(EdgeId, Valuation, Valuation),
    /// The caller's locals while the call is pending, results and dead ones zero.
    Pending(EdgeId, Valuation),
    /// The return site, with the caller's locals.
    Site(EdgeId, Valuation),
    Bottom,
}

/// Where correct runs end.
#[derive(Clone, Copy)]
pub(super) enum End {
    At(EdgeId, usize),
    Program,
}

pub(super) struct Transitions<'a> {
    pub(super) steps: Steps<'a>,
    pub(super) modes: Interner<Mode>,
    pub(super) heads: Interner<Head>,
    pub(super) end: End,
    pub(super) halts: &'a BTreeSet<SuperEdge>,
}

pub(super) const BOTTOM: State = State::Middle(Control::MAX, 0);

impl Transitions<'_> {
    pub(super) fn run(&mut self, globals: Valuation) -> Control {
        self.modes.number(Mode::Run(globals))
    }

    /// A callee's frame with nothing but its parameters: what the transition into it fixes.
    pub(super) fn parameters(&mut self, procedure: ProcedureId, frame: Valuation) -> Valuation {
        let old = self.steps.locals.value(frame).clone();
        let mut values = vec![0; old.len()];
        for parameter in &self.steps.program.procedure(procedure).parameters {
            let place = self.steps.layout.place(*parameter);
            values[place.base..place.base + place.length]
                .copy_from_slice(&old[place.base..place.base + place.length]);
        }
        self.steps.locals.number(values)
    }
}

impl System for Transitions<'_> {
    fn rules(&mut self, control: Control, symbol: Symbol) -> Option<Vec<Right>> {
        let program = self.steps.program;
        let mut rules = Vec::new();
        let correct = Right::Step(self.modes.number(Mode::Correct), symbol);
        match (*self.modes.value(control), *self.heads.value(symbol)) {
            (Mode::Run(globals), Head::At(location, locals)) => {
                let procedure = program.location(location).procedure;
                if location == program.procedure(procedure).exit {
                    let value = self.steps.returned(procedure, locals);
                    rules.push(Right::Pop(self.modes.number(Mode::Return(globals, value))));
                }
                if let End::At(edge, check) = self.end
                    && program.edge(edge).from == location
                    && self.steps.may_pass(edge, check, globals, locals)?
                {
                    rules.push(correct);
                }
                for edge in self.steps.edges_from(location) {
                    for outcome in self.steps.along(edge, globals, locals)? {
                        let head = match outcome {
                            Outcome::Goes(..) if self.halts.contains(&SuperEdge::Step(edge)) => {
                                continue;
                            }
                            Outcome::Goes(globals, after) => {
                                Head::Step(edge, locals, globals, after)
                            }
                            Outcome::Calls(_) if self.halts.contains(&SuperEdge::Enter(edge)) => {
                                continue;
                            }
                            Outcome::Calls(frame) => {
                                let Operation::Call { callee, .. } = program.edge(edge).operation
                                else {
                                    unreachable!("only calls call")
                                };
                                Head::Enter(edge, locals, self.parameters(callee, frame))
                            }
                            Outcome::Fails(_) => continue,
                        };
                        let right = Right::Step(control, self.heads.number(head));
                        if !rules.contains(&right) {
                            rules.push(right);
                        }
                    }
                }
            }
            (Mode::Run(_), Head::Step(edge, _, globals, locals)) => {
                rules.push(Right::Step(
                    self.run(globals),
                    self.heads.number(Head::At(program.edge(edge).to, locals)),
                ));
            }
            (Mode::Run(_), Head::Enter(edge, locals, parameters)) => {
                let Operation::Call { callee, .. } = program.edge(edge).operation else {
                    unreachable!("only calls call")
                };
                let owned = program.procedure(callee);
                let values = self.steps.locals.value(parameters).clone();
                let fixed = |parameter: &VariableId| {
                    let place = self.steps.layout.place(*parameter);
                    (*parameter, values[place.base..place.base + place.length].to_vec())
                };
                let fixed: Vec<_> = owned.parameters.iter().map(fixed).collect();
                let frame = self.steps.pending(edge, locals);
                let pending = self.heads.number(Head::Pending(edge, frame));
                for frame in self.steps.frames(callee, owned.entry, &fixed)? {
                    rules.push(Right::Push(
                        control,
                        self.heads.number(Head::At(owned.entry, frame)),
                        pending,
                    ));
                }
            }
            (Mode::Return(globals, value), Head::Pending(edge, locals))
                if !self.halts.contains(&SuperEdge::Return(edge)) =>
            {
                let (globals, locals) = self.steps.resume(edge, globals, locals, value);
                rules.push(Right::Step(
                    self.run(globals),
                    self.heads.number(Head::Site(edge, locals)),
                ));
            }
            (Mode::Run(_), Head::Site(edge, locals)) => {
                rules.push(Right::Step(
                    control,
                    self.heads.number(Head::At(program.edge(edge).to, locals)),
                ));
            }
            (Mode::Return(..), Head::Bottom) if matches!(self.end, End::Program) => {
                rules.push(correct)
            }
            _ => {}
        }
        Some(rules)
    }
}

/// A transition as the oracle sees it: control location and stack symbol, as values.
pub(super) type Key = (Mode, Head);

/// All correct transitions of the program with halts; `None` if it is too large.
pub(super) fn correct(system: &mut Transitions, cap: usize) -> Option<FxHashSet<Key>> {
    let main = system.steps.program.main_id();
    let entry = system.steps.program.procedure(main).entry;
    let mut initial = vec![(BOTTOM, system.heads.number(Head::Bottom), State::Final)];
    for frame in system.steps.frames(main, entry, &[])? {
        let top = system.heads.number(Head::At(entry, frame));
        for globals in system.steps.initial_globals()? {
            initial.push((State::Control(system.run(globals)), top, BOTTOM));
        }
    }
    let target = system.modes.number(Mode::Correct);
    let post = poststar(system, &initial, cap)?;
    let pre = prestar(&post, target);
    let heads = Meeting::new(&post, &pre).heads();
    Some(
        heads
            .into_iter()
            .map(|(control, symbol)| (*system.modes.value(control), *system.heads.value(symbol)))
            .collect(),
    )
}

/// A run's transitions in the oracle's terms, by the interpreter.
pub(super) fn keys(system: &mut Transitions, run: &ConcreteRun) -> Vec<(SuperEdge, Key)> {
    let program = system.steps.program;
    let machine = Machine::new(program);
    let mut configuration = machine.initial(&run.initial_globals, &run.initial_locals);
    let mut keys = Vec::new();
    for step in &run.steps {
        let edge = program.edge(step.edge);
        let (globals, locals) = store(system, &machine, &configuration, edge.from);
        let mode = Mode::Run(globals);
        let arbitrary = step.locals.clone().unwrap_or_default();
        let Executed::Next(mut next) =
            machine.execute_edge(&configuration, step.edge, &step.choices, &arbitrary)
        else {
            break;
        };
        if let Operation::Call { callee, .. } = edge.operation {
            let (_, frame) = store(system, &machine, &next, next.location);
            let parameters = system.parameters(callee, frame);
            keys.push((
                SuperEdge::Enter(step.edge),
                (mode, Head::Enter(step.edge, locals, parameters)),
            ));
        } else {
            let (after, frame) = store(system, &machine, &next, edge.to);
            keys.push((
                SuperEdge::Step(step.edge),
                (mode, Head::Step(step.edge, locals, after, frame)),
            ));
        }
        loop {
            let procedure = program.location(next.location).procedure;
            let (globals, locals) = store(system, &machine, &next, next.location);
            let value = system.steps.returned(procedure, locals);
            let Some(call) = machine.return_once(&mut next) else { break };
            let (_, frame) = store(system, &machine, &next, next.location);
            let pending = system.steps.pending(call, frame);
            keys.push((
                SuperEdge::Return(call),
                (Mode::Return(globals, value), Head::Pending(call, pending)),
            ));
            keys.push((SuperEdge::Onward(call), (Mode::Run(globals), Head::Site(call, frame))));
        }
        configuration = next;
    }
    keys
}

/// Globals, and the innermost frame's locals with dead ones zero.
pub(super) fn store(
    system: &mut Transitions,
    machine: &Machine,
    configuration: &Configuration,
    location: LocationId,
) -> (Valuation, Valuation) {
    let program = system.steps.program;
    let procedure = program.location(location).procedure;
    let globals =
        program.globals().flat_map(|id| machine.values(configuration, id).to_vec()).collect();
    let mut frame = vec![0; system.steps.layout.frames[procedure.0 as usize]];
    let owned = program.procedure(procedure);
    for variable in owned
        .parameters
        .iter()
        .chain(&owned.locals)
        .filter(|v| system.steps.liveness.live(location, **v))
    {
        let place = system.steps.layout.place(*variable);
        frame[place.base..place.base + place.length]
            .copy_from_slice(machine.values(configuration, *variable));
    }
    (system.steps.globals.number(globals), system.steps.locals.number(frame))
}

/// The edge of the supergraph that a transition belongs to.
pub(super) fn edge_of((mode, head): &Key) -> Option<SuperEdge> {
    match (mode, head) {
        (Mode::Run(_), Head::Step(edge, ..)) => Some(SuperEdge::Step(*edge)),
        (Mode::Run(_), Head::Enter(edge, ..)) => Some(SuperEdge::Enter(*edge)),
        (Mode::Return(..), Head::Pending(edge, _)) => Some(SuperEdge::Return(*edge)),
        (Mode::Run(_), Head::Site(edge, _)) => Some(SuperEdge::Onward(*edge)),
        _ => None,
    }
}
