//! Types, with their arguments erased.

use super::Parser;
use crate::mistake::Read;
use crate::span::Span;
use crate::tree::{Primitive, TypeKind, TypeName, TypeParameter};

impl Parser<'_> {
    /// A type; `void` too.
    pub(super) fn type_name(&mut self) -> Read<TypeName> {
        let mut ty = self.element_type()?;
        while self.is("[") && self.spelt(1) == "]" {
            self.bump();
            self.bump();
            ty.dimensions += 1;
        }
        ty.span = self.from(ty.span);
        Ok(ty)
    }

    /// A type without brackets.
    pub(super) fn element_type(&mut self) -> Read<TypeName> {
        self.annotations()?;
        let start = self.span();
        let mut arguments = Vec::new();
        let kind = match primitive(self.spelt(0)) {
            Some(primitive) => {
                self.bump();
                TypeKind::Primitive(primitive)
            }
            None if self.accept("void") => TypeKind::Void,
            None => {
                let mut parts = vec![self.name()?.text];
                arguments = self.type_arguments()?;
                while self.is(".") && self.is_name(1) {
                    self.bump();
                    parts.push(self.name()?.text);
                    arguments = self.type_arguments()?;
                }
                match parts.len() == 1 && parts[0] == "var" {
                    true => TypeKind::Inferred,
                    false => TypeKind::Named(parts),
                }
            }
        };
        Ok(TypeName { kind, arguments, dimensions: 0, span: self.from(start) })
    }

    /// `<A, ? extends B>`, or nothing.
    pub(super) fn type_arguments(&mut self) -> Read<Vec<TypeName>> {
        let mut list = Vec::new();
        if !self.accept("<") {
            return Ok(list);
        }
        while !self.accept(">") {
            list.push(self.deeper(|parser| {
                parser.annotations()?;
                let span = parser.span();
                let is_bounded =
                    !parser.accept("?") || parser.accept("extends") || parser.accept("super");
                match is_bounded {
                    true => parser.type_name(),
                    false => Ok(parser.object(span)),
                }
            })?);
            if !self.accept(",") && !self.is(">") {
                return self.expected("`>`");
            }
        }
        Ok(list)
    }

    fn object(&self, span: Span) -> TypeName {
        let kind = TypeKind::Named(vec!["Object".to_string()]);
        TypeName { kind, arguments: Vec::new(), dimensions: 0, span }
    }

    /// `<T extends A & B>`, or nothing.
    pub(super) fn type_parameters(&mut self) -> Read<Vec<TypeParameter>> {
        let mut list = Vec::new();
        if !self.accept("<") {
            return Ok(list);
        }
        while !self.accept(">") {
            self.annotations()?;
            let name = self.name()?;
            let mut bound = None;
            if self.accept("extends") {
                bound = Some(self.type_name()?);
                while self.accept("&") {
                    self.type_name()?;
                }
            }
            list.push(TypeParameter { name, bound });
            if !self.accept(",") && !self.is(">") {
                return self.expected("`>`");
            }
        }
        Ok(list)
    }

    /// Types between commas.
    pub(super) fn type_list(&mut self) -> Read<Vec<TypeName>> {
        let mut list = vec![self.type_name()?];
        while self.accept(",") {
            list.push(self.type_name()?);
        }
        Ok(list)
    }
}

/// The primitive type of this name.
pub(super) fn primitive(word: &str) -> Option<Primitive> {
    Some(match word {
        "boolean" => Primitive::Boolean,
        "byte" => Primitive::Byte,
        "short" => Primitive::Short,
        "char" => Primitive::Char,
        "int" => Primitive::Int,
        "long" => Primitive::Long,
        "float" => Primitive::Float,
        "double" => Primitive::Double,
        _ => return None,
    })
}
