//! Suggested repairs as plain data: an edit of the source, and what a check of the edited program
//! has found.

use crate::analysis::repair::Edit;
use crate::analysis::repair::search::RepairSearch;
use crate::lang::model::ErrorKind;
use crate::session::{Job, Refuted, Repair, RepairSession};
use crate::wire::repair::{
    RefutedReport, RepairKind, RepairReport, RepairsReport, Verified, place,
};

/// The report of a search for repairs that is over.
pub fn repairs_report(session: &RepairSession) -> RepairsReport {
    let search = session.search();
    RepairsReport {
        repairs: search.repairs().iter().map(|repair| report(search, repair)).collect(),
        refuted: search.refuted().iter().map(|refuted| refutation(search, refuted)).collect(),
        tried: search.effort().tried,
        checked: search.effort().checks,
        limit: session.limit(),
    }
}

fn report(search: &RepairSearch, repair: &Repair) -> RepairReport {
    let source = search.program().source.as_str();
    let Edit { start, end, text, kind } = &repair.edit;
    let ((line, column), (end_line, end_column)) =
        (place(source, *start as usize), place(source, *end as usize));
    let replaced = source.get(*start as usize..*end as usize).unwrap_or_default().to_string();
    let check = &search.program().run.check;
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
        _ => match search.program().effective.error {
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
        weakens_check: repair.weakens,
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
        RepairKind::Constant | RepairKind::Variable | RepairKind::Swap | RepairKind::Operator => {
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

fn refutation(search: &RepairSearch, refuted: &Refuted) -> RefutedReport {
    let (line, column) = place(&search.program().source, refuted.edit.start as usize);
    let replacement = refuted.edit.text.clone();
    let reason = format!(
        "Refuted: with `{}` at the start of the block in line {line} a run fails in line {}",
        replacement.trim(),
        refuted.fails.0
    );
    RefutedReport { line, column, replacement, reason }
}
