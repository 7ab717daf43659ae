//! How many inputs a target has seen, and how many of them it accepted.
//!
//! libFuzzer ends its process without notice, so that the tally is written while it runs: to the
//! file that `FUZZ_TALLY` names, every few inputs.

#[cfg(not(fuzzing))]
use std::sync::atomic::AtomicU8;
use std::sync::atomic::{AtomicU64, Ordering};

static SEEN: AtomicU64 = AtomicU64::new(0);
static ACCEPTED: AtomicU64 = AtomicU64::new(0);

/// Inputs between two writes; the first ones are written one by one.
const EVERY: u64 = 16;

/// Without coverage libFuzzer knows no reason to keep an input and change it again. So each gets a
/// mark of its own, as long as there are any: a byte among what it takes for counters of the
/// program's own (its `FuzzerExtraCounters.cpp`).
#[cfg(not(fuzzing))]
#[used]
#[unsafe(link_section = "__libfuzzer_extra_counters")]
static MARKS: [AtomicU8; 4096] = [const { AtomicU8::new(0) }; 4096];

/// Counts one input.
pub fn count(accepted: bool) {
    let seen = SEEN.fetch_add(1, Ordering::Relaxed) + 1;
    #[cfg(not(fuzzing))]
    MARKS[seen as usize % MARKS.len()].store(1, Ordering::Relaxed);
    let all = ACCEPTED.fetch_add(u64::from(accepted), Ordering::Relaxed) + u64::from(accepted);
    if (seen < EVERY || seen % EVERY == 0)
        && let Some(file) = std::env::var_os("FUZZ_TALLY")
    {
        // A tally that cannot be written is no finding.
        let _ = std::fs::write(file, format!("{seen} {all}\n"));
    }
}
