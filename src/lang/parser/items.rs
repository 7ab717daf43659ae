//! Declarations and procedures, with recovery at the next one.

use super::c_types::{TypeAlias, TypeScope};
use super::types::Specifiers;
use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::model::Span;
use crate::lang::syntax::{
    Declaration, Declarator, File, Function, Initializer, Item, Name, Parameter, Size, TypeName,
    join,
};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        while self.peek() != Token::End {
            let before = self.position;
            match self.item(&mut file.items) {
                Ok(()) => {}
                Err(Recover) => self.skip_item(before),
            }
            self.scopes.truncate(1);
        }
        file.items.append(&mut self.inner_functions);
        file.structs = std::mem::take(&mut self.structs);
        file.has_statement_expressions = self.has_statement_expressions;
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
                self.diagnostics.syntax_error(
                    start,
                    "this `}` closes nothing",
                    "remove it, or open its `{`",
                );
                self.bump();
                return Ok(());
            }
            Token::Preprocessor => {
                self.refuse(
                    "the preprocessor is",
                    start,
                    "it comes with the C dialect; remove the line",
                );
                self.bump();
                return Ok(());
            }
            Token::Identifier
                if !self.c
                    && self.word_at(0) == "thread"
                    && self.peek_at(1) == Token::Identifier =>
            {
                return self.thread(items);
            }
            Token::Identifier
                if self.c && matches!(self.word_at(0), "_Static_assert" | "static_assert") =>
            {
                self.refuse(
                    "an assertion outside of procedures is",
                    start,
                    "put it into a procedure",
                );
                return Err(Recover);
            }
            Token::Identifier if self.c && matches!(self.word_at(0), "asm" | "__asm__") => {
                self.refuse("assembly is", start, "write what it does in C");
                return Err(Recover);
            }
            _ => {}
        }
        // C's old form: `main() { … }` returns int.
        let implicit = self.peek() == Token::Identifier
            && !self.type_starts_at(0)
            && self.peek_at(1) == Token::OpenParen;
        if !implicit && !self.type_starts_at(0) {
            if self.peek() == Token::Identifier
                && matches!(self.peek_at(1), Token::Identifier | Token::Star)
            {
                let word = self.word_at(0).to_string();
                self.unknown_type(&word, start);
            } else {
                self.unexpected("a declaration or a procedure");
            }
            return Err(Recover);
        }
        let specifiers = self.specifiers()?;
        if specifiers.is_typedef {
            let declaration = self.type_aliases(specifiers)?;
            items.push(Item::Declaration(declaration));
            return self.semicolon();
        }
        if self.peek() == Token::Semicolon && (self.c || !specifiers.enumerators.is_empty()) {
            self.bump();
            items.push(Item::Declaration(plain_declaration(specifiers)));
            return Ok(());
        }
        let pointers = self.pointers(&specifiers);
        if (self.peek() == Token::Identifier && self.peek_at(1) == Token::OpenParen)
            || self.name_in_parentheses()
        {
            let result =
                if pointers > 0 && !self.c { TypeName::Poisoned } else { specifiers.type_name };
            let function = self.function(result, pointers, start)?;
            let more = function.body.is_none() && self.c && self.peek() == Token::Comma;
            items.push(Item::Function(function));
            if !more {
                return Ok(());
            }
            self.bump();
            let stars = self.pointers(&specifiers);
            let declaration = self.declarators(specifiers, stars)?;
            items.push(Item::Declaration(declaration));
            return self.semicolon();
        }
        let declaration = self.declarators(specifiers, pointers)?;
        items.push(Item::Declaration(declaration));
        self.semicolon()
    }

    pub(super) fn unknown_type(&mut self, word: &str, span: Span) {
        if self.c && is_library_type(word) {
            self.refuse_whole(&format!("the library's type `{word}` is"), span, "use integers");
            return;
        }
        let hint = if self.c {
            "declare it with `typedef` or `struct` before it is used"
        } else {
            "types are bool, int, char, short, long, unsigned, intN_t, uintN_t"
        };
        self.diagnostics.syntax_error(span, format!("unknown type `{word}`"), hint);
    }

    /// `thread name { … }`
    fn thread(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.bump().span;
        let name = self.name("the thread's name")?;
        let span = join(start, name.span);
        if self.peek() == Token::OpenParen && self.peek_at(1) == Token::CloseParen {
            self.bump();
            self.bump();
        }
        if self.peek() != Token::OpenBrace {
            self.unexpected("`{`");
            return Err(Recover);
        }
        let body = Some(self.block()?);
        let function = Function {
            result: TypeName::Void,
            pointers: 0,
            name,
            parameters: Vec::new(),
            open_ended: false,
            body,
            span,
        };
        items.push(Item::Thread(function));
        Ok(())
    }

    /// `*`s before a name: kept in C, refused in Cimple.
    fn pointers(&mut self, specifiers: &Specifiers) -> u32 {
        match self.c {
            true => specifiers.pointers + self.stars(),
            false => u32::from(self.pointer_stars()),
        }
    }

    fn function(&mut self, result: TypeName, pointers: u32, start: Span) -> Parsed<Function> {
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
        Ok(Function { result, pointers, name, parameters, open_ended, body, span })
    }

    /// C's `int (f)(…)`.
    fn name_in_parentheses(&self) -> bool {
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
                parameter.pointers =
                    declarator.pointers + u32::from(!declarator.dimensions.is_empty());
                parameter.rows = declarator.dimensions.into_iter().skip(1).collect();
            }
        }
        Ok(())
    }

    /// After the `(`, up to and with the `)`; and whether there may be more arguments.
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
                        "variadic procedures are",
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
        let mut poisoned = pointers > 0 && !self.c;
        let mut name = None;
        if self.peek() == Token::OpenParen {
            if !self.c {
                self.refuse_whole(
                    "function pointers are",
                    self.span(),
                    "call the procedure by its name",
                );
                return Err(Recover);
            }
            // `void (*f)(int)`: what is passed for it cannot be called, but may stand unused.
            if self.peek_at(1) == Token::Star && self.peek_at(2) == Token::Identifier {
                name = Some(Name { text: self.word_at(2).to_string(), span: self.span_at(2) });
            }
            while self.peek() == Token::OpenParen {
                self.skip_parentheses();
            }
            pointers += 1;
        }
        if self.peek() == Token::Identifier {
            name = Some(self.name("a name")?);
        }
        let mut rows = specifiers.dimensions.clone();
        if self.c {
            let mut extents = self.extents()?;
            if self.peek() == Token::OpenParen {
                // A procedure's type as a parameter's: a pointer to it.
                self.skip_parentheses();
                pointers += 1;
            }
            extents.append(&mut rows);
            if !extents.is_empty() {
                extents.remove(0);
                pointers += 1;
            }
            rows = extents;
            self.skip_attribute();
        } else {
            while self.peek() == Token::OpenBracket {
                self.refuse(
                    "arrays as parameters are",
                    self.span(),
                    "arrays are not passed; make it a global array",
                );
                poisoned = true;
                while !matches!(self.bump().token, Token::CloseBracket | Token::End) {}
            }
        }
        if let Some(name) = &name {
            self.hide_type(&name.text);
        }
        let type_name = if poisoned { TypeName::Poisoned } else { specifiers.type_name };
        Ok(Parameter {
            type_name,
            pointers,
            rows,
            name,
            constant: specifiers.constant,
            span: join(start, self.previous_span()),
        })
    }

    /// `typedef …` but for its `;`: only what enumerations it declares is left of it.
    fn type_aliases(&mut self, specifiers: Specifiers) -> Parsed<Declaration> {
        while self.peek() != Token::Semicolon {
            let mut pointers = specifiers.pointers + self.stars();
            if self.peek() == Token::OpenParen {
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
                    TypeAlias { type_name: TypeName::Void, pointers, dimensions: Vec::new() },
                );
            } else {
                let name = self.name("the type's name")?;
                if self.peek() == Token::OpenParen {
                    self.refuse_whole(
                        "a name for a procedure's type is",
                        name.span,
                        "write the procedure's declaration out",
                    );
                    return Err(Recover);
                }
                let mut dimensions = self.extents()?;
                dimensions.extend(specifiers.dimensions.iter().cloned());
                self.skip_attribute();
                self.add_alias(
                    name.text,
                    TypeAlias { type_name: specifiers.type_name, pointers, dimensions },
                );
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        Ok(plain_declaration(specifiers))
    }

    /// A whole declaration but for its `;`.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        let specifiers = self.specifiers()?;
        if specifiers.is_typedef {
            return self.type_aliases(specifiers);
        }
        if self.peek() == Token::Semicolon && (self.c || !specifiers.enumerators.is_empty()) {
            return Ok(plain_declaration(specifiers));
        }
        let pointers = self.pointers(&specifiers);
        if self.c && self.peek() == Token::Identifier && self.peek_at(1) == Token::OpenParen {
            return self.inner_prototype(specifiers, pointers, start);
        }
        self.declarators(specifiers, pointers)
    }

    /// A procedure that is declared inside another; the `;` is left.
    fn inner_prototype(
        &mut self,
        specifiers: Specifiers,
        pointers: u32,
        start: Span,
    ) -> Parsed<Declaration> {
        let name = self.name("the procedure's name")?;
        self.hide_type(&name.text);
        self.bump();
        let depth = self.scopes.len();
        self.scopes.push(TypeScope::default());
        let (parameters, open_ended) = self.parameters()?;
        self.scopes.truncate(depth);
        let span = join(start, self.previous_span());
        self.skip_attribute();
        let result = specifiers.type_name;
        self.inner_functions.push(Item::Function(Function {
            result,
            pointers,
            name,
            parameters,
            open_ended,
            body: None,
            span,
        }));
        Ok(plain_declaration(specifiers))
    }

    fn declarators(&mut self, mut specifiers: Specifiers, first: u32) -> Parsed<Declaration> {
        let mut pointers = first;
        if pointers > 0 && !self.c {
            specifiers.type_name = TypeName::Poisoned;
        }
        let mut declarators = Vec::new();
        let mut start = specifiers.span;
        loop {
            if self.peek() == Token::OpenParen {
                self.refuse_whole(
                    "function pointers are",
                    self.span(),
                    "call the procedure by its name",
                );
                return Err(Recover);
            }
            let name = self.name("a name")?;
            self.hide_type(&name.text);
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
            if self.c && self.peek() == Token::Identifier && self.peek_at(1) == Token::OpenParen {
                self.refuse_whole(
                    "a procedure declared among variables is",
                    start,
                    "declare it by itself",
                );
                return Err(Recover);
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

    fn initializer(&mut self) -> Parsed<Initializer> {
        if self.peek() != Token::OpenBrace {
            return Ok(Initializer::Value(self.assignment()?));
        }
        let start = self.bump().span;
        let mut list = Vec::new();
        while self.peek() != Token::CloseBrace {
            list.push(self.nested(Self::designated)?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        let end = self.expect(Token::CloseBrace, "`,` or `}`")?;
        Ok(Initializer::List(list, join(start, end)))
    }

    /// An entry of a list, in C perhaps `.member = …` or `[index] = …`.
    fn designated(&mut self) -> Parsed<Initializer> {
        if self.c && self.peek() == Token::Dot {
            self.bump();
            let name = self.name("a member's name")?;
            if self.peek() != Token::Assign {
                self.refuse_whole("a member of a member in a list is", name.span, "nest the lists");
                return Err(Recover);
            }
            self.bump();
            return Ok(Initializer::Member(name, Box::new(self.initializer()?)));
        }
        if self.c && self.peek() == Token::OpenBracket {
            let start = self.bump().span;
            let index = self.conditional()?;
            self.expect(Token::CloseBracket, "`]`")?;
            if self.peek() != Token::Assign {
                self.refuse_whole(
                    "a range or a nested place in a list is",
                    start,
                    "write the values one by one",
                );
                return Err(Recover);
            }
            self.bump();
            return Ok(Initializer::At(index, Box::new(self.initializer()?)));
        }
        self.initializer()
    }
}

/// Types that headers declare and that are not modelled.
fn is_library_type(name: &str) -> bool {
    let known = [
        "div_t",
        "ldiv_t",
        "lldiv_t",
        "sem_t",
        "jmp_buf",
        "sigjmp_buf",
        "DIR",
        "fpos_t",
        "mbstate_t",
        "locale_t",
        "once_flag",
    ];
    let families = ["pthread_", "mtx_t", "thrd_t", "cnd_t", "atomic_", "sig"];
    known.contains(&name) || families.iter().any(|family| name.starts_with(family))
}

/// Without declarators.
fn plain_declaration(specifiers: Specifiers) -> Declaration {
    Declaration {
        enumerators: specifiers.enumerators,
        type_name: specifiers.type_name,
        constant: specifiers.constant,
        is_static: specifiers.is_static,
        is_extern: specifiers.is_extern,
        atomic: specifiers.atomic,
        declarators: Vec::new(),
    }
}
