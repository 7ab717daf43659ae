//! The menu of what can be taken away: pictures, the graph, the report. A menu button as ARIA has
//! it.

use super::icons::{Icon, icon};
use crate::ui::state::export::{Export, ITEMS};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Those that there is nothing to export for just now.
    pub(crate) missing: Vec<Export>,
    pub(crate) on_export: Callback<Export>,
}

#[function_component(ExportMenu)]
pub(crate) fn export_menu(props: &Props) -> Html {
    let open = use_state(|| false);
    let (host, button) = (use_node_ref(), use_node_ref());
    {
        let host = host.clone();
        use_effect_with(*open, move |open| {
            if *open {
                focus(&host, |_, _| 0);
            }
        });
    }
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let close = {
        let (open, button) = (open.clone(), button.clone());
        Callback::from(move |()| {
            open.set(false);
            if let Some(button) = button.cast::<HtmlElement>() {
                let _ = button.focus();
            }
        })
    };
    let button_key = {
        let open = open.clone();
        Callback::from(move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "ArrowDown" | "ArrowUp") {
                take(&event);
                open.set(true);
            }
        })
    };
    let key = {
        let (host, close, open) = (host.clone(), close.clone(), open.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "ArrowDown" => {
                take(&event);
                focus(&host, |at, count| (at + 1) % count);
            }
            "ArrowUp" => {
                take(&event);
                focus(&host, |at, count| (at + count - 1) % count);
            }
            "Home" => {
                take(&event);
                focus(&host, |_, _| 0);
            }
            "End" => {
                take(&event);
                focus(&host, |_, count| count - 1);
            }
            "Escape" => {
                take(&event);
                close.emit(());
            }
            "Tab" => open.set(false),
            _ => event.stop_propagation(),
        })
    };
    let items = ITEMS.iter().map(|(what, words, ending)| {
        let (what, emit, close) = (*what, props.on_export.clone(), close.clone());
        let missing = props.missing.contains(&what);
        let choose = Callback::from(move |_: MouseEvent| {
            if !missing {
                close.emit(());
                emit.emit(what);
            }
        });
        html! {
            <button
                class="menu-item"
                role="menuitem"
                tabindex="-1"
                aria-disabled={missing.to_string()}
                onclick={choose}
            >
                <span>{ *words }</span><small>{ *ending }</small>
            </button>
        }
    });
    let shut = close.reform(|_: MouseEvent| ());
    html! {
        <div class="menu-host chrome">
            <button
                ref={button}
                class="button"
                aria-haspopup="menu"
                aria-expanded={open.to_string()}
                onclick={toggle}
                onkeydown={button_key}
            >
                { "Export" }{ icon(Icon::Chevron) }
            </button>
            if *open {
                <div class="backdrop" onclick={shut}></div>
                <div ref={host} class="menu" role="menu" aria-label="Export" onkeydown={key}>
                    { for items }
                </div>
            }
        </div>
    }
}

fn take(event: &KeyboardEvent) {
    event.prevent_default();
    event.stop_propagation();
}

/// Moves the focus among the items; `to` has the position of the present one and their number.
fn focus(host: &NodeRef, to: fn(usize, usize) -> usize) {
    let Some(host) = host.cast::<web_sys::Element>() else { return };
    let Ok(list) = host.query_selector_all("[role=menuitem]") else { return };
    let items: Vec<HtmlElement> =
        (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect();
    let active = web_sys::window().and_then(|w| w.document()).and_then(|d| d.active_element());
    let at = items
        .iter()
        .position(|item| active.as_ref().is_some_and(|a| a.is_same_node(Some(item))))
        .unwrap_or(0);
    if let Some(item) = (!items.is_empty()).then(|| &items[to(at, items.len())]) {
        let _ = item.focus();
    }
}
