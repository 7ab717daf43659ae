//! The answer of a projection as one HTML document: what of the session goes into it.

use super::{graph, invariants, report, statements};
use crate::draw::document::{Document, document as written};
use crate::draw::fold::{WHOLE, fold};
use crate::draw::layout::layout;
use crate::session::{LocalizeOptions, LocalizeSession, Outcome, Session};
use crate::util::Budgets;
use crate::wire::graph::{Folding, Graph};
use crate::wire::localize::LocalizeReport;

/// The search for what the first failing run does that no correct run does; `None` if no run of a
/// program failed.
pub fn causes(session: &Session, budgets: Budgets) -> Option<LocalizeSession> {
    if session.outcome() != Outcome::Unsafe {
        return None;
    }
    let options = LocalizeOptions { max_traces: 1, ..LocalizeOptions::default() };
    session.localize(options, budgets)
}

/// The document's text. `step`: what it shows first of the failing run, from 0 on.
pub fn document(
    session: &mut Session,
    name: &str,
    causes: Option<&LocalizeReport>,
    step: Option<usize>,
) -> String {
    let mut found = report(session);
    found.invariant = invariants(session);
    let graph = readable(graph(session));
    written(&Document {
        name,
        source: session.source(),
        report: &found,
        statements: &statements(session),
        graph: graph.as_ref(),
        causes,
        step,
    })
}

/// The graph as it is shown first on the page, laid out, if it is small enough to be read.
fn readable(graph: Graph) -> Option<Graph> {
    let mut graph = fold(&graph, &Folding::of(&graph));
    if graph.boxes.len() > WHOLE {
        return None;
    }
    layout(&mut graph);
    Some(graph)
}
