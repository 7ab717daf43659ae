//! Expressions, every operator in parentheses.

use super::Printer;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Spelling, TypeName, UnaryOp};
use std::fmt::Write;

impl Printer<'_> {
    /// Prints an expression, in parentheses unless it is a leaf.
    pub(super) fn operand(&mut self, e: &Expr) {
        let leaf = match &e.kind {
            ExprKind::Number(..)
            | ExprKind::Truth(_)
            | ExprKind::Name(_)
            | ExprKind::Call(..)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Text(_)
            | ExprKind::SizeOfType(..)
            | ExprKind::Statements(_)
            | ExprKind::Poisoned => true,
            ExprKind::Choice => self.translate,
            _ => false,
        };
        if leaf {
            return self.expression(e);
        }
        self.put("(");
        self.expression(e);
        self.put(")");
    }

    pub(super) fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Number(n, spelling) => self.number(*n, *spelling),
            ExprKind::Truth(b) if self.c => self.put(if *b { "1" } else { "0" }),
            ExprKind::Truth(b) => self.put(if *b { "true" } else { "false" }),
            ExprKind::Name(name) => self.put_name(name),
            ExprKind::Index(base, index) => {
                self.operand(base);
                self.put("[");
                self.expression(index);
                self.put("]");
            }
            ExprKind::Call(name, arguments) => {
                let text = match name.text.as_str() {
                    "assume" if self.translate => "__VERIFIER_assume",
                    other => other,
                };
                self.put(text);
                self.put("(");
                self.list(arguments);
                self.put(")");
            }
            // The least `int`, whose magnitude is no `int`.
            ExprKind::Unary(UnaryOp::Minus, operand) if self.is_beyond(operand) => {
                if let ExprKind::Number(n, _) = operand.kind {
                    let _ = write!(self.text, "-{} - 1", n.saturating_sub(1));
                }
            }
            ExprKind::Unary(op, operand) => {
                self.put(match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Minus => "-",
                    UnaryOp::Tilde => "~",
                    UnaryOp::Not => "!",
                });
                self.operand(operand);
            }
            ExprKind::Binary(op, left, right) | ExprKind::Mathematical(op, left, right) => {
                self.binary(*op, left, right)
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.operand(condition);
                self.put(" ? ");
                self.operand(then);
                self.put(" : ");
                self.operand(otherwise);
            }
            ExprKind::Otherwise(parts) => {
                let [value, otherwise] = &**parts;
                self.operand(value);
                self.put(" ?: ");
                self.operand(otherwise);
            }
            ExprKind::Assign(op, place, value) => {
                self.operand(place);
                self.put(" ");
                if let Some(op) = op {
                    self.put(sign(*op));
                }
                self.put("= ");
                self.operand(value);
            }
            ExprKind::Step { up, prefix, place } => {
                let word = if *up { "++" } else { "--" };
                if *prefix {
                    self.put(word);
                }
                self.operand(place);
                if !*prefix {
                    self.put(word);
                }
            }
            ExprKind::Cast(name, operand) => {
                self.put("(");
                self.type_name(*name);
                self.put(")");
                self.operand(operand);
            }
            ExprKind::Choice if self.translate => self.put("nondet()"),
            ExprKind::Choice => self.put("*"),
            ExprKind::Comma(list) => self.list(list),
            ExprKind::PointerCast(..)
            | ExprKind::Member(..)
            | ExprKind::Address(_)
            | ExprKind::Indirect(_)
            | ExprKind::SizeOf(_)
            | ExprKind::SizeOfType(..)
            | ExprKind::SizeOfPointer
            | ExprKind::Through(..)
            | ExprKind::Checked(_)
            | ExprKind::Held(_)
            | ExprKind::Exactly(..)
            | ExprKind::Text(_)
            | ExprKind::Poisoned
            | ExprKind::Statements(_) => self.c_expression(e),
        }
    }

    /// An expression of a form that only C has.
    fn c_expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::PointerCast(to, operand) if !to.other => {
                self.put("(");
                self.type_name(to.type_name);
                self.put(" ");
                (0..to.pointers).for_each(|_| self.put("*"));
                self.put(")");
                self.operand(operand);
            }
            ExprKind::PointerCast(_, operand) => {
                self.put("(void *)");
                self.operand(operand);
            }
            ExprKind::Member(base, name) => {
                self.operand(base);
                self.put(".");
                self.put(&name.text);
            }
            ExprKind::Address(place) => {
                self.put("&");
                self.operand(place);
            }
            ExprKind::Indirect(pointer) => {
                self.put("*");
                self.operand(pointer);
            }
            ExprKind::SizeOf(operand) => {
                self.put("sizeof(");
                self.expression(operand);
                self.put(")");
            }
            ExprKind::SizeOfType(name, dimensions) => {
                self.put("sizeof(");
                self.type_name(*name);
                self.extents(dimensions);
                self.put(")");
            }
            ExprKind::SizeOfPointer => self.put("sizeof(void *)"),
            ExprKind::Exactly(bits, TypeName::Floating { width }) => {
                // A literal of more than any number has is infinite.
                let shown = crate::lang::floating::shown(*bits, *width);
                self.put(&shown.replace("inf", "1e999"));
                if *width == 32 {
                    self.put("f");
                }
            }
            ExprKind::Through(procedure, arguments) => {
                self.operand(procedure);
                self.put("(");
                self.list(arguments);
                self.put(")");
            }
            ExprKind::Statements(block) => {
                self.put("(");
                self.block(block);
                self.put(")");
            }
            ExprKind::Text(text) => {
                self.put("\"");
                self.put(&text.spelt);
                self.put("\"");
            }
            _ => self.put("\"\""),
        }
    }

    /// Expressions with commas between.
    fn list(&mut self, list: &[Expr]) {
        for (index, part) in list.iter().enumerate() {
            self.put(if index > 0 { ", " } else { "" });
            self.operand(part);
        }
    }

    /// Prints a chain of operators. A loop walks the left operands, because the chain may be long.
    pub(super) fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let mut spine = vec![(op, right)];
        let mut node = left;
        while let ExprKind::Binary(op, left, right) = &node.kind {
            spine.push((*op, right));
            node = left;
        }
        self.put(&"(".repeat(spine.len() - 1));
        self.operand(node);
        for (index, (op, right)) in spine.into_iter().rev().enumerate() {
            if index > 0 {
                self.put(")");
            }
            self.put(" ");
            self.put(sign(op));
            self.put(" ");
            self.operand(right);
        }
    }

    /// Is it the number that C's `int` cannot hold although it can hold its negative?
    pub(super) fn is_beyond(&self, e: &Expr) -> bool {
        self.translate && matches!(e.kind, ExprKind::Number(n, _) if n == 1 << (self.int - 1))
    }

    pub(super) fn number(&mut self, n: u64, spelling: Spelling) {
        let _ =
            if spelling.pattern { write!(self.text, "0x{n:X}") } else { write!(self.text, "{n}") };
        let wide = self.translate && self.int <= 32 && n >= 1 << (self.int - 1);
        if spelling.unsigned || (wide && !spelling.pattern) {
            self.put("u");
        }
        if spelling.long {
            self.put("l");
        }
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
    }
}
