//! Control states and stack symbols of raw rules, as numbers.

use crate::lang::model::{Expression, ProcedureId, Scalar, VariableId};
use crate::lang::syntax::Name;
use rustc_hash::FxHashMap;

/// Control states and stack symbols, numbered in the order of their first mention.
pub(super) struct Rules<'a> {
    pub(super) procedure: ProcedureId,
    pub(super) control: VariableId,
    pub(super) states: FxHashMap<&'a str, usize>,
    /// The names of the stack symbols, in the order of their numbers.
    pub(super) symbols: Vec<&'a str>,
    pub(super) numbers: FxHashMap<&'a str, usize>,
}

impl Rules<'_> {
    /// The procedure that a module calls for a symbol, with the argument. `None` if the name is no
    /// symbol.
    pub(super) fn call_of(&self, name: &str) -> Option<(ProcedureId, Expression)> {
        let k = self.numbers.get(name)?;
        Some((self.procedure, Expression::Constant(*k as u64, numbers(self.symbols.len()))))
    }

    pub(super) fn state(&self, name: &Name) -> Expression {
        let k = self.states.get(name.text.as_str()).map_or(0, |k| *k as u64);
        Expression::Constant(k, numbers(self.states.len()))
    }
}

/// The type of numbers below `count`.
pub(super) fn numbers(count: usize) -> Scalar {
    Scalar::int((usize::BITS - count.saturating_sub(1).leading_zeros()).max(1) as u8, false)
}
