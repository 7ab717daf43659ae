//! New objects: constructors, classes without names, lambdas.

use super::body::Body;
use super::calls::Argument;
use super::mentioned::{mentioned_in_lambda, mentioned_in_members};
use super::names::Meaning;
use super::{ClassInfo, ConstantState, FieldInfo, MethodInfo, Resolver, Source, expr};
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree::{self, Kind, LambdaBody, Member, Name, TypeName};
use crate::typed::{ClassId, Expr, ExprKind, FieldId, Generic, MethodId, Type};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

impl<'u> Resolver<'u> {
    fn constructors(&self, class: ClassId) -> Vec<MethodId> {
        let own = self.class(class).methods.iter().copied();
        own.filter(|m| self.methods[m.index()].is_constructor).collect()
    }

    /// Does a constructor do nothing?
    fn is_trivial(&self, constructor: MethodId) -> bool {
        let info = &self.methods[constructor.index()];
        let is_empty = match &info.source {
            Source::Implicit => true,
            Source::Written(block) => block.statements.is_empty(),
            _ => false,
        };
        let class = self.class(info.class);
        let gives_value = |member: &Member| match member {
            Member::Field(modifiers, _, list) => {
                !modifiers.is_static && list.iter().any(|d| d.value.is_some())
            }
            Member::Initializer { is_static, .. } => !is_static,
            _ => false,
        };
        let above_is_trivial = || match class.superclass {
            None => true,
            Some(above) if above == self.object => true,
            Some(above) => {
                let takes_none = |m: &MethodId| self.methods[m.index()].parameters.is_empty();
                let implicit = matches!(info.source, Source::Implicit);
                let found = self.constructors(above).into_iter();
                // One that passes its arguments on calls one that takes as many.
                let count = if implicit { info.parameters.len() } else { 0 };
                found
                    .filter(|m| takes_none(m) || self.methods[m.index()].parameters.len() == count)
                    .all(|m| self.is_trivial(m))
            }
        };
        is_empty && !class.members.iter().any(gives_value) && above_is_trivial()
    }
}

/// Is it the class of numbers as objects?
fn is_box(name: &str) -> bool {
    super::conversions::BOXES.contains(&name)
}

impl<'u> Body<'_, 'u> {
    /// `this(…)`, `super(…)`
    pub(super) fn construct(
        &mut self,
        class: ClassId,
        arguments: &'u [tree::Expr],
        span: Span,
    ) -> Read<Option<Expr>> {
        let this = self.refer(self.this(span), &Type::Class(class))?;
        let arguments = self.arguments(arguments)?;
        self.constructed(class, this, arguments, span)
    }

    pub(super) fn construct_typed(
        &mut self,
        class: ClassId,
        arguments: Vec<Expr>,
        span: Span,
    ) -> Read<Option<Expr>> {
        let this = self.refer(self.this(span), &Type::Class(class))?;
        let arguments = arguments.into_iter().map(Argument::Typed).collect();
        self.constructed(class, this, arguments, span)
    }

    /// The call of a constructor on an object; `None` if it does nothing.
    pub(super) fn constructed(
        &mut self,
        class: ClassId,
        this: Expr,
        arguments: Vec<Argument<'u>>,
        span: Span,
    ) -> Read<Option<Expr>> {
        let found = self.constructors_for(class, arguments, span)?;
        let (constructor, arguments) = found;
        Ok(match constructor {
            Some(method) => {
                let receiver = Some(Box::new(this));
                let kind = ExprKind::Call { method, receiver, is_virtual: false, arguments };
                Some(expr(kind, Type::Void, span))
            }
            None if arguments.is_empty() => None,
            None => Some(expr(ExprKind::Sequence(arguments), Type::Void, span)),
        })
    }

    /// The constructor that takes the arguments, and the arguments; `None` if it does nothing.
    fn constructors_for(
        &mut self,
        class: ClassId,
        arguments: Vec<Argument<'u>>,
        span: Span,
    ) -> Read<(Option<MethodId>, Vec<Expr>)> {
        let candidates = self.r.constructors(class);
        let name = self.r.class(class).simple.clone();
        let is_refused = !self.r.is_exact && self.r.class(class).is_library && is_box(&name);
        if candidates.is_empty() || is_refused {
            return not_read(span, format!("`new {name}`"));
        }
        let (method, is_variadic) = self.select(&candidates, &arguments, &name, span)?;
        if self.r.is_trivial(method) {
            // What a constructor without effects is given is evaluated all the same.
            let typed = arguments.into_iter().filter_map(|a| match a {
                Argument::Typed(e) if e.ty == Type::Null => None,
                Argument::Typed(e) => Some(e),
                Argument::Lambda(_) => None,
            });
            return Ok((None, typed.collect()));
        }
        self.r.request(method, span)?;
        let of = std::mem::take(&mut self.new_arguments);
        let given = self.r.given_by(&Generic { ty: Type::Class(class), arguments: of }, class);
        let arguments = self.given(method, arguments, is_variadic, span, &given)?;
        Ok((Some(method), arguments))
    }

    pub(super) fn new_object(
        &mut self,
        outer: Option<&'u tree::Expr>,
        spelt: &TypeName,
        (arguments, body): (&'u [tree::Expr], Option<&'u [Member]>),
        span: Span,
    ) -> Read<Expr> {
        let outer = match outer {
            Some(outer) => Some(self.expression(outer)?),
            None => None,
        };
        let class = match (&outer, &spelt.kind) {
            (Some(outer), tree::TypeKind::Named(parts)) => {
                let of = match &outer.ty {
                    Type::Class(class) => *class,
                    _ => return wrong(outer.span, Wrong::Expected("an object")),
                };
                match self.r.member_class(of, parts.last().map_or("", |p| p.as_str())) {
                    Some(class) => class,
                    None => return wrong(spelt.span, Wrong::Unknown(parts.join("."))),
                }
            }
            _ => match self.local_type(spelt)? {
                Type::Class(class) => class,
                Type::String if self.r.is_exact => return self.new_text(arguments, span),
                Type::String => return not_read(span, "`new String`"),
                _ => return wrong(spelt.span, Wrong::Expected("a class")),
            },
        };
        let mut own = self.arguments_of(spelt);
        if let (true, Some(hint)) = (own.is_empty(), std::mem::take(&mut self.hint)) {
            own = self.arguments_from(class, &hint);
        }
        let arguments = self.arguments(arguments)?;
        let Some(members) = body else {
            let info = self.r.class(class);
            if info.is_abstract || matches!(info.kind, Kind::Interface | Kind::Enumeration) {
                return wrong(span, Wrong::Rule("there are no objects of this class itself"));
            }
            if info.kind == Kind::Record && !self.r.is_exact {
                return not_read(span, "a record");
            }
            return self.made_generic(class, outer, arguments, own, span);
        };
        let base = self.r.class(class);
        let (is_interface, line) = (base.kind == Kind::Interface, span.line);
        let name = format!("{} at line {line}", base.name);
        let (superclass, interfaces) = match is_interface {
            true => (self.r.object, vec![class]),
            false => (class, Vec::new()),
        };
        let id = self.nameless(name, members, superclass, interfaces, span)?;
        self.r.unify(id, class);
        self.r.members(id)?;
        // It passes its arguments on.
        if !is_interface {
            let candidates = self.r.constructors(class);
            let simple = self.r.class(class).simple.clone();
            let (above, is_variadic) = self.select(&candidates, &arguments, &simple, span)?;
            if is_variadic {
                return not_read(span, "a class without a name with open arguments");
            }
            let own = self.r.constructors(id);
            let above = &self.r.methods[above.index()];
            let parameters = above.parameters.clone();
            let erased = above.erased_parameters.clone();
            if let Some(own) = own.first() {
                self.r.methods[own.index()].parameters = parameters;
                self.r.methods[own.index()].erased_parameters = erased;
            }
        }
        let mut mentioned = BTreeSet::new();
        mentioned_in_members(members, &mut mentioned);
        self.capture(id, &mentioned);
        self.made(id, None, arguments, span)
    }

    fn nameless(
        &mut self,
        name: String,
        members: &'u [Member],
        superclass: ClassId,
        interfaces: Vec<ClassId>,
        span: Span,
    ) -> Read<ClassId> {
        let id = self.r.add_class(ClassInfo {
            name,
            simple: String::new(),
            span,
            kind: Kind::Class,
            is_abstract: false,
            declaration: None,
            members,
            outer: Some(self.class),
            is_inner: !self.is_static,
            superclass: Some(superclass),
            interfaces,
            type_parameters: &[],
            classes: FxHashMap::default(),
            fields: Vec::new(),
            methods: Vec::new(),
            constants: Vec::new(),
            around: None,
            is_lambda: false,
            captures: Vec::new(),
            initializer: None,
            is_made: false,
            has_identity: false,
            is_library: self.r.class(self.class).is_library,
            package: "",
        })?;
        for member in members {
            if let Member::Type(inner) = member {
                return not_read(inner.name.span, "a class in a class without a name");
            }
        }
        Ok(id)
    }

    /// The class takes these variables of the method with it.
    fn capture(&mut self, class: ClassId, mentioned: &BTreeSet<String>) {
        let seen = self.names.clone();
        for (name, local) in seen {
            if !mentioned.contains(&name) {
                continue;
            }
            let Some(known) = self.locals.get(local.index()) else { continue };
            let info = FieldInfo {
                name: format!("{name} of the method"),
                span: known.span,
                class,
                ty: known.ty.clone(),
                is_static: false,
                is_erased: false,
                spelt: None,
                arguments: self.generics.get(local.index()).cloned().unwrap_or_default(),
                value: None,
                constant: ConstantState::Known(None),
                is_used: true,
            };
            let field = self.r.add_field(info);
            self.r.classes[class.index()].captures.push((name, field));
        }
    }

    /// A new object of a class, with what stands around it.
    pub(super) fn made(
        &mut self,
        class: ClassId,
        outer: Option<Expr>,
        arguments: Vec<Argument<'u>>,
        span: Span,
    ) -> Read<Expr> {
        self.r.touch(class, span)?;
        self.r.make(class);
        let mut presets: Vec<(FieldId, Expr)> = Vec::new();
        let mut next = Some(class);
        let mut outer = outer;
        while let Some(at) = next {
            let info = self.r.class(at);
            let (around, of, above) = (info.around, info.outer, info.superclass);
            if let (Some(around), Some(of)) = (around, of) {
                let object = match outer.take() {
                    Some(outer) => outer,
                    None => self.object_of(of, span)?,
                };
                let object = self.refer(object, &Type::Class(of))?;
                presets.push((around, object));
            }
            for (name, field) in self.r.class(at).captures.clone() {
                match self.name(&name, span)? {
                    Meaning::Value(value) => presets.push((field, value)),
                    Meaning::Class(_) => return wrong(span, Wrong::Unknown(name)),
                }
            }
            next = above;
        }
        let (constructor, arguments) = self.constructors_for(class, arguments, span)?;
        let kind = ExprKind::New { class, presets, constructor, arguments };
        Ok(expr(kind, Type::Class(class), span))
    }

    /// The object of this class that stands around.
    fn object_of(&mut self, class: ClassId, span: Span) -> Read<Expr> {
        let mut object = (!self.is_static).then(|| self.this(span));
        let mut next = Some(self.class);
        while let Some(at) = next {
            if self.r.is_subclass(at, class)
                && let Some(object) = object
            {
                return Ok(object);
            }
            (object, next) = self.outwards(object.take(), at, span);
        }
        wrong(span, Wrong::Rule("there is no object here"))
    }

    /// A class in a method.
    pub(super) fn local_class(&mut self, declaration: &'u tree::TypeDeclaration) -> Read<()> {
        let id = self.r.declare(declaration, Some(self.class), false)?;
        if self.is_static {
            self.r.classes[id.index()].is_inner = false;
        }
        let has_inner = declaration.members.iter().any(|m| matches!(m, Member::Type(_)));
        if has_inner {
            return not_read(declaration.name.span, "a class in a class in a method");
        }
        self.r.head(id)?;
        self.r.members(id)?;
        let mut mentioned = BTreeSet::new();
        mentioned_in_members(&declaration.members, &mut mentioned);
        self.capture(id, &mentioned);
        self.classes.push((declaration.name.text.clone(), id));
        Ok(())
    }

    /// What a lambda gives, as the interface says.
    fn lambda_result(&self, method: MethodId, ty: &Type, arguments: &[Generic]) -> Option<Generic> {
        let of = &self.r.methods[method.index()];
        let spelt = of.spelt_result.as_ref().filter(|_| self.r.is_exact)?;
        let interface = Generic { ty: ty.clone(), arguments: arguments.to_vec() };
        let given = self.r.given_by(&interface, of.class);
        let found = self.r.generic(of.class, of.type_parameters, spelt, &given).ok()?;
        (found.ty.is_reference() && of.result.is_reference()).then_some(found)
    }

    /// What the parameters of a lambda are: as they are spelt, or as the interface says.
    fn lambda_types(
        &self,
        method: MethodId,
        parameters: &[(Option<TypeName>, Name)],
        ty: &Type,
        arguments: &[Generic],
    ) -> Read<Vec<Generic>> {
        if !self.r.is_exact {
            return Ok(Vec::new());
        }
        let of = &self.r.methods[method.index()];
        let interface = Generic { ty: ty.clone(), arguments: arguments.to_vec() };
        let given = self.r.given_by(&interface, of.class);
        let mut list = Vec::new();
        for ((spelt, _), own) in parameters.iter().zip(&of.spelt) {
            let is_said = spelt.as_ref().filter(|s| !matches!(s.kind, tree::TypeKind::Inferred));
            list.push(match is_said {
                Some(spelt) => {
                    Generic { ty: self.local_type(spelt)?, arguments: self.arguments_of(spelt) }
                }
                None => self.r.generic(of.class, of.type_parameters, own, &given)?,
            });
        }
        Ok(list)
    }

    /// A lambda: an object of a class with one method.
    pub(super) fn lambda(
        &mut self,
        parameters: &[(Option<TypeName>, Name)],
        body: &'u LambdaBody,
        (ty, arguments): (&Type, &[Generic]),
        span: Span,
    ) -> Read<Expr> {
        let (Some(method), Type::Class(interface)) = (self.r.functional(ty), ty) else {
            return not_read(span, "a lambda where no interface says its type");
        };
        let of = &self.r.methods[method.index()];
        if of.parameters.len() != parameters.len() {
            return wrong(span, Wrong::Rule("the interface's method has other parameters"));
        }
        if !self.r.is_exact && (of.is_erased || of.erased_parameters.contains(&true)) {
            return not_read(span, "a lambda for a generic interface");
        }
        let lambda_types = self.lambda_types(method, parameters, ty, arguments)?;
        let of = &self.r.methods[method.index()];
        let lambda_result = self.lambda_result(method, ty, arguments);
        let info = MethodInfo {
            name: of.name.clone(),
            class: *interface,
            span,
            is_static: false,
            is_private: false,
            is_constructor: false,
            is_synchronized: false,
            is_variadic: false,
            result: of.result.clone(),
            is_erased: false,
            parameters: of.parameters.clone(),
            erased_parameters: of.erased_parameters.clone(),
            names: parameters.iter().map(|(_, n)| (n.text.clone(), n.span)).collect(),
            spelt: Vec::new(),
            spelt_result: None,
            lambda_types,
            lambda_result,
            type_parameters: self.type_parameters,
            source: Source::Lambda(body),
            is_requested: false,
            resolved: None,
        };
        let name = format!("{} at line {}", self.r.class(*interface).name, span.line);
        let (object, interface) = (self.r.object, *interface);
        let id = self.nameless(name, &[], object, vec![interface], span)?;
        self.r.classes[id.index()].is_lambda = true;
        self.r.unify(id, interface);
        self.r.members(id)?;
        self.r.push_method(MethodInfo { class: id, ..info });
        let mut mentioned = BTreeSet::new();
        mentioned_in_lambda(body, &mut mentioned);
        self.capture(id, &mentioned);
        let made = self.made(id, None, Vec::new(), span)?;
        self.refer(made, ty)
    }
}
