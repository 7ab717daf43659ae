//! The options of `test`, `equivalent` and `grade`.

use super::choices::Format;
use super::common::{parse_rule, parse_seconds};
use crate::session::Budgets;
use crate::wire::options::RuleText;
use clap::{Args, value_parser};
use std::path::PathBuf;

/// How outputs are compared.
const COMPARISONS: [&str; 4] = ["exact", "lines", "words", "numbers"];

/// Options of `test`.
#[derive(Debug, Args)]
#[command(
    after_help = "Tests also stand in comments of the program: `/*! test NAME`, the input, a line `---`, the expected output, `*/`.\nThe program is executed as a compiled one is (x86-64, 32-bit int), floating point included; reads outside of objects and\nof freed memory end the run as an error. Exit codes: 0 all tests pass, 1 one fails, 2 bad input, 3 a limit was hit."
)]
pub(in crate::cli) struct Test {
    /// The program, in C or Java
    pub(in crate::cli) file: PathBuf,
    /// A folder with tests: NAME.in is what the program reads, NAME.out what it should print
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) tests: Vec<PathBuf>,
    /// How outputs are compared: byte by byte; without white space at the ends of lines; only
    /// words; words, with numbers within 1e-6
    #[arg(long, value_name = "HOW", value_parser = COMPARISONS, default_value = "exact")]
    pub(in crate::cli) compare: String,
    /// If a test fails: rank the lines, and search for a change with which all tests pass
    #[arg(long)]
    pub(in crate::cli) explain: bool,
    /// Text for people, JSON for scripts
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
    /// At most this many seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "10")]
    pub(in crate::cli) timeout: f64,
}

/// Options of `equivalent`.
#[derive(Debug, Args)]
#[command(
    after_help = "DOMAIN: items with commas between: `NAME in LO..HI`, `int`, `int in LO..HI`, `float`, `float in LO..HI`,\n`word of at most K letters`, `line of at most K`, `text of \"CHARS\" of at most K`, `N times ITEM` (N: a number, the name of\nan earlier item, or `up to K`). Example: `n in 1..100, then n times int in -50..50`.\nInputs on which the reference itself fails, overflows or reads what has no value do not count. Exit codes: 0 equal on every\ninput of the domain, 1 a difference was found, 2 bad input, 3 none was found, which proves nothing."
)]
pub(in crate::cli) struct Equivalent {
    /// The program, in C or Java
    pub(in crate::cli) file: PathBuf,
    /// The reference solution, in C or Java
    pub(in crate::cli) reference: PathBuf,
    /// The inputs that count [default: read off the reference, and told]
    #[arg(long, value_name = "DOMAIN", default_value = "", hide_default_value = true)]
    pub(in crate::cli) input: String,
    /// A folder with tests, whose inputs are tried first
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) tests: Vec<PathBuf>,
    /// Keep the difference as a test: write NAME.in and NAME.out (what the reference prints)
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) keep: Option<PathBuf>,
    /// How outputs are compared, as in `test`
    #[arg(long, value_name = "HOW", value_parser = COMPARISONS, default_value = "exact")]
    pub(in crate::cli) compare: String,
    /// Text for people, JSON for scripts
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
    /// At most this many seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "10")]
    pub(in crate::cli) timeout: f64,
}

/// Options of `grade`.
#[derive(Debug, Args)]
#[command(
    after_help = "A submission is a file NAME.c or NAME.java, a folder or an archive (zip, tar, tar.gz) with one C file or with Java files. DIR may be an archive, too.\nHeaders beside the submissions and beside the reference may be included. Rules and a procedure alone are checked by the\nengine: on every input, or up to a limit, which a row names. With -o, FOLDER has report.txt, report.csv,\nreport.json, report.xml (JUnit), report.html, and one file for each submission: after an interruption, or when some\nsubmissions changed, the same command goes on from what is there. Exit codes: 0 all submissions pass, 1 one fails,\n2 bad input, 3 none fails, and one has no answer or is refused."
)]
pub(in crate::cli) struct Grade {
    /// The folder with the submissions
    #[arg(value_name = "DIR")]
    pub(in crate::cli) folder: PathBuf,
    /// The reference solution, in C or Java
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) reference: Option<PathBuf>,
    /// A folder with tests, as in `test`; those in comments of the reference count, too
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) tests: Vec<PathBuf>,
    /// The inputs that count, as in `equivalent` [default: read off the reference]
    #[arg(
        long,
        value_name = "DOMAIN",
        default_value = "",
        hide_default_value = true,
        requires = "reference"
    )]
    pub(in crate::cli) input: String,
    /// How outputs are compared, as in `test`
    #[arg(long, value_name = "HOW", value_parser = COMPARISONS, default_value = "exact")]
    pub(in crate::cli) compare: String,
    /// A rule that no run of a submission may break, as in `check`; may be given several times
    #[arg(long = "rule", value_name = "FILE|NAME", value_parser = parse_rule)]
    pub(in crate::cli) rule: Vec<RuleText>,
    /// Check this procedure of each submission alone, against its contract where it has one, as
    /// `check` does
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) function: Option<String>,
    /// Give each submission a link that opens it in the page at this address, where it fails
    #[arg(long, value_name = "ADDRESS")]
    pub(in crate::cli) link: Option<String>,
    /// Writes the reports, and what is needed to go on, into this folder
    #[arg(short, long, value_name = "FOLDER")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// How many submissions at once [default: as many as the machine has cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(in crate::cli) jobs: Option<u16>,
    /// Text for people, JSON for scripts
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
    /// Rules and a procedure alone: at most this many steps of the decision-diagram kernel for each
    /// submission and question
    #[arg(long, value_name = "N", default_value_t = Budgets::default().max_steps)]
    pub(in crate::cli) max_steps: u64,
    /// At most this many seconds for each submission
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "10")]
    pub(in crate::cli) timeout: f64,
}
