//! Items of a file, with recovery at the next one.

use super::declarations::plain_declaration;
use super::types::Specifiers;
use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::is;
use crate::lang::model::Span;
use crate::lang::syntax::{File, Function, Item, TypeName, join};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        while self.peek() != Token::End {
            let before = self.position;
            if self.peek() == Token::Annotation {
                self.annotation_before_item();
                continue;
            }
            let found = self.item(&mut file.items);
            self.leave_contract();
            match found {
                Ok(()) => self.literals_before(&mut file.items),
                Err(Recover) => self.skip_item(before),
            }
            self.literals.clear();
            self.scopes.truncate(1);
        }
        file.items.append(&mut self.inner_functions);
        file.structs = std::mem::take(&mut self.structs);
        file.procedure_types = std::mem::take(&mut self.procedure_types);
        file.array_types = std::mem::take(&mut self.array_types);
        file.braced_values = std::mem::take(&mut self.braced_values);
        file.has_statement_expressions = self.has_statement_expressions;
        file
    }

    /// After an error: skips to the place after the next `;`, or after the next balanced block.
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
        if let Some(done) = self.special_item(items) {
            return done;
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
        let mut specifiers = self.specifiers()?;
        if specifiers.is_typedef {
            let declaration = self.type_aliases(specifiers)?;
            items.push(Item::Declaration(declaration));
            return self.semicolon();
        }
        if self.peek() == Token::Semicolon && (self.c || !specifiers.enumerations.is_empty()) {
            self.bump();
            items.push(Item::Declaration(plain_declaration(specifiers)));
            return Ok(());
        }
        let pointers = self.pointers(&specifiers);
        if self.names_procedure() || self.name_in_parentheses() {
            let enumerations = std::mem::take(&mut specifiers.enumerations);
            if !enumerations.is_empty() {
                let none = Specifiers { enumerations, ..Specifiers::new(specifiers.span) };
                items.push(Item::Declaration(plain_declaration(none)));
            }
            let result =
                if pointers > 0 && !self.c { TypeName::Poisoned } else { specifiers.type_name };
            let contract = self.contract.take();
            let mut function = self.function(result, pointers, start)?;
            function.contract = contract;
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

    /// Reads an item that is neither a declaration nor a procedure. `None` if the item is one of
    /// these.
    fn special_item(&mut self, items: &mut Vec<Item>) -> Option<Parsed<()>> {
        let start = self.span();
        match self.peek() {
            Token::Semicolon => {
                self.bump();
                Some(Ok(()))
            }
            Token::CloseBrace => {
                self.diagnostics.syntax_error(
                    start,
                    "this `}` closes nothing",
                    "remove it, or open its `{`",
                );
                self.bump();
                Some(Ok(()))
            }
            Token::Preprocessor => {
                self.refuse(
                    is("the preprocessor"),
                    start,
                    "it comes with the C dialect; remove the line",
                );
                self.bump();
                Some(Ok(()))
            }
            Token::Identifier
                if !self.c
                    && self.word_at(0) == "thread"
                    && self.peek_at(1) == Token::Identifier =>
            {
                Some(self.thread(items))
            }
            Token::Identifier
                if self.c && matches!(self.word_at(0), "_Static_assert" | "static_assert") =>
            {
                self.refuse(
                    is("an assertion outside of procedures"),
                    start,
                    "put it into a procedure",
                );
                Some(Err(Recover))
            }
            Token::Identifier if self.c && matches!(self.word_at(0), "asm" | "__asm__") => {
                self.refuse(is("assembly"), start, "write what it does in C");
                Some(Err(Recover))
            }
            _ => None,
        }
    }

    pub(super) fn unknown_type(&mut self, word: &str, span: Span) {
        if self.c && is_library_type(word) {
            let instead = match word {
                "jmp_buf" | "sigjmp_buf" => "return instead of jumping",
                "div_t" | "ldiv_t" | "lldiv_t" => "compute `/` and `%` by themselves",
                "DIR" | "fpos_t" => "files are not modelled; read from `stdin`",
                _ => "use integers",
            };
            self.refuse_whole(is(&format!("the library's type `{word}`")), span, instead);
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
            shared: false,
            contract: None,
        };
        items.push(Item::Thread(function));
        Ok(())
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
