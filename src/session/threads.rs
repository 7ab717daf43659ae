//! Programs with threads under a bound on context switches, which is raised switch by switch
//! ([`ThreadSearch`]), to a number that was asked for or for as long as the driver's clock lets it.
//! What a bound has reached is kept for the next one. For the least number with an error the
//! shortest interleaved run is found, each thread's part by itself, and the whole is replayed.
//!
//! If data races were asked about, what is searched is a program that is watched for them
//! ([`RaceWatch`]); what is shown is a run of the program itself.
//!
//! If more switches bring nothing new, or once two switches are decided, the interpreter computes a
//! closed set of configurations ([`ClosedSet`]). Of a bound that was given, that is done if more
//! than two switches take long, or hit a limit. Only that set makes "no error within the bound"
//! into "safe".

mod explaining;
mod finding;
mod reading;

use super::{Budgets, Certainty, Job, Outcome};
pub use crate::analysis::thread_search::ThreadsMethod;
use crate::analysis::thread_search::{ThreadQuestion, ThreadSearch};
use crate::analysis::threads::ThreadSystem;
use crate::analysis::threads::closed_set::{Closed, ClosedSet};
pub use crate::analysis::threads::interleaving::InterleavedFailure;
use crate::analysis::threads::qadeer_rehof::QadeerRehof;
use crate::analysis::threads::race_watch::RaceWatch;
use crate::lang::model::Program;
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
pub use crate::wire::threads::SwitchBound;
use crate::wire::threads::{MOST_SWITCHES, RaisingEnd, USUAL_SWITCHES};
pub use explaining::{Correct, ThreadsExplanation};
use finding::Finding;
use std::rc::Rc;

/// The most failing paths of the tree whose runs are compared by length.
const MOST_COMPARED: usize = 48;

/// A bound that rises by itself rises at least for so many kernel steps, however slow the machine
/// is: answers about small programs do not depend on it.
const LEAST_STEPS: u64 = 200_000;

/// Once the proof for any number of switches is there, a bound that rises by itself rises for so
/// many kernel steps more, to show what each bound adds. One that was given does so for
/// [`LEAST_STEPS`].
const SHOWING: u64 = 1_000_000;

/// The proof that no run fails, whatever the number of switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadsProof {
    /// How many configurations its closed set has.
    pub configurations: u64,
    /// More switches than so many reach nothing new, if that is known.
    pub switches: Option<u32>,
    /// Are frames below recursive calls known only by who called?
    pub by_callers: bool,
}

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
    /// The program that is watched for data races, if that was asked and there can be some.
    watch: Option<RaceWatch>,
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
    /// The first bound that reached nothing new.
    exhausted: Option<u32>,
    /// The proof for any number of switches, or why there is none.
    proof: Option<Result<ThreadsProof, Limit>>,
    /// Was a proof tried?
    tried: bool,
    /// The kernel's steps after which the bound rises no further, as there is a proof.
    shown: Option<u64>,
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
    /// The proof for any number of switches, and whether the search is over.
    Proving(Box<ClosedSet>, bool),
    /// The analysis is over.
    Done,
}

impl Job for ThreadsSession {
    fn step(&mut self) -> bool {
        if self.is_late && self.has_risen() || self.has_shown() {
            self.end_search(Limit::Time);
        }
        let stepped = match &self.phase {
            Phase::Searching => self.search(),
            Phase::Finding(_) => {
                self.find();
                Ok(())
            }
            Phase::Proving(..) => {
                self.prove();
                Ok(())
            }
            Phase::Done => return true,
        };
        if let Err(limit) = stepped {
            self.end_search(limit);
        }
        match (&self.phase, &mut self.search) {
            (Phase::Searching | Phase::Finding(_), Ok(search)) => search.collect_if_due(),
            (Phase::Proving(..), _) => {}
            _ => return true,
        }
        false
    }

    fn stop(&mut self, limit: Limit) {
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        match (&phase, &self.found) {
            (Phase::Done, _) => return,
            // What the search has found stays.
            (Phase::Proving(_, over), _) => {
                self.proof = Some(Err(limit));
                if !over {
                    self.limit = Some(limit);
                    self.raised = Some(RaisingEnd::Limit);
                }
                return;
            }
            (Phase::Searching, _) if matches!(self.proof, Some(Ok(_))) => {
                self.raised = self.rises().then_some(RaisingEnd::NothingNew);
                return;
            }
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
        match self.safe_so_far() {
            Outcome::Unknown(limit) if self.is_over() && self.found.is_none() => Some(limit),
            _ => self.limit,
        }
    }

    fn progress(&self) -> Progress {
        let stage = match &self.phase {
            Phase::Searching => Stage::Threads,
            Phase::Finding(_) => Stage::Joining,
            Phase::Proving(..) => Stage::Proof,
            Phase::Done => Stage::Done,
        };
        let kernel = self.search.as_ref().map(ThreadSearch::kernel);
        let (nodes, steps) = kernel.map_or((0, 0), |k| (k.live_nodes(), k.steps()));
        let items = self.no_error_up_to.map_or(0, |bound| u64::from(bound) + 1);
        Progress { stage, items, nodes, steps, ..Progress::default() }
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
        let watch = if options.checks.race { RaceWatch::new(&program) } else { None };
        let searched = watch.as_ref().map_or(&program, |watch| &watch.program);
        let (system, search) = loop {
            let system = Rc::new(ThreadSystem::new(searched, most));
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
        let mut session = ThreadsSession {
            phase: Phase::Searching,
            limit: None,
            program,
            watch,
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
            exhausted: None,
            proof: None,
            tried: false,
            shown: None,
            is_late: false,
            fault: None,
            alarm: None,
        };
        if let Some(limit) = session.search.as_ref().err().copied() {
            session.end_search(limit);
        }
        session
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
        if self.exhausted.is_none() && search.is_exhausted() {
            self.exhausted = Some(bound);
        }
        let is_exhausted = self.exhausted.is_some();
        if bound >= self.most || is_exhausted && rises {
            let end = if is_exhausted { RaisingEnd::NothingNew } else { RaisingEnd::Most };
            self.raised = rises.then_some(end);
            self.begin_proof(true);
            return Ok(());
        }
        if self.system.enough_for.is_some_and(|most| bound >= most) {
            return Err(Limit::Threads);
        }
        search.raise();
        if !self.tried && bound >= USUAL_SWITCHES && (rises || self.takes_long()) {
            self.begin_proof(false);
        }
        Ok(())
    }

    /// A limit ends the search. If more than two switches are asked about, the proof for any number
    /// of switches is tried all the same: it needs no diagrams.
    fn end_search(&mut self, limit: Limit) {
        let searched = matches!(self.phase, Phase::Searching);
        self.stop(limit);
        let asks_more = self.rises() || self.most > USUAL_SWITCHES;
        if searched && asks_more && self.found.is_none() {
            self.begin_proof(true);
        }
    }

    /// Did the search take longer than that of a small program?
    fn takes_long(&self) -> bool {
        self.statistics().1 >= LEAST_STEPS
    }

    /// Begins the proof for any number of switches, unless one was tried or nothing speaks for it:
    /// a bound that was given was decided, the last switch still reached something new, and no run
    /// is cut off. `over`: the search is over.
    fn begin_proof(&mut self, over: bool) {
        if over {
            self.phase = Phase::Done;
        }
        let is_cut = !self.program.cut_offs.is_empty();
        let is_open = !over || self.limit.is_some();
        if !self.tried && (self.rises() || self.exhausted.is_some() || is_cut || is_open) {
            self.tried = true;
            let most = usize::try_from(self.budgets.max_nodes).unwrap_or(usize::MAX);
            let searched = self.watch.as_ref().map_or(&self.program, |watch| &watch.program);
            let set = ClosedSet::new(searched, self.options.error, most);
            self.phase = Phase::Proving(Box::new(set), over);
        }
    }

    /// Does one piece of the proof, or takes its answer.
    fn prove(&mut self) {
        let Phase::Proving(set, over) = &mut self.phase else { return };
        let Some(answer) = set.answer() else { return set.step() };
        let over = *over;
        self.proof = match answer {
            Closed::Holds(switches) => {
                let (configurations, by_callers) = (set.len() as u64, set.knows_callers_only());
                Some(Ok(ThreadsProof { configurations, switches, by_callers }))
            }
            Closed::Open(limit) => Some(Err(limit)),
            Closed::Fails(_) => {
                if self.exhausted.is_some() && self.system.enough_for.is_none() && !set.is_widened()
                {
                    let how = "a run fails although more switches reach nothing new";
                    self.fault = Some(how.to_string());
                }
                None
            }
        };
        let holds = matches!(self.proof, Some(Ok(_)));
        if over {
            self.phase = Phase::Done;
        } else {
            self.phase = Phase::Searching;
            let further = if self.rises() { SHOWING } else { LEAST_STEPS };
            self.shown = holds.then(|| self.statistics().1 + further);
        }
        if holds && over {
            self.limit = None;
            self.raised = self.rises().then_some(RaisingEnd::NothingNew);
        }
    }

    /// Does the bound rise by itself?
    fn rises(&self) -> bool {
        self.asked.switches == SwitchBound::Rising
    }

    /// Did the bound rise as far as it does even when time is short?
    fn has_risen(&self) -> bool {
        matches!(self.phase, Phase::Searching)
            && self.no_error_up_to >= Some(USUAL_SWITCHES)
            && self.takes_long()
    }

    /// Is there a proof, and did the bound rise long enough since?
    fn has_shown(&self) -> bool {
        matches!(self.phase, Phase::Searching)
            && self.shown.is_some_and(|end| self.statistics().1 >= end)
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

    /// The answer. "Safe" means that no run within the bound fails, and with [`Self::proof`] that
    /// none fails at all. It is final once the analysis is over.
    pub fn outcome(&self) -> Outcome {
        match (&self.found, self.limit) {
            (Some(_), _) => Outcome::Unsafe,
            (None, _) if self.fault.is_some() => Outcome::Fault,
            (None, Some(_)) if self.raised == Some(RaisingEnd::Limit) => self.safe_so_far(),
            (None, Some(limit)) => Outcome::Unknown(limit),
            (None, None) => self.safe_so_far(),
        }
    }

    /// The answer if no run within the bound fails: a program with runs that are cut off is safe
    /// only by a proof.
    fn safe_so_far(&self) -> Outcome {
        let is_cut = match self.tree() {
            Some(tree) => tree.is_cut_off(),
            None => !self.program.cut_offs.is_empty(),
        };
        match !is_cut || self.converged().is_some() {
            true => Outcome::Safe,
            false if !self.program.memory.has_heap() => Outcome::Unknown(Limit::Threads),
            false => Outcome::Unknown(Limit::Heap),
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    /// How the interpreter contradicts the engine, if it does.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The proof that no run fails, whatever the number of switches. An error says which limit the
    /// proof hit; `None`: it was not tried, or it found that more switches can fail.
    pub fn proof(&self) -> Option<Result<ThreadsProof, Limit>> {
        self.proof
    }

    /// The first bound that reaches nothing new, if there is a proof for any number of switches.
    pub fn converged(&self) -> Option<u32> {
        let proof = self.proof?.ok()?;
        self.exhausted.or(proof.switches.map(|switches| switches + 1))
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
