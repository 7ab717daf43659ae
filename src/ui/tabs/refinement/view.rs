//! The refinement loop as it is drawn.

mod ask;
mod dag_view;
mod heuristics;
mod inspector;
mod pane;
mod program;
mod side_by_side;

use super::events::RefinementEvent;
use super::state::Refinement;
use crate::ui::tab::Tab;
use crate::ui::view::{Panes, View};
use crate::wire::liveness::asked_in;
use inspector::RefinementInspector;
use pane::RefinementPane;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(refinement: &Refinement, view: &View) -> Panes {
    let (model, on) = (view.model, view.on);
    let on_event = on.sends::<RefinementEvent>(refinement.word());
    let round = refinement.view();
    let folded = round.as_ref().map(|round| refinement.folds.of(round)).unwrap_or_default();
    let asks = !asked_in(&model.source).is_empty();
    let picture = html! {
        <RefinementPane ask={refinement.ask.clone()} {asks} run={refinement.run.clone()}
            step={refinement.step} shown={refinement.shown()} view={round.clone()}
            picture={refinement.picture()} line={refinement.line} {folded}
            program={refinement.program()} rows={refinement.rows.clone()}
            comparing={refinement.comparison.is_busy()} selected={refinement.selected}
            paper={refinement.paper.clone()} pair={refinement.pair.chosen.clone()}
            sides={refinement.pair.shown.then(|| refinement.pair.sides.clone())}
            busy={refinement.work.is_busy()} fresh={refinement.work.is_fresh()}
            said={refinement.in_place_of_run(model.broken())} on_event={on_event.clone()}
            on_line={on.line.clone()} />
    };
    let inspector = html! {
        <RefinementInspector run={refinement.run.clone()} step={refinement.step} view={round}
            selected={refinement.selected} line={refinement.line}
            fresh={refinement.work.is_fresh()} {on_event} on_line={on.line.clone()} />
    };
    Panes { picture, inspector, ..Panes::default() }
}
