//! The typed program model behind every front end.
//!
//! A program is a set of procedures; a procedure is a control-flow graph whose vertices are
//! [`LocationId`]s and whose edges are statements. Data is finite: scalars of 1 to 64 bits and
//! constant-size arrays of them. Everything that C leaves open is made explicit here, so that the
//! interpreter and the symbolic encoding need no rules of their own:
//!
//! * every operand has the type its operator needs ([`Expression::Cast`] is explicit);
//! * every operator is total ([`BinaryOperator`] says what `x / 0` is); where the language says
//!   "any value", the front end wraps the operator in a [`Expression::Conditional`] over a
//!   [`Expression::Choice`];
//! * calls, `++` and short-circuit evaluation of operands with effects are edges of their own;
//!   expressions have no effects.
//!
//! Absences: no expression contains a call; no location has both a call edge and another out-edge;
//! an entry has no in-edge; a call's result goes to no global and not to the caller's own result.

mod expression;

use crate::lang::concurrency::Concurrency;
use crate::lang::contracts;
use crate::lang::fault::Fault;
use crate::lang::given::Givers;
use crate::lang::rooms::Rooms;
use crate::lang::rules::Broken;
use crate::lang::shared::Shared;
use crate::lang::written::Written;
use crate::util::names::continues_name;
use crate::wire::assumed::Assumed;
use std::collections::BTreeMap;

pub use crate::wire::report::ErrorKind;
pub use expression::{BinaryOperator, Expression, Place, UnaryOperator};

pub use crate::lang::ids::{ChoiceId, EdgeId, LocationId, ProcedureId, ScopeId, VariableId};

/// A place in the source: byte offsets, end exclusive, and the 1-based line of the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// 1-based line of `start`.
    pub line: u32,
}

/// A scalar type: 1 to 64 bits, two's complement when signed. `boolean` types have width 1, are
/// unsigned, and print `true`/`false`. `floating` types have width 32 or 64 and are unsigned: the
/// model has the pattern of bits (IEEE 754), and nothing computes with the number that it encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    /// Bits, 1 to 64.
    pub width: u8,
    /// Two's complement?
    pub signed: bool,
    /// Printed as `true` and `false`.
    pub boolean: bool,
    /// The pattern of a `float` or a `double`; printed as that.
    pub floating: bool,
}

impl Scalar {
    /// The type of truth values.
    pub const BOOL: Scalar = Scalar { width: 1, signed: false, boolean: true, floating: false };

    /// An integer type.
    pub const fn int(width: u8, signed: bool) -> Scalar {
        Scalar { width, signed, boolean: false, floating: false }
    }

    /// `float` (32 bits) or `double` (64 bits).
    pub const fn floating(width: u8) -> Scalar {
        Scalar { width, signed: false, boolean: false, floating: true }
    }

    /// Neither a truth value nor floating point.
    pub fn is_integer(self) -> bool {
        !self.boolean && !self.floating
    }

    /// All bits of this width.
    pub fn mask(self) -> u64 {
        if self.width >= 64 { u64::MAX } else { (1 << self.width) - 1 }
    }

    /// The number that the bit pattern `bits` stands for.
    pub fn number(self, bits: u64) -> i128 {
        let bits = bits & self.mask();
        if self.signed && bits >> (self.width - 1) & 1 == 1 {
            i128::from(bits) - (1i128 << self.width)
        } else {
            i128::from(bits)
        }
    }

    /// The bit pattern of `number`, wrapped to the width.
    pub fn wrap(self, number: i128) -> u64 {
        number as u64 & self.mask()
    }

    /// Does `number` fit without wrapping?
    pub fn holds(self, number: i128) -> bool {
        self.number(self.wrap(number)) == number
    }

    /// `true`/`false`, or the number in decimal.
    pub fn show(self, bits: u64) -> String {
        if self.floating {
            crate::lang::floating::shown(bits, self.width)
        } else if self.boolean {
            (if bits & 1 == 1 { "true" } else { "false" }).to_string()
        } else {
            self.number(bits).to_string()
        }
    }
}

/// How the names of variables begin where a procedure leaves a struct that it returns, and where a
/// caller takes it. No person can write such a name, and no scope has it.
pub const STRUCT_RESULT: &str = "result of ";

/// How the names of the variables begin that say whether others have a value. No person can write
/// such a name, and no scope has it.
pub const HAS_VALUE: &str = "value of ";

/// The role of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// Shared by all procedures.
    Global,
    /// Set by the caller.
    Parameter,
    /// Declared in the program; arbitrary at first.
    Local,
    /// Made by the front end, for example for the value of a call inside an expression. Never
    /// shown.
    Temporary,
    /// Holds the value that the procedure returns; never shown.
    Result,
}

/// Where a variable comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The source declares it.
    #[default]
    Written,
    /// The front end made it, and its name is of no interest: it keeps count of memory, or holds a
    /// struct on its way out of a procedure. Never shown.
    Made,
    /// The front end made it for an expression of the source, which has no other name: the value in
    /// braces `(struct P){ 1, n }`, the result of a call inside an expression.
    Expression(String),
    /// It holds the state of a rule's automaton: what the states are called, by number. Steps tell
    /// it.
    Rule(Vec<String>),
}

/// The values a global may have when the program starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Any value. Always so for non-globals.
    Any,
    /// Exactly these bit patterns, one per element (one for a scalar).
    Exactly(Vec<u64>),
}

/// A variable: a scalar, or a constant-size array (its elements are numbered row by row).
#[derive(Clone, Debug)]
pub struct Variable {
    /// As in the source.
    pub name: String,
    /// Type of the scalar, or of each element.
    pub scalar: Scalar,
    /// Empty for a scalar, else the array's dimensions, outermost first.
    pub dimensions: Vec<u32>,
    /// Role.
    pub kind: VariableKind,
    /// `None` for globals.
    pub owner: Option<ProcedureId>,
    /// Where it is declared.
    pub span: Span,
    /// Values at the start of the program (globals).
    pub initial: Initial,
    /// Where it comes from.
    pub origin: Origin,
}

impl Variable {
    /// Number of scalars in it: 1, or the product of the dimensions.
    pub fn elements(&self) -> u32 {
        self.dimensions.iter().product()
    }
    /// Number of scalars in one element of the outermost dimension.
    pub fn inner(&self) -> u32 {
        self.dimensions.iter().skip(1).product::<u32>().max(1)
    }
    /// The indices of an element, outermost first; none for a scalar.
    pub fn indices(&self, element: u32) -> Vec<u32> {
        let mut rest = element;
        let mut indices: Vec<u32> = (self.dimensions.iter().rev())
            .map(|size| {
                let index = rest % (*size).max(1);
                rest /= (*size).max(1);
                index
            })
            .collect();
        indices.reverse();
        indices
    }
    /// Does the source name it? Variables that the front end made have no name in the source, even
    /// if they have a name here.
    pub fn has_name(&self) -> bool {
        !matches!(self.kind, VariableKind::Temporary | VariableKind::Result)
            && self.origin == Origin::Written
    }
    /// Is it an array?
    pub fn is_array(&self) -> bool {
        !self.dimensions.is_empty()
    }
}

/// What an edge does, once its checks have passed.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Nothing.
    Skip,
    /// The run goes on only if this bool holds (a branch of a condition, or `assume`).
    Assume(Expression),
    /// All right sides and indices are evaluated first, then all are written, left to right.
    Assign(Vec<(Place, Expression)>),
    /// These variables (all elements of arrays) take any value.
    Havoc(Vec<VariableId>),
    /// Parameters take the arguments' values, the callee's other locals any; on return `result`, a
    /// scalar, takes the callee's result.
    Call {
        /// The procedure that is called.
        callee: ProcedureId,
        /// One per parameter, of the parameter's type.
        arguments: Vec<Expression>,
        /// Receives the result. If a cast is needed, the front end makes it, and this is a
        /// temporary.
        result: Option<VariableId>,
    },
}

/// What a check looks at. The interpreter evaluates these parts where the check fails.
#[derive(Clone, Debug)]
pub enum Subject {
    /// The condition.
    Condition,
    /// An index into an array: whether it is below the array's size.
    Index {
        /// The array's name.
        array: String,
        /// One index for each dimension that is checked.
        indices: Vec<Expression>,
        /// As many sizes.
        sizes: Vec<u32>,
    },
    /// An operator with two operands of which the result may be undefined.
    Binary(BinaryOperator, Expression, Expression),
    /// `-x`, which may not fit.
    Negation(Expression),
    /// A variable or an element that is read there: it must have a value.
    Value(Expression, Span),
    /// The result of a procedure that is used there: the procedure must have returned one.
    Returned(ProcedureId, Span),
    /// A use of memory.
    Memory(Box<Fault<Expression>>),
    /// A rule beside the program.
    Rule(Box<Broken>),
    /// A clause of a contract, or an annotation.
    Contract(Box<contracts::Broken>),
}

/// Something that must hold before an edge's operation; if not, the run ends here with this error.
#[derive(Clone, Debug)]
pub struct Check {
    /// What went wrong if it fails.
    pub kind: ErrorKind,
    /// A bool over the store *before* the edge (and its choices).
    pub condition: Expression,
    /// What is checked, in the words of the program: `assert(x > 0)`, `index of a`. Values like
    /// "index 5 of `a`" belong to the report.
    pub message: String,
    /// The parts of it whose values explain a failure.
    pub subject: Subject,
    /// The line that an error names (`--error LINE`).
    pub line: u32,
}

/// How an edge appears in traces and pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementKind {
    /// Assignment, or declaration with an initialiser.
    Assignment,
    /// One outcome of a condition (of `if`, `while`, `for`, `do`, `switch`, `&&` with effects).
    Condition,
    /// Procedure call.
    Call,
    /// `assume(e)`.
    Assumption,
    /// `assert(e)`, `reach_error()`, an error label.
    Assertion,
    /// `return`.
    Return,
    /// `skip`, an empty statement with a label.
    Skip,
    /// `goto`, `break`, `continue`: a statement of the projection, but no entry of a trace.
    Jump,
    /// Made by the front end: never an entry of a trace, unless its check fails; a statement of the
    /// projection only through its checks (see [`Edge::is_statement`]).
    Hidden,
}

/// A statement: an edge of a control-flow graph.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Source.
    pub from: LocationId,
    /// Target.
    pub to: LocationId,
    /// Checked in this order before the operation; the first that fails is the error.
    pub checks: Vec<Check>,
    /// Effect.
    pub operation: Operation,
    /// Types of the values that the run picks at this edge.
    pub choices: Vec<Scalar>,
    /// Role.
    pub kind: StatementKind,
    /// For a condition, which outcome: `"true"`, `"false"`, `"case 3"`, `"default"`; else empty.
    pub outcome: String,
    /// Its place in the source; `span.line` is the line that is lit.
    pub span: Span,
    /// One line of source-like text: `x = y + 1`, `if (x > 0)`, `foo(3)`.
    pub text: String,
    /// What is in scope before it.
    pub scope: ScopeId,
}

impl Edge {
    /// Does it count as a statement of the source? An edge that the front end made does iff it
    /// checks something: it is then the part of a condition's evaluation that can fail.
    pub fn is_statement(&self) -> bool {
        self.kind != StatementKind::Hidden || !self.checks.is_empty()
    }

    /// Is it an entry of a trace, and counted in the length of a run? (Where a run fails, it always
    /// is.)
    pub fn is_traced(&self) -> bool {
        !matches!(self.kind, StatementKind::Hidden | StatementKind::Jump)
    }
}

/// The variables in scope at a place, outermost first (a later one of the same name hides an
/// earlier one); temporaries and results are not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// In order of declaration.
    pub variables: Vec<VariableId>,
}

/// A procedure and its graph.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// As in the source.
    pub name: String,
    /// In order.
    pub parameters: Vec<VariableId>,
    /// All other variables of the procedure: locals, temporaries, the result.
    pub locals: Vec<VariableId>,
    /// Holds the returned value at the exit.
    pub result: Option<VariableId>,
    /// Where it starts.
    pub entry: LocationId,
    /// Where it returns; no out-edges.
    pub exit: LocationId,
    /// Header in the source.
    pub span: Span,
}

/// A vertex of a control-flow graph.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// Owner.
    pub procedure: ProcedureId,
    /// Line of the statement that starts here (for an exit, of the closing brace).
    pub line: u32,
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Width of `int`, to which operands in expressions of the user are promoted.
    pub int_width: u8,
    /// All variables.
    pub variables: Vec<Variable>,
    /// All procedures.
    pub procedures: Vec<Procedure>,
    /// All vertices.
    pub locations: Vec<Location>,
    /// All statements.
    pub edges: Vec<Edge>,
    /// All scopes.
    pub scopes: Vec<Scope>,
    /// Index of the procedure that starts.
    pub main: usize,
    /// Where no procedure is `main`: those that a run may start with. The procedure that starts is
    /// not in the source then. It picks one of these and calls it with any arguments.
    pub starts: Vec<ProcedureId>,
    /// What is taken to hold of the arguments of procedures that start alone.
    pub assumed: Vec<Assumed>,
    /// Enumerators with their values. Expressions of the user may mention them.
    pub constants: BTreeMap<String, (u64, Scalar)>,
    /// The threads.
    pub concurrency: Concurrency,
    /// Members of the structs of an array, as `ps.x`, each with the length of the array's name: an
    /// index stands behind that name, as in `ps[1].x`.
    pub members: BTreeMap<VariableId, u32>,
    /// Statements where runs end that need more objects than the model has. If a run executes one,
    /// nothing follows from the absence of failing runs.
    pub cut_offs: Vec<EdgeId>,
    /// Who gives the values that edges pick.
    pub givers: Givers,
    /// What the numbers in pointers stand for.
    pub memory: Rooms,
    /// Procedures without a text of their own.
    pub shared: Shared,
    /// What only the text of a C program says.
    pub written: Written,
}

/// The name that a variable's name starts with: `s` for the member `s.x` of a struct.
pub fn root_name(name: &str) -> &str {
    match name.split_once('.') {
        Some((root, _)) if root.chars().all(continues_name) => root,
        _ => name,
    }
}

impl Program {
    /// Does a variable that is declared later hide an earlier one? The members of a struct (`s.x`)
    /// hide what `s` meant before, and are hidden by what `s` means later.
    pub fn hides(&self, later: VariableId, earlier: VariableId) -> bool {
        let (later, earlier) = (self.variable(later), self.variable(earlier));
        later.name == earlier.name
            || (later.span != earlier.span && root_name(&later.name) == root_name(&earlier.name))
    }
    /// The variable of this id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id]
    }
    /// The procedure of this id.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id]
    }
    /// The edge of this id.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id]
    }
    /// The location of this id.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id]
    }
    /// The scope of this id.
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id]
    }
    /// The procedure that owns an edge.
    pub fn owner(&self, edge: EdgeId) -> ProcedureId {
        self.location(self.edge(edge).from).procedure
    }
    /// Is it the procedure that picks where a run starts? It is not in the source.
    pub fn picks_start(&self, id: ProcedureId) -> bool {
        !self.starts.is_empty() && id == self.main_id()
    }
    /// The procedure that starts.
    pub fn main_id(&self) -> ProcedureId {
        ProcedureId(self.main as u32)
    }
    /// All edges with their ids, in order.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len() as u32).map(EdgeId)
    }
    /// The globals, in order.
    pub fn globals(&self) -> impl Iterator<Item = VariableId> + '_ {
        (0..self.variables.len() as u32)
            .map(VariableId)
            .filter(|v| self.variable(*v).kind == VariableKind::Global)
    }
}
