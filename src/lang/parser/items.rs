//! Declarations and procedures, with recovery at the next one.

use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::model::Span;
use crate::lang::syntax::{Declaration, Declarator, File, Function, Initializer, Item, Name, Parameter, TypeName, join};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        while self.peek() != Token::End {
            let before = self.position;
            match self.item(&mut file.items) {
                Ok(()) => {}
                Err(Recover) => self.skip_item(before),
            }
        }
        file
    }

    /// After an error: past the next `;`, or past the next balanced block.
    fn skip_item(&mut self, before: usize) {
        self.open_braces.clear();
        self.nesting = 0;
        if self.position > before && self.tokens[self.position - 1].token == Token::Semicolon {
            return;
        }
        loop {
            match self.peek() {
                Token::Semicolon => {
                    self.bump();
                    return;
                }
                Token::OpenBrace => return self.skip_block(),
                Token::CloseBrace => {
                    self.bump();
                    return;
                }
                Token::End => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.span();
        match self.peek() {
            Token::Semicolon => {
                self.bump();
                return Ok(());
            }
            Token::CloseBrace => {
                self.diagnostics.syntax_error(start, "this `}` closes nothing", "remove it, or open its `{`");
                self.bump();
                return Ok(());
            }
            Token::Preprocessor => {
                self.refuse("the preprocessor is", start, "it comes with the C dialect; remove the line");
                self.bump();
                return Ok(());
            }
            Token::Identifier if self.word_at(0) == "thread" && self.peek_at(1) == Token::Identifier => {
                let name = self.word_at(1).to_string();
                self.refuse_threads(start, &format!("`thread {name}`"));
                return Err(Recover);
            }
            _ => {}
        }
        // C's old form: `main() { … }` returns int.
        let implicit = self.peek() == Token::Identifier && !self.type_starts_at(0) && self.peek_at(1) == Token::OpenParen;
        if !implicit && !self.type_starts_at(0) {
            if self.peek() == Token::Identifier && self.peek_at(1) == Token::Identifier {
                let word = self.word_at(0).to_string();
                self.diagnostics.syntax_error(
                    start,
                    format!("unknown type `{word}`"),
                    "types are bool, int, char, short, long, unsigned, intN_t, uintN_t",
                );
            } else {
                self.unexpected("a declaration or a procedure");
            }
            return Err(Recover);
        }
        let specifiers = self.specifiers()?;
        if self.peek() == Token::Semicolon && !specifiers.enumerators.is_empty() {
            self.bump();
            items.push(Item::Declaration(Declaration {
                enumerators: specifiers.enumerators,
                type_name: specifiers.type_name,
                constant: specifiers.constant,
                is_static: specifiers.is_static,
                declarators: Vec::new(),
            }));
            return Ok(());
        }
        let pointer = self.pointer_stars();
        if self.peek() == Token::Identifier && self.peek_at(1) == Token::OpenParen {
            let result = if pointer { TypeName::Poisoned } else { specifiers.type_name };
            let function = self.function(result, start)?;
            items.push(Item::Function(function));
            return Ok(());
        }
        let declaration = self.declarators(specifiers, pointer)?;
        items.push(Item::Declaration(declaration));
        self.semicolon()
    }

    fn function(&mut self, result: TypeName, start: Span) -> Parsed<Function> {
        let name = self.name("the procedure's name")?;
        self.bump();
        let parameters = self.parameters()?;
        let span = join(start, self.previous_span());
        self.skip_attribute();
        let body = match self.peek() {
            Token::OpenBrace => Some(self.block()?),
            _ => {
                self.semicolon()?;
                None
            }
        };
        Ok(Function { result, name, parameters, body, span })
    }

    /// `__attribute__((…))`, which says nothing about values.
    fn skip_attribute(&mut self) {
        while self.peek() == Token::Identifier && self.word_at(0) == "__attribute__" && self.peek_at(1) == Token::OpenParen {
            self.bump();
            let mut depth = 0u32;
            loop {
                match self.bump().token {
                    Token::OpenParen => depth += 1,
                    Token::CloseParen => depth -= 1,
                    Token::End => return,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        }
    }

    /// After the `(`, up to and with the `)`.
    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if self.eat(Token::CloseParen) {
            return Ok(parameters);
        }
        if self.peek() == Token::Identifier && self.word_at(0) == "void" && self.peek_at(1) == Token::CloseParen {
            self.bump();
            self.bump();
            return Ok(parameters);
        }
        loop {
            let start = self.span();
            if self.peek() == Token::Ellipsis {
                self.refuse("variadic procedures are", start, "give it a fixed list of parameters");
                self.bump();
                break;
            }
            if !self.type_starts_at(0) {
                self.unexpected("a parameter's type");
                return Err(Recover);
            }
            let specifiers = self.specifiers()?;
            let mut poisoned = self.pointer_stars();
            if self.peek() == Token::OpenParen {
                self.refuse_whole("function pointers are", self.span(), "call the procedure by its name");
                return Err(Recover);
            }
            let name = if self.peek() == Token::Identifier { Some(self.name("a name")?) } else { None };
            while self.peek() == Token::OpenBracket {
                self.refuse("arrays as parameters are", self.span(), "arrays are not passed; make it a global array");
                poisoned = true;
                while !matches!(self.bump().token, Token::CloseBracket | Token::End) {}
            }
            let type_name = if poisoned { TypeName::Poisoned } else { specifiers.type_name };
            parameters.push(Parameter { type_name, name, constant: specifiers.constant, span: join(start, self.previous_span()) });
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseParen, "`,` or `)`")?;
        Ok(parameters)
    }

    /// A whole declaration but for its `;`.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let specifiers = self.specifiers()?;
        if self.peek() == Token::Semicolon && !specifiers.enumerators.is_empty() {
            return Ok(Declaration {
                enumerators: specifiers.enumerators,
                type_name: specifiers.type_name,
                constant: specifiers.constant,
                is_static: specifiers.is_static,
                declarators: Vec::new(),
            });
        }
        let pointer = self.pointer_stars();
        self.declarators(specifiers, pointer)
    }

    fn declarators(&mut self, specifiers: super::types::Specifiers, pointer: bool) -> Parsed<Declaration> {
        let type_name = if pointer { TypeName::Poisoned } else { specifiers.type_name };
        let mut declarators = Vec::new();
        let mut start = specifiers.span;
        loop {
            if self.peek() == Token::OpenParen {
                self.refuse_whole("function pointers are", self.span(), "call the procedure by its name");
                return Err(Recover);
            }
            let name = self.name("a name")?;
            declarators.push(self.declarator(name, start)?);
            if !self.eat(Token::Comma) {
                break;
            }
            start = self.span();
            if self.pointer_stars() {
                start = self.span();
            }
        }
        Ok(Declaration {
            enumerators: specifiers.enumerators,
            type_name,
            constant: specifiers.constant,
            is_static: specifiers.is_static,
            declarators,
        })
    }

    fn declarator(&mut self, name: Name, start: Span) -> Parsed<Declarator> {
        let mut dimensions = Vec::new();
        while self.eat(Token::OpenBracket) {
            dimensions.push(if self.peek() == Token::CloseBracket { None } else { Some(self.nested(Self::conditional)?) });
            self.expect(Token::CloseBracket, "`]`")?;
        }
        let initializer = if self.eat(Token::Assign) { Some(self.initializer()?) } else { None };
        Ok(Declarator { name, dimensions, initializer, span: join(start, self.previous_span()) })
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        if self.peek() != Token::OpenBrace {
            return Ok(Initializer::Value(self.assignment()?));
        }
        let start = self.bump().span;
        let mut list = Vec::new();
        while self.peek() != Token::CloseBrace {
            list.push(self.nested(Self::initializer)?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        let end = self.expect(Token::CloseBrace, "`,` or `}`")?;
        Ok(Initializer::List(list, join(start, end)))
    }
}
