//! What is said of the threads' analysis: its verdict and how far it is, or why there is no
//! picture.

use super::state::{Progress, Threads, switches};
use crate::draw::words::{counted, duration, error_place, holds_for, limit_sentence};
use crate::ui::state::said::{Said, Tone};
use crate::util::Limit;
use crate::wire::threads::{ThreadsReport, ThreadsVerdict};

impl Threads {
    /// The line over the picture.
    pub(crate) fn said(&self) -> Said {
        if let Some(pending) = self.work.pending() {
            let working = Some((working(&pending.progress), !pending.stopping));
            return Said { working, ..Said::default() };
        }
        let Some(found) = &self.found else {
            return Said { again: "Analyse", ..Said::default() };
        };
        let again = "Analyse again";
        let report = match &found.report {
            Ok(report) => report,
            Err(said) => return Said { told: said.clone(), again, ..Said::default() },
        };
        let alone = match report.threads.len() {
            0 | 1 => "One thread only: nothing can be switched to. ",
            _ => "",
        };
        let stale = self.work.is_stale();
        let unknown = report.verdict == ThreadsVerdict::Unknown && report.fault.is_none();
        Said {
            verdict: Some(verdict(report)),
            told: format!(
                "{alone}{}, {}; {}",
                counted(report.threads.len() as u64, "thread"),
                duration(found.millis),
                holds_for(&report.options)
            ),
            stale: stale.then(|| "The program has changed since.".into()),
            more: unknown && !stale,
            again,
            working: None,
        }
    }

    /// What is to be read in the place of the picture, if there is none.
    pub(crate) fn in_place_of_picture(&self, broken: bool) -> Option<String> {
        let Some(report) = self.report() else {
            let said = match self.found {
                None if broken => "The program cannot be read: see its errors in the source.",
                _ if self.work.is_busy() => "Analysing…",
                _ => "Nothing was analysed yet.",
            };
            return Some(said.into());
        };
        if report.trace.is_some() {
            return None;
        }
        Some(match report.verdict {
            ThreadsVerdict::NoErrorWithinBound if report.threads.len() < 2 => {
                "This program starts no threads. The Projection says whether it can fail.".into()
            }
            ThreadsVerdict::NoErrorWithinBound => format!(
                "No interleaving with up to {} fails. More switches may: raise the bound.",
                switches(report.bound)
            ),
            _ => "There is no failing run to show.".into(),
        })
    }
}

fn working(progress: &Progress) -> String {
    let known = progress
        .no_error_up_to
        .map(|k| format!("No error up to {} so far. ", switches(k)))
        .unwrap_or_default();
    format!("{known}Analysing the threads… {}", duration(progress.millis))
}

/// The verdict in words: a bound proves nothing beyond itself.
fn verdict(report: &ThreadsReport) -> (Tone, String) {
    match report.verdict {
        ThreadsVerdict::NoErrorWithinBound => {
            (Tone::Bounded, format!("No error with up to {}", switches(report.bound)))
        }
        ThreadsVerdict::Unsafe => {
            let how = match report.switches {
                None => String::new(),
                Some(0) => " without a switch".into(),
                Some(k) => format!(" with {}, not with fewer", switches(k)),
            };
            let place = report.error.as_ref().map(|error| format!(": {}", error_place(error)));
            (Tone::Unsafe, format!("Can fail{how}{}", place.unwrap_or_default()))
        }
        ThreadsVerdict::Unknown if report.fault.is_some() => {
            (Tone::Unknown, "Fault of the engine: no answer".into())
        }
        ThreadsVerdict::Unknown => {
            let known = report
                .no_error_up_to
                .map(|k| format!("; no error with up to {}", switches(k)))
                .unwrap_or_default();
            let limit = limit_sentence(report.limit.unwrap_or(Limit::Time));
            (Tone::Unknown, format!("Unknown: {limit}{known}"))
        }
    }
}
