//! Garbage collected after every step, with freed nodes poisoned: nothing may rest on a freed node,
//! and no answer may depend on when garbage is collected.

use crate::support::load::{self, files};
use faultline::session::{Budgets, Job, Session, Task};
use faultline::util::Limit;
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;
use faultline::wire::protocol::Inspection;
use faultline::wire::report::{Report, Statistics};
use std::collections::BTreeSet;

/// Kernel steps after which a program is left out: whether a budget suffices may depend on garbage,
/// and some examples have no end but a limit's (they are there for the refinement of abstractions).
const MOST_STEPS: u64 = 20_000_000;

/// `None`: it takes too long.
fn report(
    source: &str,
    method: Method,
    collect_every_step: bool,
) -> Option<(Report, Vec<Option<faultline::wire::protocol::Inspection>>)> {
    let (mut session, _) = Session::load(source, &RequestedOptions::default());
    let max_steps = if collect_every_step { Budgets::default().max_steps } else { MOST_STEPS };
    session.start(
        Task::Projection(method),
        Budgets { collect_every_step, max_steps, ..Budgets::default() },
    );
    session.run();
    if session.limit() == Some(Limit::Steps) {
        return None;
    }
    let edges = session.program().expect("a program").edges.len() as u32;
    let report = faultline::report::report(&session);
    // A look costs a search for a short formula: a few suffice.
    let inspections =
        (0..edges).step_by(7).map(|edge| faultline::report::inspect(&mut session, edge)).collect();
    Some((Report { statistics: Statistics::default(), ..report }, inspections))
}

/// The gallery's programs and the papers' figures, but for those that take longest with a
/// collection after each step and do nothing that others do not: the copies of one procedure, and
/// loops.
fn programs() -> Vec<(String, String)> {
    let folders = ["static/examples", "tests/golden/error_projection"];
    let is_left_out = |name: &str| {
        let long = ["explain-focus-7", "explain-focus-9", "refine-loop", "refine-primality"];
        let sorts = ["refine-quicksort", "refine-sort"];
        long.iter().chain(&sorts).any(|start| name.starts_with(start))
    };
    let all = folders.iter().flat_map(|folder| files(folder, &["cimple"]));
    all.filter(|(name, _)| !is_left_out(name)).collect()
}

/// Whether a formula is found within the steps that reading may take depends on what the caches
/// hold: a count in its place is as good.
fn same_look(one: Option<&Inspection>, other: Option<&Inspection>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one.is_none() && other.is_none() };
    let is_long = |text: &str| text.starts_with("too many ");
    let text = |a: &str, b: &str| a == b || is_long(a) || is_long(b);
    let counts = |look: &Inspection| {
        (look.statement, look.reached_count.clone(), look.failing_count.clone())
    };
    counts(one) == counts(other)
        && text(&one.reached, &other.reached)
        && text(&one.failing, &other.failing)
        && one.invariant == other.invariant
}

#[test]
fn collecting_after_every_step_changes_no_answer() {
    let programs = programs();
    assert!(programs.len() >= 10, "the gallery is missing");
    let (all, mut left_out) = (programs.len(), BTreeSet::new());
    for (name, source) in programs {
        for method in [Method::Functional, Method::Naive] {
            let Some((plain, looks)) = report(&source, method, false) else {
                left_out.insert(name.clone());
                continue;
            };
            let (collected, looks_again) = report(&source, method, true).expect("it has an end");
            assert_eq!(plain, collected, "{name}");
            assert_eq!(looks.len(), looks_again.len(), "{name}");
            for (look, again) in looks.iter().zip(&looks_again) {
                assert!(same_look(look.as_ref(), again.as_ref()), "{name}: {look:?}, {again:?}");
            }
            assert!(plain.fault.is_none(), "{name}: {:?}", plain.fault);
        }
    }
    assert!(
        4 * left_out.len() <= all,
        "most programs are compared, not only {} of {all}; left out, as they take too long: \
         {left_out:?}",
        all - left_out.len()
    );
}

/// A node limit, hit a hundred times in a row, leaves nothing behind.
#[test]
fn limits_can_be_hit_again_and_again() {
    let source = "//! bits = 8\nint a, b, c; void main() { assume(a > 0); c = a * b; assert(c * c != a + 77); }";
    let mut session = load::session(source);
    let mut answers = Vec::new();
    for round in 0..100 {
        let max_nodes = if round % 2 == 0 { 3_000 } else { 8_000_000 };
        let max_steps = if round % 4 == 1 { 5_000 } else { u64::MAX };
        if round > 8 && max_nodes > 3_000 && max_steps == u64::MAX {
            continue;
        }
        session.start(Task::Check, Budgets { max_nodes, max_steps, ..Budgets::default() });
        session.run();
        answers.push((max_nodes, max_steps, session.outcome()));
    }
    use faultline::session::Outcome;
    for (max_nodes, max_steps, outcome) in answers {
        let expected = match (max_nodes, max_steps) {
            (3_000, _) => Outcome::Unknown(Limit::Nodes),
            (_, 5_000) => Outcome::Unknown(Limit::Steps),
            _ => Outcome::Unsafe,
        };
        assert_eq!(outcome, expected);
    }
}
