//! The inputs of a run, slot by slot: the values that it picks, the values that calls and havocs
//! free, and the values with which it starts.

use crate::analysis::repair::execution::MOST_STEPS;
use crate::lang::interpreter::{Assignment, ConcreteRun, open_locals};
use crate::lang::model::{
    EdgeId, Expression, Initial, Operation, Place, Program, Scalar, VariableId, VariableKind,
};

/// The most slots of a run. If there are more, evenly spread slots are left out.
const MOST: usize = 400;

/// The place of a value in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    /// The k-th choice of a step.
    Choice(usize, usize),
    /// A variable that a step frees, and its element.
    Freed(usize, usize, usize),
    /// A global at the start, and its element.
    Global(usize, usize),
    /// A local of the start procedure, and its element.
    Local(usize, usize),
}

/// A value of a run that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    at: Where,
    pub(super) scalar: Scalar,
}

impl Slot {
    /// Its value in a run.
    pub(super) fn value(self, run: &ConcreteRun) -> u64 {
        let of = |assignment: &Assignment, k: usize, element: usize| {
            assignment.get(k)?.1.get(element).copied()
        };
        let found = match self.at {
            Where::Choice(step, k) => {
                run.steps.get(step).and_then(|step| step.choices.get(k).copied())
            }
            Where::Freed(step, k, element) => {
                run.steps.get(step).and_then(|step| of(step.locals.as_ref()?, k, element))
            }
            Where::Global(k, element) => of(&run.initial_globals, k, element),
            Where::Local(k, element) => of(&run.initial_locals, k, element),
        };
        found.unwrap_or(0) & self.scalar.mask()
    }

    /// Gives it another value.
    pub(super) fn set(self, run: &mut ConcreteRun, value: u64) {
        let of = |assignment: &mut Assignment, k: usize, element: usize| {
            if let Some(place) =
                assignment.get_mut(k).and_then(|(_, values)| values.get_mut(element))
            {
                *place = value & self.scalar.mask();
            }
        };
        match self.at {
            Where::Choice(step, k) => {
                if let Some(choice) =
                    run.steps.get_mut(step).and_then(|step| step.choices.get_mut(k))
                {
                    *choice = value & self.scalar.mask();
                }
            }
            Where::Freed(step, k, element) => {
                if let Some(locals) = run.steps.get_mut(step).and_then(|step| step.locals.as_mut())
                {
                    of(locals, k, element);
                }
            }
            Where::Global(k, element) => of(&mut run.initial_globals, k, element),
            Where::Local(k, element) => of(&mut run.initial_locals, k, element),
        }
    }
}

fn reads(e: &Expression, of: VariableId) -> bool {
    let mut rest = vec![e];
    while let Some(e) = rest.pop() {
        match e {
            Expression::Constant(..) | Expression::Choice(..) => {}
            Expression::Variable(id, _) if *id == of => return true,
            Expression::Variable(..) => {}
            Expression::Element(id, ..) if *id == of => return true,
            Expression::Element(_, a, _) | Expression::Unary(_, a) | Expression::Cast(_, a) => {
                rest.push(a)
            }
            Expression::Binary(_, a, b) => rest.extend([&**a, &**b]),
            Expression::Conditional(a, b, c) => rest.extend([&**a, &**b, &**c]),
        }
    }
    false
}

/// Does the edge read the variable (`Some(true)`), or overwrite all of it without reading it
/// (`Some(false)`)?
fn use_of(program: &Program, edge: EdgeId, of: VariableId) -> Option<bool> {
    let edge = program.edge(edge);
    let index = |place: &Place| matches!(place, Place::Element(_, index) if reads(index, of));
    let is_read = edge.checks.iter().any(|check| reads(&check.condition, of))
        || match &edge.operation {
            Operation::Skip | Operation::Havoc(_) => false,
            Operation::Assume(condition) => reads(condition, of),
            Operation::Assign(pairs) => pairs.iter().any(|(place, e)| reads(e, of) || index(place)),
            Operation::Call { arguments, .. } => arguments.iter().any(|e| reads(e, of)),
        };
    let is_written = match &edge.operation {
        Operation::Skip | Operation::Assume(_) => false,
        Operation::Assign(pairs) => pairs.iter().any(|(place, _)| *place == Place::Variable(of)),
        Operation::Havoc(list) => list.contains(&of),
        Operation::Call { result, .. } => *result == Some(of),
    };
    if is_read { Some(true) } else { is_written.then_some(false) }
}

/// Can the value that the variable has before this step matter? It does if the run reads it before
/// overwriting it. If the run does neither, it may matter in another run.
fn matters(program: &Program, run: &ConcreteRun, from: usize, of: VariableId) -> bool {
    let first = run.steps.iter().skip(from).find_map(|step| use_of(program, step.edge, of));
    first.unwrap_or_else(|| program.edge_ids().any(|edge| use_of(program, edge, of) == Some(true)))
}

/// The slots of a run, and the run extended by every global that may start with any value. A run
/// that is too long to be executed has no slots.
pub(super) fn slots(program: &Program, run: &ConcreteRun) -> (Vec<Slot>, ConcreteRun) {
    let mut run = run.clone();
    for id in program.globals() {
        let variable = program.variable(id);
        if variable.initial == Initial::Any
            && run.initial_globals.iter().all(|(known, _)| *known != id)
        {
            run.initial_globals.push((id, vec![0; variable.elements() as usize]));
        }
    }
    let mut found = Vec::new();
    if run.steps.len() > MOST_STEPS {
        return (found, run);
    }
    for (k, step) in run.steps.iter().enumerate() {
        let choices = program.edge(step.edge).choices.iter().zip(&step.choices).enumerate();
        found.extend(
            choices.map(|(choice, (scalar, _))| Slot {
                at: Where::Choice(k, choice),
                scalar: *scalar,
            }),
        );
    }
    let elements = |id: VariableId, values: &[u64], at: &dyn Fn(usize) -> Where| -> Vec<Slot> {
        (0..values.len())
            .map(|element| Slot { at: at(element), scalar: program.variable(id).scalar })
            .collect()
    };
    // A variable that every run writes before reading it is no input.
    let open = open_locals(program);
    let is_open = |id: VariableId| program.variable(id).kind == VariableKind::Parameter || open[id];
    for (k, step) in run.steps.iter().enumerate() {
        let is_call = matches!(program.edge(step.edge).operation, Operation::Call { .. });
        for (nth, (id, values)) in step.locals.iter().flatten().enumerate() {
            if (!is_call || is_open(*id)) && matters(program, &run, k + 1, *id) {
                found.extend(elements(*id, values, &|element| Where::Freed(k, nth, element)));
            }
        }
    }
    for (nth, (id, values)) in run.initial_globals.iter().enumerate() {
        if program.variable(*id).initial == Initial::Any && matters(program, &run, 0, *id) {
            found.extend(elements(*id, values, &|element| Where::Global(nth, element)));
        }
    }
    for (nth, (id, values)) in run.initial_locals.iter().enumerate() {
        if is_open(*id) && matters(program, &run, 0, *id) {
            found.extend(elements(*id, values, &|element| Where::Local(nth, element)));
        }
    }
    (super::spread(&found, MOST), run)
}
