//! C's plain structs, flattened: one variable for each scalar or array in them.

use super::Elaborator;
use super::names::Entity;
use super::value::Value;
use crate::lang::model::{
    Expression, Initial, Operation, Place, Scalar, Span, StatementKind, VariableId, VariableKind,
};
use crate::lang::syntax::{Declaration, Declarator, Expr, Handle, Initializer, StructId, TypeName};

/// Most scalars and arrays in one struct.
const MOST_LEAVES: usize = 512;
/// Most elements that one assignment of structs copies.
const MOST_COPIES: usize = 4096;

/// A scalar or an array in a struct.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// From the struct on: `x.y`.
    pub(super) path: String,
    pub(super) scalar: Scalar,
    pub(super) dimensions: Vec<u32>,
}

/// A member with its type, its extents, and the leaves that it covers.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) type_name: TypeName,
    pub(super) dimensions: Vec<u32>,
    pub(super) first: usize,
    pub(super) leaves: usize,
}

/// A struct's members and leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) members: Vec<Member>,
    pub(super) leaves: Vec<Leaf>,
}

/// A variable of a struct's type, or an array of such.
#[derive(Clone, Debug)]
pub(super) struct Aggregate {
    pub(super) type_id: StructId,
    pub(super) dimensions: Vec<u32>,
    pub(super) leaves: Vec<VariableId>,
    pub(super) constant: bool,
}

/// A struct inside an aggregate, its indices evaluated (flattened; `None` if there are none).
#[derive(Clone, Debug)]
pub(super) struct StructPlace {
    pub(super) type_id: StructId,
    pub(super) leaves: Vec<VariableId>,
    pub(super) index: Option<Expression>,
}

impl Elaborator<'_> {
    /// The layout of a struct; `None` if it cannot be modelled, which is reported at `span`.
    pub(super) fn layout(&mut self, id: StructId, span: Span) -> Option<Layout> {
        self.layout_within(id, span, 0)
    }

    fn layout_within(&mut self, id: StructId, span: Span, depth: u32) -> Option<Layout> {
        if let Some(known) = self.layouts.get(&id) {
            return Some(known.clone());
        }
        let structure = self.structs.get(id.0 as usize).cloned()?;
        let Some(fields) = structure.fields else {
            if matches!(
                structure.tag.as_str(),
                "tm" | "timespec" | "timeval" | "stat" | "sigaction" | "rusage" | "dirent"
            ) {
                let message = format!(
                    "the library's struct `{}` is not modelled: line {}",
                    structure.tag, span.line
                );
                self.diagnostics.error(span, message, "declare a struct of your own");
                return None;
            }
            let message =
                format!("struct `{}` has no members here: line {}", structure.tag, span.line);
            self.diagnostics.error(span, message, "declare its members before it is used");
            return None;
        };
        if depth > 32 {
            self.diagnostics.error(span, "structs nest too deeply", "use fewer levels");
            return None;
        }
        let mut layout = Layout::default();
        for field in &fields {
            if field.pointers > 0 {
                self.diagnostics.error(
                    field.span,
                    format!("pointers in structs are not modelled: line {}", field.span.line),
                    "use an index into an array",
                );
                return None;
            }
            let mut dimensions = Vec::new();
            for extent in &field.dimensions {
                let size = match extent {
                    Some(e) => self.constant(e, "an array's size")?,
                    None => 0,
                };
                if !(1..=4096).contains(&size) {
                    let message =
                        format!("array `{}` cannot have {size} elements", field.name.text);
                    self.diagnostics.error(field.span, message, "1 to 4096 can be modelled");
                    return None;
                }
                dimensions.push(size as u32);
            }
            let first = layout.leaves.len();
            match field.type_name {
                TypeName::Struct(inner) => {
                    let inner = self.layout_within(inner, field.span, depth + 1)?;
                    for leaf in &inner.leaves {
                        let extents = dimensions.iter().chain(&leaf.dimensions).copied().collect();
                        let path = format!("{}.{}", field.name.text, leaf.path);
                        layout.leaves.push(Leaf { path, scalar: leaf.scalar, dimensions: extents });
                    }
                }
                TypeName::Handle(Handle::Mutex) => {
                    layout.leaves.push(Leaf {
                        path: field.name.text.clone(),
                        scalar: Scalar::BOOL,
                        dimensions: dimensions.clone(),
                    });
                }
                TypeName::Poisoned => return None,
                other => match self.scalar(other) {
                    Some(scalar) => layout.leaves.push(Leaf {
                        path: field.name.text.clone(),
                        scalar,
                        dimensions: dimensions.clone(),
                    }),
                    None => {
                        let message = format!(
                            "member `{}` has a type that is not modelled: line {}",
                            field.name.text, field.span.line
                        );
                        self.diagnostics.error(
                            field.span,
                            message,
                            "members are integers, arrays of them, and structs",
                        );
                        return None;
                    }
                },
            }
            if layout.leaves.len() > MOST_LEAVES {
                self.diagnostics.error(
                    field.span,
                    format!("more than {MOST_LEAVES} members in one struct"),
                    "use several structs",
                );
                return None;
            }
            let leaves = layout.leaves.len() - first;
            layout.members.push(Member {
                name: field.name.text.clone(),
                type_name: field.type_name,
                dimensions,
                first,
                leaves,
            });
        }
        self.layouts.insert(id, layout.clone());
        Some(layout)
    }

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
        let elements = dimensions.iter().map(|d| u64::from(*d)).product::<u64>();
        let mut leaves = Vec::with_capacity(layout.leaves.len());
        for leaf in &layout.leaves {
            let extents: Vec<u32> = dimensions.iter().chain(&leaf.dimensions).copied().collect();
            let size = extents.iter().map(|d| u64::from(*d)).product::<u64>();
            if extents.len() > 2 || size > 4096 || elements > 4096 {
                let message = format!(
                    "`{name}.{}` has more than two dimensions or 4096 elements: line {}",
                    leaf.path, span.line
                );
                self.diagnostics.error(span, message, "use fewer or smaller arrays");
                return None;
            }
            leaves.push(self.new_variable(
                &format!("{name}.{}", leaf.path),
                leaf.scalar,
                extents,
                kind,
                span,
            ));
        }
        let index = self.aggregates.len() as u32;
        self.aggregates.push(Aggregate { type_id, dimensions, leaves, constant });
        Some(index)
    }

    /// A struct of the whole run: its leaves' values at the start.
    pub(super) fn static_aggregate(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        type_id: StructId,
        zero: bool,
    ) -> Entity {
        let Some(dimensions) = self.dimensions(declarator) else { return Entity::Poisoned };
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
            let mut places = Vec::new();
            self.spread_aggregate(initializer, index, &mut places);
            for (leaf, element, e) in places {
                let scalar = self.program.variable(leaves[leaf]).scalar;
                match (self.initial_value(e, scalar), &mut values[leaf]) {
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

    /// A struct of a procedure: all of its leaves by one edge, if it has an initialiser.
    pub(super) fn local_aggregate(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        type_id: StructId,
        kind: VariableKind,
    ) -> Entity {
        let Some(dimensions) = self.dimensions(declarator) else { return Entity::Poisoned };
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
            Some(list) => {
                let mut places = Vec::new();
                self.spread_aggregate(list, index, &mut places);
                if let Some((_, _, e)) = places.iter().find(|(_, _, e)| self.effects(e).any()) {
                    self.diagnostics.error(
                        e.span,
                        "a list's values are plain expressions",
                        "call or assign before it, into a variable",
                    );
                    return Entity::Aggregate(index);
                }
                let mut values: Vec<Vec<Expression>> = leaves
                    .iter()
                    .map(|leaf| {
                        let variable = self.program.variable(*leaf);
                        vec![Expression::Constant(0, variable.scalar); variable.elements() as usize]
                    })
                    .collect();
                for (leaf, element, e) in places {
                    let scalar = self.program.variable(leaves[leaf]).scalar;
                    let value = self.expression(e);
                    values[leaf][element] = self.convert(value, scalar, e.span);
                }
                let mut stores = Vec::new();
                for (leaf, list) in leaves.iter().zip(values) {
                    for (element, value) in list.into_iter().enumerate() {
                        stores.push((self.element_place(*leaf, element), value));
                    }
                }
                let looks = self.looks(StatementKind::Assignment, declarator.span);
                self.emit(Operation::Assign(stores), looks);
            }
        }
        Entity::Aggregate(index)
    }

    /// The n-th scalar of a variable.
    fn element_place(&self, leaf: VariableId, element: usize) -> Place {
        let variable = self.program.variable(leaf);
        match variable.is_array() {
            true => Place::Element(leaf, index_constant(element, variable.elements())),
            false => Place::Variable(leaf),
        }
    }

    /// Which scalar each value of an aggregate's list goes to: leaf, element, value.
    fn spread_aggregate<'e>(
        &mut self,
        list: &'e Initializer,
        index: u32,
        into: &mut Vec<(usize, usize, &'e Expr)>,
    ) {
        let aggregate = self.aggregates[index as usize].clone();
        let elements = aggregate.dimensions.iter().product::<u32>() as usize;
        if aggregate.dimensions.is_empty() {
            self.spread_struct(list, aggregate.type_id, 0, 0, into);
            return;
        }
        let Initializer::List(items, span) = list else { return };
        if aggregate.dimensions.len() > 1 || items.len() > elements {
            self.diagnostics.error(
                *span,
                "this list does not fit the array",
                "one list for each struct of the array",
            );
            return;
        }
        let mut next = 0;
        for item in items {
            let item = match item {
                Initializer::At(e, inner) => {
                    next = self.constant(e, "a place in a list").unwrap_or(0).max(0) as usize;
                    inner
                }
                other => other,
            };
            if !matches!(item, Initializer::List(..)) || next >= elements {
                self.diagnostics.error(
                    *span,
                    "this list does not fit the array",
                    "one list for each struct of the array",
                );
                return;
            }
            self.spread_struct(item, aggregate.type_id, 0, next, into);
            next += 1;
        }
    }

    /// `{1, {2, 3}, .c = 4}` for a struct whose first leaf is `base`, and which is the `nth` of its
    /// array.
    fn spread_struct<'e>(
        &mut self,
        list: &'e Initializer,
        id: StructId,
        base: usize,
        nth: usize,
        into: &mut Vec<(usize, usize, &'e Expr)>,
    ) {
        let Initializer::List(items, span) = list else { return };
        let Some(layout) = self.layout(id, *span) else { return };
        let mut next = 0;
        for item in items {
            let item = match item {
                Initializer::Member(name, inner) => {
                    match layout.members.iter().position(|m| m.name == name.text) {
                        Some(position) => next = position,
                        None => {
                            self.diagnostics.error(
                                name.span,
                                format!("there is no member `{}`", name.text),
                                "name one of the struct",
                            );
                            return;
                        }
                    }
                    inner
                }
                other => other,
            };
            let Some(member) = layout.members.get(next) else {
                self.diagnostics.error(*span, "more values than members", "leave some out");
                return;
            };
            next += 1;
            let first = base + member.first;
            match (item, member.type_name) {
                (Initializer::List(..), TypeName::Struct(inner))
                    if member.dimensions.is_empty() =>
                {
                    self.spread_struct(item, inner, first, nth, into);
                }
                (Initializer::Value(e), type_name)
                    if member.dimensions.is_empty()
                        && !matches!(type_name, TypeName::Struct(_)) =>
                {
                    into.push((first, nth, e));
                }
                (Initializer::List(..), type_name) if !matches!(type_name, TypeName::Struct(_)) => {
                    let each = member.dimensions.iter().product::<u32>() as usize;
                    let places = self.spread(item, &member.dimensions);
                    into.extend(
                        places.into_iter().map(|(element, e)| (first, nth * each + element, e)),
                    );
                }
                _ => {
                    let message = format!("member `{}` takes another kind of value", member.name);
                    self.diagnostics.error(
                        *span,
                        message,
                        "one list for each struct and each array",
                    );
                    return;
                }
            }
        }
    }

    /// `to = e`, both structs of one type: every scalar at once.
    pub(super) fn copy_struct(&mut self, to: &StructPlace, e: &Expr, span: Span) {
        let Some(from) = self.struct_value(e) else { return };
        if from.type_id != to.type_id {
            self.diagnostics.error(
                span,
                "these are two different structs",
                "assign members one by one",
            );
            return;
        }
        let mut stores = Vec::new();
        for (target, source) in to.leaves.iter().zip(&from.leaves) {
            let scalar = self.program.variable(*target).scalar;
            let each = self.elements_each(*target, to.index.is_some());
            for element in 0..each {
                let value = match self.indexed(*source, from.index.as_ref(), element, each) {
                    Some(index) => Expression::Element(*source, Box::new(index), scalar),
                    None => Expression::Variable(*source, scalar),
                };
                let place = match self.indexed(*target, to.index.as_ref(), element, each) {
                    Some(index) => Place::Element(*target, index),
                    None => Place::Variable(*target),
                };
                stores.push((place, value));
            }
        }
        if stores.len() > MOST_COPIES {
            self.diagnostics.error(
                span,
                format!("this copies more than {MOST_COPIES} elements"),
                "copy what is needed",
            );
            return;
        }
        let looks = self.looks(StatementKind::Assignment, span);
        self.emit(Operation::Assign(stores), looks);
    }

    /// Elements of a leaf in one struct.
    fn elements_each(&self, leaf: VariableId, indexed: bool) -> usize {
        let variable = self.program.variable(leaf);
        match indexed {
            // The first extent is the array of structs.
            true => variable.dimensions.iter().skip(1).product::<u32>() as usize,
            false => variable.elements() as usize,
        }
    }

    /// The flattened index of an element of one struct's leaf; `None` for a plain scalar.
    fn indexed(
        &self,
        leaf: VariableId,
        index: Option<&Expression>,
        element: usize,
        each: usize,
    ) -> Option<Expression> {
        let variable = self.program.variable(leaf);
        if !variable.is_array() {
            return None;
        }
        let total = variable.elements();
        let Some(index) = index else { return Some(index_constant(element, total)) };
        let wide = Scalar::int((33 - total.leading_zeros()) as u8, false);
        let row = super::conversions::cast(index.clone(), wide);
        let scaled = super::conversions::binary(
            crate::lang::model::BinaryOperator::Multiply,
            row,
            Expression::Constant(each as u64, wide),
        );
        Some(match each {
            1 => super::conversions::cast(index.clone(), wide),
            _ => super::conversions::binary(
                crate::lang::model::BinaryOperator::Add,
                scaled,
                Expression::Constant(element as u64, wide),
            ),
        })
    }

    /// An expression that must be a struct; `None` if that was reported.
    fn struct_value(&mut self, e: &Expr) -> Option<StructPlace> {
        match self.place(e) {
            super::places::Target::Struct(place) => Some(place),
            super::places::Target::Poisoned => None,
            _ => {
                self.diagnostics.error(
                    e.span,
                    "this is not a struct",
                    "assign a struct of the same type",
                );
                None
            }
        }
    }

    /// The scalars of a struct that is passed by value, in the order of its leaves.
    pub(super) fn struct_argument(&mut self, e: &Expr, id: StructId) -> Option<Vec<Value>> {
        let place = self.struct_value(e)?;
        if place.type_id != id || place.index.is_some() {
            let message = format!("this struct cannot be passed: line {}", e.span.line);
            self.diagnostics.error(
                e.span,
                message,
                "copy it into a variable of the parameter's type first",
            );
            return None;
        }
        let mut values = Vec::new();
        for leaf in place.leaves {
            let variable = self.program.variable(leaf);
            if variable.is_array() {
                let message = format!("structs with arrays are not passed: line {}", e.span.line);
                self.diagnostics.error(e.span, message, "make it a global");
                return None;
            }
            values.push(Value::Typed(Expression::Variable(leaf, variable.scalar)));
        }
        Some(values)
    }

    /// Bytes of a scalar, as `sizeof` says.
    pub(super) fn bytes(&self, scalar: Scalar) -> u64 {
        u64::from(scalar.width).div_ceil(8)
    }
}

fn index_constant(element: usize, total: u32) -> Expression {
    let width = Scalar::int((32 - total.leading_zeros()).max(1) as u8, false);
    Expression::Constant(element as u64, width)
}
