//! What reaches the page from its window: keys, the clock, the address, files, the system's
//! colours.

use super::{App, Msg, Open};
use crate::ui::analysis::Analysis;
use crate::ui::browser::shortcut;
use crate::ui::controls::Move;
use crate::ui::files;
use crate::wire::protocol::Budgets;
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
        if self.explain_key(ctx, key) || self.threads_key(ctx, key) {
            return true;
        }
        let to = match key {
            "Run" => {
                self.run(ctx, Budgets::default());
                return true;
            }
            "Escape" => {
                self.options_open = false;
                self.stop();
                return true;
            }
            "Open" => {
                files::choose(&self.file_input);
                return false;
            }
            "?" => {
                self.open = Some(Open::Help);
                return true;
            }
            "Enter" | "AddEnter" => {
                if let Some(statement) =
                    self.model.selection.statement.filter(|_| self.analysis == Analysis::Projection)
                {
                    self.through_statement(statement, key == "AddEnter");
                }
                return true;
            }
            "ArrowLeft" => Move::Back,
            "ArrowRight" => Move::Forward,
            "Home" => Move::First,
            "End" => Move::Last,
            _ => Move::Play,
        };
        self.go(ctx, to);
        true
    }
}

/// A run that reports nothing still shows that time passes.
pub(super) fn clock(ctx: &Context<App>) -> Interval {
    let link = ctx.link().clone();
    Interval::new(CLOCK, move || link.send_message(Msg::Clock))
}

pub(super) fn listen(ctx: &Context<App>) -> Vec<EventListener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let (keys, hashes) = (ctx.link().clone(), ctx.link().clone());
    let options = EventListenerOptions::enable_prevent_default();
    let mut listeners = vec![
        EventListener::new_with_options(&window, "keydown", options, move |event| {
            let event: &KeyboardEvent = event.unchecked_ref();
            if let Some(key) = shortcut(event) {
                event.prevent_default();
                keys.send_message(Msg::Key(key));
            }
        }),
        EventListener::new(&window, "hashchange", move |_| hashes.send_message(Msg::Hash)),
    ];
    listeners.extend(files::listen(&window, ctx.link().callback(Msg::File)));
    if let Some(query) = window.match_media("(prefers-color-scheme: dark)").ok().flatten() {
        let themes = ctx.link().clone();
        listeners.push(EventListener::new(&query, "change", move |_| {
            themes.send_message(Msg::SystemTheme)
        }));
    }
    listeners
}
