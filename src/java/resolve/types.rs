//! Types by their names, and how they relate.

use super::Resolver;
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::tree::{Primitive, TypeKind, TypeName, TypeParameter};
use crate::typed::{ClassId, Type, leads_to};

/// So many dimensions has an array.
const MOST_DIMENSIONS: u32 = 8;

impl<'u> Resolver<'u> {
    /// A type as it is spelt in a class, and whether it is a type parameter.
    pub(super) fn type_of(
        &self,
        class: ClassId,
        of_method: &[TypeParameter],
        spelt: &TypeName,
    ) -> Read<(Type, bool)> {
        let mut is_erased = false;
        let mut ty = match &spelt.kind {
            TypeKind::Void => Type::Void,
            TypeKind::Inferred => return wrong(spelt.span, Wrong::Expected("a type")),
            TypeKind::Primitive(primitive) => match primitive {
                Primitive::Boolean => Type::Boolean,
                Primitive::Byte => Type::Byte,
                Primitive::Short => Type::Short,
                Primitive::Char => Type::Char,
                Primitive::Int => Type::Int,
                Primitive::Long => Type::Long,
                Primitive::Float => Type::Float,
                Primitive::Double => Type::Double,
            },
            TypeKind::Named(parts) => match &parts[..] {
                [name] if self.is_type_parameter(class, of_method, name) => {
                    is_erased = true;
                    let mut bound = self.bound(class, of_method, name);
                    // A parameter's bound may be another one.
                    let mut left = 16;
                    loop {
                        let Some(spelt) = bound else { break Type::Class(self.object) };
                        if let TypeKind::Named(parts) = &spelt.kind
                            && let [name] = &parts[..]
                            && self.is_type_parameter(class, of_method, name)
                            && left > 0
                        {
                            left -= 1;
                            bound = self.bound(class, of_method, name);
                            continue;
                        }
                        if left == 0 {
                            return wrong(spelt.span, Wrong::Rule("a bound that bounds itself"));
                        }
                        break match self.type_of(class, &[], spelt) {
                            Ok((ty, _)) => ty,
                            Err(_) => Type::Class(self.object),
                        };
                    }
                }
                _ => match self.class_of_name(class, parts) {
                    Some(found) if found == self.string => Type::String,
                    Some(found) => Type::Class(found),
                    None => {
                        return not_read(spelt.span, format!("the class `{}`", parts.join(".")));
                    }
                },
            },
        };
        if spelt.dimensions > MOST_DIMENSIONS {
            return not_read(spelt.span, "an array of so many dimensions");
        }
        for _ in 0..spelt.dimensions {
            ty = Type::Array(Box::new(ty));
        }
        Ok((ty, is_erased))
    }

    fn is_type_parameter(&self, class: ClassId, of_method: &[TypeParameter], name: &str) -> bool {
        let has = |list: &[TypeParameter]| list.iter().any(|p| p.name.text == name);
        let mut next = Some(class);
        let mut found = has(of_method);
        while let Some(at) = next {
            found |= has(self.class(at).type_parameters);
            next = self.class(at).outer;
        }
        found
    }

    fn bound<'s>(
        &'s self,
        class: ClassId,
        of_method: &'s [TypeParameter],
        name: &str,
    ) -> Option<&'s TypeName> {
        let mut lists = vec![of_method];
        let mut next = Some(class);
        while let Some(at) = next {
            lists.push(self.class(at).type_parameters);
            next = self.class(at).outer;
        }
        let found = lists.into_iter().flatten().find(|p| p.name.text == name)?;
        found.bound.as_ref()
    }

    /// A class by the parts of its name, the first of which may be packages.
    pub(super) fn class_of_name(&self, from: ClassId, parts: &[String]) -> Option<ClassId> {
        let first = (0..parts.len()).find_map(|k| Some((k, self.class_named(from, &parts[k])?)));
        let (k, mut found) = first?;
        for part in &parts[k + 1..] {
            found = self.member_class(found, part)?;
        }
        Some(found)
    }

    /// A class by its simple name, as it is seen inside of another.
    pub(super) fn class_named(&self, from: ClassId, name: &str) -> Option<ClassId> {
        let mut next = Some(from);
        let mut is_library = false;
        while let Some(at) = next {
            let info = self.class(at);
            is_library = info.is_library;
            if info.simple == name {
                return Some(at);
            }
            if let Some(found) = self.member_class(at, name) {
                return Some(found);
            }
            next = info.outer;
        }
        let written = self.written.get(name).filter(|_| !is_library);
        written.or_else(|| self.library.get(name)).copied()
    }

    /// A class that another has, or inherits.
    pub(super) fn member_class(&self, class: ClassId, name: &str) -> Option<ClassId> {
        let mut stack = vec![class];
        let mut left = 1000;
        while let Some(at) = stack.pop() {
            let info = self.class(at);
            if let Some(found) = info.classes.get(name) {
                return Some(*found);
            }
            left -= 1;
            if left == 0 {
                return None;
            }
            stack.extend(info.interfaces.iter().copied());
            stack.extend(info.superclass);
        }
        None
    }

    /// Is a class this one, or does it extend or implement it?
    pub(super) fn is_subclass(&self, class: ClassId, other: ClassId) -> bool {
        let above = |class: ClassId| {
            let info = self.class(class);
            (info.superclass, info.interfaces.as_slice())
        };
        other == self.object || leads_to(class, other, above)
    }

    /// Can a value of one type stand where another is needed, without a cast (JLS 5.3)? No boxing.
    pub(super) fn is_assignable(&self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            _ if from == to => true,
            (Type::Null, to) => to.is_reference(),
            (Type::Class(from), Type::Class(to)) => self.is_subclass(*from, *to),
            (Type::String, Type::Class(to)) => self.is_subclass(self.string, *to),
            (Type::Array(_), Type::Class(to)) => *to == self.object,
            (Type::Array(from), Type::Array(to)) => {
                from.is_reference() && to.is_reference() && self.is_assignable(from, to)
            }
            _ => widens(from, to),
        }
    }

    /// Can an object of one type be one of the other, as far as their names say?
    pub(super) fn can_be_cast(&self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (Type::Class(from), Type::String) => self.is_subclass(self.string, *from),
            (Type::Class(from), Type::Array(_)) => *from == self.object,
            (Type::Array(from), Type::Array(to)) => {
                let is_class = |ty: &Type| matches!(ty, Type::Class(_));
                self.is_assignable(to, from)
                    || is_class(from) && is_class(to)
                    || self.can_be_cast(from, to)
            }
            _ => false,
        }
    }

    /// The name of a type.
    pub(super) fn shown(&self, ty: &Type) -> String {
        match ty {
            Type::Boolean => "`boolean`".to_string(),
            Type::Byte => "`byte`".to_string(),
            Type::Short => "`short`".to_string(),
            Type::Char => "`char`".to_string(),
            Type::Int => "`int`".to_string(),
            Type::Long => "`long`".to_string(),
            Type::Float => "`float`".to_string(),
            Type::Double => "`double`".to_string(),
            Type::Void => "`void`".to_string(),
            Type::Null => "`null`".to_string(),
            Type::String => "`String`".to_string(),
            Type::Class(class) => format!("`{}`", self.class(*class).name),
            Type::Array(element) => format!("`{}[]`", self.shown(element).trim_matches('`')),
        }
    }
}

/// Is every number of one type one of the other (JLS 5.1.2)?
pub(super) fn widens(from: &Type, to: &Type) -> bool {
    let rank = |ty: &Type| match ty {
        Type::Byte => Some(1),
        Type::Short => Some(2),
        Type::Int => Some(3),
        Type::Long => Some(4),
        Type::Float => Some(5),
        Type::Double => Some(6),
        _ => None,
    };
    match (rank(from), rank(to)) {
        (Some(from), Some(to)) => from < to,
        (None, Some(to)) => *from == Type::Char && to >= 3,
        _ => false,
    }
}
