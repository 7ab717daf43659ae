//! Failing runs with their causes: which lines, why, by which variant, and what the slice keeps
//! instead.

use crate::draw::levels::blames_everything;
use crate::draw::words;
use crate::ui::state::shared::Shared;
use crate::ui::tabs::explain::state::ExplainEvent;
use crate::wire::explain::{ExplainAsk, Explanation, Level};
use crate::wire::localize::{Cause, CauseReport, Variant};
use crate::wire::report::TraceEntry;
use yew::prelude::*;

/// So many lines of a cause are listed.
const LISTED: usize = 24;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) found: Shared<Explanation>,
    pub(crate) ask: ExplainAsk,
    pub(crate) level: Level,
    pub(crate) run: usize,
    /// The lines of the slice of the same errors, if they are known.
    pub(crate) slice: Option<Vec<u32>>,
    pub(crate) on_event: Callback<ExplainEvent>,
    pub(crate) on_line: Callback<u32>,
}

fn cause_of(cause: &CauseReport, variant: Variant) -> &Cause {
    match variant {
        Variant::Edges => &cause.by_edges,
        Variant::Transitions => &cause.by_transitions,
    }
}

/// What each way to tell causes can miss.
fn misses(variant: Variant) -> &'static str {
    match variant {
        Variant::Edges => {
            "Steps that no correct run takes, whatever the values. It misses what goes wrong by \
                values alone: a step that some correct run takes too is never blamed."
        }
        Variant::Transitions => {
            "Steps that no correct run takes with these values. It sees wrong values, but \
                everything behind the first of them looks wrong too: read the first line first."
        }
    }
}

#[function_component(Causes)]
pub(crate) fn causes(props: &Props) -> Html {
    let found = &props.found;
    let Some(cause) = found.causes.get(props.run) else { return html! {} };
    let variant = |variant: Variant, name: &'static str| {
        let on = props.ask.variant == variant;
        let ask = ExplainAsk { variant, ..props.ask.clone() };
        let choose = props.on_event.reform(move |_: MouseEvent| ExplainEvent::Other(ask.clone()));
        html! {
            <button
                class={classes!("segment", on.then_some("on"))}
                aria-pressed={on.to_string()}
                onclick={choose}
                title={misses(variant)}
            >
                { name }
            </button>
        }
    };
    let (blamed, everything) = (cause_of(cause, props.ask.variant), blames_everything(cause));
    html! {
        <section class="explain-section causes" aria-label="Causes">
            <h3>
                { "Cause" }
                <span class="where">
                    { if found.causes.len() > 1 {
                        format!(" of failing run {} of {}", props.run + 1, found.causes.len())
                    } else {
                        " of the failing run".into()
                    } }
                </span>
            </h3>
            if found.causes.len() > 1 { { runs(props) } }
            if !everything { <ul class="cause-lines">{ for lines(props, cause, blamed) }</ul> }
            <p class="reason-sentence">{ format!("{}.", cause.reason.trim_end_matches('.')) }</p>
            if everything {
                <p class="quiet small">
                    { "The check can only fail, so what a run must not do is to get there: the \
                        ways to fail say why it does." }
                </p>
            }
            if !everything {
            <div class="segments" role="group" aria-label="Causes by">
                { variant(Variant::Edges, "by edges") }
                { variant(Variant::Transitions, "by transitions") }
            </div>
            <p class="quiet small">{ misses(props.ask.variant) }</p>
            { slice(props, blamed) }
            if !found.ending.is_empty() {
                <p class="quiet small">{ format!("{}.", found.ending.trim_end_matches('.')) }</p>
            }
            }
        </section>
    }
}

/// The failing runs, each by its cause's lines.
fn runs(props: &Props) -> Html {
    let item = |(k, cause): (usize, &CauseReport)| {
        let on = k == props.run;
        let lines = &cause_of(cause, props.ask.variant).lines;
        let told = if lines.is_empty() { "no cause".to_string() } else { words::lines(lines) };
        let choose = props.on_event.reform(move |_: MouseEvent| ExplainEvent::Run(k));
        html! {
            <li>
                <button
                    class={classes!("choice", on.then_some("on"))}
                    aria-pressed={on.to_string()}
                    onclick={choose}
                >
                <b>{ format!("Run {}", k + 1) }</b>
                <span>{ told }</span>
                <small>
                    { format!(
                        "{} · fails in line {}",
                        words::counted(cause.trace.len() as u64, "step"),
                        cause.error.line
                    ) }
                </small>
            </button></li>
        }
    };
    html! {
        <ul class="choices" aria-label="Failing runs">
            { for props.found.causes.iter().enumerate().map(item) }
        </ul>
    }
}

/// The lines of the cause with their statements on the run.
fn lines(props: &Props, cause: &CauseReport, blamed: &Cause) -> Vec<Html> {
    let statements = |line: u32| {
        let here = |entry: &&TraceEntry| {
            entry.line == line && entry.edge.is_some_and(|edge| blamed.edges.contains(&edge))
        };
        let mut found: Vec<&str> =
            cause.trace.iter().filter(here).map(|entry| entry.statement.as_str()).collect();
        found.dedup();
        found.join("; ")
    };
    let mut items: Vec<Html> = blamed
        .lines
        .iter()
        .take(LISTED)
        .map(|line| {
            let (line, go) = (*line, props.on_line.clone());
            html! {
                <li data-line={line.to_string()}>
                    <button class="link line-link" onclick={move |_| go.emit(line)}>
                        { format!("line {line}") }
                    </button>
                    <code>{ statements(line) }</code>
                </li>
            }
        })
        .collect();
    if blamed.lines.is_empty() {
        items.push(html! { <li class="quiet">{ "No line is blamed more than the others." }</li> });
    }
    if blamed.lines.len() > LISTED {
        items.push(html! {
            <li class="quiet">{ format!("and {} more lines", blamed.lines.len() - LISTED) }</li>
        });
    }
    items
}

/// What the slice keeps of the cause: it loses errors of omission.
fn slice(props: &Props, blamed: &Cause) -> Html {
    let Some(slice) = props.slice.as_ref().filter(|_| !blamed.lines.is_empty()) else {
        return html! {};
    };
    let missed: Vec<u32> =
        blamed.lines.iter().copied().filter(|line| !slice.contains(line)).collect();
    let told = match missed.as_slice() {
        [] => format!(
            "The slice has the cause too, among its {}.",
            words::counted(slice.len() as u64, "line")
        ),
        missed => format!(
            "The slice keeps {} and loses {}: what is missing there leaves no statement to keep.",
            words::counted(slice.len() as u64, "line"),
            words::lines(missed)
        ),
    };
    html! { <p class="quiet small slice-comparison">{ told }</p> }
}
