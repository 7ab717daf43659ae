//! What is said of a run: how long it is, where it leads, what it goes through.

use super::{counted, limit_sentence, lines};
use crate::wire::report::{EffectReport, Report, ThroughReport, TraceEntry};

/// Which run of a pushdown system is shown: "a run", or with weights "a run of least weight 7".
pub(super) fn run_into(report: &Report) -> String {
    let weights = report.pushdown.as_ref().map(|pushdown| (pushdown.weight, pushdown.run_weight));
    match weights {
        Some((Some(least), shown)) if shown.is_none_or(|weight| weight == least) => {
            format!("a run of least weight {least}")
        }
        _ => "a run".into(),
    }
}

/// "A run of least weight 7", "A shortest run", "A run (not certain to be a shortest one)".
pub fn pushdown_run(report: &Report) -> String {
    let weights = report.pushdown.as_ref().map(|pushdown| (pushdown.weight, pushdown.run_weight));
    match weights {
        Some((Some(least), Some(weight))) if weight == least => {
            format!("A run of least weight {least}")
        }
        Some((Some(least), Some(weight))) => format!(
            "A run of weight {weight} (the runs of least weight {least} are too long to be shown)"
        ),
        Some((None, Some(weight))) => {
            format!("A run of weight {weight} (not certain to be a least one)")
        }
        _ if report.shortest == Some(true) => "A shortest run".into(),
        _ => "A run (not certain to be a shortest one)".into(),
    }
}

/// "all runs into the target together: x' = x + 1 ∧ y' = 3", with a warning if it is not exact.
pub fn effect(report: &EffectReport) -> String {
    let Some(said) = &report.words else {
        let why =
            report.limit.map(|limit| format!(": {}", limit_sentence(limit))).unwrap_or_default();
        return format!(
            "the effect of the runs into the target on the variables was not found{why}"
        );
    };
    let numbers = report.modulo.map(|width| format!(" (modulo 2^{width})")).unwrap_or_default();
    let trust = if report.exact {
        ""
    } else {
        "; this holds for every run, but more may hold: such weights are safe, not exact"
    };
    format!("all runs into the target together: {said}{numbers}{trust}")
}

/// "A shortest failing run: 5 statements"; `reached`: the line that it was to come to.
pub fn run_headline(statements: usize, shortest: Option<bool>, reached: Option<u32>) -> String {
    let length = counted(statements as u64, "statement");
    match (shortest, reached) {
        (Some(true), None) => format!("A shortest failing run: {length}"),
        (_, None) => format!("A failing run (not certain to be a shortest one): {length}"),
        (Some(true), Some(line)) => format!("A shortest run to line {line}: {length}"),
        (_, Some(line)) => {
            format!("A run to line {line} (not certain to be a shortest one): {length}")
        }
    }
}

/// "Shortest failing run through lines 12 and 17: 9 statements", or why there is none.
pub fn through_headline(through: &ThroughReport) -> String {
    let lines = lines(&through.lines);
    if through.pushdown {
        return pushdown_through_headline(through, &lines);
    }
    match (&through.trace, through.limit) {
        (Some(trace), _) => format!(
            "Shortest failing run through {lines}: {}",
            counted(trace.len() as u64, "statement")
        ),
        (None, Some(limit)) => {
            format!("Failing runs through {lines}: not known, {}", limit_sentence(limit))
        }
        (None, None) if through.never.is_empty() => {
            let together = match (through.lines.len(), through.each_alone) {
                (..=1, _) => "",
                (_, true) => " together, though each of them is on a failing run",
                (_, false) => " together",
            };
            format!("No failing run goes through {lines}{together}")
        }
        (None, None) => format!("No failing run goes through {}", self::lines(&through.never)),
    }
}

/// The same for rules: "A run of least weight 7 by lines 12 and 17: 5 rules".
fn pushdown_through_headline(through: &ThroughReport, lines: &str) -> String {
    let rules = |trace: &Vec<TraceEntry>| counted(trace.len().saturating_sub(1) as u64, "rule");
    match (&through.trace, through.limit, through.weight) {
        (Some(trace), _, Some(weight)) => {
            format!("A run of least weight {weight} by {lines}: {}", rules(trace))
        }
        (Some(trace), _, None) => format!("A shortest run by {lines}: {}", rules(trace)),
        (None, Some(limit), _) => {
            format!("Runs into the target by {lines}: not known, {}", limit_sentence(limit))
        }
        (None, None, _) if through.never.is_empty() => {
            format!(
                "No run into the target applies the rules of {lines} together, though each of them is on such a run"
            )
        }
        (None, None, _) => {
            format!("No run into the target applies the rule of {}", self::lines(&through.never))
        }
    }
}
