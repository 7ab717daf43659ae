//! Which variables are only copied, moved by constants, and compared for equality with each other.
//!
//! For each global that may be the anchor: at first all scalars of its width belong; then those are
//! taken out of which something else is asked, until nothing changes. A constant that is assigned
//! to one of them, or compared with it, is allowed only where the anchor's value is known, as it is
//! while the program initialises itself. In the end those stay that are connected with the anchor.

use super::{Sum, parts, sides, sum};
use crate::lang::model::{
    Edge, EdgeId, Expression, Initial, LocationId, Operation, Place, Program, VariableId,
};
use std::collections::BTreeSet;

/// So many globals are tried as the anchor.
const MOST_ANCHORS: usize = 40;
/// The most statements of a program in which distances are looked for.
const MOST_EDGES: usize = 20_000;
/// The narrowest variables for which it is worth while.
const LEAST_WIDTH: u8 = 3;

/// The anchor and the variables that have a distance to it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) anchor: VariableId,
    pub(super) members: BTreeSet<VariableId>,
    /// The anchor's value at the start.
    pub(super) base: u64,
    /// By location: the anchor's value, where it is known.
    pub(super) known: Vec<Known>,
    /// By procedure: does it, or what it calls, assign to the anchor?
    moves: Vec<bool>,
}

/// What is known of the anchor at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// No run comes here.
    Never,
    /// It has this value.
    Value(u64),
    /// Nothing.
    Open,
}

/// The best choice: the one with most members, and of these the one that moves at fewest edges.
pub(super) fn find(program: &Program) -> Option<Found> {
    // A distance to what never moves is no less than the value.
    let moving: BTreeSet<VariableId> = program.edges.iter().flat_map(moved).collect();
    let is_anchor = |id: &VariableId| {
        let variable = program.variable(*id);
        moving.contains(id)
            && variable.scalar.is_integer()
            && variable.dimensions.is_empty()
            && variable.scalar.width >= LEAST_WIDTH
            && matches!(variable.initial, Initial::Exactly(_))
    };
    if program.edges.len() > MOST_EDGES || program.concurrency.has_threads() {
        return None;
    }
    let anchors = program.globals().filter(is_anchor).take(MOST_ANCHORS);
    let found = anchors.filter_map(|anchor| with_anchor(program, anchor));
    let moves =
        |found: &Found| program.edges.iter().filter(|edge| writes(edge, found.anchor)).count();
    found.max_by_key(|found| {
        let rank = (found.members.len(), usize::MAX - moves(found));
        (rank, std::cmp::Reverse(found.anchor))
    })
}

fn with_anchor(program: &Program, anchor: VariableId) -> Option<Found> {
    let Initial::Exactly(values) = &program.variable(anchor).initial else { return None };
    let base = *values.first()?;
    let width = program.variable(anchor).scalar.width;
    let belongs = |id: &VariableId| {
        let variable = program.variable(*id);
        variable.scalar.width == width && variable.scalar.is_integer() && !variable.is_array()
    };
    let all = (0..program.variables.len() as u32).map(VariableId);
    let members: BTreeSet<VariableId> = all.filter(belongs).collect();
    let moves = movers(program, anchor);
    let known = known(program, anchor, base, &moves);
    let mut found = Found { anchor, members, base, known, moves };
    let mut before = usize::MAX;
    while found.members.len() < before {
        before = found.members.len();
        for id in program.edge_ids() {
            found.constrain(program, id);
        }
        if !found.members.contains(&anchor) {
            return None;
        }
    }
    found.connected(program);
    let counts =
        |edge: &Edge| sums(edge).any(|(to, sum)| found.members.contains(&to) && sum.offset != 0);
    let gains = found.members.len() > 1 && program.edges.iter().any(counts);
    gains.then_some(found)
}

impl Found {
    fn width(&self, program: &Program) -> u8 {
        program.variable(self.anchor).scalar.width
    }

    /// Takes those out of which this edge asks something else.
    fn constrain(&mut self, program: &Program, id: EdgeId) {
        let edge = program.edge(id);
        for check in &edge.checks {
            self.plain(program, edge.from, &check.condition);
        }
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume(condition) => self.plain(program, edge.from, condition),
            Operation::Havoc(ids) => {
                for id in ids.iter().filter(|id| **id == self.anchor) {
                    self.members.remove(id);
                }
            }
            Operation::Assign(list) => {
                for (place, value) in list {
                    match place {
                        Place::Variable(to) => self.passed(program, edge.from, *to, value),
                        Place::Element(_, index) => {
                            self.plain(program, edge.from, index);
                            self.plain(program, edge.from, value);
                        }
                    }
                }
            }
            Operation::Call { callee, arguments, result } => {
                let procedure = program.procedure(*callee);
                for (to, value) in procedure.parameters.iter().zip(arguments) {
                    self.passed(program, edge.from, *to, value);
                }
                if let (Some(to), Some(from)) = (result, procedure.result) {
                    let both = self.members.contains(&from) && self.members.contains(to);
                    // A return moves nothing.
                    if !both || *to == self.anchor {
                        self.members.remove(to);
                        self.members.remove(&from);
                    }
                }
                if self.moves[callee.0 as usize] {
                    // Nobody would move what a pending frame holds.
                    let owner = program.owner(id);
                    let own = |id: &VariableId| program.variable(*id).owner == Some(owner);
                    self.members.retain(|id| !own(id));
                }
            }
        }
    }

    /// A value is given to a variable at a place.
    fn passed(&mut self, program: &Program, at: LocationId, to: VariableId, value: &Expression) {
        if !self.members.contains(&to) {
            return self.plain(program, at, value);
        }
        let is_fine = match sum(value, self.width(program)) {
            Some(Sum { variable: Some(from), .. }) => self.members.contains(&from),
            Some(Sum { variable: None, .. }) => self.known[at] != Known::Open,
            None => false,
        };
        if !is_fine {
            self.members.remove(&to);
            self.plain(program, at, value);
        }
    }

    /// What members are asked in this expression must be comparisons for equality.
    fn plain(&mut self, program: &Program, at: LocationId, e: &Expression) {
        if let Some((_, left, right)) = sides(e) {
            let width = self.width(program);
            let sum_of = |side: &Expression| sum(side, width);
            let right = right.map_or(Some(Sum { variable: None, offset: 0 }), sum_of);
            if let (Some(left), Some(right)) = (sum_of(left), right) {
                let is_fine = |this: Sum, other: Sum| match (this.variable, other.variable) {
                    (None, _) => true,
                    (Some(_), Some(other)) => self.members.contains(&other),
                    (Some(_), None) => self.known[at] != Known::Open,
                };
                let fine = (is_fine(left, right), is_fine(right, left));
                if let (false, Some(id)) = (fine.0, left.variable) {
                    self.members.remove(&id);
                }
                if let (false, Some(id)) = (fine.1, right.variable) {
                    self.members.remove(&id);
                }
                return;
            }
        }
        if let Expression::Variable(id, _) | Expression::Element(id, ..) = e {
            self.members.remove(id);
        }
        for part in parts(e) {
            self.plain(program, at, part);
        }
    }

    /// Keeps what is connected with the anchor by copies and comparisons.
    fn connected(&mut self, program: &Program) {
        let mut pairs = Vec::new();
        let width = self.width(program);
        let base = |e: &Expression| sum(e, width).and_then(|sum| sum.variable);
        for edge in &program.edges {
            for check in &edge.checks {
                compared(&check.condition, &base, &mut pairs);
            }
            match &edge.operation {
                Operation::Assume(condition) => compared(condition, &base, &mut pairs),
                Operation::Assign(list) => {
                    for (place, value) in list {
                        if let Place::Variable(to) = place {
                            pairs.extend(base(value).map(|from| (*to, from)));
                        }
                        compared(value, &base, &mut pairs);
                    }
                }
                Operation::Call { callee, arguments, result } => {
                    let procedure = program.procedure(*callee);
                    for (to, value) in procedure.parameters.iter().zip(arguments) {
                        pairs.extend(base(value).map(|from| (*to, from)));
                        compared(value, &base, &mut pairs);
                    }
                    pairs.extend(result.iter().copied().zip(procedure.result));
                }
                Operation::Skip | Operation::Havoc(_) => {}
            }
        }
        let mut reached = BTreeSet::from([self.anchor]);
        loop {
            let before = reached.len();
            for (a, b) in &pairs {
                let ours = self.members.contains(a) && self.members.contains(b);
                if ours && (reached.contains(a) || reached.contains(b)) {
                    reached.extend([*a, *b]);
                }
            }
            if reached.len() == before {
                break;
            }
        }
        self.members = reached;
    }
}

/// Adds the pairs of variables that are compared for equality.
fn compared(
    e: &Expression,
    base: &dyn Fn(&Expression) -> Option<VariableId>,
    pairs: &mut Vec<(VariableId, VariableId)>,
) {
    if let Some((_, left, Some(right))) = sides(e) {
        pairs.extend(base(left).zip(base(right)));
    }
    for part in parts(e) {
        compared(part, base, pairs);
    }
}

/// The variables that the edge assigns, each with its sum of another one and a constant.
fn sums(edge: &Edge) -> impl Iterator<Item = (VariableId, Sum)> {
    let list = match &edge.operation {
        Operation::Assign(list) => list.as_slice(),
        _ => &[],
    };
    list.iter().filter_map(|(place, value)| {
        let Place::Variable(to) = place else { return None };
        let sum = sum(value, value.scalar().width).filter(|sum| sum.variable.is_some())?;
        Some((*to, sum))
    })
}

/// The variables to which the edge assigns such sums.
fn moved(edge: &Edge) -> impl Iterator<Item = VariableId> {
    sums(edge).map(|(to, _)| to)
}

fn writes(edge: &Edge, id: VariableId) -> bool {
    match &edge.operation {
        Operation::Assign(list) => {
            list.iter().any(|(place, _)| matches!(place, Place::Variable(to) if *to == id))
        }
        Operation::Havoc(ids) => ids.contains(&id),
        Operation::Call { result, .. } => *result == Some(id),
        Operation::Skip | Operation::Assume(_) => false,
    }
}

/// By procedure: does it, or what it calls, assign to the variable?
fn movers(program: &Program, id: VariableId) -> Vec<bool> {
    let mut moves = vec![false; program.procedures.len()];
    loop {
        let mut stable = true;
        for edge in program.edge_ids() {
            let owner = program.owner(edge).0 as usize;
            let edge = program.edge(edge);
            let calls = match &edge.operation {
                Operation::Call { callee, .. } => moves[callee.0 as usize],
                _ => false,
            };
            if !moves[owner] && (calls || writes(edge, id)) {
                moves[owner] = true;
                stable = false;
            }
        }
        if stable {
            return moves;
        }
    }
}

/// By location: what is known of the variable, by constants that flow through the program, from
/// each call into its callee whoever calls.
fn known(program: &Program, id: VariableId, base: u64, moves: &[bool]) -> Vec<Known> {
    let scalar = program.variable(id).scalar;
    let mut known = vec![Known::Never; program.locations.len()];
    known[program.procedure(program.main_id()).entry.0 as usize] = Known::Value(base);
    let mut stable = false;
    while !stable {
        stable = true;
        let mut flow = |known: &mut Vec<Known>, to: LocationId, value: Known| {
            let joined = match (known[to.0 as usize], value) {
                (old, Known::Never) => old,
                (Known::Never, new) => new,
                (old, new) if old == new => old,
                _ => Known::Open,
            };
            stable &= joined == known[to.0 as usize];
            known[to.0 as usize] = joined;
        };
        for edge in &program.edges {
            let before = known[edge.from.0 as usize];
            if before == Known::Never {
                continue;
            }
            let after = match &edge.operation {
                Operation::Call { callee, result, .. } => {
                    flow(&mut known, program.procedure(*callee).entry, before);
                    let moved = moves[callee.0 as usize] || *result == Some(id);
                    if moved { Known::Open } else { before }
                }
                Operation::Assign(list) => {
                    let written = list.iter().rfind(|(place, _)| *place == Place::Variable(id));
                    match written.map(|(_, value)| sum(value, scalar.width)) {
                        None => before,
                        Some(Some(Sum { variable: None, offset })) => {
                            Known::Value(scalar.wrap(offset))
                        }
                        Some(Some(Sum { variable: Some(from), offset })) if from == id => {
                            match before {
                                Known::Value(old) => {
                                    Known::Value(scalar.wrap(i128::from(old) + offset))
                                }
                                other => other,
                            }
                        }
                        Some(_) => Known::Open,
                    }
                }
                Operation::Havoc(ids) if ids.contains(&id) => Known::Open,
                _ => before,
            };
            flow(&mut known, edge.to, after);
        }
    }
    known
}
