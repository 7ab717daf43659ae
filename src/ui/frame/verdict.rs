//! The one place of the page where a verdict stands: that of the tab that is shown, or how far its
//! work is, or what keeps the program from having one. What other tabs know is one line.

use super::icons::{Icon, icon};
use super::sentence::with_code;
use crate::draw::refusal::unreadable;
use crate::draw::unchecked;
use crate::draw::words::capitalised;
use crate::ui::loading::Loading;
use crate::ui::state::fault::Fault;
use crate::ui::state::said::{Ask, Said, Tone};
use crate::ui::state::shared::Shared;
use crate::ui::state::verdict::Known;
use crate::ui::view::Beside;
use crate::wire::diagnostic::Severity;
use crate::wire::diagnostic::{DiagnosticView, TextEdit};
use crate::wire::report::Unchecked;
use gloo::timers::callback::Interval;
use yew::prelude::*;

/// What the panel is about.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// How much of the engine is there, until it is up.
    pub(crate) loading: Option<Loading>,
    /// The tab that is shown, and what it says.
    pub(crate) tab: &'static str,
    pub(crate) said: Said,
    /// What the tab shows with it.
    pub(crate) beside: Beside,
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
    let open = use_state(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let details = Details { is_open: *open, toggle };
    let errors: Vec<&DiagnosticView> =
        props.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let working = !props.said.working.is_empty();
    let spoken = use_spoken(working);
    let (tone, content) = match props.loading {
        _ if props.said.tone == Tone::Faulty => (Tone::Faulty.class(), said(props, &details)),
        _ if !working && !errors.is_empty() && !props.said.of_text => {
            ("broken", broken(&errors, &props.on_line, &props.on_mend))
        }
        Some(loading) if working => (Tone::Running.class(), loading_first(loading)),
        Some(loading) if props.said.tone == Tone::Plain => ("plain", loading_line(loading)),
        _ => (props.said.tone.class(), said(props, &details)),
    };
    // The panel takes the focus when a button inside it has gone.
    html! {
        <>
            <div
                class={classes!("verdict", tone)}
                role="status"
                aria-live={if working { "off" } else { "polite" }}
                aria-label="Verdict"
                tabindex="-1"
                data-tab={props.tab}
            >
                { content }
                if working { <div class="progress" aria-hidden="true"></div> }
            </div>
            <p class="visually-hidden" role="status" aria-label="Progress">{ spoken }</p>
        </>
    }
}

/// What a screen reader hears of the work: a word at its begin and then every five seconds. The
/// figures that are seen change ten times a second.
#[hook]
fn use_spoken(working: bool) -> String {
    const EVERY: u32 = 5;
    let rounds = use_state(|| 0u32);
    let set = rounds.setter();
    use_effect_with(working, move |working| {
        let mut count = 0;
        set.set(count);
        let timer = working.then(|| {
            Interval::new(EVERY * 1_000, move || {
                count += 1;
                set.set(count);
            })
        });
        move || drop(timer)
    });
    match (working, *rounds) {
        (false, _) => String::new(),
        (true, 0) => "Working".to_string(),
        (true, rounds) => format!("Still working, {} seconds", rounds * EVERY),
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

/// What stands behind the answer, on request.
struct Details {
    is_open: bool,
    toggle: Callback<MouseEvent>,
}

fn said(props: &Props, details: &Details) -> Html {
    let said = &props.said;
    let mark = match said.tone {
        Tone::Safe => Some(icon(Icon::Check)),
        Tone::Unsafe | Tone::Failing => Some(icon(Icon::Close)),
        Tone::Unknown => Some(icon(Icon::Help)),
        _ => None,
    };
    html! {
        <>
            if !said.headline.is_empty() { <h1>{ for mark }<span>{ with_code(&said.headline) }</span></h1> }
            if !said.told.is_empty() {
                <p class="told">{ with_code(&said.told.join(" ")) }</p>
            }
            { props.beside.lead.clone() }
            if !said.working.is_empty() { <p class="working">{ &said.working }</p> }
            { buttons(props) }
            { scope(props, details) }
            { behind(props, details) }
        </>
    }
}

/// What the answer is about and what not, in one quiet line, and the way to all the rest.
fn scope(props: &Props, details: &Details) -> Html {
    let said = &props.said;
    let all = match (props.beside.found.as_str(), details.is_open) {
        ("", _) | (_, true) => "Details".to_string(),
        (found, false) => format!("{found}, details"),
    };
    let has_details = has_details(props);
    if said.scope.is_empty() && said.unchecked.is_empty() && !has_details {
        return html! {};
    }
    html! {
        <p class="scope">
            if !said.scope.is_empty() { { &said.scope }{ props.beside.offers.clone() }{ " " } }
            { not_checked(props) }
            if has_details {
                <button class="details-switch" onclick={details.toggle.clone()}
                    aria-expanded={details.is_open.to_string()} aria-controls="details">
                    { all }{ icon(if details.is_open { Icon::Up } else { Icon::Down }) }
                </button>
            }
        </p>
    }
}

/// "Not checked: leaks, what is printed.": what can be asked is a button.
fn not_checked(props: &Props) -> Html {
    let last = props.said.unchecked.len().saturating_sub(1);
    let one = |(at, what): (usize, &Unchecked)| {
        let (name, end) = (unchecked::not_checked(*what), if at == last { ". " } else { ", " });
        let Some(question) = unchecked::question(*what) else {
            return html! { <>{ name }{ end }</> };
        };
        let (look, spoken) = (Ask::Look(*what), format!("{name}: {}", question.label));
        html! {
            <>
                <button class="link" title={question.label} aria-label={spoken}
                    onclick={props.on_ask.reform(move |_: MouseEvent| look)}>{ name }</button>
                { end }
            </>
        }
    };
    html! {
        if !props.said.unchecked.is_empty() {
            { "Not checked: " }{ for props.said.unchecked.iter().enumerate().map(one) }
        }
    }
}

fn has_details(props: &Props) -> bool {
    let said = &props.said;
    !(said.holds.is_empty()
        && said.more.is_empty()
        && said.figures.is_empty()
        && props.known.is_empty()
        && props.beside.found.is_empty())
}

/// What is shown on request: all that it holds for, what else can fail, what other tabs know, the
/// numbers of the engine and the proof.
fn behind(props: &Props, details: &Details) -> Html {
    if !has_details(props) {
        return html! {};
    }
    let said = &props.said;
    let sentence = |text: &String| html! { <p>{ with_code(text) }</p> };
    html! {
        <div class="details" id="details" hidden={!details.is_open}>
            { props.beside.findings.clone() }
            { for said.more.iter().map(sentence) }
            if !said.holds.is_empty() {
                <p class="holds">{ format!("{}.", capitalised(&said.holds)) }</p>
            }
            { known(props) }
            { for said.figures.iter().map(sentence) }
            { props.beside.proof.clone() }
        </div>
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
