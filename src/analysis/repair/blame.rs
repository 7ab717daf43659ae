//! Finds the statements that alone could be to blame. Such a statement avoids the failure of every
//! known failing run if it assigns some other value, or takes its other outcome (Griesmayer,
//! Staber, Bloem 2007). A statement that is not among them is not the only fault.

use super::holes::Hole;
use super::known_runs::KnownRuns;
use super::trials::Trial;
use crate::lang::model::{EdgeId, Program, Scalar};
use std::collections::BTreeMap;

/// What is known of each statement that was asked about.
#[derive(Default)]
pub(super) struct Blame {
    by_statement: BTreeMap<EdgeId, Statement>,
}

/// What is known of a statement.
struct Statement {
    /// The statement with its value left open. `None`: it neither assigns one thing nor decides.
    hole: Option<Hole>,
    /// How many failing runs were tried.
    tried: usize,
    /// Does some other value avoid the failure in each of them?
    is_possible: bool,
}

impl Blame {
    /// Is the statement a diagnosis of all failing runs that are known by now? Returns `None` if
    /// the statement neither assigns one thing nor decides. `numbers`: constants of the program.
    pub(super) fn is_possible(
        &mut self,
        program: &Program,
        edge: EdgeId,
        numbers: &[i128],
        known: &KnownRuns,
    ) -> Option<bool> {
        let statement = self.by_statement.entry(edge).or_insert_with(|| Statement {
            hole: Hole::of_statement(program, edge),
            tried: 0,
            is_possible: true,
        });
        let hole = statement.hole.as_ref()?;
        let scalar = hole.scalar();
        let numbers = of_runs(scalar, numbers, known.failing());
        let values = values(scalar, &numbers);
        while statement.is_possible && statement.tried < known.failing().len() {
            let run = &known.failing()[statement.tried];
            statement.is_possible = hole.can_pass(run, &values, known.some_end());
            statement.tried += 1;
        }
        Some(statement.is_possible)
    }
}

/// The most values of the failing runs that are combined.
const MOST_COMBINED: usize = 6;

/// The numbers of the program, and those that the failing runs begin with or pick, with their sums
/// and differences: what the statement could assign if it named another variable.
fn of_runs(scalar: Scalar, numbers: &[i128], failing: &[Trial]) -> Vec<i128> {
    let mut own: Vec<i128> = Vec::new();
    for value in failing.iter().take(4).flat_map(Trial::values) {
        let number = scalar.number(value);
        if !own.contains(&number) && own.len() < 4 * MOST_COMBINED {
            own.push(number);
        }
    }
    let mut all: Vec<i128> = numbers.to_vec();
    for (k, a) in own.iter().enumerate() {
        all.extend([*a, a + 1, a - 1]);
        for b in own.iter().take(MOST_COMBINED.min(k)) {
            all.extend([a + b, a - b, b - a]);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The values that are tried. Of a small type these are all values; otherwise the least and the
/// greatest value, and those of the numbers that the type can hold.
fn values(scalar: Scalar, numbers: &[i128]) -> Vec<i128> {
    match scalar.mask() {
        mask if mask < 4 => (0..=mask).map(|bits| scalar.number(bits)).collect(),
        mask => {
            let most = scalar.number(mask >> u32::from(scalar.signed));
            let least = if scalar.signed { -most - 1 } else { 0 };
            let holds = numbers.iter().copied().filter(|number| scalar.holds(*number));
            holds.chain([least, most]).collect()
        }
    }
}
