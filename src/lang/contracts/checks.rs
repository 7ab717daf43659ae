//! What a formula says, as statements: that check it, that end the runs in which it does not hold,
//! or that decide whether it holds.
//!
//! `\forall` and `\exists` become loops over their ranges. A check of `\forall` stands inside of
//! its loop, so that a failure knows the values of the bound variables.

use super::{Bound, CLAUSE, Formula, Quantified};
use crate::lang::lowering::tidy::tidy_at;
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Expr, ExprKind, Initializer, Statement, StatementKind, TypeName, join,
};
use crate::lang::tree::{
    assign, binary, call, closed, declared, effect, either, exactly, expr, mathematical, named,
    not, signed, statement, text_of, variable, when,
};

/// Bound variables have this type. A run in which a range leaves it is cut off.
const BOUND: TypeName = TypeName::Exact { width: 14, signed: true };
/// The largest number of a range.
const MOST: i64 = 8000;

/// How a clause is told that does not hold.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Says<'s> {
    pub(in crate::lang) source: &'s str,
    /// "the `ensures` of `max` in line 3 does not hold".
    pub(in crate::lang) text: String,
    /// With which word the clause begins: `ensures`.
    pub(in crate::lang) begins: &'static str,
    /// Is it told at the call?
    pub(in crate::lang) at_call: bool,
}

impl Formula {
    /// The formula as a condition of C; `None` if it has quantifiers.
    pub(in crate::lang) fn plain(&self) -> Option<Expr> {
        let all = |list: &[Formula], op: BinaryOp| {
            let parts: Option<Vec<Expr>> = list.iter().map(Formula::plain).collect();
            parts?.into_iter().reduce(|one, other| binary(op, one, other))
        };
        Some(match self {
            Formula::Holds(e) => e.clone(),
            Formula::Not(inner) => not(inner.plain()?),
            Formula::And(list) => all(list, BinaryOp::LogicalAnd)?,
            Formula::Or(list) => all(list, BinaryOp::LogicalOr)?,
            Formula::Implies(left, right) => {
                binary(BinaryOp::LogicalOr, not(left.plain()?), right.plain()?)
            }
            Formula::Equivalent(left, right) => {
                binary(BinaryOp::Equal, not(left.plain()?), not(right.plain()?))
            }
            Formula::All(_) | Formula::Exists(_) => return None,
        })
    }

    /// Its place.
    fn span(&self) -> Span {
        match self {
            Formula::Holds(e) => e.span,
            Formula::Not(inner) => inner.span(),
            Formula::And(list) | Formula::Or(list) => match (list.first(), list.last()) {
                (Some(first), Some(last)) => join(first.span(), last.span()),
                _ => Span::default(),
            },
            Formula::Implies(left, right) | Formula::Equivalent(left, right) => {
                join(left.span(), right.span())
            }
            Formula::All(quantified) | Formula::Exists(quantified) => quantified.span,
        }
    }
}

/// The run fails if the formula does not hold.
pub(in crate::lang) fn require(formula: &Formula, says: &Says<'_>) -> Vec<Statement> {
    Maker { says: Some(says), bound: Vec::new(), flags: 0 }.require(formula)
}

/// The run ends if the formula does not hold.
pub(in crate::lang) fn suppose(formula: &Formula) -> Vec<Statement> {
    Maker { says: None, bound: Vec::new(), flags: 0 }.suppose(formula)
}

struct Maker<'m, 's> {
    says: Option<&'m Says<'s>>,
    /// Variables of the loops around, as written and by their own names.
    bound: Vec<(String, String)>,
    /// Number of flags so far.
    flags: u32,
}

impl Maker<'_, '_> {
    fn require(&mut self, formula: &Formula) -> Vec<Statement> {
        match formula {
            Formula::And(list) => list.iter().flat_map(|one| self.require(one)).collect(),
            Formula::Implies(left, right) => self.under(left, |maker| maker.require(right)),
            Formula::All(quantified) => {
                let names = named_as(quantified);
                let outside = self.bound.len();
                self.bound.extend(names);
                let inner = self.require(&quantified.body);
                self.bound.truncate(outside);
                over(&quantified.variables, None, inner, quantified.span)
            }
            other => {
                let span = other.span();
                match other.plain() {
                    Some(condition) => vec![self.check(condition, span)],
                    None => {
                        let flag = self.flag();
                        let mut made = vec![flagged(&flag, span)];
                        made.extend(self.decide(other, &flag));
                        made.push(self.check(named(&flag, span), span));
                        vec![closed(made, span)]
                    }
                }
            }
        }
    }

    fn suppose(&mut self, formula: &Formula) -> Vec<Statement> {
        match formula {
            Formula::And(list) => list.iter().flat_map(|one| self.suppose(one)).collect(),
            Formula::Implies(left, right) => self.under(left, |maker| maker.suppose(right)),
            Formula::All(quantified) => {
                let inner = self.suppose(&quantified.body);
                over(&quantified.variables, None, inner, quantified.span)
            }
            Formula::Exists(quantified) => {
                let span = quantified.span;
                let mut made = Vec::new();
                for bound in &quantified.variables {
                    let any = Initializer::Value(expr(ExprKind::Choice, span));
                    made.push(declared(variable(&bound.name, (BOUND, 0), Some(any), span), span));
                    let name = || named(&bound.name, span);
                    let low = mathematical(BinaryOp::LessEqual, bound.low.clone(), name(), span);
                    let high = mathematical(BinaryOp::Less, name(), bound.end.clone(), span);
                    made.extend(cut_off(bound, span));
                    made.push(assume(low, span));
                    made.push(assume(high, span));
                }
                made.extend(self.suppose(&quantified.body));
                vec![closed(made, span)]
            }
            other => {
                let span = other.span();
                match other.plain() {
                    Some(condition) => vec![assume(condition, span)],
                    None => {
                        let flag = self.flag();
                        let mut made = vec![flagged(&flag, span)];
                        made.extend(self.decide(other, &flag));
                        made.push(assume(named(&flag, span), span));
                        vec![closed(made, span)]
                    }
                }
            }
        }
    }

    /// Statements that are executed where a formula holds.
    fn under(
        &mut self,
        condition: &Formula,
        then: impl FnOnce(&mut Self) -> Vec<Statement>,
    ) -> Vec<Statement> {
        let span = condition.span();
        match condition.plain() {
            Some(plain) => {
                let then = then(self);
                vec![when(plain, then, span)]
            }
            None => {
                let flag = self.flag();
                let mut made = vec![flagged(&flag, span)];
                made.extend(self.decide(condition, &flag));
                let then = then(self);
                made.push(when(named(&flag, span), then, span));
                vec![closed(made, span)]
            }
        }
    }

    /// The flag becomes whether the formula holds.
    fn decide(&mut self, formula: &Formula, flag: &str) -> Vec<Statement> {
        let span = formula.span();
        let is = || named(flag, span);
        let set = |value: bool| effect(assign(is(), expr(ExprKind::Truth(value), span)));
        if let Some(plain) = formula.plain() {
            // A pointer or a number stands for whether it is not 0.
            return vec![either(plain, vec![set(true)], Some(set(false)), span)];
        }
        match formula {
            Formula::Holds(_) => Vec::new(),
            Formula::Not(inner) => {
                let mut made = self.decide(inner, flag);
                made.push(effect(assign(is(), not(is()))));
                made
            }
            Formula::And(list) => {
                let mut made = vec![set(true)];
                for one in list {
                    let inner = self.decide(one, flag);
                    made.push(when(is(), inner, span));
                }
                made
            }
            Formula::Or(list) => {
                let mut made = vec![set(false)];
                for one in list {
                    let inner = self.decide(one, flag);
                    made.push(when(not(is()), inner, span));
                }
                made
            }
            Formula::Implies(left, right) => {
                let mut made = self.decide(left, flag);
                let inner = self.decide(right, flag);
                made.push(either(is(), inner, Some(set(true)), span));
                made
            }
            Formula::Equivalent(left, right) => {
                let other = self.flag();
                let mut made = self.decide(left, flag);
                made.push(flagged(&other, span));
                made.extend(self.decide(right, &other));
                let same = binary(BinaryOp::Equal, is(), named(&other, span));
                made.push(effect(assign(is(), same)));
                vec![closed(made, span)]
            }
            Formula::All(quantified) => {
                let mut made = vec![set(true)];
                let inner = self.decide(&quantified.body, flag);
                made.extend(over(&quantified.variables, Some(&is()), inner, span));
                made
            }
            Formula::Exists(quantified) => {
                let mut made = vec![set(false)];
                let inner = self.decide(&quantified.body, flag);
                made.extend(over(&quantified.variables, Some(&not(is())), inner, span));
                made
            }
        }
    }

    fn check(&self, condition: Expr, span: Span) -> Statement {
        let Some(says) = self.says else { return assume(condition, span) };
        let formula = tidy_at(says.source, span).replace('@', " ");
        let text = format!("{}: {formula}", says.text);
        let clause = format!("{} {formula}", says.begins);
        let at_call = expr(ExprKind::Truth(says.at_call), span);
        let (text, clause) = (text_of(&text, span), text_of(&clause, span));
        let mut arguments = vec![condition, text, clause, at_call];
        for (written, name) in &self.bound {
            arguments.extend([text_of(written, span), named(name, span)]);
        }
        effect(call(CLAUSE, arguments, span))
    }

    fn flag(&mut self) -> String {
        self.flags += 1;
        format!("holds {}", self.flags)
    }
}

fn named_as(quantified: &Quantified) -> Vec<(String, String)> {
    quantified.variables.iter().map(|one| (one.written.clone(), one.name.clone())).collect()
}

fn flagged(flag: &str, span: Span) -> Statement {
    let no = Initializer::Value(expr(ExprKind::Truth(false), span));
    declared(variable(flag, (TypeName::Bool, 0), Some(no), span), span)
}

fn assume(condition: Expr, span: Span) -> Statement {
    effect(call("__VERIFIER_assume", vec![condition], span))
}

/// A run in which a bound variable could not hold its range is cut off.
fn cut_off(bound: &Bound, span: Span) -> Option<Statement> {
    let small = |e: &Expr| matches!(e.kind, ExprKind::Number(n, _) if n < MOST as u64);
    let mut beyond = Vec::new();
    if !small(&bound.low) {
        let low = mathematical(BinaryOp::Less, bound.low.clone(), exactly(-MOST, span), span);
        beyond.push(low);
    }
    if !small(&bound.end) {
        beyond.push(mathematical(BinaryOp::Less, exactly(MOST, span), bound.end.clone(), span));
    }
    let beyond = beyond.into_iter().reduce(|one, other| binary(BinaryOp::LogicalOr, one, other))?;
    Some(statement(StatementKind::CutOff(beyond), span))
}

/// Loops over the ranges of bound variables, as long as `going` holds.
pub(super) fn over(
    variables: &[Bound],
    going: Option<&Expr>,
    inner: Vec<Statement>,
    span: Span,
) -> Vec<Statement> {
    let mut made = inner;
    for bound in variables.iter().rev() {
        let name = || named(&bound.name, span);
        let mut statements = vec![declared(variable(&bound.name, (BOUND, 0), None, span), span)];
        statements.extend(cut_off(bound, span));
        let as_bound = |e: Expr| expr(ExprKind::Cast(BOUND, Box::new(e)), span);
        statements.push(effect(assign(name(), as_bound(bound.low.clone()))));
        let mut condition = mathematical(BinaryOp::Less, name(), bound.end.clone(), span);
        if let Some(going) = going {
            condition = binary(BinaryOp::LogicalAnd, going.clone(), condition);
        }
        let next = mathematical(BinaryOp::Add, name(), signed(1, span), span);
        made.push(effect(assign(name(), as_bound(next))));
        let body = Box::new(closed(made, span));
        statements.push(statement(StatementKind::While { condition, body }, span));
        made = vec![closed(statements, span)];
    }
    made
}
