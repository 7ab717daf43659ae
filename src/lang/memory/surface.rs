//! The syntax tree before memory is lowered: its statements and expressions one by one, and the
//! types of places as they are declared.

use super::library;
use crate::lang::syntax::{
    Block, Expr, ExprKind, File, Function, Initializer, Item, Statement, StatementKind, TypeName,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A declared type: `struct node *p[3]` has one star and one extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) name: TypeName,
    pub(super) stars: u32,
    /// The extents of an array, outermost first; `None` where no number says it.
    pub(super) extents: Vec<Option<u64>>,
}

impl Shape {
    pub(super) fn new(name: TypeName, stars: u32) -> Shape {
        Shape { name, stars, extents: Vec::new() }
    }

    fn declared(name: TypeName, stars: u32, extents: &[Option<Expr>]) -> Shape {
        let number = |e: &Option<Expr>| match e.as_ref().map(|e| &e.kind) {
            Some(ExprKind::Number(n, _) | ExprKind::Exactly(n, _)) => Some(*n),
            _ => None,
        };
        Shape { name, stars, extents: extents.iter().map(number).collect() }
    }

    /// What it leads to: an element, or what a pointer points to.
    pub(super) fn inner(&self) -> Option<Shape> {
        let mut inner = self.clone();
        match (inner.extents.is_empty(), inner.stars) {
            (false, _) => {
                inner.extents.remove(0);
            }
            (true, 0) => return None,
            (true, _) => inner.stars -= 1,
        }
        Some(inner)
    }

    pub(super) fn is_pointer(&self) -> bool {
        self.stars > 0 && self.extents.is_empty()
    }
}

/// The types of a file's globals.
pub(super) fn globals(file: &File) -> FxHashMap<String, Shape> {
    let mut found = FxHashMap::default();
    for item in &file.items {
        let Item::Declaration(of) = item else { continue };
        for d in &of.declarators {
            let shape = Shape::declared(of.type_name, d.pointers, &d.dimensions);
            found.insert(d.name.text.clone(), shape);
        }
    }
    found
}

/// The types of the names in a procedure, and the names that it declares itself. A name that means
/// two things in it is left out.
pub(super) fn locals(
    function: &Function,
    globals: &FxHashMap<String, Shape>,
) -> (FxHashMap<String, Shape>, Vec<String>) {
    let mut own: FxHashMap<String, Shape> = FxHashMap::default();
    let mut twice: FxHashSet<String> = FxHashSet::default();
    let mut add = |text: &str, shape: Shape| {
        if globals.contains_key(text) || own.insert(text.to_string(), shape).is_some() {
            twice.insert(text.to_string());
        }
    };
    for parameter in &function.parameters {
        if let Some(name) = parameter.name.as_ref().filter(|_| parameter.rows.is_empty()) {
            add(&name.text, Shape::new(parameter.type_name, parameter.pointers));
        }
    }
    for statement in function.body.iter().flat_map(|body| &body.statements) {
        each_statement(statement, &mut |s| {
            let StatementKind::Declaration(of) = &s.kind else { return };
            for d in &of.declarators {
                add(&d.name.text, Shape::declared(of.type_name, d.pointers, &d.dimensions));
            }
        });
    }
    own.retain(|name, _| !twice.contains(name));
    let names = own.keys().cloned().collect();
    let others = globals.iter().filter(|(name, _)| !twice.contains(*name));
    own.extend(others.map(|(name, shape)| (name.clone(), shape.clone())));
    (own, names)
}

/// The type of an expression, if it is a place or a pointer; `None` where it is not known.
pub(super) fn shape(
    e: &Expr,
    shapes: &FxHashMap<String, Shape>,
    file: &File,
    depth: u16,
) -> Option<Shape> {
    if depth == 0 {
        return None;
    }
    let of = |e: &Expr| shape(e, shapes, file, depth - 1);
    match &e.kind {
        ExprKind::Name(name) => shapes.get(name).cloned(),
        ExprKind::Member(base, member) => {
            let base = of(base).filter(|base| base.stars == 0 && base.extents.is_empty())?;
            let TypeName::Struct(id) = base.name else { return None };
            let fields = file.structs.get(id.0 as usize)?.fields.as_ref()?;
            let field = fields.iter().find(|field| field.name.text == member.text)?;
            Some(Shape::declared(field.type_name, field.pointers, &field.dimensions))
        }
        ExprKind::Indirect(inner) | ExprKind::Index(inner, _) => of(inner)?.inner(),
        ExprKind::PointerCast(to, _) if !to.other => Some(Shape::new(to.type_name, to.pointers)),
        ExprKind::Cast(name, _) => Some(Shape::new(*name, 0)),
        ExprKind::Address(place) => {
            let mut pointed = of(place).filter(|place| place.extents.is_empty())?;
            pointed.stars += 1;
            Some(pointed)
        }
        _ => None,
    }
}

/// Visits a statement and those in it.
pub(super) fn each_statement(statement: &Statement, visit: &mut impl FnMut(&Statement)) {
    visit(statement);
    match &statement.kind {
        StatementKind::If { branches, otherwise } => {
            branches.iter().for_each(|branch| each_statement(&branch.then, visit));
            otherwise.iter().for_each(|s| each_statement(s, visit));
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. } => each_statement(body, visit),
        StatementKind::For { initial, body, .. } => {
            initial.iter().for_each(|s| each_statement(s, visit));
            each_statement(body, visit);
        }
        StatementKind::Block(block)
        | StatementKind::Atomic(block)
        | StatementKind::Ghost(block) => {
            block.statements.iter().for_each(|s| each_statement(s, visit));
        }
        _ => {}
    }
}

/// Visits a statement and those in it; those in it first.
pub(super) fn each_statement_mut(
    statement: &mut Statement,
    visit: &mut impl FnMut(&mut Statement),
) {
    match &mut statement.kind {
        StatementKind::If { branches, otherwise } => {
            branches.iter_mut().for_each(|branch| each_statement_mut(&mut branch.then, visit));
            otherwise.iter_mut().for_each(|s| each_statement_mut(s, visit));
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. } => each_statement_mut(body, visit),
        StatementKind::For { initial, body, .. } => {
            initial.iter_mut().for_each(|s| each_statement_mut(s, visit));
            each_statement_mut(body, visit);
        }
        StatementKind::Block(Block { statements, .. })
        | StatementKind::Atomic(Block { statements, .. })
        | StatementKind::Ghost(Block { statements, .. }) => {
            statements.iter_mut().for_each(|s| each_statement_mut(s, visit));
        }
        _ => {}
    }
    visit(statement);
}

/// Visits the whole expressions of a statement and of those in it.
pub(super) fn each_expression(statement: &Statement, visit: &mut impl FnMut(&Expr)) {
    library::each(statement, visit);
    each_statement(statement, &mut |s| {
        if let StatementKind::Case(e) = &s.kind {
            visit(e);
        }
    });
}

/// Visits the whole expressions of a statement and of those in it.
pub(super) fn each_expression_mut(statement: &mut Statement, visit: &mut impl FnMut(&mut Expr)) {
    each_statement_mut(statement, &mut |s| match &mut s.kind {
        StatementKind::Declaration(declaration) => {
            for declarator in &mut declaration.declarators {
                if let Some(initializer) = &mut declarator.initializer {
                    each_value(initializer, visit);
                }
            }
        }
        StatementKind::Expression(e) | StatementKind::Return(Some(e)) => visit(e),
        StatementKind::If { branches, .. } => {
            branches.iter_mut().for_each(|branch| visit(&mut branch.condition));
        }
        StatementKind::While { condition: e, .. }
        | StatementKind::DoWhile { condition: e, .. }
        | StatementKind::Switch { scrutinee: e, .. } => visit(e),
        StatementKind::For { condition, step, .. } => {
            condition.iter_mut().chain(step).for_each(&mut *visit);
        }
        _ => {}
    });
}

fn each_value(initializer: &mut Initializer, visit: &mut impl FnMut(&mut Expr)) {
    match initializer {
        Initializer::Value(e) => visit(e),
        Initializer::List(list, _) => list.iter_mut().for_each(|i| each_value(i, visit)),
        Initializer::Member(_, inner) | Initializer::At(_, inner) => each_value(inner, visit),
    }
}

/// The names in an expression.
pub(super) fn names(e: &Expr, into: &mut FxHashSet<String>) {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match &e.kind {
            ExprKind::Name(name) => {
                into.insert(name.clone());
            }
            ExprKind::SizeOf(operand) => stack.push(operand),
            _ => {}
        }
        e.children(&mut stack);
    }
}
