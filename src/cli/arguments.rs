//! The command line's contract: `faultline <analysis> FILE [options]`.

use crate::session::Budgets;
use crate::wire::options::{Checks, Dialect, Globals, RequestedOptions, Saturation};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// All arguments.
#[derive(Debug, Parser)]
#[command(
    name = "faultline",
    version,
    about = "Proves or breaks programs: can an assertion fail, on which runs, and which statements are innocent",
    after_help = "Exit codes: 0 safe, 1 an error found, 2 bad input, 3 unknown (a limit was hit).\n\nRaw pushdown systems (.pds, and PDAAAL's .json): 0 no target is reached, 1 one is; `check` shows a run,\n`projection` the rules on such runs, `graph` heads and rules."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub analysis: Analysis,
}

/// The analyses.
#[derive(Debug, Subcommand)]
pub enum Analysis {
    /// Can the program fail? One concrete failing run, if so.
    Check(Common),
    /// `check`, and every statement that is on some failing run.
    Projection(Projection),
    /// Counterexample-guided abstraction refinement: predicates by Craig interpolation, until the
    /// program is proved or broken.
    Cegar(Cegar),
    /// Where to mend: what failing runs do that no correct run does.
    Localize(Localize),
    /// Why it fails: the statements that matter, way by way, and what they assume of the inputs.
    Focus(Focus),
    /// Threads under a bound on context switches: can it fail, with how few of them, and on which
    /// interleaved run.
    Threads(Threads),
    /// What always holds among the variables: every affine equality, line by line.
    Affine(Affine),
    /// The control-flow graph, as text, JSON, DOT or SVG.
    Graph(Graph),
    /// The pushdown system behind a program, or a raw one: its saturation, weights and witnesses.
    Pds(Pds),
}

/// Arguments of `threads`.
#[derive(Debug, Args)]
pub struct Threads {
    /// Those of all analyses.
    #[command(flatten)]
    pub common: Common,
    /// At most so many context switches [default: the directive `switches`, or else 2]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(..=30))]
    pub switches: Option<u32>,
    /// How to compute it
    #[arg(long, value_enum, default_value_t = ThreadMethodName::QadeerRehof)]
    pub method: ThreadMethodName,
    /// Which values the globals have while some thread is before a statement of this line
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u32).range(1..))]
    pub at: Option<u32>,
}

/// Methods for threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThreadMethodName {
    /// Threads in turn, their stacks split by explicit globals at each switch
    QadeerRehof,
    /// Weighted transducers, composed by tensor products
    Transducer,
}

/// Arguments of `projection`.
#[derive(Debug, Args)]
pub struct Projection {
    /// Those of all analyses.
    #[command(flatten)]
    pub common: Common,
    /// How to compute it
    #[arg(long, value_enum, default_value_t = MethodName::Functional)]
    pub method: MethodName,
    /// Also the shortest failing run through a statement of each of these lines (at most 8), in any
    /// order
    #[arg(long, value_name = "LINE[,LINE…]", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub through: Vec<u32>,
    /// Which stores failing runs have before the statements of this line
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u32).range(1..))]
    pub stores: Option<u32>,
    /// With --stores: can this condition hold there on a failing run?
    #[arg(long = "where", value_name = "EXPR", requires = "stores")]
    pub condition: Option<String>,
    /// Why the statements of this line are on no failing run
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u32).range(1..))]
    pub why: Option<u32>,
}

/// Arguments of `focus`.
#[derive(Debug, Args)]
pub struct Focus {
    /// Those of all analyses.
    #[command(flatten)]
    pub common: Common,
    /// Show only assumptions over these variables
    #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
    pub inputs: Vec<String>,
    /// Also look for edits of the program that mend it, each verified by a check of the edited
    /// program
    #[arg(long)]
    pub repairs: bool,
    /// Most sequences
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_sequences: u32,
    /// Leave conditions over these variables aside while searching, and decide afterwards whether
    /// each sequence is feasible
    #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
    pub uninterpreted: Vec<String>,
    /// Also an error: a variable has this value while a procedure runs; may be given several times
    #[arg(long = "error-state", value_name = "\"NAME = VALUE in PROCEDURE\"")]
    pub error_states: Vec<String>,
}

/// Arguments of `localize`.
#[derive(Debug, Args)]
pub struct Localize {
    /// Those of all analyses.
    #[command(flatten)]
    pub common: Common,
    /// Which causes further failing runs are to avoid
    #[arg(long, value_enum, default_value_t = VariantName::Edges)]
    pub variant: VariantName,
    /// Procedures that are never blamed
    #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
    pub trust: Vec<String>,
    /// Only causes on which what fails depends, by data and control; loses errors of omission
    #[arg(long)]
    pub dependent: bool,
    /// Also rank statements of the failing run by what small changes of them do to runs that are
    /// known; executes only, proves nothing
    #[arg(long)]
    pub suspects: bool,
    /// Judge steps by the abstraction that refinement (`faultline cegar`) ends with, instead of the
    /// program itself
    #[arg(long)]
    pub refined: bool,
    /// Also look for edits of the program that mend it, each verified by a check of the edited
    /// program
    #[arg(long)]
    pub repairs: bool,
    /// Most failing runs, each with a cause of its own
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_traces: u32,
}

/// Variants of causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VariantName {
    /// Steps that no correct run takes
    Edges,
    /// Steps that no correct run takes with these values: finds more, but mostly the rest of the
    /// run as well
    Transitions,
}

/// Arguments of `cegar`.
#[derive(Debug, Args)]
pub struct Cegar {
    /// Those of all analyses.
    #[command(flatten)]
    pub common: Common,
    /// Which interpolants become predicates
    #[arg(long, value_enum, default_value_t = HeuristicName::SkipConciliated)]
    pub interpolants: HeuristicName,
    /// No predicates where the abstract values already suffice
    #[arg(long)]
    pub lazy: bool,
    /// Explore the abstract program only to the first rank with an error
    #[arg(long)]
    pub shallow: bool,
    /// Slice the program first
    #[arg(long)]
    pub slice: bool,
    /// Keep each round inside the error projection of the one before
    #[arg(long)]
    pub project: bool,
    /// A predicate to begin with: EXPR@LINE or EXPR@everywhere; may be given several times
    #[arg(long = "predicate", value_name = "EXPR@LINE", conflicts_with = "slice")]
    pub predicates: Vec<String>,
    /// Print the counterexample DAGs with their interpolants, the predicates, and the abstract
    /// statements
    #[arg(long)]
    pub explain: bool,
    /// Most refinements
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub max_rounds: u32,
}

/// Heuristics for interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HeuristicName {
    /// The strongest, top-down
    Strongest,
    /// The weakest, bottom-up
    Weakest,
    /// Strongest and weakest
    Both,
    /// The weakest, without what the strongest does not mention
    Conciliated,
    /// Statements are skips wherever the strongest allows that
    Skip,
    /// First skip, then conciliated
    SkipConciliated,
}

/// Arguments of `affine`.
#[derive(Debug, Args)]
pub struct Affine {
    /// Those of all analyses.
    #[command(flatten)]
    pub common: Common,
    /// Equalities modulo 2^W, for integers that wrap [default: equalities of integers that never
    /// wrap]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub modulo: Option<u32>,
    /// Of a program with threads: runs with at most K context switches [default: 2]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=10))]
    pub switches: Option<u32>,
}

/// Arguments of `pds`.
#[derive(Debug, Args)]
#[command(
    after_help = "Sets are written as in .pds files: `<p, a b*>`, several with commas between. Of a program the state is p, and\n`main@7` is the place in main at line 7, `main@end` its end, `error@7` a failure there.\n`--format` takes text, json and dot (for Graphviz) here."
)]
pub struct Pds {
    /// Those of all analyses.
    #[command(flatten)]
    pub common: Common,
    /// What is built
    #[arg(long, value_enum, default_value_t = SaturateName::Post)]
    pub saturate: SaturateName,
    /// The set that is saturated [default: initial configurations for post, targets or errors for
    /// pre]
    #[arg(long, value_name = "SET")]
    pub set: Option<String>,
    /// The weight of a configuration or regular set in the saturated automaton, with a run
    #[arg(long, value_name = "SET")]
    pub weight: Option<String>,
    /// Why the transition of this number has its weight
    #[arg(long, value_name = "NUMBER")]
    pub witness_of: Option<u32>,
    /// With --saturate transducer: the weight of all runs from here …
    #[arg(long, value_name = "SET", requires = "to")]
    pub from: Option<String>,
    /// … to there
    #[arg(long, value_name = "SET", requires = "from")]
    pub to: Option<String>,
}

/// What `pds` builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SaturateName {
    /// post*: what the set reaches
    Post,
    /// pre*: what reaches the set
    Pre,
    /// The transducer of all runs, with A_pop and A_grow
    Transducer,
}

/// Arguments of `graph`.
#[derive(Debug, Args)]
#[command(after_help = "`--format` takes text, json, dot (for Graphviz) and svg here.")]
pub struct Graph {
    /// Those of all analyses.
    #[command(flatten)]
    pub common: Common,
    /// Positions too, of nodes, edges and clusters (an SVG always has them)
    #[arg(long)]
    pub layout: bool,
    /// Say which statements are on failing runs, and color them
    #[arg(long)]
    pub projection: bool,
}

/// Ways to compute a projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// Exact: all statements at once, by outer contexts
    Functional,
    /// Exact: post* and pre* intersected, one path summary for each statement
    PerNode,
    /// Exact, slow: pre* twice for each statement
    DoublePrestar,
    /// Exact, slow: post* twice for each statement
    DoublePoststar,
    /// Mixes up calling contexts, so it keeps statements that are innocent
    Naive,
}

/// Arguments of every analysis.
#[derive(Debug, Args)]
pub struct Common {
    /// The program; `-` reads standard input
    pub file: PathBuf,
    /// Text for people, JSON for scripts
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Input language [default: by the file's extension, or else by the text]
    #[arg(long, value_enum)]
    pub dialect: Option<DialectName>,
    /// C: defines a macro, as `#define` would
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Width of int, 1 to 32 [default: the program's, or 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32))]
    pub bits: Option<u32>,
    /// Values of uninitialised globals [default: the program's, or any]
    #[arg(long, value_enum)]
    pub globals: Option<GlobalsName>,
    /// Built-in checks, out of bounds,division,overflow,shift; or none [default: the program's, or
    /// bounds,division]
    #[arg(long, value_name = "LIST", value_parser = parse_checks)]
    pub check: Option<Checks>,
    /// Only the error on this line counts
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u32).range(1..))]
    pub error: Option<u32>,
    /// This label is an error too (`error` and `ERROR` always are)
    #[arg(long, value_name = "NAME")]
    pub label: Option<String>,
    /// Raw pushdown systems: which saturation decides [default: post]
    #[arg(long, value_enum)]
    pub saturation: Option<SaturationName>,
    /// Of a safe program, print what always holds at each line: the inductive invariant
    #[arg(long)]
    pub invariants: bool,
    /// Write a witness of the verdict to this file, in the format of SV-COMP (version 2.0)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Most decision-diagram nodes at once (raw pushdown systems: transitions)
    #[arg(long, value_name = "N", default_value_t = Budgets::default().max_nodes)]
    pub max_nodes: u64,
    /// Most steps of the decision-diagram kernel (raw pushdown systems: transitions looked at)
    #[arg(long, value_name = "N", default_value_t = Budgets::default().max_steps)]
    pub max_steps: u64,
    /// Most seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    pub timeout: Option<f64>,
}

impl Common {
    /// What the program is to be read with.
    pub fn requested(&self) -> RequestedOptions {
        RequestedOptions {
            dialect: self.dialect(),
            defines: self.define.clone(),
            bits: self.bits,
            globals: self.globals.map(|globals| match globals {
                GlobalsName::Zero => Globals::Zero,
                GlobalsName::Any => Globals::Any,
            }),
            checks: self.check,
            error: self.error,
            label: self.label.clone(),
            saturation: self.saturation.map(SaturationName::saturation),
        }
    }

    /// What the analysis may use up; the clock is the driver's.
    pub fn budgets(&self) -> Budgets {
        Budgets { max_nodes: self.max_nodes, max_steps: self.max_steps, ..Budgets::default() }
    }

    /// The input language: as asked for, by the file's extension, or none: then the text decides.
    pub fn dialect(&self) -> Option<Dialect> {
        let by_extension = || Dialect::of_extension(self.file.extension()?.to_str()?);
        self.dialect.map(DialectName::dialect).or_else(by_extension)
    }
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For scripts.
    Json,
    /// A graph, for Graphviz.
    #[value(hide = true)]
    Dot,
    /// A graph as a picture.
    #[value(hide = true)]
    Svg,
}

/// Input languages by their names on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DialectName {
    /// The papers' C-like language.
    Cimple,
    /// C.
    C,
    /// Boolean programs.
    Bp,
    /// Moped's language.
    Remopla,
    /// Raw pushdown systems.
    Pds,
    /// Raw pushdown systems in PDAAAL's JSON.
    Json,
}

impl DialectName {
    fn dialect(self) -> Dialect {
        match self {
            DialectName::Cimple => Dialect::Cimple,
            DialectName::C => Dialect::C,
            DialectName::Bp => Dialect::BooleanProgram,
            DialectName::Remopla => Dialect::Remopla,
            DialectName::Pds => Dialect::Pds,
            DialectName::Json => Dialect::Pdaaal,
        }
    }
}

/// Ways to decide reachability of a raw pushdown system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SaturationName {
    /// post* of the initial configurations, intersected with the target
    Post,
    /// pre* of the target, intersected with the initial configurations
    Pre,
    /// Both in turn, until they meet
    Both,
}

impl SaturationName {
    fn saturation(self) -> Saturation {
        match self {
            SaturationName::Post => Saturation::Post,
            SaturationName::Pre => Saturation::Pre,
            SaturationName::Both => Saturation::Both,
        }
    }
}

/// Values of `--globals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GlobalsName {
    /// All zero.
    Zero,
    /// Arbitrary.
    Any,
}

fn parse_checks(text: &str) -> Result<Checks, String> {
    let mut checks = Checks { bounds: false, division: false, overflow: false, shift: false };
    if text == "none" {
        return Ok(checks);
    }
    for name in text.split(',').map(str::trim) {
        match name {
            "bounds" => checks.bounds = true,
            "division" => checks.division = true,
            "overflow" => checks.overflow = true,
            "shift" => checks.shift = true,
            _ => {
                return Err(format!(
                    "`{name}` is no check; there are bounds, division, overflow, shift, and none"
                ));
            }
        }
    }
    Ok(checks)
}

/// A year of seconds: what lies beyond is a slip, and not every clock can add it.
const LONGEST: f64 = 31_536_000.0;

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST => Ok(seconds),
        _ => Err("give a positive number of seconds".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(line.split_whitespace())
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_reach_the_front_end() {
        let arguments = parse(
            "faultline check a.cimple --bits 7 --globals zero --check bounds,shift --error 12 --timeout 1.5 -D N=3",
        );
        let Analysis::Check(common) = arguments.expect("a good line").analysis else {
            panic!("not a check")
        };
        let expected = RequestedOptions {
            dialect: Some(Dialect::Cimple),
            defines: vec!["N=3".to_string()],
            bits: Some(7),
            globals: Some(Globals::Zero),
            checks: Some(Checks { bounds: true, division: false, overflow: false, shift: true }),
            error: Some(12),
            label: None,
            saturation: None,
        };
        assert_eq!(common.requested(), expected);
        assert_eq!(common.timeout, Some(1.5));
        assert_eq!(common.dialect(), Some(Dialect::Cimple));
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        for line in [
            "faultline check a.cimple --bits 0",
            "faultline check a.cimple --bits 99",
            "faultline check a.cimple --check bonds",
            "faultline check a.cimple --timeout -1",
            "faultline check a.cimple --timeout nan",
            "faultline check a.cimple --error 0",
            "faultline check",
            "faultline check a.cimple --frobnicate",
            "faultline check a.cimple --method naive",
            "faultline projection a.cimple --through 0",
            "faultline projection a.cimple --through x",
            "faultline projection a.cimple --through",
            "faultline projection a.cimple --where x>0",
            "faultline projection a.cimple --stores 0",
            "faultline projection a.cimple --why line",
        ] {
            assert_eq!(parse(line).expect_err(line).exit_code(), 2, "{line}");
        }
    }
}
