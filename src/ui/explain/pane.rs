//! The middle of the page for explanations: the levels of detail, the answer, and the control-flow
//! graph or the runs side by side.

use super::aligned::Aligned;
use super::levels::Levels;
use super::state::{Asked, ExplainEvent};
use crate::draw::words::{counted, duration, error_place, limit_sentence};
use crate::report::explain::{Explanation, Level};
use crate::ui::shared::Shared;
use crate::wire::report::Verdict;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) found: Option<Shared<Explanation>>,
    pub(super) asked: Option<Asked>,
    pub(super) millis: u64,
    pub(super) level: Level,
    pub(super) has: [bool; 4],
    pub(super) counts: [usize; 4],
    pub(super) side_by_side: bool,
    pub(super) run: usize,
    pub(super) sequence: usize,
    /// The row of the shown run that the step is at.
    pub(super) row: Option<usize>,
    pub(super) fresh: bool,
    pub(super) halted: bool,
    /// What stands in the place of a picture.
    pub(super) said: Option<String>,
    pub(super) on_event: Callback<ExplainEvent>,
    pub(super) on_line: Callback<u32>,
    /// The control-flow graph.
    pub(super) children: Html,
}

#[function_component(ExplainPane)]
pub(super) fn pane(props: &Props) -> Html {
    let settled = props.asked.is_none() && props.fresh;
    let picture = |name: &'static str, side: bool| {
        let on = props.side_by_side == side;
        let choose = props.on_event.reform(move |_: MouseEvent| ExplainEvent::SideBySide(side));
        html! { <button class={classes!("segment", on.then_some("on"))} aria-pressed={on.to_string()} onclick={choose}>{ name }</button> }
    };
    let nothing = props.said.is_some();
    let runs = if props.level <= Level::Run { "Two runs" } else { "Its run" };
    html! {
        <section class="pane explain-pane" aria-label="Explanation" data-explained={settled.to_string()}>
            if !nothing {
                <div class="explain-head">
                    <Levels level={props.level} has={props.has} counts={props.counts} on_event={props.on_event.clone()} />
                    <div class="segments" role="group" aria-label="Picture">{ picture("Graph", false) }{ picture(runs, true) }</div>
                </div>
            }
            { answer(props) }
            <div class="explain-picture">
            if let Some(said) = &props.said {
                <div class="graph"><p class="lab-said quiet">{ said }</p></div>
            } else if props.side_by_side {
                <Aligned found={props.found.clone()} level={props.level} run={props.run} sequence={props.sequence} row={props.row}
                    on_event={props.on_event.clone()} on_line={props.on_line.clone()} />
            } else {
                { props.children.clone() }
            }
            </div>
        </section>
    }
}

/// What was found, for which options; or how far it is.
fn answer(props: &Props) -> Html {
    let again = props.on_event.reform(|_: MouseEvent| ExplainEvent::Again);
    let stop = props.on_event.reform(|_: MouseEvent| ExplainEvent::Stop);
    let working = props.asked.as_ref().map(|asked| {
        let what = match asked.stage.as_str() {
            "causes" => "Looking for causes…",
            "sequences" => "Looking for the ways to fail…",
            "suspects" => "Executing small changes…",
            _ => "Trying repairs…",
        };
        let time = if asked.millis >= 1_000 { format!(" {}", duration(asked.millis)) } else { String::new() };
        html! { <><span class="quiet working">{ what }{ time }</span><button class="link" onclick={stop.clone()}>{ "Stop" }</button></> }
    });
    let Some(found) = props.found.as_ref().filter(|found| found.problem.is_empty()) else {
        let idle = props.asked.is_none() && props.halted;
        return html! { <p class="refinement-answer" role="status">{ for working }if idle { <button class="link" onclick={again}>{ "Explain" }</button> }</p> };
    };
    let (class, verdict) = match (found.verdict, &found.error) {
        (Verdict::Unsafe, Some(error)) => ("unsafe", format!("Can fail: {}", error_place(error))),
        (Verdict::Unsafe, None) => ("unsafe", "Can fail".to_string()),
        (Verdict::Safe, _) => ("safe", "Safe".to_string()),
        (Verdict::Unknown, _) if found.fault.is_some() => {
            ("unknown", "Fault of the engine: no answer".to_string())
        }
        (Verdict::Unknown, _) => (
            "unknown",
            found.limit.map_or("Unknown".to_string(), |limit| {
                format!("Unknown: {}", limit_sentence(limit))
            }),
        ),
    };
    let mut told = Vec::new();
    if !found.causes.is_empty() {
        told.push(
            counted(found.causes.len() as u64, "failing run")
                + if found.ended == "no-error" && found.causes.len() > 1 {
                    " with independent causes"
                } else {
                    ""
                },
        );
    }
    if !found.sequences.is_empty() {
        told.push(format!(
            "{}{}",
            counted(found.sequences.len() as u64, "way"),
            if found.complete { " to fail" } else { " to fail, or more" }
        ));
    }
    if props.asked.is_none() {
        told.push(duration(props.millis));
    }
    let told = told.join(", ");
    let more = props.on_event.reform(|_: MouseEvent| ExplainEvent::More);
    let limited = found.verdict == Verdict::Unknown
        || found.cut.is_some()
        || found.ended == "limit" && found.verdict == Verdict::Unsafe;
    let limited = limited && props.asked.is_none() && found.fault.is_none();
    html! {
        <p class="refinement-answer" role="status">
            <b class={classes!("said", class)}>{ verdict }</b>
            <span class="quiet">{ told }</span>
            { for working }
            if limited && props.fresh { <button class="link" onclick={more}>{ "Go on with ten times as much" }</button> }
            if !props.fresh && props.asked.is_none() {
                <span class="cut">{ "The program has changed since." }</span>
                <button class="link" onclick={again}>{ "Explain again" }</button>
            }
        </p>
    }
}
