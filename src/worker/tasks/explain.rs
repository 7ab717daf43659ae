//! Explanations, stage by stage. An explanation begins where a run of the program knows that it
//! fails, and says so at once. Its stages share one clock, so that a slow stage keeps no quick one
//! away. The causes of the first failing run are told before the first stage is over.

use crate::report::explain::explanation;
use crate::report::json;
use crate::session::{ExplainSession, ExplainStage, Job};
use crate::util::{Budgets, Limit};
use crate::wire::explain::{ExplainAsk, Explanation};
use crate::wire::protocol::{Detail, Reply};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority, Step, Task};
use crate::worker::state::{Answer, State};

/// It begins when the verdict is known, and whoever asks for it looks at its tab: the projection
/// has a small share.
const CLASS: Class = Class { beside_run: 4, ..Class::new("explain", Priority::Analysis) };

/// The share of its time that a stage leaves to later ones at least: one part in so many.
const LEAST_SHARE: u64 = 8;

/// Explains why the program fails.
pub(super) fn begin(ask: ExplainAsk, budgets: Budgets) -> Answer {
    Answer::later(Waiting { ask, budgets, limit: None })
}

/// An explanation that waits for a run to find out whether the program fails.
struct Waiting {
    ask: ExplainAsk,
    budgets: Budgets,
    /// Why it does not begin.
    limit: Option<Limit>,
}

impl Task<State> for Waiting {
    fn class(&self) -> Class {
        CLASS
    }

    fn is_ready(&self, state: &State) -> bool {
        state.session.is_settled()
    }

    fn step(&mut self, _: &mut State) -> Step {
        Step::Over
    }

    fn stop(&mut self, _: &mut State) {
        self.limit = Some(Limit::Time);
    }

    fn memory_full(&mut self, _: &mut State) {
        self.limit = Some(Limit::Nodes);
    }

    fn finish(self: Box<Self>, state: &mut State, _: u64) -> Finish<State> {
        let Waiting { ask, budgets, limit } = *self;
        match state.session.explain(&state.requested, &ask, budgets) {
            Ok(mut job) => {
                if let Some(limit) = limit {
                    job.stop(limit);
                }
                let tells = job.told_early() > 0 || job.stage() == ExplainStage::Done;
                let reply = tells.then(|| told(&job));
                Finish::then(reply, next(job, Clock::new(budgets.max_millis), budgets))
            }
            Err(problem) => Finish::with([explained(Explanation::nothing(ask, problem))]),
        }
    }
}

fn told(job: &ExplainSession) -> Reply {
    explained(explanation(job))
}

/// What is known. Not inlined into what the first part of the engine has
/// (`static/delivery/later.mjs`).
#[inline(never)]
fn explained(explanation: Explanation) -> Reply {
    let json = json::render(&explanation);
    Reply::Explained { explanation: Box::new(explanation), json }
}

/// A part of an explanation: a stage, and how much of it can be told before it is over.
fn part(job: &ExplainSession) -> u32 {
    3 * job.stage() as u32 + job.told_early()
}

/// The milliseconds that are left for an explanation; `None` where there is no clock.
#[derive(Clone, Copy)]
struct Clock {
    /// For each stage at least.
    least: Option<u64>,
    /// For the present stage, and for all.
    stage: Option<u64>,
    all: Option<u64>,
}

impl Clock {
    /// The first stage may take everything: without a failing run there is nothing to explain.
    fn new(all: Option<u64>) -> Clock {
        Clock { least: all.map(|all| all / LEAST_SHARE), stage: all, all }
    }

    /// After so many milliseconds of a stage.
    fn after(self, millis: u64) -> Clock {
        let left = |of: Option<u64>| of.map(|of| of.saturating_sub(millis));
        Clock { stage: left(self.stage), all: left(self.all), ..self }
    }

    /// When another stage begins: the two after the causes have half of what is left, and the last
    /// one has all of it.
    fn at(self, stage: ExplainStage) -> Clock {
        let share = if stage == ExplainStage::Repairs { 1 } else { 2 };
        let stage = self.all.map(|all| all / share).max(self.least);
        Clock { stage, ..self }
    }
}

/// The part that the job is at, and what follows it; `None` if it is over.
fn next(job: ExplainSession, clock: Clock, budgets: Budgets) -> Option<Box<dyn Task<State>>> {
    let now = job.stage();
    if now == ExplainStage::Done {
        return None;
    }
    let task = JobTask::new(CLASS, job, move |job, _, millis| {
        let clock = clock.after(millis);
        let clock = if job.stage() == now { clock } else { clock.at(job.stage()) };
        Finish::then(told(&job), next(job, clock, budgets))
    });
    let task = task.one_part(part).within(Budgets { max_millis: clock.stage, ..budgets });
    Some(Box::new(task.reporting(|_| Detail::None)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_its_share_of_the_time() {
        let after_causes = Clock::new(Some(8_000)).after(2_000).at(ExplainStage::Sequences);
        assert_eq!((after_causes.stage, after_causes.all), (Some(3_000), Some(6_000)));
        let suspects = after_causes.after(3_000).at(ExplainStage::Suspects);
        assert_eq!(suspects.stage, Some(1_500));
        let repairs = suspects.after(500).at(ExplainStage::Repairs);
        assert_eq!(repairs.stage, Some(2_500), "what was not used");
        let late = Clock::new(Some(8_000)).after(9_000).at(ExplainStage::Sequences);
        assert_eq!(late.stage, Some(1_000), "at least this");
        assert_eq!(Clock::new(None).after(9).at(ExplainStage::Repairs).stage, None);
    }
}
