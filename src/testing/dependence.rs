//! Which statements can have made a value: dependence of data and control, without aliases.

use faultline_c::tree::{
    Expr, ExprKind, Initial, PointId, Pointed, ProcedureId, Statement, StatementKind, Tree,
    VariableId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// What a point reads and writes.
#[derive(Clone, Debug, Default)]
struct Access {
    reads: FxHashSet<VariableId>,
    writes: FxHashSet<VariableId>,
    calls: FxHashSet<ProcedureId>,
    /// The conditions that decide whether it is passed.
    control: Vec<PointId>,
}

/// How far each point is from the value that a point uses: 0 for the point itself.
pub(crate) fn distances(tree: &Tree, from: PointId) -> FxHashMap<PointId, u32> {
    let accesses = accesses(tree);
    let mut found: FxHashMap<PointId, u32> = FxHashMap::default();
    found.insert(from, 0);
    let mut worklist = std::collections::VecDeque::from([from]);
    while let Some(point) = worklist.pop_front() {
        let distance = found[&point] + 1;
        let Some(access) = accesses.get(&point) else { continue };
        let mut near: Vec<PointId> = access.control.clone();
        for (other, theirs) in &accesses {
            let writes = theirs.writes.iter().any(|variable| access.reads.contains(variable));
            let called = access.calls.contains(&tree.points[other.index()].procedure);
            if writes || called {
                near.push(*other);
            }
        }
        near.sort_unstable();
        for other in near {
            if let Entry::Vacant(new) = found.entry(other) {
                new.insert(distance);
                worklist.push_back(other);
            }
        }
    }
    found
}

/// The variables that a point reads, in the order of their declarations.
pub(crate) fn reads(tree: &Tree, point: PointId) -> Vec<VariableId> {
    let accesses = accesses(tree);
    let mut reads: Vec<VariableId> =
        accesses.get(&point).map_or(Vec::new(), |access| access.reads.iter().copied().collect());
    reads.sort_unstable();
    reads
}

/// Is a point a condition, by which a run goes one of two ways?
pub(crate) fn is_condition(tree: &Tree, point: PointId) -> bool {
    let bodies = tree.procedures.iter().filter_map(|procedure| procedure.body.as_ref());
    let mut open: Vec<&Statement> = bodies.collect();
    while let Some(s) = open.pop() {
        let condition = match &s.kind {
            StatementKind::If(condition, then, otherwise) => {
                open.push(then);
                open.extend(otherwise.as_deref());
                Some(condition)
            }
            StatementKind::While(condition, body) | StatementKind::DoWhile(body, condition) => {
                open.push(body);
                Some(condition)
            }
            StatementKind::For(condition, _, body) => {
                open.push(body);
                condition.as_ref()
            }
            StatementKind::Block(inner) => {
                open.extend(inner);
                None
            }
            StatementKind::Switch(_, inner)
            | StatementKind::Case(_, _, inner)
            | StatementKind::Default(inner)
            | StatementKind::Label(_, inner) => {
                open.push(inner);
                None
            }
            _ => None,
        };
        if condition.is_some_and(|condition| condition.point == point) {
            return true;
        }
    }
    false
}

fn accesses(tree: &Tree) -> FxHashMap<PointId, Access> {
    let mut list = FxHashMap::default();
    for (k, procedure) in tree.procedures.iter().enumerate() {
        if let (Some(body), false) = (&procedure.body, tree.is_library(ProcedureId(k as u32))) {
            statement(body, &mut Vec::new(), &mut list);
        }
    }
    list
}

type Accesses = FxHashMap<PointId, Access>;

fn pointed(condition: &Pointed, control: &[PointId], list: &mut Accesses) {
    let access = list.entry(condition.point).or_default();
    access.control = control.to_vec();
    expression(&condition.value, access);
}

fn statement(s: &Statement, control: &mut Vec<PointId>, list: &mut Accesses) {
    if let Some(point) = s.point {
        let access = list.entry(point).or_default();
        access.control = control.clone();
        match &s.kind {
            StatementKind::Expression(e) | StatementKind::Return(Some(e)) => expression(e, access),
            StatementKind::Declare(id, values) => {
                access.writes.insert(*id);
                initial(values.as_deref().unwrap_or(&[]), access);
            }
            _ => {}
        }
    }
    match &s.kind {
        StatementKind::Block(inner) => inner.iter().for_each(|s| statement(s, control, list)),
        StatementKind::If(condition, then, otherwise) => {
            pointed(condition, control, list);
            control.push(condition.point);
            statement(then, control, list);
            if let Some(otherwise) = otherwise {
                statement(otherwise, control, list);
            }
            control.pop();
        }
        StatementKind::While(condition, body)
        | StatementKind::DoWhile(body, condition)
        | StatementKind::Switch(condition, body) => {
            pointed(condition, control, list);
            control.push(condition.point);
            statement(body, control, list);
            control.pop();
        }
        StatementKind::For(condition, step, body) => {
            if let Some(condition) = condition {
                pointed(condition, control, list);
                control.push(condition.point);
            }
            if let Some(step) = step {
                pointed(step, control, list);
            }
            statement(body, control, list);
            if condition.is_some() {
                control.pop();
            }
        }
        StatementKind::Case(_, _, inner)
        | StatementKind::Default(inner)
        | StatementKind::Label(_, inner) => statement(inner, control, list),
        _ => {}
    }
}

fn initial(values: &[Initial], access: &mut Access) {
    values.iter().for_each(|value| expression(&value.value, access));
}

fn expression(e: &Expr, access: &mut Access) {
    match &e.kind {
        ExprKind::Variable(id) => {
            access.reads.insert(*id);
        }
        ExprKind::Procedure(id) => {
            access.calls.insert(*id);
        }
        ExprKind::Assign(place, _)
        | ExprKind::AssignWith(_, place, _, _)
        | ExprKind::Step(_, _, place) => {
            written(place, access);
        }
        // What a call is given the address of, it may write.
        ExprKind::Call(_, arguments) => arguments.iter().for_each(|argument| {
            let mut argument = argument;
            while let ExprKind::Convert(inner) | ExprKind::PointerAdd(inner, _) = &argument.kind {
                argument = inner;
            }
            if let ExprKind::Address(place) = &argument.kind {
                written(place, access);
            }
        }),
        _ => {}
    }
    let plain = matches!(&e.kind, ExprKind::Assign(..));
    for (k, child) in e.children().into_iter().enumerate() {
        // The place of a plain assignment is not read, but its index is.
        if plain && k == 0 && matches!(child.kind, ExprKind::Variable(_)) {
            continue;
        }
        expression(child, access);
    }
}

/// The variable that a place is part of; behind a pointer, the pointer stands for it.
fn written(place: &Expr, access: &mut Access) {
    let mut place = place;
    loop {
        match &place.kind {
            ExprKind::Variable(id) => {
                access.writes.insert(*id);
                return;
            }
            ExprKind::Member(inner, ..)
            | ExprKind::Indirect(inner)
            | ExprKind::Address(inner)
            | ExprKind::PointerAdd(inner, _)
            | ExprKind::Convert(inner) => place = inner,
            _ => return,
        }
    }
}
