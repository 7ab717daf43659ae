//! Declarators and names of types (C11 6.7.6, 6.7.7).

use super::{Meaning, Parameter, Parser, Result, Scope};
use crate::mistake::{Mistake, MistakeKind};
use crate::token::Token;
use crate::tree::{Expr, ExprKind, Initial, Statement, StatementKind};
use crate::types::{Length, SIZE, Signature, Type};
use std::rc::Rc;

impl Parser {
    /// A declarator, with or without a name.
    pub(super) fn declarator(&mut self, base: Type) -> Result<(Option<Token>, Type)> {
        self.nested(|parser| parser.declarator_here(base))
    }

    fn declarator_here(&mut self, mut ty: Type) -> Result<(Option<Token>, Type)> {
        loop {
            self.attributes()?;
            if self.takes("*") {
                ty = ty.pointer();
            } else if !(self.takes("const")
                || self.takes("volatile")
                || self.takes("restrict")
                || self.takes("__restrict")
                || self.takes("__const"))
            {
                break;
            }
        }
        // `(` begins a declarator in brackets, unless parameters stand there.
        if self.is("(") && !self.begins_type(1) && !self.peek_at(1).is(")") {
            // What stands behind the brackets belongs to the type that the declarator in them
            // starts from: read that first, then go back.
            let inside = self.at + 1;
            self.skip_brackets()?;
            let ty = self.suffix(ty)?;
            let behind = self.at;
            self.at = inside;
            let result = self.declarator(ty)?;
            self.expect(")")?;
            self.at = behind;
            return Ok(result);
        }
        let name = if self.peek().kind == crate::token::Kind::Word
            && !super::specifiers::is_keyword(&self.peek().text)
        {
            Some(self.next())
        } else {
            None
        };
        let ty = self.suffix(ty)?;
        self.attributes()?;
        Ok((name, ty))
    }

    fn skip_brackets(&mut self) -> Result<()> {
        let mut depth = 0;
        loop {
            if self.peek().kind == crate::token::Kind::End {
                return Err(self.expected("`)`"));
            }
            let token = self.next();
            depth += i32::from(token.is("(")) - i32::from(token.is(")"));
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// `[n]` and parameters behind a name.
    fn suffix(&mut self, base: Type) -> Result<Type> {
        self.nested(|parser| parser.suffix_here(base))
    }

    fn suffix_here(&mut self, base: Type) -> Result<Type> {
        if self.takes("[") {
            while self.takes("static") || self.takes("const") || self.takes("restrict") {}
            let length = self.length()?;
            let element = self.suffix(base)?;
            return Ok(Type::Array(Rc::new(element), length));
        }
        if self.is("(") {
            let (parameters, scope, variadic, open) = self.parameters()?;
            let types = match open {
                true => Vec::new(),
                false => parameters.iter().map(|parameter| parameter.ty.clone()).collect(),
            };
            let result = self.suffix(base)?;
            self.parameters = Some((parameters, scope));
            let signature = Signature { result, parameters: types, variadic, open };
            return Ok(Type::Procedure(Rc::new(signature)));
        }
        Ok(base)
    }

    /// The length of an array, up to its `]`.
    fn length(&mut self) -> Result<Length> {
        if self.takes("]") {
            return Ok(Length::Open);
        }
        if self.is("*") && self.peek_at(1).is("]") {
            self.next();
            self.next();
            return Ok(Length::Open);
        }
        let value = self.assignment()?;
        let span = value.span;
        self.expect("]")?;
        if let Some(count) = super::typing::constant(&value, &self.tree.records) {
            return match u64::try_from(count) {
                Ok(count) => Ok(Length::Known(count)),
                Err(_) => Err(Mistake::new(MistakeKind::NotConstant, span)),
            };
        }
        if !self.is_local() {
            return Err(Mistake::new(MistakeKind::NotConstant, span));
        }
        let value = self.converted(value, &SIZE)?;
        let variable = self.variable("", SIZE, span, false);
        let place = Expr::new(ExprKind::Variable(variable), SIZE, span);
        let assign = ExprKind::Assign(Box::new(place), Box::new(value));
        let assign = Expr::new(assign, SIZE, span);
        let declare = StatementKind::Declare(variable, Some(Vec::<Initial>::new()));
        self.pending.push(Statement { kind: declare, span, point: None });
        let kind = StatementKind::Expression(assign);
        self.pending.push(Statement { kind, span, point: None });
        Ok(Length::Variable(variable.0))
    }

    /// Parameters in their brackets. Each is a variable at once: the length of a later one may name
    /// it.
    fn parameters(&mut self) -> Result<(Vec<Parameter>, Scope, bool, bool)> {
        self.expect("(")?;
        if self.takes(")") {
            return Ok((Vec::new(), Scope::default(), false, true));
        }
        if self.is("void") && self.peek_at(1).is(")") {
            self.next();
            self.next();
            return Ok((Vec::new(), Scope::default(), false, false));
        }
        if self.begins_names() {
            return self.names_alone();
        }
        self.scopes.push(Scope::default());
        let result = self.parameters_here();
        let scope = self.scopes.pop().unwrap_or_default();
        let (parameters, variadic) = result?;
        Ok((parameters, scope, variadic, false))
    }

    fn parameters_here(&mut self) -> Result<(Vec<Parameter>, bool)> {
        let mut list = Vec::new();
        loop {
            if self.takes("...") {
                self.expect(")")?;
                return Ok((list, true));
            }
            let specifiers = self.specifiers()?;
            let (name, ty) = self.declarator(specifiers.ty)?;
            let ty = match ty {
                Type::Array(element, _) => Type::Pointer(element),
                Type::Procedure(_) => ty.pointer(),
                other => other,
            };
            let span = name.as_ref().map_or(specifiers.span, |name| name.span);
            let text = name.as_ref().map_or("", |name| &name.text).to_string();
            let variable = self.variable(&text, ty.clone(), span, false);
            if let Some(name) = &name {
                self.scope().names.insert(name.text.clone(), Meaning::Variable(variable));
            }
            list.push(Parameter { variable, ty });
            if !self.takes(",") {
                self.expect(")")?;
                return Ok((list, false));
            }
        }
    }

    /// The name of a type, as casts and `sizeof` have it.
    pub(super) fn type_name(&mut self) -> Result<Type> {
        let specifiers = self.specifiers()?;
        let (name, ty) = self.declarator(specifiers.ty)?;
        match name {
            None => Ok(ty),
            Some(name) => Err(Mistake::new(
                MistakeKind::Expected("a type".into(), format!("`{}`", name.text)),
                name.span,
            )),
        }
    }
}
