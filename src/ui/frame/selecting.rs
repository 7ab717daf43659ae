//! A picture outside the virtual DOM in which something can be selected: by a click, or with the
//! keys while the picture has the focus.

use super::viewport::Viewport;
use gloo::events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};
use yew::Callback;

/// What such a picture answers.
pub(crate) trait Selecting {
    /// What it tells the page.
    type Event;

    /// Its part in view.
    fn viewport(&self) -> &Viewport;
    /// What a click says.
    fn clicked(&self, event: &Event) -> Option<Self::Event>;
    /// What a key says, by its name and whether Shift is held.
    fn pressed(&self, key: &str, shift: bool) -> Key<Self::Event>;
    /// Who is told.
    fn listener(&self) -> Callback<Self::Event>;
}

/// What becomes of a key.
pub(crate) enum Key<E> {
    /// It is the picture's, and says this.
    Says(Option<E>),
    /// It is the part in view's, if that knows it; else the page's.
    Other,
}

/// Listens on the host until the listeners are dropped. Keys with Control, Meta or Alt are the
/// page's.
pub(crate) fn listen<P: Selecting + 'static>(
    host: &Element,
    picture: &Rc<RefCell<P>>,
) -> Vec<EventListener> {
    let on = |name: &'static str, handle: fn(&P, &Event) -> Option<P::Event>| {
        let picture = picture.clone();
        EventListener::new_with_options(
            host,
            name,
            EventListenerOptions::enable_prevent_default(),
            move |event| {
                let said = handle(&picture.borrow(), event);
                // Outside the borrow: the listener may come back to the picture.
                if let Some(said) = said {
                    let listener = picture.borrow().listener();
                    listener.emit(said);
                }
            },
        )
    };
    vec![
        on(
            "click",
            |picture, event| {
                if picture.viewport().dragged() { None } else { picture.clicked(event) }
            },
        ),
        on("keydown", keyed),
    ]
}

fn keyed<P: Selecting>(picture: &P, event: &Event) -> Option<P::Event> {
    let key: &KeyboardEvent = event.unchecked_ref();
    if key.ctrl_key() || key.meta_key() || key.alt_key() {
        return None;
    }
    let said = match picture.pressed(&key.key(), key.shift_key()) {
        Key::Says(said) => said,
        Key::Other if picture.viewport().key(key) => None,
        Key::Other => return None,
    };
    key.prevent_default();
    key.stop_propagation();
    said
}
