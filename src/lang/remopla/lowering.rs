//! The state of lowering: the program so far, and what is known of names and modules.

use super::entity::Entity;
use super::stack_symbols::Rules;
use super::syntax::Structure;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lowering::builder::Builder;
use crate::lang::model::{Expression, LocationId, ProcedureId, Scalar, Span, VariableId};
use crate::wire::options::EffectiveOptions;
use rustc_hash::FxHashMap;

/// Most expression nodes that ranges, quantifiers and checks may make.
const MOST_NODES: usize = 2_000_000;

/// What callers need to know about a module.
pub(super) struct Signature {
    /// `None` if it has no body.
    pub(super) id: Option<ProcedureId>,
    pub(super) result: Option<Scalar>,
    pub(super) parameters: Vec<Scalar>,
    pub(super) span: Span,
}

pub(super) struct Lowering<'a> {
    pub(super) builder: Builder<'a>,
    pub(super) options: &'a mut EffectiveOptions,
    pub(super) globals: FxHashMap<String, Entity<'a>>,
    pub(super) locals: FxHashMap<String, Entity<'a>>,
    pub(super) structs: FxHashMap<&'a str, &'a Structure>,
    /// Numbers of members.
    pub(super) enums: FxHashMap<&'a str, u32>,
    pub(super) signatures: FxHashMap<&'a str, Signature>,
    pub(super) rules: Option<Rules<'a>>,
    /// Variables of quantifiers and ranges, innermost last.
    pub(super) ranges: Vec<(&'a str, i128)>,
    /// Conditions that hold whenever the current expression is evaluated.
    pub(super) guards: Vec<Expression>,
    /// Inside a relation: the saved old values of the written variables.
    pub(super) relation: Option<FxHashMap<VariableId, Expression>>,
    pub(super) budget: usize,
    /// By open loop: where `break` leads; `None` until the location is needed.
    pub(super) breaks: Vec<Option<LocationId>>,
    pub(super) result: Option<(VariableId, Scalar)>,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(
        source: &'a str,
        options: &'a mut EffectiveOptions,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Lowering {
            builder: Builder::new(source, options.bits, options.label.clone(), diagnostics),
            options,
            globals: FxHashMap::default(),
            locals: FxHashMap::default(),
            structs: FxHashMap::default(),
            enums: FxHashMap::default(),
            signatures: FxHashMap::default(),
            rules: None,
            ranges: Vec::new(),
            guards: Vec::new(),
            relation: None,
            budget: MOST_NODES,
            breaks: Vec::new(),
            result: None,
        }
    }
}
