//! A thread by itself: what the others do at its switches is given, so that its part of an
//! interleaved run is a run of a sequential program.
//!
//! With the globals at every switch fixed, threads do not depend on each other. The program of one
//! thread has a hidden variable that counts its *visits*, the contexts in which it runs. At each
//! location where a switch can happen it may, if the globals are those with which the visit ends,
//! go on with those with which the next one begins. Statements keep their numbers; what is added is
//! hidden, and is no entry of a trace. (Lal and Reps, CAV 2008, guess these globals and check them;
//! here Qadeer and Rehof's tree has found them.)

use super::system::ThreadSystem;
use crate::encode::{Cell, Valuation};
use crate::lang::concurrency::Concurrency;
use crate::lang::model::{
    BinaryOperator, Check, Edge, EdgeId, ErrorKind, Expression, Initial, LocationId, Operation,
    Place, ProcedureId, Program, Scalar, ScopeId, Span, VariableId,
};

/// The line of the error that stands for "the visits are over": no line of a program.
pub const GOAL_LINE: u32 = u32::MAX;

/// A context of the thread.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The globals with which it begins; `None`: those with which the program starts.
    pub enter: Option<Valuation>,
    /// Those with which it ends in a switch; `None` for the last context of the run.
    pub leave: Option<Valuation>,
}

/// What the thread's run is to come to.
#[derive(Clone, Debug)]
pub enum VisitGoal {
    /// The end of its last visit.
    Leave,
    /// An error of the program, in the last visit, which ends in no switch.
    Error,
    /// ThreadState still with these globals: it waits, or has ended (if `may_end`). If the last visit
    /// ends in a switch, they are those of later.
    Stuck {
        /// The globals at the deadlock.
        globals: Valuation,
        /// Is its end as good?
        may_end: bool,
    },
}

/// A sequential program, one of whose failing runs is the thread's part.
#[derive(Clone, Debug)]
pub struct SequentialThread {
    /// The program. It fails on [`GOAL_LINE`], unless the goal is an error of its own.
    pub program: Program,
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

    /// The program of a thread with at least one visit. Errors of the program before the goal end
    /// its run, as they do any run.
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
        SequentialThread { program: building.program, switches: building.switches, first_added }
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
    /// Puts a location before this one, at which visits end.
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
                        // The globals of the deadlock come first: what is waited for is asked of
                        // them.
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

    /// When a thread that stands here cannot go on; `None`: never.
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

    /// It is the k-th visit, and the globals have these values.
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
    Expression::Binary(
        BinaryOperator::Equal,
        Box::new(left),
        Box::new(Expression::Constant(bits, scalar)),
    )
}

fn and(left: Expression, right: Expression) -> Expression {
    Expression::Binary(BinaryOperator::And, Box::new(left), Box::new(right))
}

fn or(left: Expression, right: Expression) -> Expression {
    Expression::Binary(BinaryOperator::Or, Box::new(left), Box::new(right))
}
