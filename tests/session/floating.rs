//! Floating point in C: stored, copied, compared and negated; computed for constants only.

use crate::support::load::session_with;
use faultline::readable::c_expression::c_expression;
use faultline::report;
use faultline::session::{Budgets, Job, LivenessQuestion, LivenessSession, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};

fn asked(source: &str, task: Task) -> Session {
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let mut session = session_with(source, &requested);
    session.start(task, Budgets::default());
    session.run();
    assert_eq!(session.fault(), None, "{source}");
    session
}

#[track_caller]
fn is_safe(body: &str) {
    let source = format!("#include <assert.h>\n{body}\n");
    assert_eq!(asked(&source, Task::Check).outcome(), Outcome::Safe, "{source}");
}

/// What the failing run says of the check that fails.
fn fails(body: &str) -> String {
    let source = format!("#include <assert.h>\n{body}\n");
    let session = asked(&source, Task::Check);
    assert_eq!(session.outcome(), Outcome::Unsafe, "{source}");
    report::report(&session).error.and_then(|error| error.detail).expect("a detail")
}

#[test]
fn values_are_copied_compared_and_negated() {
    is_safe(
        "double g = 1.5; float h; struct P { int k; double w; } p = { 3, 2.5 };
double greater(double x, double y) { return x > y ? x : y; }
int main(void) {
  double x = 0x1.4p+4, y = x, z = -y, m = greater(p.w, g);
  float f = 2.5f, tenth = 0.1;
  assert(x == 20.0 && z == -20 && z < 0 && y >= 20);
  assert(m == 2.5);
  assert(h == 0 && !h && g);
  assert(tenth == 0.1f && f != 2);
  p.w = x;
  assert(p.w > 19.5 && p.w < 2e1 + 1 / 2.0);
  return 0;
}",
    );
}

#[test]
fn any_value_may_be_no_number() {
    is_safe(
        "int main(void) {
  double u = __VERIFIER_nondet_double();
  if (u >= 1.0 && u <= 1.0) { assert(u == 1.0); }
  if (u != u) { assert(!(u < 1) && !(u >= 1)); }
  if (u == 0) { assert(!u); }
  return 0;
}",
    );
    let detail = fails("int main(void) { float u = __VERIFIER_nondet_float(); assert(u == u); }");
    assert_eq!(detail, "u is NaN");
    let detail = fails(
        "int main(void) { double u = __VERIFIER_nondet_double();
  if (u > 0.25 && u < 0.5) { assert(u != 0.375); } }",
    );
    assert_eq!(detail, "u is 0.375");
}

#[test]
fn constants_are_computed_as_a_compiler_does() {
    is_safe(
        "double limit = 3.0 * 0.5 + 1; float third = 1.0f / 3;
int main(void) {
  assert(limit == 2.5 && third == 0.333333343f);
  assert((int)-2.75 == -2 && (unsigned char)7.9f == 7);
  assert(sizeof(double) == 8 && sizeof third == 4 && sizeof 1.0 == 8);
  assert(0.1 + 0.2 != 0.3 && 1 / 2.0 == 0.5 && 0e0 == 0 && 01e1 == 10);
  return 0;
}",
    );
}

#[test]
fn memory_holds_patterns() {
    is_safe(
        "union U { double d; long l; int i; };
struct node { double key; struct node *next; };
double opposite(double *p) { return -*p; }
int main(void) {
  union U u; u.d = 1.0;
  assert(u.l == 0x3ff0000000000000L);
  u.l = 0x4000000000000000L;
  assert(u.d == 2.0);
  u.i = 7;
  assert(u.i == 7);
  struct node n = { 3.5, 0 }, *p = &n;
  assert(p->key == 3.5 && opposite(&p->key) == -3.5);
  double x = 4.0;
  unsigned *low = (unsigned *)&x;
  *low = 10;
  assert(*low == 10 && x > 4.0 && x < 4.01);
  return 0;
}",
    );
}

#[test]
fn any_value_may_be_written_to_memory() {
    let union = "union U { double d; long l; };";
    is_safe(&format!(
        "{union} int main(void) {{
  union U u; u.d = __VERIFIER_nondet_double();
  if (u.d == 1.0) {{ assert(u.l == 0x3ff0000000000000L); }}
  return 0;
}}"
    ));
    let detail = fails(&format!(
        "{union} int main(void) {{
  union U u; u.d = __VERIFIER_nondet_double(); assert(u.l != 0x4000000000000000L); }}"
    ));
    assert_eq!(detail, "u is 4611686018427387904");
}

#[test]
fn runs_show_decimals() {
    let source = "#include <assert.h>
double limit = 2.5;
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x == 1e300) { limit = x; }
  assert(limit == 2.5);
}
";
    let mut session = asked(source, Task::Check);
    let origin = report::Origin { file_name: "a.c".to_string(), creation_time: String::new() };
    let witness = report::witness(&mut session, &origin).expect("a witness");
    assert!(witness.contains("limit == 2.5") && witness.contains("x == 1e300"), "{witness}");
    let report = report::report(&session);
    let shown = serde_json::to_string(&report).expect("plain data");
    for text in ["\"1e300\"", "\"2.5\""] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let pattern = 1e300f64.to_bits().to_string();
    assert!(!shown.contains(&pattern), "{shown}");
}

#[test]
fn what_is_not_modelled_is_named() {
    for (body, message) in [
        ("double d; d = d * 2.0;", "arithmetic with floating point is not modelled: line 1"),
        ("double d; d++;", "arithmetic with floating point is not modelled: line 1"),
        (
            "double d; int n = d;",
            "a conversion between floating point and integers is not modelled: line 1",
        ),
        (
            "double d; int n = 1; d = n;",
            "a conversion between floating point and integers is not modelled: line 1",
        ),
        (
            "float f; double d; d = f;",
            "a conversion between `float` and `double` is not modelled: line 1",
        ),
        ("double d = 1e; int n;", "`1e` is not a number that a `double` holds"),
        (
            "double d = 0x1.123456789abcdefp0;",
            "`0x1.123456789abcdefp0` is not a number that a `double` holds",
        ),
        ("double d = 1.0L;", "floating point of other than 32 or 64 bits is not modelled: line 1"),
        ("double d; int n = ~d;", "`~` of floating point is not modelled: line 1"),
        (
            "double d, *p = &d; *p = *p + 1;",
            "arithmetic with floating point is not modelled: line 1",
        ),
        (
            "double d, *p = &d; int n = (int)*p;",
            "a conversion between floating point and integers is not modelled: line 1",
        ),
    ] {
        let source = format!("int main(void) {{ {body} return 0; }}");
        let requested =
            RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
        let loaded = faultline::lang::load(&source, &requested);
        assert!(loaded.program.is_none(), "{source}");
        let said: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert!(said.contains(&message), "{source}: {said:?}");
    }
}

#[test]
fn formulas_and_predicates_do_not_compare_patterns() {
    let source = "double g = 1.0;\nint main(void) { g = 2.0; return 0; }";
    let session = asked(source, Task::Check);
    let program = session.shared_program().expect("a program");
    let question = LivenessQuestion::Formula("G (g == 1)".to_string());
    let (options, budgets) = (session.options(), Budgets::default());
    let made = LivenessSession::new(program, source, options, &question, false, budgets, None);
    let Err(refused) = made else { panic!("a formula over floating point") };
    assert!(format!("{refused:?}").contains("is floating point"), "{refused:?}");
}

#[test]
fn invariants_name_values_and_witnesses_leave_them_out() {
    let source = "#include <assert.h>
double none = 0.0 / 0.0, most = 1.0 / 0.0, half = 0.5;
int main(void) {
  assert(none != none && most > 1e308 && half == 0.5);
  return 0;
}
";
    let mut session = asked(source, Task::Check);
    let found = report::invariant::invariants(&mut session).expect("a proof");
    let shown = serde_json::to_string(&found).expect("plain data");
    for text in ["none = no number", "most = ∞", "half = 0.5"] {
        assert!(shown.contains(text), "{text}: {shown}");
        assert_eq!(c_expression(text), None, "{text}");
    }
}
