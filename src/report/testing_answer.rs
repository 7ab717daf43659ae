//! The answers about tests and references as the page shows them: words, and the JSON text.

use super::json;
use super::testing::{Refused, compared, tests};
use crate::draw::testing as words;
use crate::lang::diagnostic::Diagnostic;
use crate::wire::testing::{
    ComparedAnswer, ComparedView, EquivalentRequest, RefusedView, SuspectLine, SuspectView,
    TestReport, TestView, TestsAnswer, TestsRequest, TestsView, Whose,
};

/// Runs tests, ranks lines if that is asked for, and puts it into words.
pub fn tests_answer(request: &TestsRequest, stop: &dyn Fn() -> bool) -> TestsAnswer {
    let report = match tests(request, &Default::default(), stop) {
        Ok(report) => report,
        Err(why) => return TestsAnswer::Refused(refused(why)),
    };
    TestsAnswer::Report(TestsView {
        verdict: report.verdict,
        headline: words::headline(&report),
        json: json::render(&report),
        tests: report.tests.iter().map(test).collect(),
        suspects: request.explain.then(|| report.suspects.iter().map(suspect).collect()),
        tried: report.tried,
        cut: report.cut,
    })
}

/// Compares a program with its reference, and puts it into words.
pub fn compared_answer(request: &EquivalentRequest, stop: &dyn Fn() -> bool) -> ComparedAnswer {
    match compared(request, &Default::default(), stop) {
        Ok(report) => ComparedAnswer::Report(ComparedView {
            verdict: report.verdict,
            headline: words::comparison(&report),
            test: report.test.as_ref().map(test),
            domain: report.domain,
            inferred: report.inferred,
            skipped: report.skipped,
        }),
        Err(why) => ComparedAnswer::Refused(refused(why)),
    }
}

fn test(report: &TestReport) -> TestView {
    let wrong = Some(words::what_is_wrong(report)).filter(|sentence| !sentence.is_empty());
    TestView {
        name: report.name.clone(),
        result: report.result,
        told: wrong.into_iter().chain(words::no_value(report)).collect(),
        line: report.line,
        input: report.input.clone(),
        expected: report.expected.clone(),
        got: report.got.clone(),
        wrong: report.difference.as_ref().map(|found| found.line).filter(|line| *line > 0),
    }
}

fn suspect(found: &SuspectLine) -> SuspectView {
    SuspectView {
        line: found.line,
        score: found.score,
        kind: found.kind.as_deref().map(|word| words::kind(word).to_string()),
        change: words::change(found),
    }
}

fn refused(why: Refused) -> RefusedView {
    let of = |whose, found: Diagnostic| RefusedView {
        message: found.message,
        hint: found.hint,
        line: Some(found.span.line).filter(|line| *line > 0),
        whose,
    };
    let question = |message: String, hint: &str| RefusedView {
        message,
        hint: hint.to_string(),
        line: None,
        whose: Whose::Question,
    };
    match why {
        Refused::Program(found) => of(Whose::Program, found),
        Refused::Reference(found) => of(Whose::Reference, found),
        Refused::NoTests => question("there is no test".into(), "add one"),
        Refused::Comparison(name) => question(format!("there is no comparison `{name}`"), ""),
        Refused::Domain(message) => {
            question(message, "as in `n in 1..100, then n times int`, or leave it empty")
        }
    }
}

#[cfg(test)]
mod tests_of_words {
    use super::*;
    use crate::wire::testing::{Equivalence, TestResult, TestText, TestVerdict};

    const SUM: &str = "#include <stdio.h>\nint main(void) {\n  int n, x, sum = 0;\n  scanf(\"%d\", \
                       &n);\n  for (int i = 1; i < n; i++) {\n    scanf(\"%d\", &x);\n    sum += \
                       x;\n  }\n  printf(\"%d\\n\", sum);\n  return 0;\n}\n";

    fn asked(explain: bool) -> TestsRequest {
        let test = |name: &str, input: &str, expected: &str| TestText {
            name: name.into(),
            input: input.into(),
            expected: expected.into(),
        };
        let tests = vec![test("three", "3 1 2 3\n", "6\n"), test("none", "0\n", "0\n")];
        TestsRequest { source: SUM.into(), tests, compare: "lines".into(), explain }
    }

    #[test]
    fn tests_are_told_in_words_and_lines_only_where_asked_for() {
        let TestsAnswer::Report(found) = tests_answer(&asked(false), &|| false) else {
            panic!("the tests are run")
        };
        assert_eq!((found.verdict, found.suspects.is_none()), (TestVerdict::Fails, true));
        assert_eq!(found.tests[0].result, TestResult::Failed);
        assert_eq!((found.tests[0].line, found.tests[0].wrong), (Some(9), Some(1)));
        assert_eq!(found.tests[0].told, ["Line 1 of the output is \"3\", expected \"6\"."]);
        let TestsAnswer::Report(found) = tests_answer(&asked(true), &|| false) else {
            panic!("the tests are run")
        };
        let suspects = found.suspects.expect("asked for");
        assert!(suspects.iter().any(|one| one.line == 5 && one.change.is_some()), "{suspects:?}");
    }

    #[test]
    fn a_reference_differs_and_what_cannot_be_read_is_refused() {
        let reference = SUM.replace("i = 1", "i = 0");
        let mut ask = EquivalentRequest {
            source: SUM.into(),
            reference,
            compare: "lines".into(),
            ..EquivalentRequest::default()
        };
        let ComparedAnswer::Report(found) = compared_answer(&ask, &|| false) else {
            panic!("they are compared")
        };
        assert_eq!((found.verdict, found.inferred), (Equivalence::Different, true));
        assert!(found.test.is_some_and(|test| test.expected != test.got));
        ask.domain = "no domain (".into();
        let ComparedAnswer::Refused(why) = compared_answer(&ask, &|| false) else {
            panic!("it is no domain")
        };
        assert_eq!(why.whose, Whose::Question);
        ask.reference = "int main(void) {\n  return x;\n}\n".into();
        let ComparedAnswer::Refused(why) = compared_answer(&ask, &|| false) else {
            panic!("it cannot be read")
        };
        assert_eq!((why.whose, why.line), (Whose::Reference, Some(2)));
    }
}
