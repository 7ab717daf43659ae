//! Programs written by hand, one for each thing that memory can be used for.

use super::verdict;
use faultline::session::Outcome;

/// Statements of `main` that end well, and some that fail.
fn check(head: &str, good: &[&str], bad: &[&str]) {
    for (list, expected) in [(good, Outcome::Safe), (bad, Outcome::Unsafe)] {
        for body in list {
            let source = format!("{head}\nint main(void) {{ {body} return 0; }}");
            let found = verdict(&source, 32);
            assert!(found == expected, "{source}");
        }
    }
}

#[test]
fn unions_and_bytes() {
    check(
        "union U { unsigned i; unsigned char c[4]; }; struct S { char c; int n; short s[2]; };
         struct B { unsigned a : 3, b : 5; }; struct A { int a; struct { int b; union { int c; char d; }; }; };",
        &[
            "union U u; u.i = 0x04030201; u.c[1] = 7; assert(u.i == 0x04030701);",
            "unsigned short a[2] = {0x0201, 0x0403}; unsigned char *p = (unsigned char *)a; assert(p[3] == 4);",
            "struct S s = {1, 2, {3, 4}}; int *p = &s.n; short *q = s.s; *p = 5; q[1] = 6; assert(s.n == 5 && s.s[1] == 6 && s.s[0] == 3);",
            "struct B s; unsigned char *p = (unsigned char *)&s; s.a = 5; s.b = 3; assert(*p == 29);",
            "struct A s = {1, 2, 3}; s.d = 4; assert(s.a == 1 && s.b == 2 && s.c == 4);",
            "union U u = {5}, v; v = u; assert(v.c[0] == 5 && v.c[3] == 0);",
        ],
        &[
            "char a[8]; int *p = (int *)&a[1]; *p = 1;",
            "int x; long *p = (long *)&x; *p = 1;",
            "struct S s; char *p = &s.c; p[12] = 1;",
        ],
    );
}

#[test]
fn numbers_and_pointers() {
    check(
        "",
        &[
            "int x = 3; unsigned long n = (unsigned long)&x; int *p = (int *)n; *p = 4; assert(x == 4);",
        ],
        &["int *p = (int *)200; *p = 1;"],
    );
}

#[test]
fn sizes_that_are_not_constant() {
    check(
        "int __VERIFIER_nondet_int(void);",
        &[
            "int n = 2, a[n + 1]; a[n] = 7; assert(a[2] == 7);",
            "int *p = malloc(2 * sizeof(int)); p[0] = 1; p[1] = 2; p = realloc(p, 3 * sizeof(int)); p[2] = 4; assert(p[0] == 1 && p[1] == 2);",
        ],
        &["int n = 2; int a[n]; a[n] = 7;", "int *p = malloc(8), *q = realloc(p, 16); *p = 1;"],
    );
}

#[test]
fn values_in_braces() {
    check(
        "struct S { int a, b; };",
        &["struct S s; s = (struct S){1, 2}; int *p = &(int){5}; *p += s.b; assert(*p == 7);"],
        &["int *p; { p = &(int){5}; } *p = 1;"],
    );
}
