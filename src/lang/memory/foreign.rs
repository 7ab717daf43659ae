//! Procedures without a body that get or give pointers.
//!
//! Such a procedure may write to the object that it is given, if that holds no pointers: then the
//! object holds any values. It gives back any value. `__VERIFIER_nondet_pointer` gives the null
//! pointer, or one to an object of the program that exists, or to one of its own.

use super::build::{
    assign, between, binary, cast, conditional, expr, index, name, named, number, statement, wide,
    zero,
};
use super::expressions::has_effects;
use super::heap::{plain_parameter, procedure};
use super::layout::{Object, Room};
use super::lowerer::{Lowered, Lowerer, Signature, refuse, refuse_procedure};
use super::regions::RegionId;
use super::types::{INT, Type};
use super::verifiers::ANY_POINTER;
use crate::lang::elaborate;
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Block, Branch, Expr, ExprKind, Name, Size, StatementKind, TypeName,
};

/// The pointer that is given.
const GIVEN: &str = "given pointer";

/// Most slots that such a procedure may write to.
const MOST_SLOTS: u32 = 1024;

/// Procedures of the library that read what a pointer leads to, and write nothing there.
fn only_reads(name: &str) -> bool {
    matches!(name, "write" | "send" | "open" | "creat" | "access" | "unlink" | "rmdir" | "chdir")
}

/// Those whose first argument is a name.
fn takes_name(name: &str) -> bool {
    matches!(name, "open" | "creat" | "access" | "unlink" | "rmdir" | "chdir" | "stat")
}

/// Those that are told behind a pointer how many bytes there are.
fn takes_bytes(name: &str) -> bool {
    matches!(name, "read" | "write" | "recv" | "send")
}

/// Procedures of the library that write to where a pointer leads.
fn writes(name: &str) -> bool {
    matches!(name, "read" | "recv" | "stat" | "fstat" | "pipe")
}

/// Is this procedure of the library read, given pointers?
pub(super) fn is_read(name: &str) -> bool {
    only_reads(name) || writes(name)
}

fn is_character(ty: TypeName) -> bool {
    matches!(ty, TypeName::Integer { size: Size::Char, .. })
}

impl Lowerer<'_> {
    /// A call of such a procedure; `None` if it is given no pointer, or if its name means something
    /// else.
    pub(super) fn foreign_call(
        &mut self,
        of: &Name,
        arguments: &[Expr],
        known: Option<&Signature>,
        span: Span,
    ) -> Lowered<Option<(Expr, Type)>> {
        let text = of.text.as_str();
        let other = super::calls::is_output(text) || super::calls::takes_condition(text);
        let mut of_verifier = ["__CPROVER_", "__ESBMC_", "__VERIFIER_"].iter();
        let other = other || of_verifier.any(|prefix| text.starts_with(prefix));
        if other || (!is_read(text) && elaborate::is_known(text)) {
            return Ok(None);
        }
        let result = known.map_or(Type::Scalar(INT), |signature| signature.result.clone());
        if !matches!(result, Type::Scalar(_) | Type::Void) {
            return Ok(None);
        }
        let mut points = false;
        for argument in arguments {
            let is_text = matches!(argument.kind, ExprKind::Text(_));
            points |= is_text || self.points(argument);
        }
        if !points {
            return Ok(None);
        }
        if known.is_none() && !is_read(text) {
            // It is refused by its name, for what nobody declares.
            return Ok(Some((expr(ExprKind::Call(of.clone(), Vec::new()), span), result)));
        }
        let mut parts = Vec::with_capacity(arguments.len() + 1);
        for (k, argument) in arguments.iter().enumerate() {
            parts.extend(self.touched(text, argument, arguments.get(k + 1))?);
            let is_text = matches!(argument.kind, ExprKind::Text(_));
            if is_text || self.is_zero(argument) {
                continue;
            }
            let (value, ty) = self.value(argument)?;
            parts.push(match ty {
                Type::Pointer(to, _) if matches!(*to, Type::Procedure(_)) => value,
                Type::Pointer(_, region) if !only_reads(text) => {
                    self.written_by(value, region, text, argument.span)?
                }
                Type::Other(_) => return Ok(None),
                _ => value,
            });
        }
        parts.push(match &result {
            Type::Scalar(ty) => {
                let any = name("__VERIFIER_nondet_ulong", span);
                cast(*ty, expr(ExprKind::Call(any, Vec::new()), span))
            }
            _ => cast(TypeName::Void, zero(span)),
        });
        Ok(Some((expr(ExprKind::Comma(parts), span), result)))
    }

    /// What the library touches of characters that it is given: the first one of a name, the last
    /// one of so many bytes. `None` if it touches nothing there, or this is not known.
    fn touched(
        &mut self,
        text: &str,
        argument: &Expr,
        count: Option<&Expr>,
    ) -> Lowered<Option<Expr>> {
        let is_character = match self.static_type(argument) {
            Some(Type::Pointer(to, _)) => matches!(*to, Type::Scalar(ty) if is_character(ty)),
            Some(Type::Array(of, _)) => matches!(*of, Type::Scalar(ty) if is_character(ty)),
            _ => false,
        };
        let is_text = matches!(argument.kind, ExprKind::Text(_));
        if !is_character || is_text || has_effects(argument) {
            return Ok(None);
        }
        let span = argument.span;
        if takes_name(text) {
            return self.value(&index(argument.clone(), zero(span))).map(|(e, _)| Some(e));
        }
        let Some(count) = count.filter(|count| takes_bytes(text) && !has_effects(count)) else {
            return Ok(None);
        };
        let last = binary(BinaryOp::Subtract, count.clone(), number(1, INT, span));
        let place = index(argument.clone(), last);
        // What is written takes any value afterwards. Of what is sent only the place is looked at.
        let touched = match writes(text) {
            true => assign(place, zero(span), span),
            false => {
                let address = expr(ExprKind::Address(Box::new(place)), span);
                binary(BinaryOp::NotEqual, address, zero(span))
            }
        };
        let none = binary(BinaryOp::Equal, count.clone(), zero(span));
        self.value(&conditional(none, zero(span), touched)).map(|(e, _)| Some(e))
    }

    /// Is it a pointer, or an array?
    fn points(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::PointerCast(..) | ExprKind::Address(_) => true,
            _ => matches!(self.static_type(e), Some(Type::Pointer(..) | Type::Array(..))),
        }
    }

    /// The object to which a pointer leads takes any values.
    fn written_by(
        &mut self,
        pointer: Expr,
        region: RegionId,
        text: &str,
        span: Span,
    ) -> Lowered<Expr> {
        let Some(room) = self.room(region).cloned() else { return Ok(pointer) };
        let mut inner = Vec::new();
        for kind in self.regions.kinds(region) {
            self.pointers_in(&kind, &mut inner, 0);
        }
        let writable = room.objects.iter().filter(|object| !object.constant);
        let count = writable.map(|object| object.slots).fold(0, u32::saturating_add);
        if room.numeric || !inner.is_empty() || count > MOST_SLOTS {
            return refuse_procedure(span, text);
        }
        let made = format!("what is given of {}", room.name);
        if !self.made.contains_key(&made) {
            let item = self.writing(&made, &room, span)?;
            self.made.insert(made.clone(), item);
        }
        Ok(expr(ExprKind::Call(name(&made, span), vec![pointer]), span))
    }

    /// The procedure that gives the object of a pointer any values.
    fn writing(
        &mut self,
        made: &str,
        room: &Room,
        span: Span,
    ) -> Lowered<crate::lang::syntax::Item> {
        let (given, ty) = (named(GIVEN, span), room.pointer());
        let mut branches = Vec::new();
        for object in room.objects.iter().filter(|object| !object.constant && object.slots > 0) {
            let (first, last) = (u64::from(object.first), u64::from(object.first + object.slots));
            let mut changes = Vec::new();
            for slot in first..last {
                let at = number(slot, super::types::unsigned(16), span);
                let place = index(named(&room.name, span), at);
                self.fresh_values(place, &room.element, false, &mut changes, span)?;
            }
            let block = Block { statements: super::build::forget(changes, span), end: span };
            branches.push(Branch {
                condition: between(&given, room.code(first), room.code(last) - 1, ty),
                then: statement(StatementKind::Block(block), span),
                head: span,
            });
        }
        let mut statements = Vec::new();
        if !branches.is_empty() {
            statements.push(statement(StatementKind::If { branches, otherwise: None }, span));
        }
        let parameter = plain_parameter(GIVEN, ty, span);
        Ok(procedure(made, TypeName::Void, vec![parameter], statements, span))
    }

    /// `__VERIFIER_nondet_pointer()`
    pub(super) fn any_pointer(&mut self, span: Span) -> Lowered<(Expr, Type)> {
        let ty = self.pointer_to(Type::Void);
        let key = self.key();
        let Type::Pointer(_, region) = ty else { return refuse(span, "this pointer") };
        let own = Object::single(region, ANY_POINTER, span);
        self.objects.entry(key).or_insert(own);
        let Some(room) = self.room(region).cloned() else { return Ok((zero(span), ty)) };
        let written = room.pointer();
        let mut value = number(0, written, span);
        for object in room.objects.iter().filter(|object| !object.constant) {
            let mut taken = expr(ExprKind::Choice, span);
            if let Some(flag) = object.flag {
                taken = binary(BinaryOp::LogicalAnd, taken, self.flag(&room, flag, span));
            }
            let start = number(room.code(u64::from(object.first)), written, span);
            value = conditional(taken, start, value);
        }
        Ok((cast(written, wide(value)), ty))
    }
}
