//! Looking into a statement: which stores reach it, and which of them fail, in the program's words.

use crate::bdd::{Bdd, Var};
use crate::encode::Copy;
use crate::lang::model::EdgeId;
use crate::readable::gone::Gone;
use crate::readable::readable;
use crate::readable::scope::{own_atoms, scope};
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
    let gone = Gone::of(domain, &program, Copy::Now);
    let kernel = &mut domain.kernel;
    let mut told = |stores: Bdd| -> Bounded<(String, String)> {
        let stores = kernel.exists(stores, hidden)?;
        let stores = gone.free(kernel, stores)?;
        let count = gone.told_apart(kernel, stores)?;
        let count = kernel.sat_count(count, &levels).short();
        Ok((readable(kernel, stores, &scalars, &own).text, count))
    };
    let (reached, reached_count) = told(reached).ok()?;
    let (failing, failing_count) = match failing {
        Some(stores) => told(stores).ok()?,
        None => Default::default(),
    };
    let invariant = crate::report::invariant_at(session, edge);
    Some(Inspection { statement, reached, reached_count, failing, failing_count, invariant })
}
