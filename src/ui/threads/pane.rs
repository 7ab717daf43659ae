//! The middle of the page for threads: the bound, the answer, what each bound adds, and the run or
//! how it was found.

use super::lanes_view::LanesView;
use super::state::{Asked, Found, Picked, Shown, ThreadsEvent, switches};
use super::tree_view::TreeView;
use crate::draw::lanes::Lanes;
use crate::draw::words::{counted, duration, error_place, holds_for, limit_sentence};
use crate::ui::controls::Move;
use crate::ui::shared::Shared;
use crate::util::Limit;
use crate::wire::threads::{ThreadsFound, ThreadsReport, ThreadsVerdict};
use crate::wire::threads_ask::{METHODS, MOST_SWITCHES, ThreadsAsk};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) ask: ThreadsAsk,
    /// In force.
    pub(super) bound: Option<u32>,
    pub(super) found: Option<Shared<Found>>,
    /// What the other method built.
    pub(super) beside: Option<Shared<ThreadsFound>>,
    pub(super) lanes: Shared<Lanes>,
    pub(super) step: usize,
    pub(super) shown: Shown,
    pub(super) picked: Picked,
    /// An analysis that is on its way.
    pub(super) asked: Option<Asked>,
    pub(super) fresh: bool,
    pub(super) stale: bool,
    /// The program cannot be read.
    pub(super) broken: bool,
    pub(super) on_move: Callback<Move>,
    pub(super) on_event: Callback<ThreadsEvent>,
}

#[function_component(ThreadsPane)]
pub(super) fn pane(props: &Props) -> Html {
    let report = props.found.as_ref().and_then(|found| found.report.as_ref().ok());
    let settled = props.asked.is_none() && props.fresh;
    html! {
        <section class="pane graph-pane threads-pane" aria-label="Threads" data-settled={settled.to_string()} data-bound={props.bound.map(|bound| bound.to_string())}>
            <div class="bar">
                <div class="segments" role="group" aria-label="Picture">
                    { for Shown::ALL.into_iter().map(|shown| {
                        let on = props.shown == shown;
                        let choose = props.on_event.reform(move |_: MouseEvent| ThreadsEvent::Show(shown));
                        html! { <button class={classes!("segment", on.then_some("on"))} aria-pressed={on.to_string()} onclick={choose}>{ shown.name() }</button> }
                    }) }
                </div>
            </div>
            { bound_row(props) }
            { answer(props) }
            if let Some(report) = report.filter(|report| report.threads.len() > 1) { { levels(props, report) } }
            <div class="graph threads-picture">{ picture(props, report) }</div>
        </section>
    }
}

/// The bound, to be raised one by one, and the method.
fn bound_row(props: &Props) -> Html {
    let change = |to: Option<u32>| {
        let ask = ThreadsAsk { bound: to, ..props.ask.clone() };
        props.on_event.reform(move |_: MouseEvent| ThreadsEvent::Ask(ask.clone()))
    };
    let bound = props.bound;
    let (less, more) =
        (bound.map(|k| k.saturating_sub(1)), bound.map(|k| (k + 1).min(MOST_SWITCHES)));
    let (ask, emit) = (props.ask.clone(), props.on_event.clone());
    let chosen = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        emit.emit(ThreadsEvent::Ask(ThreadsAsk { method: select.value(), ..ask.clone() }));
    });
    html! {
        <div class="refinement-ask threads-ask" role="group" aria-label="What is analysed">
            <span class="bound" role="group" aria-label="Bound on context switches">
                <span>{ "At most" }</span>
                <button class="tool" aria-label="One switch less" title="One switch less (−)" disabled={bound.is_none_or(|k| k == 0)} onclick={change(less)}>{ "−" }</button>
                <b class="bound-value" aria-live="polite">{ bound.map_or("…".to_string(), |k| k.to_string()) }</b>
                <button class="tool" aria-label="One switch more" title="One switch more (+)" disabled={bound.is_none_or(|k| k >= MOST_SWITCHES)} onclick={change(more)}>{ "+" }</button>
                <span>{ if bound == Some(1) { "context switch" } else { "context switches" } }</span>
            </span>
            <label class="pick"><span>{ "Method" }</span>
                <select id="threads-method" class="method" onchange={chosen}>
                    { for METHODS.into_iter().map(|(word, name, what)| html! {
                        <option value={word} selected={word == props.ask.method} title={what}>{ name }</option>
                    }) }
                </select>
            </label>
        </div>
    }
}

/// The answer, with what it holds for; or how far the analysis is.
fn answer(props: &Props) -> Html {
    let stop = props.on_event.reform(|_: MouseEvent| ThreadsEvent::Stop);
    let again = props.on_event.reform(|_: MouseEvent| ThreadsEvent::Again);
    let more = props.on_event.reform(|_: MouseEvent| ThreadsEvent::More);
    if let Some(asked) = &props.asked {
        let known = asked
            .no_error_up_to
            .map(|k| format!("No error up to {} so far. ", switches(k)))
            .unwrap_or_default();
        let phase = if asked.phase.is_empty() {
            "Analysing the threads".to_string()
        } else {
            asked.phase.clone()
        };
        return html! {
            <p class="refinement-answer" role="status"><span class="quiet">{ format!("{known}{phase}… {}", duration(asked.millis)) }</span><button class="link" onclick={stop}>{ "Stop" }</button></p>
        };
    }
    let Some(found) = &props.found else {
        return html! { <p class="refinement-answer" role="status"><button class="link" onclick={again}>{ "Analyse" }</button></p> };
    };
    let report = match &found.report {
        Ok(report) => report,
        Err(said) => {
            return html! { <p class="refinement-answer" role="status"><span>{ said }</span><button class="link" onclick={again}>{ "Analyse again" }</button></p> };
        }
    };
    let (class, verdict) = verdict(report);
    let alone =
        if report.threads.len() < 2 { "One thread only: nothing can be switched to. " } else { "" };
    html! {
        <p class="refinement-answer" role="status">
            <b class={classes!("said", class)}>{ verdict }</b>
            <span class="quiet">{ format!("{alone}{}, {}; {}", counted(report.threads.len() as u64, "thread"), duration(found.millis), holds_for(&report.options)) }</span>
            if report.verdict == ThreadsVerdict::Unknown && report.fault.is_none() && !props.stale {
                <button class="link" onclick={more}>{ "Go on with ten times as much" }</button>
            }
            if props.stale { <span class="cut">{ "The program has changed since." }</span> }
            <button class="link" onclick={again}>{ "Analyse again" }</button>
        </p>
    }
}

/// The verdict in words: a bound proves nothing beyond itself.
fn verdict(report: &ThreadsReport) -> (&'static str, String) {
    match report.verdict {
        ThreadsVerdict::NoErrorWithinBound => {
            ("bounded", format!("No error with up to {}", switches(report.bound)))
        }
        ThreadsVerdict::Unsafe => {
            let place = report
                .error
                .as_ref()
                .map(|error| format!(": {}", error_place(error)))
                .unwrap_or_default();
            let how = report
                .switches
                .map_or(String::new(), |k| format!(" with {}, not with fewer", switches(k)));
            let how =
                if report.switches == Some(0) { " without a switch".to_string() } else { how };
            ("unsafe", format!("Can fail{how}{place}"))
        }
        ThreadsVerdict::Unknown if report.fault.is_some() => {
            ("unknown", "Fault of the engine: no answer".into())
        }
        ThreadsVerdict::Unknown => {
            let known = report
                .no_error_up_to
                .map(|k| format!("; no error with up to {}", switches(k)))
                .unwrap_or_default();
            (
                "unknown",
                format!("Unknown: {}{known}", limit_sentence(report.limit.unwrap_or(Limit::Time))),
            )
        }
    }
}

/// What became reachable at each bound.
fn levels(props: &Props, report: &ThreadsReport) -> Html {
    if report.reachable.is_empty() {
        return html! {};
    }
    html! {
        <ol class="bounds" aria-label="What became reachable at each number of switches">
            { for report.reachable.iter().map(|level| {
                let (k, on) = (level.bound, props.picked == Picked::Level(level.bound));
                let pick = props.on_event.reform(move |_: MouseEvent| ThreadsEvent::Level((!on).then_some(k)));
                let fails = report.switches == Some(k);
                let new = match (k, level.new.len(), level.more) {
                    (0, _, _) => String::new(),
                    (_, 0, _) => "nothing new".to_string(),
                    (_, n, more) => format!("+{n}{}", if more { " or more" } else { "" }),
                };
                html! {
                    <li key={k}><button class={classes!("bound-level", on.then_some("on"), fails.then_some("fails"))} aria-pressed={on.to_string()} onclick={pick} data-level={k.to_string()}
                        title="Values of the globals that can be reached; select to see the new ones">
                        <span class="head">{ switches(k) }</span><b>{ &level.count }</b><small class="quiet">{ new }</small>
                        if fails { <span class="fails-here">{ "fails" }</span> }
                    </button></li>
                }
            }) }
        </ol>
    }
}

fn picture(props: &Props, report: Option<&ThreadsReport>) -> Html {
    let Some(report) = report else {
        let said = match (&props.found, &props.asked) {
            (None, _) if props.broken => "The program cannot be read: see the errors beside it.",
            (_, Some(_)) => "Analysing…",
            _ => "Nothing was analysed yet.",
        };
        return html! { <p class="lab-said quiet">{ said }</p> };
    };
    let found = props.found.clone().filter(|_| report.trace.is_some());
    match (props.shown, found) {
        (Shown::Tree, _) => {
            html! { <TreeView found={props.found.clone()} beside={props.beside.clone()} picked={props.picked} on_event={props.on_event.clone()} /> }
        }
        (Shown::Lanes, Some(found)) => html! {
            <LanesView lanes={props.lanes.clone()} {found} step={props.step} on_move={props.on_move.clone()} on_event={props.on_event.clone()} />
        },
        (Shown::Lanes, None) => {
            let said = match report.verdict {
                ThreadsVerdict::NoErrorWithinBound if report.threads.len() < 2 => {
                    "This program starts no threads. The Projection says whether it can fail."
                        .to_string()
                }
                ThreadsVerdict::NoErrorWithinBound => {
                    format!(
                        "No interleaving with up to {} fails. More switches may: raise the bound.",
                        switches(report.bound)
                    )
                }
                _ => "There is no failing run to show.".to_string(),
            };
            html! { <p class="lab-said quiet">{ said }</p> }
        }
    }
}
