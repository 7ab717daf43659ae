//! The untyped syntax tree of Cimple and C, with spans.
//!
//! Depth is bounded by construction (the parser caps nesting and operator chains), so recursive
//! walks and drops are safe on wasm's stack.

use crate::lang::contracts::Contract;
use crate::lang::fault::Fault;
use crate::lang::model::Span;
use crate::lang::rooms::Room;
use std::collections::BTreeSet;

/// From the start of one place to the end of another.
pub(crate) fn join(from: Span, to: Span) -> Span {
    Span { start: from.start, end: to.end.max(from.end), line: from.line }
}

/// A whole source file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) items: Vec<Item>,
    /// C's structs, by [`StructId`].
    pub(crate) structs: Vec<StructType>,
    /// What procedures give back to which there are pointers, by the number of the type.
    pub(crate) procedure_types: Vec<PointedType>,
    /// The arrays to which there are pointers, by the number of the type.
    pub(crate) array_types: Vec<ArrayType>,
    /// Does a statement stand inside an expression (GNU's `({ … })`)?
    pub(crate) has_statement_expressions: bool,
    /// The names of the variables that are values in braces of the source.
    pub(crate) braced_values: BTreeSet<String>,
    /// Where objects stand to which pointers point, once memory is arrays.
    pub(crate) rooms: Vec<Room>,
    /// What the tokens of a C program say.
    pub(crate) traits: Traits,
}

/// What the tokens of a C program say of all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Do an attribute (`packed`, `aligned(n)`) or `#pragma pack` say where members stand?
    pub(crate) packs: bool,
    /// Does it name a procedure that starts threads?
    pub(crate) starts_threads: bool,
    /// Does it name `errno`?
    pub(crate) reads_errno: bool,
}

/// Index into [`File::structs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StructId(pub(crate) u32);

crate::util::index_by!(StructId);

/// The number of an enumeration of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EnumId(pub(crate) u32);

crate::util::index_by!(EnumId);

/// A plain struct of C.
#[derive(Clone, Debug)]
pub(crate) struct StructType {
    /// Empty if it has none.
    pub(crate) tag: String,
    /// `None` until its members are declared.
    pub(crate) fields: Option<Vec<Field>>,
    /// Do its members share their place?
    pub(crate) is_union: bool,
}

/// A member of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Empty for a struct whose members are members of this one, and for a bit-field that only
    /// takes room.
    pub(crate) name: Name,
    /// The declared type of a bit-field; `type_name` has its width then.
    pub(crate) unit: Option<TypeName>,
    pub(crate) type_name: TypeName,
    pub(crate) pointers: u32,
    pub(crate) dimensions: Vec<Option<Expr>>,
    /// `_Atomic`.
    pub(crate) atomic: bool,
    pub(crate) span: Span,
}

/// The types of the POSIX threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Handle {
    Thread,
    Mutex,
    /// Under which each thread keeps a pointer.
    Key,
    /// Attributes and other types without effect on a run.
    Other,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Declaration(Declaration),
    Function(Function),
    /// `thread name { … }`
    Thread(Function),
}

/// `int f(int a) { … }`, or without a body.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) result: TypeName,
    /// Stars before the name.
    pub(crate) pointers: u32,
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Parameter>,
    /// `…` after the parameters, or C's `()` of a declaration: any arguments.
    pub(crate) open_ended: bool,
    pub(crate) body: Option<Block>,
    /// The header.
    pub(crate) span: Span,
    /// Is it made by Faultline, and shared by all calls?
    pub(crate) shared: bool,
    /// C: what its annotation promises, in ACSL's notation.
    pub(crate) contract: Option<Box<Contract>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) type_name: TypeName,
    /// Stars; an array counts as one.
    pub(crate) pointers: u32,
    /// The extents of an array of arrays, without the first.
    pub(crate) rows: Vec<Option<Expr>>,
    /// A prototype may leave the name out.
    pub(crate) name: Option<Name>,
    pub(crate) constant: bool,
    /// `_Atomic`.
    pub(crate) atomic: bool,
    /// Is it declared as an array, by brackets?
    pub(crate) array: bool,
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
    /// `float` (32 bits) and `double` (64).
    Floating {
        width: u8,
    },
    /// A cast to it keeps the pattern of bits: of a floating number as an integer, or the other way
    /// round. The lowering of memory makes them.
    Pattern {
        width: u8,
        floating: bool,
    },
    /// A pointer, as the number of a slot of a room.
    Slot {
        room: u16,
        width: u8,
    },
    Struct(StructId),
    /// An enumeration of C. Its constants say whether it is signed.
    Enum {
        id: EnumId,
        /// The bits of a bit-field; `None` for those of `int`.
        width: Option<u8>,
    },
    Handle(Handle),
    /// C's procedures, to which there may be pointers: an index into [`File::procedure_types`].
    Procedure(u32),
    /// C's arrays, to which there may be pointers: an index into [`File::array_types`].
    Array(u32),
    /// A type that was refused. Variables of this type are not reported again.
    Poisoned,
}

/// `static const int a = 1, b[2] = {1, 2};`, perhaps with enumerations declared on the way.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) enumerations: Vec<Enumeration>,
    pub(crate) type_name: TypeName,
    pub(crate) constant: bool,
    pub(crate) is_static: bool,
    /// `extern`: declared here, defined elsewhere.
    pub(crate) is_extern: bool,
    /// `_Atomic`.
    pub(crate) atomic: bool,
    /// `_Thread_local`: each thread has a variable of its own.
    pub(crate) per_thread: bool,
    pub(crate) declarators: Vec<Declarator>,
}

impl Declaration {
    /// Variables of this type, without a storage class.
    pub(crate) fn plain(type_name: TypeName, declarators: Vec<Declarator>) -> Declaration {
        Declaration {
            enumerations: Vec::new(),
            type_name,
            constant: false,
            is_static: false,
            is_extern: false,
            atomic: false,
            per_thread: false,
            declarators,
        }
    }
}

/// `enum { A, B = 4 }`
#[derive(Clone, Debug)]
pub(crate) struct Enumeration {
    pub(crate) id: EnumId,
    pub(crate) members: Vec<Enumerator>,
}

#[derive(Clone, Debug)]
pub(crate) struct Enumerator {
    pub(crate) name: Name,
    pub(crate) value: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Name,
    /// Stars before the name.
    pub(crate) pointers: u32,
    /// The sizes; `None` stands for `[]`.
    pub(crate) dimensions: Vec<Option<Expr>>,
    pub(crate) initializer: Option<Initializer>,
    /// From the name to the end of the initialiser; for the first of a declaration, from the type
    /// on.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Initializer {
    Value(Expr),
    List(Vec<Initializer>, Span),
    /// `.member = …`
    Member(Name, Box<Initializer>),
    /// `[index] = …`
    At(Expr, Box<Initializer>),
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) statements: Vec<Statement>,
    /// The place of the closing brace.
    pub(crate) end: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    /// The place without the `;`. For a compound statement, the place of its head.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
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
    /// All at once, and not as a step of the source: these places take their values, or any value.
    Forget(Vec<(Expr, Option<Expr>)>),
    /// The same, where memory begins to exist: who reads a place before it is given a value makes
    /// a mistake.
    Unset(Vec<(Expr, Option<Expr>)>),
    /// Where this holds the run needs more objects than the model has: it ends here, and is counted
    /// as cut off.
    CutOff(Expr),
    Block(Block),
    /// `atomic { … }`
    Atomic(Block),
    /// Statements that are no steps of the source: they prepare a run, or check what an annotation
    /// says.
    Ghost(Block),
    Empty,
}

/// `if (condition) then`; `head` spans the text before `then`.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) condition: Expr,
    pub(crate) then: Statement,
    pub(crate) head: Span,
}

#[derive(Clone, Debug)]
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
    /// Hexadecimal, octal or binary: the type may become unsigned so that the value fits.
    pub(crate) pattern: bool,
    /// The value of an operator over literals, not a literal itself.
    pub(crate) computed: bool,
}

impl Spelling {
    /// The first of C's types that holds a literal (C11 6.4.4.1), where `int` has so many bits: its
    /// size, and whether it has a sign. `long` and `long long` have twice the bits of `int`, or the
    /// spelling does not say `long`. A number that none holds is `unsigned long`, as gcc reads it.
    pub(crate) fn type_of(self, n: u64, int: u8) -> (Size, bool) {
        let holds = |width: u8, signed: bool| {
            let bits = u32::from(width).saturating_sub(u32::from(signed));
            bits >= 64 || n >> bits == 0
        };
        for (size, width) in [(Size::Int, int), (Size::Long, int.saturating_mul(2))] {
            if size == Size::Int && self.long {
                continue;
            }
            if !self.unsigned && holds(width, true) {
                return (size, true);
            }
            if (self.unsigned || self.pattern) && holds(width, false) {
                return (size, false);
            }
        }
        (Size::Long, false)
    }
}

/// A string between quotes, or several one behind the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    /// As it is spelt between its quotes.
    pub(crate) spelt: String,
    /// Its characters, without the zero at its end; `None` if some are not ASCII.
    pub(crate) characters: Option<Vec<u8>>,
    /// The characters and the zero as numbers, if the string is an initial value.
    pub(crate) elements: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(u64, Spelling),
    Truth(bool),
    Name(String),
    Index(Box<Expr>, Box<Expr>),
    Call(Name, Vec<Expr>),
    /// A call through a pointer.
    Through(Box<Expr>, Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
    /// GNU's `a ?: b`: `a` unless it is 0. `a` is evaluated once.
    Otherwise(Box<[Expr; 2]>),
    /// `None` for a plain `=`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Step {
        up: bool,
        prefix: bool,
        place: Box<Expr>,
    },
    Cast(TypeName, Box<Expr>),
    /// A cast to a pointer.
    PointerCast(PointedType, Box<Expr>),
    Member(Box<Expr>, Name),
    /// `&place`
    Address(Box<Expr>),
    /// `*pointer`
    Indirect(Box<Expr>),
    SizeOf(Box<Expr>),
    /// The size of a type, with the extents of its array.
    SizeOfType(TypeName, Vec<Option<Expr>>),
    /// The size of a pointer's type.
    SizeOfPointer,
    /// A string.
    Text(Text),
    /// GNU's `({ … })`.
    Statements(Box<Block>),
    /// `*`, `?`: any value of the type that the place needs.
    Choice,
    Comma(Vec<Expr>),
    /// A value with what must hold before it is used. The lowering of memory makes these.
    Checked(Box<Checked>),
    /// A value that a [`Checked`] around this place holds.
    Held(u32),
    /// A number of this type, at every width of `int`.
    Exactly(u64, TypeName),
    /// An operator on numbers as mathematics has them: nothing wraps. Annotations are written so.
    Mathematical(BinaryOp, Box<Expr>, Box<Expr>),
    /// Already reported.
    Poisoned,
}

/// What a pointer points to, as a cast spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PointedType {
    pub(crate) type_name: TypeName,
    pub(crate) pointers: u32,
    /// Is the type a procedure's or an array's?
    pub(crate) other: bool,
}

/// An array to which a pointer points: `int (*p)[3]`.
#[derive(Clone, Debug)]
pub(crate) struct ArrayType {
    pub(crate) type_name: TypeName,
    /// Stars of its elements.
    pub(crate) pointers: u32,
    pub(crate) dimensions: Vec<Option<Expr>>,
}

/// A value that is used only if conditions hold; if one fails, the run fails.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// Evaluated first, from left to right. [`ExprKind::Held`] names each by its number.
    pub(crate) held: Vec<(u32, Expr)>,
    /// Then these places of the model take these values, all at once.
    pub(crate) notes: Vec<(Expr, Expr)>,
    /// Where one of these holds the run needs more memory than the model has, and is cut off.
    pub(crate) cuts: Vec<Expr>,
    /// Conditions without effects, with what is wrong if one does not hold. Its values are of
    /// [`ExprKind::Held`].
    pub(crate) conditions: Vec<(Expr, Fault<Expr>)>,
    /// Then these places take these values, all at once.
    pub(crate) stores: Vec<(Expr, Expr)>,
    /// The value, as it is before the places change.
    pub(crate) value: Expr,
}

impl Expr {
    /// The expression, with its depth.
    pub(crate) fn new(kind: ExprKind, span: Span) -> Expr {
        let mut e = Expr { kind, span, depth: 1 };
        let mut children = Vec::new();
        e.children(&mut children);
        let depth = children.iter().map(|child| child.depth).max().unwrap_or(0);
        e.depth = depth.saturating_add(1);
        e
    }

    /// Adds the operands that are evaluated (those of `sizeof` are not; the statements of a block
    /// are no operands).
    pub(crate) fn children<'e>(&'e self, into: &mut Vec<&'e Expr>) {
        match &self.kind {
            ExprKind::Number(..)
            | ExprKind::Truth(_)
            | ExprKind::Name(_)
            | ExprKind::Choice
            | ExprKind::Text(_)
            | ExprKind::SizeOf(_)
            | ExprKind::SizeOfType(..)
            | ExprKind::SizeOfPointer
            | ExprKind::Held(_)
            | ExprKind::Exactly(..)
            | ExprKind::Statements(_)
            | ExprKind::Poisoned => {}
            ExprKind::Index(l, r)
            | ExprKind::Binary(_, l, r)
            | ExprKind::Mathematical(_, l, r)
            | ExprKind::Assign(_, l, r) => into.extend([&**l, &**r]),
            ExprKind::Call(_, list) | ExprKind::Comma(list) => into.extend(list),
            ExprKind::Through(procedure, list) => {
                into.push(procedure);
                into.extend(list);
            }
            ExprKind::Unary(_, e)
            | ExprKind::Cast(_, e)
            | ExprKind::PointerCast(_, e)
            | ExprKind::Member(e, _)
            | ExprKind::Address(e)
            | ExprKind::Indirect(e)
            | ExprKind::Step { place: e, .. } => into.push(e),
            ExprKind::Conditional(parts) => into.extend(parts.iter()),
            ExprKind::Otherwise(parts) => into.extend(parts.iter()),
            ExprKind::Checked(checked) => {
                into.extend(checked.held.iter().map(|(_, e)| e));
                into.extend(checked.notes.iter().flat_map(|(place, e)| [place, e]));
                into.extend(&checked.cuts);
                into.extend(checked.conditions.iter().map(|(e, _)| e));
                into.extend(checked.stores.iter().flat_map(|(place, e)| [place, e]));
                into.push(&checked.value);
            }
        }
    }

    /// Adds the operands.
    pub(crate) fn children_mut<'e>(&'e mut self, into: &mut Vec<&'e mut Expr>) {
        match &mut self.kind {
            ExprKind::Number(..)
            | ExprKind::Truth(_)
            | ExprKind::Name(_)
            | ExprKind::Choice
            | ExprKind::Text(_)
            | ExprKind::SizeOf(_)
            | ExprKind::SizeOfType(..)
            | ExprKind::SizeOfPointer
            | ExprKind::Held(_)
            | ExprKind::Exactly(..)
            | ExprKind::Statements(_)
            | ExprKind::Poisoned => {}
            ExprKind::Index(l, r)
            | ExprKind::Binary(_, l, r)
            | ExprKind::Mathematical(_, l, r)
            | ExprKind::Assign(_, l, r) => into.extend([&mut **l, &mut **r]),
            ExprKind::Call(_, list) | ExprKind::Comma(list) => into.extend(list),
            ExprKind::Through(procedure, list) => {
                into.push(procedure);
                into.extend(list);
            }
            ExprKind::Unary(_, e)
            | ExprKind::Cast(_, e)
            | ExprKind::PointerCast(_, e)
            | ExprKind::Member(e, _)
            | ExprKind::Address(e)
            | ExprKind::Indirect(e)
            | ExprKind::Step { place: e, .. } => into.push(e),
            ExprKind::Conditional(parts) => into.extend(parts.iter_mut()),
            ExprKind::Otherwise(parts) => into.extend(parts.iter_mut()),
            ExprKind::Checked(checked) => {
                into.extend(checked.held.iter_mut().map(|(_, e)| e));
                into.extend(checked.notes.iter_mut().flat_map(|(place, e)| [place, e]));
                into.extend(&mut checked.cuts);
                into.extend(checked.conditions.iter_mut().map(|(e, _)| e));
                into.extend(checked.stores.iter_mut().flat_map(|(place, e)| [place, e]));
                into.push(&mut checked.value);
            }
        }
    }
}
