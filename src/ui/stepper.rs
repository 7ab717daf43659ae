//! The bottom of the page: the failing run as a timeline that steps.

use super::controls::{Controls, Move, WINDOW, center};
use super::shared::Shared;
use super::through::ThroughRun;
use crate::draw::words::{configuration, counted};
use crate::wire::report::{Report, TraceEntry};
use yew::prelude::*;

/// The run and the step.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) report: Shared<Report>,
    pub(super) step: usize,
    pub(super) playing: bool,
    pub(super) on_move: Callback<Move>,
    /// The run goes through chosen statements.
    pub(super) through: Option<ThroughRun>,
    pub(super) on_leave: Callback<()>,
}

#[function_component(Stepper)]
pub(super) fn stepper(props: &Props) -> Html {
    let trace = props.report.trace.as_deref().unwrap_or_default();
    let last = trace.len().saturating_sub(1);
    let (start, end) =
        (props.step.saturating_sub(WINDOW), (props.step + WINDOW + 1).min(trace.len()));
    let list = use_node_ref();
    let holder = list.clone();
    use_effect_with((props.step, props.report.clone()), move |(step, _)| center(&holder, *step));
    let jump = |to: usize, text: String| {
        let go = props.on_move.reform(move |_| Move::To(to));
        html! { <li key={text.clone()}><button class="more" onclick={go}>{ text }</button></li> }
    };
    let entry = trace.get(props.step);
    let raw = props.report.pushdown.is_some();
    let name = if raw { "Run into the target" } else { "Failing run" };
    html! {
        <footer class="stepper" aria-label={name}>
            <Controls step={props.step} {last} playing={props.playing} on_move={props.on_move.clone()}>
                <span class="position" aria-live="polite">
                    <b>{ format!("Step {} of {}", props.step + 1, trace.len()) }</b>
                    if let Some(entry) = entry {
                        <span class="where">{ format!("{}, line {}", place(entry, raw), entry.line) }</span>
                    }
                </span>
                <span class="spacer"></span>
                { note(props) }
            </Controls>
            <ol class="timeline" ref={list} aria-label={format!("Steps: {name}")}>
                if start > 0 { { jump(start - 1, format!("{} before", counted(start as u64, "step"))) } }
                { for (start..end).map(|i| html! {
                    <Entry key={i} index={i} report={props.report.clone()} current={i == props.step} fails={i == last} on_move={props.on_move.clone()} />
                }) }
                if end < trace.len() { { jump(end, format!("{} after", counted((trace.len() - end) as u64, "step"))) } }
            </ol>
        </footer>
    }
}

/// Which run this is.
fn note(props: &Props) -> Html {
    if props.report.pushdown.is_some() {
        let pushdown = props.report.pushdown.as_ref();
        let how = match pushdown
            .and_then(|pushdown| pushdown.weight.filter(|_| pushdown.run_weight == pushdown.weight))
        {
            Some(weight) => format!("a run of least weight {weight}"),
            None if props.report.shortest == Some(true) => "a shortest run".to_string(),
            None => "a run".to_string(),
        };
        return html! { <span class="quiet run-note">{ format!("{how} into the target, replayed rule by rule") }</span> };
    }
    let Some(through) = &props.through else {
        let how = if props.report.shortest == Some(true) {
            "a shortest failing run"
        } else {
            "a failing run"
        };
        return html! { <span class="quiet run-note">{ format!("{how}, replayed statement by statement") }</span> };
    };
    html! {
        <>
            <span class={classes!("run-note", "through-note", through.asked.is_some().then_some("quiet"))} role="status">{ through.headline() }</span>
            <button class="tool" onclick={props.on_leave.reform(|_| ())}>{ "Back to the shortest" }</button>
        </>
    }
}

/// Where a step is: its procedure, or the configuration before it.
fn place(entry: &TraceEntry, raw: bool) -> String {
    if raw { configuration(&entry.values) } else { entry.procedure.clone() }
}

#[derive(Properties, PartialEq)]
struct EntryProps {
    index: usize,
    report: Shared<Report>,
    current: bool,
    fails: bool,
    on_move: Callback<Move>,
}

#[function_component(Entry)]
fn entry(props: &EntryProps) -> Html {
    let index = props.index;
    let Some(entry) = props.report.trace.as_ref().and_then(|t| t.get(index)) else {
        return html! {};
    };
    let go = props.on_move.reform(move |_| Move::To(index));
    let class =
        classes!("step", props.current.then_some("current"), props.fails.then_some("fails"));
    let raw = props.report.pushdown.is_some();
    let bars = (0..entry.depth.min(6)).map(|_| html! { <i></i> });
    html! {
        <li>
            <button {class} onclick={go} aria-current={props.current.then_some("step")} title={format!("line {}: {}", entry.line, entry.statement)}>
                <span class="depth" aria-hidden="true">{ for bars }</span>
                <span class="head"><span class="number">{ index + 1 }</span><span class="procedure">{ place(entry, raw) }</span><span class="line">{ format!("line {}", entry.line) }</span>if props.fails { <span class="fails-here">{ if raw { "reached" } else { "fails here" } }</span> }</span>
                <code>{ &entry.statement }</code>
            </button>
        </li>
    }
}
