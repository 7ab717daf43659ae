//! The statements that only report an error. An edit of them can hide the error, so it comes last.
//!
//! In `if (a[i] > a[i + 1]) sorted = false; … assert(sorted)` the assignment gives a flag the value
//! with which the check fails. The condition decides nothing else, and so a repair of it weakens
//! the check. A flag that is set to the value with which the check *passes*, as `found = true`, is
//! a result that the program computes, and its statements are repaired like all others.

use super::property::Property;
use crate::cfg::{ControlDependence, read_by, read_in};
use crate::lang::model::BinaryOperator::{And, Equal, NotEqual, Or};
use crate::lang::model::{
    Edge, EdgeId, ErrorKind, Expression, LocationId, Operation, Place, Program, StatementKind,
    UnaryOperator, VariableId, VariableKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// The statements of a program that only report an error.
#[derive(Clone, Debug, Default)]
pub struct Judging {
    edges: BTreeSet<EdgeId>,
}

impl Judging {
    /// Assignments to a flag of the value with which a check fails; the conditions that decide
    /// about nothing else; and what counts the rounds of such a loop.
    pub fn of(program: &Program, property: &Property) -> Judging {
        let fails = failing_values(program, property);
        let is_report = |edge: &Edge| match &edge.operation {
            Operation::Assign(pairs) => pairs.iter().all(|(place, value)| match (place, value) {
                (Place::Variable(id), Expression::Constant(bits, _)) => {
                    fails.get(id).is_some_and(|values| values.contains(&(*bits != 0)))
                }
                _ => false,
            }),
            _ => false,
        };
        let reports: BTreeSet<EdgeId> =
            program.edge_ids().filter(|id| is_report(program.edge(*id))).collect();
        if reports.is_empty() {
            return Judging::default();
        }
        let decided = Decided::of(program);
        // Conditions and counters are dropped until each one that is left serves others that are.
        let mut edges: BTreeSet<EdgeId> = reports.clone();
        edges.extend(decided.by.keys().flat_map(|at| decided.dependence.outcomes(*at)));
        edges.extend(counters(program));
        loop {
            let before = edges.len();
            for (at, ids) in &decided.by {
                let serves = |id: &EdgeId| edges.contains(id) || has_no_effect(program.edge(*id));
                if !ids.iter().all(serves) {
                    decided.dependence.outcomes(*at).iter().for_each(|id| {
                        edges.remove(id);
                    });
                }
            }
            let read = read_outside(program, &edges);
            edges.retain(|id| {
                let written = written(program.edge(*id));
                reports.contains(id) || written.is_none_or(|id| !read.contains(&id))
            });
            if edges.len() == before {
                break;
            }
        }
        Judging { edges: serving(program, &decided, &reports, &edges) }
    }

    /// Does the statement only report an error?
    pub fn contains(&self, edge: EdgeId) -> bool {
        self.edges.contains(&edge)
    }
}

/// By location of a condition: the edges whose execution it decides. A condition that decides about
/// none is left out.
struct Decided {
    dependence: ControlDependence,
    by: BTreeMap<LocationId, Vec<EdgeId>>,
}

impl Decided {
    fn of(program: &Program) -> Decided {
        let dependence = ControlDependence::of(program);
        let mut by: BTreeMap<LocationId, Vec<EdgeId>> = BTreeMap::new();
        for id in program.edge_ids() {
            for at in dependence.conditions(program.edge(id).from) {
                // A loop's condition also decides about itself.
                if *at != program.edge(id).from {
                    by.entry(*at).or_default().push(id);
                }
            }
        }
        Decided { dependence, by }
    }
}

/// Those of `edges` that lead to a report: its conditions, and what these read.
fn serving(
    program: &Program,
    decided: &Decided,
    reports: &BTreeSet<EdgeId>,
    edges: &BTreeSet<EdgeId>,
) -> BTreeSet<EdgeId> {
    let mut serving = reports.clone();
    loop {
        let before = serving.len();
        let leads = |ids: &[EdgeId]| ids.iter().any(|id| serving.contains(id));
        let conditions: Vec<EdgeId> = (decided.by.iter())
            .filter(|(_, ids)| leads(ids))
            .flat_map(|(at, _)| decided.dependence.outcomes(*at))
            .copied()
            .collect();
        let mut read = BTreeSet::new();
        conditions.iter().for_each(|id| read_by(&program.edge(*id).operation, &mut read));
        let counts = |id: &&EdgeId| written(program.edge(**id)).is_some_and(|v| read.contains(&v));
        serving.extend(edges.iter().filter(counts));
        serving.extend(conditions.iter().filter(|id| edges.contains(id)));
        if serving.len() == before {
            return serving;
        }
    }
}

/// Does it neither change anything nor check anything?
fn has_no_effect(edge: &Edge) -> bool {
    matches!(edge.operation, Operation::Skip)
        && edge.checks.iter().all(|check| check.kind != ErrorKind::Assertion)
        && edge.kind != StatementKind::Jump
}

/// The variable that an assignment gives a value, if it is one and no element.
fn written(edge: &Edge) -> Option<VariableId> {
    match &edge.operation {
        Operation::Assign(pairs) => match pairs[..] {
            [(Place::Variable(id), _)] => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The assignments of local variables that count (`i = i + 1`), and of those that the front end
/// made.
fn counters(program: &Program) -> Vec<EdgeId> {
    let counts = |id: &EdgeId| {
        let edge = program.edge(*id);
        let Operation::Assign(pairs) = &edge.operation else { return None };
        let id = written(edge)?;
        let mut used = BTreeSet::new();
        pairs.iter().for_each(|(_, value)| read_in(value, &mut used));
        let variable = program.variable(id);
        let is_own = variable.kind == VariableKind::Local && used.contains(&id);
        (is_own || variable.kind == VariableKind::Temporary).then_some(id)
    };
    let counted: BTreeSet<VariableId> = program.edge_ids().filter_map(|id| counts(&id)).collect();
    let is_of_one = |id: &EdgeId| written(program.edge(*id)).is_some_and(|v| counted.contains(&v));
    program.edge_ids().filter(is_of_one).collect()
}

/// The variables that an edge outside of these reads, but for what is only checked on the way, as
/// an index.
fn read_outside(program: &Program, edges: &BTreeSet<EdgeId>) -> BTreeSet<VariableId> {
    let mut read = BTreeSet::new();
    for id in
        program.edge_ids().filter(|id| !edges.contains(id) && !has_no_effect(program.edge(*id)))
    {
        read_by(&program.edge(id).operation, &mut read);
        for check in &program.edge(id).checks {
            read_in(&check.condition, &mut read);
        }
    }
    read
}

/// The truth values with which a check fails, by the variable that it asks for.
fn failing_values(program: &Program, property: &Property) -> BTreeMap<VariableId, BTreeSet<bool>> {
    let mut fails = BTreeMap::new();
    for id in program.edge_ids() {
        let edge = program.edge(id);
        for check in edge.checks.iter().filter(|check| check.kind == ErrorKind::Assertion) {
            wanted(&check.condition, true, &mut fails);
        }
        match &edge.operation {
            // `if (error) abort();`: the outcome that leads to the error.
            Operation::Assume(condition) if property.guards(id) => {
                wanted(condition, false, &mut fails)
            }
            Operation::Call { arguments, .. } if property.contains(id) => {
                arguments.iter().for_each(|condition| wanted(condition, true, &mut fails))
            }
            _ => {}
        }
    }
    fails
}

/// Adds the values with which a condition does not hold (if it is `positive`), by the variable that
/// it asks for as a truth value.
fn wanted(
    condition: &Expression,
    positive: bool,
    fails: &mut BTreeMap<VariableId, BTreeSet<bool>>,
) {
    let mut rest = vec![(condition, positive)];
    while let Some((e, positive)) = rest.pop() {
        match e {
            Expression::Variable(id, scalar) if scalar.is_integer() || scalar.boolean => {
                fails.entry(*id).or_default().insert(!positive);
            }
            Expression::Unary(UnaryOperator::Not, a) => rest.push((a, !positive)),
            Expression::Cast(_, a) => rest.push((a, positive)),
            Expression::Binary(And | Or, a, b) if a.scalar().boolean => {
                rest.extend([(&**a, positive), (&**b, positive)])
            }
            Expression::Binary(Equal, a, b) => match **b {
                Expression::Constant(0, _) => rest.push((a, !positive)),
                Expression::Constant(1, _) => rest.push((a, positive)),
                _ => {}
            },
            Expression::Binary(NotEqual, a, b) => match **b {
                Expression::Constant(0, _) => rest.push((a, positive)),
                Expression::Constant(1, _) => rest.push((a, !positive)),
                _ => {}
            },
            _ => {}
        }
    }
}
