//! CBMC's quantifiers, `__CPROVER_forall { T i; body }` and ACSL's `\forall T i; body`, as loops.
//!
//! The body is evaluated, with its guard, for each value that may decide: where a body is false
//! some conditions hold (of `g ==> b` the guard `g`), and from those that compare the variable with
//! something that does not name it a finite range follows. More values than needed do no harm,
//! since the guard is a part of the body.

use super::{Meaning, Parser, Result, Scope};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::tree::{Binary, Expr, ExprKind, Pointed, Statement, StatementKind, Unary, VariableId};
use crate::types::{INT, Integer, Type};

/// The implication's sign, which is none of C's.
pub(super) const IMPLIES: &str = "==>";

/// Which values decide, and what the result is if none of them does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    /// One for which the body is false.
    All,
    /// One for which it is true.
    Some,
}

fn named(word: &str) -> Option<Quantifier> {
    Some(match word {
        "__CPROVER_forall" | "\\forall" => Quantifier::All,
        "__CPROVER_exists" | "\\exists" => Quantifier::Some,
        _ => return None,
    })
}

/// A condition on the variable alone: an operator and what stands on its right.
struct Atom<'e> {
    operator: Binary,
    /// The variable, converted as the comparison has it.
    variable: &'e Expr,
    bound: &'e Expr,
}

/// What follows for the values that decide.
#[derive(Default)]
struct Range {
    /// The greatest constant that none is below.
    least: Option<i128>,
    /// Another value that none is below, of the variable's type.
    from: Option<Expr>,
    /// A constant that none is above.
    most: Option<i128>,
    /// Conditions that hold for none behind the first value for which they do not.
    limits: Vec<Expr>,
}

impl Parser {
    /// A quantifier; `None` if none begins here.
    pub(super) fn quantifier(&mut self) -> Result<Option<Expr>> {
        let word = self.peek().clone();
        let Some(quantifier) = named(&word.text) else { return Ok(None) };
        let braces = !word.text.starts_with('\\');
        if braces && !self.peek_at(1).is("{") {
            return Ok(None);
        }
        self.next();
        if braces {
            self.expect("{")?;
        }
        self.scopes.push(Scope::default());
        self.quantified += 1;
        let read = self.nested(|parser| parser.quantified_body(braces));
        self.quantified -= 1;
        self.scopes.pop();
        let (variable, body) = read?;
        let span = word.span.to(self.last_span());
        self.over_range(quantifier, variable, body, span).map(Some)
    }

    /// `T i; body`
    fn quantified_body(&mut self, braces: bool) -> Result<(VariableId, Expr)> {
        let specifiers = self.specifiers()?;
        let (name, ty) = self.declarator(specifiers.ty)?;
        let Some(name) = name else { return Err(self.expected("a name")) };
        if ty.integer().is_none() {
            return Err(refused("a quantifier over what is no number", name.span));
        }
        if !self.is_local() || self.current.0 == 0 {
            return Err(refused("a quantifier outside of procedures", name.span));
        }
        let variable = self.variable(&name.text, ty, name.span, false);
        self.scope().names.insert(name.text.clone(), Meaning::Variable(variable));
        self.expect(";")?;
        let body = if braces { self.expression()? } else { self.implication()? };
        if braces {
            self.expect("}")?;
        }
        Ok((variable, self.scalar(body)?))
    }

    /// An operand of `?:`: `a ==> b` binds less tightly than `||`, and to the right.
    pub(super) fn implication(&mut self) -> Result<Expr> {
        let left = self.binary(1)?;
        if self.quantified == 0 || !self.takes(IMPLIES) {
            return Ok(left);
        }
        let right = self.nested(Parser::implication)?;
        let (left, right) = (self.scalar(left)?, self.scalar(right)?);
        let span = left.span.to(right.span);
        let not = Expr::new(ExprKind::Unary(Unary::Not, Box::new(left)), INT, span);
        Ok(Expr::new(ExprKind::Or(Box::new(not), Box::new(right)), INT, span))
    }

    /// What a run does must not depend on how often a body is evaluated.
    pub(super) fn no_effects_here(&self, span: Span) -> Result<()> {
        if self.quantified == 0 {
            return Ok(());
        }
        Err(refused("a quantifier whose body calls or changes something", span))
    }

    fn over_range(
        &mut self,
        quantifier: Quantifier,
        id: VariableId,
        body: Expr,
        span: Span,
    ) -> Result<Expr> {
        let number = |value: u64, ty: Type| Expr::new(ExprKind::Integer(value), ty, span);
        if let Some(value) = super::typing::constant(&body, &self.tree.records) {
            return Ok(number(u64::from(value != 0), INT));
        }
        let ty = self.tree.variables[id.index()].ty.clone();
        let Some(integer) = ty.integer() else { return Ok(body) };
        let (low, high) = extremes(integer);
        let decides = quantifier == Quantifier::Some;
        let range = self.range(id, integer, &body, decides);
        let small = integer.size() == 1;
        let starts = range.least.is_some() || range.from.is_some() || !integer.signed() || small;
        if !starts || range.limits.is_empty() && !small {
            // Is there a value outside of those for which the body is the other way?
            let other = self.range(id, integer, &body, !decides);
            if other.least.is_some_and(|least| least > low)
                || other.most.is_some_and(|most| most < high)
            {
                return Ok(number(u64::from(decides), INT));
            }
            return Err(refused("a quantifier whose range is not bounded", span));
        }
        let least = range.least.unwrap_or(low).max(low);
        if least > high {
            return Ok(number(u64::from(!decides), INT));
        }
        let place = Expr::new(ExprKind::Variable(id), ty.clone(), span);
        let first = match (range.least, range.from) {
            (None, Some(from)) => from,
            _ => number(integer.wrap(least as u64), ty.clone()),
        };
        let assign = |to: &Expr, value: Expr| {
            let kind = ExprKind::Assign(Box::new(to.clone()), Box::new(value));
            Expr::new(kind, to.ty.clone(), span)
        };
        let begin = assign(&place, first);
        let (result, set) = self.kept(number(u64::from(!decides), INT));
        let (going, go) = self.kept(number(1, INT));
        let mut condition = going.clone();
        for limit in range.limits {
            let kind = ExprKind::And(Box::new(condition), Box::new(limit));
            condition = Expr::new(kind, INT, span);
        }
        let nonzero = {
            let zero = number(0, INT);
            let zero = self.converted(zero, &body.ty)?;
            self.binary_of(Binary::NotEqual, "!=", body, zero)?
        };
        let join = if decides { Binary::Or } else { Binary::And };
        let joined = self.binary_of(join, "&", result.clone(), nonzero)?;
        let count = assign(&result, joined);
        // Behind the greatest value of the type is none.
        let last = number(integer.wrap(high as u64), ty.clone());
        let more = self.binary_of(Binary::NotEqual, "!=", place.clone(), last)?;
        let stop = assign(&going, more);
        let next = self.binary_of(Binary::Add, "+", place.clone(), number(1, INT))?;
        let next = self.converted(next, &ty)?;
        let parts = [going, next, place.clone()];
        let next = Expr::new(ExprKind::Conditional(Box::new(parts)), ty, span);
        let step = self.then(stop, assign(&place, next), span);
        let pointed = |parser: &mut Parser, value| Pointed { value, point: parser.point(span) };
        let condition = pointed(self, condition);
        let step = pointed(self, step);
        let statement = |kind| Statement { kind, span, point: None };
        let around = Box::new(statement(StatementKind::Expression(count)));
        let list = vec![
            statement(StatementKind::Expression(begin)),
            statement(StatementKind::Expression(set)),
            statement(StatementKind::Expression(go)),
            statement(StatementKind::For(Some(condition), Some(step), around)),
        ];
        Ok(Expr::new(ExprKind::Statements(list, Some(Box::new(result))), INT, span))
    }

    /// What holds of the variable wherever the body has this truth.
    fn range(&self, id: VariableId, integer: Integer, body: &Expr, truth: bool) -> Range {
        let mut atoms = Vec::new();
        necessary(body, truth, id, &mut atoms);
        // A bound is computed without what stands before it: `p && i < *p` says nothing.
        atoms.retain(|atom| self.number(atom.bound).is_some() || is_total(atom.bound));
        let mut range = Range::default();
        // Lower bounds first: a conversion to a type without a sign keeps what is not negative.
        for atom in &atoms {
            let own = matches!(atom.operator, Binary::Greater | Binary::GreaterEqual);
            if (own || atom.operator == Binary::Equal) && keeps(atom.variable, false) {
                let bound = self.number(atom.bound);
                match bound {
                    Some(bound) => {
                        let bound = bound + i128::from(atom.operator == Binary::Greater);
                        range.least = Some(range.least.map_or(bound, |least| least.max(bound)));
                    }
                    None if atom.bound.ty.integer() == Some(integer) => {
                        range.from = Some(atom.bound.clone());
                    }
                    None => {}
                }
            }
        }
        let natural = range.least.is_some_and(|least| least >= 0);
        for atom in &atoms {
            let operator = match atom.operator {
                Binary::Equal => Binary::LessEqual,
                Binary::Less | Binary::LessEqual => atom.operator,
                _ => continue,
            };
            if !keeps(atom.variable, natural) {
                continue;
            }
            if let Some(bound) = self.number(atom.bound) {
                let bound = bound - i128::from(operator == Binary::Less);
                range.most = Some(range.most.map_or(bound, |most| most.min(bound)));
            }
            let (left, right) = (atom.variable.clone(), atom.bound.clone());
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            range.limits.push(Expr::new(kind, INT, span));
        }
        range
    }

    /// A constant as the number that it is.
    fn number(&self, e: &Expr) -> Option<i128> {
        let signed = e.ty.integer()?.signed();
        let value = super::typing::constant(e, &self.tree.records)?;
        Some(if signed { i128::from(value) } else { i128::from(value as u64) })
    }
}

fn refused(what: &str, span: Span) -> Mistake {
    Mistake::new(MistakeKind::NotExecuted(what.into()), span)
}

/// The least and the greatest number of a type.
pub(super) fn extremes(integer: Integer) -> (i128, i128) {
    let bits = match integer {
        Integer::Bool => 1,
        other => other.size() * 8,
    };
    match integer.signed() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// The comparisons of the variable that hold wherever the expression has this truth.
fn necessary<'e>(e: &'e Expr, truth: bool, id: VariableId, list: &mut Vec<Atom<'e>>) {
    match &e.kind {
        ExprKind::Unary(Unary::Not, inner) => necessary(inner, !truth, id, list),
        ExprKind::And(left, right) if truth => {
            necessary(left, true, id, list);
            necessary(right, true, id, list);
        }
        ExprKind::Or(left, right) if !truth => {
            necessary(left, false, id, list);
            necessary(right, false, id, list);
        }
        ExprKind::Binary(operator, left, right) => {
            let Some(operator) = as_said(*operator, truth) else { return };
            if is_variable(left, id) && is_closed(right, id) {
                list.push(Atom { operator, variable: left, bound: right });
            } else if is_variable(right, id) && is_closed(left, id) {
                list.push(Atom { operator: turned(operator), variable: right, bound: left });
            }
        }
        _ => {}
    }
}

/// The comparison that holds where this one has that truth.
fn as_said(operator: Binary, truth: bool) -> Option<Binary> {
    Some(match (operator, truth) {
        (Binary::Less, true) | (Binary::GreaterEqual, false) => Binary::Less,
        (Binary::LessEqual, true) | (Binary::Greater, false) => Binary::LessEqual,
        (Binary::Greater, true) | (Binary::LessEqual, false) => Binary::Greater,
        (Binary::GreaterEqual, true) | (Binary::Less, false) => Binary::GreaterEqual,
        (Binary::Equal, true) | (Binary::NotEqual, false) => Binary::Equal,
        _ => return None,
    })
}

/// The same comparison with its sides exchanged.
fn turned(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        other => other,
    }
}

/// Is it the variable, converted or not?
fn is_variable(e: &Expr, id: VariableId) -> bool {
    match &e.kind {
        ExprKind::Convert(inner) if e.ty.integer().is_some() => is_variable(inner, id),
        ExprKind::Variable(own) => *own == id,
        _ => false,
    }
}

/// Do the conversions of the variable keep its order? Those of numbers that are not negative do so
/// in more types.
fn keeps(e: &Expr, natural: bool) -> bool {
    let ExprKind::Convert(inner) = &e.kind else { return true };
    let (Some(from), Some(to)) = (inner.ty.integer(), e.ty.integer()) else { return false };
    let ((low, high), (least, most)) = (extremes(from), extremes(to));
    let low = if natural { 0 } else { low };
    least <= low && high <= most && keeps(inner, natural)
}

/// Is it computed without a fault, whatever the values are?
fn is_total(e: &Expr) -> bool {
    let unsigned = e.ty.integer().is_some_and(|integer| !integer.signed());
    match &e.kind {
        ExprKind::Integer(_) | ExprKind::Variable(_) => true,
        ExprKind::Member(inner, ..) => is_total(inner),
        ExprKind::Convert(inner) => inner.ty.integer().is_some() && is_total(inner),
        ExprKind::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, left, right) => {
            unsigned && is_total(left) && is_total(right)
        }
        _ => false,
    }
}

/// Does it not name the variable? What has statements or names of its own in it may.
fn is_closed(e: &Expr, id: VariableId) -> bool {
    let own = match &e.kind {
        ExprKind::Variable(other) => *other != id,
        ExprKind::Statements(..) | ExprKind::Literal(..) | ExprKind::SizeOf(_) => false,
        _ => true,
    };
    own && e.children().into_iter().all(|child| is_closed(child, id))
}
