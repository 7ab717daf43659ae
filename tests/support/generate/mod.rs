//! Random Cimple programs that are worth checking. The suites get them as text, so that parser and
//! lowering are tested as well.
//!
//! [`Shape`] says what kind of program. A seed means the same program on every machine.

mod expressions;
mod sequential;
mod statements;
mod threads;

use super::random::Random;
use super::tree::{Line, Node, Program, Type};

/// What kind of program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Recursive procedures, arrays, loops, every statement of the language but threads.
    Sequential,
    /// Two or three threads with locks and atomic sections; calls without recursion.
    Threads,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Type,
    /// 0: a scalar; else the length of each row.
    elements: u32,
    /// 0: at most one dimension.
    rows: u32,
    /// May ordinary statements assign it?
    writable: bool,
}

impl Variable {
    fn scalar(name: impl Into<String>, kind: Type) -> Variable {
        Variable { name: name.into(), kind, elements: 0, rows: 0, writable: true }
    }
}

#[derive(Clone, Debug)]
struct Procedure {
    name: String,
    parameters: Vec<Type>,
    result: Option<Type>,
}

/// A program in the making.
struct Generator {
    random: Random,
    /// The blocks that are open, with their heads; the first is the program.
    open: Vec<(Line, Vec<Node>)>,
    bits: u32,
    /// The integer type that most variables have.
    integer: Type,
    globals: Vec<Variable>,
    locals: Vec<Variable>,
    /// For each open block, how many locals were visible before it.
    visible: Vec<usize>,
    procedures: Vec<Procedure>,
    /// Index of the procedure being written; `None` in main.
    current: Option<usize>,
    /// Assertions that may still be written.
    assertions: u32,
    loops: u32,
    switches: u32,
    /// Variables declared in inner blocks so far.
    declared: u32,
    /// May statements jump to the label at the procedure's end, and did one?
    label: Option<bool>,
    /// Percentage of array accesses with an index that may be outside.
    wild: u32,
}

/// The text of a sequential program.
pub(crate) fn program(seed: u64) -> String {
    sequential(seed).to_string()
}

/// The sequential program of a seed.
pub(crate) fn sequential(seed: u64) -> Program {
    shaped(Shape::Sequential, seed)
}

/// The program with threads of a seed.
pub(crate) fn threads(seed: u64) -> Program {
    shaped(Shape::Threads, seed)
}

/// The program of this shape and seed.
pub(crate) fn shaped(shape: Shape, seed: u64) -> Program {
    drawn(shape, Random::new(seed))
}

/// The program of this shape that these numbers decide.
pub(crate) fn drawn(shape: Shape, random: Random) -> Program {
    let mut generator = Generator::new(random);
    match shape {
        Shape::Sequential => generator.sequential(),
        Shape::Threads => threads::write(&mut generator),
    }
    let (_, nodes) = generator.open.pop().expect("the program itself is never closed");
    let mut program = Program { nodes };
    if shape == Shape::Sequential {
        mark_target(&mut program, &mut generator.random);
    }
    program
}

/// In some programs only one of the assertions counts.
fn mark_target(program: &mut Program, random: &mut Random) {
    let mut assertions: Vec<&mut Line> = program
        .lines_mut()
        .into_iter()
        .filter(|line| line.to_string().contains("assert("))
        .collect();
    if assertions.len() > 1 && random.percent(25) {
        let chosen = random.among(assertions.len() as u32) as usize;
        assertions[chosen].pieces.push(" // target".into());
    }
}

impl Generator {
    fn new(random: Random) -> Generator {
        Generator {
            random,
            open: vec![(Line::from(""), Vec::new())],
            bits: 2,
            integer: Type::Int,
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
            wild: 0,
        }
    }

    fn add(&mut self, node: Node) {
        self.open.last_mut().expect("the program itself is never closed").1.push(node);
    }

    fn line(&mut self, line: impl Into<Line>) {
        self.add(Node::Line(line.into()));
    }

    /// Begins a block; what is declared from here on ends with it.
    fn open(&mut self, head: impl Into<Line>) {
        let mut head = head.into();
        head.pieces.push(" {".into());
        self.open.push((head, Vec::new()));
        self.visible.push(self.locals.len());
    }

    fn close(&mut self) {
        self.close_with("}");
    }

    /// Ends a block with this line.
    fn close_with(&mut self, tail: impl Into<Line>) {
        self.locals.truncate(self.visible.pop().expect("every block that is closed was opened"));
        let (head, body) = self.open.pop().expect("every block that is closed was opened");
        self.add(Node::Block { head, body, tail: Some(tail.into()) });
    }

    /// Begins a case of a switch.
    fn open_case(&mut self, head: impl Into<Line>) {
        self.open.push((head.into(), Vec::new()));
    }

    fn close_case(&mut self) {
        let (head, body) = self.open.pop().expect("every case that is closed was opened");
        self.add(Node::Block { head, body, tail: None });
    }

    /// Bool in so many of a hundred cases.
    fn some_type(&mut self, bools: u32) -> Type {
        if self.random.percent(bools) {
            Type::Bool
        } else if self.random.percent(90) || self.bits == 1 {
            self.integer
        } else {
            *self.random.pick(&[Type::Int, Type::Unsigned])
        }
    }
}
