//! Members that are spelt as addresses: `*((struct node **)((unsigned int)p + 4))` is `p->next`
//! where `next` stands four bytes behind the start of what `p` points to. So tools spell members
//! (CIL) and people do who cast a pointer to a struct to one to its first member.
//!
//! An address with its type known needs no memory of bytes, and a pointer stays the number of a
//! slot. What no member of the right type stands at is left as it is.

use super::build::{expr, name, zero};
use super::lowerer::Lowerer;
use super::surface::{self, Shape};
use super::temporaries;
use super::types::{Type, bits_of};
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, File, Item, PointedType, TypeName};
use crate::wire::options::EffectiveOptions;
use rustc_hash::FxHashMap;

/// Deepest expression whose type is looked for, and most structs inside one another.
const MOST_DEPTH: u16 = 48;

/// Writes members in the place of addresses, in all procedures.
pub(super) fn recover(source: &str, file: &mut File, options: &EffectiveOptions) {
    let mut items = std::mem::take(&mut file.items);
    // Only sizes are asked of it.
    let mut sizes = Lowerer::new(source, file, options);
    let declared = File { items: std::mem::take(&mut items), ..File::default() };
    let globals = surface::globals(&declared);
    items = declared.items;
    for item in &mut items {
        let Item::Function(function) = item else { continue };
        let (shapes, own) = surface::locals(function, &globals);
        let Some(body) = &mut function.body else { continue };
        if !file.has_statement_expressions {
            temporaries::replace(body, &shapes, &own);
        }
        let mut reader = Reader { sizes: &mut sizes, file, shapes: &shapes };
        for statement in &mut body.statements {
            surface::each_expression_mut(statement, &mut |e| reader.rewrite(e, MOST_DEPTH));
        }
    }
    file.items = items;
}

/// What is known where an expression stands.
struct Reader<'r, 'f> {
    sizes: &'r mut Lowerer<'f>,
    file: &'r File,
    shapes: &'r FxHashMap<String, Shape>,
}

/// A pointer, what it points to, and so many bytes behind it.
struct Offset {
    base: Expr,
    to: Shape,
    bytes: i128,
}

impl Reader<'_, '_> {
    fn shape(&self, e: &Expr) -> Option<Shape> {
        surface::shape(e, self.shapes, self.file, MOST_DEPTH)
    }

    fn rewrite(&mut self, e: &mut Expr, depth: u16) {
        if depth == 0 {
            return;
        }
        let mut children = Vec::new();
        e.children_mut(&mut children);
        children.into_iter().for_each(|child| self.rewrite(child, depth - 1));
        if let Some(kind) = self.rewritten(e) {
            e.kind = kind;
        }
        let span = e.span;
        *e = expr(std::mem::replace(&mut e.kind, ExprKind::Choice), span);
    }

    fn rewritten(&mut self, e: &Expr) -> Option<ExprKind> {
        match &e.kind {
            ExprKind::Indirect(pointer) => match &pointer.kind {
                ExprKind::Address(place) => Some(place.kind.clone()),
                ExprKind::PointerCast(to, address) => {
                    let wanted = pointed(to)?;
                    let offset = self.offset(address)?;
                    self.place(offset, &wanted, e).map(|place| place.kind)
                }
                _ => None,
            },
            // A pointer that was a number in between.
            ExprKind::PointerCast(to, address) if self.is_counted(address) => {
                let wanted = pointed(to)?;
                let offset = self.offset(address)?;
                if offset.bytes == 0 && offset.to == wanted {
                    return Some(offset.base.kind);
                }
                let place = self.place(offset, &wanted, e)?;
                Some(ExprKind::Address(Box::new(place)))
            }
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
                let (one, other) = (self.compared(left)?, self.compared(right)?);
                let is_void =
                    |s: &Option<Shape>| s.as_ref().is_none_or(|s| s.name == TypeName::Void);
                let fit = one.1 == other.1 || is_void(&one.1) || is_void(&other.1);
                let is_pointer = one.1.is_some() || other.1.is_some();
                (fit && is_pointer)
                    .then(|| ExprKind::Binary(*op, Box::new(one.0), Box::new(other.0)))
            }
            _ => None,
        }
    }

    /// Has a number as many bits as an address?
    fn is_wide(&self, name: TypeName) -> bool {
        matches!(name, TypeName::Integer { .. } | TypeName::Exact { .. })
            && bits_of(name, self.sizes.int) == self.sizes.pointer_bits()
    }

    /// Is it a number, or a sum?
    fn is_counted(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::PointerCast(_, inner) => self.is_counted(inner),
            ExprKind::Cast(name, _) => self.is_wide(*name),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, ..) => true,
            _ => false,
        }
    }

    /// A side of a comparison: a pointer, which may have become a number, with its type; `None` for
    /// the type of the null pointer.
    fn compared(&self, e: &Expr) -> Option<(Expr, Option<Shape>)> {
        let mut inner = e;
        while let ExprKind::Cast(name, under) = &inner.kind {
            if !self.is_wide(*name) {
                return None;
            }
            inner = under;
        }
        if self.sizes.is_zero(inner) {
            let null = PointedType { type_name: TypeName::Void, pointers: 1, other: false };
            let null = ExprKind::PointerCast(null, Box::new(zero(e.span)));
            return Some((expr(null, e.span), None));
        }
        let shape = self.shape(inner).filter(Shape::is_pointer)?;
        Some((inner.clone(), Some(shape)))
    }

    /// An address as a pointer and an offset.
    fn offset(&mut self, e: &Expr) -> Option<Offset> {
        match &e.kind {
            ExprKind::Cast(name, inner) if self.is_wide(*name) => self.offset(inner),
            ExprKind::PointerCast(_, inner) => self.offset(inner),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let steps = self.sizes.constant(right)?;
                let unit = match self.shape(left).filter(Shape::is_pointer) {
                    Some(pointer) => self.bytes(&pointer.inner()?)?,
                    None => 1,
                };
                let mut offset = self.offset(left)?;
                let more = steps.checked_mul(i128::from(unit))?;
                offset.bytes = match op {
                    BinaryOp::Add => offset.bytes.checked_add(more)?,
                    _ => offset.bytes.checked_sub(more)?,
                };
                Some(offset)
            }
            _ => {
                let pointer = self.shape(e).filter(Shape::is_pointer)?;
                Some(Offset { base: e.clone(), to: pointer.inner()?, bytes: 0 })
            }
        }
    }

    fn bytes(&mut self, shape: &Shape) -> Option<u64> {
        if shape.stars > 0 {
            return Some(self.sizes.pointer_bytes()).filter(|_| shape.extents.is_empty());
        }
        match (shape.name, shape.extents.is_empty()) {
            (_, false) => None,
            (TypeName::Void, _) => Some(1),
            (TypeName::Struct(id), _) => self.sizes.layout_of(id).map(|layout| layout.bytes),
            (name @ (TypeName::Bool | TypeName::Integer { .. } | TypeName::Exact { .. }), _) => {
                self.sizes.bytes(&Type::Scalar(name))
            }
            _ => None,
        }
    }

    /// The place of the wanted type at an offset.
    fn place(&mut self, offset: Offset, wanted: &Shape, e: &Expr) -> Option<Expr> {
        let bytes = u64::try_from(offset.bytes).ok()?;
        let start = match offset.base.kind {
            ExprKind::Address(place) => *place,
            _ => expr(ExprKind::Indirect(Box::new(offset.base)), e.span),
        };
        let place = self.part(start, &offset.to, bytes, wanted, MOST_DEPTH)?;
        Some(Expr { span: e.span, ..place })
    }

    fn part(
        &mut self,
        place: Expr,
        shape: &Shape,
        bytes: u64,
        wanted: &Shape,
        depth: u16,
    ) -> Option<Expr> {
        if shape == wanted && bytes == 0 {
            return Some(place);
        }
        let (TypeName::Struct(id), 0, true, true) =
            (shape.name, shape.stars, shape.extents.is_empty(), depth > 0)
        else {
            return None;
        };
        for member in self.sizes.layout_of(id)?.members {
            let (Some(shape), None) = (declared(&member.ty), member.bits) else { continue };
            let Some(rest) = bytes.checked_sub(member.offset) else { continue };
            if member.name.is_empty() {
                continue;
            }
            let member = name(&member.name, place.span);
            let inner = expr(ExprKind::Member(Box::new(place.clone()), member), place.span);
            if let Some(found) = self.part(inner, &shape, rest, wanted, depth - 1) {
                return Some(found);
            }
        }
        None
    }
}

/// What a cast to a pointer says that there is.
fn pointed(to: &PointedType) -> Option<Shape> {
    let is_known = !to.other && to.pointers > 0;
    is_known.then(|| Shape::new(to.type_name, to.pointers - 1))
}

/// A member's type as it is declared; `None` for arrays and pointers to procedures.
fn declared(ty: &Type) -> Option<Shape> {
    match ty {
        Type::Void => Some(Shape::new(TypeName::Void, 0)),
        Type::Scalar(name) => Some(Shape::new(*name, 0)),
        Type::Struct(id) => Some(Shape::new(TypeName::Struct(*id), 0)),
        Type::Pointer(to, _) => {
            let mut shape = declared(to)?;
            shape.stars += 1;
            Some(shape)
        }
        Type::Array(..) | Type::Procedure(_) | Type::Null | Type::Other(_) => None,
    }
}
