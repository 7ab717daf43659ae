//! Constant propagation, a domain that is only monotone: it never says what some path contradicts,
//! and sometimes less than all paths together.

use crate::explicit::Explicit;
use crate::jop::{MIX, all_paths};
use crate::support::Random;
use crate::support::systems::{saturate_post, saturate_pre};
use faultline::pds::{
    ControlLocation, Plain, Read, StackAutomaton, StackSymbol, read_backward, read_forward,
};
use faultline::semiring::affine::AffineExpression;
use faultline::semiring::{ConstantPropagation, ConstantValues, Precision, Product, Semiring};
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeSet;

const VARIABLES: usize = 2;

fn random_values(random: &mut Random, domain: &ConstantPropagation) -> ConstantValues {
    let mut targets = Vec::new();
    for target in (0..VARIABLES).filter(|_| random.below(3) > 0).collect::<Vec<_>>() {
        let number = |random: &mut Random, least: i64, many: u64| {
            BigInt::from(random.below(many) as i64 + least)
        };
        let terms = (0..VARIABLES)
            .map(|k| (k, number(random, -1, 3)))
            .filter(|(_, factor)| !factor.is_zero())
            .collect();
        let value = AffineExpression { constant: number(random, -2, 5), terms };
        targets.push((target, (random.below(8) > 0).then_some(value)));
    }
    domain.assign(&targets)
}

/// What an assignment makes of a store; an arbitrary value is 7 or 11.
fn apply(values: &ConstantValues, store: &[BigInt]) -> Vec<Vec<BigInt>> {
    let Some(values) = values else { return Vec::new() };
    let mut all = vec![Vec::new()];
    for value in values {
        let choices = match value {
            Some(e) => vec![
                e.terms
                    .iter()
                    .fold(e.constant.clone(), |sum, (k, factor)| sum + factor * &store[*k]),
            ],
            None => vec![BigInt::from(7), BigInt::from(11)],
        };
        all = all
            .iter()
            .flat_map(|s: &Vec<BigInt>| {
                choices.iter().map(move |c| [s.clone(), vec![c.clone()]].concat())
            })
            .collect();
    }
    all
}

fn allows(values: &ConstantValues, old: &[BigInt], new: &[BigInt]) -> bool {
    let Some(values) = values else { return false };
    let value = |e: &AffineExpression| {
        e.terms.iter().fold(e.constant.clone(), |sum, (k, factor)| sum + factor * &old[*k])
    };
    values.iter().zip(new).all(|(known, new)| known.as_ref().is_none_or(|e| value(e) == *new))
}

/// ⊕ is a join; ⊗ is associative and monotone in both arguments, and does not distribute.
#[test]
fn laws_of_a_monotone_domain() {
    let mut domain = ConstantPropagation::new(VARIABLES, u64::MAX);
    let mut random = Random::new(5);
    let mut samples: Vec<ConstantValues> =
        (0..9).map(|_| random_values(&mut random, &domain)).collect();
    let (zero, one) = (domain.zero(), domain.one().expect("no limit"));
    samples.extend([zero.clone(), one.clone()]);
    let mut strict = 0;
    for a in &samples {
        assert_eq!(domain.combine(a, a).as_ref(), Ok(a));
        assert_eq!(domain.combine(a, &zero).as_ref(), Ok(a));
        assert_eq!(
            (domain.extend(a, &one).as_ref(), domain.extend(&one, a).as_ref()),
            (Ok(a), Ok(a))
        );
        assert_eq!(
            (domain.extend(a, &zero).as_ref(), domain.extend(&zero, a).as_ref()),
            (Ok(&zero), Ok(&zero))
        );
        for b in &samples {
            let ab = domain.combine(a, b).expect("no limit");
            assert_eq!(domain.combine(b, a).as_ref(), Ok(&ab));
            for c in &samples {
                let mut extend =
                    |x: &ConstantValues, y: &ConstantValues| domain.extend(x, y).expect("no limit");
                let (a_b, b_c, ac, ca, cb, bc, ab_c, c_ab) = (
                    extend(a, b),
                    extend(b, c),
                    extend(a, c),
                    extend(c, a),
                    extend(c, b),
                    extend(b, c),
                    extend(&ab, c),
                    extend(c, &ab),
                );
                assert_eq!(extend(&a_b, c), extend(a, &b_c), "⊗ is associative");
                let mut combine = |x: &ConstantValues, y: &ConstantValues| {
                    domain.combine(x, y).expect("no limit")
                };
                assert_eq!(
                    combine(&ab, c),
                    {
                        let right = combine(b, c);
                        combine(a, &right)
                    },
                    "⊕ is associative"
                );
                let (right, left) = (combine(&ac, &bc), combine(&ca, &cb));
                // a ⊗ c ⊕ b ⊗ c ⊑ (a ⊕ b) ⊗ c, which is what monotone means; likewise on the other
                // side.
                assert_eq!(combine(&right, &ab_c), ab_c, "monotone on the left");
                assert_eq!(combine(&left, &c_ab), c_ab, "monotone on the right");
                strict += usize::from(left != c_ab || right != ab_c);
            }
        }
    }
    assert!(strict > 5, "it must not distribute by accident: {strict}");
    assert_eq!(domain.precision(), Precision::Safe);
    assert_eq!(
        Product { first: domain, second: faultline::semiring::Boolean }.precision(),
        Precision::Safe
    );
    assert_eq!(faultline::semiring::Boolean.precision(), Precision::Exact);
}

/// x := a on one path and x := b on the other, where a and b are 3: on every path x is 3, but that
/// is not found.
#[test]
fn what_is_lost() {
    let variable = AffineExpression::variable;
    let mut domain = ConstantPropagation::new(3, u64::MAX);
    let three = domain.assign(&[
        (0, Some(AffineExpression::constant(3))),
        (1, Some(AffineExpression::constant(3))),
    ]);
    let (left, right) =
        (domain.assign(&[(2, Some(variable(0)))]), domain.assign(&[(2, Some(variable(1)))]));
    let both = domain.combine(&left, &right).expect("no limit");
    let found = domain.extend(&three, &both).expect("no limit").expect("a path");
    assert_eq!(found[2], None);
    let (one, other) = (
        domain.extend(&three, &left).expect("no limit"),
        domain.extend(&three, &right).expect("no limit"),
    );
    assert_eq!(
        domain.combine(&one, &other).expect("no limit").expect("paths")[2],
        Some(AffineExpression::constant(3))
    );
}

/// On random systems: whatever post\* or pre\* says holds for every store that some path makes, and
/// is no less than the combine over all paths.
#[test]
fn safe_on_random_systems() {
    let starts: Vec<Vec<BigInt>> = [[0, 0], [1, 4], [-3, 5]]
        .iter()
        .map(|s| s.iter().map(|n| BigInt::from(*n)).collect())
        .collect();
    let (mut systems, mut constants, mut less) = (0, 0, 0);
    for seed in 0..700 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let mut semiring = ConstantPropagation::new(VARIABLES, u64::MAX);
        let weights: Vec<ConstantValues> =
            pds.rules().iter().map(|_| random_values(&mut random, &semiring)).collect();
        let (start, stack) = (ControlLocation(0), vec![StackSymbol(0)]);
        // Stores may grow without end: large ones are left where they are.
        let small = |store: &Vec<BigInt>| store.iter().all(|n| n.bits() < 6);
        let step = |pairs: &BTreeSet<(usize, Vec<BigInt>)>,
                    rule: usize|
         -> BTreeSet<(usize, Vec<BigInt>)> {
            pairs
                .iter()
                .flat_map(|(k, s)| apply(&weights[rule], s).into_iter().map(|s| (*k, s)))
                .filter(|(_, s)| small(s))
                .collect()
        };
        let all = starts.iter().cloned().enumerate().collect();
        let Some(reached) = all_paths(&pds, (start, stack.clone()), all, |a, b| a | b, step) else {
            continue;
        };
        let one = semiring.one().expect("no limit");
        // The weights of some of the paths: of those that loops make ever more different ones of,
        // the first ones.
        let semiring = std::cell::RefCell::new(semiring);
        let union = |a: &Vec<ConstantValues>, b: &Vec<ConstantValues>| {
            let mut all = a.clone();
            b.iter().for_each(|w| {
                if all.len() < 24 && !all.contains(w) {
                    all.push(w.clone())
                }
            });
            all
        };
        let extend = |paths: &Vec<ConstantValues>, rule: usize| {
            let step = |path: &ConstantValues| {
                semiring.borrow_mut().extend(path, &weights[rule]).expect("no limit")
            };
            union(&Vec::new(), &paths.iter().map(step).collect())
        };
        let paths = all_paths(&pds, (start, stack.clone()), vec![one.clone()], union, extend)
            .expect("as before");
        systems += 1;
        let mut domain = Plain {
            semiring: ConstantPropagation::new(VARIABLES, u64::MAX),
            weights: weights.clone(),
        };
        let from = StackAutomaton::exactly(&stack);
        let post = saturate_post(&pds, &mut domain, from.configurations(2, start, 3, &one));
        for ((p, stack), stores) in &reached {
            let set = StackAutomaton::exactly(stack);
            let forward =
                read_backward(&mut domain, Read::of(&post), *p, &set, &one).expect("no limit");
            let pre = saturate_pre(&pds, &mut domain, set.configurations(2, *p, 3, &one));
            let backward =
                read_forward(&mut domain, Read::of(&pre), start, &from, &one).expect("no limit");
            for found in [&forward, &backward] {
                for (k, store) in stores {
                    assert!(
                        allows(found, &starts[*k], store),
                        "seed {seed}: {found:?} forbids {store:?}"
                    );
                }
                let mut exact = domain.semiring.zero();
                for path in &paths[&(*p, stack.clone())] {
                    exact = domain.semiring.combine(&exact, path).expect("no limit");
                }
                assert_eq!(
                    domain.semiring.combine(found, &exact).as_ref(),
                    Ok(found),
                    "seed {seed}: less than some paths"
                );
                constants += usize::from(
                    found.as_ref().is_some_and(|values| values.iter().any(Option::is_some)),
                );
                less += usize::from(*found != exact);
            }
        }
    }
    assert!(
        systems > 150 && constants > 500 && less > 0,
        "{systems} systems, {constants} weights with constants, {less} not exact"
    );
}

/// The explicit twins are not the domains themselves.
#[test]
fn explicit_weights_are_told_apart() {
    let spaces = crate::explicit::Spaces { variables: 1 };
    let mut domain = spaces.domain();
    let mut random = Random::new(3);
    let samples: Vec<_> = (0..12).map(|_| spaces.random(&mut random, &mut domain)).collect();
    let same =
        |a: usize, b: usize, domain: &mut _| spaces.same(&samples[a].0, domain, &samples[b].1);
    let equal = (0..12).filter(|k| same(*k, *k, &mut domain)).count();
    let crossed = (0..12)
        .flat_map(|a| (0..12).map(move |b| (a, b)))
        .filter(|(a, b)| same(*a, *b, &mut domain))
        .count();
    assert!(equal == 12 && crossed < 100, "{equal} equal, {crossed} of 144 pairs");
}
