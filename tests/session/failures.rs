//! For every kind of failure: the values in it, which the interpreter computes where a run fails.

use crate::support::load::{program_with, session_with};
use faultline::draw::failure::sentence;
use faultline::draw::words::error_place;
use faultline::lang::model::EdgeId;
use faultline::report::inspect::{inspect, prepare};
use faultline::report::{report, threads_report};
use faultline::session::{
    Budgets, Job, Session, SwitchBound, Task, ThreadsOptions, ThreadsSession,
};
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use faultline::wire::projection::Method;
use faultline::wire::report::{ErrorKind, ErrorReport, Verdict};

fn error(source: &str, dialect: Dialect) -> ErrorReport {
    let checks =
        Checks { bounds: true, division: true, overflow: true, shift: true, ..Checks::NONE };
    let requested = RequestedOptions {
        dialect: Some(dialect),
        bits: Some(8),
        checks: Some(checks),
        ..RequestedOptions::default()
    };
    let mut session: Session = session_with(source, &requested);
    session.start(Task::Check, Budgets::default());
    while !session.step() {}
    report(&session).error.unwrap_or_else(|| panic!("it fails: {source}"))
}

/// The values of the failure of `int main(void) { … }`, with these globals before it.
fn detail(globals: &str, body: &str) -> String {
    let source = format!("{globals}\nint main(void) {{\n{body}\nreturn 0;\n}}\n");
    let error = error(&source, Dialect::C);
    error.detail.unwrap_or_else(|| panic!("no values: {source}"))
}

#[test]
fn an_assertion_says_the_values_of_its_operands() {
    assert_eq!(detail("", "int x = 3; assert(x > 5);"), "x is 3");
    assert_eq!(
        detail("", "int x = 3; int y = 4; assert(x + y == 2 * y);"),
        "x + y is 7 (x is 3 and y is 4) and 2 * y is 8 (y is 4)"
    );
    assert_eq!(detail("", "int x = 3; int y = 0; assert(x > 0 && y > 0);"), "x is 3 and y is 0");
    assert_eq!(
        detail("int a[4];", "int i = 2; a[i] = 9; assert(a[i] == 1);"),
        "a[i] is 9 (i is 2)"
    );
    let call = "int f(int n) { return n + 1; }";
    assert_eq!(detail(call, "int x = 4; assert(f(x) == 4);"), "f(x) is 5");
}

#[test]
fn an_index_says_itself_and_the_size_of_the_array() {
    assert_eq!(
        detail("int a[5];", "int n = 5; for (int i = 0; i <= n; i++) a[i] = i;"),
        "the index i is 5, and the array a has 5 elements, 0 to 4"
    );
    assert_eq!(
        detail("int a[5];", "int i = -2; a[i + 1] = 7;"),
        "the index i + 1 is -1 (i is -2), and the array a has 5 elements, 0 to 4"
    );
    assert_eq!(
        detail("int a[1];", "a[2] = 7;"),
        "the index is 2, and the array a has 1 element, number 0"
    );
    assert_eq!(
        detail("int m[2][3];", "int i = 1; int j = 3; m[i][j] = 7;"),
        "the second index j is 3, and each row of m has 3 elements, 0 to 2"
    );
    assert_eq!(
        detail("int m[2][3];", "int i = 2; int j = 3; m[i][j] = 7;"),
        "the first index i is 2, and the array m has 2 rows, 0 to 1"
    );
}

#[test]
fn a_division_says_what_is_divided() {
    assert_eq!(
        detail("", "int n = 7; int d = 0; n = n / d;"),
        "d is 0, so n / d is 7 / 0, which has no value"
    );
    assert_eq!(
        detail("", "int n = 7; int d = 3; n = n % (d - 3);"),
        "d - 3 is 0 (d is 3), so n % (d - 3) is 7 % 0, which has no value"
    );
}

#[test]
fn an_overflow_says_the_exact_result_and_the_range() {
    let range = "but a signed integer of 8 bits holds only -128 to 127";
    assert_eq!(detail("", "int x = 127; x = x + 1;"), format!("x + 1 is 127 + 1 = 128, {range}"));
    assert_eq!(
        detail("", "int x = 100; int y = -100; x = x - y;"),
        format!("x - y is 100 - (-100) = 200, {range}")
    );
    assert_eq!(detail("", "int x = 60; x = x * x;"), format!("x * x is 60 * 60 = 3600, {range}"));
    assert_eq!(
        detail("", "int x = -127; x--; x = x / -1;"),
        format!("x / -1 is -128 / (-1) = 128, {range}")
    );
    assert_eq!(detail("", "int x = -127; x--; x = -x;"), format!("-x is -(-128) = 128, {range}"));
    assert_eq!(detail("", "int x = 64; x = x << 1;"), format!("x << 1 is 64 << 1 = 128, {range}"));
}

#[test]
fn a_shift_says_how_far() {
    assert_eq!(
        detail("", "int x = 1; int n = 9; x = x >> n;"),
        "x >> n is 1 >> 9, but a value of 8 bits can only be shifted by 0 to 7"
    );
}

#[test]
fn a_label_says_the_condition_that_leads_to_it() {
    let led = "line 3 leads here: if (x > 2) is true with x = 3";
    assert_eq!(detail("", "int x = 3; if (x > 2) { ERROR: return 1; }"), led);
    assert_eq!(detail("", "int x = 3; if (x > 2) reach_error();"), led);
}

#[test]
fn a_target_of_the_user_says_its_values() {
    let source = "//! error = (x == 3)\nint x;\nvoid main() { x = 2; x = x + 1; }\n";
    let error = error(source, Dialect::Cimple);
    assert_eq!(error.detail.as_deref(), Some("x is 3"));
    assert!(sentence(&error).ends_with(": x is 3."), "{}", sentence(&error));
}

#[test]
fn a_deadlock_says_who_waits_for_which_lock_and_who_took_it() {
    let source = "//! bits = 2\nbool a = false; bool b = false;\nthread left {\n  lock(a);\n  \
        lock(b);\n  unlock(b);\n  unlock(a);\n}\nthread right {\n  lock(b);\n  lock(a);\n  \
        unlock(a);\n  unlock(b);\n}\n";
    let (program, options) = program_with(source, &RequestedOptions::default());
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(2), at: None };
    let mut session = ThreadsSession::new(program, &options, asked, Budgets::default());
    while !session.step() {}
    let error = threads_report(&mut session).error.expect("it fails");
    assert_eq!(
        error.detail.as_deref(),
        Some(
            "left waits at line 5 for lock(b), which right took at line 10; right waits at line \
             11 for lock(a), which left took at line 4"
        )
    );
}

#[test]
fn words_are_read_into_arrays_that_may_be_too_short() {
    let read = |size: u32, format: &str, then: &str| {
        let source = format!(
            "int main(void) {{ char s[{size}]; if (scanf(\"{format}\", s) == 1) {{ {then} }} return 0; }}"
        );
        let mut session = session_with(&source, &RequestedOptions::default());
        session.start(Task::Check, Budgets::default());
        while !session.step() {}
        report(&session).error.map(|error| error_place(&error))
    };
    let too_short = Some("pointer outside of its object at line 1".to_string());
    assert_eq!(read(3, "%3s", ""), too_short);
    assert_eq!(read(4, "%s", ""), too_short);
    assert_eq!(
        read(4, "%3s", "assert(s[0] != ' ' && s[0] != 0 && (s[1] && s[2] ? s[3] == 0 : 1));"),
        None
    );
    let second = Some("assertion at line 1".to_string());
    assert_eq!(read(4, " %3s", "assert(s[1] == 0);"), second);
}

#[test]
fn arrays_have_as_many_dimensions_as_a_program_needs() {
    let cube = "int cube[2][3][4]; int at[][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, 9};";
    let fill = "int i, j, k;
        for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) for (k = 0; k < 4; k++)
            cube[i][j][k] = 12 * i + 4 * j + k;";
    let holds =
        "assert(cube[1][2][3] == 23 && cube[0][1][3] == 7 && sizeof cube[0] == 12 * sizeof(int));
        assert(at[1][0][1] == 6 && at[2][0][0] == 9 && at[2][1][1] == 0);
        struct { int grid[2][2]; int n; } s[2][2];
        s[1][0].grid[0][1] = 3; s[0][1].grid[0][1] = 4;
        assert(s[1][0].grid[0][1] == 3);";
    assert_eq!(
        detail(cube, &format!("{fill} {holds} int x = cube[1][0][0]; assert(x == 9);")),
        "x is 12"
    );
    assert_eq!(
        detail(cube, "int k = 4; cube[1][2][k] = 7;"),
        "the third index k is 4, and each row of cube has 4 elements, 0 to 3"
    );
    assert_eq!(
        detail(cube, "int j = 3; cube[1][j][0] = 7;"),
        "the second index j is 3, and each row of cube has 3 rows, 0 to 2"
    );
}

/// What is wrong with a pointer stands in the headline, and a formula does not speak of members of
/// objects that do not exist.
#[test]
fn objects_that_do_not_exist_have_no_members() {
    let source = include_str!("../../static/examples/after-free.c");
    let mut session = session_with(source, &RequestedOptions::default());
    session.start(Task::Projection(Method::default()), Budgets::default());
    while !session.step() {}
    let error = report(&session).error.expect("it fails");
    assert_eq!(error_place(&error), "use of freed memory at line 20");
    let program = session.program().expect("a program");
    let reads = |id: &EdgeId| program.edge(*id).text == "head = head->next";
    let statement = program.edge_ids().find(reads).expect("it is there").0;
    while !prepare(&mut session, statement).expect("no limit") {}
    let inspection = inspect(&mut session, statement).expect("it is known");
    assert_eq!(inspection.failing_count, "1");
    let says = |words: &str| inspection.failing.contains(words);
    assert!(says("node#1.key = 0") && says("exists(node#1)"), "{}", inspection.failing);
    for gone in ["node#2.key", "node#3.next", "node#4.key"] {
        assert!(!says(gone), "{gone}: {}", inspection.failing);
    }
}

/// A library's body is shared by all calls. What happens in it is told as the call that led there.
#[test]
fn what_a_library_does_is_told_at_its_own_call() {
    let told = |source: &str, only: Option<u32>| {
        let requested = RequestedOptions { error: only, ..RequestedOptions::default() };
        let mut session = session_with(source, &requested);
        session.start(Task::Projection(Method::Functional), Budgets::default());
        while !session.step() {}
        report(&session)
    };
    let copies = "#include <string.h>\nint main(void) {\n  char a[10];\n  char b[4];\n  \
                  strcpy(a, \"hello\");\n  strcpy(b, \"hello\");\n  return 0;\n}\n";
    let found = told(copies, None);
    let error = found.error.expect("it fails");
    assert_eq!((error.line, error.kind), (6, ErrorKind::Outside));
    assert_eq!(error.message, "`strcpy(b, \"hello\")` points outside of its object");
    assert_eq!(
        error.detail.as_deref(),
        Some("the index is 4, and b has 4 elements, 0 to 3"),
        "nobody wrote the library's variables"
    );
    let trace = found.trace.expect("a run");
    let second = trace.iter().position(|step| step.line == 6).expect("the second call");
    for (k, step) in trace.iter().enumerate().filter(|(_, step)| step.procedure == "strcpy") {
        let own = if k < second { (5, "strcpy(a") } else { (6, "strcpy(b") };
        assert_eq!(step.line, own.0, "step {k}");
        assert!(step.statement.starts_with(own.1), "step {k}: {}", step.statement);
    }
    assert_eq!(found.projection.expect("a projection").lines, [5, 6]);
    assert_eq!(told(copies, Some(6)).error.map(|error| error.line), Some(6));
    assert_eq!(told(copies, Some(5)).verdict, Verdict::Safe);
    let appends = "#include <string.h>\nint main(void) {\n  char full[8];\n  \
                   strcpy(full, \"abc\");\n  strcat(full, \" \");\n  strcat(full, \"hello\");\n  \
                   return 0;\n}\n";
    assert_eq!(told(appends, None).error.map(|error| error.line), Some(6));
    let taken = "#include <stdlib.h>\nstruct s { int x; };\nint main(void) {\n  \
                 struct s *a = malloc(sizeof *a);\n  a->x = 1;\n  free(a);\n  \
                 a = malloc(sizeof *a);\n  free(a);\n  a->x = 2;\n  return 0;\n}\n";
    let trace = told(taken, None).trace.expect("a run");
    let inside = trace.iter().filter(|step| step.procedure.starts_with("malloc"));
    assert_eq!(inside.map(|step| step.line).collect::<Vec<_>>(), [4, 7]);
}

#[test]
fn memory_says_index_size_and_where_it_was_taken() {
    let said = |body: &str| {
        let source = format!("#include <stdlib.h>\nint main(void) {{\n{body}\nreturn 0;\n}}\n");
        let error = error(&source, Dialect::C);
        format!("{}: {}", error.message, error.detail.unwrap_or_default())
    };
    assert_eq!(
        said("int *p = malloc(3 * sizeof(int));\nint k = 3;\np[k] = 1;"),
        "`p[k]` points outside of its object: the index is 3, and int#1, taken in line 3, has 3 \
         elements, 0 to 2"
    );
    assert_eq!(
        said("int *p = malloc(3 * sizeof(int));\np[5] = 1;"),
        "`p[5]` leads outside of the object: the index is 5, and int#1, taken in line 3, has 3 \
         elements, 0 to 2"
    );
    assert_eq!(
        said("int a[4]; int *p = a + 1;\nint k = 3;\np[k] = 1;"),
        "`p[k]` points outside of its object: the index is 4, and a has 4 elements, 0 to 3"
    );
    assert_eq!(
        said("int a[4], x; int *p = &x; p = a; *p = 1; int k = 4;\na[k] = 1;"),
        "the index of `a` is outside of its 4 elements: the index k is 4, and a has 4 elements, \
         0 to 3"
    );
    let stack = "struct s { int top; int *items; } t, *s = &t; s->top = 2;\n\
                 s->items = malloc(3 * sizeof(int));\ns->items[++s->top] = 1;";
    let found = said(stack);
    assert!(
        found.starts_with("`s->items[++s->top]` points outside of its object: the index is 3")
            && found.ends_with(", and int#1, taken in line 4, has 3 elements, 0 to 2"),
        "{found}"
    );
}

/// What is checked does not depend on whether the program uses memory, or on the width of `int`.
#[test]
fn overflow_is_an_error_wherever_the_program_states_none() {
    let fails = |source: &str, bits: Option<u32>| {
        let requested =
            RequestedOptions { dialect: Some(Dialect::C), bits, ..RequestedOptions::default() };
        let mut session = session_with(source, &requested);
        session.start(Task::Check, Budgets::default());
        while !session.step() {}
        let report = report(&session);
        assert!(report.options.checks.overflow, "{source}");
        report.error.map(|error| (error.kind, error.line))
    };
    let plain = "int main(void) {\n  int x = 2147483647;\n  x = x + 1;\n  return x;\n}\n";
    let text = "#include <string.h>\nint main(void) {\n  int x = 2147483647; x = x + \
                (int)strlen(\"ab\");\n  return x;\n}\n";
    let heap = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(sizeof(int)); \
                int a = 2147483647, b = 1;\n  *p = a + b;\n  free(p);\n  return 0;\n}\n";
    let changed = "int main(void) {\n  int x = 2147483647, *p = &x;\n  (*p)++;\n  return x;\n}\n";
    for (source, line) in [(plain, 3), (text, 3), (heap, 4), (changed, 3)] {
        assert_eq!(fails(source, None), Some((ErrorKind::Overflow, line)), "{source}");
    }
    let sum = "int f(int a, int b) {\n  return a + b;\n}\nint main(void) { return \
               f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); }\n";
    for bits in [None, Some(16), Some(8), Some(4)] {
        assert_eq!(fails(sum, bits), Some((ErrorKind::Overflow, 2)), "{bits:?}");
    }
    let library = "#include <string.h>\n#include <ctype.h>\nint main(void) {\n  char s[4] = \"\";\n  \
                   strcpy(s, \"ab\");\n  memset(s, 0, 3);\n  return toupper('a') > 0;\n}\n";
    assert_eq!(fails(library, Some(8)), None, "the library's own arithmetic is no error");
}
