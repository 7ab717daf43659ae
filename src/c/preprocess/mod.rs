//! The preprocessor: directives, headers, macros (C11 6.10).

mod condition;
mod expand;
mod headers;

use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::{Kind, Token, tokens};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How deep files include one another.
const DEEPEST_INCLUDE: u32 = 40;

/// Most tokens of a program, macros expanded.
const MOST_TOKENS: usize = 4_000_000;

/// A macro.
#[derive(Clone, Debug)]
struct Macro {
    /// The parameters' names; `None` for one without brackets.
    parameters: Option<Vec<Rc<str>>>,
    /// Does it end in `...`?
    variadic: bool,
    body: Rc<Vec<Token>>,
}

/// What a program is being read into.
struct Preprocessor<'a> {
    included: &'a dyn Fn(&str) -> Option<String>,
    macros: FxHashMap<Rc<str>, Macro>,
    /// Headers that were included.
    headers: Vec<String>,
    /// The tokens of the lines since the last directive, not yet expanded.
    pending: Vec<Token>,
    output: Vec<Token>,
}

/// The tokens of a program behind the declarations of the library, with an end.
pub(crate) fn preprocess(
    text: &str,
    included: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Token>, Mistake> {
    let mut state = Preprocessor {
        included,
        macros: FxHashMap::default(),
        headers: Vec::new(),
        pending: Vec::new(),
        output: Vec::new(),
    };
    state.file(headers::ALWAYS, true, 0)?;
    state.file(text, false, 0)?;
    let end = text.len() as u32;
    let line = text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
    let span = Span { start: end, end, line, foreign: false };
    let text = "the end of the program".into();
    state.output.push(Token {
        kind: Kind::End,
        text,
        span,
        spaced: true,
        first: true,
        hidden: None,
    });
    Ok(state.output)
}

/// One `#if` that is open.
struct Branch {
    /// Are its lines read now?
    active: bool,
    /// Was one of its branches read?
    taken: bool,
    /// Is it inside of what is read?
    outer: bool,
    span: Span,
}

impl Preprocessor<'_> {
    fn file(&mut self, text: &str, foreign: bool, depth: u32) -> Result<(), Mistake> {
        let list = tokens(text, foreign)?;
        let mut branches: Vec<Branch> = Vec::new();
        let mut at = 0;
        while at < list.len() {
            let line_end = (at + 1..list.len()).find(|k| list[*k].first).unwrap_or(list.len());
            let line = &list[at..line_end];
            at = line_end;
            let active = branches.last().is_none_or(|branch| branch.active);
            if !line[0].is("#") {
                if active {
                    self.pending.extend_from_slice(line);
                }
                continue;
            }
            self.flush()?;
            let Some(name) = line.get(1) else { continue };
            self.directive(&name.text, &line[1..], active, &mut branches, depth)?;
        }
        if let Some(branch) = branches.last() {
            return Err(directive("`#if` without `#endif`", branch.span));
        }
        self.flush()
    }

    /// Expands the lines since the last directive.
    fn flush(&mut self) -> Result<(), Mistake> {
        let pending = std::mem::take(&mut self.pending);
        let expanded = expand::expand(pending, &self.macros)?;
        self.output.extend(expanded);
        match self.output.last() {
            Some(last) if self.output.len() > MOST_TOKENS => {
                Err(Mistake::new(MistakeKind::TooLarge, last.span))
            }
            _ => Ok(()),
        }
    }

    fn directive(
        &mut self,
        name: &str,
        line: &[Token],
        active: bool,
        branches: &mut Vec<Branch>,
        depth: u32,
    ) -> Result<(), Mistake> {
        let (span, rest) = (line[0].span, &line[1..]);
        match name {
            "if" | "ifdef" | "ifndef" => {
                let holds = active
                    && match name {
                        "if" => self.condition(rest, span)?,
                        _ => self.defined(rest, span)? == (name == "ifdef"),
                    };
                branches.push(Branch { active: holds, taken: holds, outer: active, span });
            }
            "elif" => {
                let Some(branch) = branches.last() else {
                    return Err(directive("`#elif` without `#if`", span));
                };
                let open = branch.outer && !branch.taken;
                let holds = open && self.condition(rest, span)?;
                if let Some(branch) = branches.last_mut() {
                    branch.active = holds;
                    branch.taken |= holds;
                }
            }
            "else" => {
                let Some(branch) = branches.last_mut() else {
                    return Err(directive("`#else` without `#if`", span));
                };
                branch.active = branch.outer && !branch.taken;
                branch.taken = true;
            }
            "endif" => {
                if branches.pop().is_none() {
                    return Err(directive("`#endif` without `#if`", span));
                }
            }
            _ if !active => {}
            "define" => self.define(rest, span)?,
            "undef" => {
                if let Some(name) = rest.first() {
                    self.macros.remove(&name.text);
                }
            }
            "include" => self.include(rest, span, depth)?,
            "pragma" if rest.first().is_some_and(|word| word.is("pack")) => {
                let kind = MistakeKind::NotExecuted("`#pragma pack`".into());
                return Err(Mistake::new(kind, span));
            }
            "pragma" | "line" | "ident" => {}
            "error" => {
                let words: Vec<&str> = rest.iter().map(|token| &*token.text).collect();
                return Err(directive(&format!("#error {}", words.join(" ")), span));
            }
            "warning" => {}
            other => return Err(directive(&format!("unknown directive `#{other}`"), span)),
        }
        Ok(())
    }

    fn defined(&self, rest: &[Token], span: Span) -> Result<bool, Mistake> {
        match rest.first() {
            Some(name) if name.kind == Kind::Word => Ok(self.macros.contains_key(&name.text)),
            _ => Err(directive("a name is missing", span)),
        }
    }

    /// The value of `#if`'s expression. `defined` is evaluated before macros are expanded.
    fn condition(&self, rest: &[Token], span: Span) -> Result<bool, Mistake> {
        let mut list = Vec::new();
        let mut tokens = rest.iter().peekable();
        while let Some(token) = tokens.next() {
            if !token.is("defined") {
                list.push(token.clone());
                continue;
            }
            let bracket = tokens.next_if(|next| next.is("(")).is_some();
            let Some(name) = tokens.next() else {
                return Err(directive("a name is missing behind `defined`", span));
            };
            if bracket {
                tokens.next_if(|next| next.is(")"));
            }
            let value = if self.macros.contains_key(&name.text) { "1" } else { "0" };
            list.push(Token { kind: Kind::Number, text: value.into(), ..name.clone() });
        }
        let list = expand::expand(list, &self.macros)?;
        condition::holds(&list, span)
    }

    fn define(&mut self, rest: &[Token], span: Span) -> Result<(), Mistake> {
        let Some(name) = rest.first().filter(|name| name.kind == Kind::Word) else {
            return Err(directive("`#define` needs a name", span));
        };
        let mut body = &rest[1..];
        let mut parameters = None;
        let mut variadic = false;
        if body.first().is_some_and(|token| token.is("(") && !token.spaced) {
            let Some(end) = body.iter().position(|token| token.is(")")) else {
                return Err(directive("`)` is missing behind the parameters of a macro", span));
            };
            let mut names: Vec<Rc<str>> = Vec::new();
            for token in body[1..end].iter().filter(|token| !token.is(",")) {
                if token.is("...") {
                    variadic = true;
                    names.push("__VA_ARGS__".into());
                } else {
                    names.push(token.text.clone());
                }
            }
            parameters = Some(names);
            body = &body[end + 1..];
        }
        let made = Macro { parameters, variadic, body: Rc::new(body.to_vec()) };
        self.macros.insert(name.text.clone(), made);
        Ok(())
    }

    fn include(&mut self, rest: &[Token], span: Span, depth: u32) -> Result<(), Mistake> {
        if depth >= DEEPEST_INCLUDE {
            return Err(Mistake::new(MistakeKind::TooLarge, span));
        }
        let Some(first) = rest.first() else {
            return Err(directive("`#include` needs a name", span));
        };
        if first.kind == Kind::Text {
            let name = first.text.trim_matches('"');
            if let Some(text) = (self.included)(name) {
                return self.file(&text, true, depth + 1);
            }
            return self.header(name, span, depth);
        }
        if !first.is("<") {
            let list = expand::expand(rest.to_vec(), &self.macros)?;
            if list.first().is_some_and(|token| token.kind == Kind::Text || token.is("<")) {
                return self.include(&list, span, depth + 1);
            }
            return Err(directive("`#include` needs a name", span));
        }
        let name: String =
            rest[1..].iter().take_while(|token| !token.is(">")).map(|token| &*token.text).collect();
        self.header(&name, span, depth)
    }

    /// One of C's headers. Its procedures and types are known without it; its macros are not.
    fn header(&mut self, name: &str, span: Span, depth: u32) -> Result<(), Mistake> {
        if self.headers.iter().any(|header| header == name) {
            return Ok(());
        }
        self.headers.push(name.to_string());
        match headers::macros(name) {
            Some(text) => self.file(text, true, depth + 1),
            None => Err(Mistake::new(MistakeKind::Header(name.to_string()), span)),
        }
    }
}

fn directive(what: &str, span: Span) -> Mistake {
    Mistake::new(MistakeKind::Directive(what.to_string()), span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let list = preprocess(text, &|_| None).expect("it is read");
        let always = preprocess("", &|_| None).expect("it is read").len() - 1;
        let words: Vec<&str> =
            list[always..list.len() - 1].iter().map(|token| &*token.text).collect();
        words.join(" ")
    }

    /// Forty macros of which each doubles the one before.
    #[test]
    fn macros_that_double_are_refused() {
        let mut text = "#define A0 1\n".to_string();
        for k in 1..=40 {
            text += &format!("#define A{k} A{} + A{}\n", k - 1, k - 1);
        }
        for program in [
            text + "A40\n",
            format!("#define D(x) x + x\n{}1{}\n", "D(".repeat(40), ")".repeat(40)),
        ] {
            let refused = preprocess(&program, &|_| None).expect_err("it is too long");
            assert_eq!(refused.kind, MistakeKind::TooLarge);
        }
    }

    #[test]
    fn macros() {
        assert_eq!(read("#define A 1 + 2\nA * A"), "1 + 2 * 1 + 2");
        assert_eq!(read("#define F(x, y) x y\nF((1, 2), 3) F"), "( 1 , 2 ) 3 F");
        assert_eq!(read("#define S(x) #x\nS(a  +\"b\\n\")"), "\"a +\\\"b\\\\n\\\"\"");
        assert_eq!(read("#define C(a, b) a ## b\nC(x, 1) C(, y)"), "x1 y");
        assert_eq!(
            read("#define V(f, ...) g(f, ##__VA_ARGS__)\nV(1) V(1, 2, 3)"),
            "g ( 1 ) g ( 1 , 2 , 3 )"
        );
        assert_eq!(read("#define R R + S\n#define S R\nR"), "R + R");
        // The standard's own example of rescanning (C11 6.10.3.5, example 3), in part.
        assert_eq!(
            read(
                "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define z z[0]\nf(f(z))"
            ),
            "f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) )"
        );
    }

    #[test]
    fn conditions() {
        assert_eq!(read("#if defined(A) || !defined B && 3 > 2\n1\n#else\n2\n#endif"), "1");
        assert_eq!(read("#ifdef A\n#if 1\n1\n#endif\n#elif 0\n2\n#else\n3\n#endif"), "3");
        assert_eq!(read("#if (1 ? 2 : 0) == 2 && 'a' == 97 && -1 < 0\n1\n#endif"), "1");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let kind = |text: &str| preprocess(text, &|_| None).map(|_| ()).map_err(|e| e.kind);
        assert_eq!(kind("#include <nothing.h>"), Err(MistakeKind::Header("nothing.h".into())));
        assert!(matches!(kind("#if 1\n"), Err(MistakeKind::Directive(_))));
        assert!(matches!(kind("#define F(x) x\nF(1"), Err(MistakeKind::Macro(_))));
        assert!(matches!(kind("#if 1 / 0\n#endif"), Err(MistakeKind::NotConstant)));
        assert_eq!(kind("a @"), Err(MistakeKind::Character('@')));
    }
}
