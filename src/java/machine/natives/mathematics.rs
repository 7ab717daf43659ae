//! `Math`, by the same algorithms on every machine.

use super::super::value::Value;
use super::super::{Done, Machine, Stop};
use super::given;

/// A function of one number, by its number in `src/java/library/lang/mathematics.java`.
pub(super) fn function(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let x = given(list, 1).double();
    Ok(Value::Double(match given(list, 0).int() {
        0 => x.sqrt(),
        1 => libm::sin(x),
        2 => libm::cos(x),
        3 => libm::tan(x),
        4 => libm::asin(x),
        5 => libm::acos(x),
        6 => libm::atan(x),
        7 => libm::exp(x),
        8 => libm::log(x),
        9 => libm::log10(x),
        10 => libm::cbrt(x),
        11 => x.floor(),
        12 => x.ceil(),
        13 => libm::rint(x),
        14 => libm::sinh(x),
        15 => libm::cosh(x),
        16 => libm::tanh(x),
        17 => libm::log1p(x),
        18 => libm::expm1(x),
        _ => return Err(Stop::NotKnown("this function of `Math`")),
    }))
}

pub(super) fn power(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (x, y) = (given(list, 0).double(), given(list, 1).double());
    // C's `pow` gives 1 for these, Java's gives no number.
    let none = y.is_nan() || x.abs() == 1.0 && y.is_infinite();
    Ok(Value::Double(if none { f64::NAN } else { libm::pow(x, y) }))
}

pub(super) fn angle(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    Ok(Value::Double(libm::atan2(given(list, 0).double(), given(list, 1).double())))
}

pub(super) fn hypotenuse(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    Ok(Value::Double(libm::hypot(given(list, 0).double(), given(list, 1).double())))
}
