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
    /// The relevant parts of the store: the paper's Error set.
    pub(super) relevant: Parts,
    /// The locations at which focus statements start whose control parent has not been met.
    pub(super) pending: BTreeSet<LocationId>,
    /// Does the frame have a focus statement yet?
    pub(super) has_focus: bool,
    /// The frame's return, as long as it has no focus statement.
    pub(super) returned: Option<EdgeId>,
}

impl LocalState {
    /// A state of which only the location is known.
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

/// A call that was entered backward. The parts that matter inside the callee are taken out of the
/// caller's local state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) call: EdgeId,
    pub(super) caller: LocalStateId,
    pub(super) below: Option<FrameId>,
    /// The number of frames below.
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
