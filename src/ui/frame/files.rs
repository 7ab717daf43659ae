//! Programs that come as files: chosen, dropped onto the page, or pasted.

use gloo::events::{EventListener, EventListenerOptions};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, File, HtmlInputElement};
use yew::prelude::*;

/// Longest program, in bytes, that is opened.
const LONGEST: f64 = (1 << 20) as f64;

/// A file's name and its text, or why it is not opened.
pub(crate) type Opened = Result<(String, String), String>;

/// What happens with files on the page.
#[derive(Debug)]
pub(crate) enum FileEvent {
    /// One is held over the page, or no longer.
    Over(bool),
    /// One was dropped or pasted.
    Given(File),
}

/// Reads a file as text.
pub(crate) async fn read(file: File) -> Opened {
    let name = file.name();
    if file.size() > LONGEST {
        return Err(format!(
            "{name} is {:.1} MB long. Programs of up to 1 MB are opened.",
            file.size() / LONGEST
        ));
    }
    let Ok(buffer) = JsFuture::from(file.array_buffer()).await else {
        return Err(format!("{name} cannot be read. Is it a folder?"));
    };
    let bytes = js_sys::Uint8Array::new(&buffer).to_vec();
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => {
            Ok((name, text.trim_start_matches('\u{feff}').to_string()))
        }
        _ => Err(format!("{name} is not a text file (in UTF-8).")),
    }
}

/// Lets the user choose a file; the input is [`chooser`]'s.
pub(crate) fn choose(input: &NodeRef) {
    if let Some(input) = input.cast::<HtmlInputElement>() {
        // The same file may be chosen again, after it was changed outside.
        input.set_value("");
        input.click();
    }
}

/// The browser's own way to choose a file. Not shown; a button and a key lead to it.
pub(crate) fn chooser(input: &NodeRef, on_file: &Callback<File>) -> Html {
    let emit = on_file.clone();
    let chosen = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            emit.emit(file);
        }
    });
    html! {
        <input
            ref={input.clone()}
            type="file"
            class="file-input"
            aria-label="Program file"
            tabindex="-1"
            hidden=true
            onchange={chosen}
        />
    }
}

/// What is seen while a file is held over the page.
pub(crate) fn overlay() -> Html {
    html! {
        <div class="drop" aria-hidden="true">
            <div>
                <b>{ "Drop the program here" }</b>
                <span>
                    { "Cimple, C, Boolean programs, Remopla, pushdown systems (.pds, .json). Undo \
                        brings the present one back." }
                </span>
            </div>
        </div>
    }
}

/// Files that are dragged over the page, dropped or pasted. They are taken before the editor sees
/// them; text is left to it.
pub(crate) fn listen(window: &web_sys::Window, emit: Callback<FileEvent>) -> Vec<EventListener> {
    let over = Rc::new(Cell::new(false));
    let turn = move |emit: &Callback<FileEvent>, now: bool| {
        if over.replace(now) != now {
            emit.emit(FileEvent::Over(now));
        }
    };
    let mut listeners = Vec::new();
    let mut on = |name: &'static str, mut heard: Box<dyn FnMut(&web_sys::Event)>| {
        let options = EventListenerOptions {
            phase: gloo::events::EventListenerPhase::Capture,
            passive: false,
        };
        listeners.push(EventListener::new_with_options(window, name, options, move |event| {
            heard(event)
        }));
    };
    for name in ["dragenter", "dragover"] {
        let (turn, emit) = (turn.clone(), emit.clone());
        on(
            name,
            Box::new(move |event| {
                if let Some(data) = dragged(event) {
                    take(event);
                    data.set_drop_effect("copy");
                    turn(&emit, true);
                }
            }),
        );
    }
    let (left, told) = (turn.clone(), emit.clone());
    on(
        "dragleave",
        Box::new(move |event| {
            // Out of the window, not from one part of the page to another.
            if event.unchecked_ref::<DragEvent>().related_target().is_none() {
                left(&told, false);
            }
        }),
    );
    let given = emit.clone();
    on(
        "drop",
        Box::new(move |event| {
            turn(&given, false);
            if let Some(data) = dragged(event) {
                take(event);
                if let Some(file) = data.files().and_then(|files| files.get(0)) {
                    given.emit(FileEvent::Given(file));
                }
            }
        }),
    );
    on(
        "paste",
        Box::new(move |event| {
            let data = event.unchecked_ref::<ClipboardEvent>().clipboard_data();
            let file = data
                .filter(|data| !has(data, "text/plain"))
                .and_then(|data| data.files())
                .and_then(|files| files.get(0));
            if let Some(file) = file {
                take(event);
                emit.emit(FileEvent::Given(file));
            }
        }),
    );
    listeners
}

/// The files that an event drags, if any.
fn dragged(event: &web_sys::Event) -> Option<DataTransfer> {
    event.unchecked_ref::<DragEvent>().data_transfer().filter(|data| has(data, "Files"))
}

fn has(data: &DataTransfer, kind: &str) -> bool {
    data.types().includes(&kind.into(), 0)
}

fn take(event: &web_sys::Event) {
    event.prevent_default();
    event.stop_propagation();
}
