//! The bottom of the page for threads: the interleaved run as a timeline, whose contexts stand
//! apart.

use super::state::switches;
use crate::draw::lanes::context_of;
use crate::draw::words::counted;
use crate::ui::controls::{Controls, Move, WINDOW, center};
use crate::ui::shared::Shared;
use crate::ui::threads::state::Found;
use crate::wire::threads::ThreadsReport;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// It has a run.
    pub(super) found: Shared<Found>,
    pub(super) step: usize,
    pub(super) playing: bool,
    pub(super) on_move: Callback<Move>,
}

#[function_component(ThreadsTimeline)]
pub(super) fn timeline(props: &Props) -> Html {
    let list = use_node_ref();
    let holder = list.clone();
    use_effect_with((props.step, props.found.clone()), move |(step, _)| center(&holder, *step));
    let Ok(report) = &props.found.report else { return html! {} };
    let trace = report.trace.as_deref().unwrap_or_default();
    let last = trace.len().saturating_sub(1);
    let (start, end) =
        (props.step.saturating_sub(WINDOW), (props.step + WINDOW + 1).min(trace.len()));
    let jump = |to: usize, text: String| {
        let go = props.on_move.reform(move |_| Move::To(to));
        html! { <li key={text.clone()}><button class="more" onclick={go}>{ text }</button></li> }
    };
    let entry = trace.get(props.step);
    let how = if report.shortest == Some(true) {
        "a shortest one with so few"
    } else {
        "with as few as can be"
    };
    html! {
        <footer class="stepper threads-timeline" aria-label="Interleaved run">
            <Controls step={props.step} {last} playing={props.playing} on_move={props.on_move.clone()}>
                <span class="position" aria-live="polite">
                    <b>{ format!("Step {} of {}", props.step + 1, trace.len()) }</b>
                    if let Some(entry) = entry { <span class="where">{ format!("{}, line {}", thread(report, entry.thread), entry.line) }</span> }
                </span>
                <span class="spacer"></span>
                <span class="quiet run-note">{ format!("{}, {how}; replayed statement by statement", switches(report.switches.unwrap_or(0))) }</span>
            </Controls>
            <ol class="timeline" ref={list} aria-label="Steps of the interleaved run">
                if start > 0 { { jump(start - 1, format!("{} before", counted(start as u64, "step"))) } }
                { for (start..end).map(|i| html! { <Entry key={i} index={i} found={props.found.clone()} current={i == props.step} on_move={props.on_move.clone()} /> }) }
                if end < trace.len() { { jump(end, format!("{} after", counted((trace.len() - end) as u64, "step"))) } }
            </ol>
        </footer>
    }
}

/// A thread's name.
pub(super) fn thread(report: &ThreadsReport, number: u32) -> String {
    report
        .threads
        .get(number as usize)
        .map_or_else(|| format!("thread {number}"), |thread| thread.name.clone())
}

#[derive(Properties, PartialEq)]
struct EntryProps {
    index: usize,
    found: Shared<Found>,
    current: bool,
    on_move: Callback<Move>,
}

#[function_component(Entry)]
fn entry(props: &EntryProps) -> Html {
    let index = props.index;
    let Ok(report) = &props.found.report else { return html! {} };
    let trace = report.trace.as_deref().unwrap_or_default();
    let Some(entry) = trace.get(index) else { return html! {} };
    let go = props.on_move.reform(move |_| Move::To(index));
    let fails = report.blocked.is_empty() && index + 1 == trace.len();
    let class = classes!("step", props.current.then_some("current"), fails.then_some("fails"));
    let first = index > 0 && context_of(report, index) != context_of(report, index - 1);
    html! {
        <li class={classes!(first.then_some("first-of-context"))}>
            <button {class} onclick={go} aria-current={props.current.then_some("step")} title={format!("{}, line {}: {}", thread(report, entry.thread), entry.line, entry.statement)}>
                <span class="head"><span class="number">{ index + 1 }</span><span class="procedure">{ thread(report, entry.thread) }</span><span class="line">{ format!("line {}", entry.line) }</span>if fails { <span class="fails-here">{ "fails here" }</span> }</span>
                <code>{ &entry.statement }</code>
            </button>
        </li>
    }
}
