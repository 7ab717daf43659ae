//! Time spent by this thread, not by the machine's other work.

use std::time::Instant;

/// Seconds of processor time of this thread where the system tells it (Linux), else of the clock on
/// the wall.
pub(crate) struct Clock {
    started: Instant,
}

impl Clock {
    pub(crate) fn new() -> Clock {
        Clock { started: Instant::now() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        let nanoseconds =
            std::fs::read_to_string("/proc/thread-self/schedstat").ok().and_then(|text| {
                text.split_whitespace().next().and_then(|first| first.parse::<u64>().ok())
            });
        match nanoseconds {
            Some(nanoseconds) => nanoseconds as f64 * 1e-9,
            None => self.started.elapsed().as_secs_f64(),
        }
    }
}
