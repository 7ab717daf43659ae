//! The syntax tree of a Remopla model, with spans. Its depth is bounded by the parser.

use crate::lang::model::Span;
use crate::lang::syntax::Name;

/// A whole source file.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Declarations in the order of the source. A declaration may use earlier constants.
    pub(super) items: Vec<Item>,
    pub(super) modules: Vec<Module>,
    pub(super) rules: Vec<Rule>,
    pub(super) init: Option<Init>,
}

#[derive(Debug)]
pub(super) enum Item {
    Define(Name, Expr),
    Enum(Enumeration),
    Struct(Structure),
    Declaration(Declaration),
}

/// `enum colour { red, green };`
#[derive(Debug)]
pub(super) struct Enumeration {
    pub(super) name: Option<Name>,
    pub(super) members: Vec<Name>,
}

/// `struct pair { int first(3); bool second; };`
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) name: Name,
    pub(super) fields: Vec<Declaration>,
}

#[derive(Clone, Debug)]
pub(super) enum TypeName {
    Bool,
    Int { signed: bool },
    Enum(Name),
    Struct(Name),
}

/// `shared int x(4), a[8](2);`
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) type_name: TypeName,
    pub(super) shared: bool,
    pub(super) declarators: Vec<Declarator>,
}

#[derive(Debug)]
pub(super) struct Declarator {
    pub(super) name: Name,
    pub(super) dimensions: Vec<Dimension>,
    pub(super) width: Option<Expr>,
}

/// `[size]`, or `[low,high]`.
#[derive(Debug)]
pub(super) struct Dimension {
    pub(super) low: Option<Expr>,
    pub(super) high: Expr,
}

/// `module int f(int p(4)) { … }`, or only declared.
#[derive(Debug)]
pub(super) struct Module {
    pub(super) name: Name,
    /// Type and width of the result.
    pub(super) result: Option<(TypeName, Option<Expr>)>,
    pub(super) parameters: Vec<(TypeName, Declarator)>,
    pub(super) body: Option<Body>,
    /// The place of the header.
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct Body {
    pub(super) locals: Vec<Declaration>,
    pub(super) statements: Vec<Statement>,
    /// The place of the closing brace.
    pub(super) end: Span,
}

/// `init m;`, or `init p <s>;`.
#[derive(Debug)]
pub(super) struct Init {
    pub(super) state: Option<Name>,
    pub(super) name: Name,
    pub(super) span: Span,
}

/// `p <s> --> q <t u> "text" (relation)`.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) from: Name,
    pub(super) symbol: Name,
    pub(super) to: Name,
    /// At most two.
    pub(super) word: Vec<Name>,
    pub(super) relation: Option<Expr>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub(super) labels: Vec<Name>,
    pub(super) kind: StatementKind,
    /// The place without labels and `;`. For a compound statement, the place of its first word.
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum StatementKind {
    /// `skip`, `skip (e)`.
    Skip(Option<Expr>),
    Assign(Vec<Assignment>),
    Call {
        target: Option<Expr>,
        callee: Name,
        arguments: Vec<Expr>,
    },
    Fork {
        callee: Name,
        arguments: Vec<Expr>,
    },
    /// `do … od`, `if … fi`.
    Select {
        is_loop: bool,
        options: Vec<Choice>,
    },
    Break,
    Goto(Name),
    Return(Option<Expr>),
    Assert(Expr),
    Block(Vec<Statement>),
}

/// `A i (0,3) A j (0,3) a[i][j] = 0`.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) ranges: Vec<Range>,
    pub(super) place: Expr,
    pub(super) value: Expr,
}

/// `i (low,high)`.
#[derive(Debug)]
pub(super) struct Range {
    pub(super) name: Name,
    pub(super) low: Expr,
    pub(super) high: Expr,
}

/// `:: guard -> body`; no guard is `else`.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) guard: Option<Expr>,
    pub(super) body: Vec<Statement>,
    /// The place of the guard.
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
pub(super) enum UnaryOp {
    Not,
    Tilde,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOp {
    Or,
    And,
    LogicalXor,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Debug)]
pub(super) enum ExprKind {
    Number(u64),
    Truth(bool),
    Undef,
    Name(String),
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, Name),
    /// `x'`.
    Ticked(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `A i (l,h) e`, `E i (l,h) e`.
    Quantified {
        all: bool,
        range: Box<Range>,
        body: Box<Expr>,
    },
}

impl Expr {
    /// Adds the direct parts of the expression.
    pub(super) fn children<'e>(&'e self, into: &mut Vec<&'e Expr>) {
        match &self.kind {
            ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Undef | ExprKind::Name(_) => {}
            ExprKind::Field(inner, _) | ExprKind::Ticked(inner) | ExprKind::Unary(_, inner) => {
                into.push(inner)
            }
            ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => {
                into.extend([&**left, &**right])
            }
            ExprKind::Quantified { range, body, .. } => {
                into.extend([&range.low, &range.high, &**body])
            }
        }
    }

    /// Does it mention values afterwards (`x'`)?
    pub(super) fn has_tick(&self) -> bool {
        let mut stack = vec![self];
        while let Some(e) = stack.pop() {
            if matches!(e.kind, ExprKind::Ticked(_)) {
                return true;
            }
            e.children(&mut stack);
        }
        false
    }
}
