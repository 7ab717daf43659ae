//! Small programs with open values: what C, GNU's extensions and verifiers' names mean. A program
//! that fails fails when the machine executes it, too.

use faultline_bounded::{Checks, Verdict, check};
use std::rc::Rc;

fn verdict(declarations: &str, body: &str) -> Verdict {
    let text = format!(
        "#include <assert.h>\n#include <limits.h>\n#include <math.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <stdio.h>\nint nondet_int(void); unsigned nondet_uint(void);\n\
         unsigned long nondet_ulong(void); float nondet_float(void); double nondet_double(void);\n\
         {declarations}\nint main(void) {{\n{body}\nreturn 0;\n}}\n"
    );
    let tree = faultline_c::parse(&text, &|_| None)
        .unwrap_or_else(|m| panic!("{m} in line {}: {text}", m.span.line));
    let code = faultline_c::compile(&tree).unwrap_or_else(|m| panic!("{m}: {text}"));
    let checks =
        Checks { bounds: true, division: true, overflow: true, shift: true, initialised: false };
    check(&tree, &code, checks, 64, Rc::new(|| false), &mut |_| {}).verdict
}

fn safe(declarations: &str, body: &str) {
    let found = verdict(declarations, body);
    let is_safe = matches!(found, Verdict::Safe | Verdict::Executed);
    assert!(is_safe, "{found:?}: {declarations}\n{body}");
}

fn fails(declarations: &str, body: &str) {
    let found = verdict(declarations, body);
    assert!(matches!(found, Verdict::Fails(_)), "{found:?}: {declarations}\n{body}");
}

#[test]
fn arrays_at_the_end_of_a_struct() {
    let declarations = "struct S { int z; int a[]; } s = {1, {2, 3, 4}};\n\
         struct H { int n; int q[1]; }; struct L { int n; int q[4]; };";
    safe(declarations, "int i = nondet_int(); if (i >= 0 && i < 3) assert(s.a[i] == i + 2);");
    fails(declarations, "int i = nondet_int(); if (i >= 0 && i < 4) return s.a[i];");
    safe(
        declarations,
        "int i = nondet_int(); struct H *h = malloc(12); if (i >= 0 && i < 2) h->q[i] = 1;",
    );
    fails(
        declarations,
        "int i = nondet_int(); struct H *h = malloc(12); if (i >= 0 && i < 3) h->q[i] = 1;",
    );
    fails(
        declarations,
        "int i = nondet_int(); struct L *l = malloc(64); if (i >= 0 && i < 5) l->q[i] = 1;",
    );
}

#[test]
fn bit_fields_and_structs_that_nobody_uses() {
    let declarations = "struct S { unsigned f : 9; } s; struct O { struct S s; } o, *g;";
    safe(declarations, "s.f = nondet_uint(); assert((s.f = s.f) > -1 && ++s.f > -1);");
    safe(declarations, "s.f = nondet_uint(); unsigned f = s.f; assert(s.f++ == f);");
    fails(declarations, "s.f = nondet_uint(); unsigned f = s.f; s.f++; assert(s.f > f);");
    fails(declarations, "if (nondet_int()) g = &o; g->s;");
    safe(declarations, "if (nondet_int()) g = &o; if (g) g->s;");
}

#[test]
fn names_of_pointers() {
    let before = "unsigned long n = nondet_ulong(); char *p = malloc(n);";
    safe("", &format!("{before} assert(__CPROVER_r_ok(p, n) && __CPROVER_w_ok(p, n));"));
    fails("", &format!("{before} assert(__CPROVER_r_ok(p, n + 1));"));
    safe("", &format!("{before} if (n > 8 && __CPROVER_r_ok(p + 4, 3)) p[6] = 1;"));
    fails("", &format!("{before} if (__CPROVER_r_ok(p + 4, 3)) p[7] = 1;"));
    safe(
        "int x, t[3];",
        "int c = nondet_int(); int *p = c ? &x : t + 1;\n\
         assert(__CPROVER_OBJECT_SIZE(p) == (c ? 4 : 12) && __CPROVER_POINTER_OFFSET(p) == (c ? 0 : 4));\n\
         assert(__CPROVER_same_object(p, t) == !c);",
    );
    fails(
        "int x, t[3];",
        "int *p = nondet_int() ? &x : t + 1; assert(__CPROVER_same_object(p, t));",
    );
    fails("", "int i = 3; __CPROVER_havoc_object(&i); assert(i == 3);");
    safe("int i = 3, j = 4;", "__CPROVER_havoc_object(&i); assert(j == 4);");
    fails("", "int i = nondet_int(); __CPROVER_precondition(i > 0, \"i\");");
    safe("", "int i = nondet_int(); if (i > 0) __CPROVER_precondition(i > 0, \"i\");");
}

#[test]
fn results_that_have_no_place() {
    let before = "int a = nondet_int(), b = nondet_int(), r;";
    safe("", &format!("{before} if (!__builtin_add_overflow(a, b, &r)) assert(r == a + b);"));
    safe("", &format!("{before} if (!__CPROVER_overflow_minus(a, b)) r = a - b;"));
    fails("", &format!("{before} if (!__CPROVER_overflow_plus(a, b)) r = a - b;"));
    let wide = "long a = nondet_ulong(), b = nondet_ulong(), r;";
    safe("", &format!("{wide} if (!__builtin_saddl_overflow(a, b, &r)) assert(r == a + b);"));
    fails("", &format!("{wide} assert(!__builtin_ssubl_overflow(a, b, &r));"));
}

#[test]
fn numbers() {
    safe(
        "",
        "float x = nondet_float(), y = nondet_float();\n\
         assert(__CPROVER_signf(copysignf(x, y)) == __CPROVER_signf(y));",
    );
    fails("", "float x = nondet_float(); assert(__CPROVER_signf(x) == (x < 0));");
    safe("", "double x = nondet_double(); assert(isnan(x) || pow(x, 2.0) >= 0);");
    fails("", "double x = nondet_double(); assert(pow(x, 2.0) >= 0);");
    safe(
        "",
        "unsigned x = nondet_uint(); if (x) assert(x >> (31 - __builtin_clz(x)) == 1);\n\
         if (x) assert((x >> __builtin_ctz(x) & 1) == 1 && ffs(x) == __builtin_ctz(x) + 1);\n\
         assert(__builtin_bswap32(__builtin_bswap32(x)) == x && ntohl(htonl(x)) == x);",
    );
}

#[test]
fn what_the_library_leaves_open() {
    safe("", "assert(sleep(42) <= 42); int r = usleep(1); assert(r == 0 || r == -1);");
    fails("", "assert(sleep(42) == 0);");
    safe("", "void *p; if (!posix_memalign(&p, 4096, 4)) memset(p, 0, 4);");
    fails("", "void *p = 0; posix_memalign(&p, 4096, 4); memset(p, 0, 4);");
    safe("", "char b[3]; size_t n = fread(b, 1, 3, stdin); assert(n <= 3);");
    fails("", "char b[3]; assert(fread(b, 1, 3, stdin) == 3);");
}

#[test]
fn addresses_as_numbers() {
    safe(
        "int a = 42;",
        "size_t all = ~(size_t)0, none = 0; assert(*(int *)(all & (size_t)&a) == 42);\n\
         assert(*(int *)(none | (size_t)&a) == 42 && *(int *)((size_t)&a + none) == 42);",
    );
    fails("int a;", "unsigned u = (unsigned)(size_t)&a; assert(u == 0);");
    safe("int *p;", "unsigned u = (unsigned)(size_t)p; assert(u == 0);");
}

#[test]
fn a_list_of_arguments_is_printed() {
    let declarations = "#include <stdarg.h>\n\
         int put(char *to, const char *f, ...) { va_list l; va_start(l, f);\n\
         int n = vsnprintf(to, 8, f, l); va_end(l); return n; }";
    let before = "char t[8]; int x = nondet_int() ? 4 : 40; int n = put(t, \"%d%s\", x, \"ab\");";
    safe(declarations, &format!("{before} assert(t[n] == 0 && t[n - 1] == 'b');"));
    fails(declarations, &format!("{before} assert(n == 3);"));
}

#[test]
fn quantifiers_of_open_values() {
    let all = "__CPROVER_assume(__CPROVER_forall { int i; (i >= 0 && i < 5) ==> a[i] == i + k });";
    let start = "int a[5]; for (int j = 0; j < 5; j++) a[j] = nondet_int(); int k = nondet_int(); if (k < 0 || k > 9) return 0;";
    safe("", &format!("{start} {all} assert(a[3] == 3 + k);"));
    fails("", &format!("{start} {all} assert(a[3] == 4);"));
    let some = "__CPROVER_assume(__CPROVER_exists { int i; i >= 0 && i < 3 && a[i] == 7 });";
    let three = "int a[3] = {nondet_int(), nondet_int(), nondet_int()};";
    safe("", &format!("{three} {some} assert(a[0] == 7 || a[1] == 7 || a[2] == 7);"));
    fails("", &format!("{three} {some} assert(a[0] == 7);"));
    safe(
        "",
        "int a[2]; if (!__CPROVER_forall { int i; i < 0 || i >= 2 || a[i] == 0 }) return 0; \
         assert(a[0] == 0 && a[1] == 0);",
    );
    let open = "int a[6] = {0}; unsigned n = nondet_uint(); if (n > 4) return 0;";
    let upto = "__CPROVER_forall { unsigned i; i < n ==> a[i] == 0 }";
    safe("", &format!("{open} assert({upto});"));
    fails("", &format!("{open} a[2] = 1; assert({upto});"));
}

#[test]
fn files_by_number_may_fail() {
    let files = "#include <fcntl.h>\n#include <unistd.h>\n#include <time.h>\n";
    let open = "int f = open(\"a\", O_RDWR | O_CREAT, 0600);";
    safe(files, &format!("{open} off_t p = lseek(f, -10, SEEK_SET); assert(p == -1);"));
    safe(files, &format!("{open} off_t p = lseek(f, 4, SEEK_SET); assert(p == -1 || p == 4);"));
    fails(files, &format!("{open} off_t p = lseek(f, 4, SEEK_CUR); assert(p >= 0);"));
    safe(files, &format!("{open} int r = fcntl(f, F_GETFL); assert(f >= 0 || r == -1);"));
    fails(files, "char name[2] = {1, 1}; return open(name, O_RDONLY);");
    safe(files, "tzset(); assert(daylight == 0 || daylight == 1);");
}

#[test]
fn a_program_that_reads_nothing_is_executed() {
    let executed = |body: &str| matches!(verdict("", body), Verdict::Executed);
    assert!(executed("int s = 0; for (int i = 0; i < 5000; i++) s += i % 7; assert(s > 9);"));
    assert!(executed("char *p = malloc(4); strcpy(p, \"abc\"); free(p);"));
    // What is read, chosen, or has no value is open.
    assert!(!executed("int x = nondet_int(); assert(x == x);"));
    assert!(!executed("int x; scanf(\"%d\", &x);"));
    assert!(!executed("int c = getchar(); assert(c == c);"));
    assert!(!executed("int x; if (x) x = 1;"));
    assert!(!executed("char *p = malloc(4); if (p[0]) p[1] = 1;"));
    assert!(!executed("int r = rand(); assert(r >= 0);"));
    assert!(!executed(
        "int x = 0; unsigned long a = (unsigned long)&x; assert(a % 2 == 0 || x == 0);"
    ));
    // Which of two objects lies before the other, and where, is no matter of the program.
    assert!(!executed("int x = 1, y = 2; assert(&x < &y || x == 0);"));
    assert!(!executed("int x = 1, y = 2; assert(&y < &x || x == 0);"));
    assert!(!executed(
        "union { int *p; unsigned long n; } u; int x; u.p = &x; assert(u.n % 16 == 0);"
    ));
    assert!(executed("int a[4] = {0}; for (int *p = a; p < a + 4; p++) assert(*p == 0);"));
    fails("", "int a[3]; for (int i = 0; i <= 3; i++) a[i] = 1;");
    fails("", "int s = 0; for (int i = 0; i < 4000; i++) s += i; assert(s == 1);");
    fails("", "int big = INT_MAX; big++;");
}
