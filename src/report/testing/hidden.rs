//! The hidden tests of an exercise.

use super::{not_run, test_report};
use crate::wire::exercise::{HiddenTest, output_hash};
use crate::wire::testing::{TestReport, TestResult};
use faultline_c::machine::Limits;
use faultline_testing::compare::Comparison;
use faultline_testing::program::Program;
use faultline_testing::suite::{Outcome, Test, test};

/// A hidden test, with what a solution prints as what is expected.
pub(super) fn told_by(solution: &Program, one: &HiddenTest) -> Test {
    let expected = solution.run(one.input.as_bytes(), Limits::default()).output;
    Test { expected, ..unknown(one) }
}

/// A hidden test of whose output nothing but the hash is known: whether it is right, and nothing of
/// where it is wrong.
pub(super) fn judged(program: &Program, one: &HiddenTest, stop: &dyn Fn() -> bool) -> TestReport {
    let asked = unknown(one);
    if stop() {
        return TestReport { hidden: true, ..not_run(&asked) };
    }
    let mut tested = test(program, &asked, Comparison::Lines, Limits::default());
    let printed = String::from_utf8_lossy(&tested.run.output);
    let is_right = output_hash(&printed) == one.output;
    let ended = matches!(tested.outcome, Outcome::Passed | Outcome::Failed(_));
    if ended && is_right {
        (tested.outcome, tested.point) = (Outcome::Passed, None);
    }
    let report = test_report(program, &asked, &tested);
    if !ended || is_right {
        return TestReport { hidden: true, ..report };
    }
    let result = TestResult::Failed;
    TestReport { result, hidden: true, difference: None, line: None, ..report }
}

fn unknown(one: &HiddenTest) -> Test {
    Test {
        name: one.name.clone(),
        input: one.input.clone().into_bytes(),
        expected: Vec::new(),
        exit: None,
    }
}
