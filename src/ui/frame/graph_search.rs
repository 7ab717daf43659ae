//! Search in the picture: by the text of a statement, a line number, or a procedure's name.

use super::icons::{Icon, icon};
use crate::ui::state::shared::Shared;
use crate::wire::graph::Graph;
use web_sys::{HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

/// The boxes that match, in the program's order: of a line number, those of that line; else those
/// whose text contains it, and the first box of each procedure whose name does. Case does not
/// matter.
pub(crate) fn matches(graph: &Graph, wanted: &str) -> Vec<u32> {
    let wanted = wanted.trim().to_lowercase();
    if wanted.is_empty() {
        return Vec::new();
    }
    if let Ok(line) = wanted.trim_start_matches("line ").parse::<u32>() {
        let here: Vec<u32> = graph.boxes.iter().filter(|b| b.line == line).map(|b| b.id).collect();
        if !here.is_empty() {
            return here;
        }
    }
    let named: Vec<bool> =
        graph.clusters.iter().map(|c| c.name.to_lowercase().contains(&wanted)).collect();
    let mut seen = vec![false; graph.clusters.len()];
    let found = graph.boxes.iter().filter(|b| {
        let cluster = b.cluster as usize;
        let first = !std::mem::replace(&mut seen[cluster], true);
        (first && named[cluster]) || b.label.to_lowercase().contains(&wanted)
    });
    found.map(|b| b.id).collect()
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) graph: Shared<Graph>,
    /// All matches, and the one to jump to.
    pub(crate) on_found: Callback<(Vec<u32>, Option<u32>)>,
    pub(crate) on_close: Callback<()>,
}

/// The field. It is there while a search is on.
#[function_component(GraphSearch)]
pub(crate) fn graph_search(props: &Props) -> Html {
    let field = use_node_ref();
    let found = use_state(Vec::<u32>::new);
    let at = use_state(|| 0usize);
    let asked = use_state(String::new);
    {
        let field = field.clone();
        use_effect_with((), move |()| {
            if let Some(field) = field.cast::<HtmlInputElement>() {
                let _ = field.focus();
            }
        });
    }
    let changed = {
        let (found, at, asked, graph, tell) =
            (found.clone(), at.clone(), asked.clone(), props.graph.clone(), props.on_found.clone());
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            let now = matches(&graph, &text);
            tell.emit((now.clone(), None));
            asked.set(text.trim().to_string());
            at.set(usize::MAX);
            found.set(now);
        })
    };
    let go = {
        let (found, at, graph, asked, tell) =
            (found.clone(), at.clone(), props.graph.clone(), asked.clone(), props.on_found.clone());
        move |back: bool| {
            // The program may have been edited meanwhile.
            let now = matches(&graph, &asked);
            if now.is_empty() {
                return;
            }
            let next = match (*at, back) {
                (usize::MAX, false) => 0,
                (usize::MAX, true) => now.len() - 1,
                (at, false) => (at + 1) % now.len(),
                (at, true) => (at.min(now.len()) + now.len() - 1) % now.len(),
            };
            at.set(next);
            tell.emit((now.clone(), Some(now[next])));
            found.set(now);
        }
    };
    let key = {
        let (go, close) = (go.clone(), props.on_close.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" if !event.ctrl_key() && !event.meta_key() => {
                event.prevent_default();
                go(event.shift_key());
            }
            "Escape" => {
                event.prevent_default();
                event.stop_propagation();
                close.emit(());
            }
            _ => {}
        })
    };
    let (next, previous) = (go.clone(), go);
    let (next, previous) = (
        Callback::from(move |_: MouseEvent| next(false)),
        Callback::from(move |_: MouseEvent| previous(true)),
    );
    let close = props.on_close.reform(|_: MouseEvent| ());
    let count = found.len();
    let said = match (*at, count) {
        _ if asked.is_empty() => String::new(),
        (_, 0) => "nothing found".to_string(),
        (at, _) if at < count => format!("{} of {count}", at + 1),
        _ => format!("{count} found"),
    };
    html! {
        <div class="graph-search" role="search">
            <input
                ref={field}
                type="text"
                placeholder="Statement, line, procedure"
                aria-label="Search in the picture"
                autocomplete="off"
                spellcheck="false"
                oninput={changed}
                onkeydown={key}
            />
            <span class="found-count" role="status" aria-live="polite">{ said }</span>
            <button
                class="tool bare"
                onclick={previous}
                disabled={count == 0}
                aria-label="Previous match"
                title="Previous match (Shift Enter)"
            >
                { icon(Icon::Up) }
            </button>
            <button
                class="tool bare"
                onclick={next}
                disabled={count == 0}
                aria-label="Next match"
                title="Next match (Enter)"
            >
                { icon(Icon::Down) }
            </button>
            <button
                class="tool bare"
                onclick={close}
                aria-label="Close the search"
                title="Close (Esc)"
            >
                { icon(Icon::Close) }
            </button>
        </div>
    }
}
