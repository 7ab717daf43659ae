//! Makes the picture of a program (without a layout), and the statements that the picture and the
//! source paint.

use crate::cfg::Contraction;
use crate::lang::model::{
    Edge, EdgeId, LocationId, Operation, ProcedureId, Program, StatementKind,
};
use crate::report::raw;
use crate::session::Session;
use crate::wire::graph::{BoxKind, Cluster, Graph, GraphArrow, GraphBox, Rectangle, StatementView};
use std::collections::BTreeMap;

/// The control-flow graph. Statements that the front end made are contracted: the locations before
/// and after them share a box.
pub fn graph(session: &Session) -> Graph {
    if let Some(raw) = session.raw() {
        return raw::graph(raw.system());
    }
    let Some(program) = session.program() else { return Graph::default() };
    let boxes_of = Contraction::of(program);
    let mut graph = Graph::default();
    for id in (0..program.procedures.len() as u32).map(ProcedureId) {
        // It is the last one.
        if program.picks_start(id) {
            continue;
        }
        let procedure = program.procedure(id);
        graph.clusters.push(Cluster {
            name: procedure.name.clone(),
            line: procedure.span.line,
            frameless: false,
            place: Rectangle::default(),
        });
    }
    graph.boxes = boxes(program, &boxes_of);
    graph.arrows = arrows(program, &boxes_of, &graph.boxes);
    graph
}

/// The boxes, in the order of their locations.
fn boxes(program: &Program, boxes_of: &Contraction) -> Vec<GraphBox> {
    let mut boxes = Vec::new();
    // A check that a condition's evaluation makes first belongs to the condition's box.
    let mut checks: BTreeMap<LocationId, Vec<EdgeId>> = BTreeMap::new();
    for id in program.edge_ids() {
        let edge = program.edge(id);
        if edge.kind == StatementKind::Hidden && edge.is_statement() {
            checks.entry(boxes_of.box_of(edge.from)).or_default().push(id);
        }
    }
    for (k, location) in program.locations.iter().enumerate() {
        let id = LocationId(k as u32);
        if boxes_of.box_of(id) != id
            || !boxes_of.connected[k]
            || program.picks_start(location.procedure)
        {
            continue;
        }
        let own = boxes_of.out[k]
            .iter()
            .copied()
            .filter(|edge| program.edge(*edge).kind != StatementKind::Hidden);
        let mut statements: Vec<EdgeId> = own.collect();
        let first = statements.first().map(|edge| program.edge(*edge));
        let of_first =
            |edge: &EdgeId| first.is_some_and(|first| program.edge(*edge).span == first.span);
        statements.extend(checks.remove(&id).unwrap_or_default().into_iter().filter(of_first));
        let exit = program.procedure(location.procedure).exit == id;
        if first.is_none() && !exit && boxes_of.out[k].is_empty() {
            continue;
        }
        boxes.push(GraphBox {
            id: id.0,
            cluster: location.procedure.0,
            line: first.map_or(location.line, |edge| edge.span.line),
            label: first.map_or_else(
                || (if exit { "end" } else { "·" }).to_string(),
                |edge| edge.text.clone(),
            ),
            kind: first.map_or(BoxKind::Exit, kind),
            statements: statements.iter().map(|edge| edge.0).collect(),
            stands_for: Vec::new(),
            heads_chain: false,
            place: Rectangle::default(),
        });
    }
    boxes
}

/// The arrows between these boxes: one for each statement, and one into the callee of each call.
fn arrows(program: &Program, boxes_of: &Contraction, boxes: &[GraphBox]) -> Vec<GraphArrow> {
    let mut arrows = Vec::new();
    for id in program.edge_ids() {
        let edge = program.edge(id);
        let (from, to) = (boxes_of.box_of(edge.from), boxes_of.box_of(edge.to));
        let drawn =
            |location: LocationId| boxes.binary_search_by_key(&location.0, |b| b.id).is_ok();
        let arrow = |to: LocationId, label: String, call: bool| GraphArrow {
            from: from.0,
            to: to.0,
            label,
            call,
            statement: id.0,
            also: Vec::new(),
            points: Vec::new(),
            label_at: Default::default(),
        };
        if !drawn(from) {
            continue;
        }
        let inside = edge.kind == StatementKind::Hidden && from == to;
        if !inside && drawn(to) {
            arrows.push(arrow(to, edge.outcome.clone(), false));
        }
        if let Operation::Call { callee, .. } = edge.operation {
            let entry = boxes_of.box_of(program.procedure(callee).entry);
            if drawn(entry) {
                arrows.push(arrow(entry, String::new(), true));
            }
        }
    }
    arrows
}

fn kind(edge: &Edge) -> BoxKind {
    match edge.kind {
        StatementKind::Condition => BoxKind::Condition,
        StatementKind::Call => BoxKind::Call,
        StatementKind::Assertion => BoxKind::Assertion,
        _ => BoxKind::Statement,
    }
}

/// All statements, painted with what the session knows.
pub fn statements(session: &Session) -> Vec<StatementView> {
    if let Some(raw) = session.raw() {
        return raw::statements(raw);
    }
    let Some(program) = session.program() else { return Vec::new() };
    let boxes_of = Contraction::of(program);
    let (lit, passed) = (session.in_projection(), session.passed());
    let paint = |id: EdgeId| {
        let edge = program.edge(id);
        StatementView {
            id: id.0,
            location: boxes_of.box_of(edge.from).0,
            line: edge.span.line,
            text: edge.text.clone(),
            outcome: edge.outcome.clone(),
            // What a shared procedure does belongs to the lines of the calls.
            hidden: !edge.is_statement() || program.is_shared(id),
            reached: session.executed().is_some_and(|executed| executed[id.0 as usize]),
            lit: lit.as_ref().is_some_and(|lit| lit[id.0 as usize]),
            passed: passed.as_ref().is_some_and(|passed| passed[id.0 as usize]),
        }
    };
    program.edge_ids().map(paint).collect()
}
