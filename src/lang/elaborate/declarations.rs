//! Declarations: globals with their initial values, locals, constants of enumerations.

use super::graph::Looks;
use super::names::Entity;
use super::value::Value;
use super::{Elaborator, MOST_VARIABLES};
use crate::lang::model::{
    Expression, Initial, Operation, Place, ProcedureId, Scalar, Span, StatementKind, Variable, VariableId, VariableKind,
};
use crate::lang::options::Globals;
use crate::lang::syntax::{Declaration, Declarator, Enumerator, Expr, Initializer, Name, TypeName};

/// Most elements of one array.
const MOST_ELEMENTS: i128 = 4096;

impl Elaborator<'_> {
    /// Also registers it with the procedure under construction.
    pub(super) fn new_variable(&mut self, name: &str, scalar: Scalar, dimensions: Vec<u32>, kind: VariableKind, span: Span) -> VariableId {
        let id = VariableId(self.program.variables.len() as u32);
        let owner = (kind != VariableKind::Global).then_some(ProcedureId(self.current.id));
        let variable = Variable { name: name.to_string(), scalar, dimensions, kind, owner, span, initial: Initial::Any };
        self.program.variables.push(variable);
        if owner.is_some() && kind != VariableKind::Parameter {
            self.current.locals.push(id);
        }
        id
    }

    /// Takes back the temporary that was made last.
    pub(super) fn drop_last_temporary(&mut self) {
        if self.program.variables.last().is_some_and(|v| v.kind == VariableKind::Temporary) {
            self.program.variables.pop();
            self.current.locals.pop();
        }
    }

    /// Binds a name in the innermost scope; a second declaration there is reported.
    pub(super) fn bind(&mut self, name: &Name, entity: Entity) {
        if let Some(old) = self.names.bind(&name.text, entity) {
            let line = match old {
                Entity::Variable { id, .. } => format!(" in line {}", self.program.variable(id).span.line),
                _ => String::new(),
            };
            self.diagnostics.error(name.span, format!("`{}` is already declared{line}", name.text), "rename one of them");
        }
    }

    fn enumerators(&mut self, enumerators: &[Enumerator]) {
        let mut next = 0;
        for enumerator in enumerators {
            if let Some(value) = &enumerator.value {
                next = self.constant(value, "an enumeration's constant").unwrap_or(next);
            }
            let int = self.int();
            if !int.holds(next) {
                self.does_not_fit(next, int, enumerator.name.span);
            }
            self.program.constants.insert(enumerator.name.text.clone(), (int.wrap(next), int));
            self.bind(&enumerator.name, Entity::Constant(next));
            next += 1;
        }
    }

    /// The value of an expression that must be constant.
    pub(super) fn constant(&mut self, e: &Expr, what: &str) -> Option<i128> {
        if self.effects(e).any() {
            self.diagnostics.error(e.span, format!("{what} must be constant"), "write a number");
            return None;
        }
        let folding = std::mem::replace(&mut self.folding, true);
        let value = self.expression(e);
        self.folding = folding;
        let pending = std::mem::take(&mut self.pending);
        let number = match value {
            Value::Number(n, _) => Some(n),
            Value::Typed(Expression::Constant(bits, scalar)) => Some(scalar.number(bits)),
            Value::Poisoned => return None,
            _ => None,
        };
        if number.is_none() || !pending.checks.is_empty() {
            self.diagnostics.error(e.span, format!("{what} must be constant"), "write a number");
        }
        number
    }

    /// Sizes; a missing first one is taken from the initialiser. `None` if that was reported.
    fn dimensions(&mut self, declarator: &Declarator) -> Option<Vec<u32>> {
        let mut dimensions = Vec::new();
        if declarator.dimensions.len() > 2 {
            self.diagnostics.error(declarator.span, "arrays have one or two dimensions", "flatten it");
            return None;
        }
        for (i, dimension) in declarator.dimensions.iter().enumerate() {
            let (size, span) = match (dimension, &declarator.initializer) {
                (Some(e), _) => (self.constant(e, "an array's size")?, e.span),
                (None, Some(Initializer::List(list, span))) if i == 0 => (list.len() as i128, *span),
                _ => {
                    self.diagnostics.error(declarator.span, format!("array `{}` has no size", declarator.name.text), "write it: `a[4]`");
                    return None;
                }
            };
            if !(1..=MOST_ELEMENTS).contains(&size) {
                let message = format!("array `{}` cannot have {size} elements", declarator.name.text);
                self.diagnostics.error(span, message, format!("1 to {MOST_ELEMENTS} can be modelled"));
                return None;
            }
            dimensions.push(size as u32);
        }
        let elements = dimensions.iter().map(|d| i128::from(*d)).product::<i128>();
        if elements > MOST_ELEMENTS {
            let message = format!("array `{}` cannot have {elements} elements", declarator.name.text);
            self.diagnostics.error(declarator.span, message, format!("1 to {MOST_ELEMENTS} can be modelled"));
            return None;
        }
        Some(dimensions)
    }

    /// The type of a declaration's variables; `None` (reported) if they cannot be used.
    fn declared_scalar(&mut self, declaration: &Declaration) -> Option<Scalar> {
        if declaration.type_name == TypeName::Void
            && let Some(first) = declaration.declarators.first()
        {
            self.diagnostics.error(first.span, "a variable cannot be `void`", "give it a type");
        }
        self.scalar(declaration.type_name)
    }

    pub(super) fn global_declaration(&mut self, declaration: &Declaration) {
        self.enumerators(&declaration.enumerators);
        let scalar = self.declared_scalar(declaration);
        for declarator in &declaration.declarators {
            let declared = scalar.and_then(|scalar| Some((scalar, self.dimensions(declarator)?)));
            let Some((scalar, dimensions)) = declared else {
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            };
            if self.program.variables.len() == MOST_VARIABLES {
                self.diagnostics.error(
                    declarator.span,
                    format!("more than {MOST_VARIABLES} global variables"),
                    "use arrays, or a smaller program",
                );
            }
            if self.program.variables.len() >= MOST_VARIABLES {
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            }
            let zero_default = self.options.globals == Globals::Zero;
            self.declare_static(declarator, declaration.constant, scalar, dimensions, zero_default);
        }
    }

    /// A variable of the whole run: a global, or a `static` local.
    fn declare_static(&mut self, declarator: &Declarator, constant: bool, scalar: Scalar, dimensions: Vec<u32>, zero: bool) {
        let elements = dimensions.iter().product::<u32>() as usize;
        let is_array = !dimensions.is_empty();
        let id = self.new_variable(&declarator.name.text, scalar, dimensions.clone(), VariableKind::Global, declarator.name.span);
        let mut known = None;
        let initial = match &declarator.initializer {
            None if zero => Initial::Exactly(vec![0; elements]),
            None => Initial::Any,
            Some(Initializer::Value(e)) if !is_array => match self.initial_value(e, scalar) {
                Some(bits) => {
                    known = Some(scalar.number(bits));
                    Initial::Exactly(vec![bits])
                }
                None => Initial::Any,
            },
            Some(initializer) => {
                let mut values = vec![0; elements];
                for (index, e) in self.spread(initializer, &dimensions) {
                    values[index] = self.initial_value(e, scalar).unwrap_or(0);
                }
                Initial::Exactly(values)
            }
        };
        self.program.variables[id.0 as usize].initial = initial;
        self.bind(&declarator.name, Entity::Variable { id, constant, value: known.filter(|_| constant) });
    }

    /// Bits of a constant initialiser; `None` for any value, or if it was reported.
    fn initial_value(&mut self, e: &Expr, scalar: Scalar) -> Option<u64> {
        if self.effects(e).any() {
            self.constant(e, "a global's initial value");
            return None;
        }
        let folding = std::mem::replace(&mut self.folding, true);
        let value = self.expression(e);
        self.folding = folding;
        if matches!(value, Value::Choice) {
            return None;
        }
        let expression = self.convert(value, scalar, e.span);
        let pending = std::mem::take(&mut self.pending);
        match expression {
            Expression::Constant(bits, _) if pending.checks.is_empty() => Some(bits),
            Expression::Choice(..) => None,
            _ => {
                self.diagnostics.error(e.span, "a global's initial value must be constant", "assign it in the procedure that starts");
                None
            }
        }
    }

    /// Which element each value of an initialiser's list goes to.
    fn spread<'e>(&mut self, initializer: &'e Initializer, dimensions: &[u32]) -> Vec<(usize, &'e Expr)> {
        let total = dimensions.iter().product::<u32>() as usize;
        let mut places = Vec::new();
        let (list, span) = match initializer {
            Initializer::List(list, span) => (list, *span),
            Initializer::Value(e) => {
                self.diagnostics.error(e.span, "an array takes a list", "write `{…}`");
                return places;
            }
        };
        let row = dimensions.last().map_or(1, |d| *d as usize);
        let mut next = 0;
        for item in list {
            match item {
                Initializer::Value(e) => {
                    places.push((next, e));
                    next += 1;
                }
                Initializer::List(inner, span) => {
                    let nested = dimensions.len() == 2 && next % row == 0;
                    if !nested || inner.len() > row {
                        self.diagnostics.error(*span, "this list does not fit the array", "one list per row of a two-dimensional array");
                        return Vec::new();
                    }
                    for (column, cell) in inner.iter().enumerate() {
                        match cell {
                            Initializer::Value(e) => places.push((next + column, e)),
                            Initializer::List(_, span) => {
                                self.diagnostics.error(*span, "this list is nested too deeply", "arrays have one or two dimensions");
                                return Vec::new();
                            }
                        }
                    }
                    next += row;
                }
            }
        }
        if next > total {
            self.diagnostics.error(span, format!("{next} values for {total} elements"), "leave some out, or make the array larger");
            places.clear();
        }
        places
    }

    pub(super) fn local_declaration(&mut self, declaration: &Declaration) {
        self.enumerators(&declaration.enumerators);
        let scalar = self.declared_scalar(declaration);
        for declarator in &declaration.declarators {
            let declared = scalar.and_then(|scalar| Some((scalar, self.dimensions(declarator)?)));
            let Some((scalar, dimensions)) = declared else {
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            };
            if self.current.locals.len() >= MOST_VARIABLES {
                if !std::mem::replace(&mut self.current.full, true) {
                    let message = format!("more than {MOST_VARIABLES} variables in one procedure");
                    self.diagnostics.error(declarator.span, message, "split it into procedures");
                }
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            }
            if declaration.is_static {
                self.declare_static(declarator, declaration.constant, scalar, dimensions, true);
            } else {
                self.declare_local(declarator, declaration.constant, scalar, dimensions);
            }
        }
    }

    fn declare_local(&mut self, declarator: &Declarator, constant: bool, scalar: Scalar, dimensions: Vec<u32>) {
        let is_array = !dimensions.is_empty();
        let id = self.new_variable(&declarator.name.text, scalar, dimensions.clone(), VariableKind::Local, declarator.name.span);
        let mut known = None;
        match &declarator.initializer {
            None => {
                // Where control can come back, the old value is gone.
                if self.current.loops > 0 || self.current.has_goto {
                    let looks = self.looks(StatementKind::Hidden, declarator.span);
                    self.emit(Operation::Havoc(vec![id]), looks);
                }
            }
            Some(Initializer::Value(e)) if !is_array => known = self.initialize_scalar(declarator, id, scalar, e),
            Some(Initializer::List(list, _)) if !is_array && matches!(list[..], [Initializer::Value(_)]) => {
                if let [Initializer::Value(e)] = &list[..] {
                    known = self.initialize_scalar(declarator, id, scalar, e);
                }
            }
            Some(initializer) => {
                if !is_array {
                    self.diagnostics.error(declarator.span, "a list initialises an array", "write one value");
                }
                self.initialize_array(declarator, id, scalar, &dimensions, initializer);
            }
        }
        self.bind(&declarator.name, Entity::Variable { id, constant, value: known.filter(|_| constant) });
        // It could not be watched while its name was not bound.
        if declarator.initializer.is_some() && self.watches(&[id]) {
            self.user_error(declarator.span);
            let text = self.tidy(declarator.span);
            self.hidden(declarator.span, text);
        }
    }

    fn initialize_scalar(&mut self, declarator: &Declarator, id: VariableId, scalar: Scalar, e: &Expr) -> Option<i128> {
        if let crate::lang::syntax::ExprKind::Call(name, arguments) = &e.kind
            && self.calls_with_result(&name.text, scalar)
        {
            self.call(name, arguments, e.span, Some(id), Some(declarator.span));
            return None;
        }
        let value = self.expression(e);
        let value = self.convert(value, scalar, e.span);
        let known = match value {
            Expression::Constant(bits, _) => Some(scalar.number(bits)),
            _ => None,
        };
        let looks = self.looks(StatementKind::Assignment, declarator.span);
        self.emit(Operation::Assign(vec![(Place::Variable(id), value)]), looks);
        known
    }

    /// All elements by one edge; those that the list leaves out are zero, as in C.
    fn initialize_array(&mut self, declarator: &Declarator, id: VariableId, scalar: Scalar, dimensions: &[u32], initializer: &Initializer) {
        let places = self.spread(initializer, dimensions);
        let total = dimensions.iter().product::<u32>() as usize;
        if let Some((_, e)) = places.iter().find(|(_, e)| self.effects(e).any()) {
            self.diagnostics.error(e.span, "a list's values are plain expressions", "call or assign before it, into a variable");
            return;
        }
        let mut values = vec![Expression::Constant(0, scalar); total];
        for (index, e) in places {
            let value = self.expression(e);
            values[index] = self.convert(value, scalar, e.span);
        }
        let width = Scalar::int((32 - (total as u32).leading_zeros()) as u8, false);
        let stores = values
            .into_iter()
            .enumerate()
            .map(|(index, value)| (Place::Element(id, Expression::Constant(index as u64, width)), value))
            .collect();
        let looks = Looks { kind: StatementKind::Assignment, span: declarator.span, text: self.tidy(declarator.span) };
        self.emit(Operation::Assign(stores), looks);
    }
}
