//! The three dependences of a statement of a run.
//!
//! * *Data*: on cells, that is scalars and array elements at constant indices. An array at a
//!   variable index means all of its elements.
//! * *Control*: on the nearest earlier condition of the same frame on which the statement is
//!   control dependent; if there is none, on the call.
//! * *Potential*: on a condition over data whose other outcome could have written something
//!   relevant before the paths join again, or could have ended the run.
//!
//! `*` counts only as a control parent.

use crate::cfg::{ControlDependence, changed_variables};
use crate::lang::model::{
    ChoiceId, EdgeId, Expression, LocationId, Operation, Place, ProcedureId, Program, Scalar,
    VariableId, VariableKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Stands for all elements of an array.
const ALL: u32 = u32::MAX;

/// A scalar (element 0), an element of an array, or all of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Part {
    pub(super) variable: VariableId,
    element: u32,
}

impl Part {
    pub(super) fn scalar(variable: VariableId) -> Part {
        Part { variable, element: 0 }
    }

    pub(super) fn whole(variable: VariableId) -> Part {
        Part { variable, element: ALL }
    }

    fn element(variable: VariableId, index: &Expression) -> Part {
        match index {
            Expression::Constant(bits, scalar) => {
                Part { variable, element: u32::try_from(scalar.number(*bits)).unwrap_or(ALL) }
            }
            _ => Part::whole(variable),
        }
    }

    pub(super) fn meets(&self, other: &Part) -> bool {
        self.variable == other.variable
            && (self.element == other.element || self.element == ALL || other.element == ALL)
    }

    /// Does a write to `written` overwrite this part completely? Nothing is known of elements at
    /// variable indices.
    fn is_within(&self, written: &Part) -> bool {
        written.element != ALL && self == written
    }
}

/// A set of parts.
pub(super) type Parts = BTreeSet<Part>;

/// What an expression reads.
pub(super) fn reads(expression: &Expression, into: &mut Parts) {
    match expression {
        Expression::Constant(..) | Expression::Choice(..) => {}
        Expression::Variable(variable, _) => {
            into.insert(Part::scalar(*variable));
        }
        Expression::Element(array, index, _) => {
            into.insert(Part::element(*array, index));
            reads(index, into);
        }
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => reads(operand, into),
        Expression::Binary(_, left, right) => {
            reads(left, into);
            reads(right, into);
        }
        Expression::Conditional(condition, then, otherwise) => {
            reads(condition, into);
            reads(then, into);
            reads(otherwise, into);
        }
    }
}

/// What an assignment to this place writes.
pub(super) fn written(place: &Place) -> Part {
    match place {
        Place::Variable(variable) => Part::scalar(*variable),
        Place::Element(array, index) => Part::element(*array, index),
    }
}

/// An assignment, backward. If one of its places is relevant, returns true and replaces it by the
/// parts that its value reads.
pub(super) fn assign_backward(list: &[(Place, Expression)], relevant: &mut Parts) -> bool {
    let hit: Vec<&(Place, Expression)> = list
        .iter()
        .filter(|(place, _)| relevant.iter().any(|part| part.meets(&written(place))))
        .collect();
    for (place, _) in &hit {
        let gone = written(place);
        relevant.retain(|part| !part.is_within(&gone));
    }
    for (place, value) in &hit {
        reads(value, relevant);
        if let Place::Element(_, index) = place {
            reads(index, relevant);
        }
    }
    !hit.is_empty()
}

/// What can happen after an outcome that was not taken.
#[derive(Default)]
struct Otherwise {
    writes: Parts,
    ends: bool,
}

/// Dependences that follow from a program's shape.
pub(super) struct Dependence {
    pub(super) program: Rc<Program>,
    pub(super) control: ControlDependence,
    /// By location: the edges that lead to it.
    into: Vec<Vec<EdgeId>>,
    /// By procedure: its calls.
    callers: Vec<Vec<EdgeId>>,
    /// By procedure: the globals that it or one it calls may write.
    changes: Vec<BTreeSet<VariableId>>,
    /// By procedure: may it or one it calls end the run?
    ends: Vec<bool>,
    /// By edge: the checks that may fail.
    fallible: Vec<Vec<usize>>,
    /// By condition over data: what its other outcomes could have done.
    otherwise: FxHashMap<EdgeId, Otherwise>,
}

impl Dependence {
    pub(super) fn new(program: Rc<Program>) -> Dependence {
        let mut into = vec![Vec::new(); program.locations.len()];
        let mut callers = vec![Vec::new(); program.procedures.len()];
        for id in program.edge_ids() {
            let edge = program.edge(id);
            into[edge.to].push(id);
            if let Operation::Call { callee, .. } = edge.operation {
                callers[callee].push(id);
            }
        }
        let global = |v: &VariableId| program.variable(*v).kind == VariableKind::Global;
        let changes = changed_variables(&program)
            .into_iter()
            .map(|set| set.into_iter().filter(global).collect())
            .collect();
        let control = ControlDependence::of(&program);
        let ends = vec![false; program.procedures.len()];
        let mut dependence = Dependence {
            control,
            into,
            callers,
            changes,
            ends,
            fallible: Vec::new(),
            otherwise: FxHashMap::default(),
            program,
        };
        let program = Rc::clone(&dependence.program);
        dependence.fallible = program.edge_ids().map(|id| dependence.fallible_checks(id)).collect();
        let mut waiting: Vec<ProcedureId> = program
            .edge_ids()
            .filter(|id| dependence.may_end(*id))
            .map(|id| program.owner(id))
            .collect();
        while let Some(procedure) = waiting.pop() {
            if !std::mem::replace(&mut dependence.ends[procedure], true) {
                waiting
                    .extend(dependence.callers[procedure].iter().map(|call| program.owner(*call)));
            }
        }
        let over_data = program
            .edge_ids()
            .filter(|id| dependence.is_condition(*id) && !dependence.is_star(*id));
        dependence.otherwise = over_data.map(|id| (id, dependence.otherwise_of(id))).collect();
        dependence
    }

    pub(super) fn edges_into(&self, location: LocationId) -> &[EdgeId] {
        &self.into[location]
    }

    pub(super) fn callers(&self, procedure: ProcedureId) -> &[EdgeId] {
        &self.callers[procedure]
    }

    /// The checks of an edge that may fail, ascending.
    pub(super) fn fallible(&self, edge: EdgeId) -> &[usize] {
        &self.fallible[edge]
    }

    /// A check that only looks at what the assignment before it has just written may be known to
    /// hold.
    fn fallible_checks(&self, id: EdgeId) -> Vec<usize> {
        let edge = self.program.edge(id);
        let before = match self.edges_into(edge.from) {
            [only] => match &self.program.edge(*only).operation {
                Operation::Assign(list) => list.as_slice(),
                _ => &[],
            },
            _ => &[],
        };
        let holds = |k: &usize| {
            // A choice of this edge must not be taken for a choice of the edge before it, though
            // both count from 0.
            let mut own = |choice: ChoiceId, scalar: Scalar| {
                Expression::Choice(ChoiceId(u32::MAX - choice.0), scalar)
            };
            let condition = super::term::with_choices(&edge.checks[*k].condition, &mut own);
            let after = super::term::after_assignment(&condition, before);
            after.is_ok_and(|condition| condition == Expression::truth())
        };
        (0..edge.checks.len()).filter(|k| !holds(k)).collect()
    }

    /// May the run end at this edge?
    fn may_end(&self, id: EdgeId) -> bool {
        !self.fallible(id).is_empty() || self.is_assumption(id)
    }

    /// Is it one of several outcomes?
    pub(super) fn is_condition(&self, id: EdgeId) -> bool {
        let edge = self.program.edge(id);
        self.control.outcomes(edge.from).len() > 1
    }

    /// Something that must hold, with no other outcome.
    pub(super) fn is_assumption(&self, id: EdgeId) -> bool {
        !self.is_condition(id)
            && matches!(&self.program.edge(id).operation, Operation::Assume(e) if *e != Expression::truth())
    }

    /// Is it an outcome that is always possible?
    pub(super) fn is_star(&self, id: EdgeId) -> bool {
        match &self.program.edge(id).operation {
            Operation::Assume(condition) => *condition == Expression::truth(),
            _ => true,
        }
    }

    fn otherwise_of(&self, id: EdgeId) -> Otherwise {
        let from = self.program.edge(id).from;
        let (owner, together) = (self.program.location(from).procedure, self.control.rejoins(from));
        let exit = self.program.procedure(owner).exit;
        let mut found = Otherwise::default();
        for other in self.control.outcomes(from).iter().filter(|other| **other != id) {
            let mut seen = FxHashSet::default();
            let mut waiting = vec![self.program.edge(*other).to];
            let mut returns = false;
            while let Some(here) = waiting.pop() {
                if Some(here) == together || here == exit {
                    returns = true;
                    continue;
                }
                if !seen.insert(here) {
                    continue;
                }
                for next in self.control.outcomes(here) {
                    self.add_effects(*next, &mut found);
                    waiting.push(self.program.edge(*next).to);
                }
            }
            found.ends |= !returns;
        }
        found
    }

    fn add_effects(&self, id: EdgeId, into: &mut Otherwise) {
        into.ends |= self.may_end(id);
        match &self.program.edge(id).operation {
            Operation::Skip | Operation::Assume(_) => {}
            Operation::Assign(list) => {
                into.writes.extend(list.iter().map(|(place, _)| written(place)))
            }
            Operation::Havoc(list) => {
                into.writes.extend(list.iter().map(|variable| Part::whole(*variable)))
            }
            Operation::Call { callee, result, .. } => {
                into.ends |= self.ends[*callee];
                into.writes
                    .extend(self.changes[*callee].iter().map(|variable| Part::whole(*variable)));
                into.writes.extend(result.iter().map(|variable| Part::scalar(*variable)));
            }
        }
    }

    /// Is an outcome relevant for what another one could have done?
    pub(super) fn is_potential(&self, id: EdgeId, relevant: &Parts) -> bool {
        self.otherwise.get(&id).is_some_and(|other| {
            other.ends
                || relevant
                    .iter()
                    .any(|part| other.writes.iter().any(|written| written.meets(part)))
        })
    }

    /// Can the statements inside a call matter, if these parts matter after it?
    pub(super) fn may_matter(
        &self,
        callee: ProcedureId,
        result: Option<VariableId>,
        relevant: &Parts,
    ) -> bool {
        let changed = |part: &Part| {
            self.changes[callee].contains(&part.variable) || result == Some(part.variable)
        };
        self.ends[callee] || relevant.iter().any(changed)
    }

    /// Do these parts, at a procedure's entry, contain a local that no caller gives a value? Then
    /// the call picks that value.
    pub(super) fn picks(&self, callee: ProcedureId, at_entry: &Parts) -> bool {
        let parameters = &self.program.procedure(callee).parameters;
        let picked = |part: &Part| {
            self.program.variable(part.variable).owner == Some(callee)
                && !parameters.contains(&part.variable)
        };
        at_entry.iter().any(picked)
    }

    /// Is a condition the control parent of a statement that starts at `of`?
    pub(super) fn decides(&self, condition: LocationId, of: LocationId) -> bool {
        self.control.conditions(of).contains(&condition)
    }

    /// Is the edge counted and shown as part of a sequence?
    pub(super) fn is_shown(&self, id: EdgeId) -> bool {
        self.program.edge(id).is_traced()
    }
}
