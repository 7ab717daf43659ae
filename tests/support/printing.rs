//! Printing a program in its own dialect and reading that gives the same model, but for places and
//! texts.

use faultline::lang::fault::FaultKind;
use faultline::lang::model::{Origin, Program, Span, Subject};
use faultline::lang::{load, reprint};
use faultline::wire::options::{Dialect, RequestedOptions};

/// Everything about a program but where it stands in its text and how it is spelt there.
pub(crate) fn essence(program: &Program) -> String {
    let mut program = program.clone();
    let nowhere = Span::default();
    program.written = Default::default();
    for variable in &mut program.variables {
        variable.span = nowhere;
        if let Origin::Expression(text) = &mut variable.origin {
            text.clear();
        }
    }
    program.procedures.iter_mut().for_each(|procedure| procedure.span = nowhere);
    program.locations.iter_mut().for_each(|location| location.line = 0);
    for edge in &mut program.edges {
        edge.span = nowhere;
        edge.text.clear();
        for check in &mut edge.checks {
            check.line = 0;
            check.message.clear();
            match &mut check.subject {
                Subject::Value(_, span) | Subject::Returned(_, span) => *span = nowhere,
                Subject::Memory(fault) => {
                    fault.what.clear();
                    if let FaultKind::Lost { taken } = &mut fault.kind {
                        *taken = 0;
                    }
                }
                _ => {}
            }
        }
    }
    for call in program.shared.calls.values_mut() {
        call.span = nowhere;
        call.text.clear();
    }
    program.givers.values_mut().flatten().for_each(|(_, giver)| giver.span = nowhere);
    format!("{program:#?}")
}

/// Fails unless the text, which loads, is the same program again once printed.
pub(crate) fn same_again(source: &str, dialect: Dialect, name: &str) {
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let first = load(source, &requested).program.unwrap_or_else(|| panic!("{name} does not load"));
    let printed = reprint(source, dialect).unwrap_or_else(|| panic!("{name} is not printed"));
    let again = load(&printed, &requested);
    let second = again.program.unwrap_or_else(|| {
        panic!("{name} printed does not load: {:?}\n{printed}", again.diagnostics)
    });
    assert!(
        essence(&first) == essence(&second),
        "{name} printed is another program:\n{source}\n---\n{printed}"
    );
    assert_eq!(
        reprint(&printed, dialect).as_deref(),
        Some(printed.as_str()),
        "{name}: printing twice differs"
    );
}

/// Where two differ first, in the first one with the lines before it: what a failure tells.
pub(crate) fn difference(first: &str, second: &str) -> String {
    let same = first.lines().zip(second.lines()).take_while(|(a, b)| a == b).count();
    let told: Vec<&str> = first.lines().take(same + 1).skip(same.saturating_sub(12)).collect();
    format!("{}\n≠ {}", told.join("\n"), second.lines().nth(same).unwrap_or("nothing"))
}
