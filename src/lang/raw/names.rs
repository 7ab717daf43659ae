//! Names and their numbers.

use rustc_hash::FxHashMap;

/// Index into [`RawSystem::states`](super::RawSystem::states).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);
/// Index into [`RawSystem::symbols`](super::RawSystem::symbols).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

crate::util::index_by!(StateId, SymbolId);

/// Names in the order of their first mention.
#[derive(Default)]
pub(super) struct Interner {
    pub(super) list: Vec<String>,
    index: FxHashMap<String, u32>,
}

impl Interner {
    /// The number of a name. A name without a number gets a new one.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(known) = self.index.get(name) {
            return *known;
        }
        let number = self.list.len() as u32;
        self.list.push(name.to_string());
        self.index.insert(name.to_string(), number);
        number
    }

    /// The number of a name that has one.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.index.get(name).copied()
    }
}
