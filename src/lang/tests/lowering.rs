//! One test per feature: a source, and its edges (`from->to [check] effect ; kind outcome line
//! `text``). A person compared them with the rules of the language.

use super::dump::{dump, program};

fn check(source: &str, expected: &[&str]) {
    assert_eq!(dump(&program(source)), expected, "{source}");
}

#[test]
fn calls_are_taken_out_left_to_right() {
    check(
        "int f(int p) { return p; } void main() { int x, y; x = y + f(x) * f(y); }",
        &[
            "0->1 result := p ; Return 1 `return p`",
            "2->4 $ := f(x) ; Call 1 `f(x)`",
            "4->5 $ := f(y) ; Call 1 `f(y)`",
            "5->3 x := (y + ($ * $)) ; Assignment 1 `x = y + f(x) * f(y)`",
        ],
    );
}

#[test]
fn globals_are_read_before_a_call_to_their_right() {
    check(
        "int g; int f() { return g; } void main() { g = g + f(); g += f(); }",
        &[
            "0->1 result := g ; Return 1 `return g`",
            "2->4 $ := g ; Hidden 1 `g + f()`",
            "4->5 $ := f() ; Call 1 `f()`",
            "5->6 g := ($ + $) ; Assignment 1 `g = g + f()`",
            "6->7 $ := g ; Hidden 1 `g`",
            "7->8 $ := f() ; Call 1 `f()`",
            "8->3 g := ($ + $) ; Assignment 1 `g += f()`",
        ],
    );
}

#[test]
fn calls_behind_short_circuits_become_branches() {
    check(
        "int f() { return 1; } void main() { int x; if (x && f()) x = 1; while (!f() || x) x++; }",
        &[
            "0->1 result := 1 ; Return 1 `return 1`",
            "2->4 assume x:bool ; Hidden 1 `if (x && f())`",
            "2->7 assume !x:bool ; Condition false 1 `if (x && f())`",
            "4->5 $ := f() ; Call 1 `f()`",
            "5->6 assume $:bool ; Condition true 1 `if (x && f())`",
            "5->7 assume !$:bool ; Condition false 1 `if (x && f())`",
            "6->7 x := 1 ; Assignment 1 `x = 1`",
            "7->8 $ := f() ; Call 1 `f()`",
            "8->9 assume $:bool ; Hidden 1 `while (!f() || x)`",
            "8->10 assume !$:bool ; Condition true 1 `while (!f() || x)`",
            "9->10 assume x:bool ; Condition true 1 `while (!f() || x)`",
            "9->3 assume !x:bool ; Condition false 1 `while (!f() || x)`",
            "10->7 x := (x + 1) ; Assignment 1 `x++`",
        ],
    );
    check(
        "int f() { return 1; } void main() { bool b = f() && f(); int y = b ? f() : 2; f(); return; }",
        &[
            "0->1 result := 1 ; Return 1 `return 1`",
            "2->4 $ := f() ; Call 1 `f()`",
            "4->5 assume $:bool ; Hidden 1 `f() && f()`",
            "4->6 assume !$:bool ; Hidden 1 `f() && f()`",
            "5->7 $ := f() ; Call 1 `f()`",
            "7->8 assume $:bool ; Hidden 1 `f() && f()`",
            "7->6 assume !$:bool ; Hidden 1 `f() && f()`",
            "8->9 $ := true ; Hidden 1 `f() && f()`",
            "6->9 $ := false ; Hidden 1 `f() && f()`",
            "9->10 b := $ ; Assignment 1 `bool b = f() && f()`",
            "10->11 assume b ; Hidden 1 `b`",
            "10->12 assume !b ; Hidden 1 `b`",
            "11->13 $ := f() ; Call 1 `f()`",
            "13->14 $ := $ ; Hidden 1 `f()`",
            "12->14 $ := 2 ; Hidden 1 `2`",
            "14->15 y := $ ; Assignment 1 `int y = b ? f() : 2`",
            "15->16 f() ; Call 1 `f()`",
            "16->3 skip ; Return 1 `return`",
        ],
    );
}

#[test]
fn arguments_keep_their_choices() {
    check(
        "int g() { return 1; } int h(int a, int b, int c) { return a; } void main() { int x; x = h(x + nondet(), x - nondet(), g()); }",
        &[
            "0->1 result := 1 ; Return 1 `return 1`",
            "2->3 result := a ; Return 1 `return a`",
            "4->6 $ := (x + ?0:i4), $ := (x - ?1:i4) ; Hidden 1 `g()`",
            "6->7 $ := g() ; Call 1 `g()`",
            "7->5 x := h($, $, $) ; Call 1 `x = h(x + nondet(), x - nondet(), g())`",
        ],
    );
}

#[test]
fn a_returned_call_goes_through_a_temporary() {
    check(
        "int f() { return 1; } int main() { return f(); }",
        &[
            "0->1 result := 1 ; Return 1 `return 1`",
            "2->4 $ := f() ; Call 1 `f()`",
            "4->3 result := $ ; Return 1 `return f()`",
        ],
    );
    check(
        "bool f() { return true; } int main() { return f(); }",
        &[
            "0->1 result := true ; Return 1 `return true`",
            "2->4 $ := f() ; Call 1 `f()`",
            "4->3 result := $:i4 ; Return 1 `return f()`",
        ],
    );
}

#[test]
fn bounds_are_checked_only_where_evaluated() {
    check(
        "int a[4]; void main() { int i; if (i < 4 && a[i] > 0) a[i] = 1; assert(a[i] == 1); a[2] = 0; }",
        &[
            "0->2 [bounds (!(i < 4) | ((0 <= i) & (i < 4)))] skip ; Hidden 1 `if (i < 4 && a[i] > 0)`",
            "2->3 assume ((i < 4) & (0 < a[i])) ; Condition true 1 `if (i < 4 && a[i] > 0)`",
            "2->4 assume !((i < 4) & (0 < a[i])) ; Condition false 1 `if (i < 4 && a[i] > 0)`",
            "3->4 [bounds ((0 <= i) & (i < 4))] a[i] := 1 ; Assignment 1 `a[i] = 1`",
            "4->5 [bounds ((0 <= i) & (i < 4))] [assertion (a[i] == 1)] skip ; Assertion 1 `assert(a[i] == 1)`",
            "5->1 a[2] := 0 ; Assignment 1 `a[2] = 0`",
        ],
    );
    check(
        "int a[4]; void main() { int i; i = i < 0 ? 0 : a[i]; }",
        &[
            "0->1 [bounds ((i < 0) | ((0 <= i) & (i < 4)))] i := ((i < 0) ? 0 : a[i]) ; Assignment 1 `i = i < 0 ? 0 : a[i]`",
        ],
    );
}

#[test]
fn unchecked_operations_give_any_value() {
    check(
        "//! check = none\nint a[4], m[2][3]; void main() { int i; i = a[i]; a[i] = 3; m[i][2] = i / i; i = m[1][i]; i = i << i; i = i >> 4; i = i << 3; }",
        &[
            "0->2 i := (((0 <= i) & (i < 4)) ? a[i] : ?0:i4) ; Assignment 2 `i = a[i]`",
            "2->3 a[i] := 3 ; Assignment 2 `a[i] = 3`",
            "3->4 m[(((0 <= i) & (i < 2)) ? ((i:u3 * 3) + 2) : 6)] := ((i != 0) ? (i / i) : ?0:i4) ; Assignment 2 `m[i][2] = i / i`",
            "4->5 i := (((0 <= i) & (i < 3)) ? m[(3 + i:u3)] : ?0:i4) ; Assignment 2 `i = m[1][i]`",
            "5->6 i := (((0 <= i) & (i < 4)) ? (i << i) : ?0:i4) ; Assignment 2 `i = i << i`",
            "6->7 i := (false ? (i >> 4) : ?0:i4) ; Assignment 2 `i = i >> 4`",
            "7->1 i := (i << 3) ; Assignment 2 `i = i << 3`",
        ],
    );
}

#[test]
fn overflow() {
    check(
        "//! check = overflow,division\nvoid main() { int x; unsigned u; x = x + 1; x = x * x; x = -x; x = x / x; u = u + 1; x++; }",
        &[
            "0->2 [overflow ((x + 1):i5 == (x:i5 + 1))] x := (x + 1) ; Assignment 2 `x = x + 1`",
            "2->3 [overflow ((x * x):i8 == (x:i8 * x:i8))] x := (x * x) ; Assignment 2 `x = x * x`",
            "3->4 [overflow (x != -8)] x := -x ; Assignment 2 `x = -x`",
            "4->5 [division (x != 0)] [overflow !((x == -8) & (x == -1))] x := (x / x) ; Assignment 2 `x = x / x`",
            "5->6 u := (u + 1) ; Assignment 2 `u = u + 1`",
            "6->1 [overflow ((x + 1):i5 == (x:i5 + 1))] x := (x + 1) ; Assignment 2 `x++`",
        ],
    );
    check(
        "//! check = overflow\n//! bits = 32\nvoid main() { long x; x = x + x; x = x - x; x = x * x; }",
        &[
            "0->2 [overflow (0 <= ((x ^ (x + x)) & (x ^ (x + x))))] x := (x + x) ; Assignment 3 `x = x + x`",
            "2->3 [overflow (0 <= ((x ^ x) & (x ^ (x - x))))] x := (x - x) ; Assignment 3 `x = x - x`",
            "3->1 [overflow ((x == 0) | ((((x * x) / x) == x) & !((x == -1) & (x == -9223372036854775808))))] x := (x * x) ; Assignment 3 `x = x * x`",
        ],
    );
}

#[test]
fn division() {
    check(
        "void main() { int x = 7 / 2, y; y = x / 2; y = x % y; y = 1 / 0; }",
        &[
            "0->2 x := 3 ; Assignment 1 `int x = 7 / 2`",
            "2->3 y := (x / 2) ; Assignment 1 `y = x / 2`",
            "3->4 [division (y != 0)] y := (x % y) ; Assignment 1 `y = x % y`",
            "4->1 [division false] y := (1 / 0) ; Assignment 1 `y = 1 / 0`",
        ],
    );
}

#[test]
fn shifts() {
    check(
        "//! check = shift\nvoid main() { int x; unsigned u; x = x << u; x = x >> x; x = x << 4; x = 1 << x; }",
        &[
            "0->2 [shift (u < 4)] x := (x << u) ; Assignment 2 `x = x << u`",
            "2->3 [shift ((0 <= x) & (x < 4))] x := (x >> x) ; Assignment 2 `x = x >> x`",
            "3->4 [shift false] x := (x << 4) ; Assignment 2 `x = x << 4`",
            "4->1 [shift ((0 <= x) & (x < 4))] x := (1 << x) ; Assignment 2 `x = 1 << x`",
        ],
    );
}

#[test]
fn conversions() {
    check(
        "void main() { unsigned u; char c; bool b; long l; uint8_t w; int x; x = u + c; l = x + l; b = x; b = b + b; w = 200; u = -1; u = 15; l = 100; x = c == b; if (x) skip; x = (char) 300; b = u < x; }",
        &[
            "0->2 x := (u + c:u4):i4 ; Assignment 1 `x = u + c`",
            "2->3 l := (x:i8 + l) ; Assignment 1 `l = x + l`",
            "3->4 b := x:bool ; Assignment 1 `b = x`",
            "4->5 b := (b:i4 + b:i4):bool ; Assignment 1 `b = b + b`",
            "5->6 w := 200 ; Assignment 1 `w = 200`",
            "6->7 u := 15 ; Assignment 1 `u = -1`",
            "7->8 u := 15 ; Assignment 1 `u = 15`",
            "8->9 l := 100 ; Assignment 1 `l = 100`",
            "9->10 x := (c == b:i4):i4 ; Assignment 1 `x = c == b`",
            "10->11 assume x:bool ; Condition true 1 `if (x)`",
            "10->12 assume !x:bool ; Condition false 1 `if (x)`",
            "11->12 skip ; Skip 1 `skip`",
            "12->13 x := -4 ; Assignment 1 `x = (char) 300`",
            "13->1 b := (u < x:u4) ; Assignment 1 `b = u < x`",
        ],
    );
}

#[test]
fn bits_make_promotions() {
    check(
        "//! bits = 16\nvoid main() { char c; unsigned char d; short s; c = c + d; s = d * s; c = 'a'; }",
        &[
            "0->2 c := (c:i16 + d:i16):i8 ; Assignment 2 `c = c + d`",
            "2->3 s := (d:i16 * s) ; Assignment 2 `s = d * s`",
            "3->1 c := 97 ; Assignment 2 `c = 'a'`",
        ],
    );
    check(
        "//! bits = 1\nvoid main() { int x; bool b; x = -1; x = b + b; }",
        &[
            "0->2 x := -1 ; Assignment 2 `x = -1`",
            "2->1 x := (b:u1 + b:u1):i1 ; Assignment 2 `x = b + b`",
        ],
    );
}

#[test]
fn effects_inside_expressions() {
    check(
        "void main() { int x, y; x = y = 3; x = y++ + --y; x = 1, y = 2; }",
        &[
            "0->2 y := 3 ; Assignment 1 `y = 3`",
            "2->3 x := y ; Assignment 1 `x = y = 3`",
            "3->4 $ := y ; Hidden 1 `y`",
            "4->5 y := ($ + 1) ; Assignment 1 `y++`",
            "5->6 y := (y - 1) ; Assignment 1 `--y`",
            "6->7 x := ($ + y) ; Assignment 1 `x = y++ + --y`",
            "7->8 x := 1 ; Assignment 1 `x = 1`",
            "8->1 y := 2 ; Assignment 1 `y = 2`",
        ],
    );
    check(
        "int a[4]; void main() { int i; a[i++] = i; a[i] += 2; }",
        &[
            "0->2 $ := i ; Hidden 1 `i`",
            "2->3 i := ($ + 1) ; Assignment 1 `i++`",
            "3->4 [bounds ((0 <= $) & ($ < 4))] a[$] := i ; Assignment 1 `a[i++] = i`",
            "4->1 [bounds ((0 <= i) & (i < 4))] a[i] := (a[i] + 2) ; Assignment 1 `a[i] += 2`",
        ],
    );
}

#[test]
fn loops() {
    check(
        "void main() { int x; for (int i = 0, j; i < 3; i++) { int k; if (x) continue; if (!x) break; } do x--; while (x > 0); while (true) { skip; } }",
        &[
            "0->2 i := 0 ; Assignment 1 `int i = 0`",
            "2->3 assume (i < 3) ; Condition true 1 `i < 3`",
            "2->4 assume !(i < 3) ; Condition false 1 `i < 3`",
            "3->5 havoc k ; Hidden 1 `int k`",
            "5->6 assume x:bool ; Condition true 1 `if (x)`",
            "5->7 assume !x:bool ; Condition false 1 `if (x)`",
            "6->9 skip ; Jump 1 `continue`",
            "7->8 assume !x:bool ; Condition true 1 `if (!x)`",
            "7->9 assume x:bool ; Condition false 1 `if (!x)`",
            "8->4 skip ; Jump 1 `break`",
            "9->2 i := (i + 1) ; Assignment 1 `i++`",
            "4->10 x := (x - 1) ; Assignment 1 `x--`",
            "10->4 assume (0 < x) ; Condition true 1 `while (x > 0)`",
            "10->11 assume !(0 < x) ; Condition false 1 `while (x > 0)`",
            "11->12 assume true ; Condition true 1 `while (true)`",
            "12->11 skip ; Skip 1 `skip`",
        ],
    );
    check(
        "void main() { while (1) ; }",
        &["0->2 skip ; Hidden 1 `while (1)`", "2->2 assume true ; Condition true 1 `while (1)`"],
    );
    check(
        "void main() { int x; for (;;) { if (x) break; } do { continue; } while (0); }",
        &[
            "0->2 skip ; Hidden 1 `for (;;)`",
            "2->3 assume x:bool ; Condition true 1 `if (x)`",
            "2->2 assume !x:bool ; Condition false 1 `if (x)`",
            "3->4 skip ; Jump 1 `break`",
            "4->5 skip ; Jump 1 `continue`",
            "5->1 assume true ; Condition false 1 `while (0)`",
        ],
    );
}

#[test]
fn switches() {
    check(
        "void main() { int x; switch (x) { case 1: x = 2; case 2: break; default: x = 3; } switch (x) { case 1: ; } }",
        &[
            "0->2 assume (x == 1) ; Condition case 1 1 `switch (x)`",
            "0->3 assume (x == 2) ; Condition case 2 1 `switch (x)`",
            "0->4 assume (!(x == 1) & !(x == 2)) ; Condition default 1 `switch (x)`",
            "2->3 x := 2 ; Assignment 1 `x = 2`",
            "3->5 skip ; Jump 1 `break`",
            "4->5 x := 3 ; Assignment 1 `x = 3`",
            "5->1 assume (x == 1) ; Condition case 1 1 `switch (x)`",
            "5->1 assume !(x == 1) ; Condition default 1 `switch (x)`",
        ],
    );
}

#[test]
fn jumps_and_declarations_that_come_again() {
    check(
        "void main() { int x; int y = x; again: if (y) { int z; goto again; } }",
        &[
            "0->2 havoc x ; Hidden 1 `int x`",
            "2->3 y := x ; Assignment 1 `int y = x`",
            "3->4 assume y:bool ; Condition true 1 `if (y)`",
            "3->1 assume !y:bool ; Condition false 1 `if (y)`",
            "4->5 havoc z ; Hidden 1 `int z`",
            "5->3 skip ; Jump 1 `goto again`",
        ],
    );
}

#[test]
fn choices() {
    check(
        "void main() { bool b; int x = *; x = ? ; x = x + nondet(); b = nondet(); if (x > nondet()) skip; if (nondet() || b) skip; x = b ? nondet() : 1; }",
        &[
            "0->2 x := ?0:i4 ; Assignment 1 `int x = *`",
            "2->3 x := ?0:i4 ; Assignment 1 `x = ?`",
            "3->4 x := (x + ?0:i4) ; Assignment 1 `x = x + nondet()`",
            "4->5 b := ?0:bool ; Assignment 1 `b = nondet()`",
            "5->6 assume (?0:i4 < x) ; Condition true 1 `if (x > nondet())`",
            "5->7 assume !(?0:i4 < x) ; Condition false 1 `if (x > nondet())`",
            "6->7 skip ; Skip 1 `skip`",
            "7->8 assume (?0:bool | b) ; Condition true 1 `if (nondet() || b)`",
            "7->9 assume !(?0:bool | b) ; Condition false 1 `if (nondet() || b)`",
            "8->9 skip ; Skip 1 `skip`",
            "9->1 x := (b ? ?0:i4 : 1) ; Assignment 1 `x = b ? nondet() : 1`",
        ],
    );
    check(
        "int a[3]; void main() { if (a[nondet()] > 0) skip; switch (a[*]) { case 1: skip; } }",
        &[
            "0->2 [bounds ((0 <= ?0:i4) & (?0:i4 < 3))] $ := (0 < a[?0:i4]) ; Hidden 1 `if (a[nondet()] > 0)`",
            "2->3 assume $ ; Condition true 1 `if (a[nondet()] > 0)`",
            "2->4 assume !$ ; Condition false 1 `if (a[nondet()] > 0)`",
            "3->4 skip ; Skip 1 `skip`",
            "4->5 [bounds ((0 <= ?0:i4) & (?0:i4 < 3))] $ := a[?0:i4] ; Hidden 1 `switch (a[*])`",
            "5->6 assume ($ == 1) ; Condition case 1 1 `switch (a[*])`",
            "5->1 assume !($ == 1) ; Condition default 1 `switch (a[*])`",
            "6->1 skip ; Skip 1 `skip`",
        ],
    );
    check(
        "int f(int p); void main() { char c = f(1); f(2); if (f(3)) skip; }",
        &[
            "0->2 c := ?0:i4 ; Assignment 1 `char c = f(1)`",
            "2->3 skip ; Call 1 `f(2)`",
            "3->4 assume ?0:i4:bool ; Condition true 1 `if (f(3))`",
            "3->1 assume !?0:i4:bool ; Condition false 1 `if (f(3))`",
            "4->1 skip ; Skip 1 `skip`",
        ],
    );
}

#[test]
fn initial_values() {
    check(
        "enum E { A, B = 5, C }; enum E e = C; const int N = 3; int a[N] = {1, N}; int m[2][2] = {{1}, {2, 3}}; static int s; void main() { int b[] = {1, 2, 3}; static int t = 2; e = B; t++; }",
        &[
            "0->2 b[0] := 1, b[1] := 2, b[2] := 3 ; Assignment 1 `int b[] = {1, 2, 3}`",
            "2->3 e := 5 ; Assignment 1 `e = B`",
            "3->1 t := (t + 1) ; Assignment 1 `t++`",
        ],
    );
}

#[test]
fn names_of_verification_tasks() {
    check(
        "void reach_error() { assert(0); } void main() { int x; reach_error(); __VERIFIER_assert(x); __VERIFIER_assume(x > 1); x = __VERIFIER_nondet_int(); exit(1); abort(); //@ assert x == 1;\n }",
        &[
            "0->2 [reach-error false] skip ; Assertion 1 `reach_error()`",
            "2->3 [assertion x:bool] skip ; Assertion 1 `__VERIFIER_assert(x)`",
            "3->4 assume (1 < x) ; Assumption 1 `__VERIFIER_assume(x > 1)`",
            "4->5 x := ?0:i4 ; Assignment 1 `x = __VERIFIER_nondet_int()`",
            "5->6 assume false ; Assumption 1 `exit(1)`",
            "6->7 assume false ; Assumption 1 `abort()`",
            "7->1 [assertion (x == 1)] skip ; Assertion 1 `assert x == 1`",
        ],
    );
}

#[test]
fn an_assignment_named_as_the_error() {
    check(
        "//! error = (x == 3)\nint x; void main() { int y; y = 3; x = y; x++; }",
        &[
            "0->2 y := 3 ; Assignment 2 `y = 3`",
            "2->4 x := y ; Assignment 2 `x = y`",
            "4->3 [assignment !(x == 3)] skip ; Hidden 2 `x = y`",
            "3->5 x := (x + 1) ; Assignment 2 `x++`",
            "5->1 [assignment !(x == 3)] skip ; Hidden 2 `x++`",
        ],
    );
}

#[test]
fn statements_after_a_jump_are_kept() {
    check(
        "int main() { int x; x = 1; return x; x = 2; }",
        &[
            "0->2 x := 1 ; Assignment 1 `x = 1`",
            "2->1 result := x ; Return 1 `return x`",
            "3->1 x := 2 ; Assignment 1 `x = 2`",
        ],
    );
}

#[test]
fn error_labels() {
    check(
        "void main() { ERROR: ; skip; }",
        &["1->2 [error-label false] skip ; Assertion 1 `ERROR:`", "2->0 skip ; Skip 1 `skip`"],
    );
}

#[test]
fn an_empty_body_has_an_edge() {
    check("void main() { }", &["0->1 skip ; Hidden 1 `}`"]);
}
