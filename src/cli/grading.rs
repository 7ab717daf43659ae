//! `faultline grade`: the submissions of a class, by tests and a reference solution.

use super::arguments::{Format, Grade};
use super::console;
use super::testing::{beside, complaint, folders, read_text, refuse_formats};
use crate::draw::testing::{comparison, headline, kind, what_is_wrong};
use crate::report::testing::{Refused, diagnostic, given, program, run_comparison, run_tests};
use crate::util::sha256::{hexadecimal, sha256};
use crate::wire::report;
use crate::wire::testing::{
    Equivalence, EquivalentReport, OutputDifference, RunError, TestReport, TestResult, TestVerdict,
    TestsReport,
};
use faultline_grading::class::{Options, grade};
use faultline_grading::judge::Judge;
use faultline_grading::row::{Row, Suspect, Verdict};
use faultline_grading::submissions::{Class, Source, class};
use faultline_grading::summary::Report;
use faultline_grading::{csv, html, junit, text};
use faultline_testing::compare::Comparison;
use faultline_testing::domain::{Domain, inferred};
use faultline_testing::program::{Files, Program};
use faultline_testing::suite::{Test, in_comments};
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Suspected lines of a row.
const SUSPECTS: usize = 5;
/// Characters of an input or output that a report has.
const SHOWN: usize = 2000;

/// Judges the submissions, and writes or prints the report.
pub(super) fn print(arguments: &Grade) -> Result<report::Verdict, String> {
    refuse_formats(arguments.format)?;
    let judge = Lecturer::of(arguments)?;
    let class = submissions(arguments)?;
    if let Some(folder) = &arguments.output {
        fs::create_dir_all(answers(folder)).map_err(|error| unwritten(folder, &error))?;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        jobs: arguments.jobs.map_or(cores, usize::from),
        timeout: Duration::from_secs_f64(arguments.timeout),
        patience: Duration::from_secs(10),
        kept: arguments.output.as_deref().map(answers),
    };
    let all = class.submissions.len();
    let terminal = std::io::stderr().is_terminal();
    let done = |so_far: usize| {
        if terminal {
            let end = if so_far == all { "\n" } else { "" };
            console::tell(&format!("\r{so_far} of {all}{end}"));
        }
    };
    let judge: Arc<dyn Judge> = Arc::new(judge);
    let rows = grade(&class, &judge, &options, &done);
    let rows = rows.map_err(|error| {
        unwritten(arguments.output.as_deref().unwrap_or(Path::new("answers")), &error)
    })?;
    let report = Report::new(rows);
    let words = |word: &str| kind(word).to_string();
    let told = match (&arguments.output, arguments.format) {
        (_, Format::Json) => report.json(),
        (None, _) => text::text(&report, &words),
        (Some(folder), _) => {
            format!("{}\n{}\n", report.headline(), folder.join("report.html").display())
        }
    };
    if let Some(folder) = &arguments.output {
        let forms = [
            ("report.txt", text::text(&report, &words)),
            ("report.csv", csv::csv(&report)),
            ("report.json", report.json()),
            ("report.xml", junit::junit(&report)),
            ("report.html", html::html(&report, &title(&arguments.folder), &words)),
        ];
        for (name, form) in forms {
            let file = folder.join(name);
            fs::write(&file, form).map_err(|error| unwritten(&file, &error))?;
        }
    }
    console::print(&told)?;
    Ok(match report.verdict() {
        Verdict::Passes => report::Verdict::Safe,
        Verdict::Fails => report::Verdict::Unsafe,
        Verdict::Unknown | Verdict::Refused => report::Verdict::Unknown,
    })
}

/// Where the answers are kept.
fn answers(folder: &Path) -> PathBuf {
    folder.join("submissions")
}

fn unwritten(file: &Path, error: &std::io::Error) -> String {
    format!("faultline: cannot write {}: {error}\n", file.display())
}

/// The name of the folder, also of `.`.
fn title(folder: &Path) -> String {
    let whole = fs::canonicalize(folder);
    let whole = whole.as_deref().unwrap_or(folder);
    whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
}

fn submissions(arguments: &Grade) -> Result<Class, String> {
    let shown = arguments.folder.display();
    let mut except = arguments.tests.clone();
    except.extend(arguments.reference.clone());
    except.extend(arguments.output.clone());
    let class = class(&arguments.folder, &except)
        .map_err(|error| format!("faultline: cannot read {shown}: {error}\n"))?;
    if class.submissions.is_empty() {
        return Err(format!(
            "faultline: {shown} has no submissions: a file NAME.c or NAME.java, a folder or an archive for each student\n"
        ));
    }
    Ok(class)
}

/// What submissions are judged by.
struct Lecturer {
    tests: Vec<Test>,
    by: Comparison,
    reference: Option<Reference>,
    timeout: Duration,
    basis: Vec<u8>,
}

struct Reference {
    text: String,
    headers: Vec<(String, String)>,
    domain: Domain,
    /// Was the domain read off the reference?
    inferred: bool,
}

impl Lecturer {
    /// The error is a message about bad input.
    fn of(arguments: &Grade) -> Result<Lecturer, String> {
        let by = crate::report::testing::comparison(&arguments.compare).map_err(plain)?;
        let mut tests: Vec<Test> = folders(&arguments.tests)?.iter().map(given).collect();
        let mut reference = None;
        if let Some(file) = &arguments.reference {
            let text = read_text(file)?;
            let files = beside(file);
            let program = program(&text, &files).map_err(|unread| {
                complaint(Refused::Reference(diagnostic(&unread)), [(file, &text); 2])
            })?;
            let said = !arguments.input.trim().is_empty();
            let domain = if said {
                Domain::parse(&arguments.input)
                    .map_err(|error| plain(Refused::Domain(error.to_string())))?
            } else {
                inferred(&program)
            };
            tests.splice(0..0, in_comments(&text));
            tell_failing(&program, &tests, by, arguments);
            let headers = files.to_vec();
            reference = Some(Reference { text, headers, domain, inferred: !said });
        }
        if tests.is_empty() && reference.is_none() {
            return Err("faultline: there is nothing to grade by; name a folder with --tests, or a reference solution with --reference\n".to_string());
        }
        let timeout = Duration::from_secs_f64(arguments.timeout);
        let basis = basis(arguments, &tests, reference.as_ref());
        Ok(Lecturer { tests, by, reference, timeout, basis })
    }
}

/// A complaint that is about no text.
fn plain(refused: Refused) -> String {
    complaint(refused, [(&PathBuf::new(), &String::new()); 2])
}

/// Says on standard error which tests the reference itself fails: then something is wrong with
/// them.
fn tell_failing(program: &Program, tests: &[Test], by: Comparison, arguments: &Grade) {
    let end = Instant::now() + Duration::from_secs_f64(arguments.timeout);
    let report = run_tests(program, tests, by, false, &|| Instant::now() >= end);
    let failed = names(&report);
    if !failed.is_empty() {
        let names = failed.join(", ");
        console::tell(&format!("faultline: the reference itself does not pass: {names}\n"));
    }
}

/// All that verdicts depend on beside the program, each part with its length before it.
fn basis(arguments: &Grade, tests: &[Test], reference: Option<&Reference>) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = vec![arguments.compare.as_bytes(), arguments.input.as_bytes()];
    let timeout = arguments.timeout.to_string();
    parts.push(timeout.as_bytes());
    for test in tests {
        parts.extend([test.name.as_bytes(), &test.input, &test.expected]);
    }
    if let Some(reference) = reference {
        parts.push(reference.text.as_bytes());
        for (name, text) in &reference.headers {
            parts.extend([name.as_bytes(), text.as_bytes()]);
        }
    }
    let mut bytes = (tests.len() as u64).to_le_bytes().to_vec();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}

impl Judge for Lecturer {
    fn judge(&self, source: &Source, stop: &dyn Fn() -> bool) -> Row {
        let mut headers = source.headers.clone();
        headers.extend(self.reference.iter().flat_map(|reference| reference.headers.clone()));
        // The names of a submission's own headers come first.
        let files: Files = Rc::new(headers);
        let program = match program(&source.text, &files) {
            Ok(program) => program,
            Err(unread) => {
                let (line, message) = (unread.line, unread.message);
                return Row::new(Verdict::Refused, format!("Line {line}: {message}."));
            }
        };
        let mut tested = run_tests(&program, &self.tests, self.by, self.reference.is_none(), stop);
        let compared = self.compared(&program, &tested, stop);
        let different = compared.as_ref().filter(|found| found.verdict == Equivalence::Different);
        let verdict = verdict(&tested, compared.as_ref());
        let mut row = Row::new(verdict, message(&tested, compared.as_ref()));
        row.failed = names(&tested);
        if verdict != Verdict::Fails && different.is_none() {
            return row;
        }
        row.way = way(&tested, different);
        if tested.verdict != TestVerdict::Fails {
            // The difference is the test that fails.
            let mut tests = self.tests.clone();
            tests.extend(different.and_then(as_test));
            tested = run_tests(&program, &tests, self.by, true, stop);
        } else if self.reference.is_some() {
            tested = run_tests(&program, &self.tests, self.by, true, stop);
        }
        show(&mut row, &tested, different);
        row
    }

    fn basis(&self) -> &[u8] {
        &self.basis
    }

    fn digest(&self, bytes: &[u8]) -> String {
        hexadecimal(&sha256(bytes))
    }
}

impl Lecturer {
    fn compared(
        &self,
        program: &Program,
        tested: &TestsReport,
        stop: &dyn Fn() -> bool,
    ) -> Option<EquivalentReport> {
        let Reference { text, headers, domain, inferred } = self.reference.as_ref()?;
        let reference = crate::report::testing::program(text, &Rc::new(headers.clone())).ok()?;
        // What is left is for the search for a change.
        let end = Instant::now() + self.timeout / 2;
        let half = || stop() || Instant::now() >= end;
        let fails = tested.verdict == TestVerdict::Fails;
        let stop: &dyn Fn() -> bool = if fails { &half } else { stop };
        let against = |tests: &[Test]| {
            run_comparison(program, &reference, (domain, *inferred), tests, self.by, stop)
        };
        // How the tests go is known. Without them the search begins with the smallest inputs.
        let found = against(&[]);
        if fails && found.verdict != Equivalence::Different {
            return Some(against(&self.tests));
        }
        Some(found)
    }
}

/// A difference on an input that nobody said to count, of a program that passes all tests, is a
/// question to a person.
fn verdict(tested: &TestsReport, compared: Option<&EquivalentReport>) -> Verdict {
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

fn failing(tested: &TestsReport) -> impl Iterator<Item = &TestReport> {
    tested.tests.iter().filter(|test| test.result != TestResult::Passed)
}

/// The names of the tests that do not pass.
fn names(tested: &TestsReport) -> Vec<String> {
    failing(tested).map(|test| test.name.clone()).collect()
}

/// One sentence on the tests, one on the first that fails, one on the comparison.
fn message(tested: &TestsReport, compared: Option<&EquivalentReport>) -> String {
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
fn way(tested: &TestsReport, different: Option<&EquivalentReport>) -> String {
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
fn as_test(found: &EquivalentReport) -> Option<Test> {
    let test = found.test.as_ref()?;
    Some(Test {
        name: test.name.clone(),
        input: test.input.clone().into_bytes(),
        expected: test.expected.clone().into_bytes(),
        exit: None,
    })
}

/// What a row shows of why a submission fails.
fn show(row: &mut Row, tested: &TestsReport, different: Option<&EquivalentReport>) {
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
