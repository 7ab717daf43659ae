//! Declarations: variables whose address is taken become slots; pointers become numbers.

use super::assignments::is_place;
use super::build::{binary, cast, forget, index, named, number, statement, unset, wide};
use super::layout::{Life, MOST_ELEMENTS};
use super::lowerer::{Ending, Lowered, Lowerer, Variable, refuse};
use super::types::{Type, WIDE, unsigned};
use crate::lang::alone::AT_MOST;
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Declaration, Declarator, Expr, ExprKind, Initializer, Item, Statement, StatementKind,
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
    pub(super) fn enumerators(&mut self, declaration: &Declaration) {
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
                (None, [None, ..]) if declarator.initializer.is_none() => {
                    self.type_from_elsewhere(declaration, declarator)?
                }
                _ => self.declarator_type(declaration, declarator)?,
            };
            let known = self.globals.get(&declarator.name.text).cloned();
            let variable = match known {
                Some(known) => {
                    if !self.regions.unify(&known.ty, &ty) {
                        return refuse(
                            declarator.span,
                            "a variable that is declared with two types",
                        );
                    }
                    known
                }
                None => self.variable(&ty, Life::Whole, declarator.name.span, true, true),
            };
            if declaration.per_thread {
                self.per_thread.insert(variable.key);
            }
            self.globals.insert(declarator.name.text.clone(), variable.clone());
            self.as_bytes(&declarator.name.text, &variable)?;
            if let Some(kept) = self.whole(declaration, declarator, &variable, &ty)? {
                made.push(kept);
            }
        }
        Ok(made)
    }

    /// The type of an array whose size another declaration gives. If none does, it has one element.
    fn type_from_elsewhere(&mut self, of: &Declaration, declarator: &Declarator) -> Lowered<Type> {
        let file = self.file;
        let text = &declarator.name.text;
        let mut is_defined = !of.is_extern;
        for item in &file.items {
            let Item::Declaration(other) = item else { continue };
            for found in other.declarators.iter().filter(|found| found.name.text == *text) {
                if found.initializer.is_some() || !matches!(found.dimensions[..], [None, ..]) {
                    return self.declarator_type(other, found);
                }
                is_defined |= !other.is_extern;
            }
        }
        if !is_defined {
            return refuse(declarator.span, "an array whose size no declaration gives");
        }
        let mut one = declarator.clone();
        one.dimensions[0] = Some(number(1, unsigned(32), declarator.span));
        self.declarator_type(of, &one)
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
            varies: false,
            closed: false,
        }
    }

    /// A variable with unions in it is an object in memory of bytes.
    fn as_bytes(&mut self, text: &str, variable: &Variable) -> Lowered<()> {
        if self.has_union(&variable.ty, 0) {
            self.regions.flatten(variable.region);
            self.address_variable(text, variable)?;
        }
        Ok(())
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
                let text = &declarator.name.text;
                let place = self.variable_place(text, variable, declarator.span);
                if place.spot.is_some() {
                    self.initial_bytes(&place, ty, initializer, region, declarator.span)?;
                    return Ok(None);
                }
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
                                return refuse(span, "an initial value with too many parts");
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
        let mut kept = Declaration::plain(self.written_type(ty), vec![made]);
        kept.constant = declaration.constant && !matches!(ty.element(), Type::Pointer(..));
        kept.is_static = declaration.is_static;
        kept.is_extern = declaration.is_extern;
        kept.atomic = declaration.atomic;
        kept.per_thread = declaration.per_thread;
        Ok(Some(kept))
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
            if let Some(length) = self.varying(declaration, declarator) {
                made.extend(self.varying_array(declaration, declarator, &length, span)?);
                continue;
            }
            let ty = self.declarator_type(declaration, declarator)?;
            let in_main = self.owner == "main" && self.scopes.last().is_some_and(|s| s.is_body);
            let life = if in_main { Life::Whole } else { Life::Block };
            let variable =
                self.variable(&ty, life, declarator.name.span, declaration.is_static, false);
            self.as_bytes(&declarator.name.text, &variable)?;
            if declaration.is_static {
                // What it points to is looked at when `main` ends.
                if self.leak && !matches!(ty.element(), Type::Other(_)) {
                    self.address_variable(&declarator.name.text, &variable)?;
                }
                // The value at the start is constant: names of the block do not matter.
                let kept = self.whole(declaration, declarator, &variable, &ty)?;
                made.extend(kept.map(|kept| statement(StatementKind::Declaration(kept), span)));
                self.bind(&declarator.name.text, variable);
                continue;
            }
            if let Some(Initializer::Value(value)) = &declarator.initializer
                && self.is_address(value, 0)
            {
                self.addresses.insert(variable.key);
            }
            if let Some(placed) = self.placed(variable.key) {
                let is_set = declarator.initializer.is_some();
                self.begin_life(&variable, (placed.flag, is_set), &mut made, declarator.span)?;
                self.bind(&declarator.name.text, variable.clone());
                let place = self.variable_place(&declarator.name.text, &variable, declarator.span);
                self.set_object(&place, declarator, &mut made)?;
                continue;
            }
            if let (Type::Struct(id), Some(Initializer::Value(e))) = (&ty, &declarator.initializer)
                && is_place(e)
            {
                self.bind(&declarator.name.text, variable.clone());
                let mut kept = self.kept_local(declaration, declarator, &ty, None);
                kept.constant = false;
                made.push(statement(StatementKind::Declaration(kept), span));
                let text = &declarator.name.text;
                let place = self.variable_place(text, &variable, declarator.span);
                let copied = self.copied(&place, *id, e, declarator.span)?;
                made.push(statement(StatementKind::Expression(copied), span));
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
                let place = named(&declarator.name.text, declarator.span);
                let name = self.written_type(&ty);
                let value = self.invalid(*region).map(|n| number(n, name, declarator.span));
                made.push(statement(StatementKind::Declaration(kept), span));
                let without = StatementKind::Unset(vec![(place, value)]);
                made.push(statement(without, span));
                self.bind(&declarator.name.text, variable);
                continue;
            }
            made.push(statement(StatementKind::Declaration(kept), span));
            self.bind(&declarator.name.text, variable.clone());
            if declarator.initializer.is_none() && self.has_pointers(&ty, 0) {
                let place = named(&declarator.name.text, declarator.span);
                let mut changes = Vec::new();
                self.fresh_values(place, &ty, false, &mut changes, declarator.span)?;
                made.extend(unset(changes, span));
            }
        }
        Ok(made)
    }

    /// The length of an array, if it is not constant.
    fn varying(&mut self, of: &Declaration, declarator: &Declarator) -> Option<Expr> {
        match (&declarator.dimensions[..], &declarator.initializer) {
            ([Some(length)], None) if !of.is_static && self.constant(length).is_none() => {
                Some(length.clone())
            }
            _ => None,
        }
    }

    /// An array of the length that an expression gives, of a few elements at most.
    fn varying_array(
        &mut self,
        of: &Declaration,
        declarator: &Declarator,
        length: &Expr,
        span: Span,
    ) -> Lowered<Vec<Statement>> {
        let text = &declarator.name.text;
        let at = declarator.span;
        let inner = self.declared(of.type_name, declarator.pointers, &[], at)?;
        // Of Faultline's own: with its own most, and perhaps without elements.
        let (length, own) = match &length.kind {
            ExprKind::Call(name, given) if name.text == AT_MOST => match &given[..] {
                [length, Expr { kind: ExprKind::Number(most, _), .. }] => (length, Some(*most)),
                _ => return refuse(at, "this length of an array"),
            },
            _ => (length, None),
        };
        let most = own.unwrap_or(MOST_ELEMENTS);
        let ty = Type::Array(Box::new(inner), most as u32);
        let in_main = self.owner == "main" && self.scopes.last().is_some_and(|s| s.is_body);
        let life = if in_main { Life::Whole } else { Life::Block };
        let (length, length_type) = self.value(length)?;
        if !matches!(length_type, Type::Scalar(_)) {
            return refuse(at, "this length of an array");
        }
        let mut variable = self.variable(&ty, life, declarator.name.span, false, false);
        variable.varies = true;
        self.address_variable(text, &variable)?;
        let mut made = Vec::new();
        let Some(placed) = self.placed(variable.key) else {
            self.bind(text, variable);
            return Ok(made);
        };
        let Some(room) = self.room(variable.region).cloned() else { return Ok(made) };
        let count = named(&format!("length of {text}"), at);
        let declared = Declarator {
            name: super::build::name(&format!("length of {text}"), at),
            pointers: 0,
            dimensions: Vec::new(),
            initializer: Some(Initializer::Value(wide(length))),
            span: at,
        };
        let declared = Declaration::plain(WIDE, vec![declared]);
        made.push(statement(StatementKind::Declaration(declared), span));
        // Negative numbers are large ones here.
        let positive = super::build::between(&count, 1, i64::MAX as u64, WIDE);
        let fault = Fault::new(FaultKind::NotPositive, text);
        if own.is_none() {
            let check =
                super::build::checked(Vec::new(), vec![(positive, fault)], count.clone(), at);
            made.push(statement(StatementKind::Expression(check), at));
        }
        let most = number(most, WIDE, at);
        let more = binary(BinaryOp::Less, most, count.clone());
        made.push(statement(StatementKind::CutOff(more), span));
        self.begin_life(&variable, (placed.flag, false), &mut made, at)?;
        self.bind(text, variable.clone());
        let place = self.variable_place(text, &variable, at);
        let mut changes = Vec::new();
        self.object_values(&place, false, &mut changes, at)?;
        if let Some(index_of) = placed.length {
            let lengths = named(&room.lengths_name(), at);
            let slot = number(u64::from(index_of), unsigned(16), at);
            let each = match room.cell {
                Some(cell) => self.bytes(ty.element()).unwrap_or(1) / cell,
                None => 1,
            };
            let slots = binary(BinaryOp::Multiply, count, number(each, WIDE, at));
            changes.push((index(lengths, slot), Some(cast(unsigned(16), slots))));
        }
        match own {
            Some(_) => made.extend(forget(changes, span)),
            None => made.extend(unset(changes, span)),
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
        let mut kept = Declaration::plain(self.written_type(ty), vec![made]);
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

    /// The object of a local exists from here to the end of its block. `is_set`: is it given a
    /// value at once?
    pub(super) fn begin_life(
        &mut self,
        variable: &Variable,
        (flag, is_set): (Option<u32>, bool),
        into: &mut Vec<Statement>,
        span: Span,
    ) -> Lowered<()> {
        let Some(flag) = flag else { return Ok(()) };
        let root = self.regions.find(variable.region);
        let (has_goto, passed_label) = (self.has_goto, self.passed_label);
        let frame = self.frame(variable.key);
        if let Some(scope) = self.scopes.last_mut() {
            // A jump back would take a second place for one object.
            let jumps = has_goto && (!scope.is_body || frame.is_some() && passed_label);
            if jumps || !scope.is_body && scope.is_switch {
                return refuse(span, "the address of a local in a block that jumps lead into");
            }
            let ending = frame.map_or(Ending::Flag(flag), Ending::Frame);
            scope.ends.push((root, ending));
        }
        if self.frame(variable.key).is_some() {
            return self.begin_frame(variable, is_set, into, span);
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
}
