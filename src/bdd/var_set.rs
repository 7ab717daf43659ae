//! The data that a manager keeps of sets of variables.

/// A set of variables of one manager, interned: equal sets have equal ids. It survives collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VarSet(pub(super) u32);

/// The members of a [`VarSet`].
#[derive(Clone)]
pub(super) struct QuantifiedLevels {
    pub(super) members: Vec<bool>,
}

impl QuantifiedLevels {
    #[inline(always)]
    pub(super) fn contains(&self, level: u32) -> bool {
        self.members.get(level as usize).copied().unwrap_or(false)
    }

    /// Is no member at or below `level`?
    #[inline(always)]
    pub(super) fn all_above(&self, level: u32) -> bool {
        level as usize >= self.members.len()
    }
}
