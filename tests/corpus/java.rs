//! `java`: JBMC's regression suite, MinePump and the recursive programs of JayHorn, from source.
//!
//! The known answers are JBMC's. They are asked only where they mean what Java means: a start
//! whose arguments JBMC takes to be any object, `null` too, and checks that JBMC leaves out, are
//! left out here.

use crate::index::folder as corpus;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::collections::BTreeMap;
use std::path::Path;

/// Steps of the kernel for each case.
const STEPS: u64 = 3_000_000;

/// At least so many of the programs of a suite have their known answer.
const RIGHT: [(&str, usize); 3] = [("recursive", 3), ("minepump", 39), ("jbmc", 76)];

/// Options of JBMC with which a failure is none.
const LEFT_OUT: [&str; 1] = ["--disable-uncaught-exception-check"];

/// Known answers that are not Java's, with the reason.
const NOT_JAVA: [(&str, &str); 6] = [
    (
        "recursive/Ackermann01_true",
        "`nextInt(10000)` gives 4, for which the program asserts `false`",
    ),
    ("jbmc/catch1#test", "`main` catches what it throws"),
    ("jbmc/must-not-throw-annotation", "an annotation of JBMC says that a method throws nothing"),
    ("jbmc/no-main-args-elements-maybe-null1", "`main` is given `null` as an argument"),
    ("jbmc/no-main-args-maybe-null1", "`main` is given `null` instead of its arguments"),
    ("jbmc/swap1", "the class was changed by hand after it was compiled"),
];

struct Case {
    name: String,
    suite: String,
    source: String,
    known: String,
    options: String,
}

fn cases(folder: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(folder.join("index.tsv")).expect("the corpus has its index");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let (name, main) = (columns[0], columns[1]);
            let options = columns.get(3).copied().unwrap_or("-");
            let mut source = format!("//! start = {}\n", start(main, options));
            read(&folder.join(name.split('#').next().unwrap_or(name)), &mut source);
            Case {
                name: name.to_string(),
                suite: name.split('/').next().unwrap_or_default().to_string(),
                source,
                known: columns[2].to_string(),
                options: options.to_string(),
            }
        })
        .collect()
}

/// What `--function` names, or the `main` of the main class.
fn start(main: &str, options: &str) -> String {
    let mut words = options.split(' ');
    let named = words.find(|word| *word == "--function").and_then(|_| words.next());
    let named = named.map(|name| name.trim_matches('\'').split(':').next().unwrap_or(name));
    named.map_or_else(|| format!("{main}.main"), str::to_string)
}

/// The files of a folder and those inside of it, one behind the other.
fn read(folder: &Path, into: &mut String) {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .expect("the index names folders that are there")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    found.sort();
    for path in found {
        if path.is_dir() {
            read(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            let bytes = std::fs::read(&path).expect("it was listed");
            into.push_str(&String::from_utf8_lossy(&bytes));
            into.push('\n');
        }
    }
}

fn verdict(case: &Case) -> &'static str {
    let requested =
        RequestedOptions { dialect: Some(Dialect::Java), ..RequestedOptions::default() };
    let (mut session, _) = Session::load(&case.source, &requested);
    if session.program().is_none() {
        return "refused";
    }
    let budgets = Budgets { max_nodes: 2_000_000, max_steps: STEPS, ..Budgets::default() };
    session.use_portfolio(&requested);
    session.start(Task::Check, budgets);
    while session.outcome() != Outcome::Unsafe && !session.step() {}
    match session.outcome() {
        Outcome::Safe => "safe",
        Outcome::Unsafe => "unsafe",
        Outcome::Unknown(_) => "unknown",
        Outcome::Fault => "fault",
    }
}

pub fn known_answers(_: &Path) {
    let all = cases(&corpus().join("java"));
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let told = std::env::var_os("FAULTLINE_TELL").is_some();
    for case in &all {
        let is_left_out = LEFT_OUT.iter().any(|option| case.options.contains(option))
            || NOT_JAVA.iter().any(|(name, _)| *name == case.name);
        let found = match is_left_out {
            true => "left out",
            false => verdict(case),
        };
        let word = match found {
            "refused" | "unknown" | "left out" => found,
            _ if found == case.known => "right",
            _ => "wrong",
        };
        *counts.entry((case.suite.clone(), word)).or_default() += 1;
        if told {
            println!("{word}\t{}\t{}\t{found}", case.name, case.known);
        }
        if word == "wrong" {
            wrong.push(format!("{}: known {}, found {found}", case.name, case.known));
        }
    }
    if told {
        println!("{counts:#?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (suite, least) in RIGHT {
        let right = counts.get(&(suite.to_string(), "right")).copied().unwrap_or(0);
        assert!(right >= least, "{suite}: only {counts:?}");
    }
}
