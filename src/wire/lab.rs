//! The pushdown lab: saturations as recordings that can be replayed, their automata as pictures,
//! weights and witnesses.

use crate::util::{Limit, words};
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::graph::Point;
use crate::wire::unrolling::UnrolledBound;
use serde::{Deserialize, Serialize};

/// What is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabTask {
    /// post\* of a set: one recording.
    #[default]
    Post,
    /// pre\* of a set: one recording.
    Pre,
    /// The transducer of all runs: the recordings of `A_pop` and `A_grow`, then the transducer,
    /// which has no steps.
    Transducer,
    /// No automaton: the program unrolled by the bounded engine, bound by bound.
    Unrolling,
}

impl LabTask {
    /// Is it about a set of configurations?
    pub fn is_of_a_set(self) -> bool {
        matches!(self, LabTask::Post | LabTask::Pre)
    }
}

/// Most steps that are recorded, if nothing else is asked for.
pub const LAB_STEPS: u64 = 5_000;

/// Rows of labels on one arrow that are shown; the layout makes room for no more.
pub const LAB_ROWS: u32 = 8;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabOptions {
    /// What is built.
    pub task: LabTask,
    /// The set that is saturated, in the notation of `.pds`: `<p, a b*>`, several of them separated
    /// by commas or `|`. `None`: the system's initial (post\*) or target (pre\*) configurations; of
    /// a program its start or its errors. Without effect for a transducer.
    #[serde(default)]
    pub set: Option<String>,
    /// Most steps that are recorded.
    pub max_steps: u64,
}

impl Default for LabOptions {
    fn default() -> Self {
        LabOptions { task: LabTask::Post, set: None, max_steps: LAB_STEPS }
    }
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabRule {
    /// `<p, a> -> <q, b a>`, without its weight.
    pub text: String,
    /// Of a program: the statement, as in the source. Else empty.
    pub statement: String,
    /// 1-based line in the text.
    pub line: u32,
    /// f(r); empty where rules have no weights.
    pub weight: String,
}

/// All that came of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabReport {
    /// As asked for.
    pub options: LabOptions,
    /// What is wrong with the set (places are in its text) or with the request. Not empty: there
    /// are no automata.
    pub problems: Vec<DiagnosticView>,
    /// By number.
    pub rules: Vec<LabRule>,
    /// What the weights are, in a few words: `shortest paths`.
    pub weights: String,
    /// Is there more to a weight than "there is a run"? If not, weights need not be shown.
    pub weighted: bool,
    /// The set that was saturated, as it was read; empty for a transducer.
    pub set: String,
    /// What was built.
    pub automata: Vec<LabAutomaton>,
    /// The unrolling, by its bounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<UnrolledBound>,
    /// What was left out, in whole sentences.
    pub notes: Vec<String>,
    /// The limit that ended the work, if one did.
    pub limit: Option<Limit>,
}

/// An automaton as a picture, and how it came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabAutomaton {
    /// `post*`, `pre*`, `A_pop`, `A_grow` or `transducer`.
    pub title: String,
    /// How a weight is read off it, in one sentence.
    pub reading: String,
    /// Circles.
    pub states: Vec<LabState>,
    /// What is there at the end, in the order in which it appeared. A transition is named by its
    /// place in this list.
    pub transitions: Vec<LabTransition>,
    /// What is drawn: one arrow from a state to another for all transitions between them.
    pub arrows: Vec<LabArrow>,
    /// Extent of the picture.
    pub size: Point,
    /// Step 0 is the automaton that saturation starts from. Empty for the transducer: there all
    /// transitions are there from the beginning.
    pub steps: Vec<LabStep>,
    /// Is it saturated at the end of the recording?
    pub complete: bool,
}

words! {
    /// What a state stands for.
    pub enum LabRole {
        /// A control location.
        Control = "control",
        /// A state of the automaton that was given.
        Given = "given",
        /// "Inside the callee": post\* makes one for each right side's top that a push rule makes.
        Callee = "callee",
        /// Of `A_grow`: q_{p,γ}, where what grew out of ⟨p, γ⟩ ends.
        Seed = "seed",
        /// Of the transducer: its first or its last state.
        End = "end",
    }
}

/// A circle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabState {
    /// As it is written in or beside the circle.
    pub name: String,
    /// What it stands for.
    pub role: LabRole,
    /// A double ring.
    pub accepting: bool,
    /// Of the transducer: `pop`, or the copy of `A_grow` that it belongs to. Else empty.
    pub group: String,
    /// Centre.
    pub x: f64,
    /// Centre.
    pub y: f64,
    /// Radius.
    pub radius: f64,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabTransition {
    /// Index into the states.
    pub from: u32,
    /// Index into the states.
    pub to: u32,
    /// `ε`, a symbol's name, or `input/output` of the transducer.
    pub symbol: String,
    /// Of post\*: the push rule that left the symbol below its callee (its weight counts).
    pub pushed_by: Option<u32>,
    /// Was it there before saturation?
    pub given: bool,
    /// Its weight at the end.
    pub weight: String,
    /// The arrow on which it is written.
    pub arrow: u32,
    /// Its row among the arrow's labels, from the top.
    pub row: u32,
}

/// An arrow with a row of text for each of its transitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabArrow {
    /// Index into the states.
    pub from: u32,
    /// Index into the states; the same state for a loop.
    pub to: u32,
    /// Control points of a smooth curve from circle to circle, as those of
    /// [`crate::wire::graph::GraphArrow`].
    pub points: Vec<Point>,
    /// The middle of all labels together.
    pub label_at: Point,
    /// Number of rows.
    pub rows: u32,
}

/// Why a transition has a part of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabCause {
    /// It is one of the automaton that was given.
    Given,
    /// A step rule (of post\* also a pop rule), applied to a transition.
    Rule,
    /// pre\*: a pop rule, which needs nothing else.
    Pop,
    /// post\*: a push rule begins its callee.
    Entry,
    /// post\*: a push rule leaves its second symbol below its callee.
    Below,
    /// post\*: a callee returned to what waits below it.
    Return,
    /// pre\*: a push rule, with a transition that reads the callee and one that reads what is
    /// below.
    Push,
}

/// A transition was added or its weight raised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabChange {
    /// Index into the transitions.
    pub transition: u32,
    /// Was it not there before?
    pub is_new: bool,
    /// Its weight from now on.
    pub weight: String,
    /// What was added to its weight: w in l := l ⊕ w.
    pub added: String,
    /// Where that comes from.
    pub cause: LabCause,
    /// The rule that was applied, if one was (for a return: the push rule of the call).
    pub rule: Option<u32>,
    /// The transitions that it was applied to.
    pub premises: Vec<u32>,
    /// All that in a sentence.
    pub words: String,
}

/// One step of saturation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabStep {
    /// The transition that was taken from the worklist; `None` in step 0.
    pub looked_at: Option<u32>,
    /// In order; may be empty.
    pub changes: Vec<LabChange>,
    /// What waits after the step, in the order in which it will be looked at; at most 24 of them.
    pub waiting: Vec<u32>,
    /// How many wait.
    pub waiting_count: u32,
}

/// One rule of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabRunStep {
    /// Its number.
    pub rule: u32,
    /// The configuration that it makes.
    pub configuration: String,
}

/// A run, replayed rule by rule on a plain stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabRun {
    /// Its first configuration.
    pub start: String,
    /// Its rules; at most 1,000 of them.
    pub steps: Vec<LabRunStep>,
    /// How many rules it has.
    pub length: u32,
    /// What its rules weigh together, one after the other.
    pub weight: String,
}

/// The answer to a question about a weight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabAnswer {
    /// What is wrong with the question; places are in the text of the first (or only) set.
    pub problems: Vec<DiagnosticView>,
    /// The same for the second set, of a question from one to another.
    #[serde(default)]
    pub problems_to: Vec<DiagnosticView>,
    /// The weight; `None` where there are problems or a limit was hit.
    pub weight: Option<String>,
    /// Is it "no run"?
    pub is_zero: bool,
    /// A run that the weight holds, if there is one and it could be read.
    pub run: Option<LabRun>,
    /// What is to be said about it besides, in whole sentences: that the automaton is not complete
    /// at this step, for example.
    pub notes: Vec<String>,
    /// The limit that was hit, if so.
    pub limit: Option<Limit>,
}

/// One way in which a part of a weight was derived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabDerivation {
    /// How.
    pub cause: LabCause,
    /// The rule, if any.
    pub rule: Option<u32>,
    /// The part of the weight.
    pub weight: String,
    /// Indices into [`LabWitness::nodes`].
    pub premises: Vec<u32>,
    /// In a sentence.
    pub words: String,
}

/// A transition with what it weighed at some moment, and the derivations that together give that
/// weight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabWitnessNode {
    /// Index into the transitions.
    pub transition: u32,
    /// Weight.
    pub weight: String,
    /// Their weights combine to that.
    pub derivations: Vec<LabDerivation>,
}

/// The witness of a transition: a directed acyclic graph (Reps, Schwoon, Jha, Melski 2005, § 3.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabWitness {
    /// The first one is the transition that was asked for; premises come after what they are
    /// premises of.
    pub nodes: Vec<LabWitnessNode>,
    /// One sequence of rules that it stands for.
    pub run: Option<LabRun>,
    /// What was left out, in whole sentences.
    pub notes: Vec<String>,
}

impl LabRole {
    /// Is the state there before any of its transitions is?
    pub fn stays(self) -> bool {
        matches!(self, LabRole::Control | LabRole::Given | LabRole::End)
    }
}

impl LabReport {
    /// A report without automata.
    pub fn nothing(options: LabOptions, problems: Vec<DiagnosticView>) -> LabReport {
        LabReport {
            options,
            problems,
            rules: Vec::new(),
            weights: String::new(),
            weighted: false,
            set: String::new(),
            automata: Vec::new(),
            bounds: Vec::new(),
            notes: Vec::new(),
            limit: None,
        }
    }
}
