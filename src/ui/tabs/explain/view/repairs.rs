//! Suggested repairs: the edit, what was proved of the program with it, and a button that applies
//! it.

use crate::draw::words::counted;
use crate::draw::words::limit_words;
use crate::ui::frame::sentence::with_code;
use crate::ui::tabs::explain::state::ExplainEvent;
use crate::wire::repair::{RefutedReport, RepairReport, RepairsReport, Verified};
use yew::prelude::*;

/// So many repairs, and refuted ones, are shown.
const SHOWN: usize = 6;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) repairs: Option<RepairsReport>,
    /// Are they being tried?
    pub(crate) working: bool,
    pub(crate) read_only: bool,
    pub(crate) on_event: Callback<ExplainEvent>,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(Repairs)]
pub(crate) fn repairs(props: &Props) -> Html {
    let Some(found) = &props.repairs else {
        return html! {
            if props.working {
                <section class="explain-section repairs" aria-label="Suggested repairs">
                    <h3>{ "Suggested repairs" }</h3>
                    <p class="quiet">{ "Being tried, each by a check…" }</p>
                </section>
            }
        };
    };
    let shown = found.repairs.iter().enumerate().take(SHOWN);
    let (weaker, first): (Vec<_>, Vec<_>) = shown.partition(|(_, repair)| repair.weakens_check);
    let more = found.repairs.len().saturating_sub(SHOWN);
    html! {
        <section class="explain-section repairs" aria-label="Suggested repairs">
            <h3>
                { "Suggested repairs" }
                <span class="where">
                    { if found.repairs.is_empty() { "" } else { ", each verified" } }
                </span>
            </h3>
            if found.repairs.is_empty() {
                <p class="quiet">
                    { format!(
                        "None of {} that were tried was proved to mend it.",
                        counted(found.tried.into(), "edit")
                    ) }
                </p>
            }
            { for first.iter().map(|(k, repair)| card(props, *k, repair)) }
            if !weaker.is_empty() {
                <h4>{ "Weakens the check" }</h4>
                <p class="quiet small">
                    { "These change only how the error is noticed, not what leads to it." }
                </p>
                { for weaker.iter().map(|(k, repair)| card(props, *k, repair)) }
            }
            if more > 0 { <p class="quiet small">{ format!("{more} more hold as well.") }</p> }
            { for found.refuted.iter().take(SHOWN).map(|refuted| refuted_edit(props, refuted)) }
            if let Some(limit) = found.limit {
                <p class="quiet small">
                    { format!("Not all were tried: {}.", limit_words(limit)) }
                </p>
            }
        </section>
    }
}

fn card(props: &Props, k: usize, repair: &RepairReport) -> Html {
    let (line, go) = (repair.line, props.on_line.clone());
    let apply = props.on_event.reform(move |_: MouseEvent| ExplainEvent::Apply(k));
    let class = match repair.verified {
        Verified::NoRunFails if !repair.weakens_check => "safe",
        Verified::NoRunFails | Verified::ThisErrorGone => "partly",
    };
    html! {
        <article class={classes!("repair", class)} aria-label={format!("Repair {}", k + 1)}>
            <p class="repair-sentence">{ with_code(&repair.sentence) }</p>
            <div class="diff" role="group" aria-label="Edit">
                <button class="link line-link" onclick={move |_| go.emit(line)}>
                    { format!("line {line}") }
                </button>
                if !repair.replaced.is_empty() {
                    <del>
                        <span class="visually-hidden">{ "delete " }</span>
                        <code>{ repair.replaced.trim() }</code>
                    </del>
                }
                if !repair.replacement.is_empty() {
                    <ins>
                        <span class="visually-hidden">{ "insert " }</span>
                        <code>{ repair.replacement.trim() }</code>
                    </ins>
                }
            </div>
            <p class="claim">{ format!("{}.", repair.claim.trim_end_matches('.')) }</p>
            if !repair.unreached.is_empty() {
                <p class="quiet small">
                    { format!("With it, no run comes to {} any more.", crate::draw::words::lines(&repair.unreached)) }
                </p>
            }
            if !props.read_only {
                <button class="tool text apply" onclick={apply}>{ "Apply" }</button>
            }
        </article>
    }
}

fn refuted_edit(props: &Props, refuted: &RefutedReport) -> Html {
    let (line, go) = (refuted.line, props.on_line.clone());
    html! {
        <p class="refuted small">
            <button class="link line-link" onclick={move |_| go.emit(line)}>
                { format!("line {line}") }
            </button>
            { " " }{ with_code(&refuted.reason) }{ "." }
        </p>
    }
}
