//! The page's end of the worker: one worker that works, one spare that is already up. Here is the
//! only watchdog: a worker that does not obey is terminated, and the spare takes its place.
//!
//! A worker must do two things within [`PATIENCE`]: answer a Stop, and read the next program. Every
//! request has a number, and the worker's last message about a number says that it is the last
//! ([`ReplyMessage::last`]). So the watchdog knows no analysis.

use super::loading::{Code, Loading};
use super::traffic::Traffic;
use crate::wire::protocol::{Reply, ReplyMessage, Request, RequestMessage};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker};
use yew::Callback;

/// Milliseconds in which a worker must answer a Stop, and a busy one read the next program.
const PATIENCE: u32 = 150;

/// What the page hears of the workers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EngineEvent {
    /// So much of the engine's code has come.
    Loading(Loading),
    /// A worker is up.
    Up,
    /// A reply.
    Reply(Box<ReplyMessage>),
    /// The worker did not obey and was terminated. The spare works now; all it knows is the program
    /// that was sent last, if no worker had read it. The requests of these numbers get no answer
    /// any more.
    Replaced(Vec<u32>),
    /// A worker crashed, or the engine could not be loaded or started. It is of no use any more.
    Lost,
}

/// A pair of workers.
pub(super) struct Engine {
    pair: Rc<RefCell<Pair>>,
}

struct Pair {
    code: Rc<Code>,
    active: Link,
    spare: Link,
    /// How many workers were replaced: tells the worker that is watched from a later one.
    replaced: u32,
    on_event: Callback<EngineEvent>,
}

impl Engine {
    /// Loads the engine and starts both workers. Fails if the browser has no workers.
    pub(super) fn start(on_event: Callback<EngineEvent>) -> Result<Engine, JsValue> {
        let code = Code::fetch(on_event.reform(|progress: Option<Loading>| {
            progress.map_or(EngineEvent::Lost, EngineEvent::Loading)
        }))?;
        Engine::with(code, on_event)
    }

    /// Starts both workers anew. The code is loaded again only if it is not there.
    pub(super) fn restart(self) -> Result<Engine, JsValue> {
        let (code, on_event) = {
            let pair = self.pair.borrow();
            (pair.code.clone(), pair.on_event.clone())
        };
        if code.is_usable() { Engine::with(code, on_event) } else { Engine::start(on_event) }
    }

    fn with(code: Rc<Code>, on_event: Callback<EngineEvent>) -> Result<Engine, JsValue> {
        let (active, spare) = (Link::start(&code, &on_event)?, Link::start(&code, &on_event)?);
        let pair = Pair { code, active, spare, replaced: 0, on_event };
        Ok(Engine { pair: Rc::new(RefCell::new(pair)) })
    }

    /// Sends a request under a number that no other request has. It waits until the worker is up. A
    /// Load or a Run ends all that the worker does; a busy worker that does not read it in time is
    /// replaced, and the spare gets it.
    pub(super) fn send(&self, id: u32, request: Request) {
        let is_watched = self.pair.borrow().active.send(id, request);
        if is_watched {
            self.watch(id);
        }
    }

    /// Sends what needs no program (a layout) to the spare worker: it is free even while the other
    /// one is busy.
    pub(super) fn send_aside(&self, id: u32, request: Request) {
        self.pair.borrow().spare.send(id, request);
    }

    /// Has the worker end the request of this number and answer with what it found. A worker that
    /// does not do so in time is replaced. Nothing happens if the request is answered already.
    pub(super) fn stop(&self, id: u32) {
        self.send(id, Request::Stop);
    }

    /// Once the time is up: replaces the worker if it did not obey.
    fn watch(&self, id: u32) {
        let (pair, watched) = (Rc::downgrade(&self.pair), self.pair.borrow().replaced);
        let check = move || {
            let Some(pair) = pair.upgrade() else { return };
            if pair.borrow().replaced != watched || !pair.borrow().active.disobeys(id) {
                return;
            }
            let event = pair.borrow_mut().replace();
            // The page may send requests at once: the pair must not be borrowed then.
            let on_event = pair.borrow().on_event.clone();
            on_event.emit(event);
        };
        Timeout::new(PATIENCE, check).forget();
    }
}

impl Pair {
    /// Terminates the worker that works. The spare takes its place and gets the program that was
    /// not read.
    fn replace(&mut self) -> EngineEvent {
        self.replaced += 1;
        let Ok(fresh) = Link::start(&self.code, &self.on_event) else { return EngineEvent::Lost };
        let old = std::mem::replace(&mut self.active, std::mem::replace(&mut self.spare, fresh));
        let (unread, unanswered) = old.traffic.borrow_mut().abandon();
        if let Some((id, request)) = unread {
            self.active.send(id, request);
        }
        EngineEvent::Replaced(unanswered)
    }
}

/// One worker. Dropping it terminates the worker.
struct Link {
    worker: Worker,
    /// What waits until the worker is up; `None` once it is.
    waiting: Rc<RefCell<Option<Vec<JsValue>>>>,
    traffic: Rc<RefCell<Traffic>>,
    _listeners: [EventListener; 2],
}

impl Link {
    fn start(code: &Code, on_event: &Callback<EngineEvent>) -> Result<Link, JsValue> {
        let worker = code.start_worker()?;
        let waiting = Rc::new(RefCell::new(Some(Vec::<JsValue>::new())));
        let traffic = Rc::new(RefCell::new(Traffic::default()));
        let (queue, sender, forward, heard) =
            (waiting.clone(), worker.clone(), on_event.clone(), traffic.clone());
        let message = EventListener::new(&worker, "message", move |event| {
            let event: &MessageEvent = event.unchecked_ref();
            match serde_wasm_bindgen::from_value::<ReplyMessage>(event.data()) {
                Ok(ReplyMessage { reply: Reply::Ready, .. }) => {
                    forward.emit(EngineEvent::Up);
                    for message in queue.borrow_mut().take().unwrap_or_default() {
                        // It fails only for values that cannot be cloned; requests can.
                        let _ = sender.post_message(&message);
                    }
                }
                Ok(message) => {
                    heard.borrow_mut().heard(message.id, message.last);
                    forward.emit(EngineEvent::Reply(Box::new(message)));
                }
                Err(_) => forward.emit(EngineEvent::Lost),
            }
        });
        let lost = on_event.clone();
        let error = EventListener::new(&worker, "error", move |_| lost.emit(EngineEvent::Lost));
        Ok(Link { worker, waiting, traffic, _listeners: [message, error] })
    }

    /// Sends a request; is the worker to be watched?
    fn send(&self, id: u32, request: Request) -> bool {
        let message = RequestMessage { id, request };
        let data = serde_wasm_bindgen::to_value(&message).expect("plain data always serialises");
        match &mut *self.waiting.borrow_mut() {
            Some(waiting) => waiting.push(data),
            None => {
                let _ = self.worker.post_message(&data);
            }
        }
        self.traffic.borrow_mut().sent(message)
    }

    fn disobeys(&self, id: u32) -> bool {
        self.traffic.borrow().disobeys(id)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}
