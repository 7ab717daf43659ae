//! Liveness as it is drawn. Its panes are functions and no components of their own: a component
//! costs everybody's first visit some kilobytes.

mod field;
mod inspector;
mod table;

use super::state::{Liveness, LivenessEvent};
use crate::ui::frame::graph_pane::GraphPane;
use crate::ui::tab::Tab;
use crate::ui::view::{Panes, View};
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(liveness: &Liveness, view: &View) -> Panes {
    let (model, on) = (view.model, view.on);
    let send = on.sends::<LivenessEvent>(liveness.word());
    let found = liveness.found.as_deref();
    let graph = html! {
        <GraphPane title="Control flow" graph={model.graph.clone()} picture={model.picture.clone()}
            folding={model.folding.clone()} marks={liveness.marks.clone()} fails={None::<u32>}
            current={liveness.current(model)} selected={model.selection.locations.clone()}
            cross={Vec::<u32>::new()} on_event={on.graph.clone()} />
    };
    let is_settled = liveness.work.is_fresh() && !liveness.work.is_busy();
    let picture = html! {
        <section class="pane graph-pane liveness-pane" aria-label="Liveness"
            data-settled={is_settled.to_string()}>
            { field::field(liveness, &view.model.source, view.read_only, &send) }
            <div class="liveness-picture">
                if let Some(automaton) = automaton(liveness) { { automaton } } else { { graph } }
            </div>
            if let Some(found) = found { { table::table(found, liveness.column(), &send) } }
        </section>
    };
    let inspector = inspector::inspector(liveness, view);
    Panes { picture, inspector, legend: Some(legend(liveness, view)), ..Panes::default() }
}

/// The automaton of the negation, if it is shown.
fn automaton(liveness: &Liveness) -> Option<Html> {
    let drawn = liveness.found()?.automaton.as_ref().filter(|_| liveness.automaton)?;
    let (width, height) = (drawn.size.x, drawn.size.y);
    let svg = format!(
        "<svg class=\"automaton\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         style=\"width:min(100%,{:.0}px)\" aria-hidden=\"true\">{}</svg>",
        1.5 * width,
        drawn.content
    );
    Some(html! {
        <div class="formula-automaton picture" tabindex="0" role="group"
            aria-label="Büchi automaton of the negation">
            <p class="quiet small">
                { "It accepts the runs that violate the formula: those that pass a double ring \
                    again and again." }
            </p>
            { Html::from_html_unchecked(svg.into()) }
            <ul class="visually-hidden">
                { for drawn.spoken.iter().map(|sentence| html! { <li>{ sentence }</li> }) }
            </ul>
        </div>
    })
}

/// What the paint on the source means.
fn legend(liveness: &Liveness, view: &View) -> Html {
    let Some(found) = liveness.found.as_deref().filter(|found| !found.trace.is_empty()) else {
        return html! {};
    };
    let all = liveness.lights_all().is_some();
    let lit = match (all, found.cycle_at()) {
        (true, _) => "on a violating run",
        (false, Some(_)) => "on the cycle",
        (false, None) => "on the run",
    };
    html! {
        <div class="legend" aria-label="Legend">
            <span><i class="key lit"></i>{ lit }</span>
            if all { <span><i class="key dim">{ "ab" }</i>{ "on none" }</span> }
            <span><i class="key current"></i>{ "step" }</span>
            if view.model.selection.line != 0 {
                <span><i class="key selected"></i>{ "selected" }</span>
            }
        </div>
    }
}
