//! Widths of C's `int`, where neither the program nor the user gives one: 32 bits are tried first,
//! and narrower ones where those exceed a budget.

use crate::util::{Limit, words};
use crate::wire::verdict::Verdict;
use serde::{Deserialize, Serialize};

words! {
    /// Does a failing run that was found with narrower integers fail with C's own, too?
    pub enum AtFullWidth {
        /// A run along the same statements does; it is the one that is shown.
        Fails = "fails",
        /// No run along the same statements does.
        DoesNotFail = "does-not-fail",
        /// A limit was hit.
        Unknown = "unknown",
    }
}

/// What came of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriedWidth {
    /// The width of `int`.
    pub bits: u32,
    /// The answer for integers of this width.
    pub verdict: Verdict,
    /// The limit that was hit, if `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// What came of each width. Only where C's own exceeded a budget, so that narrower ones were tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WidthsReport {
    /// In the order in which they were tried: C's own first. Only the last one can have an answer.
    pub tried: Vec<TriedWidth>,
    /// Of a failing run: does it fail with 32-bit integers, too?
    #[serde(default, rename = "at_32_bits", skip_serializing_if = "Option::is_none")]
    pub at_full: Option<AtFullWidth>,
    /// The limit, if that is unknown.
    #[serde(default, rename = "at_32_bits_limit", skip_serializing_if = "Option::is_none")]
    pub at_full_limit: Option<Limit>,
    /// Is C's own width being tried again, with more of the budget?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
}

impl WidthsReport {
    /// The width that has an answer, with its answer.
    pub fn answered(&self) -> Option<TriedWidth> {
        self.tried.last().copied().filter(|tried| tried.verdict != Verdict::Unknown)
    }
}
