//! Runs read off saturations without witnesses, on random systems: each runs on a plain stack from
//! one set to the other, limits are exact, and products find what a plain search finds.

use crate::support::Random;
use crate::support::systems::{Mix, saturate_pre};
use faultline::pds::{
    ControlLocation, Derived, PAutomaton, Pds, Plain, PostStar, PreStar, Product, Right,
    StackAutomaton, StackSymbol, State, derive_backward, derive_forward, derive_shortest,
};
use faultline::semiring::{Boolean, CheapestPath, PathCost};
use faultline::util::Limit;
use std::collections::BTreeSet;

const MIX: Mix = Mix { locations: 3, symbols: 3, rules: (6, 8), parts: [3, 2, 2] };

/// A location with a random stack.
type Configuration = (ControlLocation, Vec<StackSymbol>);

fn set<W: Clone>(random: &mut Random, one: &W) -> PAutomaton<W> {
    let p = ControlLocation(random.below(3) as u32);
    let stack: Vec<StackSymbol> =
        (0..1 + random.below(3)).map(|_| StackSymbol(random.below(3) as u32)).collect();
    let stacks = match random.below(3) {
        0 => StackAutomaton::top(stack[0]),
        _ => StackAutomaton::exactly(&stack),
    };
    stacks.configurations(3, p, 3, one)
}

/// The stack that these transitions read, top first.
fn read<W>(automaton: &PAutomaton<W>, ids: &[u32]) -> Vec<StackSymbol> {
    ids.iter().filter_map(|id| automaton.transition(*id).symbol).collect()
}

fn apply(pds: &Pds, (mut p, stack): Configuration, run: &Derived) -> Configuration {
    let mut stack: Vec<StackSymbol> = stack.into_iter().rev().collect();
    for rule in run.rules.iter().map(|rule| pds.rule(*rule)) {
        assert_eq!((rule.from, Some(rule.symbol)), (p, stack.pop()), "a rule does not fit");
        p = rule.to;
        match rule.right {
            Right::Pop => {}
            Right::Step(top) => stack.push(top),
            Right::Push(top, below) => stack.extend([below, top]),
        }
    }
    stack.reverse();
    (p, stack)
}

fn explored(mut product: Product, left: &PAutomaton<bool>, right: &PAutomaton<bool>) -> Product {
    while !product.is_done() {
        product.step(left, right, u64::MAX).expect("no limit");
    }
    product
}

/// The result of a run of a given length is the same without a limit and with this length as the
/// limit, and a limit that is less by one is met.
fn check_limit<E: PartialEq + std::fmt::Debug>(
    length: usize,
    derive: impl Fn(usize) -> Result<Derived, E>,
    limit: E,
) {
    assert_eq!(derive(length), derive(10_000));
    if length > 0 {
        assert_eq!(derive(length - 1), Err(limit));
    }
}

#[test]
fn runs_lead_from_one_set_to_the_other() {
    let (mut runs, mut longest) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let mut domain = Plain { semiring: Boolean, weights: vec![true; pds.rules().len()] };
        let (initial, target) = (set(&mut random, &true), set(&mut random, &true));
        let mut post = PostStar::new(&domain, initial.clone(), Vec::new());
        while !post.is_done() {
            post.step(&pds, &mut domain).expect("no limit");
        }
        let pre = saturate_pre(&pds, &mut domain, target.clone());

        let forward = Product::first(post.automaton(), &target);
        let forward = explored(forward, post.automaton(), &target).common();
        let backward = explored(Product::first(&initial, &pre), &initial, &pre).common();
        assert_eq!(forward.is_some(), backward.is_some(), "post* meets T iff pre* meets I");
        let (Some(ahead), Some(back)) = (forward, backward) else { continue };

        let given = initial.transitions().len() as u32;
        let derive = |most| derive_forward(&pds, &post, given, ahead.location, &ahead.left, most);
        let run = derive(10_000).expect("short");
        let end = apply(&pds, (run.location, read(&initial, &run.given)), &run);
        assert_eq!(end, (ahead.location, read(&target, &ahead.right)));
        check_limit(run.rules.len(), derive, Limit::Depth);

        let given = target.transitions().len() as u32;
        let derive = |most| derive_backward(&pds, &pre, given, back.location, &back.right, most);
        let run = derive(10_000).expect("short");
        let end = apply(&pds, (back.location, read(&initial, &back.left)), &run);
        assert_eq!(end, (run.location, read(&target, &run.given)));
        check_limit(run.rules.len(), derive, Limit::Depth);
        (runs, longest) = (runs + 1, longest.max(run.rules.len()));
    }
    assert!(runs > 60 && longest > 5, "{runs} runs, the longest of {longest} rules");
}

#[test]
fn cheapest_runs_cost_what_is_said() {
    let mut runs = 0;
    for seed in 1_000..1_300 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let rule = |random: &mut Random| PathCost { weight: random.below(4), length: 1 };
        let weights: Vec<_> = pds.rules().iter().map(|_| Some(rule(&mut random))).collect();
        let mut domain = Plain { semiring: CheapestPath, weights };
        let nothing = Some(PathCost { weight: 0, length: 0 });
        let (initial, target) = (set(&mut random, &true), set(&mut random, &nothing));
        let given = target.transitions().len() as u32;
        let mut pre = PreStar::new(&pds, &mut domain, target.clone(), Vec::new()).expect("small");
        while !pre.is_done() {
            pre.step(&pds, &mut domain).expect("no limit");
        }
        let derive =
            |most| derive_shortest(&pds, &initial, &domain.weights, pre.automaton(), given, most);
        let Some((cost, run)) = derive(10_000) else { continue };
        let run = run.expect("short");
        let start = (run.location, read(&initial, &run.given));
        assert!(start.1.len() == run.given.len());
        apply(&pds, start, &run);
        let costs = run.rules.iter().filter_map(|rule| domain.weights[rule.0 as usize]);
        let total = costs.fold(PathCost { weight: 0, length: 0 }, PathCost::then);
        assert_eq!((total, total.length), (cost, run.rules.len() as u64));
        assert_eq!(derive(cost.length), Some((cost, Some(run))));
        if cost.length > 0 {
            assert_eq!(derive(cost.length - 1), Some((cost, None)), "the cost of a run too long");
            runs += 1;
        }
    }
    assert!(runs > 50, "{runs}");
}

/// The pairs of states that are reached from ⟨p, p⟩ by reading the same stack, and those of them
/// from which both automata can accept.
type Pairs = BTreeSet<(State, State)>;

fn pairs(left: &PAutomaton<bool>, right: &PAutomaton<bool>) -> (Pairs, Pairs) {
    let successors = |(a, b): (State, State)| {
        let both = |l: u32, r: u32| {
            let (l, r) = (left.transition(l), right.transition(r));
            (l.symbol == r.symbol).then_some((l.to, r.to))
        };
        let mut all = Pairs::new();
        for l in left.outgoing(a) {
            if left.transition(*l).symbol.is_none() {
                all.insert((left.transition(*l).to, b));
            }
            all.extend(right.outgoing(b).iter().filter_map(|r| both(*l, *r)));
        }
        all
    };
    let starts = (0..left.locations()).map(State).filter(|p| {
        let reads = |a: &PAutomaton<bool>| a.is_final(*p) || !a.outgoing(*p).is_empty();
        reads(left) && reads(right)
    });
    let mut reached: Pairs = starts.map(|p| (p, p)).collect();
    loop {
        let more: Pairs = reached.iter().flat_map(|pair| successors(*pair)).collect();
        if more.is_subset(&reached) {
            break;
        }
        reached.extend(more);
    }
    let ends = |(a, b): &&(State, State)| left.is_final(*a) && right.is_final(*b);
    let mut alive: Pairs = reached.iter().filter(ends).copied().collect();
    loop {
        let leads = |pair: &&(State, State)| !successors(**pair).is_disjoint(&alive);
        let more: Pairs = reached.iter().filter(leads).copied().collect();
        if more.is_subset(&alive) {
            return (reached, alive);
        }
        alive.extend(more);
    }
}

#[test]
fn products_mark_the_pairs_that_accept() {
    let (mut dead, mut limited) = (0, 0);
    for seed in 2_000..2_200 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let mut domain = Plain { semiring: Boolean, weights: vec![true; pds.rules().len()] };
        let (initial, target) = (set(&mut random, &true), set(&mut random, &true));
        let mut post = PostStar::new(&domain, initial.clone(), Vec::new());
        while !post.is_done() {
            post.step(&pds, &mut domain).expect("no limit");
        }
        let pre = saturate_pre(&pds, &mut domain, target);
        let mut product = explored(Product::all(post.automaton(), &pre), post.automaton(), &pre);
        product.mark();
        let (reached, alive) = pairs(post.automaton(), &pre);
        for a in (0..post.automaton().states()).map(State) {
            for b in (0..pre.states()).map(State) {
                assert_eq!(product.accepts_from(a, b), alive.contains(&(a, b)), "{a:?} {b:?}");
            }
        }
        assert_eq!(product.common().is_some(), !alive.is_empty());
        dead += reached.len() - alive.len();

        // Without ε transitions every edge costs one look, and so does every pair.
        let mut small = Product::all(&initial, &pre);
        let mut looked = 0;
        while !small.is_done() {
            looked += small.step(&initial, &pre, u64::MAX).expect("no limit");
        }
        assert_eq!(looked, small.size());
        assert_eq!(small.step(&initial, &pre, u64::MAX), Ok(0), "it is done");
        let within = |most| {
            let mut again = Product::all(&initial, &pre);
            while !again.is_done() {
                again.step(&initial, &pre, most)?;
            }
            Ok(again.size())
        };
        assert_eq!(within(small.size()), Ok(small.size()));
        if small.size() > 1 {
            assert_eq!(within(small.size() - 1), Err(Limit::Nodes));
            limited += 1;
        }
    }
    assert!(dead > 50 && limited > 50, "{dead} {limited}");
}
