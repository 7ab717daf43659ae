//! Control dependence: which conditions decide whether a run passes a location?
//!
//! Ferrante, Ottenstein, Warren 1987, by postdominators (Cooper, Harvey, Kennedy 2001). A condition
//! is a location with several edges out; its outcomes are those edges. Some parts of the graph
//! never lead to the exit: endless loops and dead ends. Such a part gets one imaginary edge to the
//! exit, from its first location. So the locations inside depend on conditions as in any loop with
//! this head.

use super::order::{location_ranks, postorder};
use crate::lang::model::{EdgeId, LocationId, Program};
use crate::util::order::sort_by_key;

/// By location: the conditions that it depends on, ascending.
pub struct ControlDependence {
    depends: Vec<Vec<LocationId>>,
    out: Vec<Vec<EdgeId>>,
    /// By location: its immediate postdominator, which all ways to the exit pass first. A number
    /// past the last location stands for the imaginary end.
    above: Vec<usize>,
}

impl ControlDependence {
    /// The dependence of all procedures.
    pub fn of(program: &Program) -> ControlDependence {
        let count = program.locations.len();
        let mut out = vec![Vec::new(); count];
        // By location, its successors and predecessors. The last node is the imaginary end.
        let (mut next, mut previous) = (vec![Vec::new(); count + 1], vec![Vec::new(); count + 1]);
        let mut connect = |from: usize, to: usize| {
            next[from].push(to);
            previous[to].push(from);
        };
        for id in program.edge_ids() {
            let edge = program.edge(id);
            out[edge.from].push(id);
            connect(edge.from.0 as usize, edge.to.0 as usize);
        }
        for procedure in &program.procedures {
            connect(procedure.exit.0 as usize, count);
        }
        lead_out(&location_ranks(program), &mut next, &mut previous);
        let above = postdominators(&next, &previous);
        let mut depends: Vec<Vec<LocationId>> = vec![Vec::new(); count];
        for branch in (0..count).filter(|k| next[*k].len() > 1) {
            for first in &next[branch] {
                // Collects everything that postdominates this outcome but not the condition.
                let mut here = *first;
                while here != above[branch] && here != count {
                    if depends[here].last() == Some(&LocationId(branch as u32)) {
                        // Another outcome has led here already, and on from here.
                        break;
                    }
                    depends[here].push(LocationId(branch as u32));
                    here = above[here];
                }
            }
        }
        ControlDependence { depends, out, above }
    }

    /// The conditions that decide whether a location is passed.
    pub fn conditions(&self, location: LocationId) -> &[LocationId] {
        &self.depends[location]
    }

    /// The location where all ways out of a location meet again: its nearest postdominator, if it
    /// has one.
    pub fn rejoins(&self, location: LocationId) -> Option<LocationId> {
        self.above
            .get(location.0 as usize)
            .filter(|above| **above < self.depends.len())
            .map(|above| LocationId(*above as u32))
    }

    /// The edges that leave a location.
    pub fn outcomes(&self, location: LocationId) -> &[EdgeId] {
        &self.out[location]
    }
}

/// Adds one edge to the last node from each part of the graph from which no way leads there.
fn lead_out(ranks: &[u32], next: &mut [Vec<usize>], previous: &mut [Vec<usize>]) {
    let end = next.len() - 1;
    let mut leads = vec![false; end + 1];
    let flood = |leads: &mut Vec<bool>, previous: &[Vec<usize>], from: usize| {
        let mut waiting = vec![from];
        while let Some(here) = waiting.pop() {
            if !std::mem::replace(&mut leads[here], true) {
                waiting.extend(&previous[here]);
            }
        }
    };
    flood(&mut leads, previous, end);
    // Kosaraju's order, on the reversed graph: parts that no other part leads to come first, and
    // the first location of a loop comes before the rest of the loop.
    let mut first: Vec<usize> = (0..end).collect();
    sort_by_key(&mut first, |k| (ranks[*k], *k));
    for here in postorder(previous, first).into_iter().rev() {
        if here != end && !leads[here] {
            next[here].push(end);
            previous[end].push(here);
            flood(&mut leads, previous, here);
        }
    }
}

/// By node: its immediate postdominator, which all ways to the last node pass first.
fn postdominators(next: &[Vec<usize>], previous: &[Vec<usize>]) -> Vec<usize> {
    let end = next.len() - 1;
    let order = postorder(previous, [end]);
    let mut number = vec![0; next.len()];
    for (k, node) in order.iter().enumerate() {
        number[*node] = k;
    }
    let mut above = vec![usize::MAX; next.len()];
    above[end] = end;
    loop {
        let mut stable = true;
        for node in order.iter().rev().filter(|node| **node != end) {
            let known = next[*node].iter().copied().filter(|to| above[*to] != usize::MAX);
            let nearest = known.reduce(|mut a, mut b| {
                while a != b {
                    if number[a] < number[b] {
                        a = above[a];
                    } else {
                        b = above[b];
                    }
                }
                a
            });
            let nearest = nearest.expect("a node is seen after one that it leads to");
            stable &= std::mem::replace(&mut above[*node], nearest) == nearest;
        }
        if stable {
            return above;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    /// The lines of the conditions on which the statement that begins with `text` depends.
    fn conditions(source: &str, text: &str) -> Vec<u32> {
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let control = ControlDependence::of(&program);
        let edge =
            program.edges.iter().find(|edge| edge.text.starts_with(text)).expect("the statement");
        let lines =
            control.conditions(edge.from).iter().map(|location| program.location(*location).line);
        let mut lines: Vec<u32> = lines.collect();
        lines.dedup();
        lines
    }

    #[test]
    fn branches_and_loops() {
        let source = "int x; void main() {
if (x == 1)
  x = 2;
else
  skip;
x = 3;
while (x < 7)
  x = x + 1;
x = 5;
}";
        assert_eq!(conditions(source, "x = 2"), [2]);
        assert_eq!(conditions(source, "x = 3"), Vec::<u32>::new());
        assert_eq!(conditions(source, "x = x + 1"), [7]);
        assert_eq!(conditions(source, "while"), [7], "one turn decides on the next");
        assert_eq!(conditions(source, "x = 5"), Vec::<u32>::new());
    }

    #[test]
    fn a_return_decides_on_what_follows() {
        let source = "int x; void main() {
if (x == 1)
  return;
x = 3;
}";
        assert_eq!(conditions(source, "x = 3"), [2]);
    }

    #[test]
    fn an_endless_loop_is_no_condition_of_its_own_body() {
        let source = "int x; void main() {
skip;
again: x = 1;
  if (x == 1)
    x = 2;
  x = 3;
  goto again;
}";
        assert_eq!(conditions(source, "x = 2"), [4]);
        assert_eq!(conditions(source, "x = 1"), [3], "the imaginary way out is at the loop's head");
        assert_eq!(conditions(source, "x = 3"), [3]);
        assert_eq!(conditions(source, "skip"), Vec::<u32>::new());
    }
}
