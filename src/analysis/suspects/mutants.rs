//! Mutants of an expression: all expressions with one small change.
//!
//! The changes are those of mutation testing (Moon, Kim, Kim, Yoo 2014, § III; Papadakis, Le Traon
//! 2015): another operator, number or variable; a part negated, left out or added.

use super::pool::{Offer, binary, is_comparison};
use crate::analysis::repair::person::ODD;
use crate::lang::model::BinaryOperator::{
    Add, And, Divide, Equal, Less, LessEqual, Multiply, NotEqual, Or, Remainder, ShiftLeft,
    ShiftRight, Subtract,
};
use crate::lang::model::{BinaryOperator, Expression, Origin, Program, UnaryOperator};
use crate::util::order::inserted;
use crate::wire::suspects::Change;
use std::collections::BTreeSet;

/// The most mutants of one expression. Of each part the first ones are taken.
const MOST: usize = 3_000;
/// The most nodes of all mutants of one expression together. A large expression has fewer mutants.
const NODES: usize = 1_000_000;
/// An expression that is nested more deeply has no mutants.
const DEEPEST: usize = 200;

/// How odd is it to write the new expression for the old one? 0 for a slip; see
/// [`person`](crate::analysis::repair::person).
pub(super) fn oddness(change: Change, old: &Expression, new: &Expression) -> u32 {
    match (change, old, new) {
        (Change::Operator, Expression::Binary(from, a, b), Expression::Binary(to, c, d)) => {
            of_comparisons((*from, &**a, &**b), (*to, &**c, &**d))
        }
        (Change::Operator, ..) => ODD,
        (Change::Number, Expression::Constant(a, scalar), Expression::Constant(b, _)) => {
            match scalar.number(*a).abs_diff(scalar.number(*b)) {
                1 if !scalar.boolean => 0,
                _ => 4,
            }
        }
        (Change::Number, ..) => 4,
        (Change::Variable, ..) => 1,
        (Change::Negation, ..) => 5,
        (Change::LeftOut, ..) => ODD,
        (Change::Added, ..) => 9,
    }
}

/// An operator and its operands. `a > b` is `b < a` here.
type Operation<'e> = (BinaryOperator, &'e Expression, &'e Expression);

fn of_comparisons((from, a, b): Operation<'_>, (to, c, d): Operation<'_>) -> u32 {
    match (from, to) {
        _ if (a, b) == (c, d) => match (from, to) {
            (Less, LessEqual) | (LessEqual, Less) => 0,
            (And, Or) | (Or, And) | (Add, Subtract) | (Subtract, Add) => 1,
            (Equal, NotEqual) | (NotEqual, Equal) => 1,
            _ => ODD,
        },
        (Less, Less) | (LessEqual, LessEqual) => 1,
        (Less, LessEqual) | (LessEqual, Less) => 3,
        _ => ODD,
    }
}

/// A restriction on a value, from the operand position in which it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// An index into so many elements.
    Index(u32),
    /// A divisor.
    Divisor,
    /// A shift of so many bits.
    Shift(u8),
}

/// An index, a divisor or a count around the change, before and after it.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) old: Expression,
    pub(super) new: Expression,
    pub(super) bound: Bound,
}

/// An expression with one change.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    pub(super) change: Change,
    /// The whole expression after the change.
    pub(super) whole: Expression,
    /// The part that is changed, and its replacement.
    pub(super) old: Expression,
    pub(super) new: Expression,
    /// The operands around the change, innermost first.
    pub(super) operands: Vec<Operand>,
}

impl Changed {
    /// Does the source have a name for everything in it?
    pub(super) fn is_written(&self, program: &Program) -> bool {
        let is_made = |e: &Expression| match e {
            Expression::Variable(id, _) | Expression::Element(id, ..) => {
                program.variable(*id).origin == Origin::Made
            }
            _ => false,
        };
        !self.old.any(is_made) && !self.new.any(is_made)
    }

    fn here(change: Change, old: &Expression, new: Expression) -> Changed {
        Changed { change, whole: new.clone(), old: old.clone(), new, operands: Vec::new() }
    }

    fn within(mut self, around: impl FnOnce(Expression) -> Expression) -> Changed {
        let part = std::mem::replace(&mut self.whole, Expression::truth());
        self.whole = around(part);
        self
    }

    fn inside_operand(mut self, old: &Expression, bound: Bound) -> Changed {
        self.operands.push(Operand { old: old.clone(), new: self.whole.clone(), bound });
        self
    }
}

/// Is it a value that the run picks, or its negation? The program does not decide about such
/// values.
fn is_picked(e: &Expression) -> bool {
    let mut e = e;
    while let Expression::Unary(_, a) | Expression::Cast(_, a) = e {
        e = a;
    }
    matches!(e, Expression::Choice(..))
}

/// Nodes and depth of an expression.
fn size(e: &Expression) -> (usize, usize) {
    let (mut nodes, mut deepest, mut rest) = (0, 0, vec![(e, 1)]);
    while let Some((e, depth)) = rest.pop() {
        (nodes, deepest) = (nodes + 1, deepest.max(depth));
        match e {
            Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {}
            Expression::Element(_, a, _) | Expression::Unary(_, a) | Expression::Cast(_, a) => {
                rest.push((a, depth + 1))
            }
            Expression::Binary(_, a, b) => rest.extend([(&**a, depth + 1), (&**b, depth + 1)]),
            Expression::Conditional(a, b, c) => rest.extend([a, b, c].map(|e| (&**e, depth + 1))),
        }
    }
    (nodes, deepest)
}

/// All mutants of an expression, made from what the statement may use. A large expression has only
/// the first of them.
pub(super) fn mutants(program: &Program, offer: &Offer, e: &Expression) -> Vec<Changed> {
    let (nodes, depth) = size(e);
    if depth > DEEPEST {
        return Vec::new();
    }
    within_bounds(program, offer, e, MOST.min(NODES / nodes.max(1)))
}

/// Recursion is as deep as the expression, at most [`DEEPEST`].
fn within_bounds(program: &Program, offer: &Offer, e: &Expression, most: usize) -> Vec<Changed> {
    let mut found = Vec::new();
    // Comparisons of floating point are made of many operators, none of which a person wrote.
    if e.has_pattern() {
        return found;
    }
    let inner = |e: &Expression| within_bounds(program, offer, e, most);
    match e {
        Expression::Constant(bits, scalar) if scalar.boolean => {
            found.push(Changed::here(Change::Number, e, Expression::Constant(bits ^ 1, *scalar)));
        }
        Expression::Constant(_, scalar) if scalar.floating => {}
        Expression::Constant(bits, scalar) => {
            let own = scalar.number(*bits);
            let other = offer
                .numbers
                .iter()
                .copied()
                .chain([own + 1, own - 1])
                .filter(|n| *n != own && scalar.holds(*n));
            let other: BTreeSet<i128> = inserted(other);
            found.extend(other.into_iter().map(|n| {
                Changed::here(Change::Number, e, Expression::Constant(scalar.wrap(n), *scalar))
            }));
        }
        Expression::Variable(id, scalar) => {
            let alike = offer
                .variables
                .iter()
                .filter(|other| *other != id && program.variable(**other).scalar == *scalar);
            found.extend(alike.map(|other| {
                Changed::here(Change::Variable, e, Expression::Variable(*other, *scalar))
            }));
        }
        Expression::Element(id, index, scalar) => {
            let bound = Bound::Index(program.variable(*id).elements());
            let made = inner(index).into_iter().map(|m| m.inside_operand(index, bound));
            found
                .extend(made.map(|m| m.within(|i| Expression::Element(*id, Box::new(i), *scalar))));
        }
        Expression::Unary(operator, a) => {
            found.extend(
                inner(a)
                    .into_iter()
                    .map(|m| m.within(|a| Expression::Unary(*operator, Box::new(a)))),
            );
        }
        Expression::Cast(scalar, a) => {
            found.extend(
                inner(a).into_iter().map(|m| m.within(|a| Expression::Cast(*scalar, Box::new(a)))),
            );
        }
        Expression::Binary(operator, a, b) => of_binary(e, *operator, [a, b], &inner, &mut found),
        Expression::Conditional(a, b, c) => of_conditional(e, [a, b, c], &inner, &mut found),
        Expression::Choice(..) => {}
    }
    if e.scalar().boolean && !matches!(e, Expression::Constant(..)) && !is_picked(e) {
        found.push(Changed::here(
            Change::Negation,
            e,
            Expression::Unary(UnaryOperator::Not, Box::new(e.clone())),
        ));
        for other in offer.parts.iter().filter(|other| *other != e) {
            found.extend(
                [And, Or]
                    .map(|operator| Changed::here(Change::Added, e, binary(operator, e, other))),
            );
        }
    }
    found.retain(|m| m.new != m.old);
    found.truncate(most);
    found
}

/// Changes of an operator, and of its operands.
fn of_binary(
    e: &Expression,
    operator: BinaryOperator,
    [a, b]: [&Expression; 2],
    inner: &dyn Fn(&Expression) -> Vec<Changed>,
    found: &mut Vec<Changed>,
) {
    found.extend(
        operators(operator, a, b)
            .into_iter()
            .map(|other| Changed::here(Change::Operator, e, other)),
    );
    if other_operator(operator).is_some() {
        found.extend([a, b].map(|part| Changed::here(Change::LeftOut, e, part.clone())));
    }
    found.extend(inner(a).into_iter().map(|m| m.within(|a| binary(operator, &a, b))));
    let bound = match operator {
        Divide | Remainder => Some(Bound::Divisor),
        ShiftLeft | ShiftRight => Some(Bound::Shift(a.scalar().width)),
        _ => None,
    };
    let made = inner(b).into_iter().map(|m| match bound {
        Some(bound) => m.inside_operand(b, bound),
        None => m,
    });
    found.extend(made.map(|m| m.within(|b| binary(operator, a, &b))));
}

/// Changes of a conditional expression, and of its operands.
fn of_conditional(
    e: &Expression,
    [a, b, c]: [&Expression; 3],
    inner: &dyn Fn(&Expression) -> Vec<Changed>,
    found: &mut Vec<Changed>,
) {
    let made = |a: &Expression, b: &Expression, c: &Expression| {
        Expression::Conditional(Box::new(a.clone()), Box::new(b.clone()), Box::new(c.clone()))
    };
    found.push(Changed::here(Change::Negation, e, made(a, c, b)));
    found.extend([b, c].map(|part| Changed::here(Change::LeftOut, e, part.clone())));
    found.extend(inner(a).into_iter().map(|m| m.within(|a| made(&a, b, c))));
    found.extend(inner(b).into_iter().map(|m| m.within(|b| made(a, &b, c))));
    found.extend(inner(c).into_iter().map(|m| m.within(|c| made(a, b, &c))));
}

fn operators(operator: BinaryOperator, a: &Expression, b: &Expression) -> Vec<Expression> {
    let own = binary(operator, a, b);
    if is_comparison(operator) {
        let mut all = [Equal, NotEqual, Less, LessEqual].map(|other| binary(other, a, b)).to_vec();
        all.extend([binary(Less, b, a), binary(LessEqual, b, a)]);
        all.retain(|other| *other != own);
        return all;
    }
    other_operator(operator).map(|other| binary(other, a, b)).into_iter().collect()
}

fn other_operator(operator: BinaryOperator) -> Option<BinaryOperator> {
    match operator {
        And => Some(Or),
        Or => Some(And),
        Add => Some(Subtract),
        Subtract | Multiply => Some(Add),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::model::{Scalar, VariableId};
    use crate::wire::options::RequestedOptions;

    const SCALAR: Scalar = Scalar::int(4, true);

    fn program() -> Program {
        let source = "int x; int y; bool b; int a[3]; void main() { x = a[y]; b = x < 3; }";
        crate::lang::load(source, &RequestedOptions::default()).program.expect("a program")
    }

    fn variable(program: &Program, name: &str) -> Expression {
        let k = program.variables.iter().position(|v| v.name == name).expect("a variable");
        Expression::Variable(VariableId(k as u32), program.variables[k].scalar)
    }

    fn number(n: i128) -> Expression {
        Expression::Constant(SCALAR.wrap(n), SCALAR)
    }

    fn offer(program: &Program) -> Offer {
        let variables = program.globals().filter(|id| !program.variable(*id).is_array()).collect();
        Offer { numbers: vec![0, 7, 100], variables, parts: vec![variable(program, "b")] }
    }

    /// Written down by hand: `x < 3` with one change.
    #[test]
    fn one_change_of_a_comparison() {
        let program = program();
        let (x, y, b) = (variable(&program, "x"), variable(&program, "y"), variable(&program, "b"));
        let e = binary(Less, &x, &number(3));
        let made: Vec<(Change, Expression)> = mutants(&program, &offer(&program), &e)
            .into_iter()
            .map(|m| (m.change, m.whole))
            .collect();
        let three = number(3);
        let mut expected = vec![
            (Change::Operator, binary(Equal, &x, &three)),
            (Change::Operator, binary(NotEqual, &x, &three)),
            (Change::Operator, binary(LessEqual, &x, &three)),
            (Change::Operator, binary(Less, &three, &x)),
            (Change::Operator, binary(LessEqual, &three, &x)),
            (Change::Variable, binary(Less, &y, &three)),
        ];
        // 100 does not fit into 4 bits.
        expected.extend([0, 2, 4, 7].map(|n| (Change::Number, binary(Less, &x, &number(n)))));
        expected
            .push((Change::Negation, Expression::Unary(UnaryOperator::Not, Box::new(e.clone()))));
        expected.extend([And, Or].map(|operator| (Change::Added, binary(operator, &e, &b))));
        assert_eq!(made.len(), expected.len(), "{made:?}");
        for one in &expected {
            assert!(made.contains(one), "{one:?} of {made:?}");
        }
    }

    #[test]
    fn the_part_that_changes_is_named_and_types_stay() {
        let program = program();
        let (x, y) = (variable(&program, "x"), variable(&program, "y"));
        let array =
            program.globals().find(|id| program.variable(*id).is_array()).expect("the array");
        let element = Expression::Element(array, Box::new(binary(Add, &y, &number(1))), SCALAR);
        let e = Expression::Conditional(
            Box::new(binary(Less, &x, &element)),
            Box::new(x.clone()),
            Box::new(binary(Divide, &x, &y)),
        );
        let all = mutants(&program, &offer(&program), &e);
        assert_eq!(all.len(), 22);
        for m in &all {
            assert_eq!(m.whole.scalar(), e.scalar(), "{m:?}");
            assert_eq!(m.new.scalar(), m.old.scalar(), "{m:?}");
            assert_ne!(m.whole, e);
        }
        let dropped = all
            .iter()
            .find(|m| {
                m.change == Change::LeftOut && m.old == binary(Add, &y, &number(1)) && m.new == y
            })
            .expect("y");
        assert_eq!(dropped.operands.len(), 1);
        assert_eq!((dropped.operands[0].bound, &dropped.operands[0].new), (Bound::Index(3), &y));
        assert!(all.iter().any(|m| m.old == y
            && m.operands.first().is_some_and(|operand| operand.bound == Bound::Divisor)));
    }

    /// Values that the run picks are not changed.
    #[test]
    fn choices_stay() {
        let program = program();
        let choice = Expression::Choice(crate::lang::model::ChoiceId(0), Scalar::BOOL);
        assert!(mutants(&program, &offer(&program), &choice).is_empty());
        assert!(mutants(&program, &offer(&program), &choice.negated()).is_empty());
    }
}
