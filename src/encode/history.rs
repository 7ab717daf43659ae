//! Globals at context switches: further copies, besides the three of every store.
//!
//! Each bit of a shared global has some further levels, c0, c1, …: the globals with which a
//! thread's first context begins and ends, with which its second begins and ends, and so on.
//! Weights treat them as constants, so statements, calls and returns need not know them. The end of
//! a context renames the globals now to its copy. The beginning of a context says that the globals
//! now equal the next copy. The result is the tensor of the contexts' relations, in which the
//! locals are joined already (Lal, Touili, Kidd, Reps 2007, § 7: concatenated diagrams over doubled
//! variables, and App. B.1).

use super::layout::{Cell, Copy};
use super::program_domain::ProgramDomain;
use crate::bdd::{Bdd, Manager, Renaming, Var, VarSet, impl_roots};
use crate::lang::model::{Program, VariableId, VariableKind};
use crate::util::Bounded;
use crate::util::order::inserted;
use std::collections::BTreeSet;

/// The globals that some statement writes. Threads communicate by them. All others keep their
/// values from the start.
pub fn shared_globals(program: &Program) -> BTreeSet<VariableId> {
    let all = crate::cfg::changed_variables(program).into_iter().flatten();
    inserted(all.filter(|variable| program.variable(*variable).kind == VariableKind::Global))
}

/// The further copies of one program's shared globals.
#[derive(Clone, Debug)]
pub struct History {
    cells: Vec<Cell>,
    /// By cell and copy: levels.
    levels: Vec<Vec<Vec<Var>>>,
    from_now: Vec<Renaming>,
    to_now: Vec<Renaming>,
    /// By copy: the relation "the globals now equal this copy".
    same: Vec<Bdd>,
    copies: Vec<VarSet>,
    /// The levels of all shared globals now.
    now: VarSet,
    /// The levels of everything that belongs to one thread: locals and entries of frames. The
    /// globals now, the copies and the first `marks` levels are not among them.
    private: VarSet,
}

impl History {
    /// The copies for a domain whose layout remembers `copies` copies of the program's shared
    /// globals and leaves the first `marks` levels free.
    pub fn new(
        domain: &mut ProgramDomain,
        program: &Program,
        copies: u32,
        marks: u32,
    ) -> Bounded<History> {
        let (kernel, layout) = (&mut domain.kernel, &domain.layout);
        let cells: Vec<Cell> = shared_globals(program)
            .into_iter()
            .flat_map(|variable| layout.cells(variable))
            .collect();
        let levels: Vec<Vec<Vec<Var>>> = cells
            .iter()
            .map(|cell| (0..copies).map(|k| layout.remembered(*cell, k)).collect())
            .collect();
        let mut history = History {
            cells,
            levels,
            from_now: Vec::new(),
            to_now: Vec::new(),
            same: Vec::new(),
            copies: Vec::new(),
            now: kernel.var_set(&[]),
            private: kernel.var_set(&[]),
        };
        history.now = kernel.var_set(&layout.cells_levels(&history.cells, Copy::Now));
        for k in 0..copies as usize {
            let mut pairs = Vec::new();
            for (cell, levels) in history.cells.iter().zip(&history.levels) {
                pairs.extend(
                    layout.cell(*cell, Copy::Now).into_iter().zip(levels[k].iter().copied()),
                );
            }
            pairs.sort();
            history.from_now.push(kernel.renaming(&pairs));
            let back: Vec<(Var, Var)> = pairs.iter().map(|(now, copy)| (*copy, *now)).collect();
            history.to_now.push(kernel.renaming(&back));
            history
                .copies
                .push(kernel.var_set(&back.iter().map(|(copy, _)| *copy).collect::<Vec<_>>()));
            let mut same = Bdd::TRUE;
            for (now, copy) in pairs.into_iter().rev() {
                let (now, copy) = (kernel.var(now)?, kernel.var(copy)?);
                let equal = kernel.iff(now, copy)?;
                same = kernel.and(equal, same)?;
            }
            history.same.push(same);
        }
        let globals: Vec<Cell> =
            program.globals().flat_map(|variable| layout.cells(variable)).collect();
        let mut kept: BTreeSet<Var> = inserted(layout.cells_levels(&globals, Copy::Now));
        kept.extend(history.levels.iter().flatten().flatten());
        kept.extend((0..marks).map(Var));
        let private: Vec<Var> =
            (0..layout.levels()).map(Var).filter(|level| !kept.contains(level)).collect();
        history.private = kernel.var_set(&private);
        Ok(history)
    }

    /// The cells that have copies.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// How many copies there are.
    pub fn copies(&self) -> usize {
        self.from_now.len()
    }

    /// The levels of everything that belongs to one thread: locals and entries of frames.
    pub fn private(&self) -> VarSet {
        self.private
    }

    /// A context ends: the globals now become a copy.
    pub fn end(&self, kernel: &mut Manager, weight: Bdd, copy: usize) -> Bounded<Bdd> {
        kernel.rename(weight, self.from_now[copy])
    }

    /// A context begins, of which only copies are known so far: the globals now equal this copy.
    pub fn begin(&self, kernel: &mut Manager, weight: Bdd, copy: usize) -> Bounded<Bdd> {
        kernel.and(weight, self.same[copy])
    }

    /// Turns a copy into the globals now.
    pub fn to_now(&self, kernel: &mut Manager, weight: Bdd, copy: usize) -> Bounded<Bdd> {
        kernel.rename(weight, self.to_now[copy])
    }

    /// Forgets these copies.
    pub fn forget(
        &self,
        kernel: &mut Manager,
        mut weight: Bdd,
        copies: impl IntoIterator<Item = usize>,
    ) -> Bounded<Bdd> {
        for copy in copies {
            weight = kernel.exists(weight, self.copies[copy])?;
        }
        Ok(weight)
    }

    /// ∃ these copies. left ∧ right.
    pub fn join(
        &self,
        kernel: &mut Manager,
        left: Bdd,
        right: Bdd,
        gone: &[usize],
    ) -> Bounded<Bdd> {
        let levels: Vec<Var> = gone
            .iter()
            .flat_map(|k| self.levels.iter().flat_map(|of_cell| of_cell[*k].iter().copied()))
            .collect();
        let gone = kernel.var_set(&levels);
        kernel.and_exists(left, right, gone)
    }

    /// Turns copy k into copy `positions[k]`, for all k at once.
    pub fn place(&self, kernel: &mut Manager, weight: Bdd, positions: &[usize]) -> Bounded<Bdd> {
        let mut pairs = Vec::new();
        for levels in &self.levels {
            for (k, position) in positions.iter().enumerate() {
                pairs.extend(levels[k].iter().copied().zip(levels[*position].iter().copied()));
            }
        }
        let renaming = kernel.renaming(&pairs);
        kernel.rename(weight, renaming)
    }

    /// The levels of a copy: by cell, least significant bit first.
    pub fn levels(&self, copy: usize) -> Vec<(Cell, Vec<Var>)> {
        self.cells
            .iter()
            .zip(&self.levels)
            .map(|(cell, of_cell)| (*cell, of_cell[copy].clone()))
            .collect()
    }
}

impl_roots!(History { same });
