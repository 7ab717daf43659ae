//! Members that a tool spells as addresses, and its temporaries: they are read as if somebody had
//! written members.

use super::c::program_at;
use super::execution::{End, ends_of};
use crate::lang::model::{Operation, Program};

const HEAD: &str = "//! model = ilp32
struct node { int key; struct node *next; };
struct node a; struct node b;
";

fn read(body: &str) -> Program {
    program_at(&format!("{HEAD}{body}"), Some(32))
}

fn effects(program: &Program) -> Vec<String> {
    let edges = program.edges.iter().filter(|e| !matches!(e.operation, Operation::Skip));
    edges.map(|e| format!("{:?}", e.operation)).collect()
}

fn has_variable(program: &Program, name: &str) -> bool {
    program.variables.iter().any(|variable| variable.name == name)
}

#[test]
fn addresses_are_members() {
    let spelt = read(
        "int main(void) { struct node *p; int x;
         unsigned int __t1; unsigned int __t2; struct node *__t3; unsigned int __t4;
         unsigned int __t5; struct node *__t6;
         p = &a;
         *((int *)p) = 1;
         __t1 = (unsigned int )p; __t2 = __t1 + 4; *((struct node **)__t2) = &b;
         __t3 = (struct node *)0; __t4 = (unsigned int )__t3; __t5 = (unsigned int )p;
         if (__t4 != __t5) { __t6 = & b; *((int *)__t6) = 2; }
         x = p->next->key;
         return x; }",
    );
    let plain = read(
        "int main(void) { struct node *p; int x;
         p = &a;
         p->key = 1;
         p->next = &b;
         if (0 != p) { b.key = 2; }
         x = p->next->key;
         return x; }",
    );
    assert_eq!(effects(&spelt), effects(&plain));
    for name in ["__t1", "__t2", "__t3", "__t4", "__t5", "__t6"] {
        assert!(!has_variable(&spelt, name), "{name}");
    }
    let ends: Vec<End> = ends_of(&plain).into_iter().collect();
    assert_eq!(ends, [End::Returned(2)]);
}

/// In each of these a temporary's use does not have the value of its operands at that place.
#[test]
fn temporaries_stay_where_their_operands_change() {
    let uses = |rest: &str| {
        let program = read(&format!(
            "struct node *g;
             void f(void) {{ g = &b; }}
             int main(void) {{ struct node *p = &a; unsigned int __t; int k;
             a.key = 1; b.key = 2; k = 0; {rest} }}"
        ));
        let ends: Vec<End> = ends_of(&program).into_iter().collect();
        (has_variable(&program, "__t"), ends)
    };
    let one = vec![End::Returned(1)];
    // The pointer moves in between.
    assert_eq!(uses("__t = (unsigned int )p; p = &b; return *((int *)__t);"), (true, one.clone()));
    // A procedure moves it.
    assert_eq!(
        uses("g = &a; __t = (unsigned int )g; f(); return *((int *)__t);"),
        (true, one.clone())
    );
    // A loop does, before the next use.
    assert_eq!(
        uses(
            "__t = (unsigned int )p; while (k < 2) { k = k + *((int *)__t); p = &b; } return *((int *)__t);"
        ),
        (true, one.clone())
    );
    // Nothing of that: it is gone.
    assert_eq!(uses("__t = (unsigned int )p; return *((int *)__t);"), (false, one));
}

#[test]
fn what_no_member_stands_at_stays_an_address() {
    // Two bytes behind the start stands no member, nor does a `short`.
    for address in ["*((short *)((unsigned int )p + 2))", "*((short *)p)"] {
        let program = read(&format!(
            "int main(void) {{ struct node *p = &a; a.key = 65537 * 3; return {address}; }}"
        ));
        let ends: Vec<End> = ends_of(&program).into_iter().collect();
        assert_eq!(ends, [End::Returned(3)], "{address}");
    }
}

#[test]
fn temporaries_stay_where_a_jump_leads_around_their_assignment() {
    let program = read(
        "int main(void) { struct node *p; unsigned int __t; int k; p = &a; k = 0;
         goto first; again: goto use; first: __t = (unsigned int )p;
         use: if (k == 0) { k = 1; p = &b; goto again; } return *((int *)__t); }",
    );
    assert!(has_variable(&program, "__t"));
}
