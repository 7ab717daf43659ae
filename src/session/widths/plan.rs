//! In which order widths of `int` are tried, and with how much of the budgets.
//!
//! A person shall have an answer soon, and the answer about C's own integers where that is within
//! the budgets. So each width gets a small share at first. If none has an answer, each gets a large
//! one, and 32 bits get what is left. If a narrow width has one, 32 bits get the large share while
//! that answer is shown. `docs/decisions-page.md` has what was measured.

use crate::util::{Budgets, Limit};
use crate::wire::options::C_BITS;
use std::collections::VecDeque;

/// Widths that are tried where C's own exceeds a budget.
const NARROWER: [u32; 2] = [16, 8];

/// The first share: so much, or one part in so many of the budgets if that is more.
const FIRST_NODES: (u64, u64) = (3_000_000, 3);
const FIRST_STEPS: (u64, u64) = (8_000_000, 250);
/// The second share, likewise. It has all nodes.
const SECOND_STEPS: (u64, u64) = (100_000_000, 20);

/// One width, with what it may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rung {
    pub(super) bits: u32,
    pub(super) budgets: Budgets,
    /// How much of the driver's time that is left, in percent.
    pub(super) percent: u32,
}

impl Rung {
    /// C's own integers, with all of the budgets.
    pub(super) fn whole(budgets: Budgets) -> Rung {
        Rung { bits: C_BITS, budgets, percent: 100 }
    }

    /// Would `other` only run into the same limit again?
    pub(super) fn leaves_no_hope(&self, other: &Rung, limit: Limit) -> bool {
        // How many objects a run needs does not depend on the width of numbers.
        let same = self.bits == other.bits || limit == Limit::Heap;
        same && match limit {
            Limit::Nodes => other.budgets.max_nodes <= self.budgets.max_nodes,
            Limit::Steps => other.budgets.max_steps <= self.budgets.max_steps,
            Limit::Time => false,
            Limit::Rounds | Limit::Depth | Limit::Threads | Limit::Heap => true,
        }
    }
}

/// What is tried, in this order, until a width has an answer.
pub(super) fn plan(budgets: Budgets) -> VecDeque<Rung> {
    let (first, second) = (first_share(budgets), second_share(budgets));
    let mut plan = VecDeque::new();
    let mut round = |budgets: Budgets, percent: [u32; 3]| {
        for (bits, percent) in [C_BITS].into_iter().chain(NARROWER).zip(percent) {
            plan.push_back(Rung { bits, budgets, percent });
        }
    };
    round(first, [35, 35, 50]);
    if second != first {
        round(second, [50, 60, 100]);
    }
    if budgets != second {
        plan.push_back(Rung::whole(budgets));
    }
    plan
}

/// What each width gets at first.
pub(super) fn first_share(budgets: Budgets) -> Budgets {
    Budgets {
        max_nodes: share(budgets.max_nodes, FIRST_NODES),
        max_steps: share(budgets.max_steps, FIRST_STEPS),
        ..budgets
    }
}

/// What C's own integers get when a narrower width has an answer, and each width if none has.
pub(super) fn second_share(budgets: Budgets) -> Budgets {
    budgets.with_steps(share(budgets.max_steps, SECOND_STEPS))
}

fn share(whole: u64, (least, part): (u64, u64)) -> u64 {
    whole.min(least.max(whole / part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_budgets_are_shared() {
        let plan = plan(Budgets::default());
        let shown: Vec<(u32, u64, u64)> = plan
            .iter()
            .map(|rung| (rung.bits, rung.budgets.max_nodes, rung.budgets.max_steps))
            .collect();
        let [first, second] = [(3_000_000, 8_000_000), (8_000_000, 100_000_000)];
        assert_eq!(
            shown,
            [
                (32, first.0, first.1),
                (16, first.0, first.1),
                (8, first.0, first.1),
                (32, second.0, second.1),
                (16, second.0, second.1),
                (8, second.0, second.1),
                (32, 8_000_000, 2_000_000_000),
            ]
        );
    }

    #[test]
    fn small_budgets_are_not_shared() {
        let budgets = Budgets { max_nodes: 1_000, max_steps: 2_000, ..Budgets::default() };
        let plan = plan(budgets);
        assert_eq!(plan.iter().map(|rung| rung.bits).collect::<Vec<_>>(), [32, 16, 8]);
        assert!(plan.iter().all(|rung| rung.budgets == budgets));
    }

    #[test]
    fn the_first_share_grows_with_the_budgets() {
        let grown = first_share(Budgets::default().times(10));
        assert_eq!((grown.max_nodes, grown.max_steps), (26_666_666, 80_000_000));
    }
}
