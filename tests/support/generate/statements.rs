//! Random statements.

use super::super::tree::{Expression, Line, Type, words};
use super::{Generator, Variable};

impl Generator {
    /// Some statements, nested at most `depth` deep.
    pub(super) fn block(&mut self, statements: u32, depth: u32) {
        for _ in 0..statements {
            self.statement(depth);
        }
    }

    /// One or two statements.
    fn inner(&mut self, depth: u32) {
        let size = 1 + self.random.among(2);
        self.block(size, depth);
    }

    fn statement(&mut self, depth: u32) {
        match self.random.among(100) {
            0..30 => self.assignment(),
            30..34 => self.assignments(),
            34..36 => self.declaration(),
            36..38 => self.effects(),
            38..44 => {
                let kind = self.some_type(50);
                if let Some(place) = self.access(kind, true) {
                    self.line(words![place, " = nondet();"]);
                }
            }
            44..62 if depth > 0 => self.branch(depth),
            62..70 if depth > 0 => self.repeat(depth),
            70..74 if depth > 0 => self.switch(depth),
            74..88 if !self.procedures.is_empty() => {
                let callee = self.random.among(self.procedures.len() as u32) as usize;
                self.call(callee);
            }
            88..91 if self.assertions > 0 => self.assertion(),
            91..94 => {
                let condition = self.question(2);
                self.line(words!["assume(", condition, ");"]);
            }
            94..97 if self.loops > 0 => {
                let jump = *self.random.pick(&["break;", "continue;"]);
                self.line(jump);
            }
            97..99 => self.leave(),
            99 if self.label.is_some() => {
                self.label = Some(true);
                self.line("goto done;");
            }
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) {
        let kind = self.some_type(50);
        let Some(place) = self.access(kind, true) else { return };
        let line = match kind {
            Type::Bool => words![place, " = ", self.expression(kind, 2), ";"],
            _ => match self.random.among(10) {
                0 => words![place, "++;"],
                1 => words![place, "--;"],
                2 => {
                    let operator = *self.random.pick(&["+", "-", "^", "&", "|"]);
                    words![place, " ", operator, "= ", self.expression(kind, 1), ";"]
                }
                _ => words![place, " = ", self.expression(kind, 2), ";"],
            },
        };
        self.line(line);
    }

    /// Several in one statement, one after the other.
    fn assignments(&mut self) {
        let kind = self.some_type(50);
        let (Some(first), Some(second)) = (self.access(kind, true), self.access(kind, true)) else {
            return;
        };
        let [one, other] = [self.expression(kind, 1), self.expression(kind, 1)];
        self.line(words![first, " = ", one, ", ", second, " = ", other, ";"]);
    }

    /// In the middle of a block; in a loop without an initialiser, any value each time.
    fn declaration(&mut self) {
        if self.switches > 0 || self.declared > 1 {
            return;
        }
        let kind = self.some_type(60);
        let name = format!("y{}", self.declared);
        let mut line = words![kind.word(), " ", &name];
        if self.random.percent(50) {
            line.pieces.extend([" = ".into(), self.expression(kind, 1).into()]);
        }
        line.pieces.push(";".into());
        self.line(line);
        self.locals.push(Variable::scalar(name, kind));
        self.declared += 1;
    }

    /// An assignment whose right side calls, steps, or assigns.
    fn effects(&mut self) {
        let kind = self.some_type(50);
        let (Some(place), Some(other)) = (self.access(kind, true), self.access(kind, true)) else {
            return;
        };
        let assigning = |generator: &mut Generator, other: &Expression| {
            words!["(", other, " = ", generator.expression(kind, 1), ")"]
        };
        let effect = match self.random.among(3) {
            0 if kind != Type::Bool => words![&other, "++"],
            1 => assigning(self, &other),
            _ => match self
                .call_expression(kind)
                .filter(|_| self.current.is_none_or(|current| current >= self.procedures.len()))
            {
                Some(call) => call,
                None => assigning(self, &other),
            },
        };
        let effect = Expression::new(kind, effect);
        let (condition, value) = (self.question(1), self.expression(kind, 1));
        let operator = if kind == Type::Bool { " && " } else { " + " };
        let line = match self.random.among(3) {
            0 => words![place, " = ", condition, " ? ", effect, " : ", value, ";"],
            1 => words![place, " = ", value, operator, effect, ";"],
            _ => words![place, " = ", effect, operator, value, ";"],
        };
        self.line(line);
    }

    /// A condition, or the run's choice.
    fn choice_or_question(&mut self, depth: u32) -> Line {
        if self.random.percent(30) { words!["*"] } else { words![self.question(depth)] }
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.choice_or_question(2);
        self.open(between("if (", condition, ")"));
        self.inner(depth - 1);
        self.close();
        if self.random.percent(50) {
            self.open("else");
            self.inner(depth - 1);
            self.close();
        }
    }

    fn repeat(&mut self, depth: u32) {
        let condition = self.choice_or_question(1);
        self.loops += 1;
        if self.random.percent(15) {
            self.open("do");
            self.inner(depth - 1);
            self.close_with(between("} while (", condition, ");"));
        } else if self.random.percent(30) {
            let kind = self.integer;
            let condition = if condition == words!["*"] { words!["nondet()"] } else { condition };
            match self.access(kind, true) {
                Some(place) => {
                    let head = between("; ", condition, "; ");
                    let mut line = words!["for (", &place, " = 0"];
                    line.pieces.extend(head.pieces);
                    line.pieces.extend(words![place, "++)"].pieces);
                    self.open(line);
                }
                None => self.open(between("for (; ", condition, "; )")),
            }
            self.inner(depth - 1);
            self.close();
        } else {
            self.open(between("while (", condition, ")"));
            self.inner(depth - 1);
            self.close();
        }
        self.loops -= 1;
    }

    fn switch(&mut self, depth: u32) {
        let kind = self.integer;
        let Some(subject) = self.access(kind, false) else { return };
        self.switches += 1;
        self.open(words!["switch (", subject, ")"]);
        let last = 1 << (self.bits - u32::from(kind == Type::Int));
        for case in 0..last.min(3) {
            if self.random.percent(70) {
                self.open_case(format!("case {case}:"));
                self.block(1, depth - 1);
                if self.random.percent(60) {
                    self.line("break;");
                }
                self.close_case();
            }
        }
        if self.random.percent(50) {
            self.open_case("default:");
            self.block(1, depth - 1);
            self.close_case();
        }
        self.close();
        self.switches -= 1;
    }

    /// A call of that procedure; of one that may lead back here, mostly only if the run likes.
    pub(super) fn call(&mut self, callee: usize) {
        let procedure = self.procedures[callee].clone();
        let call = self.call_of(&procedure);
        let guarded = self
            .current
            .is_some_and(|current| callee <= current && current < self.procedures.len())
            && self.random.percent(85);
        if guarded {
            self.open("if (*)");
        }
        match procedure.result {
            Some(kind) if self.random.percent(75) => match self.access(kind, true) {
                Some(place) if self.random.percent(80) => {
                    self.line(words![place, " = ", Expression::new(kind, call), ";"]);
                }
                _ if kind == Type::Bool => {
                    let more = self.expression(Type::Bool, 1);
                    self.open(words!["if (", Expression::new(kind, call), " && ", more, ")"]);
                    self.block(1, 0);
                    self.close();
                }
                _ => {
                    let other = self.expression(kind, 1);
                    self.open(words!["if (", Expression::new(kind, call), " == ", other, ")"]);
                    self.block(1, 0);
                    self.close();
                }
            },
            _ => self.line(between("", call, ";")),
        }
        if guarded {
            self.close();
        }
    }

    /// An assertion that fails in some programs and holds in others.
    pub(super) fn assertion(&mut self) {
        self.assertions = self.assertions.saturating_sub(1);
        let condition = match self.random.among(10) {
            0..5 => words![self.question(2)],
            5..8 => {
                let [one, other] = [self.question(1), self.question(2)];
                words!["(", one, " || ", other, ")"]
            }
            _ => {
                let kind = self.some_type(40);
                match self.access(kind, true) {
                    Some(place) => {
                        let mut value = self.expression(kind, 1);
                        let constant = self.constant(kind);
                        value.replace("nondet()", &constant.to_string());
                        self.line(words![&place, " = ", &value, ";"]);
                        words![place, " == ", value]
                    }
                    None => words!["true"],
                }
            }
        };
        self.line(between("assert(", condition, ");"));
    }

    fn leave(&mut self) {
        let line =
            match self.current.and_then(|current| self.procedures.get(current)).map(|p| p.result) {
                Some(Some(kind)) => words!["return ", self.expression(kind, 1), ";"],
                _ => words!["return;"],
            };
        if self.random.percent(70) {
            let condition = self.question(1);
            self.open(words!["if (", condition, ")"]);
            self.line(line);
            self.close();
        } else {
            self.line(line);
        }
    }
}

fn between(before: &str, line: Line, after: &str) -> Line {
    let mut all = words![before];
    all.pieces.extend(line.pieces);
    all.pieces.push(after.into());
    all
}
