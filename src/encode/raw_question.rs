//! "From the initial set to the target set" as a question about two configurations.
//!
//! Rules that write an initial stack, from its bottom up, and rules that read a target's stack,
//! from its top down, stand around the system's own. Then the combine of the weights of all runs
//! from the initial to the target configurations is that of all runs from ⟨first, $ ⊥⟩ to ⟨last,
//! ⊥⟩, and every one of these is a run of the system with some steps of weight 1 around it:
//!
//! | step | rule |
//! | --- | --- |
//! | choose an accepting state f of the initial automaton | ⟨first, $⟩ ↪ ⟨w_f, $⟩ |
//! | write γ of a transition q --γ--> q' | ⟨w_q', $⟩ ↪ ⟨w_q, $ γ⟩ |
//! | begin, in a control location p | ⟨w_p, $⟩ ↪ ⟨p, ε⟩ |
//! | read γ of a transition q --γ--> q' of the target's automaton | ⟨r_q, γ⟩ ↪ ⟨r_q', ε⟩; ⟨p, γ⟩ ↪ ⟨r_q', ε⟩ for a control location q = p |
//! | end, in an accepting state f | ⟨r_f, ⊥⟩ ↪ ⟨last, ⊥⟩ |
//!
//! The system's rules can be split in two, ⟨p, γ⟩ ↪ ⟨m, γ⟩ ↪ ⟨p', w⟩ with a location m of the
//! rule's own, so that the configurations ⟨m, γ u⟩ say where that rule is applied.

use super::raw_system::{configurations, pushdown_system};
use crate::lang::raw::RawSystem;
use crate::pds::{ControlLocation, PAutomaton, Pds, Right, Rule, StackSymbol, State};
use crate::util::Bounded;

/// What a rule of the question means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawRole {
    /// The system's rule of this number.
    Own(u32),
    /// Nothing of the system: weight 1.
    Silent,
}

/// See the module's head.
pub struct RawQuestion {
    /// The rules.
    pub pds: Pds,
    /// By rule.
    pub roles: Vec<RawRole>,
    /// Where all runs start, stack from its top.
    pub first: (ControlLocation, [StackSymbol; 2]),
    /// Where they end.
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

    /// Is the location one of the system's own?
    pub fn is_own(&self, p: ControlLocation) -> bool {
        p.0 < self.states
    }

    /// Of a split question: the location from which the system's rule of this number is applied.
    pub fn middle(&self, rule: u32) -> ControlLocation {
        ControlLocation(self.states + rule)
    }

    /// The system's number of symbols; further ones are markers.
    pub fn own_symbols(&self) -> u32 {
        self.symbols
    }

    /// By rule of the question: its weight, from those of the system's rules.
    pub fn weights<W: Clone>(&self, own: &[W], one: &W) -> Vec<W> {
        let weight = |role: &RawRole| match role {
            RawRole::Own(k) => own.get(*k as usize).unwrap_or(one).clone(),
            RawRole::Silent => one.clone(),
        };
        self.roles.iter().map(weight).collect()
    }
}
