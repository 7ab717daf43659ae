//! Suggested repairs as plain data: an edit of the source, and what a check of the edited program
//! said about it.

use crate::analysis::repair::Edit;
pub use crate::analysis::repair::RepairKind;
use crate::draw::words::limit_sentence;
use crate::lang::model::ErrorKind;
pub use crate::session::Verified;
use crate::session::{Job, Refuted, Repair, RepairSession};
use crate::util::Limit;
use serde::{Deserialize, Serialize};

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

/// The report of a search for repairs that is over.
pub fn repairs_report(session: &RepairSession) -> RepairsReport {
    let (tried, checked, _) = session.effort();
    RepairsReport {
        repairs: session.repairs().iter().map(|repair| report(session, repair)).collect(),
        refuted: session.refuted().iter().map(|refuted| refutation(session, refuted)).collect(),
        tried,
        checked,
        limit: session.limit(),
    }
}

fn report(session: &RepairSession, repair: &Repair) -> RepairReport {
    let source = session.source();
    let Edit { start, end, text, kind } = &repair.edit;
    let ((line, column), (end_line, end_column)) =
        (place(source, *start as usize), place(source, *end as usize));
    let replaced = source.get(*start as usize..*end as usize).unwrap_or_default().to_string();
    let check = &session.failing_run().check;
    let asked = match check.kind {
        ErrorKind::Assertion => {
            format!("{} in line {} is still reached", check.message, check.line)
        }
        _ => "runs still come to the end".to_string(),
    };
    let claim = match (repair.verified, repair.stays) {
        (Verified::ThisErrorGone, Some((line, _))) => {
            format!(
                "Checked: with this edit no run fails in line {}, and {asked}; another error stays, in line {line}",
                check.line
            )
        }
        _ => match session.only_line() {
            Some(line) => format!(
                "Checked: with this edit no run fails in line {line}, the only one that was asked for, and {asked}"
            ),
            None => format!("Checked: with this edit no run fails, and {asked}"),
        },
    };
    RepairReport {
        line,
        column,
        end_line,
        end_column,
        sentence: sentence(*kind, line, &replaced, text),
        replaced,
        replacement: text.clone(),
        kind: *kind,
        verified: repair.verified,
        claim,
        unreached: repair.unreached.clone(),
    }
}

fn sentence(kind: RepairKind, line: u32, replaced: &str, replacement: &str) -> String {
    let new = replacement.trim();
    match kind {
        RepairKind::Initialisation => {
            format!("Put `{new}` at the start of the block in line {line}")
        }
        RepairKind::MissingStatement if replaced.is_empty() => {
            format!("Put `{new}` into line {line}: the failing run lacks it")
        }
        RepairKind::MissingStatement => format!(
            "Write `{new}` instead of `{replaced}` in line {line}: the failing run lacks it"
        ),
        RepairKind::SameShape => {
            format!(
                "Write `{new}` instead of `{replaced}` in line {line}, as another assignment to a variable of this name does"
            )
        }
        RepairKind::Constant | RepairKind::Variable | RepairKind::Operator => {
            format!("Write `{new}` instead of `{replaced}` in line {line}")
        }
        RepairKind::Negation => format!("Negate in line {line}: `{new}` instead of `{replaced}`"),
        RepairKind::DroppedPart => format!(
            "Leave out a part of the condition in line {line}: `{new}` instead of `{replaced}`"
        ),
        RepairKind::AddedPart => {
            format!("Add to the condition in line {line}: `{new}` instead of `{replaced}`")
        }
    }
}

fn refutation(session: &RepairSession, refuted: &Refuted) -> RefutedReport {
    let (line, column) = place(session.source(), refuted.edit.start as usize);
    let replacement = refuted.edit.text.clone();
    let reason = format!(
        "Refuted: with `{}` at the start of the block in line {line} a run fails in line {}",
        replacement.trim(),
        refuted.fails.0
    );
    RefutedReport { line, column, replacement, reason }
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

/// Why not all edits were tried.
pub fn limit_words(limit: Limit) -> &'static str {
    match limit {
        Limit::Rounds => "as many edits were tried as may be",
        _ => limit_sentence(limit),
    }
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
            unreached: Vec::new(),
        };
        assert_eq!(repair.apply("x = 1;").as_deref(), Some("x = 2;"));
        assert_eq!(repair.apply("x = 3;"), None);
        assert_eq!(repair.apply(""), None);
    }
}
