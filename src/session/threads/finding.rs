//! Finds runs of the failing schedules. A separate check finds each thread's part; it gets the
//! globals at the thread's switches.

use super::{Phase, ThreadsSession};
use crate::analysis::thread_search::FailingSchedules;
use crate::analysis::threads::interleaving::{FailingSchedule, Part, Searched, interleave, part};
use crate::analysis::threads::sequential_thread::{GOAL_LINE, SequentialThread, Visit, VisitGoal};
use crate::session::{Certainty, Job, Outcome, Session, Task};
use crate::util::Limit;
use std::collections::VecDeque;
use std::rc::Rc;

/// The kernel steps for comparing runs: this number, and [`SHARE`] times the steps of the search.
const STEPS: u64 = 10_000_000;
const SHARE: u64 = 2;

/// The search for runs of failing schedules, one after the other.
pub(super) struct Finding {
    waiting: VecDeque<FailingSchedule>,
    /// Were some schedules left out?
    cut: bool,
    current: Option<Assembling>,
    /// The kernel steps so far.
    spent: u64,
    /// A limit that one of the parts hit.
    limit: Option<Limit>,
}

/// A run that is composed thread by thread.
struct Assembling {
    schedule: FailingSchedule,
    /// The threads whose part is not found yet.
    threads: Vec<usize>,
    part: Option<(usize, SequentialThread, Box<Session>)>,
    parts: Vec<Part>,
    /// Is each part a shortest one?
    shortest: bool,
}

impl Finding {
    pub(super) fn new(failing: FailingSchedules) -> Finding {
        let FailingSchedules { schedules, cut, .. } = failing;
        Finding { waiting: schedules, cut, current: None, spent: 0, limit: None }
    }
}

impl Assembling {
    /// Every thread that runs, or that a deadlock needs, has a part.
    fn new(schedule: FailingSchedule) -> Assembling {
        let mut threads = schedule.contexts.clone();
        threads.sort_unstable();
        threads.dedup();
        Assembling { schedule, threads, part: None, parts: Vec::new(), shortest: true }
    }
}

impl ThreadsSession {
    /// Does one step of the current schedule, or goes to the next one.
    pub(super) fn find(&mut self) {
        let Phase::Finding(mut finding) = std::mem::replace(&mut self.phase, Phase::Done) else {
            return;
        };
        if let Some(mut assembling) = finding.current.take() {
            if self.assemble(&mut finding, &mut assembling) {
                self.join(assembling);
            } else {
                finding.current = Some(assembling);
            }
        } else {
            let most = STEPS.saturating_add(SHARE.saturating_mul(self.statistics().1));
            match finding.waiting.pop_front() {
                Some(_) if self.found.is_some() && finding.spent > most => {
                    self.fault = None;
                    self.certainty = Certainty::Unknown(Limit::Steps);
                    return;
                }
                Some(schedule) => finding.current = Some(Assembling::new(schedule)),
                None => return self.found_all(&finding),
            }
        }
        self.phase = Phase::Finding(finding);
    }

    /// Handles the end: all schedules were looked at.
    fn found_all(&mut self, finding: &Finding) {
        if self.found.is_some() {
            self.fault = None;
            if self.certainty == Certainty::Open && finding.limit.is_none() {
                self.certainty = match finding.cut {
                    true => Certainty::Unknown(Limit::Rounds),
                    false => Certainty::Shortest,
                };
            }
        } else if self.fault.is_none() {
            self.limit = finding.limit;
            if self.limit.is_none() {
                let how = "no thread-by-thread run was found for a failing schedule";
                self.fault = Some(how.to_string());
            }
        }
    }

    /// Does one step towards the parts of a run. Returns true once all are found, or one cannot be
    /// found.
    fn assemble(&mut self, finding: &mut Finding, assembling: &mut Assembling) -> bool {
        if let Some((thread, alone, mut session)) = assembling.part.take() {
            if !session.step() {
                assembling.part = Some((thread, alone, session));
                return false;
            }
            finding.spent += session.statistics().1;
            match (session.outcome(), session.failing_run()) {
                (Outcome::Unsafe, Some(run)) => {
                    assembling.shortest &= session.certainty() == Certainty::Shortest;
                    assembling.parts.push(part(thread, &alone, &run.run));
                }
                (Outcome::Unknown(limit), _) => {
                    finding.limit = Some(limit);
                    assembling.parts.clear();
                    return true;
                }
                _ => {
                    let name = &self.system.threads[thread].name;
                    self.fault = Some(session.fault().map_or_else(
                        || format!("thread {name} cannot do its part alone"),
                        str::to_string,
                    ));
                    assembling.parts.clear();
                    return true;
                }
            }
        }
        let Some(thread) = assembling.threads.pop() else { return true };
        let schedule = &assembling.schedule;
        let last = schedule.contexts.len() - 1;
        let visits: Vec<Visit> = (0..=last)
            .filter(|k| schedule.contexts[*k] == thread)
            .map(|k| Visit {
                enter: (k > 0).then(|| schedule.switches[k - 1].clone()),
                leave: schedule.switches.get(k).cloned(),
            })
            .collect();
        let runs_last = schedule.contexts[last] == thread;
        let goal = match &schedule.deadlock {
            Some(globals) => VisitGoal::Stuck {
                globals: globals.clone(),
                may_end: !(self.system.has_main && thread == 0),
            },
            None if runs_last => VisitGoal::Error,
            None => VisitGoal::Leave,
        };
        let alone = SequentialThread::new(&self.system, thread, &visits, &goal);
        let mut options = self.options.clone();
        if !matches!(goal, VisitGoal::Error) {
            options.error = Some(GOAL_LINE);
        }
        let program = Rc::clone(&alone.program);
        let mut session = Session::of("", options, program, self.alarm.clone());
        session.start(Task::Check, self.budgets);
        assembling.part = Some((thread, alone, Box::new(session)));
        false
    }

    /// Composes the parts, and keeps the run if it is shorter than the one before.
    fn join(&mut self, assembling: Assembling) {
        let Assembling { schedule, parts, shortest, .. } = assembling;
        if parts.is_empty() {
            return;
        }
        let searched =
            Searched { program: &self.program, system: &self.system, watch: self.watch.as_ref() };
        match interleave(&searched, &schedule, &parts) {
            Err(contradiction) => self.fault = Some(contradiction),
            Ok(failure) => {
                if !shortest {
                    self.certainty = Certainty::Unknown(Limit::Steps);
                }
                if self.found.as_ref().is_none_or(|found| failure.length < found.length) {
                    self.found = Some(failure);
                }
            }
        }
    }
}
