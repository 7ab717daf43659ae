//! Initial values (C11 6.7.9): braces, braces left out, designators.
//!
//! ```text
//! struct { int a; int b[2]; } s[] = { 1, 2, 3, [1].b = { 4 } };
//!                                     └──┬──┘ braces left out: s[0].a, s[0].b[0], s[0].b[1]
//! ```

use super::typing::Part;
use super::{Parser, Result};
use crate::mistake::{Mistake, MistakeKind};
use crate::token::Kind;
use crate::tree::{Expr, Initial};
use crate::types::{Integer, Length, Type};
use std::rc::Rc;

/// More elements than this are not designated.
const LONGEST: u64 = 1 << 24;

/// More values than this are not made from one.
const MOST_REPEATED: u64 = 1 << 16;

impl Parser {
    /// What stands behind `=`, and the type with its length known.
    pub(super) fn initializer(&mut self, ty: &Type) -> Result<(Vec<Initial>, Type)> {
        let mut list = Vec::new();
        let count = self.nested(|parser| parser.initial(ty, 0, None, &mut list))?;
        let ty = match (ty, count) {
            (Type::Array(element, Length::Open), Some(count)) => {
                Type::Array(Rc::clone(element), Length::Known(count))
            }
            (ty, _) => ty.clone(),
        };
        Ok((list, ty))
    }

    /// The initial value of one object. Returns how many elements an array was given.
    fn initial(
        &mut self,
        ty: &Type,
        offset: u64,
        bits: Option<(u8, u8)>,
        list: &mut Vec<Initial>,
    ) -> Result<Option<u64>> {
        // `int a[];` at the end of a struct has as many elements as values stand in its braces.
        let open = match ty {
            Type::Array(element, Length::Known(0)) if self.held.is_none() => {
                Some(Type::Array(Rc::clone(element), Length::Open))
            }
            _ => None,
        };
        let braced = self.is("{") || self.peek().kind == Kind::Text;
        let ty = open.as_ref().filter(|_| braced).unwrap_or(ty);
        if let Some(count) = self.text_value(ty, offset, list)? {
            return Ok(Some(count));
        }
        if self.held.is_none() && self.is("{") {
            return self.nested(|parser| parser.braces(ty, offset, bits, list));
        }
        if let Type::Array(..) = ty {
            return self.without_braces(ty, offset, list).map(Some);
        }
        let value = match self.held.take() {
            Some(value) => value,
            None => self.assignment()?,
        };
        if let Type::Record(_) = ty
            && value.ty != *ty
        {
            self.held = Some(value);
            return self.without_braces(ty, offset, list).map(Some);
        }
        let value = self.converted(value, ty)?;
        list.push(Initial { offset, value, bits });
        Ok(None)
    }

    /// A string for an array of characters, perhaps in braces.
    fn text_value(
        &mut self,
        ty: &Type,
        offset: u64,
        list: &mut Vec<Initial>,
    ) -> Result<Option<u64>> {
        let Type::Array(element, length) = ty else { return Ok(None) };
        let characters = matches!(
            **element,
            Type::Integer(Integer::Char | Integer::SignedChar | Integer::UnsignedChar)
        );
        let braces = self.is("{") && self.peek_at(1).kind == Kind::Text;
        if !characters || self.held.is_some() || !(braces || self.peek().kind == Kind::Text) {
            return Ok(None);
        }
        if braces {
            self.next();
        }
        let span = self.peek().span;
        let mut bytes = self.text()?;
        if *length == Length::Open {
            bytes.push(0);
        }
        if braces {
            self.takes(",");
            self.expect("}")?;
        }
        let count = match length {
            Length::Known(count) => *count,
            _ => bytes.len() as u64,
        };
        for (k, byte) in bytes.iter().take(count as usize).enumerate() {
            let wrapped = element.integer().map_or(0, |integer| integer.wrap(u64::from(*byte)));
            let kind = crate::tree::ExprKind::Integer(wrapped);
            let value = Expr::new(kind, (**element).clone(), span);
            list.push(Initial { offset: offset + k as u64, value, bits: None });
        }
        Ok(Some(count))
    }

    /// The parts of an array or a struct whose braces are left out.
    fn without_braces(&mut self, ty: &Type, offset: u64, list: &mut Vec<Initial>) -> Result<u64> {
        let mut k = 0;
        while let Some((part, at, bits)) = self.part(ty, k) {
            self.nested(|parser| parser.initial(&part, offset + at, bits, list))?;
            k += 1;
            if self.part(ty, k).is_none() {
                break;
            }
            if !self.is(",")
                || self.peek_at(1).is("}")
                || self.peek_at(1).is(".")
                || self.peek_at(1).is("[")
            {
                break;
            }
            self.next();
        }
        if let Some(value) = self.held.take() {
            let name = ty.name(&self.tree.records);
            return Err(Mistake::new(MistakeKind::Incomplete(name), value.span));
        }
        Ok(k)
    }

    /// The k-th part that an initial value is for: its type, its offset, its bits.
    fn part(&self, ty: &Type, k: u64) -> Option<Part> {
        match ty {
            Type::Array(element, length) => {
                let inside = match length {
                    Length::Known(count) => k < *count,
                    _ => k < LONGEST,
                };
                let size = element.size(&self.tree.records)?;
                inside.then(|| ((**element).clone(), k * size, None))
            }
            Type::Record(id) => {
                let record = &self.tree.records[id.0 as usize];
                if record.union && k > 0 {
                    return None;
                }
                let member = record.members.as_ref()?.get(k as usize)?;
                Some((member.ty.clone(), member.offset, member.bits))
            }
            _ => (k == 0).then(|| (ty.clone(), 0, None)),
        }
    }

    /// `{ … }`
    fn braces(
        &mut self,
        ty: &Type,
        offset: u64,
        bits: Option<(u8, u8)>,
        list: &mut Vec<Initial>,
    ) -> Result<Option<u64>> {
        self.expect("{")?;
        let (mut k, mut most) = (0u64, 0u64);
        while !self.takes("}") {
            if self.is(".") || self.is("[") || self.peek_at(1).is(":") && !self.peek_at(1).is("::")
            {
                k = self.designated(ty, offset, list)?;
            } else {
                let Some((part, at, own)) = self.part(ty, k) else {
                    // More values than parts: compilers warn, and nobody evaluates them.
                    self.left_over()?;
                    if !self.takes(",") && !self.is("}") {
                        return Err(self.expected("`,` or `}`"));
                    }
                    continue;
                };
                let own = own.or(bits);
                self.nested(|parser| parser.initial(&part, offset + at, own, list))?;
            }
            k += 1;
            most = most.max(k);
            if !self.takes(",") && !self.is("}") {
                return Err(self.expected("`,` or `}`"));
            }
        }
        Ok(matches!(ty, Type::Array(..)).then_some(most))
    }

    /// A value for which there is no part.
    fn left_over(&mut self) -> Result<()> {
        if !self.takes("{") {
            return self.assignment().map(|_| ());
        }
        while !self.takes("}") {
            self.nested(Parser::left_over)?;
            if !self.takes(",") && !self.is("}") {
                return Err(self.expected("`,` or `}`"));
            }
        }
        Ok(())
    }

    /// `.a[2].b = value`. Returns which part of the whole it ends with.
    fn designated(&mut self, ty: &Type, offset: u64, list: &mut Vec<Initial>) -> Result<u64> {
        let (mut ty, mut at, mut bits) = (ty.clone(), offset, None);
        let mut first = None;
        // GNU's `[2 ... 5]`: how often the value stands, and how far apart.
        let mut repeated: Option<(u64, u64)> = None;
        let start = self.peek().span;
        loop {
            if self.takes("[") {
                let span = self.peek().span;
                let k = self.constant()?;
                let last = if self.takes("...") { self.constant()? } else { k };
                self.expect("]")?;
                let (k, last) = match (u64::try_from(k), u64::try_from(last)) {
                    (Ok(k), Ok(last)) if k <= last && last < LONGEST => (k, last),
                    _ => return Err(Mistake::new(MistakeKind::NotConstant, span)),
                };
                let (Some((part, inside, _)), Some((_, end, _))) =
                    (self.part(&ty, k), self.part(&ty, last))
                else {
                    return Err(Mistake::new(MistakeKind::NotConstant, span));
                };
                if last > k {
                    if repeated.is_some() {
                        let what = "a range of elements in a range of them";
                        return Err(Mistake::new(MistakeKind::NotExecuted(what.into()), span));
                    }
                    repeated = Some((last - k, (end - inside) / (last - k)));
                }
                first = first.or(Some(last));
                (ty, at) = (part, at + inside);
            } else if self.takes(".") || self.peek_at(1).is(":") {
                let name = self.name("the name of a member")?;
                self.takes(":");
                let (path, k) = self.member_path(&ty, &name)?;
                first = first.or(Some(k));
                for (part, inside, own) in path {
                    (ty, at, bits) = (part, at + inside, own);
                }
            } else {
                break;
            }
        }
        self.takes("=");
        let begin = list.len();
        self.nested(|parser| parser.initial(&ty, at, bits, list))?;
        if let Some((more, apart)) = repeated {
            let values = list[begin..].to_vec();
            if more.saturating_mul(values.len() as u64) > MOST_REPEATED {
                return Err(Mistake::new(MistakeKind::TooLarge, start));
            }
            for k in 1..=more {
                let moved =
                    |one: &Initial| Initial { offset: one.offset + k * apart, ..one.clone() };
                list.extend(values.iter().map(moved));
            }
        }
        Ok(first.unwrap_or(0))
    }
}
