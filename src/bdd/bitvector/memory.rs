//! Arrays that are read and written by a symbolic index. The *number* that the index means selects
//! the element.

use super::BitVector;
use crate::bdd::manager::Manager;
use crate::bdd::node::Bdd;
use crate::util::limits::Bounded;

impl BitVector {
    /// The element at this index, which is read as signed iff `index_signed`. The value is 0 if the
    /// index is outside. All elements have one width; there is at least one element.
    pub fn read(
        manager: &mut Manager,
        elements: &[BitVector],
        index: &BitVector,
        index_signed: bool,
    ) -> Bounded<BitVector> {
        let width = elements.first().expect("an array has elements").width();
        let zero = BitVector::constant(0, width);
        let digits = index.nonnegative_bits(index_signed);
        // Each bit of the index halves the candidates.
        let mut candidates = elements.to_vec();
        for digit in digits {
            let pairs = candidates.chunks(2);
            candidates = pairs
                .map(|pair| pair.get(1).unwrap_or(&zero).ite(manager, *digit, &pair[0]))
                .collect::<Bounded<Vec<_>>>()?;
        }
        let chosen = candidates.swap_remove(0);
        if index_signed { chosen.guarded(manager, !index.top()) } else { Ok(chosen) }
    }

    /// The elements after `value` was written at this index, which is read as signed iff
    /// `index_signed`. A write outside has no effect.
    pub fn write(
        manager: &mut Manager,
        elements: &[BitVector],
        index: &BitVector,
        index_signed: bool,
        value: &BitVector,
    ) -> Bounded<Vec<BitVector>> {
        let mut written = Vec::with_capacity(elements.len());
        for (k, element) in (0..).zip(elements) {
            let here = index.is_number(manager, k, index_signed)?;
            written.push(value.ite(manager, here, element)?);
        }
        Ok(written)
    }

    /// Is it this non-negative number, read as signed iff `signed`?
    pub fn is_number(&self, manager: &mut Manager, number: u64, signed: bool) -> Bounded<Bdd> {
        if self.nonnegative_bits(signed).len() < 64
            && number >> self.nonnegative_bits(signed).len() != 0
        {
            return Ok(Bdd::FALSE);
        }
        self.equal_constant(manager, number)
    }

    /// The bits that a non-negative number uses.
    fn nonnegative_bits(&self, signed: bool) -> &[Bdd] {
        if signed { &self.bits[..self.bits.len() - 1] } else { &self.bits }
    }
}
