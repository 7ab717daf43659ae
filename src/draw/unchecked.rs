//! What an answer is about, and what not: the line under the verdict, and the questions that lead
//! on.

use crate::draw::failure::enumerated;
use crate::draw::words::{capitalised, counted};
use crate::wire::note::{Note, Unchecked};
use crate::wire::options::{Checks, Dialect, EffectiveOptions, Globals};
use crate::wire::report::{ErrorReport, Report, Verdict};

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
        Unchecked::Output | Unchecked::InitialisedInPart => return None,
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
    let not: Vec<&str> = in_order(unchecked).into_iter().map(not_checked).collect();
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

/// What an answer is about, in a person's words: "Checked: array bounds, division by zero,
/// pointers, for 32-bit int." What differs from the language's defaults is named, and what bounds
/// the claim. `is_any`: was there something to check? `states`: is it known that the program says
/// itself what an error is ([`states_error`])? [`crate::draw::words::holds_for`] says all of it.
pub fn scope(options: &EffectiveOptions, is_any: bool, states: bool) -> String {
    let mut on = Vec::new();
    match (options.error, &options.label) {
        (Some(line), _) if options.reach.is_none() => {
            on.push(format!("only the error at line {line}"));
        }
        (_, Some(label)) => on.push(format!("label {label}")),
        _ if states && options.rules.is_empty() => on.push("its assertions".into()),
        _ => {}
    }
    match &options.rules[..] {
        [] => {}
        [rule] => on.push(format!("the rule {rule}")),
        rules => on.push(format!("the rules {}", enumerated(rules))),
    }
    on.extend(checked(options).into_iter().map(String::from));
    match options.dialect.is_raw() || on.is_empty() || !is_any {
        true => numbers(options),
        false => format!("Checked: {}, {}.", on.join(", "), of_numbers(options)),
    }
}

/// Is it known that a program says itself what an error is? It fails by one, or it is safe and
/// leaves nothing unchecked but data races, and locals that have any value.
pub fn states_error(is_safe: bool, error: Option<&ErrorReport>, unchecked: &[Unchecked]) -> bool {
    match error {
        Some(error) => error.kind.is_stated(),
        None => is_safe && unchecked.iter().all(|what| is_open_anyway(*what)),
    }
}

fn is_open_anyway(what: Unchecked) -> bool {
    matches!(what, Unchecked::Races | Unchecked::Initialised)
}

/// The same of a report.
pub fn states(report: &Report) -> bool {
    let is_safe = report.verdict == Verdict::Safe;
    states_error(is_safe, report.error.as_ref(), &report.unchecked)
}

/// "For 32-bit int, at most 6 objects of each type."
pub fn numbers(options: &EffectiveOptions) -> String {
    format!("{}.", capitalised(&of_numbers(options)))
}

fn of_numbers(options: &EffectiveOptions) -> String {
    let bits = options.bits;
    let (of, usual) = match options.dialect {
        Dialect::C | Dialect::Java => (format!("{bits}-bit int"), Globals::Zero),
        Dialect::Cimple => (format!("{bits}-bit integers"), Globals::Any),
        Dialect::BooleanProgram => ("any initial values".into(), Globals::Any),
        Dialect::Remopla => ("the widths that it declares".into(), Globals::Any),
        Dialect::Pds | Dialect::Pdaaal => return "for stacks of any height".into(),
    };
    let globals = match options.globals {
        globals if globals == usual => "",
        Globals::Any => ", globals of any value",
        Globals::Zero => ", globals zero at first",
    };
    let objects = options.heap.map_or(String::new(), |most| {
        format!(", at most {} of each type", counted(most.into(), "object"))
    });
    format!("for {of}{globals}{objects}")
}

/// What has no question of its own comes last.
pub fn in_order(unchecked: &[Unchecked]) -> Vec<Unchecked> {
    let (last, first): (Vec<Unchecked>, Vec<Unchecked>) =
        unchecked.iter().partition(|what| question(**what).is_none());
    first.into_iter().chain(last).collect()
}

/// What was not checked, in a few words.
pub fn not_checked(what: Unchecked) -> &'static str {
    match what {
        Unchecked::Output => "what is printed",
        Unchecked::Leaks => "leaks",
        Unchecked::EndlessLoops => "endless loops",
        Unchecked::Overflow => "overflow",
        Unchecked::Races => "data races",
        Unchecked::Initialised => "reading what has no value",
        Unchecked::InitialisedInPart => "unset bytes and large arrays",
    }
}

/// What is checked, in a person's words.
fn checked(options: &EffectiveOptions) -> Vec<&'static str> {
    let Checks { bounds, division, overflow, shift, leak, race, initialised } = options.checks;
    let pointers = options.dialect == Dialect::C;
    let exceptions = options.dialect == Dialect::Java;
    let all = [
        (bounds, "array bounds"),
        (division, "division by zero"),
        (overflow, "overflow"),
        (shift, "shifts"),
        (pointers, "pointers"),
        (exceptions, "exceptions"),
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
    use crate::wire::report::Analysis;

    fn report(checked: u32, unchecked: Vec<Unchecked>) -> Report {
        let options = EffectiveOptions {
            dialect: Dialect::C,
            bits: 32,
            open_width: true,
            globals: Globals::Zero,
            checks: Checks { overflow: true, ..Checks::default() },
            error: None,
            reach: None,
            label: None,
            switches: None,
            heap: None,
            model: DataModel::default(),
            rules: Vec::new(),
            function: None,
            array: None,
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
        let without = [Unchecked::Output, Unchecked::InitialisedInPart];
        assert_eq!(asked.len(), Unchecked::ALL.len() - without.len());
        assert!(asked.iter().all(|one| !one.command.is_empty() && !one.label.is_empty()));
    }
}
