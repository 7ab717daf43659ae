//! Threads under a bound behind messages: worked off in slices.

use super::driver::Driver;
use crate::report::threads_found;
use crate::report::threads_report;
use crate::session::{self, Job, ThreadsMethod, ThreadsOptions, ThreadsSession};
use crate::util::Limit;
use crate::wire::protocol::{Budgets, Reply};
use crate::wire::threads_ask::{ThreadsAsk, USUAL_SWITCHES};
use std::rc::Rc;

/// Milliseconds between two reports of progress.
const PROGRESS: f64 = 100.0;

/// Budgets of the method that is run beside the one that was asked for.
const BESIDE_NODES: u64 = 1_000_000;
const BESIDE_STEPS: u64 = 50_000_000;
const BESIDE_MILLIS: u64 = 5_000;

/// An analysis in progress.
pub(super) struct Threading {
    id: u32,
    session: ThreadsSession,
    began: f64,
    reported: f64,
    max_millis: Option<u64>,
    /// Is it the other method's, after the answer?
    beside: bool,
}

impl Driver {
    /// Begins an analysis; true if slices are now to be worked off.
    pub(super) fn analyse_threads(
        &mut self,
        id: u32,
        ask: &ThreadsAsk,
        budgets: Budgets,
        now: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let was_busy = self.is_busy();
        self.threading = None;
        let Some((session, program)) =
            self.session.as_ref().and_then(|session| Some((session, session.program()?)))
        else {
            let problem = Some("A pushdown system has no threads.".to_string());
            post(Reply::Threaded { id, report: None, problem, millis: 0 });
            return false;
        };
        let limits = session::Budgets {
            max_nodes: budgets.max_nodes,
            max_steps: budgets.max_steps,
            ..session::Budgets::default()
        };
        let asked = ThreadsOptions {
            switches: ask.bound.or(session.options().switches).unwrap_or(USUAL_SWITCHES),
            at: None,
        };
        let method = if ask.method == "transducer" {
            ThreadsMethod::Transducer
        } else {
            ThreadsMethod::QadeerRehof
        };
        let session =
            ThreadsSession::by(method, Rc::new(program.clone()), session.options(), asked, limits);
        self.threading = Some(Threading {
            id,
            session,
            began: now,
            reported: now,
            max_millis: budgets.max_millis,
            beside: false,
        });
        !was_busy
    }

    /// Ends the analysis with this number where it is.
    pub(super) fn stop_threads(&mut self, id: u32, now: f64, post: &mut dyn FnMut(Reply)) {
        if let Some(mut threading) = self.threading.take_if(|threading| threading.id == id) {
            threading.session.stop(Limit::Time);
            threading.tell(now, post);
        }
    }

    /// The same question for the other method: what it builds is shown beside, within budgets that
    /// nobody waits for.
    fn beside(&self, first: &Threading, now: f64) -> Option<Threading> {
        let (session, program) =
            self.session.as_ref().and_then(|session| Some((session, session.program()?)))?;
        let method = match first.session.method() {
            ThreadsMethod::QadeerRehof => ThreadsMethod::Transducer,
            ThreadsMethod::Transducer => ThreadsMethod::QadeerRehof,
        };
        let limits = session::Budgets {
            max_nodes: BESIDE_NODES,
            max_steps: BESIDE_STEPS,
            ..session::Budgets::default()
        };
        let other = ThreadsSession::by(
            method,
            Rc::new(program.clone()),
            session.options(),
            first.session.asked(),
            limits,
        );
        Some(Threading {
            id: first.id,
            session: other,
            began: now,
            reported: now,
            max_millis: Some(BESIDE_MILLIS),
            beside: true,
        })
    }

    /// Works on it for at most so many milliseconds; true if there is more to do.
    pub(super) fn slice_threads(
        &mut self,
        clock: &impl Fn() -> f64,
        slice: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let Some(threading) = &mut self.threading else { return false };
        let start = clock();
        while !threading.session.step() {
            let now = clock();
            if threading.max_millis.is_some_and(|most| now - threading.began > most as f64) {
                threading.session.stop(Limit::Time);
                break;
            }
            if now - start > slice {
                if now - threading.reported > PROGRESS && !threading.beside {
                    threading.reported = now;
                    let (phase, millis) =
                        ("Analysing the threads".to_string(), (now - threading.began) as u64);
                    post(Reply::Threading {
                        id: threading.id,
                        phase,
                        no_error_up_to: threading.session.no_error_up_to(),
                        millis,
                    });
                }
                return true;
            }
        }
        if let Some(mut threading) = self.threading.take() {
            threading.tell(clock(), post);
            if !threading.beside {
                self.threading = self.beside(&threading, clock());
            }
        }
        self.threading.is_some()
    }
}

impl Threading {
    fn tell(&mut self, now: f64, post: &mut dyn FnMut(Reply)) {
        if self.beside {
            post(Reply::ThreadsBeside {
                id: self.id,
                found: Box::new(threads_found(&self.session)),
            });
            return;
        }
        let report = Some(Box::new(threads_report(&mut self.session)));
        post(Reply::Threaded {
            id: self.id,
            report,
            problem: None,
            millis: (now - self.began) as u64,
        });
    }
}
