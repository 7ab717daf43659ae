//! The task of a session, and its answer.

use crate::util::Limit;
use crate::wire::projection::Method;

/// The task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Does some run fail, and which one?
    Check,
    /// In addition: which statements are on failing runs?
    Projection(Method),
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No run fails.
    Safe,
    /// A run fails, and it was replayed.
    Unsafe,
    /// This limit was hit first.
    Unknown(Limit),
    /// The interpreter or the check of the invariant contradicts the engine (see
    /// [`super::Session::fault`]). This is a defect of Faultline, so there is no verdict.
    Fault,
}
