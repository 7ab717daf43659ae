//! The material of mutants: numbers, variables in scope, and comparisons that a condition may lack.

use super::known::{Known, KnownRun};
use super::spread;
use crate::lang::model::BinaryOperator::{Equal, Less, LessEqual, NotEqual};
use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, Operation, ProcedureId, Program, VariableId,
};
use crate::util::order::{inserted, sort_by_key};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most numbers; variables of a statement; comparisons of the program; and comparisons that
/// distinguish failing from passing runs.
const NUMBERS: usize = 60;
const VARIABLES: usize = 60;
const COMPARISONS: usize = 10;
const SEPARATED: usize = 60;
/// The most truth values in scope that are added to conditions.
const TRUTHS: usize = 10;

/// The material for all statements of a program.
pub(super) struct Pool {
    numbers: Vec<i128>,
    comparisons: Vec<Expression>,
}

/// The material for one statement.
pub(super) struct Offer {
    /// Numbers.
    pub(super) numbers: Vec<i128>,
    /// Scalars in scope.
    pub(super) variables: Vec<VariableId>,
    /// Conditions to add to a condition.
    pub(super) parts: Vec<Expression>,
}

/// Is the operator `=`, `≠`, `<` or `≤`?
pub(super) fn is_comparison(operator: BinaryOperator) -> bool {
    matches!(operator, Equal | NotEqual | Less | LessEqual)
}

/// An expression of two operands.
pub(super) fn binary(operator: BinaryOperator, a: &Expression, b: &Expression) -> Expression {
    Expression::binary(operator, a.clone(), b.clone())
}

/// Comparisons of globals and numbers in an expression, and its numbers.
fn collect(
    program: &Program,
    e: &Expression,
    comparisons: &mut Vec<Expression>,
    numbers: &mut BTreeSet<i128>,
) {
    let is_global = |e: &Expression| match e {
        Expression::Constant(..) => true,
        Expression::Variable(id, _) => program.variable(*id).owner.is_none(),
        _ => false,
    };
    let mut rest = if e.has_pattern() { Vec::new() } else { vec![e] };
    while let Some(e) = rest.pop() {
        match e {
            Expression::Constant(bits, scalar) if scalar.is_integer() => {
                numbers.insert(scalar.number(*bits));
            }
            Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {}
            Expression::Binary(operator, a, b) => {
                if is_comparison(*operator)
                    && is_global(a)
                    && is_global(b)
                    && !comparisons.contains(e)
                {
                    comparisons.push(e.clone());
                }
                rest.extend([&**b, &**a]);
            }
            Expression::Element(_, a, _) | Expression::Unary(_, a) | Expression::Cast(_, a) => {
                rest.push(a)
            }
            Expression::Conditional(a, b, c) => rest.extend([&**c, &**b, &**a]),
        }
    }
}

/// The comparisons of globals in the program, and its numbers, without those of trusted procedures.
fn of_program(program: &Program, trusted: &[ProcedureId]) -> (Vec<Expression>, BTreeSet<i128>) {
    let (mut comparisons, mut numbers) = (Vec::new(), BTreeSet::new());
    for edge in program.edge_ids().filter(|id| !trusted.contains(&program.owner(*id))) {
        match &program.edge(edge).operation {
            Operation::Assume(condition) => {
                collect(program, condition, &mut comparisons, &mut numbers)
            }
            Operation::Assign(pairs) => {
                pairs.iter().for_each(|(_, e)| collect(program, e, &mut comparisons, &mut numbers))
            }
            Operation::Call { arguments, .. } => {
                arguments.iter().for_each(|e| collect(program, e, &mut Vec::new(), &mut numbers));
            }
            Operation::Skip | Operation::Havoc(_) => {}
        }
    }
    (comparisons, numbers)
}

/// Numbers of the program outside of trusted procedures.
pub fn numbers(program: &Program, trusted: &[ProcedureId]) -> Vec<i128> {
    of_program(program, trusted).1.into_iter().collect()
}

/// For each global, the comparison with a number that best distinguishes failing from passing runs,
/// and its negation.
fn separating(program: &Program, known: &Known, numbers: &BTreeSet<i128>) -> Vec<Expression> {
    let mut found: Vec<(i64, [Expression; 2])> = Vec::new();
    for (k, id) in program.globals().enumerate() {
        let variable = program.variable(id);
        if variable.is_array() || variable.scalar.boolean {
            continue;
        }
        let values = |runs: &[KnownRun]| -> Vec<i128> {
            let value = |run: &KnownRun| {
                run.globals.get(k)?.first().map(|bits| variable.scalar.number(*bits))
            };
            let mut values: Vec<i128> = runs.iter().filter_map(value).collect();
            values.sort_unstable();
            values
        };
        let (failing, passing) = (values(&known.failing), values(&known.passing));
        let share = |values: &[i128], number: i128| {
            1_000 * values.partition_point(|v| *v < number) as i64 / values.len().max(1) as i64
        };
        let apart = |number: &i128| (share(&failing, *number) - share(&passing, *number)).abs();
        let thresholds = numbers.iter().flat_map(|number| [*number, number + 1]);
        let best = thresholds.filter(|number| variable.scalar.holds(*number)).max_by_key(apart);
        let Some(best) = best else { continue };
        let number = Expression::Constant(variable.scalar.wrap(best), variable.scalar);
        let own = Expression::Variable(id, variable.scalar);
        found.push((apart(&best), [binary(Less, &own, &number), binary(LessEqual, &number, &own)]));
    }
    if found.len() > SEPARATED {
        sort_by_key(&mut found, |(apart, _)| Reverse(*apart));
        found.truncate(SEPARATED);
    }
    found.into_iter().flat_map(|(_, pair)| pair).collect()
}

impl Pool {
    /// Collects the material. `numbers`: the numbers of the source. Those of the known runs are
    /// added.
    pub(super) fn of(
        program: &Program,
        known: &Known,
        trusted: &[ProcedureId],
        numbers: &[i128],
    ) -> Pool {
        let numbers: BTreeSet<i128> = inserted(numbers.iter().chain(&known.values).copied());
        let (comparisons, _) = of_program(program, trusted);
        let comparisons =
            [spread(&comparisons, COMPARISONS), separating(program, known, &numbers)].concat();
        Pool { numbers: spread(&numbers.into_iter().collect::<Vec<_>>(), NUMBERS), comparisons }
    }

    /// The material for a statement. It contains only variables that are visible in its scope.
    pub(super) fn offer(&self, program: &Program, edge: EdgeId) -> Offer {
        let scope = &program.scope(program.edge(edge).scope).variables;
        let name = |id: &VariableId| program.variable(*id).name.as_str();
        let is_usable = |(k, id): &(usize, &VariableId)| {
            let variable = program.variable(**id);
            // A global that is declared further down means nothing here.
            let is_known =
                variable.owner.is_some() || variable.span.start <= program.edge(edge).span.start;
            variable.has_name()
                && is_known
                && !variable.is_array()
                && scope[k + 1..].iter().all(|other| name(other) != name(id))
        };
        let variables: Vec<VariableId> =
            scope.iter().enumerate().filter(is_usable).map(|(_, id)| *id).collect();
        let truth = |id: &VariableId| program.variable(*id).scalar.boolean;
        let truths: Vec<VariableId> = variables.iter().copied().filter(truth).collect();
        let own = spread(&truths, TRUTHS)
            .into_iter()
            .map(|id| Expression::Variable(id, program.variable(id).scalar));
        let parts = self.comparisons.iter().cloned().chain(own).collect();
        Offer { numbers: self.numbers.clone(), variables: spread(&variables, VARIABLES), parts }
    }
}
