//! Affine relations modulo 4 against all pairs of stores that a weight allows.

use crate::support::Random;
use faultline::semiring::Semiring;
use faultline::semiring::affine::{Affine, AffineExpression, Coefficients, MatrixSpace, Modular};
use num_bigint::BigInt;
use std::collections::BTreeSet;

type Store = [u64; 2];

/// The pairs of stores before and after: x' = x M for every matrix of the space whose top left
/// entry is 1.
fn pairs(weight: &MatrixSpace<Modular>) -> BTreeSet<(Store, Store)> {
    let mut matrices = vec![vec![0; 9]];
    for row in weight.rows() {
        let sums = matrices.iter().flat_map(|matrix| {
            (0..4).map(|k| matrix.iter().zip(row).map(|(a, b)| (a + k * b) % 4).collect())
        });
        matrices = sums.collect::<BTreeSet<Vec<u64>>>().into_iter().collect();
    }
    let mut pairs = BTreeSet::new();
    for matrix in matrices.iter().filter(|matrix| matrix[0] == 1) {
        for k in 0..16 {
            let x = [k % 4, k / 4];
            let y = [1, 2].map(|column| {
                (matrix[column] + x[0] * matrix[3 + column] + x[1] * matrix[6 + column]) % 4
            });
            pairs.insert((x, y));
        }
    }
    pairs
}

/// Compares the relations that the domain finds with those that hold for all pairs.
fn check(domain: &mut Affine<Modular>, weight: &MatrixSpace<Modular>, pairs: &[(Store, Store)]) {
    let ring = *domain.ring();
    let (between, behind) = (domain.transitions(weight), domain.relations(weight));
    let (between, behind) = (between.expect("no limit"), behind.expect("no limit"));
    let digits = |k: u64, n: u32| (0..n).map(|d| k >> (2 * d) & 3).collect::<Vec<u64>>();
    for column in (0..1024).map(|k| digits(k, 5)) {
        let holds = pairs.iter().all(|(x, y)| {
            let behind = column[0] * y[1] + column[1] * y[0];
            (behind + column[2] * x[1] + column[3] * x[0] + column[4]) % 4 == 0
        });
        assert_eq!(between.contains(&ring, &column), holds, "{column:?}");
    }
    for column in (0..64).map(|k| digits(k, 3)) {
        let holds =
            pairs.iter().all(|(_, y)| (column[0] + column[1] * y[0] + column[2] * y[1]) % 4 == 0);
        assert_eq!(behind.contains(&ring, &column), holds, "{column:?}");
    }
}

/// Random statements, and some of their sums and products.
fn samples(domain: &mut Affine<Modular>) -> Vec<MatrixSpace<Modular>> {
    let mut random = Random::new(8);
    let mut samples = vec![domain.one().expect("no limit")];
    for k in 0..5usize {
        let mut number = || BigInt::from(random.below(4));
        let expression =
            AffineExpression { constant: number(), terms: vec![(0, number()), (1, number())] };
        samples.push(domain.assign(&[(k % 2, Some(expression))]).expect("no limit"));
    }
    samples.push(domain.assign(&[(0, None)]).expect("no limit"));
    for k in 1..4 {
        let both = domain.combine(&samples[k], &samples[k + 1]).expect("no limit");
        samples.push(domain.extend(&both, &samples[k + 2]).expect("no limit"));
    }
    samples
}

#[test]
fn relations_between_before_and_after_are_those_of_all_pairs() {
    let mut domain = Affine::new(Modular::new(2), 2, u64::MAX);
    for weight in samples(&mut domain) {
        let pairs: Vec<(Store, Store)> = pairs(&weight).into_iter().collect();
        check(&mut domain, &weight, &pairs);
    }
}

/// A call binds, runs, brings the locals back, and stores the result.
#[test]
fn calls_bring_locals_back_and_store_results() {
    let mut domain = Affine::new(Modular::new(2), 2, u64::MAX);
    let samples = samples(&mut domain);
    let mut random = Random::new(9);
    for _ in 0..40 {
        let mut sample = || &samples[random.below(samples.len() as u64) as usize];
        let (enter, summary) = (sample(), sample());
        let (first, second) = (pairs(enter), pairs(summary));
        for (locals, result) in [
            (1..2, None),
            (1..2, Some((1, 0))),
            (1..2, Some((1, 1))),
            (0..1, Some((0, 1))),
            (0..2, Some((1, 0))),
            (0..0, Some((0, 1))),
        ] {
            let mut expected = BTreeSet::new();
            for (x, y) in &first {
                for (_, z) in second.range((*y, [0, 0])..=(*y, [3, 3])) {
                    let mut after = *z;
                    locals.clone().for_each(|local| after[local] = x[local]);
                    if let Some((to, from)) = result {
                        after[to] = z[from];
                    }
                    expected.insert((*x, after));
                }
            }
            let expected: Vec<(Store, Store)> = expected.into_iter().collect();
            let called = domain.call(enter, summary, locals, result).expect("no limit");
            check(&mut domain, &called, &expected);
        }
    }
}

#[test]
fn multiplications_are_counted_and_limited() {
    let mut domain = Affine::new(Modular::new(8), 2, 40);
    assert_eq!((domain.size(), domain.operations()), (3, 0));
    domain.assign(&[]).expect("nine entries");
    assert_eq!(domain.operations(), 9);
    domain.spend(31).expect("40 are allowed");
    assert_eq!(domain.spend(1), Err(faultline::util::Limit::Steps));
}
