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
        match (self.as_constant(), other.as_constant()) {
            (_, Some(factor)) => self.mul_constant(manager, factor),
            (Some(factor), _) => other.mul_constant(manager, factor),
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

    fn mul_constant(&self, manager: &mut Manager, factor: u64) -> Bounded<BitVector> {
        let mut product = BitVector::constant(0, self.width());
        // Signed digits of which no two neighbours are non-zero (the non-adjacent form).
        let mut rest = u128::from(factor);
        let mut k = 0;
        while rest > 0 && k < self.width() {
            if rest & 1 == 1 {
                let term = self.shift_left_by(k);
                if rest & 3 == 3 {
                    product = product.sub(manager, &term)?;
                    rest += 1;
                } else {
                    product = product.add(manager, &term)?;
                    rest -= 1;
                }
            }
            rest >>= 1;
            k += 1;
        }
        Ok(product)
    }
}
