//! Threads in the page's frame: the bound on context switches, the interleaved run as swim lanes,
//! and how it was found.

mod inspector;
mod lanes_view;
mod pane;
mod state;
mod timeline;
mod tree_view;

pub(super) use state::{Threads, ThreadsEvent};

use super::analysis::{Panes, Timeline};
use super::app::App;
use crate::draw::lanes_svg;
use crate::draw::svg::Theme;
use inspector::ThreadsInspector;
use pane::ThreadsPane;
use timeline::ThreadsTimeline;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(app: &App) -> Panes {
    let (threads, on) = (&app.model.threads, &app.handlers);
    let picture = html! {
        <ThreadsPane ask={threads.ask.clone()} bound={threads.bound(app.model.effective.as_ref())} found={threads.found.clone()} beside={threads.beside.clone()} lanes={threads.lanes.clone()} step={threads.step}
            shown={threads.shown} picked={threads.picked} asked={threads.asked.clone()} fresh={threads.fresh} stale={threads.stale()}
            broken={app.model.broken()} on_move={on.step.clone()} on_event={on.threads.clone()} />
    };
    let inspector = html! {
        <ThreadsInspector found={threads.found.clone()} beside={threads.beside.clone()} step={threads.step} picked={threads.picked} on_line={on.line.clone()} />
    };
    let run = threads.found.as_ref().filter(|found| found.entry(0).is_some());
    let timeline = run.map(|found| {
        html! { <ThreadsTimeline found={found.clone()} step={threads.step} playing={app.playing()} on_move={on.step.clone()} /> }
    });
    Panes { picture, inspector, timeline }
}

/// The interleaved run.
pub(super) fn timeline(app: &App) -> Option<Timeline> {
    let threads = &app.model.threads;
    let count = threads.report()?.trace.as_ref()?.len();
    (count > 0).then_some(Timeline { step: threads.step, count })
}

/// The line of the step.
pub(super) fn current_line(app: &App) -> u32 {
    let threads = &app.model.threads;
    threads
        .found
        .as_ref()
        .filter(|_| threads.fresh)
        .and_then(|found| found.entry(threads.step))
        .map_or(0, |entry| entry.line)
}

/// The lanes as they are shown, for any viewer, and their extent.
pub(super) fn standalone(threads: &Threads, theme: Theme) -> Option<(String, f64, f64)> {
    let trace = threads.report()?.trace.as_deref()?;
    Some(lanes_svg::standalone(&threads.lanes, trace, threads.step, theme))
}

/// What the source's colours mean.
pub(super) fn legend(app: &App) -> Html {
    let threads = &app.model.threads;
    let switched = threads
        .report()
        .and_then(|report| report.first_switch.as_ref())
        .is_some_and(|found| !found.is_empty());
    html! {
        <div class="legend" aria-label="Legend">
            if switched { <span><i class="key lit"></i>{ "a first switch here can lead to an error" }</span> }
            <span><i class="key current"></i>{ "step" }</span>
            <span><i class="key selected"></i>{ "selected" }</span>
        </div>
    }
}
