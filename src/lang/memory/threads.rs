//! Calls that act on threads. Mutexes and their kin stand where pointers lead to them; a handle of
//! a thread keeps its name; arguments and results of threads are passed as values.
//!
//! Memory is shared by all threads. A local whose address is taken is one object, so at most one
//! thread may run its procedure.

use super::build::{expr, named, zero};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::pointers::Use;
use super::types::{INT, Type};
use crate::lang::elaborate::{Survey, is_atomic, procedure_name};
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Block, Expr, ExprKind, Handle, Item, Name, Statement, StatementKind, TypeName,
};

/// What a call does with an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// It uses the object to which the argument points.
    Object,
    Value,
    /// Attributes and points in time: they say nothing here.
    Nothing,
    Handle,
}

/// What a call of this name does with its arguments; `None` if it does not act on threads.
fn given(name: &str) -> Option<&'static [Given]> {
    use Given::*;
    Some(match name {
        "pthread_mutex_init" | "pthread_cond_init" | "pthread_rwlock_init" => &[Object, Nothing],
        "pthread_mutex_lock"
        | "pthread_mutex_unlock"
        | "pthread_mutex_trylock"
        | "pthread_mutex_destroy"
        | "pthread_spin_lock"
        | "pthread_spin_unlock"
        | "pthread_spin_trylock"
        | "pthread_spin_destroy"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "pthread_cond_destroy"
        | "pthread_rwlock_rdlock"
        | "pthread_rwlock_wrlock"
        | "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_trywrlock"
        | "pthread_rwlock_unlock"
        | "pthread_rwlock_destroy"
        | "pthread_barrier_wait"
        | "pthread_barrier_destroy"
        | "sem_wait"
        | "sem_trywait"
        | "sem_post"
        | "sem_destroy" => &[Object],
        "pthread_spin_init" => &[Object, Value],
        "pthread_barrier_init" => &[Object, Nothing, Value],
        "pthread_cond_wait" | "sem_getvalue" => &[Object, Object],
        "pthread_cond_timedwait" => &[Object, Object, Nothing],
        "sem_init" => &[Object, Value, Value],
        "sem_timedwait" => &[Object, Nothing],
        "pthread_detach" => &[Handle],
        "pthread_attr_init"
        | "pthread_attr_destroy"
        | "pthread_condattr_init"
        | "pthread_condattr_destroy"
        | "pthread_rwlockattr_init"
        | "pthread_rwlockattr_destroy" => &[Nothing],
        "pthread_attr_setdetachstate" => &[Nothing, Value],
        _ => return None,
    })
}

/// What an atomic operation does with its arguments.
fn of_atomic(name: &str, count: usize) -> Vec<Given> {
    let compares = name.contains("compare_exchange");
    let fences = name.ends_with("_fence");
    let of = |index| match index {
        0 if !fences => Given::Object,
        1 if compares => Given::Object,
        _ => Given::Value,
    };
    (0..count).map(of).collect()
}

impl Lowerer<'_> {
    /// A call that acts on threads; `None` for other names.
    pub(super) fn thread_call(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Lowered<Option<(Expr, Type)>> {
        let arguments = match (name.text.as_str(), arguments) {
            ("pthread_create", [handle, attributes, entry, argument]) => {
                self.creation(handle, attributes, entry, argument)?
            }
            ("pthread_join", [handle, into]) => vec![self.handle(handle)?, self.joined(into)?],
            ("pthread_exit", [value]) => {
                let result = self.result.clone();
                let is_void = matches!(result, Type::Void);
                vec![if is_void { value.clone() } else { self.converted(value, &result)? }]
            }
            ("pthread_cleanup_push", [handler, argument]) => {
                let argument = self.passed(handler, argument)?;
                vec![handler.clone(), argument]
            }
            ("pthread_cleanup_pop", [execute]) => vec![execute.clone()],
            (text, _) => {
                let shape = match given(text) {
                    Some(shape) => shape.to_vec(),
                    None if is_atomic(text) => of_atomic(text, arguments.len()),
                    None => return Ok(None),
                };
                if shape.len() != arguments.len() {
                    return Ok(None);
                }
                let mut lowered = Vec::with_capacity(arguments.len());
                for (argument, given) in arguments.iter().zip(shape) {
                    lowered.push(match given {
                        Given::Object => self.object_at(argument)?,
                        Given::Value => self.scalar(argument)?.0,
                        Given::Handle => self.handle(argument)?,
                        Given::Nothing => argument.clone(),
                    });
                }
                lowered
            }
        };
        let result = match arguments.first() {
            Some(first) if is_atomic(&name.text) => self.changed_type(first),
            _ => Type::Scalar(INT),
        };
        Ok(Some((expr(ExprKind::Call(name.clone(), arguments), span), result)))
    }

    /// The arguments of `pthread_create`.
    fn creation(
        &mut self,
        handle: &Expr,
        attributes: &Expr,
        entry: &Expr,
        argument: &Expr,
    ) -> Lowered<Vec<Expr>> {
        let handle = match &handle.kind {
            ExprKind::Address(place) => self.handle(place)?,
            // The first of an array of handles, or the one so far behind it.
            ExprKind::Name(_) => {
                self.handle(&super::build::index(handle.clone(), zero(handle.span)))?
            }
            ExprKind::Binary(BinaryOp::Add, array, at) => {
                self.handle(&super::build::index((**array).clone(), (**at).clone()))?
            }
            _ => return refuse(handle.span, "a thread's handle behind a pointer"),
        };
        let span = handle.span;
        let handle = expr(ExprKind::Address(Box::new(handle)), span);
        let argument = self.passed(entry, argument)?;
        Ok(vec![handle, attributes.clone(), entry.clone(), argument])
    }

    /// The argument for a procedure that takes one.
    fn passed(&mut self, procedure: &Expr, argument: &Expr) -> Lowered<Expr> {
        let Some(signature) = procedure_name(procedure).and_then(|of| self.signatures.get(of))
        else {
            return refuse(procedure.span, "a thread whose procedure is not named");
        };
        match signature.parameters.clone().as_slice() {
            [] => Ok(zero(argument.span)),
            [ty] => self.converted(argument, ty),
            _ => refuse(procedure.span, "a thread with such parameters"),
        }
    }

    /// A handle: a variable, or an element of an array.
    fn handle(&mut self, e: &Expr) -> Lowered<Expr> {
        let (name, at) = match &e.kind {
            ExprKind::Name(name) => (name, None),
            ExprKind::Index(array, at) => match &array.kind {
                ExprKind::Name(name) => (name, Some(at)),
                _ => return refuse(e.span, "a thread's handle inside of an object"),
            },
            ExprKind::Cast(TypeName::Handle(_), _) => return Ok(e.clone()),
            _ => return refuse(e.span, "a thread's handle inside of an object"),
        };
        let is_handle = self.find(name).is_some_and(|variable| {
            matches!(variable.ty.element(), Type::Other(TypeName::Handle(Handle::Thread)))
        });
        if !is_handle {
            return refuse(e.span, "a thread's handle that is no variable of its own");
        }
        let handle = named(name, e.span);
        Ok(match at {
            None => handle,
            Some(at) => super::build::index(handle, self.scalar(at)?.0),
        })
    }

    /// The address of the object to which an argument points.
    fn object_at(&mut self, e: &Expr) -> Lowered<Expr> {
        let place = match &e.kind {
            ExprKind::PointerCast(_, inner) if matches!(inner.kind, ExprKind::Address(_)) => {
                return self.object_at(inner);
            }
            ExprKind::Address(place) => self.place(place, Use::Write)?,
            _ => {
                let leads = expr(ExprKind::Indirect(Box::new(e.clone())), e.span);
                self.place(&leads, Use::Write)?
            }
        };
        if place.spot.is_some() {
            return refuse(e.span, "what threads wait for, in memory of two types,");
        }
        Ok(expr(ExprKind::Address(Box::new(place.e)), e.span))
    }

    /// The address to which a join writes the thread's result.
    fn joined(&mut self, into: &Expr) -> Lowered<Expr> {
        if self.is_zero(into) {
            return Ok(into.clone());
        }
        let place = match &into.kind {
            ExprKind::PointerCast(_, inner) => return self.joined(inner),
            ExprKind::Address(place) => self.place(place, Use::Write)?,
            _ => return refuse(into.span, "a place for a thread's result behind a pointer"),
        };
        if place.spot.is_some() {
            return refuse(into.span, "a thread's result in memory of two types");
        }
        for entry in self.entries.clone() {
            let Some(result) = self.signatures.get(&entry).map(|s| s.result.clone()) else {
                continue;
            };
            let same = match (&result, &place.ty) {
                (Type::Pointer(..), Type::Pointer(..)) => self.regions.unify(&result, &place.ty),
                (Type::Scalar(_), Type::Scalar(_)) => true,
                _ => false,
            };
            if !same {
                return refuse(into.span, "a thread's result that is used as another type");
            }
        }
        Ok(expr(ExprKind::Address(Box::new(place.e)), into.span))
    }

    /// The type of what an atomic operation gives: that of its object.
    fn changed_type(&mut self, address: &Expr) -> Type {
        match &address.kind {
            ExprKind::Address(place) => self.static_type(place).unwrap_or(Type::Scalar(INT)),
            _ => Type::Scalar(INT),
        }
    }

    /// The threads of the program, by the procedures in which they start.
    pub(super) fn find_threads(&mut self) -> Survey {
        let survey = Survey::of(self.file);
        self.entries = survey.thread_entries.iter().cloned().collect();
        self.entries.sort();
        survey
    }
}

/// The body of a procedure as one step: no other thread runs in between.
pub(super) fn in_one_step(item: &mut Item) {
    let Item::Function(function) = item else { return };
    let Some(body) = &mut function.body else { return };
    let span = function.span;
    let block = Block { statements: std::mem::take(&mut body.statements), end: body.end };
    body.statements = vec![Statement { kind: StatementKind::Atomic(block), span }];
}
