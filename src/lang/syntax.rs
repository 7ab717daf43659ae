//! The untyped syntax tree of Cimple, with spans.
//!
//! Depth is bounded by construction (the parser caps nesting and operator chains), so recursive walks and drops are safe on wasm's stack.

use crate::lang::model::Span;

/// From the start of one place to the end of another.
pub(crate) fn join(from: Span, to: Span) -> Span {
    Span { start: from.start, end: to.end.max(from.end), line: from.line }
}

/// A whole source file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) items: Vec<Item>,
}

#[derive(Debug)]
pub(crate) enum Item {
    Declaration(Declaration),
    Function(Function),
}

/// `int f(int a) { … }`, or without a body.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) result: TypeName,
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Block>,
    /// The header.
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) type_name: TypeName,
    /// Prototypes may leave it out.
    pub(crate) name: Option<Name>,
    pub(crate) constant: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// How wide a C integer is, relative to `bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Char,
    Short,
    Int,
    Long,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeName {
    Void,
    Bool,
    Integer {
        size: Size,
        signed: bool,
    },
    Exact {
        width: u8,
        signed: bool,
    },
    /// Already refused; whatever has this type is not reported again.
    Poisoned,
}

/// `static const int a = 1, b[2] = {1, 2};`, perhaps with an enumeration's members declared on the way.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) enumerators: Vec<Enumerator>,
    pub(crate) type_name: TypeName,
    pub(crate) constant: bool,
    pub(crate) is_static: bool,
    pub(crate) declarators: Vec<Declarator>,
}

#[derive(Debug)]
pub(crate) struct Enumerator {
    pub(crate) name: Name,
    pub(crate) value: Option<Expr>,
}

#[derive(Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Name,
    /// `None` inside is `[]`.
    pub(crate) dimensions: Vec<Option<Expr>>,
    pub(crate) initializer: Option<Initializer>,
    /// From the name to the end of the initialiser; for the first of a declaration, from the type on.
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Initializer {
    Value(Expr),
    List(Vec<Initializer>, Span),
}

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) statements: Vec<Statement>,
    /// Of the closing brace.
    pub(crate) end: Span,
}

#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    /// Without the `;`; of a compound statement, its head.
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    Declaration(Declaration),
    /// Calls and assignments; `skip`, `assert(e)` and `assume(e)` are names and calls here.
    Expression(Expr),
    /// An `else if` chain is flat.
    If {
        branches: Vec<Branch>,
        otherwise: Option<Box<Statement>>,
    },
    While {
        condition: Expr,
        body: Box<Statement>,
    },
    /// `head` is the `while (…)` at the end.
    DoWhile {
        body: Box<Statement>,
        condition: Expr,
        head: Span,
    },
    For {
        initial: Option<Box<Statement>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Statement>,
    },
    Switch {
        scrutinee: Expr,
        body: Box<Statement>,
    },
    Case(Expr),
    Default,
    Label(Name),
    Break,
    Continue,
    Goto(Name),
    Return(Option<Expr>),
    Block(Block),
    Empty,
}

/// `if (condition) then`; `head` is what stands before `then`.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) condition: Expr,
    pub(crate) then: Statement,
    pub(crate) head: Span,
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// 1 for a leaf.
    pub(crate) depth: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Plus,
    Minus,
    Tilde,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LogicalAnd,
    LogicalOr,
}

/// What a literal's spelling says about its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Spelling {
    /// Suffix `u`.
    pub(crate) unsigned: bool,
    /// Suffix `l` or `ll`.
    pub(crate) long: bool,
    /// Hexadecimal, octal or binary: may become unsigned in order to fit.
    pub(crate) pattern: bool,
    /// Not a literal but the value of an operator over literals.
    pub(crate) computed: bool,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Number(u64, Spelling),
    Truth(bool),
    Name(String),
    Index(Box<Expr>, Box<Expr>),
    Call(Name, Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
    /// `None` for a plain `=`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Step {
        up: bool,
        prefix: bool,
        place: Box<Expr>,
    },
    Cast(TypeName, Box<Expr>),
    /// `*`, `?`: any value of the type that the place needs.
    Choice,
    Comma(Vec<Expr>),
    /// Already reported.
    Poisoned,
}

impl Expr {
    /// Adds the operands.
    pub(crate) fn children<'e>(&'e self, into: &mut Vec<&'e Expr>) {
        match &self.kind {
            ExprKind::Number(..) | ExprKind::Truth(_) | ExprKind::Name(_) | ExprKind::Choice | ExprKind::Poisoned => {}
            ExprKind::Index(l, r) | ExprKind::Binary(_, l, r) | ExprKind::Assign(_, l, r) => into.extend([&**l, &**r]),
            ExprKind::Call(_, list) | ExprKind::Comma(list) => into.extend(list),
            ExprKind::Unary(_, e) | ExprKind::Cast(_, e) | ExprKind::Step { place: e, .. } => into.push(e),
            ExprKind::Conditional(parts) => into.extend(parts.iter()),
        }
    }

    /// Adds the operands.
    pub(crate) fn children_mut<'e>(&'e mut self, into: &mut Vec<&'e mut Expr>) {
        match &mut self.kind {
            ExprKind::Number(..) | ExprKind::Truth(_) | ExprKind::Name(_) | ExprKind::Choice | ExprKind::Poisoned => {}
            ExprKind::Index(l, r) | ExprKind::Binary(_, l, r) | ExprKind::Assign(_, l, r) => into.extend([&mut **l, &mut **r]),
            ExprKind::Call(_, list) | ExprKind::Comma(list) => into.extend(list),
            ExprKind::Unary(_, e) | ExprKind::Cast(_, e) | ExprKind::Step { place: e, .. } => into.push(e),
            ExprKind::Conditional(parts) => into.extend(parts.iter_mut()),
        }
    }
}
