//! What the page asks of the threads' analysis.

use serde::{Deserialize, Serialize};

/// The most switches that the page offers.
pub const MOST_SWITCHES: u32 = 12;

/// The bound, if neither the page nor the program names one.
pub const USUAL_SWITCHES: u32 = 2;

/// The methods: word, name, what each does.
pub const METHODS: [(&str, &str, &str); 2] = [
    (
        "qadeer-rehof",
        "Qadeer–Rehof",
        "The globals at each switch are enumerated: a tree (Qadeer, Rehof 2005)",
    ),
    (
        "transducer",
        "Interfaces",
        "Each thread once, as a relation between the globals of its contexts; nothing is enumerated (Lal, Touili, Kidd, Reps 2007)",
    ),
];

/// How threads are analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ThreadsAsk {
    /// At most so many context switches; `None`: as the program says, else the usual number.
    pub bound: Option<u32>,
    /// One of [`METHODS`], by its word.
    pub method: String,
}

impl Default for ThreadsAsk {
    fn default() -> Self {
        ThreadsAsk { bound: None, method: METHODS[0].0.to_string() }
    }
}
