//! Random programs: the product's answers against the oracle's, statement by statement.

use crate::explicit::{Explicit, Settings, explore};
use crate::support::generate;
use crate::support::shrink::each;
use crate::symbolic::{SymbolicAnswer, answer};
use crate::{bounded, load, symbolic};
use faultline::lang::model::{Operation, Program};
use faultline::session::Budgets;
use faultline::wire::projection::Method;
use std::fmt::Write;

/// Seeds tried. Those whose programs are too large for the oracle are skipped; the rest must be
/// enough.
const SEEDS: u64 = 620;
/// Programs that must have been compared.
const ENOUGH: u32 = 500;

/// What the programs compared were like.
#[derive(Debug, Default)]
struct Tally {
    compared: u32,
    failing: u32,
    safe: u32,
    /// Projection strictly between nothing and everything reachable.
    partial: u32,
    naive_differs: u32,
    /// Every failing run has at least three calls pending at some point.
    deep: u32,
    /// Some callee started with the weight 1, so what is reached was found in two phases.
    starts_anywhere: u32,
}

impl Tally {
    fn add(&mut self, program: &Program, oracle: &Explicit, depth: Option<u32>) {
        let shown = |marked: &[bool]| -> Vec<bool> {
            program
                .edges
                .iter()
                .zip(marked)
                .map(|(edge, marked)| *marked && edge.is_statement())
                .collect()
        };
        let (reached, projection, naive) =
            (shown(&oracle.reached), shown(&oracle.projection), shown(&oracle.naive));
        self.compared += 1;
        self.failing += u32::from(oracle.is_unsafe);
        self.safe += u32::from(!oracle.is_unsafe);
        self.partial += u32::from(projection.contains(&true) && projection != reached);
        self.naive_differs += u32::from(projection != naive);
        self.deep += u32::from(depth.is_some_and(|depth| depth >= 3));
    }

    fn check(&self) {
        let share = |part: u32, percent: u32, what: &str| {
            assert!(
                part * 100 >= self.compared * percent,
                "{what}: {part} of {} programs, less than {percent} %: {self:?}",
                self.compared
            );
        };
        assert!(self.compared >= ENOUGH, "{self:?}");
        share(self.failing, 30, "unsafe");
        share(self.safe, 30, "safe");
        share(self.partial, 25, "projection strictly between empty and reachable");
        share(self.naive_differs, 10, "naive differs from exact");
        share(self.deep, 20, "depth 3 or more");
        share(self.starts_anywhere, 20, "callees that start with the weight 1");
        share(
            self.compared - self.starts_anywhere,
            20,
            "callees that start with what reaches them",
        );
    }
}

/// The line of the only error that counts, if the program marks one.
pub fn target(source: &str) -> Option<u32> {
    source.lines().position(|line| line.ends_with("// target")).map(|line| line as u32 + 1)
}

/// The oracle's answers; `None` if the program is bad or too large.
pub fn ask_oracle(source: &str) -> Option<(Program, Explicit)> {
    let program = load(source).ok()?;
    let explicit = explore(&program, Settings { error: target(source), ..Settings::default() })?;
    Some((program, explicit))
}

#[test]
fn random_programs_agree() {
    let mut tally = Tally::default();
    each(0..SEEDS, generate::sequential, |_, source| {
        if let Err(diagnostics) = load(source) {
            panic!("it is refused: {diagnostics:#?}");
        }
        let Some((program, oracle)) = ask_oracle(source) else { return };
        let depth = bounded::least_depth(&program, target(source), 8);
        if let Some(Some(_)) = depth {
            assert!(oracle.is_unsafe, "the two explicit searches disagree");
        }
        tally.add(&program, &oracle, depth.flatten());
        let product = answer(source, target(source), Budgets::default());
        tally.starts_anywhere +=
            u32::from(product.as_ref().is_some_and(|product| product.starts_anywhere));
        if let Some(difference) = difference(&program, &oracle, &product) {
            panic!("{difference}");
        }
    });
    tally.check();
}

/// Garbage collection after every step, with what was freed poisoned, changes no answer.
#[test]
fn collecting_after_every_step_changes_nothing() {
    let budgets = Budgets { collect_every_step: true, ..Budgets::default() };
    let mut compared = 0;
    each(3000..3060, generate::sequential, |seed, source| {
        let Some((program, oracle)) = ask_oracle(source) else { return };
        let product = answer(source, target(source), budgets);
        assert_eq!(difference(&program, &oracle, &product), None, "seed {seed}\n{source}");
        compared += 1;
    });
    assert!(compared >= 50, "{compared}");
}

/// Before each statement: how many stores arrive, and how many of them fail, over the variables in
/// scope.
#[test]
fn the_failing_stores_are_exact() {
    let mut compared = 0;
    each(4000..4500, generate::sequential, |seed, source| {
        // A few random programs have literals that do not fit.
        let Ok(program) = load(source) else { return };
        let settings = Settings { error: target(source), cap: 6000, keep_dead: true };
        let Some(oracle) = explore(&program, settings) else { return };
        let counts = symbolic::store_counts(source, target(source), Method::Functional)
            .expect("no limit is hit");
        for (number, edge) in
            program.edges.iter().enumerate().filter(|(_, edge)| edge.is_statement())
        {
            let expected = (
                oracle.arriving[number].len().to_string(),
                oracle.failing[number].len().to_string(),
            );
            assert_eq!(
                counts[number], expected,
                "seed {seed}, line {}, `{}` {}\n{source}",
                edge.span.line, edge.text, edge.outcome
            );
        }
        compared += 1;
    });
    assert!(compared >= 150, "{compared}");
}

/// In words, or `None` where they agree.
pub fn difference(
    program: &Program,
    oracle: &Explicit,
    product: &Option<SymbolicAnswer>,
) -> Option<String> {
    let Some(product) = product else { return Some("the product has no answer".into()) };
    let mut text = String::new();
    if product.is_unsafe != Some(oracle.is_unsafe) {
        let _ =
            writeln!(text, "unsafe: oracle {}, product {:?}", oracle.is_unsafe, product.is_unsafe);
    }
    if oracle.is_unsafe && !product.trace_replays {
        let _ = writeln!(text, "the failing run does not replay");
    }
    let sets = [
        ("reached", &oracle.reached, &product.reached),
        ("projection", &oracle.projection, &product.projection),
        ("naive", &oracle.naive, &product.naive),
    ];
    for (name, expected, found) in sets {
        for (number, edge) in
            program.edges.iter().enumerate().filter(|(_, edge)| edge.is_statement())
        {
            let found = found.get(number).copied().unwrap_or(false);
            if expected[number] != found {
                let _ = writeln!(
                    text,
                    "{name}: edge {number}, line {}, `{}` {}: oracle {}, product {found}",
                    edge.span.line, edge.text, edge.outcome, expected[number]
                );
            }
        }
    }
    for (number, edge) in program.edges.iter().enumerate() {
        let (exact, naive) = (product.projection.get(number), product.naive.get(number));
        if exact == Some(&true) && naive != Some(&true) {
            let _ = writeln!(
                text,
                "the naive projection lacks edge {number}, line {}, `{}`",
                edge.span.line, edge.text
            );
        }
    }
    for (number, edge) in program.edges.iter().enumerate() {
        let (lit, passed) = (oracle.projection[number], product.passed[number]);
        // Who goes on behind a statement executes what follows; who does not ends in it, in a check
        // of it or in its callee.
        let mut follow =
            program.edges.iter().enumerate().filter(|(_, next)| next.from == edge.to).peekable();
        let goes_on = follow.peek().is_none() || follow.any(|(next, _)| oracle.projection[next]);
        let may_end = !edge.checks.is_empty() || matches!(edge.operation, Operation::Call { .. });
        if (passed && !(lit && goes_on)) || (lit && !passed && !may_end) {
            let _ = writeln!(
                text,
                "passed: edge {number}, line {}, `{}` {}: {passed}",
                edge.span.line, edge.text, edge.outcome
            );
        }
    }
    (!text.is_empty()).then_some(text)
}
