//! What a record has that nobody writes (JLS 8.10): fields, a constructor, methods.

use crate::span::Span;
use crate::tree::{
    Binary, Block, Declarator, Expr, ExprKind, Member, Method, Modifiers, Name, Parameter,
    Statement, StatementKind, TypeDeclaration, TypeKind, TypeName,
};

/// Adds to a record what follows from its components.
pub(super) fn complete(record: &mut TypeDeclaration, components: Vec<Parameter>) {
    let span = record.name.span;
    let made = Maker { name: record.name.text.clone(), span };
    let mut members = Vec::new();
    for component in &components {
        let modifiers = Modifiers { is_final: true, is_private: true, ..Modifiers::default() };
        let name = component.name.clone();
        let declarator = Declarator { name, dimensions: 0, value: None, span };
        members.push(Member::Field(modifiers, component.type_name.clone(), vec![declarator]));
    }
    let written = std::mem::take(&mut record.members);
    let mut has_constructor = false;
    for member in written {
        members.push(match member {
            Member::Method(method) if method.is_compact => {
                has_constructor = true;
                Member::Method(made.constructor(&components, method.body))
            }
            Member::Method(method) => {
                has_constructor |=
                    method.result.is_none() && method.parameters.len() == components.len();
                Member::Method(method)
            }
            other => other,
        });
    }
    if !has_constructor {
        members.push(Member::Method(made.constructor(&components, None)));
    }
    let declares = |name: &str, count: usize| {
        members.iter().any(|member| match member {
            Member::Method(m) => m.name.text == name && m.parameters.len() == count,
            _ => false,
        })
    };
    let mut more: Vec<Method> = Vec::new();
    for component in &components {
        if !declares(&component.name.text, 0) {
            let value = made.leaf(&component.name.text);
            more.push(made.method(
                &component.name.text,
                component.type_name.clone(),
                vec![],
                value,
            ));
        }
    }
    if !declares("toString", 0) {
        more.push(made.to_string(&components));
    }
    if !declares("hashCode", 0) {
        more.push(made.hash_code(&components));
    }
    if !declares("equals", 1) {
        more.push(made.equals(&components));
    }
    members.extend(more.into_iter().map(Member::Method));
    record.members = members;
}

struct Maker {
    name: String,
    span: Span,
}

impl Maker {
    fn node(&self, kind: ExprKind) -> Expr {
        Expr::new(kind, self.span)
    }

    fn spelt(&self, text: &str) -> Name {
        Name { text: text.to_string(), span: self.span }
    }

    fn leaf(&self, name: &str) -> Expr {
        self.node(ExprKind::Name(name.to_string()))
    }

    fn named(&self, name: &str) -> TypeName {
        let kind = TypeKind::Named(vec![name.to_string()]);
        TypeName { kind, arguments: Vec::new(), dimensions: 0, span: self.span }
    }

    fn call(&self, class: &str, method: &str, arguments: Vec<Expr>) -> Expr {
        let target = Some(Box::new(self.leaf(class)));
        self.node(ExprKind::Call { target, name: self.spelt(method), arguments })
    }

    fn add(&self, left: Expr, right: Expr) -> Expr {
        self.node(ExprKind::Binary(Binary::Add, Box::new(left), Box::new(right)))
    }

    fn method(
        &self,
        name: &str,
        result: TypeName,
        parameters: Vec<Parameter>,
        value: Expr,
    ) -> Method {
        let kind = StatementKind::Return(Some(value));
        let statements = vec![Statement { kind, span: Span::default() }];
        Method {
            modifiers: Modifiers::default(),
            type_parameters: Vec::new(),
            result: Some(result),
            name: self.spelt(name),
            parameters,
            is_variadic: false,
            is_compact: false,
            body: Some(Block { statements, end: self.span }),
            span: self.span,
        }
    }

    /// The constructor; a compact one does its own before the fields are set.
    fn constructor(&self, components: &[Parameter], before: Option<Block>) -> Method {
        let mut statements = Vec::new();
        let mut end = self.span;
        if let Some(block) = before {
            end = block.end;
            statements.extend(block.statements);
        }
        for component in components {
            let this = Box::new(self.node(ExprKind::This));
            let place = self.node(ExprKind::Member(this, component.name.clone()));
            let value = self.leaf(&component.name.text);
            let set = self.node(ExprKind::Assign(None, Box::new(place), Box::new(value)));
            let kind = StatementKind::Expression(set);
            statements.push(Statement { kind, span: Span::default() });
        }
        Method {
            modifiers: Modifiers::default(),
            type_parameters: Vec::new(),
            result: None,
            name: self.spelt(&self.name),
            parameters: components.to_vec(),
            is_variadic: false,
            is_compact: false,
            body: Some(Block { statements, end }),
            span: self.span,
        }
    }

    /// `Point[x=1, y=2]`
    fn to_string(&self, components: &[Parameter]) -> Method {
        let text = |text: String| self.node(ExprKind::Text(text));
        let mut value = text(format!("{}[", self.name));
        for (k, component) in components.iter().enumerate() {
            let name = &component.name.text;
            let between = if k > 0 { ", " } else { "" };
            value = self.add(value, text(format!("{between}{name}=")));
            value = self.add(value, self.leaf(name));
        }
        value = self.add(value, text("]".to_string()));
        self.method("toString", self.named("String"), Vec::new(), value)
    }

    /// As `javac` combines the codes of the components.
    fn hash_code(&self, components: &[Parameter]) -> Method {
        let number = |value| self.node(ExprKind::Integer { value, long: false, decimal: true });
        let mut value = number(0);
        for component in components {
            let own = vec![self.leaf(&component.name.text)];
            let times = ExprKind::Binary(Binary::Multiply, Box::new(value), Box::new(number(31)));
            value = self.add(self.node(times), self.call("Objects", "hashCode", own));
        }
        let kind = TypeKind::Primitive(crate::tree::Primitive::Int);
        let int = TypeName { kind, arguments: Vec::new(), dimensions: 0, span: self.span };
        self.method("hashCode", int, Vec::new(), value)
    }

    fn equals(&self, components: &[Parameter]) -> Method {
        let other = "other";
        let own = || self.named(&self.name);
        let is = ExprKind::InstanceOf(Box::new(self.leaf(other)), own(), None);
        let mut value = self.node(is);
        for component in components {
            let cast = self.node(ExprKind::Cast(own(), Box::new(self.leaf(other))));
            let theirs = self.node(ExprKind::Member(Box::new(cast), component.name.clone()));
            let this = Box::new(self.node(ExprKind::This));
            let own = self.node(ExprKind::Member(this, component.name.clone()));
            let same = self.call("Objects", "equals", vec![own, theirs]);
            let both = ExprKind::Binary(Binary::AndThen, Box::new(value), Box::new(same));
            value = self.node(both);
        }
        let kind = TypeKind::Primitive(crate::tree::Primitive::Boolean);
        let truth = TypeName { kind, arguments: Vec::new(), dimensions: 0, span: self.span };
        let parameter = Parameter { type_name: self.named("Object"), name: self.spelt(other) };
        self.method("equals", truth, vec![parameter], value)
    }
}
