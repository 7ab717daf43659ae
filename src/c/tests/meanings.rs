//! Small programs, executed: what C, GNU's extensions and verifiers' names mean.

use faultline_c::machine::{End, Fault, Limits, Remark, Run, run};
use faultline_c::mistake::{Mistake, MistakeKind};

fn executed(text: &str) -> Result<Run, Mistake> {
    let tree = faultline_c::parse(text, &|_| None)?;
    let code = faultline_c::compile(&tree)?;
    Ok(run(&tree, &code, b"", Limits::default()))
}

/// The run of a `main` with this body, behind these declarations.
fn of(declarations: &str, body: &str) -> Run {
    let text = format!(
        "#include <assert.h>\n#include <limits.h>\n#include <math.h>\n#include <stdlib.h>\n\
         #include <string.h>\n{declarations}\nint main(void) {{\n{body}\nreturn 0;\n}}\n"
    );
    executed(&text).unwrap_or_else(|m| panic!("{m} in line {}: {text}", m.span.line))
}

/// It ends well, with nothing remarkable.
fn fine(declarations: &str, body: &str) {
    let run = of(declarations, body);
    assert_eq!((run.end, run.remarks), (End::Exited(0), Vec::new()), "{declarations}\n{body}");
}

fn fault(declarations: &str, body: &str) -> Option<Fault> {
    match of(declarations, body).end {
        End::Fault(fault, _) => Some(fault),
        _ => None,
    }
}

/// Each of these assertions fails.
fn wrong(declarations: &str, before: &str, conditions: &[&str]) {
    for condition in conditions {
        let body = format!("{before} assert({condition});");
        assert_eq!(fault(declarations, &body), Some(Fault::Assertion), "{declarations}\n{body}");
    }
}

fn refused(text: &str) -> MistakeKind {
    match executed(text) {
        Ok(run) => panic!("executed, {:?}: {text}", run.end),
        Err(mistake) => mistake.kind,
    }
}

#[test]
fn an_array_without_a_length_is_as_long_as_its_values() {
    let declarations = "typedef int T[];\nstruct S { int z; int a[]; };\n\
         struct S s = {1, {2, 3, 4}}, t = {.z = 1, .a = {5, 6}}, n = {7};\n\
         struct U { char n; T x; } u = {'a', {11, 5}};\n\
         struct C { int n; char t[]; } c = {3, \"abc\"};";
    fine(
        declarations,
        "assert(sizeof s == 4 && s.a[2] == 4 && t.a[1] == 6 && n.z == 7);\n\
         assert(u.x[0] == 11 && u.x[1] == 5 && strlen(c.t) == 3 && sizeof c == 4);",
    );
    wrong(declarations, "", &["s.a[2] == 5", "c.t[2] == 'b'"]);
    assert_eq!(fault(declarations, "return s.a[3];"), Some(Fault::Outside));
    assert_eq!(fault(declarations, "return n.a[0];"), Some(Fault::Outside));
    let local = "struct S { int z; int a[]; };\nint main(void) { struct S s = {1, {2}}; }";
    assert!(matches!(refused(local), MistakeKind::NotExecuted(_)));
}

#[test]
fn what_is_assigned_to_a_bit_field_is_as_wide_as_it() {
    let declarations = "struct S { unsigned f : 9; int g : 3; unsigned w : 32; } s;";
    fine(
        declarations,
        "assert(!((s.f = s.f) <= -1) && !((0, s.f) <= -1) && !(s.f <= -1));\n\
         assert(!(++s.f <= -1) && s.f-- == 1 && (s.f += 0) > -1);\n\
         s.f = 511; assert(s.f++ == 511 && s.f == 0 && s.f-- == 0 && s.f == 511);\n\
         s.g = -4; assert(s.g++ == -4 && s.g-- == -3);\n\
         assert((s.w = 0) <= -1);",
    );
    wrong(declarations, "", &["(s.f = s.f) <= -1", "++s.f <= -1", "(s.w = 0) > -1"]);
}

#[test]
fn a_struct_that_nobody_uses_is_read() {
    let declarations = "struct I { int x; }; struct O { struct I i; } *g, o;";
    assert_eq!(fault(declarations, "g->i;"), Some(Fault::Null));
    assert_eq!(fault(declarations, "*g;"), Some(Fault::Null));
    assert_eq!(fault(declarations, "(void)g->i;"), Some(Fault::Null));
    fine(declarations, "g = &o; g->i; *g; (void)*g; o.i;");
    fine(declarations, "&g->i;");
}

#[test]
fn one_element_at_the_end_of_a_struct_stands_for_more() {
    let declarations = "struct H { int n; int q[1]; }; struct C { int n; char q[1]; };\n\
         struct W { long t; struct H h; }; union U { char c[4]; long l; };\n\
         struct L { int n; int q[4]; }; struct M { int q[1]; int n; };\n\
         struct N { union U u; long k; }; int i = 3;";
    fine(
        declarations,
        "struct H *h = malloc(64); h->q[i] = 1; struct C *c = malloc(64); c->q[i] = 1;\n\
         struct W *w = malloc(64); w->h.q[i] = 1; union U u; u.c[i + 3] = 1;",
    );
    for body in [
        "struct L *l = malloc(64); l->q[i + 1] = 1;",
        "struct M *m = malloc(64); m->q[i] = 1;",
        "struct N *n = malloc(64); n->u.c[i + 3] = 1;",
    ] {
        let remarks = of(declarations, body).remarks;
        assert!(matches!(remarks.as_slice(), [(Remark::Index, _)]), "{body}: {remarks:?}");
    }
    assert_eq!(fault(declarations, "struct H *h = malloc(12); h->q[i] = 1;"), Some(Fault::Outside));
}

#[test]
fn constants_that_an_old_program_computes() {
    fine(
        "struct S { int i; char c; struct { int x, y; } a[3]; };\n\
         enum { C = (long)&((struct S *)0)->c, Y = (int)(long)&((struct S *)0)->a[1].y };\n\
         int t[(void *)0 == (void *)(1 - 1) ? 1 : -1];",
        "assert(C == 4 && Y == 20 && sizeof t == 4 && sizeof \"\\u0201\\xe8\" == 4);",
    );
}
