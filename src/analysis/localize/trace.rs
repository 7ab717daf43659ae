//! A failing run as transitions of the supergraph, by the interpreter.

use super::supergraph::SuperEdge;
use crate::cfg::live_locals;
use crate::encode::{Cell, Valuation};
use crate::lang::interpreter::{ConcreteRun, Configuration, Machine, Stop};
use crate::lang::model::{LocationId, Operation, Program, VariableId};
use std::collections::BTreeSet;

/// ⟨(v₁, Ω₁), (v₂, Ω₂)⟩ (Ball, Naik, Rajamani 2003, § 2.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// (v₁, v₂).
    pub edge: SuperEdge,
    /// Ω₁.
    pub before: Valuation,
    /// Ω₂.
    pub after: Valuation,
}

/// The transitions of a run up to the statement at which it fails, and the check of that statement
/// that it violates; `None` if it is no failing run of the program.
pub fn transitions(program: &Program, run: &ConcreteRun) -> Option<(Vec<Transition>, usize)> {
    let (transitions, failed) = executed(program, run, run.steps.len())?;
    Some((transitions, failed?))
}

/// The transitions of the first statements of a run; `None` if one of them fails, or if they are no
/// run of the program.
pub fn transitions_of_prefix(
    program: &Program,
    run: &ConcreteRun,
    statements: usize,
) -> Option<Vec<Transition>> {
    match executed(program, run, statements)? {
        (transitions, None) => Some(transitions),
        (_, Some(_)) => None,
    }
}

/// The transitions of the first statements of a run, and the check of the last one that fails, if
/// one does.
fn executed(
    program: &Program,
    run: &ConcreteRun,
    statements: usize,
) -> Option<(Vec<Transition>, Option<usize>)> {
    let machine = Machine::new(program);
    let live = live_locals(program);
    let states = States { machine: &machine, live: &live };
    let mut configuration = machine.initial(&run.initial_globals, &run.initial_locals);
    let mut transitions = Vec::new();
    let none = Vec::new();
    for step in run.steps.iter().take(statements) {
        let edge = program
            .edges
            .get(step.edge.0 as usize)
            .filter(|edge| edge.from == configuration.location)?;
        let before = states.at(&configuration, edge.from);
        let arbitrary = step.locals.as_ref().unwrap_or(&none);
        match machine.stops(&configuration, step.edge, &step.choices) {
            None => machine.pass_edge(&mut configuration, step.edge, &step.choices, arbitrary),
            Some(Stop::Error(check)) => return Some((transitions, Some(check))),
            Some(Stop::Blocked) => return None,
        }
        match &edge.operation {
            Operation::Call { callee, .. } => {
                let after = states.entered(&configuration, &program.procedure(*callee).parameters);
                transitions.push(Transition { edge: SuperEdge::Enter(step.edge), before, after });
            }
            _ => {
                let after = states.at(&configuration, edge.to);
                transitions.push(Transition { edge: SuperEdge::Step(step.edge), before, after });
            }
        }
        while machine.is_to_return(&configuration) {
            let before = states.at(&configuration, configuration.location);
            let Some(call) = machine.return_once(&mut configuration) else { break };
            let site = states.at(&configuration, configuration.location);
            transitions.push(Transition {
                edge: SuperEdge::Return(call),
                before,
                after: site.clone(),
            });
            transitions.push(Transition {
                edge: SuperEdge::Onward(call),
                before: site.clone(),
                after: site,
            });
        }
    }
    Some((transitions, None))
}

struct States<'a> {
    machine: &'a Machine<'a>,
    live: &'a [BTreeSet<VariableId>],
}

impl States<'_> {
    /// The state of the innermost frame at a location.
    fn at(&self, configuration: &Configuration, location: LocationId) -> Valuation {
        self.values(configuration, self.live[location].iter().copied())
    }

    /// The state at a callee's entry. It has the parameters only: the other locals are picked
    /// there.
    fn entered(&self, configuration: &Configuration, parameters: &[VariableId]) -> Valuation {
        let live = &self.live[configuration.location];
        self.values(
            configuration,
            parameters.iter().copied().filter(|parameter| live.contains(parameter)),
        )
    }

    fn values(
        &self,
        configuration: &Configuration,
        locals: impl Iterator<Item = VariableId>,
    ) -> Valuation {
        let variables = self.machine.program().globals().chain(locals);
        let cells = variables.flat_map(|variable| {
            let values = self.machine.values(configuration, variable);
            (0..).zip(values).map(move |(element, bits)| (Cell { variable, element }, *bits))
        });
        Valuation(cells.collect())
    }
}
