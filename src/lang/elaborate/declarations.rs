//! Declarations: globals with their initial values, locals, constants of enumerations.

use super::graph::Looks;
use super::names::Entity;
use super::pointers::Address;
use super::value::Value;
use super::{Elaborator, MOST_VARIABLES};
use crate::lang::model::{
    Expression, Initial, Operation, Place, ProcedureId, Scalar, Span, StatementKind, Variable,
    VariableId, VariableKind,
};
use crate::lang::syntax::{
    Declaration, Declarator, Enumerator, Expr, ExprKind, Handle, Initializer, Name, TypeName,
};
use crate::wire::options::Globals;

/// Most elements of one array.
const MOST_ELEMENTS: i128 = 4096;

impl Elaborator<'_> {
    /// Also registers it with the procedure under construction.
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
        };
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

    fn enumerators(&mut self, enumerators: &[Enumerator]) {
        let mut next = 0;
        for enumerator in enumerators {
            if let Some(value) = &enumerator.value {
                next = self.constant(value, "an enumeration's constant").unwrap_or(next);
            }
            let int = self.int();
            if !int.holds(next) && self.c && self.program.int_width == super::literals::REAL_WIDTH {
                let message = format!(
                    "enumerations wider than `int` are not modelled: line {}",
                    enumerator.name.span.line
                );
                self.diagnostics.error(
                    enumerator.name.span,
                    message,
                    "use a constant of a wider type",
                );
            } else if !int.holds(next) {
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

    /// Would [`Self::constant`] find a value?
    fn is_constant(&mut self, e: &Expr) -> bool {
        if self.effects(e).any() {
            return false;
        }
        let folding = std::mem::replace(&mut self.folding, true);
        let kept = std::mem::take(&mut self.pending);
        let value = self.expression(e);
        self.pending = kept;
        self.folding = folding;
        matches!(
            value,
            Value::Number(..) | Value::Poisoned | Value::Typed(Expression::Constant(..))
        )
    }

    /// Sizes; a missing first one is taken from the initialiser. `None` if that was reported.
    pub(super) fn dimensions(&mut self, declarator: &Declarator) -> Option<Vec<u32>> {
        let mut dimensions = Vec::new();
        if declarator.dimensions.len() > 2 {
            self.diagnostics.error(
                declarator.span,
                "arrays have one or two dimensions",
                "flatten it",
            );
            return None;
        }
        let given = |item: &Initializer| matches!(item, Initializer::At(..));
        if let Some(Initializer::List(list, span)) = &declarator.initializer
            && matches!(declarator.dimensions.first(), Some(None))
            && list.iter().any(given)
        {
            self.diagnostics.error(
                *span,
                "an array with places in its list needs a size",
                "write it: `a[4]`",
            );
            return None;
        }
        for (i, dimension) in declarator.dimensions.iter().enumerate() {
            let (size, span) = match (dimension, &declarator.initializer) {
                (Some(e), _) if self.c && !self.is_constant(e) => {
                    let message =
                        format!("arrays of variable size are not modelled: line {}", e.span.line);
                    self.diagnostics.error(e.span, message, "write the size as a constant");
                    return None;
                }
                (Some(e), _) => (self.constant(e, "an array's size")?, e.span),
                (None, Some(Initializer::List(list, span))) if i == 0 => {
                    (list.len() as i128, *span)
                }
                _ => {
                    self.diagnostics.error(
                        declarator.span,
                        format!("array `{}` has no size", declarator.name.text),
                        "write it: `a[4]`",
                    );
                    return None;
                }
            };
            if !(1..=MOST_ELEMENTS).contains(&size) {
                let message =
                    format!("array `{}` cannot have {size} elements", declarator.name.text);
                self.diagnostics.error(
                    span,
                    message,
                    format!("1 to {MOST_ELEMENTS} can be modelled"),
                );
                return None;
            }
            dimensions.push(size as u32);
        }
        let elements = dimensions.iter().map(|d| i128::from(*d)).product::<i128>();
        if elements > MOST_ELEMENTS {
            let message =
                format!("array `{}` cannot have {elements} elements", declarator.name.text);
            self.diagnostics.error(
                declarator.span,
                message,
                format!("1 to {MOST_ELEMENTS} can be modelled"),
            );
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
        let plain = declaration.declarators.iter().any(|d| d.pointers == 0);
        let special = matches!(declaration.type_name, TypeName::Struct(_) | TypeName::Handle(_));
        let scalar = if plain && !special { self.declared_scalar(declaration) } else { None };
        for declarator in &declaration.declarators {
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
            let declared = scalar.and_then(|scalar| Some((scalar, self.dimensions(declarator)?)));
            let Some((scalar, dimensions)) = declared else {
                self.bind(&declarator.name, Entity::Poisoned);
                continue;
            };
            if self.c && self.declared_again(declaration, declarator, scalar, &dimensions) {
                continue;
            }
            let zero_default = self.options.globals == Globals::Zero && !declaration.is_extern;
            self.declare_static(declarator, declaration.constant, scalar, dimensions, zero_default);
            if declaration.atomic {
                self.mark_atomic(&declarator.name.text);
            }
        }
    }

    /// C: a global may be declared several times, if its type stays; one declaration gives its
    /// value.
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
                for (index, e) in self.spread(initializer, dimensions) {
                    values[index] = self.initial_value(e, scalar).unwrap_or(0);
                }
                self.program.variables[id].initial = Initial::Exactly(values);
            }
        }
        true
    }

    /// C's pointers, structs, threads and mutexes. False if it is none of them.
    fn special_declaration(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        global: bool,
    ) -> bool {
        let name = &declarator.name;
        if declarator.pointers > 0 {
            let entity = self.pointer_declaration(declaration, declarator);
            self.bind(name, entity);
            return true;
        }
        let whole_run =
            global || declaration.is_static || self.is_shared_local(&name.text, name.span);
        match declaration.type_name {
            TypeName::Struct(id) => {
                if declaration.is_extern && self.names.find_global(&name.text).is_some() {
                    return true;
                }
                let known = self
                    .statics
                    .get(&name.span.start)
                    .copied()
                    .filter(|_| declaration.is_static && !global);
                let entity = match known {
                    Some(entity) => entity,
                    None if global || declaration.is_static => {
                        let zero = !global
                            || (self.options.globals == Globals::Zero && !declaration.is_extern);
                        self.static_aggregate(declaration, declarator, id, zero)
                    }
                    None => {
                        let kind =
                            if whole_run { VariableKind::Global } else { VariableKind::Local };
                        self.local_aggregate(declaration, declarator, id, kind)
                    }
                };
                if declaration.is_static && !global {
                    self.statics.insert(name.span.start, entity);
                }
                if let (true, Some(Entity::Aggregate(old)), Entity::Aggregate(new)) =
                    (global, self.names.find_global(&name.text), entity)
                {
                    // A tentative definition that is repeated.
                    if declarator.initializer.is_none()
                        && self.aggregates[old as usize].type_id
                            == self.aggregates[new as usize].type_id
                    {
                        return true;
                    }
                }
                self.bind(name, entity);
                if let Entity::Aggregate(index) = entity {
                    let leaves = self.aggregates[index as usize].leaves.clone();
                    self.names.show(&leaves);
                }
                true
            }
            TypeName::Handle(Handle::Mutex) => {
                self.mutex_declaration(declarator, whole_run, global || declaration.is_static);
                true
            }
            TypeName::Handle(handle) => {
                if declarator.initializer.is_some() && handle == Handle::Thread {
                    let message = format!(
                        "a thread's handle with a value is not modelled: line {}",
                        declarator.span.line
                    );
                    self.diagnostics.error(
                        declarator.span,
                        message,
                        "leave its value to `pthread_create`",
                    );
                }
                self.bind(name, Entity::Handle(handle));
                true
            }
            _ => false,
        }
    }

    /// A pointer that always holds the address that it is declared with; any other is refused where
    /// it is used.
    fn pointer_declaration(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
    ) -> Entity {
        let Some(initializer) = &declarator.initializer else {
            return Entity::Pointer(Address::Unknown);
        };
        let Initializer::Value(e) = initializer else {
            self.refuse_pointer(declarator.span, "this is an array of pointers");
            return Entity::Poisoned;
        };
        let address = self.address(e);
        let address = self.fitting(address, declaration.type_name, declarator.pointers);
        if address == Address::Unknown || !declarator.dimensions.is_empty() {
            // What is refused by its own name says more.
            let before = self.diagnostics.has_errors();
            if !matches!(e.kind, ExprKind::Call(..))
                || !matches!(self.expression(e), Value::Poisoned)
                || !before
            {
                self.refuse_pointer(
                    declarator.span,
                    &format!("it is not known where `{}` points", declarator.name.text),
                );
            }
            return Entity::Poisoned;
        }
        if self.survey.assigned.contains(&declarator.name.text) {
            return Entity::Pointer(Address::Unknown);
        }
        Entity::Pointer(address)
    }

    /// A mutex is a bool: is it taken?
    fn mutex_declaration(
        &mut self,
        declarator: &Declarator,
        whole_run: bool,
        from_the_start: bool,
    ) {
        let Some(dimensions) = self.dimensions(declarator) else {
            return self.bind(&declarator.name, Entity::Poisoned);
        };
        let plain = match &declarator.initializer {
            None => true,
            Some(Initializer::Value(e)) => {
                matches!(&e.kind, ExprKind::Name(n) if n.starts_with("PTHREAD_MUTEX_INITIALIZER"))
            }
            Some(Initializer::List(list, _)) => list.iter().all(|i| {
                matches!(
                    i,
                    Initializer::Value(Expr { kind: ExprKind::Number(0, _), .. })
                        | Initializer::List(..)
                )
            }),
            _ => false,
        };
        if !plain {
            let message =
                format!("a mutex with this value is not modelled: line {}", declarator.span.line);
            self.diagnostics.error(declarator.span, message, "write `PTHREAD_MUTEX_INITIALIZER`");
        }
        let kind = if whole_run { VariableKind::Global } else { VariableKind::Local };
        let elements = dimensions.iter().product::<u32>() as usize;
        let id = self.new_variable(
            &declarator.name.text,
            Scalar::BOOL,
            dimensions,
            kind,
            declarator.name.span,
        );
        if whole_run {
            self.program.variables[id].initial = Initial::Exactly(vec![0; elements]);
        }
        self.threads.mutexes.insert(id);
        self.bind(&declarator.name, Entity::Variable { id, constant: false, value: None });
        if !from_the_start && elements == 1 && !self.program.variable(id).is_array() {
            let looks = self.looks(StatementKind::Hidden, declarator.span);
            self.emit(Operation::Assign(vec![(Place::Variable(id), Expression::falsity())]), looks);
        }
    }

    /// A variable of the whole run: a global, or a `static` local.
    fn declare_static(
        &mut self,
        declarator: &Declarator,
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
        self.program.variables[id].initial = initial;
        self.bind(
            &declarator.name,
            Entity::Variable { id, constant, value: known.filter(|_| constant) },
        );
    }

    /// Bits of a constant initialiser; `None` for any value, or if it was reported.
    pub(super) fn initial_value(&mut self, e: &Expr, scalar: Scalar) -> Option<u64> {
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
                self.diagnostics.error(
                    e.span,
                    "a global's initial value must be constant",
                    "assign it in the procedure that starts",
                );
                None
            }
        }
    }

    /// Which element each value of an initialiser's list goes to.
    pub(super) fn spread<'e>(
        &mut self,
        initializer: &'e Initializer,
        dimensions: &[u32],
    ) -> Vec<(usize, &'e Expr)> {
        let total = dimensions.iter().product::<u32>() as usize;
        let mut places = Vec::new();
        let (list, span) = match initializer {
            Initializer::List(list, span) => (list, *span),
            Initializer::Value(e) if matches!(e.kind, ExprKind::Text) => {
                let message = format!("strings as data are not modelled: line {}", e.span.line);
                self.diagnostics.error(
                    e.span,
                    message,
                    "write the characters as a list of numbers",
                );
                return places;
            }
            Initializer::Value(Expr { span, .. })
            | Initializer::Member(Name { span, .. }, _)
            | Initializer::At(Expr { span, .. }, _) => {
                self.diagnostics.error(*span, "an array takes a list", "write `{…}`");
                return places;
            }
        };
        let row = dimensions.last().map_or(1, |d| *d as usize);
        let mut next = 0;
        for item in list {
            let item = match item {
                Initializer::At(index, inner) => {
                    let index = self.constant(index, "a place in a list").unwrap_or(0);
                    if !(0..total as i128).contains(&index) || dimensions.len() != 1 {
                        self.diagnostics.error(
                            span,
                            "this place is not in the array",
                            "places count from 0, in arrays of one dimension",
                        );
                        return Vec::new();
                    }
                    next = index as usize;
                    inner
                }
                other => other,
            };
            match item {
                Initializer::Value(e) => {
                    places.retain(|(at, _)| *at != next);
                    places.push((next, e));
                    next += 1;
                }
                Initializer::Member(name, _) => {
                    self.diagnostics.error(
                        name.span,
                        "an array has no members",
                        "write the values in order",
                    );
                    return Vec::new();
                }
                Initializer::At(..) => return Vec::new(),
                Initializer::List(inner, span) => {
                    let nested = dimensions.len() == 2 && next % row == 0;
                    if !nested || inner.len() > row {
                        self.diagnostics.error(
                            *span,
                            "this list does not fit the array",
                            "one list per row of a two-dimensional array",
                        );
                        return Vec::new();
                    }
                    for (column, cell) in inner.iter().enumerate() {
                        match cell {
                            Initializer::Value(e) => places.push((next + column, e)),
                            Initializer::List(_, span)
                            | Initializer::Member(Name { span, .. }, _)
                            | Initializer::At(Expr { span, .. }, _) => {
                                self.diagnostics.error(
                                    *span,
                                    "this list is nested too deeply",
                                    "arrays have one or two dimensions",
                                );
                                return Vec::new();
                            }
                        }
                    }
                    next += row;
                }
            }
        }
        if next > total {
            self.diagnostics.error(
                span,
                format!("{next} values for {total} elements"),
                "leave some out, or make the array larger",
            );
            places.clear();
        }
        places
    }

    pub(super) fn local_declaration(&mut self, declaration: &Declaration) {
        self.enumerators(&declaration.enumerators);
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
            if self.c && self.special_declaration(declaration, declarator, false) {
                continue;
            }
            let declared = scalar.and_then(|scalar| Some((scalar, self.dimensions(declarator)?)));
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
                            declaration.constant,
                            scalar,
                            dimensions,
                            true,
                        );
                        if let Some(entity) = self.names.find(&declarator.name.text) {
                            self.statics.insert(declarator.name.span.start, entity);
                        }
                    }
                }
            } else {
                let shared =
                    self.c && self.is_shared_local(&declarator.name.text, declarator.name.span);
                let kind = if shared { VariableKind::Global } else { VariableKind::Local };
                self.declare_local(declarator, declaration.constant, scalar, dimensions, kind);
            }
        }
    }

    fn declare_local(
        &mut self,
        declarator: &Declarator,
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
        let mut known = None;
        match &declarator.initializer {
            None => {
                // Where control can come back, the old value is gone.
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
            Some(initializer) => {
                if !is_array {
                    self.diagnostics.error(
                        declarator.span,
                        "a list initialises an array",
                        "write one value",
                    );
                }
                self.initialize_array(declarator, id, scalar, &dimensions, initializer);
            }
        }
        self.bind(
            &declarator.name,
            Entity::Variable { id, constant, value: known.filter(|_| constant) },
        );
        // It could not be watched while its name was not bound.
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
        if let crate::lang::syntax::ExprKind::Call(name, arguments) = &e.kind
            && self.calls_with_result(&name.text, scalar)
        {
            self.call(name, arguments, e.span, Some(id), Some(declarator.span));
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

    /// All elements by one edge; those that the list leaves out are zero, as in C.
    fn initialize_array(
        &mut self,
        declarator: &Declarator,
        id: VariableId,
        scalar: Scalar,
        dimensions: &[u32],
        initializer: &Initializer,
    ) {
        let places = self.spread(initializer, dimensions);
        let total = dimensions.iter().product::<u32>() as usize;
        if let Some((_, e)) = places.iter().find(|(_, e)| self.effects(e).any()) {
            self.diagnostics.error(
                e.span,
                "a list's values are plain expressions",
                "call or assign before it, into a variable",
            );
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
