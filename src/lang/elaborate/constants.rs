//! Expressions that must be constant: enumerations, sizes of arrays, initial values.

use super::elaborator::Elaborator;
use super::literals::REAL_WIDTH;
use super::names::Entity;
use super::value::Value;
use crate::lang::model::{Expression, Scalar};
use crate::lang::syntax::{Declarator, Enumeration, Enumerator, Expr, Initializer};

/// Most elements of one array.
const MOST_ELEMENTS: i128 = 4096;

impl Elaborator<'_> {
    /// Declares the constants of enumerations. The constants are of type `int`. An enumeration
    /// itself is unsigned unless one of its constants is negative, as gcc and clang choose.
    pub(super) fn enumerations(&mut self, enumerations: &[Enumeration]) {
        for enumeration in enumerations {
            let signed = self.enumerators(&enumeration.members);
            self.signed_enums.insert(enumeration.id, signed);
        }
    }

    /// Declares the constants of one enumeration; says whether one of them is negative.
    fn enumerators(&mut self, enumerators: &[Enumerator]) -> bool {
        let mut next = 0;
        let mut negative = false;
        for enumerator in enumerators {
            if let Some(value) = &enumerator.value {
                next = self.constant(value, "an enumeration's constant").unwrap_or(next);
            }
            let int = self.int();
            if !int.holds(next) && self.c && self.program.int_width == REAL_WIDTH {
                let message = format!(
                    "enumerations wider than `int` are not modelled: line {}",
                    enumerator.name.span.line
                );
                self.diagnostics.error(
                    enumerator.name.span,
                    message,
                    "use a constant of a wider type",
                );
            } else if !int.holds(next) {
                self.does_not_fit(next, int, enumerator.name.span);
            }
            self.program.constants.insert(enumerator.name.text.clone(), (int.wrap(next), int));
            self.bind(&enumerator.name, Entity::Constant(next));
            negative |= next < 0;
            next += 1;
        }
        negative
    }

    /// The value of an expression that must be constant.
    pub(super) fn constant(&mut self, e: &Expr, what: &str) -> Option<i128> {
        if self.effects(e).any() {
            self.diagnostics.error(e.span, format!("{what} must be constant"), "write a number");
            return None;
        }
        let folding = std::mem::replace(&mut self.folding, true);
        let value = self.expression(e);
        self.folding = folding;
        let pending = std::mem::take(&mut self.pending);
        let number = match value {
            Value::Number(n, _) => Some(n),
            Value::Typed(Expression::Constant(bits, scalar)) => Some(scalar.number(bits)),
            Value::Poisoned => return None,
            _ => None,
        };
        if number.is_none() || !pending.checks.is_empty() {
            self.diagnostics.error(e.span, format!("{what} must be constant"), "write a number");
        }
        number
    }

    /// Would [`Self::constant`] find a value?
    fn is_constant(&mut self, e: &Expr) -> bool {
        if self.effects(e).any() {
            return false;
        }
        let folding = std::mem::replace(&mut self.folding, true);
        let kept = std::mem::take(&mut self.pending);
        let value = self.expression(e);
        self.pending = kept;
        self.folding = folding;
        matches!(
            value,
            Value::Number(..) | Value::Poisoned | Value::Typed(Expression::Constant(..))
        )
    }

    /// The sizes of an array. If the first one is missing, the initialiser gives it. `None` if
    /// something is wrong, which is reported.
    pub(super) fn dimensions(&mut self, declarator: &Declarator) -> Option<Vec<u32>> {
        let mut dimensions = Vec::new();
        if declarator.dimensions.len() > 2 {
            self.diagnostics.error(
                declarator.span,
                "arrays have one or two dimensions",
                "flatten it",
            );
            return None;
        }
        let given = |item: &Initializer| matches!(item, Initializer::At(..));
        if let Some(Initializer::List(list, span)) = &declarator.initializer
            && matches!(declarator.dimensions.first(), Some(None))
            && list.iter().any(given)
        {
            self.diagnostics.error(
                *span,
                "an array with places in its list needs a size",
                "write it: `a[4]`",
            );
            return None;
        }
        for (i, dimension) in declarator.dimensions.iter().enumerate() {
            let (size, span) = match (dimension, &declarator.initializer) {
                (Some(e), _) if self.c && !self.is_constant(e) => {
                    let message =
                        format!("arrays of variable size are not modelled: line {}", e.span.line);
                    self.diagnostics.error(e.span, message, "write the size as a constant");
                    return None;
                }
                (Some(e), _) => (self.constant(e, "an array's size")?, e.span),
                (None, Some(Initializer::List(list, span))) if i == 0 => {
                    (list.len() as i128, *span)
                }
                _ => {
                    self.diagnostics.error(
                        declarator.span,
                        format!("array `{}` has no size", declarator.name.text),
                        "write it: `a[4]`",
                    );
                    return None;
                }
            };
            if !(1..=MOST_ELEMENTS).contains(&size) {
                let message =
                    format!("array `{}` cannot have {size} elements", declarator.name.text);
                self.diagnostics.error(
                    span,
                    message,
                    format!("1 to {MOST_ELEMENTS} can be modelled"),
                );
                return None;
            }
            dimensions.push(size as u32);
        }
        let elements = dimensions.iter().map(|d| i128::from(*d)).product::<i128>();
        if elements > MOST_ELEMENTS {
            let message =
                format!("array `{}` cannot have {elements} elements", declarator.name.text);
            self.diagnostics.error(
                declarator.span,
                message,
                format!("1 to {MOST_ELEMENTS} can be modelled"),
            );
            return None;
        }
        Some(dimensions)
    }

    /// Bits of a constant initialiser; `None` for any value, or if it was reported.
    pub(super) fn initial_value(&mut self, e: &Expr, scalar: Scalar) -> Option<u64> {
        if self.effects(e).any() {
            self.constant(e, "a global's initial value");
            return None;
        }
        let folding = std::mem::replace(&mut self.folding, true);
        let value = self.expression(e);
        self.folding = folding;
        if matches!(value, Value::Choice) {
            return None;
        }
        let expression = self.convert(value, scalar, e.span);
        let pending = std::mem::take(&mut self.pending);
        match expression {
            Expression::Constant(bits, _) if pending.checks.is_empty() => Some(bits),
            Expression::Choice(..) => None,
            _ => {
                self.diagnostics.error(
                    e.span,
                    "a global's initial value must be constant",
                    "assign it in the procedure that starts",
                );
                None
            }
        }
    }
}
