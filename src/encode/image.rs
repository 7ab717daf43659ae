//! What single statements do to sets of stores, every local remembered.
//!
//! Weights let locals that no later statement reads have any value (`frame::forgotten`). Predicates may speak of such locals, so
//! abstraction and interpolation take these images, which forget nothing.

use super::call::arguments;
use super::effect::{Change, open_failure, open_relation};
use super::frame::Frame;
use super::layout::{Copy, Layout};
use crate::bdd::{Bdd, BitVector, Manager};
use crate::lang::model::{EdgeId, Initial, Operation, Program, VariableId, VariableKind};
use crate::util::Bounded;

/// The effect of an edge without a call, or the failure of one of its checks. Diagrams over [`Copy::Now`] go in and come out; whatever
/// else they speak of stays.
#[derive(Clone, Debug)]
pub struct Image {
    change: Change,
    /// Before: [`Copy::Middle`] for changed cells, else [`Copy::Now`]; after: [`Copy::Now`].
    relation: Bdd,
}

impl Image {
    /// All checks hold, then the operation.
    pub fn of_statement(kernel: &mut Manager, layout: &Layout, program: &Program, edge: EdgeId) -> Bounded<Image> {
        let change = Change::new(kernel, layout, super::effect::changed(layout, &program.edge(edge).operation));
        let open = open_relation(kernel, layout, program, edge, &change, Bdd::TRUE)?;
        let choices = kernel.var_set(&layout.choices(edge));
        Ok(Image { change, relation: kernel.exists(open, choices)? })
    }

    /// The edge's k-th check fails, all earlier ones holding.
    pub fn of_failure(kernel: &mut Manager, layout: &Layout, program: &Program, edge: EdgeId, check: usize) -> Bounded<Image> {
        let change = Change::new(kernel, layout, Vec::new());
        let open = open_failure(kernel, layout, program, edge, check, Bdd::TRUE)?;
        let choices = kernel.var_set(&layout.choices(edge));
        Ok(Image { change, relation: kernel.exists(open, choices)? })
    }

    /// What these stores become.
    pub fn after(&self, kernel: &mut Manager, before: Bdd) -> Bounded<Bdd> {
        if self.change.cells.is_empty() {
            return kernel.and(before, self.relation);
        }
        let before = kernel.rename(before, self.change.now_to_middle)?;
        kernel.and_exists(before, self.relation, self.change.middle)
    }

    /// The stores from which the statement can lead into these.
    pub fn before(&self, kernel: &mut Manager, after: Bdd) -> Bounded<Bdd> {
        if self.change.cells.is_empty() {
            return kernel.and(after, self.relation);
        }
        let before = kernel.and_exists(after, self.relation, self.change.now)?;
        kernel.rename(before, self.change.middle_to_now)
    }

    /// The diagram held here, for garbage collection.
    pub fn root(&self) -> Bdd {
        self.relation
    }
}

/// A call's checks hold, and the callee's parameters ([`Copy::Middle`]) are the arguments (the caller in [`Copy::Now`]).
/// True for an edge without a call.
pub fn arguments_of(kernel: &mut Manager, layout: &Layout, frames: &[Frame], program: &Program, edge: EdgeId) -> Bounded<Bdd> {
    match &program.edge(edge).operation {
        Operation::Call { callee, .. } => {
            arguments(kernel, layout, program, edge, &frames[callee.0 as usize], &|_| Copy::Now, Copy::Middle)
        }
        _ => Ok(Bdd::TRUE),
    }
}

/// The stores with which a program starts, over [`Copy::Now`]: globals as declared, everything else arbitrary.
pub fn initial_stores(kernel: &mut Manager, layout: &Layout, program: &Program) -> Bounded<Bdd> {
    let mut stores = Bdd::TRUE;
    for (k, variable) in program.variables.iter().enumerate() {
        let (VariableKind::Global, Initial::Exactly(values)) = (variable.kind, &variable.initial) else { continue };
        for (cell, bits) in layout.cells(VariableId(k as u32)).zip(values) {
            let fixed = super::effect::equals(kernel, layout, cell, Copy::Now, &BitVector::constant(*bits, variable.scalar.width.into()))?;
            stores = kernel.and(stores, fixed)?;
        }
    }
    Ok(stores)
}
