//! `c/memory`: C programs with pointers, the heap, strings and pointers to procedures, from a
//! regression suite.
//!
//! The known answers hold for 32 bits, and invalid uses of memory are errors. A program that is
//! read must not contradict its known answer.

use crate::index::{Case, cases};
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use std::collections::BTreeMap;
use std::path::Path;

/// Steps of the kernel for each case.
const STEPS: u64 = 1_000_000;

/// At least so many of the programs have their known answer.
const RIGHT: usize = 115;

fn verdict(case: &Case) -> &'static str {
    let all = case.known == "unsafe";
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(32),
        checks: Some(Checks {
            bounds: true,
            division: all,
            overflow: all,
            shift: all,
            ..Checks::NONE
        }),
        ..RequestedOptions::default()
    };
    let (mut session, _) = Session::load(&case.source, &requested);
    if session.program().is_none() {
        return "refused";
    }
    let budgets = Budgets { max_nodes: 4_000_000, max_steps: STEPS, ..Budgets::default() };
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

pub fn known_answers(folder: &Path) {
    let all = cases(&folder.join("c/memory"), "index.tsv");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &all {
        let found = verdict(case);
        let word = match found {
            "refused" | "unknown" => found,
            _ if found == case.known => "right",
            _ => "wrong",
        };
        *counts.entry(word).or_default() += 1;
        if word == "wrong" {
            wrong.push(format!("{}: known {}, found {found}", case.name, case.known));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let right = counts.get("right").copied().unwrap_or(0);
    assert!(right >= RIGHT, "only {counts:?} of {}", all.len());
}
