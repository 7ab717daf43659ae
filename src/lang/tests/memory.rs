//! C programs with pointers and the heap: how their runs end, by exhaustive search with the
//! interpreter, and what stays refused.

use super::c::{program_at, requested};
use super::execution::{End, ends_of};
use crate::lang::load;
use crate::lang::model::ErrorKind;

/// All ends of the runs of a program.
fn ends(source: &str) -> Vec<End> {
    ends_of(&program_at(source, Some(8))).into_iter().collect()
}

fn returns(source: &str, value: i128) {
    assert_eq!(ends(source), [End::Returned(value)], "{source}");
}

fn fails(source: &str, line: u32) {
    let found = ends(source);
    assert!(matches!(&found[..], [end] if end.is_of_memory(line)), "{found:?}: {source}");
}

const LIST: &str = "struct node { int v; struct node *next; };
struct node *cons(int v, struct node *rest) { struct node *n = malloc(sizeof *n); n->v = v; n->next = rest; return n; }
";

#[test]
fn pointers_move() {
    returns("int main(void) { int x = 1, y = 2, *p; p = &x; p = &y; *p = 5; return x + y; }", 6);
    returns("int main(void) { int a[3] = {1, 2, 3}, *p = a; p++; return *p + p[1] + (p - a); }", 6);
    returns(
        "int *max(int *a, int *b) { return *a < *b ? b : a; } int main(void) { int x = 1, y = 2; *max(&x, &y) = 7; return x + y; }",
        8,
    );
    returns(
        "void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; } int main(void) { int x = 1, y = 2, *p = &x, *q = &y; swap(&p, &q); return *p - *q; }",
        1,
    );
    returns(
        "struct S { int a, *p; }; int g = 4; int main(void) { struct S s; s.p = &g; *s.p = 5; return g; }",
        5,
    );
    returns(
        "int length(const char *s) { int n = 0; while (*s++) n++; return n; } int main(void) { char *t = \"abc\"; return length(t) + length(\"de\"); }",
        5,
    );
}

/// The sizes of structs are asked for before their members are.
#[test]
fn memory_is_asked_for_before_members_are() {
    let program = program_at(
        "//! model = ilp32
        struct slot { char a; struct hs *h; }; struct hs { struct slot *priv; char b; }; struct slot *s;
        int main(void) { struct hs *p; void *t; t = malloc(8); p = (struct hs *)t; p->b = 5; s = malloc(8); s->a = 3; p->priv = s; return p->priv->a + p->b; }",
        Some(32),
    );
    assert_eq!(ends_of(&program).into_iter().collect::<Vec<End>>(), [End::Returned(8)]);
}

#[test]
fn a_label_of_c_is_an_error_in_capitals_only() {
    returns("int main(void) { int x = 1; if (x) goto error; return 2; error: return 3; }", 3);
    let found = ends("int main(void) { int x = 1; if (x) goto ERROR; return 2; ERROR: return 3; }");
    assert_eq!(found, [End::Failed(ErrorKind::ErrorLabel, 1)]);
}

#[test]
fn pointers_to_procedures_may_be_cast() {
    returns(
        "int g; void f(int *x) { *x = 5; } void call(void (*p)()) { (*p)(&g); } int main(void) { void (*q)(); q = (void (*)())(&f); call(q); return g; }",
        5,
    );
}

#[test]
fn lists_on_the_heap() {
    let uses = |rest: &str| format!("{LIST}int main(void) {{ {rest} }}");
    returns(
        &uses(
            "struct node *l = cons(1, cons(2, 0)); int s = 0; while (l) { struct node *n = l->next; s += l->v; free(l); l = n; } return s;",
        ),
        3,
    );
    fails(&uses("struct node *l = cons(1, 0); free(l); return l->v;"), 3);
    fails(&uses("struct node *l = cons(1, 0); free(l); free(l);"), 3);
    fails(&uses("struct node *l = cons(1, 0); return l->next->v;"), 3);
    fails(&uses("struct node *l; return l->v;"), 3);
    fails(&uses("int x, *p = &x; free(p);"), 3);
}

#[test]
fn freed_memory_is_found_though_it_may_be_taken_again() {
    let source = format!(
        "{LIST}int main(void) {{ struct node *a = cons(1, 0), *b; free(a); b = cons(2, 0); return a->v; }}"
    );
    let ends = ends(&source);
    assert!(ends.contains(&End::Failed(ErrorKind::Freed, 3)), "{ends:?}");
}

#[test]
fn outside_of_an_object() {
    fails("int main(void) { int a[3] = {0}, *p = a; p += 4; return 0; }", 1);
    fails("int main(void) { int a[3] = {0}, *p = a + 3; return *p; }", 1);
    fails("int main(void) { int a[2] = {0}, b[2] = {0}, *p = a, *q = b; return p < q; }", 1);
    fails("int main(void) { char *s = \"ab\"; s[0] = 'c'; return 0; }", 1);
    fails("int *f(void) { int x = 1; return &x; } int main(void) { return *f(); }", 1);
    fails("int main(void) { int *p = 0; { int x = 1; p = &x; } return *p; }", 1);
}

#[test]
fn pointers_to_procedures() {
    returns(
        "int one(int x) { return x + 1; } int two(int x) { return x + 2; } int (*f)(int) = one; int main(void) { int a = f(1); f = &two; return a + (*f)(1); }",
        5,
    );
    returns(
        "int one(void) { return 1; } int two(void) { return 2; } struct ops { int (*get)(void); }; int main(void) { struct ops o = { two }; int (*t[2])(void) = { one, two }; return o.get() + t[0](); }",
        3,
    );
    fails(
        "int one(void) { return 1; } int main(void) { int (*f)(void) = 0; if (f == one) return 1; return f(); }",
        1,
    );
}

#[test]
fn a_run_that_needs_more_objects_is_cut_off() {
    let source = format!(
        "{LIST}int main(void) {{ struct node *l = 0; while (1) l = cons(1, l); return 0; }}"
    );
    let program = program_at(&source, Some(8));
    assert_eq!(program.cut_offs.len(), 1);
    assert!(ends(&source).is_empty());
}

#[test]
fn what_stays_refused() {
    for source in [
        "int main(void) { int x, *p = &x, *q; q = p; long n = (long)q; return n > 30000; }",
        "int f(int n) { back: ; int x = n, *p = &x; if (*p == 2) { n = 1; goto back; } return n ? f(n - 1) : x; } int main(void) { return f(2); }",
        "int n; int main(void) { int *p = calloc(n, 4); *p = 1; return 0; }",
        "#pragma pack(1)\nunion U { int i; char c; }; int main(void) { union U u; u.i = 1; return u.c; }",
    ] {
        let loaded = load(source, &requested(Some(32)));
        assert!(loaded.program.is_none(), "{source}");
    }
}
