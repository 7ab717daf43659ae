//! A failing run beside the passing run that is closest to it, in words.

use super::words::{counted, lines, listed};
use crate::wire::closest::{ClosestRun, PartsAt, RunWay};

/// How a failing run compares with the passing run that is closest to it: two or three sentences.
pub fn closest(found: &ClosestRun) -> Vec<String> {
    let test = &found.test;
    let mut told = Vec::new();
    match (&found.parts_at, found.same_statements) {
        (Some(parts), _) => told.push(parting(test, parts)),
        (None, true) => told.push(format!(
            "The run executes the statements of {test}, which passes, in the same order: only \
             values differ."
        )),
        (None, false) => told.push(format!("Of the runs that pass, that of {test} is closest.")),
    }
    if let Some(distance) = found.distance.filter(|distance| *distance > 0) {
        let statements = counted(distance.into(), "statement");
        let verb = if distance == 1 { "is" } else { "are" };
        told.push(format!(
            "No run that passes is closer: {statements} {verb} executed in one alone."
        ));
    }
    if !found.only_here.is_empty() {
        let verb = if found.only_here.len() == 1 { "is" } else { "are" };
        let named = lines(&found.only_here);
        told.push(format!("Executed here, and in no run that passes, {verb} {named}."));
    }
    told
}

/// "Line 5, `i < n`, is where it parts from two, which passes: true here (n = 3), false there
/// (n = 0)."
fn parting(test: &str, parts: &PartsAt) -> String {
    let PartsAt { line, condition, failing, passing, .. } = parts;
    let here = way(failing, "here");
    let there = way(passing, "there");
    format!(
        "Line {line}, `{condition}`, is where it parts from {test}, which passes: {here}, {there}."
    )
}

fn way(way: &RunWay, place: &str) -> String {
    let values = listed(&way.values.0);
    let values = if values.is_empty() { String::new() } else { format!(" ({values})") };
    match (way.outcome, way.next) {
        (Some(outcome), _) => format!("{outcome} {place}{values}"),
        (None, Some(line)) => format!("{place} it goes on in line {line}{values}"),
        (None, None) => format!("{place} the run ends{values}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::value::{Value, Values};

    #[test]
    fn a_parting_is_told_with_outcomes_and_values() {
        let way = |outcome, n| RunWay {
            outcome,
            next: Some(7),
            values: Values(vec![("n".into(), Value::Number(n))]),
        };
        let parts = PartsAt {
            line: 5,
            condition: "i < n".into(),
            after: 4,
            failing: way(Some(true), 3),
            passing: way(Some(false), 0),
        };
        let mut found = ClosestRun {
            test: "none".into(),
            distance: Some(4),
            same_statements: false,
            parts_at: Some(parts.clone()),
            only_here: vec![6, 7],
        };
        assert_eq!(
            closest(&found),
            [
                "Line 5, `i < n`, is where it parts from none, which passes: true here (n = 3), \
                 false there (n = 0).",
                "No run that passes is closer: 4 statements are executed in one alone.",
                "Executed here, and in no run that passes, are lines 6 and 7.",
            ]
        );
        let ends = RunWay::default();
        found.parts_at = Some(PartsAt { failing: ends, passing: way(None, 1), ..parts });
        let told = closest(&found)[0].clone();
        assert!(told.ends_with("here the run ends, there it goes on in line 7 (n = 1)."), "{told}");
        found = ClosestRun { distance: Some(0), same_statements: true, parts_at: None, ..found };
        assert!(closest(&found)[0].ends_with("only values differ."));
    }
}
