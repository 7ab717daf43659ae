//! Type names: C's integers in any order of their words, `intN_t`, `bool`, enumerations.

use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::{What, are, is};
use crate::lang::model::Span;
use crate::lang::syntax::{EnumId, Enumeration, Enumerator, Expr, Size, TypeName, join};

/// What a declaration starts with.
pub(super) struct Specifiers {
    pub(super) type_name: TypeName,
    pub(super) constant: bool,
    pub(super) is_static: bool,
    pub(super) is_extern: bool,
    pub(super) is_typedef: bool,
    pub(super) atomic: bool,
    /// `_Thread_local`.
    pub(super) per_thread: bool,
    /// The pointers of the type itself, which a typedef gives.
    pub(super) pointers: u32,
    /// The extents of the type itself, which a typedef gives.
    pub(super) dimensions: Vec<Option<Expr>>,
    pub(super) enumerations: Vec<Enumeration>,
    pub(super) span: Span,
}

impl Specifiers {
    /// `int`.
    pub(super) fn new(span: Span) -> Specifiers {
        Specifiers {
            type_name: TypeName::Integer { size: Size::Int, signed: true },
            constant: false,
            is_static: false,
            is_extern: false,
            is_typedef: false,
            atomic: false,
            per_thread: false,
            pointers: 0,
            dimensions: Vec::new(),
            enumerations: Vec::new(),
            span,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Void,
    Bool,
    Char,
    Short,
    Int,
    Long,
    Signed,
    Unsigned,
    Exact {
        width: u8,
        signed: bool,
    },
    Const,
    Static,
    /// `extern`, `inline`, `register`, `auto`: without meaning here.
    Ignored,
    /// A word of C that is not modelled.
    Refused(What<'static>),
}

fn word(text: &str) -> Option<Word> {
    Some(match text {
        "void" => Word::Void,
        "bool" | "_Bool" => Word::Bool,
        "char" => Word::Char,
        "short" => Word::Short,
        "int" => Word::Int,
        "long" => Word::Long,
        "signed" => Word::Signed,
        "unsigned" => Word::Unsigned,
        "const" => Word::Const,
        "static" => Word::Static,
        "extern" | "inline" | "register" | "auto" | "__inline" | "volatile" | "_Noreturn" => {
            Word::Ignored
        }
        "float" | "double" => Word::Refused(is("floating point")),
        "struct" => Word::Refused(are("structs")),
        "union" => Word::Refused(are("unions").of_memory()),
        "typedef" => Word::Refused(are("typedefs")),
        _ => return exact(text),
    })
}

/// `int7_t`, `uint16_t` as a type.
pub(super) fn exact_type(text: &str) -> Option<TypeName> {
    match exact(text) {
        Some(Word::Exact { width, signed }) => Some(TypeName::Exact { width, signed }),
        _ => None,
    }
}

/// `int7_t`, `uint16_t`.
fn exact(text: &str) -> Option<Word> {
    let (signed, rest) = match text.strip_prefix('u') {
        Some(rest) => (false, rest),
        None => (true, text),
    };
    let digits = rest.strip_prefix("int")?.strip_suffix("_t")?;
    let width: u8 = digits.parse().ok()?;
    ((1..=64).contains(&width) && !digits.starts_with(['0', '+']))
        .then_some(Word::Exact { width, signed })
}

impl Parser<'_> {
    /// Does a type or a storage class start `ahead` tokens after the current one?
    pub(super) fn type_starts_at(&self, ahead: usize) -> bool {
        if self.c {
            return self.c_type_starts_at(ahead);
        }
        match self.peek_at(ahead) {
            Token::Enum => true,
            Token::Identifier => word(self.word_at(ahead)).is_some(),
            _ => false,
        }
    }

    /// Reads the words before the declarators.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        if self.c {
            return self.c_specifiers();
        }
        let start = self.span();
        let mut found = Specifiers::new(start);
        let mut base: Option<Word> = None;
        let mut size: Option<Size> = None;
        let mut signed: Option<bool> = None;
        let mut is_enum = false;
        loop {
            let span = self.span();
            if self.peek() == Token::Enum {
                self.bump();
                self.enumeration(&mut found.enumerations)?;
                is_enum = true;
                continue;
            }
            let Some(word) =
                (self.peek() == Token::Identifier).then(|| word(self.word_at(0))).flatten()
            else {
                break;
            };
            match word {
                Word::Const => found.constant = true,
                Word::Static => found.is_static = true,
                Word::Ignored => {}
                Word::Short => size = Some(Size::Short),
                Word::Char => size = Some(Size::Char),
                Word::Long => size = Some(Size::Long),
                Word::Signed => signed = Some(true),
                Word::Unsigned => signed = Some(false),
                Word::Int => {}
                Word::Refused(what) => {
                    let hint = match self.word_at(0) {
                        "float" | "double" => "use an integer, scaled if need be",
                        _ => {
                            "they come with the C dialect; use plain variables and arrays in Cimple"
                        }
                    };
                    if matches!(self.word_at(0), "struct" | "union" | "typedef") {
                        self.refuse_whole(what, span, hint);
                        self.bump();
                        self.skip_aggregate();
                        return Err(Recover);
                    }
                    self.refuse(what, span, hint);
                    base = Some(word);
                }
                Word::Void | Word::Bool | Word::Exact { .. } => base = Some(word),
            }
            self.bump();
        }
        found.span = join(start, self.previous_span());
        found.type_name = match base {
            Some(Word::Void) => TypeName::Void,
            Some(Word::Bool) => TypeName::Bool,
            Some(Word::Exact { width, signed }) => TypeName::Exact { width, signed },
            Some(_) => TypeName::Poisoned,
            None if is_enum => TypeName::Integer { size: Size::Int, signed: true },
            None => TypeName::Integer {
                size: size.unwrap_or(Size::Int),
                signed: signed.unwrap_or(true),
            },
        };
        Ok(found)
    }

    /// Reads what follows `enum`: a name, members, or both. Members are added to `declared`.
    pub(super) fn enumeration(&mut self, declared: &mut Vec<Enumeration>) -> Parsed<EnumId> {
        let tag = if self.peek() == Token::Identifier { Some(self.name("a name")?) } else { None };
        if self.peek() != Token::OpenBrace {
            let Some(tag) = tag else {
                self.unexpected("the enumeration's name or `{`");
                return Ok(self.new_enum());
            };
            if let Some(known) = self.find_enum(&tag.text) {
                return Ok(known);
            }
            self.diagnostics.syntax_error(
                tag.span,
                format!("unknown enumeration `{}`", tag.text),
                "declare its members first: `enum E { A, B };`",
            );
            return Ok(self.new_enum());
        }
        self.bump();
        let mut members: Vec<Enumerator> = Vec::new();
        while self.peek() != Token::CloseBrace {
            let name = self.name("a member's name or `}`")?;
            let value = if self.eat(Token::Assign) { Some(self.conditional()?) } else { None };
            self.hide_type(&name.text);
            members.push(Enumerator { name, value });
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseBrace, "`,` or `}`")?;
        let id = self.new_enum();
        if let Some(tag) = tag {
            self.add_enum(tag.text, id);
        }
        declared.push(Enumeration { id, members });
        Ok(id)
    }

    fn new_enum(&mut self) -> EnumId {
        self.enumerations += 1;
        EnumId(self.enumerations - 1)
    }

    /// Skips the rest of a refused `struct`, `union` or `typedef`, up to its `;`.
    fn skip_aggregate(&mut self) {
        loop {
            match self.peek() {
                Token::OpenBrace => self.skip_block(),
                Token::Semicolon => {
                    self.bump();
                    return;
                }
                Token::CloseBrace | Token::End => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Refuses `*`s after a type. Returns true if there were any.
    pub(super) fn pointer_stars(&mut self) -> bool {
        if self.c {
            return self.stars() > 0;
        }
        let span = self.span();
        let mut found = false;
        while self.peek() == Token::Star
            || (found
                && self.peek() == Token::Identifier
                && matches!(self.word_at(0), "const" | "restrict"))
        {
            self.bump();
            found = true;
        }
        if found {
            self.refuse(
                are("pointers").of_memory(),
                span,
                "pass values, return a result, or use a global array",
            );
        }
        found
    }
}
