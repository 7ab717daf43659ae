//! What a failing run breaks of what somebody said: a rule beside the program, or a contract.

use serde::{Deserialize, Serialize};

/// What is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BrokenReport {
    /// A rule.
    Rule(BrokenRule),
    /// A clause of a contract, or another annotation.
    Contract(BrokenClause),
}

/// A rule that is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenRule {
    /// Its name.
    pub name: String,
    /// What the rule says of it: "locked twice".
    pub says: String,
    /// The state that it was in: "m is held".
    pub state: String,
    /// The call that breaks it, as the program writes it; `None` where the program ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
}

/// A clause that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenClause {
    /// As the annotation writes it: `ensures \result >= a[i]`.
    pub clause: String,
    /// The call that breaks it, where a caller does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}
