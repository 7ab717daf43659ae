//! Computes the relation of any number of rounds of a loop, and applies it to weights: see
//! `encode::acceleration`.

use super::ProgramDomain;
use crate::bdd::{Bdd, KernelLimits};
use crate::encode::acceleration::Rounds;
use crate::encode::effect::{Change, identity, turn};
use crate::encode::program_system::{CONTROL, symbol};
use crate::pds::{PAutomaton, Pds, PostStar, StackSymbol, Transition};
use crate::util::AccelerateLoops;
use crate::util::{Bounded, Limit};
use std::rc::Rc;

/// The least budget of a try, in kernel steps. A later try may take an eighth of all steps so far.
/// If tries have spent twice that in vain, no more tries are made until saturation has gone on for
/// long enough.
const LEAST_BUDGET: u64 = 2_000_000;
/// If numbers change together, all squares have almost the same size. A try is given up if the
/// diagram has more than so many times the nodes of one round, and more than this number of nodes.
const MOST_GROWTH: (u64, u64) = (4, 4_000);
/// The most doublings. A counter of 64 bits never needs more.
const MOST_DOUBLINGS: usize = 80;

impl ProgramDomain {
    /// Decides when loops are summed up from now on.
    pub fn accelerate_loops(&mut self, when: AccelerateLoops) {
        self.acceleration.when = when;
        let first = when.first_try();
        self.acceleration.loops.iter_mut().for_each(|summed| summed.next_try = first);
    }

    /// How many loops were summed up so far.
    pub fn accelerated_loops(&self) -> usize {
        self.acceleration.loops.iter().filter(|summed| summed.rounds.is_some()).count()
    }

    /// The stores that rounds of the loop add at a header, given the stores that it has gained.
    pub(super) fn rounds_after(
        &mut self,
        pds: &Pds,
        priority: &[u32],
        header: StackSymbol,
        gained: Bdd,
        whole: Bdd,
    ) -> Bounded<Option<Bdd>> {
        let Some(&k) = self.acceleration.by_header.get(&header) else { return Ok(None) };
        if self.acceleration.when == AccelerateLoops::Never || self.acceleration.loops[k].under_way
        {
            return Ok(None);
        }
        let summed = &mut self.acceleration.loops[k];
        summed.looks += 1;
        let (looks, due) = (summed.looks, summed.looks >= summed.next_try);
        let covered = match summed.rounds.clone() {
            Some(rounds) => self.kernel.is_subset(gained, rounds.within)?,
            None => false,
        };
        if !covered && (due || self.acceleration.trying > 0) {
            self.sum_up(pds, priority, k, whole)?;
            let summed = &mut self.acceleration.loops[k];
            summed.next_try = summed.next_try.max(looks).max(1).saturating_mul(8);
        }
        let Some(rounds) = self.acceleration.loops[k].rounds.clone() else { return Ok(None) };
        let change = self.acceleration.loops[k].change.clone();
        self.pass_forward(&change, gained, rounds.forward).map(Some)
    }

    /// The stores from which rounds of a loop lead into a pre\* weight at its header.
    pub(super) fn rounds_before(
        &mut self,
        header: StackSymbol,
        gained: Bdd,
    ) -> Bounded<Option<Bdd>> {
        let Some(&k) = self.acceleration.by_header.get(&header) else { return Ok(None) };
        let Some(rounds) = self.acceleration.loops[k].rounds.clone() else { return Ok(None) };
        let change = self.acceleration.loops[k].change.clone();
        self.pass_backward(&change, rounds.backward, gained).map(Some)
    }

    /// Stores now, with their entries, from which some rounds of the loop with this header lead to
    /// `after`. The loop must have been summed up.
    pub fn before_rounds(&mut self, header: StackSymbol, after: Bdd) -> Bounded<Bdd> {
        let (change, rounds) = self.summed(header);
        self.preimage(&change, rounds.forward, after)
    }

    /// The same, if the loop may not have been summed up, or if no loop has this header.
    pub fn before_known_rounds(&mut self, header: StackSymbol, after: Bdd) -> Bounded<Option<Bdd>> {
        match self.acceleration.by_header.get(&header) {
            Some(&k) if self.acceleration.loops[k].rounds.is_some() => {
                self.before_rounds(header, after).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Finds the least i such that at most 2^i rounds of the loop lead from one of the stores
    /// `before` to `after` (both over `Copy::Now`). Some rounds must lead there; at most 2^`most`,
    /// if `most` is given. Also returns the stores in between if i > 0: they are at most 2^(i-1)
    /// rounds away from both.
    pub fn split_rounds(
        &mut self,
        header: StackSymbol,
        before: Bdd,
        after: Bdd,
        most: Option<usize>,
    ) -> Bounded<(usize, Bdd)> {
        let (change, rounds) = self.summed(header);
        let mut i = most.unwrap_or(rounds.powers.len() - 1);
        while i > 0 {
            let half = self.kernel.rename(rounds.powers[i - 1], change.entry_to_middle)?;
            let from = self.pass_forward(&change, before, half)?;
            if self.kernel.disjoint(from, after)? {
                let to = self.preimage(&change, half, after)?;
                return Ok((i, self.kernel.and(from, to)?));
            }
            i -= 1;
        }
        Ok((0, Bdd::FALSE))
    }

    /// post\* of one round of the loop with this header, from these stores. Transition 0 holds
    /// these stores, and gains those to which the round leads.
    pub fn one_round(
        &mut self,
        header: StackSymbol,
        priority: &[u32],
        stores: Bdd,
    ) -> Bounded<(Rc<Pds>, PostStar<ProgramDomain>)> {
        let k = self.acceleration.by_header[&header];
        let system = self.acceleration.loops[k]
            .system
            .clone()
            .expect("a loop that is summed up has its rules");
        let round = start_round(self, &system, priority, header, stores)?;
        Ok((system, round))
    }

    fn summed(&self, header: StackSymbol) -> (Change, Rc<Rounds>) {
        let summed = &self.acceleration.loops[self.acceleration.by_header[&header]];
        (
            summed.change.clone(),
            summed.rounds.clone().expect("only loops that are summed up are asked"),
        )
    }

    /// Tries to compute the relation of all rounds of a loop, first for all stores and then for
    /// those in `whole`. If a try inside another one fails, the outer one fails, too; otherwise a
    /// failure has no effect.
    fn sum_up(&mut self, pds: &Pds, priority: &[u32], k: usize, whole: Bdd) -> Bounded<()> {
        let summed = &self.acceleration.loops[k];
        let not_constant = summed.not_constant;
        let so_far = summed.rounds.as_ref().map_or(Bdd::FALSE, |rounds| rounds.within);
        if self.acceleration.trying > 0 {
            let rounds = self.closure(pds, priority, k, Bdd::TRUE);
            self.acceleration.loops[k].under_way = false;
            let rounds = rounds?;
            self.acceleration.loops[k].rounds = Some(Rc::new(rounds));
            return Ok(());
        }
        let constants = self.kernel.exists(whole, not_constant)?;
        let constants = self.kernel.or(constants, so_far)?;
        let mut tries = vec![Bdd::TRUE];
        if !constants.is_true() {
            tries.push(constants);
        }
        for within in tries {
            let limits = self.kernel.limits();
            let (steps, live) = (self.kernel.steps(), self.kernel.live_nodes());
            let budget = LEAST_BUDGET.max(steps / 8);
            if self.acceleration.wasted > 2 * budget {
                break;
            }
            self.kernel.set_limits(KernelLimits {
                max_nodes: limits
                    .max_nodes
                    .min(live + budget.min(limits.max_nodes.saturating_sub(live) / 2)),
                max_steps: limits.max_steps.min(steps + budget),
            });
            let rounds = self.closure(pds, priority, k, within);
            self.acceleration.trying = 0;
            self.acceleration.loops[k].under_way = false;
            self.kernel.set_limits(limits);
            match rounds {
                Ok(rounds) => {
                    self.acceleration.loops[k].rounds = Some(Rc::new(rounds));
                    break;
                }
                Err(_) => self.acceleration.wasted += self.kernel.steps() - steps,
            }
        }
        Ok(())
    }

    fn closure(&mut self, pds: &Pds, priority: &[u32], k: usize, within: Bdd) -> Bounded<Rounds> {
        let change = self.acceleration.loops[k].change.clone();
        let same = identity(&mut self.kernel, &self.layout, &change.cells)?;
        let start = self.kernel.and(same, within)?;
        self.acceleration.trying += 1;
        self.acceleration.loops[k].under_way = true;
        let header = symbol(self.acceleration.loops[k].header);
        let system = self.loop_system(pds, k);
        let mut round = start_round(self, &system, priority, header, start)?;
        while !round.is_done() {
            round.step(&system, self)?;
        }
        self.acceleration.trying -= 1;
        // The weight that came back, and the weight that never left.
        let mut once = Bdd::FALSE;
        for entry in &round.history().all(0)[1..] {
            once = self.kernel.or(once, entry.gained)?;
        }
        let most = MOST_GROWTH.0 * self.kernel.node_count(once) + MOST_GROWTH.1;
        let mut powers = vec![once];
        let mut all = once;
        loop {
            let first = self.kernel.rename(all, change.now_to_middle)?;
            let second = self.kernel.rename(all, change.entry_to_middle)?;
            let twice = self.kernel.and_exists(first, second, change.middle)?;
            let next = self.kernel.or(all, twice)?;
            if next == all {
                break;
            }
            if powers.len() > MOST_DOUBLINGS {
                return Err(Limit::Rounds);
            }
            if self.kernel.node_count(next) > most {
                return Err(Limit::Nodes);
            }
            all = next;
            powers.push(all);
        }
        let forward = self.kernel.rename(all, change.entry_to_middle)?;
        let backward = turn(&mut self.kernel, &self.layout, &change, forward)?;
        Ok(Rounds { within, powers, forward, backward })
    }

    /// The rules of a loop's body and of all that it calls. `pds` contains all of them.
    fn loop_system(&mut self, pds: &Pds, k: usize) -> Rc<Pds> {
        let summed = &mut self.acceleration.loops[k];
        let rules = Rc::clone(&summed.rules);
        Rc::clone(
            summed
                .system
                .get_or_insert_with(|| Rc::new(pds.restricted(|rule| rules.contains(&rule)))),
        )
    }
}

/// post\* of the stores at a header. It enters the loop and stops when it comes back to the header.
fn start_round(
    domain: &mut ProgramDomain,
    system: &Pds,
    priority: &[u32],
    header: StackSymbol,
    stores: Bdd,
) -> Bounded<PostStar<ProgramDomain>> {
    let mut initial = PAutomaton::new(1);
    let frame = initial.add_state();
    initial.set_final(frame);
    initial.insert(
        Transition { from: CONTROL.into(), symbol: Some(header), to: frame, via: None },
        stores,
    );
    let mut round = PostStar::new(domain, initial, priority.to_vec());
    round.start_round(system, domain)?;
    Ok(round)
}
