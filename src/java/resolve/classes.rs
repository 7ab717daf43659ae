//! Declarations: classes by name, then their heads, fields and methods.

use super::{ClassInfo, ConstantState, FieldInfo, MethodInfo, Resolver, Source};
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree::{Kind, Member, Method, Modifiers, TypeDeclaration};
use crate::typed::{ClassId, FieldId, MethodId, Type};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// So many classes are read.
const MOST_CLASSES: usize = 1000;

impl<'u> Resolver<'u> {
    /// Declares a class and those inside of it.
    pub(super) fn declare(
        &mut self,
        declaration: &'u TypeDeclaration,
        outer: Option<ClassId>,
        is_library: bool,
    ) -> Read<ClassId> {
        let simple = declaration.name.text.clone();
        let name = match outer {
            Some(outer) => format!("{}.{simple}", self.class(outer).name),
            None => simple.clone(),
        };
        let in_interface = outer.is_some_and(|outer| self.class(outer).kind == Kind::Interface);
        let is_static = declaration.modifiers.is_static
            || declaration.kind != Kind::Class
            || in_interface
            || outer.is_none();
        let id = self.add_class(ClassInfo {
            name,
            simple: simple.clone(),
            span: declaration.name.span,
            kind: declaration.kind,
            is_abstract: declaration.modifiers.is_abstract || declaration.kind == Kind::Interface,
            declaration: Some(declaration),
            members: &declaration.members,
            outer,
            is_inner: !is_static,
            superclass: None,
            interfaces: Vec::new(),
            type_parameters: &declaration.parameters,
            classes: FxHashMap::default(),
            fields: Vec::new(),
            methods: Vec::new(),
            constants: declaration.constants.iter().map(|c| c.name.text.clone()).collect(),
            around: None,
            is_lambda: false,
            captures: Vec::new(),
            initializer: None,
            is_made: false,
            has_identity: false,
            is_library,
            package: "",
        })?;
        let span = declaration.name.span;
        let names = match outer {
            Some(outer) => &mut self.classes[outer.index()].classes,
            None if is_library => &mut self.library,
            None => &mut self.written,
        };
        if names.insert(simple.clone(), id).is_some() {
            return wrong(span, Wrong::Twice(simple));
        }
        for member in &declaration.members {
            if let Member::Type(inner) = member {
                self.declare(inner, Some(id), is_library)?;
            }
        }
        Ok(id)
    }

    pub(super) fn add_class(&mut self, info: ClassInfo<'u>) -> Read<ClassId> {
        if self.classes.len() >= MOST_CLASSES {
            return not_read(info.span, "a program with so many classes");
        }
        let id = ClassId(self.classes.len() as u32);
        self.family.push(id.0);
        self.classes.push(info);
        Ok(id)
    }

    /// The heads and members of all classes.
    pub(super) fn headers(&mut self) -> Read<()> {
        let count = self.classes.len() as u32;
        (0..count).try_for_each(|k| self.head(ClassId(k)))?;
        for k in 0..count {
            self.no_cycle(ClassId(k))?;
        }
        (0..count).try_for_each(|k| self.members(ClassId(k)))
    }

    /// What a class extends and implements.
    pub(super) fn head(&mut self, id: ClassId) -> Read<()> {
        let Some(declaration) = self.class(id).declaration else { return Ok(()) };
        let is_interface = matches!(declaration.kind, Kind::Interface | Kind::Annotation);
        let mut superclass = (id != self.object && !is_interface).then_some(self.object);
        let mut interfaces = Vec::new();
        for (k, name) in declaration.extends.iter().chain(&declaration.implements).enumerate() {
            let extends = k < declaration.extends.len() && !is_interface;
            let found = match self.type_of(id, &[], name) {
                Ok((Type::Class(found), _)) => found,
                // What the library's interfaces ask for says nothing about a run.
                Err(_) if !extends => continue,
                Err(no) => return Err(no),
                Ok(_) => return wrong(name.span, Wrong::Expected("a class")),
            };
            match extends {
                true => superclass = Some(found),
                false => interfaces.push(found),
            }
        }
        if self.is_exact && declaration.kind == Kind::Enumeration {
            superclass = Some(self.library_class("Enum"));
        }
        if self.is_exact && declaration.kind == Kind::Record {
            superclass = Some(self.library_class("Record"));
        }
        let info = &mut self.classes[id.index()];
        info.superclass = superclass;
        info.interfaces.clone_from(&interfaces);
        let object = self.object;
        for other in superclass.into_iter().filter(|s| *s != object).chain(interfaces) {
            self.unify(id, other);
        }
        Ok(())
    }

    fn no_cycle(&self, id: ClassId) -> Read<()> {
        let mut stack = vec![id];
        let mut seen = BTreeSet::new();
        while let Some(at) = stack.pop() {
            let info = self.class(at);
            for next in info.superclass.iter().chain(&info.interfaces) {
                if *next == id {
                    let rule = "a class that extends itself";
                    return wrong(self.class(id).span, Wrong::Rule(rule));
                }
                if seen.insert(*next) {
                    stack.push(*next);
                }
            }
        }
        Ok(())
    }

    /// The fields and methods of a class.
    pub(super) fn members(&mut self, id: ClassId) -> Read<()> {
        let info = self.class(id);
        let (members, kind, span) = (info.members, info.kind, info.span);
        if kind == Kind::Record && !info.is_library && !self.is_exact {
            return Ok(());
        }
        if info.is_inner
            && let Some(outer) = info.outer
        {
            let around = self.add_field(FieldInfo {
                name: "object around".to_string(),
                span,
                class: id,
                ty: Type::Class(outer),
                is_static: false,
                is_erased: false,
                spelt: None,
                arguments: Vec::new(),
                value: None,
                constant: ConstantState::Known(None),
                is_used: true,
            });
            self.classes[id.index()].around = Some(around);
        }
        let mut runs_first = kind == Kind::Enumeration
            && self.class(id).declaration.is_some_and(|d| {
                let has_state = |m: &Member| match m {
                    Member::Field(modifiers, ..) => !modifiers.is_static,
                    Member::Method(method) => method.result.is_none(),
                    Member::Initializer { .. } => true,
                    Member::Type(_) => false,
                };
                d.members.iter().any(has_state)
            });
        for member in members {
            match member {
                Member::Field(modifiers, type_name, declarators) => {
                    let is_static = modifiers.is_static || kind == Kind::Interface;
                    let is_final = modifiers.is_final || kind == Kind::Interface;
                    for declarator in declarators {
                        let mut spelt = type_name.clone();
                        spelt.dimensions += declarator.dimensions;
                        // A field of a type that is not read matters only where it is used.
                        let Ok((ty, is_erased)) = self.type_of(id, &[], &spelt) else {
                            if declarator.value.is_some() && !is_static {
                                self.type_of(id, &[], &spelt)?;
                            }
                            continue;
                        };
                        if ty == Type::Void {
                            return wrong(type_name.span, Wrong::Expected("a type"));
                        }
                        runs_first |= is_static && declarator.value.is_some();
                        let name = declarator.name.text.clone();
                        let known = self.class(id).fields.iter();
                        if known.clone().any(|f| self.fields[f.index()].name == name) {
                            return wrong(declarator.name.span, Wrong::Twice(name));
                        }
                        let constant = match is_static && is_final {
                            true => ConstantState::Unknown,
                            false => ConstantState::Known(None),
                        };
                        self.add_field(FieldInfo {
                            name,
                            span: declarator.name.span,
                            class: id,
                            ty,
                            is_static,
                            is_erased,
                            spelt: Some(spelt),
                            arguments: Vec::new(),
                            value: declarator.value.as_ref(),
                            constant,
                            is_used: false,
                        });
                    }
                }
                Member::Method(method) => self.add_method(id, method)?,
                Member::Initializer { is_static, .. } => runs_first |= is_static,
                Member::Type(_) => {}
            }
        }
        let has_constructor =
            |r: &Self| r.class(id).methods.iter().any(|m| r.methods[m.index()].is_constructor);
        let is_class = matches!(kind, Kind::Class | Kind::Enumeration | Kind::Record);
        if is_class && !has_constructor(self) {
            let name = self.class(id).simple.clone();
            self.made_method(id, name, Source::Implicit, true);
        }
        if runs_first {
            let name = "static initialiser".to_string();
            let method = self.made_method(id, name, Source::Static, false);
            self.methods[method.index()].is_static = true;
            self.classes[id.index()].initializer = Some(method);
        }
        Ok(())
    }

    pub(super) fn add_field(&mut self, info: FieldInfo<'u>) -> FieldId {
        let field = FieldId(self.fields.len() as u32);
        self.classes[info.class.index()].fields.push(field);
        self.fields.push(info);
        field
    }

    /// A method without parameters that nobody wrote.
    pub(super) fn made_method(
        &mut self,
        class: ClassId,
        name: String,
        source: Source<'u>,
        is_constructor: bool,
    ) -> MethodId {
        let span = self.class(class).span;
        self.push_method(MethodInfo {
            name,
            class,
            span,
            is_static: false,
            is_private: false,
            is_constructor,
            is_synchronized: false,
            is_variadic: false,
            result: Type::Void,
            is_erased: false,
            parameters: Vec::new(),
            erased_parameters: Vec::new(),
            names: Vec::new(),
            spelt: Vec::new(),
            spelt_result: None,
            lambda_types: Vec::new(),
            lambda_result: None,
            type_parameters: &[],
            source,
            is_requested: false,
            resolved: None,
        })
    }

    pub(super) fn push_method(&mut self, info: MethodInfo<'u>) -> MethodId {
        let method = MethodId(self.methods.len() as u32);
        let is_first_use = matches!(info.source, Source::Static);
        if !is_first_use {
            self.classes[info.class.index()].methods.push(method);
        }
        self.methods.push(info);
        method
    }

    fn add_method(&mut self, id: ClassId, method: &'u Method) -> Read<()> {
        let Modifiers { is_static, is_private, is_native, is_synchronized, .. } = method.modifiers;
        let is_library = self.class(id).is_library;
        let vars = &method.type_parameters;
        let mut parameters = Vec::new();
        let mut erased_parameters = Vec::new();
        for parameter in &method.parameters {
            // A method with a type that is not read matters only where it is called.
            let Ok((ty, is_erased)) = self.type_of(id, vars, &parameter.type_name) else {
                return Ok(());
            };
            parameters.push(ty);
            erased_parameters.push(is_erased);
        }
        let (result, is_erased) = match &method.result {
            Some(result) => match self.type_of(id, vars, result) {
                Ok(found) => found,
                Err(_) => return Ok(()),
            },
            None => (Type::Void, false),
        };
        let is_constructor = method.result.is_none();
        if is_constructor && method.name.text != self.class(id).simple {
            return wrong(method.name.span, Wrong::Expected("the result's type"));
        }
        let same = |m: &MethodId| {
            let known = &self.methods[m.index()];
            known.name == method.name.text
                && known.parameters == parameters
                && known.is_constructor == is_constructor
        };
        if self.class(id).methods.iter().any(same) {
            return wrong(method.name.span, Wrong::Twice(method.name.text.clone()));
        }
        let source = match &method.body {
            Some(body) => Source::Written(body),
            None if is_native && is_library => Source::Native,
            None => Source::None,
        };
        let names = method.parameters.iter().map(|p| (p.name.text.clone(), p.name.span)).collect();
        let span: Span = method.span;
        self.push_method(MethodInfo {
            name: method.name.text.clone(),
            class: id,
            span,
            is_static,
            is_private,
            is_constructor,
            is_synchronized,
            is_variadic: method.is_variadic,
            result,
            is_erased,
            parameters,
            erased_parameters,
            names,
            spelt: method.parameters.iter().map(|p| p.type_name.clone()).collect(),
            spelt_result: method.result.clone(),
            lambda_types: Vec::new(),
            lambda_result: None,
            type_parameters: vars,
            source,
            is_requested: false,
            resolved: None,
        });
        Ok(())
    }
}
