//! An explanation: failing runs with their causes, focus-statement sequences with a run of each,
//! suspicious statements and repairs.

use crate::util::Limit;
use crate::wire::focus::SequenceReport;
use crate::wire::localize::{CauseReport, SearchEnd, Variant};
use crate::wire::options::EffectiveOptions;
use crate::wire::repair::RepairsReport;
use crate::wire::report::{ErrorReport, TraceEntry, Verdict};
use crate::wire::suspects::SuspectsReport;
use serde::{Deserialize, Serialize};

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExplainAsk {
    /// Which causes are halted at.
    pub variant: Variant,
    /// Names of variables that the sequences leave uninterpreted.
    pub uninterpreted: Vec<String>,
    /// Failing runs, at most.
    pub max_traces: u32,
    /// Sequences, at most.
    pub max_sequences: u32,
    /// Are statements put in order by their best small changes?
    pub suspects: bool,
    /// Repairs, at most.
    pub max_repairs: u32,
}

impl Default for ExplainAsk {
    fn default() -> Self {
        ExplainAsk {
            variant: Variant::Edges,
            uninterpreted: Vec::new(),
            max_traces: 10,
            max_sequences: 12,
            suspects: true,
            max_repairs: 3,
        }
    }
}

/// All that is known so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// What was asked for.
    pub ask: ExplainAsk,
    /// Why nothing can be explained; empty if something can.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// Does the program fail?
    pub verdict: Verdict,
    /// In force; missing where nothing can be explained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<EffectiveOptions>,
    /// Why it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The interpreter contradicts the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Of the first failing run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// One for each failing run.
    pub causes: Vec<CauseReport>,
    /// Why no further failing run was looked for; `None` where nothing can be explained, and while
    /// the search goes on.
    pub ended: Option<SearchEnd>,
    /// The same as a sentence; empty while the search goes on.
    pub ending: String,
    /// By rank.
    pub sequences: Vec<SequenceView>,
    /// Are these all the ways to fail?
    pub complete: bool,
    /// What ended the enumeration early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Limit>,
    /// Sequences whose assumptions can hold, and for which no run was found: not listed.
    pub undecided: u32,
    /// Were sequences looked for at all?
    pub sought: bool,
    /// Statements by their best small changes; missing until they were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspects: Option<SuspectsReport>,
    /// Verified repairs; missing until they were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repairs: Option<RepairsReport>,
}

/// A focus-statement sequence, and a run that has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceView {
    /// As the command line has it, with all of its assumptions.
    pub report: SequenceReport,
    /// By statement: its number.
    pub edges: Vec<u32>,
    /// By assumption: the names of what it speaks of, without those of what a run picks, which have
    /// none.
    pub about: Vec<Vec<String>>,
    /// By assumption: does it also speak of something that a run picks?
    pub picked: Vec<bool>,
    /// A run that was executed; empty if it is not feasible.
    pub run: Vec<TraceEntry>,
    /// By statement: its row in the run; empty if it is not feasible.
    pub rows: Vec<u32>,
}

impl Explanation {
    /// Nothing but why not.
    pub fn nothing(ask: ExplainAsk, problem: String) -> Explanation {
        Explanation {
            ask,
            problem,
            verdict: Verdict::Unknown,
            options: None,
            limit: None,
            fault: None,
            error: None,
            causes: Vec::new(),
            ended: None,
            ending: String::new(),
            sequences: Vec::new(),
            complete: false,
            cut: None,
            undecided: 0,
            sought: false,
            suspects: None,
            repairs: None,
        }
    }

    /// The names that assumptions speak of, each once, in the order in which they come up.
    pub fn inputs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.sequences.iter().flat_map(|sequence| sequence.about.iter().flatten()) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

/// The levels of detail over one error (*Error Explanation by Focus-Statement Sequences*, figure
/// 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Everything.
    Program,
    /// What a failing run passes.
    #[default]
    Run,
    /// What of it made it fail.
    Focus,
    /// Where to mend it.
    Nest,
}

impl Level {
    /// From the whole to the detail.
    pub const ALL: [Level; 4] = [Level::Program, Level::Run, Level::Focus, Level::Nest];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Level::Program => "Program",
            Level::Run => "Failing run",
            Level::Focus => "Focus sequence",
            Level::Nest => "NEST",
        }
    }
}
