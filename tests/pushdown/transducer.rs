//! The transducer of ⇒\* (Lal, Touili, Kidd, Reps 2007, § 5) against post\*, on Fig. 7's property,
//! and within Theorem 2's bounds.

use crate::support::Random;
use crate::support::systems::{Mix, relations, saturate_post, stacks};
use faultline::pds::transducer::Transducer;
use faultline::pds::{
    ControlLocation, Pds, Plain, Read, Right, Rule, StackAutomaton, StackSymbol, Weights,
    read_backward,
};
use faultline::semiring::{Boolean, MinPath, Semiring};

const LOCATIONS: u32 = 2;
const SYMBOLS: u32 = 3;

const MIX: Mix = Mix { locations: LOCATIONS, symbols: SYMBOLS, rules: (4, 6), parts: [2, 1, 1] };

/// Weight of every short pair of configurations: by the transducer, by its image, and by post\* of
/// the one configuration.
fn agree<S: Semiring>(pds: &Pds, domain: &mut Plain<S>, seed: u64) -> usize {
    let one = domain.semiring.one().expect("no limit");
    let transducer = Transducer::new(pds, domain, &one).expect("no limit");
    // Lemma 4 and Theorem 2; q_i, q_f and the copies of the locations in A_pop are ours to add.
    let (heads, rules) = ((LOCATIONS * SYMBOLS) as usize, pds.rules().len());
    assert!(transducer.grow().states() as usize <= LOCATIONS as usize + heads + rules);
    let copies = LOCATIONS as usize * (LOCATIONS as usize + heads + rules);
    assert!(transducer.states().len() <= 2 + LOCATIONS as usize + copies);
    let mut reached = 0;
    for from in (0..LOCATIONS).map(ControlLocation) {
        for stack in stacks(SYMBOLS, 2) {
            let start =
                StackAutomaton::exactly(&stack).configurations(LOCATIONS, from, SYMBOLS, &one);
            let image = transducer.image(domain, &start).expect("no limit");
            let direct = saturate_post(pds, domain, start);
            for to in (0..LOCATIONS).map(ControlLocation) {
                for end in stacks(SYMBOLS, 3) {
                    let set = StackAutomaton::exactly(&end);
                    let expected =
                        read_backward(domain, Read::of(&direct), to, &set, &one).expect("no limit");
                    let through =
                        transducer.weight(domain, (from, &stack), (to, &end)).expect("no limit");
                    assert_eq!(
                        through, expected,
                        "seed {seed}: {from:?} {stack:?} to {to:?} {end:?}"
                    );
                    let imaged =
                        read_backward(domain, Read::of(&image), to, &set, &one).expect("no limit");
                    assert_eq!(
                        imaged, expected,
                        "image, seed {seed}: {from:?} {stack:?} to {to:?} {end:?}"
                    );
                    reached += usize::from(!domain.is_zero(&expected));
                }
            }
        }
    }
    reached
}

#[test]
fn boolean_transducers_are_poststar_of_every_configuration() {
    let mut reached = 0;
    for seed in 0..40 {
        let pds = MIX.system(&mut Random::new(seed));
        let weights = vec![true; pds.rules().len()];
        reached += agree(&pds, &mut Plain { semiring: Boolean, weights }, seed);
    }
    assert!(reached > 1_500, "{reached}");
}

#[test]
fn minpath_transducers_are_poststar_of_every_configuration() {
    let mut reached = 0;
    for seed in 100..130 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let weights = pds.rules().iter().map(|_| Some(random.below(5))).collect();
        reached += agree(&pds, &mut Plain { semiring: MinPath, weights }, seed);
    }
    assert!(reached > 1_000, "{reached}");
}

/// Relations do not commute, so the directions of the two parts matter.
#[test]
fn relation_transducers_are_poststar_of_every_configuration() {
    let mut reached = 0;
    for seed in 200..215 {
        let mut random = Random::new(seed);
        let pds = MIX.system(&mut random);
        let mut domain = relations(&pds, &mut random, 5);
        reached += agree(&pds, &mut domain, seed);
    }
    assert!(reached > 300, "{reached}");
}

/// Fig. 7's property, on a system of ours (the figure's own is lost): ⟨p1, a⟩ comes to ⟨p2, b^n⟩
/// with weight n, for n ≥ 2.
#[test]
fn figure_7() {
    let (p1, p2, a, b) = (ControlLocation(0), ControlLocation(1), StackSymbol(0), StackSymbol(1));
    let mut pds = Pds::new(2, 2);
    pds.add(Rule { from: p1, symbol: a, to: p1, right: Right::Push(a, b) });
    pds.add(Rule { from: p1, symbol: a, to: p2, right: Right::Push(b, b) });
    let mut domain = Plain { semiring: MinPath, weights: vec![Some(1), Some(2)] };
    let transducer = Transducer::new(&pds, &mut domain, &Some(0)).expect("no limit");
    for n in 0..9usize {
        let weight =
            transducer.weight(&mut domain, (p1, &[a]), (p2, &vec![b; n])).expect("no limit");
        assert_eq!(weight, (n >= 2).then_some(n as u64), "b^{n}");
    }
    // What lies below is copied.
    assert_eq!(transducer.weight(&mut domain, (p1, &[a, a]), (p2, &[b, b, b, a])), Ok(Some(3)));
    // Nothing happens for nothing, and no location changes for nothing (the erratum to step 6).
    assert_eq!(transducer.weight(&mut domain, (p1, &[b]), (p1, &[b])), Ok(Some(0)));
    assert_eq!(transducer.weight(&mut domain, (p1, &[b]), (p2, &[b])), Ok(None));
}
