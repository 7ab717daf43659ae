//! Calls whose meaning depends on the types of their arguments: compilers' and verifiers' names.

use super::{Meaning, Parser, Result};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::Token;
use crate::tree::{Binary, Expr, ExprKind};
use crate::types::{INT, Integer, SIZE, Type, common};
use std::rc::Rc;

const BOOL: Type = Type::Integer(Integer::Bool);
const LONG: Type = Type::Integer(Integer::Long);

/// What is asked of arithmetic.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// Is the result no number of the operands' common type?
    Common,
    /// Of the type that the last argument points to, where the result goes.
    Stored,
    /// Of the type of the last argument.
    Typed,
}

/// The names that ask for an overflow.
fn overflow(name: &str) -> Option<(Binary, Asks)> {
    Some(match name {
        "__CPROVER_overflow_plus" => (Binary::Add, Asks::Common),
        "__CPROVER_overflow_minus" => (Binary::Subtract, Asks::Common),
        "__CPROVER_overflow_mult" => (Binary::Multiply, Asks::Common),
        "__builtin_add_overflow" => (Binary::Add, Asks::Stored),
        "__builtin_sub_overflow" => (Binary::Subtract, Asks::Stored),
        "__builtin_mul_overflow" => (Binary::Multiply, Asks::Stored),
        "__builtin_add_overflow_p" => (Binary::Add, Asks::Typed),
        "__builtin_sub_overflow_p" => (Binary::Subtract, Asks::Typed),
        "__builtin_mul_overflow_p" => (Binary::Multiply, Asks::Typed),
        _ => return None,
    })
}

fn is_generic(name: &str) -> bool {
    overflow(name).is_some()
        || super::atomics::is_atomic(name)
        || matches!(
            name,
            "__CPROVER_r_ok"
                | "__CPROVER_w_ok"
                | "__CPROVER_rw_ok"
                | "__CPROVER_array_copy"
                | "__CPROVER_array_equal"
                | "__CPROVER_array_replace"
                | "__CPROVER_array_set"
                | "__CPROVER_saturating_plus"
                | "__CPROVER_saturating_minus"
                | "__CPROVER_overflow_unary_minus"
                | "__builtin_constant_p"
                | "__builtin_choose_expr"
        )
}

impl Parser {
    /// A call of one of these names, which the program does not define; `None` for other names.
    pub(super) fn generic_call(&mut self, token: &Token) -> Result<Option<Expr>> {
        let name = &*token.text;
        let defined = match self.meaning(name) {
            Some(Meaning::Procedure(id)) => self.tree.procedures[id.index()].body.is_some(),
            Some(_) => true,
            None => false,
        };
        if defined || !is_generic(name) || !self.peek_at(1).is("(") {
            return Ok(None);
        }
        self.next();
        self.expect("(")?;
        let mut given = Vec::new();
        while !self.is(")") {
            given.push(self.assignment()?);
            if !self.takes(",") {
                break;
            }
        }
        let span = token.span.to(self.expect(")")?);
        self.generic(name, given, span).map(Some)
    }

    fn generic(&mut self, name: &str, given: Vec<Expr>, span: Span) -> Result<Expr> {
        if super::atomics::is_atomic(name) {
            return self.atomic(name, given, span);
        }
        let count = given.len() as u32;
        let wrong =
            |needed| Mistake::new(MistakeKind::Arguments(name.to_string(), count, needed), span);
        let mut given = given.into_iter();
        let (first, second, third, more) = (given.next(), given.next(), given.next(), given.next());
        if more.is_some() {
            return Err(wrong(3));
        }
        let number = |value: u64, ty| Expr::new(ExprKind::Integer(value), ty, span);
        match (name, first, second, third) {
            ("__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok", Some(p), size, None) => {
                let p = self.value(p);
                let target = p.ty.target().and_then(|target| target.size(&self.tree.records));
                let size = match (size, target) {
                    (Some(size), _) => size,
                    (None, Some(size)) => number(size, SIZE),
                    (None, None) => return Err(self.wrong_operands(name, &[&p.ty], span)),
                };
                self.library_call(name, vec![p, size], span)
            }
            ("__CPROVER_array_copy", Some(to), Some(from), None) => {
                // Of an array all of it, also where it is a part; of a pointer all that is behind.
                let size = |parser: &Parser, e: &Expr| match e.ty {
                    Type::Array(..) => e.ty.size(&parser.tree.records).unwrap_or(0),
                    _ => 0,
                };
                let sizes = [size(self, &to), size(self, &from)].map(|size| number(size, SIZE));
                let [room, there] = sizes;
                self.library_call("__copy_array", vec![to, from, room, there], span)
            }
            ("__CPROVER_array_equal" | "__CPROVER_array_replace", Some(a), Some(b), None) => {
                self.of_arrays(name == "__CPROVER_array_equal", a, b, span)
            }
            ("__CPROVER_array_set", Some(to), Some(value), None) => {
                let size = to.ty.size(&self.tree.records);
                let bytes = match &to.ty {
                    Type::Array(element, _) => element.size(&self.tree.records) == Some(1),
                    _ => false,
                };
                let (true, Some(size)) = (bytes, size) else {
                    let what = "`__CPROVER_array_set` of what is no array of bytes";
                    return Err(Mistake::new(MistakeKind::NotExecuted(what.into()), span));
                };
                let set = self.library_call("memset", vec![to, value, number(size, SIZE)], span)?;
                self.converted(set, &Type::Void)
            }
            (
                "__CPROVER_saturating_plus" | "__CPROVER_saturating_minus",
                Some(a),
                Some(b),
                None,
            ) => {
                let plus = name == "__CPROVER_saturating_plus";
                self.saturating(if plus { Binary::Add } else { Binary::Subtract }, a, b, span)
            }
            ("__CPROVER_overflow_unary_minus", Some(e), None, None) => {
                let e = self.promoted(e)?;
                let zero = number(0, e.ty.clone());
                self.overflows(Binary::Subtract, Asks::Common, [zero, e], None, span)
            }
            ("__builtin_constant_p", Some(e), None, None) => {
                let known = super::typing::constant(&e, &self.tree.records).is_some()
                    || matches!(e.kind, ExprKind::Floating(_) | ExprKind::Text(_));
                Ok(number(u64::from(known), INT))
            }
            ("__builtin_choose_expr", Some(condition), Some(then), Some(otherwise)) => {
                let condition = super::typing::constant(&condition, &self.tree.records);
                let condition = condition.ok_or(Mistake::new(MistakeKind::NotConstant, span))?;
                Ok(if condition != 0 { then } else { otherwise })
            }
            (_, Some(a), Some(b), last) if let Some((operator, asks)) = overflow(name) => {
                if last.is_some() == (asks == Asks::Common) {
                    return Err(wrong(if asks == Asks::Common { 2 } else { 3 }));
                }
                self.overflows(operator, asks, [a, b], last, span)
            }
            _ => Err(wrong(2)),
        }
    }

    /// A call of a procedure of the library.
    fn library_call(&mut self, name: &str, given: Vec<Expr>, span: Span) -> Result<Expr> {
        let Some(Meaning::Procedure(id)) = self.scopes[0].names.get(name).cloned() else {
            return Err(Mistake::new(MistakeKind::UnknownName(name.to_string()), span));
        };
        let signature = self.tree.procedures[id.index()].signature.clone();
        let mut arguments = Vec::with_capacity(given.len());
        for (e, ty) in given.into_iter().zip(&signature.parameters) {
            arguments.push(self.converted(e, ty)?);
        }
        let ty = signature.result.clone();
        let callee = Expr::new(ExprKind::Procedure(id), Type::Procedure(Rc::new(signature)), span);
        let callee = self.value(callee);
        Ok(Expr::new(ExprKind::Call(Box::new(callee), arguments), ty, span))
    }

    /// A variable that the program does not name, with a value: its place and the assignment.
    pub(super) fn kept(&mut self, value: Expr) -> (Expr, Expr) {
        let (ty, span) = (value.ty.clone(), value.span);
        let global = !self.is_local();
        let id = self.variable("", ty.clone(), span, global);
        let place = Expr::new(ExprKind::Variable(id), ty.clone(), span);
        let assign = ExprKind::Assign(Box::new(place.clone()), Box::new(value));
        (place, Expr::new(assign, ty, span))
    }

    pub(super) fn then(&self, first: Expr, second: Expr, span: Span) -> Expr {
        let ty = second.ty.clone();
        Expr::new(ExprKind::Comma(Box::new(first), Box::new(second)), ty, span)
    }

    /// Is the result of an operator no number of a type?
    fn overflows(
        &mut self,
        operator: Binary,
        asks: Asks,
        operands: [Expr; 2],
        last: Option<Expr>,
        span: Span,
    ) -> Result<Expr> {
        let [a, b] = operands;
        let (a, b) = (self.promoted(a)?, self.promoted(b)?);
        let last = last.map(|last| self.value(last));
        let ty = match (asks, &last) {
            (Asks::Stored, Some(place)) => place.ty.target().and_then(Type::integer),
            (_, Some(typed)) => typed.ty.integer(),
            (_, None) => common(&a.ty, &b.ty).and_then(|ty| ty.integer()),
        };
        let (Some(ty), Some(left), Some(right)) = (ty, a.ty.integer(), b.ty.integer()) else {
            return Err(self.wrong_operands("overflow", &[&a.ty, &b.ty], span));
        };
        let result = Type::Integer(ty);
        // Where the result goes.
        let (place, first) = match last {
            Some(place) if asks == Asks::Stored => {
                let (pointer, first) = self.kept(place);
                (Expr::new(ExprKind::Indirect(Box::new(pointer)), result.clone(), span), first)
            }
            _ => {
                let zero = Expr::new(ExprKind::Integer(0), result.clone(), span);
                self.kept(zero)
            }
        };
        let product = operator == Binary::Multiply;
        let both_unsigned = !left.signed() && !right.signed();
        let asked = if ty.size() <= 4
            && left.size() <= 4
            && right.size() <= 4
            && !(product && both_unsigned)
        {
            // 64 bits hold the result.
            let wide = self.binary_of(operator, "overflow", widened(a), widened(b))?;
            let (wide, computed) = self.kept(wide);
            let narrow = self.converted(wide.clone(), &result)?;
            let store = ExprKind::Assign(Box::new(place.clone()), Box::new(narrow));
            let store = Expr::new(store, result.clone(), span);
            let differs = self.binary_of(Binary::NotEqual, "!=", widened(place), wide)?;
            let stored = self.then(store, differs, span);
            self.then(computed, stored, span)
        } else if self.fits(&a, ty) && self.fits(&b, ty) && ty.size() >= 4 {
            if matches!(place.kind, ExprKind::Variable(_)) {
                self.address_taken(&place);
            }
            let pointer = result.pointer();
            let address = Expr::new(ExprKind::Address(Box::new(place)), pointer, span);
            let sign = if ty.signed() { "s" } else { "u" };
            let word = match operator {
                Binary::Add => "add",
                Binary::Subtract => "sub",
                _ => "mul",
            };
            let wide = if ty.size() == 8 { "l" } else { "" };
            let name = format!("__builtin_{sign}{word}{wide}_overflow");
            self.library_call(&name, vec![a, b, address], span)?
        } else {
            let what = "an overflow of operands that their result's type does not hold";
            return Err(Mistake::new(MistakeKind::NotExecuted(what.into()), span));
        };
        let asked = self.converted(asked, &BOOL)?;
        Ok(self.then(first, asked, span))
    }

    /// CBMC's questions and changes of two whole arrays, where their types say how long they are.
    fn of_arrays(&mut self, equal: bool, a: Expr, b: Expr, span: Span) -> Result<Expr> {
        let records = &self.tree.records;
        let sizes = (a.ty.size(records), b.ty.size(records));
        let (Type::Array(one, _), Type::Array(other, _), (Some(room), Some(there))) =
            (&a.ty, &b.ty, sizes)
        else {
            let what = "a question about arrays whose length a pointer hides";
            return Err(Mistake::new(MistakeKind::NotExecuted(what.into()), span));
        };
        let number = |value: u64, ty| Expr::new(ExprKind::Integer(value), ty, span);
        if equal {
            if one != other || room != there {
                return Ok(number(0, BOOL));
            }
            if !one.is_arithmetic() && one.target().is_none() {
                let what = "a question about arrays of what is no number";
                return Err(Mistake::new(MistakeKind::NotExecuted(what.into()), span));
            }
            let compared = self.library_call("memcmp", vec![a, b, number(room, SIZE)], span)?;
            let zero = number(0, INT);
            let same = self.binary_of(Binary::Equal, "==", compared, zero)?;
            return self.converted(same, &BOOL);
        }
        if there > room {
            let what = "`__CPROVER_array_replace` by a longer array";
            return Err(Mistake::new(MistakeKind::NotExecuted(what.into()), span));
        }
        let moved = self.library_call("memmove", vec![a, b, number(there, SIZE)], span)?;
        self.converted(moved, &Type::Void)
    }

    /// A sum or difference that stays at the end of its type which it would leave.
    fn saturating(&mut self, operator: Binary, a: Expr, b: Expr, span: Span) -> Result<Expr> {
        let (a, b) = (self.value(a), self.value(b));
        let Some(integer) = a.ty.integer().filter(|i| i.size() <= 4 && a.ty == b.ty) else {
            let what = "saturating arithmetic of other types than one of at most 32 bits";
            return Err(Mistake::new(MistakeKind::NotExecuted(what.into()), span));
        };
        let ty = a.ty.clone();
        let (low, high) = super::quantifiers::extremes(integer);
        let number = |value: i128| Expr::new(ExprKind::Integer(value as i64 as u64), LONG, span);
        let wide = self.binary_of(operator, "saturating", widened(a), widened(b))?;
        let (wide, computed) = self.kept(wide);
        let below = self.binary_of(Binary::Less, "<", wide.clone(), number(low))?;
        let above = self.binary_of(Binary::Greater, ">", wide.clone(), number(high))?;
        let upper = ExprKind::Conditional(Box::new([above, number(high), wide]));
        let upper = Expr::new(upper, LONG, span);
        let chosen = ExprKind::Conditional(Box::new([below, number(low), upper]));
        let chosen = self.converted(Expr::new(chosen, LONG, span), &ty)?;
        Ok(self.then(computed, chosen, span))
    }

    /// Is every value of the operand a number of the type?
    fn fits(&self, e: &Expr, ty: Integer) -> bool {
        let Some(own) = e.ty.integer() else { return false };
        if let Some(value) = super::typing::constant(e, &self.tree.records) {
            return ty.wrap(value as u64) == value as u64
                && (value >= 0 || ty.signed() && own.signed());
        }
        match (own.signed(), ty.signed()) {
            (true, false) => false,
            (false, true) => own.size() < ty.size(),
            _ => own.size() <= ty.size(),
        }
    }
}

/// A number of at most 32 bits as one of 64.
fn widened(e: Expr) -> Expr {
    super::typing::converted_value(e, &LONG)
}
