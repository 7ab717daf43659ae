//! Bit-vectors over decision diagrams: every operator of the program model, wrapping and total.
//!
//! Bits come least significant first. The operands of an operation have the same width unless its
//! docstring says otherwise. A mismatch is a caller's mistake and panics.

mod arithmetic;
mod comparison;
mod division;
mod memory;
mod shift;

use super::manager::Manager;
use super::node::{Bdd, Var};
use crate::util::limits::Bounded;

/// A vector of functions, least significant bit first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitVector {
    bits: Vec<Bdd>,
}

impl BitVector {
    /// These bits, least significant first.
    pub fn from_bits(bits: Vec<Bdd>) -> BitVector {
        BitVector { bits }
    }

    /// The `width` lowest bits of `value`.
    pub fn constant(value: u64, width: u32) -> BitVector {
        BitVector {
            bits: (0..width).map(|k| Bdd::constant(k < 64 && value >> k & 1 == 1)).collect(),
        }
    }

    /// The vector of these variables, least significant first.
    pub fn from_variables(manager: &mut Manager, variables: &[Var]) -> Bounded<BitVector> {
        variables
            .iter()
            .map(|v| manager.var(*v))
            .collect::<Bounded<Vec<Bdd>>>()
            .map(BitVector::from_bits)
    }

    /// A vector of one bit.
    pub fn from_bool(bit: Bdd) -> BitVector {
        BitVector { bits: vec![bit] }
    }

    /// The bits, least significant first.
    pub fn bits(&self) -> &[Bdd] {
        &self.bits
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.bits.len() as u32
    }

    /// The most significant bit: the sign, if the number has one. False for a vector without bits.
    pub fn top(&self) -> Bdd {
        self.bits.last().copied().unwrap_or(Bdd::FALSE)
    }

    pub(super) fn is_constant(&self) -> bool {
        self.bits.iter().all(|bit| bit.is_constant())
    }

    /// The number, if no bit depends on a variable. `None` also for a number of more than 64 bits.
    pub fn as_constant(&self) -> Option<u64> {
        self.bits.iter().enumerate().try_fold(0, |value, (k, bit)| match *bit {
            Bdd::FALSE => Some(value),
            Bdd::TRUE if k < 64 => Some(value | 1 << k),
            _ => None,
        })
    }

    /// Truncated, or filled with zeros.
    pub fn zero_extend(&self, width: u32) -> BitVector {
        self.extend_with(width, Bdd::FALSE)
    }

    /// Truncated, or filled with the sign.
    pub fn sign_extend(&self, width: u32) -> BitVector {
        self.extend_with(width, self.top())
    }

    fn extend_with(&self, width: u32, fill: Bdd) -> BitVector {
        BitVector {
            bits: (0..width as usize).map(|k| self.bits.get(k).copied().unwrap_or(fill)).collect(),
        }
    }

    /// Is it not zero?
    pub fn any(&self, manager: &mut Manager) -> Bounded<Bdd> {
        manager.or_all(&self.bits)
    }

    /// Bitwise complement.
    pub fn complement(&self) -> BitVector {
        BitVector { bits: self.bits.iter().map(|bit| !*bit).collect() }
    }

    /// Bitwise conjunction.
    pub fn and(&self, manager: &mut Manager, other: &BitVector) -> Bounded<BitVector> {
        self.zip(other, |a, b| manager.and(a, b))
    }

    /// Bitwise disjunction.
    pub fn or(&self, manager: &mut Manager, other: &BitVector) -> Bounded<BitVector> {
        self.zip(other, |a, b| manager.or(a, b))
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, manager: &mut Manager, other: &BitVector) -> Bounded<BitVector> {
        self.zip(other, |a, b| manager.xor(a, b))
    }

    /// `if condition then self else other`.
    pub fn ite(
        &self,
        manager: &mut Manager,
        condition: Bdd,
        other: &BitVector,
    ) -> Bounded<BitVector> {
        self.zip(other, |a, b| manager.ite(condition, a, b))
    }

    /// The vector where `condition` holds, and 0 elsewhere.
    pub fn guarded(&self, manager: &mut Manager, condition: Bdd) -> Bounded<BitVector> {
        self.map(|bit| manager.and(bit, condition))
    }

    fn map(&self, bit: impl FnMut(Bdd) -> Bounded<Bdd>) -> Bounded<BitVector> {
        Ok(BitVector { bits: self.bits.iter().copied().map(bit).collect::<Bounded<Vec<Bdd>>>()? })
    }

    fn zip(
        &self,
        other: &BitVector,
        mut bit: impl FnMut(Bdd, Bdd) -> Bounded<Bdd>,
    ) -> Bounded<BitVector> {
        assert_eq!(self.width(), other.width(), "operands of one width");
        Ok(BitVector {
            bits: self
                .bits
                .iter()
                .zip(&other.bits)
                .map(|(a, b)| bit(*a, *b))
                .collect::<Bounded<Vec<Bdd>>>()?,
        })
    }
}
