//! The one verdict of the page: that of the tab that is shown. What other tabs know is one line.
//! A program leads to a tab that is made for it.

use super::State;
use super::said::{Ask, Said};
use crate::wire::report::Note;

/// What another tab knows, in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The tab's word and name.
    pub(crate) tab: (&'static str, &'static str),
    pub(crate) said: String,
}

impl State {
    /// What the tab that is shown says.
    pub(crate) fn said(&self) -> Said {
        if let Some(said) = self.said_of_fault() {
            return said;
        }
        let run = self.model.run.pending().filter(|_| !self.model.worker.heard);
        match run {
            Some(run) => Said::working("Reading the program".into(), run.stopping),
            None if self.model.is_bounded && self.tab().needs_program() => {
                Said::only_bounded(self.tab().name(), &self.model.diagnostics)
            }
            None => self.tab().said(&self.model),
        }
    }

    /// What the other tabs know about the present program.
    pub(crate) fn known_elsewhere(&self) -> Vec<Known> {
        if self.model.broken() || self.model.is_blank() {
            return Vec::new();
        }
        let others = self.tabs.iter().filter(|tab| tab.word() != self.model.shown);
        let known = others.filter_map(|tab| {
            Some(Known { tab: (tab.word(), tab.name()), said: tab.knows(&self.model)? })
        });
        known.collect()
    }

    /// What is marked beside lines of the program, whichever tab is shown.
    pub(crate) fn notes(&self) -> Vec<Note> {
        self.model.fresh().map_or_else(Vec::new, |answer| answer.report.notes.clone())
    }

    /// Does the tab that is shown work, or the check?
    pub(crate) fn is_working(&self) -> bool {
        let is_possible = self.model.fault.is_none();
        is_possible && (self.model.run.is_busy() || !self.said().working.is_empty())
    }

    /// Was this work told to stop?
    pub(crate) fn is_stopping(&self) -> bool {
        self.model.run.pending().is_some_and(|run| run.stopping) || self.said().stopping
    }

    /// The first tab that is made for such programs.
    pub(crate) fn suitable(&self) -> Option<&'static str> {
        self.tabs.iter().find(|tab| tab.suits(&self.model)).map(|tab| tab.word())
    }

    /// A program that was put into the page is read, and about to run: if the tab that is shown is
    /// not made for it, and nobody chose the tab for this program, another tab is shown.
    pub(super) fn lead(&mut self) {
        if self.model.chosen || self.tab().suits(&self.model) {
            return;
        }
        if let Some(word) = self.suitable() {
            self.turn_to(word);
        }
    }

    /// A button beside the verdict was pressed.
    pub(crate) fn asked(&mut self, ask: Ask) {
        let (tab, model) = self.tab_mut();
        tab.work(ask, model);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::said::Tone;
    use crate::ui::state::testing::{asked, failed, page, read, read_threads};
    use crate::util::Budgets;

    #[test]
    fn a_program_with_threads_leads_to_their_tab_unless_another_was_chosen() {
        let mut state = page();
        state.run(Budgets::default());
        read_threads(&mut state);
        assert_eq!(state.model.shown, "threads");
        state.replace_source("main".into());
        state.run(Budgets::default());
        read(&mut state);
        assert_eq!(state.model.shown, "projection", "and one without threads leads back");
        state.show("explain");
        state.run(Budgets::default());
        read_threads(&mut state);
        assert_eq!(state.model.shown, "explain");
        state.settle();
        // Typing changes no tab.
        let mut state = page();
        state.edited("main thread".into());
        state.load();
        read_threads(&mut state);
        assert_eq!(state.model.shown, "projection");
    }

    #[test]
    fn only_the_tab_that_is_shown_gives_a_verdict_and_the_others_a_line() {
        let mut state = page();
        state.run(Budgets::default());
        assert_eq!(state.said().tone, Tone::Running);
        assert!(state.is_working());
        failed(&mut state);
        assert_eq!((state.said().tone, state.known_elsewhere().len()), (Tone::Unsafe, 0));
        state.show("refinement");
        assert!(!asked(&mut state).is_empty());
        assert_eq!(state.said().tone, Tone::Running);
        let known = state.known_elsewhere();
        assert_eq!((known.len(), known[0].tab.0), (1, "projection"));
        state.edited("x".into());
        assert!(state.known_elsewhere().is_empty(), "what is stale is not known");
    }

    #[test]
    fn no_tab_calls_threads_unknown_where_another_tab_follows_them() {
        let said = Said::one_thread("Projection");
        assert_eq!(said.tone, Tone::Refused);
        assert!(!said.headline.to_lowercase().contains("unknown"));
    }
}
