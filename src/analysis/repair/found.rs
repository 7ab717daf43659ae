//! What is asked of a search for repairs, and what it finds: edits, each with what a check of the
//! edited program proved.

use super::Edit;
use crate::lang::model::{EdgeId, ErrorKind};
use crate::wire::repair::Verified;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct RepairOptions {
    /// The search ends when it has found this many repairs after which no run fails.
    pub most: usize,
    /// Edited programs that are looked at, at most.
    pub most_candidates: u32,
    /// Kernel steps of all checks together, at most.
    pub max_steps: u64,
}

impl Default for RepairOptions {
    fn default() -> Self {
        RepairOptions { most: 5, most_candidates: 2_000, max_steps: 400_000_000 }
    }
}

/// A repair.
#[derive(Clone, Debug)]
pub struct Repair {
    /// What to do.
    pub edit: Edit,
    /// The statement that it is about.
    pub edge: EdgeId,
    /// What was proved.
    pub verified: Verified,
    /// The error that another run still meets: line and kind.
    pub stays: Option<(u32, ErrorKind)>,
    /// Lines of the failing run on which no run executes anything any more.
    pub unreached: Vec<u32>,
}

/// An initialisation that does not hold.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// What was tried.
    pub edit: Edit,
    /// Where the edited program fails.
    pub fails: (u32, ErrorKind),
}
