//! What a run reads, as events whose values are open, and the input that a model of them means.

use crate::circuit::{Circuit, FALSE, Lit};
use crate::solver::Solver;
use crate::value::Word;
use crate::words::constant;
use faultline_c::code::Number;
use std::rc::Rc;

/// One thing that a run reads.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A number by `scanf`.
    Number(Number, Word),
    /// A word by `scanf`'s `%s`: its bytes, of which the first so many count.
    Text(Vec<[Lit; 8]>, Word),
    /// Bytes as they are: a line, a character.
    Raw(Vec<[Lit; 8]>, Word),
    /// Something that is no number, which nobody reads.
    Mismatch,
    /// A value that is chosen, not read: `rand`, `time`, a verifier's name.
    Choice(Number, Word),
}

/// Events in order, youngest last; where runs were joined, under their conditions.
#[derive(Debug)]
pub(crate) enum Events {
    None,
    Then(Rc<Events>, Lit, Event),
    Either(Lit, Rc<Events>, Rc<Events>),
}

/// Without recursion: a run may read a million numbers.
impl Drop for Events {
    fn drop(&mut self) {
        let mut open = Vec::new();
        self.give_up(&mut open);
        while let Some(events) = open.pop() {
            if let Ok(mut events) = Rc::try_unwrap(events) {
                events.give_up(&mut open);
            }
        }
    }
}

impl Events {
    /// Leaves nothing before it.
    fn give_up(&mut self, open: &mut Vec<Rc<Events>>) {
        let mut take = |before: &mut Rc<Events>| {
            if !matches!(**before, Events::None) {
                open.push(std::mem::replace(before, nothing()));
            }
        };
        match self {
            Events::None => {}
            Events::Then(before, ..) => take(before),
            Events::Either(_, a, b) => {
                take(a);
                take(b);
            }
        }
    }
}

fn nothing() -> Rc<Events> {
    Rc::new(Events::None)
}

/// How far the input was read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) events: Rc<Events>,
    /// Is there nothing left?
    pub(crate) ended: Lit,
    /// Does something stand there that is no number?
    pub(crate) stuck: Lit,
    /// Was a number read last? (Then no digit follows.)
    pub(crate) number: Lit,
}

impl Input {
    pub(crate) fn new() -> Input {
        Input { events: Rc::new(Events::None), ended: FALSE, stuck: FALSE, number: FALSE }
    }

    /// The event happens if the condition holds.
    pub(crate) fn push(&mut self, condition: Lit, event: Event) {
        self.events = Rc::new(Events::Then(self.events.clone(), condition, event));
    }

    pub(crate) fn join(&self, circuit: &mut Circuit, condition: Lit, other: &Input) -> Input {
        let events = if Rc::ptr_eq(&self.events, &other.events) {
            self.events.clone()
        } else {
            Rc::new(Events::Either(condition, self.events.clone(), other.events.clone()))
        };
        Input {
            events,
            ended: circuit.choose(condition, self.ended, other.ended),
            stuck: circuit.choose(condition, self.stuck, other.stuck),
            number: circuit.choose(condition, self.number, other.number),
        }
    }
}

/// An input, and the values that were chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// What the program reads.
    pub text: Vec<u8>,
    /// By `rand`, `time` and verifiers' names, in order.
    pub choices: Vec<u64>,
}

/// What the solver's last model reads on the way of these events.
pub(crate) fn given(circuit: &Circuit, solver: &Solver, events: &Events) -> Given {
    let mut list = Vec::new();
    let mut at = events;
    loop {
        match at {
            Events::None => break,
            Events::Then(before, condition, event) => {
                if solver.value(circuit, *condition) {
                    list.push(event);
                }
                at = before;
            }
            Events::Either(condition, a, b) => {
                at = if solver.value(circuit, *condition) { a } else { b };
            }
        }
    }
    let mut result = Given::default();
    let mut stuck = false;
    for event in list.into_iter().rev() {
        let text = &mut result.text;
        match event {
            Event::Mismatch => stuck = true,
            Event::Choice(_, word) => {
                result.choices.push(number(circuit, solver, word));
            }
            Event::Number(kind, word) => {
                if text.last().is_some_and(|byte| !byte.is_ascii_whitespace()) {
                    text.push(b' ');
                }
                text.extend(written(*kind, number(circuit, solver, word)).bytes());
            }
            Event::Text(bytes, length) => {
                if !stuck && text.last().is_some_and(|byte| !byte.is_ascii_whitespace()) {
                    text.push(b' ');
                }
                stuck = false;
                text.extend(some_bytes(circuit, solver, bytes, length));
            }
            Event::Raw(bytes, length) => {
                stuck = false;
                text.extend(some_bytes(circuit, solver, bytes, length));
            }
        }
    }
    if stuck {
        result.text.extend(b" x");
    }
    if result.text.last().is_some_and(|byte| *byte != b'\n') {
        // As people write it; it changes no number and no word before it.
        result.text.extend(b"\n");
    }
    result
}

fn some_bytes(circuit: &Circuit, solver: &Solver, bytes: &[[Lit; 8]], length: &Word) -> Vec<u8> {
    let length = (number(circuit, solver, length) as usize).min(bytes.len());
    bytes[..length].iter().map(|byte| solver.number(circuit, byte) as u8).collect()
}

fn number(circuit: &Circuit, solver: &Solver, word: &Word) -> u64 {
    match word {
        Word::Constant(value) => *value,
        Word::Bits(bits) => solver.number(circuit, bits),
    }
}

/// So that `scanf` reads this number.
fn written(kind: Number, value: u64) -> String {
    match kind {
        Number::Integer(integer) if !integer.signed() => value.to_string(),
        Number::Integer(_) => (value as i64).to_string(),
        Number::Single => format!("{}", f32::from_bits(value as u32)),
        Number::Double => format!("{}", f64::from_bits(value)),
        Number::Pointer => format!("{value:#x}"),
    }
}

/// Conditions under which what is read is small: people look at 3 rather than at -1294967296.
pub(crate) fn small(circuit: &mut Circuit, events: &Events, within: u64) -> Lit {
    // Each event once, however many joined runs have it.
    let mut seen: rustc_hash::FxHashSet<*const Events> = rustc_hash::FxHashSet::default();
    let mut open = vec![events];
    let mut result = Vec::new();
    while let Some(events) = open.pop() {
        if !seen.insert(std::ptr::from_ref(events)) {
            continue;
        }
        match events {
            Events::None => {}
            Events::Then(before, condition, event) => {
                if let Some(small) = small_event(circuit, event, within) {
                    let here = circuit.or(!*condition, small);
                    result.push(here);
                }
                open.push(before);
            }
            Events::Either(_, a, b) => open.extend([&**a, &**b]),
        }
    }
    circuit.all(&result)
}

fn small_event(circuit: &mut Circuit, event: &Event, within: u64) -> Option<Lit> {
    match event {
        Event::Number(Number::Integer(_), word) | Event::Choice(Number::Integer(_), word) => {
            let bits = word.bits();
            // -within ≤ x ≤ within is 0 ≤ x + within ≤ 2·within, without signs.
            let moved = circuit.add(&bits, &constant(within, 64));
            Some(!circuit.less(&constant(2 * within, 64), &moved, false))
        }
        Event::Number(kind @ (Number::Single | Number::Double), word) => {
            let (fraction, wide) = if *kind == Number::Single { (23, 32) } else { (52, 64) };
            let bits = word.low(wide);
            // Few digits behind the point: most of the fraction is zero, and the size is moderate.
            let kept = if within < 1000 { 10 } else { 30 };
            let fine = circuit.any(&bits[..fraction - kept.min(fraction)]);
            let magnitude = if *kind == Number::Single {
                u64::from((within as f32).to_bits())
            } else {
                (within as f64).to_bits()
            };
            let most = constant(magnitude, wide - 1);
            let large = circuit.less(&most, &bits[..wide - 1], false);
            let strange = circuit.or(fine, large);
            Some(!strange)
        }
        Event::Text(bytes, length) | Event::Raw(bytes, length) => {
            let mut list = Vec::new();
            let most = constant(within.min(64), 64);
            list.push(!circuit.less(&most, &length.bits(), false));
            for (k, byte) in bytes.iter().enumerate() {
                // What can be typed; first of all letters, digits, blanks and ends of lines.
                let ranges: &[(u8, u8)] = if within < 1000 {
                    &[(b'a', b'z'), (b'0', b'9'), (b' ', b' '), (b'\n', b'\n')]
                } else {
                    &[(b' ', b'~'), (b'\n', b'\n')]
                };
                let mut usual = FALSE;
                for (first, last) in ranges {
                    let below = circuit.less(byte, &constant(u64::from(*first), 8), false);
                    let above = circuit.less(&constant(u64::from(*last), 8), byte, false);
                    let inside = circuit.and(!below, !above);
                    usual = circuit.or(usual, inside);
                }
                let strange = !usual;
                let counts = circuit.less(&constant(k as u64, 64), &length.bits(), false);
                list.push(!circuit.and(counts, strange));
            }
            Some(circuit.all(&list))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_events_are_given_up() {
        let mut input = Input::new();
        for _ in 0..1_000_000 {
            input.push(FALSE, Event::Mismatch);
        }
        drop(input);
    }
}
