//! The rounds of the refinement loop for formulas and termination, as text.

use super::text::line;
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

/// What became of the abstract lasso, in a sentence.
fn fate(round: &LassoRoundReport) -> String {
    match round.least {
        None if round.real => "The cycle can be executed for ever.".to_string(),
        None => "It is not known how often the cycle can be executed.".to_string(),
        Some(0) => "The run to the cycle cannot be executed.".to_string(),
        Some(least) => format!("The cycle cannot be executed {}.", time(least)),
    }
}

/// "a 3rd time"
fn time(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    let article = if n == 8 || n == 11 || n == 18 || n / 10 == 8 { "an" } else { "a" };
    format!("{article} {n}{ending} time")
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn ordinals() {
        let words = [1, 2, 3, 4, 8, 11, 12, 21, 80, 113].map(time);
        assert_eq!(words[..4], ["a 1st time", "a 2nd time", "a 3rd time", "a 4th time"]);
        assert_eq!(words[4..7], ["an 8th time", "an 11th time", "a 12th time"]);
        assert_eq!(words[7..], ["a 21st time", "an 80th time", "a 113th time"]);
    }
}
