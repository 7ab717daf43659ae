//! A run of the localized program, tried as a run of the program.

use crate::analysis::counterexample::Counterexample;
use crate::analysis::replay::concrete_run;
use crate::encode::{Cell, Valuation};
use crate::lang::interpreter::{Assignment, replay};
use crate::lang::model::{Initial, Program, VariableId};

/// The run of the program with the statements and the picked values of a run of its localization.
/// `None` if the interpreter cannot execute it to its error: an unfollowed variable had a value
/// that the program does not give it, and the trace may be spurious. Where everything that the
/// trace reads is followed, there is a run.
pub(in crate::analysis::cegar) fn executed(
    program: &Program,
    localized: &Counterexample,
) -> Option<Counterexample> {
    let mut found = localized.clone();
    for step in &mut found.steps {
        // The localization picks more; its own choices come after those of the program.
        step.choices.truncate(program.edge(step.edge).choices.len());
    }
    for variable in program.globals() {
        // Unfollowed, it started with any value.
        if let Initial::Exactly(values) = &program.variable(variable).initial {
            found.initial.0.extend(cells(variable, values));
        }
    }
    let run = replay(program, &concrete_run(program, &found)).ok()?;
    if run.failed_check != found.error.check || run.steps.len() != found.steps.len() {
        return None;
    }
    let depths: Vec<u32> = run.steps.iter().map(|step| step.depth).collect();
    let befores: Vec<Valuation> = run.steps.iter().map(|step| valuation(&step.store)).collect();
    for (k, step) in found.steps.iter_mut().enumerate() {
        step.before = befores[k].clone();
        // What the run picks for a callee's locals, or in a havoc, stays.
        match befores.get(k + 1) {
            Some(next) if depths[k + 1] == depths[k] => {
                step.after.0.extend(next.0.iter().map(|(cell, bits)| (*cell, *bits)));
            }
            Some(_) => {}
            None => step.after = befores[k].clone(),
        }
    }
    Some(found)
}

fn valuation(store: &Assignment) -> Valuation {
    Valuation(store.iter().flat_map(|(variable, values)| cells(*variable, values)).collect())
}

fn cells(variable: VariableId, values: &[u64]) -> impl Iterator<Item = (Cell, u64)> + '_ {
    let cell = move |element: usize| Cell { variable, element: element as u32 };
    values.iter().enumerate().map(move |(element, bits)| (cell(element), *bits))
}
