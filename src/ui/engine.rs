//! The page's end of the worker: one at work, one spare that is already up, so that Stop can
//! terminate the first.

use crate::wire::protocol::{Reply, Request};
use gloo::events::EventListener;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker};
use yew::Callback;

/// Loads what Trunk makes of `src/bin/worker.rs` (a classic script: wasm-bindgen's no-modules
/// target).
const SCRIPT: &str = "worker_loader.js";

/// What comes from the worker.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EngineEvent {
    /// An answer.
    Reply(Box<Reply>),
    /// The worker has crashed or could not start; a new one takes over.
    Lost,
}

/// A pair of workers.
pub(super) struct Engine {
    active: Link,
    spare: Link,
    on_event: Callback<EngineEvent>,
}

impl Engine {
    /// Starts both workers. Fails if the browser has no workers.
    pub(super) fn start(on_event: Callback<EngineEvent>) -> Result<Engine, JsValue> {
        Ok(Engine { active: Link::start(&on_event)?, spare: Link::start(&on_event)?, on_event })
    }

    /// Sends a request; it waits until the worker is up.
    pub(super) fn send(&self, request: &Request) {
        self.active.send(request);
    }

    /// Sends what needs no program (a layout) to the spare worker: it is free even while the other
    /// one is busy.
    pub(super) fn send_aside(&self, request: &Request) {
        self.spare.send(request);
    }

    /// Terminates the worker at work; the spare takes its place. Nothing comes from the old one any
    /// more.
    pub(super) fn replace(&mut self) -> Result<(), JsValue> {
        let fresh = Link::start(&self.on_event)?;
        let spare = std::mem::replace(&mut self.spare, fresh);
        self.active = spare;
        Ok(())
    }
}

/// One worker and what waits for it. Dropping it terminates the worker.
struct Link {
    worker: Worker,
    ready: Rc<Cell<bool>>,
    waiting: Rc<RefCell<Vec<JsValue>>>,
    _listeners: [EventListener; 2],
}

impl Link {
    fn start(on_event: &Callback<EngineEvent>) -> Result<Link, JsValue> {
        let worker = Worker::new(SCRIPT)?;
        let ready = Rc::new(Cell::new(false));
        let waiting = Rc::new(RefCell::new(Vec::<JsValue>::new()));
        let (up, queue, sender, forward) =
            (ready.clone(), waiting.clone(), worker.clone(), on_event.clone());
        let message = EventListener::new(&worker, "message", move |event| {
            let event: &MessageEvent = event.unchecked_ref();
            match serde_wasm_bindgen::from_value(event.data()) {
                Ok(Reply::Ready) => {
                    up.set(true);
                    for message in queue.borrow_mut().drain(..) {
                        // It fails only for values that cannot be cloned; requests can.
                        let _ = sender.post_message(&message);
                    }
                }
                Ok(reply) => forward.emit(EngineEvent::Reply(Box::new(reply))),
                Err(_) => forward.emit(EngineEvent::Lost),
            }
        });
        let lost = on_event.clone();
        let error = EventListener::new(&worker, "error", move |_| lost.emit(EngineEvent::Lost));
        Ok(Link { worker, ready, waiting, _listeners: [message, error] })
    }

    fn send(&self, request: &Request) {
        let message = serde_wasm_bindgen::to_value(request).expect("plain data always serialises");
        if self.ready.get() {
            let _ = self.worker.post_message(&message);
        } else {
            self.waiting.borrow_mut().push(message);
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}
