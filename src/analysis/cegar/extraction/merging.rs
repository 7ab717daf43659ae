//! Merging a draft (thesis, 4.2): nodes of one point with the same future become one, and so do
//! bodies that look alike.
//!
//! The parts are merged from the bottom: bodies in the order of their lengths, callees first, then
//! the main part. In each part targets come before sources. So two nodes have the same future just
//! where their points and their edges are equal.

use super::draft::{DraftAction, DraftId, DraftPart};
use super::layers::Explored;
use crate::analysis::cegar::dag::{Action, DagPoint, InstanceId, Mode, NodeId};
use crate::analysis::cegar::dag_builder::{DagBuilder, DagError};
use crate::analysis::cegar::extracted::Extracted;
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::bdd::Bdd;
use crate::lang::model::{LocationId, ProcedureId, Program};
use crate::util::Bounded;
use crate::util::order::{inserted, sort_by_key};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What two nodes must share to be merged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    procedure: ProcedureId,
    /// Is this the frame of the start procedure? Other frames of one procedure are not told apart.
    first: bool,
    point: DagPoint,
    /// Edges to merged nodes; `None` is the bottom.
    outgoing: Vec<(DraftAction, Option<usize>)>,
}

/// A part after merging: by node, targets before sources.
#[derive(Clone, Debug, Default)]
struct Merged {
    shapes: Vec<Shape>,
    ranks: Vec<u64>,
    states: Vec<Bdd>,
}

/// Merges the parts, and numbers those that are still used as instances.
pub(super) fn merge(
    explored: &mut Explored<'_>,
    parts: &[DraftPart],
) -> Bounded<Result<Extracted, DagError>> {
    let merged = merge_parts(explored, parts)?;
    let program = Rc::clone(&explored.program.program);
    Ok(Numbering::new(&program).number_all(&merged))
}

/// Merges each part, callees before callers, the main part last.
fn merge_parts(
    explored: &mut Explored<'_>,
    parts: &[DraftPart],
) -> Bounded<BTreeMap<usize, Merged>> {
    let mut order: Vec<usize> = (1..parts.len()).collect();
    sort_by_key(&mut order, |part| (parts[*part].goal.map(|goal| goal.length), *part));
    order.push(0);
    // By part: the one that replaces it, or itself.
    let mut alias: Vec<usize> = (0..parts.len()).collect();
    let mut merged: BTreeMap<usize, Merged> = BTreeMap::new();
    let mut alike: BTreeMap<Vec<Shape>, usize> = BTreeMap::new();
    for part in order {
        let one = merge_part(explored, &parts[part], &alias)?;
        if part == 0 {
            merged.insert(part, one);
            continue;
        }
        match alike.get(&one.shapes).and_then(|known| Some((*known, merged.get_mut(known)?))) {
            Some((number, known)) => {
                alias[part] = number;
                for (mine, theirs) in one.states.iter().zip(&mut known.states) {
                    *theirs = explored.program.domain.kernel.or(*theirs, *mine)?;
                }
            }
            None => {
                alike.insert(one.shapes.clone(), part);
                merged.insert(part, one);
            }
        }
    }
    Ok(merged)
}

fn merge_part(explored: &mut Explored<'_>, part: &DraftPart, alias: &[usize]) -> Bounded<Merged> {
    let mut merged = Merged::default();
    let mut by_shape: BTreeMap<Shape, usize> = BTreeMap::new();
    let mut by_id: BTreeMap<DraftId, usize> = BTreeMap::new();
    for id in &targets_first(explored, part) {
        let node = &part.nodes[id];
        let edges = node.outgoing.iter().map(|(action, to)| {
            let action = match action {
                DraftAction::Return(body) => DraftAction::Return(alias[*body]),
                other => *other,
            };
            (action, to.map(|to| by_id[&to]))
        });
        let outgoing: BTreeSet<_> = inserted(edges);
        let entry = explored.search.ranked.frame(id.frame).entry;
        let shape = Shape {
            procedure: explored.program.procedure_entered(entry),
            first: part.goal.is_none() && id.frame == 0,
            point: id.point,
            outgoing: outgoing.into_iter().collect(),
        };
        let states = match id.point {
            DagPoint::Location(_) => explored.program.forget_entry(node.states)?,
            _ => node.states,
        };
        let class = match by_shape.get(&shape) {
            Some(class) => *class,
            None => {
                by_shape.insert(shape.clone(), merged.shapes.len());
                merged.shapes.push(shape);
                merged.ranks.push(id.rank);
                merged.states.push(Bdd::FALSE);
                merged.shapes.len() - 1
            }
        };
        merged.ranks[class] = merged.ranks[class].min(id.rank);
        let kernel = &mut explored.program.domain.kernel;
        merged.states[class] = kernel.or(merged.states[class], states)?;
        by_id.insert(*id, class);
    }
    Ok(merged)
}

/// The nodes that are reached from the top of a part, targets before sources. Among nodes that are
/// ready, those with the greatest ranks come first.
fn targets_first(explored: &Explored<'_>, part: &DraftPart) -> Vec<DraftId> {
    let (sources, mut open) = edges_from_top(explored, part);
    let position = |id: &DraftId| match id.point {
        DagPoint::Location(location) => explored.program.system.priority[location],
        _ => 0,
    };
    let key = |id: DraftId| (id.entered, id.rank, position(&id), id);
    let mut ready: BTreeSet<(u64, u64, u32, DraftId)> =
        open.iter().filter(|(_, count)| **count == 0).map(|(id, _)| key(*id)).collect();
    let mut order = Vec::new();
    while let Some((.., id)) = ready.pop_last() {
        order.push(id);
        for source in sources.get(&id).into_iter().flatten() {
            if let Some(count) = open.get_mut(source) {
                *count -= 1;
                if *count == 0 {
                    ready.insert(key(*source));
                }
            }
        }
    }
    order
}

/// Of the nodes that are reached from the top of a part: the sources of each, and how many targets
/// each has.
fn edges_from_top(
    explored: &Explored<'_>,
    part: &DraftPart,
) -> (BTreeMap<DraftId, Vec<DraftId>>, BTreeMap<DraftId, usize>) {
    let frame = part.goal.map_or(0, |goal| goal.frame);
    let entry = LocationId(explored.search.ranked.frame(frame).entry.0);
    let top = DraftId { entered: 0, rank: 0, frame, point: DagPoint::Location(entry) };
    let targets = |id: &DraftId| -> BTreeSet<DraftId> {
        let node = part.nodes.get(id).into_iter();
        node.flat_map(|node| &node.outgoing).filter_map(|(_, to)| *to).collect()
    };
    let (mut reached, mut pending) = (BTreeSet::from([top]), vec![top]);
    let mut sources: BTreeMap<DraftId, Vec<DraftId>> = BTreeMap::new();
    let mut open: BTreeMap<DraftId, usize> = BTreeMap::new();
    while let Some(id) = pending.pop() {
        let targets = targets(&id);
        open.insert(id, targets.len());
        for target in targets {
            sources.entry(target).or_default().push(id);
            if reached.insert(target) {
                pending.push(target);
            }
        }
    }
    (sources, open)
}

/// The parts that the main part uses, directly or not; itself included.
fn used_parts(merged: &BTreeMap<usize, Merged>) -> BTreeSet<usize> {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut pending = vec![0];
    while let Some(part) = pending.pop() {
        if used.insert(part) {
            let edges = merged[&part].shapes.iter().flat_map(|shape| &shape.outgoing);
            pending.extend(edges.filter_map(|(action, _)| match action {
                DraftAction::Return(body) => Some(*body),
                _ => None,
            }));
        }
    }
    used
}

/// Gives instances, nodes and edges their numbers.
struct Numbering<'a> {
    program: &'a Program,
    builder: DagBuilder,
    /// By part: the instance of a body.
    bodies: BTreeMap<usize, InstanceId>,
    states: Vec<Bdd>,
    points: Vec<Option<ProgramPoint>>,
}

impl Numbering<'_> {
    fn new(program: &Program) -> Numbering<'_> {
        Numbering {
            program,
            builder: DagBuilder::new(program),
            bodies: BTreeMap::new(),
            // The first two entries belong to the top and the bottom.
            states: vec![Bdd::TRUE, Bdd::TRUE],
            points: vec![None, None],
        }
    }

    fn number_all(mut self, merged: &BTreeMap<usize, Merged>) -> Result<Extracted, DagError> {
        let used = used_parts(merged);
        for part in used.iter().filter(|part| **part != 0) {
            let procedure = merged[part].shapes[0].procedure;
            self.bodies.insert(*part, self.builder.instance(procedure, Mode::Body));
        }
        for part in used {
            let ids = self.number_nodes(part, &merged[&part]);
            self.number_edges(part, &merged[&part], &ids);
        }
        let (states, points) = (self.states, self.points);
        let dag = self.builder.finish(self.program)?;
        Ok(Extracted { dag, states, points })
    }

    /// Numbers the nodes of a part, sources before targets. Returns their numbers by class.
    fn number_nodes(&mut self, part: usize, merged: &Merged) -> Vec<NodeId> {
        let mut pushed: BTreeMap<ProcedureId, InstanceId> = BTreeMap::new();
        let mut ids: Vec<NodeId> = vec![self.builder.error(); merged.shapes.len()];
        for (class, shape) in merged.shapes.iter().enumerate().rev() {
            let instance = match self.bodies.get(&part) {
                Some(instance) => *instance,
                None if shape.first => self.builder.main(),
                None => *pushed
                    .entry(shape.procedure)
                    .or_insert_with(|| self.builder.instance(shape.procedure, Mode::PushOnly)),
            };
            ids[class] = self.builder.node(instance, shape.point, merged.ranks[class] as u32);
            self.states.push(merged.states[class]);
            self.points.push(match shape.point {
                DagPoint::Location(location) => Some(ProgramPoint::Location(location)),
                DagPoint::Pivot(edge) => Some(ProgramPoint::Pivot(edge)),
                DagPoint::Returned => Some(ProgramPoint::Returned(shape.procedure)),
                DagPoint::Start | DagPoint::Error => None,
            });
        }
        ids
    }

    /// Adds the edges of a part, those of sources before those of targets.
    fn number_edges(&mut self, part: usize, merged: &Merged, ids: &[NodeId]) {
        let entry = self.program.procedure(self.program.main_id()).entry;
        for (class, shape) in merged.shapes.iter().enumerate().rev() {
            if part == 0 && shape.first && shape.point == DagPoint::Location(entry) {
                self.builder.edge(self.builder.start(), ids[class], Action::Begin);
            }
            for (action, to) in &shape.outgoing {
                let to = to.map_or(self.builder.error(), |to| ids[to]);
                let action = match action {
                    DraftAction::Execute(edge) => Action::Execute(*edge),
                    DraftAction::Fail(edge, check) => Action::Fail(*edge, *check),
                    DraftAction::Push(edge) => Action::Push(*edge),
                    DraftAction::Enter => Action::Enter,
                    DraftAction::Return(body) => Action::Return(self.bodies[body]),
                    DraftAction::Pop => Action::Pop,
                };
                self.builder.edge(ids[class], to, action);
            }
        }
    }
}
