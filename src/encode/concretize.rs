//! From diagrams to concrete stores and choices.

use super::effect::{Change, all_hold, open_failure, open_relation};
use super::expression::Encoder;
use super::layout::{Cell, Copy};
use super::program_domain::ProgramDomain;
use crate::bdd::{Bdd, BitVector, Var};
use crate::lang::model::{ChoiceId, EdgeId, Operation, Program};
use crate::util::Bounded;
use crate::util::order::inserted;
use std::collections::BTreeMap;

/// Bit patterns of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Valuation(pub BTreeMap<Cell, u64>);

impl Valuation {
    /// The bit pattern of a cell; 0 if it is not here.
    pub fn get(&self, cell: Cell) -> u64 {
        self.0.get(&cell).copied().unwrap_or(0)
    }
}

impl ProgramDomain {
    /// The least model of a nonempty diagram over some cells, each in one copy. Cells that it does
    /// not mention are 0.
    pub fn pick(
        &self,
        diagram: Bdd,
        cells: &[(Cell, Copy)],
    ) -> Option<BTreeMap<(Cell, Copy), u64>> {
        let mut levels: Vec<Var> =
            cells.iter().flat_map(|(cell, copy)| self.layout.cell(*cell, *copy)).collect();
        levels.sort_unstable();
        let model = self.kernel.pick(diagram, &levels)?;
        let truth = |level: Var| levels.binary_search(&level).is_ok_and(|at| model[at]);
        let read = |(cell, copy): &(Cell, Copy)| {
            let stored = self
                .layout
                .stored_levels(*cell, *copy)
                .enumerate()
                .fold(0, |bits, (k, level)| bits | u64::from(truth(level)) << k);
            let scalar = self.layout.scalar(*cell);
            ((*cell, *copy), self.layout.stored(*cell).pattern(stored, scalar))
        };
        Some(inserted(cells.iter().map(read)))
    }

    /// The diagram of the stores in which these cells have these values, in this copy.
    pub fn fixed<'a>(
        &mut self,
        cells: impl IntoIterator<Item = &'a Cell>,
        copy: Copy,
        values: &Valuation,
    ) -> Bounded<Bdd> {
        let mut literals = Vec::new();
        for cell in cells {
            let bits = values.get(*cell);
            literals.extend(
                self.layout
                    .stored_levels(*cell, copy)
                    .enumerate()
                    .map(|(k, level)| (level, bits >> k & 1 == 1)),
            );
        }
        self.kernel.cube(&literals)
    }

    /// The stores among these (over [`Copy::Now`]) in which, for some choices, the edge's checks up
    /// to the k-th (inclusive) hold.
    pub fn passing_checks(
        &mut self,
        program: &Program,
        edge: EdgeId,
        check: usize,
        stores: Bdd,
    ) -> Bounded<Bdd> {
        if stores.is_false() {
            return Ok(Bdd::FALSE);
        }
        let now = |_| Copy::Now;
        let mut encoder = Encoder {
            kernel: &mut self.kernel,
            layout: &self.layout,
            edge: Some(edge),
            copy: &now,
            care: stores,
        };
        let hold = all_hold(&mut encoder, &program.edge(edge).checks[..=check])?;
        let choices = self.kernel.var_set(&self.layout.choices(edge));
        self.kernel.and_exists(hold, stores, choices)
    }

    /// The choices with which an edge leads from one store to another. There is one bit pattern for
    /// each choice.
    pub fn choices_of_step(
        &mut self,
        program: &Program,
        edge: EdgeId,
        before: &Valuation,
        after: &Valuation,
    ) -> Bounded<Option<Vec<u64>>> {
        if program.edge(edge).choices.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let written = match &program.edge(edge).operation {
            Operation::Assign(list) => {
                list.iter().flat_map(|(p, _)| self.layout.cells(p.variable())).collect()
            }
            _ => Vec::new(),
        };
        // This may name more cells than the effect changes: a cell that is not written is read from
        // the middle copy, where `before` is.
        let change = Change::new(&mut self.kernel, &self.layout, written);
        let procedure = program.owner(edge);
        let (changed, same): (Vec<Cell>, Vec<Cell>) =
            self.visible(procedure).into_iter().partition(|cell| change.has(*cell));
        // A cell that is forgotten behind the edge may have any value there.
        let known: Vec<Cell> =
            changed.iter().filter(|cell| !self.forgotten[edge].contains(cell)).copied().collect();
        let mut fixed = self.fixed(&same, Copy::Now, before)?;
        let old = self.fixed(&changed, Copy::Middle, before)?;
        let care = self.kernel.and(fixed, old)?;
        let open = open_relation(&mut self.kernel, &self.layout, program, edge, &change, care)?;
        for (cells, copy, values) in [(&changed, Copy::Middle, before), (&known, Copy::Now, after)]
        {
            let part = self.fixed(cells, copy, values)?;
            fixed = self.kernel.and(fixed, part)?;
        }
        let possible = self.kernel.and(open, fixed)?;
        Ok(self.pick_choices(program, edge, possible))
    }

    /// The choices with which a call enters its callee with these parameters.
    pub fn choices_of_call(
        &mut self,
        program: &Program,
        edge: EdgeId,
        before: &Valuation,
        entered: &Valuation,
    ) -> Bounded<Option<Vec<u64>>> {
        let Operation::Call { callee, arguments, .. } = &program.edge(edge).operation else {
            return Ok(None);
        };
        if program.edge(edge).choices.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let now = |_| Copy::Now;
        let mut encoder = Encoder {
            kernel: &mut self.kernel,
            layout: &self.layout,
            edge: Some(edge),
            copy: &now,
            care: Bdd::TRUE,
        };
        let mut possible = all_hold(&mut encoder, &program.edge(edge).checks)?;
        for (parameter, argument) in self.frames[*callee].parameters.iter().zip(arguments) {
            let value = encoder.value(argument)?;
            let wanted =
                BitVector::constant(entered.get(*parameter), argument.scalar().width.into());
            let same = value.equal(encoder.kernel, &wanted)?;
            possible = encoder.kernel.and(possible, same)?;
        }
        let visible = self.visible(program.owner(edge));
        let fixed = self.fixed(&visible, Copy::Now, before)?;
        let possible = self.kernel.and(possible, fixed)?;
        Ok(self.pick_choices(program, edge, possible))
    }

    /// The choices with which an edge's k-th check is the first to fail.
    pub fn choices_of_failure(
        &mut self,
        program: &Program,
        edge: EdgeId,
        check: usize,
        before: &Valuation,
    ) -> Bounded<Option<Vec<u64>>> {
        if program.edge(edge).choices.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let visible = self.visible(program.owner(edge));
        let fixed = self.fixed(&visible, Copy::Now, before)?;
        let open = open_failure(&mut self.kernel, &self.layout, program, edge, check, fixed)?;
        let possible = self.kernel.and(open, fixed)?;
        Ok(self.pick_choices(program, edge, possible))
    }

    fn pick_choices(&self, program: &Program, edge: EdgeId, possible: Bdd) -> Option<Vec<u64>> {
        let mut levels = self.layout.choices(edge);
        levels.sort_unstable();
        let model = self.kernel.pick(possible, &levels)?;
        let truth: BTreeMap<Var, bool> = inserted(levels.into_iter().zip(model));
        let value = |k: usize| {
            let levels = self.layout.choice(edge, ChoiceId(k as u32));
            levels
                .iter()
                .enumerate()
                .fold(0, |bits, (k, level)| bits | u64::from(truth[level]) << k)
        };
        Some((0..program.edge(edge).choices.len()).map(value).collect())
    }
}
