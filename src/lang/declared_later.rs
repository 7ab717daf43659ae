//! Globals that are used above their declaration: C and Cimple read a text from its top, so such a
//! name means nothing yet.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::Span;
use crate::lang::syntax::{
    Block, Declaration, Expr, ExprKind, File, Initializer, Item, Name, Statement, StatementKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reports each global that a procedure, or the value of another global, uses above its
/// declaration. Once for each name and procedure.
pub(super) fn report(file: &File, diagnostics: &mut Diagnostics) {
    let mut declared = FxHashMap::default();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for item in &file.items {
        match item {
            Item::Declaration(declaration) => {
                for enumeration in &declaration.enumerations {
                    known.extend(enumeration.members.iter().map(|m| m.name.text.as_str()));
                }
                for declarator in &declaration.declarators {
                    let name = &declarator.name;
                    declared.entry(name.text.as_str()).or_insert(name.span);
                }
            }
            Item::Function(function) | Item::Thread(function) => {
                known.insert(&function.name.text);
            }
        }
    }
    declared.retain(|name, _| !known.contains(name));
    let mut walk = Walk { later: declared, scopes: Vec::new(), found: Vec::new() };
    for item in &file.items {
        match item {
            Item::Declaration(declaration) => walk.declaration(declaration),
            Item::Function(function) | Item::Thread(function) => {
                let Some(body) = &function.body else { continue };
                let names = function.parameters.iter().filter_map(|p| p.name.as_ref());
                walk.scopes.push(names.map(|name| name.text.as_str()).collect());
                walk.block(body);
                walk.scopes.pop();
            }
        }
        for (name, used, declared) in std::mem::take(&mut walk.found) {
            let message =
                format!("`{name}` is used above its declaration in line {}", declared.line);
            let hint = format!("move the declaration of `{name}` above line {}", used.line);
            diagnostics.error(used, message, hint);
        }
    }
}

struct Walk<'f> {
    /// The globals that are not declared yet.
    later: FxHashMap<&'f str, Span>,
    scopes: Vec<FxHashSet<&'f str>>,
    /// Name, place of the use, place of the declaration.
    found: Vec<(&'f str, Span, Span)>,
}

impl<'f> Walk<'f> {
    fn name(&mut self, name: &'f str, span: Span) {
        let Some(declared) = self.later.get(name) else { return };
        if !self.scopes.iter().any(|scope| scope.contains(name))
            && !self.found.iter().any(|(found, ..)| *found == name)
        {
            self.found.push((name, span, *declared));
        }
    }

    fn bind(&mut self, name: &'f Name) {
        match self.scopes.last_mut() {
            Some(scope) => drop(scope.insert(&name.text)),
            None => drop(self.later.remove(name.text.as_str())),
        }
    }

    /// A name is known from its declarator on, in its own value too.
    fn declaration(&mut self, declaration: &'f Declaration) {
        for member in declaration.enumerations.iter().flat_map(|e| &e.members) {
            self.bind(&member.name);
        }
        for declarator in &declaration.declarators {
            declarator.dimensions.iter().flatten().for_each(|size| self.expression(size));
            self.bind(&declarator.name);
            if let Some(initializer) = &declarator.initializer {
                self.initializer(initializer);
            }
        }
    }

    fn initializer(&mut self, initializer: &'f Initializer) {
        match initializer {
            Initializer::Value(e) => self.expression(e),
            Initializer::List(list, _) => list.iter().for_each(|part| self.initializer(part)),
            Initializer::Member(_, part) => self.initializer(part),
            Initializer::At(at, part) => {
                self.expression(at);
                self.initializer(part);
            }
        }
    }

    fn block(&mut self, block: &'f Block) {
        self.scopes.push(FxHashSet::default());
        block.statements.iter().for_each(|statement| self.statement(statement));
        self.scopes.pop();
    }

    /// The parser bounds the depth.
    fn statement(&mut self, statement: &'f Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Expression(e) | StatementKind::CutOff(e) | StatementKind::Case(e) => {
                self.expression(e);
            }
            StatementKind::If { branches, otherwise } => {
                for branch in branches {
                    self.expression(&branch.condition);
                    self.statement(&branch.then);
                }
                otherwise.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::While { condition, body }
            | StatementKind::DoWhile { body, condition, .. } => {
                self.expression(condition);
                self.statement(body);
            }
            StatementKind::For { initial, condition, step, body } => {
                self.scopes.push(FxHashSet::default());
                initial.iter().for_each(|statement| self.statement(statement));
                condition.iter().chain(step).for_each(|e| self.expression(e));
                self.statement(body);
                self.scopes.pop();
            }
            StatementKind::Switch { scrutinee, body } => {
                self.expression(scrutinee);
                self.statement(body);
            }
            StatementKind::Return(value) => value.iter().for_each(|e| self.expression(e)),
            StatementKind::Block(block)
            | StatementKind::Atomic(block)
            | StatementKind::Ghost(block) => self.block(block),
            StatementKind::Forget(places) | StatementKind::Unset(places) => {
                for (place, value) in places {
                    self.expression(place);
                    value.iter().for_each(|value| self.expression(value));
                }
            }
            StatementKind::Default
            | StatementKind::Label(_)
            | StatementKind::Goto(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Empty => {}
        }
    }

    fn expression(&mut self, e: &'f Expr) {
        let mut rest = vec![e];
        while let Some(e) = rest.pop() {
            match &e.kind {
                ExprKind::Name(name) => self.name(name, e.span),
                ExprKind::SizeOf(inner) => rest.push(inner),
                ExprKind::Statements(block) => self.block(block),
                _ => e.children(&mut rest),
            }
        }
    }
}
