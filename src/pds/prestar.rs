//! pre\*: the configurations from which a regular set can be reached, with weights.
//!
//! Schwoon 2002, Alg. 1 (pre\*), with the weights of Reps, Schwoon, Jha, Melski 2005, § 3.2. The automaton is read *forward*: top of
//! the stack first. Like [`super::PostStar`], it propagates what a weight gained, not the whole weight.

use super::automaton::{PAutomaton, State, Transition};
use super::domain::Domain;
use super::system::{ControlLocation, Pds, Right, RuleId, StackSymbol};
use crate::util::Bounded;
use std::collections::BTreeSet;

/// A saturation in progress.
pub struct PreStar<D: Domain> {
    automaton: PAutomaton<D::Weight>,
    pending: Vec<D::Weight>,
    worklist: BTreeSet<(u32, u32)>,
    priority: Vec<u32>,
    steps: u64,
}

impl<D: Domain> PreStar<D> {
    /// Starts from an automaton for the target set. `priority[γ]`: the waiting transition whose symbol has the *greatest* priority is
    /// next (the same numbers as for post\*, read the other way).
    pub fn new(pds: &Pds, domain: &mut D, target: PAutomaton<D::Weight>, priority: Vec<u32>) -> Bounded<PreStar<D>> {
        let mut saturation =
            PreStar { pending: target.weights().to_vec(), automaton: target, worklist: BTreeSet::new(), priority, steps: 0 };
        for id in 0..saturation.automaton.transitions().len() as u32 {
            saturation.schedule(id);
        }
        // Alg. 1, l. 4: pop rules need no transition to start from.
        for &id in pds.pops() {
            let rule = pds.rule(id);
            let weight = domain.pop_before(id)?;
            saturation.update(domain, rule.from, rule.symbol, State::from(rule.to), weight)?;
        }
        Ok(saturation)
    }

    /// The automaton so far; complete once [`Self::is_done`].
    pub fn automaton(&self) -> &PAutomaton<D::Weight> {
        &self.automaton
    }

    /// Is nothing left to do?
    pub fn is_done(&self) -> bool {
        self.worklist.is_empty()
    }

    /// Transitions looked at so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Every weight held, for garbage collection.
    pub fn weights(&self) -> impl Iterator<Item = &D::Weight> {
        self.automaton.weights().iter().chain(self.pending.iter())
    }

    /// Looks at one transition (Alg. 1, l. 5-14). Does nothing once done. After a limit the saturation must only be read.
    pub fn step(&mut self, pds: &Pds, domain: &mut D) -> Bounded<()> {
        let Some((_, id)) = self.worklist.pop_first() else { return Ok(()) };
        self.steps += 1;
        let gained = std::mem::replace(&mut self.pending[id as usize], domain.zero());
        let transition = self.automaton.transition(id);
        let symbol = transition.symbol.expect("pre* makes no epsilon transitions");
        if let Some(p) = self.automaton.control(transition.from) {
            for &rule in pds.to_head(p, symbol) {
                match pds.rule(rule).right {
                    // l. 9-10
                    Right::Step(_) => {
                        let weight = domain.before(rule, &gained)?;
                        let left = pds.rule(rule);
                        self.update(domain, left.from, left.symbol, transition.to, weight)?;
                    }
                    // l. 11-14: the transition reads the callee; look for one below it.
                    Right::Push(_, below) => self.read_below(pds, domain, rule, below, transition.to, &gained)?,
                    Right::Pop => {}
                }
            }
        }
        // l. 11-14 the other way round: the transition reads the symbol below a callee that ends in its source.
        for &rule in pds.with_below(symbol) {
            let (left, top) = (pds.rule(rule), Self::top(pds, rule));
            let callee = Transition { from: State::from(left.to), symbol: Some(top), to: transition.from, via: None };
            if let Some(callee) = self.automaton.find(callee) {
                let callee = self.automaton.weight(callee).clone();
                let weight = self.call(domain, rule, transition.from, &callee, &gained)?;
                self.update(domain, left.from, left.symbol, transition.to, weight)?;
            }
        }
        Ok(())
    }

    fn top(pds: &Pds, rule: RuleId) -> StackSymbol {
        match pds.rule(rule).right {
            Right::Push(top, _) | Right::Step(top) => top,
            Right::Pop => unreachable!("a rule with a symbol below pushes"),
        }
    }

    fn read_below(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        rule: RuleId,
        below: StackSymbol,
        middle: State,
        callee: &D::Weight,
    ) -> Bounded<()> {
        for k in 0..self.automaton.outgoing(middle).len() {
            let id = self.automaton.outgoing(middle)[k];
            let transition = self.automaton.transition(id);
            if transition.symbol == Some(below) {
                let rest = self.automaton.weight(id).clone();
                let weight = self.call(domain, rule, middle, callee, &rest)?;
                let left = pds.rule(rule);
                self.update(domain, left.from, left.symbol, transition.to, weight)?;
            }
        }
        Ok(())
    }

    /// A callee that ends in a control location has returned there; one that ends elsewhere holds the target inside.
    fn call(&self, domain: &mut D, rule: RuleId, middle: State, callee: &D::Weight, below: &D::Weight) -> Bounded<D::Weight> {
        match self.automaton.control(middle) {
            Some(_) => domain.return_before(rule, callee, below),
            None => domain.inside_before(rule, callee, below),
        }
    }

    fn update(&mut self, domain: &mut D, p: ControlLocation, symbol: StackSymbol, to: State, weight: D::Weight) -> Bounded<()> {
        if domain.is_zero(&weight) {
            return Ok(());
        }
        let transition = Transition { from: State::from(p), symbol: Some(symbol), to, via: None };
        let id = match self.automaton.find(transition) {
            Some(id) => id,
            None => {
                self.pending.push(domain.zero());
                self.automaton.insert(transition, domain.zero())
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
