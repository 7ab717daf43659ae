//! One round's failing run, judged: which of its transitions are correct, and which correct run is
//! closest to it.
//!
//! The kernel of the check finds which transitions are correct: post\* goes on to its end, and then
//! a walk goes back from the correct end. If post\* takes more steps than the check took, it
//! pauses, and a look ahead judges each transition ([`ForwardJudgement`]). If that leaves something
//! open, post\* goes on. If post\* grows very large, longer looks ahead are tried. After that comes
//! the search for the correct run that is closest to the failing one. It may need a program and a
//! kernel of its own. It comes earlier if causes are still not known.

mod comparing;

use super::correct::CorrectTransitions;
use super::correct_run::{CloseRunSearch, ClosestRunSearch, CorrectRun, collect_if_due, passes};
use super::forward_judgement::{ForwardJudgement, Judgement};
use super::refined::{RefinedQuestion, RefinedSearch};
use super::supergraph::SuperEdge;
use super::trace::Transition;
use crate::analysis::budgets::Budgets;
use crate::analysis::cegar::as_program::AsProgram;
use crate::analysis::reach::Reach;
use crate::analysis::replay::ReplayedRun;
use crate::bdd::{Bdd, KernelLimits, Roots};
use crate::lang::model::{EdgeId, Program};
use crate::util::{Alarm, Bounded, Limit, Stage};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The kernel steps that post\* and the way back may take before anything else is tried: as many as
/// the check took, but at least this number.
const AT_FIRST: u64 = 5_000;

/// The kernel steps for looks ahead: those that the check took, and this number for each edge of
/// the program in addition. The work before the first step, for rules and weights, grows with the
/// program as well.
const AHEAD: u64 = 3_000;
const AHEAD_FOR_EACH_EDGE: u64 = 20;

/// The same for a second look ahead, after post\* has grown very large.
const AHEAD_AGAIN: u64 = 2_000_000;

/// The longest failing run, in transitions, that looks ahead are tried on.
const LONGEST_AHEAD: usize = 4_000;

/// The kernel steps, in addition to those of the check, that post\* may take after looks ahead, and
/// that the way back may take after post\*. Then they pause.
const AT_ONCE: u64 = 8_000_000;

/// Some pieces of work cannot pause. Such a piece ends at this many times the steps for its part.
/// If post\* is needed afterwards, it starts anew.
const WHOLE: u64 = 4;

/// A transition of a failing run, and whether correct runs take it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Which.
    pub transition: Transition,
    /// Does some correct run take its edge?
    pub edge_is_correct: bool,
    /// Does some correct run take its edge with the same states?
    pub is_correct: bool,
}

/// What is asked of a round.
pub struct Question {
    /// The program without halts.
    pub program: Rc<Program>,
    /// The program with the halts of earlier rounds, on which the check ran.
    pub halted: Rc<Program>,
    /// The halts.
    pub halts: BTreeSet<SuperEdge>,
    /// Only errors on this line count, if given.
    pub error_line: Option<u32>,
    /// Does the abstraction with which the loop of refinement ends judge the edges?
    pub refined: bool,
    /// The failing run.
    pub run: ReplayedRun,
    /// Its last statement, and which of its checks fails.
    pub failing: (EdgeId, usize),
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// The budgets of this round, its check included.
    pub budgets: Budgets,
    /// The flag that ends long operations.
    pub alarm: Option<Alarm>,
}

/// What is known of a failing run.
pub struct RunJudgement {
    /// The question.
    pub question: Question,
    /// Its transitions, as far as they were judged.
    pub judged: Vec<Judged>,
    /// The closest correct run, or a close one; `None` if no run is correct; or the limit that
    /// ended the search.
    pub correct: Bounded<Option<CorrectRun>>,
    /// The abstraction for the next round.
    pub abstraction: Option<Rc<AsProgram>>,
}

/// A failing run that is being judged.
pub struct Judging {
    question: Question,
    /// Kernel steps of the check.
    checked: u64,
    /// The kernel of the check.
    reach: Reach,
    way: Way,
    /// The work that is done while the way pauses.
    aside: Option<Aside>,
    /// The kernel's steps at which the way pauses. `None`: it goes on to its end.
    pause_at: Option<u64>,
    /// Did a limit end the way in the middle of a step? Then the way cannot go on.
    cut: bool,
    /// How many more looks ahead are allowed when post\* pauses.
    looks_ahead: u8,
    judged: Vec<Judged>,
    known: BTreeMap<SuperEdge, bool>,
    correct: Bounded<Option<CorrectRun>>,
    abstraction: Option<Rc<AsProgram>>,
    /// Kernel steps of searches that are over, in kernels of their own.
    steps_elsewhere: u64,
    contradiction: Option<&'static str>,
    done: bool,
}

/// The way through the kernel of the check.
enum Way {
    /// post\* goes on.
    Forward,
    /// The walk back from the correct end.
    Backward(CorrectTransitions),
    /// The judgement of the transitions, one by one.
    Judging(CorrectTransitions, usize),
}

/// The work that is done while the way pauses.
enum Aside {
    /// A look ahead.
    Forward(Box<ForwardJudgement>),
    /// The searches for a correct run come next.
    Compare,
    /// The interpreter's search for a correct run close to the failing one.
    Close(Box<CloseRunSearch>),
    /// The search for the closest correct run.
    Closest(Box<ClosestRunSearch>),
    /// The search for correct edges by a refined abstraction.
    Refined(Box<RefinedSearch>),
}

impl Roots for Way {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Way::Forward => {}
            Way::Backward(correct) | Way::Judging(correct, _) => correct.roots(roots),
        }
    }
}

impl Aside {
    /// The steps in a kernel of its own.
    fn steps(&self) -> u64 {
        match self {
            Aside::Closest(search) => search.steps(),
            Aside::Refined(search) => search.steps(),
            Aside::Forward(_) | Aside::Compare | Aside::Close(_) => 0,
        }
    }
}

impl Judging {
    /// Begins in the kernel of the check. `abstraction`: the abstraction of an earlier round, if
    /// there is one.
    pub fn new(question: Question, reach: Reach, abstraction: Option<Rc<AsProgram>>) -> Judging {
        let checked = reach.domain.kernel.steps();
        let refined = question.refined;
        let mut judging = Judging {
            question,
            checked,
            reach,
            way: Way::Forward,
            aside: refined.then_some(Aside::Compare),
            pause_at: None,
            cut: false,
            looks_ahead: 2,
            judged: Vec::new(),
            known: BTreeMap::new(),
            correct: if refined { Ok(None) } else { Err(Limit::Steps) },
            abstraction,
            steps_elsewhere: 0,
            contradiction: None,
            done: false,
        };
        if !refined {
            judging.begin_with(AT_FIRST.max(checked));
        }
        judging
    }

    /// Does one bounded piece of work, and returns whether the judgement is over.
    pub fn step(&mut self) -> Bounded<bool> {
        if self.done {
            return Ok(true);
        }
        match self.aside.take() {
            None => self.step_way()?,
            Some(Aside::Forward(ahead)) => self.look_ahead(ahead)?,
            Some(Aside::Compare) => self.compare()?,
            Some(Aside::Close(close)) => self.seek_close(close)?,
            Some(Aside::Closest(search)) => self.seek_closest(search)?,
            Some(Aside::Refined(search)) => self.step_refined(search)?,
        }
        Ok(self.done)
    }

    /// Ends the judgement for a limit. A correct run that was found stays.
    pub fn stop(&mut self, limit: Limit) {
        if self.done {
            return;
        }
        let comparing =
            matches!(self.aside, Some(Aside::Compare | Aside::Close(_) | Aside::Closest(_)));
        if comparing || self.pause_at.is_some() {
            self.closest_stays_open(limit);
        }
        self.leave_aside();
        if !self.all_are_judged() {
            self.judged.clear();
        }
        self.done = true;
    }

    /// The contradiction in the results, if there is one.
    pub fn contradiction(&self) -> Option<&'static str> {
        self.contradiction
    }

    /// Is every transition judged?
    pub fn all_are_judged(&self) -> bool {
        !self.judged.is_empty() && self.nothing_is_left()
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Kernel steps of the check, and of everything beyond that.
    pub fn steps(&self) -> (u64, u64) {
        let all = self.all_steps();
        (self.checked, all - self.checked.min(all))
    }

    /// The kernel of the check.
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The stage of the work, for progress reports.
    pub fn stage(&self) -> Stage {
        match (&self.aside, &self.way) {
            _ if self.done => Stage::Done,
            (Some(Aside::Forward(_)), _) => Stage::Ahead,
            (Some(Aside::Compare | Aside::Close(_)), _) => Stage::Close,
            (Some(Aside::Closest(_)), _) => Stage::Closest,
            (Some(Aside::Refined(_)), _) => Stage::Refined,
            (None, Way::Forward) => Stage::Forward,
            (None, Way::Backward(_)) => Stage::Backward,
            (None, Way::Judging(..)) => Stage::Judging,
        }
    }

    /// What is known of the run.
    pub fn into_judgement(self) -> RunJudgement {
        let Judging { question, judged, correct, abstraction, .. } = self;
        RunJudgement { question, judged, correct, abstraction }
    }

    fn all_steps(&self) -> u64 {
        let aside = self.aside.as_ref().map_or(0, Aside::steps);
        self.steps_elsewhere + aside + self.reach.domain.kernel.steps()
    }

    fn steps_left(&self) -> u64 {
        self.question.budgets.max_steps.saturating_sub(self.all_steps())
    }

    /// Is no transition left to judge? A run whose first statement fails has none.
    fn nothing_is_left(&self) -> bool {
        self.judged.len() == self.question.transitions.len()
    }

    fn leave_aside(&mut self) {
        self.steps_elsewhere += self.aside.take().map_or(0, |aside| aside.steps());
    }

    fn contradicted(&mut self, how: &'static str) {
        self.contradiction = Some(how);
        self.done = true;
    }

    /// Begins a part that runs in the kernel of the check and pauses after so many steps.
    fn begin_with(&mut self, steps: u64) {
        self.allow(WHOLE.saturating_mul(steps));
        self.pause_at = Some(self.reach.domain.kernel.steps().saturating_add(steps));
    }

    /// Lets the kernel of the check take this many more steps, if the budget has them.
    fn allow(&mut self, steps: u64) {
        let steps = steps.min(self.steps_left());
        let kernel = &mut self.reach.domain.kernel;
        let max_steps = kernel.steps().saturating_add(steps);
        kernel.set_limits(KernelLimits { max_nodes: self.question.budgets.max_nodes, max_steps });
    }

    /// Does one piece of the way. The way may pause after it.
    fn step_way(&mut self) -> Bounded<()> {
        if self.pause_at.is_none() {
            return self.go_on();
        }
        match self.go_on() {
            // The time of the driver's clock has passed, so nothing else is tried.
            Err(Limit::Time) => Err(Limit::Time),
            Err(_) => {
                self.cut = true;
                self.pause()
            }
            // When transitions are judged one by one, the rest takes less than any other search.
            Ok(()) if matches!(self.way, Way::Judging(..)) => Ok(()),
            Ok(()) if self.pause_at.is_some_and(|at| self.reach.domain.kernel.steps() > at) => {
                self.pause()
            }
            Ok(()) => Ok(()),
        }
    }

    /// One piece of post\*, of the walk back from the correct end, or of the judgement.
    fn go_on(&mut self) -> Bounded<()> {
        match &mut self.way {
            Way::Forward => {
                if !self.reach.is_done() {
                    self.reach.step()?;
                }
                if self.reach.is_done() {
                    if self.pause_at.is_some() {
                        self.begin_with(AT_ONCE.saturating_add(self.checked));
                    }
                    self.begin_backward()?;
                }
            }
            Way::Backward(correct) => {
                if correct.step(&mut self.reach)?
                    && let Way::Backward(correct) = std::mem::replace(&mut self.way, Way::Forward)
                {
                    self.way = Way::Judging(correct, 0);
                }
            }
            Way::Judging(correct, next) => match self.question.transitions.get(*next) {
                Some(transition) => {
                    let judged = judge(&mut self.reach, correct, &mut self.known, transition)?;
                    *next += 1;
                    self.judged.push(judged);
                }
                None if self.pause_at.is_some() => {
                    self.begin_comparing();
                    return Ok(());
                }
                None => {
                    self.end();
                    return Ok(());
                }
            },
        }
        collect_if_due(&mut self.reach, &self.way);
        Ok(())
    }

    /// Pauses post\* or the walk back, which have used up their steps.
    fn pause(&mut self) -> Bounded<()> {
        // The walk back takes less than post\* did, and looks ahead are meant for an incomplete
        // post\*.
        if self.looks_ahead == 0 || !matches!(self.way, Way::Forward) {
            self.begin_comparing();
            return Ok(());
        }
        self.looks_ahead -= 1;
        let for_edges =
            AHEAD_FOR_EACH_EDGE.saturating_mul(self.question.program.edges.len() as u64);
        let steps =
            if self.looks_ahead == 0 { AHEAD_AGAIN } else { AHEAD.saturating_add(for_edges) };
        self.begin_with(steps.saturating_add(self.checked));
        let Question { transitions, failing: (edge, check), .. } = &self.question;
        if transitions.len() > LONGEST_AHEAD {
            return self.go_on_after_looks();
        }
        let ahead = ForwardJudgement::new(&self.reach.program, *edge, *check, transitions);
        self.aside = Some(Aside::Forward(Box::new(ahead)));
        Ok(())
    }

    /// Looks ahead have left something open, so post\* and the walk back go on.
    fn go_on_after_looks(&mut self) -> Bounded<()> {
        self.judged.clear();
        if std::mem::take(&mut self.cut) {
            self.begin_poststar()?;
        }
        self.begin_with(AT_ONCE.saturating_add(self.checked));
        Ok(())
    }

    fn look_ahead(&mut self, mut ahead: Box<ForwardJudgement>) -> Bounded<()> {
        match ahead.step(&mut self.reach) {
            // The time of the driver's clock has passed, so nothing else is tried.
            Err(Limit::Time) => Err(Limit::Time),
            Ok(Some(Judgement::Decided(decided))) => {
                self.judged = all_judged(&self.question.transitions, decided);
                self.begin_comparing();
                Ok(())
            }
            Ok(None) if self.pause_at.is_none_or(|at| self.reach.domain.kernel.steps() <= at) => {
                self.aside = Some(Aside::Forward(ahead));
                Ok(())
            }
            Ok(_) | Err(_) => {
                collect_if_due(&mut self.reach, &self.way);
                self.go_on_after_looks()
            }
        }
    }

    /// Takes over the judgement of all transitions, which needed no post\*.
    fn decided(&mut self, decided: Vec<(bool, bool)>) {
        self.judged = all_judged(&self.question.transitions, decided);
        self.end();
    }

    /// Goes on with post\*, or with what replaces it.
    fn begin_rest(&mut self) -> Bounded<()> {
        if self.question.refined {
            return self.begin_refined();
        }
        self.leave_aside();
        self.judged.clear();
        if std::mem::take(&mut self.cut) {
            self.begin_poststar()?;
        } else {
            self.allow(u64::MAX);
        }
        if self.reach.is_done() { self.begin_backward() } else { Ok(()) }
    }

    /// Starts post\* anew, after it was ended in the middle of a step.
    fn begin_poststar(&mut self) -> Bounded<()> {
        self.steps_elsewhere += self.reach.domain.kernel.steps();
        self.way = Way::Forward;
        let Question { halted, error_line, budgets, alarm, .. } = &self.question;
        let steps = budgets.max_steps.saturating_sub(self.steps_elsewhere);
        self.reach =
            budgets.with_steps(steps).reach(Rc::clone(halted), *error_line, alarm.clone())?;
        Ok(())
    }

    /// post\* is complete: begins the walk back, or goes on with it.
    fn begin_backward(&mut self) -> Bounded<()> {
        self.way = match std::mem::replace(&mut self.way, Way::Forward) {
            Way::Backward(correct) | Way::Judging(correct, _) => Way::Backward(correct),
            Way::Forward => {
                let (edge, check) = self.question.failing;
                Way::Backward(CorrectTransitions::new(&mut self.reach, edge, check)?)
            }
        };
        Ok(())
    }

    fn begin_refined(&mut self) -> Bounded<()> {
        self.leave_aside();
        let budgets = self.question.budgets.with_steps(self.steps_left());
        let Question { program, error_line, halts, failing, transitions, alarm, .. } =
            &self.question;
        let question = RefinedQuestion {
            program: Rc::clone(program),
            error_line: *error_line,
            halts: halts.clone(),
            failing: *failing,
            edges: transitions.iter().map(|transition| transition.edge).collect(),
            budgets,
            alarm: alarm.clone(),
        };
        let search = RefinedSearch::new(question, self.abstraction.clone())?;
        self.aside = Some(Aside::Refined(Box::new(search)));
        Ok(())
    }

    fn step_refined(&mut self, mut search: Box<RefinedSearch>) -> Bounded<()> {
        let answer = search.step();
        if let Ok(Some(_)) = answer {
            self.abstraction = search.abstraction();
        }
        self.aside = Some(Aside::Refined(search));
        if let Some(correct) = answer? {
            self.decided(correct.into_iter().map(|correct| (correct, correct)).collect());
        }
        Ok(())
    }

    /// Ends the judgement: every transition is judged, and no search is left.
    fn end(&mut self) {
        self.leave_aside();
        self.done = true;
        if let Ok(Some(run)) = &self.correct
            && let Err(how) = self.agrees(run)
        {
            self.contradicted(how);
        }
    }

    /// Are the transitions that a correct run takes, as the interpreter executed it, all judged
    /// correct?
    fn agrees(&self, run: &CorrectRun) -> Result<(), &'static str> {
        let agrees = |(judged, (edge, transition)): (&Judged, &(bool, bool))| {
            (judged.edge_is_correct || !*edge) && (judged.is_correct || !*transition)
        };
        match passes(&self.question.halted, run, &self.question.transitions) {
            Some(passes) if self.judged.iter().zip(&passes).all(agrees) => Ok(()),
            Some(_) => Err("a correct run passes what is said to be incorrect"),
            None => Err("a correct run could not be replayed"),
        }
    }
}

/// Combines the transitions with the decisions about their edges and about themselves.
fn all_judged(transitions: &[Transition], decided: Vec<(bool, bool)>) -> Vec<Judged> {
    let judged = |(transition, (edge_is_correct, is_correct)): (&Transition, (bool, bool))| {
        Judged { transition: transition.clone(), edge_is_correct, is_correct }
    };
    transitions.iter().zip(decided).map(judged).collect()
}

/// Judges one transition; `known`: the edges that are judged already.
fn judge(
    reach: &mut Reach,
    correct: &mut CorrectTransitions,
    known: &mut BTreeMap<SuperEdge, bool>,
    transition: &Transition,
) -> Bounded<Judged> {
    // A correct transition's edge is correct as well.
    let of_edge = known.get(&transition.edge).copied();
    let is_correct = of_edge != Some(false) && correct.has(reach, transition)?;
    let edge_is_correct = match of_edge {
        _ if is_correct => true,
        Some(known) => known,
        None => correct.has_edge(reach, transition.edge)?,
    };
    known.insert(transition.edge, edge_is_correct);
    Ok(Judged { transition: transition.clone(), edge_is_correct, is_correct })
}
