//! Statements, one on a line.

use super::Printer;
use crate::lang::syntax::{Block, Branch, Expr, ExprKind, Statement, StatementKind};
use std::fmt::Write;

impl Printer<'_> {
    /// The name of a label. A label `error` is an error in Cimple, and no error in C.
    fn label<'n>(&self, name: &'n str) -> &'n str {
        if self.translate && name == "error" { "ERROR" } else { name }
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.put("{\n");
        for statement in &block.statements {
            self.statement(statement);
        }
        self.put("}");
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => {
                self.enumerations(declaration);
                for declarator in &declaration.declarators {
                    self.declaration(declaration, declarator);
                    self.put(";\n");
                }
            }
            StatementKind::Expression(e) => self.expression_statement(e),
            StatementKind::If { branches, otherwise } => {
                self.if_chain(branches, otherwise.as_deref())
            }
            StatementKind::While { condition, body } => {
                self.put("while (");
                self.expression(condition);
                self.put(") ");
                self.body(body);
            }
            StatementKind::DoWhile { body, condition, .. } => {
                self.put("do ");
                self.body(body);
                self.put("while (");
                self.expression(condition);
                self.put(");\n");
            }
            StatementKind::For { initial, condition, step, body } => {
                self.for_head(initial.as_deref(), condition.as_ref(), step.as_ref());
                self.body(body);
            }
            StatementKind::Switch { scrutinee, body } => {
                self.put("switch (");
                self.expression(scrutinee);
                self.put(") ");
                self.body(body);
            }
            StatementKind::Case(e) => {
                self.put("case ");
                self.operand(e);
                self.put(":\n");
            }
            StatementKind::Default => self.put("default:\n"),
            StatementKind::Label(name) => {
                self.put(self.label(&name.text));
                self.put(":\n");
            }
            StatementKind::Break => self.put("break;\n"),
            StatementKind::Continue => self.put("continue;\n"),
            StatementKind::Goto(name) => {
                let name = self.label(&name.text);
                let _ = writeln!(self.text, "goto {name};");
            }
            StatementKind::Return(None) => self.put("return;\n"),
            StatementKind::Return(Some(e)) => {
                self.put("return ");
                self.expression(e);
                self.put(";\n");
            }
            StatementKind::Block(block) => {
                self.block(block);
                self.put("\n");
            }
            StatementKind::Atomic(block) => {
                self.put("atomic ");
                self.block(block);
                self.put("\n");
            }
            // The text of a program says none of these.
            StatementKind::Empty
            | StatementKind::Ghost(_)
            | StatementKind::Forget(_)
            | StatementKind::Unset(_)
            | StatementKind::CutOff(_) => self.put(";\n"),
        }
    }

    fn if_chain(&mut self, branches: &[Branch], otherwise: Option<&Statement>) {
        for (index, branch) in branches.iter().enumerate() {
            self.put(if index > 0 { "else if (" } else { "if (" });
            self.expression(&branch.condition);
            self.put(") ");
            self.body(&branch.then);
        }
        if let Some(otherwise) = otherwise {
            self.put("else ");
            self.body(otherwise);
        }
    }

    fn for_head(
        &mut self,
        initial: Option<&Statement>,
        condition: Option<&Expr>,
        step: Option<&Expr>,
    ) {
        self.put("for (");
        match initial.map(|s| &s.kind) {
            Some(StatementKind::Declaration(declaration)) => self.declarators(declaration),
            Some(StatementKind::Expression(e)) => self.expression(e),
            _ => {}
        }
        self.put("; ");
        if let Some(e) = condition {
            self.expression(e);
        }
        self.put("; ");
        if let Some(e) = step {
            self.expression(e);
        }
        self.put(") ");
    }

    /// Prints a body in braces. A body without braces is a scope too, so this does not change its
    /// meaning.
    pub(super) fn body(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Block(_) => self.statement(statement),
            _ => {
                self.put("{\n");
                self.statement(statement);
                self.put("}\n");
            }
        }
    }

    pub(super) fn expression_statement(&mut self, e: &Expr) {
        if let (ExprKind::Name(name), true) = (&e.kind, self.translate)
            && name == "skip"
        {
            // A statement that does nothing. An empty statement would not count as a statement.
            self.put("if (1) ;\n");
            return;
        }
        self.expression(e);
        self.put(";\n");
    }
}
