//! The command's one clock: it runs every job, and stops it when the time is up, also inside one
//! long step.

use super::arguments::Common;
use crate::session::{Job, Session};
use crate::util::Limit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// When the time is up, and the flag that says so to jobs.
pub(super) struct Clock {
    /// `None`: never.
    end: Option<Instant>,
    alarm: Arc<AtomicBool>,
}

impl Clock {
    /// The time of `--timeout` starts now. The session, and what it begins later, gets the alarm.
    pub(super) fn new(common: &Common, session: &mut Session) -> Clock {
        let end = common.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
        let alarm = Arc::new(AtomicBool::new(false));
        session.set_alarm(Arc::clone(&alarm));
        Clock { end, alarm }
    }

    /// Is the time up?
    pub(super) fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Runs a job to its end, or until the time is up.
    pub(super) fn run(&self, job: &mut dyn Job) {
        job.set_alarm(Arc::clone(&self.alarm));
        let (finished, waiting) = channel::<()>();
        let timer = self.end.map(|end| {
            let alarm = Arc::clone(&self.alarm);
            thread::spawn(move || {
                let rest = end.saturating_duration_since(Instant::now());
                if waiting.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
                    alarm.store(true, Ordering::Relaxed);
                }
            })
        });
        while !job.step() {
            if self.is_over() {
                job.stop(Limit::Time);
            }
        }
        drop(finished);
        if let Some(timer) = timer {
            // The timer gives no result. If it failed, the alarm is off.
            let _ = timer.join();
        }
        self.alarm.store(false, Ordering::Relaxed);
    }
}
