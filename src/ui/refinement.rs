//! The refinement loop in the page's frame: rounds and their phases, counterexample DAGs with their
//! interpolants, the abstract program, heuristics beside each other.
//!
//! The worker runs the loop to its end and keeps it; a round is read off it when it is shown.

mod ask;
mod dag_view;
mod events;
mod folds;
mod heuristics;
mod inspector;
mod pair;
mod pane;
mod program;
mod side_by_side;
mod state;
mod timeline;

pub(super) use events::{RefinementEvent, SideEvent};
pub(super) use pair::{Wanted, side_ask};
pub(super) use state::Refinement;

use super::analysis::{Panes, Timeline};
use super::app::App;
use crate::draw::svg::{self, Painting, Theme};
use inspector::RefinementInspector;
use pane::RefinementPane;
use timeline::RefinementTimeline;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(app: &App) -> Panes {
    let (refinement, on) = (&app.model.refinement, &app.handlers);
    let view = refinement.view();
    let picture = html! {
        <RefinementPane ask={refinement.ask.clone()} run={refinement.run.clone()} step={refinement.step} shown={refinement.shown()} view={view.clone()}
            picture={refinement.picture()} line={refinement.line} folded={view.as_ref().map(|view| refinement.folds.of(view)).unwrap_or_default()}
            program={refinement.program.clone()} rows={refinement.rows.clone()} comparing={refinement.comparing.is_some()} selected={refinement.selected}
            paper={refinement.paper.clone()} pair={refinement.pair.chosen.clone()} sides={refinement.pair.shown.then(|| refinement.pair.sides.clone())}
            asked={refinement.asked.clone()} said={refinement.said(app.model.broken())} stale={refinement.stale()} fresh={refinement.fresh}
            options={app.model.effective.clone()} on_event={on.refinement.clone()} on_line={on.line.clone()} />
    };
    let inspector = html! {
        <RefinementInspector run={refinement.run.clone()} step={refinement.step} {view} selected={refinement.selected} line={refinement.line} fresh={refinement.fresh}
            on_event={on.refinement.clone()} on_line={on.line.clone()} />
    };
    let timeline = refinement.run.as_ref().filter(|run| !run.steps.is_empty()).map(|run| {
        html! { <RefinementTimeline run={run.clone()} step={refinement.step} playing={app.playing()} on_move={on.step.clone()} /> }
    });
    Panes { picture, inspector, timeline }
}

/// Rounds and phases.
pub(super) fn timeline(app: &App) -> Option<Timeline> {
    let refinement = &app.model.refinement;
    let count = refinement.run.as_ref()?.steps.len();
    (count > 0).then_some(Timeline { step: refinement.step, count })
}

/// The line of the selected node.
pub(super) fn current_line(app: &App) -> u32 {
    let refinement = &app.model.refinement;
    let (Some(view), Some(selected)) =
        (refinement.view().filter(|_| refinement.fresh), refinement.selected)
    else {
        return 0;
    };
    view.nodes.iter().find(|node| node.node == selected).map_or(0, |node| node.line)
}

/// The DAG that is shown, for any viewer, and its extent.
pub(super) fn standalone(refinement: &Refinement, theme: Theme) -> Option<(String, f64, f64)> {
    let picture = refinement.picture().filter(|picture| !picture.boxes.is_empty())?;
    Some((svg::standalone(&picture, &Painting::default(), theme), picture.size.x, picture.size.y))
}
