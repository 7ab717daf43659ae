//! The globals that threads share: those of a weight, and the weight without them.
//!
//! Lal, Touili, Kidd, Reps 2007, § 2.4: where a context ends, the configurations that it reached
//! are split by their globals, and a thread that continues later gets the globals of that later
//! moment. In weights this changes only the top of the stack: the weights of the frames below
//! describe the moments of their calls, and these do not change.

use super::concretize::Valuation;
use super::layout::{Cell, Copy};
use super::program_domain::ProgramDomain;
use crate::bdd::{Bdd, Var, VarSet};
use crate::lang::model::Program;
use crate::util::Bounded;
use rustc_hash::FxHashSet;

/// The globals of a program with threads.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Their cells, in order.
    pub cells: Vec<Cell>,
    /// Their levels now.
    now: VarSet,
    /// All other levels.
    rest: VarSet,
}

impl Shared {
    /// The globals of the program that `domain` belongs to.
    pub fn new(domain: &mut ProgramDomain, program: &Program) -> Shared {
        let cells: Vec<Cell> = program.globals().flat_map(|id| domain.layout.cells(id)).collect();
        let now = domain.layout.cells_levels(&cells, Copy::Now);
        let own: FxHashSet<Var> = now.iter().copied().collect();
        let rest: Vec<Var> =
            (0..domain.layout.levels()).map(Var).filter(|level| !own.contains(level)).collect();
        Shared { cells, now: domain.kernel.var_set(&now), rest: domain.kernel.var_set(&rest) }
    }

    /// The levels of these cells now, for counting.
    pub fn levels(&self, domain: &ProgramDomain, cells: &[Cell]) -> Vec<Var> {
        domain.layout.cells_levels(cells, Copy::Now)
    }
}

impl ProgramDomain {
    /// The globals of the stores of a weight (over [`Copy::Now`]).
    pub fn globals_of(&mut self, shared: &Shared, weight: Bdd) -> Bounded<Bdd> {
        self.kernel.exists(weight, shared.rest)
    }

    /// The part of a weight that has these globals, without any statement about globals.
    pub fn without_globals(&mut self, shared: &Shared, weight: Bdd, globals: Bdd) -> Bounded<Bdd> {
        self.kernel.and_exists(weight, globals, shared.now)
    }

    /// The least valuation of a set of globals, and the set of it alone. `None` if the set is
    /// empty.
    pub fn least_globals(
        &mut self,
        shared: &Shared,
        globals: Bdd,
    ) -> Bounded<Option<(Valuation, Bdd)>> {
        let cells: Vec<(Cell, Copy)> = shared.cells.iter().map(|cell| (*cell, Copy::Now)).collect();
        let Some(found) = self.pick(globals, &cells) else { return Ok(None) };
        let valuation =
            Valuation(found.into_iter().map(|((cell, _), bits)| (cell, bits)).collect());
        let only = self.fixed(&shared.cells, Copy::Now, &valuation)?;
        Ok(Some((valuation, only)))
    }

    /// The same set of stores without its conditions on some cells (over [`Copy::Now`]).
    pub fn forget_cells(&mut self, stores: Bdd, cells: &[Cell]) -> Bounded<Bdd> {
        let set = self.kernel.var_set(&self.layout.cells_levels(cells, Copy::Now));
        self.kernel.exists(stores, set)
    }
}
