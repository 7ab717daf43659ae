//! The tests: their texts, and what is done with all of them.

use crate::ui::frame::files;
use crate::ui::frame::icons::{Icon, icon};
use crate::ui::tabs::tests::exercise::ExerciseEvent;
use crate::ui::tabs::tests::state::{Tests, TestsEvent};
use crate::ui::view::View;
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// How outputs are compared: the word, and what the choice says.
const COMPARISONS: [(&str, &str); 4] = [
    ("lines", "line by line"),
    ("exact", "exactly"),
    ("words", "word by word"),
    ("numbers", "words, numbers within 0.000001"),
];

/// What is done with all of them.
pub(super) fn bar(tests: &Tests, view: &View, send: &Callback<TestsEvent>) -> Html {
    let run = send.reform(|_: MouseEvent| TestsEvent::Run);
    let choose = send.reform(|event: Event| {
        let chosen: HtmlSelectElement = event.target_unchecked_into();
        TestsEvent::Compare(chosen.value())
    });
    html! {
        <div class="tests-bar" role="group" aria-label="All tests">
            <button type="button" class="button primary" onclick={run}
                disabled={!tests.has_tests(&view.model.source)}
                aria-keyshortcuts="Control+Enter">{ "Run tests" }</button>
            if !view.read_only && tests.doing.is_none() { { more(tests, send) } }
            <label class="tests-compare">
                <span>{ "Compare" }</span>
                <select aria-label="How outputs are compared" onchange={choose}>
                    { for COMPARISONS.map(|(word, name)| html! {
                        <option value={word} selected={tests.compare() == word}>{ name }</option>
                    }) }
                </select>
            </label>
        </div>
    }
}

/// Buttons for more tests.
fn more(tests: &Tests, send: &Callback<TestsEvent>) -> Html {
    let add = send.reform(|_: MouseEvent| TestsEvent::Add);
    let drafts = tests.draft.is_none();
    let exercise =
        send.reform(move |_: MouseEvent| TestsEvent::Exercise(ExerciseEvent::Draft(drafts)));
    let emit = send.clone();
    let chosen = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        let Some(list) = input.files() else { return };
        let files: Vec<_> = (0..list.length()).filter_map(|k| list.get(k)).collect();
        // The same files may be chosen again, after they were changed outside.
        input.set_value("");
        let emit = emit.clone();
        spawn_local(async move {
            let mut texts = Vec::new();
            for file in files {
                // What is no text is no test.
                texts.extend(files::read(file).await.ok());
            }
            emit.emit(TestsEvent::Files(texts));
        });
    });
    html! {
        <>
            <button type="button" class="tool text" onclick={add}>{ "Add test" }</button>
            <button type="button" class="tool text" onclick={exercise}
                aria-expanded={tests.draft.is_some().to_string()}
                title="Make an exercise of the program and its tests">{ "Exercise" }</button>
            <label class="tool text tests-files" title="Tests from files: NAME.in and NAME.out">
                { "Files" }
                <input type="file" multiple=true onchange={chosen}
                    aria-label="Test files NAME.in and NAME.out" />
            </label>
        </>
    }
}

/// The tests, one below the other.
pub(super) fn forms(tests: &Tests, view: &View, send: &Callback<TestsEvent>) -> Html {
    // The tests of an exercise are its own.
    let is_fixed = view.read_only || tests.doing.is_some();
    let form = |at: usize| {
        let test = &tests.tests[at];
        let field = |name: &str, text: &str, make: fn(usize, String) -> TestsEvent| {
            let typed = send.reform(move |event: InputEvent| {
                // A text area has the same value and the same name for it.
                let field: HtmlInputElement = event.target_unchecked_into();
                make(at, field.value())
            });
            let rows = text.lines().count().clamp(2, 8).to_string();
            html! {
                <label class="tests-text">
                    <span>{ name }</span>
                    <textarea {rows} value={text.to_string()} oninput={typed} spellcheck="false"
                        autocomplete="off" readonly={is_fixed}
                        aria-label={format!("{name} of {}", test.name)} />
                </label>
            }
        };
        let named = send.reform(move |event: InputEvent| {
            let field: HtmlInputElement = event.target_unchecked_into();
            TestsEvent::Name(at, field.value())
        });
        let remove = send.reform(move |_: MouseEvent| TestsEvent::Remove(at));
        html! {
            <li class="tests-form" key={at}>
                <div class="tests-name">
                    <input type="text" value={test.name.clone()} oninput={named}
                        aria-label={format!("Name of test {}", at + 1)} autocomplete="off"
                        spellcheck="false" readonly={is_fixed} />
                    if !is_fixed {
                        <button type="button" class="tool bare" onclick={remove}
                            aria-label={format!("Remove {}", test.name)} title="Remove">
                            { icon(Icon::Close) }
                        </button>
                    }
                </div>
                { field("Input", &test.input, TestsEvent::Input) }
                { field("Expected output", &test.expected, TestsEvent::Expected) }
            </li>
        }
    };
    if tests.tests.is_empty() {
        return html! {
            <p class="quiet tests-none">
                { "Add a test: what the program reads, and what it should print. Or choose files \
                    NAME.in and NAME.out, or write it in a comment of the program:" }
                <code>{ "/*! test sum\n3 1 2 3\n---\n6\n*/" }</code>
            </p>
        };
    }
    html! {
        <ul class="tests-forms" aria-label="What is tested">
            { for (0..tests.tests.len()).map(form) }
        </ul>
    }
}
