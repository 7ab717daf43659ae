//! The thesis's whole-loop figures. The paper's numbers stand beside ours; where they differ the
//! reason is given. "Refinements" are the paper's cycles: the last round, which finds no error, is
//! none.
//!
//! Our DAGs are those of a breadth-first search, with joins widened; Moped's witness graphs held
//! other traces.

use crate::runs::{figure, proved, run, set_up};
use faultline::analysis::cegar::predicates::ProgramPoint;
use faultline::report::cegar::cegar_report;
use faultline::report::cegar_seed::seed;
use faultline::session::{Budgets, Job, Outcome};
use faultline::wire::refinement::CegarOptions;
use faultline::wire::refinement::Heuristic;

/// Fig. 6.2, bubble sort. Paper: weakest 55 cycles and 113 predicates, strongest 13 and 12, both 8
/// and 34. Ours: 11 and 11, 9 and 9, 8 and 23: the same order, on DAGs with more traces. The
/// element width changes nothing.
#[test]
fn bubble_sort() {
    let source = figure("fig-6-1");
    let [weakest, strongest, both] = [Heuristic::Weakest, Heuristic::Strongest, Heuristic::Both]
        .map(|heuristic| proved(&source, Some(5), heuristic));
    assert!(weakest.0 <= 55 && weakest.1 <= 113, "{weakest:?}");
    assert!(strongest.0 <= 13 && strongest.1 <= 12, "{strongest:?}");
    assert!(both.0 <= 8 && both.1 <= 34, "{both:?}");
    assert!(both.0 < strongest.0 && strongest.0 < weakest.0, "{both:?} {strongest:?} {weakest:?}");
    assert_eq!(proved(&source, Some(8), Heuristic::Strongest), strongest);
    assert_eq!(proved(&source, Some(4), Heuristic::Both), both);
}

/// Fig. 6.3 with the guard `i != g`, as measured. Paper: weakest 2 cycles and 1 predicate, both 2
/// and 3, strongest about 2^(n+1) and 2^n. All error edges end in one bottom node here, so the
/// strongest need 2^n cycles.
#[test]
fn loop_invariant() {
    let source = figure("fig-6-3");
    for bits in 2..=4 {
        assert_eq!(proved(&source, Some(bits), Heuristic::Weakest), (2, 1), "{bits}");
        assert_eq!(proved(&source, Some(bits), Heuristic::Both), (2, 3), "{bits}");
        assert_eq!(
            proved(&source, Some(bits), Heuristic::Strongest),
            (1 << bits, 1 << bits),
            "{bits}"
        );
    }
    assert_eq!(proved(&source, Some(16), Heuristic::Weakest), (2, 1));
}

/// Fig. 6.3 as printed: g = 0 leaves the loop with j = -1. The run is concrete, and the interpreter
/// has executed it.
#[test]
fn loop_invariant_as_printed() {
    for heuristic in Heuristic::ALL {
        let session = run(&figure("fig-6-3-printed"), Some(3), heuristic);
        assert_eq!(session.outcome(), Outcome::Unsafe, "{heuristic:?}");
        let run = session.failing_run().expect("a run");
        assert_eq!(run.check.line, 10);
    }
}

/// Fig. 6.6. Paper: weakest 5 cycles and 11 predicates, conciliated 3 and 6; without `Z := ?` both
/// 3 and 4; with `while true` no refinement. Ours: 3 and 3, 3 and 1: no more than the paper's, and
/// conciliation still saves predicates.
#[test]
fn conciliated_interpolants() {
    let source = figure("fig-6-5");
    let weakest = proved(&source, None, Heuristic::Weakest);
    let conciliated = proved(&source, None, Heuristic::Conciliated);
    assert!(weakest.0 <= 5 && weakest.1 <= 11, "{weakest:?}");
    assert!(
        conciliated.0 <= weakest.0 && conciliated.1 < weakest.1,
        "{conciliated:?} against {weakest:?}"
    );
    assert!(conciliated.0 <= 3 && conciliated.1 <= 6, "{conciliated:?}");
    let without = source.replace("      Z = *;\n", "");
    assert!(without.len() < source.len());
    for heuristic in [Heuristic::Weakest, Heuristic::Conciliated] {
        let (refinements, predicates) = proved(&without, None, heuristic);
        assert!(refinements <= 3 && predicates <= 4, "{heuristic:?}: {refinements}, {predicates}");
    }
    let endless = source.replace("while (*)", "while (true)");
    for heuristic in Heuristic::ALL {
        assert_eq!(proved(&endless, None, heuristic), (0, 0), "{heuristic:?}");
    }
}

/// Fig. 6.8: one refinement with assume-skip, and foo gets no predicate.
#[test]
fn an_irrelevant_procedure() {
    for heuristic in [Heuristic::Skip, Heuristic::SkipConciliated] {
        let session = run(&figure("fig-6-7"), None, heuristic);
        assert_eq!(session.outcome(), Outcome::Safe);
        let cegar = session.cegar().expect("it was set up");
        assert_eq!(cegar.refinements(), 1, "{heuristic:?}");
        let program = session.program();
        let foo =
            program.procedures.iter().position(|procedure| procedure.name == "foo").expect("foo");
        let in_foo = |point: ProgramPoint| match point {
            ProgramPoint::Location(location) => {
                program.location(location).procedure.0 as usize == foo
            }
            ProgramPoint::Pivot(edge) => program.owner(edge).0 as usize == foo,
            ProgramPoint::Returned(procedure) => procedure.0 as usize == foo,
        };
        assert!(
            cegar.abstract_program().predicates.points().all(|(point, _)| !in_foo(point)),
            "{heuristic:?}"
        );
    }
}

/// Fig. 6.10. Paper: assume-skip 4 cycles and 9 predicates, with conciliation 1 and 3. Quicksort is
/// ours, and one predicate suffices for both. It is not refined, whatever the arrays' size.
#[test]
fn quicksort_is_not_refined() {
    let source = figure("fig-6-9");
    assert_eq!(proved(&source, None, Heuristic::SkipConciliated), (1, 1));
    let larger = source.replace("X[4], Y[4]", "X[6], Y[6]");
    assert_ne!(larger, source);
    assert_eq!(proved(&larger, None, Heuristic::SkipConciliated), (1, 1));
    let (refinements, predicates) = proved(&source, None, Heuristic::Skip);
    assert!(refinements <= 4 && predicates <= 9, "{refinements}, {predicates}");
    let session = run(&source, None, Heuristic::SkipConciliated);
    let program = session.program();
    let cegar = session.cegar().expect("it was set up");
    for (point, list) in cegar.abstract_program().predicates.points() {
        let ProgramPoint::Location(location) = point else { continue };
        let procedure = &program.procedure(program.location(location).procedure).name;
        assert!(list.is_empty() || procedure == "main" || procedure == "one", "{procedure}");
    }
}

/// Abstraction pays: the arrays' size changes neither rounds nor what the kernel does, since no
/// predicate speaks of them. (Operations are cached under a hash of diagrams' numbers, so a few
/// steps come or go.)
#[test]
fn the_arrays_of_quicksort_cost_nothing() {
    let source = figure("fig-6-9");
    let ask = |size: u32| {
        let options = CegarOptions::pure(Heuristic::SkipConciliated);
        let source = source.replace("X[4], Y[4]", &format!("X[{size}], Y[{size}]"));
        let (mut session, _) = set_up(&source, None, options, Budgets::default());
        session.run();
        assert_eq!((session.outcome(), session.fault()), (Outcome::Safe, None), "{size}");
        let cegar = session.cegar().expect("it was set up");
        (cegar.refinements(), cegar.abstract_program().predicates.longest(), session.statistics().1)
    };
    let small = ask(4);
    assert_eq!((small.0, small.1), (1, 1));
    for size in [5, 8, 16, 64] {
        let larger = ask(size);
        assert_eq!((larger.0, larger.1), (1, 1), "{size}");
        assert!(
            larger.2.abs_diff(small.2) * 50 <= small.2,
            "{size}: {} steps against {}",
            larger.2,
            small.2
        );
    }
}

/// What stands in for the strongest interpolants changes no choice: with everything kept to be
/// looked at, the same predicates come out.
#[test]
fn looking_changes_nothing() {
    for name in ["fig-6-5", "fig-6-7", "fig-6-9", "fig-6-11"] {
        let ask = |explain| {
            let options =
                CegarOptions { explain, ..CegarOptions::pure(Heuristic::SkipConciliated) };
            let (mut session, _) = set_up(&figure(name), None, options, Budgets::default());
            session.run();
            assert_eq!((session.outcome(), session.fault()), (Outcome::Safe, None), "{name}");
            let of_slice: Vec<bool> = session
                .rounds()
                .iter()
                .filter_map(|round| Some(round.interpolants.as_ref()?.is_of_slice))
                .collect();
            let points =
                session.cegar().expect("it was set up").abstract_program().predicates.points();
            let lists: Vec<(ProgramPoint, usize)> =
                points.map(|(point, list)| (point, list.len())).collect();
            (lists, session.rounds().len(), of_slice)
        };
        let (plain, looked) = (ask(false), ask(true));
        assert_eq!((&plain.0, plain.1), (&looked.0, looked.1), "{name}");
        assert!(plain.2.contains(&true) && !looked.2.contains(&true), "{name}: {:?}", plain.2);
    }
}

/// Fig. 6.11, primality at 4 bits unsigned. Paper: three cycles, at most two predicates, for the
/// weakest and much the same for others. Ours: two and two with assume-skip, five and four with
/// conciliation besides. The weakest are not done within the default budget: bodies hold recursion
/// only as deep as a shortest run unrolls it, so the weakest predicates speak of the depths that
/// are left.
#[test]
fn primality() {
    let source = figure("fig-6-11");
    let (refinements, predicates) = proved(&source, None, Heuristic::Skip);
    assert!(refinements <= 3 && predicates <= 2, "{refinements}, {predicates}");
    let (refinements, _) = proved(&source, None, Heuristic::SkipConciliated);
    assert!(refinements <= 2 * 3, "{refinements}");
}

/// Fig. 8.2: seeded with X = 0 at 2 and 11, lazy abstraction stops at 11: the only new predicate is
/// X ≠ 561, at 12.
#[test]
fn lazy_abstraction() {
    let source = figure("fig-8-1");
    let line = |text: &str| {
        source.lines().position(|line| line.contains(text)).expect("in the text") as u32 + 1
    };
    for lazy in [true, false] {
        let options =
            CegarOptions { lazy, explain: true, ..CegarOptions::pure(Heuristic::Weakest) };
        let (mut session, effective) = set_up(&source, None, options, Budgets::default());
        for place in ["Y = Y + 1", "if (Y == 42)"] {
            assert_eq!(seed(&mut session, &format!("X = 0@{}", line(place))), Ok(1));
        }
        session.run();
        assert_eq!((session.outcome(), session.fault()), (Outcome::Safe, None));
        let report = cegar_report(&mut session, &effective, options, Some(&|| true));
        let added: Vec<(u32, String)> = report
            .predicates
            .expect("explained")
            .iter()
            .flat_map(|point| point.predicates.iter().map(|predicate| (point.line, predicate)))
            .filter(|(_, predicate)| predicate.round > 0)
            .map(|(line, predicate)| (line, predicate.formula.text.clone()))
            .collect();
        if lazy {
            assert_eq!(added, [(line("else if (X == 561)"), "X ≠ 561".to_string())]);
        } else {
            assert!(added.len() > 1, "{added:?}");
        }
    }
}
