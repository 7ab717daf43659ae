//! Judges the transitions of a failing run by forward searches: from the configuration behind a
//! transition, is the correct end still reached?
//!
//! A transition is correct iff some correct run takes it. The searches need no post\* of the whole
//! program and run in the kernel of the check that found the failing run. A run is *saved* behind a
//! transition if it can go on from there to the correct end.
//!
//! Phases:
//!
//! 1. The run's own stack of calls. A run that is saved behind a transition is saved behind all
//!    earlier ones. So a few searches, from the run's end backwards, find the last transition
//!    behind which this run is saved. All transitions up to it are correct.
//! 2. Behind that transition nothing saves this stack. In the first frame this decides: the
//!    transition is incorrect. In a callee other callers may save it. If the correct end is not
//!    reached behind the transition for any callers and any values of their locals, the transition
//!    is incorrect, too.
//! 3. Otherwise the program's start is searched for a correct run that takes the transition, first
//!    for one that takes all undecided transitions of the frame before it as well.
//! 4. Edges that have no correct transition so far. An edge is incorrect if the correct end is not
//!    reached behind it from any store. Otherwise the program's start is searched for a correct run
//!    over the edge.
//!
//! All searches prefer configurations that are near the end in the control-flow graph. Those of
//! phases 1 and 2 take short runs first. Those from the program's start are greedy, because their
//! runs are long and have another stack of calls.
//!
//! Not in Ball, Naik, Rajamani 2003, whose sets of correct transitions need post\* of the whole
//! program ([`super::correct`]). `tests/oracle/causes.rs` compares both.

mod end_search;
mod trail;

use self::end_search::{CorrectEnd, EndSearch, mark_of, mark_on, now, over};
use self::trail::Trail;
use super::correct::none_passes;
use super::supergraph::SuperEdge;
use super::trace::Transition;
use crate::analysis::reach::Reach;
use crate::lang::model::{Edge, EdgeId, Operation, Program};
use crate::util::Bounded;
use std::collections::BTreeMap;

/// The outcome of all searches.
pub enum Judgement {
    /// By transition of the failing run: is its edge on a correct run, and is the transition?
    Decided(Vec<(bool, bool)>),
    /// Some transitions cannot be decided by forward searches.
    Open,
}

/// The judgement of a failing run's transitions, in progress.
pub struct ForwardJudgement {
    goal: CorrectEnd,
    /// Does some statement call main? Then the first frame may have callers.
    main_is_called: bool,
    trail: Trail,
    /// By transition: is it correct? `None`: not decided.
    known: Vec<Option<bool>>,
    /// By edge of the failing run: is some transition of it correct? `None`: not decided.
    edges: BTreeMap<SuperEdge, Option<bool>>,
    /// The run is not saved behind the transitions from this one on.
    lost: usize,
    /// The last transition behind which the run is known to be saved.
    saved: Option<usize>,
    /// How far before `lost` the next search starts, until one succeeds.
    stride: usize,
    /// Is phase 1 over, and what follows from it noted in `known`?
    settled: bool,
    /// The search in progress, and the question that it answers.
    question: Option<(Question, EndSearch)>,
}

#[derive(Clone, Copy)]
enum Question {
    /// Is the failing run saved behind its k-th transition?
    Saved(usize),
    /// Is the correct end reached behind this subject, for some callers?
    AnyCaller(Subject),
    /// Does some correct run take this subject?
    Through(Subject),
    /// Does some correct run take all of these transitions, one after the other in one frame and
    /// its callees?
    Along(usize, usize),
}

/// A transition or an edge that is judged.
#[derive(Clone, Copy)]
enum Subject {
    Transition(usize),
    Edge(SuperEdge),
}

impl ForwardJudgement {
    /// Sets up the judgement of the transitions of a failing run that violates the `check`-th check
    /// of `failing`.
    pub fn new(
        program: &Program,
        failing: EdgeId,
        check: usize,
        transitions: &[Transition],
    ) -> ForwardJudgement {
        let main = program.main_id();
        let calls_main = |edge: &Edge| matches!(edge.operation, Operation::Call { callee, .. } if callee == main);
        let ends_with_program = none_passes(program, failing, check);
        ForwardJudgement {
            goal: match ends_with_program {
                true => CorrectEnd::Program,
                false => CorrectEnd::Passes(failing, check),
            },
            main_is_called: program.edges.iter().any(calls_main),
            trail: Trail::new(program, transitions),
            known: vec![None; transitions.len()],
            edges: transitions.iter().map(|transition| (transition.edge, None)).collect(),
            lost: transitions.len(),
            saved: None,
            stride: 1,
            settled: false,
            question: None,
        }
    }

    /// One bounded piece of work; returns the judgement once it is complete.
    ///
    /// The judgement holds diagrams that it does not list as roots: the caller must not collect
    /// garbage between two steps.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Option<Judgement>> {
        let Some((question, search)) = &mut self.question else { return self.next(reach) };
        let Some(is_reached) = search.step(reach)? else { return Ok(None) };
        let question = *question;
        self.question = None;
        match (question, is_reached) {
            (Question::Saved(k), true) => self.saved = Some(k),
            (Question::Saved(k), false) => self.lost = k,
            (Question::AnyCaller(subject), true) => return self.search_from_start(reach, subject),
            (Question::AnyCaller(subject), false) => self.decide(subject, false),
            (Question::Along(from, to), true) => {
                (from..=to).for_each(|k| self.known[k] = Some(true))
            }
            (Question::Along(_, to), false) => {
                return self.search_through(reach, Subject::Transition(to));
            }
            // The question was about the return before the transition.
            (Question::Through(Subject::Transition(k)), _) if self.continues_open_return(k) => {
                self.known[k - 1] = Some(is_reached);
                self.known[k] = is_reached.then_some(true);
            }
            (Question::Through(subject), _) => self.decide(subject, is_reached),
        }
        Ok(None)
    }

    /// Starts the next search, or returns the judgement if nothing is left to ask.
    fn next(&mut self, reach: &mut Reach) -> Bounded<Option<Judgement>> {
        if let Some(k) = self.next_of_own_stack() {
            let search = EndSearch::behind(reach, self.goal, &self.trail, k)?;
            self.question = Some((Question::Saved(k), search));
            return Ok(None);
        }
        if !std::mem::replace(&mut self.settled, true) {
            self.settle();
        }
        if let Some(k) = (0..self.known.len()).rev().find(|k| self.known[*k].is_none()) {
            let stores = now(reach, &self.trail.transitions[k].after)?;
            let from = self.trail.positions[k].location;
            let search = EndSearch::for_any_caller(reach, self.goal, from, stores)?;
            self.question = Some((Question::AnyCaller(Subject::Transition(k)), search));
            return Ok(None);
        }
        for (transition, known) in self.trail.transitions.iter().zip(&self.known) {
            if *known == Some(true) {
                self.edges.insert(transition.edge, Some(true));
            }
        }
        if let Some((edge, _)) = self.edges.iter().find(|(_, known)| known.is_none()) {
            let edge = *edge;
            let (from, stores) = over(reach, edge)?;
            let search = EndSearch::for_any_caller(reach, self.goal, from, stores)?;
            self.question = Some((Question::AnyCaller(Subject::Edge(edge)), search));
            return Ok(None);
        }
        let is = |known: Option<&Option<bool>>| known == Some(&Some(true));
        let decided = self.trail.transitions.iter().zip(&self.known);
        let decided = decided
            .map(|(transition, known)| (is(self.edges.get(&transition.edge)), is(Some(known))));
        Ok(Some(Judgement::Decided(decided.collect())))
    }

    /// Phase 1: the next transition behind which the run's own stack is searched. The distance from
    /// the run's end doubles until a search succeeds; then the interval is halved.
    fn next_of_own_stack(&mut self) -> Option<usize> {
        let first = self.saved.map_or(0, |saved| saved + 1);
        if first >= self.lost {
            return None;
        }
        let k = match self.saved {
            Some(_) => first + (self.lost - first) / 2,
            None => self.lost.saturating_sub(self.stride),
        };
        self.stride = self.stride.saturating_mul(2);
        Some(k)
    }

    /// Notes what follows once the last transition is known behind which the run is saved.
    fn settle(&mut self) {
        let transitions = &self.trail.transitions;
        let mut correct: BTreeMap<SuperEdge, Vec<usize>> = BTreeMap::new();
        for (k, transition) in transitions.iter().enumerate().take(self.lost) {
            self.known[k] = Some(true);
            self.edges.insert(transition.edge, Some(true));
            correct.entry(transition.edge).or_default().push(k);
        }
        for k in self.lost..self.known.len() {
            let transition = &transitions[k];
            let same = correct
                .get(&transition.edge)
                .is_some_and(|all| all.iter().any(|j| transitions[*j] == *transition));
            self.known[k] = match same {
                true => Some(true),
                // In the first frame the state is the whole configuration.
                false => (self.trail.positions[k].caller.is_none() && !self.main_is_called)
                    .then_some(false),
            };
        }
    }

    fn decide(&mut self, subject: Subject, is_correct: bool) {
        match subject {
            Subject::Transition(k) => self.known[k] = Some(is_correct),
            Subject::Edge(edge) => {
                self.edges.insert(edge, Some(is_correct));
            }
        }
    }

    /// Phase 3: some callers save the subject, but the program may not have them. Searches the
    /// program's start for a correct run that takes it, of a transition first for one that takes
    /// the open transitions of the frame before it as well.
    fn search_from_start(
        &mut self,
        reach: &mut Reach,
        subject: Subject,
    ) -> Bounded<Option<Judgement>> {
        let Subject::Transition(to) = subject else { return self.search_through(reach, subject) };
        let Some(from) = self.trail.passage_start(to, |j| self.known[j].is_none()) else {
            return self.search_through(reach, subject);
        };
        let search = EndSearch::along(reach, self.goal, &self.trail, from, to)?;
        self.question = Some((Question::Along(from, to), search));
        Ok(None)
    }

    /// Searches the program's start for a correct run that takes the subject.
    fn search_through(
        &mut self,
        reach: &mut Reach,
        subject: Subject,
    ) -> Bounded<Option<Judgement>> {
        let transitions = &self.trail.transitions;
        let mark = match subject {
            // Each run over the return goes on from the return site.
            Subject::Transition(k) if self.continues_open_return(k) => {
                mark_of(reach, &transitions[k - 1])?
            }
            Subject::Transition(k) => mark_of(reach, &transitions[k])?,
            Subject::Edge(edge) => Some(mark_on(reach, edge)),
        };
        let Some(mark) = mark else { return Ok(Some(Judgement::Open)) };
        let search = EndSearch::through(reach, self.goal, mark)?;
        self.question = Some((Question::Through(subject), search));
        Ok(None)
    }

    /// Is the transition the step from the return site of a return that is not decided either?
    fn continues_open_return(&self, k: usize) -> bool {
        self.trail.continues_return(k) && self.known[k - 1].is_none()
    }
}
