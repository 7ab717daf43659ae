//! The invariant of a program at one statement.

use serde::{Deserialize, Serialize};

/// What always holds at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvariantReport {
    /// 1-based.
    pub line: u32,
    /// Whose code.
    pub procedure: String,
    /// Holds whenever a run is here, before the statement; `x at entry` is what x was when the
    /// procedure was entered. `false`: no run comes here.
    pub formula: String,
    /// Is the formula all that was proved of this place? Else it is weaker.
    pub exact: bool,
}
