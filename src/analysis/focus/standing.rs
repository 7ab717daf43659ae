//! Where the search stands: a place inside a procedure, in the procedure's own terms, and the calls
//! that were entered to come there.

use super::dependence::Parts;
use crate::lang::model::{EdgeId, LocationId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::Hash;
use std::rc::Rc;

/// A place inside a procedure, whoever called it and whatever the constraints are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Standing {
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

impl Standing {
    /// Nothing is known but the location.
    pub(super) fn at(location: LocationId) -> Standing {
        Standing {
            location,
            relevant: Parts::new(),
            pending: BTreeSet::new(),
            has_focus: false,
            returned: None,
        }
    }
}

/// The number of a [`Standing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StandingId(pub(super) u32);

/// An entered call: the caller's standing has the callee's share taken out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) call: EdgeId,
    pub(super) caller: StandingId,
    pub(super) below: Option<FrameId>,
    /// Number of frames below.
    pub(super) depth: u32,
}

/// The number of a [`Frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameId(pub(super) u32);

/// Where a node of the search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stand {
    pub(super) standing: StandingId,
    /// The innermost entered call; none if the search began in this procedure or in one that it
    /// called.
    pub(super) frame: Option<FrameId>,
}

/// Values, each under one number.
pub(super) struct Numbered<T> {
    values: Vec<Rc<T>>,
    numbers: FxHashMap<Rc<T>, u32>,
}

impl<T: Eq + Hash> Numbered<T> {
    pub(super) fn new() -> Numbered<T> {
        Numbered { values: Vec::new(), numbers: FxHashMap::default() }
    }

    pub(super) fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let (value, number) = (Rc::new(value), self.values.len() as u32);
        self.values.push(Rc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// Of a number that was given out.
    pub(super) fn value(&self, number: u32) -> &Rc<T> {
        &self.values[number as usize]
    }
}
