//! The weight that post\* and pre\* read is the combine over all paths, for every domain: against a
//! fixpoint over explicit configurations with explicit weights, on systems whose stacks stay low.

use crate::explicit::{
    Both, Costs, Distances, Explicit, Lengths, Modules, Pairs, Reachability, Spaces,
};
use crate::support::Random;
use crate::support::systems::{Mix, saturate_post, saturate_pre};
use faultline::pds::{
    ControlLocation, Pds, Plain, Read, Right, StackAutomaton, StackSymbol, read_backward,
    read_forward,
};
use faultline::semiring::Semiring;
use std::collections::BTreeMap;

const LOCATIONS: u32 = 2;
const SYMBOLS: u32 = 3;
const HIGHEST: usize = 4;

pub(crate) const MIX: Mix =
    Mix { locations: LOCATIONS, symbols: SYMBOLS, rules: (4, 6), parts: [3, 2, 1] };

pub(crate) type Configurations<W> = BTreeMap<(ControlLocation, Vec<StackSymbol>), W>;

/// All configurations reached from a start, with the combine over the paths there; `None` if a
/// stack gets too high.
pub(crate) fn all_paths<W: Clone + PartialEq>(
    pds: &Pds,
    start: (ControlLocation, Vec<StackSymbol>),
    one: W,
    combine: impl Fn(&W, &W) -> W,
    after: impl Fn(&W, usize) -> W,
) -> Option<Configurations<W>> {
    let mut known = Configurations::from([(start, one)]);
    loop {
        let before = known.clone();
        for ((p, stack), weight) in &before {
            let Some((top, rest)) = stack.split_first() else { continue };
            for id in pds.from_head(*p, *top) {
                let rule = pds.rule(*id);
                let mut next = match rule.right {
                    Right::Pop => Vec::new(),
                    Right::Step(a) => vec![a],
                    Right::Push(a, b) => vec![a, b],
                };
                next.extend(rest);
                if next.len() > HIGHEST {
                    return None;
                }
                let there = after(weight, id.0 as usize);
                let place = (rule.to, next);
                let sum = known.get(&place).map_or(there.clone(), |old| combine(old, &there));
                known.insert(place, sum);
            }
        }
        if known == before {
            return Some(known);
        }
    }
}

/// Compares on random systems; how many were compared, and how many weights that are not 0.
fn compare<E: Explicit>(explicit: &E, seeds: std::ops::Range<u64>) -> (u32, u32) {
    let (mut systems, mut weights) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let mut domain = Plain { semiring: explicit.domain(), weights: Vec::new() };
        let mut tables = Vec::new();
        for _ in pds.rules() {
            let (table, weight) = explicit.random(&mut random, &mut domain.semiring);
            tables.push(table);
            domain.weights.push(weight);
        }
        let start = (ControlLocation(0), vec![StackSymbol(0); 1 + random.below(2) as usize]);
        let combine = |a: &E::Weight, b: &E::Weight| explicit.combine(a, b);
        let Some(known) =
            all_paths(&pds, start.clone(), explicit.one(), combine, |weight, rule| {
                explicit.extend(weight, &tables[rule])
            })
        else {
            continue;
        };
        if known.len() < 3 {
            continue;
        }
        systems += 1;
        let one = domain.semiring.one().expect("no limit");
        let from = StackAutomaton::exactly(&start.1);
        let post = saturate_post(
            &pds,
            &mut domain,
            from.configurations(LOCATIONS, start.0, SYMBOLS, &one),
        );
        let mut check = |what: &str,
                         p: ControlLocation,
                         set: &StackAutomaton,
                         holds: &dyn Fn(&[StackSymbol]) -> bool| {
            let in_set = known.iter().filter(|((q, stack), _)| *q == p && holds(stack));
            let expected =
                in_set.fold(explicit.zero(), |sum, (_, weight)| explicit.combine(&sum, weight));
            let forward =
                read_backward(&mut domain, Read::of(&post), p, set, &one).expect("no limit");
            assert!(
                explicit.same(&expected, &mut domain.semiring, &forward),
                "post*, seed {seed}, {what}: {expected:?} is not {forward:?}"
            );
            let pre =
                saturate_pre(&pds, &mut domain, set.configurations(LOCATIONS, p, SYMBOLS, &one));
            let backward =
                read_forward(&mut domain, Read::of(&pre), start.0, &from, &one).expect("no limit");
            assert!(
                explicit.same(&expected, &mut domain.semiring, &backward),
                "pre*, seed {seed}, {what}: {expected:?} is not {backward:?}"
            );
            weights += u32::from(expected != explicit.zero());
        };
        for p in (0..LOCATIONS).map(ControlLocation) {
            check("all stacks", p, &StackAutomaton::all(), &|_| true);
            check("empty", p, &StackAutomaton::exactly(&[]), &<[StackSymbol]>::is_empty);
            for symbol in (0..SYMBOLS).map(StackSymbol) {
                check("top", p, &StackAutomaton::top(symbol), &|stack| {
                    stack.first() == Some(&symbol)
                });
                let below = [StackSymbol((symbol.0 + 1) % SYMBOLS)];
                let called = |stack: &[StackSymbol]| {
                    stack.first() == Some(&symbol) && stack.get(1) == Some(&below[0])
                };
                check("called", p, &StackAutomaton::called_from(symbol, &below), &called);
            }
        }
        for (p, stack) in known.keys().take(6) {
            check("one", *p, &StackAutomaton::exactly(stack), &|other| other == stack);
        }
    }
    (systems, weights)
}

fn worth((systems, weights): (u32, u32), least: u32) {
    assert!(
        systems >= least && weights > 4 * systems,
        "{systems} systems, {weights} weights are not 0"
    );
}

#[test]
fn boolean() {
    worth(compare(&Reachability, 0..900), 200);
}

#[test]
fn minpath() {
    worth(compare(&Lengths, 0..900), 200);
}

#[test]
fn cheapest() {
    worth(compare(&Costs, 0..900), 200);
}

#[test]
fn relations() {
    worth(compare(&Pairs, 0..900), 200);
}

#[test]
fn weighted_relations() {
    worth(compare(&Distances, 0..900), 200);
}

#[test]
fn affine_over_the_rationals() {
    worth(compare(&Spaces { variables: 2 }, 0..500), 100);
}

#[test]
fn affine_modulo_powers_of_two() {
    worth(compare(&Modules { variables: 1, width: 2 }, 0..400), 80);
    worth(compare(&Modules { variables: 2, width: 1 }, 400..600), 40);
}

#[test]
fn products() {
    worth(compare(&Both(Lengths, Pairs), 0..600), 120);
    worth(compare(&Both(Reachability, Both(Costs, Distances)), 600..900), 60);
}
