//! What a thread begins with: its argument, and the variables of which each thread has one of its
//! own (`_Thread_local`, `__thread`).
//!
//! Each handle's thread is a copy of its procedure ([`super::thread_handles`]). Where such
//! variables are, the procedures that it calls are copies, too, in which the names mean the
//! thread's own variables. The first thread has those that the declarations make. A thread's
//! variables take their initial values as its first step, because a handle can have one thread
//! after another.

use super::elaborator::Elaborator;
use super::names::Entity;
use super::signature::{ProcedureCopy, Role};
use crate::lang::lowering::graph::Looks;
use crate::lang::message::is;
use crate::lang::model::{
    Expression, Initial, Operation, Place, ProcedureId, Scalar, VariableId, VariableKind,
};
use crate::lang::syntax::{Declaration, Declarator, Name, TypeName};

/// Most elements of such an array: they take their values one by one.
const MOST_ELEMENTS: u32 = 64;

/// The thread that runs a copy of a procedure.
pub(super) fn thread_of(id: ProcedureId, copy: &ProcedureCopy) -> u32 {
    match copy.role {
        Role::Thread(_) => id.0 + 1,
        Role::Procedure => copy.thread,
    }
}

impl Elaborator<'_> {
    /// Reports such a variable that is not modelled.
    pub(super) fn refuses_own(&mut self, of: &Declaration, declarator: &Declarator) -> bool {
        let what = match of.type_name {
            _ if declarator.pointers > 0 => is("a pointer of each thread"),
            TypeName::Struct(_) => is("a struct of each thread"),
            TypeName::Handle(_) => is("a handle or mutex of each thread"),
            _ => return false,
        };
        self.diagnostics.error(declarator.span, what, "use integers, or pass it as an argument");
        self.bind(&declarator.name, Entity::Poisoned);
        true
    }

    /// Notes a variable of the first thread.
    pub(super) fn note_own(&mut self, name: &Name) {
        let Some(Entity::Variable { id, .. }) = self.names.find_global(&name.text) else { return };
        if self.program.variable(id).elements() > MOST_ELEMENTS {
            let what = format!("an array of each thread with more than {MOST_ELEMENTS} elements");
            self.diagnostics.error(name.span, is(&what), "use a smaller array");
        }
        self.threads.locals.push((name.clone(), id));
    }

    /// Binds the names to the variables of the thread that runs the current copy.
    pub(super) fn bind_own(&mut self) {
        if self.current.thread == 0 {
            return;
        }
        for (name, first) in self.threads.locals.clone() {
            let id = self.own_of(&name, first);
            self.bind(&name, Entity::Variable { id, constant: false, value: None });
        }
    }

    fn own_of(&mut self, name: &Name, first: VariableId) -> VariableId {
        let key = (self.current.thread, first);
        if let Some(id) = self.threads.own.get(&key) {
            return *id;
        }
        let like = self.program.variable(first).clone();
        let id = self.new_variable(
            &name.text,
            like.scalar,
            like.dimensions.clone(),
            VariableKind::Global,
            name.span,
        );
        let elements = like.elements() as usize;
        self.program.variables[id].initial = Initial::Exactly(vec![0; elements]);
        if let Some(room) = self.program.memory.pointers.get(&first).copied() {
            self.program.memory.pointers.insert(id, room);
        }
        self.threads.own.insert(key, id);
        id
    }

    /// Adds the step in which a thread's variables take their initial values.
    pub(super) fn begin_own(&mut self, copy: &ProcedureCopy, looks: &Looks) {
        if self.current.thread == 0 || copy.role == Role::Procedure {
            return;
        }
        let (mut values, mut any) = (Vec::new(), Vec::new());
        for (name, first) in self.threads.locals.clone() {
            let id = self.own_of(&name, first);
            let variable = self.program.variable(first);
            let (scalar, is_array) = (variable.scalar, variable.is_array());
            let Initial::Exactly(list) = variable.initial.clone() else {
                any.push(id);
                continue;
            };
            for (k, value) in list.into_iter().enumerate() {
                let at = Expression::Constant(k as u64, Scalar::int(32, false));
                let place = match is_array {
                    true => Place::Element(id, at),
                    false => Place::Variable(id),
                };
                values.push((place, Expression::Constant(value, scalar)));
            }
        }
        if !any.is_empty() {
            self.emit(Operation::Havoc(any), looks.clone());
        }
        self.emit(Operation::Assign(values), looks.clone());
    }

    /// Takes the argument that the creator of the thread has passed: the null pointer if it passed
    /// nothing.
    pub(super) fn take_argument(&mut self, parameters: &[VariableId], looks: &Looks) {
        let [parameter] = *parameters else { return };
        let place = Place::Variable(parameter);
        let id = ProcedureId(self.current.id);
        let takes = match self.threads.arguments.get(&id).copied() {
            Some(argument) => {
                let scalar = self.program.variable(argument).scalar;
                let nothing = Expression::Constant(0, scalar);
                let given = Expression::Variable(argument, scalar);
                vec![(place, given), (Place::Variable(argument), nothing)]
            }
            None => {
                let scalar = self.program.variable(parameter).scalar;
                vec![(place, Expression::Constant(0, scalar))]
            }
        };
        self.emit(Operation::Assign(takes), looks.clone());
    }
}
