//! One thread of an interleaved run as a sequential program.
//!
//! The globals at all switches of the run are given, so threads do not depend on each other. The
//! contexts in which the thread runs are its *visits*. The sequential program counts them in a
//! hidden variable. At a location where a switch can happen, the program compares the globals with
//! those that end the visit. If they are equal, it assigns the globals with which the next visit
//! begins. Statements keep their numbers; added edges are hidden and are no entries of a trace.
//!
//! Lal and Reps (CAV 2008) guess the globals at switches and check them. Here Qadeer and Rehof's
//! tree has found them.

use super::system::ThreadSystem;
use crate::encode::{Cell, Valuation};
use crate::lang::concurrency::Concurrency;
use crate::lang::model::{
    BinaryOperator, Check, Edge, EdgeId, ErrorKind, Expression, Initial, LocationId, Operation,
    Place, ProcedureId, Program, Scalar, ScopeId, Span, Subject, VariableId,
};
use std::rc::Rc;

/// The line of the added error, which a run reaches when its visits are over. No program has this
/// line.
pub const GOAL_LINE: u32 = u32::MAX;

/// A context of the thread.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The globals with which it begins; `None`: those with which the program starts.
    pub enter: Option<Valuation>,
    /// The globals with which the context ends in a switch; `None` for the last context of the run.
    pub leave: Option<Valuation>,
}

/// The end that the thread's run must reach.
#[derive(Clone, Debug)]
pub enum VisitGoal {
    /// The end of its last visit.
    Leave,
    /// An error of the program, in the last visit, which ends in no switch.
    Error,
    /// The thread waits with these globals or, if `may_end`, has ended. If the last visit ends in a
    /// switch, these are the globals of the later deadlock.
    Stuck {
        /// The globals at the deadlock.
        globals: Valuation,
        /// May it have ended?
        may_end: bool,
    },
}

/// A sequential program, one of whose failing runs is the thread's part.
#[derive(Clone, Debug)]
pub struct SequentialThread {
    /// The program. It fails on [`GOAL_LINE`], unless the goal is an error of its own.
    pub program: Rc<Program>,
    /// Edges at which a visit ends and the next one begins.
    switches: Vec<EdgeId>,
    /// Edges from this one on are not the program's own.
    first_added: u32,
}

impl SequentialThread {
    /// Is this edge one of the program's own?
    pub fn is_own(&self, edge: EdgeId) -> bool {
        edge.0 < self.first_added
    }

    /// Does the next visit begin behind this edge?
    pub fn switches(&self, edge: EdgeId) -> bool {
        self.switches.contains(&edge)
    }

    /// Builds the program of a thread with at least one visit. An error of the program before the
    /// goal ends its run, as in every program.
    pub fn new(
        system: &ThreadSystem,
        thread: usize,
        visits: &[Visit],
        goal: &VisitGoal,
    ) -> SequentialThread {
        let mut program = (*system.program).clone();
        program.concurrency = Concurrency::default();
        let root = system.threads[thread].procedure;
        program.main = root.0 as usize;
        let globals: Vec<VariableId> = program.globals().collect();
        if let Some(enter) = visits.first().and_then(|visit| visit.enter.as_ref()) {
            for id in &globals {
                let variable = &mut program.variables[*id];
                let values = (0..variable.elements())
                    .map(|element| enter.get(Cell { variable: *id, element }))
                    .collect();
                variable.initial = Initial::Exactly(values);
            }
        }
        let first_added = program.edges.len() as u32;
        let scalar = Scalar::int(8, false);
        let visit = program.add_global("visit".to_string(), scalar);
        let mut building = Building { program, globals, visit, scalar, switches: Vec::new() };
        for (k, out) in system.outgoing().iter().enumerate() {
            let location = LocationId(k as u32);
            if system.switchable[k] {
                building.guard(system, root, location, out, visits, goal);
            }
        }
        SequentialThread {
            program: Rc::new(building.program),
            switches: building.switches,
            first_added,
        }
    }
}

struct Building {
    program: Program,
    globals: Vec<VariableId>,
    visit: VariableId,
    scalar: Scalar,
    switches: Vec<EdgeId>,
}

impl Building {
    /// Adds a location before this one, at which visits end.
    fn guard(
        &mut self,
        system: &ThreadSystem,
        root: ProcedureId,
        location: LocationId,
        out: &[EdgeId],
        visits: &[Visit],
        goal: &VisitGoal,
    ) {
        let before = self.add_location(location);
        for edge in &mut self.program.edges {
            if edge.to == location {
                edge.to = before;
            }
        }
        let procedure = self.program.location(location).procedure;
        let whole = &mut self.program.procedures[procedure];
        if whole.entry == location {
            whole.entry = before;
        }
        let last = visits.len().saturating_sub(1);
        for (k, pair) in visits.windows(2).enumerate() {
            if let (Some(leave), Some(enter)) = (&pair[0].leave, &pair[1].enter) {
                self.switch(before, location, (k, leave), enter);
            }
        }
        let leaves = visits.last().and_then(|visit| visit.leave.clone());
        let goal_check = match (goal, leaves) {
            (VisitGoal::Leave, Some(leave)) => Some(self.visit_is(last, &leave)),
            (VisitGoal::Stuck { globals, may_end }, leaves) => {
                let stands = self.stuck(system, root, location, out, *may_end);
                match (stands, leaves) {
                    (None, _) => None,
                    (Some(stands), None) => Some(and(self.visit_is(last, globals), stands)),
                    (Some(stands), Some(leave)) => {
                        // The thread waits with the globals of the deadlock, so they are assigned
                        // first.
                        let between = self.add_location(location);
                        self.switch(before, between, (last, &leave), globals);
                        let check = self.check(stands.negated());
                        self.add(
                            between,
                            location,
                            Operation::Assume(Expression::falsity()),
                            vec![check],
                        );
                        None
                    }
                }
            }
            _ => None,
        };
        let checks = goal_check.map(|reached| self.check(reached.negated()));
        self.add(before, location, Operation::Skip, checks.into_iter().collect());
    }

    /// The condition under which a thread at this location cannot go on; `None` if it always can.
    fn stuck(
        &self,
        system: &ThreadSystem,
        root: ProcedureId,
        location: LocationId,
        out: &[EdgeId],
        may_end: bool,
    ) -> Option<Expression> {
        let open = |conditions: Vec<Expression>| {
            conditions.into_iter().reduce(or).map(Expression::negated)
        };
        let ends = system.program.procedure(root).exit == location || system.ends_at(location, out);
        match system.waits_at(location, out) {
            Some(conditions) => open(conditions),
            None => (ends && may_end).then(Expression::truth),
        }
    }

    fn check(&self, condition: Expression) -> Check {
        Check {
            kind: ErrorKind::Assertion,
            condition,
            message: "the visits are over".to_string(),
            subject: Subject::Condition,
            line: GOAL_LINE,
        }
    }

    fn add_location(&mut self, like: LocationId) -> LocationId {
        self.program.add_location(like)
    }

    fn add(
        &mut self,
        from: LocationId,
        to: LocationId,
        operation: Operation,
        checks: Vec<Check>,
    ) -> EdgeId {
        let line = self.program.location(from).line;
        let scope = self
            .program
            .edges
            .iter()
            .find(|edge| edge.from == to || edge.to == to)
            .map_or(ScopeId(0), |e| e.scope);
        self.program.add_edge(Edge {
            checks,
            span: Span { start: 0, end: 0, line },
            scope,
            ..Edge::added(from, to, operation)
        })
    }

    /// The k-th visit ends with these globals, and the next one begins with those.
    fn switch(
        &mut self,
        from: LocationId,
        to: LocationId,
        (k, leave): (usize, &Valuation),
        enter: &Valuation,
    ) {
        let between = self.add_location(from);
        let ends = self.visit_is(k, leave);
        self.add(from, between, Operation::Assume(ends), Vec::new());
        let mut writes =
            vec![(Place::Variable(self.visit), Expression::Constant(k as u64 + 1, self.scalar))];
        for id in &self.globals {
            let variable = self.program.variable(*id);
            for element in 0..variable.elements() {
                let cell = Cell { variable: *id, element };
                if leave.get(cell) == enter.get(cell) {
                    continue;
                }
                let place = match variable.is_array() {
                    true => Place::Element(*id, index(element)),
                    false => Place::Variable(*id),
                };
                writes.push((place, Expression::Constant(enter.get(cell), variable.scalar)));
            }
        }
        let edge = self.add(between, to, Operation::Assign(writes), Vec::new());
        self.switches.push(edge);
    }

    /// Is it the k-th visit, and do the globals have these values?
    fn visit_is(&self, k: usize, values: &Valuation) -> Expression {
        let mut all = equal(Expression::Variable(self.visit, self.scalar), k as u64);
        for id in &self.globals {
            let variable = self.program.variable(*id);
            for element in 0..variable.elements() {
                let now = match variable.is_array() {
                    true => Expression::Element(*id, Box::new(index(element)), variable.scalar),
                    false => Expression::Variable(*id, variable.scalar),
                };
                all = and(all, equal(now, values.get(Cell { variable: *id, element })));
            }
        }
        all
    }
}

fn index(element: u32) -> Expression {
    Expression::Constant(u64::from(element), Scalar::int(32, false))
}

fn equal(left: Expression, bits: u64) -> Expression {
    let scalar = left.scalar();
    Expression::binary(BinaryOperator::Equal, left, Expression::Constant(bits, scalar))
}

fn and(left: Expression, right: Expression) -> Expression {
    Expression::binary(BinaryOperator::And, left, right)
}

fn or(left: Expression, right: Expression) -> Expression {
    Expression::binary(BinaryOperator::Or, left, right)
}
