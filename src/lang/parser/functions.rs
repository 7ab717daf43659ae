//! Procedures: their heads, parameters and bodies.

use super::c_types::TypeScope;
use super::types::Specifiers;
use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::are;
use crate::lang::model::Span;
use crate::lang::syntax::{Function, Item, Name, Parameter, Size, TypeName, join};

impl Parser<'_> {
    pub(super) fn function(
        &mut self,
        result: TypeName,
        pointers: u32,
        start: Span,
    ) -> Parsed<Function> {
        let parenthesised = self.eat(Token::OpenParen);
        let name = self.name("the procedure's name")?;
        if parenthesised {
            self.expect(Token::CloseParen, "`)`")?;
        }
        self.hide_type(&name.text);
        self.bump();
        let depth = self.scopes.len();
        self.scopes.push(TypeScope::default());
        let (mut parameters, mut open_ended) = self.parameters()?;
        let span = join(start, self.previous_span());
        self.skip_attribute();
        if self.c && self.type_starts_at(0) {
            self.old_parameters(&mut parameters)?;
        }
        let body = match self.peek() {
            Token::OpenBrace => {
                let block = self.block()?;
                open_ended &= !parameters.is_empty();
                Some(block)
            }
            Token::Comma if self.c => None,
            _ => {
                self.semicolon()?;
                None
            }
        };
        self.scopes.truncate(depth);
        Ok(Function {
            result,
            pointers,
            name,
            parameters,
            open_ended,
            body,
            span,
            shared: false,
            contract: None,
        })
    }

    /// C's `int (f)(…)`.
    pub(super) fn name_in_parentheses(&self) -> bool {
        let tokens = [0, 1, 2, 3].map(|ahead| self.peek_at(ahead));
        self.c
            && tokens == [Token::OpenParen, Token::Identifier, Token::CloseParen, Token::OpenParen]
    }

    /// C's old form: the types of the parameters stand between the `)` and the `{`.
    fn old_parameters(&mut self, parameters: &mut [Parameter]) -> Parsed<()> {
        while self.peek() != Token::OpenBrace {
            let declaration = self.declaration()?;
            self.semicolon()?;
            for declarator in declaration.declarators {
                let Some(parameter) = parameters
                    .iter_mut()
                    .find(|p| p.name.as_ref().is_some_and(|n| n.text == declarator.name.text))
                else {
                    let message =
                        format!("`{}` is no parameter of this procedure", declarator.name.text);
                    self.diagnostics.syntax_error(
                        declarator.span,
                        message,
                        "name it between the parentheses",
                    );
                    continue;
                };
                parameter.type_name = declaration.type_name;
                parameter.atomic = declaration.atomic;
                parameter.pointers =
                    declarator.pointers + u32::from(!declarator.dimensions.is_empty());
                parameter.rows = declarator.dimensions.into_iter().skip(1).collect();
            }
        }
        Ok(())
    }

    /// Reads the parameters after the `(`, including the `)`. Also says whether there may be more
    /// arguments.
    fn parameters(&mut self) -> Parsed<(Vec<Parameter>, bool)> {
        let mut parameters = Vec::new();
        if self.eat(Token::CloseParen) {
            return Ok((parameters, self.c));
        }
        if self.peek() == Token::Identifier
            && self.word_at(0) == "void"
            && self.peek_at(1) == Token::CloseParen
        {
            self.bump();
            self.bump();
            return Ok((parameters, false));
        }
        let mut open_ended = false;
        loop {
            let start = self.span();
            if self.peek() == Token::Ellipsis {
                if !self.c {
                    self.refuse(
                        are("variadic procedures"),
                        start,
                        "give it a fixed list of parameters",
                    );
                }
                self.bump();
                open_ended = true;
                break;
            }
            if self.c
                && self.peek() == Token::Identifier
                && !self.type_starts_at(0)
                && matches!(self.peek_at(1), Token::Comma | Token::CloseParen)
            {
                let name = Some(self.name("a name")?);
                let type_name = TypeName::Integer { size: Size::Int, signed: true };
                parameters.push(Parameter {
                    type_name,
                    pointers: 0,
                    rows: Vec::new(),
                    name,
                    constant: false,
                    atomic: false,
                    array: false,
                    span: start,
                });
            } else {
                let parameter = self.parameter(start)?;
                parameters.push(parameter);
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseParen, "`,` or `)`")?;
        Ok((parameters, open_ended))
    }

    fn parameter(&mut self, start: Span) -> Parsed<Parameter> {
        if !self.type_starts_at(0) {
            self.unexpected("a parameter's type");
            return Err(Recover);
        }
        let specifiers = self.specifiers()?;
        let mut pointers = self.pointers(&specifiers);
        let mut type_name = specifiers.type_name;
        let mut poisoned = pointers > 0 && !self.c;
        let mut name = None;
        if self.peek() == Token::OpenParen {
            if !self.c {
                self.refuse_whole(
                    are("function pointers").of_memory(),
                    self.span(),
                    "call the procedure by its name",
                );
                return Err(Recover);
            }
            if self.names_procedure_pointer() {
                let found = self.procedure_pointer(type_name, pointers)?;
                (name, type_name, pointers) = (found.name, found.type_name, found.stars);
            } else {
                // The parameter cannot be used, but it may be there unused.
                if self.peek_at(1) == Token::Star && self.peek_at(2) == Token::Identifier {
                    name = Some(Name { text: self.word_at(2).to_string(), span: self.span_at(2) });
                }
                while self.peek() == Token::OpenParen {
                    self.skip_parentheses();
                }
                type_name = self.procedure_type_of(type_name, pointers);
                pointers = 1;
            }
        }
        if let (TypeName::Procedure(_), 0) = (type_name, pointers) {
            pointers = 1;
        }
        if self.peek() == Token::Identifier {
            name = Some(self.name("a name")?);
        }
        let mut rows = specifiers.dimensions.clone();
        let mut array = !rows.is_empty();
        if self.c {
            let mut extents = self.extents()?;
            if self.peek() == Token::OpenParen {
                // A parameter whose type is a procedure's is a pointer to a procedure.
                self.skip_parentheses();
                type_name = self.procedure_type_of(type_name, pointers);
                pointers = 1;
            }
            extents.append(&mut rows);
            array = !extents.is_empty();
            if array {
                extents.remove(0);
                pointers += 1;
            }
            rows = extents;
            self.skip_attribute();
        } else {
            while self.peek() == Token::OpenBracket {
                self.refuse(
                    are("arrays as parameters"),
                    self.span(),
                    "choose C as the language, or make it a global array",
                );
                poisoned = true;
                while !matches!(self.bump().token, Token::CloseBracket | Token::End) {}
            }
        }
        if let Some(name) = &name {
            self.hide_type(&name.text);
        }
        let type_name = if poisoned { TypeName::Poisoned } else { type_name };
        Ok(Parameter {
            type_name,
            pointers,
            rows,
            name,
            constant: specifiers.constant,
            atomic: specifiers.atomic,
            array,
            span: join(start, self.previous_span()),
        })
    }

    /// Does a name with parameters come next?
    pub(super) fn names_procedure(&self) -> bool {
        self.peek() == Token::Identifier && self.peek_at(1) == Token::OpenParen
    }

    /// The declaration of a procedure by a name for its type: nothing is known of its parameters.
    pub(super) fn procedure_of_type(&mut self, number: u32, name: Name) {
        let Some(result) = self.procedure_types.get(number as usize).copied() else { return };
        let span = name.span;
        self.inner_functions.push(Item::Function(Function {
            result: result.type_name,
            pointers: result.pointers,
            name,
            parameters: Vec::new(),
            open_ended: true,
            body: None,
            span,
            shared: false,
            contract: None,
        }));
    }

    /// Reads the declaration of a procedure among other declarators, without the `,` or `;`.
    pub(super) fn prototype(
        &mut self,
        specifiers: &Specifiers,
        pointers: u32,
        start: Span,
    ) -> Parsed<()> {
        let parenthesised = self.eat(Token::OpenParen);
        let name = self.name("the procedure's name")?;
        if parenthesised {
            self.expect(Token::CloseParen, "`)`")?;
        }
        self.hide_type(&name.text);
        self.bump();
        let depth = self.scopes.len();
        self.scopes.push(TypeScope::default());
        let (parameters, open_ended) = self.parameters()?;
        self.scopes.truncate(depth);
        let span = join(start, self.previous_span());
        self.skip_attribute();
        self.inner_functions.push(Item::Function(Function {
            result: specifiers.type_name,
            pointers,
            name,
            parameters,
            open_ended,
            body: None,
            span,
            shared: false,
            contract: None,
        }));
        Ok(())
    }
}
