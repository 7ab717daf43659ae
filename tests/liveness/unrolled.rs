//! Squaring against one turn after the other, which the interpreter executes.

use crate::load;
use crate::refined::executed;
use faultline::analysis::liveness::refinement::unrolling::{CyclicTrace, Unrolled, Unroller};
use faultline::bdd::KernelLimits;
use faultline::lang::interpreter::Machine;
use faultline::lang::model::{Operation, Program};
use std::rc::Rc;

/// The trace of the run that takes every condition as true, up to the place that it comes to
/// again in the same procedure first.
fn trace(program: &Program) -> CyclicTrace {
    let entry = program.procedure(program.main_id()).entry;
    let (mut at, mut edges, mut returns) = (entry, Vec::new(), Vec::new());
    let mut seen = vec![(entry, 0)];
    loop {
        let out = || program.edge_ids().filter(|id| program.edge(*id).from == at);
        let id = out().find(|id| program.edge(*id).outcome == "true").or(out().next());
        let id = id.expect("the run goes on");
        edges.push(id);
        at = match program.edge(id).operation {
            Operation::Call { callee, .. } => {
                returns.push(program.edge(id).to);
                program.procedure(callee).entry
            }
            _ => program.edge(id).to,
        };
        while at == program.procedure(program.location(at).procedure).exit
            && let Some(to) = returns.pop()
        {
            at = to;
        }
        if let Some((_, before)) = seen.iter().find(|(known, _)| *known == at) {
            let cycle = edges.split_off(*before);
            return CyclicTrace { prefix: edges, cycle, location: at };
        }
        seen.push((at, edges.len()));
    }
}

/// The least unrolling that cannot be executed, below `most`, by one turn after the other.
fn one_by_one(program: &Program, trace: &CyclicTrace, most: u64) -> Option<u64> {
    let machine = Machine::new(program);
    let (starts, complete) = machine.starts(4_000);
    let (mut at, known) = executed(&machine, &starts.into_iter().collect(), &trace.prefix);
    assert!(complete && known);
    for turns in 0..most {
        if at.is_empty() {
            return Some(turns);
        }
        let (next, known) = executed(&machine, &at, &trace.cycle);
        assert!(known);
        at = next;
    }
    None
}

fn check(source: &str, least: Option<u64>) {
    let (program, _) = load(source);
    let trace = trace(&program);
    let mut unroller = Unroller::new(Rc::clone(&program), KernelLimits::NONE).unwrap();
    let Unrolled { least: found, squares } = unroller.unrolled(&trace).unwrap();
    let most = if least.is_some() { 40 } else { 12 };
    assert_eq!(found, one_by_one(&program, &trace, most), "{source}");
    assert_eq!(found, least, "{source}");
    // 2^(squares - 2) turns can be executed, if there are so many squares.
    let turns = least.unwrap_or(256);
    assert!(squares < 2 || 1 << (squares - 2) <= turns, "{squares} squares: {source}");
}

#[test]
fn squaring_finds_what_one_turn_after_the_other_finds() {
    let loops = [
        ("n = 0; while (n < 7) n = n + 1;", Some(8)),
        ("n = 0; while (n < 1) n = n + 1;", Some(2)),
        ("n = 0; while (n != 5) n = n + 3;", Some(8)),
        ("n = 0; while (n != 5) n = n + 2;", None),
        ("while (n != 0) n = n - 1;", Some(8)),
        ("n = 6; while (true) n = n + 1;", None),
        ("n = 0; k = 0; while (k < 7) { if (n == 7) k = k + 1; n = n + 1; }", Some(1)),
        ("n = 1; assume(n == 2); while (true) n = n;", Some(0)),
        ("n = 0; k = 7; while (n < k) { n = n + 1; k = k - 1; }", Some(5)),
    ];
    for (body, least) in loops {
        let source =
            format!("//! bits = 3\nvoid main() {{ unsigned int n; unsigned int k; {body} }}");
        check(&source, least);
    }
}

#[test]
fn calls_are_their_effects_and_recursion_leaves_them_behind() {
    let global = "//! bits = 3\n//! globals = zero\nunsigned int x;\n";
    let programs = [
        ("void g(unsigned int k) { x = x + k; } void main() { while (x < 6) g(2); }", Some(4)),
        ("void f(unsigned int n) { if (n != 0) f(n - 1); } void main() { f(6); }", Some(7)),
        ("void f(unsigned int n) { x = x + n; f(n); } void main() { f(1); }", None),
        (
            "void g() { x = x - 1; } void f() { g(); if (x != 0) f(); }
             void main() { x = 5; f(); }",
            Some(5),
        ),
        (
            "unsigned int h(unsigned int k) { k = k + 1; return k; }
             void main() { unsigned int n; n = 3; while (n != 0) n = h(n); }",
            Some(6),
        ),
    ];
    for (text, least) in programs {
        check(&format!("{global}{text}"), least);
    }
}
