//! Constant expressions (JLS 15.29), for `int` of 32 bits.

use super::{ConstantState, Resolver};
use crate::tree;
use crate::typed::{Binary, Constant, Expr, ExprKind, FieldId, Type, Unary};

impl<'u> Resolver<'u> {
    /// The value of a field that is a constant.
    pub(super) fn constant_of(&mut self, field: FieldId) -> Option<Constant> {
        let info = &self.fields[field.index()];
        match info.constant {
            ConstantState::Known(value) => return value,
            ConstantState::Reading => return None,
            ConstantState::Unknown => {}
        }
        let (class, ty, value) = (info.class, info.ty.clone(), info.value);
        let is_simple = ty.is_numeric() || ty == Type::Boolean;
        self.fields[field.index()].constant = ConstantState::Reading;
        let found = match value {
            Some(value) if is_simple && has_shape(value) => {
                let typed = self.body(class, true).value(value, &ty);
                typed.ok().and_then(|typed| value_of(&typed))
            }
            _ => None,
        };
        self.fields[field.index()].constant = ConstantState::Known(found);
        found
    }
}

/// Can it be a constant, by its shape?
fn has_shape(e: &tree::Expr) -> bool {
    match &e.kind {
        tree::ExprKind::Integer { .. }
        | tree::ExprKind::Floating { .. }
        | tree::ExprKind::Character(_)
        | tree::ExprKind::Truth(_)
        | tree::ExprKind::Name(_) => true,
        tree::ExprKind::Member(e, _) | tree::ExprKind::Cast(_, e) => has_shape(e),
        tree::ExprKind::Unary(_, e) => has_shape(e),
        tree::ExprKind::Binary(_, a, b) => has_shape(a) && has_shape(b),
        tree::ExprKind::Conditional(parts) => parts.iter().all(has_shape),
        _ => false,
    }
}

/// The value of an expression that depends on nothing.
pub(super) fn value_of(e: &Expr) -> Option<Constant> {
    match &e.kind {
        ExprKind::Constant(value) => Some(*value),
        ExprKind::Convert(inner) => {
            let value = value_of(inner)?;
            Some(match (value, &e.ty) {
                (Constant::Integer(n), ty) if ty.is_integral() => Constant::Integer(wrap(n, ty)),
                (Constant::Integer(n), Type::Float) => Constant::Floating(f64::from(n as f32)),
                (Constant::Integer(n), Type::Double) => Constant::Floating(n as f64),
                (Constant::Floating(x), Type::Float) => Constant::Floating(f64::from(x as f32)),
                (Constant::Floating(x), Type::Double) => Constant::Floating(x),
                _ => return None,
            })
        }
        ExprKind::Unary(operator, inner) => Some(match (operator, value_of(inner)?) {
            (Unary::Plus, value) => value,
            (Unary::Minus, Constant::Integer(n)) => {
                Constant::Integer(wrap(n.wrapping_neg(), &e.ty))
            }
            (Unary::Minus, Constant::Floating(x)) => Constant::Floating(-x),
            (Unary::Tilde, Constant::Integer(n)) => Constant::Integer(!n),
            (Unary::Not, Constant::Truth(b)) => Constant::Truth(!b),
            _ => return None,
        }),
        ExprKind::Binary(operator, a, b) => {
            let (left, right) = (value_of(a)?, value_of(b)?);
            match (left, right) {
                (Constant::Integer(left), Constant::Integer(right)) => {
                    integers(*operator, left, right, &a.ty)
                }
                (Constant::Truth(left), Constant::Truth(right)) => {
                    Some(Constant::Truth(match operator {
                        Binary::And | Binary::AndThen => left && right,
                        Binary::Or | Binary::OrElse => left || right,
                        Binary::Xor | Binary::NotEqual => left != right,
                        Binary::Equal => left == right,
                        _ => return None,
                    }))
                }
                _ => None,
            }
        }
        ExprKind::Conditional(parts) => match value_of(&parts[0])? {
            Constant::Truth(true) => value_of(&parts[1]),
            Constant::Truth(false) => value_of(&parts[2]),
            _ => None,
        },
        _ => None,
    }
}

fn integers(operator: Binary, left: i64, right: i64, ty: &Type) -> Option<Constant> {
    let width = if *ty == Type::Long { 64 } else { 32 };
    let count = (right & (width - 1)) as u32;
    let value = match operator {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide if right != 0 => left.wrapping_div(right),
        Binary::Remainder if right != 0 => left.wrapping_rem(right),
        Binary::ShiftLeft => left.wrapping_shl(count),
        Binary::ShiftRight => left.wrapping_shr(count),
        Binary::ShiftRightUnsigned if width == 64 => ((left as u64) >> count) as i64,
        Binary::ShiftRightUnsigned => i64::from((left as u32) >> count),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::Less => return Some(Constant::Truth(left < right)),
        Binary::LessEqual => return Some(Constant::Truth(left <= right)),
        Binary::Greater => return Some(Constant::Truth(left > right)),
        Binary::GreaterEqual => return Some(Constant::Truth(left >= right)),
        Binary::Equal => return Some(Constant::Truth(left == right)),
        Binary::NotEqual => return Some(Constant::Truth(left != right)),
        _ => return None,
    };
    Some(Constant::Integer(wrap(value, ty)))
}

/// The number, wrapped to the type.
pub(super) fn wrap(n: i64, ty: &Type) -> i64 {
    match ty {
        Type::Byte => i64::from(n as i8),
        Type::Short => i64::from(n as i16),
        Type::Char => i64::from(n as u16),
        Type::Int => i64::from(n as i32),
        _ => n,
    }
}
