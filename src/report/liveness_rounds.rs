//! The rounds of the refinement loop for formulas and termination, in the program's words.

use crate::analysis::cegar::dag::DagPoint;
use crate::analysis::liveness::product::{Meaning, Product};
use crate::analysis::liveness::refinement::{LassoRound, Refinement};
use crate::draw::liveness::growth;
use crate::draw::liveness_rounds as words;
use crate::lang::model::{EdgeId, Program};
use crate::report::cegar::{formula, place_of, round_report};
use crate::report::focus::qualified;
use crate::report::liveness::liveness_report;
use crate::report::steps;
use crate::session::LivenessSession;
use crate::util::order::sort_by_key;
use crate::wire::cegar::RoundReport;
use crate::wire::liveness::{AddedPredicate, LassoRoundReport, LassoStep, LivenessVerdict};
use crate::wire::options::EffectiveOptions;
use crate::wire::refinement::{RefinementAsk, RefinementReport};
use crate::wire::report::{Report, Statistics, Verdict};
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

/// The rounds as the loop for assertions tells them, with words of their own.
pub fn as_rounds(session: &mut LivenessSession) -> Vec<RoundReport> {
    let program = Rc::clone(session.program());
    let lassos = liveness_rounds(&program, session).unwrap_or_default();
    let Some(refinement) = session.refinement() else { return Vec::new() };
    let abstracted = &refinement.abstraction().program;
    let told = lassos.iter().zip(refinement.rounds()).map(|(lasso, round)| {
        let mut told = round_report(abstracted, lasso.round, &round.round);
        told.predicates_added = lasso.added.len() as u32;
        if lasso.real {
            told.spurious = Some(false);
        }
        for one in &mut told.phases {
            one.said = words::phase(lasso, one.phase);
        }
        told
    });
    told.collect()
}

/// The answer to a run of the loop that is over, as the tab Refinement shows it.
pub fn formula_report(
    session: &mut LivenessSession,
    options: &EffectiveOptions,
    ask: &RefinementAsk,
) -> RefinementReport {
    let program = Rc::clone(session.program());
    let found = liveness_report(&program, options, session);
    let rounds = as_rounds(session);
    let (verdict, proof) = match found.verdict {
        LivenessVerdict::Holds => (Verdict::Safe, found.proof),
        LivenessVerdict::Violated => (Verdict::Unsafe, None),
        LivenessVerdict::Unknown => (Verdict::Unknown, None),
    };
    let what = match &found.formula {
        Some(formula) => format!("The formula: {formula}. "),
        None => "The question: does every run end? ".to_string(),
    };
    let ending = match (found.verdict, &found.lasso) {
        (LivenessVerdict::Violated, Some(lasso)) => {
            let growth = growth(lasso);
            format!(
                "{what}The interpreter has executed a run that violates it, which the tab Liveness \
                 shows. {}.",
                growth.trim_end_matches('.')
            )
        }
        _ => {
            let proof = crate::draw::liveness::proved(&found);
            format!("{what}{}", proof.map_or(String::new(), |proof| format!("{proof}.")))
        }
    };
    let said = vec![crate::draw::liveness::headline(&found), ending.trim_end().to_string()];
    let answer = Report {
        limit: found.limit,
        fault: found.fault,
        proof,
        width: found.width,
        statistics: Statistics { peak_nodes: 0, steps: found.steps, bytes: 0 },
        ..Report::new(found.analysis, verdict, options.clone())
    };
    let predicates = rounds.last().map_or(0, |_| {
        session.refinement().map_or(0, |refinement| refinement.own_predicates() as u64)
    });
    RefinementReport {
        ask: ask.clone(),
        answer: Some(answer),
        rounds,
        problems: Vec::new(),
        predicates,
        decided: None,
        said,
    }
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
    for (point, predicate) in &lasso.round.added {
        let (procedure, place) = place_of(&program, *point);
        let line = match place {
            DagPoint::Location(location) => program.location(location).line,
            DagPoint::Pivot(edge) => program.edge(edge).span.line,
            _ => program.location(program.procedure(procedure).exit).line,
        };
        let found = formula(refinement.abstracted(), *predicate, procedure, place, true);
        let procedure = program.procedure(procedure).name.clone();
        let one = AddedPredicate { line, procedure, formula: found.text };
        if !added.contains(&one) {
            added.push(one);
        }
    }
    sort_by_key(&mut added, |one| one.line);
    added
}
