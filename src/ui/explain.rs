//! Explanations in the page's frame: one error at four levels of detail, the failing run beside a
//! correct one, causes, focus sequences, suspicious statements, repairs.
//!
//! The worker explains to the end and tells all of it, stage by stage; choosing a level, a run or a
//! sequence asks it nothing more.

mod aligned;
mod causes;
mod inspector;
mod levels;
mod pane;
mod repairs;
mod sequences;
mod state;
mod suspects;
mod timeline;

pub(super) use state::{Explain, ExplainEvent};

use super::analysis::{Panes, Timeline};
use super::app::App;
use super::graph_pane::GraphPane;
use super::slice;
use crate::report::explain::Level;
use inspector::ExplainInspector;
use pane::ExplainPane;
use timeline::ExplainTimeline;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(app: &App) -> Panes {
    let (model, on) = (&app.model, &app.handlers);
    let explain = &model.explain;
    let level = explain.shown_level();
    let has = Level::ALL.map(|level| explain.has(level));
    let counts = Level::ALL.map(|level| explain.lines(level, &model.statements));
    let said = explain.said(model.broken());
    let graph = html! {
        <GraphPane title="Control flow" graph={model.graph.clone()} picture={model.picture.clone()} folding={model.folding.clone()} marks={explain.marks.clone()}
            fails={failing_location(app)} current={current(app)} selected={model.selection.locations.clone()} cross={Vec::<u32>::new()} on_event={on.graph.clone()} />
    };
    let picture = html! {
        <ExplainPane found={explain.found.clone()} asked={explain.asked.clone()} millis={explain.millis} {level} {has} {counts} side_by_side={explain.side_by_side}
            run={explain.run} sequence={explain.sequence} row={explain.row().and_then(|row| row.row)} fresh={explain.fresh} halted={explain.halted} {said}
            on_event={on.explain.clone()} on_line={on.line.clone()}>{ graph }</ExplainPane>
    };
    let slice = slice::lines(model.fresh()).map(<[u32]>::to_vec);
    let inspector = html! {
        <ExplainInspector found={explain.found.clone()} ask={explain.ask.clone()} {level} run={explain.run} sequence={explain.sequence} row={explain.row().and_then(|row| row.row)}
            inputs={explain.inputs.clone()} fresh={explain.fresh} working={explain.asked.as_ref().map(|asked| asked.stage.clone())} {slice} read_only={app.embed}
            on_event={on.explain.clone()} on_line={on.line.clone()} />
    };
    let timeline = (explain.fresh && !explain.rows.is_empty()).then(|| {
        html! { <ExplainTimeline rows={explain.rows.clone()} {level} step={explain.step()} fails={fails(app)} playing={app.playing()} on_move={on.step.clone()} /> }
    });
    Panes { picture, inspector, timeline }
}

/// The statements of the level.
pub(super) fn timeline(app: &App) -> Option<Timeline> {
    let explain = &app.model.explain;
    let count = explain.rows.len();
    (explain.fresh && count > 0).then(|| Timeline { step: explain.step(), count })
}

/// The line of the step's statement.
pub(super) fn current_line(app: &App) -> u32 {
    app.model.explain.row().map_or(0, |row| row.line)
}

/// Box and statement of the step.
pub(super) fn current(app: &App) -> Option<(u32, Option<u32>)> {
    let edge = app.model.explain.row()?.edge?;
    Some((app.model.statement(edge)?.location, Some(edge)))
}

/// The box where the shown run fails.
pub(super) fn failing_location(app: &App) -> Option<u32> {
    let explain = &app.model.explain;
    let last = explain.trace().last().filter(|_| explain.fresh)?.edge?;
    app.model.statement(last).map(|statement| statement.location)
}

/// Is the last row of the level the failing statement?
fn fails(app: &App) -> bool {
    let explain = &app.model.explain;
    let last = explain.rows.last().and_then(|row| row.row);
    last.is_some() && last.map(|last| last + 1) == Some(explain.trace().len())
}

/// What the paint on the source means.
pub(super) fn legend(app: &App) -> Html {
    let explain = &app.model.explain;
    if explain.rows.is_empty() {
        return html! {};
    }
    let bright = match explain.shown_level() {
        Level::Program => None,
        Level::Run => Some("on this failing run"),
        Level::Focus => Some("in the focus sequence"),
        Level::Nest => Some("in the NEST"),
    };
    html! {
        <div class="legend" aria-label="Legend">
            if let Some(bright) = bright {
                <span><i class="key lit"></i>{ bright }</span>
                <span><i class="key dim">{ "ab" }</i>{ "the rest" }</span>
            }
            <span><i class="key caused"></i>{ "cause of this run" }</span>
            <span><i class="key current"></i>{ "step" }</span>
            { slice::switch(app.model.fresh(), app.slice_shown, app.handlers.toggle_slice.reform(|_| ())) }
        </div>
    }
}

/// A sentence whose words between backquotes are code.
fn with_code(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(k, part)| {
        if k % 2 == 1 {
            html! { <code>{ part.to_string() }</code> }
        } else {
            html! { { part.to_string() } }
        }
    });
    html! { <>{ for parts }</> }
}
