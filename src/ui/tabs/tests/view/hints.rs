//! Where to look, in steps that a person opens one by one: the place of the wrong output, lines
//! that may be wrong, what kind of mistake it is, a change.

use super::line_button;
use crate::draw::words::counted;
use crate::ui::frame::sentence::with_code;
use crate::ui::tabs::tests::exercise::ExerciseEvent;
use crate::ui::tabs::tests::state::{Tests, TestsEvent};
use crate::ui::view::View;
use crate::wire::testing::{SuspectView, TestResult, TestVerdict, TestView, TestsView};
use yew::prelude::*;

/// The hints; none where all tests pass.
pub(super) fn hints(
    tests: &Tests,
    found: &TestsView,
    view: &View,
    send: &Callback<TestsEvent>,
) -> Html {
    if found.verdict != TestVerdict::Fails {
        return html! {};
    }
    let failed = |test: &&TestView| test.result != TestResult::Passed && test.line.is_some();
    // In an exercise each hint is opened, the place as well.
    let shows_place = tests.doing.as_ref().is_none_or(|doing| doing.shows_place);
    let show_place = send.reform(|_: MouseEvent| TestsEvent::Exercise(ExerciseEvent::Where));
    let opened = tests.row.and_then(|row| found.tests.get(row)).filter(failed);
    let first = opened.or_else(|| found.tests.iter().find(failed));
    let compared = |test: &&TestView| !test.closest.is_empty();
    let closest = tests.row.and_then(|row| found.tests.get(row)).filter(compared);
    let closest = closest.or_else(|| found.tests.iter().find(compared));
    let ask = send.reform(|_: MouseEvent| TestsEvent::Suspects);
    html! {
        <section class="tests-hints" aria-label="Look first at">
            <h2>{ "Look first at" }</h2>
            if !shows_place && first.is_some() {
                <button type="button" class="tool text" onclick={show_place}>
                    { "Show the place, as a hint" }
                </button>
            } else if let Some((test, line)) = first.and_then(|test| Some((test, test.line?))) {
                <p>{ line_button(line, view) }{ ", " }{ why(test.result) }{ " (" }
                    { test.name.clone() }{ ")." }</p>
            }
            if let Some(suspects) = &found.suspects {
                { list(tests, found, suspects, view, send) }
                { closest.map_or_else(Html::default, beside) }
            } else if tests.explaining.work.is_busy() {
                <p class="quiet">{ "Changes of the program are being tried…" }</p>
            } else {
                <button type="button" class="tool text" onclick={ask}>
                    { "Show suspected lines" }
                </button>
            }
        </section>
    }
}

fn why(result: TestResult) -> &'static str {
    match result {
        TestResult::Endless => "the loop that never ends",
        TestResult::Error | TestResult::Limit => "where the run stops",
        TestResult::Failed | TestResult::Passed => "where the first wrong output comes from",
    }
}

/// The failing run beside the passing run that is closest to it.
fn beside(test: &TestView) -> Html {
    html! {
        <p class="tests-closest small">
            { format!("The run of {}. ", test.name) }
            { for test.closest.iter().map(|told| html! { <>{ with_code(told) }{ " " }</> }) }
        </p>
    }
}

fn list(
    tests: &Tests,
    found: &TestsView,
    suspects: &[SuspectView],
    view: &View,
    send: &Callback<TestsEvent>,
) -> Html {
    let item = |(k, one): (usize, &SuspectView)| {
        let kind = send.reform(move |_: MouseEvent| TestsEvent::Kind(k));
        let change = send.reform(move |_: MouseEvent| TestsEvent::Change(k));
        let is_kind_shown = tests.kinds.contains(&k);
        let percent = 100.0 * one.score.clamp(0.0, 1.0);
        html! {
            <li class="tests-suspect" data-line={one.line.to_string()}>
                { line_button(one.line, view) }
                <span class="share-bar" role="img"
                    aria-label={format!("{percent:.0} of 100")}>
                    <i style={format!("width: {percent:.0}%")}></i>
                </span>
                if let Some(words) = &one.kind {
                    if is_kind_shown {
                        <span>{ words }</span>
                    } else {
                        <button type="button" class="link" onclick={kind}
                            aria-label={format!("What kind of mistake in line {}?", one.line)}>
                            { "What kind of mistake?" }
                        </button>
                    }
                }
                if let Some(words) = one.change.as_ref().filter(|_| is_kind_shown) {
                    if tests.changes.contains(&k) {
                        <p class="tests-change">{ with_code(words) }</p>
                    } else {
                        <button type="button" class="link tests-change" onclick={change}>
                            { "Show a change with which all tests pass" }
                        </button>
                    }
                }
            </li>
        }
    };
    let tried = counted(found.tried.into(), "small change");
    let rest = if found.cut { ", and not all that there are" } else { "" };
    let none = suspects.iter().all(|one| one.change.is_none());
    html! {
        <>
            if !suspects.is_empty() {
                <ol aria-label="Suspected lines">{ for suspects.iter().enumerate().map(item) }</ol>
            }
            <p class="quiet small">
                if found.only_ranked {
                    { "The lines are ranked by which tests pass them. No changes are tried for Java." }
                } else {
                    { format!("{tried} tried{rest}.") }
                    if none { { " With none of them all tests pass." } }
                }
            </p>
        </>
    }
}
