//! Automata of random formulas accept exactly the lasso words on which the formulas hold by
//! definition.

use crate::formulas::formula;
use crate::random::Random;
use faultline::analysis::liveness::automaton::Automaton;
use faultline::analysis::liveness::formula::Formula;
use faultline::analysis::liveness::word::LassoWord;

const ATOMS: u32 = 3;

fn word(random: &mut Random) -> LassoWord {
    let length = 1 + random.among(6) as usize;
    let letter = |random: &mut Random| (0..ATOMS).map(|_| random.flip()).collect();
    let letters = (0..length).map(|_| letter(random)).collect();
    LassoWord { letters, from: random.among(length as u32) as usize }
}

#[test]
fn automata_accept_what_formulas_mean() {
    let mut random = Random::new(22);
    let (mut formulas, mut accepted, mut rejected, mut largest) = (0, 0, 0, 0);
    for _ in 0..400 {
        let depth = 1 + random.among(4);
        let formula = formula(&mut random, depth, ATOMS);
        let Ok(automaton) = Automaton::of(&formula.normal(true)) else { continue };
        let Ok(opposite) = Automaton::of(&formula.normal(false)) else { continue };
        formulas += 1;
        largest = largest.max(automaton.states.len());
        for _ in 0..12 {
            let word = word(&mut random);
            let holds = word.holds(&formula)[0];
            assert_eq!(automaton.accepts(&word.letters, word.from), holds, "{formula:?} {word:?}");
            assert_eq!(opposite.accepts(&word.letters, word.from), !holds, "{formula:?} {word:?}");
            accepted += u32::from(holds);
            rejected += u32::from(!holds);
        }
    }
    assert!(formulas >= 300, "{formulas} formulas");
    assert!(accepted >= 1_000 && rejected >= 1_000, "{accepted} accepted, {rejected} rejected");
    assert!(largest <= 200, "{largest} states");
}

#[test]
fn what_people_write_needs_few_states() {
    let atom = |k| Box::new(Formula::Atom(k));
    let finally = |a| Box::new(Formula::Finally(a));
    let always = |a| Formula::Globally(a);
    let response = always(Box::new(Formula::Implies(atom(0), finally(atom(1)))));
    let again = |k| Box::new(always(finally(atom(k))));
    let fair = Formula::Implies(again(0), again(1));
    for (formula, most) in [
        (always(atom(0)), 2),
        (Formula::Finally(atom(0)), 1),
        (response, 2),
        (fair, 3),
        (Formula::Constant(true), 0),
    ] {
        let automaton = Automaton::of(&formula.normal(false)).unwrap();
        assert!(automaton.states.len() <= most, "{formula:?}: {}", automaton.states.len());
    }
}
