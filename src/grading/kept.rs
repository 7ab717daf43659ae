//! Answers that are kept: one small JSON file for each submission. A run that goes on after an
//! interruption takes them, if program, tests, reference and options are the same.

use crate::judge::Judge;
use crate::row::Row;
use crate::submissions::{Source, Submission};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Changes when an answer means something else.
const FORMAT: &str = concat!("2 ", env!("CARGO_PKG_VERSION"));

#[derive(Serialize, Deserialize)]
struct Kept {
    fingerprint: String,
    row: Row,
}

/// A digest of all that an answer depends on.
pub(crate) fn fingerprint(judge: &dyn Judge, source: &Source) -> String {
    let mut bytes = Vec::new();
    let mut add = |part: &[u8]| {
        // The length first, so that nothing moves from one part to the next.
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    };
    add(FORMAT.as_bytes());
    add(judge.basis());
    add(source.text.as_bytes());
    for (name, text) in &source.headers {
        add(name.as_bytes());
        add(text.as_bytes());
    }
    judge.digest(&bytes)
}

/// The file of a submission. Its name is made of letters, digits, `-` and `_` only, and of a digest
/// that tells names apart that become the same by that.
pub(crate) fn file(folder: &Path, judge: &dyn Judge, submission: &Submission) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = submission.name.chars().take(60).map(plain).collect();
    let digest = judge.digest(submission.file.as_bytes());
    folder.join(format!("{name}-{}.json", digest.get(..8).unwrap_or(&digest)))
}

/// The answer that is kept, if it is to the same question.
pub(crate) fn load(file: &Path, fingerprint: &str) -> Option<Row> {
    let kept: Kept = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    (kept.fingerprint == fingerprint).then_some(kept.row)
}

/// Keeps an answer. A file is there as a whole or not at all.
pub(crate) fn save(file: &Path, fingerprint: String, row: &Row) -> io::Result<()> {
    let kept = Kept { fingerprint, row: row.clone() };
    let text = serde_json::to_string_pretty(&kept)?;
    let part = file.with_extension("part");
    fs::write(&part, text + "\n")?;
    fs::rename(&part, file)
}
