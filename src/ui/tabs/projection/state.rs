//! What the page knows of the projection: the step of the failing run, runs through chosen
//! statements, and what was asked about statements.

use super::questions::Questions;
use super::through::ThroughRun;
use crate::draw::paint::{Marks, line_marks};
use crate::ui::state::model::Model;
use crate::ui::state::paint::{Paint, ascending};
use crate::ui::state::shared::Shared;
use crate::ui::tab::Tab;
use crate::util::Limit;
use crate::wire::graph::StatementView;
use crate::wire::report::{Report, TraceEntry, Verdict};
use crate::wire::why_not::Why;

/// The word of the tab.
pub(super) const WORD: &str = "projection";

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProjectionEvent {
    /// Show a failing run through this statement, alone or with those chosen before.
    Through(u32, bool),
    /// Show the shortest failing run again.
    LeaveThrough,
    /// Show the run of this check, by its place among those that can fail.
    Failure(u32),
    /// Ask whether a condition can hold at the selected statement.
    Query(String),
    /// Show or hide what only the naive projection keeps.
    Compare,
    /// Show equalities modulo 2^w, or over the integers, or none.
    Equalities(Option<Option<u32>>),
    /// The selection has come to rest.
    Settled,
}

/// All of it.
#[derive(Default)]
pub(crate) struct Projection {
    /// Of the failing run.
    pub(crate) step: Option<usize>,
    pub(crate) through: Option<ThroughRun>,
    /// Which of the checks that can fail is shown, from 1 on, with its run; `None`: the first.
    pub(crate) failure: Option<(u32, Shared<Report>)>,
    pub(crate) questions: Questions,
    /// Is the naive projection shown, for comparison?
    pub(crate) compared: bool,
    /// Which equalities are shown.
    pub(crate) equalities_of: Option<Option<u32>>,
    pub(crate) marks: Shared<Marks>,
}

impl Projection {
    /// The report with the failing run that is shown: a shortest one, that of another check, or one
    /// through chosen statements. Until there is an answer, what is known of a failing run.
    pub(crate) fn shown<'a>(&'a self, model: &'a Model) -> Option<&'a Shared<Report>> {
        let Some(answer) = model.fresh() else {
            let known = model.failing.as_ref().filter(|_| model.run.is_busy());
            return known.filter(|report| report.trace.is_some());
        };
        let through = self.through.as_ref().and_then(|through| through.shown.as_ref());
        let other = self.failure.as_ref().map(|(_, report)| report);
        Some(through.or(other).unwrap_or(&answer.report))
    }

    /// Shows the run of another check that can fail, or that of the first again.
    pub(super) fn choose_failure(&mut self, at: u32, step: Option<usize>, model: &mut Model) {
        let Some(report) = model.fresh().map(|fresh| fresh.report.clone()) else { return };
        self.leave_through(model);
        model.playing = false;
        self.failure = report.failures.get(at as usize).filter(|_| at > 0).map(|failure| {
            let (error, trace) = (Some(failure.error()), Some(failure.trace.clone()));
            (at, Shared::new(Report { error, trace, shortest: None, ..(*report).clone() }))
        });
        self.show_run(step, model);
    }

    /// The failing run that is shown; empty if there is none.
    pub(crate) fn trace<'a>(&'a self, model: &'a Model) -> &'a [TraceEntry] {
        self.shown(model).and_then(|report| report.trace.as_deref()).unwrap_or_default()
    }

    /// Box and statement of the current step.
    pub(crate) fn current(&self, model: &Model) -> Option<(u32, Option<u32>)> {
        let edge = self.trace(model).get(self.step?)?.edge;
        Some((model.location(edge)?, edge))
    }

    /// The box where the shown run fails.
    pub(crate) fn failing_location(&self, model: &Model) -> Option<u32> {
        self.shown(model).filter(|report| report.options.reach.is_none())?;
        model.location(self.trace(model).last()?.edge)
    }

    /// Statements that only the naive projection keeps, if they are to be shown.
    fn crossing<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = &'a StatementView> {
        let naive = self.questions.naive.get(&()).filter(|_| self.compared);
        let ids = naive.and_then(|naive| naive.as_deref()).unwrap_or_default();
        ids.iter().filter_map(|id| model.statement(*id)).filter(|s| !s.hidden)
    }

    /// Their boxes.
    pub(crate) fn crossing_boxes(&self, model: &Model) -> Vec<u32> {
        let mut boxes: Vec<u32> = self.crossing(model).map(|s| s.location).collect();
        boxes.dedup();
        boxes
    }

    /// Is a reason to be given why the selected statement is innocent; and which, if it is known?
    pub(crate) fn why(&self, model: &Model) -> (bool, Option<Result<Why, Option<Limit>>>) {
        let selected = model.selection.statement.and_then(|s| model.statement(s));
        let innocent = selected.is_some_and(|s| is_innocent(s, model));
        (innocent, selected.and_then(|s| self.questions.whys.get(&s.id)).cloned())
    }

    /// Goes to a step of the run that is shown now; by default to its end.
    pub(super) fn show_run(&mut self, step: Option<usize>, model: &mut Model) {
        let last = self.trace(model).len().saturating_sub(1);
        self.repaint(model);
        self.go_to(step.unwrap_or(last), model);
    }

    /// Selects the statement of a step.
    pub(super) fn select_step(&mut self, step: usize, model: &mut Model) {
        let trace = self.trace(model);
        let Some(last) = trace.len().checked_sub(1) else { return };
        let (line, edge) = (trace[step.min(last)].line, trace[step.min(last)].edge);
        self.step = Some(step.min(last));
        model.select_step(line, edge);
    }

    /// The picture shows the step: where one procedure is shown, the one that it is in.
    pub(super) fn follow(&self, model: &mut Model) {
        let current = self.current(model).map(|(location, _)| location);
        if let Some(location) = current.or(model.selection.locations.first().copied())
            && model.bring(location, false)
        {
            model.draw();
        }
    }

    /// Paints the lines.
    pub(super) fn repaint_lines(&mut self, model: &mut Model) {
        let report = self.shown(model).cloned();
        let lines = line_marks(&model.statements, report.as_deref());
        let failing = report.filter(|report| report.options.reach.is_none());
        let fails = failing.and_then(|r| r.error.as_ref().map(|e| e.line)).unwrap_or(0);
        let cross = ascending(self.crossing(model).map(|s| s.line));
        let paint = Paint { lit: lines.lit, dim: lines.dim, cross, fails, causes: Vec::new() };
        if *model.paint != paint {
            model.paint = Shared::new(paint);
        }
    }
}

/// Is a reason to be given why this statement is innocent?
pub(super) fn is_innocent(statement: &StatementView, model: &Model) -> bool {
    let told = model.fresh().is_some_and(|answer| {
        let report = &answer.report;
        let known = matches!(report.shown_verdict(), Verdict::Unsafe | Verdict::Safe);
        known && report.projection.is_some() && report.pushdown.is_none()
    });
    told && !statement.lit && !statement.hidden
}
