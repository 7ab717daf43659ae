//! Objects whose bytes are open. Parts that two states share are one allocation, so that joining
//! them costs what they differ in.

use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::value::{Case, Value, Word};
use faultline_c::tree::VariableId;
use std::rc::Rc;

/// Bytes of a chunk.
const CHUNK: usize = 32;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Variable(VariableId),
    Text,
    Heap,
    Temporary,
}

/// A byte.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    Bits([Lit; 8]),
    /// One of the eight bytes of a pointer.
    Part(Rc<[Case]>, u8),
    /// A byte of a pointer in one run, and of something else in another one.
    Torn,
}

#[derive(Clone, Debug, PartialEq)]
struct Byte {
    content: Content,
    /// Has it a value?
    known: Lit,
}

type Chunk = [Byte; CHUNK];

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    chunks: Vec<Rc<Chunk>>,
    /// In bytes.
    pub(crate) size: Word,
    /// How many bytes are kept, where the size is open.
    pub(crate) room: u64,
    pub(crate) origin: Origin,
    /// Does it exist?
    pub(crate) alive: Lit,
    /// Was it freed? Else, if it is gone, its block was left.
    pub(crate) freed: Lit,
}

/// What a read gives.
pub(crate) struct Reading {
    pub(crate) value: Value,
    pub(crate) known: Lit,
}

/// Bytes of a pointer that are not read together.
pub(crate) struct Torn;

fn chunk(known: Lit) -> Rc<Chunk> {
    Rc::new(std::array::from_fn(|_| Byte { content: Content::Bits([FALSE; 8]), known }))
}

impl Object {
    pub(crate) fn new(size: Word, room: u64, origin: Origin, known: bool) -> Object {
        let one = chunk(Lit::from(known));
        let count = (room as usize).div_ceil(CHUNK);
        Object { chunks: vec![one; count], size, room, origin, alive: TRUE, freed: FALSE }
    }

    /// Any value in each byte.
    pub(crate) fn any(&mut self, circuit: &mut Circuit) {
        for k in 0..self.room as usize {
            let content = Content::Bits(std::array::from_fn(|_| circuit.input()));
            *self.byte_mut(k) = Byte { content, known: TRUE };
        }
    }

    fn byte(&self, k: usize) -> &Byte {
        &self.chunks[k / CHUNK][k % CHUNK]
    }

    fn byte_mut(&mut self, k: usize) -> &mut Byte {
        &mut Rc::make_mut(&mut self.chunks[k / CHUNK])[k % CHUNK]
    }

    /// Bytes at a place that is in the room.
    pub(crate) fn read(
        &self,
        circuit: &mut Circuit,
        at: u64,
        length: u64,
    ) -> Result<Reading, Torn> {
        let (at, length) = (at as usize, length as usize);
        let mut known = TRUE;
        for k in at..at + length {
            known = circuit.and(known, self.byte(k).known);
        }
        if let Content::Part(cases, 0) = &self.byte(at).content {
            let whole = |k: usize| match &self.byte(at + k).content {
                Content::Part(other, part) => Rc::ptr_eq(cases, other) && usize::from(*part) == k,
                _ => false,
            };
            if length == 8 && (1..8).all(whole) {
                return Ok(Reading { value: Value::Pointer(cases.clone()), known });
            }
        }
        let mut bits = Vec::with_capacity(64);
        for k in at..at + length {
            match &self.byte(k).content {
                Content::Bits(byte) => bits.extend(byte),
                _ => return Err(Torn),
            }
        }
        Ok(Reading { value: Value::extended(&bits, false), known })
    }

    pub(crate) fn write(&mut self, at: u64, length: u64, value: &Value, known: Lit) {
        for k in 0..length as usize {
            let content = match value {
                Value::Pointer(cases) => Content::Part(cases.clone(), k as u8),
                Value::Word(word) => Content::Bits(byte_of(word, k)),
            };
            *self.byte_mut(at as usize + k) = Byte { content, known };
        }
    }

    /// One byte as it is, for copies.
    pub(crate) fn fill(&mut self, at: u64, bytes: &[u8]) {
        for (k, byte) in bytes.iter().enumerate() {
            self.write(at + k as u64, 1, &Value::constant(u64::from(*byte)), TRUE);
        }
    }

    /// Copies bytes with what is known of them.
    pub(crate) fn copy(&mut self, at: u64, from: &Object, start: u64, length: u64) {
        let bytes: Vec<Byte> =
            (start..start + length).map(|k| from.byte(k as usize).clone()).collect();
        for (k, byte) in bytes.into_iter().enumerate() {
            *self.byte_mut(at as usize + k) = byte;
        }
    }

    /// Has no value from here on, or is all zero.
    pub(crate) fn reset(&mut self, zero: bool) {
        let one = chunk(Lit::from(zero));
        self.chunks.fill(one);
    }

    /// The object no longer exists.
    pub(crate) fn end(&mut self, freed: Lit) {
        self.alive = FALSE;
        self.freed = freed;
    }

    /// Bytes that nobody can reach any more are not kept.
    pub(crate) fn forget(&mut self) {
        self.chunks.clear();
        self.room = 0;
    }

    /// As in one state if the condition holds, else as in the other one.
    pub(crate) fn join(&self, circuit: &mut Circuit, condition: Lit, other: &Object) -> Object {
        let mut result = self.clone();
        result.alive = circuit.choose(condition, self.alive, other.alive);
        result.freed = circuit.choose(condition, self.freed, other.freed);
        // One that is gone in one of the states has no bytes there.
        if other.chunks.len() < self.chunks.len() {
            return result;
        }
        if other.chunks.len() > self.chunks.len() {
            return Object { alive: result.alive, freed: result.freed, ..other.clone() };
        }
        for (k, (a, b)) in self.chunks.iter().zip(&other.chunks).enumerate() {
            if !Rc::ptr_eq(a, b) {
                result.chunks[k] = Rc::new(joined(circuit, condition, a, b));
            }
        }
        result
    }
}

fn byte_of(word: &Word, k: usize) -> [Lit; 8] {
    match word {
        Word::Constant(value) => {
            std::array::from_fn(|bit| Lit::from(value >> (8 * k + bit) & 1 == 1))
        }
        Word::Bits(bits) => std::array::from_fn(|bit| bits[8 * k + bit]),
    }
}

/// Pointers are joined by eight bytes, where their parts stand in order.
fn joined(circuit: &mut Circuit, condition: Lit, a: &Chunk, b: &Chunk) -> Chunk {
    let mut result = a.clone();
    let mut k = 0;
    while k < CHUNK {
        let known = circuit.choose(condition, a[k].known, b[k].known);
        if let (Content::Bits(x), Content::Bits(y)) = (&a[k].content, &b[k].content) {
            if a[k] != b[k] {
                let bits = std::array::from_fn(|bit| circuit.choose(condition, x[bit], y[bit]));
                result[k] = Byte { content: Content::Bits(bits), known };
            }
            k += 1;
            continue;
        }
        let aligned = k % 8 == 0 && k + 8 <= CHUNK;
        match (
            aligned.then(|| whole(&a[k..k + 8])).flatten(),
            aligned.then(|| whole(&b[k..k + 8])).flatten(),
        ) {
            (Some(x), Some(y)) => {
                let value = circuit.choose_value(condition, &x, &y);
                let cases = value.cases();
                for part in 0..8 {
                    let known = circuit.choose(condition, a[k + part].known, b[k + part].known);
                    let content = match &value {
                        Value::Word(word) => Content::Bits(byte_of(word, part)),
                        Value::Pointer(_) => Content::Part(cases.clone(), part as u8),
                    };
                    result[k + part] = Byte { content, known };
                }
                k += 8;
            }
            _ => {
                let content = if a[k] == b[k] { a[k].content.clone() } else { Content::Torn };
                result[k] = Byte { content, known };
                k += 1;
            }
        }
    }
    result
}

/// Eight bytes as one value.
fn whole(bytes: &[Byte]) -> Option<Value> {
    match &bytes[0].content {
        Content::Part(cases, 0) => {
            let same = bytes.iter().enumerate().all(|(k, byte)| match &byte.content {
                Content::Part(other, part) => Rc::ptr_eq(cases, other) && usize::from(*part) == k,
                _ => false,
            });
            same.then(|| Value::Pointer(cases.clone()))
        }
        Content::Part(..) | Content::Torn => None,
        Content::Bits(_) => {
            let mut bits = Vec::with_capacity(64);
            for byte in bytes {
                match &byte.content {
                    Content::Bits(byte) => bits.extend(byte),
                    _ => return None,
                }
            }
            Some(Value::Word(Word::new(bits)))
        }
    }
}
