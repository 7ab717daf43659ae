//! Figures of the paper with the values that its text states.

use super::{load, members};
use faultline::analysis::interfaces::{ContextMark, Interfaces};
use faultline::analysis::threads::ThreadSystem;
use faultline::bdd::KernelLimits;
use std::collections::BTreeSet;

/// Lal, Touili, Kidd, Reps 2007, § 4.4: two copies of Fig. 4(a). With thread 1 at n6 and thread 2
/// anywhere x and y are (3,3), (3,7), (7,3) or (7,7) with one switch or more (the text says so for
/// two); with none (3,3) or (7,7), as in § 4.1.
#[test]
fn two_copies_of_figure_4() {
    let copy = "if (*) { x = 3; bar(); } else { x = 7; bar(); }";
    let source = format!(
        "//! bits = 4\nint x, y;\nvoid main() {{ {copy}\n  skip; }}\nthread second {{ {copy}\n  skip; }}\nvoid bar() {{ y = x; }}\n"
    );
    let program = load(&source);
    let n6 = program.edges.iter().find(|edge| edge.span.line == 4).expect("a statement").from;
    let mut interfaces = Interfaces::new(
        ThreadSystem::new(&program, 5),
        None,
        5,
        ContextMark::Nothing,
        KernelLimits::NONE,
    )
    .expect("no limit")
    .exhaustive();
    let mut states = Vec::new();
    for k in 0..=5 {
        interfaces.raise(k);
        interfaces.run().expect("no limit");
        let set = interfaces.globals_where(k, &[(0, n6)]).expect("no limit");
        let found: BTreeSet<(u64, u64)> = members(&mut interfaces, set)
            .into_iter()
            .map(|globals| (globals[0][0], globals[1][0]))
            .collect();
        let expected: &[(u64, u64)] =
            if k == 0 { &[(3, 3), (7, 7)] } else { &[(3, 3), (3, 7), (7, 3), (7, 7)] };
        assert_eq!(found, expected.iter().copied().collect(), "with {k} switches");
        states.push(interfaces.sizes()[0].states);
    }
    // A control location for each of the three contexts that a thread can have with five switches,
    // its start, and bar entered in each of them.
    assert_eq!(states, [5, 5, 6, 6, 7, 7]);
}

/// The states of a thread's automaton do not depend on how many global stores there are.
#[test]
fn states_do_not_depend_on_the_globals() {
    let sizes = |bits: u32| {
        let source = format!(
            "//! bits = {bits}\nint x = 0, y = 0;\nvoid main() {{ while (*) {{ step(); }} assert(x != 1); }}\nthread other {{ while (*) {{ y = x; step(); }} }}\nvoid step() {{ x = x + 2; if (*) {{ step(); }} y = y + x; }}\n"
        );
        let system = ThreadSystem::new(&load(&source), 4);
        let mut interfaces =
            Interfaces::new(system, None, 4, ContextMark::Nothing, KernelLimits::NONE)
                .expect("no limit");
        interfaces.raise(4);
        interfaces.run().expect("no limit");
        assert!(interfaces.failure().is_none());
        interfaces.sizes().iter().map(|size| (size.states, size.transitions)).collect::<Vec<_>>()
    };
    let few = sizes(3);
    assert_eq!(few, sizes(4));
    assert_eq!(few, sizes(5));
}
