//! Causes on abstractions by predicates, which allow more runs than the program has.

use super::*;

/// Which edges of the failing run of Fig. 10 are no correct ones of an abstraction by predicates on
/// `cnt`, and on `status` and what taz returns.
fn causes_on_the_abstraction(with_status: bool) -> Vec<(u32, u32)> {
    let found = figure("fig-10", Variant::Edges);
    let trace = &found.traces()[0];
    let program = Rc::clone(found.program());
    let limits = KernelLimits { max_nodes: 4_000_000, max_steps: 100_000_000 };
    let options = CegarOptions { follow: false, ..CegarOptions::default() };
    let mut cegar = Cegar::new(Rc::clone(&program), None, limits, options).expect("no limit");
    let all = |owner: &str| {
        let id = ProcedureId(
            program.procedures.iter().position(|one| one.name == owner).expect("a procedure")
                as u32,
        );
        let here = (0..program.locations.len() as u32)
            .map(LocationId)
            .filter(|at| program.location(*at).procedure == id);
        let points: Vec<ProgramPoint> = here.map(ProgramPoint::Location).collect();
        (id, points)
    };
    let named = |name: &str| {
        VariableId(
            program.variables.iter().position(|one| one.name == name).expect("a variable") as u32
        )
    };
    let mut give = |points: &[ProgramPoint], variable: VariableId, value: u64| {
        let cell = Cell { variable, element: 0 };
        let domain = &mut cegar.abstracted().domain;
        let formula =
            domain.fixed(&[cell], Copy::Now, &Valuation([(cell, value)].into())).expect("no limit");
        points.iter().for_each(|point| assert!(cegar.seed(*point, formula)));
    };
    for owner in ["main", "taz", "bar"] {
        let (id, mut points) = all(owner);
        points.push(ProgramPoint::Returned(id));
        give(&points, named("cnt"), 0);
        give(&points, named("cnt"), 1);
    }
    if with_status {
        give(&all("main").1, named("status"), 1);
        let (taz, mut points) = all("taz");
        points.push(ProgramPoint::Returned(taz));
        give(&points, program.procedure(taz).result.expect("it returns a value"), 1);
    }
    let abstracted = cegar.abstracted();
    while !abstracted.abstraction.is_done() {
        abstracted.abstract_one().expect("no limit");
    }
    let model = as_program(abstracted).expect("no limit");
    let mut reach = Reach::new(Rc::new(model.program.clone()), None, limits).expect("no limit");
    while !reach.is_done() {
        reach.step().expect("no limit");
    }
    let failing = trace.run.entries.last().expect("a run").edge;
    let mut correct =
        CorrectTransitions::new(&mut reach, model.images[failing.0 as usize].first, 0)
            .expect("no limit");
    while !correct.step(&mut reach).expect("no limit") {}
    let edges: Vec<SuperEdge> =
        trace.transitions.iter().map(|judged| judged.transition.edge).collect();
    let mut pairs = Vec::new();
    for (k, edge) in edges.iter().enumerate() {
        if !correct.has_edge(&mut reach, model.super_edge(*edge)).expect("no limit") {
            let last = program.location(program.edge(failing).from).line;
            pairs.push((
                edge.from(&program).line(&program),
                edges.get(k + 1).map_or(last, |next| next.from(&program).line(&program)),
            ));
        }
    }
    pairs.retain(|(from, to)| from != to);
    pairs
}

/// Fig. 10 on abstractions: without a predicate on `status` line 11 is missed and (2) is {(4,6)};
/// with it {(8,10), (10,11), (11,exit), (4,6)}.
#[test]
fn fig_10_on_two_abstractions() {
    assert_eq!(causes_on_the_abstraction(false), [(4, 6)]);
    assert_eq!(causes_on_the_abstraction(true), causes_of_fig_10());
}

fn causes_of_fig_10() -> Vec<(u32, u32)> {
    let found = figure("fig-10", Variant::Edges);
    let t2 = &found.traces()[0];
    causes(found.program(), t2, Variant::Edges)
}

/// The abstraction that the loop of refinement ends with allows at least what the program does: its
/// causes are causes. (It ends with the first run that really fails, so with few predicates.)
#[test]
fn causes_on_the_refined_abstraction() {
    for name in ["fig-1", "fig-8", "fig-9", "fig-10"] {
        let options =
            LocalizeOptions { refined: true, max_traces: 1, ..LocalizeOptions::default() };
        let refined = localize(&read(name), options, Budgets::default());
        let exact = figure(name, Variant::Edges);
        let [by_abstraction, by_program] =
            [&refined, &exact].map(|found| found.traces()[0].causes(Variant::Edges));
        assert!(
            refined.traces()[0].judged && by_abstraction.is_subset(&by_program),
            "{name}: {by_abstraction:?}, {by_program:?}"
        );
    }
}

/// An abstract check picks what it does not know. Where correct runs end is the program's to say.
#[test]
fn a_refined_abstraction_does_not_say_where_correct_runs_end() {
    let source = "//! error = (x == 2)\nint x;\nvoid main() { int y;\n y = nondet();\n x = 0;\n if (y > 1) {\n  x = y;\n  assume(false);\n }\n y = 0;\n}\n";
    for refined in [false, true] {
        let found = localize(
            source,
            LocalizeOptions { refined, max_traces: 1, ..LocalizeOptions::default() },
            Budgets::default(),
        );
        let trace = &found.traces()[0];
        assert!(
            matches!(&trace.correct, Ok(Some(run)) if run.passes_check) && !trace.ends_with_program
        );
        assert_eq!(trace.lines(Variant::Edges), [] as [u32; 0], "refined: {refined}");
    }
}

/// 6 / 0 is any value where division is not checked, so a run in the very same states passes.
#[test]
fn a_check_that_picks_may_pass_wherever_it_fails() {
    let source = "//! error = (6 / x == 0)\n//! checks = none\nint x; int y;\nvoid main() {\n y = nondet();\n x = 1;\n if (y == 1) {\n  x = 0;\n  assume(y != 1);\n }\n y = 2;\n}\n";
    let found = localize(
        source,
        LocalizeOptions { max_traces: 1, ..LocalizeOptions::default() },
        Budgets::default(),
    );
    assert!(!found.traces().is_empty() && !found.traces()[0].ends_with_program);
    assert_eq!(found.traces()[0].lines(Variant::Edges), [] as [u32; 0]);
}
