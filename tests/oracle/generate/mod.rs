//! Random Cimple programs that are worth checking: as text, so that parser and lowering are tested
//! as well.
//!
//! Three shapes, so that the shares which the comparison asserts come out: *plain* programs;
//! *callers* that use a procedure in contexts which exclude each other (there the naive projection
//! errs); *descents* that fail only deep in a recursion.

mod expressions;
pub mod random;
mod statements;

use random::Random;

/// A scalar type of the generated program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Bool,
    Int,
    Unsigned,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Type,
    /// 0: a scalar; else the length of each row.
    pub elements: u32,
    /// 0: at most one dimension.
    pub rows: u32,
    /// May ordinary statements assign it?
    pub writable: bool,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub parameters: Vec<Type>,
    pub result: Option<Type>,
}

/// A program in the making.
pub struct Generator {
    pub random: Random,
    pub lines: Vec<String>,
    pub indent: usize,
    pub bits: u32,
    /// The integer type that most variables have.
    pub integer: Type,
    pub globals: Vec<Variable>,
    pub locals: Vec<Variable>,
    /// For each open block, how many locals were visible before it.
    pub visible: Vec<usize>,
    pub procedures: Vec<Procedure>,
    /// Index of the procedure being written; `None` in main.
    pub current: Option<usize>,
    /// Assertions that may still be written.
    pub assertions: u32,
    pub loops: u32,
    pub switches: u32,
    /// Variables declared in inner blocks so far.
    pub declared: u32,
    /// May statements jump to the label at the procedure's end, and did one?
    pub label: Option<bool>,
    /// Percentage of array accesses with an index that may be outside.
    pub wild: u32,
}

/// The program of this seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let shape = random.below(100);
    let bits = if shape < 56 {
        *random.pick(&[1, 2, 2, 2, 2, 2, 2, 3, 4])
    } else {
        *random.pick(&[2, 2, 2, 3])
    };
    let integer = if bits == 1 || random.percent(60) { Type::Unsigned } else { Type::Int };
    let wild = if random.percent(if shape < 22 { 30 } else { 5 }) { 40 } else { 0 };
    let mut generator = Generator {
        random,
        lines: Vec::new(),
        indent: 0,
        bits,
        integer,
        globals: Vec::new(),
        locals: Vec::new(),
        visible: Vec::new(),
        procedures: Vec::new(),
        current: None,
        assertions: 0,
        loops: 0,
        switches: 0,
        declared: 0,
        label: None,
        wild,
    };
    generator.header();
    match shape {
        0..22 => generator.plain(),
        22..56 => generator.callers(),
        _ => generator.descent(),
    }
    generator.target();
    generator.lines.join("\n") + "\n"
}

impl Generator {
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "  ".repeat(self.indent), text.as_ref()));
    }

    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(format!("{} {{", text.as_ref()));
        self.indent += 1;
        self.visible.push(self.locals.len());
    }

    pub fn close(&mut self) {
        self.close_with("}");
    }

    /// Ends a block with this line; what it declared ends too.
    pub fn close_with(&mut self, line: &str) {
        self.indent -= 1;
        self.locals.truncate(self.visible.pop().expect("every block that is closed was opened"));
        self.line(line);
    }

    /// In some programs only one of the assertions counts.
    fn target(&mut self) {
        let assertions: Vec<usize> =
            (0..self.lines.len()).filter(|i| self.lines[*i].contains("assert(")).collect();
        if assertions.len() > 1 && self.random.percent(25) {
            let chosen = *self.random.pick(&assertions);
            self.lines[chosen].push_str(" // target");
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
        for number in 0..1 + self.random.below(4u32.saturating_sub(self.bits).clamp(1, 3)) {
            let kind = self.some_type(50);
            self.global(&format!("g{number}"), kind, 0);
        }
        if self.random.percent(30) {
            let elements = 2 + self.random.below(if self.bits == 1 { 1 } else { 2 });
            let kind =
                if self.bits == 2 && elements == 2 { self.some_type(60) } else { Type::Bool };
            self.global("a", kind, elements);
        } else if self.random.percent(12) {
            self.global("m", Type::Bool, 2);
            self.globals.last_mut().expect("it was just declared").rows = 2;
            let line = self.lines.pop().expect("it was just written");
            self.line(line.replace("[2]", "[2][2]"));
        }
    }

    /// Bool in so many of a hundred cases.
    pub fn some_type(&mut self, bools: u32) -> Type {
        if self.random.percent(bools) {
            Type::Bool
        } else if self.random.percent(90) || self.bits == 1 {
            self.integer
        } else {
            *self.random.pick(&[Type::Int, Type::Unsigned])
        }
    }

    fn global(&mut self, name: &str, kind: Type, elements: u32) {
        self.globals.push(Variable { name: name.into(), kind, elements, rows: 0, writable: true });
        let array = if elements > 0 { format!("[{elements}]") } else { String::new() };
        let initial = match elements {
            0 if self.random.percent(20) => format!(" = {}", self.constant(kind)),
            2 if name == "a" && self.random.percent(20) => {
                format!(" = {{{}, {}}}", self.constant(kind), self.constant(kind))
            }
            _ => String::new(),
        };
        self.line(format!("{} {name}{array}{initial};", word(kind)));
    }

    /// Announces 1 to 3 procedures, so that all can call all.
    fn announce(&mut self) {
        for number in 0..1 + self.random.below(3) {
            let mut parameters = Vec::new();
            for _ in 0..self.random.below(3) {
                parameters.push(self.some_type(50));
            }
            let result = if self.random.percent(45) { Some(self.some_type(50)) } else { None };
            self.procedures.push(Procedure { name: format!("p{number}"), parameters, result });
        }
    }

    fn plain(&mut self) {
        self.announce();
        self.assertions = 1 + self.random.below(2);
        let place = self.random.below(self.procedures.len() as u32 + 1) as usize;
        for number in 0..self.procedures.len() {
            self.procedure(number, place == number);
        }
        self.open("void main()");
        self.current = None;
        self.some_locals(2);
        let size = 2 + self.random.below(4);
        self.block(size, 2);
        let callee = self.random.below(self.procedures.len() as u32) as usize;
        self.call(callee);
        self.block(1, 1);
        if place == self.procedures.len() || self.random.percent(30) {
            self.assertion();
        }
        self.close();
    }

    /// Writes an announced procedure.
    pub fn procedure(&mut self, number: usize, asserts: bool) {
        let procedure = self.procedures[number].clone();
        self.current = Some(number);
        self.locals.clear();
        let mut parameters = Vec::new();
        for (i, kind) in procedure.parameters.iter().enumerate() {
            parameters.push(format!("{} q{i}", word(*kind)));
            self.locals.push(Variable {
                name: format!("q{i}"),
                kind: *kind,
                elements: 0,
                rows: 0,
                writable: true,
            });
        }
        self.open(format!(
            "{} {}({})",
            procedure.result.map_or("void", word),
            procedure.name,
            parameters.join(", ")
        ));
        self.some_locals(2);
        let size = 1 + self.random.below(4);
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
            self.line(format!("return {value};"));
        }
        self.close();
    }

    fn some_locals(&mut self, most: u32) {
        if self.current.is_none() {
            self.locals.clear();
        }
        for number in 0..self.random.below(most + 1) {
            let kind = self.some_type(60);
            let elements = if self.random.percent(8) { 2 } else { 0 };
            let initial = match elements {
                0 if self.random.percent(85) => format!(" = {}", self.expression(kind, 1)),
                _ => String::new(),
            };
            let array = if elements > 0 { format!("[{elements}]") } else { String::new() };
            self.line(format!("{} x{number}{array}{initial};", word(kind)));
            self.locals.push(Variable {
                name: format!("x{number}"),
                kind,
                elements,
                rows: 0,
                writable: true,
            });
        }
    }

    /// Figure 1 of the error-projection paper, at random: each branch sets a key, calls, and then
    /// assumes something about the key.
    fn callers(&mut self) {
        self.announce();
        let kind = self.some_type(50);
        self.global("key", kind, 0);
        self.globals.last_mut().expect("it was just declared").writable = self.random.percent(15);
        self.assertions = u32::from(self.random.percent(10));
        for number in 0..self.procedures.len() {
            self.procedure(number, false);
        }
        self.current = None;
        self.open("void main()");
        self.some_locals(1);
        let callee = self.random.below(self.procedures.len() as u32) as usize;
        let mut keys = vec![self.constant(kind)];
        while keys.len() < 2 || (keys.len() < 3 && self.random.percent(40)) {
            let key = self.constant(kind);
            if keys.last() != Some(&key) || self.random.percent(10) {
                keys.push(key);
            }
        }
        for (branch, key) in keys.iter().enumerate() {
            self.open(if branch == 0 { "if (*)" } else { "else if (*)" });
            self.line(format!("key = {key};"));
            self.call(callee);
            let other = &keys[(branch + 1) % keys.len()];
            let operator = if self.random.percent(85) { "==" } else { "!=" };
            self.line(format!("assume(key {operator} {other});"));
            self.close();
        }
        if self.random.percent(80) {
            self.open("else");
            self.perhaps();
            if self.random.percent(12) {
                self.call(callee);
            } else {
                self.line(format!("key = {};", keys[0]));
            }
            self.close();
        }
        self.assertions = 1;
        if self.random.percent(25) {
            self.line(format!("assert(key != {});", keys[0]));
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
        let deep = 2 + self.random.below((1 << self.bits) - 2);
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
        self.locals.push(Variable {
            name: "n".into(),
            kind: Type::Unsigned,
            elements: 0,
            rows: 0,
            writable: false,
        });
        self.some_locals(1);
        self.perhaps();
        self.open("if (n == 0)");
        match self.random.below(10) {
            0 => self.block(1, 1),
            1 => self.line("assert(n == 0);"),
            2 => self.line("error: skip;"),
            _ => {
                let (kind, operator) = (self.some_type(50), *self.random.pick(&["==", "!="]));
                let place = self.access(kind, false).unwrap_or_else(|| "g0".into());
                let other = self
                    .access(kind, false)
                    .filter(|other| *other != place)
                    .unwrap_or_else(|| self.constant(kind));
                self.line(format!("assert({place} {operator} {other});"));
            }
        }
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

    /// `down` counts its pending calls in a global, on the way down or on the way up; it goes wrong
    /// at one number.
    fn descent_by_global(&mut self, deep: u32) {
        self.line("unsigned depth;");
        let condition = match self.random.below(10) {
            0 | 1 => format!("depth != {deep}u || depth > {}u", deep - 1),
            2..6 => format!("depth != {deep}u || {}", self.question(1)),
            _ => format!("depth != {deep}u"),
        };
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
            self.line(format!("assert({condition});"));
        }
        self.close();
        self.close();
        self.open_main();
        self.line("depth = 0;");
        self.perhaps();
        self.line("down();");
        if !before {
            self.line(format!("assert({condition});"));
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

/// The type in the program's words.
pub fn word(kind: Type) -> &'static str {
    match kind {
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Unsigned => "unsigned",
    }
}
