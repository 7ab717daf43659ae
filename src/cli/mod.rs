//! The native command `faultline`: reads a program, runs an analysis under budgets and a clock,
//! prints a report.
//!
//! Exit codes: 0 safe (a raw pushdown system: not reachable), 1 an error found (reachable), 2 bad
//! input or usage (diagnostics on standard error), 3 unknown.

mod affine;
mod arguments;
mod cegar;
mod check;
mod clock;
mod console;
mod diagnostics;
mod document;
mod extended;
mod focus;
mod grading;
mod graph;
mod junit;
mod language_server;
mod leaves;
mod link;
mod liveness;
mod liveness_rounds;
mod localize;
mod pushdown;
mod questions;
mod reference;
mod repair;
mod sarif;
mod saturate;
mod suspects;
mod testing;
mod text;
mod threads;
mod through;
mod witness;

pub use reference::reference;

use crate::session::Task;
use crate::wire::report::Verdict;
use arguments::{
    Affine, Cegar, Check, Common, Engine, Equivalent, Focus, Grade, Graph, Leaves, Localize, Lsp,
    Ltl, Pds, Projection, ReportPage, Terminates, Test, Threads,
};
use clap::{CommandFactory, Parser, Subcommand};
use questions::Questions;
use std::io::Write;
use std::process::ExitCode;

/// The licences of what the command and the page contain; `.ci/licences.mjs` writes them.
const LICENCES: &str = include_str!("../../static/licences.txt");

/// All arguments.
#[derive(Debug, Parser)]
#[command(
    name = "faultline",
    version,
    arg_required_else_help = true,
    override_usage = "faultline <COMMAND>\n       faultline --licenses",
    about = "Proves or breaks programs: can an assertion fail, on which runs, and which statements are innocent",
    after_help = "Exit codes: 0 safe, 1 an error found, 2 bad input, 3 unknown (a limit was hit).\n\nRaw pushdown systems (.pds, and PDAAAL's .json): 0 no target is reached, 1 one is; `check` shows a run,\n`projection` the rules on such runs, `graph` heads and rules."
)]
struct Arguments {
    /// Print the licences of what the command contains.
    #[arg(long)]
    licenses: bool,
    /// What to do.
    #[command(subcommand)]
    analysis: Option<Analysis>,
}

/// The analyses.
#[derive(Debug, Subcommand)]
enum Analysis {
    /// Can the program fail? If so, print one concrete failing run.
    #[command(
        after_help = "`--format` also takes sarif (SARIF 2.1.0, for code scanning and editors) and junit (JUnit's XML) here. With junit,\neach line that checks something is a test case, decided as `--error LINE` does, with budgets of its own under one\n`--timeout`. A run ends at its first error, so a case passes if every run that would fail there fails before. What a\nlimit leaves open is no result, but a notification in SARIF and a skipped test case in JUnit."
    )]
    Check(Check),
    /// As `check`, and print every statement that is on some failing run.
    Projection(Projection),
    /// The answer of `projection` as one HTML file that opens anywhere, to send, print or hand in.
    Report(ReportPage),
    /// Counterexample-guided abstraction refinement: find predicates by Craig interpolation, until
    /// the program is proved or broken.
    Cegar(Cegar),
    /// Run a program in C or Java on tests: inputs with expected outputs. With --explain: which
    /// lines to look at, and which change makes all tests pass.
    Test(Test),
    /// Does a program in C or Java print what its reference solution prints? If not, on which
    /// input.
    Equivalent(Equivalent),
    /// The submissions of a class, by tests and a reference solution: a verdict for each, which
    /// fail alike, and which mistakes the class makes.
    Grade(Grade),
    /// Where to mend: what failing runs do that no correct run does.
    Localize(Localize),
    /// Why the program fails: the statements that matter, one way to fail after the other, and what
    /// they assume of the inputs.
    Focus(Focus),
    /// Threads under a bound on context switches: can the program fail, with how few of them, and
    /// on which interleaved run.
    Threads(Threads),
    /// What always holds among the variables: every affine equality, line by line.
    Affine(Affine),
    /// Does every run satisfy a formula of linear temporal logic? If not, print a run that does
    /// not (a prefix, and a cycle that it goes round for ever), and the lines that such runs
    /// execute.
    Ltl(Ltl),
    /// Does every run end? If not, print one that does not, and the lines that such runs execute.
    Terminates(Terminates),
    /// The control-flow graph, as text, JSON, DOT or SVG.
    Graph(Graph),
    /// The pushdown system behind a program, or a raw one: its saturation, weights and witnesses.
    Pds(Pds),
    /// A language server, for editors: diagnostics, lit lines, what holds on a line, repairs.
    Lsp(Lsp),
}

/// The command with its analyses and options, for its reference.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// The command: arguments and standard input in; report, diagnostics and exit code out.
pub fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(Arguments { analysis: Some(analysis), .. }) => analyse(analysis),
        Ok(_) => ended(console::print(LICENCES)),
        Err(error) => said(&error),
    }
}

/// Prints help, the version, or what is wrong with the arguments.
fn said(error: &clap::Error) -> ExitCode {
    let written = error.print().and_then(|()| std::io::stdout().flush());
    match console::kept(written) {
        Ok(()) => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
        lost => ended(lost),
    }
}

/// The exit code of what has no verdict.
fn ended(written: Result<(), String>) -> ExitCode {
    match written {
        Ok(()) => ExitCode::from(0),
        Err(complaint) => {
            console::tell(&complaint);
            ExitCode::from(2)
        }
    }
}

impl Analysis {
    /// The options of a program's analysis, and the word of its tab in the page.
    fn common(&self) -> Option<(&Common, &'static str)> {
        Some(match self {
            Analysis::Check(arguments) => (&arguments.common, "projection"),
            Analysis::Projection(arguments) => (&arguments.common, "projection"),
            Analysis::Cegar(arguments) => (&arguments.common, "refinement"),
            Analysis::Localize(arguments) => (&arguments.common, "explain"),
            Analysis::Focus(arguments) => (&arguments.common, "explain"),
            Analysis::Threads(arguments) => (&arguments.common, "threads"),
            Analysis::Affine(arguments) => (&arguments.common, "projection"),
            Analysis::Ltl(arguments) => (&arguments.common, "liveness"),
            Analysis::Terminates(arguments) => (&arguments.common, "liveness"),
            Analysis::Report(_)
            | Analysis::Test(_)
            | Analysis::Equivalent(_)
            | Analysis::Grade(_)
            | Analysis::Graph(_)
            | Analysis::Pds(_)
            | Analysis::Lsp(_) => return None,
        })
    }
}

fn analyse(analysis: Analysis) -> ExitCode {
    if let Analysis::Lsp(arguments) = &analysis {
        return language_server::serve(arguments);
    }
    let common = analysis.common();
    let refused = common.and_then(|(common, _)| link::refuse_stdin(common).err());
    if let Some(complaint) = refused {
        return ended(Err(complaint));
    }
    let verdict = answer(&analysis);
    let verdict = verdict.and_then(|verdict| {
        common.map_or(Ok(()), |(common, tab)| link::print(common, tab)).map(|()| verdict)
    });
    match verdict {
        Ok(Verdict::Safe) => ExitCode::from(0),
        Ok(Verdict::Unsafe) => ExitCode::from(1),
        Ok(Verdict::Unknown) => ExitCode::from(3),
        Err(complaint) => ended(Err(complaint)),
    }
}

fn answer(analysis: &Analysis) -> Result<Verdict, String> {
    match analysis {
        Analysis::Check(Check { common, engine, reach, leaves }) => {
            let asked = check::Asked { engine: *engine, through: &[], leaves };
            let common = Common { reach: *reach, ..common.clone() };
            check::print(&common, Task::Check, &asked, &Questions::default())
        }
        Analysis::Projection(arguments) => {
            let Projection { common, method, through, stores, condition, why } = arguments;
            let questions = Questions { stores: *stores, condition: condition.clone(), why: *why };
            let task = Task::Projection(*method);
            let (engine, leaves) = (Engine::Diagrams, Leaves::default());
            let asked = check::Asked { engine, through, leaves: &leaves };
            check::print(common, task, &asked, &questions)
        }
        Analysis::Report(arguments) => document::print(arguments),
        Analysis::Cegar(arguments) => cegar::print(arguments),
        Analysis::Test(arguments) => testing::print_tests(arguments),
        Analysis::Equivalent(arguments) => testing::print_comparison(arguments),
        Analysis::Grade(arguments) => grading::print(arguments),
        Analysis::Localize(arguments) => localize::print(arguments),
        Analysis::Focus(arguments) => focus::print(arguments),
        Analysis::Threads(arguments) => threads::print(arguments),
        Analysis::Affine(arguments) => affine::print(arguments),
        Analysis::Ltl(arguments) => liveness::print_formula(arguments),
        Analysis::Terminates(arguments) => liveness::print_termination(arguments),
        Analysis::Graph(arguments) => graph::print(arguments),
        Analysis::Pds(arguments) => saturate::print(arguments),
        // It answers an editor, and is served before.
        Analysis::Lsp(_) => Err("faultline: a language server has no verdict\n".to_string()),
    }
}
