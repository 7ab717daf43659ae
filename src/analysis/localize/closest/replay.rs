//! The check of a claimed correct run by the interpreter.

use super::ClosestRun;
use crate::lang::interpreter::{Assignment, Machine, Outcome};
use crate::lang::model::{Check, EdgeId, Initial, Program, VariableId};

/// Executes a claimed correct run: every statement goes on, and the run ends before T's last
/// statement with the checks up to `check` holding, or where the program ends. Returns the values
/// that each statement saw, or `None` if it is no such run.
pub fn replay_correct(
    program: &Program,
    found: &ClosestRun,
    end: Option<(EdgeId, usize)>,
) -> Option<Vec<(EdgeId, u32, Assignment)>> {
    let machine = Machine::new(program);
    let run = &found.run;
    let fixed = |(id, values): &(VariableId, Vec<u64>)| match &program.variable(*id).initial {
        Initial::Exactly(exactly) => exactly == values,
        Initial::Any => true,
    };
    if !run.initial_globals.iter().chain(&run.initial_locals).all(fixed) {
        return None;
    }
    let mut configuration = machine.initial(&run.initial_globals, &run.initial_locals);
    let none = Vec::new();
    let mut seen = Vec::new();
    for (k, step) in run.steps.iter().enumerate() {
        let edge = program
            .edges
            .get(step.edge.0 as usize)
            .filter(|edge| edge.from == configuration.location)?;
        let scope = &program.scope(edge.scope).variables;
        let values =
            scope.iter().map(|id| (*id, machine.values(&configuration, *id).to_vec())).collect();
        seen.push((step.edge, configuration.depth(), values));
        if k + 1 == run.steps.len()
            && let Some((last, check)) = end
        {
            let holds = |check: &Check| {
                machine.evaluate(&configuration, &check.condition, &step.choices) == 1
            };
            return (step.edge == last && edge.checks.get(..=check)?.iter().all(holds))
                .then_some(seen);
        }
        match machine.execute(
            &configuration,
            step.edge,
            &step.choices,
            step.locals.as_ref().unwrap_or(&none),
        ) {
            Outcome::Next(next) => configuration = next,
            Outcome::Blocked | Outcome::Error(_) => return None,
        }
    }
    (end.is_none() && machine.has_ended(&configuration)).then_some(seen)
}
