//! `sizeof`, in bytes of eight bits. The widths are those that the types have in the model.

use super::elaborator::Elaborator;
use super::names::Entity;
use super::target::Path;
use super::value::Value;
use crate::lang::message::{Message, is};
use crate::lang::model::{Expression, Scalar, Span};
use crate::lang::syntax::{Expr, ExprKind, TypeName};

impl Elaborator<'_> {
    /// The value of `sizeof`. The operand is not evaluated; only its type counts.
    #[inline(never)]
    pub(super) fn size_of(&mut self, e: &Expr) -> Value {
        let bytes = match &e.kind {
            ExprKind::SizeOfType(type_name, dimensions) => {
                self.bytes_of_type(*type_name, dimensions, e.span)
            }
            ExprKind::SizeOf(operand) => self.bytes_of_expression(operand),
            ExprKind::SizeOfPointer => self.refuse_size("a pointer", e.span),
            _ => None,
        };
        let Some(bytes) = bytes else { return Value::Poisoned };
        let scalar = self.size();
        if !scalar.holds(i128::from(bytes)) {
            self.does_not_fit(i128::from(bytes), scalar, e.span);
        }
        Value::Typed(Expression::Constant(scalar.wrap(i128::from(bytes)), scalar))
    }

    fn refuse_size(&mut self, what: &str, span: Span) -> Option<u64> {
        self.diagnostics.error(
            span,
            Message::from(is(&format!("the size of {what}"))),
            "write the number",
        );
        None
    }

    fn bytes_of_type(
        &mut self,
        type_name: TypeName,
        dimensions: &[Option<Expr>],
        span: Span,
    ) -> Option<u64> {
        let each = match type_name {
            TypeName::Poisoned => return None,
            TypeName::Void => return self.refuse_size("`void`", span),
            TypeName::Struct(_) | TypeName::Handle(_) => return self.refuse_size("a struct", span),
            name => self.bytes(self.scalar(name)?),
        };
        let mut bytes = each;
        for dimension in dimensions {
            let Some(e) = dimension else {
                return self.refuse_size("an array without a size", span);
            };
            bytes = bytes.checked_mul(u64::try_from(self.constant(e, "an array's size")?).ok()?)?;
        }
        Some(bytes)
    }

    fn bytes_of_expression(&mut self, e: &Expr) -> Option<u64> {
        let place = matches!(
            e.kind,
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Indirect(_)
        );
        let named = match &e.kind {
            ExprKind::Name(name) => self.names.find(name).is_some(),
            _ => true,
        };
        if let (true, true, Some(constant)) = (place, named, self.constant_size(e)) {
            return Some(constant);
        }
        if place && named {
            return match self.path(e) {
                Path::Variable { id, indices, .. } => {
                    let variable = self.program.variable(id);
                    let rest: u64 = variable
                        .dimensions
                        .iter()
                        .skip(indices.len())
                        .map(|d| u64::from(*d))
                        .product();
                    Some(self.bytes(variable.scalar) * rest)
                }
                Path::Struct { .. } => self.refuse_size("a struct", e.span),
                Path::Poisoned => None,
            };
        }
        // Below 32 bits the model may lack the literal's value, but not its type.
        if let (ExprKind::Number(n, spelling), true) = (&e.kind, self.c) {
            let (size, signed) = spelling.type_of(*n, self.program.int_width);
            return Some(self.bytes(self.scalar(TypeName::Integer { size, signed })?));
        }
        if self.effects(e).any() {
            return self.refuse_size("an expression with effects", e.span);
        }
        let kept = std::mem::take(&mut self.pending);
        let value = self.expression(e);
        self.pending = kept;
        let is_cast = matches!(e.kind, ExprKind::Cast(..) | ExprKind::Call(..));
        match value {
            Value::Poisoned => None,
            Value::Pointer(_) => self.refuse_size("a pointer or a string", e.span),
            other => {
                let scalar = self.own_scalar(&other)?;
                // A comparison is an `int`.
                let scalar =
                    if scalar.boolean && !is_cast { self.promoted(scalar) } else { scalar };
                Some(self.bytes(scalar))
            }
        }
    }

    /// A member of an enumeration.
    fn constant_size(&self, e: &Expr) -> Option<u64> {
        match &e.kind {
            ExprKind::Name(name) => match self.names.find(name) {
                Some(Entity::Constant(_)) => {
                    let scalar: Scalar =
                        self.program.constants.get(name).map_or(self.int(), |c| c.1);
                    Some(self.bytes(scalar))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Bytes of a scalar, as `sizeof` says.
    fn bytes(&self, scalar: Scalar) -> u64 {
        u64::from(scalar.width).div_ceil(8)
    }
}
