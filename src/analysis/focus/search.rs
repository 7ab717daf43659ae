//! All focus-statement sequences of a program, shortest first: from the errors backward, with the
//! set of what is relevant (the paper's Error set, § 2 and § 3.3).
//!
//! A node of the search is a position before a statement of some run that fails. It fixes only the
//! focus statements of the run from there to the error. Summaries of procedures give the focus
//! statements that can come next ([`super::summary`]) and the paths through a whole callee
//! ([`super::path`]). Constraints of conditions and checks are rewritten over the store before each
//! focus statement ([`super::backward`]). At the program's start they are over inputs and
//! uninitialised variables only.
//!
//! The methods of [`Search`] are in three files. `backward` and `path` call each other: a call is
//! taken along the paths through its callee, and these paths are found by the same backward steps.
//! Both need the whole state of the search, so they import it; this file imports neither.
//!
//! A node is dropped if an earlier node in the same search state has a subset of its lines and is
//! implied by it. Every extension of the dropped node is then one of the earlier node, with fewer
//! lines and a weaker assumption. So the search terminates in programs with loops.
//!
//! Differs from the paper: there are no forward summaries (fsum). They would only prune earlier
//! what cannot hold at the start.

use super::constants::Constants;
use super::dependence::Dependence;
use super::feasible::Conjunction;
use super::inputs::Inputs;
use super::lines::LineSet;
use super::node::{Candidate, Error, Node, ProcedurePath};
use super::queue::{Lists, Queue};
use super::state::{Frame, LocalStateId, SearchState};
use super::summary::Summaries;
use super::term::{Replacement, substitute};
use crate::analysis::interner::Interner;
use crate::bdd::{Bdd, KernelLimits, Roots};
use crate::lang::model::{Expression, Initial, Program, VariableId};
use crate::util::{Bounded, Limit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::rc::Rc;

/// Most nodes that are expanded before the search is given up.
const MOST_NODES: usize = 400_000;

/// Most nodes that are made: they are in memory until they are expanded.
const MOST_MADE: usize = 2_000_000;

/// Nodes by their state: what they assume and their lines.
type Earlier = FxHashMap<(SearchState, Error), Vec<(Conjunction, Conjunction, LineSet)>>;

/// A search in progress.
pub(super) struct Search {
    pub(super) dependence: Rc<Dependence>,
    pub(super) inputs: Inputs,
    pub(super) program: Rc<Program>,
    pub(super) uninterpreted: Vec<VariableId>,
    pub(super) constants: Constants,
    pub(super) summaries: Summaries,
    /// By local state at a procedure's end: the paths through it, if they are taken as a whole.
    pub(super) through: FxHashMap<LocalStateId, Option<Rc<[ProcedurePath]>>>,
    pub(super) frames: Interner<Frame>,
    /// The errors from which the search has not begun yet.
    errors: VecDeque<Error>,
    queue: Queue,
    pub(super) lists: Lists,
    nodes: Vec<Option<Node>>,
    seen: FxHashSet<(SearchState, u32)>,
    earlier: Earlier,
    pub(super) looked_at: usize,
    /// Nodes that are expanded before the search is given up.
    pub(super) most_nodes: usize,
    /// The limit because of which some way was not followed.
    pub(super) cut: Option<Limit>,
}

impl Search {
    pub(super) fn new(
        program: Rc<Program>,
        error_line: Option<u32>,
        uninterpreted: Vec<VariableId>,
        limits: KernelLimits,
    ) -> Bounded<Search> {
        let dependence = Rc::new(Dependence::new(Rc::clone(&program)));
        // Nothing is known of variables that are not interpreted.
        let nothing = !uninterpreted.is_empty() || program.concurrency.has_threads();
        let mut search = Search {
            constants: if nothing { Constants::none() } else { Constants::new(&program) },
            summaries: Summaries::new(Rc::clone(&dependence)),
            dependence,
            inputs: Inputs::new(Rc::clone(&program), limits)?,
            program,
            uninterpreted,
            through: FxHashMap::default(),
            frames: Interner::new(),
            errors: VecDeque::new(),
            queue: Queue::default(),
            lists: Lists::default(),
            nodes: Vec::new(),
            seen: FxHashSet::default(),
            earlier: FxHashMap::default(),
            looked_at: 0,
            most_nodes: MOST_NODES,
            cut: None,
        };
        for id in search.program.edge_ids() {
            for check in search.dependence.fallible(id) {
                let line = search.program.edge(id).checks[*check].line;
                if error_line.is_none_or(|only| only == line) {
                    search.errors.push_back((id, *check));
                }
            }
        }
        Ok(search)
    }

    /// The length of the shortest sequences that may still come.
    pub(super) fn shortest_open(&self) -> Option<u32> {
        self.queue.shortest()
    }

    pub(super) fn push(&mut self, node: Node) -> Bounded<()> {
        if self.nodes.len() >= MOST_MADE {
            return Err(Limit::Nodes);
        }
        if self.seen.insert((node.state, node.path)) {
            self.queue.push((node.length, node.count), node.path, self.nodes.len());
            self.nodes.push(Some(node));
        }
        Ok(())
    }

    /// Is an earlier node as good? (See the module's head.)
    fn is_subsumed(&mut self, node: &Node) -> Bounded<bool> {
        let assumed = node.holds.of_the_start(&mut self.inputs)?;
        let all = node.all.of_the_start(&mut self.inputs)?;
        let list = self.earlier.entry((node.state, node.error)).or_default();
        for (holds, with_all, lines) in list.iter() {
            let inputs = &mut self.inputs;
            if lines.is_subset(&node.lines)
                && assumed.implies_all(inputs, holds)?
                && all.implies_all(inputs, with_all)?
            {
                return Ok(true);
            }
        }
        list.push((assumed, all, node.lines.clone()));
        Ok(false)
    }

    /// Begins at one error, or expands one node; `None` once there is none left.
    pub(super) fn step(&mut self) -> Bounded<Option<Vec<Candidate>>> {
        self.inputs.kernel.check()?;
        if let Some((edge, check)) = self.errors.pop_front() {
            self.begin(edge, check)?;
            return Ok(Some(Vec::new()));
        }
        let Some(index) = self.queue.pop(&self.lists) else { return Ok(None) };
        let Some(node) = self.nodes[index].take() else { return Ok(Some(Vec::new())) };
        self.looked_at += 1;
        if self.looked_at > self.most_nodes {
            return Err(Limit::Steps);
        }
        if self.is_subsumed(&node)? {
            return Ok(Some(Vec::new()));
        }
        let mut before = self.before(&node)?;
        let mut found = Vec::new();
        if node.state.frame.is_none() && self.summaries.is_entry(node.state.local) {
            let dependence = Rc::clone(&self.dependence);
            let procedure = self
                .program
                .location(self.summaries.local_state(node.state.local).location)
                .procedure;
            for call in dependence.callers(procedure) {
                self.leave(&node, *call, &mut before)?;
            }
            if procedure == self.program.main_id() {
                found.extend(self.finish(node)?);
            }
        }
        before.into_iter().try_for_each(|node| self.push(node))?;
        Ok(Some(found))
    }

    /// Makes candidates of a node that has reached the program's start.
    fn finish(&mut self, mut node: Node) -> Bounded<Option<Candidate>> {
        let program = Rc::clone(&self.program);
        let mut fixed: FxHashMap<VariableId, Vec<(Expression, Expression)>> = FxHashMap::default();
        for id in program.globals() {
            let variable = program.variable(id);
            if let Initial::Exactly(values) = &variable.initial {
                let index = |k: usize| {
                    Expression::Constant(k as u64, crate::lang::model::Scalar::int(32, false))
                };
                let pairs = values
                    .iter()
                    .enumerate()
                    .map(|(k, bits)| (index(k), Expression::Constant(*bits, variable.scalar)));
                fixed.insert(id, pairs.collect());
            }
        }
        let replaced = |variable: VariableId| match fixed.get(&variable) {
            None => Replacement::Same,
            Some(list) if program.variable(variable).is_array() => {
                Replacement::Written(list.iter().map(|(a, b)| (a, b)).collect())
            }
            Some(list) => list
                .first()
                .map_or(Replacement::Same, |(_, value)| Replacement::Value(value.clone())),
        };
        if !self
            .rewrite(&mut node, &mut |_, e| substitute(e, &mut |variable| replaced(variable)))?
        {
            return Ok(None);
        }
        let entries = node.entries().into_iter().map(|(edge, _)| edge).collect();
        // Later entries have smaller ordinals; of one entry the order stays.
        node.constraints.sort_by_key(|constraint| Reverse(constraint.ordinal));
        let Node { constraints, length, lines, holds, all, error, .. } = node;
        let holds = if self.uninterpreted.is_empty() { holds } else { all };
        Ok(Some(Candidate { entries, constraints, length, lines, holds, error }))
    }
}

impl Roots for Search {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.nodes.roots(roots);
        for (holds, all, _) in self.earlier.values().flatten() {
            (holds, all).roots(roots);
        }
    }
}
