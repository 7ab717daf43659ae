//! Why a statement is innocent.

use crate::util::words;
use crate::wire::report::Values;
use serde::{Deserialize, Serialize};

/// Which of the answers it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// No run executes it.
    Unreached,
    /// Runs execute it, but none can fail from what arrives.
    CannotFail,
    /// Stores arrive from which some other calling context would fail.
    Context,
    /// It is not innocent: some failing run executes it.
    Lit,
}

/// Why the statements of a line are innocent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhyReport {
    /// 1-based.
    pub line: u32,
    /// That of the statement which comes nearest to failing.
    pub reason: Reason,
    /// Each statement that starts on the line.
    pub statements: Vec<Why>,
}

/// Why one statement is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// Edge number; for the page.
    pub id: u32,
    /// As in the source.
    pub statement: String,
    /// For conditions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// The answer.
    pub reason: Reason,
    /// Sentences.
    pub explanation: Vec<String>,
    /// `cannot-fail`: holds in every store that arrives, and in none from which the error can be
    /// reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<String>,
    /// `cannot-fail`: holds in every store from which the error can be reached, and in none that
    /// arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<String>,
    /// `unreached`: where the ways to it end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub barriers: Vec<BarrierView>,
    /// `context`: the cross term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross: Option<CrossView>,
}

words! {
    /// What ends a way to a statement.
    pub enum BarrierKind {
        /// A condition that never has the needed outcome.
        Condition = "condition",
        /// A check that never holds.
        Check = "check",
        /// A call that never returns.
        NoReturn = "no-return",
        /// A procedure that no run calls.
        NeverCalled = "never-called",
        /// No path of the control-flow graph leads on.
        NoPath = "no-path",
    }
}

/// Where a way to a statement ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarrierView {
    /// 1-based; of a procedure that is never called, its header's.
    pub line: u32,
    /// What ends it.
    pub kind: BarrierKind,
    /// The statement, or the procedure's name.
    pub statement: String,
    /// For conditions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// Always holds before it, and rules out that a run goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
}

/// A store that arrives and a stack that would fail, never both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossView {
    /// Stores that arrive and from which some stack fails.
    pub formula: String,
    /// How many.
    pub count: String,
    /// One of them, as far as it matters: locals that are not read any more are left out.
    pub example: Values,
    /// Calls that are the same in both contexts of the example, innermost first.
    pub common: Vec<CallPlace>,
    /// It arrives by these calls,
    pub arrives: Vec<CallPlace>,
    /// or in the first frame.
    pub at_start: bool,
    /// It would fail under these.
    pub fails: Vec<CallPlace>,
    /// Calls in both lists, told apart by the caller's variables.
    pub parted: Vec<PartedView>,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallPlace {
    /// 1-based.
    pub line: u32,
    /// The calling procedure.
    pub procedure: String,
    /// As in the source.
    pub call: String,
    /// Does some run execute it?
    pub reached: bool,
}

/// A call in both contexts, with different values of its caller's variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartedView {
    /// 1-based.
    pub line: u32,
    /// Holds at the call whenever the example arrives by it; never where the continuation fails.
    /// `None`: no short formula.
    pub arrives: Option<String>,
}
