//! Weights as plain tables, written apart from the domains: sets of pairs, matrices of lengths,
//! lists of matrices.

use crate::support::Random;
use faultline::bdd::{Bdd, KernelLimits, Manager, Var};
use faultline::semiring::affine::{Affine, AffineExpression, MatrixSpace, Modular, Rationals};
use faultline::semiring::{
    Boolean, CheapestPath, Levels, MinPath, PathCost, Product, Relations, Semiring,
    WeightedRelations,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeSet;
use std::fmt::Debug;

/// A domain and its explicit twin.
pub(crate) trait Explicit {
    type Domain: Semiring;
    type Weight: Clone + PartialEq + Debug;
    fn domain(&self) -> Self::Domain;
    fn zero(&self) -> Self::Weight;
    fn one(&self) -> Self::Weight;
    fn combine(&self, left: &Self::Weight, right: &Self::Weight) -> Self::Weight;
    fn extend(&self, left: &Self::Weight, right: &Self::Weight) -> Self::Weight;
    /// A rule's weight, in both forms.
    fn random(
        &self,
        random: &mut Random,
        domain: &mut Self::Domain,
    ) -> (Self::Weight, <Self::Domain as Semiring>::Weight);
    /// Do both say the same?
    fn same(
        &self,
        explicit: &Self::Weight,
        domain: &mut Self::Domain,
        weight: &<Self::Domain as Semiring>::Weight,
    ) -> bool;
}

pub(crate) struct Reachability;

impl Explicit for Reachability {
    type Domain = Boolean;
    type Weight = bool;
    fn domain(&self) -> Boolean {
        Boolean
    }
    fn zero(&self) -> bool {
        false
    }
    fn one(&self) -> bool {
        true
    }
    fn combine(&self, left: &bool, right: &bool) -> bool {
        left | right
    }
    fn extend(&self, left: &bool, right: &bool) -> bool {
        left & right
    }
    fn random(&self, random: &mut Random, _: &mut Boolean) -> (bool, bool) {
        // Some rules lead nowhere.
        let weight = random.below(8) > 0;
        (weight, weight)
    }
    fn same(&self, explicit: &bool, _: &mut Boolean, weight: &bool) -> bool {
        explicit == weight
    }
}

pub(crate) struct Lengths;

impl Explicit for Lengths {
    type Domain = MinPath;
    /// 1000 stands for ∞.
    type Weight = u64;
    fn domain(&self) -> MinPath {
        MinPath
    }
    fn zero(&self) -> u64 {
        1000
    }
    fn one(&self) -> u64 {
        0
    }
    fn combine(&self, left: &u64, right: &u64) -> u64 {
        *left.min(right)
    }
    fn extend(&self, left: &u64, right: &u64) -> u64 {
        (left + right).min(1000)
    }
    fn random(&self, random: &mut Random, _: &mut MinPath) -> (u64, Option<u64>) {
        let weight = random.below(5);
        (weight, Some(weight))
    }
    fn same(&self, explicit: &u64, _: &mut MinPath, weight: &Option<u64>) -> bool {
        weight.unwrap_or(1000) == *explicit
    }
}

/// Weight and length, as one number: 100 times the weight and the length.
pub(crate) struct Costs;

impl Explicit for Costs {
    type Domain = CheapestPath;
    type Weight = u64;
    fn domain(&self) -> CheapestPath {
        CheapestPath
    }
    fn zero(&self) -> u64 {
        100_000
    }
    fn one(&self) -> u64 {
        0
    }
    fn combine(&self, left: &u64, right: &u64) -> u64 {
        *left.min(right)
    }
    fn extend(&self, left: &u64, right: &u64) -> u64 {
        (left + right).min(100_000)
    }
    fn random(&self, random: &mut Random, _: &mut CheapestPath) -> (u64, Option<PathCost>) {
        let weight = random.below(3);
        (100 * weight + 1, Some(PathCost { weight, length: 1 }))
    }
    fn same(&self, explicit: &u64, _: &mut CheapestPath, weight: &Option<PathCost>) -> bool {
        weight.map_or(100_000, |cost| 100 * cost.weight + cost.length) == *explicit
    }
}

/// Relations on the stores 0 to 3.
pub(crate) struct Pairs;
pub(crate) type PairSet = BTreeSet<(u64, u64)>;

pub(crate) fn two_bits() -> Relations {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]])
}

impl Explicit for Pairs {
    type Domain = Relations;
    type Weight = PairSet;
    fn domain(&self) -> Relations {
        two_bits()
    }
    fn zero(&self) -> PairSet {
        PairSet::new()
    }
    fn one(&self) -> PairSet {
        (0..4).map(|s| (s, s)).collect()
    }
    fn combine(&self, left: &PairSet, right: &PairSet) -> PairSet {
        left | right
    }
    fn extend(&self, left: &PairSet, right: &PairSet) -> PairSet {
        left.iter()
            .flat_map(|(a, b)| {
                right.iter().filter(move |(c, _)| b == c).map(move |(_, d)| (*a, *d))
            })
            .collect()
    }
    fn random(&self, random: &mut Random, domain: &mut Relations) -> (PairSet, Bdd) {
        let pairs: PairSet =
            (0..2 + random.below(4)).map(|_| (random.below(4), random.below(4))).collect();
        let list: Vec<_> = pairs.iter().copied().collect();
        let weight = domain.from_pairs(&list).expect("no limit");
        (pairs, weight)
    }
    fn same(&self, explicit: &PairSet, domain: &mut Relations, weight: &Bdd) -> bool {
        let list: Vec<_> = explicit.iter().copied().collect();
        domain.from_pairs(&list) == Ok(*weight)
    }
}

/// Lengths for pairs of the stores 0 to 3.
pub(crate) struct Distances;
pub(crate) type Matrix = [[u64; 4]; 4];
pub(crate) const FAR: u64 = 1000;

impl Explicit for Distances {
    type Domain = WeightedRelations<MinPath>;
    type Weight = Matrix;
    fn domain(&self) -> WeightedRelations<MinPath> {
        WeightedRelations { relations: two_bits(), values: MinPath }
    }
    fn zero(&self) -> Matrix {
        [[FAR; 4]; 4]
    }
    fn one(&self) -> Matrix {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 0 } else { FAR }))
    }
    fn combine(&self, left: &Matrix, right: &Matrix) -> Matrix {
        std::array::from_fn(|i| std::array::from_fn(|j| left[i][j].min(right[i][j])))
    }
    fn extend(&self, left: &Matrix, right: &Matrix) -> Matrix {
        let best = |i: usize, j: usize| {
            (0..4).map(|k: usize| left[i][k] + right[k][j]).min().unwrap_or(FAR).min(FAR)
        };
        std::array::from_fn(|i| std::array::from_fn(|j| best(i, j)))
    }
    fn random(
        &self,
        random: &mut Random,
        domain: &mut Self::Domain,
    ) -> (Matrix, Levels<Option<u64>>) {
        let mut matrix = self.zero();
        let mut weight = domain.zero();
        for _ in 0..2 + random.below(4) {
            let (i, j, length) = (random.below(4), random.below(4), random.below(4));
            let cell = &mut matrix[i as usize][j as usize];
            *cell = length.min(*cell);
            let pair = domain.relations.from_pairs(&[(i, j)]).expect("no limit");
            let level = domain.level(Some(length), pair);
            weight = domain.combine(&weight, &level).expect("no limit");
        }
        (matrix, weight)
    }
    fn same(
        &self,
        explicit: &Matrix,
        domain: &mut Self::Domain,
        weight: &Levels<Option<u64>>,
    ) -> bool {
        let cells = (0..4).flat_map(|i| (0..4).map(move |j| (i, j)));
        cells.into_iter().all(|(i, j)| {
            let pair = domain.relations.from_pairs(&[(i as u64, j as u64)]).expect("no limit");
            let holding: Vec<u64> = weight
                .iter()
                .filter(|(_, pairs)| domain.relations.kernel.is_subset(pair, *pairs) == Ok(true))
                .filter_map(|(length, _)| *length)
                .collect();
            match holding[..] {
                [] => explicit[i][j] == FAR,
                [one] => explicit[i][j] == one,
                _ => false,
            }
        })
    }
}

/// Reachability beside lengths beside relations.
pub(crate) struct Both<A, B>(pub(crate) A, pub(crate) B);

impl<A: Explicit, B: Explicit> Explicit for Both<A, B> {
    type Domain = Product<A::Domain, B::Domain>;
    type Weight = (A::Weight, B::Weight);
    fn domain(&self) -> Self::Domain {
        Product { first: self.0.domain(), second: self.1.domain() }
    }
    fn zero(&self) -> Self::Weight {
        (self.0.zero(), self.1.zero())
    }
    fn one(&self) -> Self::Weight {
        (self.0.one(), self.1.one())
    }
    fn combine(&self, left: &Self::Weight, right: &Self::Weight) -> Self::Weight {
        (self.0.combine(&left.0, &right.0), self.1.combine(&left.1, &right.1))
    }
    fn extend(&self, left: &Self::Weight, right: &Self::Weight) -> Self::Weight {
        (self.0.extend(&left.0, &right.0), self.1.extend(&left.1, &right.1))
    }
    fn random(
        &self,
        random: &mut Random,
        domain: &mut Self::Domain,
    ) -> (Self::Weight, <Self::Domain as Semiring>::Weight) {
        let (a, b) =
            (self.0.random(random, &mut domain.first), self.1.random(random, &mut domain.second));
        ((a.0, b.0), (a.1, b.1))
    }
    fn same(
        &self,
        explicit: &Self::Weight,
        domain: &mut Self::Domain,
        weight: &<Self::Domain as Semiring>::Weight,
    ) -> bool {
        self.0.same(&explicit.0, &mut domain.first, &weight.0)
            && self.1.same(&explicit.1, &mut domain.second, &weight.1)
    }
}

/// A target, and a0 with all ai; `None` is any value.
type Assigned = (usize, Option<(i64, Vec<i64>)>);

/// x := a0 + Σ ai xi for some variables; the others stay, or take any value.
fn random_assignment(random: &mut Random, variables: usize) -> Vec<Assigned> {
    let mut targets: Vec<usize> = (0..variables).filter(|_| random.below(3) > 0).collect();
    targets.truncate(2);
    let value = |random: &mut Random| {
        let factors =
            (0..variables).map(|_| [0, 0, 1, 1, 2, -1][random.below(6) as usize]).collect();
        (random.below(8) > 0).then(|| (random.below(5) as i64 - 2, factors))
    };
    targets.into_iter().map(|target| (target, value(random))).collect()
}

/// The matrices of an assignment, row by row: one, or as many more as there are arbitrary values, 0
/// and 1 standing for all.
fn matrices(variables: usize, assignment: &[Assigned]) -> Vec<Vec<i64>> {
    let size = variables + 1;
    let mut base = vec![0; size * size];
    for k in 0..size {
        base[k * size + k] = 1;
    }
    let mut all = vec![base];
    for (target, value) in assignment {
        let column = target + 1;
        let choices: Vec<(i64, Vec<i64>)> = match value {
            Some(value) => vec![value.clone()],
            None => vec![(0, vec![0; variables]), (1, vec![0; variables])],
        };
        let mut next = Vec::new();
        for matrix in &all {
            for (constant, factors) in &choices {
                let mut matrix = matrix.clone();
                matrix[column] = *constant;
                (0..variables).for_each(|row| matrix[(row + 1) * size + column] = factors[row]);
                next.push(matrix);
            }
        }
        all = next;
    }
    all
}

fn expressions(assignment: &[Assigned]) -> Vec<(usize, Option<AffineExpression>)> {
    let expression = |(constant, factors): &(i64, Vec<i64>)| AffineExpression {
        constant: BigInt::from(*constant),
        terms: factors
            .iter()
            .enumerate()
            .filter(|(_, f)| **f != 0)
            .map(|(k, f)| (k, BigInt::from(*f)))
            .collect(),
    };
    assignment.iter().map(|(target, value)| (*target, value.as_ref().map(expression))).collect()
}

/// Spaces of rational matrices, by linearly independent members in the order in which they came.
pub(crate) struct Spaces {
    pub(crate) variables: usize,
}

type Basis = Vec<Vec<BigRational>>;

/// Number of independent rows, by plain elimination.
fn rank(rows: &[Vec<BigRational>]) -> usize {
    let mut rows = rows.to_vec();
    let mut rank = 0;
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(pivot) = (rank..rows.len()).find(|k| !rows[*k][column].is_zero()) else {
            continue;
        };
        rows.swap(rank, pivot);
        for k in rank + 1..rows.len() {
            let factor = &rows[k][column] / &rows[rank][column];
            for c in 0..rows[k].len() {
                let less = &factor * &rows[rank][c];
                rows[k][c] -= less;
            }
        }
        rank += 1;
    }
    rank
}

impl Explicit for Spaces {
    type Domain = Affine<Rationals>;
    type Weight = Basis;
    fn domain(&self) -> Affine<Rationals> {
        Affine::new(Rationals, self.variables, u64::MAX)
    }
    fn zero(&self) -> Basis {
        Vec::new()
    }
    fn one(&self) -> Basis {
        matrices(self.variables, &[])
            .into_iter()
            .map(|m| m.into_iter().map(|n| BigRational::from_integer(n.into())).collect())
            .collect()
    }
    fn combine(&self, left: &Basis, right: &Basis) -> Basis {
        let mut all = left.clone();
        for row in right {
            all.push(row.clone());
            if rank(&all) < all.len() {
                all.pop();
            }
        }
        all
    }
    fn extend(&self, left: &Basis, right: &Basis) -> Basis {
        let size = self.variables + 1;
        let mut all = Vec::new();
        for a in left {
            for b in right {
                let cell = |i: usize, j: usize| {
                    (0..size).fold(BigRational::zero(), |sum, k| {
                        sum + &a[i * size + k] * &b[k * size + j]
                    })
                };
                let product = (0..size * size).map(|at| cell(at / size, at % size)).collect();
                all = self.combine(&all, &vec![product]);
            }
        }
        all
    }
    fn random(
        &self,
        random: &mut Random,
        domain: &mut Self::Domain,
    ) -> (Basis, MatrixSpace<Rationals>) {
        let assignment = random_assignment(random, self.variables);
        let rational =
            |m: Vec<i64>| m.into_iter().map(|n| BigRational::from_integer(n.into())).collect();
        let explicit: Basis =
            matrices(self.variables, &assignment).into_iter().map(rational).collect();
        (
            self.combine(&Vec::new(), &explicit),
            domain.assign(&expressions(&assignment)).expect("no limit"),
        )
    }
    fn same(
        &self,
        explicit: &Basis,
        _: &mut Self::Domain,
        weight: &MatrixSpace<Rationals>,
    ) -> bool {
        let both: Basis = explicit.iter().chain(weight.rows()).cloned().collect();
        rank(explicit) == rank(weight.rows()) && rank(&both) == rank(explicit)
    }
}

/// Modules of matrices modulo 2^w, with all their members.
pub(crate) struct Modules {
    pub(crate) variables: usize,
    pub(crate) width: u32,
}

type Members = BTreeSet<Vec<u64>>;

impl Modules {
    fn spanned(&self, generators: impl IntoIterator<Item = Vec<u64>>) -> Members {
        let size = (self.variables + 1) * (self.variables + 1);
        let mut all = Members::from([vec![0; size]]);
        for generator in generators {
            if all.contains(&generator) {
                continue;
            }
            let multiple = |k: u64| -> Vec<u64> {
                generator.iter().map(|n| n * k % (1 << self.width)).collect()
            };
            let sums = (0..1 << self.width).map(multiple).flat_map(|m| {
                let sum = move |other: &Vec<u64>| {
                    other.iter().zip(&m).map(|(a, b)| (a + b) % (1 << self.width)).collect()
                };
                all.iter().map(sum).collect::<Vec<Vec<u64>>>()
            });
            all = sums.collect();
        }
        all
    }
}

impl Explicit for Modules {
    type Domain = Affine<Modular>;
    type Weight = Members;
    fn domain(&self) -> Affine<Modular> {
        Affine::new(Modular::new(self.width), self.variables, u64::MAX)
    }
    fn zero(&self) -> Members {
        self.spanned([])
    }
    fn one(&self) -> Members {
        self.spanned(
            matrices(self.variables, &[])
                .into_iter()
                .map(|m| m.into_iter().map(|n| n as u64).collect()),
        )
    }
    fn combine(&self, left: &Members, right: &Members) -> Members {
        if right.is_subset(left) {
            return left.clone();
        }
        self.spanned(left.union(right).cloned())
    }
    fn extend(&self, left: &Members, right: &Members) -> Members {
        let size = self.variables + 1;
        let product = |a: &Vec<u64>, b: &Vec<u64>| -> Vec<u64> {
            let cell = |i: usize, j: usize| {
                (0..size)
                    .fold(0, |sum, k| (sum + a[i * size + k] * b[k * size + j]) % (1 << self.width))
            };
            (0..size * size).map(|at| cell(at / size, at % size)).collect()
        };
        let products: Members =
            left.iter().flat_map(|a| right.iter().map(move |b| product(a, b))).collect();
        self.spanned(products)
    }
    fn random(
        &self,
        random: &mut Random,
        domain: &mut Self::Domain,
    ) -> (Members, MatrixSpace<Modular>) {
        let assignment = random_assignment(random, self.variables);
        let reduced =
            |m: Vec<i64>| m.into_iter().map(|n| n.rem_euclid(1 << self.width) as u64).collect();
        let explicit = self.spanned(matrices(self.variables, &assignment).into_iter().map(reduced));
        (explicit, domain.assign(&expressions(&assignment)).expect("no limit"))
    }
    fn same(
        &self,
        explicit: &Members,
        _: &mut Self::Domain,
        weight: &MatrixSpace<Modular>,
    ) -> bool {
        *explicit == self.spanned(weight.rows().iter().cloned())
    }
}
