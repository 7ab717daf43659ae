//! What of a round's picture is shown: the frame of a procedure's runs that return folds into one
//! box, which says what they come to.
//!
//! A frame goes by its procedure's name, and the second one of a procedure by `name 2`, so that
//! what is folded stays folded from round to round.

use crate::draw::refinement::short_place;
use crate::draw::words::counted;
use crate::util::order::sort_by_key;
use crate::wire::graph::{BoxKind, Graph, GraphArrow, GraphBox, Point, Rectangle};
use crate::wire::refinement::RoundView;
use std::collections::{BTreeMap, BTreeSet};

/// Where a frame begins: at its top.
struct Frame {
    key: String,
    /// Positions in [`RoundView::nodes`], from the top to the bottom.
    nodes: Vec<usize>,
}

/// The frames of a round's bodies, by cluster; the first cluster, the main part, is none.
fn frames(view: &RoundView) -> BTreeMap<u32, Frame> {
    let cluster_of: BTreeMap<u32, u32> =
        view.graph.boxes.iter().map(|b| (b.id, b.cluster)).collect();
    let mut frames: BTreeMap<u32, Frame> = BTreeMap::new();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for (position, node) in view.nodes.iter().enumerate() {
        let Some(cluster) = cluster_of.get(&node.node).copied().filter(|cluster| *cluster > 0)
        else {
            continue;
        };
        let frame = frames.entry(cluster).or_insert_with(|| {
            let count = seen.entry(&node.procedure).or_default();
            *count += 1;
            let key = if *count == 1 {
                node.procedure.clone()
            } else {
                format!("{} {count}", node.procedure)
            };
            Frame { key, nodes: Vec::new() }
        });
        frame.nodes.push(position);
    }
    frames
}

/// The names of a round's frames, in the picture's order.
pub fn frame_keys(view: &RoundView) -> Vec<String> {
    frames(view).into_values().map(|frame| frame.key).collect()
}

/// The frame that a cluster of the picture is; `None` of the main part.
pub fn frame_of_cluster(view: &RoundView, cluster: u32) -> Option<String> {
    frames(view).remove(&cluster).map(|frame| frame.key)
}

/// The frame that a node lies in; of a pivot point in the main part, the frame of the body that is
/// entered from it. `None` where there is no frame.
pub fn frame_of_node(view: &RoundView, node: u32) -> Option<String> {
    let place = |id: u32| view.graph.boxes.iter().find(|b| b.id == id).map(|b| b.cluster);
    let mut frames = frames(view);
    let own = place(node).and_then(|cluster| frames.remove(&cluster));
    let called = || {
        let arrow = view.graph.arrows.iter().find(|arrow| arrow.call && arrow.from == node)?;
        frames.remove(&place(arrow.to)?)
    };
    own.or_else(called).map(|frame| frame.key)
}

/// The picture with some frames folded, without places. A folded box has its top's number, and
/// arrows keep the edges that they stand for.
pub fn fold_frames(view: &RoundView, folded: &BTreeSet<String>) -> Graph {
    let frames = frames(view);
    let mut stand_in: BTreeMap<u32, u32> = BTreeMap::new();
    let mut graph = Graph { clusters: view.graph.clusters.clone(), ..Graph::default() };
    for (cluster, frame) in frames.iter().filter(|(_, frame)| folded.contains(&frame.key)) {
        let nodes: Vec<_> = frame.nodes.iter().map(|position| &view.nodes[*position]).collect();
        let (Some(top), Some(bottom)) = (nodes.first(), nodes.last()) else { continue };
        stand_in.extend(nodes.iter().map(|node| (node.node, top.node)));
        if let Some(cluster) = graph.clusters.get_mut(*cluster as usize) {
            cluster.frameless = true;
        }
        graph.boxes.push(GraphBox {
            id: top.node,
            cluster: *cluster,
            line: top.line,
            label: match bottom.readable.as_str() {
                "" => folded_size(&top.procedure, nodes.len()),
                formula => format!("{}: {formula}", short_place(bottom)),
            },
            kind: BoxKind::Procedure,
            statements: Vec::new(),
            stands_for: nodes.iter().map(|node| node.node).collect(),
            heads_chain: false,
            place: Rectangle::default(),
        });
    }
    graph.boxes.extend(view.graph.boxes.iter().filter(|b| !stand_in.contains_key(&b.id)).cloned());
    sort_by_key(&mut graph.boxes, |b| b.id);
    let mut drawn = BTreeSet::new();
    for arrow in &view.graph.arrows {
        let end = |node: u32| stand_in.get(&node).copied().unwrap_or(node);
        let (from, to) = (end(arrow.from), end(arrow.to));
        let moved = (from, to) != (arrow.from, arrow.to);
        // Inside a folded box nothing is drawn, and out of it each way once; recursion is a loop.
        let inside = from == to && !arrow.call;
        if moved && (inside || stand_in.contains_key(&arrow.from) && !drawn.insert((from, to))) {
            continue;
        }
        graph.arrows.push(GraphArrow {
            from,
            to,
            points: Vec::new(),
            label_at: Point::default(),
            ..arrow.clone()
        });
    }
    graph
}

/// What a folded frame says before there are interpolants: `foo, 6 nodes`.
pub fn folded_size(procedure: &str, nodes: usize) -> String {
    format!("{procedure}, {}", counted(nodes as u64, "node"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::cegar::{FrameKind, NodePlace, NodeReport};
    use crate::wire::graph::Cluster;

    fn node(node: u32, procedure: &str, place: NodePlace, line: u32, readable: &str) -> NodeReport {
        NodeReport {
            round: 1,
            node,
            line,
            place,
            procedure: procedure.into(),
            frame: FrameKind::Main,
            instance: 0,
            rank: 0,
            statement: String::new(),
            strongest: None,
            weakest: None,
            chosen: Vec::new(),
            readable: readable.into(),
            needed: true,
        }
    }

    /// main: 0 → 1 (a call's pivot) → 2; foo: 3 → 4 → 5, entered from 1; a second frame of foo: 6 →
    /// 7, entered from 4.
    fn sample() -> RoundView {
        let nodes = vec![
            node(0, "main", NodePlace::Start, 1, "true"),
            node(1, "main", NodePlace::Pivot, 2, "x > 0"),
            node(2, "main", NodePlace::Error, 0, "false"),
            node(3, "foo", NodePlace::Location, 8, "y"),
            node(4, "foo", NodePlace::Pivot, 9, "z"),
            node(5, "foo", NodePlace::Returned, 10, "x = 1"),
            node(6, "foo", NodePlace::Location, 8, "y"),
            node(7, "foo", NodePlace::Returned, 10, "x = 2"),
        ];
        let clusters = [0, 0, 0, 1, 1, 1, 2, 2];
        let boxes = nodes.iter().zip(clusters).map(|(node, cluster)| GraphBox {
            id: node.node,
            cluster,
            line: node.line,
            label: node.readable.clone(),
            kind: BoxKind::Statement,
            statements: Vec::new(),
            stands_for: Vec::new(),
            heads_chain: false,
            place: Rectangle::default(),
        });
        let arrow = |(from, to, call): (u32, u32, bool)| GraphArrow {
            from,
            to,
            label: String::new(),
            call,
            statement: from,
            also: Vec::new(),
            points: Vec::new(),
            label_at: Point::default(),
        };
        let arrows = [
            (0, 1, false),
            (1, 2, false),
            (1, 3, true),
            (3, 4, false),
            (4, 5, false),
            (4, 6, true),
            (6, 7, false),
        ];
        let cluster = |name: &str| Cluster {
            name: name.into(),
            line: 1,
            frameless: false,
            place: Rectangle::default(),
        };
        let graph = Graph {
            clusters: vec![cluster("main"), cluster("foo"), cluster("foo")],
            boxes: boxes.collect(),
            arrows: arrows.into_iter().map(arrow).collect(),
            ..Graph::default()
        };
        RoundView {
            round: 1,
            nodes,
            edges: Vec::new(),
            traces: Vec::new(),
            graph,
            added: Vec::new(),
        }
    }

    fn arrows(graph: &Graph) -> Vec<(u32, u32, bool)> {
        graph.arrows.iter().map(|arrow| (arrow.from, arrow.to, arrow.call)).collect()
    }

    #[test]
    fn frames_are_called_by_their_procedure_and_found_by_node() {
        let view = sample();
        assert_eq!(frame_keys(&view), ["foo", "foo 2"]);
        assert_eq!(
            (frame_of_cluster(&view, 0), frame_of_cluster(&view, 2)),
            (None, Some("foo 2".to_string()))
        );
        assert_eq!(frame_of_node(&view, 5).as_deref(), Some("foo"));
        assert_eq!(
            frame_of_node(&view, 1).as_deref(),
            Some("foo"),
            "a pivot point stands for the body that is entered from it"
        );
        assert_eq!(frame_of_node(&view, 0), None);
    }

    #[test]
    fn a_folded_frame_is_one_box_that_says_what_its_runs_come_to() {
        let view = sample();
        let folded = fold_frames(&view, &BTreeSet::from(["foo".to_string()]));
        let ids: Vec<u32> = folded.boxes.iter().map(|b| b.id).collect();
        assert_eq!(ids, [0, 1, 2, 3, 6, 7]);
        let one = &folded.boxes[3];
        assert_eq!(
            (one.kind, one.label.as_str(), one.stands_for.as_slice()),
            (BoxKind::Procedure, "end of foo: x = 1", [3, 4, 5].as_slice())
        );
        assert_eq!(
            arrows(&folded),
            [(0, 1, false), (1, 2, false), (1, 3, true), (3, 6, true), (6, 7, false)]
        );
        assert_eq!(
            folded.clusters.iter().map(|cluster| cluster.frameless).collect::<Vec<_>>(),
            [false, true, false]
        );
        let both: BTreeSet<String> = frame_keys(&view).into_iter().collect();
        let folded = fold_frames(&view, &both);
        assert_eq!(arrows(&folded), [(0, 1, false), (1, 2, false), (1, 3, true), (3, 6, true)]);
        let mut bare = view.clone();
        bare.nodes.iter_mut().for_each(|node| node.readable.clear());
        assert_eq!(
            fold_frames(&bare, &both).boxes[4].label,
            "foo, 2 nodes",
            "before interpolation there is nothing to say but the size"
        );
        assert_eq!(arrows(&fold_frames(&view, &BTreeSet::new())), arrows(&view.graph));
    }
}
