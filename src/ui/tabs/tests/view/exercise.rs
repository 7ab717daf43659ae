//! An exercise as who does it sees it: what is asked, how far it is, and the attempts so far.

use super::texts;
use crate::draw::words::counted;
use crate::ui::tabs::tests::exercise::{Doing, ExerciseEvent, passing};
use crate::ui::tabs::tests::state::{Tests, TestsEvent};
use crate::ui::view::View;
use crate::wire::exercise::Attempt;
use crate::wire::testing::{ComparedAnswer, Equivalence, TestVerdict};
use yew::prelude::*;

/// What is asked, and how far it is.
pub(super) fn told(tests: &Tests, doing: &Doing, view: &View, send: &Callback<TestsEvent>) -> Html {
    let event = |event: ExerciseEvent| {
        send.reform(move |_: MouseEvent| TestsEvent::Exercise(event.clone()))
    };
    let paragraphs = doing.exercise.statement.split("\n\n").filter(|text| !text.trim().is_empty());
    html! {
        <section class="exercise" aria-label="Exercise">
            <h2>{ &doing.exercise.title }</h2>
            { for paragraphs.map(|text| html! { <p>{ text }</p> }) }
            { progress(tests, doing) }
            { difference(tests, doing, &event(ExerciseEvent::Difference)) }
            if !view.read_only {
                <p class="exercise-do">
                    <button type="button" class="link" onclick={event(ExerciseEvent::Save)}>
                        { "Save the exercise as a file" }
                    </button>
                    <button type="button" class="link" onclick={event(ExerciseEvent::Leave)}>
                        { "Leave the exercise" }
                    </button>
                </p>
            }
        </section>
    }
}

fn progress(tests: &Tests, doing: &Doing) -> Html {
    let rows = tests.report().filter(|_| !tests.is_stale());
    let Some(found) = rows else {
        let public = tests.tests.len() as u64;
        let hidden = match doing.exercise.hidden.len() as u64 {
            0 => String::new(),
            n => format!(", {n} hidden"),
        };
        let all = counted(public + doing.exercise.hidden.len() as u64, "test");
        return html! {
            <p class="quiet" role="status">
                { format!("{all}{hidden}. Write the program, then Run tests.") }
            </p>
        };
    };
    let (passed, of) = (passing(&found.tests), found.tests.len() as u32);
    let share = 100.0 * f64::from(passed) / f64::from(of.max(1));
    let hints = match doing.record.hints {
        0 => "no hints".to_string(),
        n => counted(n.into(), "hint"),
    };
    let waits = found.verdict == TestVerdict::Passes && !tests.is_done();
    html! {
        <div class="exercise-progress" role="status">
            <span class="share-bar" role="img" aria-label={format!("{share:.0} of 100")}>
                <i style={format!("width: {share:.0}%")}></i>
            </span>
            if tests.is_done() {
                <b class="done">{ format!("Done: all {of} tests pass, {hints}") }</b>
            } else if waits && tests.comparing.work.is_busy() {
                <span>{ "All tests pass. The solution is being compared\u{2026}" }</span>
            } else {
                <span>{ format!("{passed} of {of} tests pass, {hints}") }</span>
            }
        </div>
    }
}

/// All tests pass, and yet the program is not the solution's twin.
fn difference(tests: &Tests, doing: &Doing, show: &Callback<MouseEvent>) -> Html {
    let compared = tests.compared.as_deref().filter(|_| !tests.is_comparison_stale());
    let Some(ComparedAnswer::Report(found)) = compared else { return html! {} };
    let Some(test) = found.test.as_ref().filter(|_| found.verdict == Equivalence::Different) else {
        return html! {};
    };
    html! {
        <div class="exercise-difference">
            <p>{ "There is an input on which the program prints something else than the solution." }</p>
            if doing.shows_difference {
                { texts(&test.input, &test.expected, &test.got, test.wrong) }
            } else {
                <button type="button" class="tool text" onclick={show}>{ "Show the input" }</button>
            }
        </div>
    }
}

/// In the place of the inspector: what was tried so far.
pub(super) fn attempts(
    tests: &Tests,
    doing: &Doing,
    view: &View,
    send: &Callback<TestsEvent>,
) -> Html {
    let list = doing.record.attempts.iter().enumerate().rev();
    let item = |(k, attempt): (usize, &Attempt)| {
        let bring = send.reform(move |_: MouseEvent| TestsEvent::Exercise(ExerciseEvent::Bring(k)));
        let is_here = attempt.source == view.model.source;
        let hints = match attempt.hints {
            0 => String::new(),
            n => format!(", {}", counted(n.into(), "hint")),
        };
        html! {
            <li>
                <span>{ format!("{}. {} of {} tests{hints}", k + 1, attempt.passed, attempt.of) }</span>
                if is_here {
                    <span class="quiet">{ "in the editor" }</span>
                } else if !view.read_only {
                    <button type="button" class="link" onclick={bring}
                        aria-label={format!("Bring attempt {} back", k + 1)}>{ "Bring back" }</button>
                }
            </li>
        }
    };
    html! {
        <section class="pane inspector" aria-label="Attempts">
            <div class="bar"><h2>{ "Attempts" }</h2></div>
            <div class="inspector-body">
                if doing.record.attempts.is_empty() {
                    <p class="quiet">
                        { "Each program whose tests are run is kept here, in this browser." }
                    </p>
                } else {
                    <ol class="attempts">{ for list.map(item) }</ol>
                }
                if doing.record.hints > 0 && !tests.is_done() {
                    <p class="quiet small">
                        { format!("{} opened so far.", counted(doing.record.hints.into(), "hint")) }
                    </p>
                }
            </div>
        </section>
    }
}
