//! The proof of "safe": what it says of the selected place; and the witness, to take away.

use crate::wire::invariant::InvariantReport;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

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
