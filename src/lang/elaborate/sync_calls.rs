//! Calls of POSIX that let threads wait for each other: semaphores, condition variables, barriers,
//! read-write locks, and locks that are only tried.
//!
//! Each object is one integer, and each call reads and writes it in one step, once its thread no
//! longer waits:
//!
//! | object | its integer |
//! | --- | --- |
//! | `sem_t` | the value |
//! | `pthread_rwlock_t` | the number of readers; -1: a writer |
//! | `pthread_cond_t` | 32 times those that were woken and have not gone on, plus those that wait |
//! | `pthread_barrier_t` | how many it takes, how many came (5 bits each), rounds so far (6 bits) |
//!
//! No thread wakes up without a signal. A call with a time limit may give up at any time.

use super::effects::Effects;
use super::elaborator::Elaborator;
use super::target::Target;
use super::value::Value;
use crate::lang::model::{
    BinaryOperator, Expression, Operation, Place, Scalar, Span, StatementKind,
};
use crate::lang::syntax::{Expr, ExprKind, Name};

/// The calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sync {
    TryLock,
    SemInit,
    SemWait,
    SemTryWait,
    SemTimedWait,
    SemPost,
    SemValue,
    CondWait,
    CondTimedWait,
    Signal,
    Broadcast,
    BarrierInit,
    BarrierWait,
    ReadLock,
    WriteLock,
    TryReadLock,
    TryWriteLock,
    RwUnlock,
    /// Sets an object to 0: as it is without a value.
    Reset,
}

/// The call of this name, with the number of its arguments.
pub(super) fn sync(name: &str) -> Option<(Sync, usize)> {
    Some(match name {
        "pthread_mutex_trylock" | "pthread_spin_trylock" => (Sync::TryLock, 1),
        "sem_init" => (Sync::SemInit, 3),
        "sem_wait" => (Sync::SemWait, 1),
        "sem_trywait" => (Sync::SemTryWait, 1),
        "sem_timedwait" => (Sync::SemTimedWait, 2),
        "sem_post" => (Sync::SemPost, 1),
        "sem_getvalue" => (Sync::SemValue, 2),
        "pthread_cond_wait" => (Sync::CondWait, 2),
        "pthread_cond_timedwait" => (Sync::CondTimedWait, 3),
        "pthread_cond_signal" => (Sync::Signal, 1),
        "pthread_cond_broadcast" => (Sync::Broadcast, 1),
        "pthread_barrier_init" => (Sync::BarrierInit, 3),
        "pthread_barrier_wait" => (Sync::BarrierWait, 1),
        "pthread_rwlock_rdlock" => (Sync::ReadLock, 1),
        "pthread_rwlock_wrlock" => (Sync::WriteLock, 1),
        "pthread_rwlock_tryrdlock" => (Sync::TryReadLock, 1),
        "pthread_rwlock_trywrlock" => (Sync::TryWriteLock, 1),
        "pthread_rwlock_unlock" => (Sync::RwUnlock, 1),
        "pthread_cond_init" | "pthread_rwlock_init" => (Sync::Reset, 2),
        _ => return None,
    })
}

/// What errno's names stand for.
const BUSY: i128 = 16;
const TIMED_OUT: i128 = 110;

impl Elaborator<'_> {
    /// Elaborates such a call.
    #[inline(never)]
    pub(super) fn sync_call(
        &mut self,
        (call, count): (Sync, usize),
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        if arguments.len() != count {
            let message =
                format!("`{}` takes {count} arguments, not {}", name.text, arguments.len());
            self.diagnostics.error(span, message, "see its declaration in its header");
            return Value::Poisoned;
        }
        if call == Sync::TryLock {
            let Some(mutex) = self.mutex(&arguments[0]) else { return Value::Poisoned };
            let Some((place, now)) = cell(&mutex) else { return Value::Poisoned };
            let busy = self.int_constant(BUSY, span);
            let result = either(now, busy, self.zero());
            return self.change(place, Expression::truth(), result, span);
        }
        let Some((place, now)) = self.object(&arguments[0]) else { return Value::Poisoned };
        let scalar = now.scalar();
        let number = |n: i128| Expression::Constant(scalar.wrap(n), scalar);
        let plus = |n: i128| two(BinaryOperator::Add, now.clone(), number(n));
        let (zero, failed) = (self.zero(), self.minus_one());
        match call {
            Sync::SemInit => {
                let value = self.argument(&arguments[2], scalar);
                let most = Expression::Constant(scalar.mask() >> 1, scalar);
                let fits = two(BinaryOperator::LessEqual, value.clone(), most);
                let new = either(fits.clone(), value, now);
                self.change(place, new, either(fits, zero, failed), span)
            }
            Sync::SemWait => {
                let free = two(BinaryOperator::Less, number(0), now.clone());
                self.wait_then(free, vec![(place, plus(-1))], span)
            }
            Sync::SemTryWait => {
                let free = two(BinaryOperator::Less, number(0), now.clone());
                let new = either(free.clone(), plus(-1), now.clone());
                self.change(place, new, either(free, zero, failed), span)
            }
            Sync::SemTimedWait => {
                let free = two(BinaryOperator::Less, number(0), now.clone());
                let taken = two(BinaryOperator::And, self.choice(Scalar::BOOL), free);
                let new = either(taken.clone(), plus(-1), now.clone());
                self.change(place, new, either(taken, zero, failed), span)
            }
            Sync::SemPost => {
                let most = Expression::Constant(scalar.mask() >> 1, scalar);
                let fits = two(BinaryOperator::Less, now.clone(), most);
                let new = either(fits.clone(), plus(1), now.clone());
                self.change(place, new, either(fits, zero, failed), span)
            }
            Sync::SemValue => {
                let Some((into, old)) = self.object(&arguments[1]) else { return Value::Poisoned };
                let value = crate::lang::lowering::expressions::cast(now, old.scalar());
                self.change(into, value, zero, span)
            }
            Sync::CondWait | Sync::CondTimedWait => {
                self.wait_for_signal(call == Sync::CondTimedWait, (place, now), arguments, span)
            }
            Sync::Signal => {
                let (woken, waiting) = woken_and_waiting(&now);
                let more = two(BinaryOperator::Less, woken, waiting);
                self.change(place, either(more, plus(32), now.clone()), zero, span)
            }
            Sync::Broadcast => {
                let (_, waiting) = woken_and_waiting(&now);
                let all = two(BinaryOperator::Multiply, waiting, number(33));
                self.change(place, all, zero, span)
            }
            Sync::BarrierInit => {
                let count = self.argument(&arguments[2], scalar);
                // No run has so many threads: they never come.
                let many = two(BinaryOperator::Less, number(31), count.clone());
                self.change(place, either(many, number(0), count), zero, span)
            }
            Sync::BarrierWait => self.wait_at_barrier(place, now, span),
            Sync::ReadLock => {
                let free = two(BinaryOperator::LessEqual, number(0), now.clone());
                self.wait_then(free, vec![(place, plus(1))], span)
            }
            Sync::WriteLock => {
                let free = two(BinaryOperator::Equal, now, number(0));
                self.wait_then(free, vec![(place, number(-1))], span)
            }
            Sync::TryReadLock | Sync::TryWriteLock => {
                let reads = call == Sync::TryReadLock;
                let operator =
                    if reads { BinaryOperator::LessEqual } else { BinaryOperator::Equal };
                let free = two(operator, number(0), now.clone());
                let taken = if reads { plus(1) } else { number(-1) };
                let busy = self.int_constant(BUSY, span);
                let new = either(free.clone(), taken, now.clone());
                self.change(place, new, either(free, zero, busy), span)
            }
            Sync::RwUnlock => {
                let reads = two(BinaryOperator::Less, number(0), now.clone());
                self.change(place, either(reads, plus(-1), number(0)), zero, span)
            }
            Sync::Reset | Sync::TryLock => self.change(place, number(0), zero, span),
        }
    }

    /// Frees the mutex and begins to wait in one step; goes on once woken; takes the mutex again.
    fn wait_for_signal(
        &mut self,
        timed: bool,
        (place, now): (Place, Expression),
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let Some(mutex) = self.mutex(&arguments[1]) else { return Value::Poisoned };
        let Some((lock, _)) = cell(&mutex) else { return Value::Poisoned };
        let scalar = now.scalar();
        let number = |n: i128| Expression::Constant(scalar.wrap(n), scalar);
        let plus = |n: i128| two(BinaryOperator::Add, now.clone(), number(n));
        let looks = self.looks(StatementKind::Call, span);
        let begins = vec![(place.clone(), plus(1)), (lock, Expression::falsity())];
        self.emit_synchronizing(Operation::Assign(begins), looks);
        let (woken, waiting) = woken_and_waiting(&now);
        let is_woken = two(BinaryOperator::Less, number(0), woken.clone());
        if timed {
            // It goes on at any time. Who gives up takes a signal along that nobody else waits for.
            let timed_out = self.int_constant(TIMED_OUT, span);
            let in_time = two(BinaryOperator::And, self.choice(Scalar::BOOL), is_woken);
            let all_woken = two(BinaryOperator::Equal, woken, waiting);
            let takes = two(BinaryOperator::Or, in_time.clone(), all_woken);
            let new = either(takes, plus(-33), plus(-1));
            let zero = self.zero();
            let value = self.change(place, new, either(in_time, zero, timed_out), span);
            self.change_lock(true, &mutex, span);
            return value;
        }
        let value = self.wait_then(is_woken, vec![(place, plus(-33))], span);
        self.change_lock(true, &mutex, span);
        value
    }

    /// The last one that comes lets all go on, and begins the next round.
    fn wait_at_barrier(&mut self, place: Place, now: Expression, span: Span) -> Value {
        let scalar = now.scalar();
        let number = |n: i128| Expression::Constant(scalar.wrap(n), scalar);
        let part = |shift: i128, mask: i128| {
            let shifted = two(BinaryOperator::ShiftRight, now.clone(), number(shift));
            two(BinaryOperator::And, shifted, number(mask))
        };
        let (takes, came, rounds) = (part(0, 31), part(5, 31), part(10, 63));
        let one_more = two(BinaryOperator::Add, came, number(1));
        let is_last = two(BinaryOperator::Equal, one_more, takes.clone());
        let next = two(BinaryOperator::Add, rounds.clone(), number(1));
        // The rounds are the highest bits, so they wrap around by themselves.
        let next = two(BinaryOperator::Multiply, next, number(1 << 10));
        let opened = two(BinaryOperator::Or, next, takes);
        let came = two(BinaryOperator::Add, now.clone(), number(32));
        let (last, round) = (self.temporary(Scalar::BOOL, span), self.temporary(scalar, span));
        let looks = self.looks(StatementKind::Call, span);
        let writes = vec![
            (Place::Variable(last), is_last.clone()),
            (Place::Variable(round), rounds.clone()),
            (place, either(is_last, opened, came)),
        ];
        self.emit_synchronizing(Operation::Assign(writes), looks);
        let last = Expression::Variable(last, Scalar::BOOL);
        let over = two(BinaryOperator::NotEqual, rounds, Expression::Variable(round, scalar));
        self.wait_then(two(BinaryOperator::Or, last.clone(), over), Vec::new(), span);
        Value::Typed(either(last, self.minus_one(), self.zero()))
    }

    /// Waits until a condition holds, and writes in the same step. The value is 0.
    fn wait_then(
        &mut self,
        condition: Expression,
        writes: Vec<(Place, Expression)>,
        span: Span,
    ) -> Value {
        let looks = self.looks(StatementKind::Assumption, span);
        self.emit(Operation::Assume(condition), looks);
        self.last_edge_waits();
        if !writes.is_empty() {
            let between = self.graph.here();
            self.program.concurrency.uninterruptible.insert(between);
            let hidden = self.looks(StatementKind::Hidden, span);
            self.emit(Operation::Assign(writes), hidden);
        }
        Value::Typed(self.zero())
    }

    /// Writes a place in one step, and gives a value that the same step computes.
    pub(super) fn change(
        &mut self,
        place: Place,
        new: Expression,
        result: Expression,
        span: Span,
    ) -> Value {
        let scalar = result.scalar();
        let kept = self.temporary(scalar, span);
        let looks = self.looks(StatementKind::Call, span);
        let change = Operation::Assign(vec![(Place::Variable(kept), result), (place, new)]);
        self.emit_synchronizing(change, looks);
        Value::Typed(Expression::Variable(kept, scalar))
    }

    /// The scalar that an address leads to: how to write it, and its value.
    pub(super) fn object(&mut self, address: &Expr) -> Option<(Place, Expression)> {
        let kind = ExprKind::Indirect(Box::new(address.clone()));
        let depth = address.depth.saturating_add(1);
        let target = self.place(&Expr { kind, span: address.span, depth });
        let target = self.keep_index(target, Effects::ALL, true, address.span);
        if let Target::Struct(_) = target {
            self.read(&target, address.span);
        }
        cell(&target)
    }

    /// An argument with this type, safe from what comes before its use.
    pub(super) fn argument(&mut self, e: &Expr, scalar: Scalar) -> Expression {
        let value = self.expression(e);
        let value = self.convert(value, scalar, e.span);
        let value = Value::Typed(value);
        let kept = self.keep(value, Effects::ALL, e.span);
        self.convert(kept, scalar, e.span)
    }

    /// A truth value that the run picks, in a temporary.
    pub(super) fn any_truth(&mut self, span: Span) -> Expression {
        let any = self.choice(Scalar::BOOL);
        let looks = self.looks(StatementKind::Hidden, span);
        self.store(any, looks)
    }

    fn zero(&self) -> Expression {
        Expression::Constant(0, self.int())
    }

    fn minus_one(&self) -> Expression {
        let int = self.int();
        Expression::Constant(int.wrap(-1), int)
    }
}

/// How to write a target, and its value.
pub(super) fn cell(target: &Target) -> Option<(Place, Expression)> {
    match target {
        Target::Variable(id, scalar) => {
            Some((Place::Variable(*id), Expression::Variable(*id, *scalar)))
        }
        Target::Element { array, index, scalar, .. } => Some((
            Place::Element(*array, index.clone()),
            Expression::Element(*array, Box::new(index.clone()), *scalar),
        )),
        Target::Struct(_) | Target::Poisoned => None,
    }
}

/// The two counts of a condition variable.
fn woken_and_waiting(now: &Expression) -> (Expression, Expression) {
    let scalar = now.scalar();
    let number = |n: i128| Expression::Constant(scalar.wrap(n), scalar);
    let woken = two(BinaryOperator::ShiftRight, now.clone(), number(5));
    (woken, two(BinaryOperator::And, now.clone(), number(31)))
}

pub(super) fn two(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    Expression::binary(operator, left, right)
}

pub(super) fn either(condition: Expression, then: Expression, other: Expression) -> Expression {
    Expression::Conditional(Box::new(condition), Box::new(then), Box::new(other))
}
