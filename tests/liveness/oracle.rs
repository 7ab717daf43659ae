//! Random programs and random formulas: every answer against the explicit product. A lasso that is
//! shown has been replayed twice round, and its formula evaluated on it, before the report is made;
//! so here only verdicts are compared.

use crate::explicit::explore;
use crate::formulas::text;
use crate::programs::{ATOMS, program};
use crate::random::Random;
use crate::{answer, answer_of, load};
use faultline::analysis::liveness::automaton::Automaton;
use faultline::analysis::liveness::fairness::choices;
use faultline::analysis::liveness::parser::{parse, termination};
use faultline::session::{Budgets, LivenessQuestion};
use faultline::wire::liveness::LivenessVerdict;

/// Small budgets: what runs out of them is not compared.
fn budgets() -> Budgets {
    Budgets { max_nodes: 3_000_000, max_steps: 40_000_000, ..Budgets::default() }
}

#[derive(Default, Debug)]
struct Tally {
    compared: u32,
    violated: u32,
    recursive: u32,
    grows: u32,
    /// Statements of programs with a violating run: on such a run, and reached but on none.
    lit: u32,
    innocent: u32,
    open: u32,
    unknown: u32,
}

fn compare(seed: u64, question: Option<String>, fair: bool, tally: &mut Tally) {
    let source = program(seed);
    let (model, _) = load(&source);
    let groups = if fair { choices(&model) } else { Vec::new() };
    if fair && groups.is_empty() {
        return;
    }
    let (explicit, asked) = match &question {
        None => (explore(&model, &termination(), None, &groups), LivenessQuestion::Termination),
        Some(formula) => {
            let reading = parse(&model, &source, formula)
                .unwrap_or_else(|error| panic!("{formula}: {error:?}"));
            let automaton = Automaton::of(&reading.formula.normal(false)).unwrap();
            let explicit = match automaton.states.is_empty() {
                true => explore(&model, &reading, None, &groups),
                false => explore(&model, &reading, Some(&automaton), &groups),
            };
            if automaton.states.is_empty() {
                return;
            }
            (explicit, LivenessQuestion::Formula(formula.clone()))
        }
    };
    let report = answer_of(&source, &asked, fair, budgets());
    let told = format!("seed {seed}, {question:?}, {explicit:?}\n{source}\n{report:?}");
    assert_eq!(report.fault, None, "{told}");
    match report.verdict {
        LivenessVerdict::Unknown => {
            tally.unknown += 1;
            return;
        }
        LivenessVerdict::Holds => {
            assert!(!explicit.accepting, "{told}");
            assert!(report.proof.is_some_and(|proof| proof.checked), "{told}");
        }
        LivenessVerdict::Violated => {
            let lasso = report.lasso.as_ref().unwrap();
            assert!(explicit.accepting || !explicit.complete, "{told}");
            tally.grows += u32::from(!lasso.grows.is_empty());
        }
    }
    if !explicit.complete && !explicit.accepting {
        tally.open += 1;
        return;
    }
    if report.verdict == LivenessVerdict::Violated && explicit.complete {
        assert_eq!(report.statements_limit, None, "{told}");
        assert!(!report.statements.is_empty(), "{told}");
        for statement in &report.statements {
            let expected = explicit.violating[statement.edge as usize];
            assert_eq!(statement.violating, expected, "{statement:?}: {told}");
            assert!(statement.reached || !expected, "{statement:?}: {told}");
            tally.lit += u32::from(expected);
            tally.innocent += u32::from(statement.reached && !expected);
        }
    }
    tally.compared += 1;
    tally.violated += u32::from(report.verdict == LivenessVerdict::Violated);
    tally.recursive += u32::from(source.matches("f(").count() > 1);
}

#[test]
fn formulas_agree_with_an_explicit_product() {
    let mut tally = Tally::default();
    let mut random = Random::new(8_2);
    for seed in 0..560 {
        let formula = text(&mut random, &ATOMS);
        compare(seed, Some(formula), false, &mut tally);
    }
    assert!(tally.compared >= 400, "{tally:?}");
    assert!(tally.violated * 100 >= tally.compared * 30, "{tally:?}");
    assert!(tally.recursive >= 100 && tally.grows >= 3, "{tally:?}");
    assert!(tally.lit >= 500 && tally.innocent >= 100, "{tally:?}");
    assert!(tally.unknown <= 5, "{tally:?}");
}

#[test]
fn termination_agrees_with_repeated_configurations() {
    let mut tally = Tally::default();
    for seed in 1_000..1_200 {
        compare(seed, None, false, &mut tally);
    }
    assert!(tally.compared >= 120, "{tally:?}");
    assert!(tally.violated * 100 >= tally.compared * 30, "{tally:?}");
}

/// How many questions have another answer when only fair runs count, is counted as well: the two
/// answers must differ in one direction only.
#[test]
fn fair_runs_agree_with_an_explicit_product() {
    let mut tally = Tally::default();
    let mut random = Random::new(8_3);
    let mut mended = 0;
    for seed in 3_000..3_400 {
        let formula = (seed % 4 != 0).then(|| text(&mut random, &ATOMS));
        let before = tally.violated;
        compare(seed, formula.clone(), true, &mut tally);
        let asked = formula.map_or(LivenessQuestion::Termination, LivenessQuestion::Formula);
        let all = answer(&program(seed), &asked, budgets());
        match all.verdict {
            LivenessVerdict::Holds => assert_eq!(before, tally.violated, "seed {seed}"),
            LivenessVerdict::Violated => mended += u32::from(before == tally.violated),
            LivenessVerdict::Unknown => {}
        }
    }
    assert!(tally.compared >= 150, "{tally:?}");
    assert!(tally.violated >= 40 && mended >= 20, "{mended} mended, {tally:?}");
    assert!(tally.unknown <= 20, "{tally:?}");
}

#[test]
fn never_failing_is_what_check_decides() {
    use faultline::session::{Job, Outcome, Session, Task};
    use faultline::wire::options::RequestedOptions;
    let (mut safe, mut failing) = (0, 0);
    for seed in 2_000..2_120 {
        let source = program(seed);
        let (mut session, _) = Session::load(&source, &RequestedOptions::default());
        session.start(Task::Check, budgets());
        session.run();
        let expected = match session.outcome() {
            Outcome::Safe => LivenessVerdict::Holds,
            Outcome::Unsafe => LivenessVerdict::Violated,
            _ => continue,
        };
        let report = answer(&source, &LivenessQuestion::Formula("G !fails".into()), budgets());
        assert_eq!(report.verdict, expected, "seed {seed}\n{source}\n{report:?}");
        safe += u32::from(expected == LivenessVerdict::Holds);
        failing += u32::from(expected == LivenessVerdict::Violated);
    }
    assert!(safe >= 30 && failing >= 20, "{safe} safe, {failing} failing");
}
