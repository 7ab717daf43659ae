//! The control-flow graph as data for scripts and as text for people: what `faultline graph`
//! prints.

use crate::draw::paint::{Mark, Marks};
use crate::wire::graph::{Graph, Point, Rectangle};
use crate::wire::options::EffectiveOptions;
use serde::Serialize;
use std::fmt::Write;

/// The whole graph. The keys are stable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphReport {
    /// `graph`.
    pub analysis: &'static str,
    /// In force.
    pub options: EffectiveOptions,
    /// Procedures.
    pub clusters: Vec<ClusterEntry>,
    /// Places where statements start.
    pub nodes: Vec<NodeEntry>,
    /// Statements, and calls to their callees.
    pub edges: Vec<EdgeEntry>,
    /// Extent, with positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Point>,
}

/// A procedure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusterEntry {
    /// Counted from 0.
    pub id: u32,
    /// As in the source.
    pub name: String,
    /// 1-based line of its header.
    pub line: u32,
    /// Its nodes' numbers.
    pub nodes: Vec<u32>,
    /// Frame, with positions.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub place: Option<Rectangle>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeEntry {
    /// Location number.
    pub id: u32,
    /// Number of its procedure.
    pub cluster: u32,
    /// 1-based.
    pub line: u32,
    /// As in the source.
    pub label: String,
    /// `statement`, `condition`, `call`, `assertion`, `exit`.
    pub kind: &'static str,
    /// Numbers of the statements that start here.
    pub statements: Vec<u32>,
    /// `lit` or `dim`, after a projection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// Place, with positions.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub place: Option<Rectangle>,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgeEntry {
    /// Node.
    pub from: u32,
    /// Node.
    pub to: u32,
    /// `true`, `false`, `case 3` or empty.
    pub label: String,
    /// From a call to its callee's entry?
    pub call: bool,
    /// Number of the statement.
    pub statement: u32,
    /// `lit` or `dim`, after a projection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// Control points of a smooth curve, with positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<Point>>,
}

/// The report of a graph; `positions` after layout only.
pub fn graph_report(
    graph: &Graph,
    options: &EffectiveOptions,
    marks: Option<&Marks>,
    positions: bool,
) -> GraphReport {
    let word = |mark: Option<&Mark>| match mark {
        Some(Mark::Lit) => Some("lit"),
        Some(Mark::Dim) => Some("dim"),
        _ => None,
    };
    let place = |place: Rectangle| positions.then_some(place);
    let nodes_of =
        |k: usize| graph.boxes.iter().filter(|b| b.cluster as usize == k).map(|b| b.id).collect();
    let clusters = graph.clusters.iter().enumerate().map(|(k, c)| ClusterEntry {
        id: k as u32,
        name: c.name.clone(),
        line: c.line,
        nodes: nodes_of(k),
        place: place(c.place),
    });
    let nodes = graph.boxes.iter().enumerate().map(|(i, b)| NodeEntry {
        id: b.id,
        cluster: b.cluster,
        line: b.line,
        label: b.label.clone(),
        kind: b.kind.word(),
        statements: b.statements.clone(),
        mark: word(marks.and_then(|m| m.boxes.get(i))),
        place: place(b.place),
    });
    let edges = graph.arrows.iter().enumerate().map(|(i, a)| EdgeEntry {
        from: a.from,
        to: a.to,
        label: a.label.clone(),
        call: a.call,
        statement: a.statement,
        mark: word(marks.and_then(|m| m.arrows.get(i))),
        points: positions.then(|| a.points.clone()),
    });
    GraphReport {
        analysis: "graph",
        options: options.clone(),
        clusters: clusters.collect(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        size: positions.then_some(graph.size),
    }
}

/// A list for people: each procedure's nodes with what follows them.
pub fn text(report: &GraphReport) -> String {
    let mut out = String::new();
    let clusters = match (report.options.dialect.is_raw(), report.clusters.len()) {
        (true, 1) => "group",
        (true, _) => "groups",
        (false, _) => "procedures",
    };
    let _ = writeln!(
        out,
        "{} {clusters}, {} nodes, {} edges",
        report.clusters.len(),
        report.nodes.len(),
        report.edges.len()
    );
    let mut leaving =
        vec![Vec::new(); report.nodes.iter().map(|n| n.id as usize + 1).max().unwrap_or(0)];
    for (i, edge) in report.edges.iter().enumerate() {
        leaving[edge.from as usize].push(i);
    }
    for cluster in &report.clusters {
        let _ = writeln!(out, "\n{} (line {})", cluster.name, cluster.line);
        for node in report.nodes.iter().filter(|n| n.cluster == cluster.id) {
            let mark = node.mark.map_or("", |m| if m == "lit" { "* " } else { "  " });
            let _ = write!(out, "  {mark}{:>4}  line {:<4} {}", node.id, node.line, node.label);
            for (k, i) in leaving[node.id as usize].iter().enumerate() {
                let edge = &report.edges[*i];
                let how = if edge.call { "calls " } else { "" };
                let label =
                    if edge.label.is_empty() { String::new() } else { format!("{}: ", edge.label) };
                let _ =
                    write!(out, "{}{how}{label}{}", if k == 0 { "  -> " } else { ", " }, edge.to);
            }
            out.push('\n');
        }
    }
    out
}
