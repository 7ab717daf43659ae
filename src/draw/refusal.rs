//! What to say of a program that cannot be read.

use crate::draw::words::capitalised;
use crate::wire::diagnostic::{Code, DiagnosticView};

/// One sentence about the errors of a program: the first thing that is not modelled, or else the
/// first error.
pub fn unreadable<'d>(errors: impl Iterator<Item = &'d DiagnosticView> + Clone) -> String {
    if let Some(subject) = errors.clone().find_map(|one| one.subject.as_deref()) {
        return format!("Faultline does not model {subject} yet");
    }
    match errors.clone().next() {
        // All of the text is meant.
        Some(one) if one.code == Code::OtherLanguage => capitalised(&one.message),
        Some(one) => {
            format!("Cannot read the program: line {}, {}", one.line, one.beside_its_line())
        }
        None => "Cannot read the program".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::diagnostic::Severity;

    fn error(code: Code, message: &str, subject: Option<&str>) -> DiagnosticView {
        DiagnosticView {
            severity: Severity::Error,
            from: 0,
            to: 1,
            line: 7,
            code,
            message: format!("{message}: line 7"),
            beside: Some(message.to_string()),
            subject: subject.map(str::to_string),
            hint: String::new(),
            edit: None,
        }
    }

    #[test]
    fn the_first_thing_that_is_not_modelled_is_named() {
        let header = error(Code::Invalid, "header `x.h` is not known", None);
        let strings = error(Code::Memory, "strings as data are not modelled", Some("`strlen`"));
        let words = "this sentence says that pointers are not modelled";
        let only_words = error(Code::Invalid, words, None);
        assert_eq!(
            unreadable([&header, &strings].into_iter()),
            "Faultline does not model `strlen` yet"
        );
        assert_eq!(
            unreadable([&header].into_iter()),
            "Cannot read the program: line 7, header `x.h` is not known"
        );
        assert_eq!(
            unreadable([&only_words].into_iter()),
            format!("Cannot read the program: line 7, {words}"),
            "the code decides, not the words"
        );
        let go = "this looks like Go, which Faultline does not read";
        let go = DiagnosticView {
            message: go.to_string(),
            beside: None,
            ..error(Code::OtherLanguage, "", None)
        };
        assert_eq!(
            unreadable([&go, &header].into_iter()),
            "This looks like Go, which Faultline does not read"
        );
        assert_eq!(unreadable([].into_iter()), "Cannot read the program");
    }
}
