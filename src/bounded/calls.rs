//! Calls, their returns, and what ends with them.

use crate::circuit::{FALSE, TRUE};
use crate::engine::{Done, Engine};
use crate::failure::{Cut, Failure, Limit};
use crate::memory::{Object, Origin};
use crate::state::{Frame, State};
use crate::value::{Value, Word};
use faultline_c::code::{Op, Passing, ProcedureCode};
use faultline_c::machine::Fault;
use faultline_c::tree::ProcedureId;
use faultline_c::types::Type;

/// Calls within each other.
const DEEPEST: usize = 3000;

impl Engine<'_> {
    /// Returns whether the call is executed.
    pub(crate) fn call(&mut self, state: &mut State, id: ProcedureId, count: usize) -> Done<bool> {
        let code = self.code;
        let Some(procedure) = &code.procedures[id.index()] else { return Err(Limit::Unsupported) };
        let mut nested = 0;
        if let Some(outer) = state.frames.iter().rev().find(|frame| frame.procedure == id) {
            nested = outer.nested;
            if outer.guard != state.guard {
                nested += 1;
                if !self.feasible(state.guard)? {
                    return Ok(false);
                }
            }
            if nested > self.rounds || state.frames.len() > DEEPEST {
                let point = self.point(state);
                self.cuts.push((state.guard, Cut::Depth, point));
                self.note_cut(state, Cut::Depth);
                return Ok(false);
            }
        }
        let arguments = state.stack.split_off(state.stack.len().saturating_sub(count));
        let slots = procedure.slots as usize;
        state.frames.push(Frame {
            procedure: id,
            back: state.pc,
            height: state.stack.len(),
            slots: vec![Value::constant(0); slots],
            has: vec![FALSE; slots],
            temporaries: Vec::new(),
            variable_arguments: Value::constant(0),
            point: self.point(state),
            loops: Vec::new(),
            guard: state.guard,
            nested,
        });
        self.enter(state, procedure, &arguments)?;
        state.pc = procedure.entry;
        Ok(true)
    }

    fn enter(&mut self, state: &mut State, procedure: &ProcedureCode, arguments: &[Value]) -> Done {
        for (slot, size, variable) in &procedure.objects {
            let object = self.unset(*size, Origin::Variable(*variable));
            let id = self.allocate(state, object);
            state.frame().slots[*slot as usize] = Value::object(id);
        }
        for ((slot, passing), argument) in procedure.parameters.iter().zip(arguments) {
            let slot = *slot as usize;
            match passing {
                Passing::Slot => {
                    state.frame().slots[slot] = argument.clone();
                    state.frame().has[slot] = TRUE;
                }
                Passing::Number(number) => {
                    let place = state.frame().slots[slot].clone();
                    self.write(state, &place, number.size(), argument)?;
                }
                Passing::Record(size) => {
                    let place = state.frame().slots[slot].clone();
                    self.copy(state, &place, argument, *size)?;
                }
            }
        }
        if procedure.variadic {
            let rest = arguments.get(procedure.parameters.len()..).unwrap_or(&[]);
            let size = rest.len() as u64 * 8;
            let mut object = Object::new(Word::Constant(size), size, Origin::Temporary, true);
            for (k, value) in rest.iter().enumerate() {
                object.write(k as u64 * 8, 8, value, TRUE);
            }
            let id = self.allocate(state, object);
            state.frame().variable_arguments = Value::object(id);
            state.frame().temporaries.push(id);
        }
        Ok(())
    }

    pub(crate) fn call_pointer(&mut self, mut state: State, count: usize) -> Done {
        let under = state.stack.len().saturating_sub(count + 1);
        let address = state.stack.remove(under);
        let cases = address.cases();
        let mut known = FALSE;
        for case in cases.iter() {
            if let crate::value::Base::Procedure(_) = case.base {
                known = self.circuit.or(known, case.guard);
            }
        }
        self.require(&mut state, known, Failure::Fault(Fault::NoProcedure));
        for case in cases.iter() {
            let crate::value::Base::Procedure(id) = case.base else { continue };
            let mut one = state.clone();
            one.guard = self.circuit.and(one.guard, case.guard);
            if one.guard == FALSE {
                continue;
            }
            let goes_on = match self.code.natives.get(id as usize) {
                Some(Some(native)) => self.native(&mut one, *native, count)?,
                _ => self.call(&mut one, ProcedureId(id), count)?,
            };
            if goes_on {
                self.enqueue(one);
            }
        }
        Ok(())
    }

    /// The value of a procedure that ends without `return`.
    pub(crate) fn end_value(&mut self, state: &mut State) -> Option<Value> {
        let id = state.frame().procedure;
        let returns = self.code.procedures.get(id.index()).and_then(Option::as_ref)?.returns;
        if !returns {
            return None;
        }
        if Some(id) == self.code.main {
            return Some(Value::constant(0));
        }
        // Its caller may use what stands in the register.
        let bits = self.circuit.word(64);
        Some(Value::Word(Word::new(bits)))
    }

    /// Returns from a call. Returns whether there is a caller.
    pub(crate) fn leave(&mut self, state: &mut State, value: Option<Value>) -> Done<bool> {
        if state.frames.len() == 1 {
            // The initial values of global variables are there: `main` begins.
            let Some(main) = self.code.main else { return Ok(false) };
            if state.frames[0].procedure == ProcedureId(u32::MAX) {
                return Ok(false);
            }
            state.frames[0].procedure = ProcedureId(u32::MAX);
            let count = self.main_arguments(state, main);
            return self.call(state, main, count);
        }
        let id = state.frame().procedure;
        let mut value = value;
        let result = &self.tree.procedures[id.index()].signature.result;
        if let (Some(from), Type::Record(_)) = (&value, result) {
            let size = result.size(&self.tree.records).unwrap_or(0);
            let object = Object::new(Word::Constant(size), size, Origin::Temporary, false);
            let copy = self.allocate(state, object);
            let from = from.clone();
            self.copy(state, &Value::object(copy), &from, size)?;
            value = Some(Value::object(copy));
            let callers = state.frames.len() - 2;
            state.frames[callers].temporaries.push(copy);
        }
        let Some(frame) = state.frames.pop() else { return Ok(false) };
        if let Some(code) = &self.code.procedures[id.index()] {
            for (slot, _, _) in &code.objects {
                self.end_object(state, &frame.slots[*slot as usize]);
            }
        }
        for id in frame.temporaries {
            self.end_object(state, &Value::object(id));
        }
        state.stack.truncate(frame.height);
        state.pc = frame.back;
        if state.frames.len() == 1 {
            return Ok(false);
        }
        if let Some(value) = value {
            state.stack.push(value);
        }
        Ok(true)
    }

    /// The objects that the pointer leads to are gone.
    pub(crate) fn end_object(&mut self, state: &mut State, address: &Value) {
        for case in address.cases().iter() {
            let crate::value::Base::Object(id) = case.base else { continue };
            if let Some(object) = state.object_mut(id) {
                if case.guard == TRUE {
                    object.end(FALSE);
                    object.forget();
                } else {
                    object.alive = self.circuit.and(object.alive, !case.guard);
                }
            }
        }
    }

    /// `argc`, `argv` and `envp`, as of a program without arguments.
    fn main_arguments(&mut self, state: &mut State, main: ProcedureId) -> usize {
        let count = self.code.procedures[main.index()].as_ref().map_or(0, |p| p.parameters.len());
        let parameters = &self.tree.procedures[main.index()].parameters;
        let reads = |op: &Op| match op {
            Op::Slot(_, variable) => parameters.contains(variable),
            _ => false,
        };
        let kept = |id: &faultline_c::tree::VariableId| self.tree.variables[id.index()].addressed;
        if self.code.ops.iter().any(reads) || parameters.iter().any(kept) {
            // There may be more arguments than the program's name.
            let more = self.circuit.input();
            self.cut(state, more, Cut::Length);
        }
        if count > 0 {
            let mut name = Object::new(Word::Constant(8), 8, Origin::Heap, true);
            name.fill(0, b"program\0");
            let name = self.allocate(state, name);
            let mut list = Object::new(Word::Constant(16), 16, Origin::Heap, true);
            list.write(0, 8, &Value::object(name), TRUE);
            let list = self.allocate(state, list);
            let environment = Object::new(Word::Constant(8), 8, Origin::Heap, true);
            let environment = self.allocate(state, environment);
            let values = [Value::constant(1), Value::object(list), Value::object(environment)];
            state.stack.extend(values.into_iter().take(count));
        }
        count.min(3)
    }
}
