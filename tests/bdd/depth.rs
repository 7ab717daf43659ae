//! Operations at the cap of levels on a small native stack. The default thread of a test has 2 MB;
//! a browser's worker about 1 MB, of which half is to stay free.

use faultline::bdd::{Bdd, KernelLimits, MAX_LEVELS, Manager, Var};

/// Half of what a worker has. (Unoptimised code would need more; the test profile optimises a
/// little.)
const STACK: usize = 512 << 10;

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(test).unwrap().join().unwrap();
}

/// The parity of every second level from `first` on: a chain through all levels, two nodes wide
/// without complement edges.
fn parity(manager: &mut Manager, first: u32) -> Bdd {
    let mut result = Bdd::FALSE;
    for level in (first..MAX_LEVELS).step_by(2).collect::<Vec<_>>().into_iter().rev() {
        let v = manager.var(Var(level)).unwrap();
        result = manager.xor(v, result).unwrap();
    }
    result
}

fn conjunction(manager: &mut Manager, first: u32) -> Bdd {
    let literals: Vec<_> =
        (first..MAX_LEVELS).step_by(2).map(|level| (Var(level), level % 3 != 0)).collect();
    manager.cube(&literals).unwrap()
}

#[test]
fn every_operation_survives_the_cap() {
    on_small_stack(|| {
        let mut manager = Manager::new(MAX_LEVELS, KernelLimits::NONE).unwrap();
        let m = &mut manager;
        let (even, odd) = (parity(m, 0), parity(m, 1));
        let (even_cube, odd_cube) = (conjunction(m, 0), conjunction(m, 1));
        let all: Vec<Var> = (0..MAX_LEVELS).map(Var).collect();
        let evens: Vec<Var> = all.iter().copied().filter(|v| v.0 % 2 == 0).collect();
        let half = u64::from(MAX_LEVELS / 2);

        let both = m.and(even, odd).unwrap();
        assert_eq!(m.sat_count(both, &all), faultline::bdd::Natural::power_of_two(MAX_LEVELS - 2));
        let either = m.or(even_cube, odd_cube).unwrap();
        assert!(m.is_subset(even_cube, either).unwrap() && !m.disjoint(even, odd).unwrap());
        let full = m.xor(even, odd).unwrap();
        assert_eq!(m.node_count(full), 2 * half + 1);
        let chosen = m.ite(even, odd_cube, odd).unwrap();
        assert_eq!(m.support(chosen).len(), MAX_LEVELS as usize);

        let set = m.var_set(&evens);
        assert_eq!(m.exists(chosen, set).unwrap(), m.or(odd_cube, odd).unwrap());
        assert_eq!(m.and_exists(even_cube, odd_cube, set).unwrap(), odd_cube);
        assert_eq!(m.or_forall(even_cube, odd, set).unwrap(), odd);
        assert!(m.forall(even, set).unwrap().is_false());

        let down = m.renaming(&evens.iter().map(|v| (*v, Var(v.0 + 1))).collect::<Vec<_>>());
        assert_eq!(m.rename(even, down).unwrap(), odd);
        assert!(m.rename(full, down).unwrap().is_false(), "the general path: both parities meet");
        let swap = m.renaming(&[(Var(0), Var(MAX_LEVELS - 1)), (Var(MAX_LEVELS - 1), Var(0))]);
        assert_eq!(m.rename(full, swap).unwrap(), full);

        assert_eq!(
            m.compose(full, Var(MAX_LEVELS - 1), Bdd::FALSE).unwrap(),
            m.cofactor(full, &[(Var(MAX_LEVELS - 1), false)]).unwrap()
        );
        let doubled = m.compose(even, Var(0), odd).unwrap();
        let first = m.var(Var(0)).unwrap();
        let rest = m.xor(full, first).unwrap();
        assert_eq!(doubled, rest);
        let last = m.var(Var(MAX_LEVELS - 1)).unwrap();
        let with_last = m.compose(rest, Var(MAX_LEVELS - 1), first).unwrap();
        let without_last = m.xor(full, last).unwrap();
        assert_eq!(with_last, without_last);

        assert!(m.restrict(even_cube, either).is_ok());
        assert_eq!(m.restrict(even, even).unwrap(), Bdd::TRUE);
        assert_eq!(m.pick(odd, &all).unwrap().iter().filter(|value| **value).count(), 1);
        assert_eq!(m.cubes(even_cube).count(), 1);
        assert!(m.eval(both, &|v: Var| v.0 >= MAX_LEVELS - 2));
        m.collect(&[full]);
        assert_eq!(m.live_nodes(), m.node_count(full));
    });
}

/// Chains that go on behind the low edges alone: their high edges end at once.
#[test]
fn chains_of_low_edges_survive_the_cap() {
    on_small_stack(|| {
        let mut manager = Manager::new(MAX_LEVELS, KernelLimits::NONE).unwrap();
        let m = &mut manager;
        let [even, odd] = [0, 1].map(|first| {
            let literals: Vec<_> =
                (first..MAX_LEVELS).step_by(2).map(|level| (Var(level), false)).collect();
            m.cube(&literals).unwrap()
        });
        let both = m.and(even, odd).unwrap();
        assert_eq!(m.node_count(both), u64::from(MAX_LEVELS) + 1);
        assert!(m.is_subset(both, even).unwrap() && m.is_subset(both, odd).unwrap());
    });
}
