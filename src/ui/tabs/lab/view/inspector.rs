//! The right of the page in the lab: what the step does, what waits, the selected transition with
//! its witness, and weights to read.

use super::question::QuestionField;
use super::witness;
use crate::draw::automaton_svg::cut;
use crate::draw::lab_replay::spoken;
use crate::ui::state::shared::Shared;
use crate::ui::tabs::lab::recording::{Recording, Witness, summary};
use crate::ui::tabs::lab::state::LabEvent;
use crate::wire::lab::{LabAnswer, LabAutomaton, LabChange, LabTask};
use yew::prelude::*;

/// So many changes of a step are listed.
const CHANGES: usize = 24;
/// Weights are cut to so many characters in lists.
const WEIGHT: usize = 160;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) task: LabTask,
    pub(crate) recording: Option<Shared<Recording>>,
    pub(crate) automaton: usize,
    pub(crate) step: usize,
    pub(crate) selected: Option<u32>,
    pub(crate) witness: Option<Witness>,
    pub(crate) question: String,
    pub(crate) transfer: (String, String),
    pub(crate) answer: Option<Shared<LabAnswer>>,
    pub(crate) reading: bool,
    pub(crate) raw: bool,
    pub(crate) on_event: Callback<LabEvent>,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(LabInspector)]
pub(crate) fn inspector(props: &Props) -> Html {
    let Some(recording) =
        props.recording.as_ref().filter(|recording| recording.automaton(props.automaton).is_some())
    else {
        return html! {
            <section class="pane inspector lab-inspector" aria-label="Inspector">
                <div class="bar"><h2>{ "Inspector" }</h2></div>
                <div class="inspector-body"><p class="quiet">
                { "After a recording, this shows the rule that a step applies, what it changes, \
                    and what waits." }</p></div></section>
        };
    };
    let Some(automaton) = recording.automaton(props.automaton) else { return html! {} };
    let stepped = automaton.steps.len() > 1;
    html! {
        <section class="pane inspector lab-inspector" aria-label="Inspector">
            <div class="bar">
                <h2>
                    { if stepped { format!("Step {}", props.step) } else { automaton.title.clone() } }
                </h2>
                <span class="statement-text">
                { automaton.steps.get(props.step).filter(|_| stepped).map(|step| summary(step, props.step)) }
                </span></div>
            <div class="inspector-body">
                if stepped {
                    { step(props, recording, automaton) }
                } else {
                    <p class="quiet">{ &automaton.reading }</p>
                }
                { selected(props, recording, automaton) }
                if stepped { <p class="quiet small lab-reading">{ &automaton.reading }</p> }
                if recording.report.weighted {
                    <p class="quiet small">{ format!("Weights: {}", recording.report.weights) }</p>
                }
            </div>
                <QuestionField
                    task={props.task}
                    question={props.question.clone()}
                    transfer={props.transfer.clone()}
                    answer={props.answer.clone()}
                    reading={props.reading}
                    example={example(recording, automaton)}
                    weighted={recording.report.weighted}
                    on_event={props.on_event.clone()}
                />
        </section>
    }
}

/// A transition to click on.
fn link(props: &Props, automaton: &LabAutomaton, transition: u32) -> Html {
    let Some(content) = automaton.transitions.get(transition as usize) else { return html! {} };
    let select = props.on_event.reform(move |_: MouseEvent| LabEvent::Select(Some(transition)));
    let on = props.selected == Some(transition);
    html! {
        <button
            class={classes!("link", "transition", on.then_some("on"))}
            aria-pressed={on.to_string()}
            onclick={select}
        >
            { spoken(automaton, content) }
        </button>
    }
}

fn step(props: &Props, recording: &Recording, automaton: &LabAutomaton) -> Html {
    let Some(step) = automaton.steps.get(props.step) else { return html! {} };
    let shown = step.waiting.len() as u32;
    html! {
        <>
            if let Some(looked_at) = step.looked_at {
                <h3>{ "Looked at" }</h3>
                <p class="looked-at">{ link(props, automaton, looked_at) }</p>
            }
            <h3>{ if props.step == 0 { "There from the start" } else { "What comes of it" } }</h3>
            if step.changes.is_empty() {
                <p class="quiet">
                    { if props.step == 0 { "Nothing: the set is empty." } else { "No rule gives \
                        anything that is not there yet." } }
                </p>
            }
            <ul class="changes">
                { for step.changes.iter().take(CHANGES).map(|change| changed(props, recording, automaton, change)) }
                if step.changes.len() > CHANGES {
                    <li class="quiet">{ format!("and {} more", step.changes.len() - CHANGES) }</li>
                }
            </ul>
            <h3 class="worklist-title">{ format!("Worklist ({})", step.waiting_count) }</h3>
            if step.waiting_count == 0 {
                <p class="quiet">
                    { if automaton.complete { "Empty: it is saturated." } else { "Empty." } }
                </p>
            } else {
                <ol class="worklist" aria-label="Worklist">
                    { for step.waiting.iter().map(|transition| html! {
                        <li>{ link(props, automaton, *transition) }</li>
                    }) }
                    if shown < step.waiting_count {
                        <li class="quiet">
                            { format!("and {} more", step.waiting_count - shown) }
                        </li>
                    }
                </ol>
            }
        </>
    }
}

/// The rule, what it changed, and how.
fn changed(
    props: &Props,
    recording: &Recording,
    automaton: &LabAutomaton,
    change: &LabChange,
) -> Html {
    let rule = change.rule.and_then(|rule| recording.report.rules.get(rule as usize));
    let mark = if change.is_new { "+" } else { "↑" };
    let what = if change.is_new { "added" } else { "raised" };
    html! {
        <li class={what}>
            <span class="mark" title={what} aria-label={what}>{ mark }</span>
            <div>
                <p>{ link(props, automaton, change.transition) }
                    if recording.report.weighted {
                        <span class="weight">{ " · " }
                            if !change.is_new && change.added != change.weight {
                                { cut(&change.added, WEIGHT) }
                                <span class="quiet">{ " ⊕ before = " }</span>
                            }
                            <b>{ cut(&change.weight, WEIGHT) }</b></span>
                    }
                </p>
                if let Some(rule) = rule {
                    <p class="rule"><code>{ &rule.text }</code>
                        if recording.report.weighted && !rule.weight.is_empty() {
                            <span class="weight">
                                { format!(" · {}", cut(&rule.weight, WEIGHT)) }
                            </span>
                        }
                        { line(props, rule.line) }</p>
                    if !rule.statement.is_empty() {
                        <p class="quiet"><code>{ &rule.statement }</code></p>
                    }
                }
                if !change.words.is_empty() { <p class="quiet small">{ &change.words }</p> }
            </div>
        </li>
    }
}

fn line(props: &Props, line: u32) -> Html {
    if line == 0 {
        return html! {};
    }
    let go = props.on_line.reform(move |_: MouseEvent| line);
    html! { <button class="link line-link" onclick={go}>{ format!("line {line}") }</button> }
}

/// The selected transition and its derivation.
fn selected(props: &Props, recording: &Recording, automaton: &LabAutomaton) -> Html {
    let Some(transition) = props.selected else {
        if automaton.steps.is_empty() {
            return html! {};
        }
        return html! {
            <p class="quiet lab-hint">{ "Click a transition to see how it came about." }</p>
        };
    };
    let Some(content) = automaton.transitions.get(transition as usize) else { return html! {} };
    let weight = recording.weight(props.automaton, transition, props.step);
    let pushed_by = content.pushed_by.and_then(|rule| recording.report.rules.get(rule as usize));
    let close = props.on_event.reform(|_: MouseEvent| LabEvent::Select(None));
    html! {
        <div class="selected-transition">
            <h3>{ "Selected" }<button class="link" onclick={close}>{ "clear" }</button></h3>
            <p class="transition-name"><code>{ spoken(automaton, content) }</code></p>
            if let Some(rule) = pushed_by {
                <p class="quiet small">{ "below the callee of " }<code>{ &rule.text }</code></p>
            }
            if let Some(weight) = weight {
                if recording.report.weighted {
                    <p>{ "Weight " }<b class="formula">{ weight }</b></p>
                }
                if props.task == LabTask::Transducer && automaton.steps.is_empty() {
                    <p class="quiet small">
                        { "The transducer is put together from A_pop and A_grow: their transitions \
                            have derivations." }
                    </p>
                } else {
                    <h3>{ "How it came about" }</h3>
                    { witness::panel(props.witness.as_ref(), recording, automaton, &props.on_event) }
                }
            } else {
                <p class="quiet">{ "It is not there at this step." }</p>
            }
        </div>
    }
}

/// What a configuration looks like here.
fn example(recording: &Recording, automaton: &LabAutomaton) -> String {
    let left = recording
        .report
        .rules
        .iter()
        .find_map(|rule| rule.text.split_once(" ->").map(|(left, _)| left.to_string()));
    left.unwrap_or_else(|| {
        automaton.states.first().map_or_else(String::new, |state| format!("<{}, ...>", state.name))
    })
}
