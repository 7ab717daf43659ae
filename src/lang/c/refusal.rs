//! What is said of a program that stays refused although its memory was read: what the lowering of
//! memory refuses, and what else the elaboration refuses; not that there are pointers.

use crate::lang::diagnostic::{Diagnostic, Diagnostics};
use crate::lang::memory::{Reason, Refused};
use crate::lang::message::is;
use crate::wire::diagnostic::{Code, Severity};

/// Is this an error that says nothing once memory is read?
fn is_of_memory(one: &Diagnostic) -> bool {
    matches!(one.code, Code::Memory | Code::NoSize)
}

/// The errors of a program, of which the lowering of memory refuses something. What the elaboration
/// refuses for another reason says more.
pub(super) fn of_lowering(
    said: &[Diagnostic],
    refused: Refused,
    before: Diagnostics,
) -> Diagnostics {
    let mut found = before;
    let errors = said.iter().filter(|one| one.severity == Severity::Error);
    let others: Vec<&Diagnostic> = errors.filter(|one| !is_of_memory(one)).collect();
    if !others.iter().any(|one| one.code == Code::NotModelled) {
        let Refused { span, why, reason } = &refused;
        match reason {
            Reason::NotModelled => {
                found.error(*span, is(why), "pointers are read in most other ways")
            }
            Reason::Procedure => found.error(
                *span,
                is("this procedure").named(why),
                "it has no body, and takes or returns a pointer; write what it does in C",
            ),
            Reason::Instead(hint) => found.error(*span, is(why), *hint),
            Reason::NoAddress => found.address_is_missing(*span, why),
        }
    }
    others.into_iter().for_each(|one| found.repeat(one.clone()));
    found
}
