//! What is looked for, what is wrong with a run, and why runs are not followed.

use crate::circuit::Lit;
use crate::input::Input;
use faultline_c::machine::{Fault, Remark};
use faultline_c::tree::PointId;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Places outside of objects, freed memory, null pointers.
    pub bounds: bool,
    /// Division by zero.
    pub division: bool,
    /// Signed results without a place in their type.
    pub overflow: bool,
    /// Shifts by a negative amount, or by the width or more.
    pub shift: bool,
    /// Reads of what has no value.
    pub initialised: bool,
}

impl Checks {
    /// Is this looked for?
    pub(crate) fn wants(self, failure: Failure) -> bool {
        match failure {
            Failure::Fault(Fault::Assertion) => true,
            Failure::Fault(Fault::Division) => self.division,
            Failure::Fault(_) | Failure::Index | Failure::Length => self.bounds,
            Failure::Overflow => self.overflow,
            Failure::Shift => self.shift,
            Failure::NoValue => self.initialised,
        }
    }
}

/// What a run does that is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// It ends there.
    Fault(Fault),
    /// A signed result has no place in its type.
    Overflow,
    /// A shift by a negative amount, or by the width or more.
    Shift,
    /// Something is read that has no value.
    NoValue,
    /// An index is outside of its array.
    Index,
    /// An array whose length a variable gives has no elements, or fewer.
    Length,
}

impl Failure {
    /// The failure that a remark of a run is.
    pub(crate) fn of(remark: Remark) -> Option<Failure> {
        Some(match remark {
            Remark::NoValue(_) => Failure::NoValue,
            Remark::Overflow => Failure::Overflow,
            Remark::Shift => Failure::Shift,
            Remark::Index => Failure::Index,
            Remark::Length => Failure::Length,
            Remark::Argument | Remark::NoResult => return None,
        })
    }

    /// Is the remark of a run this failure?
    pub fn is(self, remark: Remark) -> bool {
        Failure::of(remark) == Some(self)
    }
}

/// An error, and the condition under which the first error of a run is this one.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub(crate) condition: Lit,
    pub(crate) failure: Failure,
    pub(crate) point: PointId,
    pub(crate) input: Input,
}

/// Why runs were not followed to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// A loop goes round more often.
    Rounds,
    /// Calls nest deeper.
    Depth,
    /// Objects or texts are longer than what was looked at.
    Length,
}

/// What the engine does not do, or not within its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The time is up.
    Time,
    /// The circuit has too many nodes.
    Nodes,
    /// Too many operations.
    Steps,
    /// The solver had too many conflicts.
    Conflicts,
    /// An address is used as a number, or part of one is read.
    Address,
    /// Something of C, or of its library, that has no meaning here.
    Unsupported,
}
