//! What "no run fails" is about, and what not: the line under the verdict of a program that does
//! not say itself what an error is, and the questions that lead on.

use crate::wire::note::{Note, Unchecked};
use crate::wire::options::{Checks, Dialect, EffectiveOptions};
use crate::wire::report::Report;

/// A question that answers what was not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What it is about.
    pub about: Unchecked,
    /// What its button says.
    pub label: &'static str,
    /// The command that asks it, before the program's name.
    pub command: &'static str,
}

/// The question about this, if there is one.
pub fn question(about: Unchecked) -> Option<Question> {
    let (label, command) = match about {
        Unchecked::Output => return None,
        Unchecked::Leaks => ("Look for leaks", "check --check leak"),
        Unchecked::EndlessLoops => ("Does every run end?", "terminates"),
        Unchecked::Overflow => ("Look for overflow", "check --check overflow"),
        Unchecked::Races => ("Look for data races", "check --check race"),
        Unchecked::Initialised => {
            ("Look for reads of what has no value", "check --check initialised")
        }
    };
    Some(Question { about, label, command })
}

impl Question {
    /// The command that asks all threads of a program, before its name.
    pub fn of_threads(&self) -> String {
        match self.command.strip_prefix("check ") {
            Some(options) => format!("threads {options}"),
            None => self.command.to_string(),
        }
    }
}

/// The questions that a report leaves open.
pub fn questions(unchecked: &[Unchecked]) -> Vec<Question> {
    unchecked.iter().copied().filter_map(question).collect()
}

/// "Checked: array bounds, division by zero, overflow, pointers. Not checked: leaks, endless loops,
/// what is printed." `None` if there is nothing to say.
pub fn checked_and_not(report: &Report) -> Option<String> {
    sentence(&report.options, report.checked > 0, &report.unchecked)
}

/// The same of any answer. `is_any`: was there something to check?
pub fn sentence(
    options: &EffectiveOptions,
    is_any: bool,
    unchecked: &[Unchecked],
) -> Option<String> {
    // What has no question of its own comes last.
    let (last, first): (Vec<Unchecked>, Vec<Unchecked>) =
        unchecked.iter().partition(|what| **what == Unchecked::Output);
    let not: Vec<&str> = first.into_iter().chain(last).map(not_checked).collect();
    if not.is_empty() {
        return None;
    }
    let not = format!("Not checked: {}.", not.join(", "));
    let on = checked(options);
    Some(match is_any && !on.is_empty() {
        true => format!("Checked: {}. {not}", on.join(", ")),
        false => not,
    })
}

fn not_checked(what: Unchecked) -> &'static str {
    match what {
        Unchecked::Output => "what is printed",
        Unchecked::Leaks => "leaks",
        Unchecked::EndlessLoops => "endless loops",
        Unchecked::Overflow => "overflow",
        Unchecked::Races => "data races",
        Unchecked::Initialised => "reading what has no value",
    }
}

/// What is checked, in a person's words.
fn checked(options: &EffectiveOptions) -> Vec<&'static str> {
    let Checks { bounds, division, overflow, shift, leak, race, initialised } = options.checks;
    let pointers = options.dialect == Dialect::C;
    let all = [
        (bounds, "array bounds"),
        (division, "division by zero"),
        (overflow, "overflow"),
        (shift, "shifts"),
        (pointers, "pointers"),
        (initialised, "reading what has no value"),
        (leak, "leaks"),
        (race, "data races"),
    ];
    all.into_iter().filter(|(on, _)| *on).map(|(_, name)| name).collect()
}

/// "line 7: `x = 5` assigns; `==` would compare".
pub fn note(note: &Note) -> String {
    format!("line {}: {}", note.line, note.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::{DataModel, Globals};
    use crate::wire::report::{Analysis, Verdict};

    fn report(checked: u32, unchecked: Vec<Unchecked>) -> Report {
        let options = EffectiveOptions {
            dialect: Dialect::C,
            bits: 32,
            open_width: true,
            globals: Globals::Zero,
            checks: Checks { overflow: true, ..Checks::default() },
            error: None,
            label: None,
            switches: None,
            heap: None,
            model: DataModel::default(),
        };
        let report = Report::new(Analysis::Check, Verdict::Safe, options);
        Report { checked, unchecked, ..report }
    }

    #[test]
    fn a_line_says_what_was_checked_and_what_not() {
        let open = vec![Unchecked::Output, Unchecked::Leaks, Unchecked::EndlessLoops];
        assert_eq!(
            checked_and_not(&report(2, open.clone())).as_deref(),
            Some(
                "Checked: array bounds, division by zero, overflow, pointers. \
                 Not checked: leaks, endless loops, what is printed."
            )
        );
        assert_eq!(
            checked_and_not(&report(0, open)).as_deref(),
            Some("Not checked: leaks, endless loops, what is printed.")
        );
        assert_eq!(checked_and_not(&report(2, Vec::new())), None, "the program says what it wants");
    }

    #[test]
    fn what_can_be_asked_has_a_question() {
        let asked = questions(&Unchecked::ALL);
        assert_eq!(asked.len(), Unchecked::ALL.len() - 1, "but what is printed");
        assert!(asked.iter().all(|one| !one.command.is_empty() && !one.label.is_empty()));
    }
}
