//! Names for what stands in memory: what the number of a slot is called where a person reads it.

use super::layout::{Life, Object, Placed, Room};
use super::lowerer::Lowerer;
use super::types::Type;
use crate::lang::lowering::tidy::tidy_at;
use crate::lang::rooms;

/// The word between an object's type and its number.
const NUMBERED: char = '#';

impl Lowerer<'_> {
    /// The rooms, by number, with a name for each of their slots.
    pub(super) fn named_rooms(&self) -> Vec<rooms::Room> {
        let Some(layout) = &self.layout else { return Vec::new() };
        let mut named: Vec<rooms::Room> = vec![rooms::Room::default(); layout.rooms.len()];
        for (id, room) in &layout.rooms {
            let mut slots = unnamed(room);
            let mut objects = Vec::new();
            let standing = |name: &str, placed: &Placed| rooms::Object {
                name: name.to_string(),
                first: room.code(u64::from(placed.first)),
                end: room.code(u64::from(placed.first + placed.slots)),
                flag: placed.flag,
                length: placed.length,
                heap: placed.heap,
            };
            for (key, object) in &self.objects {
                if self.regions.find(object.region) != *id {
                    continue;
                }
                if let Some(placed) = layout.places.get(key).filter(|_| !object.in_frames) {
                    let base = self.name_of(object);
                    let is_procedure = matches!(room.element, Type::Procedure(_));
                    let dimensions = match room.cell {
                        None => &object.dimensions[..],
                        Some(_) => &[],
                    };
                    objects.push(standing(&base, placed));
                    let named = (&base[..], dimensions);
                    let (first, count) = (placed.first, object.slots);
                    name_slots(&mut slots, (first, count), named, placed.flag, is_procedure);
                }
            }
            let word = room.name.split(" objects").next().unwrap_or("object");
            let mut number = 0;
            for pool in &room.pools {
                let local = pool.owner.and_then(|key| self.objects.get(&key));
                for k in 0..pool.count {
                    let base = match local {
                        Some(local) => format!("{}{NUMBERED}{}", local.name, k + 1),
                        None => {
                            number += 1;
                            format!("{word}{NUMBERED}{number}")
                        }
                    };
                    let first = pool.first + k * pool.stride;
                    let flag = Some(pool.first_flag + k);
                    let placed = room.objects.iter().find(|object| object.first == first);
                    objects.extend(placed.map(|placed| standing(&base, placed)));
                    name_slots(&mut slots, (first, pool.slots), (&base, &[]), flag, true);
                }
            }
            if let Some(named) = named.get_mut(usize::from(room.number)) {
                *named = rooms::Room {
                    array: room.name.clone(),
                    flags: room.flags_name(),
                    lengths: room.lengths_name(),
                    slots,
                    objects,
                    step: if room.numeric { room.unit() } else { 1 },
                    bytes: room.cell.map(|cell| if room.numeric { 1 } else { cell }),
                    summary: room.summary.then(|| rooms::Summary {
                        individuals: room.individuals(),
                        held: room.held_name(),
                    }),
                };
            }
        }
        named
    }

    /// What an object is called: a variable by its name, a literal and a value in braces by its
    /// text.
    fn name_of(&self, object: &Object) -> String {
        if self.file.braced_values.contains(&object.name) {
            return tidy_at(self.source, object.span);
        }
        if object.life != Life::Literal {
            return object.name.clone();
        }
        let text = object.text.strip_suffix(&[0]).unwrap_or(&object.text);
        format!("\"{}\"", String::from_utf8_lossy(text).escape_debug())
    }
}

/// The null pointer, the places behind objects, and the pointer that has no value.
fn unnamed(room: &Room) -> Vec<rooms::Slot> {
    let nothing = |pointer: &str| rooms::Slot {
        object: String::new(),
        element: None,
        dimensions: Vec::new(),
        pointer: pointer.to_string(),
        flag: None,
    };
    let mut slots = vec![nothing("the end of an object"); room.slots as usize + 2];
    slots[0] = nothing("NULL");
    slots[room.slots as usize + 1] = nothing("no value");
    slots
}

/// Names the slots of an object, and the place behind it. `by_name`: a pointer to its first slot is
/// called like the object.
fn name_slots(
    slots: &mut [rooms::Slot],
    (first, count): (u32, u32),
    (object, dimensions): (&str, &[u32]),
    flag: Option<u32>,
    by_name: bool,
) {
    for k in 0..count {
        let element = (count > 1).then_some(k);
        let (object, dimensions) = (object.to_string(), dimensions.to_vec());
        let mut named = rooms::Slot { object, element, dimensions, pointer: String::new(), flag };
        named.pointer = match (by_name, k) {
            (true, 0) => named.object.clone(),
            _ => format!("&{}", named.place()),
        };
        if let Some(slot) = slots.get_mut((first + k) as usize) {
            *slot = named;
        }
    }
    let last = slots.len() - 1;
    let behind = (first + count) as usize;
    if let Some(slot) = slots.get_mut(behind).filter(|slot| slot.object.is_empty() && behind < last)
    {
        slot.pointer = format!("the end of {object}");
    }
}
