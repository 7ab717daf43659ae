//! The procedures of the library that have no body in C, on open values.
//!
//! What a procedure computes from open arguments and is not computed here (`sin`, the text of a
//! `double`) is any value: so nothing is missed, and a run that is found is executed before anybody
//! hears of it.

use crate::circuit::{FALSE, Lit, TRUE};
use crate::engine::{Done, Engine};
use crate::failure::{Cut, Failure, Limit};
use crate::floats::{Format, Rounding};
use crate::input::Event;
use crate::memory::Origin;
use crate::state::State;
use crate::value::{Base, Value, Word};
use crate::words;
use faultline_c::code::{Native, Number};
use faultline_c::machine::{Fault, mathematics};
use faultline_c::types::Integer;

/// Bytes of a text that are looked at.
pub(crate) const LONGEST: u64 = 1 << 12;
/// Bytes that are spread over an open length.
const SPREAD: u64 = 256;

const INT: Number = Number::Integer(Integer::Int);
const LONG: Number = Number::Integer(Integer::Long);

impl Engine<'_> {
    /// Does something only where the condition holds.
    pub(crate) fn within<T>(
        &mut self,
        state: &mut State,
        condition: Lit,
        act: impl FnOnce(&mut Self, &mut State) -> Done<T>,
    ) -> Done<Option<T>> {
        let all = state.guard;
        let inside = self.circuit.and(all, condition);
        if inside == FALSE {
            return Ok(None);
        }
        let outside = self.circuit.and(all, !condition);
        state.guard = inside;
        let result = act(self, state)?;
        state.guard = self.circuit.or(outside, state.guard);
        Ok(Some(result))
    }

    /// Executes a call. Returns whether the state goes on.
    pub(crate) fn native(&mut self, state: &mut State, native: Native, count: usize) -> Done<bool> {
        let list = state.stack.split_off(state.stack.len().saturating_sub(count));
        let argument = |k: usize| list.get(k).cloned().unwrap_or(Value::constant(0));
        let result = match native {
            Native::Exit | Native::Abort => return Ok(false),
            Native::Printf => {
                Some(self.printed(state, &argument(0), list.get(1..).unwrap_or(&[]))?)
            }
            Native::Fprintf => {
                Some(self.printed(state, &argument(1), list.get(2..).unwrap_or(&[]))?)
            }
            Native::Vprintf | Native::Vfprintf => {
                let at = usize::from(native == Native::Vfprintf);
                let rest = self.cells(state, &argument(at), &argument(at + 1))?;
                Some(self.printed(state, &argument(at), &rest)?)
            }
            Native::Sprintf => {
                let rest = list.get(2..).unwrap_or(&[]);
                Some(self.print_into(state, &argument(0), None, &argument(1), rest)?)
            }
            Native::Snprintf => {
                let rest = list.get(3..).unwrap_or(&[]);
                let most = argument(1);
                Some(self.print_into(state, &argument(0), Some(&most), &argument(2), rest)?)
            }
            Native::Vsprintf | Native::Vsnprintf => {
                let bounded = native == Native::Vsnprintf;
                let most = bounded.then(|| argument(1));
                let format = argument(if bounded { 2 } else { 1 });
                let list = argument(if bounded { 3 } else { 2 });
                let rest = self.cells(state, &format, &list)?;
                Some(self.print_into(state, &argument(0), most.as_ref(), &format, &rest)?)
            }
            Native::Scanf => Some(self.scan(state, &argument(0), list.get(1..).unwrap_or(&[]))?),
            Native::Fscanf => Some(self.scan(state, &argument(1), list.get(2..).unwrap_or(&[]))?),
            Native::Sscanf => Some(self.scan_text(
                state,
                &argument(0),
                &argument(1),
                list.get(2..).unwrap_or(&[]),
            )?),
            Native::Putchar | Native::Fputc | Native::Putc => {
                let Value::Word(word) = argument(0) else { return Err(Limit::Address) };
                Some(Value::extended(&word.low(8), false))
            }
            Native::Puts | Native::Fputs => {
                self.string(state, &argument(0), LONGEST)?;
                Some(self.natural())
            }
            Native::Getchar | Native::Getc | Native::Fgetc => Some(self.character(state)),
            Native::Ungetc => return Err(Limit::Unsupported),
            Native::Fgets => Some(self.line(state, &argument(0), &argument(1))?),
            Native::Gets => return Err(Limit::Unsupported),
            Native::Feof => Some(self.any(Number::Integer(Integer::Bool))),
            Native::Fflush => Some(Value::constant(0)),
            Native::Malloc => Some(self.new_object(state, &argument(0), Origin::Heap, false)?),
            Native::Alloca => {
                let place = self.new_object(state, &argument(0), Origin::Temporary, false)?;
                if let Base::Object(id) = place.cases()[0].base {
                    state.frame().temporaries.push(id);
                }
                Some(place)
            }
            Native::ReadOk | Native::WriteOk | Native::ReadWriteOk => {
                let writes = native != Native::ReadOk;
                Some(self.allowed(state, &argument(0), &argument(1), writes)?)
            }
            Native::ObjectSize | Native::PointerOffset | Native::PointerObject => {
                Some(self.of_object(state, native, &argument(0)))
            }
            Native::Calloc => {
                let (Value::Word(count), Value::Word(size)) = (argument(0), argument(1)) else {
                    return Err(Limit::Address);
                };
                let bits = self.circuit.multiply(&count.bits(), &size.bits());
                Some(self.new_object(state, &Value::Word(Word::new(bits)), Origin::Heap, true)?)
            }
            Native::Realloc => Some(self.reallocated(state, &argument(0), &argument(1))?),
            Native::Free => {
                self.free(state, &argument(0));
                None
            }
            Native::Memcpy | Native::Memmove => {
                match &argument(2) {
                    Value::Word(Word::Constant(size)) if *size <= LONGEST => {
                        self.copy(state, &argument(0), &argument(1), *size)?;
                    }
                    size => self.copy_open(state, &argument(0), &argument(1), size)?,
                }
                Some(argument(0))
            }
            Native::Memset => {
                self.fill(state, &argument(0), &argument(1), &argument(2))?;
                Some(argument(0))
            }
            Native::Memcmp => {
                Some(self.compared(state, &argument(0), &argument(1), &argument(2))?)
            }
            Native::Strtod => {
                self.string(state, &argument(0), LONGEST)?;
                if argument(1) != Value::constant(0) {
                    return Err(Limit::Unsupported);
                }
                Some(self.any(Number::Double))
            }
            Native::Rand => {
                let mut bits = self.circuit.word(31);
                bits.resize(64, FALSE);
                let word = Word::new(bits);
                state.input.push(TRUE, Event::Choice(INT, word.clone()));
                Some(Value::Word(word))
            }
            Native::Srand => None,
            Native::Time | Native::Clock => {
                let mut bits = self.circuit.word(40);
                bits.resize(64, FALSE);
                let value = Value::Word(Word::new(bits.clone()));
                state.input.push(TRUE, Event::Choice(LONG, Word::new(bits)));
                if native == Native::Time && argument(0) != Value::constant(0) {
                    self.write(state, &argument(0), 8, &value)?;
                }
                Some(value)
            }
            other => Some(self.mathematics(state, other, &list)?),
        };
        state.stack.extend(result);
        Ok(true)
    }

    /// Any `int` that is not negative.
    fn natural(&mut self) -> Value {
        let mut bits = self.circuit.word(31);
        bits.resize(64, FALSE);
        Value::Word(Word::new(bits))
    }

    fn mathematics(&mut self, state: &mut State, native: Native, list: &[Value]) -> Done<Value> {
        let constants: Option<Vec<u64>> = list
            .iter()
            .map(|value| match value {
                Value::Word(word) => word.constant(),
                Value::Pointer(_) => None,
            })
            .collect();
        if let Some(result) = constants.and_then(|list| mathematics(native, &list)) {
            return Ok(Value::constant(result));
        }
        let Some(Value::Word(first)) = list.first() else { return Err(Limit::Unsupported) };
        let (a, format) = (first.bits(), Format::DOUBLE);
        let second = || match list.get(1) {
            Some(Value::Word(word)) => word.bits(),
            _ => words::constant(0, 64),
        };
        let c = &mut self.circuit;
        let bits = match native {
            Native::Sqrt => c.float_square_root(format, &a),
            Native::Floor => c.float_round_to_integral(format, &a, Rounding::Floor),
            Native::Ceil => c.float_round_to_integral(format, &a, Rounding::Ceil),
            Native::Trunc => c.float_round_to_integral(format, &a, Rounding::Truncate),
            Native::Round => c.float_round_to_integral(format, &a, Rounding::NearestAway),
            Native::Rint => c.float_round_to_integral(format, &a, Rounding::NearestEven),
            Native::Fabs => c.float_absolute(format, &a),
            Native::Pow => match list.get(1) {
                // As `pow` computes them itself.
                Some(Value::Word(Word::Constant(power))) => match f64::from_bits(*power) {
                    2.0 => c.float_multiply(format, &a, &a),
                    1.0 => a,
                    -1.0 => c.float_divide(format, &words::constant(1f64.to_bits(), 64), &a),
                    0.0 => words::constant(1f64.to_bits(), 64),
                    _ => return Ok(self.any(Number::Double)),
                },
                _ => return Ok(self.any(Number::Double)),
            },
            Native::Fmax => c.float_maximum(format, &a, &second()),
            Native::Fmin => c.float_minimum(format, &a, &second()),
            Native::Signbit => return Ok(Value::extended(&a[63..], false)),
            Native::Popcount => {
                let mut sum = words::constant(0, 8);
                for bit in &a[..32] {
                    let digit = words::extend(&[*bit], 8, false);
                    sum = c.add(&sum, &digit);
                }
                return Ok(Value::extended(&sum, false));
            }
            Native::Modf | Native::Frexp => {
                let number = if native == Native::Modf { Number::Double } else { INT };
                let part = self.any(number);
                let place = list.get(1).cloned().unwrap_or(Value::constant(0));
                self.write(state, &place, number.size(), &part)?;
                return Ok(self.any(Number::Double));
            }
            _ => return Ok(self.any(Number::Double)),
        };
        Ok(Value::extended(&bits, false))
    }

    /// The bytes of a string with the condition under which each is there, its zero not among them.
    /// A string without an end leads outside of its object.
    pub(crate) fn string(
        &mut self,
        state: &mut State,
        address: &Value,
        most: u64,
    ) -> Done<Vec<([Lit; 8], Lit)>> {
        let mut list = Vec::new();
        let mut there = TRUE;
        for k in 0..most {
            if there == FALSE || self.circuit.and(state.guard, there) == FALSE {
                break;
            }
            if k >= LONGEST - 1 {
                self.cut(state, there, Cut::Length);
                break;
            }
            if k % 64 == 63 {
                let here = self.circuit.and(state.guard, there);
                if !self.feasible(here)? {
                    break;
                }
            }
            let place = self.moved(address, &Word::Constant(k));
            let byte = self.within(state, there, |engine, state| {
                engine.load(state, &place, Number::Integer(Integer::UnsignedChar))
            })?;
            let Some(Value::Word(word)) = byte else { return Err(Limit::Address) };
            let byte: Vec<Lit> = word.low(8);
            let nonzero = self.circuit.is_nonzero(&byte);
            there = self.circuit.and(there, nonzero);
            list.push((std::array::from_fn(|bit| byte[bit]), there));
        }
        Ok(list)
    }

    /// A string that is known.
    pub(crate) fn known_string(&mut self, state: &mut State, address: &Value) -> Done<Vec<u8>> {
        let mut text = Vec::new();
        for (byte, there) in self.string(state, address, LONGEST)? {
            match (words::value(&byte), there.constant()) {
                (_, Some(false)) => break,
                (Some(byte), Some(true)) => text.push(byte as u8),
                _ => return Err(Limit::Unsupported),
            }
        }
        Ok(text)
    }

    fn free(&mut self, state: &mut State, address: &Value) {
        for case in address.cases().iter() {
            let Base::Object(id) = case.base else {
                let fine = match case.base {
                    Base::Number => !self.circuit.is_nonzero(&case.offset.bits()),
                    _ => FALSE,
                };
                let wrong = self.circuit.and(case.guard, !fine);
                self.require(state, !wrong, Failure::Fault(Fault::InvalidFree));
                continue;
            };
            let Some(object) = state.object(id).cloned() else { continue };
            let start = !self.circuit.is_nonzero(&case.offset.bits());
            let fine = if object.origin == Origin::Heap { start } else { FALSE };
            let wrong = self.circuit.and(case.guard, !fine);
            self.require(state, !wrong, Failure::Fault(Fault::InvalidFree));
            let gone = self.circuit.and(case.guard, !object.alive);
            self.require(state, !gone, Failure::Fault(Fault::FreedTwice));
            if let Some(object) = state.object_mut(id) {
                object.alive = self.circuit.and(object.alive, !case.guard);
                object.freed = self.circuit.or(object.freed, case.guard);
            }
        }
    }

    fn reallocated(&mut self, state: &mut State, old: &Value, size: &Value) -> Done<Value> {
        let new = self.new_object(state, size, Origin::Heap, false)?;
        let (Value::Word(size), Value::Pointer(place)) = (size, &new) else {
            return Err(Limit::Address);
        };
        let Base::Object(new_id) = place[0].base else { return Err(Limit::Address) };
        for case in old.cases().iter() {
            let Base::Object(id) = case.base else { continue };
            let Some(before) = state.object(id).cloned() else { continue };
            let Some(after) = state.object(new_id) else { continue };
            if before.size.constant().is_none() || size.constant().is_none() {
                return Err(Limit::Unsupported);
            }
            let kept = before.room.min(after.room);
            let mut copied = (**after).clone();
            copied.copy(0, &before, 0, kept);
            let joined = copied.join(&mut self.circuit, case.guard, after);
            state.set_object(new_id, joined);
        }
        self.free(state, old);
        Ok(new)
    }

    /// Under which conditions the first bytes of an open number of them are meant.
    fn counts(&mut self, state: &mut State, size: &Value) -> Done<Vec<Lit>> {
        let Value::Word(size) = size else { return Err(Limit::Address) };
        let most = size.constant().unwrap_or(SPREAD).min(LONGEST);
        let bits = size.bits();
        let more = self.circuit.less(&words::constant(most, 64), &bits, false);
        self.cut(state, more, Cut::Length);
        let mut list = Vec::new();
        for k in 0..most {
            list.push(self.circuit.less(&words::constant(k, 64), &bits, false));
        }
        Ok(list)
    }

    fn copy_open(&mut self, state: &mut State, to: &Value, from: &Value, size: &Value) -> Done {
        let mut bytes = Vec::new();
        let counts = self.counts(state, size)?;
        for (k, counts) in counts.into_iter().enumerate() {
            let place = self.moved(from, &Word::Constant(k as u64));
            let byte = self.within(state, counts, |engine, state| engine.read(state, &place, 1))?;
            bytes.extend(byte.map(|byte| (counts, byte)));
        }
        for (k, (counts, byte)) in bytes.into_iter().enumerate() {
            let place = self.moved(to, &Word::Constant(k as u64));
            self.write_if(state, counts, &place, 1, &byte.value)?;
        }
        Ok(())
    }

    /// Writes where the condition holds.
    pub(crate) fn write_if(
        &mut self,
        state: &mut State,
        condition: Lit,
        address: &Value,
        length: u64,
        value: &Value,
    ) -> Done {
        self.within(state, condition, |engine, state| {
            let targets = engine.targets(state, address, length, true);
            engine.write_targets(state, &targets, length, value, condition)
        })?;
        Ok(())
    }

    fn fill(&mut self, state: &mut State, to: &Value, byte: &Value, size: &Value) -> Done {
        let Value::Word(byte) = byte else { return Err(Limit::Address) };
        let byte = Value::extended(&byte.low(8), false);
        if let Value::Word(Word::Constant(size)) = size {
            // All of it must be there before any is written, as of a large array that is cleared.
            if *size > 0 {
                let targets = self.targets(state, to, *size, true);
                if let [target] = targets.as_slice()
                    && let Some(at) = target.offset.constant()
                    && let Some(object) = state.object_mut(target.object)
                {
                    for k in 0..*size {
                        object.write(at + k, 1, &byte, TRUE);
                    }
                    return Ok(());
                }
            }
        }
        for (k, counts) in self.counts(state, size)?.into_iter().enumerate() {
            let place = self.moved(to, &Word::Constant(k as u64));
            self.write_if(state, counts, &place, 1, &byte)?;
        }
        Ok(())
    }

    /// `memcmp`: the first bytes that differ decide.
    fn compared(&mut self, state: &mut State, a: &Value, b: &Value, size: &Value) -> Done<Value> {
        let mut list = Vec::new();
        for (k, counts) in self.counts(state, size)?.into_iter().enumerate() {
            let k = Word::Constant(k as u64);
            let (a, b) = (self.moved(a, &k), self.moved(b, &k));
            let both = self.within(state, counts, |engine, state| {
                let byte = Number::Integer(Integer::UnsignedChar);
                Ok((engine.load(state, &a, byte)?, engine.load(state, &b, byte)?))
            })?;
            match both {
                Some((Value::Word(a), Value::Word(b))) => list.push((counts, a.low(32), b.low(32))),
                Some(_) => return Err(Limit::Address),
                None => {}
            }
        }
        let mut result = words::constant(0, 32);
        for (counts, a, b) in list.into_iter().rev() {
            let differs = !self.circuit.equal_words(&a, &b);
            let here = self.circuit.and(counts, differs);
            let difference = self.circuit.subtract(&a, &b);
            result = self.circuit.choose_word(here, &difference, &result);
        }
        Ok(Value::extended(&result, true))
    }
}
