//! Affine relations of programs: invariants known by hand, and all stores that bounded runs reach.

use crate::support::load::program as program_of;
use faultline::analysis::affine::{AffineAnalysis, Equality};
use faultline::encode::affine::Arithmetic;
use faultline::lang::model::{LocationId, Program, VariableId};
use faultline::semiring::affine::{Coefficients, Modular, Rationals};
use std::rc::Rc;

fn analyse<C: Coefficients>(
    program: &Rc<Program>,
    arithmetic: Arithmetic,
    ring: C,
) -> AffineAnalysis<C> {
    let mut analysis =
        AffineAnalysis::new(program.clone(), arithmetic, ring, 200_000_000).expect("no limit");
    while !analysis.step().expect("no limit") {}
    analysis
}

/// The location in front of the statement that starts on a line (1-based).
fn before(program: &Program, line: u32) -> LocationId {
    program
        .edges
        .iter()
        .find(|edge| edge.span.line == line && edge.is_statement())
        .expect("a statement on this line")
        .from
}

fn shown(program: &Program, equalities: &[Equality]) -> Vec<String> {
    let term =
        |(id, n): &(VariableId, num_bigint::BigInt)| format!("{n}{}", program.variable(*id).name);
    equalities
        .iter()
        .map(|e| {
            format!("{} = {}", e.terms.iter().map(term).collect::<Vec<_>>().join(" + "), e.constant)
        })
        .collect()
}

fn unbounded(source: &str, line: u32) -> Vec<String> {
    let program = program_of(source);
    let mut analysis = analyse(&program, Arithmetic::Unbounded, Rationals);
    let location = before(&program, line);
    let scope = program.edges.iter().find(|edge| edge.from == location).expect("an edge").scope;
    let found = analysis
        .equalities_at(location, &program.scope(scope).variables)
        .expect("no limit")
        .expect("reached");
    shown(&program, &found)
}

/// Lal, Touili, Kidd, Reps 2007, Fig. 5: two ways lead to one place, on both of which x2 = x1 + 1
/// is restored.
#[test]
fn the_property_of_figure_5() {
    let source = "int x1, x2;\nvoid main() {\n  x1 = nondet(); x2 = x1 + 1;\n  while (*) {\n    if (*) { x1 = x1 + 1; x2 = x2 + 1; } else { x1 = x2; x2 = x2 + 1; }\n  }\n  skip;\n}";
    assert_eq!(unbounded(source, 7), ["1x2 + -1x1 = 1"]);
}

#[test]
fn loops() {
    let source = "void main() {\n  int i = 0; int j = 10; int k = 3;\n  while (*) { i++; j = j - 2; k = k + 5; }\n  skip;\n}";
    assert_eq!(unbounded(&format!("//! bits = 8\n{source}"), 5), ["1k + -5i = 3", "1j + 2i = 10"]);
}

/// A callee's effect on globals depends on its argument, and the caller's locals survive.
#[test]
fn procedures_with_arguments_and_results() {
    let source = "int g;\nint twice(int a) { g = g + a; return a + a; }\nvoid main() {\n  g = 0; int n = nondet(); int keep = n + 1;\n  int r = twice(n);\n  r = r + 1;\n  skip;\n}";
    assert_eq!(unbounded(source, 7), ["1r + -2g = 1", "1keep + -1g = 1", "1n + -1g = 0"]);
}

/// Müller-Olm and Seidl's kind of example: recursion keeps a relation between two globals.
#[test]
fn recursion() {
    let source = "int x, y;\nvoid p() {\n  if (*) { x = x + 1; p(); y = y + 2; }\n}\nvoid main() {\n  x = 0; y = 0;\n  p();\n  skip;\n}";
    assert_eq!(unbounded(source, 8), ["1y + -2x = 0"]);
    // In the middle of the recursion nothing relates them.
    assert_eq!(unbounded(source, 3), ["1y = 0"]);
}

#[test]
fn mutual_recursion_with_locals() {
    let source = "int s;\nint even(int n) {\n  int m = n;\n  if (*) { s = s + 1; m = odd(n); }\n  return m;\n}\nint odd(int n) { int m = even(n + 1);\n  return m - 1;\n}\nvoid main() {\n  s = 0;\n  int r = even(4);\n  skip;\n}";
    assert_eq!(unbounded(source, 13), ["1r = 4"]);
}

#[test]
fn swapping_by_sums() {
    let source = "void main() {\n  int a = nondet(); int b = nondet(); int c = a; int d = b;\n  a = a + b; b = a - b; a = a - b;\n  skip;\n}";
    assert_eq!(unbounded(source, 4), ["1d + -1a = 0", "1c + -1b = 0"]);
}

#[test]
fn an_equality_as_a_condition_is_used() {
    let source = "void main() {\n  int a = nondet(); int b = nondet();\n  if (a == b + 2) {\n    skip;\n  }\n}";
    assert_eq!(unbounded(source, 4), ["1b + -1a = -2"]);
}

#[test]
fn truth_values_as_conditions_are_used() {
    let source =
        "void main() {\n  bool b = nondet();\n  if (b) {\n    skip;\n  } else {\n    skip;\n  }\n}";
    assert_eq!(unbounded(source, 4), ["1b = 1"]);
    assert_eq!(unbounded(source, 6), ["1b = 0"]);
    let source = "void main() {\n  int a = nondet(); int b = nondet();\n  if (!(a != b + 2)) {\n    skip;\n  }\n}";
    assert_eq!(unbounded(source, 4), ["1b + -1a = -2"]);
    // The negation of an equality says nothing of this form.
    let source = "void main() {\n  int a = nondet(); int b = nondet();\n  if (a != b + 2) {\n    skip;\n  }\n}";
    assert!(unbounded(source, 4).is_empty());
}

#[test]
fn constants_copied_through_calls() {
    let source = "int id(int v) { return v; }\nvoid main() {\n  int a = id(3); int b = id(a); int c = id(b + 1);\n  skip;\n}";
    // One summary for all calls: the result is the argument.
    assert_eq!(unbounded(source, 4), ["1c = 4", "1b = 3", "1a = 3"]);
}

#[test]
fn truth_values() {
    let source = "void main() {\n  bool b = nondet(); bool c = !b;\n  skip;\n}";
    assert_eq!(unbounded(source, 3), ["1c + 1b = 1"]);
}

#[test]
fn unknown_products_are_any_value() {
    let source = "void main() {\n  int a = nondet(); int b = a * a; int c = b + a;\n  skip;\n}";
    assert_eq!(unbounded(source, 3), ["1c + -1b + -1a = 0"]);
}

/// Modulo 2^w there are relations that the rationals do not have: 4 x = 0 modulo 8 for an even x.
#[test]
fn modulo_powers_of_two() {
    let source =
        "//! bits = 3\nvoid main() {\n  int x = 0;\n  while (*) { x = x + 2; }\n  skip;\n}";
    let program = program_of(source);
    let location = before(&program, 5);
    let scope = program.edges.iter().find(|edge| edge.from == location).expect("an edge").scope;
    let variables = &program.scope(scope).variables;
    let mut modular = analyse(&program, Arithmetic::Modulo(3), Modular::new(3));
    let found = modular.equalities_at(location, variables).expect("no limit").expect("reached");
    assert_eq!(shown(&program, &found), ["-4x = 0"]);
    let mut rational = analyse(&program, Arithmetic::Unbounded, Rationals);
    assert_eq!(rational.equalities_at(location, variables).expect("no limit"), Some(Vec::new()));
}

#[test]
fn what_is_never_reached_has_no_relations() {
    let program = program_of("void main() {\n  return;\n  skip;\n}");
    let mut analysis = analyse(&program, Arithmetic::Unbounded, Rationals);
    assert_eq!(analysis.equalities_at(before(&program, 3), &[]).expect("no limit"), None);
}

#[test]
fn a_limit_is_reported() {
    let program = program_of(
        "int a, b, c;\nvoid main() { while (*) { a = b + c; b = a + 1; c = nondet(); } }",
    );
    let mut analysis =
        AffineAnalysis::new(program, Arithmetic::Unbounded, Rationals, 1_500).expect("set up");
    let limit = loop {
        match analysis.step() {
            Ok(true) => panic!("it ended"),
            Ok(false) => {}
            Err(limit) => break limit,
        }
    };
    assert_eq!(limit, faultline::util::Limit::Steps);
}
