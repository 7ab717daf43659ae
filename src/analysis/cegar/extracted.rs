//! A counterexample DAG together with what the abstract program knows at its nodes.

use super::dag::CounterexampleDag;
use super::predicates::ProgramPoint;
use crate::bdd::{Bdd, impl_roots};

/// A DAG, with what the abstract program knows at its nodes.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The DAG.
    pub dag: CounterexampleDag,
    /// By node: the abstract states on error paths, over the bits
    /// [`AbstractCopy::Now`](super::bits::AbstractCopy::Now).
    pub states: Vec<Bdd>,
    /// By node: the point whose list keeps its predicates; `None` for the top and the bottom.
    pub points: Vec<Option<ProgramPoint>>,
}

impl_roots!(Extracted { states });
