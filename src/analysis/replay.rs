//! A counterexample becomes a failing run only after the interpreter has executed it. The
//! interpreter shares no code with the symbolic engine.

use super::counterexample::{Counterexample, Step};
use crate::cfg::live_locals;
use crate::encode::{Cell, Valuation};
use crate::lang::interpreter::{
    Assignment, ConcreteRun, ConcreteStep, Replay, ReplayError, replay as interpret,
};
use crate::lang::model::{Check, EdgeId, Operation, Program, VariableId, VariableKind};

/// One executed edge, as the interpreter saw it.
#[derive(Clone, Debug)]
pub struct ReplayedEntry {
    /// The edge.
    pub edge: EdgeId,
    /// The number of pending calls.
    pub depth: u32,
    /// The variables in scope before it, outermost first, with the bit patterns of their elements.
    pub values: Assignment,
}

/// A failing run that the interpreter executed.
#[derive(Clone, Debug)]
pub struct ReplayedRun {
    /// In order; the last entry's edge fails.
    pub entries: Vec<ReplayedEntry>,
    /// The check that failed there.
    pub check: Check,
    /// What is needed to execute the run again.
    pub run: ConcreteRun,
}

impl ReplayedRun {
    /// Entries of the run's trace.
    pub fn length(&self, program: &Program) -> u64 {
        let last = self.entries.len().saturating_sub(1);
        let traced = |(k, entry): &(usize, &ReplayedEntry)| {
            *k == last || program.edge(entry.edge).is_traced()
        };
        self.entries.iter().enumerate().filter(traced).count() as u64
    }

    /// Does the run execute a statement of each set?
    pub fn passes(&self, sets: &[Vec<EdgeId>]) -> bool {
        sets.iter().all(|set| self.entries.iter().any(|entry| set.contains(&entry.edge)))
    }
}

/// Executes a counterexample. An error says how the interpreter contradicts the engine.
pub fn replay(program: &Program, counterexample: &Counterexample) -> Result<ReplayedRun, String> {
    let run = concrete_run(program, counterexample);
    let Replay { steps, failed_check } =
        interpret(program, &run).map_err(|error| error.to_string())?;
    if failed_check != counterexample.error.check {
        return Err(format!(
            "check {failed_check} fails instead of check {}",
            counterexample.error.check
        ));
    }
    // The engine gives any value to variables that no longer matter.
    let live = live_locals(program);
    for (step, claimed) in steps.iter().zip(&counterexample.steps) {
        let live = &live[program.edge(step.edge).from.0 as usize];
        let matters = |id: &VariableId| {
            program.variable(*id).kind == VariableKind::Global || live.contains(id)
        };
        let store: Assignment = step.store.iter().filter(|(id, _)| matters(id)).cloned().collect();
        if assignment(
            program,
            &store.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
            &claimed.before,
        ) != store
        {
            return Err(format!("the store before edge {} differs", step.edge.0));
        }
    }
    Ok(replayed(program, run, Replay { steps, failed_check }))
}

/// What the interpreter needs to execute a counterexample.
pub fn concrete_run(program: &Program, counterexample: &Counterexample) -> ConcreteRun {
    let main = program.procedure(program.main_id());
    let locals: Vec<VariableId> = main.parameters.iter().chain(&main.locals).copied().collect();
    let globals: Vec<VariableId> = program.globals().collect();
    ConcreteRun {
        initial_globals: assignment(program, &globals, &counterexample.initial),
        initial_locals: assignment(program, &locals, &counterexample.initial),
        steps: counterexample.steps.iter().map(|step| concrete(program, step)).collect(),
    }
}

/// Executes a run that is no counterexample of the engine's. An error says why it does not fail at
/// its last step.
pub fn execute(program: &Program, run: ConcreteRun) -> Result<ReplayedRun, ReplayError> {
    interpret(program, &run).map(|replay| replayed(program, run, replay))
}

fn replayed(program: &Program, run: ConcreteRun, replay: Replay) -> ReplayedRun {
    let Replay { steps, failed_check } = replay;
    let passed = || steps.iter().map(|step| (step.edge, step.depth));
    let check = steps.last().map(|step| {
        let check = &program.edge(step.edge).checks[failed_check];
        program.told_check(step.edge, check, program.pending(passed()))
    });
    let entries = steps
        .into_iter()
        .map(|step| ReplayedEntry { edge: step.edge, depth: step.depth, values: step.store })
        .collect();
    ReplayedRun { entries, check: check.expect("a failing run has a last step"), run }
}

/// Executes a counterexample that the search found as a run of `rank` statements.
pub fn replay_ranked(
    program: &Program,
    counterexample: &Counterexample,
    rank: u64,
) -> Result<ReplayedRun, String> {
    let run = replay(program, counterexample)?;
    match run.length(program) {
        length if length == rank => Ok(run),
        length => Err(format!("a run of {rank} statements was replayed as one of {length}")),
    }
}

fn concrete(program: &Program, step: &Step) -> ConcreteStep {
    let locals = match &program.edge(step.edge).operation {
        Operation::Call { callee, .. } => {
            Some(assignment(program, &program.procedure(*callee).locals, &step.after))
        }
        Operation::Havoc(variables) => Some(assignment(program, variables, &step.after)),
        _ => None,
    };
    ConcreteStep { edge: step.edge, choices: step.choices.clone(), locals }
}

fn assignment(program: &Program, variables: &[VariableId], valuation: &Valuation) -> Assignment {
    let bits = |variable: VariableId| {
        (0..program.variable(variable).elements())
            .map(|element| valuation.get(Cell { variable, element }))
            .collect()
    };
    variables.iter().map(|variable| (*variable, bits(*variable))).collect()
}
