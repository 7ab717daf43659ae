//! Weighted relations (G, S): every pair of stores has a weight of a commutative semiring S (Lal,
//! Touili, Kidd, Reps 2007, Def. 10).
//!
//! Over [`super::MinPath`] the weight of a pair is the least number of steps from the first store
//! to the second. A weight is kept as its *level sets*: for every value of S other than 0 the
//! relation of the pairs that have it, as a decision diagram.

use super::{Merge, Precision, Relations, Semiring};
use crate::bdd::Bdd;
use crate::util::Bounded;

/// Relations over the stores of `relations`, with values of `values`.
pub struct WeightedRelations<S> {
    /// Sets of pairs.
    pub relations: Relations,
    /// The semiring of values. Its extend must commute.
    pub values: S,
}

/// The level sets, ascending by value. They are disjoint, and none is empty.
pub type Levels<W> = Vec<(W, Bdd)>;

impl<S: Semiring> WeightedRelations<S>
where
    S::Weight: Ord,
{
    /// The relation with these pairs, all with one value.
    pub fn level(&self, value: S::Weight, relation: Bdd) -> Levels<S::Weight> {
        if self.values.is_zero(&value) || relation == Bdd::FALSE {
            Vec::new()
        } else {
            vec![(value, relation)]
        }
    }

    /// Combines the value of the pairs of `relation` with `value`.
    fn add(
        &mut self,
        levels: &mut Levels<S::Weight>,
        value: &S::Weight,
        relation: Bdd,
    ) -> Bounded<()> {
        let mut rest = relation;
        let mut met = Vec::new();
        for (old, pairs) in levels.iter_mut() {
            let both = self.relations.kernel.and(*pairs, rest)?;
            if both == Bdd::FALSE {
                continue;
            }
            rest = self.relations.kernel.difference(rest, both)?;
            let new = self.values.combine(old, value)?;
            if new != *old {
                *pairs = self.relations.kernel.difference(*pairs, both)?;
                met.push((new, both));
            }
        }
        met.push((value.clone(), rest));
        for (value, pairs) in met {
            if pairs == Bdd::FALSE || self.values.is_zero(&value) {
                continue;
            }
            match levels.binary_search_by(|(old, _)| old.cmp(&value)) {
                Ok(k) => levels[k].1 = self.relations.kernel.or(levels[k].1, pairs)?,
                Err(k) => levels.insert(k, (value, pairs)),
            }
        }
        levels.retain(|(_, pairs)| *pairs != Bdd::FALSE);
        Ok(())
    }
}

impl<S: Semiring> Semiring for WeightedRelations<S>
where
    S::Weight: Ord,
{
    type Weight = Levels<S::Weight>;

    fn zero(&self) -> Self::Weight {
        Vec::new()
    }
    fn one(&mut self) -> Bounded<Self::Weight> {
        let (identity, one) = (self.relations.one()?, self.values.one()?);
        Ok(self.level(one, identity))
    }
    fn combine(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight> {
        let mut result = left.clone();
        for (value, pairs) in right {
            self.add(&mut result, value, *pairs)?;
        }
        Ok(result)
    }
    fn extend(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight> {
        let mut result = Vec::new();
        for (one, first) in left {
            for (other, second) in right {
                let pairs = self.relations.extend(first, second)?;
                let value = self.values.extend(one, other)?;
                self.add(&mut result, &value, pairs)?;
            }
        }
        Ok(result)
    }
    fn precision(&self) -> Precision {
        self.values.precision()
    }
}

/// merge(w) = λ(g1, l1, g2, l2). if l1 ≠ l2 then 0 else ⊕ { w(g1, l1, g2, l) | l } (Lal, Touili,
/// Kidd, Reps 2007, App. B.1).
impl<S: Semiring> Merge for WeightedRelations<S>
where
    S::Weight: Ord,
{
    fn merge(&mut self, weight: &Self::Weight) -> Bounded<Self::Weight> {
        let mut result = Vec::new();
        for (value, pairs) in weight {
            let merged = self.relations.merge(pairs)?;
            self.add(&mut result, value, merged)?;
        }
        Ok(result)
    }
}
