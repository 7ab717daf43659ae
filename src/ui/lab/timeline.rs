//! The bottom of the page in the lab: the recording as a timeline that steps.

use super::state::Recording;
use crate::draw::lab_replay::spoken;
use crate::draw::words::counted;
use crate::report::lab::{LabAutomaton, LabStep};
use crate::ui::controls::{Controls, Move, WINDOW, center};
use crate::ui::shared::Shared;
use yew::prelude::*;

/// The recording and the step.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) recording: Shared<Recording>,
    pub(super) automaton: usize,
    pub(super) step: usize,
    pub(super) playing: bool,
    pub(super) on_move: Callback<Move>,
}

#[function_component(LabTimeline)]
pub(super) fn timeline(props: &Props) -> Html {
    let list = use_node_ref();
    let holder = list.clone();
    use_effect_with((props.step, props.recording.clone(), props.automaton), move |(step, _, _)| {
        center(&holder, *step)
    });
    let Some(automaton) = props.recording.automaton(props.automaton) else { return html! {} };
    let count = automaton.steps.len();
    let last = count.saturating_sub(1);
    let (start, end) = (props.step.saturating_sub(WINDOW), (props.step + WINDOW + 1).min(count));
    let jump = |to: usize, text: String| {
        let go = props.on_move.reform(move |_| Move::To(to));
        html! { <li key={text.clone()}><button class="more" onclick={go}>{ text }</button></li> }
    };
    let name = format!("Saturation of {}", automaton.title);
    html! {
        <footer class="stepper lab-timeline" aria-label={name.clone()}>
            <Controls step={props.step} {last} playing={props.playing} on_move={props.on_move.clone()}>
                <span class="position" aria-live="polite">
                    <b>{ format!("Step {} of {last}", props.step) }</b>
                    if let Some(step) = automaton.steps.get(props.step) { <span class="where">{ summary(step, props.step) }</span> }
                </span>
                <span class="spacer"></span>
                <span class="quiet run-note">{ end_note(automaton) }</span>
            </Controls>
            <ol class="timeline" ref={list} aria-label={format!("Steps: {name}")}>
                if start > 0 { { jump(start - 1, format!("{} before", counted(start as u64, "step"))) } }
                { for (start..end).map(|i| html! {
                    <Entry key={i} index={i} recording={props.recording.clone()} automaton={props.automaton} current={i == props.step} on_move={props.on_move.clone()} />
                }) }
                if end < count { { jump(end, format!("{} after", counted((count - end) as u64, "step"))) } }
            </ol>
        </footer>
    }
}

/// What a step does, in numbers.
pub(super) fn summary(step: &LabStep, index: usize) -> String {
    let (added, raised) = numbers(step);
    match (index, added, raised) {
        (0, _, _) => "what saturation starts from".into(),
        (_, 0, 0) => "nothing new".into(),
        (_, added, 0) => format!("{added} added"),
        (_, 0, raised) => format!("{raised} raised"),
        (_, added, raised) => format!("{added} added, {raised} raised"),
    }
}

/// How many transitions a step added, and of how many others it raised the weight.
fn numbers(step: &LabStep) -> (usize, usize) {
    let added = step.changes.iter().filter(|change| change.is_new).count();
    (added, step.changes.len() - added)
}

fn end_note(automaton: &LabAutomaton) -> &'static str {
    if automaton.complete {
        "saturated at the last step"
    } else {
        "not saturated: the recording was cut"
    }
}

#[derive(Properties, PartialEq)]
struct EntryProps {
    index: usize,
    recording: Shared<Recording>,
    automaton: usize,
    current: bool,
    on_move: Callback<Move>,
}

#[function_component(Entry)]
fn entry(props: &EntryProps) -> Html {
    let index = props.index;
    let Some(automaton) = props.recording.automaton(props.automaton) else { return html! {} };
    let Some(step) = automaton.steps.get(index) else { return html! {} };
    let go = props.on_move.reform(move |_| Move::To(index));
    let (added, raised) = numbers(step);
    let quiet = index > 0 && added == 0 && raised == 0;
    let looked_at = step.looked_at.and_then(|t| automaton.transitions.get(t as usize));
    let text =
        looked_at.map_or_else(|| "start".to_string(), |transition| spoken(automaton, transition));
    let class = classes!("step", props.current.then_some("current"), quiet.then_some("nothing"));
    html! {
        <li>
            <button {class} onclick={go} aria-current={props.current.then_some("step")} title={format!("{text}: {}", summary(step, index))}>
                <span class="head"><span class="number">{ index }</span><span class="line">
                    if added > 0 { <b class="added">{ format!("+{added}") }</b> }
                    if raised > 0 { <b class="raised">{ format!(" ↑{raised}") }</b> }
                </span></span>
                <code>{ text }</code>
            </button>
        </li>
    }
}
