//! What the pointer and the keys do to the picture.

use super::{DRAG_THRESHOLD, GraphEvent, Inner, hit};
use gloo::events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent, WheelEvent};

/// Listens on the picture's host, once for everything in it.
pub(super) fn listen(host: &Element, inner: &Rc<RefCell<Inner>>) -> Vec<EventListener> {
    let on = |name: &'static str, handle: fn(&Rc<RefCell<Inner>>, &web_sys::Event)| {
        let inner = inner.clone();
        EventListener::new_with_options(host, name, EventListenerOptions::enable_prevent_default(), move |event| handle(&inner, event))
    };
    vec![
        on("pointerdown", |inner, event| {
            let event: &PointerEvent = event.unchecked_ref();
            let mut inner = inner.borrow_mut();
            if inside(event, ".minimap") {
                inner.map_pointer = Some(event.pointer_id());
                // No click on a box below follows.
                inner.travelled = f64::INFINITY;
                inner.drag_map(event);
                let _ = inner.host.set_pointer_capture(event.pointer_id());
                return;
            }
            if inner.pointers.is_empty() {
                inner.travelled = 0.0;
            }
            inner.pointers.insert(event.pointer_id(), (event.client_x().into(), event.client_y().into()));
        }),
        on("pointermove", |inner, event| {
            let event: &PointerEvent = event.unchecked_ref();
            let mut view = inner.borrow_mut();
            if view.map_pointer == Some(event.pointer_id()) {
                view.drag_map(event);
                return;
            }
            view.pointer_moved(event.pointer_id(), (event.client_x().into(), event.client_y().into()));
            // Captured only once it is a drag: a captured pointer would take the click away from the box.
            if view.travelled > DRAG_THRESHOLD && view.pointers.contains_key(&event.pointer_id()) {
                let _ = view.host.set_pointer_capture(event.pointer_id());
            }
        }),
        on("pointerup", release),
        on("pointercancel", release),
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
                if view.travelled > DRAG_THRESHOLD { None } else { view.clicked(event).map(|said| shifted(event, said)) }
            };
            tell(inner, said);
        }),
        on("wheel", |inner, event| {
            event.prevent_default();
            let event: &WheelEvent = event.unchecked_ref();
            let mut view = inner.borrow_mut();
            let (x, y) = view.local(event.client_x().into(), event.client_y().into());
            let lines = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
            // A pinch on a trackpad arrives as a wheel with Ctrl and small steps; a notch of a mouse's wheel is some hundred pixels.
            let travel = event.delta_y() * lines;
            let exponent = if event.ctrl_key() { travel.clamp(-20.0, 20.0) * 0.01 } else { travel * 0.0016 };
            view.zoom_at((-exponent).exp(), x, y);
        }),
        on("keydown", |inner, event| {
            let key: &KeyboardEvent = event.unchecked_ref();
            if key.ctrl_key() || key.meta_key() || key.alt_key() {
                return;
            }
            let said = {
                let mut view = inner.borrow_mut();
                let (width, height) = view.extent;
                match (key.key().as_str(), key.shift_key()) {
                    ("ArrowLeft", true) => view.pan_by_key(60.0, 0.0),
                    ("ArrowRight", true) => view.pan_by_key(-60.0, 0.0),
                    ("ArrowUp", true) => view.pan_by_key(0.0, 60.0),
                    ("ArrowDown", true) => view.pan_by_key(0.0, -60.0),
                    ("ArrowLeft", false) => view.walk(-1.0, 0.0),
                    ("ArrowRight", false) => view.walk(1.0, 0.0),
                    ("ArrowUp", false) => view.walk(0.0, -1.0),
                    ("ArrowDown", false) => view.walk(0.0, 1.0),
                    ("+" | "=", _) => {
                        view.zoom_at(1.2, width / 2.0, height / 2.0);
                        None
                    }
                    ("-", _) => {
                        view.zoom_at(1.0 / 1.2, width / 2.0, height / 2.0);
                        None
                    }
                    ("0", _) => {
                        view.fit();
                        None
                    }
                    ("Enter", _) => match view.cursor {
                        Some(cursor) => view.enter(cursor),
                        None => return,
                    },
                    ("Backspace", _) => Some(GraphEvent::Up),
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

fn release(inner: &Rc<RefCell<Inner>>, event: &web_sys::Event) {
    let event: &PointerEvent = event.unchecked_ref();
    let mut view = inner.borrow_mut();
    view.pointers.remove(&event.pointer_id());
    view.map_pointer.take_if(|id| *id == event.pointer_id());
    let _ = view.host.remove_attribute("data-dragging");
}

/// Emits outside the borrow: the callback may come back to the view.
fn tell(inner: &Rc<RefCell<Inner>>, said: Option<GraphEvent>) {
    if let Some(event) = said {
        let callback = inner.borrow().on_event.clone();
        callback.emit(event);
    }
}

fn inside(event: &web_sys::Event, selector: &str) -> bool {
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    target.is_some_and(|target| target.closest(selector).is_ok_and(|found| found.is_some()))
}

/// A click on a box with Shift held adds it.
fn shifted(event: &web_sys::Event, said: GraphEvent) -> GraphEvent {
    let shift = event.dyn_ref::<web_sys::MouseEvent>().is_some_and(web_sys::MouseEvent::shift_key);
    match said {
        GraphEvent::Select(location) if shift => GraphEvent::Add(location),
        said => said,
    }
}
