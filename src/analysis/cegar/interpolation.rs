//! Interpolation on a counterexample DAG, and whether the DAG is spurious, in passes over its nodes
//! (thesis, 4.3, 5.2 and chapter 6).
//!
//! 1. For [`Heuristic::SkipConciliated`] the strongest interpolants of the slice of the errors
//!    ([`super::sliced_interpolants`]), if the caller gave the slice. If they show that the DAG is
//!    spurious, they replace I below.
//! 2. The strongest interpolants I, from the top (figs 5.5, 5.9, 7.1). The DAG is spurious iff I at
//!    the bottom is 0 (Prop. 4.8).
//! 3. The weakest interpolants J, if asked for, and those that the heuristic chooses, K, from the
//!    bottom (figs 5.6, 5.9).

use super::chosen::{asked_at, conciliate};
use super::concrete::Concrete;
use super::dag::{CounterexampleDag, DagPoint, NodeId};
use super::heuristic::Descent;
use super::interpolants::{Family, Interpolants};
use super::sliced_interpolants::SlicedInterpolants;
use super::strongest::strongest_at;
use crate::bdd::{Bdd, Roots, impl_roots};
use crate::util::Bounded;
use crate::wire::refinement::Heuristic;

/// An interpolation in progress: each step computes the interpolants of one node.
pub struct Interpolation {
    heuristic: Heuristic,
    /// Is J asked for, chosen or not?
    weakest: bool,
    /// All nodes: bodies before callers, sources before targets.
    down: Vec<NodeId>,
    /// All nodes: callers before bodies, targets before sources.
    up: Vec<NodeId>,
    /// The passes from the bottom that remain, the next one last.
    descents: Vec<Descent>,
    pass: Pass,
    /// How many nodes the pass has done.
    next: usize,
    result: Interpolants,
    /// The slice that the first pass used, for the caller's next interpolation.
    slice: Option<Box<SlicedInterpolants>>,
    /// Replaces I where the heuristic reads it, while the result keeps I itself.
    stand_in: Option<Family>,
}

/// A pass over all nodes, with what it has computed.
enum Pass {
    /// The strongest interpolants of the slice, from the top.
    Sliced(Box<SlicedInterpolants>, Family),
    /// I, from the top; the result holds it.
    Strongest,
    /// From the bottom.
    Descent { descent: Descent, chosen: Family, bounds: Family },
    /// No pass is left.
    Done,
}

impl Interpolation {
    /// Prepares I, J and K.
    pub fn new(dag: &CounterexampleDag, heuristic: Heuristic) -> Interpolation {
        Interpolation { weakest: true, ..Interpolation::of_chosen(dag, heuristic) }.with_descents()
    }

    /// Prepares I and K without J, for a caller that shows nothing: J can take much longer than K.
    /// K ⊨ J then follows, as K is 0 at the bottom and tracked along every edge.
    pub fn of_chosen(dag: &CounterexampleDag, heuristic: Heuristic) -> Interpolation {
        let parts = dag.parts();
        let down = parts.iter().rev().flat_map(|part| part.nodes.iter().copied()).collect();
        let up = parts.iter().flat_map(|part| part.nodes.iter().rev().copied()).collect();
        let result = Interpolants {
            strongest: vec![Bdd::FALSE; dag.node_count()],
            is_of_slice: false,
            weakest: Vec::new(),
            chosen: Vec::new(),
            bounds: Vec::new(),
        };
        let fresh = Interpolation {
            heuristic,
            weakest: false,
            down,
            up,
            descents: Vec::new(),
            pass: Pass::Strongest,
            next: 0,
            result,
            slice: None,
            stand_in: None,
        };
        fresh.with_descents()
    }

    /// Adds the first pass, which tries whether the slice of the errors is enough.
    pub fn with_slice(
        mut self,
        dag: &CounterexampleDag,
        slice: Box<SlicedInterpolants>,
    ) -> Interpolation {
        self.pass = Pass::Sliced(slice, vec![Bdd::FALSE; dag.node_count()]);
        self
    }

    fn with_descents(mut self) -> Interpolation {
        let chosen = self.heuristic.passes().1;
        self.descents = chosen.into_iter().filter(|descent| *descent != Descent::WEAKEST).collect();
        if self.weakest || chosen == Some(Descent::WEAKEST) {
            self.descents.push(Descent::WEAKEST);
        }
        self
    }

    /// Is every pass done?
    pub fn is_done(&self) -> bool {
        matches!(self.pass, Pass::Done)
    }

    /// Computes the interpolants at one more node.
    pub fn step(&mut self, concrete: &mut Concrete<'_>, dag: &CounterexampleDag) -> Bounded<()> {
        match &mut self.pass {
            Pass::Sliced(slice, family) => {
                let node = self.down[self.next];
                family[node] = slice.strongest_at(concrete, dag, family, node)?;
            }
            Pass::Strongest => {
                let node = self.down[self.next];
                let strongest = strongest_at(concrete, dag, &self.result.strongest, node)?;
                self.result.strongest[node] = strongest;
            }
            Pass::Descent { descent, chosen, bounds } => {
                let node = self.up[self.next];
                let (descent, strongest) = (*descent, &self.result.strongest);
                let known = match &self.stand_in {
                    Some(stand_in) if descent != Descent::WEAKEST => stand_in,
                    _ => strongest,
                };
                let asked = asked_at(concrete, dag, descent, known, chosen, node)?;
                let here = known[node];
                let choice =
                    if descent.conciliate { conciliate(concrete, asked, here)? } else { asked };
                let bound = if descent == Descent::WEAKEST || !self.weakest {
                    choice
                } else if !dag.is_in_body(node) {
                    self.result.weakest[node]
                } else if dag.node(node).point == DagPoint::Returned {
                    asked
                } else {
                    asked_at(concrete, dag, Descent::WEAKEST, strongest, bounds, node)?
                };
                chosen[node] = choice;
                bounds[node] = bound;
            }
            Pass::Done => return Ok(()),
        }
        self.next += 1;
        if self.next == self.down.len() {
            self.next_pass(dag);
        }
        Ok(())
    }

    /// Runs to the end, without a collection in between.
    pub fn run(&mut self, concrete: &mut Concrete<'_>, dag: &CounterexampleDag) -> Bounded<()> {
        while !self.is_done() {
            self.step(concrete, dag)?;
        }
        Ok(())
    }

    /// Keeps what the finished pass computed, and begins the next one.
    fn next_pass(&mut self, dag: &CounterexampleDag) {
        self.next = 0;
        let (strongest, chosen) = self.heuristic.passes();
        match std::mem::replace(&mut self.pass, Pass::Done) {
            Pass::Sliced(slice, family) => {
                self.slice = Some(slice);
                if self.keep_sliced(dag, family) {
                    self.pass = Pass::Strongest;
                    return;
                }
            }
            Pass::Strongest if !self.result.is_spurious(dag) => return,
            Pass::Strongest if strongest => {
                self.result.chosen.push(self.result.strongest.clone());
                self.result.bounds.push(self.result.strongest.clone());
            }
            Pass::Strongest | Pass::Done => {}
            Pass::Descent { descent, chosen: family, bounds } => {
                if descent == Descent::WEAKEST {
                    self.result.weakest = family.clone();
                    // I ⊨ J everywhere (5.2.2).
                    self.result.bounds =
                        self.result.chosen.iter().map(|_| family.clone()).collect();
                }
                if chosen == Some(descent) {
                    self.result.chosen.push(family);
                    self.result.bounds.push(bounds);
                }
            }
        }
        if let Some(descent) = self.descents.pop() {
            let open = vec![Bdd::TRUE; dag.node_count()];
            self.pass = Pass::Descent { descent, chosen: open.clone(), bounds: open };
        }
    }

    /// Uses the strongest interpolants of the slice if they show that the DAG is spurious. Returns
    /// whether I itself is still needed.
    fn keep_sliced(&mut self, dag: &CounterexampleDag, family: Family) -> bool {
        if !family[dag.bottom()].is_false() {
            return true;
        }
        if self.weakest {
            self.stand_in = Some(family);
            return true;
        }
        (self.result.strongest, self.result.is_of_slice) = (family, true);
        false
    }

    /// The interpolants so far; complete once [`is_done`](Self::is_done).
    pub fn result(&self) -> &Interpolants {
        &self.result
    }

    /// The slice of [`with_slice`](Self::with_slice), to be used again once this is done.
    pub fn take_slice(&mut self) -> Option<Box<SlicedInterpolants>> {
        self.slice.take()
    }

    /// The interpolants.
    pub fn into_result(self) -> Interpolants {
        self.result
    }
}

impl_roots!(Interpolation { result, stand_in, pass, slice });

impl Roots for Pass {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Pass::Sliced(slice, family) => (slice, family).roots(roots),
            Pass::Strongest | Pass::Done => {}
            Pass::Descent { chosen, bounds, .. } => (chosen, bounds).roots(roots),
        }
    }
}
