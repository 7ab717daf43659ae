//! What is said of an explanation: its verdict and how far it is, or why there is nothing to show.

use super::state::Explain;
use crate::draw::widths::narrow_words;
use crate::draw::words::{counted, duration, error_place, limit_sentence};
use crate::ui::state::said::{Said, Tone};
use crate::util::Stage;
use crate::wire::explain::Explanation;
use crate::wire::localize::SearchEnd;
use crate::wire::report::Verdict;

impl Explain {
    /// The line over the picture.
    pub(crate) fn said(&self) -> Said {
        let working = self.work.pending().map(|pending| (working(self), !pending.stopping));
        let Some(found) = self.found.as_ref().filter(|found| found.problem.is_empty()) else {
            let again = if self.work.is_stopped() { "Explain" } else { "" };
            return Said { working, again, ..Said::default() };
        };
        let (fresh, idle) = (self.work.is_fresh(), !self.work.is_busy());
        let mut told = counts(found);
        if idle {
            told.push(duration(self.millis));
        }
        let limited = found.verdict == Verdict::Unknown
            || found.cut.is_some()
            || found.ended == Some(SearchEnd::Limit) && found.verdict == Verdict::Unsafe;
        let stale = !fresh && idle;
        Said {
            verdict: Some(verdict(found)),
            told: told.join(", "),
            working,
            stale: stale.then(|| "The program has changed since.".into()),
            more: limited && idle && fresh && found.fault.is_none(),
            again: if stale { "Explain again" } else { "" },
        }
    }

    /// Why there is nothing to show, in a sentence.
    pub(crate) fn in_place_of_picture(&self, broken: bool) -> Option<String> {
        const LOOKING: &str = "Looking for failing runs…";
        let busy = self.work.is_busy();
        let said = match &self.found {
            None if broken => "The program cannot be read: see its errors in the source.",
            None if busy => LOOKING,
            None => "Nothing was explained yet.",
            Some(found) if !found.problem.is_empty() => &found.problem,
            Some(found) if !found.causes.is_empty() || !found.sequences.is_empty() => return None,
            Some(found) if found.verdict == Verdict::Safe => {
                "No run of this program fails, so there is nothing to explain.\nChange it, or open \
                 an example whose name begins with Explain."
            }
            Some(_) if busy => LOOKING,
            Some(_) => return None,
        };
        Some(said.into())
    }
}

fn working(explain: &Explain) -> String {
    let Some(pending) = explain.work.pending() else { return String::new() };
    let what = match pending.progress.stage {
        Stage::Causes => "Looking for causes…",
        Stage::Sequences => "Looking for the ways to fail…",
        Stage::Suspects => "Executing small changes…",
        _ => "Trying repairs…",
    };
    match pending.progress.millis {
        0..1_000 => what.into(),
        millis => format!("{what} {}", duration(millis)),
    }
}

fn verdict(found: &Explanation) -> (Tone, String) {
    let narrow = found.options.as_ref().map(narrow_words).unwrap_or_default();
    let said = match (found.verdict, &found.error) {
        (Verdict::Unsafe, Some(error)) => format!("Can fail{narrow}: {}", error_place(error)),
        (Verdict::Unsafe, None) => format!("Can fail{narrow}"),
        (Verdict::Safe, _) => format!("Safe{narrow}"),
        (Verdict::Unknown, _) if found.fault.is_some() => "Fault of the engine: no answer".into(),
        (Verdict::Unknown, _) => found
            .limit
            .map_or("Unknown".into(), |limit| format!("Unknown: {}", limit_sentence(limit))),
    };
    (found.verdict.into(), said)
}

/// What was found, in numbers.
fn counts(found: &Explanation) -> Vec<String> {
    let mut told = Vec::new();
    if !found.causes.is_empty() {
        let independent = found.ended == Some(SearchEnd::NoError) && found.causes.len() > 1;
        let how = if independent { " with independent causes" } else { "" };
        told.push(counted(found.causes.len() as u64, "failing run") + how);
    }
    if !found.sequences.is_empty() {
        let how = if found.complete { " to fail" } else { " to fail, or more" };
        told.push(counted(found.sequences.len() as u64, "way") + how);
    }
    told
}
