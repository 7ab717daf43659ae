//! Finds the statements that alone could be to blame. Such a statement avoids the failure of every
//! known failing run if it assigns some other value, or takes its other outcome (Griesmayer,
//! Staber, Bloem 2007). A statement that is not among them is not the only fault.

use super::holes::Hole;
use super::known_runs::KnownRuns;
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
        let values = values(hole.scalar(), numbers);
        while statement.is_possible && statement.tried < known.failing().len() {
            let run = &known.failing()[statement.tried];
            statement.is_possible = hole.can_pass(run, &values, known.some_end());
            statement.tried += 1;
        }
        Some(statement.is_possible)
    }
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
