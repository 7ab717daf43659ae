//! Random formulas.

use crate::random::Random;
use faultline::analysis::liveness::formula::{Formula, Temporal};

/// A formula over so many atoms, nested at most so deeply.
pub fn formula(random: &mut Random, depth: u32, atoms: u32) -> Formula {
    if depth == 0 || random.percent(12) {
        return match random.percent(8) {
            true => Formula::Constant(random.flip()),
            false => Formula::Atom(random.among(atoms)),
        };
    }
    let mut one = || Box::new(formula(random, depth - 1, atoms));
    let (a, b) = (one(), one());
    match random.among(12) {
        0 | 1 => Formula::Not(a),
        2 => Formula::And(a, b),
        3 => Formula::Or(a, b),
        4 => Formula::Implies(a, b),
        5 => Formula::Iff(a, b),
        6 => Formula::Next(a),
        7 => Formula::Finally(a),
        8 => Formula::Globally(a),
        9 => Formula::Binary(Temporal::Until, a, b),
        10 => Formula::Binary(Temporal::Release, a, b),
        _ => Formula::Binary(Temporal::WeakUntil, a, b),
    }
}

/// A formula as text, of the kinds that people write, over these atoms.
pub fn text(random: &mut Random, atoms: &[&str]) -> String {
    let mut atom = || {
        let text = *random.pick(atoms);
        let text = if text.contains(' ') { format!("({text})") } else { text.to_string() };
        if random.percent(30) { format!("!{text}") } else { text }
    };
    let (a, b, c) = (atom(), atom(), atom());
    match random.among(16) {
        0 => format!("G {a}"),
        1 => format!("F {a}"),
        2 => format!("G F {a}"),
        3 => format!("F G {a}"),
        4 => format!("G ({a} -> F {b})"),
        5 => format!("G F {a} -> G F {b}"),
        6 => format!("{a} U {b}"),
        7 => format!("G ({a} -> {b} U {c})"),
        8 => format!("{a} W {b}"),
        9 => format!("G ({a} -> X {b})"),
        10 => format!("F ({a} && X {b})"),
        11 => format!("{a} R {b}"),
        12 => format!("G ({a} || F G {b})"),
        13 => format!("F {a} && G ({b} || {c})"),
        14 => format!("X X {a} || G {b}"),
        _ => format!("G ({a} <-> X !{a}) || F {b}"),
    }
}
