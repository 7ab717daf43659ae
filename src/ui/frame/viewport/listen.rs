//! What pointer and wheel do to the part in view.

use super::{DRAG_THRESHOLD, State};
use gloo::events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent, WheelEvent};

/// Listens on the picture's host, once for everything in it.
pub(crate) fn listen(host: &Element, state: &Rc<RefCell<State>>) -> Vec<EventListener> {
    let on = |name: &'static str, handle: fn(&Rc<RefCell<State>>, &web_sys::Event)| {
        let state = state.clone();
        EventListener::new_with_options(
            host,
            name,
            EventListenerOptions::enable_prevent_default(),
            move |event| handle(&state, event),
        )
    };
    vec![
        on("pointerdown", |state, event| {
            let event: &PointerEvent = event.unchecked_ref();
            let mut state = state.borrow_mut();
            if inside(event, ".minimap") {
                state.map_pointer = Some(event.pointer_id());
                // No click on a box below follows.
                state.travelled = f64::INFINITY;
                state.drag_map(event);
                let _ = state.host.set_pointer_capture(event.pointer_id());
                return;
            }
            if state.pointers.is_empty() {
                state.travelled = 0.0;
            }
            state
                .pointers
                .insert(event.pointer_id(), (event.client_x().into(), event.client_y().into()));
        }),
        on("pointermove", |state, event| {
            let event: &PointerEvent = event.unchecked_ref();
            let mut state = state.borrow_mut();
            if state.map_pointer == Some(event.pointer_id()) {
                state.drag_map(event);
                return;
            }
            state.pointer_moved(
                event.pointer_id(),
                (event.client_x().into(), event.client_y().into()),
            );
            // Captured only once it is a drag: a captured pointer would take the click away from
            // the box.
            if state.travelled > DRAG_THRESHOLD && state.pointers.contains_key(&event.pointer_id())
            {
                let _ = state.host.set_pointer_capture(event.pointer_id());
            }
        }),
        on("pointerup", release),
        on("pointercancel", release),
        on("wheel", |state, event| {
            event.prevent_default();
            let event: &WheelEvent = event.unchecked_ref();
            let mut state = state.borrow_mut();
            let (x, y) = state.local(event.client_x().into(), event.client_y().into());
            let lines = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
            // A pinch on a trackpad arrives as a wheel with Ctrl and small steps; a notch of a
            // mouse's wheel is some hundred pixels.
            let travel = event.delta_y() * lines;
            let exponent =
                if event.ctrl_key() { travel.clamp(-20.0, 20.0) * 0.01 } else { travel * 0.0016 };
            state.zoom_at((-exponent).exp(), x, y);
        }),
    ]
}

fn release(state: &Rc<RefCell<State>>, event: &web_sys::Event) {
    let event: &PointerEvent = event.unchecked_ref();
    let mut state = state.borrow_mut();
    state.pointers.remove(&event.pointer_id());
    state.map_pointer.take_if(|id| *id == event.pointer_id());
    let _ = state.host.remove_attribute("data-dragging");
}

fn inside(event: &web_sys::Event, selector: &str) -> bool {
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    target.is_some_and(|target| target.closest(selector).is_ok_and(|found| found.is_some()))
}
