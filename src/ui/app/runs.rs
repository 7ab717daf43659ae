//! Requests to the worker and what becomes of the replies: load, run, stop, inspect.

use super::{App, Msg};
use crate::draw::fold::fold;
use crate::ui::engine::Engine;
use crate::ui::model::{Activity, Answer, Progress};
use crate::ui::shared::Shared;
use crate::wire::protocol::{Budgets, Detail, Reply, ReplyMessage, Request};
use gloo::timers::callback::Timeout;
use yew::Context;

/// How often a crashed worker is replaced before the page gives up.
const REPLACEMENTS: u32 = 3;

impl App {
    pub(super) fn reply(&mut self, ctx: &Context<Self>, message: ReplyMessage) {
        let ReplyMessage { id, last, millis, reply } = message;
        match reply {
            Reply::Loaded { diagnostics, options, graph, statements } if id == self.awaited => {
                (self.heard, self.loaded) = (true, true);
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
            Reply::Progress { progress, detail } => {
                let phase = progress.stage.word().to_string();
                match detail {
                    Detail::Rounds(rounds) => {
                        return self.refinement_progress(ctx, id, phase, rounds, millis);
                    }
                    Detail::NoErrorUpTo(bound) => {
                        let phase = "Analysing the threads".to_string();
                        self.model.threads.progress(id, phase, bound, millis);
                        return;
                    }
                    Detail::None => {}
                }
                if self.recording_progress(id, progress.items) {
                    return;
                }
                self.model.explain.progress(id, phase.clone(), millis);
                if let Activity::Running(known) = &mut self.model.activity
                    && known.id == id
                {
                    let (items, nodes) = (progress.items, progress.nodes);
                    *known = Progress { phase, items, nodes, millis, ..known.clone() };
                }
            }
            Reply::Done { report, statements } if id == self.awaited => {
                let stopped = matches!(&self.model.activity, Activity::Running(p) if p.stopping);
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
            Reply::Improved { report } if id == self.awaited => self.improved(ctx, report),
            Reply::Through { through } => self.through_answered(ctx, id, through),
            Reply::Inspected { inspection } => {
                let Some((_, statement)) = self.inspecting.take_if(|(asked, _)| *asked == id)
                else {
                    return;
                };
                self.model.inspections.insert(statement, inspection);
                // The selection may have moved on meanwhile.
                self.inspect();
            }
            Reply::Why { why, limit } => self.told_why(id, why, limit),
            Reply::Beside { cross } => self.told_beside(id, cross),
            Reply::Queried { answer } => self.told_query(id, answer),
            Reply::Affine { report } => self.told_equalities(id, report),
            Reply::Lab { report } => self.recorded(ctx, id, *report),
            Reply::LabWitness { witness, limit } => {
                self.model.lab.told_witness(id, witness, limit);
                self.ask_lab();
            }
            Reply::LabWeight { answer } | Reply::LabTransfer { answer } => {
                self.model.lab.told_weight(id, answer);
                self.ask_lab();
            }
            reply @ (Reply::Refined { .. }
            | Reply::Round { .. }
            | Reply::Abstracted { .. }
            | Reply::Side { .. }
            | Reply::Compared { .. }) => self.refinement_reply(ctx, id, last, millis, reply),
            Reply::Explained { explanation } => self.explained(id, *explanation, last, millis),
            reply @ (Reply::Threaded { .. } | Reply::ThreadsBeside { .. }) => {
                self.threads_reply(id, millis, reply)
            }
            Reply::LaidOut { graph } if id == self.drawing => self.model.drawn(graph),
            Reply::LaidOut { graph } => self.refinement_drawn(id, graph),
            Reply::Witness { text } if id > self.awaited => self.save_witness(text),
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
        engine.send(
            self.request,
            Request::Witness { file_name: self.model.file_name(), creation_time },
        );
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
            engine.send_aside(id, Request::Layout { graph });
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
        self.model.invalidate();
        if self.model.activity != Activity::Idle {
            // The next Load or Run ends it in the worker.
            self.model.activity = Activity::Idle;
        }
    }

    pub(super) fn next_request(&mut self) -> u32 {
        self.request += 1;
        self.request
    }

    pub(super) fn load(&mut self, _: &Context<Self>) {
        self.pending_load = None;
        let id = self.next_request();
        let (source, options) = (self.model.source.clone(), self.model.requested.clone());
        self.ask(id, Request::Load { source, options });
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

    pub(super) fn run_afresh(&mut self, _: &Context<Self>, budgets: Budgets) {
        self.pending_load = None;
        self.player = None;
        let id = self.next_request();
        self.budgets = budgets;
        self.model.invalidate();
        self.model.activity =
            Activity::Running(Progress { id, began: js_sys::Date::now(), ..Progress::default() });
        let (source, options) = (self.model.source.clone(), self.model.requested.clone());
        self.ask(id, Request::Run { source, options, budgets, method: self.model.method });
    }

    /// Sends a Load or a Run.
    pub(super) fn ask(&mut self, id: u32, request: Request) {
        (self.awaited, self.heard, self.loaded) = (id, false, false);
        self.model.lab.invalidate();
        self.model.refinement.invalidate();
        self.model.explain.invalidate();
        self.model.threads.invalidate();
        self.model.relations.forget();
        if let Some(engine) = &self.engine {
            engine.send(id, request);
        }
        self.asked = super::questions::Asked::default();
        self.inspecting = None;
        self.keep_unless_linked();
    }

    pub(super) fn stop(&mut self) {
        self.stop_recording();
        self.stop_refining();
        self.stop_explaining();
        self.stop_threads();
        let Activity::Running(progress) = &mut self.model.activity else { return };
        progress.stopping = true;
        let id = progress.id;
        self.halt(id);
    }

    /// Ends a request that is not answered.
    pub(super) fn halt(&self, id: u32) {
        if let Some(engine) = &self.engine {
            engine.stop(id);
        }
    }

    /// The worker did not obey, and the spare one works now: what the old one knew is gone, and
    /// these requests get no answer.
    pub(super) fn worker_replaced(&mut self, unanswered: &[u32]) {
        self.refinement_lost(unanswered);
        if self.model.threads.asked.as_ref().is_some_and(|asked| unanswered.contains(&asked.id)) {
            self.model.threads.give_up();
        }
        if self.model.explain.asked.as_ref().is_some_and(|asked| unanswered.contains(&asked.id)) {
            self.model.explain.give_up();
        }
        self.forget_worker();
        let Activity::Running(progress) = &self.model.activity else { return };
        if !unanswered.contains(&progress.id) {
            return;
        }
        let millis = progress.elapsed(js_sys::Date::now());
        self.model.activity = Activity::Idle;
        if let Some(answer) = self.model.abandoned(millis, self.budgets) {
            self.model.answered(answer, None);
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
            engine.send(id, Request::Inspect { statement });
        }
    }
}
