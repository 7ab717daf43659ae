//! Structs as results of procedures.

use crate::lab::{record, task};
use crate::support::load::session_with;
use faultline::encode::affine::Arithmetic;
use faultline::report;
use faultline::session::{AffineSession, Budgets, Job, Outcome, Session, Task};
use faultline::wire::lab::LabTask;
use faultline::wire::options::{Dialect, RequestedOptions};

fn asked(source: &str) -> Session {
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let mut session = session_with(source, &requested);
    session.start(Task::Check, Budgets::default());
    session.run();
    assert_eq!(session.fault(), None, "{source}");
    session
}

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
struct P { int x, y; };
struct Q { struct P p; int k; };
struct P make(int a) { struct P p = { a, a + 1 }; return p; }
";

#[track_caller]
fn is_safe(rest: &str) {
    let source = format!("{HEAD}{rest}\n");
    assert_eq!(asked(&source).outcome(), Outcome::Safe, "{source}");
}

#[test]
fn a_result_is_copied_where_the_call_stands() {
    is_safe(
        "struct P global;
int main(void) {
  struct P q = make(3), a[2] = { make(1), make(2) };
  assert(q.x == 3 && q.y == 4 && a[0].x == 1 && a[1].y == 3);
  a[1] = make(7);
  global = make(9);
  assert(a[0].x == 1 && a[1].x == 7 && global.y == 10);
  make(4);
  assert(global.x == 9);
  assert(make(1).x + make(5).y == 7);
  return 0;
}",
    );
}

#[test]
fn several_results_are_told_apart() {
    is_safe(
        "int sum(struct P a, struct P b) { return a.x * 10 + b.x; }
struct Q wrap(struct P a, struct P b) { struct Q q; q.p = b; q.k = a.x; return q; }
struct P again(struct P p) { return make(p.x); }
int main(void) {
  assert(sum(make(1), make(2)) == 12);
  struct Q q = wrap(make(3), make(4));
  assert(q.k == 3 && q.p.x == 4 && q.p.y == 5);
  assert(wrap(make(1), again(make(2))).p.y == 3);
  for (int i = 0; i < make(2).x; i++) { q.p = make(i); }
  assert(q.p.x == 1);
  return 0;
}",
    );
}

#[test]
fn calls_that_one_macro_writes_are_told_apart() {
    is_safe(
        "#define BOTH(k) (make(k).x + make(k + 1).x)
int sum(struct P a, struct P b) { return a.x * 10 + b.x; }
#define ONE(k) make(k)
int main(void) {
  int c = 2;
  assert(BOTH(1) == 3 && sum(ONE(1), ONE(2)) == 12);
  assert((c ? make(1).x : make(2).x) == 1 && (c == 2 || make(9).x == 0));
  return 0;
}",
    );
}

#[test]
fn procedures_that_call_themselves_return_structs() {
    is_safe(
        "struct P deep(int n) {
  struct P p, r;
  if (n == 0) return make(0);
  p = deep(n - 1);
  r = deep(n - 1);
  p.x = p.x + r.x + n;
  return p;
}
int main(void) { assert(deep(2).x == 4); return 0; }",
    );
}

#[test]
fn a_choice_of_results_fails_where_one_does() {
    let source = format!(
        "{HEAD}struct P some(int c) {{ if (c) {{ return make(1); }} return make(2); }}
int main(void) {{
  struct P s = some(__VERIFIER_nondet_int());
  assert(s.x == 1);
  return 0;
}}
"
    );
    let mut session = asked(&source);
    assert_eq!(session.outcome(), Outcome::Unsafe);
    let origin = report::Origin { file_name: "a.c".to_string(), creation_time: String::new() };
    let witness = report::witness(&mut session, &origin).expect("a witness");
    // C has no name for where a result stands: the witness leaves it out.
    assert!(witness.contains("c == 0") && !witness.contains("result of"), "{witness}");
    let report = report::report(&session);
    assert_eq!(report.error.as_ref().and_then(|e| e.detail.as_deref()), Some("s.x is 2"));
    let shown = serde_json::to_string(&report).expect("plain data");
    assert!(!shown.contains("result of"), "{shown}");
    // The step of the caller shows what it took.
    assert!(shown.contains("struct P s = some(__VERIFIER_nondet_int())"), "{shown}");
}

/// Weights and equalities speak of what the program wrote.
#[test]
fn results_on_their_way_have_no_words() {
    let source = format!(
        "{HEAD}int count;
struct P one(int n) {{ count = count + 1; return make(n); }}
int main(void) {{ struct P s = one(2); assert(s.x != 9); return 0; }}
"
    );
    let session = asked(&source);
    let (_, lab) = record(&session, &task(LabTask::Post));
    let weights = serde_json::to_string(&lab).expect("plain data");
    assert!(weights.contains("count = 1") && !weights.contains("result of"), "{weights}");
    let program = session.program().expect("a program");
    let arithmetic = Arithmetic::Unbounded;
    let mut affine = AffineSession::new(program.clone().into(), arithmetic, 1_000_000);
    affine.run();
    let told = report::affine::affine_report(program, session.options(), &mut affine);
    let told = serde_json::to_string(&told).expect("plain data");
    assert!(told.contains("count = 1") && !told.contains("result of"), "{told}");
}

#[test]
fn without_a_return_the_result_is_any() {
    let source = format!(
        "{HEAD}struct P none(int c) {{ if (c) {{ return make(1); }} }}
int main(void) {{
  struct P s = none(1);
  assert(s.x == 1);
  s = none(0);
  assert(s.x == 1);
  return 0;
}}
"
    );
    let session = asked(&source);
    assert_eq!(session.outcome(), Outcome::Unsafe);
    let line = report::report(&session).error.map(|error| error.line);
    assert_eq!(line, Some(11));
}

#[test]
fn results_hold_pointers() {
    is_safe(
        "struct pair { int *p; struct pair *next; };
struct pair alloc(struct pair *next) {
  struct pair r;
  r.p = malloc(sizeof(int) * 2);
  r.next = next;
  return r;
}
int main(void) {
  struct pair a = alloc(0);
  a.p[1] = 5;
  struct pair *h = malloc(sizeof *h);
  *h = alloc(&a);
  h->p[1] = 6;
  assert(h->next->p[1] == 5 && h->next->next == 0 && h->p != a.p);
  free(a.p); free(h->p); free(h);
  return 0;
}",
    );
}

#[test]
fn what_stays_refused() {
    for source in [
        "struct P { int x; }; struct P make(int); int main(void) { struct P p = make(1); return p.x; }",
        "union U { int a; int b; }; union U make(int a) { union U u; u.a = a; return u; } int main(void) { union U u = make(1); return u.a; }",
        "#include <pthread.h>\nstruct P { int x; }; struct P make(int a) { struct P p = { a }; return p; } void *t(void *a) { return 0; } int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); struct P p = make(1); return p.x; }",
    ] {
        let requested =
            RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
        let loaded = faultline::lang::load(source, &requested);
        assert!(loaded.program.is_none(), "{source}");
    }
}
