//! Declarations and definitions (C11 6.7, 6.9).

use super::{Meaning, Parser, Result};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::Token;
use crate::tree::{ProcedureId, Statement, StatementKind, VariableId};
use crate::types::{INT, Length, Signature, Type};
use std::rc::Rc;

impl Parser {
    /// A declaration or a definition outside of procedures.
    pub(super) fn external(&mut self) -> Result<()> {
        if self.takes(";") {
            return Ok(());
        }
        if self.is("_Static_assert") {
            return self.static_assert();
        }
        // C89: `main() { … }` returns an `int`.
        let implicit = !self.begins_type(0) && self.peek_at(1).is("(");
        let specifiers = if implicit {
            super::specifiers::Specifiers {
                ty: INT,
                is_typedef: false,
                is_static: false,
                is_extern: false,
                span: self.peek().span,
            }
        } else {
            self.specifiers()?
        };
        if self.takes(";") {
            return Ok(());
        }
        self.locals.clear();
        loop {
            self.parameters = None;
            self.pending.clear();
            let (name, ty) = self.declarator(specifiers.ty.clone())?;
            let Some(name) = name else { return Err(self.expected("a name")) };
            if specifiers.is_typedef {
                self.scope().names.insert(name.text.clone(), Meaning::Type(ty));
            } else if let Type::Procedure(signature) = &ty {
                let id = self.declare_procedure(&name, signature, specifiers.span);
                if self.is("{") || self.begins_type(0) {
                    return self.definition(id, signature);
                }
            } else {
                self.global(&name, ty, specifiers.is_extern)?;
            }
            if !self.takes(",") {
                self.expect(";")?;
                return Ok(());
            }
        }
    }

    pub(super) fn static_assert(&mut self) -> Result<()> {
        let span = self.next().span;
        self.expect("(")?;
        let value = self.constant()?;
        while !self.is(")") {
            if self.peek().kind == crate::token::Kind::End {
                return Err(self.expected("`)`"));
            }
            self.next();
        }
        self.expect(")")?;
        self.expect(";")?;
        if value == 0 {
            let what = "the static assertion does not hold".to_string();
            return Err(Mistake::new(MistakeKind::Directive(what), span));
        }
        Ok(())
    }

    fn declare_procedure(
        &mut self,
        name: &Token,
        signature: &Signature,
        specifiers: Span,
    ) -> ProcedureId {
        let known = self.scopes[1].names.get(&name.text);
        if let Some(Meaning::Procedure(id)) = known {
            let id = *id;
            // A later declaration may know more, unless the body was read.
            if self.tree.procedures[id.index()].body.is_none() && !signature.open {
                self.tree.procedures[id.index()].signature = signature.clone();
            }
            return id;
        }
        let id = self.procedure(&name.text, signature.clone(), name.span, specifiers);
        self.scopes[1].names.insert(name.text.clone(), Meaning::Procedure(id));
        id
    }

    /// The body of a procedure.
    fn definition(&mut self, id: ProcedureId, signature: &Signature) -> Result<()> {
        if self.tree.procedures[id.index()].body.is_some() {
            let name = self.tree.procedures[id.index()].name.clone();
            return Err(Mistake::new(MistakeKind::Twice(name), self.peek().span));
        }
        let (mut parameters, scope) = self.parameters.take().unwrap_or_default();
        self.declared_behind(&mut parameters, &scope)?;
        let known = !self.tree.procedures[id.index()].signature.open;
        if signature.open {
            self.promote_parameters(&mut parameters)?;
        }
        // What a prototype says of it holds.
        if !(signature.open && known) {
            self.tree.procedures[id.index()].signature = signature.clone();
        }
        self.current = id;
        let pending = std::mem::take(&mut self.pending);
        self.scopes.push(scope);
        let block = self.block();
        self.scopes.pop();
        let mut block = block?;
        if !pending.is_empty() {
            let span = block.span;
            let mut list = pending;
            list.push(block);
            block = Statement { kind: StatementKind::Block(list), span, point: None };
        }
        let procedure = &mut self.tree.procedures[id.index()];
        procedure.parameters = parameters.iter().map(|parameter| parameter.variable).collect();
        procedure.locals = std::mem::take(&mut self.locals);
        procedure.body = Some(block);
        self.current = ProcedureId(0);
        Ok(())
    }

    /// A variable that lives as long as the program, at the file's level.
    fn global(&mut self, name: &Token, ty: Type, is_extern: bool) -> Result<()> {
        if ty == Type::Void {
            return Err(Mistake::new(MistakeKind::Incomplete("void".into()), name.span));
        }
        if is_extern
            && ["__CPROVER_", "__ESBMC_", "__VERIFIER_"].iter().any(|p| name.text.starts_with(p))
        {
            // A verifier's own: what it holds, nobody says here.
            return Err(Mistake::new(MistakeKind::UnknownName(name.text.to_string()), name.span));
        }
        let known = match self.scopes[1].names.get(&name.text) {
            Some(Meaning::Variable(id)) => Some(*id),
            Some(_) => {
                return Err(Mistake::new(MistakeKind::Twice(name.text.to_string()), name.span));
            }
            None => None,
        };
        let id = match known {
            Some(id) => {
                // `int a[];` and later `int a[10];`
                if matches!(self.tree.variables[id.index()].ty, Type::Array(_, Length::Open)) {
                    self.tree.variables[id.index()].ty = ty;
                }
                id
            }
            None => {
                let id = self.variable(&name.text, ty, name.span, true);
                self.scopes[1].names.insert(name.text.clone(), Meaning::Variable(id));
                id
            }
        };
        self.initial_value(id, is_extern)
    }

    /// `= …` behind the name of a variable that lives as long as the program.
    fn initial_value(&mut self, id: VariableId, is_extern: bool) -> Result<()> {
        if self.takes("=") {
            let ty = self.tree.variables[id.index()].ty.clone();
            let (list, ty) = self.initializer(&ty)?;
            self.tree.variables[id.index()].ty = ty;
            self.tree.globals.push((id, list));
        } else if !is_extern {
            let variable = &mut self.tree.variables[id.index()];
            if let Type::Array(element, Length::Open) = &variable.ty {
                variable.ty = Type::Array(Rc::clone(element), Length::Known(1));
            }
            if variable.ty.size(&self.tree.records).is_none() {
                // `struct s x; struct s { int a; };` (C11 6.9.2)
                if matches!(variable.ty, Type::Record(_)) && self.scopes.len() == 2 {
                    self.tentative.push(id);
                    return Ok(());
                }
                let variable = &self.tree.variables[id.index()];
                let span = variable.span;
                let name = self.tree.variables[id.index()].ty.name(&self.tree.records);
                return Err(Mistake::new(MistakeKind::Incomplete(name), span));
            }
        }
        Ok(())
    }

    /// A declaration in a block, as the statements that it executes.
    pub(super) fn local_declaration(&mut self, list: &mut Vec<Statement>) -> Result<()> {
        if self.is("_Static_assert") {
            return self.static_assert();
        }
        let specifiers = self.specifiers()?;
        if self.takes(";") {
            return Ok(());
        }
        let mut first = true;
        loop {
            self.parameters = None;
            let (name, ty) = self.declarator(specifiers.ty.clone())?;
            let Some(name) = name else { return Err(self.expected("a name")) };
            list.append(&mut self.pending);
            if specifiers.is_typedef {
                self.scope().names.insert(name.text.clone(), Meaning::Type(ty));
            } else if let Type::Procedure(signature) = &ty {
                let id = self.declare_procedure(&name, signature, specifiers.span);
                self.scope().names.insert(name.text.clone(), Meaning::Procedure(id));
            } else {
                let from = if first { specifiers.span } else { name.span };
                let is_static = specifiers.is_static || specifiers.is_extern;
                self.local(&name, ty, from, is_static, specifiers.is_extern, list)?;
            }
            first = false;
            if !self.takes(",") {
                self.expect(";")?;
                return Ok(());
            }
        }
    }

    fn local(
        &mut self,
        name: &Token,
        ty: Type,
        from: Span,
        is_static: bool,
        is_extern: bool,
        list: &mut Vec<Statement>,
    ) -> Result<()> {
        if matches!(self.scope().names.get(&name.text), Some(Meaning::Variable(_))) && !is_extern {
            return Err(Mistake::new(MistakeKind::Twice(name.text.to_string()), name.span));
        }
        if is_extern {
            self.global(name, ty, true)?;
            if let Some(meaning) = self.scopes[1].names.get(&name.text).cloned() {
                self.scope().names.insert(name.text.clone(), meaning);
            }
            return Ok(());
        }
        let id = self.variable(&name.text, ty.clone(), name.span, is_static);
        self.scope().names.insert(name.text.clone(), Meaning::Variable(id));
        if is_static {
            return self.initial_value(id, false);
        }
        let mut values = None;
        if self.takes("=") {
            let (initial, complete) = self.initializer(&ty)?;
            if let Some(size) = complete.size(&self.tree.records)
                && initial.iter().any(|one| one.offset >= size && one.bits.is_none())
            {
                let what = "a local variable with values for an array without a length";
                return Err(Mistake::new(MistakeKind::NotExecuted(what.into()), name.span));
            }
            self.tree.variables[id.index()].ty = complete;
            values = Some(initial);
        } else if !ty.is_variable() && ty.size(&self.tree.records).is_none() || ty == Type::Void {
            let kind = MistakeKind::Incomplete(ty.name(&self.tree.records));
            return Err(Mistake::new(kind, name.span));
        }
        let span = from.to(self.last_span());
        let point = Some(self.point(span));
        list.push(Statement { kind: StatementKind::Declare(id, values), span, point });
        Ok(())
    }
}
