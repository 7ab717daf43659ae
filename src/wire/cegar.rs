//! The refinement loop: rounds and phases, counterexample DAGs with their interpolants, predicates
//! by point, and the abstract statements.

use crate::util::{Limit, words};
use crate::wire::cegar_options::{CegarOptions, CegarPhase};
use crate::wire::report::Report;
use serde::{Deserialize, Serialize};

/// The report of a run of the loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CegarReport {
    /// Verdict, options, run and proof, as of every analysis.
    #[serde(flatten)]
    pub report: Report,
    /// What the loop was asked for.
    pub refinement: CegarOptions,
    /// In order; the last one finds no error, or a real one, or was cut short.
    pub rounds: Vec<RoundReport>,
    /// What gave the verdict. Missing if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisionReport>,
    /// With `--explain`: per round and DAG node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpolants: Option<Vec<NodeReport>>,
    /// With `--explain`: the edges of all DAGs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<EdgeReport>>,
    /// With `--explain`: the predicates of every point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicates: Option<Vec<PointReport>>,
    /// With `--explain`: the abstract program of the last round, statement by statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstract_rules: Option<Vec<RuleReport>>,
    /// With `--explain`: the limit because of which something of the above is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unexplained: Option<Limit>,
}

words! {
    /// What gave a verdict.
    pub enum Decider {
        /// Predicates at points of the program.
        Predicates = "predicates",
        /// Whole variables.
        Followed = "followed variables",
        /// Saturation of the distances between variables of which nothing else matters.
        Distances = "distances",
        /// Saturation with a summary object for all but a few objects on the heap.
        Summary = "summary",
        /// The interpreter, which executed the program.
        Execution = "execution",
    }
}

/// What gave a verdict, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionReport {
    /// Predicates or variables.
    pub by: Decider,
    /// Predicates in the end, of all points.
    pub predicates: u64,
    /// Variables that were followed in the last round, or that have distances.
    pub followed: u32,
    /// Variables of the program, with those that the front end made.
    pub variables: u32,
}

/// What refinement did, where it gave a verdict in the place of saturation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefinedReport {
    /// How many rounds it took.
    pub rounds: u32,
    /// What gave the verdict in the last one; missing with a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisionReport>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundReport {
    /// From 1 on.
    pub round: u32,
    /// Predicates that were added after it.
    pub predicates_added: u32,
    /// The length of the longest list of predicates after it.
    pub max_predicates: u32,
    /// Abstract bits while it ran.
    pub bits: u32,
    /// Rules that were abstracted for it.
    pub rules_abstracted: u64,
    /// Ranks of the breadth-first search.
    pub ranks: u64,
    /// Nodes of its DAG; 0 where no error was reached.
    pub dag_nodes: u32,
    /// Edges of its DAG.
    pub dag_edges: u32,
    /// Traces of its DAG (at most 2^64 - 1).
    pub traces: u64,
    /// Are they all spurious? Missing without a DAG, or before that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spurious: Option<bool>,
    /// Properties of its interpolants that were proved.
    pub proved: u64,
    /// Kernel steps by phase, in order.
    pub phases: Vec<PhaseReport>,
    /// How many variables were followed while it ran. Missing while the loop uses predicates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<u32>,
    /// The variables that are followed after it for the first time: `x`, `main::x`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed: Vec<String>,
}

impl RoundReport {
    /// Did the loop refine its abstraction after it?
    pub fn is_refined(&self) -> bool {
        self.predicates_added > 0 || !self.followed.is_empty()
    }
}

/// A phase of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseReport {
    /// Which.
    pub phase: CegarPhase,
    /// Kernel steps.
    pub steps: u64,
    /// In the loop for formulas: what it came to, in a few words and in a sentence or two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
}

words! {
    /// What a node of a DAG, or a point with predicates, stands for.
    pub enum NodePlace {
        /// The start of the program.
        Start = "start",
        /// A location.
        Location = "location",
        /// A call's pivot point: the callee is on the stack, the caller waits.
        Pivot = "pivot",
        /// The end of a procedure, before its caller goes on.
        Returned = "returned",
        /// The error.
        Error = "error",
    }
}

words! {
    /// In which kind of frame a node lies.
    pub enum FrameKind {
        /// The frame that the program starts in.
        Main = "main",
        /// A frame that the trace never leaves.
        PushOnly = "push-only",
        /// A frame that the trace enters and leaves.
        Body = "body",
    }
}

words! {
    /// What happens along an edge of a DAG.
    pub enum EdgeAction {
        /// The program begins.
        Begin = "begin",
        /// A statement is executed.
        Execute = "execute",
        /// A check fails.
        Fail = "fail",
        /// A call is pushed that does not return.
        Push = "push",
        /// A body is entered.
        Enter = "enter",
        /// A body has returned.
        Return = "return",
        /// A frame is popped.
        Pop = "pop",
    }
}

/// A formula for the eye.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormulaReport {
    /// In the program's words, or a count of stores.
    pub text: String,
    /// Is the text equivalent to the formula?
    pub exact: bool,
}

/// A node of a DAG.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeReport {
    /// From 1 on.
    pub round: u32,
    /// Its number in the DAG.
    pub node: u32,
    /// 1-based; of a pivot, the call's. 0 at the bottom.
    pub line: u32,
    /// What kind of place it is.
    pub place: NodePlace,
    /// In whose frame.
    pub procedure: String,
    /// What kind of frame it is.
    pub frame: FrameKind,
    /// The frame's number.
    pub instance: u32,
    /// Breadth-first rank within the frame.
    pub rank: u32,
    /// The statement that starts there; empty where none does.
    pub statement: String,
    /// I. Missing where some trace is real.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strongest: Option<FormulaReport>,
    /// J.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weakest: Option<FormulaReport>,
    /// What the heuristic chose: one, or two.
    pub chosen: Vec<FormulaReport>,
    /// The chosen ones as one text.
    pub readable: String,
    /// Did a lazy loop need a predicate here?
    pub needed: bool,
}

/// An edge of a DAG.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeReport {
    /// From 1 on.
    pub round: u32,
    /// Source.
    pub from: u32,
    /// Target.
    pub to: u32,
    /// What happens along it.
    pub action: EdgeAction,
    /// The concrete statement; empty where there is none.
    pub statement: String,
    /// Of a condition: its outcome, with which `statement` ends.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// Of a return: the body's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<u32>,
}

/// The predicates of a point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointReport {
    /// 1-based.
    pub line: u32,
    /// What kind of place it is; neither start nor error.
    pub place: NodePlace,
    /// Whose.
    pub procedure: String,
    /// The statement that starts there; empty where none does.
    pub statement: String,
    /// Oldest first: the k-th is the meaning of the k-th bit.
    pub predicates: Vec<PredicateReport>,
}

/// A predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredicateReport {
    /// In the program's words.
    pub formula: FormulaReport,
    /// The round that added it; 0 if it was given.
    pub round: u32,
}

/// A statement and its abstraction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleReport {
    /// 1-based.
    pub line: u32,
    /// The concrete statement.
    pub concrete: String,
    /// The relation of bits before (`b1`, …) and after (`b1'`, …); `true` if anything may happen.
    pub relation: FormulaReport,
}
