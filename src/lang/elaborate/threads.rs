//! Threads: where they start and end, and which steps are indivisible
//! ([`crate::lang::concurrency::Concurrency`]).
//!
//! In Cimple a statement is one step. In C every read and every write of a variable that threads
//! may share is a step of its own, unless something makes it atomic. Therefore a read of a global
//! is first stored in a temporary.

use super::address::Address;
use super::elaborator::Elaborator;
use super::names::Entity;
use super::signature::Role;
use super::target::Target;
use super::value::{has_choice, reads};
use crate::lang::lowering::expressions::cast;
use crate::lang::lowering::graph::Looks;
use crate::lang::message::is;
use crate::lang::model::{
    Expression, Initial, Operation, Place, ProcedureId, Scalar, Span, StatementKind, VariableId,
    VariableKind,
};
use crate::lang::syntax::{Block, File, Item};
use crate::util::order::inserted;

impl Elaborator<'_> {
    /// Finds the procedures that threads run.
    pub(super) fn find_threads(&mut self, file: &File) {
        self.threads.any = !self.survey.thread_entries.is_empty()
            || file.items.iter().any(|i| matches!(i, Item::Thread(_)));
        let entries: Vec<String> = self.survey.thread_entries.iter().cloned().collect();
        self.shared_by_threads =
            self.survey.reached(entries.iter()).into_iter().map(str::to_string).collect();
    }

    /// Starts Cimple's threads, which run from the start of the program.
    pub(super) fn start_threads(&mut self, file: &File) {
        for item in &file.items {
            if let Item::Thread(function) = item
                && let Some(id) = self.signatures.get(&function.name.text).and_then(|s| s.id)
            {
                self.program.concurrency.threads.push(id);
            }
        }
    }

    /// The procedure that starts if there is no main: the first thread.
    pub(super) fn first_thread(&self) -> Option<usize> {
        self.program.concurrency.threads.first().map(|id| id.0 as usize)
    }

    /// If there is no main, the thread that starts in its place does not start a second time.
    pub(super) fn finish_threads(&mut self, has_main: bool) {
        let atomics = self.threads.atomics.iter().chain(&self.threads.atomic_structs).copied();
        self.program.concurrency.atomics = inserted(atomics);
        if !has_main {
            let first = ProcedureId(self.program.main as u32);
            self.program.concurrency.threads.retain(|id| *id != first);
        }
    }

    /// Is each access to a shared variable a step of its own?
    pub(super) fn reads_apart(&self) -> bool {
        self.c && self.threads.any && !self.total
    }

    /// May threads share the variable that this name means?
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

    /// A read of a variable. If threads may share the variable, the read is a step of its own.
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
        let stored = self.store(value, looks);
        if let (Expression::Variable(copy, _), Some(room)) =
            (&stored, self.program.memory.pointers.get(&id).copied())
        {
            self.program.memory.pointers.insert(*copy, room);
        }
        stored
    }

    /// The value that is written to this variable, in a form that can be used again after the
    /// write.
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

    /// Notes that what this name means is `_Atomic`: a variable, the elements of an array, or a
    /// struct as a whole.
    pub(super) fn mark_atomic(&mut self, name: &str) {
        match self.names.find(name) {
            Some(Entity::Variable { id, .. }) => {
                self.threads.atomics.insert(id);
            }
            Some(Entity::Aggregate(index)) => {
                let leaves = self.aggregates[index as usize].leaves.iter();
                self.threads.atomic_structs.extend(leaves);
            }
            _ => {}
        }
    }

    /// Is `place op= …` one step at this place, and `place++`?
    pub(super) fn is_indivisible(&self, target: &Target) -> bool {
        let (Target::Variable(id, _) | Target::Element { array: id, .. }) = target else {
            return false;
        };
        self.reads_apart() && self.threads.atomics.contains(id)
    }

    /// Begins a change of an `_Atomic` place, which is one step. Returns the variable that keeps
    /// the old value of `atomic`.
    pub(super) fn open_indivisible(&mut self, span: Span) -> VariableId {
        let looks = self.looks(StatementKind::Hidden, span);
        self.open_atomic(&looks)
    }

    pub(super) fn close_indivisible(&mut self, saved: VariableId, span: Span) {
        self.close_atomic(saved, span);
    }

    /// The variable that is true while no other thread may run.
    pub(super) fn atomic_variable(&mut self) -> VariableId {
        if let Some(id) = self.program.concurrency.atomic {
            return id;
        }
        let id = self.hidden_global("atomic");
        self.program.concurrency.atomic = Some(id);
        id
    }

    pub(super) fn hidden_global(&mut self, name: &str) -> VariableId {
        let span = Span { start: 0, end: 0, line: 1 };
        let id = self.new_variable(name, Scalar::BOOL, Vec::new(), VariableKind::Global, span);
        self.program.variables[id].initial = Initial::Exactly(vec![0]);
        id
    }

    /// Sets `atomic`, and stores its old value in the variable that it returns.
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

    /// Leaves atomic blocks until `depth` of them are open.
    pub(super) fn leave_atomic(&mut self, depth: usize, span: Span) {
        if let Some(saved) = self.current.atomic.get(depth).copied() {
            self.close_atomic(saved, span);
        }
    }

    pub(super) fn refuse_jump(&mut self, span: Span, what: &str) {
        self.diagnostics.error(span, is(what), "use `break`, `continue` or `return`");
    }

    /// Adds what a procedure does before its first statement, according to its role.
    pub(super) fn open_thread(&mut self, role: Role, looks: &Looks) {
        if let Role::Thread(Some(ended)) = role {
            self.current.ended = Some(ended);
        }
        if self.current.name.starts_with("__VERIFIER_atomic_") {
            let saved = self.open_atomic(looks);
            self.current.atomic.push(saved);
        }
    }

    /// Adds what a procedure does after its last statement.
    pub(super) fn close_procedure(&mut self, span: Span) {
        if self.graph.current.is_none() {
            return;
        }
        self.leave_atomic(0, span);
        self.end_thread(span);
    }

    /// A local that stands beside the globals: its declaration gives it a value, so what it holds
    /// before that does not count, unless a jump can pass the declaration by.
    pub(super) fn begins_with_declaration(&mut self, id: VariableId) {
        let variable = &self.program.variables[id];
        let is_passed_by = self.current.has_goto || !self.current.switches.is_empty();
        if self.threads.any && variable.kind == VariableKind::Global && !is_passed_by {
            let elements = variable.elements() as usize;
            self.program.variables[id].initial = Initial::Exactly(vec![0; elements]);
        }
    }

    /// Sets the variable that says that the thread has ended, and the one with its result.
    pub(super) fn end_thread(&mut self, span: Span) {
        let Some(ended) = self.current.ended else { return };
        let mut writes = vec![(Place::Variable(ended), Expression::truth())];
        if let Some((result, scalar)) = self.current.result {
            let kept = self.result_of(ended);
            let wide = self.program.variable(kept).scalar;
            writes.push((Place::Variable(kept), cast(Expression::Variable(result, scalar), wide)));
        }
        let looks = self.looks(StatementKind::Hidden, span);
        self.emit(Operation::Assign(writes), looks);
    }
}
