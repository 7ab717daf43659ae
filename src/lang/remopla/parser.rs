//! From tokens to the syntax tree, by recursive descent, with recovery at statement ends.

use super::lexer::Token;
use super::syntax::*;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::message::{are, is};
use crate::lang::reading::cursor::{Cursor, Parsed, Recover};
use crate::lang::reading::scan::{Lexeme, Sign};
use crate::lang::syntax::{Name, join};

pub(super) type Parser<'a> = Cursor<'a, Token>;

/// Reads a whole file. What could not be read is reported and left out.
pub(super) fn parse(source: &str, tokens: &[Lexeme<Token>], diagnostics: &mut Diagnostics) -> File {
    Parser::new(source, tokens, diagnostics).file()
}

/// Where reading resumes after an error inside a module.
pub(super) fn resumes(token: Token) -> bool {
    use Token::*;
    matches!(token, Module | CloseBrace | Od | Fi | Option | Do | If | Goto | Return | Skip | Break)
}

impl Parser<'_> {
    fn file(&mut self) -> File {
        let mut file = File::default();
        loop {
            let before = self.position;
            let read = match self.peek() {
                Token::EndOfSource => return file,
                Token::Semicolon => {
                    self.bump();
                    Ok(())
                }
                Token::Define => self.define().map(|item| file.items.push(item)),
                Token::Enum
                    if self.peek_at(1) == Token::OpenBrace
                        || self.peek_at(2) == Token::OpenBrace =>
                {
                    self.enumeration(&mut file)
                }
                Token::Struct if self.peek_at(2) == Token::OpenBrace => self.structure(&mut file),
                Token::Module => self.module().map(|module| file.modules.push(module)),
                Token::Init => self.init().map(|init| {
                    if file.init.replace(init).is_some() {
                        let span = self.previous_span();
                        self.diagnostics.error(span, "a second `init`", "one module starts");
                    }
                }),
                Token::Identifier if self.peek_at(1) == Token::Less => {
                    self.rule().map(|rule| file.rules.push(rule))
                }
                Token::OpenParen
                    if self.peek_at(1) == Token::Identifier && self.peek_at(2) == Token::Less =>
                {
                    self.initial_configuration().map(|init| file.init = Some(init))
                }
                _ => self.declaration().and_then(|declaration| {
                    file.items.push(Item::Declaration(declaration));
                    self.semicolon()
                }),
            };
            if read.is_err() {
                while !matches!(
                    self.peek(),
                    Token::Module | Token::EndOfSource | Token::Define | Token::Init
                ) {
                    self.bump();
                }
                if self.position == before {
                    self.bump();
                }
            }
        }
    }

    /// `define N 4`. The end of the line ends it.
    fn define(&mut self) -> Parsed<Item> {
        let line = self.bump().line;
        let (name, value) = self.on_this_line(line, |parser| {
            let name = parser.name("a constant's name")?;
            let value = parser.expression()?;
            if !matches!(parser.peek(), Token::END | Token::Semicolon) {
                parser.unexpected(
                    "an operator or the end of the line",
                    "a line defines one constant",
                );
                return Err(Recover);
            }
            Ok((name, value))
        })?;
        self.eat(Token::Semicolon);
        Ok(Item::Define(name, value))
    }

    /// `enum colour { red, green };`, perhaps with variables before the `;`.
    fn enumeration(&mut self, file: &mut File) -> Parsed<()> {
        let start = self.bump();
        let name = if self.peek() == Token::Identifier { Some(self.name("a name")?) } else { None };
        self.expect(Token::OpenBrace, "`{`")?;
        let mut members = Vec::new();
        while self.peek() == Token::Identifier {
            members.push(self.name("a member")?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseBrace, "`}`")?;
        // The line of an enumeration without a name serves as its name.
        let own = name
            .clone()
            .unwrap_or(Name { text: format!("enum of line {}", start.line), span: start });
        if self.peek() == Token::Identifier {
            if name.is_none() {
                self.refuse(
                    are("variables of an enumeration without a name"),
                    start,
                    "name it: `enum colour { … }; enum colour x;`",
                );
            }
            let declarators = self.declarators()?;
            file.items.push(Item::Enum(Enumeration { name, members }));
            let declaration =
                Declaration { type_name: TypeName::Enum(own), shared: false, declarators };
            file.items.push(Item::Declaration(declaration));
            return self.semicolon();
        }
        file.items.push(Item::Enum(Enumeration { name, members }));
        self.semicolon()
    }

    /// `struct pair { int first(3); bool second; };`
    fn structure(&mut self, file: &mut File) -> Parsed<()> {
        self.bump();
        let name = self.name("a name")?;
        self.expect(Token::OpenBrace, "`{`")?;
        let mut fields = Vec::new();
        while !matches!(self.peek(), Token::CloseBrace | Token::EndOfSource) {
            fields.push(self.declaration()?);
            self.semicolon()?;
        }
        self.expect(Token::CloseBrace, "`}`")?;
        let type_name = TypeName::Struct(name.clone());
        file.items.push(Item::Struct(Structure { name, fields }));
        if self.peek() == Token::Identifier {
            let declarators = self.declarators()?;
            file.items.push(Item::Declaration(Declaration {
                type_name,
                shared: false,
                declarators,
            }));
        }
        self.semicolon()
    }

    /// `init m;`, `init p <s>;`
    fn init(&mut self) -> Parsed<Init> {
        let start = self.bump();
        let first = self.name("a module")?;
        let init = if self.peek() == Token::Less {
            let name = self.symbol()?;
            Init { state: Some(first), name, span: join(start, self.previous_span()) }
        } else {
            Init { state: None, span: join(start, first.span), name: first }
        };
        self.semicolon()?;
        Ok(init)
    }

    /// `(p <s>)`
    fn initial_configuration(&mut self) -> Parsed<Init> {
        let start = self.bump();
        let state = self.name("a control state")?;
        let name = self.symbol()?;
        self.expect(Token::CloseParen, "`)`")?;
        self.eat(Token::Semicolon);
        Ok(Init { state: Some(state), name, span: join(start, self.previous_span()) })
    }

    /// `<s>`
    fn symbol(&mut self) -> Parsed<Name> {
        self.expect(Token::Less, "`<`")?;
        let name = self.name("a stack symbol")?;
        self.expect(Token::Greater, "`>`")?;
        Ok(name)
    }

    /// `p <s> --> q <t u>`, perhaps with a text and a relation; no `;` is needed.
    fn rule(&mut self) -> Parsed<Rule> {
        let from = self.name("a control state")?;
        let symbol = self.symbol()?;
        self.expect(Token::Rewrites, "`-->`")?;
        let to = self.name("a control state")?;
        self.expect(Token::Less, "`<`")?;
        let mut word = Vec::new();
        while self.peek() == Token::Identifier {
            word.push(self.name("a stack symbol")?);
        }
        let close = self.expect(Token::Greater, "`>`")?;
        if word.len() > 2 {
            let span = join(from.span, close);
            self.diagnostics.error(
                span,
                "a rule writes at most two stack symbols",
                "split it into two rules",
            );
            word.truncate(2);
        }
        self.eat(Token::Text);
        let relation = if self.peek() == Token::OpenParen && !self.initial_configuration_starts() {
            self.bump();
            let relation = self.expression()?;
            self.expect(Token::CloseParen, "`)`")?;
            Some(relation)
        } else {
            None
        };
        let span = join(from.span, self.previous_span());
        self.eat(Token::Semicolon);
        Ok(Rule { from, symbol, to, word, relation, span })
    }

    /// `(p <s>)`, on a line of its own?
    fn initial_configuration_starts(&self) -> bool {
        self.peek_at(1) == Token::Identifier
            && self.peek_at(2) == Token::Less
            && self.peek_at(3) == Token::Identifier
            && self.peek_at(4) == Token::Greater
            && self.peek_at(5) == Token::CloseParen
    }

    /// Does a type start here?
    pub(super) fn type_starts(&self) -> bool {
        use Token::*;
        matches!(self.peek(), Bool | Int | SignedInt | Unsigned | Enum | Struct | Shared)
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        Ok(match self.peek() {
            Token::Unsigned => {
                self.bump();
                self.expect(Token::Int, "`int`")?;
                TypeName::Int { signed: false }
            }
            Token::Bool | Token::Int | Token::SignedInt => match self.peek() {
                Token::Bool => {
                    self.bump();
                    TypeName::Bool
                }
                other => {
                    self.bump();
                    TypeName::Int { signed: other == Token::SignedInt }
                }
            },
            Token::Enum => {
                self.bump();
                TypeName::Enum(self.name("an enumeration")?)
            }
            Token::Struct => {
                self.bump();
                TypeName::Struct(self.name("a struct")?)
            }
            _ => {
                self.unexpected(
                    "a type",
                    "types are `bool`, `int`, `sgnint`, `enum e` and `struct s`",
                );
                return Err(Recover);
            }
        })
    }

    /// Reads a declaration without its `;`.
    fn declaration(&mut self) -> Parsed<Declaration> {
        let shared = self.eat(Token::Shared);
        let type_name = self.type_name()?;
        Ok(Declaration { type_name, shared, declarators: self.declarators()? })
    }

    fn declarators(&mut self) -> Parsed<Vec<Declarator>> {
        let mut list = vec![self.declarator()?];
        while self.eat(Token::Comma) {
            list.push(self.declarator()?);
        }
        Ok(list)
    }

    /// `a[8][0,3](4)`
    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.name("a variable")?;
        let mut dimensions = Vec::new();
        while self.eat(Token::OpenBracket) {
            let first = self.expression()?;
            let dimension = match self.eat(Token::Comma) {
                true => Dimension { low: Some(first), high: self.expression()? },
                false => Dimension { low: None, high: first },
            };
            self.expect(Token::CloseBracket, "`]`")?;
            dimensions.push(dimension);
        }
        let width = self.width()?;
        if self.peek() == Token::Assign {
            let span = self.span();
            self.refuse(is("an initial value"), span, "assign it in the first statement");
            self.bump();
            self.expression()?;
        }
        Ok(Declarator { name, dimensions, width })
    }

    /// `(4)`, if it is there.
    fn width(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat(Token::OpenParen) {
            return Ok(None);
        }
        let width = self.expression()?;
        self.expect(Token::CloseParen, "`)`")?;
        Ok(Some(width))
    }

    fn module(&mut self) -> Parsed<Module> {
        let start = self.bump();
        let result = if self.eat(Token::Void) {
            None
        } else {
            let type_name = self.type_name()?;
            Some((type_name, self.width()?))
        };
        let name = self.name("the module's name")?;
        self.expect(Token::OpenParen, "`(`")?;
        if self.peek() == Token::Void && self.peek_at(1) == Token::CloseParen {
            self.bump();
        }
        let parameters = self.list(|parser| Ok((parser.type_name()?, parser.declarator()?)))?;
        let span = join(start, self.previous_span());
        if self.eat(Token::Semicolon) {
            return Ok(Module { name, result, parameters, body: None, span });
        }
        self.expect(Token::OpenBrace, "`{` or `;`")?;
        let mut locals = Vec::new();
        while self.type_starts() {
            match self.declaration().and_then(|declaration| {
                locals.push(declaration);
                self.semicolon()
            }) {
                Ok(()) => {}
                Err(Recover) => self.synchronise(resumes),
            }
        }
        let mut statements = self.statements();
        // After an error there may be a closing word whose opening word was not read.
        while self.diagnostics.is_broken()
            && matches!(self.peek(), Token::Fi | Token::Od | Token::Option | Token::Choicep)
        {
            self.bump();
            statements.extend(self.statements());
        }
        let end = self.span();
        if !self.eat(Token::CloseBrace) {
            let message = format!("the `{{` of line {} is never closed", span.line);
            match self.peek() {
                Token::EndOfSource | Token::Module => {
                    self.diagnostics.syntax_error(span, message, "add `}`")
                }
                _ => self.unexpected("a statement or `}`", ""),
            }
            return Err(Recover);
        }
        Ok(Module { name, result, parameters, body: Some(Body { locals, statements, end }), span })
    }
}
