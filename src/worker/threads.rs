//! Threads under a bound behind messages: worked off in slices.

use super::driver::Driver;
use crate::session::{self, ThreadsMethod, ThreadsOptions, ThreadsSession};
use crate::util::Limit;
use crate::view::protocol::{Budgets, Reply};
use crate::view::threads_ask::{ThreadsAsk, USUAL_SWITCHES};
use crate::view::threads_report;
use std::rc::Rc;

/// Milliseconds between two reports of progress.
const PROGRESS: f64 = 100.0;

/// An analysis in progress.
pub(super) struct Threading {
    id: u32,
    session: ThreadsSession,
    began: f64,
    reported: f64,
    max_millis: Option<u64>,
}

impl Driver {
    /// Begins an analysis; true if slices are now to be worked off.
    pub(super) fn analyse_threads(&mut self, id: u32, ask: &ThreadsAsk, budgets: Budgets, now: f64, post: &mut dyn FnMut(Reply)) -> bool {
        let was_busy = self.is_busy();
        self.threading = None;
        let Some((session, program)) = self.session.as_ref().and_then(|session| Some((session, session.program()?))) else {
            let problem = Some("A pushdown system has no threads.".to_string());
            post(Reply::Threaded { id, report: None, problem, millis: 0 });
            return false;
        };
        let limits = session::Budgets { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps, ..session::Budgets::default() };
        let asked = ThreadsOptions { switches: ask.bound.or(session.options().switches).unwrap_or(USUAL_SWITCHES), at: None };
        let method = if ask.method == "transducer" { ThreadsMethod::Transducer } else { ThreadsMethod::QadeerRehof };
        let session = ThreadsSession::by(method, Rc::new(program.clone()), session.options(), asked, limits);
        self.threading = Some(Threading { id, session, began: now, reported: now, max_millis: budgets.max_millis });
        !was_busy
    }

    /// Ends the analysis with this number where it is.
    pub(super) fn stop_threads(&mut self, id: u32, now: f64, post: &mut dyn FnMut(Reply)) {
        if let Some(mut threading) = self.threading.take_if(|threading| threading.id == id) {
            threading.session.stop(Limit::Time);
            threading.tell(now, post);
        }
    }

    /// Works on it for at most so many milliseconds; true if there is more to do.
    pub(super) fn slice_threads(&mut self, clock: &impl Fn() -> f64, slice: f64, post: &mut dyn FnMut(Reply)) -> bool {
        let Some(threading) = &mut self.threading else { return false };
        let start = clock();
        while !threading.session.step() {
            let now = clock();
            if threading.max_millis.is_some_and(|most| now - threading.began > most as f64) {
                threading.session.stop(Limit::Time);
                break;
            }
            if now - start > slice {
                if now - threading.reported > PROGRESS {
                    threading.reported = now;
                    let (phase, millis) = ("Analysing the threads".to_string(), (now - threading.began) as u64);
                    post(Reply::Threading { id: threading.id, phase, no_error_up_to: threading.session.no_error_up_to(), millis });
                }
                return true;
            }
        }
        if let Some(mut threading) = self.threading.take() {
            threading.tell(clock(), post);
        }
        false
    }
}

impl Threading {
    fn tell(&mut self, now: f64, post: &mut dyn FnMut(Reply)) {
        let report = Some(Box::new(threads_report(&mut self.session)));
        post(Reply::Threaded { id: self.id, report, problem: None, millis: (now - self.began) as u64 });
    }
}
