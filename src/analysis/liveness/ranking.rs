//! The proof of "holds": a ranking, checked apart from the search that found it.
//!
//! The rank of a head is the number of the last round (see [`super::heads`]) at whose beginning it
//! was left. Along every edge of the graph of heads the rank does not grow, and into an accepting
//! head it falls. So no run passes accepting heads for ever. The check goes forward, edge by edge,
//! with relations built anew that forget no local; the search went backward with the relations of
//! post\*. That the heads of round 0 hold all that is reached is checked here as well; that the
//! summaries of calls are complete is what the proof of post\*'s invariant says
//! ([`crate::analysis::invariant`]).

use super::heads::Heads;
use crate::analysis::invariant::proving::Proof;
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, KernelLimits, impl_roots};
use crate::encode::{Relations, symbol};
use crate::lang::model::{EdgeId, Operation};
use crate::util::Bounded;
use std::rc::Rc;

/// Kernel steps that a proof may take at least.
const LEAST_STEPS: u64 = 5_000_000;

/// The check of a ranking, in progress.
pub struct Ranking {
    rounds: Vec<Vec<Bdd>>,
    accepting: Vec<Bdd>,
    relations: Relations,
    next: u32,
    limits: KernelLimits,
}

impl_roots!(Ranking { rounds, accepting, relations });

impl Ranking {
    /// Prepares the check of what a search has left; `None` if it did not keep all of its rounds.
    pub fn new(heads: &Heads, reach: &Reach) -> Option<Ranking> {
        let mut rounds = heads.rounds()?.to_vec();
        rounds.push(vec![Bdd::FALSE; reach.program.locations.len()]);
        let kernel = &reach.domain.kernel;
        let (limits, steps) = (kernel.limits(), kernel.steps());
        let max_steps = limits.max_steps.min(steps.saturating_add(steps.max(LEAST_STEPS)));
        Some(Ranking {
            rounds,
            accepting: heads.accepting().to_vec(),
            relations: Relations::new(),
            next: 0,
            limits: KernelLimits { max_steps, ..limits },
        })
    }

    /// What was left at the beginning of each round, and at last nothing.
    pub fn into_rounds(self) -> Vec<Vec<Bdd>> {
        self.rounds
    }

    /// Checks one edge. Returns the result once the proof is over; an error names an edge along
    /// which the ranking fails.
    pub fn step(&mut self, reach: &mut Reach) -> Option<Result<Proof, String>> {
        let limits = reach.domain.kernel.limits();
        reach.domain.kernel.set_limits(self.limits);
        let answer = self.check(reach);
        reach.domain.kernel.set_limits(limits);
        match answer {
            Ok(true) if self.next as usize == reach.program.edges.len() => Some(Ok(Proof::Checked)),
            Ok(true) => {
                self.next += 1;
                None
            }
            Ok(false) => {
                let line = reach.program.edges.get(self.next as usize).map(|edge| edge.span.line);
                let line = line.map_or("the start".to_string(), |line| format!("line {line}"));
                Some(Err(format!("the ranking is none: it fails at {line}")))
            }
            Err(limit) => Some(Ok(Proof::Unchecked(limit))),
        }
    }

    fn check(&mut self, reach: &mut Reach) -> Bounded<bool> {
        let program = Rc::clone(&reach.program);
        let id = EdgeId(self.next);
        let Some(edge) = program.edges.get(self.next as usize) else {
            let initial = self.relations.initial(&mut reach.domain, &program)?;
            let entry = program.procedure(program.main_id()).entry;
            return reach.domain.kernel.is_subset(initial, self.rounds[0][entry.0 as usize]);
        };
        let from = edge.from.0 as usize;
        for round in 0..self.rounds.len() - 1 {
            let (here, below) = (self.rounds[round][from], self.rounds[round + 1][from]);
            let leaving = reach.domain.kernel.difference(here, below)?;
            if leaving.is_false() {
                continue;
            }
            match &edge.operation {
                Operation::Call { callee, .. } => {
                    let call = self.relations.call(&mut reach.domain, &program, id)?;
                    let pivot = call.push_after(&mut reach.domain.kernel, leaving)?;
                    let entered = call.enter_after(&mut reach.domain.kernel, pivot)?;
                    let entry = program.procedure(*callee).entry.0 as usize;
                    if !self.falls(reach, round, entered, entry)? {
                        return Ok(false);
                    }
                    let mut exit = Bdd::FALSE;
                    for (_, weight) in reach.weights_at(symbol(program.procedure(*callee).exit)) {
                        exit = reach.domain.kernel.or(exit, weight)?;
                    }
                    let returned = self.relations.popped(&mut reach.domain, *callee, exit)?;
                    let effect = call.effect(&mut reach.domain.kernel, returned)?;
                    let after = call.return_after(&mut reach.domain.kernel, pivot, effect)?;
                    if !self.falls(reach, round, after, edge.to.0 as usize)? {
                        return Ok(false);
                    }
                }
                _ => {
                    let step = self.relations.step(&mut reach.domain, &program, id, None)?;
                    let after = step.after(&mut reach.domain.kernel, leaving)?;
                    if !self.falls(reach, round, after, edge.to.0 as usize)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Do these successors of heads of this rank have a rank that is not greater, and a lesser one
    /// where they accept?
    fn falls(&self, reach: &mut Reach, round: usize, after: Bdd, to: usize) -> Bounded<bool> {
        let kernel = &mut reach.domain.kernel;
        let accepting = kernel.and(self.rounds[round][to], self.accepting[to])?;
        let wrong = kernel.or(self.rounds[round + 1][to], accepting)?;
        Ok(kernel.is_subset(after, self.rounds[0][to])? && kernel.disjoint(after, wrong)?)
    }
}
