//! What page and worker say to each other.

use crate::util::{Budgets, Limit, Progress};
use crate::wire::affine::AffineReport;
use crate::wire::cegar::RoundReport;
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::explain::{ExplainAsk, Explanation};
use crate::wire::graph::{Graph, StatementView};
use crate::wire::harness::{BoundedRun, HarnessAnswer};
use crate::wire::invariant::InvariantReport;
use crate::wire::lab::{LabAnswer, LabOptions, LabReport, LabWitness};
use crate::wire::later;
use crate::wire::liveness::{LivenessAnswer, LivenessAsk};
use crate::wire::options::{EffectiveOptions, RequestedOptions};
use crate::wire::projection::Method;
use crate::wire::refinement::{
    AbstractView, CompareRow, RefinementAsk, RefinementReport, RoundView,
};
use crate::wire::report::{Report, ThroughReport};
use crate::wire::stores::QueryAnswer;
use crate::wire::testing::{
    ComparedAnswer, EquivalentRequest, ExecuteRequest, ExecutedRun, TestsAnswer, TestsRequest,
};
use crate::wire::threads::ThreadsAsk;
use crate::wire::threads::{ThreadsFound, ThreadsReport};
use crate::wire::why_not::Why;
use serde::{Deserialize, Serialize};

/// Page to worker. Every request has a number of its own, and replies carry the number of their
/// request. A Stop carries the number of the request that it ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestMessage {
    /// The number.
    pub id: u32,
    /// What is asked.
    pub request: Request,
    /// Did no person ask for it, but a link or a reload? Then all work on it together has at most
    /// [`UNASKED_MILLIS`] and [`UNASKED_BYTES`].
    #[serde(default)]
    pub unasked: bool,
}

/// Milliseconds for a request that no person asked for.
pub const UNASKED_MILLIS: u64 = 30_000;
/// Bytes of memory that the engine may take up while it works on such a request. They count as
/// [`Limit::Nodes`].
pub const UNASKED_BYTES: u64 = 1_000_000_000;

/// What the page asks. Each request gets replies of which the last one says that it is the last;
/// where nothing can be said that is `Dropped`. A Load or a Run drops all requests before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// Read the program: answers `Loaded`.
    Load {
        /// The program.
        source: String,
        /// Options.
        options: RequestedOptions,
    },
    /// Load, then check and project: answers `Loaded`, `Progress`…, `Done`.
    Run {
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
    /// End the request of this number at the next slice. It is answered with what was found.
    Stop,
    /// Why is this statement innocent? Answers `Why`, where the reason needs it after a `Naive`.
    /// Only after a `Run` has ended.
    Why {
        /// Edge number.
        statement: u32,
    },
    /// What does the naive projection keep besides? Answers `Naive`. Only after a `Run` has ended.
    Naive,
    /// Can this condition hold before the statement on a failing run? Answers `Queried`. Only after
    /// a `Run` has ended.
    Query {
        /// Edge number.
        statement: u32,
        /// As in the program: `x > 0 && !b`.
        condition: String,
    },
    /// Which stores reach this statement, and which of them fail? Answers `Inspected`. Only after a
    /// `Run` has ended.
    Inspect {
        /// Edge number.
        statement: u32,
    },
    /// The shortest failing run through a statement of each set: answers `Through`. Only after a
    /// `Run` has ended. An empty list gives up the search that is on, if any; so does every later
    /// `Through`, `Load` and `Run`.
    Through {
        /// Edge numbers.
        sets: Vec<Vec<u32>>,
    },
    /// Gives a picture its places: answers `LaidOut`. Needs no program, so any worker can do it.
    Layout {
        /// What is to be shown.
        graph: Graph,
    },
    /// The witness of the verdict in SV-COMP's format. Answers `Witness`. Only after a `Run` has
    /// ended.
    Witness {
        /// What the program is to be called.
        file_name: String,
        /// ISO 8601: the worker asks no clock.
        creation_time: String,
    },
    /// A failing run as a C file that fails in the same place, and what it reads: answers
    /// `Harness`. Only after a `Run` has ended.
    Harness {
        /// What the program is to be called.
        file_name: String,
        /// The shown run (0), or another one of those that the report lists.
        failure: u32,
        /// The run, if the bounded engine found it.
        #[serde(deserialize_with = "later::read")]
        bounded: Option<Box<BoundedRun>>,
        /// Is the input wanted, and not the C file?
        is_input: bool,
    },
    /// What always holds at each place, if the program is safe: answers `Invariants`. Only after a
    /// `Run` has ended.
    Invariants,
    /// Which affine equalities always hold: answers `Affine`. Of the program that was loaded; after
    /// a `Run` has ended.
    Affine {
        /// w: for numbers modulo 2^w; else for integers that never wrap.
        modulo: Option<u32>,
    },
    /// Saturates what was loaded and records it: answers `Progress`…, `Lab`. While a `Run` is on it
    /// waits for its end, and leaves its answers alone.
    Lab {
        /// What is built.
        #[serde(deserialize_with = "later::read")]
        options: LabOptions,
    },
    /// The weight of a regular set (`<p, a b*>`) in a recorded automaton: answers `LabWeight`. Only
    /// after `Lab` was answered, as all that follow.
    LabWeight {
        /// Which automaton of the report.
        automaton: u32,
        /// The set.
        set: String,
        /// The automaton as it was after this step; `None`: at the end.
        step: Option<u32>,
    },
    /// Why a transition of a recorded automaton has its weight: answers `LabWitness`.
    LabWitness {
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
        /// A configuration or regular set.
        from: String,
        /// A configuration or regular set.
        to: String,
    },
    /// Runs the refinement loop on what was loaded: answers `Progress`…, `Refined`. While a `Run`
    /// is on they have slices in turn.
    Refine {
        /// How.
        #[serde(deserialize_with = "later::read")]
        ask: RefinementAsk,
        /// Budgets.
        budgets: Budgets,
    },
    /// A round of the loop, to be drawn: answers `Round`. Only after `Refine` was answered.
    Round {
        /// From 1 on.
        round: u32,
    },
    /// The abstract program of the last round: answers `Abstracted`. Only after `Refine` was
    /// answered.
    Abstracted,
    /// Runs the loop for one side of a comparison of two heuristics; the run of `Refine` stays.
    /// Answers `Side`.
    Side {
        /// 0 or 1.
        side: u32,
        /// How.
        #[serde(deserialize_with = "later::read")]
        ask: RefinementAsk,
        /// Budgets.
        budgets: Budgets,
    },
    /// A round of such a run, to be drawn: answers `Round`. Only after its `Side` was answered.
    SideRound {
        /// 0 or 1.
        side: u32,
        /// From 1 on.
        round: u32,
    },
    /// Runs the loop with every heuristic, each with its own budgets: answers `Compared` for each.
    /// A Stop ends the one under way and leaves out the rest.
    Compare {
        /// How; the heuristic does not count.
        #[serde(deserialize_with = "later::read")]
        ask: RefinementAsk,
        /// Budgets of each.
        budgets: Budgets,
    },
    /// Runs the threads of what was loaded under a bound on context switches: answers `Progress`…,
    /// `Threaded`, and then `OtherMethod`: of a failing run twice.
    Threads {
        /// How.
        #[serde(deserialize_with = "later::read")]
        ask: ThreadsAsk,
        /// Budgets.
        budgets: Budgets,
    },
    /// Does every run satisfy a formula, or end? Answers `Progress`…, `Lived`.
    Liveness {
        /// The question.
        #[serde(deserialize_with = "later::read")]
        ask: LivenessAsk,
        /// Do only runs count on which no choice is for ever the same?
        #[serde(default)]
        fair: bool,
        /// Budgets.
        budgets: Budgets,
    },
    /// Explains why what was loaded fails: answers `Progress`…, and `Explained` as soon as a
    /// failing run is known, when its causes are, and after each stage. While a `Run` is on it
    /// waits for its end.
    Explain {
        /// What is asked for.
        #[serde(deserialize_with = "later::read")]
        ask: ExplainAsk,
        /// Budgets; the clock is that of each stage.
        budgets: Budgets,
    },
    /// Runs tests of a program in C: answers `Tested`. The text comes with the request.
    Tests {
        /// What is asked.
        #[serde(deserialize_with = "later::read")]
        ask: Box<TestsRequest>,
    },
    /// Executes a program in C on an input, statement by statement: answers `Executed`. The text
    /// comes with the request.
    Execute {
        /// What is asked.
        #[serde(deserialize_with = "later::read")]
        ask: Box<ExecuteRequest>,
    },
    /// Looks for an input on which a program in C and its reference differ: answers `Equated`. Both
    /// texts come with the request.
    Equivalent {
        /// What is asked.
        #[serde(deserialize_with = "later::read")]
        ask: Box<EquivalentRequest>,
    },
}

/// What a statement's stores look like, in the program's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspection {
    /// Edge number.
    pub statement: u32,
    /// The stores that some run brings to it; `true` if any, `false` if none.
    pub reached: String,
    /// How many stores that is, over the variables in scope, in a few characters.
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
pub struct ReplyMessage {
    /// The number of the request.
    pub id: u32,
    /// Is this the last reply to the request?
    pub last: bool,
    /// Wall-clock milliseconds of work on the request so far (the page shows them; reports do not).
    pub millis: u64,
    /// The reply.
    pub reply: Reply,
}

/// What a report of progress tells besides [`Progress`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Nothing.
    None,
    /// Nothing either: the report comes from inside a step.
    Inside,
    /// The rounds of the refinement loop so far.
    Rounds(#[serde(serialize_with = "later::write")] Vec<RoundReport>),
    /// The most context switches for which it is known that nothing fails.
    NoErrorUpTo(Option<u32>),
}

/// What the worker says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// The worker is up.
    Ready,
    /// The worker is alive: about once a second while it works, and when it has nothing more to do.
    /// The message has no number.
    Alive {
        /// Bytes of memory that the worker takes up.
        bytes: u64,
    },
    /// The program was read, or not (then `graph` is empty, and `diagnostics` has errors unless
    /// the bounded engine reads it).
    Loaded {
        /// All messages.
        diagnostics: Vec<DiagnosticView>,
        /// In force.
        options: EffectiveOptions,
        /// The control-flow graph, without places: the page has laid out what it shows of it.
        graph: Graph,
        /// All statements, not painted yet.
        statements: Vec<StatementView>,
        /// Does the program start threads?
        has_threads: bool,
        /// Does only the bounded engine read it? The check is all that can be asked for then.
        is_bounded: bool,
    },
    /// How far a request is, about ten times a second.
    Progress {
        /// The same for every analysis.
        progress: Progress,
        /// What only some analyses have to tell.
        detail: Detail,
    },
    /// The request is not answered: a newer one took its place, or nothing can be said.
    Dropped,
    /// The answer comes now, because no person asked for more: the work has used up
    /// [`UNASKED_MILLIS`] or [`UNASKED_BYTES`].
    Cut,
    /// The run ended.
    Done {
        /// The answer.
        report: Report,
        /// All statements, painted.
        statements: Vec<StatementView>,
    },
    /// Why a statement is innocent.
    Why {
        /// The reason; `None` where none is known.
        why: Option<Why>,
        /// The limit that was hit, if so.
        limit: Option<Limit>,
    },
    /// What the naive projection keeps besides the exact one.
    Naive {
        /// Statements (edge numbers) that only the naive one keeps; `None` if a limit was hit.
        cross: Option<Vec<u32>>,
    },
    /// Whether a condition can hold.
    Queried {
        /// The answer.
        answer: QueryAnswer,
    },
    /// A witness.
    Witness {
        /// YAML; `None` where the verdict has none.
        text: Option<String>,
    },
    /// A failing run as a test.
    Harness {
        /// The answer.
        #[serde(serialize_with = "later::write")]
        answer: Box<HarnessAnswer>,
        /// Is the input wanted, and not the C file?
        is_input: bool,
    },
    /// What always holds.
    Invariants {
        /// `None` where that is not known.
        #[serde(serialize_with = "later::write")]
        invariants: Option<Vec<InvariantReport>>,
    },
    /// An inspection.
    Inspected {
        /// The stores; `None` where nothing is known of them.
        inspection: Option<Inspection>,
    },
    /// After `Done`: the shown run was made a shortest one (or that was given up). Before it: some
    /// run fails, and the report says no more yet.
    Improved {
        /// The report again.
        report: Report,
    },
    /// After a `Done` for narrower integers than C's own: there is an answer for C's own.
    Widened {
        /// The answer.
        report: Report,
        /// All statements, painted.
        statements: Vec<StatementView>,
    },
    /// The run through some statements; `None` if there is nothing that could be asked.
    Through {
        /// The answer.
        through: Option<ThroughReport>,
    },
    /// A picture with its places.
    LaidOut {
        /// The picture.
        graph: Graph,
    },
    /// Affine equalities; `None` where there is no program to have them.
    Affine {
        /// Line by line.
        #[serde(serialize_with = "later::write")]
        report: Option<AffineReport>,
    },
    /// A recording.
    Lab {
        /// All of it.
        #[serde(serialize_with = "later::write")]
        report: Box<LabReport>,
    },
    /// The weight of a set.
    LabWeight {
        /// The answer.
        #[serde(serialize_with = "later::write")]
        answer: LabAnswer,
    },
    /// A witness; `None` where the transition is not there at that step.
    LabWitness {
        /// The witness.
        #[serde(serialize_with = "later::write")]
        witness: Option<LabWitness>,
        /// The limit that was hit, if so.
        limit: Option<Limit>,
    },
    /// The weight of the runs from one set to another.
    LabTransfer {
        /// The answer.
        #[serde(serialize_with = "later::write")]
        answer: LabAnswer,
    },
    /// The loop is over.
    Refined {
        /// The answer.
        #[serde(serialize_with = "later::write")]
        report: Box<RefinementReport>,
    },
    /// The run of one side of a comparison is over.
    Side {
        /// The answer.
        #[serde(serialize_with = "later::write")]
        report: Box<RefinementReport>,
    },
    /// A round; `None` where there is none.
    Round {
        /// It.
        #[serde(serialize_with = "later::write")]
        round: Option<Box<RoundView>>,
    },
    /// The abstract program.
    Abstracted {
        /// It.
        #[serde(serialize_with = "later::write")]
        program: AbstractView,
    },
    /// One heuristic is through.
    Compared {
        /// How it went; `None` if there is nothing to compare on.
        #[serde(serialize_with = "later::write")]
        row: Option<CompareRow>,
    },
    /// After `Threaded`: why a run fails, and then once more with what the other method built on
    /// the same question.
    OtherMethod {
        /// Tree or interfaces.
        #[serde(serialize_with = "later::write")]
        found: Box<ThreadsFound>,
    },
    /// The threads' analysis is over.
    Threaded {
        /// The answer; `None` where there is none.
        #[serde(serialize_with = "later::write")]
        report: Option<Box<ThreadsReport>>,
        /// The same as JSON, to take away: the page does without the code that writes it.
        json: String,
        /// Why there is none.
        problem: Option<String>,
    },
    /// A question about whole runs is answered.
    Lived {
        /// The answer.
        #[serde(serialize_with = "later::write")]
        answer: Box<LivenessAnswer>,
    },
    /// More of an explanation is known.
    Explained {
        /// What is known now.
        #[serde(serialize_with = "later::write")]
        explanation: Box<Explanation>,
        /// The same as JSON, to take away.
        json: String,
    },
    /// Tests were run.
    Tested {
        /// The answer.
        #[serde(serialize_with = "later::write")]
        answer: Box<TestsAnswer>,
    },
    /// A program was executed.
    Executed {
        /// Its run; `None` if the program cannot be read.
        #[serde(serialize_with = "later::write")]
        run: Box<Option<ExecutedRun>>,
    },
    /// A program was compared with its reference.
    Equated {
        /// The answer.
        #[serde(serialize_with = "later::write")]
        answer: Box<ComparedAnswer>,
    },
}
