//! Programs of distances against the programs that they stand for: the explicit search finds the
//! same verdict, the same reached statements, and the same projection for both.

use crate::explicit::{Settings, explore};
use crate::support::Random;
use crate::support::shrink::each;
use crate::support::tree::Program;
use faultline::analysis::distances::Distances;
use faultline::lang::interpreter::replay;
use std::fmt::Write;

fn pick<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len() as u64) as usize]
}

/// A random program of counters that are copied, moved and compared. Now and then one is asked
/// something else.
fn program(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0xd157);
    let mut text = String::from("//! bits = 3\n//! globals = zero\nint a; int b; int c; bool p;\n");
    text.push_str("int f(int q) {\n  int r = q + 1;\n");
    let moves = random.below(3) == 0;
    let inside: &[&str] = if moves { &["a", "b", "q", "r"] } else { &["b", "q", "r"] };
    block(&mut text, &mut random, inside, 1, false);
    text.push_str("  return r;\n}\nvoid main() {\n  int d = a;\n");
    for name in ["a", "b", "c"] {
        if random.below(2) == 0 {
            let _ = writeln!(text, "  {name} = {};", random.below(4));
        }
    }
    text.push_str("  while (*) {\n");
    block(&mut text, &mut random, &["a", "b", "c", "d"], 2, true);
    text.push_str("  }\n");
    let sum = sum(&mut random, &["a", "b", "c", "d"]);
    let _ = writeln!(text, "  assert({} != {sum});\n}}", pick(&mut random, &["a", "b", "c"]));
    Program::of_text(&text)
}

fn sum(random: &mut Random, names: &[&str]) -> String {
    let name = pick(random, names);
    match random.below(3) {
        0 => name.to_string(),
        1 => format!("{name} + {}", 1 + random.below(3)),
        _ => format!("{name} - {}", 1 + random.below(3)),
    }
}

fn block(text: &mut String, random: &mut Random, names: &[&str], depth: u32, calls: bool) {
    for _ in 0..2 + random.below(3) {
        let (name, value) = (pick(random, names), sum(random, names));
        let other = sum(random, names);
        let _ = match random.below(if depth == 0 { 6 } else { 9 }) {
            0 | 1 => writeln!(text, "  {name} = {value};"),
            2 => writeln!(text, "  {name}++;"),
            3 => writeln!(text, "  p = {name} {} {other};", pick(random, &["==", "!="])),
            4 if calls => writeln!(text, "  {name} = f({value});"),
            4 => writeln!(text, "  assume({name} != {other});"),
            5 if random.below(8) == 0 => writeln!(text, "  assume({name} < 3);"),
            5 => writeln!(text, "  assert({name} != {other} || p);"),
            n => {
                let condition = match n {
                    6 => "*".to_string(),
                    7 => "p".to_string(),
                    _ => format!("{name} == {other}"),
                };
                let _ = writeln!(text, "  if ({condition}) {{");
                block(text, random, names, depth - 1, calls);
                writeln!(text, "  }}")
            }
        };
    }
}

#[test]
fn distances_have_the_runs_of_the_program() {
    let (mut compared, mut failing, mut fewer, mut several) = (0, 0, 0, 0);
    // Few random programs move all of their counters together, so few become smaller.
    each(0..500, program, |seed, source| {
        let program = crate::load(source).expect("a program");
        let Some(distances) = Distances::of(&program) else { return };
        let settings = || Settings { cap: 6_000, keep_dead: true, ..Settings::default() };
        let (Some(own), Some(other)) =
            (explore(&program, settings()), explore(&distances.program, settings()))
        else {
            return;
        };
        assert_eq!(own.is_unsafe, other.is_unsafe, "seed {seed}\n{source}");
        assert_eq!(own.reached, other.reached, "seed {seed}\n{source}");
        assert_eq!(own.projection, other.projection, "seed {seed}\n{source}");
        compared += 1;
        failing += u32::from(own.is_unsafe);
        several += u32::from(distances.members.len() > 2);
        let stores = |sets: &[std::collections::BTreeSet<Vec<u64>>]| -> usize {
            sets.iter().map(std::collections::BTreeSet::len).sum()
        };
        fewer += u32::from(stores(&other.arriving) < stores(&own.arriving));
    });
    let told =
        format!("{compared} compared, {failing} fail, {several} of several, {fewer} smaller");
    assert!(compared >= 150 && failing >= 40 && compared - failing >= 40, "{told}");
    assert!(several >= 80 && fewer >= 3, "{told}");
}

#[test]
fn what_is_asked_for_its_value_has_no_distance() {
    let members = |source: &str| {
        let program = crate::load(source).expect("a program");
        Distances::of(&program).map(|distances| {
            let names = distances.members.iter().map(|id| program.variable(*id).name.clone());
            names.collect::<Vec<_>>().join(" ")
        })
    };
    let counters = "//! bits = 4\n//! globals = zero\nint a; int b; int c;\nvoid main() {\n  a = 3;\n  \
                    b = 5;\n  while (*) {\n    a++;\n    b = a;\n    assert(b == a);\n  }\n}\n";
    assert_eq!(members(counters).as_deref(), Some("a b"));
    for (from, to) in [
        // An order, a product, a constant where the anchor is not known, an index, an input.
        ("b == a", "b < a"),
        ("b = a;", "b = a * 2;"),
        ("b = a;", "b = a;\n    b = 1;"),
        ("b == a", "b == a && a != 2"),
        ("b = a;", "b = *;"),
        ("a++;", "a = *;"),
        // Nothing moves.
        ("a++;", "a = b;"),
    ] {
        let other = counters.replace(from, to);
        assert_ne!(other, counters);
        assert_eq!(members(&other), None, "{other}");
    }
}

#[test]
fn a_run_of_distances_is_a_run_of_the_program() {
    use faultline::session::{Budgets, Job, Session, Task};
    use faultline::wire::options::RequestedOptions;
    let mut executed = 0;
    each(0..200, program, |seed, source| {
        let program = crate::load(source).expect("a program");
        let Some(distances) = Distances::of(&program) else { return };
        let (mut session, _) = Session::load(source, &RequestedOptions::default());
        session.start(Task::Check, Budgets::default());
        session.run();
        // The same statements and inputs, from the distances of the same start.
        let Some(found) = session.failing_run() else { return };
        let mut start = found.run.clone();
        let base = start.initial_globals.iter().find(|(id, _)| *id == distances.anchor);
        let Some(base) = base.map(|(_, bits)| bits[0]) else { return };
        for (id, bits) in &mut start.initial_globals {
            if distances.members.contains(id) {
                let scalar = program.variable(*id).scalar;
                bits[0] = scalar.wrap(i128::from(bits[0]) - i128::from(base));
            }
        }
        let there = replay(&distances.program, &start);
        if there.is_err() {
            // An uninitialised local has another distance.
            return;
        }
        let back = distances.run_of_program(&start);
        assert_eq!(back.initial_globals, found.run.initial_globals, "seed {seed}\n{source}");
        assert!(replay(&program, &back).is_ok(), "seed {seed}");
        executed += 1;
    });
    assert!(executed >= 30, "{executed}");
}
