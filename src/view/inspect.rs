//! Looking into a statement: which stores reach it, and which of them fail, in the program's words.

use super::protocol::Inspection;
use super::readable::{NamedScalar, readable};
use crate::bdd::{Bdd, Manager, Var};
use crate::encode::{Cell, Copy};
use crate::lang::model::{EdgeId, Program, Scalar, VariableId};
use crate::session::Session;

/// Kernel steps that one look may take on top of what the run took.
const MORE_STEPS: u64 = 20_000_000;

/// `x`, or `a[0]`, `a[1]`, …, or `a[0][0]`, ….
pub(super) fn cells_with_names(program: &Program, id: VariableId) -> Vec<(String, Cell, Scalar)> {
    let variable = program.variable(id);
    let name = |element: u32| match variable.dimensions[..] {
        [] => variable.name.clone(),
        [_] => format!("{}[{element}]", variable.name),
        [_, columns, ..] => format!("{}[{}][{}]", variable.name, element / columns, element % columns),
    };
    (0..variable.elements()).map(|element| (name(element), Cell { variable: id, element }, variable.scalar)).collect()
}

/// What is known of the stores before a statement, over the variables in scope there. `None` before the run has got that far.
pub fn inspect(session: &mut Session, statement: u32) -> Option<Inspection> {
    let program = session.program()?;
    if statement as usize >= program.edges.len() {
        return None;
    }
    let edge = EdgeId(statement);
    let scope = program.scope(program.edge(edge).scope).variables.clone();
    let owner = program.owner(edge);
    let names: Vec<(String, Cell, Scalar)> = scope.iter().flat_map(|variable| cells_with_names(program, *variable)).collect();
    session.allow_more(MORE_STEPS);
    let (reached, failing) = session.stores(edge).ok()??;
    let reach = session.reach_mut()?;
    let domain = &mut reach.domain;
    let hidden: Vec<Cell> = domain.visible(owner).into_iter().filter(|cell| !scope.contains(&cell.variable)).collect();
    let hidden = domain.kernel.var_set(&domain.layout.cells_levels(&hidden, Copy::Now));
    let scalars: Vec<NamedScalar> =
        names.into_iter().map(|(name, cell, scalar)| NamedScalar { name, scalar, bits: domain.layout.cell(cell, Copy::Now) }).collect();
    let mut levels: Vec<Var> = scalars.iter().flat_map(|scalar| scalar.bits.iter().copied()).collect();
    levels.sort();
    let reached = domain.kernel.exists(reached, hidden).ok()?;
    let failing = match failing {
        Some(stores) => Some(domain.kernel.exists(stores, hidden).ok()?),
        None => None,
    };
    let (reached, reached_count) = describe(&mut domain.kernel, reached, &levels, &scalars);
    let (failing, failing_count) = failing.map_or_else(Default::default, |stores| describe(&mut domain.kernel, stores, &levels, &scalars));
    let invariant = super::invariant_at(session, edge);
    Some(Inspection { statement, reached, reached_count, failing, failing_count, invariant })
}

/// A set of stores as a short formula, and how many they are.
fn describe(kernel: &mut Manager, stores: Bdd, levels: &[Var], scalars: &[NamedScalar]) -> (String, String) {
    let count = kernel.sat_count(stores, levels).to_string();
    (readable(kernel, stores, scalars, &[]).text, count)
}

/// Phase, pieces of work done, and nodes alive, for a progress line.
pub fn progress(session: &Session) -> (String, u64, u64) {
    (session.phase().word().to_string(), session.items(), session.live_nodes())
}
