//! Where the search stands: a place inside a procedure, in the procedure's own terms, and the calls
//! that were entered to come there.

use super::dependence::Parts;
use crate::lang::model::{EdgeId, LocationId};
use std::collections::BTreeSet;

/// A place inside a procedure, whoever called it and whatever the constraints are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LocalState {
    pub(super) location: LocationId,
    /// What matters there: the paper's Error set.
    pub(super) relevant: Parts,
    /// Where focus statements start whose control parent has not been met.
    pub(super) pending: BTreeSet<LocationId>,
    /// Has the frame a focus statement yet?
    pub(super) has_focus: bool,
    /// Where the frame returned, before it has one.
    pub(super) returned: Option<EdgeId>,
}

impl LocalState {
    /// Nothing is known but the location.
    pub(super) fn at(location: LocationId) -> LocalState {
        LocalState {
            location,
            relevant: Parts::new(),
            pending: BTreeSet::new(),
            has_focus: false,
            returned: None,
        }
    }
}

/// The number of a [`LocalState`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LocalStateId(pub(super) u32);

/// An entered call: the caller's local state has the callee's share taken out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) call: EdgeId,
    pub(super) caller: LocalStateId,
    pub(super) below: Option<FrameId>,
    /// Number of frames below.
    pub(super) depth: u32,
}

/// The number of a [`Frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameId(pub(super) u32);

/// Where a node of the search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SearchState {
    pub(super) local: LocalStateId,
    /// The innermost entered call; none if the search began in this procedure or in one that it
    /// called.
    pub(super) frame: Option<FrameId>,
}
