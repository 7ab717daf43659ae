//! The error projection statement by statement, with one weighted chopping query for each (Lal,
//! Kidd, Reps, Touili 2007, § 4, Defs 8, 9).
//!
//! | method | a query is | once, for all queries |
//! | --- | --- | --- |
//! | `per-node` | a path summary over the intersection of two automata (`intersection`) | post\* of the start, pre\* of the errors |
//! | `double-prestar` | pre\* of what leads on from the statement (`double_prestar`) | pre\* of the errors |
//! | `double-poststar` | post\* of what the statement leads to (`double_poststar`) | post\* of the start |
//!
//! Differs from the paper: the queries are about statements (edges), not nodes. So the chop is not
//! "n is on top" but "n is on top and this edge is taken", with the edge's weight between the two
//! halves. The answer has two parts, as in [`super::error_projection`]: does the run go on after
//! the edge, or does it end in it (a check of it fails, or its callee never returns)?
//!
//! Post\* weights hold only frame entries that some run has. So a weight that is not zero at the
//! top of a stack is not zero at its bottom either. A query that has found the target need not read
//! the rest of the stack.

mod double_poststar;
mod double_prestar;
mod intersection;

use super::backward::backward;
use super::error_projection::{Goal, Phase};
use super::reach::Reach;
use crate::bdd::{Bdd, Roots, impl_roots};
use crate::encode::{CONTROL, ProgramDomain, symbol};
use crate::lang::model::{EdgeId, LocationId};
use crate::pds::{ForwardWeights, PreStar, Right, StackSymbol, State, Transition};
use crate::util::Bounded;
use crate::wire::projection::Method;
use double_poststar::DoublePostStar;
use double_prestar::{DoublePreStar, Later};
use intersection::Intersection;

/// The runs through an edge that a query asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Those that go on after it (for a call: return).
    Passing,
    /// Those that end in it.
    Ending,
}

/// A query that is being worked on.
enum Query {
    Intersection(Intersection),
    DoublePreStar(DoublePreStar),
    DoublePostStar(DoublePostStar),
}

/// An answer, or the query that will give it.
enum Begun {
    Answer(bool),
    Query(Box<Query>),
}

/// The saturations that all queries share.
enum Basis {
    Forward,
    Backward(Box<Backward>),
}

struct Backward {
    prestar: PreStar<ProgramDomain>,
    target: State,
    /// For `double-prestar`: how runs go on from a chop to the target.
    later: Option<Later>,
}

/// A projection in progress, statement by statement. Needs a finished post\*.
pub struct Chop {
    method: Method,
    phase: Phase,
    basis: Basis,
    edges: Vec<EdgeId>,
    /// Index into `edges`, and the part that is asked.
    next: (usize, Part),
    query: Option<Box<Query>>,
    in_projection: Vec<bool>,
    passed: Vec<bool>,
}

impl Chop {
    /// Prepares the decision of these edges, in this order, by a method with
    /// [`Method::is_per_statement`].
    pub fn new(reach: &mut Reach, method: Method, edges: Vec<EdgeId>) -> Bounded<Chop> {
        let count = reach.program.edges.len();
        let (basis, phase) = match method {
            Method::DoublePoststar => (Basis::Forward, Phase::Statements),
            _ => {
                let (prestar, target) = backward(reach, &Goal::Errors, true)?;
                (
                    Basis::Backward(Box::new(Backward { prestar, target, later: None })),
                    Phase::Backward,
                )
            }
        };
        let (in_projection, passed) = (vec![false; count], vec![false; count]);
        Ok(Chop {
            method,
            phase,
            basis,
            edges,
            next: (0, Part::Passing),
            query: None,
            in_projection,
            passed,
        })
    }

    /// The method that was chosen.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The phase under way.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Statements decided so far.
    pub fn decided(&self) -> usize {
        self.next.0
    }

    /// By edge: is it in the projection? False for an edge that was not asked for. Complete once
    /// [`Phase::Done`].
    pub fn in_projection(&self) -> &[bool] {
        &self.in_projection
    }

    /// By edge: does some failing run execute it and go on after it? Complete once
    /// [`Phase::Done`].
    pub fn passed(&self) -> &[bool] {
        &self.passed
    }

    /// One bounded piece of work.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<()> {
        match self.phase {
            Phase::Backward => self.step_backward(reach),
            Phase::Contexts | Phase::Statements => self.step_statement(reach),
            Phase::Done => Ok(()),
        }
    }

    fn step_backward(&mut self, reach: &mut Reach) -> Bounded<()> {
        let Basis::Backward(backward) = &mut self.basis else {
            unreachable!("the phase is that of methods with pre*")
        };
        backward.prestar.step(&reach.system.pds, &mut reach.domain)?;
        if backward.prestar.is_done() {
            if self.method == Method::DoublePrestar {
                backward.later =
                    Some(Later::new(reach, backward.prestar.automaton(), backward.target)?);
            }
            self.phase = Phase::Statements;
        }
        Ok(())
    }

    fn step_statement(&mut self, reach: &mut Reach) -> Bounded<()> {
        let (index, part) = self.next;
        let Some(edge) = self.edges.get(index).copied() else {
            self.phase = Phase::Done;
            return Ok(());
        };
        let answer = match &mut self.query {
            Some(query) => match (&mut **query, &self.basis) {
                (Query::Intersection(query), Basis::Backward(backward)) => {
                    query.step(reach, &backward.prestar)?
                }
                (Query::DoublePreStar(query), Basis::Backward(backward)) => query.step(
                    reach,
                    backward.later.as_ref().expect("it is set up before the first query"),
                )?,
                (Query::DoublePostStar(query), _) => query.step(reach)?,
                (_, Basis::Forward) => unreachable!("these queries need pre*"),
            },
            None => match self.begin(reach, edge, part)? {
                Begun::Answer(answer) => Some(answer),
                Begun::Query(query) => {
                    self.query = Some(query);
                    None
                }
            },
        };
        if let Some(answer) = answer {
            self.query = None;
            self.in_projection[edge] |= answer;
            self.passed[edge] |= answer && part == Part::Passing;
            // A statement that some failing run passes is in the projection already.
            self.next = if part == Part::Passing && !answer {
                (index, Part::Ending)
            } else {
                (index + 1, Part::Passing)
            };
        }
        Ok(())
    }

    fn begin(&self, reach: &mut Reach, edge: EdgeId, part: Part) -> Bounded<Begun> {
        if part == Part::Ending && fails_here(reach, edge)? {
            return Ok(Begun::Answer(true));
        }
        match &self.basis {
            Basis::Forward => double_poststar::begin(reach, edge, part),
            Basis::Backward(backward) => match &backward.later {
                None => intersection::begin(reach, edge, part, &backward.prestar, backward.target),
                Some(later) => double_prestar::begin(reach, edge, part, backward, later),
            },
        }
    }
}

impl_roots!(Chop { basis, query });
impl_roots!(Backward { prestar, later });

impl Roots for Basis {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Basis::Forward => {}
            Basis::Backward(backward) => backward.roots(roots),
        }
    }
}

impl Roots for Query {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Query::Intersection(query) => query.roots(roots),
            Query::DoublePreStar(query) => query.roots(roots),
            Query::DoublePostStar(query) => query.roots(roots),
        }
    }
}

/// Does a check of the edge that counts fail in some run?
fn fails_here(reach: &mut Reach, edge: EdgeId) -> Bounded<bool> {
    let from = symbol(reach.program.edge(edge).from);
    for (_, id) in reach.at(from) {
        let arriving = *reach.poststar.automaton().weight(id);
        for k in 0..reach.system.fails[edge].len() {
            let rule = reach.system.fails[edge][k];
            if !reach.domain.after(&arriving, rule)?.is_false() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The callee's entry, if the edge is a call.
fn callee_entry(reach: &Reach, edge: EdgeId) -> Option<StackSymbol> {
    match reach.system.pds.rule(reach.system.executes[edge]).right {
        Right::Push(entry, _) => Some(entry),
        _ => None,
    }
}

/// By frame state: the post\* weights directly behind an edge, of the runs that execute it.
fn behind(reach: &mut Reach, edge: EdgeId) -> Bounded<Vec<(State, Bdd)>> {
    let rule = reach.system.executes[edge];
    let from = symbol(reach.program.edge(edge).from);
    let returned = callee_entry(reach, edge)
        .map(|entry| reach.summary(reach.program.location(LocationId(entry.0)).procedure));
    let mut found = Vec::new();
    for (state, id) in reach.at(from) {
        let arriving = *reach.poststar.automaton().weight(id);
        let weight = match returned {
            None => reach.domain.after(&arriving, rule)?,
            Some(Some(summary)) => reach.domain.return_after(&arriving, rule, &summary)?,
            Some(None) => Bdd::FALSE,
        };
        if !weight.is_false() {
            found.push((state, weight));
        }
    }
    Ok(found)
}

/// The weight with which the callee of a call starts, from all frames of its callers.
fn entered(reach: &mut Reach, edge: EdgeId) -> Bounded<Bdd> {
    let rule = reach.system.executes[edge];
    let from = symbol(reach.program.edge(edge).from);
    let mut entered = Bdd::FALSE;
    for (_, id) in reach.at(from) {
        let arriving = *reach.poststar.automaton().weight(id);
        let weight = reach.domain.enter(&arriving, rule)?;
        entered = reach.domain.kernel.or(entered, weight)?;
    }
    Ok(entered)
}

/// A transition from the control location.
fn top(symbol: StackSymbol, to: State) -> Transition {
    Transition { from: CONTROL.into(), symbol: Some(symbol), to, via: None }
}
