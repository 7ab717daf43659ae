//! The refinement loop: runs, rounds that are read for the picture, and the comparison of
//! heuristics.

use crate::report::cegar_seed::seed;
use crate::report::refinement_reading::{
    RoundReading, abstract_view, compare_row, refinement_report, rounds,
};
use crate::session::CegarSession;
use crate::util::Budgets;
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
    run: Option<CegarSession>,
    sides: [Option<CegarSession>; 2],
}

impl Finished {
    fn place(&mut self, side: Option<u32>) -> Option<&mut Option<CegarSession>> {
        match side {
            None => Some(&mut self.run),
            Some(side) => self.sides.get_mut(side as usize),
        }
    }
}

fn finished(state: &mut State, side: Option<u32>) -> Option<&mut CegarSession> {
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
    match cegar(state, &ask, budgets) {
        Err(problems) => {
            let (answer, rounds) = (None, Vec::new());
            Answer::now(reply(RefinementReport {
                ask,
                answer,
                rounds,
                problems,
                predicates: 0,
                decided: None,
            }))
        }
        Ok(job) => {
            // A run beside it may change the width of the session.
            let options = state.session.options().clone();
            let task = JobTask::new(*class, job, move |mut job, state, _| {
                let report = refinement_report(&mut job, &options, &ask);
                if let Some(place) = state.kept::<Finished>().and_then(|all| all.place(side)) {
                    *place = Some(job);
                }
                Finish::with([reply(report)])
            });
            let task = task.within(budgets);
            if side.is_some() {
                return Answer::later(task);
            }
            let phases =
                |job: &CegarSession| job.rounds().iter().map(|round| round.steps.len()).sum();
            Answer::later(task.with_news(phases).reporting(|job| Detail::Rounds(rounds(job))))
        }
    }
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
    Answer::now(Reply::Abstracted { program: abstract_view(run) })
}

/// Reads a round of a finished run.
pub(super) fn round(state: &mut State, side: Option<u32>, round: u32) -> Answer {
    let reading = finished(state, side).and_then(|run| RoundReading::new(run, round));
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
        let is_over = run.zip(self.reading.as_mut()).is_none_or(|(run, reading)| reading.step(run));
        if is_over { Step::Over } else { Step::More }
    }

    fn stop(&mut self, _: &mut State) {
        self.reading = None;
    }

    fn finish(self: Box<Self>, state: &mut State, _: u64) -> Finish<State> {
        let run = finished(state, self.side);
        let round = run.zip(self.reading).map(|(run, reading)| Box::new(reading.finish(run)));
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
