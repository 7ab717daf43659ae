//! Causes of errors: what the command line, the page and the worker exchange about them.

use crate::util::{Limit, words};
use crate::wire::report::{ErrorReport, Report, SliceReport, TraceEntry};
use serde::{Deserialize, Serialize};

words! {
    /// Which difference between the failing run T and the correct transitions C is the cause (Ball,
    /// Naik, Rajamani 2003, § 3 and § 6).
    #[derive(Default)]
    pub enum Variant {
        /// project(T) \ project(C): edges that no correct run takes. Empty if each edge is on some
        /// correct run ("coincidental correctness").
        #[default]
        Edges = "edges",
        /// project(T \ C): edges that no correct run takes with these states. Finds more, but
        /// mostly a whole suffix of the run.
        Transitions = "transitions",
    }
}

/// A failing run and a correct one, entry by entry. Entries are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alignment {
    /// Entries (of `trace`, of `correct`) that execute the same statement; both ascending, as many
    /// as can be.
    pub pairs: Vec<(u32, u32)>,
    /// How many entries the two share from the start on: the same statements with the same values.
    /// What comes next differs.
    pub shared: u32,
    /// How many entries they go the same way, whatever the values. At least `shared`.
    pub same_way: u32,
}

words! {
    /// Why no further failing run is looked for.
    pub enum SearchEnd {
        /// No run fails any more, once all causes are halted at.
        NoError = "no-error",
        /// The last failing run has no cause.
        NoCause = "no-cause",
        /// Its causes lie in trusted procedures alone.
        Trusted = "trusted",
        /// What fails depends on none of its causes.
        Independent = "independent",
        /// As many failing runs were found as were asked for.
        MaxTraces = "max-traces",
        /// A limit was hit, or the search is not over.
        Limit = "limit",
    }
}

/// Failing runs with their causes, beside the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalizeReport {
    /// The verdict; of an unsafe program with its first failing run.
    #[serde(flatten)]
    pub report: Report,
    /// Which causes were halted at.
    pub variant: Variant,
    /// Procedures that are never blamed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trusted: Vec<String>,
    /// Only causes on which what fails depends?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dependent: bool,
    /// Were correct runs those of the refined abstraction?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refined: bool,
    /// One for each failing run, in the order in which they were found. Empty on a safe program.
    pub causes: Vec<CauseReport>,
    /// Why no further failing run was looked for.
    pub ended: SearchEnd,
    /// The same as a sentence.
    pub ending: String,
}

/// A failing run and its cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseReport {
    /// The failing run.
    pub trace: Vec<TraceEntry>,
    /// The lines of its cause, ascending, by `variant`.
    pub lines: Vec<u32>,
    /// Of these lines.
    pub variant: Variant,
    /// What fails.
    pub error: ErrorReport,
    /// Is the run certain to be a shortest one among those that avoid all earlier causes?
    pub shortest: bool,
    /// The lines of the vertices that the run passes, calls' lines once more where they return.
    pub path: Vec<u32>,
    /// Transitions of the run.
    pub transitions: u32,
    /// Edges that no correct run takes.
    pub by_edges: Cause,
    /// Edges that no correct run takes with the run's values.
    pub by_transitions: Cause,
    /// Why these lines, in a sentence.
    pub reason: String,
    /// The correct run that is closest to it (most transitions in common, then the fewest other
    /// values, then the same way for longest, then shortest), or a close one. Its last entry is the
    /// check that holds, or the program's last statement. Of the runs that avoid all earlier
    /// causes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correct: Option<Vec<TraceEntry>>,
    /// Is that one certain to be the closest? Else it is a close one, and a limit came before more
    /// was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closest: Option<bool>,
    /// How the two runs stand beside each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alignment: Option<Alignment>,
    /// Why there is no correct run, or why it is not certain to be the closest: a limit. With
    /// neither run nor limit, no run is correct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correct_limit: Option<Limit>,
    /// The slice of what fails, to compare with: what it may depend on by data and control. It
    /// loses errors of omission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<SliceReport>,
    /// Kernel steps for checking.
    pub check_steps: u64,
    /// Kernel steps for everything beyond that.
    pub cause_steps: u64,
}

/// A cause by one of the variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Its lines, ascending.
    pub lines: Vec<u32>,
    /// Its transitions on the run.
    pub transitions: u32,
    /// The statements (edges of the program) that it lies on, ascending; for the page.
    pub edges: Vec<u32>,
}
