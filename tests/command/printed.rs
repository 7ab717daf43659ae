//! What the command prints of the papers' figures, as whole texts: `tests/golden/*/*.txt`, each
//! with its commands (`$ faultline …`), what they print, and how they exit. These pin wording and
//! layout. What must come out is stated from the papers elsewhere (`tests/localize` and the modules
//! next to this one).
//!
//! `UPDATE_EXPECT=1` writes the texts anew; read the difference. How much work it was is no part of
//! them.

use expect_test::expect_file;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The golden texts of a folder below `tests/golden`.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of a paper");
    let mut texts: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    texts.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    texts.sort();
    texts
}

/// The numbers of a line that count work become `…`: those before `step` (one or many) and before
/// `decision-diagram`, and those behind the keys of statistics.
fn without_work(line: &str) -> String {
    const KEYS: [&str; 5] =
        ["\"check_steps\":", "\"cause_steps\":", "\"peak_nodes\":", "\"steps\":", "\"bytes\":"];
    if let Some((key, rest)) =
        line.split_once(": ").filter(|_| KEYS.iter().any(|key| line.trim_start().starts_with(key)))
    {
        return format!("{key}: …{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    let mut words: Vec<&str> = line.split(' ').collect();
    for k in 1..words.len() {
        let counts_steps = words[k].trim_end_matches(',').trim_end_matches('s') == "step";
        if counts_steps && words[k - 1].starts_with(|c: char| c.is_ascii_digit()) {
            words[k - 1] = "…";
            words[k] = if words[k].ends_with(',') { "steps," } else { "steps" };
        } else if words[k] == "decision-diagram" {
            words[k - 1] = "…";
        }
    }
    words.join(" ")
}

/// The commands of a text, run in its folder, with what they print.
fn printed(text: &str, folder: &Path) -> String {
    let mut printed = String::new();
    for line in text.lines().filter(|line| line.starts_with("$ faultline ")) {
        let words: Vec<&str> = line.split_whitespace().skip(2).collect();
        let output = Command::new(env!("CARGO_BIN_EXE_faultline"))
            .args(&words)
            .current_dir(folder)
            .output()
            .expect("the command was built");
        assert!(output.stderr.is_empty(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let told = String::from_utf8(output.stdout).expect("the command speaks UTF-8");
        let told: Vec<String> = told.lines().map(without_work).collect();
        let code = output.status.code().expect("it was not killed");
        printed.push_str(&format!("{line}\n{}\n[exit {code}]\n\n", told.join("\n")));
    }
    printed.truncate(printed.trim_end().len());
    printed.push('\n');
    printed
}

fn compare(paper: &str, least: usize) {
    let folder = std::path::absolute("tests/golden").unwrap().join(paper);
    let texts = texts(&folder);
    assert!(texts.len() >= least, "only {} golden texts", texts.len());
    for path in texts {
        let golden = expect_file![&path];
        golden.assert_eq(&printed(&golden.data(), &folder));
    }
}

#[test]
fn causes() {
    compare("localize", 8);
}

#[test]
fn focus_sequences() {
    compare("focus", 6);
}

#[test]
fn lassos_and_proofs() {
    compare("liveness", 1);
}

#[test]
fn refinement() {
    compare("cegar", 1);
}

#[test]
fn runs_and_failures() {
    compare("runs", 1);
}

#[test]
fn races_and_schedules() {
    compare("threads", 1);
}

#[test]
fn work_is_left_out() {
    assert_eq!(
        without_work("  24 steps to check, 1,640 steps to find the cause"),
        "  … steps to check, … steps to find the cause"
    );
    assert_eq!(
        without_work("  24 steps to check, 1 step to find the cause"),
        "  … steps to check, … steps to find the cause"
    );
    assert_eq!(without_work("      \"check_steps\": 1234,"), "      \"check_steps\": …,");
    assert_eq!(
        without_work("at most 12 decision-diagram nodes at once, 1 step"),
        "at most … decision-diagram nodes at once, … steps"
    );
    for kept in [
        "A shortest failing run: 5 statements",
        "  step  line",
        "  by steps alone: 2 of 4 transitions (line 4)",
    ] {
        assert_eq!(without_work(kept), kept);
    }
}
