//! Programs with threads under a bound on context switches, which is raised switch by switch
//! ([`ThreadSearch`]), to a number that was asked for or for as long as the driver's clock lets it.
//! What a bound has reached is kept for the next one. For the least number with an error the
//! shortest interleaved run is found, each thread's part by itself, and the whole is replayed.

mod finding;
mod reading;

use super::{Budgets, Certainty, Job, Outcome};
pub use crate::analysis::thread_search::ThreadsMethod;
use crate::analysis::thread_search::{ThreadQuestion, ThreadSearch};
use crate::analysis::threads::ThreadSystem;
pub use crate::analysis::threads::interleaving::InterleavedFailure;
use crate::analysis::threads::qadeer_rehof::QadeerRehof;
use crate::lang::model::Program;
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
pub use crate::wire::threads::SwitchBound;
use crate::wire::threads::{MOST_SWITCHES, RaisingEnd, USUAL_SWITCHES};
use finding::Finding;
use std::rc::Rc;

/// The most failing paths of the tree whose runs are compared by length.
const MOST_COMPARED: usize = 48;

/// A bound that rises by itself rises at least for so many kernel steps, however slow the machine
/// is: answers about small programs do not depend on it.
const LEAST_STEPS: u64 = 200_000;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadsOptions {
    /// How many context switches are allowed.
    pub switches: SwitchBound,
    /// Only what is reached before the statements of this line.
    pub at: Option<u32>,
}

/// An analysis of a program with threads, in small steps.
pub struct ThreadsSession {
    program: Rc<Program>,
    options: EffectiveOptions,
    asked: ThreadsOptions,
    /// The most switches that are looked at.
    most: u32,
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
    /// Why the bound rises no further, if it rises by itself.
    raised: Option<RaisingEnd>,
    /// Is the time for which it rises over?
    is_late: bool,
    limit: Option<Limit>,
    fault: Option<String>,
    alarm: Option<Alarm>,
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
        if self.is_late && self.has_risen() {
            self.stop(Limit::Time);
        }
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
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        match (&phase, &self.found) {
            (Phase::Done, _) => return,
            // The run stays; only whether it is a shortest one is not known.
            (_, Some(_)) => self.certainty = Certainty::Unknown(limit),
            (_, None) => self.limit = Some(limit),
        }
        let searched = matches!(phase, Phase::Searching);
        if searched && self.rises() && self.no_error_up_to.is_some() {
            self.raised = Some(RaisingEnd::Limit);
        }
    }

    /// Ends the raising of a bound that rises by itself, once [`USUAL_SWITCHES`] are decided. What
    /// is known for the last bound stands. A failing run that is being put together is not given
    /// up.
    fn end_stage(&mut self, limit: Limit) {
        if self.rises() {
            self.is_late = true;
        } else {
            self.stop(limit);
        }
    }

    /// The limit that ended it before there was an answer, or that ended the raising of the bound.
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

    fn set_alarm(&mut self, alarm: Alarm) {
        if let Ok(search) = &mut self.search {
            search.domain().0.kernel.set_alarm(Some(alarm.clone()));
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
        let (mut most, rises) = match asked.switches {
            SwitchBound::AtMost(most) => (most, false),
            SwitchBound::Rising => (MOST_SWITCHES, true),
        };
        let (system, search) = loop {
            let system = Rc::new(ThreadSystem::new(&program, most));
            let ThreadsOptions { at, .. } = asked;
            let question =
                ThreadQuestion { system: &system, error_line: options.error, switches: most, at };
            let search = ThreadSearch::new(method, question, budgets);
            // Diagrams with room for fewer switches are smaller.
            if search.is_err() && rises && most > USUAL_SWITCHES {
                most /= 2;
                continue;
            }
            break (system, search);
        };
        ThreadsSession {
            phase: if search.is_ok() { Phase::Searching } else { Phase::Done },
            limit: search.as_ref().err().copied(),
            program,
            options: options.clone(),
            asked,
            most,
            budgets,
            system,
            method,
            search,
            found: None,
            certainty: Certainty::Open,
            no_error_up_to: None,
            switches: None,
            raised: None,
            is_late: false,
            fault: None,
            alarm: None,
        }
    }

    /// Does one piece of the search, or raises its bound.
    fn search(&mut self) -> Bounded<()> {
        let rises = self.rises();
        let search = self.search.as_mut().map_err(|limit| *limit)?;
        if !search.is_done() {
            return search.step();
        }
        if let Some(failing) = search.failing(MOST_COMPARED)? {
            self.switches = Some(failing.switches);
            self.raised = rises.then_some(RaisingEnd::Failure);
            self.phase = Phase::Finding(Box::new(Finding::new(failing)));
            return Ok(());
        }
        let bound = search.bound().unwrap_or(0);
        self.no_error_up_to = Some(bound);
        let is_exhausted = self.system.enough_for.is_none() && search.is_exhausted();
        if bound >= self.most || is_exhausted && rises {
            let end = if is_exhausted { RaisingEnd::NothingNew } else { RaisingEnd::Most };
            self.raised = rises.then_some(end);
            self.phase = Phase::Done;
            return Ok(());
        }
        if self.system.enough_for.is_some_and(|most| bound >= most) {
            return Err(Limit::Threads);
        }
        search.raise();
        Ok(())
    }

    /// Does the bound rise by itself?
    fn rises(&self) -> bool {
        self.asked.switches == SwitchBound::Rising
    }

    /// Did the bound rise as far as it does even when time is short?
    fn has_risen(&self) -> bool {
        matches!(self.phase, Phase::Searching)
            && self.no_error_up_to >= Some(USUAL_SWITCHES)
            && self.statistics().1 >= LEAST_STEPS
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
            (None, Some(_)) if self.raised == Some(RaisingEnd::Limit) => Outcome::Safe,
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

    /// The most switches that are decided: those of the failing run, or the most for which it is
    /// known that nothing fails.
    pub fn decided(&self) -> Option<u32> {
        self.switches.or(self.no_error_up_to)
    }

    /// If the bound rises by itself: why it rose no further.
    pub fn raised(&self) -> Option<RaisingEnd> {
        self.raised
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
