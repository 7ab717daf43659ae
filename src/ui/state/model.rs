//! What the page knows: the program, the picture, the run with its answer, and the selection. The
//! tabs know the rest.

use super::effect::Effect;
use super::fault::Fault;
use super::paint::{Document, Paint};
use super::question::{Answered, Question};
use super::said::Ask;
use super::selection::Selection;
use super::shared::Shared;
use super::timeline::Speed;
use crate::util::Limit;
use crate::util::{Budgets, Stage};
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::diagnostic::Severity;
use crate::wire::graph::Folding;
use crate::wire::graph::{Graph, StatementView};
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};
use crate::wire::permalink::Permalink;
use crate::wire::projection::Method;
use crate::wire::protocol::Request;
use crate::wire::report::{Analysis, Report, Verdict};
use std::any::Any;

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    pub(crate) stage: Stage,
    pub(crate) nodes: u64,
    pub(crate) millis: u64,
    /// When it began, by the page's clock.
    pub(crate) began: f64,
}

impl Progress {
    /// Milliseconds since the run began.
    pub(crate) fn elapsed(&self, now: f64) -> u64 {
        (now - self.began).max(0.0) as u64
    }
}

/// The last answer of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) report: Shared<Report>,
    pub(crate) millis: u64,
    pub(crate) budgets: Budgets,
    /// Ended by the user.
    pub(crate) stopped: bool,
}

/// What the page knows of its worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Worker {
    /// Requests so far.
    pub(crate) requests: u32,
    /// The latest Load or Run; replies to older ones are dropped.
    pub(crate) awaited: u32,
    /// Has the worker read it?
    pub(crate) heard: bool,
    /// Does the worker hold the program as it is now?
    pub(crate) loaded: bool,
}

/// All of it.
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) source: String,
    /// The name of the file that the program came from, if it did.
    pub(crate) name: Option<String>,
    pub(crate) document: Shared<Document>,
    pub(crate) requested: RequestedOptions,
    pub(crate) method: Method,
    pub(crate) effective: Option<EffectiveOptions>,
    /// The language that the program seems to be written in, where none was asked for.
    pub(crate) guessed: Dialect,
    pub(crate) diagnostics: Shared<Vec<DiagnosticView>>,
    /// Does the program, as it was read last, start threads?
    pub(crate) has_threads: bool,
    /// Does only the bounded engine read it? Then there is its check and no picture.
    pub(crate) is_bounded: bool,
    /// The whole control-flow graph, without places.
    pub(crate) graph: Shared<Graph>,
    /// What is to be shown of it.
    pub(crate) folding: Folding,
    /// What is shown, laid out.
    pub(crate) picture: Shared<Graph>,
    /// The graph that the picture shows.
    pub(super) picture_of: Shared<Graph>,
    /// The layout that the page waits for.
    pub(super) drawing: u32,
    pub(crate) statements: Shared<Vec<StatementView>>,
    /// The projection's, which most tabs show on the source.
    pub(crate) paint: Shared<Paint>,
    /// The run of the check.
    pub(crate) run: Question<Progress>,
    pub(crate) answer: Option<Answer>,
    /// What the run that is on its way has told of a failing run.
    pub(crate) failing: Option<Shared<Report>>,
    /// The budgets of the run.
    pub(crate) budgets: Budgets,
    /// No person has asked for anything since a link or a reload began to run the program.
    pub(crate) unasked: bool,
    /// A run was asked for and nothing was edited since: another option runs again.
    pub(crate) wanted: bool,
    pub(crate) selection: Selection,
    /// The line that the pointer is on in the picture; 0 is none.
    pub(crate) hover: u32,
    /// The line that the editor scrolls to, and how often it was told so.
    pub(crate) reveal: (u32, u32),
    /// The word of the tab that is shown.
    pub(crate) shown: &'static str,
    /// Did the user, a link or an example choose it for the present program?
    pub(crate) chosen: bool,
    /// Is memory drawn, where the run has some to draw, and not the tab's own picture?
    pub(crate) memory_shown: bool,
    /// Expressions that are watched along runs.
    pub(crate) watches: Vec<String>,
    /// Is the timeline being played?
    pub(crate) playing: bool,
    /// How fast.
    pub(crate) speed: Speed,
    /// What a link or an example shows, once its run has ended.
    pub(crate) link: Option<Permalink>,
    pub(crate) worker: Worker,
    /// Why there is no engine; nothing is sent meanwhile.
    pub(crate) fault: Option<Fault>,
    /// Something would have been sent.
    pub(super) is_owed: bool,
    /// A tab needs the program to be loaded.
    pub(super) load_wanted: bool,
    /// The check is to run again.
    pub(super) run_wanted: Option<Ask>,
    /// The page's clock, in milliseconds.
    pub(crate) now: f64,
    effects: Vec<Effect>,
}

impl Model {
    /// An effect for the page to carry out.
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// The effects since they were taken last, in order.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Is it a program that one thread executes?
    pub(crate) fn is_sequential(&self) -> bool {
        !self.has_threads && !self.dialect().is_raw()
    }

    /// The number of the next request.
    pub(crate) fn next_request(&mut self) -> u32 {
        self.worker.requests += 1;
        self.worker.requests
    }

    /// Sends a request under a new number, and gives the number.
    pub(crate) fn send(&mut self, request: Request) -> u32 {
        let id = self.next_request();
        self.effect(Effect::Send(id, request, self.unasked));
        id
    }

    /// Says an event to a tab after so many milliseconds. Another one with the same name takes its
    /// place.
    pub(crate) fn later<E: Any>(
        &mut self,
        tab: &'static str,
        name: &'static str,
        millis: u32,
        event: E,
    ) {
        let event = Box::new(event);
        self.effect(Effect::Later { timer: (tab, name), millis, event });
    }

    /// Ends the work on a tab's question where it is.
    pub(crate) fn stop<P>(&mut self, question: &mut Question<P>) {
        if let Some(id) = question.stop() {
            self.effect(Effect::Stop(id));
        }
    }

    /// Has the check run again.
    pub(crate) fn run_again(&mut self, ask: Ask) {
        self.unasked = false;
        self.run_wanted = Some(ask);
    }

    /// The user wants a tab's question asked anew: ends the work on it.
    pub(crate) fn restart<P>(&mut self, question: &mut Question<P>) {
        (self.playing, self.unasked) = (false, false);
        self.stop(question);
        question.invalidate();
    }

    /// May this tab ask about the program now? It has to be shown, and the program to be readable.
    /// If the worker does not have the program yet, the program is loaded first, and the tab is
    /// asked again.
    pub(crate) fn ready(&mut self, tab: &str) -> bool {
        !self.broken() && !self.is_bounded && self.ready_for_text(tab)
    }

    /// May this tab ask about the program's text now, whether or not the program is readable?
    pub(crate) fn ready_for_text(&mut self, tab: &str) -> bool {
        if self.fault.is_some() || self.shown != tab || self.is_blank() || !self.worker.heard {
            return false;
        }
        self.load_wanted |= !self.worker.loaded;
        self.worker.loaded
    }

    /// Puts a text into the editor; whatever was known about the old one is dropped.
    pub(super) fn replace_source(&mut self, text: String) {
        // As the editor has them, so that positions agree.
        let text =
            if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
        self.guessed = Dialect::guess(&text);
        self.put(text, false);
        self.forget_program();
    }

    /// Puts the present program with an edit into the editor; what was known of it is as after any
    /// other edit.
    pub(crate) fn edit_source(&mut self, text: String) {
        self.put(text, true);
    }

    fn put(&mut self, text: String, edited: bool) {
        self.source = text.clone();
        let version = self.document.version + 1;
        self.document = Shared::new(Document { version, text, edited });
    }

    /// Another program: nothing that was known of the old one is left, not even its picture.
    pub(super) fn forget_program(&mut self) {
        (self.answer, self.name) = (None, None);
        (self.has_threads, self.is_bounded, self.chosen) = (false, false, false);
        self.graph = Shared::default();
        self.picture = Shared::default();
        self.picture_of = self.graph.clone();
        self.statements = Shared::default();
        self.diagnostics = Shared::default();
        self.forget();
    }

    /// Program or options have changed: the answer no longer holds.
    pub(super) fn forget(&mut self) {
        self.run.invalidate();
        self.failing = None;
        self.selection = Selection::default();
        self.hover = 0;
        self.playing = false;
    }

    /// The worker has read the program. The old picture stays while the new program has errors.
    /// True if there is another graph to draw.
    pub(super) fn read(
        &mut self,
        diagnostics: Vec<DiagnosticView>,
        options: EffectiveOptions,
        graph: Graph,
        statements: Vec<StatementView>,
    ) -> bool {
        if self.requested.dialect.is_none() {
            self.guessed = options.dialect;
        }
        self.effective = Some(options);
        // An empty page is not an error yet.
        let diagnostics = if self.is_blank() { Vec::new() } else { diagnostics };
        self.diagnostics = Shared::new(diagnostics);
        if self.broken() && !self.is_blank() {
            return false;
        }
        let another = *self.graph != graph;
        if another {
            self.folding = std::mem::take(&mut self.folding).after_edit(&self.graph, &graph);
            self.graph = Shared::new(graph);
        }
        self.statements = Shared::new(statements);
        another
    }

    /// An answer for a run whose worker was replaced: nothing is known but what it has told.
    pub(super) fn abandoned(&self, millis: u64) -> Option<Answer> {
        let report = self.failing.clone().or_else(|| self.nothing_known().map(Shared::new))?;
        Some(Answer { report, millis, budgets: self.budgets, stopped: true })
    }

    fn nothing_known(&self) -> Option<Report> {
        let options = self.effective.clone()?;
        let report = Report::new(Analysis::Projection, Verdict::Unknown, options);
        Some(Report { limit: Some(Limit::Time), checked: 1, ..report })
    }

    /// Is there no program?
    pub(crate) fn is_blank(&self) -> bool {
        self.source.trim().is_empty()
    }

    /// The language in force.
    pub(crate) fn dialect(&self) -> Dialect {
        self.requested.dialect.unwrap_or(self.guessed)
    }

    /// What files that are made of the program are called, without an extension.
    pub(crate) fn stem(&self) -> &str {
        let name = self.name.as_deref().unwrap_or("faultline");
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The program's file name.
    pub(crate) fn file_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("program.{}", self.dialect().extension()))
    }

    /// The answer, if it is about what the editor shows.
    pub(crate) fn fresh(&self) -> Option<&Answer> {
        self.answer.as_ref().filter(|_| self.run.answered() != Answered::No)
    }

    /// The answer, if the worker can be asked about it now.
    pub(crate) fn inspectable(&self) -> Option<&Answer> {
        self.answer.as_ref().filter(|_| self.run.is_fresh() && !self.run.is_busy())
    }

    /// Errors in the program?
    pub(crate) fn broken(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }

    /// A statement by its number.
    pub(crate) fn statement(&self, id: u32) -> Option<&StatementView> {
        self.statements.binary_search_by_key(&id, |s| s.id).ok().map(|i| &self.statements[i])
    }

    /// The box of a statement.
    pub(crate) fn location(&self, statement: Option<u32>) -> Option<u32> {
        self.statement(statement?).map(|statement| statement.location)
    }

    /// Has the worker a program to be asked about, and no run on its way?
    pub(crate) fn is_idle(&self) -> bool {
        self.worker.loaded && !self.run.is_busy()
    }
}
