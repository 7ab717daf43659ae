//! The question to a search for repairs, and its results: edits, each with what a check of the
//! edited program has proved.

use super::Edit;
use crate::lang::model::{EdgeId, ErrorKind};
use crate::wire::repair::Verified;

/// The question.
#[derive(Clone, Debug)]
pub struct RepairOptions {
    /// The search ends when it has found this many repairs after which no run fails and that leave
    /// nothing of the failing run out.
    pub most: usize,
    /// The most edited programs that are looked at.
    pub most_candidates: u32,
    /// The most kernel steps of all checks together.
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
    /// The edit.
    pub edit: Edit,
    /// The statement that it changes.
    pub edge: EdgeId,
    /// See [`oddness`](super::person::oddness).
    pub oddness: u32,
    /// How many assignments and calls of the failing run no run executes any more.
    pub idle: usize,
    /// What the check has proved.
    pub verified: Verified,
    /// Another error that some run still meets: line and kind.
    pub stays: Option<(u32, ErrorKind)>,
    /// Does it change a statement that only reports an error?
    pub weakens: bool,
    /// Lines of the failing run whose statements no run executes any more.
    pub unreached: Vec<u32>,
}

impl Repair {
    /// Do some runs still execute each line, each assignment and each call of the failing run, and
    /// report errors as before?
    pub fn leaves_nothing_out(&self) -> bool {
        !self.weakens && self.unreached.is_empty() && self.idle == 0
    }
}

/// An initialisation that does not hold.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The edit that was tried.
    pub edit: Edit,
    /// The error of the edited program: line and kind.
    pub fails: (u32, ErrorKind),
}
