//! Constants, enumerations, structs and variables. Structs are flattened: `p.x` is a variable of
//! its own, `ps[i].x` an element of one.

use super::entity::{Declared, Entity};
use super::lowering::Lowering;
use super::syntax::*;
use super::value::Value;
use crate::lang::lowering::builder::MOST_VARIABLES;
use crate::lang::lowering::expressions::{and, balanced, binary};
use crate::lang::model::{BinaryOperator, Expression, Operation, Scalar, Span, VariableKind};
use crate::lang::syntax::Name;

/// Most elements of one array.
const MOST_ELEMENTS: i128 = 4096;
/// Widest integer.
const MOST_BITS: i128 = 32;
/// Deepest nesting of structs.
const MOST_STRUCTS: u32 = 16;

impl<'a> Lowering<'a> {
    /// Reads all `define`s, in order. `DEFAULT_INT_BITS` becomes the width of `int` unless the user
    /// requested another width.
    pub(super) fn constants(&mut self, items: &'a [Item], bits_said: bool) {
        for item in items {
            let Item::Define(name, e) = item else { continue };
            let Some(value) = self.constant(e, "a constant") else {
                self.globals.insert(name.text.clone(), Entity::Poisoned);
                continue;
            };
            if name.text == "DEFAULT_INT_BITS" && !bits_said {
                if (1..=MOST_BITS).contains(&value) {
                    self.options.bits = value as u32;
                } else {
                    let message =
                        format!("DEFAULT_INT_BITS = {value}: int can be 1 to 32 bits wide");
                    self.builder.diagnostics.error(
                        name.span,
                        message,
                        "choose a width from 1 to 32",
                    );
                }
            }
            self.bind(name, Entity::Constant(value), VariableKind::Global);
        }
        self.builder.program.int_width = self.options.bits.clamp(1, 32) as u8;
        // Conditions of the user may name the constants.
        let constants: Vec<(String, i128)> = self
            .globals
            .iter()
            .filter_map(|(name, entity)| match entity {
                Entity::Constant(n) => Some((name.clone(), *n)),
                _ => None,
            })
            .collect();
        let wide = Scalar::int(64, true);
        for (name, n) in constants {
            self.builder.program.constants.insert(name, (wide.wrap(n), wide));
        }
    }

    pub(super) fn enumeration(&mut self, enumeration: &'a Enumeration) {
        let wide = Scalar::int(64, true);
        for (k, member) in enumeration.members.iter().enumerate() {
            self.bind(member, Entity::Constant(k as i128), VariableKind::Global);
            self.builder.program.constants.insert(member.text.clone(), (k as u64, wide));
        }
        let Some(name) = &enumeration.name else { return };
        if enumeration.members.is_empty() {
            self.builder.diagnostics.error(
                name.span,
                "an enumeration without members",
                "write `enum e { a, b };`",
            );
        }
        if self.enums.insert(&name.text, enumeration.members.len() as u32).is_some() {
            let message = format!("enumeration `{}` is already declared", name.text);
            self.builder.diagnostics.error(name.span, message, "rename one of them");
        }
    }

    pub(super) fn structure(&mut self, structure: &'a Structure) {
        if self.structs.insert(&structure.name.text, structure).is_some() {
            let message = format!("struct `{}` is already declared", structure.name.text);
            self.builder.diagnostics.error(structure.name.span, message, "rename one of them");
        }
    }

    /// The type of a scalar. `None`, which is reported, for structs and wrong types.
    pub(super) fn scalar(
        &mut self,
        type_name: &TypeName,
        width: Option<&'a Expr>,
        span: Span,
    ) -> Option<Scalar> {
        let bits = match width {
            None => None,
            Some(e) => {
                let bits = self.constant(e, "a width")?;
                if !(1..=MOST_BITS).contains(&bits) {
                    let message = format!("an integer of {bits} bits");
                    self.builder.diagnostics.error(
                        e.span,
                        message,
                        "integers can be 1 to 32 bits wide",
                    );
                    return None;
                }
                Some(bits as u8)
            }
        };
        match type_name {
            TypeName::Int { signed } => {
                Some(Scalar::int(bits.unwrap_or(self.builder.program.int_width), *signed))
            }
            _ if bits.is_some() => {
                self.builder.diagnostics.error(span, "only integers have a width", "leave it out");
                None
            }
            TypeName::Bool => Some(Scalar::BOOL),
            TypeName::Enum(name) => match self.enums.get(name.text.as_str()) {
                Some(members) => Some(Scalar::int(
                    (32 - members.saturating_sub(1).leading_zeros()).max(1) as u8,
                    false,
                )),
                None => {
                    let message = format!("unknown enumeration `{}`", name.text);
                    self.builder.diagnostics.error(
                        name.span,
                        message,
                        format!("declare it: `enum {} {{ a, b }};`", name.text),
                    );
                    None
                }
            },
            TypeName::Struct(name) => {
                let message = format!("struct `{}` where a single value is needed", name.text);
                self.builder.diagnostics.error(name.span, message, "use one of its fields");
                None
            }
        }
    }

    pub(super) fn declare(
        &mut self,
        declaration: &'a Declaration,
        kind: VariableKind,
    ) -> Vec<Declared> {
        declaration
            .declarators
            .iter()
            .flat_map(|d| self.declare_one(&declaration.type_name, d, kind))
            .collect()
    }

    pub(super) fn declare_one(
        &mut self,
        type_name: &TypeName,
        declarator: &'a Declarator,
        kind: VariableKind,
    ) -> Vec<Declared> {
        let mut made = Vec::new();
        let path = Path {
            name: declarator.name.clone(),
            shape: declarator.name.text.clone(),
            dimensions: Vec::new(),
        };
        self.flatten(path, type_name, declarator, kind, 0, &mut made);
        made
    }

    fn flatten(
        &mut self,
        mut path: Path,
        type_name: &TypeName,
        declarator: &'a Declarator,
        kind: VariableKind,
        depth: u32,
        made: &mut Vec<Declared>,
    ) {
        if !self.spend(path.name.span) {
            return;
        }
        for dimension in &declarator.dimensions {
            let Some(extent) = self.extent(dimension, &path.name) else {
                self.bind(&path.name, Entity::Poisoned, kind);
                return;
            };
            path.dimensions.push(extent);
            path.shape += "[]";
        }
        let elements = path.dimensions.iter().map(|d| i128::from(d.1)).product::<i128>();
        if path.dimensions.len() > 2 || elements > MOST_ELEMENTS {
            let hint =
                format!("arrays have one or two dimensions and at most {MOST_ELEMENTS} elements");
            self.builder.diagnostics.error(
                declarator.name.span,
                format!("array `{}` is too large", path.name.text),
                hint,
            );
            self.bind(&path.name, Entity::Poisoned, kind);
            return;
        }
        if let TypeName::Struct(name) = type_name {
            return self.flatten_struct(path, name, kind, depth, made);
        }
        let Some(scalar) = self.scalar(type_name, declarator.width.as_ref(), declarator.name.span)
        else {
            self.bind(&path.name, Entity::Poisoned, kind);
            return;
        };
        let members = match type_name {
            TypeName::Enum(name) => self.enums.get(name.text.as_str()).copied(),
            _ => None,
        };
        let count =
            if kind == VariableKind::Global { self.globals.len() } else { self.locals.len() };
        if count >= MOST_VARIABLES {
            if count == MOST_VARIABLES {
                let message = format!("more than {MOST_VARIABLES} variables");
                self.builder.diagnostics.error(declarator.name.span, message, "use arrays");
            }
            self.bind(&path.name, Entity::Poisoned, kind);
            return;
        }
        let id = self.builder.variable(
            &path.name,
            scalar,
            path.dimensions.iter().map(|d| d.1).collect(),
            kind,
        );
        let declared =
            Declared { id, scalar, dimensions: path.dimensions, members, shape: path.shape };
        self.bind(&path.name, Entity::Variable(declared.clone()), kind);
        made.push(declared);
    }

    /// Flattens the fields of the struct `name`.
    fn flatten_struct(
        &mut self,
        path: Path,
        name: &Name,
        kind: VariableKind,
        depth: u32,
        made: &mut Vec<Declared>,
    ) {
        let Some(structure) =
            self.structs.get(name.text.as_str()).copied().filter(|_| depth < MOST_STRUCTS)
        else {
            let message = if depth < MOST_STRUCTS { "unknown struct" } else { "too deep a struct" };
            let hint = format!("declare it before: `struct {} {{ … }};`", name.text);
            self.builder.diagnostics.error(name.span, format!("{message} `{}`", name.text), hint);
            self.bind(&path.name, Entity::Poisoned, kind);
            return;
        };
        self.bind(&path.name, Entity::Struct(structure), kind);
        for field in &structure.fields {
            for own in &field.declarators {
                let inner = Path {
                    name: Name {
                        text: format!("{}.{}", path.name.text, own.name.text),
                        span: path.name.span,
                    },
                    shape: format!("{}.{}", path.shape, own.name.text),
                    dimensions: path.dimensions.clone(),
                };
                self.flatten(inner, &field.type_name, own, kind, depth + 1, made);
                if made.len() > MOST_VARIABLES {
                    return;
                }
            }
        }
    }

    /// First index and number of elements.
    fn extent(&mut self, dimension: &'a Dimension, name: &Name) -> Option<(i128, u32)> {
        let high = self.constant(&dimension.high, "an array's size")?;
        let (low, size) = match &dimension.low {
            None => (0, high),
            Some(low) => {
                let low = self.constant(low, "an array's first index")?;
                (low, high - low + 1)
            }
        };
        if !(1..=MOST_ELEMENTS).contains(&size) {
            let message = format!("array `{}` cannot have {size} elements", name.text);
            self.builder.diagnostics.error(
                dimension.high.span,
                message,
                format!("1 to {MOST_ELEMENTS} can be modelled"),
            );
            return None;
        }
        Some((low, size as u32))
    }

    fn bind(&mut self, name: &Name, entity: Entity<'a>, kind: VariableKind) {
        let names = if kind == VariableKind::Global { &mut self.globals } else { &mut self.locals };
        if names.insert(name.text.clone(), entity).is_some() {
            self.builder.diagnostics.error(
                name.span,
                format!("`{}` is already declared", name.text),
                "rename one of them",
            );
        }
    }

    /// The value of an expression that must be constant.
    pub(super) fn constant(&mut self, e: &'a Expr, what: &str) -> Option<i128> {
        match self.expression(e) {
            Value::Number(n) => Some(n),
            Value::Poisoned => None,
            _ => {
                self.builder.pending = Default::default();
                self.builder.diagnostics.error(
                    e.span,
                    format!("{what} must be constant"),
                    "write a number",
                );
                None
            }
        }
    }

    /// Assumes that variables of enumerations start with a member.
    pub(super) fn members(&mut self, variables: &[Declared], span: Span) {
        let conditions = variables.iter().map(|declared| self.is_member(declared)).collect();
        let condition = balanced(conditions, and).unwrap_or_else(Expression::truth);
        if condition != Expression::truth() {
            self.builder.hidden(span, Operation::Assume(condition));
        }
    }

    /// The condition that the variable, with all its elements, has values of its enumeration.
    pub(super) fn is_member(&self, declared: &Declared) -> Expression {
        let Some(members) = declared.members.filter(|n| declared.scalar.holds(i128::from(*n)))
        else {
            return Expression::truth();
        };
        let limit = Expression::Constant(u64::from(members), declared.scalar);
        let elements: u32 = declared.dimensions.iter().map(|d| d.1).product();
        let wide = Scalar::int(13, false);
        let value = |k: u32| match declared.dimensions[..] {
            [] => Expression::Variable(declared.id, declared.scalar),
            _ => Expression::Element(
                declared.id,
                Box::new(Expression::Constant(u64::from(k), wide)),
                declared.scalar,
            ),
        };
        let parts =
            (0..elements).map(|k| binary(BinaryOperator::Less, value(k), limit.clone())).collect();
        balanced(parts, and).unwrap_or_else(Expression::truth)
    }
}

/// A variable during the flattening of structs.
struct Path {
    name: Name,
    shape: String,
    dimensions: Vec<(i128, u32)>,
}
