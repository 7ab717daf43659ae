//! Finds edges that can be taken, by executing them in a few stores.
//!
//! At a point without predicates the abstraction of an edge only says whether the edge can be
//! taken. A condition that holds in one sampled store is satisfiable, and no diagram of it is
//! needed. Most conditions hold in one of a few stores with values at random, even if they read
//! large arrays. If a condition holds in no sampled store, nothing follows.

use crate::lang::interpreter::{Configuration, Frame, Machine};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId, Program, VariableId};
use rustc_hash::FxHashSet;

/// Stores that are tried for each procedure.
const TRIES: u64 = 24;
/// Only in programs with no more cells than this in all.
const MOST_CELLS: u64 = 1 << 14;
/// Only in programs with no more edges than this.
const MOST_EDGES: usize = 1 << 14;

/// The edges and failures that some sampled store allows.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// Edges whose checks and assumption hold somewhere.
    passes: FxHashSet<EdgeId>,
    /// Checks that are the first to fail somewhere.
    fails: FxHashSet<(EdgeId, usize)>,
}

impl Sampled {
    /// Executes every edge in a few stores, which are the same each time.
    pub fn of(program: &Program) -> Sampled {
        let mut sampled = Sampled::default();
        let cells: u64 =
            program.variables.iter().map(|variable| u64::from(variable.elements())).sum();
        if cells > MOST_CELLS || program.edges.len() > MOST_EDGES {
            return sampled;
        }
        let machine = Machine::new(program);
        let mut edges: Vec<Vec<EdgeId>> = vec![Vec::new(); program.procedures.len()];
        for id in program.edge_ids() {
            edges[program.owner(id)].push(id);
        }
        for (k, edges) in edges.iter().enumerate() {
            for attempt in 0..TRIES {
                let store = store(program, ProcedureId(k as u32), attempt);
                for id in edges {
                    sampled.look(&machine, &store, *id, attempt);
                }
            }
        }
        sampled
    }

    fn look(&mut self, machine: &Machine<'_>, store: &Configuration, id: EdgeId, attempt: u64) {
        let edge = machine.program().edge(id);
        let choices: Vec<u64> = (0..edge.choices.len() as u64)
            .map(|k| value(attempt, u64::from(id.0) << 32 | k))
            .collect();
        for (index, check) in edge.checks.iter().enumerate() {
            if machine.evaluate(store, &check.condition, &choices) == 0 {
                self.fails.insert((id, index));
                return;
            }
        }
        let goes_on = match &edge.operation {
            Operation::Assume(condition) => machine.evaluate(store, condition, &choices) != 0,
            _ => true,
        };
        if goes_on {
            self.passes.insert(id);
        }
    }

    /// Does some sampled store take the edge?
    pub fn passes(&self, edge: EdgeId) -> bool {
        self.passes.contains(&edge)
    }

    /// Is this check the first to fail in some sampled store?
    pub fn fails(&self, edge: EdgeId, check: usize) -> bool {
        self.fails.contains(&(edge, check))
    }
}

/// A store in a frame of the procedure.
fn store(program: &Program, procedure: ProcedureId, attempt: u64) -> Configuration {
    let values = |id: VariableId| -> Vec<u64> {
        let variable = program.variable(id);
        (0..u64::from(variable.elements()))
            .map(|element| value(attempt, u64::from(id.0) << 32 | element) & variable.scalar.mask())
            .collect()
    };
    let of = program.procedure(procedure);
    let frame = Frame {
        procedure,
        values: of.parameters.iter().chain(&of.locals).map(|id| values(*id)).collect(),
        call: None,
    };
    Configuration {
        globals: program.globals().map(values).collect(),
        frames: vec![frame],
        location: LocationId(of.entry.0),
    }
}

/// Zero at first, then small numbers, then any: by splitmix64 (Steele, Lea, Flood 2014).
fn value(attempt: u64, of: u64) -> u64 {
    let mut z = attempt
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(of.wrapping_mul(0xd134_2543_de82_ef95))
        .wrapping_add(1);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    match attempt {
        0 => 0,
        1..=12 => z & 3,
        _ => z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    /// An outcome that was seen in a sample is satisfiable; an outcome that is not satisfiable is
    /// never seen.
    #[test]
    fn only_what_can_be_is_seen() {
        let source = "int a[5]; void main() { int i, j; assume(i == i + 1); if (a[i] < a[j]) skip; assert(i != 3); }";
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let sampled = Sampled::of(&program);
        let (mut never, mut seen, mut failed) = (0, 0, 0);
        for id in program.edge_ids() {
            let edge = program.edge(id);
            match &edge.operation {
                Operation::Assume(_) if edge.text.contains("i == i + 1") => {
                    assert!(!sampled.passes(id));
                    never += 1;
                }
                Operation::Assume(_) => seen += u32::from(sampled.passes(id)),
                _ => {}
            }
            failed += (0..edge.checks.len()).filter(|check| sampled.fails(id, *check)).count();
        }
        assert!(never == 1 && seen == 2 && failed >= 1, "{never} {seen} {failed}");
    }
}
