//! Replays a run step by step. The analyses call it before they show a counterexample.

use super::execute::{Assignment, Machine, Outcome};
use crate::lang::model::{EdgeId, Initial, Operation, Program, VariableId};
use std::fmt;

/// One executed edge, with everything that the run picks there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConcreteStep {
    /// The edge.
    pub edge: EdgeId,
    /// Values of [`crate::lang::model::Edge::choices`].
    pub choices: Vec<u64>,
    /// For a call, the initial values of the callee's locals; for a havoc, the values of its
    /// variables. Variables that are left out are zero.
    pub locals: Option<Assignment>,
}

/// A run that is claimed to fail at its last step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConcreteRun {
    /// Values of the globals at the start; those that the program fixes may be left out.
    pub initial_globals: Assignment,
    /// Values of the start procedure's parameters and locals.
    pub initial_locals: Assignment,
    /// The steps, in order. Returns are implied.
    pub steps: Vec<ConcreteStep>,
}

/// One step as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The edge.
    pub edge: EdgeId,
    /// Number of pending calls.
    pub depth: u32,
    /// The variables in scope *before* it, in scope order, with their elements' bit patterns.
    pub store: Assignment,
}

/// A run that was executed to its error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// All steps; the last one fails.
    pub steps: Vec<Replayed>,
    /// Which check of the last edge fails.
    pub failed_check: usize,
}

/// Why a claimed run is not a run. Steps are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// A global does not start with the value that the program fixes, or a variable has the wrong
    /// number of elements.
    Initial(VariableId),
    /// The step's edge does not exist or does not start where the run is.
    Elsewhere(usize),
    /// The step has too few choices.
    Choices(usize),
    /// The step's assumption does not hold.
    Blocked(usize),
    /// The step already fails, but others follow.
    FailsEarly(usize),
    /// All steps can be executed, and none fails.
    NoError,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Initial(id) => write!(f, "variable {} cannot start like this", id.0),
            ReplayError::Elsewhere(step) => {
                write!(f, "step {step} does not start where the run is")
            }
            ReplayError::Choices(step) => write!(f, "step {step} lacks choices"),
            ReplayError::Blocked(step) => write!(f, "step {step} is blocked"),
            ReplayError::FailsEarly(step) => write!(f, "step {step} already fails"),
            ReplayError::NoError => write!(f, "the run does not fail"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Executes the run; succeeds iff every step can be executed in order and the last one fails one of
/// its checks.
pub fn replay(program: &Program, run: &ConcreteRun) -> Result<Replay, ReplayError> {
    let machine = Machine::new(program);
    for (id, values) in run.initial_globals.iter().chain(&run.initial_locals) {
        let variable = program.variables.get(id.0 as usize).ok_or(ReplayError::Initial(*id))?;
        let fixed = matches!(&variable.initial, Initial::Exactly(fixed) if fixed != values);
        if fixed || values.len() != variable.elements() as usize {
            return Err(ReplayError::Initial(*id));
        }
    }
    let mut configuration = machine.initial(&run.initial_globals, &run.initial_locals);
    let mut steps = Vec::with_capacity(run.steps.len());
    for (index, step) in run.steps.iter().enumerate() {
        let edge =
            program.edges.get(step.edge.0 as usize).filter(|e| e.from == configuration.location);
        let edge = edge.ok_or(ReplayError::Elsewhere(index))?;
        if step.choices.len() < edge.choices.len() {
            return Err(ReplayError::Choices(index));
        }
        let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
        let takes_values = matches!(edge.operation, Operation::Call { .. } | Operation::Havoc(_));
        if takes_values {
            for (id, values) in locals {
                if program
                    .variables
                    .get(id.0 as usize)
                    .is_none_or(|v| v.elements() as usize != values.len())
                {
                    return Err(ReplayError::Initial(*id));
                }
            }
        }
        let store = machine.visible(&configuration, edge);
        steps.push(Replayed { edge: step.edge, depth: configuration.depth(), store });
        match machine.execute(&configuration, step.edge, &step.choices, locals) {
            Outcome::Next(next) => configuration = next,
            Outcome::Blocked => return Err(ReplayError::Blocked(index)),
            Outcome::Error(failed_check) if index + 1 == run.steps.len() => {
                return Ok(Replay { steps, failed_check });
            }
            Outcome::Error(_) => return Err(ReplayError::FailsEarly(index)),
        }
    }
    Err(ReplayError::NoError)
}
