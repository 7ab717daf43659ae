//! Procedures without a body that get or give pointers, Linux's procedures for memory, and pointers
//! to `void` that move.

use super::c::program_at;
use super::execution::{End, ends_of};
use crate::lang::model::ErrorKind;
use std::collections::BTreeSet;

fn ends(source: &str) -> BTreeSet<End> {
    ends_of(&program_at(source, Some(8))).into_iter().collect()
}

#[test]
fn what_is_given_may_change() {
    let found = ends(
        "void unknown(char *to); int main(void) { char a[1], b[1]; a[0] = 1; b[0] = 1; unknown(a); return (a[0] == 1) * 2 + b[0]; }",
    );
    assert_eq!(found, [End::Returned(1), End::Returned(3)].into());
    // `write` only reads.
    let found = ends("int main(void) { char a[1]; a[0] = 1; write(1, a, 1); return a[0]; }");
    assert_eq!(found, [End::Returned(1)].into());
}

#[test]
fn any_pointer_is_null_or_leads_somewhere() {
    let found = ends(
        "void *__VERIFIER_nondet_pointer(void); int x; int main(void) { int *p = __VERIFIER_nondet_pointer(); if (!p) return 0; if (p == &x) return 1; return 2; }",
    );
    assert_eq!(found, [0, 1, 2].map(End::Returned).into());
}

#[test]
fn memory_of_the_kernel_may_be_missing() {
    let source = |test: &str| {
        format!(
            "struct s {{ char v; }}; int main(void) {{ struct s *p = kzalloc(sizeof(struct s), 1); {test} return p->v; }}"
        )
    };
    assert_eq!(ends(&source("if (!p) return 7;")), [0, 7].map(End::Returned).into());
    let unchecked = ends(&source(""));
    assert_eq!(unchecked, [End::Returned(0), End::Failed(ErrorKind::Null, 1)].into());
    let freed = ends(&source("if (!p) return 7; kfree(p);"));
    assert_eq!(freed, [End::Returned(7), End::Failed(ErrorKind::Freed, 1)].into());
}
