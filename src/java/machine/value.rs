//! Values of the machine, and Java's arithmetic on them (JLS 4.2, 5.1, 15.17 to 15.22).

use crate::typed::{Binary, Type};

/// A value. `boolean`, `byte`, `short` and `char` are held as `int`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// A cell of the heap; 0 is `null`.
    Reference(u32),
}

/// `null`
pub(super) const NULL: Value = Value::Reference(0);

/// How a value is held, converted and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    pub(super) fn of(ty: &Type) -> Kind {
        match ty {
            Type::Boolean => Kind::Boolean,
            Type::Byte => Kind::Byte,
            Type::Short => Kind::Short,
            Type::Char => Kind::Char,
            Type::Int => Kind::Int,
            Type::Long => Kind::Long,
            Type::Float => Kind::Float,
            Type::Double => Kind::Double,
            _ => Kind::Reference,
        }
    }

    /// What a field or an element holds at first.
    pub(super) fn zero(self) -> Value {
        match self {
            Kind::Boolean | Kind::Byte | Kind::Short | Kind::Char | Kind::Int => Value::Int(0),
            Kind::Long => Value::Long(0),
            Kind::Float => Value::Float(0.0),
            Kind::Double => Value::Double(0.0),
            Kind::Reference => NULL,
        }
    }
}

impl Value {
    pub(super) fn int(self) -> i32 {
        match self {
            Value::Int(n) => n,
            Value::Long(n) => n as i32,
            _ => 0,
        }
    }

    pub(super) fn long(self) -> i64 {
        match self {
            Value::Int(n) => i64::from(n),
            Value::Long(n) => n,
            _ => 0,
        }
    }

    pub(super) fn double(self) -> f64 {
        match self {
            Value::Int(n) => f64::from(n),
            Value::Long(n) => n as f64,
            Value::Float(x) => f64::from(x),
            Value::Double(x) => x,
            Value::Reference(_) => 0.0,
        }
    }

    pub(super) fn float(self) -> f32 {
        match self {
            Value::Int(n) => n as f32,
            Value::Long(n) => n as f32,
            Value::Float(x) => x,
            Value::Double(x) => x as f32,
            Value::Reference(_) => 0.0,
        }
    }

    pub(super) fn reference(self) -> u32 {
        match self {
            Value::Reference(at) => at,
            _ => 0,
        }
    }

    pub(super) fn truth(self) -> bool {
        self.int() != 0
    }

    /// The value as one of another type (JLS 5.1.2, 5.1.3). Rust's `as` saturates as Java does.
    pub(super) fn converted(self, to: Kind) -> Value {
        let whole = |value: Value| match value {
            Value::Float(x) => Value::Int(x as i32),
            Value::Double(x) => Value::Int(x as i32),
            other => Value::Int(other.int()),
        };
        match to {
            Kind::Boolean | Kind::Int => whole(self),
            Kind::Byte => Value::Int(i32::from(whole(self).int() as i8)),
            Kind::Short => Value::Int(i32::from(whole(self).int() as i16)),
            Kind::Char => Value::Int(i32::from(whole(self).int() as u16)),
            Kind::Long => Value::Long(match self {
                Value::Float(x) => x as i64,
                Value::Double(x) => x as i64,
                other => other.long(),
            }),
            Kind::Float => Value::Float(self.float()),
            Kind::Double => Value::Double(self.double()),
            Kind::Reference => self,
        }
    }

    pub(super) fn negated(self) -> Value {
        match self {
            Value::Int(n) => Value::Int(n.wrapping_neg()),
            Value::Long(n) => Value::Long(n.wrapping_neg()),
            Value::Float(x) => Value::Float(-x),
            Value::Double(x) => Value::Double(-x),
            other => other,
        }
    }

    pub(super) fn complement(self) -> Value {
        match self {
            Value::Long(n) => Value::Long(!n),
            other => Value::Int(!other.int()),
        }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Int(i32::from(truth))
    }
}

/// The result of an operator on two values of one type; `None` for a division by zero.
pub(super) fn binary(operator: Binary, left: Value, right: Value) -> Option<Value> {
    Some(match (left, right) {
        (Value::Long(a), b) => return long(operator, a, b),
        (Value::Double(a), b) => floating(operator, a, b.double(), Value::Double)?,
        (Value::Float(a), b) => match operator {
            // Every result of two `float`s is the rounded result of the two as `double`s.
            Binary::Remainder => Value::Float(a % b.float()),
            _ => floating(operator, f64::from(a), b.double(), |x| Value::Float(x as f32))?,
        },
        (Value::Reference(a), Value::Reference(b)) => match operator {
            Binary::Equal => (a == b).into(),
            _ => (a != b).into(),
        },
        (a, b) => return int(operator, a.int(), b.int()),
    })
}

fn int(operator: Binary, a: i32, b: i32) -> Option<Value> {
    Some(Value::Int(match operator {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide if b == 0 => return None,
        Binary::Divide => a.wrapping_div(b),
        Binary::Remainder if b == 0 => return None,
        Binary::Remainder => a.wrapping_rem(b),
        Binary::ShiftLeft => a.wrapping_shl(b as u32),
        Binary::ShiftRight => a.wrapping_shr(b as u32),
        Binary::ShiftRightUnsigned => (a as u32).wrapping_shr(b as u32) as i32,
        Binary::And | Binary::AndThen => a & b,
        Binary::Or | Binary::OrElse => a | b,
        Binary::Xor => a ^ b,
        _ => return Some(compared(operator, a.cmp(&b)).into()),
    }))
}

fn long(operator: Binary, a: i64, right: Value) -> Option<Value> {
    let b = right.long();
    Some(Value::Long(match operator {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide if b == 0 => return None,
        Binary::Divide => a.wrapping_div(b),
        Binary::Remainder if b == 0 => return None,
        Binary::Remainder => a.wrapping_rem(b),
        Binary::ShiftLeft => a.wrapping_shl(b as u32),
        Binary::ShiftRight => a.wrapping_shr(b as u32),
        Binary::ShiftRightUnsigned => (a as u64).wrapping_shr(b as u32) as i64,
        Binary::And | Binary::AndThen => a & b,
        Binary::Or | Binary::OrElse => a | b,
        Binary::Xor => a ^ b,
        _ => return Some(compared(operator, a.cmp(&b)).into()),
    }))
}

fn compared(operator: Binary, order: std::cmp::Ordering) -> bool {
    match operator {
        Binary::Less => order.is_lt(),
        Binary::LessEqual => order.is_le(),
        Binary::Greater => order.is_gt(),
        Binary::GreaterEqual => order.is_ge(),
        Binary::Equal => order.is_eq(),
        _ => order.is_ne(),
    }
}

fn floating(operator: Binary, a: f64, b: f64, made: impl Fn(f64) -> Value) -> Option<Value> {
    Some(match operator {
        Binary::Add => made(a + b),
        Binary::Subtract => made(a - b),
        Binary::Multiply => made(a * b),
        Binary::Divide => made(a / b),
        Binary::Remainder => made(a % b),
        Binary::Less => (a < b).into(),
        Binary::LessEqual => (a <= b).into(),
        Binary::Greater => (a > b).into(),
        Binary::GreaterEqual => (a >= b).into(),
        Binary::Equal => (a == b).into(),
        _ => (a != b).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_and_saturates_as_java_says() {
        let int = |operator, a, b| binary(operator, Value::Int(a), Value::Int(b));
        assert_eq!(int(Binary::Add, i32::MAX, 1), Some(Value::Int(i32::MIN)));
        assert_eq!(int(Binary::Divide, i32::MIN, -1), Some(Value::Int(i32::MIN)));
        assert_eq!(int(Binary::Remainder, -7, 3), Some(Value::Int(-1)));
        assert_eq!(int(Binary::Divide, 1, 0), None);
        assert_eq!(int(Binary::ShiftLeft, 1, 33), Some(Value::Int(2)));
        assert_eq!(int(Binary::ShiftRightUnsigned, -1, 28), Some(Value::Int(15)));
        assert_eq!(Value::Double(1e20).converted(Kind::Int), Value::Int(i32::MAX));
        assert_eq!(Value::Double(f64::NAN).converted(Kind::Long), Value::Long(0));
        assert_eq!(Value::Int(200).converted(Kind::Byte), Value::Int(-56));
        assert_eq!(Value::Double(70000.0).converted(Kind::Char), Value::Int(4464));
        let sum = binary(Binary::Add, Value::Float(0.1), Value::Float(0.2));
        assert_eq!(sum, Some(Value::Float(0.1 + 0.2)));
    }
}
