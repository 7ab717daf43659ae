//! The effect of one statement: a relation between the values that it reads and the values that it
//! changes. Cells that it does not mention stay as they are, without an equation.

use super::expression::Encoder;
use super::layout::{Cell, Copy, Layout};
use super::on_demand::PartialRelation;
use crate::bdd::{Bdd, BitVector, Manager, Renaming, Var, VarSet, impl_roots};
use crate::lang::model::{Check, EdgeId, Expression, Operation, Place, Program};
use crate::util::Bounded;
use std::collections::BTreeMap;

/// The cells that an effect changes, and the renamings with which saturation passes a weight
/// through it.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The cells, ascending.
    pub(super) cells: Vec<Cell>,
    /// The renaming from [`Copy::Now`] to [`Copy::Middle`].
    pub(super) now_to_middle: Renaming,
    /// The renaming from [`Copy::Entry`] to [`Copy::Middle`].
    pub(super) entry_to_middle: Renaming,
    /// The renaming from [`Copy::Middle`] to [`Copy::Now`].
    pub(super) middle_to_now: Renaming,
    /// Their middle levels.
    pub(super) middle: VarSet,
    /// Their current levels.
    pub(super) now: VarSet,
}

impl Change {
    pub(super) fn new(kernel: &mut Manager, layout: &Layout, mut cells: Vec<Cell>) -> Change {
        cells.sort();
        cells.dedup();
        let now_to_middle = kernel.renaming(&layout.shift(&cells, Copy::Now, Copy::Middle));
        let entry_to_middle = kernel.renaming(&layout.shift(&cells, Copy::Entry, Copy::Middle));
        let middle_to_now = kernel.renaming(&layout.shift(&cells, Copy::Middle, Copy::Now));
        let middle = kernel.var_set(&layout.cells_levels(&cells, Copy::Middle));
        let now = kernel.var_set(&layout.cells_levels(&cells, Copy::Now));
        Change { cells, now_to_middle, entry_to_middle, middle_to_now, middle, now }
    }

    pub(super) fn has(&self, cell: Cell) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }

    /// The copy that holds a cell's value *before* the effect, in the forward relation.
    pub(super) fn before(&self, cell: Cell) -> Copy {
        if self.has(cell) { Copy::Middle } else { Copy::Now }
    }
}

/// A statement (an edge without a call), in both directions.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) change: Change,
    /// Values before in the copy of [`Change::before`], values after in [`Copy::Now`].
    pub(super) forward: Bdd,
    /// Values before in [`Copy::Entry`], values of changed cells after in [`Copy::Middle`].
    pub(super) backward: Bdd,
    /// The stores for which the relations are built; `None`: all stores.
    pub(super) covered: Option<PartialRelation>,
}

/// The cells that an operation changes. The effects of a callee are not included.
fn changed(layout: &Layout, operation: &Operation) -> Vec<Cell> {
    match operation {
        Operation::Skip | Operation::Assume(_) | Operation::Call { .. } => Vec::new(),
        Operation::Havoc(variables) => variables.iter().flat_map(|v| layout.cells(*v)).collect(),
        Operation::Assign(list) => {
            list.iter().flat_map(|(place, _)| targets(layout, place)).collect()
        }
    }
}

/// The cells that a place may mean.
fn targets(layout: &Layout, place: &Place) -> Vec<Cell> {
    match place {
        Place::Element(array, Expression::Constant(bits, scalar)) => {
            let number = scalar.number(*bits);
            layout.cells(*array).filter(|cell| i128::from(cell.element) == number).collect()
        }
        Place::Variable(variable) | Place::Element(variable, _) => {
            layout.cells(*variable).collect()
        }
    }
}

/// Relation: all these checks hold, with values from the given copies (choices are free).
pub(super) fn all_hold(encoder: &mut Encoder<'_>, checks: &[Check]) -> Bounded<Bdd> {
    let mut holds = Bdd::TRUE;
    for check in checks {
        let one = encoder.truth(&check.condition)?;
        holds = encoder.kernel.and(holds, one)?;
    }
    Ok(holds)
}

/// Relation: a cell in a copy equals a value, bit by bit. Of a cell that is stored in part, these
/// are the stored bits: the others of the value follow from them.
pub(super) fn equals(
    kernel: &mut Manager,
    layout: &Layout,
    cell: Cell,
    copy: Copy,
    value: &BitVector,
) -> Bounded<Bdd> {
    let levels: Vec<Var> = layout.stored_levels(cell, copy).collect();
    let target = BitVector::from_variables(kernel, &levels)?;
    target.equal(kernel, &value.zero_extend(target.width()))
}

/// Relation: entry equals now, for these cells.
pub(super) fn identity(kernel: &mut Manager, layout: &Layout, cells: &[Cell]) -> Bounded<Bdd> {
    let mut pairs: Vec<_> = layout.shift(cells, Copy::Entry, Copy::Now);
    pairs.sort();
    let mut same = Bdd::TRUE;
    for (entry, now) in pairs.into_iter().rev() {
        let (entry, now) = (kernel.var(entry)?, kernel.var(now)?);
        let equal = kernel.iff(entry, now)?;
        same = kernel.and(equal, same)?;
    }
    Ok(same)
}

/// The relation of an edge with its choices still free. Values before are in the copy of
/// [`Change::before`], values after in [`Copy::Now`]. It is right for the stores (before) in
/// `care`, and arbitrary elsewhere.
pub(super) fn open_relation(
    kernel: &mut Manager,
    layout: &Layout,
    program: &Program,
    edge: EdgeId,
    change: &Change,
    care: Bdd,
) -> Bounded<Bdd> {
    let before = |cell| change.before(cell);
    let statement = program.edge(edge);
    let mut encoder = Encoder { kernel, layout, edge: Some(edge), copy: &before, care };
    let mut relation = all_hold(&mut encoder, &statement.checks)?;
    match &statement.operation {
        Operation::Skip | Operation::Havoc(_) | Operation::Call { .. } => {}
        Operation::Assume(condition) => {
            let holds = encoder.truth(condition)?;
            relation = encoder.kernel.and(relation, holds)?;
        }
        Operation::Assign(list) => {
            let mut written: BTreeMap<Cell, BitVector> = BTreeMap::new();
            for (place, value) in list {
                let value = encoder.value(value)?;
                match place {
                    Place::Variable(variable) => {
                        written.insert(Cell { variable: *variable, element: 0 }, value);
                    }
                    Place::Element(_, Expression::Constant(..)) => {
                        if let Some(cell) = targets(layout, place).first() {
                            written.insert(*cell, value);
                        }
                    }
                    Place::Element(array, index) => {
                        let signed = index.scalar().signed;
                        let index = encoder.value(index)?;
                        let mut old = Vec::new();
                        for cell in layout.cells(*array) {
                            old.push(match written.get(&cell) {
                                Some(new) => new.clone(),
                                None => encoder.cell(cell)?,
                            });
                        }
                        let new = BitVector::write(encoder.kernel, &old, &index, signed, &value)?;
                        written.extend(layout.cells(*array).zip(new));
                    }
                }
            }
            for (cell, value) in written.iter().rev() {
                let same = equals(encoder.kernel, layout, *cell, Copy::Now, value)?;
                relation = encoder.kernel.and(relation, same)?;
            }
        }
    }
    Ok(relation)
}

/// Moves a forward relation (or guard) to the backward copies.
pub(super) fn turn(
    kernel: &mut Manager,
    layout: &Layout,
    change: &Change,
    forward: Bdd,
) -> Bounded<Bdd> {
    let mut pairs = Vec::new();
    for level in kernel.support(forward) {
        let Some((cell, copy)) = layout.owner(level) else { continue };
        let down = match (copy, change.has(cell)) {
            (Copy::Now, true) | (Copy::Middle, _) => 1,
            (Copy::Now, false) => 2,
            (Copy::Entry, _) => 0,
        };
        pairs.push((level, Var(level.0 - down)));
    }
    let renaming = kernel.renaming(&pairs);
    kernel.rename(forward, renaming)
}

impl Statement {
    /// The effect of an edge: all checks hold, then the operation happens, and then the cells in
    /// `forgotten` get any value. Or the failure of the edge's k-th check, while all earlier ones
    /// hold. Only for these stores (over [`Copy::Now`]).
    pub(super) fn within(
        kernel: &mut Manager,
        layout: &Layout,
        program: &Program,
        source: (EdgeId, Option<usize>),
        forgotten: &[Cell],
        stores: Bdd,
    ) -> Bounded<Statement> {
        let (change, forward) =
            Statement::forward(kernel, layout, program, source, forgotten, stores)?;
        let backward = turn(kernel, layout, &change, forward)?;
        Ok(Statement { change, forward, backward, covered: None })
    }

    /// The same in the forward direction alone: the changed cells, and the relation.
    pub(super) fn forward(
        kernel: &mut Manager,
        layout: &Layout,
        program: &Program,
        (edge, check): (EdgeId, Option<usize>),
        forgotten: &[Cell],
        stores: Bdd,
    ) -> Bounded<(Change, Bdd)> {
        let (change, forgotten) = match check {
            None => (Statement::change(kernel, layout, program, edge, forgotten), forgotten),
            Some(_) => (Change::new(kernel, layout, Vec::new()), &[][..]),
        };
        let before = kernel.rename(stores, change.now_to_middle)?;
        let open = match check {
            None => open_relation(kernel, layout, program, edge, &change, before)?,
            Some(check) => open_failure(kernel, layout, program, edge, check, before)?,
        };
        let mut free = layout.choices(edge);
        free.extend(layout.cells_levels(forgotten, Copy::Now));
        let free = kernel.var_set(&free);
        let forward = kernel.and_exists(open, before, free)?;
        Ok((change, forward))
    }

    /// An effect or failure of which nothing is built yet.
    pub(super) fn on_demand(
        kernel: &mut Manager,
        layout: &Layout,
        program: &Program,
        covered: PartialRelation,
        forgotten: &[Cell],
    ) -> Statement {
        let change = match covered.source {
            (edge, None) => Statement::change(kernel, layout, program, edge, forgotten),
            _ => Change::new(kernel, layout, Vec::new()),
        };
        Statement { change, forward: Bdd::FALSE, backward: Bdd::FALSE, covered: Some(covered) }
    }

    fn change(
        kernel: &mut Manager,
        layout: &Layout,
        program: &Program,
        edge: EdgeId,
        forgotten: &[Cell],
    ) -> Change {
        let mut cells = changed(layout, &program.edge(edge).operation);
        cells.extend(forgotten);
        Change::new(kernel, layout, cells)
    }
}

/// The failure of an edge's k-th check with the choices still free, over [`Copy::Now`]. It is right
/// for stores in `care`, and arbitrary elsewhere.
pub(super) fn open_failure(
    kernel: &mut Manager,
    layout: &Layout,
    program: &Program,
    edge: EdgeId,
    check: usize,
    care: Bdd,
) -> Bounded<Bdd> {
    let checks = &program.edge(edge).checks;
    let now = |_| Copy::Now;
    let mut encoder = Encoder { kernel, layout, edge: Some(edge), copy: &now, care };
    let earlier = all_hold(&mut encoder, &checks[..check])?;
    let holds = encoder.truth(&checks[check].condition)?;
    kernel.difference(earlier, holds)
}

impl_roots!(Statement { forward, backward, covered });
