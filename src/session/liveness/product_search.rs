//! Has a product an accepting run? In small steps.
//!
//! The stages: post\* of the product with a check of its invariant (a session of its own); the
//! search for a repeating head; then the probes for prefix and cycle (sessions as well), or the
//! check of the ranking. Who asked makes a lasso of the two runs, and replays it.
//!
//! A run that violates in finitely many steps and ends is found during post\*, as a check finds a
//! failing run ([`bad_prefix`]); then no probe is needed. The rest of post\* and the heads, which
//! the statements of violating runs need, come after that answer.

use crate::analysis::liveness::bad_prefix;
use crate::analysis::liveness::heads::{Found, Head, Heads};
use crate::analysis::liveness::probe;
use crate::analysis::liveness::product::Product;
use crate::analysis::liveness::ranking::Ranking;
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, roots_of};
use crate::encode::Valuation;
use crate::lang::interpreter::ConcreteRun;
use crate::lang::model::Program;
use crate::session::{Budgets, Job, Outcome, Proof, Session, Task};
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use std::rc::Rc;

/// Kernel steps for the search of a shortest prefix, once some prefix is known.
const SHORTER: u64 = 20_000_000;

/// The answer.
pub(super) enum Answer {
    /// There is no accepting run.
    Nothing(Proof),
    /// This run goes round this cycle for ever.
    Lasso(Box<FoundLasso>),
    /// This run violates in finitely many steps, and ends. More is to come: a shorter one perhaps,
    /// and then [`Answer::Recurring`].
    Ended(Box<FoundLasso>),
    /// The heads from which an accepting run begins are known, after [`Answer::Ended`].
    Recurring,
    /// A check contradicts the engine.
    Fault(String),
}

/// A run to a head, and one from the head to itself.
pub(super) struct FoundLasso {
    pub(super) head: Head,
    pub(super) prefix: ConcreteRun,
    pub(super) cycle: ConcreteRun,
}

/// The work under way.
enum Stages {
    /// post\* of the product; once a run that ends was found, the search for a shorter one.
    Reaching(Box<Session>, u64),
    /// The rest of post\*, once a run that ends is known.
    Completing(Box<Reach>),
    /// The search for a repeating head.
    Searching(Box<Reach>, Box<Heads>),
    /// The check of the ranking.
    Ranking(Box<Reach>, Box<Ranking>),
    /// A run to the head.
    Prefix(Head, Box<Session>, u64),
    /// A run from the head to itself.
    Cycle(Head, ConcreteRun, Box<Session>, u64),
    /// Nothing is left to do, or a step is under way.
    Over,
}

/// The search.
pub(super) struct ProductSearch {
    product: Rc<Product>,
    /// The product in which runs that end with a bad prefix fail, if they are looked for.
    watched: Option<Rc<Product>>,
    /// The run of that kind that was told.
    told: Option<ConcreteRun>,
    options: EffectiveOptions,
    budgets: Budgets,
    stages: Stages,
    /// By edge of the product: does some run execute it? Known once post\* is.
    executed: Vec<bool>,
    /// post\* of the product, and by location the heads from which an accepting run begins.
    recurring: Option<(Box<Reach>, Rc<[Bdd]>)>,
    /// post\* of the product, and the ranking that was proved.
    ranked: Option<(Box<Reach>, Vec<Vec<Bdd>>)>,
    /// What is known of post\*'s invariant.
    proof: Proof,
    rounds: u64,
    steps: u64,
    /// Does some run need more objects than the model has?
    is_cut: bool,
    alarm: Option<Alarm>,
}

impl ProductSearch {
    /// Prepares the search. No check of the product is an error by these options. `ends_early`:
    /// runs that violate in finitely many steps, and end, are looked for during post\*.
    pub(super) fn new(
        product: Rc<Product>,
        options: EffectiveOptions,
        budgets: Budgets,
        alarm: Option<Alarm>,
        ends_early: bool,
    ) -> ProductSearch {
        let watched = if ends_early { bad_prefix::watched(&product).map(Rc::new) } else { None };
        let whole = Rc::new(watched.as_ref().unwrap_or(&product).program.clone());
        let mut session = Session::of("", options.clone(), whole, alarm.clone());
        session.start(Task::Check, budgets);
        ProductSearch {
            product,
            watched,
            told: None,
            options,
            budgets,
            stages: Stages::Reaching(Box::new(session), 0),
            executed: Vec::new(),
            recurring: None,
            ranked: None,
            proof: Proof::Checked,
            rounds: 0,
            steps: 0,
            is_cut: false,
            alarm,
        }
    }

    /// By edge of the product: does some run execute it? Empty until that is known.
    pub(super) fn executed(&self) -> &[bool] {
        &self.executed
    }

    /// post\* of the product, and by location the heads from which an accepting run begins. Known
    /// once a repeating head is found.
    pub(super) fn take_recurring(&mut self) -> Option<(Box<Reach>, Rc<[Bdd]>)> {
        self.recurring.take()
    }

    /// post\* of the product, and the ranking by round and location. Known once there is no
    /// accepting run, and the ranking was proved.
    pub(super) fn take_ranked(&mut self) -> Option<(Box<Reach>, Vec<Vec<Bdd>>)> {
        self.ranked.take()
    }

    /// Rounds of the search, and steps of the kernel.
    pub(super) fn statistics(&self) -> (u64, u64) {
        (self.rounds, self.steps)
    }

    /// Does a bounded piece of work. Returns the answer once it is known.
    pub(super) fn step(&mut self) -> Bounded<Option<Answer>> {
        match std::mem::replace(&mut self.stages, Stages::Over) {
            Stages::Reaching(mut session, known) => {
                let (is_over, known) = probed(&mut session, known);
                let told = self.told.is_some();
                if is_over {
                    return self.reached(*session);
                }
                let ended = if told { None } else { self.ended(&session) };
                self.stages = Stages::Reaching(session, known);
                Ok(ended)
            }
            Stages::Completing(mut reach) => {
                reach.step()?;
                self.steps = reach.domain.kernel.steps();
                if reach.is_done() {
                    self.executed = reach.executed()?;
                    self.search_heads(reach);
                    return Ok(None);
                }
                if reach.domain.kernel.is_collection_due() {
                    let roots = roots_of(&[&*reach]);
                    reach.domain.kernel.collect(&roots);
                }
                self.stages = Stages::Completing(reach);
                Ok(None)
            }
            Stages::Searching(mut reach, mut heads) => {
                let product = self.watched.as_ref().unwrap_or(&self.product);
                // No run comes to an accepting head: post\*'s invariant is all that is needed.
                let none = self.watched.is_some() && heads.accepts_none();
                let found = match none {
                    true => Some(Found::Nothing),
                    false => heads.step(product, &mut reach)?,
                };
                self.rounds = heads.rank();
                self.steps = reach.domain.kernel.steps();
                if self.told.is_some() && !heads.recurring().is_empty() {
                    self.recurring = Some((reach, heads.recurring()));
                    return Ok(Some(Answer::Recurring));
                }
                match found {
                    None => {
                        if reach.domain.kernel.is_collection_due() {
                            let roots = roots_of(&[&*reach, &*heads]);
                            reach.domain.kernel.collect(&roots);
                        }
                        self.stages = Stages::Searching(reach, heads);
                        Ok(None)
                    }
                    Some(Found::Nothing) if self.told.is_some() => {
                        let fault = "the search of the heads does not have the run that was shown";
                        Ok(Some(Answer::Fault(fault.to_string())))
                    }
                    Some(Found::Nothing) if self.is_cut => Err(Limit::Heap),
                    Some(Found::Nothing) if none => Ok(Some(Answer::Nothing(self.proof))),
                    Some(Found::Nothing) => match Ranking::new(&heads, &reach) {
                        Some(ranking) => {
                            self.stages = Stages::Ranking(reach, Box::new(ranking));
                            Ok(None)
                        }
                        None => Ok(Some(Answer::Nothing(Proof::Unchecked(Limit::Rounds)))),
                    },
                    Some(Found::Repeating(head)) => {
                        self.recurring = Some((reach, heads.recurring()));
                        let session = self.probe(probe::prefix(&self.product, &head));
                        self.stages = Stages::Prefix(head, session, 0);
                        Ok(None)
                    }
                }
            }
            Stages::Ranking(mut reach, mut ranking) => match ranking.step(&mut reach) {
                None => {
                    if reach.domain.kernel.is_collection_due() {
                        let roots = roots_of(&[&*reach, &*ranking]);
                        reach.domain.kernel.collect(&roots);
                    }
                    self.stages = Stages::Ranking(reach, ranking);
                    Ok(None)
                }
                Some(Ok(Proof::Checked)) => {
                    self.ranked = Some((reach, ranking.into_rounds()));
                    Ok(Some(Answer::Nothing(self.proof)))
                }
                Some(Ok(unchecked)) => Ok(Some(Answer::Nothing(unchecked))),
                Some(Err(contradiction)) => Ok(Some(Answer::Fault(contradiction))),
            },
            Stages::Prefix(head, mut session, known) => {
                let (is_over, known) = probed(&mut session, known);
                if !is_over {
                    self.stages = Stages::Prefix(head, session, known);
                    return Ok(None);
                }
                match run_of(&session)? {
                    Ok(run) => {
                        let session = self.probe(probe::cycle(&self.product, &head));
                        self.stages = Stages::Cycle(head, run, session, 0);
                        Ok(None)
                    }
                    Err(fault) => Ok(Some(Answer::Fault(fault))),
                }
            }
            Stages::Cycle(head, prefix, mut session, known) => {
                let (is_over, known) = probed(&mut session, known);
                if !is_over {
                    self.stages = Stages::Cycle(head, prefix, session, known);
                    return Ok(None);
                }
                Ok(Some(match run_of(&session)? {
                    Ok(cycle) => Answer::Lasso(Box::new(FoundLasso { head, prefix, cycle })),
                    Err(fault) => Answer::Fault(fault),
                }))
            }
            Stages::Over => Ok(None),
        }
    }

    /// The run that a session of the watched product has found, if it is not the one that was told.
    fn ended(&mut self, session: &Session) -> Option<Answer> {
        let run = &session.failing_run()?.run;
        let location = bad_prefix::end(self.watched.as_ref()?, run)?;
        if self.told.as_ref() == Some(run) {
            return None;
        }
        self.steps = session.statistics().1;
        self.told = Some(run.clone());
        let head = Head { location, store: Valuation::default() };
        let (prefix, cycle) = (run.clone(), ConcreteRun::default());
        Some(Answer::Ended(Box::new(FoundLasso { head, prefix, cycle })))
    }

    /// Handles the end of post\*, or of the search for a shorter run.
    fn reached(&mut self, session: Session) -> Bounded<Option<Answer>> {
        self.steps = session.statistics().1;
        if let Some(fault) = session.fault() {
            return Ok(Some(Answer::Fault(fault.to_string())));
        }
        let ended = self.ended(&session);
        if self.told.is_some() {
            let Some((mut reach, _)) = session.into_reach() else { return Err(Limit::Steps) };
            reach.domain.kernel.set_alarm(self.alarm.clone());
            self.stages = Stages::Completing(Box::new(reach));
            return Ok(ended);
        }
        let Some(executed) = session.executed() else {
            return Err(session.limit().unwrap_or(Limit::Steps));
        };
        self.executed = executed.to_vec();
        let cut_offs = &self.product.program.cut_offs;
        self.is_cut = cut_offs.iter().any(|edge| executed[edge.0 as usize]);
        self.proof = session.proof().unwrap_or(Proof::Unchecked(Limit::Steps));
        let Some((mut reach, _)) = session.into_reach() else { return Err(Limit::Steps) };
        reach.domain.kernel.set_alarm(self.alarm.clone());
        self.search_heads(Box::new(reach));
        Ok(None)
    }

    /// Begins the search for a repeating head, in the complete post\*.
    fn search_heads(&mut self, reach: Box<Reach>) {
        let heads = Heads::new(self.watched.as_ref().unwrap_or(&self.product), &reach);
        self.stages = Stages::Searching(reach, Box::new(heads));
    }

    /// A session that looks for a failing run of a probe.
    fn probe(&self, program: Program) -> Box<Session> {
        let options = self.options.clone();
        let mut session = Session::of("", options, Rc::new(program), self.alarm.clone());
        session.start(Task::Check, self.budgets);
        Box::new(session)
    }

    /// What it is doing.
    pub(super) fn progress(&self) -> Progress {
        match &self.stages {
            Stages::Reaching(session, _)
            | Stages::Prefix(_, session, _)
            | Stages::Cycle(_, _, session, _) => session.progress(),
            Stages::Completing(_) => {
                Progress { stage: Stage::Forward, steps: self.steps, ..Progress::default() }
            }
            Stages::Searching(..) | Stages::Ranking(..) => {
                Progress { stage: Stage::Backward, steps: self.steps, ..Progress::default() }
            }
            Stages::Over => Progress { stage: Stage::Done, ..Progress::default() },
        }
    }

    /// A flag by which a driver with a clock ends what takes long inside one step.
    pub(super) fn set_alarm(&mut self, alarm: Alarm) {
        match &mut self.stages {
            Stages::Reaching(session, _)
            | Stages::Prefix(_, session, _)
            | Stages::Cycle(_, _, session, _) => session.set_alarm(alarm.clone()),
            Stages::Completing(reach) | Stages::Searching(reach, _) | Stages::Ranking(reach, _) => {
                reach.domain.kernel.set_alarm(Some(alarm.clone()));
            }
            Stages::Over => {}
        }
        self.alarm = Some(alarm);
    }
}

/// The run that a probe has found. A probe that finds none contradicts the search.
fn run_of(session: &Session) -> Bounded<Result<ConcreteRun, String>> {
    if let Some(run) = session.failing_run() {
        return Ok(Ok(run.run.clone()));
    }
    match session.outcome() {
        Outcome::Unknown(limit) => Err(limit),
        Outcome::Fault => {
            Ok(Err(session.fault().unwrap_or("a probe contradicts the engine").to_string()))
        }
        Outcome::Safe | Outcome::Unsafe => {
            Ok(Err("a head that was found is not reached again".to_string()))
        }
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
