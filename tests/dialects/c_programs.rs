//! C programs whose answer follows from C's rules: what an expression means, what a list
//! initialises, what the library's procedures may do.

use crate::support::load::session_with;
use faultline::session::{Budgets, Job, Outcome, Task};
use faultline::wire::options::{Checks, DataModel, Dialect, RequestedOptions};

fn outcome(source: &str, checks: Option<Checks>, bits: u32) -> Outcome {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(bits),
        checks,
        ..RequestedOptions::default()
    };
    let mut session = session_with(source, &requested);
    session.start(Task::Check, Budgets::default());
    session.run();
    session.outcome()
}

/// Every run passes these assertions, and none of them is left out.
fn holds(globals: &str, body: &str) {
    let program = |body: &str| {
        format!(
            "#include <assert.h>\n#include <stdio.h>\n{globals}\nint main(void) {{ {body} return 0; }}\n"
        )
    };
    let source = program(body);
    assert_eq!(outcome(&source, None, 8), Outcome::Safe, "{source}");
    let source = program(&format!("{body} assert(0);"));
    assert_eq!(outcome(&source, None, 8), Outcome::Unsafe, "{source}");
}

/// Some run fails.
fn fails(globals: &str, body: &str) {
    let source = format!(
        "#include <assert.h>\n#include <stdio.h>\n{globals}\nint main(void) {{ {body} return 0; }}\n"
    );
    assert_eq!(outcome(&source, None, 8), Outcome::Unsafe, "{source}");
}

#[test]
fn enumerations_without_negative_constants_are_unsigned() {
    holds("enum E { A, B, C };", "int x = -1; enum E e = B; assert(x > e); assert(B > x);");
    holds("enum E { M = -1, B };", "int x = -1; enum E e = B; assert(x < e);");
    holds("struct { enum E { A, B } e : 2; } s;", "s.e = 3; assert(s.e == 3); assert(A == 0);");
    holds("enum { A, B } f(void) { return B; }", "assert(f() == B);");
    holds("typedef enum { A, B } E; E e = A;", "e--; assert(e > 0);");
}

/// Each answer is that of gcc.
#[test]
fn enumerations_are_as_wide_as_their_constants() {
    let wide = |globals: &str, body: &str| {
        let source =
            format!("#include <assert.h>\n{globals}\nint main(void) {{ {body} return 0; }}\n");
        assert_eq!(outcome(&source, None, 32), Outcome::Safe, "{source}");
    };
    let unsigned = "enum A { A1 = 1, A2 = 0x80000000 };";
    wide(unsigned, "assert(sizeof(enum A) == 4 && sizeof(A1) == 4); assert(A2 > 0);");
    wide(unsigned, "enum A a = A2; assert(a > 5); a = a + a; assert(a == 0);");
    wide(unsigned, "int x = -1; enum A a = A2; assert(A1 > x); assert(!(a > x));");
    wide("enum B { B1 = -1, B2 = 0x7fffffff };", "enum B b = B1; assert(b < 0);");
    let long = "enum C { C1 = 1L << 40, C2 };";
    wide(long, "assert(sizeof(enum C) == 8 && sizeof(C1) == 8); assert(C2 == (1L << 40) + 1);");
    let both = "enum D { D1 = -1, D2 = 0x80000000 };";
    wide(both, "assert(sizeof(enum D) == 8); assert(D2 > 0); assert(D1 < 0);");
    wide(both, "enum D d = D2; d = d + d; assert(d == 0x100000000L);");
    wide(both, "enum D d = D2; switch (d) { case D1: assert(0); default: ; }");
}

/// Each answer is that of gcc 14.
#[test]
fn bits_are_counted_in_the_type_of_the_argument() {
    let source = "#include <assert.h>\n#include <stdint.h>\nint main(void) {\n\
        uint8_t v = nondet_char();\n\
        assert(__builtin_clzg((uint8_t)16, 99) == 3 && __builtin_ctzg((uint8_t)16, 99) == 4);\n\
        assert(__builtin_clzg((uint8_t)0, 99) == 99 && __builtin_ctzg((uint8_t)0, -7) == -7);\n\
        assert(__builtin_clzs((unsigned short)1) == 15 && __builtin_ctzs(0x8000) == 15);\n\
        assert(__builtin_clzg(1u) == 31 && __builtin_clzg(1ul, 3) == 63);\n\
        assert(v == 0 || __builtin_clzg(v, 8) + __builtin_ctzg(v, 8) <= 7);\n\
        return 0;\n}\n";
    assert_eq!(outcome(source, None, 32), Outcome::Safe);
    let wrong = source.replace("== 3 &&", "== 27 &&");
    assert_eq!(outcome(&wrong, None, 32), Outcome::Unsafe);
}

#[test]
fn a_name_for_the_type_of_a_procedure() {
    let globals = "typedef int CODE(int a); extern CODE f; int f(int a) { return a + 1; }\n\
                   int twice(CODE *g, int n) { return g(g(n)); } int once(CODE g) { return g(3); }";
    holds(globals, "assert(f(2) == 3 && twice(f, 1) == 3 && once(f) == 4);");
    fails(globals, "CODE *p = f; assert(p(2) != 3);");
}

/// What a caller does not give, through a pointer that says nothing of parameters, has any value.
#[test]
fn calls_through_pointers_with_too_few_arguments() {
    let globals = "int seen, other; void g(int x, int y) { seen = x; other = y; }\n\
                   void call(void (*g)()) { g(5); }";
    holds(globals, "call(g); assert(seen == 5);");
    fails(globals, "call(g); assert(other != 7);");
}

#[test]
fn a_value_that_a_void_procedure_returns_is_dropped() {
    holds("int x; void f(void) { return (x++); }", "f(); f(); assert(x == 2);");
    holds("int x; void g(); void f(void) { x = 3; g(); } void g() { return (-1); }", "f();");
}

#[test]
fn a_pointer_that_only_null_is_written_into() {
    let declared = "void *p; unsigned long n;";
    holds("", &format!("{declared} p = (void *)0; n = (unsigned long)p; assert(n == 0);"));
    holds("", &format!("{declared} p = NULL; n = 1; assert(!p); assert((unsigned long)p != n);"));
    // Before it is written it may hold anything.
    fails("", &format!("{declared} n = (unsigned long)p; p = 0; assert(n == 0);"));
    // With an address in it, it is a pointer as any other.
    holds("", "void *p; int x; p = 0; if (x) p = &x; assert(!x == (p == 0));");
    fails("", "void *p; int x; p = 0; if (x) p = &x; assert(p == 0);");
}

#[test]
fn several_procedures_in_one_declaration() {
    holds(
        "int f(int), x = 2, g(int); int f(int a) { return a; } int g(int a) { return a + 1; }",
        "int h(void), y = 3; assert(f(1) + g(x) + y == 7);",
    );
}

#[test]
fn otherwise_evaluates_its_first_part_once() {
    let count = "int n; int next(void) { n++; return n - 1; }";
    holds(count, "int x = next() ?: 7; assert(x == 7 && n == 1);");
    holds(count, "next(); int x = next() ?: 7; assert(x == 1 && n == 2);");
    holds(count, "int x; int y = (x = 3) ?: next(); assert(x == 3 && y == 3 && n == 0);");
    holds(count, "int y = n++ ?: next() + 4; assert(y == 5 && n == 2);");
}

#[test]
fn lists_are_read_as_c_reads_them() {
    holds("int a[2][2] = {1, 2, 3};", "assert(a[0][1] == 2 && a[1][0] == 3 && a[1][1] == 0);");
    holds(
        "int a[][2] = {1, 2, {3}, 4};",
        "assert(sizeof(a) == 6 && a[1][1] == 0 && a[2][0] == 4);",
    );
    holds("int a[] = {[2] = 5, 6};", "assert(sizeof(a) == 4 && a[2] == 5 && a[3] == 6);");
    holds("int a[2] = {{1}, {2}};", "assert(a[0] == 1 && a[1] == 2);");
    holds("int x = {{4}};", "int y = {5}; assert(x == 4 && y == 5);");
    let s = "struct P { int x, y; }; struct S { struct P p; int k[2]; struct P q[2]; };";
    let s = |list: &str| format!("{s} struct S s = {list};");
    holds(&s("{1, 2, 3, 4, 5, 6, 7}"), "assert(s.p.y == 2 && s.k[1] == 4 && s.q[1].x == 7);");
    holds(&s("{{1}, {2}, {{3}, 4}}"), "assert(s.p.y == 0 && s.k[0] == 2 && s.q[1].x == 4);");
    holds(&s("{.k[1] = 3, 4, .p.y = 5}"), "assert(s.k[1] == 3 && s.q[0].x == 4 && s.p.y == 5);");
    holds(&s("{1, 2, .p = {3}}"), "assert(s.p.x == 3 && s.p.y == 0);");
    holds(&s("{.q = {[1] = {1, 2}, [0].y = 3}}"), "assert(s.q[1].y == 2 && s.q[0].y == 3);");
    // A value of a list can be a struct, of which a later value replaces a part.
    let t = "struct P { int x, y; } p = {1, 2}; struct Q { struct P p[2]; int k; } q;";
    holds(t, "struct Q l = {{p, p}, 3}; assert(l.p[1].y == 2 && l.k == 3);");
    holds(t, "struct Q l = {p, 4}; assert(l.p[0].x == 1 && l.p[1].x == 4 && l.k == 0);");
    holds(t, "struct Q l = {.p[1] = p, 5}; assert(!l.p[0].x && l.p[1].x == 1 && l.k == 5);");
    holds(t, "struct Q l = {.p = {p, [0].y = 7}}; assert(l.p[0].x == 1 && l.p[0].y == 7);");
    holds(t, "struct P l = {.x = 5, .y = 6}; struct Q m[2] = {{{l}}, q}; assert(m[0].p->y == 6);");
    holds(t, "q.p[1] = p; struct Q m[2] = {[1] = q}; assert(m[1].p[1].y == 2 && !m[0].p[1].y);");
    holds(t, "int i = 1; q.p[i] = p; struct P l[2] = {q.p[i], q.p[0]}; assert(l[0].x == 1);");
    holds(
        "struct P { int x, y; } v[2]; int sum(struct P p) { return p.x + p.y; }",
        "v[1].x = 3; v[1].y = 4; int i = 1; assert(sum(v[i]) == 7 && sum(v[0]) == 0);",
    );
    // The values of a local's list may have effects.
    let count = "int n; int next(void) { return n++; }";
    holds(count, "int a[3] = {next(), next(), n}; assert(a[0] == 0 && a[1] == 1 && a[2] == 2);");
    holds("struct P { int x, y; };", "struct P a[2] = {1, 2, 3}; assert(a[1].x == 3 && !a[1].y);");
}

#[test]
fn the_overflow_check_accepts_constants_that_do_not_overflow() {
    let all = Checks { bounds: true, division: true, overflow: true, shift: true, ..Checks::NONE };
    let source = "int main(void) { int x = -1, y = 0; switch (x) { case -1: y = 1; break; \
                  case 2 - 3 + 5: y = 2; } int a[3 - 1]; if (y != 1) { ERROR: return 1; } }";
    assert_eq!(outcome(source, Some(all), 8), Outcome::Safe);
    let source = "int main(void) { int x = 127; x = x + 1; return 0; }";
    assert_eq!(outcome(source, Some(all), 8), Outcome::Unsafe);
    assert_eq!(outcome(source, None, 8), Outcome::Unsafe);
}

/// A constant expression that is too large wraps like any other sum.
#[test]
fn constant_expressions_wrap() {
    let source = "int main(void) { int one = 1; if (1 + 1 != one + one) { ERROR: return 1; } }";
    assert_eq!(outcome(source, None, 2), Outcome::Safe);
    fails("", "int x = 100 + 100; assert(x > 0);");
    holds("", "int x = 100 + 100; assert(x == -56);");
}

#[test]
fn input_is_any_value() {
    fails("", "int x; scanf(\"%d\", &x); assert(x != 77);");
    fails("", "int a[3] = {0}; scanf(\"%d\", &a[2]); assert(a[2] != 5);");
    fails("", "int a[3] = {0}; scanf(\"%d\", a + 1); assert(a[1] != 5);");
    fails("", "int a[3] = {0}; scanf(\"%d\", a); assert(a[0] != 5);");
    fails("void get(int *p) { scanf(\"%d\", p); }", "int x = 0; get(&x); assert(x != 5);");
    fails("struct { int x, y; } s;", "scanf(\"%d%d\", &s.x, &s.y); assert(s.y != 9);");
    fails("", "char c = 'a'; scanf(\"%c\", &c); assert(c == 'a');");
    fails("", "unsigned u = 1; fscanf(stdin, \"%u\", &u); assert(u != 100);");
    // Other places keep their values.
    holds("", "int a[3] = {1, 2, 3}; scanf(\"%d\", &a[1]); assert(a[0] == 1 && a[2] == 3);");
}

/// The first r conversions store a value, where r is the result; -1 says that the input ended.
#[test]
fn the_result_of_scanf_says_how_many_values_were_stored() {
    let read = "int x = 1, y = 2; int r = scanf(\"%d %d\", &x, &y);";
    holds("", &format!("{read} assert(r >= -1 && r <= 2);"));
    holds("", &format!("{read} assert(r == 2 || y == 2); assert(r > 0 || x == 1);"));
    for r in ["-1", "0", "1", "2"] {
        fails("", &format!("{read} assert(r != {r});"));
    }
    fails("", &format!("{read} assert(r != 2 || x != 7 || y != 8);"));
    fails("", &format!("{read} assert(r != EOF);"));
    // Without a look at the result a value may be missing.
    fails("", "int x = 1; scanf(\"%d\", &x); assert(x != 1);");
    holds("", "int n = 0; while (n < 3 && scanf(\"%d\", &n) == 1) { } assert(n >= 3 || n < 3);");
    // Addresses are known before the first value is stored.
    let body = "int i = 0, a[2] = {5, 5}; scanf(\"%d %d\", &i, &a[i]); assert(a[1] == 5);";
    holds("", body);
}

#[test]
fn characters_and_random_numbers() {
    holds("", "int c = getchar(); assert(c >= -1);");
    fails("", "int c = getchar(); assert(c != EOF);");
    fails("", "int c = fgetc(stdin); assert(c != 100);");
    holds("#include <stdlib.h>\n", "int r = rand(); assert(r >= 0 && r <= RAND_MAX);");
    fails("#include <stdlib.h>\n", "assert(rand() % 6 + 1 != 6);");
    holds("#include <stdlib.h>\n", "int x = -5; assert(abs(x) == 5 && abs(7) == 7);");
    let source = "//! check = overflow\n#include <stdlib.h>\n\
                  int main(void) { int x = -127; x--; return abs(x); }";
    assert_eq!(outcome(source, None, 8), Outcome::Unsafe);
}

/// Output has no effect, but its arguments do.
#[test]
fn output_is_evaluated() {
    holds("", "int x = 0; printf(\"%d\\n\", x++); puts(\"end\"); assert(x == 1);");
    holds("", "int x = 0; fprintf(stderr, \"%d\", ++x); putchar('\\n'); assert(x == 1);");
    fails("", "int a[2] = {1, 2}, i = 2; printf(\"%d\\n\", a[i]);");
}

#[test]
fn procedures_that_do_not_return_end_the_run() {
    let libraries = "#include <stdlib.h>\n#include <error.h>\n#include <err.h>\n";
    for end in [
        "exit(1);",
        "abort();",
        "_Exit(0);",
        "quick_exit(2);",
        "error(1, 0, \"no %d\", x);",
        "err(1, \"no\");",
        "errx(EXIT_FAILURE, \"no %d\", x);",
    ] {
        holds(libraries, &format!("int x = 0; scanf(\"%d\", &x); if (x) {{ {end} }} assert(!x);"));
    }
    // A status of 0 returns.
    fails(libraries, "int x = 1; error(0, 0, \"warning\"); assert(!x);");
    // A procedure of the program's own that has such a name returns.
    fails("void err(int code) { }", "int x = 1; err(1); assert(!x);");
}

/// At 32 bits a program without an assertion of its own is checked for signed overflow.
#[test]
fn signed_overflow_counts_where_a_program_says_nothing_else() {
    let factorial = "int f(int n) { if (n <= 1) return 1; return n * f(n - 1); }\n";
    let silent = format!("{factorial}int main(void) {{ int n = 13; return f(n); }}");
    assert_eq!(outcome(&silent, None, 32), Outcome::Unsafe);
    let small = silent.replace("n = 13", "n = 6");
    assert_eq!(outcome(&small, None, 8), Outcome::Unsafe, "the width makes no difference");
    // With an assertion, or with checks that were chosen, it is a wish.
    let stated =
        silent.replace("return f(n)", "n = f(n); if (n == 3) { ERROR: return 1; } return 0");
    assert_eq!(outcome(&stated, None, 32), Outcome::Safe);
    let chosen = Checks { bounds: true, division: true, ..Checks::NONE };
    assert_eq!(outcome(&silent, Some(chosen), 32), Outcome::Safe);
    assert_eq!(outcome(&format!("//! check = bounds\n{silent}"), None, 32), Outcome::Safe);
}

/// An operand keeps what it picked although the next one needs an edge of its own: `?:` of GNU, or
/// what a pointer leads to. Found by fuzzing: the edge used up what was picked before.
#[test]
fn operands_keep_what_they_picked() {
    let globals = "int nondet(void); struct S { int n; struct S *next; } a, b, *p; \
                   int q[4] = {1, 2, 3, 4};";
    let cases: [(&str, &[i32]); 8] = [
        ("(nondet() & 1) + ((nondet() & 2) ?: 8)", &[2, 3, 8, 9]),
        ("nondet() ? ((nondet() & 2) ?: 8) : (nondet() & 4)", &[0, 2, 4, 8]),
        ("nondet() ? (nondet() & 4) : ((nondet() & 2) ?: 8)", &[0, 2, 4, 8]),
        ("nondet() && (nondet() ?: 8)", &[0, 1]),
        ("(nondet() & 1) || (2 & (nondet() ?: 8))", &[0, 1]),
        ("(nondet() & 1) + p->next->n", &[7, 8, 5, 6]),
        ("(nondet() & 1) + (p == &a ? p->next->n : 3)", &[7, 8, 3, 4]),
        ("q[nondet() & 1] + q[(nondet() & 1) ?: 2]", &[3, 4, 5]),
    ];
    for (expression, values) in cases {
        let body = format!(
            "a.next = &b; b.next = &a; a.n = 5; b.n = 7; p = nondet() ? &a : &b; \
             int x = {expression};"
        );
        let is_one: Vec<String> = values.iter().map(|value| format!("x == {value}")).collect();
        holds(globals, &format!("{body} assert({});", is_one.join(" || ")));
        for value in values {
            fails(globals, &format!("{body} assert(x != {value});"));
        }
    }
}

/// Literals, and whether their type has a sign, with its bytes where `int` and `long` have 32 and
/// 64 bits, 32 and 32, 16 and 32 (C11 6.4.4.1).
const LITERALS: [(&str, [(bool, u32); 3]); 26] = [
    ("1", [(true, 4), (true, 4), (true, 2)]),
    ("32767", [(true, 4), (true, 4), (true, 2)]),
    ("32768", [(true, 4), (true, 4), (true, 4)]),
    ("70000", [(true, 4), (true, 4), (true, 4)]),
    ("0xffff", [(true, 4), (true, 4), (false, 2)]),
    ("0177777", [(true, 4), (true, 4), (false, 2)]),
    ("0x10000", [(true, 4), (true, 4), (true, 4)]),
    ("40000u", [(false, 4), (false, 4), (false, 2)]),
    ("70000u", [(false, 4), (false, 4), (false, 4)]),
    ("2147483647", [(true, 4), (true, 4), (true, 4)]),
    ("2147483648", [(true, 8), (true, 8), (true, 8)]),
    ("4294967295", [(true, 8), (true, 8), (true, 8)]),
    ("4294967295u", [(false, 4), (false, 4), (false, 4)]),
    ("0xffffffff", [(false, 4), (false, 4), (false, 4)]),
    ("0b11111111111111111111111111111111", [(false, 4), (false, 4), (false, 4)]),
    ("037777777777", [(false, 4), (false, 4), (false, 4)]),
    ("0x1ffffffff", [(true, 8), (true, 8), (true, 8)]),
    ("4294967296u", [(false, 8), (false, 8), (false, 8)]),
    ("5000000000", [(true, 8), (true, 8), (true, 8)]),
    ("4294967296L", [(true, 8), (true, 8), (true, 8)]),
    ("1l", [(true, 8), (true, 4), (true, 4)]),
    ("1ul", [(false, 8), (false, 4), (false, 4)]),
    ("1ll", [(true, 8), (true, 8), (true, 8)]),
    ("1ull", [(false, 8), (false, 8), (false, 8)]),
    ("0x8000000000000000", [(false, 8), (false, 8), (false, 8)]),
    ("0xffffffffffffffffull", [(false, 8), (false, 8), (false, 8)]),
];

#[test]
fn literals_have_the_types_of_c() {
    let pointers = ["", "int x; int *p = &x; *p = 1;"];
    // Where `int` has 16 bits, `long` and `long long` have 32 here.
    let models =
        [(None, DataModel::Lp64, 0), (None, DataModel::Ilp32, 1), (Some(16), DataModel::Lp64, 2)];
    for (bits, model, column) in models {
        let known = LITERALS.iter().filter(|(_, types)| bits.is_none() || types[column].1 <= 4);
        let known = known.filter(|(text, _)| bits.is_none() || !text.contains("ll"));
        // Below 32 bits a literal that is evaluated must fit.
        let sizes: String = known
            .map(|(text, types)| {
                let (signed, bytes) = types[column];
                let sign = match bits {
                    None => format!(" && (({text}) * 0 - 1 < 0) == {}", u32::from(signed)),
                    Some(_) => String::new(),
                };
                format!("  assert(sizeof({text}) == {bytes}{sign});\n")
            })
            .collect();
        for pointer in pointers {
            let source = format!(
                "#include <assert.h>\nint main(void) {{\n  {pointer}\n{sizes}  return 0;\n}}\n"
            );
            let requested = RequestedOptions {
                dialect: Some(Dialect::C),
                bits,
                model: Some(model),
                ..RequestedOptions::default()
            };
            let mut session = session_with(&source, &requested);
            session.start(Task::Check, Budgets::default());
            session.run();
            assert_eq!(session.outcome(), Outcome::Safe, "{model:?} {bits:?}\n{source}");
        }
    }
}

/// The table is what the machine's compiler says, where there is one.
#[test]
fn the_types_of_literals_are_those_of_the_compiler() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (option, column) in [("-m64", 0), ("-m32", 1)] {
        let compiles = |name: &str, text: &str| {
            let source = folder.join(name);
            std::fs::write(&source, text).expect("the test's own folder can be written");
            let quiet = std::process::Stdio::null;
            std::process::Command::new("cc")
                .args(["-w", "-fsyntax-only", option])
                .arg(&source)
                .stdout(quiet())
                .stderr(quiet())
                .status()
                .is_ok_and(|status| status.success())
        };
        if !compiles("no_literals.c", "_Static_assert(sizeof(int) == 4, \"int\");\n") {
            println!("left out: no C compiler with {option}");
            continue;
        }
        let asserted = |(text, types): &(&str, [(bool, u32); 3])| {
            let (signed, bytes) = types[column];
            format!(
                "_Static_assert(sizeof({text}) == {bytes}, \"size\");\n\
                 _Static_assert((({text}) * 0 - 1 < 0) == {}, \"sign\");\n",
                u32::from(signed)
            )
        };
        let all: String = LITERALS.iter().map(asserted).collect();
        assert!(compiles("literals.c", &all), "{option}: {all}");
    }
}
