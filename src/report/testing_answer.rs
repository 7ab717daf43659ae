//! The answers about tests and references as the page shows them: words, and the JSON text.

use super::executed::Executed;
use super::json;
use super::testing::{Refused, compared, tests};
use crate::draw::closest::closest;
use crate::draw::testing as words;
use crate::lang::diagnostic::Diagnostic;
use crate::wire::testing::{
    ComparedAnswer, ComparedView, EquivalentRequest, ExecuteRequest, ExecutedRun, OutputDifference,
    RefusedView, SuspectLine, SuspectView, TestReport, TestView, TestsAnswer, TestsRequest,
    TestsView, TextSoFar, Whose,
};
use faultline_c::machine::{Limits, Machine};
use faultline_testing::program::Body;

/// Operations of a run that is shown: one that never ends is as long as this.
const MOST_STEPS: u64 = 2_000_000;

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
        covered: report.coverage.as_ref().map(words::covered).unwrap_or_default(),
        missed: report.coverage.as_ref().map(|found| found.missed.clone()).unwrap_or_default(),
        tried: report.tried,
        cut: report.cut,
        only_ranked: report.only_ranked,
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
        closest: report.closest.as_ref().map(closest).unwrap_or_default(),
        input: report.input.clone(),
        expected: report.expected.clone(),
        got: report.got.clone(),
        wrong: report.difference.as_ref().map(|found| found.line).filter(|line| *line > 0),
        wrong_byte: report
            .difference
            .as_ref()
            .filter(|found| !matches!(found.kind, OutputDifference::Less | OutputDifference::Exit))
            .map(|found| found.at),
        hidden: report.hidden,
    }
}

/// Executes a program on an input. `None` if it cannot be read.
// Never inlined: the page's first visit does without it (`static/delivery/later.mjs`).
#[inline(never)]
pub fn executed(request: &ExecuteRequest) -> Option<ExecutedRun> {
    let program = super::testing::read(&request.source, &Default::default()).ok()?;
    let Body::C(parts) = &program.body else { return None };
    let (tree, code) = (&parts.0, &parts.1);
    let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
    let input = request.input.as_bytes();
    let start = || Machine::new(tree, code, input, limits);
    let until = request.until.map(|byte| byte as usize);
    let is_over = |machine: &Machine<'_>| until.is_some_and(|at| machine.output().len() > at);
    let told = Executed { source: &request.source, tree };
    let so_far = |_: &Executed<'_>, machine: &Machine<'_>| TextSoFar {
        read: machine.read() as u32,
        printed: machine.output().len() as u32,
    };
    let list = told.trace(&start, &is_over, so_far);
    let mut machine = start();
    while !machine.go(machine.points() + 1) && !is_over(&machine) {}
    let after = so_far(&told, &machine);
    machine.go(u64::MAX);
    let whole = list.len() < super::executed::MOST_STEPS;
    let (trace, mut text): (Vec<_>, Vec<_>) = list.into_iter().unzip();
    text.push(after);
    let output = String::from_utf8_lossy(machine.output()).into_owned();
    Some(ExecutedRun { trace, text, output, input: request.input.clone(), whole })
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
        TestsRequest {
            source: SUM.into(),
            tests,
            compare: "lines".into(),
            explain,
            ..Default::default()
        }
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
        // Beside them: where its run parts from that of the test that passes.
        let told = "Line 5, `i < n`, is where it parts from none, which passes: true here (n = 3, \
                    i = 1), false there (n = 0, i = 1).";
        assert_eq!(found.tests[0].closest[0], told);
        assert!(found.tests[1].closest.is_empty(), "it passes");
    }

    #[test]
    fn a_run_ends_where_the_first_wrong_byte_is_printed() {
        let mut ask =
            ExecuteRequest { source: SUM.into(), input: "3 1 2 3\n".into(), until: Some(0) };
        let run = executed(&ask).expect("it is read");
        assert_eq!(run.trace.last().map(|entry| entry.line), Some(9));
        assert_eq!((run.output.as_str(), run.whole), ("3\n", true));
        assert_eq!(run.text.first(), Some(&TextSoFar::default()));
        let ends = [TextSoFar { read: 5, printed: 0 }, TextSoFar { read: 5, printed: 2 }];
        assert_eq!(run.text[run.text.len() - 2..], ends);
        let sum = |entry: &crate::wire::trace::TraceEntry| {
            let values = &entry.values.0;
            values.iter().find(|(name, _)| name == "sum").map(|(_, value)| value.to_string())
        };
        assert_eq!(run.trace.last().and_then(sum).as_deref(), Some("3"));
        ask.until = None;
        assert_eq!(executed(&ask).and_then(|run| Some(run.trace.last()?.line)), Some(10));
        ask.source = "int main(void) { for (int i = 0; i < 9000; i++) ; return 0; }".into();
        assert!(!executed(&ask).expect("it is read").whole, "the last steps of a long run");
        ask.source = "int main(void) { return x; }".into();
        assert!(executed(&ask).is_none());
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
