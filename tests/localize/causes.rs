//! Causes by correct traces: the figures of Ball, Naik, Rajamani 2003. What must come out is stated
//! from the paper; lines are the paper's.

mod abstraction;
mod closest;

use crate::support::load::{example, golden, session as load};
use faultline::analysis::cegar::as_program::as_program;
use faultline::analysis::cegar::predicates::ProgramPoint;
use faultline::analysis::cegar::refinement::Cegar;
use faultline::analysis::localize::correct::CorrectTransitions;
use faultline::analysis::localize::forward_judgement::{ForwardJudgement, Judgement};
use faultline::analysis::localize::supergraph::{SuperEdge, halted};
use faultline::analysis::localize::trace::Transition;
use faultline::analysis::reach::Reach;
use faultline::bdd::KernelLimits;
use faultline::encode::{Cell, Copy, Valuation};
use faultline::lang::interpreter::{Machine, Outcome as Executed, replay};
use faultline::lang::model::{LocationId, ProcedureId, Program, VariableId};
use faultline::report::localize::localize_report;
use faultline::session::{
    Budgets, Ending, Job, LocalizeOptions, LocalizeSession, LocalizedTrace, Outcome, Task,
};
use faultline::util::Limit;
use faultline::wire::localize::Variant;
use faultline::wire::projection::Method;
use faultline::wire::refinement::CegarOptions;
use std::collections::BTreeSet;
use std::rc::Rc;

fn read(figure: &str) -> String {
    golden(&format!("localize/{figure}.cimple"))
}

fn localize(source: &str, options: LocalizeOptions, budgets: Budgets) -> LocalizeSession {
    let mut localization = load(source).localize(options, budgets).expect("a program");
    localization.run();
    assert_eq!(localization.fault(), None, "{source}");
    localization
}

fn figure(name: &str, variant: Variant) -> LocalizeSession {
    let budgets = Budgets { collect_every_step: true, ..Budgets::default() };
    localize(&read(name), LocalizeOptions { variant, ..LocalizeOptions::default() }, budgets)
}

/// Edges of the run that are causes, as pairs of lines (from, to); a statement within one line is
/// left out.
fn causes(program: &Program, trace: &LocalizedTrace, variant: Variant) -> Vec<(u32, u32)> {
    let causes = trace.causes(variant);
    let edges: Vec<SuperEdge> =
        trace.transitions.iter().map(|judged| judged.transition.edge).collect();
    let mut pairs = Vec::new();
    for (k, edge) in edges.iter().enumerate().filter(|(_, edge)| causes.contains(edge)) {
        let last = || {
            program.location(program.edge(trace.run.entries.last().expect("a run").edge).from).line
        };
        let to = edges.get(k + 1).map_or_else(last, |next| next.from(program).line(program));
        pairs.push((edge.from(program).line(program), to));
    }
    pairs.retain(|(from, to)| from != to);
    pairs
}

/// Fig. 1 (4(a) with assertions): t1 with its cause line 4, then t3 with line 8, then no error.
#[test]
fn fig_1_two_failing_runs_with_independent_causes() {
    for variant in Variant::ALL {
        let found = figure("fig-1", variant);
        assert_eq!((found.outcome(), found.ending()), (Outcome::Unsafe, Some(Ending::NoError)));
        let [t1, t3] = found.traces() else { panic!("{} runs", found.traces().len()) };
        assert_eq!((t1.path(), t1.lines(variant)), (vec![1, 2, 4, 5], vec![4]));
        assert_eq!((t3.path(), t3.lines(variant)), (vec![1, 2, 3, 5, 6, 8, 9], vec![8]));
        assert_eq!(
            causes(found.program(), t1, variant),
            [(2, 4), (4, 5)],
            "§ 4: Causes for the assertion of line 5"
        );
    }
}

/// § 4: with `if (…) A else B` before it there are six paths, four of them error traces, and still
/// two reports.
#[test]
fn fig_1_after_a_branch_that_does_not_matter() {
    let found = figure("fig-1-branch", Variant::Edges);
    let lines: Vec<_> = found.traces().iter().map(|trace| trace.lines(Variant::Edges)).collect();
    assert_eq!(lines, [[4], [8]]);
    assert_eq!(found.ending(), Some(Ending::NoError));
}

/// Fig. 4(c): the reachable values of L before each line, and § 4: the correct transitions toward
/// the assertion of line 5.
#[test]
fn fig_4_reachable_states_and_correct_transitions() {
    let mut session = load(&read("fig-1"));
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    let program = session.shared_program().expect("a program");
    let cell = Cell { variable: program.globals().next().expect("L"), element: 0 };
    let expected: [(u32, &[u64]); 9] = [
        (1, &[0]),
        (2, &[1]),
        (3, &[1]),
        (4, &[1]),
        (5, &[0, 1]),
        (6, &[1]),
        (7, &[1]),
        (8, &[1]),
        (9, &[0, 1]),
    ];
    for (line, values) in expected {
        let edge =
            program.edge_ids().find(|id| program.edge(*id).span.line == line).expect("a statement");
        let (reached, _) = session.stores(edge).expect("no limit").expect("post* is complete");
        let domain = session.domain().expect("it ran");
        let mut holds = |value: &u64| {
            let fixed = domain
                .fixed(&[cell], Copy::Now, &Valuation([(cell, *value)].into()))
                .expect("no limit");
            !domain.kernel.and(fixed, reached).expect("no limit").is_false()
        };
        assert_eq!(
            [0, 1].into_iter().filter(|value| holds(value)).collect::<Vec<_>>(),
            values,
            "line {line}"
        );
    }

    let limits = KernelLimits { max_nodes: 100_000, max_steps: 1_000_000 };
    let mut reach = Reach::new(Rc::clone(&program), None, limits).expect("no limit");
    while !reach.is_done() {
        reach.step().expect("no limit");
    }
    let fails_at = |line: u32| {
        program
            .edge_ids()
            .find(|id| program.edge(*id).checks.iter().any(|check| check.line == line))
    };
    let mut correct = CorrectTransitions::new(&mut reach, fails_at(5).expect("an assertion"), 0)
        .expect("no limit");
    while !correct.step(&mut reach).expect("no limit") {}
    let mut pairs = BTreeSet::new();
    for id in program.edge_ids() {
        let line = |location| program.location(location).line;
        let (from, to) = (line(program.edge(id).from), line(program.edge(id).to));
        if from != to && correct.has_edge(&mut reach, SuperEdge::Step(id)).expect("no limit") {
            pairs.insert((from, to));
        }
    }
    assert_eq!(pairs.into_iter().collect::<Vec<_>>(), [(1, 2), (2, 3), (3, 5)]);
}

/// § 7: the slice loses errors of omission: it has neither line 4 nor line 8.
#[test]
fn fig_4_the_slice_lacks_the_causes() {
    let mut session = load(&read("fig-1"));
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    let slice = faultline::report::report(&session)
        .projection
        .and_then(|projection| projection.slice)
        .expect("a slice");
    assert!(
        slice.lines.contains(&3) && !slice.lines.contains(&4) && !slice.lines.contains(&8),
        "{slice:?}"
    );
    // Beside each cause: the slice of the assertion that fails.
    let report = localize_report(&figure("fig-1", Variant::Edges));
    let beside: Vec<_> = report
        .causes
        .iter()
        .map(|cause| cause.slice.as_ref().expect("a slice").lines.clone())
        .collect();
    assert!(
        beside[0].contains(&3) && !beside[0].contains(&4) && !beside[0].contains(&7),
        "{beside:?}"
    );
    assert!(beside[1].contains(&7) && !beside[1].contains(&8), "{beside:?}");
}

/// Fig. 8: no edge is a cause; by transitions everything from the return into line 3 on, and
/// nothing of the callee (7, 9).
#[test]
fn fig_8_variable_value_error() {
    let found = figure("fig-8", Variant::Edges);
    let [t1] = found.traces() else { panic!("{} runs", found.traces().len()) };
    assert_eq!(
        t1.path(),
        [2, 3, 7, 9, 3, 4, 6],
        "the paper's [1, 2, 3, 7, 9, 4, 6]; it has no statement on line 1, and a return site on line 3"
    );
    assert_eq!(t1.lines(Variant::Edges), [0; 0]);
    assert_eq!(found.ending(), Some(Ending::NoCause), "coincidental correctness");
    assert_eq!(t1.lines(Variant::Transitions), [3, 4]);
    let suffix: Vec<SuperEdge> = t1.transitions[t1.transitions.len() - 3..]
        .iter()
        .map(|judged| judged.transition.edge)
        .collect();
    assert!(
        matches!(suffix[..], [SuperEdge::Return(_), SuperEdge::Onward(_), SuperEdge::Step(_)]),
        "{suffix:?}"
    );
    assert_eq!(t1.causes(Variant::Transitions), suffix.into_iter().collect());
    let found = figure("fig-8", Variant::Transitions);
    assert_eq!((found.traces().len(), found.ending()), (1, Some(Ending::NoError)));
}

/// Where the incorrect suffix of the only failing run starts, as a pair of lines.
fn suffix_starts(name: &str) -> (SuperEdge, u32, u32) {
    let found = figure(name, Variant::Edges);
    let [t1] = found.traces() else { panic!("{} runs", found.traces().len()) };
    assert_eq!(
        (t1.lines(Variant::Edges).as_slice(), found.ending()),
        (&[][..], Some(Ending::NoCause))
    );
    let program = found.program();
    let first = t1
        .transitions
        .iter()
        .position(|judged| !judged.is_correct)
        .expect("an incorrect transition");
    let [edge, next] = [first, first + 1].map(|k| t1.transitions[k].transition.edge);
    (edge, edge.from(program).line(program), next.from(program).line(program))
}

/// Fig. 9: no edge is a cause; by transitions the suffix from the return into line 3 on, if foo
/// writes nothing that is tracked; with foo of Fig. 8, which writes g, it starts at 9→10.
#[test]
fn fig_9_control_flow_error() {
    let (edge, _, to) = suffix_starts("fig-9");
    assert!(matches!(edge, SuperEdge::Return(_)) && to == 3, "{edge:?} {to}");
    let (edge, from, to) = suffix_starts("fig-9-tracked");
    assert!(matches!(edge, SuperEdge::Step(_)), "{edge:?}");
    assert_eq!((from, to), (9, 10));
}

/// Fig. 10 with the predicate on `status` (here: as the program is): {(8,10), (10,11), (11,exit),
/// (4,6)}. Without it, its abstraction written out by hand, with line 4 a choice: {(4,6)}, and line
/// 11 is missed.
#[test]
fn fig_10_model_imprecision() {
    let found = figure("fig-10", Variant::Edges);
    let [t2] = found.traces() else { panic!("{} runs", found.traces().len()) };
    assert_eq!(
        t2.path(),
        [2, 8, 10, 11, 2, 3, 4, 6, 7],
        "the paper's [1, 2, 8, 10, 11, 3, 4, 6, 7]"
    );
    let exit = found
        .program()
        .location(found.program().procedures.iter().find(|p| p.name == "taz").expect("taz").exit)
        .line;
    let mut expected = vec![(8, 10), (10, 11), (11, exit), (4, 6)];
    expected.retain(|(from, to)| from != to);
    assert_eq!(causes(found.program(), t2, Variant::Edges), expected);
    assert_eq!(t2.causes(Variant::Edges).len(), 4);
    assert_eq!(t2.lines(Variant::Edges), [4, 10, 11]);
    let found = figure("fig-10-abstract", Variant::Edges);
    let [t] = found.traces() else { panic!("{} runs", found.traces().len()) };
    assert_eq!(causes(found.program(), t, Variant::Edges), [(4, 6)]);
    assert_eq!(t.lines(Variant::Edges), [4]);
}

/// § 8: what a trusted procedure does is no cause.
#[test]
fn trusted_procedures_are_not_blamed() {
    let source = read("fig-10");
    let procedure = |name: &str| {
        let session = load(&source);
        let found = session
            .program()
            .expect("a program")
            .procedures
            .iter()
            .position(|procedure| procedure.name == name);
        ProcedureId(found.expect("a procedure") as u32)
    };
    let options = LocalizeOptions { trusted: vec![procedure("taz")], ..LocalizeOptions::default() };
    let found = localize(&source, options, Budgets::default());
    assert_eq!(found.traces()[0].lines(Variant::Edges), [4]);
    let options = LocalizeOptions {
        trusted: vec![procedure("taz"), procedure("main")],
        ..LocalizeOptions::default()
    };
    let found = localize(&source, options, Budgets::default());
    assert_eq!(
        (found.traces()[0].lines(Variant::Edges).len(), found.ending()),
        (0, Some(Ending::Trusted))
    );
}

/// An error label has no condition that could be true: a run is correct if the program ends.
#[test]
fn correct_runs_past_an_error_label_end_the_program() {
    let source = "bool b;
void main() {
  if (*) skip;
  if (b) {
    error: skip;
  }
}
";
    let found = localize(source, LocalizeOptions::default(), Budgets::default());
    let trace = &found.traces()[0];
    assert!(trace.judged && trace.ends_with_program);
    assert_eq!(trace.lines(Variant::Edges), [4]);
    assert!(
        trace.transitions[0].edge_is_correct && !trace.transitions[0].is_correct,
        "with b, which never changes, every run fails"
    );
}

/// The end is that of the first frame: that the inner main ends helps no run, as the outer one
/// never does.
#[test]
fn an_inner_frame_of_main_is_not_the_end() {
    let source = "bool once = false;
void main() {
  if (!once) {
    once = true;
    main();
    if (*) { error: skip; }
    assume(false);
  }
}
";
    let found = localize(source, LocalizeOptions::default(), Budgets::default());
    let trace = &found.traces()[0];
    assert!(
        trace.judged
            && trace.transitions.len() > 5
            && trace.transitions.iter().all(|judged| !judged.edge_is_correct)
    );
    let ends = localize(
        &source.replace("assume(false);", "skip;"),
        LocalizeOptions::default(),
        Budgets::default(),
    );
    assert_eq!(ends.traces()[0].lines(Variant::Edges), [6]);
}

/// A failing run that is known stays, whatever the limit.
#[test]
fn limits_leave_what_was_found() {
    let source = read("fig-9-tracked");
    let whole = localize(&source, LocalizeOptions::default(), Budgets::default());
    let enough = whole.steps();
    let mut seen = BTreeSet::new();
    for max_steps in (1..enough).step_by(97) {
        let found = localize(
            &source,
            LocalizeOptions::default(),
            Budgets { max_steps, ..Budgets::default() },
        );
        let report = localize_report(&found);
        match found.outcome() {
            Outcome::Unknown(Limit::Steps) => assert!(found.traces().is_empty()),
            Outcome::Unsafe => {
                let trace = &found.traces()[0];
                assert_eq!(
                    report.causes.len(),
                    usize::from(trace.judged),
                    "a run without a judgement has no cause to report"
                );
                assert_eq!(trace.judged, found.ending() == Some(Ending::NoCause));
                seen.insert(trace.judged);
            }
            other => panic!("{other:?} with {max_steps} steps"),
        }
    }
    assert!(seen.contains(&false), "some limit lies between verdict and causes");
}

/// A look ahead of each transition decides by itself, without post\*, what the way back from
/// post\*'s end decides.
#[test]
fn looks_ahead_decide_without_post_star() {
    let limits = KernelLimits { max_nodes: 100_000, max_steps: 1_000_000 };
    let (mut correct, mut incorrect) = (0, 0);
    for name in ["fig-1", "fig-8", "fig-9", "fig-10"] {
        let found = figure(name, Variant::Edges);
        let trace = &found.traces()[0];
        let failing = trace.run.entries.last().expect("a run").edge;
        let check = replay(found.program(), &trace.run.run).expect("a run").failed_check;
        let transitions: Vec<Transition> =
            trace.transitions.iter().map(|judged| judged.transition.clone()).collect();
        let mut reach = Reach::new(Rc::clone(found.program()), None, limits).expect("no limit");
        let mut ahead = ForwardJudgement::new(&reach.program, failing, check, &transitions);
        let looked = loop {
            if let Some(looked) = ahead.step(&mut reach).expect("no limit") {
                break looked;
            }
        };
        assert!(!reach.is_done(), "{name}: nobody else went on");
        let Judgement::Decided(decided) = looked else { continue };
        let judged: Vec<(bool, bool)> = trace
            .transitions
            .iter()
            .map(|judged| (judged.edge_is_correct, judged.is_correct))
            .collect();
        assert_eq!(decided, judged, "{name}");
        correct += decided.iter().filter(|(_, is_correct)| *is_correct).count();
        incorrect += decided.iter().filter(|(_, is_correct)| !is_correct).count();
    }
    assert!(
        correct > 0 && incorrect > 0,
        "{correct} correct and {incorrect} incorrect ones decided"
    );
}

/// A halt on any part of a call, and on a step, is passed by no run: by the interpreter, which
/// executes everything that is possible.
#[test]
fn no_run_passes_a_halt() {
    let source = "int x; int f() { return 1; } void main() { x = f(); x = 2; assert(x == 2); }";
    let session = load(source);
    let program = session.program().expect("a program");
    let named = |text: &str| {
        program.edge_ids().find(|id| program.edge(*id).text.contains(text)).expect("a statement")
    };
    let (call, inside, behind) = (named("f()"), named("return 1"), named("x = 2"));
    let executed = |halts: &[SuperEdge]| {
        let halted = halted(program, &halts.iter().copied().collect());
        let machine = Machine::new(&halted);
        let (mut waiting, mut done) = (machine.starts(1_000).0, BTreeSet::new());
        while let Some(here) = waiting.pop() {
            for transition in machine.successors(&here, 100).transitions {
                if let Executed::Next(next) = transition.outcome {
                    done.insert(transition.step.edge);
                    waiting.push(next);
                }
            }
        }
        [call, inside, behind].map(|edge| done.contains(&edge))
    };
    assert_eq!(executed(&[]), [true, true, true]);
    assert_eq!(executed(&[SuperEdge::Enter(call)]), [false, false, false]);
    assert_eq!(executed(&[SuperEdge::Return(call)]), [true, true, false]);
    assert_eq!(executed(&[SuperEdge::Onward(call)]), [true, true, false]);
    assert_eq!(executed(&[SuperEdge::Step(behind)]), [true, true, false]);
}

/// As many runs as asked for, and a safe program has none.
#[test]
fn most_traces_and_safe_programs() {
    let found = localize(
        &read("fig-1"),
        LocalizeOptions { max_traces: 1, ..LocalizeOptions::default() },
        Budgets::default(),
    );
    assert_eq!((found.traces().len(), found.ending()), (1, Some(Ending::MaxTraces)));
    let found =
        localize("void main() { assert(1 == 1); }", LocalizeOptions::default(), Budgets::default());
    assert_eq!(
        (found.outcome(), found.traces().len(), found.ending()),
        (Outcome::Safe, 0, Some(Ending::NoError))
    );
}
