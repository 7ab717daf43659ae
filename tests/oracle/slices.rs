//! The slice: small programs done by hand, and what it promises on random ones.

use crate::compare::{ask_oracle, target};
use crate::support::generate;
use crate::support::shrink::each;
use faultline::analysis::slice::Slice;
use faultline::lang::model::{Operation, Program};
use faultline::session::Job;
use std::rc::Rc;

fn slice_of(program: &Program, error: Option<u32>) -> Vec<bool> {
    let mut slice = Slice::new(Rc::new(program.clone()), error);
    while !slice.is_done() {
        slice.step().expect("no limit is hit");
    }
    slice.inside().to_vec()
}

fn lines(source: &str) -> Vec<u32> {
    let program = crate::load(source).expect("a good program");
    let inside = slice_of(&program, None);
    let mut lines: Vec<u32> = program
        .edges
        .iter()
        .zip(inside)
        .filter(|(edge, inside)| *inside && edge.is_statement())
        .map(|(edge, _)| edge.span.line)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

#[test]
fn data_and_control() {
    let source = "int x, y, z;
void main() {
  x = 1;
  y = 2;
  z = y;
  if (z > 1)
    x = 3;
  y = 4;
  assert(x == 1);
  x = 5;
}
";
    assert_eq!(lines(source), [3, 4, 5, 6, 7, 9]);
}

/// A value is killed by a whole assignment, and not by one to an element.
#[test]
fn assignments_kill_and_elements_do_not() {
    let source = "int a[3]; int x;
void main() {
  x = 7;
  x = 1;
  a[0] = 2;
  a[x] = 3;
  assert(a[1] == 0);
}
";
    assert_eq!(lines(source), [4, 5, 6, 7]);
}

/// Two calls of one procedure: only the call whose result matters, and only its arguments, are in;
/// and what comes back from the callee does not leak to the other caller.
#[test]
fn callers_are_kept_apart() {
    let source = "int x, y, u, v;
int same(int n) {
  return n;
}
void main() {
  u = 1;
  v = 2;
  x = same(u);
  y = same(v);
  assert(x == 1);
}
";
    assert_eq!(lines(source), [3, 6, 8, 10]);
}

/// Globals go through calls, also through those that only pass them on, and back.
#[test]
fn globals_go_through_calls() {
    let source = "int g, h, k;
void set() {
  g = h;
}
void pass() {
  k = 3;
  set();
  k = 4;
}
void main() {
  h = 1;
  k = 2;
  pass();
  assert(g == 1);
}
";
    assert_eq!(lines(source), [3, 7, 11, 13, 14]);
}

#[test]
fn recursion_has_summaries() {
    let source = "int g, h;
void down(int n) {
  if (n > 0) {
    h = h + 1;
    down(n - 1);
    g = g + 1;
  }
}
void main() {
  g = 0;
  h = 0;
  down(3);
  assert(g == 3);
}
";
    assert_eq!(lines(source), [3, 5, 6, 10, 12, 13]);
}

/// The assertion is in a callee: its callers, and what decides on the calls, matter.
#[test]
fn callers_of_the_failing_procedure_matter() {
    let source = "int x, y;
void check(int n) {
  assert(n > 0);
  y = n;
}
void main() {
  x = 2;
  y = 3;
  if (y == 3)
    check(x);
  y = 0;
}
";
    assert_eq!(lines(source), [3, 7, 8, 9, 10]);
}

/// An error of omission: nothing that is written influences the failing check but the branch that
/// *could* have written, which is the one statement that the slice names.
#[test]
fn what_is_not_there_is_not_in_it() {
    let source = "bool locked, other;
void main() {
  locked = false;
  if (*)
    locked = true;
  else
    skip;
  other = true;
  assert(locked);
}
";
    assert_eq!(
        lines(source),
        [3, 4, 5, 9],
        "the empty branch, where the mistake is, is not in the slice"
    );
}

/// An assumption before the check decides whether it is reached, and so does what the assumption
/// reads; one behind it does not.
#[test]
fn assumptions_matter_to_what_follows() {
    let source = "int x, y, z;
void only(int n) {
  assume(n > 2);
}
void main() {
  y = 1;
  z = 2;
  only(y);
  assert(x > 0);
  assume(z > 0);
}
";
    assert_eq!(lines(source), [3, 6, 8, 9]);
}

/// What the slice promises: an assignment that is not in it may be left out, and whatever failed
/// still fails. (That a loop may end sooner is no influence, so a program may fail that did not;
/// without loops and recursion it must not.)
#[test]
fn what_is_not_in_the_slice_may_be_left_out() {
    let (mut changed, mut failing, mut kept_safe) = (0, 0, 0);
    each(9000..9420, generate::sequential, |seed, source| {
        let Some((program, oracle)) = ask_oracle(source) else { return };
        let inside = slice_of(&program, target(source));
        let mut without = program.clone();
        let mut left_out = 0;
        for (edge, _) in without.edges.iter_mut().zip(&inside).filter(|(_, inside)| !**inside) {
            if matches!(edge.operation, Operation::Assign(_) | Operation::Havoc(_)) {
                edge.operation = Operation::Skip;
                left_out += 1;
            }
        }
        if left_out == 0 {
            return;
        }
        let Some(again) = crate::explicit::explore(
            &without,
            crate::explicit::Settings { error: target(source), ..Default::default() },
        ) else {
            return;
        };
        changed += 1;
        failing += u32::from(oracle.is_unsafe);
        assert!(again.is_unsafe || !oracle.is_unsafe, "seed {seed}: it fails no more\n{source}");
        if is_straight(&program) {
            kept_safe += u32::from(!oracle.is_unsafe);
            assert!(oracle.is_unsafe || !again.is_unsafe, "seed {seed}: it did not fail\n{source}");
        }
    });
    assert!(
        changed >= 200 && failing * 4 >= changed && kept_safe >= 10,
        "{changed} changed, {failing} fail, {kept_safe} straight and safe"
    );
}

/// No loop, and no recursion.
pub(crate) fn is_straight(program: &Program) -> bool {
    let count = program.locations.len();
    let mut next = vec![Vec::new(); count];
    for edge in &program.edges {
        next[edge.from.0 as usize].push(edge.to.0 as usize);
        if let Operation::Call { callee, .. } = edge.operation {
            next[edge.from.0 as usize].push(program.procedure(callee).entry.0 as usize);
        }
    }
    // Kahn: whatever is left over lies on or behind a cycle.
    let mut incoming = vec![0; count];
    next.iter().flatten().for_each(|to| incoming[*to] += 1);
    let mut free: Vec<usize> = (0..count).filter(|k| incoming[*k] == 0).collect();
    let mut sorted = 0;
    while let Some(here) = free.pop() {
        sorted += 1;
        for to in &next[here] {
            incoming[*to] -= 1;
            if incoming[*to] == 0 {
                free.push(*to);
            }
        }
    }
    sorted == count
}

/// Every check that some run fails is in the slice, and so is every call that was pending.
#[test]
fn the_slice_has_the_failing_checks_and_their_callers() {
    let mut failing = 0;
    each(9500..9700, generate::sequential, |seed, source| {
        let Some((program, oracle)) = ask_oracle(source) else { return };
        let inside = slice_of(&program, target(source));
        let (mut session, _) = faultline::session::Session::load(
            source,
            &faultline::wire::options::RequestedOptions {
                error: target(source),
                ..Default::default()
            },
        );
        session.start(faultline::session::Task::Check, Default::default());
        session.run();
        let Some(run) = session.failing_run() else { return };
        assert!(oracle.is_unsafe, "seed {seed}");
        let last = run.entries.last().expect("a run has entries");
        assert!(inside[last.edge.0 as usize], "the failing statement, seed {seed}\n{source}");
        for depth in 0..last.depth {
            let call = run
                .entries
                .iter()
                .rev()
                .find(|entry| entry.depth == depth)
                .expect("a frame below it");
            assert!(inside[call.edge.0 as usize], "a pending call, seed {seed}\n{source}");
        }
        failing += 1;
    });
    assert!(failing >= 40, "{failing}");
}
