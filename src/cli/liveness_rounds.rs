//! The rounds of the refinement loop for formulas and termination, as text.

use super::text::line;
use crate::draw::liveness_rounds::fate;
use crate::draw::words::counted;
use crate::wire::liveness::{LassoRoundReport, LassoStep};

/// The most predicates of a round that are printed, and the most steps of a run.
const MOST: usize = 12;

/// Prints the rounds.
pub(super) fn rounds(out: &mut String, rounds: &[LassoRoundReport]) {
    for round in rounds {
        line(out, "");
        line(
            out,
            &format!(
                "round {}: {}, at most {} at a place",
                round.round,
                counted(round.predicates.into(), "predicate"),
                round.bits
            ),
        );
        let nothing = round.prefix.is_empty() && round.cycle.is_empty() && round.squares == 0;
        if nothing && round.least.is_none() && !round.real {
            line(out, "  The abstraction has no run of this kind.");
            continue;
        }
        steps(out, "to the cycle", &round.prefix);
        steps(out, "the cycle", &round.cycle);
        line(out, &format!("  {}", fate(round)));
        for one in round.added.iter().take(MOST) {
            line(out, &format!("  new  line {} ({})  {}", one.line, one.procedure, one.formula));
        }
        if round.added.len() > MOST {
            line(out, &format!("  … and {} more", round.added.len() - MOST));
        }
        if !round.followed.is_empty() {
            let named = round.followed.join(", ");
            line(out, &format!("  From then on each bit of these is a predicate: {named}."));
        }
    }
}

fn steps(out: &mut String, what: &str, steps: &[LassoStep]) {
    let shown = steps.iter().take(MOST);
    let mut texts: Vec<String> =
        shown.map(|step| format!("{} {}", step.line, step.statement)).collect();
    if steps.len() > MOST {
        texts.push(format!("… {} more", steps.len() - MOST));
    }
    if texts.is_empty() {
        texts.push("no statement".to_string());
    }
    line(out, &format!("  {what}: {}", texts.join("; ")));
}
