//! Recordings and witnesses (Reps, Schwoon, Jha, Melski 2005, § 3.2): on random systems over three
//! domains the witness of every transition at every step combines to its weight, and every sequence
//! of rules that it stands for runs, on a plain stack.

use crate::support::Random;
use crate::support::systems::{Mix, relations};
use faultline::pds::{
    BackwardWeights, ControlLocation, ForwardWeights, PAutomaton, Pds, Plain, PostStar, PreStar,
    Read, Recording, Right, RuleSequence, StackAutomaton, StackSymbol, Star, State, Transition,
    Weights, Witness, read_backward, read_forward, read_set,
};
use faultline::semiring::{Boolean, MinPath, Semiring};
use faultline::util::Limit;

const LOCATIONS: u32 = 2;
const SYMBOLS: u32 = 3;
/// Sequences of one witness that are looked at; more are only counted.
const SEQUENCES: usize = 400;

const MIX: Mix = Mix { locations: LOCATIONS, symbols: SYMBOLS, rules: (5, 6), parts: [2, 1, 1] };

/// ⟨p, γ1 γ2⟩, or ⟨p, γ1 γ2 .*⟩.
fn start<W: Clone>(random: &mut Random, one: &W) -> PAutomaton<W> {
    let p = ControlLocation(random.below(LOCATIONS.into()) as u32);
    let stack: Vec<StackSymbol> = (0..1 + random.below(2))
        .map(|_| StackSymbol(random.below(SYMBOLS.into()) as u32))
        .collect();
    let set = match random.below(3) {
        0 => StackAutomaton::top(stack[0]),
        _ => StackAutomaton::exactly(&stack),
    };
    set.configurations(LOCATIONS, p, SYMBOLS, one)
}

enum Saturation<D: ForwardWeights> {
    Post(PostStar<D>),
    Pre(PreStar<D>),
}

struct Recorded<D: ForwardWeights + BackwardWeights> {
    star: Star,
    last: PAutomaton<D::Weight>,
    /// The automaton after each step.
    after: Vec<PAutomaton<D::Weight>>,
    recording: Recording<D::Weight>,
}

fn record<D: ForwardWeights + BackwardWeights>(
    pds: &Pds,
    domain: &mut D,
    given: PAutomaton<D::Weight>,
    star: Star,
) -> Recorded<D> {
    let mut recording = Recording::new(&given);
    let mut saturation = match star {
        Star::Post => Saturation::Post(PostStar::new(domain, given.clone(), Vec::new())),
        Star::Pre => {
            let observed =
                PreStar::new_observed(pds, domain, given.clone(), Vec::new(), &mut recording);
            Saturation::Pre(observed.expect("no limit"))
        }
    };
    let mut after = Vec::new();
    loop {
        let (automaton, done, waiting) = match &saturation {
            Saturation::Post(post) => {
                (post.automaton(), post.is_done(), post.waiting().collect::<Vec<_>>())
            }
            Saturation::Pre(pre) => (pre.automaton(), pre.is_done(), pre.waiting().collect()),
        };
        recording.waits(waiting.iter().copied());
        after.push(automaton.clone());
        assert_eq!(
            recording.steps().last().map(|step| step.waiting_count as usize),
            Some(waiting.len())
        );
        if done {
            break;
        }
        match &mut saturation {
            Saturation::Post(post) => post.step_observed(pds, domain, &mut recording),
            Saturation::Pre(pre) => pre.step_observed(pds, domain, &mut recording),
        }
        .expect("no limit");
        assert_eq!(
            recording.steps().last().and_then(|step| step.looked_at),
            waiting.first().copied(),
            "the first that waits is next"
        );
    }
    Recorded { star, last: after.last().expect("step 0").clone(), after, recording }
}

/// Applies rules to a plain stack (top last).
fn run(
    pds: &Pds,
    mut p: ControlLocation,
    mut stack: Vec<StackSymbol>,
    sequence: &RuleSequence,
) -> Option<(ControlLocation, Vec<StackSymbol>)> {
    for rule in &sequence.rules {
        let rule = pds.rule(*rule);
        if rule.from != p || stack.pop() != Some(rule.symbol) {
            return None;
        }
        p = rule.to;
        match rule.right {
            Right::Pop => {}
            Right::Step(top) => stack.push(top),
            Right::Push(top, below) => stack.extend([below, top]),
        }
    }
    Some((p, stack))
}

/// Does the sequence do what a transition says?
fn check_run<D: ForwardWeights + BackwardWeights>(
    pds: &Pds,
    recorded: &Recorded<D>,
    transition: Transition,
    sequence: &RuleSequence,
) {
    let symbols = |ids: &[u32]| -> Vec<StackSymbol> {
        ids.iter().rev().filter_map(|id| recorded.last.transition(*id).symbol).collect()
    };
    let control = |state: State| recorded.last.control(state);
    let symbol: Vec<StackSymbol> = transition.symbol.into_iter().collect();
    let context = format!("{transition:?} {sequence:?}");
    match recorded.star {
        Star::Post => {
            let first =
                recorded.last.transition(*sequence.given.first().expect("it starts somewhere"));
            let Some(from) = control(first.from) else {
                // A given transition further down: nothing happened to it.
                assert!(sequence.rules.is_empty() && sequence.given.len() == 1, "{context}");
                return;
            };
            let end = run(pds, from, symbols(&sequence.given), sequence)
                .unwrap_or_else(|| panic!("does not run: {context}"));
            let expected = match transition.via {
                Some(rule) => (pds.rule(rule).from, vec![pds.rule(rule).symbol]),
                None => (control(transition.from).expect("a control location"), symbol),
            };
            assert_eq!(end, expected, "{context}");
        }
        Star::Pre => {
            let Some(from) = control(transition.from) else {
                assert!(sequence.rules.is_empty(), "{context}");
                return;
            };
            let (p, stack) = run(pds, from, symbol, sequence)
                .unwrap_or_else(|| panic!("does not run: {context}"));
            assert_eq!(stack, symbols(&sequence.given), "{context}");
            match sequence.given.first() {
                Some(first) => {
                    assert_eq!(Some(p), control(recorded.last.transition(*first).from), "{context}")
                }
                None => assert_eq!(Some(p), control(transition.to), "{context}"),
            }
        }
    }
}

/// What the rules weigh together, one after the other.
fn weight_of<S: Semiring>(domain: &mut Plain<S>, sequence: &RuleSequence) -> S::Weight {
    let mut weight = domain.semiring.one().expect("no limit");
    for rule in &sequence.rules {
        weight = domain.after(&weight, *rule).expect("no limit");
    }
    weight
}

#[derive(Default)]
struct Counts {
    transitions: usize,
    sequences: usize,
    raised: usize,
    several: usize,
}

fn check<S: Semiring>(pds: &Pds, domain: &mut Plain<S>, random: &mut Random, counts: &mut Counts)
where
    S::Weight: PartialEq,
{
    let one = domain.semiring.one().expect("no limit");
    for star in [Star::Post, Star::Pre] {
        let given = start(random, &one);
        let recorded = record(pds, domain, given, star);
        let steps = recorded.recording.steps().len();
        let changes: Vec<(u32, u32)> =
            recorded.recording.steps().iter().flat_map(|step| step.changes.clone()).collect();
        assert_eq!(recorded.recording.changes() as usize, changes.len());
        for (moment, (transition, version)) in (0u32..).zip(changes) {
            let version = recorded.recording.version(transition, version).expect("it was noted");
            assert_eq!(version.moment, moment);
        }
        for k in 0..steps {
            // The recording as of a step is the automaton that was there.
            let replayed = recorded.recording.automaton(&recorded.last, Some(k as u32));
            assert_eq!(replayed.transitions(), recorded.after[k].transitions());
            assert_eq!(replayed.weights(), recorded.after[k].weights());
        }
        for k in [steps / 2, steps - 1] {
            let automaton = &recorded.after[k];
            for id in 0..automaton.transitions().len() as u32 {
                let part = recorded.recording.until(id, Some(k as u32));
                let witness =
                    Witness::new(domain, &recorded.recording, star, part, 100_000).expect("small");
                let transition = automaton.transition(id);
                assert_eq!(&witness.nodes()[0].weight, automaton.weight(id));
                for (number, node) in witness.nodes().iter().enumerate() {
                    let older = node
                        .derivations
                        .iter()
                        .flat_map(|(derivation, _)| derivation.premises())
                        .all(|p| p as usize > number);
                    assert!(older, "premises come after what they are premises of");
                }
                let short = witness.short_sequence(100_000).expect("no loop is summed up");
                check_run(pds, &recorded, transition, &short);
                let length = short.rules.len() as u64;
                assert_eq!(witness.short_sequence(length).as_ref(), Ok(&short));
                if length > 0 {
                    assert_eq!(witness.short_sequence(length - 1), Err(Limit::Depth));
                }
                counts.transitions += 1;
                counts.raised += usize::from(recorded.recording.part(part).len() > 1);
                let Some(all) = witness.sequences(SEQUENCES) else { continue };
                if witness.nodes().iter().all(|node| node.derivations.len() == 1) {
                    assert_eq!(witness.sequences(1).as_ref(), Some(&all));
                }
                assert_eq!(witness.sequences(all.len() - 1), None, "one more than allowed");
                assert!(
                    all.contains(&short)
                        && all.iter().all(|other| short.rules.len() <= other.rules.len())
                );
                let mut total = domain.zero();
                for sequence in &all {
                    check_run(pds, &recorded, transition, sequence);
                    let weight = weight_of(domain, sequence);
                    total = domain.combine(&total, &weight).expect("no limit");
                }
                assert_eq!(
                    &total,
                    automaton.weight(id),
                    "step {k} of {steps}, {star:?}, {transition:?}: {all:?}"
                );
                counts.sequences += all.len();
                counts.several += usize::from(all.len() > 1);
            }
        }
        check_sets(domain, &recorded, random, &one);
    }
}

/// Reading a set by paths gives what reading it without them gives.
fn check_sets<S: Semiring>(
    domain: &mut Plain<S>,
    recorded: &Recorded<Plain<S>>,
    random: &mut Random,
    one: &S::Weight,
) {
    for p in (0..LOCATIONS).map(ControlLocation) {
        let symbol = |random: &mut Random| StackSymbol(random.below(SYMBOLS.into()) as u32);
        for set in [
            StackAutomaton::top(symbol(random)),
            StackAutomaton::all(),
            StackAutomaton::exactly(&[symbol(random), symbol(random)]),
            StackAutomaton::exactly(&[]),
        ] {
            let configurations = set.configurations(LOCATIONS, p, SYMBOLS, &true);
            let read =
                read_set(domain, &recorded.last, &configurations, recorded.star, one, 1_000_000)
                    .expect("small");
            let expected = match recorded.star {
                Star::Post => read_backward(domain, Read::of(&recorded.last), p, &set, one),
                Star::Pre => read_forward(domain, Read::of(&recorded.last), p, &set, one),
            };
            assert_eq!(read.weight, expected.expect("no limit"));
            assert_eq!(read.paths.is_empty(), domain.is_zero(&read.weight));
            let mut total = domain.zero();
            for path in &read.paths {
                total = domain.combine(&total, &path.weight).expect("no limit");
            }
            assert_eq!(total, read.weight);
        }
    }
}

/// A step lists the first 24 transitions that wait, and counts all.
#[test]
fn a_step_lists_the_first_that_wait() {
    let mut recording = Recording::new(&PAutomaton::<bool>::new(1));
    for count in [30, 3, 24, 25] {
        recording.waits(0..count);
        let step = &recording.steps()[0];
        assert_eq!(step.waiting, (0..count.min(24)).collect::<Vec<u32>>());
        assert_eq!(step.waiting_count, count);
    }
}

#[test]
fn boolean_witnesses() {
    let mut counts = Counts::default();
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let weights = vec![true; pds.rules().len()];
        check(&pds, &mut Plain { semiring: Boolean, weights }, &mut random, &mut counts);
    }
    assert!(
        counts.transitions > 1_500 && counts.sequences == counts.transitions,
        "{} {}",
        counts.transitions,
        counts.sequences
    );
}

#[test]
fn shortest_path_witnesses() {
    let mut counts = Counts::default();
    for seed in 200..320 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let weights = pds.rules().iter().map(|_| Some(random.below(6))).collect();
        check(&pds, &mut Plain { semiring: MinPath, weights }, &mut random, &mut counts);
    }
    assert!(
        counts.raised > 40 && counts.sequences > 1_500,
        "{} {}",
        counts.raised,
        counts.sequences
    );
}

#[test]
fn relation_witnesses() {
    let mut counts = Counts::default();
    for seed in 400..460 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let mut domain = relations(&pds, &mut random, 4);
        check(&pds, &mut domain, &mut random, &mut counts);
    }
    assert!(
        counts.several > 100 && counts.raised > 200 && counts.sequences > 1_500,
        "{} {} {}",
        counts.several,
        counts.raised,
        counts.sequences
    );
}
