//! The typed tree: every name resolved, every conversion a node.

use crate::span::Span;
use crate::types::{Record, Signature, Type};

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Structs and unions.
    pub records: Vec<Record>,
    /// All variables, of all procedures.
    pub variables: Vec<Variable>,
    /// All procedures, those of the library among them.
    pub procedures: Vec<Procedure>,
    /// String literals, with the zero at their end.
    pub texts: Vec<Vec<u8>>,
    /// The initial values of variables that live as long as the program, in order.
    pub globals: Vec<(VariableId, Vec<Initial>)>,
    /// The points that a run passes.
    pub points: Vec<Point>,
    /// How many of the procedures are the library's: they come first.
    pub library: u32,
    /// Where it starts.
    pub main: Option<ProcedureId>,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Index into [`Tree::variables`].
    VariableId;
    /// Index into [`Tree::procedures`].
    ProcedureId;
    /// Index into [`Tree::texts`].
    TextId;
    /// Index into [`Tree::points`].
    PointId;
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; empty for one that the parser made.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its name in the source.
    pub span: Span,
    /// Does it live as long as the program?
    pub global: bool,
    /// Does the text name it where it is used?
    pub used: bool,
    /// Must it be an object of memory? (Its address is taken, or it is no scalar.)
    pub addressed: bool,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Its type.
    pub signature: Signature,
    /// Its parameters, if it has a body.
    pub parameters: Vec<VariableId>,
    /// Its variables, parameters among them.
    pub locals: Vec<VariableId>,
    /// What it does; `None` for one of the library that the machine executes itself, and for one
    /// that nobody defines.
    pub body: Option<Statement>,
    /// Its name in the source.
    pub span: Span,
    /// What stands before its declarator where it is declared first: `extern unsigned`.
    pub specifiers: Span,
}

/// A place that a run passes: a statement, a condition, a step of a loop, an initial value.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Its text.
    pub span: Span,
    /// What it belongs to.
    pub procedure: ProcedureId,
}

/// The value of a part of a variable.
#[derive(Clone, Debug)]
pub struct Initial {
    /// In bytes from the start of the variable.
    pub offset: u64,
    /// Of the type of the part.
    pub value: Expr,
    /// First bit and number of bits of a bit-field.
    pub bits: Option<(u8, u8)>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Its place.
    pub span: Span,
    /// The point that a run passes here.
    pub point: Option<PointId>,
}

/// An expression that is a point of its own: a condition, a step of a loop.
#[derive(Clone, Debug)]
pub struct Pointed {
    /// The expression.
    pub value: Expr,
    /// Its point.
    pub point: PointId,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Nothing.
    Empty,
    /// Evaluates.
    Expression(Expr),
    /// A local variable begins to exist: without a value, or all zero and then these values.
    Declare(VariableId, Option<Vec<Initial>>),
    /// Statements, one behind the other.
    Block(Vec<Statement>),
    /// `if`
    If(Pointed, Box<Statement>, Option<Box<Statement>>),
    /// `while`
    While(Pointed, Box<Statement>),
    /// `do … while`
    DoWhile(Box<Statement>, Pointed),
    /// `for`; the first part is a statement before it.
    For(Option<Pointed>, Option<Pointed>, Box<Statement>),
    /// `switch`
    Switch(Pointed, Box<Statement>),
    /// `case a:` or GNU's `case a ... b:`
    Case(i64, i64, Box<Statement>),
    /// `default:`
    Default(Box<Statement>),
    /// `label:`
    Label(String, Box<Statement>),
    /// `goto`
    Goto(String),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<Expr>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its place.
    pub span: Span,
}

/// An operator of one operand, of the expression's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`; the operand is any scalar, the result an `int`.
    Not,
}

/// An operator of two operands of one type. Shifts have a right operand of type `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Tree {
    /// Is the procedure one of the library's?
    pub fn is_library(&self, id: ProcedureId) -> bool {
        id.0 < self.library
    }
}

impl Binary {
    /// Is its result an `int`, 0 or 1?
    pub fn compares(self) -> bool {
        matches!(
            self,
            Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
                | Binary::Equal
                | Binary::NotEqual
        )
    }
}

/// What an expression is. A place (variable, member, what a pointer points to) stands for its value
/// wherever a value is needed.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number of the expression's type, extended by its sign.
    Integer(u64),
    /// A number of the expression's type.
    Floating(f64),
    /// A string literal: a place.
    Text(TextId),
    /// A place.
    Variable(VariableId),
    /// A procedure.
    Procedure(ProcedureId),
    /// `*e`: a place.
    Indirect(Box<Expr>),
    /// A member of a place at this offset.
    Member(Box<Expr>, u64, Option<(u8, u8)>),
    /// The address of a place; of an array, of its first element.
    Address(Box<Expr>),
    /// The value as one of the expression's type.
    Convert(Box<Expr>),
    /// An operator.
    Unary(Unary, Box<Expr>),
    /// An operator.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A pointer and a number of elements (a `long`).
    PointerAdd(Box<Expr>, Box<Expr>),
    /// Elements between two pointers.
    PointerDifference(Box<Expr>, Box<Expr>),
    /// `&&`
    And(Box<Expr>, Box<Expr>),
    /// `||`
    Or(Box<Expr>, Box<Expr>),
    /// `a ? b : c`
    Conditional(Box<[Expr; 3]>),
    /// A place and its new value.
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value`; computed in the type, or on a pointer if there is none.
    AssignWith(Binary, Box<Expr>, Box<Expr>, Option<Type>),
    /// `++`, `--`: up, before.
    Step(bool, bool, Box<Expr>),
    /// A call.
    Call(Box<Expr>, Vec<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// GNU's `({ … })`: statements, then a value.
    Statements(Vec<Statement>, Option<Box<Expr>>),
    /// `(T){ … }`: a place.
    Literal(VariableId, Vec<Initial>),
    /// The size of a type that depends on a variable.
    SizeOf(Type),
    /// `va_start` of a place.
    VariableArguments(Box<Expr>),
    /// `va_arg` of a place.
    NextArgument(Box<Expr>),
    /// `assert`
    Assert(Box<Expr>),
}

impl Expr {
    /// An expression.
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    /// Is it a place?
    pub fn is_place(&self) -> bool {
        match &self.kind {
            ExprKind::Variable(_)
            | ExprKind::Indirect(_)
            | ExprKind::Text(_)
            | ExprKind::Literal(..) => true,
            ExprKind::Member(base, ..) => base.is_place(),
            _ => false,
        }
    }

    /// The parts that are evaluated with it, statements apart.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Integer(_)
            | ExprKind::Floating(_)
            | ExprKind::Text(_)
            | ExprKind::Variable(_)
            | ExprKind::Procedure(_)
            | ExprKind::SizeOf(_) => Vec::new(),
            ExprKind::Indirect(e)
            | ExprKind::Member(e, ..)
            | ExprKind::Address(e)
            | ExprKind::Convert(e)
            | ExprKind::Unary(_, e)
            | ExprKind::Step(_, _, e)
            | ExprKind::VariableArguments(e)
            | ExprKind::NextArgument(e)
            | ExprKind::Assert(e) => vec![e],
            ExprKind::Binary(_, l, r)
            | ExprKind::PointerAdd(l, r)
            | ExprKind::PointerDifference(l, r)
            | ExprKind::And(l, r)
            | ExprKind::Or(l, r)
            | ExprKind::Assign(l, r)
            | ExprKind::AssignWith(_, l, r, _)
            | ExprKind::Comma(l, r) => vec![l, r],
            ExprKind::Conditional(parts) => parts.iter().collect(),
            ExprKind::Call(callee, arguments) => {
                std::iter::once(&**callee).chain(arguments).collect()
            }
            ExprKind::Statements(_, value) => value.iter().map(|value| &**value).collect(),
            ExprKind::Literal(_, list) => list.iter().map(|initial| &initial.value).collect(),
        }
    }
}
