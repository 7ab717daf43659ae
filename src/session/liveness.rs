//! A formula, or termination, of a loaded program, in small steps.
//!
//! The stages: post\* of the product with a check of its invariant (a session of its own); the
//! search for a repeating head; then the probes for prefix and cycle (sessions as well) and the
//! replay of the lasso, or the check of the ranking. Where a run violates the formula, the
//! statements of all such runs come last; a limit there leaves the answer as it is.

use super::{Budgets, Job, Outcome, Proof, Session, Task};
use crate::analysis::liveness::automaton::Automaton;
use crate::analysis::liveness::fairness::fairly;
use crate::analysis::liveness::formula::AtomId;
use crate::analysis::liveness::heads::{Found, Head, Heads};
use crate::analysis::liveness::lasso::{Lasso, Violation, lasso};
use crate::analysis::liveness::parser::{FormulaError, Reading, parse, termination};
use crate::analysis::liveness::probe;
use crate::analysis::liveness::product::{Counted, Product, Refused, TARGET, product, unending};
use crate::analysis::liveness::ranking::Ranking;
use crate::analysis::liveness::violating::{ViolatingStatements, missing, of_program};
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, roots_of};
use crate::lang::interpreter::ConcreteRun;
use crate::lang::model::Program;
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use std::rc::Rc;

/// Kernel steps for the search of a shortest prefix, once some prefix is known.
const SHORTER: u64 = 20_000_000;

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
    /// post\* of the product.
    Reaching(Box<Session>),
    /// The search for a repeating head.
    Searching(Box<Reach>, Box<Heads>),
    /// The check of the ranking.
    Ranking(Box<Reach>, Box<Ranking>),
    /// A run to the head.
    Prefix(Head, Box<Session>, u64),
    /// A run from the head to itself.
    Cycle(Head, ConcreteRun, Box<Session>, u64),
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
    options: EffectiveOptions,
    budgets: Budgets,
    reading: Reading,
    automaton: Option<Automaton>,
    product: Rc<Product>,
    is_termination: bool,
    fair: bool,
    stages: Stages,
    verdict: Option<Verdict>,
    /// By edge of the program: does some run execute it? Known once post\* is.
    executed: Vec<bool>,
    /// post\* of the product, and by location the heads from which an accepting run begins: for
    /// what comes after the run.
    recurring: Option<(Box<Reach>, Rc<[Bdd]>)>,
    violating: Option<Violating>,
    /// What is known of post\*'s invariant.
    proof: Proof,
    rounds: u64,
    steps: u64,
    /// Does some run need more objects than the model has?
    is_cut: bool,
    alarm: Option<Alarm>,
}

impl LivenessSession {
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
        let refused = |refused| match refused {
            Refused::Threads => LivenessRefusal::Threads,
            Refused::CalledMain => LivenessRefusal::CalledMain,
        };
        let is_termination = *question == LivenessQuestion::Termination;
        let reading = match question {
            LivenessQuestion::Termination => termination(),
            LivenessQuestion::Formula(text) => {
                parse(&program, source, text).map_err(LivenessRefusal::Formula)?
            }
        };
        let mut violation = reading.formula.normal(false);
        if fair {
            violation = fairly(violation, reading.atoms.len() as AtomId);
        }
        let (automaton, product) = if is_termination && !fair {
            (None, unending(&program).map_err(refused)?)
        } else {
            let automaton = Automaton::of(&violation).map_err(|_| LivenessRefusal::TooLarge)?;
            let counted = Counted { ended: !is_termination, fair };
            let product = product(&program, &reading, &automaton, counted).map_err(refused)?;
            (Some(automaton), product)
        };
        // No check of the product is an error.
        let quiet = EffectiveOptions { error: Some(TARGET), open_width: false, ..options.clone() };
        let whole = Rc::new(product.program.clone());
        let mut session = Session::of("", quiet.clone(), whole, alarm.clone());
        session.start(Task::Check, budgets);
        let is_empty = automaton.as_ref().is_some_and(|automaton| automaton.states.is_empty());
        Ok(LivenessSession {
            program,
            options: quiet,
            budgets,
            reading,
            product: Rc::new(product),
            is_termination,
            fair,
            automaton,
            // No run satisfies the negation.
            verdict: is_empty.then_some(Verdict::Holds(Proof::Checked)),
            stages: if is_empty { Stages::Over } else { Stages::Reaching(Box::new(session)) },
            executed: Vec::new(),
            recurring: None,
            violating: None,
            proof: Proof::Checked,
            rounds: 0,
            steps: 0,
            is_cut: false,
            alarm,
        })
    }

    /// The formula.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The automaton of its negation, or of fair runs; `None` for termination without fairness.
    pub fn automaton(&self) -> Option<&Automaton> {
        self.automaton.as_ref()
    }

    /// Was it asked whether every run ends?
    pub fn is_termination(&self) -> bool {
        self.is_termination
    }

    /// Do only fair runs count?
    pub fn is_fair(&self) -> bool {
        self.fair
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
        match (&self.verdict, &self.violating) {
            (None, _) => self.conclude(Verdict::Unknown(limit)),
            (Some(Verdict::Violated(_)), None) => self.violating = Some(Violating::Unknown(limit)),
            _ => {}
        }
        (self.recurring, self.stages) = (None, Stages::Over);
    }

    /// Does a bounded piece of work.
    fn advance(&mut self) -> Bounded<()> {
        match std::mem::replace(&mut self.stages, Stages::Over) {
            Stages::Reaching(mut session) => {
                if !session.step() {
                    self.stages = Stages::Reaching(session);
                    return Ok(());
                }
                self.reached(*session)
            }
            Stages::Searching(mut reach, mut heads) => {
                let found = heads.step(&self.product, &mut reach)?;
                self.rounds = heads.rank();
                self.steps = reach.domain.kernel.steps();
                match found {
                    None => {
                        if reach.domain.kernel.is_collection_due() {
                            let roots = roots_of(&[&*reach, &*heads]);
                            reach.domain.kernel.collect(&roots);
                        }
                        self.stages = Stages::Searching(reach, heads);
                    }
                    Some(Found::Nothing) if self.is_cut => {
                        self.conclude(Verdict::Unknown(Limit::Heap));
                    }
                    Some(Found::Nothing) => match Ranking::new(&heads, &reach) {
                        Some(ranking) => self.stages = Stages::Ranking(reach, Box::new(ranking)),
                        None => self.conclude(Verdict::Holds(Proof::Unchecked(Limit::Rounds))),
                    },
                    Some(Found::Repeating(head)) => {
                        self.recurring = Some((reach, heads.recurring()));
                        let session = self.probe(probe::prefix(&self.product, &head));
                        self.stages = Stages::Prefix(head, session, 0);
                    }
                }
                Ok(())
            }
            Stages::Ranking(mut reach, mut ranking) => {
                match ranking.step(&mut reach) {
                    None => {
                        if reach.domain.kernel.is_collection_due() {
                            let roots = roots_of(&[&*reach, &*ranking]);
                            reach.domain.kernel.collect(&roots);
                        }
                        self.stages = Stages::Ranking(reach, ranking);
                    }
                    Some(Ok(Proof::Checked)) => self.conclude(Verdict::Holds(self.proof)),
                    Some(Ok(unchecked)) => self.conclude(Verdict::Holds(unchecked)),
                    Some(Err(contradiction)) => self.conclude(Verdict::Fault(contradiction)),
                }
                Ok(())
            }
            Stages::Prefix(head, mut session, known) => {
                let (is_over, known) = probed(&mut session, known);
                if !is_over {
                    self.stages = Stages::Prefix(head, session, known);
                    return Ok(());
                }
                if let Some(run) = self.run_of(&session)? {
                    let session = self.probe(probe::cycle(&self.product, &head));
                    self.stages = Stages::Cycle(head, run, session, 0);
                }
                Ok(())
            }
            Stages::Cycle(head, prefix, mut session, known) => {
                let (is_over, known) = probed(&mut session, known);
                if !is_over {
                    self.stages = Stages::Cycle(head, prefix, session, known);
                    return Ok(());
                }
                if let Some(cycle) = self.run_of(&session)? {
                    self.replay(&head, &prefix, &cycle);
                    self.project()?;
                }
                Ok(())
            }
            Stages::Projecting(mut reach, mut violating) => {
                if violating.step(&mut reach)? {
                    let edges = self.program.edges.len();
                    let statements = violating.statements(&self.product, edges);
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

    /// Handles the end of post\*.
    fn reached(&mut self, session: Session) -> Bounded<()> {
        self.steps = session.statistics().1;
        if let Some(fault) = session.fault() {
            let fault = fault.to_string();
            self.conclude(Verdict::Fault(fault));
            return Ok(());
        }
        let Some(executed) = session.executed() else {
            return Err(session.limit().unwrap_or(Limit::Steps));
        };
        self.executed = of_program(&self.product, executed, self.program.edges.len());
        self.is_cut = self.program.cut_offs.iter().any(|edge| executed[edge.0 as usize]);
        self.proof = session.proof().unwrap_or(Proof::Unchecked(Limit::Steps));
        let Some((reach, _)) = session.into_reach() else { return Err(Limit::Steps) };
        let mut reach = reach;
        reach.domain.kernel.set_alarm(self.alarm.clone());
        let heads = Heads::new(&self.product, &reach);
        self.stages = Stages::Searching(Box::new(reach), Box::new(heads));
        Ok(())
    }

    /// A session that looks for a failing run of a probe.
    fn probe(&self, program: Program) -> Box<Session> {
        let options = self.options.clone();
        let mut session = Session::of("", options, Rc::new(program), self.alarm.clone());
        session.start(Task::Check, self.budgets);
        Box::new(session)
    }

    /// The run that a probe has found. A probe that finds none contradicts the search.
    fn run_of(&mut self, session: &Session) -> Bounded<Option<ConcreteRun>> {
        if let Some(run) = session.failing_run() {
            return Ok(Some(run.run.clone()));
        }
        match session.outcome() {
            Outcome::Unknown(limit) => return Err(limit),
            Outcome::Fault => {
                let fault = session.fault().unwrap_or("a probe contradicts the engine").to_string();
                self.conclude(Verdict::Fault(fault));
            }
            Outcome::Safe | Outcome::Unsafe => {
                let fault = "a head that was found is not reached again".to_string();
                self.conclude(Verdict::Fault(fault));
            }
        }
        Ok(None)
    }

    /// Begins to look for the statements of all violating runs, if one was shown.
    fn project(&mut self) -> Bounded<()> {
        if let Some(Verdict::Violated(_)) = &self.verdict
            && let Some((mut reach, recurring)) = self.recurring.take()
        {
            let violating = ViolatingStatements::new(&mut reach, recurring)?;
            self.stages = Stages::Projecting(reach, Box::new(violating));
        }
        Ok(())
    }

    fn replay(&mut self, head: &Head, prefix: &ConcreteRun, cycle: &ConcreteRun) {
        let found = lasso(
            &self.program,
            &self.product,
            &self.reading,
            head.location,
            prefix,
            cycle,
            Violation { is_endless: self.is_termination, is_fair: self.fair },
        );
        self.conclude(match found {
            Ok(lasso) => Verdict::Violated(Box::new(lasso)),
            Err(contradiction) => Verdict::Fault(contradiction),
        });
    }
}

/// One step of a probe. Is it over, and how many kernel steps had it taken when it knew a run? A
/// shorter run is looked for only for a while.
fn probed(session: &mut Session, known: u64) -> (bool, u64) {
    let is_over = session.step();
    let steps = session.statistics().1;
    match session.failing_run() {
        None => (is_over, 0),
        Some(_) if known == 0 => (is_over, steps.max(1)),
        Some(_) => (is_over || steps > known.saturating_add(SHORTER), known),
    }
}

impl Job for LivenessSession {
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
            Stages::Reaching(session)
            | Stages::Prefix(_, session, _)
            | Stages::Cycle(_, _, session, _) => session.progress(),
            Stages::Searching(..) | Stages::Ranking(..) => {
                Progress { stage: Stage::Backward, steps: self.steps, ..Progress::default() }
            }
            Stages::Projecting(..) => {
                Progress { stage: Stage::Statements, steps: self.steps, ..Progress::default() }
            }
            Stages::Over => Progress { stage: Stage::Done, ..Progress::default() },
        }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        match &mut self.stages {
            Stages::Reaching(session)
            | Stages::Prefix(_, session, _)
            | Stages::Cycle(_, _, session, _) => session.set_alarm(alarm.clone()),
            Stages::Searching(reach, _)
            | Stages::Ranking(reach, _)
            | Stages::Projecting(reach, _) => {
                reach.domain.kernel.set_alarm(Some(alarm.clone()));
            }
            Stages::Over => {}
        }
        self.alarm = Some(alarm);
    }
}
