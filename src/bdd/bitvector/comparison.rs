//! Equality and order.

use super::BitVector;
use crate::bdd::manager::Manager;
use crate::bdd::node::Bdd;
use crate::util::limits::Bounded;

impl BitVector {
    /// self = other.
    pub fn equal(&self, manager: &mut Manager, other: &BitVector) -> Bounded<Bdd> {
        let same = self.zip(other, |a, b| manager.iff(a, b))?;
        manager.and_all(&same.bits)
    }

    /// self ≠ other.
    pub fn not_equal(&self, manager: &mut Manager, other: &BitVector) -> Bounded<Bdd> {
        Ok(!self.equal(manager, other)?)
    }

    /// self = `value`, as bit patterns; false if `value` does not fit.
    pub fn equal_constant(&self, manager: &mut Manager, value: u64) -> Bounded<Bdd> {
        if self.width() < 64 && value >> self.width() != 0 {
            return Ok(Bdd::FALSE);
        }
        self.equal(manager, &BitVector::constant(value, self.width()))
    }

    /// self < other as unsigned numbers.
    pub fn unsigned_less(&self, manager: &mut Manager, other: &BitVector) -> Bounded<Bdd> {
        let mut less = Bdd::FALSE;
        self.zip(other, |a, b| {
            let differ = manager.xor(a, b)?;
            less = manager.ite(differ, b, less)?;
            Ok(less)
        })?;
        Ok(less)
    }

    /// self ≤ other as unsigned numbers.
    pub fn unsigned_less_equal(&self, manager: &mut Manager, other: &BitVector) -> Bounded<Bdd> {
        Ok(!other.unsigned_less(manager, self)?)
    }

    /// self < other as two's complement numbers.
    pub fn signed_less(&self, manager: &mut Manager, other: &BitVector) -> Bounded<Bdd> {
        self.with_top_flipped().unsigned_less(manager, &other.with_top_flipped())
    }

    /// self ≤ other as two's complement numbers.
    pub fn signed_less_equal(&self, manager: &mut Manager, other: &BitVector) -> Bounded<Bdd> {
        Ok(!other.signed_less(manager, self)?)
    }

    /// Adds 2^(width-1), which turns the signed order into the unsigned one.
    fn with_top_flipped(&self) -> BitVector {
        let mut flipped = self.clone();
        if let Some(top) = flipped.bits.last_mut() {
            *top = !*top;
        }
        flipped
    }
}
