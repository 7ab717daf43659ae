//! Sets of lines of a program text, which many nodes of the search share and compare.

use std::rc::Rc;

/// Bits of a signature.
const BITS: u32 = 256;

/// A set of lines. Copies share its lines.
#[derive(Clone, Debug, Default)]
pub(super) struct LineSet {
    /// Ascending.
    lines: Rc<[u32]>,
    /// For each line the bit of its number modulo [`BITS`]. Two sets whose signatures differ need
    /// no comparison line by line.
    signature: [u64; BITS as usize / 64],
}

impl LineSet {
    /// Adds a line.
    pub(super) fn insert(&mut self, line: u32) {
        if let Err(at) = self.lines.binary_search(&line) {
            let (before, after) = self.lines.split_at(at);
            self.lines = before.iter().chain([&line]).chain(after).copied().collect();
            let bit = line % BITS;
            self.signature[bit as usize / 64] |= 1 << (bit % 64);
        }
    }

    /// Are all of these lines among the other's?
    pub(super) fn is_subset(&self, other: &LineSet) -> bool {
        let signatures = self.signature.iter().zip(&other.signature);
        if self.lines.len() > other.lines.len() || signatures.into_iter().any(|(a, b)| a & !b != 0)
        {
            return false;
        }
        if Rc::ptr_eq(&self.lines, &other.lines) {
            return true;
        }
        let mut rest = other.lines.iter();
        self.lines.iter().all(|line| rest.by_ref().find(|other| *other >= line) == Some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(lines: &[u32]) -> LineSet {
        let mut set = LineSet::default();
        lines.iter().for_each(|line| set.insert(*line));
        set
    }

    #[test]
    fn a_subset_has_no_line_of_its_own() {
        let some = set(&[7, 3, 500, 3]);
        for (other, wanted) in [
            (set(&[3, 7, 500]), true),
            (set(&[1, 3, 5, 7, 500, 501]), true),
            (set(&[3, 7]), false),
            // Lines with the same bit: 500 is 244 modulo 256.
            (set(&[3, 7, 244]), false),
            (set(&[3, 7, 244, 756]), false),
            (set(&[]), false),
        ] {
            assert_eq!(some.is_subset(&other), wanted, "{other:?}");
        }
        assert!(set(&[]).is_subset(&some) && some.is_subset(&some.clone()));
    }
}
