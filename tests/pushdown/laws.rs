//! One generic suite of semiring laws (Lal, Kidd, Reps, Touili 2007, Def. 3) for every domain.

use crate::support::Random;
use faultline::bdd::{KernelLimits, Manager, Var};
use faultline::semiring::affine::{
    Affine, AffineExpression, AffineTensors, Coefficients, MatrixSpace, Modular, Rationals,
};
use faultline::semiring::{
    Boolean, CheapestPath, ConstantPropagation, FunctionalWeight, Merge, MinPath, PathCost,
    Precision, Product, RelationTensors, Relations, Semiring, Tensors, WeightedRelations,
};
use num_bigint::BigInt;

/// Checks every law on every triple of `samples`.
fn check_laws<S: Semiring>(domain: &mut S, samples: &[S::Weight]) {
    let (zero, one) = (domain.zero(), domain.one().expect("no limit"));
    let mut samples = samples.to_vec();
    samples.extend([zero.clone(), one.clone()]);
    for a in &samples {
        let mut combine = |x: &S::Weight, y: &S::Weight| domain.combine(x, y).expect("no limit");
        assert_eq!(combine(a, a), *a, "⊕ is idempotent");
        assert_eq!(combine(a, &zero), *a, "0 is neutral for ⊕");
        let mut extend = |x: &S::Weight, y: &S::Weight| domain.extend(x, y).expect("no limit");
        assert_eq!(extend(a, &one), *a, "1 is neutral for ⊗ on the right");
        assert_eq!(extend(&one, a), *a, "1 is neutral for ⊗ on the left");
        assert_eq!(extend(a, &zero), zero, "0 annihilates on the right");
        assert_eq!(extend(&zero, a), zero, "0 annihilates on the left");
        for b in &samples {
            let ab = domain.combine(a, b).expect("no limit");
            assert_eq!(ab, domain.combine(b, a).expect("no limit"), "⊕ is commutative");
            // a ⊑ b iff a ⊕ b = b: the join is an upper bound.
            assert_eq!(domain.combine(a, &ab).expect("no limit"), ab, "a ⊑ a ⊕ b");
            for c in &samples {
                let mut combine =
                    |x: &S::Weight, y: &S::Weight| domain.combine(x, y).expect("no limit");
                let (left, bc) = (combine(&ab, c), combine(b, c));
                assert_eq!(left, combine(a, &bc), "⊕ is associative");
                let mut extend =
                    |x: &S::Weight, y: &S::Weight| domain.extend(x, y).expect("no limit");
                let (a_b, b_c, a_c) = (extend(a, b), extend(b, c), extend(a, c));
                assert_eq!(extend(&a_b, c), extend(a, &b_c), "⊗ is associative");
                let (a_bc, ab_c) = (extend(a, &bc), extend(&ab, c));
                let mut combine =
                    |x: &S::Weight, y: &S::Weight| domain.combine(x, y).expect("no limit");
                assert_eq!(a_bc, combine(&a_b, &a_c), "⊗ distributes over ⊕ on the left");
                assert_eq!(ab_c, combine(&a_c, &b_c), "⊗ distributes over ⊕ on the right");
            }
        }
    }
}

/// The laws of merge (Lal, Touili, Kidd, Reps 2007, App. B: it distributes over ⊕; Lal, Reps,
/// Balakrishnan 2005: strict, g(a ⊗ b, c) = a ⊗ g(b, c) for g(a, b) = a ⊗ merge(b)), and that it is
/// a projection that leaves 1 alone.
fn check_merge<S: Merge>(domain: &mut S, samples: &[S::Weight]) {
    let (zero, one) = (domain.zero(), domain.one().expect("no limit"));
    assert_eq!(Merge::merge(domain, &zero), Ok(zero.clone()), "merge(0) = 0");
    assert_eq!(Merge::merge(domain, &one), Ok(one), "merge(1) = 1");
    for a in samples {
        let merged = Merge::merge(domain, a).expect("no limit");
        assert_eq!(
            Merge::merge(domain, &merged).as_ref(),
            Ok(&merged),
            "merge(merge(w)) = merge(w)"
        );
        for b in samples {
            let both = domain.combine(a, b).expect("no limit");
            let (whole, other) = (
                Merge::merge(domain, &both).expect("no limit"),
                Merge::merge(domain, b).expect("no limit"),
            );
            let parts = domain.combine(&merged, &other).expect("no limit");
            match domain.precision() {
                Precision::Exact => {
                    assert_eq!(whole, parts, "merge(w1 ⊕ w2) = merge(w1) ⊕ merge(w2)")
                }
                Precision::Safe => assert_eq!(
                    domain.combine(&whole, &parts).as_ref(),
                    Ok(&whole),
                    "merge is monotone"
                ),
            }
            for c in samples {
                let merged = Merge::merge(domain, c).expect("no limit");
                let mut extend =
                    |x: &S::Weight, y: &S::Weight| domain.extend(x, y).expect("no limit");
                let (a_b, b_c) = (extend(a, b), extend(b, &merged));
                assert_eq!(extend(&a_b, &merged), extend(a, &b_c), "g(a ⊗ b, c) = a ⊗ g(b, c)");
            }
        }
    }
}

/// Functional weights W = λz. a ⊗ z ⊗ b over any domain (Lal, Kidd, Reps, Touili 2007, § 4): W(x ⊕
/// y) = W(x) ⊕ W(y), W(0) = 0, monotone, W1 ⊗ W2 = W2 ∘ W1.
fn check_functional<S: Semiring>(domain: &mut S, samples: &[S::Weight]) {
    let zero = domain.zero();
    let functions: Vec<FunctionalWeight<S::Weight>> = samples
        .iter()
        .zip(samples.iter().cycle().skip(1))
        .map(|(a, b)| FunctionalWeight { before: a.clone(), after: b.clone() })
        .collect();
    for first in &functions {
        assert_eq!(first.apply(domain, &zero), Ok(zero.clone()), "W(0) = 0");
        for x in samples {
            let at_x = first.apply(domain, x).expect("no limit");
            for y in samples {
                let join = domain.combine(x, y).expect("no limit");
                let (at_y, at_join) = (
                    first.apply(domain, y).expect("no limit"),
                    first.apply(domain, &join).expect("no limit"),
                );
                assert_eq!(
                    domain.combine(&at_x, &at_y).as_ref(),
                    Ok(&at_join),
                    "W(x ⊕ y) = W(x) ⊕ W(y)"
                );
                // x ⊑ x ⊕ y, so W(x) ⊑ W(x ⊕ y).
                assert_eq!(domain.combine(&at_x, &at_join).as_ref(), Ok(&at_join), "W is monotone");
            }
            for second in &functions {
                let both = second.around(domain, first).expect("no limit");
                assert_eq!(both.apply(domain, x), second.apply(domain, &at_x), "W1 ⊗ W2 = W2 ∘ W1");
            }
        }
    }
}

/// The laws of tensor products (Lal, Touili, Kidd, Reps 2007, Defs 13 and 15), besides those of a
/// semiring.
fn check_tensors<T: Tensors>(tensors: &mut T, samples: &[<T::Base as Semiring>::Weight]) {
    type Weight<T> = <<T as Tensors>::Base as Semiring>::Weight;
    let factors = tensors.factors();
    let tuples: Vec<Vec<Weight<T>>> = (0..samples.len())
        .map(|k| samples.iter().cycle().skip(k).take(factors).cloned().collect())
        .collect();
    let extended = |tensors: &mut T, weights: &[Weight<T>]| {
        let first = weights[0].clone();
        weights[1..]
            .iter()
            .fold(first, |all, next| tensors.base().extend(&all, next).expect("no limit"))
    };
    let mut products = Vec::new();
    for tuple in &tuples {
        let product = tensors.tensor(tuple).expect("no limit");
        let expected = extended(tensors, tuple);
        assert_eq!(
            tensors.detensor(&product),
            Ok(expected),
            "detensor(⊙(w1, …, wn)) = w1 ⊗ … ⊗ wn"
        );
        let turned: Vec<Weight<T>> = tuple
            .iter()
            .enumerate()
            .map(
                |(k, w)| {
                    if k % 2 == 1 { tensors.transpose(w).expect("no limit") } else { w.clone() }
                },
            )
            .collect();
        let expected = extended(tensors, &turned);
        assert_eq!(
            tensors.transposed_detensor(&product),
            Ok(expected),
            "transposed detensor(⊙(w1, …, wn)) = w1 ⊗ w2ᵀ ⊗ …"
        );
        products.push(product);
    }
    for (a, left) in tuples.iter().zip(&products) {
        for (b, right) in tuples.iter().zip(&products) {
            let each: Vec<_> = a
                .iter()
                .zip(b)
                .map(|(x, y)| tensors.base().extend(x, y).expect("no limit"))
                .collect();
            let expected = tensors.tensor(&each).expect("no limit");
            assert_eq!(
                tensors.extend(left, right),
                Ok(expected),
                "⊙(w1, …) ⊗ ⊙(w1', …) = ⊙(w1 ⊗ w1', …)"
            );
            let both = tensors.combine(left, right).expect("no limit");
            let (one, other) = (
                tensors.detensor(left).expect("no limit"),
                tensors.detensor(right).expect("no limit"),
            );
            let expected = tensors.base().combine(&one, &other);
            assert_eq!(
                tensors.detensor(&both),
                expected,
                "detensor(t1 ⊕ t2) = detensor(t1) ⊕ detensor(t2)"
            );
            let (one, other) = (
                tensors.transposed_detensor(left).expect("no limit"),
                tensors.transposed_detensor(right).expect("no limit"),
            );
            let expected = tensors.base().combine(&one, &other);
            assert_eq!(tensors.transposed_detensor(&both), expected, "so does the transposed one");
        }
    }
    for a in samples {
        let turned = tensors.transpose(a).expect("no limit");
        assert_eq!(tensors.transpose(&turned).as_ref(), Ok(a), "(wᵀ)ᵀ = w");
        for b in samples {
            let other = tensors.transpose(b).expect("no limit");
            let product = tensors.base().extend(b, a).expect("no limit");
            let expected = tensors.transpose(&product);
            assert_eq!(tensors.base().extend(&turned, &other), expected, "w1ᵀ ⊗ w2ᵀ = (w2 ⊗ w1)ᵀ");
        }
    }
    let (zero, one) = (tensors.base().zero(), tensors.base().one().expect("no limit"));
    assert_eq!(tensors.tensor(&vec![zero; factors]), Ok(tensors.zero()), "⊙(0, …, 0) = 0");
    let product = tensors.tensor(&vec![one; factors]).expect("no limit");
    assert_eq!(tensors.one(), Ok(product), "⊙(1, …, 1) = 1");
    products.truncate(4);
    let sum = tensors.combine(&products[0], &products[1]).expect("no limit");
    check_laws(tensors, &[&products[..], &[sum]].concat());
}

/// All three suites.
fn check_all<S: Merge>(domain: &mut S, samples: &[S::Weight]) {
    check_laws(domain, samples);
    check_merge(domain, samples);
    check_functional(domain, samples);
}

#[test]
fn boolean() {
    check_all(&mut Boolean, &[true, false]);
}

#[test]
fn minpath() {
    check_all(&mut MinPath, &[None, Some(0), Some(1), Some(2), Some(7), Some(u64::MAX - 1)]);
}

#[test]
fn cheapest_path() {
    let cost = |weight, length| Some(PathCost { weight, length });
    let most = u64::MAX - 1;
    let samples = [
        None,
        cost(0, 1),
        cost(0, 4),
        cost(1, 0),
        cost(1, 7),
        cost(7, 2),
        cost(3, u64::MAX),
        cost(most, 1),
        cost(most, 9),
    ];
    check_all(&mut CheapestPath, &[&samples[..], &[Some(PathCost::UNCOUNTED)]].concat());
}

#[test]
fn relations() {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    let domain = Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]]);
    let mut domain = domain.with_locals(&[1]).expect("no limit");
    let mut samples = Vec::new();
    let mut state = 7u64;
    for _ in 0..8 {
        let mut pairs = Vec::new();
        for pair in 0..16 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            if state >> 62 == 0 {
                pairs.push((pair / 4, pair % 4));
            }
        }
        samples.push(domain.from_pairs(&pairs).expect("no limit"));
    }
    check_all(&mut domain, &samples);
}

#[test]
fn relations_extend_is_composition_with_the_left_argument_first() {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    let mut domain =
        Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]]);
    let left = domain.from_pairs(&[(0, 1), (2, 3)]).expect("no limit");
    let right = domain.from_pairs(&[(1, 2), (3, 3), (0, 0)]).expect("no limit");
    let both = domain.from_pairs(&[(0, 2), (2, 3)]).expect("no limit");
    assert_eq!(domain.extend(&left, &right), Ok(both));
}

#[test]
fn products() {
    let mut domain = Product { first: Boolean, second: MinPath };
    check_all(
        &mut domain,
        &[(true, None), (false, Some(3)), (true, Some(2)), (false, None), (true, Some(0))],
    );
}

#[test]
fn weighted_relations_of_shortest_paths() {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    let relations =
        Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]]);
    let relations = relations.with_locals(&[0]).expect("no limit");
    let mut domain = WeightedRelations { relations, values: MinPath };
    let mut samples = Vec::new();
    let mut random = Random::new(11);
    for _ in 0..6 {
        let mut sample = domain.zero();
        for _ in 0..6 {
            let pair = [(random.below(4), random.below(4))];
            let relation = domain.relations.from_pairs(&pair).expect("no limit");
            let level = domain.level(Some(random.below(4)), relation);
            sample = domain.combine(&sample, &level).expect("no limit");
        }
        samples.push(sample);
    }
    check_all(&mut domain, &samples);
}

/// (min, +) products of matrices, one entry at a time.
#[test]
fn weighted_relations_compose_like_matrices() {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    let relations =
        Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]]);
    let mut domain = WeightedRelations { relations, values: MinPath };
    let mut random = Random::new(12);
    for _ in 0..20 {
        let mut matrices = [[[None; 4]; 4]; 2];
        let mut weights = [domain.zero(), domain.zero()];
        for (matrix, weight) in matrices.iter_mut().zip(&mut weights) {
            for _ in 0..6 {
                let (i, j, value) = (random.below(4), random.below(4), random.below(9));
                let cell = &mut matrix[i as usize][j as usize];
                *cell = MinPath.combine(cell, &Some(value)).expect("no limit");
                let relation = domain.relations.from_pairs(&[(i, j)]).expect("no limit");
                let level = domain.level(Some(value), relation);
                *weight = domain.combine(weight, &level).expect("no limit");
            }
        }
        let product = domain.extend(&weights[0], &weights[1]).expect("no limit");
        let mut expected = domain.zero();
        for i in 0..4 {
            for j in 0..4 {
                let best =
                    (0..4).filter_map(|k| Some(matrices[0][i][k]? + matrices[1][k][j]?)).min();
                let relation =
                    domain.relations.from_pairs(&[(i as u64, j as u64)]).expect("no limit");
                let level = best.map_or(Vec::new(), |value| domain.level(Some(value), relation));
                expected = domain.combine(&expected, &level).expect("no limit");
            }
        }
        assert_eq!(product, expected);
    }
}

/// Random statements over two variables, and their products and sums.
fn affine_samples<C: Coefficients>(domain: &mut Affine<C>, seed: u64) -> Vec<MatrixSpace<C>> {
    let mut random = Random::new(seed);
    let mut number = |most: u64| BigInt::from(random.below(most) as i64 - most as i64 / 2);
    let mut samples = Vec::new();
    for k in 0..4usize {
        let expression = AffineExpression {
            constant: number(9),
            terms: vec![(k % 2, number(7)), (1 - k % 2, number(5))],
        };
        samples.push(domain.assign(&[(k / 2, Some(expression))]).expect("no limit"));
    }
    samples.push(domain.assign(&[(1, None)]).expect("no limit"));
    let both = domain.combine(&samples[0], &samples[3]).expect("no limit");
    samples.push(domain.extend(&both, &samples[2]).expect("no limit"));
    samples
}

#[test]
fn affine_relations_over_the_rationals() {
    let mut domain = Affine::new(Rationals, 2, u64::MAX).with_locals(1..2);
    let samples = affine_samples(&mut domain, 1);
    check_all(&mut domain, &samples);
}

#[test]
fn affine_relations_modulo_powers_of_two() {
    for width in [1, 3, 8, 64] {
        let mut domain = Affine::new(Modular::new(width), 2, u64::MAX).with_locals(0..1);
        let samples = affine_samples(&mut domain, u64::from(width));
        check_all(&mut domain, &samples);
    }
}

/// merge(w1 ⊕ w2) = merge(w1) ⊕ merge(w2), for the merge of locals (Lal et al. 2007, App. B.2).
#[test]
fn affine_merge_distributes_over_combine() {
    let mut domain = Affine::new(Modular::new(8), 2, u64::MAX);
    let samples = affine_samples(&mut domain, 5);
    for a in &samples {
        for b in &samples {
            let both = domain.combine(a, b).expect("no limit");
            let merged = domain.merge(&both, 1..2).expect("no limit");
            let (a, b) = (
                domain.merge(a, 1..2).expect("no limit"),
                domain.merge(b, 1..2).expect("no limit"),
            );
            assert_eq!(merged, domain.combine(&a, &b).expect("no limit"));
        }
    }
}

/// merge(w) = { (g1, l1, g2, l1) | (g1, l1, g2, l2) ∈ w }, pair by pair (App. B.1).
#[test]
fn merge_of_relations_is_as_printed() {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    let domain = Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]]);
    let mut domain = domain.with_locals(&[1]).expect("no limit");
    let mut random = Random::new(21);
    let mut changed = 0;
    for _ in 0..60 {
        let pairs: Vec<(u64, u64)> = (0..5).map(|_| (random.below(4), random.below(4))).collect();
        let merged: Vec<(u64, u64)> =
            pairs.iter().map(|(old, new)| (*old, old & 2 | new & 1)).collect();
        let (weight, expected) = (
            domain.from_pairs(&pairs).expect("no limit"),
            domain.from_pairs(&merged).expect("no limit"),
        );
        assert_eq!(domain.merge(&weight), Ok(expected));
        changed += usize::from(weight != expected);
    }
    assert!(changed > 30);
}

#[test]
fn merge_of_constants_and_of_products() {
    let constant = |n: i32| Some(AffineExpression::constant(n));
    let mut domain = ConstantPropagation::new(3, u64::MAX).with_locals(1..3);
    let mut samples: Vec<_> = (0..4)
        .map(|k| {
            domain.assign(&[
                (k % 3, constant(k as i32)),
                ((k + 1) % 3, Some(AffineExpression::variable(0))),
            ])
        })
        .collect();
    samples.push(domain.assign(&[(0, None), (2, constant(4))]));
    check_merge(&mut domain, &samples);
    let mut product = Product { first: domain, second: MinPath };
    let samples: Vec<_> =
        samples.into_iter().zip([None, Some(3), Some(0), Some(9), Some(1)]).collect();
    check_merge(&mut product, &samples);
}

/// Copies of two bits, one copy after the other and the bits of all copies side by side.
#[test]
fn tensors_of_relations() {
    for factors in 1..=4u32 {
        for side_by_side in [false, true] {
            let level = |factor: u32, bit: u32| {
                if side_by_side { 3 * (bit * factors + factor) } else { 3 * (2 * factor + bit) }
            };
            let bits = |factor: u32| {
                (0..2).map(|bit| [0, 1, 2].map(|k| Var(level(factor, bit) + k))).collect()
            };
            let kernel = Manager::new(6 * factors, KernelLimits::NONE).expect("few levels");
            let mut tensors = RelationTensors::new(kernel, (0..factors).map(bits).collect());
            assert_eq!(tensors.factors(), factors as usize);
            let mut random = Random::new(u64::from(factors) + 40);
            let mut samples = Vec::new();
            for _ in 0..6 {
                let pairs: Vec<(u64, u64)> =
                    (0..5).map(|_| (random.below(4), random.below(4))).collect();
                samples.push(tensors.base().from_pairs(&pairs).expect("no limit"));
            }
            check_tensors(&mut tensors, &samples);
        }
    }
}

#[test]
fn tensors_of_affine_relations() {
    for factors in 1..=2 {
        let mut tensors = AffineTensors::new(Rationals, 2, factors, u64::MAX).expect("small");
        assert_eq!(tensors.factors(), factors);
        let samples = affine_samples(tensors.base(), 31);
        check_tensors(&mut tensors, &samples);
        let mut tensors = AffineTensors::new(Modular::new(3), 2, factors, u64::MAX).expect("small");
        let samples = affine_samples(tensors.base(), 32);
        check_tensors(&mut tensors, &samples);
    }
    let mut tensors = AffineTensors::new(Modular::new(8), 1, 3, u64::MAX).expect("small");
    let e = |constant: i32, factor: i32| AffineExpression {
        constant: constant.into(),
        terms: vec![(0, factor.into())],
    };
    let samples: Vec<_> = [e(1, 1), e(0, 3), e(5, 0)]
        .into_iter()
        .map(|e| tensors.base().assign(&[(0, Some(e))]).expect("no limit"))
        .collect();
    check_tensors(&mut tensors, &samples);
}

/// A domain with a broken law must not pass: `min` as extend does not distribute the way `+` does…
/// and 1 is not neutral.
#[test]
#[should_panic(expected = "neutral")]
fn a_broken_domain_is_caught() {
    struct Broken;
    impl Semiring for Broken {
        type Weight = Option<u64>;
        fn zero(&self) -> Option<u64> {
            None
        }
        fn one(&mut self) -> faultline::util::Bounded<Option<u64>> {
            Ok(Some(1))
        }
        fn combine(
            &mut self,
            a: &Option<u64>,
            b: &Option<u64>,
        ) -> faultline::util::Bounded<Option<u64>> {
            MinPath.combine(a, b)
        }
        fn extend(
            &mut self,
            a: &Option<u64>,
            b: &Option<u64>,
        ) -> faultline::util::Bounded<Option<u64>> {
            MinPath.extend(a, b)
        }
    }
    check_laws(&mut Broken, &[Some(3)]);
}
