//! Looking into a statement: which stores reach it, and which of them fail, in the program's words.

use super::protocol::Inspection;
use crate::bdd::{Bdd, Manager, Var};
use crate::encode::{Cell, Copy};
use crate::lang::model::EdgeId;
use crate::session::Session;

/// What is known of the stores before a statement, over the variables in scope there. `None` before the run has got that far.
pub fn inspect(session: &mut Session, statement: u32) -> Option<Inspection> {
    let program = session.program()?;
    if statement as usize >= program.edges.len() {
        return None;
    }
    let edge = EdgeId(statement);
    let scope = program.scope(program.edge(edge).scope).variables.clone();
    let owner = program.owner(edge);
    let (reached, failing) = session.stores(edge).ok()??;
    let reach = session.reach_mut()?;
    let domain = &mut reach.domain;
    let hidden: Vec<Cell> = domain.visible(owner).into_iter().filter(|cell| !scope.contains(&cell.variable)).collect();
    let hidden = domain.kernel.var_set(&domain.layout.cells_levels(&hidden, Copy::Now));
    let cells: Vec<Cell> = scope.iter().flat_map(|variable| domain.layout.cells(*variable)).collect();
    let mut levels = domain.layout.cells_levels(&cells, Copy::Now);
    levels.sort();
    let reached = domain.kernel.exists(reached, hidden).ok()?;
    let failing = match failing {
        Some(stores) => Some(domain.kernel.exists(stores, hidden).ok()?),
        None => None,
    };
    let (reached, reached_count) = describe(&mut domain.kernel, reached, &levels);
    let (failing, failing_count) = failing.map_or_else(Default::default, |stores| describe(&mut domain.kernel, stores, &levels));
    Some(Inspection { statement, reached, reached_count, failing, failing_count })
}

fn describe(kernel: &mut Manager, stores: Bdd, levels: &[Var]) -> (String, String) {
    let count = kernel.sat_count(stores, levels).to_string();
    let text = if stores.is_true() {
        "true".into()
    } else if stores.is_false() {
        "false".into()
    } else {
        format!("one of {count} stores")
    };
    (text, count)
}

/// Phase, pieces of work done, and nodes alive, for a progress line.
pub fn progress(session: &Session) -> (String, u64, u64) {
    (session.phase().word().to_string(), session.items(), session.live_nodes())
}
