//! Regions: what pointers of one kind can point to, found by unification (Steensgaard 1996). Two
//! pointers that are assigned to each other point into one region.

use super::types::{Type, bits_of};
use crate::lang::syntax::TypeName;

/// Index into [`Regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RegionId(pub(super) u32);

/// All regions, in a union-find forest.
#[derive(Debug, Default)]
pub(super) struct Regions {
    parents: Vec<u32>,
    /// What the slots of a region hold, if a pointer says so.
    elements: Vec<Option<Type>>,
    /// Further types of what it holds: then it is bytes.
    kinds: Vec<Vec<Type>>,
    /// Are its slots bytes, or groups of bytes?
    flat: Vec<bool>,
    /// Does a pointer into it walk?
    walked: Vec<bool>,
    /// The second pass over a program takes the same ids in the same order.
    next: u32,
    int: u8,
}

impl Regions {
    pub(super) fn new(int: u8) -> Regions {
        Regions { int, ..Regions::default() }
    }

    /// Begins the second pass.
    pub(super) fn restart(&mut self) {
        self.next = 0;
    }

    /// Did the second pass take all ids of the first one?
    pub(super) fn is_complete(&self) -> bool {
        self.next as usize == self.parents.len()
    }

    pub(super) fn fresh(&mut self) -> RegionId {
        let id = self.next;
        self.next += 1;
        if id as usize == self.parents.len() {
            self.parents.push(id);
            self.elements.push(None);
            self.kinds.push(Vec::new());
            self.flat.push(false);
            self.walked.push(false);
        }
        RegionId(id)
    }

    pub(super) fn find(&self, id: RegionId) -> RegionId {
        let mut root = id.0;
        while self.parents[root as usize] != root {
            root = self.parents[root as usize];
        }
        RegionId(root)
    }

    /// Notes that the region holds elements of this type.
    pub(super) fn hold(&mut self, id: RegionId, element: &Type) {
        if matches!(element, Type::Void | Type::Null) {
            return;
        }
        let root = self.find(id).0 as usize;
        let known: Vec<Type> =
            self.elements[root].iter().chain(&self.kinds[root]).cloned().collect();
        let fits = known.iter().any(|known| self.unify(known, element));
        let root = self.find(id).0 as usize;
        if known.is_empty() {
            self.elements[root] = Some(element.clone());
        } else if !fits {
            self.kinds[root].push(element.clone());
            self.flat[root] = true;
        }
    }

    /// The slots of the region are bytes.
    pub(super) fn flatten(&mut self, id: RegionId) {
        let root = self.find(id).0 as usize;
        self.flat[root] = true;
    }

    pub(super) fn is_flat(&self, id: RegionId) -> bool {
        self.flat[self.find(id).0 as usize]
    }

    /// The types of what a region holds.
    pub(super) fn kinds(&self, id: RegionId) -> Vec<Type> {
        let root = self.find(id).0 as usize;
        self.elements[root].iter().chain(&self.kinds[root]).cloned().collect()
    }

    pub(super) fn union(&mut self, one: RegionId, other: RegionId) {
        let (one, other) = (self.find(one).0, self.find(other).0);
        if one == other {
            return;
        }
        let (kept, gone) = (one.min(other), one.max(other));
        self.parents[gone as usize] = kept;
        self.flat[kept as usize] |= self.flat[gone as usize];
        self.walked[kept as usize] |= self.walked[gone as usize];
        let held = std::mem::take(&mut self.kinds[gone as usize]);
        for element in self.elements[gone as usize].take().into_iter().chain(held) {
            self.hold(RegionId(kept), &element);
        }
    }

    /// Makes pointers in two types that are used for each other point into one region. Returns
    /// false if the types differ.
    pub(super) fn unify(&mut self, one: &Type, other: &Type) -> bool {
        match (one, other) {
            (Type::Null, other) | (other, Type::Null) => other.is_pointer(),
            (Type::Void, _) | (_, Type::Void) => true,
            (Type::Pointer(to, a), Type::Pointer(from, b)) => {
                self.union(*a, *b);
                if !self.unify(to, from) {
                    self.hold(*a, to);
                    self.hold(*a, from);
                }
                true
            }
            (Type::Scalar(a), Type::Scalar(b)) => self.same_size(*a, *b),
            (Type::Struct(a), Type::Struct(b)) => a == b,
            (Type::Array(a, n), Type::Array(b, m)) => n == m && self.unify(a, b),
            (Type::Other(a), Type::Other(b)) => a == b,
            (Type::Procedure(a), Type::Procedure(b)) => self.unify(a, b),
            _ => false,
        }
    }

    fn same_size(&self, one: TypeName, other: TypeName) -> bool {
        let is_bool = |name| name == TypeName::Bool;
        let is_floating = |name| matches!(name, TypeName::Floating { .. });
        is_floating(one) == is_floating(other)
            && is_bool(one) == is_bool(other)
            && bits_of(one, self.int) == bits_of(other, self.int)
    }

    pub(super) fn walk(&mut self, id: RegionId) {
        let root = self.find(id).0 as usize;
        self.walked[root] = true;
    }

    pub(super) fn is_walked(&self, id: RegionId) -> bool {
        self.walked[self.find(id).0 as usize]
    }

    /// What the slots of a region hold.
    pub(super) fn element(&self, id: RegionId) -> Option<&Type> {
        self.elements[self.find(id).0 as usize].as_ref()
    }

    /// The roots, in the order of their ids.
    pub(super) fn roots(&self) -> impl Iterator<Item = RegionId> + '_ {
        (0..self.parents.len() as u32).filter(|id| self.parents[*id as usize] == *id).map(RegionId)
    }
}
