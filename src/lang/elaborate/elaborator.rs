//! The state of elaboration: the program so far, and what is known of names, types and procedures.

use super::current::Current;
use super::names::{Entity, Names};
use super::signature::{ProcedureCopy, Signature};
use super::structs::{Aggregate, Layout};
use super::survey::Survey;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lowering::graph::{Graph, Pending};
use crate::lang::model::{Expression, ProcedureId, Program, Span, VariableId};
use crate::lang::syntax::{Expr, StructId, StructType};
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
    /// Set when the thread of this handle has ended.
    pub(super) ended: FxHashMap<String, VariableId>,
    pub(super) mutexes: FxHashSet<VariableId>,
    /// C's `_Atomic` variables.
    pub(super) atomics: FxHashSet<VariableId>,
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
    /// What holds where the expression at hand is evaluated (`i < n` to the right of `i < n &&`).
    pub(super) guards: Vec<Expression>,
    pub(super) current: Current,
    pub(super) error_condition: Option<ErrorCondition>,
    /// No checks and no choices for undefined results: operators mean what the model says.
    pub(super) total: bool,
    /// Constant variables stand for their values.
    pub(super) folding: bool,
    /// Expression nodes that checks may still take.
    pub(super) check_nodes: usize,
    /// C rather than Cimple?
    pub(super) c: bool,
    /// A constant did not fit its type.
    pub(super) misfit: bool,
    pub(super) structs: Vec<StructType>,
    pub(super) layouts: FxHashMap<StructId, Layout>,
    pub(super) aggregates: Vec<Aggregate>,
    pub(super) survey: Survey,
    /// Procedures that threads beside main may run.
    pub(super) shared_by_threads: FxHashSet<String>,
    /// Index of a procedure's body among the file's, by name.
    pub(super) bodies: FxHashMap<String, usize>,
    /// Copies of procedures, in the order of their numbers.
    pub(super) copies: Vec<ProcedureCopy>,
    pub(super) copy_ids: FxHashMap<ProcedureCopy, ProcedureId>,
    /// `static` locals, by the place of their names: every copy of their procedure has the same.
    pub(super) statics: FxHashMap<u32, Entity>,
    pub(super) has_statement_expressions: bool,
    pub(super) threads: Threads,
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
            c: options.dialect == Dialect::C,
            misfit: false,
            structs: Vec::new(),
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
        }
    }
}
