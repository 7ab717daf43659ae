//! What the editor is given: the text, and what is painted on it.

/// What is painted on the source. Lines are 1-based; 0 is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paint {
    /// On a failing run.
    pub(crate) lit: Vec<u32>,
    /// Statements, but on no failing run.
    pub(crate) dim: Vec<u32>,
    /// Kept by the naive projection only.
    pub(crate) cross: Vec<u32>,
    /// Where the shown run fails.
    pub(crate) fails: u32,
    /// Of the cause of the shown run.
    pub(crate) causes: Vec<u32>,
}

/// A text that the page (and not the user) puts into the editor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// Counts up with every text that the page puts in.
    pub(crate) version: u32,
    /// The text.
    pub(crate) text: String,
    /// Is it the old text with an edit, and not another program?
    pub(crate) edited: bool,
}

/// Lines in ascending order, each once.
pub(crate) fn ascending(lines: impl Iterator<Item = u32>) -> Vec<u32> {
    lines.collect::<std::collections::BTreeSet<u32>>().into_iter().collect()
}
