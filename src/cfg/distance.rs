//! The least number of statements between two places, whatever the data are.

use crate::lang::model::{Edge, LocationId, Operation, Program};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The least numbers of statements, as a trace lists them, to one location.
pub struct Distances {
    /// By location: the distance to the exit of its procedure.
    to_exit: Vec<Option<u64>>,
    /// By location: the distance to the target, before the frame is left.
    inside: Vec<Option<u64>>,
}

impl Distances {
    /// The distances in a program to a location.
    pub fn to(program: &Program, target: LocationId) -> Distances {
        let mut into: Vec<Vec<&Edge>> = vec![Vec::new(); program.locations.len()];
        let mut calls: Vec<Vec<&Edge>> = vec![Vec::new(); program.procedures.len()];
        for edge in &program.edges {
            into[edge.to].push(edge);
            if let Operation::Call { callee, .. } = &edge.operation {
                calls[*callee].push(edge);
            }
        }
        let to_exit = to_exit(program, &into, &calls);
        let inside = inside(program, target, &into, &calls, &to_exit);
        Distances { to_exit, inside }
    }

    /// The distance from a location in a frame that returns to the last of these locations, whose
    /// frame returns to the one before, and so on. Returns `None` if no way leads to the target.
    pub fn from(
        &self,
        location: LocationId,
        sites: impl DoubleEndedIterator<Item = LocationId>,
    ) -> Option<u64> {
        let (mut best, mut so_far, mut location) = (None, 0, location);
        let mut sites = sites.rev();
        loop {
            let here = self.inside[location].map(|inside| inside + so_far);
            best = best.into_iter().chain(here).min();
            let (Some(further), Some(site)) = (self.to_exit[location], sites.next()) else {
                return best;
            };
            (so_far, location) = (so_far + further, site);
        }
    }
}

fn cost(edge: &Edge) -> u64 {
    u64::from(edge.is_traced())
}

/// The length of a step over an edge. For a call this includes the way through its callee; `None`
/// if the callee does not return.
fn over(program: &Program, edge: &Edge, to_exit: &[Option<u64>]) -> Option<u64> {
    let through = match &edge.operation {
        Operation::Call { callee, .. } => to_exit[program.procedure(*callee).entry.0 as usize]?,
        _ => 0,
    };
    Some(through + cost(edge))
}

/// The distances to the exits. A way over a call consists of the call statement and a way through
/// the callee (Knuth 1977).
fn to_exit(program: &Program, into: &[Vec<&Edge>], calls: &[Vec<&Edge>]) -> Vec<Option<u64>> {
    let mut least: Vec<Option<u64>> = vec![None; program.locations.len()];
    let mut waiting: BinaryHeap<_> =
        program.procedures.iter().map(|procedure| Reverse((0, procedure.exit))).collect();
    while let Some(Reverse((length, location))) = waiting.pop() {
        if least[location].is_some() {
            continue;
        }
        least[location] = Some(length);
        for edge in &into[location] {
            waiting.extend(
                over(program, edge, &least).map(|over| Reverse((length + over, edge.from))),
            );
        }
        let owner = program.location(location).procedure;
        if program.procedure(owner).entry == location {
            for call in &calls[owner] {
                let behind = least[call.to];
                waiting.extend(
                    behind.map(|behind| Reverse((length + behind + cost(call), call.from))),
                );
            }
        }
    }
    least
}

fn inside(
    program: &Program,
    target: LocationId,
    into: &[Vec<&Edge>],
    calls: &[Vec<&Edge>],
    to_exit: &[Option<u64>],
) -> Vec<Option<u64>> {
    let mut least: Vec<Option<u64>> = vec![None; program.locations.len()];
    let mut waiting = BinaryHeap::from([Reverse((0, target))]);
    while let Some(Reverse((length, location))) = waiting.pop() {
        if least[location].is_some() {
            continue;
        }
        least[location] = Some(length);
        for edge in &into[location] {
            waiting.extend(
                over(program, edge, to_exit).map(|over| Reverse((length + over, edge.from))),
            );
        }
        // The callee may reach the target without returning.
        let owner = program.location(location).procedure;
        if program.procedure(owner).entry == location {
            waiting
                .extend(calls[owner].iter().map(|call| Reverse((length + cost(call), call.from))));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    #[test]
    fn a_return_goes_where_the_call_was() {
        let source = "int x;\nvoid f() { x = 1;\n x = 2; }\nvoid main() { f();\n if (x == 2) {\n  x = 3;\n  f(); }\n x = 5; }";
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let main = program.procedure(program.main_id());
        let edge = |line: u32| {
            program
                .edges
                .iter()
                .find(|edge| edge.is_traced() && edge.span.line == line)
                .expect("a statement")
        };
        let to_end = Distances::to(&program, main.exit);
        let from = |line: u32, pending: &[u32]| {
            to_end.from(edge(line).from, pending.iter().map(|line| edge(*line).to))
        };
        // The condition counts; the statement that it guards need not be executed.
        assert_eq!(
            [from(8, &[]), from(7, &[]), from(6, &[]), from(5, &[])],
            [Some(1), Some(4), Some(5), Some(2)]
        );
        // The call, both statements inside it, and then the rest.
        assert_eq!(from(4, &[]), Some(5));
        // The second statement of the callee, for each caller. Without a caller the frame is never
        // left.
        assert_eq!([from(3, &[4]), from(3, &[7]), from(3, &[])], [Some(3), Some(2), None]);
        // Into the callee, from the place of its first call.
        let to_callee = Distances::to(&program, edge(3).from);
        let from = |line: u32, pending: &[u32]| {
            to_callee.from(edge(line).from, pending.iter().map(|line| edge(*line).to))
        };
        assert_eq!([from(4, &[]), from(5, &[]), from(8, &[])], [Some(2), Some(4), None]);
    }
}
