//! `\old(e)`: what is kept before a call.
//!
//! A place without bound variables is kept in a variable. Under a quantifier over `i`, whose range
//! is known before the call, the values for each `i` are kept in an array. Of other terms their
//! places are kept.

use super::checks::over;
use super::ranges::mentions;
use super::{Bound, Formula, OLD, RESULT};
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Expr, ExprKind, File, Item, Parameter, Statement, StatementKind, TypeName,
};
use crate::lang::tree::{
    array, assign, declared, effect, exactly, expr, mathematical, named, number, rebuilt, statement,
};

/// Why something is not read: its place, what it is, what to do.
pub(in crate::lang) type Refusal = (Span, String, String);

/// Most values of one array.
const MOST_VALUES: u64 = 16;

/// What is kept for the contract of one call.
pub(in crate::lang) struct Kept<'f> {
    file: &'f File,
    parameters: &'f [Parameter],
    /// Before the call.
    pub(in crate::lang) statements: Vec<Statement>,
    count: u32,
}

impl<'f> Kept<'f> {
    pub(in crate::lang) fn new(file: &'f File, parameters: &'f [Parameter]) -> Kept<'f> {
        Kept { file, parameters, statements: Vec::new(), count: 0 }
    }

    /// The formula, with kept values in the places of `\old`.
    pub(in crate::lang) fn formula(
        &mut self,
        formula: &Formula,
        around: &mut Vec<Bound>,
    ) -> Result<Formula, Refusal> {
        Ok(match formula {
            Formula::Holds(e) => Formula::Holds(rebuilt(self.term(e.clone(), around, false)?)),
            Formula::Not(inner) => Formula::Not(Box::new(self.formula(inner, around)?)),
            Formula::And(list) => Formula::And(self.formulas(list, around)?),
            Formula::Or(list) => Formula::Or(self.formulas(list, around)?),
            Formula::Implies(l, r) => {
                let l = self.formula(l, around)?;
                Formula::Implies(Box::new(l), Box::new(self.formula(r, around)?))
            }
            Formula::Equivalent(l, r) => {
                let l = self.formula(l, around)?;
                Formula::Equivalent(Box::new(l), Box::new(self.formula(r, around)?))
            }
            Formula::All(quantified) | Formula::Exists(quantified) => {
                let mut own = quantified.clone();
                let outside = around.len();
                for bound in &mut own.variables {
                    let unchanged = bound.clone();
                    bound.low = rebuilt(self.term(bound.low.clone(), around, false)?);
                    bound.end = rebuilt(self.term(bound.end.clone(), around, false)?);
                    around.push(unchanged);
                }
                let body = self.formula(&own.body, around);
                around.truncate(outside);
                own.body = body?;
                match formula {
                    Formula::All(_) => Formula::All(own),
                    _ => Formula::Exists(own),
                }
            }
        })
    }

    fn formulas(
        &mut self,
        list: &[Formula],
        around: &mut Vec<Bound>,
    ) -> Result<Vec<Formula>, Refusal> {
        list.iter().map(|one| self.formula(one, around)).collect()
    }

    /// `inside`: of `\old`. Terms have bounded depth.
    fn term(&mut self, mut e: Expr, around: &[Bound], inside: bool) -> Result<Expr, Refusal> {
        if let ExprKind::Call(name, arguments) = &e.kind
            && name.text == OLD
        {
            return match arguments.first() {
                Some(inner) => self.term(inner.clone(), around, true),
                None => Ok(e),
            };
        }
        if inside {
            let is_place = matches!(
                e.kind,
                ExprKind::Name(_)
                    | ExprKind::Index(..)
                    | ExprKind::Indirect(_)
                    | ExprKind::Member(..)
            );
            if is_place {
                return self.kept(e, around);
            }
            if matches!(e.kind, ExprKind::Call(..) | ExprKind::Address(_)) {
                let what = "this term inside of `\\old`".to_string();
                return Err((e.span, what, "keep numbers and pointers".to_string()));
            }
        }
        let mut children = Vec::new();
        e.children_mut(&mut children);
        for child in children {
            let span = child.span;
            let taken = std::mem::replace(child, expr(ExprKind::Poisoned, span));
            *child = self.term(taken, around, inside)?;
        }
        Ok(e)
    }

    /// The value of a place before the call.
    fn kept(&mut self, place: Expr, around: &[Bound]) -> Result<Expr, Refusal> {
        let span = place.span;
        if let ExprKind::Name(name) = &place.kind
            && (self.parameters.iter().any(|p| p.name.as_ref().is_some_and(|n| n.text == *name))
                || around.iter().any(|bound| bound.name == *name))
        {
            // In a contract a parameter is what the call gives.
            return Ok(place);
        }
        let refuse = |what: &str, hint: &str| Err((span, what.to_string(), hint.to_string()));
        if mentions(&place, &[RESULT]) {
            return refuse("`\\result` inside of `\\old`", "it is not known before the call");
        }
        let Some(ty) = self.type_of(&place) else {
            return refuse("the type of what `\\old` keeps", "keep a number or a pointer");
        };
        if matches!(ty, (TypeName::Void | TypeName::Struct(_) | TypeName::Array(_), 0)) {
            return refuse("a struct inside of `\\old`", "keep its members");
        }
        let used: Vec<&Bound> =
            around.iter().filter(|bound| mentions(&place, &[&bound.name])).collect();
        self.count += 1;
        let name = format!("old {}", self.count);
        match used[..] {
            [] => {
                let value = crate::lang::syntax::Initializer::Value(place);
                let kept = crate::lang::tree::variable(&name, ty, Some(value), span);
                self.statements.push(declared(kept, span));
                Ok(named(&name, span))
            }
            [bound] => {
                let mut names = Vec::new();
                for e in [&bound.low, &bound.end] {
                    self.is_known_before(e, &mut names);
                }
                if !names.is_empty() {
                    let what = "`\\old` under a range that the call may change";
                    return refuse(what, "let the range depend on parameters alone");
                }
                let size = Some(number(MOST_VALUES, span));
                self.statements.push(declared(array(&name, ty, vec![size], None, span), span));
                let at = |e: Expr| mathematical(BinaryOp::Subtract, e, bound.low.clone(), span);
                let beyond = mathematical(
                    BinaryOp::Less,
                    exactly(MOST_VALUES as i64, span),
                    at(bound.end.clone()),
                    span,
                );
                self.statements.push(statement(StatementKind::CutOff(beyond), span));
                let element = |e: Expr| {
                    let kind = ExprKind::Index(Box::new(named(&name, span)), Box::new(at(e)));
                    expr(kind, span)
                };
                let own = Bound { name: format!("{} before", bound.name), ..(*bound).clone() };
                let value = renamed(place, &bound.name, &own.name);
                let store = effect(assign(element(named(&own.name, span)), value));
                self.statements.extend(over(&[own], None, vec![store], span));
                Ok(element(named(&bound.name, span)))
            }
            _ => refuse("`\\old` of two bound variables", "keep one at a time"),
        }
    }

    /// Notes what a range mentions that a call may change.
    fn is_known_before(&self, e: &Expr, changing: &mut Vec<String>) {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Name(name) => {
                    let is_own = |p: &Parameter| p.name.as_ref().is_some_and(|n| n.text == *name);
                    if !self.parameters.iter().any(is_own) && !self.is_constant(name) {
                        changing.push(name.clone());
                    }
                }
                ExprKind::Index(..) | ExprKind::Indirect(_) | ExprKind::Member(..) => {
                    changing.push(String::new());
                }
                _ => e.children(&mut stack),
            }
        }
    }

    /// Is it a constant of an enumeration?
    fn is_constant(&self, name: &str) -> bool {
        self.file.items.iter().any(|item| match item {
            Item::Declaration(declaration) => declaration
                .enumerations
                .iter()
                .flat_map(|one| &one.members)
                .any(|one| one.name.text == name),
            _ => false,
        })
    }

    /// The declared type of a place, with its stars.
    fn type_of(&self, e: &Expr) -> Option<(TypeName, u32)> {
        type_of(self.file, self.parameters, e)
    }
}

/// The declared type of a place over parameters and globals, with its stars; an extent counts as
/// one.
pub(in crate::lang) fn type_of(
    file: &File,
    parameters: &[Parameter],
    e: &Expr,
) -> Option<(TypeName, u32)> {
    let inner = |e: &Expr| type_of(file, parameters, e);
    match &e.kind {
        ExprKind::Name(name) => {
            let own = parameters.iter().find(|p| p.name.as_ref().is_some_and(|n| n.text == *name));
            if let Some(own) = own {
                return Some((own.type_name, own.pointers + own.rows.len() as u32));
            }
            file.items.iter().find_map(|item| match item {
                Item::Declaration(declaration) => {
                    let found = declaration.declarators.iter().find(|d| d.name.text == *name)?;
                    let stars = found.pointers + found.dimensions.len() as u32;
                    Some((declaration.type_name, stars))
                }
                _ => None,
            })
        }
        ExprKind::Index(base, _) | ExprKind::Indirect(base) => {
            let (ty, stars) = inner(base)?;
            Some((ty, stars.checked_sub(1)?))
        }
        ExprKind::Mathematical(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
            let points = |ty: &(TypeName, u32)| ty.1 > 0;
            inner(left).filter(points).or_else(|| inner(right).filter(points))
        }
        ExprKind::Member(base, member) => {
            let (TypeName::Struct(id), 0) = inner(base)? else { return None };
            let fields = file.structs.get(id.0 as usize)?.fields.as_ref()?;
            let found = fields.iter().find(|field| field.name.text == member.text)?;
            Some((found.type_name, found.pointers + found.dimensions.len() as u32))
        }
        _ => None,
    }
}

fn renamed(mut e: Expr, from: &str, to: &str) -> Expr {
    let mut stack = vec![&mut e];
    while let Some(e) = stack.pop() {
        if let ExprKind::Name(name) = &mut e.kind
            && name == from
        {
            *name = to.to_string();
        }
        e.children_mut(&mut stack);
    }
    e
}
