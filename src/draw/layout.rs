//! Places for the control-flow graph's boxes, arrows and clusters.
//!
//! Each procedure is laid out top-down by itself (`dugong`: Gansner, Koutsofios, North, Vo 1993,
//! with Brandes and Köpf's coordinates), then the clusters are packed in columns, the start
//! procedure first and the others in call order, and the call arrows are drawn between them. In
//! one compound layout a call would pull its callee's boxes below its own, and the time would grow
//! with the square of the program.
//!
//! A graph of folded procedures only is a call graph, and laid out as one, from left to right; one
//! open procedure among folded ones has its callers on the left and its callees on the right.
//!
//! Deterministic: the same graph gets the same places.

use crate::draw::labels::{label_place, place_labels, span};
use crate::wire::graph::{Cluster, Graph, GraphArrow, Point, Rectangle};
use dugong::graphlib::{Graph as Dag, GraphOptions};
use dugong::{EdgeLabel, GraphLabel, NodeLabel, RankDir};

/// Longest label, in characters, that a box shows.
pub const LABEL_LIMIT: usize = 34;

const CHARACTER: f64 = 7.3;
const BOX_HEIGHT: f64 = 30.0;
const BOX_PADDING: f64 = 24.0;
const LEAST_WIDTH: f64 = 60.0;
const CLUSTER_PADDING: f64 = 22.0;
const CLUSTER_HEADER: f64 = 36.0;
const CLUSTER_GAP_X: f64 = 72.0;
const CLUSTER_GAP_Y: f64 = 36.0;
/// Between folded procedures beside an open one.
const FLANK_GAP: f64 = 14.0;
const MARGIN: f64 = 24.0;
/// Least distance of an arrow from the picture's border.
const ARROW_MARGIN: f64 = 8.0;
/// Arrows keep this far from a box's corners (a condition's are cut off).
const CORNER: f64 = 14.0;
/// Least distance of a back arrow's lane from the boxes that it joins.
const LANE: f64 = 24.0;

/// The label as a box shows it: at most [`LABEL_LIMIT`] characters, cut with an ellipsis.
pub fn shown_label(label: &str) -> String {
    if label.chars().count() <= LABEL_LIMIT {
        return label.to_string();
    }
    let mut cut: String = label.chars().take(LABEL_LIMIT - 1).collect();
    cut.push('…');
    cut
}

/// Sets `place` of every box and cluster, `points` and `label_at` of every arrow, and the extent.
pub fn layout(graph: &mut Graph) {
    for b in &mut graph.boxes {
        let characters = b.label.chars().count().min(LABEL_LIMIT) as f64;
        b.place.width = (characters * CHARACTER + BOX_PADDING).max(LEAST_WIDTH).round();
        b.place.height = BOX_HEIGHT;
    }
    let framed: Vec<u32> = (0..graph.clusters.len() as u32)
        .filter(|c| !graph.clusters[*c as usize].frameless)
        .collect();
    if framed.is_empty() {
        layout_calls(graph);
        return cover(graph);
    }
    let size = |graph: &mut Graph, c: usize| {
        if graph.clusters[c].frameless {
            bare(graph, c as u32)
        } else {
            layout_procedure(graph, c as u32)
        }
    };
    let sizes: Vec<Point> = (0..graph.clusters.len()).map(|c| size(graph, c)).collect();
    match framed[..] {
        [only] if graph.boxes.iter().any(|b| b.cluster != only) => flank(graph, only, &sizes),
        _ => pack(graph, &sizes),
    }
    let index = BoxIndex::new(graph);
    for i in 0..graph.arrows.len() {
        if graph.arrows[i].call {
            let arrow = &graph.arrows[i];
            if let (Some(from), Some(to)) = (index.find(arrow.from), index.find(arrow.to)) {
                graph.arrows[i].points = route_call(&graph.clusters, graph, from, to);
            }
        }
    }
    place_labels(graph);
    cover(graph);
}

/// The extent takes in all arrows and labels: nothing is cut off at its right or its bottom.
fn cover(graph: &mut Graph) {
    for arrow in graph.arrows.iter().filter(|arrow| !arrow.points.is_empty()) {
        let label = label_place(&arrow.label, arrow.label_at);
        let label = (!arrow.label.is_empty()).then_some(label);
        for place in [Some(span(&arrow.points)), label].into_iter().flatten() {
            graph.size.x = graph.size.x.max(place.x + place.width + ARROW_MARGIN);
            graph.size.y = graph.size.y.max(place.y + place.height + ARROW_MARGIN);
        }
    }
}

/// From location number to position in `Graph::boxes`.
struct BoxIndex(Vec<Option<u32>>);

impl BoxIndex {
    fn new(graph: &Graph) -> BoxIndex {
        let highest = graph.boxes.iter().map(|b| b.id as usize + 1).max().unwrap_or(0);
        let mut positions = vec![None; highest];
        for (i, b) in graph.boxes.iter().enumerate() {
            positions[b.id as usize] = Some(i as u32);
        }
        BoxIndex(positions)
    }
    fn find(&self, id: u32) -> Option<usize> {
        self.0.get(id as usize).copied().flatten().map(|i| i as usize)
    }
}

/// Lays one procedure out with its content's corner at (0, 0); returns the cluster's size, header
/// and padding included.
fn layout_procedure(graph: &mut Graph, cluster: u32) -> Point {
    let options = GraphOptions { multigraph: true, compound: false, directed: true };
    let mut dag: Dag<NodeLabel, EdgeLabel, GraphLabel> = Dag::new(options);
    dag.set_graph(GraphLabel {
        nodesep: 26.0,
        ranksep: 30.0,
        edgesep: 16.0,
        ..GraphLabel::default()
    });
    let index = BoxIndex::new(graph);
    for b in graph.boxes.iter().filter(|b| b.cluster == cluster) {
        let node =
            NodeLabel { width: b.place.width, height: b.place.height, ..NodeLabel::default() };
        dag.set_node(b.id.to_string(), node);
    }
    let inside = |graph: &Graph, arrow: &GraphArrow| {
        let owner = |id| index.find(id).map(|i| graph.boxes[i].cluster);
        !arrow.call && owner(arrow.from) == Some(cluster) && owner(arrow.to) == Some(cluster)
    };
    let arrows: Vec<usize> =
        (0..graph.arrows.len()).filter(|i| inside(graph, &graph.arrows[*i])).collect();
    for i in &arrows {
        let arrow = &graph.arrows[*i];
        let width = arrow.label.chars().count() as f64 * 6.8;
        let height = if arrow.label.is_empty() { 0.0 } else { 14.0 };
        let label = EdgeLabel { width, height, weight: 1.0, ..EdgeLabel::default() };
        dag.set_edge_named(
            arrow.from.to_string(),
            arrow.to.to_string(),
            Some(i.to_string()),
            Some(label),
        );
    }
    let laid_out = dugong::layout(&mut dag).is_ok();
    let mut below = 0.0;
    for b in graph.boxes.iter_mut().filter(|b| b.cluster == cluster) {
        match dag.node(&b.id.to_string()).and_then(|n| Some((n.x?, n.y?))).filter(|_| laid_out) {
            Some((x, y)) => {
                (b.place.x, b.place.y) = (x - b.place.width / 2.0, y - b.place.height / 2.0)
            }
            // A plain column is still a picture.
            None => (b.place.x, b.place.y) = (0.0, below),
        }
        below += BOX_HEIGHT + 30.0;
    }
    for i in &arrows {
        let arrow = &mut graph.arrows[*i];
        let edge = dag.edge(&arrow.from.to_string(), &arrow.to.to_string(), Some(&i.to_string()));
        let points =
            edge.map(|e| e.points.iter().map(|p| Point { x: p.x, y: p.y }).collect::<Vec<_>>());
        arrow.points = points.unwrap_or_default();
        arrow.label_at = edge.and_then(|e| Some(Point { x: e.x?, y: e.y? })).unwrap_or_default();
    }
    attach(graph, cluster, &index, &arrows);
    normalise(graph, cluster)
}

/// Moves the ends of the arrows to where the eye expects them: down from the lower border to the
/// upper one, and back around the side, wherever nothing stands in the way.
fn attach(graph: &mut Graph, cluster: u32, index: &BoxIndex, arrows: &[usize]) {
    let members: Vec<Rectangle> =
        graph.boxes.iter().filter(|b| b.cluster == cluster).map(|b| b.place).collect();
    for i in arrows {
        let (Some(from), Some(to)) =
            (index.find(graph.arrows[*i].from), index.find(graph.arrows[*i].to))
        else {
            continue;
        };
        let (a, b) = (graph.boxes[from].place, graph.boxes[to].place);
        let points = &mut graph.arrows[*i].points;
        if points.len() < 2 || from == to {
            continue;
        }
        if b.y >= a.y + a.height {
            let (second, before_last) = (points[1], points[points.len() - 2]);
            let last = points.len() - 1;
            points[0] = Point {
                x: second.x.clamp(a.x + CORNER, a.x + a.width - CORNER),
                y: a.y + a.height,
            };
            points[last] =
                Point { x: before_last.x.clamp(b.x + CORNER, b.x + b.width - CORNER), y: b.y };
        } else if a.y >= b.y + b.height {
            attach_back(points, &a, &b, &members);
        }
    }
}

fn attach_back(points: &mut Vec<Point>, a: &Rectangle, b: &Rectangle, members: &[Rectangle]) {
    let inner = &points[1..points.len() - 1];
    let (leftmost, rightmost) =
        inner.iter().fold((f64::MAX, f64::MIN), |(l, r), p| (l.min(p.x), r.max(p.x)));
    let middle = |r: &Rectangle| r.y + r.height / 2.0;
    // The lane: a vertical beside both boxes, where the layout has led the arrow anyway.
    let lane = if leftmost > (a.x + a.width).max(b.x + b.width) {
        rightmost.max((a.x + a.width).max(b.x + b.width) + LANE)
    } else if rightmost < a.x.min(b.x) {
        leftmost.min(a.x.min(b.x) - LANE)
    } else {
        return;
    };
    let port = |r: &Rectangle| if lane > r.x { r.x + r.width } else { r.x };
    let free = |r: &Rectangle| {
        let (low, high) = (lane.min(port(r)), lane.max(port(r)));
        let meets = |m: &Rectangle| {
            m.x < high - 1.0
                && m.x + m.width > low + 1.0
                && m.y < middle(r)
                && m.y + m.height > middle(r)
        };
        !members.iter().any(meets)
    };
    let upright = |m: &Rectangle| {
        m.x < lane && m.x + m.width > lane && m.y < middle(a) && m.y + m.height > middle(b)
    };
    if free(a) && free(b) && !members.iter().any(upright) {
        *points = vec![
            Point { x: port(a), y: middle(a) },
            Point { x: lane, y: middle(a) },
            Point { x: lane, y: middle(a) - a.height },
            Point { x: lane, y: middle(b) + b.height },
            Point { x: lane, y: middle(b) },
            Point { x: port(b), y: middle(b) },
        ];
    }
}

/// Moves a procedure's content so that its cluster's corner is at (0, 0).
fn normalise(graph: &mut Graph, cluster: u32) -> Point {
    let (mut left, mut top, mut right, mut bottom) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    let mut cover = |x0: f64, y0: f64, x1: f64, y1: f64| {
        (left, top) = (left.min(x0), top.min(y0));
        (right, bottom) = (right.max(x1), bottom.max(y1));
    };
    let members: Vec<u32> =
        graph.boxes.iter().filter(|b| b.cluster == cluster).map(|b| b.id).collect();
    for b in graph.boxes.iter().filter(|b| b.cluster == cluster) {
        cover(b.place.x, b.place.y, b.place.x + b.place.width, b.place.y + b.place.height);
    }
    for arrow in graph.arrows.iter().filter(|a| !a.call && members.binary_search(&a.from).is_ok()) {
        for p in &arrow.points {
            cover(p.x, p.y, p.x, p.y);
        }
        if !arrow.label.is_empty() {
            let half = arrow.label.chars().count() as f64 * 3.4;
            cover(
                arrow.label_at.x - half,
                arrow.label_at.y,
                arrow.label_at.x + half,
                arrow.label_at.y,
            );
        }
    }
    if members.is_empty() {
        (left, top, right, bottom) = (0.0, 0.0, LEAST_WIDTH, BOX_HEIGHT);
    }
    shift(graph, cluster, CLUSTER_PADDING - left, CLUSTER_HEADER + 6.0 - top);
    let name = graph.clusters[cluster as usize].name.chars().count() as f64 * 8.0;
    Point {
        x: (right - left).max(name) + 2.0 * CLUSTER_PADDING,
        y: bottom - top + CLUSTER_HEADER + 6.0 + CLUSTER_PADDING,
    }
}

fn shift(graph: &mut Graph, cluster: u32, dx: f64, dy: f64) {
    let members: Vec<u32> =
        graph.boxes.iter().filter(|b| b.cluster == cluster).map(|b| b.id).collect();
    for b in graph.boxes.iter_mut().filter(|b| b.cluster == cluster) {
        (b.place.x, b.place.y) = (b.place.x + dx, b.place.y + dy);
    }
    for arrow in
        graph.arrows.iter_mut().filter(|a| !a.call && members.binary_search(&a.from).is_ok())
    {
        for p in arrow.points.iter_mut().chain([&mut arrow.label_at]) {
            (p.x, p.y) = (p.x + dx, p.y + dy);
        }
    }
}

/// The size of a folded procedure's box, which stands at (0, 0); nothing for a procedure that is
/// not shown.
fn bare(graph: &Graph, cluster: u32) -> Point {
    let place = graph
        .boxes
        .iter()
        .find(|b| b.cluster == cluster)
        .map_or_else(Rectangle::default, |b| b.place);
    Point { x: place.width, y: place.height }
}

/// Puts a procedure, laid out at (0, 0), to its place.
fn settle(graph: &mut Graph, cluster: u32, x: f64, y: f64, size: Point) {
    shift(graph, cluster, x, y);
    graph.clusters[cluster as usize].place = Rectangle { x, y, width: size.x, height: size.y };
}

/// One procedure in the middle, those that only call it on its left, those that it calls on its
/// right, in columns no higher than itself.
fn flank(graph: &mut Graph, middle: u32, sizes: &[Point]) {
    let index = BoxIndex::new(graph);
    let owner = |id: u32| index.find(id).map(|i| graph.boxes[i].cluster);
    let called: Vec<u32> = graph
        .arrows
        .iter()
        .filter(|a| a.call && owner(a.from) == Some(middle))
        .filter_map(|a| owner(a.to))
        .collect();
    let mut others: Vec<u32> =
        graph.boxes.iter().map(|b| b.cluster).filter(|c| *c != middle).collect();
    others.dedup();
    let (right, left): (Vec<u32>, Vec<u32>) = others.into_iter().partition(|c| called.contains(c));
    let height = sizes[middle as usize].y.max(10.0 * (BOX_HEIGHT + FLANK_GAP));
    let columns = |side: &[u32]| -> Vec<Vec<u32>> {
        let per_column = ((height / (BOX_HEIGHT + FLANK_GAP)) as usize).max(1);
        side.chunks(per_column).map(<[u32]>::to_vec).collect()
    };
    let tall = |column: &[u32]| {
        column.iter().map(|c| sizes[*c as usize].y + FLANK_GAP).sum::<f64>() - FLANK_GAP
    };
    let (left, right) = (columns(&left), columns(&right));
    let total = left.iter().chain(&right).map(|c| tall(c)).fold(sizes[middle as usize].y, f64::max);
    let mut x = MARGIN;
    let all = left.into_iter().chain([vec![middle]]).chain(right);
    for column in all {
        let width = column.iter().map(|c| sizes[*c as usize].x).fold(0.0, f64::max);
        let mut y = MARGIN + (total - tall(&column)) / 2.0;
        for cluster in column {
            let size = sizes[cluster as usize];
            settle(graph, cluster, x + (width - size.x) / 2.0, y, size);
            y += size.y + FLANK_GAP;
        }
        x += width + CLUSTER_GAP_X;
    }
    graph.size = Point { x: x - CLUSTER_GAP_X + MARGIN, y: total + 2.0 * MARGIN };
}

/// The call graph, from left to right.
fn layout_calls(graph: &mut Graph) {
    let options = GraphOptions { multigraph: true, compound: false, directed: true };
    let mut dag: Dag<NodeLabel, EdgeLabel, GraphLabel> = Dag::new(options);
    let label = GraphLabel {
        rankdir: RankDir::LR,
        nodesep: 16.0,
        ranksep: 56.0,
        edgesep: 8.0,
        marginx: MARGIN,
        marginy: MARGIN,
        ..GraphLabel::default()
    };
    dag.set_graph(label);
    for b in &graph.boxes {
        dag.set_node(
            b.id.to_string(),
            NodeLabel { width: b.place.width, height: b.place.height, ..NodeLabel::default() },
        );
    }
    for (i, arrow) in graph.arrows.iter().enumerate() {
        let label = EdgeLabel { weight: 1.0, ..EdgeLabel::default() };
        dag.set_edge_named(
            arrow.from.to_string(),
            arrow.to.to_string(),
            Some(i.to_string()),
            Some(label),
        );
    }
    let laid_out = dugong::layout(&mut dag).is_ok();
    let mut extent = Point::default();
    let mut below = MARGIN;
    for b in &mut graph.boxes {
        match dag.node(&b.id.to_string()).and_then(|n| Some((n.x?, n.y?))).filter(|_| laid_out) {
            Some((x, y)) => {
                (b.place.x, b.place.y) = (x - b.place.width / 2.0, y - b.place.height / 2.0)
            }
            None => (b.place.x, b.place.y) = (MARGIN, below),
        }
        below += BOX_HEIGHT + FLANK_GAP;
        extent = Point {
            x: extent.x.max(b.place.x + b.place.width),
            y: extent.y.max(b.place.y + b.place.height),
        };
        graph.clusters[b.cluster as usize].place = b.place;
    }
    for (i, arrow) in graph.arrows.iter_mut().enumerate() {
        let edge = dag.edge(&arrow.from.to_string(), &arrow.to.to_string(), Some(&i.to_string()));
        arrow.points = edge
            .map(|e| e.points.iter().map(|p| Point { x: p.x, y: p.y }).collect())
            .unwrap_or_default();
        for p in &arrow.points {
            extent = Point { x: extent.x.max(p.x), y: extent.y.max(p.y) };
        }
    }
    graph.size = Point { x: extent.x + MARGIN, y: extent.y + MARGIN };
}

/// Clusters in columns, filled top to bottom, up to the height that makes the whole about as wide
/// as a screen.
fn pack(graph: &mut Graph, sizes: &[Point]) {
    let area: f64 = sizes.iter().map(|s| (s.x + CLUSTER_GAP_X) * (s.y + CLUSTER_GAP_Y)).sum();
    let tallest = sizes.iter().map(|s| s.y).fold(0.0, f64::max);
    // A little over the tallest, so that one more small procedure does not open a column of its
    // own.
    let limit = (tallest * 1.2).max((area * 1.1).sqrt());
    let (mut x, mut y, mut width) = (MARGIN, MARGIN, 0.0f64);
    let mut extent = Point::default();
    for cluster in call_order(graph) {
        if graph.clusters[cluster as usize].frameless && sizes[cluster as usize].x == 0.0 {
            continue;
        }
        let size = sizes[cluster as usize];
        if y > MARGIN && y + size.y > MARGIN + limit {
            (x, y, width) = (x + width + CLUSTER_GAP_X, MARGIN, 0.0);
        }
        settle(graph, cluster, x, y, size);
        extent = Point { x: extent.x.max(x + size.x), y: extent.y.max(y + size.y) };
        y += size.y + CLUSTER_GAP_Y;
        width = width.max(size.x);
    }
    graph.size = Point { x: extent.x + MARGIN, y: extent.y + MARGIN };
}

/// Breadth-first from the cluster that no other calls first (the start procedure is cluster 0
/// unless someone calls it), then the rest.
fn call_order(graph: &Graph) -> Vec<u32> {
    let index = BoxIndex::new(graph);
    let count = graph.clusters.len();
    let mut callees = vec![Vec::new(); count];
    let mut called = vec![false; count];
    for arrow in graph.arrows.iter().filter(|a| a.call) {
        if let (Some(from), Some(to)) = (index.find(arrow.from), index.find(arrow.to)) {
            let (from, to) = (graph.boxes[from].cluster, graph.boxes[to].cluster);
            callees[from as usize].push(to);
            called[to as usize] |= from != to;
        }
    }
    let mut order: Vec<u32> = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let roots = (0..count as u32).filter(|c| graph.clusters[*c as usize].name == "main");
    let uncalled = (0..count as u32).filter(|c| !called[*c as usize]);
    for root in roots.chain(uncalled).chain(0..count as u32).collect::<Vec<_>>() {
        let mut next = order.len();
        if !std::mem::replace(&mut seen[root as usize], true) {
            order.push(root);
        }
        while next < order.len() {
            for callee in &callees[order[next] as usize] {
                if !std::mem::replace(&mut seen[*callee as usize], true) {
                    order.push(*callee);
                }
            }
            next += 1;
        }
    }
    order
}

/// From the call's side to the side of the callee's first box, leaving and arriving level.
fn route_call(clusters: &[Cluster], graph: &Graph, from: usize, to: usize) -> Vec<Point> {
    let (a, b) = (&graph.boxes[from], &graph.boxes[to]);
    let middle = |r: &Rectangle| r.y + r.height / 2.0;
    let right = |r: &Rectangle| r.x + r.width;
    let (home, away) = (clusters[a.cluster as usize].place, clusters[b.cluster as usize].place);
    let (start_y, end_y) = (middle(&a.place), middle(&b.place));
    if away.x >= right(&home) {
        let (start, end) = (right(&a.place), b.place.x);
        let bend = ((end - start) / 2.0).max(30.0);
        return curve(start, start_y, bend, end, end_y, -bend);
    }
    if right(&away) <= home.x {
        let (start, end) = (a.place.x, right(&b.place));
        let bend = ((start - end) / 2.0).max(30.0);
        return curve(start, start_y, -bend, end, end_y, bend);
    }
    // The same column, or the procedure itself: out on the right, and in again from the right.
    let (start, end) = (right(&a.place), right(&b.place));
    let out = right(&home).max(right(&away)) + 14.0;
    vec![
        Point { x: start, y: start_y },
        Point { x: out, y: start_y },
        Point { x: out, y: (start_y + end_y) / 2.0 },
        Point { x: out, y: end_y },
        Point { x: end, y: end_y },
    ]
}

fn curve(x0: f64, y0: f64, out: f64, x1: f64, y1: f64, back: f64) -> Vec<Point> {
    vec![
        Point { x: x0, y: y0 },
        Point { x: x0 + out, y: y0 },
        Point { x: x1 + back, y: y1 },
        Point { x: x1, y: y1 },
    ]
}

#[cfg(test)]
mod tests;
