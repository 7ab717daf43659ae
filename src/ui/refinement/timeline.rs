//! The bottom of the page for the refinement loop: its rounds, and the phases in each.

use super::state::Run;
use crate::draw::words::{counted, grouped};
use crate::report::cegar::RoundReport;
use crate::ui::controls::{Controls, Move, WINDOW, center};
use crate::ui::shared::Shared;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) run: Shared<Run>,
    pub(super) step: usize,
    pub(super) playing: bool,
    pub(super) on_move: Callback<Move>,
}

#[function_component(RefinementTimeline)]
pub(super) fn timeline(props: &Props) -> Html {
    let list = use_node_ref();
    let holder = list.clone();
    use_effect_with((props.step, props.run.clone()), move |(step, _)| center(&holder, *step));
    let count = props.run.steps.len();
    let last = count.saturating_sub(1);
    let (start, end) = (props.step.saturating_sub(WINDOW), (props.step + WINDOW + 1).min(count));
    let jump = |to: usize, text: String| {
        let go = props.on_move.reform(move |_| Move::To(to));
        html! { <li key={text.clone()}><button class="more" onclick={go}>{ text }</button></li> }
    };
    let now = props.run.steps.get(props.step);
    html! {
        <footer class="stepper refinement-timeline" aria-label="Rounds of refinement" data-live={props.run.live.to_string()}>
            <Controls step={props.step} {last} playing={props.playing} on_move={props.on_move.clone()}>
                <span class="position" aria-live="polite">
                    if let Some(now) = now {
                        <b>{ format!("Round {} of {}{}: {}", now.round, props.run.rounds.len(), if props.run.live { " so far" } else { "" }, now.phase) }</b>
                        if let Some(round) = props.run.round(props.step) { <span class="where">{ summary(round, &now.phase) }</span> }
                    }
                </span>
                <span class="spacer"></span>
                <span class="quiet run-note">{ now.map(|now| format!("{} BDD steps in this phase", grouped(now.steps))) }</span>
            </Controls>
            <ol class="timeline" ref={list} aria-label="Phases">
                if start > 0 { { jump(start - 1, format!("{} before", counted(start as u64, "phase"))) } }
                { for (start..end).map(|i| html! { <Entry key={i} index={i} run={props.run.clone()} current={i == props.step} on_move={props.on_move.clone()} /> }) }
                if end < count { { jump(end, format!("{} after", counted((count - end) as u64, "phase"))) } }
                else if props.run.live { <li class="under-way quiet" key="under-way">{ "…" }</li> }
            </ol>
        </footer>
    }
}

/// What a phase came to, in a few words.
pub(super) fn summary(round: &RoundReport, phase: &str) -> String {
    match phase {
        "slice" => "what matters at all".into(),
        "abstract" => format!(
            "{}, {}",
            counted(round.rules_abstracted, "rule"),
            counted(round.bits.into(), "bit")
        ),
        "check" if round.dag_nodes == 0 && round.spurious.is_none() => {
            format!("no error in {}", counted(round.ranks, "rank"))
        }
        "check" => format!("error, {}", counted(round.ranks, "rank")),
        "DAG" if round.dag_nodes == 0 => "cut short".into(),
        "DAG" => format!("{}, {}", counted(round.dag_nodes.into(), "node"), traces(round.traces)),
        "interpolate" => match round.spurious {
            Some(true) => "all spurious".into(),
            Some(false) => "a trace is real".into(),
            None => "cut short".into(),
        },
        "verify" => format!("{} proved", grouped(round.proved)),
        "refine" if round.spurious == Some(false) => "a concrete run".into(),
        "refine" if round.predicates_added == 0 => "nothing added".into(),
        "refine" => format!("+{}", counted(round.predicates_added.into(), "predicate")),
        "prove" => "the invariant".into(),
        _ => String::new(),
    }
}

/// "3 traces".
pub(super) fn traces(count: u64) -> String {
    if count == u64::MAX {
        "more traces than can be counted".into()
    } else {
        counted(count, "trace")
    }
}

#[derive(Properties, PartialEq)]
struct EntryProps {
    index: usize,
    run: Shared<Run>,
    current: bool,
    on_move: Callback<Move>,
}

#[function_component(Entry)]
fn entry(props: &EntryProps) -> Html {
    let index = props.index;
    let (Some(step), Some(round)) = (props.run.steps.get(index), props.run.round(index)) else {
        return html! {};
    };
    let go = props.on_move.reform(move |_| Move::To(index));
    let first = index == 0
        || props.run.steps.get(index - 1).is_some_and(|before| before.round != step.round);
    let told = summary(round, &step.phase);
    let class = classes!("step", props.current.then_some("current"));
    html! {
        <li class={classes!(first.then_some("first-of-round"))}>
            <button {class} onclick={go} aria-current={props.current.then_some("step")} aria-label={format!("Round {}, {}: {told}", step.round, step.phase)}>
                <span class="head"><span class="number">{ &step.phase }</span><span class="line">{ if first { format!("round {}", step.round) } else { String::new() } }</span></span>
                <code>{ told }</code>
            </button>
        </li>
    }
}
