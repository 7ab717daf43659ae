//! Turns raw systems into pushdown systems, and their sets of configurations into unweighted
//! automata.
//!
//! Saturation needs automata without transitions into control locations. The automaton of a given
//! set may have such transitions, or accept in a control location. So every state gets a copy, and
//! control locations have only the transitions that leave them. Silent edges are removed, and
//! regular expressions become automata without silent edges (Glushkov 1961). States that lead to no
//! accepting state are left out, so every transition of post\* of the set reads some configuration.

use crate::lang::raw::{
    ConfigurationAutomaton, ConfigurationSet, Node, RawRule, RawSystem, StackExpression, StateId,
    SymbolId,
};
use crate::pds::{ControlLocation, PAutomaton, Pds, Right, Rule, StackSymbol, State, Transition};
use crate::util::order::inserted;
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The pushdown system of a raw system. Rules keep their order; control locations and stack symbols
/// keep their numbers.
pub fn pushdown_system(system: &RawSystem) -> Pds {
    let rule = |rule: &RawRule| Rule {
        from: ControlLocation(rule.from.0),
        symbol: stack_symbol(rule.symbol),
        to: ControlLocation(rule.to.0),
        right: match rule.right[..] {
            [] => Right::Pop,
            [top] => Right::Step(stack_symbol(top)),
            [top, below, ..] => Right::Push(stack_symbol(top), stack_symbol(below)),
        },
    };
    let rules = system.rules.iter().map(rule).collect();
    Pds::of(system.states.len() as u32, system.symbols.len() as u32, rules)
}

fn stack_symbol(symbol: SymbolId) -> StackSymbol {
    StackSymbol(symbol.0)
}

/// The automaton of a set, from which saturation can start. Error: it would have more than `most`
/// transitions.
pub fn configurations(
    system: &RawSystem,
    set: &ConfigurationSet,
    most: u64,
) -> Bounded<PAutomaton<bool>> {
    let mut builder =
        Builder { symbols: system.symbols.len() as u32, most, edges: 0, ..Builder::default() };
    match set {
        ConfigurationSet::Described(lines) => {
            for line in lines {
                builder.expression(line.state, &line.stack)?;
            }
        }
        ConfigurationSet::Automaton(automaton) => {
            builder.automaton(automaton, system.states.len() as u32)?
        }
    }
    Ok(builder.finish(system.states.len() as u32))
}

/// An automaton under construction. Its places are counted from 0 and are no control locations.
#[derive(Default)]
struct Builder {
    symbols: u32,
    most: u64,
    edges: u64,
    places: u32,
    /// The edges from a control state into a place.
    starts: Vec<(StateId, SymbolId, u32)>,
    /// By source: the edges between places.
    moves: Vec<Vec<(SymbolId, u32)>>,
    finals: BTreeSet<u32>,
    /// The control states whose empty stack is in the set.
    empty: BTreeSet<StateId>,
}

/// What Glushkov's construction knows about a part: whether it can be empty, and where it can begin
/// and end.
struct Ends {
    empty: bool,
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Builder {
    fn place(&mut self) -> u32 {
        self.moves.push(Vec::new());
        self.places += 1;
        self.places - 1
    }

    fn count(&mut self, edges: u64) -> Bounded<()> {
        self.edges = self.edges.saturating_add(edges);
        if self.edges > self.most { Err(Limit::Nodes) } else { Ok(()) }
    }

    fn expression(&mut self, state: StateId, stack: &StackExpression) -> Bounded<()> {
        let mut labels = BTreeMap::new();
        let mut follow = Vec::new();
        let ends = self.part(stack, &mut labels, &mut follow)?;
        let symbols = |label: Option<SymbolId>, all: u32| match label {
            Some(symbol) => symbol.0..symbol.0 + 1,
            None => 0..all,
        };
        for place in &ends.first {
            let range = symbols(labels[place], self.symbols);
            self.count(range.len() as u64)?;
            self.starts.extend(range.map(|symbol| (state, SymbolId(symbol), *place)));
        }
        for (from, to) in follow {
            let range = symbols(labels[&to], self.symbols);
            self.count(range.len() as u64)?;
            self.moves[from as usize].extend(range.map(|symbol| (SymbolId(symbol), to)));
        }
        self.finals.extend(ends.last);
        if ends.empty {
            self.empty.insert(state);
        }
        Ok(())
    }

    fn part(
        &mut self,
        stack: &StackExpression,
        labels: &mut BTreeMap<u32, Option<SymbolId>>,
        follow: &mut Vec<(u32, u32)>,
    ) -> Bounded<Ends> {
        Ok(match stack {
            StackExpression::Symbol(_) | StackExpression::Any => {
                let place = self.place();
                labels.insert(
                    place,
                    if let StackExpression::Symbol(symbol) = stack { Some(*symbol) } else { None },
                );
                Ends { empty: false, first: vec![place], last: vec![place] }
            }
            StackExpression::Sequence(items) => {
                let mut all = Ends { empty: true, first: Vec::new(), last: Vec::new() };
                for item in items {
                    let item = self.part(item, labels, follow)?;
                    self.link(&all.last, &item.first, follow)?;
                    if all.empty {
                        all.first.extend(&item.first);
                    }
                    if !item.empty {
                        all.last.clear();
                    }
                    all.last.extend(&item.last);
                    all.empty &= item.empty;
                }
                all
            }
            StackExpression::Choice(items) => {
                let mut all = Ends { empty: false, first: Vec::new(), last: Vec::new() };
                for item in items {
                    let item = self.part(item, labels, follow)?;
                    all.first.extend(item.first);
                    all.last.extend(item.last);
                    all.empty |= item.empty;
                }
                all
            }
            StackExpression::Optional(inner) => {
                Ends { empty: true, ..self.part(inner, labels, follow)? }
            }
            StackExpression::Star(inner) | StackExpression::Plus(inner) => {
                let ends = self.part(inner, labels, follow)?;
                self.link(&ends.last, &ends.first, follow)?;
                Ends { empty: ends.empty || matches!(stack, StackExpression::Star(_)), ..ends }
            }
        })
    }

    fn link(&mut self, last: &[u32], first: &[u32], follow: &mut Vec<(u32, u32)>) -> Bounded<()> {
        self.count(last.len() as u64 * first.len() as u64)?;
        follow.extend(last.iter().flat_map(|from| first.iter().map(|to| (*from, *to))));
        Ok(())
    }

    fn automaton(&mut self, automaton: &ConfigurationAutomaton, states: u32) -> Bounded<()> {
        let place = |node: &Node| match node {
            Node::Inner(k) => *k,
            Node::Control(state) => automaton.inner + state.0,
        };
        (0..automaton.inner + states).for_each(|_| _ = self.place());
        let mut silent: Vec<Vec<u32>> = vec![Vec::new(); self.places as usize];
        let mut reading: Vec<Vec<(SymbolId, u32)>> = vec![Vec::new(); self.places as usize];
        for (from, label, to) in &automaton.edges {
            match label {
                None => silent[place(from) as usize].push(place(to)),
                Some(symbol) => reading[place(from) as usize].push((*symbol, place(to))),
            }
        }
        let accepting: BTreeSet<u32> = inserted(automaton.accepting.iter().map(place));
        for from in 0..self.places {
            let mut closure = BTreeSet::new();
            let mut waiting = vec![from];
            while let Some(at) = waiting.pop() {
                if closure.insert(at) {
                    waiting.extend(&silent[at as usize]);
                }
            }
            self.count(closure.len() as u64 - 1)?;
            for at in closure {
                self.count(reading[at as usize].len() as u64)?;
                self.moves[from as usize].extend(&reading[at as usize]);
                if accepting.contains(&at) {
                    self.finals.insert(from);
                }
            }
        }
        for state in (0..states).map(StateId) {
            let copy = automaton.inner + state.0;
            self.starts
                .extend(self.moves[copy as usize].iter().map(|(symbol, to)| (state, *symbol, *to)));
            if self.finals.contains(&copy) {
                self.empty.insert(state);
            }
        }
        Ok(())
    }

    /// The automaton of the places that are on a way from a control state to an accepting end.
    fn finish(self, states: u32) -> PAutomaton<bool> {
        let mut reached = FxHashSet::default();
        let mut waiting: Vec<u32> = self.starts.iter().map(|(_, _, to)| *to).collect();
        while let Some(at) = waiting.pop() {
            if reached.insert(at) {
                waiting.extend(self.moves[at as usize].iter().map(|(_, to)| *to));
            }
        }
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); self.moves.len()];
        for (from, moves) in (0u32..).zip(&self.moves) {
            moves.iter().for_each(|(_, to)| back[*to as usize].push(from));
        }
        let mut useful = BTreeSet::new();
        let mut waiting: Vec<u32> =
            self.finals.iter().copied().filter(|place| reached.contains(place)).collect();
        while let Some(at) = waiting.pop() {
            if reached.contains(&at) && useful.insert(at) {
                waiting.extend(&back[at as usize]);
            }
        }
        let mut automaton = PAutomaton::new(states);
        let state_of: BTreeMap<u32, State> =
            useful.iter().map(|place| (*place, automaton.add_state())).collect();
        let mut add = |from: State, symbol: SymbolId, to: u32| {
            let Some(to) = state_of.get(&to) else { return };
            let transition =
                Transition { from, symbol: Some(stack_symbol(symbol)), to: *to, via: None };
            if automaton.find(transition).is_none() {
                automaton.insert(transition, true);
            }
        };
        for (state, symbol, to) in &self.starts {
            add(State(state.0), *symbol, *to);
        }
        for (place, from) in &state_of {
            for (symbol, to) in &self.moves[*place as usize] {
                add(*from, *symbol, *to);
            }
        }
        for place in self.finals.intersection(&useful) {
            automaton.set_final(state_of[place]);
        }
        for state in &self.empty {
            automaton.set_final(State(state.0));
        }
        automaton
    }
}
