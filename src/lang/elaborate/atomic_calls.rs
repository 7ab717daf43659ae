//! Atomic operations: C11's `atomic_*`, and the `__atomic_*` and `__sync_*` of GCC. Each is one
//! step. All are sequentially consistent; a weaker order is refused by name.

use super::elaborator::Elaborator;
use super::sync_calls::{either, two};
use super::value::Value;
use crate::lang::message::is;
use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, Operation, Place, Scalar, Span, StatementKind,
};
use crate::lang::syntax::{Expr, Name};

/// What such a call does with the place that its first argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    Load,
    Store,
    /// Writes zero.
    Clear,
    Exchange,
    /// Sets it, and says whether it was set.
    TestAndSet,
    /// Computes with it: the operator, is the result complemented, does the call give the new value
    /// (or the old one)?
    Compute(BinaryOperator, bool, bool),
    /// Compares it with what the second argument points to, and exchanges it if they are equal. A
    /// weak one may fail without a reason.
    CompareExchange {
        weak: bool,
    },
    /// Compares with a value. Gives the old value, or whether they were equal.
    CompareAndSwap {
        gives_old: bool,
    },
    /// Orders other accesses, which here are in order anyway.
    Fence,
}

/// The operation of this name, and how many arguments name an order.
pub(super) fn atomic(name: &str) -> Option<(Atomic, usize)> {
    if let Some(rest) = name.strip_prefix("atomic_") {
        let (what, explicit) = match rest.strip_suffix("_explicit") {
            Some(what) => (what, true),
            None => (rest, false),
        };
        let operation = match what {
            "load" => Atomic::Load,
            "store" | "init" => Atomic::Store,
            "exchange" => Atomic::Exchange,
            "compare_exchange_strong" => Atomic::CompareExchange { weak: false },
            "compare_exchange_weak" => Atomic::CompareExchange { weak: true },
            "flag_test_and_set" => Atomic::TestAndSet,
            "flag_clear" => Atomic::Clear,
            "thread_fence" | "signal_fence" => return Some((Atomic::Fence, 1)),
            _ => computed(what.strip_prefix("fetch_")?, false)?,
        };
        let orders = match operation {
            Atomic::CompareExchange { .. } => 2,
            _ => 1,
        };
        return Some((operation, if explicit { orders } else { 0 }));
    }
    if let Some(what) = name.strip_prefix("__atomic_") {
        let operation = match what {
            "load_n" => Atomic::Load,
            "store_n" => Atomic::Store,
            "exchange_n" => Atomic::Exchange,
            "test_and_set" => Atomic::TestAndSet,
            "clear" => Atomic::Clear,
            "thread_fence" | "signal_fence" => Atomic::Fence,
            // The argument before the orders says whether it is weak.
            "compare_exchange_n" => return Some((Atomic::CompareExchange { weak: true }, 3)),
            _ => match (what.strip_prefix("fetch_"), what.strip_suffix("_fetch")) {
                (Some(operator), _) => computed(operator, false)?,
                (None, operator) => computed(operator?, true)?,
            },
        };
        return Some((operation, 1));
    }
    let operation = match name.strip_prefix("__sync_")? {
        "bool_compare_and_swap" => Atomic::CompareAndSwap { gives_old: false },
        "val_compare_and_swap" => Atomic::CompareAndSwap { gives_old: true },
        "lock_test_and_set" => Atomic::Exchange,
        "lock_release" => Atomic::Clear,
        "synchronize" => Atomic::Fence,
        what => match (what.strip_prefix("fetch_and_"), what.strip_suffix("_and_fetch")) {
            (Some(operator), _) => computed(operator, false)?,
            (None, operator) => computed(operator?, true)?,
        },
    };
    Some((operation, 0))
}

fn computed(operator: &str, gives_new: bool) -> Option<Atomic> {
    let (operator, complemented) = match operator {
        "add" => (BinaryOperator::Add, false),
        "sub" => (BinaryOperator::Subtract, false),
        "and" => (BinaryOperator::And, false),
        "or" => (BinaryOperator::Or, false),
        "xor" => (BinaryOperator::Xor, false),
        "nand" => (BinaryOperator::And, true),
        _ => return None,
    };
    Some(Atomic::Compute(operator, complemented, gives_new))
}

/// The number of the sequentially consistent order.
const SEQUENTIAL: i128 = 5;

impl Elaborator<'_> {
    /// Elaborates an atomic operation.
    #[inline(never)]
    pub(super) fn atomic_call(
        &mut self,
        (operation, orders): (Atomic, usize),
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let expected = orders
            + match operation {
                Atomic::Fence => 0,
                Atomic::Load | Atomic::Clear | Atomic::TestAndSet => 1,
                Atomic::Store | Atomic::Exchange | Atomic::Compute(..) => 2,
                Atomic::CompareExchange { .. } | Atomic::CompareAndSwap { .. } => 3,
            };
        if arguments.len() != expected {
            let message =
                format!("`{}` takes {expected} arguments, not {}", name.text, arguments.len());
            self.diagnostics.error(span, message, "see its declaration in `stdatomic.h`");
            return Value::Poisoned;
        }
        let named = arguments.len() - orders.min(2);
        for order in &arguments[named.max(arguments.len() - orders)..] {
            if self.expression(order).constant() != Some(SEQUENTIAL) {
                let message = is("a weaker memory order");
                self.diagnostics.error(
                    order.span,
                    message,
                    "write `memory_order_seq_cst`: all accesses are in one order here",
                );
                return Value::Poisoned;
            }
        }
        if operation == Atomic::Fence {
            let looks = self.looks(StatementKind::Skip, span);
            self.emit(Operation::Skip, looks);
            return Value::Void;
        }
        let Some((place, now)) = self.object(&arguments[0]) else { return Value::Poisoned };
        let scalar = now.scalar();
        let truth = |value: bool| Expression::Constant(u64::from(value), scalar);
        match operation {
            Atomic::Load => {
                let looks = self.looks(StatementKind::Hidden, span);
                let edge = EdgeId(self.program.edges.len() as u32);
                let loaded = self.store(now, looks);
                self.program.concurrency.synchronizing.insert(edge);
                Value::Typed(loaded)
            }
            Atomic::Store | Atomic::Clear => {
                let value = match arguments.get(1).filter(|_| operation == Atomic::Store) {
                    Some(value) => self.argument(value, scalar),
                    None => truth(false),
                };
                let looks = self.looks(StatementKind::Assignment, span);
                self.emit_synchronizing(Operation::Assign(vec![(place, value)]), looks);
                Value::Void
            }
            Atomic::Exchange => {
                let value = self.argument(&arguments[1], scalar);
                self.change(place, value, now, span)
            }
            Atomic::TestAndSet => {
                let was = two(BinaryOperator::NotEqual, now, truth(false));
                self.change(place, truth(true), was, span)
            }
            Atomic::Compute(operator, complemented, gives_new) => {
                let value = self.argument(&arguments[1], scalar);
                let mut new = two(operator, now.clone(), value);
                if complemented {
                    let ones = Expression::Constant(scalar.mask(), scalar);
                    new = two(BinaryOperator::Xor, new, ones);
                }
                let result = if gives_new { new.clone() } else { now };
                self.change(place, new, result, span)
            }
            Atomic::CompareAndSwap { gives_old } => {
                let old = self.argument(&arguments[1], scalar);
                let value = self.argument(&arguments[2], scalar);
                let equal = two(BinaryOperator::Equal, now.clone(), old);
                let new = either(equal.clone(), value, now.clone());
                self.change(place, new, if gives_old { now } else { equal }, span)
            }
            Atomic::CompareExchange { weak } => {
                // `__atomic_compare_exchange_n` has an argument that says so.
                let weak = match arguments.get(3).filter(|_| orders == 3) {
                    Some(says) => self.expression(says).constant() != Some(0),
                    None => weak,
                };
                self.compare_exchange(weak, (place, now), arguments, span)
            }
            Atomic::Fence => Value::Void,
        }
    }

    /// What was expected is read first. One step compares and exchanges. If it fails, the value
    /// that was there is written to where the expected one was.
    fn compare_exchange(
        &mut self,
        weak: bool,
        (place, now): (Place, Expression),
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let Some((expected_at, expected)) = self.object(&arguments[1]) else {
            return Value::Poisoned;
        };
        let scalar = now.scalar();
        let value = self.argument(&arguments[2], scalar);
        let hidden = self.looks(StatementKind::Hidden, span);
        let wanted = expected.scalar();
        let expected = self.store(expected, hidden.clone());
        let compared = crate::lang::lowering::expressions::cast(expected.clone(), scalar);
        let fails = if weak { self.any_truth(span) } else { Expression::falsity() };
        let equal = two(BinaryOperator::Equal, now.clone(), compared);
        let succeeds = two(BinaryOperator::And, fails.negated(), equal);
        let (success, old) = (self.temporary(Scalar::BOOL, span), self.temporary(scalar, span));
        let looks = self.looks(StatementKind::Call, span);
        let writes = vec![
            (Place::Variable(success), succeeds.clone()),
            (Place::Variable(old), now.clone()),
            (place, either(succeeds, value, now)),
        ];
        self.emit_synchronizing(Operation::Assign(writes), looks);
        let success = Expression::Variable(success, Scalar::BOOL);
        let old =
            crate::lang::lowering::expressions::cast(Expression::Variable(old, scalar), wanted);
        let kept = either(success.clone(), expected, old);
        self.emit(Operation::Assign(vec![(expected_at, kept)]), hidden);
        Value::Typed(success)
    }
}
