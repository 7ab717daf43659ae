//! Reads of what has no value (`--check initialised`): which reads of a C program can be such, and
//! variables that say at run time what has a value.
//!
//! Elaboration puts a check ([`Subject::Value`]) at each read. [`needed`] tells by a data flow over
//! the whole program where something without a value may arrive; [`instrument`] keeps those checks
//! alone. For each variable that they read it adds one of type bool, or an array of them, that says
//! what has a value ([`HAS_VALUE`]). No other program pays for the check.
//!
//! A value that is moved without a check, as by a copy of a struct, takes along whether it is one.
//! Not followed are parameters that are structs, globals of programs with threads, bytes, and
//! pointers: who follows a pointer without a value is told so by the checks of memory.

mod flow;
mod instrument;

use crate::lang::model::{
    Check, Edge, EdgeId, Expression, Operation, Program, Subject, VariableId, VariableKind,
};
use crate::lang::rooms::Room;
use flow::Flow;
use rustc_hash::FxHashSet;

pub(in crate::lang) use instrument::instrument;

/// Larger arrays are not followed.
const MOST_ELEMENTS: u32 = 512;

/// A read, by the bytes of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::lang) enum Place {
    /// Of a variable or an element.
    Value(u32, u32),
    /// Of what a procedure returned.
    Result(u32, u32),
}

/// What elaboration notes about stores.
#[derive(Debug, Default)]
pub(in crate::lang) struct Noted {
    /// By edge and number of the store: what is stored is no value.
    pub(in crate::lang) unset: FxHashSet<(EdgeId, usize)>,
    /// What these edges store are values.
    pub(in crate::lang) stored: FxHashSet<EdgeId>,
}

/// The reads at which something without a value may arrive.
pub(in crate::lang) fn needed(program: &Program, noted: &Noted) -> FxHashSet<Place> {
    let flow = Flow::of(program, noted);
    let mut places = FxHashSet::default();
    for id in program.edge_ids() {
        let checks = &program.edge(id).checks;
        for check in checks.iter().zip(flow.fails(id)).filter(|(_, may)| *may).map(|(c, _)| c) {
            places.extend(match check.subject {
                Subject::Value(_, at) => Some(Place::Value(at.start, at.end)),
                Subject::Returned(_, at) => Some(Place::Result(at.start, at.end)),
                _ => None,
            });
        }
    }
    places
}

/// What a check reads.
fn subject(check: &Check) -> Option<&Expression> {
    match &check.subject {
        Subject::Value(read, _) => Some(read),
        _ => None,
    }
}

/// The variables that a value takes from, except those that a check of the edge reads.
fn taken(edge: &Edge, value: &Expression, found: &mut impl FnMut(VariableId)) {
    let mut rest = vec![value];
    while let Some(e) = rest.pop() {
        if edge.checks.iter().any(|check| subject(check) == Some(e)) {
            continue;
        }
        match e {
            Expression::Variable(id, _) => found(*id),
            Expression::Element(id, index, _) => {
                found(*id);
                rest.push(index);
            }
            Expression::Constant(..) | Expression::Choice(..) => {}
            Expression::Unary(_, e) | Expression::Cast(_, e) => rest.push(e),
            Expression::Binary(_, l, r) => rest.extend([&**l, &**r]),
            Expression::Conditional(c, t, e) => rest.extend([&**c, &**t, &**e]),
        }
    }
}

/// May a variable of this kind be followed?
fn is_followed(program: &Program, id: VariableId) -> bool {
    let variable = program.variable(id);
    match variable.kind {
        VariableKind::Local | VariableKind::Result => true,
        VariableKind::Global => !program.concurrency.has_threads(),
        VariableKind::Parameter | VariableKind::Temporary => false,
    }
}

/// Does a program have something of its own that is not followed, where its values may be missing:
/// memory of bytes, objects beyond the individual ones, or a large array?
pub(crate) fn leaves_out(program: &Program) -> bool {
    let large = |id: VariableId| {
        let variable = program.variable(id);
        variable.kind == VariableKind::Local && variable.elements() > MOST_ELEMENTS
    };
    program.memory.rooms.iter().any(is_not_followed)
        || (0..).map(VariableId).zip(&program.variables).any(|(id, _)| large(id))
}

fn is_not_followed(room: &Room) -> bool {
    room.bytes.is_some() || room.summary.is_some()
}

/// The variables of the whole run that may lose their values or never get one.
fn begins_without(program: &Program, noted: &Noted) -> Vec<bool> {
    let mut open = vec![false; program.variables.len()];
    let small = |id: VariableId| {
        is_followed(program, id) && program.variable(id).elements() <= MOST_ELEMENTS
    };
    for (id, variable) in (0..).map(VariableId).zip(&program.variables) {
        open[id] = variable.kind != VariableKind::Global && small(id);
    }
    for edge in &program.edges {
        if let Operation::Havoc(ids) = &edge.operation {
            ids.iter().for_each(|id| open[*id] = small(*id));
        }
    }
    for (edge, store) in &noted.unset {
        if let Operation::Assign(stores) = &program.edge(*edge).operation
            && let Some((place, _)) = stores.get(*store)
        {
            let id = place.variable();
            let room = program.memory.arrays.get(&id);
            let room = room.and_then(|room| program.memory.rooms.get(usize::from(*room)));
            open[id] = small(id) && !room.is_some_and(is_not_followed);
        }
    }
    open
}
