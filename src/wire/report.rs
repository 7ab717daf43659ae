//! The report of an analysis: the same data for the page, the command line's text, and its JSON.

use crate::util::{Limit, words};
pub use crate::wire::Analysis;
use crate::wire::assumed::Assumed;
use crate::wire::broken::BrokenReport;
use crate::wire::cegar::{Decider, RefinedReport};
pub use crate::wire::error_kind::{ErrorKind, Property};
use crate::wire::invariant::InvariantReport;
pub use crate::wire::note::{Note, NoteCode, Unchecked};
use crate::wire::options::{EffectiveOptions, Saturation};
use crate::wire::projection::Method;
pub use crate::wire::value::{Value, Values};
pub use crate::wire::verdict::Verdict;
use crate::wire::widths::WidthsReport;
use serde::{Deserialize, Serialize};

words! {
    /// How a projection was computed.
    pub enum ProjectedBy {
        /// See [`Method::Functional`].
        Functional = "functional",
        /// See [`Method::PerNode`].
        PerNode = "per-node",
        /// See [`Method::DoublePrestar`].
        DoublePrestar = "double-prestar",
        /// See [`Method::DoublePoststar`].
        DoublePoststar = "double-poststar",
        /// See [`Method::Naive`].
        Naive = "naive",
        /// Of a pushdown system: post\* and pre\* intersected, rule by rule.
        Intersection = "intersection",
    }
}

impl From<Method> for ProjectedBy {
    fn from(method: Method) -> ProjectedBy {
        match method {
            Method::Functional => ProjectedBy::Functional,
            Method::PerNode => ProjectedBy::PerNode,
            Method::DoublePrestar => ProjectedBy::DoublePrestar,
            Method::DoublePoststar => ProjectedBy::DoublePoststar,
            Method::Naive => ProjectedBy::Naive,
        }
    }
}

words! {
    /// What the weights of a pushdown system's combined effect are.
    pub enum EffectWeights {
        /// Relations between stores.
        Relation = "relation",
        /// Affine relations.
        Affine = "affine",
        /// Which values are constant.
        Constants = "constants",
    }
}

/// The error that the shown run ends with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorReport {
    /// 1-based.
    pub line: u32,
    /// What went wrong.
    pub kind: ErrorKind,
    /// The property of SV-COMP that it violates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<Property>,
    /// One sentence.
    pub message: String,
    /// The values that explain it, as the interpreter found them: "the index i is 5, and the array
    /// a has 5 elements, 0 to 4".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Of a rule or a contract: what of it is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<BrokenReport>,
}

impl ErrorReport {
    /// An error, with the property that errors of its kind violate.
    pub fn new(line: u32, kind: ErrorKind, message: String, detail: Option<String>) -> ErrorReport {
        let property = kind.meaning().property;
        ErrorReport { line, kind, property, message, detail, broken: None }
    }
}

/// A check that can fail, with a run that fails there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureReport {
    /// 1-based.
    pub line: u32,
    /// What goes wrong.
    pub kind: ErrorKind,
    /// One sentence.
    pub message: String,
    /// The values that explain it (see [`ErrorReport::detail`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Of a rule or a contract (see [`ErrorReport::broken`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<BrokenReport>,
    /// The run.
    pub trace: Vec<TraceEntry>,
    /// Of a run of the bounded engine: what it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Of such a run: what verifiers' names, `rand` and `time` give in it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<i64>,
}

impl FailureReport {
    /// The error that the run ends with.
    pub fn error(&self) -> ErrorReport {
        let FailureReport { line, kind, message, detail, broken, .. } = self.clone();
        ErrorReport { broken, ..ErrorReport::new(line, kind, message, detail) }
    }
}

pub use crate::wire::trace::TraceEntry;

/// The error projection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectionReport {
    /// Lit lines, ascending.
    pub lines: Vec<u32>,
    /// Statements on some failing run.
    pub nodes: u32,
    /// Reachable statements.
    pub of: u32,
    /// How it was computed.
    pub method: ProjectedBy,
    /// May some of its statements be on no failing run? So it is with the naive method.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overestimate: bool,
    /// The width of `int` that it holds for, if that is narrower than C's own and nobody asked for
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<u32>,
    /// If asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<ThroughReport>,
    /// The slice of the same errors, to compare with; missing where it would have been too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<SliceReport>,
}

/// The shortest failing run through some statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThroughReport {
    /// The lines that were asked for, in that order.
    pub lines: Vec<u32>,
    /// The same as edge numbers, a set for each line; for the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<Vec<u32>>,
    /// Is there such a run? Missing if a limit was hit first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<bool>,
    /// Lines of those that are on no failing run at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<u32>,
    /// Of several lines on no run together: is each of them on a failing run? Only an exact
    /// projection knows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub each_alone: bool,
    /// The limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The error that the run ends with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// Does it ask about the rules of a raw pushdown system?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pushdown: bool,
    /// What the run weighs, where rules have weights; none through these rules weighs less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<u64>,
    /// The run; none through these statements is shorter, or, with weights, none weighs less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceEntry>>,
}

/// What may influence, as far as the text tells, whether the program fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceReport {
    /// Its lines, ascending.
    pub lines: Vec<u32>,
    /// Its statements.
    pub nodes: u32,
}

/// What is known of the inductive invariant behind "safe".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofReport {
    /// Was it checked, apart from the analysis that found it?
    pub checked: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// What the report of a raw pushdown system says besides. There, `unsafe` means that a target is
/// reached, `safe` that none is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushdownReport {
    /// Which saturation decided: `post`, `pre` or `both`.
    pub saturation: Saturation,
    /// Control states.
    pub states: u32,
    /// Stack symbols.
    pub symbols: u32,
    /// Rules.
    pub rules: u32,
    /// The automaton of post\* of the initial configurations, as far as it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<AutomatonReport>,
    /// The automaton of pre\* of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre: Option<AutomatonReport>,
    /// Is a target reached by a run that is too long to be shown? Then there is no `trace`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub run_too_long: bool,
    /// The least total weight of a run into the target, if rules have weights and it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<u64>,
    /// Why there is none, though rules have weights and a target is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_missing: Option<String>,
    /// What the rules of `trace` weigh together. More than `weight` where a run of that weight is
    /// too long to be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_weight: Option<u64>,
    /// What all runs into the target do to the variables together, if rules have weights that say
    /// so and a target is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<EffectReport>,
    /// Of a projection: the heads `<p, a>` (state and top of the stack) of configurations on runs
    /// into the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heads: Option<Vec<String>>,
}

/// The combined weight of all runs into the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectReport {
    /// Of which kind.
    pub weights: EffectWeights,
    /// `x' = x + 1 ∧ y' = 3`: values before (x) and behind (x'). `None` where a limit ended the
    /// search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Does it say all that holds for every run (as far as such weights can)? Else it holds, but
    /// more may.
    pub exact: bool,
    /// w, if equalities are modulo 2^w.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modulo: Option<u32>,
    /// The limit that ended the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// An automaton over configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonReport {
    /// Its states, control states included.
    pub states: u32,
    /// Its transitions.
    pub transitions: u32,
    /// Is it saturated?
    pub complete: bool,
}

/// What it took, in machine-independent units (two runs on two machines print the same).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Most decision-diagram nodes alive at once.
    pub peak_nodes: u64,
    /// Kernel steps.
    pub steps: u64,
    /// Bytes held by the kernel at the end.
    pub bytes: u64,
}

/// The procedures that a run may start with, where none of them is `main`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartsReport {
    /// Their names, in the order of the text.
    pub procedures: Vec<String>,
    /// The one that the failing run starts with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<String>,
}

words! {
    /// An engine that gave an answer in the place of the diagrams.
    pub enum DecidedBy {
        /// Bounded model checking by SAT.
        Bounded = "bounded",
    }
}

/// What the bounded engine did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundedReport {
    /// `bounded`.
    pub decided_by: DecidedBy,
    /// No run fails within so many rounds of each loop and nested calls; missing if the answer
    /// holds for runs of any length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    /// What the failing run reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What verifiers' names, `rand` and `time` give in it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<i64>,
    /// Nodes of the circuit.
    pub circuit: u64,
    /// Clauses that the solver learnt.
    pub conflicts: u64,
}

/// A report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Which analysis made it.
    pub analysis: Analysis,
    /// The answer.
    pub verdict: Verdict,
    /// Which limit, if `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The interpreter contradicts the engine: a defect of Faultline, so nothing is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The effective options.
    pub options: EffectiveOptions,
    /// The width of C's `int` that the report holds for, where nobody asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Where 32 bits exceeded a budget: what came of them and of narrower widths. `verdict` is
    /// C's; error, trace and projection may be those of a narrower width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widths: Option<WidthsReport>,
    /// What refinement did, if saturation exceeded its share of the budget and refinement gave the
    /// verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refined: Option<RefinedReport>,
    /// What the bounded engine did, if it gave the answer. Not flattened: the messages to the page
    /// would become maps. The command's JSON has its keys beside the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounded: Option<BoundedReport>,
    /// How many assertions, error labels and checked operations could fail as far as the text
    /// tells; 0: there is nothing to prove.
    #[serde(default)]
    pub checked: u32,
    /// If `safe`: what this answer says nothing about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Unchecked>,
    /// What a compiler's warnings tell and the engine knows, by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// If `unsafe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// If `unsafe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceEntry>>,
    /// If `unsafe`: is the trace certain to be a shortest one?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// Where more than one check can fail: each of them, worst and nearest first. The first one is
    /// that of `error` and `trace`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureReport>,
    /// The limit that was hit before it was known of every check whether it can fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failures_limit: Option<Limit>,
    /// Where no procedure is `main`: which ones the answer is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<StartsReport>,
    /// Of procedures that start alone: what is taken to hold of their arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<Assumed>,
    /// If asked for, and not cut short by a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub projection: Option<ProjectionReport>,
    /// If `safe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// If `safe`, and asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<Vec<InvariantReport>>,
    /// Of a raw pushdown system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pushdown: Option<PushdownReport>,
    /// What it took.
    pub statistics: Statistics,
}

impl Report {
    /// A report that says no more than a verdict.
    pub fn new(analysis: Analysis, verdict: Verdict, options: EffectiveOptions) -> Report {
        Report {
            analysis,
            verdict,
            limit: None,
            fault: None,
            options,
            width: None,
            widths: None,
            refined: None,
            bounded: None,
            checked: 0,
            unchecked: Vec::new(),
            notes: Vec::new(),
            error: None,
            trace: None,
            shortest: None,
            failures: Vec::new(),
            failures_limit: None,
            starts: None,
            assumed: Vec::new(),
            projection: None,
            proof: None,
            invariant: None,
            pushdown: None,
            statistics: Statistics::default(),
        }
    }

    /// The verdict that error, trace and projection belong to: [`Report::verdict`], unless only
    /// narrower integers than C's own have an answer.
    pub fn shown_verdict(&self) -> Verdict {
        let narrower = self.widths.as_ref().and_then(WidthsReport::answered);
        narrower.map_or(self.verdict, |answered| answered.verdict)
    }

    /// Is it known of each statement whether a run comes to it? Whoever decided without the
    /// diagrams (the bounded engine, the execution of the only run) does not say.
    pub fn knows_what_is_reached(&self) -> bool {
        let decided = self.refined.and_then(|refined| refined.decided);
        self.bounded.is_none() && decided.is_none_or(|it| it.by != Decider::Execution)
    }

    /// The width of `int` that statements, stores and other analyses are told for.
    pub fn analysed_bits(&self) -> u32 {
        let narrower = self.widths.as_ref().and_then(WidthsReport::answered);
        narrower.map_or(self.options.bits, |answered| answered.bits)
    }
}
