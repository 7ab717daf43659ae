//! Writes what `--harness` and `--input-file` ask for: the failing run as a test for everybody.

use super::arguments::{Common, Leaves};
use super::console;
use crate::wire::harness::{Harness, HarnessAnswer};
use std::path::Path;

/// What the program is called in the file.
pub(super) fn called(common: &Common) -> String {
    match common.file.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "program.c".to_string(),
    }
}

/// Writes the files; of a run that leaves as no test, says why on standard error. The error is a
/// message: a file cannot be written.
pub(super) fn write(leaves: &Leaves, made: impl FnOnce() -> HarnessAnswer) -> Result<(), String> {
    if leaves.harness.is_none() && leaves.input_file.is_none() {
        return Ok(());
    }
    let Harness { text, input } = match made() {
        HarnessAnswer::Written(harness) => harness,
        HarnessAnswer::Refused(why) => {
            console::tell(&format!("faultline: {why}; nothing is written\n"));
            return Ok(());
        }
    };
    if let Some(path) = &leaves.harness {
        to(path, text.as_bytes())?;
    }
    match (&leaves.input_file, input) {
        (Some(path), Some(input)) => to(path, &input)?,
        (Some(path), None) => console::tell(&format!(
            "faultline: the run reads no input; {} is not written\n",
            path.display()
        )),
        (None, _) => {}
    }
    Ok(())
}

fn to(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes)
        .map_err(|error| format!("faultline: cannot write {}: {error}\n", path.display()))
}
