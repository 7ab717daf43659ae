//! Programs as students write them, each wrong, with tests in comments.

use faultline::report::testing::tests;
use faultline::wire::testing::{TestResult, TestsRequest};
use std::fs;

/// What students write: each fails its second test, and passes its first.
#[test]
fn programs_of_students_fail_at_the_right_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/static/examples");
    for (name, line) in [
        ("java-grade-book", 48),
        ("java-linked-stack", 33),
        ("java-reversal", 28),
        ("java-binary-search", 35),
        ("java-shapes", 53),
        ("java-word-count", 33),
    ] {
        let source = fs::read_to_string(format!("{folder}/{name}.java")).expect("a text");
        let request = TestsRequest { source, explain: true, ..TestsRequest::default() };
        let report = tests(&request, &Default::default(), &|| false).expect("it is read");
        let results: Vec<TestResult> = report.tests.iter().map(|test| test.result).collect();
        assert_eq!(results[0], TestResult::Passed, "{name}: {:?}", report.tests);
        assert!(matches!(results[1], TestResult::Failed | TestResult::Error), "{name}");
        assert_eq!(report.tests[1].line.unwrap_or(0), line, "{name}");
        assert!(report.only_ranked && !report.suspects.is_empty(), "{name}");
    }
}
