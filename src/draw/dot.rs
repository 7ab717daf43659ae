//! The graph in DOT, Graphviz's language: a cluster for each procedure, dashed edges for calls.
//!
//! Labels and names go into double-quoted strings, where `"` and `\` are escaped (`\` starts
//! Graphviz's own escapes such as `\N`).

use crate::draw::paint::{Mark, Marks};
use crate::wire::graph::{BoxKind, Graph, GraphBox};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Pixels in an inch, as Graphviz counts them.
const INCH: f64 = 72.0;

/// The whole graph; `marks` colour what is lit and what is not. With `positions`, boxes have places
/// (for `neato -n`).
pub fn render(graph: &Graph, marks: Option<&Marks>, positions: bool) -> String {
    let mut out = String::with_capacity(90 * (graph.boxes.len() + graph.arrows.len()) + 500);
    out.push_str("digraph faultline {\n");
    out.push_str(
        "  graph [fontname=\"sans-serif\", fontsize=12, style=\"rounded\", color=\"#c9ccd3\"];\n",
    );
    out.push_str(
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#8b94a3\", fontname=\"monospace\", fontsize=11];\n",
    );
    out.push_str(
        "  edge [fontname=\"sans-serif\", fontsize=10, color=\"#5c6678\", arrowsize=0.7];\n",
    );
    for (k, cluster) in graph.clusters.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{k} {{\n    label={};", quoted(&cluster.name));
        for (i, b) in graph.boxes.iter().enumerate().filter(|(_, b)| b.cluster as usize == k) {
            node(&mut out, graph, b, marks.and_then(|m| m.boxes.get(i)), positions);
        }
        out.push_str("  }\n");
    }
    for (i, a) in graph.arrows.iter().enumerate() {
        let mut attributes = Vec::new();
        if !a.label.is_empty() {
            attributes.push(format!("label={}", quoted(&a.label)));
        }
        if a.call {
            // A call must not pull its callee below itself.
            attributes.push("style=dashed, constraint=false".into());
        }
        match marks.and_then(|m| m.arrows.get(i)) {
            Some(Mark::Lit) => attributes.push("color=\"#bf3d0a\", penwidth=1.8".into()),
            Some(Mark::Dim) => attributes.push("color=\"#c3c8d0\"".into()),
            _ => {}
        }
        let _ = write!(out, "  n{} -> n{}", a.from, a.to);
        if !attributes.is_empty() {
            let _ = write!(out, " [{}]", attributes.join(", "));
        }
        out.push_str(";\n");
    }
    out.push_str("}\n");
    out
}

fn node(out: &mut String, graph: &Graph, b: &GraphBox, mark: Option<&Mark>, positions: bool) {
    let _ = write!(
        out,
        "    n{} [label={}, tooltip={}",
        b.id,
        quoted(&b.label),
        quoted(&format!("line {}: {}", b.line, b.label))
    );
    let shape = match b.kind {
        BoxKind::Condition => ", shape=hexagon, style=filled",
        BoxKind::Exit => ", shape=oval, style=filled",
        BoxKind::Call => ", peripheries=2",
        BoxKind::Chain | BoxKind::Procedure => ", shape=box3d, style=filled",
        BoxKind::Statement | BoxKind::Assertion => "",
    };
    out.push_str(shape);
    match mark {
        Some(Mark::Lit) => out.push_str(", fillcolor=\"#fff0e6\", color=\"#bf3d0a\", penwidth=1.6"),
        Some(Mark::Dim) => out.push_str(", color=\"#c3c8d0\", fontcolor=\"#737c8c\""),
        _ => {}
    }
    if positions {
        let p = &b.place;
        let (x, y) = (p.x + p.width / 2.0, graph.size.y - p.y - p.height / 2.0);
        let _ = write!(
            out,
            ", pos=\"{x:.1},{y:.1}!\", width={:.3}, height={:.3}",
            p.width / INCH,
            p.height / INCH
        );
    }
    out.push_str("];\n");
}

/// In double quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A digraph. `states`: names, and whether a configuration ends there; `None` is left out.
/// `transitions`: from, to, text, and whether the step did something to it.
pub(crate) fn digraph(
    title: &str,
    states: impl Iterator<Item = Option<(String, bool)>>,
    transitions: impl Iterator<Item = (u32, u32, String, bool)>,
) -> String {
    let mut out = format!("digraph {} {{\n  rankdir=LR;\n", quoted(title));
    out.push_str("  node [shape=circle, fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"monospace\", fontsize=10];\n");
    for (k, state) in states.enumerate() {
        let Some((name, accepting)) = state else { continue };
        let _ = writeln!(
            out,
            "  n{k} [label={}{}];",
            quoted(&name),
            if accepting { ", peripheries=2" } else { "" }
        );
    }
    let mut arrows: BTreeMap<(u32, u32), (Vec<String>, bool)> = BTreeMap::new();
    for (from, to, text, now) in transitions {
        let arrow = arrows.entry((from, to)).or_default();
        arrow.0.push(text);
        arrow.1 |= now;
    }
    for ((from, to), (texts, now)) in arrows {
        let now = if now { ", color=\"#bf3d0a\", penwidth=1.8" } else { "" };
        let _ = writeln!(out, "  n{from} -> n{to} [label={}{now}];", quoted(&texts.join("\n")));
    }
    out.push_str("}\n");
    out
}
