//! The right of the page for threads: the step's values, or what a bound adds, or a node of the
//! tree.

use super::tree_view::{told, who};
use crate::draw::lanes::{context_of, part_of, told_part};
use crate::draw::steps::step_view;
use crate::draw::thread_words;
use crate::draw::words::lines;
use crate::ui::frame::step_values::{failing, stack};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::threads::state::{Found, Picked, switches, thread};
use crate::wire::report::Values;
use crate::wire::threads::{ThreadsFound, ThreadsReport};
use yew::prelude::*;

/// So many valuations are listed.
const LISTED: usize = 40;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) found: Option<Shared<Found>>,
    pub(crate) other: Option<Shared<ThreadsFound>>,
    pub(crate) step: usize,
    pub(crate) picked: Picked,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(ThreadsInspector)]
pub(crate) fn inspector(props: &Props) -> Html {
    let Some(report) = props.found.as_ref().and_then(|found| found.report.as_ref().ok()) else {
        return frame(
            "Inspector".into(),
            html! {
                <p class="quiet">
                    { "The values at a step of the interleaved run, and what each bound adds." }
                </p>
            },
        );
    };
    match props.picked {
        Picked::Level(k) => level(report, k),
        Picked::Node(number) => node(props, report, number),
        Picked::Nothing => step(props, report),
    }
}

fn frame(title: String, body: Html) -> Html {
    html! {
        <section class="pane inspector threads-inspector" aria-label="Inspector">
            <div class="bar"><h2>{ title }</h2></div>
            <div class="inspector-body">{ body }</div>
        </section>
    }
}

fn step(props: &Props, report: &ThreadsReport) -> Html {
    let trace = report.trace.as_deref().unwrap_or_default();
    let Some(entry) = trace.get(props.step) else {
        return frame(
            "Threads".into(),
            html! { <>{ list(props, report) }{ first_switch(report) }</> },
        );
    };
    let context = context_of(report, props.step);
    let line = entry.line;
    let go = props.on_line.reform(move |_: MouseEvent| line);
    let last = props.step + 1 == trace.len();
    frame(
        format!("{}, context {}", thread(report, entry.thread), context.unwrap_or(0) + 1),
        html! {
            <>
                <p class="node-place">
                    <button class="link line-link" onclick={go}>{ format!("line {line}") }</button>
                    <code>{ &entry.statement }</code>
                </p>
                if let Some(part) = part_of(report, props.step) {
                    <p class="step-part">
                        { format!("A part of this statement: it {}.", told_part(part)) }
                    </p>
                }
                if let (true, Some(error)) = (last, &report.error) { { failing(error) } }
                { stack(&step_view(trace, props.step), false) }
                { blocked(props, report, last) }
                { first_switch(report) }
            </>
        },
    )
}

/// Who waits for what, once the run has come to its end.
fn blocked(props: &Props, report: &ThreadsReport, last: bool) -> Html {
    if report.blocked.is_empty() || !last {
        return html! {};
    }
    html! {
        <>
            <h3>{ "Deadlock" }</h3>
            <ul class="added">{ for report.blocked.iter().map(|blocked| {
                let line = blocked.line;
                let go = props.on_line.reform(move |_: MouseEvent| line);
                html! {
                    <li>
                        <button class="link line-link" onclick={go}>
                            { format!("line {line}") }
                        </button>
                        <span>
                            { format!("{} waits for ever: ", thread(report, blocked.thread)) }
                            <code>{ &blocked.statement }</code>
                        </span>
                    </li>
                }
            }) }</ul>
        </>
    }
}

/// Where a first switch can lead to the error.
fn first_switch(report: &ThreadsReport) -> Html {
    match &report.first_switch {
        Some(found) if !found.is_empty() => html! {
            <>
                <h3>{ "Where the first switch matters" }</h3>
                <p>
                    { format!("{} can fail if it is first switched away from at {}.",
                        thread(report, 0), lines(found)) }
                </p>
            </>
        },
        Some(_) => {
            html! {
                <>
                    <h3>{ "Where the first switch matters" }</h3>
                    <p>{ "Nowhere: no first switch leads to an error within the bound." }</p>
                </>
            }
        }
        None => html! {},
    }
}

/// All threads, where there is no run.
fn list(props: &Props, report: &ThreadsReport) -> Html {
    html! {
        <>
            <p class="quiet">{ "Threads that matter under this bound:" }</p>
            <ul class="added">{ for report.threads.iter().map(|thread| {
                let line = thread.line;
                let go = props.on_line.reform(move |_: MouseEvent| line);
                html! {
                    <li>
                        <button class="link line-link" onclick={go}>
                            { format!("line {line}") }
                        </button>
                        <span>
                            <b>{ &thread.name }</b>
                            { if thread.at_start { "" } else { ", once it is started" } }
                        </span>
                    </li>
                }
            }) }</ul>
        </>
    }
}

fn level(report: &ThreadsReport, k: u32) -> Html {
    let Some(level) = report.reachable.iter().find(|level| level.bound == k) else {
        return frame(switches(k), html! {});
    };
    let where_ = report.at.map_or(String::new(), |line| format!(" at line {line}"));
    let title = if k == 0 {
        "Reachable without a switch".to_string()
    } else {
        format!("New with {}", switches(k))
    };
    frame(
        title,
        html! {
            <>
                <p>
                    { format!(
                        "With up to {}{where_}: {}.",
                        switches(k),
                        thread_words::level(report, k)
                    ) }
                </p>
                <ul class="valuations">{ for level.new.iter().take(LISTED).map(valuation) }
                    if level.more || level.new.len() > LISTED {
                        <li class="quiet">{ "and more" }</li>
                    }
                </ul>
            </>
        },
    )
}

fn valuation(values: &Values) -> Html {
    let text: Vec<String> =
        values.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    html! {
        <li>
            <code>
                { if text.is_empty() { "no globals".to_string() } else { text.join(", ") } }
            </code>
        </li>
    }
}

fn node(props: &Props, report: &ThreadsReport, number: u32) -> Html {
    let other = props.other.as_ref().map(|other| other.tree.as_slice()).unwrap_or_default();
    let Some(node) = report.tree.iter().chain(other).find(|node| node.number == number) else {
        return frame("Tree".into(), html! {});
    };
    frame(
        format!("Node {number}: {}", who(report, node)),
        html! {
            <>
                <p>{ told(report, node) }</p>
                <table class="values">
                    <tbody>
                        { for node.globals.0.iter().map(|(name, value)| html! {
                            <tr><th scope="row">{ name }</th><td>{ value.to_string() }</td></tr>
                        }) }
                    </tbody>
                </table>
            </>
        },
    )
}
