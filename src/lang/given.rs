//! What a run takes from outside: values that calls give, and values that are read.

use crate::lang::ids::{ChoiceId, EdgeId};
use crate::lang::model::{Scalar, Span};
use std::collections::BTreeMap;

/// Who gives a value that a run picks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Giver {
    /// The procedure that is called.
    pub name: String,
    /// The call.
    pub span: Span,
    /// What the value is there.
    pub role: Role,
}

/// What a value is to the call that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The result.
    Result,
    /// A number that is read from the input.
    Number,
    /// A character that is read from the input.
    Character,
}

/// A value that the next edge picks.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Picked {
    pub(in crate::lang) scalar: Scalar,
    pub(in crate::lang) giver: Option<Box<Giver>>,
}

impl From<Scalar> for Picked {
    fn from(scalar: Scalar) -> Picked {
        Picked { scalar, giver: None }
    }
}

/// The givers of a program's choices, by edge; those that nobody gives are not listed.
pub type Givers = BTreeMap<EdgeId, Vec<(ChoiceId, Giver)>>;

/// Notes who gives the values that a new edge picks.
pub(in crate::lang) fn note(givers: &mut Givers, edge: EdgeId, picked: &[Picked]) {
    let given: Vec<(ChoiceId, Giver)> = (0..)
        .map(ChoiceId)
        .zip(picked)
        .filter_map(|(id, one)| Some((id, one.giver.as_deref()?.clone())))
        .collect();
    if !given.is_empty() {
        givers.insert(edge, given);
    }
}
