//! What a report says beside its verdict, in words: every check that can fail, what was looked at
//! and what was not.

use crate::draw::failure::sentence;
use crate::draw::words::error_place;
use crate::util::Limit;
use crate::wire::options::{Dialect, EffectiveOptions};
use crate::wire::report::{FailureReport, Unchecked};

/// "array index outside at line 7": what fails, and where.
pub fn place(failure: &FailureReport) -> String {
    error_place(&failure.error())
}

/// "The index i is 5, and the array a has 5 elements, 0 to 4.": the values of its run.
pub fn reason(failure: &FailureReport) -> String {
    sentence(&failure.error())
}

/// "3 checks can fail. Each has a run of its own:"
pub fn failures_title(failures: usize, limit: Option<Limit>) -> String {
    let more = match limit {
        Some(Limit::Time) => ", and the time was up before all were decided",
        Some(_) => ", and a limit was hit before all were decided",
        None => "",
    };
    format!("{failures} checks can fail{more}. Each has a run of its own:")
}

/// "Checked: array bounds, overflow. Not checked: what is printed, leaks."
pub fn checked(options: &EffectiveOptions, unchecked: &[Unchecked]) -> String {
    let checks = &options.checks;
    let mut looked_at = vec!["assertions"];
    let named = [
        (checks.bounds, "array bounds"),
        (checks.division, "division by zero"),
        (checks.overflow, "overflow"),
        (checks.shift, "shifts"),
        (options.dialect == Dialect::C, "pointers"),
        (checks.initialised, "reading what has no value"),
        (checks.race, "data races"),
        (checks.leak, "leaks"),
    ];
    looked_at.extend(named.into_iter().filter_map(|(is_on, word)| is_on.then_some(word)));
    let not: Vec<&str> = unchecked.iter().copied().map(left_out).collect();
    match not.is_empty() {
        true => format!("Checked: {}.", looked_at.join(", ")),
        false => format!("Checked: {}. Not checked: {}.", looked_at.join(", "), not.join(", ")),
    }
}

/// What was not looked at.
fn left_out(unchecked: Unchecked) -> &'static str {
    match unchecked {
        Unchecked::Output => "what is printed",
        Unchecked::Leaks => "leaks",
        Unchecked::EndlessLoops => "endless loops",
        Unchecked::Overflow => "overflow",
        Unchecked::Races => "data races",
        Unchecked::Initialised => "reading what has no value",
    }
}

/// What a button says that has it looked at; `None` where nothing can.
pub fn look_for(unchecked: Unchecked) -> Option<&'static str> {
    match unchecked {
        Unchecked::Output => None,
        Unchecked::Leaks => Some("Look for leaks"),
        Unchecked::EndlessLoops => Some("Does every run end?"),
        Unchecked::Overflow => Some("Look for overflow"),
        Unchecked::Races => Some("Look for data races"),
        Unchecked::Initialised => Some("Look for reads of what has no value"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::{Checks, DataModel, Globals};

    #[test]
    fn the_line_names_what_was_checked_and_what_was_not() {
        let checks = Checks { leak: false, ..Checks::default() };
        let options = EffectiveOptions {
            dialect: Dialect::C,
            bits: 32,
            open_width: true,
            globals: Globals::Zero,
            checks,
            error: None,
            label: None,
            switches: None,
            heap: None,
            model: DataModel::default(),
        };
        let said = checked(&options, &[Unchecked::Output, Unchecked::Leaks]);
        assert!(said.starts_with("Checked: assertions, array bounds, division by zero"), "{said}");
        assert!(said.ends_with("pointers. Not checked: what is printed, leaks."), "{said}");
        assert!(!checked(&options, &[]).contains("Not checked"));
    }
}
