//! Programs written by hand, one for each thing that memory can be used for.

use super::{judged, verdict};
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
            "int n = 3; char c[n]; int a[n - 1]; assert(sizeof c == 3 && sizeof a == 8);",
            "int n = 2, a[n + 1]; a[n] = 7; assert(a[2] == 7);",
            "int *p = malloc(2 * sizeof(int)); p[0] = 1; p[1] = 2; p = realloc(p, 3 * sizeof(int)); p[2] = 4; assert(p[0] == 1 && p[1] == 2);",
        ],
        &[
            "int n = 0; int a[n];",
            "int n = -1; int a[n];",
            "int n = 2; int a[n]; a[n] = 7;",
            "int *p = malloc(8), *q = realloc(p, 16); *p = 1;",
        ],
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

#[test]
fn pointers_of_32_bits() {
    check(
        "//! model = ilp32
         #include <limits.h>
         #include <stdint.h>
         struct node { int key; struct node *next; long long wide; };",
        &[
            "assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4);",
            "assert(sizeof(long long) == 8 && sizeof(long int) == 4 && LONG_MAX == INT_MAX);",
            "assert(sizeof(struct node) == 16 && 5ul - 6ul == UINT_MAX && sizeof(1ll) == 8);",
            "int x = 3; unsigned n = (unsigned)&x; int *p = (int *)n; *p = 4; assert(x == 4);",
            "struct node a, b; unsigned n = (unsigned)&a + 4; *((struct node **)n) = &b;
             b.key = 5; assert(a.next == &b && a.next->key == 5);",
        ],
        &[
            "struct node a; unsigned n = (unsigned)&a + 16; *((int *)n) = 1;",
            "long n = INT_MAX; n = n + 1; assert(n > 0);",
        ],
    );
}

#[test]
fn size_t_says_how_wide_pointers_are() {
    let narrow = "typedef unsigned int size_t;";
    check(narrow, &["assert(sizeof(long) == 4 && sizeof(int *) == 4);"], &[]);
    check("typedef unsigned long size_t;", &["assert(sizeof(int *) == 8);"], &[]);
}

#[test]
fn what_is_done_at_the_end() {
    check(
        "#include <stdlib.h>
         int n; void two(void) { assert(n == 1); n = 2; } void one(void) { n = 1; }
         void wrong(void) { assert(n == 2); }",
        &[
            "atexit(two); atexit(one);",
            "atexit(two); atexit(one); exit(0);",
            "atexit(wrong); abort();",
        ],
        &["atexit(one); atexit(two);", "atexit(wrong); if (n == 0) exit(1);", "atexit(wrong);"],
    );
}

#[test]
fn what_printf_gives_back() {
    check(
        "#include <stdio.h>
         int __VERIFIER_nondet_int(void);",
        &[
            "int n = printf(\"%d, %c%%\\n\", -12, 'a'); assert(n == 8);",
            "unsigned v = 171; assert(printf(\"%02X\", v) == 2 && printf(\"%u\", v) == 3);",
            "assert(printf(\"%5d|%s\", 7, \"abc\") == 9);",
            "int v = __VERIFIER_nondet_int(), n = printf(\"%d\", v); assert(n >= 1 && n <= 11);",
        ],
        &[
            "int v = __VERIFIER_nondet_int(), n = printf(\"%d\", v); assert(n <= 10);",
            "assert(printf(\"%x\", 16) == 1);",
        ],
    );
}

#[test]
fn what_is_lost() {
    let head = "#include <stdlib.h>
         struct node { int key; struct node *next; };
         struct node *head; struct { int n; int *data; } g; int *table[2];
         void keep(int *p) { static int *kept; kept = p; }";
    let take = "struct node *n = malloc(sizeof *n); n->key = 1; n->next = 0;";
    let good = [
        "int *p = malloc(4); free(p);",
        "int *p = malloc(4); g.data = p;",
        "int *p = malloc(8); table[1] = p + 1;",
        "keep(malloc(4));",
        "TAKE head = n; n->next = malloc(sizeof *n); n->next->next = n;",
    ];
    let bad = [
        "int *p = malloc(4);",
        "int *p = malloc(4); g.data = p; g.data = 0;",
        "keep(malloc(4)); keep(malloc(4));",
        "TAKE n->next = n;",
        "TAKE head = n; n->next = malloc(sizeof *n); n->next->next = 0; free(n);",
    ];
    for (list, expected) in [(good, Outcome::Safe), (bad, Outcome::Unsafe)] {
        for body in list {
            let body = body.replace("TAKE", take);
            let source = format!("{head}\nint main(void) {{ {body} return 0; }}");
            let found = judged(&source, 32, true).outcome();
            assert!(found == expected, "{found:?}: {source}");
            // What ends by falling out of `main` is the same.
            let source = source.replace(" return 0; }", " }");
            assert!(judged(&source, 32, true).outcome() == expected, "{source}");
        }
    }
}
