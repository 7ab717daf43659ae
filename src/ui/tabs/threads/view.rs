//! Threads as they are drawn.

mod inspector;
mod lanes_view;
mod pane;
mod tree_view;

use super::state::{Threads, ThreadsEvent};
use crate::draw::steps::nearest;
use crate::ui::tab::Tab;
use crate::ui::view::{Panes, View};
use inspector::ThreadsInspector;
use pane::ThreadsPane;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(threads: &Threads, view: &View) -> Panes {
    let (model, on) = (view.model, view.on);
    let effective = model.effective.as_ref();
    let on_event = on.sends::<ThreadsEvent>(threads.word());
    let picture = html! {
        <ThreadsPane ask={threads.ask.clone()} asked={threads.asked(effective)}
            bound={threads.bound(effective)} less={threads.another_bound(false, effective)}
            more={threads.another_bound(true, effective)}
            found={threads.found.clone()} other={threads.other.clone()}
            lanes={threads.lanes.clone()} step={threads.step} shown={threads.shown}
            picked={threads.picked}
            settled={threads.work.is_fresh() && !threads.work.is_busy()}
            said={threads.in_place_of_picture(model)} on_move={on.step.clone()}
            {on_event} />
    };
    let inspector = html! {
        <ThreadsInspector found={threads.found.clone()} other={threads.other.clone()}
            step={inspected(threads, model.selection.line)} picked={threads.picked} on_line={on.line.clone()} />
    };
    Panes { picture, inspector, legend: Some(legend(threads, view)), ..Panes::default() }
}

/// The step that the inspector is about: the one nearest to the timeline's that executes the
/// selected line, if one does.
fn inspected(threads: &Threads, line: u32) -> usize {
    let trace = threads.report().and_then(|report| report.trace.as_deref()).unwrap_or_default();
    nearest(trace, threads.step, |entry| entry.line == line).unwrap_or(threads.step)
}

/// What the source's colours mean.
fn legend(threads: &Threads, view: &View) -> Html {
    html! {
        <div class="legend" aria-label="Legend">
            if !threads.paint.lit.is_empty() {
                <span><i class="key lit"></i>{ "takes part in a failing run" }</span>
            }
            <span><i class="key current"></i>{ "step" }</span>
            if view.model.selection.line != 0 {
                <span><i class="key selected"></i>{ "selected" }</span>
            }
        </div>
    }
}
