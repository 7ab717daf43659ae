//! How the tests went: a row for each, and the texts of the one that is open.

use super::{hints, line_button, texts};
use crate::ui::frame::sentence::with_code;
use crate::ui::tabs::tests::exercise::ExerciseEvent;
use crate::ui::tabs::tests::state::{Tests, TestsEvent};
use crate::ui::view::View;
use crate::wire::testing::{TestResult, TestView, TestsView};
use yew::prelude::*;

/// Lines with a button of their own.
const MOST_ASKED: usize = 4;

/// The table, what is open of it, and hints.
pub(super) fn results(
    tests: &Tests,
    found: &TestsView,
    view: &View,
    send: &Callback<TestsEvent>,
) -> Html {
    let is_stale = tests.is_stale() && !tests.running.work.is_busy();
    let row = |(k, test): (usize, &TestView)| {
        let is_open = tests.row == Some(k);
        let open = send.reform(move |_: MouseEvent| TestsEvent::Row(k));
        html! {
            <tr class={classes!(test.result.word(), is_open.then_some("on"))} onclick={open}>
                <th scope="row">
                    <button type="button" class="link" aria-expanded={is_open.to_string()}
                        aria-controls={is_open.then_some("test-texts")}>{ test.name.clone() }</button>
                </th>
                <td class="result">
                    <span aria-hidden="true">{ symbol(test.result) }</span>{ test.result.word() }
                </td>
                <td>
                    if tests.is_veiled(k, test) {
                        <span class="quiet">{ "hidden" }</span>
                    } else {
                        { told(tests, test, view) }
                    }
                </td>
            </tr>
        }
    };
    let opened = tests.row.and_then(|row| found.tests.get(row));
    html! {
        <div class={classes!("tests-results", is_stale.then_some("stale"))}>
            <table>
                <caption class="visually-hidden">{ "Results" }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ "Test" }</th>
                        <th scope="col">{ "Result" }</th>
                        <th scope="col">{ "What is wrong" }</th>
                    </tr>
                </thead>
                <tbody>{ for found.tests.iter().enumerate().map(row) }</tbody>
            </table>
            if let Some(test) = opened {
                <div id="test-texts" role="group" aria-label={format!("Texts of {}", test.name)}>
                    if let Some(row) = tests.row.filter(|row| tests.is_veiled(*row, test)) {
                        <p class="quiet">{ "This test is hidden." }</p>
                        <button type="button" class="tool text"
                            onclick={send.reform(move |_: MouseEvent| {
                                TestsEvent::Exercise(ExerciseEvent::Reveal(row))
                            })}>
                            { "Show its input, as a hint" }
                        </button>
                    } else {
                        { texts(&test.input, &test.expected, &test.got, test.wrong) }
                        if found.only_ranked {
                            <p class="quiet">{ "Runs in Java are not stepped through yet." }</p>
                        } else if let Some(row) = tests.row.filter(|_| !tests.is_stale()) {
                            <button type="button" class="button step-through"
                                onclick={send.reform(move |_: MouseEvent| TestsEvent::Step(row))}>
                                { "Step through this run" }
                            </button>
                        }
                    }
                </div>
            }
            if !tests.is_stale() { { covered(found, view) } }
            if !tests.is_stale() { { hints::hints(tests, found, view, send) } }
        </div>
    }
}

/// What the tests execute, and a way to what they do not.
fn covered(found: &TestsView, view: &View) -> Html {
    let ask = |line: &u32| {
        let line = *line;
        let ask = view.on.reach.reform(move |_: MouseEvent| Some(line));
        html! {
            <button type="button" class="tool" onclick={ask}>
                { format!("How does a run come to line {line}?") }
            </button>
        }
    };
    html! {
        <div class="covered">
            <p>{ found.covered.clone() }</p>
            if !found.missed.is_empty() && !view.model.is_bounded {
                <div class="through" role="group" aria-label="Lines that no test executes">
                    { for found.missed.iter().take(MOST_ASKED).map(ask) }
                </div>
            }
        </div>
    }
}

/// What is wrong, and where. The line is a hint in an exercise.
fn told(tests: &Tests, test: &TestView, view: &View) -> Html {
    let line = test.line.filter(|_| tests.doing.as_ref().is_none_or(|doing| doing.shows_place));
    html! {
        <>
            { for test.told.iter().map(|told| html! { <>{ with_code(told) }{ " " }</> }) }
            { for line.map(|line| line_button(line, view)) }
        </>
    }
}

fn symbol(result: TestResult) -> &'static str {
    match result {
        TestResult::Passed => "\u{2713}",
        TestResult::Failed => "\u{2717}",
        TestResult::Endless => "\u{21bb}",
        TestResult::Error => "!",
        TestResult::Limit => "\u{2026}",
    }
}
