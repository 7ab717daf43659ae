//! A record of a saturation: every step, every change, and the reason of the change. With it the
//! automaton can be shown as it was after any step.
//!
//! Each change of a transition's weight is a new *version* of it. A derivation names the parts that
//! it was made of as ranges of versions. All of these are older than what was derived, so
//! derivations form a directed acyclic graph ([`super::Witness`]).

use super::automaton::PAutomaton;
use super::observer::{Derivation, Observer, Premise};
use crate::bdd::{Roots, impl_roots};

/// The kind of a saturation, which decides the direction in which rules and weights are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Star {
    /// post\*: automata are read backward, and a rule comes after what it is applied to.
    Post,
    /// pre\*: automata are read forward, and a rule comes before what it is applied to.
    Pre,
}

/// Some versions of a transition: those numbered `from` to `to - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Number of the transition.
    pub transition: u32,
    /// First version.
    pub from: u32,
    /// One more than the last version.
    pub to: u32,
}

/// One change of a transition's weight.
#[derive(Clone, Debug)]
pub struct Version<W> {
    /// The step in which it happened.
    pub step: u32,
    /// The number of the change among the changes of all transitions.
    pub moment: u32,
    /// The w in l := l ⊕ w.
    pub added: W,
    /// The weight from then on.
    pub whole: W,
    /// The derivation of the change.
    pub derivation: Derivation<Part>,
}

/// One step.
#[derive(Clone, Debug, Default)]
pub struct RecordedStep {
    /// The transition that the step looked at. `None` in step 0, which has everything that is there
    /// before the first look.
    pub looked_at: Option<u32>,
    /// The changed transitions, with the numbers of their new versions.
    pub changes: Vec<(u32, u32)>,
    /// The first transitions that wait after the step, in order.
    pub waiting: Vec<u32>,
    /// How many wait after the step.
    pub waiting_count: u32,
}

/// The most waiting transitions that a step lists.
const NAMED: usize = 24;

/// All steps of a saturation.
#[derive(Clone, Debug)]
pub struct Recording<W> {
    versions: Vec<Vec<Version<W>>>,
    /// By transition: the number of versions that it had when it was last looked at.
    passed_on: Vec<u32>,
    /// The part that the current step passes on.
    looked_at: Option<Part>,
    steps: Vec<RecordedStep>,
    moments: u32,
}

impl<W: Clone> Recording<W> {
    /// Begins with the given automaton of a saturation.
    pub fn new(given: &PAutomaton<W>) -> Recording<W> {
        let mut recording = Recording {
            versions: Vec::new(),
            passed_on: Vec::new(),
            looked_at: None,
            steps: vec![RecordedStep::default()],
            moments: 0,
        };
        for (id, weight) in (0u32..).zip(given.weights()) {
            recording.note(id, weight, weight, Derivation::Given);
        }
        recording
    }

    /// Notes which transitions wait. The caller does this after each step, and once before the
    /// first.
    pub fn waits(&mut self, waiting: impl Iterator<Item = u32>) {
        let Some(step) = self.steps.last_mut() else { return };
        step.waiting.clear();
        step.waiting_count = 0;
        for id in waiting {
            if step.waiting.len() < NAMED {
                step.waiting.push(id);
            }
            step.waiting_count += 1;
        }
    }

    /// All steps; the first is step 0.
    pub fn steps(&self) -> &[RecordedStep] {
        &self.steps
    }

    /// The number of changes in all steps.
    pub fn changes(&self) -> u32 {
        self.moments
    }

    /// A version, if there is one.
    pub fn version(&self, transition: u32, version: u32) -> Option<&Version<W>> {
        self.versions.get(transition as usize)?.get(version as usize)
    }

    /// The versions of a part, oldest first.
    pub fn part(&self, part: Part) -> &[Version<W>] {
        let all = self.versions.get(part.transition as usize).map_or(&[][..], Vec::as_slice);
        let to = (part.to as usize).min(all.len());
        &all[(part.from as usize).min(to)..to]
    }

    /// The versions that a transition had after a step (`None`: at the end). There are none if the
    /// transition was not there.
    pub fn until(&self, transition: u32, step: Option<u32>) -> Part {
        let all = self.versions.get(transition as usize).map_or(&[][..], Vec::as_slice);
        let to = step.map_or(all.len(), |step| all.partition_point(|version| version.step <= step));
        Part { transition, from: 0, to: to as u32 }
    }

    /// The automaton as it was after a step (`None`: at the end), from the automaton at the end.
    /// Transitions keep their numbers.
    pub fn automaton(&self, last: &PAutomaton<W>, step: Option<u32>) -> PAutomaton<W> {
        let mut automaton = PAutomaton::new(last.locations());
        while automaton.states() < last.states() {
            automaton.add_state();
        }
        for state in
            (0..last.states()).map(super::automaton::State).filter(|state| last.is_final(*state))
        {
            automaton.set_final(state);
        }
        for (id, transition) in (0u32..).zip(last.transitions()) {
            match self.part(self.until(id, step)).last() {
                Some(version) => _ = automaton.insert(*transition, version.whole.clone()),
                // Transitions are numbered as they appear, so all others come later.
                None => break,
            }
        }
        automaton
    }

    fn count(&self, transition: u32) -> u32 {
        self.versions.get(transition as usize).map_or(0, |versions| versions.len() as u32)
    }

    fn note(&mut self, transition: u32, added: &W, whole: &W, derivation: Derivation<Part>) {
        while self.versions.len() <= transition as usize {
            self.versions.push(Vec::new());
            self.passed_on.push(0);
        }
        let step = self.steps.len() as u32 - 1;
        let version = Version {
            step,
            moment: self.moments,
            added: added.clone(),
            whole: whole.clone(),
            derivation,
        };
        self.moments += 1;
        let versions = &mut self.versions[transition as usize];
        versions.push(version);
        let number = versions.len() as u32 - 1;
        if let Some(step) = self.steps.last_mut() {
            step.changes.push((transition, number));
        }
    }
}

impl<W: Clone> Observer<W> for Recording<W> {
    fn looks_at(&mut self, transition: u32) {
        let to = self.count(transition);
        let from = self.passed_on.get(transition as usize).copied().unwrap_or(0);
        self.looked_at = Some(Part { transition, from, to });
        if let Some(passed_on) = self.passed_on.get_mut(transition as usize) {
            *passed_on = to;
        }
        self.steps.push(RecordedStep { looked_at: Some(transition), ..RecordedStep::default() });
    }

    fn changes(&mut self, transition: u32, added: &W, whole: &W, derivation: Derivation<Premise>) {
        let part = |premise: Premise| match self.looked_at {
            Some(part) if !premise.whole && part.transition == premise.transition => part,
            _ => {
                Part { transition: premise.transition, from: 0, to: self.count(premise.transition) }
            }
        };
        let derivation = derivation.map(part);
        self.note(transition, added, whole, derivation);
        // What rounds of a loop add to the transition that is looked at is passed on with it.
        if let (Derivation::Rounds(_), Some(part)) = (derivation, &mut self.looked_at) {
            part.to += 1;
            self.passed_on[transition as usize] = part.to;
        }
    }
}

impl_roots!([W: Roots] Recording<W> { versions });
impl_roots!([W: Roots] Version<W> { added, whole });
