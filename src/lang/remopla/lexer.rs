//! The words and signs of Remopla.

use crate::lang::reading::scan::{Sign, block_comment};
use logos::Logos;

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[rustfmt::skip]
pub(super) enum Token {
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")] Identifier,
    #[regex(r"[0-9][0-9A-Za-z_]*")] Number,
    #[regex(r"[0-9]+\.[0-9]*")] Float,
    #[regex(r#""[^"\n]*""#)] Text,
    #[regex(r"//[^\n]*", allow_greedy = true)] LineComment,
    #[token("/*", block_comment)] BlockComment,

    #[token("define")] Define, #[token("bool")] Bool, #[token("int")] Int, #[token("sgnint")] SignedInt, #[token("unsigned")] Unsigned,
    #[token("void")] Void, #[token("enum")] Enum, #[token("struct")] Struct, #[token("shared")] Shared,
    #[token("module")] Module, #[token("init")] Init,
    #[token("skip")] Skip, #[token("do")] Do, #[token("od")] Od, #[token("if")] If, #[token("fi")] Fi, #[token("else")] Else,
    #[token("break")] Break, #[token("goto")] Goto, #[token("return")] Return, #[token("fork")] Fork, #[token("assert")] Assert,
    #[token("undef")] Undef, #[token("true")] True, #[token("false")] False,
    #[token("pchoice")] Pchoice, #[token("choicep")] Choicep,

    #[token("(")] OpenParen, #[token(")")] CloseParen, #[token("[")] OpenBracket, #[token("]")] CloseBracket,
    #[token("{")] OpenBrace, #[token("}")] CloseBrace, #[token(";")] Semicolon, #[token(",")] Comma, #[token(":")] Colon,
    #[token("::")] Option, #[token("->")] Arrow, #[token("-->")] Rewrites, #[token("'")] Tick, #[token(".")] Dot,
    #[token("=")] Assign, #[token("+")] Plus, #[token("-")] Minus, #[token("*")] Star, #[token("/")] Slash, #[token("%")] Percent,
    #[token("<<")] ShiftLeft, #[token(">>")] ShiftRight, #[token("&")] And, #[token("|")] Or, #[token("^")] Xor, #[token("~")] Tilde,
    #[token("!")] Not, #[token("&&")] AndAnd, #[token("||")] OrOr, #[token("^^")] XorXor,
    #[token("==")] Equal, #[token("!=")] NotEqual, #[token("<")] Less, #[token("<=")] LessEqual, #[token(">")] Greater,
    #[token(">=")] GreaterEqual,

    /// The end of the source. The lexer never makes it.
    EndOfSource,
}

impl Sign for Token {
    const END: Token = Token::EndOfSource;
    const IDENTIFIER: Token = Token::Identifier;
    const SEMICOLON: Token = Token::Semicolon;

    fn is_comment(self) -> bool {
        matches!(self, Token::LineComment | Token::BlockComment)
    }

    fn closes(self) -> bool {
        matches!(self, Token::CloseBrace | Token::Od | Token::Fi | Token::Option)
    }
}
