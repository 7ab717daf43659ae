//! Where objects stand: each region is an array, and each object has slots of its own in it. Slot 0
//! is the null pointer; the number behind the last slot is a pointer without a value.

use super::regions::{RegionId, Regions};
use super::types::{Type, unsigned, width_of};
use crate::lang::model::Span;
use crate::lang::syntax::TypeName;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where memory begins, if pointers are addresses.
pub(super) const FIRST_ADDRESS: u64 = 0x5C3A_0000;

/// Most elements of an array whose size is not constant.
pub(super) const MOST_ELEMENTS: u64 = 8;

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
    /// Its extents, if it is an array with more than one.
    pub(super) dimensions: Vec<u32>,
    /// `None` if its type has no size.
    pub(super) bytes: Option<u64>,
    /// Is its length not constant? Then its slots are the most that it may have.
    pub(super) varies: bool,
    /// Is it longer, perhaps?
    pub(super) open: bool,
    pub(super) life: Life,
    /// Is it a local of which there may be several at once?
    pub(super) in_frames: bool,
    pub(super) owner: Option<String>,
    /// Number of blocks around it.
    pub(super) depth: u32,
    pub(super) name: String,
    pub(super) span: Span,
    /// The characters of a literal.
    pub(super) text: Vec<u8>,
}

impl Object {
    /// One slot without a size, there for the whole run.
    pub(super) fn single(region: RegionId, name: &str, span: Span) -> Object {
        Object {
            region,
            slots: 1,
            dimensions: Vec::new(),
            bytes: None,
            varies: false,
            open: false,
            life: Life::Whole,
            in_frames: false,
            owner: None,
            depth: 0,
            name: name.to_string(),
            span,
            text: Vec::new(),
        }
    }
}

/// A place that asks for memory.
#[derive(Clone, Debug)]
pub(super) struct Allocation {
    pub(super) region: RegionId,
    /// `None` if the size is not constant.
    pub(super) bytes: Option<u64>,
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
    /// Is it one of a pool's?
    pub(super) pooled: bool,
    /// Where the number of its slots stands, if that is not constant.
    pub(super) length: Option<u32>,
    /// Is the object longer than its slots, perhaps? If its length stands somewhere, then only
    /// where that says so.
    pub(super) open: bool,
}

/// Objects of one size on the heap, or those of a local of which there may be several.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool {
    /// The local.
    pub(super) owner: Option<u32>,
    pub(super) slots: u32,
    pub(super) first: u32,
    pub(super) stride: u32,
    pub(super) count: u32,
    pub(super) first_flag: u32,
    /// Are its objects as long as is asked for?
    pub(super) first_length: Option<u32>,
    /// Is what is taken any of these, or the summary object?
    pub(super) summary: bool,
    /// The number of its first object among the individual ones of all rooms.
    pub(super) first_individual: u32,
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
    /// Number of objects whose length is not constant.
    pub(super) lengths: u32,
    pub(super) objects: Vec<Placed>,
    pub(super) pools: Vec<Pool>,
    /// Are there slots between the objects?
    pub(super) gaps: bool,
    /// The bytes of a slot, if slots are groups of bytes.
    pub(super) cell: Option<u64>,
    /// Is a pointer an address, and no number of a slot? Then numbers can be pointers.
    pub(super) numeric: bool,
    /// The bits of an address.
    pub(super) address: u8,
    /// Do the numbers behind the last ones mean the summary object?
    pub(super) summary: bool,
    pub(super) span: Span,
}

impl Room {
    pub(super) fn width(&self) -> u8 {
        width_of(u64::from(self.slots) + 1 + u64::from(self.summary))
    }
    /// The least number that is a pointer to the summary object. All greater ones are, too.
    pub(super) fn summarized(&self) -> Option<u64> {
        self.summary.then(|| u64::from(self.slots) + 2)
    }
    /// The type of a pointer into it.
    pub(super) fn pointer(&self) -> TypeName {
        match self.numeric {
            true => unsigned(self.address),
            false => TypeName::Slot { room: self.number, width: self.width() },
        }
    }
    /// The pointer to a slot.
    pub(super) fn code(&self, slot: u64) -> u64 {
        match self.numeric {
            true => FIRST_ADDRESS + slot * self.unit(),
            false => slot,
        }
    }
    /// Bytes of a slot, as far as pointers count them.
    pub(super) fn unit(&self) -> u64 {
        self.cell.unwrap_or(1)
    }
    /// A pointer that has no value yet.
    pub(super) fn invalid(&self) -> u64 {
        u64::from(self.slots) + 1
    }
    /// The array with one truth value for each object that comes and goes.
    pub(super) fn flags_name(&self) -> String {
        format!("{} exists", self.name)
    }
    /// The array of lengths of objects whose length is not constant.
    pub(super) fn lengths_name(&self) -> String {
        format!("{} lengths", self.name)
    }
    /// The array of the lines that took the objects, if they are noted.
    pub(super) fn lines_name(&self) -> String {
        format!("{} lines", self.name)
    }
    /// The array with one truth value for each individual object: was a pointer to it ever written
    /// in a summary object?
    pub(super) fn held_name(&self) -> String {
        format!("{} held", self.name)
    }
    /// The slots of the individual objects.
    pub(super) fn individuals(&self) -> Vec<u32> {
        let pools = self.pools.iter().filter(|pool| pool.summary);
        pools.flat_map(|pool| (0..pool.count).map(|k| pool.first + k)).collect()
    }
    /// The freed object of the region that is never taken again.
    pub(super) fn kept_name(&self) -> String {
        format!("{} kept", self.name)
    }
}

/// What a pool is for.
struct Asked {
    owner: Option<u32>,
    slots: u32,
    varies: bool,
}

impl Pool {
    /// Is it for objects on the heap of this size?
    pub(super) fn fits(&self, slots: u32, varies: bool) -> bool {
        self.owner.is_none() && self.slots == slots && self.first_length.is_some() == varies
    }
}

impl Room {
    /// Adds the objects of a pool from slot `first` on; gives the first of them.
    fn add_pool(
        &mut self,
        Asked { owner, slots, varies }: Asked,
        stride: u32,
        first: u32,
        heap: Heap,
        individuals: &mut u32,
    ) -> Placed {
        let is_plain = self.cell.is_none() && !self.gaps && slots == 1 && !varies;
        let (count, summary) = match heap {
            // One more than asked for: a freed object may stay as it is for ever.
            Heap::AtMost(most) => (most + 1, false),
            Heap::Individual(most) if is_plain => (most, true),
            Heap::Individual(most) => (most + 1, false),
        };
        self.summary |= summary;
        self.pools.push(Pool {
            owner,
            slots,
            first,
            stride,
            count,
            first_flag: self.flags,
            first_length: varies.then_some(self.lengths),
            summary,
            first_individual: *individuals,
        });
        *individuals += if summary { count } else { 0 };
        let object = |k: u32| Placed {
            first: first.saturating_add(k * stride),
            slots,
            flag: Some(self.flags + k),
            constant: false,
            heap: owner.is_none(),
            pooled: true,
            length: varies.then_some(self.lengths + k),
            open: false,
        };
        let made: Vec<Placed> = (0..count).map(object).collect();
        self.flags += count;
        self.lengths += if varies { count } else { 0 };
        self.objects.extend(&made);
        made[0]
    }

    /// The slot behind the last pool.
    fn behind_pools(&self, next: u32) -> u32 {
        let end = |pool: &Pool| pool.first.saturating_add(pool.count.saturating_mul(pool.stride));
        self.pools.last().map_or(next, end)
    }
}

/// All regions with their slots.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) rooms: BTreeMap<RegionId, Room>,
    /// By object: where it stands; the first one, if there may be several.
    pub(super) places: FxHashMap<u32, Placed>,
    /// Number of individual objects, if there are summary objects.
    pub(super) individuals: u32,
}

/// A region whose slots are groups of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flat {
    pub(super) cell: u64,
    /// Bytes to whose multiples objects are aligned.
    pub(super) alignment: u64,
    pub(super) numeric: bool,
    /// The bits of an address.
    pub(super) address: u8,
}

/// Why memory has no layout.
pub(super) struct NoLayout {
    pub(super) span: Span,
    pub(super) why: String,
}

/// Which objects on the heap the model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lang) enum Heap {
    /// So many of each type at once. A run that needs more is cut off.
    AtMost(u32),
    /// So many individual objects of each type, and one *summary object* that stands for all others
    /// (see [`super::summary`]).
    Individual(u32),
}

/// What stands where.
pub(super) fn layout(
    regions: &Regions,
    objects: &BTreeMap<u32, Object>,
    allocations: &[Allocation],
    heap: Heap,
    flats: &BTreeMap<RegionId, Flat>,
    size: impl Fn(&Type) -> Option<u64>,
    word: impl Fn(&Type) -> String,
) -> Result<Layout, NoLayout> {
    let mut layout = Layout::default();
    let mut individuals = 0;
    let mut names: FxHashMap<String, u32> = FxHashMap::default();
    for root in regions.roots() {
        let known = regions.element(root).cloned().unwrap_or(Type::Void);
        let flat = flats.get(&root).copied();
        let element = match flat {
            Some(flat) => Type::Scalar(unsigned((flat.cell * 8) as u8)),
            None => known.clone(),
        };
        let mine = |region: RegionId| regions.find(region) == root;
        let first = objects.values().find(|o| mine(o.region)).map(|o| o.span);
        let first = first.or_else(|| allocations.iter().find(|a| mine(a.region)).map(|a| a.span));
        let no = |span: Span, why: &str| Err(NoLayout { span, why: why.to_string() });
        let word = match first {
            Some(_) => format!("{} objects", word(&known)),
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
            lengths: 0,
            objects: Vec::new(),
            pools: Vec::new(),
            gaps: flat.is_some() || regions.is_walked(root),
            cell: flat.map(|flat| flat.cell),
            numeric: flat.is_some_and(|flat| flat.numeric),
            address: flat.map_or(64, |flat| flat.address),
            summary: false,
            span: first.unwrap_or_default(),
        };
        let gap = u32::from(room.gaps);
        // Objects of bytes are aligned.
        let aligned = |slot: u32| match flat {
            Some(flat) => slot.next_multiple_of((flat.alignment / flat.cell).max(1) as u32),
            None => slot,
        };
        let mut next = aligned(1);
        for (key, object) in objects.iter().filter(|(_, o)| mine(o.region)) {
            let flag = (object.life == Life::Left).then_some(room.flags);
            room.flags += 2 * u32::from(flag.is_some());
            let constant = object.life == Life::Literal;
            let slots = match (flat, object.bytes) {
                (None, _) => object.slots,
                (Some(flat), Some(bytes)) => bytes.div_ceil(flat.cell) as u32,
                (Some(_), None) => return no(object.span, "an object whose size is not known"),
            };
            let length = object.varies.then_some(room.lengths);
            room.lengths += u32::from(object.varies);
            if object.in_frames {
                let pool = Asked { owner: Some(*key), slots, varies: false };
                let first = room.add_pool(pool, aligned(slots + gap), next, heap, &mut individuals);
                layout.places.insert(*key, first);
                next = room.behind_pools(next);
                if next > MOST_SLOTS {
                    return no(object.span, "memory this large that pointers can reach");
                }
                continue;
            }
            let placed = Placed {
                first: next,
                slots,
                flag,
                constant,
                heap: false,
                pooled: false,
                length,
                open: object.open,
            };
            next = aligned(next.saturating_add(slots).min(1 << 24) + gap);
            if next > MOST_SLOTS {
                return no(object.span, "memory this large that pointers can reach");
            }
            room.objects.push(placed);
            layout.places.insert(*key, placed);
        }
        for allocation in allocations.iter().filter(|a| mine(a.region)) {
            let each = size(&element).filter(|each| *each > 0);
            // Memory of a size that is not constant has a few elements at most.
            let most = MOST_ELEMENTS * size(&known).unwrap_or(1);
            let bytes = allocation.bytes.unwrap_or(most);
            let slots = match each {
                Some(each) if bytes % each == 0 => bytes / each,
                _ => {
                    return no(
                        allocation.span,
                        "a size on the heap that is no multiple of the element's",
                    );
                }
            };
            let slots = u32::try_from(slots).unwrap_or(u32::MAX);
            let varies = allocation.bytes.is_none();
            if (slots == 0 && flat.is_none()) || slots > MOST_SLOTS {
                return no(allocation.span, "a size on the heap that is 0 or this large");
            }
            if room.pools.iter().any(|pool| pool.fits(slots, varies)) {
                continue;
            }
            let pool = Asked { owner: None, slots, varies };
            room.add_pool(pool, aligned(slots + gap), next, heap, &mut individuals);
            next = room.behind_pools(next);
            if next > MOST_SLOTS {
                return no(allocation.span, "memory this large that pointers can reach");
            }
        }
        if room.objects.len() > MOST_OBJECTS {
            return no(room.span, "a pointer that could point to this many objects");
        }
        room.slots = next - 1;
        if let Some(first) = room.summarized() {
            let last = (1 << room.width()) - 1;
            room.objects.push(Placed {
                first: first as u32,
                slots: (last - first + 1) as u32,
                flag: None,
                constant: false,
                heap: true,
                pooled: true,
                length: None,
                open: false,
            });
        }
        layout.rooms.insert(root, room);
    }
    layout.individuals = individuals;
    Ok(layout)
}
