//! An interleaved run, put together: each thread's part is found by itself, with the globals at its
//! switches given, and the whole is replayed.

use super::{InterleavedFailure, ThreadsSession};
use crate::analysis::threads::Begins;
use crate::analysis::threads::sequential_thread::{GOAL_LINE, SequentialThread, Visit, VisitGoal};
use crate::encode::Valuation;
use crate::lang::interpreter::{
    Assignment, ConcreteStep, Ended, InterleavedRun, RunThread, replay_interleaved,
};
use crate::lang::model::{EdgeId, VariableId};
use crate::session::{Certainty, Job, Outcome, ReplayedRun, Session, Task};
use crate::util::Limit;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// Runs of failing paths, one after the other.
pub(super) struct Finding {
    pub(super) paths: VecDeque<Failing>,
    /// Were some left out?
    pub(super) cut: bool,
    pub(super) current: Option<Assembling>,
    /// Kernel steps so far.
    pub(super) spent: u64,
    /// A limit that one of them hit.
    pub(super) limit: Option<Limit>,
}

/// A path of the tree with the context that fails: who runs, and the globals at each switch.
pub(super) struct Failing {
    pub(super) contexts: Vec<usize>,
    pub(super) switches: Vec<Valuation>,
    pub(super) deadlock: Option<Valuation>,
}

/// A run, put together thread by thread.
pub(super) struct Assembling {
    pub(super) failing: Failing,
    /// Threads whose part is still to be found.
    pub(super) threads: Vec<usize>,
    pub(super) part: Option<(usize, SequentialThread, Box<Session>)>,
    pub(super) parts: Vec<Part>,
    /// Is each part a shortest one?
    pub(super) shortest: bool,
}

/// What one thread does in each of its visits.
pub(super) struct Part {
    pub(super) thread: usize,
    pub(super) initial_globals: Assignment,
    pub(super) initial_locals: Assignment,
    pub(super) visits: Vec<Vec<ConcreteStep>>,
}

impl ThreadsSession {
    /// The threads that run, or that a deadlock needs.
    pub(super) fn involved(&self, failing: &Failing) -> Vec<usize> {
        let mut threads = failing.contexts.clone();
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    /// One step towards the parts of a run; true once all are there, or one cannot be found.
    pub(super) fn assemble(&mut self, finding: &mut Finding, assembling: &mut Assembling) -> bool {
        if let Some((thread, alone, mut session)) = assembling.part.take() {
            if !session.step() {
                assembling.part = Some((thread, alone, session));
                return false;
            }
            finding.spent += session.statistics().1;
            match (session.outcome(), session.failing_run()) {
                (Outcome::Unsafe, Some(run)) => {
                    assembling.shortest &= session.certainty() == Certainty::Shortest;
                    assembling.parts.push(part(thread, &alone, run));
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
        let failing = &assembling.failing;
        let last = failing.contexts.len() - 1;
        let visits: Vec<Visit> = (0..=last)
            .filter(|k| failing.contexts[*k] == thread)
            .map(|k| Visit {
                enter: (k > 0).then(|| failing.switches[k - 1].clone()),
                leave: failing.switches.get(k).cloned(),
            })
            .collect();
        let runs_last = failing.contexts[last] == thread;
        let goal = match &failing.deadlock {
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
        let mut session = Session::new("", options, Some(Rc::new(alone.program.clone())), None);
        if let Some(alarm) = &self.alarm {
            session.set_alarm(Arc::clone(alarm));
        }
        session.start(Task::Check, self.budgets);
        assembling.part = Some((thread, alone, Box::new(session)));
        false
    }

    /// Puts the parts together and has the whole replayed.
    pub(super) fn join(&mut self, assembling: Assembling) {
        let Assembling { failing, parts, shortest, .. } = assembling;
        if parts.is_empty() {
            return;
        }
        let own = |id: &VariableId| (id.0 as usize) < self.program.variables.len();
        let threads: Vec<usize> = (0..self.system.threads.len()).collect();
        let run_threads = threads.iter().map(|thread| {
            let instance = &self.system.threads[*thread];
            let part = parts.iter().find(|part| part.thread == *thread);
            RunThread {
                procedure: instance.procedure,
                start: match instance.begins {
                    Begins::AtStart => None,
                    Begins::Started { count, .. } => Some(count),
                },
                locals: part.map_or(Vec::new(), |part| {
                    part.initial_locals.iter().filter(|(id, _)| own(id)).cloned().collect()
                }),
            }
        });
        let first = parts.iter().find(|part| Some(&part.thread) == failing.contexts.first());
        let initial_globals = first.map_or(Vec::new(), |part| {
            part.initial_globals.iter().filter(|(id, _)| own(id)).cloned().collect::<Assignment>()
        });
        let first = failing.contexts.first().copied().unwrap_or(0);
        let mut run = InterleavedRun {
            initial_globals,
            threads: run_threads.collect(),
            first,
            steps: Vec::new(),
        };
        let mut visited = vec![0; threads.len()];
        for thread in &failing.contexts {
            let part = parts.iter().find(|part| part.thread == *thread);
            let visit = part.and_then(|part| part.visits.get(visited[*thread]));
            visited[*thread] += 1;
            run.steps.extend(visit.into_iter().flatten().map(|step| (*thread, step.clone())));
        }
        let replay = match replay_interleaved(&self.program, &run) {
            Ok(replay) => replay,
            Err(error) => {
                self.fault = Some(error.to_string());
                return;
            }
        };
        let check = match (&replay.ended, failing.deadlock.is_some()) {
            (Ended::Error(check), false) => run
                .steps
                .last()
                .map(|(_, step)| self.program.edge(step.edge).checks[*check].clone()),
            (Ended::Deadlock(_), true) => None,
            _ => {
                self.fault = Some("the interleaved run does not end as it was found".to_string());
                return;
            }
        };
        if replay.switches as usize + 1 != failing.contexts.len() {
            self.fault =
                Some("the interleaved run has other contexts than the tree says".to_string());
            return;
        }
        let last = replay.steps.len().saturating_sub(1);
        let counts = |k: usize, edge: EdgeId| {
            self.program.edge(edge).is_traced() || check.is_some() && k == last
        };
        let length =
            replay.steps.iter().enumerate().filter(|(k, step)| counts(*k, step.edge)).count()
                as u64;
        if !shortest {
            self.certainty = Certainty::Unknown(Limit::Steps);
        }
        if self.found.as_ref().is_none_or(|found| length < found.length) {
            self.found = Some(InterleavedFailure { run, replay, threads, check, length });
        }
    }
}

/// What a thread's run by itself does in each visit.
fn part(thread: usize, alone: &SequentialThread, run: &ReplayedRun) -> Part {
    let mut visits = vec![Vec::new()];
    for step in &run.run.steps {
        if alone.is_own(step.edge) {
            if let Some(visit) = visits.last_mut() {
                visit.push(step.clone());
            }
        } else if alone.switches(step.edge) {
            visits.push(Vec::new());
        }
    }
    Part {
        thread,
        initial_globals: run.run.initial_globals.clone(),
        initial_locals: run.run.initial_locals.clone(),
        visits,
    }
}
