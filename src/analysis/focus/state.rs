//! The state of the search at a node: a local state inside one procedure, and the calls that were
//! entered on the way to it.

use super::dependence::Parts;
use crate::lang::model::{EdgeId, LocationId};
use std::collections::BTreeSet;

/// A location with what the search knows there, in terms of its procedure alone. It depends neither
/// on callers nor on constraints, so all calls of the procedure share it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LocalState {
    pub(super) location: LocationId,
    /// What matters there: the paper's Error set.
    pub(super) relevant: Parts,
    /// Where focus statements start whose control parent has not been met.
    pub(super) pending: BTreeSet<LocationId>,
    /// Does the frame have a focus statement yet?
    pub(super) has_focus: bool,
    /// The frame's return, as long as it has no focus statement.
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

/// The state of the search at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SearchState {
    pub(super) local: LocalStateId,
    /// The innermost entered call; none if the search began in this procedure or in one that it
    /// called.
    pub(super) frame: Option<FrameId>,
}
