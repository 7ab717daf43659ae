//! The symbolic side of the comparison: the product, asked through its façade.

use crate::replays::replays;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;
use std::panic::catch_unwind;

/// What the product says about a program; the vectors go by edge number.
#[derive(Debug)]
pub struct SymbolicAnswer {
    /// `None`: unknown.
    pub is_unsafe: Option<bool>,
    pub reached: Vec<bool>,
    pub projection: Vec<bool>,
    /// Executed on a failing run that goes on behind it.
    pub passed: Vec<bool>,
    pub naive: Vec<bool>,
    /// If unsafe: is the run that is shown a run of the program, up to the error?
    pub trace_replays: bool,
    /// Did some callee start with the weight 1?
    pub starts_anywhere: bool,
}

/// Checks and projects, exactly and naively. `error`: the line of the only error that counts.
/// `None`: a limit was hit, or a panic (that is caught so that its program can be shrunk).
pub fn answer(source: &str, error: Option<u32>, budgets: Budgets) -> Option<SymbolicAnswer> {
    catch_unwind(|| ask(source, error, budgets)).ok().flatten()
}

fn ask(source: &str, error: Option<u32>, budgets: Budgets) -> Option<SymbolicAnswer> {
    let requested = RequestedOptions { error, ..RequestedOptions::default() };
    let (mut session, _) = Session::load(source, &requested);
    session.start(Task::Projection(Method::Functional), budgets);
    session.run();
    let projection = session.in_projection()?;
    let passed = session.passed()?;
    let reached = session.executed()?.to_vec();
    let is_unsafe = match session.outcome() {
        Outcome::Safe => Some(false),
        Outcome::Unsafe => Some(true),
        Outcome::Unknown(_) | Outcome::Fault => None,
    };
    let program = session.program()?;
    let trace_replays = session.failing_run().is_some_and(|run| replays(program, run, error));
    session.start(Task::Projection(Method::Naive), budgets);
    session.run();
    Some(SymbolicAnswer {
        is_unsafe,
        reached,
        projection,
        passed,
        naive: session.in_projection()?,
        trace_replays,
        starts_anywhere: session.into_reach()?.0.has_two_phases(),
    })
}

/// By edge: is it in the projection, and does a failing run go on behind it, by this method.
/// `None`: a limit was hit.
pub fn projection(
    source: &str,
    error: Option<u32>,
    method: Method,
    budgets: Budgets,
) -> Option<(Vec<bool>, Vec<bool>)> {
    let requested = RequestedOptions { error, ..RequestedOptions::default() };
    let (mut session, _) = Session::load(source, &requested);
    session.start(Task::Projection(method), budgets);
    session.run();
    Some((session.in_projection()?, session.passed()?))
}

/// By edge, in decimal: how many stores arrive before it, and how many of those fail, as the page's
/// inspector says. `None`: a limit was hit.
pub fn store_counts(
    source: &str,
    error: Option<u32>,
    method: Method,
) -> Option<Vec<(String, String)>> {
    let requested = RequestedOptions { error, ..RequestedOptions::default() };
    let (mut session, _) = Session::load(source, &requested);
    session.start(Task::Projection(method), Budgets::default());
    session.run();
    let edges = session.program()?.edges.len() as u32;
    let counts = |edge| {
        faultline::report::inspect(&mut session, edge)
            .map(|found| (found.reached_count, found.failing_count))
    };
    (0..edges).map(counts).collect()
}
