//! What operators do with the types of their operands (C11 6.3, 6.5).

use super::{Parser, Result};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::Token;
use crate::tree::{Binary, Expr, ExprKind, Unary};
use crate::types::{INT, Integer, Record, Type, common};

/// A part of an object: its type, its offset in bytes, and the bits of a bit-field.
pub(super) type Part = (Type, u64, Option<(u8, u8)>);

/// A way from a struct to a member.
pub(super) type Path = Vec<Part>;

const LONG: Type = Type::Integer(Integer::Long);

impl Parser {
    pub(super) fn wrong_operands(&self, operator: &str, types: &[&Type], span: Span) -> Mistake {
        let names: Vec<String> =
            types.iter().map(|ty| format!("`{}`", ty.name(&self.tree.records))).collect();
        Mistake::new(MistakeKind::Operands(operator.to_string(), names.join(" and ")), span)
    }

    /// The value of an expression: arrays and procedures become pointers (C11 6.3.2.1).
    pub(super) fn value(&mut self, e: Expr) -> Expr {
        let span = e.span;
        match &e.ty {
            Type::Array(element, _) => {
                let ty = Type::Pointer(element.clone());
                self.address_taken(&e);
                Expr::new(ExprKind::Address(Box::new(e)), ty, span)
            }
            Type::Procedure(_) => {
                let ty = e.ty.clone().pointer();
                Expr::new(ExprKind::Address(Box::new(e)), ty, span)
            }
            _ => e,
        }
    }

    /// The variable of a place becomes an object of memory.
    pub(super) fn address_taken(&mut self, e: &Expr) {
        let mut e = e;
        while let ExprKind::Member(base, ..) = &e.kind {
            e = base;
        }
        if let ExprKind::Variable(id) = e.kind {
            self.tree.variables[id.index()].addressed = true;
        }
    }

    /// A value that has a truth.
    pub(super) fn scalar(&mut self, e: Expr) -> Result<Expr> {
        let e = self.value(e);
        if e.ty.is_scalar() {
            return Ok(e);
        }
        Err(self.wrong_operands("if", &[&e.ty], e.span))
    }

    /// The value as one of another type.
    pub(super) fn converted(&mut self, e: Expr, ty: &Type) -> Result<Expr> {
        let e = self.value(e);
        if e.ty == *ty {
            return Ok(e);
        }
        let fits = match (&e.ty, ty) {
            (_, Type::Void) => true,
            (from, to) if from.is_arithmetic() && to.is_arithmetic() => true,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Pointer(_), Type::Integer(_)) | (Type::Integer(_), Type::Pointer(_)) => true,
            _ => false,
        };
        if !fits {
            let records = &self.tree.records;
            let kind = MistakeKind::Conversion(e.ty.name(records), ty.name(records));
            return Err(Mistake::new(kind, e.span));
        }
        Ok(converted_value(e, ty))
    }

    /// An argument of a procedure of which nothing is known (C11 6.5.2.2).
    pub(super) fn promoted(&mut self, e: Expr) -> Result<Expr> {
        let e = self.value(e);
        match &e.ty {
            Type::Float => self.converted(e, &Type::Double),
            Type::Integer(integer) => {
                let ty = Type::Integer(bit_field_type(&e).unwrap_or(integer.promoted()));
                self.converted(e, &ty)
            }
            _ => Ok(e),
        }
    }

    pub(super) fn binary_of(
        &mut self,
        operator: Binary,
        spelt: &str,
        left: Expr,
        right: Expr,
    ) -> Result<Expr> {
        let (left, right) = (self.value(left), self.value(right));
        let span = left.span.to(right.span);
        let wrong = |parser: &Parser, l: &Expr, r: &Expr| {
            Err(parser.wrong_operands(spelt, &[&l.ty, &r.ty], span))
        };
        match (&left.ty, &right.ty) {
            (Type::Pointer(_), Type::Integer(_))
                if matches!(operator, Binary::Add | Binary::Subtract) =>
            {
                let ty = left.ty.clone();
                let mut count = self.converted(right, &LONG)?;
                if operator == Binary::Subtract {
                    let span = count.span;
                    count = Expr::new(ExprKind::Unary(Unary::Minus, Box::new(count)), LONG, span);
                }
                let kind = ExprKind::PointerAdd(Box::new(left), Box::new(count));
                return Ok(Expr::new(kind, ty, span));
            }
            (Type::Integer(_), Type::Pointer(_)) if operator == Binary::Add => {
                return self.binary_of(operator, spelt, right, left);
            }
            (Type::Pointer(_), Type::Pointer(_)) if operator == Binary::Subtract => {
                let kind = ExprKind::PointerDifference(Box::new(left), Box::new(right));
                return Ok(Expr::new(kind, LONG, span));
            }
            (Type::Pointer(_), Type::Pointer(_) | Type::Integer(_))
            | (Type::Integer(_), Type::Pointer(_))
                if operator.compares() =>
            {
                let ty =
                    if left.ty.target().is_some() { left.ty.clone() } else { right.ty.clone() };
                let left = converted_value(left, &ty);
                let right = converted_value(right, &ty);
                let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
                return Ok(Expr::new(kind, INT, span));
            }
            _ => {}
        }
        if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) {
            let (Some(_), Some(_)) = (left.ty.integer(), right.ty.integer()) else {
                return wrong(self, &left, &right);
            };
            let left = self.promoted(left)?;
            let ty = left.ty.clone();
            let right = self.converted(right, &INT)?;
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            return Ok(Expr::new(kind, ty, span));
        }
        let (left, right) = (narrow(left), narrow(right));
        let integers =
            matches!(operator, Binary::Remainder | Binary::And | Binary::Or | Binary::Xor);
        let ty = match common(&left.ty, &right.ty) {
            Some(ty) if !integers || ty.integer().is_some() => ty,
            _ => return wrong(self, &left, &right),
        };
        let (left, right) = (converted_value(left, &ty), converted_value(right, &ty));
        let result = if operator.compares() { INT } else { ty };
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Ok(Expr::new(kind, result, span))
    }

    /// A place that is written.
    pub(super) fn writable(&self, e: &Expr) -> Result<()> {
        let array = matches!(e.ty, Type::Array(..) | Type::Procedure(_) | Type::Void);
        if e.is_place() && !array && !matches!(e.kind, ExprKind::Text(_)) {
            return Ok(());
        }
        Err(Mistake::new(MistakeKind::NotAPlace, e.span))
    }

    /// The way to a member, through structs without a name, and which part of the whole it is in.
    pub(super) fn member_path(&self, ty: &Type, name: &Token) -> Result<(Path, u64)> {
        let found = match ty {
            Type::Record(id) => self.find_member(*id, &name.text, 8),
            _ => None,
        };
        found.ok_or_else(|| {
            let ty = ty.name(&self.tree.records);
            Mistake::new(MistakeKind::NoMember(name.text.to_string(), ty), name.span)
        })
    }

    fn find_member(
        &self,
        id: crate::types::RecordId,
        name: &str,
        deep: u32,
    ) -> Option<(Path, u64)> {
        let members = self.tree.records[id.0 as usize].members.as_ref()?;
        for (k, member) in members.iter().enumerate() {
            let step = (member.ty.clone(), member.offset, member.bits);
            if member.name == name {
                return Some((vec![step], k as u64));
            }
            if member.name.is_empty()
                && deep > 0
                && let Type::Record(inner) = &member.ty
                && let Some((path, _)) = self.find_member(*inner, name, deep - 1)
            {
                let mut whole = vec![step];
                whole.extend(path);
                return Some((whole, k as u64));
            }
        }
        None
    }
}

/// A bit-field narrower than `int` is an `int` in expressions. What is assigned to one has its
/// width still, as in gcc.
fn bit_field_type(e: &Expr) -> Option<Integer> {
    let mut e = e;
    loop {
        match &e.kind {
            ExprKind::Member(_, _, Some((_, width))) => {
                return (*width < 32 && e.ty.integer().is_some()).then_some(Integer::Int);
            }
            ExprKind::Assign(place, _)
            | ExprKind::AssignWith(_, place, _, _)
            | ExprKind::Step(_, _, place) => e = place,
            ExprKind::Comma(_, last) => e = last,
            _ => return None,
        }
    }
}

fn narrow(e: Expr) -> Expr {
    match bit_field_type(&e) {
        Some(integer) => converted_value(e, &Type::Integer(integer)),
        None => e,
    }
}

/// The value as one of another type, which it fits. Numbers are computed at once.
pub(super) fn converted_value(e: Expr, ty: &Type) -> Expr {
    if e.ty == *ty {
        return e;
    }
    let span = e.span;
    match (&e.kind, ty) {
        (ExprKind::Integer(value), Type::Integer(integer)) if e.ty.integer().is_some() => {
            Expr::new(ExprKind::Integer(integer.wrap(*value)), ty.clone(), span)
        }
        _ => Expr::new(ExprKind::Convert(Box::new(e)), ty.clone(), span),
    }
}

/// The value of an integer constant expression (C11 6.6), and of an address that is a number, as
/// old ways of saying `offsetof` have it.
pub(super) fn constant(e: &Expr, records: &[Record]) -> Option<i64> {
    let integer = match &e.ty {
        Type::Integer(integer) => *integer,
        Type::Pointer(_) => Integer::Long,
        _ => return None,
    };
    let constant = |e: &Expr| constant(e, records);
    let value = match &e.kind {
        ExprKind::Integer(value) => *value,
        ExprKind::Convert(inner) => match &inner.kind {
            ExprKind::Floating(value) => *value as i64 as u64,
            _ => constant(inner)? as u64,
        },
        ExprKind::Address(place) => place_constant(place, records)? as u64,
        ExprKind::PointerAdd(pointer, count) => {
            let size = e.ty.target()?.size(records)? as i64;
            let by = constant(count)?.wrapping_mul(size);
            constant(pointer)?.wrapping_add(by) as u64
        }
        ExprKind::Unary(operator, inner) => {
            let value = constant(inner)?;
            (match operator {
                Unary::Minus => value.wrapping_neg(),
                Unary::Complement => !value,
                Unary::Not => i64::from(value == 0),
            }) as u64
        }
        ExprKind::Binary(operator, left, right) => {
            let unsigned = !left.ty.integer().is_some_and(Integer::signed);
            let (l, r) = (constant(left)?, constant(right)?);
            binary_value(*operator, l, r, unsigned)? as u64
        }
        ExprKind::And(left, right) => u64::from(constant(left)? != 0 && constant(right)? != 0),
        ExprKind::Or(left, right) => u64::from(constant(left)? != 0 || constant(right)? != 0),
        ExprKind::Conditional(parts) => {
            let chosen = if constant(&parts[0])? != 0 { &parts[1] } else { &parts[2] };
            constant(chosen)? as u64
        }
        _ => return None,
    };
    Some(integer.wrap(value) as i64)
}

/// The address of a place behind a pointer that is a number.
fn place_constant(place: &Expr, records: &[Record]) -> Option<i64> {
    match &place.kind {
        ExprKind::Member(base, offset, None) => {
            Some(place_constant(base, records)?.wrapping_add(*offset as i64))
        }
        ExprKind::Indirect(pointer) => constant(pointer, records),
        _ => None,
    }
}

/// The value of an operator on numbers of one type, before it is wrapped; `None` for a division by
/// zero.
pub(super) fn binary_value(operator: Binary, l: i64, r: i64, unsigned: bool) -> Option<i64> {
    let (a, b) = (l as u64, r as u64);
    Some(match operator {
        Binary::Add => l.wrapping_add(r),
        Binary::Subtract => l.wrapping_sub(r),
        Binary::Multiply => l.wrapping_mul(r),
        Binary::Divide if unsigned => a.checked_div(b)? as i64,
        Binary::Divide if r == 0 => return None,
        Binary::Divide => l.wrapping_div(r),
        Binary::Remainder if unsigned => a.checked_rem(b)? as i64,
        Binary::Remainder if r == 0 => return None,
        Binary::Remainder => l.wrapping_rem(r),
        Binary::ShiftLeft => l.wrapping_shl(r as u32),
        Binary::ShiftRight if unsigned => a.wrapping_shr(r as u32) as i64,
        Binary::ShiftRight => l.wrapping_shr(r as u32),
        Binary::And => l & r,
        Binary::Or => l | r,
        Binary::Xor => l ^ r,
        Binary::Less => i64::from(if unsigned { a < b } else { l < r }),
        Binary::LessEqual => i64::from(if unsigned { a <= b } else { l <= r }),
        Binary::Greater => i64::from(if unsigned { a > b } else { l > r }),
        Binary::GreaterEqual => i64::from(if unsigned { a >= b } else { l >= r }),
        Binary::Equal => i64::from(l == r),
        Binary::NotEqual => i64::from(l != r),
    })
}
