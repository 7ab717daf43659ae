//! Correct transitions one by one, before post\* of the whole program is made: a bounded try.

use super::closest::collect_if_large;
use super::{Budgets, CorrectRun};
use crate::analysis::localize::asked::END_LINE;
use crate::analysis::localize::closest::{ClosestRun, replay_correct};
use crate::analysis::localize::nearby::{Nearby, Onward, OnwardSearch};
use crate::analysis::localize::supergraph::SuperEdge;
use crate::analysis::localize::trace::{Transition, transitions_of_prefix};
use crate::analysis::reach::Reach;
use crate::analysis::shortest_run::{Shortest, ShortestRun};
use crate::bdd::{Bdd, KernelLimits};
use crate::lang::model::{EdgeId, Program};
use crate::util::{Bounded, Limit};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The question at hand.
enum Asking {
    /// A correct run through an edge, or through the n-th transition.
    Through(Result<SuperEdge, usize>, Box<ShortestRun>),
    /// What lies behind the n-th transition.
    Onward(usize, Box<OnwardSearch>),
}

/// A try in progress, in a kernel of its own.
pub(super) struct NearbySearch {
    halted: Rc<Program>,
    nearby: Nearby,
    reach: Reach,
    end: Option<(EdgeId, usize)>,
    /// The failing run's.
    transitions: Vec<Transition>,
    edges: BTreeMap<SuperEdge, Option<bool>>,
    known: Vec<Option<bool>>,
    looked: BTreeSet<usize>,
    asking: Option<Asking>,
    collect_above: u64,
    always_collect: bool,
}

/// What a try came to.
pub(super) enum Tried {
    /// By transition: is its edge correct, and is it?
    Decided(Vec<(bool, bool)>),
    /// Some cannot be asked for.
    Open,
    /// The interpreter contradicts the engine.
    Fault,
}

impl NearbySearch {
    /// Sets up the try for the transitions of a failing run of the program with halts, given a correct run. `None` if that is no run.
    pub(super) fn new(
        halted: Rc<Program>,
        failing: (EdgeId, usize),
        transitions: Vec<Transition>,
        correct: &CorrectRun,
        budgets: Budgets,
        alarm: Option<Arc<AtomicBool>>,
    ) -> Bounded<Option<NearbySearch>> {
        let Some(on_correct) = on_run(&halted, correct) else { return Ok(None) };
        let mut edges: BTreeMap<SuperEdge, Option<bool>> = transitions.iter().map(|transition| (transition.edge, None)).collect();
        let mut known = vec![None; transitions.len()];
        settle(&on_correct, &transitions, &mut edges, &mut known);
        let doubted: BTreeSet<SuperEdge> = edges.iter().filter(|(_, known)| known.is_none()).map(|(edge, _)| *edge).collect();
        let asked: Vec<(Transition, bool)> = transitions.iter().cloned().zip(known.iter().map(Option::is_none)).collect();
        let nearby = Nearby::new(&halted, failing.0, failing.1, &doubted, &asked);
        let limits = KernelLimits { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps };
        let mut reach = Reach::new(Rc::clone(&nearby.program), Some(END_LINE), limits)?;
        reach.domain.kernel.set_alarm(alarm);
        reach.domain.kernel.poison(budgets.collect_every_step);
        let end = correct.passes_check.then_some(failing);
        Ok(Some(NearbySearch {
            halted,
            nearby,
            reach,
            end,
            transitions,
            edges,
            known,
            looked: BTreeSet::new(),
            asking: None,
            collect_above: 0,
            always_collect: budgets.collect_every_step,
        }))
    }

    /// One bounded piece of work.
    pub(super) fn step(&mut self) -> Bounded<Option<Tried>> {
        let Some(asking) = &mut self.asking else { return self.next() };
        match asking {
            Asking::Onward(k, search) => {
                if let Some(onward) = search.step(&mut self.reach)? {
                    // The failing run itself comes to the transition.
                    self.known[*k] = match onward {
                        Onward::Correct => Some(true),
                        Onward::Nothing => Some(false),
                        Onward::Exit => None,
                    };
                    if onward == Onward::Correct {
                        self.edges.insert(self.transitions[*k].edge, Some(true));
                    }
                    self.asking = None;
                }
            }
            Asking::Through(what, search) => match search.step(&mut self.reach)? {
                None => {}
                Some(Shortest::None) => {
                    match *what {
                        Ok(edge) => {
                            self.edges.insert(edge, Some(false));
                            for (transition, known) in self.transitions.iter().zip(&mut self.known) {
                                if transition.edge == edge {
                                    *known = Some(false);
                                }
                            }
                        }
                        Err(k) => self.known[k] = Some(false),
                    }
                    self.asking = None;
                }
                Some(Shortest::Run(found)) => {
                    let what = *what;
                    let run = self.nearby.read(&found);
                    let correct = ClosestRun { run, shared: None };
                    let Some(_) = replay_correct(&self.halted, &correct, self.end) else { return Ok(Some(Tried::Fault)) };
                    let correct = CorrectRun {
                        entries: Vec::new(),
                        run: correct.run,
                        passes_check: self.end.is_some(),
                        shared: None,
                        closest: Err(Limit::Steps),
                    };
                    let Some(on_correct) = on_run(&self.halted, &correct) else { return Ok(Some(Tried::Fault)) };
                    settle(&on_correct, &self.transitions, &mut self.edges, &mut self.known);
                    let settled = match what {
                        Ok(edge) => self.edges.get(&edge) == Some(&Some(true)),
                        Err(k) => self.known[k] == Some(true),
                    };
                    if !settled {
                        return Ok(Some(Tried::Fault));
                    }
                    self.asking = None;
                }
            },
        }
        let asking = &self.asking;
        let roots = |roots: &mut Vec<Bdd>| match asking {
            Some(Asking::Onward(_, search)) => search.roots(roots),
            Some(Asking::Through(_, search)) => search.roots(roots),
            None => {}
        };
        collect_if_large(&mut self.reach, roots, &mut self.collect_above, self.always_collect);
        Ok(None)
    }

    /// The next question: what lies behind the last open transitions, then runs through edges, then runs through transitions.
    fn next(&mut self) -> Bounded<Option<Tried>> {
        let open = |known: &[Option<bool>], k: usize| known[k].is_none();
        if let Some(k) = (0..self.known.len()).rev().find(|k| open(&self.known, *k) && !self.looked.contains(k)) {
            self.looked.insert(k);
            let search = self.nearby.onward(&mut self.reach, &self.transitions[k])?;
            self.asking = Some(Asking::Onward(k, Box::new(search)));
            return Ok(None);
        }
        if let Some((edge, _)) = self.edges.iter().find(|(_, known)| known.is_none()) {
            let Some(marks) = self.nearby.marks_of_edge(*edge) else { return Ok(Some(Tried::Open)) };
            let search = ShortestRun::new(&mut self.reach, &[marks.to_vec()], None)?;
            self.asking = Some(Asking::Through(Ok(*edge), Box::new(search)));
            return Ok(None);
        }
        let Some(k) = (0..self.known.len()).find(|k| open(&self.known, *k)) else {
            let edge = |transition: &Transition| self.edges.get(&transition.edge) == Some(&Some(true));
            let decided = self.transitions.iter().zip(&self.known).map(|(transition, known)| (edge(transition), *known == Some(true)));
            return Ok(Some(Tried::Decided(decided.collect())));
        };
        let Some(mark) = self.nearby.mark_of_transition(k) else { return Ok(Some(Tried::Open)) };
        let search = ShortestRun::new(&mut self.reach, &[vec![mark]], None)?;
        self.asking = Some(Asking::Through(Err(k), Box::new(search)));
        Ok(None)
    }

    /// Kernel steps so far.
    pub(super) fn steps(&self) -> u64 {
        self.reach.domain.kernel.steps()
    }
}

/// By transition of a failing run: is it, or its edge, on this correct run? `None` if that is no run of the program.
pub(super) fn settled_by(program: &Program, correct: &CorrectRun, transitions: &[Transition]) -> Option<Vec<(bool, bool)>> {
    let on_correct = on_run(program, correct)?;
    let mut edges: BTreeMap<SuperEdge, Option<bool>> = transitions.iter().map(|transition| (transition.edge, None)).collect();
    let mut known = vec![None; transitions.len()];
    settle(&on_correct, transitions, &mut edges, &mut known);
    let edge = |transition: &Transition| edges.get(&transition.edge) == Some(&Some(true));
    Some(transitions.iter().zip(known).map(|(transition, known)| (edge(transition), known == Some(true))).collect())
}

/// The transitions of a correct run.
fn on_run(program: &Program, correct: &CorrectRun) -> Option<Vec<Transition>> {
    let statements = correct.run.steps.len().saturating_sub(usize::from(correct.passes_check));
    transitions_of_prefix(program, &correct.run, statements)
}

/// What is on a correct run is correct.
fn settle(
    on_correct: &[Transition],
    transitions: &[Transition],
    edges: &mut BTreeMap<SuperEdge, Option<bool>>,
    known: &mut [Option<bool>],
) {
    let mut by_edge: BTreeMap<SuperEdge, Vec<&Transition>> = BTreeMap::new();
    for transition in on_correct {
        by_edge.entry(transition.edge).or_default().push(transition);
    }
    for (edge, known) in edges.iter_mut() {
        if by_edge.contains_key(edge) {
            *known = Some(true);
        }
    }
    for (transition, known) in transitions.iter().zip(known) {
        if by_edge.get(&transition.edge).is_some_and(|same| same.contains(&transition)) {
            *known = Some(true);
        }
    }
}
