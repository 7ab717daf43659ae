//! The weights of a program's rules as spaces of matrices.
//!
//! The weight of a callee's frame leads from its entry, where its parameters are bound, to now.

use super::Arithmetic;
use super::columns::Columns;
use crate::encode::{ProgramSystem, RuleRole};
use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, Initial, Operation, Place, ProcedureId, Program,
    UnaryOperator, VariableId, VariableKind,
};
use crate::pds::{ForwardWeights, RuleId, Weights};
use crate::semiring::Semiring;
use crate::semiring::affine::{Affine, AffineExpression, Coefficients, MatrixSpace, Span};
use crate::util::Bounded;
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// What a rule does.
enum RuleWeight<W> {
    /// A statement, a check's failure, or a return.
    Step(W),
    /// A call.
    Call {
        /// The stores at the callee's entry, from the caller's store at the call.
        enter: W,
        /// The caller's column for the result, and the callee's column that it comes from.
        result: Option<(usize, usize)>,
    },
}

/// The weights of a program.
pub struct AffineDomain<C: Coefficients> {
    /// The semiring.
    pub semiring: Affine<C>,
    /// The columns.
    pub columns: Columns,
    rules: Vec<RuleWeight<MatrixSpace<C>>>,
    /// By edge: is its weight less precise than the statement, because of a condition or an
    /// expression that is not affine?
    approximated: Vec<bool>,
}

impl<C: Coefficients> AffineDomain<C> {
    /// Weights for every rule of `system`.
    pub fn new(
        program: &Program,
        system: &ProgramSystem,
        arithmetic: Arithmetic,
        ring: C,
        most_operations: u64,
    ) -> Bounded<Self> {
        AffineDomain::over(
            Columns::new(program),
            program,
            system,
            arithmetic,
            ring,
            most_operations,
        )
    }

    /// The same over given columns.
    pub fn over(
        columns: Columns,
        program: &Program,
        system: &ProgramSystem,
        arithmetic: Arithmetic,
        ring: C,
        most_operations: u64,
    ) -> Bounded<Self> {
        let semiring = Affine::new(ring, columns.count(), most_operations);
        let approximated = vec![false; program.edges.len()];
        let mut domain = AffineDomain { semiring, columns, rules: Vec::new(), approximated };
        for role in &system.roles {
            let weight = match role {
                RuleRole::Execute(edge) => domain.statement(program, *edge, arithmetic)?,
                RuleRole::Fail(..) => RuleWeight::Step(domain.semiring.one()?),
                RuleRole::Return(procedure) => domain.leave(program, *procedure)?,
            };
            domain.rules.push(weight);
        }
        Ok(domain)
    }

    /// By edge: is its weight only an approximation of what it does?
    pub fn approximated(&self) -> &[bool] {
        &self.approximated
    }

    /// The stores at the callee's entry, from the stores at a call; `None` for other rules.
    pub fn entering(&self, rule: RuleId) -> Option<&MatrixSpace<C>> {
        match &self.rules[rule] {
            RuleWeight::Call { enter, .. } => Some(enter),
            RuleWeight::Step(_) => None,
        }
    }

    /// The affine hull of the stores that the program starts with: rows (1, x1, …, xn).
    pub fn start(&mut self, program: &Program) -> Bounded<Span<C::Number>> {
        let size = self.semiring.size();
        let ring = self.semiring.ring();
        let mut first = vec![ring.zero(); size];
        first[0] = ring.one();
        let mut any: Vec<usize> = self.columns.locals().collect();
        for (k, variable) in
            program.variables.iter().enumerate().filter(|(_, v)| v.kind == VariableKind::Global)
        {
            let Some(column) = self.columns.of(VariableId(k as u32)) else { continue };
            match &variable.initial {
                Initial::Exactly(bits) => {
                    first[column + 1] = ring.integer(&BigInt::from(variable.scalar.number(bits[0])))
                }
                Initial::Any => any.push(column),
            }
        }
        let others = any.into_iter().map(|column| {
            let mut row = vec![ring.zero(); size];
            row[column + 1] = ring.one();
            row
        });
        let rows: Vec<_> = std::iter::once(first.clone()).chain(others).collect();
        Ok(Span::of(ring, rows))
    }

    /// A context switch: the shared globals become copy `end`, and take the values of copy `begin`.
    pub fn switch(&mut self, end: usize, begin: usize) -> Bounded<MatrixSpace<C>> {
        let shared = self.columns.shared().to_vec();
        let ends = self
            .columns
            .copy(end)
            .zip(&shared)
            .map(|(copy, global)| (copy, Some(AffineExpression::variable(*global))));
        let begins = self
            .columns
            .copy(begin)
            .zip(&shared)
            .map(|(copy, global)| (*global, Some(AffineExpression::variable(copy))));
        let targets: Vec<_> = ends.chain(begins).collect();
        self.semiring.assign(&targets)
    }

    /// The stores (rows) to which `weight` leads from `stores`.
    pub fn apply(
        &mut self,
        stores: &Span<C::Number>,
        weight: &MatrixSpace<C>,
    ) -> Bounded<Span<C::Number>> {
        let size = self.semiring.size();
        self.semiring.spend(
            stores.rows().len().saturating_mul(weight.rows().len()).saturating_mul(size * size),
        )?;
        let ring = self.semiring.ring();
        let mut rows = Vec::new();
        for store in stores.rows() {
            for matrix in weight.rows() {
                let mut row = vec![ring.zero(); size];
                for (k, factor) in store.iter().enumerate().filter(|(_, n)| !ring.is_zero(n)) {
                    for (cell, entry) in row.iter_mut().zip(&matrix[k * size..]) {
                        *cell = ring.add_product(cell, factor, entry);
                    }
                }
                rows.push(row);
            }
        }
        Ok(Span::of(ring, rows))
    }

    fn statement(
        &mut self,
        program: &Program,
        id: EdgeId,
        arithmetic: Arithmetic,
    ) -> Bounded<RuleWeight<MatrixSpace<C>>> {
        let edge = program.edge(id);
        let mut weight = self.semiring.one()?;
        // Behind a check its condition holds.
        for check in &edge.checks {
            let passed = self.assume(&check.condition, arithmetic, id)?;
            weight = self.semiring.extend(&weight, &passed)?;
        }
        let effect = match &edge.operation {
            Operation::Skip => self.semiring.one()?,
            Operation::Assume(condition) => self.assume(condition, arithmetic, id)?,
            Operation::Assign(list) => {
                let mut targets = Vec::new();
                for (place, right) in list {
                    let Place::Variable(variable) = place else { continue };
                    let Some(column) = self.columns.of(*variable) else { continue };
                    let value = arithmetic.affine(&self.columns, right);
                    self.approximated[id] |=
                        value.is_none() && !matches!(right, Expression::Choice(..));
                    // Assignments happen from left to right, so the last one counts.
                    targets.retain(|(old, _)| *old != column);
                    targets.push((column, value));
                }
                self.semiring.assign(&targets)?
            }
            Operation::Havoc(variables) => {
                let targets: Vec<_> =
                    variables.iter().filter_map(|v| Some((self.columns.of(*v)?, None))).collect();
                self.semiring.assign(&targets)?
            }
            Operation::Call { callee, arguments, result } => {
                let callee = program.procedure(*callee);
                let mut targets: Vec<(usize, Option<AffineExpression>)> = Vec::new();
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    let Some(column) = self.columns.of(*parameter) else { continue };
                    let value = arithmetic.affine(&self.columns, argument);
                    self.approximated[id] |=
                        value.is_none() && !matches!(argument, Expression::Choice(..));
                    targets.push((column, value));
                }
                targets.extend(
                    callee.locals.iter().filter_map(|local| Some((self.columns.of(*local)?, None))),
                );
                // Slots that the callee does not use are 0 in its frame.
                let used: Vec<usize> = targets.iter().map(|(column, _)| *column).collect();
                let rest = self.columns.locals().filter(|slot| !used.contains(slot));
                targets.extend(rest.map(|slot| (slot, Some(AffineExpression::constant(0)))));
                let enter = self.semiring.assign(&targets)?;
                let enter = self.semiring.extend(&weight, &enter)?;
                let from = callee.result.and_then(|v| self.columns.of(v));
                let result = result.and_then(|v| self.columns.of(v)).zip(from);
                return Ok(RuleWeight::Call { enter, result });
            }
        };
        Ok(RuleWeight::Step(self.semiring.extend(&weight, &effect)?))
    }

    /// At the end of a procedure its locals do not count any more, except the result.
    fn leave(
        &mut self,
        program: &Program,
        procedure: ProcedureId,
    ) -> Bounded<RuleWeight<MatrixSpace<C>>> {
        let result = program.procedure(procedure).result.and_then(|v| self.columns.of(v));
        let gone = self.columns.locals().filter(|slot| Some(*slot) != result);
        let targets: Vec<_> =
            gone.map(|slot| (slot, Some(AffineExpression::constant(0)))).collect();
        Ok(RuleWeight::Step(self.semiring.assign(&targets)?))
    }

    /// The weight of a condition. If the condition says what a variable is equal to, the weight
    /// assigns that value: this changes none of the stores that pass. (Müller-Olm, Seidl 2004b
    /// treat all conditions as choices. The assignment is safe, too, and more precise.) Other
    /// conditions are ignored.
    fn assume(
        &mut self,
        condition: &Expression,
        arithmetic: Arithmetic,
        edge: EdgeId,
    ) -> Bounded<MatrixSpace<C>> {
        let mut weight = self.semiring.one()?;
        let mut conjuncts = vec![condition];
        while let Some(conjunct) = conjuncts.pop() {
            if let Expression::Binary(BinaryOperator::And, left, right) = conjunct
                && left.scalar().boolean
            {
                conjuncts.extend([&**right, &**left]);
                continue;
            }
            if *conjunct == Expression::falsity() {
                return Ok(self.semiring.zero());
            }
            if *conjunct == Expression::truth() || is_choice(conjunct) {
                continue;
            }
            self.approximated[edge] = true;
            if let Some((column, value)) = self.equality(conjunct, arithmetic) {
                let step = self.semiring.assign(&[(column, Some(value))])?;
                weight = self.semiring.extend(&weight, &step)?;
            }
        }
        Ok(weight)
    }

    /// A column and the expression that it equals if the condition holds.
    fn equality(
        &self,
        condition: &Expression,
        arithmetic: Arithmetic,
    ) -> Option<(usize, AffineExpression)> {
        let (left, right) = match condition {
            Expression::Variable(variable, _) => {
                return Some((self.columns.of(*variable)?, AffineExpression::constant(1)));
            }
            Expression::Unary(UnaryOperator::Not, inner) => match &**inner {
                Expression::Variable(variable, _) => {
                    return Some((self.columns.of(*variable)?, AffineExpression::constant(0)));
                }
                Expression::Binary(BinaryOperator::NotEqual, left, right) => (left, right),
                _ => return None,
            },
            Expression::Binary(BinaryOperator::Equal, left, right) => (left, right),
            _ => return None,
        };
        // Equal numbers of one type are equal modulo any 2^w. So left − right = 0 is one equation.
        let sum = arithmetic
            .affine(&self.columns, left)?
            .add_scaled(&-BigInt::one(), &arithmetic.affine(&self.columns, right)?);
        let (column, coefficient) = sum.terms.iter().rev().find(|(_, c)| c.abs().is_one())?.clone();
        // ± x + rest = 0, so x = ∓ rest.
        let mut rest = sum;
        rest.terms.retain(|(variable, _)| *variable != column);
        Some((column, AffineExpression::constant(0).add_scaled(&-coefficient, &rest)))
    }
}

/// Can the run choose whether the condition holds?
fn is_choice(condition: &Expression) -> bool {
    match condition {
        Expression::Choice(..) => true,
        Expression::Unary(UnaryOperator::Not, inner) => matches!(**inner, Expression::Choice(..)),
        _ => false,
    }
}

impl<C: Coefficients> Weights for AffineDomain<C> {
    type Weight = MatrixSpace<C>;

    fn zero(&self) -> MatrixSpace<C> {
        self.semiring.zero()
    }
    fn is_zero(&self, weight: &MatrixSpace<C>) -> bool {
        weight.is_empty()
    }
    fn combine(
        &mut self,
        left: &MatrixSpace<C>,
        right: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.semiring.combine(left, right)
    }
}

impl<C: Coefficients> ForwardWeights for AffineDomain<C> {
    fn after(&mut self, weight: &MatrixSpace<C>, rule: RuleId) -> Bounded<MatrixSpace<C>> {
        match &self.rules[rule] {
            RuleWeight::Step(step) => self.semiring.extend(weight, step),
            RuleWeight::Call { enter, .. } => self.semiring.extend(weight, enter),
        }
    }
    fn enter(&mut self, _weight: &MatrixSpace<C>, _rule: RuleId) -> Bounded<MatrixSpace<C>> {
        self.semiring.one()
    }
    fn return_after(
        &mut self,
        at_call: &MatrixSpace<C>,
        rule: RuleId,
        summary: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        let RuleWeight::Call { enter, result } = &self.rules[rule] else {
            return self.semiring.extend(at_call, summary);
        };
        let called = self.semiring.call(enter, summary, self.columns.locals(), *result)?;
        self.semiring.extend(at_call, &called)
    }
    fn return_into_given(
        &mut self,
        below: &MatrixSpace<C>,
        summary: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.semiring.extend(below, summary)
    }
}
