//! The objects of a run. An address names its object, so that none leads into another one.
//!
//! ```text
//! 63        54        32                              0
//! ├generation┼─ object ─┼──── 2^30 + offset in bytes ────┤
//! ```
//!
//! The place of an object that is gone is used again under another generation: an old address does
//! not lead to the new object.

use super::fault::Fault;
use crate::tree::{ProcedureId, VariableId};

/// What is added to an offset, so that an address before an object is less than one in it.
const BIAS: u32 = 1 << 30;

/// Bits of an object's number.
const NUMBER_BITS: u32 = 22;

/// The greatest number of an object.
const LAST: u32 = (1 << NUMBER_BITS) - 1;

/// Which addresses objects get. What a program does only by chance differs between two layouts: a
/// comparison of pointers to two objects, an address that is looked at as a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Later objects have greater addresses.
    #[default]
    Ascending,
    /// Later objects have less, and they lie elsewhere between multiples of 64.
    Descending,
}

const PROCEDURE: u32 = u32::MAX;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A variable.
    Variable(VariableId),
    /// A string literal.
    Text,
    /// `malloc` and its like.
    Heap,
    /// A value between a call and its use, or arguments.
    Temporary,
}

/// Does it still exist?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Alive,
    Freed,
    Gone,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Object {
    bytes: Vec<u8>,
    /// Which bytes have a value.
    known: Vec<bool>,
    origin: Origin,
    state: State,
    generation: u32,
}

/// All objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Memory {
    objects: Vec<Object>,
    free: Vec<u32>,
    /// In all living objects, in bytes.
    size: u64,
    layout: Layout,
}

/// A place in an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    object: usize,
    offset: usize,
}

impl Memory {
    /// Without objects.
    pub(super) fn new(layout: Layout) -> Memory {
        Memory { layout, ..Memory::default() }
    }

    /// The lower half of the address of an object's first byte.
    fn first_byte(&self) -> u32 {
        match self.layout {
            Layout::Ascending => BIAS,
            Layout::Descending => BIAS + 40,
        }
    }

    /// The number of an object by its place in the list, and the place by its number.
    fn number(&self, k: u32) -> u32 {
        match self.layout {
            Layout::Ascending => k,
            Layout::Descending => LAST - k,
        }
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// A new object. Returns its address, or `None` if there are too many.
    pub(super) fn allocate(&mut self, size: u64, origin: Origin, known: bool) -> Option<u64> {
        if size >= u64::from(BIAS) {
            return None;
        }
        self.size += size;
        let length = size as usize;
        let mut object = Object {
            bytes: vec![0; length],
            known: vec![known; length],
            origin,
            state: State::Alive,
            generation: 0,
        };
        let k = match self.free.pop() {
            Some(k) => {
                object.generation = (self.objects[k as usize].generation + 1) % 1023;
                self.objects[k as usize] = object;
                k
            }
            None if self.objects.len() + 2 >= 1 << NUMBER_BITS => return None,
            None => {
                self.objects.push(object);
                (self.objects.len() - 1) as u32
            }
        };
        let generation = self.objects[k as usize].generation;
        let high = generation << NUMBER_BITS | self.number(k + 1);
        Some(u64::from(high) << 32 | u64::from(self.first_byte()))
    }

    /// The object of a variable or a temporary one ends.
    pub(super) fn end(&mut self, address: u64) {
        self.finish(address, State::Gone);
    }

    /// Ends an object, and begins another one of its size, with the bytes that happen to stand
    /// there and no value. Returns its address.
    pub(super) fn renew(&mut self, address: u64, origin: Origin) -> Option<u64> {
        let k = self.object(address).ok()?;
        let bytes = std::mem::take(&mut self.objects[k].bytes);
        self.size -= bytes.len() as u64;
        self.end(address);
        let new = self.allocate(bytes.len() as u64, origin, false)?;
        if let Ok(k) = self.object(new) {
            self.objects[k].bytes = bytes;
        }
        Some(new)
    }

    fn finish(&mut self, address: u64, state: State) {
        if let Ok(k) = self.object(address) {
            let object = &mut self.objects[k];
            self.size -= object.bytes.len() as u64;
            object.bytes = Vec::new();
            object.known = Vec::new();
            object.state = state;
            self.free.push(k as u32);
        }
    }

    /// `free`
    pub(super) fn free(&mut self, address: u64) -> Result<(), Fault> {
        let k = match self.object(address) {
            Ok(k) => k,
            Err(Fault::Freed) => return Err(Fault::FreedTwice),
            Err(_) => return Err(Fault::InvalidFree),
        };
        if self.objects[k].origin != Origin::Heap || address as u32 != self.first_byte() {
            return Err(Fault::InvalidFree);
        }
        self.finish(address, State::Freed);
        Ok(())
    }

    fn object(&self, address: u64) -> Result<usize, Fault> {
        let high = (address >> 32) as u32;
        if high == 0 {
            return Err(if address == 0 { Fault::Null } else { Fault::Wild });
        }
        let k = self.number(high & LAST).wrapping_sub(1) as usize;
        let Some(object) = self.objects.get(k) else { return Err(Fault::Wild) };
        let generation = high >> NUMBER_BITS;
        if object.generation != generation {
            return Err(if object.generation > generation { Fault::Freed } else { Fault::Wild });
        }
        match object.state {
            State::Alive => Ok(k),
            State::Freed => Err(Fault::Freed),
            State::Gone => Err(Fault::OutOfScope),
        }
    }

    /// Where so many bytes stand.
    pub(super) fn locate(&self, address: u64, length: u64) -> Result<Located, Fault> {
        let object = self.object(address)?;
        let offset = i64::from(address as u32) - i64::from(self.first_byte());
        let size = self.objects[object].bytes.len() as i64;
        if offset < 0 || length > i64::MAX as u64 || offset.saturating_add(length as i64) > size {
            return Err(Fault::Outside);
        }
        Ok(Located { object, offset: offset as usize })
    }

    /// How many bytes there are from the address to the end of its object.
    pub(super) fn room(&self, address: u64) -> Result<u64, Fault> {
        let at = self.locate(address, 0)?;
        Ok((self.objects[at.object].bytes.len() - at.offset) as u64)
    }

    /// May so many bytes be read there, or written?
    pub(super) fn allows(&self, address: u64, length: u64, writes: bool) -> bool {
        match self.locate(address, length) {
            Ok(at) => !writes || self.objects[at.object].origin != Origin::Text,
            Err(_) => false,
        }
    }

    /// How many bytes the object has to which an address leads; 0 if it leads to none.
    pub(super) fn object_size(&self, address: u64) -> u64 {
        self.object(address).map_or(0, |k| self.objects[k].bytes.len() as u64)
    }

    /// Bytes from the start of its object; of a number, the number.
    pub(super) fn offset(&self, address: u64) -> u64 {
        match (address >> 32) as u32 {
            0 => address,
            PROCEDURE => 0,
            _ => (i64::from(address as u32) - i64::from(self.first_byte())) as u64,
        }
    }

    /// The variable to which an address leads.
    pub(super) fn variable(&self, address: u64) -> Option<VariableId> {
        match self.objects[self.object(address).ok()?].origin {
            Origin::Variable(id) => Some(id),
            _ => None,
        }
    }

    /// A number of at most eight bytes, and whether all of them have a value.
    pub(super) fn read(&self, address: u64, length: u64) -> Result<(u64, bool), Fault> {
        let at = self.locate(address, length)?;
        let object = &self.objects[at.object];
        let mut value = 0u64;
        let mut known = true;
        for k in 0..length as usize {
            value |= u64::from(object.bytes[at.offset + k]) << (8 * k);
            known &= object.known[at.offset + k];
        }
        Ok((value, known))
    }

    pub(super) fn write(&mut self, address: u64, length: u64, value: u64) -> Result<(), Fault> {
        let at = self.locate(address, length)?;
        let object = &mut self.objects[at.object];
        if object.origin == Origin::Text {
            return Err(Fault::ReadOnly);
        }
        for k in 0..length as usize {
            object.bytes[at.offset + k] = (value >> (8 * k)) as u8;
            object.known[at.offset + k] = true;
        }
        Ok(())
    }

    /// Writes bytes, also into a literal that is being made.
    pub(super) fn fill(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        let at = self.locate(address, bytes.len() as u64)?;
        let object = &mut self.objects[at.object];
        object.bytes[at.offset..at.offset + bytes.len()].copy_from_slice(bytes);
        object.known[at.offset..at.offset + bytes.len()].fill(true);
        Ok(())
    }

    /// Copies bytes and what is known of them; the two may overlap.
    pub(super) fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), Fault> {
        let source = self.locate(from, length)?;
        let target = self.locate(to, length)?;
        if self.objects[target.object].origin == Origin::Text {
            return Err(Fault::ReadOnly);
        }
        let n = length as usize;
        let object = &self.objects[source.object];
        let bytes = object.bytes[source.offset..source.offset + n].to_vec();
        let known = object.known[source.offset..source.offset + n].to_vec();
        let object = &mut self.objects[target.object];
        object.bytes[target.offset..target.offset + n].copy_from_slice(&bytes);
        object.known[target.offset..target.offset + n].copy_from_slice(&known);
        Ok(())
    }

    /// Has the whole object no value from here on, or is it all zero?
    pub(super) fn reset(&mut self, address: u64, zero: bool) {
        if let Ok(k) = self.object(address) {
            let object = &mut self.objects[k];
            object.known.fill(zero);
            if zero {
                object.bytes.fill(0);
            }
        }
    }

    /// The bytes of a string, without its zero.
    pub(super) fn string(&self, address: u64) -> Result<(Vec<u8>, bool), Fault> {
        let at = self.locate(address, 1)?;
        let object = &self.objects[at.object];
        let bytes = &object.bytes[at.offset..];
        let end = bytes.iter().position(|byte| *byte == 0).ok_or(Fault::Outside)?;
        let known = object.known[at.offset..=at.offset + end].iter().all(|known| *known);
        Ok((bytes[..end].to_vec(), known))
    }
}

/// What two addresses have in common if they lead into one object.
pub(super) fn object_number(address: u64) -> u64 {
    address >> 32
}

/// The address of a procedure.
pub(super) fn procedure_address(id: ProcedureId) -> u64 {
    u64::from(PROCEDURE) << 32 | u64::from(id.0)
}

/// The procedure at an address.
pub(super) fn procedure_at(address: u64) -> Option<ProcedureId> {
    ((address >> 32) as u32 == PROCEDURE).then_some(ProcedureId(address as u32))
}

/// An address, moved by bytes.
pub(super) fn moved(address: u64, by: u64) -> u64 {
    let low = (address as u32).wrapping_add(by as u32);
    if address >> 32 == 0 {
        address.wrapping_add(by)
    } else {
        address & !0xffff_ffff | u64::from(low)
    }
}
