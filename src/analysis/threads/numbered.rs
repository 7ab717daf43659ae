//! The configurations of a closed set ([`super::closed_set`]), each with a number.

use rustc_hash::FxHashMap;

/// Entries of a configuration that is looked up by one number, and bits of each of them.
const PACKED: usize = 8;
const BITS: u32 = u128::BITS / PACKED as u32;

/// Lists of numbers: the globals' number first, then those of the threads.
#[derive(Default)]
pub(super) struct Numbered {
    /// All lists behind each other, and by list where it ends.
    entries: Vec<u32>,
    ends: Vec<usize>,
    /// Short lists of small numbers, which nearly all are: they are compared at once.
    packed: FxHashMap<u128, u32>,
    others: FxHashMap<Box<[u32]>, u32>,
}

impl Numbered {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The list with this number.
    pub(super) fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[number]]
    }

    /// All lists, in the order in which they came.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|number| self.of(number as u32))
    }

    /// The number of a list, if it is there.
    pub(super) fn number(&self, list: &[u32]) -> Option<u32> {
        match packed(list) {
            Some(key) => self.packed.get(&key).copied(),
            None => self.others.get(list).copied(),
        }
    }

    /// Takes a list that is not there, and gives its number.
    pub(super) fn push(&mut self, list: &[u32]) -> u32 {
        let number = self.len() as u32;
        self.entries.extend_from_slice(list);
        self.ends.push(self.entries.len());
        match packed(list) {
            Some(key) => self.packed.insert(key, number),
            None => self.others.insert(list.into(), number),
        };
        number
    }
}

/// A short list of small numbers as one number; another list has another one.
fn packed(list: &[u32]) -> Option<u128> {
    let mut key = 0;
    for entry in list {
        // No entry is zero then, so that lists of other lengths differ.
        let entry = u128::from(*entry) + 1;
        if entry >> BITS != 0 {
            return None;
        }
        key = key << BITS | entry;
    }
    (list.len() <= PACKED).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_has_one_number_whatever_its_length_and_entries() {
        let most = (1 << BITS) - 1;
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for length in [0, 1, 2, PACKED - 1, PACKED, PACKED + 1, 31] {
            for entry in [0, 1, most - 1, most, u32::MAX] {
                let list: Vec<u32> =
                    (0..length).map(|at| if at == 1 { 7 } else { entry }).collect();
                if !lists.contains(&list) {
                    lists.push(list);
                }
            }
        }
        let mut numbered = Numbered::default();
        for (at, list) in lists.iter().enumerate() {
            assert_eq!(numbered.number(list), None, "{list:?}");
            assert_eq!(numbered.push(list), at as u32);
        }
        assert_eq!(numbered.len(), lists.len());
        for (at, list) in lists.iter().enumerate() {
            assert_eq!(numbered.number(list), Some(at as u32), "{list:?}");
            assert_eq!(numbered.of(at as u32), list);
        }
        assert!(numbered.iter().eq(lists.iter().map(Vec::as_slice)));
    }
}
