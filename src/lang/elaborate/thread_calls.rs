//! Calls that concern threads: creation, joins, locks, and the ends of threads.

use super::address::Address;
use super::elaborator::Elaborator;
use super::meaning::ThreadCall;
use super::names::Entity;
use super::signature::{Formal, Role};
use super::survey::{handle_name, procedure_name};
use super::sync_calls::{either, two};
use super::target::{Path, Target};
use super::value::Value;
use crate::lang::lowering::expressions::cast;
use crate::lang::lowering::graph::Looks;
use crate::lang::message::{What, are, is};
use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, Operation, Place, ProcedureId, Scalar, Span, StatementKind,
    VariableId, VariableKind,
};
use crate::lang::syntax::{Expr, ExprKind, Handle, Name, TypeName};
use rustc_hash::FxHashSet;

/// What `errno.h` calls EINVAL and ESRCH.
const INVALID: i128 = 22;
const NO_SUCH: i128 = 3;

/// The type of the variables that hold results of threads.
const RESULT: Scalar = Scalar::int(64, false);

/// States of a thread's handle.
const DETACHED: u64 = 1;
const JOINED: u64 = 2;

impl Elaborator<'_> {
    /// Elaborates a call that acts on threads. Its value is 0.
    #[inline(never)]
    pub(super) fn thread_call(
        &mut self,
        call: ThreadCall,
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let expected = match call {
            ThreadCall::Create => 4,
            ThreadCall::Join | ThreadCall::MutexInit | ThreadCall::CleanupPush => 2,
            ThreadCall::Exit
            | ThreadCall::MutexDestroy
            | ThreadCall::Lock
            | ThreadCall::Unlock
            | ThreadCall::Detach
            | ThreadCall::CleanupPop => 1,
            ThreadCall::AtomicBegin | ThreadCall::AtomicEnd | ThreadCall::Nothing => {
                arguments.len()
            }
        };
        if arguments.len() != expected {
            let message =
                format!("`{}` takes {expected} arguments, not {}", name.text, arguments.len());
            self.diagnostics.error(span, message, "see its declaration in `pthread.h`");
            return Value::Poisoned;
        }
        match call {
            ThreadCall::Create => self.create(arguments, span),
            ThreadCall::Join => self.join(&arguments[0], &arguments[1], span),
            ThreadCall::Exit => self.exit_thread(&arguments[0], span),
            ThreadCall::Lock | ThreadCall::Unlock => {
                if let Some(target) = self.mutex(&arguments[0]) {
                    self.change_lock(call == ThreadCall::Lock, &target, span);
                }
            }
            ThreadCall::MutexInit => {
                if self.address(&arguments[1]) != Address::Null {
                    self.refuse_thread(
                        arguments[1].span,
                        is("a mutex with attributes"),
                        "give `NULL`: a plain mutex",
                    );
                }
                if let Some(target) = self.mutex(&arguments[0]) {
                    self.change_lock(false, &target, span);
                }
            }
            ThreadCall::MutexDestroy => {
                self.mutex(&arguments[0]);
            }
            ThreadCall::AtomicBegin | ThreadCall::AtomicEnd => {
                let atomic = self.atomic_variable();
                let value = if call == ThreadCall::AtomicBegin {
                    Expression::truth()
                } else {
                    Expression::falsity()
                };
                let looks = self.looks(StatementKind::Call, span);
                self.emit(Operation::Assign(vec![(Place::Variable(atomic), value)]), looks);
            }
            ThreadCall::Detach => return self.detach(&arguments[0], span),
            ThreadCall::CleanupPush => self.push_cleanup(arguments, span),
            ThreadCall::CleanupPop => self.pop_cleanup(&arguments[0], span),
            ThreadCall::Nothing => {
                let looks = self.looks(StatementKind::Skip, span);
                self.emit(Operation::Skip, looks);
            }
        }
        Value::Typed(Expression::Constant(0, self.int()))
    }

    /// Cimple's `lock(m)` and `unlock(m)`.
    pub(super) fn lock_statement(&mut self, lock: bool, arguments: &[Expr], span: Span) -> Value {
        let [place] = arguments else {
            self.diagnostics.error(span, "a lock is one variable", "write `lock(m)`");
            return Value::Poisoned;
        };
        let target = self.place(place);
        self.change_lock(lock, &target, span);
        Value::Void
    }

    /// Takes a lock in one step, once it is free; or frees it.
    pub(super) fn change_lock(&mut self, lock: bool, target: &Target, span: Span) {
        let (place, value) = match target {
            Target::Variable(id, scalar) => {
                (Place::Variable(*id), Expression::Variable(*id, *scalar))
            }
            Target::Element { array, index, scalar, .. } => (
                Place::Element(*array, index.clone()),
                Expression::Element(*array, Box::new(index.clone()), *scalar),
            ),
            _ => return,
        };
        let scalar = value.scalar();
        let looks = self.looks(StatementKind::Assumption, span);
        if !lock {
            let looks = Looks { kind: StatementKind::Assignment, ..looks };
            let frees = Operation::Assign(vec![(place, Expression::Constant(0, scalar))]);
            self.emit_synchronizing(frees, looks);
            return;
        }
        let free = cast(value, Scalar::BOOL).negated();
        self.emit(Operation::Assume(free), looks);
        self.last_edge_waits();
        let between = self.graph.here();
        self.program.concurrency.uninterruptible.insert(between);
        let hidden = self.looks(StatementKind::Hidden, span);
        self.emit(Operation::Assign(vec![(place, Expression::Constant(1, scalar))]), hidden);
    }

    /// Adds an edge that accesses atomically, or orders threads.
    pub(super) fn emit_synchronizing(&mut self, operation: Operation, looks: Looks) {
        let edge = EdgeId(self.program.edges.len() as u32);
        self.emit(operation, looks);
        self.program.concurrency.synchronizing.insert(edge);
    }

    pub(super) fn last_edge_waits(&mut self) {
        let edge = EdgeId(self.program.edges.len() as u32 - 1);
        self.program.concurrency.waits.insert(edge);
    }

    fn refuse_thread(&mut self, span: Span, what: What<'_>, hint: &str) {
        self.diagnostics.error(span, what, hint);
    }

    /// The mutex with this address.
    pub(super) fn mutex(&mut self, e: &Expr) -> Option<Target> {
        let place = match &e.kind {
            ExprKind::Address(place) => place,
            _ => {
                return match self.address(e) {
                    Address::Variable(id)
                        if self.program.variable(id).scalar.boolean
                            && !self.program.variable(id).is_array() =>
                    {
                        Some(Target::Variable(id, Scalar::BOOL))
                    }
                    _ => {
                        self.refuse_thread(
                            e.span,
                            is("a mutex that has no name"),
                            "pass the address of a mutex",
                        );
                        None
                    }
                };
            }
        };
        let known = match self.path(place) {
            Path::Variable { id, .. } => {
                self.program.variable(id).scalar.boolean
                    && self.program.variable(id).kind == VariableKind::Global
            }
            Path::Poisoned => return None,
            Path::Struct { .. } => false,
        };
        if !known {
            self.refuse_thread(e.span, is("this mutex"), "declare it as a `pthread_mutex_t`");
            return None;
        }
        Some(self.place(place))
    }

    fn create(&mut self, arguments: &[Expr], span: Span) {
        let Some(entry) = procedure_name(&arguments[2]).map(str::to_string) else {
            return self.refuse_thread(
                arguments[2].span,
                is("a thread whose procedure is not named"),
                "name the procedure",
            );
        };
        let Some(body) = self.bodies.get(&entry).copied() else {
            return self.refuse_thread(
                arguments[2].span,
                is(&format!("`{entry}` has no body: this thread")),
                "define it in this file",
            );
        };
        let creators: FxHashSet<&str> = self.survey.reached(std::iter::once(&entry));
        let again = self
            .survey
            .creations
            .iter()
            .any(|c| c.entry == entry && creators.contains(c.owner.as_str()));
        if again {
            return self.refuse_thread(
                span,
                is("recursion through thread creation"),
                "create the threads in main",
            );
        }
        let formals = self.signatures.get(&entry).map_or(Vec::new(), |s| s.parameters.clone());
        let mut given = None;
        let addresses = match formals[..] {
            [] => Vec::new(),
            [Formal::Pointer(type_name, pointers)] => {
                let address = self.address(&arguments[3]);
                vec![self.fitting(address, type_name, pointers)]
            }
            [Formal::Scalar(scalar)] => {
                given = Some((scalar, self.argument(&arguments[3], scalar)));
                Vec::new()
            }
            _ => {
                return self.refuse_thread(
                    span,
                    is("a thread with such parameters"),
                    "give its procedure one pointer, `void *`",
                );
            }
        };
        if given.is_none() && self.effects(&arguments[3]).calls {
            return self.refuse_thread(
                arguments[3].span,
                is("a thread's argument with effects"),
                "compute it before",
            );
        }
        let ended = self.join_flag(handle_name(&arguments[0]));
        let handle = match &arguments[0].kind {
            ExprKind::Address(place) if ended.is_none() => self.cells_of(place),
            _ => None,
        };
        // Where all get the null pointer, nothing has to be passed.
        let is_null = |(_, value): &(_, Expression)| matches!(value, Expression::Constant(0, _));
        let passes = given.as_ref().is_some_and(|given| !is_null(given));
        let apart = passes || !self.threads.locals.is_empty();
        let of_cell = |name: &String| apart || self.survey.joined.contains(name);
        if let Some((name, index)) = handle.filter(|(name, _)| of_cell(name)) {
            return self.create_in_cell((&name, index), (body, addresses, given), span);
        }
        if apart && ended.is_none() {
            let what = match passes {
                true => is("an argument of threads that share a handle"),
                false => are("variables of threads that share a handle"),
            };
            return self.refuse_thread(
                span,
                what,
                "give each thread an element of an array of handles",
            );
        }
        let given = given.filter(|_| ended.is_some());
        let Some(id) = self.copy_of(body, addresses, Role::Thread(ended), span) else { return };
        let looks = self.looks(StatementKind::Call, span);
        let operation = match self.passed(id, &given) {
            Some(write) => Operation::Assign(vec![write]),
            None => Operation::Skip,
        };
        self.emit(operation, looks);
        let edge = EdgeId(self.program.edges.len() as u32 - 1);
        self.program.concurrency.starts.insert(edge, id);
    }

    /// What the creation of a thread writes for its procedure to read as its first step.
    pub(super) fn passed(
        &mut self,
        id: ProcedureId,
        given: &Option<(Scalar, Expression)>,
    ) -> Option<(Place, Expression)> {
        let (scalar, value) = given.clone()?;
        let argument = match self.threads.arguments.get(&id) {
            Some(argument) => *argument,
            None => {
                let argument = self.hidden_global("argument");
                self.program.variables[argument].scalar = scalar;
                self.threads.arguments.insert(id, argument);
                argument
            }
        };
        Some((Place::Variable(argument), value))
    }

    /// The variable that holds the result of the thread that sets `ended`.
    pub(super) fn result_of(&mut self, ended: VariableId) -> VariableId {
        if let Some(result) = self.threads.results.get(&ended) {
            return *result;
        }
        let result = self.hidden_global("result");
        self.program.variables[result].scalar = RESULT;
        self.threads.results.insert(ended, result);
        result
    }

    /// The place to which a join writes the thread's result; `None` if it is not asked for.
    fn wanted(&mut self, into: &Expr) -> Option<(Place, Scalar)> {
        if self.address(into) == Address::Null {
            return None;
        }
        let is_number = |name: &String| {
            self.signatures.get(name).is_some_and(|s| s.result.is_some() && !s.pointer)
        };
        if !self.survey.thread_entries.iter().all(is_number) {
            self.refuse_thread(
                into.span,
                is("a thread's result that is a pointer"),
                "give `NULL`, and let the thread write to a variable",
            );
            return None;
        }
        let (place, now) = self.object(into)?;
        Some((place, now.scalar()))
    }

    /// What a join writes, once the thread that sets `ended` has done so.
    pub(super) fn received(
        &mut self,
        ended: VariableId,
        wanted: &Option<(Place, Scalar)>,
    ) -> Option<(Place, Expression)> {
        let (place, scalar) = wanted.clone()?;
        let result = self.result_of(ended);
        Some((place, cast(Expression::Variable(result, RESULT), scalar)))
    }

    /// The variable that says whether the thread of this handle has ended. `None` if there can be
    /// several such threads.
    fn join_flag(&mut self, handle: Option<&str>) -> Option<VariableId> {
        let handle = handle?;
        // Another procedure may have a handle of this name, too.
        let place = self.threads.places.get(handle).and_then(|place| place.owner.as_ref());
        let local = place.filter(|owner| **owner == self.current.name).cloned();
        let key = (local.clone(), handle.to_string());
        if let Some(flag) = self.threads.ended.get(&key) {
            return Some(*flag);
        }
        let mut sites = self.survey.creations.iter().filter(|creation| {
            let is_here = local.as_ref().is_none_or(|owner| *owner == creation.owner);
            creation.handle.as_deref() == Some(handle) && is_here
        });
        let (first, second) = (sites.next()?, sites.next());
        if second.is_some() || first.in_loop || !self.survey.runs_at_most_once(&first.owner) {
            return None;
        }
        let flag = self.hidden_global("ended");
        self.threads.ended.insert(key, flag);
        Some(flag)
    }

    pub(super) fn join(&mut self, e: &Expr, into: &Expr, span: Span) {
        let wanted = self.wanted(into);
        let plain = match &e.kind {
            ExprKind::Name(name) => self.join_flag(Some(name)).is_some(),
            _ => false,
        };
        if let Some((name, index)) = self.cells_of(e).filter(|_| !plain) {
            return self.join_cell((&name, index), &wanted, span);
        }
        let name = match &e.kind {
            ExprKind::Name(name)
                if matches!(self.names.find(name), Some(Entity::Handle(Handle::Thread))) =>
            {
                name.clone()
            }
            _ => {
                return self.refuse_thread(
                    e.span,
                    is("joining a thread without a named handle"),
                    "give each thread a variable of its own",
                );
            }
        };
        let Some(flag) = self.join_flag(Some(&name)) else {
            let hint = "join works where one call of `pthread_create`, outside of loops, gives the handle its value";
            return self.refuse_thread(
                e.span,
                is(&format!("joining `{name}`, which may be several threads,")),
                hint,
            );
        };
        let looks = self.looks(StatementKind::Assumption, span);
        self.emit(Operation::Assume(Expression::Variable(flag, Scalar::BOOL)), looks);
        self.last_edge_waits();
        if let Some(write) = self.received(flag, &wanted) {
            let looks = self.looks(StatementKind::Hidden, span);
            self.emit(Operation::Assign(vec![write]), looks);
        }
        if self.survey.calls.values().any(|called| called.contains("pthread_detach")) {
            let state = self.handle_state(flag);
            let joined = Expression::Constant(JOINED, Scalar::int(2, false));
            let hidden = self.looks(StatementKind::Hidden, span);
            self.emit(Operation::Assign(vec![(Place::Variable(state), joined)]), hidden);
        }
    }

    /// `pthread_detach`: 0 the first time; later, or once the thread was joined, an error. Of a
    /// handle that can stand for several threads only the first time is known.
    fn detach(&mut self, e: &Expr, span: Span) -> Value {
        let int = self.int();
        let nothing = Value::Typed(Expression::Constant(0, int));
        let name = match &e.kind {
            ExprKind::Name(name)
                if matches!(self.names.find(name), Some(Entity::Handle(Handle::Thread))) =>
            {
                name.clone()
            }
            // A number is no thread's handle.
            ExprKind::Cast(TypeName::Handle(_), inner)
                if matches!(inner.kind, ExprKind::Number(..)) =>
            {
                return Value::Typed(self.int_constant(NO_SUCH, span));
            }
            _ => return nothing,
        };
        let Some(ended) = self.join_flag(Some(&name)) else { return nothing };
        let (invalid, none) = (self.int_constant(INVALID, span), self.int_constant(NO_SUCH, span));
        let state = self.handle_state(ended);
        let scalar = Scalar::int(2, false);
        let number = |n: u64| Expression::Constant(n, scalar);
        let now = Expression::Variable(state, scalar);
        let is = |n: u64| two(BinaryOperator::Equal, now.clone(), number(n));
        let gone =
            two(BinaryOperator::And, is(DETACHED), Expression::Variable(ended, Scalar::BOOL));
        let gone = two(BinaryOperator::Or, is(JOINED), gone);
        let again = either(is(DETACHED), invalid, Expression::Constant(0, int));
        let new = either(is(JOINED), number(JOINED), number(DETACHED));
        self.change(Place::Variable(state), new, either(gone, none, again), span)
    }

    /// The hidden global that says whether the thread that sets `ended` was detached or joined.
    fn handle_state(&mut self, ended: VariableId) -> VariableId {
        if let Some(state) = self.threads.handles.get(&ended) {
            return *state;
        }
        let state = self.hidden_global("handle");
        self.program.variables[state].scalar = Scalar::int(2, false);
        self.threads.handles.insert(ended, state);
        state
    }

    /// `pthread_cleanup_push`: the handler is called by the `pthread_cleanup_pop` of the same
    /// block, if that says so, and by a `pthread_exit` in between.
    fn push_cleanup(&mut self, arguments: &[Expr], span: Span) {
        let Some(handler) = procedure_name(&arguments[0]).map(str::to_string) else {
            let hint = "name the procedure";
            return self.refuse_thread(span, is("a handler that is not named"), hint);
        };
        if self.effects(&arguments[1]).any() {
            let hint = "compute it before";
            return self.refuse_thread(span, is("a handler's argument with effects"), hint);
        }
        let handler = Name { text: handler, span: arguments[0].span };
        self.current.cleanups.push((handler, arguments[1].clone()));
    }

    fn pop_cleanup(&mut self, execute: &Expr, span: Span) {
        let Some((handler, argument)) = self.current.cleanups.pop() else {
            let hint = "push and pop stand in the same block";
            return self.refuse_thread(span, is("a pop without its push"), hint);
        };
        match self.expression(execute).constant() {
            Some(0) => {}
            Some(_) => {
                self.call(&handler, &[argument], span, None, Some(span));
            }
            None => self.refuse_thread(execute.span, is("this"), "give a constant, 0 or 1"),
        }
    }

    /// `pthread_exit` ends the thread at once.
    fn exit_thread(&mut self, value: &Expr, span: Span) {
        let owner = self.current.name.clone();
        let is_entry = self.survey.thread_entries.contains(&owner);
        if !is_entry && self.shared_by_threads.contains(&owner) {
            self.refuse_thread(
                span,
                is("`pthread_exit` outside of a thread's own procedure"),
                "return from the thread's procedure",
            );
            return;
        }
        if let (true, Some((result, scalar))) = (is_entry, self.current.result) {
            let value = self.expression(value);
            let value = self.convert(value, scalar, span);
            let looks = self.looks(StatementKind::Hidden, span);
            self.emit(Operation::Assign(vec![(Place::Variable(result), value)]), looks);
        }
        for (handler, argument) in self.current.cleanups.clone().into_iter().rev() {
            self.call(&handler, &[argument], span, None, Some(span));
        }
        self.end_thread(span);
        let looks = self.looks(StatementKind::Assumption, span);
        self.emit(Operation::Assume(Expression::falsity()), looks);
        let edge = EdgeId(self.program.edges.len() as u32 - 1);
        self.program.concurrency.ends.insert(edge);
    }
}
