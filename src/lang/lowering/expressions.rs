//! Expressions of the model, put together with constants folded.

use crate::lang::interpreter::evaluate;
use crate::lang::model::{BinaryOperator, Expression, Scalar};

/// Casts to this type; folds constants.
pub(in crate::lang) fn cast(expression: Expression, to: Scalar) -> Expression {
    let from = expression.scalar();
    if from == to {
        return expression;
    }
    match expression {
        Expression::Constant(bits, from) if to.boolean => {
            Expression::Constant(u64::from(bits & from.mask() != 0), to)
        }
        Expression::Constant(bits, from) => Expression::Constant(to.wrap(from.number(bits)), to),
        // A truth value that was widened is cast back to itself.
        Expression::Cast(wide, inner)
            if to.boolean && inner.scalar().boolean && wide.width >= 1 =>
        {
            *inner
        }
        other => Expression::Cast(to, Box::new(other)),
    }
}

/// An operator with two operands of one type.
pub(in crate::lang) fn binary(
    operator: BinaryOperator,
    left: Expression,
    right: Expression,
) -> Expression {
    Expression::binary(operator, left, right)
}

/// Conjunction of bools; folds constants.
pub(in crate::lang) fn and(left: Expression, right: Expression) -> Expression {
    match (left, right) {
        (Expression::Constant(1, Scalar::BOOL), e) | (e, Expression::Constant(1, Scalar::BOOL)) => {
            e
        }
        (Expression::Constant(0, Scalar::BOOL), _) | (_, Expression::Constant(0, Scalar::BOOL)) => {
            Expression::falsity()
        }
        (left, right) => binary(BinaryOperator::And, left, right),
    }
}

/// Disjunction of bools; folds constants.
pub(in crate::lang) fn or(left: Expression, right: Expression) -> Expression {
    match (left, right) {
        (Expression::Constant(0, Scalar::BOOL), e) | (e, Expression::Constant(0, Scalar::BOOL)) => {
            e
        }
        (Expression::Constant(1, Scalar::BOOL), _) | (_, Expression::Constant(1, Scalar::BOOL)) => {
            Expression::truth()
        }
        (left, right) => binary(BinaryOperator::Or, left, right),
    }
}

/// Joins all expressions by one operator, as a tree of little depth. `None` if there are none.
pub(in crate::lang) fn balanced(
    mut parts: Vec<Expression>,
    join: impl Fn(Expression, Expression) -> Expression,
) -> Option<Expression> {
    while parts.len() > 1 {
        let mut pairs = parts.into_iter();
        let mut joined = Vec::new();
        while let Some(left) = pairs.next() {
            joined.push(match pairs.next() {
                Some(right) => join(left, right),
                None => left,
            });
        }
        parts = joined;
    }
    parts.pop()
}

/// `0 <= e < limit`, by the number that `e` stands for; `None` if that always holds.
pub(in crate::lang) fn below(e: &Expression, limit: i128) -> Option<Expression> {
    let scalar = e.scalar();
    if let Expression::Constant(bits, _) = e {
        return (!(0..limit).contains(&scalar.number(*bits))).then(Expression::falsity);
    }
    let zero = Expression::Constant(0, scalar);
    let not_negative = scalar.signed.then(|| binary(BinaryOperator::LessEqual, zero, e.clone()));
    let bound = Expression::Constant(scalar.wrap(limit), scalar);
    let small = scalar.holds(limit).then(|| binary(BinaryOperator::Less, e.clone(), bound));
    match (not_negative, small) {
        (Some(one), Some(other)) => Some(and(one, other)),
        (one, other) => one.or(other),
    }
}

/// The bits of an expression without variables and choices; `None` for any other. Looks at few
/// nodes only.
pub(in crate::lang) fn closed_value(expression: &Expression) -> Option<u64> {
    const MOST_NODES: usize = 64;
    let is_open = |e: &&Expression| {
        matches!(e, Expression::Variable(..) | Expression::Choice(..) | Expression::Element(..))
    };
    let mut stack = vec![expression];
    let mut seen = 0;
    while let Some(e) = stack.pop() {
        seen += 1;
        if seen > MOST_NODES || is_open(&e) {
            return None;
        }
        children(e, &mut stack);
    }
    closed(expression)
}

/// The value of an expression without variables, elements and choices; recursion is as deep as it.
pub(in crate::lang) fn closed(expression: &Expression) -> Option<u64> {
    Some(match expression {
        Expression::Constant(bits, scalar) => bits & scalar.mask(),
        Expression::Unary(op, operand) => evaluate::unary(*op, operand.scalar(), closed(operand)?),
        Expression::Binary(op, left, right) => {
            evaluate::binary(*op, (closed(left)?, left.scalar()), (closed(right)?, right.scalar()))
        }
        Expression::Cast(to, operand) => {
            let number = operand.scalar().number(closed(operand)?);
            if to.boolean { u64::from(number != 0) } else { to.wrap(number) }
        }
        Expression::Conditional(condition, then, otherwise) => {
            closed(if closed(condition)? == 1 { then } else { otherwise })?
        }
        Expression::Variable(..) | Expression::Choice(..) | Expression::Element(..) => return None,
    })
}

/// Number of nodes, counted up to `limit`.
pub(in crate::lang) fn size(expression: &Expression, limit: usize) -> usize {
    let mut stack = vec![expression];
    let mut count = 0;
    while let Some(e) = stack.pop() {
        count += 1;
        if count >= limit {
            break;
        }
        children(e, &mut stack);
    }
    count
}

/// Adds the direct parts of the expression, to be changed.
pub(in crate::lang) fn children_mut<'e>(
    expression: &'e mut Expression,
    into: &mut Vec<&'e mut Expression>,
) {
    match expression {
        Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {}
        Expression::Element(_, e, _) | Expression::Unary(_, e) | Expression::Cast(_, e) => {
            into.push(e)
        }
        Expression::Binary(_, l, r) => into.extend([&mut **l, &mut **r]),
        Expression::Conditional(c, t, e) => into.extend([&mut **c, &mut **t, &mut **e]),
    }
}

/// Adds the direct parts of the expression.
pub(in crate::lang) fn children<'e>(expression: &'e Expression, into: &mut Vec<&'e Expression>) {
    match expression {
        Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {}
        Expression::Element(_, e, _) | Expression::Unary(_, e) | Expression::Cast(_, e) => {
            into.push(e)
        }
        Expression::Binary(_, l, r) => into.extend([&**l, &**r]),
        Expression::Conditional(c, t, e) => into.extend([&**c, &**t, &**e]),
    }
}
