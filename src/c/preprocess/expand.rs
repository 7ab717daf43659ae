//! The expansion of macros, after Dave Prosser's algorithm of 1984 (the one that C's standard puts
//! into words): every token carries the names of the macros that made it, and none of them
//! expands it again.

use super::{MOST_TOKENS, Macro};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::{Kind, Token, tokens};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// So many tokens macros may make in any case, and so many for each token of the program.
const FREE: usize = 100_000;
const EACH: usize = 10;

type Macros = FxHashMap<Rc<str>, Macro>;

/// The tokens with all macros expanded. What a macro makes stands where its name stands.
pub(super) fn expand(list: Vec<Token>, macros: &Macros) -> Result<Vec<Token>, Mistake> {
    let mut output = Vec::with_capacity(list.len());
    // The tokens still to be read, the next one last.
    let mut rest: Vec<Token> = list;
    rest.reverse();
    // Macros that double each other are no program that somebody wrote.
    let most = (FREE + rest.len().saturating_mul(EACH)).min(MOST_TOKENS);
    let mut made = 0usize;
    while let Some(token) = rest.pop() {
        let found = (token.kind == Kind::Word && !token.hides(&token.text))
            .then(|| macros.get(&token.text))
            .flatten();
        let Some(found) = found else {
            output.push(token);
            continue;
        };
        let replacement = match &found.parameters {
            None => substitute(found, &[], &token, macros)?,
            Some(_) if !rest.last().is_some_and(|next| next.is("(")) => {
                output.push(token);
                continue;
            }
            Some(parameters) => {
                rest.pop();
                let arguments = arguments(&mut rest, parameters.len(), found.variadic, &token)?;
                substitute(found, &arguments, &token, macros)?
            }
        };
        made += replacement.len();
        if made > most {
            return Err(Mistake::new(MistakeKind::TooLarge, token.span));
        }
        rest.extend(replacement.into_iter().rev());
    }
    Ok(output)
}

/// The arguments of a macro's use, behind its `(`.
fn arguments(
    rest: &mut Vec<Token>,
    count: usize,
    variadic: bool,
    name: &Token,
) -> Result<Vec<Vec<Token>>, Mistake> {
    let wrong = |what: String| Mistake::new(MistakeKind::Macro(what), name.span);
    let mut list: Vec<Vec<Token>> = vec![Vec::new()];
    let mut depth = 0u32;
    loop {
        let Some(token) = rest.pop() else {
            return Err(wrong(format!("`)` is missing behind the macro `{}`", name.text)));
        };
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            if depth == 0 {
                break;
            }
            depth -= 1;
        } else if token.is(",") && depth == 0 && !(variadic && list.len() == count) {
            list.push(Vec::new());
            continue;
        }
        if let Some(last) = list.last_mut() {
            last.push(token);
        }
    }
    if count == 0 && list.len() == 1 && list[0].is_empty() {
        list.clear();
    }
    if variadic && list.len() + 1 == count {
        list.push(Vec::new());
    }
    if list.len() != count {
        let (given, name) = (list.len(), &name.text);
        return Err(wrong(format!(
            "the macro `{name}` takes {count} arguments, {given} are given"
        )));
    }
    Ok(list)
}

/// The body of a macro with its arguments in place. Arguments are expanded first, except beside `#`
/// and `##`.
fn substitute(
    found: &Macro,
    arguments: &[Vec<Token>],
    name: &Token,
    macros: &Macros,
) -> Result<Vec<Token>, Mistake> {
    let span = Span { foreign: true, ..name.span };
    let names: &[Rc<str>] = found.parameters.as_deref().unwrap_or(&[]);
    let parameter = |token: &Token| {
        (token.kind == Kind::Word).then(|| names.iter().position(|p| *p == token.text)).flatten()
    };
    let body = &found.body;
    let mut output: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let token = &body[at];
        if token.is("#")
            && found.parameters.is_some()
            && let Some(k) = body.get(at + 1).and_then(parameter)
        {
            let text = spelt(&arguments[k]);
            output.push(Token { kind: Kind::Text, text: text.into(), span, ..token.clone() });
            at += 2;
            continue;
        }
        if token.is("##") && !output.is_empty() && at + 1 < body.len() {
            let right: Vec<Token> = match parameter(&body[at + 1]) {
                Some(k) => arguments[k].clone(),
                None => vec![body[at + 1].clone()],
            };
            at += 2;
            paste(&mut output, right, found.variadic, span)?;
            continue;
        }
        let beside = body.get(at + 1).is_some_and(|next| next.is("##"));
        match parameter(token) {
            Some(k) if beside && arguments[k].is_empty() => {
                // An empty operand of `##`: what stands right of it is alone.
                let right = body.get(at + 2);
                match right.map(|right| (right, parameter(right))) {
                    Some((_, Some(k))) => output.extend(arguments[k].iter().cloned()),
                    Some((right, None)) => output.push(right.clone()),
                    None => {}
                }
                at += 3;
                continue;
            }
            Some(k) if beside => output.extend(arguments[k].iter().cloned()),
            Some(k) => output.extend(expand(arguments[k].clone(), macros)?),
            None => output.push(token.clone()),
        }
        at += 1;
    }
    for token in &mut output {
        token.span = span;
        token.first = false;
        token.hide_as(name);
        token.hide(&name.text);
    }
    if let Some(first) = output.first_mut() {
        first.spaced = name.spaced;
    }
    Ok(output)
}

/// `left ## right`. GNU: a comma before variable arguments that are not there goes.
fn paste(
    output: &mut Vec<Token>,
    right: Vec<Token>,
    variadic: bool,
    span: Span,
) -> Result<(), Mistake> {
    let Some(left) = output.pop() else { return Ok(()) };
    if left.is(",") && variadic {
        if !right.is_empty() {
            output.push(left);
            output.extend(right);
        }
        return Ok(());
    }
    let mut right = right.into_iter();
    let Some(first) = right.next() else {
        output.push(left);
        return Ok(());
    };
    let text = format!("{}{}", left.text, first.text);
    let mut made = tokens(&text, true)?;
    if made.len() != 1 {
        let what = format!("`{text}`, made by `##`, is not one token");
        return Err(Mistake::new(MistakeKind::Macro(what), span));
    }
    let spaced = left.spaced;
    output.extend(made.drain(..).map(|token| Token {
        spaced,
        hidden: left.hidden.clone(),
        ..token
    }));
    output.extend(right);
    Ok(())
}

/// `#argument`: its tokens as a string.
fn spelt(argument: &[Token]) -> String {
    let mut text = String::from("\"");
    for (k, token) in argument.iter().enumerate() {
        if k > 0 && (token.spaced || token.first) {
            text.push(' ');
        }
        let quoted = matches!(token.kind, Kind::Text | Kind::Character);
        for c in token.text.chars() {
            if quoted && (c == '"' || c == '\\') {
                text.push('\\');
            }
            text.push(c);
        }
    }
    text.push('"');
    text
}
