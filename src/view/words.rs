//! Sentences about a report, for people: the page's verdict panel and the command line say the same.

use super::report::{ErrorReport, ProjectionReport, Report, ThroughReport, Verdict};
use crate::lang::options::{EffectiveOptions, Globals};
use crate::util::Limit;

/// "It can fail: assertion at line 16", "Safe: no run fails", "Unknown: the node limit was hit".
pub fn headline(report: &Report) -> String {
    match report.verdict {
        Verdict::Safe if report.checked == 0 => "Nothing to check: the program has no assertion, error label or checked operation".into(),
        Verdict::Safe => "Safe: no run fails".into(),
        Verdict::Unsafe => match &report.error {
            Some(error) => format!("It can fail: {}", error_place(error)),
            None => "It can fail".into(),
        },
        Verdict::Unknown if report.fault.is_some() => "Unknown: a defect of Faultline".into(),
        Verdict::Unknown => format!("Unknown: {}", report.limit.map_or("no answer", limit_sentence)),
    }
}

/// "A shortest failing run: 5 statements".
pub fn run_headline(statements: usize, shortest: Option<bool>) -> String {
    let length = counted(statements as u64, "statement");
    match shortest {
        Some(true) => format!("A shortest failing run: {length}"),
        _ => format!("A failing run (not certain to be a shortest one): {length}"),
    }
}

/// "Shortest failing run through lines 12 and 17: 9 statements", or why there is none.
pub fn through_headline(through: &ThroughReport) -> String {
    let lines = lines(&through.lines);
    match (&through.trace, through.limit) {
        (Some(trace), _) => format!("Shortest failing run through {lines}: {}", counted(trace.len() as u64, "statement")),
        (None, Some(limit)) => format!("Failing runs through {lines}: not known, {}", limit_sentence(limit)),
        (None, None) if through.never.is_empty() => {
            format!("No failing run goes through {lines} together, though each of them is on one")
        }
        (None, None) => format!("No failing run goes through {}", self::lines(&through.never)),
    }
}

/// "line 12", "lines 12 and 17", "lines 1, 2 and 3".
pub fn lines(lines: &[u32]) -> String {
    let words: Vec<String> = lines.iter().map(u32::to_string).collect();
    match words.split_last() {
        None => "no line".to_string(),
        Some((last, [])) => format!("line {last}"),
        Some((last, rest)) => format!("lines {} and {last}", rest.join(", ")),
    }
}

/// What stands behind "safe"; `None` where the program has nothing to check.
pub fn proved(report: &Report) -> Option<String> {
    let proof = report.proof.filter(|_| report.checked > 0)?;
    Some(match proof.limit {
        None => "proved by an inductive invariant, which was checked apart from the analysis that found it".into(),
        Some(limit) => format!("its inductive invariant was not checked apart: {}", limit_sentence(limit)),
    })
}

/// "division by zero at line 7".
pub fn error_place(error: &ErrorReport) -> String {
    let what = match error.kind.as_str() {
        "error-label" => "error label",
        "reach-error" => "reach_error()",
        "division" => "division by zero",
        "bounds" => "array index outside",
        "overflow" => "signed overflow",
        "shift" => "shift out of range",
        "assignment" => "forbidden assignment",
        other => other,
    };
    format!("{what} at line {}", error.line)
}

/// What a limit's name means.
pub fn limit_sentence(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "the node limit was hit",
        Limit::Steps => "the step limit was hit",
        Limit::Time => "the time was up",
        Limit::Rounds => "the round limit was hit",
        Limit::Depth => "the depth limit was hit",
    }
}

/// "for 4-bit integers, uninitialised globals arbitrary, checks: bounds, division".
pub fn holds_for(options: &EffectiveOptions) -> String {
    let globals = match options.globals {
        Globals::Any => "arbitrary",
        Globals::Zero => "zero",
    };
    let mut text = format!("for {}-bit integers, uninitialised globals {globals}, checks: {}", options.bits, checks(options));
    if let Some(line) = options.error {
        text.push_str(&format!(", only the error at line {line}"));
    }
    if let Some(label) = &options.label {
        text.push_str(&format!(", label {label} is an error"));
    }
    text
}

/// "bounds, division", or "assertions only".
pub fn checks(options: &EffectiveOptions) -> String {
    let checks = options.checks;
    let all = [("bounds", checks.bounds), ("division", checks.division), ("overflow", checks.overflow), ("shift", checks.shift)];
    let on: Vec<&str> = all.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
    if on.is_empty() { "assertions only".into() } else { on.join(", ") }
}

/// "The slice of the errors has 14 statements on 9 lines; only in the slice: line 10; only in the projection: line 6".
pub fn slice_sentence(projection: &ProjectionReport) -> Option<String> {
    let slice = projection.slice.as_ref()?;
    let mut text = format!(
        "The slice of the errors has {} on {}",
        counted(slice.nodes.into(), "statement"),
        counted(slice.lines.len() as u64, "line")
    );
    for (where_, lines, other) in [("slice", &slice.lines, &projection.lines), ("projection", &projection.lines, &slice.lines)] {
        let only: Vec<u32> = lines.iter().copied().filter(|line| other.binary_search(line).is_err()).collect();
        if !only.is_empty() {
            text.push_str(&format!("; only in the {where_}: {}", listed_lines(&only)));
        }
    }
    if slice.lines == projection.lines {
        text.push_str(", those of the projection");
    }
    Some(text)
}

/// "line 3", "lines 3, 4, 9", and no more than a dozen.
fn listed_lines(lines: &[u32]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = lines.iter().take(SHOWN).map(u32::to_string).collect();
    let more = if lines.len() > SHOWN { format!(" and {} more", lines.len() - SHOWN) } else { String::new() };
    format!("line{} {}{more}", if lines.len() == 1 { "" } else { "s" }, shown.join(", "))
}

/// "8,000,000".
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 step", "9 steps".
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// "38 ms", "4.2 s", "3 min 5 s".
pub fn duration(millis: u64) -> String {
    match millis {
        0..1_000 => format!("{millis} ms"),
        1_000..60_000 => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
        _ => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::options::{Checks, Dialect};
    use crate::view::report::Statistics;

    fn options() -> EffectiveOptions {
        let checks = Checks::default();
        EffectiveOptions { dialect: Dialect::Cimple, bits: 4, globals: Globals::Any, checks, error: None, label: None }
    }

    fn report(verdict: Verdict) -> Report {
        Report {
            analysis: "projection".into(),
            verdict,
            limit: None,
            fault: None,
            options: options(),
            checked: 1,
            error: None,
            trace: None,
            shortest: None,
            projection: None,
            proof: None,
            invariant: None,
            statistics: Statistics::default(),
        }
    }

    #[test]
    fn verdicts_in_words() {
        assert_eq!(headline(&report(Verdict::Safe)), "Safe: no run fails");
        let error = ErrorReport { line: 16, kind: "assertion".into(), message: String::new() };
        assert_eq!(headline(&Report { error: Some(error), ..report(Verdict::Unsafe) }), "It can fail: assertion at line 16");
        let unknown = Report { limit: Some(Limit::Nodes), ..report(Verdict::Unknown) };
        assert_eq!(headline(&unknown), "Unknown: the node limit was hit");
        let fault = Report { fault: Some("a step differs".into()), ..report(Verdict::Unknown) };
        assert_eq!(headline(&fault), "Unknown: a defect of Faultline");
    }

    #[test]
    fn options_in_words() {
        assert_eq!(holds_for(&options()), "for 4-bit integers, uninitialised globals arbitrary, checks: bounds, division");
        let none = Checks { bounds: false, division: false, ..Checks::default() };
        let other = EffectiveOptions { checks: none, error: Some(7), globals: Globals::Zero, ..options() };
        assert_eq!(holds_for(&other), "for 4-bit integers, uninitialised globals zero, checks: assertions only, only the error at line 7");
    }

    #[test]
    fn numbers_in_words() {
        assert_eq!([grouped(0), grouped(999), grouped(1_000), grouped(8_000_000)], ["0", "999", "1,000", "8,000,000"]);
        assert_eq!([counted(1, "step"), counted(9, "step")], ["1 step", "9 steps"]);
        assert_eq!([duration(38), duration(4_270), duration(185_000)], ["38 ms", "4.2 s", "3 min 5 s"]);
    }
}
