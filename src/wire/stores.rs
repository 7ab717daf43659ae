//! Which stores fail at the statements of a line, and whether a condition can hold there on a
//! failing run.

use crate::wire::report::Values;
use serde::{Deserialize, Serialize};

/// The stores with which failing runs execute the statements of a line (before each).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoresReport {
    /// 1-based.
    pub line: u32,
    /// The union over the line's statements, over the variables in scope at all of them.
    pub formula: String,
    /// How many stores that is, in decimal.
    pub count: String,
    /// The condition that was asked about.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Can it hold at one of the statements on a failing run?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<bool>,
    /// A store in which it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Values>,
    /// Each statement that starts on the line.
    pub statements: Vec<StatementStores>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementStores {
    /// As in the source.
    pub statement: String,
    /// For conditions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// Over the variables in scope.
    pub formula: String,
    /// In decimal.
    pub count: String,
    /// Can the condition hold here on a failing run? Absent also where the condition speaks of what
    /// is not in scope here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<bool>,
    /// A store in which it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Values>,
}

/// The answer to "can this condition hold here on a failing run?".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryAnswer {
    /// Edge number.
    pub statement: u32,
    /// The condition.
    pub condition: String,
    /// The answer; `None` with a message instead.
    pub possible: Option<bool>,
    /// If so: a store with which a failing run executes the statement, evaluated by the
    /// interpreter.
    pub example: Option<Values>,
    /// What is wrong with the condition, or which limit was hit.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}
