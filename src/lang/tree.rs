//! Small pieces of a syntax tree that Faultline makes itself.

use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Block, Branch, Declaration, Declarator, Expr, ExprKind, Function, Initializer, Item,
    Name, Parameter, Spelling, Statement, StatementKind, Text, TypeName, UnaryOp,
};

/// Makes a procedure of Faultline's own.
pub(in crate::lang) fn procedure(
    text: &str,
    (result, pointers): (TypeName, u32),
    parameters: Vec<Parameter>,
    statements: Vec<Statement>,
    span: Span,
) -> Item {
    Item::Function(Function {
        result,
        pointers,
        name: name(text, span),
        parameters,
        open_ended: false,
        body: Some(Block { statements, end: span }),
        span,
        shared: true,
        contract: None,
    })
}

/// The declaration of a variable.
pub(in crate::lang) fn variable(
    text: &str,
    (type_name, pointers): (TypeName, u32),
    initializer: Option<Initializer>,
    span: Span,
) -> Declaration {
    array(text, (type_name, pointers), Vec::new(), initializer, span)
}

/// The declaration of an array.
pub(in crate::lang) fn array(
    text: &str,
    (type_name, pointers): (TypeName, u32),
    dimensions: Vec<Option<Expr>>,
    initializer: Option<Initializer>,
    span: Span,
) -> Declaration {
    let name = name(text, span);
    Declaration::plain(
        type_name,
        vec![Declarator { name, pointers, dimensions, initializer, span }],
    )
}

pub(in crate::lang) fn declared(declaration: Declaration, span: Span) -> Statement {
    statement(StatementKind::Declaration(declaration), span)
}

pub(in crate::lang) fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement { kind, span }
}

pub(in crate::lang) fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr::new(kind, span)
}

pub(in crate::lang) fn name(text: &str, span: Span) -> Name {
    Name { text: text.to_string(), span }
}

pub(in crate::lang) fn named(name: &str, span: Span) -> Expr {
    expr(ExprKind::Name(name.to_string()), span)
}

pub(in crate::lang) fn call(text: &str, arguments: Vec<Expr>, span: Span) -> Expr {
    expr(ExprKind::Call(name(text, span), arguments), span)
}

pub(in crate::lang) fn effect(e: Expr) -> Statement {
    let span = e.span;
    statement(StatementKind::Expression(e), span)
}

pub(in crate::lang) fn returned(e: Option<Expr>, span: Span) -> Statement {
    statement(StatementKind::Return(e), span)
}

/// One statement of several.
pub(in crate::lang) fn block(mut statements: Vec<Statement>, span: Span) -> Statement {
    match statements.len() {
        1 => statements.remove(0),
        _ => closed(statements, span),
    }
}

/// Statements in a block of their own.
pub(in crate::lang) fn closed(statements: Vec<Statement>, span: Span) -> Statement {
    statement(StatementKind::Block(Block { statements, end: span }), span)
}

/// Statements that are no steps of the source.
pub(in crate::lang) fn ghost(statements: Vec<Statement>, span: Span) -> Statement {
    statement(StatementKind::Ghost(Block { statements, end: span }), span)
}

pub(in crate::lang) fn when(condition: Expr, then: Vec<Statement>, span: Span) -> Statement {
    either(condition, then, None, span)
}

pub(in crate::lang) fn either(
    condition: Expr,
    then: Vec<Statement>,
    otherwise: Option<Statement>,
    span: Span,
) -> Statement {
    let branches = vec![Branch { condition, then: closed(then, span), head: span }];
    statement(StatementKind::If { branches, otherwise: otherwise.map(Box::new) }, span)
}

pub(in crate::lang) fn assign(place: Expr, value: Expr) -> Expr {
    let span = place.span;
    expr(ExprKind::Assign(None, Box::new(place), Box::new(value)), span)
}

pub(in crate::lang) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)
}

/// An operator on numbers that do not wrap.
pub(in crate::lang) fn mathematical(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    expr(ExprKind::Mathematical(op, Box::new(left), Box::new(right)), span)
}

pub(in crate::lang) fn not(e: Expr) -> Expr {
    let span = e.span;
    expr(ExprKind::Unary(UnaryOp::Not, Box::new(e)), span)
}

pub(in crate::lang) fn cast(ty: TypeName, e: Expr) -> Expr {
    let span = e.span;
    expr(ExprKind::Cast(ty, Box::new(e)), span)
}

pub(in crate::lang) fn number(n: u64, span: Span) -> Expr {
    expr(ExprKind::Number(n, Spelling::default()), span)
}

pub(in crate::lang) fn signed(n: i64, span: Span) -> Expr {
    let number = number(n.unsigned_abs(), span);
    match n < 0 {
        true => expr(ExprKind::Unary(UnaryOp::Minus, Box::new(number)), span),
        false => number,
    }
}

/// A number at every width of `int`.
pub(in crate::lang) fn exactly(n: i64, span: Span) -> Expr {
    let ty = TypeName::Exact { width: 64, signed: true };
    expr(ExprKind::Exactly(n as u64, ty), span)
}

pub(in crate::lang) fn text_of(text: &str, span: Span) -> Expr {
    expr(ExprKind::Text(Text { spelt: text.to_string(), ..Text::default() }), span)
}

/// The expression, with depths that are right.
pub(in crate::lang) fn rebuilt(mut e: Expr) -> Expr {
    let mut children = Vec::new();
    e.children_mut(&mut children);
    for child in children {
        let span = child.span;
        let taken = std::mem::replace(child, expr(ExprKind::Poisoned, span));
        *child = rebuilt(taken);
    }
    Expr::new(e.kind, e.span)
}
