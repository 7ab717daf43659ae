//! What every analysis is to its driver (the worker's queue, the command line's clock): a job that
//! goes in steps, can be stopped, and says how far it is.

use crate::util::{Limit, Progress};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An analysis in progress. It never blocks and knows no clock: its driver decides when to stop.
pub trait Job {
    /// Does one bounded piece of work; is the job over, by its end or by a limit?
    fn step(&mut self) -> bool;

    /// Ends the job where it is, for a limit that the driver keeps (its clock, a Stop button). What
    /// was found stays. Does nothing if the job is over.
    fn stop(&mut self, limit: Limit);

    /// The limit that ended the job early, or that left something open.
    fn limit(&self) -> Option<Limit>;

    /// How far the job is.
    fn progress(&self) -> Progress;

    /// A flag by which a driver with a clock ends what takes long inside one step: while it is on,
    /// the kernel's operations end with [`Limit::Time`]. It must be off again before answers are
    /// asked for. What the job begins later gets the same flag.
    fn set_alarm(&mut self, alarm: Arc<AtomicBool>);

    /// Ends only the stage that is worked on, for a limit of that stage, and goes on with the next
    /// one. A job whose stages need each other ends.
    fn end_stage(&mut self, limit: Limit) {
        self.stop(limit);
    }

    /// Runs to the end.
    fn run(&mut self) {
        while !self.step() {}
    }
}
