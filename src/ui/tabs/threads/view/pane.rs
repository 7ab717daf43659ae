//! The middle of the page for threads: the bound, the answer, what each bound adds, and the run or
//! how it was found.

use super::lanes_view::LanesView;
use super::tree_view::TreeView;
use crate::draw::lanes::Lanes;
use crate::draw::thread_words;
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::Move;
use crate::ui::tabs::threads::state::{Found, Picked, Shown, ThreadsEvent, switches, thread};
use crate::wire::threads::{
    Future, MOST_SWITCHES, RisingWord, SwitchBound, ThreadsAsk, ThreadsMethod,
};
use crate::wire::threads::{ThreadsFound, ThreadsReport};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) ask: ThreadsAsk,
    /// In force.
    pub(crate) asked: Option<SwitchBound>,
    /// The number in force, or to which the bound rose.
    pub(crate) bound: Option<u32>,
    /// The same with one switch less, and with one more.
    pub(crate) less: Option<ThreadsAsk>,
    pub(crate) more: Option<ThreadsAsk>,
    pub(crate) found: Option<Shared<Found>>,
    /// What the other method built.
    pub(crate) other: Option<Shared<ThreadsFound>>,
    pub(crate) lanes: Shared<Lanes>,
    pub(crate) step: usize,
    pub(crate) shown: Shown,
    pub(crate) picked: Picked,
    /// Is there an answer to what is asked?
    pub(crate) settled: bool,
    /// What is to be read in the place of a picture.
    pub(crate) said: Option<String>,
    pub(crate) on_move: Callback<Move>,
    pub(crate) on_event: Callback<ThreadsEvent>,
}

#[function_component(ThreadsPane)]
pub(crate) fn pane(props: &Props) -> Html {
    let report = props.found.as_ref().and_then(|found| found.report.as_ref().ok());
    html! {
        <section
            class="pane graph-pane threads-pane"
            aria-label="Threads"
            data-settled={props.settled.to_string()}
            data-bound={props.bound.map(|bound| bound.to_string())}
        >
            <div class="bar">
                <div class="segments" role="group" aria-label="Picture">
                    { for Shown::ALL.into_iter().map(|shown| {
                        let on = props.shown == shown;
                        let choose = props.on_event.reform(move |_: MouseEvent| ThreadsEvent::Show(shown));
                        html! {
                            <button
                                class={classes!("segment", on.then_some("on"))}
                                aria-pressed={on.to_string()}
                                onclick={choose}
                            >
                                { shown.name() }
                            </button>
                        }
                    }) }
                </div>
            </div>
            if props.shown != Shown::Hand { { bound_row(props) } }
            if let Some(report) = report {
                if props.shown == Shown::Hand {
                    { choices(props, report) }
                } else if report.threads.len() > 1 {
                    { levels(props, report) }
                }
            }
            <div class="graph threads-picture">{ picture(props, report) }</div>
        </section>
    }
}

/// How many switches, and the method.
fn bound_row(props: &Props) -> Html {
    let (ask, emit) = (props.ask.clone(), props.on_event.clone());
    let chosen = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        if let Some(method) = ThreadsMethod::from_word(&select.value()) {
            emit.emit(ThreadsEvent::Other(ThreadsAsk { method, ..ask.clone() }));
        }
    });
    html! {
        <div class="refinement-ask threads-ask" role="group" aria-label="What is analysed">
            <label class="pick"><span>{ "Context switches" }</span>{ switches_select(props) }</label>
            <span class="bound" role="group" aria-label="Bound on context switches">
                { one_switch(props, false) }
                { one_switch(props, true) }
            </span>
            <label class="pick"><span>{ "Method" }</span>
                <select id="threads-method" class="method" onchange={chosen}>
                    { for ThreadsMethod::ALL.into_iter().map(|method| {
                        let (name, what) = method.told();
                        let (value, selected) = (method.word(), method == props.ask.method);
                        html! { <option {value} {selected} title={what}>{ name }</option> }
                    }) }
                </select>
            </label>
        </div>
    }
}

/// The bound: it rises by itself, or a number.
fn switches_select(props: &Props) -> Html {
    let (ask, emit) = (props.ask.clone(), props.on_event.clone());
    let rising = RisingWord::Rising.word();
    let chosen = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        let value = select.value();
        let bound = match value.parse() {
            Ok(most) => SwitchBound::AtMost(most),
            Err(_) => SwitchBound::Rising,
        };
        emit.emit(ThreadsEvent::Other(ThreadsAsk { bound: Some(bound), ..ask.clone() }));
    });
    // A program or a link may ask for more than the page offers.
    let numbers = (0..=MOST_SWITCHES).chain(match props.asked {
        Some(SwitchBound::AtMost(most)) if most > MOST_SWITCHES => Some(most),
        _ => None,
    });
    html! {
        <select
            id="threads-switches"
            class="method"
            onchange={chosen}
            title="How many context switches are allowed. By itself the bound rises from 0 until a \
                run fails, more switches reach nothing new, or the time is up."
        >
            <option value={rising} selected={props.asked == Some(SwitchBound::Rising)}>
                { "raise by itself" }
            </option>
            { for numbers.map(|most| {
                let selected = props.asked == Some(SwitchBound::AtMost(most));
                html! {
                    <option value={most.to_string()} {selected}>{ format!("at most {most}") }</option>
                }
            }) }
        </select>
    }
}

/// A button for one switch more or less.
fn one_switch(props: &Props, more: bool) -> Html {
    let (sign, label, title, ask) = match more {
        false => ("−", "One switch less", "One switch less (−)", &props.less),
        true => ("+", "One switch more", "One switch more (+)", &props.more),
    };
    let to = ask.clone();
    let on_event = props.on_event.clone();
    let change = Callback::from(move |_: MouseEvent| {
        if let Some(ask) = &to {
            on_event.emit(ThreadsEvent::Other(ask.clone()));
        }
    });
    html! {
        <button class="tool" aria-label={label} {title} disabled={ask.is_none()} onclick={change}>
            { sign }
        </button>
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
                html! {
                    <li key={k}>
                        <button
                            class={classes!("bound-level", on.then_some("on"), fails.then_some("fails"))}
                            aria-pressed={on.to_string()}
                            onclick={pick}
                            data-level={k.to_string()}
                            title="Values of the globals that can be reached; select to see the \
                                new ones"
                        >
                        <span class="head">{ switches(k) }</span>
                        { " " }
                        <small class={if fails { "fails-here" } else { "quiet" }}>
                            { thread_words::level(report, k) }
                        </small>
                    </button></li>
                }
            }) }
        </ol>
    }
}

fn picture(props: &Props, report: Option<&ThreadsReport>) -> Html {
    if let (Shown::Tree, Some(_)) = (props.shown, report) {
        return html! {
            <TreeView found={props.found.clone()} other={props.other.clone()}
                picked={props.picked} on_event={props.on_event.clone()} />
        };
    }
    match (&props.said, props.found.clone()) {
        (None, Some(found)) => html! {
            <LanesView lanes={props.lanes.clone()} {found}
                other={props.other.clone().filter(|_| props.shown != Shown::Hand)}
                step={props.step} on_move={props.on_move.clone()} on_event={props.on_event.clone()} />
        },
        (said, _) => html! { <p class="lab-said quiet">{ said.clone() }</p> },
    }
}

/// Who can go on, and what can fail then.
fn choices(props: &Props, report: &ThreadsReport) -> Html {
    let ask = &props.ask;
    let go = |schedule: Option<String>| {
        let ask = ThreadsAsk { schedule: schedule.or(ask.schedule.clone()), ..ask.clone() };
        props.on_event.reform(move |_: MouseEvent| ThreadsEvent::Other(ask.clone()))
    };
    let chosen = ask.schedule.as_deref().unwrap_or_default();
    let before = chosen.rsplit_once(',').map_or("", |(before, _)| before).to_string();
    html! {
        <ol class="bounds choices" aria-label="Who goes on">
            { for report.next.iter().enumerate().map(|(k, next)| {
                let future = next.future;
                let fails = matches!(future, Some(Future::Fails | Future::CanFail));
                html! {
                    <li key={k}>
                        <button
                            class={classes!("bound-level", fails.then_some("fails"))}
                            disabled={next.schedule.is_none()}
                            onclick={go(next.schedule.clone())}
                        >
                            <span class="head">{ thread(report, next.thread) }</span>
                            { format!(" line {} ", next.line) }
                            <code>{ &next.told }</code>
                            { " " }
                            <small class={if fails { "fails-here" } else { "quiet" }}>
                                { future.map(Future::told) }
                            </small>
                        </button>
                    </li>
                }
            }) }
            <li key="undo">
                <button class="bound-level" disabled={chosen.is_empty()} onclick={go(Some(before))}>
                    { "Undo" }
                </button>
            </li>
        </ol>
    }
}
