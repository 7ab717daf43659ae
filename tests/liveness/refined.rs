//! The refinement loop: its answers against those of the search of the whole product, and its
//! claims about cycles against the interpreter, which executes the product's statements one by one.

use crate::formulas::text;
use crate::programs::{ATOMS, program};
use crate::random::Random;
use crate::{answer_of, load};
use faultline::analysis::liveness::fairness::choices;
use faultline::analysis::liveness::refinement::LassoRound;
use faultline::analysis::liveness::refinement::unrolling::CyclicTrace;
use faultline::lang::interpreter::{Configuration, Machine, Outcome};
use faultline::lang::model::{EdgeId, Program};
use faultline::report::liveness::liveness_report;
use faultline::session::{Budgets, Job, LivenessQuestion, LivenessSession};
use faultline::wire::liveness::{LivenessReport, LivenessVerdict};
use std::collections::HashSet;
use std::rc::Rc;

/// What one question comes to.
struct Refined {
    report: LivenessReport,
    rounds: Vec<LassoRound>,
    /// The program that was abstracted; traces are made of its edges.
    product: Option<Rc<Program>>,
}

fn refined(source: &str, question: &LivenessQuestion, fair: bool, budgets: Budgets) -> Refined {
    let (program, options) = load(source);
    let program_of = Rc::clone(&program);
    let session = LivenessSession::new(program_of, source, &options, question, fair, budgets, None);
    let session = session.unwrap_or_else(|refusal| panic!("{refusal:?}\n{source}"));
    let mut session = session.refined(100);
    session.run();
    let report = liveness_report(&program, &options, &session);
    let refinement = session.refinement();
    Refined {
        report,
        rounds: refinement.map(|loop_| loop_.rounds().to_vec()).unwrap_or_default(),
        product: refinement.map(|loop_| Rc::clone(loop_.marked())),
    }
}

/// All configurations behind these statements, and whether these are all.
pub fn executed(
    machine: &Machine<'_>,
    from: &HashSet<Configuration>,
    edges: &[EdgeId],
) -> (HashSet<Configuration>, bool) {
    let (mut at, mut complete) = (from.clone(), true);
    for edge in edges {
        let mut next = HashSet::new();
        for configuration in &at {
            let successors = machine.successors(configuration, 600);
            complete &= successors.complete;
            for transition in successors.transitions {
                if let (true, Outcome::Next(to)) =
                    (transition.step.edge == *edge, transition.outcome)
                {
                    next.insert(to);
                }
            }
        }
        at = next;
        if at.len() > 3_000 {
            return (at, false);
        }
    }
    (at, complete)
}

/// Claims about cycles that the interpreter confirmed.
#[derive(Default, Debug)]
struct Confirmed {
    /// α β^i cannot be executed, and for i > 0 α β^(i-1) can.
    least: u32,
    /// The same with i > 1.
    later: u32,
    /// The cycle was executed several times.
    real: u32,
}

fn confirm(product: &Program, round: &LassoRound, told: &str, confirmed: &mut Confirmed) {
    let (Some(CyclicTrace { prefix, cycle, .. }), Some(unrolled)) = (&round.trace, round.unrolled)
    else {
        return;
    };
    let machine = Machine::new(product);
    let (starts, mut complete) = machine.starts(4_000);
    let (mut at, known) = executed(&machine, &starts.into_iter().collect(), prefix);
    complete &= known;
    let turns = unrolled.least.unwrap_or(6);
    for turn in 0..turns {
        assert!(!complete || !at.is_empty(), "only {turn} times, not before {unrolled:?}: {told}");
        let (next, known) = executed(&machine, &at, cycle);
        (at, complete) = (next, complete && known);
    }
    if !complete {
        return;
    }
    assert_eq!(at.is_empty(), unrolled.least.is_some(), "{unrolled:?}: {told}");
    match unrolled.least {
        None => confirmed.real += 1,
        Some(least) => {
            confirmed.least += 1;
            confirmed.later += u32::from(least > 1);
        }
    }
}

#[derive(Default, Debug)]
struct Tally {
    asked: u32,
    holds: u32,
    violated: u32,
    /// With at least one refinement.
    refined: u32,
    unknown: u32,
    limits: Vec<(u64, Option<faultline::util::Limit>, usize)>,
    confirmed: Confirmed,
}

fn compare(seed: u64, question: &LivenessQuestion, fair: bool, tally: &mut Tally) {
    let source = program(seed);
    let max_steps = if fair { 10_000_000 } else { 60_000_000 };
    let budgets = Budgets { max_nodes: 3_000_000, max_steps, ..Budgets::default() };
    let direct = answer_of(&source, question, fair, budgets);
    if direct.verdict == LivenessVerdict::Unknown {
        return;
    }
    let Refined { report, rounds, product } = refined(&source, question, fair, budgets);
    let told = format!("seed {seed}, {question:?}, fair: {fair}\n{source}\n{report:?}");
    assert_eq!(report.fault, None, "{told}");
    tally.asked += 1;
    match report.verdict {
        LivenessVerdict::Unknown => {
            tally.unknown += 1;
            tally.limits.push((seed, report.limit, rounds.len()));
        }
        verdict => assert_eq!(verdict, direct.verdict, "{told}"),
    }
    tally.holds += u32::from(report.verdict == LivenessVerdict::Holds);
    tally.violated += u32::from(report.verdict == LivenessVerdict::Violated);
    tally.refined += u32::from(rounds.len() > 1);
    if report.verdict == LivenessVerdict::Holds {
        assert!(report.proof.is_some_and(|proof| proof.checked), "{told}");
    }
    let Some(product) = product else { return };
    for round in &rounds {
        confirm(&product, round, &told, &mut tally.confirmed);
    }
}

/// Most questions are decided without a refinement or by a few; the sums below are measured with
/// some room.
#[test]
fn refined_answers_agree_with_the_search_of_the_whole_product() {
    let mut tally = Tally::default();
    let mut random = Random::new(8_2_1);
    for seed in 5_000..5_480 {
        let question = match seed % 6 {
            0 => LivenessQuestion::Termination,
            _ => LivenessQuestion::Formula(text(&mut random, &ATOMS)),
        };
        compare(seed, &question, false, &mut tally);
    }
    assert!(tally.asked >= 400, "{tally:?}");
    assert!(tally.unknown * 10 <= tally.asked, "{tally:?}");
    assert!(tally.holds >= 100 && tally.violated >= 100, "{tally:?}");
    assert!(tally.refined >= 100, "{tally:?}");
    assert!(tally.confirmed.least >= 100 && tally.confirmed.later >= 10, "{tally:?}");
    assert!(tally.confirmed.real >= 50, "{tally:?}");
}

/// The monitor of fair choices has many bits, all of them exact in the abstraction. About half of
/// the questions are beyond this budget already in their first round.
#[test]
fn refined_answers_about_fair_runs_agree_too() {
    let mut tally = Tally::default();
    let mut random = Random::new(8_2_2);
    for seed in 6_000..6_080 {
        let question = match seed % 4 {
            0 => LivenessQuestion::Termination,
            _ => LivenessQuestion::Formula(text(&mut random, &ATOMS)),
        };
        if !choices(&load(&program(seed)).0).is_empty() {
            compare(seed, &question, true, &mut tally);
        }
    }
    assert!(tally.asked >= 25, "{tally:?}");
    assert!(tally.unknown * 4 <= tally.asked * 3, "{tally:?}");
    assert!(tally.holds >= 3 && tally.violated >= 3, "{tally:?}");
}

fn least_of(rounds: &[LassoRound]) -> Vec<Option<u64>> {
    rounds.iter().filter_map(|round| round.unrolled).map(|unrolled| unrolled.least).collect()
}

/// A loop that counts: the abstraction goes round for ever, and the program seven times at most.
#[test]
fn a_loop_that_counts_is_unrolled_until_it_ends() {
    let source = "//! bits = 3\nvoid main() { unsigned int n = 0; while (n < 7) n = n + 1; }";
    let found = refined(source, &LivenessQuestion::Termination, false, Budgets::default());
    assert_eq!(found.report.verdict, LivenessVerdict::Holds, "{:?}", found.report);
    let least = least_of(&found.rounds);
    assert!(least.iter().flatten().any(|i| *i >= 7), "{least:?}");
    assert!(least.iter().all(Option::is_some), "{least:?}");
    let mut confirmed = Confirmed::default();
    for round in &found.rounds {
        confirm(found.product.as_ref().unwrap(), round, source, &mut confirmed);
    }
    assert_eq!(confirmed.least as usize, least.len());
}

/// A loop that counts further than a point has predicates: its counter is followed bit by bit.
#[test]
fn a_long_loop_makes_the_loop_follow_its_counter() {
    let source = "//! bits = 8\nvoid main() { unsigned int n = 0; while (n < 200) n = n + 1; }";
    let found = refined(source, &LivenessQuestion::Termination, false, Budgets::default());
    assert_eq!(found.report.verdict, LivenessVerdict::Holds, "{:?}", found.report);
    assert!(found.rounds.iter().any(|round| !round.round.followed.is_empty()));
}

/// The recursion that never ends is real: each round leaves a call on the stack.
#[test]
fn a_recursion_without_end_is_real() {
    let source = "//! bits = 2\nunsigned int x;\nvoid f(unsigned int n) { x = x + n; f(n); }\n\
                  void main() { f(1); }";
    let found = refined(source, &LivenessQuestion::Termination, false, Budgets::default());
    assert_eq!(found.report.verdict, LivenessVerdict::Violated, "{:?}", found.report);
    assert!(!found.report.lasso.as_ref().unwrap().grows.is_empty());
    assert_eq!(least_of(&found.rounds).last(), Some(&None));
}

/// A parameter that counts down through the recursion, with a call that returns in each round.
#[test]
fn a_recursion_that_ends_is_unrolled_through_its_calls() {
    let source = "//! bits = 2\nunsigned int x;\nvoid g() { x = x - 1; }\n\
                  void f() { g(); if (x != 0) f(); }\nvoid main() { x = 3; f(); }";
    let found = refined(source, &LivenessQuestion::Termination, false, Budgets::default());
    assert_eq!(found.report.verdict, LivenessVerdict::Holds, "{:?}", found.report);
    assert!(least_of(&found.rounds).iter().flatten().any(|i| *i >= 2), "{:?}", found.rounds.len());
}

#[test]
fn few_rounds_and_small_budgets_end_in_a_limit() {
    let source = "//! bits = 3\nvoid main() { unsigned int n = 0; while (n < 7) n = n + 1; }";
    let (program, options) = load(source);
    for (rounds, steps) in [(0, 1 << 40), (100, 200), (100, 20_000)] {
        let budgets = Budgets { max_steps: steps, ..Budgets::default() };
        let question = LivenessQuestion::Termination;
        let of = Rc::clone(&program);
        let session = LivenessSession::new(of, source, &options, &question, false, budgets, None);
        let mut session = session.unwrap().refined(rounds);
        session.run();
        let report = liveness_report(&program, &options, &session);
        assert_eq!(report.fault, None);
        assert!(report.verdict != LivenessVerdict::Violated, "{report:?}");
        if rounds == 0 || steps == 200 {
            assert_eq!(report.verdict, LivenessVerdict::Unknown, "{report:?}");
            assert!(report.limit.is_some());
        }
    }
}

/// What the tab Refinement shows of a formula: phases with words of their own, and the unrolled
/// trace with its interpolants as a round like those of assertions.
#[test]
fn the_page_reads_the_unrolled_trace_as_a_round() {
    use faultline::report::liveness_rounds::formula_report;
    use faultline::report::refinement_reading::{RoundReading, abstract_view};
    use faultline::wire::refinement::{CegarPhase, RefinementAsk};
    use faultline::wire::report::Verdict;
    let source = include_str!("../../static/examples/liveness-lock.c");
    let (program, options) = crate::load(source);
    let question = LivenessQuestion::Formula("G (locked -> F !locked)".to_string());
    let budgets = Budgets::default();
    let session =
        LivenessSession::new(program, source, &options, &question, false, budgets, None).unwrap();
    let mut session = session.refined(1_000).explained();
    session.run();
    let ask = RefinementAsk { of_formula: true, ..RefinementAsk::default() };
    let report = formula_report(&mut session, &options, &ask);
    assert_eq!(report.answer.as_ref().unwrap().verdict, Verdict::Unsafe);
    assert!(report.said[0].starts_with("Violated: some run"), "{:?}", report.said);
    let phases = &report.rounds[0].phases;
    let order: Vec<CegarPhase> = phases.iter().map(|one| one.phase).collect();
    let all = [
        CegarPhase::Abstract,
        CegarPhase::Check,
        CegarPhase::Dag,
        CegarPhase::Interpolate,
        CegarPhase::Verify,
        CegarPhase::Refine,
    ];
    assert_eq!(order, all);
    assert_eq!(phases[2].said[0], "the cycle cannot be executed a 1st time");
    let last = report.rounds.last().unwrap();
    assert_eq!(last.spurious, Some(false), "the last cycle is real");
    let mut reading = RoundReading::new(&session, 1).unwrap();
    while !reading.step(&mut session) {}
    let view = reading.finish(&session);
    assert_eq!(view.nodes.len(), report.rounds[0].dag_nodes as usize);
    assert_eq!(view.added.len(), report.rounds[0].predicates_added as usize);
    assert!(view.nodes.iter().all(|node| node.strongest.is_some() && node.weakest.is_some()));
    assert!(view.nodes.iter().any(|node| node.readable == "locked = 0"), "{:?}", view.nodes);
    let program = abstract_view(&mut session);
    assert!(program.rules.iter().all(|rule| !rule.concrete.is_empty()));
}
