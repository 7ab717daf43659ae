//! Threads: where they start and end, locks, joins, and what is indivisible
//! ([`crate::lang::concurrency::Concurrency`]).
//!
//! In Cimple a statement is one step. In C every read and every write of a variable that threads
//! may share is a step of its own, unless something makes them atomic: so a read of a global goes
//! into a temporary first.

use super::Elaborator;
use super::graph::Looks;
use super::names::Entity;
use super::paths::Path;
use super::places::Target;
use super::pointers::Address;
use super::value::{Value, has_choice, reads};
use crate::lang::model::{
    EdgeId, Expression, Initial, Operation, Place, ProcedureId, Scalar, Span, StatementKind,
    VariableId, VariableKind,
};
use crate::lang::syntax::{Block, Expr, ExprKind, File, Handle, Item, Name};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a copy of a procedure is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// To be called.
    Procedure,
    /// To be run by a thread, which sets the variable when it ends.
    Thread(Option<VariableId>),
}

/// Where a thread is created.
#[derive(Clone, Debug)]
pub(super) struct Creation {
    pub(super) owner: String,
    pub(super) entry: String,
    /// The handle's name, if it has one.
    pub(super) handle: Option<String>,
    pub(super) in_loop: bool,
}

/// What is known of the program's threads.
#[derive(Debug, Default)]
pub(super) struct Threads {
    any: bool,
    /// Set when the thread of this handle has ended.
    ended: FxHashMap<String, VariableId>,
    pub(super) mutexes: FxHashSet<VariableId>,
    /// C's `_Atomic` variables.
    atomics: FxHashSet<VariableId>,
}

/// The calls that concern threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThreadCall {
    Create,
    Join,
    Exit,
    MutexInit,
    MutexDestroy,
    Lock,
    Unlock,
    AtomicBegin,
    AtomicEnd,
    /// Nothing that a run depends on.
    Nothing,
}

/// The procedure that an expression names: `f`, `&f`, `(void *(*)(void *))f`.
pub(super) fn procedure_name(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Address(inner) | ExprKind::PointerCast(inner) | ExprKind::Indirect(inner) => {
            match &inner.kind {
                ExprKind::Name(name) => Some(name),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `&t` of a plain name.
pub(super) fn handle_name(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Address(inner) => match &inner.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

impl Elaborator<'_> {
    /// Which procedures run beside main.
    pub(super) fn find_threads(&mut self, file: &File) {
        self.threads.any = !self.survey.thread_entries.is_empty()
            || file.items.iter().any(|i| matches!(i, Item::Thread(_)));
        let entries: Vec<String> = self.survey.thread_entries.iter().cloned().collect();
        self.shared_by_threads =
            self.survey.reached(entries.iter()).into_iter().map(str::to_string).collect();
    }

    /// Cimple's threads run from the start.
    pub(super) fn start_threads(&mut self, file: &File) {
        for item in &file.items {
            if let Item::Thread(function) = item
                && let Some(id) = self.signatures.get(&function.name.text).and_then(|s| s.id)
            {
                self.program.concurrency.threads.push(id);
            }
        }
    }

    /// What starts where there is no main: procedures that threads call are none of them.
    pub(super) fn first_thread(&self) -> Option<usize> {
        self.program.concurrency.threads.first().map(|id| id.0 as usize)
    }

    /// What starts where there is no main does not run twice.
    pub(super) fn finish_threads(&mut self, has_main: bool) {
        if !has_main {
            let first = ProcedureId(self.program.main as u32);
            self.program.concurrency.threads.retain(|id| *id != first);
        }
    }

    /// Is every access to what threads share a step of its own?
    pub(super) fn reads_apart(&self) -> bool {
        self.c && self.threads.any && !self.total
    }

    /// May threads share what this name means?
    pub(super) fn is_shared_name(&self, name: &str) -> bool {
        match self.names.find(name) {
            Some(Entity::Variable { id, constant, .. }) => {
                !constant && self.program.variable(id).kind == VariableKind::Global
            }
            Some(Entity::Aggregate(index)) => {
                let leaves = &self.aggregates[index as usize].leaves;
                leaves
                    .first()
                    .is_some_and(|leaf| self.program.variable(*leaf).kind == VariableKind::Global)
            }
            Some(Entity::Pointer(Address::Variable(_) | Address::Aggregate(_))) => true,
            _ => false,
        }
    }

    /// A read of a variable: a step of its own where threads share it.
    pub(super) fn read_apart(
        &mut self,
        id: VariableId,
        value: Expression,
        span: Span,
    ) -> Expression {
        if !self.reads_apart()
            || self.program.variable(id).kind != VariableKind::Global
            || !self.names.in_block()
            || self.folding
        {
            return value;
        }
        let looks = self.looks(StatementKind::Hidden, span);
        self.store(value, looks)
    }

    /// A value on its way into this variable, which is used again afterwards.
    pub(super) fn kept_apart(
        &mut self,
        value: Expression,
        to: VariableId,
        span: Span,
    ) -> Expression {
        if !has_choice(&value) && !reads(&value, |v| v == to) {
            return value;
        }
        let looks = self.looks(StatementKind::Hidden, span);
        self.store(value, looks)
    }

    pub(super) fn mark_atomic(&mut self, name: &str) {
        if let Some(Entity::Variable { id, .. }) = self.names.find(name) {
            self.threads.atomics.insert(id);
        }
    }

    /// Before `place op= …` or `place++`: one step if the variable is `_Atomic`. Gives what
    /// `atomic` was.
    pub(super) fn open_indivisible(&mut self, place: &Expr, changes: bool) -> Option<VariableId> {
        let ExprKind::Name(name) = &place.kind else { return None };
        let Some(Entity::Variable { id, .. }) = self.names.find(name) else { return None };
        if !changes || !self.reads_apart() || !self.threads.atomics.contains(&id) {
            return None;
        }
        let looks = self.looks(StatementKind::Hidden, place.span);
        Some(self.open_atomic(&looks))
    }

    pub(super) fn close_indivisible(&mut self, saved: Option<VariableId>, span: Span) {
        if let Some(saved) = saved {
            self.close_atomic(saved, span);
        }
    }

    /// The variable that holds while no other thread may run.
    fn atomic_variable(&mut self) -> VariableId {
        if let Some(id) = self.program.concurrency.atomic {
            return id;
        }
        let id = self.hidden_global("atomic");
        self.program.concurrency.atomic = Some(id);
        id
    }

    fn hidden_global(&mut self, name: &str) -> VariableId {
        let span = Span { start: 0, end: 0, line: 1 };
        let id = self.new_variable(name, Scalar::BOOL, Vec::new(), VariableKind::Global, span);
        self.program.variables[id].initial = Initial::Exactly(vec![0]);
        id
    }

    /// Sets `atomic`, and remembers what it was.
    fn open_atomic(&mut self, looks: &Looks) -> VariableId {
        let atomic = self.atomic_variable();
        let saved = self.temporary(Scalar::BOOL, looks.span);
        let stores = vec![
            (Place::Variable(saved), Expression::Variable(atomic, Scalar::BOOL)),
            (Place::Variable(atomic), Expression::truth()),
        ];
        self.emit(
            Operation::Assign(stores),
            Looks { kind: StatementKind::Hidden, ..looks.clone() },
        );
        saved
    }

    fn close_atomic(&mut self, saved: VariableId, span: Span) {
        let atomic = self.atomic_variable();
        let looks = self.looks(StatementKind::Hidden, span);
        let value = Expression::Variable(saved, Scalar::BOOL);
        self.emit(Operation::Assign(vec![(Place::Variable(atomic), value)]), looks);
    }

    /// `atomic { … }`
    pub(super) fn atomic_block(&mut self, block: &Block, span: Span) {
        let looks = self.looks(StatementKind::Hidden, span);
        let saved = self.open_atomic(&looks);
        self.current.atomic.push(saved);
        self.names.open();
        self.block_statements(&block.statements);
        self.names.close();
        self.current.atomic.pop();
        if self.graph.current.is_some() {
            self.close_atomic(saved, block.end);
        }
    }

    /// A jump out of atomic blocks, to where `depth` of them are open.
    pub(super) fn leave_atomic(&mut self, depth: usize, span: Span) {
        if let Some(saved) = self.current.atomic.get(depth).copied() {
            self.close_atomic(saved, span);
        }
    }

    pub(super) fn refuse_jump(&mut self, span: Span, what: &str) {
        self.diagnostics.error(
            span,
            format!("{what} is not modelled: line {}", span.line),
            "use `break`, `continue` or `return`",
        );
    }

    /// What a procedure does before its first statement, for its role.
    pub(super) fn open_thread(&mut self, role: Role, looks: &Looks) {
        if let Role::Thread(Some(ended)) = role {
            self.current.ended = Some(ended);
        }
        if self.current.name.starts_with("__VERIFIER_atomic_") {
            let saved = self.open_atomic(looks);
            self.current.atomic.push(saved);
        }
    }

    /// What a procedure does after its last statement.
    pub(super) fn close_procedure(&mut self, span: Span) {
        if self.graph.current.is_none() {
            return;
        }
        self.leave_atomic(0, span);
        self.end_thread(span);
    }

    /// The thread says that it ends.
    pub(super) fn end_thread(&mut self, span: Span) {
        if let Some(ended) = self.current.ended {
            let looks = self.looks(StatementKind::Hidden, span);
            self.emit(
                Operation::Assign(vec![(Place::Variable(ended), Expression::truth())]),
                looks,
            );
        }
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

    /// Takes a lock once it is free, in one step; or frees it.
    fn change_lock(&mut self, lock: bool, target: &Target, span: Span) {
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
            self.emit(Operation::Assign(vec![(place, Expression::Constant(0, scalar))]), looks);
            return;
        }
        let free = super::conversions::cast(value, Scalar::BOOL).negated();
        self.emit(Operation::Assume(free), looks);
        self.last_edge_waits();
        let between = self.graph.here();
        self.program.concurrency.uninterruptible.insert(between);
        let hidden = self.looks(StatementKind::Hidden, span);
        self.emit(Operation::Assign(vec![(place, Expression::Constant(1, scalar))]), hidden);
    }

    fn last_edge_waits(&mut self) {
        let edge = EdgeId(self.program.edges.len() as u32 - 1);
        self.program.concurrency.waits.insert(edge);
    }

    /// A call that concerns threads; its value is 0.
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
            ThreadCall::Join | ThreadCall::MutexInit => 2,
            ThreadCall::Exit | ThreadCall::MutexDestroy | ThreadCall::Lock | ThreadCall::Unlock => {
                1
            }
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
            ThreadCall::Join => self.join(&arguments[0], span),
            ThreadCall::Exit => self.exit_thread(span),
            ThreadCall::Lock | ThreadCall::Unlock => {
                if let Some(target) = self.mutex(&arguments[0]) {
                    self.change_lock(call == ThreadCall::Lock, &target, span);
                }
            }
            ThreadCall::MutexInit => {
                if self.address(&arguments[1]) != Address::Null {
                    self.refuse_thread(
                        arguments[1].span,
                        "a mutex with attributes is",
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
            ThreadCall::Nothing => {
                let looks = self.looks(StatementKind::Skip, span);
                self.emit(Operation::Skip, looks);
            }
        }
        Value::Typed(Expression::Constant(0, self.int()))
    }

    fn refuse_thread(&mut self, span: Span, what: &str, hint: &str) {
        self.diagnostics.error(span, format!("{what} not modelled: line {}", span.line), hint);
    }

    /// The mutex whose address this is.
    fn mutex(&mut self, e: &Expr) -> Option<Target> {
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
                            "a mutex that has no name is",
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
            self.refuse_thread(e.span, "this mutex is", "declare it as a `pthread_mutex_t`");
            return None;
        }
        Some(self.place(place))
    }

    fn create(&mut self, arguments: &[Expr], span: Span) {
        let Some(entry) = procedure_name(&arguments[2]).map(str::to_string) else {
            return self.refuse_thread(
                arguments[2].span,
                "a thread whose procedure is not named is",
                "name the procedure",
            );
        };
        let Some(body) = self.bodies.get(&entry).copied() else {
            return self.refuse_thread(
                arguments[2].span,
                &format!("`{entry}` has no body: this thread is"),
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
                "recursion through thread creation is",
                "create the threads in main",
            );
        }
        let formals = self.signatures.get(&entry).map_or(Vec::new(), |s| s.parameters.clone());
        let addresses = match formals[..] {
            [] => Vec::new(),
            [super::Formal::Pointer(type_name, pointers)] => {
                let address = self.address(&arguments[3]);
                vec![self.fitting(address, type_name, pointers)]
            }
            _ => {
                return self.refuse_thread(
                    span,
                    "a thread with such parameters is",
                    "give its procedure one pointer, `void *`",
                );
            }
        };
        if self.effects(&arguments[3]).calls {
            return self.refuse_thread(
                arguments[3].span,
                "a thread's argument with effects is",
                "compute it before",
            );
        }
        let ended = self.join_flag(handle_name(&arguments[0]));
        let Some(id) = self.copy_of(body, addresses, Role::Thread(ended), span) else { return };
        let looks = self.looks(StatementKind::Call, span);
        self.emit(Operation::Skip, looks);
        let edge = EdgeId(self.program.edges.len() as u32 - 1);
        self.program.concurrency.starts.insert(edge, id);
    }

    /// The variable that tells that the thread of this handle ended, if there can be only one such
    /// thread.
    fn join_flag(&mut self, handle: Option<&str>) -> Option<VariableId> {
        let handle = handle?;
        if let Some(flag) = self.threads.ended.get(handle) {
            return Some(*flag);
        }
        let mut sites =
            self.survey.creations.iter().filter(|c| c.handle.as_deref() == Some(handle));
        let (first, second) = (sites.next()?, sites.next());
        if second.is_some() || first.in_loop || !self.survey.runs_at_most_once(&first.owner) {
            return None;
        }
        let flag = self.hidden_global("ended");
        self.threads.ended.insert(handle.to_string(), flag);
        Some(flag)
    }

    fn join(&mut self, e: &Expr, span: Span) {
        let name = match &e.kind {
            ExprKind::Name(name)
                if matches!(self.names.find(name), Some(Entity::Handle(Handle::Thread))) =>
            {
                name.clone()
            }
            _ => {
                return self.refuse_thread(
                    e.span,
                    "joining a thread without a named handle is",
                    "give each thread a variable of its own",
                );
            }
        };
        let Some(flag) = self.join_flag(Some(&name)) else {
            let hint = "join works where one call of `pthread_create`, outside of loops, gives the handle its value";
            return self.refuse_thread(
                e.span,
                &format!("joining `{name}`, which may be several threads, is"),
                hint,
            );
        };
        let looks = self.looks(StatementKind::Assumption, span);
        self.emit(Operation::Assume(Expression::Variable(flag, Scalar::BOOL)), looks);
        self.last_edge_waits();
    }

    /// `pthread_exit` ends the thread where it stands.
    fn exit_thread(&mut self, span: Span) {
        let owner = self.current.name.clone();
        let is_entry = self.survey.thread_entries.contains(&owner);
        if !is_entry && self.shared_by_threads.contains(&owner) {
            self.refuse_thread(
                span,
                "`pthread_exit` outside of a thread's own procedure is",
                "return from the thread's procedure",
            );
            return;
        }
        self.end_thread(span);
        let looks = self.looks(StatementKind::Assumption, span);
        self.emit(Operation::Assume(Expression::falsity()), looks);
        let edge = EdgeId(self.program.edges.len() as u32 - 1);
        self.program.concurrency.ends.insert(edge);
    }
}
