//! C: reads of what has no value, by exhaustive search with the interpreter.

use super::c::program_at;
use super::execution::{End, ends_of};
use crate::lang::load;
use crate::lang::model::{ErrorKind, VariableKind};
use crate::wire::options::{Dialect, RequestedOptions};

/// The lines at which a run reads what has no value.
fn lines(source: &str) -> Vec<u32> {
    let ends = ends_of(&program_at(source, Some(4)));
    let line = |end| match end {
        End::Failed(ErrorKind::Initialised, line) => Some(line),
        _ => None,
    };
    ends.into_iter().filter_map(line).collect()
}

fn fine(source: &str) {
    assert_eq!(lines(source), [] as [u32; 0], "{source}");
}

#[test]
fn locals_are_read_without_a_value() {
    assert_eq!(lines("int main(void) {\nint x;\nprintf(\"%d\", x);\nreturn 0; }"), [3]);
    assert_eq!(lines("int main(void) {\nint x;\nx++;\nreturn x; }"), [3]);
    assert_eq!(lines("int main(void) {\nint x, y = 1;\nif (y > 1) x = 2;\nreturn x; }"), [4]);
    assert_eq!(
        lines(
            "int main(void) {\nint i, max;\nfor (i = 0; i < 2; i++)\nif (i > max)\nmax = i;\nreturn max; }"
        ),
        [4]
    );
    // A local of a block is a new one each time round.
    assert_eq!(
        lines(
            "int main(void) { int i; for (i = 0; i < 2; i++) { int x;\nif (i > 0) return x;\nx = 1; } return 0; }"
        ),
        [2]
    );
    fine("int main(void) { int x; x = 1; return x; }");
    fine("int main(void) { int x, y = 1; if (y) x = 2; else x = 3; return x; }");
    fine("int main(void) { int x; (void)x; return sizeof x; }");
    fine("int g; static int h; int main(void) { static int s; return g + h + s; }");
    fine(
        "int main(void) { int i, x; for (i = 0; i < 2; i++) { if (i > 0) return x; x = 1; } return 0; }",
    );
}

#[test]
fn operands_that_are_not_evaluated_do_not_count() {
    fine("int main(void) { int x, y = 0; return y && x; }");
    fine("int main(void) { int x, y = 1; return y || x; }");
    fine("int main(void) { int x, y = 1; return y ? 2 : x; }");
    assert_eq!(lines("int main(void) { int x, y = 1; return y && x; }"), [1]);
}

#[test]
fn elements_and_members() {
    assert_eq!(lines("int main(void) { int a[2]; a[0] = 1;\nreturn a[1]; }"), [2]);
    fine("int main(void) { int a[2]; a[1] = 1; return a[1]; }");
    fine("int main(void) { int a[2] = {1}; return a[1]; }");
    fine("int main(void) { int i, a[3]; for (i = 0; i < 3; i++) a[i] = i; return a[2]; }");
    assert_eq!(
        lines("int main(void) { int i, a[3]; for (i = 0; i < 2; i++) a[i] = i;\nreturn a[2]; }"),
        [2]
    );
    assert_eq!(lines("int main(void) { int m[2][2];\nm[1][1] += 1; return 0; }"), [2]);
    let pair = "struct p { int x, y; };";
    assert_eq!(
        lines(&format!("{pair} int main(void) {{ struct p a; a.x = 1;\nreturn a.y; }}")),
        [2]
    );
    // A copy takes along what has no value.
    fine(&format!("{pair} int main(void) {{ struct p a, b; a.x = 1; b = a; return b.x; }}"));
    assert_eq!(
        lines(&format!("{pair} int main(void) {{ struct p a, b; a.x = 1; b = a;\nreturn b.y; }}")),
        [2]
    );
}

#[test]
fn results_that_nobody_returned() {
    let sign = "int sign(int n) { if (n > 0) return 1; }";
    assert_eq!(lines(&format!("{sign} int main(void) {{ int x = sign(0);\nreturn x; }}")), [1]);
    assert_eq!(lines(&format!("{sign} int main(void) {{\nreturn sign(1) + sign(0); }}")), [2]);
    fine(&format!("{sign} int main(void) {{ sign(0); return sign(1); }}"));
    fine("int main(void) { }");
    // The result of an inner call is another one.
    assert_eq!(
        lines("int f(int n) { if (n > 0) return f(n - 1);\n}\nint main(void) { return f(1); }"),
        [1]
    );
}

#[test]
fn memory_behind_pointers() {
    assert_eq!(lines("int main(void) { int *p = malloc(sizeof(int));\nreturn *p; }"), [2]);
    fine("int main(void) { int *p = malloc(sizeof(int)); *p = 1; return *p; }");
    fine("int main(void) { int *p = calloc(1, sizeof(int)); return *p; }");
    assert_eq!(lines("int main(void) { int x, *p = &x;\nreturn *p; }"), [2]);
    fine("int main(void) { int x, *p = &x; *p = 1; return x; }");
    fine("void set(int *p) { *p = 1; } int main(void) { int x; set(&x); return x; }");
    assert_eq!(
        lines("int get(int *p) {\nreturn *p; } int main(void) { int x; return get(&x); }"),
        [2]
    );
    assert_eq!(
        lines(
            "struct n { int v; struct n *next; }; int main(void) { struct n *p = malloc(sizeof *p); p->next = 0;\nreturn p->v; }"
        ),
        [2]
    );
}

#[test]
fn input_gives_values() {
    // Nobody looks at the result: `scanf` is taken to succeed.
    fine("int main(void) { int x, y; scanf(\"%d\", &x); scanf(\"%d%d\", &x, &y); return x == y; }");
    assert_eq!(lines("int main(void) { int x; int n = scanf(\"%d\", &x);\nreturn x; }"), [2]);
    fine("int main(void) { int x; if (scanf(\"%d\", &x) == 1) return x; return 0; }");
}

#[test]
fn it_is_on_where_nobody_says_what_an_error_is() {
    let is_on = |source: &str| {
        let requested =
            RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
        load(source, &requested).options.checks.initialised
    };
    assert!(is_on("int main(void) { int x; return x; }"));
    assert!(!is_on("int main(void) { int x; assert(x); return x; }"));
    assert!(!is_on("int main(void) { int x = __VERIFIER_nondet_int(); int y; return x + y; }"));
    assert!(!is_on("//! check = overflow\nint main(void) { int x; return x; }"));
    assert!(is_on("//! check = initialised\nint main(void) { int x; assert(x); return x; }"));
}

#[test]
fn what_says_so_is_out_of_sight_and_only_where_it_is_needed() {
    let says = |source: &str| {
        let program = program_at(source, Some(8));
        let made = |id: usize| program.variables[id].name.starts_with("value of ");
        let made: Vec<usize> = (0..program.variables.len()).filter(|id| made(*id)).collect();
        for id in &made {
            assert!(!program.variables[*id].has_name());
            let id = crate::lang::model::VariableId(*id as u32);
            assert!(program.scopes.iter().all(|scope| !scope.variables.contains(&id)));
        }
        made.len()
    };
    assert_eq!(says("int main(void) { int x; x = 1; int y = x; return x + y; }"), 0);
    assert_eq!(says("int main(void) { int x, y; x = 1; if (x) y = 2; return y + x; }"), 1);
    let program = program_at("int main(void) { int x; return x; }", Some(8));
    assert!(program.variables.iter().all(|v| v.kind != VariableKind::Global));
}
