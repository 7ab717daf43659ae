//! Random programs, one seed after another, from where the last run stopped.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Seeds between two writes of the tally.
const EVERY: u64 = 20;

/// What was counted so far.
#[derive(Default)]
pub struct Counts {
    next: u64,
    counts: BTreeMap<String, u64>,
    failed: Vec<u64>,
}

impl Counts {
    /// Adds to a count.
    pub fn add(&mut self, what: &str, count: u64) {
        *self.counts.entry(what.to_string()).or_default() += count;
    }

    fn read(file: &str, first: u64) -> Counts {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let kept: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        let numbers = |value: &Value| -> Vec<u64> {
            value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
        };
        let counts = kept["counts"].as_object().into_iter().flatten();
        Counts {
            next: kept["next"].as_u64().unwrap_or(first),
            counts: counts.map(|(k, v)| (k.clone(), v.as_u64().unwrap_or(0))).collect(),
            failed: numbers(&kept["failed"]),
        }
    }

    fn write(&self, file: &str) {
        let all = json!({ "next": self.next, "counts": self.counts, "failed": self.failed });
        std::fs::write(file, format!("{all:#}\n")).unwrap_or_else(|e| panic!("{file}: {e}"));
    }
}

/// Runs `check` on seed after seed, and writes its counts to the file that the command line names,
/// from which the next run goes on: `NAME FILE SECONDS`. A seed whose check panics is noted there.
/// `first` is the first seed of all.
pub fn go_on(first: u64, mut check: impl FnMut(u64, &mut Counts)) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds = arguments.get(1).and_then(|seconds| seconds.parse().ok());
    let (Some(file), Some(seconds)) = (arguments.first(), seconds) else {
        panic!("usage: FILE SECONDS, where FILE has the tally");
    };
    let mut counts = Counts::read(file, first);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(seconds) {
        let seed = counts.next;
        counts.next += 1;
        counts.add("programs", 1);
        let checked = catch_unwind(AssertUnwindSafe(|| check(seed, &mut counts)));
        if checked.is_err() {
            eprintln!("seed {seed} fails");
            counts.failed.push(seed);
        }
        if counts.next % EVERY == 0 || checked.is_err() {
            counts.write(file);
        }
    }
    counts.write(file);
    println!("{}", serde_json::to_string(&counts.counts).expect("numbers serialise"));
}
