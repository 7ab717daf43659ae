//! Builds a counterexample DAG, and checks that it is one: polarized, without cycles, with edges of
//! the program only.

use super::dag::{
    Action, CounterexampleDag, DagEdge, DagEdgeId, DagPoint, Instance, InstanceId, Mode, Node,
    NodeId, Part,
};
use crate::lang::model::{EdgeId, Operation, ProcedureId, Program};
use std::collections::BTreeSet;

/// A defect of a DAG under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DagError {
    /// The action does not lead from one of these nodes to the other.
    Misplaced(DagEdgeId),
    /// The part has a cycle through this node, or a body calls itself.
    Cycle(NodeId),
    /// Not reached from the top of its part.
    Unreached(NodeId),
    /// Does not reach the bottom of its part.
    Stuck(NodeId),
    /// A point that a part must have once is missing or doubled.
    NotPolarized(InstanceId),
    /// An instance, node or edge that is mentioned is not there.
    Missing,
}

/// A DAG under construction.
#[derive(Clone, Debug)]
pub struct DagBuilder {
    instances: Vec<Instance>,
    nodes: Vec<Node>,
    edges: Vec<DagEdge>,
    known: BTreeSet<(NodeId, NodeId, Action)>,
}

impl DagBuilder {
    /// Begins a DAG with the start procedure as instance 0 and the nodes `Start` and `Error` (0 and
    /// 1).
    pub fn new(program: &Program) -> DagBuilder {
        let main = InstanceId(0);
        let node = |point| Node { point, rank: 0, instance: main };
        DagBuilder {
            instances: vec![Instance { procedure: program.main_id(), mode: Mode::Main }],
            nodes: vec![node(DagPoint::Start), node(DagPoint::Error)],
            edges: Vec::new(),
            known: BTreeSet::new(),
        }
    }

    /// The instance of the start procedure.
    pub fn main(&self) -> InstanceId {
        InstanceId(0)
    }

    /// The top of the main part.
    pub fn start(&self) -> NodeId {
        NodeId(0)
    }

    /// The bottom of the main part.
    pub fn error(&self) -> NodeId {
        NodeId(1)
    }

    /// Adds a frame.
    pub fn instance(&mut self, procedure: ProcedureId, mode: Mode) -> InstanceId {
        self.instances.push(Instance { procedure, mode });
        InstanceId(self.instances.len() as u32 - 1)
    }

    /// Adds a node.
    pub fn node(&mut self, instance: InstanceId, point: DagPoint, rank: u32) -> NodeId {
        self.nodes.push(Node { point, rank, instance });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The point that a node is at.
    pub fn point(&self, node: NodeId) -> DagPoint {
        self.nodes[node].point
    }

    /// Adds an edge, unless it is there already.
    pub fn edge(&mut self, from: NodeId, to: NodeId, action: Action) {
        if self.known.insert((from, to, action)) {
            self.edges.push(DagEdge { from, to, action });
        }
    }

    /// Checks that this is a polarized DAG of the program, modular at calls.
    pub fn finish(self, program: &Program) -> Result<CounterexampleDag, DagError> {
        let mut outgoing = vec![Vec::new(); self.nodes.len()];
        let mut incoming = vec![Vec::new(); self.nodes.len()];
        for (k, edge) in (0..).map(DagEdgeId).zip(&self.edges) {
            let (Some(from), Some(to)) =
                (outgoing.get_mut(edge.from.0 as usize), incoming.get_mut(edge.to.0 as usize))
            else {
                return Err(DagError::Missing);
            };
            from.push(k);
            to.push(k);
        }
        if self.nodes.iter().any(|node| node.instance.0 as usize >= self.instances.len()) {
            return Err(DagError::Missing);
        }
        let mut dag = CounterexampleDag {
            instances: self.instances,
            nodes: self.nodes,
            edges: self.edges,
            outgoing,
            incoming,
            parts: Vec::new(),
        };
        for edge in dag.edge_ids() {
            if !dag.is_placed(program, edge) {
                return Err(DagError::Misplaced(edge));
            }
        }
        dag.parts = dag.in_order(program)?;
        Ok(dag)
    }
}

impl CounterexampleDag {
    /// Does the action lead from the edge's source to its target?
    fn is_placed(&self, program: &Program, id: DagEdgeId) -> bool {
        let DagEdge { from, to, action } = self.edge(id);
        let (source, target) = (self.node(from), self.node(to));
        let same = source.instance == target.instance;
        let procedure = |node: Node| program.procedure(self.instance(node.instance).procedure);
        let is_at = |node: Node, location| {
            node.point == DagPoint::Location(location)
                && program.location(location).procedure == self.instance(node.instance).procedure
        };
        let is_call = |edge: EdgeId| matches!(program.edge(edge).operation, Operation::Call { .. });
        let exists = |edge: EdgeId| (edge.0 as usize) < program.edges.len();
        let callee = |edge: EdgeId| match program.edge(edge).operation {
            Operation::Call { callee, .. } => Some(callee),
            _ => None,
        };
        match action {
            Action::Begin => {
                same && source.point == DagPoint::Start && is_at(target, procedure(target).entry)
            }
            Action::Execute(edge) => {
                same && exists(edge)
                    && !is_call(edge)
                    && is_at(source, program.edge(edge).from)
                    && is_at(target, program.edge(edge).to)
            }
            Action::Fail(edge, check) => {
                let inside = exists(edge)
                    && check < program.edge(edge).checks.len()
                    && is_at(source, program.edge(edge).from);
                inside && target.point == DagPoint::Error && !self.is_in_body(from)
            }
            Action::Push(edge) => {
                same && exists(edge)
                    && is_call(edge)
                    && is_at(source, program.edge(edge).from)
                    && target.point == DagPoint::Pivot(edge)
            }
            Action::Enter => {
                let DagPoint::Pivot(edge) = source.point else { return false };
                let entered = self.instance(target.instance);
                let fits = entered.mode == Mode::PushOnly
                    && callee(edge) == Some(entered.procedure)
                    && !self.is_in_body(from);
                fits && is_at(target, procedure(target).entry)
            }
            Action::Return(body) => {
                let (DagPoint::Pivot(edge), Some(body)) =
                    (source.point, self.instances.get(body.0 as usize))
                else {
                    return false;
                };
                let fits = body.mode == Mode::Body && callee(edge) == Some(body.procedure);
                same && fits && is_at(target, program.edge(edge).to)
            }
            Action::Pop => {
                same && self.is_in_body(from)
                    && is_at(source, procedure(source).exit)
                    && target.point == DagPoint::Returned
            }
        }
    }

    /// The parts: each from its top to its bottom, sources before targets; callers before callees.
    fn in_order(&self, program: &Program) -> Result<Vec<Part>, DagError> {
        let mut parts = vec![self.part(program, InstanceId(0))?];
        let bodies = (0..self.instances.len() as u32)
            .map(InstanceId)
            .filter(|id| self.instance(*id).mode == Mode::Body);
        let bodies: Vec<InstanceId> = bodies.collect();
        // Calls between bodies, for a topological order among them (Kahn 1962); the main part
        // calls, but is not called.
        let mut pending = vec![0_usize; self.instances.len()];
        let mut callees = vec![Vec::new(); self.instances.len()];
        for edge in &self.edges {
            let Action::Return(body) = edge.action else { continue };
            if self.is_in_body(edge.from) {
                callees[self.node(edge.from).instance].push(body);
                pending[body] += 1;
            }
        }
        let mut ready: Vec<InstanceId> =
            bodies.iter().rev().copied().filter(|body| pending[*body] == 0).collect();
        while let Some(body) = ready.pop() {
            parts.push(self.part(program, body)?);
            for callee in &callees[body] {
                pending[*callee] -= 1;
                if pending[*callee] == 0 {
                    ready.push(*callee);
                }
            }
        }
        let unordered = |body: &&InstanceId| pending[**body] > 0;
        if let Some(body) = bodies.iter().find(unordered) {
            let inside = self.node_ids().find(|id| self.node(*id).instance == *body);
            return Err(inside.map_or(DagError::NotPolarized(*body), DagError::Cycle));
        }
        match bodies.iter().find(|body| self.uses(**body).next().is_none()) {
            Some(unused) => Err(DagError::NotPolarized(*unused)),
            None => Ok(parts),
        }
    }

    /// One part, in order.
    fn part(&self, program: &Program, instance: InstanceId) -> Result<Part, DagError> {
        let body = self.instance(instance).mode == Mode::Body;
        let inside = |id: &NodeId| {
            if body { self.node(*id).instance == instance } else { !self.is_in_body(*id) }
        };
        let members: Vec<NodeId> = self.node_ids().filter(inside).collect();
        let only = |point: DagPoint| {
            let mut found = members.iter().filter(|id| {
                self.node(**id).point == point && self.node(**id).instance == instance
            });
            found
                .next()
                .copied()
                .filter(|_| found.next().is_none())
                .ok_or(DagError::NotPolarized(instance))
        };
        let entry = DagPoint::Location(program.procedure(self.instance(instance).procedure).entry);
        let bottom = only(if body { DagPoint::Returned } else { DagPoint::Error })?;
        let top = if body {
            let entries = members
                .iter()
                .filter(|id| self.node(**id).point == entry && self.incoming(**id).is_empty());
            let entries: Vec<NodeId> = entries.copied().collect();
            let [top] = entries[..] else { return Err(DagError::NotPolarized(instance)) };
            top
        } else {
            only(DagPoint::Start)?
        };
        if !self.outgoing(bottom).is_empty() {
            return Err(DagError::NotPolarized(instance));
        }
        if let Some(node) = members.iter().find(|id| **id != top && self.incoming(**id).is_empty())
        {
            return Err(DagError::Unreached(*node));
        }
        if let Some(node) =
            members.iter().find(|id| **id != bottom && self.outgoing(**id).is_empty())
        {
            return Err(DagError::Stuck(*node));
        }
        let mut pending: Vec<usize> = self.incoming.iter().map(Vec::len).collect();
        let mut nodes = Vec::with_capacity(members.len());
        let mut ready = vec![top];
        while let Some(node) = ready.pop() {
            if node != bottom {
                nodes.push(node);
            }
            for edge in self.outgoing(node) {
                let target = self.edge(*edge).to;
                pending[target] -= 1;
                if pending[target] == 0 {
                    ready.push(target);
                }
            }
        }
        match members.iter().find(|id| pending[**id] > 0) {
            Some(node) => Err(DagError::Cycle(*node)),
            None => {
                nodes.push(bottom);
                Ok(Part { instance, nodes })
            }
        }
    }
}
