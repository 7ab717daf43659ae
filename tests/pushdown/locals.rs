//! Procedures with locals by *merge*, in domains of every kind, against an interpreter that keeps
//! each frame's locals on its stack.

use crate::explicit::two_bits;
use crate::support::Random;
use crate::support::systems::{Mix, saturate_post, saturate_pre};
use faultline::pds::{
    ControlLocation, ForwardWeights, Locals, PAutomaton, Pds, PreStar, Read, Right, Rule,
    StackAutomaton, StackSymbol, read_backward, read_forward,
};
use faultline::semiring::affine::{Affine, AffineExpression, Rationals};
use faultline::semiring::{
    ConstantPropagation, Merge, MinPath, Product, Semiring, WeightedRelations,
};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

const P: ControlLocation = ControlLocation(0);
const SYMBOLS: u32 = 4;

const MIX: Mix = Mix { locations: 1, symbols: SYMBOLS, rules: (5, 5), parts: [2, 2, 2] };

fn post<D: ForwardWeights>(pds: &Pds, domain: &mut D, one: &D::Weight) -> PAutomaton<D::Weight> {
    let start = StackAutomaton::exactly(&[StackSymbol(0)]).configurations(1, P, SYMBOLS, one);
    saturate_post(pds, domain, start)
}

/// Frames from the top: a symbol and, of all but the topmost, the local that waits.
type Frames = Vec<(StackSymbol, u64)>;

/// A run's state: frames, global and local now (bits 0 and 1 of a store).
type Node = (Frames, u64);

/// For each store at the start, the least number of rules to each state; `None` if a stack gets too
/// high.
fn search(
    pds: &Pds,
    relations: &[BTreeSet<(u64, u64)>],
    lengths: &[u64],
) -> Option<Vec<BTreeMap<Node, u64>>> {
    let mut all = Vec::new();
    for start in 0..4u64 {
        let mut known: BTreeMap<Node, u64> =
            BTreeMap::from([((vec![(StackSymbol(0), 0)], start), 0)]);
        loop {
            let before = known.clone();
            for ((frames, store), length) in &before {
                let Some(((top, _), rest)) = frames.split_first() else { continue };
                for id in pds.from_head(P, *top) {
                    for (_, after) in
                        relations[id.0 as usize].iter().filter(|(from, _)| from == store)
                    {
                        let mut next: Frames = Vec::new();
                        let mut now = *after;
                        match pds.rule(*id).right {
                            // The caller's local comes back; the last frame has none.
                            Right::Pop => {
                                now = rest.first().map_or(now, |(_, local)| now & 1 | local << 1)
                            }
                            Right::Step(a) => next.push((a, 0)),
                            Right::Push(a, b) => next.extend([(a, 0), (b, store >> 1)]),
                        }
                        next.extend(rest);
                        if next.len() > 4 {
                            return None;
                        }
                        if matches!(pds.rule(*id).right, Right::Pop) && !next.is_empty() {
                            next[0].1 = 0;
                        }
                        let total = length + lengths[id.0 as usize];
                        let old = known.entry((next, now)).or_insert(total);
                        *old = total.min(*old);
                    }
                }
            }
            if known == before {
                break;
            }
        }
        all.push(known);
    }
    Some(all)
}

/// Relations, weighted relations and lengths beside relations: what is read at every top of the
/// stack is what the interpreter finds, and pre\* of that is the same.
#[test]
fn relations_with_locals() {
    let (mut systems, mut pairs, mut restored) = (0, 0, 0);
    for seed in 0..900 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let tables: Vec<BTreeSet<(u64, u64)>> = pds
            .rules()
            .iter()
            .map(|_| (0..3 + random.below(4)).map(|_| (random.below(4), random.below(4))).collect())
            .collect();
        let lengths: Vec<u64> = pds.rules().iter().map(|_| random.below(4)).collect();
        let Some(known) = search(&pds, &tables, &lengths) else { continue };
        systems += 1;
        // Bit 0 is global, bit 1 local.
        let relations = || two_bits().with_locals(&[1]).expect("no limit");
        let mut plain = Locals { semiring: relations(), weights: Vec::new() };
        let mut weighted = Locals {
            semiring: WeightedRelations { relations: relations(), values: MinPath },
            weights: Vec::new(),
        };
        let mut product = Locals {
            semiring: Product { first: MinPath, second: relations() },
            weights: Vec::new(),
        };
        for (table, length) in tables.iter().zip(&lengths) {
            let list: Vec<_> = table.iter().copied().collect();
            let weight = plain.semiring.from_pairs(&list).expect("no limit");
            plain.weights.push(weight);
            let weight = weighted.semiring.relations.from_pairs(&list).expect("no limit");
            let level = weighted.semiring.level(Some(*length), weight);
            weighted.weights.push(level);
            let weight = product.semiring.second.from_pairs(&list).expect("no limit");
            product.weights.push((Some(*length), weight));
        }
        let (one, weighted_one, product_one) = (
            plain.semiring.one().expect("no limit"),
            weighted.semiring.one().expect("no limit"),
            product.semiring.one().expect("no limit"),
        );
        let (a, b, c) = (
            post(&pds, &mut plain, &one),
            post(&pds, &mut weighted, &weighted_one),
            post(&pds, &mut product, &product_one),
        );
        for top in (0..SYMBOLS).map(StackSymbol) {
            let set = StackAutomaton::top(top);
            let mut expected: BTreeMap<(u64, u64), u64> = BTreeMap::new();
            for (start, known) in known.iter().enumerate() {
                for ((frames, store), length) in known
                    .iter()
                    .filter(|((frames, _), _)| frames.first().is_some_and(|f| f.0 == top))
                {
                    let old = expected.entry((start as u64, *store)).or_insert(*length);
                    *old = (*length).min(*old);
                    restored += usize::from(frames.len() == 1);
                }
            }
            let list: Vec<(u64, u64)> = expected.keys().copied().collect();
            pairs += list.len();
            let wanted = plain.semiring.from_pairs(&list).expect("no limit");
            assert_eq!(
                read_backward(&mut plain, Read::of(&a), P, &set, &one),
                Ok(wanted),
                "seed {seed}, {top:?}"
            );
            let target = saturate_pre(&pds, &mut plain, set.configurations(1, P, SYMBOLS, &one));
            let start = StackAutomaton::exactly(&[StackSymbol(0)]);
            assert_eq!(
                read_forward(&mut plain, Read::of(&target), P, &start, &one),
                Ok(wanted),
                "pre*, seed {seed}, {top:?}"
            );
            let mut wanted_levels = weighted.semiring.zero();
            for (pair, length) in &expected {
                let pair = weighted.semiring.relations.from_pairs(&[*pair]).expect("no limit");
                let level = weighted.semiring.level(Some(*length), pair);
                wanted_levels =
                    weighted.semiring.combine(&wanted_levels, &level).expect("no limit");
            }
            assert_eq!(
                read_backward(&mut weighted, Read::of(&b), P, &set, &weighted_one),
                Ok(wanted_levels),
                "seed {seed}, {top:?}"
            );
            let found =
                read_backward(&mut product, Read::of(&c), P, &set, &product_one).expect("no limit");
            let wanted = product.semiring.second.from_pairs(&list).expect("no limit");
            assert_eq!(found.1, wanted, "beside lengths, seed {seed}, {top:?}");
        }
    }
    assert!(
        systems > 200 && pairs > 1500 && restored > 500,
        "{systems} systems, {pairs} pairs, {restored} in the first frame"
    );
}

fn expression(constant: i64, terms: &[(usize, i64)]) -> AffineExpression {
    AffineExpression {
        constant: BigInt::from(constant),
        terms: terms.iter().map(|(k, f)| (*k, BigInt::from(*f))).collect(),
    }
}

/// g is global, l local: main: l := 5, g := l, call (argument l + 1), then g := g + l. Callee: l :=
/// 2 l; g := l; it may call itself once more with l unchanged. The caller still has l = 5; g is 17
/// at its end, unless the callee called itself.
fn calls(recursive: bool) -> Pds {
    let mut pds = Pds::new(1, 7);
    let [main, call, back, end, entry, inner, after] = [0, 1, 2, 3, 4, 5, 6].map(StackSymbol);
    let mut add = |symbol, right| pds.add(Rule { from: P, symbol, to: P, right });
    add(main, Right::Step(call));
    add(call, Right::Push(entry, back));
    add(back, Right::Step(end));
    add(entry, Right::Step(inner));
    add(inner, Right::Pop);
    if recursive {
        add(inner, Right::Push(entry, after));
        add(after, Right::Pop);
    }
    pds
}

#[test]
fn affine_relations_and_constants_with_locals() {
    let (g, l) = (0, 1);
    for recursive in [false, true] {
        let pds = calls(recursive);
        let mut effects = vec![
            vec![(l, Some(expression(5, &[]))), (g, Some(expression(5, &[])))],
            vec![(l, Some(expression(1, &[(l, 1)])))],
            vec![(g, Some(expression(0, &[(g, 1), (l, 1)])))],
            vec![(l, Some(expression(0, &[(l, 2)])))],
            vec![(g, Some(expression(0, &[(l, 1)])))],
        ];
        if recursive {
            effects.extend([vec![], vec![(g, Some(expression(1, &[(g, 1)])))]]);
        }
        let semiring = Affine::new(Rationals, 2, u64::MAX).with_locals(1..2);
        let mut affine = Locals { semiring, weights: Vec::new() };
        let mut constants = Locals {
            semiring: ConstantPropagation::new(2, u64::MAX).with_locals(1..2),
            weights: Vec::new(),
        };
        for effect in &effects {
            affine.weights.push(affine.semiring.assign(effect).expect("no limit"));
            constants.weights.push(constants.semiring.assign(effect));
        }
        let (one, other) =
            (affine.semiring.one().expect("no limit"), constants.semiring.one().expect("no limit"));
        let set = StackAutomaton::exactly(&[StackSymbol(3)]);
        let (a, b) = (post(&pds, &mut affine, &one), post(&pds, &mut constants, &other));
        let weight = read_backward(&mut affine, Read::of(&a), P, &set, &one).expect("no limit");
        let target = set.configurations(1, P, 7, &one);
        let back = {
            let mut pre = PreStar::new(&pds, &mut affine, target, Vec::new()).expect("no limit");
            while !pre.is_done() {
                pre.step(&pds, &mut affine).expect("no limit");
            }
            read_forward(
                &mut affine,
                pre.read(),
                P,
                &StackAutomaton::exactly(&[StackSymbol(0)]),
                &one,
            )
            .expect("no limit")
        };
        assert_eq!(weight, back);
        let mut wanted = vec![
            affine
                .semiring
                .assign(&[(l, Some(expression(5, &[]))), (g, Some(expression(17, &[])))])
                .expect("no limit"),
        ];
        if recursive {
            // Twice: l is 24 in the inner callee, and g one more when it returns: 24 + 1 + 5. All
            // depths span a line.
            wanted.push(
                affine
                    .semiring
                    .assign(&[(l, Some(expression(5, &[]))), (g, Some(expression(30, &[])))])
                    .expect("no limit"),
            );
        }
        let wanted = wanted
            .iter()
            .skip(1)
            .fold(wanted[0].clone(), |sum, w| affine.semiring.combine(&sum, w).expect("no limit"));
        assert_eq!(weight, wanted, "recursive: {recursive}");
        let found = read_backward(&mut constants, Read::of(&b), P, &set, &other)
            .expect("no limit")
            .expect("a path");
        assert_eq!(found[l], Some(expression(5, &[])), "the caller's local is back");
        assert_eq!(found[g], (!recursive).then(|| expression(17, &[])));
    }
}

/// Without merge the caller would end with the callee's local.
#[test]
fn merge_makes_the_difference() {
    let mut domain = ConstantPropagation::new(2, u64::MAX).with_locals(1..2);
    let callee =
        domain.assign(&[(0, Some(expression(3, &[(1, 1)]))), (1, Some(expression(9, &[])))]);
    let merged = domain.merge(&callee).expect("no limit").expect("a path");
    assert_eq!(merged, [Some(expression(3, &[(1, 1)])), Some(AffineExpression::variable(1))]);
}
