//! The command's clock: when the time is up, a session is stopped, also inside one long step.

use super::arguments::Common;
use crate::session::{Job, Session};
use crate::util::Limit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// When the time will be up, and the flag that says so.
pub(super) struct Clock {
    /// `None`: never.
    pub(super) end: Option<Instant>,
    alarm: Arc<AtomicBool>,
}

impl Clock {
    /// Starts now; the session is to be started after this.
    pub(super) fn new(common: &Common, session: &mut Session) -> Clock {
        let alarm = Arc::new(AtomicBool::new(false));
        session.set_alarm(Arc::clone(&alarm));
        Clock {
            end: common.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds)),
            alarm,
        }
    }

    /// The flag that goes on when the time is up.
    pub(super) fn alarm(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.alarm)
    }

    /// Steps to the end, or until the time is up.
    pub(super) fn run(&self, session: &mut impl Job) {
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
        while !session.step() {
            if self.end.is_some_and(|end| Instant::now() >= end) {
                session.stop(Limit::Time);
            }
        }
        drop(finished);
        if let Some(timer) = timer {
            // It has nothing to say, and what it could fail at leaves the alarm off.
            let _ = timer.join();
        }
        self.alarm.store(false, Ordering::Relaxed);
    }
}
