//! A rule for the calls of the program, as a form that writes its text.

use crate::draw::rule_form::{FilledForm, RuleForm};
use crate::ui::tabs::tests::state::{RuleEvent, Tests, TestsEvent};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Names of the calls' fields.
const CALLS: [&str; 3] = ["A", "B", "C"];

/// The form, and the rule that it makes.
pub(super) fn rules(tests: &Tests, send: &Callback<TestsEvent>) -> Html {
    let filled = &tests.rule;
    let choose = send.reform(|event: Event| {
        let field: HtmlSelectElement = event.target_unchecked_into();
        let at = usize::try_from(field.selected_index()).unwrap_or(0);
        TestsEvent::Rule(RuleEvent::Form(RuleForm::ALL.get(at).copied().unwrap_or_default()))
    });
    let add = send.reform(|_: MouseEvent| TestsEvent::Rule(RuleEvent::Add));
    let rule = filled.rule();
    html! {
        <details class="rule-form">
            <summary>{ "A rule for its calls" }</summary>
            <label class="tests-text">
                <span>{ "What must hold" }</span>
                <select onchange={choose} aria-label="What must hold">
                    { for RuleForm::ALL.map(|form| html! {
                        <option selected={form == filled.form}>{ form.name() }</option>
                    }) }
                </select>
            </label>
            { for (0..filled.form.calls()).map(|k| call(filled, k, send)) }
            { text("For each object (an argument's name; empty: for all together)", "For each object",
                "file", &filled.object, send.reform(|text| TestsEvent::Rule(RuleEvent::Object(text)))) }
            if let Some(rule) = &rule {
                <pre tabindex="0" aria-label="The rule">{ rule }</pre>
            }
            <button type="button" class="tool text" onclick={add} disabled={rule.is_none()}
                title="In a comment behind the program; Run checks it">
                { "Add it to the program" }
            </button>
        </details>
    }
}

fn call(filled: &FilledForm, k: usize, send: &Callback<TestsEvent>) -> Html {
    let typed = send.reform(move |text| TestsEvent::Rule(RuleEvent::Call(k, text)));
    let placeholder = ["close", "open", "unlock"][k];
    text(
        &format!("{}: a procedure, or a call like {placeholder}(file, _)", CALLS[k]),
        CALLS[k],
        placeholder,
        &filled.calls[k],
        typed,
    )
}

fn text(
    told: &str,
    name: &'static str,
    placeholder: &'static str,
    value: &str,
    typed: Callback<String>,
) -> Html {
    let typed = typed.reform(|event: InputEvent| {
        let field: HtmlInputElement = event.target_unchecked_into();
        field.value()
    });
    html! {
        <label class="tests-text">
            <span>{ told.to_string() }</span>
            <input type="text" value={value.to_string()} oninput={typed} spellcheck="false"
                autocomplete="off" autocapitalize="off" aria-label={name} {placeholder} />
        </label>
    }
}
