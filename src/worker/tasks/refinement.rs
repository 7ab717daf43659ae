//! The refinement loop: runs, rounds that are read for the picture, and the comparison of
//! heuristics.

use crate::report::cegar_seed::seed;
use crate::report::liveness::liveness_refusal;
use crate::report::liveness_rounds::formula_report;
use crate::report::refinement_reading::{
    Looped, RoundReading, abstract_view, compare_row, refinement_report, rounds,
};
use crate::session::{CegarSession, Job, LivenessQuestion, LivenessSession};
use crate::util::{Alarm, Budgets, Limit, Progress};
use crate::wire::cegar::RoundReport;
use crate::wire::liveness::{LivenessAsk, asked_in, is_fair_in};
use crate::wire::options::EffectiveOptions;
use crate::wire::protocol::{Detail, Reply};
use crate::wire::refinement::{CegarOptions, Heuristic, RefinementAsk, RefinementReport};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority, Step, Task};
use crate::worker::state::{Answer, State};

const LOOP: Class = Class { beside_run: 1, ..Class::new("refine", Priority::Analysis) };
const SIDES: [Class; 2] =
    [Class::new("side 0", Priority::Analysis), Class::new("side 1", Priority::Analysis)];
/// A person looks at the round that is read, also while the program is checked.
const READING: Class =
    Class { waits: true, beside_run: 4, ..Class::new("round", Priority::Question) };
const COMPARISON: Class = Class::new("compare", Priority::Comparison);

/// The finished runs whose rounds can be read: the one that was asked for, and the two that are
/// shown side by side.
#[derive(Default)]
struct Finished {
    run: Option<Looping>,
    sides: [Option<Looping>; 2],
}

/// A run of the loop: for the assertions, or for a formula.
enum Looping {
    Errors(Box<CegarSession>),
    Formula(Box<LivenessSession>),
}

impl Looping {
    fn job(&self) -> &dyn Job {
        match self {
            Looping::Errors(job) => &**job,
            Looping::Formula(job) => &**job,
        }
    }

    fn job_mut(&mut self) -> &mut dyn Job {
        match self {
            Looping::Errors(job) => &mut **job,
            Looping::Formula(job) => &mut **job,
        }
    }

    fn looped(&mut self) -> &mut dyn Looped {
        match self {
            Looping::Errors(job) => &mut **job,
            Looping::Formula(job) => &mut **job,
        }
    }

    /// The rounds of assertions as they come; those of a formula are told at the end.
    fn rounds(&self) -> Vec<RoundReport> {
        match self {
            Looping::Errors(job) => rounds(job),
            Looping::Formula(_) => Vec::new(),
        }
    }

    fn report(&mut self, options: &EffectiveOptions, ask: &RefinementAsk) -> RefinementReport {
        match self {
            Looping::Errors(job) => refinement_report(job, options, ask),
            Looping::Formula(job) => formula_report(job, options, ask),
        }
    }
}

impl Job for Looping {
    fn step(&mut self) -> bool {
        self.job_mut().step()
    }

    fn stop(&mut self, limit: Limit) {
        self.job_mut().stop(limit);
    }

    fn limit(&self) -> Option<Limit> {
        self.job().limit()
    }

    fn progress(&self) -> Progress {
        self.job().progress()
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        self.job_mut().set_alarm(alarm);
    }
}

impl Finished {
    fn place(&mut self, side: Option<u32>) -> Option<&mut Option<Looping>> {
        match side {
            None => Some(&mut self.run),
            Some(side) => self.sides.get_mut(side as usize),
        }
    }
}

fn finished(state: &mut State, side: Option<u32>) -> Option<&mut Looping> {
    state.kept::<Finished>()?.place(side)?.as_mut()
}

/// Runs the loop; `side`: for one side of a comparison of two heuristics.
pub(super) fn begin(
    state: &mut State,
    side: Option<u32>,
    ask: RefinementAsk,
    budgets: Budgets,
) -> Answer {
    let mut known = state.take::<Finished>().filter(|_| side.is_some()).unwrap_or_default();
    let place = known.place(side).map(Option::take);
    state.keep(known);
    let class = side.map_or(Some(&LOOP), |side| SIDES.get(side as usize));
    let (Some(_), Some(class)) = (place, class) else { return Answer::dropped() };
    let reply = move |report| match side {
        None => Reply::Refined { report: Box::new(report) },
        Some(_) => Reply::Side { report: Box::new(report) },
    };
    let made = match ask.of_formula {
        true => formula(state, &ask, budgets).map(Box::new).map(Looping::Formula),
        false => cegar(state, &ask, budgets).map(Box::new).map(Looping::Errors),
    };
    match made {
        Err(problems) => {
            let (answer, rounds) = (None, Vec::new());
            Answer::now(reply(RefinementReport {
                ask,
                answer,
                rounds,
                problems,
                predicates: 0,
                decided: None,
                said: Vec::new(),
            }))
        }
        Ok(job) => {
            // A run beside it may change the width of the session.
            let options = state.session.options().clone();
            let task = JobTask::new(*class, job, move |mut job, state, _| {
                let report = job.report(&options, &ask);
                if let Some(place) = state.kept::<Finished>().and_then(|all| all.place(side)) {
                    *place = Some(job);
                }
                Finish::with([reply(report)])
            });
            let task = task.within(budgets);
            if side.is_some() {
                return Answer::later(task);
            }
            let phases = |job: &Looping| match job {
                Looping::Errors(job) => job.rounds().iter().map(|round| round.steps.len()).sum(),
                Looping::Formula(_) => 0,
            };
            Answer::later(task.with_news(phases).reporting(|job| Detail::Rounds(job.rounds())))
        }
    }
}

/// The loop of what the program's first directive asks.
fn formula(
    state: &State,
    ask: &RefinementAsk,
    budgets: Budgets,
) -> Result<LivenessSession, Vec<String>> {
    let source = state.session.source();
    let (Some(program), Some(asked)) = (state.program(), asked_in(source).into_iter().next())
    else {
        let how = "The program asks nothing: write //! ltl = FORMULA, or //! terminates.";
        return Err(vec![how.to_string()]);
    };
    let (text, question) = match asked {
        LivenessAsk::Formula(text) => (text.clone(), LivenessQuestion::Formula(text)),
        LivenessAsk::Termination => (String::new(), LivenessQuestion::Termination),
    };
    let (options, fair) = (state.session.options(), is_fair_in(source));
    let alarm = Some(state.alarm.clone());
    LivenessSession::new(program, source, options, &question, fair, budgets, alarm)
        .map(|job| job.refined(ask.options.max_rounds).explained())
        .map_err(|refusal| vec![liveness_refusal(&text, &refusal).message])
}

fn cegar(
    state: &State,
    ask: &RefinementAsk,
    budgets: Budgets,
) -> Result<CegarSession, Vec<String>> {
    let Some(program) = state.program() else {
        return Err(vec!["There is no program whose data could be abstracted.".to_string()]);
    };
    let error = state.session.options().error;
    let mut job = CegarSession::new(program, error, ask.options(), budgets);
    let seeds = ask.predicates.iter();
    let problems: Vec<String> =
        seeds.filter_map(|predicate| seed(&mut job, predicate).err()).collect();
    if problems.is_empty() { Ok(job) } else { Err(problems) }
}

/// The abstract program of the last round.
pub(super) fn abstracted(state: &mut State) -> Answer {
    let Some(run) = finished(state, None) else { return Answer::dropped() };
    Answer::now(Reply::Abstracted { program: abstract_view(run.looped()) })
}

/// Reads a round of a finished run.
pub(super) fn round(state: &mut State, side: Option<u32>, round: u32) -> Answer {
    let reading = finished(state, side).and_then(|run| RoundReading::new(run.looped(), round));
    match reading {
        Some(reading) => Answer::later(Reading { side, reading: Some(Box::new(reading)) }),
        None => Answer::now(Reply::Round { round: None }),
    }
}

/// A round that is being read; `None` once that was given up.
struct Reading {
    side: Option<u32>,
    reading: Option<Box<RoundReading>>,
}

impl Task<State> for Reading {
    fn class(&self) -> Class {
        READING
    }

    fn step(&mut self, state: &mut State) -> Step {
        let run = finished(state, self.side);
        let is_over =
            run.zip(self.reading.as_mut()).is_none_or(|(run, reading)| reading.step(run.looped()));
        if is_over { Step::Over } else { Step::More }
    }

    fn stop(&mut self, _: &mut State) {
        self.reading = None;
    }

    fn finish(self: Box<Self>, state: &mut State, _: u64) -> Finish<State> {
        let run = finished(state, self.side);
        let round =
            run.zip(self.reading).map(|(run, reading)| Box::new(reading.finish(run.looped())));
        Finish::with([Reply::Round { round }])
    }
}

/// Runs the loop with every heuristic, one after the other.
pub(super) fn compare(state: &mut State, ask: RefinementAsk, budgets: Budgets) -> Answer {
    match heuristic(state, ask, budgets, 0) {
        Some(task) => Answer::Later(task),
        None => Answer::now(Reply::Compared { row: None }),
    }
}

/// The loop with the heuristic of this number, and then with those after it.
fn heuristic(
    state: &State,
    ask: RefinementAsk,
    budgets: Budgets,
    number: usize,
) -> Option<Box<dyn Task<State>>> {
    let heuristic_now = *Heuristic::ALL.get(number)?;
    // The row shows no interpolants, so only those that become predicates are computed. It is of
    // predicates: followed variables would say nothing of the heuristic.
    let options = CegarOptions { heuristic: heuristic_now, follow: false, ..ask.options };
    let ask = RefinementAsk { options, terse: true, ..ask };
    let job = cegar(state, &ask, budgets).ok()?;
    let task = JobTask::new(COMPARISON, job, move |job, state, millis| {
        let row = Some(compare_row(&job, &ask, millis));
        Finish::then(Reply::Compared { row }, heuristic(state, ask, budgets, number + 1))
    });
    Some(Box::new(task.within(budgets)))
}
