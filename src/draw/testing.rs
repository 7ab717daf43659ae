//! What tests and comparisons with a reference say, in words.

use crate::draw::words::lines;
use crate::wire::error_kind::ErrorKind;
use crate::wire::testing::{
    CoverageReport, Equivalence, EquivalentReport, OutputDifference, RunError, SuspectLine,
    TestReport, TestResult, TestVerdict, TestsReport,
};

/// How many tests pass, in one sentence; presentation is told apart from values.
pub fn headline(report: &TestsReport) -> String {
    let all = report.tests.len();
    let failed: Vec<&TestReport> =
        report.tests.iter().filter(|test| test.result != TestResult::Passed).collect();
    let tests = |n: usize| if n == 1 { "1 test".to_string() } else { format!("{n} tests") };
    match report.verdict {
        TestVerdict::Passes if all == 1 => "The test passes.".to_string(),
        TestVerdict::Passes => format!("All {all} tests pass."),
        TestVerdict::Unknown => format!(
            "{} of {} did not end within the limits; the others pass.",
            failed.len(),
            tests(all)
        ),
        TestVerdict::Fails => {
            let only = |kinds: &[OutputDifference]| {
                failed.iter().all(|test| {
                    test.difference.as_ref().is_some_and(|found| kinds.contains(&found.kind))
                })
            };
            let note = if only(&[OutputDifference::WhiteSpace]) {
                " Only white space differs."
            } else if only(&[OutputDifference::WhiteSpace, OutputDifference::Words]) {
                " The numbers are right; only the words around them differ."
            } else {
                ""
            };
            match (failed.len(), all) {
                (1, 1) => format!("The test fails.{note}"),
                (all_fail, all) if all_fail == all => format!("All {all} tests fail.{note}"),
                (1, all) => format!("1 of {} fails.{note}", tests(all)),
                (some, all) => format!("{some} of {} fail.{note}", tests(all)),
            }
        }
    }
}

/// "The tests execute 14 of 17 lines; none executes lines 5 and 9."
pub fn covered(found: &CoverageReport) -> String {
    let (reached, missed) = (found.reached.len(), found.missed.len());
    match missed {
        0 => "The tests execute every line.".to_string(),
        _ => format!(
            "The tests execute {reached} of {} lines; none executes {}.",
            reached + missed,
            lines(&found.missed)
        ),
    }
}

/// What is wrong with one test, in one sentence; empty if it passed.
pub fn what_is_wrong(test: &TestReport) -> String {
    match (test.error, &test.said) {
        (Some(RunError::Exception), Some(said)) => return format!("It throws {said}."),
        (Some(RunError::NotKnown), Some(said)) => {
            return format!("It was not executed to its end: {said} is not known here.");
        }
        (Some(error), _) => return error_words(error).to_string(),
        (None, _) => {}
    }
    if test.result == TestResult::Endless {
        return "It never ends: a state of the program came back.".to_string();
    }
    let Some(found) = &test.difference else { return String::new() };
    let (expected, got) = (quoted(&found.expected), quoted(&found.got));
    match found.kind {
        OutputDifference::Exit => {
            format!("It ends with code {}, expected {}.", found.got, found.expected)
        }
        OutputDifference::WhiteSpace if found.expected == found.got => {
            "Only the ends of lines differ.".to_string()
        }
        OutputDifference::WhiteSpace => {
            format!("Only white space differs: line {} is {got}, expected {expected}.", found.line)
        }
        OutputDifference::Less if found.got.is_empty() => {
            format!("Line {} of the output is missing: {expected}.", found.line)
        }
        OutputDifference::More if found.expected.is_empty() => {
            format!("Line {} of the output is too much: {got}.", found.line)
        }
        _ => format!("Line {} of the output is {got}, expected {expected}.", found.line),
    }
}

fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{short}\"")
}

/// What a run does that it may not, or why it is not at its end.
pub fn error_words(error: RunError) -> &'static str {
    match error {
        RunError::Assertion => "An assertion does not hold.",
        RunError::Division => "It divides by zero.",
        RunError::Null => "It follows a null pointer.",
        RunError::Wild => "It follows a pointer that leads to no object; is an `&` missing?",
        RunError::Outside => "It reads or writes outside of an array or object.",
        RunError::Freed => "It uses memory that was freed.",
        RunError::OutOfScope => "It uses a variable whose block was left.",
        RunError::ReadOnly => "It writes a string literal.",
        RunError::FreedTwice => "It frees memory twice.",
        RunError::InvalidFree => "It frees what was not allocated.",
        RunError::Abort => "It calls `abort`.",
        RunError::Depth => "Its calls nest deeper than any stack.",
        RunError::NoProcedure => "It calls through a pointer that leads to no procedure.",
        RunError::Exception => "It throws an exception that nothing catches.",
        RunError::NotKnown => "It uses what is not known of the library.",
        RunError::Time => "It was not run: the time was up.",
        RunError::Steps => "It was not at its end after 30 million operations.",
        RunError::Memory => "It needs more than 64 MB.",
        RunError::Output => "It prints more than 1 MB.",
    }
}

/// A read without a value, in one sentence.
pub fn no_value(test: &TestReport) -> Option<String> {
    let found = test.no_value.as_ref()?;
    Some(if found.name.is_empty() {
        format!("Line {} reads what has no value yet.", found.line)
    } else {
        format!("`{}` has no value when line {} reads it.", found.name, found.line)
    })
}

/// What a suspect's change does, in one sentence.
pub fn change(suspect: &SuspectLine) -> Option<String> {
    let change = suspect.change.as_ref()?;
    Some(match (change.old.is_empty(), change.new.is_empty()) {
        (true, _) => format!("with `{}` added, all tests pass", change.new.trim()),
        (_, true) => format!("without `{}`, all tests pass", change.old),
        _ => format!("with `{}` instead of `{}`, all tests pass", change.new, change.old),
    })
}

/// A kind of mistake, in a few words: of a change, of how a run fails, or of what the engine found.
pub fn kind(word: &str) -> &str {
    match word {
        "output" => "what is printed",
        "comparison" => "a comparison",
        "constant" => "a number",
        "initial-value" => "an initial value",
        "operator" => "an operator",
        "condition" => "a condition",
        "variable" => "another variable",
        "off-by-one" => "one more or one less",
        "type" => "a type",
        "statement" => "a statement too many",
        "values" => "other values",
        "white-space" => "only white space",
        "words" => "only the words around the numbers",
        "less" => "something is not printed",
        "more" => "too much is printed",
        "exit" => "the exit code",
        "endless" => "a loop that never ends",
        "assertion" => "an assertion",
        "division" => "a division by zero",
        "exception" => "an exception",
        "null-pointer" => "a null pointer",
        "no-object" => "a pointer to no object",
        "outside-object" => "outside of an array",
        "freed" => "freed memory",
        "out-of-scope" => "a variable that is gone",
        "read-only" => "a literal that is written",
        "freed-twice" => "memory that is freed twice",
        "invalid-free" => "memory that was not allocated",
        "depth" => "calls that nest too deeply",
        "no-procedure" => "a pointer to no procedure",
        other => match ErrorKind::ALL.into_iter().find(|kind| kind.word() == other) {
            Some(kind) => kind.meaning().headline,
            None => other,
        },
    }
}

/// The answer of a comparison, in one sentence.
pub fn comparison(report: &EquivalentReport) -> String {
    let inputs =
        if report.tried == 1 { "1 input".into() } else { format!("{} inputs", report.tried) };
    match report.verdict {
        Equivalence::Equal => {
            format!("Equal on every input of the domain: all {inputs} were executed.")
        }
        Equivalence::Different => "The program differs from the reference.".to_string(),
        Equivalence::Unknown => format!("No difference among {inputs}. That is no proof."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::testing::FirstDifference;

    fn test(result: TestResult, difference: Option<(OutputDifference, &str, &str)>) -> TestReport {
        TestReport {
            name: "a".into(),
            result,
            line: None,
            input: String::new(),
            expected: String::new(),
            got: String::new(),
            difference: difference.map(|(kind, expected, got)| FirstDifference {
                kind,
                line: 2,
                at: 3,
                expected: expected.into(),
                got: got.into(),
            }),
            error: None,
            said: None,
            no_value: None,
            closest: None,
            steps: 1,
            hidden: false,
        }
    }

    #[test]
    fn presentation_is_told_apart() {
        let space = test(TestResult::Failed, Some((OutputDifference::WhiteSpace, "1", "1 ")));
        let passed = test(TestResult::Passed, None);
        assert_eq!(
            what_is_wrong(&space),
            "Only white space differs: line 2 is \"1 \", expected \"1\"."
        );
        let verdict = TestVerdict::Fails;
        let report = TestsReport {
            verdict,
            tests: vec![space, passed],
            suspects: vec![],
            coverage: None,
            tried: 0,
            cut: false,
            only_ranked: false,
        };
        assert_eq!(headline(&report), "1 of 2 tests fails. Only white space differs.");
        let found = CoverageReport { reached: vec![2, 3], missed: vec![5, 9] };
        assert_eq!(covered(&found), "The tests execute 2 of 4 lines; none executes lines 5 and 9.");
        let less = test(TestResult::Failed, Some((OutputDifference::Less, "7", "")));
        assert_eq!(what_is_wrong(&less), "Line 2 of the output is missing: \"7\".");
    }
}
