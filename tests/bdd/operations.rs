//! Every operation on random functions of at most eight variables, against exhaustive truth tables
//! and against `boolean_expression`, with a collection after every operation and freed nodes
//! poisoned.

use crate::support::Random;
use boolean_expression::{BDD, BDDFunc};
use faultline::bdd::{Bdd, KernelLimits, Manager, Var};
use std::collections::{HashMap, HashSet};

/// A function as the set of its models: bit `i` is its value where variable `v` is bit `v` of `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Table {
    variables: u32,
    values: Vec<bool>,
}

impl Table {
    fn from_fn(variables: u32, value: impl Fn(u32) -> bool) -> Table {
        Table { variables, values: (0..1 << variables).map(value).collect() }
    }

    fn at(&self, point: u32) -> bool {
        self.values[point as usize]
    }

    fn zip(&self, other: &Table, value: impl Fn(bool, bool) -> bool) -> Table {
        Table::from_fn(self.variables, |point| value(self.at(point), other.at(point)))
    }

    fn not(&self) -> Table {
        Table::from_fn(self.variables, |point| !self.at(point))
    }

    fn exists(&self, set: u32) -> Table {
        let mut result = self.clone();
        for v in (0..self.variables).filter(|v| set >> v & 1 == 1) {
            let before = result.clone();
            result = Table::from_fn(self.variables, |point| {
                before.at(point | 1 << v) || before.at(point & !(1 << v))
            });
        }
        result
    }

    /// Functions for variables, simultaneously.
    fn substituted(&self, image: &HashMap<u32, Table>) -> Table {
        Table::from_fn(self.variables, |point| {
            let value = |v: u32| image.get(&v).map_or(point >> v & 1 == 1, |g| g.at(point));
            self.at((0..self.variables).fold(0, |moved, v| moved | u32::from(value(v)) << v))
        })
    }

    fn depends_on(&self, v: u32) -> bool {
        (0..1 << self.variables).any(|point| self.at(point) != self.at(point ^ 1 << v))
    }
}

/// A pool of functions in three forms, kept alive through collections.
struct Bench {
    random: Random,
    variables: u32,
    manager: Manager,
    oracle: BDD<u32>,
    pool: Vec<(Bdd, Table, BDDFunc)>,
}

const POOL: usize = 12;

impl Bench {
    fn new(variables: u32, seed: u64) -> Bench {
        let mut manager = Manager::new(variables, KernelLimits::NONE).unwrap();
        manager.collect_after_every_step(true);
        // Half of the runs go on with the stack on the heap after a few calls.
        manager.set_native_depth(if variables.is_multiple_of(2) { 1024 } else { variables / 2 });
        let mut oracle = BDD::new();
        let mut pool =
            vec![(Bdd::TRUE, Table::from_fn(variables, |_| true), oracle.constant(true))];
        for v in 0..variables {
            let table = Table::from_fn(variables, |point| point >> v & 1 == 1);
            pool.push((manager.var(Var(v)).unwrap(), table, oracle.terminal(v)));
        }
        Bench { random: Random::new(seed), variables, manager, oracle, pool }
    }

    fn any(&mut self) -> (Bdd, Table, BDDFunc) {
        let k = self.random.below(self.pool.len() as u64) as usize;
        let (f, table, function) = self.pool[k].clone();
        if self.random.flip() {
            (f, table, function)
        } else {
            (!f, table.not(), self.oracle.not(function))
        }
    }

    /// Both tables agree; the pool may take the function; everything else is collected.
    fn settle(&mut self, name: &str, f: Bdd, expected: Table, function: Option<BDDFunc>) {
        self.check(name, f, &expected);
        if let Some(function) = function {
            for _ in 0..16 {
                let point = self.set();
                let values: HashMap<u32, bool> =
                    (0..self.variables).map(|v| (v, point >> v & 1 == 1)).collect();
                assert_eq!(
                    self.oracle.evaluate(function, &values),
                    expected.at(point),
                    "{name}: boolean_expression disagrees"
                );
            }
            if self.pool.len() < POOL {
                self.pool.push((f, expected, function));
            } else {
                let k = self.random.below(POOL as u64) as usize;
                self.pool[k] = (f, expected, function);
            }
        }
        let roots: Vec<Bdd> = self.pool.iter().map(|(f, ..)| *f).collect();
        self.manager.collect(&roots);
        assert_eq!(
            self.manager.live_nodes(),
            self.manager.node_count_all(&roots),
            "{name}: a collection frees all that is not used"
        );
    }

    fn check(&self, name: &str, f: Bdd, expected: &Table) {
        let actual = Table::from_fn(self.variables, |point| {
            self.manager.eval(f, &|v: Var| point >> v.0 & 1 == 1)
        });
        assert_eq!(&actual, expected, "{name}");
    }

    fn set(&mut self) -> u32 {
        self.random.below(1 << self.variables) as u32
    }
}

fn variables_of(set: u32) -> Vec<Var> {
    (0..32).filter(|v| set >> v & 1 == 1).map(Var).collect()
}

fn for_each_size(rounds: usize, round: impl Fn(&mut Bench)) {
    for variables in 1..=8 {
        let mut bench = Bench::new(variables, 0xFA17 + u64::from(variables));
        (0..rounds).for_each(|_| round(&mut bench));
    }
}

#[test]
fn connectives() {
    for_each_size(150, |b| {
        let ((f, ft, fo), (g, gt, go), (h, ht, ho)) = (b.any(), b.any(), b.any());
        let operation = b.random.below(8);
        let (name, result, table, function) = match operation {
            0 => ("and", b.manager.and(f, g), ft.zip(&gt, |f, g| f && g), b.oracle.and(fo, go)),
            1 => ("or", b.manager.or(f, g), ft.zip(&gt, |f, g| f || g), b.oracle.or(fo, go)),
            2 => ("xor", b.manager.xor(f, g), ft.zip(&gt, |f, g| f != g), b.oracle.xor(fo, go)),
            3 => (
                "implies",
                b.manager.implies(f, g),
                ft.zip(&gt, |f, g| !f || g),
                b.oracle.implies(fo, go),
            ),
            4 => {
                let differ = b.oracle.xor(fo, go);
                ("iff", b.manager.iff(f, g), ft.zip(&gt, |f, g| f == g), b.oracle.not(differ))
            }
            5 => {
                let not = b.oracle.not(go);
                (
                    "difference",
                    b.manager.difference(f, g),
                    ft.zip(&gt, |f, g| f && !g),
                    b.oracle.and(fo, not),
                )
            }
            6 => {
                let both = b.oracle.and(go, ho);
                (
                    "and_all",
                    b.manager.and_all(&[f, g, h]),
                    ft.zip(&gt, |f, g| f && g).zip(&ht, |f, g| f && g),
                    b.oracle.and(fo, both),
                )
            }
            _ => {
                let table = Table::from_fn(b.variables, |point| {
                    if ft.at(point) { gt.at(point) } else { ht.at(point) }
                });
                ("ite", b.manager.ite(f, g, h), table, b.oracle.ite(fo, go, ho))
            }
        };
        b.settle(name, result.unwrap(), table, Some(function));
    });
}

#[test]
fn all_sixteen_connectives_of_two_variables_are_canonical() {
    let mut manager = Manager::new(2, KernelLimits::NONE).unwrap();
    let (x, y) = (manager.var(Var(0)).unwrap(), manager.var(Var(1)).unwrap());
    let mut by_table = HashMap::new();
    let mut all = vec![Bdd::TRUE, x, y];
    while let Some(f) = all.pop() {
        let table: Vec<bool> =
            (0..4u32).map(|point| manager.eval(f, &|v: Var| point >> v.0 & 1 == 1)).collect();
        match by_table.insert(table, f) {
            Some(same) => assert_eq!(same, f, "equal functions are equal handles"),
            None => {
                all.extend([
                    !f,
                    manager.and(f, x).unwrap(),
                    manager.xor(f, y).unwrap(),
                    manager.or(f, y).unwrap(),
                ]);
            }
        }
    }
    assert_eq!(by_table.len(), 16);
}

#[test]
fn inclusion_and_disjointness_make_no_nodes() {
    for_each_size(150, |b| {
        let ((f, ft, fo), (g, gt, go)) = (b.any(), b.any());
        let before = b.manager.live_nodes();
        let subset = b.manager.is_subset(f, g).unwrap();
        let disjoint = b.manager.disjoint(f, g).unwrap();
        assert_eq!(b.manager.live_nodes(), before);
        assert_eq!(subset, ft.zip(&gt, |f, g| f && !g).values.iter().all(|v| !v));
        assert_eq!(disjoint, ft.zip(&gt, |f, g| f && g).values.iter().all(|v| !v));
        let mixed = b.manager.xor(f, g).unwrap();
        let function = b.oracle.xor(fo, go);
        b.settle("xor", mixed, ft.zip(&gt, |f, g| f != g), Some(function));
    });
}

#[test]
fn quantification() {
    for_each_size(150, |b| {
        let (f, ft, fo) = b.any();
        let set = b.set();
        let id = b.manager.var_set(&variables_of(set));
        assert_eq!(b.manager.variables(id), variables_of(set));
        let exists = b.manager.exists(f, id).unwrap();
        let mut function = fo;
        for v in variables_of(set) {
            let (high, low) =
                (b.oracle.restrict(function, v.0, true), b.oracle.restrict(function, v.0, false));
            function = b.oracle.or(high, low);
        }
        b.settle("exists", exists, ft.exists(set), Some(function));
        let ((f, ft, _), (g, gt, _)) = (b.any(), b.any());
        let forall = b.manager.forall(f, id).unwrap();
        b.settle("forall", forall, ft.not().exists(set).not(), None);
        let and_exists = b.manager.and_exists(f, g, id).unwrap();
        let fused = ft.zip(&gt, |f, g| f && g).exists(set);
        b.settle("and_exists", and_exists, fused, None);
        let or_forall = b.manager.or_forall(f, g, id).unwrap();
        b.settle("or_forall", or_forall, ft.zip(&gt, |f, g| !f && !g).exists(set).not(), None);
        stir(b);
    });
}

#[test]
fn renaming() {
    for_each_size(100, |b| {
        let (f, ft, _) = b.any();
        let pairs: Vec<(Var, Var)> = (0..b.random.below(u64::from(b.variables) + 1))
            .map(|_| {
                (
                    Var(b.random.below(b.variables.into()) as u32),
                    Var(b.random.below(b.variables.into()) as u32),
                )
            })
            .collect();
        let image: HashMap<u32, Table> = pairs
            .iter()
            .map(|(from, to)| (from.0, Table::from_fn(b.variables, |point| point >> to.0 & 1 == 1)))
            .collect();
        let renaming = b.manager.renaming(&pairs);
        assert_eq!(renaming, b.manager.renaming(&pairs), "interned");
        let renamed = b.manager.rename(f, renaming).unwrap();
        b.settle("rename", renamed, ft.substituted(&image), None);
        stir(b);
    });
}

/// A new random function for the pool.
fn stir(b: &mut Bench) {
    let ((f, ft, fo), (g, gt, go), (h, ht, ho)) = (b.any(), b.any(), b.any());
    let mixed = b.manager.ite(f, g, h).unwrap();
    let function = b.oracle.ite(fo, go, ho);
    let table =
        Table::from_fn(b.variables, |point| if ft.at(point) { gt.at(point) } else { ht.at(point) });
    b.settle("ite", mixed, table, Some(function));
}

#[test]
fn composition() {
    for_each_size(100, |b| {
        let ((f, ft, _), (g, gt, _), (h, ht, _)) = (b.any(), b.any(), b.any());
        let (v, w) =
            (b.random.below(b.variables.into()) as u32, b.random.below(b.variables.into()) as u32);
        let composed = b.manager.compose(f, Var(v), g).unwrap();
        b.check("compose", composed, &ft.substituted(&HashMap::from([(v, gt.clone())])));
        let both = b.manager.compose_all(f, &[(Var(v), g), (Var(w), h)]).unwrap();
        b.settle("compose_all", both, ft.substituted(&HashMap::from([(v, gt), (w, ht)])), None);
        stir(b);
    });
}

#[test]
fn cofactors() {
    for_each_size(100, |b| {
        let (f, ft, fo) = b.any();
        let (set, values) = (b.set(), b.set());
        let literals: Vec<(Var, bool)> =
            variables_of(set).into_iter().map(|v| (v, values >> v.0 & 1 == 1)).collect();
        let cofactor = b.manager.cofactor(f, &literals).unwrap();
        let function = literals
            .iter()
            .fold(fo, |function, (v, value)| b.oracle.restrict(function, v.0, *value));
        let table = Table::from_fn(b.variables, |point| ft.at(point & !set | values & set));
        b.settle("cofactor", cofactor, table, Some(function));
        stir(b);
    });
}

#[test]
fn restriction_agrees_where_it_matters() {
    for_each_size(100, |b| {
        let ((f, ft, _), (care, caret, _)) = (b.any(), b.any());
        let restricted = b.manager.restrict(f, care).unwrap();
        for point in (0..1 << b.variables).filter(|point| caret.at(*point)) {
            assert_eq!(b.manager.eval(restricted, &|v: Var| point >> v.0 & 1 == 1), ft.at(point));
        }
        let support = b.manager.support(f);
        assert!(
            b.manager.support(restricted).iter().all(|v| support.contains(v)),
            "no new variables"
        );
        stir(b);
    });
}

/// Where only one branch can be simplified, it is.
#[test]
fn restriction_simplifies_each_branch() {
    let mut m = Manager::new(3, KernelLimits::NONE).unwrap();
    let [x, y, z] = [0, 1, 2].map(|k| m.var(Var(k)).unwrap());
    let f = m.ite(x, y, z).unwrap();
    let (care, expected) = (m.ite(x, Bdd::TRUE, z).unwrap(), m.ite(x, y, Bdd::TRUE).unwrap());
    assert_eq!(m.restrict(f, care), Ok(expected));
    let (care, expected) = (m.ite(x, y, Bdd::TRUE).unwrap(), m.ite(x, Bdd::TRUE, z).unwrap());
    assert_eq!(m.restrict(f, care), Ok(expected));
}

#[test]
fn questions() {
    for_each_size(100, |b| {
        let (f, ft, _) = b.any();
        let all: Vec<Var> = (0..b.variables).map(Var).collect();
        let support: Vec<Var> = all.iter().copied().filter(|v| ft.depends_on(v.0)).collect();
        assert_eq!(b.manager.support(f), support);
        let models = ft.values.iter().filter(|value| **value).count() as u64;
        assert_eq!(b.manager.sat_count(f, &all).to_u64(), Some(models));
        let over_support = models >> (all.len() - support.len());
        assert_eq!(b.manager.sat_count(f, &support).to_string(), over_support.to_string());
        // Lexicographic: variable 0 weighs most.
        let weight =
            |point: u32| (0..b.variables).fold(0, |weight, v| weight << 1 | point >> v & 1);
        let least =
            (0..1 << b.variables).filter(|point| ft.at(*point)).min_by_key(|point| weight(*point));
        let values =
            least.map(|point| all.iter().map(|v| point >> v.0 & 1 == 1).collect::<Vec<bool>>());
        assert_eq!(b.manager.pick(f, &all), values);
        stir(b);
    });
}

#[test]
fn cubes_are_disjoint_and_cover() {
    for_each_size(50, |b| {
        let (f, ft, _) = b.any();
        let cubes: Vec<_> = b.manager.cubes(f).collect();
        let inside = |cube: &[(Var, bool)], point: u32| {
            cube.iter().all(|(v, value)| (point >> v.0 & 1 == 1) == *value)
        };
        for point in 0..1 << b.variables {
            let covering = cubes.iter().filter(|cube| inside(cube, point)).count();
            assert_eq!(covering, usize::from(ft.at(point)));
        }
        let rebuilt: Vec<Bdd> = cubes.iter().map(|cube| b.manager.cube(cube).unwrap()).collect();
        assert_eq!(b.manager.or_all(&rebuilt).unwrap(), f);
        stir(b);
    });
}

#[test]
fn contradicting_literals_are_false() {
    let mut manager = Manager::new(2, KernelLimits::NONE).unwrap();
    assert!(manager.cube(&[(Var(1), true), (Var(0), true), (Var(1), false)]).unwrap().is_false());
    assert!(manager.cube(&[]).unwrap().is_true());
}

#[test]
fn models_do_not_depend_on_the_schedule_of_collections() {
    let run = |collect_every: usize| {
        let mut random = Random::new(77);
        let mut manager = Manager::new(16, KernelLimits::NONE).unwrap();
        let all: Vec<Var> = (0..16).map(Var).collect();
        let mut pool: Vec<Bdd> = all.iter().map(|v| manager.var(*v).unwrap()).collect();
        let mut seen = Vec::new();
        for round in 0..400 {
            let mut any = || random.below(pool.len() as u64) as usize;
            let (f, g, h, slot) = (pool[any()], pool[any()], pool[any()], any());
            let parity = manager.xor(f, g).unwrap();
            let mixed = manager.ite(parity, !g, h).unwrap();
            let first_cubes: Vec<_> = manager.cubes(mixed).take(3).collect();
            seen.push((
                manager.pick(mixed, &all),
                manager.node_count(mixed),
                manager.sat_count(mixed, &all),
                first_cubes,
            ));
            pool[slot] = if round % 3 == 0 { manager.var(all[slot]).unwrap() } else { mixed };
            if round % collect_every == 0 {
                manager.collect(&pool);
            }
        }
        seen
    };
    let never = run(usize::MAX);
    assert_eq!(run(1), never);
    assert_eq!(run(7), never);
    assert!(
        never.iter().filter_map(|(model, ..)| model.clone()).collect::<HashSet<_>>().len() > 20,
        "the functions differ"
    );
}

#[test]
#[should_panic(expected = "a collected node was used")]
fn poison_reveals_a_forgotten_root() {
    let mut manager = Manager::new(3, KernelLimits::NONE).unwrap();
    manager.collect_after_every_step(true);
    let (x, y, z) =
        (manager.var(Var(0)).unwrap(), manager.var(Var(1)).unwrap(), manager.var(Var(2)).unwrap());
    let forgotten = manager.and(x, y).unwrap();
    manager.collect(&[x, y, z]);
    let _ = manager.and(forgotten, z);
}
