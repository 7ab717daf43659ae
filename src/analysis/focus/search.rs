//! All focus-statement sequences of a program, shortest first: from the errors backward, with the set of what is relevant (the paper's
//! Error set, § 2 and § 3.3).
//!
//! A node of the search stands before a statement of some run that fails. What is decided of the run is only its focus statements so far;
//! other statements are passed without being written down, so nodes that differ in them alone are one. A call whose procedure cannot
//! matter is passed in one step, whatever happens inside: its summary is "nothing" and is computed once per procedure. Other calls are
//! entered from their end. Constraints of conditions and checks are rewritten over the store before each focus statement; at the
//! program's start they speak of inputs and uninitialised variables only.
//!
//! A node is dropped if an earlier one at the same place, with the same relevant parts and pending conditions, has a subset of its lines
//! and is implied by it: every way to go on is then one of the earlier node, with fewer lines and a weaker assumption. So the search ends
//! in loops.
//!
//! Differs from the paper: sequences of a procedure that matters are not kept as one bsum relation per Error set; each call that matters
//! is entered on its own. fsum is not needed: what a skipped call does to relevant variables is nothing.

use super::constants::Constants;
use super::dependence::{Dependence, Part, Parts, assign_backward, reads};
use super::feasible::Pieces;
use super::inputs::{Input, Inputs};
use super::term::{Replacement, after_assignment, constant, substitute, ways, with_choices};
use crate::bdd::{Bdd, KernelLimits};
use crate::lang::model::{EdgeId, Expression, Initial, LocationId, Operation, Place, Program, StatementKind, VariableId, VariableKind};
use crate::util::{Bounded, Limit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;

/// Most calls entered and not yet left, backward.
const MOST_FRAMES: usize = 32;
/// Most nodes looked at before the search is given up.
const MOST_NODES: usize = 400_000;

/// A condition or check of a sequence, over the store where the search stands.
#[derive(Clone)]
pub(super) struct Constraint {
    /// Entries after it.
    pub(super) ordinal: u32,
    pub(super) edge: EdgeId,
    pub(super) expression: Expression,
    pub(super) truth: Bdd,
    /// It speaks of a variable that is not interpreted during the search.
    pub(super) uninterpreted: bool,
}

/// An entered call.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Entered {
    call: EdgeId,
    locals: Parts,
    pending: BTreeSet<LocationId>,
    has_focus: bool,
    returned: Option<EdgeId>,
}

/// Where a node stands.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Standing {
    location: LocationId,
    frames: Vec<Entered>,
    relevant: Parts,
    /// Where focus statements start whose control parent has not been met.
    pending: BTreeSet<LocationId>,
    has_focus: bool,
    returned: Option<EdgeId>,
}

impl Standing {
    /// Returns that become entries with the next focus statement.
    fn returns(&self) -> u32 {
        let around = self.frames.iter().filter(|frame| frame.returned.is_some()).count();
        around as u32 + u32::from(self.returned.is_some())
    }
}

/// Entries from here to the end.
struct Link {
    edge: EdgeId,
    rest: Option<Rc<Link>>,
}

#[derive(Clone)]
struct Node {
    place: Standing,
    constraints: Vec<Constraint>,
    entries: Option<Rc<Link>>,
    /// Number of the list of entries and ways.
    path: u32,
    count: u32,
    length: u32,
    lines: BTreeSet<u32>,
    /// All interpreted constraints.
    holds: Pieces,
    /// All constraints.
    all: Pieces,
}

/// A sequence that reaches the program's start.
pub(super) struct Candidate {
    pub(super) entries: Vec<EdgeId>,
    /// In the order of the entries.
    pub(super) constraints: Vec<Constraint>,
    pub(super) length: u32,
    pub(super) lines: BTreeSet<u32>,
    /// All constraints.
    pub(super) holds: Pieces,
    /// The error: an edge and its check.
    pub(super) error: (EdgeId, usize),
}

/// Nodes by where they stand: what they assume and their lines.
type Earlier = FxHashMap<(Standing, (EdgeId, usize)), Vec<(Pieces, Pieces, BTreeSet<u32>)>>;

/// A search in progress.
pub(super) struct Search {
    pub(super) dependence: Rc<Dependence>,
    pub(super) inputs: Inputs,
    program: Rc<Program>,
    uninterpreted: Vec<VariableId>,
    constants: Constants,
    queue: BinaryHeap<Reverse<(u32, usize)>>,
    nodes: Vec<Option<(Node, (EdgeId, usize))>>,
    paths: FxHashMap<(EdgeId, u32, u32), u32>,
    seen: FxHashSet<(Standing, u32)>,
    earlier: Earlier,
    pub(super) looked_at: usize,
    /// Some way was not followed, for this limit.
    pub(super) cut: Option<Limit>,
}

impl Candidate {
    /// Every diagram held, for garbage collection.
    pub(super) fn roots(&self, roots: &mut Vec<Bdd>) {
        self.holds.roots(roots);
        roots.extend(self.constraints.iter().map(|constraint| constraint.truth));
    }
}

impl Search {
    pub(super) fn new(
        program: Rc<Program>,
        error_line: Option<u32>,
        uninterpreted: Vec<VariableId>,
        limits: KernelLimits,
    ) -> Bounded<Search> {
        // What is not interpreted is not known either.
        let nothing = !uninterpreted.is_empty() || program.concurrency.has_threads();
        let mut search = Search {
            constants: if nothing { Constants::none() } else { Constants::new(&program) },
            dependence: Rc::new(Dependence::new(Rc::clone(&program))),
            inputs: Inputs::new(Rc::clone(&program), limits)?,
            program,
            uninterpreted,
            queue: BinaryHeap::new(),
            nodes: Vec::new(),
            paths: FxHashMap::default(),
            seen: FxHashSet::default(),
            earlier: FxHashMap::default(),
            looked_at: 0,
            cut: None,
        };
        for id in search.program.edge_ids() {
            let fallible = search.dependence.fallible(id).to_vec();
            for check in fallible {
                let line = search.program.edge(id).checks[check].line;
                if error_line.is_none_or(|only| only == line) {
                    search.begin(id, check)?;
                }
            }
        }
        Ok(search)
    }

    /// Every diagram held, for garbage collection.
    pub(super) fn roots(&self, roots: &mut Vec<Bdd>) {
        for (node, _) in self.nodes.iter().flatten() {
            node.holds.roots(roots);
            node.all.roots(roots);
            roots.extend(node.constraints.iter().map(|constraint| constraint.truth));
        }
        for (holds, all, _) in self.earlier.values().flatten() {
            holds.roots(roots);
            all.roots(roots);
        }
    }

    /// The length of the shortest sequences that may still come.
    pub(super) fn shortest_open(&self) -> Option<u32> {
        self.queue.peek().map(|Reverse((length, _))| *length)
    }

    fn begin(&mut self, id: EdgeId, failed: usize) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let edge = program.edge(id);
        let mut node = Node {
            place: Standing {
                location: edge.from,
                frames: Vec::new(),
                relevant: Parts::new(),
                pending: BTreeSet::new(),
                has_focus: false,
                returned: None,
            },
            constraints: Vec::new(),
            entries: None,
            path: 0,
            count: 0,
            length: 0,
            lines: BTreeSet::new(),
            holds: Pieces::default(),
            all: Pieces::default(),
        };
        let mut literals: Vec<Vec<Expression>> = vec![Vec::new()];
        for check in self.dependence.fallible(id).to_vec().into_iter().filter(|check| *check <= failed) {
            let condition = &edge.checks[check].condition;
            reads(condition, &mut node.place.relevant);
            let condition = self.picked(id, 0, condition);
            literals = cross(&literals, &ways(&condition, check != failed));
        }
        self.branch(node, id, literals, (id, failed), true)
    }

    /// A node per way in which conditions come out, at a focus statement or not.
    fn branch(&mut self, node: Node, edge: EdgeId, literals: Vec<Vec<Expression>>, error: (EdgeId, usize), focus: bool) -> Bounded<()> {
        for (way, list) in literals.into_iter().enumerate() {
            let mut next = node.clone();
            let ordinal = if focus { self.mark(&mut next, edge, way as u32, error) } else { next.count };
            let mut possible = true;
            for expression in list {
                possible &= self.constrain(&mut next, ordinal, edge, expression)?;
            }
            if possible && !next.holds.is_false() {
                self.push(next, error);
            }
        }
        Ok(())
    }

    fn constrain(&mut self, node: &mut Node, ordinal: u32, edge: EdgeId, expression: Expression) -> Bounded<bool> {
        let uninterpreted = self.mentions_uninterpreted(&expression);
        if !uninterpreted && let Some(bits) = constant(&expression) {
            return Ok(bits == 1);
        }
        let truth = self.inputs.truth(&expression)?;
        if !uninterpreted {
            node.holds.and_expression(&mut self.inputs, &expression, truth)?;
        }
        node.all.and_expression(&mut self.inputs, &expression, truth)?;
        node.constraints.push(Constraint { ordinal, edge, expression, truth, uninterpreted });
        Ok(true)
    }

    fn mentions_uninterpreted(&self, expression: &Expression) -> bool {
        if self.uninterpreted.is_empty() {
            return false;
        }
        let mut parts = Parts::new();
        reads(expression, &mut parts);
        parts.iter().any(|part| {
            let variable = match self.inputs.input(part.variable) {
                Some(Input::Saved(of, _) | Input::Local(of, _) | Input::Havoc(of, _)) => of,
                _ => part.variable,
            };
            self.uninterpreted.contains(&variable)
        })
    }

    /// Writes an entry down; its ordinal.
    fn mark(&mut self, node: &mut Node, edge: EdgeId, way: u32, error: (EdgeId, usize)) -> u32 {
        if node.entries.is_none() {
            // Sequences of different errors are different lists.
            node.path = self.path((error.0, u32::MAX, error.1 as u32));
        }
        // The frames around it have one by this, too; their returns come later in the run than anything inside.
        let mut returned = Vec::new();
        for frame in &mut node.place.frames {
            frame.has_focus = true;
            returned.extend(frame.returned.take());
        }
        node.place.has_focus = true;
        returned.extend(node.place.returned.take());
        for returned in returned {
            self.append(node, returned, 0);
        }
        let ordinal = node.count;
        self.append(node, edge, way);
        node.place.pending.insert(self.program.edge(edge).from);
        ordinal
    }

    fn append(&mut self, node: &mut Node, edge: EdgeId, way: u32) {
        node.path = self.path((edge, way, node.path));
        node.entries = Some(Rc::new(Link { edge, rest: node.entries.take() }));
        node.count += 1;
        if self.dependence.is_shown(edge) || node.count == 1 && !self.is_assignment_check(edge) {
            node.length += 1;
            node.lines.insert(self.program.edge(edge).span.line);
        }
    }

    /// A hidden step that only looks at what an assignment has written.
    fn is_assignment_check(&self, edge: EdgeId) -> bool {
        super::is_assignment_check(&self.program, edge)
    }

    fn path(&mut self, key: (EdgeId, u32, u32)) -> u32 {
        let fresh = self.paths.len() as u32 + 1;
        *self.paths.entry(key).or_insert(fresh)
    }

    /// An expression of an edge, its choices as inputs, with the values that globals are known to have there.
    fn picked(&mut self, edge: EdgeId, ordinal: u32, e: &Expression) -> Expression {
        let picked =
            with_choices(e, &mut |choice, scalar| Expression::Variable(self.inputs.variable(Input::Choice(edge, choice, ordinal)), scalar));
        self.constants.known(self.program.edge(edge).from, picked)
    }

    fn push(&mut self, node: Node, error: (EdgeId, usize)) {
        if self.seen.insert((node.place.clone(), node.path)) {
            self.queue.push(Reverse((node.length, self.nodes.len())));
            self.nodes.push(Some((node, error)));
        }
    }

    /// Is an earlier node as good? (See the module's head.)
    fn is_subsumed(&mut self, node: &Node, error: (EdgeId, usize)) -> Bounded<bool> {
        let assumed = node.holds.of_the_start(&mut self.inputs)?;
        let all = node.all.of_the_start(&mut self.inputs)?;
        let list = self.earlier.entry((node.place.clone(), error)).or_default();
        for (holds, with_all, lines) in list.iter() {
            let inputs = &mut self.inputs;
            if lines.is_subset(&node.lines) && assumed.implies_all(inputs, holds)? && all.implies_all(inputs, with_all)? {
                return Ok(true);
            }
        }
        list.push((assumed, all, node.lines.clone()));
        Ok(false)
    }

    /// Looks at one node; `None` once there is none left.
    pub(super) fn step(&mut self) -> Bounded<Option<Vec<Candidate>>> {
        let Some(Reverse((_, index))) = self.queue.pop() else { return Ok(None) };
        let Some((node, error)) = self.nodes[index].take() else { return Ok(Some(Vec::new())) };
        self.looked_at += 1;
        if self.looked_at > MOST_NODES {
            return Err(Limit::Steps);
        }
        if self.is_subsumed(&node, error)? {
            return Ok(Some(Vec::new()));
        }
        let dependence = Rc::clone(&self.dependence);
        let program = Rc::clone(&self.program);
        let location = node.place.location;
        let procedure = program.location(location).procedure;
        for edge in dependence.edges_into(location) {
            self.over(&node, *edge, error)?;
        }
        let mut found = Vec::new();
        if location == program.procedure(procedure).entry {
            match node.place.frames.last() {
                Some(frame) => self.ascend(&node, frame.call, error)?,
                None => {
                    for call in dependence.callers(procedure) {
                        self.ascend(&node, *call, error)?;
                    }
                    if procedure == program.main_id() {
                        found.extend(self.finish(node, error)?);
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// One statement of the same procedure, backward.
    fn over(&mut self, node: &Node, id: EdgeId, error: (EdgeId, usize)) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let edge = program.edge(id);
        let mut next = node.clone();
        next.place.location = edge.from;
        let ordinal = next.count + next.place.returns();
        let mut literals: Vec<Vec<Expression>> = vec![Vec::new()];
        let mut focus = false;
        match &edge.operation {
            Operation::Skip => {}
            Operation::Call { callee, result, .. } => {
                if self.dependence.may_matter(*callee, *result, &node.place.relevant) {
                    return self.descend(node, id, error);
                }
            }
            Operation::Assign(list) => {
                focus = assign_backward(list, &mut next.place.relevant);
                if focus {
                    let list: Vec<(Place, Expression)> = list
                        .iter()
                        .map(|(place, value)| {
                            let place = match place {
                                Place::Variable(variable) => Place::Variable(*variable),
                                Place::Element(array, index) => Place::Element(*array, self.picked(id, ordinal, index)),
                            };
                            (place, self.picked(id, ordinal, value))
                        })
                        .collect();
                    if !self.rewrite(&mut next, &mut |_, e| after_assignment(e, &list))? {
                        return Ok(());
                    }
                }
            }
            Operation::Havoc(list) => {
                let before = next.place.relevant.len();
                next.place.relevant.retain(|part| !list.contains(&part.variable));
                focus = next.place.relevant.len() < before;
                let renamed = |inputs: &mut Inputs, variable| match list.contains(&variable) {
                    true => Replacement::Renamed(inputs.variable(Input::Havoc(variable, ordinal))),
                    false => Replacement::Same,
                };
                if focus && !self.rewrite(&mut next, &mut |inputs, e| substitute(e, &mut |variable| renamed(inputs, variable)))? {
                    return Ok(());
                }
            }
            Operation::Assume(condition) => {
                let of: Vec<LocationId> = next.place.pending.iter().copied().filter(|of| self.dependence.decides(edge.from, *of)).collect();
                focus = !of.is_empty() || self.dependence.is_assumption(id) || self.dependence.is_potential(id, &next.place.relevant);
                if focus {
                    next.place.pending.retain(|other| !of.contains(other));
                    reads(condition, &mut next.place.relevant);
                    literals = ways(&self.picked(id, ordinal, condition), true);
                }
            }
        }
        if edge.kind == StatementKind::Return && !focus && !next.place.has_focus && self.dependence.fallible(id).is_empty() {
            next.place.returned = Some(id);
        }
        self.passes(next, id, literals, error, focus)
    }

    /// The checks of an edge that the run goes on behind.
    fn passes(
        &mut self,
        mut node: Node,
        id: EdgeId,
        mut literals: Vec<Vec<Expression>>,
        error: (EdgeId, usize),
        focus: bool,
    ) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let checks = self.dependence.fallible(id).to_vec();
        let ordinal = node.count + node.place.returns();
        for check in &checks {
            let condition = &program.edge(id).checks[*check].condition;
            reads(condition, &mut node.place.relevant);
            let condition = self.picked(id, ordinal, condition);
            literals = cross(&literals, &ways(&condition, true));
        }
        self.branch(node, id, literals, error, focus || !checks.is_empty())
    }

    /// Rewrites all constraints; false if one cannot hold.
    fn rewrite(&mut self, node: &mut Node, to: &mut dyn FnMut(&mut Inputs, &Expression) -> Bounded<Expression>) -> Bounded<bool> {
        let (mut holds, mut all) = (Pieces::default(), Pieces::default());
        let mut changed = false;
        let mut kept = Vec::new();
        for mut constraint in std::mem::take(&mut node.constraints) {
            let expression = to(&mut self.inputs, &constraint.expression)?;
            if expression != constraint.expression {
                changed = true;
                constraint.uninterpreted |= self.mentions_uninterpreted(&expression);
                constraint.truth = self.inputs.truth(&expression)?;
                constraint.expression = expression;
            }
            if constraint.truth.is_true() {
                continue;
            }
            if constraint.truth.is_false() && !constraint.uninterpreted {
                return Ok(false);
            }
            kept.push(constraint);
        }
        node.constraints = kept;
        if !changed {
            return Ok(true);
        }
        for constraint in &node.constraints {
            if !constraint.uninterpreted {
                holds.and_expression(&mut self.inputs, &constraint.expression, constraint.truth)?;
                if holds.is_false() {
                    return Ok(false);
                }
            }
            all.and_expression(&mut self.inputs, &constraint.expression, constraint.truth)?;
        }
        node.holds = holds;
        node.all = all;
        Ok(true)
    }

    /// Into a call, from its end.
    fn descend(&mut self, node: &Node, id: EdgeId, error: (EdgeId, usize)) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let Operation::Call { callee, result, .. } = &program.edge(id).operation else { return Ok(()) };
        if node.place.frames.len() >= MOST_FRAMES {
            self.cut = Some(Limit::Depth);
            return Ok(());
        }
        let procedure = program.procedure(*callee);
        let mut next = node.clone();
        let global = |part: &Part| program.variable(part.variable).kind == VariableKind::Global;
        let (mut relevant, mut locals): (Parts, Parts) = node.place.relevant.iter().copied().partition(global);
        if let (Some(into), Some(from)) = (result, procedure.result)
            && locals.remove(&Part::scalar(*into))
        {
            relevant.insert(Part::scalar(from));
        }
        let depth = node.place.frames.len() as u32;
        let of_program = program.variables.len();
        let replaced = |inputs: &mut Inputs, variable: VariableId| {
            if variable.0 as usize >= of_program || program.variable(variable).kind == VariableKind::Global {
                return Replacement::Same;
            }
            Replacement::Renamed(match (result, procedure.result) {
                (Some(into), Some(from)) if *into == variable => from,
                _ => inputs.variable(Input::Saved(variable, depth)),
            })
        };
        if !self.rewrite(&mut next, &mut |inputs, e| substitute(e, &mut |variable| replaced(inputs, variable)))? {
            return Ok(());
        }
        let Standing { pending, has_focus, returned, .. } = node.place.clone();
        next.place.location = procedure.exit;
        next.place.frames.push(Entered { call: id, locals, pending, has_focus, returned });
        next.place.relevant = relevant;
        next.place.pending = BTreeSet::new();
        next.place.has_focus = false;
        next.place.returned = None;
        self.push(next, error);
        Ok(())
    }

    /// Out of a procedure, over a call of it.
    fn ascend(&mut self, node: &Node, id: EdgeId, error: (EdgeId, usize)) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let edge = program.edge(id);
        let Operation::Call { callee, arguments, .. } = &edge.operation else { return Ok(()) };
        let procedure = program.procedure(*callee);
        let mut next = node.clone();
        let entered = next.place.frames.pop();
        let depth = next.place.frames.len() as u32;
        let ordinal = node.count;
        let global = |part: &&Part| program.variable(part.variable).kind == VariableKind::Global;
        let mut relevant: Parts = node.place.relevant.iter().filter(global).copied().collect();
        let mut values: FxHashMap<VariableId, Expression> = FxHashMap::default();
        let focus = node.place.has_focus;
        let (locals, pending, has_focus, returned) = match entered {
            Some(Entered { locals, pending, has_focus, returned, .. }) => (locals, pending, has_focus, returned),
            None => (Parts::new(), BTreeSet::new(), false, None),
        };
        next.place.returned = returned;
        let ordinal = ordinal + next.place.returns();
        relevant.extend(locals);
        for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
            if node.place.relevant.contains(&Part::scalar(*parameter)) {
                reads(argument, &mut relevant);
            }
            let argument = self.picked(id, ordinal, argument);
            values.insert(*parameter, argument);
        }
        let of_program = program.variables.len();
        let replaced = |inputs: &mut Inputs, variable: VariableId| {
            if variable.0 as usize >= of_program {
                return match inputs.input(variable) {
                    Some(Input::Saved(of, at)) if at == depth => Replacement::Renamed(of),
                    _ => Replacement::Same,
                };
            }
            match values.get(&variable) {
                Some(value) => Replacement::Value(value.clone()),
                None if program.variable(variable).kind == VariableKind::Global => Replacement::Same,
                None => Replacement::Renamed(inputs.variable(Input::Local(variable, ordinal))),
            }
        };
        if !self.rewrite(&mut next, &mut |inputs, e| substitute(e, &mut |variable| replaced(inputs, variable)))? {
            return Ok(());
        }
        next.place.location = edge.from;
        next.place.relevant = relevant;
        next.place.pending = pending;
        next.place.has_focus = has_focus;
        self.passes(next, id, vec![Vec::new()], error, focus)
    }

    /// At the program's start.
    fn finish(&mut self, mut node: Node, error: (EdgeId, usize)) -> Bounded<Option<Candidate>> {
        let program = Rc::clone(&self.program);
        let mut fixed: FxHashMap<VariableId, Vec<(Expression, Expression)>> = FxHashMap::default();
        for id in program.globals() {
            let variable = program.variable(id);
            if let Initial::Exactly(values) = &variable.initial {
                let index = |k: usize| Expression::Constant(k as u64, crate::lang::model::Scalar::int(32, false));
                let pairs = values.iter().enumerate().map(|(k, bits)| (index(k), Expression::Constant(*bits, variable.scalar)));
                fixed.insert(id, pairs.collect());
            }
        }
        let replaced = |variable: VariableId| match fixed.get(&variable) {
            None => Replacement::Same,
            Some(list) if program.variable(variable).is_array() => Replacement::Written(list.iter().map(|(a, b)| (a, b)).collect()),
            Some(list) => list.first().map_or(Replacement::Same, |(_, value)| Replacement::Value(value.clone())),
        };
        if !self.rewrite(&mut node, &mut |_, e| substitute(e, &mut |variable| replaced(variable)))? {
            return Ok(None);
        }
        let mut entries = Vec::new();
        let mut here = &node.entries;
        while let Some(link) = here {
            entries.push(link.edge);
            here = &link.rest;
        }
        // Later entries have smaller ordinals; of one entry the order stays.
        node.constraints.sort_by_key(|constraint| Reverse(constraint.ordinal));
        Ok(Some(Candidate { entries, constraints: node.constraints, length: node.length, lines: node.lines, holds: node.all, error }))
    }
}

/// Every combination.
fn cross(some: &[Vec<Expression>], more: &[Vec<Expression>]) -> Vec<Vec<Expression>> {
    some.iter().flat_map(|one| more.iter().map(|other| one.iter().chain(other).cloned().collect())).collect()
}
