//! Random small programs, and random DAGs of their control flow: unrolled, with some edges left
//! out, modular and push-only calls mixed, bodies sometimes shared, recursion included.

use crate::support::Random;
use faultline::analysis::cegar::dag::{
    Action, CounterexampleDag, DagPoint, InstanceId, Mode, NodeId,
};
use faultline::analysis::cegar::dag_builder::DagBuilder;
use faultline::lang::model::{LocationId, Operation, ProcedureId, Program};
use std::collections::BTreeMap;

/// Statements nest at most so deep.
const NESTING: u32 = 2;

/// A program over a few numbers of two bits and truth values.
///
/// Not by `support::generate`: a store must be small enough to list, so there are few variables and
/// no arrays.
pub(crate) fn program(random: &mut Random) -> String {
    let mut text = "//! bits = 2\nunsigned g; bool b;\n".to_string();
    if random.flip() {
        text = text.replace("unsigned g;", "unsigned g = 1;");
    }
    text += "unsigned f(unsigned p) {\n  bool c;\n";
    let size = 1 + random.below(3);
    block(random, &mut text, &["g", "p"], &["b", "c"], size, 1, true);
    text += &format!("  return {};\n}}\n", number(random, &["g", "p"]));
    text += "void h(unsigned q) {\n";
    let size = 1 + random.below(2);
    block(random, &mut text, &["g", "q"], &["b"], size, 1, true);
    text += "}\nvoid main() {\n  unsigned x;\n";
    let size = 2 + random.below(3);
    block(random, &mut text, &["g", "x"], &["b"], size, 1, true);
    text += &format!("  assert({});\n}}\n", condition(random, &["g", "x"], &["b"]));
    text
}

fn pick<'a>(random: &mut Random, names: &[&'a str]) -> &'a str {
    names[random.below(names.len() as u64) as usize]
}

fn number(random: &mut Random, numbers: &[&str]) -> String {
    match random.below(5) {
        0 => random.below(4).to_string(),
        1 => format!("{} + {}", pick(random, numbers), random.below(4)),
        2 => format!("{} * {}", pick(random, numbers), pick(random, numbers)),
        _ => pick(random, numbers).to_string(),
    }
}

fn condition(random: &mut Random, numbers: &[&str], truths: &[&str]) -> String {
    match random.below(5) {
        0 => pick(random, truths).to_string(),
        1 => format!("!{}", pick(random, truths)),
        2 => format!("{} < {}", pick(random, numbers), number(random, numbers)),
        3 => format!("{} == {}", pick(random, numbers), number(random, numbers)),
        _ => format!("{} != {}", pick(random, numbers), number(random, numbers)),
    }
}

fn block(
    random: &mut Random,
    text: &mut String,
    numbers: &[&str],
    truths: &[&str],
    size: u64,
    depth: u32,
    calls: bool,
) {
    for _ in 0..size {
        statement(random, text, numbers, truths, depth, calls);
    }
}

fn statement(
    random: &mut Random,
    text: &mut String,
    numbers: &[&str],
    truths: &[&str],
    depth: u32,
    calls: bool,
) {
    let indent = "  ".repeat(depth as usize);
    let nested = depth <= NESTING;
    let line = match random.below(12) {
        0..3 => format!("{} = {};", pick(random, numbers), number(random, numbers)),
        3 => format!("{} = {};", pick(random, truths), condition(random, numbers, truths)),
        4 => format!("{} = nondet();", pick(random, numbers)),
        5 => format!("assert({});", condition(random, numbers, truths)),
        6 if calls => format!("h({});", number(random, numbers)),
        7 | 8 if calls => format!("{} = f({});", pick(random, numbers), number(random, numbers)),
        9 | 10 if nested => {
            *text += &format!("{indent}if ({}) {{\n", condition(random, numbers, truths));
            statement(random, text, numbers, truths, depth + 1, calls);
            *text += &format!("{indent}}} else {{\n");
            statement(random, text, numbers, truths, depth + 1, calls);
            "}".to_string()
        }
        11 if nested => {
            *text += &format!("{indent}while ({}) {{\n", condition(random, numbers, truths));
            statement(random, text, numbers, truths, depth + 1, calls);
            "}".to_string()
        }
        _ => format!("assume({});", condition(random, numbers, truths)),
    };
    *text += &format!("{indent}{line}\n");
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum To {
    Node(usize),
    Error,
}

/// A graph that is still to be cut down to what lies between tops and bottoms.
struct Draft<'a> {
    program: &'a Program,
    random: &'a mut Random,
    instances: Vec<(ProcedureId, Mode)>,
    nodes: Vec<(usize, DagPoint, u32)>,
    edges: Vec<(Option<usize>, To, Action)>,
    /// By callee and depth: bodies (with their top) and entries of callees that do not return, for
    /// sharing.
    shared: BTreeMap<(ProcedureId, u32, bool), (usize, usize)>,
    longest: u32,
}

/// Calls nest at most so deep.
const CALLS: u32 = 2;
const MAX_NODES: usize = 160;

/// A random DAG of the program, if one comes out.
pub(crate) fn dag(
    program: &Program,
    random: &mut Random,
    longest: u32,
) -> Option<CounterexampleDag> {
    let main = program.main_id();
    let (instances, nodes, edges) = (vec![(main, Mode::Main)], Vec::new(), Vec::new());
    let mut draft =
        Draft { program, random, instances, nodes, edges, shared: BTreeMap::new(), longest };
    let entry = draft.node(0, DagPoint::Location(program.procedure(main).entry), 0);
    draft.edges.push((None, To::Node(entry), Action::Begin));
    draft.expand(0, entry, 0);
    draft.build()
}

impl Draft<'_> {
    fn node(&mut self, instance: usize, point: DagPoint, rank: u32) -> usize {
        self.nodes.push((instance, point, rank));
        self.nodes.len() - 1
    }

    fn expand(&mut self, instance: usize, top: usize, depth: u32) {
        let (_, mode) = self.instances[instance];
        let mut known: BTreeMap<(LocationId, u32), usize> = BTreeMap::new();
        let mut end = None;
        let mut work = vec![top];
        while let Some(node) = work.pop() {
            let (_, DagPoint::Location(location), rank) = self.nodes[node] else { continue };
            let procedure = self.program.procedure(self.instances[instance].0);
            if location == procedure.exit && mode == Mode::Body {
                let end = *end.get_or_insert_with(|| {
                    self.nodes.push((instance, DagPoint::Returned, u32::MAX));
                    self.nodes.len() - 1
                });
                self.edges.push((Some(node), To::Node(end), Action::Pop));
            }
            let out: Vec<_> = self
                .program
                .edge_ids()
                .filter(|id| self.program.edge(*id).from == location)
                .collect();
            for id in out {
                if self.random.below(100) < 6 || self.nodes.len() > MAX_NODES {
                    continue;
                }
                let edge = self.program.edge(id);
                // Half of the errors: the fewer, the more DAGs are spurious.
                if mode != Mode::Body && self.random.flip() {
                    self.edges.extend(
                        (0..edge.checks.len())
                            .map(|check| (Some(node), To::Error, Action::Fail(id, check))),
                    );
                }
                if rank >= self.longest {
                    continue;
                }
                let mut next = |draft: &mut Self, location: LocationId, rank: u32| {
                    *known.entry((location, rank)).or_insert_with(|| {
                        let node = draft.node(instance, DagPoint::Location(location), rank);
                        work.push(node);
                        node
                    })
                };
                let Operation::Call { callee, .. } = edge.operation else {
                    let to = next(self, edge.to, rank + 1);
                    self.edges.push((Some(node), To::Node(to), Action::Execute(id)));
                    continue;
                };
                if depth == CALLS {
                    continue;
                }
                let pivot = self.node(instance, DagPoint::Pivot(id), rank + 1);
                self.edges.push((Some(node), To::Node(pivot), Action::Push(id)));
                let to = next(self, edge.to, rank + 2);
                let (body, _) = self.callee(callee, depth + 1, Mode::Body);
                self.edges.push((
                    Some(pivot),
                    To::Node(to),
                    Action::Return(InstanceId(body as u32)),
                ));
                if mode != Mode::Body {
                    let (_, entry) = self.callee(callee, depth + 1, Mode::PushOnly);
                    self.edges.push((Some(pivot), To::Node(entry), Action::Enter));
                }
            }
        }
    }

    /// A callee's instance and top; sometimes one that is there already. (One at the same depth
    /// cannot call back.)
    fn callee(&mut self, callee: ProcedureId, depth: u32, mode: Mode) -> (usize, usize) {
        let key = (callee, depth, mode == Mode::Body);
        if let Some(known) = self.shared.get(&key).copied()
            && self.random.flip()
        {
            return known;
        }
        self.instances.push((callee, mode));
        let instance = self.instances.len() - 1;
        let top = self.node(instance, DagPoint::Location(self.program.procedure(callee).entry), 0);
        self.expand(instance, top, depth);
        self.shared.insert(key, (instance, top));
        (instance, top)
    }

    fn build(self) -> Option<CounterexampleDag> {
        let Draft { program, instances, nodes, mut edges, .. } = self;
        let part =
            |node: usize| if instances[nodes[node].0].1 == Mode::Body { nodes[node].0 } else { 0 };
        let is_end = |to: &To| {
            matches!(to, To::Error)
                || matches!(to, To::Node(node) if nodes[*node].1 == DagPoint::Returned)
        };
        loop {
            // From tops forwards, from bottoms backwards; then bodies that are not whole, or not
            // used, take their edges along.
            let mut reached = vec![false; nodes.len()];
            let mut reaching = vec![false; nodes.len()];
            for (k, (instance, place, _)) in nodes.iter().enumerate() {
                let (procedure, mode) = instances[*instance];
                let is_top = *place == DagPoint::Location(program.procedure(procedure).entry)
                    && nodes[..k].iter().all(|n| n.0 != *instance);
                reached[k] = is_top && mode == Mode::Body;
                reaching[k] = *place == DagPoint::Returned;
            }
            loop {
                let mut changed = false;
                for (from, to, _) in &edges {
                    let from_reached = from.is_none_or(|from| reached[from]);
                    if let To::Node(to) = to
                        && from_reached
                        && !reached[*to]
                    {
                        reached[*to] = true;
                        changed = true;
                    }
                    let to_reaching =
                        matches!(to, To::Error) || matches!(to, To::Node(to) if reaching[*to]);
                    if let Some(from) = from
                        && to_reaching
                        && !reaching[*from]
                    {
                        reaching[*from] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            let kept = |node: usize| reached[node] && reaching[node];
            let whole = |body: usize| {
                (0..nodes.len())
                    .any(|k| nodes[k].0 == body && nodes[k].1 == DagPoint::Returned && kept(k))
            };
            let used = |body: usize, edges: &[(Option<usize>, To, Action)]| {
                edges
                    .iter()
                    .any(|(_, _, action)| *action == Action::Return(InstanceId(body as u32)))
            };
            let before = edges.len();
            let all = edges.clone();
            edges.retain(|(from, to, action)| {
                let ends = from.is_none_or(kept)
                    && matches!(to, To::Error) | matches!(to, To::Node(to) if kept(*to));
                let body = match action {
                    Action::Return(body) => whole(body.0 as usize),
                    _ => true,
                };
                let owner = from.map_or(0, part);
                ends && body && (owner == 0 || used(owner, &all))
            });
            if edges.len() == before {
                break;
            }
        }
        if !edges.iter().any(|(_, to, _)| is_end(to) && *to == To::Error) {
            return None;
        }
        let mut builder = DagBuilder::new(program);
        let mut new_instances: BTreeMap<usize, InstanceId> = BTreeMap::from([(0, builder.main())]);
        let mut new_nodes: BTreeMap<usize, NodeId> = BTreeMap::new();
        let mentioned: Vec<usize> = edges
            .iter()
            .flat_map(|(from, to, _)| {
                from.iter().copied().chain(if let To::Node(to) = to { Some(*to) } else { None })
            })
            .collect();
        for node in mentioned {
            let (instance, place, rank) = nodes[node];
            let (procedure, mode) = instances[instance];
            let instance =
                *new_instances.entry(instance).or_insert_with(|| builder.instance(procedure, mode));
            new_nodes.entry(node).or_insert_with(|| builder.node(instance, place, rank));
        }
        for (from, to, action) in &edges {
            let from = from.map_or(builder.start(), |from| new_nodes[&from]);
            let to = match to {
                To::Node(to) => new_nodes[to],
                To::Error => builder.error(),
            };
            let action = match action {
                Action::Return(body) => Action::Return(new_instances[&(body.0 as usize)]),
                other => *other,
            };
            builder.edge(from, to, action);
        }
        Some(
            builder
                .finish(program)
                .unwrap_or_else(|error| panic!("the cut-down graph is a DAG: {error:?}")),
        )
    }
}
