//! Why there is no engine, in plain words. While there is none nothing is sent to it, and the page
//! says so in the place of the verdict.

use super::State;
use super::said::{Ask, Said, Tone};

/// What is wrong with the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The browser starts no Web Workers.
    NoWorkers,
    /// A part of it could not be loaded: which, and what the network said.
    Missing(&'static str, String),
    /// The part of it that is fetched when it is needed could not be loaded: what the network said.
    Incomplete(String),
    /// It was loaded and ended while it started.
    Broken,
    /// It should be there by now, and nothing more of it comes.
    Slow,
    /// It was there, and says nothing any more.
    Silent,
    /// It has crashed too often.
    Crashed,
}

impl Fault {
    /// May the engine get over it by itself?
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self, Fault::Slow | Fault::Silent)
    }

    /// What is wrong, and what that means.
    pub(crate) fn told(&self) -> (&'static str, String) {
        match self {
            Fault::NoWorkers => (
                "Programs cannot be checked here",
                "This browser starts no Web Workers, or they are switched off. The engine runs in \
                 one."
                    .into(),
            ),
            Fault::Missing(part, why) => (
                "The engine could not be loaded",
                format!(
                    "The server did not send {part} ({why}). Without it nothing can be checked."
                ),
            ),
            Fault::Incomplete(why) => (
                "A part of the engine is missing",
                format!(
                    "This needs a part of the engine that is loaded when it is first used, and \
                     the server did not send it ({why}). Programs in C and Cimple can be checked \
                     without it."
                ),
            ),
            Fault::Broken => (
                "The engine could not be started",
                "It ended with an error while it started. What was loaded may be damaged.".into(),
            ),
            Fault::Slow => (
                "The engine does not come",
                "A part of it has not arrived, and for eight seconds nothing more of it has come. \
                 The page goes on waiting."
                    .into(),
            ),
            Fault::Silent => (
                "Still working (more than 8 s on one step)",
                "The engine has not reported for eight seconds: the step is large, or the computer \
                 is short of memory. The page goes on waiting."
                    .into(),
            ),
            Fault::Crashed => (
                "The engine has ended several times",
                "The program probably needs more memory than the browser gives.".into(),
            ),
        }
    }

    /// The same as the verdict's place shows it.
    fn said(&self) -> Said {
        let (headline, why) = self.told();
        Said {
            tone: Tone::Faulty,
            headline: headline.into(),
            told: vec![why, "Your program stays as it is.".into()],
            asks: vec![(Ask::Engine, "Try again")],
            ..Said::default()
        }
    }
}

impl State {
    /// What the page says in the place of a verdict if there is no engine.
    pub(super) fn said_of_fault(&self) -> Option<Said> {
        self.model.fault.as_ref().map(Fault::said)
    }

    /// There is no engine, or it is late. What is on its way may still arrive if it is only late.
    pub(crate) fn engine_failed(&mut self, fault: Fault) {
        if !fault.may_pass() {
            self.forget_tabs_worker();
            let was_running = self.model.run.is_busy();
            self.model.run.lose_worker();
            if was_running {
                self.model.run.invalidate();
            }
        }
        self.model.fault = Some(fault);
    }

    /// The user asks for something else, or again: a missing part of the engine is no reason any
    /// more not to ask. The workers were started anew when it was missing.
    pub(super) fn forget_what_is_missing(&mut self) {
        if self.model.fault.take_if(|fault| matches!(fault, Fault::Incomplete(_))).is_some() {
            self.model.draw();
        }
    }

    /// The user tries again: the engine is on its way. What was on its way is asked for again, as
    /// soon as it is there.
    pub(crate) fn engine_starts_anew(&mut self) {
        let is_unanswered = self.model.fresh().is_none();
        (self.model.fault, self.model.is_owed) = (None, false);
        self.forget_tabs_worker();
        self.model.run.lose_worker();
        self.ask_anew(is_unanswered);
        // A picture may have been on its way.
        self.model.draw();
    }

    /// The engine was late and has come. Work that is on its way goes on.
    pub(crate) fn engine_is_back(&mut self) {
        self.model.fault = None;
        if std::mem::take(&mut self.model.is_owed) {
            self.ask_anew(self.model.fresh().is_none());
        }
    }

    /// The engine knows nothing of the present program: has it run, if that was wanted and is not
    /// answered, or only read.
    fn ask_anew(&mut self, is_unanswered: bool) {
        if is_unanswered && self.model.wanted {
            self.model.run.invalidate();
            self.start(self.model.budgets);
        } else {
            self.load();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::testing::{asked, done, page, read};
    use crate::util::Budgets;
    use crate::wire::protocol::Request;

    #[test]
    fn without_an_engine_nothing_runs_and_trying_again_runs_what_was_asked_for() {
        let mut state = page();
        state.run(Budgets::default());
        assert!(state.is_working());
        state.settle();
        state.engine_failed(Fault::NoWorkers);
        assert!(!state.is_working() && !state.model.run.is_busy());
        let said = state.said();
        assert_eq!((said.tone, said.asks.len()), (Tone::Faulty, 1));
        state.run(Budgets::default());
        state.show("refinement");
        state.load();
        assert_eq!(asked(&mut state), []);
        assert_eq!(state.model.source, "main");
        state.show("");
        state.engine_starts_anew();
        assert!(matches!(asked(&mut state)[..], [Request::Run { .. }]));
        read(&mut state);
        done(&mut state);
        assert!(state.model.inspectable().is_some());
    }

    #[test]
    fn an_engine_that_was_late_goes_on_with_what_it_has() {
        let mut state = page();
        state.run(Budgets::default());
        state.settle();
        state.engine_failed(Fault::Silent);
        assert!(!state.is_working(), "the page does not say that it works");
        state.engine_is_back();
        assert_eq!(asked(&mut state), [], "the run is still on its way");
        assert!(state.is_working());
        read(&mut state);
        done(&mut state);
        assert!(state.model.inspectable().is_some());
    }

    #[test]
    fn what_was_typed_meanwhile_is_read_when_the_engine_is_back() {
        let mut state = page();
        state.load();
        state.settle();
        state.engine_failed(Fault::Slow);
        state.edited("main()".into());
        state.load();
        assert_eq!(asked(&mut state), []);
        state.engine_is_back();
        assert!(
            matches!(&asked(&mut state)[..], [Request::Load { source, .. }] if source == "main()")
        );
    }

    #[test]
    fn while_a_part_is_missing_the_next_question_is_asked_all_the_same() {
        let missing = || Fault::Incomplete("no answer".into());
        let mut state = page();
        state.run(Budgets::default());
        read(&mut state);
        done(&mut state);
        state.show("lab");
        state.settle();
        state.engine_failed(missing());
        assert_eq!(state.said().tone, Tone::Faulty);
        assert_eq!(asked(&mut state), [], "nothing is asked by itself");
        state.show("");
        assert_eq!(state.model.fault, None);
        assert!(state.model.fresh().is_some(), "the answer stays");
        state.engine_failed(missing());
        state.edited("main()".into());
        state.load();
        let asked = asked(&mut state);
        assert!(matches!(&asked[..], [.., Request::Load { source, .. }] if source == "main()"));
    }

    #[test]
    fn an_answer_stays_when_the_engine_dies_after_it() {
        let mut state = page();
        state.run(Budgets::default());
        read(&mut state);
        done(&mut state);
        state.engine_failed(Fault::Crashed);
        assert!(state.model.fresh().is_some());
        assert_eq!(state.said().tone, Tone::Faulty);
        state.settle();
        state.engine_starts_anew();
        assert!(matches!(asked(&mut state)[..], [Request::Load { .. }]));
        assert!(state.model.fresh().is_some());
    }
}
