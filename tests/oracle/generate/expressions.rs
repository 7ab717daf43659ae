//! Random expressions of a given type.

use super::{Generator, Type, Variable};

impl Generator {
    /// A constant that fits the type at the program's width.
    pub fn constant(&mut self, kind: Type) -> String {
        match kind {
            Type::Bool => (if self.random.percent(50) { "true" } else { "false" }).into(),
            Type::Int => self.random.below(1 << (self.bits - 1)).to_string(),
            Type::Unsigned => {
                // Those of the upper half are no constants of type int.
                let value = self.random.below(1 << self.bits);
                if value < 1 << (self.bits - 1) && self.random.percent(80) {
                    value.to_string()
                } else {
                    format!("{value}u")
                }
            }
        }
    }

    fn one(&self, kind: Type) -> String {
        (if kind == Type::Unsigned { "1u" } else { "1" }).into()
    }

    /// Everything in scope; locals weigh double.
    pub fn in_scope(&self) -> Vec<Variable> {
        self.globals.iter().chain(&self.locals).chain(&self.locals).cloned().collect()
    }

    /// An access to a variable of this type, if there is one.
    pub fn access(&mut self, kind: Type, write: bool) -> Option<String> {
        let fitting: Vec<_> = self
            .in_scope()
            .into_iter()
            .filter(|v| v.kind == kind && (v.writable || !write))
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let variable = self.random.pick(&fitting).clone();
        Some(if variable.elements == 0 {
            variable.name
        } else if variable.rows > 0 {
            let (row, column) = (self.index(variable.rows), self.index(variable.elements));
            format!("{}[{row}][{column}]", variable.name)
        } else {
            let index = self.index(variable.elements);
            format!("{}[{index}]", variable.name)
        })
    }

    fn index(&mut self, elements: u32) -> String {
        let ints: Vec<_> = self
            .in_scope()
            .into_iter()
            .filter(|v| v.kind != Type::Bool && v.elements == 0)
            .collect();
        if ints.is_empty() || !self.random.percent(60) {
            let index = self.random.below(elements);
            return if index < 1 << (self.bits - 1) && self.bits > 1 || index == 0 {
                index.to_string()
            } else {
                format!("{index}u")
            };
        }
        let variable = self.random.pick(&ints).clone();
        if self.random.percent(self.wild) {
            return variable.name;
        }
        // Inside: tested on the spot, so that bounds errors do not drown all others.
        let last = (elements - 1).min((1 << (self.bits - 1)) - u32::from(self.bits > 1));
        match variable.kind {
            Type::Int => format!("({0} >= 0 && {0} < {last} ? {0} : 0)", variable.name),
            _ => format!("({0} < {last}u ? {0} : 0)", variable.name),
        }
    }

    /// A call of some procedure with a result of this type, if there is one.
    pub fn call_expression(&mut self, kind: Type) -> Option<String> {
        let fitting: Vec<_> =
            self.procedures.iter().filter(|p| p.result == Some(kind)).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let procedure = self.random.pick(&fitting).clone();
        let arguments: Vec<_> =
            procedure.parameters.iter().map(|kind| self.expression(*kind, 1)).collect();
        Some(format!("{}({})", procedure.name, arguments.join(", ")))
    }

    /// A side-effect free expression, nested at most `depth` deep.
    pub fn expression(&mut self, kind: Type, depth: u32) -> String {
        if depth == 0 || self.random.percent(25) {
            return match self.random.below(100) {
                0..78 => self.access(kind, false).unwrap_or_else(|| self.constant(kind)),
                78..95 => self.constant(kind),
                _ => "nondet()".into(),
            };
        }
        match kind {
            Type::Bool => self.condition(depth),
            _ => self.arithmetic(kind, depth),
        }
    }

    /// A condition that mostly depends on something.
    pub fn question(&mut self, depth: u32) -> String {
        for _ in 0..3 {
            let text = self.expression(Type::Bool, depth);
            if text != "true" && text != "false" && text != "nondet()" {
                return text;
            }
        }
        "nondet()".into()
    }

    fn condition(&mut self, depth: u32) -> String {
        let (kind, operators): (Type, &[&str]) = match self.random.below(10) {
            0..2 => return format!("!{}", self.atom(Type::Bool, depth - 1)),
            2..4 => (Type::Bool, &["&&"]),
            4..6 => (Type::Bool, &["||"]),
            6 => (Type::Bool, &["!=", "=="]),
            _ => (self.integer, &["==", "!=", "<", "<=", ">", ">=", "=="]),
        };
        let operator = *self.random.pick(operators);
        let (left, right) = self.operands(kind, depth - 1);
        format!("({left} {operator} {right})")
    }

    /// Two expressions, mostly different, and mostly not two constants.
    fn operands(&mut self, kind: Type, depth: u32) -> (String, String) {
        let constant = |text: &str| {
            !text.contains("nondet")
                && !text
                    .replace("true", "")
                    .replace("false", "")
                    .contains(|c: char| c.is_alphabetic())
        };
        let (mut left, mut right) = (String::new(), String::new());
        for _ in 0..3 {
            (left, right) = (self.expression(kind, depth), self.expression(kind, depth));
            if left != right && !(constant(&left) && constant(&right)) {
                return (left, right);
            }
        }
        if constant(&left) && constant(&right) {
            // Folded constants may be too large for their type.
            left = "nondet()".into();
        }
        (left, right)
    }

    fn arithmetic(&mut self, kind: Type, depth: u32) -> String {
        match self.random.below(20) {
            0..14 => {
                let operator = *self.random.pick(&["+", "+", "+", "-", "-", "*", "&", "|", "^"]);
                let (left, right) = self.operands(kind, depth - 1);
                format!("({left} {operator} {right})")
            }
            14 => format!("(-{})", self.atom(kind, 0)),
            15 => format!("(~{})", self.atom(kind, 0)),
            16 => {
                let operator = *self.random.pick(&["/", "%"]);
                let divisor =
                    if self.random.percent(70) && (kind == Type::Unsigned || self.bits > 1) {
                        self.one(kind)
                    } else {
                        self.constant(kind)
                    };
                let divisor = if divisor.trim_end_matches('u') == "0" && self.wild == 0 {
                    self.one(kind)
                } else {
                    divisor
                };
                let (dividend, _) = self.operands(kind, depth - 1);
                format!("({dividend} {operator} {divisor})")
            }
            17 => {
                let operator = *self.random.pick(&["<<", ">>"]);
                let shifted = self.access(kind, false).unwrap_or_else(|| "nondet()".into());
                format!("({shifted} {operator} {})", self.constant(kind))
            }
            _ => {
                let condition = self.expression(Type::Bool, depth - 1);
                format!(
                    "({condition} ? {} : {})",
                    self.expression(kind, depth - 1),
                    self.expression(kind, depth - 1)
                )
            }
        }
    }

    fn atom(&mut self, kind: Type, depth: u32) -> String {
        let inner = self.expression(kind, depth);
        if inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '[' || c == ']')
            || inner.starts_with('(')
        {
            inner
        } else {
            format!("({inner})")
        }
    }
}
