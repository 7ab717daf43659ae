//! The syntax tree of a Boolean program, with spans. Its depth is bounded by the parser.

use crate::lang::model::Span;
use crate::lang::syntax::Name;

/// A whole source file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) globals: Vec<Name>,
    pub(super) procedures: Vec<Procedure>,
}

#[derive(Debug)]
pub(super) struct Procedure {
    pub(super) name: Name,
    /// How many values it returns.
    pub(super) results: u32,
    pub(super) parameters: Vec<Name>,
    pub(super) locals: Vec<Name>,
    pub(super) enforced: Vec<Expr>,
    pub(super) body: Vec<Statement>,
    /// The place of the header.
    pub(super) span: Span,
    /// The place of the closing word.
    pub(super) end: Span,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub(super) labels: Vec<Name>,
    pub(super) kind: StatementKind,
    /// The place without labels and `;`. For a compound statement, the place of its head.
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum StatementKind {
    Skip,
    Print(Vec<Expr>),
    /// `None` is `_`.
    Assign {
        targets: Vec<Option<Name>>,
        values: Vec<Expr>,
        constraint: Option<Expr>,
    },
    Call {
        targets: Vec<Option<Name>>,
        callee: Name,
        arguments: Vec<Expr>,
    },
    StartThread {
        callee: Name,
        arguments: Vec<Expr>,
    },
    EndThread,
    AtomicBegin,
    AtomicEnd,
    /// At least one branch.
    If {
        branches: Vec<Branch>,
        otherwise: Option<Vec<Statement>>,
    },
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
    Block(Vec<Statement>),
    Assert(Expr),
    Assume(Expr),
    Dead(Vec<Name>),
    Goto(Vec<Name>),
    Return(Vec<Expr>),
}

/// `if condition then body`.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) condition: Expr,
    pub(super) body: Vec<Statement>,
    /// From the `if` to the condition's end.
    pub(super) head: Span,
}

#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
    /// 1 for a leaf.
    pub(super) depth: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOp {
    Implies,
    Or,
    Xor,
    And,
    Equal,
    NotEqual,
}

#[derive(Debug)]
pub(super) enum ExprKind {
    Truth(bool),
    Name(String),
    /// The value of this variable after the assignment.
    Ticked(String),
    /// `*` or `?`.
    Choice,
    Not(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `schoose [p, n]`.
    Schoose(Box<[Expr; 2]>),
}

impl Expr {
    /// Adds the direct parts of the expression.
    pub(super) fn children<'e>(&'e self, into: &mut Vec<&'e Expr>) {
        match &self.kind {
            ExprKind::Truth(_) | ExprKind::Name(_) | ExprKind::Ticked(_) | ExprKind::Choice => {}
            ExprKind::Not(inner) => into.push(inner),
            ExprKind::Binary(_, left, right) => into.extend([&**left, &**right]),
            ExprKind::Schoose(both) => into.extend(both.iter()),
        }
    }

    /// Visits every node, this one first.
    pub(super) fn walk<'e>(&'e self, mut visit: impl FnMut(&'e Expr)) {
        let mut stack = vec![self];
        while let Some(e) = stack.pop() {
            visit(e);
            e.children(&mut stack);
        }
    }
}
