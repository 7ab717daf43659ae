//! The diagnostics of wrong programs: `line: message | hint`.

use super::dump::messages;
use crate::lang::load;
use crate::wire::diagnostic::Code;
use crate::wire::options::{Dialect, RequestedOptions};

fn check(source: &str, expected: &[&str]) {
    assert_eq!(messages(source), expected, "{source}");
}

#[test]
fn unbalanced_braces() {
    check(
        "void main() { int x;\n if (x) { x = 1;\n",
        &["2: this `{` of line 2 is never closed | add `}`"],
    );
    check(
        "void main() { int x; x = 1; } }\nvoid f() { skip; }",
        &["1: this `}` closes nothing | remove it, or open its `{`"],
    );
    check(
        "void main() { int x;\n if (x) { x = 1;\n x = 2; }\nvoid f() { skip; }",
        &["4: a procedure starts inside the block of line 1 | is a `}` missing before line 4?"],
    );
}

#[test]
fn several_errors_at_once() {
    check(
        "void main() { int x; x = (1 + ; x = 2 +; if x { skip; } while (x { skip; } for (;;;) skip; }",
        &[
            "1: expected an expression, found `;` | ",
            "1: expected an expression, found `;` | ",
            "1: expected `(`, found `x` | ",
            "1: expected `)`, found `{` | ",
            "1: expected an expression, found `;` | ",
            "1: expected an expression, found `)` | ",
        ],
    );
    check(
        "int f( { } void g() { y = 1; }\nvoid h() { x = ; }",
        &[
            "1: expected a parameter's type, found `{` | ",
            "2: expected an expression, found `;` | ",
        ],
    );
}

#[test]
fn missing_semicolons() {
    check(
        "void main() { int x = 1\n x = 2; x = 3 }",
        &["1: expected `;` after `1` | add `;`", "2: expected `;` after `3` | add `;`"],
    );
}

#[test]
fn unknown_names() {
    check(
        "void main() {\n int counter;\n countr = 1;\n zebra = 2;\n mani();\n main;\n goto l;\n}",
        &[
            "3: unknown name `countr` | did you mean `counter`?",
            "4: unknown name `zebra` | declare it",
            "5: unknown procedure `mani` | did you mean `main`?",
            "6: unknown name `main` | `main` is a procedure: call it as `main(…)`",
            "7: unknown label `l` | write `l:` before a statement",
        ],
    );
}

#[test]
fn wrong_types() {
    check(
        "void f() { skip; } void main() { int x, a[3]; x = f(); x = a; a = 3; x[1] = 2; a[1][2] = 3; x(); f(1); 3 = x; x++ = 2; }",
        &[
            "1: this has no value | the procedure returns nothing",
            "1: `a` is an array | arrays are not passed or copied; use an element like `a[0]`",
            "1: `a` is an array | arrays are not passed or copied; name one element",
            "1: `x` is not an array | leave the index out",
            "1: `a` takes 1 index, not 2 | arrays are not passed or copied; name one element",
            "1: unknown procedure `x` | declare it: `int x(…);` without a body does nothing and returns any value",
            "1: `f` takes 0 arguments, not 1 | it is declared in line 1",
            "1: this cannot be assigned | assign to a variable or an array element",
            "1: this cannot be assigned | assign to a variable or an array element",
        ],
    );
    check(
        "void main() { return 1; } void g(void x) { }",
        &[
            "1: a `void` procedure returns no value | give it a type, or leave the value out",
            "1: a parameter cannot be `void` | give it a type",
        ],
    );
    check(
        "void main() { int x; assert(); assume(x, x); nondet(1); x = assert(x); sizeof(int); }",
        &[
            "1: `assert` takes one condition | write `assert(x > 0)`",
            "1: `assume` takes one condition | write `assume(x > 0)`",
            "1: `nondet` takes no arguments | leave them out",
            "1: this has no value | the procedure returns nothing",
            "1: `sizeof` is not modelled: line 1 | write the number",
        ],
    );
}

#[test]
fn pointers_are_refused_by_name() {
    check(
        "int *p;\nvoid main() {\n int *q, x; x = *q;\n q = &x; p = q; }",
        &[
            "1: pointers are not modelled: line 1 and 1 more place | pass values, return a result, or use a global array",
            "3: pointers are not modelled: line 3 | `*p` reads through a pointer; use a variable or an array",
            "4: pointers are not modelled: line 4 | `&` takes an address; pass values, or use a global",
        ],
    );
    check(
        "int f(int a[]); int g(int b[3]) { return 0; } int h(int n, ...); void (*p)(int); void main() { }",
        &[
            "1: arrays as parameters are not modelled: line 1 and 1 more place | choose C as the language, or make it a global array",
            "1: variadic procedures are not modelled: line 1 | give it a fixed list of parameters",
            "1: function pointers are not modelled: line 1 | call the procedure by its name",
        ],
    );
}

#[test]
fn other_parts_of_c_are_refused_by_name() {
    check(
        "struct S { int a; }; union U { int b; }; typedef int T; float f; double d; void main() { f = 1.5; }",
        &[
            "1: structs are not modelled: line 1 | they come with the C dialect; use plain variables and arrays in Cimple",
            "1: unions are not modelled: line 1 | they come with the C dialect; use plain variables and arrays in Cimple",
            "1: typedefs are not modelled: line 1 | they come with the C dialect; use plain variables and arrays in Cimple",
            "1: floating point is not modelled: line 1 and 2 more places | use an integer, scaled if need be",
        ],
    );
    check(
        "#include <stdio.h>\nint main() { return 0; }",
        &[
            "1: the preprocessor is not modelled: line 1 | it comes with the C dialect; remove the line",
        ],
    );
    check(
        "void main() { malloc(4); printf(\"x\"); pthread_create(1); }",
        &[
            "1: the heap is not modelled: `malloc` in line 1 | use a constant-size array",
            "1: input and output are not modelled: `printf` in line 1 | leave output out; read with `nondet()`",
            "1: strings are not modelled: line 1 | use integers, or an array of them",
            "1: this belongs to C: `pthread_create` in line 1 | write `thread name { … }`, `atomic { … }`, `lock(m)` and `unlock(m)`",
        ],
    );
    check(
        "void main() { int x; x.a = 1; x->b = 2; (x)(3); }",
        &[
            "1: structs are not modelled: line 1 | use plain variables and arrays",
            "1: pointers are not modelled: line 1 | use plain variables and arrays",
            "1: function pointers are not modelled: line 1 | call the procedure by its name",
        ],
    );
}

#[test]
fn what_threads_cannot_do_is_refused_by_name() {
    check(
        "int m; void main() { thread worker { skip; } }",
        &[
            "1: a thread inside a procedure is not modelled: line 1 | put `thread name { … }` outside",
        ],
    );
    check(
        "int m; thread worker { again: atomic { goto again; } }",
        &[
            "1: a `goto` out of `atomic` is not modelled: line 1 | use `break`, `continue` or `return`",
        ],
    );
}

#[test]
fn constants_that_do_not_fit() {
    check(
        "void main() { int x = 10; x = 100000000000; unsigned u = 16; uint8_t w = 256; x = -8; x = -9; u = 15; x = 0xF; x = 0x1F; }",
        &[
            "1: 10 does not fit: integers of 4 bits go from -8 to 7 | `//! bits = 5` holds it",
            "1: 100000000000 does not fit: integers of 4 bits go from -8 to 7 | no width up to 32 bits holds it",
            "1: 16 does not fit: unsigned integers of 4 bits go from 0 to 15 | `//! bits = 5` holds it",
            "1: 256 does not fit: unsigned integers of 8 bits go from 0 to 255 | a type of 9 bits holds it",
            "1: -9 does not fit: integers of 4 bits go from -8 to 7 | `//! bits = 5` holds it",
            "1: 31 does not fit: integers of 4 bits go from -8 to 7 | `//! bits = 6` holds it",
        ],
    );
    check(
        "//! bits = 10\nvoid main() { int n = 561; unsigned u = 561; }",
        &[
            "2: 561 does not fit: integers of 10 bits go from -512 to 511 | `//! bits = 11` holds it",
        ],
    );
    check(
        "enum { A = 7, B }; void main() { int x; switch (x) { case 9: skip; } if (x == 12) skip; }",
        &[
            "1: 8 does not fit: integers of 4 bits go from -8 to 7 | `//! bits = 5` holds it",
            "1: 9 does not fit: integers of 4 bits go from -8 to 7 | `//! bits = 5` holds it",
            "1: 12 does not fit: integers of 4 bits go from -8 to 7 | `//! bits = 5` holds it",
        ],
    );
}

#[test]
fn widths_that_do_not_exist() {
    check(
        "//! bits = 0\nvoid main() { }",
        &["1: bits = 0: int can be 1 to 32 bits wide | choose a width from 1 to 32"],
    );
    check(
        "//! bits = 99\nvoid main() { int x = 9; }",
        &["1: bits = 99: int can be 1 to 32 bits wide | choose a width from 1 to 32"],
    );
}

#[test]
fn directives() {
    check(
        "//! bits = four\n//! colour = red\n//! globals = none\n//! check = speed\n//! hello\nvoid main() { } //! switches = 2",
        &[
            "1: bits = four: not a number | int can be 1 to 32 bits wide",
            "2: unknown directive `colour` | known are bits, globals, check, switches, heap, model, start, function, array, error, rule, ltl, terminates and fair",
            "3: globals = none: unknown | write `any` or `zero`",
            "4: check = speed: unknown | write `none`, or some of bounds, division, overflow, shift, leak, race, initialised",
            "5: directive `hello` is not understood | write `//! key = value`",
        ],
    );
    check(
        "//! error = (x == \nint x; void main() { x = 1; }",
        &[
            "1: error = (x ==: expected an expression, found the end of the program | write `//! error = (x == 3)`",
        ],
    );
    check(
        "//! error = (y == 1)\nint x; void main() { x = 1; }",
        &["1: no assignment to `y` can be this error | name a variable that is assigned"],
    );
}

#[test]
fn annotations() {
    check(
        "//@ requires x;\n//@ loop invariant x > 0;\nvoid main() { }",
        &[
            "1: annotation `requires` is not modelled: line 1 | only `//@ assert e;` is understood; remove it, or state the property as an assertion",
            "2: annotation `loop` is not modelled: line 2 | only `//@ assert e;` is understood; remove it, or state the property as an assertion",
        ],
    );
}

#[test]
fn nothing_to_start() {
    check("", &["1: no procedure to start | write `void main() { … }`"]);
    check("int x;", &["1: no procedure to start | write `void main() { … }`"]);
}

#[test]
fn declared_twice() {
    check(
        "int x; int x; void x() { } void f() { } void f() { } int f(int a); void main() { int y; int y; l: skip; l: skip; goto m; }",
        &[
            "1: `x` is already declared in line 1 | rename one of them",
            "1: `x` is already a variable | rename one of them",
            "1: procedure `f` is already defined in line 1 | rename one of them",
            "1: procedure `f` differs from its declaration in line 1 | make their types agree",
            "1: `y` is already declared in line 1 | rename one of them",
            "1: label `l` is already in line 1 | rename one of them",
            "1: unknown label `m` | write `m:` before a statement",
        ],
    );
}

#[test]
fn misplaced_statements() {
    check(
        "void main() { break; continue; case 1: skip; default: skip; switch (1) { case 1: case 1: skip; default: default: skip; } }",
        &[
            "1: `break` outside a loop | ",
            "1: `continue` outside a loop | ",
            "1: `case` outside a `switch` | ",
            "1: `default` outside a `switch` | ",
            "1: case 1 stands twice in this `switch` | remove one of them",
            "1: `default` stands twice in this `switch` | remove one of them",
        ],
    );
}

#[test]
fn arrays() {
    check(
        "int a[0], b[-1], c[100000], d[1][1][1][1][1][1][1][1][2], e[]; int n; int g[n]; int x = n; int h[2] = {1,2,3}; int i[2] = 1; int j[2][2] = {{1,2,3}}; void v; void main() { void w; }",
        &[
            "1: array `a` cannot have 0 elements | 1 to 4096 can be modelled",
            "1: array `b` cannot have -1 elements | 1 to 4096 can be modelled",
            "1: array `c` cannot have 100000 elements | 1 to 4096 can be modelled",
            "1: arrays have at most 8 dimensions | flatten it",
            "1: array `e` has no size | write it: `a[4]`",
            "1: an array's size must be constant | write a number",
            "1: a global's initial value must be constant | assign it in the procedure that starts",
            "1: 3 values for 2 elements | leave some out, or make the array larger",
            "1: an array takes a list | write `{…}`",
            "1: this list does not fit the array | one list per row of a two-dimensional array",
            "1: a variable cannot be `void` | give it a type",
            "1: a variable cannot be `void` | give it a type",
        ],
    );
}

#[test]
fn constants_are_not_assigned() {
    check(
        "const int c = 1; void main() { c = 2; c++; const int a[2] = {1, 2}; a[0] = 1; }",
        &[
            "1: `c` is `const` | leave `const` out of its declaration",
            "1: `c` is `const` | leave `const` out of its declaration",
            "1: `a` is `const` | leave `const` out of its declaration",
        ],
    );
}

#[test]
fn literals() {
    check(
        "void main() { int x; x = 08; x = 0x; x = 1z; x = 'ab'; x = 99999999999999999999999; x = \"s\" + 1.5; }",
        &[
            "1: `08` is not a number | write it like 12, 0x1F or 12u",
            "1: `0x` is not a number | write it like 12, 0x1F or 12u",
            "1: `1z` is not a number | write it like 12, 0x1F or 12u",
            "1: 'ab' is not a character | write one like 'a' or '\\n'",
            "1: 99999999999999999999999 needs more than 64 bits | integers have at most 64 bits",
            "1: strings are not modelled: line 1 | use integers, or an array of them",
            "1: floating point is not modelled: line 1 | use an integer, scaled if need be",
        ],
    );
}

#[test]
fn unknown_types() {
    check(
        "foo x; void main() { bar y; else x = 1; } enum Q q;",
        &[
            "1: unknown type `foo` | types are bool, int, char, short, long, unsigned, intN_t, uintN_t",
            "1: unknown type `bar` | types are bool, int, char, short, long, unsigned, intN_t, uintN_t",
            "1: `else` without an `if` | is there a `;` or `}` too many before it?",
            "1: unknown enumeration `Q` | declare its members first: `enum E { A, B };`",
        ],
    );
}

#[test]
fn only_twenty_are_shown() {
    check(
        "void main() { v0; v1; v2; v3; v4; v5; v6; v7; v8; v9; v10; v11; v12; v13; v14; v15; v16; v17; v18; v19; v20; v21; v22; v23; v24; v25; }",
        &[
            "1: unknown name `v0` | declare it",
            "1: unknown name `v1` | declare it",
            "1: unknown name `v2` | declare it",
            "1: unknown name `v3` | declare it",
            "1: unknown name `v4` | declare it",
            "1: unknown name `v5` | declare it",
            "1: unknown name `v6` | declare it",
            "1: unknown name `v7` | declare it",
            "1: unknown name `v8` | declare it",
            "1: unknown name `v9` | declare it",
            "1: unknown name `v10` | declare it",
            "1: unknown name `v11` | declare it",
            "1: unknown name `v12` | declare it",
            "1: unknown name `v13` | declare it",
            "1: unknown name `v14` | declare it",
            "1: unknown name `v15` | declare it",
            "1: unknown name `v16` | declare it",
            "1: unknown name `v17` | declare it",
            "1: unknown name `v18` | declare it",
            "1: unknown name `v19` | declare it",
            "1: and 6 more | mend these first",
        ],
    );
}

#[test]
fn an_error_named_by_its_line_must_stand_there() {
    let source = "void main() {\n  int x;\n  assert(x != 1);\n}\n";
    let at =
        |line| load(source, &RequestedOptions { error: Some(line), ..RequestedOptions::default() });
    assert!(at(3).diagnostics.is_empty());
    for line in [0, 1, 2, 4, 99] {
        let loaded = at(line);
        assert!(loaded.program.is_none());
        assert_eq!(
            loaded.diagnostics[0].message,
            format!("only an error at line {line} is to count, but none stands there")
        );
        assert_eq!(loaded.diagnostics[0].hint, "the only error of the program stands at line 3");
    }
}

#[test]
fn a_sum_of_hexadecimal_literals_must_fit_like_any_other() {
    for sum in ["0x7fffffff + 1", "0x7fffffff << 1", "0x7fffffff * 2", "2147483647 + 1"] {
        let found = messages(&format!("//! bits = 32\nvoid main() {{ int r; r = ({sum}) < 0; }}"));
        assert!(found.len() == 1 && found[0].contains("does not fit"), "{sum}: {found:?}");
    }
    assert!(messages("//! bits = 8\nvoid main() { int r; r = 0x0f | 0x70; r = 0x7f & 0x3; r = (0x80 | 1) > 0; }").is_empty());
}

/// The first diagnostic's edit, applied.
fn mended(source: &str, dialect: Dialect) -> Option<String> {
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let edit = load(source, &requested).diagnostics.first()?.edit.clone()?;
    let place = edit.span.start as usize..edit.span.end as usize;
    assert_eq!(source[place.clone()], edit.old, "{source}");
    let mut text = source.to_string();
    text.replace_range(place, &edit.new);
    Some(text)
}

#[test]
fn what_is_mechanical_is_written() {
    let cimple = |source: &str| mended(source, Dialect::Cimple);
    let c = |source: &str| mended(source, Dialect::C);
    assert_eq!(
        cimple("int counter; void main() { countr = 1; }").as_deref(),
        Some("int counter; void main() { counter = 1; }")
    );
    assert_eq!(
        cimple("int x; void main() { x = 1\n}").as_deref(),
        Some("int x; void main() { x = 1;\n}")
    );
    assert_eq!(
        cimple("//! bits = 2\nint x; void main() { x = 1 + 1; }").as_deref(),
        Some("//! bits = 2\nint x; void main() { x = -2; }")
    );
    assert_eq!(
        c("int main(void) { char s[2] = {49, 0}; int x = atoi(s); }").as_deref(),
        Some("int main(void) { char s[2] = {49, 0}; int x = __VERIFIER_nondet_int(); }")
    );
    assert_eq!(c("int main(void) { long double x = 1; }"), None);
}

#[test]
fn what_is_not_modelled_is_said_once() {
    let source = "int main(void) {\n  int n = strspn(\"a\", \"b\");\n  n += strspn(\"b\", \"c\");\n  \
                  n += strspn(\"c\", \"d\");\n  qsort(&n, 1, 4, 0);\n}";
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let messages: Vec<String> =
        load(source, &requested).diagnostics.into_iter().map(|d| d.message).collect();
    assert_eq!(
        messages,
        [
            "this library procedure is not modelled: `strspn` in line 2 and 2 more places",
            "this library procedure is not modelled: `qsort` in line 5",
        ]
    );
}

/// The codes of the diagnostics of a program, with what is not modelled.
fn codes(source: &str, dialect: Dialect) -> Vec<(Code, Option<String>)> {
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let found = load(source, &requested).diagnostics;
    found.into_iter().map(|one| (one.code, one.subject)).collect()
}

#[test]
fn diagnostics_have_codes() {
    let of = |source: &str| codes(source, Dialect::C);
    assert_eq!(of("int main(void) { return 1 }"), [(Code::Syntax, None)]);
    assert_eq!(of("int main(void) { return modelled; }"), [(Code::Invalid, None)]);
    assert_eq!(
        of("#include \"not modelled.h\"\nint main(void) { return 0; }"),
        [(Code::Invalid, None)],
        "a name may have our words"
    );
    assert_eq!(
        of("int main(void) { asm(\"nop\"); return 0; }"),
        [(Code::NotModelled, Some("assembly".to_string()))]
    );
    assert_eq!(
        of("int main(void) { return fopen(\"a\", \"r\") != 0; }")[0],
        (Code::NotModelled, Some("`fopen`".to_string()))
    );
    assert_eq!(
        codes("void main() { int x; x = *x; }", Dialect::Cimple),
        [(Code::Memory, Some("pointers".to_string()))]
    );
    assert_eq!(of("def main():\n    print(1)\n")[0].0, Code::OtherLanguage);
}
