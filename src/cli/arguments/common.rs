//! The options of every analysis: the program, how it is read, budgets, and what is printed.

use super::choices::{DIALECTS, Format, GLOBALS, MODELS, SATURATIONS, one_of};
use crate::lang::rules;
use crate::session::Budgets;
use crate::wire::options::{
    Checks, DataModel, Dialect, Globals, RequestedOptions, RuleText, Saturation,
};
use clap::{Args, value_parser};
use std::path::{Path, PathBuf};

/// Options of every analysis.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct Common {
    /// The program; `-` reads standard input
    pub(in crate::cli) file: PathBuf,
    /// Text for people, JSON for scripts
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
    /// Input language [default: by the file's extension, or else by the text]
    #[arg(long, value_parser = one_of(DIALECTS))]
    pub(in crate::cli) dialect: Option<Dialect>,
    /// C: defines a macro, as `#define` does
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub(in crate::cli) define: Vec<String>,
    /// Width of int, 1 to 32 [default: the program's; else 32 in C and Java, else 4]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=32))]
    pub(in crate::cli) bits: Option<u32>,
    /// Values of uninitialised globals [default: the program's, or any]
    #[arg(long, value_parser = one_of(GLOBALS))]
    pub(in crate::cli) globals: Option<Globals>,
    /// Built-in checks, out of bounds,division,overflow,shift,leak,race,initialised; or none
    /// [default: the program's, or bounds,division]
    #[arg(long, value_name = "LIST", value_parser = parse_checks)]
    pub(in crate::cli) check: Option<Checks>,
    /// Only the error on this line counts
    #[arg(long, value_name = "LINE", value_parser = value_parser!(u32).range(1..))]
    pub(in crate::cli) error: Option<u32>,
    /// This label is an error too (`error` and `ERROR` always are)
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) label: Option<String>,
    /// C: most objects of each type on the heap at once, 1 to 64 [default: 3]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub(in crate::cli) heap: Option<u32>,
    /// C: how wide `long` and pointers are [default: the program's, or lp64]
    #[arg(long, value_parser = one_of(MODELS))]
    pub(in crate::cli) model: Option<DataModel>,
    /// C: a rule beside the program: a file, or the name of one that is built in (`ldv/mutex`)
    #[arg(long = "rule", value_name = "FILE|NAME", value_parser = parse_rule)]
    pub(in crate::cli) rule: Vec<RuleText>,
    /// C: start with this procedure alone, with arguments of every value that makes sense [default:
    /// the program's, or `main`; without one, each procedure that no other calls]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) function: Option<String>,
    /// C: of a procedure alone, most elements of an array and characters of a text, 1 to 7
    /// [default: 4]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=7))]
    pub(in crate::cli) array: Option<u32>,
    /// The line that `check --reach` asks for.
    #[arg(skip)]
    pub(in crate::cli) reach: Option<u32>,
    /// Raw pushdown systems: which saturation decides [default: post]
    #[arg(long, value_parser = one_of(SATURATIONS))]
    pub(in crate::cli) saturation: Option<Saturation>,
    /// If the program is safe, print what always holds at each line: the inductive invariant
    #[arg(long)]
    pub(in crate::cli) invariants: bool,
    /// Write a witness of the verdict to this file, in the format of SV-COMP (version 2.0)
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) witness: Option<PathBuf>,
    /// Print a link that opens the program in the page at this address, behind the answer
    #[arg(long, value_name = "ADDRESS")]
    pub(in crate::cli) link: Option<String>,
    /// At most this many decision-diagram nodes at once (raw pushdown systems: transitions)
    #[arg(long, value_name = "N", default_value_t = Budgets::default().max_nodes)]
    pub(in crate::cli) max_nodes: u64,
    /// At most this many steps of the decision-diagram kernel (raw pushdown systems: transitions
    /// that are looked at)
    #[arg(long, value_name = "N", default_value_t = Budgets::default().max_steps)]
    pub(in crate::cli) max_steps: u64,
    /// At most this many seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    pub(in crate::cli) timeout: Option<f64>,
}

impl Common {
    /// Refuses the formats that an analysis does not have. All have text and JSON; `more`: what
    /// this one has besides.
    pub(in crate::cli) fn refuse_formats(&self, more: &[Format]) -> Result<(), String> {
        let told = match self.format {
            Format::Text | Format::Json => return Ok(()),
            format if more.contains(&format) => return Ok(()),
            Format::Dot => "dot is a format of `faultline graph` and `faultline pds`",
            Format::Svg => "svg is a format of `faultline graph`",
            Format::Sarif => "sarif is a format of `faultline check` and `faultline projection`",
            Format::Junit => "junit is a format of `faultline check`",
        };
        Err(format!("faultline: {told}; this answer is text or json\n"))
    }

    /// Refuses what only `check` and `projection` prove.
    pub(in crate::cli) fn refuse_proofs(&self) -> Result<(), String> {
        if self.invariants || self.witness.is_some() {
            return Err("faultline: --invariants and --witness are for `check` and `projection`\n"
                .to_string());
        }
        Ok(())
    }

    /// The options that the program is read with.
    pub(in crate::cli) fn requested(&self) -> RequestedOptions {
        RequestedOptions {
            dialect: self.dialect(),
            defines: self.define.clone(),
            bits: self.bits,
            globals: self.globals,
            checks: self.check,
            error: self.error,
            label: self.label.clone(),
            heap: self.heap,
            model: self.model,
            saturation: self.saturation,
            rules: self.rule.clone(),
            reach: self.reach,
            function: self.function.clone(),
            array: self.array,
        }
    }

    /// What an analysis may use; the clock keeps the time.
    pub(in crate::cli) fn budgets(&self) -> Budgets {
        Budgets { max_nodes: self.max_nodes, max_steps: self.max_steps, ..Budgets::default() }
    }

    /// The input language: as asked for, by the file's extension, or none: then the text decides.
    pub(in crate::cli) fn dialect(&self) -> Option<Dialect> {
        self.dialect.or_else(|| Dialect::of_extension(self.file.extension()?.to_str()?))
    }
}

/// A rule that is built in, or else the text of a file, which is read and checked.
pub(super) fn parse_rule(given: &str) -> Result<RuleText, String> {
    if rules::built_in(given).is_some() {
        return Ok(RuleText { name: given.to_string(), text: None });
    }
    let path = Path::new(given);
    let built_in = || rules::names().collect::<Vec<_>>().join(", ");
    let text = std::fs::read_to_string(path).map_err(|error| {
        format!("cannot read {given}: {error}; rules that are built in are {}", built_in())
    })?;
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    rules::check(&name, &text).map_err(|mistake| {
        let hint =
            if mistake.hint.is_empty() { String::new() } else { format!("; {}", mistake.hint) };
        format!("{given}:{}: {}{hint}", mistake.line, mistake.message)
    })?;
    Ok(RuleText { name, text: Some(text) })
}

fn parse_checks(text: &str) -> Result<Checks, String> {
    Checks::parse(text).map_err(|word| match word.as_str() {
        "" => format!("name checks, of {}, or none", Checks::NAMES),
        _ => format!("`{word}` is no check; there are {}, and none", Checks::NAMES),
    })
}

/// A year of seconds. More is a slip, and not every clock can add it.
const LONGEST: f64 = 31_536_000.0;

pub(super) fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST => Ok(seconds),
        _ => Err("give a positive number of seconds".to_string()),
    }
}
