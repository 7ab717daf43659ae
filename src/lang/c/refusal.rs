//! What is said of a program that stays refused although its memory was read: what the lowering of
//! memory refuses, and what else the elaboration refuses; not that there are pointers.

use crate::lang::diagnostic::{Diagnostic, Diagnostics};
use crate::lang::memory::{self, Reason, Refused};
use crate::wire::diagnostic::Severity;

/// What the elaboration refuses of a program only because it does not read memory.
const OF_MEMORY: [&str; 10] = [
    "pointers are",
    "pointers in structs are",
    "function pointers are",
    "unions are",
    "members without a name are",
    "the heap is",
    "strings as data are",
    "arrays of variable size are",
    "structs as results are",
    "this library procedure is",
];

/// Is this an error that says nothing once memory is read?
fn is_of_memory(message: &str) -> bool {
    let Some((subject, rest)) = message.split_once(" not modelled") else {
        return message.ends_with(" has no size");
    };
    if subject.starts_with("the result of `") {
        return true;
    }
    let name = rest.strip_prefix(": `").and_then(|rest| rest.split_once('`'));
    OF_MEMORY.contains(&subject) && name.is_none_or(|(name, _)| memory::reads(name))
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
    let others: Vec<&Diagnostic> = errors.filter(|one| !is_of_memory(&one.message)).collect();
    if !others.iter().any(|one| one.message.contains("not modelled")) {
        let Refused { span, why, reason } = &refused;
        let (message, hint) = worded(why, span.line);
        match reason {
            Reason::NotModelled => found.error(*span, message, hint),
            Reason::Instead(hint) => found.error(*span, message, *hint),
            Reason::NoAddress => found.address_is_missing(*span, why),
        }
    }
    for one in others {
        found.error(one.span, one.message.clone(), one.hint.clone());
        if let Some(edit) = &one.edit {
            found.offer(edit.span, &edit.old, edit.new.clone());
        }
    }
    found
}

/// What is refused, as a sentence, and what to do about it.
fn worded(why: &str, line: u32) -> (String, &'static str) {
    let name = why.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    match name.is_some_and(|name| !name.contains('`')) {
        true => (
            format!("this procedure is not modelled: {why} in line {line}"),
            "it has no body, and takes or returns a pointer; write what it does in C",
        ),
        false => {
            (format!("{why} is not modelled: line {line}"), "pointers are read in most other ways")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_memory;

    #[test]
    fn what_memory_explains() {
        assert!(is_of_memory("pointers are not modelled: line 3"));
        assert!(is_of_memory("the result of `f` is not modelled: line 3"));
        assert!(is_of_memory("this library procedure is not modelled: `strlen` in line 3"));
        assert!(!is_of_memory("this library procedure is not modelled: `fopen` in line 3"));
        assert!(!is_of_memory("arithmetic with floating point is not modelled: line 3"));
        assert!(!is_of_memory("unknown name `x`"));
    }
}
