//! Flags take precedence over directives, and directives over defaults. Also: conditions that a
//! person types.

use super::dump::{load_plain, program, show};
use crate::lang::model::{ErrorKind, Initial};
use crate::lang::{load, parse_condition};
use crate::wire::options::{Checks, Globals, RequestedOptions};

const SOURCE: &str =
    "//! bits = 6\n//! globals = zero\n//! check = overflow, shift\nint g; void main() { g = 31; }";

#[test]
fn defaults() {
    let options = load_plain("void main() { }").options;
    assert_eq!(
        (options.bits, options.globals, options.checks),
        (4, Globals::Any, Checks::default())
    );
}

#[test]
fn directives_beat_defaults() {
    let loaded = load_plain(SOURCE);
    let checks = Checks { overflow: true, shift: true, ..Checks::NONE };
    assert_eq!(
        (loaded.options.bits, loaded.options.globals, loaded.options.checks),
        (6, Globals::Zero, checks)
    );
    let program = loaded.program.expect("valid");
    assert_eq!((program.int_width, &program.variables[0].initial), (6, &Initial::Exactly(vec![0])));
    assert_eq!(loaded.source_lines, 4);
}

#[test]
fn flags_beat_directives() {
    let checks = Checks { bounds: true, ..Checks::NONE };
    let requested = RequestedOptions {
        bits: Some(8),
        globals: Some(Globals::Any),
        checks: Some(checks),
        ..RequestedOptions::default()
    };
    let loaded = load(SOURCE, &requested);
    assert_eq!(
        (loaded.options.bits, loaded.options.globals, loaded.options.checks),
        (8, Globals::Any, checks)
    );
    let refused =
        load("void main() { }", &RequestedOptions { bits: Some(0), ..RequestedOptions::default() });
    assert_eq!(refused.diagnostics[0].message, "bits = 0: int can be 1 to 32 bits wide");
    assert!(refused.program.is_none());
}

#[test]
fn a_label_of_the_users_is_an_error() {
    let requested =
        RequestedOptions { label: Some("bad".to_string()), ..RequestedOptions::default() };
    let program = load("void main() { if (*) { bad: skip; } good: skip; }", &requested)
        .program
        .expect("valid");
    let errors: Vec<_> = program
        .edges
        .iter()
        .flat_map(|e| &e.checks)
        .map(|c| (c.kind, c.message.as_str()))
        .collect();
    assert_eq!(errors, [(ErrorKind::ErrorLabel, "bad:")]);
}

#[test]
fn the_first_procedure_starts_where_there_is_no_main() {
    assert_eq!(program("int h(); void f(int x) { x = h(); } void g() { f(1); }").main, 0);
    assert_eq!(program("void f() { skip; } void main() { f(); }").main, 1);
}

#[test]
fn scopes_list_what_can_be_seen_before_a_statement() {
    let program =
        program("int g; void main() { int x = 1; { int x = 2; g = x; } g = x; int y = 3; }");
    let names = |edge: usize| -> Vec<&str> {
        program
            .scope(program.edges[edge].scope)
            .variables
            .iter()
            .map(|v| program.variable(*v).name.as_str())
            .collect()
    };
    assert_eq!(names(0), ["g"]);
    assert_eq!(names(1), ["g", "x"]);
    assert_eq!(names(2), ["g", "x", "x"]);
    assert_eq!(names(3), ["g", "x"]);
    assert_eq!(names(4), ["g", "x"]);
}

#[test]
fn typed_conditions() {
    let program = program("enum { A = 2 }; int a[3]; bool b; void main() { int x; x = 1; }");
    let scope = program.edges[0].scope;
    let read = |text: &str| {
        parse_condition(&program, scope, text)
            .map(|e| show(&program, &e))
            .map_err(|d| (d.message, d.span.start))
    };
    assert_eq!(read("x > A && !b").as_deref(), Ok("((2 < x) & !b)"));
    assert_eq!(read("a[x] / x == 1").as_deref(), Ok("((a[x] / x) == 1)"));
    assert_eq!(read("x").as_deref(), Ok("x:bool"));
    assert_eq!(read("b && y > 0"), Err(("unknown name `y`".to_string(), 5)));
    assert_eq!(read("x = 1"), Err(("a condition here neither calls nor assigns".to_string(), 0)));
    assert_eq!(read("x > *"), Err(("a condition here makes no choice".to_string(), 0)));
    assert_eq!(
        read("x > 9"),
        Err(("9 does not fit: integers of 4 bits go from -8 to 7".to_string(), 0))
    );
    assert!(read("x >").is_err() && read("").is_err() && read("x; y").is_err());
}
