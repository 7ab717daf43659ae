//! `--suspects`: suspicious statements, after the report of `localize`.

use super::clock::Clock;
use super::text::line;
use crate::draw::words::{counted, grouped, limit_sentence, lines};
use crate::report::suspects::suspects_report;
use crate::session::SuspectsSession;
use crate::wire::suspects::{SuspectReport, SuspectsReport};

/// Most statements that the text lists.
const LISTED: usize = 20;

/// Runs the search for suspicious statements, if there is one.
pub(super) fn find(clock: &Clock, session: Option<SuspectsSession>) -> Option<SuspectsReport> {
    let mut session = session?;
    clock.run(&mut session);
    Some(suspects_report(&session))
}

/// The suspicious statements as text.
pub(super) fn text(found: Option<&SuspectsReport>) -> String {
    let mut out = String::new();
    let Some(found) = found else { return out };
    line(&mut out, "");
    let SuspectsReport { known_failing, known_passing, changes_tried, .. } = found;
    let changes = counted(*changes_tried, "small change");
    line(
        &mut out,
        &format!(
            "Suspicious statements ({known_failing} failing and {known_passing} passing runs known, {changes} executed)"
        ),
    );
    let (mended, rest): (Vec<&SuspectReport>, Vec<&SuspectReport>) =
        found.suspects.iter().partition(|suspect| suspect.change.is_some());
    for (number, suspect) in (1u32..).zip(mended.iter().take(LISTED)) {
        line(&mut out, &format!("{number:>4}. line {}: {}", suspect.line, suspect.statement));
        line(&mut out, &format!("      {}.", suspect.sentence));
    }
    if mended.len() > LISTED {
        line(&mut out, &format!("      and {} more", grouped((mended.len() - LISTED) as u64)));
    }
    if !rest.is_empty() {
        let mut own: Vec<u32> = Vec::new();
        for suspect in &rest {
            if !own.contains(&suspect.line) {
                own.push(suspect.line);
            }
        }
        let behind = if mended.is_empty() { "What" } else { "Next, what" };
        line(
            &mut out,
            &format!(
                "      {behind} the failure depends on, from the end of the failing run: {}.",
                lines(&own)
            ),
        );
    }
    for note in &found.notes {
        line(&mut out, &format!("      {note}."));
    }
    if let Some(limit) = found.limit {
        line(&mut out, &format!("Not all statements were looked at: {}", limit_sentence(limit)));
    }
    out
}
