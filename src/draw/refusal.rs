//! What to say of a program that cannot be read.

use std::borrow::Cow;

/// One sentence about the errors of a program, given by their lines and messages: the first thing
/// that is not modelled, or else the first error.
pub fn unreadable<'m>(errors: impl Iterator<Item = (u32, &'m str)> + Clone) -> String {
    if let Some(subject) = errors.clone().find_map(|(_, message)| not_modelled(message)) {
        return format!("Faultline does not model {subject} yet");
    }
    match errors.clone().next() {
        // All of the text is meant.
        Some((_, message)) if message.starts_with("this looks like ") => {
            message.replacen("this", "This", 1)
        }
        Some((line, message)) => {
            format!("Cannot read the program: line {line}, {}", beside_its_line(message, line))
        }
        None => "Cannot read the program".to_string(),
    }
}

/// A message as it reads beside the number of its line: without that line.
pub fn beside_its_line(message: &str, line: u32) -> Cow<'_, str> {
    for between in [": ", " in "] {
        let place = format!("{between}line {line}");
        let Some((before, after)) = message.split_once(&place) else { continue };
        if after.is_empty() {
            return Cow::Borrowed(before);
        }
        // The line, and how many more places.
        if let Some(more) = after.strip_prefix(" and ") {
            let here = if between == " in " { " here" } else { ": here" };
            return Cow::Owned(format!("{before}{here} and in {more}"));
        }
    }
    Cow::Borrowed(message)
}

/// What a message says is not modelled: a name that it quotes, or its subject.
fn not_modelled(message: &str) -> Option<&str> {
    if let Some((_, name)) = message.split_once(" not modelled: `") {
        let end = name.find('`')?;
        let start = message.len() - name.len();
        return message.get(start - 1..start + end + 1);
    }
    let ends = [" is not modelled", " are not modelled"];
    ends.iter().find_map(|end| message.split_once(end)).map(|(subject, _)| subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(messages: &[&str]) -> String {
        unreadable(messages.iter().map(|message| (7, *message)))
    }

    #[test]
    fn the_first_thing_that_is_not_modelled_is_named() {
        let library =
            "this library procedure is not modelled: `strlen` in line 7 and 2 more places";
        assert_eq!(said(&[library]), "Faultline does not model `strlen` yet");
        assert_eq!(
            said(&[
                "unknown name `x`",
                "arithmetic with floating point is not modelled: line 7",
                library
            ]),
            "Faultline does not model arithmetic with floating point yet"
        );
        assert_eq!(
            said(&["pointers are not modelled: line 7"]),
            "Faultline does not model pointers yet"
        );
        assert_eq!(
            said(&["expected `;` after `x`"]),
            "Cannot read the program: line 7, expected `;` after `x`"
        );
        assert_eq!(
            said(&["header `x.h` is not known: line 7"]),
            "Cannot read the program: line 7, header `x.h` is not known"
        );
        let foreign = "this looks like Go, which Faultline does not read";
        assert_eq!(
            said(&[foreign, "unknown type `func`"]),
            "This looks like Go, which Faultline does not read"
        );
        assert_eq!(said(&[]), "Cannot read the program");
    }
    #[test]
    fn a_line_is_told_once() {
        for (message, told) in [
            ("pointers are not modelled: line 7", "pointers are not modelled"),
            ("the heap is not modelled: `malloc` in line 7", "the heap is not modelled: `malloc`"),
            ("pointers are not modelled: line 17", "pointers are not modelled: line 17"),
            ("`f` in line 7 and 2 more places", "`f` here and in 2 more places"),
            ("pointers: line 7 and 1 more place", "pointers: here and in 1 more place"),
            ("`f` in line 70 and 2 more places", "`f` in line 70 and 2 more places"),
        ] {
            assert_eq!(beside_its_line(message, 7), told);
        }
    }
}
