//! Load, run, stop; and what becomes of the worker's replies.

use super::State;
use super::effect::Effect;
use super::model::{Answer, Progress};
use super::shared::Shared;
use crate::util::{Budgets, Stage};
use crate::wire::harness::{BoundedRun, Harness, HarnessAnswer};
use crate::wire::permalink::ProjectionPlace;
use crate::wire::protocol::{Reply, ReplyMessage, Request};
use crate::wire::report::Report;

impl State {
    /// A reply of the worker.
    pub(crate) fn reply(&mut self, message: ReplyMessage) {
        let ReplyMessage { id, last, millis, reply } = message;
        let awaited = self.model.worker.awaited;
        match reply {
            Reply::Loaded { diagnostics, options, graph, statements, has_threads, is_bounded } => {
                if id == awaited {
                    (self.model.worker.heard, self.model.worker.loaded) = (true, true);
                    self.model.has_threads = has_threads;
                    self.model.is_bounded = is_bounded;
                    let another = self.model.read(diagnostics, options, graph, statements);
                    self.read(another);
                }
            }
            Reply::Improved { report } if self.model.run.waits_for(id) => {
                self.model.failing = Some(Shared::new(report));
                self.tabs.iter_mut().for_each(|tab| tab.fails(&mut self.model));
            }
            Reply::Progress { progress: told, .. } if self.model.run.waits_for(id) => {
                if let Some(progress) = self.model.run.progress(id) {
                    let stage = told.stage;
                    *progress = Progress { stage, nodes: told.nodes, millis, ..*progress };
                }
            }
            Reply::Cut if self.model.run.cut(id) => {}
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
            Reply::Harness { answer, is_input } => {
                if id > awaited {
                    self.model.effect(left(*answer, is_input));
                }
            }
            Reply::Invariants { invariants } => {
                if id > awaited {
                    self.save_document(invariants);
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

    /// A person has the program run, unless a run of it is on its way: an edit would have discarded
    /// that.
    pub(crate) fn run(&mut self, budgets: Budgets) {
        self.model.unasked = false;
        self.start(budgets);
    }

    /// A link or a reload has the program run, with few of the budgets until a person asks.
    pub(crate) fn run_unasked(&mut self) {
        self.model.unasked = true;
        self.start(Budgets::default());
    }

    /// Runs the program for whoever wants it.
    pub(super) fn start(&mut self, budgets: Budgets) {
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
        self.run_replaced(unanswered);
        // What nobody stopped is asked of the other worker.
        self.ask_tabs();
    }

    /// What becomes of the run.
    fn run_replaced(&mut self, unanswered: &[u32]) {
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
        // What may have broken it is not asked again by itself.
        self.tabs.iter_mut().for_each(|tab| tab.stop(&mut self.model));
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

    /// Asks for the failing run that is shown as a test, or for what it reads.
    pub(crate) fn ask_harness(&mut self, is_input: bool) {
        let place = self.present().place::<ProjectionPlace>("projection");
        let failure = place.ok().flatten().unwrap_or_default().failure;
        let Some(answer) = self.model.fresh() else { return };
        let bounded = BoundedRun::of(&answer.report, failure as usize).map(Box::new);
        let file_name = self.model.file_name();
        self.model.send(Request::Harness { file_name, failure, bounded, is_input });
    }

    /// Asks for the witness of the answer that is shown.
    pub(crate) fn ask_witness(&mut self, creation_time: String) {
        if self.model.inspectable().is_some() {
            let file_name = self.model.file_name();
            self.model.send(Request::Witness { file_name, creation_time });
        }
    }
}

/// What becomes of a failing run as a test.
fn left(answer: HarnessAnswer, is_input: bool) -> Effect {
    match (answer, is_input) {
        (HarnessAnswer::Refused(why), _) => {
            Effect::Notice(format!("There is no such file: {why}."))
        }
        (HarnessAnswer::Written(Harness { text, .. }), false) => {
            Effect::SaveText(".harness.c", text.into_bytes())
        }
        (HarnessAnswer::Written(Harness { input: Some(input), .. }), true) => {
            Effect::SaveText(".in", input)
        }
        (HarnessAnswer::Written(_), true) => Effect::Notice("The run reads no input.".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::fault::Fault;
    use crate::ui::state::said::{Ask, CUT, GO_ON, Tone};
    use crate::ui::state::testing::{asked, asked_by, done, page, read, stops};

    use crate::util::Limit;
    use crate::wire::explain::Explanation;
    use crate::wire::lab::{LabAutomaton, LabOptions, LabReport};
    use crate::wire::refinement::{RefinementAsk, RefinementReport};
    use crate::wire::report::Verdict;

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
    fn that_a_program_fails_is_said_at_once_and_outlives_the_worker() {
        let mut state = page();
        state.run(Budgets::default());
        read(&mut state);
        let nothing = state.model.abandoned(0).expect("the program was read").report;
        let report = Report { verdict: Verdict::Unsafe, limit: None, ..(*nothing).clone() };
        let id = state.model.worker.awaited;
        let reply = Reply::Improved { report };
        state.reply(ReplyMessage { id, last: false, millis: 100, reply });
        let said = state.said();
        assert_eq!((said.tone, &said.headline[..]), (Tone::Running, "It can fail"));
        state.stop();
        state.worker_replaced(&[id]);
        let said = state.said();
        assert_eq!((said.tone, &said.headline[..]), (Tone::Unsafe, "It can fail"));
        state.run(Budgets::default());
        read(&mut state);
        assert_eq!(state.said().headline, "Working…", "another run knows nothing yet");
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
    fn every_analysis_that_a_link_begins_is_unasked_until_a_person_asks() {
        for word in ["refinement", "explain", "threads", "lab"] {
            let link = format!(r#"{{ "source": "main", "view": "{word}" }}"#);
            let open = |state: &mut State| {
                state.open(serde_json::from_str(&link).expect("it is a link"));
                state.run_unasked();
                let run = asked_by(state);
                read(state);
                [run, asked_by(state)].concat()
            };
            let mut state = page();
            let began = open(&mut state);
            assert_eq!(began.len(), 2, "{word}: the check and the tab's own: {began:?}");
            assert!(began.iter().all(|(_, unasked)| *unasked), "{word}: {began:?}");
            state.asked(Ask::Again);
            let again = asked_by(&mut state);
            assert!(matches!(again[..], [(_, false)]), "{word}: {again:?}");
            open(&mut state);
            state.show("projection");
            state.model.answer = None;
            state.show(if word == "lab" { "threads" } else { "lab" });
            let other = asked_by(&mut state);
            assert!(matches!(other[..], [(_, false)]), "{word}: a person chose the tab: {other:?}");
            open(&mut state);
            state.edited("main()".into());
            state.load();
            read(&mut state);
            let edited = asked_by(&mut state);
            assert!(!edited.is_empty() && edited.iter().all(|(_, unasked)| !unasked), "{word}");
        }
    }

    #[test]
    fn the_engine_that_comes_late_runs_what_a_link_began_as_such() {
        let mut state = page();
        state.engine_failed(Fault::Slow);
        state.run_unasked();
        assert_eq!(asked_by(&mut state), []);
        state.engine_is_back();
        let sent = asked_by(&mut state);
        assert!(matches!(sent[..], [(Request::Run { .. }, true)]), "{sent:?}");
    }

    /// A link was opened on a tab, and its own work is cut short and then answered.
    fn cut(word: &str, answer: Reply) -> State {
        let mut state = page();
        let link = format!(r#"{{ "source": "main", "view": "{word}" }}"#);
        state.open(serde_json::from_str(&link).expect("it is a link"));
        state.run_unasked();
        read(&mut state);
        done(&mut state);
        let id = state.model.worker.requests;
        for (last, reply) in [(false, Reply::Cut), (true, answer)] {
            state.reply(ReplyMessage { id, last, millis: 30_000, reply });
        }
        state.settle();
        state
    }

    #[test]
    fn what_was_cut_says_so_and_goes_on_without_these_limits_when_a_person_asks() {
        let report = |limit| {
            let mut state = page();
            read(&mut state);
            let answer = state.model.abandoned(0).expect("the program was read");
            Report { limit, ..(*answer.report).clone() }
        };
        let refined = |limit| RefinementReport {
            ask: RefinementAsk::default(),
            answer: Some(report(limit)),
            rounds: Vec::new(),
            problems: Vec::new(),
            predicates: 0,
            decided: None,
            said: Vec::new(),
        };
        let explained = |limit| Explanation {
            limit,
            ..Explanation::nothing(Default::default(), String::new())
        };
        let recorded = |limit| LabReport {
            limit,
            automata: vec![LabAutomaton::default()],
            ..LabReport::nothing(LabOptions::default(), Vec::new())
        };
        for limit in [Limit::Time, Limit::Nodes] {
            let answers = [
                ("refinement", Reply::Refined { report: Box::new(refined(Some(limit))) }),
                ("explain", {
                    let (explanation, json) = (Box::new(explained(Some(limit))), String::new());
                    Reply::Explained { explanation, json }
                }),
                ("lab", Reply::Lab { report: Box::new(recorded(Some(limit))) }),
            ];
            for (word, answer) in answers {
                let mut state = cut(word, answer);
                let said = state.said();
                assert_eq!(said.asks, [GO_ON], "{word}: {said:?}");
                assert!(said.told.contains(&CUT.to_string()), "{word}: {said:?}");
                state.asked(Ask::Again);
                let again = asked_by(&mut state);
                assert!(matches!(again[..], [(_, false)]), "{word}: {again:?}");
            }
        }
        let state = cut("lab", Reply::Lab { report: Box::new(recorded(None)) });
        assert_eq!((state.said().asks, state.said().told), (vec![], vec![]), "it was done in time");
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
