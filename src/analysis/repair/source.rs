//! A source as tokens, and the pieces of it that edits are made of.

use crate::lang::model::{EdgeId, Operation, Program, Span};
use crate::lang::tokens::{SourceToken, TokenKind, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The text with its tokens.
pub struct Source<'s> {
    /// The text of the program.
    pub text: &'s str,
    /// Its tokens, in order.
    pub tokens: Vec<SourceToken>,
    /// The values of macros that are numbers.
    pub macros: BTreeMap<&'s str, i128>,
    /// The token ranges of trusted procedures, which are left out.
    left_out: Vec<Range<usize>>,
    /// Trusted procedures that only trusted procedures call.
    out_of_reach: BTreeSet<&'s str>,
}

/// A part of a condition: an operand of `&&`, `||`, `!` or `?`, or a whole condition. It consists
/// of ranges of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its tokens.
    pub tokens: Range<usize>,
    /// The `&&` or `||` before it, in the same row.
    pub before: Option<usize>,
    /// The `&&` or `||` after it, in the same row.
    pub after: Option<usize>,
}

impl<'s> Source<'s> {
    /// Splits the text into tokens. The bodies of `trusted` procedures are left out.
    pub fn new(
        text: &'s str,
        program: &Program,
        trusted: &[crate::lang::model::ProcedureId],
    ) -> Source<'s> {
        let mut source = Source {
            text,
            tokens: tokens(text),
            macros: BTreeMap::new(),
            left_out: Vec::new(),
            out_of_reach: BTreeSet::new(),
        };
        for at in 0..source.tokens.len() {
            let [name, number] = [at, at + 1].map(|k| source.tokens.get(k).filter(|t| t.directive));
            if let (Some(name), Some(number)) = (name, number)
                && name.kind == TokenKind::Name
                && let Some(value) = source.number(at + 1)
                && source.line_of(name.start) == source.line_of(number.start)
            {
                source.macros.insert(&text[name.start as usize..name.end as usize], value);
            }
        }
        for id in trusted {
            let span = program.procedure(*id).span;
            let start = source.first_at(span.start);
            if let Some(open) = (start..source.tokens.len()).find(|k| source.word(*k) == "{")
                && let Some(close) = source.closing(open)
            {
                source.left_out.push(start..close + 1);
            }
        }
        let calls = |id: &EdgeId, of| matches!(program.edge(*id).operation, Operation::Call { callee, .. } if callee == of);
        for of in trusted {
            let mut callers = program.edge_ids().filter(|id| calls(id, *of));
            let name = &program.procedure(*of).name;
            if callers.all(|id| trusted.contains(&program.owner(id)))
                && let Some(token) = (0..source.tokens.len()).find(|k| source.word(*k) == name)
            {
                source.out_of_reach.insert(source.word(token));
            }
        }
        source
    }

    /// The text of a token.
    pub fn word(&self, token: usize) -> &'s str {
        self.tokens.get(token).map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    /// The text of some tokens in a row.
    pub fn words(&self, range: &Range<usize>) -> &'s str {
        match (
            self.tokens.get(range.start),
            range.end.checked_sub(1).and_then(|last| self.tokens.get(last)),
        ) {
            (Some(first), Some(last)) if first.start < last.end => {
                &self.text[first.start as usize..last.end as usize]
            }
            _ => "",
        }
    }

    /// First byte of a token.
    pub fn start(&self, token: usize) -> u32 {
        self.tokens.get(token).map_or(self.text.len() as u32, |t| t.start)
    }

    /// One past the last byte of a token.
    pub fn end(&self, token: usize) -> u32 {
        self.tokens.get(token).map_or(self.text.len() as u32, |t| t.end)
    }

    fn line_of(&self, byte: u32) -> usize {
        self.text[..byte as usize].matches('\n').count()
    }

    /// Is the token in a trusted procedure?
    pub fn is_left_out(&self, token: usize) -> bool {
        self.left_out.iter().any(|range| range.contains(&token))
    }

    /// Is this the name of a trusted procedure that no other procedure calls?
    pub fn is_out_of_reach(&self, name: &str) -> bool {
        self.out_of_reach.contains(name)
    }

    /// The first token at or behind a byte.
    pub fn first_at(&self, byte: u32) -> usize {
        self.tokens.partition_point(|t| t.start < byte)
    }

    /// The tokens of a span.
    pub fn within(&self, span: Span) -> Range<usize> {
        self.first_at(span.start)
            ..self.tokens.partition_point(|t| t.end <= span.end).max(self.first_at(span.start))
    }

    /// The value of a number, or of a macro that is a number.
    pub fn number(&self, token: usize) -> Option<i128> {
        let word = self.word(token);
        match self.tokens.get(token)?.kind {
            TokenKind::Number => {
                let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
                match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
                    Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16).ok(),
                    None => digits.parse().ok(),
                }
            }
            TokenKind::Name => self.macros.get(word).copied(),
            _ => None,
        }
    }

    /// Would this name, written for the token, make an assignment to itself: `x = x;`?
    pub fn would_assign_itself(&self, token: usize, name: &str) -> bool {
        let at = |offset: isize| token.checked_add_signed(offset).map_or("", |k| self.word(k));
        let from = at(-1) == "=" && at(1) == ";" && at(-2) == name;
        let to = at(1) == "=" && at(3) == ";" && at(2) == name;
        from || to
    }

    /// The bracket that closes this one.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0u32;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The next `;` that is in no bracket opened since.
    fn semicolon(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while at < self.tokens.len() {
            match self.word(at) {
                ";" => return Some(at),
                "(" | "[" | "{" => at = self.closing(at)?,
                ")" | "]" | "}" => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The right side of an assignment, or the value of a `return`.
    pub fn right_side(&self, statement: &Range<usize>) -> Option<Range<usize>> {
        let start = if self.word(statement.start) == "return" {
            statement.start + 1
        } else if self.word(statement.start) == "for" {
            return None;
        } else {
            statement.clone().find(|k| self.word(*k) == "=")? + 1
        };
        let mut end = statement.end;
        while end > start && self.word(end - 1) == ";" {
            end -= 1;
        }
        (start < end).then_some(start..end)
    }

    /// The tokens between the brackets of `if (…)` or `while (…)`, or between the semicolons of
    /// `for (…; …; …)`.
    pub fn condition(&self, statement: &Range<usize>) -> Option<Range<usize>> {
        if self.word(statement.start) == "for" {
            let start = self.semicolon(statement.start + 2)? + 1;
            let end = self.semicolon(start)?;
            return (start < end).then_some(start..end);
        }
        let open = statement.clone().find(|k| matches!(self.word(*k), "if" | "while"))? + 1;
        let close = self
            .closing(open)
            .filter(|close| self.word(open) == "(" && *close < statement.end + 1)?;
        (open + 1 < close).then_some(open + 1..close)
    }

    /// The parts of the conditions in a statement, whole conditions first.
    pub fn parts(&self, statement: &Range<usize>) -> Vec<Part> {
        let mut parts = Vec::new();
        let whole = self
            .condition(statement)
            .or_else(|| self.right_side(statement))
            .unwrap_or(statement.clone());
        if whole == *statement && self.word(statement.start) == "for" {
            return parts;
        }
        let mut rows = vec![whole];
        while let Some(row) = rows.pop() {
            if parts.len() > 200 {
                break;
            }
            self.row(row, &mut parts, &mut rows);
        }
        parts.retain(|part| self.is_condition(part, statement));
        parts.dedup();
        parts
    }

    /// Splits the tokens between two brackets at `&&`, `||`, `?`, `:` and `,`. Brackets inside it
    /// are split later.
    fn row(&self, row: Range<usize>, parts: &mut Vec<Part>, rows: &mut Vec<Range<usize>>) {
        let mut cuts = Vec::new();
        let mut at = row.start;
        while at < row.end {
            match self.word(at) {
                "(" | "[" => match self.closing(at).filter(|close| *close < row.end) {
                    Some(close) => {
                        if at + 1 < close {
                            rows.push(at + 1..close);
                        }
                        at = close;
                    }
                    None => return,
                },
                "&&" | "||" | "?" | ":" | "," => cuts.push(at),
                _ => {}
            }
            at += 1;
        }
        let joins = |at: usize| matches!(self.word(at), "&&" | "||").then_some(at);
        let starts = std::iter::once(None).chain(cuts.iter().copied().map(Some));
        let ends = cuts.iter().copied().map(Some).chain(std::iter::once(None));
        for (before, after) in starts.zip(ends) {
            let tokens = before.map_or(row.start, |at| at + 1)..after.unwrap_or(row.end);
            if !tokens.is_empty() {
                parts.push(Part {
                    tokens,
                    before: before.and_then(joins),
                    after: after.and_then(joins),
                });
            }
        }
    }

    /// Is the part surely a truth value? It is one if it is compared, joined, negated, before a
    /// `?`, or the condition of the statement.
    fn is_condition(&self, part: &Part, statement: &Range<usize>) -> bool {
        let compared = part
            .tokens
            .clone()
            .any(|k| matches!(self.word(k), "<" | "<=" | ">" | ">=" | "==" | "!=" | "!"));
        let whole = self.condition(statement).is_some_and(|whole| whole == part.tokens);
        compared
            || whole
            || part.before.is_some()
            || part.after.is_some()
            || self.word(part.tokens.end) == "?"
    }

    /// The tokens of a statement. Those of a condition end with its bracket.
    pub fn statement(&self, program: &Program, edge: EdgeId) -> Range<usize> {
        self.within(program.edge(edge).span)
    }
}
