//! The program model as text, for expectations in tests.

use crate::lang::model::*;
use crate::lang::{Loaded, load};
use crate::wire::options::{Dialect, RequestedOptions};

pub(super) fn load_plain(source: &str) -> Loaded {
    load_in(source, Dialect::Cimple)
}

/// The program, which must load without errors.
pub(super) fn program(source: &str) -> Program {
    program_in(source, Dialect::Cimple)
}

fn load_in(source: &str, dialect: Dialect) -> Loaded {
    load(source, &RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() })
}

/// As [`program`], in another language.
pub(super) fn program_in(source: &str, dialect: Dialect) -> Program {
    let loaded = load_in(source, dialect);
    let messages: Vec<String> = loaded
        .diagnostics
        .iter()
        .map(|d| format!("{}: {} ({})", d.span.line, d.message, d.hint))
        .collect();
    let program =
        loaded.program.unwrap_or_else(|| panic!("does not load: {messages:#?}\n{source}"));
    well_formed(&program);
    program
}

/// One diagnostic per line: `line: message | hint`.
pub(super) fn messages(source: &str) -> Vec<String> {
    messages_in(source, Dialect::Cimple)
}

pub(super) fn messages_in(source: &str, dialect: Dialect) -> Vec<String> {
    load_in(source, dialect)
        .diagnostics
        .iter()
        .map(|d| format!("{}: {} | {}", d.span.line, d.message, d.hint))
        .collect()
}

pub(super) fn dump(program: &Program) -> Vec<String> {
    program.edges.iter().map(|e| edge(program, e)).collect()
}

fn edge(program: &Program, e: &Edge) -> String {
    let mut text = format!("{}->{} ", e.from.0, e.to.0);
    for check in &e.checks {
        text += &format!("[{} {}] ", check.kind.word(), show(program, &check.condition));
    }
    text += &match &e.operation {
        Operation::Skip => "skip".to_string(),
        Operation::Assume(c) => format!("assume {}", show(program, c)),
        Operation::Assign(pairs) => {
            let parts: Vec<String> = pairs
                .iter()
                .map(|(p, v)| format!("{} := {}", place(program, p), show(program, v)))
                .collect();
            parts.join(", ")
        }
        Operation::Havoc(list) => format!(
            "havoc {}",
            list.iter().map(|v| name(program, *v)).collect::<Vec<_>>().join(", ")
        ),
        Operation::Call { callee, arguments, result } => {
            let list: Vec<String> = arguments.iter().map(|a| show(program, a)).collect();
            let into = result.map_or(String::new(), |r| format!("{} := ", name(program, r)));
            format!("{into}{}({})", program.procedure(*callee).name, list.join(", "))
        }
    };
    let outcome = if e.outcome.is_empty() { String::new() } else { format!(" {}", e.outcome) };
    text + &format!(" ; {:?}{outcome} {} `{}`", e.kind, e.span.line, e.text)
}

fn name(program: &Program, id: VariableId) -> String {
    let variable = program.variable(id);
    match variable.kind {
        VariableKind::Temporary => "$".to_string(),
        VariableKind::Result => "result".to_string(),
        _ => variable.name.clone(),
    }
}

fn place(program: &Program, p: &Place) -> String {
    match p {
        Place::Variable(v) => name(program, *v),
        Place::Element(v, i) => format!("{}[{}]", name(program, *v), show(program, i)),
    }
}

/// Fully parenthesised.
pub(super) fn show(program: &Program, e: &Expression) -> String {
    match e {
        Expression::Constant(bits, scalar) => scalar.show(*bits),
        Expression::Variable(v, _) => name(program, *v),
        Expression::Element(v, i, _) => format!("{}[{}]", name(program, *v), show(program, i)),
        Expression::Choice(id, scalar) => format!("?{}:{}", id.0, scalar_name(*scalar)),
        Expression::Unary(op, e) => {
            let sign = match op {
                UnaryOperator::Negate => "-",
                UnaryOperator::Complement => "~",
                UnaryOperator::Not => "!",
            };
            format!("{sign}{}", show(program, e))
        }
        Expression::Binary(op, l, r) => {
            use BinaryOperator::*;
            let sign = match op {
                Add => "+",
                Subtract => "-",
                Multiply => "*",
                Divide => "/",
                Remainder => "%",
                ShiftLeft => "<<",
                ShiftRight => ">>",
                And => "&",
                Or => "|",
                Xor => "^",
                Equal => "==",
                NotEqual => "!=",
                Less => "<",
                LessEqual => "<=",
            };
            format!("({} {sign} {})", show(program, l), show(program, r))
        }
        Expression::Cast(to, e) => format!("{}:{}", show(program, e), scalar_name(*to)),
        Expression::Conditional(c, t, e) => {
            format!("({} ? {} : {})", show(program, c), show(program, t), show(program, e))
        }
    }
}

fn scalar_name(s: Scalar) -> String {
    if s.boolean {
        "bool".to_string()
    } else {
        format!("{}{}", if s.signed { "i" } else { "u" }, s.width)
    }
}

/// Checks what the model promises: types agree, choices exist, a call is the only edge out of its
/// location, entries have no in-edges, exits no out-edges.
pub(super) fn well_formed(program: &Program) {
    for p in &program.procedures {
        assert!(
            program.edges.iter().all(|e| e.to != p.entry),
            "an edge into the entry of {}",
            p.name
        );
        assert!(
            program.edges.iter().all(|e| e.from != p.exit),
            "an edge out of the exit of {}",
            p.name
        );
    }
    for e in &program.edges {
        assert_eq!(
            program.location(e.from).procedure,
            program.location(e.to).procedure,
            "{}",
            e.text
        );
        if matches!(e.operation, Operation::Call { .. }) {
            assert_eq!(
                program.edges.iter().filter(|o| o.from == e.from).count(),
                1,
                "a call beside another edge: {}",
                e.text
            );
        }
        for check in &e.checks {
            typed(program, &check.condition, e);
            assert_eq!(check.condition.scalar(), Scalar::BOOL);
        }
        match &e.operation {
            Operation::Skip | Operation::Havoc(_) => {}
            Operation::Assume(c) => {
                typed(program, c, e);
                assert_eq!(c.scalar(), Scalar::BOOL);
            }
            Operation::Assign(pairs) => {
                for (p, v) in pairs {
                    typed(program, v, e);
                    assert_eq!(program.variable(p.variable()).scalar, v.scalar(), "{}", e.text);
                    match p {
                        Place::Variable(v) => assert!(!program.variable(*v).is_array()),
                        Place::Element(v, i) => {
                            assert!(program.variable(*v).is_array());
                            typed(program, i, e);
                        }
                    }
                }
            }
            Operation::Call { callee, arguments, result } => {
                let callee = program.procedure(*callee);
                assert_eq!(callee.parameters.len(), arguments.len());
                for (a, p) in arguments.iter().zip(&callee.parameters) {
                    typed(program, a, e);
                    assert_eq!(a.scalar(), program.variable(*p).scalar);
                }
                if let Some(result) = result {
                    let from = callee.result.expect("a result to take");
                    assert_eq!(program.variable(*result).scalar, program.variable(from).scalar);
                }
            }
        }
        for v in &program.scope(e.scope).variables {
            assert!(!matches!(
                program.variable(*v).kind,
                VariableKind::Temporary | VariableKind::Result
            ));
        }
    }
}

fn typed(program: &Program, e: &Expression, edge: &Edge) {
    match e {
        Expression::Constant(bits, s) => assert_eq!(bits & !s.mask(), 0, "{}", edge.text),
        Expression::Variable(v, s) => {
            assert_eq!(program.variable(*v).scalar, *s);
            assert!(!program.variable(*v).is_array());
        }
        Expression::Element(v, i, s) => {
            assert_eq!(program.variable(*v).scalar, *s);
            assert!(program.variable(*v).is_array());
            typed(program, i, edge);
        }
        Expression::Choice(id, s) => assert_eq!(edge.choices[*id], *s, "{}", edge.text),
        Expression::Unary(op, e) => {
            typed(program, e, edge);
            assert_eq!(*op == UnaryOperator::Not, e.scalar().boolean, "{}", edge.text);
        }
        Expression::Binary(op, l, r) => {
            typed(program, l, edge);
            typed(program, r, edge);
            if !matches!(op, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight) {
                assert_eq!(l.scalar(), r.scalar(), "{}: {}", edge.text, show(program, e));
            }
        }
        Expression::Cast(_, e) => typed(program, e, edge),
        Expression::Conditional(c, t, f) => {
            typed(program, c, edge);
            typed(program, t, edge);
            typed(program, f, edge);
            assert_eq!(c.scalar(), Scalar::BOOL);
            assert_eq!(t.scalar(), f.scalar());
        }
    }
}
