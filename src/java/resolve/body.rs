//! The body of a method.

use super::{Resolver, Source, expr};
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree::{self, ExprKind as Spelt, Kind, LambdaBody, Member, Name, TypeParameter};
use crate::typed::{
    ClassId, Expr, ExprKind, Generic, LabelId, Local, LocalId, MethodId, Statement, StatementKind,
    Type,
};

/// A statement that `break` or `continue` can name.
pub(super) struct Target {
    pub(super) name: Option<String>,
    pub(super) label: LabelId,
    pub(super) is_loop: bool,
    /// Does `break` without a name lead behind it?
    pub(super) is_breakable: bool,
}

/// A method whose body is being resolved.
pub(super) struct Body<'r, 'u> {
    pub(super) r: &'r mut Resolver<'u>,
    pub(super) class: ClassId,
    pub(super) is_static: bool,
    pub(super) result: Type,
    pub(super) type_parameters: &'u [TypeParameter],
    pub(super) locals: Vec<Local>,
    pub(super) names: Vec<(String, LocalId)>,
    /// Local classes, by name.
    pub(super) classes: Vec<(String, ClassId)>,
    pub(super) targets: Vec<Target>,
    pub(super) next_label: u32,
    /// The arguments of the types of the variables.
    pub(super) generics: Vec<Vec<Generic>>,
    /// What is needed where an expression stands, for `<>` and for generic methods.
    pub(super) hint: Option<Generic>,
    /// The arguments of the class of which an object is being made.
    pub(super) new_arguments: Vec<Generic>,
    /// Variables that a pattern binds.
    pub(super) bound: Vec<LocalId>,
    /// Where `yield` gives a value to, and what stands behind it.
    pub(super) yields: Vec<(LocalId, LabelId)>,
    /// The arguments of the type of the result.
    pub(super) result_arguments: Vec<Generic>,
}

impl<'u> Resolver<'u> {
    pub(super) fn body(&mut self, class: ClassId, is_static: bool) -> Body<'_, 'u> {
        Body {
            r: self,
            class,
            is_static,
            result: Type::Void,
            type_parameters: &[],
            locals: Vec::new(),
            names: Vec::new(),
            classes: Vec::new(),
            targets: Vec::new(),
            next_label: 0,
            generics: Vec::new(),
            hint: None,
            new_arguments: Vec::new(),
            bound: Vec::new(),
            yields: Vec::new(),
            result_arguments: Vec::new(),
        }
    }

    pub(super) fn resolve_body(&mut self, method: MethodId) -> Read<()> {
        let info = &self.methods[method.index()];
        let (class, source, span) = (info.class, info.source.clone(), info.span);
        let (names, types) = (info.names.clone(), info.parameters.clone());
        let (result, is_constructor) = (info.result.clone(), info.is_constructor);
        let (is_static, type_parameters) = (info.is_static, info.type_parameters);
        let (spelt, spelt_result) = (info.spelt.clone(), info.spelt_result.clone());
        let lambda_types = info.lambda_types.clone();
        let lambda_result = info.lambda_result.clone();
        let result = lambda_result.as_ref().map_or(result, |own| own.ty.clone());
        let mut body = self.body(class, is_static);
        body.result = result.clone();
        body.type_parameters = type_parameters;
        let mut parameters = Vec::new();
        let mut taken = Vec::new();
        let arguments = |body: &Body<'_, 'u>, k: usize| match spelt.get(k) {
            Some(spelt) if body.r.is_exact => body.arguments_of(spelt),
            _ => Vec::new(),
        };
        if let (true, Some(spelt)) = (body.r.is_exact, &spelt_result) {
            body.result_arguments = body.arguments_of(spelt);
        }
        if let Some(own) = lambda_result {
            body.result_arguments = own.arguments;
        }
        for (k, ty) in types.iter().enumerate() {
            let (name, span) = names.get(k).cloned().unwrap_or((String::new(), span));
            let name = Name { text: name, span };
            match lambda_types.get(k) {
                // What an erased parameter is, is known.
                Some(own) if own.ty != *ty => {
                    parameters.push(body.fresh(ty.clone(), span));
                    taken.push((name, own.clone()));
                }
                own => {
                    let list = own.map(|own| own.arguments.clone());
                    let list = list.unwrap_or_else(|| arguments(&body, k));
                    let local = body.declare(&name, ty.clone())?;
                    parameters.push(local);
                    body.generics[local.index()] = list;
                }
            }
        }
        let prologue = body.taken(&parameters, taken)?;
        let (statements, end) = match source {
            Source::Written(block) if is_constructor => (body.constructor(block, span)?, block.end),
            Source::Written(block) => (body.statements(&block.statements)?, block.end),
            Source::Implicit => (body.implicit(&parameters, span)?, span),
            Source::Static => (body.first_use(class, span)?, span),
            Source::Lambda(LambdaBody::Block(block)) => {
                (body.statements(&block.statements)?, block.end)
            }
            Source::Lambda(LambdaBody::Value(value)) => {
                let kind = match result {
                    Type::Void => StatementKind::Expression(body.expression(value)?),
                    _ => {
                        let arguments = body.result_arguments.clone();
                        StatementKind::Return(Some(body.value_as(value, &result, &arguments)?))
                    }
                };
                (vec![Statement { kind, span: value.span }], value.span)
            }
            Source::Native if body.r.is_exact => (Vec::new(), span),
            Source::Native => {
                let kind = match result {
                    Type::String => ExprKind::Texted(Vec::new()),
                    _ => ExprKind::Open,
                };
                if result == Type::String {
                    body.r.computes_text = true;
                }
                let kind = StatementKind::Return(Some(expr(kind, result, span)));
                (vec![Statement { kind, span }], span)
            }
            Source::None => return not_read(span, "a method without a body"),
        };
        let mut statements = statements;
        statements.splice(0..0, prologue);
        let locals = body.locals;
        self.methods[method.index()].resolved = Some((locals, parameters, statements, end));
        Ok(())
    }
}

impl<'u> Body<'_, 'u> {
    /// Declares a variable.
    pub(super) fn declare(&mut self, name: &Name, ty: Type) -> Read<LocalId> {
        let is_known =
            |(known, id): &(String, LocalId)| *known == name.text && !self.bound.contains(id);
        if !name.text.is_empty() && self.names.iter().any(is_known) {
            return wrong(name.span, Wrong::Twice(name.text.clone()));
        }
        let local = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: name.text.clone(), ty, span: name.span });
        self.generics.push(Vec::new());
        if !name.text.is_empty() {
            self.names.push((name.text.clone(), local));
        }
        Ok(local)
    }

    /// The parameters of a lambda, as what they are.
    fn taken(
        &mut self,
        parameters: &[LocalId],
        taken: Vec<(Name, Generic)>,
    ) -> Read<Vec<Statement>> {
        let unnamed = parameters.iter().filter(|id| self.locals[id.index()].name.is_empty());
        let unnamed: Vec<LocalId> = unnamed.copied().collect();
        let mut made = Vec::new();
        for (parameter, (name, own)) in unnamed.into_iter().zip(taken) {
            let span = Span::default();
            let value = self.local(parameter, span);
            let local = self.declare(&name, own.ty.clone())?;
            let value = expr(ExprKind::Cast(Box::new(value)), own.ty, span);
            self.generics[local.index()] = own.arguments;
            made.push(Statement { kind: StatementKind::Local(local, Some(value)), span });
        }
        Ok(made)
    }

    /// A variable that nobody wrote.
    pub(super) fn fresh(&mut self, ty: Type, span: Span) -> LocalId {
        let local = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: String::new(), ty, span });
        self.generics.push(Vec::new());
        local
    }

    pub(super) fn label(&mut self) -> LabelId {
        self.next_label += 1;
        LabelId(self.next_label - 1)
    }

    pub(super) fn this(&self, span: Span) -> Expr {
        let ty = match self.class == self.r.string {
            true => Type::String,
            false => Type::Class(self.class),
        };
        expr(ExprKind::This, ty, span)
    }

    /// A constructor of the text: a call of another one, the initial values, its statements.
    fn constructor(&mut self, block: &'u tree::Block, span: Span) -> Read<Vec<Statement>> {
        let first = block.statements.first();
        let explicit = first.and_then(|first| match &first.kind {
            tree::StatementKind::Expression(e) => match &e.kind {
                Spelt::Construct { of_super, arguments } => Some((*of_super, arguments, e.span)),
                _ => None,
            },
            _ => None,
        });
        let mut made = Vec::new();
        let class = self.class;
        let rest = match explicit {
            Some((false, arguments, span)) => {
                let call = self.construct(class, arguments, span)?;
                made.extend(call.map(|e| Statement { kind: StatementKind::Expression(e), span }));
                made.extend(self.statements(&block.statements[1..])?);
                return Ok(made);
            }
            Some((true, arguments, span)) => {
                self.construct_super(Some(arguments), span, &mut made)?;
                &block.statements[1..]
            }
            None => {
                self.construct_super(None, span, &mut made)?;
                &block.statements[..]
            }
        };
        let names = std::mem::take(&mut self.names);
        self.initial_values(&mut made)?;
        self.names = names;
        made.extend(self.statements(rest)?);
        Ok(made)
    }

    /// The call of a constructor of the class above.
    fn construct_super(
        &mut self,
        arguments: Option<&'u [tree::Expr]>,
        span: Span,
        made: &mut Vec<Statement>,
    ) -> Read<()> {
        let Some(above) = self.r.class(self.class).superclass else { return Ok(()) };
        if above == self.r.object || self.r.class(self.class).kind == Kind::Enumeration {
            return Ok(());
        }
        let call = self.construct(above, arguments.unwrap_or_default(), span)?;
        made.extend(call.map(|e| Statement { kind: StatementKind::Expression(e), span }));
        Ok(())
    }

    /// A constructor that nobody wrote.
    fn implicit(&mut self, parameters: &[LocalId], span: Span) -> Read<Vec<Statement>> {
        let mut made = Vec::new();
        let local = |body: &Self, id: LocalId| {
            expr(ExprKind::Local(id), body.locals[id.index()].ty.clone(), span)
        };
        let above = self.r.class(self.class).superclass.filter(|above| *above != self.r.object);
        if let Some(above) = above
            && self.r.class(self.class).kind != Kind::Enumeration
        {
            let arguments: Vec<Expr> = parameters.iter().map(|id| local(self, *id)).collect();
            let call = self.construct_typed(above, arguments, span)?;
            made.extend(call.map(|e| Statement { kind: StatementKind::Expression(e), span }));
        }
        self.names.clear();
        self.initial_values(&mut made)?;
        Ok(made)
    }

    pub(super) fn set_field(
        &mut self,
        field: crate::typed::FieldId,
        value: Expr,
        span: Span,
    ) -> Statement {
        let ty = value.ty.clone();
        self.r.fields[field.index()].is_used = true;
        let place = expr(ExprKind::Field(Box::new(self.this(span)), field), ty.clone(), span);
        let kind = ExprKind::Assign(Box::new(place), Box::new(value));
        Statement { kind: StatementKind::Expression(expr(kind, ty, span)), span }
    }

    /// What the fields of a new object hold, in the order of the text (JLS 12.5).
    fn initial_values(&mut self, made: &mut Vec<Statement>) -> Read<()> {
        let members = self.r.class(self.class).members;
        for member in members {
            match member {
                Member::Field(modifiers, _, declarators)
                    if !modifiers.is_static && self.r.class(self.class).kind != Kind::Interface =>
                {
                    for declarator in declarators {
                        let Some(value) = &declarator.value else { continue };
                        let name = &declarator.name.text;
                        let own = self.r.class(self.class).fields.iter().copied();
                        let field = own.clone().find(|f| self.r.fields[f.index()].name == *name);
                        let Some(field) = field else { continue };
                        let ty = self.r.fields[field.index()].ty.clone();
                        let value = self.initial(value, &ty)?;
                        made.push(self.set_field(field, value, declarator.span));
                    }
                }
                Member::Initializer { is_static: false, body } => {
                    let mark = self.names.len();
                    made.extend(self.statements(&body.statements)?);
                    self.names.truncate(mark);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What runs when a class is first used (JLS 12.4.2).
    fn first_use(&mut self, class: ClassId, span: Span) -> Read<Vec<Statement>> {
        let mut made = Vec::new();
        let kind = self.r.class(class).kind;
        if let (Kind::Enumeration, Some(declaration)) = (kind, self.r.class(class).declaration) {
            for (k, constant) in declaration.constants.iter().enumerate() {
                let at = constant.name.span;
                let arguments = self.arguments(&constant.arguments)?;
                let this = ExprKind::Enumerated(class, k as u32 + 1);
                let this = expr(this, Type::Class(class), at);
                if let Some(call) = self.constructed(class, this, arguments, at)? {
                    made.push(Statement { kind: StatementKind::Expression(call), span: at });
                }
            }
        }
        for member in self.r.class(class).members {
            match member {
                Member::Field(_, _, declarators) => {
                    for declarator in declarators {
                        let Some(value) = &declarator.value else { continue };
                        let name = &declarator.name.text;
                        let own = self.r.class(class).fields.iter().copied();
                        let field = own
                            .clone()
                            .filter(|f| self.r.fields[f.index()].is_static)
                            .find(|f| self.r.fields[f.index()].name == *name);
                        let Some(field) = field else { continue };
                        if self.r.constant_of(field).is_some() {
                            continue;
                        }
                        let ty = self.r.fields[field.index()].ty.clone();
                        let value = self.initial(value, &ty)?;
                        self.r.fields[field.index()].is_used = true;
                        let place = expr(ExprKind::Static(field), ty.clone(), declarator.span);
                        let kind = ExprKind::Assign(Box::new(place), Box::new(value));
                        let set = expr(kind, ty, declarator.span);
                        let kind = StatementKind::Expression(set);
                        made.push(Statement { kind, span: declarator.span });
                    }
                }
                Member::Initializer { is_static: true, body } => {
                    let mark = self.names.len();
                    let statements = self.statements(&body.statements)?;
                    self.names.truncate(mark);
                    let kind = StatementKind::Block(statements);
                    made.push(Statement { kind, span });
                }
                _ => {}
            }
        }
        Ok(made)
    }
}
