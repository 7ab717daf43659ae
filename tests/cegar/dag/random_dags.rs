//! Random DAGs: strongest interpolants are the stores that arrive, weakest ones the complement of
//! those that fail, every heuristic keeps every property, and a DAG is spurious iff no explicit
//! trace fails.

use super::explicit::Explicit;
use super::picture::World;
use super::traces::expect_replayed;
use super::unroll;
use crate::support::Random;
use faultline::analysis::cegar::check::{Claim, Obligation};
use faultline::analysis::cegar::dag::{Action, CounterexampleDag, DagPoint, Mode, NodeId};
use faultline::analysis::cegar::interpolants::Interpolants;
use faultline::analysis::cegar::interpolation::Interpolation;
use faultline::analysis::cegar::lazy::needed;
use faultline::bdd::Bdd;
use faultline::encode::ProgramDomain;
use faultline::wire::refinement::Heuristic;

/// So many DAGs.
const DAGS: u32 = 400;
/// Stores sampled at each node for the weakest interpolants.
const SAMPLES: usize = 12;

#[derive(Debug, Default)]
struct Tally {
    spurious: u32,
    real: u32,
    /// Of which every trace was walked.
    walked: u32,
    /// Real ones that have traces which are not.
    some_real: u32,
    /// Of the spurious ones.
    bodies: u32,
    nested: u32,
    shared: u32,
    push_only: u32,
    proved: u64,
    sampled_failing: u32,
    /// Interpolants that are no constants and not needed, as other nodes' values are known.
    left_out: u64,
}

/// Where the weakest are not asked for the same interpolants are chosen.
fn without_weakest(
    world: &mut World,
    dag: &CounterexampleDag,
    heuristic: Heuristic,
    whole: &Interpolants,
) {
    let mut interpolation = Interpolation::of_chosen(dag, heuristic);
    interpolation.run(&mut world.concrete(), dag).unwrap();
    let interpolants = interpolation.into_result();
    assert_eq!(interpolants.chosen, whole.chosen);
    assert_eq!(
        interpolants.weakest.is_empty(),
        !matches!(heuristic, Heuristic::Weakest | Heuristic::Both)
    );
    world.check(dag, &interpolants).unwrap_or_else(|broken| panic!("{heuristic:?}: {broken:?}"));
}

/// Lazy abstraction: whatever was known before at some nodes, the interpolants that are needed,
/// with that, still exclude the DAG. How many are left out.
fn lazily(
    world: &mut World,
    dag: &CounterexampleDag,
    interpolants: &Interpolants,
    random: &mut Random,
) -> u64 {
    let family = &interpolants.chosen[0];
    let known: Vec<Bdd> = interpolants
        .strongest
        .iter()
        .map(|i| if random.below(4) == 0 { *i } else { Bdd::TRUE })
        .collect();
    let needed = needed(&mut world.concrete(), dag, family, &known).unwrap();
    let said: Vec<Bdd> =
        (0..family.len()).map(|k| if needed[k] { family[k] } else { known[k] }).collect();
    let ProgramDomain { kernel, layout, frames, .. } = &mut world.domain;
    let (strongest, bound) = (&interpolants.strongest, &interpolants.weakest);
    let claim =
        Claim { program: &world.program, layout, frames, dag, strongest, family: &said, bound };
    for edge in dag.edge_ids().filter(|id| needed[dag.edge(*id).to.0 as usize]) {
        assert!(claim.holds(kernel, Obligation::Tracked(edge)).unwrap(), "{:?}", dag.edge(edge));
    }
    assert!(!needed[dag.top().0 as usize], "nothing is needed at the top");
    assert!(needed[dag.bottom().0 as usize] || known[dag.bottom().0 as usize].is_false());
    (0..family.len()).filter(|k| !needed[*k] && !family[*k].is_constant()).count() as u64
}

/// Traces by walking each of them, with a stack of pending returns: how many there are, and how
/// many pass each node. `None`: too many.
fn walked(dag: &CounterexampleDag) -> Option<Vec<u64>> {
    let mut passed = vec![0; dag.node_count()];
    let mut work = vec![(vec![dag.top()], Vec::new())];
    for _ in 0..20_000 {
        let Some((path, pending)) = work.pop() else { return Some(passed) };
        let node: NodeId = *path.last().unwrap();
        if node == dag.bottom() {
            path.iter().for_each(|node| passed[node.0 as usize] += 1);
        }
        if dag.node(node).point == DagPoint::Returned {
            let mut pending: Vec<NodeId> = pending.clone();
            let to = pending.pop().expect("a body was called");
            work.push(([&path[..], &[to]].concat(), pending));
        }
        for edge in dag.outgoing(node).iter().map(|id| dag.edge(*id)) {
            let mut pending = pending.clone();
            let mut to = edge.to;
            if let Action::Return(body) = edge.action {
                pending.push(to);
                to = dag.body(body).top();
            }
            work.push(([&path[..], &[to]].concat(), pending));
        }
    }
    None
}

fn compare(world: &mut World, dag: &CounterexampleDag, random: &mut Random, tally: &mut Tally) {
    let program = world.program.clone();
    let mut explicit = Explicit::new(&program, dag);
    let weakest = world.interpolate(dag, Heuristic::Weakest);
    if let Some(walked) = walked(dag) {
        assert_eq!(dag.traces_through(), walked);
        tally.walked += 1;
    }
    for node in dag.node_ids() {
        let stores = &explicit.reached[node.0 as usize];
        let strongest = weakest.strongest[node.0 as usize];
        assert_eq!(
            explicit.count(world, node, strongest),
            stores.len() as u64,
            "{node:?}: {:?}",
            dag.node(node)
        );
        assert!(
            stores.iter().all(|store| explicit.holds(world, node, strongest, store)),
            "{node:?}: {:?}",
            dag.node(node)
        );
    }
    assert_eq!(weakest.is_spurious(dag), !explicit.is_real());
    if explicit.is_real() {
        tally.real += 1;
        let ends = dag
            .incoming(dag.bottom())
            .iter()
            .map(|id| explicit.reached[dag.edge(*id).from.0 as usize].is_empty());
        tally.some_real += u32::from(ends.into_iter().any(|empty| empty));
        assert!(expect_replayed(world, dag, &weakest) > 0);
        return;
    }
    tally.spurious += 1;
    let is_call_in_body =
        |id| matches!(dag.edge(id).action, Action::Return(_)) && dag.is_in_body(dag.edge(id).from);
    tally.bodies += u32::from(dag.parts().len() > 1);
    tally.nested += u32::from(dag.edge_ids().any(is_call_in_body));
    tally.shared +=
        u32::from(dag.parts()[1..].iter().any(|body| dag.uses(body.instance).count() > 1));
    tally.push_only +=
        u32::from(dag.instances().iter().any(|instance| instance.mode == Mode::PushOnly));
    for node in dag.node_ids() {
        for _ in 0..SAMPLES {
            let Some(store) = explicit.sample(world, node, &mut |bound| random.below(bound)) else {
                break;
            };
            let fails = explicit.fails(world, node, &store);
            tally.sampled_failing += u32::from(fails);
            let holds = explicit.holds(world, node, weakest.weakest[node.0 as usize], &store);
            assert_eq!(holds, !fails, "{node:?}: {:?}, {store:?}", dag.node(node));
        }
    }
    for heuristic in Heuristic::ALL {
        let interpolants = world.interpolate(dag, heuristic);
        tally.proved += world
            .check(dag, &interpolants)
            .unwrap_or_else(|broken| panic!("{heuristic:?}: {broken:?}"));
        without_weakest(world, dag, heuristic, &interpolants);
        tally.left_out += lazily(world, dag, &interpolants, random);
    }
}

#[test]
fn interpolants_of_random_dags() {
    let mut tally = Tally::default();
    let mut found = 0;
    for seed in 0..10_000 {
        let mut random = Random::new(seed);
        let source = unroll::program(&mut random);
        let mut world = World::load(&source);
        let longest = 5 + random.below(4) as u32;
        let Some(dag) = unroll::dag(&world.program.clone(), &mut random, longest) else { continue };
        if dag.node_count() < 8 {
            continue;
        }
        found += 1;
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            compare(&mut world, &dag, &mut random, &mut tally)
        }));
        assert!(outcome.is_ok(), "seed {seed}:\n{source}");
        if found == DAGS {
            break;
        }
    }
    assert_eq!(found, DAGS);
    // The DAGs are worth checking.
    assert!(tally.walked >= 200, "{tally:?}");
    assert!(tally.spurious >= 80 && tally.real >= 120, "{tally:?}");
    assert!(tally.some_real >= 40 && tally.sampled_failing >= 1_000, "{tally:?}");
    assert!(
        tally.bodies >= 30 && tally.push_only >= 20 && tally.nested >= 10 && tally.shared >= 5,
        "{tally:?}"
    );
    assert!(tally.proved >= 50_000 && tally.left_out >= 100, "{tally:?}");
}
