//! Shifts, by constants and by vectors.
//!
//! The *number* that the amount means counts. If it is out of range (negative, or not less than the
//! width), the result is 0, also for arithmetic shifts.

use super::BitVector;
use crate::bdd::manager::Manager;
use crate::bdd::node::Bdd;
use crate::util::limits::Bounded;

impl BitVector {
    /// The vector shifted left by a constant.
    pub fn shift_left_by(&self, amount: u32) -> BitVector {
        let width = self.bits.len();
        let zeros = (amount as usize).min(width);
        BitVector {
            bits: std::iter::repeat_n(Bdd::FALSE, zeros)
                .chain(self.bits[..width - zeros].iter().copied())
                .collect(),
        }
    }

    /// The vector shifted right by a constant, with zeros from the left.
    pub fn logical_shift_right_by(&self, amount: u32) -> BitVector {
        self.shift_right_filling(amount, Bdd::FALSE)
    }

    /// The vector shifted right by a constant, with copies of the sign from the left. The result is
    /// 0 if the amount is not less than the width.
    pub fn arithmetic_shift_right_by(&self, amount: u32) -> BitVector {
        if amount >= self.width() {
            return BitVector::constant(0, self.width());
        }
        self.shift_right_filling(amount, self.top())
    }

    fn shift_right_filling(&self, amount: u32, fill: Bdd) -> BitVector {
        let kept = self.bits.iter().copied().skip(amount as usize).chain(std::iter::repeat(fill));
        BitVector { bits: kept.take(self.bits.len()).collect() }
    }

    /// The vector shifted left by `amount`, a vector of any width that is read as signed iff
    /// `amount_signed`.
    pub fn shift_left(
        &self,
        manager: &mut Manager,
        amount: &BitVector,
        amount_signed: bool,
    ) -> Bounded<BitVector> {
        self.shift_in_stages(manager, amount, amount_signed, BitVector::shift_left_by)
    }

    /// The vector shifted right by `amount`, with zeros from the left. For the amount see
    /// [`BitVector::shift_left`].
    pub fn logical_shift_right(
        &self,
        manager: &mut Manager,
        amount: &BitVector,
        amount_signed: bool,
    ) -> Bounded<BitVector> {
        self.shift_in_stages(manager, amount, amount_signed, BitVector::logical_shift_right_by)
    }

    /// The vector shifted right by `amount`, with copies of the sign from the left. For the amount
    /// see [`BitVector::shift_left`].
    pub fn arithmetic_shift_right(
        &self,
        manager: &mut Manager,
        amount: &BitVector,
        amount_signed: bool,
    ) -> Bounded<BitVector> {
        self.shift_in_stages(manager, amount, amount_signed, BitVector::arithmetic_shift_right_by)
    }

    /// Shifts in stages: one stage for each bit of the amount that can be set within the range.
    fn shift_in_stages(
        &self,
        manager: &mut Manager,
        amount: &BitVector,
        amount_signed: bool,
        shift_by: fn(&BitVector, u32) -> BitVector,
    ) -> Bounded<BitVector> {
        let mut result = self.clone();
        for (k, bit) in
            amount.bits.iter().enumerate().take_while(|(k, _)| *k < 7 && 1 << k < self.width())
        {
            result = shift_by(&result, 1 << k).ite(manager, *bit, &result)?;
        }
        // Eight bits hold every width.
        let comparable = amount.width().max(8);
        let width = BitVector::constant(u64::from(self.width()), comparable);
        let small = amount.zero_extend(comparable).unsigned_less(manager, &width)?;
        let in_range = if amount_signed { manager.difference(small, amount.top())? } else { small };
        result.guarded(manager, in_range)
    }
}
