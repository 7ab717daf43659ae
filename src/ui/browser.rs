//! The browser's address, theme and keys.

use super::store::Theme;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// The page's key that an event means, if it is not meant for what has the focus.
pub(super) fn shortcut(event: &KeyboardEvent) -> Option<String> {
    let key = event.key();
    if key == "Enter" && (event.ctrl_key() || event.meta_key()) {
        return Some("Run".into());
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return None;
    }
    let target: Option<web_sys::Element> = event.target().and_then(|t| t.dyn_into().ok());
    let inside = |selector: &str| target.as_ref().and_then(|t| t.closest(selector).ok().flatten()).is_some();
    match key.as_str() {
        _ if inside("dialog") => None,
        "Escape" => Some(key),
        _ if inside(".cm-editor, input, select, textarea") => None,
        "?" | "ArrowLeft" | "ArrowRight" | "Home" | "End" => Some(key),
        " " if !inside("button, a") => Some(key),
        "Enter" if !inside("button, a") => Some(if event.shift_key() { "AddEnter".into() } else { key }),
        _ => None,
    }
}

pub(super) fn apply_theme(theme: Option<Theme>) {
    let Some(root) = web_sys::window().and_then(|w| w.document()).and_then(|d| d.document_element()) else { return };
    let _ = match theme {
        None => root.remove_attribute("data-theme"),
        Some(Theme::Light) => root.set_attribute("data-theme", "light"),
        Some(Theme::Dark) => root.set_attribute("data-theme", "dark"),
    };
}

pub(super) fn location() -> Option<web_sys::Location> {
    web_sys::window().map(|w| w.location())
}

pub(super) fn hash() -> String {
    location().and_then(|l| l.hash().ok()).unwrap_or_default()
}

/// The page's address without fragment and query.
pub(super) fn address() -> String {
    location().map(|l| format!("{}{}", l.origin().unwrap_or_default(), l.pathname().unwrap_or_default())).unwrap_or_default()
}

pub(super) fn embedded() -> bool {
    location()
        .and_then(|l| l.search().ok())
        .is_some_and(|s| s.trim_start_matches('?').split('&').any(|p| p == "embed" || p.starts_with("embed=")))
}

/// Takes the link out of the address, so that a reload shows the edited program and not the link's.
pub(super) fn clear_hash() {
    if hash().is_empty() {
        return;
    }
    let Some(window) = web_sys::window() else { return };
    if let Ok(history) = window.history() {
        let search = window.location().search().unwrap_or_default();
        let plain = format!("{}{search}", window.location().pathname().unwrap_or_default());
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&plain));
    }
}
