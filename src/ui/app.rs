//! The page's component: messages from the user and the worker, and their effects.

use super::engine::{Engine, EngineEvent};
use super::gallery::{Example, fetch_example, fetch_index};
use super::graph_view::GraphEvent;
use super::model::{Activity, Answer, Model, Progress};
use super::page::{self, Handlers};
use super::shared::Shared;
use super::stepper::Move;
use super::store::{self, Look, Program, Theme};
use crate::lang::options::RequestedOptions;
use crate::view::permalink::{self, Permalink, PermalinkError};
use crate::view::protocol::{Budgets, Reply, Request};
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::{Interval, Timeout};
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;
use yew::prelude::*;

/// Typing pauses this long, in milliseconds, before the worker reads the program.
const DEBOUNCE: u32 = 250;
/// Stop waits this long, in milliseconds, for the worker before it is terminated.
const PATIENCE: u32 = 150;
/// Milliseconds per step when playing.
const TEMPO: u32 = 900;
/// Milliseconds between two looks at the clock while a run is on.
const CLOCK: u32 = 250;
/// How often a crashed worker is replaced before the page gives up.
const REPLACEMENTS: u32 = 3;

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    Gallery,
    Share,
    Help,
}

/// Which pane a splitter moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pane {
    Left,
    Right,
    Bottom,
}

#[derive(Debug)]
pub(super) enum Msg {
    Engine(EngineEvent),
    Edited(String, bool),
    Cursor(u32),
    Line(u32),
    Statement(u32),
    Graph(GraphEvent),
    Requested(RequestedOptions),
    ToggleOptions,
    Load,
    Run,
    More,
    Stop,
    Overdue(u32),
    Inspect,
    Step(Move),
    Tick,
    Clock,
    Open(Open),
    CloseDialog,
    Copied(bool),
    Copy,
    Index(Vec<Example>),
    Fetch(String),
    Fetched(String, Option<String>),
    Theme,
    Resize(Pane, i32),
    Hash,
    Dismiss,
    Key(String),
}

/// The page.
pub(super) struct App {
    pub(super) model: Model,
    pub(super) look: Look,
    pub(super) open: Option<Open>,
    pub(super) options_open: bool,
    pub(super) notice: Option<String>,
    pub(super) examples: Shared<Vec<Example>>,
    pub(super) link: Option<Result<AttrValue, PermalinkError>>,
    pub(super) copied: bool,
    pub(super) handlers: Handlers,
    pub(super) embed: bool,
    /// The line that the editor scrolls to.
    pub(super) reveal: u32,
    engine: Option<Engine>,
    request: u32,
    /// The latest Load or Run; replies to older ones are dropped.
    awaited: u32,
    budgets: Budgets,
    replacements: u32,
    /// The step and selection of a link, for when its run has ended.
    restore: Option<Permalink>,
    pending_load: Option<Timeout>,
    pending_inspect: Option<Timeout>,
    pending_stop: Option<Timeout>,
    player: Option<Interval>,
    _clock: Interval,
    _listeners: Vec<EventListener>,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let engine = Engine::start(ctx.link().callback(Msg::Engine)).ok();
        let look = store::look();
        apply_theme(look.theme);
        let mut app = App {
            model: Model::default(),
            look,
            open: None,
            options_open: false,
            notice: engine.is_none().then(|| "This browser starts no Web Workers: the analysis cannot run here.".to_string()),
            examples: Shared::default(),
            link: None,
            copied: false,
            handlers: Handlers::new(ctx.link()),
            embed: embedded(),
            reveal: 0,
            engine,
            request: 0,
            awaited: 0,
            budgets: Budgets::default(),
            replacements: 0,
            restore: None,
            pending_load: None,
            pending_inspect: None,
            pending_stop: None,
            player: None,
            _clock: clock(ctx),
            _listeners: listen(ctx),
        };
        if !app.open_link(ctx) {
            let kept = store::program();
            app.model.requested = kept.options;
            app.model.replace_source(kept.source);
            app.load();
        }
        let link = ctx.link().clone();
        wasm_bindgen_futures::spawn_local(async move { link.send_message(Msg::Index(fetch_index().await)) });
        app
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Engine(EngineEvent::Reply(reply)) => self.reply(ctx, *reply),
            Msg::Engine(EngineEvent::Lost) => self.lost(),
            Msg::Edited(text, pasted) => self.edited(ctx, text, pasted),
            Msg::Cursor(line) => {
                self.model.select_line(line);
                self.inspect_soon(ctx);
            }
            Msg::Line(line) => {
                self.reveal = line;
                self.model.select_line(line);
                self.inspect_soon(ctx);
            }
            Msg::Statement(id) => {
                self.model.selection.statement = Some(id);
                self.inspect_soon(ctx);
            }
            Msg::Graph(GraphEvent::Select(location)) => {
                self.model.select_location(location);
                self.reveal = self.model.selection.line;
                self.inspect_soon(ctx);
            }
            Msg::Graph(GraphEvent::Hover(location)) => {
                let line = location.and_then(|id| self.model.graph.boxes.iter().find(|b| b.id == id)).map_or(0, |b| b.line);
                return std::mem::replace(&mut self.model.hover, line) != line;
            }
            Msg::Requested(options) => {
                let again = self.model.answer.is_some();
                self.model.requested = options;
                self.changed();
                if again { self.run(Budgets::default()) } else { self.load() }
            }
            Msg::ToggleOptions => self.options_open = !self.options_open,
            Msg::Load => self.load(),
            Msg::Run => self.run(Budgets::default()),
            Msg::More => {
                let b = self.budgets;
                let ten = |n: u64| n.saturating_mul(10);
                self.run(Budgets { max_nodes: ten(b.max_nodes), max_steps: ten(b.max_steps), max_millis: b.max_millis.map(ten) });
            }
            Msg::Stop => self.stop(ctx),
            Msg::Overdue(id) => self.overdue(id),
            Msg::Inspect => self.inspect(),
            Msg::Step(to) => self.go(ctx, to),
            Msg::Tick => self.tick(ctx),
            Msg::Clock => match &mut self.model.activity {
                Activity::Running(progress) => progress.millis = progress.elapsed(js_sys::Date::now()),
                Activity::Idle => return false,
            },
            Msg::Open(Open::Share) => self.share(ctx),
            Msg::Open(which) => self.open = Some(which),
            Msg::CloseDialog => self.open = None,
            Msg::Copied(copied) => self.copied = copied,
            Msg::Copy => self.copy(ctx),
            Msg::Index(examples) => self.examples = Shared::new(examples),
            Msg::Fetch(file) => {
                let link = ctx.link().clone();
                wasm_bindgen_futures::spawn_local(async move {
                    let text = fetch_example(&file).await;
                    link.send_message(Msg::Fetched(file, text));
                });
                return false;
            }
            Msg::Fetched(file, None) => self.notice = Some(format!("The example {file} cannot be fetched.")),
            Msg::Fetched(_, Some(text)) => {
                self.open = None;
                clear_hash();
                self.model.requested = RequestedOptions::default();
                self.model.replace_source(text);
                self.keep();
                self.run(Budgets::default());
            }
            Msg::Theme => {
                self.look.theme = Some(if self.dark() { Theme::Light } else { Theme::Dark });
                apply_theme(self.look.theme);
                store::keep_look(&self.look);
            }
            Msg::Resize(pane, value) => {
                match pane {
                    Pane::Left => self.look.left = value,
                    Pane::Right => self.look.right = value,
                    Pane::Bottom => self.look.bottom = value,
                }
                store::keep_look(&self.look);
            }
            Msg::Hash => {
                self.open_link(ctx);
            }
            Msg::Dismiss => self.notice = None,
            Msg::Key(key) => return self.key(ctx, &key),
        }
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        page::view(self)
    }
}

impl App {
    fn reply(&mut self, ctx: &Context<Self>, reply: Reply) {
        match reply {
            Reply::Loaded { id, diagnostics, options, graph, statements } if id == self.awaited => {
                self.model.loaded(diagnostics, options, graph, statements);
                if self.model.broken() && self.model.activity != Activity::Idle {
                    self.model.activity = Activity::Idle;
                    self.model.answer = None;
                }
            }
            Reply::Progress { id, phase, items, nodes, millis } => {
                if let Activity::Running(progress) = &mut self.model.activity {
                    if progress.id == id {
                        *progress = Progress { phase, items, nodes, millis, ..progress.clone() };
                    }
                }
            }
            Reply::Done { id, report, statements, millis } if id == self.awaited => {
                let stopped = matches!(&self.model.activity, Activity::Running(p) if p.stopping);
                self.pending_stop = None;
                let report = Shared::new(report);
                let answer = Answer { report, millis, budgets: self.budgets, stopped, inspectable: true, stale: false };
                self.model.answered(answer, Some(statements));
                self.show_answer(ctx);
            }
            Reply::Inspected { inspection, .. } => {
                self.model.inspections.insert(inspection.statement, inspection);
            }
            _ => {}
        }
    }

    /// Shows the step that a link asked for, else where the run fails.
    fn show_answer(&mut self, ctx: &Context<Self>) {
        let link = self.restore.take();
        let last = self.model.trace().len().saturating_sub(1);
        self.model.go_to(link.as_ref().and_then(|l| l.step).map_or(last, |s| s as usize));
        if let Some(line) = link.and_then(|l| l.selection).filter(|line| *line != self.model.selection.line) {
            self.model.select_line(line);
        }
        self.reveal = self.model.selection.line;
        self.inspect_soon(ctx);
    }

    fn edited(&mut self, ctx: &Context<Self>, text: String, pasted: bool) {
        self.model.source = text;
        clear_hash();
        self.restore = None;
        self.changed();
        self.keep();
        if pasted {
            self.run(Budgets::default());
        } else {
            let link = ctx.link().clone();
            self.pending_load = Some(Timeout::new(DEBOUNCE, move || link.send_message(Msg::Load)));
        }
    }

    /// The answer no longer holds; a run for the old program is of no use.
    fn changed(&mut self) {
        self.player = None;
        self.model.invalidate();
        if self.model.activity != Activity::Idle {
            // The next Load or Run ends it in the worker.
            self.model.activity = Activity::Idle;
        }
    }

    fn keep(&mut self) {
        let program = Program { source: self.model.source.clone(), options: self.model.requested.clone() };
        if !self.embed && !store::keep_program(&program) && self.notice.is_none() {
            self.notice = Some("The browser does not keep the program (its store is full or closed): copy it before you leave.".into());
        }
    }

    fn next_request(&mut self) -> u32 {
        self.request += 1;
        self.request
    }

    fn load(&mut self) {
        self.pending_load = None;
        let id = self.next_request();
        self.awaited = id;
        if let Some(engine) = &self.engine {
            engine.send(&Request::Load { id, source: self.model.source.clone(), options: self.model.requested.clone() });
        }
        self.keep_unless_linked();
    }

    fn run(&mut self, budgets: Budgets) {
        if self.model.source.trim().is_empty() {
            return;
        }
        self.pending_load = None;
        self.player = None;
        let id = self.next_request();
        self.awaited = id;
        self.budgets = budgets;
        self.model.invalidate();
        self.model.activity = Activity::Running(Progress { id, began: js_sys::Date::now(), ..Progress::default() });
        if let Some(engine) = &self.engine {
            let (source, options) = (self.model.source.clone(), self.model.requested.clone());
            engine.send(&Request::Run { id, source, options, budgets });
        }
        self.keep_unless_linked();
    }

    /// A link that was only opened does not replace the kept program.
    fn keep_unless_linked(&mut self) {
        if !permalink::is_link(&hash()) {
            self.keep();
        }
    }

    fn stop(&mut self, ctx: &Context<Self>) {
        let Activity::Running(progress) = &mut self.model.activity else { return };
        progress.stopping = true;
        let id = progress.id;
        if let Some(engine) = &self.engine {
            engine.send(&Request::Stop { id });
        }
        let link = ctx.link().clone();
        self.pending_stop = Some(Timeout::new(PATIENCE, move || link.send_message(Msg::Overdue(id))));
    }

    /// The worker did not answer Stop: the spare one takes over, program and picture stay.
    fn overdue(&mut self, id: u32) {
        let Activity::Running(progress) = &self.model.activity else { return };
        if progress.id != id {
            return;
        }
        let millis = progress.elapsed(js_sys::Date::now());
        self.replace_worker();
        self.model.activity = Activity::Idle;
        if let Some(answer) = self.model.abandoned(millis, self.budgets) {
            self.model.answered(answer, None);
        }
    }

    fn replace_worker(&mut self) {
        if self.engine.as_mut().is_some_and(|e| e.replace().is_err()) {
            self.notice = Some("The worker cannot be started again: reload the page. The program is kept.".into());
        }
    }

    fn lost(&mut self) {
        if self.replacements >= REPLACEMENTS {
            self.notice = Some("The worker cannot be started: reload the page. The program is kept.".into());
            self.model.activity = Activity::Idle;
            return;
        }
        self.replacements += 1;
        self.replace_worker();
        if self.model.activity != Activity::Idle {
            self.model.activity = Activity::Idle;
            self.notice = Some("The worker ended without an answer, probably out of memory. It has been started again.".into());
        }
    }

    fn inspect_soon(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        // Stepping quickly asks once, at the end.
        self.pending_inspect = Some(Timeout::new(60, move || link.send_message(Msg::Inspect)));
    }

    fn inspect(&mut self) {
        let Some(statement) = self.model.selection.statement else { return };
        let possible = self.model.fresh().is_some_and(|a| a.inspectable) && self.model.activity == Activity::Idle;
        if !possible || self.model.inspections.contains_key(&statement) {
            return;
        }
        let id = self.next_request();
        if let Some(engine) = &self.engine {
            engine.send(&Request::Inspect { id, statement });
        }
    }

    fn go(&mut self, ctx: &Context<Self>, to: Move) {
        let count = self.model.trace().len();
        let Some(step) = self.model.step.filter(|_| count > 0) else { return };
        if to == Move::Play {
            if self.player.take().is_some() {
                return;
            }
            if step + 1 == count {
                self.model.go_to(0);
            }
            let link = ctx.link().clone();
            self.player = Some(Interval::new(TEMPO, move || link.send_message(Msg::Tick)));
        } else {
            self.player = None;
            self.model.go_to(match to {
                Move::First => 0,
                Move::Back => step.saturating_sub(1),
                Move::Forward => step + 1,
                Move::To(step) => step,
                Move::Last | Move::Play => count - 1,
            });
        }
        self.reveal = self.model.selection.line;
        self.inspect_soon(ctx);
    }

    fn tick(&mut self, ctx: &Context<Self>) {
        let last = self.model.trace().len().saturating_sub(1);
        match self.model.step {
            Some(step) if step < last => {
                self.model.go_to(step + 1);
                self.reveal = self.model.selection.line;
                self.inspect_soon(ctx);
            }
            _ => {}
        }
        if self.model.step.is_none_or(|s| s >= last) {
            self.player = None;
        }
    }

    /// Is the run being played?
    pub(super) fn playing(&self) -> bool {
        self.player.is_some()
    }

    fn share(&mut self, ctx: &Context<Self>) {
        let link = Permalink {
            source: self.model.source.clone(),
            options: self.model.requested.clone(),
            view: "projection".into(),
            step: self.model.step.map(|s| s as u32),
            selection: Some(self.model.selection.line).filter(|l| *l > 0),
        };
        self.copied = false;
        self.link = Some(permalink::encode(&link).map(|fragment| AttrValue::from(format!("{}#{fragment}", address()))));
        self.open = Some(Open::Share);
        self.copy(ctx);
    }

    fn copy(&mut self, ctx: &Context<Self>) {
        let Some(Ok(text)) = self.link.clone() else { return };
        let Some(window) = web_sys::window() else { return };
        // Without a secure context there is no clipboard; the link can be copied by hand then.
        let navigator = window.navigator();
        if js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| c.is_undefined()) {
            return;
        }
        let written = wasm_bindgen_futures::JsFuture::from(navigator.clipboard().write_text(&text));
        let link = ctx.link().clone();
        wasm_bindgen_futures::spawn_local(async move { link.send_message(Msg::Copied(written.await.is_ok())) });
    }

    /// Restores what the address's fragment holds; true if it is a readable link.
    fn open_link(&mut self, _: &Context<Self>) -> bool {
        let fragment = hash();
        if !permalink::is_link(&fragment) {
            return false;
        }
        match permalink::decode(&fragment) {
            Ok(link) => {
                self.model.requested = link.options.clone();
                self.model.replace_source(link.source.clone());
                self.restore = Some(link);
                self.run(Budgets::default());
                true
            }
            Err(error) => {
                self.notice = Some(format!("This link cannot be opened: {error}. Your own program is still here."));
                clear_hash();
                false
            }
        }
    }

    /// The page with all its controls, on the same program.
    pub(super) fn full_address(&self) -> String {
        format!("{}{}", address(), hash())
    }

    /// Is the page dark now?
    pub(super) fn dark(&self) -> bool {
        match self.look.theme {
            Some(theme) => theme == Theme::Dark,
            None => web_sys::window()
                .and_then(|w| w.match_media("(prefers-color-scheme: dark)").ok().flatten())
                .is_some_and(|query| query.matches()),
        }
    }

    fn key(&mut self, ctx: &Context<Self>, key: &str) -> bool {
        let to = match key {
            "Run" => {
                self.run(Budgets::default());
                return true;
            }
            "Escape" => {
                self.options_open = false;
                self.stop(ctx);
                return true;
            }
            "?" => {
                self.open = Some(Open::Help);
                return true;
            }
            "ArrowLeft" => Move::Back,
            "ArrowRight" => Move::Forward,
            "Home" => Move::First,
            "End" => Move::Last,
            _ => Move::Play,
        };
        self.go(ctx, to);
        true
    }
}

/// A run that reports nothing still shows that time passes.
fn clock(ctx: &Context<App>) -> Interval {
    let link = ctx.link().clone();
    Interval::new(CLOCK, move || link.send_message(Msg::Clock))
}

fn listen(ctx: &Context<App>) -> Vec<EventListener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let (keys, hashes) = (ctx.link().clone(), ctx.link().clone());
    let options = EventListenerOptions::enable_prevent_default();
    vec![
        EventListener::new_with_options(&window, "keydown", options, move |event| {
            let event: &KeyboardEvent = event.unchecked_ref();
            if let Some(key) = shortcut(event) {
                event.prevent_default();
                keys.send_message(Msg::Key(key));
            }
        }),
        EventListener::new(&window, "hashchange", move |_| hashes.send_message(Msg::Hash)),
    ]
}

/// The page's key that an event means, if it is not meant for what has the focus.
fn shortcut(event: &KeyboardEvent) -> Option<String> {
    let key = event.key();
    if key == "Enter" && (event.ctrl_key() || event.meta_key()) {
        return Some("Run".into());
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return None;
    }
    let target: Option<web_sys::Element> = event.target().and_then(|t| t.dyn_into().ok());
    let inside = |selector: &str| target.as_ref().and_then(|t| t.closest(selector).ok().flatten()).is_some();
    match key.as_str() {
        _ if inside("dialog") => None,
        "Escape" => Some(key),
        _ if inside(".cm-editor, input, select, textarea") => None,
        "?" | "ArrowLeft" | "ArrowRight" | "Home" | "End" => Some(key),
        " " if !inside("button, a") => Some(key),
        _ => None,
    }
}

fn apply_theme(theme: Option<Theme>) {
    let Some(root) = web_sys::window().and_then(|w| w.document()).and_then(|d| d.document_element()) else { return };
    let _ = match theme {
        None => root.remove_attribute("data-theme"),
        Some(Theme::Light) => root.set_attribute("data-theme", "light"),
        Some(Theme::Dark) => root.set_attribute("data-theme", "dark"),
    };
}

fn location() -> Option<web_sys::Location> {
    web_sys::window().map(|w| w.location())
}

fn hash() -> String {
    location().and_then(|l| l.hash().ok()).unwrap_or_default()
}

/// The page's address without fragment and query.
fn address() -> String {
    location().map(|l| format!("{}{}", l.origin().unwrap_or_default(), l.pathname().unwrap_or_default())).unwrap_or_default()
}

fn embedded() -> bool {
    location()
        .and_then(|l| l.search().ok())
        .is_some_and(|s| s.trim_start_matches('?').split('&').any(|p| p == "embed" || p.starts_with("embed=")))
}

/// Takes the link out of the address, so that a reload shows the edited program and not the link's.
fn clear_hash() {
    if hash().is_empty() {
        return;
    }
    let Some(window) = web_sys::window() else { return };
    if let Ok(history) = window.history() {
        let search = window.location().search().unwrap_or_default();
        let plain = format!("{}{search}", window.location().pathname().unwrap_or_default());
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&plain));
    }
}
