//! Boolean programs: the edges of their statements, and the diagnostics of wrong programs.

use super::dump::{dump, messages_in, program_in, show};
use crate::lang::model::Operation;
use crate::lang::{load, parse_condition};
use crate::wire::options::{Dialect, RequestedOptions};

fn lowered(source: &str) -> Vec<String> {
    dump(&program_in(source, Dialect::BooleanProgram))
}

fn check(source: &str, expected: &[&str]) {
    assert_eq!(messages_in(source, Dialect::BooleanProgram), expected, "{source}");
}

#[test]
fn a_constraint_speaks_of_both_moments() {
    assert_eq!(
        lowered("decl a, b;\nvoid main() begin\n  a, b := *, a constrain a = 'b & b';\nend"),
        [
            "0->2 $ := a ; Hidden 3 `a, b := *, a constrain a = 'b & b'`",
            "2->3 a := ?0:bool, b := a ; Assignment 3 `a, b := *, a constrain a = 'b & b'`",
            "3->1 assume (($ == b) & b) ; Hidden 3 `a, b := *, a constrain a = 'b & b'`",
        ]
    );
}

#[test]
fn a_right_side_may_be_a_value_afterwards() {
    assert_eq!(
        lowered("decl a, b;\nvoid main() begin\n  a, b := !'b, *;\nend"),
        [
            "0->2 a := ?0:bool, b := ?1:bool ; Assignment 3 `a, b := !'b, *`",
            "2->1 assume (a == !b) ; Hidden 3 `a, b := !'b, *`",
        ]
    );
}

#[test]
fn schoose() {
    assert_eq!(
        lowered(
            "decl a, b;\nvoid main() begin\n  a := schoose [a, b];\n  b := schoose [F, T];\nend"
        ),
        [
            "0->2 a := (a | (!b & ?0:bool)) ; Assignment 3 `a := schoose [a, b]`",
            "2->1 b := false ; Assignment 4 `b := schoose [F, T]`",
        ]
    );
}

#[test]
fn several_results_are_packed() {
    assert_eq!(
        lowered(
            "decl g;\nbool<2> f(x) begin\n  return x, !x;\nend\nvoid main() begin\n  decl l;\n  l, g := f(T);\n  _, l := f(l);\nend"
        ),
        [
            "0->1 result := ((x ? 1 : 0) | (!x ? 2 : 0)) ; Return 3 `return x, !x`",
            "2->4 $ := f(true) ; Call 7 `l, g := f(T)`",
            "4->5 l := ($ & 1):bool, g := ($ & 2):bool ; Hidden 7 `l, g := f(T)`",
            "5->6 $ := f(l) ; Call 8 `_, l := f(l)`",
            "6->3 l := ($ & 2):bool ; Hidden 8 `_, l := f(l)`",
        ]
    );
}

#[test]
fn what_is_enforced_is_assumed_after_what_writes() {
    assert_eq!(
        lowered("decl a;\nvoid main() begin\n  enforce a;\n  skip;\n  a := *;\nend"),
        [
            "0->2 assume a ; Hidden 3 `a`",
            "2->3 skip ; Skip 4 `skip`",
            "3->4 a := ?0:bool ; Assignment 5 `a := *`",
            "4->1 assume a ; Hidden 5 `a := *`",
        ]
    );
}

#[test]
fn threads_and_labels() {
    let source = "decl g;\nvoid t() begin\n  atomic_begin;\n  g := T;\n  atomic_end;\nend\nvoid main() begin\n  ASYNC_1: t();\n  start_thread t();\n  ASYNC_2: ASYNC_3: skip;\n  goto a, b;\n  a: b: skip;\nend";
    let program = program_in(source, Dialect::BooleanProgram);
    assert_eq!(program.concurrency.starts.len(), 2, "a label makes a thread only of a call");
    assert!(
        program.concurrency.atomic.is_some()
            && program
                .scopes
                .iter()
                .all(|s| !s.variables.contains(&program.concurrency.atomic.unwrap()))
    );
    let gotos = program
        .edges
        .iter()
        .filter(|e| e.text.starts_with("goto"))
        .map(|e| e.text.as_str())
        .collect::<Vec<_>>();
    assert_eq!(gotos, ["goto a", "goto b"]);
}

#[test]
fn a_label_that_the_user_names_is_an_error() {
    let source = "void main() begin\n  bad: skip;\nend";
    let requested = RequestedOptions {
        dialect: Some(Dialect::BooleanProgram),
        label: Some("bad".to_string()),
        ..RequestedOptions::default()
    };
    let program = load(source, &requested).program.expect("it loads");
    assert!(
        program
            .edges
            .iter()
            .any(|edge| edge.checks.iter().any(|c| c.message == "bad:" && c.line == 2))
    );
    assert!(
        program_in(source, Dialect::BooleanProgram).edges.iter().all(|edge| edge.checks.is_empty())
    );
}

#[test]
fn names_in_braces_in_conditions() {
    let program = program_in(
        "decl {x==0}, {x==0 }, y;\nvoid main() begin\n  skip;\nend",
        Dialect::BooleanProgram,
    );
    let scope = program.edges[0].scope;
    let condition =
        parse_condition(&program, scope, "{x==0} && !y || {x==0 } == T").expect("it is one");
    assert_eq!(show(&program, &condition), "(({x==0} & !y) | ({x==0 } == true))");
    let wrong = parse_condition(&program, scope, "{x==0} && z").expect_err("no z");
    assert_eq!((wrong.span.start, wrong.message.as_str()), (10, "unknown name `z`"));
}

#[test]
fn wrong_programs() {
    check(
        "decl a, a;\nvoid f(x) begin\n  y := x;\n  x, x := T;\n  a, a := T, F;\n  g();\n  f();\n  x := f(x);\n  return x;\n  goto nowhere;\nend",
        &[
            "1: `a` is already declared in line 1 | rename one of them",
            "3: unknown name `y` | declare it: `decl y;`",
            "4: 2 variables for 1 values | write as many values as variables; `_` drops one",
            "5: `a` is assigned twice at once | assign it once",
            "6: unknown procedure `g` | define it: `void g() begin … end`",
            "7: `f` takes 1 arguments, not 0 | it is defined in line 2",
            "8: `f` returns 0 values, not 1 | write as many variables as values; `_` drops one",
            "9: the procedure returns 0 values, not 1 | make its head and its `return` agree",
            "10: unknown label `nowhere` | write `nowhere:` before a statement",
        ],
    );
    check(
        "decl a;\nvoid main() begin\n  assert('a);\n  l: skip; l: skip;\nend",
        &[
            "3: `'a` is a value after an assignment | it can be written to the right of `:=` only",
            "4: label `l` is already in line 4 | rename one of them",
        ],
    );
    check("decl a;", &["1: no procedure to start | write `void main() begin … end`"]);
    check(
        "//! error = (a == 1)\nvoid main() begin skip; end",
        &[
            "1: the directive `error` is understood in Cimple and C only | use an assertion, or name a label by `--label`",
        ],
    );
}

#[test]
fn several_syntax_errors_at_once() {
    check(
        "decl a;\nvoid main() begin\n  a := ;\n  if a then\n    a = T;\n  fi;\n  a := T\n  skip;\n  a := 2;\n  enforce a;\nend\nvoid g() begin\n  while a do skip;\nend",
        &[
            "3: expected an expression, found `;` | ",
            "5: expected `:=`, found `=` | ",
            "7: expected `;` after `T` | add `;`",
            "9: `2` is not a truth value | numbers here are 0 and 1",
            "10: `enforce` after a statement | write it at the start of the procedure",
            "14: expected `od`, found `end` | add `od`: it closes line 13",
        ],
    );
    check(
        "void main() begin\n  skip;\nvoid g() begin skip; end",
        &["1: the procedure `main` of line 1 is never closed | add `end`"],
    );
}

#[test]
fn refused_by_name() {
    check(
        "decl a;\nbool f(x) begin return x; end\nvoid main() begin\n  a := a & f(a);\n  a := f(a) constrain 'a;\n  start_thread f(a);\nend",
        &[
            "4: a call inside an expression is not modelled: line 4 | call it before: `t := f(x);`",
            "5: `constrain` behind a call is not modelled: line 5 | assume the condition in the next statement",
            "6: a thread with parameters or results is not modelled: line 6 | pass values through globals",
        ],
    );
}

#[test]
fn the_end_of_a_thread_ends_its_run() {
    let program = program_in("void main() begin end_thread; end", Dialect::BooleanProgram);
    assert!(matches!(program.edges[0].operation, Operation::Assume(_)));
}
