//! The machine's operations on open values.

use crate::circuit::{FALSE, Lit, TRUE};
use crate::engine::{Done, Engine, pop};
use crate::failure::{Failure, Limit};
use crate::floats::Format;
use crate::input::Event;
use crate::memory::{Object, Origin};
use crate::state::State;
use crate::value::{Base, Value, Word};
use crate::words;
use faultline_c::code::{Number, Op, Step};
use faultline_c::machine::{Fault, arithmetic};
use faultline_c::tree::{Binary, VariableId};
use faultline_c::types::{Integer, Type};

/// `long`
const LONG: Number = Number::Integer(Integer::Long);

impl Engine<'_> {
    /// Executes an operation that leads to the next one. Returns whether the state goes on.
    pub(crate) fn operation(&mut self, state: &mut State, op: Op) -> Done<bool> {
        match op {
            Op::Point(point) => {
                state.frame().point = point;
                self.note(state);
            }
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
            Op::Choose(number, _) => {
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
