//! Focus-statement sequences with their assumptions.

use crate::util::Limit;
use crate::wire::options::EffectiveOptions;
use crate::wire::report::{Analysis, ErrorReport, TraceEntry, Verdict};
use serde::{Deserialize, Serialize};

/// The ways to fail, by rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FocusReport {
    /// [`Analysis::Focus`].
    pub analysis: Analysis,
    /// Does the program fail?
    pub verdict: Verdict,
    /// What ended the check or the enumeration early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// In force.
    pub options: EffectiveOptions,
    /// The width of C's `int` that this holds for, where nobody asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Of the failing run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// A failing run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceEntry>>,
    /// Only assumptions over these variables are shown; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// Variables that were not interpreted during the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uninterpreted: Vec<String>,
    /// Empty for a safe program, unless variables are not interpreted.
    pub sequences: Vec<SequenceReport>,
    /// Are these all, up to the rule that leaves out what contains an earlier one?
    pub complete: bool,
    /// Sequences whose assumptions can hold, and for which no run was found: not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undecided: u32,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// One way to fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceReport {
    /// From 1; equal ranks are equally good.
    pub rank: u32,
    /// Number of statements.
    pub length: u32,
    /// The lines of the statements, in the order of execution; several statements in a row on one
    /// line are one.
    pub lines: Vec<u32>,
    /// The statements.
    pub statements: Vec<SequenceStatement>,
    /// Over inputs and uninitialised variables.
    pub assumptions: Vec<AssumptionReport>,
    /// How many assumptions are not shown, as they speak of other variables than those asked for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden_assumptions: u32,
    /// Does some failing run have it? (One was executed, if so.)
    pub feasible: bool,
    /// Lines of the neighborhood of error statements; empty if it is not feasible.
    pub nest: Vec<u32>,
    /// Reduce found it identical to the sequence at this position (from 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<u32>,
}

/// A statement of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceStatement {
    /// 1-based.
    pub line: u32,
    /// Its procedure.
    pub procedure: String,
    /// As in the source.
    pub statement: String,
    /// Of a condition: how it came out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// Is it in the neighborhood of error statements?
    pub nest: bool,
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssumptionReport {
    /// Over the values at the program's start, and what the run picks.
    pub text: String,
    /// Of the condition that needs it.
    pub line: u32,
    /// Reduce deleted it: another sequence needs its negation, at the same place.
    pub deleted: bool,
}
