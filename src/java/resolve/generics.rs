//! Type arguments: what stands for the parameters of generic classes and methods. Code is erased;
//! the arguments say which casts stand around it (JLS 4.5, 4.6, 15.5).

use super::body::Body;
use super::calls::Argument;
use super::{Resolver, expr};
use crate::mistake::Read;
use crate::tree::{self, TypeKind, TypeName, TypeParameter};
use crate::typed::{ClassId, Expr, ExprKind, Generic, MethodId, Type};
use rustc_hash::FxHashMap;

/// What stands for type parameters, by their names.
pub(super) type Given = FxHashMap<String, Generic>;

/// Supertypes are followed so far.
const MOST_STEPS: u32 = 50;

impl<'u> Resolver<'u> {
    /// A type as it is spelt, with its arguments.
    pub(super) fn generic(
        &self,
        class: ClassId,
        of_method: &[TypeParameter],
        spelt: &TypeName,
        given: &Given,
    ) -> Read<Generic> {
        let (ty, is_parameter) = self.type_of(class, of_method, spelt)?;
        if is_parameter && let TypeKind::Named(parts) = &spelt.kind {
            let known = parts.first().and_then(|name| given.get(name));
            return Ok(match known {
                Some(known) => {
                    let array = |ty, _| Type::Array(Box::new(ty));
                    let ty = (0..spelt.dimensions).fold(known.ty.clone(), array);
                    Generic { ty, arguments: known.arguments.clone() }
                }
                None => Generic { ty, arguments: Vec::new() },
            });
        }
        let object = || Generic { ty: Type::Class(self.object), arguments: Vec::new() };
        let one = |a| self.generic(class, of_method, a, given).unwrap_or_else(|_| object());
        Ok(Generic { ty, arguments: spelt.arguments.iter().map(one).collect() })
    }

    /// What the parameters of a class stand for in an object of a type below it.
    pub(super) fn given_by(&self, of: &Generic, class: ClassId) -> Given {
        let from = match &of.ty {
            Type::Class(from) => *from,
            Type::String => self.string,
            _ => return Given::default(),
        };
        self.seen_as(from, &of.arguments, class, MOST_STEPS).unwrap_or_default()
    }

    fn seen_as(
        &self,
        from: ClassId,
        arguments: &[Generic],
        to: ClassId,
        left: u32,
    ) -> Option<Given> {
        let info = self.class(from);
        let mut given = Given::default();
        if info.type_parameters.len() == arguments.len() {
            let names = info.type_parameters.iter().map(|p| p.name.text.clone());
            given.extend(names.zip(arguments.iter().cloned()));
        }
        if from == to {
            return Some(given);
        }
        let declaration = info.declaration?;
        let mut above = declaration.extends.iter().chain(&declaration.implements);
        above.find_map(|spelt| {
            let above = self.generic(from, &[], spelt, &given).ok()?;
            let Type::Class(class) = above.ty else { return None };
            if left == 0 || !self.is_subclass(class, to) {
                return None;
            }
            self.seen_as(class, &above.arguments, to, left - 1)
        })
    }

    /// What the parameters of a method stand for follows from what it is given.
    fn infer(&self, method: MethodId, spelt: &TypeName, of: &Generic, given: &mut Given) {
        let info = &self.methods[method.index()];
        if spelt.dimensions > 0 {
            let Type::Array(element) = &of.ty else { return };
            let of = Generic { ty: (**element).clone(), arguments: of.arguments.clone() };
            let spelt = TypeName { dimensions: spelt.dimensions - 1, ..spelt.clone() };
            return self.infer(method, &spelt, &of, given);
        }
        let TypeKind::Named(parts) = &spelt.kind else { return };
        if let [name] = &parts[..]
            && info.type_parameters.iter().any(|p| p.name.text == *name)
        {
            if of.ty != Type::Null {
                self.stands_for(name, of, given);
            }
            return;
        }
        let Ok((Type::Class(class), false)) = self.type_of(info.class, info.type_parameters, spelt)
        else {
            return;
        };
        let known = self.given_by(of, class);
        for (parameter, argument) in self.class(class).type_parameters.iter().zip(&spelt.arguments)
        {
            if let Some(known) = known.get(&parameter.name.text) {
                self.infer(method, argument, known, given);
            }
        }
    }

    /// A parameter stands for one more type.
    fn stands_for(&self, name: &str, of: &Generic, given: &mut Given) {
        let ty = self.boxed(&of.ty).map_or(of.ty.clone(), Type::Class);
        let of = Generic { ty, arguments: of.arguments.clone() };
        let next = match given.get(name) {
            None => of,
            Some(old) if self.is_assignable(&of.ty, &old.ty) => return,
            Some(old) if self.is_assignable(&old.ty, &of.ty) => of,
            Some(_) => Generic { ty: Type::Class(self.object), arguments: Vec::new() },
        };
        given.insert(name.to_string(), next);
    }
}

impl<'u> Body<'_, 'u> {
    /// The arguments of a type as it is spelt here.
    pub(super) fn arguments_of(&self, spelt: &TypeName) -> Vec<Generic> {
        let found = self.r.generic(self.class, self.type_parameters, spelt, &Given::default());
        found.map(|found| found.arguments).unwrap_or_default()
    }

    /// What type parameters stand for in a call.
    pub(super) fn given_in_call(
        &mut self,
        method: MethodId,
        object: Option<&Expr>,
        arguments: &[Argument<'u>],
    ) -> Given {
        let hint = std::mem::take(&mut self.hint);
        if !self.r.is_exact {
            return Given::default();
        }
        let info = &self.r.methods[method.index()];
        let mut given = match object {
            Some(e) => self.r.given_by(&e.generic(), info.class),
            None => Given::default(),
        };
        let last = info.spelt.len().saturating_sub(1);
        for (k, argument) in arguments.iter().enumerate() {
            let Some(spelt) = info.spelt.get(k.min(last)) else { continue };
            let e = match argument {
                Argument::Typed(e) => e,
                Argument::Lambda(e) => {
                    if let (Some(first), Some(of)) = (spelt.arguments.first(), self.first_of(e)) {
                        self.r.infer(method, first, &of, &mut given);
                    }
                    continue;
                }
            };
            // One of several that become an array.
            let is_element = info.is_variadic && k >= last && !matches!(e.ty, Type::Array(_));
            let dimensions = spelt.dimensions - u32::from(is_element);
            let spelt = TypeName { dimensions, ..spelt.clone() };
            self.r.infer(method, &spelt, &e.generic(), &mut given);
        }
        if let (Some(hint), Some(result)) = (hint, &info.spelt_result) {
            let mut more = Given::default();
            self.r.infer(method, result, &hint, &mut more);
            for (name, of) in more {
                given.entry(name).or_insert(of);
            }
        }
        given
    }

    /// What a lambda or a reference says of its first parameter.
    fn first_of(&self, e: &tree::Expr) -> Option<Generic> {
        match &e.kind {
            tree::ExprKind::Lambda(parameters, _) => {
                let spelt = parameters.first()?.0.as_ref()?;
                let ty = self.local_type(spelt).ok()?;
                Some(Generic { ty, arguments: self.arguments_of(spelt) })
            }
            tree::ExprKind::MethodReference(direct, _) => {
                let (class, name) = self.class_referred(direct)?;
                let found = self.r.methods_named(class, name);
                let is_of_objects = |m: &MethodId| !self.r.methods[m.index()].is_static;
                let ty = if class == self.r.string { Type::String } else { Type::Class(class) };
                let of = Generic { ty, arguments: Vec::new() };
                found.iter().all(is_of_objects).then_some(of)
            }
            _ => None,
        }
    }

    /// What a call gives, as what its result's type stands for.
    pub(super) fn instantiated(&self, call: Expr, method: MethodId, given: &Given) -> Expr {
        let info = &self.r.methods[method.index()];
        match &info.spelt_result {
            Some(spelt) if self.r.is_exact => {
                let found = self.r.generic(info.class, info.type_parameters, spelt, given);
                seen(call, found)
            }
            _ => call,
        }
    }

    /// The field of an object, as what its type stands for.
    pub(super) fn instantiated_field(
        &self,
        value: Expr,
        field: crate::typed::FieldId,
        object: Option<&Generic>,
    ) -> Expr {
        let info = &self.r.fields[field.index()];
        if !self.r.is_exact {
            return value;
        }
        let given = object.map(|of| self.r.given_by(of, info.class)).unwrap_or_default();
        match &info.spelt {
            Some(spelt) => seen(value, self.r.generic(info.class, &[], spelt, &given)),
            None => Expr { arguments: info.arguments.clone(), ..value },
        }
    }
}

/// A value of an erased type, as one of the type that it has.
fn seen(value: Expr, found: Read<Generic>) -> Expr {
    let Ok(Generic { ty, arguments }) = found else { return value };
    if ty == value.ty || !ty.is_reference() || value.ty == Type::Void {
        return Expr { arguments, ..value };
    }
    let span = value.span;
    Expr { arguments, ..expr(ExprKind::Cast(Box::new(value)), ty, span) }
}
