//! The bounded engine: a short try beside a run of the diagrams that takes long, a long one where
//! they end in a limit, and alone where nothing else reads the program.
//!
//! Each try is one step, which looks at the clock as it goes.

use crate::report;
use crate::util::{Budgets, Limit, Progress, Stage};
use crate::wire::graph::StatementView;
use crate::wire::protocol::Reply;
use crate::wire::report::{Analysis, Report, Verdict};
use crate::wire::trace::TraceEntry;
use crate::worker::queue::{Class, Finish, Priority, Step, Task};
use crate::worker::state::State;
use std::cell::Cell;
use std::rc::Rc;

/// Milliseconds of a try that nobody gave a time, with the usual budgets.
const MILLIS: u64 = 30_000;

/// A short try beside the diagrams, with so many looks at the clock: an answer, if it comes to one.
pub(super) fn short(state: &State, looks: u32) -> Option<Report> {
    answer(state, looks).filter(|report| report.verdict != Verdict::Unknown)
}

/// A try after the diagrams: this report stands if there is no better one.
pub(super) fn after(budgets: Budgets, known: Report, millis: u64) -> Box<dyn Task<State>> {
    let max_millis = budgets.max_millis.map(|most| most.saturating_sub(millis));
    Box::new(Try { max_millis: max_millis.or(Some(time(budgets))), known: Some(known) })
}

/// The check of a program that only the bounded engine reads.
pub(in crate::worker) fn alone(budgets: Budgets) -> Box<dyn Task<State>> {
    Box::new(Try { max_millis: budgets.max_millis.or(Some(time(budgets))), known: None })
}

/// Who asks with more of the budgets gives more time.
fn time(budgets: Budgets) -> u64 {
    MILLIS * (budgets.max_nodes / Budgets::default().max_nodes).max(1)
}

struct Try {
    max_millis: Option<u64>,
    /// What was found out before.
    known: Option<Report>,
}

impl Task<State> for Try {
    fn class(&self) -> Class {
        Class::new("run", Priority::Run)
    }

    fn step(&mut self, state: &mut State) -> Step {
        let found = answer(state, u32::MAX);
        self.known = match (self.known.take(), found) {
            (Some(known), Some(found)) if found.verdict == Verdict::Unknown => {
                Some(Report { bounded: found.bounded, ..known })
            }
            (known, found) => found.or(known),
        };
        Step::Over
    }

    fn stop(&mut self, _: &mut State) {}

    fn max_millis(&self) -> Option<u64> {
        self.max_millis
    }

    fn underway(&self, _: &State) -> Option<Progress> {
        Some(Progress { stage: Stage::Bounded, ..Progress::default() })
    }

    fn finish(self: Box<Self>, state: &mut State, _: u64) -> Finish<State> {
        let report = self.known.unwrap_or_else(|| {
            let options = state.session.options().clone();
            let report = Report::new(Analysis::Check, Verdict::Unknown, options);
            Report { limit: Some(Limit::Steps), checked: 1, ..report }
        });
        Finish::with([Reply::Done { report, statements: report::statements(&state.session) }])
    }
}

/// The bounded engine's answer, if it has a place here; its steps are those of the picture, where
/// there is one.
fn answer(state: &State, most_looks: u32) -> Option<Report> {
    let (alarm, looks) = (state.alarm.clone(), Cell::new(0));
    let stop = Rc::new(move || {
        looks.set(looks.get() + 1);
        looks.get() > most_looks || alarm.look(0).is_some()
    });
    let options = state.session.options();
    let mut report = report::bounded(&state.source, &state.requested, options, stop)?;
    let statements = report::statements(&state.session);
    report.trace.iter_mut().flatten().for_each(|entry| place(entry, &statements));
    let traces = report.failures.iter_mut().flat_map(|failure| &mut failure.trace);
    traces.for_each(|entry| place(entry, &statements));
    Some(report)
}

/// The statement of the picture that a step is: the first one of its line.
fn place(entry: &mut TraceEntry, statements: &[StatementView]) {
    let here = |one: &&StatementView| one.line == entry.line && !one.hidden;
    entry.edge = statements.iter().find(here).map(|one| one.id);
}
