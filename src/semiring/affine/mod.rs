//! Affine-relation analysis: a weight is a space of matrices (Müller-Olm, Seidl 2004; Lal, Touili,
//! Kidd, Reps 2007, § 4.2.1), over the rationals or modulo 2^w (Müller-Olm, Seidl 2005).
//!
//! A valuation of n variables is the row (1, x1, …, xn); a statement is a set of (n + 1) × (n + 1)
//! matrices M with x' = x M, closed under linear combinations. An affine relation is a column a
//! with x · a = 0; it holds behind a weight w, whatever held before, iff M a = 0 for every M of w.

mod coefficients;
mod span;
mod tensor;

pub use coefficients::{Coefficients, Modular, Rationals};
pub use span::Span;
pub use tensor::AffineTensors;

use super::{Merge, Semiring};
use crate::util::{Alarm, Bounded, Limit};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use span::Echelon;
use std::ops::Range;

/// A right side a0 + Σ ai xi. Its terms are pairs of a variable (from 0) and a coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffineExpression {
    /// a0.
    pub constant: BigInt,
    /// The pairs (i, ai). Every variable occurs at most once.
    pub terms: Vec<(usize, BigInt)>,
}

/// The semiring of matrix spaces: ⊕ is the sum of spaces, ⊗ the span of all products, the left
/// factor first.
#[derive(Clone, Debug)]
pub struct Affine<C: Coefficients> {
    ring: C,
    variables: usize,
    locals: Range<usize>,
    operations: u64,
    most_operations: u64,
    alarm: Option<Alarm>,
}

/// A space of matrices, each flattened row by row.
pub type MatrixSpace<C> = Span<<C as Coefficients>::Number>;

impl<C: Coefficients> Affine<C> {
    /// The domain for `variables` variables. After `most_operations` multiplications of numbers,
    /// every operation returns [`Limit::Steps`].
    pub fn new(ring: C, variables: usize, most_operations: u64) -> Affine<C> {
        Affine { ring, variables, locals: 0..0, operations: 0, most_operations, alarm: None }
    }

    /// The same domain, with locals in these variables, for [`Merge`].
    pub fn with_locals(mut self, locals: Range<usize>) -> Affine<C> {
        self.locals = locals;
        self
    }

    /// The numbers.
    pub fn ring(&self) -> &C {
        &self.ring
    }

    /// Multiplications so far.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// Rows and columns of a matrix: n + 1.
    pub fn size(&self) -> usize {
        self.variables + 1
    }

    /// Sets the alarm, for drivers with a clock. While it is on, every operation that multiplies
    /// ends with the limit that it names.
    pub fn set_alarm(&mut self, alarm: Alarm) {
        self.alarm = Some(alarm);
    }

    /// Counts multiplications. Returns [`Limit::Steps`] when there were too many.
    pub fn spend(&mut self, operations: usize) -> Bounded<()> {
        self.operations = self.operations.saturating_add(operations as u64);
        if let Some(limit) = self.alarm.as_ref().and_then(|alarm| alarm.look(0)) {
            Err(limit)
        } else if self.operations > self.most_operations {
            Err(Limit::Steps)
        } else {
            Ok(())
        }
    }

    fn identity(&self) -> Vec<C::Number> {
        let size = self.size();
        let entry =
            |k: usize| if k % size == k / size { self.ring.one() } else { self.ring.zero() };
        (0..size * size).map(entry).collect()
    }

    /// The matrix that leaves every variable but `targets` alone. A pair (j, a0 + Σ ai xi) sets xj;
    /// all are set at once.
    fn matrix(&self, targets: &[(usize, &AffineExpression)]) -> Vec<C::Number> {
        let size = self.size();
        let mut matrix = self.identity();
        for (target, expression) in targets {
            let column = target + 1;
            for row in 0..size {
                matrix[row * size + column] = self.ring.zero();
            }
            matrix[column] = self.ring.integer(&expression.constant);
            for (variable, coefficient) in &expression.terms {
                matrix[(variable + 1) * size + column] = self.ring.integer(coefficient);
            }
        }
        matrix
    }

    /// x_j := e for each pair, in parallel; `None` stands for any value.
    pub fn assign(
        &mut self,
        targets: &[(usize, Option<AffineExpression>)],
    ) -> Bounded<MatrixSpace<C>> {
        let constant = |n: u8| AffineExpression { constant: BigInt::from(n), terms: Vec::new() };
        let (zero, one) = (constant(0), constant(1));
        let base: Vec<(usize, &AffineExpression)> =
            targets.iter().map(|(j, e)| (*j, e.as_ref().unwrap_or(&zero))).collect();
        let mut matrices = vec![self.matrix(&base)];
        // All values of x_j are affine combinations of 0 and 1.
        for (k, _) in targets.iter().enumerate().filter(|(_, (_, e))| e.is_none()) {
            let mut other = base.clone();
            other[k].1 = &one;
            matrices.push(self.matrix(&other));
        }
        self.spend(matrices.len() * self.size() * self.size())?;
        Ok(Span::of(&self.ring, matrices))
    }

    /// What a call does to its caller. `enter` binds the callee's variables, and `summary` is the
    /// effect of the callee. After that every column of `locals` is again as it was before the call
    /// (*merge*, Lal et al. 2007, App. B.2), except the result: `result` has the caller's column
    /// for it, and the callee's column from which it comes. The values that are put back are scaled
    /// by the top left entry of the summary, so that the operation is linear.
    pub fn call(
        &mut self,
        enter: &MatrixSpace<C>,
        summary: &MatrixSpace<C>,
        locals: Range<usize>,
        result: Option<(usize, usize)>,
    ) -> Bounded<MatrixSpace<C>> {
        let size = self.size();
        let mut echelon = Echelon::default();
        for inner in summary.rows() {
            for outer in enter.rows() {
                self.spend(size * size * size)?;
                let product = self.product(outer, inner);
                let mut matrix = product.clone();
                for local in locals.clone() {
                    for row in 0..size {
                        matrix[row * size + local + 1] = self.ring.zero();
                    }
                    // The top left entry of a product is the product of those entries.
                    matrix[(local + 1) * size + local + 1] = product[0].clone();
                }
                if let Some((to, from)) = result {
                    for row in 0..size {
                        matrix[row * size + to + 1] = product[row * size + from + 1].clone();
                    }
                }
                echelon.insert(&self.ring, matrix);
            }
        }
        Ok(echelon.finish(&self.ring))
    }

    /// Keeps `locals` as they were, whatever a callee did to its own locals: [`Affine::call`] with
    /// nothing bound.
    pub fn merge(
        &mut self,
        weight: &MatrixSpace<C>,
        locals: Range<usize>,
    ) -> Bounded<MatrixSpace<C>> {
        let forget: Vec<_> =
            locals.clone().map(|local| (local, Some(AffineExpression::constant(0)))).collect();
        let enter = self.assign(&forget)?;
        self.call(&enter, weight, locals, None)
    }

    /// All affine relations between the values behind a weight and those before: columns bn, …, b1,
    /// an, …, a1, a0 with Σ bi xi' + Σ ai xi + a0 = 0 for every x and every x' = x M. (With this
    /// order the last variable leads, expressed by earlier ones.)
    pub fn transitions(&mut self, weight: &MatrixSpace<C>) -> Bounded<Span<C::Number>> {
        let (size, variables) = (self.size(), self.variables);
        let mut rows = Vec::new();
        for matrix in weight.rows() {
            // x M is x' times the top left entry, so the values before are multiplied by this
            // entry, too.
            for k in 0..size {
                let mut row: Vec<C::Number> =
                    matrix[k * size + 1..(k + 1) * size].iter().rev().cloned().collect();
                row.resize(2 * variables + 1, self.ring.zero());
                row[2 * variables - k] = matrix[0].clone();
                rows.push(row);
            }
        }
        let rows = Span::of(&self.ring, rows);
        self.spend(rows.rows().len() * size * size)?;
        Ok(Span::null_space(&self.ring, rows.rows(), 2 * variables + 1))
    }

    /// All affine relations (columns a0, a1, …, an) that hold behind a weight, whatever held
    /// before: the intersection of the null spaces.
    pub fn relations(&mut self, weight: &MatrixSpace<C>) -> Bounded<Span<C::Number>> {
        let size = self.size();
        let rows: Vec<Vec<C::Number>> =
            weight.rows().iter().flat_map(|m| m.chunks(size).map(<[C::Number]>::to_vec)).collect();
        let rows = Span::of(&self.ring, rows);
        self.spend(rows.rows().len() * size * size)?;
        Ok(Span::null_space(&self.ring, rows.rows(), size))
    }

    fn product(&self, left: &[C::Number], right: &[C::Number]) -> Vec<C::Number> {
        let size = self.size();
        let mut result = vec![self.ring.zero(); size * size];
        for row in 0..size {
            for middle in 0..size {
                let factor = &left[row * size + middle];
                if self.ring.is_zero(factor) {
                    continue;
                }
                for column in 0..size {
                    let cell = &mut result[row * size + column];
                    *cell = self.ring.add_product(cell, factor, &right[middle * size + column]);
                }
            }
        }
        result
    }
}

impl<C: Coefficients> Semiring for Affine<C> {
    type Weight = MatrixSpace<C>;

    fn zero(&self) -> MatrixSpace<C> {
        Span::empty()
    }
    fn one(&mut self) -> Bounded<MatrixSpace<C>> {
        Ok(Span::of(&self.ring, [self.identity()]))
    }
    fn combine(
        &mut self,
        left: &MatrixSpace<C>,
        right: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        let cells = self.size() * self.size();
        self.spend((left.rows().len() + right.rows().len()).saturating_mul(cells))?;
        Ok(left.sum(&self.ring, right))
    }
    fn extend(&mut self, left: &MatrixSpace<C>, right: &MatrixSpace<C>) -> Bounded<MatrixSpace<C>> {
        let size = self.size();
        let mut echelon = Echelon::default();
        for one in left.rows() {
            for other in right.rows() {
                self.spend(size * size * size)?;
                let product = self.product(one, other);
                if product.iter().any(|entry| self.ring.is_huge(entry)) {
                    return Err(Limit::Steps);
                }
                echelon.insert(&self.ring, product);
            }
        }
        Ok(echelon.finish(&self.ring))
    }
    fn is_zero(&self, weight: &MatrixSpace<C>) -> bool {
        weight.is_empty()
    }
}

/// As in App. B.2, but the entries below the globals' columns stay. In that paper callees start
/// without arguments, so these entries are zero there.
impl<C: Coefficients> Merge for Affine<C> {
    fn merge(&mut self, weight: &MatrixSpace<C>) -> Bounded<MatrixSpace<C>> {
        let (one, locals) = (self.one()?, self.locals.clone());
        self.call(&one, weight, locals, None)
    }
}

impl AffineExpression {
    /// A constant.
    pub fn constant(n: impl Into<BigInt>) -> AffineExpression {
        AffineExpression { constant: n.into(), terms: Vec::new() }
    }
    /// A variable.
    pub fn variable(index: usize) -> AffineExpression {
        AffineExpression { constant: BigInt::zero(), terms: vec![(index, BigInt::one())] }
    }
    /// self + factor · other.
    pub fn add_scaled(mut self, factor: &BigInt, other: &AffineExpression) -> AffineExpression {
        self.constant += factor * &other.constant;
        for (variable, coefficient) in &other.terms {
            match self.terms.iter_mut().find(|(v, _)| v == variable) {
                Some((_, old)) => *old += factor * coefficient,
                None => self.terms.push((*variable, factor * coefficient)),
            }
        }
        self.terms.retain(|(_, coefficient)| !coefficient.is_zero());
        self
    }
}
