//! What is listed under the verdict: every check that can fail, each with its own run one click
//! away, and notes at their lines.

use super::super::state::{Projection, ProjectionEvent, WORD};
use crate::draw::findings::{failures_title, place, reason};
use crate::ui::frame::sentence::with_code;
use crate::ui::view::Handlers;
use crate::wire::report::{FailureReport, Note, Report};
use yew::prelude::*;

/// Both lists; nothing where there is one check that can fail, and no note.
pub(super) fn view(projection: &Projection, report: &Report, on: &Handlers) -> Html {
    html! { <>{ failures(projection, report, on) }{ notes(report, on) }</> }
}

fn failures(projection: &Projection, report: &Report, on: &Handlers) -> Html {
    if report.failures.len() < 2 {
        return html! {};
    }
    let shown = projection.failure.as_ref().map_or(0, |(at, _)| *at);
    let send = on.sends::<ProjectionEvent>(WORD);
    let item = |(at, failure): (usize, &FailureReport)| {
        let (at, is_shown) = (at as u32, at as u32 == shown);
        let choose = send.reform(move |_: MouseEvent| ProjectionEvent::Failure(at));
        html! {
            <li>
                <button class={classes!("finding", is_shown.then_some("on"))} onclick={choose}
                    aria-pressed={is_shown.to_string()}>
                    <b>{ place(failure) }</b>{ " " }
                    <span>{ with_code(&reason(failure)) }</span>
                </button>
            </li>
        }
    };
    html! {
        <div class="findings">
            <p id="failures">{ failures_title(report.failures.len(), report.failures_limit) }</p>
            <ol aria-labelledby="failures">
                { for report.failures.iter().enumerate().map(item) }
            </ol>
        </div>
    }
}

fn notes(report: &Report, on: &Handlers) -> Html {
    if report.notes.is_empty() {
        return html! {};
    }
    let item = |note: &Note| {
        let (line, go) = (note.line, on.line.clone());
        html! {
            <li class="note">
                <button class="link" onclick={move |_| go.emit(line)}>
                    { format!("line {line}") }
                </button>
                { ": " }{ with_code(&note.text) }
            </li>
        }
    };
    html! {
        <ul class="findings" aria-label="Notes">{ for report.notes.iter().map(item) }</ul>
    }
}
