//! The combine of the weights of all runs from the initial to the target configurations of a raw
//! system: JOP(I, T).
//!
//! The weight is read off post\* of the question's first configuration. If the domain is exact, it
//! is also read off pre\* of the last configuration, and the two must agree. Over a domain that is
//! only safe the two may differ, and post\* counts.

use crate::encode::RawQuestion;
use crate::lang::raw::RawSystem;
use crate::pds::{
    PAutomaton, Plain, PostStar, PreStar, StackAutomaton, read_backward, read_forward,
};
use crate::semiring::{Precision, Semiring};
use crate::util::{Bounded, Limit};

/// Transitions looked at in one step.
const PIECE: u64 = 64;

/// The saturations in progress.
pub struct RawTotal<S: Semiring> {
    question: RawQuestion,
    /// The weights of the question's rules.
    pub domain: Plain<S>,
    one: S::Weight,
    post: PostStar<Plain<S>>,
    pre: Option<PreStar<Plain<S>>>,
    total: Option<S::Weight>,
    fault: bool,
    done: bool,
    max_nodes: u64,
    max_steps: u64,
    steps: u64,
}

impl<S: Semiring> RawTotal<S> {
    /// Prepares the computation. `domain` has the weights of the system's rules. `max_nodes` bounds
    /// the transitions, and `max_steps` bounds how many of them are looked at.
    pub fn new(
        system: &RawSystem,
        domain: Plain<S>,
        max_nodes: u64,
        max_steps: u64,
    ) -> Bounded<RawTotal<S>> {
        let question = RawQuestion::new(system, false, max_nodes)?;
        let Plain { mut semiring, weights } = domain;
        let one = semiring.one()?;
        let domain = Plain { weights: question.weights(&weights, &one), semiring };
        let (p, stack) = question.first;
        let post = PostStar::new(&domain, configuration(&question, p, &stack, &one), Vec::new());
        Ok(RawTotal {
            question,
            domain,
            one,
            post,
            pre: None,
            total: None,
            fault: false,
            done: false,
            max_nodes,
            max_steps,
            steps: 0,
        })
    }

    /// One bounded piece of work. Returns true once it is over.
    pub fn step(&mut self) -> Bounded<bool> {
        let pds = &self.question.pds;
        for _ in 0..PIECE {
            if self.done {
                return Ok(true);
            }
            self.steps += 1;
            let pre_size = self.pre.as_ref().map_or(0, |pre| pre.automaton().transitions().len());
            if self.steps > self.max_steps {
                return Err(Limit::Steps);
            }
            if (self.post.automaton().transitions().len() + pre_size) as u64 > self.max_nodes {
                return Err(Limit::Nodes);
            }
            if !self.post.is_done() {
                self.post.step(pds, &mut self.domain)?;
                continue;
            }
            let (first, last) = (self.question.first, self.question.last);
            let Some(total) = &self.total else {
                let set = StackAutomaton::exactly(&last.1);
                self.total = Some(read_backward(
                    &mut self.domain,
                    self.post.read(),
                    last.0,
                    &set,
                    &self.one,
                )?);
                continue;
            };
            match &mut self.pre {
                _ if self.domain.semiring.precision() == Precision::Safe => self.done = true,
                None => {
                    let target = configuration(&self.question, last.0, &last.1, &self.one);
                    self.pre = Some(PreStar::new(pds, &mut self.domain, target, Vec::new())?);
                }
                Some(pre) if !pre.is_done() => pre.step(pds, &mut self.domain)?,
                Some(pre) => {
                    let set = StackAutomaton::exactly(&first.1);
                    let again =
                        read_forward(&mut self.domain, pre.read(), first.0, &set, &self.one)?;
                    self.fault = again != *total;
                    self.done = true;
                }
            }
        }
        Ok(self.done)
    }

    /// The weight, at the end.
    pub fn total(&self) -> Option<&S::Weight> {
        self.total.as_ref().filter(|_| self.done)
    }

    /// Do post\* and pre\* contradict each other?
    pub fn is_contradicted(&self) -> bool {
        self.fault
    }
}

/// One configuration of the question as an automaton.
pub(super) fn configuration<W: Clone>(
    question: &RawQuestion,
    p: crate::pds::ControlLocation,
    stack: &[crate::pds::StackSymbol],
    one: &W,
) -> PAutomaton<W> {
    StackAutomaton::exactly(stack).configurations(
        question.pds.locations(),
        p,
        question.pds.symbols(),
        one,
    )
}
