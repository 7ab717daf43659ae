//! The page's component: messages from the user, the worker and the browser go to the state, and
//! its effects are carried out.

mod effects;
mod exports;
mod handlers;
mod history;
mod keeping;
mod keys;
mod links;
mod messages;
mod options;
mod page;
mod predict;
mod programs;
mod watch;

use handlers::AppHandlers;
use history::{History, Lender, Origin, Wanted};
use keeping::Elsewhere;
use messages::{Facet, Msg, Open, Pane};

use super::engine::{Engine, EngineEvent};
use super::frame::browser::{
    apply_theme, asked_for, embedded, focus_soon, keep_for_offline, matches,
};
use super::frame::files;
use super::frame::gallery::{Example, fetch_example, fetch_index};
use super::frame::place::Place;
use super::frame::store::{self, Look, Program, Theme};
use super::loading::Loading;
use super::state::State;
use super::state::effect::Timer;
use super::state::fault::Fault;
use super::state::said::Ask;
use super::state::shared::Shared;
use super::state::timeline::Move;
use crate::util::Budgets;
use crate::wire::options::Dialect;
use crate::wire::permalink::PermalinkError;
use crate::wire::protocol::Reply;
use gloo::events::EventListener;
use gloo::timers::callback::{Interval, Timeout};
use std::collections::BTreeMap;
use yew::prelude::*;

/// Typing pauses this long, in milliseconds, before the worker reads the program.
const DEBOUNCE: u32 = 250;
/// The language of longer programs, in bytes, is guessed by the worker only.
const GUESSED_AT_ONCE: usize = 1 << 15;
/// How often a crashed worker is replaced before the page gives up.
const REPLACEMENTS: u32 = 3;

/// The page.
pub(crate) struct App {
    state: State,
    look: Look,
    /// A person predicts the values of runs.
    predicting: Option<predict::Predicting>,
    open: Option<Open>,
    options_open: bool,
    /// Is the slice shown on the source, for comparison?
    slice_shown: bool,
    notice: Option<String>,
    examples: Shared<Vec<Example>>,
    /// Is the list of examples there, or known to be missing?
    indexed: bool,
    link: Option<Result<AttrValue, PermalinkError>>,
    copied: bool,
    handlers: AppHandlers,
    /// Is it in a frame of another page? Then it keeps nothing.
    embed: bool,
    /// Nobody may change the program.
    read_only: bool,
    /// Source, picture and steps are shown, large, for a lecture hall.
    presenting: bool,
    /// What a phone shows.
    facet: Facet,
    /// Where the program comes from, if it is not the user's own: it does not take the place of
    /// the kept one.
    lender: Option<Lender>,
    /// Has something been chosen since the page was opened? Then the inspector tells of that, and
    /// not how to begin.
    is_explored: bool,
    /// The example of the gallery that the program is an edit of.
    origin: Option<Origin>,
    /// The example whose note was dismissed.
    unnoted: Option<String>,
    /// What waits for an example's text.
    wanted: Option<Wanted>,
    history: History,
    /// The kept program was put aside and can be brought back.
    aside: bool,
    /// A part of what was kept could not be read; the whole can be looked at.
    unread: bool,
    /// Where the program is kept.
    place: Place,
    /// What is said of other tabs of the browser.
    elsewhere: Elsewhere,
    /// A file is held over the page.
    dragging: bool,
    /// Has the user replaced the whole program, by a text that is not known yet?
    is_replaced: bool,
    /// Where files are chosen.
    file_input: NodeRef,
    /// Programs that another one has replaced: undo in the editor brings their options back too.
    shelf: Vec<Program>,
    engine: Option<Engine>,
    /// How much of the engine is there; `None` once it is up.
    loading: Option<Loading>,
    /// How often the worker crashed since a run has ended last.
    replacements: u32,
    /// What is to be said later.
    timers: BTreeMap<Timer, Timeout>,
    player: Option<Interval>,
    _clock: Interval,
    _listeners: Vec<EventListener>,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let engine = Engine::start(false, ctx.link().callback(Msg::Engine));
        let look = store::look();
        apply_theme(look.theme);
        let mut app = App {
            state: State::default(),
            look,
            open: None,
            options_open: false,
            slice_shown: false,
            notice: None,
            examples: Shared::default(),
            indexed: false,
            link: None,
            copied: false,
            handlers: AppHandlers::new(ctx.link()),
            embed: embedded(),
            read_only: embedded() && !asked_for("edit"),
            presenting: asked_for("present"),
            facet: Facet::default(),
            lender: None,
            is_explored: false,
            origin: None,
            unnoted: None,
            predicting: None,
            wanted: None,
            history: History::default(),
            aside: false,
            unread: false,
            place: Place::new(),
            elsewhere: Elsewhere::default(),
            dragging: false,
            is_replaced: false,
            file_input: NodeRef::default(),
            shelf: Vec::new(),
            loading: None,
            engine: None,
            replacements: 0,
            timers: BTreeMap::new(),
            player: None,
            _clock: keys::clock(ctx),
            _listeners: keys::listen(ctx),
        };
        app.started(engine);
        app.state.model.now = js_sys::Date::now();
        app.state.model.speed = app.look.speed;
        app.state.turn_to(&app.look.analysis);
        if !app.revisit(ctx, App::entry()) && !app.open_link(ctx) {
            app.welcome(ctx);
        }
        app.carry_out(ctx);
        app.follow_soon(ctx);
        let link = ctx.link().clone();
        wasm_bindgen_futures::spawn_local(async move {
            link.send_message(Msg::Index(fetch_index().await))
        });
        app
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        self.state.model.now = js_sys::Date::now();
        let drawn = self.take(ctx, msg);
        self.carry_out(ctx);
        if drawn {
            self.follow_soon(ctx);
        }
        drawn
    }

    fn view(&self, _: &Context<Self>) -> Html {
        page::view(self)
    }
}

impl App {
    /// Takes a message. Should the page be rendered?
    fn take(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        self.is_explored |= msg.explores();
        match msg {
            Msg::Engine(event) => self.heard(event),
            Msg::Tab((tab, event)) => self.state.tab_event(tab, event),
            Msg::Show(tab) => {
                if self.state.model.shown != tab {
                    self.turn_page();
                }
                self.state.show(tab);
                self.look.analysis = tab.to_string();
                store::keep_look(&self.look);
            }
            Msg::Edited(text, pasted) => self.edited(ctx, text, pasted),
            Msg::Replaced => self.replaced(ctx),
            Msg::Cursor(line) => self.state.select_line(line, false),
            Msg::Line(line) => {
                self.facet = Facet::Source;
                self.state.select_line(line, true);
            }
            Msg::Statement(id) => self.state.select_statement(id),
            Msg::Graph(event) => return self.state.graph_event(&event),
            Msg::Step(to) => {
                self.state.step(to);
                if let Move::Speed(speed) = to {
                    // What plays goes on at the new speed.
                    self.player = None;
                    self.look.speed = speed;
                    store::keep_look(&self.look);
                }
            }
            Msg::Tick => self.state.tick(),
            Msg::Clock => return self.state.clock(),
            Msg::Key(key) => return self.key(ctx, &key),
            Msg::Load => self.state.load(),
            Msg::Run => self.run(ctx),
            Msg::Mend(edit) => {
                self.edit(edit.applied(&self.state.model.source));
                focus_soon(".verdict");
            }
            Msg::Ask(ask) => {
                match ask {
                    Ask::Engine => self.try_again(ctx),
                    Ask::Look(what) => self.look_at(ctx, what),
                    _ => self.state.asked(ask),
                }
                focus_soon(".verdict");
            }
            Msg::Witness => self.state.ask_witness(now()),
            Msg::Stop => self.state.stop(),
            Msg::Reach(_) => {
                // Its answer is the check's.
                self.take(ctx, Msg::Show("projection"));
                self.option(msg);
            }
            Msg::Requested(_)
            | Msg::Bits(_)
            | Msg::Heap(_)
            | Msg::Alone(_)
            | Msg::Method(_)
            | Msg::Dialect(_) => self.option(msg),
            Msg::ToggleMemory => self.state.toggle_memory(),
            Msg::ToggleSlice => self.slice_shown = !self.slice_shown,
            Msg::Clear => {
                self.edit(String::new());
                focus_soon(".cm-content");
            }
            Msg::ToggleLegend => {
                self.look.legend = !self.look.legend;
                store::keep_look(&self.look);
            }
            Msg::ToggleTimeline => {
                self.look.timeline = Some(!self.look.shows_timeline(self.presenting));
                store::keep_look(&self.look);
            }
            Msg::ToggleOptions => self.options_open = !self.options_open,
            Msg::Index(examples) => {
                (self.examples, self.indexed) = (Shared::new(examples), true);
                if let Some(wanted) = self.wanted.take() {
                    self.want(ctx, wanted);
                }
            }
            Msg::Original(example, text) => self.original(ctx, &example, text),
            Msg::Leave => {
                self.leave();
                return false;
            }
            Msg::Follow => {
                self.follow();
                return false;
            }
            Msg::Visited(entry) => self.visited(ctx, entry),
            Msg::Fetch(example) => {
                let link = ctx.link().clone();
                wasm_bindgen_futures::spawn_local(async move {
                    let text = fetch_example(&example.file).await;
                    link.send_message(Msg::Fetched(example, text));
                });
                return false;
            }
            Msg::Fetched(example, None) => {
                // The list would hide it.
                self.open = None;
                self.notice = Some(format!("The example {} cannot be fetched.", example.file))
            }
            Msg::Fetched(example, Some(text)) => self.open_example(ctx, *example, text),
            Msg::Choose => files::choose(&self.file_input),
            Msg::File(event) => self.file_event(ctx, event),
            Msg::Opened(opened) => self.opened(ctx, opened),
            Msg::Restore => {
                if let Some(program) = store::aside() {
                    self.turn_page();
                    self.lender = None;
                    self.reopen(ctx, program);
                    self.keep();
                }
                (self.aside, self.notice) = (false, None);
            }
            Msg::OpenUnread => {
                if let Some(source) = store::unread() {
                    self.shelve();
                    self.reopen(ctx, Program { source, ..Program::default() });
                    self.keep();
                }
                (self.unread, self.notice) = (false, None);
            }
            Msg::Elsewhere => return self.changed_elsewhere(),
            Msg::TakeOther => self.take_other(ctx),
            Msg::Export(what) => self.export(ctx, what),
            msg => self.chrome(ctx, msg),
        }
        true
    }

    /// Takes what is about the page itself, and not about the program: dialogs, colours, sizes.
    fn chrome(&mut self, ctx: &Context<Self>, msg: Msg) {
        match msg {
            Msg::Present(on) if on != self.presenting => {
                self.stage(on);
            }
            Msg::Face(facet) => self.facet = facet,
            Msg::Open(Open::Share) => self.share(ctx),
            Msg::Open(which) => self.open = Some(which),
            Msg::CloseDialog => self.open = None,
            Msg::Copy => self.copy(ctx),
            Msg::Copied(copied) => self.copied = copied,
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
            Msg::Dismiss => {
                (self.notice, self.aside, self.unread) = (None, false, false);
                if self.elsewhere == Elsewhere::Told {
                    self.elsewhere = Elsewhere::Dismissed;
                }
            }
            Msg::Watch(text) => {
                let text = text.trim().to_string();
                let watches = &mut self.state.model.watches;
                if !text.is_empty() && !watches.contains(&text) {
                    watches.push(text);
                }
            }
            Msg::Unwatch(at) => {
                self.state.model.watches.remove(at);
            }
            Msg::ToggleValues => {
                self.look.values = !self.look.values;
                store::keep_look(&self.look);
            }
            Msg::TogglePredicting => self.toggle_predicting(),
            Msg::Predict(given) => self.predict(given.as_deref()),
            Msg::DismissLook => {
                self.unnoted = self.origin.as_ref().map(|origin| origin.file.clone());
            }
            Msg::Notice(text) => self.notice = Some(text),
            // Drawing once more is all that there is to do.
            _ => {}
        }
    }

    fn heard(&mut self, event: EngineEvent) {
        match event {
            EngineEvent::Reply(message) => {
                if matches!(message.reply, Reply::Done { .. }) {
                    self.replacements = 0;
                }
                self.state.reply(*message);
            }
            // The last of it may be counted only after the worker is up.
            EngineEvent::Loading(loading) => {
                self.loading = self.loading.and(Some(loading));
            }
            EngineEvent::Up => {
                if self.loading.take().is_some() {
                    keep_for_offline();
                }
            }
            EngineEvent::Replaced(unanswered) => self.state.worker_replaced(&unanswered),
            EngineEvent::Lost => {
                self.replacements += 1;
                let engine = self.engine.take();
                let restarted = match engine.filter(|_| self.replacements <= REPLACEMENTS) {
                    Some(engine) => engine.restart(),
                    None => Err(Fault::Crashed),
                };
                let is_restarted = restarted.is_ok();
                self.started(restarted);
                if is_restarted {
                    self.state.lost();
                }
            }
            EngineEvent::Failed(fault) if fault.may_pass() => self.state.engine_failed(fault),
            EngineEvent::Failed(fault @ Fault::Incomplete(_)) => {
                // The worker has ended over it.
                let restarted = self.engine.take().map_or(Err(Fault::Broken), Engine::restart);
                let is_restarted = restarted.is_ok();
                self.started(restarted);
                if is_restarted {
                    self.state.engine_failed(fault);
                }
            }
            EngineEvent::Failed(fault) => self.started(Err(fault)),
            EngineEvent::Back => self.state.engine_is_back(),
        }
    }

    /// The engine was started, or not.
    fn started(&mut self, engine: Result<Engine, Fault>) {
        self.engine = match engine {
            Ok(engine) => {
                self.loading = (!engine.is_loaded()).then(Loading::default);
                Some(engine)
            }
            Err(fault) => {
                self.loading = None;
                self.state.engine_failed(fault);
                None
            }
        };
    }

    /// The user wants the engine to be started anew; what is missing is fetched anew.
    fn try_again(&mut self, ctx: &Context<Self>) {
        self.replacements = 0;
        let engine = match self.engine.take() {
            Some(engine) => engine.restart(),
            None => Engine::start(true, ctx.link().callback(Msg::Engine)),
        };
        self.state.engine_starts_anew();
        self.started(engine);
    }

    /// The user presses Run: without an engine that is to try again.
    fn run(&mut self, ctx: &Context<Self>) {
        if self.state.model.fault.is_some() {
            (self.state.model.wanted, self.state.model.unasked) = (true, false);
            self.try_again(ctx);
        } else if !self.state.key("Run") {
            self.state.run(Budgets::default());
        }
    }

    fn edited(&mut self, ctx: &Context<Self>, text: String, pasted: bool) {
        // What a person writes is not replaced by what comes late.
        self.wanted.take_if(|wanted| matches!(wanted, Wanted::Welcome(_)));
        self.take_from_shelf(ctx, &text);
        if text.len() < GUESSED_AT_ONCE {
            self.state.model.guessed = Dialect::guess(&text);
        }
        if !text.trim().is_empty() && std::mem::take(&mut self.is_replaced) {
            let bits = self.look.chosen_width(self.state.model.dialect(), &text);
            self.state.model.requested.bits = bits;
        }
        self.make_own();
        self.state.edited(text);
        self.keep();
        if pasted {
            self.state.run(Budgets::default());
        } else {
            let link = ctx.link().clone();
            let load = Timeout::new(DEBOUNCE, move || link.send_message(Msg::Load));
            self.timers.insert(effects::LOAD, load);
        }
    }

    /// Is the page dark now?
    fn dark(&self) -> bool {
        match self.look.theme {
            Some(theme) => theme == Theme::Dark,
            None => matches("(prefers-color-scheme: dark)"),
        }
    }
}

/// The time in ISO 8601, to the second, as the command line has it.
fn now() -> String {
    let time = String::from(js_sys::Date::new_0().to_iso_string());
    match time.split_once('.') {
        Some((seconds, _)) => format!("{seconds}Z"),
        None => time,
    }
}
