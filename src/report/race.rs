//! A data race: the two accesses, who makes them, and what to do.

use crate::lang::interpreter::{Ended, Race};
use crate::lang::model::Program;
use crate::report::steps::named;
use crate::session::InterleavedFailure;
use crate::wire::report::{ErrorKind, ErrorReport};
use crate::wire::threads::RaceReport;

/// The race that a run ends with.
pub(in crate::report) fn race_of(run: &InterleavedFailure) -> Option<&Race> {
    match &run.replay.ended {
        Ended::Race(race) => Some(race),
        _ => None,
    }
}

/// The two accesses. `step`: the entry of the trace that is the first one.
pub(in crate::report) fn race(program: &Program, race: &Race, step: u32) -> RaceReport {
    RaceReport {
        place: named(program, race.first.variable, race.first.element).place,
        step,
        first_writes: race.first.writes,
        second_writes: race.second.writes,
    }
}

/// The error that a race is; `name` names threads.
pub(in crate::report) fn race_error(
    program: &Program,
    run: &InterleavedFailure,
    race: &Race,
    name: impl Fn(usize) -> String,
) -> ErrorReport {
    let place = named(program, race.first.variable, race.first.element).place;
    let told = |step: Option<&(usize, _)>, writes: bool| -> (String, u32) {
        let step: Option<&(usize, crate::lang::interpreter::ConcreteStep)> = step;
        let line = step.map_or(0, |(_, step)| program.edge(step.edge).span.line);
        let who = step.map_or(String::new(), |(thread, _)| name(*thread));
        let verb = if writes { "writes" } else { "reads" };
        (format!("{who} {verb} it at line {line}"), line)
    };
    let (first, _) = told(run.run.steps.get(race.at), race.first.writes);
    let (second, line) = told(run.run.steps.last(), race.second.writes);
    let locks = match race.first.atomic || race.second.atomic {
        true => "make both accesses atomic, or hold one lock at both",
        false => "hold one lock at both, or make both accesses atomic",
    };
    let detail = format!("{first}, {second}, and nothing orders the two: {locks}");
    ErrorReport::new(line, ErrorKind::Race, format!("data race on {place}"), Some(detail))
}
