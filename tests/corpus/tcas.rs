//! The TCAS resolution advisory of the Siemens suite: each faulty version against the original, on any input.
//!
//! The versions' functions are unchanged; only `main`, which reads twelve arguments, gives way to a harness. The original stands beside
//! the version with its names prefixed, reads the same inputs, and both must give the same advisory. All 41 versions load, those whose
//! projection is computed here are a sample unless `FAULTLINE_CORPUS_FULL` is set.

use crate::index::folder;
use faultline::analysis::error_projection::Method;
use faultline::lang::options::{Dialect, RequestedOptions};
use faultline::session::{Budgets, Outcome, Session, Task};
use std::path::Path;

/// The inputs, which both read and neither writes.
const INPUTS: [&str; 12] = [
    "Cur_Vertical_Sep",
    "High_Confidence",
    "Two_of_Three_Reports_Valid",
    "Own_Tracked_Alt",
    "Own_Tracked_Alt_Rate",
    "Other_Tracked_Alt",
    "Alt_Layer_Value",
    "Up_Separation",
    "Down_Separation",
    "Other_RAC",
    "Other_Capability",
    "Climb_Inhibit",
];

/// Names of the original that must not meet the version's.
const RENAMED: [&str; 9] = [
    "Positive_RA_Alt_Thresh",
    "initialize",
    "ALIM",
    "Inhibit_Biased_Climb",
    "Non_Crossing_Biased_Climb",
    "Non_Crossing_Biased_Descend",
    "Own_Below_Threat",
    "Own_Above_Threat",
    "alt_sep_test",
];

/// Holds every altitude in the program (at most 740).
const BITS: u32 = 11;

fn read(folder: &Path, name: &str) -> String {
    let bytes = std::fs::read(folder.join("tcas").join(name)).expect("the corpus has this version");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Without `main` and what follows it.
fn functions(source: &str) -> &str {
    let end = ["\nmain(", "\nint main("].iter().filter_map(|head| source.find(head)).min().expect("a version has a main");
    &source[..end + 1]
}

/// Every word of the original's own gets a prefix.
fn renamed(source: &str) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for character in source.chars().chain(std::iter::once('\n')) {
        if character.is_ascii_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        if RENAMED.contains(&word.as_str()) {
            text.push_str("original_");
        }
        text.push_str(&word);
        word.clear();
        text.push(character);
    }
    text
}

fn harness(version: &str, original: &str) -> String {
    let mut text = format!("{}\n{}\nint main() {{\n", functions(version), renamed(functions(original)));
    for input in INPUTS {
        text.push_str(&format!("    {input} = __VERIFIER_nondet_int();\n"));
    }
    text.push_str("    __VERIFIER_assume(Alt_Layer_Value >= 0 && Alt_Layer_Value <= 3);\n    initialize();\n    original_initialize();\n");
    text.push_str("    int advisory = alt_sep_test();\n    int expected = original_alt_sep_test();\n    assert(advisory == expected);\n    return 0;\n}\n");
    text
}

fn run(source: &str) -> Session {
    let requested = RequestedOptions { dialect: Some(Dialect::C), bits: Some(BITS), ..RequestedOptions::default() };
    let (mut session, diagnostics) = Session::load(source, &requested);
    assert!(session.program().is_some(), "{diagnostics:?}");
    session.start(Task::Projection(Method::Functional), Budgets { max_steps: 200_000_000, ..Budgets::default() });
    while (session.lit().is_none() || matches!(session.outcome(), Outcome::Unknown(_))) && !session.step() {}
    session
}

#[test]
fn every_faulty_version_has_a_projection() {
    let Some(folder) = folder() else { return };
    let original = read(&folder, "original.c");
    let same = run(&harness(&original, &original));
    assert_eq!(same.outcome(), Outcome::Safe);
    let index = std::fs::read_to_string(folder.join("tcas/index.tsv")).expect("the corpus has its index");
    let versions: Vec<&str> = index.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next()).collect();
    assert!(versions.len() >= 39, "{versions:?}");
    // All of them take minutes without optimisation: every eighth stands for them unless all are asked for.
    let stride = if std::env::var_os("FAULTLINE_CORPUS_FULL").is_some() { 1 } else { 8 };
    for version in &versions {
        let source = harness(&read(&folder, version), &original);
        let requested = RequestedOptions { dialect: Some(Dialect::C), bits: Some(BITS), ..RequestedOptions::default() };
        let loaded = faultline::lang::load(&source, &requested);
        assert!(loaded.program.is_some(), "{version}: {:?}", loaded.diagnostics);
    }
    let mut found = Vec::new();
    for version in versions.into_iter().step_by(stride) {
        let session = run(&harness(&read(&folder, version), &original));
        let (lit, all) = match session.lit() {
            Some(lit) => (lit.iter().filter(|lit| **lit).count(), lit.len()),
            None => panic!("{version}: no projection: {:?}", session.limit()),
        };
        assert!(matches!(session.outcome(), Outcome::Unsafe | Outcome::Safe), "{version}: {:?}", session.limit());
        assert_eq!(session.outcome() == Outcome::Unsafe, lit > 0, "{version}");
        found.push(format!("{version} {:?} {lit}/{all}", session.outcome()));
    }
    println!("TCAS: {}", found.join(", "));
}
