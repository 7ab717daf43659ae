//! Places for an automaton's circles and arrows: once, for all that will be there, so that nothing
//! moves from step to step.
//!
//! Circles stand in ranks from left to right (`dugong`, see [`crate::draw::layout`]). Transitions
//! between the same states share an arrow and have a row each on it; a loop stands above its
//! circle.

use crate::wire::graph::Point;
use crate::wire::lab::{LAB_ROWS, LabArrow, LabAutomaton};
use dugong::graphlib::{Graph as Dag, GraphOptions};
use dugong::{EdgeLabel, GraphLabel, NodeLabel, RankDir};
use std::collections::BTreeMap;

const CHARACTER: f64 = 6.8;
const ROW: f64 = 16.0;
const LEAST_RADIUS: f64 = 20.0;
/// Names longer than this stand across the circle.
const GREATEST_RADIUS: f64 = 38.0;
/// Longest label that the layout makes room for, in characters.
const WIDEST_LABEL: usize = 28;
/// How far a loop rises above its circle.
const LOOP: f64 = 34.0;
const MARGIN: f64 = 24.0;
/// States times arrows, at most, that are placed in ranks: an arrow may pass as many ranks as there
/// are states, and costs as much. Larger pictures stand in a square.
const MOST_RANKED: usize = 120_000;
const SQUARE_X: f64 = 170.0;
const SQUARE_Y: f64 = 100.0;

/// Gives every transition its arrow and its row, and everything its place. `labels`: by transition,
/// the characters of its longest label.
pub(crate) fn lay_out(automaton: &mut LabAutomaton, labels: &[usize]) {
    let mut arrows: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (k, transition) in automaton.transitions.iter().enumerate() {
        arrows.entry((transition.from, transition.to)).or_default().push(k);
    }
    let mut widths = Vec::new();
    for ((from, to), members) in arrows {
        let arrow = automaton.arrows.len() as u32;
        for (row, k) in members.iter().enumerate() {
            automaton.transitions[*k].arrow = arrow;
            automaton.transitions[*k].row = row as u32;
        }
        let shown =
            members.iter().take(LAB_ROWS as usize).map(|k| labels.get(*k).copied().unwrap_or(1));
        widths.push(shown.max().unwrap_or(1).min(WIDEST_LABEL) as f64 * CHARACTER + 10.0);
        automaton.arrows.push(LabArrow {
            from,
            to,
            points: Vec::new(),
            label_at: Point::default(),
            rows: members.len() as u32,
        });
    }
    for state in &mut automaton.states {
        let half = state.name.chars().count() as f64 * CHARACTER / 2.0 + 6.0;
        state.radius = half.clamp(LEAST_RADIUS, GREATEST_RADIUS).round();
    }
    place(automaton, &widths);
}

fn height(arrow: &LabArrow) -> f64 {
    f64::from(arrow.rows.min(LAB_ROWS)) * ROW
}

fn place(automaton: &mut LabAutomaton, widths: &[f64]) {
    let options = GraphOptions { multigraph: true, compound: false, directed: true };
    let mut dag: Dag<NodeLabel, EdgeLabel, GraphLabel> = Dag::new(options);
    dag.set_graph(GraphLabel {
        rankdir: RankDir::LR,
        nodesep: 30.0,
        ranksep: 44.0,
        edgesep: 22.0,
        marginx: MARGIN,
        marginy: MARGIN,
        ..GraphLabel::default()
    });
    for (k, state) in (0u32..).zip(&automaton.states) {
        let (mut width, mut half) = (2.0 * state.radius, state.radius);
        for (arrow, label) in automaton
            .arrows
            .iter()
            .zip(widths)
            .filter(|(arrow, _)| arrow.from == k && arrow.to == k)
        {
            width = width.max(*label);
            half += LOOP + height(arrow);
        }
        dag.set_node(
            k.to_string(),
            NodeLabel { width, height: 2.0 * half, ..NodeLabel::default() },
        );
    }
    for (k, (arrow, width)) in automaton
        .arrows
        .iter()
        .zip(widths)
        .enumerate()
        .filter(|(_, (arrow, _))| arrow.from != arrow.to)
    {
        let label =
            EdgeLabel { width: *width, height: height(arrow), weight: 1.0, ..EdgeLabel::default() };
        dag.set_edge_named(
            arrow.from.to_string(),
            arrow.to.to_string(),
            Some(k.to_string()),
            Some(label),
        );
    }
    let small = automaton.states.len().saturating_mul(automaton.arrows.len()) <= MOST_RANKED;
    let laid_out = small && dugong::layout(&mut dag).is_ok();
    let rows = (1..).find(|k| k * k >= automaton.states.len()).unwrap_or(1);
    let mut extent = Point::default();
    for (k, state) in automaton.states.iter_mut().enumerate() {
        match dag
            .node(&k.to_string())
            .and_then(|node| Some((node.x?, node.y?)))
            .filter(|_| laid_out)
        {
            Some((x, y)) => (state.x, state.y) = (x, y),
            None => {
                let (column, row) = ((k / rows) as f64, (k % rows) as f64);
                (state.x, state.y) = (
                    2.0 * MARGIN + GREATEST_RADIUS + column * SQUARE_X,
                    4.0 * MARGIN + GREATEST_RADIUS + row * SQUARE_Y,
                );
            }
        }
        extent = Point {
            x: extent.x.max(state.x + state.radius),
            y: extent.y.max(state.y + state.radius),
        };
    }
    for (k, arrow) in automaton.arrows.iter_mut().enumerate() {
        let (from, to) =
            (&automaton.states[arrow.from as usize], &automaton.states[arrow.to as usize]);
        let (a, b) = (Point { x: from.x, y: from.y }, Point { x: to.x, y: to.y });
        if arrow.from == arrow.to {
            let r = from.radius;
            let at = |dx: f64, dy: f64| Point { x: a.x + dx, y: a.y - dy };
            arrow.points = vec![
                at(-r * 0.5, r * 0.87),
                at(-r * 0.9, r + LOOP),
                at(r * 0.9, r + LOOP),
                at(r * 0.5, r * 0.87),
            ];
            arrow.label_at = at(0.0, r + LOOP * 0.8 + height(arrow) / 2.0);
        } else {
            let edge = dag
                .edge(&arrow.from.to_string(), &arrow.to.to_string(), Some(&k.to_string()))
                .filter(|_| laid_out);
            let inner: Vec<Point> = edge
                .map(|e| e.points.iter().map(|p| Point { x: p.x, y: p.y }).collect())
                .unwrap_or_default();
            let middle = Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 };
            arrow.label_at = edge.and_then(|e| Some(Point { x: e.x?, y: e.y? })).unwrap_or(middle);
            // The outermost points are on the boxes' borders; circles are smaller.
            let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default().to_vec();
            let first = towards(a, from.radius, inner.first().copied().unwrap_or(b));
            let last = towards(b, to.radius, inner.last().copied().unwrap_or(a));
            arrow.points = std::iter::once(first).chain(inner).chain([last]).collect();
        }
        for p in arrow.points.iter().chain([&arrow.label_at]) {
            extent = Point { x: extent.x.max(p.x), y: extent.y.max(p.y) };
        }
    }
    automaton.size = Point { x: extent.x + MARGIN, y: extent.y + MARGIN };
}

/// The point on a circle that looks at another point.
fn towards(centre: Point, radius: f64, other: Point) -> Point {
    let (dx, dy) = (other.x - centre.x, other.y - centre.y);
    let length = dx.hypot(dy);
    if length < 1e-6 {
        return Point { x: centre.x + radius, y: centre.y };
    }
    Point { x: centre.x + dx / length * radius, y: centre.y + dy / length * radius }
}
