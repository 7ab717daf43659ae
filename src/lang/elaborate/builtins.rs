//! Calls of built-ins.

use super::address::Address;
use super::effects::Effects;
use super::elaborator::Elaborator;
use super::library::{ANY_INT_HINT, is_variable};
use super::meaning::{Builtin, Named, ScanWidth};
use super::value::{Value, has_choice};
use crate::lang::contracts;
use crate::lang::given::Role;
use crate::lang::lowering::expressions::{binary, cast, closed_value};
use crate::lang::memory;
use crate::lang::model::{
    BinaryOperator, Check, ErrorKind, Expression, Operation, Scalar, Span, StatementKind, Subject,
    UnaryOperator,
};
use crate::lang::rules::Broken;
use crate::lang::syntax::{Expr, ExprKind, Name};
use crate::wire::options::{DataModel, Dialect};

impl Elaborator<'_> {
    fn named_scalar(&self, named: Named) -> Scalar {
        let bits = self.program.int_width;
        match named {
            Named::Bool => Scalar::BOOL,
            Named::AtMost(width, signed) => Scalar::int(bits.min(width), signed),
            Named::Long(signed) if self.options.model == DataModel::Ilp32 => {
                Scalar::int(bits, signed)
            }
            Named::Long(signed) | Named::LongLong(signed) => self.long(signed),
            Named::Exact(width, signed) => Scalar::int(width, signed),
            Named::Floating(width) => Scalar::floating(width),
        }
    }

    /// A call of a built-in.
    #[inline(never)]
    pub(super) fn call_builtin(
        &mut self,
        builtin: Builtin,
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        match builtin {
            Builtin::Choice | Builtin::TypedChoice(_) | Builtin::Skip if !arguments.is_empty() => {
                self.diagnostics.error(
                    span,
                    format!("`{}` takes no arguments", name.text),
                    "leave them out",
                );
                Value::Poisoned
            }
            Builtin::Choice => Value::Choice,
            Builtin::Output => self.printed(name, arguments, span),
            Builtin::Input(format_at) => self.input(format_at, name, arguments, span, true),
            Builtin::Character => self.input_character(name, arguments, span),
            Builtin::Fatal => self.fatal(arguments, span),
            Builtin::Absolute(long) => self.absolute(long, name, arguments, span),
            Builtin::First => match arguments {
                [first, ..] => self.expression(first),
                [] => Value::Poisoned,
            },
            Builtin::NotNegative(long) => {
                let int = self.int();
                let to = if long { self.long(true) } else { int };
                let number = Scalar::int(int.width - u8::from(int.width > 1), false);
                let any = self.given(number, &name.text, span, Role::Result);
                Value::Typed(cast(any, to))
            }
            Builtin::AnyOf(long) => {
                // `time(&t)` would write to `t`.
                if arguments.iter().any(|a| !matches!(self.address(a), Address::Null)) {
                    self.refuse_pointer(span, "this would write through its argument");
                }
                let scalar = if long { self.long(true) } else { self.int() };
                Value::Typed(self.given(scalar, &name.text, span, Role::Result))
            }
            Builtin::Scan(what, width) => {
                let is_int = self.options.model == DataModel::Ilp32 && !name.text.ends_with("ll");
                let width = if is_int { ScanWidth::Int } else { width };
                self.scan(what, width, arguments, span)
            }
            Builtin::Thread(call) => self.thread_call(call, name, arguments, span),
            Builtin::Sync(call, count) => self.sync_call((call, count), name, arguments, span),
            Builtin::Atomic(what, orders) => {
                self.atomic_call((what, orders), name, arguments, span)
            }
            Builtin::Lock(lock) => self.lock_statement(lock, arguments, span),
            Builtin::TypedChoice(named) => {
                let scalar = self.named_scalar(named);
                Value::Typed(self.given(scalar, &name.text, span, Role::Result))
            }
            Builtin::Skip => {
                let looks = self.looks(StatementKind::Skip, span);
                self.emit(Operation::Skip, looks);
                Value::Void
            }
            Builtin::Error => {
                let text = self.tidy(span);
                self.require_named(
                    ErrorKind::ReachError,
                    Expression::falsity(),
                    Subject::Condition,
                    text,
                    span,
                );
                let looks = self.looks(StatementKind::Assertion, span);
                self.emit(Operation::Skip, looks);
                Value::Void
            }
            Builtin::Broken => self.broken_rule(arguments, span),
            Builtin::Required => self.required(arguments, span),
            Builtin::Clause => self.clause(arguments, span),
            Builtin::End => {
                self.output_arguments(arguments);
                let looks = self.looks(StatementKind::Assumption, span);
                self.emit(Operation::Assume(Expression::falsity()), looks);
                Value::Void
            }
            Builtin::Assert | Builtin::Assume => {
                self.call_with_condition(builtin == Builtin::Assert, name, arguments, span);
                Value::Void
            }
            Builtin::Refused(what, hint) => {
                let is_c = self.options.dialect == Dialect::C;
                let what = match is_c && !memory::reads(&name.text) {
                    true => what.of_no_memory(),
                    false => what,
                };
                self.diagnostics.error(span, what.named(&name.text), hint);
                if hint == ANY_INT_HINT {
                    let old = self.source_text(span);
                    self.diagnostics.offer(span, &old, "__VERIFIER_nondet_int()".to_string());
                }
                Value::Poisoned
            }
        }
    }

    /// Unless a condition holds, an exception is thrown that nothing catches.
    fn required(&mut self, arguments: &[Expr], span: Span) -> Value {
        let [condition, exception] = arguments else { return Value::Poisoned };
        let value = self.expression(condition);
        let condition = self.truth(value, condition.span);
        let message = match &exception.kind {
            ExprKind::Text(text) => format!("`{}` is not caught", text.spelt),
            _ => self.tidy(span),
        };
        self.require_named(ErrorKind::Exception, condition, Subject::Condition, message, span);
        let looks = self.looks(StatementKind::Assertion, span);
        self.emit(Operation::Skip, looks);
        Value::Void
    }

    /// A run that comes here breaks a rule.
    fn broken_rule(&mut self, arguments: &[Expr], span: Span) -> Value {
        let text = |k: usize| match arguments.get(k).map(|e| &e.kind) {
            Some(ExprKind::Text(text)) => text.spelt.clone(),
            _ => String::new(),
        };
        let at_exit = matches!(arguments.get(3).map(|e| &e.kind), Some(ExprKind::Truth(true)));
        let broken = Broken { rule: text(0), text: text(1), state: text(2), at_exit };
        let message = broken.message("");
        let subject = Subject::Rule(Box::new(broken));
        self.require_named(ErrorKind::Rule, Expression::falsity(), subject, message, span);
        let looks = self.looks(StatementKind::Assertion, span);
        self.emit(Operation::Skip, looks);
        Value::Void
    }

    /// A clause of a contract must hold here.
    fn clause(&mut self, arguments: &[Expr], span: Span) -> Value {
        let [condition, text, clause, at_call, bound @ ..] = arguments else { return Value::Void };
        let spelt = |e: &Expr| match &e.kind {
            ExprKind::Text(text) => text.spelt.clone(),
            _ => String::new(),
        };
        let value = self.expression(condition);
        let holds = self.truth(value, condition.span);
        let mut names = Vec::new();
        for pair in bound.chunks_exact(2) {
            let value = self.expression(&pair[1]);
            names.push((spelt(&pair[0]), self.settle(value, span)));
        }
        let at_call = matches!(at_call.kind, ExprKind::Truth(true));
        let (text, clause) = (spelt(text), spelt(clause));
        let broken = contracts::Broken { text, clause, at_call, bound: names };
        let message = broken.message("");
        let message = if at_call { broken.text.clone() } else { message };
        let subject = Subject::Contract(Box::new(broken));
        self.require_named(ErrorKind::Contract, holds, subject, message, span);
        let looks = self.looks(StatementKind::Assertion, span);
        self.emit(Operation::Skip, looks);
        Value::Void
    }

    /// `assert(c)` or `assume(c)`. In C a text may follow the condition.
    fn call_with_condition(
        &mut self,
        is_assertion: bool,
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) {
        let described = self.c && arguments.len() == 2 && !self.effects(&arguments[1]).any();
        let (([argument], _) | ([argument, _], true)) = (arguments, described) else {
            self.diagnostics.error(
                span,
                format!("`{}` takes one condition", name.text),
                format!("write `{}(x > 0)`", name.text),
            );
            return;
        };
        let value = self.expression(argument);
        let condition = self.truth(value, argument.span);
        if is_assertion {
            let message = self.tidy(span);
            let kind = ErrorKind::Assertion;
            let (subject, line) = (Subject::Condition, span.line);
            self.pending.checks.push(Check { kind, condition, message, subject, line });
            let looks = self.looks(StatementKind::Assertion, span);
            self.emit(Operation::Skip, looks);
        } else {
            let looks = self.looks(StatementKind::Assumption, span);
            self.emit(Operation::Assume(condition), looks);
        }
    }

    /// GNU's `error(status, …)`: the run ends unless the status is 0.
    fn fatal(&mut self, arguments: &[Expr], span: Span) -> Value {
        let Some((status, others)) = arguments.split_first() else { return Value::Void };
        let value = self.expression(status);
        let value = self.keep(value, Effects::ALL, status.span);
        let ends = self.truth(value, status.span);
        self.output_arguments(others);
        let looks = self.looks(StatementKind::Assumption, span);
        self.emit(Operation::Assume(ends.negated()), looks);
        Value::Void
    }

    /// `abs(x)` and its kin. The absolute value of the least number is undefined (C11 7.22.6.1).
    fn absolute(&mut self, long: bool, name: &Name, arguments: &[Expr], span: Span) -> Value {
        let [argument] = arguments else {
            let message = format!("`{}` takes one argument", name.text);
            self.diagnostics.error(span, message, "see its declaration in `stdlib.h`");
            return Value::Poisoned;
        };
        let value = self.expression(argument);
        let scalar = if long { self.long(true) } else { self.int() };
        let mut value = self.convert(value, scalar, argument.span);
        if has_choice(&value) {
            let looks = self.looks(StatementKind::Hidden, argument.span);
            value = self.store(value, looks);
        }
        if self.checked(ErrorKind::Overflow) {
            let least = Expression::Constant(1 << (scalar.width - 1), scalar);
            let fits = binary(BinaryOperator::NotEqual, value.clone(), least);
            let subject = Subject::Negation(value.clone());
            self.require(ErrorKind::Overflow, fits, subject, span);
        }
        let zero = Expression::Constant(0, scalar);
        let negative = binary(BinaryOperator::Less, value.clone(), zero);
        let negated = Expression::Unary(UnaryOperator::Negate, Box::new(value.clone()));
        let result =
            Expression::Conditional(Box::new(negative), Box::new(negated), Box::new(value));
        Value::Typed(match closed_value(&result) {
            Some(bits) => Expression::Constant(bits, scalar),
            None => result,
        })
    }

    /// A call that only writes something for people to read.
    pub(super) fn output(&mut self, arguments: &[Expr], span: Span) {
        self.output_arguments(arguments);
        let looks = self.looks(StatementKind::Call, span);
        self.emit(Operation::Skip, looks);
    }

    /// Evaluates the arguments of an output procedure. Strings and handles have no value; other
    /// arguments may fail or change something.
    pub(super) fn output_arguments(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            if matches!(argument.kind, ExprKind::Text(_)) {
                continue;
            }
            if let ExprKind::Name(name) = &argument.kind
                && self.names.find(name).is_none()
                && is_variable(name)
            {
                continue;
            }
            self.expression(argument);
        }
    }
}
