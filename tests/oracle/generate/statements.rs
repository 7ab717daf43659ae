//! Random statements.

use super::{Generator, Type, Variable, word};

impl Generator {
    /// Some statements, nested at most `depth` deep.
    pub fn block(&mut self, statements: u32, depth: u32) {
        for _ in 0..statements {
            self.statement(depth);
        }
    }

    /// One or two statements.
    fn inner(&mut self, depth: u32) {
        let size = 1 + self.random.below(2);
        self.block(size, depth);
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(100) {
            0..30 => self.assignment(),
            30..34 => self.assignments(),
            34..36 => self.declaration(),
            36..38 => self.effects(),
            38..44 => {
                let kind = self.some_type(50);
                if let Some(place) = self.access(kind, true) {
                    self.line(format!("{place} = nondet();"));
                }
            }
            44..62 if depth > 0 => self.branch(depth),
            62..70 if depth > 0 => self.repeat(depth),
            70..74 if depth > 0 => self.switch(depth),
            74..88 if !self.procedures.is_empty() => {
                let callee = self.random.below(self.procedures.len() as u32) as usize;
                self.call(callee);
            }
            88..91 if self.assertions > 0 => self.assertion(),
            91..94 => {
                let condition = self.question(2);
                self.line(format!("assume({condition});"));
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
            Type::Bool => format!("{place} = {};", self.expression(kind, 2)),
            _ => match self.random.below(10) {
                0 => format!("{place}++;"),
                1 => format!("{place}--;"),
                2 => {
                    let operator = *self.random.pick(&["+", "-", "^", "&", "|"]);
                    format!("{place} {operator}= {};", self.expression(kind, 1))
                }
                _ => format!("{place} = {};", self.expression(kind, 2)),
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
        let line = format!(
            "{first} = {}, {second} = {};",
            self.expression(kind, 1),
            self.expression(kind, 1)
        );
        self.line(line);
    }

    /// In the middle of a block; in a loop without an initialiser, any value each time.
    fn declaration(&mut self) {
        if self.switches > 0 || self.declared > 1 {
            return;
        }
        let kind = self.some_type(60);
        let name = format!("y{}", self.declared);
        let initial = if self.random.percent(50) {
            format!(" = {}", self.expression(kind, 1))
        } else {
            String::new()
        };
        self.line(format!("{} {name}{initial};", word(kind)));
        self.locals.push(Variable { name, kind, elements: 0, rows: 0, writable: true });
        self.declared += 1;
    }

    /// An assignment whose right side calls, steps, or assigns.
    fn effects(&mut self) {
        let kind = self.some_type(50);
        let (Some(place), Some(other)) = (self.access(kind, true), self.access(kind, true)) else {
            return;
        };
        let effect = match self.random.below(3) {
            0 if kind != Type::Bool => format!("{other}++"),
            1 => format!("({other} = {})", self.expression(kind, 1)),
            _ => match self
                .call_expression(kind)
                .filter(|_| self.current.is_none_or(|current| current >= self.procedures.len()))
            {
                Some(call) => call,
                None => format!("({other} = {})", self.expression(kind, 1)),
            },
        };
        let (condition, value) = (self.question(1), self.expression(kind, 1));
        let operator = if kind == Type::Bool { "&&" } else { "+" };
        let line = match self.random.below(3) {
            0 => format!("{place} = {condition} ? {effect} : {value};"),
            1 => format!("{place} = {value} {operator} {effect};"),
            _ => format!("{place} = {effect} {operator} {value};"),
        };
        self.line(line);
    }

    fn branch(&mut self, depth: u32) {
        let condition = if self.random.percent(30) { "*".into() } else { self.question(2) };
        self.open(format!("if ({condition})"));
        self.inner(depth - 1);
        self.close();
        if self.random.percent(50) {
            self.open("else");
            self.inner(depth - 1);
            self.close();
        }
    }

    fn repeat(&mut self, depth: u32) {
        let condition = if self.random.percent(30) { "*".into() } else { self.question(1) };
        self.loops += 1;
        if self.random.percent(15) {
            self.open("do");
            self.inner(depth - 1);
            self.close_with(&format!("}} while ({condition});"));
        } else if self.random.percent(30) {
            let kind = self.integer;
            let condition = if condition == "*" { "nondet()".into() } else { condition };
            match self.access(kind, true) {
                Some(place) => self.open(format!("for ({place} = 0; {condition}; {place}++)")),
                None => self.open(format!("for (; {condition}; )")),
            }
            self.inner(depth - 1);
            self.close();
        } else {
            self.open(format!("while ({condition})"));
            self.inner(depth - 1);
            self.close();
        }
        self.loops -= 1;
    }

    fn switch(&mut self, depth: u32) {
        let kind = self.integer;
        let Some(subject) = self.access(kind, false) else { return };
        self.switches += 1;
        self.open(format!("switch ({subject})"));
        let last = 1 << (self.bits - u32::from(kind == Type::Int));
        for case in 0..last.min(3) {
            if self.random.percent(70) {
                self.line(format!("case {case}:"));
                self.indent += 1;
                self.block(1, depth - 1);
                if self.random.percent(60) {
                    self.line("break;");
                }
                self.indent -= 1;
            }
        }
        if self.random.percent(50) {
            self.line("default:");
            self.indent += 1;
            self.block(1, depth - 1);
            self.indent -= 1;
        }
        self.close();
        self.switches -= 1;
    }

    /// A call of that procedure; of one that may lead back here, mostly only if the run likes.
    pub fn call(&mut self, callee: usize) {
        let procedure = self.procedures[callee].clone();
        let arguments: Vec<_> =
            procedure.parameters.iter().map(|kind| self.expression(*kind, 1)).collect();
        let call = format!("{}({})", procedure.name, arguments.join(", "));
        let guarded = self
            .current
            .is_some_and(|current| callee <= current && current < self.procedures.len())
            && self.random.percent(85);
        if guarded {
            self.open("if (*)");
        }
        match procedure.result {
            Some(kind) if self.random.percent(75) => match self.access(kind, true) {
                Some(place) if self.random.percent(80) => self.line(format!("{place} = {call};")),
                _ if kind == Type::Bool => {
                    let more = self.expression(Type::Bool, 1);
                    self.open(format!("if ({call} && {more})"));
                    self.block(1, 0);
                    self.close();
                }
                _ => {
                    let other = self.expression(kind, 1);
                    self.open(format!("if ({call} == {other})"));
                    self.block(1, 0);
                    self.close();
                }
            },
            _ => self.line(format!("{call};")),
        }
        if guarded {
            self.close();
        }
    }

    /// An assertion that fails in some programs and holds in others.
    pub fn assertion(&mut self) {
        self.assertions = self.assertions.saturating_sub(1);
        let condition = match self.random.below(10) {
            0..5 => self.question(2),
            5..8 => format!("({} || {})", self.question(1), self.question(2)),
            _ => {
                let kind = self.some_type(40);
                match self.access(kind, true) {
                    Some(place) => {
                        let value =
                            self.expression(kind, 1).replace("nondet()", &self.constant(kind));
                        self.line(format!("{place} = {value};"));
                        format!("{place} == {value}")
                    }
                    None => "true".into(),
                }
            }
        };
        self.line(format!("assert({condition});"));
    }

    fn leave(&mut self) {
        let line =
            match self.current.and_then(|current| self.procedures.get(current)).map(|p| p.result) {
                Some(Some(kind)) => {
                    let value = self.expression(kind, 1);
                    format!("return {value};")
                }
                _ => "return;".into(),
            };
        if self.random.percent(70) {
            let condition = self.question(1);
            self.open(format!("if ({condition})"));
            self.line(line);
            self.close();
        } else {
            self.line(line);
        }
    }
}
