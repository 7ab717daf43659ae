//! References to methods, as lambdas.

use super::Parser;
use crate::mistake::Read;
use crate::span::Span;
use crate::tree::{Expr, ExprKind, LambdaBody, Name, TypeName};

/// So many parameters has a method that is referred to.
const MOST_PARAMETERS: usize = 3;

impl Parser<'_> {
    /// Behind `::`, of a value or a class, or of a type that is only spelt.
    pub(super) fn reference(
        &mut self,
        target: Option<Expr>,
        ty: Option<TypeName>,
        start: Span,
    ) -> Read<Expr> {
        let name = match self.is("new") {
            true => {
                let name = Name { text: "new".to_string(), span: self.span() };
                self.bump();
                name
            }
            false => self.name()?,
        };
        let span = self.from(start);
        let target = target.or_else(|| ty.as_ref().and_then(|ty| class(ty, span)));
        let mut direct = Vec::new();
        let mut on_first = Vec::new();
        for count in 0..=MOST_PARAMETERS {
            let given: Vec<Expr> = (0..count).map(|k| leaf(k, span)).collect();
            let body = match (name.text.as_str(), &target) {
                ("new", _) => made(target.as_ref(), ty.as_ref(), given.clone(), span),
                (_, Some(target)) => Some(call(target.clone(), &name, given.clone(), span)),
                _ => None,
            };
            direct.extend(body.map(|body| lambda(count, body, span)));
            if let Some((first, rest)) = given.split_first() {
                let body = call(first.clone(), &name, rest.to_vec(), span);
                on_first.push(lambda(count, body, span));
            }
        }
        Ok(Expr::new(ExprKind::MethodReference(direct, on_first), span))
    }
}

/// The name of a parameter, which no program spells.
fn parameter(k: usize) -> String {
    format!("given {k}")
}

fn leaf(k: usize, span: Span) -> Expr {
    Expr::new(ExprKind::Name(parameter(k)), span)
}

fn class(ty: &TypeName, span: Span) -> Option<Expr> {
    let crate::tree::TypeKind::Named(parts) = &ty.kind else { return None };
    let (first, rest) = parts.split_first()?;
    let first = Expr::new(ExprKind::Name(first.clone()), span);
    Some(rest.iter().fold(first, |e, part| {
        let name = Name { text: part.clone(), span };
        Expr::new(ExprKind::Member(Box::new(e), name), span)
    }))
}

fn call(target: Expr, name: &Name, arguments: Vec<Expr>, span: Span) -> Expr {
    let target = Some(Box::new(target));
    Expr::new(ExprKind::Call { target, name: name.clone(), arguments }, span)
}

/// `A::new`, or `int[]::new` with its one length.
fn made(
    target: Option<&Expr>,
    ty: Option<&TypeName>,
    arguments: Vec<Expr>,
    span: Span,
) -> Option<Expr> {
    if let Some(ty) = ty.filter(|ty| ty.dimensions > 0) {
        let (type_name, lengths) = (ty.clone(), arguments);
        let is_one = lengths.len() == 1;
        let kind = ExprKind::NewArray { type_name, lengths, values: None };
        return is_one.then(|| Expr::new(kind, span));
    }
    let type_name = match (ty, target.map(|e| &e.kind)) {
        (Some(ty), _) => ty.clone(),
        (None, Some(ExprKind::Name(name))) => {
            let kind = crate::tree::TypeKind::Named(vec![name.clone()]);
            TypeName { kind, arguments: Vec::new(), dimensions: 0, span }
        }
        _ => return None,
    };
    let kind = ExprKind::New { outer: None, type_name, arguments, body: None };
    Some(Expr::new(kind, span))
}

fn lambda(count: usize, body: Expr, span: Span) -> Expr {
    let names = (0..count).map(|k| (None, Name { text: parameter(k), span }));
    let kind = ExprKind::Lambda(names.collect(), Box::new(LambdaBody::Value(body)));
    Expr::new(kind, span)
}
