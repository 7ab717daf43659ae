//! What is said of tests first: how many pass, or how far the work is.

use super::exercise::passing;
use super::state::Tests;
use crate::ui::state::model::Model;
use crate::ui::state::said::{Ask, Said, Tone};
use crate::wire::testing::{RefusedView, TestVerdict, TestsAnswer, TestsView};

impl Tests {
    /// The answer, or how far the work is.
    pub(super) fn verdict(&self, model: &Model) -> Said {
        let works = [
            (&self.running, "Running the tests"),
            (&self.explaining, "Trying changes of the program"),
            (&self.comparing, "Looking for an input on which both differ"),
        ];
        let said =
            match works.iter().find_map(|(asked, doing)| Some((asked.work.pending()?, doing))) {
                Some((pending, doing)) => Said::working(doing.to_string(), pending.stopping),
                None => self.answer(model),
            };
        Said { of_text: true, ..said }
    }

    fn answer(&self, model: &Model) -> Said {
        let run_tests = (Ask::Again, "Run tests");
        let Some(found) = self.found.as_deref() else {
            if !self.has_tests(&model.source) {
                return Said {
                    headline: "There are no tests yet".into(),
                    told: vec!["Add one: what the program reads, and what it should print.".into()],
                    ..Said::default()
                };
            }
            let stopped = self.running.work.is_stopped();
            let headline = if stopped { "It was stopped" } else { "The tests were not run yet" };
            return Said { headline: headline.into(), asks: vec![run_tests], ..Said::default() };
        };
        match found {
            TestsAnswer::Refused(why) if !self.is_stale() => Said {
                tone: Tone::Refused,
                headline: "The tests cannot be run".into(),
                told: vec![refusal(why)],
                ..Said::default()
            },
            TestsAnswer::Refused(_) => Said::stale("The tests cannot be run", run_tests.1),
            TestsAnswer::Report(found) => {
                let headline = match &self.doing {
                    // What a hidden test prints is not said.
                    Some(doing) => self.marked(found, &doing.exercise.title),
                    None => found.headline.trim_end_matches('.').replace(". ", ": "),
                };
                if self.is_stale() {
                    return Said::stale(&headline, run_tests.1);
                }
                Said {
                    tone: match found.verdict {
                        TestVerdict::Passes => Tone::Safe,
                        TestVerdict::Fails => Tone::Unsafe,
                        TestVerdict::Unknown => Tone::Unknown,
                    },
                    headline,
                    told: match found.verdict {
                        TestVerdict::Passes if self.doing.is_none() => {
                            vec!["Tests say nothing of other inputs: a reference does.".into()]
                        }
                        _ => Vec::new(),
                    },
                    ..Said::default()
                }
            }
        }
    }

    /// How far an exercise is.
    fn marked(&self, found: &TestsView, title: &str) -> String {
        let (passed, of) = (passing(&found.tests), found.tests.len());
        match found.verdict {
            _ if self.is_done() => format!("{title}: done"),
            TestVerdict::Passes => format!("{title}: all {of} tests pass"),
            _ => format!("{title}: {passed} of {of} tests pass"),
        }
    }

    /// The same in a few words.
    pub(super) fn known(&self) -> Option<String> {
        let found = self.report().filter(|_| !self.is_stale())?;
        Some(format!("{} of {} tests pass", passing(&found.tests), found.tests.len()))
    }
}

/// Why there is no answer, in one sentence and its hint.
pub(super) fn refusal(why: &RefusedView) -> String {
    let line = why.line.map(|line| format!("Line {line}: ")).unwrap_or_default();
    let hint = if why.hint.is_empty() { String::new() } else { format!(" — {}", why.hint) };
    format!("{line}{}{hint}", why.message)
}
