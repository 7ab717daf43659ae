//! `faultline grade`: the submissions of a class, by tests and a reference solution.

mod opened;
mod outcome;
mod stated;

use super::arguments::{Format, Grade};
use super::console;
use super::diagnostics;
use super::testing::{beside, complaint, folders, read_text, refuse_formats};
use super::text::Style;
use crate::draw::testing::kind;
use crate::report::testing::{Refused, diagnostic, given, program, run_comparison, run_tests};
use crate::util::sha256::{hexadecimal, sha256};
use crate::wire::report;
use crate::wire::testing::{Equivalence, EquivalentReport, TestText, TestVerdict, TestsReport};
use faultline_grading::class::{Options, grade};
use faultline_grading::judge::Judge;
use faultline_grading::row::{Row, Verdict};
use faultline_grading::submissions::{Class, Source, class};
use faultline_grading::summary::Report;
use faultline_grading::{csv, html, junit, text};
use faultline_testing::compare::Comparison;
use faultline_testing::domain::{Domain, inferred};
use faultline_testing::program::{Files, Program};
use faultline_testing::suite::{Test, in_comments};
use opened::Opening;
use outcome::{as_test, message, names, show, shown, verdict, way};
use stated::{Found, Stated};
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    stated: Stated,
    opening: Option<Opening>,
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
        let stated = Stated {
            rules: arguments.rule.clone(),
            function: arguments.function.clone(),
            max_steps: arguments.max_steps,
        };
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
            if let Some(diagnostics) = stated.refusal(&text) {
                let name = file.to_string_lossy();
                return Err(diagnostics::render(&name, &text, &diagnostics, Style::of_errors()));
            }
            tell_failing(&program, &tests, by, arguments);
            tell_broken(&stated, &text, arguments);
            let headers = files.to_vec();
            reference = Some(Reference { text, headers, domain, inferred: !said });
        }
        if tests.is_empty() && reference.is_none() && stated.is_empty() {
            return Err("faultline: there is nothing to grade by; name a folder with --tests, a reference solution with --reference, a rule with --rule, or a procedure with --function\n".to_string());
        }
        let timeout = Duration::from_secs_f64(arguments.timeout);
        let basis = basis(arguments, &tests, reference.as_ref());
        let opening = arguments.link.as_ref().map(|address| Opening {
            address: address.clone(),
            tests: tests.iter().map(as_text).collect(),
            compare: arguments.compare.clone(),
            by,
            reference: reference.as_ref().map(|one| one.text.clone()).unwrap_or_default(),
            domain: arguments.input.clone(),
        });
        Ok(Lecturer { tests, by, reference, stated, opening, timeout, basis })
    }

    /// Is a submission executed, too?
    fn executes(&self) -> bool {
        !self.tests.is_empty() || self.reference.is_some()
    }

    /// The seconds that the engine has: the others need theirs.
    fn seconds_of_engine(&self) -> f64 {
        let share = if self.executes() { 0.5 } else { 0.95 };
        self.timeout.as_secs_f64() * share
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

/// Says on standard error what the reference itself breaks.
fn tell_broken(stated: &Stated, text: &str, arguments: &Grade) {
    for found in stated.found(text, arguments.timeout) {
        if found.checked.verdict == Verdict::Fails {
            let told = found.checked.message;
            console::tell(&format!("faultline: the reference itself fails. {told}\n"));
        }
    }
}

/// As the page has it.
fn as_text(test: &Test) -> TestText {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    TestText { name: test.name.clone(), input: lossy(&test.input), expected: lossy(&test.expected) }
}

/// All that verdicts depend on beside the program, each part with its length before it.
fn basis(arguments: &Grade, tests: &[Test], reference: Option<&Reference>) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = vec![arguments.compare.as_bytes(), arguments.input.as_bytes()];
    let timeout = arguments.timeout.to_string();
    parts.push(timeout.as_bytes());
    let (function, link) = (arguments.function.as_deref(), arguments.link.as_deref());
    parts.extend([function, link].map(|given| given.unwrap_or_default().as_bytes()));
    let numbers = format!("{} {}", arguments.rule.len(), arguments.max_steps);
    parts.push(numbers.as_bytes());
    for rule in &arguments.rule {
        parts.push(rule.name.as_bytes());
        parts.push(rule.text.as_deref().unwrap_or_default().as_bytes());
    }
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
        let found = self.stated.found(&source.text, self.seconds_of_engine());
        let (mut row, test) = match self.executes() {
            true => self.executed(source, stop),
            false => (Row::new(Verdict::Passes, String::new()), None),
        };
        row.verdict = found
            .iter()
            .fold(row.verdict, |so_far, one| joined(so_far, one.checked.verdict, self.executes()));
        let link = |opening: &Opening| opening.link(&source.text, test.as_ref(), &found);
        row.link = self.opening.as_ref().and_then(link);
        let told = found.iter().map(|one| &one.checked.message);
        let message = Some(&row.message).filter(|message| !message.is_empty());
        let parts: Vec<&str> = message.into_iter().chain(told).map(String::as_str).collect();
        row.message = parts.join(" ");
        row.checked = found.into_iter().map(|one: Found| one.checked).collect();
        row
    }

    fn basis(&self) -> &[u8] {
        &self.basis
    }

    fn digest(&self, bytes: &[u8]) -> String {
        hexadecimal(&sha256(bytes))
    }
}

/// The verdict with that of one more question. A program that is executed is a program, whether the
/// engine reads it or not.
fn joined(so_far: Verdict, engine: Verdict, is_executed: bool) -> Verdict {
    let engine = match engine {
        Verdict::Refused if is_executed => Verdict::Unknown,
        other => other,
    };
    let order = [Verdict::Fails, Verdict::Refused, Verdict::Unknown];
    let worst = order.into_iter().find(|verdict| [so_far, engine].contains(verdict));
    worst.unwrap_or(Verdict::Passes)
}

impl Lecturer {
    /// How a submission does by tests and the reference, and the input that its row shows, as a
    /// test.
    fn executed(&self, source: &Source, stop: &dyn Fn() -> bool) -> (Row, Option<TestText>) {
        let mut headers = source.headers.clone();
        headers.extend(self.reference.iter().flat_map(|reference| reference.headers.clone()));
        // The names of a submission's own headers come first.
        let files: Files = Rc::new(headers);
        let program = match program(&source.text, &files) {
            Ok(program) => program,
            Err(unread) => {
                let (line, message) = (unread.line, unread.message);
                let row = Row::new(Verdict::Refused, format!("Line {line}: {message}."));
                return (row, None);
            }
        };
        let mut tested = run_tests(&program, &self.tests, self.by, self.reference.is_none(), stop);
        let compared = self.compared(&program, &tested, stop);
        let different = compared.as_ref().filter(|found| found.verdict == Equivalence::Different);
        let verdict = verdict(&tested, compared.as_ref());
        let mut row = Row::new(verdict, message(&tested, compared.as_ref()));
        row.failed = names(&tested);
        if verdict != Verdict::Fails && different.is_none() {
            return (row, None);
        }
        row.way = way(&tested, different);
        // A test that fails is what a link opens; without one, the difference.
        let test = shown(&tested).or_else(|| Some(as_text(&as_test(different?)?)));
        if tested.verdict != TestVerdict::Fails {
            // The difference is the test that fails.
            let mut tests = self.tests.clone();
            tests.extend(different.and_then(as_test));
            tested = run_tests(&program, &tests, self.by, true, stop);
        } else if self.reference.is_some() {
            tested = run_tests(&program, &self.tests, self.by, true, stop);
        }
        show(&mut row, &tested, different);
        (row, test)
    }

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
