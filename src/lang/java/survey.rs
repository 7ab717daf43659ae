//! What the statements of a typed program do, as far as its lowering asks: which arrays there are,
//! what is caught, what may be thrown, which classes can be initialised before `main`.

use faultline_java::{
    Binary, Catch, ClassId, Constant, Expr, ExprKind, MethodId, Program, Statement, StatementKind,
    Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// So many elements has an array whose length is open.
const OPEN_LENGTH: u32 = 5;
/// So many elements are told apart at most.
const MOST_ELEMENTS: u32 = 64;

/// The arrays of a type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lengths {
    /// The longest constant length.
    pub(super) most: u32,
    /// Is a length open, or longer than there is room?
    pub(super) is_open: bool,
    /// Is one made somewhere?
    pub(super) is_made: bool,
}

impl Lengths {
    pub(super) fn room(self) -> u32 {
        match self.is_open {
            true => self.most.clamp(OPEN_LENGTH, MOST_ELEMENTS),
            false => self.most.clamp(1, MOST_ELEMENTS),
        }
    }
}

/// What a program does.
#[derive(Default)]
pub(super) struct Survey {
    /// By the type of the elements.
    pub(super) arrays: BTreeMap<String, (Type, Lengths)>,
    /// The classes that some `catch` names.
    pub(super) caught: BTreeSet<ClassId>,
    /// Is there a `finally`?
    pub(super) has_finally: bool,
    /// The texts, in the order in which they are met.
    pub(super) texts: Vec<String>,
    /// Is an element of an array of texts read?
    pub(super) reads_texts: bool,
    /// The methods that are called.
    pub(super) called: BTreeSet<MethodId>,
}

/// Looks at all that can run.
pub(super) fn survey(program: &Program) -> Survey {
    let mut survey = Survey::default();
    for method in &program.methods {
        for local in &method.locals {
            survey.array_type(&local.ty);
        }
        survey.array_type(&method.result);
        survey.statements(program, method.body.as_deref().unwrap_or_default());
    }
    for field in program.fields.iter().filter(|field| field.is_used) {
        survey.array_type(&field.ty);
    }
    survey
}

impl Survey {
    /// Can an exception of this class be caught, or `finally` see it?
    pub(super) fn is_caught(&self, program: &Program, class: ClassId) -> bool {
        let related =
            |caught: &ClassId| program.is_below(class, *caught) || program.is_below(*caught, class);
        self.has_finally || self.caught.iter().any(related)
    }

    /// The arrays that a type mentions exist.
    fn array_type(&mut self, ty: &Type) {
        if let Type::Array(element) = ty {
            let known = self.arrays.entry(format!("{element:?}"));
            known.or_insert_with(|| ((**element).clone(), Lengths::default()));
            self.array_type(element);
        }
    }

    /// There is an array of this type, and of this length if that is known.
    pub(super) fn array(&mut self, ty: &Type, length: Option<i64>) {
        let Type::Array(element) = ty else { return };
        self.array_type(ty);
        let Some((_, lengths)) = self.arrays.get_mut(&format!("{element:?}")) else { return };
        lengths.is_made = true;
        match length.and_then(|n| u32::try_from(n).ok()) {
            Some(n) if n <= MOST_ELEMENTS => lengths.most = lengths.most.max(n),
            Some(_) => {
                lengths.most = MOST_ELEMENTS;
                lengths.is_open = true;
            }
            // A negative length makes no array.
            None if length.is_some() => {}
            None => lengths.is_open = true,
        }
    }

    fn statements(&mut self, program: &Program, list: &[Statement]) {
        for statement in list {
            if let StatementKind::Try { catches, finally, .. } = &statement.kind {
                self.has_finally |= finally.is_some();
                self.caught.extend(catches.iter().flat_map(|catch| &catch.classes));
            }
            each_part(
                statement,
                &mut |e| each(e, &mut |e| self.expression(program, e)),
                &mut |_| {},
            );
            inner(statement, &mut |list| self.statements(program, list));
        }
    }

    fn expression(&mut self, program: &Program, e: &Expr) {
        match &e.kind {
            ExprKind::Text(text) if !self.texts.contains(text) => self.texts.push(text.clone()),
            ExprKind::Index(..) if e.ty == Type::String => self.reads_texts = true,
            ExprKind::NewArray(lengths) => {
                let mut ty = e.ty.clone();
                for length in lengths {
                    let known = match length.kind {
                        ExprKind::Constant(Constant::Integer(n)) => Some(n),
                        _ => None,
                    };
                    self.array(&ty, known);
                    let Type::Array(element) = ty else { break };
                    ty = *element;
                }
            }
            ExprKind::ArrayOf(list) => self.array(&e.ty, Some(list.len() as i64)),
            ExprKind::Constants(class) => {
                let constants = program.classes[class.index()].constants.as_ref();
                self.array(&e.ty, Some(constants.map_or(0, Vec::len) as i64));
            }
            ExprKind::Call { method, .. } => {
                self.called.insert(*method);
                let targets = &program.methods[method.index()].targets;
                self.called.extend(targets.iter().map(|(_, target)| *target));
            }
            _ => {}
        }
    }
}

/// The operands of an expression, in the order in which they are evaluated.
pub(super) fn operands(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Constant(_)
        | ExprKind::Null
        | ExprKind::Text(_)
        | ExprKind::This
        | ExprKind::Local(_)
        | ExprKind::Static(_)
        | ExprKind::Enumerated(..)
        | ExprKind::Constants(_)
        | ExprKind::Open
        | ExprKind::MayFail => Vec::new(),
        ExprKind::Texted(list)
        | ExprKind::NewArray(list)
        | ExprKind::ArrayOf(list)
        | ExprKind::Output(list)
        | ExprKind::Sequence(list) => list.iter().collect(),
        ExprKind::Shown(e, _)
        | ExprKind::Field(e, _)
        | ExprKind::Length(e)
        | ExprKind::Unary(_, e)
        | ExprKind::Convert(e)
        | ExprKind::Cast(e)
        | ExprKind::InstanceOf(e, _)
        | ExprKind::Assume(e)
        | ExprKind::Exit(e)
        | ExprKind::Ordinal(e)
        | ExprKind::Position(e, _)
        | ExprKind::After(_, e) => vec![e],
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(a, b) => vec![a, b],
        ExprKind::Update { place, value, .. } => vec![place, value],
        ExprKind::Call { receiver, arguments, .. } => {
            receiver.iter().map(|e| &**e).chain(arguments).collect()
        }
        ExprKind::New { presets, arguments, .. } => {
            presets.iter().map(|(_, e)| e).chain(arguments).collect()
        }
        ExprKind::Conditional(parts) => parts.iter().collect(),
    }
}

/// An expression and all inside of it.
pub(super) fn each<'e>(e: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(e);
    for operand in operands(e) {
        each(operand, visit);
    }
}

/// The expressions of a statement itself, and its `catch`es.
pub(super) fn each_part<'s>(
    statement: &'s Statement,
    visit: &mut dyn FnMut(&'s Expr),
    catch: &mut dyn FnMut(&'s Catch),
) {
    match &statement.kind {
        StatementKind::Local(_, value) | StatementKind::Return(value) => {
            value.iter().for_each(visit)
        }
        StatementKind::Expression(e)
        | StatementKind::If(e, ..)
        | StatementKind::While(_, e, _)
        | StatementKind::Do(_, _, e, _)
        | StatementKind::Switch(_, e, _)
        | StatementKind::Throw(e) => visit(e),
        StatementKind::For { condition, step, .. } => condition.iter().chain(step).for_each(visit),
        StatementKind::Assert(e, text) => {
            visit(e);
            text.iter().for_each(visit);
        }
        StatementKind::Try { catches, .. } => catches.iter().for_each(catch),
        StatementKind::Labelled(..)
        | StatementKind::Break(_)
        | StatementKind::Continue(_)
        | StatementKind::Block(_)
        | StatementKind::Empty => {}
    }
}

/// The statements inside of a statement.
pub(super) fn inner<'s>(statement: &'s Statement, visit: &mut dyn FnMut(&'s [Statement])) {
    let one = std::slice::from_ref::<Statement>;
    match &statement.kind {
        StatementKind::If(_, then, otherwise) => {
            visit(one(then));
            otherwise.iter().for_each(|otherwise| visit(one(otherwise)));
        }
        StatementKind::While(_, _, body)
        | StatementKind::Do(_, body, _, _)
        | StatementKind::Labelled(_, body) => visit(one(body)),
        StatementKind::For { first, body, .. } => {
            visit(first);
            visit(one(body));
        }
        StatementKind::Switch(_, _, groups) => groups.iter().for_each(|group| visit(&group.body)),
        StatementKind::Try { body, catches, finally } => {
            visit(body);
            catches.iter().for_each(|catch| visit(&catch.body));
            finally.iter().for_each(|body| visit(body));
        }
        StatementKind::Block(list) => visit(list),
        _ => {}
    }
}

/// Every expression of a method.
pub(super) fn expressions<'s>(list: &'s [Statement], visit: &mut dyn FnMut(&'s Expr)) {
    for statement in list {
        each_part(statement, &mut |e| each(e, &mut *visit), &mut |_| {});
        inner(statement, &mut |list| expressions(list, visit));
    }
}

/// Does a statement throw by `throw`?
fn throws(list: &[Statement]) -> bool {
    list.iter().any(|statement| {
        let mut found = matches!(statement.kind, StatementKind::Throw(_));
        inner(statement, &mut |list| found |= throws(list));
        found
    })
}

/// The methods that may end with an exception, if some exceptions of the program are caught.
/// `implicit` says whether those of operators are.
pub(super) fn throwing(program: &Program, implicit: bool) -> BTreeSet<MethodId> {
    let ids = || (0..program.methods.len() as u32).map(MethodId);
    let mut found: BTreeSet<MethodId> = BTreeSet::new();
    let mut calls: BTreeMap<MethodId, BTreeSet<MethodId>> = BTreeMap::new();
    for id in ids() {
        let Some(body) = &program.methods[id.index()].body else { continue };
        let mut own = throws(body);
        let callees = calls.entry(id).or_default();
        let mut add = |method: MethodId| {
            let targets = &program.methods[method.index()].targets;
            callees.insert(method);
            callees.extend(targets.iter().map(|(_, target)| *target));
        };
        expressions(body, &mut |e| {
            own |= implicit && may_fail(e);
            match &e.kind {
                ExprKind::Call { method, .. } | ExprKind::Shown(_, method) => add(*method),
                ExprKind::New { constructor, class, .. } => {
                    constructor.iter().for_each(|method| add(*method));
                    program.classes[class.index()].initializer.iter().for_each(|m| add(*m));
                }
                ExprKind::Static(field) => {
                    let class = program.fields[field.index()].class;
                    program.classes[class.index()].initializer.iter().for_each(|m| add(*m));
                }
                ExprKind::Enumerated(class, _) | ExprKind::Constants(class) => {
                    program.classes[class.index()].initializer.iter().for_each(|m| add(*m));
                }
                _ => {}
            }
            if let ExprKind::Call { method, .. } = &e.kind {
                let class = program.methods[method.index()].class;
                program.classes[class.index()].initializer.iter().for_each(|m| add(*m));
            }
        });
        if own {
            found.insert(id);
        }
    }
    loop {
        let more: Vec<MethodId> = calls
            .iter()
            .filter(|(id, callees)| {
                !found.contains(id) && callees.iter().any(|c| found.contains(c))
            })
            .map(|(id, _)| *id)
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Can an operator throw?
fn may_fail(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Field(object, _) => !matches!(object.kind, ExprKind::This),
        ExprKind::Length(_)
        | ExprKind::Index(..)
        | ExprKind::NewArray(_)
        | ExprKind::Cast(_)
        | ExprKind::Ordinal(_)
        | ExprKind::Binary(Binary::Divide | Binary::Remainder, ..)
        | ExprKind::Update { operator: Binary::Divide | Binary::Remainder, .. } => true,
        ExprKind::Call { receiver: Some(object), .. } => !matches!(object.kind, ExprKind::This),
        _ => false,
    }
}

/// Does what runs when a class is first used touch nothing but what it makes? Then it can run
/// before `main`, and nobody sees the difference.
pub(super) fn is_closed(program: &Program, class: ClassId) -> bool {
    let Some(method) = program.classes[class.index()].initializer else { return true };
    closed_method(program, method, class, 0)
}

fn closed_method(program: &Program, method: MethodId, class: ClassId, depth: u32) -> bool {
    let Some(body) = &program.methods[method.index()].body else { return false };
    depth < 8 && closed_statements(program, body, class, depth)
}

fn closed_statements(program: &Program, list: &[Statement], class: ClassId, depth: u32) -> bool {
    list.iter().all(|statement| {
        let is_plain = matches!(
            statement.kind,
            StatementKind::Local(..)
                | StatementKind::Expression(_)
                | StatementKind::Block(_)
                | StatementKind::Empty
        );
        let mut closed = is_plain;
        each_part(
            statement,
            &mut |e| each(e, &mut |e| closed &= closed_expression(program, e, class, depth)),
            &mut |_| {},
        );
        inner(statement, &mut |list| closed &= closed_statements(program, list, class, depth));
        closed
    })
}

fn closed_expression(program: &Program, e: &Expr, class: ClassId, depth: u32) -> bool {
    let is_own = |other: ClassId| other == class;
    match &e.kind {
        ExprKind::Constant(_)
        | ExprKind::Null
        | ExprKind::Text(_)
        | ExprKind::This
        | ExprKind::Local(_)
        | ExprKind::ArrayOf(_)
        | ExprKind::Unary(..)
        | ExprKind::Convert(_)
        | ExprKind::Assign(..)
        | ExprKind::Sequence(_)
        | ExprKind::Conditional(_) => true,
        ExprKind::Static(field) => is_own(program.fields[field.index()].class),
        ExprKind::Enumerated(other, _) | ExprKind::Constants(other) => {
            is_own(*other) || program.classes[other.index()].initializer.is_none()
        }
        ExprKind::Field(object, _) => matches!(object.kind, ExprKind::This),
        ExprKind::NewArray(lengths) => lengths
            .iter()
            .all(|e| matches!(e.kind, ExprKind::Constant(Constant::Integer(n)) if n >= 0)),
        ExprKind::Binary(operator, ..) => !matches!(operator, Binary::Divide | Binary::Remainder),
        ExprKind::New { class: other, constructor, .. } => {
            let starts = program.classes[other.index()].initializer.is_some() && !is_own(*other);
            !starts && constructor.is_none_or(|m| closed_method(program, m, class, depth + 1))
        }
        ExprKind::Call { method, is_virtual: false, .. } => {
            program.methods[method.index()].is_constructor
                && closed_method(program, *method, class, depth + 1)
        }
        _ => false,
    }
}
