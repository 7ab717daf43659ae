//! From the text of a place to a variable with indices, or a struct. The way can lead through
//! members and through pointers that hold one address.

use super::address::Address;
use super::elaborator::Elaborator;
use super::names::Entity;
use super::structs::Member;
use super::target::{Index, Path};
use crate::lang::lowering::suggestion::suggestion;
use crate::lang::message::{Message, at_line};
use crate::lang::model::{Span, VariableId};
use crate::lang::syntax::{Expr, ExprKind, Name, StructId, TypeName};

/// One step from a name to a place.
enum Step<'e> {
    Index(&'e Expr),
    Member(&'e Name),
    Indirect,
}

impl Elaborator<'_> {
    /// Follows a place's names; evaluates nothing.
    #[inline(never)]
    pub(super) fn path<'e>(&mut self, e: &'e Expr) -> Path<'e> {
        let mut steps = Vec::new();
        let mut node = e;
        loop {
            match &node.kind {
                ExprKind::Index(base, index) => {
                    steps.push(Step::Index(index));
                    node = base;
                }
                ExprKind::Member(base, name) => {
                    steps.push(Step::Member(name));
                    node = base;
                }
                ExprKind::Indirect(base) => {
                    steps.push(Step::Indirect);
                    node = base;
                }
                ExprKind::Address(base) if matches!(steps.last(), Some(Step::Indirect)) => {
                    steps.pop();
                    node = base;
                }
                // `*(int *)p`, where `p` holds the address of an `int`.
                ExprKind::PointerCast(to, base)
                    if matches!(steps.last(), Some(Step::Indirect))
                        && !to.other
                        && self.keeps_the_type(base, to.type_name, to.pointers) =>
                {
                    node = base;
                }
                ExprKind::PointerCast(..) if matches!(steps.last(), Some(Step::Indirect)) => {
                    self.refuse_pointer(node.span, "a pointer's type is changed here");
                    return Path::Poisoned;
                }
                _ => break,
            }
        }
        steps.reverse();
        let ExprKind::Name(name) = &node.kind else {
            self.no_place(node, steps.first());
            return Path::Poisoned;
        };
        let entity = match self.names.find(name) {
            Some(entity) => entity,
            None => {
                self.unknown_name(name, node.span);
                return Path::Poisoned;
            }
        };
        self.walk(entity, name, &steps, e.span)
    }

    fn no_place(&mut self, node: &Expr, first: Option<&Step<'_>>) {
        let (what, hint) = match (&node.kind, first) {
            (ExprKind::Poisoned, _) => return,
            (_, Some(Step::Indirect)) | (ExprKind::Indirect(_), _) => {
                return self.refuse_pointer(node.span, "this pointer may hold several addresses");
            }
            (_, Some(Step::Index(_))) => {
                ("this is not an array", "only a named array has elements")
            }
            (_, Some(Step::Member(_))) => {
                ("this is not a struct that has a name", "store it in a variable first")
            }
            _ => ("this cannot be assigned", "assign to a variable or an array element"),
        };
        self.diagnostics.error(node.span, what, hint);
    }

    fn walk<'e>(&mut self, entity: Entity, name: &str, steps: &[Step<'e>], span: Span) -> Path<'e> {
        match entity {
            Entity::Poisoned => Path::Poisoned,
            Entity::Constant(_) => {
                self.diagnostics.error(
                    span,
                    format!("`{name}` is a constant of an enumeration"),
                    "use a variable",
                );
                Path::Poisoned
            }
            Entity::Handle(_) => {
                let message = Message::from(at_line(&format!("`{name}` is no integer")));
                self.diagnostics.error(
                    span,
                    message,
                    "threads and mutexes are used by the procedures of `pthread.h` only",
                );
                Path::Poisoned
            }
            Entity::Variable { id, .. } => self.walk_variable(id, name.to_string(), steps, span),
            Entity::Aggregate(index) => {
                let aggregate = self.aggregates[index as usize].clone();
                self.walk_struct(
                    aggregate.type_id,
                    aggregate.leaves,
                    aggregate.dimensions,
                    name.to_string(),
                    steps,
                    span,
                )
            }
            Entity::Pointer(address) => self.walk_pointer(address, name, steps, span),
        }
    }

    fn walk_pointer<'e>(
        &mut self,
        address: Address,
        name: &str,
        steps: &[Step<'e>],
        span: Span,
    ) -> Path<'e> {
        let Some(first) = steps.first() else {
            self.refuse_pointer(span, &format!("`{name}` is a pointer"));
            return Path::Poisoned;
        };
        match (address, first) {
            (Address::Variable(id), Step::Indirect | Step::Index(_)) => {
                let target = self.program.variable(id).name.clone();
                match (self.program.variable(id).is_array(), first) {
                    (true, Step::Index(_)) => self.walk_variable(id, target, steps, span),
                    (true, _) => {
                        let mut path = self.walk_variable(id, target, &steps[1..], span);
                        if let Path::Variable { indices, .. } = &mut path {
                            indices.insert(0, Index::Zero);
                        }
                        path
                    }
                    (false, Step::Index(e)) if !self.is_zero(e) => {
                        self.refuse_pointer(
                            e.span,
                            &format!("`{name}` points to one variable, which is no array"),
                        );
                        Path::Poisoned
                    }
                    (false, _) => self.walk_variable(id, target, &steps[1..], span),
                }
            }
            (Address::Aggregate(index), Step::Indirect) => {
                self.walk(Entity::Aggregate(index), name, &steps[1..], span)
            }
            (Address::Aggregate(index), Step::Index(_))
                if !self.aggregates[index as usize].dimensions.is_empty() =>
            {
                self.walk(Entity::Aggregate(index), name, steps, span)
            }
            (Address::Null, _) => {
                self.refuse_pointer(span, &format!("`{name}` is a null pointer here"));
                Path::Poisoned
            }
            _ => {
                self.refuse_pointer(span, &format!("it is not known where `{name}` points"));
                Path::Poisoned
            }
        }
    }

    fn is_zero(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Number(0, _))
    }

    fn walk_variable<'e>(
        &mut self,
        id: VariableId,
        name: String,
        steps: &[Step<'e>],
        span: Span,
    ) -> Path<'e> {
        let mut indices = Vec::new();
        for step in steps {
            match step {
                Step::Index(e) => indices.push(Index::Given(e)),
                Step::Indirect if indices.len() < self.program.variable(id).dimensions.len() => {
                    indices.push(Index::Zero)
                }
                Step::Indirect => {
                    self.refuse_pointer(span, &format!("`{name}` is no pointer"));
                    return Path::Poisoned;
                }
                Step::Member(member) => {
                    self.diagnostics.error(
                        member.span,
                        format!("`{name}` is not a struct"),
                        "only structs have members",
                    );
                    return Path::Poisoned;
                }
            }
        }
        Path::Variable { id, name, indices }
    }

    fn walk_struct<'e>(
        &mut self,
        type_id: StructId,
        leaves: Vec<VariableId>,
        dimensions: Vec<u32>,
        name: String,
        steps: &[Step<'e>],
        span: Span,
    ) -> Path<'e> {
        let mut current = Path::Struct { type_id, leaves, dimensions, name, indices: Vec::new() };
        // Number of extents of the current member that have no index yet.
        let mut open = match &current {
            Path::Struct { dimensions, .. } => dimensions.len(),
            _ => 0,
        };
        for step in steps {
            let Path::Struct { type_id, leaves, dimensions, name, mut indices } = current else {
                let Path::Variable { id, name, mut indices } = current else {
                    return Path::Poisoned;
                };
                match step {
                    Step::Index(e) => indices.push(Index::Given(e)),
                    Step::Indirect
                        if indices.len() < self.program.variable(id).dimensions.len() =>
                    {
                        indices.push(Index::Zero)
                    }
                    _ => {
                        self.diagnostics.error(
                            span,
                            format!("`{name}` is not a struct"),
                            "only structs have members",
                        );
                        return Path::Poisoned;
                    }
                }
                current = Path::Variable { id, name, indices };
                continue;
            };
            match step {
                Step::Index(_) | Step::Indirect if open > 0 => {
                    indices.push(if let Step::Index(e) = step {
                        Index::Given(e)
                    } else {
                        Index::Zero
                    });
                    open -= 1;
                    current = Path::Struct { type_id, leaves, dimensions, name, indices };
                }
                Step::Member(member) if open == 0 => {
                    let Some(found) = self.member(type_id, member, span) else {
                        return Path::Poisoned;
                    };
                    let name = format!("{name}.{}", member.text);
                    let leaves = leaves[found.first..found.first + found.leaves].to_vec();
                    open = found.dimensions.len();
                    current = match found.type_name {
                        TypeName::Struct(inner) => {
                            let dimensions =
                                dimensions.iter().chain(&found.dimensions).copied().collect();
                            Path::Struct { type_id: inner, leaves, dimensions, name, indices }
                        }
                        _ => Path::Variable { id: leaves[0], name, indices },
                    };
                }
                _ => {
                    let message =
                        Message::from(at_line(&format!("`{name}` cannot be used like this")));
                    self.diagnostics.error(
                        span,
                        message,
                        "index arrays, and name members of structs",
                    );
                    return Path::Poisoned;
                }
            }
        }
        current
    }

    /// The member of a struct with this name; `None` if that was reported.
    fn member(&mut self, type_id: StructId, name: &Name, span: Span) -> Option<Member> {
        let layout = self.layout(type_id, span)?;
        let found = layout.members.iter().find(|m| m.name == name.text).cloned();
        if found.is_none() {
            let known = layout.members.iter().map(|m| m.name.as_str());
            let hint = suggestion(&name.text, known)
                .unwrap_or_else(|| "name one of the struct".to_string());
            self.diagnostics.error(name.span, format!("there is no member `{}`", name.text), hint);
        }
        found
    }
}
