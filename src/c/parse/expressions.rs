//! Expressions from assignments down to binary operators (C11 6.5).

use super::{Parser, Result};
use crate::mistake::{Mistake, MistakeKind};
use crate::token::Kind;
use crate::tree::{Binary, Expr, ExprKind, Unary};
use crate::types::{INT, Type, common};

/// The binary operators with how tightly they bind.
const OPERATORS: [(&str, u32, Option<Binary>); 18] = [
    ("||", 1, None),
    ("&&", 2, None),
    ("|", 3, Some(Binary::Or)),
    ("^", 4, Some(Binary::Xor)),
    ("&", 5, Some(Binary::And)),
    ("==", 6, Some(Binary::Equal)),
    ("!=", 6, Some(Binary::NotEqual)),
    ("<", 7, Some(Binary::Less)),
    ("<=", 7, Some(Binary::LessEqual)),
    (">", 7, Some(Binary::Greater)),
    (">=", 7, Some(Binary::GreaterEqual)),
    ("<<", 8, Some(Binary::ShiftLeft)),
    (">>", 8, Some(Binary::ShiftRight)),
    ("+", 9, Some(Binary::Add)),
    ("-", 9, Some(Binary::Subtract)),
    ("*", 10, Some(Binary::Multiply)),
    ("/", 10, Some(Binary::Divide)),
    ("%", 10, Some(Binary::Remainder)),
];

impl Parser {
    /// With commas.
    pub(super) fn expression(&mut self) -> Result<Expr> {
        let mut left = self.assignment()?;
        while self.takes(",") {
            let right = self.assignment()?;
            let right = self.value(right);
            let (ty, span) = (right.ty.clone(), left.span.to(right.span));
            left = Expr::new(ExprKind::Comma(Box::new(left), Box::new(right)), ty, span);
        }
        Ok(left)
    }

    /// A number that the text determines.
    pub(super) fn constant(&mut self) -> Result<i64> {
        let e = self.conditional()?;
        super::typing::constant(&e, &self.tree.records)
            .ok_or_else(|| Mistake::new(MistakeKind::NotConstant, e.span))
    }

    /// Without commas.
    pub(super) fn assignment(&mut self) -> Result<Expr> {
        self.nested(Parser::assignment_here)
    }

    fn assignment_here(&mut self) -> Result<Expr> {
        let left = self.conditional()?;
        if self.takes("=") {
            self.no_effects_here(left.span)?;
            self.writable(&left)?;
            let right = self.assignment()?;
            let right = self.converted(right, &left.ty)?;
            let (ty, span) = (left.ty.clone(), left.span.to(right.span));
            return Ok(Expr::new(ExprKind::Assign(Box::new(left), Box::new(right)), ty, span));
        }
        let token = self.peek().clone();
        let operator = token
            .text
            .strip_suffix('=')
            .filter(|_| token.kind == Kind::Punctuator)
            .and_then(|text| OPERATORS.iter().find(|entry| entry.0 == text))
            .and_then(|entry| entry.2)
            // `<=`, `!=` are no assignments; `<<=` is.
            .filter(|operator| !operator.compares());
        let Some(operator) = operator else { return Ok(left) };
        self.next();
        self.no_effects_here(left.span)?;
        self.writable(&left)?;
        let right = self.assignment()?;
        let right = self.value(right);
        self.assign_with(operator, &token.text, left, right)
    }

    fn assign_with(
        &mut self,
        operator: Binary,
        spelt: &str,
        left: Expr,
        right: Expr,
    ) -> Result<Expr> {
        let (ty, span) = (left.ty.clone(), left.span.to(right.span));
        let moves = matches!(operator, Binary::Add | Binary::Subtract);
        let shifts = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
        let integers =
            !matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide);
        let whole = ty.integer().is_some() && right.ty.integer().is_some();
        let wrong = self.wrong_operands(spelt, &[&ty, &right.ty], span);
        let (right, computed) = match &ty {
            Type::Pointer(_) if moves && right.ty.integer().is_some() => {
                (self.converted(right, &Type::Integer(crate::types::Integer::Long))?, None)
            }
            Type::Integer(integer) if shifts && whole => {
                let computed = Type::Integer(integer.promoted());
                (self.converted(right, &INT)?, Some(computed))
            }
            _ if shifts || integers && !whole => return Err(wrong),
            _ => {
                let computed = common(&ty, &right.ty).ok_or(wrong)?;
                (self.converted(right, &computed)?, Some(computed))
            }
        };
        let kind = ExprKind::AssignWith(operator, Box::new(left), Box::new(right), computed);
        Ok(Expr::new(kind, ty, span))
    }

    fn conditional(&mut self) -> Result<Expr> {
        let condition = self.implication()?;
        if !self.takes("?") {
            return Ok(condition);
        }
        let condition = self.scalar(condition)?;
        let (then, otherwise);
        if self.takes(":") {
            // GNU: `a ?: b` is `(t = a) ? t : b`, since `a` is evaluated once.
            let condition = self.value(condition);
            let (ty, span) = (condition.ty.clone(), condition.span);
            let global = !self.is_local();
            let id = self.variable("", ty.clone(), span, global);
            let place = Expr::new(ExprKind::Variable(id), ty.clone(), span);
            let assign = ExprKind::Assign(Box::new(place.clone()), Box::new(condition));
            let first = Expr::new(assign, ty, span);
            let otherwise = self.nested(Parser::conditional)?;
            return self.choice(first, place, otherwise);
        } else {
            then = self.nested(Parser::expression)?;
            self.expect(":")?;
            otherwise = self.nested(Parser::conditional)?;
        }
        self.choice(condition, then, otherwise)
    }

    /// `condition ? then : otherwise`
    fn choice(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Result<Expr> {
        let (then, otherwise) = (self.value(then), self.value(otherwise));
        let span = condition.span.to(otherwise.span);
        let ty = match (&then.ty, &otherwise.ty) {
            (l, r) if l == r && !l.is_arithmetic() => l.clone(),
            (Type::Pointer(target), Type::Pointer(_)) if **target != Type::Void => then.ty.clone(),
            (Type::Pointer(_), Type::Pointer(_)) => otherwise.ty.clone(),
            (Type::Pointer(_), Type::Integer(_)) => then.ty.clone(),
            (Type::Integer(_), Type::Pointer(_)) => otherwise.ty.clone(),
            (Type::Void, _) | (_, Type::Void) => Type::Void,
            (l, r) => common(l, r).ok_or_else(|| self.wrong_operands("?:", &[l, r], span))?,
        };
        let (then, otherwise) = (self.converted(then, &ty)?, self.converted(otherwise, &ty)?);
        let kind = ExprKind::Conditional(Box::new([condition, then, otherwise]));
        Ok(Expr::new(kind, ty, span))
    }

    pub(super) fn binary(&mut self, least: u32) -> Result<Expr> {
        let mut left = self.cast()?;
        // A chain of operators is a tree as deep as it is long.
        let mut length = 0;
        loop {
            let token = self.peek();
            if token.kind != Kind::Punctuator {
                return Ok(left);
            }
            let Some((spelt, level, operator)) =
                OPERATORS.iter().find(|entry| *entry.0 == *token.text).copied()
            else {
                return Ok(left);
            };
            if level < least {
                return Ok(left);
            }
            length += 1;
            if length > 2000 {
                return Err(Mistake::new(MistakeKind::TooLarge, left.span));
            }
            self.next();
            let right = self.binary(level + 1)?;
            left = match operator {
                Some(operator) => self.binary_of(operator, spelt, left, right)?,
                None => {
                    let (l, r) = (self.scalar(left)?, self.scalar(right)?);
                    let span = l.span.to(r.span);
                    let (l, r) = (Box::new(l), Box::new(r));
                    let kind = if level == 1 { ExprKind::Or(l, r) } else { ExprKind::And(l, r) };
                    Expr::new(kind, INT, span)
                }
            };
        }
    }

    /// A cast, or an operator before its operand.
    pub(super) fn cast(&mut self) -> Result<Expr> {
        self.nested(Parser::cast_here)
    }

    fn cast_here(&mut self) -> Result<Expr> {
        let start = self.peek().span;
        if self.is("(") && self.begins_type(1) {
            self.next();
            let ty = self.type_name()?;
            self.expect(")")?;
            if self.is("{") {
                let literal = self.compound_literal(ty, start)?;
                return self.postfix(literal);
            }
            let inner = self.cast()?;
            let inner = self.value(inner);
            let span = start.to(inner.span);
            let mut e = self.converted(inner, &ty)?;
            e.span = span;
            // A cast to its own type is no place.
            if e.is_place() {
                e = Expr::new(ExprKind::Convert(Box::new(e)), ty, span);
            }
            return Ok(e);
        }
        let token = self.peek().clone();
        let spelt =
            if matches!(token.kind, Kind::Punctuator | Kind::Word) { &*token.text } else { "" };
        match spelt {
            "+" | "-" | "~" | "!" => {
                self.next();
                let inner = self.cast()?;
                self.unary(spelt, inner, start)
            }
            "*" => {
                self.next();
                let inner = self.cast()?;
                let inner = self.value(inner);
                let span = start.to(inner.span);
                self.indirect(inner, span)
            }
            "&" => {
                self.next();
                let inner = self.cast()?;
                let span = start.to(inner.span);
                if matches!(inner.ty, Type::Procedure(_)) {
                    return Ok(self.value(inner));
                }
                if !inner.is_place() || matches!(inner.kind, ExprKind::Member(_, _, Some(_))) {
                    return Err(Mistake::new(MistakeKind::NotAPlace, span));
                }
                self.address_taken(&inner);
                let ty = inner.ty.clone().pointer();
                Ok(Expr::new(ExprKind::Address(Box::new(inner)), ty, span))
            }
            "++" | "--" => {
                self.next();
                let inner = self.cast()?;
                let span = start.to(inner.span);
                self.step(spelt == "++", true, inner, span)
            }
            "sizeof" | "_Alignof" => {
                self.next();
                self.size_of(spelt == "sizeof", start)
            }
            "__extension__" => {
                self.next();
                self.cast()
            }
            _ => {
                let primary = self.primary()?;
                self.postfix(primary)
            }
        }
    }

    fn unary(&mut self, spelt: &str, inner: Expr, start: crate::span::Span) -> Result<Expr> {
        if spelt == "!" {
            let inner = self.scalar(inner)?;
            let span = start.to(inner.span);
            return Ok(Expr::new(ExprKind::Unary(Unary::Not, Box::new(inner)), INT, span));
        }
        let inner = self.value(inner);
        let inner = if inner.ty.integer().is_some() { self.promoted(inner)? } else { inner };
        let span = start.to(inner.span);
        let fits = inner.ty.is_arithmetic() && (spelt != "~" || inner.ty.integer().is_some());
        if !fits {
            return Err(self.wrong_operands(spelt, &[&inner.ty], span));
        }
        let ty = inner.ty.clone();
        match (spelt, &inner.kind) {
            ("+", _) => Ok(Expr { span, ..inner }),
            ("-", ExprKind::Floating(value)) => Ok(Expr::new(ExprKind::Floating(-value), ty, span)),
            ("-", _) => Ok(Expr::new(ExprKind::Unary(Unary::Minus, Box::new(inner)), ty, span)),
            _ => Ok(Expr::new(ExprKind::Unary(Unary::Complement, Box::new(inner)), ty, span)),
        }
    }

    pub(super) fn indirect(&mut self, pointer: Expr, span: crate::span::Span) -> Result<Expr> {
        let Some(target) = pointer.ty.target().cloned() else {
            return Err(self.wrong_operands("*", &[&pointer.ty], span));
        };
        // `*f` of a procedure is the procedure again.
        Ok(Expr::new(ExprKind::Indirect(Box::new(pointer)), target, span))
    }

    pub(super) fn step(
        &mut self,
        up: bool,
        before: bool,
        place: Expr,
        span: crate::span::Span,
    ) -> Result<Expr> {
        self.no_effects_here(span)?;
        self.writable(&place)?;
        if !place.ty.is_scalar() {
            return Err(self.wrong_operands("++", &[&place.ty], span));
        }
        let ty = place.ty.clone();
        Ok(Expr::new(ExprKind::Step(up, before, Box::new(place)), ty, span))
    }
}
