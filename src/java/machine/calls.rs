//! Calls, what runs when a class is first used, and exceptions.

use super::heap::Cell;
use super::value::{NULL, Value};
use super::{Done, Frame, Machine, Stop, Uncaught, throw_bare};
use crate::typed::{ClassId, MethodId};

/// Calls nest no deeper: about what Java's own stack holds.
const DEEPEST: usize = 9_000;

/// So many values are on the stack.
const MOST_VALUES: usize = 2_000_000;

impl Machine<'_> {
    pub(super) fn call(&mut self, method: MethodId) -> Done {
        let code = &self.code.methods[method.index()];
        let base = self.state.stack.len().saturating_sub(code.parameters as usize);
        if code.has_object && self.state.stack.get(base).is_none_or(|object| *object == NULL) {
            return throw_bare("NullPointerException");
        }
        if let Some(native) = code.native {
            let (count, gives) = (code.parameters as usize, code.gives);
            let mut arguments = [NULL; 8];
            for (k, argument) in arguments.iter_mut().enumerate().take(count) {
                *argument = self.state.stack[base + k];
            }
            // What is on the stack is not collected.
            let value = self.native(native, &arguments[..count.min(8)])?;
            self.state.stack.truncate(base);
            if gives {
                self.push(value);
            }
            return Ok(());
        }
        let (slots, start) = (code.slots as usize, code.start);
        if self.state.frames.len() >= DEEPEST || base + slots > MOST_VALUES {
            return throw_bare("StackOverflowError");
        }
        self.enter(method, base, slots, start);
        Ok(())
    }

    fn enter(&mut self, method: MethodId, base: usize, slots: usize, start: u32) {
        self.state.stack.resize(base + slots, NULL);
        let (back, point) = (self.state.pc, self.point);
        self.state.frames.push(Frame { method, back, base, point });
        self.state.pc = start;
    }

    pub(super) fn call_virtual(&mut self, method: MethodId, depth: u32) -> Done {
        let at = self.state.stack.len().wrapping_sub(1 + depth as usize);
        let object = self.state.stack.get(at).copied().unwrap_or(NULL);
        let Some(class) = self.class_of(object) else {
            return throw_bare("NullPointerException");
        };
        let targets = &self.code.methods[method.index()].targets;
        match targets.get(&class) {
            Some(target) => self.call(*target),
            None => self.call(method),
        }
    }

    /// The class of an object: of arrays `Object`, of texts `String`.
    pub(super) fn class_of(&self, object: Value) -> Option<ClassId> {
        match self.state.heap.get(object.reference()) {
            Cell::Free => None,
            Cell::Object(class, _) | Cell::Builder(class, _) => Some(*class),
            Cell::Array(..) => Some(self.program.object),
            Cell::Text(_) => self.known.get("String").copied(),
        }
    }

    /// The call on top ends.
    pub(super) fn leave(&mut self, value: Option<Value>) {
        let Some(frame) = self.state.frames.pop() else { return };
        self.state.stack.truncate(frame.base);
        self.state.pc = frame.back;
        if let Some(caller) = self.state.frames.last() {
            self.point = caller.point;
        }
        if let Some(value) = value {
            self.push(value);
        }
    }

    /// Runs what a class and those above it do at first use, those above first.
    pub(super) fn use_class(&mut self, class: ClassId) -> Done {
        let mut first = None;
        let mut next = Some(class);
        while let Some(at) = next {
            if !self.state.used[at.index()] {
                first = Some(at);
            }
            next = self.program.classes[at.index()].superclass;
        }
        let Some(first) = first else { return Ok(()) };
        self.state.used[first.index()] = true;
        // This operation runs again: the others are next.
        self.state.pc -= 1;
        let Some(initializer) = self.program.classes[first.index()].initializer else {
            return Ok(());
        };
        self.call(initializer)
    }

    pub(super) fn throw_top(&mut self) -> Done {
        let exception = self.pop().reference();
        match exception {
            0 => throw_bare("NullPointerException"),
            _ => Err(Stop::Thrown(exception)),
        }
    }

    /// Goes on where an exception is caught; what no exception is ends the run.
    pub(super) fn caught(&mut self, stop: Stop) -> Done {
        let exception = match stop {
            Stop::Throw(class, message) => self.exception(class, message),
            Stop::Thrown(exception) => exception,
            other => return Err(other),
        };
        if self.thrown.is_none_or(|(known, _)| known != exception) {
            self.thrown = Some((exception, self.point));
        }
        let Some(class) = self.class_of(Value::Reference(exception)) else {
            return Err(Stop::Uncaught(exception));
        };
        while let Some(frame) = self.state.frames.last() {
            let at = self.state.pc.wrapping_sub(1);
            let method = &self.code.methods[frame.method.index()];
            let catches = |classes: &[ClassId]| {
                classes.is_empty() || classes.iter().any(|c| self.program.is_below(class, *c))
            };
            let mut handlers = method.handlers.iter();
            let found = handlers
                .find(|h| h.start <= at && at < h.end && catches(&h.classes))
                .map(|h| h.target);
            if let Some(target) = found {
                let height = frame.base + method.slots as usize;
                self.point = frame.point;
                self.state.stack.truncate(height);
                self.push(Value::Reference(exception));
                self.state.pc = target;
                return Ok(());
            }
            self.leave(None);
        }
        Err(Stop::Uncaught(exception))
    }

    /// A new exception of the library. Its first field is its message.
    fn exception(&mut self, class: &'static str, message: Option<String>) -> u32 {
        let id = self.known.get(class).copied().unwrap_or(self.program.object);
        let mut fields = self.code.layouts[id.index()].clone();
        if let (Some(message), Some(first)) = (message, fields.first_mut()) {
            *first = self.state.heap.text(&message);
        }
        self.state.heap.add(Cell::Object(id, fields.into())).reference()
    }

    /// What an exception says.
    pub(super) fn told(&self, exception: u32) -> Uncaught {
        let class = self.class_of(Value::Reference(exception)).unwrap_or(self.program.object);
        let message = self.state.heap.field(exception, 0).reference();
        let message = self.state.heap.text_at(message).map(String::from_utf16_lossy);
        Uncaught { class: self.program.classes[class.index()].full_name(), message }
    }
}
