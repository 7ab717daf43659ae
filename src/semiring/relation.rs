//! Binary relations on a finite set of stores, as decision diagrams (Lal, Kidd, Reps, Touili 2007,
//! Def. 6).

use super::{Merge, Semiring};
use crate::bdd::{Bdd, Manager, Renaming, Var, VarSet};
use crate::util::Bounded;

/// Relations over stores of some bits. Each bit has three levels, in this order: `old`, `middle`,
/// `new`. A weight speaks of `old` and `new`.
pub struct Relations {
    /// The arena.
    pub kernel: Manager,
    bits: Vec<[Var; 3]>,
    middles: VarSet,
    new_to_middle: Renaming,
    old_to_middle: Renaming,
    /// The locals, behind a statement.
    locals: VarSet,
    /// Every local stays as it was.
    locals_stay: Bdd,
}

impl Relations {
    /// The domain over the given bits, each `[old, middle, new]` with ascending levels.
    pub fn new(mut kernel: Manager, bits: Vec<[Var; 3]>) -> Relations {
        let middles: Vec<Var> = bits.iter().map(|b| b[1]).collect();
        let middles = kernel.var_set(&middles);
        let down: Vec<(Var, Var)> = bits.iter().map(|b| (b[2], b[1])).collect();
        let up: Vec<(Var, Var)> = bits.iter().map(|b| (b[0], b[1])).collect();
        let new_to_middle = kernel.renaming(&down);
        let old_to_middle = kernel.renaming(&up);
        let locals = kernel.var_set(&[]);
        Relations {
            kernel,
            bits,
            middles,
            new_to_middle,
            old_to_middle,
            locals,
            locals_stay: Bdd::TRUE,
        }
    }

    /// The same domain, with locals in these of its bits, for [`Merge`].
    pub fn with_locals(mut self, locals: &[usize]) -> Bounded<Relations> {
        let bits: Vec<[Var; 3]> =
            locals.iter().filter_map(|k| self.bits.get(*k).copied()).collect();
        let new: Vec<Var> = bits.iter().map(|bit| bit[2]).collect();
        self.locals = self.kernel.var_set(&new);
        self.locals_stay = self.identity_of(&bits)?;
        Ok(self)
    }

    /// Its bits, each `[old, middle, new]`.
    pub fn bits(&self) -> &[[Var; 3]] {
        &self.bits
    }

    fn identity_of(&mut self, bits: &[[Var; 3]]) -> Bounded<Bdd> {
        let mut sorted = bits.to_vec();
        sorted.sort_unstable();
        let mut identity = Bdd::TRUE;
        for bit in sorted.iter().rev() {
            let (old, new) = (self.kernel.var(bit[0])?, self.kernel.var(bit[2])?);
            let same = self.kernel.iff(old, new)?;
            identity = self.kernel.and(same, identity)?;
        }
        Ok(identity)
    }

    /// The relation with exactly these pairs of stores; bit k of a number is bit k of the store.
    pub fn from_pairs(&mut self, pairs: &[(u64, u64)]) -> Bounded<Bdd> {
        let mut relation = Bdd::FALSE;
        for (old, new) in pairs {
            let mut literals = Vec::new();
            for (k, bit) in self.bits.iter().enumerate() {
                literals.push((bit[0], old >> k & 1 == 1));
                literals.push((bit[2], new >> k & 1 == 1));
            }
            let pair = self.kernel.cube(&literals)?;
            relation = self.kernel.or(relation, pair)?;
        }
        Ok(relation)
    }
}

impl Semiring for Relations {
    type Weight = Bdd;
    fn zero(&self) -> Bdd {
        Bdd::FALSE
    }
    fn one(&mut self) -> Bounded<Bdd> {
        let bits = self.bits.clone();
        self.identity_of(&bits)
    }
    fn combine(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        self.kernel.or(*left, *right)
    }
    fn extend(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        let left = self.kernel.rename(*left, self.new_to_middle)?;
        let right = self.kernel.rename(*right, self.old_to_middle)?;
        self.kernel.and_exists(left, right, self.middles)
    }
}

impl Merge for Relations {
    fn merge(&mut self, weight: &Bdd) -> Bounded<Bdd> {
        let globals = self.kernel.exists(*weight, self.locals)?;
        self.kernel.and(globals, self.locals_stay)
    }
}
