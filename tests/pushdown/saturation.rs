//! The pushdown engine against its textbook version, against itself backwards, and against plain
//! search.

use crate::support::Random;
use crate::support::systems::{Mix, relations, saturate_post, saturate_pre, stacks};
use faultline::pds::{
    ControlLocation, PAutomaton, Pds, Plain, PostStar, RankedPostStarBuilder, Read, Right, Rule,
    SearchGoal, StackAutomaton, StackSymbol, State, Transition, Weights, path_summary,
    read_backward, read_forward, textbook,
};
use faultline::semiring::{Boolean, MinPath, Semiring};
use std::collections::BTreeMap;

const LOCATIONS: u32 = 2;
const SYMBOLS: u32 = 4;

const MIX: Mix = Mix { locations: LOCATIONS, symbols: SYMBOLS, rules: (6, 8), parts: [1, 2, 1] };

/// ⟨p, γ⟩ as an automaton.
fn single<W: Clone>(p: ControlLocation, stack: &[StackSymbol], one: &W) -> PAutomaton<W> {
    StackAutomaton::exactly(stack).configurations(LOCATIONS, p, SYMBOLS, one)
}

/// Compares tuned and textbook saturation, and post\* with pre\*, on every pair of short
/// configurations.
fn agree<S: Semiring>(pds: &Pds, domain: &mut Plain<S>, seed: u64) -> usize {
    let one = domain.semiring.one().expect("no limit");
    let (start, stack) = (ControlLocation(0), [StackSymbol(0)]);
    let tuned = saturate_post(pds, domain, single(start, &stack, &one));
    let book = textbook::poststar(pds, domain, single(start, &stack, &one)).expect("no limit");
    let mut reached = 0;
    for p in (0..LOCATIONS).map(ControlLocation) {
        for stack_ in stacks(SYMBOLS, 3) {
            let set = StackAutomaton::exactly(&stack_);
            let a = read_backward(domain, Read::of(&tuned), p, &set, &one).expect("no limit");
            let b = read_backward(domain, Read::of(&book), p, &set, &one).expect("no limit");
            assert_eq!(a, b, "post* of seed {seed} at {p:?} {stack_:?}");
            let tuned = saturate_pre(pds, domain, single(p, &stack_, &one));
            let book = textbook::prestar(pds, domain, single(p, &stack_, &one)).expect("no limit");
            let c = read_forward(
                domain,
                Read::of(&tuned),
                start,
                &StackAutomaton::exactly(&stack),
                &one,
            )
            .expect("no limit");
            let d = read_forward(
                domain,
                Read::of(&book),
                start,
                &StackAutomaton::exactly(&stack),
                &one,
            )
            .expect("no limit");
            assert_eq!(c, d, "pre* of seed {seed} at {p:?} {stack_:?}");
            assert_eq!(
                a, c,
                "JOP({{start}}, {{{p:?} {stack_:?}}}) forwards and backwards, seed {seed}"
            );
            reached += usize::from(!domain.is_zero(&a));
        }
    }
    reached
}

#[test]
fn boolean_saturations_agree() {
    let mut reached = 0;
    for seed in 0..60 {
        let pds = MIX.system(&mut Random::new(seed));
        let weights = vec![true; pds.rules().len()];
        reached += agree(&pds, &mut Plain { semiring: Boolean, weights }, seed);
    }
    assert!(reached > 200, "the systems must be worth saturating: {reached}");
}

#[test]
fn minpath_saturations_agree() {
    for seed in 100..140 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let weights = pds.rules().iter().map(|_| Some(random.below(4))).collect();
        agree(&pds, &mut Plain { semiring: MinPath, weights }, seed);
    }
}

#[test]
fn relation_saturations_agree() {
    for seed in 200..212 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let mut domain = relations(&pds, &mut random, 3);
        agree(&pds, &mut domain, seed);
    }
}

/// Shortest lengths by plain breadth-first search over configurations with short stacks.
#[test]
fn minpath_equals_plain_search_where_stacks_stay_short() {
    let mut compared = 0;
    for seed in 300..360 {
        let pds = MIX.system(&mut Random::new(seed));
        let mut domain = Plain { semiring: MinPath, weights: vec![Some(1); pds.rules().len()] };
        let start = (ControlLocation(0), vec![StackSymbol(0)]);
        let mut distance = BTreeMap::from([(start.clone(), 0u64)]);
        let mut layer = vec![start];
        let mut too_deep = false;
        while let Some(here) = layer.pop() {
            let steps = distance[&here];
            let Some(top) = here.1.first().copied() else { continue };
            for id in pds.from_head(here.0, top) {
                let rule = pds.rule(*id);
                let mut stack = match rule.right {
                    Right::Pop => Vec::new(),
                    Right::Step(a) => vec![a],
                    Right::Push(a, b) => vec![a, b],
                };
                stack.extend(&here.1[1..]);
                too_deep |= stack.len() > 6;
                let next = (rule.to, stack);
                if next.1.len() <= 6 && distance.get(&next).is_none_or(|d| *d > steps + 1) {
                    distance.insert(next.clone(), steps + 1);
                    layer.push(next);
                }
            }
        }
        if too_deep {
            continue;
        }
        let post = saturate_post(
            &pds,
            &mut domain,
            single(ControlLocation(0), &[StackSymbol(0)], &Some(0)),
        );
        for p in (0..LOCATIONS).map(ControlLocation) {
            for stack in stacks(SYMBOLS, 3) {
                let found = read_backward(
                    &mut domain,
                    Read::of(&post),
                    p,
                    &StackAutomaton::exactly(&stack),
                    &Some(0),
                )
                .expect("no limit");
                assert_eq!(
                    found,
                    distance.get(&(p, stack.clone())).copied(),
                    "seed {seed}, {p:?} {stack:?}"
                );
                compared += usize::from(found.is_some());
            }
        }
    }
    assert!(compared > 60, "some systems must have short stacks: {compared}");
}

/// ⟨p1, a⟩ ↪ ⟨p1, a b⟩ 1, ⟨p1, a⟩ ↪ ⟨p2, b⟩ 1, ⟨p2, b⟩ ↪ ⟨p2⟩ 1: from ⟨p1, a⟩ to ⟨p2, bⁿ⟩ the
/// weight is n for n ≥ 2 (the property that Lal, Touili, Kidd, Reps 2007 state of their Fig. 7).
#[test]
fn weights_count_down_a_stack() {
    let (p1, p2, a, b) = (ControlLocation(0), ControlLocation(1), StackSymbol(0), StackSymbol(1));
    let mut pds = Pds::new(LOCATIONS, SYMBOLS);
    pds.add(Rule { from: p1, symbol: a, to: p1, right: Right::Push(a, b) });
    pds.add(Rule { from: p1, symbol: a, to: p2, right: Right::Step(b) });
    pds.add(Rule { from: p2, symbol: b, to: p2, right: Right::Pop });
    let mut domain = Plain { semiring: MinPath, weights: vec![Some(1); 3] };
    let post = saturate_post(&pds, &mut domain, single(p1, &[a], &Some(0)));
    for n in 2..7u64 {
        let stack = vec![b; n as usize];
        let weight = read_backward(
            &mut domain,
            Read::of(&post),
            p2,
            &StackAutomaton::exactly(&stack),
            &Some(0),
        )
        .expect("no limit");
        assert_eq!(weight, Some(n));
    }
}

/// post\* never adds a transition into a control location, and its waiting list empties.
#[test]
fn stepping_can_be_watched() {
    let pds = MIX.system(&mut Random::new(5));
    let mut domain = Plain { semiring: Boolean, weights: vec![true; pds.rules().len()] };
    let mut post =
        PostStar::new(&domain, single(ControlLocation(0), &[StackSymbol(0)], &true), Vec::new());
    let mut seen = 0;
    while !post.is_done() {
        assert!(post.waiting().next().is_some());
        post.step(&pds, &mut domain).expect("no limit");
        seen += 1;
        for transition in post.automaton().transitions() {
            assert!(
                transition.symbol.is_none() || transition.to >= State(LOCATIONS),
                "{transition:?}"
            );
        }
    }
    assert_eq!(post.steps(), seen);
    let found = |transition: &Transition| post.automaton().find(*transition).is_some();
    assert!(post.automaton().transitions().iter().all(found));
}

/// The system of Fig. 7 again, read over regular sets: every stack (path summary), every stack with
/// a given top, and stack-qualified ones.
#[test]
fn regular_sets_are_read_as_the_best_of_their_configurations() {
    let (p1, p2, a, b) = (ControlLocation(0), ControlLocation(1), StackSymbol(0), StackSymbol(1));
    let mut pds = Pds::new(LOCATIONS, SYMBOLS);
    pds.add(Rule { from: p1, symbol: a, to: p1, right: Right::Push(a, b) });
    pds.add(Rule { from: p1, symbol: a, to: p2, right: Right::Step(b) });
    pds.add(Rule { from: p2, symbol: b, to: p2, right: Right::Pop });
    let mut domain = Plain { semiring: MinPath, weights: vec![Some(5), Some(1), Some(1)] };
    let one = Some(0);
    // To ⟨p2, b b⟩: from ⟨p1, a b⟩ one step of weight 1, from ⟨p1, a⟩ a push of weight 5 more; at
    // p2 it is there already.
    let pre = saturate_pre(&pds, &mut domain, single(p2, &[b, b], &one));
    assert_eq!(path_summary(&mut domain, Read::of(&pre), p1, &one), Ok(Some(1)));
    assert_eq!(path_summary(&mut domain, Read::of(&pre), p2, &one), Ok(Some(0)));
    let mut read = |set: &StackAutomaton| {
        read_forward(&mut domain, Read::of(&pre), p1, set, &one).expect("no limit")
    };
    assert_eq!(read(&StackAutomaton::all()), Some(1));
    assert_eq!(read(&StackAutomaton::top(a)), Some(1));
    assert_eq!(read(&StackAutomaton::top(b)), None, "p1 does nothing with b");
    assert_eq!(read(&StackAutomaton::exactly(&[a])), Some(6));
    assert_eq!(read(&StackAutomaton::called_from(a, &[b])), Some(1), "a with b right below");
    assert_eq!(read(&StackAutomaton::called_from(a, &[a])), None);
    // Forwards from ⟨p1, a⟩: all of p2 is reached at best by one step.
    let post = saturate_post(&pds, &mut domain, single(p1, &[a], &one));
    assert_eq!(
        read_backward(&mut domain, Read::of(&post), p2, &StackAutomaton::all(), &one),
        Ok(Some(1))
    );
    assert_eq!(
        read_backward(
            &mut domain,
            Read::of(&post),
            p2,
            &StackAutomaton::called_from(b, &[b]),
            &one
        ),
        Ok(Some(6))
    );
}

/// A search in the order of lengths against MinPath post\* of the product with what was passed,
/// spelled out as control locations.
#[test]
fn ranks_are_shortest_lengths() {
    let (mut found, mut missing) = (0, 0);
    for seed in 0..400 {
        let random = &mut Random::new(7000 + seed);
        let mut pds = Pds::new(1, SYMBOLS);
        let p = ControlLocation(0);
        for _ in 0..5 + random.below(8) {
            let symbol = |random: &mut Random| StackSymbol(random.below(SYMBOLS.into()) as u32);
            let right = match random.below(4) {
                0 => Right::Pop,
                1 | 2 => Right::Step(symbol(random)),
                _ => Right::Push(symbol(random), symbol(random)),
            };
            pds.add(Rule { from: p, symbol: symbol(random), to: p, right });
        }
        let cost: Vec<u64> = pds.rules().iter().map(|_| random.below(3)).collect();
        let passes: Vec<u32> = pds
            .rules()
            .iter()
            .map(|_| if random.below(3) == 0 { 1 + random.below(3) as u32 } else { 0 })
            .collect();
        for all in [0, 1, 3] {
            // Control location m: the statements of m were passed.
            let mut product = Pds::new(4, SYMBOLS);
            let mut weights = Vec::new();
            for before in 0..4u32 {
                for (k, rule) in pds.rules().iter().enumerate() {
                    let to = ControlLocation(before | passes[k] & all);
                    product.add(Rule { from: ControlLocation(before), to, ..*rule });
                    weights.push(Some(cost[k]));
                }
            }
            let mut lengths = Plain { semiring: MinPath, weights };
            let start =
                StackAutomaton::exactly(&[StackSymbol(0)]).configurations(4, p, SYMBOLS, &Some(0));
            let post = saturate_post(&product, &mut lengths, start);
            for target in (0..SYMBOLS).map(StackSymbol) {
                let set = StackAutomaton::top(target);
                let expected = read_backward(
                    &mut lengths,
                    Read::of(&post),
                    ControlLocation(all),
                    &set,
                    &Some(0),
                )
                .expect("no limit");
                let is_target = (0..SYMBOLS).map(|k| StackSymbol(k) == target).collect();
                let passes = passes.iter().map(|bits| bits & all).collect();
                let goal = SearchGoal { cost: cost.clone(), passes, all, is_target };
                for heading in [false, true] {
                    let mut domain =
                        Plain { semiring: Boolean, weights: vec![true; pds.rules().len()] };
                    let mut search = RankedPostStarBuilder::new(StackSymbol(0), true, goal.clone());
                    if heading {
                        search = search.toward_targets();
                    }
                    let mut search = search.start(&pds, &mut domain).expect("no limit");
                    while !search.is_done() {
                        let before = search.rank();
                        search.step(&pds, &mut domain).expect("no limit");
                        assert!(
                            before <= search.rank(),
                            "seed {seed}, {target:?} through {all}: a shorter run came later"
                        );
                    }
                    let rank = search
                        .found()
                        .map(|key| search.layers(key).last().expect("it was found").rank);
                    assert_eq!(
                        rank, expected,
                        "seed {seed}, {target:?} through {all}, heading for it: {heading}"
                    );
                }
                *(if expected.is_some() { &mut found } else { &mut missing }) += 1;
            }
        }
    }
    assert!(found > 1000 && missing > 1000, "{found} found, {missing} not");
}
