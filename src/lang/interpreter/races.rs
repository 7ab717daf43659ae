//! Data races, as the interpreter sees them: two threads, each about to access one place with its
//! next step, at least one to write it, not both atomically. It shares no code with the watched
//! program of the analysis (`analysis::threads::race_watch`), whose runs it replays.

use super::execute::{Configuration, Machine};
use super::interleaved::{
    Ended, InterleavedError, InterleavedReplay, InterleavedRun, SharedConfiguration, replay_paused,
};
use super::replay::ConcreteStep;
use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, Operation, Place, Program, VariableId, VariableKind,
};

/// What a step does with a place that threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The variable.
    pub variable: VariableId,
    /// Its element; 0 for a scalar.
    pub element: u32,
    /// Does it write it?
    pub writes: bool,
    /// Is it atomic, whatever holds the other threads back?
    pub atomic: bool,
}

/// A race of two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// What the first one does.
    pub first: Touch,
    /// What the second one does with the same place.
    pub second: Touch,
    /// In a run: the number of the first step, which is not executed. The second one is the last.
    pub at: usize,
}

impl Machine<'_> {
    /// What a step that can be executed here does with the variables of the source that threads
    /// share. Empty if an assumption blocks it, or a check fails.
    pub fn touches(&self, here: &Configuration, edge: EdgeId, choices: &[u64]) -> Vec<Touch> {
        let mut seeing = Seeing { machine: self, here, choices, edge, touches: Vec::new() };
        if self.stops(here, edge, choices).is_none() {
            seeing.edge();
        }
        seeing.touches
    }

    /// The race of two steps that different threads are about to make. Of two accesses in a race
    /// one is plain: here the first. The other one may be atomic, also by an atomic section of its
    /// thread, which orders nothing but atomic accesses.
    pub fn race(
        &self,
        state: &SharedConfiguration,
        first: (usize, EdgeId, &[u64]),
        second: (usize, EdgeId, &[u64]),
    ) -> Option<(Touch, Touch)> {
        let one = self.touches(&state.of(first.0)?, first.1, first.2);
        let other = self.touches(&state.of(second.0)?, second.1, second.2);
        let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (*a, *b)));
        let mut races = pairs.filter(|(a, b)| {
            (a.variable, a.element) == (b.variable, b.element)
                && (a.writes || b.writes)
                && !a.atomic
        });
        races.next().filter(|_| first.0 != second.0)
    }
}

/// Executes a run that ends in a race. The step `paused` and the last one are not executed: their
/// threads stand before them at the end.
pub fn replay_race(
    program: &Program,
    run: &InterleavedRun,
    paused: usize,
) -> Result<InterleavedReplay, InterleavedError> {
    let (mut replay, state) = replay_paused(program, run, Some(paused))?;
    let machine = Machine::new(program);
    let last = run.steps.len().saturating_sub(1);
    let step = |at: usize| -> Option<(usize, &ConcreteStep)> {
        run.steps.get(at).map(|(thread, step)| (*thread, step))
    };
    if let (Some((a, one)), Some((b, two))) = (step(paused), step(last)) {
        let (first, second) = ((a, one.edge, &one.choices[..]), (b, two.edge, &two.choices[..]));
        if let Some((first, second)) = machine.race(&state, first, second) {
            replay.ended = Ended::Race(Race { first, second, at: paused });
        }
    }
    Ok(replay)
}

struct Seeing<'m> {
    machine: &'m Machine<'m>,
    here: &'m Configuration,
    choices: &'m [u64],
    edge: EdgeId,
    touches: Vec<Touch>,
}

impl Seeing<'_> {
    fn edge(&mut self) {
        let edge = self.machine.program().edge(self.edge);
        for check in &edge.checks {
            self.read(&check.condition);
        }
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume(condition) => self.read(condition),
            Operation::Assign(pairs) => {
                for (place, value) in pairs {
                    self.read(value);
                    match place {
                        Place::Variable(id) => self.touch(*id, 0, true),
                        Place::Element(id, index) => {
                            self.read(index);
                            self.touch(*id, self.number(index), true);
                        }
                    }
                }
            }
            Operation::Havoc(list) => {
                for id in list {
                    let size = self.machine.program().variable(*id).elements();
                    (0..size).for_each(|element| self.touch(*id, element.into(), true));
                }
            }
            Operation::Call { arguments, .. } => {
                arguments.iter().for_each(|argument| self.read(argument));
            }
        }
    }

    fn number(&self, e: &Expression) -> i128 {
        e.scalar().number(self.machine.evaluate(self.here, e, self.choices))
    }

    fn holds(&self, e: &Expression) -> bool {
        self.number(e) != 0
    }

    /// What is evaluated of an expression, from left to right.
    fn read(&mut self, e: &Expression) {
        match e {
            Expression::Constant(..) | Expression::Choice(..) => {}
            Expression::Variable(id, _) => self.touch(*id, 0, false),
            Expression::Element(id, index, _) => {
                self.read(index);
                self.touch(*id, self.number(index), false);
            }
            Expression::Unary(_, e) | Expression::Cast(_, e) => self.read(e),
            Expression::Binary(operator, left, right) => {
                self.read(left);
                let logical = left.scalar().boolean;
                let decided = match operator {
                    BinaryOperator::And => logical && !self.holds(left),
                    BinaryOperator::Or => logical && self.holds(left),
                    _ => false,
                };
                if !decided {
                    self.read(right);
                }
            }
            Expression::Conditional(condition, then, otherwise) => {
                self.read(condition);
                self.read(if self.holds(condition) { then } else { otherwise });
            }
        }
    }

    /// Notes an access, if threads may share the place.
    fn touch(&mut self, variable: VariableId, element: i128, writes: bool) {
        let program = self.machine.program();
        let declared = program.variable(variable);
        let inside = u32::try_from(element).ok().filter(|at| *at < declared.elements());
        let (Some(element), VariableKind::Global) = (inside, declared.kind) else { return };
        let named = program.scopes.iter().any(|scope| scope.variables.contains(&variable));
        if !named {
            return;
        }
        let threads = &program.concurrency;
        let atomic = threads.atomics.contains(&variable)
            || threads.waits.contains(&self.edge)
            || threads.synchronizing.contains(&self.edge)
            || threads.uninterruptible.contains(&program.edge(self.edge).from);
        self.touches.push(Touch { variable, element, writes, atomic });
    }
}
