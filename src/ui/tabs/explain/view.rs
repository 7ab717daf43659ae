//! Explanations as they are drawn.

mod aligned;
mod causes;
mod inspector;
mod levels;
mod pane;
mod repairs;
mod sequences;
mod suspects;

use super::state::{Explain, ExplainEvent};
use crate::ui::frame::graph_pane::GraphPane;
use crate::ui::frame::slice;
use crate::ui::tab::Tab;
use crate::ui::view::{Panes, View};
use crate::wire::explain::Level;
use inspector::ExplainInspector;
use pane::ExplainPane;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(explain: &Explain, view: &View) -> Panes {
    let (model, on) = (view.model, view.on);
    let on_event = on.sends::<ExplainEvent>(explain.word());
    let level = explain.shown_level();
    let graph = html! {
        <GraphPane title="Control flow" graph={model.graph.clone()} picture={model.picture.clone()}
            folding={model.folding.clone()} marks={explain.marks.clone()}
            fails={explain.failing_location(model)} current={explain.current(model)}
            selected={model.selection.locations.clone()} cross={Vec::<u32>::new()}
            on_event={on.graph.clone()} />
    };
    let picture = html! {
        <ExplainPane found={explain.found.clone()} {level}
            has={Level::ALL.map(|level| explain.has(level))}
            counts={Level::ALL.map(|level| explain.lines(level, &model.statements))}
            side_by_side={explain.side_by_side} run={explain.run} sequence={explain.sequence}
            row={explain.row().and_then(|row| row.row)}
            explained={explain.work.is_fresh() && !explain.work.is_busy()}
            said={explain.in_place_of_picture(model.broken())} on_event={on_event.clone()}
            on_line={on.line.clone()}>{ graph }</ExplainPane>
    };
    let inspector = html! {
        <ExplainInspector found={explain.found.clone()} ask={explain.ask.clone()} {level}
            run={explain.run} sequence={explain.sequence}
            row={explain.row().and_then(|row| row.row)} line={model.selection.line} inputs={explain.inputs.clone()}
            fresh={explain.work.is_fresh()}
            working={explain.work.pending().map(|pending| pending.progress.stage)}
            slice={slice::lines(model.fresh()).map(<[u32]>::to_vec)} read_only={view.read_only}
            {on_event} on_line={on.line.clone()} />
    };
    Panes { picture, inspector, legend: Some(legend(explain, view)), ..Panes::default() }
}

/// What the paint on the source means.
fn legend(explain: &Explain, view: &View) -> Html {
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
            if !explain.paint.causes.is_empty() {
                <span><i class="key caused"></i>{ "cause of this run" }</span>
            }
            <span><i class="key current"></i>{ "step" }</span>
            { slice::switch(view.model.fresh(), view.slice_shown, view.on.toggle_slice.clone()) }
        </div>
    }
}
