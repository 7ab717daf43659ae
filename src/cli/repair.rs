//! `--repairs`: suggested repairs, after the report of `localize` or `focus`.

use super::clock::Clock;
use super::text::line;
use crate::draw::words::limit_words;
use crate::report::repair::repairs_report;
use crate::session::RepairSession;
use crate::wire::repair::RepairsReport;

/// Runs the search for repairs, if there is one.
pub(super) fn find(clock: &Clock, session: Option<RepairSession>) -> Option<RepairsReport> {
    let mut session = session?;
    clock.run(&mut session);
    Some(repairs_report(&session))
}

/// The repairs as text.
pub(super) fn text(repairs: Option<&RepairsReport>) -> String {
    let mut out = String::new();
    let Some(repairs) = repairs else { return out };
    line(&mut out, "");
    let how = format!("{} edits tried, {} checked", repairs.tried, repairs.checked);
    match repairs.repairs.is_empty() {
        true => line(&mut out, &format!("No repair found ({how})")),
        false => line(&mut out, &format!("Suggested repairs ({how})")),
    }
    let first_weaker = repairs.repairs.iter().position(|repair| repair.weakens_check);
    for (number, repair) in (1u32..).zip(&repairs.repairs) {
        if first_weaker == Some(number as usize - 1) {
            line(&mut out, "  Weakens the check: only how the error is noticed changes.");
        }
        line(&mut out, &format!("{number:>4}. {}.", repair.sentence));
        line(&mut out, &format!("      {}.", repair.claim));
        if !repair.unreached.is_empty() {
            let lines: Vec<String> = repair.unreached.iter().map(u32::to_string).collect();
            line(
                &mut out,
                &format!("      Not executed by any run any more: lines {}.", lines.join(", ")),
            );
        }
    }
    for refuted in &repairs.refuted {
        line(&mut out, &format!("      {}.", refuted.reason));
    }
    if let Some(limit) = repairs.limit {
        line(&mut out, &format!("There may be more repairs: {}", limit_words(limit)));
    }
    out
}
