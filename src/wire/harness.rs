//! A failing run as a test: a C file that fails in the same place.

use crate::wire::report::{ErrorReport, Report};
use serde::{Deserialize, Serialize};

/// The answer to who asks for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HarnessAnswer {
    /// It was written, and fails in the same place when it is executed.
    Written(Harness),
    /// There is none: why, in one sentence.
    Refused(String),
}

/// A failing run as a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Harness {
    /// The C file.
    pub text: String,
    /// What the run reads, if it reads something.
    pub input: Option<Vec<u8>>,
}

/// A failing run that the bounded engine found: what it takes from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundedRun {
    /// What it ends with.
    pub error: ErrorReport,
    /// What it reads.
    pub input: String,
    /// What verifiers' names, `rand` and `time` give, in order.
    pub choices: Vec<i64>,
    /// Is a read of what has no value an error? Else it is a choice, too.
    pub initialised: bool,
}

impl BoundedRun {
    /// The shown run of a report (0), or another one of those that it lists. `None` if the bounded
    /// engine has not found it.
    pub fn of(report: &Report, which: usize) -> Option<BoundedRun> {
        let bounded = report.bounded.as_ref()?;
        let (error, input, choices) = match report.failures.get(which) {
            Some(failure) => (failure.error(), &failure.input, &failure.choices),
            None => (report.error.clone()?, &bounded.input, &bounded.choices),
        };
        Some(BoundedRun {
            error,
            input: input.clone()?,
            choices: choices.clone(),
            initialised: report.options.checks.initialised,
        })
    }
}
