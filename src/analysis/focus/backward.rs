//! One step of the search backward: constraints over a focus statement, into a call, and out of one
//! (Dijkstra 1975: wp(x := e, R) = R[e/x]).

use super::dependence::{Parts, reads};
use super::feasible::Conjunction;
use super::inputs::{Input, Inputs};
use super::node::{Constraint, Error, FocusStep, Link, Node};
use super::search::Search;
use super::state::{Frame, FrameId, LocalState, LocalStateId, SearchState};
use super::summary::Next;
use super::term::{
    Replacement, after_assignment, constant, substitute, ways, with_choices, with_ways,
};
use crate::bdd::Bdd;
use crate::lang::model::{EdgeId, Expression, Operation, Place, VariableId, VariableKind};
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most calls entered and not yet left, backward.
const MOST_FRAMES: u32 = 32;

impl Search {
    /// Makes the node before the error itself.
    pub(super) fn begin(&mut self, id: EdgeId, failed: usize) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let edge = program.edge(id);
        let mut local = LocalState::at(edge.from);
        let mut literals: Vec<Vec<Expression>> = vec![Vec::new()];
        for check in
            self.dependence.fallible(id).to_vec().into_iter().filter(|check| *check <= failed)
        {
            let condition = &edge.checks[check].condition;
            reads(condition, &mut local.relevant);
            let condition = self.picked(id, 0, condition);
            literals = with_ways(&literals, &condition, check != failed);
        }
        local.has_focus = true;
        local.pending.insert(edge.from);
        let error: Error = (id, failed);
        let mut node =
            Node::new(SearchState { local: self.summaries.number(local), frame: None }, error);
        // Sequences of different errors are different lists.
        node.path = self.lists.prepend(id, u32::MAX, 0);
        node.path = self.lists.prepend(id, failed as u32, node.path);
        let mut after = Vec::new();
        self.branch(node, FocusStep { edge: id, returned: None }, literals, true, &mut after)?;
        after.into_iter().try_for_each(|node| self.push(node))
    }

    /// The nodes before a node. The search does not leave the procedure in which it began to its
    /// callers here.
    pub(super) fn before(&mut self, node: &Node) -> Bounded<Vec<Node>> {
        let mut after = Vec::new();
        for next in self.summaries.next(node.state.local).iter() {
            match *next {
                Next::Focus { edge, matters, returned, to } => {
                    self.over(node, FocusStep { edge, returned }, matters, to, &mut after)?
                }
                Next::Into { call, exit, caller, .. } => {
                    self.enter(node, call, exit, caller, &mut after)?
                }
                Next::Entry { to } if to == node.state.local => {
                    if let Some(frame) = node.state.frame {
                        let call = self.frames.value(frame.0).call;
                        self.leave(node, call, &mut after)?;
                    }
                }
                Next::Other { to } | Next::Entry { to } => {
                    after.push(Node {
                        state: SearchState { local: to, ..node.state },
                        ..node.clone()
                    });
                }
            }
        }
        Ok(after)
    }

    /// The node before a focus statement of the same procedure.
    fn over(
        &mut self,
        node: &Node,
        mark: FocusStep,
        matters: bool,
        to: LocalStateId,
        after: &mut Vec<Node>,
    ) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let edge = program.edge(mark.edge);
        let mut next = node.clone();
        self.returns_around(&mut next);
        next.state.local = to;
        let ordinal = next.count + u32::from(mark.returned.is_some());
        let mut literals: Vec<Vec<Expression>> = vec![Vec::new()];
        match &edge.operation {
            Operation::Assign(list) if matters => {
                let list: Vec<(Place, Expression)> = list
                    .iter()
                    .map(|(place, value)| {
                        let place = match place {
                            Place::Variable(variable) => Place::Variable(*variable),
                            Place::Element(array, index) => {
                                Place::Element(*array, self.picked(mark.edge, ordinal, index))
                            }
                        };
                        (place, self.picked(mark.edge, ordinal, value))
                    })
                    .collect();
                if !self.rewrite(&mut next, &mut |_, e| after_assignment(e, &list))? {
                    return Ok(());
                }
            }
            Operation::Havoc(list) if matters => {
                let renamed = |inputs: &mut Inputs, variable| match list.contains(&variable) {
                    true => Replacement::Renamed(inputs.variable(Input::Havoc(variable, ordinal))),
                    false => Replacement::Same,
                };
                if !self.rewrite(&mut next, &mut |inputs, e| {
                    substitute(e, &mut |variable| renamed(inputs, variable))
                })? {
                    return Ok(());
                }
            }
            Operation::Assume(condition) if matters => {
                literals = ways(&self.picked(mark.edge, ordinal, condition), true)
            }
            _ => {}
        }
        self.passes(next, mark, literals, true, after)
    }

    /// The checks of an edge that the run goes on behind.
    pub(super) fn passes(
        &mut self,
        node: Node,
        mark: FocusStep,
        mut literals: Vec<Vec<Expression>>,
        focus: bool,
        after: &mut Vec<Node>,
    ) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let ordinal = node.count + u32::from(mark.returned.is_some());
        for check in self.dependence.fallible(mark.edge).to_vec() {
            let condition =
                self.picked(mark.edge, ordinal, &program.edge(mark.edge).checks[check].condition);
            literals = with_ways(&literals, &condition, true);
        }
        self.branch(node, mark, literals, focus, after)
    }

    /// Makes one node for each way in which the conditions of a statement can come out. The
    /// statement may be a focus statement or not.
    fn branch(
        &mut self,
        node: Node,
        mark: FocusStep,
        literals: Vec<Vec<Expression>>,
        focus: bool,
        after: &mut Vec<Node>,
    ) -> Bounded<()> {
        for (way, list) in literals.into_iter().enumerate() {
            let mut next = node.clone();
            if let (true, Some(returned)) = (focus, mark.returned) {
                self.append(&mut next, returned, 0);
            }
            let ordinal = next.count;
            if focus {
                self.append(&mut next, mark.edge, way as u32);
            }
            let mut possible = true;
            for expression in list {
                possible &= self.constrain(&mut next, ordinal, mark.edge, expression)?;
            }
            if possible && !next.holds.is_false() {
                after.push(next);
            }
        }
        Ok(())
    }

    /// Adds a constraint; false if this constraint alone cannot hold.
    pub(super) fn constrain(
        &mut self,
        node: &mut Node,
        ordinal: u32,
        edge: EdgeId,
        expression: Expression,
    ) -> Bounded<bool> {
        let uninterpreted = self.mentions_uninterpreted(&expression);
        if !uninterpreted && let Some(bits) = constant(&expression) {
            return Ok(bits == 1);
        }
        let truth =
            if node.values.is_some() { Bdd::TRUE } else { self.inputs.truth(&expression)? };
        if node.values.is_none() {
            if !uninterpreted {
                node.holds.and_expression(&mut self.inputs, &expression, truth)?;
            }
            if !self.uninterpreted.is_empty() {
                node.all.and_expression(&mut self.inputs, &expression, truth)?;
            }
        }
        // An equal constraint comes later in the sequence, so it is implied there.
        node.constraints.retain(|other| {
            other.truth != truth
                || other.uninterpreted != uninterpreted
                || other.expression != expression
        });
        node.constraints.push(Rc::new(Constraint {
            ordinal,
            edge,
            expression,
            truth,
            uninterpreted,
        }));
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

    /// Prepends an entry to the node's sequence.
    pub(super) fn append(&mut self, node: &mut Node, edge: EdgeId, way: u32) {
        node.path = self.lists.prepend(edge, way, node.path);
        node.entries = Some(Rc::new(Link { edge, way, rest: node.entries.take() }));
        node.count += 1;
        // A hidden step that only checks the value that an assignment has written makes no entry.
        if self.dependence.is_shown(edge)
            || node.count == 1 && !super::is_assignment_check(&self.program, edge)
        {
            node.length += 1;
            node.lines.insert(self.program.edge(edge).span.line);
        }
    }

    /// Prepares the frames around a new focus statement: each of them has a focus statement now,
    /// too. Their returns come later in the run than anything inside.
    pub(super) fn returns_around(&mut self, node: &mut Node) {
        let mut frames = Vec::new();
        let mut here = node.state.frame;
        while let Some(id) = here {
            let frame = Rc::clone(self.frames.value(id.0));
            if self.summaries.local_state(frame.caller).has_focus {
                break;
            }
            here = frame.below;
            frames.push(frame);
        }
        for frame in frames.into_iter().rev() {
            let caller = self.returned(node, frame.caller);
            let frame = Frame { caller, below: here, ..(*frame).clone() };
            here = Some(FrameId(self.frames.number(frame)));
            node.state.frame = here;
        }
    }

    /// The local state of a caller that has a focus statement now. Its return becomes an entry, if
    /// there was one.
    pub(super) fn returned(&mut self, node: &mut Node, caller: LocalStateId) -> LocalStateId {
        let local = Rc::clone(self.summaries.local_state(caller));
        if local.has_focus {
            return caller;
        }
        if let Some(returned) = local.returned {
            self.append(node, returned, 0);
        }
        self.summaries.number(LocalState { has_focus: true, returned: None, ..(*local).clone() })
    }

    /// An expression of an edge. Choices become inputs, and globals get the values that they are
    /// known to have there.
    pub(super) fn picked(&mut self, edge: EdgeId, ordinal: u32, e: &Expression) -> Expression {
        let picked = with_choices(e, &mut |choice, scalar| {
            Expression::Variable(self.inputs.variable(Input::Choice(edge, choice, ordinal)), scalar)
        });
        self.constants.known(self.program.edge(edge).from, picked)
    }

    /// Rewrites all constraints; false if one cannot hold.
    pub(super) fn rewrite(
        &mut self,
        node: &mut Node,
        to: &mut dyn FnMut(&mut Inputs, &Expression) -> Bounded<Expression>,
    ) -> Bounded<bool> {
        let is_outline = node.values.is_some();
        for (_, value) in node.values.iter_mut().flatten() {
            *value = to(&mut self.inputs, value)?;
        }
        let mut changed = false;
        let mut kept = Vec::with_capacity(node.constraints.len());
        for mut constraint in std::mem::take(&mut node.constraints) {
            let expression = to(&mut self.inputs, &constraint.expression)?;
            if expression != constraint.expression {
                changed = true;
                let truth = match (is_outline, constant(&expression)) {
                    (true, None) => Bdd::TRUE,
                    _ => self.inputs.truth(&expression)?,
                };
                let uninterpreted =
                    constraint.uninterpreted | self.mentions_uninterpreted(&expression);
                if !uninterpreted && truth.is_false() {
                    return Ok(false);
                }
                if truth.is_true() && !(is_outline && constant(&expression).is_none()) {
                    continue;
                }
                constraint =
                    Rc::new(Constraint { expression, truth, uninterpreted, ..*constraint });
            }
            kept.push(constraint);
        }
        node.constraints = kept;
        if !changed {
            return Ok(true);
        }
        let (mut holds, mut all) = (Conjunction::default(), Conjunction::default());
        for constraint in node.constraints.iter().filter(|_| !is_outline) {
            if !constraint.uninterpreted {
                holds.and_expression(&mut self.inputs, &constraint.expression, constraint.truth)?;
                if holds.is_false() {
                    return Ok(false);
                }
            }
            if !self.uninterpreted.is_empty() {
                all.and_expression(&mut self.inputs, &constraint.expression, constraint.truth)?;
            }
        }
        node.holds = holds;
        node.all = all;
        Ok(true)
    }

    /// Goes into a call, from its end. It follows the paths through the callee if they are few and
    /// short, and single statements otherwise.
    fn enter(
        &mut self,
        node: &Node,
        id: EdgeId,
        exit: LocalStateId,
        caller: LocalStateId,
        after: &mut Vec<Node>,
    ) -> Bounded<()> {
        if let Some(paths) = self.paths_through(node, exit) {
            for path in paths.iter() {
                self.along(node, id, caller, path, after)?;
            }
            return Ok(());
        }
        let program = Rc::clone(&self.program);
        let Operation::Call { callee, result, .. } = &program.edge(id).operation else {
            return Ok(());
        };
        let depth = node.state.frame.map_or(0, |frame| self.frames.value(frame.0).depth + 1);
        if depth >= MOST_FRAMES {
            self.cut = Some(Limit::Depth);
            return Ok(());
        }
        let from = program.procedure(*callee).result;
        let of_program = program.variables.len();
        let replaced = |inputs: &mut Inputs, variable: VariableId| {
            if variable.0 as usize >= of_program
                || program.variable(variable).kind == VariableKind::Global
            {
                return Replacement::Same;
            }
            Replacement::Renamed(match (result, from) {
                (Some(into), Some(from)) if *into == variable => from,
                _ => inputs.variable(Input::Saved(variable, depth)),
            })
        };
        let mut next = node.clone();
        if !self.rewrite(&mut next, &mut |inputs, e| {
            substitute(e, &mut |variable| replaced(inputs, variable))
        })? {
            return Ok(());
        }
        let frame = Frame { call: id, caller, below: node.state.frame, depth };
        next.state = SearchState { local: exit, frame: Some(FrameId(self.frames.number(frame))) };
        after.push(next);
        Ok(())
    }

    /// The values of a callee's parameters, as its caller sees them.
    pub(super) fn arguments(
        &mut self,
        call: EdgeId,
        ordinal: u32,
    ) -> FxHashMap<VariableId, Expression> {
        let program = Rc::clone(&self.program);
        let Operation::Call { callee, arguments, .. } = &program.edge(call).operation else {
            return FxHashMap::default();
        };
        let parameters = program.procedure(*callee).parameters.iter();
        parameters
            .zip(arguments)
            .map(|(parameter, argument)| (*parameter, self.picked(call, ordinal, argument)))
            .collect()
    }

    /// Goes out of a procedure, over a call of it.
    pub(super) fn leave(&mut self, node: &Node, id: EdgeId, after: &mut Vec<Node>) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let frame = node.state.frame.map(|frame| Rc::clone(self.frames.value(frame.0)));
        let left =
            self.summaries.leave(node.state.local, id, frame.as_ref().map(|frame| frame.caller));
        let depth = frame.as_ref().map_or(0, |frame| frame.depth);
        let mut next = node.clone();
        next.state =
            SearchState { local: left.to, frame: frame.as_ref().and_then(|frame| frame.below) };
        if left.focus {
            self.returns_around(&mut next);
        }
        let ordinal = next.count + u32::from(left.returned.is_some());
        let values = self.arguments(id, ordinal);
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
                None if program.variable(variable).kind == VariableKind::Global => {
                    Replacement::Same
                }
                None => Replacement::Renamed(inputs.variable(Input::Local(variable, ordinal))),
            }
        };
        if !self.rewrite(&mut next, &mut |inputs, e| {
            substitute(e, &mut |variable| replaced(inputs, variable))
        })? {
            return Ok(());
        }
        self.passes(
            next,
            FocusStep { edge: id, returned: left.returned },
            vec![Vec::new()],
            left.focus,
            after,
        )
    }
}
