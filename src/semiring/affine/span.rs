//! Modules of row vectors by their canonical bases.
//!
//! Over a field the basis is the reduced echelon form, modulo 2^w the Howell form (Howell 1986;
//! Elder, Lim, Sharma, Andersen, Reps 2014, § 2.4): an echelon form whose rows behind any column
//! generate *all* vectors of the module that vanish up to that column. Two modules are equal iff
//! their bases are.

use super::coefficients::Coefficients;

/// A module of row vectors of one length. It has one row for each leading column, in ascending
/// order. The row has the chosen generator in this column, and the rows above have chosen residues
/// there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span<N> {
    rows: Vec<Vec<N>>,
}

impl<N: Clone + PartialEq> Span<N> {
    /// {0}.
    pub fn empty() -> Span<N> {
        Span { rows: Vec::new() }
    }

    /// The basis.
    pub fn rows(&self) -> &[Vec<N>] {
        &self.rows
    }

    /// Is it {0}?
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The module that these vectors generate.
    pub fn of<C: Coefficients<Number = N>>(
        ring: &C,
        rows: impl IntoIterator<Item = Vec<N>>,
    ) -> Span<N> {
        let mut echelon = Echelon::default();
        for row in rows {
            echelon.insert(ring, row);
        }
        echelon.finish(ring)
    }

    /// The least module that holds both.
    pub fn sum<C: Coefficients<Number = N>>(&self, ring: &C, other: &Span<N>) -> Span<N> {
        if other.is_empty() || self == other {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        let mut echelon = Echelon::from(self);
        for row in &other.rows {
            echelon.insert(ring, row.clone());
        }
        echelon.finish(ring)
    }

    /// Is the vector in the module?
    pub fn contains<C: Coefficients<Number = N>>(&self, ring: &C, vector: &[N]) -> bool {
        let mut rest = vector.to_vec();
        for row in &self.rows {
            let Some(column) = leading(ring, row) else { continue };
            if rest[..column].iter().any(|n| !ring.is_zero(n)) {
                return false;
            }
            if !ring.divides(&row[column], &rest[column]) {
                return false;
            }
            let factor = ring.quotient(&rest[column], &row[column]);
            subtract(ring, &mut rest, &factor, row);
        }
        rest.iter().all(|n| ring.is_zero(n))
    }

    /// { a : m · a = 0 for every row m of `matrix` }, for rows of length `length`.
    pub fn null_space<C: Coefficients<Number = N>>(
        ring: &C,
        matrix: &[Vec<N>],
        length: usize,
    ) -> Span<N> {
        // In the echelon form of (transpose | identity), the rows that vanish on the left say which
        // combinations of columns do.
        let rows = (0..length).map(|column| {
            let left = matrix.iter().map(|row| row[column].clone());
            let right = (0..length).map(|k| if k == column { ring.one() } else { ring.zero() });
            left.chain(right).collect()
        });
        let all: Span<N> = Span::of(ring, rows);
        let vanishing =
            all.rows.into_iter().filter(|row| row[..matrix.len()].iter().all(|n| ring.is_zero(n)));
        Span { rows: vanishing.map(|row| row[matrix.len()..].to_vec()).collect() }
    }
}

/// A basis under construction, with at most one row for each leading column.
pub(super) struct Echelon<N> {
    rows: Vec<Option<Vec<N>>>,
}

impl<N> Default for Echelon<N> {
    fn default() -> Self {
        Echelon { rows: Vec::new() }
    }
}

impl<N: Clone> Echelon<N> {
    fn from(span: &Span<N>) -> Echelon<N>
    where
        N: PartialEq,
    {
        Echelon { rows: span.rows.iter().cloned().map(Some).collect() }
    }
}

impl<N: Clone + PartialEq> Echelon<N> {
    /// Adds a generator.
    pub(super) fn insert<C: Coefficients<Number = N>>(&mut self, ring: &C, row: Vec<N>) {
        self.spread(ring, row.len());
        let mut waiting = vec![row];
        while let Some(mut row) = waiting.pop() {
            while let Some(column) = leading(ring, &row) {
                match &mut self.rows[column] {
                    None => {
                        self.place(ring, column, row, &mut waiting);
                        break;
                    }
                    Some(old) if ring.divides(&old[column], &row[column]) => {
                        let factor = ring.quotient(&row[column], &old[column]);
                        subtract(ring, &mut row, &factor, old);
                    }
                    slot @ Some(_) => {
                        let old = slot.take().expect("just matched");
                        self.place(ring, column, row, &mut waiting);
                        row = old;
                    }
                }
            }
        }
    }

    /// The rows by their leading columns.
    fn spread<C: Coefficients<Number = N>>(&mut self, ring: &C, length: usize) {
        if self.rows.len() == length
            && self
                .rows
                .iter()
                .enumerate()
                .all(|(k, row)| row.as_ref().is_none_or(|r| leading(ring, r) == Some(k)))
        {
            return;
        }
        let rows = std::mem::take(&mut self.rows);
        self.rows = vec![None; length];
        for row in rows.into_iter().flatten() {
            if let Some(column) = leading(ring, &row) {
                self.rows[column] = Some(row);
            }
        }
    }

    /// Normalises a row and puts it at its column. The vectors that it generates behind that column
    /// wait.
    fn place<C: Coefficients<Number = N>>(
        &mut self,
        ring: &C,
        column: usize,
        mut row: Vec<N>,
        waiting: &mut Vec<Vec<N>>,
    ) {
        let unit = ring.unit(&row[column]);
        for number in &mut row[column..] {
            *number = ring.multiply(&unit, number);
        }
        if let Some(killer) = ring.annihilator(&row[column]) {
            waiting.push(row.iter().map(|n| ring.multiply(&killer, n)).collect());
        }
        self.rows[column] = Some(row);
    }

    /// Replaces the entries above each leading entry by chosen residues.
    pub(super) fn finish<C: Coefficients<Number = N>>(self, ring: &C) -> Span<N> {
        let mut rows: Vec<(usize, Vec<N>)> = self
            .rows
            .into_iter()
            .flatten()
            .filter_map(|row| Some((leading(ring, &row)?, row)))
            .collect();
        for k in 0..rows.len() {
            let (above, below) = rows.split_at_mut(k + 1);
            let row = &mut above[k].1;
            // In ascending order, because later pivots reduce what one pivot changes behind its
            // column.
            for (column, pivot) in below {
                let factor = ring.quotient(&row[*column], &pivot[*column]);
                if !ring.is_zero(&factor) {
                    subtract(ring, row, &factor, pivot);
                }
            }
        }
        Span { rows: rows.into_iter().map(|(_, row)| row).collect() }
    }
}

fn leading<C: Coefficients>(ring: &C, row: &[C::Number]) -> Option<usize> {
    row.iter().position(|n| !ring.is_zero(n))
}

fn subtract<C: Coefficients>(
    ring: &C,
    row: &mut [C::Number],
    factor: &C::Number,
    pivot: &[C::Number],
) {
    for (a, b) in row.iter_mut().zip(pivot) {
        *a = ring.subtract_product(a, factor, b);
    }
}

#[cfg(test)]
mod tests {
    use super::super::coefficients::{Modular, Rationals};
    use super::*;
    use num_bigint::BigInt;
    use std::collections::BTreeSet;

    /// Every vector of a module over ℤ modulo 2^w, from its generators.
    fn closure(ring: Modular, generators: &[Vec<u64>], length: usize) -> BTreeSet<Vec<u64>> {
        let mut all = BTreeSet::from([vec![0; length]]);
        for generator in generators {
            let mut next = BTreeSet::new();
            for vector in &all {
                for factor in 0..1u64 << ring.width() {
                    next.insert(
                        vector
                            .iter()
                            .zip(generator)
                            .map(|(a, b)| ring.add_product(a, &factor, b))
                            .collect(),
                    );
                }
            }
            all = next;
        }
        all
    }

    #[test]
    fn modular_bases_are_canonical_and_span_what_they_should() {
        let ring = Modular::new(3);
        let mut state = 5u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 61
        };
        for _ in 0..150 {
            let generators: Vec<Vec<u64>> = (0..3)
                .map(|_| (0..3).map(|_| random() & [7, 6, 4][random() as usize % 3]).collect())
                .collect();
            let span = Span::of(&ring, generators.clone());
            let expected = closure(ring, &generators, 3);
            assert_eq!(closure(ring, span.rows(), 3), expected);
            // The same module from other generators has the same basis.
            let mut others: Vec<Vec<u64>> =
                expected.iter().filter(|_| random() < 3).cloned().collect();
            others.extend(generators.iter().rev().cloned());
            assert_eq!(Span::of(&ring, others), span, "{generators:?}");
            for k in 0..512u64 {
                let vector = vec![k & 7, k >> 3 & 7, k >> 6];
                assert_eq!(span.contains(&ring, &vector), expected.contains(&vector));
            }
            let kernel = Span::null_space(&ring, &generators, 3);
            let zero = |v: &Vec<u64>| {
                generators.iter().all(|g| {
                    g.iter().zip(v).fold(0, |sum, (a, b)| ring.add_product(&sum, a, b)) == 0
                })
            };
            let expected: BTreeSet<Vec<u64>> =
                (0..512u64).map(|k| vec![k & 7, k >> 3 & 7, k >> 6]).filter(zero).collect();
            assert_eq!(closure(ring, kernel.rows(), 3), expected);
        }
    }

    #[test]
    fn rational_null_space() {
        let number = |n: i64| Rationals.integer(&BigInt::from(n));
        let row = |list: [i64; 3]| list.map(number).to_vec();
        // x = 2 y + 1 holds at (1, 3, 1) and (1, 5, 2), written (1, x, y).
        let kernel = Span::null_space(&Rationals, &[row([1, 3, 1]), row([1, 5, 2])], 3);
        assert_eq!(kernel.rows().len(), 1);
        assert_eq!(Rationals.readable(&kernel.rows()[0]), [1, -1, 2].map(BigInt::from));
    }
}
