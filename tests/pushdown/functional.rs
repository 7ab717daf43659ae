//! Functional weights and the intersection of a backward with a forward weighted automaton (Lal,
//! Kidd, Reps, Touili 2007, § 4), against explicit enumeration: relations as sets of pairs,
//! automata by their paths, no decision diagrams.

use crate::support::Random;
use faultline::bdd::{Bdd, KernelLimits, Manager, Var};
use faultline::pds::{
    ControlLocation, FunctionalSummary, PAutomaton, Pds, Plain, PostStar, PreStar, Read, Right,
    Rule, StackAutomaton, StackSymbol, State, Transition,
};
use faultline::semiring::{FunctionalWeight, Relations, Semiring};
use std::collections::{BTreeMap, BTreeSet};

/// Stores 0..4, explicitly.
type Pairs = BTreeSet<(u64, u64)>;
const STORES: u64 = 4;

fn domain() -> Relations {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]])
}

fn random_pairs(random: &mut Random, size: u64) -> Pairs {
    (0..size).map(|_| (random.below(STORES), random.below(STORES))).collect()
}

fn weight(domain: &mut Relations, pairs: &Pairs) -> Bdd {
    let pairs: Vec<(u64, u64)> = pairs.iter().copied().collect();
    domain.from_pairs(&pairs).expect("no limit")
}

/// Left first.
fn then(left: &Pairs, right: &Pairs) -> Pairs {
    left.iter()
        .flat_map(|(a, b)| right.iter().filter(move |(c, _)| b == c).map(move |(_, d)| (*a, *d)))
        .collect()
}

fn identity() -> Pairs {
    (0..STORES).map(|a| (a, a)).collect()
}

/// W(a ⊕ b) = W(a) ⊕ W(b), W(0) = 0, monotone, and W1 ⊗ W2 = W2 ∘ W1: applied one after the other,
/// the second from outside.
#[test]
fn functional_weights_distribute_and_compose() {
    let mut random = Random::new(1);
    let mut domain = domain();
    let mut proper = 0;
    for _ in 0..200 {
        let mut relation = |domain: &mut Relations| {
            let pairs = random_pairs(&mut random, 5);
            weight(domain, &pairs)
        };
        let w1 = FunctionalWeight { before: relation(&mut domain), after: relation(&mut domain) };
        let w2 = FunctionalWeight { before: relation(&mut domain), after: relation(&mut domain) };
        let (a, b) = (relation(&mut domain), relation(&mut domain));
        let join = domain.combine(&a, &b).expect("no limit");
        let (wa, wb, w_join) =
            (w1.apply(&mut domain, &a), w1.apply(&mut domain, &b), w1.apply(&mut domain, &join));
        let (wa, wb, w_join) =
            (wa.expect("no limit"), wb.expect("no limit"), w_join.expect("no limit"));
        assert_eq!(domain.combine(&wa, &wb), Ok(w_join), "it distributes over ⊕");
        assert_eq!(domain.combine(&wa, &w_join), Ok(w_join), "a ⊑ a ⊕ b, so W(a) ⊑ W(a ⊕ b)");
        assert_eq!(w1.apply(&mut domain, &Bdd::FALSE), Ok(Bdd::FALSE));
        let both = w2.around(&mut domain, &w1).expect("no limit");
        let outside = w2.apply(&mut domain, &wa);
        assert_eq!(both.apply(&mut domain, &a), outside, "W1 ⊗ W2 = W2 ∘ W1");
        proper += usize::from(!wa.is_false() && wa != w_join);
    }
    assert!(proper > 50, "the samples must be worth it: {proper}");
}

/// λz. a ⊗ z ⊗ b as a matrix over pairs of stores: the tensor of a (turned round) and b (Lal,
/// Touili, Kidd, Reps 2007, § 6). The relation z is a vector of pairs; the tensor sends the pair
/// (v, w) to all (u, x) with (u, v) in a and (w, x) in b.
#[test]
fn a_functional_weight_is_a_tensor() {
    let mut random = Random::new(2);
    let mut domain = domain();
    for _ in 0..100 {
        let (a, z, b) = (
            random_pairs(&mut random, 5),
            random_pairs(&mut random, 5),
            random_pairs(&mut random, 5),
        );
        let tensor: BTreeSet<((u64, u64), (u64, u64))> =
            a.iter().flat_map(|(u, v)| b.iter().map(move |(w, x)| ((*v, *w), (*u, *x)))).collect();
        let image: Pairs =
            tensor.iter().filter(|(from, _)| z.contains(from)).map(|(_, to)| *to).collect();
        let (before, after, z) =
            (weight(&mut domain, &a), weight(&mut domain, &b), weight(&mut domain, &z));
        let expected = weight(&mut domain, &image);
        assert_eq!(FunctionalWeight { before, after }.apply(&mut domain, &z), Ok(expected));
    }
}

/// A weighted automaton without cycles, explicitly: transitions with relations.
type Explicit = Vec<(Transition, Pairs)>;

const SYMBOLS: u32 = 3;

fn random_automaton(random: &mut Random, states: u32) -> Explicit {
    let mut transitions: BTreeMap<Transition, Pairs> = BTreeMap::new();
    for _ in 0..3 * states {
        let from = random.below(u64::from(states) - 1) as u32;
        let to = from + 1 + random.below(u64::from(states - from) - 1) as u32;
        let symbol = Some(StackSymbol(random.below(SYMBOLS.into()) as u32));
        transitions.insert(
            Transition { from: State(from), symbol, to: State(to), via: None },
            random_pairs(random, 6),
        );
    }
    transitions.into_iter().collect()
}

fn build(domain: &mut Relations, explicit: &Explicit, states: u32) -> PAutomaton<Bdd> {
    let mut automaton = PAutomaton::new(1);
    (1..states).for_each(|_| {
        automaton.add_state();
    });
    automaton.set_final(State(states - 1));
    for (transition, pairs) in explicit {
        let weight = weight(domain, pairs);
        automaton.insert(*transition, weight);
    }
    automaton
}

/// All accepted stacks with all paths for them: the weights in the order in which the path reads
/// them.
fn paths(explicit: &Explicit, states: u32) -> Vec<(Vec<StackSymbol>, Vec<Pairs>)> {
    let mut found = Vec::new();
    let mut open = vec![(State(0), Vec::new(), Vec::new())];
    while let Some((state, stack, weights)) = open.pop() {
        if state == State(states - 1) {
            found.push((stack.clone(), weights.clone()));
        }
        for (transition, pairs) in explicit.iter().filter(|(t, _)| t.from == state) {
            let (mut stack, mut weights): (Vec<StackSymbol>, Vec<Pairs>) =
                (stack.clone(), weights.clone());
            stack.extend(transition.symbol);
            weights.push(pairs.clone());
            open.push((transition.to, stack, weights));
        }
    }
    found
}

fn summed(
    plain: &mut Plain<Relations>,
    backward: &PAutomaton<Bdd>,
    forward: &PAutomaton<Bdd>,
    p: ControlLocation,
    set: &StackAutomaton,
) -> Bdd {
    let one = plain.semiring.one().expect("no limit");
    let mut summary = FunctionalSummary::new(p, one);
    while !summary.is_done() {
        summary.step(plain, Read::of(backward), Read::of(forward), set).expect("no limit");
    }
    summary.total(plain, Read::of(backward), Read::of(forward), set).expect("no limit")
}

/// Is a stack in the set?
type Holds = Box<dyn Fn(&[StackSymbol]) -> bool>;

/// (A_b ⊓ A_f)(C) = ⊕ { A_b(c) ⊗ A_f(c) | c ∈ C }, over all paths of both automata for the same
/// stack; and *not* A_b(C) ⊗ A_f(C), which mixes the stacks up.
#[test]
fn the_intersection_is_the_sum_over_all_paths() {
    let (mut compared, mut mixed_up) = (0, 0);
    for seed in 0..120 {
        let mut random = Random::new(1000 + seed);
        let (b, f) = (random_automaton(&mut random, 5), random_automaton(&mut random, 4));
        let mut plain = Plain { semiring: domain(), weights: Vec::new() };
        let (backward, forward) =
            (build(&mut plain.semiring, &b, 5), build(&mut plain.semiring, &f, 4));
        let (b_paths, f_paths) = (paths(&b, 5), paths(&f, 4));
        let top = StackSymbol(random.below(SYMBOLS.into()) as u32);
        let all_called: Vec<StackSymbol> = vec![StackSymbol(random.below(SYMBOLS.into()) as u32)];
        let sets: [(StackAutomaton, Holds); 3] = [
            (StackAutomaton::all(), Box::new(|_| true)),
            (StackAutomaton::top(top), Box::new(move |stack| stack.first() == Some(&top))),
            (
                StackAutomaton::called_from(top, &all_called),
                Box::new(move |stack| {
                    stack.first() == Some(&top)
                        && stack.get(1).is_some_and(|below| all_called.contains(below))
                }),
            ),
        ];
        for (set, holds) in &sets {
            let (mut exact, mut before, mut after) = (Pairs::new(), Pairs::new(), Pairs::new());
            for (stack, weights) in b_paths.iter().filter(|(stack, _)| holds(stack)) {
                // Read backward: the bottom's weight runs first.
                let w_b = weights.iter().rev().fold(identity(), |w, next| then(&w, next));
                before.extend(w_b.iter().copied());
                for (_, weights) in f_paths.iter().filter(|(other, _)| other == stack) {
                    let w_f = weights.iter().fold(identity(), |w, next| then(&w, next));
                    exact.extend(then(&w_b, &w_f));
                    after.extend(w_f);
                }
            }
            let expected = weight(&mut plain.semiring, &exact);
            assert_eq!(
                summed(&mut plain, &backward, &forward, ControlLocation(0), set),
                expected,
                "seed {seed}"
            );
            compared += usize::from(!exact.is_empty());
            mixed_up += usize::from(then(&before, &after) != exact);
        }
    }
    assert!(
        compared > 80 && mixed_up > 20,
        "{compared} sums are not empty, {mixed_up} differ from the naive product"
    );
}

/// On random systems with bounded stacks: the chopping query WC(S, γ Γ*, T) by intersection of
/// post\*(S) and pre\*(T) is what walking all runs, with the relation so far and whether γ was on
/// top, adds up to.
#[test]
fn chopping_queries_equal_the_runs_through_the_chop() {
    let (mut compared, mut nonzero, mut naive_differs) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = Random::new(5000 + seed);
        let mut pds = Pds::new(1, SYMBOLS + 1);
        let mut rules = Vec::new();
        for _ in 0..5 + random.below(5) {
            let symbol =
                |random: &mut Random| StackSymbol(random.below(u64::from(SYMBOLS) + 1) as u32);
            let right = match random.below(4) {
                0 => Right::Pop,
                1 | 2 => Right::Step(symbol(&mut random)),
                _ => Right::Push(symbol(&mut random), symbol(&mut random)),
            };
            pds.add(Rule {
                from: ControlLocation(0),
                symbol: symbol(&mut random),
                to: ControlLocation(0),
                right,
            });
            rules.push(random_pairs(&mut random, 3));
        }
        let target = StackSymbol(SYMBOLS);
        let Some(expected) = walk(&pds, &rules, target) else { continue };
        let mut semiring = domain();
        let weights = rules.iter().map(|pairs| weight(&mut semiring, pairs)).collect();
        let mut plain = Plain { semiring, weights };
        let one = plain.semiring.one().expect("no limit");
        let start = StackAutomaton::exactly(&[StackSymbol(0)]).configurations(
            1,
            ControlLocation(0),
            SYMBOLS + 1,
            &one,
        );
        let mut post = PostStar::new(&plain, start, Vec::new());
        while !post.is_done() {
            post.step(&pds, &mut plain).expect("no limit");
        }
        let errors =
            StackAutomaton::top(target).configurations(1, ControlLocation(0), SYMBOLS + 1, &one);
        let mut pre = PreStar::new(&pds, &mut plain, errors, Vec::new()).expect("no limit");
        while !pre.is_done() {
            pre.step(&pds, &mut plain).expect("no limit");
        }
        for symbol in (0..=SYMBOLS).map(StackSymbol) {
            let set = StackAutomaton::top(symbol);
            let found =
                summed(&mut plain, post.automaton(), pre.automaton(), ControlLocation(0), &set);
            let wanted = weight(&mut plain.semiring, &expected[symbol.0 as usize]);
            assert_eq!(found, wanted, "seed {seed}, {symbol:?}");
            let p = ControlLocation(0);
            let reached = faultline::pds::read_backward(&mut plain, post.read(), p, &set, &one)
                .expect("no limit");
            let failing = faultline::pds::read_forward(&mut plain, pre.read(), p, &set, &one)
                .expect("no limit");
            let naive = plain.semiring.extend(&reached, &failing).expect("no limit");
            compared += 1;
            nonzero += usize::from(!found.is_false());
            naive_differs += usize::from(naive != found);
        }
    }
    assert!(
        compared > 200 && nonzero > 60 && naive_differs > 5,
        "{compared} compared, {nonzero} not zero, {naive_differs} naive differ"
    );
}

/// By symbol γ: the relations of all runs from ⟨0⟩ through γ on top to the target on top. `None`
/// where the stack may grow past a bound.
fn walk(pds: &Pds, rules: &[Pairs], target: StackSymbol) -> Option<Vec<Pairs>> {
    const DEEPEST: usize = 5;
    let mut through = Vec::new();
    for chop in (0..=SYMBOLS).map(StackSymbol) {
        // A node of the walk: stack, was γ on top already, store at the start, store now.
        type Node = (Vec<StackSymbol>, bool, u64, u64);
        let mut open: Vec<Node> =
            (0..STORES).map(|v| (vec![StackSymbol(0)], chop == StackSymbol(0), v, v)).collect();
        let mut seen: BTreeSet<Node> = open.iter().cloned().collect();
        let mut found = Pairs::new();
        while let Some((stack, passed, first, now)) = open.pop() {
            if passed && stack.first() == Some(&target) {
                found.insert((first, now));
            }
            let Some(top) = stack.first().copied() else { continue };
            for id in pds.from_head(ControlLocation(0), top) {
                let mut next = match pds.rule(*id).right {
                    Right::Pop => Vec::new(),
                    Right::Step(a) => vec![a],
                    Right::Push(a, b) => vec![a, b],
                };
                next.extend(&stack[1..]);
                for (_, to) in rules[id.0 as usize].iter().filter(|(from, _)| *from == now) {
                    if next.len() > DEEPEST {
                        return None;
                    }
                    let node = (next.clone(), passed || next.first() == Some(&chop), first, *to);
                    if seen.insert(node.clone()) {
                        open.push(node);
                    }
                }
            }
        }
        through.push(found);
    }
    Some(through)
}
