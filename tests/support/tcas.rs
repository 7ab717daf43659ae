//! The TCAS resolution advisory of the Siemens suite: each faulty version beside the original, on
//! any input.
//!
//! The versions' functions are unchanged; only `main`, which reads twelve arguments, gives way to a
//! harness. The original stands behind the version with its names prefixed, reads the same inputs,
//! and both must give the same advisory. So a version's lines keep their numbers.

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
pub(crate) const RENAMED: [&str; 9] = [
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
pub(crate) const BITS: u32 = 11;

pub(crate) fn read(folder: &Path, name: &str) -> String {
    let bytes = std::fs::read(folder.join("tcas").join(name)).expect("the corpus has this version");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Without `main` and what follows it.
pub(crate) fn functions(source: &str) -> &str {
    let end = ["\nmain(", "\nint main("]
        .iter()
        .filter_map(|head| source.find(head))
        .min()
        .expect("a version has a main");
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

pub(crate) fn harness(version: &str, original: &str) -> String {
    let read: String =
        INPUTS.iter().map(|input| format!("    {input} = __VERIFIER_nondet_int();\n")).collect();
    harness_with(version, original, &read)
}

/// The same, its inputs what the globals start with: to be loaded with globals that start with any
/// value. So what a focus sequence assumes of inputs is about the program's start.
#[allow(dead_code)]
pub(crate) fn harness_of_any_start(version: &str, original: &str) -> String {
    harness_with(version, original, "")
}

fn harness_with(version: &str, original: &str, read: &str) -> String {
    let mut text =
        format!("{}\n{}\nint main() {{\n{read}", functions(version), renamed(functions(original)));
    text.push_str("    __VERIFIER_assume(Alt_Layer_Value >= 0 && Alt_Layer_Value <= 3);\n    initialize();\n    original_initialize();\n");
    text.push_str("    int advisory = alt_sep_test();\n    int expected = original_alt_sep_test();\n    assert(advisory == expected);\n    return 0;\n}\n");
    text
}

/// The faulty versions with the lines that the index names, those left out that are no different
/// from the original.
pub(crate) fn faulty(folder: &Path) -> Vec<(String, Vec<u32>)> {
    let index =
        std::fs::read_to_string(folder.join("tcas/index.tsv")).expect("the corpus has its index");
    let row = |line: &str| {
        let (name, lines) = line.split_once('\t')?;
        let lines: Option<Vec<u32>> =
            lines.trim().split(',').map(|line| line.parse().ok()).collect();
        Some((name.to_string(), lines?))
    };
    index.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}
