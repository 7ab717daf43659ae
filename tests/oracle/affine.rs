//! Affine relations modulo 2^w against all stores that runs reach: on programs whose branches are
//! choices and whose right sides are affine, the equalities found are those of the affine hull, no
//! more and no less; elsewhere every store satisfies them.

use crate::explicit::{Settings, explore};
use crate::support::Random;
use crate::support::generate;
use crate::support::load::program as program_of;
use crate::support::shrink::each;
use crate::support::tree::Program as Tree;
use faultline::analysis::affine::{AffineAnalysis, Equality};
use faultline::encode::affine::Arithmetic;
use faultline::lang::model::{EdgeId, Program, VariableId};
use faultline::semiring::affine::{Coefficients, Modular, Span};
use num_bigint::BigInt;
use std::fmt::Write;
use std::rc::Rc;

const WIDTH: u32 = 2;

/// Two globals, a main with two locals, two procedures with a parameter and a local that may call
/// each other.
///
/// Not by `support::generate`: here every branch is a choice and every right side is affine, so the
/// equalities must be those of the hull exactly.
fn affine_program(seed: u64) -> Tree {
    let random = &mut Random::new(seed);
    let mut text = format!("//! bits = {WIDTH}\n//! check = none\nint x, y;\n");
    for (name, own) in [("f", ["a", "b"]), ("g", ["a", "b"])] {
        let _ = writeln!(text, "int {name}(int a) {{\n  int b = a;");
        statements(random, &own, 2, 1, &mut text);
        let _ = writeln!(text, "  return {};\n}}", expression(random, &own));
    }
    text.push_str("void main() {\n  int p = 0;\n  int q = nondet();\n");
    statements(random, &["p", "q"], 4, 1, &mut text);
    text.push_str("  skip;\n}\n");
    Tree::of_text(&text)
}

fn expression(random: &mut Random, own: &[&str]) -> String {
    let names = [own[0], own[1], "x", "y"];
    let mut sum = random.among(2).to_string();
    for _ in 0..random.among(3) {
        let sign = if random.percent(50) { '+' } else { '-' };
        let _ =
            write!(sum, " {sign} {} * {}", 1 + random.among(1), names[random.among(4) as usize]);
    }
    sum
}

fn statements(random: &mut Random, own: &[&str], count: u32, depth: u32, text: &mut String) {
    for _ in 0..count {
        let target = [own[0], own[1], "x", "y"][random.among(4) as usize];
        match random.among(if depth < 3 { 8 } else { 5 }) {
            0 => {
                let _ = writeln!(text, "  {target} = nondet();");
            }
            1 => {
                let callee = if random.percent(50) { 'f' } else { 'g' };
                let _ = writeln!(
                    text,
                    "  if (*) {{ {target} = {callee}({}); }}",
                    expression(random, own)
                );
            }
            2..=4 => {
                let _ = writeln!(text, "  {target} = {};", expression(random, own));
            }
            5 => {
                text.push_str("  while (*) {\n");
                statements(random, own, 1, depth + 1, text);
                text.push_str("  }\n");
            }
            _ => {
                text.push_str("  if (*) {\n");
                statements(random, own, 1, depth + 1, text);
                text.push_str("  } else {\n");
                statements(random, own, 1, depth + 1, text);
                text.push_str("  }\n");
            }
        }
    }
}

/// The equalities found in front of an edge as rows (a1, …, an, a0) with Σ ai xi + a0 = 0, and
/// whether a run comes there.
fn found(
    analysis: &mut AffineAnalysis<Modular>,
    program: &Program,
    edge: EdgeId,
    ring: Modular,
) -> Option<Span<u64>> {
    let variables = &program.scope(program.edge(edge).scope).variables;
    let equalities =
        analysis.equalities_at(program.edge(edge).from, variables).expect("no limit")?;
    let rows = equalities.iter().map(|equality| {
        let mut row = vec![0; variables.len() + 1];
        for (id, factor) in &equality.terms {
            row[variables.iter().position(|v| v == id).expect("in scope")] = ring.integer(factor);
        }
        row[variables.len()] = ring.integer(&-&equality.constant);
        row
    });
    Some(Span::of(&ring, rows))
}

fn analyse(program: &Rc<Program>, ring: Modular) -> AffineAnalysis<Modular> {
    let mut analysis =
        AffineAnalysis::new(program.clone(), Arithmetic::Modulo(ring.width()), ring, u64::MAX)
            .expect("no limit");
    while !analysis.step().expect("no limit") {}
    analysis
}

#[test]
fn affine_programs_have_exactly_the_relations_of_their_hulls() {
    let ring = Modular::new(WIDTH);
    let (mut places, mut with_relations, mut skipped) = (0, 0, 0);
    each(0..120, affine_program, |seed, source| {
        let program = program_of(source);
        let settings = Settings { keep_dead: true, ..Settings::default() };
        let Some(explicit) = explore(&program, settings) else {
            skipped += 1;
            return;
        };
        let mut analysis = analyse(&program, ring);
        for edge in program.edge_ids() {
            let stores = &explicit.arriving[edge.0 as usize];
            let Some(found) = found(&mut analysis, &program, edge, ring) else {
                assert!(
                    stores.is_empty(),
                    "seed {seed}: reached, but not for the analysis\n{source}"
                );
                continue;
            };
            if stores.is_empty() {
                continue;
            }
            let rows: Vec<Vec<u64>> =
                stores.iter().map(|values| values.iter().copied().chain([1]).collect()).collect();
            let expected = Span::null_space(&ring, &rows, rows[0].len());
            assert_eq!(
                found,
                expected,
                "seed {seed}, line {}\n{source}",
                program.edge(edge).span.line
            );
            places += 1;
            with_relations += u32::from(!found.is_empty());
        }
    });
    assert!(places > 1_500 && with_relations * 5 > places, "{places} {with_relations}");
}

/// Conditions, products, arrays, casts, checks: all that is not affine may lose relations, but what
/// is found holds in every store.
#[test]
fn whatever_the_program_every_store_satisfies_what_is_found() {
    let (mut programs, mut equalities) = (0, 0);
    each(0..250, generate::sequential, |seed, source| {
        let Ok(program) = crate::load(source) else { return };
        let settings = Settings { keep_dead: true, cap: 6_000, ..Settings::default() };
        let Some(explicit) = explore(&program, settings) else { return };
        let program = Rc::new(program);
        for width in [1, u32::from(program.int_width)] {
            let ring = Modular::new(width);
            let mut analysis = analyse(&program, ring);
            for edge in program.edge_ids() {
                let stores = &explicit.arriving[edge.0 as usize];
                let variables = &program.scope(program.edge(edge).scope).variables;
                let found =
                    analysis.equalities_at(program.edge(edge).from, variables).expect("no limit");
                assert!(
                    found.is_some() || stores.is_empty(),
                    "seed {seed}: reached, but not for the analysis\n{source}"
                );
                for equality in found.into_iter().flatten() {
                    equalities += 1;
                    for values in stores {
                        assert!(
                            holds(&program, variables, &equality, values, ring),
                            "seed {seed}, {edge:?}, {equality:?}\n{source}"
                        );
                    }
                }
            }
        }
        programs += 1;
    });
    assert!(programs > 100 && equalities > 2_000, "{programs} {equalities}");
}

/// `values`: one number for each scalar and each element of an array, in the order of `variables`.
fn holds(
    program: &Program,
    variables: &[VariableId],
    equality: &Equality,
    values: &[u64],
    ring: Modular,
) -> bool {
    let mut sum = ring.integer(&-&equality.constant);
    let mut next = 0;
    for id in variables {
        let variable = program.variable(*id);
        if let Some((_, factor)) = equality.terms.iter().find(|(term, _)| term == id) {
            let number = ring.integer(&BigInt::from(variable.scalar.number(values[next])));
            sum = ring.add_product(&sum, &ring.integer(factor), &number);
        }
        next += variable.elements() as usize;
    }
    sum == 0
}
