//! Variables of C's struct types.

use super::constants::MOST_DIMENSIONS;
use super::elaborator::Elaborator;
use super::initializers::Entry;
use super::names::Entity;
use super::structs::{Aggregate, StructPlace, index_constant};
use crate::lang::message::{Message, at_line};
use crate::lang::model::{
    Expression, Initial, Operation, Place, Span, StatementKind, VariableId, VariableKind,
};
use crate::lang::syntax::{Declaration, Declarator, Expr, Initializer, StructId, TypeName};

impl Elaborator<'_> {
    /// Variables for a struct, or for an array of structs; `None` if that was reported.
    pub(super) fn new_aggregate(
        &mut self,
        name: &str,
        type_id: StructId,
        dimensions: Vec<u32>,
        kind: VariableKind,
        constant: bool,
        span: Span,
    ) -> Option<u32> {
        let layout = self.layout(type_id, span)?;
        let size = |extents: &[u32]| {
            extents.iter().fold(1, |size: u64, extent| size.saturating_mul(u64::from(*extent)))
        };
        let elements = size(&dimensions);
        let mut leaves = Vec::with_capacity(layout.leaves.len());
        for leaf in &layout.leaves {
            let extents: Vec<u32> = dimensions.iter().chain(&leaf.dimensions).copied().collect();
            if extents.len() > MOST_DIMENSIONS || size(&extents) > 4096 || elements > 4096 {
                let message = Message::from(at_line(&format!(
                    "`{name}.{}` has more than {MOST_DIMENSIONS} dimensions or 4096 elements",
                    leaf.path
                )));
                self.diagnostics.error(span, message, "use fewer or smaller arrays");
                return None;
            }
            let member = format!("{name}.{}", leaf.path);
            let id = self.new_variable(&member, leaf.scalar, extents, kind, span);
            if !dimensions.is_empty() {
                self.program.members.insert(id, name.len() as u32);
            }
            if let Some(room) = leaf.room {
                self.program.memory.pointers.insert(id, room);
            }
            if leaf.atomic {
                self.threads.atomics.insert(id);
            }
            leaves.push(id);
        }
        let index = self.aggregates.len() as u32;
        self.aggregates.push(Aggregate { type_id, dimensions, leaves, constant });
        Some(index)
    }

    /// Declares a struct that lives during the whole run, with the values of its leaves at the
    /// start.
    pub(super) fn static_aggregate(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        type_id: StructId,
        zero: bool,
    ) -> Entity {
        let structure = TypeName::Struct(type_id);
        let Some(dimensions) = self.dimensions(declarator, structure) else {
            return Entity::Poisoned;
        };
        let name = &declarator.name;
        let Some(index) = self.new_aggregate(
            &name.text,
            type_id,
            dimensions,
            VariableKind::Global,
            declaration.constant,
            name.span,
        ) else {
            return Entity::Poisoned;
        };
        let leaves = self.aggregates[index as usize].leaves.clone();
        let mut values: Vec<Initial> = Vec::new();
        for leaf in &leaves {
            let elements = self.program.variable(*leaf).elements() as usize;
            let start = if zero || declarator.initializer.is_some() {
                Initial::Exactly(vec![0; elements])
            } else {
                Initial::Any
            };
            values.push(start);
        }
        if let Some(initializer) = &declarator.initializer {
            let dimensions = self.aggregates[index as usize].dimensions.clone();
            for Entry { leaf, element, value, structure } in
                self.spread(initializer, TypeName::Struct(type_id), &dimensions)
            {
                if structure.is_some() {
                    let message = "the value of a static struct is no constant";
                    self.diagnostics.error(value.span, message, "write its values as a list");
                    continue;
                }
                let scalar = self.program.variable(leaves[leaf]).scalar;
                match (self.initial_value(value, scalar), &mut values[leaf]) {
                    (Some(bits), Initial::Exactly(list)) => list[element] = bits,
                    (None, value) => *value = Initial::Any,
                    _ => {}
                }
            }
        }
        for (leaf, value) in leaves.iter().zip(values) {
            self.program.variables[*leaf].initial = value;
        }
        Entity::Aggregate(index)
    }

    /// Declares a struct of a procedure. If it has an initialiser, one edge writes all of its
    /// leaves.
    pub(super) fn local_aggregate(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        type_id: StructId,
        kind: VariableKind,
    ) -> Entity {
        let structure = TypeName::Struct(type_id);
        let Some(dimensions) = self.dimensions(declarator, structure) else {
            return Entity::Poisoned;
        };
        let name = &declarator.name;
        let Some(index) = self.new_aggregate(
            &name.text,
            type_id,
            dimensions,
            kind,
            declaration.constant,
            name.span,
        ) else {
            return Entity::Poisoned;
        };
        let leaves = self.aggregates[index as usize].leaves.clone();
        leaves.iter().for_each(|leaf| self.begins_with_declaration(*leaf));
        match &declarator.initializer {
            None => {
                if self.current.loops > 0 || self.current.has_goto || kind == VariableKind::Global {
                    let looks = self.looks(StatementKind::Hidden, declarator.span);
                    self.emit(Operation::Havoc(leaves), looks);
                }
            }
            Some(Initializer::Value(e)) => {
                let to = StructPlace { type_id, leaves, index: None };
                match self.aggregates[index as usize].dimensions.is_empty() {
                    true => self.copy_struct(&to, e, declarator.span),
                    false => self.diagnostics.error(e.span, "an array takes a list", "write `{…}`"),
                }
            }
            Some(list) => self.initialize_aggregate(index, list, declarator.span),
        }
        Entity::Aggregate(index)
    }

    /// Writes all leaves by one edge. Scalars that the list leaves out are zero, as in C.
    fn initialize_aggregate(&mut self, index: u32, list: &Initializer, span: Span) {
        let Aggregate { type_id, dimensions, leaves, .. } = self.aggregates[index as usize].clone();
        let entries = self.spread(list, TypeName::Struct(type_id), &dimensions);
        let zeros = |leaf: &VariableId| {
            let variable = self.program.variable(*leaf);
            vec![Expression::Constant(0, variable.scalar); variable.elements() as usize]
        };
        let mut values: Vec<Vec<Expression>> = leaves.iter().map(zeros).collect();
        let given: Vec<&Expr> =
            entries.iter().filter(|e| e.structure.is_none()).map(|entry| entry.value).collect();
        let mut scalars = self.expressions(&given).into_iter();
        for entry in &entries {
            if entry.structure.is_some() {
                let Some(parts) = self.struct_in_list(entry.value) else { return };
                for (part, leaf) in parts.into_iter().zip(&mut values[entry.leaf..]) {
                    let first = entry.element * part.len();
                    for (value, place) in part.into_iter().zip(&mut leaf[first..]) {
                        *place = value;
                    }
                }
            } else if let Some(value) = scalars.next() {
                let scalar = self.program.variable(leaves[entry.leaf]).scalar;
                let value = self.convert(value, scalar, entry.value.span);
                values[entry.leaf][entry.element] = value;
            }
        }
        let mut stores = Vec::new();
        for (leaf, list) in leaves.iter().zip(values) {
            for (element, value) in list.into_iter().enumerate() {
                stores.push((self.element_place(*leaf, element), value));
            }
        }
        let looks = self.looks(StatementKind::Assignment, span);
        self.emit(Operation::Assign(stores), looks);
    }

    /// The n-th scalar of a variable.
    fn element_place(&self, leaf: VariableId, element: usize) -> Place {
        let variable = self.program.variable(leaf);
        match variable.is_array() {
            true => Place::Element(leaf, index_constant(element, variable.elements())),
            false => Place::Variable(leaf),
        }
    }
}
