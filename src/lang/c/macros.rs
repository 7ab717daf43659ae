//! Macros and their expansion (C11 6.10.3, without `#`, `##` and variable arguments).

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::{Lexeme, Token};
use crate::lang::message::{Message, What, at_line};
use crate::lang::model::Span;
use crate::util::names::starts_name;
use rustc_hash::FxHashMap;

/// Most tokens that macros may make.
const MOST_TOKENS: usize = 400_000;
/// Deepest nesting of macro calls in arguments of macro calls.
const MOST_NESTING: u32 = 32;

/// `#define NAME body` or `#define NAME(parameters) body`.
pub(super) struct Macro {
    pub(super) parameters: Option<Vec<String>>,
    pub(super) body: Vec<Lexeme>,
    /// Why it cannot be used, as the beginning of a message: "… are".
    pub(super) refused: Option<What<'static>>,
}

/// The macros that are defined.
#[derive(Default)]
pub(super) struct Expander {
    macros: FxHashMap<String, Macro>,
    made: usize,
    nesting: u32,
    full: bool,
}

/// Tokens that are still to be read. The next one is the last of the list.
enum Work {
    Token(Lexeme),
    /// A token that must not be expanded again.
    Painted(Lexeme),
    /// The end of a macro's expansion.
    EndOf(String),
}

impl Expander {
    pub(super) fn define(&mut self, name: &str, definition: Macro) {
        self.macros.insert(name.to_string(), definition);
    }

    pub(super) fn undefine(&mut self, name: &str) {
        self.macros.remove(name);
    }

    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// Adds `tokens` with all macros expanded.
    pub(super) fn expand(
        &mut self,
        tokens: &[Lexeme],
        text: &str,
        into: &mut Vec<Lexeme>,
        diagnostics: &mut Diagnostics,
    ) {
        if self.macros.is_empty() {
            into.extend_from_slice(tokens);
            return;
        }
        self.run(tokens, &mut Vec::new(), text, &mut |lexeme, _| into.push(lexeme), diagnostics);
    }

    /// Expands tokens. Each token that comes out is handed over, with whether it is painted (must
    /// not be expanded again). `hidden` are the macros that are being expanded.
    fn run(
        &mut self,
        tokens: &[Lexeme],
        hidden: &mut Vec<String>,
        text: &str,
        out: &mut dyn FnMut(Lexeme, bool),
        diagnostics: &mut Diagnostics,
    ) {
        let mut input = tokens.iter();
        let mut work: Vec<Work> = Vec::new();
        loop {
            let lexeme = match work.pop() {
                Some(Work::EndOf(name)) => {
                    hidden.retain(|h| *h != name);
                    continue;
                }
                Some(Work::Painted(lexeme)) => {
                    out(lexeme, true);
                    continue;
                }
                Some(Work::Token(lexeme)) => lexeme,
                None => match input.next() {
                    Some(lexeme) => *lexeme,
                    None => return,
                },
            };
            let name = lexeme.spelt_in(text);
            let could_be = name.starts_with(starts_name);
            let Some(definition) = self.macros.get(name).filter(|_| could_be && !self.full) else {
                out(lexeme, false);
                continue;
            };
            if hidden.iter().any(|h| h == name) {
                out(lexeme, true);
                continue;
            }
            let parameters = definition.parameters.clone();
            let mut place = lexeme.span;
            let arguments = match &parameters {
                None => Vec::new(),
                Some(_) => {
                    if next_token(&work, &input) != Some(Token::OpenParen) {
                        out(lexeme, false);
                        continue;
                    }
                    match arguments(&mut work, &mut input, hidden) {
                        Some((arguments, close)) => {
                            place.end = place.end.max(close.end);
                            arguments
                        }
                        None => {
                            let message = Message::from(at_line(&format!(
                                "the arguments of macro `{name}` are never closed"
                            )));
                            diagnostics.syntax_error(lexeme.span, message, "end them with `)`");
                            return;
                        }
                    }
                }
            };
            let parameters = parameters.unwrap_or_default();
            if !self.can_expand(name, &parameters, &arguments, lexeme.span, diagnostics) {
                continue;
            }
            let arguments: Vec<Vec<(Lexeme, bool)>> = arguments
                .into_iter()
                .map(|argument| self.argument(argument, hidden, text, place, diagnostics))
                .collect();
            self.substitute(name, &parameters, &arguments, place, text, &mut work, diagnostics);
            hidden.push(name.to_string());
        }
    }

    /// Can a call of this macro with these arguments be expanded? Reports it if not.
    fn can_expand(
        &self,
        name: &str,
        parameters: &[String],
        arguments: &[Vec<Lexeme>],
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        if let Some(what) = self.macros.get(name).and_then(|m| m.refused) {
            diagnostics.syntax_error(span, what.named(name), "write out what the macro makes");
            return false;
        }
        let given = if parameters.is_empty() && arguments.iter().all(Vec::is_empty) {
            0
        } else {
            arguments.len()
        };
        if given != parameters.len() {
            let message =
                format!("macro `{name}` takes {} arguments, not {given}", parameters.len());
            diagnostics.syntax_error(span, message, "give as many as it has parameters");
        }
        given == parameters.len()
    }

    /// Expands an argument by itself. Each token comes with whether it is painted.
    fn argument(
        &mut self,
        argument: Vec<Lexeme>,
        hidden: &[String],
        text: &str,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Vec<(Lexeme, bool)> {
        if self.nesting >= MOST_NESTING {
            self.give_up(place, diagnostics);
            return Vec::new();
        }
        self.nesting += 1;
        let mut made = Vec::new();
        self.run(
            &argument,
            &mut hidden.to_vec(),
            text,
            &mut |lexeme, painted| made.push((lexeme, painted)),
            diagnostics,
        );
        self.nesting -= 1;
        made
    }

    /// Puts the body of a macro before the tokens that are still to be read.
    #[allow(clippy::too_many_arguments)]
    fn substitute(
        &mut self,
        name: &str,
        parameters: &[String],
        arguments: &[Vec<(Lexeme, bool)>],
        place: Span,
        text: &str,
        work: &mut Vec<Work>,
        diagnostics: &mut Diagnostics,
    ) {
        work.push(Work::EndOf(name.to_string()));
        let Some(definition) = self.macros.get(name) else { return };
        let before = work.len();
        for lexeme in definition.body.iter().rev() {
            let spelt = lexeme.spelt_in(text);
            match parameters
                .iter()
                .position(|p| p == spelt)
                .filter(|_| lexeme.token == Token::Identifier)
            {
                Some(index) => {
                    let tokens = arguments[index].iter().rev();
                    work.extend(tokens.map(|(lexeme, painted)| {
                        if *painted { Work::Painted(*lexeme) } else { Work::Token(*lexeme) }
                    }));
                }
                None => work.push(Work::Token(Lexeme { span: place, ..*lexeme })),
            }
            if work.len() - before > MOST_TOKENS {
                break;
            }
        }
        self.made += work.len() - before;
        if self.made > MOST_TOKENS {
            self.give_up(place, diagnostics);
            work.clear();
        }
    }

    fn give_up(&mut self, place: Span, diagnostics: &mut Diagnostics) {
        if !std::mem::replace(&mut self.full, true) {
            let message = Message::from(at_line(&format!(
                "macros make more than {MOST_TOKENS} tokens, or nest too deeply"
            )));
            diagnostics.syntax_error(place, message, "write procedures instead");
        }
    }
}

/// The next token, from a macro or from the source.
fn next_token(work: &[Work], input: &std::slice::Iter<'_, Lexeme>) -> Option<Token> {
    work.iter()
        .rev()
        .find_map(|w| match w {
            Work::Token(lexeme) | Work::Painted(lexeme) => Some(lexeme.token),
            Work::EndOf(_) => None,
        })
        .or_else(|| input.as_slice().first().map(|lexeme| lexeme.token))
}

/// The arguments of a macro's call, from the `(` to the `)`, and the place of the `)`. `None` if
/// they do not end.
fn arguments(
    work: &mut Vec<Work>,
    input: &mut std::slice::Iter<'_, Lexeme>,
    hidden: &mut Vec<String>,
) -> Option<(Vec<Vec<Lexeme>>, Span)> {
    let mut list = vec![Vec::new()];
    let mut depth = 0u32;
    loop {
        let lexeme = match work.pop() {
            Some(Work::EndOf(name)) => {
                hidden.retain(|h| *h != name);
                continue;
            }
            Some(Work::Token(lexeme) | Work::Painted(lexeme)) => lexeme,
            None => *input.next()?,
        };
        match lexeme.token {
            Token::End => return None,
            Token::OpenParen => {
                depth += 1;
                if depth == 1 {
                    continue;
                }
            }
            Token::CloseParen => {
                depth -= 1;
                if depth == 0 {
                    return Some((list, lexeme.span));
                }
            }
            Token::Comma if depth == 1 => {
                list.push(Vec::new());
                continue;
            }
            _ => {}
        }
        list.last_mut()?.push(lexeme);
    }
}
