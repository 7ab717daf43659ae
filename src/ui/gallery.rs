//! The gallery: the examples of `static/examples`, fetched when they are wanted.

use super::dialog::Dialog;
use super::shared::Shared;
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use yew::prelude::*;

/// One entry of `examples/index.json`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Example {
    /// Name in `examples/`.
    pub(super) file: String,
    /// A few words.
    pub(super) title: String,
    /// One sentence: what to look at.
    pub(super) look: String,
    /// Where it comes from, if from a paper.
    #[serde(default)]
    pub(super) source: Option<String>,
}

/// The list of examples; empty if it cannot be had.
pub(super) async fn fetch_index() -> Vec<Example> {
    match fetch_text("examples/index.json").await {
        Ok(text) => serde_json::from_str(&text).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

/// An example's text.
pub(super) async fn fetch_example(file: &str) -> Option<String> {
    fetch_text(&format!("examples/{file}")).await.ok()
}

async fn fetch_text(address: &str) -> Result<String, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let response: web_sys::Response = JsFuture::from(window.fetch_with_str(address)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::from(response.status()));
    }
    let text = JsFuture::from(response.text()?).await?;
    text.as_string().ok_or(JsValue::NULL)
}

/// Cards to choose from.
#[derive(Properties, PartialEq)]
pub(super) struct CardsProps {
    pub(super) examples: Shared<Vec<Example>>,
    /// How many at most.
    #[prop_or(usize::MAX)]
    pub(super) most: usize,
    pub(super) on_open: Callback<String>,
}

#[function_component(Cards)]
pub(super) fn cards(props: &CardsProps) -> Html {
    html! {
        <ul class="cards">
            { for props.examples.iter().take(props.most).map(|e| {
                let (file, open) = (e.file.clone(), props.on_open.clone());
                html! {
                    <li key={e.file.clone()}>
                        <button class="card" onclick={move |_| open.emit(file.clone())}>
                            <b>{ &e.title }</b>
                            <span>{ &e.look }</span>
                            if let Some(source) = &e.source { <small>{ source }</small> }
                        </button>
                    </li>
                }
            }) }
        </ul>
    }
}

/// The dialog.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) examples: Shared<Vec<Example>>,
    pub(super) on_open: Callback<String>,
    pub(super) on_close: Callback<()>,
}

#[function_component(Gallery)]
pub(super) fn gallery(props: &Props) -> Html {
    html! {
        <Dialog title="Gallery" class={classes!("wide")} on_close={props.on_close.clone()}>
            <p class="quiet">{ "Each example runs when it is opened. Your present program stays one undo (Ctrl+Z in the editor) away." }</p>
            if props.examples.is_empty() { <p>{ "The examples cannot be fetched just now." }</p> }
            <Cards examples={props.examples.clone()} on_open={props.on_open.clone()} />
        </Dialog>
    }
}
