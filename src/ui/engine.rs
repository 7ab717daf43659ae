//! The page's end of the worker: one worker that works, one spare that is already up. Here is the
//! only watchdog: a worker that does not obey is terminated, and the spare takes its place.
//!
//! A worker must do two things within [`PATIENCE`]: answer a Stop, and read the next program. Every
//! request has a number, and the worker's last message about a number says that it is the last
//! ([`ReplyMessage::last`]). So the watchdog knows no analysis.
//!
//! Both workers must also give signs of life while they owe something ([`super::health`]). If they
//! do not, the page only says so: what was late may still come.

use super::health::{Health, Owed};
use super::loading::{Code, Loading};
use super::state::fault::Fault;
use super::traffic::Traffic;
use crate::wire::protocol::{Reply, ReplyMessage, Request, RequestMessage};
use gloo::events::EventListener;
use gloo::timers::callback::{Interval, Timeout};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker};
use yew::Callback;

/// Milliseconds in which a worker must answer a Stop, and a busy one read the next program.
const PATIENCE: u32 = 150;
/// Milliseconds between two looks at the workers' health.
const SECOND: u32 = 1000;
/// A worker that takes up more bytes once it has answered everything is replaced by a fresh one:
/// WebAssembly gives no memory back.
const MOST_KEPT: u64 = 500_000_000;
/// What an error of a worker says that could not fetch the rest of the engine's program, before it
/// says why (`static/delivery/start_worker.js`).
const INCOMPLETE: &str = "The rest of the engine is missing: ";

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
    /// A worker crashed. Both are of no use any more.
    Lost,
    /// The engine could not be loaded, as a whole or its rest, or not started, or it is late.
    Failed(Fault),
    /// What was late has come.
    Back,
}

/// A pair of workers.
pub(super) struct Engine {
    pair: Rc<RefCell<Pair>>,
    _seconds: Interval,
}

struct Pair {
    code: Rc<Code>,
    active: Link,
    spare: Link,
    /// How many workers were replaced: tells the worker that is watched from a later one.
    replaced: u32,
    /// Bytes of the code that had arrived a second ago.
    arrived: u32,
    is_late: bool,
    on_event: Callback<EngineEvent>,
}

impl Engine {
    /// Loads the engine, `anew`: not from what the browser keeps, and starts both workers.
    pub(super) fn start(anew: bool, on_event: Callback<EngineEvent>) -> Result<Engine, Fault> {
        let on_progress = on_event.reform(|progress: Result<Loading, Fault>| {
            progress.map_or_else(EngineEvent::Failed, EngineEvent::Loading)
        });
        Engine::with(Code::fetch(anew, on_progress)?, on_event)
    }

    /// Starts both workers anew. The code is loaded again only if it is not there.
    pub(super) fn restart(self) -> Result<Engine, Fault> {
        let (code, on_event) = {
            let pair = self.pair.borrow();
            (pair.code.clone(), pair.on_event.clone())
        };
        // The old workers end before there are new ones.
        drop(self);
        if code.is_there() { Engine::with(code, on_event) } else { Engine::start(true, on_event) }
    }

    fn with(code: Rc<Code>, on_event: Callback<EngineEvent>) -> Result<Engine, Fault> {
        let link = || Link::start(&code, &on_event).map_err(|_| Fault::NoWorkers);
        let (active, spare) = match link().and_then(|active| Ok((active, link()?))) {
            Ok(both) => both,
            Err(fault) => {
                code.give_up();
                return Err(fault);
            }
        };
        let (arrived, is_late) = (0, false);
        let pair = Pair { code, active, spare, replaced: 0, arrived, is_late, on_event };
        let pair = Rc::new(RefCell::new(pair));
        let looked_at = Rc::downgrade(&pair);
        let seconds = Interval::new(SECOND, move || {
            let Some(pair) = looked_at.upgrade() else { return };
            let (events, on_event) = {
                let mut pair = pair.borrow_mut();
                (pair.second(), pair.on_event.clone())
            };
            events.into_iter().for_each(|event| on_event.emit(event));
        });
        Ok(Engine { pair, _seconds: seconds })
    }

    /// Is the code there, so that a restart takes no time?
    pub(super) fn is_loaded(&self) -> bool {
        self.pair.borrow().code.is_there()
    }

    /// Sends a request under a number that no other request has; `unasked`: no person asked for it.
    /// It waits until the worker is up. A
    /// Load or a Run ends all that the worker does; a busy worker that does not read it in time is
    /// replaced, and the spare gets it.
    pub(super) fn send(&self, id: u32, request: Request, unasked: bool) {
        let message = RequestMessage { id, request, unasked };
        let is_watched = self.pair.borrow().active.send(message);
        if is_watched {
            self.watch(id);
        }
    }

    /// Sends what needs no program (a layout) to the spare worker: it is free even while the other
    /// one is busy.
    pub(super) fn send_aside(&self, id: u32, request: Request) {
        self.pair.borrow().spare.send(RequestMessage { id, request, unasked: false });
    }

    /// Has the worker end the request of this number and answer with what it found. A worker that
    /// does not do so in time is replaced. Nothing happens if the request is answered already.
    pub(super) fn stop(&self, id: u32) {
        self.send(id, Request::Stop, false);
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
    /// A second has passed.
    fn second(&mut self) -> Option<EngineEvent> {
        let arrived = self.code.arrived();
        if std::mem::replace(&mut self.arrived, arrived) != arrived {
            [&self.active, &self.spare].into_iter().for_each(Link::heard);
        }
        self.active.second(Owed::Answer);
        self.spare.second(Owed::Picture);
        let is_late = self.active.is_late() || self.spare.is_late();
        if std::mem::replace(&mut self.is_late, is_late) != is_late {
            let is_up = self.active.is_up() && self.spare.is_up();
            return Some(match (is_late, is_up) {
                (false, _) => EngineEvent::Back,
                (true, false) => EngineEvent::Failed(Fault::Slow),
                (true, true) => EngineEvent::Failed(Fault::Silent),
            });
        }
        let is_full = self.active.is_settled() && self.active.bytes.get() > MOST_KEPT;
        (is_full && self.spare.is_up()).then(|| self.replace())
    }

    /// Terminates the worker that works. The spare takes its place and gets the program that was
    /// not read.
    fn replace(&mut self) -> EngineEvent {
        self.replaced += 1;
        let Ok(fresh) = Link::start(&self.code, &self.on_event) else { return EngineEvent::Lost };
        self.is_late = false;
        let old = std::mem::replace(&mut self.active, std::mem::replace(&mut self.spare, fresh));
        let (unread, unanswered) = old.traffic.borrow_mut().abandon();
        if let Some(message) = unread {
            self.active.send(message);
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
    health: Rc<RefCell<Health>>,
    /// The memory that it took up when it last told.
    bytes: Rc<Cell<u64>>,
    _listeners: [EventListener; 2],
}

impl Link {
    fn start(code: &Code, on_event: &Callback<EngineEvent>) -> Result<Link, JsValue> {
        let worker = code.start_worker()?;
        let waiting = Rc::new(RefCell::new(Some(Vec::<JsValue>::new())));
        let traffic = Rc::new(RefCell::new(Traffic::default()));
        let (health, bytes) = (Rc::<RefCell<Health>>::default(), Rc::<Cell<u64>>::default());
        let (queue, sender, forward, heard) =
            (waiting.clone(), worker.clone(), on_event.clone(), traffic.clone());
        let (alive, size) = (health.clone(), bytes.clone());
        let message = EventListener::new(&worker, "message", move |event| {
            let event: &MessageEvent = event.unchecked_ref();
            let data = event.data();
            alive.borrow_mut().heard();
            overhear(&data);
            match serde_wasm_bindgen::from_value::<ReplyMessage>(data) {
                Ok(ReplyMessage { reply: Reply::Ready, .. }) => {
                    forward.emit(EngineEvent::Up);
                    for message in queue.borrow_mut().take().unwrap_or_default() {
                        // It fails only for values that cannot be cloned; requests can.
                        let _ = sender.post_message(&message);
                    }
                }
                Ok(ReplyMessage { reply: Reply::Alive { bytes }, .. }) => size.set(bytes),
                Ok(message) => {
                    heard.borrow_mut().heard(message.id, message.last);
                    forward.emit(EngineEvent::Reply(Box::new(message)));
                }
                Err(_) => forward.emit(EngineEvent::Lost),
            }
        });
        let (lost, queue) = (on_event.clone(), waiting.clone());
        let error = EventListener::new(&worker, "error", move |event| {
            let is_starting = queue.borrow().is_some();
            // A script that did not come is no error of a script.
            lost.emit(match (is_starting, event.dyn_ref::<ErrorEvent>()) {
                (false, error) => error.and_then(incomplete).unwrap_or(EngineEvent::Lost),
                (true, Some(_)) => EngineEvent::Failed(Fault::Broken),
                (true, None) => EngineEvent::Failed(Fault::Missing(
                    "the engine’s script",
                    "the browser does not say why".into(),
                )),
            });
        });
        Ok(Link { worker, waiting, traffic, health, bytes, _listeners: [message, error] })
    }

    fn is_up(&self) -> bool {
        self.waiting.borrow().is_none()
    }

    fn is_settled(&self) -> bool {
        self.traffic.borrow().is_settled()
    }

    fn is_late(&self) -> bool {
        self.health.borrow().is_late()
    }

    fn heard(&self) {
        self.health.borrow_mut().heard();
    }

    /// A second has passed; requests of the worker have such answers.
    fn second(&self, answers: Owed) {
        let owed = match (self.is_up(), self.is_settled()) {
            (false, _) => Owed::Answer,
            (true, true) => Owed::Nothing,
            (true, false) => answers,
        };
        self.health.borrow_mut().second(owed);
    }

    /// Sends a request; is the worker to be watched?
    fn send(&self, message: RequestMessage) -> bool {
        let data = serde_wasm_bindgen::to_value(&message).expect("plain data always serialises");
        overhear(&data);
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

/// Lets a lesson hear what page and engine say to each other (`static/lesson_panel`).
fn overhear(data: &JsValue) {
    let lesson = js_sys::Reflect::get(&js_sys::global(), &"faultlineLesson".into());
    if let Some(hears) = lesson.ok().and_then(|hears| hears.dyn_into::<js_sys::Function>().ok()) {
        // A lesson's defect is none of the page.
        let _ = hears.call1(&JsValue::NULL, data);
    }
}

/// What an error means that says that the rest of the engine's program is missing.
fn incomplete(error: &ErrorEvent) -> Option<EngineEvent> {
    let message = error.message();
    let (_, why) = message.split_once(INCOMPLETE)?;
    Some(EngineEvent::Failed(Fault::Incomplete(why.into())))
}

impl Drop for Pair {
    fn drop(&mut self) {
        self.code.give_up();
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}
