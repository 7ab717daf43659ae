//! The browser's address, theme and keys.

use super::store::Theme;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::KeyboardEvent;

/// The page's key that an event means, if it is not meant for what has the focus.
pub(crate) fn shortcut(event: &KeyboardEvent) -> Option<String> {
    let key = event.key();
    if key == "Enter" && (event.ctrl_key() || event.meta_key()) {
        return Some("Run".into());
    }
    if key.eq_ignore_ascii_case("o")
        && (event.ctrl_key() || event.meta_key())
        && !event.shift_key()
        && !event.default_prevented()
        && !embedded()
    {
        return Some("Open".into());
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return None;
    }
    let target: Option<web_sys::Element> = event.target().and_then(|t| t.dyn_into().ok());
    let inside =
        |selector: &str| target.as_ref().and_then(|t| t.closest(selector).ok().flatten()).is_some();
    match key.as_str() {
        _ if inside("dialog") => None,
        "Escape" => Some(key),
        _ if inside(".cm-editor, input, select, textarea") => None,
        "?" | "p" | "m" | "Delete" | "ArrowLeft" | "ArrowRight" | "Home" | "End" => Some(key),
        "1" | "2" | "3" | "4" | "[" | "]" | "+" | "-" => Some(key),
        // Space presses a button; on a step of the run, Enter does, and Space plays.
        " " if !inside("button, a") || inside(".timeline") => Some(key),
        "Enter" if !inside("button, a") => {
            Some(if event.shift_key() { "AddEnter".into() } else { key })
        }
        _ => None,
    }
}

pub(crate) fn apply_theme(theme: Option<Theme>) {
    let Some(root) =
        web_sys::window().and_then(|w| w.document()).and_then(|d| d.document_element())
    else {
        return;
    };
    let _ = match theme {
        None => root.remove_attribute("data-theme"),
        Some(Theme::Light) => root.set_attribute("data-theme", "light"),
        Some(Theme::Dark) => root.set_attribute("data-theme", "dark"),
    };
}

/// Does this media query hold?
pub(crate) fn matches(query: &str) -> bool {
    let list = web_sys::window().and_then(|window| window.match_media(query).ok().flatten());
    list.is_some_and(|list| list.matches())
}

/// Is there room for the list of steps, if nobody has said whether it is to be shown? The style
/// sheet asks the same.
pub(super) fn has_room_for_steps() -> bool {
    !matches("(max-width: 899px), (max-height: 520px)")
}

pub(crate) fn location() -> Option<web_sys::Location> {
    web_sys::window().map(|w| w.location())
}

pub(crate) fn hash() -> String {
    location().and_then(|l| l.hash().ok()).unwrap_or_default()
}

/// The page's address without fragment and query.
pub(crate) fn address() -> String {
    location()
        .map(|l| format!("{}{}", l.origin().unwrap_or_default(), l.pathname().unwrap_or_default()))
        .unwrap_or_default()
}

/// Has the browser keep the page for use without a network: installs the service worker that the
/// build names in the page. Nothing happens where there is none, or where the browser has no
/// service workers (as on pages without https).
pub(crate) fn keep_for_offline() {
    let Some(window) = web_sys::window() else { return };
    let meta = window
        .document()
        .and_then(|d| d.query_selector("meta[name=faultline-offline]").ok().flatten());
    let Some(script) = meta.and_then(|meta| meta.get_attribute("content")) else { return };
    let container = js_sys::Reflect::get(&window.navigator(), &"serviceWorker".into());
    if container.is_ok_and(|container| container.is_object()) {
        let registered = window.navigator().service_worker().register(&script);
        wasm_bindgen_futures::spawn_local(async move {
            // The page works without it.
            let _ = wasm_bindgen_futures::JsFuture::from(registered).await;
        });
    }
}

pub(crate) fn embedded() -> bool {
    asked_for("embed")
}

/// Does the address ask for something by a word behind its question mark?
pub(crate) fn asked_for(word: &str) -> bool {
    location().and_then(|l| l.search().ok()).is_some_and(|s| {
        s.trim_start_matches('?').split('&').any(|p| p.split('=').next() == Some(word))
    })
}

/// Lets the page fill the screen, or no longer. Where the browser refuses, the page fills its
/// window.
pub(crate) fn fill_screen(on: bool) {
    let Some(document) = web_sys::window().and_then(|w| w.document()) else { return };
    if !on {
        if fills_screen() {
            document.exit_fullscreen();
        }
    } else if let Some(root) = document.document_element() {
        let _ = root.request_fullscreen();
    }
}

/// Does the page fill the screen?
pub(crate) fn fills_screen() -> bool {
    let document = web_sys::window().and_then(|w| w.document());
    document.is_some_and(|document| document.fullscreen_element().is_some())
}

/// Takes a link that cannot be read out of the address.
pub(crate) fn clear_hash() {
    if !hash().is_empty() {
        write(&JsValue::NULL, "", false);
    }
}

/// Writes an entry of the history, a new one or the present one, and the address's fragment.
pub(crate) fn write_entry(entry: &str, fragment: &str, is_new: bool) {
    write(&JsValue::from_str(entry), fragment, is_new);
}

fn write(entry: &JsValue, fragment: &str, is_new: bool) {
    let Some(window) = web_sys::window() else { return };
    let Ok(history) = window.history() else { return };
    let location = window.location();
    let (path, search) =
        (location.pathname().unwrap_or_default(), location.search().unwrap_or_default());
    let mark = if fragment.is_empty() { "" } else { "#" };
    let address = format!("{path}{search}{mark}{fragment}");
    // A browser that takes no entry, or not so large a one, keeps its old address.
    let _ = match is_new {
        true => history.push_state_with_url(entry, "", Some(&address)),
        false => history.replace_state_with_url(entry, "", Some(&address)),
    };
}

/// The present entry of the history, if the page has written it.
pub(crate) fn entry() -> Option<String> {
    web_sys::window()?.history().ok()?.state().ok()?.as_string()
}

/// Was the page that was here loaded again, so that its address was not asked for anew?
pub(crate) fn was_reloaded() -> bool {
    let navigation = web_sys::window()
        .and_then(|window| window.performance())
        .map(|performance| performance.get_entries_by_type("navigation").get(0));
    let kind = navigation.and_then(|entry| js_sys::Reflect::get(&entry, &"type".into()).ok());
    kind.is_some_and(|kind| kind == "reload")
}

/// The title of the page, which browsers show in their history.
pub(crate) fn set_title(title: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}

/// Hands a text to the browser as a file.
pub(crate) fn download(name: &str, kind: &str, text: &str) {
    if let Ok(blob) = blob(text, kind) {
        save(name, &blob);
    }
}

/// Hands bytes to the browser, as a text.
pub(crate) fn download_bytes(name: &str, bytes: &[u8]) {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type("text/plain");
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let blob = web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options);
    if let Ok(blob) = blob {
        save(name, &blob);
    }
}

/// Hands a file to the browser.
pub(crate) fn save(name: &str, blob: &web_sys::Blob) {
    let Some(document) = web_sys::window().and_then(|w| w.document()) else { return };
    let Ok(address) = web_sys::Url::create_object_url_with_blob(blob) else { return };
    if let Ok(anchor) = document.create_element("a") {
        let anchor: web_sys::HtmlAnchorElement = anchor.unchecked_into();
        anchor.set_href(&address);
        anchor.set_download(name);
        anchor.click();
    }
    // The browser has to have begun to read it.
    gloo::timers::callback::Timeout::new(10_000, move || {
        let _ = web_sys::Url::revoke_object_url(&address);
    })
    .forget();
}

fn blob(text: &str, kind: &str) -> Result<web_sys::Blob, JsValue> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    web_sys::Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&text.into()), &options)
}

/// Longest side and largest area, in pixels, of the canvases that browsers make.
const MOST_SIDE: f64 = 16_000.0;
const MOST_AREA: f64 = 120_000_000.0;

/// An SVG of this size as a PNG, at twice the size, or as large as a canvas can be.
pub(crate) async fn png(svg: &str, width: f64, height: f64) -> Result<web_sys::Blob, JsValue> {
    let scale = 2f64.min(MOST_SIDE / width.max(height)).min((MOST_AREA / (width * height)).sqrt());
    let address = web_sys::Url::create_object_url_with_blob(&blob(svg, "image/svg+xml")?)?;
    let image = web_sys::HtmlImageElement::new()?;
    image.set_src(&address);
    let decoded = wasm_bindgen_futures::JsFuture::from(image.decode()).await;
    let _ = web_sys::Url::revoke_object_url(&address);
    decoded?;
    let document = web_sys::window().and_then(|w| w.document()).ok_or(JsValue::NULL)?;
    let canvas: web_sys::HtmlCanvasElement = document.create_element("canvas")?.unchecked_into();
    canvas.set_width((width * scale).ceil() as u32);
    canvas.set_height((height * scale).ceil() as u32);
    let context: web_sys::CanvasRenderingContext2d =
        canvas.get_context("2d")?.ok_or(JsValue::NULL)?.unchecked_into();
    context.draw_image_with_html_image_element_and_dw_and_dh(
        &image,
        0.0,
        0.0,
        canvas.width().into(),
        canvas.height().into(),
    )?;
    let made = js_sys::Promise::new(&mut |done, _| {
        // It fails only for canvases with foreign content; then the promise's value is no blob.
        let _ = canvas.to_blob(&done);
    });
    wasm_bindgen_futures::JsFuture::from(made).await?.dyn_into()
}

/// Puts the focus on what a selector finds, once the page has been drawn.
pub(crate) fn focus_soon(selector: &'static str) {
    gloo::timers::callback::Timeout::new(0, move || {
        let found = web_sys::window()
            .and_then(|w| w.document())
            .and_then(|d| d.query_selector(selector).ok().flatten());
        if let Some(element) = found.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = element.focus();
        }
    })
    .forget();
}
