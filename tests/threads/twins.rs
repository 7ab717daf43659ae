//! Random C programs with threads, each beside the same program in Cimple, where every step is
//! written out: what C reads and writes one after another is several statements there, what is
//! `_Atomic` is an atomic section. Structs are their members; enumerations are `unsigned`.

use crate::analysed;
use crate::oracle::{Shares, compare};
use crate::support::random::Random;
use faultline::session::{Budgets, Outcome, SwitchBound, ThreadsOptions};
use faultline::wire::options::Dialect;
use std::collections::BTreeMap;
use std::fmt::Write;

const BOUND: u32 = 3;
const PROGRAMS: u64 = 240;

const C_HEAD: &str = "//! bits = 3
#include <pthread.h>
#include <assert.h>
struct P { int u, v; };
enum E { A, B, C };
struct T { struct P p; int k; };
int x, sum(struct P), y;
_Atomic int n, a[2];
struct P s, r, v[2];
_Atomic struct P w;
struct { int k; _Atomic int m; enum E f : 2; } z;
enum E e;
pthread_mutex_t lock;
int sum(struct P p) { return p.u + p.v; }
void raise(_Atomic int *p) { *p += 1; }
void put(struct P *p) { p->u = x; p->v = x; }
void __VERIFIER_atomic_both(void) { s.u = s.u + 1; s.v = s.u; }
void __VERIFIER_atomic_outer(void) { x++; __VERIFIER_atomic_both(); x++; }
";

const CIMPLE_HEAD: &str = "//! bits = 3
//! globals = zero
int x, y, n, a[2], s_u, s_v, r_u, r_v, v_u[2], v_v[2], w_u, w_v, z_m;
unsigned e, z_f;
bool m;
";

/// A statement of C, and the steps that it takes.
const STATEMENTS: [(&str, &str); 42] = [
    ("x++;", "t = x; x = t + 1;"),
    ("x = i;", "x = i;"),
    ("i = x;", "i = x;"),
    ("x = y + x;", "t = y; q = x; x = t + q;"),
    ("y = 1;", "y = 1;"),
    ("n++;", "atomic { n = n + 1; }"),
    ("n += x;", "t = x; atomic { n = n + t; }"),
    ("n = n + 1;", "t = n; n = t + 1;"),
    ("a[1]++;", "atomic { a[1] = a[1] + 1; }"),
    ("a[x & 1] += y;", "q = x; t = y; atomic { a[q & 1] = a[q & 1] + t; }"),
    ("raise(&n);", "atomic { n = n + 1; }"),
    ("raise(a);", "atomic { a[0] = a[0] + 1; }"),
    ("z.m++;", "atomic { z_m = z_m + 1; }"),
    ("l = s;", "l_u = s_u; l_v = s_v;"),
    ("s = l;", "s_u = l_u; s_v = l_v;"),
    ("r = s;", "t = s_u; r_u = t; t = s_v; r_v = t;"),
    ("{ struct P own = s; i = own.u - own.v; }", "t = s_u; q = s_v; i = t - q;"),
    ("{ struct P own = {x, y}; l = own; }", "t = x; q = y; l_u = t; l_v = q;"),
    ("i = sum(s);", "t = s_u; q = s_v; i = t + q;"),
    ("e = B;", "e = 1;"),
    ("e--;", "f = e; e = f - 1;"),
    ("if (e > i) x = 1;", "f = e; if (f > (unsigned) i) { x = 1; }"),
    ("i = x ?: y;", "t = x; if (t != 0) { i = t; } else { i = y; }"),
    ("__VERIFIER_atomic_both();", "atomic { s_u = s_u + 1; s_v = s_u; }"),
    (
        "__VERIFIER_atomic_outer();",
        "atomic { x = x + 1; atomic { s_u = s_u + 1; s_v = s_u; } x = x + 1; }",
    ),
    (
        "pthread_mutex_lock(&lock); x++; pthread_mutex_unlock(&lock);",
        "lock(m); t = x; x = t + 1; unlock(m);",
    ),
    ("{ struct T own = {s, 1}; i = own.p.u - own.p.v; }", "t = s_u; q = s_v; i = t - q;"),
    ("{ struct P own[2] = {[1] = r}; l = own[1]; }", "t = r_u; q = r_v; l_u = t; l_v = q;"),
    ("i = sum(v[1]);", "t = v_u[1]; q = v_v[1]; i = t + q;"),
    ("l = v[x & 1];", "q = x; l_u = v_u[q & 1]; l_v = v_v[q & 1];"),
    ("v[i & 1] = l;", "v_u[i & 1] = l_u; v_v[i & 1] = l_v;"),
    ("v[1] = s;", "t = s_u; v_u[1] = t; t = s_v; v_v[1] = t;"),
    ("v[0].v++;", "t = v_v[0]; v_v[0] = t + 1;"),
    ("put(&s);", "t = x; s_u = t; t = x; s_v = t;"),
    ("w = s;", "t = s_u; q = s_v; atomic { w_u = t; w_v = q; }"),
    ("l = w;", "atomic { l_u = w_u; l_v = w_v; }"),
    ("i = sum(w);", "atomic { t = w_u; q = w_v; } i = t + q;"),
    ("z.f++;", "f = z_f; z_f = (f + 1) & 3u;"),
    ("i = z.f > x;", "f = z_f; t = x; if (f > (unsigned) t) { i = 1; } else { i = 0; }"),
    (
        "if (x == 1 && y == 1) n++;",
        "t = x; if (t == 1) { q = y; if (q == 1) { atomic { n = n + 1; } } }",
    ),
    (
        "for (int k = 0; k < 2; k++) x += k;",
        "q = 0; while (q < 2) { t = x; x = t + q; q = q + 1; }",
    ),
    (
        "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_both(); n++; __VERIFIER_atomic_end();",
        "atomic { x = x + 1; atomic { s_u = s_u + 1; s_v = s_u; } n = n + 1; }",
    ),
];

const ASSERTIONS: [(&str, &str); 10] = [
    ("assert(x != 2);", "assert(x != 2);"),
    ("assert(n != 2);", "assert(n != 2);"),
    ("assert(a[1] != 2);", "assert(a[1] != 2);"),
    ("assert(z.m != 2);", "assert(z_m != 2);"),
    ("assert(l.u == l.v);", "assert(l_u == l_v);"),
    ("assert(s.u == s.v);", "t = s_u; q = s_v; assert(t == q);"),
    ("assert(r.u == r.v);", "t = r_u; q = r_v; assert(t == q);"),
    ("assert(e < C);", "f = e; assert(f < 2);"),
    ("assert(v[1].u == v[1].v);", "t = v_u[1]; q = v_v[1]; assert(t == q);"),
    ("l = w; assert(l.u == l.v);", "atomic { l_u = w_u; l_v = w_v; } assert(l_u == l_v);"),
];

/// The body of a thread, in both languages.
fn body(random: &mut Random, asserts: bool) -> (String, String) {
    let mut c = String::from("  int i = 0; struct P l = {0};\n");
    let mut cimple =
        String::from("  int i, t, q, l_u, l_v; unsigned f; i = 0; l_u = 0; l_v = 0;\n");
    let statements = 1 + random.among(3);
    for _ in 0..statements {
        let (left, right) = *random.pick(&STATEMENTS);
        let _ = match random.percent(15) {
            true => writeln!(c, "  if (i == x) {{ {left} }}")
                .and_then(|()| writeln!(cimple, "  t = x; if (i == t) {{ {right} }}")),
            false => writeln!(c, "  {left}").and_then(|()| writeln!(cimple, "  {right}")),
        };
    }
    if asserts {
        let (left, right) = *random.pick(&ASSERTIONS);
        let _ = writeln!(c, "  {left}").and_then(|()| writeln!(cimple, "  {right}"));
    }
    (c, cimple)
}

/// A random program in C and in Cimple. All threads start before main does anything else.
pub(crate) fn twins(mut random: Random) -> (String, String) {
    let (mut c, mut cimple) = (C_HEAD.to_string(), CIMPLE_HEAD.to_string());
    let threads = 1 + random.among(2);
    let mut starts = String::new();
    for k in 0..threads {
        let asserts = random.percent(30);
        let (left, right) = body(&mut random, asserts);
        let _ = write!(c, "void *t{k}(void *arg) {{\n{left}  return 0;\n}}\n");
        let _ = write!(cimple, "thread t{k} {{\n{right}}}\n");
        let _ = writeln!(starts, "  pthread_create(&id{k}, 0, t{k}, 0);");
    }
    let (left, right) = body(&mut random, true);
    let handles: Vec<String> = (0..threads).map(|k| format!("id{k}")).collect();
    let handles = handles.join(", ");
    let _ = write!(c, "int main(void) {{\n  pthread_t {handles};\n{starts}{left}  return 0;\n}}\n");
    let _ = write!(cimple, "void main() {{\n{right}}}\n");
    (c, cimple)
}

/// The outcome, and the least number of switches of a failing run.
pub(crate) fn answer(source: &str, dialect: Dialect) -> (Outcome, Option<u32>) {
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(BOUND), at: None };
    let session = analysed(source, dialect, asked, Budgets::default());
    (session.outcome(), session.switches())
}

#[test]
fn c_takes_the_steps_that_its_twin_writes_out() {
    let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
    let mut switched = 0;
    for seed in 0..PROGRAMS {
        let (c, cimple) = twins(Random::new(seed));
        let found = answer(&c, Dialect::C);
        assert_eq!(found, answer(&cimple, Dialect::Cimple), "seed {seed}\n{c}\n{cimple}");
        *outcomes.entry(format!("{:?}", found.0)).or_default() += 1;
        switched += u32::from(found.1.is_some_and(|switches| switches > 1));
    }
    // Both answers are common, and some failures need another thread to run in between.
    assert!(outcomes.get("Safe").is_some_and(|n| *n >= 30), "{outcomes:?}");
    assert!(outcomes.get("Unsafe").is_some_and(|n| *n >= 20), "{outcomes:?}");
    assert!(switched >= 5, "{switched}, {outcomes:?}");
}

/// The symbolic answer against the explicit search through the same steps.
#[test]
fn threads_in_c_against_the_explicit_search() {
    let mut shares = Shares::default();
    for seed in 0..60 {
        compare(&twins(Random::new(seed)).0, Dialect::C, None, &mut shares);
    }
    assert!(shares.compared >= 40, "{} compared", shares.compared);
    assert!(shares.unsafe_ones >= 5, "{} unsafe", shares.unsafe_ones);
}
