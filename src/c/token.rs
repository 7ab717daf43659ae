//! From text to preprocessing tokens (C11 6.4).

use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use logos::Logos;
use std::rc::Rc;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// A number, as the preprocessor sees it.
    Number,
    /// `'c'`, with its prefix.
    Character,
    /// `"text"`, with its prefix.
    Text,
    /// An operator or a bracket.
    Punctuator,
    /// The end of the program.
    End,
}

/// A preprocessing token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// As it is spelt.
    pub(crate) text: Rc<str>,
    pub(crate) span: Span,
    /// Does white space stand before it?
    pub(crate) spaced: bool,
    /// Is it the first of its line?
    pub(crate) first: bool,
    /// The macros whose expansion made it, which do not expand it again (Prosser's hide set).
    pub(crate) hidden: Option<Rc<Hidden>>,
}

/// A hide set, as a list.
#[derive(Debug)]
pub(crate) struct Hidden {
    name: Rc<str>,
    rest: Option<Rc<Hidden>>,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Punctuator) && &*self.text == text
    }

    pub(crate) fn hides(&self, name: &str) -> bool {
        let mut next = &self.hidden;
        while let Some(hidden) = next {
            if &*hidden.name == name {
                return true;
            }
            next = &hidden.rest;
        }
        false
    }

    /// Hides what another token hides.
    pub(crate) fn hide_as(&mut self, other: &Token) {
        let mut next = &other.hidden;
        while let Some(hidden) = next {
            if !self.hides(&hidden.name) {
                self.hide(&hidden.name);
            }
            next = &hidden.rest;
        }
    }

    pub(crate) fn hide(&mut self, name: &Rc<str>) {
        self.hidden = Some(Rc::new(Hidden { name: name.clone(), rest: self.hidden.take() }));
    }
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\f\v]+|\\[ \t]*\r?\n|\u{feff}")]
enum Lexeme {
    #[token("\n")]
    Line,
    #[regex(r"//(?:[^\n\\]|\\\r?\n|\\[^\n])*", allow_greedy = true)]
    #[regex(r"/\*(?:[^*]|\*+[^*/])*\*+/")]
    Comment,
    #[regex(r"\\(?:forall|exists)")]
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*|[\p{XID_Start}_][\p{XID_Continue}]*")]
    Word,
    #[regex(r"\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*")]
    Number,
    #[regex(r"[LuU]?'(?:[^'\\\n]|\\[^\n])*'", priority = 20)]
    Character,
    #[regex(r#"(?:[LuU]|u8)?"(?:[^"\\\n]|\\\r?\n|\\[^\n])*""#, priority = 20)]
    Text,
    #[regex(r"\.\.\.|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==>|==|!=|&&|\|\||[-+*/%&|^]=|##")]
    #[regex(r"[-+*/%&|^!~<>=?:;,.(){}\[\]#]")]
    Punctuator,
}

/// The tokens of a text, without an end. `foreign` marks those of another text than the program's.
pub(crate) fn tokens(text: &str, foreign: bool) -> Result<Vec<Token>, Mistake> {
    let mut list = Vec::new();
    let mut lexer = Lexeme::lexer(text);
    let (mut line, mut counted, mut end) = (1u32, 0usize, 0usize);
    let mut first = true;
    while let Some(lexeme) = lexer.next() {
        let range = lexer.span();
        line += newlines(&text[counted..range.start]);
        counted = range.start;
        let span = Span { start: range.start as u32, end: range.end as u32, line, foreign };
        let kind = match lexeme {
            Ok(Lexeme::Line) => {
                first = true;
                continue;
            }
            Ok(Lexeme::Comment) => continue,
            Ok(Lexeme::Word) => Kind::Word,
            Ok(Lexeme::Number) => Kind::Number,
            Ok(Lexeme::Character) => Kind::Character,
            Ok(Lexeme::Text) => Kind::Text,
            Ok(Lexeme::Punctuator) => Kind::Punctuator,
            Err(()) => {
                let found = text[range].chars().next().unwrap_or('?');
                return Err(Mistake::new(MistakeKind::Character(found), span));
            }
        };
        let spaced = range.start > end;
        end = range.end;
        list.push(Token { kind, text: text[range].into(), span, spaced, first, hidden: None });
        first = false;
    }
    Ok(list)
}

fn newlines(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32
}
