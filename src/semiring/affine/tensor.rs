//! Tensor products of matrix spaces: spans of Kronecker products (Lal, Touili, Kidd, Reps 2007,
//! Def. 14, Thm. 3, § 6.2).
//!
//! Tensor, detensor and transpose are linear in every factor, so they can be done on bases: β(w1 ⊙
//! w2) = β(β(w1) ⊙ β(w2)), and so on.

use super::span::Echelon;
use super::{Affine, Coefficients, MatrixSpace};
use crate::semiring::{Semiring, Tensors};
use crate::util::{Bounded, Limit};

/// Spaces of matrices of order (variables + 1)^n.
pub struct AffineTensors<C: Coefficients> {
    base: Affine<C>,
    wide: Affine<C>,
    factors: usize,
}

impl<C: Coefficients + Clone> AffineTensors<C> {
    /// The n-th product of affine relations between so many variables. Returns [`Limit::Nodes`] if
    /// one of its matrices has more than 2^24 entries.
    pub fn new(
        ring: C,
        variables: usize,
        factors: usize,
        most_operations: u64,
    ) -> Bounded<AffineTensors<C>> {
        let order = (variables + 1)
            .checked_pow(factors.max(1) as u32)
            .filter(|order| *order <= 1 << 12)
            .ok_or(Limit::Nodes)?;
        Ok(AffineTensors {
            base: Affine::new(ring.clone(), variables, most_operations),
            wide: Affine::new(ring, order - 1, most_operations),
            factors: factors.max(1),
        })
    }
}

impl<C: Coefficients> AffineTensors<C> {
    fn kronecker(
        &self,
        left: &[C::Number],
        right: &[C::Number],
        (n, m): (usize, usize),
    ) -> Vec<C::Number> {
        let ring = self.base.ring();
        let order = n * m;
        let mut product = vec![ring.zero(); order * order];
        for (k, factor) in left.iter().enumerate().filter(|(_, factor)| !ring.is_zero(factor)) {
            let (row, column) = (k / n, k % n);
            for (l, entry) in right.iter().enumerate() {
                product[(row * m + l / m) * order + column * m + l % m] =
                    ring.multiply(factor, entry);
            }
        }
        product
    }

    /// The sum over the inner indices. The first row i1 and the last column jn stay; between two
    /// factors the column equals the next row. If `turned`, row and column of every second factor
    /// change places.
    fn contract(&mut self, tensor: &MatrixSpace<C>, turned: bool) -> Bounded<MatrixSpace<C>> {
        let (n, factors) = (self.base.size(), self.factors);
        let order = self.wide.size();
        let mut echelon = Echelon::default();
        for matrix in tensor.rows() {
            self.base.spend(n.pow(factors as u32 + 1))?;
            let ring = self.base.ring();
            let mut product = vec![ring.zero(); n * n];
            // A path i1, i2, …, i(n+1) through the factors.
            for path in 0..n.pow(factors as u32 + 1) {
                let index = |k: usize| path / n.pow((factors - k) as u32) % n;
                let (mut row, mut column) = (0, 0);
                for factor in 0..factors {
                    let (a, b) = (index(factor), index(factor + 1));
                    let (a, b) = if turned && factor % 2 == 1 { (b, a) } else { (a, b) };
                    (row, column) = (row * n + a, column * n + b);
                }
                let cell = &mut product[index(0) * n + index(factors)];
                *cell = ring.add_product(cell, &ring.one(), &matrix[row * order + column]);
            }
            echelon.insert(ring, product);
        }
        Ok(echelon.finish(self.base.ring()))
    }
}

impl<C: Coefficients> Semiring for AffineTensors<C> {
    type Weight = MatrixSpace<C>;
    fn zero(&self) -> MatrixSpace<C> {
        self.wide.zero()
    }
    fn one(&mut self) -> Bounded<MatrixSpace<C>> {
        self.wide.one()
    }
    fn combine(
        &mut self,
        left: &MatrixSpace<C>,
        right: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.wide.combine(left, right)
    }
    fn extend(&mut self, left: &MatrixSpace<C>, right: &MatrixSpace<C>) -> Bounded<MatrixSpace<C>> {
        self.wide.extend(left, right)
    }
    fn is_zero(&self, weight: &MatrixSpace<C>) -> bool {
        weight.is_empty()
    }
}

impl<C: Coefficients> Tensors for AffineTensors<C> {
    type Base = Affine<C>;
    fn factors(&self) -> usize {
        self.factors
    }
    fn base(&mut self) -> &mut Affine<C> {
        &mut self.base
    }
    fn tensor(&mut self, weights: &[MatrixSpace<C>]) -> Bounded<MatrixSpace<C>> {
        let (one, n) = (self.base.one()?, self.base.size());
        let (mut product, mut order) = (vec![vec![self.base.ring().one()]], 1);
        for factor in 0..self.factors {
            let weight = weights.get(factor).unwrap_or(&one);
            self.base
                .spend((product.len() * weight.rows().len()).saturating_mul((order * n).pow(2)))?;
            let mut next = Vec::new();
            for left in &product {
                for right in weight.rows() {
                    next.push(self.kronecker(left, right, (order, n)));
                }
            }
            (product, order) = (next, order * n);
        }
        let mut echelon = Echelon::default();
        for matrix in product {
            echelon.insert(self.base.ring(), matrix);
        }
        Ok(echelon.finish(self.base.ring()))
    }
    fn detensor(&mut self, tensor: &MatrixSpace<C>) -> Bounded<MatrixSpace<C>> {
        self.contract(tensor, false)
    }
    fn transpose(&mut self, weight: &MatrixSpace<C>) -> Bounded<MatrixSpace<C>> {
        let n = self.base.size();
        let mut echelon = Echelon::default();
        for matrix in weight.rows() {
            echelon.insert(
                self.base.ring(),
                (0..n * n).map(|k| matrix[k % n * n + k / n].clone()).collect(),
            );
        }
        Ok(echelon.finish(self.base.ring()))
    }
    fn transposed_detensor(&mut self, tensor: &MatrixSpace<C>) -> Bounded<MatrixSpace<C>> {
        self.contract(tensor, true)
    }
}
