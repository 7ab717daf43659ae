//! What a refusal tells people to do works: each program is refused with this hint; once the hint
//! is obeyed, the program is read.

use faultline::lang::load;
use faultline::wire::diagnostic::Severity;
use faultline::wire::options::{Dialect, RequestedOptions};

/// The errors' hints.
fn hints(source: &str, dialect: Dialect) -> Vec<String> {
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let loaded = load(source, &requested);
    let errors = loaded.diagnostics.into_iter().filter(|said| said.severity == Severity::Error);
    let hints: Vec<String> = errors.map(|said| said.hint).collect();
    assert_eq!(loaded.program.is_none(), !hints.is_empty(), "{source}");
    hints
}

/// A hint, a body of `main` that gets it, and that body once the hint is obeyed.
const IN_MAIN: [(&str, &str, &str); 30] = [
    ("in C, the statement that does nothing is `;`", "skip;", ";"),
    (
        "words of at most 8 characters are read, each by its own call: `if (scanf(\"%8s\", s) != 1) return 1;`",
        "char s[20]; scanf(\"%s\", s);",
        "char s[20]; if (scanf(\"%8s\", s) != 1) return 1;",
    ),
    (
        "words of at most 8 characters are read, each by its own call: `if (scanf(\"%8s\", s) != 1) return 1;`",
        "char s[20]; scanf(\"%9s\", s);",
        "char s[20]; if (scanf(\"%8s\", s) != 1) return 1;",
    ),
    (
        "words of at most 8 characters are read, each by its own call: `if (scanf(\"%8s\", s) != 1) return 1;`",
        "int n; char s[9]; scanf(\"%d %8s\", &n, s);",
        "int n; char s[9]; scanf(\"%d\", &n); if (scanf(\"%8s\", s) != 1) return 1;",
    ),
    (
        "characters are read one by one: `scanf(\"%c\", &c)`",
        "char s[3]; scanf(\"%3c\", s);",
        "char s[3]; scanf(\"%c\", &s[0]);",
    ),
    (
        "a width of 0 reads nothing; leave it out",
        "int n; scanf(\"%0d\", &n);",
        "int n; scanf(\"%d\", &n);",
    ),
    (
        "floating point is not modelled; read integers with `%d`",
        "float f; scanf(\"%f\", &f);",
        "int f; scanf(\"%d\", &f);",
    ),
    (
        "write one address for each value",
        "int n, m; scanf(\"%d %d\", &n);",
        "int n, m; scanf(\"%d %d\", &n, &m);",
    ),
    ("write `&n`", "int n; scanf(\"%d\", n);", "int n; scanf(\"%d\", &n);"),
    (
        "`%d` reads an `int`, `%hd` a `short`, `%ld` a `long`, `%c` a `char`",
        "long n; scanf(\"%d\", &n);",
        "long n; scanf(\"%ld\", &n);",
    ),
    (
        "files are not modelled; read from `stdin`",
        "int n; fscanf(stderr, \"%d\", &n);",
        "int n; fscanf(stdin, \"%d\", &n);",
    ),
    (
        "sort by two loops that compare and swap the elements",
        "int a[2] = {2, 1}; qsort(a, 2, sizeof(int), compare);",
        "int a[2] = {2, 1}; for (int i = 0; i < 2; i++) for (int j = 0; j + 1 < 2; j++) if (compare(&a[j], &a[j + 1]) > 0) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }",
    ),
    (
        "search by a loop that compares the elements",
        "int a[2] = {1, 2}, k = 2; bsearch(&k, a, 2, sizeof(int), compare);",
        "int a[2] = {1, 2}, k = 2; for (int i = 0; i < 2; i++) if (compare(&k, &a[i]) == 0) break;",
    ),
    ("leave the call out; call the handler where it may run", "signal(2, handler);", "handler(2);"),
    ("use `atexit`", "at_quick_exit(last);", "atexit(last);"),
    ("return instead of jumping", "jmp_buf b; setjmp(b);", "return 0;"),
    ("close it by `\"` in the same line", "puts(\"a);\n", "puts(\"a\");\n"),
    ("write a character like 'a' or '\\n'", "int c = 'a;\n", "int c = 'a';\n"),
    ("end it with `*/`", "int x; /* }", "int x; /* } */"),
    ("add `;`", "int x\n", "int x;\n"),
    ("remove it", "int x = 1 @;", "int x = 1;"),
    (
        "write the size as a constant, at most 4096",
        "int n = 2; static int a[n];",
        "static int a[2];",
    ),
    ("give it a type", "void x;", "int x;"),
    ("rename one of them", "int x; char x;", "int x; char y;"),
    ("write `{…}`", "int a[2] = 3;", "int a[2] = {3};"),
    ("leave some out, or make the array larger", "int a[2] = {1, 2, 3};", "int a[3] = {1, 2, 3};"),
    ("remove one of them", "switch (1) { case 1: case 1: ; }", "switch (1) { case 1: ; }"),
    ("write a number", "switch (1) { int n; case n: ; }", "switch (1) { case 2: ; }"),
    ("give it a fixed list of parameters", "many(1, 2);", "few(1, 2);"),
    ("leave `const` out of its declaration", "const int n = 1; n = 2;", "int n = 1; n = 2;"),
];

#[test]
fn what_hints_say_works_in_c() {
    let program = |body: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <signal.h>\n#include <setjmp.h>\nint compare(const void *a, const void *b) {{ return *(const int *)a - *(const int *)b; }}\nvoid handler(int s) {{ s++; }}\nvoid last(void) {{ }}\nint few(int a, int b) {{ return a + b; }}\nint many(int a, ...) {{ return a; }}\nint main(void) {{ {body} return 0; }}\n"
        )
    };
    let mut wrong = Vec::new();
    for (hint, refused, obeyed) in IN_MAIN {
        let given = hints(&program(refused), Dialect::C);
        if !given.iter().any(|given| given == hint) {
            wrong.push(format!("{refused}: {given:?}, not {hint}"));
        }
        let given = hints(&program(obeyed), Dialect::C);
        if !given.is_empty() {
            wrong.push(format!("{obeyed}: {given:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Cimple has less than C: where C is the way out, the hint says so.
#[test]
fn what_cimple_lacks_is_read_in_c_or_written_in_another_way() {
    for (hint, refused, language, obeyed) in [
        (
            "choose C as the language, or make it a global array",
            "int f(int a[3]) { return a[0]; }\nvoid main() { }",
            Dialect::C,
            "int f(int a[3]) { return a[0]; }\nvoid main() { }",
        ),
        (
            "choose C as the language, or make it a global array",
            "int f(int a[3]) { return a[0]; }\nvoid main() { }",
            Dialect::Cimple,
            "int a[3]; int f() { return a[0]; }\nvoid main() { }",
        ),
        (
            "leave output out; read with `nondet()`",
            "void main() { int x; scanf(x); }",
            Dialect::Cimple,
            "void main() { int x; x = nondet(); }",
        ),
        (
            "call the procedure by its name",
            "void f(int x) { } void main() { (f)(3); }",
            Dialect::Cimple,
            "void f(int x) { } void main() { f(3); }",
        ),
    ] {
        let given = hints(refused, Dialect::Cimple);
        assert!(given.iter().any(|given| given == hint), "{refused}: {given:?}");
        assert_eq!(hints(obeyed, language), [""; 0], "{obeyed}");
    }
}
