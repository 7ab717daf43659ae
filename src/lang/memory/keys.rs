//! Keys under which each thread keeps a pointer: a `pthread_key_t` is a variable of each thread
//! here, `void *` or, if only numbers are kept, `long`. Destructors are calls (`key_destructors`).

use super::build::{expr, zero};
use super::key_destructors::destructors_as_calls;
use super::surface::{each_expression_mut, each_statement, globals};
use super::thread_numbers::{as_long, as_number, each_part, functions, is_zero, names};
use super::types::{INT, LONG};
use crate::lang::syntax::{
    Block, Declarator, Expr, ExprKind, File, Handle, Item, StatementKind, TypeName,
};
use crate::wire::options::DataModel;
use rustc_hash::{FxHashMap, FxHashSet};

/// Writes keys as variables.
pub(super) fn keys_as_variables(file: &mut File, model: DataModel) {
    let mut keys = FxHashSet::default();
    raise_locals(file);
    for item in &mut file.items {
        let Item::Declaration(declaration) = item else { continue };
        if declaration.type_name != TypeName::Handle(Handle::Key) {
            continue;
        }
        let plain =
            |d: &Declarator| d.pointers == 0 && d.dimensions.is_empty() && d.initializer.is_none();
        if !declaration.declarators.iter().all(plain) {
            continue;
        }
        declaration.type_name = TypeName::Void;
        declaration.per_thread = true;
        for declarator in &mut declaration.declarators {
            declarator.pointers = 1;
            keys.insert(declarator.name.text.clone());
        }
    }
    if keys.is_empty() {
        return;
    }
    destructors_as_calls(file, &keys);
    each_expression_of(file, &mut |e| rewrite(e, &keys));
    if keys.iter().all(|key| keeps_numbers(file, key)) {
        let long = if model == DataModel::Ilp32 { INT } else { LONG };
        for item in &mut file.items {
            let Item::Declaration(declaration) = item else { continue };
            if declaration.declarators.iter().all(|d| keys.contains(&d.name.text)) {
                declaration.type_name = long;
                declaration.declarators.iter_mut().for_each(|d| d.pointers = 0);
            }
        }
        each_expression_of(file, &mut |e| {
            if let ExprKind::Assign(None, place, value) = &mut e.kind
                && is_key(place, &keys)
            {
                as_long(value, long);
            }
        });
    }
}

/// Declares the keys that procedures declare outside of them, where nothing else has their names.
fn raise_locals(file: &mut File) {
    let mut declared: FxHashMap<String, u32> = FxHashMap::default();
    for name in globals(file).into_keys() {
        *declared.entry(name).or_default() += 1;
    }
    for function in functions(file) {
        declared.extend(function.parameters.iter().filter_map(|p| Some((p.name.clone()?.text, 2))));
        let statements = function.body.iter().flat_map(|body| &body.statements);
        statements.for_each(|s| {
            each_statement(s, &mut |s| {
                let StatementKind::Declaration(of) = &s.kind else { return };
                for declarator in &of.declarators {
                    *declared.entry(declarator.name.text.clone()).or_default() += 1;
                }
            });
        });
    }
    let mut raised = Vec::new();
    for item in &mut file.items {
        let Item::Function(function) = item else { continue };
        let Some(body) = &mut function.body else { continue };
        for statement in &mut body.statements {
            let StatementKind::Declaration(declaration) = &mut statement.kind else { continue };
            let is_alone = |d: &Declarator| declared.get(&d.name.text) == Some(&1);
            if declaration.type_name == TypeName::Handle(Handle::Key)
                && declaration.declarators.iter().all(is_alone)
            {
                raised.push(Item::Declaration(declaration.clone()));
                let block = Block { statements: Vec::new(), end: statement.span };
                statement.kind = StatementKind::Block(block);
            }
        }
    }
    file.items.splice(..0, raised);
}

/// Visits every expression of the file, with those inside it; those last.
pub(super) fn each_expression_of(file: &mut File, visit: &mut impl FnMut(&mut Expr)) {
    for item in &mut file.items {
        let Item::Function(function) = item else { continue };
        let Some(body) = &mut function.body else { continue };
        for statement in &mut body.statements {
            each_expression_mut(statement, &mut |e| {
                let mut stack = vec![e];
                while let Some(e) = stack.pop() {
                    visit(e);
                    e.children_mut(&mut stack);
                }
            });
        }
    }
}

pub(super) fn is_key(e: &Expr, keys: &FxHashSet<String>) -> bool {
    matches!(&e.kind, ExprKind::Name(name) if keys.contains(name))
}

/// A call about a key as what it does to the variable.
fn rewrite(e: &mut Expr, keys: &FxHashSet<String>) {
    let ExprKind::Call(name, arguments) = &e.kind else { return };
    let span = e.span;
    let set = |key: Expr, value: Expr| {
        let change = ExprKind::Assign(None, Box::new(key), Box::new(value));
        ExprKind::Comma(vec![expr(change, span), zero(span)])
    };
    let kind = match (name.text.as_str(), &arguments[..]) {
        ("pthread_key_create", [key, destructor]) if is_zero(destructor) => match &key.kind {
            // A new key leads to nothing.
            ExprKind::Address(place) if is_key(place, keys) => set((**place).clone(), zero(span)),
            _ => return,
        },
        ("pthread_key_delete", [key]) if is_key(key, keys) => zero(span).kind,
        ("pthread_getspecific", [key]) if is_key(key, keys) => key.kind.clone(),
        ("pthread_setspecific", [key, value]) if is_key(key, keys) => {
            set(key.clone(), value.clone())
        }
        _ => return,
    };
    *e = expr(kind, span);
}

/// Are only numbers kept under a key, and cast back?
fn keeps_numbers(file: &File, key: &str) -> bool {
    let globals = globals(file);
    let (mut uses, mut good) = (0, 0);
    for function in functions(file) {
        let shapes = names(function, &globals);
        let is_it = |e: &Expr| matches!(&e.kind, ExprKind::Name(name) if name == key);
        each_part(function, &mut |e| match &e.kind {
            ExprKind::Name(name) if name == key => uses += 1,
            ExprKind::Cast(TypeName::Integer { .. } | TypeName::Exact { .. }, inner) => {
                good += u32::from(is_it(inner));
            }
            ExprKind::Assign(None, place, value) if is_it(place) => {
                good += u32::from(as_number(value, &shapes, file).is_some());
            }
            _ => {}
        });
    }
    uses == good
}
