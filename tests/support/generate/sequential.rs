//! Sequential programs of three kinds, so that the shares which the comparison asserts come out:
//! *plain* programs; *callers* that use a procedure in contexts which exclude each other (there the
//! naive projection errs); *descents* that fail only deep in a recursion.

use super::super::tree::words;
use super::super::tree::{Piece, Type};
use super::{Generator, Procedure, Variable};

impl Generator {
    pub(super) fn sequential(&mut self) {
        let kind = self.random.among(100);
        self.bits = if kind < 56 {
            *self.random.pick(&[1, 2, 2, 2, 2, 2, 2, 3, 4])
        } else {
            *self.random.pick(&[2, 2, 2, 3])
        };
        self.integer =
            if self.bits == 1 || self.random.percent(60) { Type::Unsigned } else { Type::Int };
        self.wild = if self.random.percent(if kind < 22 { 30 } else { 5 }) { 40 } else { 0 };
        self.header();
        match kind {
            0..22 => self.plain(),
            22..56 => self.callers(),
            _ => self.descent(),
        }
    }

    fn header(&mut self) {
        self.line(format!("//! bits = {}", self.bits));
        if self.random.percent(70) {
            self.line("//! globals = zero");
        }
        if self.wild == 0 && self.random.percent(20) {
            self.line("//! check = none");
        }
        for number in 0..1 + self.random.among(4u32.saturating_sub(self.bits).clamp(1, 3)) {
            let kind = self.some_type(50);
            self.global(&format!("g{number}"), kind, 0, 0);
        }
        if self.random.percent(30) {
            let elements = 2 + self.random.among(if self.bits == 1 { 1 } else { 2 });
            let kind =
                if self.bits == 2 && elements == 2 { self.some_type(60) } else { Type::Bool };
            self.global("a", kind, elements, 0);
        } else if self.random.percent(12) {
            self.global("m", Type::Bool, 2, 2);
        }
    }

    fn global(&mut self, name: &str, kind: Type, elements: u32, rows: u32) {
        self.globals.push(Variable { name: name.into(), kind, elements, rows, writable: true });
        let array = match (rows, elements) {
            (_, 0) => String::new(),
            (0, _) => format!("[{elements}]"),
            _ => format!("[{rows}][{elements}]"),
        };
        let mut line = words![kind.word(), " ", name, array];
        match elements {
            0 if self.random.percent(20) => {
                line.pieces.extend([" = ".into(), self.constant(kind).into()]);
            }
            2 if name == "a" && self.random.percent(20) => {
                let [first, second] = [self.constant(kind), self.constant(kind)];
                line.pieces.extend(words![" = {", first, ", ", second, "}"].pieces);
            }
            _ => {}
        }
        line.pieces.push(";".into());
        self.line(line);
    }

    /// Announces 1 to 3 procedures, so that all can call all.
    fn announce(&mut self) {
        for number in 0..1 + self.random.among(3) {
            let mut parameters = Vec::new();
            for _ in 0..self.random.among(3) {
                parameters.push(self.some_type(50));
            }
            let result = if self.random.percent(45) { Some(self.some_type(50)) } else { None };
            self.procedures.push(Procedure { name: format!("p{number}"), parameters, result });
        }
    }

    /// One of the procedures that are announced.
    fn some_procedure(&mut self) -> usize {
        self.random.among(self.procedures.len() as u32) as usize
    }

    fn plain(&mut self) {
        self.announce();
        self.assertions = 1 + self.random.among(2);
        let place = self.random.among(self.procedures.len() as u32 + 1) as usize;
        for number in 0..self.procedures.len() {
            self.procedure(number, place == number);
        }
        self.open("void main()");
        self.current = None;
        self.some_locals(2);
        let size = 2 + self.random.among(4);
        self.block(size, 2);
        let callee = self.some_procedure();
        self.call(callee);
        self.block(1, 1);
        if place == self.procedures.len() || self.random.percent(30) {
            self.assertion();
        }
        self.close();
    }

    /// Writes an announced procedure.
    fn procedure(&mut self, number: usize, asserts: bool) {
        let procedure = self.procedures[number].clone();
        self.current = Some(number);
        self.locals.clear();
        let mut parameters = Vec::new();
        for (i, kind) in procedure.parameters.iter().enumerate() {
            parameters.push(format!("{} q{i}", kind.word()));
            self.locals.push(Variable::scalar(format!("q{i}"), *kind));
        }
        self.open(format!(
            "{} {}({})",
            procedure.result.map_or("void", Type::word),
            procedure.name,
            parameters.join(", ")
        ));
        self.some_locals(2);
        let size = 1 + self.random.among(4);
        self.label = Some(false);
        self.block(size, 2);
        if asserts {
            self.assertion();
            self.block(1, 1);
        }
        if self.label.take() == Some(true) {
            self.line("done: skip;");
        }
        if let Some(kind) = procedure.result.filter(|_| self.random.percent(90)) {
            let value = self.expression(kind, 2);
            self.line(words!["return ", value, ";"]);
        }
        self.close();
    }

    fn some_locals(&mut self, most: u32) {
        if self.current.is_none() {
            self.locals.clear();
        }
        for number in 0..self.random.among(most + 1) {
            let kind = self.some_type(60);
            let elements = if self.random.percent(8) { 2 } else { 0 };
            let mut line = words![kind.word(), format!(" x{number}")];
            match elements {
                0 if self.random.percent(85) => {
                    line.pieces.extend([" = ".into(), self.expression(kind, 1).into()]);
                }
                0 => {}
                _ => line.pieces.push(format!("[{elements}]").into()),
            }
            line.pieces.push(";".into());
            self.line(line);
            let variable = Variable::scalar(format!("x{number}"), kind);
            self.locals.push(Variable { elements, ..variable });
        }
    }

    /// Figure 1 of the error-projection paper, at random: each branch sets a key, calls, and then
    /// assumes something about the key.
    fn callers(&mut self) {
        self.announce();
        let kind = self.some_type(50);
        self.global("key", kind, 0, 0);
        self.globals.last_mut().expect("it was just declared").writable = self.random.percent(15);
        self.assertions = u32::from(self.random.percent(10));
        for number in 0..self.procedures.len() {
            self.procedure(number, false);
        }
        self.current = None;
        self.open("void main()");
        self.some_locals(1);
        let callee = self.some_procedure();
        let mut keys = vec![self.constant(kind)];
        while keys.len() < 2 || (keys.len() < 3 && self.random.percent(40)) {
            let key = self.constant(kind);
            if keys.last() != Some(&key) || self.random.percent(10) {
                keys.push(key);
            }
        }
        for (branch, key) in keys.iter().enumerate() {
            self.open(if branch == 0 { "if (*)" } else { "else if (*)" });
            self.line(words!["key = ", key, ";"]);
            self.call(callee);
            let other = &keys[(branch + 1) % keys.len()];
            let operator = if self.random.percent(85) { "==" } else { "!=" };
            self.line(words!["assume(key ", operator, " ", other, ");"]);
            self.close();
        }
        if self.random.percent(80) {
            self.open("else");
            self.perhaps();
            if self.random.percent(12) {
                self.call(callee);
            } else {
                self.line(words!["key = ", &keys[0], ";"]);
            }
            self.close();
        }
        self.assertions = 1;
        if self.random.percent(25) {
            self.line(words!["assert(key != ", &keys[0], ");"]);
        } else if self.random.percent(60) {
            self.line("error: skip;");
        } else {
            self.assertion();
        }
        self.close();
    }

    /// A recursion that must go down some way before anything can go wrong.
    fn descent(&mut self) {
        self.announce();
        self.assertions = u32::from(self.random.percent(5));
        for number in 0..self.procedures.len() {
            self.procedure(number, false);
        }
        self.locals.clear();
        self.current = Some(usize::MAX);
        self.assertions = 0;
        let deep = 2 + self.random.among((1 << self.bits) - 2);
        if self.random.percent(50) {
            self.descent_by_parameter(deep)
        } else {
            self.descent_by_global(deep)
        }
        self.assertions = 0;
        self.perhaps();
        if self.random.percent(10) {
            self.assertion();
        }
        self.close();
    }

    /// `down(n)` calls `down(n - 1)`; it goes wrong at 0.
    fn descent_by_parameter(&mut self, deep: u32) {
        self.open("void down(unsigned n)");
        self.locals.push(Variable { writable: false, ..Variable::scalar("n", Type::Unsigned) });
        self.some_locals(1);
        self.perhaps();
        self.open("if (n == 0)");
        self.what_goes_wrong();
        self.close();
        self.open("else");
        let optional = self.random.percent(30);
        if optional {
            self.open("if (*)");
        }
        self.perhaps();
        self.line("down(n - 1);");
        self.perhaps();
        if optional {
            self.close();
        }
        self.close();
        self.close();
        self.open_main();
        self.perhaps();
        self.line(format!("down({deep});"));
    }

    fn what_goes_wrong(&mut self) {
        match self.random.among(10) {
            0 => self.block(1, 1),
            1 => self.line("assert(n == 0);"),
            2 => self.line("error: skip;"),
            _ => {
                let (kind, operator) = (self.some_type(50), *self.random.pick(&["==", "!="]));
                let place: Piece =
                    self.access(kind, false).map_or_else(|| "g0".into(), Piece::Expression);
                let other = self
                    .access(kind, false)
                    .filter(|other| other.to_string() != place.to_string())
                    .unwrap_or_else(|| self.constant(kind));
                self.line(words!["assert(", place, " ", operator, " ", other, ");"]);
            }
        }
    }

    /// `down` counts its pending calls in a global, on the way down or on the way up; it goes wrong
    /// at one number.
    fn descent_by_global(&mut self, deep: u32) {
        self.line("unsigned depth;");
        let condition = match self.random.among(10) {
            0 | 1 => words![format!("depth != {deep}u || depth > {}u", deep - 1)],
            2..6 => words![format!("depth != {deep}u || "), self.question(1)],
            _ => words![format!("depth != {deep}u")],
        };
        let mut assertion = words!["assert("];
        assertion.pieces.extend(condition.pieces);
        assertion.pieces.push(");".into());
        self.open("void down()");
        self.some_locals(1);
        self.perhaps();
        self.open("if (*)");
        let before = self.random.percent(50);
        if before {
            self.line("depth = depth + 1;");
        }
        self.line("down();");
        self.perhaps();
        if !before {
            self.line("depth = depth + 1;");
        }
        self.close();
        self.open("else");
        self.perhaps();
        if before {
            self.line(assertion.clone());
        }
        self.close();
        self.close();
        self.open_main();
        self.line("depth = 0;");
        self.perhaps();
        self.line("down();");
        if !before {
            self.line(assertion);
        }
    }

    fn open_main(&mut self) {
        self.current = None;
        self.open("void main()");
        self.some_locals(1);
    }

    /// A statement or none.
    fn perhaps(&mut self) {
        if self.random.percent(40) {
            self.block(1, 1);
        }
    }
}
