//! A failing run of a program with narrow integers, tried with wider ones: the interpreter executes
//! the same statements with the same numbers.
//!
//! Both programs come from one text, read at two widths of `int`, and have the same shape: equal
//! graphs, and the same variables in the same order. Only types and constants differ.

use super::replay::{ReplayedRun, execute};
use crate::lang::interpreter::{Assignment, ConcreteRun, ConcreteStep, ReplayError};
use crate::lang::model::{Initial, Operation, Program, Scalar, VariableId};

/// Are these one program at two widths of `int`? Then ids of one are ids of the other.
pub fn have_one_shape(a: &Program, b: &Program) -> bool {
    a.main == b.main
        && a.concurrency == b.concurrency
        && a.locations.len() == b.locations.len()
        && a.procedures.len() == b.procedures.len()
        && a.procedures.iter().zip(&b.procedures).all(|(a, b)| {
            (a.entry, a.exit, a.result) == (b.entry, b.exit, b.result)
                && (&a.parameters, &a.locals) == (&b.parameters, &b.locals)
        })
        && a.variables.len() == b.variables.len()
        && a.variables.iter().zip(&b.variables).all(|(a, b)| {
            (&a.name, a.kind, a.owner) == (&b.name, b.kind, b.owner)
                && a.dimensions == b.dimensions
                && a.scalar.signed == b.scalar.signed
        })
        && a.edges.len() == b.edges.len()
        && a.edges.iter().zip(&b.edges).all(|(a, b)| {
            (a.from, a.to, a.kind, a.span) == (b.from, b.to, b.kind, b.span)
                && (a.choices.len(), a.checks.len()) == (b.choices.len(), b.checks.len())
                && has_one_kind(&a.operation, &b.operation)
        })
}

fn has_one_kind(a: &Operation, b: &Operation) -> bool {
    match (a, b) {
        (Operation::Call { callee: a, .. }, Operation::Call { callee: b, .. }) => a == b,
        (Operation::Havoc(a), Operation::Havoc(b)) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// The same run with wider integers, if it fails there; it may fail earlier. `narrow` and `wide`
/// have one shape.
pub fn replay_wider(narrow: &Program, wide: &Program, run: &ReplayedRun) -> Option<ReplayedRun> {
    let mut wider = widened(narrow, wide, &run.run);
    match execute(wide, wider.clone()) {
        Ok(found) => Some(found),
        Err(ReplayError::FailsEarly(step)) => {
            wider.steps.truncate(step + 1);
            execute(wide, wider).ok()
        }
        Err(_) => None,
    }
}

/// The same numbers as bit patterns of the wider types.
fn widened(narrow: &Program, wide: &Program, run: &ConcreteRun) -> ConcreteRun {
    let number = |from: Scalar, to: Scalar, bits: u64| to.wrap(from.number(bits));
    let one = |(id, values): &(VariableId, Vec<u64>)| {
        let (from, to) = (narrow.variable(*id).scalar, wide.variable(*id).scalar);
        (*id, values.iter().map(|bits| number(from, to, *bits)).collect())
    };
    let assignment = |values: &Assignment| -> Assignment { values.iter().map(one).collect() };
    // A value that the program fixes need not be the same number at both widths.
    let is_open =
        |(id, _): &&(VariableId, Vec<u64>)| matches!(wide.variable(*id).initial, Initial::Any);
    let step = |step: &ConcreteStep| {
        let types = narrow.edge(step.edge).choices.iter().zip(&wide.edge(step.edge).choices);
        ConcreteStep {
            edge: step.edge,
            choices: step
                .choices
                .iter()
                .zip(types)
                .map(|(bits, (from, to))| number(*from, *to, *bits))
                .collect(),
            locals: step.locals.as_ref().map(assignment),
        }
    };
    ConcreteRun {
        initial_globals: run.initial_globals.iter().filter(is_open).map(one).collect(),
        initial_locals: assignment(&run.initial_locals),
        steps: run.steps.iter().map(step).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::have_one_shape;
    use crate::lang::model::Program;
    use crate::wire::options::RequestedOptions;

    fn at(source: &str, bits: u32) -> Program {
        let options = RequestedOptions { bits: Some(bits), ..RequestedOptions::default() };
        crate::lang::load(source, &options).program.expect("a program")
    }

    #[test]
    fn one_program_at_two_widths_has_one_shape_and_no_other_has_it() {
        let source = |declared: &str, statement: &str| {
            format!("{declared} x; int y; int a[3]; void main() {{ {statement} }}")
        };
        let program = at(&source("int", "x = y;"), 4);
        assert!(have_one_shape(&program, &at(&source("int", "x = y;"), 8)));
        for other in [
            source("unsigned", "x = y;"),
            source("int", "x = y; x = y;"),
            source("int", "assume(x == y);"),
            source("int", "x = y;").replace("a[3]", "a[4]"),
            source("int", "x = y;").replace("a[3]", "b[3]"),
        ] {
            assert!(!have_one_shape(&program, &at(&other, 8)), "{other}");
        }
    }
}
