//! The engine in a Web Worker: messages in, messages out. All that it knows of the program lives in
//! the [`driver::Driver`].
//!
//! Requests and replies are those of [`crate::wire::protocol`], as structured clones by
//! serde-wasm-bindgen.

mod affine;
mod driver;
mod explain;
mod lab;
mod questions;
mod refinement;
mod threads;

use crate::wire::protocol::{Reply, Request};
use driver::Driver;
use gloo::timers::callback::Timeout;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Answers requests until the page terminates the worker. Call it once, in the worker's global
/// scope.
pub fn start() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let driver = Rc::new(RefCell::new(Driver::new()));
    let receiver = driver.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Ok(request) = serde_wasm_bindgen::from_value::<Request>(event.data()) else { return };
        let begun = receiver.borrow_mut().handle(request, now(), &mut post);
        if begun {
            next_slice(receiver.clone());
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    post(Reply::Ready);
}

/// Works for one slice, then lets the messages in (Stop is one of them) before the next.
fn next_slice(driver: Rc<RefCell<Driver>>) {
    let pause = Timeout::new(0, move || {
        let more = driver.borrow_mut().slice(now, &mut post);
        if more {
            next_slice(driver);
        }
    });
    pause.forget();
}

fn post(reply: Reply) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    // 64-bit values do not fit JavaScript's numbers.
    let serializer =
        serde_wasm_bindgen::Serializer::new().serialize_large_number_types_as_bigints(true);
    let message: JsValue = reply.serialize(&serializer).expect("plain data always serialises");
    // It fails only while the worker is being torn down.
    let _ = scope.post_message(&message);
}

/// Milliseconds; the engine itself has no clock.
fn now() -> f64 {
    js_sys::Date::now()
}
