//! C: the edges of its constructs, and what is refused.

use super::dump::{dump, well_formed};
use crate::lang::model::{Initial, Program, VariableKind};
use crate::lang::{load, load_narrower};
use crate::wire::diagnostic::Code;
use crate::wire::options::{Checks, Dialect, RequestedOptions};

pub(super) fn requested(bits: Option<u32>) -> RequestedOptions {
    RequestedOptions { dialect: Some(Dialect::C), bits, ..RequestedOptions::default() }
}

pub(super) fn program_at(source: &str, bits: Option<u32>) -> Program {
    let loaded = load(source, &requested(bits));
    let messages: Vec<String> = loaded
        .diagnostics
        .iter()
        .map(|d| format!("{}: {} ({})", d.span.line, d.message, d.hint))
        .collect();
    let program =
        loaded.program.unwrap_or_else(|| panic!("does not load: {messages:#?}\n{source}"));
    well_formed(&program);
    program
}

/// The statements of the last procedure, without places and outcomes.
pub(super) fn effects(source: &str) -> Vec<String> {
    let program = program_at(source, Some(8));
    let last = program.procedures.last().map(|p| program.location(p.entry).procedure);
    let edges = program.edges.iter().filter(|e| Some(program.location(e.from).procedure) == last);
    let shown: Vec<String> = dump(&program);
    edges
        .map(|e| {
            let index = program
                .edges
                .iter()
                .position(|other| std::ptr::eq(other, e))
                .expect("it is one of them");
            let line = &shown[index];
            let start = line.find(' ').map_or(0, |at| at + 1);
            let end = line.find(" ; ").unwrap_or(line.len());
            line[start..end].to_string()
        })
        .collect()
}

fn check(source: &str, expected: &[&str]) {
    assert_eq!(effects(source), expected, "{source}");
}

fn refused(source: &str) -> Vec<String> {
    load(source, &requested(Some(32)))
        .diagnostics
        .iter()
        .map(|d| format!("{}: {}", d.span.line, d.message))
        .collect()
}

fn width(source: &str) -> u32 {
    let loaded = load(source, &requested(None));
    assert!(loaded.program.is_some(), "{:?}\n{source}", loaded.diagnostics);
    loaded.options.bits
}

#[test]
fn int_has_32_bits_unless_someone_says_otherwise() {
    assert_eq!(width("int main() { int x = 7; return x; }"), 32);
    assert_eq!(width("#define N 40000\nint main() { int x = N; return x; }"), 32);
    assert_eq!(width("int main() { unsigned x = 4294967295u; return x; }"), 32);
    assert_eq!(width("//! bits = 5\nint main() { int x = 15; return x; }"), 5);
    let open = |source: &str, bits| load(source, &requested(bits)).options.open_width;
    assert!(open("int main() { return 0; }", None));
    assert!(!open("int main() { return 0; }", Some(32)), "the user asked for it");
    assert!(!open("//! bits = 32\nint main() { return 0; }", None), "the text says it");
}

#[test]
fn a_narrower_width_holds_every_constant_or_is_none() {
    let narrower = |source: &str, bits| {
        let loaded = load_narrower(source, &requested(None), bits)?;
        Some((loaded.options.bits, loaded.options.open_width, loaded.program?.int_width))
    };
    let source = "int main() { int x = 100; return x; }";
    assert_eq!(narrower(source, 8), Some((8, true, 8)));
    assert_eq!(narrower("int main() { int x = 200; return x; }", 8), None);
    assert_eq!(narrower("int main() { int x = 200; return x; }", 16), Some((16, true, 16)));
    assert_eq!(narrower("int main() { int x = 1 << 7; return x; }", 8), None);
    assert_eq!(narrower("int main() { int x = ; }", 16), None);
    let limits = "#include <limits.h>\nint main() { int x = INT_MAX; return x; }";
    assert_eq!(narrower(limits, 8), Some((8, true, 8)));
}

#[test]
fn a_constant_that_does_not_fit_is_reported() {
    let loaded = load("int main() { int x = 200; }", &requested(Some(8)));
    assert!(loaded.program.is_none());
    assert_eq!(
        loaded.diagnostics[0].message,
        "200 does not fit: integers of 8 bits go from -128 to 127"
    );
}

#[test]
fn literals_have_the_types_of_c() {
    let of = |literal: &str| {
        let source = format!("int main() {{ unsigned long z = sizeof({literal}); }}");
        let program = program_at(&source, Some(32));
        dump(&program)[0]
            .split(" ; ")
            .next()
            .map(|line| line.split(":= ").nth(1).unwrap_or("").to_string())
    };
    for (literal, bytes) in [
        ("1", "4"),
        ("2147483648", "8"),
        ("0x80000000", "4"),
        ("1u", "4"),
        ("1l", "8"),
        ("'a'", "4"),
        ("1 == 2", "4"),
    ] {
        assert_eq!(of(literal).as_deref(), Some(bytes), "{literal}");
    }
}

#[test]
fn sizes_follow_the_width() {
    let scalars = |bits: u32| -> Vec<(u8, bool)> {
        let source = "char c; short s; int i; long l; long long m; unsigned char u; int main() { }";
        let program = program_at(source, Some(bits));
        program
            .variables
            .iter()
            .filter(|v| v.kind == VariableKind::Global)
            .map(|v| (v.scalar.width, v.scalar.signed))
            .collect()
    };
    assert_eq!(
        scalars(32),
        [(8, true), (16, true), (32, true), (64, true), (64, true), (8, false)]
    );
    assert_eq!(scalars(6), [(6, true), (6, true), (6, true), (12, true), (12, true), (6, false)]);
}

#[test]
fn globals_are_zero_and_may_be_declared_again() {
    let program = program_at(
        "int a; int a = 3; extern int b; int b; extern int c; int d[2]; int main() { }",
        Some(8),
    );
    let initial: Vec<&Initial> = program
        .variables
        .iter()
        .filter(|v| v.kind == VariableKind::Global)
        .map(|v| &v.initial)
        .collect();
    let exactly = |list: &[u64]| Initial::Exactly(list.to_vec());
    assert_eq!(initial, [&exactly(&[3]), &exactly(&[0]), &Initial::Any, &exactly(&[0, 0])]);
}

#[test]
fn structs_are_flattened() {
    check(
        "struct In { int c; }; struct S { int a; struct In x; int v[2]; };
         int main(void) { struct S s, t; s.a = 1; s.x.c = 2; s.v[1] = 3; t = s; }",
        &[
            "s.a := 1",
            "s.x.c := 2",
            "s.v[1] := 3",
            "t.a := s.a, t.x.c := s.x.c, t.v[0] := s.v[0], t.v[1] := s.v[1]",
        ],
    );
    check(
        "typedef struct { int a, b; } P; int main(void) { P p = {1}, q[2] = {{1, 2}, {.b = 4}}; q[1].a = p.b; }",
        &[
            "p.a := 1, p.b := 0",
            "q.a[0] := 1, q.a[1] := 0, q.b[0] := 2, q.b[1] := 4",
            "q.a[1] := p.b",
        ],
    );
}

#[test]
fn a_pointer_parameter_is_the_variable_itself() {
    let source =
        "int g, h; void inc(int *p) { *p = *p + 1; } int main(void) { inc(&g); inc(&h); inc(&g); }";
    let program = program_at(source, Some(8));
    assert_eq!(
        program.procedures.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(),
        ["main", "inc", "inc"]
    );
    let shown = dump(&program);
    assert!(shown.iter().any(|line| line.contains("g := (g + 1)")), "{shown:#?}");
    assert!(shown.iter().any(|line| line.contains("h := (h + 1)")), "{shown:#?}");
}

#[test]
fn a_local_whose_address_is_passed_is_of_the_whole_run() {
    let source = "void set(int *p) { *p = 3; } int main(void) { int x; set(&x); return x; }";
    let program = program_at(source, Some(8));
    let x = program.variables.iter().find(|v| v.name == "x").expect("it is there");
    assert_eq!(x.kind, VariableKind::Global);
    assert!(dump(&program)[0].contains("havoc x"), "{:#?}", dump(&program));
    let recursive = "void set(int *p) { *p = 3; } int f(int n) { int x; set(&x); return n ? f(n - 1) : x; } int main(void) { return f(2); }";
    let program = program_at(recursive, Some(8));
    let pool = program.variables.iter().find(|v| v.name == "int objects").expect("it is there");
    // Three and one that is never taken again, behind the null pointer.
    assert_eq!(pool.dimensions, [5]);
}

#[test]
fn arrays_and_structs_are_passed_by_their_address() {
    check(
        "struct S { int a; }; int v[3]; struct S s; void f(int n, int *p, struct S *q) { p[n] = q->a; } int main(void) { f(1, v, &s); }",
        &["[bounds ((0 <= n) & (n < 3))] v[n] := s.a"],
    );
}

#[test]
fn pointers_to_what_is_not_known_are_refused() {
    let messages = refused("void f(int **p); int main(void) { int *x; f(&x); }");
    assert_eq!(messages, ["1: this procedure is not modelled: `f` in line 1"]);
}

#[test]
fn a_string_fills_an_array_as_its_characters_do() {
    for (string, list) in [
        ("char s[] = \"ab\";", "char s[] = {97, 98, 0};"),
        ("char s[2] = \"ab\";", "char s[2] = {97, 98};"),
        ("char s[5] = {\"ab\"};", "char s[5] = {97, 98};"),
        ("char s[] = \"a\" \"\\x42\" \"1\\n\";", "char s[] = {97, 66, 49, 10, 0};"),
        ("char s[] = \"\";", "char s[] = {0};"),
        ("char s[2][3] = {\"ab\", \"c\"};", "char s[2][3] = {{97, 98}, {99}};"),
        (
            "struct T { int n; char s[3]; } t = {5, \"ab\"};",
            "struct T { int n; char s[3]; } t = {5, {97, 98}};",
        ),
        (
            "struct T { char s[3]; int n; } t = {.n = 7, .s = \"x\"};",
            "struct T { char s[3]; int n; } t = {.n = 7, .s = {120}};",
        ),
    ] {
        let [a, b] = [string, list].map(|text| {
            let global = program_at(&format!("{text} int main(void) {{ return 0; }}"), Some(32));
            let local = program_at(&format!("int main(void) {{ {text} return 0; }}"), Some(32));
            let initial: Vec<Initial> =
                global.variables.iter().map(|v| v.initial.clone()).collect();
            let effects: Vec<String> =
                local.edges.iter().map(|edge| format!("{:?}", edge.operation)).collect();
            (initial, effects)
        });
        assert_eq!(a, b, "{string}");
    }
}

#[test]
fn unknown_parts_are_refused_by_name() {
    for (source, message) in [
        (
            "int main(void) { int n = printf(\"%f\", 1); }",
            "1: the result of `printf` is not modelled: line 1",
        ),
        (
            "long double f; int main(void) { }",
            "1: floating point of other than 32 or 64 bits is not modelled: line 1",
        ),
        (
            "int main(void) { char s[] = \"ü\"; }",
            "1: characters other than ASCII's are not modelled: line 1",
        ),
        ("int main(void) { char s[2] = \"abc\"; }", "1: 3 characters for 2 elements"),
        ("int a[] = \"abc\"; int main(void) { }", "1: a string fills an array of characters only"),
        (
            "int main(void) { struct { short s[3]; } t = {\"ab\"}; }",
            "1: a string fills an array of characters only",
        ),
        (
            "int main(void) { char s[2][4] = \"ab\"; }",
            "1: this initial value of an array is not modelled: line 1",
        ),
        (
            "int main(void) { char s = \"ab\"; }",
            "1: a pointer that is used as a number is not modelled: line 1",
        ),
        (
            "void f(void) { } int main(void) { atexit(f); int n = (exit(0), 1); }",
            "1: `exit` inside an expression, beside `atexit`, is not modelled: line 1",
        ),
        (
            "int main(void) { int n = 3; int a[n][2]; }",
            "1: an array whose size is no constant up to 4096 is not modelled: line 1",
        ),
        (
            "int main(void) { char *p = tmpnam(0); return *p; }",
            "1: `tmpnam` is declared nowhere, so nothing is known of it",
        ),
        ("#include <windows.h>\nint main(void) { }", "1: header `windows.h` is not known: line 1"),
        (
            "#define P(x) #x\nint main(void) { P(1); }",
            "2: `#` and `##` in macros are not modelled: `P` in line 2",
        ),
        (
            "int main(void) { switch (1) { case 1 ... 3: ; } }",
            "1: a range of cases is not modelled: line 1",
        ),
    ] {
        assert_eq!(refused(source)[0], message, "{source}");
    }
}

#[test]
fn the_preprocessor_keeps_places() {
    let source = "#define TWICE(x) ((x) + (x))\n#define N \\\n  3\n#if N > 2 && defined(TWICE)\nint main(void) { int y;\n  y = TWICE(N); }\n#else\n#error no\n#endif\n";
    let program = program_at(source, Some(8));
    assert_eq!(program.edges.len(), 1);
    assert_eq!((program.edges[0].span.line, program.edges[0].text.as_str()), (6, "y = TWICE(N)"));
    assert!(dump(&program)[0].contains("y := 6"));
}

#[test]
fn macros_from_the_command_line() {
    let source = "int main(void) {\n#ifdef FIX\n int x = FIX;\n#endif\n}";
    let with = RequestedOptions { defines: vec!["FIX=5".to_string()], ..requested(Some(8)) };
    let edges =
        |requested: &RequestedOptions| load(source, requested).program.map_or(0, |p| p.edges.len());
    assert_eq!(load(source, &with).program.map(|p| dump(&p)[0].contains("x := 5")), Some(true));
    assert_eq!(edges(&requested(Some(8))), 1);
}

#[test]
fn macros_do_not_run_away() {
    let source = "#define A B B B B B B B B\n#define B C C C C C C C C\n#define C D D D D D D D D\n#define D E E E E E E E E\n#define E F F F F F F F F\n#define F G G G G G G G G\n#define G 1;\nint main(void) { A }";
    assert!(
        refused(source).iter().any(|m| m.contains("macros make more than")),
        "{:?}",
        refused(source)
    );
    let source =
        "#define f(x) f(f(x)) f\nint f(int x) { return x; }\nint main(void) { f(f(1)(2))(3); }";
    let _ = load(source, &requested(Some(8)));
}

#[test]
fn bodiless_procedures_return_any_value() {
    check("int any(void); int main(void) { int x = any(); }", &["x := ?0:i8"]);
    let loaded = load("int main(void) { return unknown_one(3); }", &requested(Some(8)));
    assert!(loaded.program.is_none());
    assert_eq!(loaded.diagnostics[0].code, Code::NotModelled);
    assert_eq!(
        loaded.diagnostics[0].message,
        "`unknown_one` is declared nowhere, so nothing is known of it"
    );
    let loaded = load("int main(void) { return prinft(\"3\"); }", &requested(Some(8)));
    let edit = loaded.diagnostics[0].edit.as_deref();
    assert_eq!(edit.map(|edit| edit.new.as_str()), Some("printf"));
}

#[test]
fn static_locals_are_one_variable_for_all_copies() {
    let source =
        "int g, h; void f(int *p) { static int n; n++; *p = n; } int main(void) { f(&g); f(&h); }";
    let program = program_at(source, Some(8));
    assert_eq!(program.variables.iter().filter(|v| v.name == "n").count(), 1);
}

#[test]
fn shifts_of_signed_numbers_can_overflow() {
    let checks = Checks { overflow: true, ..Checks::NONE };
    let with = RequestedOptions { checks: Some(checks), ..requested(Some(8)) };
    let program = load("int any(void); int main(void) { int x = any(); x = x << 1; }", &with)
        .program
        .expect("it loads");
    assert!(
        program
            .edges
            .iter()
            .any(|e| e.checks.iter().any(|c| c.kind == crate::lang::model::ErrorKind::Overflow))
    );
}

#[test]
fn old_definitions_and_shadowed_types() {
    check(
        "typedef int T; add(a, b) int a; int b; { return a + b; } int main(void) { int T = 2; T = add(T, 1); }",
        &["T := 2", "T := add(T, 1)"],
    );
    check(
        "struct S { int a; }; int main(void) { struct S { int b; } s; s.b = 1; { struct S t = s; s.b = t.b; } }",
        &["s.b := 1", "t.b := s.b", "s.b := t.b"],
    );
}

#[test]
fn sizes_are_of_types_only() {
    check(
        "int main(void) { int a[6]; unsigned long n; n = sizeof(a) / sizeof(a[0]); n = sizeof(long); n = sizeof a[9]; }",
        &["n := 6", "n := 2", "n := 1"],
    );
}

#[test]
fn no_struct_contains_itself() {
    let main = "int main(void) { return 0; }";
    for (before, expected) in [
        ("struct S { struct S a; };", "1: struct `S` contains itself: line 1"),
        (
            "typedef struct S S; struct T; struct S { struct T *p, t; }; struct T { S s[2]; };",
            "1: struct `T` contains itself: line 1",
        ),
        ("union U { int n; struct { union U u; } s; };", "1: union `U` contains itself: line 1"),
    ] {
        assert_eq!(refused(&format!("{before} {main}")), [expected], "{before}");
    }
    let fine = "typedef struct S *P; struct T { int n; }; struct S { P next; struct T t, u[2]; };";
    assert_eq!(refused(&format!("{fine} {main}")), [] as [String; 0]);
}

#[test]
fn a_size_that_depends_on_itself_is_refused() {
    for source in [
        "struct S { int a[sizeof(struct S)]; }; int main(void) { struct S s; return sizeof s; }",
        "#include <stdlib.h>\nstruct S { int *q; int a[sizeof(((struct S *)0)->b)]; int b[2]; };
         int main(void) { struct S *s = malloc(sizeof(struct S)); s->b[0] = 1; return 0; }",
    ] {
        let said = refused(source);
        assert!(said.len() == 1 && said[0].contains("size"), "{said:?}\n{source}");
    }
}
