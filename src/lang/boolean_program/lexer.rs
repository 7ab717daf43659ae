//! The words and signs of Boolean programs.

use crate::lang::reading::scan::{Sign, block_comment};
use logos::Logos;

/// A name may stand in braces and is then any text: `{x==0}`.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[rustfmt::skip]
pub(super) enum Token {
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")] #[regex(r"\{[^{}\n]*\}")] Identifier,
    #[regex(r"[0-9][0-9A-Za-z_]*")] Number,
    #[regex(r"//[^\n]*", allow_greedy = true)] LineComment,
    #[token("/*", block_comment)] BlockComment,

    #[token("decl")] Decl, #[token("void")] Void, #[token("bool")] Bool, #[token("begin")] Begin, #[token("end")] End,
    #[token("if")] If, #[token("then")] Then, #[token("elsif")] Elsif, #[token("else")] Else, #[token("fi")] Fi,
    #[token("while")] While, #[token("do")] Do, #[token("od")] Od,
    #[token("skip")] Skip, #[token("print")] Print, #[token("goto")] Goto, #[token("return")] Return,
    #[token("assert")] Assert, #[token("assume")] Assume, #[token("enforce")] Enforce, #[token("constrain")] Constrain,
    #[token("schoose")] Schoose, #[token("dead")] Dead, #[token("start_thread")] StartThread, #[token("end_thread")] EndThread,
    #[token("atomic_begin")] AtomicBegin, #[token("atomic_end")] AtomicEnd,

    #[token("(")] OpenParen, #[token(")")] CloseParen, #[token("[")] OpenBracket, #[token("]")] CloseBracket,
    #[token(";")] Semicolon, #[token(",")] Comma, #[token(":")] Colon, #[token(":=")] Assign, #[token("'")] Tick,
    #[token("<")] Less, #[token(">")] Greater, #[token("?")] Question, #[token("*")] Star,
    #[token("!")] Not, #[token("~")] Tilde, #[token("&")] And, #[token("&&")] AndAnd, #[token("|")] Or, #[token("||")] OrOr,
    #[token("^")] Xor, #[token("=")] Equal, #[token("==")] EqualEqual, #[token("!=")] NotEqual, #[token("=>")] Implies,

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
        matches!(self, Token::End | Token::Fi | Token::Od | Token::Elsif | Token::Else)
    }
}
