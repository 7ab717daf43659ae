//! What reaches the page from its window: keys, the clock, the address, files, the system's
//! colours.

use super::{App, Msg, Open};
use crate::ui::frame::browser::{fill_screen, fills_screen, focus_soon, shortcut};
use crate::ui::frame::files;
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Interval;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;
use yew::Context;

/// Milliseconds between two looks at the clock while a run is on.
const CLOCK: u32 = 250;

impl App {
    /// A key that no part of the page has taken; should the page be rendered?
    pub(super) fn key(&mut self, ctx: &Context<Self>, key: &str) -> bool {
        match key {
            "Run" => self.run(ctx),
            "Escape" if self.presenting => return self.stage(false),
            "p" if !self.embed && !self.state.model.is_blank() => {
                return self.stage(!self.presenting);
            }
            // What a change of an option began goes on.
            "Escape" if self.options_open => self.options_open = false,
            "Escape" => self.state.stop(),
            "Open" => {
                files::choose(&self.file_input);
                return false;
            }
            "Delete" if self.is_welcome() => return self.take(ctx, Msg::Clear),
            "m" => self.state.toggle_memory(),
            "?" => self.open = Some(Open::Help),
            _ => return self.state.key(key),
        }
        true
    }

    /// Shows source, picture and steps, large, or everything again.
    pub(super) fn stage(&mut self, on: bool) -> bool {
        self.presenting = on;
        // The source has another size now: its line comes into view again.
        self.state.model.reveal();
        fill_screen(on);
        focus_soon(if on { ".leave" } else { ".present" });
        true
    }
}

/// A run that reports nothing still shows that time passes.
pub(crate) fn clock(ctx: &Context<App>) -> Interval {
    let link = ctx.link().clone();
    Interval::new(CLOCK, move || link.send_message(Msg::Clock))
}

pub(crate) fn listen(ctx: &Context<App>) -> Vec<EventListener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let (keys, visits, leaves) = (ctx.link().clone(), ctx.link().clone(), ctx.link().clone());
    let tabs = ctx.link().clone();
    let options = EventListenerOptions::enable_prevent_default();
    let mut listeners = vec![
        EventListener::new_with_options(&window, "keydown", options, move |event| {
            let event: &KeyboardEvent = event.unchecked_ref();
            if let Some(key) = shortcut(event) {
                event.prevent_default();
                keys.send_message(Msg::Key(key));
            }
        }),
        EventListener::new(&window, "popstate", move |event| {
            let entry = js_sys::Reflect::get(event, &"state".into());
            visits.send_message(Msg::Visited(entry.ok().and_then(|entry| entry.as_string())));
        }),
        // Another tab has written something.
        EventListener::new(&window, "storage", move |_| tabs.send_message(Msg::Elsewhere)),
        EventListener::new(&window, "pagehide", move |_| leaves.send_message(Msg::Leave)),
    ];
    if let Some(document) = window.document() {
        // The browser's own Esc leaves the full screen, and the presentation with it.
        let presenting = ctx.link().clone();
        listeners.push(EventListener::new(&document, "fullscreenchange", move |_| {
            if !fills_screen() {
                presenting.send_message(Msg::Present(false));
            }
        }));
    }
    listeners.extend(files::listen(&window, ctx.link().callback(Msg::File)));
    if let Some(query) = window.match_media("(prefers-color-scheme: dark)").ok().flatten() {
        let themes = ctx.link().clone();
        listeners.push(EventListener::new(&query, "change", move |_| {
            themes.send_message(Msg::SystemTheme)
        }));
    }
    listeners
}
