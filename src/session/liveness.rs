//! A formula, or termination, of a loaded program, in small steps.
//!
//! The stages: the search for an accepting run of the product (`product_search`) and the replay
//! of its lasso; or the refinement loop (`refining`). Where a run violates the formula, the
//! statements of all such runs come last; a limit there leaves the answer as it is. A run that
//! violates it in finitely many steps, and ends, is known before the search is over.

mod prepared;
mod product_search;
mod refining;

use super::{Budgets, Job, Proof};
use crate::analysis::liveness::automaton::Automaton;
use crate::analysis::liveness::lasso::Lasso;
use crate::analysis::liveness::parser::{FormulaError, Reading};
use crate::analysis::liveness::raw_program::RawProgram;
use crate::analysis::liveness::refinement::Refinement;
use crate::analysis::liveness::violating::{ViolatingStatements, missing, of_program};
use crate::analysis::reach::Reach;
use crate::bdd::roots_of;
use crate::lang::model::Program;
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use prepared::{Names, Prepared};
use product_search::{Answer, ProductSearch};
use refining::{Refined, Refining};
use std::rc::Rc;

/// The question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LivenessQuestion {
    /// Does every run satisfy this formula?
    Formula(String),
    /// Does every run end?
    Termination,
}

/// Why a question is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LivenessRefusal {
    /// The text is no formula about the program.
    Formula(FormulaError),
    /// The automaton of the formula would be too large.
    TooLarge,
    /// The program has threads.
    Threads,
    /// The start procedure is called.
    CalledMain,
}

/// The answer.
pub enum Verdict {
    /// Every run satisfies the formula.
    Holds(Proof),
    /// This run does not.
    Violated(Box<Lasso>),
    /// This limit was hit first.
    Unknown(Limit),
    /// A check contradicts the engine. This is a defect of Faultline, so there is no verdict.
    Fault(String),
}

/// The work under way.
enum Stages {
    /// The search for an accepting run of the product.
    Searching(Box<ProductSearch>),
    /// The refinement loop instead of it.
    Refining(Box<Refining>),
    /// The statements of all violating runs. The answer is known.
    Projecting(Box<Reach>, Box<ViolatingStatements>),
    /// Nothing is left to do.
    Over,
}

/// What is known of the statements of violating runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violating {
    /// By edge of the program: does some violating run execute it?
    Statements(Vec<bool>),
    /// This limit was hit first.
    Unknown(Limit),
}

/// The analysis of one question.
pub struct LivenessSession {
    program: Rc<Program>,
    question: Prepared,
    stages: Stages,
    verdict: Option<Verdict>,
    /// By edge of the program: does some run execute it? Known once post\* is.
    executed: Vec<bool>,
    violating: Option<Violating>,
    rounds: u64,
    steps: u64,
    /// The refinement loop, once it is over.
    refined: Option<Box<Refining>>,
    budgets: Budgets,
    alarm: Option<Alarm>,
}

impl LivenessSession {
    /// The same, but runs that violate the formula in finitely many steps are found like all
    /// others, once post\* is complete. To be asked for before the first step; for tests.
    #[must_use]
    pub fn without_early_end(mut self) -> LivenessSession {
        if matches!(self.stages, Stages::Searching(_)) {
            let product = Rc::clone(&self.question.product);
            let (options, alarm) = (self.question.options.clone(), self.alarm.clone());
            let search = ProductSearch::new(product, options, self.budgets, alarm, false);
            self.stages = Stages::Searching(Box::new(search));
        }
        self
    }

    /// Prepares the analysis of a program. `source` is its text, for labels. `fair`: only runs
    /// count on which no choice is for ever the same.
    pub fn new(
        program: Rc<Program>,
        source: &str,
        options: &EffectiveOptions,
        question: &LivenessQuestion,
        fair: bool,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Result<LivenessSession, LivenessRefusal> {
        let names = Names::Source(source);
        let question = Prepared::new(&program, names, options, question, fair)?;
        Ok(LivenessSession::of(program, question, budgets, alarm))
    }

    /// The same of a raw pushdown system, by its program.
    pub fn of_raw(
        raw: &RawProgram,
        options: &EffectiveOptions,
        question: &LivenessQuestion,
        fair: bool,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Result<LivenessSession, LivenessRefusal> {
        let names = Names::Atoms(&raw.atoms);
        let question = Prepared::new(&raw.program, names, options, question, fair)?;
        Ok(LivenessSession::of(Rc::clone(&raw.program), question, budgets, alarm))
    }

    fn of(
        program: Rc<Program>,
        question: Prepared,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> LivenessSession {
        let product = Rc::clone(&question.product);
        let options = question.options.clone();
        let search = ProductSearch::new(product, options, budgets, alarm.clone(), true);
        let is_empty = question.is_empty();
        LivenessSession {
            program,
            verdict: is_empty.then_some(Verdict::Holds(Proof::Checked)),
            stages: if is_empty { Stages::Over } else { Stages::Searching(Box::new(search)) },
            question,
            executed: Vec::new(),
            violating: None,
            rounds: 0,
            steps: 0,
            refined: None,
            budgets,
            alarm,
        }
    }

    /// The same by refinement: the product is abstracted, and refined at most so often (see
    /// [`crate::analysis::liveness::refinement`]). To be asked for before the first step. The
    /// statements of violating runs are then not looked for.
    #[must_use]
    pub fn refined(mut self, max_rounds: u32) -> LivenessSession {
        if self.is_over() {
            return self;
        }
        let alarm = self.alarm.clone();
        match Refining::new(&self.program, &self.question, self.budgets, max_rounds, alarm) {
            Ok(refining) => self.stages = Stages::Refining(Box::new(refining)),
            Err(limit) => self.conclude(Verdict::Unknown(limit)),
        }
        self
    }

    /// The same with the weakest interpolants, to be looked at.
    #[must_use]
    pub fn explained(mut self) -> LivenessSession {
        if let Stages::Refining(refining) = &mut self.stages {
            refining.refinement_mut().explain();
        }
        self
    }

    /// The refinement loop, once it is over; `None` if it was not asked for.
    pub fn refinement(&self) -> Option<&Refinement> {
        Some(self.refined.as_ref()?.refinement())
    }

    /// The same, to read formulas over its abstraction.
    pub fn refinement_mut(&mut self) -> Option<&mut Refinement> {
        Some(self.refined.as_mut()?.refinement_mut())
    }

    /// The program.
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// The formula.
    pub fn reading(&self) -> &Reading {
        &self.question.reading
    }

    /// The automaton of its negation, or of fair runs; `None` for termination without fairness.
    pub fn automaton(&self) -> Option<&Automaton> {
        self.question.automaton.as_ref()
    }

    /// Was it asked whether every run ends?
    pub fn is_termination(&self) -> bool {
        self.question.is_termination
    }

    /// Do only fair runs count?
    pub fn is_fair(&self) -> bool {
        self.question.fair
    }

    /// The answer, once the analysis is over.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// The statements of all violating runs; `None` if there is no such run.
    pub fn violating(&self) -> Option<&Violating> {
        self.violating.as_ref()
    }

    /// By edge of the program: does some run execute it? Empty until that is known.
    pub fn executed(&self) -> &[bool] {
        &self.executed
    }

    /// Rounds of the search, and steps of the kernel.
    pub fn statistics(&self) -> (u64, u64) {
        (self.rounds, self.steps)
    }

    fn conclude(&mut self, verdict: Verdict) {
        self.verdict = Some(verdict);
        self.stages = Stages::Over;
    }

    fn is_over(&self) -> bool {
        self.verdict.is_some() && matches!(self.stages, Stages::Over)
    }

    /// Ends all at a limit. A verdict that is known stays.
    fn end(&mut self, limit: Limit) {
        if let Stages::Refining(refining) = std::mem::replace(&mut self.stages, Stages::Over) {
            self.refined = Some(refining);
        }
        match (&self.verdict, &self.violating) {
            (None, _) => self.conclude(Verdict::Unknown(limit)),
            (Some(Verdict::Violated(_)), None) => self.violating = Some(Violating::Unknown(limit)),
            _ => {}
        }
    }

    /// Does a bounded piece of work.
    fn advance(&mut self) -> Bounded<()> {
        match std::mem::replace(&mut self.stages, Stages::Over) {
            Stages::Searching(mut search) => {
                let answer = search.step();
                (self.rounds, self.steps) = search.statistics();
                let edges = self.program.edges.len();
                if self.executed.is_empty() && !search.executed().is_empty() {
                    self.executed = of_program(&self.question.product, search.executed(), edges);
                }
                match answer? {
                    None => self.stages = Stages::Searching(search),
                    Some(Answer::Nothing(proof)) => self.conclude(Verdict::Holds(proof)),
                    Some(Answer::Fault(fault)) => self.conclude(Verdict::Fault(fault)),
                    Some(Answer::Ended(found)) => {
                        let verdict = self.question.replay(&self.program, &found);
                        let is_fault = matches!(verdict, Verdict::Fault(_));
                        self.conclude(verdict);
                        if !is_fault {
                            self.stages = Stages::Searching(search);
                        }
                    }
                    Some(Answer::Recurring) => self.project(*search)?,
                    Some(Answer::Lasso(found)) => {
                        let verdict = self.question.replay(&self.program, &found);
                        self.conclude(verdict);
                        self.project(*search)?;
                    }
                }
                Ok(())
            }
            Stages::Refining(mut refining) => {
                let refined = refining.step(&self.program, &self.question);
                (self.rounds, self.steps) = refining.statistics();
                match refined {
                    Ok(Refined::NotYet) => {
                        self.stages = Stages::Refining(refining);
                        return Ok(());
                    }
                    Ok(Refined::Over(verdict)) => self.conclude(verdict),
                    Err(limit) => self.conclude(Verdict::Unknown(limit)),
                }
                self.refined = Some(refining);
                Ok(())
            }
            Stages::Projecting(mut reach, mut violating) => {
                if violating.step(&mut reach)? {
                    let edges = self.program.edges.len();
                    let statements = violating.statements(&self.question.product, edges);
                    if let Some(Verdict::Violated(lasso)) = &self.verdict
                        && let Some(edge) = missing(&statements, lasso)
                    {
                        let text = &self.program.edge(edge).text;
                        let fault = format!(
                            "the run that was shown executes `{text}`, which the statements of \
                             violating runs do not have"
                        );
                        self.conclude(Verdict::Fault(fault));
                        return Ok(());
                    }
                    self.violating = Some(Violating::Statements(statements));
                    return Ok(());
                }
                self.steps = reach.domain.kernel.steps();
                if reach.domain.kernel.is_collection_due() {
                    let roots = roots_of(&[&*reach, &*violating]);
                    reach.domain.kernel.collect(&roots);
                }
                self.stages = Stages::Projecting(reach, violating);
                Ok(())
            }
            Stages::Over => Ok(()),
        }
    }

    /// Begins to look for the statements of all violating runs, if one was shown.
    fn project(&mut self, mut search: ProductSearch) -> Bounded<()> {
        if let Some(Verdict::Violated(_)) = &self.verdict
            && let Some((mut reach, recurring)) = search.take_recurring()
        {
            let violating = ViolatingStatements::new(&mut reach, recurring)?;
            self.stages = Stages::Projecting(reach, Box::new(violating));
        }
        Ok(())
    }
}

impl Job for LivenessSession {
    // Not inlined into the worker's queue: most visits need none of it.
    #[inline(never)]
    fn step(&mut self) -> bool {
        if !self.is_over()
            && let Err(limit) = self.advance()
        {
            self.end(limit);
        }
        self.is_over()
    }

    fn stop(&mut self, limit: Limit) {
        if !self.is_over() {
            self.end(limit);
        }
    }

    fn limit(&self) -> Option<Limit> {
        match &self.verdict {
            Some(Verdict::Unknown(limit)) => Some(*limit),
            _ => None,
        }
    }

    fn progress(&self) -> Progress {
        match &self.stages {
            Stages::Searching(search) => search.progress(),
            Stages::Refining(refining) => refining.progress(),
            Stages::Projecting(..) => {
                Progress { stage: Stage::Statements, steps: self.steps, ..Progress::default() }
            }
            Stages::Over => Progress { stage: Stage::Done, ..Progress::default() },
        }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        match &mut self.stages {
            Stages::Searching(search) => search.set_alarm(alarm.clone()),
            Stages::Refining(refining) => refining.set_alarm(alarm.clone()),
            Stages::Projecting(reach, _) => reach.domain.kernel.set_alarm(Some(alarm.clone())),
            Stages::Over => {}
        }
        self.alarm = Some(alarm);
    }
}
