//! Small programs with open values: what C, GNU's extensions and verifiers' names mean. A program
//! that fails fails when the machine executes it, too.

use faultline_bounded::{Checks, Verdict, check};
use std::rc::Rc;

fn verdict(declarations: &str, body: &str) -> Verdict {
    let text = format!(
        "#include <assert.h>\n#include <limits.h>\n#include <math.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <stdio.h>\nint nondet_int(void); unsigned nondet_uint(void);\n\
         unsigned long nondet_ulong(void); float nondet_float(void); double nondet_double(void);\n\
         {declarations}\nint main(void) {{\n{body}\nreturn 0;\n}}\n"
    );
    let tree = faultline_c::parse(&text, &|_| None)
        .unwrap_or_else(|m| panic!("{m} in line {}: {text}", m.span.line));
    let code = faultline_c::compile(&tree).unwrap_or_else(|m| panic!("{m}: {text}"));
    let checks =
        Checks { bounds: true, division: true, overflow: true, shift: true, initialised: false };
    check(&tree, &code, checks, 64, Rc::new(|| false), &mut |_| {}).verdict
}

fn safe(declarations: &str, body: &str) {
    let found = verdict(declarations, body);
    assert!(matches!(found, Verdict::Safe), "{found:?}: {declarations}\n{body}");
}

fn fails(declarations: &str, body: &str) {
    let found = verdict(declarations, body);
    assert!(matches!(found, Verdict::Fails(_)), "{found:?}: {declarations}\n{body}");
}

#[test]
fn arrays_at_the_end_of_a_struct() {
    let declarations = "struct S { int z; int a[]; } s = {1, {2, 3, 4}};\n\
         struct H { int n; int q[1]; }; struct L { int n; int q[4]; };";
    safe(declarations, "int i = nondet_int(); if (i >= 0 && i < 3) assert(s.a[i] == i + 2);");
    fails(declarations, "int i = nondet_int(); if (i >= 0 && i < 4) return s.a[i];");
    safe(
        declarations,
        "int i = nondet_int(); struct H *h = malloc(12); if (i >= 0 && i < 2) h->q[i] = 1;",
    );
    fails(
        declarations,
        "int i = nondet_int(); struct H *h = malloc(12); if (i >= 0 && i < 3) h->q[i] = 1;",
    );
    fails(
        declarations,
        "int i = nondet_int(); struct L *l = malloc(64); if (i >= 0 && i < 5) l->q[i] = 1;",
    );
}

#[test]
fn bit_fields_and_structs_that_nobody_uses() {
    let declarations = "struct S { unsigned f : 9; } s; struct O { struct S s; } o, *g;";
    safe(declarations, "s.f = nondet_uint(); assert((s.f = s.f) > -1 && ++s.f > -1);");
    safe(declarations, "s.f = nondet_uint(); unsigned f = s.f; assert(s.f++ == f);");
    fails(declarations, "s.f = nondet_uint(); unsigned f = s.f; s.f++; assert(s.f > f);");
    fails(declarations, "if (nondet_int()) g = &o; g->s;");
    safe(declarations, "if (nondet_int()) g = &o; if (g) g->s;");
}
