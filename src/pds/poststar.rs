//! post\*: the configurations that a regular set reaches, with weights.
//!
//! Schwoon 2002, Alg. 2 (post\*), with the weights of Reps, Schwoon, Jha, Melski 2005, § 3.1. The
//! automaton is read *backward*: the weight of a configuration is that of its bottom transition
//! first.
//!
//! Differs from the paper: a callee does not start with the weight 1 (all stores) but with what
//! [`Domain::enter`] makes of its caller's weight (the stores that reach it), so that summaries
//! speak of reachable stores only; and only what a transition's weight gained since it was last
//! looked at is propagated; and where the domain knows what all rounds of a loop do
//! ([`Domain::accelerate`]), that is added before anything goes on. [`super::textbook::poststar`]
//! does none of these.

use super::automaton::{PAutomaton, State, Transition};
use super::direction::{Backward, Read};
use super::domain::Domain;
use super::history::History;
use super::observer::{Derivation, Observer, Premise};
use super::system::{ControlLocation, Pds, Right, StackSymbol};
use crate::bdd::{Roots, impl_roots};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A saturation in progress.
pub struct PostStar<D: Domain> {
    automaton: PAutomaton<D::Weight>,
    pending: Vec<D::Weight>,
    history: History<D::Weight>,
    worklist: BTreeSet<(u32, u32)>,
    priority: Vec<u32>,
    ranks: Vec<u32>,
    middles: FxHashMap<(ControlLocation, StackSymbol), State>,
    epsilons: FxHashMap<State, Vec<u32>>,
    /// Moments at which a weight gained what rounds of a loop make of it, ascending.
    accelerated: Vec<u64>,
    /// A transition that is no longer looked at.
    held: Option<u32>,
    steps: u64,
}

impl<D: Domain> PostStar<D> {
    /// Starts from an automaton without transitions into control locations. `priority[γ]`: among
    /// what waits, the transition with the least priority of its symbol is next (callees first, and
    /// in each a reverse postorder, is good); a pop counts as its popped symbol.
    pub fn new(domain: &D, initial: PAutomaton<D::Weight>, priority: Vec<u32>) -> PostStar<D> {
        let mut saturation: PostStar<D> = PostStar {
            pending: initial.weights().to_vec(),
            automaton: initial,
            history: History::default(),
            worklist: BTreeSet::new(),
            priority,
            ranks: Vec::new(),
            middles: FxHashMap::default(),
            epsilons: FxHashMap::default(),
            accelerated: Vec::new(),
            held: None,
            steps: 0,
        };
        for id in 0..saturation.automaton.transitions().len() as u32 {
            let weight = saturation.automaton.weight(id).clone();
            let rank = saturation
                .automaton
                .transition(id)
                .symbol
                .map_or(0, |symbol| saturation.rank(symbol));
            saturation.ranks.push(rank);
            if !domain.is_zero(&weight) {
                saturation.history.note(id, weight);
                saturation.schedule(id);
            }
        }
        saturation
    }

    /// The automaton so far; complete once [`Self::is_done`].
    pub fn automaton(&self) -> &PAutomaton<D::Weight> {
        &self.automaton
    }

    /// The same, to be read.
    pub fn read(&self) -> Read<'_, D::Weight, Backward> {
        Read::of(&self.automaton)
    }

    /// When each part of each weight appeared.
    pub fn history(&self) -> &History<D::Weight> {
        &self.history
    }

    /// Was what a transition gained at this moment found by rounds of the loop at its symbol, from
    /// what it had gained before?
    pub fn is_accelerated(&self, moment: u64) -> bool {
        self.accelerated.binary_search(&moment).is_ok()
    }

    /// The state that stands for "inside the callee entered at ⟨p, γ⟩", if any call was seen.
    pub fn middle(&self, p: ControlLocation, entry: StackSymbol) -> Option<State> {
        self.middles.get(&(p, entry)).copied()
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

    /// Looks at one transition. Does nothing once done. After a limit the saturation must not be
    /// used further, only read.
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
        let gained = self.accelerate(pds, domain, id, gained, observer)?;
        self.follow(pds, domain, id, &gained, observer)
    }

    /// From an automaton with one transition: looks at it once and then never again, so that what
    /// comes back to it has gone round once.
    pub fn start_round(&mut self, pds: &Pds, domain: &mut D) -> Bounded<()> {
        let Some((_, id)) = self.worklist.pop_first() else { return Ok(()) };
        self.held = Some(id);
        let gained = std::mem::replace(&mut self.pending[id as usize], domain.zero());
        self.follow(pds, domain, id, &gained, &mut ())
    }

    fn accelerate(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        id: u32,
        gained: D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<D::Weight> {
        let transition = self.automaton.transition(id);
        let (Some(symbol), Some(_)) = (transition.symbol, self.automaton.control(transition.from))
        else {
            return Ok(gained);
        };
        let whole = self.automaton.weight(id).clone();
        let Some(more) = domain.accelerate(pds, &self.priority, symbol, &gained, &whole)? else {
            return Ok(gained);
        };
        let more = domain.difference(&more, &whole)?;
        if domain.is_zero(&more) {
            return Ok(gained);
        }
        let new = domain.combine(&whole, &more)?;
        observer.changes(id, &more, &new, Derivation::Rounds(Premise::gained(id)));
        self.automaton.set_weight(id, new);
        let all = domain.combine(&gained, &more)?;
        self.history.note(id, more);
        self.accelerated.push(self.history.latest());
        Ok(all)
    }

    fn follow(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        id: u32,
        gained: &D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let transition = self.automaton.transition(id);
        let Some(p) = self.automaton.control(transition.from) else { return Ok(()) };
        match transition.symbol {
            Some(symbol) => self.apply_rules(pds, domain, id, (p, symbol), gained, observer),
            None => self.resume_callers(domain, p, id, gained, observer),
        }
    }

    /// Alg. 2, l. 7-16: all rules with the left side ⟨p, symbol⟩, which the transition `source`
    /// reads.
    fn apply_rules(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        source: u32,
        (p, symbol): (ControlLocation, StackSymbol),
        gained: &D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let to = self.automaton.transition(source).to;
        let source = Premise::gained(source);
        for &id in pds.from_head(p, symbol) {
            let rule = pds.rule(id);
            let target = State::from(rule.to);
            match rule.right {
                // l. 7-8
                Right::Pop => {
                    let weight = domain.after(gained, id)?;
                    let made = Transition { from: target, symbol: None, to, via: None };
                    self.update(
                        domain,
                        made,
                        symbol,
                        weight,
                        Derivation::Rule(id, source),
                        observer,
                    )?;
                }
                // l. 9-10
                Right::Step(top) => {
                    let weight = domain.after(gained, id)?;
                    let made = Transition { from: target, symbol: Some(top), to, via: None };
                    self.update(domain, made, top, weight, Derivation::Rule(id, source), observer)?;
                }
                // l. 11-16
                Right::Push(top, below) => {
                    let automaton = &mut self.automaton;
                    let middle = *self
                        .middles
                        .entry((rule.to, top))
                        .or_insert_with(|| automaton.add_state());
                    // The caller first, so that in the history it is known before its callee
                    // starts.
                    let waits = Transition { from: middle, symbol: Some(below), to, via: Some(id) };
                    self.update(
                        domain,
                        waits,
                        below,
                        gained.clone(),
                        Derivation::Below(id, source),
                        observer,
                    )?;
                    let entry = domain.enter(gained, id)?;
                    let begins =
                        Transition { from: target, symbol: Some(top), to: middle, via: None };
                    self.update(
                        domain,
                        begins,
                        top,
                        entry,
                        Derivation::Entry(id, source),
                        observer,
                    )?;
                    for k in 0..self.epsilons.get(&middle).map_or(0, Vec::len) {
                        let epsilon = self.epsilons[&middle][k];
                        let back = self.automaton.transition(epsilon).from;
                        let summary = self.automaton.weight(epsilon).clone();
                        let weight = domain.return_after(gained, id, &summary)?;
                        let resumes = Transition { from: back, symbol: Some(below), to, via: None };
                        let returned = Derivation::Return {
                            call: source,
                            rule: Some(id),
                            epsilon: Premise::whole(epsilon),
                        };
                        self.update(domain, resumes, below, weight, returned, observer)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Alg. 2, l. 5-6: a callee returned to p with a summary, by the transition `epsilon`; whoever
    /// waits below it goes on.
    fn resume_callers(
        &mut self,
        domain: &mut D,
        p: ControlLocation,
        epsilon: u32,
        summary: &D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let middle = self.automaton.transition(epsilon).to;
        for k in 0..self.automaton.outgoing(middle).len() {
            let id = self.automaton.outgoing(middle)[k];
            let below = self.automaton.transition(id);
            let weight = self.automaton.weight(id).clone();
            let weight = match below.via {
                Some(rule) => domain.return_after(&weight, rule, summary)?,
                None => domain.compose(&weight, summary)?,
            };
            let symbol = below.symbol.expect("only control locations have epsilon transitions");
            let returned = Derivation::Return {
                call: Premise::whole(id),
                rule: below.via,
                epsilon: Premise::gained(epsilon),
            };
            self.update(
                domain,
                Transition { from: State::from(p), via: None, ..below },
                symbol,
                weight,
                returned,
                observer,
            )?;
        }
        Ok(())
    }

    /// `at`: the symbol whose priority the transition has.
    fn update(
        &mut self,
        domain: &mut D,
        transition: Transition,
        at: StackSymbol,
        weight: D::Weight,
        derivation: Derivation<Premise>,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        if domain.is_zero(&weight) {
            return Ok(());
        }
        let id = match self.automaton.find(transition) {
            Some(id) => id,
            None => {
                self.pending.push(domain.zero());
                self.ranks.push(self.rank(at));
                if transition.symbol.is_none() {
                    self.epsilons
                        .entry(transition.to)
                        .or_default()
                        .push(self.automaton.transitions().len() as u32);
                }
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
        observer.changes(id, &weight, &new, derivation);
        self.automaton.set_weight(id, new);
        self.history.note(id, gained);
        self.schedule(id);
        Ok(())
    }

    /// Adds a weight to a transition from a control location, new or not; saturation then goes on
    /// from there.
    pub fn add(
        &mut self,
        domain: &mut D,
        transition: Transition,
        weight: D::Weight,
    ) -> Bounded<()> {
        let Some(symbol) = transition.symbol else { return Ok(()) };
        self.update(domain, transition, symbol, weight, Derivation::Given, &mut ())
    }

    /// Replaces the weight of a transition of a finished saturation by a smaller one.
    pub fn cut(&mut self, id: u32, weight: D::Weight) {
        self.automaton.set_weight(id, weight);
    }

    fn rank(&self, symbol: StackSymbol) -> u32 {
        self.priority.get(symbol.0 as usize).copied().unwrap_or(0)
    }

    fn schedule(&mut self, id: u32) {
        if self.held != Some(id)
            && self.automaton.control(self.automaton.transition(id).from).is_some()
        {
            self.worklist.insert((self.ranks[id as usize], id));
        }
    }
}

impl_roots!([D: Domain<Weight: Roots>] PostStar<D> { automaton, pending, history });
