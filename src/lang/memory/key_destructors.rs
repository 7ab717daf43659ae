//! The destructor of a key (`pthread_key_create(&key, free)`): a thread that ends and has a pointer
//! under the key gives it to the destructor (POSIX.1-2017, `pthread_key_create`). Here the call
//! stands before each end of the thread: `key ? (free(key), key = 0, 0) : 0`.
//!
//! That is the same if it can be told where threads end and if nobody sees that the key still has
//! its pointer during the call. So there is one key with a destructor, whose order among others
//! would be open; the destructor asks nothing of keys; a thread ends in its own procedure, which
//! nobody calls, with a result that the destructor cannot change, and without cleanup handlers.
//! Otherwise the call of `pthread_key_create` stays and is refused.

use super::build::{assign, binary, expr, name, named, not, number, zero};
use super::keys::{each_expression_of, is_key};
use super::surface::{Shape, each_expression, each_statement, each_statement_mut, globals};
use super::thread_numbers::{each_part, functions, is_zero};
use super::types::INT;
use crate::lang::elaborate::Survey;
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Block, Declaration, Declarator, Expr, ExprKind, File, Function, Item, Statement,
    StatementKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

const CREATE: &str = "pthread_key_create";
const DELETE: &str = "pthread_key_delete";
const EXIT: &str = "pthread_exit";

/// What a destructor must not ask.
const OF_KEYS: [&str; 4] = [CREATE, DELETE, "pthread_getspecific", "pthread_setspecific"];

/// The key with a destructor.
struct Destructor {
    key: String,
    procedure: String,
    /// A flag, if the key is deleted somewhere: then nothing is called any more.
    deleted: Option<String>,
}

/// Writes the destructor's calls, and its creation as one without a destructor.
pub(super) fn destructors_as_calls(file: &mut File, keys: &FxHashSet<String>) {
    let Some(destructor) = found(file, keys) else { return };
    let survey = Survey::of(file);
    let globals = globals(file);
    let ends = |f: &Function| survey.thread_entries.contains(&f.name.text);
    for function in functions(file) {
        if ends(function) && survey.callers.contains_key(&function.name.text) {
            return;
        }
        let may_exit = ends(function) || function.name.text == "main";
        if !ends_plainly(function, may_exit, ends(function), &globals) {
            return;
        }
    }
    for item in &mut file.items {
        let Item::Function(function) = item else { continue };
        let returns = survey.thread_entries.contains(&function.name.text);
        if returns || function.name.text == "main" {
            destructor.before_ends(function, returns);
        }
    }
    each_expression_of(file, &mut |e| destructor.without(e));
    if let Some(flag) = destructor.deleted {
        let span = Span::default();
        let name = name(&flag, span);
        let declarator =
            Declarator { name, pointers: 0, dimensions: Vec::new(), initializer: None, span };
        file.items.insert(0, Item::Declaration(Declaration::plain(INT, vec![declarator])));
    }
}

/// The only key with a destructor, if every creation gives it the same one.
fn found(file: &File, keys: &FxHashSet<String>) -> Option<Destructor> {
    let (mut created, mut deleted) = (Vec::new(), Vec::new());
    for function in functions(file) {
        each_part(function, &mut |e| match &e.kind {
            ExprKind::Call(name, arguments) if name.text == CREATE => {
                if let [key, given] = &arguments[..] {
                    created.push((key_of(key, keys), called(given), is_zero(given)));
                }
            }
            ExprKind::Call(name, arguments) if name.text == DELETE => {
                deleted.extend(arguments.first().cloned());
            }
            _ => {}
        });
    }
    let (key, procedure, _) = created.iter().find(|(.., none)| !none)?;
    let (key, procedure) = (key.clone()?, procedure.clone()?);
    let fits = |(k, p, none): &(Option<String>, Option<String>, bool)| match none {
        true => k.as_ref() != Some(&key),
        false => (k.as_ref(), p.as_ref()) == (Some(&key), Some(&procedure)),
    };
    if !created.iter().all(fits) || !asks_nothing(file, &procedure) {
        return None;
    }
    let is_it = |e: &Expr| matches!(&e.kind, ExprKind::Name(name) if *name == key);
    let flag = format!("{key}_deleted");
    let deleted = deleted.iter().any(is_it).then_some(flag);
    // A key that is made again after that is another one.
    if deleted.as_ref().is_some_and(|flag| is_used(file, flag) || !is_made_once(file)) {
        return None;
    }
    Some(Destructor { key, procedure, deleted })
}

/// The key in `&key`.
fn key_of(e: &Expr, keys: &FxHashSet<String>) -> Option<String> {
    let ExprKind::Address(place) = &e.kind else { return None };
    match &place.kind {
        ExprKind::Name(name) if is_key(place, keys) => Some(name.clone()),
        _ => None,
    }
}

/// The procedure that is given.
fn called(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Address(inner) => called(inner),
        _ => None,
    }
}

/// Does nothing that is called from here ask anything of keys, or end the thread?
fn asks_nothing(file: &File, procedure: &str) -> bool {
    let (mut met, mut pending) = (FxHashSet::default(), vec![procedure.to_string()]);
    let mut good = procedure == "free" || functions(file).any(|f| f.name.text == procedure);
    while let Some(next) = pending.pop() {
        if !met.insert(next.clone()) {
            continue;
        }
        let Some(function) = functions(file).find(|f| f.name.text == next) else { continue };
        each_part(function, &mut |e| {
            if let ExprKind::Call(name, _) = &e.kind {
                good &= !OF_KEYS.contains(&name.text.as_str()) && name.text != EXIT;
                pending.push(name.text.clone());
            }
        });
    }
    good
}

/// Do the keys' creations stand in the body of `main`, inside of no other statement, and does
/// nothing lead back to them?
fn is_made_once(file: &File) -> bool {
    let mut once = !Survey::of(file).callers.contains_key("main");
    for function in functions(file) {
        let is_main = function.name.text == "main";
        for statement in function.body.iter().flat_map(|body| &body.statements) {
            let plain = matches!(
                statement.kind,
                StatementKind::Expression(_) | StatementKind::Declaration(_)
            );
            each_expression(statement, &mut |e| {
                let (mut makes, mut stack) = (false, vec![e]);
                while let Some(e) = stack.pop() {
                    makes |= matches!(&e.kind, ExprKind::Call(name, _) if name.text == CREATE);
                    e.children(&mut stack);
                }
                once &= !makes || is_main && plain;
            });
            each_statement(statement, &mut |s| {
                once &= !is_main || !matches!(s.kind, StatementKind::Goto(_));
            });
        }
    }
    once
}

fn is_used(file: &File, text: &str) -> bool {
    let mut used = globals(file).contains_key(text);
    for function in functions(file) {
        each_part(function, &mut |e| {
            used |= matches!(&e.kind, ExprKind::Name(name) if name == text);
        });
    }
    used
}

/// Does a thread end here only by a `return` (of its procedure) or by `pthread_exit` as a statement
/// (where it may), with results that no destructor changes, and without cleanup handlers?
fn ends_plainly(
    function: &Function,
    may_exit: bool,
    may_return: bool,
    globals: &FxHashMap<String, Shape>,
) -> bool {
    let (mut exits, mut plain, mut handlers) = (0, 0, false);
    // Globals, and what has an address that may be known elsewhere.
    let mut changeable: FxHashSet<String> = globals.keys().cloned().collect();
    each_part(function, &mut |e| match &e.kind {
        ExprKind::Call(name, _) => {
            exits += u32::from(name.text == EXIT);
            handlers |= name.text == "pthread_cleanup_push";
        }
        ExprKind::Address(place) => {
            if let ExprKind::Name(name) = &place.kind {
                changeable.insert(name.clone());
            }
        }
        _ => {}
    });
    let mut good = true;
    let statements = function.body.iter().flat_map(|body| &body.statements);
    statements.for_each(|s| {
        each_statement(s, &mut |s| match &s.kind {
            StatementKind::Return(Some(e)) if may_return => good &= is_fixed(e, &changeable),
            StatementKind::Expression(e) => {
                plain += u32::from(exit_value(e).is_some_and(|e| is_fixed(e, &changeable)));
            }
            _ => {}
        });
    });
    good && exits == plain && (exits == 0 || may_exit && !handlers)
}

/// What `pthread_exit` is given.
fn exit_value(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Call(name, arguments) if name.text == EXIT => arguments.first(),
        _ => None,
    }
}

/// Does the thread end with this statement?
fn ends(statement: &Statement, returns: bool) -> bool {
    match &statement.kind {
        StatementKind::Return(_) => returns,
        StatementKind::Expression(e) => exit_value(e).is_some(),
        _ => false,
    }
}

/// A constant, or a name that means none of these, perhaps cast.
fn is_fixed(e: &Expr, changeable: &FxHashSet<String>) -> bool {
    match &e.kind {
        ExprKind::Cast(_, inner) | ExprKind::PointerCast(_, inner) => is_fixed(inner, changeable),
        ExprKind::Name(name) => !changeable.contains(name),
        ExprKind::Number(..) | ExprKind::Exactly(..) => true,
        _ => false,
    }
}

impl Destructor {
    /// Writes the call before each end of the thread in this procedure.
    fn before_ends(&self, function: &mut Function, returns: bool) {
        let Some(body) = &mut function.body else { return };
        let ends_itself = body.statements.last().is_some_and(|s| ends(s, returns));
        for statement in &mut body.statements {
            each_statement_mut(statement, &mut |s| {
                if ends(s, returns) {
                    let block =
                        Block { statements: vec![self.call(s.span), s.clone()], end: s.span };
                    s.kind = StatementKind::Block(block);
                }
            });
        }
        if returns && !ends_itself {
            body.statements.push(self.call(body.end));
        }
    }

    /// `key ? (free(key), key = 0, 0) : 0`
    fn call(&self, span: Span) -> Statement {
        let key = || named(&self.key, span);
        let mut condition = key();
        if let Some(flag) = &self.deleted {
            condition = binary(BinaryOp::LogicalAnd, not(named(flag, span)), condition);
        }
        let call = expr(ExprKind::Call(name(&self.procedure, span), vec![key()]), span);
        let steps = ExprKind::Comma(vec![call, assign(key(), zero(span), span), zero(span)]);
        let parts = [condition, expr(steps, span), zero(span)];
        let kind = StatementKind::Expression(expr(ExprKind::Conditional(parts.into()), span));
        Statement { kind, span }
    }

    /// The creation without the destructor; a deletion raises the flag.
    fn without(&self, e: &mut Expr) {
        let span = e.span;
        let ExprKind::Call(called, arguments) = &mut e.kind else { return };
        match (called.text.as_str(), &mut arguments[..]) {
            (CREATE, [_, given]) => *given = zero(span),
            (DELETE, [key]) if matches!(&key.kind, ExprKind::Name(name) if *name == self.key) => {
                if let Some(flag) = &self.deleted {
                    let raised = assign(named(flag, span), number(1, INT, span), span);
                    e.kind = ExprKind::Comma(vec![raised, zero(span)]);
                }
            }
            _ => {}
        }
    }
}
