//! What page and worker say to each other.

/// How a projection is computed.
pub use crate::analysis::error_projection::Method;
use crate::lang::diagnostic::Severity;
use crate::report::affine::AffineReport;
use crate::report::cegar::RoundReport;
use crate::report::explain::{ExplainAsk, Explanation};
use crate::report::invariant::InvariantReport;
use crate::report::lab::{LabAnswer, LabOptions, LabReport, LabWitness};
use crate::report::stores::QueryAnswer;
use crate::report::why_not::Why;
use crate::util::Limit;
use crate::wire::graph::{Graph, StatementView};
use crate::wire::options::{EffectiveOptions, RequestedOptions};
use crate::wire::refinement::{
    AbstractView, CompareRow, RefinementAsk, RefinementReport, RoundView,
};
use crate::wire::report::{Report, ThroughReport};
use crate::wire::threads::{ThreadsFound, ThreadsReport};
use crate::wire::threads_ask::ThreadsAsk;
use serde::{Deserialize, Serialize};

/// Budgets of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budgets {
    /// Decision-diagram nodes alive at once.
    pub max_nodes: u64,
    /// Kernel steps.
    pub max_steps: u64,
    /// Milliseconds, kept by the driver; `None`: until Stop.
    pub max_millis: Option<u64>,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets { max_nodes: 8_000_000, max_steps: 2_000_000_000, max_millis: None }
    }
}

/// Page to worker. `id` counts requests; replies carry it back, and the page drops replies to older
/// ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// Read the program: answers `Loaded`.
    Load {
        /// Request number.
        id: u32,
        /// The program.
        source: String,
        /// Options.
        options: RequestedOptions,
    },
    /// Load, then check and project: answers `Loaded`, `Progress`…, `Done`.
    Run {
        /// Request number.
        id: u32,
        /// The program.
        source: String,
        /// Options.
        options: RequestedOptions,
        /// Budgets.
        budgets: Budgets,
        /// How to project.
        #[serde(default)]
        method: Method,
    },
    /// End the run at the next slice and answer `Done` with what was found.
    Stop {
        /// The run's (or recording's) number.
        id: u32,
    },
    /// Why is this statement innocent? Answers `Why`, where the reason needs it after a `Beside`.
    /// Only after a `Run` has ended.
    Why {
        /// Request number.
        id: u32,
        /// Edge number.
        statement: u32,
    },
    /// What does the naive projection keep besides? Answers `Beside`. Only after a `Run` has ended.
    Beside {
        /// Request number.
        id: u32,
    },
    /// Can this condition hold before the statement on a failing run? Answers `Queried`. Only after
    /// a `Run` has ended.
    Query {
        /// Request number.
        id: u32,
        /// Edge number.
        statement: u32,
        /// As in the program: `x > 0 && !b`.
        condition: String,
    },
    /// Which stores reach this statement, and which of them fail? Answers `Inspected`. Only after a
    /// `Run` has ended.
    Inspect {
        /// Request number.
        id: u32,
        /// Edge number.
        statement: u32,
    },
    /// The shortest failing run through a statement of each set: answers `Through`. Only after a
    /// `Run` has ended. An empty list gives up the search that is on, if any; so does every later
    /// `Through`, `Load` and `Run`.
    Through {
        /// Request number.
        id: u32,
        /// Edge numbers.
        sets: Vec<Vec<u32>>,
    },
    /// Gives a picture its places: answers `LaidOut`. Needs no program, so any worker can do it.
    Layout {
        /// Request number.
        id: u32,
        /// What is to be shown.
        graph: Graph,
    },
    /// The witness of the verdict in SV-COMP's format. Answers `Witness`. Only after a `Run` has
    /// ended.
    Witness {
        /// Request number.
        id: u32,
        /// What the program is to be called.
        file_name: String,
        /// ISO 8601: the worker asks no clock.
        creation_time: String,
    },
    /// Which affine equalities always hold: answers `Affine`. Of the program that was loaded; after
    /// a `Run` has ended.
    Affine {
        /// Request number.
        id: u32,
        /// w: for numbers modulo 2^w; else for integers that never wrap.
        modulo: Option<u32>,
    },
    /// Saturates what was loaded and records it: answers `Progress`…, `Lab`. Needs a `Load` or
    /// `Run` before, whose answers it leaves alone; while a `Run` is on it waits for its end.
    /// `Stop` with this number ends the recording where it is.
    Lab {
        /// Request number.
        id: u32,
        /// What is built.
        options: LabOptions,
    },
    /// The weight of a regular set (`<p, a b*>`) in a recorded automaton: answers `LabWeight`. Only
    /// after `Lab` was answered, as all that follow.
    LabWeight {
        /// Request number.
        id: u32,
        /// Which automaton of the report.
        automaton: u32,
        /// The set.
        set: String,
        /// The automaton as it was after this step; `None`: at the end.
        step: Option<u32>,
    },
    /// Why a transition of a recorded automaton has its weight: answers `LabWitness`.
    LabWitness {
        /// Request number.
        id: u32,
        /// Which automaton of the report.
        automaton: u32,
        /// Which transition.
        transition: u32,
        /// As it was after this step; `None`: at the end.
        step: Option<u32>,
    },
    /// The weight of all runs from a configuration to a configuration or regular set, by the
    /// transducer: answers `LabTransfer`.
    LabTransfer {
        /// Request number.
        id: u32,
        /// A configuration or regular set.
        from: String,
        /// A configuration or regular set.
        to: String,
    },
    /// Runs the refinement loop on what was loaded: answers `Refining`…, `Refined`. Needs a `Load`
    /// or `Run` before; while a `Run` is on they go on in turn. `Stop` with this number ends it
    /// where it is.
    Refine {
        /// Request number.
        id: u32,
        /// How.
        ask: RefinementAsk,
        /// Budgets.
        budgets: Budgets,
    },
    /// A round of the loop, to be drawn: answers `Round`. Only after `Refine` was answered.
    Round {
        /// Request number.
        id: u32,
        /// From 1 on.
        round: u32,
    },
    /// The abstract program of the last round: answers `Abstracted`. Only after `Refine` was
    /// answered.
    Abstracted {
        /// Request number.
        id: u32,
    },
    /// Runs the loop beside the one of `Refine`, which stays: answers `Side`. There are two of
    /// them, 0 and 1, to be looked at beside each other.
    Side {
        /// Request number.
        id: u32,
        /// 0 or 1.
        side: u32,
        /// How.
        ask: RefinementAsk,
        /// Budgets.
        budgets: Budgets,
    },
    /// A round of such a run, to be drawn: answers `Round`. Only after its `Side` was answered.
    SideRound {
        /// Request number.
        id: u32,
        /// 0 or 1.
        side: u32,
        /// From 1 on.
        round: u32,
    },
    /// Runs the loop with every heuristic, each with its own budgets: answers `Compared` for each.
    /// `Stop` with this number ends the one under way and leaves out the rest.
    Compare {
        /// Request number.
        id: u32,
        /// How; the heuristic does not count.
        ask: RefinementAsk,
        /// Budgets of each.
        budgets: Budgets,
    },
    /// Runs the threads of what was loaded under a bound on context switches: answers `Threading`…,
    /// `Threaded`, and then `ThreadsBeside`. Needs a `Load` or `Run` before. `Stop` with this
    /// number ends it where it is.
    Threads {
        /// Request number.
        id: u32,
        /// How.
        ask: ThreadsAsk,
        /// Budgets.
        budgets: Budgets,
    },
    /// Explains why what was loaded fails: answers `Explaining`…, `Explained` (after each stage,
    /// and at the end). Needs a `Load` or `Run` before; while a `Run` is on it waits for its end.
    /// `Stop` with this number ends it where it is.
    Explain {
        /// Request number.
        id: u32,
        /// What is asked for.
        ask: ExplainAsk,
        /// Budgets; the clock is that of each stage.
        budgets: Budgets,
    },
}

/// A diagnostic with both byte and UTF-16 offsets resolved for the editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticView {
    /// How bad.
    pub severity: Severity,
    /// UTF-16 offset of the start (CodeMirror's positions).
    pub from: u32,
    /// UTF-16 offset of the end.
    pub to: u32,
    /// 1-based.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// What a statement's stores look like, in the program's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspection {
    /// Edge number.
    pub statement: u32,
    /// The stores that some run brings to it; `true` if any, `false` if none.
    pub reached: String,
    /// How many stores that is, over the variables in scope, in decimal.
    pub reached_count: String,
    /// Those of them that some failing run has here.
    pub failing: String,
    /// How many.
    pub failing_count: String,
    /// Of a safe program, what the proof says of this place.
    #[serde(default)]
    pub invariant: Option<InvariantReport>,
}

/// Worker to page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// The worker is up.
    Ready,
    /// The program was read, or not (then `graph` is empty and `diagnostics` has errors).
    Loaded {
        /// Of the request.
        id: u32,
        /// All messages.
        diagnostics: Vec<DiagnosticView>,
        /// In force.
        options: EffectiveOptions,
        /// The control-flow graph, without places: the page has laid out what it shows of it.
        graph: Graph,
        /// All statements, not painted yet.
        statements: Vec<StatementView>,
    },
    /// About ten times a second.
    Progress {
        /// Of the request.
        id: u32,
        /// `forward`, `witness`, `backward`, `contexts`.
        phase: String,
        /// Work items done in all phases.
        items: u64,
        /// Decision-diagram nodes alive now.
        nodes: u64,
        /// Milliseconds since the run began.
        millis: u64,
    },
    /// The run ended.
    Done {
        /// Of the request.
        id: u32,
        /// The answer.
        report: Report,
        /// All statements, painted.
        statements: Vec<StatementView>,
        /// Wall-clock milliseconds (the page shows them; reports do not).
        millis: u64,
    },
    /// Why a statement is innocent.
    Why {
        /// Of the request.
        id: u32,
        /// The reason; `None` where none is known.
        why: Option<Why>,
        /// The limit that was hit, if so.
        limit: Option<Limit>,
    },
    /// The naive projection beside the exact one.
    Beside {
        /// Of the request.
        id: u32,
        /// Statements (edge numbers) that only the naive one keeps; `None` if a limit was hit.
        cross: Option<Vec<u32>>,
    },
    /// Whether a condition can hold.
    Queried {
        /// Of the request.
        id: u32,
        /// The answer.
        answer: QueryAnswer,
    },
    /// A witness.
    Witness {
        /// Of the request.
        id: u32,
        /// YAML; `None` where the verdict has none.
        text: Option<String>,
    },
    /// An inspection.
    Inspected {
        /// Of the request.
        id: u32,
        /// The stores; `None` where nothing is known of them.
        inspection: Option<Inspection>,
    },
    /// After `Done`: the shown run was made a shortest one (or that was given up).
    Improved {
        /// Of the request.
        id: u32,
        /// The report again.
        report: Report,
    },
    /// The run through some statements; `None` if there is nothing that could be asked.
    Through {
        /// Of the request.
        id: u32,
        /// The answer.
        through: Option<ThroughReport>,
    },
    /// A picture with its places.
    LaidOut {
        /// Of the request.
        id: u32,
        /// The picture.
        graph: Graph,
    },
    /// Affine equalities; `None` where there is no program to have them.
    Affine {
        /// Of the request.
        id: u32,
        /// Line by line.
        report: Option<AffineReport>,
    },
    /// A recording.
    Lab {
        /// Of the request.
        id: u32,
        /// All of it.
        report: Box<LabReport>,
    },
    /// The weight of a set.
    LabWeight {
        /// Of the request.
        id: u32,
        /// The answer.
        answer: LabAnswer,
    },
    /// A witness; `None` where the transition is not there at that step.
    LabWitness {
        /// Of the request.
        id: u32,
        /// The witness.
        witness: Option<LabWitness>,
        /// The limit that was hit, if so.
        limit: Option<Limit>,
    },
    /// The weight of the runs from one set to another.
    LabTransfer {
        /// Of the request.
        id: u32,
        /// The answer.
        answer: LabAnswer,
    },
    /// After a phase, and about ten times a second: how far the loop is.
    Refining {
        /// Of the request.
        id: u32,
        /// The phase of the last round.
        phase: String,
        /// The rounds so far.
        rounds: Vec<RoundReport>,
        /// Kernel steps so far.
        steps: u64,
        /// Milliseconds since it began.
        millis: u64,
    },
    /// The loop is over.
    Refined {
        /// Of the request.
        id: u32,
        /// The answer.
        report: Box<RefinementReport>,
        /// Wall-clock milliseconds.
        millis: u64,
    },
    /// A run beside the other is over.
    Side {
        /// Of the request.
        id: u32,
        /// The answer.
        report: Box<RefinementReport>,
        /// Wall-clock milliseconds.
        millis: u64,
    },
    /// A round; `None` where there is none.
    Round {
        /// Of the request.
        id: u32,
        /// It.
        round: Option<Box<RoundView>>,
    },
    /// The abstract program.
    Abstracted {
        /// Of the request.
        id: u32,
        /// It.
        program: AbstractView,
    },
    /// One heuristic is through.
    Compared {
        /// Of the request.
        id: u32,
        /// How it went; `None` if there is nothing to compare on.
        row: Option<CompareRow>,
        /// Was it the last?
        done: bool,
    },
    /// About ten times a second: how far the threads' analysis is.
    Threading {
        /// Of the request.
        id: u32,
        /// What it is at.
        phase: String,
        /// Switches for which it is known that nothing fails.
        no_error_up_to: Option<u32>,
        /// Milliseconds since it began.
        millis: u64,
    },
    /// After `Threaded`: what the other method built on the same question.
    ThreadsBeside {
        /// Of the request.
        id: u32,
        /// Tree or interfaces.
        found: Box<ThreadsFound>,
    },
    /// The threads' analysis is over.
    Threaded {
        /// Of the request.
        id: u32,
        /// The answer; `None` where there is none.
        report: Option<Box<ThreadsReport>>,
        /// Why there is none.
        problem: Option<String>,
        /// Wall-clock milliseconds.
        millis: u64,
    },
    /// About ten times a second: which stage of an explanation is worked on.
    Explaining {
        /// Of the request.
        id: u32,
        /// `causes`, `sequences`, `suspects`, `repairs`.
        stage: String,
        /// Milliseconds since it began.
        millis: u64,
    },
    /// A stage of an explanation is over.
    Explained {
        /// Of the request.
        id: u32,
        /// What is known now.
        explanation: Box<Explanation>,
        /// Was it the last stage?
        done: bool,
        /// Milliseconds since it began.
        millis: u64,
    },
}
