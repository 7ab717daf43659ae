//! Expressions under substitution: what a constraint says about an earlier store (Dijkstra 1975:
//! wp(x := e, R) = R[e/x]).
//!
//! Terms are the program's expressions. A few identities keep them small, so that a constraint over
//! inputs reads like source text.

use crate::lang::interpreter::evaluate;
use crate::lang::model::{
    BinaryOperator, ChoiceId, Expression, Place, Scalar, UnaryOperator, VariableId,
};
use crate::util::{Bounded, Limit};

/// Largest expression, in operators and operands.
const MOST_NODES: usize = 1_500;
/// Most ways in which the comparisons of the conditions of one statement may come out.
const MOST_WAYS: usize = 256;

/// What a variable is replaced by.
pub(super) enum Replacement<'a> {
    /// The variable itself.
    Same,
    /// The value of a scalar.
    Value(Expression),
    /// The same variable under another number.
    Renamed(VariableId),
    /// An array after these writes, in order.
    Written(Vec<(&'a Expression, &'a Expression)>),
    /// A scalar with the first of these values, or an array with elements by index.
    Known(Vec<(&'a Expression, &'a Expression)>),
}

/// The expression over the store before, with all replacements made in parallel. Returns
/// [`Limit::Nodes`] if the result is too large.
pub(super) fn substitute<'a>(
    e: &Expression,
    with: &mut dyn FnMut(VariableId) -> Replacement<'a>,
) -> Bounded<Expression> {
    let mut room = MOST_NODES;
    walk(e, with, &mut room)
}

/// What a condition after an assignment says about the store before it.
pub(super) fn after_assignment(
    e: &Expression,
    list: &[(Place, Expression)],
) -> Bounded<Expression> {
    substitute(e, &mut |variable| {
        let own = list.iter().filter(|(place, _)| place.variable() == variable);
        let mut writes = Vec::new();
        for (place, value) in own {
            match place {
                Place::Variable(_) => return Replacement::Value(value.clone()),
                Place::Element(_, index) => writes.push((index, value)),
            }
        }
        if writes.is_empty() { Replacement::Same } else { Replacement::Written(writes) }
    })
}

fn size(e: &Expression) -> usize {
    let (mut count, mut waiting) = (0, vec![e]);
    while let Some(e) = waiting.pop() {
        count += 1;
        match e {
            Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {}
            Expression::Element(_, e, _) | Expression::Unary(_, e) | Expression::Cast(_, e) => {
                waiting.push(e)
            }
            Expression::Binary(_, a, b) => waiting.extend([&**a, &**b]),
            Expression::Conditional(a, b, c) => waiting.extend([&**a, &**b, &**c]),
        }
    }
    count
}

fn take(room: &mut usize, e: Expression) -> Bounded<Expression> {
    *room = room.checked_sub(size(&e)).ok_or(Limit::Nodes)?;
    Ok(e)
}

fn walk<'a>(
    e: &Expression,
    with: &mut dyn FnMut(VariableId) -> Replacement<'a>,
    room: &mut usize,
) -> Bounded<Expression> {
    *room = room.checked_sub(1).ok_or(Limit::Nodes)?;
    Ok(match e {
        Expression::Constant(..) | Expression::Choice(..) => e.clone(),
        Expression::Variable(variable, scalar) => match with(*variable) {
            Replacement::Value(value) => take(room, value)?,
            Replacement::Renamed(other) => Expression::Variable(other, *scalar),
            Replacement::Known(values) => {
                values.first().map_or_else(|| e.clone(), |(_, value)| (*value).clone())
            }
            _ => e.clone(),
        },
        Expression::Element(array, index, scalar) => {
            let index = walk(index, with, room)?;
            match with(*array) {
                Replacement::Renamed(other) => Expression::Element(other, Box::new(index), *scalar),
                Replacement::Written(writes) | Replacement::Known(writes) => {
                    let mut value = Expression::Element(*array, Box::new(index.clone()), *scalar);
                    for (at, written) in writes {
                        let here = same_number(&index, at);
                        let written = take(room, written.clone())?;
                        *room = room.checked_sub(size(&index) + size(at)).ok_or(Limit::Nodes)?;
                        value = conditional(here, written, value);
                    }
                    value
                }
                _ => Expression::Element(*array, Box::new(index), *scalar),
            }
        }
        Expression::Unary(operator, operand) => unary(*operator, walk(operand, with, room)?),
        Expression::Binary(operator, left, right) => {
            binary(*operator, walk(left, with, room)?, walk(right, with, room)?)
        }
        Expression::Cast(to, operand) => cast(*to, walk(operand, with, room)?),
        Expression::Conditional(condition, then, otherwise) => {
            let condition = walk(condition, with, room)?;
            conditional(condition, walk(then, with, room)?, walk(otherwise, with, room)?)
        }
    })
}

/// The expression with its choices replaced by what the run picks.
pub(super) fn with_choices(
    e: &Expression,
    picked: &mut dyn FnMut(ChoiceId, Scalar) -> Expression,
) -> Expression {
    match e {
        Expression::Choice(choice, scalar) => picked(*choice, *scalar),
        Expression::Constant(..) | Expression::Variable(..) => e.clone(),
        Expression::Element(array, index, scalar) => {
            Expression::Element(*array, Box::new(with_choices(index, picked)), *scalar)
        }
        Expression::Unary(operator, operand) => unary(*operator, with_choices(operand, picked)),
        Expression::Cast(to, operand) => cast(*to, with_choices(operand, picked)),
        Expression::Binary(operator, left, right) => {
            let left = with_choices(left, picked);
            binary(*operator, left, with_choices(right, picked))
        }
        Expression::Conditional(condition, then, otherwise) => {
            let condition = with_choices(condition, picked);
            let then = with_choices(then, picked);
            conditional(condition, then, with_choices(otherwise, picked))
        }
    }
}

/// Do two indices mean the same element? Indices of different types are compared as numbers.
fn same_number(a: &Expression, b: &Expression) -> Expression {
    let (of_a, of_b) = (a.scalar(), b.scalar());
    if of_a == of_b {
        return binary(BinaryOperator::Equal, a.clone(), b.clone());
    }
    let wide = Scalar::int((of_a.width.max(of_b.width) + 1).min(64), true);
    binary(BinaryOperator::Equal, cast(wide, a.clone()), cast(wide, b.clone()))
}

/// The bits of a constant.
pub(super) fn constant(e: &Expression) -> Option<u64> {
    match e {
        Expression::Constant(bits, scalar) => Some(bits & scalar.mask()),
        _ => None,
    }
}

fn unary(operator: UnaryOperator, operand: Expression) -> Expression {
    use BinaryOperator::{Equal, Less, LessEqual, NotEqual};
    let scalar = operand.scalar();
    match (operator, operand) {
        (_, Expression::Constant(bits, _)) => {
            let of = if operator == UnaryOperator::Not { Scalar::BOOL } else { scalar };
            Expression::Constant(evaluate::unary(operator, scalar, bits), of)
        }
        (UnaryOperator::Not, Expression::Unary(UnaryOperator::Not, inner)) => *inner,
        (UnaryOperator::Not, Expression::Binary(Equal, a, b)) => Expression::Binary(NotEqual, a, b),
        (UnaryOperator::Not, Expression::Binary(NotEqual, a, b)) => Expression::Binary(Equal, a, b),
        (UnaryOperator::Not, Expression::Binary(Less, a, b)) => Expression::Binary(LessEqual, b, a),
        (UnaryOperator::Not, Expression::Binary(LessEqual, a, b)) => Expression::Binary(Less, b, a),
        (operator, operand) => Expression::Unary(operator, Box::new(operand)),
    }
}

fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    use BinaryOperator::{Add, And, Equal, Less, LessEqual, NotEqual, Or, Subtract};
    let whole = |l, r| Expression::binary(operator, l, r);
    let scalar = left.scalar();
    if let (Some(a), Some(b)) = (constant(&left), constant(&right)) {
        let of = whole(left.clone(), right.clone()).scalar();
        return Expression::Constant(
            evaluate::binary(operator, (a, scalar), (b, right.scalar())),
            of,
        );
    }
    match operator {
        And | Or if scalar.boolean => {
            let absorbing = u64::from(operator == Or);
            for (one, other) in [(&left, &right), (&right, &left)] {
                match constant(one) {
                    Some(bits) if bits == absorbing => return one.clone(),
                    Some(_) => return other.clone(),
                    None => {}
                }
            }
            whole(left, right)
        }
        Equal | LessEqual if left == right => Expression::truth(),
        NotEqual | Less if left == right => Expression::falsity(),
        Equal | NotEqual => {
            let (left, right) =
                if constant(&left).is_some() { (right, left) } else { (left, right) };
            let Some(bits) = constant(&right) else { return whole(left, right) };
            if scalar.boolean {
                return if (bits == 1) == (operator == Equal) {
                    left
                } else {
                    unary(UnaryOperator::Not, left)
                };
            }
            // e + c = d becomes e = d - c, because sums wrap.
            match &left {
                Expression::Binary(inner @ (Add | Subtract), e, c) if constant(c).is_some() => {
                    let back = if *inner == Add { Subtract } else { Add };
                    let moved =
                        evaluate::binary(back, (bits, scalar), (constant(c).unwrap_or(0), scalar));
                    binary(operator, (**e).clone(), Expression::Constant(moved, scalar))
                }
                // A truth value as a number.
                Expression::Cast(_, inner) if inner.scalar().boolean => {
                    let truth = (**inner).clone();
                    match (bits, operator == Equal) {
                        (1, true) | (0, false) => truth,
                        (0, true) | (1, false) => unary(UnaryOperator::Not, truth),
                        (_, equal) => {
                            if equal {
                                Expression::falsity()
                            } else {
                                Expression::truth()
                            }
                        }
                    }
                }
                _ => whole(left, right),
            }
        }
        Add | Subtract if constant(&right) == Some(0) => left,
        Add | Subtract => match (&left, constant(&right)) {
            (Expression::Binary(inner @ (Add | Subtract), e, c), Some(bits))
                if constant(c).is_some() =>
            {
                // Writes e + n with the sum of both constants.
                let signed = |op: BinaryOperator, bits: u64| {
                    if op == Add { scalar.number(bits) } else { -scalar.number(bits) }
                };
                let sum = signed(*inner, constant(c).unwrap_or(0)) + signed(operator, bits);
                binary(Add, (**e).clone(), Expression::Constant(scalar.wrap(sum), scalar))
            }
            _ => whole(left, right),
        },
        _ => whole(left, right),
    }
}

fn cast(to: Scalar, operand: Expression) -> Expression {
    let from = operand.scalar();
    if to == from {
        return operand;
    }
    if let Some(bits) = constant(&operand) {
        let number = from.number(bits);
        let bits =
            if to.boolean && !from.boolean { u64::from(number != 0) } else { to.wrap(number) };
        return Expression::Constant(bits, to);
    }
    match operand {
        // A cast to a wider type and back.
        Expression::Cast(middle, inner)
            if inner.scalar() == to && middle.width >= to.width && !to.boolean =>
        {
            *inner
        }
        Expression::Cast(_, inner) if to.boolean && inner.scalar().boolean => *inner,
        operand => Expression::Cast(to, Box::new(operand)),
    }
}

fn conditional(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    match constant(&condition) {
        Some(1) => then,
        Some(_) => otherwise,
        None if then == otherwise => then,
        None => Expression::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

/// The ways in which the comparisons of a condition can come out so that it is `wanted`: all of
/// them are evaluated. A condition with too many ways is not split.
pub(super) fn ways(condition: &Expression, wanted: bool) -> Vec<Vec<Expression>> {
    split(condition, wanted).unwrap_or_else(|| vec![vec![literal(condition, wanted)]])
}

/// The ways in which conditions came out before, each with every way of one more. If these are too
/// many, the one more is not split.
pub(super) fn with_ways(
    some: &[Vec<Expression>],
    condition: &Expression,
    wanted: bool,
) -> Vec<Vec<Expression>> {
    let mut more = ways(condition, wanted);
    if some.len() * more.len() > MOST_WAYS {
        more = vec![vec![literal(condition, wanted)]];
    }
    some.iter()
        .flat_map(|one| more.iter().map(|other| one.iter().chain(other).cloned().collect()))
        .collect()
}

fn literal(e: &Expression, wanted: bool) -> Expression {
    if wanted { e.clone() } else { unary(UnaryOperator::Not, e.clone()) }
}

fn split(e: &Expression, wanted: bool) -> Option<Vec<Vec<Expression>>> {
    match e {
        Expression::Unary(UnaryOperator::Not, inner) => split(inner, !wanted),
        Expression::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right)
            if left.scalar().boolean =>
        {
            let value =
                |l: bool, r: bool| if *operator == BinaryOperator::And { l && r } else { l || r };
            let mut all = Vec::new();
            for (l, r) in [(true, true), (true, false), (false, true), (false, false)] {
                if value(l, r) != wanted {
                    continue;
                }
                let (lefts, rights) = (split(left, l)?, split(right, r)?);
                if all.len() + lefts.len() * rights.len() > MOST_WAYS {
                    return None;
                }
                for one in &lefts {
                    all.extend(
                        rights
                            .iter()
                            .map(|other| one.iter().chain(other).cloned().collect::<Vec<_>>()),
                    );
                }
            }
            Some(all)
        }
        Expression::Constant(bits, _) => {
            Some(if (*bits == 1) == wanted { vec![Vec::new()] } else { Vec::new() })
        }
        _ => Some(vec![vec![literal(e, wanted)]]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a cast of a cast is simplified to has the same value for every value of the variable.
    #[test]
    fn casts_of_casts_keep_their_value() {
        let scalars = [
            Scalar::BOOL,
            Scalar::int(2, false),
            Scalar::int(3, true),
            Scalar::int(4, false),
            Scalar::int(4, true),
            Scalar::int(5, true),
        ];
        let mut simplified = 0;
        for from in scalars {
            for (to, middle) in scalars.iter().flat_map(|to| scalars.map(|middle| (*to, middle))) {
                let variable = Expression::Variable(VariableId(0), from);
                let term = cast(to, cast(middle, variable.clone()));
                simplified += u32::from(term == variable && middle != from);
                for bits in 0..=from.mask() {
                    let value = Expression::Constant(bits, from);
                    let replaced = substitute(&term, &mut |_| Replacement::Value(value.clone()));
                    assert_eq!(replaced, Ok(cast(to, cast(middle, value))), "{term:?}");
                }
            }
        }
        assert!(simplified > 0);
    }
}
