//! What is no DAG, and what is no interpolant, is refused.

use super::picture::World;
use super::unroll;
use crate::support::Random;
use faultline::analysis::cegar::check::{Obligation, Which};
use faultline::analysis::cegar::concrete_trace::concrete_trace;
use faultline::analysis::cegar::dag::{Action, DagPoint, InstanceId, NodeId};
use faultline::analysis::cegar::dag_builder::{DagBuilder, DagError};
use faultline::analysis::cegar::interpolation::Interpolation;
use faultline::bdd::{Bdd, KernelLimits};
use faultline::lang::model::{Edge, EdgeId};
use faultline::util::limits::Limit;
use faultline::wire::refinement::Heuristic;

/// One interpolant is made too weak, too strong, or speaks of something else: the check finds it.
#[test]
fn broken_interpolants() {
    let mut refused = [0; 4];
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut world = World::load(&unroll::program(&mut random));
        let Some(dag) = unroll::dag(&world.program.clone(), &mut random, 6) else { continue };
        let good = world.interpolate(&dag, Heuristic::Skip);
        if !good.is_spurious(&dag) {
            continue;
        }
        for node in dag.node_ids() {
            let k = node.0 as usize;
            let mut broken = |kind: usize, predicate: Bdd, wanted: &[Obligation]| {
                let mut bad = good.clone();
                bad.chosen[0][k] = predicate;
                let found = world.check(&dag, &bad).expect_err("a broken interpolant");
                assert_eq!(found.which, Which::Chosen(0));
                assert!(wanted.contains(&found.obligation), "{found:?}");
                refused[kind] += 1;
            };
            let bound = good.bounds[0][k];
            if !bound.is_true() {
                broken(0, Bdd::TRUE, &[Obligation::Bottom, Obligation::Between(node)]);
            }
            if !good.strongest[k].is_false() {
                broken(1, Bdd::FALSE, &[Obligation::Top, Obligation::Between(node)]);
            }
            // Between, but not tracked: the weakest here, where what follows asks for more.
            let (chosen, weakest) = (good.chosen[0][k], bound);
            let asks = |id: &faultline::analysis::cegar::dag::DagEdgeId| {
                matches!(dag.edge(*id).action, Action::Execute(_))
            };
            if chosen != weakest
                && dag.outgoing(node).iter().all(asks)
                && !dag.outgoing(node).is_empty()
            {
                let mut mixed = good.clone();
                mixed.chosen[0][k] = weakest;
                match world.check(&dag, &mixed) {
                    Ok(_) => {}
                    Err(found) => {
                        assert!(matches!(found.obligation, Obligation::Tracked(_)), "{found:?}");
                        refused[2] += 1;
                    }
                }
            }
            // Of a variable that is not the node's: one in the middle.
            if let DagPoint::Location(_) = dag.node(node).point {
                let other = world.domain.layout.cell(
                    world.domain.visible(dag.procedure(node))[0],
                    faultline::encode::Copy::Middle,
                )[0];
                let literal = world.domain.kernel.var(other).unwrap();
                let odd = world.domain.kernel.and(good.chosen[0][k], literal).unwrap();
                let mut bad = good.clone();
                bad.chosen[0][k] = odd;
                if odd != Bdd::FALSE {
                    assert_eq!(
                        world.check(&dag, &bad).expect_err("another variable").obligation,
                        Obligation::Signature(node)
                    );
                    refused[3] += 1;
                }
            }
        }
        if refused.iter().all(|count| *count >= 20) {
            return;
        }
    }
    panic!("too little was broken: {refused:?}");
}

const LOOP: &str =
    "int x; void main() { x = x + 1; while (x != 0) { x = x - 1; } assert(x == 0); }";

/// Edges where they cannot be, cycles, loose ends.
#[test]
fn graphs_that_are_no_dags() {
    let world = World::load(LOOP);
    let program = &world.program;
    let entry = program.procedure(program.main_id()).entry;
    let find = |wanted: &dyn Fn(&Edge) -> bool| {
        program.edge_ids().find(|id| wanted(program.edge(*id))).expect("an edge of the program")
    };
    let (first, into, leaving) = (
        find(&|e| e.from == entry),
        find(&|e| e.outcome == "true"),
        find(&|e| e.outcome == "false"),
    );
    let (inside, after) = (program.edge(into).to, program.edge(leaving).to);
    let (body, assertion) = (find(&|e| e.from == inside), find(&|e| !e.checks.is_empty()));
    let header = program.edge(into).from;
    assert_eq!(
        (program.edge(first).to, program.edge(body).to, program.edge(assertion).from),
        (header, header, after)
    );

    let mut whole = DagBuilder::new(program);
    let main = whole.main();
    let start = whole.node(main, DagPoint::Location(entry), 0);
    let head = whole.node(main, DagPoint::Location(header), 1);
    let last = whole.node(main, DagPoint::Location(after), 2);
    whole.edge(whole.start(), start, Action::Begin);
    whole.edge(start, head, Action::Execute(first));
    whole.edge(head, last, Action::Execute(leaving));
    whole.edge(last, whole.error(), Action::Fail(assertion, 0));
    let dag = whole.clone().finish(program).expect("a DAG");
    assert_eq!(
        (dag.trace_count(), dag.node(dag.top()).point, dag.node(dag.bottom()).point),
        (1, DagPoint::Start, DagPoint::Error)
    );

    let with = |change: &dyn Fn(&mut DagBuilder)| {
        let mut builder = whole.clone();
        change(&mut builder);
        builder.finish(program).expect_err("no DAG")
    };
    let around = with(&|builder| {
        let inner = builder.node(main, DagPoint::Location(inside), 2);
        builder.edge(head, inner, Action::Execute(into));
        builder.edge(inner, head, Action::Execute(body));
    });
    assert!(matches!(around, DagError::Cycle(_)), "{around:?}");
    let stuck = with(&|builder| {
        let inner = builder.node(main, DagPoint::Location(inside), 2);
        builder.edge(head, inner, Action::Execute(into));
    });
    assert!(matches!(stuck, DagError::Stuck(_)), "{stuck:?}");
    let unreached = with(&|builder| {
        let other = builder.node(main, DagPoint::Location(after), 3);
        builder.edge(other, builder.error(), Action::Fail(assertion, 0));
    });
    assert!(matches!(unreached, DagError::Unreached(_)), "{unreached:?}");
    let doubled = with(&|builder| {
        let other = builder.node(main, DagPoint::Error, 3);
        builder.edge(last, other, Action::Fail(assertion, 0));
    });
    assert!(matches!(doubled, DagError::NotPolarized(_)), "{doubled:?}");
    let elsewhere =
        |from: NodeId, to: NodeId, action: Action| with(&|builder| builder.edge(from, to, action));
    assert!(matches!(elsewhere(last, head, Action::Execute(leaving)), DagError::Misplaced(_)));
    assert!(matches!(
        elsewhere(head, last, Action::Execute(EdgeId(9_999))),
        DagError::Misplaced(_)
    ));
    assert!(matches!(elsewhere(head, last, Action::Push(leaving)), DagError::Misplaced(_)));
    assert!(matches!(elsewhere(head, last, Action::Return(InstanceId(9))), DagError::Misplaced(_)));
    assert!(matches!(
        elsewhere(last, whole.error(), Action::Fail(assertion, 7)),
        DagError::Misplaced(_)
    ));
    assert!(matches!(elsewhere(head, NodeId(77), Action::Enter), DagError::Missing));
}

/// A budget that runs out ends a step with its limit; with a new budget the pass goes on and comes
/// to the same.
#[test]
fn limits_interrupt_and_go_on() {
    let mut interrupted = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut world = World::load(&unroll::program(&mut random));
        let Some(dag) = unroll::dag(&world.program.clone(), &mut random, 6) else { continue };
        let mut whole = Interpolation::new(&dag, Heuristic::SkipConciliated);
        whole.run(&mut world.concrete(), &dag).unwrap();
        // The relations and the cache start anew.
        let mut world = World::load(&unroll::program(&mut Random::new(seed)));
        let mut pieces = Interpolation::new(&dag, Heuristic::SkipConciliated);
        let mut budget = 20;
        while !pieces.is_done() {
            let max_steps = world.domain.kernel.steps() + budget;
            world.domain.kernel.set_limits(KernelLimits { max_steps, ..KernelLimits::NONE });
            if let Err(limit) = pieces.step(&mut world.concrete(), &dag) {
                assert_eq!(limit, Limit::Steps);
                interrupted += 1;
                budget *= 2;
            }
        }
        world.domain.kernel.set_limits(KernelLimits::NONE);
        let (whole, pieces) = (whole.into_result(), pieces.into_result());
        assert_eq!(whole.is_spurious(&dag), pieces.is_spurious(&dag));
        if pieces.is_spurious(&dag) {
            world.check(&dag, &pieces).unwrap_or_else(|broken| panic!("{broken:?}"));
        }
        let errors = world.system.errors.clone();
        let run = concrete_trace(&mut world.concrete(), &dag, &pieces.strongest, &errors).unwrap();
        assert_eq!(run.is_none(), pieces.is_spurious(&dag));
    }
    assert!(interrupted > 30, "{interrupted}");
}
