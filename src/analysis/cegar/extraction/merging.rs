//! Merging a drafted DAG (thesis, 4.2): nodes of one place with the same future become one, and so
//! do bodies that look alike.
//!
//! Bottom-up: bodies in the order of their lengths, callees first, then the main part; in each,
//! targets before sources, so that two nodes have the same future just where their place and their
//! edges are equal.

use super::{DraftPart, Extracted, Spot, StepKind, procedure_of};
use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::dag::{
    Action, DagBuilder, DagError, DagPoint, InstanceId, Mode, NodeId,
};
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::analysis::cegar::search::AbstractSearch;
use crate::bdd::Bdd;
use crate::lang::model::{LocationId, ProcedureId};
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A node after merging.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    procedure: ProcedureId,
    /// Frames of one procedure are told apart in the main part: the first one is the start's.
    first: bool,
    point: DagPoint,
    outgoing: Vec<(StepKind, Option<usize>)>,
}

/// A part after merging: targets before sources.
#[derive(Clone, Debug, Default)]
struct Merged {
    shapes: Vec<Shape>,
    ranks: Vec<u64>,
    states: Vec<Bdd>,
}

/// Numbers parts as instances: bodies that look alike once, nodes of one place with the same future
/// once.
pub(super) fn merge(
    program: &mut AbstractProgram,
    search: &AbstractSearch,
    parts: &[DraftPart],
) -> Bounded<Result<Extracted, DagError>> {
    // Bodies in the order of their lengths, callees before callers; then the main part.
    let mut order: Vec<usize> = (1..parts.len()).collect();
    order.sort_by_key(|part| (parts[*part].goal.map(|(_, _, length)| length), *part));
    order.push(0);
    let mut alias: Vec<usize> = (0..parts.len()).collect();
    let mut merged: BTreeMap<usize, Merged> = BTreeMap::new();
    let mut alike: BTreeMap<Vec<Shape>, usize> = BTreeMap::new();
    for part in order {
        let one = merge_part(program, search, &parts[part], &alias)?;
        if part != 0 {
            if let Some(known) = alike.get(&one.shapes) {
                alias[part] = *known;
                let known = merged.get_mut(known).expect("it was merged before");
                for (mine, theirs) in one.states.iter().zip(&mut known.states) {
                    *theirs = program.domain.kernel.or(*theirs, *mine)?;
                }
                continue;
            }
            alike.insert(one.shapes.clone(), part);
        }
        merged.insert(part, one);
    }
    // Bodies that somebody still uses.
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut pending = vec![0];
    while let Some(part) = pending.pop() {
        if used.insert(part) {
            let edges = merged[&part].shapes.iter().flat_map(|shape| &shape.outgoing);
            pending.extend(edges.filter_map(|(kind, _)| {
                if let StepKind::Return(body) = kind { Some(*body) } else { None }
            }));
        }
    }
    let source = Rc::clone(&program.program);
    let mut builder = DagBuilder::new(&source);
    let mut instances: BTreeMap<usize, InstanceId> = BTreeMap::new();
    for part in used.iter().filter(|part| **part != 0) {
        let procedure = merged[part].shapes[0].procedure;
        instances.insert(*part, builder.instance(procedure, Mode::Body));
    }
    let mut states = vec![Bdd::TRUE, Bdd::TRUE];
    let mut points = vec![None, None];
    for part in used {
        number(
            &mut builder,
            &source,
            &merged[&part],
            part,
            &mut instances,
            &mut states,
            &mut points,
        );
    }
    Ok(builder.finish(&source).map(|dag| Extracted { dag, states, points }))
}

fn merge_part(
    program: &mut AbstractProgram,
    search: &AbstractSearch,
    part: &DraftPart,
    alias: &[usize],
) -> Bounded<Merged> {
    let mut merged = Merged::default();
    let mut of_shape: BTreeMap<Shape, usize> = BTreeMap::new();
    let mut of_spot: BTreeMap<Spot, usize> = BTreeMap::new();
    for spot in &targets_first(program, search, part) {
        let draft = &part.nodes[spot];
        let edges = draft.outgoing.iter().map(|(kind, to)| {
            let kind = if let StepKind::Return(body) = kind {
                StepKind::Return(alias[*body])
            } else {
                *kind
            };
            (kind, to.map(|to| of_spot[&to]))
        });
        let outgoing: BTreeSet<_> = edges.collect();
        let shape = Shape {
            procedure: procedure_of(program, search.ranked.frame(spot.frame).entry),
            first: part.goal.is_none() && spot.frame == 0,
            point: spot.point,
            outgoing: outgoing.into_iter().collect(),
        };
        let states = match spot.point {
            DagPoint::Location(_) => program.forget_entry(draft.states)?,
            _ => draft.states,
        };
        let class = match of_shape.get(&shape) {
            Some(class) => *class,
            None => {
                of_shape.insert(shape.clone(), merged.shapes.len());
                merged.shapes.push(shape);
                merged.ranks.push(spot.rank);
                merged.states.push(Bdd::FALSE);
                merged.shapes.len() - 1
            }
        };
        merged.ranks[class] = merged.ranks[class].min(spot.rank);
        merged.states[class] = program.domain.kernel.or(merged.states[class], states)?;
        of_spot.insert(*spot, class);
    }
    Ok(merged)
}

/// The nodes that are reached from the top of a part, targets before sources; otherwise those with
/// the greatest ranks first.
fn targets_first(
    program: &AbstractProgram,
    search: &AbstractSearch,
    part: &DraftPart,
) -> Vec<Spot> {
    let frame = part.goal.map_or(0, |(frame, _, _)| frame);
    let top = Spot {
        entered: 0,
        rank: 0,
        frame,
        point: DagPoint::Location(LocationId(search.ranked.frame(frame).entry.0)),
    };
    let targets = |spot: &Spot| -> BTreeSet<Spot> {
        part.nodes
            .get(spot)
            .into_iter()
            .flat_map(|draft| &draft.outgoing)
            .filter_map(|(_, to)| *to)
            .collect()
    };
    let (mut reached, mut pending) = (BTreeSet::from([top]), vec![top]);
    let mut sources: BTreeMap<Spot, Vec<Spot>> = BTreeMap::new();
    let mut open: BTreeMap<Spot, usize> = BTreeMap::new();
    while let Some(spot) = pending.pop() {
        let targets = targets(&spot);
        open.insert(spot, targets.len());
        for target in targets {
            sources.entry(target).or_default().push(spot);
            if reached.insert(target) {
                pending.push(target);
            }
        }
    }
    let position = |spot: &Spot| match spot.point {
        DagPoint::Location(location) => program.system.priority[location.0 as usize],
        _ => 0,
    };
    let mut ready: BTreeSet<(u64, u64, u32, Spot)> = BTreeSet::new();
    let key = |spot: Spot| (spot.entered, spot.rank, position(&spot), spot);
    ready.extend(open.iter().filter(|(_, count)| **count == 0).map(|(spot, _)| key(*spot)));
    let mut order = Vec::new();
    while let Some((.., spot)) = ready.pop_last() {
        order.push(spot);
        for source in sources.get(&spot).into_iter().flatten() {
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

/// Gives a part's nodes and edges their numbers, sources before targets.
fn number(
    builder: &mut DagBuilder,
    program: &crate::lang::model::Program,
    merged: &Merged,
    part: usize,
    instances: &mut BTreeMap<usize, InstanceId>,
    states: &mut Vec<Bdd>,
    points: &mut Vec<Option<ProgramPoint>>,
) {
    let mut pushed: BTreeMap<ProcedureId, InstanceId> = BTreeMap::new();
    let mut ids: Vec<NodeId> = vec![builder.error(); merged.shapes.len()];
    for (class, shape) in merged.shapes.iter().enumerate().rev() {
        let instance = match instances.get(&part) {
            Some(instance) => *instance,
            None if shape.first => builder.main(),
            None => *pushed
                .entry(shape.procedure)
                .or_insert_with(|| builder.instance(shape.procedure, Mode::PushOnly)),
        };
        ids[class] = builder.node(instance, shape.point, merged.ranks[class] as u32);
        states.push(merged.states[class]);
        points.push(match shape.point {
            DagPoint::Location(location) => Some(ProgramPoint::Location(location)),
            DagPoint::Pivot(edge) => Some(ProgramPoint::Pivot(edge)),
            DagPoint::Returned => Some(ProgramPoint::Returned(shape.procedure)),
            DagPoint::Start | DagPoint::Error => None,
        });
    }
    for (class, shape) in merged.shapes.iter().enumerate().rev() {
        let entry = program.procedure(program.main_id()).entry;
        if part == 0 && shape.first && shape.point == DagPoint::Location(entry) {
            builder.edge(builder.start(), ids[class], Action::Begin);
        }
        for (kind, to) in &shape.outgoing {
            let to = to.map_or(builder.error(), |to| ids[to]);
            let action = match kind {
                StepKind::Execute(edge) => Action::Execute(*edge),
                StepKind::Fail(edge, check) => Action::Fail(*edge, *check),
                StepKind::Push(edge) => Action::Push(*edge),
                StepKind::Enter => Action::Enter,
                StepKind::Return(body) => Action::Return(instances[body]),
                StepKind::Pop => Action::Pop,
            };
            builder.edge(ids[class], to, action);
        }
    }
}
