//! A failing run of a test beside the passing run that is closest to it.

use crate::wire::value::Values;
use serde::{Deserialize, Serialize};

/// The passing run that is closest to a failing one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosestRun {
    /// The test that passes.
    pub test: String,
    /// How many statements are executed in one of both alone; missing if they are very many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// Do both execute the same statements in the same order?
    pub same_statements: bool,
    /// Where they part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts_at: Option<PartsAt>,
    /// Lines that the failing run executes and no passing one, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_here: Vec<u32>,
}

/// The first place at which a failing and a passing run part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartsAt {
    /// The line of the statement after which they go different ways.
    pub line: u32,
    /// That statement, as the program writes it: mostly a condition.
    pub condition: String,
    /// How many statements both have executed then.
    pub after: u32,
    /// How the failing run goes on.
    pub failing: RunWay,
    /// How the passing run goes on.
    pub passing: RunWay,
}

/// How a run goes on where it parts from another one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunWay {
    /// Of a condition: its outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<bool>,
    /// The line of the next statement; missing if the run ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
    /// What the statement reads, before it is executed.
    pub values: Values,
}
