//! In which order widths of `int` are tried, and with how much of the budgets.
//!
//! A person shall have an answer soon, and the answer about C's own integers where that is within
//! the budgets. So each width gets a small share at first, and after 32 bits also the program of
//! distances, if there is one, that with a summary object on the heap, if some is taken, and 32
//! bits once more with somewhat more steps; then refinement with 32 bits has a larger share. If
//! none has an answer, each width gets a large share, and 32 bits get what is left. If a narrow
//! width has one, 32 bits get the large share while that answer is shown. Of a width that is given
//! there are no narrower ones. `docs/decisions-page.md` has what was measured.

use crate::util::{Budgets, Limit};
use std::collections::VecDeque;

/// Widths that are tried where C's own exceeds a budget.
pub(super) const NARROWER: &[u32] = &[16, 8];

/// The first share: so much, or one part in so many of the budgets if that is more.
const FIRST_NODES: (u64, u64) = (3_000_000, 3);
const FIRST_STEPS: (u64, u64) = (8_000_000, 250);
/// With so many steps saturation of the program as it is has a second try, before other widths.
const LONGER_STEPS: (u64, u64) = (13_000_000, 150);
/// The first share of the narrower widths has fewer steps.
const FIRST_NARROW_STEPS: (u64, u64) = (5_000_000, 400);
/// The share of refinement, likewise.
const REFINEMENT_NODES: (u64, u64) = (4_000_000, 2);
const REFINEMENT_STEPS: (u64, u64) = (40_000_000, 50);
/// The second share, likewise. It has all nodes.
const SECOND_STEPS: (u64, u64) = (100_000_000, 20);

/// How a width is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// post\* of all stores, with the early search for a failing run.
    Saturation,
    /// The refinement loop.
    Refinement,
    /// Saturation of the distances between variables, if only they matter.
    Distances,
    /// Saturation with a summary object on the heap, if there is a heap.
    Summary,
}

/// One try: a width and a method, with what they may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rung {
    pub(super) bits: u32,
    pub(super) method: Method,
    pub(super) budgets: Budgets,
    /// How much of the driver's time that is left, in percent.
    pub(super) percent: u32,
}

impl Rung {
    /// The program as it is, with all of the budgets.
    pub(super) fn whole(bits: u32, budgets: Budgets) -> Rung {
        Rung { bits, method: Method::Saturation, budgets, percent: 100 }
    }

    /// Would `other` only run into the same limit again?
    pub(super) fn leaves_no_hope(&self, other: &Rung, limit: Limit) -> bool {
        // How many objects a run needs does not depend on the width of numbers.
        // But it does not bound a heap with a summary object.
        let is_bounded = other.method != Method::Summary;
        let same = (self.bits, self.method) == (other.bits, other.method)
            || limit == Limit::Heap && is_bounded;
        same && match limit {
            Limit::Nodes => other.budgets.max_nodes <= self.budgets.max_nodes,
            Limit::Steps => other.budgets.max_steps <= self.budgets.max_steps,
            Limit::Time => false,
            Limit::Rounds | Limit::Depth | Limit::Threads | Limit::Heap => true,
        }
    }
}

/// What is tried, in this order, until a width has an answer: `full`, which is the program as it
/// is, and the narrower ones.
pub(super) fn plan(full: u32, narrower: &[u32], budgets: Budgets) -> VecDeque<Rung> {
    let (first, second) = (first_share(budgets), second_share(budgets));
    let narrow = first.with_steps(share(budgets.max_steps, FIRST_NARROW_STEPS));
    let round = |wide: Budgets, narrow: Budgets, percent: [u32; 3]| {
        let widths = std::iter::once(full).chain(narrower.iter().copied()).zip(percent);
        widths.map(move |(bits, percent)| {
            let budgets = if bits == full { wide } else { narrow };
            Rung { bits, method: Method::Saturation, budgets, percent }
        })
    };
    let mut plan: VecDeque<Rung> = round(first, narrow, [35, 35, 50]).collect();
    plan.insert(1, Rung { method: Method::Distances, percent: 50, ..refinement(full, budgets) });
    plan.insert(2, Rung { method: Method::Summary, percent: 50, ..refinement(full, budgets) });
    let longer = first.with_steps(share(budgets.max_steps, LONGER_STEPS));
    if longer != first {
        plan.insert(3, Rung { budgets: longer, percent: 35, ..Rung::whole(full, budgets) });
    }
    plan.push_back(refinement(full, budgets));
    if second != first {
        plan.extend(round(second, second, [50, 60, 100]));
    }
    if budgets != second {
        plan.push_back(Rung::whole(full, budgets));
    }
    plan
}

/// The program as it is, by refinement.
pub(super) fn refinement(full: u32, budgets: Budgets) -> Rung {
    let budgets = Budgets {
        max_nodes: share(budgets.max_nodes, REFINEMENT_NODES),
        max_steps: share(budgets.max_steps, REFINEMENT_STEPS),
        ..budgets
    };
    Rung { bits: full, method: Method::Refinement, budgets, percent: 50 }
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
        let plan = plan(32, NARROWER, Budgets::default());
        let shown: Vec<(u32, u64, u64)> = plan
            .iter()
            .map(|rung| (rung.bits, rung.budgets.max_nodes, rung.budgets.max_steps))
            .collect();
        let [first, second] = [(3_000_000, 8_000_000), (8_000_000, 100_000_000)];
        let narrow = (3_000_000, 5_000_000);
        let place = |method| plan.iter().position(|rung| rung.method == method);
        assert_eq!(place(Method::Distances), Some(1));
        assert_eq!(place(Method::Summary), Some(2));
        assert_eq!(place(Method::Refinement), Some(6));
        assert_eq!(
            shown,
            [
                (32, first.0, first.1),
                (32, 4_000_000, 40_000_000),
                (32, 4_000_000, 40_000_000),
                (32, first.0, 13_333_333),
                (16, narrow.0, narrow.1),
                (8, narrow.0, narrow.1),
                (32, 4_000_000, 40_000_000),
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
        let plan = plan(32, NARROWER, budgets);
        assert_eq!(plan.iter().map(|rung| rung.bits).collect::<Vec<_>>(), [32, 32, 32, 16, 8, 32]);
        assert!(plan.iter().all(|rung| rung.budgets == budgets));
    }

    #[test]
    fn a_given_width_is_the_only_one() {
        let plan = plan(16, &[], Budgets::default());
        let shown: Vec<(u32, Method)> = plan.iter().map(|rung| (rung.bits, rung.method)).collect();
        use Method::{Distances, Refinement, Saturation, Summary};
        let methods =
            [Saturation, Distances, Summary, Saturation, Refinement, Saturation, Saturation];
        assert_eq!(shown, methods.map(|how| (16, how)));
    }

    #[test]
    fn the_first_share_grows_with_the_budgets() {
        let grown = first_share(Budgets::default().times(10));
        assert_eq!((grown.max_nodes, grown.max_steps), (26_666_666, 80_000_000));
    }
}
