//! What decides in the place of saturation, where C's own integers exceeded their first share:
//! refinement, or saturation of the distances between variables.
//!
//! Saturation keeps all that is true of every store. Where that is too much, refinement may need
//! only a part of it: predicates, or some of the variables. And where only distances between
//! variables matter, there may be few of them. Both answers are about C's own integers. They have
//! no projection.
//!
//! What comes later in the page (`static/delivery/later.mjs`) is never inlined.

use crate::analysis::cegar::round::Ending;
use crate::analysis::distances::Distances;
use crate::analysis::invariant::proving::Proof;
use crate::analysis::replay::{ReplayedRun, execute};
use crate::lang::model::Program;
use crate::session::{Budgets, CegarSession, Job, Outcome, Session, Task};
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::cegar::{Decider, DecisionReport, RefinedReport};
use crate::wire::options::EffectiveOptions;
use crate::wire::refinement::CegarOptions;
use std::rc::Rc;

/// What refinement found.
#[derive(Clone, Debug)]
pub(in crate::session) struct Refined {
    /// Safe, unsafe or a fault.
    pub(in crate::session) outcome: Outcome,
    /// The failing run, if the program is unsafe.
    pub(in crate::session) run: Option<ReplayedRun>,
    /// What is known of the proof, if it is safe.
    pub(in crate::session) proof: Option<Proof>,
    pub(in crate::session) fault: Option<String>,
    pub(in crate::session) report: RefinedReport,
}

/// The work, while it goes on.
pub(in crate::session) enum Refining {
    /// The refinement loop.
    Loop(Box<CegarSession>),
    /// The program of distances, and its saturation.
    Distances(Box<Distances>, Rc<Program>, Box<Session>),
    /// Saturation with a summary object on the heap.
    Summary(Box<Session>),
}

impl Refining {
    /// Begins to saturate the distances of a program; `None` if not only distances matter.
    #[inline(never)]
    pub(in crate::session) fn distances(
        program: &Rc<Program>,
        options: &EffectiveOptions,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Option<Refining> {
        let distances = Distances::of(program)?;
        let over = Rc::clone(&distances.program);
        let options = EffectiveOptions { open_width: false, ..options.clone() };
        let mut session = Session::of("", options, over, alarm);
        session.start(Task::Check, budgets);
        let (distances, session) = (Box::new(distances), Box::new(session));
        Some(Refining::Distances(distances, Rc::clone(program), session))
    }

    /// Begins to saturate a program with a summary object on its heap.
    #[inline(never)]
    pub(in crate::session) fn summarized(
        program: Program,
        options: &EffectiveOptions,
        (budgets, alarm): (Budgets, Option<Alarm>),
    ) -> Refining {
        let options = EffectiveOptions { open_width: false, ..options.clone() };
        let mut session = Session::of("", options, Rc::new(program), alarm);
        session.start(Task::Check, budgets);
        Refining::Summary(Box::new(session))
    }

    /// Begins the loop with its default options. Only errors on line `error` count, if given.
    pub(in crate::session) fn new(
        program: &Rc<Program>,
        error: Option<u32>,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Refining {
        let options = CegarOptions::default();
        let mut refinement = CegarSession::new(Rc::clone(program), error, options, budgets);
        if let Some(alarm) = alarm {
            refinement.set_alarm(alarm);
        }
        Refining::Loop(Box::new(refinement))
    }

    fn job(&mut self) -> &mut dyn Job {
        match self {
            Refining::Loop(refinement) => &mut **refinement,
            Refining::Distances(_, _, session) | Refining::Summary(session) => &mut **session,
        }
    }

    pub(in crate::session) fn step(&mut self) -> bool {
        let is_over = self.job().step();
        // A failing run says nothing where there is a summary object: no shorter one is looked for.
        is_over
            || matches!(self, Refining::Summary(session) if session.outcome() == Outcome::Unsafe)
    }

    pub(in crate::session) fn stop(&mut self, limit: Limit) {
        self.job().stop(limit);
    }

    pub(in crate::session) fn set_alarm(&mut self, alarm: &Alarm) {
        self.job().set_alarm(alarm.clone());
    }

    /// Rounds and nodes so far.
    pub(in crate::session) fn progress(&self) -> Progress {
        match self {
            Refining::Loop(refinement) => {
                Progress { stage: Stage::Refine, ..refinement.progress() }
            }
            Refining::Distances(_, _, session) | Refining::Summary(session) => session.progress(),
        }
    }

    /// The most nodes alive at once, and the steps.
    pub(in crate::session) fn spent(&self) -> (u64, u64) {
        let (peak, steps, _) = match self {
            Refining::Loop(refinement) => refinement.statistics(),
            Refining::Distances(_, _, session) | Refining::Summary(session) => session.statistics(),
        };
        (peak, steps)
    }

    /// What was found; or the limit that ended the work.
    #[inline(never)]
    pub(in crate::session) fn into_answer(self) -> Result<Refined, Limit> {
        match self {
            Refining::Loop(refinement) => Refining::of_loop(&refinement),
            Refining::Distances(distances, program, session) => {
                Refining::of_distances(&distances, &program, &session)
            }
            Refining::Summary(session) => Refining::of_summary(&session),
        }
    }

    /// A failing run counts if the program executes it with its own numbers.
    fn of_distances(
        distances: &Distances,
        program: &Program,
        session: &Session,
    ) -> Result<Refined, Limit> {
        let outcome = session.outcome();
        let mut run = None;
        match outcome {
            Outcome::Unknown(limit) => return Err(limit),
            Outcome::Unsafe => {
                let found = session.failing_run().ok_or(Limit::Steps)?;
                let own = execute(program, distances.run_of_program(&found.run));
                run = Some(own.map_err(|_| Limit::Depth)?);
            }
            Outcome::Safe | Outcome::Fault => {}
        }
        let decision = DecisionReport {
            by: Decider::Distances,
            predicates: 0,
            followed: distances.members.len() as u32,
            variables: program.variables.len() as u32,
        };
        Ok(Refined {
            outcome,
            run,
            proof: session.proof().filter(|_| outcome == Outcome::Safe),
            fault: session.fault().map(str::to_string),
            report: RefinedReport { rounds: 0, decided: Some(decision) },
        })
    }

    /// Only "safe" is an answer: what fails with a summary object need not fail.
    fn of_summary(session: &Session) -> Result<Refined, Limit> {
        if session.outcome() != Outcome::Safe {
            return Err(Limit::Heap);
        }
        let decision =
            DecisionReport { by: Decider::Summary, predicates: 0, followed: 0, variables: 0 };
        Ok(Refined {
            outcome: Outcome::Safe,
            run: None,
            proof: session.proof(),
            fault: None,
            report: RefinedReport { rounds: 0, decided: Some(decision) },
        })
    }

    fn of_loop(refinement: &CegarSession) -> Result<Refined, Limit> {
        let outcome = refinement.outcome();
        if let Outcome::Unknown(limit) = outcome {
            return Err(limit);
        }
        let proof = match refinement.cegar().and_then(|cegar| cegar.ending()) {
            Some(Ending::Safe(Ok(()))) => Some(Proof::Checked),
            Some(Ending::Safe(Err(limit))) => Some(Proof::Unchecked(limit)),
            _ => None,
        };
        Ok(Refined {
            outcome,
            run: refinement.failing_run().cloned(),
            proof: proof.filter(|_| outcome == Outcome::Safe),
            fault: refinement.fault().map(str::to_string),
            report: RefinedReport {
                rounds: refinement.rounds().len() as u32,
                decided: refinement.decision(),
            },
        })
    }
}
