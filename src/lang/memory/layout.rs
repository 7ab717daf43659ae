//! Where objects stand: each region is an array, and each object has slots of its own in it. Slot 0
//! is the null pointer; the number behind the last slot is a pointer without a value.

use super::regions::{RegionId, Regions};
use super::types::{Type, width_of};
use crate::lang::model::Span;
use crate::lang::syntax::TypeName;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most slots of one region.
const MOST_SLOTS: u32 = 1024;

/// Most objects of one region.
const MOST_OBJECTS: usize = 128;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// It is there during the whole run.
    Whole,
    /// A local: it is there while its block runs. Nothing that points to it lives longer, so no
    /// pointer is left when it ends.
    Block,
    /// A local to which a pointer may be left.
    Left,
    /// A string literal, which nobody may write.
    Literal,
}

/// A variable or literal to which a pointer may point.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) region: RegionId,
    pub(super) slots: u32,
    pub(super) life: Life,
    pub(super) owner: Option<String>,
    /// Number of blocks around it.
    pub(super) depth: u32,
    pub(super) name: String,
    pub(super) span: Span,
    /// The characters of a literal.
    pub(super) text: Vec<u8>,
}

/// A place that asks for memory.
#[derive(Clone, Debug)]
pub(super) struct Allocation {
    pub(super) region: RegionId,
    pub(super) bytes: u64,
    pub(super) span: Span,
}

/// Slots of one object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) first: u32,
    pub(super) slots: u32,
    /// The number of its flag, if the object is not always there. The next flag of a local says
    /// whether it was there before.
    pub(super) flag: Option<u32>,
    pub(super) constant: bool,
    pub(super) heap: bool,
}

/// Objects of one size on the heap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool {
    pub(super) slots: u32,
    pub(super) first: u32,
    pub(super) stride: u32,
    pub(super) count: u32,
    pub(super) first_flag: u32,
}

/// A region with its slots.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) number: u16,
    pub(super) name: String,
    pub(super) element: Type,
    /// Number of slots, without slot 0.
    pub(super) slots: u32,
    pub(super) flags: u32,
    pub(super) objects: Vec<Placed>,
    pub(super) pools: Vec<Pool>,
    /// Are there slots between the objects?
    pub(super) gaps: bool,
    pub(super) span: Span,
}

impl Room {
    pub(super) fn width(&self) -> u8 {
        width_of(u64::from(self.slots) + 1)
    }
    /// The type of a pointer into it.
    pub(super) fn pointer(&self) -> TypeName {
        TypeName::Slot { room: self.number, width: self.width() }
    }
    /// A pointer that has no value yet.
    pub(super) fn invalid(&self) -> u64 {
        u64::from(self.slots) + 1
    }
    /// The array with one truth value for each object that comes and goes.
    pub(super) fn flags_name(&self) -> String {
        format!("{} exists", self.name)
    }
    /// The freed object of the region that is never taken again.
    pub(super) fn kept_name(&self) -> String {
        format!("{} kept", self.name)
    }
}

/// All regions with their slots.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) rooms: BTreeMap<RegionId, Room>,
    /// By object: where it stands.
    pub(super) places: FxHashMap<u32, Placed>,
}

/// Why memory has no layout.
pub(super) struct NoLayout {
    pub(super) span: Span,
    pub(super) why: String,
}

/// What stands where.
pub(super) fn layout(
    regions: &Regions,
    objects: &BTreeMap<u32, Object>,
    allocations: &[Allocation],
    heap: u32,
    size: impl Fn(&Type) -> Option<u64>,
    word: impl Fn(&Type) -> String,
) -> Result<Layout, NoLayout> {
    let mut layout = Layout::default();
    let mut names: FxHashMap<String, u32> = FxHashMap::default();
    for root in regions.roots() {
        let element = regions.element(root).cloned().unwrap_or(Type::Void);
        let mine = |region: RegionId| regions.find(region) == root;
        let first = objects.values().find(|o| mine(o.region)).map(|o| o.span);
        let first = first.or_else(|| allocations.iter().find(|a| mine(a.region)).map(|a| a.span));
        let no = |span: Span, why: &str| Err(NoLayout { span, why: why.to_string() });
        if let (true, Some(span)) = (regions.is_mixed(root), first) {
            return no(span, "this memory is used as values of two types");
        }
        let word = match first {
            Some(_) => format!("{} objects", word(&element)),
            None => "no objects".to_string(),
        };
        let count = names.entry(word.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { word } else { format!("{word} {count}") };
        let mut room = Room {
            number: layout.rooms.len() as u16,
            name,
            element: element.clone(),
            slots: 0,
            flags: 0,
            objects: Vec::new(),
            pools: Vec::new(),
            gaps: regions.is_walked(root),
            span: first.unwrap_or_default(),
        };
        let gap = u32::from(room.gaps);
        let mut next = 1u32;
        for (key, object) in objects.iter().filter(|(_, o)| mine(o.region)) {
            let flag = (object.life == Life::Left).then_some(room.flags);
            room.flags += 2 * u32::from(flag.is_some());
            let constant = object.life == Life::Literal;
            let placed = Placed { first: next, slots: object.slots, flag, constant, heap: false };
            next = next.saturating_add(object.slots).saturating_add(gap);
            if next > MOST_SLOTS {
                return no(object.span, "the memory that pointers can reach is too large");
            }
            room.objects.push(placed);
            layout.places.insert(*key, placed);
        }
        for allocation in allocations.iter().filter(|a| mine(a.region)) {
            let slots = match size(&element) {
                Some(each) if each > 0 && allocation.bytes % each == 0 => allocation.bytes / each,
                _ => {
                    return no(
                        allocation.span,
                        "the size that is asked for is no multiple of the element's size",
                    );
                }
            };
            let slots = u32::try_from(slots).unwrap_or(u32::MAX);
            if slots == 0 || slots > MOST_SLOTS {
                return no(allocation.span, "the size that is asked for is 0 or too large");
            }
            if room.pools.iter().any(|pool| pool.slots == slots) {
                continue;
            }
            let stride = slots + gap;
            // One more than asked for: a freed object may stay as it is for ever.
            let count = heap + 1;
            room.pools.push(Pool { slots, first: next, stride, count, first_flag: room.flags });
            for _ in 0..count {
                let flag = Some(room.flags);
                room.flags += 1;
                room.objects.push(Placed { first: next, slots, flag, constant: false, heap: true });
                next = next.saturating_add(stride);
            }
            if next > MOST_SLOTS {
                return no(allocation.span, "the memory that pointers can reach is too large");
            }
        }
        if room.objects.len() > MOST_OBJECTS {
            return no(room.span, "too many objects that one pointer could point to");
        }
        room.slots = next - 1;
        layout.rooms.insert(root, room);
    }
    Ok(layout)
}
