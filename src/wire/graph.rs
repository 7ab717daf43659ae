//! The control-flow graph as a picture: boxes for locations, arrows for statements, a cluster for
//! each procedure.

use crate::util::words;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A point or size, in CSS pixels at zoom 1; y grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// A rectangle by its top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rectangle {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

words! {
    /// What a box stands for.
    pub enum BoxKind {
        /// A plain statement.
        Statement = "statement",
        /// A place where the run branches.
        Condition = "condition",
        /// A call.
        Call = "call",
        /// An assertion or another place that only checks.
        Assertion = "assertion",
        /// The end of a procedure.
        Exit = "exit",
        /// A straight chain of boxes, folded into one.
        Chain = "chain",
        /// A whole procedure, folded into one.
        Procedure = "procedure",
    }
}

/// A box: the statements that start at one location (the outcomes of one condition share a box).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphBox {
    /// Location number.
    pub id: u32,
    /// Index into [`Graph::clusters`].
    pub cluster: u32,
    /// 1-based source line.
    pub line: u32,
    /// `x = y + 1`, `x > 0`, `foo(3)`, `return x`, `end`.
    pub label: String,
    /// Role.
    pub kind: BoxKind,
    /// The statements (edge numbers) that start here.
    pub statements: Vec<u32>,
    /// Of a folded box: all boxes that it stands for, itself included (a folded procedure has its
    /// entry's number). Else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stands_for: Vec<u32>,
    /// Does a straight chain start here that is unfolded and can be folded?
    #[serde(default)]
    pub heads_chain: bool,
    /// Place, after layout.
    pub place: Rectangle,
}

impl GraphBox {
    /// Does a click unfold it?
    pub fn is_folded(&self) -> bool {
        matches!(self.kind, BoxKind::Chain | BoxKind::Procedure)
    }
}

/// An arrow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphArrow {
    /// Box.
    pub from: u32,
    /// Box.
    pub to: u32,
    /// `true`, `false`, `case 3` or empty.
    pub label: String,
    /// From a call's box to its callee's entry?
    pub call: bool,
    /// The statement (edge number) that it stands for; for a call arrow, the call's.
    pub statement: u32,
    /// Where folded boxes share an arrow: the other statements that it stands for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<u32>,
    /// After layout: the control points of a smooth curve from border to border (its ends are
    /// interpolated).
    pub points: Vec<Point>,
    /// Where the middle of the label stands, after layout.
    #[serde(default)]
    pub label_at: Point,
}

/// A procedure's frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// The procedure's name.
    pub name: String,
    /// Header line.
    pub line: u32,
    /// Has it no frame in this picture: folded, or not shown at all?
    #[serde(default)]
    pub frameless: bool,
    /// Place, after layout.
    pub place: Rectangle,
}

/// The picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// Procedures.
    pub clusters: Vec<Cluster>,
    /// Boxes, by location number.
    pub boxes: Vec<GraphBox>,
    /// Arrows, by statement number.
    pub arrows: Vec<GraphArrow>,
    /// Extent, after layout.
    pub size: Point,
}

/// What an analysis found about a statement; paints source and graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementView {
    /// Edge number.
    pub id: u32,
    /// Its box (location number).
    pub location: u32,
    /// 1-based.
    pub line: u32,
    /// As in the source.
    pub text: String,
    /// For conditions.
    pub outcome: String,
    /// Made by the front end: not painted.
    pub hidden: bool,
    /// Some run executes it.
    pub reached: bool,
    /// Some failing run executes it (only after `projection`).
    pub lit: bool,
    /// Some failing run executes it and goes on behind it (for a call: returns from it).
    pub passed: bool,
}

/// Which part is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// All procedures.
    #[default]
    Program,
    /// A box for each procedure, an arrow where one calls another.
    Calls,
    /// One procedure, with its callers and callees as boxes.
    Procedure(String),
}

/// What is folded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Folding {
    /// Which part is shown.
    pub scope: Scope,
    /// In [`Scope::Program`]: the procedures that are folded.
    pub procedures: BTreeSet<String>,
    /// Are chains folded?
    pub chains: bool,
    /// Except these, by their first box.
    pub exceptions: BTreeSet<u32>,
}
