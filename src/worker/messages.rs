//! The worker's global scope: messages from and to the page, and a timer between slices.

use super::driver::Driver;
use super::pulse::{Pulse, Surroundings};
use crate::wire::protocol::{Reply, ReplyMessage, RequestMessage};
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
    let driver = Rc::new(RefCell::new(Driver::new(Pulse::new(Browser))));
    let receiver = driver.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Ok(request) = serde_wasm_bindgen::from_value::<RequestMessage>(event.data()) else {
            return;
        };
        let begun = receiver.borrow_mut().handle(request, now(), &mut post);
        if begun {
            next_slice(receiver.clone());
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    post(ReplyMessage { id: 0, last: true, millis: 0, reply: Reply::Ready });
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

fn post(message: ReplyMessage) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    // 64-bit values do not fit JavaScript's numbers.
    let serializer =
        serde_wasm_bindgen::Serializer::new().serialize_large_number_types_as_bigints(true);
    let message: JsValue = message.serialize(&serializer).expect("plain data always serialises");
    // It fails only while the worker is being torn down.
    let _ = scope.post_message(&message);
}

/// The worker's surroundings in a browser.
struct Browser;

impl Surroundings for Browser {
    fn now(&self) -> f64 {
        now()
    }

    fn bytes(&self) -> u64 {
        let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
        let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
        u64::from(buffer.byte_length())
    }

    fn post(&self, message: ReplyMessage) {
        post(message);
    }
}

/// Milliseconds; the engine itself has no clock.
fn now() -> f64 {
    js_sys::Date::now()
}
