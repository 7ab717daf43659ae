//! Threads of a program. The rest of the model is the same with and without threads.

use crate::lang::ids::{EdgeId, LocationId, ProcedureId, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Threads of a program. Each is a procedure without parameters that runs beside `main`, from the
/// start or once it is started.
///
/// A context switch may happen at every location of the running thread, unless
/// [`Concurrency::atomic`] holds there or the location is one of [`Concurrency::uninterruptible`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Concurrency {
    /// Threads that run from the start, beside main.
    pub threads: Vec<ProcedureId>,
    /// Edges that start one more thread, which runs this procedure. The operation of the edge is
    /// what the starting thread itself does.
    pub starts: BTreeMap<EdgeId, ProcedureId>,
    /// Edges that wait until another thread acts: taking a lock, joining a thread. Their operation
    /// is an assumption.
    pub waits: BTreeSet<EdgeId>,
    /// Edges at which the running thread ends (`pthread_exit`, `end_thread`). Their operation is an
    /// assumption that never holds.
    pub ends: BTreeSet<EdgeId>,
    /// A hidden global of type bool: while it holds, no other thread runs. `None` if nothing is
    /// atomic.
    pub atomic: Option<VariableId>,
    /// Locations inside one indivisible step, for example between the check that a lock is free and
    /// the edge that takes it.
    pub uninterruptible: BTreeSet<LocationId>,
    /// Edges that order threads or access atomically: freeing a lock, posting a semaphore, an
    /// atomic operation. Waiting edges and what is not interruptible are such edges anyway.
    pub synchronizing: BTreeSet<EdgeId>,
    /// Globals that are only accessed atomically (`_Atomic`).
    pub atomics: BTreeSet<VariableId>,
}

impl Concurrency {
    /// Can a thread run beside main?
    pub fn has_threads(&self) -> bool {
        !self.threads.is_empty() || !self.starts.is_empty()
    }
}
