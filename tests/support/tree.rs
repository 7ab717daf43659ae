//! Generated programs as trees: what the generator writes, what is printed, and what the shrinker
//! cuts.
//!
//! A program is a list of nodes: a line, or a block with a head, a body and a last line. A line is
//! text with typed expressions in it. The tree knows no more of the language than that, so a cut
//! may give a text that does not load.

use std::fmt::{self, Display};

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Bool,
    Int,
    Unsigned,
}

impl Type {
    /// The type in the program's words.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Unsigned => "unsigned",
        }
    }
}

/// A part of a line or of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    Text(String),
    Expression(Expression),
}

/// Something with a value; its own expressions are among its pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Expression {
    pub(crate) kind: Type,
    pub(crate) pieces: Vec<Piece>,
}

impl Expression {
    pub(crate) fn new(kind: Type, line: Line) -> Expression {
        Expression { kind, pieces: line.pieces }
    }

    /// One without parts.
    pub(crate) fn leaf(kind: Type, text: impl Into<String>) -> Expression {
        Expression { kind, pieces: vec![Piece::Text(text.into())] }
    }
}

/// The text of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) pieces: Vec<Piece>,
}

/// A statement, a declaration, or a block of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    Line(Line),
    /// `tail` is the line that ends the block; the cases of a switch have none.
    Block {
        head: Line,
        body: Vec<Node>,
        tail: Option<Line>,
    },
}

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    pub(crate) nodes: Vec<Node>,
}

/// A line of texts and expressions.
macro_rules! words {
    ($($piece:expr),* $(,)?) => {
        $crate::support::tree::Line {
            pieces: vec![$($crate::support::tree::Piece::from($piece)),*],
        }
    };
}
pub(crate) use words;

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece::Text(text.into())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(text)
    }
}

impl From<&String> for Piece {
    fn from(text: &String) -> Piece {
        Piece::Text(text.clone())
    }
}

impl From<Expression> for Piece {
    fn from(expression: Expression) -> Piece {
        Piece::Expression(expression)
    }
}

impl From<&Expression> for Piece {
    fn from(expression: &Expression) -> Piece {
        Piece::Expression(expression.clone())
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        Line { pieces: vec![text.into()] }
    }
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line { pieces: vec![text.into()] }
    }
}

impl Display for Piece {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Piece::Text(text) => to.write_str(text),
            Piece::Expression(expression) => expression.fmt(to),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| piece.fmt(to))
    }
}

impl Display for Line {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| piece.fmt(to))
    }
}

impl Display for Program {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        print(&self.nodes, 0, to)
    }
}

fn print(nodes: &[Node], depth: usize, to: &mut fmt::Formatter) -> fmt::Result {
    let indent = "  ".repeat(depth);
    for node in nodes {
        match node {
            Node::Line(line) => writeln!(to, "{indent}{line}")?,
            Node::Block { head, body, tail } => {
                writeln!(to, "{indent}{head}")?;
                print(body, depth + 1, to)?;
                if let Some(tail) = tail {
                    writeln!(to, "{indent}{tail}")?;
                }
            }
        }
    }
    Ok(())
}

impl Program {
    /// The tree of a text whose braces open at ends of lines and close at their beginnings. It has
    /// no expressions, so the shrinker only cuts whole lines and blocks of it.
    pub(crate) fn of_text(text: &str) -> Program {
        let mut open: Vec<(Line, Vec<Node>)> = vec![(Line::from(""), Vec::new())];
        for line in text.lines().map(str::trim) {
            let mut rest = line;
            if let Some(behind) = line.strip_prefix('}') {
                let (head, body) = open.pop().expect("every block that is closed was opened");
                // `} else {` ends one block and begins another.
                let goes_on = line.ends_with('{');
                let tail = Some(Line::from(if goes_on { "}" } else { line }));
                let block = Node::Block { head, body, tail };
                open.last_mut().expect("the program itself is never closed").1.push(block);
                rest = if goes_on { behind.trim() } else { "" };
            }
            let count = |brace| rest.matches(brace).count();
            if count('{') > count('}') {
                open.push((rest.into(), Vec::new()));
            } else if !rest.is_empty() {
                let node = Node::Line(rest.into());
                open.last_mut().expect("the program itself is never closed").1.push(node);
            }
        }
        let (_, nodes) = open.pop().expect("the program itself is never closed");
        assert!(open.is_empty(), "a block is not closed:\n{text}");
        Program { nodes }
    }

    /// All lines in the order of the text, to be changed.
    pub(crate) fn lines_mut(&mut self) -> Vec<&mut Line> {
        let mut lines = Vec::new();
        collect(&mut self.nodes, &mut lines);
        lines
    }
}

fn collect<'a>(nodes: &'a mut [Node], lines: &mut Vec<&'a mut Line>) {
    for node in nodes {
        match node {
            Node::Line(line) => lines.push(line),
            Node::Block { head, body, tail } => {
                lines.push(head);
                collect(body, lines);
                lines.extend(tail);
            }
        }
    }
}
