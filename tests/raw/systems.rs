//! Helpers: loading, running, random systems, and a search with bounded stacks that shares no code
//! with the engine.

use crate::support::Random;
use faultline::lang::raw::replay::{Configuration, apply, is_in, replay};
use faultline::lang::raw::{
    ConfigurationAutomaton, ConfigurationSet, Described, Node, RawRule, RawSystem, RawWeights,
    StackExpression, StateId, SymbolId,
};
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions, Saturation};
use faultline::wire::projection::Method;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub(crate) const WAYS: [Saturation; 3] = [Saturation::Post, Saturation::Pre, Saturation::Both];

pub(crate) fn requested(dialect: Dialect, saturation: Saturation) -> RequestedOptions {
    RequestedOptions {
        dialect: Some(dialect),
        saturation: Some(saturation),
        ..RequestedOptions::default()
    }
}

/// Runs to the end; the text must load.
pub(crate) fn run(source: &str, dialect: Dialect, saturation: Saturation, task: Task) -> Session {
    let (mut session, found) = Session::load(source, &requested(dialect, saturation));
    assert!(session.raw().is_some(), "{found:?}\n{source}");
    session.start(task, Budgets::default());
    session.run();
    session
}

pub(crate) fn project(source: &str, dialect: Dialect, saturation: Saturation) -> Session {
    run(source, dialect, saturation, Task::Projection(Method::Functional))
}

/// Is a target reached? Checks that a run shows it, once more by the replay.
pub(crate) fn reachable(session: &Session) -> bool {
    let raw = session.raw().expect("a raw system");
    match session.outcome() {
        Outcome::Unsafe => {
            let run = raw.run().expect("short runs are shown");
            assert_eq!(replay(raw.system(), &run.start, &run.rules).as_ref(), Ok(&run.end));
            true
        }
        Outcome::Safe => false,
        other => panic!("{other:?}: {:?}", session.fault()),
    }
}

/// A random system in the manner of `.pds` (sets by expressions) or of JSON (sets by automata,
/// pushes that keep the old top).
pub(crate) fn random_system(random: &mut Random, dialect: Dialect) -> RawSystem {
    let (states, symbols) = (1 + random.below(3) as u32, 1 + random.below(3) as u32);
    let state = |random: &mut Random| StateId(random.below(states.into()) as u32);
    let symbol = |random: &mut Random| SymbolId(random.below(symbols.into()) as u32);
    let mut rules = Vec::new();
    for _ in 0..2 + random.below(8) {
        let left = symbol(random);
        let right = match random.below(4) {
            0 => Vec::new(),
            1 | 2 => vec![symbol(random)],
            _ if dialect == Dialect::Pdaaal => vec![symbol(random), left],
            _ => vec![symbol(random), symbol(random)],
        };
        rules.push(RawRule {
            from: state(random),
            symbol: left,
            to: state(random),
            right: right.into(),
            weight: 1,
            effect: Default::default(),
            span: Default::default(),
        });
    }
    let mut set = |wide: bool| match dialect {
        Dialect::Pdaaal => {
            let inner = random.below(3) as u32 + 1;
            let node = |random: &mut Random| match random.below(3) {
                0 => Node::Control(state(random)),
                _ => Node::Inner(random.below(inner.into()) as u32),
            };
            let label = |random: &mut Random| (random.below(8) > 0).then(|| symbol(random));
            let mut edges: Vec<_> = (0..1 + random.below(4))
                .map(|_| (node(random), label(random), node(random)))
                .collect();
            let last = Node::Inner(random.below(inner.into()) as u32);
            edges.push((Node::Control(state(random)), Some(symbol(random)), last));
            let mut accepting: Vec<_> = (0..random.below(2)).map(|_| node(random)).collect();
            accepting.extend((random.below(8) > 0).then_some(last));
            ConfigurationSet::Automaton(ConfigurationAutomaton {
                inner,
                edges,
                accepting,
                span: Default::default(),
            })
        }
        _ => {
            let line = |random: &mut Random| {
                let stack = match wide {
                    true => expression(random, symbols, 3),
                    false => StackExpression::exactly(&[symbol(random)]),
                };
                Described { state: state(random), stack, span: Default::default() }
            };
            ConfigurationSet::Described((0..1 + random.below(2)).map(|_| line(random)).collect())
        }
    };
    let (initial, target) = (set(false), set(true));
    RawSystem {
        states: (0..states).map(|k| format!("p{k}")).collect(),
        symbols: (0..symbols).map(|k| ["a", "b", "c"][k as usize].to_string()).collect(),
        weights: RawWeights::Boolean,
        rules,
        initial,
        target,
        atoms: Vec::new(),
    }
}

/// A tree as reading makes them: no list of one.
pub(crate) fn expression(random: &mut Random, symbols: u32, depth: u32) -> StackExpression {
    let inner = |random: &mut Random| expression(random, symbols, depth - 1);
    match if depth == 0 { 0 } else { random.below(9) } {
        0..=2 => StackExpression::Symbol(SymbolId(random.below(symbols.into()) as u32)),
        3 => StackExpression::Any,
        4 => StackExpression::Star(Box::new(inner(random))),
        5 => StackExpression::Plus(Box::new(inner(random))),
        6 => StackExpression::Optional(Box::new(inner(random))),
        7 => StackExpression::Choice((0..2 + random.below(2)).map(|_| inner(random)).collect()),
        _ if random.below(4) == 0 => StackExpression::Sequence(Vec::new()),
        _ => StackExpression::Sequence((0..2 + random.below(2)).map(|_| inner(random)).collect()),
    }
}

/// What is known of the configurations with stacks of at most `highest` symbols.
pub(crate) struct Search {
    /// Reached from an initial one, with stacks that never get higher.
    reached: BTreeMap<(u32, Vec<SymbolId>), u32>,
    edges: Vec<Vec<(u32, u32)>>,
    configurations: Vec<Configuration>,
    /// Was nothing cut off: no stack wanted to be higher, and no initial one is?
    pub(crate) conclusive: bool,
}

impl Search {
    /// Breadth-first, from every initial configuration with at most `highest` symbols.
    pub(crate) fn new(system: &RawSystem, highest: usize) -> Search {
        let mut search = Search {
            reached: BTreeMap::new(),
            edges: Vec::new(),
            configurations: Vec::new(),
            conclusive: true,
        };
        let mut stacks: Vec<Vec<SymbolId>> = vec![Vec::new()];
        let mut last = stacks.clone();
        for _ in 0..=highest {
            let longer = last.iter().flat_map(|s| {
                (0..system.symbols.len() as u32)
                    .map(move |k| [s.clone(), vec![SymbolId(k)]].concat())
            });
            last = longer.collect();
            stacks.extend(last.clone());
        }
        let mut waiting = VecDeque::new();
        for state in (0..system.states.len() as u32).map(StateId) {
            for stack in &stacks {
                let configuration = Configuration { state, stack: stack.clone() };
                if is_in(&system.initial, &configuration) {
                    if stack.len() > highest {
                        search.conclusive = false;
                    } else {
                        search.visit(configuration, &mut waiting);
                    }
                }
            }
        }
        while let Some(at) = waiting.pop_front() {
            for rule in 0..system.rules.len() as u32 {
                let mut next = search.configurations[at as usize].clone();
                if !apply(system, &mut next, rule) {
                    continue;
                }
                if next.stack.len() > highest {
                    search.conclusive = false;
                    continue;
                }
                let to = search.visit(next, &mut waiting);
                search.edges[at as usize].push((rule, to));
            }
        }
        search
    }

    fn visit(&mut self, configuration: Configuration, waiting: &mut VecDeque<u32>) -> u32 {
        let next = self.configurations.len() as u32;
        let id = *self
            .reached
            .entry((configuration.state.0, configuration.stack.clone()))
            .or_insert(next);
        if id == next {
            self.configurations.push(configuration);
            self.edges.push(Vec::new());
            waiting.push_back(id);
        }
        id
    }

    /// Is a target among what is reached?
    pub(crate) fn reaches(&self, system: &RawSystem) -> bool {
        self.configurations.iter().any(|c| is_in(&system.target, c))
    }

    /// The rules, and the heads, on runs into a target.
    pub(crate) fn projection(
        &self,
        system: &RawSystem,
    ) -> (BTreeSet<u32>, BTreeSet<(StateId, SymbolId)>) {
        let mut fails: Vec<bool> =
            self.configurations.iter().map(|c| is_in(&system.target, c)).collect();
        loop {
            let more: Vec<usize> = (0..fails.len())
                .filter(|k| !fails[*k] && self.edges[*k].iter().any(|(_, to)| fails[*to as usize]))
                .collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|k| fails[k] = true);
        }
        let mut rules = BTreeSet::new();
        let mut heads = BTreeSet::new();
        for (k, configuration) in self.configurations.iter().enumerate().filter(|(k, _)| fails[*k])
        {
            rules.extend(
                self.edges[k].iter().filter(|(_, to)| fails[*to as usize]).map(|(rule, _)| *rule),
            );
            heads.extend(configuration.stack.last().map(|top| (configuration.state, *top)));
        }
        (rules, heads)
    }

    /// The least number of rules to a target.
    pub(crate) fn shortest(&self, system: &RawSystem) -> Option<usize> {
        self.least(system, |_| 1).map(|length| length as usize)
    }

    /// The least total weight of rules to a target.
    pub(crate) fn cheapest(&self, system: &RawSystem) -> Option<u64> {
        self.least(system, |rule| system.rules[rule as usize].weight.into())
    }

    /// The least total weight (or length, without weights) of rules to a target, a rule of each set
    /// among them.
    pub(crate) fn least_through(&self, system: &RawSystem, sets: &[Vec<u32>]) -> Option<u64> {
        self.least_passing(system, sets, |rule| system.rules[rule as usize].weight.into())
    }

    fn least(&self, system: &RawSystem, cost: impl Fn(u32) -> u64) -> Option<u64> {
        self.least_passing(system, &[], cost)
    }

    /// By configuration and what was passed: everything once more until nothing gets better.
    fn least_passing(
        &self,
        system: &RawSystem,
        sets: &[Vec<u32>],
        cost: impl Fn(u32) -> u64,
    ) -> Option<u64> {
        let all = (1 << sets.len()) - 1;
        let mut distance: BTreeMap<(usize, u32), u64> = BTreeMap::new();
        let initial =
            self.configurations.iter().enumerate().filter(|(_, c)| is_in(&system.initial, c));
        distance.extend(initial.map(|(k, _)| ((k, 0), 0)));
        loop {
            let before = distance.clone();
            for (&(from, passed), length) in &before {
                for (rule, to) in &self.edges[from] {
                    let passes = (0..sets.len())
                        .filter(|k| sets[*k].contains(rule))
                        .fold(passed, |mask, k| mask | 1 << k);
                    let next = length + cost(*rule);
                    let old = distance.entry((*to as usize, passes)).or_insert(next);
                    *old = next.min(*old);
                }
            }
            if distance == before {
                let ends = distance.iter().filter(|((k, passed), _)| {
                    *passed == all && is_in(&system.target, &self.configurations[*k])
                });
                return ends.map(|(_, length)| *length).min();
            }
        }
    }

    /// The rules that are applied.
    pub(crate) fn applied(&self) -> BTreeSet<u32> {
        self.edges.iter().flatten().map(|(rule, _)| *rule).collect()
    }
}

/// The system as text in its dialect.
pub(crate) fn print(system: &RawSystem, dialect: Dialect) -> String {
    let printed = match dialect {
        Dialect::Pdaaal => faultline::lang::raw::pdaaal::print(system),
        _ => faultline::lang::raw::text::print(system),
    };
    printed.expect("the system can be written in its dialect")
}
