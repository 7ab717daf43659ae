//! The operations.

use super::code::Op;
use super::natives;
use super::value::{NULL, Value, binary};
use super::{Done, Limit, Machine, Stop, throw, throw_bare};
use crate::typed::Binary;

impl Machine<'_> {
    /// Operations until one throws, or ends the run.
    pub(super) fn burst(&mut self) -> Done {
        let code = self.code;
        loop {
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(Stop::Limit(Limit::Steps));
            }
            if self.state.heap.must_collect() {
                self.collect()?;
            }
            let op = code.ops[self.state.pc as usize];
            self.state.pc += 1;
            self.operation(op)?;
        }
    }

    fn operation(&mut self, op: Op) -> Done {
        match op {
            Op::Point(point) => {
                self.point = point;
                let count = &mut self.passed[point.index()];
                *count = count.saturating_add(1);
                if let Some(frame) = self.state.frames.last_mut() {
                    frame.point = point;
                }
            }
            Op::Constant(value) => self.push(value),
            Op::Load(slot) => {
                let at = self.base() + slot as usize;
                let value = self.state.stack.get(at).copied().unwrap_or(NULL);
                self.push(value);
            }
            Op::Store(slot) => {
                let (at, value) = (self.base() + slot as usize, self.pop());
                if let Some(place) = self.state.stack.get_mut(at) {
                    *place = value;
                }
            }
            Op::Static(field) => self.push(self.state.statics[field.index()]),
            Op::SetStatic(field) => {
                let value = self.pop();
                self.state.statics[field.index()] = value;
            }
            Op::Copy(depth) => {
                let at = self.state.stack.len().wrapping_sub(1 + depth as usize);
                let value = self.state.stack.get(at).copied().unwrap_or(NULL);
                self.push(value);
            }
            Op::Bury(depth) => {
                let value = self.pop();
                let at = self.state.stack.len().saturating_sub(depth as usize);
                self.state.stack.insert(at, value);
            }
            Op::Drop => drop(self.pop()),
            Op::Binary(operator) => self.binary_operation(operator)?,
            Op::Negate => {
                let value = self.pop().negated();
                self.push(value);
            }
            Op::Complement => {
                let value = self.pop().complement();
                self.push(value);
            }
            Op::Not => {
                let value = !self.pop().truth();
                self.push(value.into());
            }
            Op::Convert(kind) => {
                let value = self.pop().converted(kind);
                self.push(value);
            }
            Op::Jump(target) => {
                let back = target < self.state.pc;
                self.state.pc = target;
                if back && self.watch.returns(&self.state) {
                    return Err(Stop::Endless);
                }
            }
            Op::JumpIfFalse(target) => {
                if !self.pop().truth() {
                    self.state.pc = target;
                }
            }
            Op::JumpIfTrue(target) => {
                if self.pop().truth() {
                    self.state.pc = target;
                }
            }
            Op::Call(method) => self.call(method)?,
            Op::Virtual(method, depth) => self.call_virtual(method, depth)?,
            Op::Use(class) => self.use_class(class)?,
            Op::Used => self.leave(None),
            Op::Return => self.leave(None),
            Op::ReturnValue => {
                let value = self.pop();
                self.leave(Some(value));
            }
            Op::Switch(table) => self.switch(table),
            Op::Throw => self.throw_top()?,
            Op::Fail(has_text) => {
                let text = has_text.then(|| self.pop());
                let message = text.map(|text| self.string(text));
                return Err(Stop::Throw("AssertionError", message));
            }
            Op::Exit => return Err(Stop::Exit(self.pop().int())),
            other => self.object_operation(other)?,
        }
        Ok(())
    }

    fn binary_operation(&mut self, operator: Binary) -> Done {
        let (right, left) = (self.pop(), self.pop());
        match binary(operator, left, right) {
            Some(value) => {
                self.push(value);
                Ok(())
            }
            None => throw("ArithmeticException", "/ by zero"),
        }
    }

    fn switch(&mut self, table: u32) {
        let value = self.pop().long();
        let table = &self.code.tables[table as usize];
        self.state.pc = table.targets.get(&value).copied().unwrap_or(table.otherwise);
    }

    /// A text of the heap.
    pub(super) fn string(&self, text: Value) -> String {
        match self.state.heap.text_at(text.reference()) {
            Some(units) => String::from_utf16_lossy(units),
            None => "null".to_string(),
        }
    }

    /// The text of a value that is no object.
    pub(super) fn show(&mut self, kind: super::value::Kind) {
        use super::value::Kind;
        let value = self.pop();
        let shown = match kind {
            Kind::Reference if value == NULL => self.state.heap.text("null"),
            Kind::Reference => value,
            Kind::Boolean => self.state.heap.text(if value.truth() { "true" } else { "false" }),
            Kind::Char => self.state.heap.units(vec![value.int() as u16]),
            Kind::Long => self.state.heap.text(&value.long().to_string()),
            Kind::Float => self.state.heap.text(&natives::show::float(value.float())),
            Kind::Double => self.state.heap.text(&natives::show::double(value.double())),
            Kind::Byte | Kind::Short | Kind::Int => self.state.heap.text(&value.int().to_string()),
        };
        self.push(shown);
    }

    /// The texts on top as one.
    pub(super) fn join(&mut self, count: u32) -> Done {
        let from = self.state.stack.len().saturating_sub(count as usize);
        let mut joined: Vec<u16> = Vec::new();
        for value in &self.state.stack[from..] {
            joined.extend(self.state.heap.text_at(value.reference()).unwrap_or_default());
        }
        self.state.stack.truncate(from);
        if joined.len() as u64 > self.limits.memory {
            return Err(Stop::Limit(Limit::Memory));
        }
        let joined = self.state.heap.units(joined);
        self.push(joined);
        Ok(())
    }

    /// The number of a text in a list.
    pub(super) fn position(&mut self, list: u32) -> Done {
        let text = self.pop().reference();
        let Some(units) = self.state.heap.text_at(text) else {
            return throw_bare("NullPointerException");
        };
        let list = &self.code.lists[list as usize];
        let found = list.iter().position(|one| one[..] == *units);
        self.push(Value::Int(found.map_or(0, |k| k as i32 + 1)));
        Ok(())
    }
}
