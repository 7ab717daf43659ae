//! What clicks and keys do to the picture. What moves it is the viewport's.

use super::{GraphEvent, Inner, hit};
use gloo::events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Listens on the picture's host, once for everything in it.
pub(crate) fn listen(host: &Element, inner: &Rc<RefCell<Inner>>) -> Vec<EventListener> {
    let on = |name: &'static str, handle: fn(&Rc<RefCell<Inner>>, &web_sys::Event)| {
        let inner = inner.clone();
        EventListener::new_with_options(
            host,
            name,
            EventListenerOptions::enable_prevent_default(),
            move |event| handle(&inner, event),
        )
    };
    vec![
        on("pointerover", |inner, event| {
            let position = hit(event);
            let said = inner.borrow_mut().hover(position);
            tell(inner, said);
        }),
        on("pointerleave", |inner, _| {
            let said = inner.borrow_mut().hover(None);
            tell(inner, said);
        }),
        on("click", |inner, event| {
            let said = {
                let mut view = inner.borrow_mut();
                if view.viewport.dragged() {
                    None
                } else {
                    view.clicked(event).map(|said| shifted(event, said))
                }
            };
            tell(inner, said);
        }),
        on("keydown", |inner, event| {
            let key: &KeyboardEvent = event.unchecked_ref();
            if key.ctrl_key() || key.meta_key() || key.alt_key() {
                return;
            }
            let said = {
                let mut view = inner.borrow_mut();
                match (key.key().as_str(), key.shift_key()) {
                    ("ArrowLeft", false) => view.walk(-1.0, 0.0),
                    ("ArrowRight", false) => view.walk(1.0, 0.0),
                    ("ArrowUp", false) => view.walk(0.0, -1.0),
                    ("ArrowDown", false) => view.walk(0.0, 1.0),
                    ("Enter", _) => match view.cursor {
                        Some(cursor) => view.enter(cursor),
                        None => return,
                    },
                    ("Backspace", _) => Some(GraphEvent::Up),
                    _ if view.viewport.key(key) => None,
                    _ => return,
                }
            };
            key.prevent_default();
            key.stop_propagation();
            tell(inner, said);
        }),
        on("blur", |inner, _| inner.borrow_mut().set_cursor(None)),
    ]
}

/// Emits outside the borrow: the callback may come back to the view.
fn tell(inner: &Rc<RefCell<Inner>>, said: Option<GraphEvent>) {
    if let Some(event) = said {
        let callback = inner.borrow().on_event.clone();
        callback.emit(event);
    }
}

/// A click on a box with Shift held adds it.
fn shifted(event: &web_sys::Event, said: GraphEvent) -> GraphEvent {
    let shift = event.dyn_ref::<web_sys::MouseEvent>().is_some_and(web_sys::MouseEvent::shift_key);
    match said {
        GraphEvent::Select(location) if shift => GraphEvent::Add(location),
        said => said,
    }
}
