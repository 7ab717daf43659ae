//! One generic suite of semiring laws (Lal, Kidd, Reps, Touili 2007, Def. 3) for every domain.

use faultline::bdd::{KernelLimits, Manager, Var};
use faultline::semiring::{Boolean, MinPath, Relations, Semiring};

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
                let mut combine = |x: &S::Weight, y: &S::Weight| domain.combine(x, y).expect("no limit");
                let (left, bc) = (combine(&ab, c), combine(b, c));
                assert_eq!(left, combine(a, &bc), "⊕ is associative");
                let mut extend = |x: &S::Weight, y: &S::Weight| domain.extend(x, y).expect("no limit");
                let (a_b, b_c, a_c) = (extend(a, b), extend(b, c), extend(a, c));
                assert_eq!(extend(&a_b, c), extend(a, &b_c), "⊗ is associative");
                let (a_bc, ab_c) = (extend(a, &bc), extend(&ab, c));
                let mut combine = |x: &S::Weight, y: &S::Weight| domain.combine(x, y).expect("no limit");
                assert_eq!(a_bc, combine(&a_b, &a_c), "⊗ distributes over ⊕ on the left");
                assert_eq!(ab_c, combine(&a_c, &b_c), "⊗ distributes over ⊕ on the right");
            }
        }
    }
}

#[test]
fn boolean() {
    check_laws(&mut Boolean, &[true, false]);
}

#[test]
fn minpath() {
    check_laws(&mut MinPath, &[None, Some(0), Some(1), Some(2), Some(7), Some(u64::MAX - 1)]);
}

#[test]
fn relations() {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    let mut domain = Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]]);
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
    check_laws(&mut domain, &samples);
}

#[test]
fn relations_extend_is_composition_with_the_left_argument_first() {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    let mut domain = Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]]);
    let left = domain.from_pairs(&[(0, 1), (2, 3)]).expect("no limit");
    let right = domain.from_pairs(&[(1, 2), (3, 3), (0, 0)]).expect("no limit");
    let both = domain.from_pairs(&[(0, 2), (2, 3)]).expect("no limit");
    assert_eq!(domain.extend(&left, &right), Ok(both));
}

/// A domain with a broken law must not pass: `min` as extend does not distribute the way `+` does… and 1 is not neutral.
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
        fn combine(&mut self, a: &Option<u64>, b: &Option<u64>) -> faultline::util::Bounded<Option<u64>> {
            MinPath.combine(a, b)
        }
        fn extend(&mut self, a: &Option<u64>, b: &Option<u64>) -> faultline::util::Bounded<Option<u64>> {
            MinPath.extend(a, b)
        }
    }
    check_laws(&mut Broken, &[Some(3)]);
}
