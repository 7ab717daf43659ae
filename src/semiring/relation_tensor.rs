//! Tensor products of relations: diagrams side by side, over as many copies of the variables (Lal,
//! Touili, Kidd, Reps 2007, § 7 and App. B.1).

use super::{Relations, Semiring, Tensors};
use crate::bdd::{Bdd, Manager, Renaming, Var, VarSet};
use crate::util::Bounded;

/// Sets of n-tuples of pairs of stores. The first factor uses the same levels as relations of the
/// base.
pub struct RelationTensors {
    /// The domain of the factors. It owns the arena.
    pub base: Relations,
    /// By factor: its bits, each `[old, middle, new]`.
    factors: Vec<Vec<[Var; 3]>>,
    middles: VarSet,
    new_to_middle: Renaming,
    old_to_middle: Renaming,
    /// By factor: the renaming from the base's levels to the factor's.
    from_base: Vec<Renaming>,
    /// The renaming that turns every second factor round.
    turned: Renaming,
    base_turned: Renaming,
    /// Everything but the first factor's old and the last one's new bits.
    inner: VarSet,
    last_to_base: Renaming,
}

impl RelationTensors {
    /// The products over these copies of the same bits, at least one copy. Each bit is `[old,
    /// middle, new]` with ascending levels.
    pub fn new(mut kernel: Manager, mut factors: Vec<Vec<[Var; 3]>>) -> RelationTensors {
        if factors.is_empty() {
            factors.push(Vec::new());
        }
        let all = |k: usize| factors.iter().flatten().map(move |bit| bit[k]);
        let middles: Vec<Var> = all(1).collect();
        let middles = kernel.var_set(&middles);
        let (down, up): (Vec<_>, Vec<_>) =
            (all(2).zip(all(1)).collect(), all(0).zip(all(1)).collect());
        let (new_to_middle, old_to_middle) = (kernel.renaming(&down), kernel.renaming(&up));
        let pairs = |from: &[[Var; 3]], to: &[[Var; 3]]| -> Vec<(Var, Var)> {
            from.iter().zip(to).flat_map(|(a, b)| [(a[0], b[0]), (a[2], b[2])]).collect()
        };
        let turn = |bits: &[[Var; 3]]| -> Vec<(Var, Var)> {
            bits.iter().flat_map(|bit| [(bit[0], bit[2]), (bit[2], bit[0])]).collect()
        };
        let from_base =
            factors.iter().map(|factor| kernel.renaming(&pairs(&factors[0], factor))).collect();
        let even: Vec<(Var, Var)> =
            factors.iter().skip(1).step_by(2).flat_map(|factor| turn(factor)).collect();
        let (turned, base_turned) = (kernel.renaming(&even), kernel.renaming(&turn(&factors[0])));
        let last = &factors[factors.len() - 1];
        let kept: Vec<Var> =
            factors[0].iter().map(|bit| bit[0]).chain(last.iter().map(|bit| bit[2])).collect();
        let inner: Vec<Var> = all(0).chain(all(2)).filter(|level| !kept.contains(level)).collect();
        let inner = kernel.var_set(&inner);
        let to_base: Vec<(Var, Var)> =
            last.iter().zip(&factors[0]).map(|(a, b)| (a[2], b[2])).collect();
        let last_to_base = kernel.renaming(&to_base);
        let base = Relations::new(kernel, factors[0].clone());
        RelationTensors {
            base,
            factors,
            middles,
            new_to_middle,
            old_to_middle,
            from_base,
            turned,
            base_turned,
            inner,
            last_to_base,
        }
    }
}

impl Semiring for RelationTensors {
    type Weight = Bdd;
    fn zero(&self) -> Bdd {
        Bdd::FALSE
    }
    fn one(&mut self) -> Bounded<Bdd> {
        self.tensor(&[])
    }
    fn combine(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        self.base.kernel.or(*left, *right)
    }
    fn extend(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        let kernel = &mut self.base.kernel;
        let left = kernel.rename(*left, self.new_to_middle)?;
        let right = kernel.rename(*right, self.old_to_middle)?;
        kernel.and_exists(left, right, self.middles)
    }
}

impl Tensors for RelationTensors {
    type Base = Relations;
    fn factors(&self) -> usize {
        self.factors.len()
    }
    fn base(&mut self) -> &mut Relations {
        &mut self.base
    }
    /// The result is linear in the sizes of the factors if their variables come one after the
    /// other.
    fn tensor(&mut self, weights: &[Bdd]) -> Bounded<Bdd> {
        let one = self.base.one()?;
        let mut product = Bdd::TRUE;
        for factor in (0..self.factors.len()).rev() {
            let weight = weights.get(factor).copied().unwrap_or(one);
            let placed = self.base.kernel.rename(weight, self.from_base[factor])?;
            product = self.base.kernel.and(product, placed)?;
        }
        Ok(product)
    }
    fn detensor(&mut self, tensor: &Bdd) -> Bounded<Bdd> {
        let kernel = &mut self.base.kernel;
        let mut linked = *tensor;
        for pair in self.factors.windows(2) {
            for (before, after) in pair[0].iter().zip(&pair[1]).rev() {
                let (new, old) = (kernel.var(before[2])?, kernel.var(after[0])?);
                let same = kernel.iff(new, old)?;
                linked = kernel.and(linked, same)?;
            }
        }
        let ends = kernel.exists(linked, self.inner)?;
        kernel.rename(ends, self.last_to_base)
    }
    fn transpose(&mut self, weight: &Bdd) -> Bounded<Bdd> {
        self.base.kernel.rename(*weight, self.base_turned)
    }
    fn transposed_detensor(&mut self, tensor: &Bdd) -> Bounded<Bdd> {
        let turned = self.base.kernel.rename(*tensor, self.turned)?;
        self.detensor(&turned)
    }
}
