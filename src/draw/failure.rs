//! What a failure is in one sentence with its values: the command line, the headline and the last
//! step of a run say the same.

use crate::wire::report::{ErrorKind, ErrorReport};

/// "The index i is 5, and the array a has 5 elements, 0 to 4.", "assert(x != 2) does not hold: x is
/// 2."
pub fn sentence(error: &ErrorReport) -> String {
    let text = match (&error.detail, error.kind) {
        (None, _) => error.message.clone(),
        (
            Some(detail),
            ErrorKind::Division | ErrorKind::Bounds | ErrorKind::Overflow | ErrorKind::Shift,
        ) => detail.clone(),
        (Some(detail), _) => format!("{}: {detail}", error.message),
    };
    let text = if is_ours(error) { raised(&text) } else { text };
    format!("{text}.")
}

/// What a value is called that a run picks.
pub const PICKED: &str = "the picked value";

/// Does the sentence begin with a word of ours, and not with the program's text?
fn is_ours(error: &ErrorReport) -> bool {
    match (error.kind, &error.detail) {
        (ErrorKind::Assertion | ErrorKind::ReachError, _) => false,
        (ErrorKind::Division | ErrorKind::Overflow | ErrorKind::Shift, Some(detail)) => {
            detail.starts_with(PICKED)
        }
        _ => true,
    }
}

/// The same, where it says more than the headline: values, what is wrong with a pointer, which rule
/// is broken and how.
pub fn values(error: &ErrorReport) -> Option<String> {
    let says_more = error.detail.is_some()
        || error.kind.is_of_memory()
        || matches!(error.kind, ErrorKind::Rule | ErrorKind::Contract);
    says_more.then(|| sentence(error))
}

fn raised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().iter().flat_map(|first| first.to_uppercase()).chain(characters).collect()
}

/// "a", "a and b", "a, b and c".
pub fn enumerated(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(kind: ErrorKind, message: &str, detail: Option<&str>) -> String {
        let (message, detail) = (message.to_string(), detail.map(str::to_string));
        sentence(&ErrorReport::new(1, kind, message, detail))
    }

    #[test]
    fn values_come_with_what_fails_unless_they_say_it_all() {
        assert_eq!(
            said(ErrorKind::Assertion, "assert(x != 2) does not hold", Some("x is 2")),
            "assert(x != 2) does not hold: x is 2."
        );
        assert_eq!(
            said(
                ErrorKind::Bounds,
                "array index out of bounds: index of a",
                Some("the index is 5")
            ),
            "The index is 5."
        );
        let sum = "a + b is 2147483647 + 1 = 2147483648, but a signed integer holds less";
        assert_eq!(
            said(ErrorKind::Overflow, "signed overflow: a + b", Some(sum)),
            format!("{sum}."),
            "a variable keeps its name"
        );
        let call = "the(x) does not hold";
        assert_eq!(said(ErrorKind::Assertion, call, Some("x is 2")), format!("{call}: x is 2."));
        assert_eq!(
            said(ErrorKind::Bounds, "array index out of bounds: index of a", None),
            "Array index out of bounds: index of a."
        );
        let label = "the label ERROR is reached";
        assert_eq!(said(ErrorKind::ErrorLabel, label, None), "The label ERROR is reached.");
        let race = "data race on n";
        assert_eq!(
            said(ErrorKind::Race, race, Some("t writes it at line 3")),
            "Data race on n: t writes it at line 3."
        );
    }

    #[test]
    fn lists_end_with_and() {
        let parts = ["a", "b", "c"].map(str::to_string);
        assert_eq!(enumerated(&parts[..1]), "a");
        assert_eq!(enumerated(&parts[..2]), "a and b");
        assert_eq!(enumerated(&parts), "a, b and c");
    }
}
