//! post\*: the configurations that a regular set reaches, with weights.
//!
//! Schwoon 2002, Alg. 2 (post\*), with the weights of Reps, Schwoon, Jha, Melski 2005, § 3.1. The
//! automaton is read *backward*: the weight of a configuration is that of its bottom transition
//! first.
//!
//! Differs from the paper in three points; [`super::textbook::poststar`] does none of them:
//!
//! - A callee does not start with the weight 1 (all stores) but with what
//!   [`ForwardWeights::enter`] makes of its caller's weight, the stores that reach it. So summaries
//!   speak of reachable stores only.
//! - Only what a transition's weight gained since it was last looked at is propagated.
//! - Where the weights know what all rounds of a loop do ([`ForwardWeights::accelerate`]), that is
//!   added before anything goes on.

use super::automaton::{PAutomaton, State, Transition};
use super::direction::{Backward, Read};
use super::history::History;
use super::observer::{Derivation, Observer, Premise};
use super::saturation::Saturation;
use super::system::{ControlLocation, Pds, Right, RuleId, StackSymbol};
use super::weights::{ForwardWeights, Weights};
use crate::bdd::{Roots, impl_roots};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::ops::Deref;

/// A saturation in progress. See [`Saturation`] for its automaton, its steps, and the transitions
/// that wait.
#[derive(Clone)]
pub struct PostStar<D: Weights> {
    saturation: Saturation<D::Weight>,
    history: History<D::Weight>,
    priority: Vec<u32>,
    /// By head at which callees are entered: the state "inside the callee".
    middles: FxHashMap<(ControlLocation, StackSymbol), State>,
    /// By state: the ε transitions that lead there.
    epsilons: FxHashMap<State, Vec<u32>>,
    /// The moments at which rounds of a loop added to a weight, ascending.
    accelerated: Vec<u64>,
    /// A transition that is not looked at any more.
    held: Option<u32>,
}

impl<D: Weights> Deref for PostStar<D> {
    type Target = Saturation<D::Weight>;
    fn deref(&self) -> &Saturation<D::Weight> {
        &self.saturation
    }
}

impl<D: ForwardWeights> PostStar<D> {
    /// Starts from an automaton without transitions into control locations. Of the waiting
    /// transitions, the one whose symbol γ has the least `priority[γ]` is next. (Callees first, and
    /// each in reverse postorder, is good.) A pop has the priority of the symbol that it removes.
    pub fn new(domain: &D, initial: PAutomaton<D::Weight>, priority: Vec<u32>) -> PostStar<D> {
        let rank =
            |transition: Transition| transition.symbol.map_or(0, |symbol| rank(&priority, symbol));
        let mut post: PostStar<D> = PostStar {
            saturation: Saturation::new(initial, rank),
            history: History::default(),
            priority,
            middles: FxHashMap::default(),
            epsilons: FxHashMap::default(),
            accelerated: Vec::new(),
            held: None,
        };
        for id in 0..post.automaton().transitions().len() as u32 {
            let weight = post.automaton().weight(id).clone();
            if !domain.is_zero(&weight) {
                post.history.note(id, weight);
                post.schedule(id);
            }
        }
        post
    }

    /// The automaton so far, with its direction for readers.
    pub fn read(&self) -> Read<'_, D::Weight, Backward> {
        Read::of(self.automaton())
    }

    /// When each part of each weight appeared.
    pub fn history(&self) -> &History<D::Weight> {
        &self.history
    }

    /// Did rounds of the loop at its symbol add what a transition gained at this moment?
    pub fn is_accelerated(&self, moment: u64) -> bool {
        self.accelerated.binary_search(&moment).is_ok()
    }

    /// The state "inside the callee entered at ⟨p, γ⟩", if any call was seen.
    pub fn middle(&self, p: ControlLocation, entry: StackSymbol) -> Option<State> {
        self.middles.get(&(p, entry)).copied()
    }

    /// Looks at one transition. Does nothing once the saturation is done. After a limit the
    /// saturation may only be read.
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
        let gained = self.accelerate(pds, domain, id, gained, observer)?;
        self.follow(pds, domain, id, &gained, observer)
    }

    /// For an automaton with one transition: looks at it once and then never again. So what comes
    /// back to it has gone round once.
    pub fn start_round(&mut self, pds: &Pds, domain: &mut D) -> Bounded<()> {
        let Some((id, gained)) = self.saturation.next(domain) else { return Ok(()) };
        self.held = Some(id);
        self.follow(pds, domain, id, &gained, &mut ())
    }

    /// Adds a weight to a transition from a control location, which may be new. Saturation then
    /// continues from there.
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
        self.saturation.automaton.set_weight(id, weight);
    }

    fn accelerate(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        id: u32,
        gained: D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<D::Weight> {
        let transition = self.automaton().transition(id);
        let (Some(symbol), Some(_)) =
            (transition.symbol, self.automaton().control(transition.from))
        else {
            return Ok(gained);
        };
        let whole = self.automaton().weight(id).clone();
        let Some(more) = domain.accelerate(pds, &self.priority, symbol, &gained, &whole)? else {
            return Ok(gained);
        };
        let more = domain.difference(&more, &whole)?;
        if domain.is_zero(&more) {
            return Ok(gained);
        }
        let all = self.saturation.add_rounds(domain, id, &gained, &more, observer)?;
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
        let transition = self.automaton().transition(id);
        let Some(p) = self.automaton().control(transition.from) else { return Ok(()) };
        match transition.symbol {
            Some(symbol) => self.apply_rules(pds, domain, id, (p, symbol), gained, observer),
            None => self.resume_callers(domain, p, id, gained, observer),
        }
    }

    /// Alg. 2, l. 7-16: applies all rules with the left side ⟨p, symbol⟩, which the transition
    /// `source` reads.
    fn apply_rules(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        source: u32,
        (p, symbol): (ControlLocation, StackSymbol),
        gained: &D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let to = self.automaton().transition(source).to;
        for &id in pds.from_head(p, symbol) {
            let rule = pds.rule(id);
            let from = State::from(rule.to);
            let derivation = Derivation::Rule(id, Premise::gained(source));
            match rule.right {
                // l. 7-8
                Right::Pop => {
                    let weight = domain.after(gained, id)?;
                    let made = Transition { from, symbol: None, to, via: None };
                    self.update(domain, made, symbol, weight, derivation, observer)?;
                }
                // l. 9-10
                Right::Step(top) => {
                    let weight = domain.after(gained, id)?;
                    let made = Transition { from, symbol: Some(top), to, via: None };
                    self.update(domain, made, top, weight, derivation, observer)?;
                }
                // l. 11-16
                Right::Push(top, below) => {
                    let head = (rule.to, top);
                    self.call(domain, (id, head, below), source, gained, observer)?;
                }
            }
        }
        Ok(())
    }

    /// Alg. 2, l. 11-16: applies a push rule to what the transition `source` gained. The rule is
    /// given with the head at which its callee is entered, and the symbol that it leaves below.
    fn call(
        &mut self,
        domain: &mut D,
        (id, (p, top), below): (RuleId, (ControlLocation, StackSymbol), StackSymbol),
        source: u32,
        gained: &D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let to = self.automaton().transition(source).to;
        let source = Premise::gained(source);
        let automaton = &mut self.saturation.automaton;
        let middle = *self.middles.entry((p, top)).or_insert_with(|| automaton.add_state());
        // The caller comes first, so the history knows it before its callee starts.
        let waits = Transition { from: middle, symbol: Some(below), to, via: Some(id) };
        let derivation = Derivation::Below(id, source);
        self.update(domain, waits, below, gained.clone(), derivation, observer)?;
        let entry = domain.enter(gained, id)?;
        let begins = Transition { from: State::from(p), symbol: Some(top), to: middle, via: None };
        self.update(domain, begins, top, entry, Derivation::Entry(id, source), observer)?;
        for k in 0..self.epsilons.get(&middle).map_or(0, Vec::len) {
            let epsilon = self.epsilons[&middle][k];
            let back = self.automaton().transition(epsilon).from;
            let summary = self.automaton().weight(epsilon).clone();
            let weight = domain.return_after(gained, id, &summary)?;
            let resumes = Transition { from: back, symbol: Some(below), to, via: None };
            let epsilon = Premise::whole(epsilon);
            let returned = Derivation::Return { call: source, rule: Some(id), epsilon };
            self.update(domain, resumes, below, weight, returned, observer)?;
        }
        Ok(())
    }

    /// Alg. 2, l. 5-6: the transition `epsilon` says that a callee returned to p with a summary.
    /// Every caller that waits below it continues.
    fn resume_callers(
        &mut self,
        domain: &mut D,
        p: ControlLocation,
        epsilon: u32,
        summary: &D::Weight,
        observer: &mut impl Observer<D::Weight>,
    ) -> Bounded<()> {
        let middle = self.automaton().transition(epsilon).to;
        for k in 0..self.automaton().outgoing(middle).len() {
            let id = self.automaton().outgoing(middle)[k];
            let below = self.automaton().transition(id);
            let weight = self.automaton().weight(id).clone();
            let weight = match below.via {
                Some(rule) => domain.return_after(&weight, rule, summary)?,
                None => domain.return_into_given(&weight, summary)?,
            };
            let symbol = below.symbol.expect("only control locations have epsilon transitions");
            let (call, epsilon) = (Premise::whole(id), Premise::gained(epsilon));
            let returned = Derivation::Return { call, rule: below.via, epsilon };
            let resumes = Transition { from: State::from(p), via: None, ..below };
            self.update(domain, resumes, symbol, weight, returned, observer)?;
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
        let rank = || rank(&self.priority, at);
        let raised =
            self.saturation.raise(domain, transition, rank, &weight, derivation, observer)?;
        let Some(raised) = raised else { return Ok(()) };
        if raised.is_new && transition.symbol.is_none() {
            self.epsilons.entry(transition.to).or_default().push(raised.id);
        }
        self.history.note(raised.id, raised.gained);
        self.schedule(raised.id);
        Ok(())
    }

    /// Lets a transition wait, unless nothing follows from it.
    fn schedule(&mut self, id: u32) {
        let automaton = self.automaton();
        if self.held != Some(id) && automaton.control(automaton.transition(id).from).is_some() {
            self.saturation.worklist.schedule(id);
        }
    }
}

fn rank(priority: &[u32], symbol: StackSymbol) -> u32 {
    priority.get(symbol.0 as usize).copied().unwrap_or(0)
}

impl_roots!([D: Weights<Weight: Roots>] PostStar<D> { saturation, history });
