//! The operation cache. It is direct-mapped and lossy, and grows with the arena.

use super::node::Bdd;

/// A key: up to two functions and a word that names the operation and its third operand.
///
/// The third word is `operation << 24 | id` for operations of at most two functions, where an id is
/// that of a set or renaming; a third *function* has a cache of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(pub(super) Bdd, pub(super) Bdd, pub(super) u32);

impl Key {
    /// The key of an operation over at most two functions (use [`Bdd::TRUE`] for an absent one).
    #[inline(always)]
    pub(super) fn new(f: Bdd, g: Bdd, operation: u32, id: u32) -> Key {
        debug_assert!(id < 1 << 24);
        Key(f, g, operation << 24 | id)
    }

    #[inline(always)]
    fn hash(self) -> u64 {
        let pair = u64::from(self.0.0) << 32 | u64::from(self.1.0);
        let mixed = pair.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ u64::from(self.2).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed ^ mixed >> 32).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
    }
}

/// No function has this handle: the arena stops before it.
const NONE: Bdd = Bdd(u32::MAX);

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    result: Bdd,
}

const VACANT: Entry = Entry { key: Key(NONE, NONE, u32::MAX), result: NONE };

/// The results by key. A newer result overwrites an older one in the same slot.
#[derive(Clone)]
pub(super) struct Cache {
    entries: Box<[Entry]>,
    shift: u32,
}

impl Cache {
    pub(super) fn new(bits: u32) -> Cache {
        Cache { entries: vec![VACANT; 1 << bits].into(), shift: 64 - bits }
    }

    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<Bdd> {
        let entry = &self.entries[(key.hash() >> self.shift) as usize];
        (entry.key == key).then_some(entry.result)
    }

    #[inline(always)]
    pub(super) fn put(&mut self, key: Key, result: Bdd) {
        self.entries[(key.hash() >> self.shift) as usize] = Entry { key, result };
    }

    pub(super) fn size(&self) -> usize {
        self.entries.len()
    }

    /// Doubles the size and keeps every result.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self) {
        let mut larger = Cache::new(65 - self.shift);
        for entry in self.entries.iter() {
            if entry.result != NONE {
                larger.put(entry.key, entry.result);
            }
        }
        *self = larger;
    }

    /// Forgets the results that do not satisfy `keep` (given the third word, and key and result as
    /// functions).
    pub(super) fn retain(&mut self, keep: impl Fn(u32, [Bdd; 3]) -> bool) {
        for entry in self.entries.iter_mut() {
            if entry.result != NONE && !keep(entry.key.2, [entry.key.0, entry.key.1, entry.result])
            {
                *entry = VACANT;
            }
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        16 * self.entries.len() as u64
    }
}
