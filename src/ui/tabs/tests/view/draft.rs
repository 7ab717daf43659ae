//! An exercise that is being made: the present program is its solution, the tests are its tests.

use crate::ui::tabs::tests::exercise::{Draft, ExerciseEvent};
use crate::ui::tabs::tests::state::{Tests, TestsEvent};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Its form.
pub(super) fn draft(tests: &Tests, draft: &Draft, send: &Callback<TestsEvent>) -> Html {
    let typed = |make: fn(String) -> ExerciseEvent| {
        send.reform(move |event: InputEvent| {
            // A text area has the same value and the same name for it.
            let field: HtmlInputElement = event.target_unchecked_into();
            TestsEvent::Exercise(make(field.value()))
        })
    };
    let does = |event: ExerciseEvent| {
        send.reform(move |_: MouseEvent| TestsEvent::Exercise(event.clone()))
    };
    let turns =
        |event: ExerciseEvent| send.reform(move |_: Event| TestsEvent::Exercise(event.clone()));
    let area = |name: &'static str, text: &str, rows: &'static str, event| {
        html! {
            <label class="tests-text">
                <span>{ name }</span>
                <textarea {rows} value={text.to_string()} oninput={typed(event)} spellcheck="false"
                    autocomplete="off" aria-label={name} />
            </label>
        }
    };
    let is_solved = tests.has_solved();
    let rows = tests.report().filter(|_| is_solved).map(|found| found.tests.as_slice());
    html! {
        <section class="exercise exercise-draft" aria-label="New exercise">
            <h2>{ "New exercise" }</h2>
            <p class="quiet">
                { "The program in the editor is the solution, and its tests mark what students \
                    write. Give it a name, say what is asked, and what they begin with." }
            </p>
            <label class="tests-text">
                <span>{ "Name" }</span>
                <input type="text" value={draft.title.clone()} oninput={typed(ExerciseEvent::Title)}
                    autocomplete="off" aria-label="Name of the exercise" />
            </label>
            { area("What is asked", &draft.statement, "4", ExerciseEvent::Statement) }
            { area("Program to begin with", &draft.start, "6", ExerciseEvent::Start) }
            if let Some(rows) = rows {
                <fieldset>
                    <legend>{ "Hidden tests: their texts are not shown to students" }</legend>
                    { for rows.iter().enumerate().map(|(k, test)| html! {
                        <label class="check">
                            <input type="checkbox" checked={draft.hidden.contains(&k)}
                                onchange={turns(ExerciseEvent::Hide(k))} />
                            <span>{ &test.name }</span>
                        </label>
                    }) }
                </fieldset>
            } else {
                <p>{ "Add tests and run them first: the solution has to pass all of them." }</p>
            }
            <label class="check">
                <input type="checkbox" checked={draft.with_solution}
                    onchange={turns(ExerciseEvent::Solution)} />
                <span>{ "Take the solution along" }
                    <small>{ "What passes all tests is compared with it, and hidden tests can be \
                        explained. It is compressed, and not secret from who unpacks the link." }</small>
                </span>
            </label>
            <p class="exercise-do">
                <button type="button" class="button primary" onclick={does(ExerciseEvent::Make)}
                    disabled={!is_solved || draft.title.trim().is_empty()}>{ "Make it" }</button>
                <button type="button" class="button" onclick={does(ExerciseEvent::Draft(false))}>
                    { "Cancel" }
                </button>
            </p>
        </section>
    }
}
