//! What the front end makes has no name for people: no answer of the command speaks of it.

use crate::calling::faultline;
use faultline::lang::model::{Origin, Program};
use faultline::wire::options::{Dialect, RequestedOptions};

const BRACES: &str = "struct P { int a; int b; };
struct P g(struct P p) { p.a = p.a + 1; return p; }
int f(struct P p) { return p.a + p.b; }
int main(void) {
  unsigned char n = nondet();
  struct P q = (struct P){ 1, n };
  struct P r = g(q);
  int s = f((struct P){ n, 3 });
  q = (struct P){ n, s };
  assert(q.a + s + r.a != 9);
  return 0;
}
";

const POINTED: &str = "struct P { int a; int b; };
int f(struct P *p) { return p->a + p->b; }
int main(void) {
  unsigned char n = nondet();
  struct P *q = &(struct P){ 1, n };
  int *r = (int[]){ 1, 2, n };
  if (f(q) > 4) r[1] = 5;
  assert(r[2] + 1 == f(q));
  return 0;
}
";

const HEAP: &str = "#include <stdlib.h>
struct node { int key; struct node *next; };
int main(void) {
  struct node *first = malloc(sizeof(struct node));
  first->key = 1;
  first->next = NULL;
  struct node *second = malloc(sizeof(struct node));
  second->key = nondet();
  second->next = first;
  assert(second->next->key == second->key);
  free(first);
  return 0;
}
";

/// The names of what no person wrote, and of the arrays that are memory.
fn made(program: &Program) -> Vec<String> {
    let memory = &program.memory;
    let of_memory = memory.arrays.keys().map(|id| program.variable(*id));
    let made = program.variables.iter().filter(|v| v.origin != Origin::Written);
    made.chain(of_memory).map(|variable| variable.name.clone()).collect()
}

#[test]
fn no_answer_speaks_of_what_the_front_end_made() {
    let failing = [BRACES, POINTED, HEAP].map(str::to_string);
    let safe = [
        BRACES.replace("assert(q.a + s + r.a != 9)", "assert(r.a == 2)"),
        POINTED.replace("r[2] + 1 ==", "r[2] + 1 <="),
        HEAP.replace("== second->key", "== 1"),
    ];
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let mut looked_for = 0;
    for source in failing.iter().chain(&safe) {
        let program = faultline::lang::load(source, &requested).program.expect("a program");
        let names = made(&program);
        looked_for += names.len();
        for arguments in [
            &["check", "--invariants"][..],
            &["check", "--format", "json"],
            &["projection", "--format", "json", "--stores", "5"],
            &["affine"],
            &["cegar", "--explain"],
            &["localize", "--suspects", "--repairs"],
            &["focus"],
        ] {
            let timeout = ["--dialect", "c", "--bits", "8", "--timeout", "20", "-"];
            let output = faultline(&[arguments, &timeout].concat(), source.as_bytes());
            let text = String::from_utf8_lossy(&output.stdout).to_string();
            assert!(!text.is_empty(), "{arguments:?}");
            for name in &names {
                assert!(!text.contains(name.as_str()), "{arguments:?} says {name}:\n{text}");
            }
        }
    }
    assert!(looked_for > 20, "{looked_for}");
}

/// The value of a call inside an expression is named by the call; later ones of the same text get
/// a subscript.
#[test]
fn values_of_calls_are_named_by_the_calls() {
    let source = "int g;
int max(int a, int b) { g = g + 1; return a > b ? a : b; }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (max(a, b) < max(b, 0)) { g = 0; }
  assert(max(a, b) >= a);
  return 0;
}
";
    let options = ["cegar", "--explain", "--dialect", "c", "--bits", "4", "-"];
    let output = faultline(&options, source.as_bytes());
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    for part in ["a = max(a, b)", "max(b, 0)", "max(a, b)₁"] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(!text.contains("call₁") && !text.contains("temporary"), "{text}");
}
