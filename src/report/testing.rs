//! Tests and references, from the machine's answers to `wire`.

mod closest;
mod hidden;

use crate::lang::diagnostic::Diagnostic;
use crate::lang::model::Span;
use crate::wire::diagnostic::Severity;
use crate::wire::dialect::Dialect;
use crate::wire::testing::{
    CoverageReport, Equivalence, EquivalentReport, EquivalentRequest, FirstDifference, NoValue,
    OutputDifference, RunError, SuspectLine, TestReport, TestResult, TestText, TestVerdict,
    TestsReport, TestsRequest, TextChange,
};
use faultline_c::machine::{Fault, Limit, Limits, Remark};
use faultline_testing::compare::{Comparison, DifferenceKind};
use faultline_testing::coverage::coverage;
use faultline_testing::domain::{Domain, inferred};
use faultline_testing::equivalent::{self, Answer, equivalent};
use faultline_testing::program::{Files, Language, Program, Unread};
use faultline_testing::run::Uncaught;
use faultline_testing::suite::{Outcome, Test, Tested, in_comments, test};
use faultline_testing::suspects::{Budget, Question, search};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The program is not read.
    Program(Diagnostic),
    /// The reference is not read.
    Reference(Diagnostic),
    /// There is no test.
    NoTests,
    /// The comparison has no such name.
    Comparison(String),
    /// The domain is none: a message.
    Domain(String),
}

/// Runs the tests of a program; where one fails and it is asked for, ranks lines and tries changes.
/// `stop` is asked between the runs of changes.
pub fn tests(
    request: &TestsRequest,
    files: &Files,
    stop: &dyn Fn() -> bool,
) -> Result<TestsReport, Refused> {
    let by = comparison(&request.compare)?;
    let program = read(&request.source, files).map_err(Refused::Program)?;
    let mut list = in_comments(&request.source);
    list.extend(request.tests.iter().map(given));
    if list.is_empty() && request.hidden.is_empty() {
        return Err(Refused::NoTests);
    }
    let shown = list.len();
    // With a reference a hidden test is one like the others, and else its output is only judged.
    let solution = match request.reference.trim() {
        "" => None,
        text => Some(read(text, files).map_err(Refused::Reference)?),
    };
    list.extend(
        solution
            .iter()
            .flat_map(|solution| request.hidden.iter().map(|one| hidden::told_by(solution, one))),
    );
    let mut report = run_tests(&program, &list, by, request.explain, stop);
    for test in report.tests.iter_mut().skip(shown) {
        // The values of its run say what it reads.
        (test.hidden, test.closest) = (true, None);
    }
    if solution.is_none() {
        let judged = |one| hidden::judged(&program, one, stop);
        report.tests.extend(request.hidden.iter().map(judged));
        report.verdict = verdict(&report.tests);
    }
    Ok(report)
}

/// Do all tests pass?
fn verdict(reports: &[TestReport]) -> TestVerdict {
    let any = |wanted: TestResult| reports.iter().any(|report| report.result == wanted);
    if any(TestResult::Failed) || any(TestResult::Endless) || any(TestResult::Error) {
        TestVerdict::Fails
    } else if any(TestResult::Limit) {
        TestVerdict::Unknown
    } else {
        TestVerdict::Passes
    }
}

/// As `tests`, for a program that was read, and these tests only.
pub(crate) fn run_tests(
    program: &Program,
    list: &[Test],
    by: Comparison,
    explain: bool,
    stop: &dyn Fn() -> bool,
) -> TestsReport {
    let mut tested: Vec<Tested> = Vec::new();
    for one in list {
        if stop() {
            break;
        }
        tested.push(test(program, one, by, Limits::default()));
    }
    let mut reports: Vec<TestReport> =
        list.iter().zip(&tested).map(|(test, tested)| test_report(program, test, tested)).collect();
    let (begun, left) = list.split_at(tested.len());
    reports.extend(left.iter().map(not_run));
    let verdict = verdict(&reports);
    let found = coverage(program, &tested);
    let coverage = Some(CoverageReport { reached: found.reached, missed: found.missed })
        .filter(|_| !tested.is_empty());
    let mut report = TestsReport {
        verdict,
        tests: reports,
        suspects: vec![],
        coverage,
        tried: 0,
        cut: false,
        only_ranked: program.language() == Language::Java,
    };
    if explain && verdict == TestVerdict::Fails {
        closest::tell(&mut report.tests, program, (begun, &tested), stop);
        let found = search(Question {
            program,
            tests: begun,
            tested: &tested,
            by,
            budget: Budget::default(),
            stop,
        });
        (report.tried, report.cut) = (found.tried, found.cut);
        for suspect in found.suspects {
            report.suspects.push(SuspectLine {
                line: suspect.line,
                // Two digits: what lies behind them says nothing.
                score: (suspect.score * 100.0).round() / 100.0,
                kind: suspect.kind.map(|kind| kind.name().to_string()),
                change: suspect.change.map(|change| TextChange {
                    start: change.span.start,
                    end: change.span.end,
                    old: piece(&program.text, change.span.start, change.span.end),
                    new: change.new,
                }),
            });
        }
    }
    report
}

/// Compares a program with its reference.
pub fn compared(
    request: &EquivalentRequest,
    files: &Files,
    stop: &dyn Fn() -> bool,
) -> Result<EquivalentReport, Refused> {
    let by = comparison(&request.compare)?;
    let program = read(&request.source, files).map_err(Refused::Program)?;
    let reference = read(&request.reference, files).map_err(Refused::Reference)?;
    let said = !request.domain.trim().is_empty();
    let domain = if said {
        Domain::parse(&request.domain).map_err(|error| Refused::Domain(error.to_string()))?
    } else {
        inferred(&reference)
    };
    let mut list = in_comments(&request.source);
    list.extend(request.tests.iter().map(given));
    Ok(run_comparison(&program, &reference, (&domain, !said), &list, by, stop))
}

/// As `compared`, for programs that were read. With the domain: was it read off the reference?
pub(crate) fn run_comparison(
    program: &Program,
    reference: &Program,
    (domain, inferred): (&Domain, bool),
    list: &[Test],
    by: Comparison,
    stop: &dyn Fn() -> bool,
) -> EquivalentReport {
    let budget = equivalent::Budget::default();
    let found = equivalent(program, reference, domain, list, by, budget, stop);
    let mut report = EquivalentReport {
        verdict: Equivalence::Unknown,
        input: None,
        output: None,
        expected: None,
        line: None,
        test: None,
        method: found.method.name().to_string(),
        tried: found.tried,
        skipped: found.skipped,
        domain: domain.to_string(),
        inferred,
    };
    match found.answer {
        Answer::Equal => report.verdict = Equivalence::Equal,
        Answer::Unknown => {}
        Answer::Different(found) => {
            report.verdict = Equivalence::Different;
            let one = Test {
                name: "difference".into(),
                input: found.input.clone(),
                expected: found.expected.clone(),
                exit: None,
            };
            let tested = test(program, &one, by, Limits::default());
            let shown = test_report(program, &one, &tested);
            report.input = Some(lossy(&found.input));
            report.output = Some(lossy(&found.output));
            report.expected = Some(lossy(&found.expected));
            report.line = shown.line;
            report.test = Some(shown);
        }
    }
    report
}

/// How outputs are compared, by its name.
pub(crate) fn comparison(name: &str) -> Result<Comparison, Refused> {
    match name {
        "" | "exact" => Ok(Comparison::Exact),
        "lines" => Ok(Comparison::Lines),
        "words" => Ok(Comparison::Words),
        "numbers" => Ok(Comparison::Numbers(1e-6)),
        other => Err(Refused::Comparison(other.to_string())),
    }
}

/// Reads a program.
pub(crate) fn read(text: &str, files: &Files) -> Result<Program, Diagnostic> {
    program(text, files).map_err(|unread| diagnostic(&unread))
}

/// Reads a program. What is not Java is taken to be C.
pub(crate) fn program(text: &str, files: &Files) -> Result<Program, Unread> {
    let language = match Dialect::guess(text) {
        Dialect::Java => Language::Java,
        _ => Language::C,
    };
    Program::read_as(language, text, files)
}

/// What is wrong with a text.
pub(crate) fn diagnostic(unread: &Unread) -> Diagnostic {
    let span = Span { start: unread.start, end: unread.end, line: unread.line };
    Diagnostic::new(Severity::Error, span, unread.message.clone(), unread.hint)
}

/// A test for the machine.
pub(crate) fn given(test: &TestText) -> Test {
    Test {
        name: test.name.clone(),
        input: test.input.clone().into_bytes(),
        expected: test.expected.clone().into_bytes(),
        exit: None,
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn piece(text: &str, start: u32, end: u32) -> String {
    text.get(start as usize..end as usize).unwrap_or("").to_string()
}

fn test_report(program: &Program, test: &Test, tested: &Tested) -> TestReport {
    let (result, error) = match &tested.outcome {
        Outcome::Passed => (TestResult::Passed, None),
        Outcome::Failed(_) | Outcome::WrongExit(_) => (TestResult::Failed, None),
        Outcome::Endless => (TestResult::Endless, None),
        Outcome::Fault(fault) => (TestResult::Error, Some(fault_word(*fault))),
        Outcome::Uncaught(_) => (TestResult::Error, Some(RunError::Exception)),
        Outcome::NotKnown(_) => (TestResult::Limit, Some(RunError::NotKnown)),
        Outcome::Limit(limit) => (
            TestResult::Limit,
            Some(match limit {
                Limit::Steps => RunError::Steps,
                Limit::Memory => RunError::Memory,
                Limit::Output => RunError::Output,
            }),
        ),
    };
    let difference = match &tested.outcome {
        Outcome::Failed(found) => Some(FirstDifference {
            kind: match found.kind {
                DifferenceKind::WhiteSpace => OutputDifference::WhiteSpace,
                DifferenceKind::Words => OutputDifference::Words,
                DifferenceKind::Less => OutputDifference::Less,
                DifferenceKind::More => OutputDifference::More,
                DifferenceKind::Values => OutputDifference::Values,
            },
            line: found.line,
            at: found.at as u32,
            expected: found.expected.clone(),
            got: found.printed.clone(),
        }),
        Outcome::WrongExit(code) => Some(FirstDifference {
            kind: OutputDifference::Exit,
            line: 0,
            at: 0,
            expected: test.exit.unwrap_or(0).to_string(),
            got: code.to_string(),
        }),
        _ => None,
    };
    let no_value = tested.no_value.and_then(|(remark, point)| {
        let Remark::NoValue(variable) = remark else { return None };
        let name = variable.and_then(|id| program.tree()?.variables.get(id.index()));
        Some(NoValue {
            name: name.map(|variable| variable.name.clone()).unwrap_or_default(),
            line: program.line(point)?,
        })
    });
    let said = match &tested.outcome {
        Outcome::Uncaught(Uncaught { class, message: None }) => Some(class.clone()),
        Outcome::Uncaught(Uncaught { class, message: Some(text) }) => {
            Some(format!("{class}: {text}"))
        }
        Outcome::NotKnown(what) => Some(what.to_string()),
        _ => None,
    };
    TestReport {
        name: test.name.clone(),
        result,
        said,
        line: tested.point.and_then(|point| program.line(point)),
        input: lossy(&test.input),
        expected: lossy(&test.expected),
        got: lossy(&tested.run.output),
        difference,
        error,
        no_value,
        closest: None,
        steps: tested.run.passed.iter().map(|count| u64::from(*count)).sum(),
        hidden: false,
    }
}

/// A test that was not begun.
fn not_run(test: &Test) -> TestReport {
    TestReport {
        name: test.name.clone(),
        result: TestResult::Limit,
        said: None,
        line: None,
        input: lossy(&test.input),
        expected: lossy(&test.expected),
        got: String::new(),
        difference: None,
        error: Some(RunError::Time),
        no_value: None,
        closest: None,
        steps: 0,
        hidden: false,
    }
}

fn fault_word(fault: Fault) -> RunError {
    match fault {
        Fault::Assertion => RunError::Assertion,
        Fault::Division => RunError::Division,
        Fault::Null => RunError::Null,
        Fault::Wild => RunError::Wild,
        Fault::Outside => RunError::Outside,
        Fault::Freed => RunError::Freed,
        Fault::OutOfScope => RunError::OutOfScope,
        Fault::ReadOnly => RunError::ReadOnly,
        Fault::FreedTwice => RunError::FreedTwice,
        Fault::InvalidFree => RunError::InvalidFree,
        Fault::Abort => RunError::Abort,
        Fault::Depth => RunError::Depth,
        Fault::NoProcedure => RunError::NoProcedure,
    }
}
