//! Craig interpolants of a counterexample DAG, one for each node (thesis, 4.3 and 5.2).
//!
//! | name | at a node | meaning |
//! | --- | --- | --- |
//! | strongest | I | the stores that reach the node on the DAG's traces (in a body: related to the frame's entry) |
//! | weakest | J | the stores from which no trace of the DAG fails |
//! | chosen | K | what a heuristic chooses: I ⊨ K, and K is tracked along every edge |
//!
//! In the main part I ⊨ K ⊨ J. In a body K ⊨ J need not hold. J> is the weakest for J‹; where a
//! heuristic chooses a stronger K‹, it may choose a K> that is weaker than J>. There K is bounded
//! by the weakest interpolant for K‹: ∀L. K‹ → K(m_i+1), and so on upwards in the body.
//! [`Interpolants::bounds`] holds these bounds.

use super::dag::CounterexampleDag;
use crate::bdd::{Bdd, impl_roots};

/// One interpolant for each node of a DAG.
pub type Family = Vec<Bdd>;

/// The result of an interpolation.
#[derive(Clone, Debug)]
pub struct Interpolants {
    /// I by node, or the interpolants of the slice that replace it
    /// ([`is_of_slice`](Self::is_of_slice)).
    pub strongest: Family,
    /// Are the strongest interpolants those of the slice of the errors
    /// ([`super::sliced_interpolants`])? Never if J was asked for.
    pub is_of_slice: bool,
    /// J by node. Empty if some trace is real, or if J was not asked for.
    pub weakest: Family,
    /// The families that the heuristic chose: one, or two for
    /// [`Heuristic::Both`](crate::wire::refinement::Heuristic::Both). Empty if some trace is real.
    pub chosen: Vec<Family>,
    /// For each chosen family its bound by node, I ⊨ K ⊨ bound: in the main part J, in a body the
    /// weakest interpolant that K around the calls allows. If J was not asked for, K itself.
    pub bounds: Vec<Family>,
}

impl Interpolants {
    /// Is no trace of the DAG real? (Prop. 4.8)
    pub fn is_spurious(&self, dag: &CounterexampleDag) -> bool {
        self.strongest[dag.bottom()].is_false()
    }
}

impl_roots!(Interpolants { strongest, weakest, chosen, bounds });
