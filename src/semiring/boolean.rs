//! The Boolean domain: is there a path at all?

use super::Semiring;
use crate::util::Bounded;

/// ({false, true}, ∨, ∧, false, true).
#[derive(Clone, Copy, Debug, Default)]
pub struct Boolean;

impl Semiring for Boolean {
    type Weight = bool;
    fn zero(&self) -> bool {
        false
    }
    fn one(&mut self) -> Bounded<bool> {
        Ok(true)
    }
    fn combine(&mut self, left: &bool, right: &bool) -> Bounded<bool> {
        Ok(*left || *right)
    }
    fn extend(&mut self, left: &bool, right: &bool) -> Bounded<bool> {
        Ok(*left && *right)
    }
}
