//! A saturation that is recorded: its steps, and the weights and witnesses after any step.

use crate::bdd::{Bdd, Roots, impl_roots};
use crate::pds::{
    BackwardWeights, ControlLocation, ForwardWeights, PAutomaton, Pds, PostStar, PreStar,
    Recording, Right, StackSymbol, Star, State, Weights, Witness,
};
use crate::util::Bounded;
use crate::util::order::inserted;
use std::collections::BTreeMap;

/// Most nodes of a witness.
const WITNESS_NODES: usize = 20_000;

enum Saturation<D: Weights> {
    Post(PostStar<D>),
    Pre(PreStar<D>),
}

/// A saturation in progress, with its recording.
pub struct Recorded<D: Weights> {
    saturation: Saturation<D>,
    recording: Recording<D::Weight>,
    given: PAutomaton<D::Weight>,
}

impl<D: ForwardWeights + BackwardWeights> Recorded<D> {
    /// Prepares post\* of the configurations of an automaton without transitions into control
    /// locations. For `priority` see [`PostStar::new`].
    pub fn post(domain: &D, initial: PAutomaton<D::Weight>, priority: Vec<u32>) -> Recorded<D> {
        let mut recording = Recording::new(&initial);
        let saturation = PostStar::new(domain, initial.clone(), priority);
        recording.waits(saturation.waiting());
        Recorded { saturation: Saturation::Post(saturation), recording, given: initial }
    }

    /// Prepares pre\* of the configurations of an automaton.
    pub fn pre(
        pds: &Pds,
        domain: &mut D,
        target: PAutomaton<D::Weight>,
        priority: Vec<u32>,
    ) -> Bounded<Recorded<D>> {
        let mut recording = Recording::new(&target);
        let saturation =
            PreStar::new_observed(pds, domain, target.clone(), priority, &mut recording)?;
        recording.waits(saturation.waiting());
        Ok(Recorded { saturation: Saturation::Pre(saturation), recording, given: target })
    }

    /// Looks at one transition. Does nothing once the saturation is done. After a limit the
    /// saturation may only be read.
    pub fn step(&mut self, pds: &Pds, domain: &mut D) -> Bounded<()> {
        if self.is_done() {
            return Ok(());
        }
        match &mut self.saturation {
            Saturation::Post(post) => {
                post.step_observed(pds, domain, &mut self.recording)?;
                self.recording.waits(post.waiting());
            }
            Saturation::Pre(pre) => {
                pre.step_observed(pds, domain, &mut self.recording)?;
                self.recording.waits(pre.waiting());
            }
        }
        Ok(())
    }

    /// Is the saturation complete?
    pub fn is_done(&self) -> bool {
        match &self.saturation {
            Saturation::Post(post) => post.is_done(),
            Saturation::Pre(pre) => pre.is_done(),
        }
    }

    /// The direction of the saturation.
    pub fn star(&self) -> Star {
        match &self.saturation {
            Saturation::Post(_) => Star::Post,
            Saturation::Pre(_) => Star::Pre,
        }
    }

    /// The automaton so far.
    pub fn automaton(&self) -> &PAutomaton<D::Weight> {
        match &self.saturation {
            Saturation::Post(post) => post.automaton(),
            Saturation::Pre(pre) => pre.automaton(),
        }
    }

    /// The automaton that saturation started from.
    pub fn given(&self) -> &PAutomaton<D::Weight> {
        &self.given
    }

    /// All steps so far.
    pub fn recording(&self) -> &Recording<D::Weight> {
        &self.recording
    }

    /// The automaton as it was after a step (`None`: now).
    pub fn automaton_at(&self, step: Option<u32>) -> PAutomaton<D::Weight> {
        self.recording.automaton(self.automaton(), step)
    }

    /// For post\*: the states inside callees, with the head ⟨p, γ⟩ at which each is entered.
    pub fn callees(&self, pds: &Pds) -> BTreeMap<State, (ControlLocation, StackSymbol)> {
        let Saturation::Post(post) = &self.saturation else { return BTreeMap::new() };
        let entered = pds.rules().iter().filter_map(|rule| match rule.right {
            Right::Push(top, _) => post.middle(rule.to, top).map(|state| (state, (rule.to, top))),
            _ => None,
        });
        inserted(entered)
    }

    /// A derivation of the weight that a transition had after a step (`None`: now). Returns `None`
    /// if the transition was not there. Errors: the witness is too large, or the domain hit a
    /// limit.
    pub fn witness(
        &self,
        domain: &mut D,
        transition: u32,
        step: Option<u32>,
    ) -> Bounded<Option<Witness<D::Weight>>> {
        let part = self.recording.until(transition, step);
        if part.to == 0 {
            return Ok(None);
        }
        Witness::new(domain, &self.recording, self.star(), part, WITNESS_NODES).map(Some)
    }
}

impl_roots!([D: Weights<Weight: Roots>] Recorded<D> { recording, given, saturation });

impl<D: Weights<Weight: Roots>> Roots for Saturation<D> {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Saturation::Post(post) => post.roots(roots),
            Saturation::Pre(pre) => pre.roots(roots),
        }
    }
}
