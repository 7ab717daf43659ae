//! Handles, levels, and the node that the arena holds.

use std::ops::Not;

/// A Boolean function of one [`Manager`](super::Manager): the index of a node, and in bit 0 whether
/// the edge to it is complemented.
///
/// Two functions are equal iff their handles are. The order of handles is arbitrary, because it
/// depends on when nodes were made and collected. Nothing that is shown may depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bdd(pub(super) u32);

impl Bdd {
    /// The function that is always true.
    pub const TRUE: Bdd = Bdd(0);
    /// The function that is never true.
    pub const FALSE: Bdd = Bdd(1);

    /// The constant of this truth value.
    #[inline(always)]
    pub const fn constant(value: bool) -> Bdd {
        if value { Bdd::TRUE } else { Bdd::FALSE }
    }

    /// Is it valid?
    #[inline(always)]
    pub const fn is_true(self) -> bool {
        self.0 == 0
    }

    /// Is it unsatisfiable?
    #[inline(always)]
    pub const fn is_false(self) -> bool {
        self.0 == 1
    }

    /// Is it one of the two constants?
    #[inline(always)]
    pub const fn is_constant(self) -> bool {
        self.0 <= 1
    }

    #[inline(always)]
    pub(super) const fn new(index: u32) -> Bdd {
        Bdd(index << 1)
    }

    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// 1 if the edge is complemented, else 0.
    #[inline(always)]
    pub(super) const fn sign(self) -> u32 {
        self.0 & 1
    }

    #[inline(always)]
    pub(super) const fn regular(self) -> Bdd {
        Bdd(self.0 & !1)
    }

    /// Complemented iff `sign` is 1.
    #[inline(always)]
    pub(super) const fn flip(self, sign: u32) -> Bdd {
        Bdd(self.0 ^ sign)
    }
}

impl Not for Bdd {
    type Output = Bdd;

    #[inline(always)]
    fn not(self) -> Bdd {
        Bdd(self.0 ^ 1)
    }
}

/// A decision level. Smaller levels are nearer to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// The level of the constants: below every variable.
pub(super) const TERMINAL: u32 = u32::MAX;
/// The level of a node that was collected.
pub(super) const FREED: u32 = u32::MAX - 1;

/// A node of the arena, in twelve bytes: `if level then high else low`. `high` is never
/// complemented.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) level: u32,
    pub(super) low: Bdd,
    pub(super) high: Bdd,
}

/// The result of an operation. `None`: it hit a limit, and [`Manager::finish`](super::Manager)
/// tells which. (This takes two registers; `Result<Bdd, Limit>` costs more.)
pub(super) type Stopped = Option<Bdd>;
