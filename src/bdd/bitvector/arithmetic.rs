//! Sums and products, modulo 2^width.

use super::BitVector;
use crate::bdd::manager::Manager;
use crate::bdd::node::Bdd;
use crate::util::limits::Bounded;

impl BitVector {
    /// Wrapping sum.
    pub fn add(&self, manager: &mut Manager, other: &BitVector) -> Bounded<BitVector> {
        self.add_with_carry(manager, other, Bdd::FALSE)
    }

    /// Wrapping difference.
    pub fn sub(&self, manager: &mut Manager, other: &BitVector) -> Bounded<BitVector> {
        self.add_with_carry(manager, &other.complement(), Bdd::TRUE)
    }

    /// Wrapping negation.
    pub fn neg(&self, manager: &mut Manager) -> Bounded<BitVector> {
        BitVector::constant(0, self.width()).sub(manager, self)
    }

    fn add_with_carry(
        &self,
        manager: &mut Manager,
        other: &BitVector,
        carry: Bdd,
    ) -> Bounded<BitVector> {
        let mut carry = carry;
        self.zip(other, |a, b| {
            let differ = manager.xor(a, b)?;
            let sum = manager.xor(differ, carry)?;
            carry = manager.ite(differ, carry, a)?;
            Ok(sum)
        })
    }

    /// Wrapping product. A product by a constant takes as many sums as the constant has non-zero
    /// signed digits.
    pub fn mul(&self, manager: &mut Manager, other: &BitVector) -> Bounded<BitVector> {
        assert_eq!(self.width(), other.width(), "operands of one width");
        match (self.is_constant(), other.is_constant()) {
            (_, true) => self.mul_constant(manager, other),
            (true, _) => other.mul_constant(manager, self),
            _ => self.mul_variable(manager, other),
        }
    }

    fn mul_variable(&self, manager: &mut Manager, other: &BitVector) -> Bounded<BitVector> {
        // The operand with more constant bits makes the cheaper partial products.
        let constants = |v: &BitVector| v.bits.iter().filter(|bit| bit.is_constant()).count();
        let (factor, digits) =
            if constants(self) > constants(other) { (other, self) } else { (self, other) };
        let mut product = BitVector::constant(0, self.width());
        for (k, digit) in (0..).zip(&digits.bits) {
            let partial = factor.shift_left_by(k).guarded(manager, *digit)?;
            product = product.add(manager, &partial)?;
        }
        Ok(product)
    }

    /// `factor` has constant bits only.
    fn mul_constant(&self, manager: &mut Manager, factor: &BitVector) -> Bounded<BitVector> {
        let mut product = BitVector::constant(0, self.width());
        // Signed digits of which no two neighbours are non-zero (the non-adjacent form).
        let mut carry = false;
        for (k, bit) in (0..).zip(&factor.bits) {
            if bit.is_true() == carry {
                // The digit is 0, and so the carry stays.
                continue;
            }
            let next = factor.bits.get(k as usize + 1).is_some_and(|bit| bit.is_true());
            let term = self.shift_left_by(k);
            product =
                if next { product.sub(manager, &term)? } else { product.add(manager, &term)? };
            carry = next;
        }
        Ok(product)
    }
}
