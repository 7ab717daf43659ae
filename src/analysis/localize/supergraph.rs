//! The control-flow supergraph (Ball, Naik, Rajamani 2003, § 2.1): the procedures' graphs, with
//! edges into callees and back.
//!
//! A program model has one edge for a whole call. The supergraph has three: into the callee, back
//! from its exit to the return site, and on from the return site. The call and its return site both
//! have the call's line.

use crate::lang::model::{EdgeId, Expression, LocationId, Operation, Program};
use std::collections::BTreeSet;

/// An edge of the supergraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuperEdge {
    /// A statement that is no call.
    Step(EdgeId),
    /// From a call to its callee's entry.
    Enter(EdgeId),
    /// From the callee's exit to the return site of this call.
    Return(EdgeId),
    /// From the return site to what follows the call.
    Onward(EdgeId),
}

/// A vertex of the supergraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuperVertex {
    /// A location of the program.
    At(LocationId),
    /// The return site of a call.
    ReturnSite(EdgeId),
}

impl SuperEdge {
    /// The edge of the program that it is, or is a part of.
    pub fn edge(self) -> EdgeId {
        match self {
            SuperEdge::Step(edge)
            | SuperEdge::Enter(edge)
            | SuperEdge::Return(edge)
            | SuperEdge::Onward(edge) => edge,
        }
    }

    /// Its source.
    pub fn from(self, program: &Program) -> SuperVertex {
        match self {
            SuperEdge::Step(edge) | SuperEdge::Enter(edge) => {
                SuperVertex::At(program.edge(edge).from)
            }
            SuperEdge::Return(edge) => match &program.edge(edge).operation {
                Operation::Call { callee, .. } => SuperVertex::At(program.procedure(*callee).exit),
                _ => SuperVertex::At(program.edge(edge).from),
            },
            SuperEdge::Onward(edge) => SuperVertex::ReturnSite(edge),
        }
    }
}

impl SuperVertex {
    /// Its line.
    pub fn line(self, program: &Program) -> u32 {
        match self {
            SuperVertex::At(location) => program.location(location).line,
            SuperVertex::ReturnSite(call) => program.edge(call).span.line,
        }
    }
}

/// The lines of causes: for a maximal run of cause edges along the trace its inner vertices, for a
/// lone edge its source. Ascending.
pub fn lines(program: &Program, trace: &[SuperEdge], causes: &BTreeSet<SuperEdge>) -> Vec<u32> {
    let told = sources(program, trace);
    let mut lines = BTreeSet::new();
    let mut first = 0;
    for run in trace.chunk_by(|a, b| causes.contains(a) == causes.contains(b)) {
        let behind = first + run.len();
        if causes.contains(&run[0]) {
            let vertices = if run.len() == 1 { first } else { first + 1 };
            lines.extend(&told[vertices..behind]);
        }
        first = behind;
    }
    lines.into_iter().collect()
}

/// The line of each edge's source. What a shared procedure does is on the line of its call.
pub fn sources(program: &Program, trace: &[SuperEdge]) -> Vec<u32> {
    let mut pending: Vec<EdgeId> = Vec::new();
    let line = |edge: &SuperEdge| {
        let is_inside = match edge {
            SuperEdge::Step(id) | SuperEdge::Enter(id) => program.is_shared(*id),
            SuperEdge::Return(id) => program.shared.calls.contains_key(id),
            SuperEdge::Onward(_) => false,
        };
        let own = pending.iter().rev().find(|call| !program.is_shared(**call));
        let told = own.filter(|_| is_inside).and_then(|call| program.shared.calls.get(call));
        let line = told.map_or_else(|| edge.from(program).line(program), |call| call.span.line);
        match edge {
            SuperEdge::Enter(call) => pending.push(*call),
            SuperEdge::Return(_) => drop(pending.pop()),
            SuperEdge::Step(_) | SuperEdge::Onward(_) => {}
        }
        line
    };
    trace.iter().map(line).collect()
}

/// The program with a halt on each of these edges (Ball, Naik, Rajamani 2003, Fig. 2). A run
/// reaches the statement at the edge's source and executes its checks, but does not go on over the
/// edge. All ids stay.
pub fn halted(program: &Program, halts: &BTreeSet<SuperEdge>) -> Program {
    let mut program = program.clone();
    for halt in halts {
        let id = halt.edge();
        match halt {
            SuperEdge::Step(_) | SuperEdge::Enter(_) => {
                program.edges[id].operation = Operation::Assume(Expression::falsity());
            }
            SuperEdge::Return(_) | SuperEdge::Onward(_) => {
                // A new location without outgoing edges.
                program.edges[id].to = program.add_location(program.edge(id).to);
            }
        }
    }
    program
}
