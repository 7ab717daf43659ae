//! The order in which nodes of the search are expanded: by length, by number of entries, then by
//! the entries themselves from the end.
//!
//! The order does not depend on the number of steps that the search needed to reach a node. So
//! which of two equally good sequences is listed does not depend on summaries.

use crate::lang::model::EdgeId;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Lists of entries with their ways, each under one number. Lists with the same end share it.
#[derive(Default)]
pub(super) struct Lists {
    numbers: FxHashMap<(EdgeId, u32, u32), u32>,
    /// A list: its first entry, the way of that entry, and the number of the rest.
    links: Vec<(EdgeId, u32, u32)>,
}

impl Lists {
    /// Puts an entry in front of a list. The empty list has the number 0.
    pub(super) fn prepend(&mut self, edge: EdgeId, way: u32, rest: u32) -> u32 {
        let fresh = self.links.len() as u32 + 1;
        let number = *self.numbers.entry((edge, way, rest)).or_insert(fresh);
        if number == fresh {
            self.links.push((edge, way, rest));
        }
        number
    }

    /// Compares two lists of the same length, from their ends.
    fn compare(&self, mut one: u32, mut other: u32) -> Ordering {
        let mut order = Ordering::Equal;
        while one != other {
            let link = |list: u32| list.checked_sub(1).and_then(|k| self.links.get(k as usize));
            let (Some(a), Some(b)) = (link(one), link(other)) else { return one.cmp(&other) };
            order = (a.0, a.1).cmp(&(b.0, b.1));
            (one, other) = (a.2, b.2);
        }
        order
    }
}

/// The key of a node in the queue: its length and its number of entries.
type QueueKey = (u32, u32);

/// The nodes that are waiting, by their index.
#[derive(Default)]
pub(super) struct Queue {
    waiting: BTreeMap<QueueKey, Vec<(u32, usize)>>,
    /// The nodes with the least key. The last one of the list is next.
    first: (QueueKey, Vec<(u32, usize)>),
}

impl Queue {
    /// Adds a node with this list of entries. A step of the search never leads to a smaller key,
    /// and it leads to the same key only with the same list.
    pub(super) fn push(&mut self, key: QueueKey, list: u32, node: usize) {
        if self.first.0 == key && !self.first.1.is_empty() {
            self.first.1.push((list, node));
        } else {
            self.waiting.entry(key).or_default().push((list, node));
        }
    }

    pub(super) fn pop(&mut self, lists: &Lists) -> Option<usize> {
        if self.first.1.is_empty() {
            self.first = self.waiting.pop_first()?;
            self.first.1.sort_by(|a, b| lists.compare(b.0, a.0).then(b.1.cmp(&a.1)));
        }
        self.first.1.pop().map(|(_, node)| node)
    }

    /// The least length of a node that is waiting.
    pub(super) fn shortest(&self) -> Option<u32> {
        let first = (!self.first.1.is_empty()).then_some(self.first.0.0);
        first.into_iter().chain(self.waiting.keys().next().map(|key| key.0)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_length_then_entries_then_from_the_end() {
        let mut lists = Lists::default();
        let mut list = |entries: &[u32]| {
            entries.iter().rev().fold(0, |rest, edge| lists.prepend(EdgeId(*edge), 0, rest))
        };
        let (a, b, c, d) = (list(&[9, 1, 5]), list(&[0, 2, 5]), list(&[0, 0, 6]), list(&[7]));
        let mut queue = Queue::default();
        for (node, (key, list)) in [((2, 3), c), ((2, 3), b), ((2, 3), a), ((3, 1), d), ((2, 1), d)]
            .into_iter()
            .enumerate()
        {
            queue.push(key, list, node);
        }
        assert_eq!(queue.shortest(), Some(2));
        let order: Vec<usize> = std::iter::from_fn(|| queue.pop(&lists)).collect();
        assert_eq!(order, [4, 2, 1, 0, 3]);
        assert_eq!(queue.shortest(), None);
    }
}
