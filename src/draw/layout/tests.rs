//! Boxes lie apart and inside their frames, and the same graph gets the same places.

use super::*;
use crate::wire::graph::{BoxKind, GraphBox};

/// `procedures` chains of `length` boxes with a back arrow each; each procedure calls the next.
fn chains(procedures: u32, length: u32) -> Graph {
    let mut graph = Graph::default();
    for p in 0..procedures {
        graph.clusters.push(Cluster {
            name: format!("p{p}"),
            line: 1,
            frameless: false,
            place: Rectangle::default(),
        });
        for i in 0..length {
            let id = p * length + i;
            graph.boxes.push(GraphBox {
                id,
                cluster: p,
                line: id + 1,
                label: "x = x + 1".repeat(1 + id as usize % 5),
                kind: BoxKind::Statement,
                statements: vec![id],
                stands_for: Vec::new(),
                heads_chain: false,
                place: Rectangle::default(),
            });
            let arrow = |to, call| GraphArrow {
                from: id,
                to,
                label: if i % 3 == 0 { "true".into() } else { String::new() },
                call,
                statement: id,
                also: Vec::new(),
                points: Vec::new(),
                label_at: Point::default(),
            };
            if i + 1 < length {
                graph.arrows.push(arrow(id + 1, false));
            }
            if i == length / 2 {
                graph.arrows.push(arrow(p * length, false));
                graph.arrows.push(arrow((p + 1) % procedures * length, true));
            }
        }
    }
    graph
}

fn overlap(a: &Rectangle, b: &Rectangle) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

#[test]
fn boxes_lie_in_their_clusters_and_do_not_overlap() {
    let mut graph = chains(5, 12);
    layout(&mut graph);
    for (i, b) in graph.boxes.iter().enumerate() {
        let home = graph.clusters[b.cluster as usize].place;
        assert!(
            b.place.x >= home.x && b.place.x + b.place.width <= home.x + home.width,
            "box {i} sticks out"
        );
        assert!(
            b.place.y >= home.y && b.place.y + b.place.height <= home.y + home.height,
            "box {i} sticks out"
        );
        for other in &graph.boxes[..i] {
            assert!(!overlap(&b.place, &other.place), "{} and {} overlap", b.id, other.id);
        }
    }
    for (i, a) in graph.clusters.iter().enumerate() {
        assert!(
            graph.clusters[..i].iter().all(|b| !overlap(&a.place, &b.place)),
            "cluster {i} overlaps"
        );
    }
    assert!(graph.arrows.iter().all(|a| a.points.len() >= 2));
}

#[test]
fn the_same_graph_gets_the_same_places() {
    let (mut once, mut again) = (chains(3, 20), chains(3, 20));
    layout(&mut once);
    layout(&mut again);
    assert_eq!(once, again);
}

#[test]
fn long_labels_are_cut() {
    assert_eq!(shown_label("x = 1"), "x = 1");
    assert_eq!(shown_label(&"é".repeat(100)).chars().count(), LABEL_LIMIT);
}

#[test]
fn an_empty_graph_and_two_thousand_boxes() {
    let mut empty = Graph::default();
    layout(&mut empty);
    assert_eq!(empty.boxes.len(), 0);
    let mut large = chains(20, 100);
    layout(&mut large);
    assert!(large.size.x > 0.0 && large.size.y > 0.0);
}
