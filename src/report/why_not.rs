//! Why a statement is innocent, in words, with what proves it.

use crate::analysis::why_not::{Barrier, Cross, WhyNot};
use crate::bdd::Bdd;
use crate::draw::words::listed;
use crate::lang::model::{Edge, EdgeId, Operation, Program, StatementKind};
use crate::readable::scope::{in_scope, own_atoms, scope, whole_frame};
use crate::readable::{readable, separator};
use crate::report::stores::{QueryError, statements_on};
use crate::report::values::live_bindings;
use crate::session::Session;
use crate::util::Bounded;
use crate::wire::report::Values;
use crate::wire::why_not::{
    BarrierKind, BarrierView, CallPlace, CrossView, PartedView, Reason, Why, WhyReport,
};

/// Kernel steps that one explanation may take in addition to those taken before.
const MORE_STEPS: u64 = 40_000_000;
/// The most barriers that are described one by one.
const MAX_BARRIERS: usize = 4;
/// The most calls of a chain that are described.
const MAX_CHAIN: usize = 3;

/// Why the statements of a line are innocent. For statements that runs execute, the session's naive
/// projection must be complete.
pub fn why_line(session: &mut Session, line: u32) -> Result<WhyReport, QueryError> {
    let program = session.shared_program().ok_or(QueryError::NotKnown)?;
    let edges = statements_on(&program, line)?;
    let statements =
        edges.iter().map(|edge| why(session, edge.0)).collect::<Result<Vec<Why>, QueryError>>()?;
    let reason = statements.iter().map(|s| s.reason).max().ok_or(QueryError::NotKnown)?;
    Ok(WhyReport { line, reason, statements })
}

/// The statements that the naive projection keeps and the exact one does not, by edge number;
/// Returns `None` before both are complete.
pub fn only_naive(session: &Session) -> Option<Vec<u32>> {
    let (program, lit, naive) =
        (session.program()?, session.in_projection()?, session.in_naive_projection()?);
    let only = |id: &EdgeId| {
        program.edge(*id).is_statement() && naive[id.0 as usize] && !lit[id.0 as usize]
    };
    Some(program.edge_ids().filter(only).map(|id| id.0).collect())
}

/// Why one statement is innocent.
pub fn why(session: &mut Session, statement: u32) -> Result<Why, QueryError> {
    let program = session
        .shared_program()
        .filter(|p| (statement as usize) < p.edges.len())
        .ok_or(QueryError::NotKnown)?;
    let id = EdgeId(statement);
    let edge = program.edge(id);
    let lit = session.in_projection().ok_or(QueryError::NotKnown)?[statement as usize];
    let mut why = Why {
        id: statement,
        statement: edge.text.clone(),
        outcome: edge.outcome.clone(),
        reason: Reason::Lit,
        explanation: Vec::new(),
        predicate: None,
        needed: None,
        barriers: Vec::new(),
        cross: None,
    };
    if lit {
        why.explanation.push("Some failing run executes it.".to_string());
        return Ok(why);
    }
    session.allow_more(MORE_STEPS);
    match session.why_not(id)?.ok_or(QueryError::NotKnown)? {
        WhyNot::Unreached(barriers) => {
            why.reason = Reason::Unreached;
            let told = barriers.len().min(MAX_BARRIERS);
            for barrier in &barriers {
                let own = matches!(barrier, Barrier::Blocked { edge, .. } if *edge == id);
                let (view, sentence) =
                    barrier_view(session, &program, barrier, why.barriers.len() < MAX_BARRIERS)?;
                if why.explanation.is_empty() {
                    let lead = match (own, edge.outcome.is_empty()) {
                        (true, true) => "No run gets past the condition here.",
                        (true, false) => "No run takes this way.",
                        _ => "No run comes here.",
                    };
                    why.explanation.push(lead.to_string());
                }
                if why.barriers.len() < MAX_BARRIERS {
                    why.explanation.push(sentence);
                }
                why.barriers.push(view);
            }
            if barriers.len() > told {
                why.explanation.push(format!("So it is at {} more places.", barriers.len() - told));
            }
        }
        WhyNot::CannotFail { arriving, failing } => {
            why.reason = Reason::CannotFail;
            (why.predicate, why.needed) = halves(session, &program, id, arriving, failing)?;
            why.explanation = match (why.predicate.as_deref(), why.needed.as_deref()) {
                (Some("true"), _) => vec![
                    "Runs come here, but no error can be reached from here, whatever the values."
                        .to_string(),
                ],
                (Some(here), Some(needed)) => vec![
                    "Runs come here, but none of them can fail from here.".to_string(),
                    format!(
                        "Whenever a run comes here, {here}. To fail from here, it would need \
                         {needed}."
                    ),
                ],
                (Some(text), None) => vec![
                    "Runs come here, but none of them can fail from here.".to_string(),
                    format!("Whenever a run comes here, {text}; and with these values nothing fails, whoever called."),
                ],
                (None, _) => vec![
                    "Runs come here, but none of them can fail from here.".to_string(),
                    "No values that are possible here lead to the failure; there is no short reason."
                        .to_string(),
                ],
            };
        }
        WhyNot::Context(cross) => {
            why.reason = Reason::Context;
            let view = cross_view(session, &program, id, &cross)?;
            why.explanation = tell_cross(&program, id, &view, &cross);
            why.cross = Some(view);
        }
    }
    Ok(why)
}

/// A formula over the variables in scope (or, if those do not tell the sets apart, over the whole
/// frame) that holds in `inside` and not in `outside`.
fn separate(
    session: &mut Session,
    program: &Program,
    edge: EdgeId,
    inside: Bdd,
    outside: Bdd,
) -> Bounded<Option<String>> {
    Ok(halves(session, program, edge, inside, outside)?.0)
}

/// Such a formula, and one that holds in `outside` and excludes the first: no store satisfies both.
/// With `count` in 0..3 inside and 4 outside these may be `count <= 3` and `count >= 4`, but not
/// `count <= 3` and `count > 2`. There is no second one where the first is `true`.
fn halves(
    session: &mut Session,
    program: &Program,
    edge: EdgeId,
    inside: Bdd,
    outside: Bdd,
) -> Bounded<(Option<String>, Option<String>)> {
    let Some(domain) = session.domain() else { return Ok((None, None)) };
    let (mut scalars, hidden) = scope(domain, program, edge);
    let own = own_atoms(&mut domain.kernel, program, edge, &scalars);
    let from = program.edge(edge).from;
    let mut inside = domain.stores_in_full(program, from, inside)?;
    let mut outside = domain.stores_in_full(program, from, outside)?;
    let near = (in_scope(domain, inside, hidden)?, in_scope(domain, outside, hidden)?);
    if domain.kernel.disjoint(near.0, near.1)? {
        (inside, outside) = near;
    } else {
        scalars = whole_frame(domain, program, edge);
    }
    let kernel = &mut domain.kernel;
    let Some(here) = separator(kernel, inside, outside, &scalars, &own) else {
        return Ok((None, None));
    };
    let other = (here.holds != Bdd::TRUE)
        .then(|| separator(kernel, outside, here.holds, &scalars, &own))
        .flatten();
    Ok((Some(here.text), other.map(|found| found.text)))
}

fn barrier_view(
    session: &mut Session,
    program: &Program,
    barrier: &Barrier,
    tell: bool,
) -> Bounded<(BarrierView, String)> {
    let view =
        |line: u32, kind: BarrierKind, statement: &str, outcome: &str, holds: Option<String>| {
            BarrierView {
                line,
                kind,
                statement: statement.to_string(),
                outcome: outcome.to_string(),
                holds,
            }
        };
    Ok(match barrier {
        Barrier::Blocked { edge: id, arriving, passing } => {
            let edge = program.edge(*id);
            let holds =
                if tell { separate(session, program, *id, *arriving, *passing)? } else { None };
            let line = edge.span.line;
            let kind = if matches!(edge.operation, Operation::Assume(_)) {
                BarrierKind::Condition
            } else {
                BarrierKind::Check
            };
            let sentence = match (kind, holds.as_deref()) {
                (BarrierKind::Check, Some("true") | None) => format!(
                    "At line {line}, `{}` never goes on: a check of it always fails.",
                    edge.text
                ),
                (BarrierKind::Check, Some(text)) => format!(
                    "At line {line}, always {text}: `{}` fails and never goes on.",
                    edge.text
                ),
                (_, Some("true") | None) => {
                    format!("At line {line}, {} is impossible.", needed(edge))
                }
                (_, Some(text)) => {
                    format!("At line {line}, always {text}; {} is impossible then.", needed(edge))
                }
            };
            (view(line, kind, &edge.text, &edge.outcome, holds), sentence)
        }
        Barrier::NoReturn(id) => {
            let edge = program.edge(*id);
            let line = edge.span.line;
            (
                view(line, BarrierKind::NoReturn, &edge.text, "", None),
                format!("The call `{}` at line {line} never returns.", edge.text),
            )
        }
        Barrier::NeverCalled(id) => {
            let procedure = program.procedure(*id);
            let calls = |edge: &Edge| matches!(edge.operation, Operation::Call { callee, .. } if callee == *id);
            let who = if program.edges.iter().any(calls) { "No run" } else { "No statement" };
            let sentence = format!("{who} calls `{}`.", procedure.name);
            (
                view(procedure.span.line, BarrierKind::NeverCalled, &procedure.name, "", None),
                sentence,
            )
        }
        Barrier::NoPath(location) => {
            let line = program.location(*location).line;
            (
                view(line, BarrierKind::NoPath, "", "", None),
                format!("No path through the program leads to line {line}."),
            )
        }
    })
}

/// The condition that would have to hold for the edge to be taken.
fn needed(edge: &Edge) -> String {
    match (edge.kind, edge.outcome.as_str()) {
        (StatementKind::Condition, "true") => format!("that `{}` holds", edge.text),
        (StatementKind::Condition, "false") => format!("that `{}` does not hold", edge.text),
        (StatementKind::Condition, outcome) => format!("`{outcome}` of `{}`", edge.text),
        _ => format!("that `{}` lets a run pass", edge.text),
    }
}

fn place(session: &Session, program: &Program, call: EdgeId) -> CallPlace {
    let edge = program.edge(call);
    CallPlace {
        line: edge.span.line,
        procedure: program.procedure(program.owner(call)).name.clone(),
        call: edge.text.clone(),
        reached: session.executed().is_some_and(|executed| executed[call.0 as usize]),
    }
}

fn cross_view(
    session: &mut Session,
    program: &Program,
    edge: EdgeId,
    cross: &Cross,
) -> Bounded<CrossView> {
    let mut parted = Vec::new();
    for one in &cross.parted {
        let arrives = separate(session, program, one.call, one.arriving, one.failing)?;
        parted.push(PartedView { line: program.edge(one.call).span.line, arrives });
    }
    let places = |calls: &[EdgeId]| {
        calls.iter().map(|call| place(session, program, *call)).collect::<Vec<_>>()
    };
    let (common, arrives, fails) =
        (places(&cross.common), places(&cross.arrives), places(&cross.fails));
    let (mut formula, mut count) = (String::new(), String::new());
    if let Some(domain) = session.domain() {
        let (scalars, hidden) = scope(domain, program, edge);
        let own = own_atoms(&mut domain.kernel, program, edge, &scalars);
        let stores = domain.stores_in_full(program, program.edge(edge).from, cross.stores)?;
        let stores = in_scope(domain, stores, hidden)?;
        let levels: Vec<_> = scalars.iter().flat_map(|s| s.bits.iter().copied()).collect();
        count = domain.kernel.sat_count(stores, &levels).to_string();
        formula = readable(&mut domain.kernel, stores, &scalars, &own).text;
    }
    let example = Values(live_bindings(program, edge, &cross.example));
    Ok(CrossView {
        formula,
        count,
        example,
        common,
        arrives,
        at_start: cross.at_start,
        fails,
        parted,
    })
}

/// The sentence about a cross term: "With b = false it is reached when called from line 10; from
/// there, a run fails only if called from line 14."
fn tell_cross(program: &Program, edge: EdgeId, view: &CrossView, cross: &Cross) -> Vec<String> {
    let mut sentences = vec![
        "Runs come here, and from here some runs would fail, but only when it is called from elsewhere."
            .to_string(),
    ];
    let store = if view.example.0.is_empty() {
        "It".to_string()
    } else {
        format!("With {}, it", listed(&view.example.0))
    };
    let called = match cross.common.last() {
        Some(outer) => program.procedure(program.owner(*outer)).name.clone(),
        None => program.procedure(program.owner(edge)).name.clone(),
    };
    let lines = |places: &[CallPlace]| {
        let mut lines: Vec<u32> = places.iter().map(|place| place.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let (word, lines) = (
            if lines.len() == 1 { "line" } else { "lines" },
            lines.iter().map(u32::to_string).collect::<Vec<_>>(),
        );
        format!("{word} {}", lines.join(", "))
    };
    if !view.common.is_empty() {
        let chain: Vec<String> = view
            .common
            .iter()
            .take(MAX_CHAIN)
            .map(|place| format!("line {}", place.line))
            .collect();
        let more = view.common.len() - chain.len();
        let rest = if more > 0 { format!(", and {more} more up the stack") } else { String::new() };
        sentences.push(format!(
            "Both ways go through the call at {}{rest}.",
            chain.join(", itself called at ")
        ));
    }
    let arrives = match (view.arrives.is_empty(), view.at_start) {
        (false, true) => {
            format!("in the first frame, or when {called} is called at {}", lines(&view.arrives))
        }
        (false, false) => format!("when {called} is called at {}", lines(&view.arrives)),
        _ => "in the first frame, which no call has entered".to_string(),
    };
    sentences.push(format!(
        "{store} is reached {arrives}; from there, a run fails only if {called} was called at {}.",
        lines(&view.fails)
    ));
    for parted in &view.parted {
        sentences.push(match &parted.arrives {
            Some(text) => format!("At line {}: it arrives only with {text}, and with that no run fails.", parted.line),
            None => format!("At line {}: the values with which it arrives are not those with which a run fails.", parted.line),
        });
    }
    let dead: Vec<&CallPlace> = view.fails.iter().filter(|place| !place.reached).collect();
    if !dead.is_empty() {
        sentences.push(format!(
            "(No run comes to the call at {}.)",
            dead.iter().map(|p| format!("line {}", p.line)).collect::<Vec<_>>().join(", ")
        ));
    }
    if !cross.further_up.is_empty() {
        let calls: Vec<CallPlace> = view
            .fails
            .iter()
            .zip(&cross.fails)
            .filter(|(_, id)| cross.further_up.contains(id))
            .map(|(p, _)| p.clone())
            .collect();
        sentences.push(format!(
            "By the call at {} both are possible; there the contexts part further up the stack.",
            lines(&calls)
        ));
    }
    sentences
}
