//! Random Cimple programs that are worth checking: as text, so that parser and lowering are tested as well.
//!
//! Three shapes, so that the shares which the comparison asserts come out: *plain* programs; *callers* that use a procedure in contexts
//! which exclude each other (there the naive projection errs); *descents* that fail only deep in a recursion.

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
    /// 0: a scalar.
    pub elements: u32,
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
    pub procedures: Vec<Procedure>,
    /// Index of the procedure being written; `None` in main.
    pub current: Option<usize>,
    /// Assertions that may still be written.
    pub assertions: u32,
    pub loops: u32,
    /// Percentage of array accesses with an index that may be outside.
    pub wild: u32,
}

/// The program of this seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let bits = *random.pick(&[1, 2, 2, 2, 2, 2, 3]);
    let integer = if bits == 1 || random.percent(60) { Type::Unsigned } else { Type::Int };
    let wild = if random.percent(15) { 40 } else { 0 };
    let mut generator = Generator {
        random,
        lines: Vec::new(),
        indent: 0,
        bits,
        integer,
        globals: Vec::new(),
        locals: Vec::new(),
        procedures: Vec::new(),
        current: None,
        assertions: 0,
        loops: 0,
        wild,
    };
    generator.header();
    match generator.random.below(100) {
        0..35 => generator.plain(),
        35..65 => generator.callers(),
        _ => generator.descent(),
    }
    generator.lines.join("\n") + "\n"
}

impl Generator {
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "  ".repeat(self.indent), text.as_ref()));
    }

    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(format!("{} {{", text.as_ref()));
        self.indent += 1;
    }

    pub fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn header(&mut self) {
        self.line(format!("//! bits = {}", self.bits));
        if self.random.percent(70) {
            self.line("//! globals = zero");
        }
        if self.wild == 0 && self.random.percent(20) {
            self.line("//! check = none");
        }
        for number in 0..1 + self.random.below(if self.bits == 3 { 2 } else { 3 }) {
            let kind = self.some_type(50);
            self.global(&format!("g{number}"), kind, 0);
        }
        if self.random.percent(30) {
            let elements = 2 + self.random.below(2);
            let kind = if self.bits == 2 && elements == 2 { self.some_type(60) } else { Type::Bool };
            self.global("a", kind, elements);
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
        self.globals.push(Variable { name: name.into(), kind, elements, writable: true });
        let array = if elements > 0 { format!("[{elements}]") } else { String::new() };
        let initial = if elements == 0 && self.random.percent(20) { format!(" = {}", self.constant(kind)) } else { String::new() };
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
            self.locals.push(Variable { name: format!("q{i}"), kind: *kind, elements: 0, writable: true });
        }
        self.open(format!("{} {}({})", procedure.result.map_or("void", word), procedure.name, parameters.join(", ")));
        self.some_locals(2);
        let size = 1 + self.random.below(4);
        self.block(size, 2);
        if asserts {
            self.assertion();
            self.block(1, 1);
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
            self.locals.push(Variable { name: format!("x{number}"), kind, elements, writable: true });
        }
    }

    /// Figure 1 of the error-projection paper, at random: each branch sets a key, calls, and then assumes something about the key.
    fn callers(&mut self) {
        self.announce();
        let kind = self.some_type(50);
        self.global("key", kind, 0);
        self.globals.last_mut().expect("it was just declared").writable = self.random.percent(15);
        self.assertions = u32::from(self.random.percent(20));
        for number in 0..self.procedures.len() {
            self.procedure(number, false);
        }
        self.current = None;
        self.open("void main()");
        self.some_locals(1);
        let branches = 2 + self.random.below(2);
        let callee = self.random.below(self.procedures.len() as u32) as usize;
        for branch in 0..branches {
            match branch {
                0 => self.open("if (*)"),
                _ if branch + 1 == branches && self.random.percent(50) => self.open("else"),
                _ => self.open("else if (*)"),
            }
            let (first, second) = (self.constant(kind), self.constant(kind));
            self.line(format!("key = {first};"));
            self.call(callee);
            if self.random.percent(90) {
                let operator = if self.random.percent(80) { "==" } else { "!=" };
                self.line(format!("assume(key {operator} {second});"));
            }
            self.close();
        }
        self.assertions = 1;
        if self.random.percent(25) {
            let value = self.constant(kind);
            self.line(format!("assert(key != {value});"));
        } else if self.random.percent(40) {
            self.line("error: skip;");
        } else {
            self.assertion();
        }
        self.close();
    }

    /// A recursion that must go down some way before anything can go wrong.
    fn descent(&mut self) {
        let number_type = if self.bits == 1 { Type::Bool } else { Type::Unsigned };
        self.announce();
        let deep = if self.bits == 1 { 1 } else { 2 + self.random.below((1 << self.bits) - 2) };
        let by_counter = self.bits > 1 && self.random.percent(50);
        self.assertions = u32::from(self.random.percent(15));
        self.global("depth", if by_counter { Type::Bool } else { number_type }, 0);
        self.globals.pop();
        let helpers = self.procedures.len();
        for number in 0..helpers {
            self.procedure(number, false);
        }
        self.locals.clear();
        self.current = Some(usize::MAX);
        let safe = self.random.percent(35);
        let up = self.random.percent(40);
        if by_counter {
            self.open("void down(unsigned n)");
            self.locals.push(Variable { name: "n".into(), kind: Type::Unsigned, elements: 0, writable: false });
            self.some_locals(1);
            self.block(1, 1);
            self.open("if (n == 0)");
            self.verdict(safe, !up);
            self.close();
            self.open("else");
            let guard = self.random.percent(30);
            if guard {
                self.open("if (*)");
            }
            self.block(1, 1);
            self.line("down(n - 1);");
            self.block(1, 1);
            if guard {
                self.close();
            }
            self.close();
            self.close();
        } else {
            self.open("void down()");
            self.some_locals(1);
            self.block(1, 1);
            self.open("if (*)");
            let change = if self.bits == 1 { "depth = !depth;".to_string() } else { "depth = depth + 1;".to_string() };
            let before = self.random.percent(50);
            if before {
                self.line(&change);
            }
            self.line("down();");
            self.block(1, 1);
            if !before {
                self.line(&change);
            }
            self.close();
            self.open("else");
            self.verdict(safe, before && !up);
            self.close();
            self.close();
        }
        self.current = None;
        self.open("void main()");
        self.some_locals(1);
        self.block(1, 1);
        if by_counter {
            self.line(format!("down({deep});"));
        } else {
            self.line(format!("depth = {};", if self.bits == 1 { "false" } else { "0" }));
            self.line("down();");
            if self.bits == 1 {
                self.line("assert(!depth || g0 == g0);");
            } else if self.random.percent(60) {
                let condition = if safe { format!("depth != {deep} || depth > {}", deep - 1) } else { format!("depth != {deep}") };
                self.line(format!("assert({condition});"));
            }
        }
        self.assertions = u32::from(self.random.percent(30));
        self.block(1, 1);
        if self.assertions > 0 {
            self.assertion();
        }
        self.close();
    }

    /// At the bottom of a descent.
    fn verdict(&mut self, safe: bool, here: bool) {
        if here && !safe {
            self.assertions += 1;
            self.assertion();
        } else {
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
