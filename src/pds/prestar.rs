//! pre\*: the configurations from which a regular set can be reached, with weights.
//!
//! Schwoon 2002, Alg. 1 (pre\*), with the weights of Reps, Schwoon, Jha, Melski 2005, § 3.2. The
//! automaton is read *forward*: top of the stack first. Like [`super::PostStar`], it propagates
//! what a weight gained, not the whole weight.

use super::automaton::{PAutomaton, State, Transition};
use super::direction::{Forward, Read};
use super::domain::Domain;
use super::observer::{Derivation, Observer, Premise};
use super::system::{ControlLocation, Pds, Right, Rule, RuleId, StackSymbol};
use crate::bdd::{Roots, impl_roots};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A saturation in progress.
pub struct PreStar<D: Domain> {
    automaton: PAutomaton<D::Weight>,
    pending: Vec<D::Weight>,
    worklist: BTreeSet<(u32, u32)>,
    priority: Vec<u32>,
    heads: FxHashMap<(State, StackSymbol), Head>,
    /// By transition: was it ever looked at?
    looked_at: Vec<bool>,
    /// By control location: the pop rules into it that wait until something is read from there.
    pops: Vec<Vec<RuleId>>,
    steps: u64,
}

/// What is known of ⟨q, γ⟩.
#[derive(Default)]
struct Head {
    /// Transitions that read γ from q.
    transitions: Vec<u32>,
    /// Push rules with γ below, each with a transition that reads the callee and ends in q (the
    /// rules Δ' of Alg. 1).
    callees: Vec<(RuleId, u32)>,
}

impl<D: Domain> PreStar<D> {
    /// Starts from an automaton for the target set. `priority[γ]`: the waiting transition whose
    /// symbol has the *greatest* priority is next (the same numbers as for post\*, read the other
    /// way).
    ///
    /// Differs from Alg. 1, l. 4: a pop rule counts from when something is read from where it leads
    /// to, or that accepts. Until then its transition is on no accepting path.
    pub fn new(
        pds: &Pds,
        domain: &mut D,
        target: PAutomaton<D::Weight>,
        priority: Vec<u32>,
    ) -> Bounded<PreStar<D>> {
        PreStar::new_observed(pds, domain, target, priority, &mut ())
    }

    /// The same for somebody who watches: pop rules make transitions before anything is looked at.
    pub fn new_observed(
        pds: &Pds,
        domain: &mut D,
        target: PAutomaton<D::Weight>,
        priority: Vec<u32>,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<PreStar<D>> {
        let mut pops = vec![Vec::new(); pds.locations() as usize];
        for &id in pds.pops() {
            pops[pds.rule(id).to.0 as usize].push(id);
        }
        let mut saturation = PreStar {
            pending: target.weights().to_vec(),
            looked_at: vec![false; target.transitions().len()],
            automaton: target,
            worklist: BTreeSet::new(),
            priority,
            heads: FxHashMap::default(),
            pops,
            steps: 0,
        };
        for id in 0..saturation.automaton.transitions().len() as u32 {
            let transition = saturation.automaton.transition(id);
            let symbol = transition.symbol.expect("a target reads symbols");
            saturation.heads.entry((transition.from, symbol)).or_default().transitions.push(id);
            saturation.schedule(id);
        }
        for p in (0..pds.locations()).map(ControlLocation) {
            let state = State::from(p);
            if saturation.automaton.is_final(state)
                || !saturation.automaton.outgoing(state).is_empty()
            {
                saturation.return_into(pds, domain, p, observer)?;
            }
        }
        Ok(saturation)
    }

    /// Alg. 1, l. 4, for the pop rules into one control location, and for those into where they
    /// start, and so on.
    fn return_into(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        p: ControlLocation,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let mut waiting = std::mem::take(&mut self.pops[p.0 as usize]);
        while let Some(id) = waiting.pop() {
            let rule = pds.rule(id);
            let weight = domain.pop_before(id)?;
            self.update(domain, pds, State::from(rule.to), weight, Derivation::Pop(id), observer)?;
            waiting.append(&mut self.pops[rule.from.0 as usize]);
        }
        Ok(())
    }

    /// The automaton so far; complete once [`Self::is_done`].
    pub fn automaton(&self) -> &PAutomaton<D::Weight> {
        &self.automaton
    }

    /// The same, to be read.
    pub fn read(&self) -> Read<'_, D::Weight, Forward> {
        Read::of(&self.automaton)
    }

    /// Is nothing left to do?
    pub fn is_done(&self) -> bool {
        self.worklist.is_empty()
    }

    /// Transitions looked at so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The transitions that wait, in the order in which they will be looked at.
    pub fn waiting(&self) -> impl Iterator<Item = u32> + '_ {
        self.worklist.iter().map(|(_, id)| *id)
    }

    /// Looks at one transition (Alg. 1, l. 5-14). Does nothing once done. After a limit the
    /// saturation must only be read.
    pub fn step(&mut self, pds: &Pds, domain: &mut D) -> Bounded<()> {
        self.step_observed(pds, domain, &mut ())
    }

    /// The same for somebody who watches.
    pub fn step_observed(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let Some((_, id)) = self.worklist.pop_first() else { return Ok(()) };
        self.steps += 1;
        observer.looks_at(id);
        let gained = std::mem::replace(&mut self.pending[id as usize], domain.zero());
        let transition = self.automaton.transition(id);
        let symbol = transition.symbol.expect("pre* makes no epsilon transitions");
        let is_first = !std::mem::replace(&mut self.looked_at[id as usize], true);
        let gained = self.accelerate(pds, domain, id, symbol, gained, observer)?;
        if let Some(p) = self.automaton.control(transition.from) {
            self.return_into(pds, domain, p, observer)?;
            for &rule in pds.to_head(p, symbol) {
                match pds.rule(rule).right {
                    // l. 9-10
                    Right::Step(_) => {
                        let weight = domain.before(rule, &gained)?;
                        let derivation = Derivation::Rule(rule, Premise::gained(id));
                        self.update(domain, pds, transition.to, weight, derivation, observer)?;
                    }
                    // l. 11-14: the transition reads the callee; look for one below it.
                    Right::Push(_, below) => {
                        if is_first {
                            self.heads
                                .entry((transition.to, below))
                                .or_default()
                                .callees
                                .push((rule, id));
                        }
                        self.read_below(pds, domain, rule, (below, id), &gained, observer)?;
                    }
                    Right::Pop => {}
                }
            }
        }
        // l. 11-14 the other way round: the transition reads the symbol below a callee that ends in
        //          its source.
        for k in 0..self.heads.get(&(transition.from, symbol)).map_or(0, |head| head.callees.len())
        {
            let (rule, callee) = self.heads[&(transition.from, symbol)].callees[k];
            let inside = self.automaton.weight(callee).clone();
            let weight = self.call(domain, rule, transition.from, &inside, &gained)?;
            let derivation = Derivation::Push {
                rule,
                callee: Premise::whole(callee),
                below: Premise::gained(id),
            };
            self.update(domain, pds, transition.to, weight, derivation, observer)?;
        }
        Ok(())
    }

    /// Adds what rounds of a loop make of what its header gained.
    fn accelerate(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        id: u32,
        symbol: StackSymbol,
        gained: D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<D::Weight> {
        // A control location that no rule knows goes no rounds.
        let from = self.automaton.control(self.automaton.transition(id).from);
        if from.is_none_or(|p| pds.from_head(p, symbol).is_empty()) {
            return Ok(gained);
        }
        let Some(more) = domain.accelerate_backward(symbol, &gained)? else { return Ok(gained) };
        let whole = self.automaton.weight(id).clone();
        let more = domain.difference(&more, &whole)?;
        let new = domain.combine(&whole, &more)?;
        observer.changes(id, &more, &new, Derivation::Rounds(Premise::gained(id)));
        self.automaton.set_weight(id, new);
        domain.combine(&gained, &more)
    }

    fn read_below(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        rule: RuleId,
        (below, callee): (StackSymbol, u32),
        gained: &D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let middle = self.automaton.transition(callee).to;
        for k in 0..self.heads.get(&(middle, below)).map_or(0, |head| head.transitions.len()) {
            let id = self.heads[&(middle, below)].transitions[k];
            let rest = self.automaton.weight(id).clone();
            let weight = self.call(domain, rule, middle, gained, &rest)?;
            let to = self.automaton.transition(id).to;
            let derivation = Derivation::Push {
                rule,
                callee: Premise::gained(callee),
                below: Premise::whole(id),
            };
            self.update(domain, pds, to, weight, derivation, observer)?;
        }
        Ok(())
    }

    /// A callee that ends in a control location has returned there; one that ends elsewhere holds
    /// the target inside.
    fn call(
        &self,
        domain: &mut D,
        rule: RuleId,
        middle: State,
        callee: &D::Weight,
        below: &D::Weight,
    ) -> Bounded<D::Weight> {
        match self.automaton.control(middle) {
            Some(_) => domain.return_before(rule, callee, below),
            None => domain.inside_before(rule, callee, below),
        }
    }

    /// A transition that reads the left side of the derivation's rule.
    fn update(
        &mut self,
        domain: &mut D,
        pds: &Pds,
        to: State,
        weight: D::Weight,
        derivation: Derivation<Premise>,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        if domain.is_zero(&weight) {
            return Ok(());
        }
        let Some(Rule { from, symbol, .. }) = derivation.rule().map(|rule| pds.rule(rule)) else {
            return Ok(());
        };
        let transition =
            Transition { from: State::from(from), symbol: Some(symbol), to, via: None };
        let id = match self.automaton.find(transition) {
            Some(id) => id,
            None => {
                self.pending.push(domain.zero());
                self.looked_at.push(false);
                let id = self.automaton.insert(transition, domain.zero());
                self.heads.entry((transition.from, symbol)).or_default().transitions.push(id);
                id
            }
        };
        let old = self.automaton.weight(id).clone();
        let new = domain.combine(&old, &weight)?;
        if new == old {
            return Ok(());
        }
        let gained = domain.difference(&weight, &old)?;
        let waiting = domain.combine(&self.pending[id as usize], &gained)?;
        self.pending[id as usize] = waiting;
        observer.changes(id, &weight, &new, derivation);
        self.automaton.set_weight(id, new);
        self.schedule(id);
        Ok(())
    }

    fn schedule(&mut self, id: u32) {
        let symbol = self.automaton.transition(id).symbol.map_or(0, |symbol| symbol.0);
        let priority = self.priority.get(symbol as usize).copied().unwrap_or(0);
        self.worklist.insert((u32::MAX - priority, id));
    }
}

impl_roots!([D: Domain<Weight: Roots>] PreStar<D> { automaton, pending });
