//! Random expressions of a given type.

use super::super::tree::{Expression, Line, Piece, Type, words};
use super::{Generator, Procedure, Variable};

impl Expression {
    /// Replaces a text wherever it occurs.
    pub(super) fn replace(&mut self, from: &str, to: &str) {
        for piece in &mut self.pieces {
            match piece {
                Piece::Text(text) => *text = text.replace(from, to),
                Piece::Expression(part) => part.replace(from, to),
            }
        }
    }
}

impl Generator {
    /// A constant that fits the type at the program's width.
    pub(super) fn constant(&mut self, kind: Type) -> Expression {
        let text = match kind {
            Type::Bool => (if self.random.percent(50) { "true" } else { "false" }).into(),
            Type::Int => self.random.among(1 << (self.bits - 1)).to_string(),
            Type::Unsigned => {
                // Those of the upper half are no constants of type int.
                let value = self.random.among(1 << self.bits);
                if value < 1 << (self.bits - 1) && self.random.percent(80) {
                    value.to_string()
                } else {
                    format!("{value}u")
                }
            }
        };
        Expression::leaf(kind, text)
    }

    fn one(&self, kind: Type) -> Expression {
        Expression::leaf(kind, if kind == Type::Unsigned { "1u" } else { "1" })
    }

    /// Everything in scope; locals weigh double.
    fn in_scope(&self) -> Vec<Variable> {
        self.globals.iter().chain(&self.locals).chain(&self.locals).cloned().collect()
    }

    /// An access to a variable of this type, if there is one.
    pub(super) fn access(&mut self, kind: Type, write: bool) -> Option<Expression> {
        let fitting: Vec<_> = self
            .in_scope()
            .into_iter()
            .filter(|v| v.kind == kind && (v.writable || !write))
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let variable = self.random.pick(&fitting).clone();
        let line = if variable.elements == 0 {
            words![variable.name]
        } else if variable.rows > 0 {
            let (row, column) = (self.index(variable.rows), self.index(variable.elements));
            words![variable.name, "[", row, "][", column, "]"]
        } else {
            let index = self.index(variable.elements);
            words![variable.name, "[", index, "]"]
        };
        Some(Expression::new(kind, line))
    }

    fn index(&mut self, elements: u32) -> Expression {
        let ints: Vec<_> = self
            .in_scope()
            .into_iter()
            .filter(|v| v.kind != Type::Bool && v.elements == 0)
            .collect();
        if ints.is_empty() || !self.random.percent(60) {
            let index = self.random.among(elements);
            return if index < 1 << (self.bits - 1) && self.bits > 1 || index == 0 {
                Expression::leaf(Type::Int, index.to_string())
            } else {
                Expression::leaf(Type::Unsigned, format!("{index}u"))
            };
        }
        let Variable { name, kind, .. } = self.random.pick(&ints).clone();
        if self.random.percent(self.wild) {
            return Expression::leaf(kind, name);
        }
        // Inside: tested on the spot, so that bounds errors do not drown all others.
        let last = (elements - 1).min((1 << (self.bits - 1)) - u32::from(self.bits > 1));
        let text = match kind {
            Type::Int => format!("({name} >= 0 && {name} < {last} ? {name} : 0)"),
            _ => format!("({name} < {last}u ? {name} : 0)"),
        };
        Expression::leaf(kind, text)
    }

    /// A call of some procedure with a result of this type, if there is one.
    pub(super) fn call_expression(&mut self, kind: Type) -> Option<Line> {
        let fitting: Vec<_> =
            self.procedures.iter().filter(|p| p.result == Some(kind)).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let procedure = self.random.pick(&fitting).clone();
        Some(self.call_of(&procedure))
    }

    pub(super) fn call_of(&mut self, procedure: &Procedure) -> Line {
        let mut call = words![&procedure.name, "("];
        for (k, kind) in procedure.parameters.iter().enumerate() {
            if k > 0 {
                call.pieces.push(", ".into());
            }
            call.pieces.push(self.expression(*kind, 1).into());
        }
        call.pieces.push(")".into());
        call
    }

    /// A side-effect free expression, nested at most `depth` deep.
    pub(super) fn expression(&mut self, kind: Type, depth: u32) -> Expression {
        if depth == 0 || self.random.percent(25) {
            return match self.random.among(100) {
                0..78 => self.access(kind, false).unwrap_or_else(|| self.constant(kind)),
                78..95 => self.constant(kind),
                _ => Expression::leaf(kind, "nondet()"),
            };
        }
        match kind {
            Type::Bool => self.condition(depth),
            _ => self.arithmetic(kind, depth),
        }
    }

    /// A condition that mostly depends on something.
    pub(super) fn question(&mut self, depth: u32) -> Expression {
        for _ in 0..3 {
            let question = self.expression(Type::Bool, depth);
            if !["true", "false", "nondet()"].contains(&question.to_string().as_str()) {
                return question;
            }
        }
        Expression::leaf(Type::Bool, "nondet()")
    }

    fn condition(&mut self, depth: u32) -> Expression {
        let (kind, operators): (Type, &[&str]) = match self.random.among(10) {
            0..2 => {
                let negated = self.atom(Type::Bool, depth - 1);
                return Expression::new(Type::Bool, words!["!", negated]);
            }
            2..4 => (Type::Bool, &["&&"]),
            4..6 => (Type::Bool, &["||"]),
            6 => (Type::Bool, &["!=", "=="]),
            _ => (self.integer, &["==", "!=", "<", "<=", ">", ">=", "=="]),
        };
        let operator = *self.random.pick(operators);
        let (left, right) = self.operands(kind, depth - 1);
        Expression::new(Type::Bool, words!["(", left, " ", operator, " ", right, ")"])
    }

    /// Two expressions, mostly different, and mostly not two constants.
    fn operands(&mut self, kind: Type, depth: u32) -> (Expression, Expression) {
        let constant = |expression: &Expression| {
            let text = expression.to_string();
            let words = text.replace("true", "").replace("false", "");
            !text.contains("nondet") && !words.contains(char::is_alphabetic)
        };
        let mut draw = || (self.expression(kind, depth), self.expression(kind, depth));
        let (mut left, mut right) = draw();
        for _ in 0..2 {
            let both = constant(&left) && constant(&right);
            if left.to_string() != right.to_string() && !both {
                return (left, right);
            }
            (left, right) = draw();
        }
        if constant(&left) && constant(&right) {
            // Folded constants may be too large for their type.
            left = Expression::leaf(kind, "nondet()");
        }
        (left, right)
    }

    fn arithmetic(&mut self, kind: Type, depth: u32) -> Expression {
        let line = match self.random.among(20) {
            0..14 => {
                let operator = *self.random.pick(&["+", "+", "+", "-", "-", "*", "&", "|", "^"]);
                let (left, right) = self.operands(kind, depth - 1);
                words!["(", left, " ", operator, " ", right, ")"]
            }
            14 => words!["(-", self.atom(kind, 0), ")"],
            15 => words!["(~", self.atom(kind, 0), ")"],
            16 => {
                let operator = *self.random.pick(&["/", "%"]);
                let divisor = self.divisor(kind);
                let (dividend, _) = self.operands(kind, depth - 1);
                words!["(", dividend, " ", operator, " ", divisor, ")"]
            }
            17 => {
                let operator = *self.random.pick(&["<<", ">>"]);
                let shifted =
                    self.access(kind, false).unwrap_or_else(|| Expression::leaf(kind, "nondet()"));
                words!["(", shifted, " ", operator, " ", self.constant(kind), ")"]
            }
            _ => {
                let condition = self.expression(Type::Bool, depth - 1);
                let [yes, no] = [(); 2].map(|()| self.expression(kind, depth - 1));
                words!["(", condition, " ? ", yes, " : ", no, ")"]
            }
        };
        Expression::new(kind, line)
    }

    /// Mostly 1; never 0, but where errors of array accesses are wanted too.
    fn divisor(&mut self, kind: Type) -> Expression {
        if self.random.percent(70) && (kind == Type::Unsigned || self.bits > 1) {
            return self.one(kind);
        }
        let divisor = self.constant(kind);
        let zero = divisor.to_string().trim_end_matches('u') == "0";
        if zero && self.wild == 0 { self.one(kind) } else { divisor }
    }

    fn atom(&mut self, kind: Type, depth: u32) -> Expression {
        let inner = self.expression(kind, depth);
        let text = inner.to_string();
        if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '[' || c == ']')
            || text.starts_with('(')
        {
            inner
        } else {
            Expression::new(kind, words!["(", inner, ")"])
        }
    }
}
