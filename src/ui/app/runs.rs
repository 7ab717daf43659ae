//! Requests to the worker and what becomes of the replies: load, run, stop, inspect.

use super::{App, Msg};
use crate::draw::fold::fold;
use crate::ui::engine::Engine;
use crate::ui::model::{Activity, Answer, Progress};
use crate::ui::shared::Shared;
use crate::wire::protocol::{Budgets, Reply, Request};
use gloo::timers::callback::Timeout;
use yew::Context;

/// Stop waits this long, in milliseconds, for the worker before it is terminated.
pub(super) const PATIENCE: u32 = 150;
/// How often a crashed worker is replaced before the page gives up.
const REPLACEMENTS: u32 = 3;

impl App {
    pub(super) fn reply(&mut self, ctx: &Context<Self>, reply: Reply) {
        match reply {
            Reply::Loaded { id, diagnostics, options, graph, statements } if id == self.awaited => {
                (self.heard, self.loaded, self.discarded, self.pending_watch) =
                    (true, true, false, None);
                let another = self.model.loaded(diagnostics, options, graph, statements);
                if let Some(folding) = self.restore.as_ref().and_then(|link| link.folding.clone()) {
                    self.model.folding = folding;
                }
                if another {
                    self.draw();
                }
                if let Activity::Running(progress) = &mut self.model.activity
                    && progress.phase.is_empty()
                {
                    progress.phase = "forward".into();
                }
                if self.model.broken() && self.model.activity != Activity::Idle {
                    self.model.activity = Activity::Idle;
                    self.model.answer = None;
                }
                self.record(ctx);
                self.refine(ctx);
                self.explain(ctx);
                self.analyse_threads(ctx);
                self.ask_equalities();
            }
            Reply::Progress { id, phase, items, nodes, millis } => {
                if self.recording_progress(id, items) {
                    return;
                }
                if let Activity::Running(progress) = &mut self.model.activity
                    && progress.id == id
                {
                    *progress = Progress { phase, items, nodes, millis, ..progress.clone() };
                }
            }
            Reply::Done { id, report, statements, millis } if id == self.awaited => {
                let stopped = matches!(&self.model.activity, Activity::Running(p) if p.stopping);
                self.pending_stop = None;
                self.replacements = 0;
                let report = Shared::new(report);
                let answer = Answer {
                    report,
                    millis,
                    budgets: self.budgets,
                    stopped,
                    inspectable: true,
                    stale: false,
                };
                self.model.answered(answer, Some(statements));
                self.show_answer(ctx);
            }
            Reply::Improved { id, report } if id == self.awaited => self.improved(ctx, report),
            Reply::Through { id, through } => self.through_answered(ctx, id, through),
            Reply::Inspected { id, inspection } => {
                let Some((_, statement)) = self.inspecting.take_if(|(asked, _)| *asked == id)
                else {
                    return;
                };
                self.model.inspections.insert(statement, inspection);
                // The selection may have moved on meanwhile.
                self.inspect();
            }
            Reply::Why { id, why, limit } => self.told_why(id, why, limit),
            Reply::Beside { id, cross } => self.told_beside(id, cross),
            Reply::Queried { id, answer } => self.told_query(id, answer),
            Reply::Affine { id, report } => self.told_equalities(id, report),
            Reply::Lab { id, report } => self.recorded(ctx, id, *report),
            Reply::LabWitness { id, witness, limit } => {
                self.model.lab.told_witness(id, witness, limit);
                self.ask_lab();
            }
            Reply::LabWeight { id, answer } | Reply::LabTransfer { id, answer } => {
                self.model.lab.told_weight(id, answer);
                self.ask_lab();
            }
            reply @ (Reply::Refining { .. }
            | Reply::Refined { .. }
            | Reply::Round { .. }
            | Reply::Abstracted { .. }
            | Reply::Side { .. }
            | Reply::Compared { .. }) => self.refinement_reply(ctx, reply),
            Reply::Explaining { id, stage, millis } => {
                self.model.explain.progress(id, stage, millis)
            }
            Reply::Explained { id, explanation, done, millis } => {
                self.explained(id, *explanation, done, millis)
            }
            reply @ (Reply::Threading { .. }
            | Reply::Threaded { .. }
            | Reply::ThreadsBeside { .. }) => self.threads_reply(reply),
            Reply::LaidOut { id, graph } if id == self.drawing => self.model.drawn(graph),
            Reply::LaidOut { id, graph } => self.refinement_drawn(id, graph),
            Reply::Witness { id, text } if id > self.awaited => self.save_witness(text),
            _ => {}
        }
    }

    fn save_witness(&mut self, text: Option<String>) {
        let Some(text) = text else {
            self.notice = Some("There is no witness of this answer.".into());
            return;
        };
        if crate::ui::proof::save("witness.yml", &text).is_none() {
            self.notice = Some("The browser does not take the file.".into());
        }
    }

    /// Asks for the witness of the answer that is shown.
    pub(super) fn ask_witness(&mut self) {
        let possible = self.model.fresh().is_some_and(|a| a.inspectable)
            && self.model.activity == Activity::Idle;
        let Some(engine) = self.engine.as_ref().filter(|_| possible) else { return };
        self.request += 1;
        let creation_time = String::from(js_sys::Date::new_0().to_iso_string());
        // To the second, as the command line has it.
        let creation_time = creation_time
            .split('.')
            .next()
            .map(|seconds| format!("{seconds}Z"))
            .unwrap_or(creation_time.clone());
        engine.send(&Request::Witness {
            id: self.request,
            file_name: self.model.file_name(),
            creation_time,
        });
    }

    /// Shows the step that a link asked for, else where the run fails.
    pub(super) fn show_answer(&mut self, ctx: &Context<Self>) {
        let link = self.restore.take();
        let through = link.as_ref().map(|l| l.through.clone()).filter(|sets| !sets.is_empty());
        let step = link.as_ref().and_then(|l| l.step).map(|s| s as usize);
        let placed = link.as_ref().is_some_and(|l| l.folding.is_some());
        let last = self.model.trace().len().saturating_sub(1);
        self.model.go_to(link.as_ref().and_then(|l| l.step).map_or(last, |s| s as usize));
        if let Some(line) =
            link.and_then(|l| l.selection).filter(|line| *line != self.model.selection.line)
        {
            self.model.select_line(line);
        }
        self.reveal();
        // A link's part of the picture is the one to show, wherever its step is.
        if !placed {
            self.follow();
        }
        self.inspect_soon(ctx);
        if let Some(sets) = through {
            self.ask_through(sets, step);
        }
    }

    /// Has the picture laid out anew: another program, or something was folded or unfolded.
    pub(super) fn draw(&mut self) {
        let id = self.next_request();
        self.drawing = id;
        let graph = fold(&self.model.graph, &self.model.folding);
        if let Some(engine) = &self.engine {
            engine.send_aside(&Request::Layout { id, graph });
        }
    }

    /// The picture shows what is selected: where one procedure is shown, the one that it lies in.
    pub(super) fn follow(&mut self) {
        let current = self.model.current().map(|(location, _)| location);
        if let Some(location) = current.or(self.model.selection.locations.first().copied())
            && self.model.bring(location, false)
        {
            self.draw();
        }
    }

    /// The editor scrolls to the selected line, also if it has done so before.
    pub(super) fn reveal(&mut self) {
        self.reveal = (self.model.selection.line, self.reveal.1 + 1);
    }

    /// The answer no longer holds; a run for the old program is of no use.
    pub(super) fn changed(&mut self) {
        self.player = None;
        // What the worker does for the lab is of no use any more.
        self.discarded |= self.model.lab.busy()
            || self.model.refinement.busy()
            || self.model.explain.busy()
            || self.model.threads.busy();
        self.model.invalidate();
        if self.model.activity != Activity::Idle {
            // The next Load or Run ends it in the worker.
            self.model.activity = Activity::Idle;
            self.pending_stop = None;
            self.discarded = true;
        }
    }

    pub(super) fn next_request(&mut self) -> u32 {
        self.request += 1;
        self.request
    }

    pub(super) fn load(&mut self, ctx: &Context<Self>) {
        self.pending_load = None;
        let id = self.next_request();
        let (source, options) = (self.model.source.clone(), self.model.requested.clone());
        self.ask(ctx, id, &Request::Load { id, source, options });
    }

    pub(super) fn run(&mut self, ctx: &Context<Self>, budgets: Budgets) {
        if self.model.source.trim().is_empty() {
            return;
        }
        self.wanted = true;
        if self.model.activity != Activity::Idle {
            // What runs is what the editor shows: an edit would have discarded it.
            return;
        }
        self.run_afresh(ctx, budgets);
    }

    pub(super) fn run_afresh(&mut self, ctx: &Context<Self>, budgets: Budgets) {
        self.pending_load = None;
        self.player = None;
        let id = self.next_request();
        self.budgets = budgets;
        self.discarded |= self.model.lab.busy()
            || self.model.refinement.busy()
            || self.model.explain.busy()
            || self.model.threads.busy();
        self.model.invalidate();
        self.model.activity =
            Activity::Running(Progress { id, began: js_sys::Date::now(), ..Progress::default() });
        let (source, options) = (self.model.source.clone(), self.model.requested.clone());
        self.ask(
            ctx,
            id,
            &Request::Run { id, source, options, budgets, method: self.model.method },
        );
    }

    /// Sends a Load or a Run. Where the worker may be busy with a discarded run, it has to read the
    /// new program soon, or it is replaced.
    pub(super) fn ask(&mut self, ctx: &Context<Self>, id: u32, request: &Request) {
        (self.awaited, self.heard, self.loaded) = (id, false, false);
        self.discarded |= self.model.lab.busy()
            || self.model.refinement.busy()
            || self.model.explain.busy()
            || self.model.threads.busy()
            || self.model.relations.asked.is_some();
        self.model.lab.invalidate();
        self.model.refinement.invalidate();
        self.model.explain.invalidate();
        self.model.threads.invalidate();
        self.model.relations.forget();
        if let Some(engine) = &self.engine {
            engine.send(request);
        }
        let busy = std::mem::take(&mut self.asked).busy();
        if self.inspecting.take().is_some() || busy || self.discarded {
            let link = ctx.link().clone();
            self.pending_watch =
                Some(Timeout::new(PATIENCE, move || link.send_message(Msg::Unheard(id))));
        }
        self.keep_unless_linked();
    }

    pub(super) fn unheard(&mut self, ctx: &Context<Self>, id: u32) {
        if self.heard || id != self.awaited {
            return;
        }
        self.discarded = false;
        self.replace_worker();
        match self.model.activity {
            Activity::Running(_) => self.run_afresh(ctx, self.budgets),
            Activity::Idle => self.load(ctx),
        }
    }

    pub(super) fn stop(&mut self, ctx: &Context<Self>) {
        self.stop_recording();
        self.stop_refining(ctx);
        self.stop_explaining(ctx);
        self.stop_threads(ctx);
        let Activity::Running(progress) = &mut self.model.activity else { return };
        progress.stopping = true;
        let id = progress.id;
        if let Some(engine) = &self.engine {
            engine.send(&Request::Stop { id });
        }
        let link = ctx.link().clone();
        self.pending_stop =
            Some(Timeout::new(PATIENCE, move || link.send_message(Msg::Overdue(id))));
    }

    /// The worker did not answer Stop: the spare one takes over, program and picture stay.
    pub(super) fn overdue(&mut self, id: u32) {
        if self.refinement_overdue(id) || self.explaining_overdue(id) || self.threads_overdue(id) {
            return;
        }
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

    /// The spare worker takes over; what the old one knew is gone.
    pub(super) fn replace_worker(&mut self) {
        self.forget_worker();
        if self.engine.as_mut().is_some_and(|e| e.replace().is_err()) {
            self.notice = Some(
                "The worker cannot be started again: reload the page. The program is kept.".into(),
            );
        }
    }

    fn forget_worker(&mut self) {
        self.inspecting = None;
        self.loaded = false;
        self.model.lab.invalidate();
        self.model.refinement.lose_worker();
        self.model.explain.lose_worker();
        self.model.threads.lose_worker();
        self.model.relations.forget();
        if let Some(through) = &mut self.model.through {
            through.asked = None;
        }
        self.asked = super::questions::Asked::default();
        if let Some(answer) = &mut self.model.answer {
            answer.inspectable = false;
        }
    }

    /// A worker has crashed, the busy one or the spare: both are started anew.
    pub(super) fn lost(&mut self, ctx: &Context<Self>) {
        let was_running = self.model.activity != Activity::Idle;
        self.model.activity = Activity::Idle;
        self.forget_worker();
        self.replacements += 1;
        self.engine = if self.replacements > REPLACEMENTS {
            None
        } else {
            Engine::start(ctx.link().callback(Msg::Engine)).ok()
        };
        if self.engine.is_none() {
            self.notice =
                Some("The worker cannot be started: reload the page. The program is kept.".into());
        } else if was_running {
            self.notice = Some("The worker ended without an answer, probably out of memory. It has been started again.".into());
        } else if !self.heard {
            self.load(ctx);
        }
        // A picture may have been on its way.
        self.draw();
    }

    pub(super) fn inspect_soon(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        // Stepping quickly asks once, at the end.
        self.pending_inspect = Some(Timeout::new(60, move || link.send_message(Msg::Inspect)));
    }

    pub(super) fn inspect(&mut self) {
        self.ask_equalities();
        let Some(statement) = self.model.selection.statement else { return };
        let possible = self.model.fresh().is_some_and(|a| a.inspectable)
            && self.model.activity == Activity::Idle;
        if possible && self.inspecting.is_none() && self.model.inspections.contains_key(&statement)
        {
            self.ask_why();
            self.ask_beside();
        }
        if !possible || self.inspecting.is_some() || self.model.inspections.contains_key(&statement)
        {
            return;
        }
        let id = self.next_request();
        self.inspecting = Some((id, statement));
        if let Some(engine) = &self.engine {
            engine.send(&Request::Inspect { id, statement });
        }
    }
}
