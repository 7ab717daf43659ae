//! Names, literals, calls, members, `sizeof` (C11 6.5.1, 6.5.2, 6.5.3.4).

use super::{Meaning, Parser, Result, literal};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::{Kind, Token};
use crate::tree::{Expr, ExprKind, StatementKind, TextId};
use crate::types::{CHAR, INT, Length, SIZE, Signature, Type};
use std::rc::Rc;

impl Parser {
    pub(super) fn primary(&mut self) -> Result<Expr> {
        let token = self.peek().clone();
        let span = token.span;
        match token.kind {
            Kind::Number => {
                self.next();
                number(&token)
            }
            Kind::Character => {
                self.next();
                let value = literal::character(&token.text);
                let value = value.ok_or_else(|| Mistake::new(MistakeKind::NotConstant, span))?;
                Ok(Expr::new(ExprKind::Integer(value as u64), INT, span))
            }
            Kind::Text => {
                let mut bytes = self.text()?;
                bytes.push(0);
                let ty = Type::Array(Rc::new(CHAR), Length::Known(bytes.len() as u64));
                let id = TextId(self.tree.texts.len() as u32);
                self.tree.texts.push(bytes);
                Ok(Expr::new(ExprKind::Text(id), ty, span.to(self.last_span())))
            }
            Kind::Punctuator if token.is("(") => self.bracketed(),
            Kind::Word => self.word(token),
            _ => Err(self.expected("an expression")),
        }
    }

    /// String literals, one behind the other, without a zero.
    pub(super) fn text(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        while self.peek().kind == Kind::Text {
            let token = self.next();
            let Some(part) = literal::string(&token.text) else {
                let kind = MistakeKind::NotExecuted("a string of wide characters".into());
                return Err(Mistake::new(kind, token.span));
            };
            bytes.extend(part);
        }
        Ok(bytes)
    }

    fn bracketed(&mut self) -> Result<Expr> {
        let start = self.next().span;
        if self.is("{") {
            let block = self.block()?;
            let span = start.to(self.expect(")")?);
            let StatementKind::Block(mut list) = block.kind else {
                return Err(self.expected("`{`"));
            };
            let mut value = None;
            let mut ty = Type::Void;
            if let Some(last) = list.pop() {
                match last.kind {
                    StatementKind::Expression(e) => {
                        let e = self.value(e);
                        ty = e.ty.clone();
                        value = Some(Box::new(e));
                    }
                    kind => list.push(crate::tree::Statement { kind, ..last }),
                }
            }
            return Ok(Expr::new(ExprKind::Statements(list, value), ty, span));
        }
        let mut inner = self.nested(Parser::expression)?;
        inner.span = start.to(self.expect(")")?);
        Ok(inner)
    }

    fn word(&mut self, token: Token) -> Result<Expr> {
        let span = token.span;
        match &*token.text {
            "__assert" => return self.assertion(),
            "__builtin_va_start" | "__builtin_va_arg" => {
                return self.variable_arguments(&token.text);
            }
            "__builtin_offsetof" => return self.offset_of(),
            "__func__" | "__FUNCTION__" => {
                self.next();
                let mut bytes =
                    self.tree.procedures[self.current.index()].name.clone().into_bytes();
                bytes.push(0);
                let ty = Type::Array(Rc::new(CHAR), Length::Known(bytes.len() as u64));
                let id = TextId(self.tree.texts.len() as u32);
                self.tree.texts.push(bytes);
                return Ok(Expr::new(ExprKind::Text(id), ty, span));
            }
            "__LINE__" => {
                self.next();
                return Ok(Expr::new(ExprKind::Integer(u64::from(span.line)), INT, span));
            }
            "_Generic" => {
                let kind = MistakeKind::NotExecuted("`_Generic`".into());
                return Err(Mistake::new(kind, span));
            }
            _ => {}
        }
        if let Some(e) = self.quantifier()? {
            return Ok(e);
        }
        if super::specifiers::is_keyword(&token.text) {
            return Err(self.expected("an expression"));
        }
        if let Some(call) = self.generic_call(&token)? {
            return Ok(call);
        }
        self.next();
        match self.meaning(&token.text) {
            Some(Meaning::Variable(id)) => {
                let id = *id;
                let variable = &mut self.tree.variables[id.index()];
                variable.used = true;
                let ty = variable.ty.clone();
                Ok(Expr::new(ExprKind::Variable(id), ty, span))
            }
            Some(Meaning::Procedure(id)) => {
                let id = *id;
                let signature = self.tree.procedures[id.index()].signature.clone();
                Ok(Expr::new(ExprKind::Procedure(id), Type::Procedure(Rc::new(signature)), span))
            }
            Some(Meaning::Constant(value)) => {
                Ok(Expr::new(ExprKind::Integer(*value as u64), INT, span))
            }
            Some(Meaning::Type(_)) => {
                let kind =
                    MistakeKind::Expected("an expression".into(), format!("`{}`", token.text));
                Err(Mistake::new(kind, span))
            }
            // C89: a procedure that is called before it is declared returns an `int`. If nobody
            // defines it, `compile` says so.
            None if self.is("(") => {
                let signature =
                    Signature { result: INT, parameters: vec![], variadic: false, open: true };
                let id = self.procedure(&token.text, signature.clone(), span, Span::default());
                self.scopes[1].names.insert(token.text.clone(), Meaning::Procedure(id));
                Ok(Expr::new(ExprKind::Procedure(id), Type::Procedure(Rc::new(signature)), span))
            }
            None => Err(Mistake::new(MistakeKind::UnknownName(token.text.to_string()), span)),
        }
    }

    fn assertion(&mut self) -> Result<Expr> {
        let start = self.next().span;
        self.expect("(")?;
        let inner = self.nested(Parser::expression)?;
        let inner = self.scalar(inner)?;
        let span = start.to(self.expect(")")?);
        Ok(Expr::new(ExprKind::Assert(Box::new(inner)), Type::Void, span))
    }

    fn variable_arguments(&mut self, word: &str) -> Result<Expr> {
        let start = self.next().span;
        self.expect("(")?;
        let list = self.assignment()?;
        self.writable(&list)?;
        if let ExprKind::Variable(id) = list.kind {
            self.tree.variables[id.index()].addressed = true;
        }
        self.expect(",")?;
        if word == "__builtin_va_start" {
            self.assignment()?;
            let span = start.to(self.expect(")")?);
            return Ok(Expr::new(ExprKind::VariableArguments(Box::new(list)), Type::Void, span));
        }
        let ty = self.type_name()?;
        let span = start.to(self.expect(")")?);
        if !ty.is_scalar() {
            let kind = MistakeKind::NotExecuted("`va_arg` of a struct".into());
            return Err(Mistake::new(kind, span));
        }
        Ok(Expr::new(ExprKind::NextArgument(Box::new(list)), ty, span))
    }

    fn offset_of(&mut self) -> Result<Expr> {
        let start = self.next().span;
        self.expect("(")?;
        let ty = self.type_name()?;
        self.expect(",")?;
        let name = self.name("the name of a member")?;
        let null = Expr::new(ExprKind::Integer(0), SIZE, start);
        let null = self.converted(null, &ty.pointer())?;
        let whole = self.indirect(null, start)?;
        let mut place = self.member(whole, &name)?;
        loop {
            if self.takes(".") {
                let name = self.name("the name of a member")?;
                place = self.member(place, &name)?;
            } else if self.takes("[") {
                let index = self.nested(Parser::expression)?;
                let span = start.to(self.expect("]")?);
                let sum = self.binary_of(crate::tree::Binary::Add, "[]", place, index)?;
                place = self.indirect(sum, span)?;
            } else {
                break;
            }
        }
        let span = start.to(self.expect(")")?);
        let pointer = place.ty.clone().pointer();
        let address = Expr::new(ExprKind::Address(Box::new(place)), pointer, span);
        if let Some(offset) = super::typing::constant(&address, &self.tree.records) {
            return Ok(Expr::new(ExprKind::Integer(offset as u64), SIZE, span));
        }
        self.converted(address, &SIZE)
    }

    pub(super) fn compound_literal(&mut self, ty: Type, start: Span) -> Result<Expr> {
        let (list, ty) = self.initializer(&ty)?;
        let span = start.to(self.last_span());
        let global = !self.is_local();
        let id = self.variable("", ty.clone(), span, global);
        self.tree.variables[id.index()].addressed = true;
        Ok(Expr::new(ExprKind::Literal(id, list), ty, span))
    }

    pub(super) fn size_of(&mut self, size: bool, start: Span) -> Result<Expr> {
        let ty = if self.is("(") && self.begins_type(1) {
            self.next();
            let ty = self.type_name()?;
            self.expect(")")?;
            ty
        } else {
            self.nested(|parser| parser.sized_operand())?
        };
        let span = start.to(self.last_span());
        if size && ty.is_variable() {
            return Ok(Expr::new(ExprKind::SizeOf(ty), SIZE, span));
        }
        let found = ty.size(&self.tree.records);
        let found = if size { found } else { found.map(|_| ty.alignment(&self.tree.records)) };
        let found = found.ok_or_else(|| {
            Mistake::new(MistakeKind::Incomplete(ty.name(&self.tree.records)), span)
        })?;
        Ok(Expr::new(ExprKind::Integer(found), SIZE, span))
    }

    /// The type of an operand that is not evaluated.
    fn sized_operand(&mut self) -> Result<Type> {
        // What it makes (literals, temporary variables) is never executed.
        let e = self.unary_operand()?;
        Ok(e.ty)
    }

    /// Calls, members, elements, steps behind an operand.
    pub(super) fn postfix(&mut self, mut e: Expr) -> Result<Expr> {
        let mut length = 0;
        loop {
            length += 1;
            if length > 200 {
                return Err(Mistake::new(MistakeKind::TooLarge, e.span));
            }
            if self.takes("[") {
                let index = self.nested(Parser::expression)?;
                let end = self.expect("]")?;
                let span = e.span.to(end);
                let sum = self.binary_of(crate::tree::Binary::Add, "[]", e, index)?;
                e = self.indirect(sum, span)?;
            } else if self.is("(") {
                e = self.call(e)?;
            } else if self.takes(".") {
                let name = self.name("the name of a member")?;
                e = self.member(e, &name)?;
            } else if self.takes("->") {
                let name = self.name("the name of a member")?;
                let span = e.span;
                let pointer = self.value(e);
                let target = self.indirect(pointer, span)?;
                e = self.member(target, &name)?;
            } else if self.is("++") || self.is("--") {
                let token = self.next();
                let span = e.span.to(token.span);
                e = self.step(token.is("++"), false, e, span)?;
            } else {
                return Ok(e);
            }
        }
    }

    fn member(&mut self, mut e: Expr, name: &Token) -> Result<Expr> {
        let (path, _) = self.member_path(&e.ty, name)?;
        let span = e.span.to(name.span);
        for (ty, offset, bits) in path {
            e = Expr::new(ExprKind::Member(Box::new(e), offset, bits), ty, span);
        }
        Ok(e)
    }

    fn call(&mut self, callee: Expr) -> Result<Expr> {
        self.no_effects_here(callee.span)?;
        self.expect("(")?;
        let mut given = Vec::new();
        while !self.is(")") {
            given.push(self.assignment()?);
            if !self.takes(",") {
                break;
            }
        }
        let span = callee.span.to(self.expect(")")?);
        let callee = self.value(callee);
        let signature = match callee.ty.target() {
            Some(Type::Procedure(signature)) => Rc::clone(signature),
            _ => return Err(self.wrong_operands("()", &[&callee.ty], span)),
        };
        let needed = signature.parameters.len();
        let enough = if signature.variadic { given.len() >= needed } else { given.len() == needed };
        if !signature.open && !enough {
            let name = match &callee.kind {
                ExprKind::Address(inner) => match inner.kind {
                    ExprKind::Procedure(id) => self.tree.procedures[id.index()].name.clone(),
                    _ => "procedure".into(),
                },
                _ => "procedure".into(),
            };
            let kind = MistakeKind::Arguments(name, given.len() as u32, needed as u32);
            return Err(Mistake::new(kind, span));
        }
        let mut arguments = Vec::with_capacity(given.len());
        for (k, argument) in given.into_iter().enumerate() {
            arguments.push(match signature.parameters.get(k) {
                Some(ty) => self.converted(argument, ty)?,
                None => self.promoted(argument)?,
            });
        }
        let ty = signature.result.clone();
        Ok(Expr::new(ExprKind::Call(Box::new(callee), arguments), ty, span))
    }
}

fn number(token: &Token) -> Result<Expr> {
    if let Some((value, integer)) = literal::integer(&token.text) {
        let ty = Type::Integer(integer);
        return Ok(Expr::new(ExprKind::Integer(integer.wrap(value)), ty, token.span));
    }
    let wrong = || Mistake::new(MistakeKind::NotConstant, token.span);
    let (value, single) = literal::floating(&token.text).ok_or_else(wrong)?;
    let ty = if single { Type::Float } else { Type::Double };
    Ok(Expr::new(ExprKind::Floating(value), ty, token.span))
}

impl Parser {
    /// The operand of `sizeof`: no cast.
    fn unary_operand(&mut self) -> Result<Expr> {
        if self.is("(") {
            let primary = self.primary()?;
            return self.postfix(primary);
        }
        self.cast()
    }
}
