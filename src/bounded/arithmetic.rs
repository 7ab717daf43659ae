//! The machine's operators on open numbers: integers with their checks, floating point,
//! conversions.

use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::engine::{Done, Engine};
use crate::failure::{Failure, Limit};
use crate::floats::Format;
use crate::solver::Answer;
use crate::state::State;
use crate::value::{Value, Word};
use crate::words;
use faultline_c::code::Number;
use faultline_c::machine::{Fault, Remark, arithmetic};
use faultline_c::tree::Binary;
use faultline_c::types::Integer;

/// Conflicts of a question that only makes circuits smaller.
const SOON: u64 = 300;

impl Engine<'_> {
    pub(crate) fn negated(
        &mut self,
        state: &mut State,
        number: Number,
        value: &Value,
    ) -> Done<Value> {
        let Value::Word(word) = value else { return Err(Limit::Address) };
        match number {
            Number::Integer(integer) => {
                let zero = Value::constant(0);
                self.binary(state, Binary::Subtract, Number::Integer(integer), &zero, value)
            }
            Number::Single | Number::Double => {
                let mut bits = word.low(number.size() as usize * 8);
                if let Some(sign) = bits.last_mut() {
                    *sign = !*sign;
                }
                Ok(Value::extended(&bits, false))
            }
            Number::Pointer => Ok(value.clone()),
        }
    }

    /// `a op b`
    pub(crate) fn binary(
        &mut self,
        state: &mut State,
        operator: Binary,
        number: Number,
        a: &Value,
        b: &Value,
    ) -> Done<Value> {
        if let (Value::Word(Word::Constant(x)), Value::Word(Word::Constant(y))) = (a, b) {
            return match arithmetic::binary(operator, number, *x, *y) {
                Ok((value, remark)) => {
                    if let Some(remark) = remark {
                        let failure = if remark == Remark::Shift {
                            Failure::Shift
                        } else {
                            Failure::Overflow
                        };
                        self.require(state, FALSE, failure);
                    }
                    Ok(Value::constant(value))
                }
                Err(fault) => {
                    self.require(state, FALSE, Failure::Fault(fault));
                    Ok(Value::constant(0))
                }
            };
        }
        match (number, a, b) {
            (Number::Integer(integer), Value::Word(a), Value::Word(b)) => {
                let width = integer.size() as usize * 8;
                let (mut a, mut b) = (a.low(width), b.low(width));
                if matches!(operator, Binary::Multiply | Binary::Divide | Binary::Remainder) {
                    a = self.narrowed(state, a, integer.signed())?;
                    b = self.narrowed(state, b, integer.signed())?;
                }
                self.integers(state, operator, integer, &a, &b)
            }
            (Number::Single, Value::Word(a), Value::Word(b)) => {
                Ok(floating(&mut self.circuit, operator, Format::SINGLE, &a.low(32), &b.low(32)))
            }
            (Number::Double, Value::Word(a), Value::Word(b)) => {
                Ok(floating(&mut self.circuit, operator, Format::DOUBLE, &a.low(64), &b.low(64)))
            }
            (Number::Integer(integer), ..) if integer.size() < 8 => Err(Limit::Address),
            _ => self.addresses(operator, a, b),
        }
    }

    /// The number with those bits as constants that the way here decides. After `n <= 200` eight
    /// bits are open, and a product has a sixteenth of the nodes.
    pub(crate) fn narrowed(
        &mut self,
        state: &State,
        mut bits: Vec<Lit>,
        signed: bool,
    ) -> Done<Vec<Lit>> {
        let width = bits.len();
        if words::value(&bits).is_some() {
            return Ok(bits);
        }
        let mut sign = if signed { bits[width - 1] } else { FALSE };
        if sign.constant().is_none() && self.refuted(state, sign)? {
            sign = FALSE;
        }
        // The smallest width beyond which every bit is the sign, by halving.
        let (mut low, mut high) = (0, width);
        while low < high {
            let middle = low + (high - low) / 2;
            let differs: Vec<Lit> =
                bits[middle..].iter().map(|bit| self.circuit.xor(*bit, sign)).collect();
            let wider = self.circuit.any(&differs);
            if wider == FALSE || (wider != TRUE && self.refuted(state, wider)?) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        bits[low..].fill(sign);
        Ok(bits)
    }

    /// Does no run here satisfy it? Only what is found soon counts.
    pub(crate) fn refuted(&mut self, state: &State, condition: Lit) -> Done<bool> {
        let here = self.circuit.and(state.guard, condition);
        let answer = self.solver.solve(&self.circuit, &[here], SOON);
        Ok(answer == Answer::Unsatisfiable)
    }

    pub(crate) fn integers(
        &mut self,
        state: &mut State,
        operator: Binary,
        integer: Integer,
        a: &[Lit],
        b: &[Lit],
    ) -> Done<Value> {
        let signed = integer.signed();
        let c = &mut self.circuit;
        let top = a.len() - 1;
        let result = match operator {
            Binary::Add => {
                let sum = c.add(a, b);
                if signed {
                    // Both have one sign, and the sum has the other one.
                    let (left, right) = (c.xor(sum[top], a[top]), c.xor(sum[top], b[top]));
                    let over = c.and(left, right);
                    self.require(state, !over, Failure::Overflow);
                }
                sum
            }
            Binary::Subtract => {
                let difference = c.subtract(a, b);
                if signed {
                    let signs = c.xor(a[top], b[top]);
                    let changed = c.xor(difference[top], a[top]);
                    let over = c.and(signs, changed);
                    self.require(state, !over, Failure::Overflow);
                }
                difference
            }
            Binary::Multiply if signed && self.checks.overflow => {
                let (product, over) = c.multiply_signed(a, b);
                self.require(state, !over, Failure::Overflow);
                product
            }
            Binary::Multiply => c.multiply(a, b),
            Binary::Divide | Binary::Remainder => {
                return self.divided(state, operator, integer, a, b);
            }
            Binary::ShiftLeft | Binary::ShiftRight => {
                return self.shifted(state, operator, integer, a, b);
            }
            Binary::And => c.bitwise(a, b, Circuit::and),
            Binary::Or => c.bitwise(a, b, Circuit::or),
            Binary::Xor => c.bitwise(a, b, Circuit::xor),
            Binary::Less => return Ok(Value::truth(c.less(a, b, signed))),
            Binary::Greater => return Ok(Value::truth(c.less(b, a, signed))),
            Binary::LessEqual => return Ok(Value::truth(!c.less(b, a, signed))),
            Binary::GreaterEqual => return Ok(Value::truth(!c.less(a, b, signed))),
            Binary::Equal => return Ok(Value::truth(c.equal_words(a, b))),
            Binary::NotEqual => return Ok(Value::truth(!c.equal_words(a, b))),
        };
        Ok(Value::extended(&result, signed))
    }

    pub(crate) fn divided(
        &mut self,
        state: &mut State,
        operator: Binary,
        integer: Integer,
        a: &[Lit],
        b: &[Lit],
    ) -> Done<Value> {
        let signed = integer.signed();
        let nonzero = self.circuit.is_nonzero(b);
        let mut fine = nonzero;
        if signed {
            let top = a.len() - 1;
            let below = self.circuit.any(&a[..top]);
            let least = self.circuit.and(a[top], !below);
            let minus_one = self.circuit.all(b);
            let over = self.circuit.and(least, minus_one);
            fine = self.circuit.and(nonzero, !over);
        }
        self.require(state, fine, Failure::Fault(Fault::Division));
        let (quotient, remainder) =
            if signed { self.circuit.divide_signed(a, b) } else { self.circuit.divide(a, b) };
        let result = if operator == Binary::Divide { quotient } else { remainder };
        Ok(Value::extended(&result, signed))
    }

    /// The right operand is an `int`. The processor takes it modulo the width.
    pub(crate) fn shifted(
        &mut self,
        state: &mut State,
        operator: Binary,
        integer: Integer,
        a: &[Lit],
        b: &[Lit],
    ) -> Done<Value> {
        let width = a.len();
        let stages = width.max(32).trailing_zeros() as usize;
        let strange = self.circuit.any(&b[width.trailing_zeros() as usize..]);
        self.require(state, !strange, Failure::Shift);
        let by = &b[..stages.min(b.len())];
        let result = if operator == Binary::ShiftLeft {
            self.circuit.shift_left(a, by)
        } else {
            let fill = if integer.signed() { a[width - 1] } else { FALSE };
            self.circuit.shift_right(a, by, fill)
        };
        Ok(Value::extended(&result, integer.signed()))
    }

    pub(crate) fn converted(&mut self, from: Number, to: Number, value: &Value) -> Done<Value> {
        let word = match value {
            Value::Word(Word::Constant(value)) => {
                return Ok(Value::constant(arithmetic::convert(from, to, *value)));
            }
            Value::Word(word) => word,
            Value::Pointer(_) => {
                return match to {
                    Number::Integer(Integer::Bool) => {
                        let truth = self.circuit.is_true(value);
                        Ok(Value::truth(truth))
                    }
                    // Part of an address: nobody knows it, unless it is null.
                    Number::Integer(integer) if integer.size() < 8 => {
                        let any = self.any(Number::Integer(integer));
                        let truth = self.circuit.is_true(value);
                        Ok(self.circuit.choose_value(truth, &any, &Value::constant(0)))
                    }
                    Number::Integer(_) | Number::Pointer => Ok(value.clone()),
                    _ => Err(Limit::Address),
                };
            }
        };
        let c = &mut self.circuit;
        let format = |number: Number| match number {
            Number::Single => Some(Format::SINGLE),
            Number::Double => Some(Format::DOUBLE),
            _ => None,
        };
        Ok(match (format(from), format(to), to) {
            (None, None, Number::Integer(Integer::Bool)) => {
                Value::truth(c.is_nonzero(&word.bits()))
            }
            (None, None, Number::Integer(integer)) => {
                Value::extended(&word.low(integer.size() as usize * 8), integer.signed())
            }
            (None, None, _) => value.clone(),
            (None, Some(to), _) => {
                let signed = !matches!(from, Number::Integer(integer) if !integer.signed());
                let bits = word.low(from.size() as usize * 8);
                Value::extended(&c.float_from_integer(to, &bits, signed), false)
            }
            (Some(from), Some(to), _) => {
                let bits = word.low(1 + from.exponent + from.fraction);
                Value::extended(&c.float_convert(from, to, &bits), false)
            }
            (Some(from), None, Number::Integer(Integer::Bool)) => {
                let bits = word.low(1 + from.exponent + from.fraction);
                Value::truth(!c.float_is_zero(from, &bits))
            }
            (Some(from), None, Number::Integer(integer)) => {
                let bits = word.low(1 + from.exponent + from.fraction);
                // As the processor does it: into 32 or 64 bits with a sign, then cut.
                let small = integer.size() < 4 || integer == Integer::Int;
                let unsigned = matches!(integer, Integer::UnsignedLong | Integer::UnsignedLongLong);
                let wide = if small { 32 } else { 64 };
                let (bits, _) = c.float_to_integer(from, &bits, wide, !unsigned);
                Value::extended(&bits[..integer.size() as usize * 8], integer.signed())
            }
            (Some(_), None, _) => return Err(Limit::Address),
        })
    }
}

fn floating(c: &mut Circuit, operator: Binary, format: Format, a: &[Lit], b: &[Lit]) -> Value {
    let result = match operator {
        Binary::Add => c.float_add(format, a, b),
        Binary::Subtract => c.float_subtract(format, a, b),
        Binary::Multiply => c.float_multiply(format, a, b),
        Binary::Divide => c.float_divide(format, a, b),
        Binary::Less => vec![c.float_less(format, a, b)],
        Binary::Greater => vec![c.float_less(format, b, a)],
        Binary::LessEqual => vec![c.float_less_equal(format, a, b)],
        Binary::GreaterEqual => vec![c.float_less_equal(format, b, a)],
        Binary::Equal => vec![c.float_equal(format, a, b)],
        _ => vec![!c.float_equal(format, a, b)],
    };
    Value::extended(&result, false)
}
