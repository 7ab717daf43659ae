//! Numbers that threads are given and give back as `void *`.
//!
//! `pthread_create(&t, NULL, work, (void *)i)` passes a number, if `work` does nothing with its
//! parameter but cast it back. Then the parameter is a `long` here. Likewise with what every thread
//! gives back, if each join that asks for it casts it to a number. So no address is a number.

use super::build::{cast, number};
use super::surface::{
    Shape, each_expression, each_expression_mut, each_statement, each_statement_mut, globals,
    locals, shape,
};
use super::types::{INT, LONG};
use crate::lang::elaborate::{Survey, procedure_name};
use crate::lang::syntax::{
    Expr, ExprKind, File, Function, Item, Statement, StatementKind, TypeName,
};
use crate::wire::options::DataModel;
use rustc_hash::{FxHashMap, FxHashSet};

/// Deepest expression whose type is looked for.
const MOST_DEPTH: u16 = 16;

/// Writes these numbers as numbers.
pub(super) fn numbers_of_threads(file: &mut File, model: DataModel) {
    let survey = Survey::of(file);
    let mut entries: Vec<String> = survey.thread_entries.iter().cloned().collect();
    entries.sort();
    // A procedure that is called as well keeps its type.
    let is_called = |name: &String| survey.callers.contains_key(name);
    let long = if model == DataModel::Ilp32 { INT } else { LONG };
    for entry in entries.iter().filter(|name| !is_called(name)) {
        if takes_number(file, entry) {
            retype_argument(file, entry, long);
        }
    }
    let all_fit = entries.iter().all(|name| !is_called(name) && gives_number(file, name));
    if !entries.is_empty()
        && all_fit
        && let Some(results) = results(file)
    {
        entries.iter().for_each(|entry| retype_result(file, entry, long));
        retype_variables(file, &results, long);
    }
}

pub(super) fn functions(file: &File) -> impl Iterator<Item = &Function> {
    file.items.iter().filter_map(|item| match item {
        Item::Function(function) if function.body.is_some() => Some(function),
        _ => None,
    })
}

fn function<'f>(file: &'f File, name: &str) -> Option<&'f Function> {
    functions(file).find(|function| function.name.text == name)
}

fn statements(function: &Function) -> &[Statement] {
    function.body.as_ref().map_or(&[], |body| &body.statements)
}

/// Visits every expression of a procedure, with those inside it.
pub(super) fn each_part(function: &Function, visit: &mut impl FnMut(&Expr)) {
    for statement in statements(function) {
        each_expression(statement, &mut |e| {
            let mut stack = vec![e];
            while let Some(e) = stack.pop() {
                visit(e);
                if let ExprKind::SizeOf(operand) = &e.kind {
                    stack.push(operand);
                }
                e.children(&mut stack);
            }
        });
    }
}

/// The types of the names in a procedure. A name that means several numbers is one.
pub(super) fn names(
    function: &Function,
    globals: &FxHashMap<String, Shape>,
) -> FxHashMap<String, Shape> {
    let (mut shapes, _) = locals(function, globals);
    let mut others: FxHashMap<String, Vec<Option<Shape>>> = FxHashMap::default();
    for statement in statements(function) {
        each_statement(statement, &mut |s| {
            let StatementKind::Declaration(of) = &s.kind else { return };
            for d in of.declarators.iter().filter(|d| !shapes.contains_key(&d.name.text)) {
                let is_plain = d.pointers == 0 && d.dimensions.is_empty();
                let shape = is_plain.then(|| Shape::new(of.type_name, 0));
                others.entry(d.name.text.clone()).or_default().push(shape);
            }
        });
    }
    for (name, declared) in others {
        let all: Option<Vec<Shape>> = declared.into_iter().collect();
        let numbers = all.filter(|all| all.iter().all(|shape| is_integer(shape.name)));
        if let Some(first) = numbers.and_then(|all| all.into_iter().next())
            && globals.get(&name).is_none_or(|shape| is_integer(shape.name) && shape.stars == 0)
        {
            shapes.insert(name, first);
        }
    }
    shapes
}

fn is_integer(name: TypeName) -> bool {
    matches!(name, TypeName::Integer { .. } | TypeName::Exact { .. })
}

/// Visits every call of this name, with the types of the names where it stands.
fn each_call(
    file: &File,
    callee: &str,
    visit: &mut impl FnMut(&Function, &FxHashMap<String, Shape>, &[Expr]),
) {
    let globals = globals(file);
    for function in functions(file) {
        let shapes = names(function, &globals);
        each_part(function, &mut |e| {
            if let ExprKind::Call(name, arguments) = &e.kind
                && name.text == callee
            {
                visit(function, &shapes, arguments);
            }
        });
    }
}

/// Is it 0 or `NULL`, perhaps cast?
pub(super) fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Number(0, _) => true,
        ExprKind::Name(name) => name == "NULL",
        ExprKind::PointerCast(_, inner) | ExprKind::Cast(_, inner) => is_zero(inner),
        _ => false,
    }
}

/// The number that is cast to a pointer, or one of two; `None` if it is none.
pub(super) fn as_number<'e>(
    e: &'e Expr,
    shapes: &FxHashMap<String, Shape>,
    file: &File,
) -> Option<&'e Expr> {
    match &e.kind {
        _ if is_zero(e) => Some(e),
        ExprKind::PointerCast(_, inner) => as_number(inner, shapes, file),
        ExprKind::Conditional(parts) => {
            as_number(&parts[1], shapes, file)?;
            as_number(&parts[2], shapes, file)
        }
        _ => is_number(e, shapes, file, MOST_DEPTH).then_some(e),
    }
}

fn is_number(e: &Expr, shapes: &FxHashMap<String, Shape>, file: &File, depth: u16) -> bool {
    if depth == 0 {
        return false;
    }
    match &e.kind {
        ExprKind::Number(..) => true,
        ExprKind::Binary(_, left, right) => {
            is_number(left, shapes, file, depth - 1) && is_number(right, shapes, file, depth - 1)
        }
        ExprKind::Unary(_, inner) => is_number(inner, shapes, file, depth - 1),
        ExprKind::Cast(..)
        | ExprKind::Name(_)
        | ExprKind::Index(..)
        | ExprKind::Member(..)
        | ExprKind::Indirect(_) => shape(e, shapes, file, depth).is_some_and(|shape| {
            shape.stars == 0 && shape.extents.is_empty() && is_integer(shape.name)
        }),
        _ => false,
    }
}

/// Is every use of a name in the procedure a cast to a number, or what `other` names?
pub(super) fn only_cast(function: &Function, name: &str, other: impl Fn(&Expr) -> bool) -> bool {
    let is_it = |e: &Expr| match &e.kind {
        ExprKind::Name(of) => of == name,
        ExprKind::Index(base, _) => matches!(&base.kind, ExprKind::Name(of) if of == name),
        _ => false,
    };
    let (mut uses, mut good) = (0, 0);
    each_part(function, &mut |e| match &e.kind {
        ExprKind::Name(of) if of == name => uses += 1,
        ExprKind::Cast(TypeName::Integer { .. } | TypeName::Exact { .. }, inner)
            if is_it(inner) =>
        {
            good += 1
        }
        _ if other(e) => good += 1,
        _ => {}
    });
    uses == good
}

/// Is the `void *` that this thread takes a number?
fn takes_number(file: &File, entry: &str) -> bool {
    let Some(of) = function(file, entry) else { return false };
    let [parameter] = &of.parameters[..] else { return false };
    let Some(name) = &parameter.name else { return false };
    if (parameter.type_name, parameter.pointers) != (TypeName::Void, 1) {
        return false;
    }
    let mut is_used = false;
    each_part(of, &mut |e| is_used |= matches!(&e.kind, ExprKind::Name(n) if *n == name.text));
    let mut fits = is_used && only_cast(of, &name.text, |_| false);
    each_call(file, "pthread_create", &mut |_, shapes, arguments| {
        if let [_, _, started, given] = arguments
            && procedure_name(started) == Some(entry)
        {
            fits &= as_number(given, shapes, file).is_some();
        }
    });
    fits
}

/// Gives each thread back a number, or nothing?
fn gives_number(file: &File, entry: &str) -> bool {
    let Some(of) = function(file, entry) else { return false };
    if (of.result, of.pointers) != (TypeName::Void, 1) {
        return false;
    }
    let shapes = names(of, &globals(file));
    let mut fits = true;
    for statement in statements(of) {
        each_statement(statement, &mut |s| {
            if let StatementKind::Return(Some(e)) = &s.kind {
                fits &= as_number(e, &shapes, file).is_some();
            }
        });
    }
    each_call(file, "pthread_exit", &mut |owner, shapes, arguments| {
        let given = |e: &Expr| is_zero(e) || owner.name.text == entry;
        fits &= arguments.iter().all(|e| given(e) && as_number(e, shapes, file).is_some());
    });
    fits
}

/// The variable to which a join writes.
fn joined(into: &Expr) -> Option<&Expr> {
    match &into.kind {
        ExprKind::PointerCast(_, inner) => joined(inner),
        ExprKind::Address(place) => Some(place),
        _ => None,
    }
}

fn root(place: &Expr) -> Option<&str> {
    match &place.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Index(base, _) => root(base),
        _ => None,
    }
}

/// The variables of type `void *`, by procedure, that take results of threads and are numbers.
/// `None` if no join asks for a result, or one asks for something else.
fn results(file: &File) -> Option<FxHashMap<String, FxHashSet<String>>> {
    let mut found: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    let (mut fits, mut wanted) = (true, false);
    let globals = globals(file);
    each_call(file, "pthread_join", &mut |owner, shapes, arguments| {
        let [_, into] = arguments else { return };
        if is_zero(into) {
            return;
        }
        wanted = true;
        let Some(place) = joined(into) else { return fits = false };
        if is_number(place, shapes, file, MOST_DEPTH) {
            return;
        }
        let is_void = shape(place, shapes, file, MOST_DEPTH) == Some(Shape::new(TypeName::Void, 1));
        let own = root(place).filter(|name| locals(owner, &globals).1.iter().any(|n| n == name));
        let Some(name) = own.filter(|_| is_void) else { return fits = false };
        let takes = |e: &Expr| match &e.kind {
            ExprKind::Call(of, given) if of.text == "pthread_join" => {
                given.get(1).and_then(joined).and_then(root) == Some(name)
            }
            _ => false,
        };
        fits &= only_cast(owner, name, takes);
        found.entry(owner.name.text.clone()).or_default().insert(name.to_string());
    });
    (fits && wanted).then_some(found)
}

pub(super) fn as_long(e: &mut Expr, long: TypeName) {
    let span = e.span;
    let mut inner = e.clone();
    while let ExprKind::PointerCast(_, under) = inner.kind {
        inner = *under;
    }
    if let ExprKind::Conditional(parts) = &mut inner.kind {
        parts[1..].iter_mut().for_each(|part| as_long(part, long));
        *e = inner;
        return;
    }
    *e = if is_zero(&inner) { number(0, long, span) } else { cast(long, inner) };
}

fn retype_argument(file: &mut File, entry: &str, long: TypeName) {
    for item in &mut file.items {
        let Item::Function(function) = item else { continue };
        if function.name.text == entry {
            for parameter in &mut function.parameters {
                parameter.type_name = long;
                parameter.pointers = 0;
            }
        }
        let Some(body) = &mut function.body else { continue };
        for statement in &mut body.statements {
            each_expression_mut(statement, &mut |e| {
                let mut stack = vec![e];
                while let Some(e) = stack.pop() {
                    if let ExprKind::Call(name, arguments) = &mut e.kind
                        && name.text == "pthread_create"
                        && let [_, _, started, given] = &mut arguments[..]
                        && procedure_name(started) == Some(entry)
                    {
                        as_long(given, long);
                    }
                    e.children_mut(&mut stack);
                }
            });
        }
    }
}

fn retype_result(file: &mut File, entry: &str, long: TypeName) {
    for item in &mut file.items {
        let Item::Function(function) = item else { continue };
        if function.name.text != entry {
            continue;
        }
        function.result = long;
        function.pointers = 0;
        let Some(body) = &mut function.body else { continue };
        for statement in &mut body.statements {
            each_statement_mut(statement, &mut |s| {
                if let StatementKind::Return(Some(e)) = &mut s.kind {
                    as_long(e, long);
                }
            });
            each_expression_mut(statement, &mut |e| {
                let mut stack = vec![e];
                while let Some(e) = stack.pop() {
                    if let ExprKind::Call(name, arguments) = &mut e.kind
                        && name.text == "pthread_exit"
                    {
                        arguments.iter_mut().for_each(|given| as_long(given, long));
                    }
                    e.children_mut(&mut stack);
                }
            });
        }
    }
}

/// Declares the variables that take results as numbers. They may stand beside others.
fn retype_variables(
    file: &mut File,
    results: &FxHashMap<String, FxHashSet<String>>,
    long: TypeName,
) {
    for item in &mut file.items {
        let Item::Function(function) = item else { continue };
        let Some(names) = results.get(&function.name.text) else { continue };
        let Some(body) = &mut function.body else { continue };
        for statement in &mut body.statements {
            each_statement_mut(statement, &mut |s| {
                let StatementKind::Declaration(declaration) = &mut s.kind else { return };
                if declaration.type_name != TypeName::Void {
                    return;
                }
                if declaration.declarators.iter().all(|d| names.contains(&d.name.text)) {
                    declaration.type_name = long;
                    declaration.declarators.iter_mut().for_each(|d| d.pointers = 0);
                }
            });
        }
    }
}
