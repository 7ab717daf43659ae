//! The options of each analysis.

use super::choices::{Engine, HEURISTICS, METHODS, TASKS, THREAD_METHODS, VARIANTS, one_of};
use super::common::{Common, parse_seconds};
use crate::session::{Budgets, SwitchBound, ThreadsMethod};
use crate::wire::lab::LabTask;
use crate::wire::localize::Variant;
use crate::wire::projection::Method;
use crate::wire::refinement::Heuristic;
use crate::wire::threads::RisingWord;
use clap::{Args, value_parser};
use std::path::PathBuf;

/// Options of `check`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Check {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Which engine decides
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub(in crate::cli) engine: Engine,
    /// Ask only whether a run comes to this line, and for the input with which it does
    #[arg(long, value_name = "LINE", value_parser = value_parser!(u32).range(1..), conflicts_with = "error")]
    pub(in crate::cli) reach: Option<u32>,
    #[command(flatten)]
    pub(in crate::cli) leaves: Leaves,
}

/// Files with which a failing run leaves.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct Leaves {
    /// Write the failing run of a program in C as a C file that fails in the same place, with any
    /// compiler
    #[arg(long, value_name = "OUT.c")]
    pub(in crate::cli) harness: Option<PathBuf>,
    /// Write what the failing run of a program in C reads
    #[arg(long, value_name = "OUT.in")]
    pub(in crate::cli) input_file: Option<PathBuf>,
}

/// Options of `projection`.
#[derive(Debug, Args)]
#[command(
    after_help = "`--format` also takes sarif (SARIF 2.1.0) here; the lit lines are its related locations."
)]
pub(in crate::cli) struct Projection {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// How to compute it
    #[arg(long, value_parser = one_of(METHODS), default_value = "functional")]
    pub(in crate::cli) method: Method,
    /// Also print the shortest failing run through a statement of each of these lines (at most 8),
    /// in any order
    #[arg(long, value_name = "LINE[,LINE…]", value_delimiter = ',', value_parser = value_parser!(u32).range(1..))]
    pub(in crate::cli) through: Vec<u32>,
    /// Print which stores failing runs have before the statements of this line
    #[arg(long, value_name = "LINE", value_parser = value_parser!(u32).range(1..))]
    pub(in crate::cli) stores: Option<u32>,
    /// With --stores: can this condition hold there on a failing run?
    #[arg(long = "where", value_name = "EXPR", requires = "stores")]
    pub(in crate::cli) condition: Option<String>,
    /// Print why the statements of this line are on no failing run
    #[arg(long, value_name = "LINE", value_parser = value_parser!(u32).range(1..))]
    pub(in crate::cli) why: Option<u32>,
}

/// Options of `report`.
#[derive(Debug, Args)]
#[command(
    after_help = "The file has the program with its lit lines, the verdict, the failing run step by step, what no correct run\ndoes or, of a safe program, what always holds, and the control-flow graph. It loads nothing."
)]
pub(in crate::cli) struct ReportPage {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Write the page to this file, and the verdict to standard output [default: the page goes to
    /// standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
}

/// Options of `cegar`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Cegar {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Which interpolants become predicates, to the end. Without this option: skip-conciliated, and
    /// once predicates have had their share of the budget, whole variables are followed
    #[arg(long, value_parser = one_of(HEURISTICS))]
    pub(in crate::cli) interpolants: Option<Heuristic>,
    /// Add no predicates where the abstract values already suffice
    #[arg(long)]
    pub(in crate::cli) lazy: bool,
    /// Explore the abstract program only to the first rank with an error
    #[arg(long)]
    pub(in crate::cli) shallow: bool,
    /// Slice the program first
    #[arg(long)]
    pub(in crate::cli) slice: bool,
    /// Keep each round inside the error projection of the round before
    #[arg(long)]
    pub(in crate::cli) project: bool,
    /// Use predicates to the end: never follow whole variables
    #[arg(long)]
    pub(in crate::cli) only_predicates: bool,
    /// Begin with this predicate: EXPR@LINE or EXPR@everywhere; may be given several times
    #[arg(long = "predicate", value_name = "EXPR@LINE", conflicts_with = "slice")]
    pub(in crate::cli) predicates: Vec<String>,
    /// Print the counterexample DAGs with their interpolants, the predicates, and the abstract
    /// statements
    #[arg(long)]
    pub(in crate::cli) explain: bool,
    /// At most this many refinements
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(in crate::cli) max_rounds: u32,
}

/// Options of `localize`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Localize {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Which causes further failing runs must avoid
    #[arg(long, value_parser = one_of(VARIANTS), default_value = "edges")]
    pub(in crate::cli) variant: Variant,
    /// Never blame these procedures
    #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
    pub(in crate::cli) trust: Vec<String>,
    /// Keep only causes on which the failure depends, by data and control; loses errors of omission
    #[arg(long)]
    pub(in crate::cli) dependent: bool,
    /// Also rank the statements of the failing run by what small changes of them do to known runs;
    /// this only executes programs and proves nothing
    #[arg(long)]
    pub(in crate::cli) suspects: bool,
    /// Judge steps by the abstraction that refinement (`faultline cegar`) ends with, instead of the
    /// program itself
    #[arg(long)]
    pub(in crate::cli) refined: bool,
    /// Also look for edits of the program that mend it; a check of the edited program verifies each
    #[arg(long)]
    pub(in crate::cli) repairs: bool,
    /// At most this many failing runs, each with a cause of its own
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    pub(in crate::cli) max_traces: u32,
}

/// Options of `focus`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Focus {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Show only assumptions over these variables
    #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
    pub(in crate::cli) inputs: Vec<String>,
    /// Also look for edits of the program that mend it; a check of the edited program verifies each
    #[arg(long)]
    pub(in crate::cli) repairs: bool,
    /// At most this many sequences
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..))]
    pub(in crate::cli) max_sequences: u32,
    /// Ignore conditions over these variables during the search, and decide afterwards whether each
    /// sequence is feasible
    #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
    pub(in crate::cli) uninterpreted: Vec<String>,
    /// This is an error too: a variable has this value while a procedure runs; may be given several
    /// times
    #[arg(long = "error-state", value_name = "\"NAME = VALUE in PROCEDURE\"")]
    pub(in crate::cli) error_states: Vec<String>,
}

/// Options of `threads`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Threads {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// At most this many context switches; or `rising`: none at first, then one more at a time,
    /// until a run fails, nothing new is reached, or the time is up (that of --timeout, or else ten
    /// seconds) [default: the directive `switches`, or else rising]
    #[arg(long, value_name = "K", value_parser = parse_switches)]
    pub(in crate::cli) switches: Option<SwitchBound>,
    /// How to compute it
    #[arg(long, value_parser = one_of(THREAD_METHODS), default_value = "qadeer-rehof")]
    pub(in crate::cli) method: ThreadsMethod,
    /// Print the values of the globals while some thread is before a statement of this line
    #[arg(long, value_name = "LINE", value_parser = value_parser!(u32).range(1..))]
    pub(in crate::cli) at: Option<u32>,
    /// Explain a failing run: print which statements of which thread take part in some run that
    /// fails within as few switches, and the correct schedule that differs least from the failing
    /// one
    #[arg(long, conflicts_with = "schedule")]
    pub(in crate::cli) explain: bool,
    /// Follow this schedule, and say what each thread can do next and what can still fail: threads
    /// by number from 0, as in `0,1,0.2`; `.2` is the third of the thread's alternatives. An empty
    /// list is the start
    #[arg(long, value_name = "LIST", conflicts_with_all = ["switches", "at"])]
    pub(in crate::cli) schedule: Option<String>,
}

/// Most context switches that can be asked for.
const MOST_SWITCHES: u32 = 30;

fn parse_switches(text: &str) -> Result<SwitchBound, String> {
    if RisingWord::from_word(text).is_some() {
        return Ok(SwitchBound::Rising);
    }
    match text.parse::<u32>() {
        Ok(most) if most <= MOST_SWITCHES => Ok(SwitchBound::AtMost(most)),
        _ => Err(format!("give a number up to {MOST_SWITCHES}, or `rising`")),
    }
}

/// Options of `affine`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Affine {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Equalities modulo 2^W, for integers that wrap [default: equalities of integers that never
    /// wrap]
    #[arg(long, value_name = "W", value_parser = value_parser!(u32).range(1..=64))]
    pub(in crate::cli) modulo: Option<u32>,
    /// If the program has threads: runs with at most K context switches [default: 2]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(0..=10))]
    pub(in crate::cli) switches: Option<u32>,
}

/// Options of `ltl`.
#[derive(Debug, Args)]
#[command(
    after_help = "Operators: ! && || -> <-> X (next) F (at some time) G (always) U (until) R (releases) W (weak until).\nAtoms: a condition over globals (`lock == 1`), `inside(f: x > 0)`, `at(12)`, `at(label)`, `enter(f)`, `leave(f)`, `fails`. In a pushdown system: the names of its atoms, and conditions over its variables."
)]
pub(in crate::cli) struct Ltl {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// The formula [default: the program's directive `//! ltl = FORMULA`]
    #[arg(long, value_name = "FORMULA")]
    pub(in crate::cli) ltl: Option<String>,
    /// Only fair runs count: no choice (`*`) is for ever the same [also: the program's directive
    /// `//! fair`]
    #[arg(long)]
    pub(in crate::cli) fair: bool,
    #[command(flatten)]
    pub(in crate::cli) refining: RefineFormula,
}

/// Options of `terminates`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Terminates {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Only fair runs count: no choice (`*`) is for ever the same [also: the program's directive
    /// `//! fair`]
    #[arg(long)]
    pub(in crate::cli) fair: bool,
    #[command(flatten)]
    pub(in crate::cli) refining: RefineFormula,
}

/// Options of the refinement loop for formulas and termination.
#[derive(Debug, Args)]
pub(in crate::cli) struct RefineFormula {
    /// Abstract the program by predicates, and refine them by runs with a cycle that cannot be
    /// executed for ever; print the rounds
    #[arg(long)]
    pub(in crate::cli) refine: bool,
    /// At most this many refinements
    #[arg(long, value_name = "N", default_value_t = 1_000, requires = "refine")]
    pub(in crate::cli) max_rounds: u32,
}

/// Options of `graph`.
#[derive(Debug, Args)]
#[command(after_help = "`--format` takes text, json, dot (for Graphviz) and svg here.")]
pub(in crate::cli) struct Graph {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Also give positions of nodes, edges and clusters (an SVG always has them)
    #[arg(long)]
    pub(in crate::cli) layout: bool,
    /// Also say which statements are on failing runs, and color them
    #[arg(long)]
    pub(in crate::cli) projection: bool,
}

/// Options of `pds`.
#[derive(Debug, Args)]
#[command(
    after_help = "Sets are written as in .pds files: `<p, a b*>`, several with commas between. In a program the state is p, and\n`main@7` is the place in main at line 7, `main@end` its end, `error@7` a failure there.\n`--format` takes text, json and dot (for Graphviz) here."
)]
pub(in crate::cli) struct Pds {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// What is built
    #[arg(long, value_parser = one_of(TASKS), default_value = "post")]
    pub(in crate::cli) saturate: LabTask,
    /// The set that is saturated [default: initial configurations for post, targets or errors for
    /// pre]
    #[arg(long, value_name = "SET")]
    pub(in crate::cli) set: Option<String>,
    /// Print the weight of this configuration or regular set in the saturated automaton, with a run
    #[arg(long, value_name = "SET")]
    pub(in crate::cli) weight: Option<String>,
    /// Print why the transition of this number has its weight
    #[arg(long, value_name = "NUMBER")]
    pub(in crate::cli) witness_of: Option<u32>,
    /// With --saturate transducer: print the weight of all runs from here …
    #[arg(long, value_name = "SET", requires = "to")]
    pub(in crate::cli) from: Option<String>,
    /// … to there
    #[arg(long, value_name = "SET", requires = "from")]
    pub(in crate::cli) to: Option<String>,
}

/// Options of `lsp`.
#[derive(Debug, Args)]
#[command(
    after_help = "It speaks the Language Server Protocol on standard input and output, and analyses what the editor has open, by\nthe directives of the text. It gives the error with its failing run as a diagnostic, a limit as information on the\nfirst line, semantic tokens of the types `lit` and `innocent` for lines that are on failing runs or on none, what\nholds on a line as hover text, and checked repairs as code actions. Exit codes: 0 after `shutdown` and `exit`, 1\nwithout `shutdown`, 2 if its input is not of that protocol.\n\nAny client that starts a command can use it. For VS Code there is an extension (`make vscode`). In Neovim: `vim.lsp.start({ name = 'faultline', cmd = { 'faultline', 'lsp' } })`;\nthe lines' colours are those of the groups `@lsp.type.lit` and `@lsp.type.innocent`."
)]
pub(in crate::cli) struct Lsp {
    /// At most this many seconds for a verdict, and again for each question about it
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "10")]
    pub(in crate::cli) timeout: f64,
    /// At most this many decision-diagram nodes at once for each open text
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub(in crate::cli) max_nodes: u64,
    /// At most this many steps of the decision-diagram kernel for a verdict
    #[arg(long, value_name = "N", default_value_t = Budgets::default().max_steps)]
    pub(in crate::cli) max_steps: u64,
}
