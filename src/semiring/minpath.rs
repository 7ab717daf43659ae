//! The shortest-path domain: how long is a shortest path?

use super::Semiring;
use crate::util::Bounded;

/// A length; `None` is "no path".
pub type PathLength = Option<u64>;

/// (ℕ ∪ {∞}, min, +, ∞, 0). Descending chains are finite, so it is bounded.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinPath;

impl Semiring for MinPath {
    type Weight = PathLength;
    fn zero(&self) -> PathLength {
        None
    }
    fn one(&mut self) -> Bounded<PathLength> {
        Ok(Some(0))
    }
    fn combine(&mut self, left: &PathLength, right: &PathLength) -> Bounded<PathLength> {
        Ok(match (left, right) {
            (Some(a), Some(b)) => Some(*a.min(b)),
            (some, None) | (None, some) => *some,
        })
    }
    fn extend(&mut self, left: &PathLength, right: &PathLength) -> Bounded<PathLength> {
        Ok(left.zip(*right).map(|(a, b)| a.saturating_add(b)))
    }
}
