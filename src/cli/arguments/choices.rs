//! Choices by name: each list says once what the command line calls a value, and what its help says
//! of it. The values are the engine's own.

use crate::session::ThreadsMethod;
use crate::wire::lab::LabTask;
use crate::wire::localize::Variant;
use crate::wire::options::{DataModel, Dialect, Globals, Saturation};
use crate::wire::projection::Method;
use crate::wire::refinement::Heuristic;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A name, its value and its help.
pub(super) type Choice<T> = (&'static str, T, &'static str);

/// Takes one of these names and gives its value.
pub(super) fn one_of<T>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = choices.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).map(|chosen| {
        let found = choices.iter().find(|(name, ..)| *name == chosen);
        found.map(|(_, value, _)| *value).expect("clap takes the names of the list alone")
    })
}

/// `--format`: how the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    /// For people
    Text,
    /// For scripts
    Json,
    /// A graph, for Graphviz
    #[value(hide = true)]
    Dot,
    /// A graph as a picture
    #[value(hide = true)]
    Svg,
    /// SARIF 2.1.0, for code scanning
    #[value(hide = true)]
    Sarif,
    /// JUnit's XML, for test reports
    #[value(hide = true)]
    Junit,
}

/// `--engine`: which engine decides `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Engine {
    /// Decision diagrams; in C the bounded engine where they give no answer
    Auto,
    /// Decision diagrams alone
    Diagrams,
    /// C: bounded model checking by SAT alone
    Bounded,
}

/// `--dialect`.
pub(super) const DIALECTS: &[Choice<Dialect>] = &[
    ("cimple", Dialect::Cimple, "The C-like language of the papers"),
    ("c", Dialect::C, "C"),
    ("java", Dialect::Java, "Java"),
    ("bp", Dialect::BooleanProgram, "Boolean programs"),
    ("remopla", Dialect::Remopla, "Remopla, the language of Moped"),
    ("pds", Dialect::Pds, "Raw pushdown systems"),
    ("json", Dialect::Pdaaal, "Raw pushdown systems in PDAAAL's JSON"),
];

/// `--globals`.
pub(super) const GLOBALS: &[Choice<Globals>] =
    &[("zero", Globals::Zero, "All zero"), ("any", Globals::Any, "Arbitrary")];

/// `--model`.
pub(super) const MODELS: &[Choice<DataModel>] = &[
    ("lp64", DataModel::Lp64, "Twice the bits of int"),
    ("ilp32", DataModel::Ilp32, "The bits of int"),
];

/// `--saturation`.
pub(super) const SATURATIONS: &[Choice<Saturation>] = &[
    ("post", Saturation::Post, "post* of the initial configurations, intersected with the target"),
    ("pre", Saturation::Pre, "pre* of the target, intersected with the initial configurations"),
    ("both", Saturation::Both, "Both in turn, until they meet"),
];

/// `projection --method`.
pub(super) const METHODS: &[Choice<Method>] = &[
    ("functional", Method::Functional, "Exact: all statements at once, by outer contexts"),
    (
        "per-node",
        Method::PerNode,
        "Exact: post* and pre* intersected, one path summary for each statement",
    ),
    ("double-prestar", Method::DoublePrestar, "Exact, slow: pre* twice for each statement"),
    ("double-poststar", Method::DoublePoststar, "Exact, slow: post* twice for each statement"),
    ("naive", Method::Naive, "Mixes up calling contexts, so it keeps statements that are innocent"),
];

/// `threads --method`.
pub(super) const THREAD_METHODS: &[Choice<ThreadsMethod>] = &[
    ("qadeer-rehof", ThreadsMethod::QadeerRehof, ThreadsMethod::QadeerRehof.told().1),
    ("transducer", ThreadsMethod::Transducer, ThreadsMethod::Transducer.told().1),
];

/// `localize --variant`.
pub(super) const VARIANTS: &[Choice<Variant>] = &[
    ("edges", Variant::Edges, "Steps that no correct run takes"),
    (
        "transitions",
        Variant::Transitions,
        "Steps that no correct run takes with these values: finds more, but mostly the rest of the \
         run as well",
    ),
];

/// `cegar --interpolants`.
pub(super) const HEURISTICS: &[Choice<Heuristic>] = &[
    ("strongest", Heuristic::Strongest, "The strongest, top-down"),
    ("weakest", Heuristic::Weakest, "The weakest, bottom-up"),
    ("both", Heuristic::Both, "Strongest and weakest"),
    (
        "conciliated",
        Heuristic::Conciliated,
        "The weakest, without what the strongest does not mention",
    ),
    ("skip", Heuristic::Skip, "Statements are skips wherever the strongest allows that"),
    ("skip-conciliated", Heuristic::SkipConciliated, "First skip, then conciliated"),
];

/// `pds --saturate`.
pub(super) const TASKS: &[Choice<LabTask>] = &[
    ("post", LabTask::Post, "post*: what the set reaches"),
    ("pre", LabTask::Pre, "pre*: what reaches the set"),
    ("transducer", LabTask::Transducer, "The transducer of all runs, with A_pop and A_grow"),
];
