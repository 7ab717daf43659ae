//! The words of an answer about a formula or about termination, for page and command line.

use crate::draw::words::{counted, limit_sentence, lines};
use crate::util::order::inserted;
use crate::wire::liveness::{
    LassoEnding, LassoReport, LivenessReport, LivenessStatement, LivenessVerdict,
};
use crate::wire::options::Dialect;
use crate::wire::report::Analysis;
use std::collections::BTreeSet;

/// Of programs.
const WHAT_COUNTS: &str = "A run that ends stays in its last state for ever; a run that an \
                               assumption blocks does not count";

/// Which runs an answer is about.
pub fn what_counts(report: &LivenessReport) -> &'static str {
    match report.options.dialect {
        Dialect::Pds | Dialect::Pdaaal => {
            "A run that no rule continues stays in its last configuration for ever"
        }
        _ => WHAT_COUNTS,
    }
}

/// Which runs count besides, if only fair ones do.
pub const FAIR: &str = "Only fair runs count: a choice that is made again and again, such as `*`, is \
                        made each way again and again";

/// The answer in a sentence.
pub fn headline(report: &LivenessReport) -> String {
    let is_formula = report.analysis == Analysis::Ltl;
    let fair = if report.fair { "fair " } else { "" };
    match (report.verdict, report.limit) {
        (LivenessVerdict::Holds, _) if is_formula => {
            format!("Holds: every {fair}run satisfies the formula")
        }
        (LivenessVerdict::Holds, _) => format!("Holds: every {fair}run ends"),
        (LivenessVerdict::Violated, _) if is_formula => {
            format!("Violated: some {fair}run does not satisfy the formula")
        }
        (LivenessVerdict::Violated, _) => format!("Violated: some {fair}run never ends"),
        (LivenessVerdict::Unknown, Some(limit)) => format!("No answer: {}", limit_sentence(limit)),
        (LivenessVerdict::Unknown, None) => {
            "No answer: a check contradicts the engine; this is a defect of Faultline".to_string()
        }
    }
}

/// What is known of the ranking behind "holds".
pub fn proved(report: &LivenessReport) -> Option<String> {
    let proof = report.proof?;
    Some(match proof.limit {
        None => {
            "Proved: a ranking of the reached states was checked apart from the search".to_string()
        }
        Some(limit) => format!("The ranking was not checked to its end: {}", limit_sentence(limit)),
    })
}

/// Which statements are on a run that violates what is asked, by their lines.
pub fn statements(report: &LivenessReport) -> Option<String> {
    let line_set = |of: &dyn Fn(&LivenessStatement) -> bool| -> BTreeSet<u32> {
        inserted(report.statements.iter().filter(|one| of(one)).map(|one| one.line))
    };
    let listed = |set: BTreeSet<u32>| -> Vec<u32> { set.into_iter().collect() };
    let on = line_set(&|one| one.violating);
    let reached = line_set(&|one| one.reached);
    let never = listed(line_set(&|one| !one.reached).difference(&reached).copied().collect());
    let passed = listed(reached.difference(&on).copied().collect());
    let on = listed(on);
    if on.is_empty() {
        return None;
    }
    let runs = match report.analysis {
        Analysis::Terminates => "Some run that never ends executes",
        _ => "Some run that violates the formula executes",
    };
    let mut text = format!("{runs} {}", lines(&on));
    match (passed.is_empty(), never.is_empty()) {
        (true, true) => {}
        (false, true) => text.push_str(&format!("; none executes {}", lines(&passed))),
        (true, false) => text.push_str(&format!("; no run at all reaches {}", lines(&never))),
        (false, false) => text.push_str(&format!(
            "; none executes {}, and no run at all reaches {}",
            lines(&passed),
            lines(&never)
        )),
    }
    Some(text)
}

/// That it is not known which statements are on a run that violates what is asked.
pub fn statements_unknown(report: &LivenessReport) -> Option<String> {
    if report.refinement.is_some() && report.verdict == LivenessVerdict::Violated {
        let why = "Refinement searches along one cycle only, so it does not tell the statements of \
                   all such runs";
        return Some(why.to_string());
    }
    let limit = report.statements_limit?;
    let why = limit_sentence(limit);
    Some(format!("Which statements are on such runs was not decided: {why}"))
}

/// What is wrong in a formula, as a sentence.
pub fn capitalised(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// The headline of a prefix.
pub fn prefix_headline(lasso: &LassoReport) -> String {
    let steps = counted(lasso.prefix.len() as u64, "statement");
    match lasso.ends {
        LassoEnding::Cycle => format!("To the cycle: {steps}"),
        _ => format!("A run of {steps}"),
    }
}

/// The headline of a cycle.
pub fn cycle_headline(lasso: &LassoReport) -> String {
    format!("The cycle: {}, again and again", counted(lasso.cycle.len() as u64, "statement"))
}

/// What a round does to the stack.
pub fn growth(lasso: &LassoReport) -> String {
    if lasso.cycle.is_empty() {
        return "The run has ended and stays in its last state".to_string();
    }
    if lasso.grows.is_empty() {
        return "The stack is as high after a round as before it".to_string();
    }
    let calls: Vec<String> =
        lasso.grows.iter().map(|call| format!("{} (line {})", call.procedure, call.line)).collect();
    let frames = counted(lasso.grows.len() as u64, "call");
    format!("The stack grows by {frames} in each round: {}", calls.join(", "))
}
