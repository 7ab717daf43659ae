//! The machine: executes a program on an input as a compiled program does, and knows at each point
//! which objects exist and which bytes have a value.

pub mod arithmetic;
mod calls;
mod endless;
mod fault;
pub mod format;
mod library;
mod memory;
mod operations;
mod random;
pub mod scan;
mod view;

pub use fault::{End, Fault, Limit, Limits, Piece, Remark, Run, Taken, Taker};
pub use library::mathematics;
pub use memory::Layout;
pub use view::{FrameView, VariableView};

use crate::code::{Code, Op};
use crate::tree::{PointId, ProcedureId, Tree, VariableId};
use arithmetic::bits;
use endless::Watch;
use memory::{Memory, Origin, moved};
use rustc_hash::FxHashSet;

/// Calls nest no deeper: about what a stack of 8 MB holds.
const DEEPEST: usize = 150_000;

/// Chosen values that are remembered.
const TAKEN: usize = 100_000;

/// Values between calls and their uses that a frame keeps.
const TEMPORARIES: usize = 64;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    procedure: ProcedureId,
    back: u32,
    /// Where its slots begin.
    base: usize,
    /// How high the stack was, arguments taken.
    height: usize,
    /// Structs that calls returned, and arguments beyond the parameters.
    temporaries: Vec<u64>,
    /// What `alloca` gave.
    allocated: Vec<u64>,
    variable_arguments: u64,
    /// The point that was passed last.
    point: PointId,
}

/// What decides how a run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    pc: u32,
    frames: Vec<Frame>,
    stack: Vec<u64>,
    slots: Vec<u64>,
    has: Vec<bool>,
    memory: Memory,
    at: usize,
    random: random::Random,
    clock: u64,
}

/// A program that is executed.
pub struct Machine<'p> {
    tree: &'p Tree,
    code: &'p Code,
    input: &'p [u8],
    /// What `rand`, `time` and verifiers' names give, if somebody decides it.
    choices: Option<&'p [u64]>,
    /// So does a variable that is read before it has a value.
    unset: bool,
    chosen: usize,
    taken: Vec<Taken>,
    limits: Limits,
    state: State,
    globals: Vec<u64>,
    texts: Vec<u64>,
    point: PointId,
    steps: u64,
    points: u64,
    output: Vec<u8>,
    pieces: Vec<Piece>,
    passed: Vec<u32>,
    remarks: Vec<(Remark, PointId)>,
    remarked: FxHashSet<(Remark, PointId)>,
    watch: Watch,
    end: Option<End>,
    /// Did the condition hold that was decided last?
    held: bool,
    /// Was the input asked?
    is_open: bool,
}

/// What ends the execution of an operation.
enum Stop {
    Fault(Fault),
    Limit(Limit),
    Exit(i32),
    Endless,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

type Done<T = ()> = Result<T, Stop>;

/// Runs a program on an input to its end.
pub fn run(tree: &Tree, code: &Code, input: &[u8], limits: Limits) -> Run {
    let mut machine = Machine::new(tree, code, input, limits);
    machine.go(u64::MAX);
    machine.finish()
}

impl<'p> Machine<'p> {
    /// Before the first operation.
    pub fn new(tree: &'p Tree, code: &'p Code, input: &'p [u8], limits: Limits) -> Machine<'p> {
        Machine::laid_out(tree, code, input, limits, Layout::default())
    }

    /// The same, with objects at these addresses.
    pub fn laid_out(
        tree: &'p Tree,
        code: &'p Code,
        input: &'p [u8],
        limits: Limits,
        layout: Layout,
    ) -> Machine<'p> {
        let mut memory = Memory::new(layout);
        let mut globals = Vec::with_capacity(code.globals.len());
        for global in &code.globals {
            let origin = Origin::Variable(global.variable);
            globals.push(memory.allocate(global.size, origin, true).unwrap_or(0));
        }
        let mut texts = Vec::with_capacity(tree.texts.len());
        for text in &tree.texts {
            let address = memory.allocate(text.len() as u64, Origin::Text, true).unwrap_or(0);
            // It was made this long.
            let filled = memory.fill(address, text);
            debug_assert_eq!(filled, Ok(()));
            texts.push(address);
        }
        let point = PointId(0);
        let frame = Frame {
            procedure: ProcedureId(0),
            back: 0,
            base: 0,
            height: 0,
            temporaries: Vec::new(),
            allocated: Vec::new(),
            variable_arguments: 0,
            point,
        };
        let state = State {
            pc: code.start,
            frames: vec![frame],
            stack: Vec::new(),
            slots: Vec::new(),
            has: Vec::new(),
            memory,
            at: 0,
            random: random::Random::new(1),
            clock: 0,
        };
        Machine {
            tree,
            code,
            input,
            choices: None,
            unset: false,
            chosen: 0,
            taken: Vec::new(),
            limits,
            state,
            globals,
            texts,
            point,
            steps: 0,
            points: 0,
            output: Vec::new(),
            pieces: Vec::new(),
            passed: vec![0; tree.points.len()],
            remarks: Vec::new(),
            remarked: FxHashSet::default(),
            watch: Watch::default(),
            end: None,
            held: false,
            is_open: false,
        }
    }

    /// Executes until so many points were passed, or to the end. Returns whether it has ended.
    pub fn go(&mut self, points: u64) -> bool {
        while self.end.is_none() && self.points < points {
            if let Err(stop) = self.burst(points) {
                self.end = Some(match stop {
                    Stop::Fault(fault) => End::Fault(fault, self.point),
                    Stop::Limit(limit) => End::Limit(limit, self.point),
                    Stop::Exit(code) => End::Exited(code),
                    Stop::Endless => End::Endless(self.point),
                });
            }
        }
        self.end.is_some()
    }

    /// Decides what `rand`, `time`, `clock` and verifiers' names give, in order; 0 behind the last.
    /// `unset`: so it is with a variable that is read before it has a value.
    pub fn choose(&mut self, choices: &'p [u64], unset: bool) {
        self.choices = Some(choices);
        self.unset = unset;
    }

    /// A variable without a value takes one, if somebody chooses.
    fn choose_slot(&mut self, k: usize) {
        if self.unset
            && let Some(value) = self.choice(Taker::Other)
        {
            self.state.slots[k] = value;
            self.state.has[k] = true;
        }
    }

    /// What was chosen, if somebody chooses.
    fn choice(&mut self, by: Taker) -> Option<u64> {
        let list = self.choices?;
        let value = list.get(self.chosen).copied().unwrap_or(0);
        self.chosen += 1;
        if self.taken.len() < TAKEN {
            self.taken.push(Taken { by, value, point: self.point });
        }
        Some(value)
    }

    /// Did the run ask for input, or for a choice? Else there is no other.
    pub fn is_open(&self) -> bool {
        self.is_open || self.chosen > 0
    }

    /// What was chosen so far, in order; of very many values the first.
    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// The operation that was executed last.
    pub fn executed(&self) -> Option<Op> {
        self.code.ops.get((self.state.pc as usize).checked_sub(1)?).copied()
    }

    /// The points of the calls that are executed, the innermost first.
    pub fn calls(&self) -> impl Iterator<Item = PointId> + '_ {
        self.state.frames.iter().skip(1).rev().map(|frame| frame.point)
    }

    /// How many calls are executed.
    pub fn depth(&self) -> usize {
        self.state.frames.len()
    }

    /// Did the condition hold that was decided last? Where the next point of a call is passed, the
    /// condition of its point before was.
    pub fn held(&self) -> bool {
        self.held
    }

    /// How many points were passed.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// The point that was passed last.
    pub fn point(&self) -> PointId {
        self.point
    }

    /// What was remarkable so far.
    pub fn remarks(&self) -> &[(Remark, PointId)] {
        &self.remarks
    }

    /// What was printed so far.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// How many bytes of the input were read.
    pub fn read(&self) -> usize {
        self.state.at
    }

    /// What is to be told of the run.
    pub fn finish(self) -> Run {
        Run {
            end: self.end.unwrap_or(End::Limit(Limit::Steps, self.point)),
            output: self.output,
            pieces: self.pieces,
            passed: self.passed,
            last: self.point,
            remarks: self.remarks,
            read: self.state.at as u32,
            steps: self.steps,
        }
    }

    fn remark(&mut self, remark: Remark) {
        if self.remarked.len() < 1000 && self.remarked.insert((remark, self.point)) {
            self.remarks.push((remark, self.point));
        }
    }

    fn pop(&mut self) -> u64 {
        self.state.stack.pop().unwrap_or(0)
    }

    fn push(&mut self, value: u64) {
        self.state.stack.push(value);
    }

    fn base(&self) -> usize {
        self.state.frames.last().map_or(0, |frame| frame.base)
    }

    fn slot(&mut self, slot: u32) -> &mut u64 {
        let k = self.base() + slot as usize;
        &mut self.state.slots[k]
    }

    /// Operations until a limit, a point of interest, or the end.
    fn burst(&mut self, points: u64) -> Done {
        let code = self.code;
        loop {
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(Stop::Limit(Limit::Steps));
            }
            let op = code.ops[self.state.pc as usize];
            self.state.pc += 1;
            match op {
                Op::Point(point) => {
                    self.point = point;
                    self.points += 1;
                    self.passed[point.index()] = self.passed[point.index()].saturating_add(1);
                    if let Some(frame) = self.state.frames.last_mut() {
                        frame.point = point;
                    }
                    if self.points >= points {
                        return Ok(());
                    }
                }
                Op::Jump(target) => {
                    let back = target < self.state.pc;
                    self.state.pc = target;
                    if back && self.watch.returns(&self.state) {
                        return Err(Stop::Endless);
                    }
                }
                Op::JumpIfZero(target) => {
                    self.held = self.pop() != 0;
                    if !self.held {
                        self.state.pc = target;
                    }
                }
                Op::JumpIfNot(target) => {
                    if self.pop() != 0 {
                        self.state.pc = target;
                    }
                }
                Op::Constant(value) => self.push(value),
                Op::Slot(slot, variable) => {
                    let k = self.base() + slot as usize;
                    if !self.state.has[k] {
                        self.remark(Remark::NoValue(Some(variable)));
                        self.choose_slot(k);
                    }
                    self.push(self.state.slots[k]);
                }
                Op::SetSlot(slot) => {
                    let k = self.base() + slot as usize;
                    self.state.slots[k] = self.state.stack.last().copied().unwrap_or(0);
                    self.state.has[k] = true;
                }
                Op::Binary(operator, number) => {
                    let (b, a) = (self.pop(), self.pop());
                    let (value, remark) = arithmetic::binary(operator, number, a, b)?;
                    if let Some(remark) = remark {
                        self.remark(remark);
                    }
                    self.push(value);
                }
                other => self.operation(other)?,
            }
        }
    }

    fn allocate(&mut self, size: u64, origin: Origin, known: bool) -> Done<u64> {
        if self.state.memory.size().saturating_add(size) > self.limits.memory {
            return Err(Stop::Limit(Limit::Memory));
        }
        self.state.memory.allocate(size, origin, known).ok_or(Stop::Limit(Limit::Memory))
    }
}

impl Machine<'_> {
    /// The name of a variable, for what is told of a run.
    pub fn variable(&self, id: VariableId) -> Option<&str> {
        self.tree.variables.get(id.index()).map(|variable| &*variable.name)
    }
}
