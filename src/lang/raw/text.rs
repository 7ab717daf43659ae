//! `.pds`: a raw pushdown system as text, one statement on a line.
//!
//! ```text
//! weights boolean         # or another kind, and after each rule its weight; see below
//! <p, a> -> <q, b a>      # push; <p, a> -> <q, b> is a step, <p, a> -> <q> a pop
//! initial <p, a>
//! target  <q, b+ (a | .)*>
//! atom    busy = <p, a>, <q, .>   # by state and top of the stack: a name for formulas
//! ```
//!
//! | line | after a rule | default |
//! | --- | --- | --- |
//! | `weights minpath` | a natural number, its cost | 1 |
//! | `weights relation x y {0..7}, b {0..1}` | `x > 0, x := x - 1, b := *` (see [`transformer`](super::transformer)) | all variables stay |
//! | `weights affine x y`, `weights affine x y modulo 2^8` | `x := 2*y + 1, y := *` | all variables stay |
//! | `weights constants x y` | the same | all variables stay |
//!
//! A right side has at most two symbols: a longer one is refused, since going through further
//! states would add steps that are not in the text. States and symbols are numbered in the order in
//! which rules, then initial, then target lines mention them.

mod atom;
mod set;
mod weights;

use self::atom::NamedHead;
use super::names::Interner;
use super::stack_expression::StackExpression;
use super::system::{
    ConfigurationSet, Described, RawRule, RawSystem, RawWeights, StateId, SymbolId,
};
use super::tokens::{Line, Sign, Token, in_name, tokens};
use super::transformer::Transformer;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::message::Message;
use crate::lang::model::Span;
pub use set::read_set;
use std::fmt::Write;
use std::rc::Rc;

/// Deepest nesting of parentheses.
const DEEPEST: usize = 256;
/// Longest name.
const LONGEST_NAME: usize = 200;

/// Can this text be written as a name?
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONGEST_NAME && text.chars().all(in_name)
}

/// Reads a system. Total, and linear in the text except for nesting (capped). `None` iff an error
/// was reported.
pub fn read(source: &str, diagnostics: &mut Diagnostics) -> Option<RawSystem> {
    let mut reader = Reader::new(diagnostics);
    let mut start = 0;
    for (number, line) in source.split('\n').enumerate() {
        reader.line(line, start, number as u32 + 1);
        start += line.len() + 1;
    }
    let read = reader.read_weights();
    let weights = reader.chosen().unwrap_or_default();
    let Reader { rules, sets, atoms, .. } = reader;
    if diagnostics.has_errors() {
        return None;
    }
    let start = Span { start: 0, end: 0, line: 1 };
    for (set, (word, what)) in
        sets.iter().zip([("initial", "no run starts"), ("target", "there is nothing to reach")])
    {
        if set.is_empty() {
            diagnostics.warning(
                start,
                format!("no {word} configuration: {what}"),
                format!("write `{word} <p, a>`"),
            );
        }
    }
    let mut names = Names::default();
    let rules = rules.into_iter().zip(read).map(|(rule, (weight, effect))| RawRule {
        from: names.state(rule.from),
        symbol: names.symbol(rule.symbol),
        to: names.state(rule.to),
        right: rule.right.into_iter().map(|name| names.symbol(name)).collect(),
        weight,
        effect: Rc::new(effect),
        span: rule.span,
    });
    let rules = rules.collect();
    let [initial, target] = sets.map(|lines| {
        let described = |(state, stack, span)| Described {
            state: names.state(state),
            stack: names.expression(stack),
            span,
        };
        ConfigurationSet::Described(lines.into_iter().map(described).collect())
    });
    let atoms = names.atoms(atoms);
    let [states, symbols] = [names.states.list, names.symbols.list];
    Some(RawSystem { states, symbols, weights, rules, initial, target, atoms })
}

struct NamedRule<'a> {
    from: &'a str,
    symbol: &'a str,
    to: &'a str,
    right: Vec<&'a str>,
    /// The text after the rule, which gives its weight.
    weight: Line<'a>,
    span: Span,
}

/// An expression whose symbols are still names.
enum Named<'a> {
    Symbol(&'a str),
    Any,
    Sequence(Vec<Named<'a>>),
    Choice(Vec<Named<'a>>),
    Repeated(Box<Named<'a>>, Sign),
}

struct Reader<'a, 'd> {
    diagnostics: &'d mut Diagnostics,
    rules: Vec<NamedRule<'a>>,
    sets: [Vec<(&'a str, Named<'a>, Span)>; 2],
    /// The kind of weights that was chosen (`None` if it was refused), and its place.
    weights: Option<(Option<RawWeights>, Span)>,
    /// Names for formulas; lines with the same name are one.
    atoms: Vec<(&'a str, Vec<NamedHead<'a>>)>,
}

/// Ends the reading of a line after an error, which was reported.
struct Refused;

impl<'a, 'd> Reader<'a, 'd> {
    fn new(diagnostics: &'d mut Diagnostics) -> Reader<'a, 'd> {
        let sets = [Vec::new(), Vec::new()];
        Reader { diagnostics, rules: Vec::new(), sets, weights: None, atoms: Vec::new() }
    }

    fn line(&mut self, line: &'a str, start: usize, number: u32) {
        let code = line.split('#').next().unwrap_or("");
        let tokens = tokens(code, start, number);
        if let Some(first) = tokens.first().copied() {
            let end = Span {
                start: (start + code.trim_end().len()) as u32,
                end: (start + code.trim_end().len()) as u32,
                line: number,
            };
            let mut line = Line { tokens, at: 0, end, code, start };
            // An error in the line was reported. The next line is read.
            let _ = self.statement(first, &mut line);
        }
    }

    fn statement(&mut self, first: Token<'a>, line: &mut Line<'a>) -> Result<(), Refused> {
        match (first.sign, first.text) {
            (Sign::Name, "weights") => self.weights(line),
            (Sign::Name, "initial") => self.set(0, line),
            (Sign::Name, "target") => self.set(1, line),
            (Sign::Name, "atom") => self.atom(line),
            (Sign::Left, _) => self.rule(line),
            _ => {
                let hint = "a line is a rule `<p, a> -> <q, b a>`, or starts with `initial`, `target`, `atom` or `weights`; `#` starts a comment";
                self.refuse(
                    first.span,
                    format!("`{}` starts no statement", shown(first.text)),
                    hint,
                )
            }
        }
    }

    fn refuse<T>(
        &mut self,
        span: Span,
        message: impl Into<Message>,
        hint: impl Into<String>,
    ) -> Result<T, Refused> {
        self.diagnostics.error(span, message, hint);
        Err(Refused)
    }

    fn rule(&mut self, line: &mut Line<'a>) -> Result<(), Refused> {
        let start = line.tokens[0].span;
        let (from, left) = self.plain_configuration(line)?;
        let symbol = match left[..] {
            [one] => one.text,
            [] => {
                let hint = "a rule looks at the state and the top of the stack: `<p, a> -> …`";
                return self.refuse(
                    start,
                    "a rule's left side has one stack symbol, this one has none",
                    hint,
                );
            }
            [_, second, ..] => {
                let hint = "a rule looks at the top alone; read further symbols one by one, with pops through further states";
                return self.refuse(
                    second.span,
                    format!("a rule's left side has one stack symbol, this one has {}", left.len()),
                    hint,
                );
            }
        };
        self.expect(line, Sign::Arrow, "`->`", "a rule is `<p, a> -> <q, b a>`")?;
        let (to, right) = self.plain_configuration(line)?;
        if let [first, .., before, last] = right[..]
            && right.len() > 2
        {
            let hint = if right.len() == 3 {
                format!(
                    "push in two steps through a state of its own: `<{from}, {symbol}> -> <r, {} {}>` and `<r, {}> -> <{to}, {} {}>`",
                    before.text, last.text, before.text, first.text, before.text
                )
            } else {
                "push two symbols at a time, from the bottom up, through states of their own"
                    .to_string()
            };
            return self.refuse(
                last.span,
                format!("a right side has at most two symbols, this one has {}", right.len()),
                hint,
            );
        }
        let end = line.tokens[line.at - 1].span.end;
        let weight = Line { tokens: line.tokens.split_off(line.at), at: 0, ..*line };
        let span = Span { start: start.start, end, line: start.line };
        let right = right.into_iter().map(|token| token.text).collect();
        self.rules.push(NamedRule { from, symbol, to, right, weight, span });
        Ok(())
    }

    /// `<p>` or `<p, a b …>`: a state's name and symbols.
    fn plain_configuration(
        &mut self,
        line: &mut Line<'a>,
    ) -> Result<(&'a str, Vec<Token<'a>>), Refused> {
        self.expect(
            line,
            Sign::Left,
            "`<`",
            "a configuration is `<p, a b>`: a state, then the stack from its top",
        )?;
        let state = self.name(
            line,
            "a state",
            "a configuration is `<p, a b>`: a state, then the stack from its top",
        )?;
        let mut stack = Vec::new();
        if line.skip(Sign::Comma) {
            while let Some(symbol) = line.peek().filter(|token| token.sign == Sign::Name) {
                self.short(symbol)?;
                stack.push(symbol);
                line.at += 1;
            }
        }
        if let Some(token) = line.peek()
            && matches!(
                token.sign,
                Sign::Star
                    | Sign::Plus
                    | Sign::Question
                    | Sign::Dot
                    | Sign::Bar
                    | Sign::Open
                    | Sign::Close
            )
        {
            let hint =
                "regular expressions describe sets: they stand behind `initial` and `target`";
            return self.refuse(token.span, format!("`{}` in a rule", token.text), hint);
        }
        self.expect(
            line,
            Sign::Right,
            "`>`",
            "symbols are separated by blanks, and `>` ends the configuration",
        )?;
        Ok((state.text, stack))
    }

    fn set(&mut self, which: usize, line: &mut Line<'a>) -> Result<(), Refused> {
        line.at += 1;
        let word = ["initial", "target"][which];
        let start = self.expect(
            line,
            Sign::Left,
            "`<`",
            &format!("write `{word} <p, a b*>`: a state, then its stacks from the top"),
        )?;
        let state = self.name(line, "a state", &format!("write `{word} <p, a b*>`"))?;
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
        self.at_end(line)?;
        let span = Span { start: start.span.start, end: end.span.end, line: start.span.line };
        self.sets[which].push((state.text, stack, span));
        Ok(())
    }

    fn choice(&mut self, line: &mut Line<'a>, depth: usize) -> Result<Named<'a>, Refused> {
        if depth > DEEPEST {
            return self.refuse(
                line.place(),
                format!("parentheses nest deeper than {DEEPEST}"),
                "write the set with fewer of them",
            );
        }
        let mut items = vec![self.sequence(line, depth)?];
        while line.skip(Sign::Bar) {
            items.push(self.sequence(line, depth)?);
        }
        Ok(if items.len() == 1 { items.remove(0) } else { Named::Choice(items) })
    }

    fn sequence(&mut self, line: &mut Line<'a>, depth: usize) -> Result<Named<'a>, Refused> {
        let mut items = Vec::new();
        while let Some(token) = line.peek() {
            let mut item = match token.sign {
                Sign::Name => {
                    self.short(token)?;
                    line.at += 1;
                    Named::Symbol(token.text)
                }
                Sign::Dot => {
                    line.at += 1;
                    Named::Any
                }
                Sign::Open => {
                    line.at += 1;
                    let inner = self.choice(line, depth + 1)?;
                    self.expect(line, Sign::Close, "`)`", "a parenthesis is not closed")?;
                    inner
                }
                Sign::Star | Sign::Plus | Sign::Question => {
                    let hint = "`*`, `+` and `?` stand behind a symbol, `.` or a parenthesis";
                    return self.refuse(
                        token.span,
                        format!("nothing to repeat before `{}`", token.text),
                        hint,
                    );
                }
                _ => break,
            };
            // Each sign deepens the tree by one.
            let mut signs = 0;
            while let Some(sign) = line
                .peek()
                .filter(|token| matches!(token.sign, Sign::Star | Sign::Plus | Sign::Question))
            {
                signs += 1;
                if signs > 2 {
                    return self.refuse(
                        sign.span,
                        "too many `*`, `+` and `?` in a row",
                        "one of them is enough",
                    );
                }
                item = Named::Repeated(Box::new(item), sign.sign);
                line.at += 1;
            }
            items.push(item);
        }
        Ok(if items.len() == 1 { items.remove(0) } else { Named::Sequence(items) })
    }

    fn expect(
        &mut self,
        line: &mut Line<'a>,
        sign: Sign,
        what: &str,
        hint: &str,
    ) -> Result<Token<'a>, Refused> {
        match line.peek() {
            Some(token) if token.sign == sign => {
                line.at += 1;
                Ok(token)
            }
            Some(token) => self.refuse(
                token.span,
                format!("expected {what}, found `{}`", shown(token.text)),
                hint,
            ),
            None => {
                self.refuse(line.end, format!("expected {what}, found the end of the line"), hint)
            }
        }
    }

    fn name(&mut self, line: &mut Line<'a>, what: &str, hint: &str) -> Result<Token<'a>, Refused> {
        let token = self.expect(line, Sign::Name, what, hint)?;
        self.short(token)?;
        Ok(token)
    }

    fn short(&mut self, name: Token<'a>) -> Result<(), Refused> {
        if name.text.len() > LONGEST_NAME {
            let message = format!(
                "a name has at most {LONGEST_NAME} bytes, `{}` has {}",
                shown(name.text),
                name.text.len()
            );
            return self.refuse(name.span, message, "choose a shorter one");
        }
        Ok(())
    }

    fn at_end(&mut self, line: &mut Line<'a>) -> Result<(), Refused> {
        match line.peek() {
            None => Ok(()),
            Some(token) => self.refuse(
                token.span,
                format!("`{}` behind the end of the statement", shown(token.text)),
                "one statement stands on a line",
            ),
        }
    }
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[derive(Default)]
struct Names {
    states: Interner,
    symbols: Interner,
}

impl Names {
    fn state(&mut self, name: &str) -> StateId {
        StateId(self.states.number(name))
    }

    fn symbol(&mut self, name: &str) -> SymbolId {
        SymbolId(self.symbols.number(name))
    }

    fn expression(&mut self, named: Named<'_>) -> StackExpression {
        match named {
            Named::Symbol(name) => StackExpression::Symbol(self.symbol(name)),
            Named::Any => StackExpression::Any,
            Named::Sequence(items) => StackExpression::Sequence(
                items.into_iter().map(|item| self.expression(item)).collect(),
            ),
            Named::Choice(items) => StackExpression::Choice(
                items.into_iter().map(|item| self.expression(item)).collect(),
            ),
            Named::Repeated(inner, sign) => {
                let inner = Box::new(self.expression(*inner));
                match sign {
                    Sign::Star => StackExpression::Star(inner),
                    Sign::Plus => StackExpression::Plus(inner),
                    _ => StackExpression::Optional(inner),
                }
            }
        }
    }
}

/// Prints the system as text. `None` if it cannot be written in this dialect: it has a name that is
/// not allowed here, or sets given by automata. Reading the text gives the same system, if its
/// numbering is that of the text.
pub fn print(system: &RawSystem) -> Option<String> {
    let (ConfigurationSet::Described(initial), ConfigurationSet::Described(target)) =
        (&system.initial, &system.target)
    else {
        return None;
    };
    if !system.states.iter().chain(&system.symbols).all(|name| is_name(name)) {
        return None;
    }
    let mut out = format!("weights {}\n", system.weights.print());
    for rule in &system.rules {
        let _ = writeln!(out, "{}", system.rule(rule));
    }
    for (word, lines) in [("initial", initial), ("target", target)] {
        for line in lines {
            let _ = writeln!(out, "{word} {}", described(system, line));
        }
    }
    for one in &system.atoms {
        let _ = writeln!(out, "{}", atom::print(system, one));
    }
    Some(out)
}

/// `<p, a b*>`.
pub fn described(system: &RawSystem, line: &Described) -> String {
    let state = system.state(line.state);
    match &line.stack {
        StackExpression::Sequence(items) if items.is_empty() => format!("<{state}>"),
        stack => format!("<{state}, {}>", stack.print(&|symbol| system.symbol(symbol))),
    }
}
