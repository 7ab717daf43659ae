//! The reference, the inputs that count, and an input on which program and reference differ.

use super::{line_button, rules, texts};
use crate::ui::frame::sentence::with_code;
use crate::ui::tabs::tests::said::refusal;
use crate::ui::tabs::tests::state::{Tests, TestsEvent};
use crate::ui::view::View;
use crate::wire::testing::{ComparedAnswer, ComparedView, TestResult, Whose};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The right of the page.
pub(super) fn reference(tests: &Tests, view: &View, send: &Callback<TestsEvent>) -> Html {
    let ask = send.reform(|event: SubmitEvent| {
        event.prevent_default();
        TestsEvent::Differ
    });
    let typed = |make: fn(String) -> TestsEvent| {
        send.reform(move |event: InputEvent| {
            let field: HtmlInputElement = event.target_unchecked_into();
            make(field.value())
        })
    };
    html! {
        <section class="pane inspector tests-reference" aria-label="Reference">
            <div class="bar"><h2>{ "Reference" }</h2></div>
            <div class="inspector-body">
                <form onsubmit={ask}>
                    <label class="tests-text">
                        <span>{ "A correct solution" }</span>
                        <textarea rows="7" value={tests.reference.clone()}
                            oninput={typed(TestsEvent::Reference)} spellcheck="false"
                            autocomplete="off" readonly={view.read_only}
                            aria-label="Reference solution"
                            placeholder="Paste a program that does it right" />
                    </label>
                    <label class="tests-text">
                        <span>{ "Inputs (empty: what it reads)" }</span>
                        <input type="text" value={tests.domain.clone()}
                            oninput={typed(TestsEvent::Domain)} spellcheck="false"
                            autocomplete="off" readonly={view.read_only} aria-label="Inputs"
                            placeholder="n in 1..100, then n times int" />
                    </label>
                    <button type="submit" class="tool text"
                        disabled={tests.reference.trim().is_empty()}>{ "Find a difference" }</button>
                </form>
                <div role="status">{ answer(tests, view, send) }</div>
                if !view.read_only { { rules::rules(tests, send) } }
            </div>
        </section>
    }
}

fn answer(tests: &Tests, view: &View, send: &Callback<TestsEvent>) -> Html {
    if tests.comparing.work.is_busy() {
        return html! { <p class="quiet">{ "Both are executed…" }</p> };
    }
    match tests.compared.as_deref() {
        None => html! {},
        Some(_) if tests.is_comparison_stale() => {
            html! { <p class="quiet">{ "Changed since the last answer." }</p> }
        }
        Some(ComparedAnswer::Refused(why)) => {
            let whose = match why.whose {
                Whose::Program => "The program cannot be read.",
                Whose::Reference => "The reference cannot be read.",
                Whose::Question => "They cannot be compared.",
            };
            html! { <p class="tests-refused"><b>{ whose }</b>{ " " }{ with_code(&refusal(why)) }</p> }
        }
        Some(ComparedAnswer::Report(found)) => report(tests, found, view, send),
    }
}

fn report(tests: &Tests, found: &ComparedView, view: &View, send: &Callback<TestsEvent>) -> Html {
    let keep = send.reform(|_: MouseEvent| TestsEvent::Keep);
    let inferred = if found.inferred { ", read off the reference" } else { "" };
    html! {
        <div class="tests-compared">
            <p><b>{ &found.headline }</b></p>
            if let Some(test) = &found.test {
                <p>
                    if test.result != TestResult::Failed {
                        { for test.told.iter().map(|told| html! { <>{ told }{ " " }</> }) }
                    }
                    if let Some(line) = test.line { { "Look first at " }{ line_button(line, view) }{ "." } }
                </p>
                { texts(&test.input, &test.expected, &test.got, test.wrong) }
                if !view.read_only {
                    <button type="button" class="tool text" onclick={keep}
                        disabled={tests.is_kept(&test.input)}>{ "Keep as a test" }</button>
                }
            }
            <p class="quiet small">{ format!("Inputs: {}{inferred}.", found.domain) }
                if found.skipped > 0 {
                    { format!(" {} did not count: on them the reference fails, or a run hits a limit.", found.skipped) }
                }
            </p>
        </div>
    }
}
