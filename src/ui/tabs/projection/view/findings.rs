//! What is listed among the verdict's details: every check that can fail, each with its own run one
//! click away, and notes at their lines.

use super::super::state::{Projection, ProjectionEvent, WORD};
use crate::draw::findings::{failures_title, place, reason};
use crate::draw::words::counted;
use crate::ui::frame::sentence::with_code;
use crate::ui::view::Handlers;
use crate::wire::report::{FailureReport, Note, Report};
use yew::prelude::*;

/// The first note, which stands with the verdict.
pub(super) fn lead(report: &Report, on: &Handlers) -> Html {
    let Some(first) = report.notes.first() else { return html! {} };
    html! { <ul class="lead" aria-label="Note">{ note(first, on) }</ul> }
}

/// Both lists; nothing where there is one check that can fail, and one note.
pub(super) fn view(projection: &Projection, report: &Report, on: &Handlers) -> Html {
    html! { <>{ failures(projection, report, on) }{ notes(report, on) }</> }
}

/// "3 failures, 1 more note".
pub(super) fn told(report: &Report) -> String {
    let count = |many: usize, noun| counted(many as u64, noun);
    let failures = Some(report.failures.len()).filter(|many| *many > 1);
    let notes = Some(report.notes.len().saturating_sub(1)).filter(|many| *many > 0);
    let parts =
        [failures.map(|many| count(many, "failure")), notes.map(|many| count(many, "more note"))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
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

/// The notes but the first.
fn notes(report: &Report, on: &Handlers) -> Html {
    let rest = report.notes.get(1..).unwrap_or_default();
    if rest.is_empty() {
        return html! {};
    }
    html! {
        <ul class="findings" aria-label="Notes">{ for rest.iter().map(|one| note(one, on)) }</ul>
    }
}

fn note(note: &Note, on: &Handlers) -> Html {
    let (line, go) = (note.line, on.line.clone());
    html! {
        <li class="note">
            <button class="link" onclick={move |_| go.emit(line)}>
                { format!("line {line}") }
            </button>
            { ": " }{ with_code(&note.text) }
        </li>
    }
}
