//! The same random program in Cimple and in C, and printed and read again: one model, one verdict,
//! one projection.

use crate::support::generate;
use crate::support::shrink::each;
use faultline::lang::print::{cimple_as_c, reprint};
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::projection::Method;
use std::collections::BTreeSet;

const SEEDS: u64 = 200;

fn requested(dialect: Dialect) -> RequestedOptions {
    RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() }
}

/// A program's model without places and texts.
fn model(source: &str, dialect: Dialect) -> Option<String> {
    let program = faultline::lang::load(source, &requested(dialect)).program?;
    let edges: Vec<String> = program
        .edges
        .iter()
        .map(|e| {
            let checks: Vec<_> = e.checks.iter().map(|c| (c.kind, &c.condition)).collect();
            format!(
                "{:?} {:?} {:?} {:?} {:?} {:?} {}",
                e.from, e.to, e.operation, checks, e.choices, e.kind, e.outcome
            )
        })
        .collect();
    let variables: Vec<String> = program
        .variables
        .iter()
        .map(|v| {
            format!("{:?} {:?} {:?} {:?} {:?}", v.scalar, v.dimensions, v.kind, v.owner, v.initial)
        })
        .collect();
    Some(format!("{edges:#?}{variables:#?}{:?}", program.concurrency))
}

/// The verdict, and the lines with statements of the projection; `None` where C's constants do not
/// fit (Cimple computes with exact ones).
fn answer(source: &str, dialect: Dialect) -> Option<(Outcome, BTreeSet<u32>)> {
    let (mut session, diagnostics) = Session::load(source, &requested(dialect));
    if dialect == Dialect::C && diagnostics.iter().any(|d| d.message.contains("does not fit")) {
        return None;
    }
    assert!(session.program().is_some(), "{diagnostics:?}\n{source}");
    session.start(
        Task::Projection(Method::Functional),
        Budgets { max_steps: 3_000_000, ..Budgets::default() },
    );
    session.run();
    let lit = session.in_projection().unwrap_or_default();
    let program = session.program().expect("it was loaded");
    let lines = program
        .edges
        .iter()
        .zip(&lit)
        .filter(|(e, lit)| **lit && e.is_statement())
        .map(|(e, _)| e.span.line);
    Some((session.outcome(), lines.collect()))
}

#[test]
fn printing_and_reading_again_gives_the_same_model() {
    each(0..SEEDS, generate::sequential, |seed, source| {
        let printed =
            reprint(source, &requested(Dialect::Cimple)).expect("generated programs are read");
        assert_eq!(
            model(source, Dialect::Cimple),
            model(&printed, Dialect::Cimple),
            "seed {seed}\n{source}\n{printed}"
        );
        let in_c = cimple_as_c(source).expect("generated programs are read");
        let again = reprint(&in_c, &requested(Dialect::C)).expect("what was printed is read");
        // (Where constants do not fit, both are refused.)
        assert_eq!(
            model(&in_c, Dialect::C),
            model(&again, Dialect::C),
            "seed {seed}\n{in_c}\n{again}"
        );
    });
}

#[test]
fn cimple_and_c_agree() {
    let mut decided = 0;
    each(0..SEEDS / 2, generate::sequential, |seed, source| {
        let cimple =
            reprint(source, &requested(Dialect::Cimple)).expect("generated programs are read");
        let in_c = cimple_as_c(source).expect("generated programs are read");
        let more_lines = in_c.lines().count() as u32 - cimple.lines().count() as u32;
        let (Some(left), Some(right)) =
            (answer(&cimple, Dialect::Cimple), answer(&in_c, Dialect::C))
        else {
            return;
        };
        if matches!(left.0, Outcome::Unknown(_)) || matches!(right.0, Outcome::Unknown(_)) {
            return;
        }
        decided += 1;
        let moved: BTreeSet<u32> = right.1.iter().map(|line| line - more_lines).collect();
        assert_eq!((left.0, left.1), (right.0, moved), "seed {seed}\n{cimple}\n{in_c}");
    });
    assert!(decided >= SEEDS / 4, "{decided} programs were decided");
}
