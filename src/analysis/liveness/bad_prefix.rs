//! Runs that violate a formula in finitely many steps, and then end.
//!
//! If the automaton has a state that accepts whatever comes
//! ([`super::automaton::Automaton::absorbing`]), a run that brings it there violates the formula
//! however it goes on: it has a *bad prefix* (Kupferman and Vardi 2001). If the run then ends,
//! nothing is left to be searched: it stays in its last state for ever. So such runs are failing
//! runs of the product with one more check, and are found, made concrete and shortened while post\*
//! is computed, as `check` finds those of a program. With `G !fails` they are the failing runs of
//! the program.
//!
//! A bad prefix of a run that does not end is left to the search for repeating heads: it violates
//! nothing if every way to go on is blocked, and its cycle must be shown.

use super::probe::check;
use super::product::{Accepts, Meaning, Product, TARGET, bookkeeping};
use crate::lang::interpreter::ConcreteRun;
use crate::lang::model::{BinaryOperator, Expression, Location, LocationId, Operation, ScopeId};

/// The same product with one more edge from each place where ended runs go round. Its check fails
/// if the automaton accepts whatever comes. `None` if the product has no such places, or the
/// automaton no such state. Edges, places and variables keep their numbers.
pub fn watched(product: &Product) -> Option<Product> {
    let absorbing = product.absorbing.filter(|_| !product.ends.is_empty())?;
    let elsewhere = match product.state {
        None => Expression::falsity(),
        Some(state) => {
            let scalar = product.program.variable(state).scalar;
            let value = Box::new(Expression::Variable(state, scalar));
            let absorbing = Box::new(Expression::Constant(absorbing, scalar));
            Expression::Binary(BinaryOperator::NotEqual, value, absorbing)
        }
    };
    let mut watched = product.clone();
    let mut scopes = vec![ScopeId(0); product.program.locations.len()];
    for edge in &product.program.edges {
        scopes[edge.from] = edge.scope;
    }
    for end in &product.ends {
        let Location { procedure, line } = *product.program.location(*end);
        let behind = LocationId(watched.program.locations.len() as u32);
        watched.program.locations.push(Location { procedure, line });
        watched.accepts.push(Accepts::None);
        watched.locations.push(product.locations[end.0 as usize]);
        let mut edge = bookkeeping(*end, behind, line, scopes[*end], Operation::Skip);
        edge.checks.push(check(elsewhere.clone(), TARGET));
        watched.program.edges.push(edge);
        watched.meanings.push(Meaning::Nothing);
    }
    Some(watched)
}

/// Where a failing run of [`watched`] has ended: at the place of its last edge.
pub fn end(watched: &Product, run: &ConcreteRun) -> Option<LocationId> {
    Some(watched.program.edge(run.steps.last()?.edge).from)
}
