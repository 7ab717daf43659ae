//! Focus-statement sequences in rank order, with what they assume of inputs; inputs filter the
//! assumptions.

use crate::draw::words::{self, counted, limit_sentence};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::explain::state::{Explain, ExplainEvent};
use crate::wire::explain::{ExplainAsk, Explanation, Level, SequenceView};
use std::collections::BTreeSet;
use web_sys::{HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) found: Shared<Explanation>,
    pub(crate) ask: ExplainAsk,
    pub(crate) level: Level,
    pub(crate) sequence: usize,
    pub(crate) inputs: BTreeSet<String>,
    /// Are they still being looked for?
    pub(crate) working: bool,
    pub(crate) on_event: Callback<ExplainEvent>,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(Sequences)]
pub(crate) fn sequences(props: &Props) -> Html {
    let found = &props.found;
    if !found.sought && found.sequences.is_empty() {
        return html! {};
    }
    let count = found.sequences.len() as u64;
    html! {
        <section class="explain-section sequences" aria-label="Ways to fail">
            <h3>
                { "Ways to fail" }
                <span class="where">{ if count > 0 { ", the simplest first" } else { "" } }</span>
            </h3>
            if props.working { <p class="quiet">{ "Being looked for…" }</p> }
            else if count == 0 {
                <p class="quiet">
                    { found.cut.map_or("None was found.".to_string(), |limit| {
                        format!("None was found: {}.", limit_sentence(limit).trim_end_matches('.'))
                    }) }
                </p>
            }
            { filter(props) }
            <ol class="choices" aria-label="Focus sequences">
                { for found.sequences.iter().enumerate().map(|(k, sequence)| item(props, k, sequence)) }
            </ol>
            { ending(found, props.working) }
            <Uninterpreted ask={props.ask.clone()} on_event={props.on_event.clone()} />
        </section>
    }
}

/// A chip for each input: assumptions over the chosen ones only.
fn filter(props: &Props) -> Html {
    let names = props.found.inputs();
    if names.len() < 2 {
        return html! {};
    }
    let all = props.on_event.reform(|_: MouseEvent| ExplainEvent::AllInputs);
    let chip = |name: &str| {
        let on = props.inputs.contains(name);
        let owned = name.to_string();
        let toggle = props.on_event.reform(move |_: MouseEvent| ExplainEvent::Input(owned.clone()));
        html! {
            <button
                class={classes!("chip", on.then_some("on"))}
                aria-pressed={on.to_string()}
                onclick={toggle}
            >
                <code>{ name.to_string() }</code>
            </button>
        }
    };
    html! {
        <div class="chips" role="group" aria-label="Assumptions over">
            <button
                class={classes!("chip", props.inputs.is_empty().then_some("on"))}
                aria-pressed={props.inputs.is_empty().to_string()}
                onclick={all}
            >
                { "all inputs" }
            </button>
            { for names.into_iter().map(chip) }
        </div>
    }
}

fn item(props: &Props, k: usize, sequence: &SequenceView) -> Html {
    let report = &sequence.report;
    let on = k == props.sequence;
    let choose = props.on_event.reform(move |_: MouseEvent| ExplainEvent::Sequence(k));
    let wanted =
        (0..report.assumptions.len()).filter(|a| Explain::wanted(&props.inputs, sequence, *a));
    let assumptions: Vec<Html> = wanted
        .map(|a| {
            let assumption = &report.assumptions[a];
            let (line, go) = (assumption.line, props.on_line.clone());
            let title = if assumption.deleted {
                "Another way to fail needs the opposite here, so \
                it decides nothing"
            } else {
                "Go to the condition that needs it"
            };
            html! {
                <li>
                    <button
                        class={classes!("assumption", assumption.deleted.then_some("deleted"))}
                        {title}
                        onclick={move |_| go.emit(line)}
                    >
                    <code>{ &assumption.text }</code><small>{ format!("line {line}") }</small>
                    if assumption.deleted { <small>{ "decides nothing" }</small> }
                </button></li>
            }
        })
        .collect();
    let hidden = report.assumptions.len() - assumptions.len();
    let nest = match (report.feasible, report.nest.as_slice()) {
        (false, _) | (_, []) => String::new(),
        (true, _) if report.statements.iter().all(|statement| statement.nest) => {
            "NEST: all of it".to_string()
        }
        (true, nest) => format!("NEST: {}", words::lines(&ascending(nest))),
    };
    html! {
        <li class={classes!("sequence", on.then_some("on"))} data-rank={report.rank.to_string()}>
            <button
                class={classes!("choice", on.then_some("on"))}
                aria-pressed={on.to_string()}
                onclick={choose}
            >
                <b>{ format!("Rank {}", report.rank) }</b>
                <span>{ counted(report.length.into(), "statement") }</span>
                if !report.feasible { <span class="mark infeasible">{ "not feasible" }</span> }
                if let Some(same) = report.same_as {
                    <small>{ format!("after Reduce the same as number {}", same + 1) }</small>
                }
                <small class="sequence-lines">
                    { words::lines(&ascending(&report.lines)) }
                </small>
                if !nest.is_empty() { <small class="nest-lines">{ nest }</small> }
            </button>
            if on || props.found.sequences.len() <= 4 {
                <ul class="assumptions" aria-label="Assumptions">
                    { for assumptions }
                    if report.assumptions.is_empty() {
                        <li class="quiet">{ "assumes nothing" }</li>
                    }
                    if hidden > 0 {
                        <li class="quiet">
                            { format!("and {} over other inputs, not shown", counted(hidden as u64, "assumption")) }
                        </li>
                    }
                </ul>
            }
        </li>
    }
}

fn ascending(lines: &[u32]) -> Vec<u32> {
    lines.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect()
}

fn ending(found: &Explanation, working: bool) -> Html {
    if working || found.sequences.is_empty() {
        return html! {};
    }
    let mut told = Vec::new();
    if found.complete {
        told.push(
            "These are all the ways to fail; what contains an earlier one is left out.".to_string(),
        );
    } else if let Some(limit) = found.cut {
        told.push(format!(
            "Not all ways to fail were looked at: {}.",
            limit_sentence(limit).trim_end_matches('.')
        ));
    } else {
        told.push("There may be more ways to fail: as many were looked for as asked.".to_string());
    }
    if found.undecided > 0 {
        told.push(format!(
            "{} more are not listed, as no run was found for them.",
            found.undecided
        ));
    }
    html! { <p class="quiet small">{ told.join(" ") }</p> }
}

#[derive(Properties, PartialEq)]
struct UninterpretedProps {
    ask: ExplainAsk,
    on_event: Callback<ExplainEvent>,
}

/// Variables to be left uninterpreted.
#[function_component(Uninterpreted)]
fn uninterpreted(props: &UninterpretedProps) -> Html {
    let (ask, emit) = (props.ask.clone(), props.on_event.clone());
    let given = move |text: String| {
        let names = text
            .split([',', ' '])
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(str::to_string)
            .collect();
        emit.emit(ExplainEvent::Other(ExplainAsk { uninterpreted: names, ..ask.clone() }));
    };
    let changed = {
        let given = given.clone();
        Callback::from(move |event: Event| {
            given(event.target_unchecked_into::<HtmlInputElement>().value())
        })
    };
    let key = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.ctrl_key() && !event.meta_key() {
            given(event.target_unchecked_into::<HtmlInputElement>().value());
        }
    });
    html! {
        <label class="uninterpreted"><span>{ "Left uninterpreted" }</span>
            <input
                class="code-field"
                value={props.ask.uninterpreted.join(", ")}
                placeholder="none"
                spellcheck="false"
                autocomplete="off"
                onchange={changed}
                onkeydown={key}
                title="Variables whose conditions are left aside in the search, and looked at \
                    afterwards: sequences that no run has are listed too"
            />
        </label>
    }
}
