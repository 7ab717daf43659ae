//! Links that open a submission in the page, with the tests and the reference that it is judged by,
//! at the step where it fails.

use super::stated::Found;
use crate::cli::link::addressed;
use crate::report::testing::run_tests;
use crate::report::testing_answer::executed;
use crate::wire::permalink::{Permalink, PermalinkError, TestRunPlace, TestsPlace};
use crate::wire::testing::{ExecuteRequest, OutputDifference, TestText};
use faultline_testing::compare::Comparison;
use faultline_testing::program::Program;
use faultline_testing::suite::{Test, in_comments};

/// The tab with tests, and the one with failing runs.
const TESTS: &str = "tests";
const PROJECTION: &str = "projection";

/// What goes into every link.
pub(super) struct Opening {
    pub(super) address: String,
    pub(super) tests: Vec<TestText>,
    pub(super) compare: String,
    pub(super) by: Comparison,
    pub(super) reference: String,
    pub(super) domain: String,
}

impl Opening {
    /// The link to a submission. `shown`: the input that its row shows, as a test. `None` where the
    /// program is too long.
    pub(super) fn link(
        &self,
        source: &str,
        shown: Option<&TestText>,
        found: &[Found],
    ) -> Option<String> {
        let asked = found.iter().find(|one| one.step.is_some()).or(found.first());
        let options = asked.map(|one| one.options.clone()).unwrap_or_default();
        let run = shown.and_then(|shown| self.step(source, shown));
        let link = |place: &TestsPlace, run: Option<TestRunPlace>| {
            let place = TestsPlace { run, ..place.clone() };
            let mut link = Permalink {
                source: source.to_string(),
                options: options.clone(),
                ..Permalink::default()
            };
            let fails = asked.is_some_and(|one| one.step.is_some());
            let has_tests = !place.tests.is_empty() || !place.reference.is_empty();
            // A test says more than a run of the engine.
            link.view =
                if has_tests && (run.is_some() || !fails) { TESTS } else { PROJECTION }.into();
            link.step = asked.and_then(|one| one.step);
            link.put(TESTS, &place);
            addressed(&self.address, &link)
        };
        let mut whole = self.place();
        let row = shown.map(|shown| place_of(&mut whole.tests, shown));
        let before = in_comments(source).len();
        let at = |row: usize| run.map(|step| TestRunPlace { row: (before + row) as u32, step });
        // What is too long for a link leaves the tests out that are not shown, then the reference.
        let only: Vec<TestText> = shown.cloned().into_iter().collect();
        let fewer = TestsPlace { tests: only, ..whole.clone() };
        let least = TestsPlace { reference: String::new(), domain: String::new(), ..fewer.clone() };
        let tries = [(&whole, row), (&fewer, shown.map(|_| 0)), (&least, shown.map(|_| 0))];
        for (place, row) in tries {
            match link(place, row.and_then(at)) {
                Err(PermalinkError::TooLong) => {}
                made => return made.ok(),
            }
        }
        None
    }

    fn place(&self) -> TestsPlace {
        TestsPlace {
            // The page leaves out what is all blank.
            tests: self.tests.iter().filter(|test| !test.is_blank()).map(TestText::ended).collect(),
            compare: self.compare.clone(),
            reference: self.reference.clone(),
            domain: self.domain.clone(),
            ..TestsPlace::default()
        }
    }

    /// The step of the test's run at which it goes wrong.
    fn step(&self, source: &str, shown: &TestText) -> Option<u32> {
        if shown.is_blank() {
            return None;
        }
        let program = Program::read(source, &Default::default()).ok()?;
        let shown = shown.ended();
        let test = Test {
            name: String::new(),
            input: shown.input.clone().into_bytes(),
            expected: shown.expected.into_bytes(),
            exit: None,
        };
        let tested = run_tests(&program, &[test], self.by, false, &|| false);
        let difference = tested.tests.first().and_then(|test| test.difference.as_ref());
        let is_printed = |kind| !matches!(kind, OutputDifference::Less | OutputDifference::Exit);
        let until = difference.filter(|found| is_printed(found.kind)).map(|found| found.at);
        let ask = ExecuteRequest { source: source.to_string(), input: shown.input, until };
        let steps = executed(&ask)?.trace.len() as u32;
        steps.checked_sub(1)
    }
}

/// The place of a test among others; behind them, if it is not there yet.
fn place_of(tests: &mut Vec<TestText>, shown: &TestText) -> usize {
    let shown = shown.ended();
    let same = |test: &TestText| (&test.input, &test.expected) == (&shown.input, &shown.expected);
    tests.iter().position(same).unwrap_or_else(|| {
        tests.push(shown.clone());
        tests.len() - 1
    })
}
