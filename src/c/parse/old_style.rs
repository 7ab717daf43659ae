//! Procedures as C had them before prototypes: `int f(a, b) char *b; { … }` (C11 6.9.1).

use super::{Meaning, Parameter, Parser, Result, Scope};
use crate::mistake::{Mistake, MistakeKind};
use crate::token::Kind;
use crate::tree::{Expr, ExprKind, Statement, StatementKind};
use crate::types::{INT, Type};

impl Parser {
    /// Do names without types stand here?
    pub(super) fn begins_names(&self) -> bool {
        self.peek().kind == Kind::Word
            && !self.begins_type(0)
            && (self.peek_at(1).is(",") || self.peek_at(1).is(")"))
    }

    /// The names between the brackets, behind which a definition goes on. Each is an `int` unless
    /// a declaration says something else.
    pub(super) fn names_alone(&mut self) -> Result<(Vec<Parameter>, Scope, bool, bool)> {
        let first = self.expected("a type");
        let (mut list, mut scope) = (Vec::new(), Scope::default());
        loop {
            let name = self.name("the name of a parameter")?;
            let variable = self.variable(&name.text, INT, name.span, false);
            if scope.names.insert(name.text.clone(), Meaning::Variable(variable)).is_some() {
                return Err(Mistake::new(MistakeKind::Twice(name.text.to_string()), name.span));
            }
            list.push(Parameter { variable, ty: INT });
            if !self.takes(",") {
                break;
            }
        }
        self.expect(")")?;
        if !self.is("{") && !self.begins_type(0) {
            return Err(first);
        }
        Ok((list, scope, false, true))
    }

    /// The declarations between the brackets and the body.
    pub(super) fn declared_behind(
        &mut self,
        parameters: &mut [Parameter],
        scope: &Scope,
    ) -> Result<()> {
        while !self.is("{") {
            let specifiers = self.specifiers()?;
            loop {
                let (name, ty) = self.declarator(specifiers.ty.clone())?;
                let Some(name) = name else { return Err(self.expected("a name")) };
                let ty = match ty {
                    Type::Array(element, _) => Type::Pointer(element),
                    Type::Procedure(_) => ty.pointer(),
                    other => other,
                };
                let known = match scope.names.get(&name.text) {
                    Some(Meaning::Variable(id)) => *id,
                    _ => {
                        let kind = MistakeKind::UnknownName(name.text.to_string());
                        return Err(Mistake::new(kind, name.span));
                    }
                };
                let variable = &mut self.tree.variables[known.index()];
                variable.addressed = !ty.is_scalar();
                variable.ty = ty.clone();
                for parameter in parameters.iter_mut().filter(|one| one.variable == known) {
                    parameter.ty = ty.clone();
                }
                if !self.takes(",") {
                    self.expect(";")?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// A call promotes its arguments: what is narrower takes its value from another variable.
    pub(super) fn promote_parameters(&mut self, parameters: &mut [Parameter]) -> Result<()> {
        for parameter in parameters {
            let wide = match &parameter.ty {
                Type::Float => Type::Double,
                Type::Integer(integer) => Type::Integer(integer.promoted()),
                _ => continue,
            };
            if wide == parameter.ty {
                continue;
            }
            let span = self.tree.variables[parameter.variable.index()].span;
            let given = self.variable("", wide.clone(), span, false);
            let value = Expr::new(ExprKind::Variable(given), wide, span);
            let value = self.converted(value, &parameter.ty)?;
            let place = ExprKind::Variable(parameter.variable);
            let place = Expr::new(place, parameter.ty.clone(), span);
            let assign = ExprKind::Assign(Box::new(place), Box::new(value));
            let assign = Expr::new(assign, parameter.ty.clone(), span);
            let kind = StatementKind::Expression(assign);
            self.pending.push(Statement { kind, span, point: None });
            parameter.variable = given;
        }
        Ok(())
    }
}
