//! The columns of affine relations: one for each variable that a matrix speaks of.
//!
//! The order: the globals, then further copies of those that threads share (if asked for), then as
//! many slots for locals as the largest procedure needs. Each procedure uses the first of these
//! slots. Arrays and floating point have no columns.

use crate::lang::model::{Program, Variable, VariableId};

/// The column of each variable.
#[derive(Clone, Debug)]
pub struct Columns {
    by_variable: Vec<Option<usize>>,
    globals: usize,
    slots: usize,
    shared: Vec<usize>,
    copies: usize,
}

fn has_column(variable: &Variable) -> bool {
    !variable.is_array() && !variable.scalar.floating
}

impl Columns {
    /// Gives every scalar a column, but floating point.
    pub fn new(program: &Program) -> Columns {
        Columns::remembering(program, 0)
    }

    /// The same, with so many further copies of every global that some statement writes.
    pub fn remembering(program: &Program, copies: usize) -> Columns {
        let mut by_variable = vec![None; program.variables.len()];
        let mut globals = 0;
        for id in program.globals().filter(|id| has_column(program.variable(*id))) {
            by_variable[id] = Some(globals);
            globals += 1;
        }
        let shared: Vec<usize> = crate::encode::shared_globals(program)
            .iter()
            .filter_map(|id| by_variable[*id])
            .collect();
        let first = globals + copies * shared.len();
        let mut slots = 0;
        for procedure in &program.procedures {
            let own = procedure.parameters.iter().chain(&procedure.locals);
            for (slot, id) in own.filter(|id| has_column(program.variable(**id))).enumerate() {
                by_variable[*id] = Some(first + slot);
                slots = slots.max(slot + 1);
            }
        }
        Columns { by_variable, globals, slots, shared, copies }
    }

    /// The columns of the globals that have copies.
    pub fn shared(&self) -> &[usize] {
        &self.shared
    }

    /// The columns of a copy of them, from 0.
    pub fn copy(&self, copy: usize) -> std::ops::Range<usize> {
        let first = self.globals + copy * self.shared.len();
        first..first + self.shared.len()
    }

    /// The columns of the globals that no statement writes.
    pub fn constant(&self) -> Vec<usize> {
        (0..self.globals).filter(|column| !self.shared.contains(column)).collect()
    }

    /// The variable's column, from 0; `None` for arrays and floating point.
    pub fn of(&self, variable: VariableId) -> Option<usize> {
        self.by_variable[variable]
    }

    /// Number of columns.
    pub fn count(&self) -> usize {
        self.globals + self.copies * self.shared.len() + self.slots
    }

    /// The columns of locals.
    pub fn locals(&self) -> std::ops::Range<usize> {
        self.count() - self.slots..self.count()
    }
}
