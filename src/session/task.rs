//! What is asked of a session, and what it answered.

use crate::util::Limit;
use crate::wire::projection::Method;

/// What to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Can it fail, and on which run?
    Check,
    /// And which statements are on failing runs?
    Projection(Method),
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No run fails.
    Safe,
    /// A run fails; it was replayed.
    Unsafe,
    /// This limit was hit first.
    Unknown(Limit),
    /// The interpreter or the check of the invariant contradicts the engine (see
    /// [`super::Session::fault`]): a defect of Faultline, so nothing is claimed.
    Fault,
}
