//! The machine: executes a program on an input exactly as Java does.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `code` | operations on a stack, methods, points |
//! | `compile` | from the typed tree to code |
//! | `value`, `heap` | numbers, objects, arrays, texts; what is not reachable is collected |
//! | `execute`, `calls`, `objects` | operations; calls and exceptions; fields, arrays, casts |
//! | `natives` | what the library does that is not written in Java |
//! | `outcome` | how a run ends, limits |
//! | `endless` | runs that never end |
//!
//! Calls have frames of their own: no program makes Rust's stack deep. The library is that of
//! `src/java/library`, which is read only for this machine.

mod calls;
mod code;
mod compile;
mod endless;
mod execute;
mod heap;
mod natives;
mod objects;
mod outcome;
mod value;

pub use code::{Code, Point, PointId};
pub use compile::compile;
pub use outcome::{End, Limit, Limits, Piece, Run, Uncaught};

use crate::typed::{ClassId, MethodId, Program};
use endless::Watch;
use heap::Heap;
use rustc_hash::FxHashMap;
use value::Value;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    method: MethodId,
    /// Where the caller goes on.
    back: u32,
    /// Where its slots begin.
    base: usize,
    /// The point that was passed last.
    point: PointId,
}

/// What decides how a run goes on.
#[derive(Clone, Debug, PartialEq)]
struct State {
    pc: u32,
    frames: Vec<Frame>,
    /// The slots of the frames, and behind those of each its operands.
    stack: Vec<Value>,
    heap: Heap,
    statics: Vec<Value>,
    /// Whether what runs when a class is first used has begun.
    used: Vec<bool>,
    /// The constants of the enumerations that were asked for.
    constants: FxHashMap<(ClassId, u32), u32>,
    /// The texts of literals that were asked for, and of those that are equal to one.
    literals: FxHashMap<u32, u32>,
    /// How far the input was read.
    at: usize,
    /// How many objects have said their number.
    hashes: FxHashMap<u32, i32>,
}

/// A program that is executed.
pub struct Machine<'p> {
    program: &'p Program,
    code: &'p Code,
    input: &'p [u8],
    limits: Limits,
    state: State,
    /// `StringBuilder` and `StringBuffer`.
    builders: [Option<ClassId>; 2],
    /// Classes of the library by name.
    known: FxHashMap<&'p str, ClassId>,
    point: PointId,
    /// The exception that is on its way, with the point where it was thrown first.
    thrown: Option<(u32, PointId)>,
    steps: u64,
    output: Vec<u8>,
    errors: Vec<u8>,
    pieces: Vec<Piece>,
    passed: Vec<u32>,
    watch: Watch,
}

/// What ends the execution of an operation.
enum Stop {
    /// An exception of the library, with what it says.
    Throw(&'static str, Option<String>),
    /// An exception that is there.
    Thrown(u32),
    Limit(Limit),
    Exit(i32),
    Endless,
    /// Nothing catches an exception.
    Uncaught(u32),
    /// The library does something here that is not known.
    NotKnown(&'static str),
}

type Done<T = ()> = Result<T, Stop>;

/// An exception of the library that says something.
fn throw<T>(class: &'static str, message: impl Into<String>) -> Done<T> {
    Err(Stop::Throw(class, Some(message.into())))
}

/// One that says nothing.
fn throw_bare<T>(class: &'static str) -> Done<T> {
    Err(Stop::Throw(class, None))
}

/// Runs a program on an input to its end.
pub fn run(program: &Program, code: &Code, input: &[u8], limits: Limits) -> Run {
    let mut machine = Machine::new(program, code, input, limits);
    let end = machine.go();
    machine.finish(end)
}

impl<'p> Machine<'p> {
    fn new(program: &'p Program, code: &'p Code, input: &'p [u8], limits: Limits) -> Machine<'p> {
        let zero = |f: &crate::typed::Field| value::Kind::of(&f.ty).zero();
        let state = State {
            // Operation 0 ends what runs at first use.
            pc: 1,
            frames: Vec::new(),
            stack: Vec::new(),
            heap: Heap::default(),
            statics: program.fields.iter().map(zero).collect(),
            used: vec![false; program.classes.len()],
            constants: FxHashMap::default(),
            literals: FxHashMap::default(),
            at: 0,
            hashes: FxHashMap::default(),
        };
        let library = program.classes.iter().enumerate().filter(|(_, class)| class.is_library);
        let known = library.map(|(k, class)| (class.name.as_str(), ClassId(k as u32)));
        let known: FxHashMap<&'p str, ClassId> = known.collect();
        let builders = ["StringBuilder", "StringBuffer"].map(|name| known.get(name).copied());
        Machine {
            program,
            code,
            input,
            limits,
            state,
            builders,
            known,
            point: PointId(0),
            thrown: None,
            steps: 0,
            output: Vec::new(),
            errors: Vec::new(),
            pieces: Vec::new(),
            passed: vec![0; code.points.len()],
            watch: Watch::default(),
        }
    }

    fn go(&mut self) -> End {
        loop {
            let Err(stop) = self.burst() else { continue };
            let stop = match self.caught(stop) {
                Ok(()) => continue,
                Err(stop) => stop,
            };
            let thrown = self.thrown.map_or(self.point, |(_, point)| point);
            return match stop {
                Stop::Limit(limit) => End::Limit(limit, self.point),
                Stop::Exit(code) => End::Exited(code),
                Stop::Endless => End::Endless(self.point),
                Stop::NotKnown(what) => End::NotKnown(what, self.point),
                Stop::Uncaught(exception) => End::Uncaught(self.told(exception), thrown),
                // `caught` leaves none of these.
                Stop::Throw(..) | Stop::Thrown(_) => End::Limit(Limit::Steps, self.point),
            };
        }
    }

    fn finish(self, end: End) -> Run {
        Run {
            end,
            output: self.output,
            errors: self.errors,
            pieces: self.pieces,
            passed: self.passed,
            last: self.point,
            read: self.state.at as u32,
            steps: self.steps,
        }
    }

    fn pop(&mut self) -> Value {
        self.state.stack.pop().unwrap_or(value::NULL)
    }

    fn push(&mut self, value: Value) {
        self.state.stack.push(value);
    }

    fn base(&self) -> usize {
        self.state.frames.last().map_or(0, |frame| frame.base)
    }

    /// What nothing refers to is collected. What is held must be within the limit.
    fn collect(&mut self) -> Done {
        let state = &mut self.state;
        let roots = state.stack.iter().chain(&state.statics).map(|value| value.reference());
        let thrown = self.thrown.map(|(exception, _)| exception);
        let fixed = state.constants.values().chain(state.literals.values()).copied();
        state.heap.collect(roots.chain(fixed).chain(thrown));
        match self.state.heap.bytes() > self.limits.memory {
            true => Err(Stop::Limit(Limit::Memory)),
            false => Ok(()),
        }
    }
}
