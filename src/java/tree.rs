//! The syntax tree, with places. The parser bounds its depth, so that recursive walks are safe.

use crate::span::Span;

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// All files of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    /// The last parts of names that `import static` names: class and member.
    pub(crate) static_imports: Vec<(String, String)>,
    pub(crate) types: Vec<TypeDeclaration>,
}

/// What words stand before a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modifiers {
    pub(crate) is_static: bool,
    pub(crate) is_abstract: bool,
    pub(crate) is_final: bool,
    pub(crate) is_native: bool,
    pub(crate) is_synchronized: bool,
    pub(crate) is_private: bool,
    pub(crate) is_default: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Class,
    Interface,
    Enumeration,
    Record,
    Annotation,
}

#[derive(Clone, Debug)]
pub(crate) struct TypeDeclaration {
    pub(crate) kind: Kind,
    pub(crate) modifiers: Modifiers,
    pub(crate) name: Name,
    pub(crate) parameters: Vec<TypeParameter>,
    pub(crate) extends: Vec<TypeName>,
    pub(crate) implements: Vec<TypeName>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) members: Vec<Member>,
}

/// `T extends A`
#[derive(Clone, Debug)]
pub(crate) struct TypeParameter {
    pub(crate) name: Name,
    pub(crate) bound: Option<TypeName>,
}

/// `RED(1) { … }`
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    pub(crate) name: Name,
    pub(crate) arguments: Vec<Expr>,
    pub(crate) body: Option<Vec<Member>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Member {
    Field(Modifiers, TypeName, Vec<Declarator>),
    Method(Method),
    Initializer { is_static: bool, body: Block },
    Type(TypeDeclaration),
}

/// `name[] = value`
#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Name,
    /// Brackets behind the name.
    pub(crate) dimensions: u32,
    pub(crate) value: Option<Expr>,
    /// From the type or the name to the end of the value.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) modifiers: Modifiers,
    pub(crate) type_parameters: Vec<TypeParameter>,
    /// `None` for a constructor.
    pub(crate) result: Option<TypeName>,
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) is_variadic: bool,
    /// The constructor of a record, without its parameters?
    pub(crate) is_compact: bool,
    pub(crate) body: Option<Block>,
    /// The header.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) type_name: TypeName,
    pub(crate) name: Name,
}

/// A type as it is spelt.
#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    pub(crate) kind: TypeKind,
    /// Its type arguments; `?` is its bound, or `Object`.
    pub(crate) arguments: Vec<TypeName>,
    pub(crate) dimensions: u32,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Primitive(Primitive),
    Void,
    /// `var`
    Inferred,
    /// `a.b.C`
    Named(Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primitive {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) statements: Vec<Statement>,
    /// The closing brace.
    pub(crate) end: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    /// Without `;`. Of a compound statement, its head.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Local(TypeName, Vec<Declarator>),
    LocalType(TypeDeclaration),
    Expression(Expr),
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    While(Expr, Box<Statement>),
    Do(Box<Statement>, Expr, Span),
    For {
        first: Vec<Statement>,
        condition: Option<Expr>,
        step: Vec<Expr>,
        body: Box<Statement>,
    },
    ForEach(TypeName, Name, Expr, Box<Statement>),
    /// With groups of labels; `default` is `None`. With arrows no group falls into the next.
    Switch(Expr, Vec<Group>),
    Labelled(Name, Box<Statement>),
    Break(Option<Name>),
    Continue(Option<Name>),
    Return(Option<Expr>),
    Throw(Expr),
    /// `yield`
    Yield(Expr),
    Try {
        resources: Vec<Statement>,
        body: Block,
        catches: Vec<Catch>,
        finally: Option<Block>,
    },
    Assert(Expr, Option<Expr>),
    Synchronized(Expr, Block),
    Block(Block),
    Empty,
}

#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) labels: Vec<Option<Expr>>,
    pub(crate) body: Vec<Statement>,
    pub(crate) arrow: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Catch {
    pub(crate) types: Vec<TypeName>,
    pub(crate) name: Name,
    pub(crate) body: Block,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// 1 for a leaf.
    pub(crate) depth: u16,
}

#[derive(Clone, Debug)]
pub(crate) enum LambdaBody {
    Value(Expr),
    Block(Block),
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    Tilde,
    /// `!`
    Not,
}

/// An operator.
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
    /// `>>>`
    ShiftRightUnsigned,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Xor,
    /// `&&`
    AndThen,
    /// `||`
    OrElse,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Integer {
        value: u64,
        long: bool,
        decimal: bool,
    },
    Floating {
        value: f64,
        single: bool,
    },
    Character(u16),
    Text(String),
    Truth(bool),
    Null,
    Name(String),
    This,
    /// `super`, before `.`
    Super,
    Member(Box<Expr>, Name),
    Index(Box<Expr>, Box<Expr>),
    Call {
        target: Option<Box<Expr>>,
        name: Name,
        arguments: Vec<Expr>,
    },
    /// `this(…)`, or `super(…)`
    Construct {
        of_super: bool,
        arguments: Vec<Expr>,
    },
    New {
        outer: Option<Box<Expr>>,
        type_name: TypeName,
        arguments: Vec<Expr>,
        body: Option<Vec<Member>>,
    },
    /// The type has all dimensions; so many of them have lengths.
    NewArray {
        type_name: TypeName,
        lengths: Vec<Expr>,
        values: Option<Box<Expr>>,
    },
    /// `{ 1, 2 }`
    Values(Vec<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    Step {
        up: bool,
        prefix: bool,
        place: Box<Expr>,
    },
    Conditional(Box<[Expr; 3]>),
    Cast(TypeName, Box<Expr>),
    InstanceOf(Box<Expr>, TypeName, Option<Name>),
    /// `A.class`
    ClassLiteral,
    Lambda(Vec<(Option<TypeName>, Name)>, Box<LambdaBody>),
    /// As lambdas, by what they take: `(a, b) -> A.m(a, b)`, and `(a, b) -> a.m(b)`.
    MethodReference(Vec<Expr>, Vec<Expr>),
    /// Its value is what an arm gives.
    Switch(Box<Expr>, Vec<Group>),
}

impl Expr {
    /// The expression, with its depth.
    pub(crate) fn new(kind: ExprKind, span: Span) -> Expr {
        let most = |list: &[Expr]| list.iter().map(|e| e.depth).max().unwrap_or(0);
        let depth = match &kind {
            ExprKind::Integer { .. }
            | ExprKind::Floating { .. }
            | ExprKind::Character(_)
            | ExprKind::Text(_)
            | ExprKind::Truth(_)
            | ExprKind::Null
            | ExprKind::Name(_)
            | ExprKind::This
            | ExprKind::Super
            | ExprKind::ClassLiteral
            | ExprKind::Lambda(..)
            | ExprKind::MethodReference(..) => 0,
            ExprKind::Member(e, _)
            | ExprKind::Unary(_, e)
            | ExprKind::Step { place: e, .. }
            | ExprKind::Cast(_, e)
            | ExprKind::InstanceOf(e, ..)
            | ExprKind::Switch(e, _) => e.depth,
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                a.depth.max(b.depth)
            }
            ExprKind::Call { target, arguments, .. } => {
                most(arguments).max(target.as_ref().map_or(0, |e| e.depth))
            }
            ExprKind::Construct { arguments, .. } | ExprKind::New { arguments, .. } => {
                most(arguments)
            }
            ExprKind::NewArray { lengths, values, .. } => {
                most(lengths).max(values.as_ref().map_or(0, |e| e.depth))
            }
            ExprKind::Values(list) => most(list),
            ExprKind::Conditional(parts) => most(&parts[..]),
        };
        Expr { kind, span, depth: depth.saturating_add(1) }
    }
}
