//! The data that a manager keeps of renamings and substitutions.

use super::node::{Bdd, Var};
use rustc_hash::FxHashMap;

/// The operation's number in the cache. With it a collection finds the results that refer to a
/// forgotten substitution.
pub(super) const COMPOSE: u32 = 6;

/// A renaming of variables, interned: equal renamings have equal ids. It survives collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renaming(pub(super) u32);

/// The levels of a [`Renaming`]: the new level of each level. Levels past the end stay.
#[derive(Clone)]
pub(super) struct RenamingLevels {
    pub(super) target: Vec<u32>,
}

/// The function that replaces each level. Levels past the end stay.
type Substitution = Vec<Option<Bdd>>;

/// The substitutions since the last collection, by content. They hold functions that a collection
/// may free.
#[derive(Clone, Default)]
pub(super) struct SubstitutionTable {
    pub(super) all: Vec<Substitution>,
    pub(super) ids: FxHashMap<Vec<(Var, Bdd)>, u32>,
}

impl SubstitutionTable {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.ids.clear();
    }
}
