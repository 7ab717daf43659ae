//! Declarations: globals with their initial values, and locals.

use super::current::MOST_VARIABLES;
use super::elaborator::Elaborator;
use super::names::Entity;
use crate::lang::lowering::graph::Looks;
use crate::lang::message::is;
use crate::lang::model::{
    Expression, Initial, Operation, Origin, Place, ProcedureId, Scalar, Span, StatementKind,
    Variable, VariableId, VariableKind,
};
use crate::lang::syntax::{
    Declaration, Declarator, Expr, ExprKind, Initializer, Name, Size, TypeName,
};
use crate::wire::options::Globals;

/// A number with as many bits as an address.
const ADDRESS: TypeName = TypeName::Integer { size: Size::Long, signed: false };

impl Elaborator<'_> {
    /// Adds a variable to the program, and to the procedure under construction unless it is global.
    pub(super) fn new_variable(
        &mut self,
        name: &str,
        scalar: Scalar,
        dimensions: Vec<u32>,
        kind: VariableKind,
        span: Span,
    ) -> VariableId {
        let id = VariableId(self.program.variables.len() as u32);
        let owner = (kind != VariableKind::Global).then_some(ProcedureId(self.current.id));
        let variable = Variable {
            name: name.to_string(),
            scalar,
            dimensions,
            kind,
            owner,
            span,
            initial: Initial::Any,
            origin: Origin::Written,
        };
        self.program.variables.push(variable);
        if owner.is_some() && kind != VariableKind::Parameter {
            self.current.locals.push(id);
        }
        id
    }

    /// Notes that a variable of this type is a pointer, if it is one.
    pub(super) fn note_pointer(&mut self, id: VariableId, type_name: TypeName) {
        if let TypeName::Slot { room, .. } = type_name {
            self.program.memory.pointers.insert(id, room);
        }
    }

    /// Removes the temporary that was made last.
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
                Entity::Variable { id, .. } => {
                    format!(" in line {}", self.program.variable(id).span.line)
                }
                _ => String::new(),
            };
            self.diagnostics.error(
                name.span,
                format!("`{}` is already declared{line}", name.text),
                "rename one of them",
            );
        }
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
        self.enumerations(&declaration.enumerations);
        let plain = declaration.declarators.iter().any(|d| d.pointers == 0);
        let special = matches!(declaration.type_name, TypeName::Struct(_) | TypeName::Handle(_));
        let scalar = if plain && !special { self.declared_scalar(declaration) } else { None };
        for declarator in &declaration.declarators {
            if declaration.per_thread && self.refuses_own(declaration, declarator) {
                continue;
            }
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
            if self.c && self.special_declaration(declaration, declarator, true) {
                continue;
            }
            let declared = scalar.and_then(|scalar| {
                Some((scalar, self.dimensions(declarator, declaration.type_name)?))
            });
            let Some((scalar, dimensions)) = declared else {
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            };
            if self.c && self.declared_again(declaration, declarator, scalar, &dimensions) {
                continue;
            }
            let zero_default = self.options.globals == Globals::Zero && !declaration.is_extern;
            let (type_name, constant) = (declaration.type_name, declaration.constant);
            self.declare_static(declarator, type_name, constant, scalar, dimensions, zero_default);
            if declaration.atomic {
                self.mark_atomic(&declarator.name.text);
            }
            if declaration.per_thread {
                self.note_own(&declarator.name);
            }
        }
    }

    /// C: a global may be declared several times with one type. One of the declarations gives its
    /// value. Returns false if this is the first declaration, or if the type differs.
    fn declared_again(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        scalar: Scalar,
        dimensions: &[u32],
    ) -> bool {
        let Some(Entity::Variable { id, .. }) = self.names.find_global(&declarator.name.text)
        else {
            return false;
        };
        let old = self.program.variable(id);
        if old.scalar != scalar || old.dimensions != *dimensions {
            return false;
        }
        let elements = old.elements() as usize;
        match &declarator.initializer {
            None if !declaration.is_extern
                && old.initial == Initial::Any
                && self.options.globals == Globals::Zero =>
            {
                self.program.variables[id].initial = Initial::Exactly(vec![0; elements]);
            }
            None => {}
            Some(Initializer::Value(e)) if dimensions.is_empty() => {
                let value = self
                    .initial_value(e, scalar)
                    .map_or(Initial::Any, |bits| Initial::Exactly(vec![bits]));
                self.program.variables[id].initial = value;
            }
            Some(initializer) => {
                let mut values = vec![0; elements];
                for entry in self.spread(initializer, declaration.type_name, dimensions) {
                    values[entry.element] = self.initial_value(entry.value, scalar).unwrap_or(0);
                }
                self.program.variables[id].initial = Initial::Exactly(values);
            }
        }
        true
    }

    /// Declares a variable that lives during the whole run: a global, or a `static` local.
    fn declare_static(
        &mut self,
        declarator: &Declarator,
        type_name: TypeName,
        constant: bool,
        scalar: Scalar,
        dimensions: Vec<u32>,
        zero: bool,
    ) {
        let elements = dimensions.iter().product::<u32>() as usize;
        let is_array = !dimensions.is_empty();
        let id = self.new_variable(
            &declarator.name.text,
            scalar,
            dimensions.clone(),
            VariableKind::Global,
            declarator.name.span,
        );
        self.note_pointer(id, type_name);
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
                for entry in self.spread(initializer, type_name, &dimensions) {
                    values[entry.element] = self.initial_value(entry.value, scalar).unwrap_or(0);
                }
                Initial::Exactly(values)
            }
        };
        self.program.variables[id].initial = initial;
        self.bind(
            &declarator.name,
            Entity::Variable { id, constant, value: known.filter(|_| constant) },
        );
    }

    pub(super) fn local_declaration(&mut self, declaration: &Declaration) {
        self.enumerations(&declaration.enumerations);
        let plain = declaration.declarators.iter().any(|d| d.pointers == 0);
        let special = matches!(declaration.type_name, TypeName::Struct(_) | TypeName::Handle(_));
        let scalar = if plain && !special { self.declared_scalar(declaration) } else { None };
        for declarator in &declaration.declarators {
            if declaration.is_extern && self.c {
                match self.names.find_global(&declarator.name.text) {
                    Some(entity) => self.bind(&declarator.name, entity),
                    None => {
                        let name = &declarator.name;
                        self.diagnostics.error(
                            name.span,
                            format!("`{}` is declared nowhere else", name.text),
                            "declare it as a global",
                        );
                    }
                }
                continue;
            }
            if declaration.per_thread {
                let message = is("a variable of each thread in a procedure");
                let hint = "declare it outside of the procedure";
                self.diagnostics.error(declarator.span, message, hint);
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            }
            if self.current.locals.len() >= MOST_VARIABLES
                || self.program.variables.len() >= 64 * MOST_VARIABLES
            {
                if !std::mem::replace(&mut self.current.full, true) {
                    let message = format!("more than {MOST_VARIABLES} variables in one procedure");
                    self.diagnostics.error(declarator.span, message, "split it into procedures");
                }
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            }
            if self.holds_only_null(declaration, declarator) {
                if let Some(scalar) = self.scalar(ADDRESS) {
                    let (no_array, local) = (Vec::new(), VariableKind::Local);
                    self.declare_local(declarator, ADDRESS, false, scalar, no_array, local);
                }
                continue;
            }
            if self.c && self.special_declaration(declaration, declarator, false) {
                continue;
            }
            let declared = scalar.and_then(|scalar| {
                Some((scalar, self.dimensions(declarator, declaration.type_name)?))
            });
            let Some((scalar, dimensions)) = declared else {
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            };
            if declaration.is_static {
                match self.statics.get(&declarator.name.span.start).copied() {
                    Some(entity) => self.bind(&declarator.name, entity),
                    None => {
                        self.declare_static(
                            declarator,
                            declaration.type_name,
                            declaration.constant,
                            scalar,
                            dimensions,
                            true,
                        );
                        if declaration.atomic {
                            self.mark_atomic(&declarator.name.text);
                        }
                        if let Some(entity) = self.names.find(&declarator.name.text) {
                            self.statics.insert(declarator.name.span.start, entity);
                        }
                    }
                }
            } else {
                let shared =
                    self.c && self.is_shared_local(&declarator.name.text, declarator.name.span);
                let kind = if shared { VariableKind::Global } else { VariableKind::Local };
                let (type_name, constant) = (declaration.type_name, declaration.constant);
                self.declare_local(declarator, type_name, constant, scalar, dimensions, kind);
                if declaration.atomic {
                    self.mark_atomic(&declarator.name.text);
                }
            }
        }
    }

    fn declare_local(
        &mut self,
        declarator: &Declarator,
        type_name: TypeName,
        constant: bool,
        scalar: Scalar,
        dimensions: Vec<u32>,
        kind: VariableKind,
    ) {
        let is_array = !dimensions.is_empty();
        let id = self.new_variable(
            &declarator.name.text,
            scalar,
            dimensions.clone(),
            kind,
            declarator.name.span,
        );
        self.note_pointer(id, type_name);
        self.begins_with_declaration(id);
        let mut known = None;
        match &declarator.initializer {
            None => {
                // If control can come back here, the old value is forgotten.
                if self.current.loops > 0 || self.current.has_goto || kind == VariableKind::Global {
                    let looks = self.looks(StatementKind::Hidden, declarator.span);
                    self.emit(Operation::Havoc(vec![id]), looks);
                }
            }
            Some(Initializer::Value(e)) if !is_array => {
                known = self.initialize_scalar(declarator, id, scalar, e)
            }
            Some(Initializer::List(list, _))
                if !is_array && matches!(list[..], [Initializer::Value(_)]) =>
            {
                if let [Initializer::Value(e)] = &list[..] {
                    known = self.initialize_scalar(declarator, id, scalar, e);
                }
            }
            Some(initializer) if is_array => {
                self.initialize_array(declarator, id, type_name, &dimensions, initializer);
            }
            // A list for a scalar that is not one value.
            Some(initializer) => {
                let entries = self.spread(initializer, type_name, &[]);
                if let [entry] = &entries[..] {
                    known = self.initialize_scalar(declarator, id, scalar, entry.value);
                }
            }
        }
        self.bind(
            &declarator.name,
            Entity::Variable { id, constant, value: known.filter(|_| constant) },
        );
        // The error condition could not be checked before the name was bound.
        if declarator.initializer.is_some() && self.watches(&[id]) {
            self.user_error(declarator.span);
            let text = self.tidy(declarator.span);
            self.hidden(declarator.span, text);
        }
    }

    fn initialize_scalar(
        &mut self,
        declarator: &Declarator,
        id: VariableId,
        scalar: Scalar,
        e: &Expr,
    ) -> Option<i128> {
        if let ExprKind::Call(name, arguments) = &e.kind
            && self.calls_with_result(&name.text, scalar)
        {
            self.call(name, arguments, e.span, Some(id), Some(declarator.span));
            self.settle_result(declarator.span);
            return None;
        }
        let value = self.expression(e);
        let value = self.convert(value, scalar, e.span);
        self.keeps_value(&value, scalar, e.span);
        let known = match value {
            Expression::Constant(bits, _) => Some(scalar.number(bits)),
            _ => None,
        };
        let looks = self.looks(StatementKind::Assignment, declarator.span);
        self.emit(Operation::Assign(vec![(Place::Variable(id), value)]), looks);
        known
    }

    /// Writes all elements by one edge. Elements that the list leaves out are zero, as in C.
    fn initialize_array(
        &mut self,
        declarator: &Declarator,
        id: VariableId,
        type_name: TypeName,
        dimensions: &[u32],
        initializer: &Initializer,
    ) {
        let scalar = self.program.variable(id).scalar;
        let entries = self.spread(initializer, type_name, dimensions);
        let total = dimensions.iter().product::<u32>() as usize;
        let given: Vec<&Expr> = entries.iter().map(|entry| entry.value).collect();
        let mut values = vec![Expression::Constant(0, scalar); total];
        for (entry, value) in entries.iter().zip(self.expressions(&given)) {
            values[entry.element] = self.convert(value, scalar, entry.value.span);
        }
        let width = Scalar::int((32 - (total as u32).leading_zeros()) as u8, false);
        let stores = values
            .into_iter()
            .enumerate()
            .map(|(index, value)| {
                (Place::Element(id, Expression::Constant(index as u64, width)), value)
            })
            .collect();
        let looks = Looks {
            kind: StatementKind::Assignment,
            span: declarator.span,
            text: self.tidy(declarator.span),
        };
        self.emit(Operation::Assign(stores), looks);
    }
}
