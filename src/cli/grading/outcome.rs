//! What tests and comparisons say of a submission: its verdict, its sentence, and what a row shows.

use crate::draw::testing::{comparison, headline, what_is_wrong};
use crate::wire::testing::{
    Equivalence, EquivalentReport, OutputDifference, RunError, TestReport, TestResult, TestText,
    TestVerdict, TestsReport,
};
use faultline_grading::row::{Row, Suspect, Verdict};
use faultline_testing::suite::Test;

/// Suspected lines of a row.
const SUSPECTS: usize = 5;
/// Characters of an input or output that a report has.
const SHOWN: usize = 2000;

/// A difference on an input that nobody said to count, of a program that passes all tests, is a
/// question to a person.
pub(super) fn verdict(tested: &TestsReport, compared: Option<&EquivalentReport>) -> Verdict {
    let different = compared.filter(|found| found.verdict == Equivalence::Different);
    let nothing = tested.tests.is_empty() && compared.is_none_or(|found| found.tried == 0);
    match (tested.verdict, different) {
        (TestVerdict::Fails, _) => Verdict::Fails,
        (TestVerdict::Passes, Some(found)) if found.inferred && !tested.tests.is_empty() => {
            Verdict::Unknown
        }
        (_, Some(_)) => Verdict::Fails,
        (TestVerdict::Unknown, None) => Verdict::Unknown,
        (TestVerdict::Passes, None) if nothing => Verdict::Unknown,
        (TestVerdict::Passes, None) => Verdict::Passes,
    }
}

pub(super) fn failing(tested: &TestsReport) -> impl Iterator<Item = &TestReport> {
    tested.tests.iter().filter(|test| test.result != TestResult::Passed)
}

/// The names of the tests that do not pass.
pub(super) fn names(tested: &TestsReport) -> Vec<String> {
    failing(tested).map(|test| test.name.clone()).collect()
}

/// One sentence on the tests, one on the first that fails, one on the comparison.
pub(super) fn message(tested: &TestsReport, compared: Option<&EquivalentReport>) -> String {
    let mut parts = Vec::new();
    if !tested.tests.is_empty() {
        parts.push(headline(tested));
    }
    if let Some(test) = failing(tested).next() {
        parts.push(format!("{}: {}", test.name, what_is_wrong(test)));
    }
    if let Some(found) = compared
        && tested.verdict != TestVerdict::Fails
    {
        parts.push(comparison(found));
        parts.extend(found.test.as_ref().map(what_is_wrong));
        if verdict(tested, compared) == Verdict::Unknown && found.verdict == Equivalence::Different
        {
            parts.push("Is that input allowed? --input says which are.".to_string());
        }
    }
    parts.join(" ")
}

/// How a test fails, as a word.
fn how(test: &TestReport) -> &'static str {
    match (test.error, &test.difference) {
        (Some(error), _) => error.word(),
        (None, Some(found)) => found.kind.word(),
        (None, None) => test.result.word(),
    }
}

/// How the tests that fail do so: one word if it is the same for all.
pub(super) fn way(tested: &TestsReport, different: Option<&EquivalentReport>) -> String {
    let mut words: Vec<&str> = failing(tested).map(how).collect();
    if words.is_empty() {
        words = different.and_then(|found| found.test.as_ref()).map(how).into_iter().collect();
    }
    if words.iter().all(|word| *word == words[0]) {
        words.truncate(1);
    }
    words.join(", ")
}

/// The difference as a test.
pub(super) fn as_test(found: &EquivalentReport) -> Option<Test> {
    let test = found.test.as_ref()?;
    Some(Test {
        name: test.name.clone(),
        input: test.input.clone().into_bytes(),
        expected: test.expected.clone().into_bytes(),
        exit: None,
    })
}

/// The failing test with the smallest input, as a text; `None` if all pass.
pub(super) fn shown(tested: &TestsReport) -> Option<TestText> {
    let test = failing(tested).min_by_key(|test| test.input.len())?;
    Some(TestText {
        name: test.name.clone(),
        input: test.input.clone(),
        expected: test.expected.clone(),
    })
}

/// What a row shows of why a submission fails.
pub(super) fn show(row: &mut Row, tested: &TestsReport, different: Option<&EquivalentReport>) {
    let smallest = failing(tested).min_by_key(|test| test.input.len());
    if let Some(test) = different.and_then(|found| found.test.as_ref()).or(smallest) {
        row.input = Some(short(&test.input));
        row.expected = Some(short(&test.expected));
        row.output = Some(short(&test.got));
    }
    row.kind = mistake(tested);
    row.suspects = tested
        .suspects
        .iter()
        .take(SUSPECTS)
        .map(|found| Suspect { line: found.line, score: found.score, kind: found.kind.clone() })
        .collect();
}

/// The kind of a change with which all tests pass. Without one: how the tests fail, if that says
/// more than that values are wrong; else the kind of a change with which more tests pass.
fn mistake(tested: &TestsReport) -> Option<String> {
    let mended = tested.suspects.iter().find(|suspect| suspect.change.is_some());
    if let Some(kind) = mended.and_then(|suspect| suspect.kind.clone()) {
        return Some(kind);
    }
    let words: Vec<&str> = failing(tested).map(how).collect();
    let only = |word: OutputDifference| words.iter().all(|found| *found == word.word());
    let presentation = [OutputDifference::WhiteSpace, OutputDifference::Words];
    if let Some(word) = presentation.into_iter().find(|word| only(*word)) {
        return Some(word.word().to_string());
    }
    let ends = failing(tested).find_map(|test| match (test.result, test.error) {
        (TestResult::Endless, _) => Some(TestResult::Endless.word()),
        (TestResult::Error, Some(error)) => Some(RunError::word(error)),
        _ => None,
    });
    let some = tested.suspects.iter().take(SUSPECTS).find_map(|suspect| suspect.kind.clone());
    let output = [OutputDifference::Less, OutputDifference::More, OutputDifference::Exit];
    let output = output.into_iter().find(|word| only(*word)).map(|word| word.word().to_string());
    ends.map(str::to_string).or(some).or(output)
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
