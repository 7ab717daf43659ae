//! Remopla: the edges of its statements, and the diagnostics of wrong models.

use super::dump::{dump, messages_in, program_in, show};
use crate::lang::{load, parse_condition};
use crate::wire::options::{Checks, Dialect, RequestedOptions};

fn lowered(source: &str) -> Vec<String> {
    dump(&program_in(source, Dialect::Remopla))
}

fn check(source: &str, expected: &[&str]) {
    assert_eq!(messages_in(source, Dialect::Remopla), expected, "{source}");
}

#[test]
fn options_are_open_where_their_guards_hold() {
    assert_eq!(
        lowered(
            "int x(2);\nmodule void main() {\n  do\n    :: x > 1 -> x = x - 1;\n    :: x == 1 -> break;\n    :: else -> skip;\n  od\n}"
        ),
        [
            "0->2 skip ; Hidden 3 `do`",
            "2->3 assume (1 < x) ; Condition true 4 `x > 1`",
            "3->2 x := (x:u4 - 1):u2 ; Assignment 4 `x = x - 1`",
            "2->4 assume (x == 1) ; Condition true 5 `x == 1`",
            "4->1 skip ; Jump 5 `break`",
            "2->5 assume !((1 < x) | (x == 1)) ; Condition 6 `else`",
            "5->2 skip ; Skip 6 `skip`",
        ]
        .map(|s| s.to_string())
    );
}

#[test]
fn arithmetic_is_as_wide_as_its_operands_and_the_default() {
    let source = "define DEFAULT_INT_BITS 3\nint a(2), b(5); sgnint s(4); bool t;\nmodule void main() {\n  a = a + 1;\n  a = b * a;\n  t = s < b;\n  s = -s;\n}";
    assert_eq!(
        lowered(source),
        [
            "0->2 a := (a:u3 + 1):u2 ; Assignment 4 `a = a + 1`",
            "2->3 a := (b * a:u5):u2 ; Assignment 5 `a = b * a`",
            "3->4 t := (s:i6 < b:i6) ; Assignment 6 `t = s < b`",
            "4->1 s := -s ; Assignment 7 `s = -s`",
        ]
    );
    let requested = RequestedOptions {
        dialect: Some(Dialect::Remopla),
        bits: Some(7),
        ..RequestedOptions::default()
    };
    assert_eq!(
        load(source, &requested).options.bits,
        7,
        "what the user asks for beats the program"
    );
    assert_eq!(load(source, &RequestedOptions { bits: None, ..requested }).options.bits, 3);
}

#[test]
fn ranges_and_quantifiers_are_written_out() {
    assert_eq!(
        lowered(
            "int a[1,2](2); bool ok;\nmodule void main() {\n  A i (1,2) a[i] = i, ok = E j (1,2) a[j] == 3;\n}"
        ),
        [
            "0->1 a[0] := 1, a[1] := 2, ok := ((a[0] == 3) | (a[1] == 3)) ; Assignment 3 `A i (1,2) a[i] = i, ok = E j (1,2) a[j] == 3`"
        ]
    );
}

#[test]
fn structs_are_flattened_and_indices_checked() {
    let source = "struct p { int x(2); bool b[2]; };\nstruct p ps[3]; int i;\nmodule void main() {\n  ps[i].b[1] = ps[2].x == i;\n}";
    assert_eq!(
        lowered(source),
        [
            "0->1 [bounds (i < 3)] ps.b[((i:u3 * 2) + 1)] := (ps.x[2]:u4 == i) ; Assignment 4 `ps[i].b[1] = ps[2].x == i`"
        ]
    );
    let checks = Some(Checks::NONE);
    let requested =
        RequestedOptions { dialect: Some(Dialect::Remopla), checks, ..RequestedOptions::default() };
    let program = load(source, &requested).program.expect("it loads");
    assert_eq!(
        dump(&program),
        [
            "0->1 ps.b[((i < 3) ? ((i:u3 * 2) + 1) : 6)] := (ps.x[2]:u4 == i) ; Assignment 4 `ps[i].b[1] = ps[2].x == i`"
        ]
    );
    let condition = parse_condition(&program, program.edges[0].scope, "ps.x[1] == 3 && i > 0")
        .expect("it is one");
    assert_eq!(show(&program, &condition), "((ps.x[1]:i4 == 3) & (0 < i))");
}

#[test]
fn checks_hold_where_the_operand_is_evaluated() {
    assert_eq!(
        lowered(
            "int a[3](2); int i(2);\nmodule void main() {\n  if :: i < 3 && a[i] / i == 1 -> skip; fi\n}"
        ),
        [
            "0->2 [bounds (!(i < 3) | (i < 3))] [division (!(i < 3) | (i:u4 != 0))] skip ; Hidden 3 `if`",
            "2->3 assume ((i < 3) & ((a[i]:u4 / i:u4) == 1)) ; Condition true 3 `i < 3 && a[i] / i == 1`",
            "3->1 skip ; Skip 3 `skip`",
        ]
    );
}

#[test]
fn relations_between_values_before_and_after() {
    assert_eq!(
        lowered(
            "int x(2), y(2);\nmodule void main() {\n  skip (x' > x && y' == y);\n  x = y', y = 1;\n}"
        ),
        [
            "0->2 $ := y, $ := x ; Hidden 3 `skip (x' > x && y' == y)`",
            "2->3 havoc x, y ; Assumption 3 `skip (x' > x && y' == y)`",
            "3->4 assume (($ < x) & (y == $)) ; Hidden 3 `skip (x' > x && y' == y)`",
            "4->5 x := ?0:u2, y := 1 ; Assignment 4 `x = y', y = 1`",
            "5->1 assume (x == y) ; Hidden 4 `x = y', y = 1`",
        ]
    );
}

#[test]
fn enumerations_have_their_members_only() {
    assert_eq!(
        lowered(
            "enum e { a, b, c };\nenum e x;\nmodule void main() {\n  enum e y;\n  x = undef;\n}"
        ),
        [
            "0->2 assume (x < 3) ; Hidden 3 `module void main()`",
            "2->3 assume (y < 3) ; Hidden 3 `module void main()`",
            "3->1 x := ((?0:u2 < 3) ? ?0:u2 : 0) ; Assignment 5 `x = undef`",
        ]
    );
}

#[test]
fn rules_are_a_procedure() {
    let program =
        program_in("p <a> --> q <b c>\nq <b> --> p <>\np <c> --> p <a>\n", Dialect::Remopla);
    assert_eq!(
        program.procedures.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(),
        ["rules", "start"]
    );
    assert_eq!(program.main, 1);
    let calls = program
        .edges
        .iter()
        .filter(|e| matches!(e.operation, crate::lang::model::Operation::Call { .. }))
        .count();
    assert_eq!(calls, 2, "one push, and the start");
    assert_eq!(program.edges.last().map(|e| e.text.as_str()), Some("p <a> --> q <b c>"));
}

#[test]
fn wrong_programs() {
    check(
        "int x(2); bool b;\nmodule void f(int p) { skip; }\nmodule void main() {\n  y = 1;\n  x = 7;\n  x = b;\n  b = x;\n  x[1] = 0;\n  f();\n  g(1);\n  x = f(1);\n  break;\n  goto l;\n  x = 1, x = 2;\n  b = x && b;\n  x = 1 + undef;\n  return 1;\n  assert(x' == 1);\n}",
        &[
            "4: unknown name `y` | declare it",
            "5: 7 does not fit into 2 bits | 3 bits hold it",
            "6: an integer is needed here, not a truth value | branch on it",
            "7: a truth value is needed here, not an integer | compare it, as in `x != 0`",
            "8: `x` is not an array | leave the index out",
            "9: `f` takes 1 arguments, not 0 | it is defined in line 2",
            "10: unknown module `g` | write it: `module void g() { … }`",
            "11: `f` returns no value | leave the assignment out",
            "12: `break` outside a loop | ",
            "13: unknown label `l` | write `l:` before a statement",
            "14: `x` is assigned twice at once | assign it once",
            "15: a truth value is needed here, not an integer | compare it, as in `x != 0`",
            "16: `undef` inside an operator | store it first: `x = undef;`",
            "17: a `void` module returns no value | give it a type, or leave the value out",
            "18: a value afterwards (`x'`) has no meaning here | it can be written in `skip (…)`, in a rule, and to the right of `=`",
        ],
    );
    check("int x;", &["1: no module to start | write `module void main() { … }`"]);
    check(
        "module void main() {\n  skip;\n\nmodule void f() { skip; }",
        &["1: the `{` of line 1 is never closed | add `}`"],
    );
    check(
        "define N 0\nint a[N];\nmodule void main() { a[0] = 1; }",
        &["2: array `a` cannot have 0 elements | 1 to 4096 can be modelled"],
    );
}

#[test]
fn several_syntax_errors_at_once() {
    check(
        "int x;\nmodule void main() {\n  x = ;\n  if x == 1 -> skip; fi;\n  x == 2;\n  do :: x > 0 skip; od;\n}",
        &[
            "3: expected an expression, found `;` | ",
            "4: expected `::`, found `x` | options start with it: `:: x == 0 -> skip;`",
            "5: expected `=`, found `==` | ",
            "6: expected `->`, found `skip` | ",
        ],
    );
}

#[test]
fn refused_by_name() {
    check(
        "int x;\nmodule int f(int p) { return p; }\nmodule void main() {\n  pchoice\n  :: 0.5 -> x = 1;\n  :: 0.5 -> x = 2;\n  choicep;\n  x = f(1) + 1;\n  x = 1 + f(2);\n  fork f(1);\n}",
        &[
            "4: probabilistic choices (`pchoice`) are not modelled: line 4 | for a choice without probabilities write `if :: true -> …; :: true -> …; fi`",
            "8: expected `;`, found `+` | ",
            "9: a call inside an expression is not modelled: line 9 | call it before: `t = f(x);`",
        ],
    );
}
