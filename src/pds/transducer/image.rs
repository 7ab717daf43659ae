//! All configurations that a set leads to, by the transducer.
//!
//! The pop phase reads the set's automaton first. Then the stacks that `A_grow` grows out of each
//! remaining head are put on top of the rest of the stack.

use super::{Letter, Transducer, TransducerState};
use crate::pds::automaton::{PAutomaton, State, Transition};
use crate::pds::system::{ControlLocation, StackSymbol};
use crate::pds::weights::{Compose, Weights};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The weights of the pop phase, by the location in which it ends and the state of the set's
/// automaton at which the rest of the stack begins.
type Popped<W> = FxHashMap<(ControlLocation, State), W>;

impl<W: Clone + PartialEq> Transducer<W> {
    /// ⇒\* of an unweighted set of configurations, as an automaton that is read *backward*. It may
    /// have ε transitions inside. `set` has no transition into a control location.
    pub fn image<D: Compose<Weight = W>, V>(
        &self,
        domain: &mut D,
        set: &PAutomaton<V>,
    ) -> Bounded<PAutomaton<W>> {
        let mut popped: Vec<_> = self.popped(domain, set)?.into_iter().collect();
        popped.sort_by_key(|(key, _)| *key);
        let mut image = Image::of(domain, set, &self.one)?;
        for ((p, state), weight) in popped {
            // Nothing grows, so the rest of the stack stays.
            let rest = image.state(Inside::Rest(state));
            image.insert(domain, State::from(p), None, rest, weight.clone())?;
            for &read in set.outgoing(state) {
                let read = set.transition(read);
                let Some(seed) = read.symbol.and_then(|symbol| self.seed(p, symbol)) else {
                    continue;
                };
                let rest = image.state(Inside::Rest(read.to));
                let seed = image.state(Inside::Grown(p, state, seed));
                image.insert(domain, seed, None, rest, weight.clone())?;
            }
            self.put_on_top(domain, &mut image, p, state)?;
        }
        Ok(image.automaton)
    }

    fn popped<D: Compose<Weight = W>, V>(
        &self,
        domain: &mut D,
        set: &PAutomaton<V>,
    ) -> Bounded<Popped<W>> {
        let mut popped = Popped::default();
        let mut worklist = BTreeSet::new();
        for p in (0..set.locations()).map(ControlLocation) {
            if set.is_final(State::from(p)) || !set.outgoing(State::from(p)).is_empty() {
                popped.insert((p, State::from(p)), self.one.clone());
                worklist.insert((p, State::from(p)));
            }
        }
        while let Some((p, state)) = worklist.pop_first() {
            let here = popped[&(p, state)].clone();
            for &read in set.outgoing(state) {
                let read = set.transition(read);
                for &id in self.pop.outgoing(State::from(p)) {
                    let transition = self.pop.transition(id);
                    let to = self.pop.control(transition.to);
                    let Some(to) = to.filter(|_| transition.symbol == read.symbol) else {
                        continue;
                    };
                    let weight = domain.compose(&here, self.pop.weight(id))?;
                    let old = popped.entry((to, read.to)).or_insert_with(|| domain.zero()).clone();
                    let new = domain.combine(&old, &weight)?;
                    if new != old {
                        popped.insert((to, read.to), new);
                        worklist.insert((to, read.to));
                    }
                }
            }
        }
        Ok(popped)
    }

    /// Adds a copy of the part of `A_grow` for a location, on top of the stacks that the set's
    /// automaton reads from a state.
    fn put_on_top<D: Compose<Weight = W>>(
        &self,
        domain: &mut D,
        image: &mut Image<W>,
        p: ControlLocation,
        state: State,
    ) -> Bounded<()> {
        for step in &self.moves {
            let (TransducerState::Grow(a, from), TransducerState::Grow(b, to)) =
                (step.from, step.to)
            else {
                continue;
            };
            if (a, b) != (p, p) {
                continue;
            }
            let symbol = match step.output {
                Some(Letter::Symbol(symbol)) => Some(symbol),
                _ => None,
            };
            let source = image.state(Inside::Grown(p, state, from));
            let target = image.state(Inside::Grown(p, state, to));
            image.insert(domain, source, symbol, target, step.weight.clone())?;
            if let Some(q) = self.grow.control(from) {
                image.insert(domain, State::from(q), None, source, self.one.clone())?;
            }
        }
        Ok(())
    }
}

/// A state of the image's automaton besides the control locations.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Inside {
    /// A state of the set's automaton: the part of the stack that no step touched.
    Rest(State),
    /// A state that grew in a location, above the stacks that the set's automaton reads from a
    /// state.
    Grown(ControlLocation, State, State),
}

struct Image<W> {
    automaton: PAutomaton<W>,
    states: FxHashMap<Inside, State>,
}

impl<W: Clone + PartialEq> Image<W> {
    /// The image of a set that has only the set's own states and transitions, not yet connected
    /// with control locations.
    fn of<D: Weights<Weight = W>, V>(
        domain: &mut D,
        set: &PAutomaton<V>,
        one: &W,
    ) -> Bounded<Image<W>> {
        let automaton = PAutomaton::new(set.locations());
        let mut image = Image { automaton, states: FxHashMap::default() };
        for state in (0..set.states()).map(State) {
            let copy = image.state(Inside::Rest(state));
            if set.is_final(state) {
                image.automaton.set_final(copy);
            }
        }
        for transition in set.transitions() {
            let from = image.state(Inside::Rest(transition.from));
            let to = image.state(Inside::Rest(transition.to));
            image.insert(domain, from, transition.symbol, to, one.clone())?;
        }
        Ok(image)
    }

    fn state(&mut self, inside: Inside) -> State {
        let automaton = &mut self.automaton;
        *self.states.entry(inside).or_insert_with(|| automaton.add_state())
    }

    fn insert<D: Weights<Weight = W>>(
        &mut self,
        domain: &mut D,
        from: State,
        symbol: Option<StackSymbol>,
        to: State,
        weight: W,
    ) -> Bounded<()> {
        let transition = Transition { from, symbol, to, via: None };
        match self.automaton.find(transition) {
            Some(id) => {
                let both = domain.combine(self.automaton.weight(id), &weight)?;
                self.automaton.set_weight(id, both);
            }
            None => _ = self.automaton.insert(transition, weight),
        }
        Ok(())
    }
}
