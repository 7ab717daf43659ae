//! Statements become edges; jumps and loops become the shape of the graph.

use super::address::Address;
use super::current::{Jumps, Label};
use super::elaborator::Elaborator;
use super::value::Value;
use crate::lang::lowering::graph::{Looks, Pending};
use crate::lang::message::{Message, is};
use crate::lang::model::{
    ErrorKind, Expression, LocationId, Operation, Place, Span, StatementKind as Kind, Subject,
};
use crate::lang::syntax::{Branch, Expr, ExprKind, Name, Statement, StatementKind, TypeName};

/// How CBMC's labels begin behind which a statement runs in a thread of its own.
const THREAD_LABEL: &str = "__CPROVER_ASYNC_";

impl Elaborator<'_> {
    pub(super) fn block_statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Empty => {}
            StatementKind::Block(block) => {
                self.names.open();
                self.block_statements(&block.statements);
                self.names.close();
            }
            StatementKind::Atomic(block) => self.atomic_block(block, span),
            StatementKind::Ghost(block) => {
                let outside = std::mem::replace(&mut self.ghost, true);
                self.names.open();
                self.block_statements(&block.statements);
                self.names.close();
                self.ghost = outside;
            }
            StatementKind::Declaration(declaration) => self.local_declaration(declaration),
            StatementKind::Expression(e) => self.expression_statement(e),
            StatementKind::If { branches, otherwise } => {
                self.if_chain(branches, otherwise.as_deref())
            }
            StatementKind::While { condition, body } => self.while_loop(condition, body, span),
            StatementKind::DoWhile { body, condition, head } => {
                self.do_while(body, condition, *head, span)
            }
            StatementKind::For { initial, condition, step, body } => {
                self.names.open();
                if let Some(initial) = initial {
                    self.statement(initial);
                }
                self.for_loop(condition.as_ref(), step.as_ref(), body, span);
                self.names.close();
            }
            StatementKind::Switch { scrutinee, body } => self.switch(scrutinee, body, span),
            StatementKind::Case(value) => self.case(value, span),
            StatementKind::Default => self.default_case(span),
            StatementKind::Label(name) => self.label(name, span),
            StatementKind::Goto(name) => self.goto(name, span),
            StatementKind::Break => self.leave(span, true),
            StatementKind::Continue => self.leave(span, false),
            StatementKind::Return(value) => self.return_statement(value.as_ref(), span),
            StatementKind::Forget(places) => self.forget(places, span),
            StatementKind::Unset(places) => self.unset(places, span),
            StatementKind::CutOff(condition) => self.cut_off(condition, span),
        }
        // Checks of an unused value still count.
        if !self.pending.checks.is_empty() {
            let looks = self.looks(Kind::Skip, span);
            self.emit(Operation::Skip, looks);
        }
        self.pending = Pending::default();
    }

    /// Evaluates an expression for its effects only.
    fn expression_statement(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Comma(list) => {
                for part in list {
                    self.expression_statement(part);
                }
            }
            ExprKind::Assign(op, place, value) => {
                self.assignment(*op, place, value, e.span, false);
            }
            ExprKind::Step { up, prefix, place } => {
                self.step(*up, *prefix, place, e.span, false);
            }
            ExprKind::Call(name, arguments) => self.call_statement(name, arguments, e.span),
            ExprKind::Cast(TypeName::Void, inner) => self.expression_statement(inner),
            ExprKind::Name(name)
                if name == "skip" && !self.c && self.names.find(name).is_none() =>
            {
                let looks = self.looks(Kind::Skip, e.span);
                self.emit(Operation::Skip, looks);
            }
            _ => {
                // `(void)x` reads nothing.
                let is_name = matches!(e.kind, ExprKind::Name(_));
                let moving = std::mem::replace(&mut self.reads.moving, is_name);
                self.expression(e);
                self.reads.moving = moving;
                if !self.pending.checks.is_empty() {
                    let looks = self.looks(Kind::Skip, e.span);
                    self.emit(Operation::Skip, looks);
                }
            }
        }
    }

    fn if_chain(&mut self, branches: &[Branch], otherwise: Option<&Statement>) {
        let mut end = None;
        for branch in branches {
            let looks = self.looks(Kind::Condition, branch.head);
            let (when_true, when_false) =
                self.branch(&branch.condition, &looks, Some("true"), Some("false"));
            self.graph.current = when_true;
            self.scoped(&branch.then);
            end = self.graph.join(end, self.graph.current);
            self.graph.current = when_false;
        }
        if let Some(otherwise) = otherwise {
            self.scoped(otherwise);
        }
        self.graph.current = self.graph.join(end, self.graph.current);
    }

    /// A statement with a scope of its own.
    fn scoped(&mut self, statement: &Statement) {
        self.names.open();
        self.statement(statement);
        self.names.close();
    }

    fn loop_body(&mut self, body: &Statement, continue_to: Option<LocationId>) -> Jumps {
        self.current.loops += 1;
        let atomic = self.current.atomic.len();
        self.current.jumps.push(Jumps { break_to: None, continue_to, is_loop: true, atomic });
        self.scoped(body);
        self.current.loops -= 1;
        self.current.jumps.pop().expect("pushed above, and every inner loop pops its own")
    }

    fn while_loop(&mut self, condition: &Expr, body: &Statement, span: Span) {
        self.leave_entry(span);
        let head = self.graph.here();
        let looks = self.looks(Kind::Condition, span);
        let (when_true, when_false) = self.branch(condition, &looks, Some("true"), Some("false"));
        self.graph.current = when_true;
        let jumps = self.loop_body(body, Some(head));
        if let Some(end) = self.graph.current {
            self.graph.merge(end, head);
        }
        self.graph.current = self.graph.join(when_false, jumps.break_to);
    }

    fn do_while(&mut self, body: &Statement, condition: &Expr, head: Span, span: Span) {
        self.leave_entry(span);
        let start = self.graph.here();
        let jumps = self.loop_body(body, None);
        self.graph.current = self.graph.join(self.graph.current, jumps.continue_to);
        let looks = self.looks(Kind::Condition, head);
        let (when_true, when_false) = self.branch(condition, &looks, Some("true"), Some("false"));
        if let Some(again) = when_true {
            self.graph.merge(again, start);
        }
        self.graph.current = self.graph.join(when_false, jumps.break_to);
    }

    fn for_loop(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Statement,
        span: Span,
    ) {
        self.leave_entry(span);
        let head = self.graph.here();
        let mut when_false = None;
        if let Some(condition) = condition {
            // Its outcome would be taken for that of the whole header.
            let text = match span.start <= condition.span.start && condition.span.end <= span.end {
                true => self.tidy(condition.span),
                false => self.tidy(span),
            };
            let looks = Looks { text, ..self.looks(Kind::Condition, span) };
            let (then, otherwise) = self.branch(condition, &looks, Some("true"), Some("false"));
            self.graph.current = then;
            when_false = otherwise;
        }
        let jumps = self.loop_body(body, None);
        self.graph.current = self.graph.join(self.graph.current, jumps.continue_to);
        if let Some(step) = step {
            self.expression_statement(step);
        }
        if let Some(end) = self.graph.current {
            self.graph.merge(end, head);
        }
        self.graph.current = self.graph.join(when_false, jumps.break_to);
    }

    /// `break` or `continue`.
    fn leave(&mut self, span: Span, is_break: bool) {
        let Some(index) = self.current.jumps.iter().rposition(|j| is_break || j.is_loop) else {
            let word = if is_break { "break" } else { "continue" };
            self.diagnostics.error(span, format!("`{word}` outside a loop"), "");
            return;
        };
        let jumps = &mut self.current.jumps[index];
        let depth = jumps.atomic;
        let slot = if is_break { &mut jumps.break_to } else { &mut jumps.continue_to };
        let to = *slot.get_or_insert_with(|| self.graph.fresh());
        self.leave_atomic(depth, span);
        let looks = self.looks(Kind::Jump, span);
        self.emit_to(Operation::Skip, looks, to);
    }

    fn label_entry(&mut self, name: &Name) -> &mut Label {
        let graph = &mut self.graph;
        self.current.labels.entry(name.text.clone()).or_insert_with(|| Label {
            location: graph.fresh(),
            defined: None,
            used: None,
        })
    }

    fn goto(&mut self, name: &Name, span: Span) {
        if !self.current.atomic.is_empty() {
            self.refuse_jump(name.span, "a `goto` out of `atomic`");
        }
        let label = self.label_entry(name);
        label.used.get_or_insert(name.span);
        let to = label.location;
        let looks = self.looks(Kind::Jump, span);
        self.emit_to(Operation::Skip, looks, to);
    }

    fn label(&mut self, name: &Name, span: Span) {
        if self.c && name.text.starts_with(THREAD_LABEL) {
            // Read as a plain label, its statement would be executed in turn.
            let message = format!("the label `{}` starts a thread in CBMC alone", name.text);
            self.diagnostics.error(span, message, "start the thread with `pthread_create`");
            return;
        }
        if self.current.has_goto {
            self.leave_entry(span);
        }
        let label = self.label_entry(name);
        let location = label.location;
        if let Some(old) = label.defined.replace(span) {
            let message = format!("label `{}` is already in line {}", name.text, old.line);
            self.diagnostics.error(span, message, "rename one of them");
            return;
        }
        if let Some(here) = self.graph.current {
            self.graph.merge(here, location);
        }
        self.graph.current = Some(location);
        // Programs in C clean up behind a label `error`.
        let is_error = name.text == "ERROR"
            || (name.text == "error" && !self.c)
            || self.options.label.as_deref() == Some(name.text.as_str());
        if is_error {
            let text = self.tidy(span);
            self.require_named(
                ErrorKind::ErrorLabel,
                Expression::falsity(),
                Subject::Condition,
                text,
                span,
            );
            let looks = self.looks(Kind::Assertion, span);
            self.emit(Operation::Skip, looks);
        }
    }

    /// C: accepts `return f();` in procedures without a result, and the null pointer that the
    /// procedure of a thread returns. A value that a `void` procedure returns is dropped with a
    /// warning, as compilers did until 2024.
    fn is_void_return(&mut self, e: &Expr) -> bool {
        let before = self.diagnostics.has_errors();
        match self.expression(e) {
            Value::Void => true,
            Value::Pointer(Address::Null | Address::Text) => true,
            Value::Typed(Expression::Constant(0, _)) => true,
            Value::Poisoned => before || self.diagnostics.has_errors(),
            Value::Typed(_) if !self.returns_pointer() => {
                self.diagnostics.warning(
                    e.span,
                    "a `void` procedure returns no value: this one is dropped",
                    "give the procedure a type, or leave the value out",
                );
                true
            }
            _ => {
                let message = Message::from(
                    is(&format!("the result of `{}`", self.current.name)).of_memory(),
                );
                self.diagnostics.error(
                    e.span,
                    message,
                    "only procedures with an integer's type return a value",
                );
                true
            }
        }
    }

    fn returns_pointer(&self) -> bool {
        self.signatures.get(&self.current.name).is_some_and(|signature| signature.pointer)
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        let exit = self.graph.exit;
        let operation = match (value, self.current.result) {
            (None, _) => Operation::Skip,
            (Some(e), None) if self.c && self.is_void_return(e) => Operation::Skip,
            (Some(e), None) => {
                self.expression(e);
                self.diagnostics.error(
                    e.span,
                    "a `void` procedure returns no value",
                    "give it a type, or leave the value out",
                );
                Operation::Skip
            }
            (Some(e), Some((result, scalar))) => {
                let value = self.expression(e);
                let value = self.convert(value, scalar, e.span);
                Operation::Assign(vec![(Place::Variable(result), value)])
            }
        };
        let looks = self.looks(Kind::Return, span);
        if self.current.atomic.is_empty() && self.current.ended.is_none() {
            return self.emit_to(operation, looks, exit);
        }
        self.emit(operation, looks);
        self.leave_atomic(0, span);
        self.end_thread(span);
        if let Some(here) = self.graph.current {
            self.graph.merge(here, exit);
        }
        self.graph.current = None;
    }
}
