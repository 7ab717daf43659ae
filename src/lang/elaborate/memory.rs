//! What the lowering of memory adds to expressions and statements: values with conditions of their
//! own, forgotten values, and the ends of runs that need more objects than the model has.

use super::effects::Effects;
use super::elaborator::Elaborator;
use super::target::Target;
use super::value::Value;
use crate::lang::fault::{Fault, Steps};
use crate::lang::lowering::graph::Looks;
use crate::lang::model::{
    EdgeId, Expression, Operation, Origin, Place, Span, StatementKind, Subject, VariableId,
};
use crate::lang::rooms::Rooms;
use crate::lang::syntax::{Checked, Expr, File, TypeName};

impl Elaborator<'_> {
    /// Notes which variables are the arrays of which room.
    pub(super) fn name_rooms(&mut self, file: &File) {
        let program = &mut self.program;
        for (number, room) in (0..).zip(&file.rooms).filter(|(_, room)| !room.array.is_empty()) {
            for (id, variable) in (0..).map(VariableId).zip(&program.variables) {
                let rest = variable.name.strip_prefix(&room.array);
                if variable.name == room.flags {
                    program.memory.flags.insert(number, id);
                } else if variable.name == room.lengths {
                    program.memory.lengths.insert(number, id);
                } else if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
                    program.memory.arrays.insert(id, number);
                }
            }
        }
    }

    /// Notes which variables no person wrote. What a front end makes has a blank in its name, which
    /// no name of a source has. The slots of memory are called after the objects that stand there.
    pub(super) fn name_made(&mut self, file: &File) {
        for k in 0..self.program.variables.len() as u32 {
            let (id, variable) = (VariableId(k), self.program.variable(VariableId(k)));
            if !variable.name.contains(' ') || self.program.memory.arrays.contains_key(&id) {
                continue;
            }
            let (root, member) = match variable.name.split_once('.') {
                Some((root, member)) => (root, format!(".{member}")),
                None => (variable.name.as_str(), String::new()),
            };
            let made = match file.braced_values.contains(root) {
                true => Origin::Expression(self.tidy(variable.span) + &member),
                false => Origin::Made,
            };
            self.program.variables[id].origin = made;
        }
    }

    /// Evaluates what is held, then requires the conditions, then evaluates the value.
    #[inline(never)]
    pub(super) fn checked_value(&mut self, checked: &Checked, span: Span) -> Value {
        let held: Vec<&Expr> = checked.held.iter().map(|(_, e)| e).collect();
        let values = self.expressions(&held);
        if values.iter().any(|value| matches!(value, Value::Poisoned)) {
            return Value::Poisoned;
        }
        let settled = checked.held.iter().zip(values);
        let settled = settled.map(|((_, e), value)| self.settle(value, e.span));
        let settled: Vec<Expression> = settled.collect();
        // One edge makes the choices of all.
        let edges = Effects { edges: true, ..Effects::default() };
        let kept = self.keep_together(settled.clone(), edges, span);
        for ((number, _), (value, kept)) in checked.held.iter().zip(settled.iter().zip(kept)) {
            let value = match follows(value) {
                true => {
                    let room = room_of(&self.program.memory, value);
                    let looks = self.looks(StatementKind::Hidden, span);
                    let stored = match follows(&kept) {
                        true => self.store(kept, looks),
                        false => kept,
                    };
                    if let (Expression::Variable(id, _), Some(room)) = (&stored, room) {
                        self.program.memory.pointers.insert(*id, room);
                    }
                    stored
                }
                false => kept,
            };
            self.held.insert(*number, value);
        }
        if !checked.notes.is_empty() && !self.total {
            let looks = self.looks(StatementKind::Hidden, span);
            self.store_all(checked.notes.iter().map(|(place, e)| (place, Some(e))), looks);
        }
        for cut in &checked.cuts {
            self.cut_off(cut, span);
        }
        for (condition, fault) in &checked.conditions {
            let value = self.expression(condition);
            let holds = self.truth(value, condition.span);
            let fault = self.fault(fault);
            let (kind, message) = (fault.kind.error(), fault.kind.message(&fault.what));
            let subject = Subject::Memory(Box::new(fault));
            self.require_named(kind, holds, subject, message, span);
        }
        let mut value = self.expression(&checked.value);
        if !checked.stores.is_empty() {
            let all = Effects::ALL;
            value = self.keep(value, all, span);
            let looks = self.looks(StatementKind::Assignment, span);
            self.store_all(checked.stores.iter().map(|(place, e)| (place, Some(e))), looks);
        }
        for (number, _) in &checked.held {
            self.held.remove(number);
        }
        value
    }

    /// The values that explain a fault.
    fn fault(&mut self, fault: &Fault<Expr>) -> Fault<Expression> {
        let mut value = |e: &Expr| {
            let value = self.expression(e);
            self.settle(value, e.span)
        };
        Fault {
            kind: fault.kind,
            what: fault.what.clone(),
            pointer: fault.pointer.as_ref().map(|(pointer, room)| (value(pointer), *room)),
            steps: fault
                .steps
                .as_ref()
                .map(|steps| Steps { count: value(&steps.count), back: steps.back }),
            stride: fault.stride,
            offset: fault.offset,
        }
    }

    pub(super) fn held_value(&self, number: u32) -> Value {
        self.held.get(&number).cloned().map_or(Value::Poisoned, Value::Typed)
    }

    pub(super) fn exactly(&self, number: u64, type_name: TypeName) -> Value {
        match self.scalar(type_name) {
            Some(scalar) => {
                Value::Typed(Expression::Constant(scalar.wrap(i128::from(number)), scalar))
            }
            None => Value::Poisoned,
        }
    }

    /// These places take their values, or any value, by one hidden edge.
    pub(super) fn forget(&mut self, changes: &[(Expr, Option<Expr>)], span: Span) {
        let looks = Looks { kind: StatementKind::Hidden, span, text: self.tidy(span) };
        self.store_all(changes.iter().map(|(place, e)| (place, e.as_ref())), looks);
    }

    /// These places take their values, or any value, by one edge.
    fn store_all<'e>(
        &mut self,
        changes: impl Iterator<Item = (&'e Expr, Option<&'e Expr>)>,
        looks: Looks,
    ) {
        let span = looks.span;
        let moving = std::mem::replace(&mut self.reads.moving, true);
        let mut stores = Vec::new();
        for (e, value) in changes {
            let (place, scalar) = match self.place(e) {
                Target::Variable(id, scalar) => (Place::Variable(id), scalar),
                Target::Element { array, index, scalar, .. } => {
                    (Place::Element(array, index), scalar)
                }
                Target::Struct(_) | Target::Poisoned => continue,
            };
            let value = match value {
                None => self.choice(scalar),
                Some(value) => {
                    let value = self.expression(value);
                    self.convert(value, scalar, span)
                }
            };
            stores.push((place, value));
        }
        self.reads.moving = moving;
        if !stores.is_empty() {
            self.emit(Operation::Assign(stores), looks);
        }
    }

    /// A run for which the condition holds ends here.
    pub(super) fn cut_off(&mut self, condition: &Expr, span: Span) {
        let value = self.expression(condition);
        let ends = self.truth(value, span);
        let looks = Looks { kind: StatementKind::Hidden, span, text: self.tidy(span) };
        let from = self.graph.here();
        self.emit(Operation::Assume(ends.clone()), looks.clone());
        self.program.cut_offs.push(EdgeId(self.program.edges.len() as u32 - 1));
        self.emit(Operation::Assume(Expression::falsity()), looks.clone());
        self.graph.current = Some(from);
        self.emit(Operation::Assume(ends.negated()), looks);
    }
}

/// The room into which a value points, if it is a variable's or an element's.
fn room_of(memory: &Rooms, e: &Expression) -> Option<u16> {
    match e {
        Expression::Cast(_, inner) => room_of(memory, inner),
        Expression::Variable(id, _) | Expression::Element(id, ..) => {
            memory.pointers.get(id).copied()
        }
        _ => None,
    }
}

/// Does a value depend on what a pointer leads to? As a function of all of memory it would be large
/// where one pointer is followed after another; stored, each step is small.
fn follows(e: &Expression) -> bool {
    match e {
        Expression::Element(_, index, _) => !matches!(**index, Expression::Constant(..)),
        Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => false,
        Expression::Unary(_, e) | Expression::Cast(_, e) => follows(e),
        Expression::Binary(_, left, right) => follows(left) || follows(right),
        Expression::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|part| follows(part))
        }
    }
}
