//! C's pointers, as far as each holds one address that is known before the program runs.
//!
//! A pointer parameter represents the variable whose address a call passes. The procedure is
//! lowered once for each tuple of addresses that it is called with, so `*p` is that variable
//! itself, and aliases are exact. A local whose address is taken becomes a variable of the whole
//! run, because other procedures can then name it. This is exact if its procedure is not recursive
//! and runs in one thread only; otherwise the local is refused.

use super::address::Address;
use super::elaborator::Elaborator;
use super::names::Entity;
use super::structs::Aggregate;
use super::target::Path;
use crate::lang::message::are;
use crate::lang::model::{Scalar, Span};
use crate::lang::syntax::{Declaration, Declarator, Expr, ExprKind, StructId, TypeName};

impl Elaborator<'_> {
    /// Does a local of this name become a variable of the whole run? Reports it if that would not
    /// be exact.
    pub(super) fn is_shared_local(&mut self, name: &str, span: Span) -> bool {
        let owner = &self.current.name;
        if !self.survey.addressed.get(owner).is_some_and(|names| names.contains(name)) {
            return false;
        }
        if self.survey.recursive.contains(owner) {
            self.refuse_pointer(
                span,
                &format!(
                    "`{name}` is a local of `{owner}`, which may call itself",
                    owner = owner.clone()
                ),
            );
        } else if self.shared_by_threads.contains(owner) {
            self.refuse_pointer(
                span,
                &format!(
                    "`{name}` is a local of `{owner}`, which several threads may run",
                    owner = owner.clone()
                ),
            );
        }
        true
    }

    /// Is it a local `void *` that nothing but null is written into? It holds a number then: null
    /// is 0, and before it is written it may hold any.
    pub(super) fn holds_only_null(
        &self,
        declaration: &Declaration,
        declarator: &Declarator,
    ) -> bool {
        let name = &declarator.name.text;
        let addressed = self.survey.addressed.get(&self.current.name);
        declaration.type_name == TypeName::Void
            && declarator.pointers == 1
            && declarator.dimensions.is_empty()
            && declarator.initializer.is_none()
            && !declaration.is_static
            && self.survey.assigned.contains(name)
            && !self.survey.moved.contains(name)
            && !addressed.is_some_and(|names| names.contains(name))
    }

    /// The address that an expression denotes, without evaluating it. `Unknown` if the model has no
    /// such address.
    pub(super) fn address(&mut self, e: &Expr) -> Address {
        match &e.kind {
            ExprKind::Number(0, _) => Address::Null,
            ExprKind::Text(_) => Address::Text,
            ExprKind::PointerCast(_, inner) => self.address(inner),
            ExprKind::Name(name) => match self.names.find(name) {
                Some(Entity::Pointer(address)) => address,
                Some(Entity::Variable { id, .. }) if self.program.variable(id).is_array() => {
                    Address::Variable(id)
                }
                Some(Entity::Aggregate(index))
                    if !self.aggregates[index as usize].dimensions.is_empty() =>
                {
                    Address::Aggregate(index)
                }
                None if name == "NULL" => Address::Null,
                _ => Address::Unknown,
            },
            ExprKind::Address(place) => self.address_of(place),
            _ => Address::Unknown,
        }
    }

    fn address_of(&mut self, place: &Expr) -> Address {
        let mut node = place;
        loop {
            match &node.kind {
                ExprKind::Index(base, index) => {
                    if !matches!(index.kind, ExprKind::Number(0, _)) {
                        return Address::Unknown;
                    }
                    node = base;
                }
                ExprKind::Member(base, _) => node = base,
                ExprKind::Indirect(base) => node = base,
                ExprKind::Name(name) => match self.names.find(name) {
                    Some(Entity::Variable { .. } | Entity::Aggregate(_) | Entity::Pointer(_)) => {
                        break;
                    }
                    _ => return Address::Unknown,
                },
                _ => return Address::Unknown,
            }
        }
        let plain = matches!(place.kind, ExprKind::Name(_));
        match self.path(place) {
            Path::Variable { id, indices, .. } => {
                let variable = self.program.variable(id);
                // `&a[0]` is an `int *`; `&a` of an array is not.
                match (variable.dimensions.len(), indices.len()) {
                    (0, 0) | (1, 1) => Address::Variable(id),
                    _ => Address::Unknown,
                }
            }
            Path::Struct { .. } if plain => match &place.kind {
                ExprKind::Name(name) => match self.names.find(name) {
                    Some(Entity::Aggregate(index))
                        if self.aggregates[index as usize].dimensions.is_empty() =>
                    {
                        Address::Aggregate(index)
                    }
                    _ => Address::Unknown,
                },
                _ => Address::Unknown,
            },
            Path::Struct { type_id, leaves, dimensions, indices, .. }
                if indices.is_empty() && dimensions.is_empty() =>
            {
                // A struct inside a struct, or one that a pointer holds.
                let index = self.aggregates.iter().position(|a| {
                    a.type_id == type_id && a.leaves == leaves && a.dimensions.is_empty()
                });
                let index = index.unwrap_or_else(|| {
                    self.aggregates.push(Aggregate {
                        type_id,
                        dimensions,
                        leaves,
                        constant: false,
                    });
                    self.aggregates.len() - 1
                });
                Address::Aggregate(index as u32)
            }
            _ => Address::Unknown,
        }
    }

    /// What a pointer of this type holds after it gets `address`. It is `Unknown` if the types
    /// differ: reads through a pointer of another type are not modelled.
    pub(super) fn fitting(
        &mut self,
        address: Address,
        type_name: TypeName,
        pointers: u32,
    ) -> Address {
        if pointers > 1 && address != Address::Null {
            return Address::Unknown;
        }
        match (address, type_name) {
            (Address::Variable(_) | Address::Aggregate(_), TypeName::Void) => address,
            (Address::Variable(id), type_name) => {
                let same = |scalar: Scalar| scalar == self.program.variable(id).scalar;
                if self.scalar(type_name).is_some_and(same) { address } else { Address::Unknown }
            }
            (Address::Aggregate(index), TypeName::Struct(id)) if self.same_struct(index, id) => {
                address
            }
            (Address::Aggregate(_), _) => Address::Unknown,
            (other, _) => other,
        }
    }

    /// Is a pointer of this type to what the expression's address leads to one to the same type?
    pub(super) fn keeps_the_type(&mut self, e: &Expr, type_name: TypeName, pointers: u32) -> bool {
        if pointers != 1 || type_name == TypeName::Void {
            return false;
        }
        let address = match &e.kind {
            ExprKind::Name(name) => match self.names.find(name) {
                Some(Entity::Pointer(address)) => address,
                _ => return false,
            },
            _ => return false,
        };
        let is_known = matches!(address, Address::Variable(_) | Address::Aggregate(_));
        is_known && self.fitting(address, type_name, pointers) == address
    }

    fn same_struct(&self, aggregate: u32, id: StructId) -> bool {
        self.aggregates[aggregate as usize].type_id == id
    }

    /// Reports that this use of a pointer is not modelled.
    pub(super) fn refuse_pointer(&mut self, span: Span, why: &str) {
        let hint = format!("{why}; only the address of a named variable can be passed or kept");
        self.diagnostics.error(span, are("pointers").of_memory(), hint);
    }
}
