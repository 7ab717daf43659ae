//! The analysis of programs with threads under a bound on context switches, which is raised switch
//! by switch ([`ThreadSearch`]). For the least number of switches with an error, it finds the
//! shortest interleaved run: each thread's part is found separately, and then the whole run is
//! replayed.

mod finding;
mod reading;

use super::{Budgets, Certainty, Job, Outcome};
pub use crate::analysis::thread_search::ThreadsMethod;
use crate::analysis::thread_search::{ThreadQuestion, ThreadSearch};
use crate::analysis::threads::ThreadSystem;
pub use crate::analysis::threads::interleaving::InterleavedFailure;
use crate::analysis::threads::qadeer_rehof::QadeerRehof;
use crate::lang::model::Program;
use crate::util::{Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use finding::Finding;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The most failing paths of the tree whose runs are compared by length.
const MOST_COMPARED: usize = 48;

/// The question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadsOptions {
    /// The most context switches.
    pub switches: u32,
    /// If a line is given: only what is reached before its statements counts.
    pub at: Option<u32>,
}

/// An analysis of a program with threads, in small steps.
pub struct ThreadsSession {
    program: Rc<Program>,
    options: EffectiveOptions,
    asked: ThreadsOptions,
    budgets: Budgets,
    system: Rc<ThreadSystem>,
    method: ThreadsMethod,
    /// The search, or the limit that its preparation hit.
    search: Bounded<ThreadSearch>,
    phase: Phase,
    found: Option<InterleavedFailure>,
    certainty: Certainty,
    no_error_up_to: Option<u32>,
    switches: Option<u32>,
    limit: Option<Limit>,
    fault: Option<String>,
    alarm: Option<Arc<AtomicBool>>,
}

enum Phase {
    /// The search for an error or a deadlock, bound by bound.
    Searching,
    /// The search for runs of the failing schedules.
    Finding(Box<Finding>),
    /// The analysis is over.
    Done,
}

impl Job for ThreadsSession {
    fn step(&mut self) -> bool {
        let stepped = match &self.phase {
            Phase::Searching => self.search(),
            Phase::Finding(_) => {
                self.find();
                Ok(())
            }
            Phase::Done => return true,
        };
        if let Err(limit) = stepped {
            self.stop(limit);
        }
        match (&self.phase, &mut self.search) {
            (Phase::Searching | Phase::Finding(_), Ok(search)) => search.collect_if_due(),
            _ => return true,
        }
        false
    }

    fn stop(&mut self, limit: Limit) {
        if let Phase::Done = std::mem::replace(&mut self.phase, Phase::Done) {
            return;
        }
        match &self.found {
            // The run stays. Only its being a shortest one is unknown.
            Some(_) => self.certainty = Certainty::Unknown(limit),
            None => self.limit = Some(limit),
        }
    }

    /// The limit that ended the analysis before there was an answer.
    fn limit(&self) -> Option<Limit> {
        self.limit
    }

    fn progress(&self) -> Progress {
        let stage = match &self.phase {
            Phase::Searching => Stage::Threads,
            Phase::Finding(_) => Stage::Joining,
            Phase::Done => Stage::Done,
        };
        let kernel = self.search.as_ref().map(ThreadSearch::kernel);
        let (nodes, steps) = kernel.map_or((0, 0), |k| (k.live_nodes(), k.steps()));
        let items = self.no_error_up_to.map_or(0, |bound| u64::from(bound) + 1);
        Progress { stage, items, nodes, steps }
    }

    fn set_alarm(&mut self, alarm: Arc<AtomicBool>) {
        if let Ok(search) = &mut self.search {
            search.domain().0.kernel.set_alarm(Some(Arc::clone(&alarm)));
        }
        self.alarm = Some(alarm);
    }
}

impl ThreadsSession {
    /// Prepares the analysis by Qadeer and Rehof's tree.
    pub fn new(
        program: Rc<Program>,
        options: &EffectiveOptions,
        asked: ThreadsOptions,
        budgets: Budgets,
    ) -> ThreadsSession {
        ThreadsSession::by(ThreadsMethod::QadeerRehof, program, options, asked, budgets)
    }

    /// Prepares the analysis by a given method.
    pub fn by(
        method: ThreadsMethod,
        program: Rc<Program>,
        options: &EffectiveOptions,
        asked: ThreadsOptions,
        budgets: Budgets,
    ) -> ThreadsSession {
        let system = Rc::new(ThreadSystem::new(&program, asked.switches));
        let ThreadsOptions { switches, at } = asked;
        let question = ThreadQuestion { system: &system, error_line: options.error, switches, at };
        let search = ThreadSearch::new(method, question, budgets);
        ThreadsSession {
            phase: if search.is_ok() { Phase::Searching } else { Phase::Done },
            limit: search.as_ref().err().copied(),
            program,
            options: options.clone(),
            asked,
            budgets,
            system,
            method,
            search,
            found: None,
            certainty: Certainty::Open,
            no_error_up_to: None,
            switches: None,
            fault: None,
            alarm: None,
        }
    }

    /// Does one piece of the search, or raises its bound.
    fn search(&mut self) -> Bounded<()> {
        let search = self.search.as_mut().map_err(|limit| *limit)?;
        if !search.is_done() {
            return search.step();
        }
        if let Some(failing) = search.failing(MOST_COMPARED)? {
            self.switches = Some(failing.switches);
            self.phase = Phase::Finding(Box::new(Finding::new(failing)));
            return Ok(());
        }
        self.no_error_up_to = search.bound();
        let bound = search.bound().unwrap_or(0);
        if bound >= self.asked.switches {
            self.phase = Phase::Done;
            return Ok(());
        }
        if self.system.enough_for.is_some_and(|most| bound >= most) {
            return Err(Limit::Threads);
        }
        search.raise();
        Ok(())
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Its threads.
    pub fn system(&self) -> &ThreadSystem {
        &self.system
    }

    /// The options in force.
    pub fn options(&self) -> &EffectiveOptions {
        &self.options
    }

    /// The question as it was asked.
    pub fn asked(&self) -> ThreadsOptions {
        self.asked
    }

    /// The answer. "Safe" means that no run within the bound fails. It is final once the analysis
    /// is over.
    pub fn outcome(&self) -> Outcome {
        match (&self.found, self.limit) {
            (Some(_), _) => Outcome::Unsafe,
            (None, _) if self.fault.is_some() => Outcome::Fault,
            (None, Some(limit)) => Outcome::Unknown(limit),
            (None, None) => Outcome::Safe,
        }
    }

    /// How the interpreter contradicts the engine, if it does.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The most switches for which it is known that no run fails.
    pub fn no_error_up_to(&self) -> Option<u32> {
        self.no_error_up_to
    }

    /// The least number of switches with which an error is reached.
    pub fn switches(&self) -> Option<u32> {
        self.switches
    }

    /// The failing run.
    pub fn failing_run(&self) -> Option<&InterleavedFailure> {
        self.found.as_ref()
    }

    /// Is it known that no failing run with as few switches is shorter?
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// Qadeer and Rehof's tree.
    pub fn tree(&self) -> Option<&QadeerRehof> {
        match &self.search {
            Ok(ThreadSearch::Tree(tree)) => Some(tree),
            _ => None,
        }
    }

    /// The most nodes alive at once, the steps, and the bytes held by the kernel.
    pub fn statistics(&self) -> (u64, u64, u64) {
        self.search.as_ref().map_or((0, 0, 0), |search| {
            let kernel = search.kernel();
            (kernel.peak_nodes(), kernel.steps(), kernel.bytes())
        })
    }
}
