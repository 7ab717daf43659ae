//! Which transitions are correct, asked one by one: is there a correct run through it? So post\* and pre\* of the whole program are not needed where a run
//! fails soon after its start.
//!
//! The program that is asked has a mark on each edge and each transition that is in doubt, and a shortest correct run over a mark is searched
//! ([`ShortestRun`](crate::analysis::shortest_run::ShortestRun)); each run that is found settles all that is on it. A transition that nothing can save once it was taken is found
//! without a look at the rest of the program ([`Nearby::onward`]): from its target, whatever the callers are, neither the correct end nor the frame's exit is reached.

use super::asked::{Asked, and};
use super::supergraph::SuperEdge;
use super::trace::Transition;
use crate::analysis::counterexample::Counterexample;
use crate::analysis::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{Copy, Valuation, symbol};
use crate::lang::interpreter::{Assignment, ConcreteRun, ConcreteStep};
use crate::lang::model::{Edge, EdgeId, Expression, LocationId, Operation, Program, VariableId};
use crate::pds::{Key, Measure, Point, RankedPostStar};
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The program that is asked.
pub struct Nearby {
    /// Fails, by a check of [`END_LINE`](super::asked::END_LINE), exactly where the program comes to the correct end.
    pub program: Rc<Program>,
    origins: Vec<Option<EdgeId>>,
    by_edge: BTreeMap<SuperEdge, Vec<EdgeId>>,
    by_transition: Vec<Option<EdgeId>>,
    main_is_called: bool,
    main: usize,
    ends_with_program: bool,
}

/// What lies behind a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// The correct end, in the frame or deeper.
    Correct,
    /// Nothing but the frame's exit.
    Exit,
    /// Neither.
    Nothing,
}

/// A look at what lies behind a transition, in progress.
pub struct OnwardSearch {
    search: RankedPostStar<crate::encode::ProgramDomain>,
    exit_counts: bool,
}

impl Nearby {
    /// Sets up the questions for a failing run of a program (with the halts of earlier rounds) that violates the `check`-th check of `failing`: these edges, and those transitions
    /// for which it is said.
    pub fn new(
        program: &Program,
        failing: EdgeId,
        check: usize,
        edges: &BTreeSet<SuperEdge>,
        transitions: &[(Transition, bool)],
    ) -> Nearby {
        let mut asked = Asked::new(program);
        let mut by_edge = BTreeMap::new();
        let returns: BTreeSet<EdgeId> = transitions
            .iter()
            .filter(|(_, doubted)| *doubted)
            .map(|(transition, _)| transition.edge)
            .chain(edges.iter().copied())
            .filter_map(|edge| matches!(edge, SuperEdge::Return(_) | SuperEdge::Onward(_)).then_some(edge.edge()))
            .collect();
        let mut sites: BTreeMap<EdgeId, (LocationId, LocationId, EdgeId)> = BTreeMap::new();
        for call in returns {
            let to = program.edge(call).to;
            let site = asked.place(to);
            let mark = asked.add(site, to, Operation::Skip, 0);
            asked.program.edges[call.0 as usize].to = site;
            sites.insert(call, (site, to, mark));
        }
        for edge in edges {
            let mark = match edge {
                SuperEdge::Step(id) | SuperEdge::Enter(id) => *id,
                SuperEdge::Return(id) | SuperEdge::Onward(id) => sites[id].2,
            };
            by_edge.insert(*edge, vec![mark]);
        }
        let mut aside: BTreeSet<EdgeId> = BTreeSet::new();
        let mut by_transition = Vec::new();
        for (transition, doubted) in transitions {
            let mark = if *doubted { mark(&mut asked, transition, &sites, &mut aside) } else { None };
            // A transition's copy of a statement is the statement as well.
            if let (Some(mark), Some(marks)) = (mark, by_edge.get_mut(&transition.edge)) {
                marks.push(mark);
            }
            by_transition.push(mark);
        }
        let from = program.edge(failing).from;
        asked.correct_end(failing, check, &[from]);
        let ends_with_program = asked.program.main != program.main;
        let calls_main = |edge: &Edge| matches!(edge.operation, Operation::Call { callee, .. } if callee == program.main_id());
        Nearby {
            main_is_called: program.edges.iter().any(calls_main),
            main: program.main,
            program: Rc::new(asked.program),
            origins: asked.origins,
            by_edge,
            by_transition,
            ends_with_program,
        }
    }

    /// The marks on an edge; passing one is taking it.
    pub fn marks_of_edge(&self, edge: SuperEdge) -> Option<&[EdgeId]> {
        self.by_edge.get(&edge).map(Vec::as_slice)
    }

    /// The mark on the k-th transition, if it can be asked for.
    pub fn mark_of_transition(&self, k: usize) -> Option<EdgeId> {
        self.by_transition.get(k).copied().flatten()
    }

    /// A look at what lies behind a transition of the program.
    pub fn onward(&self, reach: &mut Reach, transition: &Transition) -> Bounded<OnwardSearch> {
        let id = transition.edge.edge();
        let to = match (transition.edge, &self.program.edge(id).operation) {
            (SuperEdge::Enter(_), Operation::Call { callee, .. }) => self.program.procedure(*callee).entry,
            _ => self.program.edge(id).to,
        };
        let cells: Vec<_> = transition.after.0.keys().copied().collect();
        let stores = reach.domain.fixed(&cells, Copy::Now, &transition.after)?;
        let cost = reach.system.roles.iter().map(|_| 1).collect();
        let passes = reach.system.roles.iter().map(|_| 0).collect();
        let mut is_target = vec![false; reach.system.pds.symbols() as usize];
        for site in &reach.system.errors {
            is_target[site.symbol.0 as usize] = true;
        }
        let measure = Measure { cost, passes, all: 0, is_target };
        let priority = reach.system.priority.clone();
        let search = RankedPostStar::new(&mut reach.domain, symbol(to), stores, measure, u64::MAX / 2, priority)?;
        let procedure = self.program.location(to).procedure.0 as usize;
        let exit_counts = procedure != self.main || self.main_is_called || self.ends_with_program;
        Ok(OnwardSearch { search, exit_counts })
    }

    /// Reads a run of the program that was asked as one of the program itself.
    pub fn read(&self, found: &Counterexample) -> ConcreteRun {
        let main = &self.program.procedures[self.main];
        let mut initial = &found.initial;
        let mut steps = Vec::new();
        for step in &found.steps {
            let operation = &self.program.edge(step.edge).operation;
            let Some(edge) = self.origins[step.edge.0 as usize] else {
                if matches!(operation, Operation::Call { .. }) {
                    initial = &step.after;
                }
                continue;
            };
            let locals = match operation {
                Operation::Call { callee, .. } => Some(self.assignment(&self.program.procedure(*callee).locals, &step.after)),
                Operation::Havoc(variables) => Some(self.assignment(variables, &step.after)),
                _ => None,
            };
            steps.push(ConcreteStep { edge, choices: step.choices.clone(), locals });
        }
        let globals: Vec<VariableId> = self.program.globals().collect();
        let locals: Vec<VariableId> = main.parameters.iter().chain(&main.locals).copied().collect();
        ConcreteRun { initial_globals: self.assignment(&globals, &found.initial), initial_locals: self.assignment(&locals, initial), steps }
    }

    fn assignment(&self, variables: &[VariableId], valuation: &Valuation) -> Assignment {
        super::asked::assignment(&self.program, variables, valuation)
    }
}

impl OnwardSearch {
    /// Every diagram held, for garbage collection.
    pub fn roots(&self, roots: &mut Vec<Bdd>) {
        roots.extend(self.search.weights());
    }

    /// One bounded piece of work; the answer, once it is known.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Option<Onward>> {
        if self.search.found().is_some() {
            return Ok(Some(Onward::Correct));
        }
        if !self.search.is_done() {
            self.search.step(&reach.system.pds, &mut reach.domain)?;
            return Ok(None);
        }
        let left = !self.search.layers(Key { frame: 0, point: Point::End, passed: 0 }).is_empty();
        Ok(Some(if left && self.exit_counts { Onward::Exit } else { Onward::Nothing }))
    }
}

/// A way over the transition's edge with its states alone; the mark on it. `None` where states do not say what the transition is: an entry with
/// arguments that are picked, a return whose value nobody reads.
fn mark(
    asked: &mut Asked,
    transition: &Transition,
    sites: &BTreeMap<EdgeId, (LocationId, LocationId, EdgeId)>,
    aside: &mut BTreeSet<EdgeId>,
) -> Option<EdgeId> {
    let id = transition.edge.edge();
    let edge = asked.program.edge(id).clone();
    let source = asked.source;
    match transition.edge {
        SuperEdge::Step(_) => {
            let guarded = asked.place(edge.from);
            let after = asked.place(edge.to);
            let (from, to) = (edge.from, edge.to);
            let before = is(asked, &transition.before);
            asked.add(from, guarded, Operation::Assume(before), 0);
            asked.push(Edge { from: guarded, to: after, ..edge }, Some(id), 1);
            let reached = is(asked, &transition.after);
            Some(asked.add(after, to, Operation::Assume(reached), 0))
        }
        SuperEdge::Enter(_) => {
            let Operation::Call { .. } = edge.operation else { return None };
            if !edge.choices.is_empty() {
                return None;
            }
            // A call stands alone at its location.
            let at = source.edge(id).from;
            if aside.insert(id) {
                let moved = asked.place(at);
                asked.add(at, moved, Operation::Skip, 0);
                asked.program.edges[id.0 as usize].from = moved;
            }
            let guarded = asked.place(at);
            let before = is(asked, &transition.before);
            asked.add(at, guarded, Operation::Assume(before), 0);
            Some(asked.push(Edge { from: guarded, ..edge }, Some(id), 1))
        }
        SuperEdge::Return(_) | SuperEdge::Onward(_) => {
            let (site, to, _) = sites.get(&id)?;
            let Operation::Call { result, .. } = &source.edge(id).operation else { return None };
            let values = |state: &Valuation| state.0.keys().any(|cell| source.variable(cell.variable).owner.is_some());
            let is_read = result.is_some_and(|result| transition.after.0.keys().any(|cell| cell.variable == result));
            if matches!(transition.edge, SuperEdge::Return(_)) && values(&transition.before) && !is_read {
                return None;
            }
            let reached = is(asked, &transition.after);
            Some(asked.add(*site, *to, Operation::Assume(reached), 0))
        }
    }
}

/// The state, as a condition.
fn is(asked: &Asked, state: &Valuation) -> Expression {
    let one = |(cell, bits): (&crate::encode::Cell, &u64)| asked.element_is(cell.variable, cell.element, *bits);
    state.0.iter().map(one).reduce(and).unwrap_or_else(Expression::truth)
}
