//! Small programs, executed: what C, GNU's extensions and verifiers' names mean.

use faultline_c::machine::{End, Fault, Limits, Remark, Run, run};
use faultline_c::mistake::{Mistake, MistakeKind};

fn executed(text: &str) -> Result<Run, Mistake> {
    let tree = faultline_c::parse(text, &|_| None)?;
    let code = faultline_c::compile(&tree)?;
    Ok(run(&tree, &code, b"", Limits::default()))
}

/// The run of a `main` with this body, behind these declarations.
fn of(declarations: &str, body: &str) -> Run {
    let text = format!(
        "#include <assert.h>\n#include <limits.h>\n#include <math.h>\n#include <stdlib.h>\n\
         #include <string.h>\n{declarations}\nint main(void) {{\n{body}\nreturn 0;\n}}\n"
    );
    executed(&text).unwrap_or_else(|m| panic!("{m} in line {}: {text}", m.span.line))
}

/// It ends well, with nothing remarkable.
fn fine(declarations: &str, body: &str) {
    let run = of(declarations, body);
    assert_eq!((run.end, run.remarks), (End::Exited(0), Vec::new()), "{declarations}\n{body}");
}

fn fault(declarations: &str, body: &str) -> Option<Fault> {
    match of(declarations, body).end {
        End::Fault(fault, _) => Some(fault),
        _ => None,
    }
}

/// Each of these assertions fails.
fn wrong(declarations: &str, before: &str, conditions: &[&str]) {
    for condition in conditions {
        let body = format!("{before} assert({condition});");
        assert_eq!(fault(declarations, &body), Some(Fault::Assertion), "{declarations}\n{body}");
    }
}

fn refused(text: &str) -> MistakeKind {
    match executed(text) {
        Ok(run) => panic!("executed, {:?}: {text}", run.end),
        Err(mistake) => mistake.kind,
    }
}

#[test]
fn an_array_without_a_length_is_as_long_as_its_values() {
    let declarations = "typedef int T[];\nstruct S { int z; int a[]; };\n\
         struct S s = {1, {2, 3, 4}}, t = {.z = 1, .a = {5, 6}}, n = {7};\n\
         struct U { char n; T x; } u = {'a', {11, 5}};\n\
         struct C { int n; char t[]; } c = {3, \"abc\"};";
    fine(
        declarations,
        "assert(sizeof s == 4 && s.a[2] == 4 && t.a[1] == 6 && n.z == 7);\n\
         assert(u.x[0] == 11 && u.x[1] == 5 && strlen(c.t) == 3 && sizeof c == 4);",
    );
    wrong(declarations, "", &["s.a[2] == 5", "c.t[2] == 'b'"]);
    assert_eq!(fault(declarations, "return s.a[3];"), Some(Fault::Outside));
    assert_eq!(fault(declarations, "return n.a[0];"), Some(Fault::Outside));
    let local = "struct S { int z; int a[]; };\nint main(void) { struct S s = {1, {2}}; }";
    assert!(matches!(refused(local), MistakeKind::NotExecuted(_)));
}

#[test]
fn what_is_assigned_to_a_bit_field_is_as_wide_as_it() {
    let declarations = "struct S { unsigned f : 9; int g : 3; unsigned w : 32; } s;";
    fine(
        declarations,
        "assert(!((s.f = s.f) <= -1) && !((0, s.f) <= -1) && !(s.f <= -1));\n\
         assert(!(++s.f <= -1) && s.f-- == 1 && (s.f += 0) > -1);\n\
         s.f = 511; assert(s.f++ == 511 && s.f == 0 && s.f-- == 0 && s.f == 511);\n\
         s.g = -4; assert(s.g++ == -4 && s.g-- == -3);\n\
         assert((s.w = 0) <= -1);",
    );
    wrong(declarations, "", &["(s.f = s.f) <= -1", "++s.f <= -1", "(s.w = 0) > -1"]);
}

#[test]
fn a_struct_that_nobody_uses_is_read() {
    let declarations = "struct I { int x; }; struct O { struct I i; } *g, o;";
    assert_eq!(fault(declarations, "g->i;"), Some(Fault::Null));
    assert_eq!(fault(declarations, "*g;"), Some(Fault::Null));
    assert_eq!(fault(declarations, "(void)g->i;"), Some(Fault::Null));
    fine(declarations, "g = &o; g->i; *g; (void)*g; o.i;");
    fine(declarations, "&g->i;");
}

#[test]
fn one_element_at_the_end_of_a_struct_stands_for_more() {
    let declarations = "struct H { int n; int q[1]; }; struct C { int n; char q[1]; };\n\
         struct W { long t; struct H h; }; union U { char c[4]; long l; };\n\
         struct L { int n; int q[4]; }; struct M { int q[1]; int n; };\n\
         struct N { union U u; long k; }; int i = 3;";
    fine(
        declarations,
        "struct H *h = malloc(64); h->q[i] = 1; struct C *c = malloc(64); c->q[i] = 1;\n\
         struct W *w = malloc(64); w->h.q[i] = 1; union U u; u.c[i + 3] = 1;",
    );
    for body in [
        "struct L *l = malloc(64); l->q[i + 1] = 1;",
        "struct M *m = malloc(64); m->q[i] = 1;",
        "struct N *n = malloc(64); n->u.c[i + 3] = 1;",
    ] {
        let remarks = of(declarations, body).remarks;
        assert!(matches!(remarks.as_slice(), [(Remark::Index, _)]), "{body}: {remarks:?}");
    }
    assert_eq!(fault(declarations, "struct H *h = malloc(12); h->q[i] = 1;"), Some(Fault::Outside));
}

#[test]
fn constants_that_an_old_program_computes() {
    fine(
        "struct S { int i; char c; struct { int x, y; } a[3]; };\n\
         enum { C = (long)&((struct S *)0)->c, Y = (int)(long)&((struct S *)0)->a[1].y };\n\
         int t[(void *)0 == (void *)(1 - 1) ? 1 : -1];",
        "assert(C == 4 && Y == 20 && sizeof t == 4 && sizeof \"\\u0201\\xe8\" == 4);",
    );
}

#[test]
fn names_of_pointers() {
    fine(
        "int t[4];",
        "int *p = malloc(8), *n = 0; char *s = \"text\";\n\
         assert(__CPROVER_r_ok(p) && __CPROVER_rw_ok(p, 8) && !__CPROVER_w_ok(p + 1, 8));\n\
         assert(!__CPROVER_r_ok(n) && __CPROVER_r_ok(s, 5) && !__CPROVER_w_ok(s, 1));\n\
         assert(__CPROVER_OBJECT_SIZE(p + 1) == 8 && __CPROVER_POINTER_OFFSET(p + 1) == 4);\n\
         assert(__CPROVER_POINTER_OFFSET(t - 1) == -4);\n\
         assert(__CPROVER_same_object(t, t + 2) && !__CPROVER_same_object(t, p));\n\
         assert(__CPROVER_POINTER_OBJECT(t) == __CPROVER_POINTER_OBJECT(t + 1));\n\
         int *z = __CPROVER_allocate(8, 1); assert(z[1] == 0);\n\
         free(p); assert(!__CPROVER_r_ok(p, 1));",
    );
    wrong(
        "int t[4];",
        "int *p = malloc(8);",
        &["__CPROVER_r_ok(p, 9)", "__CPROVER_w_ok(0, 1)", "__CPROVER_same_object(t, p)"],
    );
    fine(
        "struct S { int a[2]; int after; } s = {{1, 2}, 3}; int b[3] = {7, 8, 9};",
        "__CPROVER_array_copy(s.a, b); assert(s.a[1] == 8 && s.after == 3);",
    );
    wrong("", "", &["0 && __CPROVER_cover(1)"]);
    assert_eq!(fault("", "__CPROVER_precondition(0, \"never\");"), Some(Fault::Assertion));
    fine("", "__CPROVER_postcondition(1, \"always\"); __CPROVER_input(\"x\", 1);");
}

/// As gcc computes them.
#[test]
fn results_that_have_no_place() {
    fine(
        "",
        "int r; long l; unsigned u; short s; size_t z;\n\
         assert(!__builtin_sadd_overflow(1, 1, &r) && r == 2);\n\
         assert(__builtin_sadd_overflow(1, INT_MAX, &r) && r == INT_MIN);\n\
         assert(__builtin_smull_overflow(LONG_MIN, -1, &l) && l == LONG_MIN);\n\
         assert(__builtin_add_overflow(32767, 1, &s) && s == -32768);\n\
         assert(__builtin_sub_overflow(0, 1, &u) && u == UINT_MAX);\n\
         assert(!__builtin_add_overflow(sizeof r, 1, &z) && z == 5);\n\
         assert(__builtin_mul_overflow_p(1 << 20, 1 << 20, 0));\n\
         assert(__CPROVER_overflow_plus(INT_MAX, 1) && !__CPROVER_overflow_plus(INT_MAX, 1L));\n\
         assert(__CPROVER_overflow_minus(0u, 1) && __CPROVER_overflow_unary_minus(INT_MIN));\n\
         assert(!__CPROVER_overflow_mult(3, 4));",
    );
    wrong(
        "int r;",
        "",
        &["__builtin_sadd_overflow(1, 1, &r)", "!__CPROVER_overflow_plus(INT_MAX, 1)"],
    );
    let mixed = "int main(void) { long r; return __builtin_add_overflow(1ul << 63, -1L, &r); }";
    assert!(matches!(refused(mixed), MistakeKind::NotExecuted(_)));
}

#[test]
fn bits_and_numbers() {
    fine(
        "float copysignf(float, float);",
        "assert(__builtin_popcountl(-1L) == 64 && __builtin_clz(1) == 31 && __builtin_ctzl(8) == 3);\n\
         assert(ffs(0) == 0 && ffs(8) == 4 && __builtin_bswap32(0x12345678) == 0x78563412);\n\
         assert(__builtin_parity(7) == 1 && __builtin_llabs(LLONG_MIN + 1) == LLONG_MAX);\n\
         assert(__builtin_powi(2.0, 3) == 8 && __builtin_expect(3, 1) == 3);\n\
         assert(__CPROVER_isnanf(NAN) && !__CPROVER_isinfd(1.0) && __CPROVER_signf(-0.0f));\n\
         assert(copysignf(1, -NAN) == -1 && !signbit(NAN) && isnormal(1.0f) && !isnormal(1e-310));",
    );
    wrong("", "", &["__builtin_clz(1) == 30", "__CPROVER_signf(0.0f)", "isnormal(0.0)"]);
}

#[test]
fn atomic_operations_in_one_thread() {
    fine(
        "",
        "int n = 5, e = 4;\n\
         assert(__atomic_fetch_add(&n, 2, 0) == 5 && __atomic_sub_fetch(&n, 1, 5) == 6);\n\
         assert(__atomic_fetch_nand(&n, 3, 0) == 6 && n == ~2);\n\
         __atomic_store_n(&n, INT_MAX, 0); assert(__sync_add_and_fetch(&n, 1) == INT_MIN);\n\
         assert(!__atomic_compare_exchange_n(&n, &e, 9, 0, 5, 5) && e == INT_MIN);\n\
         assert(__sync_bool_compare_and_swap(&n, INT_MIN, 3) && __atomic_load_n(&n, 0) == 3);\n\
         char b = 0; assert(!__atomic_test_and_set(&b, 0) && __atomic_test_and_set(&b, 0));\n\
         __atomic_clear(&b, 0); assert(!b);",
    );
    wrong("int n;", "", &["__atomic_fetch_add(&n, 2, 0) == 2", "__sync_lock_test_and_set(&n, 1)"]);
}

#[test]
fn memory_of_a_call() {
    let declarations = "char *f(void) { char *p = alloca(4); strcpy(p, \"abc\"); return p; }\n\
         int g(void) { char *p = alloca(4); strcpy(p, \"abc\"); return p[2]; }";
    fine(declarations, "assert(g() == 'c');");
    assert_eq!(fault(declarations, "return f()[0];"), Some(Fault::OutOfScope));
    assert_eq!(fault("", "free(alloca(4));"), Some(Fault::InvalidFree));
}

#[test]
fn types_that_are_completed_later() {
    fine(
        "struct S s; struct S { int n; }; enum E e; enum E { A, B };\n\
         enum C : signed char { X = -1 } c; __thread int own; static __CPROVER_thread_local int t;",
        "assert(s.n == 0 && e == A && sizeof c == 1 && own + t == 0);",
    );
    let never = "struct S s; int main(void) { return 0; }";
    assert!(matches!(refused(never), MistakeKind::Incomplete(_)));
}

#[test]
fn names_that_only_verifiers_know_are_refused() {
    for call in ["__CPROVER_odd(1)", "__ESBMC_odd()", "__builtin_odd(1)", "__VERIFIER_odd()"] {
        let text = format!("int main(void) {{ return {call}; }}");
        assert!(matches!(refused(&text), MistakeKind::UnknownName(_)), "{call}");
    }
    let variable = "extern int __CPROVER_odd; int main(void) { return __CPROVER_odd; }";
    assert!(matches!(refused(variable), MistakeKind::UnknownName(_)));
}

#[test]
fn an_environment_and_a_list_of_arguments() {
    let text = "#include <assert.h>\n#include <stdarg.h>\n#include <stdio.h>\n#include <string.h>\n\
         int $sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int);\n\
         va_end(l); return s; }\n\
         int put(char **to, const char *f, ...) { va_list l; va_start(l, f); int n = vasprintf(to, f, l);\n\
         va_end(l); return n; }\n\
         int main(int argc, char **argv, char **envp) { char *t; assert(envp[0] == 0);\n\
         assert($sum(3, 1, 2, 3) == 6 && put(&t, \"%d-%s\", 42, \"x\") == 4 && !strcmp(t, \"42-x\"));\n\
         return 0; }";
    assert_eq!(executed(text).map(|run| run.end), Ok(End::Exited(0)));
}

#[test]
fn ranges_of_elements() {
    fine(
        "struct P { int x, y; } p[] = {[0] = {1, 2}, [1 ... 3] = {3, 4}, {5, 6}, [2].y = 7};\n\
         char t[256] = {[0 ... 255] = -1, ['a' ... 'z'] = 1};",
        "assert(sizeof p == 40 && p[3].y == 4 && p[4].x == 5 && p[2].y == 7 && p[2].x == 3);\n\
         assert(t['k'] == 1 && t['A'] == -1);",
    );
    wrong("int t[4] = {[1 ... 2] = 5};", "", &["t[3] == 5", "t[0] == 5"]);
    let huge = "int t[1 << 20] = {[0 ... (1 << 20) - 1] = 1}; int main(void) { return 0; }";
    assert_eq!(refused(huge), MistakeKind::TooLarge);
}

/// What a refused `main` with this body is refused for.
fn refusal(declarations: &str, body: &str) -> Option<MistakeKind> {
    let text = format!("#include <assert.h>\n{declarations}\nint main(void) {{\n{body}\n}}\n");
    executed(&text).err().map(|mistake| mistake.kind)
}

#[test]
fn quantifiers_over_ranges() {
    let a = "int a[3] = {1, 2, 4}; unsigned n = 3; int m[2][2] = {{0, 1}, {1, 2}};";
    for holds in [
        "__CPROVER_forall { int i; (i >= 0 && i < 3) ==> a[i] >= 1 && a[i] <= 4 }",
        "__CPROVER_exists { int i; 0 <= i && 3 > i && a[i] == 4 }",
        "!__CPROVER_forall { unsigned i; i >= 3 || a[i] < 4 }",
        "__CPROVER_forall { int i; !(i >= 0 && i < n) || a[i] }",
        "__CPROVER_forall { unsigned char i; i < 3 ==> a[i] > 0 }",
        "__CPROVER_forall { signed char i; i * i >= 0 }",
        "!__CPROVER_exists { signed char i; i > 127 }",
        "__CPROVER_exists { unsigned char i; i == 255 }",
        "__CPROVER_forall { int i; i >= 0 && i < 2 ==> __CPROVER_forall { int j; \
         j > i && j < 3 ==> a[j] > a[i] } }",
        "__CPROVER_forall { int i; i >= 0 && i < 2 ==> (\\forall int j; \
         (j >= 0 && j < 2) ==> m[i][j] == i + j) }",
        "\\forall int i; ((i >= 0 && i < 3) ==> (a[i] != 3))",
        "\\forall int i; 2",
        "__CPROVER_forall { unsigned i; i < n - 1 ==> a[i] < a[i + 1] }",
        "__CPROVER_exists { int i; (i >= 0 && i < 2) ==> a[i] == 9 }",
        "!__CPROVER_forall { int i; i >= 0 && i < 2 && a[i] }",
        "__CPROVER_forall { unsigned long i; i < 0 ==> 0 * i }",
        "__CPROVER_forall { int i; i >= 2147483646 && i <= 2147483647 ==> i > 5 }",
    ] {
        fine(a, &format!("assert({holds});"));
        wrong(a, "", &[&format!("!({holds})")]);
    }
    fine("", "int d = 1; assert(__CPROVER_forall { int i; i > 4 && i < 3 ==> 1 / 0 } || d);");
    let unbounded = "a quantifier whose range is not bounded".to_string();
    let refused = Some(MistakeKind::NotExecuted(unbounded));
    for body in [
        "i >= 0 ==> a[i] < 9",
        "i < 3 ==> a[i]",
        "a[i]",
        "i < 3u ==> a[i]",
        "i >= 0 && i < a[2] ==> 0",
    ] {
        let body = format!("assert(__CPROVER_forall {{ int i; {body} }});");
        assert_eq!(refusal(a, &body), refused, "{body}");
    }
    let changes = "assert(__CPROVER_forall { int i; i >= 0 && i < 3 ==> a[i]++ });";
    assert!(matches!(refusal(a, changes), Some(MistakeKind::NotExecuted(_))));
    // The sign is none of C's elsewhere.
    assert!(matches!(refusal(a, "assert(n ==> 1);"), Some(MistakeKind::Expected(..))));
}

#[test]
fn definitions_without_prototypes() {
    let f = "int f(a, s, c, x) char *s, c; float x; { return a + s[0] + c + (x > 1); }\n\
             void g(b) { } int h(unused, n) { return n; }";
    fine(f, "char t[] = {3}; assert(f(1, t, 256 + 4, 1.5) == 9); g(); g(1, 2);");
    fine("int f(int); int f(a) int a; { return a; }", "assert(f(2.9) == 2);");
    wrong(f, "char t[] = {3};", &["f(1, t, 4, 0.5) == 9"]);
    for body in ["return h(1);", "return f(1, \"\", 2);", "return f(1.5, \"\", 2, 1.0);"] {
        assert!(matches!(refusal(f, body), Some(MistakeKind::NotExecuted(_))), "{body}");
    }
    // A type that nobody declares is no such name.
    assert!(matches!(refusal("int f(number);", ""), Some(MistakeKind::Expected(..))));
}

#[test]
fn whole_arrays_and_ends_of_types() {
    let two = "char a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4}, c[2] = {9, 8}; int d[4];";
    fine(two, "assert(__CPROVER_array_equal(a, b)); b[3]++; assert(!__CPROVER_array_equal(a, b));");
    fine(two, "assert(!__CPROVER_array_equal(a, c) && !__CPROVER_array_equal(a, d));");
    fine(two, "__CPROVER_array_replace(a, c); assert(a[0] == 9 && a[1] == 8 && a[2] == 3);");
    fine(two, "__CPROVER_array_set(a, 7); assert(a[0] == 7 && a[3] == 7);");
    for body in ["__CPROVER_array_set(d, 7);", "__CPROVER_array_replace(c, a);"] {
        assert!(matches!(refusal(two, body), Some(MistakeKind::NotExecuted(_))), "{body}");
    }
    fine(
        "int i = 2147483647; unsigned u = 1; signed char c = -100;",
        "assert(__CPROVER_saturating_plus(i, 1) == i && __CPROVER_saturating_minus(i, 1) == i - 1);\n\
         assert(__CPROVER_saturating_minus(u, 2u) == 0 && __CPROVER_saturating_plus(c, c) == -128);",
    );
}

#[test]
fn an_address_as_text() {
    let body = "struct in_addr a; a.s_addr = htonl(0xc0a8010aU); char *t = inet_ntoa(a);\n\
                assert(!strcmp(t, \"192.168.1.10\"));";
    fine("#include <arpa/inet.h>", body);
}
