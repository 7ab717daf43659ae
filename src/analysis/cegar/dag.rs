//! The counterexample DAG of one round: every error trace of the abstract program, with concrete
//! statements on its edges (thesis, 4.3.1 and 5.1, figs 4.6, 5.2, 5.8, 5.10).
//!
//! A DAG consists of *parts*. The *main part* holds the start procedure and every procedure that is
//! called and does not return ("push-only"). Its top is [`DagPoint::Start`], its bottom is
//! [`DagPoint::Error`], where all error edges end. Every other part is a *body*: the runs of a
//! callee that returns ("modular"). Its top is the procedure's entry, its bottom is
//! [`DagPoint::Returned`]. Several calls may share one body.
//!
//! Invariants ([`DagBuilder::finish`](super::dag_builder::DagBuilder::finish) checks them): every
//! node is reached from the top of its part and reaches its bottom; no part has a cycle; no body
//! calls itself, as recursion is unrolled to one body for each depth.
//!
//! A call is two edges with the pivot point between them. [`Action::Push`] leads to
//! [`DagPoint::Pivot`]; from there [`Action::Return`] leads over a body to the return site in the
//! same frame, and [`Action::Enter`] into a callee that does not return. A pivot may have both.
//!
//! The variables that a predicate at a node may mention (its *signature*), by
//! [`Copy`](crate::encode::Copy):
//!
//! | node | `Entry` | `Middle` | `Now` |
//! | --- | --- | --- | --- |
//! | `Start`, `Error` | | | |
//! | location, main part | | | globals, the procedure's locals |
//! | location, body | tracked cells: G‹, P‹ | | globals, the procedure's locals |
//! | pivot | as at the call | the callee's parameters as it is entered: P‹ | as at the call (globals are also the callee's G‹) |
//! | `Returned` | tracked cells | | globals, the result, parameters that stay as they are |
//!
//! The tracked cells are [`Frame::tracked`](crate::encode::Frame): globals and parameters that the
//! procedure may change. The other cells have the same value at the entry and now.

use crate::lang::model::{EdgeId, LocationId, ProcedureId};
use crate::util::index_by;

/// A node of one DAG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// An edge of one DAG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DagEdgeId(pub u32);

/// A procedure's frame in one DAG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(pub u32);

index_by!(NodeId, DagEdgeId, InstanceId);

/// How an instance's frame is entered and left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The start procedure.
    Main,
    /// Called, and fails inside (or in what it calls): in the main part.
    PushOnly,
    /// Called, and returns: a body of its own.
    Body,
}

/// One procedure's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The procedure.
    pub procedure: ProcedureId,
    /// How the frame is entered and left.
    pub mode: Mode,
}

/// The point that a node is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DagPoint {
    /// Before the program starts: the top, 1.
    Start,
    /// At a location of the instance's procedure.
    Location(LocationId),
    /// Between caller and callee of this call edge, in the caller's instance: f0 m(i+1).
    Pivot(EdgeId),
    /// After a body's pop: ε.
    Returned,
    /// Behind every error: the bottom, 0.
    Error,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The point that the node is at.
    pub point: DagPoint,
    /// The breadth-first rank within the instance. It tells nodes of one point apart, and gives the
    /// order in which they are shown.
    pub rank: u32,
    /// The frame ([`DagPoint::Start`] and [`DagPoint::Error`]: that of the start procedure).
    pub instance: InstanceId,
}

/// What an edge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Globals get their initial values: from [`DagPoint::Start`] to the start procedure's entry.
    Begin,
    /// An edge of the program that is no call is executed.
    Execute(EdgeId),
    /// The k-th check of an edge is the first to fail: to [`DagPoint::Error`].
    Fail(EdgeId, usize),
    /// A call's checks hold and its arguments are passed: to [`DagPoint::Pivot`].
    Push(EdgeId),
    /// From a pivot into the entry of a callee that does not return.
    Enter,
    /// From a pivot over this body to the return site ("execute f"): result and globals come back.
    Return(InstanceId),
    /// From a body's exit to [`DagPoint::Returned`].
    Pop,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DagEdge {
    /// Source.
    pub from: NodeId,
    /// Target.
    pub to: NodeId,
    /// What happens.
    pub action: Action,
}

/// A polarized, modular DAG of error traces.
#[derive(Clone, Debug)]
pub struct CounterexampleDag {
    pub(super) instances: Vec<Instance>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<DagEdge>,
    pub(super) outgoing: Vec<Vec<DagEdgeId>>,
    pub(super) incoming: Vec<Vec<DagEdgeId>>,
    /// The main part, then the bodies, callers before callees; each from its top to its bottom.
    pub(super) parts: Vec<Part>,
}

/// The main part or a body.
#[derive(Clone, Debug)]
pub struct Part {
    /// The start procedure's instance, or the body's.
    pub instance: InstanceId,
    /// From the top (first) to the bottom (last), sources before targets.
    pub nodes: Vec<NodeId>,
}

impl Part {
    /// The first node.
    pub fn top(&self) -> NodeId {
        self.nodes[0]
    }

    /// The last node.
    pub fn bottom(&self) -> NodeId {
        self.nodes[self.nodes.len() - 1]
    }
}

impl CounterexampleDag {
    /// The main part, then the bodies, callers before callees.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The part of a body's instance.
    pub fn body(&self, instance: InstanceId) -> &Part {
        self.parts
            .iter()
            .find(|part| part.instance == instance)
            .expect("a finished DAG has every body that it mentions")
    }

    /// The top: [`DagPoint::Start`].
    pub fn top(&self) -> NodeId {
        self.parts[0].top()
    }

    /// The bottom: [`DagPoint::Error`].
    pub fn bottom(&self) -> NodeId {
        self.parts[0].bottom()
    }

    /// How many nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, in the order in which they were added.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// All edges, in the order in which they were added.
    pub fn edge_ids(&self) -> impl Iterator<Item = DagEdgeId> + use<> {
        (0..self.edges.len() as u32).map(DagEdgeId)
    }

    /// The node of this id.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id]
    }

    /// The edge of this id.
    pub fn edge(&self, id: DagEdgeId) -> DagEdge {
        self.edges[id]
    }

    /// The instance of this id.
    pub fn instance(&self, id: InstanceId) -> Instance {
        self.instances[id]
    }

    /// All instances, in order.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The procedure in whose frame a node is.
    pub fn procedure(&self, id: NodeId) -> ProcedureId {
        self.instance(self.node(id).instance).procedure
    }

    /// Is the node in a body, so that its predicates may mention the frame's entry?
    pub fn is_in_body(&self, id: NodeId) -> bool {
        self.instance(self.node(id).instance).mode == Mode::Body
    }

    /// The edges out of a node.
    pub fn outgoing(&self, id: NodeId) -> &[DagEdgeId] {
        &self.outgoing[id]
    }

    /// The edges into a node.
    pub fn incoming(&self, id: NodeId) -> &[DagEdgeId] {
        &self.incoming[id]
    }

    /// Every [`Action::Return`] edge over a body.
    pub fn uses(&self, body: InstanceId) -> impl Iterator<Item = DagEdgeId> + '_ {
        self.edge_ids().filter(move |id| self.edge(*id).action == Action::Return(body))
    }

    /// How many traces there are from top to bottom, a body's counted at each call (at most
    /// `u64::MAX`).
    pub fn trace_count(&self) -> u64 {
        self.traces_through()[self.top()]
    }

    /// By node: how many traces pass it (at most `u64::MAX`). One that passes a body at several
    /// calls counts as often there.
    pub fn traces_through(&self) -> Vec<u64> {
        let mut from_top = vec![0_u64; self.nodes.len()];
        let mut to_bottom = vec![0_u64; self.nodes.len()];
        // Counts the ways through each body, and the traces that continue around it.
        let mut ways = vec![0_u64; self.instances.len()];
        let mut around = vec![0_u64; self.instances.len()];
        let through = |action: Action, ways: &[u64]| {
            if let Action::Return(body) = action { ways[body] } else { 1 }
        };
        for part in self.parts.iter().rev() {
            from_top[part.top()] = 1;
            for edge in part.nodes.iter().flat_map(|node| self.outgoing(*node)) {
                let DagEdge { from, to, action } = self.edge(*edge);
                let more = from_top[from].saturating_mul(through(action, &ways));
                from_top[to] = from_top[to].saturating_add(more);
            }
            to_bottom[part.bottom()] = 1;
            for edge in part.nodes.iter().rev().flat_map(|node| self.outgoing(*node)) {
                let DagEdge { from, to, action } = self.edge(*edge);
                let more = to_bottom[to].saturating_mul(through(action, &ways));
                to_bottom[from] = to_bottom[from].saturating_add(more);
            }
            ways[part.instance] = from_top[part.bottom()];
        }
        let mut all = vec![0; self.nodes.len()];
        around[0] = 1;
        for part in &self.parts {
            let outside = around[part.instance];
            for node in &part.nodes {
                let inside = from_top[*node].saturating_mul(to_bottom[*node]);
                all[*node] = inside.saturating_mul(outside);
                for edge in self.outgoing(*node) {
                    let DagEdge { to, action: Action::Return(body), .. } = self.edge(*edge) else {
                        continue;
                    };
                    let more =
                        from_top[*node].saturating_mul(to_bottom[to]).saturating_mul(outside);
                    around[body] = around[body].saturating_add(more);
                }
            }
        }
        all
    }
}
