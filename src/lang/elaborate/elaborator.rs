//! The state of elaboration: the program so far, and what is known of names, types and procedures.

use super::current::Current;
use super::initialised::Reads;
use super::names::{Entity, Names};
use super::signature::{ProcedureCopy, Signature};
use super::structs::{Aggregate, Layout};
use super::survey::Survey;
use super::thread_handles::HandlePlace;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lowering::graph::{Graph, Pending};
use crate::lang::model::{Expression, ProcedureId, Program, Scalar, Span, VariableId};
use crate::lang::syntax::{EnumId, Expr, Name, StructId, StructType};
use crate::wire::options::{Dialect, EffectiveOptions};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most expression nodes in all checks and alternatives together; they can grow with the square of
/// an expression's length.
pub(super) const MOST_CHECK_NODES: usize = 2_000_000;

/// The `//! error = (x == V)` directive.
pub(crate) struct ErrorCondition {
    pub(crate) expression: Expr,
    pub(crate) mentions: Vec<String>,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) used: bool,
}

/// What is known of the program's threads.
#[derive(Debug, Default)]
pub(super) struct Threads {
    pub(super) any: bool,
    /// By handle, with the procedure that declares it unless it is global: the variable that is set
    /// when its thread ends.
    pub(super) ended: FxHashMap<(Option<String>, String), VariableId>,
    /// The declared handles, by name.
    pub(super) places: FxHashMap<String, HandlePlace>,
    /// By the declaration of a handle, and element: the flags of its threads.
    pub(super) cells: FxHashMap<(u32, u32), (VariableId, VariableId)>,
    /// By that variable: the one that says whether the thread was detached or joined.
    pub(super) handles: FxHashMap<VariableId, VariableId>,
    /// The variables of which each thread has one of its own: those of the first thread.
    pub(super) locals: Vec<(Name, VariableId)>,
    /// By thread, and variable of the first thread: the thread's own.
    pub(super) own: FxHashMap<(u32, VariableId), VariableId>,
    /// By procedure of a thread: the variable through which its creator passes its argument.
    pub(super) arguments: FxHashMap<ProcedureId, VariableId>,
    /// By the variable that is set when a thread ends: the one that holds its result.
    pub(super) results: FxHashMap<VariableId, VariableId>,
    pub(super) mutexes: FxHashSet<VariableId>,
    /// C's `_Atomic` variables: scalars, arrays of them, and members of structs.
    pub(super) atomics: FxHashSet<VariableId>,
    /// The members of C's structs that are `_Atomic` as a whole.
    pub(super) atomic_structs: FxHashSet<VariableId>,
}

/// Elaborates one file.
pub(crate) struct Elaborator<'a> {
    pub(super) source: &'a str,
    pub(super) options: &'a EffectiveOptions,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) program: Program,
    pub(super) names: Names,
    pub(super) signatures: FxHashMap<String, Signature>,
    pub(super) graph: Graph,
    pub(super) pending: Pending,
    /// Conditions that hold whenever the current expression is evaluated, like `i < n` to the right
    /// of `i < n &&`.
    pub(super) guards: Vec<Expression>,
    pub(super) current: Current,
    pub(super) error_condition: Option<ErrorCondition>,
    /// Operators mean what the model says: undefined results need no check and no choice.
    pub(super) total: bool,
    /// Constant variables are replaced by their values.
    pub(super) folding: bool,
    /// Number of expression nodes that checks may still use.
    pub(super) check_nodes: usize,
    /// Is the language C? Otherwise it is Cimple.
    pub(super) c: bool,
    /// Whether a constant did not fit its type.
    pub(super) misfit: bool,
    pub(super) structs: Vec<StructType>,
    /// The type of each enumeration of C.
    pub(super) enums: FxHashMap<EnumId, Scalar>,
    pub(super) layouts: FxHashMap<StructId, Layout>,
    pub(super) aggregates: Vec<Aggregate>,
    pub(super) survey: Survey,
    /// Procedures that threads beside main may run.
    pub(super) shared_by_threads: FxHashSet<String>,
    /// By name of a procedure: the index of its body among the bodies of the file.
    pub(super) bodies: FxHashMap<String, usize>,
    /// Copies of procedures, in the order of their numbers.
    pub(super) copies: Vec<ProcedureCopy>,
    pub(super) copy_ids: FxHashMap<ProcedureCopy, ProcedureId>,
    /// `static` locals, by the place of their names. All copies of a procedure share them.
    pub(super) statics: FxHashMap<u32, Entity>,
    pub(super) has_statement_expressions: bool,
    pub(super) threads: Threads,
    /// The values that expressions hold, by their numbers.
    pub(super) held: FxHashMap<u32, Expression>,
    pub(super) reads: Reads,
    /// Are the statements no steps of the source?
    pub(super) ghost: bool,
}

impl<'a> Elaborator<'a> {
    pub(super) fn new(
        source: &'a str,
        options: &'a EffectiveOptions,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Elaborator {
            source,
            options,
            diagnostics,
            program: Program { int_width: options.bits as u8, ..Program::default() },
            names: Names::default(),
            signatures: FxHashMap::default(),
            graph: Graph::default(),
            pending: Pending::default(),
            guards: Vec::new(),
            current: Current::default(),
            error_condition: None,
            total: false,
            folding: false,
            check_nodes: MOST_CHECK_NODES,
            c: matches!(options.dialect, Dialect::C | Dialect::Java),
            misfit: false,
            structs: Vec::new(),
            enums: FxHashMap::default(),
            layouts: FxHashMap::default(),
            aggregates: Vec::new(),
            survey: Survey::default(),
            shared_by_threads: FxHashSet::default(),
            bodies: FxHashMap::default(),
            copies: Vec::new(),
            copy_ids: FxHashMap::default(),
            statics: FxHashMap::default(),
            has_statement_expressions: false,
            threads: Threads::default(),
            held: FxHashMap::default(),
            reads: Reads::default(),
            ghost: false,
        }
    }
}
