//! C programs with threads whose answer follows from C's rules about what is one step.

use crate::analysed;
use faultline::session::{Budgets, Outcome, SwitchBound, ThreadsOptions};
use faultline::wire::options::Dialect;

const BOUND: u32 = 3;

/// Checks a program of globals, a thread, and what main does after it has started the thread.
fn check(globals: &str, thread: &str, main: &str, expected: Outcome) {
    let source = format!(
        "//! bits = 4\n#include <pthread.h>\n#include <assert.h>\n{globals}\n\
         void *worker(void *arg) {{ {thread} return 0; }}\n\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, worker, 0); {main} return 0; }}\n"
    );
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(BOUND), at: None };
    let session = analysed(&source, Dialect::C, asked, Budgets::default());
    assert_eq!(session.outcome(), expected, "{source}\n{:?}", session.fault());
}

/// Two threads add 1; each checks the sum once both have ended.
fn counted(globals: &str, add: &str, sum: &str, expected: Outcome) {
    check(globals, add, &format!("{add} pthread_join(t, 0); assert({sum} == 2);"), expected);
}

#[test]
fn atomic_elements_members_and_targets_change_in_one_step() {
    let inc = "void inc(_Atomic int *p) { (*p)++; }";
    for (globals, add, sum) in [
        ("_Atomic int n;", "n++;", "n"),
        ("_Atomic int a[2];", "a[1]++;", "a[1]"),
        ("_Atomic int a[2]; int i = 1;", "a[i] += 1;", "a[1]"),
        ("struct { int k; _Atomic int n; } s;", "s.n++;", "s.n"),
        ("struct { struct { _Atomic int n; } in[2]; } s;", "s.in[1].n++;", "s.in[1].n"),
        ("typedef _Atomic int count; count n;", "++n;", "n"),
        ("_Atomic(int) n;", "n += 1;", "n"),
        (&format!("_Atomic int n; {inc}"), "inc(&n);", "n"),
        (&format!("_Atomic int a[2]; {inc}"), "inc(a);", "a[0]"),
    ] {
        counted(globals, add, sum, Outcome::Safe);
        // The same without the word loses an update.
        let plain = globals.replace("_Atomic(int)", "int").replace("_Atomic ", "");
        counted(&plain, add, sum, Outcome::Unsafe);
    }
    // A read and a write are two steps, whatever the type.
    counted("_Atomic int n;", "n = n + 1;", "n", Outcome::Unsafe);
}

/// `x += e` computes `e` before its one step, so that another thread can run in between.
#[test]
fn the_value_that_is_added_is_computed_before() {
    let globals = "_Atomic int x; int y;";
    check(globals, "y = 1; y = 0;", "x += y + y; assert(x != 1);", Outcome::Unsafe);
    check(globals, "y = 1;", "x += y + y; assert(x != 3);", Outcome::Safe);
}

#[test]
fn a_struct_is_copied_member_by_member() {
    let both = "struct S { int a; int b; }; struct S s; struct S u;\n\
                struct S v[2]; struct T { struct S s; int k; };\n\
                void __VERIFIER_atomic_both(void) {\n\
                  s.a = 1; s.b = 1; v[1].a = 1; v[1].b = 1; }\n\
                void look(struct S l) { assert(l.a == l.b); }";
    let thread = "__VERIFIER_atomic_both();";
    for main in [
        "struct S l; l = s; assert(l.a == l.b);",
        "struct S l = s; assert(l.a == l.b);",
        "look(s);",
        "u = s; assert(u.a == u.b);",
        "struct S l[2]; l[1] = s; assert(l[1].a == l[1].b);",
        "struct T l = {s, 1}; assert(l.s.a == l.s.b);",
        "struct T l = {.s = s}; assert(l.s.a == l.s.b);",
        "struct S l[2] = {{1, 1}, s}; assert(l[1].a == l[1].b);",
        "look(v[1]);",
        "struct S l = v[1]; assert(l.a == l.b);",
    ] {
        check(both, thread, main, Outcome::Unsafe);
        let section = format!(
            "__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();",
            main.replace("struct S l; l", "l")
        );
        // In a section of its own the copy is whole.
        if !main.contains(" l = ") && !main.contains("l[2]") {
            check(&format!("{both} struct S l;"), thread, &section, Outcome::Safe);
        }
    }
    // A struct that is atomic as a whole is read in one step.
    let whole = both.replace("struct S s;", "_Atomic struct S s;");
    check(&whole, thread, "struct S l = s; assert(l.a == l.b);", Outcome::Safe);
    check(&whole, thread, "look(s);", Outcome::Safe);
    // Members that nobody shares are no reason for more steps.
    check(both, thread, "struct S l = {1, 1}; struct S k = l; assert(k.a == 1);", Outcome::Safe);
}

/// `a ?: b` reads `a` once.
#[test]
fn the_first_part_of_otherwise_is_read_once() {
    check("int x = 1;", "x = 0;", "assert((x ?: 2) != 0);", Outcome::Safe);
    check("int x = 1;", "x = 0;", "assert((x ? x : 2) != 0);", Outcome::Unsafe);
}

/// Lists with values that threads share are read, each value by a step of its own.
#[test]
fn lists_of_shared_values() {
    let main = "int a[2] = {x, x}; assert(a[0] <= a[1]);";
    check("int x;", "x = 1;", main, Outcome::Safe);
    check("int x;", "x = 1;", &main.replace("<=", "=="), Outcome::Unsafe);
}
