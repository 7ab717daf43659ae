//! Structs as results of procedures, before anything else reads the tree.
//!
//! A procedure that returns a struct leaves it in a global of its own, `result of f`. Behind a call
//! the caller takes it from there into a local of its own, one for each call in the text: so a call
//! that comes in between, as in `g(f(1), f(2))`, changes nothing, and recursion does not, either.
//! Threads would share the global, so such programs stay as they are, and are refused. So are
//! unions as results, and procedures without a body.
//!
//! This comes later in the page (`static/delivery/later.mjs`) and is never inlined.

use crate::lang::model::{STRUCT_RESULT, Span};
use crate::lang::syntax::{
    Block, Declaration, Declarator, Expr, ExprKind, File, Function, Initializer, Item, Name,
    Statement, StatementKind, StructId, TypeName,
};
use rustc_hash::FxHashMap;

/// Rewrites a file. Does nothing if the program has threads.
#[inline(never)]
pub(super) fn rewrite(file: &mut File) {
    if file.traits.starts_threads {
        return;
    }
    let mut results: FxHashMap<String, StructId> = FxHashMap::default();
    for item in &file.items {
        if let Item::Function(function) = item
            && let (Some(id), true) = (returned(function), function.body.is_some())
            && !file.structs.get(id.0 as usize).is_none_or(|s| s.is_union || s.fields.is_none())
        {
            results.insert(function.name.text.clone(), id);
        }
    }
    if results.is_empty() {
        return;
    }
    let mut items = Vec::with_capacity(file.items.len());
    let mut declared: Vec<String> = Vec::new();
    for mut item in std::mem::take(&mut file.items) {
        if let Item::Function(function) = &mut item {
            let name = function.name.text.clone();
            let result = results.get(&name).copied();
            if let Some(id) = result {
                function.result = TypeName::Void;
                if !declared.contains(&name) {
                    let variable = format!("{STRUCT_RESULT}{name}");
                    items.push(Item::Declaration(declaration(variable, id, function.span)));
                    declared.push(name.clone());
                }
            }
            let header = function.span;
            if let Some(body) = &mut function.body {
                let last = body.statements.last().map(|last| &last.kind);
                let ends = matches!(last, Some(StatementKind::Return(_)));
                let returns = result.map(|_| name.clone());
                let mut rewriting = Rewriting { results: &results, returns, taken: Vec::new() };
                rewriting.block(body);
                let taken = rewriting.taken.into_iter();
                let mut first: Vec<Statement> = taken
                    .map(|(name, id, span)| Statement {
                        kind: StatementKind::Declaration(declaration(name, id, span)),
                        span,
                    })
                    .collect();
                if let (Some(id), false) = (result, ends) {
                    first.extend(any_result(&name, id, header));
                }
                body.statements.splice(..0, first);
            }
        }
        items.push(item);
    }
    file.items = items;
}

/// The struct that a procedure returns.
fn returned(function: &Function) -> Option<StructId> {
    match (function.result, function.pointers) {
        (TypeName::Struct(id), 0) => Some(id),
        _ => None,
    }
}

/// A procedure that can end without a `return` gives back any values.
fn any_result(name: &str, id: StructId, span: Span) -> [Statement; 2] {
    let local = format!("{STRUCT_RESULT}{name} without a return");
    let to = Box::new(leaf(format!("{STRUCT_RESULT}{name}"), span));
    let from = Box::new(leaf(local.clone(), span));
    let stored = Expr::new(ExprKind::Assign(None, to, from), span);
    [StatementKind::Declaration(declaration(local, id, span)), StatementKind::Expression(stored)]
        .map(|kind| Statement { kind, span })
}

/// A variable without an initial value.
fn declaration(name: String, id: StructId, span: Span) -> Declaration {
    let name = Name { text: name, span };
    let declarator =
        Declarator { name, pointers: 0, dimensions: Vec::new(), initializer: None, span };
    Declaration::plain(TypeName::Struct(id), vec![declarator])
}

fn leaf(name: String, span: Span) -> Expr {
    Expr::new(ExprKind::Name(name), span)
}

struct Rewriting<'a> {
    results: &'a FxHashMap<String, StructId>,
    /// The procedure, if it returns a struct.
    returns: Option<String>,
    /// The locals that take results.
    taken: Vec<(String, StructId, Span)>,
}

impl Rewriting<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in &mut block.statements {
            self.statement(statement);
        }
    }

    /// As deep as statements nest, which the parser bounds.
    fn statement(&mut self, statement: &mut Statement) {
        let span = statement.span;
        match &mut statement.kind {
            StatementKind::Declaration(declaration) => {
                for declarator in &mut declaration.declarators {
                    if let Some(initializer) = &mut declarator.initializer {
                        self.initializer(initializer);
                    }
                }
            }
            // A result that nobody takes.
            StatementKind::Expression(e) => match &mut e.kind {
                ExprKind::Call(_, arguments) => arguments.iter_mut().for_each(|e| self.expr(e)),
                _ => self.expr(e),
            },
            StatementKind::If { branches, otherwise } => {
                for branch in branches {
                    self.expr(&mut branch.condition);
                    self.statement(&mut branch.then);
                }
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::While { condition, body }
            | StatementKind::DoWhile { body, condition, .. } => {
                self.expr(condition);
                self.statement(body);
            }
            StatementKind::For { initial, condition, step, body } => {
                if let Some(initial) = initial {
                    self.statement(initial);
                }
                condition.iter_mut().chain(step).for_each(|e| self.expr(e));
                self.statement(body);
            }
            StatementKind::Switch { scrutinee, body } => {
                self.expr(scrutinee);
                self.statement(body);
            }
            StatementKind::Return(Some(e)) => {
                self.expr(e);
                if let Some(name) = &self.returns {
                    let to = leaf(format!("{STRUCT_RESULT}{name}"), span);
                    let value = e.clone();
                    let kind = ExprKind::Assign(None, Box::new(to), Box::new(value));
                    let stored = StatementKind::Expression(Expr::new(kind, span));
                    let statements = vec![
                        Statement { kind: stored, span },
                        Statement { kind: StatementKind::Return(None), span },
                    ];
                    statement.kind = StatementKind::Block(Block { statements, end: span });
                }
            }
            StatementKind::Block(block)
            | StatementKind::Atomic(block)
            | StatementKind::Ghost(block) => self.block(block),
            StatementKind::Case(_)
            | StatementKind::Default
            | StatementKind::Label(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Goto(_)
            | StatementKind::Return(None)
            | StatementKind::Forget(_)
            | StatementKind::Unset(_)
            | StatementKind::CutOff(_)
            | StatementKind::Empty => {}
        }
    }

    fn initializer(&mut self, initializer: &mut Initializer) {
        match initializer {
            Initializer::Value(e) => self.expr(e),
            Initializer::List(list, _) => list.iter_mut().for_each(|one| self.initializer(one)),
            Initializer::Member(_, inner) | Initializer::At(_, inner) => self.initializer(inner),
        }
    }

    /// As deep as expressions nest, which the parser bounds.
    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Statements(block) = &mut e.kind {
            return self.block(block);
        }
        let mut children = Vec::new();
        e.children_mut(&mut children);
        children.into_iter().for_each(|child| self.expr(child));
        let span = e.span;
        let result = match &e.kind {
            ExprKind::Call(name, _) => self.results.get(&name.text).map(|id| (name.clone(), *id)),
            _ => None,
        };
        if let Some((name, id)) = result {
            let local = format!("{STRUCT_RESULT}{} {}", name.text, self.taken.len());
            self.taken.push((local.clone(), id, span));
            let from = leaf(format!("{STRUCT_RESULT}{}", name.text), span);
            let to = Box::new(leaf(local.clone(), span));
            let takes = Expr::new(ExprKind::Assign(None, to, Box::new(from)), span);
            let call = e.clone();
            *e = Expr::new(ExprKind::Comma(vec![call, takes, leaf(local, span)]), span);
            return;
        }
        // A member of what a call gives back.
        if let ExprKind::Member(base, _) | ExprKind::Index(base, _) = &mut e.kind
            && let ExprKind::Comma(parts) = &mut base.kind
            && matches!(parts.get(1), Some(Expr { kind: ExprKind::Assign(..), .. }))
            && let Some(last) = parts.pop()
        {
            let mut parts = std::mem::take(parts);
            **base = last;
            let member = e.clone();
            parts.push(Expr::new(member.kind, span));
            *e = Expr::new(ExprKind::Comma(parts), span);
        }
    }
}
