//! The switch between tabs in the top bar: tabs as ARIA has them.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// From left to right: the word and the name of each.
    pub(crate) tabs: Vec<(&'static str, &'static str)>,
    /// The word of the one that is shown.
    pub(crate) shown: &'static str,
    /// Is there something that it shows? Not while the page is empty.
    pub(crate) shows: bool,
    /// A word.
    pub(crate) on_choose: Callback<&'static str>,
}

/// The id of a tab's button.
pub(crate) fn id_of(word: &str) -> String {
    format!("tab-{word}")
}

/// Which of the elements with these ids, by number, a key was pressed in.
fn place_of(event: &KeyboardEvent, count: usize, id: impl Fn(usize) -> String) -> usize {
    let pressed = event.target_dyn_into::<Element>().map_or_else(String::new, |it| it.id());
    (0..count).find(|k| id(*k) == pressed).unwrap_or(0)
}

#[function_component(TabBar)]
pub(crate) fn tab_bar(props: &Props) -> Html {
    let host = use_node_ref();
    let (holder, tabs) = (host.clone(), props.tabs.clone());
    let choose = props.on_choose.clone();
    let key = Callback::from(move |event: KeyboardEvent| {
        // The one with the focus: what is shown may be a key behind.
        let at = place_of(&event, tabs.len(), |k| id_of(tabs[k].0));
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % tabs.len(),
            "ArrowLeft" => (at + tabs.len() - 1) % tabs.len(),
            "Home" => 0,
            "End" => tabs.len() - 1,
            _ => return,
        };
        // Not a step of the timeline.
        event.prevent_default();
        event.stop_propagation();
        choose.emit(tabs[to].0);
        let item = holder.cast::<Element>().and_then(|host| host.children().item(to as u32));
        if let Some(button) = item.and_then(|item| item.dyn_into::<HtmlElement>().ok()) {
            let _ = button.focus();
        }
    });
    let button = |(word, name): (&'static str, &'static str)| {
        let on = word == props.shown;
        let choose = props.on_choose.reform(move |_: MouseEvent| word);
        html! {
            <button id={id_of(word)} class={classes!("tab", on.then_some("on"))} role="tab"
                aria-selected={on.to_string()} aria-controls={props.shows.then_some("analysis")}
                tabindex={if on { "0" } else { "-1" }} onclick={choose}>{ name }</button>
        }
    };
    html! {
        <nav ref={host} role="tablist" aria-label="Analyses" onkeydown={key}>
            { for props.tabs.iter().copied().map(button) }
        </nav>
    }
}
