//! Threads under a bound on context switches; afterwards why a run fails, and the same question by
//! the other method.

use crate::draw::explained_html::explained_html;
use crate::report::{
    correct_report, json, schedule_report, threads_explained, threads_found, threads_report,
};
use crate::session::schedule::ScheduleSession;
use crate::session::{ThreadsExplanation, ThreadsMethod, ThreadsOptions, ThreadsSession};
use crate::util::Budgets;
use crate::util::order::inserted;
use crate::wire::protocol::{Detail, Reply};
use crate::wire::threads::{
    RAISING_SHARE, SwitchBound, ThreadsAsk, ThreadsFound, ThreadsReport, USUAL_SWITCHES,
};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority, Task};
use crate::worker::state::{Answer, State};
use std::collections::BTreeSet;

const CLASS: Class = Class::new("threads", Priority::Analysis);
const COMPARISON: Class = Class::new("threads", Priority::Comparison);
/// Budgets of the other method, for whose answer no one waits.
const COMPARISON_BUDGETS: Budgets = Budgets {
    max_nodes: 1_000_000,
    max_steps: 50_000_000,
    max_millis: Some(5_000),
    ..Budgets::USUAL
};

/// Analyses the threads of the program.
pub(super) fn begin(state: &mut State, ask: &ThreadsAsk, budgets: Budgets) -> Answer {
    if let Some(schedule) = &ask.schedule {
        return follow(state, schedule, budgets);
    }
    let asked = ThreadsOptions {
        switches: SwitchBound::in_force(ask.bound, state.session.options().switches),
        at: None,
    };
    let Some(job) = session(state, ask.method, asked, budgets) else {
        return refused("A pushdown system has no threads.".to_string());
    };
    let task = JobTask::new(CLASS, job, |job, state, _| answered(job, state));
    let rising = asked.switches == SwitchBound::Rising;
    let share = budgets.max_millis.filter(|_| rising).map(|millis| millis / RAISING_SHARE);
    let task = task.within(budgets).with_stage_within(share);
    let decided = |job: &ThreadsSession| job.no_error_up_to().map_or(0, |bound| bound as usize + 1);
    let task = task.with_news(decided);
    Answer::later(task.reporting(|job| Detail::NoErrorUpTo(job.no_error_up_to())))
}

/// There is no answer.
fn refused(problem: String) -> Answer {
    Answer::now(Reply::Threaded { report: None, json: String::new(), problem: Some(problem) })
}

/// The answer. Not inlined into what the first part of the engine has
/// (`static/delivery/later.mjs`).
#[inline(never)]
fn threaded(report: ThreadsReport) -> Reply {
    let json = json::render(&report);
    Reply::Threaded { report: Some(Box::new(report)), json, problem: None }
}

/// Follows a schedule that is chosen by hand.
fn follow(state: &State, schedule: &str, budgets: Budgets) -> Answer {
    let Some(program) = state.program() else {
        return refused("A pushdown system has no threads.".to_string());
    };
    match ScheduleSession::new(program, state.session.options(), schedule) {
        Err(problem) => refused(problem),
        Ok(job) => Answer::later(
            JobTask::new(CLASS, job, |job, _, _| Finish::with([threaded(schedule_report(&job))]))
                .within(budgets),
        ),
    }
}

/// The answer, and what comes after it. Like the other ends of tasks here it is not inlined into
/// what the first part of the engine has (`static/delivery/later.mjs`).
#[inline(never)]
fn answered(mut job: ThreadsSession, state: &State) -> Finish<State> {
    let report = threads_report(&mut job);
    let next = match ThreadsExplanation::new(&job) {
        None => comparison(state, &job, ThreadsFound::default()),
        Some(why) => Some(explaining(why, job, report.clone())),
    };
    Finish::then(threaded(report), next)
}

/// Why a run fails; after that, the other method.
#[inline(never)]
fn explaining(
    why: ThreadsExplanation,
    first: ThreadsSession,
    report: ThreadsReport,
) -> Box<dyn Task<State>> {
    let task =
        JobTask::new(COMPARISON, why, move |why, state, _| explained(&why, (first, report), state));
    Box::new(task.within(COMPARISON_BUDGETS))
}

/// The explanation.
#[inline(never)]
fn explained(
    why: &ThreadsExplanation,
    (first, mut report): (ThreadsSession, ThreadsReport),
    state: &State,
) -> Finish<State> {
    let explained = threads_explained(&first, why, &report);
    let correct = correct_report(&report, &explained);
    let lit = explained.statements.iter().flat_map(|one| &one.statements);
    let lit = inserted::<BTreeSet<u32>, _>(lit.map(|lit| lit.line)).into_iter().collect();
    let piece = explained_html(&report, &explained, correct.as_ref());
    report.explanation = Some(explained);
    let json = json::render(&report);
    let found = ThreadsFound { lit, explained: piece, json, ..ThreadsFound::default() };
    let known = ThreadsFound { json: String::new(), ..found.clone() };
    let next = comparison(state, &first, known);
    Finish::then(Reply::OtherMethod { found: Box::new(found) }, next)
}

/// The same question for the other method, up to the bound that is decided. `known`: what is known
/// of the failing run.
fn comparison(
    state: &State,
    first: &ThreadsSession,
    known: ThreadsFound,
) -> Option<Box<dyn Task<State>>> {
    let method = match first.method() {
        ThreadsMethod::QadeerRehof => ThreadsMethod::Transducer,
        ThreadsMethod::Transducer => ThreadsMethod::QadeerRehof,
    };
    let switches = SwitchBound::AtMost(first.decided().unwrap_or(USUAL_SWITCHES));
    let asked = ThreadsOptions { switches, ..first.asked() };
    let job = session(state, method, asked, COMPARISON_BUDGETS)?;
    let task = JobTask::new(COMPARISON, job, move |job, _, _| compared(&job, known));
    Some(Box::new(task.within(COMPARISON_BUDGETS)))
}

/// What the other method built, beside what is known.
#[inline(never)]
fn compared(job: &ThreadsSession, known: ThreadsFound) -> Finish<State> {
    let ThreadsFound { lit, explained, .. } = known;
    let found = ThreadsFound { lit, explained, ..threads_found(job) };
    Finish::with([Reply::OtherMethod { found: Box::new(found) }])
}

fn session(
    state: &State,
    method: ThreadsMethod,
    asked: ThreadsOptions,
    budgets: Budgets,
) -> Option<ThreadsSession> {
    let options = state.session.options();
    Some(ThreadsSession::by(method, state.program()?, options, asked, budgets))
}
