//! Heaps without a bound: two objects of each type are told apart, and a summary object stands for
//! all others.

use crate::support::load::session_with;
use faultline::lang::{load, load_summarized};
use faultline::report;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::util::Limit;
use faultline::wire::cegar::Decider;
use faultline::wire::options::{Dialect, RequestedOptions};

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
int nondet(void);
struct node *push(struct node *head, int v) {
  struct node *n = malloc(sizeof(struct node));
  n->v = v;
  n->next = head;
  return n;
}
";

fn asked(main: &str) -> Session {
    let source = format!("{HEAD}{main}\n");
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let mut session = session_with(&source, &requested);
    session.use_portfolio(&requested);
    session.start(Task::Check, Budgets::default());
    session.run();
    session
}

#[track_caller]
fn is_proved(main: &str) {
    let session = asked(main);
    assert_eq!((session.outcome(), session.fault()), (Outcome::Safe, None), "{main}");
    let decided = session.refined().and_then(|refined| refined.decided).map(|found| found.by);
    assert_eq!(decided, Some(Decider::Summary), "{main}");
    let report = report::report(&session);
    assert_eq!((report.limit, report.fault.is_some()), (None, false));
    assert!(report.proof.is_some_and(|proof| proof.checked), "{main}");
}

#[track_caller]
fn is_open(main: &str) {
    assert_eq!(asked(main).outcome(), Outcome::Unknown(Limit::Heap), "{main}");
}

#[test]
fn what_holds_of_each_object() {
    is_proved(
        "int main(void) {
  struct node *list = 0;
  while (nondet()) { int v = nondet(); if (v > 0) list = push(list, v); }
  for (struct node *p = list; p; p = p->next) assert(p->v > 0);
  return 0;
}",
    );
}

#[test]
fn what_holds_of_neighbours() {
    // Each value is at most the one before it.
    is_proved(
        "int main(void) {
  struct node *list = 0; int last = 0;
  while (nondet()) { int v = nondet(); if (v >= last) { last = v; list = push(list, v); } }
  struct node *p = list;
  while (p && p->next) { assert(p->v >= p->next->v); p = p->next; }
  return 0;
}",
    );
    // Ones and twos in turn, and a three at the end.
    is_proved(
        "int main(void) {
  struct node *first = push(0, 0), *p = first; int turn = 1;
  while (nondet()) { p->v = turn; turn = 3 - turn; p->next = push(0, 0); p = p->next; }
  p->v = 3;
  turn = 1;
  for (p = first; p->v != 3; p = p->next) { assert(p->v == turn); turn = 3 - turn; }
  return 0;
}",
    );
}

#[test]
fn lists_are_freed_once() {
    is_proved(
        "int main(void) {
  struct node *list = 0;
  while (nondet()) list = push(list, nondet());
  while (list) { struct node *next = list->next; free(list); list = next; }
  return 0;
}",
    );
}

#[test]
fn what_fails_with_more_objects_is_not_proved() {
    // The fifth value is wrong.
    let fifth = |wrong: &str| {
        format!(
            "int main(void) {{
  struct node *list = 0; int n = 0;
  while (nondet()) {{ n = n < 9 ? n + 1 : 9; list = push(list, n == 5 ? {wrong} : 1); }}
  for (struct node *p = list; p; p = p->next) assert(p->v == 1);
  return 0;
}}"
        )
    };
    is_proved(&fifth("1"));
    is_open(&fifth("2"));
    // The value of one object is copied to another, and that one is wrong.
    is_open(
        "int main(void) {
  struct node *list = 0; int n = 0;
  while (nondet()) { n = n < 9 ? n + 1 : 9; list = push(list, n == 5 ? 2 : 1); }
  if (!list) return 0;
  struct node *p = list; int seen = 0;
  while (p) { if (p->v == 2) seen = 1; p = p->next; }
  assert(!seen);
  return 0;
}",
    );
    // Freed twice, behind four others.
    is_open(
        "int main(void) {
  struct node *list = 0, *kept = 0; int n = 0;
  while (nondet()) { n = n < 9 ? n + 1 : 9; list = push(list, 1); if (n == 5) kept = list; }
  while (list) { struct node *next = list->next; free(list); list = next; }
  free(kept);
  return 0;
}",
    );
}

#[test]
fn what_was_given_back_is_not_given_to_realloc() {
    // The fifth number is given back twice, the second time by `realloc`.
    let program = |again: &str| {
        format!(
            "int main(void) {{
  int *kept = 0; int n = 0;
  while (nondet()) {{
    int *p = malloc(sizeof(int));
    *p = 1;
    n = n < 9 ? n + 1 : 9;
    if (n == 5) {{ kept = p; free(p); }}
  }}
  int *q = malloc(sizeof(int));
  *q = 1;
  assert(*q == 1);
  if (kept) {{ {again} }}
  return 0;
}}"
        )
    };
    is_proved(&program("assert(*q == 1);"));
    is_open(&program("kept = realloc(kept, sizeof(int));"));
    is_open(&program("free(kept);"));
}

#[test]
fn questions_about_all_objects_stay_open() {
    // How many there are is no matter of two of them.
    is_open(
        "int main(void) {
  struct node *list = 0; int n = 0;
  while (nondet()) { if (n < 9) { n++; list = push(list, 1); } }
  int count = 0;
  for (struct node *p = list; p; p = p->next) count++;
  assert(count == n);
  return 0;
}",
    );
}

#[test]
fn memory_that_is_lost_is_a_question_about_all_objects() {
    let body =
        "int main(void) { while (nondet()) { struct node *n = push(0, 1); free(n); } return 0; }";
    let source = format!("//! check = leak\n{HEAD}{body}\n");
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    assert!(load(&source, &requested).program.is_some());
    assert!(load_summarized(&source, &requested).is_none());
    let plain = source.replace("//! check = leak\n", "");
    assert!(load_summarized(&plain, &requested).is_some());
}
