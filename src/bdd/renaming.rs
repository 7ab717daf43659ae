//! Renamings and substitutions, as a manager keeps them.

use super::node::{Bdd, Var};
use rustc_hash::FxHashMap;

/// The operation's number in the cache, by which a collection finds the results that refer to a
/// forgotten substitution.
pub(super) const COMPOSE: u32 = 6;

/// Variables for variables, interned: equal renamings have equal ids. Survives collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renaming(pub(super) u32);

/// The levels of a [`Renaming`]: the new level of each level; those past the end stay.
pub(super) struct RenamingLevels {
    pub(super) target: Vec<u32>,
}

/// What to put in place of each level; those past the end stay.
type Substitution = Vec<Option<Bdd>>;

/// Substitutions by content, since the last collection (they hold functions, which a collection may
/// free).
#[derive(Default)]
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
