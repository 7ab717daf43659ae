//! Reads a regular set of configurations for questions about a system, in the notation of `initial`
//! and `target` lines.

use super::{Line, Named, Reader, Refused, Sign, StackExpression, Token, tokens};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::Span;
use crate::lang::raw::{ConfigurationSet, Described, RawSystem, StateId, SymbolId};
use rustc_hash::FxHashMap;

/// Longest text that is read, in bytes.
const LONGEST_SET: usize = 100_000;

/// Reads `<p, a b*>`, or several of them with commas or bars between. `None` iff an error was
/// reported: its names must be the system's.
pub fn read_set(
    system: &RawSystem,
    source: &str,
    diagnostics: &mut Diagnostics,
) -> Option<ConfigurationSet> {
    if source.len() > LONGEST_SET {
        let start = Span { start: 0, end: 0, line: 1 };
        diagnostics.error(
            start,
            format!("the set is longer than {LONGEST_SET} bytes"),
            "describe it by a shorter expression",
        );
        return None;
    }
    let tokens = tokens(source, 0, 1);
    let end = Span {
        start: source.trim_end().len() as u32,
        end: source.trim_end().len() as u32,
        line: 1,
    };
    let mut line = Line { tokens, at: 0, end, code: source, start: 0 };
    let mut reader = Reader::new(diagnostics);
    let lines = reader.list(&mut line).ok()?;
    let names = KnownNames {
        tokens: &line.tokens,
        states: by_name(&system.states),
        symbols: by_name(&system.symbols),
    };
    let mut described = Vec::new();
    for (state, stack, span) in lines {
        let (Ok(state), Ok(stack)) =
            (names.state(state, span, diagnostics), names.expression(stack, span, diagnostics))
        else {
            continue;
        };
        described.push(Described { state, stack, span });
    }
    (!diagnostics.has_errors()).then_some(ConfigurationSet::Described(described))
}

type NamedLine<'a> = (&'a str, Named<'a>, Span);

impl<'a> Reader<'a, '_> {
    fn list(&mut self, line: &mut Line<'a>) -> Result<Vec<NamedLine<'a>>, Refused> {
        const HINT: &str =
            "a set is `<p, a b*>`: a state, then its stacks from the top; `.` is any symbol";
        let mut found = Vec::new();
        loop {
            let start = self.expect(line, Sign::Left, "`<`", HINT)?;
            let state = self.name(line, "a state", HINT)?;
            let stack = match line.skip(Sign::Comma) {
                true => self.choice(line, 0)?,
                false => Named::Sequence(Vec::new()),
            };
            let end = self.expect(
                line,
                Sign::Right,
                "`>`",
                "`>` ends the configurations; symbols are separated by blanks",
            )?;
            found.push((
                state.text,
                stack,
                Span { start: start.span.start, end: end.span.end, line: 1 },
            ));
            if !line.skip(Sign::Comma) && !line.skip(Sign::Bar) {
                break;
            }
        }
        match line.peek() {
            None => Ok(found),
            Some(token) => {
                let message = format!("`{}` behind the end of the set", super::shown(token.text));
                self.refuse(token.span, message, "several sets are separated by `,` or `|`")
            }
        }
    }
}

fn by_name(names: &[String]) -> FxHashMap<&str, u32> {
    names.iter().map(String::as_str).zip(0..).collect()
}

struct KnownNames<'s> {
    /// The tokens of the text, which give the places of names.
    tokens: &'s [Token<'s>],
    states: FxHashMap<&'s str, u32>,
    symbols: FxHashMap<&'s str, u32>,
}

impl KnownNames<'_> {
    /// The first place of a name inside `inside`.
    fn place(&self, name: &str, inside: Span) -> Span {
        let found =
            self.tokens.iter().find(|token| token.span.start >= inside.start && token.text == name);
        found.map_or(inside, |token| token.span)
    }

    fn state(
        &self,
        name: &str,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Result<StateId, Refused> {
        self.states.get(name).map(|k| StateId(*k)).ok_or_else(|| {
            let message = format!("there is no state `{}`", super::shown(name));
            diagnostics.error(self.place(name, span), message, nearby("states", &self.states));
            Refused
        })
    }

    fn symbol(
        &self,
        name: &str,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Result<SymbolId, Refused> {
        self.symbols.get(name).map(|k| SymbolId(*k)).ok_or_else(|| {
            let message = format!("there is no stack symbol `{}`", super::shown(name));
            diagnostics.error(self.place(name, span), message, nearby("symbols", &self.symbols));
            Refused
        })
    }

    /// The depth of the recursion is the nesting of the text, which is capped.
    fn expression(
        &self,
        named: Named<'_>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Result<StackExpression, Refused> {
        let mut all = |items: Vec<Named<'_>>| -> Result<Vec<StackExpression>, Refused> {
            items.into_iter().map(|item| self.expression(item, span, diagnostics)).collect()
        };
        Ok(match named {
            Named::Symbol(name) => StackExpression::Symbol(self.symbol(name, span, diagnostics)?),
            Named::Any => StackExpression::Any,
            Named::Sequence(items) => StackExpression::Sequence(all(items)?),
            Named::Choice(items) => StackExpression::Choice(all(items)?),
            Named::Repeated(inner, sign) => {
                let inner = Box::new(self.expression(*inner, span, diagnostics)?);
                match sign {
                    Sign::Star => StackExpression::Star(inner),
                    Sign::Plus => StackExpression::Plus(inner),
                    _ => StackExpression::Optional(inner),
                }
            }
        })
    }
}

/// A list of known names for a hint: `states are p1, p2`.
fn nearby(what: &str, names: &FxHashMap<&str, u32>) -> String {
    const SHOWN: usize = 8;
    let mut list: Vec<(&u32, &&str)> = names.iter().map(|(name, k)| (k, name)).collect();
    list.sort();
    let shown: Vec<&str> = list.iter().take(SHOWN).map(|(_, name)| **name).collect();
    let more = if list.len() > SHOWN {
        format!(" and {} more", list.len() - SHOWN)
    } else {
        String::new()
    };
    if shown.is_empty() {
        format!("the system has no {what}")
    } else {
        format!("its {what} are {}{more}", shown.join(", "))
    }
}
