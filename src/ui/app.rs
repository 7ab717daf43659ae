//! The page's component: messages from the user and the worker, and their effects.

mod affine;
mod explain;
mod exports;
mod folding;
mod keys;
mod lab;
mod links;
mod messages;
mod programs;
mod questions;
mod refinement;
mod runs;
mod stepping;
mod threads;
mod through;

pub(super) use messages::{Msg, Open, Pane};

use super::analysis::Analysis;
use super::browser::{apply_theme, clear_hash, embedded, focus_soon};
use super::engine::{Engine, EngineEvent};
use super::files;
use super::gallery::{Example, fetch_example, fetch_index};
use super::graph_view::GraphEvent;
use super::model::{Activity, Model};
use super::page::{self, Handlers};
use super::shared::Shared;
use super::store::{self, Look, Program, Theme};
use crate::wire::options::Dialect;
use crate::wire::permalink::{Permalink, PermalinkError};
use crate::wire::protocol::Budgets;
use gloo::events::EventListener;
use gloo::timers::callback::{Interval, Timeout};
use yew::prelude::*;

/// Typing pauses this long, in milliseconds, before the worker reads the program.
const DEBOUNCE: u32 = 250;
/// The language of longer programs, in bytes, is guessed by the worker only.
const GUESSED_AT_ONCE: usize = 1 << 15;

/// The page.
pub(super) struct App {
    pub(super) model: Model,
    /// Which analysis is shown.
    pub(super) analysis: Analysis,
    pub(super) look: Look,
    pub(super) open: Option<Open>,
    pub(super) options_open: bool,
    /// Is the slice shown beside the projection?
    pub(super) slice_shown: bool,
    pub(super) notice: Option<String>,
    pub(super) examples: Shared<Vec<Example>>,
    pub(super) link: Option<Result<AttrValue, PermalinkError>>,
    pub(super) copied: bool,
    pub(super) handlers: Handlers,
    pub(super) embed: bool,
    /// The program is a link's, as it was opened: it does not take the place of the kept one.
    linked: bool,
    /// The kept program was put aside and can be brought back.
    pub(super) aside: bool,
    /// A run was asked for and nothing was edited since: another option runs again.
    wanted: bool,
    /// The line that the editor scrolls to, and how often it was told so.
    pub(super) reveal: (u32, u32),
    /// A file is held over the page.
    pub(super) dragging: bool,
    /// Where files are chosen.
    pub(super) file_input: NodeRef,
    /// Programs that another one has replaced: undo in the editor brings their options back too.
    shelf: Vec<Program>,
    /// The layout that the page waits for.
    drawing: u32,
    engine: Option<Engine>,
    request: u32,
    /// The latest Load or Run; replies to older ones are dropped.
    awaited: u32,
    /// Has it been read?
    heard: bool,
    /// Does the worker hold the program as it is now?
    loaded: bool,
    /// The inspection that the worker is at: request and statement. One at a time, so that they do
    /// not queue.
    inspecting: Option<(u32, u32)>,
    /// What is asked beside that.
    asked: questions::Asked,
    budgets: Budgets,
    replacements: u32,
    /// The step and selection of a link, for when its run has ended.
    restore: Option<Permalink>,
    pending_load: Option<Timeout>,
    pending_inspect: Option<Timeout>,
    pending_lab: Option<Timeout>,
    pending_round: Option<Timeout>,
    pending_live: Option<Timeout>,
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
            analysis: Analysis::of_word(&look.analysis).unwrap_or_default(),
            look,
            open: None,
            options_open: false,
            slice_shown: false,
            notice: engine.is_none().then(|| {
                "This browser starts no Web Workers: the analysis cannot run here.".to_string()
            }),
            examples: Shared::default(),
            link: None,
            copied: false,
            handlers: Handlers::new(ctx.link()),
            embed: embedded(),
            linked: false,
            aside: false,
            wanted: false,
            reveal: (0, 0),
            dragging: false,
            file_input: NodeRef::default(),
            shelf: Vec::new(),
            drawing: 0,
            engine,
            request: 0,
            awaited: 0,
            heard: true,
            loaded: false,
            inspecting: None,
            asked: questions::Asked::default(),
            budgets: Budgets::default(),
            replacements: 0,
            restore: None,
            pending_load: None,
            pending_inspect: None,
            pending_lab: None,
            pending_round: None,
            pending_live: None,
            player: None,
            _clock: keys::clock(ctx),
            _listeners: keys::listen(ctx),
        };
        if !app.open_link(ctx) {
            app.reopen(ctx, store::program());
        }
        let link = ctx.link().clone();
        wasm_bindgen_futures::spawn_local(async move {
            link.send_message(Msg::Index(fetch_index().await))
        });
        app
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Engine(EngineEvent::Reply(reply)) => self.reply(ctx, *reply),
            Msg::Engine(EngineEvent::Replaced(unanswered)) => self.worker_replaced(&unanswered),
            Msg::Engine(EngineEvent::Lost) => self.lost(ctx),
            Msg::Edited(text, pasted) => self.edited(ctx, text, pasted),
            Msg::Cursor(line) => {
                self.model.select_line(line);
                self.model.refinement.select_line(line);
                self.follow_selection();
                self.inspect_soon(ctx);
            }
            Msg::Line(line) => {
                self.model.select_line(line);
                self.model.refinement.select_line(line);
                // Also where no statement starts: a diagnostic may stand there.
                self.model.selection.line = line;
                self.reveal();
                self.follow_selection();
                self.inspect_soon(ctx);
            }
            Msg::Statement(id) => {
                self.model.selection.statement = Some(id);
                self.inspect_soon(ctx);
            }
            Msg::Graph(GraphEvent::Select(location)) => {
                self.model.select_location(location);
                self.reveal();
                self.inspect_soon(ctx);
                if self.analysis == Analysis::Explain {
                    self.explain_box(location)
                } else {
                    self.through_box(location, false)
                }
            }
            Msg::Graph(GraphEvent::Add(location)) => {
                self.model.select_location(location);
                self.reveal();
                self.inspect_soon(ctx);
                if self.analysis == Analysis::Explain {
                    self.explain_box(location)
                } else {
                    self.through_box(location, true)
                }
            }
            Msg::Through(statement, add) => self.through_statement(statement, add),
            Msg::LeaveThrough => self.leave_through(ctx),
            Msg::Graph(GraphEvent::Hover(location)) => {
                let line = location
                    .and_then(|id| self.model.graph.boxes.iter().find(|b| b.id == id))
                    .map_or(0, |b| b.line);
                return std::mem::replace(&mut self.model.hover, line) != line;
            }
            Msg::Graph(event) => return self.folded(ctx, event),
            Msg::Requested(options) => {
                self.model.requested = options;
                self.options_changed(ctx);
            }
            Msg::Bits(bits) => {
                self.model.requested.bits = Some(bits);
                self.options_changed(ctx);
                focus_soon(".verdict");
            }
            Msg::Method(method) => {
                self.model.method = method;
                self.options_changed(ctx);
            }
            Msg::ToggleSlice => self.slice_shown = !self.slice_shown,
            Msg::ToggleOptions => self.options_open = !self.options_open,
            Msg::Load => self.load(ctx),
            Msg::Run => self.run(ctx, Budgets::default()),
            Msg::More => {
                let b = self.budgets;
                let ten = |n: u64| n.saturating_mul(10);
                self.run(
                    ctx,
                    Budgets {
                        max_nodes: ten(b.max_nodes),
                        max_steps: ten(b.max_steps),
                        max_millis: b.max_millis.map(ten),
                    },
                );
                focus_soon(".verdict");
            }
            Msg::Witness => self.ask_witness(),
            Msg::Stop => self.stop(),
            Msg::Inspect => self.inspect(),
            Msg::Query(condition) => self.ask_query(condition),
            Msg::Beside => self.toggle_beside(),
            Msg::Step(to) => self.go(ctx, to),
            Msg::Tick => self.tick(ctx),
            Msg::Clock => match &mut self.model.activity {
                Activity::Running(progress) => {
                    progress.millis = progress.elapsed(js_sys::Date::now())
                }
                Activity::Idle => return false,
            },
            Msg::Open(Open::Share) => self.share(ctx),
            Msg::Open(which) => self.open = Some(which),
            Msg::CloseDialog => self.open = None,
            Msg::Copied(copied) => self.copied = copied,
            Msg::Copy => self.copy(ctx),
            Msg::Index(examples) => self.examples = Shared::new(examples),
            Msg::Fetch(example) => {
                let link = ctx.link().clone();
                wasm_bindgen_futures::spawn_local(async move {
                    let text = fetch_example(&example.file).await;
                    link.send_message(Msg::Fetched(example, text));
                });
                return false;
            }
            Msg::Fetched(example, None) => {
                self.notice = Some(format!("The example {} cannot be fetched.", example.file))
            }
            Msg::Fetched(example, Some(text)) => self.open_example(ctx, *example, text),
            Msg::Choose => files::choose(&self.file_input),
            Msg::File(event) => self.file_event(ctx, event),
            Msg::Opened(opened) => self.opened(ctx, opened),
            Msg::Dialect(dialect) => {
                self.model.requested.dialect = dialect;
                self.model.guessed = Dialect::guess(&self.model.source);
                self.options_changed(ctx);
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
                // Back from a link: the kept program returns.
                if !self.open_link(ctx) && self.linked {
                    self.linked = false;
                    self.reopen(ctx, store::program());
                }
            }
            Msg::Restore => {
                if let Some(program) = store::aside() {
                    self.reopen(ctx, program);
                    self.keep();
                }
                self.aside = false;
                self.notice = None;
            }
            Msg::Dismiss => {
                self.notice = None;
                self.aside = false;
            }
            Msg::Key(key) => return self.key(ctx, &key),
            Msg::Export(what) => self.export(ctx, what),
            Msg::Equalities(of) => self.show_equalities(of),
            Msg::Lab(event) => self.lab_event(ctx, event),
            Msg::Refinement(event) => self.refinement_event(ctx, event),
            Msg::Explain(event) => self.explain_event(ctx, *event),
            Msg::Threads(event) => self.threads_event(ctx, event),
            Msg::Analysis(analysis) => {
                self.show_analysis(ctx, analysis);
                self.look.analysis = analysis.word().to_string();
                store::keep_look(&self.look);
            }
            Msg::Notice(text) => self.notice = Some(text),
            Msg::SystemTheme => {}
            Msg::Again => {
                self.run(ctx, Budgets::default());
                focus_soon(".verdict");
            }
            Msg::Replaced => self.replaced(),
        }
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        page::view(self)
    }
}

impl App {
    fn edited(&mut self, ctx: &Context<Self>, text: String, pasted: bool) {
        self.take_from_shelf(&text);
        if text.len() < GUESSED_AT_ONCE {
            self.model.guessed = Dialect::guess(&text);
        }
        self.model.source = text;
        self.model.refinement.paper = None;
        self.make_own();
        self.restore = None;
        self.changed();
        self.keep();
        self.wanted = false;
        if pasted {
            self.run(ctx, Budgets::default());
        } else {
            let link = ctx.link().clone();
            self.pending_load = Some(Timeout::new(DEBOUNCE, move || link.send_message(Msg::Load)));
        }
    }

    /// Another option: the answer no longer holds, and is asked for again if there was one.
    fn options_changed(&mut self, ctx: &Context<Self>) {
        let again = self.wanted || self.model.answer.is_some();
        self.changed();
        if !self.embed {
            self.make_own();
            self.keep();
        }
        if again { self.run(ctx, Budgets::default()) } else { self.load(ctx) }
    }

    fn keep(&mut self) {
        if !self.embed && !store::keep_program(&self.present()) && self.notice.is_none() {
            self.notice = Some("The browser does not keep the program (its store is full or closed): copy it before you leave.".into());
        }
    }

    /// Shows a kept program, not run yet.
    fn reopen(&mut self, ctx: &Context<Self>, program: Program) {
        self.changed();
        self.wanted = false;
        self.model.requested = program.options;
        self.model.method = program.method;
        self.model.replace_source(program.source);
        self.model.name = program.name;
        self.load(ctx);
    }

    /// From now on the program is the user's own, also if a link brought it; the one that was kept
    /// so far is put aside.
    fn make_own(&mut self) {
        clear_hash();
        if std::mem::take(&mut self.linked) && !self.embed && store::set_aside() {
            self.aside = true;
            self.notice = Some("This is the link's program; what you change in it is kept now. Your own program was put aside.".into());
        }
    }

    /// A link that was only opened does not replace the kept program.
    fn keep_unless_linked(&mut self) {
        if !self.linked {
            self.keep();
        }
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
}
