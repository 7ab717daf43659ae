//! A program that fails exactly where another program reaches a correct end. So a search for a
//! failing run of the first finds a correct run of the second.
//!
//! All ids of the program stay; added parts have larger ids. Only checks of [`END_LINE`] count.

use super::correct::none_passes;
use crate::encode::{Cell, Valuation};
use crate::lang::interpreter::Assignment;
use crate::lang::model::{
    BinaryOperator, Check, ChoiceId, Edge, EdgeId, ErrorKind, Expression, Location, LocationId,
    Operation, Procedure, ProcedureId, Program, Scalar, Span, Subject, VariableId,
};

/// The line of the only check that counts.
pub const END_LINE: u32 = u32::MAX;

/// The program under construction.
pub(super) struct CorrectEndProgram<'a> {
    /// The program that it is made from.
    pub(super) source: &'a Program,
    pub(super) program: Program,
    /// By edge: the cost of executing it; 1 for traced edges of the program, 0 for others.
    pub(super) costs: Vec<u64>,
    /// By edge: the statement of the original program that it executes.
    pub(super) origins: Vec<Option<EdgeId>>,
}

impl<'a> CorrectEndProgram<'a> {
    pub(super) fn new(source: &'a Program) -> CorrectEndProgram<'a> {
        CorrectEndProgram {
            source,
            program: source.clone(),
            costs: source.edges.iter().map(|edge| u64::from(edge.is_traced())).collect(),
            origins: source.edge_ids().map(Some).collect(),
        }
    }

    /// A new location in the procedure of this one.
    pub(super) fn place(&mut self, like: LocationId) -> LocationId {
        self.program.add_location(like)
    }

    /// A new edge that executes no statement of the original program.
    pub(super) fn add(
        &mut self,
        from: LocationId,
        to: LocationId,
        operation: Operation,
        cost: u64,
    ) -> EdgeId {
        self.push(Edge::added(from, to, operation), None, cost)
    }

    pub(super) fn push(&mut self, edge: Edge, origin: Option<EdgeId>, cost: u64) -> EdgeId {
        self.origins.push(origin);
        self.costs.push(cost);
        self.program.add_edge(edge)
    }

    /// Do all elements of the variable have these values?
    pub(super) fn has(&self, id: VariableId, values: &[u64]) -> Expression {
        values
            .iter()
            .enumerate()
            .map(|(element, bits)| self.element_is(id, element as u32, *bits))
            .reduce(and)
            .unwrap_or_else(Expression::truth)
    }

    /// Does an element of the variable (the variable itself, of a scalar) have this value?
    pub(super) fn element_is(&self, id: VariableId, element: u32, bits: u64) -> Expression {
        let variable = self.source.variable(id);
        let value = match variable.is_array() {
            true => {
                let index = Expression::Constant(element.into(), Scalar::int(32, false));
                Expression::Element(id, Box::new(index), variable.scalar)
            }
            false => Expression::Variable(id, variable.scalar),
        };
        equals(value, Expression::Constant(bits, variable.scalar))
    }

    /// Makes the correct end fail. A run ends correctly if it passes this check and those before
    /// it, at one of these locations; or if it ends the program, where no run passes the check.
    pub(super) fn correct_end(&mut self, id: EdgeId, check: usize, from: &[LocationId]) {
        match none_passes(self.source, id, check) {
            true => self.end_of_main(),
            false => self.passed_check(id, check, from),
        }
    }

    fn passed_check(&mut self, id: EdgeId, check: usize, from: &[LocationId]) {
        let edge = self.source.edge(id);
        let holds = edge.checks[..=check]
            .iter()
            .map(|check| check.condition.clone())
            .reduce(and)
            .unwrap_or_else(Expression::truth);
        let end = self.place(edge.from);
        let stop = self.place(edge.from);
        for from in from {
            // A call is the only edge of its location.
            let is_call = |edge: &&mut Edge| {
                edge.from == *from && matches!(edge.operation, Operation::Call { .. })
            };
            if let Some(call) = self.program.edges.iter_mut().find(is_call) {
                let moved = LocationId(self.program.locations.len() as u32);
                call.from = moved;
                self.place(*from);
                self.add(*from, moved, Operation::Skip, 0);
            }
            let passes = Edge {
                from: *from,
                to: end,
                checks: Vec::new(),
                operation: Operation::Assume(holds.clone()),
                ..edge.clone()
            };
            self.push(passes, Some(id), 0);
        }
        self.ends_at(end, stop);
    }

    /// Adds a procedure that calls main and fails once main has returned.
    fn end_of_main(&mut self) {
        let main = self.source.main_id();
        let id = ProcedureId(self.program.procedures.len() as u32);
        let first = self.program.locations.len() as u32;
        let [entry, end, exit] = [first, first + 1, first + 2].map(LocationId);
        for _ in 0..3 {
            self.program.locations.push(Location { procedure: id, line: 0 });
        }
        self.program.procedures.push(Procedure {
            name: String::new(),
            parameters: Vec::new(),
            locals: Vec::new(),
            result: None,
            entry,
            exit,
            span: Span::default(),
        });
        self.program.main = id.0 as usize;
        let choices: Vec<Scalar> = self
            .source
            .procedure(main)
            .parameters
            .iter()
            .map(|id| self.source.variable(*id).scalar)
            .collect();
        let arguments = (0u32..)
            .zip(&choices)
            .map(|(k, scalar)| Expression::Choice(ChoiceId(k), *scalar))
            .collect();
        let call =
            self.add(entry, end, Operation::Call { callee: main, arguments, result: None }, 0);
        self.program.edges[call].choices = choices;
        self.ends_at(end, exit);
    }

    /// Makes this location the correct end.
    fn ends_at(&mut self, end: LocationId, stop: LocationId) {
        let edge = self.add(end, stop, Operation::Skip, 0);
        let condition = Expression::falsity();
        let check = Check {
            kind: ErrorKind::Assertion,
            condition,
            message: String::new(),
            subject: Subject::Condition,
            line: END_LINE,
        };
        self.program.edges[edge].checks.push(check);
    }
}

/// The values of these variables.
pub(super) fn assignment(
    program: &Program,
    variables: &[VariableId],
    valuation: &Valuation,
) -> Assignment {
    let bits = |variable: VariableId| {
        (0..program.variable(variable).elements())
            .map(|element| valuation.get(Cell { variable, element }))
            .collect()
    };
    variables.iter().map(|variable| (*variable, bits(*variable))).collect()
}

pub(super) fn equals(left: Expression, right: Expression) -> Expression {
    Expression::binary(BinaryOperator::Equal, left, right)
}

pub(super) fn and(left: Expression, right: Expression) -> Expression {
    Expression::binary(BinaryOperator::And, left, right)
}
