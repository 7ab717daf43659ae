//! The explicit oracle: the product of a program's configurations, whole stacks included, with the
//! automaton; an accepting cycle by Tarjan's algorithm. The interpreter executes. Nothing of the
//! engine's product, heads or diagrams takes part; automata are compared with their formulas on
//! their own (see `automata`).

use faultline::analysis::liveness::atoms::Standing;
use faultline::analysis::liveness::automaton::{Automaton, Guard};
use faultline::analysis::liveness::parser::Reading;
use faultline::analysis::liveness::places::{ends_run, states};
use faultline::lang::interpreter::{Configuration, Machine, Outcome};
use faultline::lang::model::*;
use std::collections::{BTreeSet, HashMap};

/// What the oracle found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explicit {
    /// Is there an accepting run?
    pub accepting: bool,
    /// By edge of the program: does some accepting run execute it, or end in it?
    pub violating: Vec<bool>,
    /// Were all configurations looked at? If not, only `accepting` means something.
    pub complete: bool,
}

/// Most nodes, and the highest stack.
const MOST_NODES: usize = 40_000;
const HIGHEST: u32 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    /// The automaton has not read the state.
    Before,
    /// It has; the next statement does not fail.
    After,
    /// It has; the next statement fails.
    Failing,
    /// The run has ended; its last state fails or does not.
    Ended(bool),
}

type Node = (usize, usize, Mode);

/// The program with places of their own for returns, so that the ends of procedures are seen.
fn with_ends(program: &Program) -> Program {
    let mut split = program.clone();
    for (k, procedure) in program.procedures.iter().enumerate() {
        if k == program.main {
            continue;
        }
        let location = *program.location(procedure.exit);
        split.locations.push(location);
        let behind = LocationId(split.locations.len() as u32 - 1);
        split.procedures[k].exit = behind;
        split.edges.push(Edge {
            from: procedure.exit,
            to: behind,
            checks: Vec::new(),
            operation: Operation::Skip,
            choices: Vec::new(),
            kind: StatementKind::Hidden,
            outcome: String::new(),
            span: Span::default(),
            text: String::new(),
            scope: ScopeId(0),
        });
    }
    split
}

/// Explores the product. Without an automaton all states accept, and runs that end do not count.
/// `fair`: only runs count that leave no place for ever by the same one of these groups of edges.
pub fn explore(
    program: &Program,
    reading: &Reading,
    automaton: Option<&Automaton>,
    fair: &[Vec<EdgeId>],
) -> Explicit {
    let split = with_ends(program);
    let machine = Machine::new(&split);
    let mut is_state = states(program);
    is_state.resize(split.locations.len(), false);
    let mut numbers: HashMap<Configuration, usize> = HashMap::new();
    let mut list: Vec<Configuration> = Vec::new();
    let mut number = |c: Configuration, list: &mut Vec<Configuration>| {
        *numbers.entry(c.clone()).or_insert_with(|| {
            list.push(c);
            list.len() - 1
        })
    };
    let (starts, mut complete) = machine.starts(4_000);
    let mut ids: HashMap<Node, usize> = HashMap::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut next: Vec<Vec<(usize, Option<EdgeId>)>> = Vec::new();
    for start in starts {
        let node = (number(start, &mut list), 0, Mode::Before);
        ids.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        });
    }
    let reads = |configuration: &Configuration, fails: bool, q: usize| -> Vec<usize> {
        let Some(automaton) = automaton else { return vec![0] };
        let standing = Standing { location: configuration.location, fails };
        let letter: Vec<bool> = (reading.atoms.iter())
            .map(|atom| {
                machine.evaluate(configuration, &atom.expression(program, standing), &[]) != 0
            })
            .collect();
        let allows =
            |guard: &Guard| guard.iter().all(|(atom, value)| letter[*atom as usize] == *value);
        let moves = automaton.states[q].moves.iter().filter(|m| allows(&m.guard));
        moves.map(|m| m.to).collect()
    };
    let mut at = 0;
    while at < nodes.len() {
        let (c, q, mode) = nodes[at];
        let configuration = list[c].clone();
        let mut found: Vec<(Node, Option<EdgeId>)> = Vec::new();
        match mode {
            Mode::Before if is_state[configuration.location.0 as usize] => {
                found.extend(
                    reads(&configuration, false, q)
                        .into_iter()
                        .map(|q| ((c, q, Mode::After), None)),
                );
                if automaton.is_some() {
                    let failing = reads(&configuration, true, q);
                    found.extend(failing.into_iter().map(|q| ((c, q, Mode::Failing), None)));
                }
            }
            Mode::Ended(fails) => {
                let again = reads(&configuration, fails, q).into_iter();
                found.extend(again.map(|q| ((c, q, Mode::Ended(fails)), None)));
            }
            Mode::Before | Mode::After => {
                if machine.has_ended(&configuration) {
                    if automaton.is_some() {
                        found.push(((c, q, Mode::Ended(false)), None));
                    }
                } else if configuration.depth() >= HIGHEST {
                    complete = false;
                } else {
                    let successors = machine.successors(&configuration, 64);
                    complete &= successors.complete;
                    for transition in successors.transitions {
                        if let Outcome::Next(to) = transition.outcome {
                            let to = (number(to, &mut list), q, Mode::Before);
                            found.push((to, Some(transition.step.edge)));
                        }
                    }
                    let out = machine.shape().out(configuration.location);
                    for id in out.iter().filter(|id| ends_run(split.edge(**id))) {
                        if automaton.is_some() {
                            found.push(((c, q, Mode::Ended(false)), Some(*id)));
                        }
                    }
                }
            }
            Mode::Failing => {
                let successors = machine.successors(&configuration, 64);
                complete &= successors.complete;
                for transition in successors.transitions {
                    if matches!(transition.outcome, Outcome::Error(_)) {
                        found.push(((c, q, Mode::Ended(true)), Some(transition.step.edge)));
                    }
                }
            }
        }
        let mut out = Vec::new();
        for (node, edge) in found {
            let to = *ids.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            });
            out.push((to, edge));
        }
        next.push(out);
        at += 1;
        if nodes.len() > MOST_NODES {
            complete = false;
            break;
        }
    }
    next.resize(nodes.len(), Vec::new());
    let accepts = |node: usize| {
        let (c, q, mode) = nodes[node];
        let is_read = match mode {
            Mode::Before => false,
            Mode::After => is_state[list[c].location.0 as usize],
            Mode::Failing | Mode::Ended(_) => true,
        };
        is_read && automaton.is_none_or(|automaton| automaton.states[q].accepting)
    };
    let recurring = accepting_cycles(next.clone(), &accepts, fair);
    let accepting = !recurring.is_empty();
    let before = leading_to(&next, recurring);
    let mut violating = vec![false; program.edges.len()];
    for (to, edge) in next.iter().flatten() {
        if let Some(EdgeId(edge)) = edge.filter(|_| before.contains(to))
            && let Some(known) = violating.get_mut(edge as usize)
        {
            *known = true;
        }
    }
    Explicit { accepting, violating, complete }
}

pub type Graph = Vec<Vec<(usize, Option<EdgeId>)>>;

/// The nodes from which these can be reached, themselves included.
pub fn leading_to(next: &Graph, targets: BTreeSet<usize>) -> BTreeSet<usize> {
    let mut into = vec![Vec::new(); next.len()];
    for (from, out) in next.iter().enumerate() {
        out.iter().for_each(|(to, _)| into[*to].push(from));
    }
    let mut waiting: Vec<usize> = targets.iter().copied().collect();
    let mut found = targets;
    while let Some(node) = waiting.pop() {
        for from in &into[node] {
            if found.insert(*from) {
                waiting.push(*from);
            }
        }
    }
    found
}

/// The nodes of strongly connected components that hold a cycle through an accepting node, round
/// which each group has none or all of its edges. In a component that has some of a group and not
/// all, the group's edges are taken out, and what is left is looked at again (Emerson and Lei
/// 1987).
pub fn accepting_cycles(
    mut next: Graph,
    accepts: &dyn Fn(usize) -> bool,
    fair: &[Vec<EdgeId>],
) -> BTreeSet<usize> {
    loop {
        let mut good = BTreeSet::new();
        let mut is_cut = false;
        for component in components(&next) {
            let inside = |to: usize| component.contains(&to);
            let edges = || {
                component.iter().flat_map(|node| next[*node].iter()).filter(|(to, _)| inside(*to))
            };
            if edges().next().is_none() {
                continue;
            }
            let taken: Vec<EdgeId> = edges().filter_map(|(_, edge)| *edge).collect();
            let is_unfair = |group: &&Vec<EdgeId>| {
                let ways = group.iter().filter(|edge| taken.contains(edge)).count();
                ways > 0 && ways < group.len()
            };
            let unfair: Vec<EdgeId> = fair.iter().filter(is_unfair).flatten().copied().collect();
            if unfair.is_empty() {
                if component.iter().any(|node| accepts(*node)) {
                    good.extend(component);
                }
                continue;
            }
            is_cut = true;
            for node in component {
                next[node].retain(|(_, edge)| edge.is_none_or(|edge| !unfair.contains(&edge)));
            }
        }
        if !is_cut {
            return good;
        }
    }
}

/// Strongly connected components. Tarjan 1972, without recursion.
fn components(next: &Graph) -> Vec<BTreeSet<usize>> {
    let mut found = Vec::new();
    const NONE: usize = usize::MAX;
    let count = next.len();
    let (mut index, mut low) = (vec![NONE; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut counter) = (Vec::new(), 0);
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((node, k)) = work.pop() {
            if k == 0 {
                index[node] = counter;
                low[node] = counter;
                counter += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some((to, _)) = next[node].get(k).copied() {
                work.push((node, k + 1));
                if index[to] == NONE {
                    work.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            if low[node] == index[node] {
                let mut component = BTreeSet::new();
                while let Some(top) = stack.pop() {
                    on_stack[top] = false;
                    component.insert(top);
                    if top == node {
                        break;
                    }
                }
                found.push(component);
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    found
}
