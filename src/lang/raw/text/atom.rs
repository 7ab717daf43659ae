//! `atom NAME = <p, a>, <q, .>, <., b>, <p>`: a name that formulas use. It holds in configurations
//! with one of these heads: a state and the top of the stack, whatever is below. `.` is any state
//! or any symbol, and `<p>` has the empty stack. Several lines of one name are a union.

use super::{Line, Names, Reader, Refused, Sign, shown};
use crate::lang::raw::{AtomHead, AtomTop, RawAtom, RawSystem};

/// Words that mean something else in formulas.
const WORDS: [&str; 14] =
    ["U", "R", "W", "X", "F", "G", "true", "false", "fails", "at", "enter", "leave", "inside", "_"];
const HINT: &str = "an atom is `atom NAME = <p, a>, <q, .>`: heads, with `.` for any symbol";

/// A head whose state and symbol are still names; `None` is any.
#[derive(Clone, Copy)]
pub(super) struct NamedHead<'a> {
    state: Option<&'a str>,
    top: NamedTop<'a>,
}

#[derive(Clone, Copy)]
enum NamedTop<'a> {
    Empty,
    Any,
    Symbol(&'a str),
}

impl<'a> Reader<'a, '_> {
    pub(super) fn atom(&mut self, line: &mut Line<'a>) -> Result<(), Refused> {
        line.at += 1;
        let name = self.name(line, "a name", HINT)?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins = name.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !begins || !name.text.chars().all(is_word) || WORDS.contains(&name.text) {
            let message = format!("`{}` cannot name an atom", shown(name.text));
            let hint = "formulas name it: letters, digits and `_`, and none of the formulas' words";
            return self.refuse(name.span, message, hint);
        }
        match line.next() {
            Some(token) if token.text == "=" => {}
            _ => {
                line.at -= 1;
                let span = line.place();
                return self.refuse(span, "expected `=` behind the name of an atom", HINT);
            }
        }
        let mut heads = Vec::new();
        loop {
            heads.push(self.head(line)?);
            if !line.skip(Sign::Comma) {
                break;
            }
        }
        self.at_end(line)?;
        match self.atoms.iter_mut().find(|(known, _)| *known == name.text) {
            Some((_, known)) => known.extend(heads),
            None => self.atoms.push((name.text, heads)),
        }
        Ok(())
    }

    fn head(&mut self, line: &mut Line<'a>) -> Result<NamedHead<'a>, Refused> {
        self.expect(line, Sign::Left, "`<`", HINT)?;
        let state = match line.skip(Sign::Dot) {
            true => None,
            false => Some(self.name(line, "a state or `.`", HINT)?.text),
        };
        let top = match line.skip(Sign::Comma) {
            false => NamedTop::Empty,
            true if line.skip(Sign::Dot) => NamedTop::Any,
            true => NamedTop::Symbol(self.name(line, "a stack symbol or `.`", HINT)?.text),
        };
        let hint = "an atom looks at the state and the top of the stack, not at what is below";
        self.expect(line, Sign::Right, "`>`", hint)?;
        Ok(NamedHead { state, top })
    }
}

impl Names {
    pub(super) fn atoms(&mut self, named: Vec<(&str, Vec<NamedHead<'_>>)>) -> Vec<RawAtom> {
        let mut head = |head: NamedHead<'_>| AtomHead {
            state: head.state.map(|name| self.state(name)),
            top: match head.top {
                NamedTop::Empty => AtomTop::Empty,
                NamedTop::Any => AtomTop::Any,
                NamedTop::Symbol(name) => AtomTop::Symbol(self.symbol(name)),
            },
        };
        let atom = |(name, heads): (&str, Vec<NamedHead<'_>>)| RawAtom {
            name: name.to_string(),
            heads: heads.into_iter().map(&mut head).collect(),
        };
        named.into_iter().map(atom).collect()
    }
}

/// The line of an atom. Reading it gives the same atom.
pub(super) fn print(system: &RawSystem, atom: &RawAtom) -> String {
    let head = |head: &AtomHead| {
        let state = head.state.map_or(".", |state| system.state(state));
        match head.top {
            AtomTop::Empty => format!("<{state}>"),
            AtomTop::Any => format!("<{state}, .>"),
            AtomTop::Symbol(symbol) => format!("<{state}, {}>", system.symbol(symbol)),
        }
    };
    let heads: Vec<String> = atom.heads.iter().map(head).collect();
    format!("atom {} = {}", atom.name, heads.join(", "))
}
