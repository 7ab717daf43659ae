//! "From the initial set to the target set" as a question about two configurations.
//!
//! The question adds rules to those of the system. Some write an initial stack, from its bottom up;
//! others read a target's stack, from its top down. So the runs from ⟨first, $ ⊥⟩ to ⟨last, ⊥⟩ are
//! the runs of the system from the initial to the target configurations, with some steps of weight
//! 1 around them, and both have the same combine of weights:
//!
//! | step | rule |
//! | --- | --- |
//! | choose an accepting state f of the initial automaton | ⟨first, $⟩ ↪ ⟨w_f, $⟩ |
//! | write γ of a transition q --γ--> q' | ⟨w_q', $⟩ ↪ ⟨w_q, $ γ⟩ |
//! | begin, in a control location p | ⟨w_p, $⟩ ↪ ⟨p, ε⟩ |
//! | read γ of a transition q --γ--> q' of the target's automaton | ⟨r_q, γ⟩ ↪ ⟨r_q', ε⟩; ⟨p, γ⟩ ↪ ⟨r_q', ε⟩ for a control location q = p |
//! | end, in an accepting state f | ⟨r_f, ⊥⟩ ↪ ⟨last, ⊥⟩ |
//!
//! Each rule of the system can be split in two, ⟨p, γ⟩ ↪ ⟨m, γ⟩ ↪ ⟨p', w⟩, where only this rule
//! uses the location m. Then the configurations ⟨m, γ u⟩ show where the rule is applied.

use super::raw_system::{configurations, pushdown_system};
use crate::lang::raw::RawSystem;
use crate::pds::{ControlLocation, PAutomaton, Pds, Right, Rule, StackSymbol, State};
use crate::util::Bounded;

/// What a rule of the question means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawRole {
    /// The rule of this number of the system.
    Own(u32),
    /// A rule that is none of the system's. It has the weight 1.
    Silent,
}

/// See the module's head.
pub struct RawQuestion {
    /// The rules.
    pub pds: Pds,
    /// By rule: its role.
    pub roles: Vec<RawRole>,
    /// The configuration in which all runs start, with the stack from its top.
    pub first: (ControlLocation, [StackSymbol; 2]),
    /// The configuration in which all runs end.
    pub last: (ControlLocation, [StackSymbol; 1]),
    states: u32,
    symbols: u32,
}

impl RawQuestion {
    /// Errors: a set's automaton would have more than `most` transitions.
    pub fn new(system: &RawSystem, split: bool, most: u64) -> Bounded<RawQuestion> {
        let initial = configurations(system, &system.initial, most)?;
        let target = configurations(system, &system.target, most)?;
        let own = pushdown_system(system);
        let (states, symbols) = (own.locations(), own.symbols());
        let middles = if split { own.rules().len() as u32 } else { 0 };
        let (writing, reading) = (states + middles, states + middles + initial.states());
        let [first, last] = [0, 1].map(|k| ControlLocation(reading + target.states() + k));
        let [marker, bottom] = [0, 1].map(|k| StackSymbol(symbols + k));
        let mut pds = Pds::new(last.0 + 1, symbols + 2);
        let mut roles = Vec::new();
        let mut add = |from: ControlLocation,
                       symbol: StackSymbol,
                       to: ControlLocation,
                       right: Right,
                       role: RawRole| {
            pds.add(Rule { from, symbol, to, right });
            roles.push(role);
        };
        let read = |state: State| ControlLocation(reading + state.0);
        for (k, rule) in (0u32..).zip(own.rules()) {
            if split {
                let middle = ControlLocation(states + k);
                add(rule.from, rule.symbol, middle, Right::Step(rule.symbol), RawRole::Silent);
                add(middle, rule.symbol, rule.to, rule.right, RawRole::Own(k));
            } else {
                add(rule.from, rule.symbol, rule.to, rule.right, RawRole::Own(k));
            }
        }
        let write = |state: State| ControlLocation(writing + state.0);
        let all = |automaton: &PAutomaton<bool>| (0..automaton.states()).map(State);
        for state in all(&initial) {
            if initial.is_final(state) {
                add(first, marker, write(state), Right::Step(marker), RawRole::Silent);
            }
            if let Some(p) = initial.control(state) {
                add(write(state), marker, p, Right::Pop, RawRole::Silent);
            }
        }
        for transition in initial.transitions() {
            if let Some(symbol) = transition.symbol {
                add(
                    write(transition.to),
                    marker,
                    write(transition.from),
                    Right::Push(marker, symbol),
                    RawRole::Silent,
                );
            }
        }
        for transition in target.transitions() {
            let Some(symbol) = transition.symbol else { continue };
            let from = target.control(transition.from).unwrap_or(read(transition.from));
            add(from, symbol, read(transition.to), Right::Pop, RawRole::Silent);
        }
        for state in all(&target).filter(|state| target.is_final(*state)) {
            let from = target.control(state).unwrap_or(read(state));
            add(from, bottom, last, Right::Step(bottom), RawRole::Silent);
        }
        Ok(RawQuestion {
            pds,
            roles,
            first: (first, [marker, bottom]),
            last: (last, [bottom]),
            states,
            symbols,
        })
    }

    /// Does the location belong to the system?
    pub fn is_own(&self, p: ControlLocation) -> bool {
        p.0 < self.states
    }

    /// In a split question: the location from which the system's rule of this number is applied.
    pub fn middle(&self, rule: u32) -> ControlLocation {
        ControlLocation(self.states + rule)
    }

    /// The number of the system's symbols. Further symbols are markers.
    pub fn own_symbols(&self) -> u32 {
        self.symbols
    }

    /// By rule of the question: its weight, given the weights of the system's rules.
    pub fn weights<W: Clone>(&self, own: &[W], one: &W) -> Vec<W> {
        let weight = |role: &RawRole| match role {
            RawRole::Own(k) => own.get(*k as usize).unwrap_or(one).clone(),
            RawRole::Silent => one.clone(),
        };
        self.roles.iter().map(weight).collect()
    }
}
