//! Calls, their returns, and `main`.

use super::fault::Fault;
use super::memory::{Origin, moved};
use super::{DEEPEST, Done, Frame, Machine, Stop, TEMPORARIES};
use crate::code::{Passing, ProcedureCode};
use crate::tree::ProcedureId;

impl Machine<'_> {
    pub(super) fn call(&mut self, id: ProcedureId, count: usize) -> Done {
        let code = self.code;
        let Some(procedure) = &code.procedures[id.index()] else {
            return Err(Stop::Fault(Fault::NoProcedure));
        };
        if self.state.frames.len() >= DEEPEST {
            return Err(Stop::Fault(Fault::Depth));
        }
        let first = self.state.stack.len().saturating_sub(count);
        let arguments = self.state.stack.split_off(first);
        let base = self.state.slots.len();
        self.state.slots.resize(base + procedure.slots as usize, 0);
        self.state.has.resize(base + procedure.slots as usize, false);
        self.state.frames.push(Frame {
            procedure: id,
            back: self.state.pc,
            base,
            height: self.state.stack.len(),
            temporaries: Vec::new(),
            allocated: Vec::new(),
            variable_arguments: 0,
            point: self.point,
        });
        self.enter(procedure, &arguments)?;
        self.state.pc = procedure.entry;
        Ok(())
    }

    pub(super) fn enter(&mut self, procedure: &ProcedureCode, arguments: &[u64]) -> Done {
        for (slot, size, variable) in &procedure.objects {
            let address = self.allocate(*size, Origin::Variable(*variable), false)?;
            *self.slot(*slot) = address;
        }
        for ((slot, passing), argument) in procedure.parameters.iter().zip(arguments) {
            let address = *self.slot(*slot);
            match passing {
                Passing::Slot => {
                    let k = self.base() + *slot as usize;
                    self.state.slots[k] = *argument;
                    self.state.has[k] = true;
                }
                Passing::Number(number) => {
                    self.state.memory.write(address, number.size(), *argument)?
                }
                Passing::Record(size) => self.state.memory.copy(address, *argument, *size)?,
            }
        }
        if procedure.variadic {
            let rest = arguments.get(procedure.parameters.len()..).unwrap_or(&[]);
            let cells = self.allocate(rest.len() as u64 * 8, Origin::Temporary, true)?;
            for (k, value) in rest.iter().enumerate() {
                self.state.memory.write(moved(cells, k as u64 * 8), 8, *value)?;
            }
            if let Some(frame) = self.state.frames.last_mut() {
                frame.variable_arguments = cells;
                frame.temporaries.push(cells);
            }
        }
        Ok(())
    }

    /// Returns from a call. A struct is copied to the caller before its object ends.
    pub(super) fn leave(&mut self, value: Option<u64>) -> Done {
        let Some(frame) = self.state.frames.last() else { return Err(Stop::Exit(0)) };
        if self.state.frames.len() == 1 {
            // The initial values of global variables are there: `main` begins.
            let Some(main) = self.code.main.filter(|_| frame.procedure == ProcedureId(0)) else {
                return Err(Stop::Exit(0));
            };
            self.state.frames[0].procedure = ProcedureId(u32::MAX);
            let count = self.main_arguments(main)?;
            return self.call(main, count);
        }
        let (id, back, base, height) = (frame.procedure, frame.back, frame.base, frame.height);
        let mut value = value;
        let result = &self.tree.procedures[id.index()].signature.result;
        if let (Some(from), crate::types::Type::Record(_)) = (value, result) {
            let size = result.size(&self.tree.records).unwrap_or(0);
            let copy = self.allocate(size, Origin::Temporary, false)?;
            self.state.memory.copy(copy, from, size)?;
            value = Some(copy);
            let callers = self.state.frames.len() - 2;
            let kept = &mut self.state.frames[callers].temporaries;
            kept.push(copy);
            if kept.len() > TEMPORARIES {
                let oldest = kept.remove(0);
                self.state.memory.end(oldest);
            }
        }
        if let Some(code) = &self.code.procedures[id.index()] {
            for (slot, _, _) in &code.objects {
                self.state.memory.end(self.state.slots[base + *slot as usize]);
            }
        }
        let frame = self.state.frames.pop();
        for address in
            frame.iter().flat_map(|frame| frame.temporaries.iter().chain(&frame.allocated))
        {
            self.state.memory.end(*address);
        }
        self.state.slots.truncate(base);
        self.state.has.truncate(base);
        self.state.stack.truncate(height);
        self.state.pc = back;
        if self.state.frames.len() == 1 {
            return Err(Stop::Exit(value.unwrap_or(0) as u8 as i32));
        }
        if let Some(caller) = self.state.frames.last() {
            self.point = caller.point;
        }
        if let Some(value) = value {
            self.push(value);
        }
        Ok(())
    }

    /// `argc`, `argv` and `envp`, as of a program without arguments.
    pub(super) fn main_arguments(&mut self, main: ProcedureId) -> Done<usize> {
        let count = self.code.procedures[main.index()].as_ref().map_or(0, |p| p.parameters.len());
        if count > 0 {
            let name = self.allocate(8, Origin::Heap, true)?;
            self.state.memory.fill(name, b"program\0")?;
            let list = self.allocate(16, Origin::Heap, true)?;
            self.state.memory.write(list, 8, name)?;
            // An environment without variables ends in a null pointer at once.
            let environment = self.allocate(8, Origin::Heap, true)?;
            for value in [1, list, environment].into_iter().take(count) {
                self.push(value);
            }
        }
        Ok(count.min(3))
    }
}
