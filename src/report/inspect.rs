//! Looking into a statement: which stores reach it, and which of them fail, in the program's words.

use crate::bdd::{Bdd, Manager, Var};
use crate::lang::model::EdgeId;
use crate::readable::scope::{own_atoms, scope};
use crate::readable::{NamedScalar, readable};
use crate::session::Session;
use crate::util::Bounded;
use crate::wire::protocol::Inspection;

/// Kernel steps that one question may take in addition to those of the run.
const MORE_STEPS: u64 = 20_000_000;

/// Begins a look into a statement. Returns false if there is no such statement.
pub fn begin(session: &mut Session, statement: u32) -> bool {
    let edges = session.program().map_or(0, |program| program.edges.len());
    session.allow_more(MORE_STEPS);
    (statement as usize) < edges
}

/// One bounded piece of what [`inspect`] needs first. Returns whether that is there.
pub fn prepare(session: &mut Session, statement: u32) -> Bounded<bool> {
    session.prepare_stores(EdgeId(statement))
}

/// What is known of the stores before a statement, over the variables in scope there. Returns
/// `None` if the run has not come that far.
pub fn inspect(session: &mut Session, statement: u32) -> Option<Inspection> {
    let program = session.shared_program()?;
    if statement as usize >= program.edges.len() {
        return None;
    }
    let edge = EdgeId(statement);
    session.allow_more(MORE_STEPS);
    let (reached, failing) = session.stores(edge).ok()??;
    let domain = session.domain()?;
    let (scalars, hidden) = scope(domain, &program, edge);
    let mut levels: Vec<Var> =
        scalars.iter().flat_map(|scalar| scalar.bits.iter().copied()).collect();
    levels.sort();
    let own = own_atoms(&mut domain.kernel, &program, edge, &scalars);
    let reached = domain.kernel.exists(reached, hidden).ok()?;
    let failing = match failing {
        Some(stores) => Some(domain.kernel.exists(stores, hidden).ok()?),
        None => None,
    };
    let (reached, reached_count) = describe(&mut domain.kernel, reached, &levels, &scalars, &own);
    let (failing, failing_count) = failing.map_or_else(Default::default, |stores| {
        describe(&mut domain.kernel, stores, &levels, &scalars, &own)
    });
    let invariant = crate::report::invariant_at(session, edge);
    Some(Inspection { statement, reached, reached_count, failing, failing_count, invariant })
}

/// A set of stores as a short formula, with their number.
fn describe(
    kernel: &mut Manager,
    stores: Bdd,
    levels: &[Var],
    scalars: &[NamedScalar],
    own: &[(String, Bdd)],
) -> (String, String) {
    let count = kernel.sat_count(stores, levels).short();
    (readable(kernel, stores, scalars, own).text, count)
}
