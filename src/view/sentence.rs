//! The answer as a sentence, with everything that it holds for.

use super::report::{Report, Verdict};
use crate::lang::options::{EffectiveOptions, Globals};
use crate::util::Limit;

/// What was found: "safe: no run fails", "unsafe: `assert(x > 0)` on line 7 fails".
pub fn verdict(report: &Report) -> String {
    match (report.verdict, &report.error) {
        (Verdict::Safe, _) => "safe: no run fails".to_string(),
        (Verdict::Unsafe, Some(error)) => format!("unsafe: line {}, {}", error.line, error.message),
        (Verdict::Unsafe, None) => "unsafe: a run fails".to_string(),
        (Verdict::Unknown, _) => format!("unknown: {}", report.limit.map_or("not finished", reason)),
    }
}

fn reason(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "the limit on decision-diagram nodes was hit",
        Limit::Steps => "the limit on steps was hit",
        Limit::Time => "stopped: the time is up",
        Limit::Rounds => "the limit on rounds was hit",
        Limit::Depth => "something is deeper than the limit on depth",
    }
}

/// What the answer holds for: "for 4-bit integers, uninitialised globals arbitrary, checking bounds and division".
pub fn conditions(options: &EffectiveOptions) -> String {
    let globals = match options.globals {
        Globals::Zero => "zero",
        Globals::Any => "arbitrary",
    };
    let checks = &options.checks;
    let names: Vec<&str> =
        [(checks.bounds, "bounds"), (checks.division, "division"), (checks.overflow, "overflow"), (checks.shift, "shifts")]
            .into_iter()
            .filter_map(|(on, name)| on.then_some(name))
            .collect();
    let mut text = format!("for {}-bit integers, uninitialised globals {globals}, ", options.bits);
    text += &match names.split_last() {
        None => "no built-in checks".to_string(),
        Some((last, [])) => format!("checking {last}"),
        Some((last, others)) => format!("checking {} and {last}", others.join(", ")),
    };
    if let Some(line) = options.error {
        text += &format!(", only errors on line {line}");
    }
    if let Some(label) = &options.label {
        text += &format!(", the label `{label}` an error");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::options::{Checks, Dialect};

    #[test]
    fn every_option_that_changes_the_answer_is_said() {
        let mut options = EffectiveOptions {
            dialect: Dialect::Cimple,
            bits: 4,
            globals: Globals::Any,
            checks: Checks::default(),
            error: None,
            label: None,
        };
        assert_eq!(conditions(&options), "for 4-bit integers, uninitialised globals arbitrary, checking bounds and division");
        options.checks = Checks { bounds: true, division: true, overflow: true, shift: true };
        options.globals = Globals::Zero;
        assert_eq!(conditions(&options), "for 4-bit integers, uninitialised globals zero, checking bounds, division, overflow and shifts");
        options.checks = Checks { bounds: false, division: false, overflow: false, shift: false };
        options.error = Some(7);
        options.label = Some("bad".into());
        assert_eq!(
            conditions(&options),
            "for 4-bit integers, uninitialised globals zero, no built-in checks, only errors on line 7, the label `bad` an error"
        );
    }
}
