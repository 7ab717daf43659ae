//! `faultline test` and `faultline equivalent`: what a program should do, said by tests or by a
//! reference solution.

use super::arguments::{Equivalent, Format, Test};
use super::console::{self, MOST_BYTES};
use super::diagnostics;
use super::text::Style;
use crate::draw::closest::closest;
use crate::draw::testing::{change, comparison, covered, headline, kind, no_value, what_is_wrong};
use crate::lang::diagnostic::Diagnostic;
use crate::report::json;
use crate::report::testing::{Refused, compared, tests};
use crate::wire::report::Verdict;
use crate::wire::testing::{
    Equivalence, EquivalentReport, EquivalentRequest, TestReport, TestResult, TestText,
    TestVerdict, TestsReport, TestsRequest,
};
use faultline_testing::program::Files;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Suspected lines that are printed.
const SHOWN: usize = 5;

/// Runs tests and prints the table.
pub(super) fn print_tests(arguments: &Test) -> Result<Verdict, String> {
    refuse_formats(arguments.format)?;
    let request = TestsRequest {
        source: read_text(&arguments.file)?,
        tests: folders(&arguments.tests)?,
        compare: arguments.compare.clone(),
        explain: arguments.explain,
        ..TestsRequest::default()
    };
    let end = Instant::now() + Duration::from_secs_f64(arguments.timeout);
    let files = beside(&arguments.file);
    let report = tests(&request, &files, &|| Instant::now() >= end)
        .map_err(|refused| complaint(refused, [(&arguments.file, &request.source); 2]))?;
    console::print(&match arguments.format {
        Format::Json => json::render(&report),
        _ => tests_text(&report, arguments.explain),
    })?;
    Ok(match report.verdict {
        TestVerdict::Passes => Verdict::Safe,
        TestVerdict::Fails => Verdict::Unsafe,
        TestVerdict::Unknown => Verdict::Unknown,
    })
}

/// Compares a program with its reference and prints the answer.
pub(super) fn print_comparison(arguments: &Equivalent) -> Result<Verdict, String> {
    refuse_formats(arguments.format)?;
    let request = EquivalentRequest {
        source: read_text(&arguments.file)?,
        reference: read_text(&arguments.reference)?,
        domain: arguments.input.clone(),
        tests: folders(&arguments.tests)?,
        compare: arguments.compare.clone(),
    };
    let end = Instant::now() + Duration::from_secs_f64(arguments.timeout);
    let files = beside(&arguments.file);
    let sources = [(&arguments.file, &request.source), (&arguments.reference, &request.reference)];
    let report = compared(&request, &files, &|| Instant::now() >= end)
        .map_err(|refused| complaint(refused, sources))?;
    if let (Some(name), Some(input), Some(expected)) =
        (&arguments.keep, &report.input, &report.expected)
    {
        keep(name, input, expected)?;
    }
    console::print(&match arguments.format {
        Format::Json => json::render(&report),
        _ => comparison_text(&report),
    })?;
    Ok(match report.verdict {
        Equivalence::Equal => Verdict::Safe,
        Equivalence::Different => Verdict::Unsafe,
        Equivalence::Unknown => Verdict::Unknown,
    })
}

/// Writes a test. What is there already is not overwritten.
fn keep(name: &Path, input: &str, expected: &str) -> Result<(), String> {
    for (extension, text) in [("in", input), ("out", expected)] {
        let mut file = name.as_os_str().to_owned();
        file.push(".");
        file.push(extension);
        let file = PathBuf::from(file);
        let shown = file.display();
        let written = fs::OpenOptions::new().write(true).create_new(true).open(&file);
        let written =
            written.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
        written.map_err(|error| format!("faultline: cannot write {shown}: {error}\n"))?;
    }
    Ok(())
}

pub(super) fn refuse_formats(format: Format) -> Result<(), String> {
    match format {
        Format::Text | Format::Json => Ok(()),
        _ => Err("faultline: this answer is text or json\n".to_string()),
    }
}

/// The text of a file. Bytes that are no UTF-8 (in comments of old programs) are replaced.
pub(super) fn read_text(file: &Path) -> Result<String, String> {
    let name = file.display();
    let unread = |error| format!("faultline: cannot read {name}: {error}\n");
    if fs::metadata(file).map_err(unread)?.len() > MOST_BYTES {
        return Err(format!("faultline: {name} has more than {} MB\n", MOST_BYTES >> 20));
    }
    let bytes = fs::read(file).map_err(unread)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The headers and sources beside a program, which it may include.
pub(super) fn beside(file: &Path) -> Files {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().take(2000) {
        let path = entry.path();
        let header = path.extension().is_some_and(|extension| extension == "h");
        if header && let (Some(name), Ok(text)) = (path.file_name(), read_text(&path)) {
            files.push((name.to_string_lossy().into_owned(), text));
        }
    }
    Rc::new(files)
}

/// The tests of folders, by name.
pub(super) fn folders(folders: &[PathBuf]) -> Result<Vec<TestText>, String> {
    let mut tests = Vec::new();
    for folder in folders {
        let shown = folder.display();
        let entries = fs::read_dir(folder)
            .map_err(|error| format!("faultline: cannot read {shown}: {error}\n"))?;
        let mut inputs: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        inputs.retain(|path| path.extension().is_some_and(|extension| extension == "in"));
        inputs.sort();
        if inputs.is_empty() {
            return Err(format!("faultline: {shown} has no tests: NAME.in with NAME.out\n"));
        }
        for input in inputs {
            let output = input.with_extension("out");
            if !output.exists() {
                let (input, output) = (input.display(), output.display());
                return Err(format!("faultline: {input} has no expected output {output}\n"));
            }
            let name = input.file_stem().map(|name| name.to_string_lossy().into_owned());
            tests.push(TestText {
                name: name.unwrap_or_default(),
                input: read_text(&input)?,
                expected: read_text(&output)?,
            });
        }
    }
    Ok(tests)
}

pub(super) fn complaint(refused: Refused, sources: [(&PathBuf, &String); 2]) -> String {
    let shown = |diagnostic: Diagnostic, (file, source): (&PathBuf, &String)| {
        let name = file.to_string_lossy();
        diagnostics::render(&name, source, &[diagnostic], Style::of_errors())
    };
    match refused {
        Refused::Program(diagnostic) => shown(diagnostic, sources[0]),
        Refused::Reference(diagnostic) => shown(diagnostic, sources[1]),
        Refused::NoTests => "faultline: there is no test; name a folder with --tests, or write one into a comment: `/*! test NAME`, the input, `---`, the expected output, `*/`\n".to_string(),
        Refused::Comparison(name) => format!("faultline: `{name}` is no way to compare outputs\n"),
        Refused::Domain(message) => format!("faultline: --input: {message}\n"),
    }
}

fn tests_text(report: &TestsReport, explain: bool) -> String {
    let mut text = headline(report) + "\n";
    let width = report.tests.iter().map(|test| test.name.chars().count()).max().unwrap_or(0);
    for test in &report.tests {
        let line = test.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        let wrong = what_is_wrong(test);
        let line = if test.result == TestResult::Passed { String::new() } else { line };
        let row = format!("  {:width$}  {:7}  {wrong}{line}", test.name, test.result.word());
        let _ = writeln!(text, "{}", row.trim_end());
        if let Some(told) = no_value(test) {
            let _ = writeln!(text, "  {:width$}           {told}", "");
        }
    }
    if let Some(found) = &report.coverage {
        let _ = writeln!(text, "{}", covered(found));
    }
    if !report.suspects.is_empty() {
        text.push_str("Look first at\n");
    }
    for suspect in report.suspects.iter().take(SHOWN) {
        let told = match (change(suspect), &suspect.kind) {
            (Some(change), _) => change,
            (None, Some(word)) => kind(word).to_string(),
            (None, None) => String::new(),
        };
        let row = format!("  line {:<4} {:.2}  {told}", suspect.line, suspect.score);
        let _ = writeln!(text, "{}", row.trim_end());
    }
    if report.cut {
        let _ = writeln!(text, "The time was up after {} changes.", report.tried);
    }
    beside_passing(&mut text, report);
    if explain && report.only_ranked && report.verdict == TestVerdict::Fails {
        text.push_str(
            "The lines are ranked by which tests pass them. No changes are tried for Java.\n",
        );
    }
    if !explain && report.verdict == TestVerdict::Fails {
        text.push_str(match report.only_ranked {
            true => "--explain ranks the lines.\n",
            false => {
                "--explain ranks the lines, and searches for a change with which all tests pass.\n"
            }
        });
    }
    text
}

/// Failing runs beside the passing runs that are closest to them.
fn beside_passing(text: &mut String, report: &TestsReport) {
    let compared = || {
        let of = |test: &'_ TestReport| Some((test.name.clone(), test.closest.clone()?));
        report.tests.iter().filter_map(of)
    };
    if compared().next().is_some() {
        text.push_str("Failing runs beside passing ones\n");
    }
    for (name, found) in compared().take(SHOWN) {
        let _ = writeln!(text, "  {name}");
        for told in closest(&found) {
            let _ = writeln!(text, "    {told}");
        }
    }
    let more = compared().count().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(text, "  {more} more: --format json has them");
    }
}

fn comparison_text(report: &EquivalentReport) -> String {
    let mut text = comparison(report) + "\n";
    let origin =
        if report.inferred { ", read off the reference (--input says another one)" } else { "" };
    let domain = if report.domain.is_empty() { "no input" } else { &report.domain };
    let _ = writeln!(text, "  inputs: {domain}{origin}");
    if report.skipped > 0 {
        let _ = writeln!(
            text,
            "  {} inputs did not count: on them the reference fails, or a run hits a limit",
            report.skipped
        );
    }
    if let Some(test) = &report.test {
        for (what, block) in
            [("input", &test.input), ("program", &test.got), ("reference", &test.expected)]
        {
            let _ = writeln!(text, "  {what}:");
            for line in block.lines() {
                let _ = writeln!(text, "    {line}");
            }
        }
        let line = test.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        let _ = writeln!(text, "  {}{line}", what_is_wrong(test));
        if let Some(told) = no_value(test) {
            let _ = writeln!(text, "  {told}");
        }
    }
    text
}
