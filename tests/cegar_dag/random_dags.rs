//! Random DAGs: strongest interpolants are the stores that arrive, weakest ones the complement of those that fail, every heuristic keeps every
//! property, and a DAG is spurious iff no explicit trace fails.

use crate::explicit::Explicit;
use crate::picture::World;
use crate::support::SplitMix64;
use crate::traces::expect_replayed;
use crate::unroll;
use faultline::analysis::cegar::dag::{Action, CounterexampleDag, Mode};
use faultline::analysis::cegar::heuristic::Heuristic;

/// Stores sampled at each node for the weakest interpolants.
const SAMPLES: usize = 12;

#[derive(Debug, Default)]
struct Tally {
    spurious: u32,
    real: u32,
    /// Real ones that have traces which are not.
    some_real: u32,
    bodies: u32,
    nested: u32,
    shared: u32,
    push_only: u32,
    proved: u64,
    sampled_failing: u32,
}

fn compare(world: &mut World, dag: &CounterexampleDag, random: &mut SplitMix64, tally: &mut Tally) {
    let program = world.program.clone();
    let mut explicit = Explicit::new(&program, dag);
    let weakest = world.interpolate(dag, Heuristic::Weakest);
    for node in dag.node_ids() {
        let stores = &explicit.reached[node.0 as usize];
        let strongest = weakest.strongest[node.0 as usize];
        assert_eq!(explicit.count(world, node, strongest), stores.len() as u64, "{node:?}: {:?}", dag.node(node));
        assert!(stores.iter().all(|store| explicit.holds(world, node, strongest, store)), "{node:?}: {:?}", dag.node(node));
    }
    assert_eq!(weakest.is_spurious(dag), !explicit.is_real());
    if explicit.is_real() {
        tally.real += 1;
        let ends = dag.incoming(dag.bottom()).iter().map(|id| explicit.reached[dag.edge(*id).from.0 as usize].is_empty());
        tally.some_real += u32::from(ends.into_iter().any(|empty| empty));
        assert!(expect_replayed(world, dag, &weakest) > 0);
        return;
    }
    tally.spurious += 1;
    for node in dag.node_ids() {
        for _ in 0..SAMPLES {
            let Some(store) = explicit.sample(world, node, &mut |bound| random.below(bound)) else { break };
            let fails = explicit.fails(world, node, &store);
            tally.sampled_failing += u32::from(fails);
            let holds = explicit.holds(world, node, weakest.weakest[node.0 as usize], &store);
            assert_eq!(holds, !fails, "{node:?}: {:?}, {store:?}", dag.node(node));
        }
    }
    for heuristic in Heuristic::ALL {
        let interpolants = world.interpolate(dag, heuristic);
        tally.proved += world.check(dag, &interpolants).unwrap_or_else(|broken| panic!("{heuristic:?}: {broken:?}"));
    }
}

#[test]
fn interpolants_of_random_dags() {
    let mut tally = Tally::default();
    let mut found = 0;
    for seed in 0..2_000 {
        let mut random = SplitMix64(seed);
        let source = unroll::program(&mut random);
        let mut world = World::load(&source);
        let longest = 5 + random.below(4) as u32;
        let Some(dag) = unroll::dag(&world.program.clone(), &mut random, longest) else { continue };
        if dag.node_count() < 8 {
            continue;
        }
        found += 1;
        let bodies = dag.parts().len() - 1;
        let is_call_in_body = |id| matches!(dag.edge(id).action, Action::Return(_)) && dag.is_in_body(dag.edge(id).from);
        tally.bodies += u32::from(bodies > 0);
        tally.nested += u32::from(dag.edge_ids().any(is_call_in_body));
        tally.shared += u32::from(dag.parts()[1..].iter().any(|body| dag.uses(body.instance).count() > 1));
        tally.push_only += u32::from(dag.instances().iter().any(|instance| instance.mode == Mode::PushOnly));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compare(&mut world, &dag, &mut random, &mut tally)));
        assert!(outcome.is_ok(), "seed {seed}:\n{source}");
        if found == 120 {
            break;
        }
    }
    assert_eq!(found, 120);
    // The DAGs are worth checking.
    assert!(tally.spurious >= 24 && tally.real >= 36, "{tally:?}");
    assert!(tally.some_real >= 10 && tally.sampled_failing >= 100, "{tally:?}");
    assert!(tally.bodies >= 40 && tally.push_only >= 30 && tally.nested >= 10 && tally.shared >= 5, "{tally:?}");
    assert!(tally.proved > 0, "{tally:?}");
}
