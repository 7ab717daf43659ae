//! The report of the threads' analysis: the same data for the page, the command line's text, and
//! its JSON.

use crate::util::{Limit, words};
use crate::wire::note::Unchecked;
use crate::wire::options::EffectiveOptions;
use crate::wire::report::{Analysis, ErrorReport, Statistics, TraceEntry, Values};
use serde::{Deserialize, Serialize};

/// The answer. A bound proves nothing beyond itself: "safe" needs a proof of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadsVerdict {
    /// No run fails, whatever the number of context switches; see [`ThreadsReport::proof`].
    Safe,
    /// No run with at most `bound` context switches fails.
    NoErrorWithinBound,
    /// A concrete interleaved run fails; it was replayed.
    Unsafe,
    /// A limit was hit.
    Unknown,
}

/// A thread of the program. Its number is its place in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadReport {
    /// `main`, `reader`; of several instances `reader 1`, `reader 2`.
    pub name: String,
    /// The line of its procedure's header.
    pub line: u32,
    /// Does it run from the start (or only once it is started)?
    pub at_start: bool,
}

/// A stretch of the run in which one thread runs. Between one and the next there is a context
/// switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextReport {
    /// Who runs.
    pub thread: u32,
    /// The first of its entries in `trace`, from 0.
    pub from_step: u32,
    /// One past the last; equal to `from_step` if nothing of it is shown.
    pub to_step: u32,
    /// The globals at its beginning: after the switch into it, or at the start.
    pub globals: Values,
}

/// A step of the run that is only a part of its statement, because another thread runs between the
/// parts: `x++` reads x, and writes it later. Values have the names of the globals: `x`, `a[2]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartReport {
    /// Which step: its place in `trace`, from 0.
    pub step: u32,
    /// What this part reads.
    pub reads: Values,
    /// What it writes; empty where it fails.
    #[serde(default)]
    pub writes: Values,
    /// What earlier parts of the statement have read.
    #[serde(default)]
    pub earlier: Values,
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedReport {
    /// Which thread.
    pub thread: u32,
    /// Where it stands.
    pub line: u32,
    /// What it cannot pass: `lock(a)`.
    pub statement: String,
}

/// Two accesses to one place that nothing orders. Neither of the two steps is executed: both
/// threads are about to take theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceReport {
    /// The place, as the program writes it: `x`, `a[2]`.
    pub place: String,
    /// The step of `trace` that is the first access; the second one is the last step.
    pub step: u32,
    /// Does the first one write? Else it reads.
    pub first_writes: bool,
    /// Does the second one?
    pub second_writes: bool,
}

words! {
    /// What can become of the threads after a move.
    pub enum Future {
        /// It fails with this move.
        Fails = "fails",
        /// Some interleaving fails from there on.
        CanFail = "can-fail",
        /// No interleaving fails from there on, with however many switches.
        CannotFail = "cannot-fail",
        /// A limit ended the search.
        Unknown = "unknown",
    }
}

impl Future {
    /// The same for people.
    pub fn told(self) -> &'static str {
        match self {
            Future::Fails => "fails",
            Future::CanFail => "can still fail",
            Future::CannotFail => "cannot fail any more",
            Future::Unknown => "not known: too many states",
        }
    }
}

/// What a thread can do next, where a person chooses who goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextReport {
    /// Which thread.
    pub thread: u32,
    /// Where it stands.
    pub line: u32,
    /// What it does, or why it cannot go on: `x = 1`, `x++ (reads x)`, `waits for lock(m)`.
    pub told: String,
    /// The schedule with this move; `None` if it cannot go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// What can fail after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub future: Option<Future>,
}

/// What is reachable with so many switches: globals anywhere, or at `--at LINE` of some thread with
/// the others anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachableReport {
    /// k.
    pub bound: u32,
    /// How many valuations of the globals, in words: `12`, `about 10^9`.
    pub count: String,
    /// Those that fewer switches do not reach, the first of them.
    pub new: Vec<Values>,
    /// Are there more of these?
    pub more: bool,
}

/// A node of the Qadeer-Rehof tree: the globals after a context, with the stacks of all threads
/// that go with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNode {
    /// Its number.
    pub number: u32,
    /// The node before its context; `None` for the root, the start.
    pub parent: Option<u32>,
    /// Contexts so far: 0 for the root.
    pub context: u32,
    /// Who ran in the last context.
    pub thread: Option<u32>,
    /// The globals (empty at the root: all initial ones together).
    pub globals: Values,
    /// Transitions of the automata of all threads' stacks.
    pub size: u32,
    /// A node met before with the same globals and stacks; nothing grows here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<u32>,
    /// Does a context that begins here fail (or come to a deadlock)?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fails: bool,
}

/// The proof that no run fails, whatever the number of switches: a set of configurations of all
/// threads that the interpreter has closed under every step of every thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofReport {
    /// How many configurations it has; `None` if it was not closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configurations: Option<u64>,
    /// Is of the frames below recursive calls only known who called?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_callers: bool,
    /// The limit that the proof hit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// How large the interface of one thread is that runs in so many contexts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceReport {
    /// Which thread.
    pub thread: u32,
    /// How many of its own contexts it speaks of.
    pub visits: u32,
    /// States of the thread's transducer; does not depend on the globals.
    pub transducer_states: u32,
    /// Decision-diagram nodes.
    pub nodes: u64,
}

/// The report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadsReport {
    /// [`Analysis::Threads`].
    pub analysis: Analysis,
    /// The answer.
    pub verdict: ThreadsVerdict,
    /// The most context switches that were allowed. Of a bound that rose by itself: the greatest
    /// one that is decided, or that of the failing run.
    pub bound: u32,
    /// Of a bound that rose by itself: why it rose no further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raised: Option<RaisingEnd>,
    /// With verdict `safe`: the first bound that reaches nothing that fewer switches do not reach,
    /// if it is known. It may be above `bound`: the proof says so then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub converged: Option<u32>,
    /// The proof for any number of switches, if one was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// By which method.
    pub method: ThreadsMethod,
    /// Which limit, if `unknown`, or if one ended the raising of the bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The interpreter contradicts the engine: a defect of Faultline, so nothing is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The effective options.
    pub options: EffectiveOptions,
    /// The width of C's `int` that this holds for, where nobody asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// If nothing fails: what this answer says nothing about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Unchecked>,
    /// All threads that matter under the bound.
    pub threads: Vec<ThreadReport>,
    /// The most switches for which it is known that nothing fails; `None` if not even for 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_error_up_to: Option<u32>,
    /// If `unsafe`: the least number of switches with which an error is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<u32>,
    /// If `unsafe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// If the error is a deadlock: who waits for ever.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<BlockedReport>,
    /// If the error is a data race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race: Option<RaceReport>,
    /// If `unsafe`: the run's contexts, one more than `switches`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Vec<ContextReport>>,
    /// If `unsafe`: the interleaved run; a statement that a switch divides has an entry for each of
    /// its parts. For a deadlock its last entry is the last statement that
    /// was executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceEntry>>,
    /// The steps of `trace` that are parts of a statement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartReport>,
    /// Of a schedule that a person chooses: what each thread can do next. The run is that so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<NextReport>,
    /// If `unsafe`: is it certain that no run with as few switches is shorter?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// The line that was asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
    /// By number of switches, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reachable: Vec<ReachableReport>,
    /// Of Qadeer and Rehof's method.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tree: Vec<TreeNode>,
    /// Were nodes left out of `tree`?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tree_cut: bool,
    /// Of the method by transducers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interfaces: Vec<InterfaceReport>,
    /// Lines of thread 0 at which a first switch can lead to an error; `None` if that was not asked
    /// or not found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_switch: Option<Vec<u32>>,
    /// Why the run fails, if that was asked. It is only written.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<ThreadsExplained>,
    /// What it took.
    pub statistics: Statistics,
}

/// The explanation of a failing run: which statements of which thread take part, and the correct
/// schedule that differs least.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ThreadsExplained {
    /// The most context switches of the failing runs that are looked at.
    pub bound: u32,
    /// By thread that takes part: the statements that some failing run within the bound executes,
    /// all of them and no others.
    pub statements: Vec<ThreadStatements>,
    /// The limit that left them open; then there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The correct run closest to the failing one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct: Option<CorrectSchedule>,
    /// What that run means, or why there is none, in words.
    pub told: String,
    /// The limit that ended the search for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_limit: Option<Limit>,
    /// A defect of Faultline: the parts of the explanation contradict each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// The statements of one thread that take part in failing runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreadStatements {
    /// Which thread.
    pub thread: u32,
    /// Its statements, by line.
    pub statements: Vec<LitStatement>,
}

/// A statement that takes part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LitStatement {
    /// Its line.
    pub line: u32,
    /// Its text.
    pub statement: String,
}

/// A correct run with the failing run's start and inputs. It was replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CorrectSchedule {
    /// So many entries of its trace are those of the failing run.
    pub common: u32,
    /// Its context switches.
    pub switches: u32,
    /// Like [`ThreadsReport::contexts`].
    pub contexts: Vec<ContextReport>,
    /// Like [`ThreadsReport::trace`].
    pub trace: Vec<TraceEntry>,
    /// Like [`ThreadsReport::parts`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartReport>,
}

/// What the other method built on the same question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadsFound {
    /// See [`ThreadsReport::tree`].
    pub tree: Vec<TreeNode>,
    /// See [`ThreadsReport::tree_cut`].
    pub tree_cut: bool,
    /// See [`ThreadsReport::interfaces`].
    pub interfaces: Vec<InterfaceReport>,
    /// See [`ThreadsReport::switches`].
    pub switches: Option<u32>,
    /// Did it come to its end?
    pub over: bool,
    /// Lines of statements that some failing run executes.
    pub lit: Vec<u32>,
    /// The explanation of the failing run as a piece of the page; empty if there is none.
    pub explained: String,
    /// The report as JSON, with the explanation; empty if there is none.
    pub json: String,
}

/// The most switches that the page offers, and the most to which the bound rises by itself.
pub const MOST_SWITCHES: u32 = 12;

/// As long as fewer switches are decided, a bound that rises by itself is not ended by its share of
/// the time ([`RAISING_SHARE`]).
pub const USUAL_SWITCHES: u32 = 2;

/// The bound rises by itself for one part in so many of the time that an analysis may take: two of
/// thirty seconds.
pub const RAISING_SHARE: u64 = 15;

/// How many context switches are allowed. Written as a number, or as `"rising"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenBound", into = "WrittenBound")]
pub enum SwitchBound {
    /// At most so many.
    AtMost(u32),
    /// None at first, then one more at a time, until a run fails, nothing new is reached, or a
    /// limit is hit.
    Rising,
}

impl SwitchBound {
    /// The bound in force: what was asked for, or else the program's number, or else it rises.
    pub fn in_force(asked: Option<SwitchBound>, program: Option<u32>) -> SwitchBound {
        asked.or(program.map(SwitchBound::AtMost)).unwrap_or(SwitchBound::Rising)
    }
}

words! {
    /// The word of [`SwitchBound::Rising`].
    pub enum RisingWord {
        /// It rises.
        Rising = "rising",
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenBound {
    Number(u32),
    Word(RisingWord),
}

impl From<WrittenBound> for SwitchBound {
    fn from(written: WrittenBound) -> SwitchBound {
        match written {
            WrittenBound::Number(most) => SwitchBound::AtMost(most),
            WrittenBound::Word(RisingWord::Rising) => SwitchBound::Rising,
        }
    }
}

impl From<SwitchBound> for WrittenBound {
    fn from(bound: SwitchBound) -> WrittenBound {
        match bound {
            SwitchBound::AtMost(most) => WrittenBound::Number(most),
            SwitchBound::Rising => WrittenBound::Word(RisingWord::Rising),
        }
    }
}

words! {
    /// Why a bound that rises by itself rose no further.
    pub enum RaisingEnd {
        /// A run fails.
        Failure = "failure",
        /// The threads reach nothing with one switch more that they had not reached before. So more
        /// switches change nothing.
        NothingNew = "nothing-new",
        /// It is the greatest bound there is ([`MOST_SWITCHES`]).
        Most = "most",
        /// A limit was hit: [`ThreadsReport::limit`].
        Limit = "limit",
    }
}

words! {
    /// How threads are analysed.
    #[derive(Default)]
    pub enum ThreadsMethod {
        /// The globals at each switch are enumerated: a tree (Qadeer, Rehof 2005).
        #[default]
        QadeerRehof = "qadeer-rehof",
        /// Each thread once, as a relation between the globals of its contexts, by a weighted
        /// transducer (Lal, Touili, Kidd, Reps 2007).
        Transducer = "transducer",
    }
}

impl ThreadsMethod {
    /// Its name and what it does, for people.
    pub const fn told(self) -> (&'static str, &'static str) {
        match self {
            ThreadsMethod::QadeerRehof => (
                "Qadeer–Rehof",
                "The globals at each switch are enumerated: a tree (Qadeer, Rehof 2005)",
            ),
            ThreadsMethod::Transducer => (
                "Interfaces",
                "Each thread once, as a relation between the globals of its contexts; nothing is \
                 enumerated (Lal, Touili, Kidd, Reps 2007)",
            ),
        }
    }
}

/// How threads are analysed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ThreadsAsk {
    /// How many context switches are allowed; `None`: as the program says, else the bound rises.
    pub bound: Option<SwitchBound>,
    /// The method.
    pub method: ThreadsMethod,
    /// A schedule that a person has chosen so far, move by move (`0,1,0.2`: thread 0, thread 1,
    /// thread 0 with the third of its alternatives); it is followed, and nothing else is analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
}
