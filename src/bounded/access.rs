//! Reads and writes of memory through pointers that may lead to several places.

use crate::circuit::{FALSE, Lit, TRUE};
use crate::engine::{Done, Engine};
use crate::failure::{Cut, Failure, Limit};
use crate::memory::{Origin, Reading};
use crate::state::State;
use crate::value::{Base, Case, Value, Word};
use crate::words;
use faultline_c::machine::Fault;

/// Places at most that one access is spread over.
const PLACES: usize = 1 << 16;

/// A place that an access may lead to.
pub(crate) struct Target {
    pub(crate) guard: Lit,
    pub(crate) object: u32,
    pub(crate) offset: Word,
}

impl Engine<'_> {
    /// Where an address leads; that it leads nowhere is an error.
    pub(crate) fn targets(
        &mut self,
        state: &mut State,
        address: &Value,
        length: u64,
        writes: bool,
    ) -> Vec<Target> {
        let mut list = Vec::new();
        for case in address.cases().iter() {
            match case.base {
                Base::Number => {
                    let nonzero = self.circuit.is_nonzero(&case.offset.bits());
                    let null = self.circuit.and(case.guard, !nonzero);
                    self.require(state, !null, Failure::Fault(Fault::Null));
                    let wild = self.circuit.and(case.guard, nonzero);
                    self.require(state, !wild, Failure::Fault(Fault::Wild));
                }
                Base::Procedure(_) => {
                    self.require(state, !case.guard, Failure::Fault(Fault::Wild));
                }
                Base::Object(object) => {
                    if self.is_inside(state, case, object, length, writes) {
                        let offset = case.offset.clone();
                        list.push(Target { guard: case.guard, object, offset });
                    }
                }
            }
        }
        // Only one is left where the others were errors.
        if let [only] = list.as_mut_slice() {
            only.guard = TRUE;
        }
        list
    }

    /// Requires that the place exists. Returns whether a run can use it.
    fn is_inside(
        &mut self,
        state: &mut State,
        case: &Case,
        id: u32,
        length: u64,
        writes: bool,
    ) -> bool {
        let Some(object) = state.object(id).cloned() else {
            self.require(state, !case.guard, Failure::Fault(Fault::OutOfScope));
            return false;
        };
        let gone = self.circuit.and(case.guard, !object.alive);
        let freed = self.circuit.and(gone, object.freed);
        self.require(state, !freed, Failure::Fault(Fault::Freed));
        self.require(state, !gone, Failure::Fault(Fault::OutOfScope));
        let (size, offset) = (object.size.bits(), case.offset.bits());
        let inside = match (object.size.constant(), case.offset.constant()) {
            (Some(size), Some(offset)) => {
                Lit::from(offset.checked_add(length).is_some_and(|end| end <= size))
            }
            (Some(size), None) if size < length => FALSE,
            (Some(size), None) => {
                !self.circuit.less(&words::constant(size - length, 64), &offset, false)
            }
            (None, _) => {
                let end = self.circuit.add(&offset, &words::constant(length, 64));
                let within = !self.circuit.less(&size, &end, false);
                let whole = !self.circuit.less(&end, &words::constant(length, 64), false);
                self.circuit.and(within, whole)
            }
        };
        let outside = self.circuit.and(case.guard, !inside);
        self.require(state, !outside, Failure::Fault(Fault::Outside));
        if object.size.constant().is_none() {
            // Beyond what is kept of an object of open size.
            let kept = if object.room < length {
                FALSE
            } else {
                !self.circuit.less(&words::constant(object.room - length, 64), &offset, false)
            };
            let beyond = self.circuit.and(case.guard, !kept);
            self.cut(state, beyond, Cut::Length);
        }
        if writes && object.origin == Origin::Text {
            self.require(state, !case.guard, Failure::Fault(Fault::ReadOnly));
        }
        self.circuit.and(state.guard, case.guard) != FALSE && object.room >= length
    }

    /// The offsets that agree with the known bits of an open one.
    fn places(&self, offset: &[Lit], room: u64, length: u64) -> Done<Vec<u64>> {
        // The lowest bits that are known give the stride: `a[i]` of four bytes each.
        let known = offset.iter().take_while(|bit| bit.constant().is_some()).count().min(20);
        let first = words::value(&offset[..known]).unwrap_or(0);
        let stride = 1u64 << known;
        let mut list = Vec::new();
        let mut at = first;
        while at + length <= room {
            if list.len() >= PLACES {
                return Err(Limit::Nodes);
            }
            let agrees = |(k, bit): (usize, &Lit)| {
                bit.constant().is_none_or(|bit| k < 64 && (at >> k & 1 == 1) == bit)
            };
            if offset.iter().enumerate().all(agrees) {
                list.push(at);
            }
            at += stride;
        }
        Ok(list)
    }

    /// What stands at an address.
    pub(crate) fn read(
        &mut self,
        state: &mut State,
        address: &Value,
        length: u64,
    ) -> Done<Reading> {
        let mut result: Option<Reading> = None;
        for target in self.targets(state, address, length, false) {
            let one = self.read_target(state, &target, length)?;
            result = Some(match result {
                None => one,
                Some(before) => Reading {
                    value: self.circuit.choose_value(target.guard, &one.value, &before.value),
                    known: self.circuit.choose(target.guard, one.known, before.known),
                },
            });
        }
        Ok(result.unwrap_or(Reading { value: Value::constant(0), known: TRUE }))
    }

    fn read_target(&mut self, state: &State, target: &Target, length: u64) -> Done<Reading> {
        let Some(object) = state.object(target.object).cloned() else {
            return Ok(Reading { value: Value::constant(0), known: TRUE });
        };
        if let Some(offset) = target.offset.constant() {
            return object.read(&mut self.circuit, offset, length).map_err(|_| Limit::Address);
        }
        let offset = target.offset.bits();
        let mut list = Vec::new();
        for at in self.places(&offset, object.room, length)? {
            match object.read(&mut self.circuit, at, length) {
                Ok(reading) => list.push((at, reading)),
                // Part of a pointer; most often no run reads there.
                Err(_) => {
                    let here = self.circuit.equal_words(&offset, &words::constant(at, 64));
                    let here = self.circuit.and(here, target.guard);
                    let here = self.circuit.and(here, state.guard);
                    if self.feasible(here)? {
                        return Err(Limit::Address);
                    }
                }
            }
        }
        let Some((_, top)) = list.last().map(|(at, _)| ((), 64 - at.leading_zeros())) else {
            return Ok(Reading { value: Value::constant(0), known: TRUE });
        };
        Ok(self.selected(list, &offset, top as usize))
    }

    /// One of the readings, by the bits of the offset below `top`: a tree of choices.
    fn selected(&mut self, mut list: Vec<(u64, Reading)>, offset: &[Lit], top: usize) -> Reading {
        if list.len() == 1 || top == 0 {
            return match list.pop() {
                Some((_, reading)) => reading,
                None => Reading { value: Value::constant(0), known: TRUE },
            };
        }
        let bit = top - 1;
        let (high, low): (Vec<_>, Vec<_>) =
            list.into_iter().partition(|(at, _)| at >> bit & 1 == 1);
        match (high.is_empty(), low.is_empty()) {
            (true, _) => self.selected(low, offset, bit),
            (_, true) => self.selected(high, offset, bit),
            _ => {
                let high = self.selected(high, offset, bit);
                let low = self.selected(low, offset, bit);
                Reading {
                    value: self.circuit.choose_value(offset[bit], &high.value, &low.value),
                    known: self.circuit.choose(offset[bit], high.known, low.known),
                }
            }
        }
    }

    /// Writes a value to an address.
    pub(crate) fn write(
        &mut self,
        state: &mut State,
        address: &Value,
        length: u64,
        value: &Value,
    ) -> Done {
        let targets = self.targets(state, address, length, true);
        self.write_targets(state, &targets, length, value, TRUE)
    }

    /// Writes to places that were found, if the condition holds.
    pub(crate) fn write_targets(
        &mut self,
        state: &mut State,
        targets: &[Target],
        length: u64,
        value: &Value,
        condition: Lit,
    ) -> Done {
        for target in targets {
            let guard = self.circuit.and(target.guard, condition);
            if guard == FALSE {
                continue;
            }
            let (offset, room) = match state.object(target.object) {
                Some(object) => (target.offset.clone(), object.room),
                None => continue,
            };
            let places = match offset.constant() {
                Some(offset) => vec![(offset, guard)],
                None => {
                    let bits = offset.bits();
                    let mut list = Vec::new();
                    for at in self.places(&bits, room, length)? {
                        let here = self.circuit.equal_words(&bits, &words::constant(at, 64));
                        list.push((at, self.circuit.and(here, guard)));
                    }
                    list
                }
            };
            for (at, here) in places {
                self.write_place(state, target.object, at, length, value, here)?;
            }
        }
        Ok(())
    }

    fn write_place(
        &mut self,
        state: &mut State,
        id: u32,
        at: u64,
        length: u64,
        value: &Value,
        here: Lit,
    ) -> Done {
        if here == FALSE {
            return Ok(());
        }
        let mut known = TRUE;
        let mut value = value.clone();
        if here != TRUE {
            let Some(object) = state.object(id).cloned() else { return Ok(()) };
            match object.read(&mut self.circuit, at, length) {
                Ok(before) => {
                    value = self.circuit.choose_value(here, &value, &before.value);
                    known = self.circuit.or(here, before.known);
                }
                Err(_) => {
                    let reached = self.circuit.and(here, state.guard);
                    if self.feasible(reached)? {
                        return Err(Limit::Address);
                    }
                    return Ok(());
                }
            }
            if matches!(value, Value::Pointer(_)) && length != 8 {
                return Err(Limit::Address);
            }
        }
        if let Some(object) = state.object_mut(id) {
            object.write(at, length, &value, known);
        }
        Ok(())
    }

    /// Copies bytes with what is known of them.
    pub(crate) fn copy(&mut self, state: &mut State, to: &Value, from: &Value, size: u64) -> Done {
        if size == 0 {
            return Ok(());
        }
        let sources = self.targets(state, from, size, false);
        let targets = self.targets(state, to, size, true);
        if let ([source], [target]) = (sources.as_slice(), targets.as_slice())
            && let (Some(start), Some(at)) = (source.offset.constant(), target.offset.constant())
        {
            let Some(object) = state.object(source.object).cloned() else { return Ok(()) };
            if let Some(target) = state.object_mut(target.object) {
                target.copy(at, &object, start, size);
            }
            return Ok(());
        }
        // By pieces, so that pointers stay whole; all are read before any is written.
        let unit = if size.is_multiple_of(8) {
            8
        } else if size.is_multiple_of(4) {
            4
        } else {
            1
        };
        let mut pieces = Vec::new();
        for k in 0..size / unit {
            let from = self.moved(from, &Word::Constant(k * unit));
            pieces.push(self.read(state, &from, unit)?);
        }
        for (k, piece) in pieces.into_iter().enumerate() {
            let to = self.moved(to, &Word::Constant(k as u64 * unit));
            let targets = self.targets(state, &to, unit, true);
            self.write_targets(state, &targets, unit, &piece.value, piece.known)?;
        }
        Ok(())
    }

    /// An address, moved by bytes.
    pub(crate) fn moved(&mut self, address: &Value, by: &Word) -> Value {
        match (address, by.constant()) {
            (_, Some(0)) => address.clone(),
            (Value::Word(word), _) => Value::Word(self.sum(word, by)),
            (Value::Pointer(cases), _) => {
                let list: Vec<Case> = cases
                    .iter()
                    .map(|case| Case { offset: self.sum(&case.offset, by), ..case.clone() })
                    .collect();
                Value::Pointer(list.into())
            }
        }
    }

    pub(crate) fn sum(&mut self, a: &Word, b: &Word) -> Word {
        match (a, b) {
            (Word::Constant(a), Word::Constant(b)) => Word::Constant(a.wrapping_add(*b)),
            _ => Word::new(self.circuit.add(&a.bits(), &b.bits())),
        }
    }
}
