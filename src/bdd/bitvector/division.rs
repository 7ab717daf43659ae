//! Quotient and remainder. The quotient is truncated; for a divisor of 0 both are 0.

use super::BitVector;
use crate::bdd::manager::Manager;
use crate::bdd::node::Bdd;
use crate::util::limits::Bounded;

impl BitVector {
    /// Unsigned quotient and remainder, by schoolbook division bit by bit.
    pub fn unsigned_div_rem(
        &self,
        manager: &mut Manager,
        divisor: &BitVector,
    ) -> Bounded<(BitVector, BitVector)> {
        assert_eq!(self.width(), divisor.width(), "operands of one width");
        if self == divisor {
            return self.by_itself(manager);
        }
        // One bit more, because the remainder is doubled.
        let wide = self.width() + 1;
        let divisor_wide = divisor.zero_extend(wide);
        let mut remainder = BitVector::constant(0, wide);
        let mut quotient = vec![Bdd::FALSE; self.bits.len()];
        for k in (0..self.bits.len()).rev() {
            remainder = remainder.shift_left_by(1);
            remainder.bits[0] = self.bits[k];
            let fits = divisor_wide.unsigned_less_equal(manager, &remainder)?;
            let reduced = remainder.sub(manager, &divisor_wide)?;
            remainder = reduced.ite(manager, fits, &remainder)?;
            quotient[k] = fits;
        }
        let valid = divisor.any(manager)?;
        let quotient = BitVector::from_bits(quotient).guarded(manager, valid)?;
        let remainder = remainder.zero_extend(self.width()).guarded(manager, valid)?;
        Ok((quotient, remainder))
    }

    /// Signed quotient and remainder: the quotient is rounded towards 0 (and wraps for the least
    /// number by -1), the remainder has the dividend's sign.
    pub fn signed_div_rem(
        &self,
        manager: &mut Manager,
        divisor: &BitVector,
    ) -> Bounded<(BitVector, BitVector)> {
        if self == divisor {
            return self.by_itself(manager);
        }
        let dividend_magnitude = self.magnitude(manager)?;
        let divisor_magnitude = divisor.magnitude(manager)?;
        let (quotient, remainder) =
            dividend_magnitude.unsigned_div_rem(manager, &divisor_magnitude)?;
        let signs_differ = manager.xor(self.top(), divisor.top())?;
        let quotient = quotient.negated_if(manager, signs_differ)?;
        let remainder = remainder.negated_if(manager, self.top())?;
        Ok((quotient, remainder))
    }

    /// `x / x` and `x % x`, for which bit by bit would take a diagram per bit that grows with the
    /// width: 1 unless x is 0, and 0.
    fn by_itself(&self, manager: &mut Manager) -> Bounded<(BitVector, BitVector)> {
        let zero = BitVector::constant(0, self.width());
        let mut quotient = zero.clone();
        if let Some(lowest) = quotient.bits.first_mut() {
            *lowest = self.any(manager)?;
        }
        Ok((quotient, zero))
    }

    fn magnitude(&self, manager: &mut Manager) -> Bounded<BitVector> {
        self.negated_if(manager, self.top())
    }

    fn negated_if(&self, manager: &mut Manager, condition: Bdd) -> Bounded<BitVector> {
        self.neg(manager)?.ite(manager, condition, self)
    }
}
