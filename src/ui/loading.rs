//! The engine's code: fetched and compiled once, then given to every worker.
//!
//! The build writes the engine's names and size into the page (`static/delivery/finish.mjs`): a
//! `meta` element names the workers' script, the WebAssembly module, and how many bytes that has.

use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ReadableStream, ReadableStreamDefaultReader, Response, Worker};
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
}

impl Code {
    /// Begins to fetch and to compile. `on_progress` hears how far that is, and of a failure as
    /// `None`. Fails if the page was built without an engine.
    pub(super) fn fetch(on_progress: Callback<Option<Loading>>) -> Result<Rc<Code>, JsValue> {
        let names = named_by_the_page().ok_or("the page does not name its engine")?;
        let code = Code { script: names.script, module: RefCell::new(Module::Awaited(Vec::new())) };
        let (code, total) = (Rc::new(code), names.bytes);
        on_progress.emit(Some(Loading { loaded: 0, total }));
        let waiting = code.clone();
        spawn_local(async move {
            let compiled = compiled(&names.module, total, &on_progress).await;
            if compiled.is_err() {
                on_progress.emit(None);
            }
            waiting.settle(compiled);
        });
        Ok(code)
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

    /// Can it still start workers?
    pub(super) fn is_usable(&self) -> bool {
        !matches!(*self.module.borrow(), Module::Failed)
    }

    fn settle(&self, compiled: Result<JsValue, JsValue>) {
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
    total: u32,
    on_progress: &Callback<Option<Loading>>,
) -> Result<JsValue, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let response: Response = JsFuture::from(window.fetch_with_str(address)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::from(response.status()));
    }
    if let Some(stream) = response.clone()?.body() {
        spawn_local(count(stream, total, on_progress.clone()));
    }
    let kind = response.headers().get("content-type")?.unwrap_or_default();
    if kind == "application/wasm" {
        let response = js_sys::Promise::resolve(&JsValue::from(response));
        return JsFuture::from(js_sys::WebAssembly::compile_streaming(&response)).await;
    }
    // A server that does not know the type: browsers compile only that type while it comes.
    let bytes = JsFuture::from(response.array_buffer()?).await?;
    JsFuture::from(js_sys::WebAssembly::compile(&bytes)).await
}

async fn count(stream: ReadableStream, total: u32, on_progress: Callback<Option<Loading>>) {
    let Ok(reader) = stream.get_reader().dyn_into::<ReadableStreamDefaultReader>() else { return };
    let (mut loaded, mut told) = (0, 0);
    while let Ok(part) = JsFuture::from(reader.read()).await {
        let chunk = js_sys::Reflect::get(&part, &"value".into()).ok();
        let Some(chunk) = chunk.and_then(|c| c.dyn_into::<js_sys::Uint8Array>().ok()) else {
            return;
        };
        loaded += chunk.byte_length();
        if loaded >= told + STEP {
            told = loaded;
            on_progress.emit(Some(Loading { loaded, total }));
        }
    }
}
