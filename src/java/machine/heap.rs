//! Objects, arrays and texts; what nothing refers to is collected.

use super::code::TypeId;
use super::value::{Kind, NULL, Value};
use crate::typed::ClassId;
use std::rc::Rc;

/// The elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Elements {
    Boolean(Vec<bool>),
    Byte(Vec<i8>),
    Short(Vec<i16>),
    Char(Vec<u16>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Reference(Vec<u32>),
}

impl Elements {
    pub(super) fn new(kind: Kind, length: usize) -> Elements {
        match kind {
            Kind::Boolean => Elements::Boolean(vec![false; length]),
            Kind::Byte => Elements::Byte(vec![0; length]),
            Kind::Short => Elements::Short(vec![0; length]),
            Kind::Char => Elements::Char(vec![0; length]),
            Kind::Int => Elements::Int(vec![0; length]),
            Kind::Long => Elements::Long(vec![0; length]),
            Kind::Float => Elements::Float(vec![0.0; length]),
            Kind::Double => Elements::Double(vec![0.0; length]),
            Kind::Reference => Elements::Reference(vec![0; length]),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Elements::Boolean(list) => list.len(),
            Elements::Byte(list) => list.len(),
            Elements::Short(list) => list.len(),
            Elements::Char(list) => list.len(),
            Elements::Int(list) => list.len(),
            Elements::Long(list) => list.len(),
            Elements::Float(list) => list.len(),
            Elements::Double(list) => list.len(),
            Elements::Reference(list) => list.len(),
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<Value> {
        Some(match self {
            Elements::Boolean(list) => Value::from(*list.get(at)?),
            Elements::Byte(list) => Value::Int(i32::from(*list.get(at)?)),
            Elements::Short(list) => Value::Int(i32::from(*list.get(at)?)),
            Elements::Char(list) => Value::Int(i32::from(*list.get(at)?)),
            Elements::Int(list) => Value::Int(*list.get(at)?),
            Elements::Long(list) => Value::Long(*list.get(at)?),
            Elements::Float(list) => Value::Float(*list.get(at)?),
            Elements::Double(list) => Value::Double(*list.get(at)?),
            Elements::Reference(list) => Value::Reference(*list.get(at)?),
        })
    }

    /// Sets an element; false outside of the array.
    pub(super) fn set(&mut self, at: usize, value: Value) -> bool {
        if at >= self.len() {
            return false;
        }
        match self {
            Elements::Boolean(list) => list[at] = value.truth(),
            Elements::Byte(list) => list[at] = value.int() as i8,
            Elements::Short(list) => list[at] = value.int() as i16,
            Elements::Char(list) => list[at] = value.int() as u16,
            Elements::Int(list) => list[at] = value.int(),
            Elements::Long(list) => list[at] = value.long(),
            Elements::Float(list) => list[at] = value.float(),
            Elements::Double(list) => list[at] = value.double(),
            Elements::Reference(list) => list[at] = value.reference(),
        }
        true
    }

    fn width(kind: Kind) -> u64 {
        match kind {
            Kind::Boolean | Kind::Byte => 1,
            Kind::Short | Kind::Char => 2,
            Kind::Int | Kind::Float | Kind::Reference => 4,
            Kind::Long | Kind::Double => 8,
        }
    }

    /// How many bytes so many elements take.
    pub(super) fn bytes(kind: Kind, length: u64) -> u64 {
        16 + Elements::width(kind) * length
    }

    fn size(&self) -> u64 {
        let kind = match self {
            Elements::Boolean(_) | Elements::Byte(_) => Kind::Byte,
            Elements::Short(_) | Elements::Char(_) => Kind::Short,
            Elements::Int(_) | Elements::Float(_) | Elements::Reference(_) => Kind::Int,
            Elements::Long(_) | Elements::Double(_) => Kind::Long,
        };
        Elements::bytes(kind, self.len() as u64)
    }
}

/// What a reference leads to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Free,
    /// The last field of a constant of an enumeration is its number.
    Object(ClassId, Box<[Value]>),
    /// The type is that of the array.
    Array(TypeId, Elements),
    Text(Rc<[u16]>),
    /// A `StringBuilder` or `StringBuffer`.
    Builder(ClassId, Vec<u16>),
}

impl Cell {
    fn size(&self) -> u64 {
        match self {
            Cell::Free => 0,
            Cell::Object(_, fields) => 16 + 8 * fields.len() as u64,
            Cell::Array(_, elements) => elements.size(),
            Cell::Text(text) => 24 + text.len() as u64,
            Cell::Builder(_, text) => 24 + text.len() as u64,
        }
    }
}

/// All cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heap {
    cells: Vec<Cell>,
    free: Vec<u32>,
    /// Bytes of the cells that are held, as they were when they were made or last looked at.
    bytes: u64,
    next_collection: u64,
}

/// Below this nothing is collected.
const FIRST_COLLECTION: u64 = 8 << 20;

impl Default for Heap {
    fn default() -> Heap {
        Heap {
            cells: vec![Cell::Free],
            free: Vec::new(),
            bytes: 0,
            next_collection: FIRST_COLLECTION,
        }
    }
}

impl Heap {
    pub(super) fn add(&mut self, cell: Cell) -> Value {
        self.bytes += cell.size() + 8;
        Value::Reference(match self.free.pop() {
            Some(at) => {
                self.cells[at as usize] = cell;
                at
            }
            None => {
                self.cells.push(cell);
                (self.cells.len() - 1) as u32
            }
        })
    }

    /// So many bytes more belong to a cell that grew.
    pub(super) fn grew(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }

    pub(super) fn get(&self, at: u32) -> &Cell {
        self.cells.get(at as usize).unwrap_or(&Cell::Free)
    }

    pub(super) fn get_mut(&mut self, at: u32) -> Option<&mut Cell> {
        self.cells.get_mut(at as usize)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn must_collect(&self) -> bool {
        self.bytes >= self.next_collection
    }

    pub(super) fn text(&mut self, text: &str) -> Value {
        self.add(Cell::Text(text.encode_utf16().collect()))
    }

    pub(super) fn units(&mut self, text: Vec<u16>) -> Value {
        self.add(Cell::Text(text.into()))
    }

    /// The text at a reference, if it is one.
    pub(super) fn text_at(&self, at: u32) -> Option<&[u16]> {
        match self.get(at) {
            Cell::Text(text) => Some(text),
            Cell::Builder(_, text) => Some(text),
            _ => None,
        }
    }

    /// A field, by its place.
    pub(super) fn field(&self, at: u32, place: usize) -> Value {
        match self.get(at) {
            Cell::Object(_, fields) => fields.get(place).copied().unwrap_or(NULL),
            _ => NULL,
        }
    }

    /// Frees what cannot be reached from the roots.
    pub(super) fn collect(&mut self, roots: impl Iterator<Item = u32>) {
        let mut marked = vec![false; self.cells.len()];
        let mut worklist: Vec<u32> = roots.collect();
        self.bytes = 0;
        while let Some(at) = worklist.pop() {
            match marked.get_mut(at as usize) {
                Some(mark) if !*mark => *mark = true,
                _ => continue,
            }
            let cell = &self.cells[at as usize];
            self.bytes += cell.size() + 8;
            match cell {
                Cell::Object(_, fields) => {
                    worklist.extend(fields.iter().map(|field| field.reference()));
                }
                Cell::Array(_, Elements::Reference(list)) => worklist.extend(list),
                _ => {}
            }
        }
        self.free.clear();
        for (at, is_marked) in marked.iter().enumerate().skip(1).rev() {
            if !is_marked {
                self.cells[at] = Cell::Free;
                self.free.push(at as u32);
            }
        }
        self.next_collection = (self.bytes * 2).max(FIRST_COLLECTION);
    }
}
