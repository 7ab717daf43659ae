//! The oracle on programs whose answers are known: figures of the papers, and small recursions done
//! by hand.

use crate::explicit::{Explicit, Settings, explore};
use crate::support::generate;
use crate::support::shrink::each;
use crate::{bounded, load};
use faultline::lang::model::*;
use std::collections::BTreeSet;

fn answers(source: &str) -> (Program, Explicit) {
    let program = load(source).expect("a good program");
    let answer = explore(&program, Settings::default()).expect("a small program");
    (program, answer)
}

/// The lines of the edges marked, but for those that the front end made.
fn lines(program: &Program, marked: &[bool]) -> Vec<u32> {
    let shown = |edge: &Edge| edge.is_statement();
    let lines: BTreeSet<u32> = program
        .edges
        .iter()
        .zip(marked)
        .filter(|(e, m)| **m && shown(e))
        .map(|(e, _)| e.span.line)
        .collect();
    lines.into_iter().collect()
}

/// Table 1 of the error-projection paper (Lal, Kidd, Reps, Touili 2007).
#[test]
fn table_1() {
    let source = "//! bits = 4
int arr[3]; int f(int x); int complex(int x); int foo(int i) {
assert(i > 0);
i = complex(i);
return i; }
int bar(int len) {
int r = 0;
switch (f(len)) {
case 3: r += foo(arr[2]);
case 2: r += foo(arr[1]);
case 1: r += foo(arr[0]);
} return r; }
int main() {
arr[0]=1; arr[1]=-1; arr[2]=-2; bar(3); }
";
    let (program, answer) = answers(source);
    assert!(answer.is_unsafe);
    assert_eq!(lines(&program, &answer.projection), [3, 7, 8, 9, 10, 14]);
}

/// Figure 1 of the same paper as a program: the procedure's statement is in neither branch's
/// failing runs.
#[test]
fn figure_1() {
    let source = "bool b; void p() {
n: skip; }
void main() { if (*) {
b = false; p(); assume(b); }
else if (*) {
b = true; p(); assume(!b); }
error: skip; }
";
    let (program, answer) = answers(source);
    assert!(answer.is_unsafe);
    let exact = lines(&program, &answer.projection);
    let naive = lines(&program, &answer.naive);
    assert!(
        exact.contains(&7) && !exact.contains(&2) && !exact.contains(&4) && !exact.contains(&6),
        "{exact:?}"
    );
    assert!(
        naive.contains(&2) && naive.contains(&7) && !naive.contains(&4) && !naive.contains(&6),
        "{naive:?}"
    );
}

/// Figure 1 of the localisation paper (Ball, Naik, Rajamani 2003).
#[test]
fn locks() {
    let source = "bool L = false; void main() { assert(!L); L = true;
if (*)
{ assert(L); L = false; }
else skip;
assert(!L); L = true;
if (*)
{ assert(L); L = false; }
else skip;
assert(!L); }
";
    let (program, answer) = answers(source);
    assert!(answer.is_unsafe);
    assert_eq!(lines(&program, &answer.projection), [1, 2, 3, 4, 5, 6, 8, 9]);
}

/// The stack must be exactly three deep, wherever the recursion stops.
#[test]
fn counting_with_the_stack() {
    let source = "//! bits = 3
unsigned n;
void down() {
  if (*) {
    down();
    n = n + 1;
  }
}
void main() {
  n = 0;
  down();
  assert(n != 3);
  n = 7;
}
";
    let (program, answer) = answers(source);
    assert!(answer.is_unsafe);
    assert_eq!(lines(&program, &answer.projection), [4, 5, 6, 10, 11, 12]);
    assert_eq!(lines(&program, &answer.reached), [4, 5, 6, 10, 11, 12, 13]);
    assert_eq!(bounded::least_depth(&program, None, 6), Some(Some(4)));
}

/// No finite stack is enough to unfold this recursion, and it is safe.
#[test]
fn unbounded_recursion_can_be_safe() {
    let source = "bool b;
void flip() {
  if (*) {
    b = !b;
    flip();
    b = !b;
  }
}
void main() {
  b = false;
  flip();
  assert(!b);
}
";
    let (program, answer) = answers(source);
    assert!(!answer.is_unsafe);
    assert!(answer.projection.iter().all(|in_it| !in_it));
    assert_eq!(lines(&program, &answer.reached), [3, 4, 5, 6, 10, 11, 12]);
    assert_eq!(bounded::least_depth(&program, None, 6), Some(None));
}

/// A caller's local survives the call, and each frame has its own.
#[test]
fn locals_belong_to_their_frames() {
    let source = "int down(unsigned n) {
  unsigned mine = n;
  if (n > 0) {
    down(n - 1);
  }
  assert(mine == n);
  return 0;
}
void main() {
  down(3);
}
";
    let (_, answer) = answers(source);
    assert!(!answer.is_unsafe);
}

/// A run ends at its first error, targeted or not.
#[test]
fn an_error_that_is_not_meant_ends_the_run() {
    let source = "int x;
void main() {
  assert(x != 3);
  x = 3;
  assert(x == 3);
  if (x == 3) {
    assert(x == 0);
  }
}
";
    let program = load(source).expect("a good program");
    let only = |line| {
        explore(&program, Settings { error: Some(line), ..Settings::default() })
            .expect("a small program")
    };
    assert_eq!(lines(&program, &only(3).projection), [3]);
    assert!(!only(5).is_unsafe);
    assert_eq!(lines(&program, &only(7).projection), [3, 4, 5, 6, 7]);
}

/// Forgetting dead locals changes no answer.
#[test]
fn dead_locals_do_not_matter() {
    let mut compared = 0;
    each(1000..1150, generate::sequential, |seed, source| {
        let program = load(source).expect("a good program");
        let small = Settings { cap: 4000, ..Settings::default() };
        let Some(kept) = explore(&program, Settings { keep_dead: true, ..small }) else { return };
        let forgotten = explore(&program, small).expect("there are fewer stores");
        assert_eq!(kept.is_unsafe, forgotten.is_unsafe, "seed {seed}");
        assert_eq!(kept.reached, forgotten.reached, "seed {seed}");
        assert_eq!(kept.projection, forgotten.projection, "seed {seed}");
        assert_eq!(kept.naive, forgotten.naive, "seed {seed}");
        compared += 1;
    });
    assert!(compared >= 25, "{compared}");
}
