//! The words of the refinement loop for formulas and termination, for page and command line.

use crate::draw::words::counted;
use crate::wire::cegar_options::CegarPhase;
use crate::wire::liveness::LassoRoundReport;

/// What a phase of a round came to, in a few words and in a sentence or two. Empty where the words
/// of the loop for assertions say it as well.
pub fn phase(round: &LassoRoundReport, phase: CegarPhase) -> Vec<String> {
    let found = !round.cycle.is_empty() || round.real || round.least.is_some();
    let statements = |count: usize| counted(count as u64, "statement");
    let (prefix, cycle) = (statements(round.prefix.len()), statements(round.cycle.len()));
    let (short, long) = match phase {
        CegarPhase::Check if !found => (
            "no lasso left".to_string(),
            "The abstract program, beside the automaton of what violates the formula, has no cycle \
             that accepts."
                .to_string(),
        ),
        CegarPhase::Check => (
            format!("a cycle of {cycle}"),
            format!(
                "The abstract program has a run that violates the formula: {prefix}, and then for \
                 ever a cycle of {cycle}."
            ),
        ),
        CegarPhase::Dag => {
            let squares = counted(round.squares.into(), "square");
            let unrolled = match round.least {
                Some(0) => "The run to the cycle is the trace that is shown.".to_string(),
                Some(least) => format!(
                    "The trace that is shown goes to the cycle and then round it {}.",
                    counted(least, "time")
                ),
                None => "Nothing is to be excluded, so no trace is drawn.".to_string(),
            };
            let long = format!("{} {squares} of the cycle's relation say so. {unrolled}", fate(round));
            (lowered(fate(round).trim_end_matches('.')), long.trim_end().to_string())
        }
        CegarPhase::Prove => (
            "invariant and ranking".to_string(),
            "No cycle that accepts is left. The invariant and the ranking that the abstraction has \
             are proved of the program by checks of their own."
                .to_string(),
        ),
        _ => return Vec::new(),
    };
    vec![short, long]
}

fn lowered(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// What became of the abstract lasso, in a sentence.
pub fn fate(round: &LassoRoundReport) -> String {
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
