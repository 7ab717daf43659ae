//! How a run ends, and what is known of it.

use super::code::PointId;

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

/// An exception that nothing caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncaught {
    /// Its class, with its package.
    pub class: String,
    /// What its `getMessage` says.
    pub message: Option<String>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Exited(i32),
    /// By an exception that nothing caught, thrown at this point.
    Uncaught(Uncaught, PointId),
    /// Never: a state came back in which nothing was read since. The loop is at this point.
    Endless(PointId),
    /// The library does something at this point that is not known: its name.
    NotKnown(&'static str, PointId),
    /// Not within the limits.
    Limit(Limit, PointId),
}

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations.
    pub steps: u64,
    /// Bytes of objects that are reachable.
    pub memory: u64,
    /// Bytes of output.
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
    /// What it printed to `System.out`.
    pub output: Vec<u8>,
    /// What it printed to `System.err`.
    pub errors: Vec<u8>,
    /// Who printed what to `System.out`.
    pub pieces: Vec<Piece>,
    /// How often each point was passed.
    pub passed: Vec<u32>,
    /// The point that was passed last.
    pub last: PointId,
    /// How many bytes of the input were read.
    pub read: u32,
    /// Operations.
    pub steps: u64,
}
