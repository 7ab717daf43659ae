//! `c/seq` and `c/threads`: small C programs from the regression suites of model checkers.
//!
//! The known answers hold for 32 bits and for each suite's own property. So what is known safe is
//! run with the suites' own errors only and must not be unsafe; what is known unsafe is run with
//! every check on and must not be safe. Anything else is an exception with its reason.

use crate::index::{Case, cases};
use crate::refusals::{Kind, kind};
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::diagnostic::Severity;
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use std::collections::BTreeMap;
use std::path::Path;

/// Known answers that a replayed run refutes, or that rest on what the model leaves out: file,
/// verdict that is given, why.
const EXCEPTIONS: [(&str, &str, &str); 1] = [(
    "c/seq/esbmc__esbmc__github_371_8__main.c",
    "safe",
    "it defines `assert` itself, with an empty body: by C's rules its only run calls that, does nothing, and returns 0",
)];

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Refused(Kind, String),
    Safe,
    Unsafe,
    Unknown(&'static str),
    Fault(String),
}

impl Fate {
    fn word(&self) -> &'static str {
        match self {
            Fate::Refused(..) => "refused",
            Fate::Safe => "safe",
            Fate::Unsafe => "unsafe",
            Fate::Unknown(_) => "unknown",
            Fate::Fault(_) => "fault",
        }
    }
}

/// Steps of the kernel for each case; the full run of the closing note has many more.
fn steps() -> u64 {
    std::env::var("FAULTLINE_CORPUS_STEPS")
        .ok()
        .and_then(|steps| steps.parse().ok())
        .unwrap_or(2_000_000)
}

fn run(case: &Case, bits: Option<u32>) -> Fate {
    let all = case.known == "unsafe";
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits,
        checks: Some(Checks {
            bounds: all,
            division: all,
            overflow: all,
            shift: all,
            ..Checks::NONE
        }),
        ..RequestedOptions::default()
    };
    let (mut session, diagnostics) = Session::load(&case.source, &requested);
    if session.program().is_none() {
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let (first, message) = errors
            .map(|d| (kind(&d.message), d.message.clone()))
            .min()
            .expect("a program is missing for a reason");
        return Fate::Refused(first, message);
    }
    let budgets = Budgets { max_nodes: 4_000_000, max_steps: steps(), ..Budgets::default() };
    session.use_portfolio(&requested);
    session.start(Task::Check, budgets);
    while session.outcome() != Outcome::Unsafe && !session.step() {}
    match session.outcome() {
        Outcome::Safe => Fate::Safe,
        Outcome::Unsafe => Fate::Unsafe,
        Outcome::Unknown(limit) => Fate::Unknown(limit.word()),
        Outcome::Fault => Fate::Fault(session.fault().unwrap_or_default().to_string()),
    }
}

fn contradicts(case: &Case, fate: &Fate) -> bool {
    let excepted =
        EXCEPTIONS.iter().any(|(name, verdict, _)| *name == case.name && *verdict == fate.word());
    let other = matches!(
        (case.known.as_str(), fate),
        ("safe", Fate::Unsafe) | ("unsafe", Fate::Safe) | (_, Fate::Fault(_))
    );
    other && !excepted
}

/// Runs the cases below a folder; gives how many there are, how many were read, how many decided.
fn run_all(folder: &Path, prefix: &str) -> (usize, usize, usize) {
    let all: Vec<Case> = cases(folder, "c/index.tsv")
        .into_iter()
        .filter(|case| case.name.starts_with(prefix))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut reasons: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let listed = std::env::var_os("FAULTLINE_CORPUS_LIST").is_some();
    for case in &all {
        let fate = run(case, Some(32));
        *counts.entry(fate.word()).or_default() += 1;
        if let Fate::Refused(kind, message) = &fate {
            *reasons.entry(*kind).or_default() += 1;
            if *kind == Kind::Unlisted {
                wrong.push(format!("{}: refused for no listed reason: {message}", case.name));
            }
        }
        if listed {
            println!("{}\t{}\t{fate:?}", case.name, case.known);
        }
        if contradicts(case, &fate) {
            wrong.push(format!("{}: known {}, found {fate:?}", case.name, case.known));
        }
    }
    if listed {
        println!("{prefix}: {} cases, {counts:?}; refused: {reasons:?}", all.len());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let refused = counts.get("refused").copied().unwrap_or(0);
    let decided = ["safe", "unsafe"].iter().filter_map(|word| counts.get(word)).sum();
    (all.len(), all.len() - refused, decided)
}

pub(crate) fn the_index_is_complete(folder: &Path) {
    let all = cases(folder, "c/index.tsv");
    let below = |prefix: &str| all.iter().filter(|case| case.name.starts_with(prefix)).count();
    assert_eq!((below("c/seq/"), below("c/threads/")), (218, 38));
    assert!(all.iter().all(|case| ["safe", "unsafe"].contains(&case.known.as_str())));
}

pub(crate) fn sequential_programs(folder: &Path) {
    let (all, read, decided) = run_all(folder, "c/seq/");
    assert!(10 * read >= 9 * all, "{read} of {all} are read");
    assert!(8 * decided >= 7 * all, "{decided} of {all} are decided");
}

pub(crate) fn threaded_programs(folder: &Path) {
    let (all, read, _) = run_all(folder, "c/threads/");
    assert!(2 * read >= all, "{read} of {all} are read");
}

/// What was read, printed and read again has as many statements, variables and procedures of the
/// same kinds.
pub(crate) fn printed_programs_read_the_same(folder: &Path) {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(32),
        ..RequestedOptions::default()
    };
    let model = |source: &str| {
        let program = faultline::lang::load(source, &requested).program?;
        let edges: Vec<String> = program
            .edges
            .iter()
            .map(|e| format!("{:?} {:?} {:?} {:?}", e.from, e.to, e.operation, e.kind))
            .collect();
        Some(format!("{edges:#?}"))
    };
    let mut compared = 0;
    for case in cases(folder, "c/index.tsv") {
        let Some(first) = model(&case.source) else { continue };
        let printed = faultline::lang::print::reprint(&case.source, &requested)
            .expect("what loads can be printed");
        let second = model(&printed);
        assert_eq!(Some(first), second, "{}\n{printed}", case.name);
        compared += 1;
    }
    assert!(compared >= 200, "{compared} programs");
}
