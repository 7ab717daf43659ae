//! Pieces of the shared syntax tree.

use crate::lang::model::Span;
use crate::lang::syntax::{
    Block, Branch, Declaration, Declarator, Expr, ExprKind, Function, Initializer, Item, Parameter,
    Spelling, Statement, StatementKind, TypeName, UnaryOp,
};
pub(super) use crate::lang::tree::{
    binary, call, cast, closed as block, effect, expr, name, named, not, statement, text_of as text,
};

/// A type and its stars.
pub(super) type Spelt = (TypeName, u32);

pub(super) fn span_of(span: faultline_java::Span) -> Span {
    match span.line {
        // A part of Java's library that is written in Java.
        0 => Span { start: 0, end: 0, line: 1 },
        line => Span { start: span.start, end: span.end, line },
    }
}

pub(super) fn unsigned(width: u8) -> TypeName {
    TypeName::Exact { width, signed: false }
}

/// The least number of bits that can hold `most`.
pub(super) fn width_of(most: u64) -> u8 {
    (64 - most.leading_zeros()).max(1) as u8
}

pub(super) fn choice(span: Span) -> Expr {
    expr(ExprKind::Choice, span)
}

/// A number as it is spelt, so that a width of `int` that does not hold it is noticed.
pub(super) fn number(n: i64, long: bool, span: Span) -> Expr {
    let spelling = Spelling { long, ..Spelling::default() };
    let magnitude = expr(ExprKind::Number(n.unsigned_abs(), spelling), span);
    match n < 0 {
        true => expr(ExprKind::Unary(UnaryOp::Minus, Box::new(magnitude)), span),
        false => magnitude,
    }
}

pub(super) fn exactly(n: u64, ty: TypeName, span: Span) -> Expr {
    expr(ExprKind::Exactly(n, ty), span)
}

pub(super) fn truth(value: bool, span: Span) -> Expr {
    expr(ExprKind::Truth(value), span)
}

/// `object->member`
pub(super) fn member(object: Expr, text: &str, span: Span) -> Expr {
    let at = object.span;
    let place = expr(ExprKind::Indirect(Box::new(object)), at);
    expr(ExprKind::Member(Box::new(place), name(text, span)), span)
}

pub(super) fn index(array: Expr, at: Expr, span: Span) -> Expr {
    expr(ExprKind::Index(Box::new(array), Box::new(at)), span)
}

pub(super) fn assign(place: Expr, value: Expr, span: Span) -> Statement {
    let kind = ExprKind::Assign(None, Box::new(place), Box::new(value));
    effect(expr(kind, span))
}

pub(super) fn when(condition: Expr, then: Vec<Statement>, span: Span) -> Statement {
    if_else(condition, then, Vec::new(), span)
}

pub(super) fn if_else(
    condition: Expr,
    then: Vec<Statement>,
    otherwise: Vec<Statement>,
    span: Span,
) -> Statement {
    let branch = Branch { condition, then: block(then, span), head: span };
    let otherwise = (!otherwise.is_empty()).then(|| Box::new(block(otherwise, span)));
    statement(StatementKind::If { branches: vec![branch], otherwise }, span)
}

pub(super) fn goto(label: &str, span: Span) -> Statement {
    statement(StatementKind::Goto(name(label, span)), span)
}

pub(super) fn label(text: &str, span: Span) -> Statement {
    statement(StatementKind::Label(name(text, span)), span)
}

pub(super) fn declaration(
    text: &str,
    (type_name, pointers): Spelt,
    value: Option<Expr>,
    (name_span, span): (Span, Span),
) -> Declaration {
    let initializer = value.map(Initializer::Value);
    let declarator = Declarator {
        name: name(text, name_span),
        pointers,
        dimensions: Vec::new(),
        initializer,
        span,
    };
    Declaration::plain(type_name, vec![declarator])
}

/// An array of so many elements.
pub(super) fn table(text: &str, (type_name, pointers): Spelt, count: u32, span: Span) -> Item {
    let mut made = declaration(text, (type_name, pointers), None, (span, span));
    made.declarators[0].dimensions = vec![Some(number(i64::from(count), false, span))];
    Item::Declaration(made)
}

pub(super) fn parameter(text: &str, (type_name, pointers): Spelt, span: Span) -> Parameter {
    Parameter {
        type_name,
        pointers,
        rows: Vec::new(),
        array: false,
        name: Some(name(text, span)),
        constant: false,
        atomic: false,
        span,
    }
}

pub(super) fn function(
    text: &str,
    (result, pointers): Spelt,
    parameters: Vec<Parameter>,
    statements: Vec<Statement>,
    (span, end, shared): (Span, Span, bool),
) -> Item {
    Item::Function(Function {
        result,
        pointers,
        name: name(text, span),
        parameters,
        open_ended: false,
        body: Some(Block { statements, end }),
        contract: None,
        span,
        shared,
    })
}
