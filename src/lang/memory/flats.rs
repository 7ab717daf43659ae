//! Which regions are memory of bytes, and how large their slots are.

use super::layout::Flat;
use super::lowerer::{Lowered, Lowerer, refuse};
use super::regions::RegionId;
use super::types::{Type, bits_of};
use crate::lang::model::Span;
use std::collections::BTreeMap;

impl Lowerer<'_> {
    /// After the first pass: the regions whose slots are bytes, or groups of bytes.
    ///
    /// Pointers that stand in such memory all point into one region: what one pointer's bytes say
    /// is read as another's.
    pub(super) fn flats(&mut self) -> Lowered<BTreeMap<RegionId, Flat>> {
        let mut numeric = self.numbers;
        if self.numbers {
            self.regions.flatten(self.anything);
        }
        let mut before = (usize::MAX, usize::MAX);
        loop {
            let roots: Vec<RegionId> = self.regions.roots().collect();
            let mut count = 0;
            for root in &roots {
                let root = self.regions.find(*root);
                let kinds = self.regions.kinds(root);
                let mut has_union = false;
                for kind in &kinds {
                    has_union |= self.has_union(kind, 0);
                }
                let asked = self.asked(root);
                let odd = match &kinds[..] {
                    [only] => self.bytes(only).is_none_or(|each| {
                        each == 0 || asked.iter().any(|bytes| bytes % each != 0 || *bytes == 0)
                    }),
                    [] => self.allocations.iter().any(|a| self.regions.find(a.region) == root),
                    _ => false,
                };
                if has_union || (odd && (!asked.is_empty() || kinds.is_empty())) {
                    self.regions.flatten(root);
                }
                if !self.regions.is_flat(root) {
                    continue;
                }
                count += 1;
                let mut pointers = Vec::new();
                for kind in &kinds {
                    self.pointers_in(kind, &mut pointers, 0);
                }
                if pointers.is_empty() {
                    continue;
                }
                let overlaid = |kind: &Type| match kind.element() {
                    Type::Scalar(name) => matches!(bits_of(*name, 32), 1 | 8 | 64),
                    _ => false,
                };
                numeric |= has_union || kinds.iter().any(overlaid);
                for region in pointers {
                    self.regions.union(region, self.anything);
                }
            }
            let now = (self.regions.roots().count(), count);
            if numeric {
                self.regions.flatten(self.anything);
            }
            if now == before {
                break;
            }
            before = now;
        }
        let mut flats = BTreeMap::new();
        let roots: Vec<RegionId> = self.regions.roots().collect();
        let anything = self.regions.find(self.anything);
        for root in roots {
            if !self.regions.is_flat(root) {
                continue;
            }
            let span = self.first_use(root);
            let kinds = self.regions.kinds(root);
            let mut cell = 8u64;
            for kind in &kinds {
                if matches!(kind.element(), Type::Procedure(_) | Type::Other(_)) {
                    return refuse(span, "memory that is used as values of two types");
                }
                cell = cell.min(self.cell_of(kind, 0));
            }
            for bytes in self.asked(root) {
                if bytes > 0 {
                    cell = cell.min(1 << bytes.trailing_zeros().min(3));
                }
            }
            let used = !kinds.is_empty() || !self.asked(root).is_empty();
            if used && self.int != 32 {
                return refuse(span, "memory of bytes with an `int` of other than 32 bits");
            }
            if used && self.packs {
                return refuse(span, "a struct that is laid out in another way");
            }
            for (region, bytes) in &self.blocks {
                if self.regions.find(*region) == root {
                    cell = cell.min(1 << bytes.trailing_zeros().min(3));
                }
            }
            let mut alignment = 1;
            for kind in &kinds {
                alignment = alignment.max(self.alignment(kind));
            }
            let numeric = numeric && root == anything;
            let address = self.pointer_bits();
            flats.insert(root, Flat { cell, alignment, numeric, address });
        }
        Ok(flats)
    }

    /// The sizes of the memory that is asked for in a region.
    fn asked(&self, root: RegionId) -> Vec<u64> {
        let mine = self.allocations.iter().filter(|a| self.regions.find(a.region) == root);
        mine.filter_map(|allocation| allocation.bytes).collect()
    }

    /// A place where something of a region is declared or asked for.
    fn first_use(&self, root: RegionId) -> Span {
        let object = self.objects.values().find(|o| self.regions.find(o.region) == root);
        let asked = self.allocations.iter().find(|a| self.regions.find(a.region) == root);
        object.map(|o| o.span).or(asked.map(|a| a.span)).unwrap_or(Span {
            start: 0,
            end: 0,
            line: 1,
        })
    }
}
