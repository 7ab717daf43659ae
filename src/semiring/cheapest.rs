//! The cheapest-path domain: what does a cheapest path cost, and how long is a shortest one among
//! those?

use super::Semiring;
use crate::util::Bounded;

/// The total weight of a path and its number of rules. A cheaper path is less. Of two paths with
/// the same weight, the shorter one is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathCost {
    /// Total weight.
    pub weight: u64,
    /// Number of rules.
    pub length: u64,
}

impl PathCost {
    /// A cost that is too large to be counted. It is greater than all others.
    pub const UNCOUNTED: PathCost = PathCost { weight: u64::MAX, length: u64::MAX };

    /// The cost of one path after the other. It is [`Self::UNCOUNTED`] once the weight is 2^64 - 1
    /// or more. A length stays at 2^64 - 1.
    pub fn then(self, next: PathCost) -> PathCost {
        match self.weight.saturating_add(next.weight) {
            u64::MAX => PathCost::UNCOUNTED,
            weight => PathCost { weight, length: self.length.saturating_add(next.length) },
        }
    }
}

/// (ℕ × ℕ ∪ {∞}, least in lexicographic order, componentwise +, ∞, (0, 0)). Weights that are not
/// [`PathCost::UNCOUNTED`] are below 2^64 - 1. If every rule has the length 1, even a rule of
/// weight 0 costs something, so cheapest paths are finite.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheapestPath;

impl Semiring for CheapestPath {
    type Weight = Option<PathCost>;
    fn zero(&self) -> Option<PathCost> {
        None
    }
    fn one(&mut self) -> Bounded<Option<PathCost>> {
        Ok(Some(PathCost { weight: 0, length: 0 }))
    }
    fn combine(
        &mut self,
        left: &Option<PathCost>,
        right: &Option<PathCost>,
    ) -> Bounded<Option<PathCost>> {
        Ok(match (left, right) {
            (Some(a), Some(b)) => Some(*a.min(b)),
            (some, None) | (None, some) => *some,
        })
    }
    fn extend(
        &mut self,
        left: &Option<PathCost>,
        right: &Option<PathCost>,
    ) -> Bounded<Option<PathCost>> {
        Ok(left.zip(*right).map(|(a, b)| a.then(b)))
    }
}
