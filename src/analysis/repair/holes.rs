//! A hole is a value that is left open: a number in a statement, or the whole value that the
//! statement assigns or decides. Which values let the known failing runs pass?
//!
//! For a number, the values that pass are candidates for an edit: counterexamples reduce their
//! number, and the check of the program decides (Solar-Lezama et al. 2006). For a whole statement
//! they say whether it alone could be to blame: a component is a diagnosis if other values of it
//! would have avoided every known failure (Griesmayer, Staber, Bloem 2007).

use super::trials::{Bench, Trial};
use crate::lang::model::{
    EdgeId, Expression, Initial, Operation, Program, Scalar, Span, VariableId,
};

/// The name of the open value. No program can use this name.
const NAME: &str = "?";

/// A program with an open value.
pub struct Hole {
    program: Program,
    scalar: Scalar,
}

fn with_variable(program: &Program, scalar: Scalar) -> (Program, VariableId) {
    let mut program = program.clone();
    let id = program.add_global(NAME.to_string(), scalar);
    program.variables[id].initial = Initial::Any;
    (program, id)
}

/// Replaces every constant of this value, and returns how many there were. Recursion is bounded by
/// the expression's depth, which loading limits.
fn open_constants(
    e: &mut Expression,
    value: i128,
    hole: VariableId,
    scalar: &mut Option<Scalar>,
) -> u32 {
    match e {
        Expression::Constant(bits, own)
            if !own.boolean
                && own.number(*bits) == value
                && scalar.is_none_or(|known| known == *own) =>
        {
            let own = *own;
            *scalar = Some(own);
            *e = Expression::Variable(hole, own);
            1
        }
        Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => 0,
        Expression::Element(_, a, _) | Expression::Unary(_, a) | Expression::Cast(_, a) => {
            open_constants(a, value, hole, scalar)
        }
        Expression::Binary(_, a, b) => {
            open_constants(a, value, hole, scalar) + open_constants(b, value, hole, scalar)
        }
        Expression::Conditional(a, b, c) => {
            [a, b, c].into_iter().map(|e| open_constants(e, value, hole, scalar)).sum()
        }
    }
}

impl Hole {
    /// Opens the number of this value in the statements at a span. Returns `None` unless there is
    /// exactly one such number.
    pub fn of_number(program: &Program, span: Span, value: i128) -> Option<Hole> {
        let (mut open, hole) = with_variable(program, Scalar::int(1, false));
        let mut scalar = None;
        let mut some = false;
        for edge in open.edges.iter_mut().filter(|edge| edge.span == span) {
            let found = match &mut edge.operation {
                Operation::Assume(condition) => open_constants(condition, value, hole, &mut scalar),
                Operation::Assign(pairs) => pairs
                    .iter_mut()
                    .map(|(_, right)| open_constants(right, value, hole, &mut scalar))
                    .sum(),
                Operation::Call { arguments, .. } => {
                    arguments.iter_mut().map(|e| open_constants(e, value, hole, &mut scalar)).sum()
                }
                Operation::Skip | Operation::Havoc(_) => 0,
            };
            if found > 1 {
                return None;
            }
            some |= found == 1;
        }
        let scalar = scalar.filter(|_| some)?;
        open.variables[hole].scalar = scalar;
        Some(Hole { program: open, scalar })
    }

    /// Opens the value that the statement at an edge's span assigns or decides. Returns `None` if
    /// it does neither, or assigns several things.
    pub fn of_statement(program: &Program, edge: EdgeId) -> Option<Hole> {
        let Span { start, end, .. } = program.edge(edge).span;
        let kind = program.edge(edge).kind;
        let alike = |e: &&crate::lang::model::Edge| {
            e.span.start == start && e.span.end == end && e.kind == kind
        };
        let mut scalar = None;
        for edge in program.edges.iter().filter(alike) {
            let own = match &edge.operation {
                Operation::Assign(pairs) if pairs.len() == 1 => {
                    program.variable(pairs[0].0.variable()).scalar
                }
                Operation::Assume(_) if matches!(edge.outcome.as_str(), "true" | "false") => {
                    Scalar::BOOL
                }
                _ => return None,
            };
            if scalar.is_some_and(|known| known != own) {
                return None;
            }
            scalar = Some(own);
        }
        let scalar = scalar?;
        let (mut open, hole) = with_variable(program, scalar);
        for edge in open
            .edges
            .iter_mut()
            .filter(|e| e.span.start == start && e.span.end == end && e.kind == kind)
        {
            match &mut edge.operation {
                Operation::Assign(pairs) => pairs[0].1 = Expression::Variable(hole, scalar),
                Operation::Assume(condition) => {
                    let taken = Expression::Variable(hole, scalar);
                    *condition = if edge.outcome == "true" { taken } else { taken.negated() };
                }
                _ => {}
            }
        }
        Some(Hole { program: open, scalar })
    }

    /// The type of the open value.
    pub fn scalar(&self) -> Scalar {
        self.scalar
    }

    /// Does some of the values (as numbers) avoid the failure of this run? `ends`: known runs of
    /// the program come to an end, so this one must end, too.
    pub fn can_pass(&self, trial: &Trial, values: &[i128], ends: bool) -> bool {
        let bench = Bench::new(&self.program);
        values.iter().any(|value| {
            bench.run(&trial.with(NAME, self.scalar.wrap(*value))).speaks_for_an_edit(ends)
        })
    }

    /// Those of the values (as numbers) with which this run meets no failure. `ends` as above.
    pub fn passing(&self, trial: &Trial, values: &[i128], ends: bool) -> Vec<i128> {
        let bench = Bench::new(&self.program);
        let passes = |value: &&i128| {
            bench.run(&trial.with(NAME, self.scalar.wrap(**value))).speaks_for_an_edit(ends)
        };
        values.iter().filter(passes).copied().collect()
    }
}
