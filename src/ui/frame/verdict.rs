//! The one place of the page where a verdict stands: that of the tab that is shown, or how far its
//! work is, or what keeps the program from having one. What other tabs know is one line.

use super::icons::{Icon, icon};
use super::sentence::with_code;
use crate::draw::refusal::unreadable;
use crate::ui::loading::Loading;
use crate::ui::state::fault::Fault;
use crate::ui::state::said::{Ask, Said, Tone};
use crate::ui::state::shared::Shared;
use crate::ui::state::verdict::Known;
use crate::wire::diagnostic::Severity;
use crate::wire::diagnostic::{DiagnosticView, TextEdit};
use yew::prelude::*;

/// What the panel is about.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// How much of the engine is there, until it is up.
    pub(crate) loading: Option<Loading>,
    /// The tab that is shown, and what it says.
    pub(crate) tab: &'static str,
    pub(crate) said: Said,
    /// What the tab offers behind what its verdict holds for.
    pub(crate) offers: Html,
    /// What the tab lists below its verdict.
    pub(crate) findings: Html,
    /// What the tab shows on request besides figures.
    pub(crate) proof: Html,
    /// What other tabs know.
    pub(crate) known: Vec<Known>,
    /// The tab that is made for such a program.
    pub(crate) suitable: Option<&'static str>,
    pub(crate) diagnostics: Shared<Vec<DiagnosticView>>,
    pub(crate) on_line: Callback<u32>,
    pub(crate) on_ask: Callback<Ask>,
    pub(crate) on_show: Callback<&'static str>,
    /// Edit the text as a diagnostic proposes.
    pub(crate) on_mend: Callback<TextEdit>,
}

#[function_component(VerdictPanel)]
pub(crate) fn verdict_panel(props: &Props) -> Html {
    let errors: Vec<&DiagnosticView> =
        props.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let working = !props.said.working.is_empty();
    let (tone, content) = match props.loading {
        _ if props.said.tone == Tone::Faulty => (Tone::Faulty.class(), said(props)),
        _ if !working && !errors.is_empty() => {
            ("broken", broken(&errors, &props.on_line, &props.on_mend))
        }
        Some(loading) if working => (Tone::Running.class(), loading_first(loading)),
        Some(loading) if props.said.tone == Tone::Plain => ("plain", loading_line(loading)),
        _ => (props.said.tone.class(), said(props)),
    };
    // The panel takes the focus when a button inside it has gone.
    html! {
        <div
            class={classes!("verdict", tone)}
            role="status"
            aria-live="polite"
            aria-label="Verdict"
            tabindex="-1"
            data-tab={props.tab}
        >
            { content }
            if working { <div class="progress" aria-hidden="true"></div> }
        </div>
    }
}

fn loading_first(loading: Loading) -> Html {
    html! {
        <>
            <h1>{ "Loading the engine…" }</h1>
            <p>{ format!("{}, then the program is checked", loading.told()) }</p>
        </>
    }
}

/// What the page says until the engine is up and nothing runs.
pub(crate) fn loading_line(loading: Loading) -> Html {
    html! { <p class="quiet loading">{ format!("Loading the engine: {}", loading.told()) }</p> }
}

/// What an empty page says if there is no engine.
pub(crate) fn fault_line(fault: &Fault, on_ask: &Callback<Ask>) -> Html {
    let (headline, why) = fault.told();
    html! {
        <div class="no-engine" role="alert">
            <p><b>{ headline }</b>{ ". " }{ why }</p>
            <button class="button" onclick={on_ask.reform(|_: MouseEvent| Ask::Engine)}>
                { "Try again" }
            </button>
        </div>
    }
}

fn broken(
    errors: &[&DiagnosticView],
    on_line: &Callback<u32>,
    on_mend: &Callback<TextEdit>,
) -> Html {
    const SHOWN: usize = 4;
    let items = errors.iter().take(SHOWN).map(|d| {
        let (line, go) = (d.line, on_line.clone());
        html! {
            <li>
                <button class="link" onclick={move |_| go.emit(line)}>
                    { format!("line {line}") }
                </button>
                <span>{ " " }{ with_code(d.beside_its_line()) }</span>
                if !d.hint.is_empty() {
                    <span class="hint">{ " — " }{ with_code(&d.hint) }</span>
                }
                { for d.edit.as_ref().map(|edit| mending(edit, on_mend)) }
            </li>
        }
    });
    let more = errors.len().saturating_sub(SHOWN);
    let headline = unreadable(errors.iter().copied());
    html! {
        <>
            <h1><span>{ with_code(&headline) }</span></h1>
            <ul class="errors">{ for items }</ul>
            if more > 0 { <p>{ format!("and {more} more, marked in the source") }</p> }
        </>
    }
}

/// A button that edits the text as a diagnostic proposes.
fn mending(edit: &TextEdit, on_mend: &Callback<TextEdit>) -> Html {
    let (label, edit, on_mend) = (edit.label(), edit.clone(), on_mend.clone());
    html! {
        <button class="tool text mend" onclick={move |_| on_mend.emit(edit.clone())}>
            { label }
        </button>
    }
}

fn said(props: &Props) -> Html {
    let said = &props.said;
    let mark = match said.tone {
        Tone::Safe => Some(icon(Icon::Check)),
        Tone::Unsafe | Tone::Failing => Some(icon(Icon::Close)),
        Tone::Unknown => Some(icon(Icon::Help)),
        _ => None,
    };
    html! {
        <>
            if !said.headline.is_empty() { <h1>{ for mark }{ &said.headline }</h1> }
            if !said.holds.is_empty() {
                <p class="holds">{ &said.holds }{ props.offers.clone() }</p>
            }
            { for said.told.iter().map(|sentence| html! { <p class="told">{ with_code(sentence) }</p> }) }
            if !said.checked.is_empty() { <p class="told checked">{ &said.checked }</p> }
            if !said.working.is_empty() { <p class="working">{ &said.working }</p> }
            { buttons(props) }
            { props.findings.clone() }
            { known(props) }
            { figures(props) }
        </>
    }
}

/// What can be asked for, and the way to the tab that is made for the program.
fn buttons(props: &Props) -> Html {
    let leads = props.suitable.filter(|_| !props.said.leads.is_empty());
    if props.said.asks.is_empty() && leads.is_none() {
        return html! {};
    }
    let asks = props.said.asks.iter().map(|(ask, text)| {
        let (ask, press) = (*ask, props.on_ask.clone());
        html! { <button class="link" onclick={move |_| press.emit(ask)}>{ *text }</button> }
    });
    html! {
        <p class="asks">
            { for asks }
            if let Some(tab) = leads {
                <button class="link" onclick={props.on_show.reform(move |_: MouseEvent| tab)}>
                    { props.said.leads }
                </button>
            }
        </p>
    }
}

/// What other tabs know: each is a button that shows its tab.
fn known(props: &Props) -> Html {
    if props.known.is_empty() {
        return html! {};
    }
    html! {
        <p class="known">
            { for props.known.iter().enumerate().map(|(at, known)| {
                let (word, name) = known.tab;
                let show = props.on_show.reform(move |_: MouseEvent| word);
                html! {
                    <span>
                        { if at > 0 { " · " } else { "" } }
                        <button class="link" onclick={show}>{ name }</button>
                        { format!(": {}", known.said) }
                    </span>
                }
            }) }
        </p>
    }
}

/// The numbers of the engine, and the proof.
fn figures(props: &Props) -> Html {
    if props.said.figures.is_empty() {
        return html! {};
    }
    html! {
        <details class="figures-fold">
            <summary>{ "Details" }</summary>
            { for props.said.figures.iter().map(|figure| html! { <p>{ figure }</p> }) }
            { props.proof.clone() }
        </details>
    }
}
