//! Atoms: what a formula says about one state of a run, as expressions over the program's store.
//!
//! Numbers in conditions are whole numbers: sums and products do not wrap, and signed and unsigned
//! operands compare by value. So every operand is widened until the result fits.

use crate::lang::model::{
    BinaryOperator, Expression, LocationId, ProcedureId, Program, Scalar, ScopeId, UnaryOperator,
    VariableId,
};

/// A number in a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A constant.
    Number(i128),
    /// A scalar, or an element of an array by its indices. Several variables may have the name in
    /// one procedure; the one that is in scope counts.
    Variable(Vec<VariableId>, Vec<Term>),
    /// `-x`
    Negated(Box<Term>),
    /// `+ - * %`
    Binary(TermOperator, Box<Term>, Box<Term>),
}

/// Operators of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermOperator {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Remainder with the sign of the left one; of division by zero, 0.
    Remainder,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

/// A condition over one store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `true` or `false`.
    Constant(bool),
    /// Of two numbers.
    Compare(Comparison, Term, Term),
    /// `!`
    Not(Box<Condition>),
    /// `&&`
    And(Box<Condition>, Box<Condition>),
    /// `||`
    Or(Box<Condition>, Box<Condition>),
}

/// What a formula says about one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A condition over globals.
    Condition(Condition),
    /// The procedure runs, on top of the stack, and the condition over its locals and the globals
    /// holds. False where a local of it is not in scope.
    Inside(ProcedureId, Condition),
    /// One of these places comes next.
    At(Vec<LocationId>),
    /// The procedure begins.
    Enter(ProcedureId),
    /// The procedure has come to its end.
    Leave(ProcedureId),
    /// The next statement fails.
    Fails,
}

/// A state of a run, as far as the program's text goes: where the run stands, and whether it goes
/// on or fails there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The place.
    pub location: LocationId,
    /// Does the next statement fail?
    pub fails: bool,
}

impl Atom {
    /// The value of the atom in a state, as an expression over the store there.
    pub fn expression(&self, program: &Program, at: Standing) -> Expression {
        let procedure = program.location(at.location).procedure;
        let truth = |value: bool| if value { Expression::truth() } else { Expression::falsity() };
        match self {
            Atom::Condition(condition) => {
                condition.expression(program, None).unwrap_or_else(Expression::falsity)
            }
            Atom::Inside(of, condition) => {
                let scope = (*of == procedure).then(|| visible(program, at.location));
                scope
                    .and_then(|scope| condition.expression(program, Some(&scope)))
                    .unwrap_or_else(Expression::falsity)
            }
            Atom::At(places) => truth(places.contains(&at.location)),
            Atom::Enter(of) => truth(program.procedure(*of).entry == at.location),
            Atom::Leave(of) => truth(program.procedure(*of).exit == at.location),
            Atom::Fails => truth(at.fails),
        }
    }
}

/// The variables that can be seen at a place: what its statements have in scope. At the end of a
/// procedure these are its parameters.
pub fn visible(program: &Program, location: LocationId) -> Vec<VariableId> {
    let scope: Option<ScopeId> =
        program.edges.iter().find(|edge| edge.from == location).map(|edge| edge.scope);
    match scope {
        Some(scope) => program.scope(scope).variables.clone(),
        None => program.procedure(program.location(location).procedure).parameters.clone(),
    }
}

impl Condition {
    /// `None` if a local that it mentions is not in scope. Without a scope only globals are
    /// mentioned.
    pub(super) fn expression(
        &self,
        program: &Program,
        scope: Option<&[VariableId]>,
    ) -> Option<Expression> {
        let both = |op, a: &Condition, b: &Condition| {
            let (a, b) = (a.expression(program, scope)?, b.expression(program, scope)?);
            Some(Expression::binary(op, a, b))
        };
        match self {
            Condition::Constant(true) => Some(Expression::truth()),
            Condition::Constant(false) => Some(Expression::falsity()),
            Condition::Not(a) => Some(a.expression(program, scope)?.negated()),
            Condition::And(a, b) => both(BinaryOperator::And, a, b),
            Condition::Or(a, b) => both(BinaryOperator::Or, a, b),
            Condition::Compare(op, a, b) => {
                let (a, b) = (a.number(program, scope)?, b.number(program, scope)?);
                let width = a.scalar().width.max(b.scalar().width);
                let op = match op {
                    Comparison::Equal => BinaryOperator::Equal,
                    Comparison::NotEqual => BinaryOperator::NotEqual,
                    Comparison::Less => BinaryOperator::Less,
                    Comparison::LessEqual => BinaryOperator::LessEqual,
                };
                let (a, b) = (Box::new(widened(a, width)), Box::new(widened(b, width)));
                Some(Expression::Binary(op, a, b))
            }
        }
    }

    /// The most bits of a number in it.
    pub fn width(&self, program: &Program) -> u32 {
        match self {
            Condition::Constant(_) => 1,
            Condition::Not(a) => a.width(program),
            Condition::And(a, b) | Condition::Or(a, b) => a.width(program).max(b.width(program)),
            Condition::Compare(_, a, b) => a.width(program).max(b.width(program)),
        }
    }
}

impl Term {
    /// The bits of a signed number that holds every value of it, or of a part of it.
    fn width(&self, program: &Program) -> u32 {
        match self {
            Term::Number(n) => bits_of(*n),
            Term::Variable(list, indices) => {
                let of = |id: &VariableId| signed_width(program.variable(*id).scalar);
                let own = list.iter().map(of).max().unwrap_or(1);
                indices.iter().map(|index| index.width(program) + 8).max().unwrap_or(0).max(own)
            }
            Term::Negated(a) => a.width(program) + 1,
            Term::Binary(op, a, b) => {
                let (a, b) = (a.width(program), b.width(program));
                match op {
                    TermOperator::Multiply => a + b,
                    TermOperator::Add | TermOperator::Subtract => a.max(b) + 1,
                    TermOperator::Remainder => a.max(b),
                }
            }
        }
    }

    /// A signed number.
    pub(super) fn number(
        &self,
        program: &Program,
        scope: Option<&[VariableId]>,
    ) -> Option<Expression> {
        Some(match self {
            Term::Number(n) => {
                let scalar = Scalar::int(bits_of(*n).min(64) as u8, true);
                Expression::Constant(scalar.wrap(*n), scalar)
            }
            Term::Variable(list, indices) => {
                let in_scope = |id: &&VariableId| {
                    program.variable(**id).owner.is_none()
                        || scope.is_some_and(|scope| scope.contains(id))
                };
                let id = *list.iter().rev().find(in_scope)?;
                let variable = program.variable(id);
                let scalar = variable.scalar;
                let value = match indices.is_empty() {
                    true => Expression::Variable(id, scalar),
                    false => element(program, id, indices, scope)?,
                };
                let width = signed_width(scalar).min(64) as u8;
                match scalar.signed && scalar.width == width {
                    true => value,
                    false => Expression::Cast(Scalar::int(width, true), Box::new(value)),
                }
            }
            Term::Negated(a) => {
                let a = a.number(program, scope)?;
                let width = a.scalar().width.saturating_add(1).min(64);
                Expression::Unary(UnaryOperator::Negate, Box::new(widened(a, width)))
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (a.number(program, scope)?, b.number(program, scope)?);
                let (wa, wb) = (a.scalar().width, b.scalar().width);
                let (op, width) = match op {
                    TermOperator::Add => (BinaryOperator::Add, wa.max(wb).saturating_add(1)),
                    TermOperator::Subtract => {
                        (BinaryOperator::Subtract, wa.max(wb).saturating_add(1))
                    }
                    TermOperator::Multiply => (BinaryOperator::Multiply, wa.saturating_add(wb)),
                    TermOperator::Remainder => (BinaryOperator::Remainder, wa.max(wb)),
                };
                let width = width.min(64);
                Expression::binary(op, widened(a, width), widened(b, width))
            }
        })
    }
}

/// An element of an array by its indices. Outside, whatever one of them is, it is 0.
fn element(
    program: &Program,
    id: VariableId,
    indices: &[Term],
    scope: Option<&[VariableId]>,
) -> Option<Expression> {
    let variable = program.variable(id);
    let scalar = variable.scalar;
    let mut flat: Option<Expression> = None;
    let mut inside = Expression::truth();
    let wide = Scalar::int(40, true);
    let constant = |n: u32| Expression::Constant(u64::from(n), wide);
    for (index, size) in indices.iter().zip(&variable.dimensions) {
        let index = widened(index.number(program, scope)?, wide.width);
        let index = match index.scalar() == wide {
            true => index,
            false => Expression::Cast(wide, Box::new(index)),
        };
        let binary = |op, a: Expression, b: Expression| Expression::binary(op, a, b);
        let low = binary(BinaryOperator::LessEqual, constant(0), index.clone());
        let high = binary(BinaryOperator::Less, index.clone(), constant(*size));
        inside = binary(BinaryOperator::And, inside, binary(BinaryOperator::And, low, high));
        flat = Some(match flat {
            None => index,
            Some(flat) => binary(
                BinaryOperator::Add,
                binary(BinaryOperator::Multiply, flat, constant(*size)),
                index,
            ),
        });
    }
    let value = Expression::Element(id, Box::new(flat?), scalar);
    let zero = Expression::Constant(0, scalar);
    Some(Expression::Conditional(Box::new(inside), Box::new(value), Box::new(zero)))
}

/// The bits of a signed number that has every value of the type.
fn signed_width(scalar: Scalar) -> u32 {
    u32::from(scalar.width) + u32::from(!scalar.signed)
}

/// The bits of a signed number with this value.
fn bits_of(n: i128) -> u32 {
    let magnitude = if n < 0 { !n } else { n };
    i128::BITS - magnitude.leading_zeros() + 1
}

fn widened(value: Expression, width: u8) -> Expression {
    if value.scalar().width >= width {
        return value;
    }
    Expression::Cast(Scalar::int(width, true), Box::new(value))
}

/// A name that stands for a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAtom {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub condition: Condition,
}

/// Which atoms there are, or how to make one.
pub(super) fn atoms_of(names: &[NamedAtom]) -> String {
    let list: Vec<String> = names.iter().take(8).map(|atom| format!("`{}`", atom.name)).collect();
    match list.len() {
        0 => "a line of the system such as `atom NAME = <p, a>, <q, .>` makes an atom".to_string(),
        n if n < names.len() => format!("the system's atoms are {} and more", list.join(", ")),
        _ => format!("the system's atoms are {}", list.join(", ")),
    }
}
