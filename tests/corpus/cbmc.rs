//! `c/cbmc`: programs of CBMC's own regression suite, each with the checks that its task asks for.
//!
//! The command is run as it is, so that whichever engine decides counts. Known answers are CBMC's.
//! A few rest on its own semantics, or on options that have no place here.

use std::path::Path;
use std::process::Command;

/// What is answered otherwise: file, verdict that is given, why.
const EXCEPTIONS: [(&str, &str, &str); 7] = [
    ("cbmc__Failed_Symbols1.c", "unsafe", "it writes through a pointer that nothing set"),
    ("cbmc__Pointer_Arithmetic4.c", "unsafe", "`a - 1` leads outside of its array"),
    ("cbmc__Pointer_array6.c", "unsafe", "it writes through a misaligned pointer"),
    ("cbmc__byte_update12.c", "unsafe", "the length of `char A[x]` may be 0"),
    ("cbmc__empty_compound_type1.c", "unsafe", "it reads an `int` of an empty struct"),
    ("cbmc__float-nan-check.c", "safe", "only an option makes a result that is no number an error"),
    ("cbmc__malloc-may-fail.c", "safe", "only an option lets `malloc` fail"),
];

/// Of a hundred programs at least so many are answered rightly in the time of this test.
const RIGHT: usize = 60;

pub(crate) fn known_answers(corpus: &Path) {
    let folder = corpus.join("c/cbmc");
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("an index");
    let (mut all, mut right, mut wrong) = (0, 0, Vec::new());
    for line in index.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, known, checks, ..] = columns[..] else { panic!("columns: {line}") };
        all += 1;
        let found = verdict(&folder.join(file), checks);
        let excepted = |(name, given, _): &(&str, &str, &str)| *name == file && *given == found;
        match (found.as_str(), known) {
            (found, known) if found == known => right += 1,
            ("safe" | "unsafe", _) if !EXCEPTIONS.iter().any(excepted) => {
                wrong.push(format!("{file}: known {known}, found {found}"));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(100 * right >= RIGHT * all, "{right} of {all}");
}

/// The verdict of the command; "refused" if it reads no program.
fn verdict(file: &Path, checks: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_faultline"))
        .args(["check", "--bits", "32", "--max-steps", "1000000", "--timeout", "4"])
        .args(["--format", "json", "--check", checks])
        .arg(file)
        .output()
        .expect("the command runs");
    let report: Option<serde_json::Value> = serde_json::from_slice(&output.stdout).ok();
    let verdict = report.as_ref().and_then(|report| report["verdict"].as_str());
    match (verdict, output.status.code()) {
        (Some(verdict), _) => verdict.to_string(),
        (None, Some(2)) => "refused".to_string(),
        (None, code) => panic!("{}: ended with {code:?}", file.display()),
    }
}
