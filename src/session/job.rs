//! The common interface of all analyses for their drivers (the worker's queue, the command line's
//! clock): a job that goes in steps, that can be stopped, and that reports its progress.

use crate::util::{Alarm, Limit, Progress};

/// An analysis in progress. It never blocks and knows no clock: its driver decides when to stop.
pub trait Job {
    /// Does one bounded piece of work. Returns whether the job is over, by its end or by a limit.
    fn step(&mut self) -> bool;

    /// Ends the job where it is, for a limit of the driver (its clock, a Stop button). Results so
    /// far are kept. Does nothing if the job is over.
    fn stop(&mut self, limit: Limit);

    /// The limit that ended the job early, or that left something open.
    fn limit(&self) -> Option<Limit>;

    /// The progress of the job.
    fn progress(&self) -> Progress;

    /// Sets the alarm, by which a driver with a clock looks into long operations inside one step,
    /// and ends them. It must be off again before questions are asked. Parts that the job begins
    /// later get the same alarm.
    fn set_alarm(&mut self, alarm: Alarm);

    /// Ends only the current stage, for a limit of that stage, and continues with the next one. A
    /// job whose stages need each other ends.
    fn end_stage(&mut self, limit: Limit) {
        self.stop(limit);
    }

    /// Which stage is worked on, and how much of the driver's time that is left it may take, in
    /// percent. A driver with a clock calls [`Job::end_stage`] after that.
    fn share_of_time(&self) -> (u32, u32) {
        (0, 100)
    }

    /// Runs to the end.
    fn run(&mut self) {
        while !self.step() {}
    }
}
