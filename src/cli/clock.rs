//! The command's one clock: it runs every job, and stops it when the time is up, also inside one
//! long step.

use super::arguments::Common;
use crate::session::{Budgets, Job, Session, Task};
use crate::util::{Alarm, Limit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Stops the jobs of a clock from another thread, for good.
#[derive(Clone, Default)]
pub(super) struct Stop {
    stopped: Arc<AtomicBool>,
    /// On while operations must end; also at the end of a stage.
    alarm: Arc<AtomicBool>,
}

impl Stop {
    /// Stops what runs, and what would run later.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.alarm.store(true, Ordering::SeqCst);
    }

    /// Was it stopped?
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }
}

/// When the time is up, and the flag that says so to jobs.
pub(super) struct Clock {
    begin: Instant,
    /// `None`: never.
    end: Option<Instant>,
    stop: Stop,
}

impl Clock {
    /// The time of `--timeout` starts now. The session, and what it begins later, gets the alarm.
    pub(super) fn new(common: &Common, session: &mut Session) -> Clock {
        Clock::with_stop(common.timeout, Stop::default(), session)
    }

    /// The same for so many seconds (`None`: for ever).
    pub(super) fn of(seconds: Option<f64>, session: &mut Session) -> Clock {
        Clock::with_stop(seconds, Stop::default(), session)
    }

    /// The same for so many seconds (`None`: for ever), or until another thread stops it.
    pub(super) fn with_stop(seconds: Option<f64>, stop: Stop, session: &mut Session) -> Clock {
        let begin = Instant::now();
        let end = seconds.map(|seconds| begin + Duration::from_secs_f64(seconds));
        session.set_alarm(Alarm::of_flag(Arc::clone(&stop.alarm)));
        Clock { begin, end, stop }
    }

    /// Is the time up?
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Runs a job to its end, or until the time is up.
    pub(super) fn run(&self, job: &mut dyn Job) {
        self.run_staged(job, None);
    }

    /// The same; the job's stage ends so long after the clock was started, and the job goes on with
    /// what is left.
    pub(super) fn run_staged(&self, job: &mut dyn Job, stage: Option<Duration>) {
        let mut stage_end = stage.map(|stage| self.begin + stage);
        job.set_alarm(Alarm::of_flag(Arc::clone(&self.stop.alarm)));
        while !self.run_stage(job, &mut stage_end) {
            // What would come next does not begin once the time is up.
            if self.is_over() {
                job.stop(Limit::Time);
                break;
            }
        }
    }

    /// Begins a run. Its statements become relations here, which the end of the time ends.
    pub(super) fn start(&self, session: &mut Session, task: Task, budgets: Budgets) {
        self.during(|| session.start(task, budgets));
    }

    /// Does work that is no job: its operations end when the time is up.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let timer = self.end.map(|end| self.timer(end));
        let done = work();
        self.silence(timer);
        done
    }

    /// Ends a timer, and its alarm unless the clock was stopped for good.
    fn silence(&self, timer: Option<Timer>) {
        drop(timer);
        self.stop.alarm.store(self.stop.is_stopped(), Ordering::SeqCst);
    }

    /// Runs the stage that a job works on, or until the stage's share of the time is up; is the job
    /// over?
    fn run_stage(&self, job: &mut dyn Job, stage_end: &mut Option<Instant>) -> bool {
        let stage = job.share_of_time();
        let now = Instant::now();
        let share = |end: Instant| now + end.saturating_duration_since(now) * stage.1 / 100;
        let end = self.end.map(share);
        let timer = end.map(|end| self.timer(end));
        let is_over = loop {
            if self.stop.is_stopped() {
                job.stop(Limit::Time);
                break true;
            }
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
        self.silence(timer);
        is_over
    }

    /// Raises the alarm at this moment, unless it is dropped before.
    fn timer(&self, end: Instant) -> Timer {
        let (finished, waiting) = channel::<()>();
        let alarm = Arc::clone(&self.stop.alarm);
        let thread = thread::spawn(move || {
            let rest = end.saturating_duration_since(Instant::now());
            if waiting.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
                alarm.store(true, Ordering::Relaxed);
            }
        });
        Timer { running: Some((finished, thread)) }
    }
}

/// A thread that waits to raise the alarm.
struct Timer {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some((finished, thread)) = self.running.take() {
            drop(finished);
            // The thread gives no result. If it failed, the alarm is off.
            let _ = thread.join();
        }
    }
}
