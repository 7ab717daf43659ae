//! The rounds of the refinement loop for formulas and termination, in the program's words.

use crate::analysis::cegar::dag::DagPoint;
use crate::analysis::liveness::product::{Meaning, Product};
use crate::analysis::liveness::refinement::{LassoRound, Refinement};
use crate::lang::model::{EdgeId, Program};
use crate::report::cegar::{formula_of, place_of};
use crate::report::focus::qualified;
use crate::report::steps;
use crate::session::LivenessSession;
use crate::util::order::sort_by_key;
use crate::wire::liveness::{AddedPredicate, LassoRoundReport, LassoStep};
use std::rc::Rc;

/// The rounds of a loop that is over; `None` if the loop was not asked for.
pub fn liveness_rounds(
    program: &Program,
    session: &mut LivenessSession,
) -> Option<Vec<LassoRoundReport>> {
    let refinement = session.refinement_mut()?;
    let rounds = refinement.rounds().to_vec();
    Some((1..).zip(&rounds).map(|(k, round)| report(program, refinement, k, round)).collect())
}

fn report(
    program: &Program,
    refinement: &mut Refinement,
    number: u32,
    lasso: &LassoRound,
) -> LassoRoundReport {
    let product = Rc::clone(refinement.product());
    let shown = |edges: &[EdgeId]| -> Vec<LassoStep> {
        edges.iter().filter_map(|id| step(program, &product, *id)).collect()
    };
    let (prefix, cycle) = match &lasso.trace {
        Some(trace) => (shown(&trace.prefix), shown(&trace.cycle)),
        None => (Vec::new(), Vec::new()),
    };
    let round = &lasso.round;
    LassoRoundReport {
        round: number,
        predicates: round.predicates as u32,
        bits: round.bits as u32,
        prefix,
        cycle,
        least: lasso.unrolled.and_then(|unrolled| unrolled.least),
        real: lasso.unrolled.is_some_and(|unrolled| unrolled.least.is_none()),
        squares: lasso.unrolled.map_or(0, |unrolled| unrolled.squares),
        proved: round.proved,
        added: added(refinement, lasso),
        followed: round.followed.iter().map(|variable| qualified(program, *variable)).collect(),
    }
}

/// A statement of the program that an edge of the product executes.
fn step(program: &Program, product: &Product, edge: EdgeId) -> Option<LassoStep> {
    let (Meaning::Executes(id) | Meaning::Fails(id) | Meaning::Exits(id)) =
        *product.meanings.get(edge.0 as usize)?
    else {
        return None;
    };
    let edge = program.edge(id);
    edge.is_traced().then(|| LassoStep { line: edge.span.line, statement: steps::text(edge) })
}

/// The new predicates, one for each place of the source and text: the product has several places
/// where the program has one.
fn added(refinement: &mut Refinement, lasso: &LassoRound) -> Vec<AddedPredicate> {
    let program = Rc::clone(&refinement.abstracted().program);
    let mut added: Vec<AddedPredicate> = Vec::new();
    for (point, formula) in &lasso.round.added {
        let (procedure, place) = place_of(&program, *point);
        let line = match place {
            DagPoint::Location(location) => program.location(location).line,
            DagPoint::Pivot(edge) => program.edge(edge).span.line,
            _ => program.location(program.procedure(procedure).exit).line,
        };
        let found = formula_of(refinement.abstracted(), *formula, procedure, place, true);
        let procedure = program.procedure(procedure).name.clone();
        let one = AddedPredicate { line, procedure, formula: found.text };
        if !added.contains(&one) {
            added.push(one);
        }
    }
    sort_by_key(&mut added, |one| one.line);
    added
}
