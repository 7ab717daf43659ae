//! The machine's operations on open values.

use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::engine::{Done, Engine, Failure, Limit, pop};
use crate::floats::Format;
use crate::input::Event;
use crate::memory::{Object, Origin};
use crate::solver::Answer;
use crate::state::State;
use crate::value::{Base, Value, Word};
use crate::words;
use faultline_c::code::{Number, Op, Step};
use faultline_c::machine::{Fault, Remark, arithmetic};
use faultline_c::tree::{Binary, VariableId};
use faultline_c::types::{Integer, Type};

/// `long`
const LONG: Number = Number::Integer(Integer::Long);

impl Engine<'_> {
    /// Executes an operation that leads to the next one. Returns whether the state goes on.
    pub(crate) fn operation(&mut self, state: &mut State, op: Op) -> Done<bool> {
        match op {
            Op::Point(point) => state.frame().point = point,
            Op::Constant(value) => state.stack.push(Value::constant(value)),
            Op::Slot(slot, variable) => {
                let slot = slot as usize;
                let (value, has) = (state.frame().slots[slot].clone(), state.frame().has[slot]);
                let value = self.read_slot(state, slot, value, has, variable);
                state.stack.push(value);
            }
            Op::SetSlot(slot) => {
                let value = state.stack.last().cloned().unwrap_or(Value::constant(0));
                state.frame().slots[slot as usize] = value;
                state.frame().has[slot as usize] = TRUE;
            }
            Op::ForgetSlot(slot) => state.frame().has[slot as usize] = FALSE,
            Op::StepSlot(slot, step, variable) => {
                let slot = slot as usize;
                let (value, has) = (state.frame().slots[slot].clone(), state.frame().has[slot]);
                let old = self.read_slot(state, slot, value, has, variable);
                let new = self.stepped(state, step, &old)?;
                state.frame().slots[slot] = new.clone();
                state.frame().has[slot] = TRUE;
                state.stack.push(if step.before { new } else { old });
            }
            Op::Object(slot) => {
                let address = state.frame().slots[slot as usize].clone();
                state.stack.push(address);
            }
            Op::Forget(slot) | Op::Zero(slot) => {
                let address = state.frame().slots[slot as usize].clone();
                self.reset(state, &address, matches!(op, Op::Zero(_)));
            }
            Op::Renew(slot, variable) => {
                let old = state.frame().slots[slot as usize].clone();
                let size = self.size_of(state, &old);
                self.end_object(state, &old);
                let object = self.unset(size, Origin::Variable(variable));
                let id = self.allocate(state, object);
                state.frame().slots[slot as usize] = Value::object(id);
            }
            Op::Index(length) => {
                let index = state.stack.last().cloned().unwrap_or(Value::constant(0));
                let Value::Word(index) = index else { return Err(Limit::Address) };
                let inside = match index.constant() {
                    Some(index) => Lit::from(index < length),
                    None => self.circuit.less(&index.bits(), &words::constant(length, 64), false),
                };
                self.require(state, inside, Failure::Index);
            }
            Op::Allocate(slot, variable) => {
                let size = pop(state);
                let old = state.frame().slots[slot as usize].clone();
                self.end_object(state, &old);
                let Value::Word(word) = &size else { return Err(Limit::Address) };
                let bits = word.bits();
                let positive = self.circuit.any(&bits);
                let positive = self.circuit.and(positive, !bits[63]);
                self.require(state, positive, Failure::Length);
                let place = self.new_object(state, &size, Origin::Variable(variable), false)?;
                state.frame().slots[slot as usize] = place;
            }
            Op::Global(k) => state.stack.push(Value::object(self.global(k))),
            Op::Text(id) => state.stack.push(Value::object(self.text(id))),
            Op::Procedure(id) => {
                state.stack.push(Value::address(Base::Procedure(id.0), Word::Constant(0)));
            }
            Op::Load(number) => {
                let address = pop(state);
                let value = self.load(state, &address, number)?;
                state.stack.push(value);
            }
            Op::Store(number) => {
                let (value, address) = (pop(state), pop(state));
                self.write(state, &address, number.size(), &value)?;
                state.stack.push(value);
            }
            Op::LoadBits(integer, first, width) => {
                let address = pop(state);
                let reading = self.read(state, &address, integer.size())?;
                let value = bits(&reading.value, integer, first, width)?;
                state.stack.push(value);
            }
            Op::StoreBits(integer, first, width) => {
                let (value, address) = (pop(state), pop(state));
                let old = self.read(state, &address, integer.size())?;
                let (Value::Word(old), Value::Word(new)) = (old.value, value) else {
                    return Err(Limit::Address);
                };
                let mut unit = old.bits();
                let (first, last) = (usize::from(first), usize::from(first + width));
                unit.splice(first..last, new.low(usize::from(width)));
                let unit = Value::Word(Word::new(unit));
                self.write(state, &address, integer.size(), &unit)?;
                state.stack.push(bits(&unit, integer, first as u8, width)?);
            }
            Op::StepPlace(step) => {
                let address = pop(state);
                let old = self.load(state, &address, step.number)?;
                let new = self.stepped(state, step, &old)?;
                self.write(state, &address, step.number.size(), &new)?;
                state.stack.push(if step.before { new } else { old });
            }
            Op::Copy(size) => {
                let (from, to) = (pop(state), pop(state));
                self.copy(state, &to, &from, size)?;
                state.stack.push(to);
            }
            Op::Double => {
                let value = state.stack.last().cloned().unwrap_or(Value::constant(0));
                state.stack.push(value);
            }
            Op::Drop => drop(pop(state)),
            Op::Convert(from, to) => {
                let value = pop(state);
                let value = self.converted(from, to, &value)?;
                state.stack.push(value);
            }
            Op::Binary(operator, number) => {
                let (b, a) = (pop(state), pop(state));
                let value = self.binary(state, operator, number, &a, &b)?;
                state.stack.push(value);
            }
            Op::Negate(number) => {
                let value = pop(state);
                let value = self.negated(state, number, &value)?;
                state.stack.push(value);
            }
            Op::Complement(integer) => {
                let Value::Word(word) = pop(state) else { return Err(Limit::Address) };
                let width = integer.size() as usize * 8;
                let bits: Vec<Lit> = word.low(width).into_iter().map(|bit| !bit).collect();
                state.stack.push(Value::extended(&bits, integer.signed()));
            }
            Op::Not(number) | Op::Truth(number) => {
                let value = pop(state);
                let truth = self.truth(number, &value);
                let wanted = if matches!(op, Op::Not(_)) { !truth } else { truth };
                state.stack.push(Value::truth(wanted));
            }
            Op::Element(size) => {
                let (count, address) = (pop(state), pop(state));
                let place = self.element(&address, &count, &Value::constant(size))?;
                state.stack.push(place);
            }
            Op::ElementOf => {
                let (size, count, address) = (pop(state), pop(state), pop(state));
                let place = self.element(&address, &count, &size)?;
                state.stack.push(place);
            }
            Op::Difference(size) => {
                let (b, a) = (pop(state), pop(state));
                let value = self.difference(&a, &b, size);
                state.stack.push(value);
            }
            Op::Native(native, count, _) => return self.native(state, native, count as usize),
            Op::VariableArguments => {
                let address = pop(state);
                let cells = state.frame().variable_arguments.clone();
                self.write(state, &address, 8, &cells)?;
            }
            Op::NextArgument => {
                let address = pop(state);
                let cell = self.read(state, &address, 8)?.value;
                let value = self.read(state, &cell, 8)?.value;
                let next = self.moved(&cell, &Word::Constant(8));
                self.write(state, &address, 8, &next)?;
                state.stack.push(value);
            }
            Op::Assert => {
                let value = pop(state);
                let truth = self.circuit.is_true(&value);
                self.require(state, truth, Failure::Fault(Fault::Assertion));
            }
            Op::Assume => {
                let value = pop(state);
                let truth = self.circuit.is_true(&value);
                state.guard = self.circuit.and(state.guard, truth);
            }
            Op::Choose(number) => {
                let value = self.choice(state, number);
                state.stack.push(value);
            }
            Op::Jump(_)
            | Op::JumpIfZero(_)
            | Op::JumpIfNot(_)
            | Op::Call(..)
            | Op::CallPointer(_)
            | Op::Return
            | Op::ReturnNothing
            | Op::End => {}
        }
        Ok(true)
    }

    /// The size of an object that is known.
    fn size_of(&self, state: &State, address: &Value) -> u64 {
        let cases = address.cases();
        let size = |case: &crate::value::Case| match case.base {
            Base::Object(id) => state.object(id).and_then(|object| object.size.constant()),
            _ => None,
        };
        cases.iter().find_map(size).unwrap_or(0)
    }

    /// The value of a variable; where it has none and that is no error, any.
    fn read_slot(
        &mut self,
        state: &mut State,
        slot: usize,
        value: Value,
        has: Lit,
        variable: VariableId,
    ) -> Value {
        if has == TRUE {
            return value;
        }
        if self.checks.initialised {
            self.require(state, has, Failure::NoValue);
            return value;
        }
        let ty = self.tree.variables.get(variable.index()).map(|variable| &variable.ty);
        let number = match ty {
            Some(Type::Integer(integer)) => Number::Integer(*integer),
            Some(Type::Float) => Number::Single,
            Some(Type::Double | Type::LongDouble) => Number::Double,
            Some(Type::Pointer(_)) => Number::Pointer,
            _ => LONG,
        };
        let any = self.any(number);
        if let Value::Word(word) = &any {
            state.input.push(!has, Event::Choice(number, word.clone()));
        }
        let value = self.circuit.choose_value(has, &value, &any);
        // It is the same from now on.
        state.frame().slots[slot] = value.clone();
        state.frame().has[slot] = TRUE;
        value
    }

    /// A value that nothing decides; which, is part of the run.
    pub(crate) fn choice(&mut self, state: &mut State, number: Number) -> Value {
        let value = self.any(number);
        if let Value::Word(word) = &value {
            state.input.push(TRUE, Event::Choice(number, word.clone()));
        }
        value
    }

    /// Any value of a type.
    pub(crate) fn any(&mut self, number: Number) -> Value {
        let width = match number {
            Number::Integer(Integer::Bool) => 1,
            _ => number.size() as usize * 8,
        };
        let bits = self.circuit.word(width);
        Value::extended(&bits, matches!(number, Number::Integer(integer) if integer.signed()))
    }

    pub(crate) fn load(
        &mut self,
        state: &mut State,
        address: &Value,
        number: Number,
    ) -> Done<Value> {
        let reading = self.read(state, address, number.size())?;
        if self.checks.initialised {
            self.require(state, reading.known, Failure::NoValue);
        }
        match (&reading.value, number) {
            (Value::Word(word), Number::Integer(Integer::Bool)) => {
                let truth = self.circuit.is_nonzero(&word.low(8));
                Ok(Value::truth(truth))
            }
            (Value::Word(word), Number::Integer(integer)) => {
                Ok(Value::extended(&word.low(integer.size() as usize * 8), integer.signed()))
            }
            _ => Ok(reading.value),
        }
    }

    fn reset(&mut self, state: &mut State, address: &Value, zero: bool) {
        for case in address.cases().iter() {
            let Base::Object(id) = case.base else { continue };
            let initialised = self.checks.initialised;
            let Some(object) = state.object_mut(id) else { continue };
            object.reset(zero);
            if !zero && !initialised {
                object.any(&mut self.circuit);
            }
        }
    }

    fn stepped(&mut self, state: &mut State, step: Step, old: &Value) -> Done<Value> {
        let delta = step.delta as u64;
        match step.number {
            Number::Pointer => Ok(self.moved(old, &Word::Constant(delta))),
            Number::Integer(integer) if integer.size() < 4 => {
                let Value::Word(word) = old else { return Err(Limit::Address) };
                let sum = self.sum(word, &Word::Constant(delta));
                self.converted(
                    Number::Integer(Integer::Long),
                    Number::Integer(integer),
                    &Value::Word(sum),
                )
            }
            Number::Integer(integer) => {
                let one = Value::constant(integer.wrap(delta));
                self.binary(state, Binary::Add, step.number, old, &one)
            }
            floating => {
                let one = arithmetic::convert(Number::Integer(Integer::Long), floating, delta);
                self.binary(state, Binary::Add, floating, old, &Value::constant(one))
            }
        }
    }

    pub(crate) fn truth(&mut self, number: Number, value: &Value) -> Lit {
        match (number, value) {
            (Number::Single, Value::Word(word)) => {
                !self.circuit.float_is_zero(Format::SINGLE, &word.low(32))
            }
            (Number::Double, Value::Word(word)) => {
                !self.circuit.float_is_zero(Format::DOUBLE, &word.low(64))
            }
            _ => self.circuit.is_true(value),
        }
    }

    fn element(&mut self, address: &Value, count: &Value, size: &Value) -> Done<Value> {
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
    fn difference(&mut self, a: &Value, b: &Value, size: u64) -> Value {
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

    fn negated(&mut self, state: &mut State, number: Number, value: &Value) -> Done<Value> {
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
    fn narrowed(&mut self, state: &State, mut bits: Vec<Lit>, signed: bool) -> Done<Vec<Lit>> {
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
    fn refuted(&mut self, state: &State, condition: Lit) -> Done<bool> {
        let here = self.circuit.and(state.guard, condition);
        let answer = self.solver.solve(&self.circuit, &[here], SOON);
        Ok(answer == Answer::Unsatisfiable)
    }

    /// Comparisons of pointers.
    fn addresses(&mut self, operator: Binary, a: &Value, b: &Value) -> Done<Value> {
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
            _ => return Err(Limit::Address),
        };
        Ok(Value::truth(lit))
    }

    fn lies_before(&mut self, a: &Value, b: &Value) -> Lit {
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

    fn integers(
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

    fn divided(
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
    fn shifted(
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
                    Number::Integer(integer) if integer.size() < 8 => Err(Limit::Address),
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

    /// A new object of a size that may be open.
    pub(crate) fn new_object(
        &mut self,
        state: &mut State,
        size: &Value,
        origin: Origin,
        zero: bool,
    ) -> Done<Value> {
        let Value::Word(size) = size else { return Err(Limit::Address) };
        let mut object = match size.constant() {
            Some(size) if size > MOST_ROOM => return Err(Limit::Nodes),
            Some(size) if zero => Object::new(Word::Constant(size), size, origin, true),
            Some(size) => self.unset(size, origin),
            None => {
                let mut object = self.unset(OPEN_ROOM, origin);
                object.size = size.clone();
                object
            }
        };
        if zero {
            object.reset(true);
        }
        let id = self.allocate(state, object);
        Ok(Value::object(id))
    }
}

/// Conflicts of a question that only makes circuits smaller.
const SOON: u64 = 300;
/// The largest object, in bytes.
const MOST_ROOM: u64 = 1 << 22;
/// How much is kept of an object whose size is open.
const OPEN_ROOM: u64 = 256;

/// A bit-field out of its unit.
fn bits(value: &Value, integer: Integer, first: u8, width: u8) -> Done<Value> {
    let Value::Word(word) = value else { return Err(Limit::Address) };
    let all = word.bits();
    let (first, last) = (usize::from(first), usize::from(first + width));
    Ok(Value::extended(&all[first..last], integer.signed()))
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
