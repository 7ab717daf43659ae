//! The gallery: the examples of `static/examples`, fetched when they are wanted.

use super::dialog::Dialog;
use crate::ui::state::shared::Shared;
use crate::wire::options::Dialect;
use crate::wire::permalink::Places;
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use yew::prelude::*;

/// One entry of `examples/index.json`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Example {
    /// Name in `examples/`.
    pub(crate) file: String,
    /// A few words.
    pub(crate) title: String,
    /// One sentence: what to look at.
    pub(crate) look: String,
    /// Its language; if it is not said, the file's extension says it.
    #[serde(default)]
    pub(crate) dialect: Option<Dialect>,
    /// Where it comes from, if from a paper.
    #[serde(default)]
    pub(crate) source: Option<String>,
    /// The tab that it opens on, as links call it: `projection` if nothing is said.
    #[serde(default)]
    pub(crate) view: String,
    /// The step of the failing run that it opens on; the last if nothing is said.
    #[serde(default)]
    pub(crate) step: Option<u32>,
    /// Where tabs open, by their words; and what else the entry holds.
    #[serde(flatten)]
    pub(crate) places: Places,
}

impl Example {
    /// The language that it is shown under.
    fn language(&self) -> Dialect {
        let extension = self.file.rsplit_once('.').map_or("", |(_, extension)| extension);
        self.dialect.or(Dialect::of_extension(extension)).unwrap_or_default()
    }
}

/// The list of examples; empty if it cannot be had.
pub(crate) async fn fetch_index() -> Vec<Example> {
    match fetch_text("examples/index.json").await {
        Ok(text) => serde_json::from_str(&text).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

/// An example's text.
pub(crate) async fn fetch_example(file: &str) -> Option<String> {
    fetch_text(&format!("examples/{file}")).await.ok()
}

async fn fetch_text(address: &str) -> Result<String, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let response: web_sys::Response =
        JsFuture::from(window.fetch_with_str(address)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::from(response.status()));
    }
    let text = JsFuture::from(response.text()?).await?;
    text.as_string().ok_or(JsValue::NULL)
}

/// Cards to choose from.
#[derive(Properties, PartialEq)]
pub(crate) struct CardsProps {
    pub(crate) examples: Shared<Vec<Example>>,
    /// How many at most.
    #[prop_or(usize::MAX)]
    pub(crate) most: usize,
    /// Only those in this language; `None`: all, and each says its own.
    #[prop_or_default]
    pub(crate) dialect: Option<Dialect>,
    pub(crate) on_open: Callback<Example>,
}

#[function_component(Cards)]
pub(crate) fn cards(props: &CardsProps) -> Html {
    html! {
        <ul class="cards">
            { for props
                .examples
                .iter()
                .filter(|e| props.dialect.is_none_or(|d| e.language() == d))
                .take(props.most)
                .map(|e| {
                let (example, open) = (e.clone(), props.on_open.clone());
                html! {
                    <li key={e.file.clone()}>
                        <button class="card" onclick={move |_| open.emit(example.clone())}>
                            <b>{ &e.title }</b>
                            <span>{ &e.look }</span>
                            if let Some(source) = &e.source { <small>{ source }</small> }
                            else if props.dialect.is_none() && e.language() != Dialect::Cimple {
                                <small>{ e.language().name() }</small>
                            }
                        </button>
                    </li>
                }
            }) }
        </ul>
    }
}

/// The dialog.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) examples: Shared<Vec<Example>>,
    pub(crate) on_open: Callback<Example>,
    pub(crate) on_close: Callback<()>,
}

#[function_component(Gallery)]
pub(crate) fn gallery(props: &Props) -> Html {
    let languages: Vec<Dialect> = Dialect::ALL
        .into_iter()
        .filter(|d| props.examples.iter().any(|e| e.language() == *d))
        .collect();
    html! {
        <Dialog title="Gallery" class={classes!("wide")} on_close={props.on_close.clone()}>
            <p class="quiet">
                { "Each example runs when it is opened. Undo (Ctrl+Z in the editor) brings your \
                    present program back." }
            </p>
            if props.examples.is_empty() { <p>{ "The examples cannot be fetched just now." }</p> }
            { for languages.into_iter().map(|dialect| html! {
                <section key={dialect.extension()} class="group" aria-label={dialect.name()}>
                    <h3>{ dialect.name() }</h3>
                    <Cards
                        examples={props.examples.clone()}
                        dialect={Some(dialect)}
                        on_open={props.on_open.clone()}
                    />
                </section>
            }) }
        </Dialog>
    }
}
