//! The levels of the bits of variables in the order of decision levels.

use super::affinity::Affinity;
use super::arrangement::arranged;
use super::stored::Stored;
use crate::bdd::{Bdd, BitVector, Manager, Var};
use crate::cfg::Range;
use crate::lang::model::{ChoiceId, EdgeId, Program, Scalar, VariableId};
use crate::util::order::sort_by_key;
use crate::util::{Bounded, Order, Unread};
use std::collections::{BTreeMap, BTreeSet};

/// One of the three stores that a diagram can mention at once (see the table in the module's head).
/// They are in the order of the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Copy {
    /// Level 3k.
    Entry,
    /// Level 3k + 1.
    Middle,
    /// Level 3k + 2.
    Now,
}

/// A scalar piece of the store: a scalar variable (element 0) or an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The variable.
    pub variable: VariableId,
    /// Flattened index.
    pub element: u32,
}

/// The static order of decision levels of one program.
///
/// Groups of related variables (see `affinity`) come one after the other: those that index arrays
/// first; then the small ones, so that what statements mention together is near (see
/// `arrangement`); then the large ones, the smallest first. Within a
/// group the least significant bits of all members come first, then the next ones.
/// For each bit the three copies are next to each other.
#[derive(Clone, Debug)]
pub struct Layout {
    levels: u32,
    scalars: Vec<Scalar>,
    /// By variable: the bits that diagrams mention.
    stored: Vec<Stored>,
    elements: Vec<u32>,
    /// By variable, element, bit: the level of the entry copy.
    bits: Vec<Vec<Vec<u32>>>,
    /// By level: its cell and copy; `None` for choices.
    owners: Vec<Option<(Cell, Copy)>>,
    /// By edge, choice: levels, least significant bit first.
    choices: Vec<Vec<Vec<Var>>>,
    /// Which locals weights know.
    pub(super) unread: Unread,
}

/// From so many members on a group is data, whose values depend on the states above it.
const LARGE_GROUP: usize = 12;

enum Member {
    Cell(Cell),
    /// A slot that choices of different edges share.
    Choice(usize),
}

impl Layout {
    /// The layout of a program.
    pub fn new(program: &Program) -> Layout {
        Layout::below(program, 0)
    }

    /// The same in this order, for weights that know these locals.
    pub fn reduced(program: &Program, order: Order, unread: Unread) -> Layout {
        Layout { unread, ..Layout::build(program, 0, &BTreeSet::new(), 0, order) }
    }

    /// The layout of a program of which effects store only the bits that these ranges need, by
    /// variable. A variable that would get fewer than `least` bits shorter is stored as a whole.
    pub fn narrowed(program: &Program, ranges: &[Range], least: u8) -> Layout {
        Layout::new(program).narrow(ranges, least)
    }

    /// The same of a layout that is there.
    #[must_use]
    pub fn narrow(mut self, ranges: &[Range], least: u8) -> Layout {
        let kinds = ranges.iter().zip(&self.scalars);
        for (stored, (range, scalar)) in self.stored.iter_mut().zip(kinds) {
            let narrow = Stored::of(*range, *scalar);
            if narrow.bits + least <= scalar.width {
                *stored = narrow;
            }
        }
        self
    }

    /// The same, where the first levels are left to the caller.
    pub fn below(program: &Program, first: u32) -> Layout {
        Layout::remembering(program, first, &BTreeSet::new(), 0)
    }

    /// The same, with so many more copies of every bit of these variables, directly behind the
    /// three (see [`Layout::remembered`]).
    pub fn remembering(
        program: &Program,
        first: u32,
        variables: &BTreeSet<VariableId>,
        copies: u32,
    ) -> Layout {
        Layout::build(program, first, variables, copies, Order::Arranged)
    }

    fn build(
        program: &Program,
        first: u32,
        variables: &BTreeSet<VariableId>,
        copies: u32,
        order: Order,
    ) -> Layout {
        let affinity = Affinity::of(program);
        let mut layout = Layout {
            levels: first,
            scalars: program.variables.iter().map(|v| v.scalar).collect(),
            stored: program.variables.iter().map(|v| Stored::whole(v.scalar)).collect(),
            elements: program.variables.iter().map(|v| v.elements()).collect(),
            bits: program
                .variables
                .iter()
                .map(|v| vec![vec![0; v.scalar.width as usize]; v.elements() as usize])
                .collect(),
            owners: vec![None; first as usize],
            choices: Vec::new(),
            unread: Unread::Forgotten,
        };
        let mut groups: BTreeMap<u32, Vec<(Member, u8)>> = BTreeMap::new();
        for (k, variable) in program.variables.iter().enumerate() {
            let variable_id = VariableId(k as u32);
            let members = groups.entry(affinity.group(variable_id)).or_default();
            for element in 0..variable.elements() {
                members.push((
                    Member::Cell(Cell { variable: variable_id, element }),
                    variable.scalar.width,
                ));
            }
        }
        // Choices of different edges never meet, so the k-th choices of one type and group share
        // their levels.
        let mut slots: BTreeMap<(u32, usize, u8), usize> = BTreeMap::new();
        let mut slot_levels: Vec<Vec<Var>> = Vec::new();
        let mut slot_of: Vec<Vec<usize>> = Vec::new();
        for (e, edge) in program.edges.iter().enumerate() {
            let of_edge = edge.choices.iter().enumerate().map(|(k, scalar)| {
                let group = affinity.choice_group(e, k);
                *slots.entry((group, k, scalar.width)).or_insert_with(|| {
                    slot_levels.push(Vec::new());
                    groups
                        .entry(group)
                        .or_default()
                        .push((Member::Choice(slot_levels.len() - 1), scalar.width));
                    slot_levels.len() - 1
                })
            });
            slot_of.push(of_edge.collect());
        }
        let mut sequence: Vec<u32> = groups.keys().copied().collect();
        if order == Order::Arranged {
            sequence = arranged(program, &affinity, &sequence);
            sort_by_key(&mut sequence, |group| {
                let is_first = |(member, _): &&(Member, u8)| !matches!(member, Member::Cell(cell) if cell.element > 0);
                let members = groups[group].iter().filter(is_first).count();
                let is_large = members >= LARGE_GROUP;
                (!affinity.indexes(*group), if is_large { members } else { 0 })
            });
        }
        for group in sequence {
            let members = &groups[&group];
            for bit in 0..members.iter().map(|(_, width)| *width).max().unwrap_or(0) {
                for (member, width) in members {
                    if bit >= *width {
                        continue;
                    }
                    match member {
                        Member::Cell(cell) => {
                            let more = if variables.contains(&cell.variable) { copies } else { 0 };
                            layout.place(*cell, bit, more);
                        }
                        Member::Choice(slot) => {
                            slot_levels[*slot].push(Var(layout.levels));
                            layout.owners.push(None);
                            layout.levels += 1;
                        }
                    }
                }
            }
        }
        layout.choices = slot_of
            .iter()
            .map(|of_edge| of_edge.iter().map(|slot| slot_levels[*slot].clone()).collect())
            .collect();
        layout
    }

    /// Gives the next levels to a bit of a cell: to its three copies, and to so many more.
    fn place(&mut self, cell: Cell, bit: u8, more: u32) {
        self.bits[cell.variable][cell.element as usize][bit as usize] = self.levels;
        self.owners.extend([Copy::Entry, Copy::Middle, Copy::Now].map(|copy| Some((cell, copy))));
        self.levels += 3 + more;
        self.owners.resize(self.levels as usize, None);
    }

    /// Number of decision levels.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// The levels of a cell in one copy, least significant bit first. Effects mention only those
    /// that are stored; see [`ProgramDomain::in_full`](super::ProgramDomain::in_full).
    pub fn cell(&self, cell: Cell, copy: Copy) -> Vec<Var> {
        self.levels_of(cell, copy).collect()
    }

    fn levels_of(&self, cell: Cell, copy: Copy) -> impl Iterator<Item = Var> + '_ {
        self.bits[cell.variable][cell.element as usize]
            .iter()
            .map(move |level| Var(level + copy as u32))
    }

    /// Do the stored bits tell this value of a cell from all others?
    pub fn fits(&self, kernel: &mut Manager, cell: Cell, value: &BitVector) -> Bounded<Bdd> {
        if !self.is_partial(cell.variable) {
            return Ok(Bdd::TRUE);
        }
        let stored = self.stored(cell);
        let low = value.zero_extend(stored.bits.into());
        let again = stored.extend(&low, self.scalar(cell));
        value.equal(kernel, &again)
    }

    /// Is this variable stored with fewer bits than it has?
    pub fn is_partial(&self, variable: VariableId) -> bool {
        self.stored[variable].bits < self.scalars[variable].width
    }

    /// Is some variable stored with fewer bits than it has?
    pub(super) fn is_narrowed(&self) -> bool {
        (0..self.stored.len() as u32).any(|k| self.is_partial(VariableId(k)))
    }

    /// How a cell is stored.
    pub(super) fn stored(&self, cell: Cell) -> Stored {
        self.stored[cell.variable]
    }

    /// The levels of a cell that are stored, least significant bit first.
    pub(super) fn stored_levels(&self, cell: Cell, copy: Copy) -> impl Iterator<Item = Var> + '_ {
        self.levels_of(cell, copy).take(self.stored(cell).bits.into())
    }

    /// The value of a cell, as wide as its type.
    pub fn value(&self, kernel: &mut Manager, cell: Cell, copy: Copy) -> Bounded<BitVector> {
        let levels: Vec<Var> = self.stored_levels(cell, copy).collect();
        let value = BitVector::from_variables(kernel, &levels)?;
        Ok(self.stored(cell).extend(&value, self.scalar(cell)))
    }

    /// The levels of a cell in the k-th further copy, from 0, least significant bit first. The
    /// layout must have this copy.
    pub fn remembered(&self, cell: Cell, copy: u32) -> Vec<Var> {
        self.bits[cell.variable][cell.element as usize]
            .iter()
            .map(|level| Var(level + 3 + copy))
            .collect()
    }

    /// The cell and the copy of this level. Returns `None` for the level of a choice or of a
    /// further copy.
    pub fn owner(&self, level: Var) -> Option<(Cell, Copy)> {
        self.owners[level.0 as usize]
    }

    /// The type of a cell.
    pub fn scalar(&self, cell: Cell) -> Scalar {
        self.scalars[cell.variable]
    }

    /// All cells of a variable.
    pub fn cells(&self, variable: VariableId) -> impl Iterator<Item = Cell> + use<> {
        (0..self.elements[variable]).map(move |element| Cell { variable, element })
    }

    /// The levels of an edge's choice, least significant bit first.
    pub fn choice(&self, edge: EdgeId, choice: ChoiceId) -> &[Var] {
        &self.choices[edge][choice]
    }

    /// The levels of all choices of an edge.
    pub fn choices(&self, edge: EdgeId) -> Vec<Var> {
        self.choices[edge].concat()
    }

    /// The levels of several cells in one copy.
    pub fn cells_levels<'a>(
        &self,
        cells: impl IntoIterator<Item = &'a Cell>,
        copy: Copy,
    ) -> Vec<Var> {
        cells.into_iter().flat_map(|cell| self.levels_of(*cell, copy)).collect()
    }

    /// The pairs of stored levels that rename some cells from one copy to another.
    pub fn shift<'a>(
        &self,
        cells: impl IntoIterator<Item = &'a Cell>,
        from: Copy,
        to: Copy,
    ) -> Vec<(Var, Var)> {
        let pairs = cells
            .into_iter()
            .flat_map(|cell| self.stored_levels(*cell, from).zip(self.stored_levels(*cell, to)));
        pairs.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    /// The highest level of a global's bits.
    fn top(source: &str, name: &str) -> u32 {
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let variable = program.globals().find(|v| program.variables[*v].name == name).unwrap();
        let cell = Cell { variable, element: 0 };
        Layout::new(&program).cell(cell, Copy::Entry).iter().map(|var| var.0).min().unwrap()
    }

    /// So many numbers that are copied from one to the next, then a state that nothing is copied
    /// to.
    fn chain(count: usize, more: &str) -> String {
        let names: Vec<String> = (0..count).map(|k| format!("d{k}")).collect();
        let copies: String =
            names.windows(2).map(|two| format!("{} = {}; ", two[1], two[0])).collect();
        format!(
            "int {}, state; int a[4]; void main() {{ {copies} if (d0 > 3) {{ state = 1; }} {more} }}",
            names.join(", ")
        )
    }

    #[test]
    fn states_stand_above_much_data() {
        let much = chain(LARGE_GROUP, "");
        assert!(top(&much, "state") < top(&much, "d0"));
        let index = chain(LARGE_GROUP, "a[d0] = 1;");
        assert!(top(&index, "d0") < top(&index, "state"), "an index stands above its array");
    }
}
