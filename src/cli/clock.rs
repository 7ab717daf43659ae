//! The command's one clock: it runs every job, and stops it when the time is up, also inside one
//! long step.

use super::arguments::Common;
use crate::session::{Job, Session};
use crate::util::{Alarm, Limit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// When the time is up, and the flag that says so to jobs.
pub(super) struct Clock {
    begin: Instant,
    /// `None`: never.
    end: Option<Instant>,
    alarm: Arc<AtomicBool>,
}

impl Clock {
    /// The time of `--timeout` starts now. The session, and what it begins later, gets the alarm.
    pub(super) fn new(common: &Common, session: &mut Session) -> Clock {
        let begin = Instant::now();
        let end = common.timeout.map(|seconds| begin + Duration::from_secs_f64(seconds));
        let alarm = Arc::new(AtomicBool::new(false));
        session.set_alarm(Alarm::of_flag(Arc::clone(&alarm)));
        Clock { begin, end, alarm }
    }

    /// Is the time up?
    pub(super) fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Runs a job to its end, or until the time is up.
    pub(super) fn run(&self, job: &mut dyn Job) {
        self.run_staged(job, None);
    }

    /// The same; the job's stage ends so long after the clock was started, and the job goes on with
    /// what is left.
    pub(super) fn run_staged(&self, job: &mut dyn Job, stage: Option<Duration>) {
        let mut stage_end = stage.map(|stage| self.begin + stage);
        job.set_alarm(Alarm::of_flag(Arc::clone(&self.alarm)));
        while !self.run_stage(job, &mut stage_end) {}
    }

    /// Runs the stage that a job works on, or until the stage's share of the time is up; is the job
    /// over?
    fn run_stage(&self, job: &mut dyn Job, stage_end: &mut Option<Instant>) -> bool {
        let stage = job.share_of_time();
        let now = Instant::now();
        let share = |end: Instant| now + end.saturating_duration_since(now) * stage.1 / 100;
        let end = self.end.map(share);
        let (finished, waiting) = channel::<()>();
        let timer = end.map(|end| {
            let alarm = Arc::clone(&self.alarm);
            thread::spawn(move || {
                let rest = end.saturating_duration_since(Instant::now());
                if waiting.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
                    alarm.store(true, Ordering::Relaxed);
                }
            })
        });
        let is_over = loop {
            if job.step() {
                break true;
            }
            if stage_end.take_if(|end| Instant::now() >= *end).is_some() {
                job.end_stage(Limit::Time);
            }
            if job.share_of_time() != stage {
                break false;
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                match stage.1 {
                    100 => job.stop(Limit::Time),
                    _ => job.end_stage(Limit::Time),
                }
                break false;
            }
        };
        drop(finished);
        if let Some(timer) = timer {
            // The timer gives no result. If it failed, the alarm is off.
            let _ = timer.join();
        }
        self.alarm.store(false, Ordering::Relaxed);
        is_over
    }
}
