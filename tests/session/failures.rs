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
use faultline::wire::report::ErrorReport;

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
