//! The abstract variables: bits whose meaning depends on the point (thesis, 7.1).
//!
//! At every point the k-th bit is the value of the k-th predicate of that point. So all points
//! share as many bits as the longest list has. Each bit has four copies; all lie above the concrete
//! variables (thesis, 7.3).

use crate::bdd::{Bdd, Manager, Renaming, Var, VarSet};
use crate::util::{Bounded, Limit};

/// The copies of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbstractCopy {
    /// The value with which the frame was entered.
    Entry = 0,
    /// The value now.
    Now = 1,
    /// The value after a rule; for a call, that of the callee at its entry.
    Next = 2,
    /// The value at the pivot, below the callee on the stack.
    Below = 3,
}

/// The levels of all abstract bits.
#[derive(Clone, Copy, Debug)]
pub struct AbstractBits {
    capacity: u32,
    pub(super) entry: VarSet,
    pub(super) now: VarSet,
    pub(super) next: VarSet,
    pub(super) now_and_below: VarSet,
    pub(super) next_and_below: VarSet,
    pub(super) entry_and_below: VarSet,
    pub(super) entry_and_next: VarSet,
    pub(super) now_to_next: Renaming,
    pub(super) next_to_now: Renaming,
    pub(super) now_to_below: Renaming,
    pub(super) entry_to_next: Renaming,
    pub(super) next_to_entry: Renaming,
    pub(super) below_to_now: Renaming,
}

/// Most predicates at one point.
const MOST: u32 = 512;

/// Most levels of a program that leaves room for the bits.
const LEAST_CONCRETE: u32 = crate::bdd::MAX_LEVELS - 4 * MOST;

impl AbstractBits {
    /// How many levels the bits need.
    pub fn levels() -> u32 {
        4 * MOST
    }

    /// Prepares the bits. [`Limit::Depth`] if the program leaves no room for them.
    pub fn new(kernel: &mut Manager, concrete_levels: u32) -> Bounded<AbstractBits> {
        if concrete_levels > LEAST_CONCRETE {
            return Err(Limit::Depth);
        }
        let capacity = MOST;
        let of = |copies: &[AbstractCopy]| -> Vec<Var> {
            (0..capacity)
                .flat_map(|bit| copies.iter().map(move |copy| Var(4 * bit + *copy as u32)))
                .collect()
        };
        let shift = |from: AbstractCopy, to: AbstractCopy| -> Vec<(Var, Var)> {
            of(&[from]).into_iter().zip(of(&[to])).collect()
        };
        use AbstractCopy::{Below, Entry, Next, Now};
        Ok(AbstractBits {
            capacity,
            entry: kernel.var_set(&of(&[Entry])),
            now: kernel.var_set(&of(&[Now])),
            next: kernel.var_set(&of(&[Next])),
            now_and_below: kernel.var_set(&of(&[Now, Below])),
            next_and_below: kernel.var_set(&of(&[Next, Below])),
            entry_and_below: kernel.var_set(&of(&[Entry, Below])),
            entry_and_next: kernel.var_set(&of(&[Entry, Next])),
            now_to_next: kernel.renaming(&shift(Now, Next)),
            next_to_now: kernel.renaming(&shift(Next, Now)),
            now_to_below: kernel.renaming(&shift(Now, Below)),
            entry_to_next: kernel.renaming(&shift(Entry, Next)),
            next_to_entry: kernel.renaming(&shift(Next, Entry)),
            below_to_now: kernel.renaming(&shift(Below, Now)),
        })
    }

    /// The level of the k-th bit. [`Limit::Depth`] past the last.
    pub fn level(&self, bit: usize, copy: AbstractCopy) -> Bounded<Var> {
        if bit >= self.capacity as usize {
            return Err(Limit::Depth);
        }
        Ok(Var(4 * bit as u32 + copy as u32))
    }

    /// Which bit and copy a level is; `None` for a concrete one.
    pub fn owner(&self, level: Var) -> Option<(usize, AbstractCopy)> {
        let copy = match level.0 % 4 {
            0 => AbstractCopy::Entry,
            1 => AbstractCopy::Now,
            2 => AbstractCopy::Next,
            _ => AbstractCopy::Below,
        };
        (level.0 < 4 * self.capacity).then_some(((level.0 / 4) as usize, copy))
    }

    /// The first `count` bits are now as they were at the frame's entry.
    pub(super) fn identity(&self, kernel: &mut Manager, count: usize) -> Bounded<Bdd> {
        let mut same = Bdd::TRUE;
        for bit in (0..count).rev() {
            let entry = kernel.var(self.level(bit, AbstractCopy::Entry)?)?;
            let now = kernel.var(self.level(bit, AbstractCopy::Now)?)?;
            let equal = kernel.iff(entry, now)?;
            same = kernel.and(equal, same)?;
        }
        Ok(same)
    }
}
