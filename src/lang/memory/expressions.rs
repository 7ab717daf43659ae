//! Expressions: each gives its new tree and its type.

use super::build::{cast, conditional, expr, number, zero};
use super::lowerer::{Lowered, Lowerer, MOST_DEPTH, refuse};
use super::pointers::Use;
use super::regions::RegionId;
use super::types::{INT, LONG, Type, bits_of, unsigned};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Handle, Spelling, Text, TypeName, UnaryOp};

/// What becomes of an operator on two numbers.
type OfNumbers = fn(BinaryOp, Box<Expr>, Box<Expr>) -> ExprKind;

impl Lowerer<'_> {
    /// A value. Arrays become pointers to their first elements.
    pub(super) fn value(&mut self, e: &Expr) -> Lowered<(Expr, Type)> {
        if e.depth > MOST_DEPTH {
            return refuse(e.span, "an expression that nests this deep");
        }
        let int = Type::Scalar(INT);
        match &e.kind {
            ExprKind::Number(n, spelling) => Ok((e.clone(), self.literal_type(*n, *spelling))),
            ExprKind::Truth(_) | ExprKind::Choice => Ok((e.clone(), int)),
            ExprKind::Exactly(_, name) => Ok((e.clone(), Type::Scalar(*name))),
            ExprKind::Name(name) => match self.find(name) {
                Some(_) => self.read(e),
                None if name == "NULL" => Ok((zero(e.span), Type::Null)),
                None if name.starts_with("PTHREAD_MUTEX_INITIALIZER") => {
                    let free = TypeName::Handle(Handle::Mutex);
                    Ok((number(0, free, e.span), Type::Scalar(free)))
                }
                None if self.signatures.contains_key(name) => self.procedure(name, e.span),
                None => Ok((e.clone(), int)),
            },
            // A procedure and a pointer to it are the same value.
            ExprKind::Indirect(inner) if self.names_procedure(inner) => self.value(inner),
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Indirect(_) => self.read(e),
            ExprKind::Text(text) => self.literal(text, e.span),
            ExprKind::Call(name, arguments) => self.call(name, arguments, e),
            ExprKind::Through(procedure, arguments) => {
                self.call_through(procedure, arguments, e.span)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let inner = self.condition(inner)?;
                Ok((expr(ExprKind::Unary(UnaryOp::Not, Box::new(inner)), e.span), int))
            }
            ExprKind::Unary(op, inner) => {
                let (inner, ty) = self.scalar(inner)?;
                let ty = self.promoted(&ty, &Type::Scalar(INT));
                Ok((expr(ExprKind::Unary(*op, Box::new(inner)), e.span), ty))
            }
            ExprKind::Binary(op, left, right) => {
                self.binary(*op, left, right, ExprKind::Binary, e.span)
            }
            ExprKind::Mathematical(op, left, right) => {
                self.binary(*op, left, right, ExprKind::Mathematical, e.span)
            }
            ExprKind::Conditional(parts) => self.conditional(parts, e.span),
            ExprKind::Otherwise(_) => {
                let mut copy = e.clone();
                let ExprKind::Otherwise(parts) = &mut copy.kind else { return Ok((copy, int)) };
                for part in parts.iter_mut() {
                    *part = self.scalar(part)?.0;
                }
                Ok((copy, int))
            }
            ExprKind::Assign(op, place, value) => self.assignment(*op, place, value, e.span),
            ExprKind::Step { up, prefix, place } => self.step(*up, *prefix, place, e),
            ExprKind::Cast(name, inner) => match self.offset_in(inner) {
                Some(bytes) => Ok((number(bytes, *name, e.span), Type::Scalar(*name))),
                None => self.cast(*name, inner, e.span),
            },
            ExprKind::PointerCast(to, inner) => self.pointer_cast(*to, inner, e.span),
            ExprKind::Address(place) => self.address(place),
            ExprKind::SizeOf(inner) if self.varying_size(inner).is_some() => {
                let ty = self.size_type(false);
                let size = self.varying_size(inner).unwrap_or_else(|| zero(e.span));
                Ok((super::build::cast(ty, Expr { span: e.span, ..size }), Type::Scalar(ty)))
            }
            ExprKind::SizeOf(_) | ExprKind::SizeOfType(..) | ExprKind::SizeOfPointer => {
                let size = self.size_of(e)?;
                let ty = self.size_type(false);
                Ok((number(size, ty, e.span), Type::Scalar(ty)))
            }
            ExprKind::Comma(list) => {
                let mut values = Vec::with_capacity(list.len());
                let mut ty = Type::Void;
                for part in list {
                    let (value, of) = self.value(part)?;
                    values.push(value);
                    ty = of;
                }
                Ok((expr(ExprKind::Comma(values), e.span), ty))
            }
            ExprKind::Statements(_) => refuse(e.span, "a block in an expression beside pointers"),
            ExprKind::Checked(_) | ExprKind::Held(_) | ExprKind::Poisoned => {
                refuse(e.span, "this expression")
            }
        }
    }

    /// The type of a literal.
    pub(super) fn literal_type(&self, n: u64, spelling: Spelling) -> Type {
        let (size, signed) = spelling.type_of(n, self.int);
        Type::Scalar(TypeName::Integer { size, signed })
    }

    /// The value at a place.
    fn read(&mut self, e: &Expr) -> Lowered<(Expr, Type)> {
        if let Some(Type::Array(..)) = self.static_type(e) {
            return self.decayed(e);
        }
        let place = self.place(e, Use::Read)?;
        if matches!(place.ty, Type::Other(_)) {
            return Ok((e.clone(), place.ty));
        }
        if let Some(spot) = &place.spot {
            if matches!(place.ty, Type::Struct(_)) {
                return refuse(e.span, "a struct in memory of two types that is used as a value");
            }
            return Ok((self.load(spot, &place.ty, e.span)?, place.ty));
        }
        let value = self.retyped(place.e, &place.ty);
        Ok((value, place.ty))
    }

    /// A number that is read through a pointer to another type of its size.
    pub(super) fn retyped(&mut self, e: Expr, ty: &Type) -> Expr {
        let (Type::Scalar(name), ExprKind::Index(base, _)) = (ty, &e.kind) else { return e };
        let ExprKind::Name(room) = &base.kind else { return e };
        let stored = self.layout.as_ref().and_then(|layout| {
            layout.rooms.values().find(|r| r.name == *room).map(|r| r.element.clone())
        });
        match stored {
            Some(Type::Scalar(stored)) if stored != *name => cast(*name, e),
            _ => e,
        }
    }

    /// A value that is a number or a struct.
    pub(super) fn scalar(&mut self, e: &Expr) -> Lowered<(Expr, Type)> {
        let (value, ty) = self.value(e)?;
        match ty {
            Type::Pointer(..) => refuse(e.span, "a pointer that is used as a number"),
            Type::Null => Ok((zero(e.span), Type::Scalar(INT))),
            ty => Ok((value, ty)),
        }
    }

    /// A condition: a pointer is true unless it is null.
    pub(super) fn condition(&mut self, e: &Expr) -> Lowered<Expr> {
        if self.is_lossy(e) {
            return refuse(e.span, super::numbers::PART_OF_ADDRESS);
        }
        let (value, ty) = self.value(e)?;
        Ok(match ty {
            Type::Pointer(_, region) => self.truth(value, region),
            Type::Null => zero(e.span),
            _ => value,
        })
    }

    /// Is it the constant 0, perhaps cast?
    pub(super) fn is_zero(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Number(0, _) => true,
            ExprKind::Name(name) => name == "NULL" && self.find(name).is_none(),
            ExprKind::PointerCast(_, inner) => self.is_zero(inner),
            ExprKind::Cast(TypeName::Integer { .. }, inner) => self.is_zero(inner),
            _ => false,
        }
    }

    /// A value as its place of this type needs it.
    pub(super) fn converted(&mut self, e: &Expr, to: &Type) -> Lowered<Expr> {
        if let Type::Pointer(_, region) = to
            && self.is_zero(e)
        {
            return Ok(self.null(*region, e.span));
        }
        let (value, ty) = self.value(e)?;
        self.fitted(value, &ty, to, e.span)
    }

    fn null(&mut self, region: RegionId, span: Span) -> Expr {
        let ty = self.room(region).map_or(super::types::unsigned(1), |room| room.pointer());
        number(0, ty, span)
    }

    /// A value of one type as a value of another.
    pub(super) fn fitted(
        &mut self,
        value: Expr,
        from: &Type,
        to: &Type,
        span: Span,
    ) -> Lowered<Expr> {
        match (from, to) {
            (Type::Null, Type::Pointer(_, region)) => Ok(self.null(*region, span)),
            (Type::Pointer(..), Type::Pointer(_, region)) => {
                if !self.regions.unify(from, to) {
                    self.regions.hold(*region, &Type::Other(TypeName::Poisoned));
                    return refuse(span, "a pointer to one type that is used as one to another");
                }
                Ok(value)
            }
            (Type::Scalar(_), Type::Pointer(_, region)) => {
                self.no_pointer_of_library(&value)?;
                self.regions.union(*region, self.anything);
                self.numbers = true;
                Ok(cast(unsigned(self.pointer_bits()), value))
            }
            (Type::Pointer(_, region), Type::Scalar(TypeName::Bool)) => {
                Ok(self.truth(value, *region))
            }
            (Type::Pointer(..), _) => refuse(span, "a pointer that is used as a number"),
            (Type::Null, _) => Ok(zero(span)),
            (Type::Struct(a), Type::Struct(b)) if a != b => {
                refuse(span, "a struct that is used as another one")
            }
            _ => Ok(value),
        }
    }

    /// The type of a result of arithmetic.
    fn promoted(&self, one: &Type, other: &Type) -> Type {
        let long = |ty: &Type| match ty {
            Type::Scalar(name) => bits_of(*name, self.int) > self.int,
            _ => false,
        };
        for ty in [one, other] {
            if let Type::Scalar(TypeName::Floating { .. }) = ty {
                return ty.clone();
            }
        }
        Type::Scalar(if long(one) || long(other) { LONG } else { INT })
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        of_numbers: OfNumbers,
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        let int = Type::Scalar(INT);
        if matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
            let (left, right) = (self.condition(left)?, self.condition(right)?);
            return Ok((expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), span), int));
        }
        if let Some(compared) = self.low_half(op, left, right, span)? {
            return Ok((compared, int));
        }
        self.no_address(op, left, right, span)?;
        let (left_zero, right_zero) = (self.is_zero(left), self.is_zero(right));
        let (a, a_type) = self.value(left)?;
        let (b, b_type) = self.value(right)?;
        let compares = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        match (&a_type, &b_type) {
            (Type::Pointer(to, one), Type::Pointer(_, other)) => {
                if !self.regions.unify(&a_type, &b_type) {
                    return refuse(span, "a comparison of pointers to two types");
                }
                let (one, other) = ((a, *one), (b, *other));
                Ok(match op {
                    _ if compares => (self.equal(op, one, other, span), int),
                    BinaryOp::Subtract => {
                        (self.distance(one, other, to, span), Type::Scalar(self.size_type(true)))
                    }
                    BinaryOp::Less
                    | BinaryOp::LessEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEqual => (self.ordered(op, one, other, span), int),
                    _ => return refuse(span, "this operator on two pointers"),
                })
            }
            (Type::Pointer(_, region), _) if compares && right_zero => {
                let null = self.null(*region, span);
                Ok((self.equal(op, (a, *region), (null, *region), span), int))
            }
            (_, Type::Pointer(_, region)) if compares && left_zero => {
                let null = self.null(*region, span);
                Ok((self.equal(op, (null, *region), (b, *region), span), int))
            }
            (Type::Pointer(to, region), Type::Scalar(_))
                if matches!(op, BinaryOp::Add | BinaryOp::Subtract) =>
            {
                let back = op == BinaryOp::Subtract;
                if matches!(**to, Type::Void) {
                    return Ok((self.counted((a, *region), b, back), a_type.clone()));
                }
                let what = self.text(left.span);
                let sum = self.walked((a, *region), to, b, back, &what, span);
                Ok((sum, a_type.clone()))
            }
            (Type::Scalar(_), Type::Pointer(to, region)) if op == BinaryOp::Add => {
                if matches!(**to, Type::Void) {
                    return Ok((self.counted((b, *region), a, false), b_type.clone()));
                }
                let what = self.text(right.span);
                let sum = self.walked((b, *region), to, a, false, &what, span);
                Ok((sum, b_type.clone()))
            }
            (Type::Pointer(..), _) | (_, Type::Pointer(..)) => {
                refuse(span, "this operator on a pointer")
            }
            _ => {
                let (a, b) = (self.not_null_literal(a, &a_type), self.not_null_literal(b, &b_type));
                let compared = compares
                    || matches!(
                        op,
                        BinaryOp::Less
                            | BinaryOp::LessEqual
                            | BinaryOp::Greater
                            | BinaryOp::GreaterEqual
                    );
                let ty = if compared { int } else { self.promoted(&a_type, &b_type) };
                Ok((expr(of_numbers(op, Box::new(a), Box::new(b)), span), ty))
            }
        }
    }

    fn not_null_literal(&self, e: Expr, ty: &Type) -> Expr {
        if matches!(ty, Type::Null) { zero(e.span) } else { e }
    }

    fn conditional(&mut self, parts: &[Expr; 3], span: Span) -> Lowered<(Expr, Type)> {
        let [test, then, otherwise] = parts;
        let test = self.condition(test)?;
        let zeros = (self.is_zero(then), self.is_zero(otherwise));
        let (a, a_type) = self.value(then)?;
        let (b, b_type) = self.value(otherwise)?;
        let ty = match (&a_type, &b_type) {
            (Type::Pointer(to, _), Type::Pointer(..)) => {
                if !self.regions.unify(&a_type, &b_type) {
                    return refuse(span, "a choice between pointers to two types");
                }
                if matches!(**to, Type::Void) { b_type.clone() } else { a_type.clone() }
            }
            (Type::Pointer(..), _) if zeros.1 => a_type.clone(),
            (_, Type::Pointer(..)) if zeros.0 => b_type.clone(),
            (Type::Pointer(..), _) | (_, Type::Pointer(..)) => {
                return refuse(span, "a choice between a pointer and a number");
            }
            (Type::Void, _) | (_, Type::Void) => Type::Void,
            (Type::Scalar(one), Type::Scalar(other)) if one == other => a_type.clone(),
            (Type::Scalar(_), Type::Scalar(_)) => self.promoted(&a_type, &b_type),
            (Type::Null, Type::Null) => Type::Null,
            _ => return refuse(span, "a choice between structs"),
        };
        let (a, b) = match &ty {
            Type::Pointer(_, region) => {
                let null = self.null(*region, span);
                let a = if matches!(a_type, Type::Pointer(..)) { a } else { null.clone() };
                let b = if matches!(b_type, Type::Pointer(..)) { b } else { null };
                // Both have the width of the region: a cast keeps the value and its type.
                let name = self.written_type(&ty);
                (cast(name, a), cast(name, b))
            }
            _ => (a, b),
        };
        let value = conditional(test, a, b);
        match &ty {
            Type::Pointer(..) => {
                let name = self.written_type(&ty);
                Ok((cast(name, Expr { span, ..value }), ty))
            }
            _ => Ok((Expr { span, ..value }, ty)),
        }
    }

    /// A string literal: an object that nobody may write.
    fn literal(&mut self, text: &Text, span: Span) -> Lowered<(Expr, Type)> {
        let Some(characters) = &text.characters else {
            return refuse(span, "a string with other characters than ASCII");
        };
        let ty = self.pointer_to(Type::Scalar(super::types::CHAR));
        let Type::Pointer(_, region) = &ty else { return refuse(span, "a string") };
        let region = *region;
        let key = self.key();
        self.regions.walk(region);
        let mut text = characters.clone();
        text.push(0);
        let object = super::layout::Object {
            region,
            slots: text.len() as u32,
            dimensions: Vec::new(),
            bytes: Some(text.len() as u64),
            varies: false,
            open: false,
            life: super::layout::Life::Literal,
            in_frames: false,
            owner: None,
            depth: 0,
            name: String::new(),
            span,
            text,
        };
        self.objects.entry(key).or_insert(object);
        Ok((self.first_slot(key, region, span), ty))
    }
}

/// Does evaluating it change something?
pub(in crate::lang) fn has_effects(e: &Expr) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        if matches!(
            e.kind,
            ExprKind::Call(..)
                | ExprKind::Through(..)
                | ExprKind::Assign(..)
                | ExprKind::Step { .. }
                | ExprKind::Statements(_)
                | ExprKind::Choice
        ) {
            return true;
        }
        e.children(&mut stack);
    }
    false
}
