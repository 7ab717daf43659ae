//! The engine's code: fetched and compiled once, then given to every worker.
//!
//! The build writes the engine's names and size into the page (`static/delivery/finish.mjs`): a
//! `meta` element names the workers' script, the WebAssembly module, and how many bytes that has.

use crate::ui::state::fault::Fault;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    AbortController, ReadableStream, ReadableStreamDefaultReader, RequestCache, RequestInit,
    Response, Worker,
};
use yew::Callback;

/// The page hears of the progress in steps of this many bytes.
const STEP: u32 = 100_000;

/// How much of the engine is there, in bytes of the module (on its way it may be compressed).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Loading {
    loaded: u32,
    total: u32,
}

impl Loading {
    /// As in "1.2 of 3.5 MB".
    pub(crate) fn told(self) -> String {
        let mega = |bytes: u32| f64::from(bytes) / 1e6;
        if self.loaded > self.total {
            return format!("{:.1} MB", mega(self.loaded));
        }
        format!("{:.1} of {:.1} MB", mega(self.loaded), mega(self.total))
    }
}

/// The compiled module, or who waits for it.
enum Module {
    Awaited(Vec<Worker>),
    Compiled(JsValue),
    Failed,
}

/// What workers run.
pub(super) struct Code {
    script: String,
    module: RefCell<Module>,
    /// Bytes of the module so far.
    arrived: Cell<u32>,
    abort: AbortController,
}

impl Code {
    /// Begins to fetch and to compile; `anew`: not from what the browser keeps. `on_progress` hears
    /// how far that is, and of a failure.
    pub(super) fn fetch(
        anew: bool,
        on_progress: Callback<Result<Loading, Fault>>,
    ) -> Result<Rc<Code>, Fault> {
        let unnamed =
            || Fault::Missing("the name of the engine", "the page does not have it".into());
        let names = named_by_the_page().ok_or_else(unnamed)?;
        let code = Code {
            script: names.script,
            module: RefCell::new(Module::Awaited(Vec::new())),
            arrived: Cell::new(0),
            abort: AbortController::new().map_err(|_| Fault::Broken)?,
        };
        let (code, total) = (Rc::new(code), names.bytes);
        on_progress.emit(Ok(Loading { loaded: 0, total }));
        let fetched = code.clone();
        spawn_local(async move {
            let compiled = compiled(&names.module, anew, total, &fetched, &on_progress).await;
            let fault = compiled.as_ref().err().cloned();
            fetched.settle(compiled);
            // Nobody waits for what was given up.
            if let Some(fault) = fault.filter(|_| !fetched.abort.signal().aborted()) {
                on_progress.emit(Err(fault));
            }
        });
        Ok(code)
    }

    /// Gives up what is on its way.
    pub(super) fn give_up(&self) {
        self.abort.abort();
    }

    /// Bytes of the module so far.
    pub(super) fn arrived(&self) -> u32 {
        self.arrived.get()
    }

    /// Starts a worker. It gets the module as its first message, as soon as there is one.
    pub(super) fn start_worker(&self) -> Result<Worker, JsValue> {
        let worker = Worker::new(&self.script)?;
        match &mut *self.module.borrow_mut() {
            Module::Awaited(workers) => workers.push(worker.clone()),
            Module::Compiled(module) => worker.post_message(module)?,
            Module::Failed => return Err("the engine could not be loaded".into()),
        }
        Ok(worker)
    }

    /// Can it start workers without waiting for anything?
    pub(super) fn is_there(&self) -> bool {
        matches!(*self.module.borrow(), Module::Compiled(_))
    }

    fn settle(&self, compiled: Result<JsValue, Fault>) {
        let next = compiled.map_or(Module::Failed, Module::Compiled);
        let before = self.module.replace(next);
        if let (Module::Awaited(workers), Module::Compiled(module)) =
            (before, &*self.module.borrow())
        {
            for worker in workers {
                // It fails only for values that cannot be cloned; a module can.
                let _ = worker.post_message(module);
            }
        }
    }
}

struct Names {
    script: String,
    module: String,
    bytes: u32,
}

fn named_by_the_page() -> Option<Names> {
    let document = web_sys::window()?.document()?;
    let meta = document.query_selector("meta[name=faultline-engine]").ok()??;
    let content = meta.get_attribute("content")?;
    let mut words = content.split(' ').map(str::to_string);
    let (script, module) = (words.next()?, words.next()?);
    Some(Names { script, module, bytes: words.next()?.parse().ok()? })
}

async fn compiled(
    address: &str,
    anew: bool,
    total: u32,
    code: &Rc<Code>,
    on_progress: &Callback<Result<Loading, Fault>>,
) -> Result<JsValue, Fault> {
    const PART: &str = "the engine’s program";
    let response = response(address, anew, &code.abort).await;
    let response = response.map_err(|_| Fault::Missing(PART, "no answer".into()))?;
    if !response.ok() {
        return Err(Fault::Missing(PART, format!("status {}", response.status())));
    }
    if let Some(stream) = response.clone().ok().and_then(|response| response.body()) {
        spawn_local(count(stream, total, code.clone(), on_progress.clone()));
    }
    module_of(response).await.map_err(|error| match error.is_instance_of::<js_sys::TypeError>() {
        // The connection broke.
        true => Fault::Missing(PART, "only a part of it came".into()),
        false => Fault::Broken,
    })
}

async fn response(address: &str, anew: bool, abort: &AbortController) -> Result<Response, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let init = RequestInit::new();
    init.set_signal(Some(&abort.signal()));
    if anew {
        init.set_cache(RequestCache::Reload);
    }
    JsFuture::from(window.fetch_with_str_and_init(address, &init)).await?.dyn_into()
}

async fn module_of(response: Response) -> Result<JsValue, JsValue> {
    let kind = response.headers().get("content-type")?.unwrap_or_default();
    if kind == "application/wasm" {
        let response = js_sys::Promise::resolve(&JsValue::from(response));
        return JsFuture::from(js_sys::WebAssembly::compile_streaming(&response)).await;
    }
    // A server that does not know the type: browsers compile only that type while it comes.
    let bytes = JsFuture::from(response.array_buffer()?).await?;
    JsFuture::from(js_sys::WebAssembly::compile(&bytes)).await
}

async fn count(
    stream: ReadableStream,
    total: u32,
    code: Rc<Code>,
    on_progress: Callback<Result<Loading, Fault>>,
) {
    let Ok(reader) = stream.get_reader().dyn_into::<ReadableStreamDefaultReader>() else { return };
    let (mut loaded, mut told) = (0, 0);
    while let Ok(part) = JsFuture::from(reader.read()).await {
        let chunk = js_sys::Reflect::get(&part, &"value".into()).ok();
        let Some(chunk) = chunk.and_then(|c| c.dyn_into::<js_sys::Uint8Array>().ok()) else {
            return;
        };
        loaded += chunk.byte_length();
        code.arrived.set(loaded);
        if loaded >= told + STEP {
            told = loaded;
            on_progress.emit(Ok(Loading { loaded, total }));
        }
    }
}
