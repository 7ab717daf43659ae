//! Random recursive programs for benchmarks: Boolean globals, procedures with three Boolean locals,
//! one assertion at the end of `main`.
//!
//! The shape is that of the Boolean programs with which weighted pushdown libraries are compared:
//! of the statements 15 % are calls under a nondeterministic condition, 30 % simultaneous
//! assignments to two globals, 15 % arbitrary values, 20 % comparisons into a local, and 20 %
//! branches on a global and a local. Equal arguments give equal texts, on every machine. How large
//! they are can be chosen; the programs of `generate` are small.

use super::Random;
use std::fmt::Write;

/// How large, and which.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) globals: u64,
    pub(crate) procedures: u64,
    /// In each procedure; a simultaneous assignment counts as one here.
    pub(crate) statements: u64,
    pub(crate) seed: u64,
}

/// The program's text.
pub(crate) fn program(shape: Shape) -> String {
    let mut random = Random::new(shape.seed);
    let mut text = String::new();
    let globals: Vec<String> = (0..shape.globals).map(|k| format!("g{k}")).collect();
    line(&mut text, format_args!("bool {};", globals.join(", ")));
    for procedure in 0..shape.procedures {
        line(&mut text, format_args!("void p{procedure}() {{"));
        line(&mut text, format_args!("  bool l0, l1, t;"));
        line(&mut text, format_args!("  l1 = g{};", random.below(shape.globals)));
        (0..shape.statements).for_each(|_| statement(&mut text, &mut random, shape));
        line(&mut text, format_args!("}}"));
    }
    line(&mut text, format_args!("void main() {{"));
    globals.iter().for_each(|global| line(&mut text, format_args!("  {global} = false;")));
    line(&mut text, format_args!("  p0();"));
    line(&mut text, format_args!("  assert(!g0 || g1 || !g2);"));
    line(&mut text, format_args!("}}"));
    text
}

fn statement(text: &mut String, random: &mut Random, shape: Shape) {
    let kind = random.below(100);
    let [b, c, d] = [0; 3].map(|_| random.below(shape.globals));
    match kind {
        0..15 => line(text, format_args!("  if (*) {{ p{}(); }}", random.below(shape.procedures))),
        15..45 if b == c => line(text, format_args!("  g{b} = !g{b};")),
        15..45 => {
            line(text, format_args!("  t = g{c} && !g{d};"));
            line(text, format_args!("  g{c} = g{b} || l1;"));
            line(text, format_args!("  g{b} = t;"));
        }
        45..60 => line(text, format_args!("  g{b} = nondet();")),
        60..80 => line(text, format_args!("  l0 = g{b} != g{c};")),
        _ => line(text, format_args!("  if (g{b} && l0) {{ g{c} = l1; }} else {{ g{d} = !l0; }}")),
    }
}

fn line(text: &mut String, line: std::fmt::Arguments) {
    writeln!(text, "{line}").expect("writing to a string cannot fail");
}
