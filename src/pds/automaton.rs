//! Automata over configurations with a weight on every transition (Lal, Kidd, Reps, Touili 2007,
//! Def. 7).

use super::system::{ControlLocation, RuleId, StackSymbol};
use crate::bdd::{Roots, impl_roots};
use crate::util::index_by;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A state of a P-automaton. The first ones are the control locations, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub u32);

index_by!(State);

impl From<ControlLocation> for State {
    fn from(p: ControlLocation) -> State {
        State(p.0)
    }
}

/// A transition without its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// Source.
    pub from: State,
    /// The symbol that is read. `None` is ε: only post\* makes such transitions, from control
    /// locations.
    pub symbol: Option<StackSymbol>,
    /// Target.
    pub to: State,
    /// In post\*: the push rule that left `symbol` below its callee. The weight is then the
    /// caller's weight *at the call*, before the rule, because the merge for the caller's locals
    /// needs that weight. `None` elsewhere.
    pub via: Option<RuleId>,
}

/// A weighted automaton; `W` is a weight. Transitions are numbered in the order in which they were
/// added.
#[derive(Clone, Debug)]
pub struct PAutomaton<W> {
    locations: u32,
    states: u32,
    finals: BTreeSet<State>,
    transitions: Vec<Transition>,
    weights: Vec<W>,
    index: FxHashMap<Transition, u32>,
    outgoing: Vec<Vec<u32>>,
}

impl<W> PAutomaton<W> {
    /// An automaton whose only states are the control locations. It accepts nothing.
    pub fn new(locations: u32) -> PAutomaton<W> {
        PAutomaton {
            locations,
            states: locations,
            finals: BTreeSet::new(),
            transitions: Vec::new(),
            weights: Vec::new(),
            index: FxHashMap::default(),
            outgoing: vec![Vec::new(); locations as usize],
        }
    }

    /// A new state.
    pub fn add_state(&mut self) -> State {
        self.states += 1;
        self.outgoing.push(Vec::new());
        State(self.states - 1)
    }

    /// Makes a state accepting.
    pub fn set_final(&mut self, state: State) {
        self.finals.insert(state);
    }

    /// Is the state accepting?
    pub fn is_final(&self, state: State) -> bool {
        self.finals.contains(&state)
    }

    /// The control location that the state is, if it is one.
    pub fn control(&self, state: State) -> Option<ControlLocation> {
        (state.0 < self.locations).then_some(ControlLocation(state.0))
    }

    /// Number of control locations.
    pub fn locations(&self) -> u32 {
        self.locations
    }

    /// Number of states.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// The number of a transition, if it is there.
    pub fn find(&self, transition: Transition) -> Option<u32> {
        self.index.get(&transition).copied()
    }

    /// Adds a transition that is not there yet.
    pub fn insert(&mut self, transition: Transition, weight: W) -> u32 {
        let id = self.transitions.len() as u32;
        self.transitions.push(transition);
        self.weights.push(weight);
        self.index.insert(transition, id);
        self.outgoing[transition.from].push(id);
        id
    }

    /// The transitions, in order of their numbers.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// A transition by number.
    pub fn transition(&self, id: u32) -> Transition {
        self.transitions[id as usize]
    }

    /// Its weight.
    pub fn weight(&self, id: u32) -> &W {
        &self.weights[id as usize]
    }

    /// Replaces its weight.
    pub fn set_weight(&mut self, id: u32, weight: W) {
        self.weights[id as usize] = weight;
    }

    /// All weights, in order of the transitions' numbers.
    pub fn weights(&self) -> &[W] {
        &self.weights
    }

    /// Numbers of the transitions that leave a state, oldest first.
    pub fn outgoing(&self, state: State) -> &[u32] {
        &self.outgoing[state]
    }
}

impl_roots!([W: Roots] PAutomaton<W> { weights });
