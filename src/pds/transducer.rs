//! ⇒\* of a weighted pushdown system as a weighted transducer (Lal, Touili, Kidd, Reps 2007, § 5,
//! Thm. 2).
//!
//! A run first pops part of its stack and then grows a new top. `A_pop` (Lemma 3, by pre\*) says
//! how a location p comes to a location p' while one symbol is popped; `A_grow` (Lemma 4, by one
//! post\* of all ⟨p, γ⟩) what may grow out of ⟨p, γ⟩. The transducer's states are partitioned (Def.
//! 12): weights of the first part are extended in the order of a path, those of the second part
//! against it.
//!
//! Errata of the paper: step 4 goes into the copy of `A_grow` for the location in which the pop
//! phase ended, (p_pop, ε/q, q_p); step 6 is for q = p only, or else ⟨p, u⟩ would come to ⟨q, u⟩
//! for nothing.

use super::automaton::{PAutomaton, State, Transition};
use super::domain::Domain;
use super::poststar::PostStar;
use super::prestar::PreStar;
use super::system::{ControlLocation, Pds, StackSymbol};
use crate::util::Bounded;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What stands on a tape: a configuration is its location, then its stack from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Letter {
    /// A control location.
    Location(ControlLocation),
    /// A stack symbol.
    Symbol(StackSymbol),
}

/// A state of the transducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// q_i.
    Start,
    /// p of `A_pop`.
    Pop(ControlLocation),
    /// A state of the copy of `A_grow` for a location.
    Grow(ControlLocation, State),
    /// q_f.
    Copy,
}

impl Place {
    /// Is it in the second part, where weights are extended against the direction of a path?
    pub fn is_backward(self) -> bool {
        matches!(self, Place::Grow(..) | Place::Copy)
    }
}

/// (from, input/output, to) with a weight; `None` is ε.
#[derive(Clone, Debug)]
pub struct Move<W> {
    /// Source.
    pub from: Place,
    /// Read.
    pub input: Option<Letter>,
    /// Written.
    pub output: Option<Letter>,
    /// Target.
    pub to: Place,
    /// Weight.
    pub weight: W,
}

/// A transducer for ⇒\*.
#[derive(Clone, Debug)]
pub struct Transducer<W> {
    moves: Vec<Move<W>>,
    by_source: FxHashMap<Place, Vec<u32>>,
    /// `A_pop` and `A_grow`.
    pop: PAutomaton<W>,
    grow: PAutomaton<W>,
    /// q_{p,γ} of `A_grow`.
    seeds: FxHashMap<(ControlLocation, StackSymbol), State>,
    one: W,
}

impl<W: Clone + PartialEq> Transducer<W> {
    /// Builds it. `one`: the weight of doing nothing. Bounded by the kernel's limits of the domain,
    /// if it has any.
    pub fn new<D: Domain<Weight = W>>(
        pds: &Pds,
        domain: &mut D,
        one: &W,
    ) -> Bounded<Transducer<W>> {
        let mut pop = PreStar::new(pds, domain, pop_start(pds), Vec::new())?;
        while !pop.is_done() {
            pop.step(pds, domain)?;
        }
        let (start, seeds) = grow_start(pds, one);
        let mut grow = PostStar::new(domain, start, Vec::new());
        while !grow.is_done() {
            grow.step(pds, domain)?;
        }
        Transducer::of_phases(
            pds,
            domain,
            (pop.automaton().clone(), grow.automaton().clone(), seeds),
            one,
        )
    }

    /// The same of finished saturations of [`pop_start`] and [`grow_start`].
    pub fn of_phases<D: Domain<Weight = W>>(
        pds: &Pds,
        domain: &mut D,
        (pop, grow, seeds): (PAutomaton<W>, PAutomaton<W>, Seeds),
        one: &W,
    ) -> Bounded<Transducer<W>> {
        let locations = pds.locations();
        let mut transducer = Transducer {
            moves: Vec::new(),
            by_source: FxHashMap::default(),
            pop,
            grow,
            seeds,
            one: one.clone(),
        };
        let all = || (0..locations).map(ControlLocation);
        // Steps 1 and 2.
        for p in all() {
            transducer.add(
                Place::Start,
                Some(Letter::Location(p)),
                None,
                Place::Pop(p),
                one.clone(),
            );
        }
        for id in 0..transducer.pop.transitions().len() as u32 {
            let transition = transducer.pop.transition(id);
            let ends =
                transducer.pop.control(transition.from).zip(transducer.pop.control(transition.to));
            if let (Some((from, to)), Some(symbol)) = (ends, transition.symbol) {
                let weight = transducer.pop.weight(id).clone();
                transducer.add(
                    Place::Pop(from),
                    Some(Letter::Symbol(symbol)),
                    None,
                    Place::Pop(to),
                    weight,
                );
            }
        }
        // Steps 3 to 6, one copy of what is useful of `A_grow` for each location.
        for p in all() {
            let useful = transducer.useful(pds, p);
            for id in 0..transducer.grow.transitions().len() as u32 {
                let transition = transducer.grow.transition(id);
                if !useful.contains(&transition.from) || !useful.contains(&transition.to) {
                    continue;
                }
                let mut weight = transducer.grow.weight(id).clone();
                if let Some(rule) = transition.via {
                    weight = domain.after(&weight, rule)?;
                }
                let output = transition.symbol.map(Letter::Symbol);
                transducer.add(
                    Place::Grow(p, transition.from),
                    None,
                    output,
                    Place::Grow(p, transition.to),
                    weight,
                );
            }
            for q in all().filter(|q| useful.contains(&State::from(*q))) {
                let grown = Place::Grow(p, State::from(q));
                transducer.add(Place::Pop(p), None, Some(Letter::Location(q)), grown, one.clone());
            }
            for symbol in (0..pds.symbols()).map(StackSymbol) {
                let seed = transducer.seeds[&(p, symbol)];
                transducer.add(
                    Place::Grow(p, seed),
                    Some(Letter::Symbol(symbol)),
                    None,
                    Place::Copy,
                    one.clone(),
                );
            }
            // Step 6 leaves out the growth: the location is written, and the rest of the stack
            // copied.
            transducer.add(
                Place::Pop(p),
                None,
                Some(Letter::Location(p)),
                Place::Copy,
                one.clone(),
            );
        }
        // Step 7.
        for symbol in (0..pds.symbols()).map(StackSymbol) {
            let letter = Some(Letter::Symbol(symbol));
            transducer.add(Place::Copy, letter, letter, Place::Copy, one.clone());
        }
        Ok(transducer)
    }

    fn add(
        &mut self,
        from: Place,
        input: Option<Letter>,
        output: Option<Letter>,
        to: Place,
        weight: W,
    ) {
        self.by_source.entry(from).or_default().push(self.moves.len() as u32);
        self.moves.push(Move { from, input, output, to, weight });
    }

    /// The states of `A_grow` on a way from a control location to a q_{p,γ}.
    fn useful(&self, pds: &Pds, p: ControlLocation) -> FxHashSet<State> {
        let mut back: FxHashMap<State, Vec<State>> = FxHashMap::default();
        for transition in self.grow.transitions() {
            back.entry(transition.to).or_default().push(transition.from);
        }
        let mut useful = FxHashSet::default();
        let mut waiting: Vec<State> =
            (0..pds.symbols()).map(|symbol| self.seeds[&(p, StackSymbol(symbol))]).collect();
        while let Some(state) = waiting.pop() {
            if useful.insert(state) {
                waiting.extend(back.get(&state).into_iter().flatten());
            }
        }
        useful
    }

    /// All moves.
    pub fn moves(&self) -> &[Move<W>] {
        &self.moves
    }

    /// `A_pop` (read forward): p --γ--> p' iff ⟨p, γ⟩ ⇒\* ⟨p', ε⟩.
    pub fn pop(&self) -> &PAutomaton<W> {
        &self.pop
    }

    /// `A_grow` (read backward), without final states: what is grown from ⟨p, γ⟩ ends in
    /// [`Transducer::seed`].
    pub fn grow(&self) -> &PAutomaton<W> {
        &self.grow
    }

    /// q_{p,γ}.
    pub fn seed(&self, p: ControlLocation, symbol: StackSymbol) -> Option<State> {
        self.seeds.get(&(p, symbol)).copied()
    }

    /// All states that some move touches.
    pub fn places(&self) -> BTreeSet<Place> {
        self.moves.iter().flat_map(|m| [m.from, m.to]).collect()
    }

    /// ⊕ of the weights of all runs from one configuration (location, stack from its top) to
    /// another.
    pub fn weight<D: Domain<Weight = W>>(
        &self,
        domain: &mut D,
        from: (ControlLocation, &[StackSymbol]),
        to: (ControlLocation, &[StackSymbol]),
    ) -> Bounded<W> {
        let tape = |(p, stack): (ControlLocation, &[StackSymbol])| -> Vec<Letter> {
            std::iter::once(Letter::Location(p))
                .chain(stack.iter().map(|s| Letter::Symbol(*s)))
                .collect()
        };
        let (input, output) = (tape(from), tape(to));
        // First part: what it takes to come here. Second part: what it takes from here to the end,
        // against the path.
        let start = (Place::Start, 0, 0);
        let mut ahead: FxHashMap<Position, W> = FxHashMap::default();
        ahead.insert(start, self.one.clone());
        let mut crossings: BTreeSet<(Position, Position)> = BTreeSet::new();
        let mut reversed: FxHashMap<Position, Vec<(Position, u32)>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut worklist = BTreeSet::from([start]);
        while let Some(here) = worklist.pop_first() {
            let first_time = seen.insert(here);
            for &id in self.by_source.get(&here.0).map_or(&[][..], Vec::as_slice) {
                let step = &self.moves[id as usize];
                let Some(there) = follow(here, step, &input, &output) else { continue };
                match (here.0.is_backward(), step.to.is_backward()) {
                    (false, false) => {
                        let weight = domain.compose(&ahead[&here].clone(), &step.weight)?;
                        let old = ahead.entry(there).or_insert_with(|| domain.zero()).clone();
                        let new = domain.combine(&old, &weight)?;
                        if new != old {
                            ahead.insert(there, new);
                            worklist.insert(there);
                        }
                    }
                    (false, true) => {
                        crossings.insert((here, there));
                        if !seen.contains(&there) {
                            worklist.insert(there);
                        }
                    }
                    _ if first_time => {
                        reversed.entry(there).or_default().push((here, id));
                        if !seen.contains(&there) {
                            worklist.insert(there);
                        }
                    }
                    _ => {}
                }
            }
        }
        let end = (Place::Copy, input.len(), output.len());
        let mut behind: FxHashMap<Position, W> = FxHashMap::default();
        behind.insert(end, self.one.clone());
        let mut worklist = BTreeSet::from([end]);
        while let Some(here) = worklist.pop_first() {
            for (before, id) in reversed.get(&here).map_or(&[][..], Vec::as_slice) {
                let weight =
                    domain.compose(&behind[&here].clone(), &self.moves[*id as usize].weight)?;
                let old = behind.entry(*before).or_insert_with(|| domain.zero()).clone();
                let new = domain.combine(&old, &weight)?;
                if new != old {
                    behind.insert(*before, new);
                    worklist.insert(*before);
                }
            }
        }
        let mut total = domain.zero();
        for (before, after) in crossings {
            if let (Some(first), Some(second)) = (ahead.get(&before), behind.get(&after)) {
                let weight = domain.compose(&first.clone(), &second.clone())?;
                total = domain.combine(&total, &weight)?;
            }
        }
        Ok(total)
    }

    /// ⇒\* of an unweighted set of configurations, as an automaton that is read *backward*; it may
    /// have ε transitions inside. `set` has no transition into a control location.
    pub fn image<D: Domain<Weight = W>, V>(
        &self,
        domain: &mut D,
        set: &PAutomaton<V>,
    ) -> Bounded<PAutomaton<W>> {
        // What the pop phase costs, by where it ends in the set's automaton and in which location.
        let mut popped: FxHashMap<(ControlLocation, State), W> = FxHashMap::default();
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
                    let Some(to) = self
                        .pop
                        .control(transition.to)
                        .filter(|_| transition.symbol == read.symbol)
                    else {
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
        let mut popped: Vec<_> = popped.into_iter().collect();
        popped.sort_by_key(|(key, _)| *key);
        let mut image =
            Image { automaton: PAutomaton::new(set.locations()), states: FxHashMap::default() };
        for state in 0..set.states() {
            let copy = image.state(Inside::Rest(State(state)));
            if set.is_final(State(state)) {
                image.automaton.set_final(copy);
            }
        }
        for transition in set.transitions() {
            let (from, to) = (
                image.state(Inside::Rest(transition.from)),
                image.state(Inside::Rest(transition.to)),
            );
            image.insert(domain, from, transition.symbol, to, self.one.clone())?;
        }
        for ((p, state), weight) in popped {
            // Nothing grows: the rest of the stack stays.
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
            for step in self.moves.iter().filter(|m| matches!((m.from, m.to), (Place::Grow(a, _), Place::Grow(b, _)) if a == p && b == p)) {
                let (Place::Grow(_, from), Place::Grow(_, to)) = (step.from, step.to) else { continue };
                let symbol = match step.output {
                    Some(Letter::Symbol(symbol)) => Some(symbol),
                    _ => None,
                };
                let (source, target) = (image.state(Inside::Grown(p, state, from)), image.state(Inside::Grown(p, state, to)));
                image.insert(domain, source, symbol, target, step.weight.clone())?;
                if let Some(q) = self.grow.control(from) {
                    image.insert(domain, State::from(q), None, source, self.one.clone())?;
                }
            }
        }
        Ok(image.automaton)
    }
}

/// A state with how much of the input was read and of the output written.
type Position = (Place, usize, usize);

fn follow<W>(
    (_, read, written): Position,
    step: &Move<W>,
    input: &[Letter],
    output: &[Letter],
) -> Option<Position> {
    let advance = |letter: Option<Letter>, tape: &[Letter], at: usize| match letter {
        None => Some(at),
        Some(letter) => (tape.get(at) == Some(&letter)).then_some(at + 1),
    };
    Some((step.to, advance(step.input, input, read)?, advance(step.output, output, written)?))
}

/// A state of the image's automaton besides the control locations.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Inside {
    /// The set's state: what was never touched.
    Rest(State),
    /// Grown in a location out of a stack that the set's automaton reads on from a state.
    Grown(ControlLocation, State, State),
}

struct Image<W> {
    automaton: PAutomaton<W>,
    states: FxHashMap<Inside, State>,
}

impl<W: Clone + PartialEq> Image<W> {
    fn state(&mut self, inside: Inside) -> State {
        let automaton = &mut self.automaton;
        *self.states.entry(inside).or_insert_with(|| automaton.add_state())
    }

    fn insert<D: Domain<Weight = W>>(
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

/// q_{p,γ}, by head.
pub type Seeds = FxHashMap<(ControlLocation, StackSymbol), State>;

/// Lemma 3: `A_pop` is pre\* of all ⟨p, ε⟩, which this automaton accepts.
pub fn pop_start<W>(pds: &Pds) -> PAutomaton<W> {
    let mut empty = PAutomaton::new(pds.locations());
    for p in 0..pds.locations() {
        empty.set_final(State(p));
    }
    empty
}

/// Lemma 4: `A_grow` is post\* of all ⟨p, γ⟩ at once, each with a state of its own at its end.
pub fn grow_start<W: Clone>(pds: &Pds, one: &W) -> (PAutomaton<W>, Seeds) {
    let mut heads = PAutomaton::new(pds.locations());
    let mut seeds = FxHashMap::default();
    for p in (0..pds.locations()).map(ControlLocation) {
        for symbol in (0..pds.symbols()).map(StackSymbol) {
            let seed = heads.add_state();
            heads.insert(
                Transition { from: State::from(p), symbol: Some(symbol), to: seed, via: None },
                one.clone(),
            );
            seeds.insert((p, symbol), seed);
        }
    }
    (heads, seeds)
}
