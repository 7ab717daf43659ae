//! What a program says about threads. Everything else in the model reads the same with and without
//! them.

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
    /// Edges that start one more thread, in this procedure. Their operation is what the starting
    /// thread itself does.
    pub starts: BTreeMap<EdgeId, ProcedureId>,
    /// Edges that wait until another thread acts: taking a lock, joining a thread. Their operation
    /// is an assumption.
    pub waits: BTreeSet<EdgeId>,
    /// Edges at which the running thread ends for good (`pthread_exit`, `end_thread`). Their
    /// operation assumes what never holds.
    pub ends: BTreeSet<EdgeId>,
    /// A hidden global of type bool: while it holds, no other thread runs. `None` if nothing is
    /// atomic.
    pub atomic: Option<VariableId>,
    /// Locations inside one indivisible step, such as between finding a lock free and taking it.
    pub uninterruptible: BTreeSet<LocationId>,
}

impl Concurrency {
    /// Does anything ever run beside main?
    pub fn has_threads(&self) -> bool {
        !self.threads.is_empty() || !self.starts.is_empty()
    }
}
