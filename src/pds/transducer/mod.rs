//! ⇒\* of a weighted pushdown system as a weighted transducer (Lal, Touili, Kidd, Reps 2007, § 5,
//! Thm. 2).
//!
//! A run first pops part of its stack and then grows a new top. `A_pop` (Lemma 3, by pre\*) says
//! how a location p leads to a location p' while one symbol is popped. `A_grow` (Lemma 4, by one
//! post\* of all ⟨p, γ⟩) says what may grow out of ⟨p, γ⟩. The transducer's states are partitioned
//! (Def. 12): weights of the first part are extended in the order of a path, those of the second
//! part against it.
//!
//! Errata of the paper: step 4 leads into the copy of `A_grow` for the location in which the pop
//! phase ended, (p_pop, ε/q, q_p). Step 6 is for q = p only; otherwise ⟨p, u⟩ would lead to ⟨q, u⟩
//! without any rule.

mod image;
mod weight;

use crate::pds::automaton::{PAutomaton, State, Transition};
use crate::pds::poststar::PostStar;
use crate::pds::prestar::PreStar;
use crate::pds::system::{ControlLocation, Pds, StackSymbol};
use crate::pds::weights::{BackwardWeights, ForwardWeights};
use crate::util::Bounded;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A letter on a tape. The tape of a configuration has its location, then its stack from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Letter {
    /// A control location.
    Location(ControlLocation),
    /// A stack symbol.
    Symbol(StackSymbol),
}

/// A state of the transducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransducerState {
    /// q_i.
    Start,
    /// p of `A_pop`.
    Pop(ControlLocation),
    /// A state of the copy of `A_grow` for a location.
    Grow(ControlLocation, State),
    /// q_f.
    Copy,
}

impl TransducerState {
    /// Is it in the second part, where weights are extended against the direction of a path?
    pub fn is_backward(self) -> bool {
        matches!(self, TransducerState::Grow(..) | TransducerState::Copy)
    }
}

/// A move (from, input/output, to) with a weight; `None` is ε.
#[derive(Clone, Debug)]
pub struct Move<W> {
    /// Source.
    pub from: TransducerState,
    /// The letter that is read.
    pub input: Option<Letter>,
    /// The letter that is written.
    pub output: Option<Letter>,
    /// Target.
    pub to: TransducerState,
    /// Weight.
    pub weight: W,
}

/// A transducer for ⇒\*.
#[derive(Clone, Debug)]
pub struct Transducer<W> {
    moves: Vec<Move<W>>,
    by_source: FxHashMap<TransducerState, Vec<u32>>,
    /// `A_pop` and `A_grow`.
    pop: PAutomaton<W>,
    grow: PAutomaton<W>,
    /// q_{p,γ} of `A_grow`.
    seeds: FxHashMap<(ControlLocation, StackSymbol), State>,
    one: W,
}

impl<W: Clone + PartialEq> Transducer<W> {
    /// Builds the transducer. `one`: the weight of the empty run. The limits of the domain's
    /// kernel, if it has one, bound the work.
    pub fn new<D: ForwardWeights<Weight = W> + BackwardWeights>(
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
    pub fn of_phases<D: ForwardWeights<Weight = W>>(
        pds: &Pds,
        domain: &mut D,
        (pop, grow, seeds): (PAutomaton<W>, PAutomaton<W>, Seeds),
        one: &W,
    ) -> Bounded<Transducer<W>> {
        let mut transducer = Transducer {
            moves: Vec::new(),
            by_source: FxHashMap::default(),
            pop,
            grow,
            seeds,
            one: one.clone(),
        };
        transducer.add_pop_phase(pds);
        for p in (0..pds.locations()).map(ControlLocation) {
            transducer.add_grow_phase(pds, domain, p)?;
        }
        // Step 7.
        let copy = TransducerState::Copy;
        for symbol in (0..pds.symbols()).map(StackSymbol) {
            let letter = Some(Letter::Symbol(symbol));
            transducer.add(copy, letter, letter, copy, one.clone());
        }
        Ok(transducer)
    }

    /// Steps 1 and 2.
    fn add_pop_phase(&mut self, pds: &Pds) {
        for p in (0..pds.locations()).map(ControlLocation) {
            let location = Some(Letter::Location(p));
            let one = self.one.clone();
            self.add(TransducerState::Start, location, None, TransducerState::Pop(p), one);
        }
        for id in 0..self.pop.transitions().len() as u32 {
            let transition = self.pop.transition(id);
            let ends = self.pop.control(transition.from).zip(self.pop.control(transition.to));
            if let (Some((from, to)), Some(symbol)) = (ends, transition.symbol) {
                let (from, to) = (TransducerState::Pop(from), TransducerState::Pop(to));
                let weight = self.pop.weight(id).clone();
                self.add(from, Some(Letter::Symbol(symbol)), None, to, weight);
            }
        }
    }

    /// Steps 3 to 6: adds a copy of the useful part of `A_grow` for the location in which the pop
    /// phase ended.
    fn add_grow_phase<D: ForwardWeights<Weight = W>>(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        p: ControlLocation,
    ) -> Bounded<()> {
        let useful = self.useful(pds, p);
        for id in 0..self.grow.transitions().len() as u32 {
            let transition = self.grow.transition(id);
            if !useful.contains(&transition.from) || !useful.contains(&transition.to) {
                continue;
            }
            let mut weight = self.grow.weight(id).clone();
            if let Some(rule) = transition.via {
                weight = domain.after(&weight, rule)?;
            }
            let (from, to) = (transition.from, transition.to);
            let (from, to) = (TransducerState::Grow(p, from), TransducerState::Grow(p, to));
            self.add(from, None, transition.symbol.map(Letter::Symbol), to, weight);
        }
        let popped = TransducerState::Pop(p);
        for q in (0..pds.locations()).map(ControlLocation) {
            if useful.contains(&State::from(q)) {
                let grown = TransducerState::Grow(p, State::from(q));
                self.add(popped, None, Some(Letter::Location(q)), grown, self.one.clone());
            }
        }
        let copy = TransducerState::Copy;
        for symbol in (0..pds.symbols()).map(StackSymbol) {
            let seed = TransducerState::Grow(p, self.seeds[&(p, symbol)]);
            self.add(seed, Some(Letter::Symbol(symbol)), None, copy, self.one.clone());
        }
        // Step 6 leaves out the growth: it writes the location, and copies the rest of the stack.
        self.add(popped, None, Some(Letter::Location(p)), copy, self.one.clone());
        Ok(())
    }

    fn add(
        &mut self,
        from: TransducerState,
        input: Option<Letter>,
        output: Option<Letter>,
        to: TransducerState,
        weight: W,
    ) {
        self.by_source.entry(from).or_default().push(self.moves.len() as u32);
        self.moves.push(Move { from, input, output, to, weight });
    }

    /// The states of `A_grow` that are on a way from a control location to a q_{p,γ}.
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

    /// All states that some move uses.
    pub fn states(&self) -> BTreeSet<TransducerState> {
        self.moves.iter().flat_map(|m| [m.from, m.to]).collect()
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
