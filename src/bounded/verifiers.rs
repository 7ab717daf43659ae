//! What verifiers' names ask of pointers: nothing is followed, so that nothing can be wrong.

use crate::circuit::{FALSE, Lit, TRUE};
use crate::engine::{Done, Engine};
use crate::failure::Limit;
use crate::memory::Origin;
use crate::state::State;
use crate::value::{Base, Case, Value, Word};
use faultline_c::code::Native;

/// What all addresses of procedures have in common.
const PROCEDURES: u64 = 0xffff_ffff;

impl Engine<'_> {
    /// May so many bytes be read there, or written?
    pub(crate) fn allowed(
        &mut self,
        state: &State,
        address: &Value,
        size: &Value,
        writes: bool,
    ) -> Done<Value> {
        let Value::Word(size) = size else { return Err(Limit::Address) };
        let size = size.bits();
        let mut result = FALSE;
        for case in address.cases().iter() {
            let Base::Object(id) = case.base else { continue };
            let Some(object) = state.object(id).cloned() else { continue };
            if writes && object.origin == Origin::Text {
                continue;
            }
            let offset = case.offset.bits();
            let end = self.circuit.add(&offset, &size);
            // A place before the object is a large number.
            let wraps = self.circuit.less(&end, &offset, false);
            let outside = self.circuit.less(&object.size.bits(), &end, false);
            let wrong = self.circuit.or(wraps, outside);
            let here = self.circuit.and(case.guard, object.alive);
            let here = self.circuit.and(here, !wrong);
            result = self.circuit.or(result, here);
        }
        Ok(Value::truth(result))
    }

    /// A property of the object to which an address leads.
    pub(crate) fn of_object(&mut self, state: &State, native: Native, address: &Value) -> Value {
        let mut result = Word::Constant(0);
        for case in address.cases().iter() {
            let (guard, value) = match native {
                Native::ObjectSize => size(state, case),
                Native::PointerOffset => (TRUE, offset(case)),
                _ => (TRUE, Word::Constant(number(case))),
            };
            let here = self.circuit.and(case.guard, guard);
            result = self.circuit.choose_words(here, &value, &result);
        }
        Value::Word(result)
    }
}

/// With the condition that the object exists.
fn size(state: &State, case: &Case) -> (Lit, Word) {
    match case.base {
        Base::Object(id) => match state.object(id) {
            Some(object) => (object.alive, object.size.clone()),
            None => (FALSE, Word::Constant(0)),
        },
        _ => (FALSE, Word::Constant(0)),
    }
}

fn offset(case: &Case) -> Word {
    match case.base {
        Base::Procedure(_) => Word::Constant(0),
        _ => case.offset.clone(),
    }
}

fn number(case: &Case) -> u64 {
    match case.base {
        Base::Number => 0,
        Base::Object(id) => u64::from(id) + 1,
        Base::Procedure(_) => PROCEDURES,
    }
}
