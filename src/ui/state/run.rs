//! Load, run, stop; and what becomes of the worker's replies.

use super::State;
use super::effect::Effect;
use super::model::{Answer, Progress};
use super::shared::Shared;
use crate::util::{Budgets, Stage};
use crate::wire::protocol::{Reply, ReplyMessage, Request};
use crate::wire::report::Report;

impl State {
    /// A reply of the worker.
    pub(crate) fn reply(&mut self, message: ReplyMessage) {
        let ReplyMessage { id, last, millis, reply } = message;
        let awaited = self.model.worker.awaited;
        match reply {
            Reply::Loaded { diagnostics, options, graph, statements, has_threads } => {
                if id == awaited {
                    (self.model.worker.heard, self.model.worker.loaded) = (true, true);
                    self.model.has_threads = has_threads;
                    let another = self.model.read(diagnostics, options, graph, statements);
                    self.read(another);
                }
            }
            Reply::Progress { progress: told, .. } if self.model.run.waits_for(id) => {
                if let Some(progress) = self.model.run.progress(id) {
                    let stage = told.stage;
                    *progress = Progress { stage, nodes: told.nodes, millis, ..*progress };
                }
            }
            Reply::Done { report, statements } => {
                if let Some(pending) = self.model.run.tell(id) {
                    self.model.statements = Shared::new(statements);
                    self.answered(report, millis, pending.stopping);
                }
            }
            Reply::Widened { report, statements } if id == awaited => {
                if self.model.run.is_fresh() {
                    self.model.statements = Shared::new(statements);
                    self.answered(report, millis, false);
                }
            }
            Reply::LaidOut { graph } if self.model.drawn(id, &graph) => self.repaint(),
            // Another one is an older program's.
            Reply::Witness { text } => {
                if id > awaited {
                    self.model.effect(match text {
                        Some(text) => Effect::SaveWitness(text),
                        None => Effect::Notice("There is no witness of this answer.".into()),
                    });
                }
            }
            reply => {
                let (model, message) = (&mut self.model, ReplyMessage { id, last, millis, reply });
                // Nothing is left once a tab has taken it.
                let _ = self
                    .tabs
                    .iter_mut()
                    .try_fold(message, |message, tab| tab.reply(message, model));
            }
        }
    }

    /// The worker has read the program.
    fn read(&mut self, another_graph: bool) {
        if let Some(folding) = self.model.link.as_ref().and_then(|link| link.folding.clone()) {
            self.model.folding = folding;
        }
        if another_graph {
            self.model.draw();
        }
        if let Some(progress) = self.model.run.progress(self.model.worker.awaited)
            && progress.stage == Stage::Idle
        {
            progress.stage = Stage::Forward;
        }
        if self.model.broken() && self.model.run.is_busy() {
            self.model.run.invalidate();
            self.model.answer = None;
        }
        if self.model.run.is_busy() {
            self.lead();
        }
        self.repaint();
        self.ask_tabs();
    }

    /// A run has ended.
    fn answered(&mut self, report: Report, millis: u64, stopped: bool) {
        if let Some(effective) = self.model.effective.as_mut().filter(|o| o.open_width) {
            // The width in force is what other tabs analyse.
            effective.bits = report.analysed_bits();
        }
        let (report, budgets) = (Shared::new(report), self.model.budgets);
        self.model.answer = Some(Answer { report, millis, budgets, stopped });
        self.tabs.iter_mut().for_each(|tab| tab.answered(&mut self.model));
        self.repaint();
    }

    /// The answer no longer holds; a run for the old program is of no use. The next Load or Run
    /// ends it in the worker.
    pub(crate) fn changed(&mut self) {
        self.model.forget();
        self.tabs.iter_mut().for_each(|tab| tab.invalidate());
        self.repaint();
    }

    /// Has the worker read the program.
    pub(crate) fn load(&mut self) {
        self.forget_what_is_missing();
        if self.model.fault.is_some() {
            self.model.is_owed = true;
            return;
        }
        self.tabs.iter_mut().for_each(|tab| tab.reload());
        let (source, options) = (self.model.source.clone(), self.model.requested.clone());
        self.begin(Request::Load { source, options });
    }

    /// Runs the program, unless a run of it is on its way: an edit would have discarded that.
    pub(crate) fn run(&mut self, budgets: Budgets) {
        if self.model.is_blank() {
            return;
        }
        self.model.wanted = true;
        self.forget_what_is_missing();
        if self.model.fault.is_some() {
            (self.model.is_owed, self.model.budgets) = (true, budgets);
        } else if !self.model.run.is_busy() {
            self.run_afresh(budgets);
        }
    }

    /// Runs the program with ten times the budgets.
    pub(crate) fn run_on(&mut self) {
        self.run(self.model.budgets.times(10));
    }

    fn run_afresh(&mut self, budgets: Budgets) {
        self.changed();
        let model = &mut self.model;
        model.budgets = budgets;
        let (source, options, method) =
            (model.source.clone(), model.requested.clone(), model.method);
        let id = self.begin(Request::Run { source, options, budgets, method });
        let began = self.model.now;
        self.model.run.begin(id, Progress { began, ..Progress::default() });
    }

    /// Another option: the answer no longer holds, and is asked for again if there was one.
    pub(crate) fn options_changed(&mut self) {
        let again = self.model.wanted || self.model.answer.is_some();
        self.changed();
        if again { self.run(Budgets::default()) } else { self.load() }
    }

    /// Sends a Load or a Run, and gives its number.
    fn begin(&mut self, request: Request) -> u32 {
        let id = self.model.send(request);
        let worker = &mut self.model.worker;
        (worker.awaited, worker.heard, worker.loaded) = (id, false, false);
        self.model.effect(Effect::Keep);
        id
    }

    /// Time passes: a run that reports nothing still shows that. False if none is on its way.
    pub(crate) fn clock(&mut self) -> bool {
        let now = self.model.now;
        let id = self.model.run.pending().map(|pending| pending.id);
        let progress = id.and_then(|id| self.model.run.progress(id));
        progress.map(|progress| progress.millis = progress.elapsed(now)).is_some()
    }

    /// Ends all that is on its way, where it is.
    pub(crate) fn stop(&mut self) {
        self.tabs.iter_mut().for_each(|tab| tab.stop(&mut self.model));
        if let Some(id) = self.model.run.stop() {
            self.model.effect(Effect::Stop(id));
        }
    }

    /// The worker did not obey, and the spare one works now. These requests get no answer any more;
    /// program and picture stay, and what was told so far.
    pub(crate) fn worker_replaced(&mut self, unanswered: &[u32]) {
        self.forget_tabs_worker();
        let Some(run) = self.model.run.pending() else {
            self.model.run.lose_worker();
            return;
        };
        if !unanswered.contains(&run.id) {
            // The spare worker runs it.
            return;
        }
        let millis = run.progress.elapsed(self.model.now);
        self.model.run.give_up();
        match self.model.abandoned(millis) {
            Some(answer) => {
                self.model.answer = Some(answer);
                self.tabs.iter_mut().for_each(|tab| tab.answered(&mut self.model));
            }
            None => self.model.run.invalidate(),
        }
        self.repaint();
    }

    /// The worker is another one now: what the old one knew is gone.
    pub(super) fn forget_tabs_worker(&mut self) {
        self.model.worker.loaded = false;
        self.tabs.iter_mut().for_each(|tab| tab.lose_worker());
    }

    /// A worker has crashed, the busy one or the spare, and both were started anew.
    pub(crate) fn lost(&mut self) {
        let running = self.model.run.is_busy();
        self.forget_tabs_worker();
        self.model.run.lose_worker();
        if running {
            // An older answer is not the answer to this run.
            self.model.run.invalidate();
        }
        if running {
            let said = "The worker ended without an answer, probably out of memory. It has been \
                        started again.";
            self.model.effect(Effect::Notice(said.into()));
        } else if !self.model.worker.heard {
            self.load();
        }
        // A picture may have been on its way.
        self.model.draw();
    }

    /// Asks for the witness of the answer that is shown.
    pub(crate) fn ask_witness(&mut self, creation_time: String) {
        if self.model.inspectable().is_some() {
            let file_name = self.model.file_name();
            self.model.send(Request::Witness { file_name, creation_time });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::testing::{asked, done, page, read, stops};

    /// The program was run, and the run has ended.
    fn answered() -> State {
        let mut state = page();
        state.run(Budgets::default());
        read(&mut state);
        done(&mut state);
        state.settle();
        state
    }

    #[test]
    fn a_run_is_asked_for_once() {
        let mut state = page();
        state.run(Budgets::default());
        state.run(Budgets::default());
        let sent = asked(&mut state);
        assert!(matches!(sent[..], [Request::Run { .. }]), "{sent:?}");
        assert!(state.model.run.is_busy() && state.model.fresh().is_none());
        read(&mut state);
        assert!(state.model.run.pending().is_some_and(|run| run.progress.stage == Stage::Forward));
        done(&mut state);
        assert!(state.model.inspectable().is_some());
    }

    #[test]
    fn an_edit_makes_the_answer_stale_and_its_late_reply_is_dropped() {
        let mut state = answered();
        state.edited("main()".into());
        assert!(state.model.answer.is_some() && state.model.fresh().is_none());
        done(&mut state);
        assert!(state.model.fresh().is_none());
        state.load();
        read(&mut state);
        assert!(state.model.fresh().is_none() && state.model.worker.loaded);
    }

    #[test]
    fn a_program_that_the_spare_worker_runs_stays_on_its_way() {
        let mut state = answered();
        state.run(Budgets::default());
        state.settle();
        state.worker_replaced(&[state.model.worker.awaited - 1]);
        assert!(state.model.run.is_busy());
        read(&mut state);
        done(&mut state);
        assert!(state.model.inspectable().is_some());
    }

    #[test]
    fn a_run_that_does_not_stop_is_abandoned() {
        let mut state = answered();
        state.run(Budgets::default());
        read(&mut state);
        state.settle();
        state.stop();
        let id = state.model.worker.awaited;
        assert_eq!(stops(&mut state), [id]);
        state.worker_replaced(&[id]);
        let answer = state.model.fresh().expect("there is an answer");
        assert!(answer.stopped && state.model.inspectable().is_none());
    }

    #[test]
    fn every_tab_with_long_work_asks_stops_and_is_not_asked_again_by_itself() {
        for word in ["refinement", "explain", "threads", "lab"] {
            let mut state = answered();
            state.show(word);
            let sent = asked(&mut state);
            assert_eq!(sent.len(), 1, "{word}: {sent:?}");
            assert!(!matches!(sent[0], Request::Load { .. }), "{word}");
            state.stop();
            let stopped = stops(&mut state);
            assert_eq!(stopped, [state.model.worker.requests], "{word}");
            state.worker_replaced(&stopped);
            state.show("projection");
            state.show(word);
            assert_eq!(asked(&mut state), [], "{word}");
            // Another program is another question.
            state.edited("main()".into());
            state.load();
            state.settle();
            read(&mut state);
            assert_eq!(asked(&mut state).len(), 1, "{word}");
        }
    }

    #[test]
    fn a_tab_that_is_shown_after_the_worker_was_replaced_has_the_program_loaded_first() {
        let mut state = answered();
        state.lost();
        state.settle();
        state.show("threads");
        assert!(matches!(asked(&mut state)[..], [Request::Load { .. }]));
        read(&mut state);
        assert!(matches!(asked(&mut state)[..], [Request::Threads { .. }]));
        assert!(state.model.fresh().is_some(), "the run's answer stays");
    }

    #[test]
    fn a_blank_page_asks_nothing() {
        let mut state = page();
        state.replace_source(" \n".into());
        state.run(Budgets::default());
        state.show("explain");
        assert_eq!(asked(&mut state), []);
    }
}
