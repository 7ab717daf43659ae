//! The projection in the page's frame: the control-flow graph, the selected statement, and the
//! failing run.

use super::analysis::{Panes, Timeline};
use super::app::App;
use super::graph_pane::GraphPane;
use super::inspector::Inspector;
use super::stepper::Stepper;
use crate::wire::graph::StatementView;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(app: &App) -> Panes {
    let (model, on) = (&app.model, &app.handlers);
    let title = if model.dialect().is_raw() { "Heads and rules" } else { "Control flow" };
    let picture = html! {
        <GraphPane {title} graph={model.graph.clone()} picture={model.picture.clone()} folding={model.folding.clone()} marks={model.marks.clone()}
            fails={model.failing_location()} current={model.current()} selected={model.selection.locations.clone()} cross={model.crossing()} on_event={on.graph.clone()} />
    };
    let shown =
        model.shown().filter(|report| report.trace.as_ref().is_some_and(|trace| !trace.is_empty()));
    let run = shown.map(|report| {
        html! {
            <Stepper report={report.clone()} through={model.through.clone()} on_leave={on.leave_through.clone()} step={model.step.unwrap_or(0)} playing={app.playing()} on_move={on.step.clone()} />
        }
    });
    Panes { picture, inspector: inspector(app), timeline: run }
}

/// The failing run's steps.
pub(super) fn timeline(app: &App) -> Option<Timeline> {
    let (step, count) = (app.model.step?, app.model.trace().len());
    (count > 0).then_some(Timeline { step, count })
}

/// The line of the step's statement.
pub(super) fn current_line(app: &App) -> u32 {
    app.model.step.and_then(|step| app.model.trace().get(step)).map_or(0, |entry| entry.line)
}

fn inspector(app: &App) -> Html {
    let (model, on) = (&app.model, &app.handlers);
    let chosen = &model.selection;
    let here = |s: &&StatementView| {
        chosen.locations.contains(&s.location) || Some(s.id) == chosen.statement
    };
    let statements = model.statements.iter().filter(here).cloned().collect::<Vec<_>>();
    let inspection = chosen.statement.and_then(|s| model.inspections.get(&s)).cloned().flatten();
    let innocent =
        chosen.statement.and_then(|s| model.statement(s)).is_some_and(|s| app.innocent(s));
    let why = chosen.statement.and_then(|s| model.answers.whys.get(&s)).cloned();
    html! {
        <Inspector {statements} selected={chosen.statement} line={chosen.line} report={model.shown().cloned()} step={model.step}
            through={model.through.clone()} on_through={on.through.clone()}
            relations={(!model.dialect().is_raw()).then(|| model.relations.clone())} bits={model.effective.as_ref().map_or(4, |options| options.bits)} on_equalities={on.equalities.clone()}
            {inspection} innocent={innocent} why={why} query={model.answers.query.clone()} on_query={on.query.clone()}
            on_statement={on.statement.clone()} on_line={on.line.clone()} />
    }
}
