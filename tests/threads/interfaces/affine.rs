//! Affine equalities under a bound on context switches.

use super::explicit::explore;
use super::load;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::analysis::affine::Equality;
use faultline::analysis::affine_threads::AffineThreads;
use faultline::analysis::threads::ThreadSystem;
use faultline::encode::affine::Arithmetic;
use faultline::lang::model::{LocationId, Program, VariableId};
use faultline::semiring::affine::{Coefficients, Modular, Rationals, Span};
use num_bigint::BigInt;

fn analyse<C: Coefficients>(
    program: &Program,
    switches: u32,
    arithmetic: Arithmetic,
    ring: C,
) -> AffineThreads<C> {
    let system = ThreadSystem::new(program, switches);
    let mut analysis =
        AffineThreads::new(system, switches, arithmetic, ring, 2_000_000_000).expect("no limit");
    while !analysis.step().expect("no limit") {}
    analysis
}

fn before(program: &Program, line: u32) -> LocationId {
    program
        .edges
        .iter()
        .find(|edge| edge.span.line == line && edge.is_statement())
        .expect("a statement on this line")
        .from
}

fn shown(program: &Program, equalities: &[Equality]) -> Vec<String> {
    let term = |(id, n): &(VariableId, BigInt)| format!("{n}{}", program.variable(*id).name);
    equalities
        .iter()
        .map(|e| {
            format!("{} = {}", e.terms.iter().map(term).collect::<Vec<_>>().join(" + "), e.constant)
        })
        .collect()
}

/// Lal, Touili, Kidd, Reps 2007, Fig. 1, line for line but for the array's type.
fn queue(first: &str, second: &str) -> String {
    format!(
        "//! bits = 5
int q[8], hd = 0, cnt = 0, tl = 0;
void main() {{
  while (*) {{ {first} }}
}}
thread other {{
  while (*) {{ {second} }}
}}
void enq(int e) {{
  while (true) {{
    atomic {{
      if (cnt < 8) {{
        q[tl] = e;
        tl = (tl + 1) % 8;
        cnt++;
        break;
      }}
    }}
  }}
}}
int deq() {{
  while (true) {{
    atomic {{
      if (cnt > 0) {{
        int e = q[hd];
        hd = (hd + 1) % 8;
        cnt--;
        return e;
      }}
    }}
  }}
}}
"
    )
}

/// Fig. 1 and § 1.1: (hd − tl + cnt) % SIZE = 0 under a bound, modulo SIZE. (Printed with − cnt,
/// which one enq refutes: hd, tl, cnt are then 0, 1, 1.)
#[test]
fn the_queue_of_figure_1() {
    let sources = [
        queue("enq(1);", "int e = deq();"),
        queue("if (*) { enq(2); } else { int e = deq(); }", "enq(1);"),
    ];
    for source in sources {
        let program = load(&source);
        let globals: Vec<VariableId> = program
            .globals()
            .filter(|id| ["hd", "tl", "cnt"].contains(&program.variable(*id).name.as_str()))
            .collect();
        for switches in 0..=4 {
            let mut analysis = analyse(&program, switches, Arithmetic::Modulo(3), Modular::new(3));
            for line in [4, 7] {
                let found =
                    analysis.equalities_at(before(&program, line), &globals).expect("no limit");
                let Some(found) = found else {
                    assert_eq!((line, switches), (7, 0), "the other thread does not run");
                    continue;
                };
                let equality = shown(&program, &found);
                if switches == 0 {
                    // Main alone; where it only puts in, hd stays 0.
                    assert!(
                        equality.contains(&"1tl + -1cnt + -1hd = 0".to_string())
                            || equality == ["1tl + -1cnt = 0", "1hd = 0"]
                    );
                    continue;
                }
                // Declared in the order hd, cnt, tl: tl - cnt - hd = 0, that is hd - tl + cnt = 0.
                assert_eq!(
                    equality,
                    ["1tl + -1cnt + -1hd = 0"],
                    "line {line}, {switches} switches"
                );
            }
        }
        // Inside the atomic section it does not hold.
        let mut analysis = analyse(&program, 2, Arithmetic::Modulo(3), Modular::new(3));
        let found = analysis
            .equalities_at(before(&program, 15), &globals)
            .expect("no limit")
            .expect("reached");
        assert_eq!(shown(&program, &found), ["1tl + -1cnt + -1hd = 1"], "before cnt++");
    }
}

/// Fig. 5's property, x2 = x1 + 1, kept by two threads in atomic steps; lost where a step can be
/// interrupted, but for runs without a switch.
#[test]
fn the_property_of_figure_5() {
    let source = |step: &str| {
        format!(
            "int x1 = 0, x2 = 1;\nvoid main() {{\n  while (*) {{ {step} }}\n  skip;\n}}\nthread other {{\n  while (*) {{ atomic {{ x2 = x2 + 2; x1 = x2 - 1; }} }}\n  skip;\n}}"
        )
    };
    let at = |source: &str, switches: u32| {
        let program = load(source);
        let globals: Vec<VariableId> =
            program.globals().filter(|id| program.variable(*id).name.starts_with('x')).collect();
        let mut analysis = analyse(&program, switches, Arithmetic::Unbounded, Rationals);
        let found = analysis
            .equalities_at(before(&program, 4), &globals)
            .expect("no limit")
            .expect("reached");
        shown(&program, &found)
    };
    let atomic =
        source("atomic { if (*) { x1 = x1 + 1; x2 = x2 + 1; } else { x1 = x2; x2 = x2 + 1; } }");
    for switches in 0..=4 {
        assert_eq!(at(&atomic, switches), ["1x2 + -1x1 = 1"], "{switches} switches");
    }
    let split = source("x1 = x2; x2 = x1 + 1;");
    assert_eq!(at(&split, 0), ["1x2 + -1x1 = 1"]);
    let lost = source("x1 = x1 + 1; x2 = x2 + 1;");
    assert_eq!(at(&lost, 0), ["1x2 + -1x1 = 1"]);
    assert_eq!(at(&lost, 2), Vec::<String>::new());
}

/// A local that keeps a global's value across a switch.
#[test]
fn locals_cross_switches() {
    let source = "int g = 0;\nvoid main() {\n  int l = g + 3;\n  g = l;\n  skip;\n}\nthread other {\n  g = g + 5;\n}";
    let program = load(source);
    let all: Vec<VariableId> = (0..program.variables.len() as u32)
        .map(VariableId)
        .filter(|id| ["g", "l"].contains(&program.variable(*id).name.as_str()))
        .collect();
    let mut found = Vec::new();
    for switches in 0..=2 {
        let mut analysis = analyse(&program, switches, Arithmetic::Unbounded, Rationals);
        found.push(shown(
            &program,
            &analysis.equalities_at(before(&program, 5), &all).expect("no limit").expect("reached"),
        ));
    }
    // With one switch the other thread comes last; with two it can also come first, or between:
    // then its sum is lost.
    assert_eq!(found, [vec!["1l = 3", "1g = 3"], vec!["1l = 3"], vec![]]);
}

/// Every equality that is found holds in every state of every interleaving, locals included. How
/// many there can be is known from these states: the equalities of their affine hull.
#[test]
fn every_store_satisfies_what_is_found() {
    const WIDTH: u32 = 2;
    let ring = Modular::new(WIDTH);
    let (mut checked, mut found_ones, mut in_hulls) = (0, 0, 0);
    each(1000..1100, generate::threads, |seed, source| {
        let program = load(source);
        let switches = 1 + (seed % 3) as u32;
        let system = ThreadSystem::new(&program, switches);
        let Some(found) = explore(&system, switches, 20_000) else { return };
        checked += 1;
        let mut analysis = analyse(&program, switches, Arithmetic::Modulo(WIDTH), ring);
        for place in (0..program.locations.len() as u32).map(LocationId) {
            let procedure = program.procedure(program.location(place).procedure);
            let own: Vec<VariableId> =
                procedure.parameters.iter().chain(&procedure.locals).copied().collect();
            let globals: Vec<VariableId> = system.program.globals().collect();
            let numbers = |id: &VariableId| !program.variable(*id).scalar.boolean;
            let variables: Vec<VariableId> =
                globals.iter().chain(&own).copied().filter(numbers).collect();
            // A state as a row: the numbers of `variables`, then 1.
            let row = |global_values: &[Vec<u64>], local_values: &[Vec<u64>]| -> Vec<u64> {
                let slot = |list: &[VariableId], id| list.iter().position(|v| *v == id);
                let number = |id: &VariableId| match (slot(&globals, *id), slot(&own, *id)) {
                    (Some(k), _) => global_values[k][0],
                    (None, Some(k)) => local_values[k][0],
                    _ => unreachable!("all are known"),
                };
                variables.iter().map(number).chain([1]).collect()
            };
            let here: Vec<Vec<u64>> = found
                .tops
                .iter()
                .filter(|(at, ..)| *at == place)
                .map(|(_, of_globals, of_locals)| row(of_globals, of_locals))
                .collect();
            let Some(list) = analysis.equalities_at(place, &variables).expect("no limit") else {
                assert!(here.is_empty(), "{place:?} is reached\n{source}");
                continue;
            };
            for (state, equality) in here.iter().flat_map(|s| list.iter().map(move |e| (s, e))) {
                let mut sum = -equality.constant.clone();
                for (id, factor) in &equality.terms {
                    let k = variables.iter().position(|v| v == id).expect("in scope");
                    sum += factor * BigInt::from(state[k]);
                }
                assert_eq!(sum % (1 << WIDTH), BigInt::ZERO, "{equality:?} at {place:?}\n{source}");
            }
            if !here.is_empty() {
                found_ones += list.len();
                in_hulls += Span::null_space(&ring, &here, variables.len() + 1).rows().len();
            }
        }
    });
    assert!(checked >= 90, "{checked} programs");
    // The states have so many equalities; conditions, of which the analysis knows nothing, may hide
    // some of them from it.
    assert!(in_hulls >= 1_500, "{in_hulls} equalities in all");
    assert!(found_ones * 10 >= in_hulls * 6, "{found_ones} of {in_hulls} equalities");
}
