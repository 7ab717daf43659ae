//! The machine's operators on open addresses: elements, distances, comparisons.

use crate::circuit::{FALSE, Lit};
use crate::engine::{Done, Engine};
use crate::failure::Limit;
use crate::value::{Base, Value, Word};
use crate::words;
use faultline_c::code::Number;
use faultline_c::tree::Binary;
use faultline_c::types::Integer;

impl Engine<'_> {
    pub(crate) fn element(&mut self, address: &Value, count: &Value, size: &Value) -> Done<Value> {
        let (Value::Word(count), Value::Word(size)) = (count, size) else {
            return Err(Limit::Address);
        };
        let by = match (count, size) {
            (Word::Constant(count), Word::Constant(size)) => {
                Word::Constant(count.wrapping_mul(*size))
            }
            _ => Word::new(self.circuit.multiply(&count.bits(), &size.bits())),
        };
        Ok(self.moved(address, &by))
    }

    /// Elements between two pointers.
    pub(crate) fn difference(&mut self, a: &Value, b: &Value, size: u64) -> Value {
        let mut result: Option<Word> = None;
        for x in a.cases().iter() {
            for y in b.cases().iter().filter(|y| y.base == x.base) {
                let both = self.circuit.and(x.guard, y.guard);
                let difference = match (&x.offset, &y.offset) {
                    (Word::Constant(x), Word::Constant(y)) => {
                        Word::Constant((x.wrapping_sub(*y) as i64 / size as i64) as u64)
                    }
                    (x, y) => {
                        let bits = self.circuit.subtract(&x.bits(), &y.bits());
                        if size.is_power_of_two() {
                            // The difference is a multiple of the size.
                            let shift = size.trailing_zeros() as usize;
                            Word::new(words::extend(&bits[shift..], 64, true))
                        } else {
                            let size = words::constant(size, 64);
                            Word::new(self.circuit.divide_signed(&bits, &size).0)
                        }
                    }
                };
                result = Some(match result {
                    None => difference,
                    Some(before) => self.circuit.choose_words(both, &difference, &before),
                });
            }
        }
        // Of two objects: nothing that a program may rely on.
        match result {
            Some(word) => Value::Word(word),
            None => self.any(Number::Integer(Integer::Long)),
        }
    }

    /// Comparisons of pointers.
    pub(crate) fn addresses(&mut self, operator: Binary, a: &Value, b: &Value) -> Done<Value> {
        let swapped = matches!(operator, Binary::Greater | Binary::LessEqual);
        let lit = match operator {
            Binary::Equal => self.circuit.same_address(a, b),
            Binary::NotEqual => !self.circuit.same_address(a, b),
            Binary::Less | Binary::GreaterEqual | Binary::Greater | Binary::LessEqual => {
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                let less = self.lies_before(a, b);
                let negated = matches!(operator, Binary::GreaterEqual | Binary::LessEqual);
                if negated { !less } else { less }
            }
            _ => return self.address_as_number(operator, a, b),
        };
        Ok(Value::truth(lit))
    }

    /// Operators on addresses as numbers, as far as they lead into the same object again.
    fn address_as_number(&mut self, operator: Binary, a: &Value, b: &Value) -> Done<Value> {
        let (address, number) = match (a, b) {
            (Value::Pointer(_), Value::Pointer(_)) if operator == Binary::Subtract => {
                return Ok(self.difference(a, b, 1));
            }
            (Value::Pointer(_), Value::Word(number)) => (a, number),
            (Value::Word(number), Value::Pointer(_)) if operator != Binary::Subtract => (b, number),
            _ => return Err(Limit::Address),
        };
        match (operator, number.constant()) {
            (Binary::And, Some(u64::MAX)) | (Binary::Or | Binary::Xor, Some(0)) => {
                Ok(address.clone())
            }
            (Binary::And, Some(0)) => Ok(Value::constant(0)),
            (Binary::Add, _) => Ok(self.moved(address, number)),
            (Binary::Subtract, _) => {
                let zero = words::constant(0, 64);
                let back = Word::new(self.circuit.subtract(&zero, &number.bits()));
                Ok(self.moved(address, &back))
            }
            _ => Err(Limit::Address),
        }
    }

    pub(crate) fn lies_before(&mut self, a: &Value, b: &Value) -> Lit {
        let order = |base: Base| match base {
            Base::Number => (0, 0),
            Base::Object(id) => (1, id),
            Base::Procedure(id) => (2, id),
        };
        let mut result = FALSE;
        for x in a.cases().iter() {
            for y in b.cases().iter() {
                let here = if x.base == y.base {
                    let signed = x.base != Base::Number;
                    self.circuit.less(&x.offset.bits(), &y.offset.bits(), signed)
                } else {
                    Lit::from(order(x.base) < order(y.base))
                };
                let both = self.circuit.and(x.guard, y.guard);
                let here = self.circuit.and(both, here);
                result = self.circuit.or(result, here);
            }
        }
        result
    }
}
