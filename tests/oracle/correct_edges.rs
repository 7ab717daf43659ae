//! Correct edges by the walk back over path edges, beside pre\* and outer contexts toward the same
//! end, for every edge of random programs.

use crate::support::generate;
use crate::support::shrink::each;
use crate::{load, loops};
use faultline::analysis::error_projection::{ErrorProjection, Goal, Phase};
use faultline::analysis::localize::correct::{CorrectTransitions, correct_end};
use faultline::analysis::localize::supergraph::SuperEdge;
use faultline::analysis::reach::Reach;
use faultline::bdd::{KernelLimits, roots_of};
use faultline::encode::AccelerateLoops;
use faultline::lang::model::{EdgeId, Operation, Program};
use std::rc::Rc;

/// By edge: is it on a run to the goal, and does one go on behind it?
type Edges = Vec<(bool, bool)>;

/// `collect`: garbage is collected after every step.
fn by_walk(reach: &mut Reach, goal: Goal, collect: bool) -> Edges {
    let mut correct = CorrectTransitions::toward(reach, goal.clone()).expect("no limit");
    let sweep = |reach: &mut Reach, correct: &CorrectTransitions| {
        let stores = match goal {
            Goal::Stores(_, stores) => Some(stores),
            _ => None,
        };
        if collect {
            let roots = roots_of(&[&stores, reach, correct]);
            reach.domain.kernel.collect(&roots);
        }
    };
    while !correct.step(reach).expect("no limit") {
        sweep(reach, &correct);
    }
    let program = Rc::clone(&reach.program);
    let mut has = |edge| {
        sweep(reach, &correct);
        correct.has_edge(reach, edge).expect("no limit")
    };
    let of = |id| match program.edge(id).operation {
        Operation::Call { .. } => {
            let returns = has(SuperEdge::Return(id));
            assert_eq!(returns, has(SuperEdge::Onward(id)));
            (has(SuperEdge::Enter(id)), returns)
        }
        _ => (has(SuperEdge::Step(id)), has(SuperEdge::Step(id))),
    };
    program.edge_ids().map(of).collect()
}

fn by_projection(reach: &mut Reach, goal: Goal) -> Edges {
    let mut projection = ErrorProjection::toward(reach, goal).expect("no limit");
    while projection.phase() != Phase::Done {
        projection.step(reach).expect("no limit");
    }
    projection.in_projection().iter().copied().zip(projection.passed().iter().copied()).collect()
}

/// Makes some call without arguments a call of main.
fn calls_main(program: &mut Program) -> bool {
    let main = program.main_id();
    let has_no_parameters = program.procedure(main).parameters.is_empty();
    for edge in &mut program.edges {
        if let Operation::Call { callee, arguments, result: None } = &mut edge.operation
            && has_no_parameters
            && arguments.is_empty()
        {
            *callee = main;
            return true;
        }
    }
    false
}

fn checks(program: &Program, most: usize) -> Vec<(EdgeId, usize)> {
    program
        .edge_ids()
        .flat_map(|id| (0..program.edge(id).checks.len()).map(move |check| (id, check)))
        .take(most)
        .collect()
}

/// post\*, complete.
fn reached(program: &Rc<Program>, when: AccelerateLoops) -> Reach {
    let limits = KernelLimits { max_nodes: 8_000_000, max_steps: 200_000_000 };
    let mut reach = Reach::new(Rc::clone(program), None, limits).expect("no limit");
    reach.domain.accelerate_loops(when);
    while !reach.is_done() {
        reach.step().expect("no limit");
    }
    reach
}

/// Where the check holds, or the program's end.
fn end(reach: &mut Reach, check: Option<(EdgeId, usize)>) -> Goal {
    check.map_or(Ok(Goal::End), |(edge, check)| correct_end(reach, edge, check)).expect("no limit")
}

#[test]
fn the_walk_back_has_the_edges_of_the_projection_toward_the_same_end() {
    let (mut goals, mut ends, mut recursive, mut correct, mut left, mut incorrect) =
        (0, 0, 0, 0, 0, 0);
    each(14_000..14_240, generate::sequential, |seed, source| {
        let Ok(mut program) = load(source) else { return };
        let calls_main = seed % 3 == 0 && calls_main(&mut program);
        let program = Rc::new(program);
        for check in checks(&program, 3).into_iter().map(Some).chain([None]) {
            let mut reach = reached(&program, AccelerateLoops::default());
            let goal = end(&mut reach, check);
            reach.domain.kernel.collect_after_every_step(true);
            let walked = by_walk(&mut reach, goal.clone(), seed % 4 == 0);
            assert_eq!(
                walked,
                by_projection(&mut reach, goal.clone()),
                "seed {seed}, {check:?}, main is called: {calls_main}\n{source}"
            );
            goals += 1;
            ends += u32::from(goal == Goal::End);
            recursive += u32::from(calls_main && walked.iter().any(|edge| edge.0));
            correct += walked.iter().filter(|edge| edge.0).count();
            left += walked.iter().filter(|edge| edge.0 && !edge.1).count();
            incorrect += walked.iter().filter(|edge| !edge.0).count();
        }
    });
    let tally = format!(
        "{goals} goals, {ends} ends, {recursive} where main is called, {correct} correct edges, {left} left, {incorrect} incorrect"
    );
    assert!(
        goals >= 400
            && ends >= 150
            && recursive >= 30
            && correct >= 3000
            && left >= 20
            && incorrect >= 1000,
        "{tally}"
    );
}

/// Back through loops whose rounds are summed up, and round by round.
#[test]
fn loops_that_are_summed_up_change_no_correct_edge() {
    let (mut goals, mut loops_summed_up, mut correct, mut incorrect) = (0, 0, 0, 0);
    each(0..22, loops::program, |seed, source| {
        let program = Rc::new(load(source).expect("a good program"));
        for check in checks(&program, 2).into_iter().map(Some).chain([None]) {
            let mut reach = reached(&program, AccelerateLoops::After(1));
            loops_summed_up += reach.domain.accelerated_loops();
            let goal = end(&mut reach, check);
            let summed_up = by_walk(&mut reach, goal.clone(), seed % 4 == 0);
            let mut reach = reached(&program, AccelerateLoops::Never);
            let goal = end(&mut reach, check);
            let one_by_one = by_walk(&mut reach, goal.clone(), false);
            assert_eq!(summed_up, one_by_one, "seed {seed}, {check:?}\n{source}");
            assert_eq!(
                one_by_one,
                by_projection(&mut reach, goal.clone()),
                "seed {seed}, {check:?}\n{source}"
            );
            goals += 1;
            correct += summed_up.iter().filter(|edge| edge.0).count();
            incorrect += summed_up.iter().filter(|edge| !edge.0).count();
        }
    });
    let tally = format!(
        "{goals} goals, {loops_summed_up} loops summed up, {correct} correct edges, {incorrect} incorrect"
    );
    assert!(goals >= 60 && loops_summed_up >= 100 && correct >= 600 && incorrect >= 600, "{tally}");
}
