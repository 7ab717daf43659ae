//! Declarations: variables whose address is taken become slots; pointers become numbers.

use super::build::{assign, expr, index, name, number, statement};
use super::heap::plain;
use super::layout::Life;
use super::lowerer::{Lowered, Lowerer, Variable, refuse};
use super::types::{CHAR, Type, unsigned};
use crate::lang::model::Span;
use crate::lang::syntax::{
    Declaration, Declarator, Expr, ExprKind, Initializer, Statement, StatementKind,
};

impl Lowerer<'_> {
    /// The type of a declarator; `[]` takes its size from the initial value.
    fn declarator_type(&mut self, of: &Declaration, declarator: &Declarator) -> Lowered<Type> {
        let mut dimensions = declarator.dimensions.clone();
        if let Some(first @ None) = dimensions.first_mut() {
            let count = match &declarator.initializer {
                Some(Initializer::List(list, span)) => {
                    let plain = |i: &Initializer| {
                        matches!(i, Initializer::Value(_) | Initializer::List(..))
                    };
                    if !list.iter().all(plain) {
                        return refuse(*span, "an array without a size and numbered elements");
                    }
                    match (&list[..], of.type_name) {
                        ([Initializer::Value(Expr { kind: ExprKind::Text(text), .. })], _)
                            if declarator.pointers == 0 =>
                        {
                            text.characters.as_ref().map_or(0, |t| t.len() + 1)
                        }
                        _ => list.len(),
                    }
                }
                Some(Initializer::Value(Expr { kind: ExprKind::Text(text), .. })) => {
                    text.characters.as_ref().map_or(0, |t| t.len() + 1)
                }
                _ => return refuse(declarator.span, "an array without a size"),
            };
            *first = Some(number(count as u64, unsigned(32), declarator.span));
        }
        self.declared(of.type_name, declarator.pointers, &dimensions, declarator.span)
    }

    /// The extents of a type, for a declarator of the new tree.
    fn extents(&self, ty: &Type, span: Span) -> Vec<Option<Expr>> {
        let mut extents = Vec::new();
        let mut ty = ty;
        while let Type::Array(inner, count) = ty {
            extents.push(Some(number(u64::from(*count), unsigned(32), span)));
            ty = inner;
        }
        extents
    }

    /// Notes the enumerators of a declaration.
    fn enumerators(&mut self, declaration: &Declaration) {
        for enumeration in &declaration.enumerations {
            let mut next = Some(0i128);
            for member in &enumeration.members {
                if let Some(value) = &member.value {
                    next = self.constant(value);
                }
                if let Some(value) = next {
                    self.constants.insert(member.name.text.clone(), value);
                }
                next = next.map(|n| n + 1);
            }
        }
    }

    /// A declaration outside of procedures.
    pub(super) fn global(&mut self, declaration: &Declaration) -> Lowered<Vec<Declaration>> {
        self.enumerators(declaration);
        let mut made = Vec::new();
        if !declaration.enumerations.is_empty() || declaration.declarators.is_empty() {
            made.push(Declaration { declarators: Vec::new(), ..declaration.clone() });
        }
        for declarator in &declaration.declarators {
            let ty = match (self.globals.get(&declarator.name.text), &declarator.dimensions[..]) {
                // `extern int a[];` and its like.
                (Some(known), [None, ..]) if declarator.initializer.is_none() => known.ty.clone(),
                _ => self.declarator_type(declaration, declarator)?,
            };
            let known = self.globals.get(&declarator.name.text).cloned();
            let variable = match known {
                Some(known) => {
                    if !self.regions.unify(&known.ty, &ty) {
                        return refuse(
                            declarator.span,
                            "this is declared with another type before",
                        );
                    }
                    known
                }
                None => self.variable(&ty, Life::Whole, declarator.name.span, true, true),
            };
            self.globals.insert(declarator.name.text.clone(), variable.clone());
            if let Some(kept) = self.whole(declaration, declarator, &variable, &ty)? {
                made.push(kept);
            }
        }
        Ok(made)
    }

    pub(super) fn variable(
        &mut self,
        ty: &Type,
        life: Life,
        span: Span,
        is_static: bool,
        is_global: bool,
    ) -> Variable {
        let (key, region) = (self.key(), self.regions.fresh());
        let depth = self.scopes.len() as u32;
        if is_static || is_global {
            self.hold_longer(ty);
        } else if let Type::Pointer(_, to) = ty.element() {
            self.holders.push((*to, Some((self.owner.clone(), depth))));
        }
        Variable {
            key,
            ty: ty.clone(),
            region,
            life,
            span,
            is_static,
            is_global,
            depth,
            closed: false,
        }
    }

    /// A variable that lives during the whole run. `None` if it became an object.
    fn whole(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        variable: &Variable,
        ty: &Type,
    ) -> Lowered<Option<Declaration>> {
        let initializer = match &declarator.initializer {
            Some(initializer) => Some(self.initial(initializer, ty)?),
            None => None,
        };
        if let Some(placed) = self.placed(variable.key) {
            let region = self.regions.find(variable.region);
            if let Some(initializer) = initializer {
                let list = self.initial.entry(region).or_default();
                match (ty, initializer) {
                    (Type::Array(..), Initializer::List(parts, span)) => {
                        let Type::Array(inner, _) = ty else { return Ok(None) };
                        if matches!(**inner, Type::Array(..)) {
                            return refuse(span, "an initial value of an array of arrays");
                        }
                        let mut at = placed.first;
                        for part in parts {
                            match part {
                                Initializer::At(e, value) => {
                                    let (ExprKind::Exactly(n, _) | ExprKind::Number(n, _)) = e.kind
                                    else {
                                        return refuse(e.span, "this index");
                                    };
                                    at = placed.first + n as u32;
                                    list.push((at, *value));
                                }
                                value => list.push((at, value)),
                            }
                            at += 1;
                            if at > placed.first + placed.slots {
                                return refuse(span, "too many initial values");
                            }
                        }
                    }
                    (Type::Array(..), _) => {
                        return refuse(declarator.span, "this initial value of an array");
                    }
                    (_, value) => list.push((placed.first, value)),
                }
            }
            return Ok(None);
        }
        let made = Declarator {
            pointers: 0,
            dimensions: self.extents(ty, declarator.span),
            initializer,
            ..declarator.clone()
        };
        let mut kept = plain(self.written_type(ty), vec![made]);
        kept.constant = declaration.constant && !matches!(ty.element(), Type::Pointer(..));
        kept.is_static = declaration.is_static;
        kept.is_extern = declaration.is_extern;
        kept.atomic = declaration.atomic;
        Ok(Some(kept))
    }

    /// An initial value, with its pointers as numbers.
    pub(super) fn initial(&mut self, initializer: &Initializer, ty: &Type) -> Lowered<Initializer> {
        match (initializer, ty) {
            (Initializer::Value(e), Type::Array(inner, _)) => match (&e.kind, &**inner) {
                (ExprKind::Text(text), Type::Scalar(_)) => match &text.characters {
                    Some(text) => Ok(self.characters(text, ty, e.span)),
                    None => refuse(e.span, "a string with other characters than ASCII"),
                },
                _ => refuse(e.span, "this initial value of an array"),
            },
            (Initializer::Value(e), _) => Ok(Initializer::Value(self.converted(e, ty)?)),
            (Initializer::List(list, span), Type::Array(inner, _)) => {
                if let (
                    [Initializer::Value(Expr { kind: ExprKind::Text(text), .. })],
                    Type::Scalar(_),
                ) = (&list[..], &**inner)
                    && let Some(text) = &text.characters
                {
                    return Ok(self.characters(text, ty, *span));
                }
                let mut parts = Vec::with_capacity(list.len());
                for part in list {
                    let nested = matches!(**inner, Type::Array(..) | Type::Struct(_));
                    parts.push(match part {
                        Initializer::At(at, value) => {
                            let Some(n) = self.constant(at).and_then(|n| u64::try_from(n).ok())
                            else {
                                return refuse(at.span, "this index is no constant");
                            };
                            let at = number(n, unsigned(32), at.span);
                            Initializer::At(at, Box::new(self.initial(value, inner)?))
                        }
                        Initializer::Member(..) => return refuse(*span, "this initial value"),
                        Initializer::Value(e) if nested && !matches!(e.kind, ExprKind::Text(_)) => {
                            return refuse(e.span, "an initial value without its braces");
                        }
                        part => self.initial(part, inner)?,
                    });
                }
                Ok(Initializer::List(parts, *span))
            }
            (Initializer::List(list, span), Type::Struct(id)) => {
                let members = self.members(*id, *span)?;
                let mut next = 0;
                let mut parts = Vec::with_capacity(list.len());
                for part in list {
                    if let Initializer::Member(member, value) = part {
                        let found = members.iter().position(|(known, _)| *known == member.text);
                        let Some(at) = found else {
                            return refuse(member.span, "there is no such member");
                        };
                        let value = self.initial(value, &members[at].1)?;
                        parts.push(Initializer::Member(member.clone(), Box::new(value)));
                        next = at + 1;
                        continue;
                    }
                    let is_zero = matches!(part, Initializer::Value(e) if self.is_zero(e));
                    let Some((_, ty)) = members.get(next) else {
                        return refuse(*span, "too many initial values");
                    };
                    if matches!(ty, Type::Struct(_) | Type::Array(..))
                        && matches!(part, Initializer::Value(e) if !matches!(e.kind, ExprKind::Text(_)))
                    {
                        // `{0}` sets everything to zero.
                        if is_zero && list.len() == 1 {
                            return Ok(Initializer::List(Vec::new(), *span));
                        }
                        return refuse(*span, "an initial value without its braces");
                    }
                    parts.push(self.initial(part, ty)?);
                    next += 1;
                }
                Ok(Initializer::List(parts, *span))
            }
            (Initializer::List(list, _), ty) => match &list[..] {
                [only] => self.initial(only, ty),
                _ => refuse(Span::default(), "this initial value"),
            },
            (Initializer::Member(member, _), _) => refuse(member.span, "this initial value"),
            (Initializer::At(at, _), _) => refuse(at.span, "this initial value"),
        }
    }

    fn characters(&self, text: &[u8], ty: &Type, span: Span) -> Initializer {
        let Type::Array(_, count) = ty else { return Initializer::List(Vec::new(), span) };
        let all = text.iter().copied().chain(std::iter::once(0));
        let parts = all
            .take(*count as usize)
            .map(|c| Initializer::Value(number(u64::from(c), CHAR, span)))
            .collect();
        Initializer::List(parts, span)
    }

    /// A declaration inside a procedure.
    pub(super) fn local(
        &mut self,
        declaration: &Declaration,
        span: Span,
    ) -> Lowered<Vec<Statement>> {
        self.enumerators(declaration);
        let mut made = Vec::new();
        if !declaration.enumerations.is_empty() || declaration.declarators.is_empty() {
            let kept = Declaration { declarators: Vec::new(), ..declaration.clone() };
            made.push(statement(StatementKind::Declaration(kept), span));
        }
        for declarator in &declaration.declarators {
            if declaration.is_extern {
                let Some(known) = self.globals.get(&declarator.name.text).cloned() else {
                    return refuse(declarator.span, "a global that is declared in a procedure");
                };
                if let Some(scope) = self.scopes.last_mut() {
                    scope.names.insert(declarator.name.text.clone(), known);
                }
                continue;
            }
            let ty = self.declarator_type(declaration, declarator)?;
            let in_main = self.owner == "main" && self.scopes.last().is_some_and(|s| s.is_body);
            let life = if in_main { Life::Whole } else { Life::Block };
            let variable =
                self.variable(&ty, life, declarator.name.span, declaration.is_static, false);
            if declaration.is_static {
                // The value at the start is constant: names of the block do not matter.
                let kept = self.whole(declaration, declarator, &variable, &ty)?;
                made.extend(kept.map(|kept| statement(StatementKind::Declaration(kept), span)));
                self.bind(&declarator.name.text, variable);
                continue;
            }
            if let Some(placed) = self.placed(variable.key) {
                self.begin_life(&variable, placed.flag, &mut made, declarator.span)?;
                self.bind(&declarator.name.text, variable.clone());
                let place = self.variable_place(&declarator.name.text, &variable, declarator.span);
                self.set_object(&place, declarator, &mut made)?;
                continue;
            }
            // In C the name is known in its own initial value.
            let initializer = match &declarator.initializer {
                Some(initializer) => {
                    self.bind(&declarator.name.text, variable.clone());
                    Some(self.initial(initializer, &ty)?)
                }
                None => None,
            };
            let kept = self.kept_local(declaration, declarator, &ty, initializer);
            if let (None, Type::Pointer(_, region)) = (&declarator.initializer, &ty) {
                let place = super::build::named(&declarator.name.text, declarator.span);
                let value = number(self.invalid(*region), self.written_type(&ty), declarator.span);
                made.push(statement(StatementKind::Declaration(kept), span));
                let forget = StatementKind::Forget(vec![(place, Some(value))]);
                made.push(statement(forget, span));
                self.bind(&declarator.name.text, variable);
                continue;
            }
            made.push(statement(StatementKind::Declaration(kept), span));
            self.bind(&declarator.name.text, variable.clone());
            if declarator.initializer.is_none() && self.has_pointers(&ty, 0) {
                let place = super::build::named(&declarator.name.text, declarator.span);
                let mut changes = Vec::new();
                self.fresh_values(place, &ty, false, &mut changes, declarator.span)?;
                made.push(statement(StatementKind::Forget(changes), span));
            }
        }
        Ok(made)
    }

    fn kept_local(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        ty: &Type,
        initializer: Option<Initializer>,
    ) -> Declaration {
        let made = Declarator {
            pointers: 0,
            dimensions: self.extents(ty, declarator.span),
            initializer,
            ..declarator.clone()
        };
        let mut kept = plain(self.written_type(ty), vec![made]);
        kept.constant = declaration.constant && !matches!(ty.element(), Type::Pointer(..));
        kept.atomic = declaration.atomic;
        kept
    }

    fn has_pointers(&mut self, ty: &Type, depth: u32) -> bool {
        match ty {
            Type::Pointer(..) => true,
            Type::Array(inner, _) => self.has_pointers(inner, depth),
            Type::Struct(id) if depth < 16 => {
                self.members(*id, Span::default()).is_ok_and(|members| {
                    members.iter().any(|(_, ty)| self.has_pointers(ty, depth + 1))
                })
            }
            _ => false,
        }
    }

    pub(super) fn bind(&mut self, name: &str, variable: Variable) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_string(), variable);
        }
    }

    /// The object of a local exists from here to the end of its block.
    pub(super) fn begin_life(
        &mut self,
        variable: &Variable,
        flag: Option<u32>,
        into: &mut Vec<Statement>,
        span: Span,
    ) -> Lowered<()> {
        let Some(flag) = flag else { return Ok(()) };
        let root = self.regions.find(variable.region);
        let has_goto = self.has_goto;
        if let Some(scope) = self.scopes.last_mut() {
            if !scope.is_body && (has_goto || scope.is_switch) {
                return refuse(span, "the address of a local in a block that jumps lead into");
            }
            scope.ends.push((root, flag));
        }
        let Some(room) = self.room(root).cloned() else { return Ok(()) };
        // A pointer to an earlier life of the object cannot be told from one to this life.
        let before = self.flag(&room, flag + 1, span);
        into.push(statement(StatementKind::CutOff(before.clone()), span));
        let value = number(1, crate::lang::syntax::TypeName::Bool, span);
        let place = self.flag(&room, flag, span);
        let changes = vec![(place, Some(value.clone())), (before, Some(value))];
        into.push(statement(StatementKind::Forget(changes), span));
        Ok(())
    }

    /// Gives the object of a local its initial value.
    fn set_object(
        &mut self,
        place: &super::places::Place,
        declarator: &Declarator,
        into: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let span = declarator.span;
        let Some(initializer) = &declarator.initializer else {
            let mut changes = Vec::new();
            self.object_values(place, false, &mut changes, span)?;
            into.push(statement(StatementKind::Forget(changes), span));
            return Ok(());
        };
        let initializer = self.initial(initializer, &place.ty)?;
        if !matches!(initializer, Initializer::Value(_)) {
            let mut changes = Vec::new();
            self.object_values(place, true, &mut changes, span)?;
            into.push(statement(StatementKind::Forget(changes), span));
        }
        self.set_parts(place, &place.ty.clone(), initializer, into, span)
    }

    fn object_values(
        &mut self,
        place: &super::places::Place,
        clears: bool,
        into: &mut Vec<(Expr, Option<Expr>)>,
        span: Span,
    ) -> Lowered<()> {
        match (&place.ty, &place.slot) {
            (Type::Array(..), Some((slot, region))) => {
                let element = place.ty.element().clone();
                for k in 0..place.ty.elements() {
                    let at = self.slot_behind(slot, *region, k, span);
                    self.fresh_values(at, &element, clears, into, span)?;
                    if into.len() > 4096 {
                        return refuse(span, "this object is too large");
                    }
                }
                Ok(())
            }
            _ => self.fresh_values(place.e.clone(), &place.ty, clears, into, span),
        }
    }

    /// The place `k` slots behind a known slot.
    fn slot_behind(
        &mut self,
        slot: &Expr,
        region: super::regions::RegionId,
        k: u32,
        span: Span,
    ) -> Expr {
        let (room, ty) = match self.room(region) {
            Some(room) => (room.name.clone(), room.pointer()),
            None => (String::new(), unsigned(1)),
        };
        let first = match slot.kind {
            ExprKind::Exactly(first, _) => first,
            _ => 0,
        };
        index(super::build::named(&room, span), number(first + u64::from(k), ty, span))
    }

    fn set_parts(
        &mut self,
        place: &super::places::Place,
        ty: &Type,
        initializer: Initializer,
        into: &mut Vec<Statement>,
        span: Span,
    ) -> Lowered<()> {
        let set = |place: Expr, value: Expr| {
            statement(StatementKind::Expression(assign(place, value, span)), span)
        };
        match (initializer, ty) {
            (Initializer::Value(value), _) => {
                into.push(set(place.e.clone(), value));
                Ok(())
            }
            (Initializer::List(parts, _), Type::Struct(id)) => {
                let members = self.members(*id, span)?;
                let mut next = 0;
                for part in parts {
                    let (at, value) = match part {
                        Initializer::Member(member, value) => {
                            let found = members.iter().position(|(m, _)| *m == member.text);
                            (found.unwrap_or(0), *value)
                        }
                        value => (next, value),
                    };
                    next = at + 1;
                    let Some((member, ty)) = members.get(at) else { continue };
                    let kind = ExprKind::Member(Box::new(place.e.clone()), name(member, span));
                    let inner =
                        super::places::Place { e: expr(kind, span), ty: ty.clone(), slot: None };
                    self.set_parts(&inner, ty, value, into, span)?;
                }
                Ok(())
            }
            (Initializer::List(parts, _), Type::Array(inner, _)) => {
                let mut next = 0u32;
                for part in parts {
                    let (at, value) = match part {
                        Initializer::At(at, value) => match at.kind {
                            ExprKind::Exactly(n, _) => (n as u32, *value),
                            _ => return refuse(span, "this index"),
                        },
                        value => (next, value),
                    };
                    next = at + 1;
                    let e = match &place.slot {
                        Some((slot, region)) => {
                            let k = at.saturating_mul(inner.elements());
                            let slot = number(
                                match slot.kind {
                                    ExprKind::Exactly(first, _) => first + u64::from(k),
                                    _ => 0,
                                },
                                self.room(*region).map_or(unsigned(1), |room| room.pointer()),
                                span,
                            );
                            let e = self.slot_behind(&slot, *region, 0, span);
                            super::places::Place {
                                e,
                                ty: (**inner).clone(),
                                slot: Some((slot, *region)),
                            }
                        }
                        None => {
                            let at = number(u64::from(at), unsigned(16), span);
                            super::places::Place {
                                e: index(place.e.clone(), at),
                                ty: (**inner).clone(),
                                slot: None,
                            }
                        }
                    };
                    self.set_parts(&e, inner, value, into, span)?;
                    if into.len() > 4096 {
                        return refuse(span, "this object is too large");
                    }
                }
                Ok(())
            }
            _ => refuse(span, "this initial value"),
        }
    }
}
