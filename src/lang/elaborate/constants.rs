//! Expressions that must be constant: enumerations, sizes of arrays, initial values.

use super::elaborator::Elaborator;
use super::initializers::is_text;
use super::literals::REAL_WIDTH;
use super::names::Entity;
use super::value::Value;
use crate::lang::message::{Message, are};
use crate::lang::model::{ErrorKind, Expression, Scalar, Span};
use crate::lang::syntax::{Declarator, Enumeration, Enumerator, Expr, Initializer, TypeName};
use crate::wire::diagnostic::Code;

/// Most elements of one array.
const MOST_ELEMENTS: i128 = 4096;
pub(super) const MOST_DIMENSIONS: usize = 8;

impl Elaborator<'_> {
    /// Declares the constants of enumerations, and notes the type of each enumeration. A constant
    /// that `int` holds is of type `int`, others are of the enumeration's type, as gcc chooses.
    pub(super) fn enumerations(&mut self, enumerations: &[Enumeration]) {
        for enumeration in enumerations {
            let scalar = self.enumerators(&enumeration.members);
            self.enums.insert(enumeration.id, scalar);
        }
    }

    /// Declares the constants of one enumeration; gives the enumeration's type.
    fn enumerators(&mut self, enumerators: &[Enumerator]) -> Scalar {
        let int = self.int();
        let mut next = 0;
        let mut values = Vec::new();
        for enumerator in enumerators {
            if let Some(value) = &enumerator.value {
                next = self.constant(value, "an enumeration's constant").unwrap_or(next);
            }
            // What follows may name it.
            let own = if int.holds(next) { int } else { self.long(next < 0) };
            self.program.constants.insert(enumerator.name.text.clone(), (own.wrap(next), own));
            self.bind(&enumerator.name, Entity::Constant(next));
            values.push(next);
            next += 1;
        }
        let wide = self.c && self.program.int_width == REAL_WIDTH;
        let scalar = if wide { self.enumeration_type(&values) } else { None }
            .unwrap_or(Scalar::int(int.width, values.iter().any(|n| *n < 0)));
        for (enumerator, n) in enumerators.iter().zip(values) {
            let own = if int.holds(n) || !wide { int } else { scalar };
            if !own.holds(n) && wide {
                let message = are("enumerations wider than `long`");
                let hint = "use constants that one type holds";
                self.diagnostics.error(enumerator.name.span, message, hint);
            } else if !own.holds(n) {
                self.does_not_fit(n, int, enumerator.name.span);
            }
            self.program.constants.insert(enumerator.name.text.clone(), (own.wrap(n), own));
        }
        scalar
    }

    /// The first type that holds all constants of an enumeration, in the order of gcc and clang.
    fn enumeration_type(&self, values: &[i128]) -> Option<Scalar> {
        let int = self.program.int_width;
        let signed = values.iter().any(|n| *n < 0);
        let long = self.long(signed);
        [Scalar::int(int, signed), long]
            .into_iter()
            .find(|scalar| values.iter().all(|n| scalar.holds(*n)))
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
        let wraps = pending.checks.iter().any(|check| check.kind == ErrorKind::Overflow);
        let undefined = pending.checks.iter().any(|check| check.kind != ErrorKind::Overflow);
        if number.is_none() || undefined {
            self.diagnostics.error(e.span, format!("{what} must be constant"), "write a number");
        } else if wraps {
            self.diagnostics.warning(
                e.span,
                "this constant expression overflows: it wraps",
                "write the number that is meant",
            );
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
    pub(super) fn dimensions(
        &mut self,
        declarator: &Declarator,
        type_name: TypeName,
    ) -> Option<Vec<u32>> {
        if declarator.dimensions.len() > MOST_DIMENSIONS {
            let message = format!("arrays have at most {MOST_DIMENSIONS} dimensions");
            self.diagnostics.error(declarator.span, message, "flatten it");
            return None;
        }
        let mut dimensions = Vec::new();
        let from_list = match (declarator.dimensions.first(), &declarator.initializer) {
            (Some(None), Some(list @ Initializer::List(_, span))) => Some((list, *span)),
            (Some(None), Some(text @ Initializer::Value(e))) if is_text(text) => {
                Some((text, e.span))
            }
            _ => None,
        };
        for dimension in declarator.dimensions.iter().skip(usize::from(from_list.is_some())) {
            let (size, span) = match dimension {
                Some(e) if self.c && !self.is_constant(e) => {
                    let message = are("arrays of variable size").of_memory();
                    self.diagnostics.error(e.span, message, "write the size as a constant");
                    return None;
                }
                Some(e) => (self.constant(e, "an array's size")?, e.span),
                None => {
                    self.diagnostics.error(
                        declarator.span,
                        Message::of(
                            Code::NoSize,
                            format!("array `{}` has no size", declarator.name.text),
                        ),
                        "write it: `a[4]`",
                    );
                    return None;
                }
            };
            dimensions.push(self.extent(size, declarator, span)?);
        }
        if let Some((list, span)) = from_list {
            let length = self.length_of_list(list, type_name, &dimensions)?;
            dimensions.insert(0, self.extent(length as i128, declarator, span)?);
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

    /// The size of one dimension, if it can be modelled; else it is reported.
    fn extent(&mut self, size: i128, declarator: &Declarator, span: Span) -> Option<u32> {
        if (1..=MOST_ELEMENTS).contains(&size) {
            return Some(size as u32);
        }
        let message = format!("array `{}` cannot have {size} elements", declarator.name.text);
        self.diagnostics.error(span, message, format!("1 to {MOST_ELEMENTS} can be modelled"));
        None
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
