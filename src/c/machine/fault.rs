//! How a run ends, and what is remarkable on its way.

use crate::code::Native;
use crate::tree::{PointId, ProcedureId, VariableId};

/// What a run does that no program may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// An assertion does not hold.
    Assertion,
    /// Division or remainder by zero, or the one quotient that is no number of the type.
    Division,
    /// A null pointer is followed.
    Null,
    /// An address that leads to no object.
    Wild,
    /// A place outside of its object.
    Outside,
    /// Memory that was freed.
    Freed,
    /// A variable whose block was left.
    OutOfScope,
    /// A string literal is written.
    ReadOnly,
    /// Freed twice.
    FreedTwice,
    /// Freed, and not from `malloc`.
    InvalidFree,
    /// `abort`
    Abort,
    /// Calls nest deeper than any stack.
    Depth,
    /// What is called is no procedure.
    NoProcedure,
}

/// A limit of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Operations.
    Steps,
    /// Bytes of memory.
    Memory,
    /// Bytes of output.
    Output,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Exited(i32),
    /// By a fault at this point.
    Fault(Fault, PointId),
    /// Never: a state came back in which nothing was read since. The loop is at this point.
    Endless(PointId),
    /// Not within the limits.
    Limit(Limit, PointId),
}

/// What is remarkable, and no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Remark {
    /// A variable (if it is one) is read before it has a value.
    NoValue(Option<VariableId>),
    /// A signed sum, difference or product has no place in its type.
    Overflow,
    /// A shift by a negative amount, or by the width or more.
    Shift,
    /// An index is outside of its array, though the place may be inside of a larger object.
    Index,
    /// An array whose length a variable gives has no elements, or fewer.
    Length,
    /// An argument of `printf` or `scanf` has another type than its conversion, or is missing.
    Argument,
    /// A procedure that returns a value ended without one.
    NoResult,
}

/// Who takes a value that somebody chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taker {
    /// A call of a procedure that only verifiers know.
    Procedure(ProcedureId),
    /// A call of the library.
    Native(Native),
    /// A variable without a value, or a result that nobody returns.
    Other,
}

/// A value that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Who takes it.
    pub by: Taker,
    /// What it is.
    pub value: u64,
    /// Where.
    pub point: PointId,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations.
    pub steps: u64,
    /// Bytes.
    pub memory: u64,
    /// Bytes.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 30_000_000, memory: 64 << 20, output: 1 << 20 }
    }
}

/// Which point printed the output up to this byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// One past its last byte.
    pub end: u32,
    /// What printed it.
    pub point: PointId,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// What it printed.
    pub output: Vec<u8>,
    /// Who printed what.
    pub pieces: Vec<Piece>,
    /// How often each point was passed.
    pub passed: Vec<u32>,
    /// The point that was passed last.
    pub last: PointId,
    /// Remarks, each kind at a point once, in order.
    pub remarks: Vec<(Remark, PointId)>,
    /// How many bytes of the input were read.
    pub read: u32,
    /// Operations.
    pub steps: u64,
}

impl Run {
    /// The point that printed the byte at this place of the output.
    pub fn printed(&self, byte: usize) -> Option<PointId> {
        let k = self.pieces.partition_point(|piece| piece.end as usize <= byte);
        self.pieces.get(k).map(|piece| piece.point)
    }
}
