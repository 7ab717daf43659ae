//! Declarations of variables and of names for types.

use super::c_types::TypeAlias;
use super::types::Specifiers;
use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::are;
use crate::lang::model::Span;
use crate::lang::syntax::{
    ArrayType, Declaration, Declarator, Expr, Name, PointedType, TypeName, join,
};

impl Parser<'_> {
    /// Reads a declaration without its `;`.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let specifiers = self.specifiers()?;
        if specifiers.is_typedef {
            return self.type_aliases(specifiers);
        }
        if self.peek() == Token::Semicolon && (self.c || !specifiers.enumerations.is_empty()) {
            return Ok(plain_declaration(specifiers));
        }
        let pointers = self.pointers(&specifiers);
        self.declarators(specifiers, pointers)
    }

    pub(super) fn declarators(
        &mut self,
        mut specifiers: Specifiers,
        first: u32,
    ) -> Parsed<Declaration> {
        let mut pointers = first;
        if pointers > 0 && !self.c {
            specifiers.type_name = TypeName::Poisoned;
        }
        let mut declarators = Vec::new();
        let mut start = specifiers.span;
        loop {
            if self.c && (self.names_procedure() || self.name_in_parentheses()) {
                self.prototype(&specifiers, pointers, start)?;
                if !self.eat(Token::Comma) {
                    break;
                }
                start = self.span();
                pointers = self.pointers(&specifiers);
                continue;
            }
            if self.peek() == Token::OpenParen {
                let at = self.span();
                let found = match self.c && declarators.is_empty() {
                    true => Some(self.procedure_pointer(specifiers.type_name, pointers)?),
                    false => None,
                };
                let Some(PointerDeclarator { name: Some(name), type_name, stars, dimensions }) =
                    found.filter(|_| self.peek() != Token::Comma)
                else {
                    let hint = match self.c {
                        true => "declare it by a declaration of its own, its type by `typedef`",
                        false => "call the procedure by its name",
                    };
                    self.refuse_whole(are("function pointers").of_memory(), at, hint);
                    return Err(Recover);
                };
                self.hide_type(&name.text);
                let declarator = self.declarator(name, start)?;
                declarators.push(Declarator { dimensions, pointers: stars, ..declarator });
                specifiers.type_name = type_name;
                break;
            }
            let name = self.name("a name")?;
            self.hide_type(&name.text);
            if let (TypeName::Procedure(number), 0) = (specifiers.type_name, pointers) {
                self.procedure_of_type(number, name);
                if !self.eat(Token::Comma) {
                    break;
                }
                pointers = self.pointers(&specifiers);
                continue;
            }
            let mut declarator = self.declarator(name, start)?;
            declarator.dimensions.extend(specifiers.dimensions.iter().cloned());
            declarator.pointers = if self.c { pointers } else { 0 };
            declarators.push(declarator);
            if !self.eat(Token::Comma) {
                break;
            }
            start = self.span();
            pointers = self.pointers(&specifiers);
            if pointers > 0 && !self.c {
                start = self.span();
            }
        }
        Ok(Declaration { declarators, ..plain_declaration(specifiers) })
    }

    fn declarator(&mut self, name: Name, start: Span) -> Parsed<Declarator> {
        let dimensions = self.extents()?;
        if self.c {
            self.skip_attribute();
        }
        let initializer = if self.eat(Token::Assign) { Some(self.initializer()?) } else { None };
        Ok(Declarator {
            name,
            pointers: 0,
            dimensions,
            initializer,
            span: join(start, self.previous_span()),
        })
    }

    /// Reads `*`s before a name. C keeps them; Cimple refuses them.
    pub(super) fn pointers(&mut self, specifiers: &Specifiers) -> u32 {
        match self.c {
            true => specifiers.pointers + self.stars(),
            false => u32::from(self.pointer_stars()),
        }
    }

    /// Reads `typedef …` without its `;`. The declaration that it gives holds only the enumerations
    /// that the text declares.
    pub(super) fn type_aliases(&mut self, specifiers: Specifiers) -> Parsed<Declaration> {
        while self.peek() != Token::Semicolon {
            let mut pointers = specifiers.pointers + self.stars();
            if self.peek() == Token::OpenParen && self.names_procedure_pointer() {
                let found = self.procedure_pointer(specifiers.type_name, pointers)?;
                if let Some(name) = found.name {
                    let (type_name, pointers) = (found.type_name, found.stars);
                    let alias =
                        TypeAlias { type_name, pointers, dimensions: Vec::new(), atomic: false };
                    self.add_alias(name.text, alias);
                }
            } else if self.peek() == Token::OpenParen {
                // `typedef int (*f)(int);`
                self.bump();
                pointers += self.stars().max(1);
                let name = self.name("a name")?;
                while self.eat(Token::CloseParen) {}
                while self.peek() == Token::OpenParen {
                    self.skip_parentheses();
                }
                self.add_alias(
                    name.text,
                    TypeAlias {
                        type_name: TypeName::Void,
                        pointers,
                        dimensions: Vec::new(),
                        atomic: false,
                    },
                );
            } else {
                let name = self.name("the type's name")?;
                if self.peek() == Token::OpenParen {
                    // `typedef int f(int);`
                    self.skip_parentheses();
                    let type_name = self.procedure_type_of(specifiers.type_name, pointers);
                    let dimensions = Vec::new();
                    let alias = TypeAlias { type_name, pointers: 0, dimensions, atomic: false };
                    self.add_alias(name.text, alias);
                    if !self.eat(Token::Comma) {
                        break;
                    }
                    continue;
                }
                let mut dimensions = self.extents()?;
                dimensions.extend(specifiers.dimensions.iter().cloned());
                self.skip_attribute();
                self.add_alias(
                    name.text,
                    TypeAlias {
                        type_name: specifiers.type_name,
                        pointers,
                        dimensions,
                        atomic: specifiers.atomic,
                    },
                );
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        Ok(plain_declaration(specifiers))
    }
}

/// A pointer to a procedure, between other declarators.
pub(super) struct PointerDeclarator {
    pub(super) name: Option<Name>,
    /// The procedure's type.
    pub(super) type_name: TypeName,
    pub(super) stars: u32,
    /// The extents of an array of such pointers.
    pub(super) dimensions: Vec<Option<Expr>>,
}

impl Parser<'_> {
    /// Does `(*name)(` come next?
    pub(super) fn names_procedure_pointer(&self) -> bool {
        let tokens = [0, 1, 2, 3, 4].map(|ahead| self.peek_at(ahead));
        use Token::{CloseParen, Identifier, OpenParen, Star};
        tokens[..4] == [OpenParen, Star, Identifier, CloseParen]
            && matches!(tokens[4], OpenParen | Token::OpenBracket)
    }

    /// Reads `(*f[n])(int)`, without the type that the procedure gives back, which is known. The
    /// current token is the first `(`.
    pub(super) fn procedure_pointer(
        &mut self,
        result: TypeName,
        pointers: u32,
    ) -> Parsed<PointerDeclarator> {
        let start = self.span();
        self.bump();
        let stars = self.stars();
        let name = match self.peek() {
            Token::Identifier => Some(self.name("a name")?),
            _ => None,
        };
        let dimensions = self.extents()?;
        if stars > 0 && (self.peek(), self.peek_at(1)) == (Token::CloseParen, Token::OpenBracket) {
            self.bump();
            let extents = self.extents()?;
            let type_name = self.array_type_of(result, pointers, extents);
            return Ok(PointerDeclarator { name, type_name, stars, dimensions });
        }
        if stars == 0 || (self.peek(), self.peek_at(1)) != (Token::CloseParen, Token::OpenParen) {
            let hint = "give the procedure's type a name by `typedef`";
            self.refuse_whole(are("function pointers").of_memory(), start, hint);
            return Err(Recover);
        }
        self.bump();
        self.skip_parentheses();
        let type_name = self.procedure_type_of(result, pointers);
        Ok(PointerDeclarator { name, type_name, stars, dimensions })
    }

    /// The type of procedures with this result.
    pub(super) fn procedure_type_of(&mut self, type_name: TypeName, pointers: u32) -> TypeName {
        self.procedure_types.push(PointedType { type_name, pointers, other: false });
        TypeName::Procedure(self.procedure_types.len() as u32 - 1)
    }
}

impl Parser<'_> {
    /// The type of arrays with these elements and extents.
    pub(super) fn array_type_of(
        &mut self,
        type_name: TypeName,
        pointers: u32,
        dimensions: Vec<Option<Expr>>,
    ) -> TypeName {
        self.array_types.push(ArrayType { type_name, pointers, dimensions });
        TypeName::Array(self.array_types.len() as u32 - 1)
    }
}

/// A declaration without declarators.
pub(super) fn plain_declaration(specifiers: Specifiers) -> Declaration {
    Declaration {
        enumerations: specifiers.enumerations,
        type_name: specifiers.type_name,
        constant: specifiers.constant,
        is_static: specifiers.is_static,
        is_extern: specifiers.is_extern,
        atomic: specifiers.atomic,
        per_thread: specifiers.per_thread,
        declarators: Vec::new(),
    }
}
