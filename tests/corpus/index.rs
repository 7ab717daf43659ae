//! Where the corpus is, and what its index files say.

use std::path::{Path, PathBuf};

/// A case of the corpus.
pub(crate) struct Case {
    /// Relative to the corpus, as the index spells it.
    pub(crate) name: String,
    /// Its text; bytes that are not UTF-8 are replaced.
    pub(crate) source: String,
    /// The second column: the known answer.
    pub(crate) known: String,
}

/// Where the corpus should be; the folder may be missing.
pub(crate) fn folder() -> PathBuf {
    let beside = || PathBuf::from("../shared/cases");
    std::env::var_os("FAULTLINE_CASES").map_or_else(beside, PathBuf::from)
}

/// The same for measurements; `None` and a printed line if it is missing.
#[allow(dead_code)]
pub(crate) fn folder_or_line() -> Option<PathBuf> {
    let found = folder();
    if !found.is_dir() {
        println!("left out: the corpus, as there is no folder {}", found.display());
    }
    Some(found).filter(|found| found.is_dir())
}

/// The cases of an index file (`c/index.tsv`), in its order; columns are separated by tabs, lines
/// that start with `#` are comments.
pub(crate) fn cases(folder: &Path, index: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(folder.join(index)).expect("the corpus has its index");
    let case = |line: &str| {
        let mut columns = line.split('\t');
        let name = columns.next().unwrap_or_default().to_string();
        let known = columns.next().unwrap_or_default().to_string();
        let bytes =
            std::fs::read(folder.join(&name)).expect("the index names files that are there");
        Case { name, source: String::from_utf8_lossy(&bytes).into_owned(), known }
    };
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(case)
        .collect()
}
