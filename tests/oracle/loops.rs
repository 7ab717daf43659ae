//! Loops whose rounds are summed up: against the oracle, and against saturation round by round.

use crate::compare::difference;
use crate::explicit::{Settings, explore};
use crate::replays::replays;
use crate::support::Random;
use crate::support::load;
use crate::support::shrink::each;
use crate::support::tree::Program;
use crate::symbolic::answer;
use faultline::analysis::reach::Reach;
use faultline::bdd::{KernelLimits, Var};
use faultline::encode::AccelerateLoops;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::util::Stage;
use faultline::wire::options::RequestedOptions;
use std::collections::BTreeMap;
use std::fmt::Write;

fn pick<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len() as u64) as usize]
}

/// A random program of loops over a global and some locals, with numbers up to 15.
///
/// Not by `support::generate`: its numbers have few bits and its loops seldom count, so there would
/// be little to sum up.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut text = String::from("//! bits = 5\nint g;\n");
    let with_callee = random.below(3) > 0;
    if with_callee {
        text.push_str("int f(int p) {\n  int q = p;\n");
        block(&mut text, &mut random, &["p", "q", "g"], 1, false);
        text.push_str("  return q;\n}\n");
    }
    text.push_str("void main() {\n  int x = 0, y = 1, z = 2;\n  g = 0;\n");
    if random.below(3) == 0 {
        text.push_str("  x = nondet();\n");
    }
    block(&mut text, &mut random, &["x", "y", "z", "g"], 2, with_callee);
    text.push_str("  while (x < 12) {\n");
    block(&mut text, &mut random, &["y", "g"], 1, with_callee);
    let _ = writeln!(
        text,
        "    assert({} != {});",
        pick(&mut random, &["x", "y", "g"]),
        random.below(12)
    );
    text.push_str("    x++;\n  }\n");
    let (a, b, k) = (
        pick(&mut random, &["x", "y", "g"]),
        pick(&mut random, &["y", "z", "g"]),
        random.below(14),
    );
    let assertion = match random.below(3) {
        0 => format!("  assert({a} != {k});\n"),
        1 => format!("  assert({a} >= {b});\n"),
        _ => format!("  assert({a} + {b} != {k});\n"),
    };
    text.push_str(&assertion);
    text.push_str("}\n");
    Program::of_text(&text)
}

fn block(text: &mut String, random: &mut Random, names: &[&str], depth: u32, calls: bool) {
    for _ in 0..1 + random.below(3) {
        statement(text, random, names, depth, calls);
    }
}

fn statement(text: &mut String, random: &mut Random, names: &[&str], depth: u32, calls: bool) {
    let (a, b, k) = (pick(random, names), pick(random, names), random.below(15));
    let compare = pick(random, &["<", "!=", ">", "<="]);
    let _ = match random.below(if depth == 0 { 5 } else { 11 }) {
        0 | 1 => {
            writeln!(text, "  {a} = {a} {} {};", pick(random, &["+", "-"]), 1 + random.below(3))
        }
        2 => writeln!(text, "  {a} = {b} + {k};"),
        3 if calls => writeln!(text, "  {a} = f({b});"),
        3 => writeln!(text, "  {a} = {k};"),
        4 => writeln!(text, "  if ({a} == {k}) {{ {b} = {a}; }} else {{ {b}++; }}"),
        5 => writeln!(text, "  assert({a} != {k} || {b} {compare} {});", random.below(15)),
        6 => {
            let _ = writeln!(text, "  if ({a} {compare} {k}) {{");
            block(text, random, names, depth - 1, calls);
            writeln!(text, "  }}")
        }
        7 => {
            let _ = writeln!(text, "  do {{");
            block(text, random, names, depth - 1, calls);
            writeln!(text, "    {a}++;\n  }} while ({a} {compare} {k});")
        }
        kind => {
            let condition = if kind == 8 { "*".to_string() } else { format!("{a} {compare} {k}") };
            let _ = writeln!(text, "  while ({condition}) {{");
            block(text, random, names, depth - 1, calls);
            if random.below(4) == 0 {
                let _ = writeln!(text, "    if ({b} == {}) {{ break; }}", random.below(15));
            }
            writeln!(text, "    {a} = {a} + {};\n  }}", 1 + random.below(2))
        }
    };
}

/// By transition of post\*: how many pairs of stores it relates. And how many loops were summed up.
fn weights(source: &str, loops: AccelerateLoops) -> (BTreeMap<String, String>, usize) {
    let program = load::program(source);
    let mut reach = Reach::new(program, None, KernelLimits::NONE).expect("few variables");
    reach.domain.accelerate_loops(loops);
    while !reach.is_done() {
        reach.step().expect("no limits");
    }
    let levels: Vec<Var> = (0..reach.domain.kernel.levels()).map(Var).collect();
    let automaton = reach.poststar.automaton();
    let mut counts = BTreeMap::new();
    for (id, transition) in automaton.transitions().iter().enumerate() {
        let procedure = |state| reach.procedure_of(state).0;
        let name = format!(
            "{:?} {:?} {} {}",
            transition.symbol,
            transition.via,
            transition.from.0.min(1),
            procedure(transition.to)
        );
        counts.insert(
            name,
            reach.domain.kernel.sat_count(*automaton.weight(id as u32), &levels).to_string(),
        );
    }
    (counts, reach.domain.accelerated_loops())
}

/// Verdict, reached statements and both projections are the oracle's; failing runs replay.
#[test]
fn accelerated_loops_agree_with_the_oracle() {
    let (mut compared, mut failing) = (0, 0);
    each(0..110, program, |seed, source| {
        let program = crate::load(source).expect("a program");
        let Some(oracle) = explore(&program, Settings { cap: 8_000, ..Settings::default() }) else {
            return;
        };
        let budgets = Budgets { loops: AccelerateLoops::After(1), ..Budgets::default() };
        let product = answer(source, None, budgets);
        assert_eq!(difference(&program, &oracle, &product), None, "seed {seed}\n{source}");
        compared += 1;
        failing += u32::from(oracle.is_unsafe);
    });
    assert!(compared >= 30, "{compared}");
    assert!((15..=95).contains(&(100 * failing / compared)), "{failing} of {compared}");
}

/// All weights are those of plain rounds.
#[test]
fn accelerated_loops_change_no_weight() {
    let (mut summed_up, mut compared) = (0, 0);
    each(1000..1040, program, |seed, source| {
        let (plain, none) = weights(source, AccelerateLoops::Never);
        let (accelerated, loops) = weights(source, AccelerateLoops::After(1 + seed % 3));
        assert_eq!(none, 0);
        assert_eq!(plain, accelerated, "seed {seed}\n{source}");
        summed_up += u32::from(loops > 0);
        compared += 1;
    });
    assert!(summed_up * 100 >= compared * 70, "{summed_up} of {compared}");
}

/// With garbage collected after every step, what was freed poisoned: failing runs through rounds
/// are found all the same.
#[test]
fn runs_through_rounds_survive_collections() {
    let mut failing = 0;
    each(2000..2005, program, |seed, source| {
        let budgets = Budgets {
            loops: AccelerateLoops::After(1),
            collect_every_step: true,
            ..Budgets::default()
        };
        let (mut session, _) = Session::load(source, &RequestedOptions::default());
        session.start(Task::Check, budgets);
        // A shortest run is looked for in another way.
        while session.stage() != Stage::Shortest && !session.step() {}
        assert!(session.fault().is_none(), "seed {seed}: {:?}\n{source}", session.fault());
        let plain = Budgets { loops: AccelerateLoops::Never, ..Budgets::default() };
        let outcome = session.outcome();
        if outcome == Outcome::Unsafe {
            let program = session.program().expect("a program");
            assert!(
                replays(program, session.failing_run().expect("a run"), None),
                "seed {seed}\n{source}"
            );
            failing += 1;
        }
        session.start(Task::Check, plain);
        while session.stage() != Stage::Shortest && !session.step() {}
        assert_eq!(session.outcome(), outcome, "seed {seed}\n{source}");
    });
    assert!(failing >= 1, "{failing}");
}

/// What plain rounds would take days for, at 32 bits.
#[test]
fn far_counting_is_decided() {
    let check = |body: &str| {
        let source = format!("//! bits = 32\nvoid main() {{ {body} }}\n");
        let mut session = load::session(&source);
        session.start(Task::Check, Budgets::default());
        session.run();
        assert!(session.fault().is_none(), "{body}: {:?}", session.fault());
        (session.outcome(), session.failing_run().map_or(0, |run| run.entries.len()))
    };
    let safe = [
        "int i = 0; while (i < 1000000000) { i = i + 1; } assert(i == 1000000000);",
        "unsigned int x = 1; do { x = x + 1; } while (x != 0); assert(x == 0);",
        "int x = 0; int y = 0; while (x < 1000000) { x = x + 1; y = y + 2; } assert(y == 2000000);",
        "int n; int i = 0; n = nondet(); assume(n >= 0); while (i < n) { i = i + 1; } assert(i == n);",
        "int i, j, k; for (i = 0; i < 20; i++) { for (j = i + 1; j < 1000; j++) { for (k = j + 1; k < 2000; k++) { skip; } } } assert(k == 2000);",
        "int i = 0; int s = 0; while (i < 1000000) { if (i % 2 == 0) { s = s + 1; } i = i + 1; } assert(s == 500000);",
    ];
    for body in safe {
        assert_eq!(check(body), (Outcome::Safe, 0), "{body}");
    }
    let (outcome, length) = check("int i = 0; while (i < 1000) { i = i + 3; } assert(i != 1002);");
    assert_eq!((outcome, length), (Outcome::Unsafe, 1 + 2 * 334 + 1 + 1));
    // A run of two million statements is not shown.
    let long = "int i = 0; while (i < 1000000) { assert(i != 777777); i = i + 1; }";
    assert_eq!(check(long).0, Outcome::Unknown(faultline::util::Limit::Depth));
}
