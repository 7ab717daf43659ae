//! Declarations that only C has: pointers, structs, threads and mutexes.

use super::address::Address;
use super::elaborator::Elaborator;
use super::names::Entity;
use super::thread_handles::HandlePlace;
use super::value::Value;
use crate::lang::message::{are, is};
use crate::lang::model::{
    Expression, Initial, Operation, Place, STRUCT_RESULT, Scalar, StatementKind, VariableKind,
};
use crate::lang::syntax::{Declaration, Declarator, Expr, ExprKind, Handle, Initializer, TypeName};
use crate::wire::options::Globals;

impl Elaborator<'_> {
    /// Declares a pointer, struct, thread or mutex of C. Returns false if the declarator is none of
    /// these.
    pub(super) fn special_declaration(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        global: bool,
    ) -> bool {
        let name = &declarator.name;
        if declarator.pointers > 0 {
            let entity = self.pointer_declaration(declaration, declarator);
            self.bind(name, entity);
            return true;
        }
        // A thread's handle holds no value that its address leads to.
        let is_handle =
            matches!(declaration.type_name, TypeName::Handle(of) if of != Handle::Mutex);
        let whole_run = global
            || declaration.is_static
            || !is_handle && self.is_shared_local(&name.text, name.span);
        match declaration.type_name {
            TypeName::Struct(id) => {
                if declaration.is_extern && self.names.find_global(&name.text).is_some() {
                    return true;
                }
                let known = self
                    .statics
                    .get(&name.span.start)
                    .copied()
                    .filter(|_| declaration.is_static && !global);
                let entity = match known {
                    Some(entity) => entity,
                    None if global || declaration.is_static => {
                        let zero = !global
                            || (self.options.globals == Globals::Zero && !declaration.is_extern);
                        self.static_aggregate(declaration, declarator, id, zero)
                    }
                    None => {
                        let kind =
                            if whole_run { VariableKind::Global } else { VariableKind::Local };
                        self.local_aggregate(declaration, declarator, id, kind)
                    }
                };
                if declaration.is_static && !global {
                    self.statics.insert(name.span.start, entity);
                }
                if let (true, Some(Entity::Aggregate(old)), Entity::Aggregate(new)) =
                    (global, self.names.find_global(&name.text), entity)
                {
                    // A tentative definition that is repeated.
                    if declarator.initializer.is_none()
                        && self.aggregates[old as usize].type_id
                            == self.aggregates[new as usize].type_id
                    {
                        return true;
                    }
                }
                self.bind(name, entity);
                if let Entity::Aggregate(index) = entity
                    && !name.text.starts_with(STRUCT_RESULT)
                {
                    let leaves = self.aggregates[index as usize].leaves.clone();
                    self.names.show(&leaves);
                    if declaration.atomic {
                        self.mark_atomic(&name.text);
                    }
                }
                true
            }
            TypeName::Handle(Handle::Mutex) => {
                self.mutex_declaration(declarator, whole_run, global || declaration.is_static);
                true
            }
            TypeName::Handle(handle) => {
                if declarator.initializer.is_some() && handle == Handle::Thread {
                    let message = is("a thread's handle with a value");
                    self.diagnostics.error(
                        declarator.span,
                        message,
                        "leave its value to `pthread_create`",
                    );
                }
                if handle == Handle::Thread {
                    let dimensions = match declarator.dimensions.is_empty() {
                        true => Some(Vec::new()),
                        false => self.dimensions(declarator, TypeName::Bool),
                    };
                    let place = HandlePlace {
                        declared_at: name.span.start,
                        cells: dimensions.map_or(0, |sizes| sizes.iter().product()),
                        owner: (!global).then(|| self.current.name.clone()),
                        is_array: !declarator.dimensions.is_empty(),
                        is_ambiguous: declarator.dimensions.len() > 1,
                    };
                    self.note_handle(&name.text, place);
                }
                self.bind(name, Entity::Handle(handle));
                true
            }
            _ => false,
        }
    }

    /// Declares a pointer that always holds the address of its declaration. Any other pointer is
    /// refused where it is used.
    fn pointer_declaration(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
    ) -> Entity {
        let Some(initializer) = &declarator.initializer else {
            return Entity::Pointer(Address::Unknown);
        };
        if matches!(declaration.type_name, TypeName::Procedure(_) | TypeName::Array(_)) {
            let span = declarator.span;
            let message = are("function pointers").of_memory();
            self.diagnostics.error(span, message, "call the procedure by its name");
            return Entity::Poisoned;
        }
        let Initializer::Value(e) = initializer else {
            self.refuse_pointer(declarator.span, "this is an array of pointers");
            return Entity::Poisoned;
        };
        let address = self.address(e);
        let address = self.fitting(address, declaration.type_name, declarator.pointers);
        if address == Address::Unknown || !declarator.dimensions.is_empty() {
            // If the call itself is refused, that message says more than this one.
            let before = self.diagnostics.has_errors();
            if !matches!(e.kind, ExprKind::Call(..))
                || !matches!(self.expression(e), Value::Poisoned)
                || !before
            {
                self.refuse_pointer(
                    declarator.span,
                    &format!("it is not known where `{}` points", declarator.name.text),
                );
            }
            return Entity::Poisoned;
        }
        if self.survey.assigned.contains(&declarator.name.text) {
            return Entity::Pointer(Address::Unknown);
        }
        Entity::Pointer(address)
    }

    /// Declares a mutex: a bool that is true while the mutex is taken.
    fn mutex_declaration(
        &mut self,
        declarator: &Declarator,
        whole_run: bool,
        from_the_start: bool,
    ) {
        let Some(dimensions) = self.dimensions(declarator, TypeName::Bool) else {
            return self.bind(&declarator.name, Entity::Poisoned);
        };
        let plain = match &declarator.initializer {
            None => true,
            Some(Initializer::Value(e)) => match &e.kind {
                ExprKind::Name(name) => name.starts_with("PTHREAD_MUTEX_INITIALIZER"),
                // What memory makes of it.
                kind => matches!(kind, ExprKind::Exactly(0, _)),
            },
            Some(Initializer::List(list, _)) => list.iter().all(|i| {
                matches!(
                    i,
                    Initializer::Value(Expr { kind: ExprKind::Number(0, _), .. })
                        | Initializer::List(..)
                )
            }),
            _ => false,
        };
        if !plain {
            let message = is("a mutex with this value");
            self.diagnostics.error(declarator.span, message, "write `PTHREAD_MUTEX_INITIALIZER`");
        }
        let kind = if whole_run { VariableKind::Global } else { VariableKind::Local };
        let elements = dimensions.iter().product::<u32>() as usize;
        let id = self.new_variable(
            &declarator.name.text,
            Scalar::BOOL,
            dimensions,
            kind,
            declarator.name.span,
        );
        if whole_run {
            self.program.variables[id].initial = Initial::Exactly(vec![0; elements]);
        }
        self.threads.mutexes.insert(id);
        self.bind(&declarator.name, Entity::Variable { id, constant: false, value: None });
        if !from_the_start && elements == 1 && !self.program.variable(id).is_array() {
            let looks = self.looks(StatementKind::Hidden, declarator.span);
            self.emit(Operation::Assign(vec![(Place::Variable(id), Expression::falsity())]), looks);
        }
    }
}
