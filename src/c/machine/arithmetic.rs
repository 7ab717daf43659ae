//! Numbers in cells: operators and conversions, as x86-64 computes them.

use super::fault::{Fault, Remark};
use crate::code::Number;
use crate::tree::Binary;
use crate::types::Integer;

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn of_single(value: f32) -> u64 {
    u64::from(value.to_bits())
}

/// `a op b`, with what is remarkable about it.
pub fn binary(
    operator: Binary,
    number: Number,
    a: u64,
    b: u64,
) -> Result<(u64, Option<Remark>), Fault> {
    match number {
        Number::Integer(integer) => integers(operator, integer, a, b),
        Number::Pointer => Ok((u64::from(compare(operator, &a, &b)), None)),
        Number::Single => Ok((
            match operator {
                Binary::Add => of_single(single(a) + single(b)),
                Binary::Subtract => of_single(single(a) - single(b)),
                Binary::Multiply => of_single(single(a) * single(b)),
                Binary::Divide => of_single(single(a) / single(b)),
                _ => u64::from(compare(operator, &single(a), &single(b))),
            },
            None,
        )),
        Number::Double => Ok((
            match operator {
                Binary::Add => (double(a) + double(b)).to_bits(),
                Binary::Subtract => (double(a) - double(b)).to_bits(),
                Binary::Multiply => (double(a) * double(b)).to_bits(),
                Binary::Divide => (double(a) / double(b)).to_bits(),
                _ => u64::from(compare(operator, &double(a), &double(b))),
            },
            None,
        )),
    }
}

fn compare<T: PartialOrd>(operator: Binary, a: &T, b: &T) -> bool {
    match operator {
        Binary::Less => a < b,
        Binary::LessEqual => a <= b,
        Binary::Greater => a > b,
        Binary::GreaterEqual => a >= b,
        Binary::Equal => a == b,
        Binary::NotEqual => a != b,
        _ => false,
    }
}

fn integers(
    operator: Binary,
    integer: Integer,
    a: u64,
    b: u64,
) -> Result<(u64, Option<Remark>), Fault> {
    let (l, r) = (a as i64, b as i64);
    let signed = integer.signed();
    let bits = (integer.size() * 8) as u32;
    let mut remark = None;
    let value = match operator {
        Binary::Add | Binary::Subtract | Binary::Multiply => {
            let (wide, over) = match operator {
                Binary::Add => l.overflowing_add(r),
                Binary::Subtract => l.overflowing_sub(r),
                _ => l.overflowing_mul(r),
            };
            let result = integer.wrap(wide as u64);
            if signed && (over || result as i64 != wide) {
                remark = Some(Remark::Overflow);
            }
            return Ok((result, remark));
        }
        Binary::Divide | Binary::Remainder if signed => {
            let least = i64::MIN >> (64 - bits);
            if r == 0 || r == -1 && l == least {
                return Err(Fault::Division);
            }
            (if operator == Binary::Divide { l / r } else { l % r }) as u64
        }
        Binary::Divide => a.checked_div(b).ok_or(Fault::Division)?,
        Binary::Remainder => a.checked_rem(b).ok_or(Fault::Division)?,
        Binary::ShiftLeft | Binary::ShiftRight => {
            // The right operand is an `int`. The processor takes it modulo the width.
            if r < 0 || r >= i64::from(bits) {
                remark = Some(Remark::Shift);
            }
            let by = (r as u32) & (bits.max(32) - 1);
            match (operator, signed) {
                (Binary::ShiftLeft, _) => a << by,
                (_, true) => (l >> by) as u64,
                _ => a >> by,
            }
        }
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        _ if signed => return Ok((u64::from(compare(operator, &l, &r)), None)),
        _ => return Ok((u64::from(compare(operator, &a, &b)), None)),
    };
    Ok((integer.wrap(value), remark))
}

/// `-a`, with what is remarkable about it.
pub fn negate(number: Number, a: u64) -> (u64, Option<Remark>) {
    match number {
        Number::Integer(integer) => {
            let value = integer.wrap(a.wrapping_neg());
            let same = a != 0 && value == a && integer.signed();
            (value, same.then_some(Remark::Overflow))
        }
        Number::Single => (of_single(-single(a)), None),
        Number::Double => ((-double(a)).to_bits(), None),
        Number::Pointer => (a, None),
    }
}

/// Is the number zero, whatever its sign?
pub fn is_zero(number: Number, a: u64) -> bool {
    match number {
        Number::Single => single(a) == 0.0,
        Number::Double => double(a) == 0.0,
        _ => a == 0,
    }
}

/// Conversions. A floating number that has no place in the integer type becomes what the processor
/// makes of it (`0x80…0`), truncated.
pub fn convert(from: Number, to: Number, a: u64) -> u64 {
    let floating = match from {
        Number::Single => Some(f64::from(single(a))),
        Number::Double => Some(double(a)),
        _ => None,
    };
    match (floating, to) {
        (Some(value), Number::Integer(Integer::Bool)) => u64::from(value != 0.0),
        (Some(value), Number::Integer(integer)) => integer.wrap(truncated(value, integer)),
        (Some(value), Number::Single) => of_single(value as f32),
        (Some(value), Number::Double) => value.to_bits(),
        (Some(_), Number::Pointer) => a,
        (None, Number::Integer(integer)) => integer.wrap(a),
        (None, Number::Pointer) => a,
        (None, floating) => {
            let signed = !matches!(from, Number::Integer(integer) if !integer.signed());
            match (floating, signed) {
                (Number::Single, true) => of_single(a as i64 as f32),
                (Number::Single, false) => of_single(a as f32),
                (_, true) => (a as i64 as f64).to_bits(),
                (_, false) => (a as f64).to_bits(),
            }
        }
    }
}

fn truncated(value: f64, integer: Integer) -> u64 {
    if integer == Integer::UnsignedLong || integer == Integer::UnsignedLongLong {
        return if value >= i64::MAX as f64 { value as u64 } else { truncated_to(value, 64) };
    }
    let wide = if integer.size() < 4 || integer == Integer::Int { 32 } else { 64 };
    truncated_to(value, wide)
}

/// What `cvttsd2si` gives.
fn truncated_to(value: f64, bits: u32) -> u64 {
    let least = -((1u64 << (bits - 1)) as f64);
    let whole = libm::trunc(value);
    if whole >= least && whole < -least {
        whole as i64 as u64
    } else {
        (i64::MIN >> (64 - bits)) as u64
    }
}

/// A bit-field out of its unit.
pub(super) fn bits(value: u64, integer: Integer, first: u8, width: u8) -> u64 {
    let shift = 64 - u32::from(width);
    let high = (value >> first) << shift;
    if integer.signed() { (high as i64 >> shift) as u64 } else { high >> shift }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_processor() {
        let int = Number::Integer(Integer::Int);
        assert_eq!(convert(Number::Double, int, 3.99f64.to_bits()), 3);
        assert_eq!(convert(Number::Double, int, (-3.99f64).to_bits()) as i64, -3);
        assert_eq!(convert(Number::Double, int, 1e10f64.to_bits()) as i64, i64::from(i32::MIN));
        let add = binary(Binary::Add, int, i32::MAX as u64, 1).expect("a sum");
        assert_eq!((add.0 as i64, add.1), (i64::from(i32::MIN), Some(Remark::Overflow)));
        assert_eq!(binary(Binary::Divide, int, 1, 0), Err(Fault::Division));
        assert_eq!(
            binary(Binary::Divide, int, i32::MIN as i64 as u64, -1i64 as u64),
            Err(Fault::Division)
        );
        let unsigned = Number::Integer(Integer::UnsignedInt);
        assert_eq!(binary(Binary::Subtract, unsigned, 0, 1), Ok((0xffff_ffff, None)));
    }
}
