//! Suggested repairs: an edit of the source, and what a check of the edited program said about it.

use crate::util::Limit;
use serde::{Deserialize, Serialize};

/// What sort of edit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairKind {
    /// A variable gets a value at the start of a block: the negation of a focus sequence's
    /// assumption over this variable alone.
    Initialisation,
    /// A statement of the program that the failing run lacks is put where the run has none.
    MissingStatement,
    /// The right side is that of another assignment to a variable of this name.
    SameShape,
    /// A number is another number.
    Constant,
    /// A variable or called procedure is another one (or a number).
    Variable,
    /// Two arguments change places.
    Swap,
    /// An operator is another operator.
    Operator,
    /// A condition, or a part of it, is negated.
    Negation,
    /// A part of a condition is left out.
    DroppedPart,
    /// A condition gets one more part, which the program has elsewhere.
    AddedPart,
}

/// What the check of the edited program proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verified {
    /// No run of the edited program fails.
    NoRunFails,
    /// The error of the failing run cannot be reached any more; another one can.
    ThisErrorGone,
}

/// A verified repair: one edit, to be applied to the text that was analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairReport {
    /// Where the replaced text starts: 1-based line, and 1-based column in characters (Unicode
    /// scalar values).
    pub line: u32,
    /// See `line`.
    pub column: u32,
    /// Where it ends, exclusive; the same place as the start if text is only inserted.
    pub end_line: u32,
    /// See `end_line`.
    pub end_column: u32,
    /// The text that is replaced; empty if text is only inserted.
    pub replaced: String,
    /// The text that comes in its place; never has a line break.
    pub replacement: String,
    /// What sort of edit.
    pub kind: RepairKind,
    /// What to do, in a sentence.
    pub sentence: String,
    /// What was proved.
    pub verified: Verified,
    /// The same in a sentence; names the errors that stay.
    pub claim: String,
    /// Does it change a statement that only reports the error, as `sorted = false` before
    /// `assert(sorted)`? Such edits come last: they weaken the check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weakens_check: bool,
    /// Lines of the failing run on which no run executes anything after the edit; ascending. Mostly
    /// empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<u32>,
}

/// An initialisation that does not hold: the edited program fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefutedReport {
    /// Where text is inserted, as in [`RepairReport`].
    pub line: u32,
    /// See `line`.
    pub column: u32,
    /// What is inserted.
    pub replacement: String,
    /// Why not, in a sentence: where the edited program still fails.
    pub reason: String,
}

/// All that was tried. Stands beside the report of `localize` or `focus`, in one object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairsReport {
    /// Best first.
    pub repairs: Vec<RepairReport>,
    /// Initialisations that were tried and do not hold.
    #[serde(default, rename = "refuted_repairs", skip_serializing_if = "Vec::is_empty")]
    pub refuted: Vec<RefutedReport>,
    /// Edits that were looked at.
    #[serde(default, rename = "edits_tried")]
    pub tried: u32,
    /// Edited programs that were checked; the others could not be read, or failed on a run that was
    /// known.
    #[serde(default, rename = "edits_checked")]
    pub checked: u32,
    /// A limit that came first: there may be more repairs.
    #[serde(default, rename = "repairs_limit", skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

impl RepairReport {
    /// The source with the edit; `None` if the source is not the one that it was made for.
    pub fn apply(&self, source: &str) -> Option<String> {
        let start = offset(source, self.line, self.column)?;
        let end = offset(source, self.end_line, self.end_column)?;
        let before = source.get(start..end)?;
        (before == self.replaced)
            .then(|| format!("{}{}{}", &source[..start], self.replacement, &source[end..]))
    }
}

/// The byte at a 1-based line and column in characters; `None` if there is none.
pub fn offset(source: &str, line: u32, column: u32) -> Option<usize> {
    let before: Vec<&str> =
        source.split_inclusive('\n').take(line.checked_sub(1)? as usize).collect();
    if before.len() + 1 < line as usize {
        return None;
    }
    let start: usize = before.iter().map(|line| line.len()).sum();
    let mut place = start;
    let mut rest = source[start..].chars();
    for _ in 1..column {
        let character = rest.next().filter(|character| *character != '\n')?;
        place += character.len_utf8();
    }
    (column > 0).then_some(place)
}

/// The 1-based line and column (in characters) of a byte; the source's end for what is behind it.
pub fn place(source: &str, byte: usize) -> (u32, u32) {
    let mut byte = byte.min(source.len());
    while !source.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &source[..byte];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() as u32 + 1, before[line_start..].chars().count() as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_bytes_agree() {
        let source = "ä = 1;\n\nx = 2;";
        for (byte, _) in source.char_indices() {
            let (line, column) = place(source, byte);
            assert_eq!(offset(source, line, column), Some(byte), "{line}:{column}");
        }
        assert_eq!(place(source, 4), (1, 4));
        assert_eq!(offset(source, 9, 1), None);
        assert_eq!(offset(source, 1, 40), None);
        assert_eq!(offset(source, 3, 7), Some(source.len()));
    }

    #[test]
    fn an_edit_of_another_text_is_refused() {
        let repair = RepairReport {
            line: 1,
            column: 5,
            end_line: 1,
            end_column: 6,
            replaced: "1".to_string(),
            replacement: "2".to_string(),
            kind: RepairKind::Constant,
            sentence: String::new(),
            verified: Verified::NoRunFails,
            claim: String::new(),
            weakens_check: false,
            unreached: Vec::new(),
        };
        assert_eq!(repair.apply("x = 1;").as_deref(), Some("x = 2;"));
        assert_eq!(repair.apply("x = 3;"), None);
        assert_eq!(repair.apply(""), None);
    }
}
