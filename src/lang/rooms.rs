//! What numbers in pointers stand for: C's memory is arrays of the program model, and a pointer is
//! the number of a slot (`lang::memory`). A person reads names of objects instead.

use super::ids::VariableId;
use std::collections::BTreeMap;

/// A number that a pointer can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The object that stands there: `x`, `a`, `node#1`, a literal; empty if none does.
    pub object: String,
    /// The element of the object, if it has several.
    pub element: Option<u32>,
    /// The object's extents, if it has more than one.
    pub dimensions: Vec<u32>,
    /// The pointer to it: `NULL`, `&x`, `node#1`.
    pub pointer: String,
    /// The element of the room's flags that says whether the object exists.
    pub flag: Option<u32>,
}

impl Slot {
    /// What stands there, as a place: `x`, `a[2]`, `cube[1][2]`, `node#1`.
    pub fn place(&self) -> String {
        let Some(element) = self.element else { return self.object.clone() };
        let mut row: u32 = self.dimensions.iter().product();
        let mut rest = element;
        let mut place = self.object.clone();
        for extent in &self.dimensions {
            row /= (*extent).max(1);
            place.push_str(&format!("[{}]", rest / row.max(1)));
            rest %= row.max(1);
        }
        if self.dimensions.is_empty() {
            place.push_str(&format!("[{element}]"));
        }
        place
    }

    /// Is it a character of a literal, which never changes?
    pub fn is_literal(&self) -> bool {
        self.object.starts_with('"')
    }
}

/// The slots into which pointers of one kind point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// The name of the arrays of slots; of structs it is the first part of their names.
    pub array: String,
    /// The name of the array of flags.
    pub flags: String,
    /// The name of the array of lengths.
    pub lengths: String,
    /// By number.
    pub slots: Vec<Slot>,
    /// What has slots here.
    pub objects: Vec<Object>,
    /// By how much a pointer grows with each slot.
    pub step: u64,
    /// Of how many bytes a step of a pointer is, where pointers count bytes.
    pub bytes: Option<u64>,
    /// The *summary object*, if the heap is more than these.
    pub summary: Option<Summary>,
}

/// An object that has slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// A variable's name, a literal, or the name of an object on the heap.
    pub name: String,
    /// The pointer to its first slot.
    pub first: u64,
    /// The pointer behind its last one.
    pub end: u64,
    /// The element of the room's flags that says whether it exists.
    pub flag: Option<u32>,
    /// The element of the room's lengths that says how many slots it has.
    pub length: Option<u32>,
    /// Is it on the heap?
    pub heap: bool,
}

/// What stands for all objects of a type that have no slot: every number behind those of the slots
/// is a pointer to it, and nothing is known of its contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The slots of the objects on the heap that have one.
    pub individuals: Vec<u32>,
    /// The name of the array that says of each of them whether a pointer to it was ever written in
    /// a summary object.
    pub held: String,
}

/// The rooms of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rooms {
    /// All of them.
    pub rooms: Vec<Room>,
    /// Pointers, each with its room.
    pub pointers: BTreeMap<VariableId, u16>,
    /// Arrays of slots, each with its room.
    pub arrays: BTreeMap<VariableId, u16>,
    /// By room: the array of flags.
    pub flags: BTreeMap<u16, VariableId>,
    /// By room: the array of lengths.
    pub lengths: BTreeMap<u16, VariableId>,
    /// Is a member of what a pointer leads to written behind a point, as in Java?
    pub dotted: bool,
}

impl Rooms {
    /// Are there objects on the heap? These have a number.
    pub fn has_heap(&self) -> bool {
        let slots = self.rooms.iter().flat_map(|room| &room.slots);
        slots.clone().any(|slot| slot.object.contains('#') && !slot.is_literal())
    }

    /// The name of a pointer's value. `None` if the variable is no pointer.
    pub fn pointer(&self, variable: VariableId, number: u64) -> Option<&str> {
        let room = self.rooms.get(usize::from(*self.pointers.get(&variable)?))?;
        Some(room.slots.get(number as usize).map_or("no value", |slot| &slot.pointer))
    }

    /// The object that a pointer leads to, or behind which it stands.
    pub fn object(&self, room: u16, pointer: u64) -> Option<&Object> {
        let objects = &self.rooms.get(usize::from(room))?.objects;
        let inside = |object: &&Object| (object.first..object.end).contains(&pointer);
        objects.iter().find(inside).or_else(|| objects.iter().find(|one| one.end == pointer))
    }

    /// A slot of an array of slots. `None` if the variable is no such array, or if nothing stands
    /// there.
    pub fn slot(&self, variable: VariableId, number: u32) -> Option<&Slot> {
        let room = self.rooms.get(usize::from(*self.arrays.get(&variable)?))?;
        room.slots.get(number as usize).filter(|slot| !slot.object.is_empty())
    }
}
