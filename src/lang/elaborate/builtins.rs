//! Names that mean something without a declaration.

use super::Elaborator;
use super::library::{BitScan, ScanWidth};
use super::threads::ThreadCall;
use super::value::Value;
use crate::lang::model::{ErrorKind, Expression, Operation, Scalar, Span, StatementKind};
use crate::lang::syntax::{Expr, Name};

/// What a built-in name does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    /// Any value of the type that its place needs.
    Choice,
    /// Any value of a type that the name says.
    TypedChoice(Named),
    Assert,
    Assume,
    /// Reaching it is the error.
    Error,
    /// The run ends, without an error.
    End,
    Skip,
    /// C: written for people to read; its result is not modelled.
    Output,
    /// C: the value of its first argument.
    First,
    /// C: any `int` that is not negative.
    NotNegative,
    /// C: any `int`, or any `long`.
    AnyOf(bool),
    /// C: looks for a bit.
    Scan(BitScan, ScanWidth),
    /// C: concerns threads.
    Thread(ThreadCall),
    /// Cimple: takes a lock, or frees it.
    Lock(bool),
    /// Known elsewhere, not modelled here.
    Refused(&'static str, &'static str),
}

/// The types that `__VERIFIER_nondet_*` can name, relative to `bits`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Bool,
    /// Width as `min(bits, n)` for `n` up to 32, signedness.
    AtMost(u8, bool),
    /// `2 * bits`.
    Long(bool),
    Exact(u8, bool),
}

/// Do these keep their meaning even if the program gives them a body? The conventions of
/// verification tasks say so.
pub(super) fn keeps_its_meaning(name: &str, c: bool) -> bool {
    let verifier =
        name.starts_with("__VERIFIER_") && !(c && name.starts_with("__VERIFIER_atomic_"));
    matches!(name, "reach_error" | "__assert_fail")
        || suites(name, "assert")
        || suites(name, "assume")
        || verifier
}

pub(super) fn suites(name: &str, what: &str) -> bool {
    ["__VERIFIER_", "__CPROVER_", "__ESBMC_"]
        .iter()
        .any(|prefix| name.strip_prefix(prefix) == Some(what))
}

/// The meaning of a name that the program does not define (or whose meaning is kept).
pub(super) fn builtin(name: &str) -> Option<Builtin> {
    if let Some(type_name) = name.strip_prefix("__VERIFIER_nondet_") {
        return Some(typed_choice(type_name));
    }
    if name.starts_with("__VERIFIER_atomic_") || name.starts_with("pthread_") {
        return Some(Builtin::Refused(
            "this belongs to C",
            "write `thread name { … }`, `atomic { … }`, `lock(m)` and `unlock(m)`",
        ));
    }
    Some(match name {
        "nondet" | "__VERIFIER_nondet" => Builtin::Choice,
        "assert" => Builtin::Assert,
        "assume" => Builtin::Assume,
        _ if suites(name, "assert") => Builtin::Assert,
        _ if suites(name, "assume") => Builtin::Assume,
        "reach_error" | "__VERIFIER_error" | "__assert_fail" => Builtin::Error,
        "exit" | "abort" | "_Exit" => Builtin::End,
        "skip" => Builtin::Skip,
        "lock" | "unlock" => Builtin::Lock(name == "lock"),
        "malloc" | "calloc" | "realloc" | "free" | "alloca" => {
            Builtin::Refused("the heap is not modelled", "use a constant-size array")
        }
        "printf" | "scanf" | "puts" | "putchar" | "getchar" => Builtin::Refused(
            "input and output are not modelled",
            "leave output out; read with `nondet()`",
        ),
        _ => return None,
    })
}

pub(super) fn typed_choice(name: &str) -> Builtin {
    Builtin::TypedChoice(match name {
        "bool" | "_Bool" => Named::Bool,
        "char" | "schar" => Named::AtMost(8, true),
        "uchar" | "unchar" => Named::AtMost(8, false),
        "short" => Named::AtMost(16, true),
        "ushort" => Named::AtMost(16, false),
        "int" => Named::AtMost(32, true),
        "uint" | "unsigned" | "unsigned_int" => Named::AtMost(32, false),
        "long" | "longlong" => Named::Long(true),
        "ulong" | "ulonglong" | "size_t" => Named::Long(false),
        "u8" | "uint8_t" => Named::Exact(8, false),
        "u16" | "uint16_t" => Named::Exact(16, false),
        "u32" | "uint32_t" => Named::Exact(32, false),
        "u64" | "uint64_t" => Named::Exact(64, false),
        "int8_t" => Named::Exact(8, true),
        "int16_t" => Named::Exact(16, true),
        "int32_t" => Named::Exact(32, true),
        "int64_t" => Named::Exact(64, true),
        "float" | "double" => {
            return Builtin::Refused(
                "floating point is not modelled",
                "use an integer, scaled if need be",
            );
        }
        "pointer" => return Builtin::Refused("pointers are not modelled", "use an integer"),
        _ => {
            return Builtin::Refused(
                "this choice's type is not known",
                "use `nondet()`: it takes the type that its place needs",
            );
        }
    })
}

impl Elaborator<'_> {
    pub(super) fn named_scalar(&self, named: Named) -> Scalar {
        let bits = self.program.int_width;
        match named {
            Named::Bool => Scalar::BOOL,
            Named::AtMost(width, signed) => Scalar::int(bits.min(width), signed),
            Named::Long(signed) => Scalar::int(bits.saturating_mul(2), signed),
            Named::Exact(width, signed) => Scalar::int(width, signed),
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
            Builtin::Output => {
                let message =
                    format!("the result of `{}` is not modelled: line {}", name.text, span.line);
                self.diagnostics.error(span, message, "call it as a statement of its own");
                Value::Poisoned
            }
            Builtin::First => match arguments {
                [first, ..] => self.expression(first),
                [] => Value::Poisoned,
            },
            Builtin::NotNegative => {
                let int = self.int();
                let any = self.choice(Scalar::int(int.width - u8::from(int.width > 1), false));
                Value::Typed(super::conversions::cast(any, int))
            }
            Builtin::AnyOf(long) => {
                // `time(&t)` would write.
                if arguments
                    .iter()
                    .any(|a| !matches!(self.address(a), super::pointers::Address::Null))
                {
                    self.refuse_pointer(span, "this would write through its argument");
                }
                let scalar = if long { self.long(true) } else { self.int() };
                Value::Typed(self.choice(scalar))
            }
            Builtin::Scan(what, width) => self.scan(what, width, arguments, span),
            Builtin::Thread(call) => self.thread_call(call, name, arguments, span),
            Builtin::Lock(lock) => self.lock_statement(lock, arguments, span),
            Builtin::TypedChoice(named) => {
                let scalar = self.named_scalar(named);
                Value::Typed(self.choice(scalar))
            }
            Builtin::Skip => {
                let looks = self.looks(StatementKind::Skip, span);
                self.emit(Operation::Skip, looks);
                Value::Void
            }
            Builtin::Error => {
                let text = self.tidy(span);
                self.require_named(ErrorKind::ReachError, Expression::falsity(), text, span);
                let looks = self.looks(StatementKind::Assertion, span);
                self.emit(Operation::Skip, looks);
                Value::Void
            }
            Builtin::End => {
                self.expressions(&arguments.iter().collect::<Vec<_>>());
                let looks = self.looks(StatementKind::Assumption, span);
                self.emit(Operation::Assume(Expression::falsity()), looks);
                Value::Void
            }
            Builtin::Assert | Builtin::Assume => {
                let described =
                    self.c && arguments.len() == 2 && !self.effects(&arguments[1]).any();
                let (([argument], _) | ([argument, _], true)) = (arguments, described) else {
                    self.diagnostics.error(
                        span,
                        format!("`{}` takes one condition", name.text),
                        format!("write `{}(x > 0)`", name.text),
                    );
                    return Value::Void;
                };
                let value = self.expression(argument);
                let condition = self.truth(value, argument.span);
                if builtin == Builtin::Assert {
                    let text = self.tidy(span);
                    self.pending.checks.push(crate::lang::model::Check {
                        kind: ErrorKind::Assertion,
                        condition,
                        message: text,
                        line: span.line,
                    });
                    let looks = self.looks(StatementKind::Assertion, span);
                    self.emit(Operation::Skip, looks);
                } else {
                    let looks = self.looks(StatementKind::Assumption, span);
                    self.emit(Operation::Assume(condition), looks);
                }
                Value::Void
            }
            Builtin::Refused(what, hint) => {
                self.diagnostics.error(
                    span,
                    format!("{what}: `{}` in line {}", name.text, span.line),
                    hint,
                );
                Value::Poisoned
            }
        }
    }
}
