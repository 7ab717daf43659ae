//! The procedure under construction: its variables, jumps, labels and cases.

use crate::lang::model::{LocationId, Scalar, Span, VariableId};
use crate::lang::syntax::{Expr, Name};
use rustc_hash::FxHashMap;

/// Most globals, and most locals of one procedure.
pub(super) const MOST_VARIABLES: usize = 1024;

/// The procedure under construction.
#[derive(Default)]
pub(super) struct Current {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) result: Option<(VariableId, Scalar)>,
    pub(super) locals: Vec<VariableId>,
    pub(super) jumps: Vec<Jumps>,
    pub(super) switches: Vec<Cases>,
    pub(super) labels: FxHashMap<String, Label>,
    pub(super) loops: u32,
    pub(super) has_goto: bool,
    /// Is it made by Faultline? Its own arithmetic is no error of the program.
    pub(super) shared: bool,
    /// Whether it has too many variables, which is reported once.
    pub(super) full: bool,
    /// The thread that runs this copy, if each has variables of its own; 0 is the first.
    pub(super) thread: u32,
    /// A thread that ends here sets this variable as its last step.
    pub(super) ended: Option<VariableId>,
    /// The values of `atomic` on entry to the atomic blocks that are open, outermost first.
    pub(super) atomic: Vec<VariableId>,
    /// The handlers that `pthread_cleanup_push` has added, each with its argument.
    pub(super) cleanups: Vec<(Name, Expr)>,
}

/// Where `break` and `continue` lead; the locations are made when they are first needed.
#[derive(Default)]
pub(super) struct Jumps {
    pub(super) break_to: Option<LocationId>,
    pub(super) continue_to: Option<LocationId>,
    /// False for a `switch`, which `break` can leave but `continue` cannot.
    pub(super) is_loop: bool,
    /// Number of atomic blocks that are open around it.
    pub(super) atomic: usize,
}

pub(super) struct Label {
    pub(super) location: LocationId,
    pub(super) defined: Option<Span>,
    pub(super) used: Option<Span>,
}

/// The cases met so far in the innermost `switch`.
pub(super) struct Cases {
    pub(super) scalar: Scalar,
    pub(super) values: Vec<(u64, LocationId)>,
    pub(super) default: Option<LocationId>,
}
