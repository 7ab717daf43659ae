//! Weight domains and their laws.
//!
//! A weight is an abstract transformer. `combine` (⊕) is join, `extend` (⊗) is composition with the
//! *left* argument running first, `zero` says "no path" and `one` says "skip" (Lal, Kidd, Reps,
//! Touili 2007, Def. 3). One generic suite, `tests/pushdown/laws.rs`, checks the laws for every
//! domain.

pub mod affine;
mod boolean;
mod cheapest;
mod constants;
mod functional;
mod merge;
mod minpath;
mod product;
mod relation;
mod relation_tensor;
mod tensor;
mod weighted_relation;

pub use boolean::Boolean;
pub use cheapest::{CheapestPath, PathCost};
pub use constants::{ConstantPropagation, ConstantValues};
pub use functional::FunctionalWeight;
pub use merge::Merge;
pub use minpath::{MinPath, PathLength};
pub use product::Product;
pub use relation::Relations;
pub use relation_tensor::RelationTensors;
pub use tensor::Tensors;
pub use weighted_relation::{Levels, WeightedRelations};

use crate::util::Bounded;
use std::fmt::Debug;

/// Whether results over a domain are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// Extend is only monotone: a ⊗ b ⊕ a ⊗ c ⊑ a ⊗ (b ⊕ c), so a result holds for every path but
    /// may say less than all of them together (Lal, Touili, Kidd, Reps 2007, § 4.3; Kam, Ullman
    /// 1977).
    Safe,
    /// Extend distributes over combine: the result is the combine over all paths.
    Exact,
}

/// A bounded idempotent semiring (Lal, Kidd, Reps, Touili 2007, Def. 3). The operations take
/// `&mut self` because symbolic domains keep their weights in a shared arena, and return the limit
/// that the arena hit, if any.
pub trait Semiring {
    /// An element.
    type Weight: Clone + PartialEq + Debug;
    /// "No path": neutral for combine, annihilates extend.
    fn zero(&self) -> Self::Weight;
    /// "Skip": neutral for extend.
    fn one(&mut self) -> Bounded<Self::Weight>;
    /// ⊕: commutative, associative, idempotent.
    fn combine(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight>;
    /// ⊗: associative, distributes over ⊕ on both sides (or is only monotone, see
    /// [`Self::precision`]); `left` runs first.
    fn extend(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight>;
    /// Are results exact or only safe?
    fn precision(&self) -> Precision {
        Precision::Exact
    }
    /// Is it `zero`?
    fn is_zero(&self, weight: &Self::Weight) -> bool {
        *weight == self.zero()
    }
}
