//! Suspicious statements: each with its best small change and with what that does to the known
//! runs.

use crate::util::Limit;
use serde::{Deserialize, Serialize};

/// What sort of change it is, the smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// An operator is another one.
    Operator,
    /// A number or truth value is another one.
    Number,
    /// A variable is another one.
    Variable,
    /// A condition, or a part of it, is negated; or two branches change places.
    Negation,
    /// An operand is left out.
    LeftOut,
    /// A condition, or a part of it, gets one more part.
    Added,
}

/// A statement's best small change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeReport {
    /// What sort of change.
    pub kind: Change,
    /// The part of the statement that is changed, in the program's words.
    pub old: String,
    /// What it becomes; or `true` or `false` where it is evaluated as before and always counts as
    /// that.
    pub new: String,
    /// Known failing runs that pass with it.
    pub mended: u32,
    /// Known passing runs that still pass.
    pub kept: u32,
}

/// A suspicious statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspectReport {
    /// 1-based.
    pub line: u32,
    /// Whose code.
    pub procedure: String,
    /// As in the source.
    pub statement: String,
    /// Its number; for the page.
    pub edge: u32,
    /// Missing where no small change of it mends one of the known failing runs that it was tried
    /// on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<ChangeReport>,
    /// Why it stands here, in a sentence.
    pub sentence: String,
}

/// All of them. Stands beside the report of `localize`, in one object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspectsReport {
    /// The most suspicious first: those that a small change mends, then what the failure depends
    /// on, from the end of the failing run.
    pub suspects: Vec<SuspectReport>,
    /// Runs that fail like the failing run, itself among them.
    pub known_failing: u32,
    /// Runs that come to an end and do not fail.
    pub known_passing: u32,
    /// Small changes that were executed.
    pub changes_tried: u64,
    /// Runs that were executed.
    pub runs_executed: u64,
    /// What the order says and what it does not, in sentences.
    #[serde(rename = "suspects_notes")]
    pub notes: Vec<String>,
    /// A limit that came first: not all statements were looked at.
    #[serde(default, rename = "suspects_limit", skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
