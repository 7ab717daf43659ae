//! What a run takes from outside.

use serde::{Deserialize, Serialize};

/// What a run takes from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// What it reads, if it reads something.
    pub input: Option<String>,
    /// Names and values: of what is there at the start, or of calls in the order of their results.
    pub values: Vec<(String, String)>,
}
