//! What callers know of a procedure, and the copies of it that are lowered.

use super::address::Address;
use crate::lang::model::{ProcedureId, Scalar, Span, VariableId};
use crate::lang::syntax::{StructId, TypeName};

/// Most parameters of one procedure.
pub(super) const MOST_PARAMETERS: usize = 255;

/// What callers need to know about a procedure.
pub(super) struct Signature {
    /// `None` if it has no body.
    pub(super) id: Option<ProcedureId>,
    /// `None` for `void`.
    pub(super) result: Option<Scalar>,
    pub(super) parameters: Vec<Formal>,
    pub(super) span: Span,
    pub(super) has_body: bool,
    /// C: more arguments may be given.
    pub(super) open_ended: bool,
    /// C: it returns a pointer.
    pub(super) pointer: bool,
    /// Made by Faultline, and shared by all calls.
    pub(super) shared: bool,
}

/// What a parameter takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Formal {
    Scalar(Scalar),
    /// C: a struct by value.
    Struct(StructId),
    /// C: an address.
    Pointer(TypeName, u32),
    /// Its type was refused.
    Poisoned,
}

/// What a copy of a procedure is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// It is called.
    Procedure,
    /// A thread runs it, and sets the variable when it ends.
    Thread(Option<VariableId>),
}

/// A procedure to lower, for certain addresses that its pointers hold, in order.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct ProcedureCopy {
    /// Index among the file's bodies.
    pub(super) body: usize,
    pub(super) addresses: Vec<Address>,
    pub(super) role: Role,
    /// The thread that runs it, if each has variables of its own; 0 is the first.
    pub(super) thread: u32,
}
