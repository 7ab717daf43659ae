//! The gallery: the examples of `static/examples` by topic, fetched when they are wanted.

use super::dialog::Dialog;
use super::icons::{Icon, icon};
use crate::draw::thumbnail::{Thumbnail, markup};
use crate::ui::state::shared::Shared;
use crate::wire::gallery::Topic;
use crate::wire::options::Dialect;
use crate::wire::permalink::Places;
use serde::Deserialize;
use std::collections::BTreeMap;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// One entry of `examples/index.json`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Example {
    /// Name in `examples/`.
    pub(crate) file: String,
    /// A few words.
    pub(crate) title: String,
    /// What it is about.
    #[serde(default)]
    pub(crate) topic: Topic,
    /// `safe` or `unsafe`; of a question about whole runs `holds` or `violated`; of tests and a
    /// reference `fails` or `differs`.
    #[serde(default)]
    pub(crate) verdict: String,
    /// A small picture of it, if there is one.
    #[serde(skip)]
    pub(crate) picture: Option<Thumbnail>,
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

    /// The badge of its verdict: a class and a word.
    fn badge(&self) -> (&'static str, &'static str) {
        match (self.verdict.as_str(), self.language().is_raw()) {
            ("holds", _) => ("safe", "holds"),
            ("violated", _) => ("unsafe", "violated"),
            ("fails", _) => ("unsafe", "a test fails"),
            ("differs", _) => ("unsafe", "differs"),
            ("exercise", _) => ("open", "to solve"),
            ("safe", false) => ("safe", "safe"),
            ("safe", true) => ("safe", "not reachable"),
            (_, false) => ("unsafe", "can fail"),
            (_, true) => ("unsafe", "reachable"),
        }
    }

    /// Does it have all of these words, in small letters, anywhere in what its card says?
    fn has(&self, words: &[String]) -> bool {
        let source = self.source.as_deref().unwrap_or_default();
        let (language, verdict) = (self.language().name(), self.badge().1);
        let card = [&self.title, &self.look, source, language, verdict, self.topic.name()]
            .join(" ")
            .to_lowercase();
        words.iter().all(|word| card.contains(word))
    }
}

/// The list of examples with their pictures; empty if it cannot be had.
pub(crate) async fn fetch_index() -> Vec<Example> {
    let mut examples: Vec<Example> = fetch_json("examples/index.json").await;
    let pictures: BTreeMap<String, Thumbnail> = fetch_json("examples/pictures.json").await;
    for example in &mut examples {
        example.picture = pictures.get(&example.file).cloned();
    }
    examples
}

/// A file of the page, or nothing of it.
async fn fetch_json<T: Default + serde::de::DeserializeOwned>(address: &str) -> T {
    match fetch_text(address).await {
        Ok(text) => serde_json::from_str(&text).unwrap_or_default(),
        Err(_) => T::default(),
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
    /// Only those about this; `None`: all.
    #[prop_or_default]
    pub(crate) topic: Option<Topic>,
    /// Only those whose cards have these words.
    #[prop_or_default]
    pub(crate) words: Vec<String>,
    /// Not this one: it is open.
    #[prop_or_default]
    pub(crate) except: Option<String>,
    pub(crate) on_open: Callback<Example>,
}

#[function_component(Cards)]
pub(crate) fn cards(props: &CardsProps) -> Html {
    let chosen = props
        .examples
        .iter()
        .filter(|e| props.topic.is_none_or(|topic| e.topic == topic) && e.has(&props.words))
        .filter(|e| props.except.as_ref() != Some(&e.file))
        .take(props.most);
    html! { <ul class="cards">{ for chosen.map(|example| card(example, &props.on_open)) }</ul> }
}

fn card(example: &Example, on_open: &Callback<Example>) -> Html {
    let (class, word) = example.badge();
    let mark = match class {
        "safe" => Some(Icon::Check),
        "unsafe" => Some(Icon::Close),
        _ => None,
    };
    let open = {
        let example = example.clone();
        on_open.reform(move |_: MouseEvent| example.clone())
    };
    let picture = example
        .picture
        .as_ref()
        .map(|picture| Html::from_html_unchecked(AttrValue::from(markup(picture))));
    // Inside the papers the heading names the paper.
    let figure = example.source.as_deref().map(|source| match example.topic.is_of_a_paper() {
        true => source.rsplit_once("), ").or(source.split_once(", ")).map_or(source, |s| s.1),
        false => source,
    });
    html! {
        <li key={example.file.clone()}>
            <button class="card" onclick={open}>
                <span class="card-picture">{ for picture }</span>
                <span class="card-text">
                    <b>{ &example.title }</b>
                    <span class="look">{ &example.look }</span>
                    <span class="badges">
                        <span class={classes!("badge-word", class)}>{ for mark.map(icon) }{ word }</span>
                        <span class="badge-word">{ example.language().name() }</span>
                        if let Some(figure) = figure { <small>{ figure }</small> }
                    </span>
                </span>
            </button>
        </li>
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
    let words = use_state(Vec::<String>::new);
    let list = use_node_ref();
    let search = {
        let (words, list) = (words.clone(), list.clone());
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            words.set(input.value().to_lowercase().split_whitespace().map(String::from).collect());
            if let Some(list) = list.cast::<HtmlElement>() {
                list.set_scroll_top(0);
            }
        })
    };
    let count =
        |topic: Topic| props.examples.iter().filter(|e| e.topic == topic && e.has(&words)).count();
    let found: Vec<(Topic, usize)> =
        Topic::ALL.into_iter().map(|topic| (topic, count(topic))).filter(|t| t.1 > 0).collect();
    let number: usize = found.iter().map(|(_, count)| count).sum();
    html! {
        <Dialog title="Gallery" class={classes!("gallery")} on_close={props.on_close.clone()}>
            <div class="gallery-search">
                <input type="search" autofocus=true oninput={search} aria-label="Search the gallery"
                    placeholder="Search: overflow, lock, Fig. 5, safe C…" />
                <span class="quiet" role="status">
                    { crate::draw::words::counted(number as u64, "example") }
                </span>
            </div>
            if props.examples.is_empty() {
                <p>{ "The examples cannot be fetched just now." }</p>
            } else if found.is_empty() {
                <p class="quiet">{ "No example has all of these words." }</p>
            }
            <div class="gallery-body">
                { topics(&found) }
                <div class="gallery-list" ref={list}>
                    { for found.iter().enumerate().map(|(i, (topic, _))| {
                        let first_paper = topic.is_of_a_paper()
                            && (i == 0 || !found[i - 1].0.is_of_a_paper());
                        group(props, *topic, first_paper, &words)
                    }) }
                    <p class="quiet small">
                        { "Each example runs when it is opened. Undo (Ctrl+Z in the editor) brings \
                            your present program back." }
                    </p>
                </div>
            </div>
        </Dialog>
    }
}

/// The topics, each with the way to its examples.
fn topics(found: &[(Topic, usize)]) -> Html {
    let entry = |topic: Topic, count: usize| {
        let go = Callback::from(move |_: MouseEvent| {
            let section = web_sys::window()
                .and_then(|w| w.document())
                .and_then(|d| d.get_element_by_id(&format!("topic-{topic}")));
            if let Some(section) = section {
                section.scroll_into_view();
            }
        });
        html! {
            <li key={topic.word()}>
                <button class="topic" onclick={go}>
                    <span>{ topic.name() }</span><small>{ count }</small>
                </button>
            </li>
        }
    };
    let part = |papers: bool| {
        found
            .iter()
            .filter(move |(topic, _)| topic.is_of_a_paper() == papers)
            .map(move |(topic, count)| entry(*topic, *count))
    };
    html! {
        <nav class="topics" aria-label="Topics">
            <ul>
                <li><button class="topic" data-lessons=""><span>{ "Lessons" }</span></button></li>
                { for part(false) }
            </ul>
            if part(true).next().is_some() {
                <h3>{ "Papers, figure by figure" }</h3>
                <ul>{ for part(true) }</ul>
            }
        </nav>
    }
}

fn group(props: &Props, topic: Topic, first_paper: bool, words: &[String]) -> Html {
    html! {
        <section key={topic.word()} id={format!("topic-{topic}")} class="group"
            aria-label={topic.name()}>
            if first_paper { <p class="papers">{ "The papers, figure by figure" }</p> }
            <h3>{ topic.name() }</h3>
            <p class="quiet">{ topic.told() }</p>
            <Cards examples={props.examples.clone()} topic={Some(topic)} words={words.to_vec()}
                on_open={props.on_open.clone()} />
        </section>
    }
}
