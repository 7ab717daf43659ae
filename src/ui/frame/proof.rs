//! The proof of "safe": its sentence, what it says of the selected place, and the
//! witness to take away.

use crate::draw::words;
use crate::wire::invariant::InvariantReport;
use crate::wire::report::{Report, Verdict};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Below the verdict: how a safe program was proved, and a button that saves the witness of either
/// verdict.
pub(crate) fn proof(report: &Report, on_witness: &Callback<()>) -> Html {
    let save = on_witness.reform(|_| ());
    html! {
        <>
            if let Some(sentence) = words::proved(report) {
                <p class="proof">{ capitalised(&sentence) }{ "." }</p>
            }
            if report.verdict != Verdict::Unknown {
                <p class="proof-export">
                    <button
                        class="link"
                        onclick={save}
                        title="A file that other verifiers can check: the failing run, or the \
                            invariants"
                    >
                        { "Save the witness (SV-COMP 2.0)" }
                    </button>
                </p>
            }
        </>
    }
}

/// In the inspector: what always holds at the selected place of a safe program.
pub(crate) fn invariant(found: &InvariantReport) -> Html {
    let text = match found.formula.as_str() {
        "false" => "No run comes here.",
        "true" => "Any values: the proof needs nothing of this place.",
        formula => formula,
    };
    html! {
        <div class="invariant">
            <h3>{ "Here always" }</h3>
            <p class="formula">{ text }</p>
            if !found.exact {
                <p class="quiet small">{ "The proof says more, but nothing as short." }</p>
            }
            if found.formula.contains("at entry") {
                <p class="quiet small">
                    { format!("“x at entry” is x when {} was entered.", found.procedure) }
                </p>
            }
        </div>
    }
}

/// Offers a text as a file.
pub(crate) fn save(name: &str, text: &str) -> Option<()> {
    let document = web_sys::window()?.document()?;
    let anchor: HtmlElement = document.create_element("a").ok()?.dyn_into().ok()?;
    let encoded = String::from(js_sys::encode_uri_component(text));
    anchor.set_attribute("href", &format!("data:application/yaml;charset=utf-8,{encoded}")).ok()?;
    anchor.set_attribute("download", name).ok()?;
    anchor.click();
    Some(())
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}
