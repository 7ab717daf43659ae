//! A single trace as a counterexample DAG, so that everything that is said of DAGs holds of it.

use crate::analysis::cegar::dag::{Action, DagPoint, InstanceId, Mode, NodeId};
use crate::analysis::cegar::dag_builder::{DagBuilder, DagError};
use crate::analysis::cegar::extracted::Extracted;
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::bdd::Bdd;
use crate::encode::ErrorSite;
use crate::lang::model::{EdgeId, LocationId, Operation, Program};

/// The DAG of one trace: the edges that it executes, and the check that fails at the end. The last
/// edge is that of the check.
pub(in crate::analysis) fn trace_dag(
    program: &Program,
    edges: &[EdgeId],
    error: ErrorSite,
) -> Result<Extracted, DagError> {
    // The last edge fails: it leads nowhere, not even out of its procedure.
    let (_, before) = edges.split_last().ok_or(DagError::Missing)?;
    let returns = returning(program, before);
    let builder = DagBuilder::new(program);
    let main = builder.main();
    let mut trace = Trace { program, builder, frames: Vec::new(), ranks: vec![0] };
    let entry = trace.node(main, DagPoint::Location(program.procedure(program.main_id()).entry));
    trace.builder.edge(trace.builder.start(), entry, Action::Begin);
    trace.frames.push(Frame { instance: main, at: entry, call: None });
    for (edge, returns) in before.iter().zip(returns) {
        trace.execute(*edge, returns)?;
    }
    let at = trace.frames.last().ok_or(DagError::Missing)?.at;
    trace.builder.edge(at, trace.builder.error(), Action::Fail(error.edge, error.check));
    let dag = trace.builder.finish(program)?;
    let points = dag.node_ids().map(|node| match dag.node(node).point {
        DagPoint::Location(location) => Some(ProgramPoint::Location(location)),
        DagPoint::Pivot(edge) => Some(ProgramPoint::Pivot(edge)),
        DagPoint::Returned => Some(ProgramPoint::Returned(dag.procedure(node))),
        DagPoint::Start | DagPoint::Error => None,
    });
    let points = points.collect();
    Ok(Extracted { states: vec![Bdd::TRUE; dag.node_count()], points, dag })
}

/// By edge of the trace: is it a call that returns in the trace?
pub(in crate::analysis) fn returning(program: &Program, edges: &[EdgeId]) -> Vec<bool> {
    let mut returns = vec![false; edges.len()];
    let mut calls: Vec<usize> = Vec::new();
    for (k, id) in edges.iter().enumerate() {
        let mut at = match &program.edge(*id).operation {
            Operation::Call { callee, .. } => {
                calls.push(k);
                program.procedure(*callee).entry
            }
            _ => program.edge(*id).to,
        };
        while let Some(call) = calls.last().copied().filter(|_| is_exit(program, at)) {
            calls.pop();
            returns[call] = true;
            at = program.edge(edges[call]).to;
        }
    }
    returns
}

fn is_exit(program: &Program, location: LocationId) -> bool {
    program.procedure(program.location(location).procedure).exit == location
}

/// A frame of the trace that is open.
struct Frame {
    instance: InstanceId,
    at: NodeId,
    /// The call that it returns from: its edge, and its pivot.
    call: Option<(EdgeId, NodeId)>,
}

struct Trace<'p> {
    program: &'p Program,
    builder: DagBuilder,
    frames: Vec<Frame>,
    /// By instance: its nodes so far.
    ranks: Vec<u32>,
}

impl Trace<'_> {
    fn node(&mut self, instance: InstanceId, point: DagPoint) -> NodeId {
        let rank = &mut self.ranks[instance.0 as usize];
        *rank += 1;
        self.builder.node(instance, point, *rank - 1)
    }

    fn execute(&mut self, edge: EdgeId, returns: bool) -> Result<(), DagError> {
        let Operation::Call { callee, .. } = self.program.edge(edge).operation else {
            return self.go_on(edge);
        };
        let Frame { instance, at, .. } = *self.frames.last().ok_or(DagError::Missing)?;
        let pivot = self.node(instance, DagPoint::Pivot(edge));
        self.builder.edge(at, pivot, Action::Push(edge));
        let mode = if returns { Mode::Body } else { Mode::PushOnly };
        let entered = self.builder.instance(callee, mode);
        self.ranks.push(0);
        let entry = self.node(entered, DagPoint::Location(self.program.procedure(callee).entry));
        if !returns {
            self.builder.edge(pivot, entry, Action::Enter);
        }
        let call = returns.then_some((edge, pivot));
        self.frames.push(Frame { instance: entered, at: entry, call });
        self.return_from_here()
    }

    fn go_on(&mut self, edge: EdgeId) -> Result<(), DagError> {
        let Frame { instance, at, .. } = *self.frames.last().ok_or(DagError::Missing)?;
        let to = self.node(instance, DagPoint::Location(self.program.edge(edge).to));
        self.builder.edge(at, to, Action::Execute(edge));
        if let Some(frame) = self.frames.last_mut() {
            frame.at = to;
        }
        self.return_from_here()
    }

    /// Returns from every frame that is at its end.
    fn return_from_here(&mut self) -> Result<(), DagError> {
        while let Some(Frame { instance, at, call: Some((edge, pivot)) }) = self.frames.last() {
            let (instance, at, edge, pivot) = (*instance, *at, *edge, *pivot);
            let DagPoint::Location(location) = self.builder.point(at) else { return Ok(()) };
            if !is_exit(self.program, location) {
                return Ok(());
            }
            let returned = self.node(instance, DagPoint::Returned);
            self.builder.edge(at, returned, Action::Pop);
            self.frames.pop();
            let caller = self.frames.last().ok_or(DagError::Missing)?.instance;
            let to = self.node(caller, DagPoint::Location(self.program.edge(edge).to));
            self.builder.edge(pivot, to, Action::Return(instance));
            if let Some(frame) = self.frames.last_mut() {
                frame.at = to;
            }
        }
        Ok(())
    }
}
