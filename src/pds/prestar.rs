//! pre\*: the configurations from which a regular set can be reached, with weights.
//!
//! Schwoon 2002, Alg. 1 (pre\*), with the weights of Reps, Schwoon, Jha, Melski 2005, § 3.2. The
//! automaton is read *forward*: top of the stack first. Like [`super::PostStar`], it propagates
//! what a weight gained, not the whole weight.

use super::automaton::{PAutomaton, State, Transition};
use super::direction::{Forward, Read};
use super::observer::{Derivation, Observer, Premise};
use super::saturation::Saturation;
use super::system::{ControlLocation, Pds, Right, Rule, RuleId, StackSymbol};
use super::weights::{BackwardWeights, Weights};
use crate::bdd::{Roots, impl_roots};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::ops::Deref;

/// A saturation in progress. See [`Saturation`] for its automaton, its steps, and the transitions
/// that wait.
pub struct PreStar<D: Weights> {
    saturation: Saturation<D::Weight>,
    priority: Vec<u32>,
    heads: FxHashMap<(State, StackSymbol), Head>,
    /// By transition: was it ever looked at?
    looked_at: Vec<bool>,
    /// By control location: the pop rules into it. They wait until something is read from there.
    pops: Vec<Vec<RuleId>>,
}

impl<D: Weights> Deref for PreStar<D> {
    type Target = Saturation<D::Weight>;
    fn deref(&self) -> &Saturation<D::Weight> {
        &self.saturation
    }
}

/// The data of ⟨q, γ⟩.
#[derive(Default)]
struct Head {
    /// Transitions that read γ from q.
    transitions: Vec<u32>,
    /// Push rules with γ below, each with a transition that reads the callee and ends in q (the
    /// rules Δ' of Alg. 1).
    callees: Vec<(RuleId, u32)>,
}

impl<D: BackwardWeights> PreStar<D> {
    /// Starts from an automaton for the target set. Of the waiting transitions, the one whose
    /// symbol γ has the *greatest* `priority[γ]` is next (these are the numbers for post\*, in the
    /// opposite order).
    ///
    /// Differs from Alg. 1, l. 4: a pop rule counts only once something is read from its target, or
    /// its target accepts. Until then its transition is on no accepting path.
    pub fn new(
        pds: &Pds,
        domain: &mut D,
        target: PAutomaton<D::Weight>,
        priority: Vec<u32>,
    ) -> Bounded<PreStar<D>> {
        PreStar::new_observed(pds, domain, target, priority, &mut ())
    }

    /// The same, and tells an observer about every change: pop rules make transitions before the
    /// first step.
    pub fn new_observed(
        pds: &Pds,
        domain: &mut D,
        target: PAutomaton<D::Weight>,
        priority: Vec<u32>,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<PreStar<D>> {
        let mut pops = vec![Vec::new(); pds.locations() as usize];
        for &id in pds.pops() {
            pops[pds.rule(id).to].push(id);
        }
        let rank = |transition: Transition| {
            transition.symbol.map_or(u32::MAX, |symbol| rank(&priority, symbol))
        };
        let mut pre: PreStar<D> = PreStar {
            looked_at: vec![false; target.transitions().len()],
            saturation: Saturation::new(target, rank),
            priority,
            heads: FxHashMap::default(),
            pops,
        };
        for id in 0..pre.automaton().transitions().len() as u32 {
            let transition = pre.automaton().transition(id);
            let symbol = transition.symbol.expect("a target reads symbols");
            pre.heads.entry((transition.from, symbol)).or_default().transitions.push(id);
            pre.saturation.worklist.schedule(id);
        }
        for p in (0..pds.locations()).map(ControlLocation) {
            let state = State::from(p);
            if pre.automaton().is_final(state) || !pre.automaton().outgoing(state).is_empty() {
                pre.return_into(pds, domain, p, observer)?;
            }
        }
        Ok(pre)
    }

    /// Alg. 1, l. 4, for the pop rules into one control location, then for those into the locations
    /// where these start, and so on.
    fn return_into(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        p: ControlLocation,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let mut waiting = std::mem::take(&mut self.pops[p]);
        while let Some(id) = waiting.pop() {
            let rule = pds.rule(id);
            let weight = domain.pop_before(id)?;
            self.update(domain, pds, State::from(rule.to), weight, Derivation::Pop(id), observer)?;
            waiting.append(&mut self.pops[rule.from]);
        }
        Ok(())
    }

    /// The automaton so far, with its direction for readers.
    pub fn read(&self) -> Read<'_, D::Weight, Forward> {
        Read::of(self.automaton())
    }

    /// Looks at one transition (Alg. 1, l. 5-14). Does nothing once the saturation is done. After a
    /// limit it may only be read.
    pub fn step(&mut self, pds: &Pds, domain: &mut D) -> Bounded<()> {
        self.step_observed(pds, domain, &mut ())
    }

    /// The same, and tells an observer about every change.
    pub fn step_observed(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let Some((id, gained)) = self.saturation.next(domain) else { return Ok(()) };
        self.saturation.steps += 1;
        observer.looks_at(id);
        let transition = self.automaton().transition(id);
        let symbol = transition.symbol.expect("pre* makes no epsilon transitions");
        let is_first = !std::mem::replace(&mut self.looked_at[id as usize], true);
        let gained = self.accelerate(pds, domain, id, symbol, gained, observer)?;
        if let Some(p) = self.automaton().control(transition.from) {
            self.return_into(pds, domain, p, observer)?;
            for &rule in pds.to_head(p, symbol) {
                match pds.rule(rule).right {
                    // l. 9-10
                    Right::Step(_) => {
                        let weight = domain.before(rule, &gained)?;
                        let derivation = Derivation::Rule(rule, Premise::gained(id));
                        self.update(domain, pds, transition.to, weight, derivation, observer)?;
                    }
                    // l. 11-14: the transition reads the callee; looks for a transition below it.
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
            let inside = self.automaton().weight(callee).clone();
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
        // A control location that has no rules has no loops.
        let from = self.automaton().control(self.automaton().transition(id).from);
        if from.is_none_or(|p| pds.from_head(p, symbol).is_empty()) {
            return Ok(gained);
        }
        let Some(more) = domain.accelerate_backward(symbol, &gained)? else { return Ok(gained) };
        let whole = self.automaton().weight(id).clone();
        let more = domain.difference(&more, &whole)?;
        self.saturation.add_rounds(domain, id, &gained, &more, observer)
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
        let middle = self.automaton().transition(callee).to;
        for k in 0..self.heads.get(&(middle, below)).map_or(0, |head| head.transitions.len()) {
            let id = self.heads[&(middle, below)].transitions[k];
            let rest = self.automaton().weight(id).clone();
            let weight = self.call(domain, rule, middle, gained, &rest)?;
            let to = self.automaton().transition(id).to;
            let derivation = Derivation::Push {
                rule,
                callee: Premise::gained(callee),
                below: Premise::whole(id),
            };
            self.update(domain, pds, to, weight, derivation, observer)?;
        }
        Ok(())
    }

    /// A callee whose path ends in a control location has returned there. If it ends in another
    /// state, the target is inside the callee.
    fn call(
        &self,
        domain: &mut D,
        rule: RuleId,
        middle: State,
        callee: &D::Weight,
        below: &D::Weight,
    ) -> Bounded<D::Weight> {
        match self.automaton().control(middle) {
            Some(_) => domain.return_before(rule, callee, below),
            None => domain.inside_before(rule, callee, below),
        }
    }

    /// Adds a weight to the transition that reads the left side of the derivation's rule.
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
        let rank = || rank(&self.priority, symbol);
        let raised =
            self.saturation.raise(domain, transition, rank, &weight, derivation, observer)?;
        let Some(raised) = raised else { return Ok(()) };
        if raised.is_new {
            self.looked_at.push(false);
            let head = self.heads.entry((transition.from, symbol)).or_default();
            head.transitions.push(raised.id);
        }
        self.saturation.worklist.schedule(raised.id);
        Ok(())
    }
}

/// The greatest priority first.
fn rank(priority: &[u32], symbol: StackSymbol) -> u32 {
    u32::MAX - priority.get(symbol.0 as usize).copied().unwrap_or(0)
}

impl_roots!([D: Weights<Weight: Roots>] PreStar<D> { saturation });
