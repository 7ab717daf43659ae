//! Whole paths through a procedure, from its end to its entry. They are computed once per Error set
//! at the end, and each call takes a path in one step.
//!
//! A path consists of its entries, their constraints over the store at the entry, and the values of
//! the relevant variables at the end over the same store (a parallel substitution). So a call
//! rewrites the caller's constraints once, instead of once per statement.
//!
//! A procedure is walked statement by statement instead if one of these holds:
//!
//! * its loops or recursion matter, so that it has infinitely many paths (there the search ends by
//!   what earlier nodes assume);
//! * it writes elements of arrays;
//! * variables are left uninterpreted, because then it matters which variables a constraint has
//!   mentioned on its way.

use super::inputs::{Input, Inputs};
use super::node::{FocusStep, Node, ProcedurePath};
use super::search::Search;
use super::state::{LocalStateId, SearchState};
use super::term::{Replacement, substitute};
use crate::lang::model::{EdgeId, Expression, Operation, Place, Program, VariableId, VariableKind};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most paths through a procedure for one Error set.
const MOST_PATHS: usize = 64;
/// Most nodes that are expanded for them.
const MOST_STEPS: usize = 1_000;
/// Most entries of a path.
const MOST_ENTRIES: u32 = 200;

impl Search {
    /// The paths through a procedure from this local state at its end, if they are to be taken as a
    /// whole.
    pub(super) fn paths_through(
        &mut self,
        node: &Node,
        exit: LocalStateId,
    ) -> Option<Rc<[ProcedurePath]>> {
        if node.values.is_some() || !self.summaries.are_on() || !self.uninterpreted.is_empty() {
            return None;
        }
        if let Some(known) = self.through.get(&exit) {
            return known.clone();
        }
        let before = self.cut.take();
        // If a limit cut a path off, the walk statement by statement reports it.
        let found = self.explore(node, exit).filter(|_| self.cut.is_none());
        self.cut = before;
        self.through.insert(exit, found.clone());
        found
    }

    fn explore(&mut self, from: &Node, exit: LocalStateId) -> Option<Rc<[ProcedurePath]>> {
        let program = Rc::clone(&self.program);
        let mut root = Node::new(SearchState { local: exit, frame: None }, from.error);
        let scalars = self
            .summaries
            .local_state(exit)
            .relevant
            .iter()
            .map(|part| part.variable)
            .filter(|id| !program.variable(*id).is_array());
        root.values = Some(
            scalars.map(|id| (id, Expression::Variable(id, program.variable(id).scalar))).collect(),
        );
        let (mut paths, mut steps) = (Vec::new(), 0);
        // The nodes that wait, each with the nodes on the way to it.
        let mut waiting = vec![(root, Vec::new())];
        while let Some((node, mut been)) = waiting.pop() {
            steps += 1;
            if been.contains(&node.state) {
                return None;
            }
            been.push(node.state);
            let last = node.entries.as_ref().map(|link| link.edge);
            if steps > MOST_STEPS
                || paths.len() >= MOST_PATHS
                || node.count > MOST_ENTRIES
                || last.is_some_and(|edge| self.writes_elements(edge))
            {
                return None;
            }
            let mut after = self.before(&node).ok()?;
            if node.state.frame.is_none() && self.summaries.is_entry(node.state.local) {
                let mut entries = node.entries();
                entries.reverse();
                let Node { constraints, values, state, .. } = node;
                paths.push(ProcedurePath {
                    entries,
                    constraints,
                    values: values.unwrap_or_default(),
                    entry: state.local,
                });
            }
            after.reverse();
            waiting.extend(after.into_iter().map(|node| (node, been.clone())));
        }
        Some(paths.into())
    }

    fn writes_elements(&self, edge: EdgeId) -> bool {
        match &self.program.edge(edge).operation {
            Operation::Assign(list) => {
                list.iter().any(|(place, _)| matches!(place, Place::Element(..)))
            }
            Operation::Havoc(list) => list.iter().any(|id| self.program.variable(*id).is_array()),
            _ => false,
        }
    }

    /// Takes a call along one path through its callee.
    pub(super) fn along(
        &mut self,
        node: &Node,
        id: EdgeId,
        caller: LocalStateId,
        path: &ProcedurePath,
        after: &mut Vec<Node>,
    ) -> Bounded<()> {
        let program = Rc::clone(&self.program);
        let Operation::Call { callee, result, .. } = &program.edge(id).operation else {
            return Ok(());
        };
        let from = program.procedure(*callee).result;
        let (mut next, mut caller) = (node.clone(), caller);
        if !path.entries.is_empty() {
            self.returns_around(&mut next);
            caller = self.returned(&mut next, caller);
        }
        let begins = next.count;
        for (edge, way) in &path.entries {
            self.append(&mut next, *edge, *way);
        }
        let left = self.summaries.leave(path.entry, id, Some(caller));
        if left.focus && path.entries.is_empty() {
            self.returns_around(&mut next);
        }
        let ordinal = next.count + u32::from(left.returned.is_some());
        let arguments = self.arguments(id, ordinal);
        let entry = CalleeEntry { program: &program, begins, ordinal, arguments };
        let moved = |inputs: &mut Inputs, e: &Expression| {
            substitute(e, &mut |variable| entry.replacement(inputs, variable))
        };
        let mut values: FxHashMap<VariableId, Expression> = FxHashMap::default();
        for (variable, value) in &path.values {
            let of_caller = if Some(*variable) == from { *result } else { Some(*variable) };
            if let Some(of_caller) = of_caller {
                let value = moved(&mut self.inputs, value)?;
                if value != Expression::Variable(of_caller, program.variable(of_caller).scalar) {
                    values.insert(of_caller, value);
                }
            }
        }
        let at_end = |variable: VariableId| {
            values
                .get(&variable)
                .map_or(Replacement::Same, |value| Replacement::Value(value.clone()))
        };
        if !self.rewrite(&mut next, &mut |_, e| substitute(e, &mut |variable| at_end(variable)))? {
            return Ok(());
        }
        for constraint in &path.constraints {
            let expression = moved(&mut self.inputs, &constraint.expression)?;
            if !self.constrain(
                &mut next,
                constraint.ordinal + begins,
                constraint.edge,
                expression,
            )? || next.holds.is_false()
            {
                return Ok(());
            }
        }
        next.state.local = left.to;
        let mark = FocusStep { edge: id, returned: left.returned };
        self.passes(next, mark, vec![Vec::new()], left.focus, after)
    }
}

/// The store at a callee's entry, in terms of its caller's store.
struct CalleeEntry<'a> {
    program: &'a Program,
    /// The entries of the caller's sequence before the path, which the path's ordinals do not
    /// count.
    begins: u32,
    /// The ordinal of the call.
    ordinal: u32,
    /// By parameter of the callee: its argument.
    arguments: FxHashMap<VariableId, Expression>,
}

impl CalleeEntry<'_> {
    /// The expression of the caller that replaces a variable of a path's constraints.
    fn replacement(&self, inputs: &mut Inputs, variable: VariableId) -> Replacement<'static> {
        if variable.0 as usize >= self.program.variables.len() {
            let begins = self.begins;
            let moved = match inputs.input(variable) {
                Some(Input::Local(of, at)) => Input::Local(of, at + begins),
                Some(Input::Havoc(of, at)) => Input::Havoc(of, at + begins),
                Some(Input::Choice(edge, choice, at)) => Input::Choice(edge, choice, at + begins),
                Some(Input::Saved(..)) | None => return Replacement::Same,
            };
            return Replacement::Renamed(inputs.variable(moved));
        }
        match self.arguments.get(&variable) {
            Some(value) => Replacement::Value(value.clone()),
            None if self.program.variable(variable).kind == VariableKind::Global => {
                Replacement::Same
            }
            None => Replacement::Renamed(inputs.variable(Input::Local(variable, self.ordinal))),
        }
    }
}
