//! Regular expressions over stacks, top first: `a b* (c | d)+ .`, with `.` for any symbol and `()`
//! for the empty stack.

use super::names::SymbolId;
use std::collections::BTreeSet;

/// A regular expression over stack symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StackExpression {
    /// One symbol.
    Symbol(SymbolId),
    /// Any one symbol of the system.
    Any,
    /// Expressions in sequence. An empty sequence is the empty stack.
    Sequence(Vec<StackExpression>),
    /// One of several expressions.
    Choice(Vec<StackExpression>),
    /// `e*`: any number of times.
    Star(Box<StackExpression>),
    /// `e+`: at least once.
    Plus(Box<StackExpression>),
    /// `e?`: at most once.
    Optional(Box<StackExpression>),
}

impl StackExpression {
    /// Exactly this stack.
    pub fn exactly(stack: &[SymbolId]) -> StackExpression {
        match stack {
            [one] => StackExpression::Symbol(*one),
            more => StackExpression::Sequence(
                more.iter().map(|s| StackExpression::Symbol(*s)).collect(),
            ),
        }
    }

    /// Prints the expression as in the source; `name` names symbols. Reading the text gives the
    /// same tree.
    pub fn print<'a>(&self, name: &dyn Fn(SymbolId) -> &'a str) -> String {
        let mut out = String::new();
        self.write(name, Surrounding::Nothing, &mut out);
        out
    }

    fn write<'a>(&self, name: &dyn Fn(SymbolId) -> &'a str, around: Surrounding, out: &mut String) {
        let enclosed = match self {
            StackExpression::Sequence(items) if items.is_empty() => true,
            StackExpression::Sequence(_) => around == Surrounding::Operand,
            StackExpression::Choice(_) => around != Surrounding::Nothing,
            _ => false,
        };
        out.push_str(if enclosed { "(" } else { "" });
        match self {
            StackExpression::Symbol(symbol) => out.push_str(name(*symbol)),
            StackExpression::Any => out.push('.'),
            StackExpression::Sequence(items) => list(items, " ", Surrounding::Operand, name, out),
            StackExpression::Choice(items) => {
                list(items, " | ", Surrounding::Alternative, name, out)
            }
            StackExpression::Star(inner) => repeated(inner, '*', name, out),
            StackExpression::Plus(inner) => repeated(inner, '+', name, out),
            StackExpression::Optional(inner) => repeated(inner, '?', name, out),
        }
        out.push_str(if enclosed { ")" } else { "" });
    }

    /// Does the expression describe the whole of `word`? The expression runs as a program on all
    /// alternatives at once (Thompson 1968). The time is linear in the length of the word times the
    /// size of the expression.
    pub fn accepts(&self, word: &[SymbolId]) -> bool {
        let mut program = Vec::new();
        self.compile(&mut program);
        program.push(Instruction::Match);
        let mut at = closed(&program, [0].into());
        for symbol in word {
            let read = |k: &usize| match program[*k] {
                Instruction::Symbol(wanted) => wanted == *symbol,
                Instruction::Any => true,
                _ => false,
            };
            at = closed(&program, at.into_iter().filter(read).map(|k| k + 1).collect());
        }
        at.contains(&(program.len() - 1))
    }

    fn compile(&self, program: &mut Vec<Instruction>) {
        match self {
            StackExpression::Symbol(symbol) => program.push(Instruction::Symbol(*symbol)),
            StackExpression::Any => program.push(Instruction::Any),
            StackExpression::Sequence(items) => items.iter().for_each(|item| item.compile(program)),
            StackExpression::Choice(items) => {
                let mut ends = Vec::new();
                for item in items {
                    let fork = program.len();
                    program.push(Instruction::Either(fork + 1, 0));
                    item.compile(program);
                    ends.push(program.len());
                    program.push(Instruction::Jump(0));
                    program[fork] = Instruction::Either(fork + 1, program.len());
                }
                // After the last alternative no other is left to try.
                program.push(Instruction::Never);
                let end = program.len();
                ends.into_iter().for_each(|k| program[k] = Instruction::Jump(end));
            }
            StackExpression::Plus(inner) => {
                let start = program.len();
                inner.compile(program);
                program.push(Instruction::Either(start, program.len() + 1));
            }
            StackExpression::Star(inner) | StackExpression::Optional(inner) => {
                let fork = program.len();
                program.push(Instruction::Either(fork + 1, 0));
                inner.compile(program);
                if matches!(self, StackExpression::Star(_)) {
                    program.push(Instruction::Jump(fork));
                }
                program[fork] = Instruction::Either(fork + 1, program.len());
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Symbol(SymbolId),
    Any,
    Either(usize, usize),
    Jump(usize),
    Never,
    Match,
}

/// All places to which forks and jumps lead.
fn closed(program: &[Instruction], from: Vec<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut waiting = from;
    while let Some(k) = waiting.pop() {
        if !seen.insert(k) {
            continue;
        }
        match program[k] {
            Instruction::Either(a, b) => waiting.extend([a, b]),
            Instruction::Jump(a) => waiting.push(a),
            _ => {}
        }
    }
    seen
}

/// The context of an expression, which decides whether it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Surrounding {
    Nothing,
    Alternative,
    Operand,
}

fn list<'a>(
    items: &[StackExpression],
    between: &str,
    around: Surrounding,
    name: &dyn Fn(SymbolId) -> &'a str,
    out: &mut String,
) {
    for (k, item) in items.iter().enumerate() {
        out.push_str(if k > 0 { between } else { "" });
        item.write(name, around, out);
    }
}

fn repeated<'a>(
    inner: &StackExpression,
    sign: char,
    name: &dyn Fn(SymbolId) -> &'a str,
    out: &mut String,
) {
    // The printed text never has two signs in a row.
    let again = matches!(
        inner,
        StackExpression::Star(_) | StackExpression::Plus(_) | StackExpression::Optional(_)
    );
    out.push_str(if again { "(" } else { "" });
    inner.write(name, Surrounding::Operand, out);
    out.push_str(if again { ")" } else { "" });
    out.push(sign);
}
