//! GNU's atomic operations. There is one thread, so that each is what it does to memory, in any
//! order of memory.

use super::{Parser, Result};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::tree::{Binary, Expr, ExprKind, Unary};
use crate::types::{INT, Integer, Type};

/// What is done to the place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Load,
    Store,
    Exchange,
    /// Computes; is the new value wanted, or the old one?
    Compute(Option<Binary>, bool),
    /// With what is expected: is that a place, and is the truth wanted, or the old value?
    Compare {
        place: bool,
        truth: bool,
    },
    /// Sets a byte; was it set?
    TestAndSet,
    Clear,
}

/// What the name means.
fn action(name: &str) -> Option<Action> {
    let computed = |word: &str| {
        Some(match word {
            "add" => Some(Binary::Add),
            "sub" => Some(Binary::Subtract),
            "and" => Some(Binary::And),
            "or" => Some(Binary::Or),
            "xor" => Some(Binary::Xor),
            // The complement of what `&` gives.
            "nand" => None,
            _ => return None,
        })
    };
    if let Some(name) = name.strip_prefix("__atomic_") {
        return Some(match name {
            "load_n" => Action::Load,
            "store_n" => Action::Store,
            "exchange_n" => Action::Exchange,
            "compare_exchange_n" => Action::Compare { place: true, truth: true },
            "test_and_set" => Action::TestAndSet,
            "clear" => Action::Clear,
            _ => match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
                (Some(word), _) => Action::Compute(computed(word)?, false),
                (_, Some(word)) => Action::Compute(computed(word)?, true),
                _ => return None,
            },
        });
    }
    let name = name.strip_prefix("__sync_")?;
    Some(match name {
        "val_compare_and_swap" => Action::Compare { place: false, truth: false },
        "bool_compare_and_swap" => Action::Compare { place: false, truth: true },
        "lock_test_and_set" => Action::Exchange,
        "lock_release" => Action::Clear,
        _ => match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
            (Some(word), _) => Action::Compute(computed(word)?, false),
            (_, Some(word)) => Action::Compute(computed(word)?, true),
            _ => return None,
        },
    })
}

pub(super) fn is_atomic(name: &str) -> bool {
    action(name).is_some()
}

impl Parser {
    pub(super) fn atomic(&mut self, name: &str, given: Vec<Expr>, span: Span) -> Result<Expr> {
        let count = given.len() as u32;
        let wrong =
            |needed| Mistake::new(MistakeKind::Arguments(name.to_string(), count, needed), span);
        let Some(action) = action(name) else { return Err(wrong(0)) };
        let mut given = given.into_iter();
        let pointer = given.next().ok_or(wrong(1))?;
        let mut pointer = self.value(pointer);
        if action == Action::TestAndSet || action == Action::Clear && name.starts_with("__atomic") {
            let byte = Type::Integer(Integer::UnsignedChar).pointer();
            pointer = self.converted(pointer, &byte)?;
        }
        let target = pointer.ty.target().cloned();
        let Some(target) = target.filter(Type::is_scalar) else {
            return Err(self.wrong_operands(name, &[&pointer.ty], span));
        };
        let (kept, first) = self.kept(pointer);
        let place = Expr::new(ExprKind::Indirect(Box::new(kept)), target.clone(), span);
        let number = |value: u64, ty: &Type| Expr::new(ExprKind::Integer(value), ty.clone(), span);
        let mut value = |parser: &mut Parser| {
            let value = given.next().ok_or(wrong(2))?;
            parser.converted(value, &target)
        };
        let result = match action {
            Action::Load => self.read_once(place),
            Action::Store => {
                let value = value(self)?;
                let store = stored(place, value);
                self.converted(store, &Type::Void)?
            }
            Action::Clear => {
                let zero = number(0, &crate::types::INT);
                let zero = self.converted(zero, &target)?;
                let store = stored(place, zero);
                self.converted(store, &Type::Void)?
            }
            Action::Exchange | Action::TestAndSet => {
                let value = match action {
                    Action::Exchange => value(self)?,
                    _ => number(1, &target),
                };
                let (value, first) = self.kept(value);
                let (old, read) = self.kept(place.clone());
                let old = match action {
                    Action::Exchange => old,
                    _ => self.converted(old, &Type::Integer(Integer::Bool))?,
                };
                let rest = self.then(stored(place, value), old, span);
                let rest = self.then(read, rest, span);
                self.then(first, rest, span)
            }
            Action::Compute(operator, new) => {
                if target.integer().is_none() {
                    return Err(self.wrong_operands(name, &[&target], span));
                }
                let value = value(self)?;
                let (value, first) = self.kept(value);
                let (old, read) = self.kept(place.clone());
                // Without a sign: it goes round.
                let word = Type::Integer(Integer::UnsignedLong);
                let (a, b) = (self.converted(old.clone(), &word)?, self.converted(value, &word)?);
                let mut computed = self.binary_of(operator.unwrap_or(Binary::And), name, a, b)?;
                if operator.is_none() {
                    let kind = ExprKind::Unary(Unary::Complement, Box::new(computed));
                    computed = Expr::new(kind, word, span);
                }
                let computed = self.converted(computed, &target)?;
                let store = stored(place, computed);
                let rest = if new { store } else { self.then(store, old, span) };
                let rest = self.then(read, rest, span);
                self.then(first, rest, span)
            }
            Action::Compare { place: in_place, truth } => {
                let expected = given.next().ok_or(wrong(3))?;
                let expected = match in_place {
                    true => self.value(expected),
                    false => self.converted(expected, &target)?,
                };
                let (expected, keeps) = self.kept(expected);
                let expected = match in_place {
                    true => self.indirect(expected, span)?,
                    false => expected,
                };
                let desired = given.next().ok_or(wrong(3))?;
                let desired = self.converted(desired, &target)?;
                let (desired, desires) = self.kept(desired);
                let (old, read) = self.kept(place.clone());
                let same = self.binary_of(Binary::Equal, name, old.clone(), expected.clone())?;
                let (same, compare) = self.kept(same);
                let set = self.converted(stored(place, desired), &Type::Void)?;
                let told = match in_place {
                    true => stored(expected, old.clone()),
                    false => number(0, &INT),
                };
                let told = self.converted(told, &Type::Void)?;
                let decide = ExprKind::Conditional(Box::new([same.clone(), set, told]));
                let decide = Expr::new(decide, Type::Void, span);
                let result = match truth {
                    true => self.converted(same, &Type::Integer(Integer::Bool))?,
                    false => old,
                };
                [decide, compare, read, desires, keeps]
                    .into_iter()
                    .fold(result, |rest, one| self.then(one, rest, span))
            }
        };
        Ok(self.then(first, result, span))
    }

    /// The value of a place, which is no place.
    fn read_once(&mut self, place: Expr) -> Expr {
        let span = place.span;
        let (kept, read) = self.kept(place);
        self.then(read, kept, span)
    }
}

fn stored(place: Expr, value: Expr) -> Expr {
    let (ty, span) = (place.ty.clone(), place.span);
    Expr::new(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span)
}
