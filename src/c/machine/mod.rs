//! The machine: executes a program on an input as a compiled program does, and knows at each point
//! which objects exist and which bytes have a value.

pub mod arithmetic;
mod endless;
mod fault;
pub mod format;
mod library;
mod memory;
mod random;
pub mod scan;
mod view;

pub use fault::{End, Fault, Limit, Limits, Piece, Remark, Run, Taken, Taker};
pub use library::mathematics;
pub use memory::Layout;
pub use view::{FrameView, VariableView};

use crate::code::{Code, Number, Op, Passing, ProcedureCode, Step};
use crate::tree::{Binary, PointId, ProcedureId, TextId, Tree, VariableId};
use crate::types::Integer;
use endless::Watch;
use memory::{Memory, Origin};
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

    fn operation(&mut self, op: Op) -> Done {
        match op {
            Op::ForgetSlot(slot) => {
                let k = self.base() + slot as usize;
                self.state.has[k] = false;
            }
            Op::StepSlot(slot, step, variable) => {
                let k = self.base() + slot as usize;
                if !self.state.has[k] {
                    self.remark(Remark::NoValue(Some(variable)));
                    self.choose_slot(k);
                }
                let old = self.state.slots[k];
                let new = self.stepped(step, old)?;
                self.state.slots[k] = new;
                self.push(if step.before { new } else { old });
            }
            Op::Object(slot) => {
                let address = *self.slot(slot);
                self.push(address);
            }
            Op::Forget(slot) | Op::Zero(slot) => {
                let address = *self.slot(slot);
                self.state.memory.reset(address, matches!(op, Op::Zero(_)));
            }
            Op::Renew(slot, variable) => {
                let old = *self.slot(slot);
                let origin = Origin::Variable(variable);
                *self.slot(slot) =
                    self.state.memory.renew(old, origin).ok_or(Stop::Limit(Limit::Memory))?;
            }
            Op::Index(length) => {
                if self.state.stack.last().is_some_and(|index| *index >= length) {
                    self.remark(Remark::Index);
                }
            }
            Op::Allocate(slot, variable) => {
                let size = self.pop();
                if size as i64 <= 0 {
                    self.remark(Remark::Length);
                }
                let old = *self.slot(slot);
                if old != 0 {
                    self.state.memory.end(old);
                }
                let address = self.allocate(size, Origin::Variable(variable), false)?;
                *self.slot(slot) = address;
            }
            Op::Global(k) => self.push(self.globals[k as usize]),
            Op::Text(TextId(k)) => self.push(self.texts[k as usize]),
            Op::Procedure(id) => self.push(memory::procedure_address(id)),
            Op::Load(number) => {
                let address = self.pop();
                let (value, known) = self.state.memory.read(address, number.size())?;
                if !known {
                    let variable = self.state.memory.variable(address);
                    self.remark(Remark::NoValue(variable));
                }
                self.push(match number {
                    Number::Integer(integer) => integer.wrap(value),
                    _ => value,
                });
            }
            Op::Store(number) => {
                let (value, address) = (self.pop(), self.pop());
                self.state.memory.write(address, number.size(), value)?;
                self.push(value);
            }
            Op::LoadBits(integer, first, width) => {
                let address = self.pop();
                let (value, _) = self.state.memory.read(address, integer.size())?;
                self.push(bits(value, integer, first, width));
            }
            Op::StoreBits(integer, first, width) => {
                let (value, address) = (self.pop(), self.pop());
                let (old, _) = self.state.memory.read(address, integer.size())?;
                let mask = (u64::MAX >> (64 - u32::from(width))) << first;
                let new = old & !mask | (value << first) & mask;
                self.state.memory.write(address, integer.size(), new)?;
                self.push(bits(new, integer, first, width));
            }
            Op::StepPlace(step) => {
                let address = self.pop();
                let (old, known) = self.state.memory.read(address, step.number.size())?;
                if !known {
                    let variable = self.state.memory.variable(address);
                    self.remark(Remark::NoValue(variable));
                }
                let old = match step.number {
                    Number::Integer(integer) => integer.wrap(old),
                    _ => old,
                };
                let new = self.stepped(step, old)?;
                self.state.memory.write(address, step.number.size(), new)?;
                self.push(if step.before { new } else { old });
            }
            Op::Copy(size) => {
                let (from, to) = (self.pop(), self.pop());
                self.state.memory.copy(to, from, size)?;
                self.push(to);
            }
            Op::Double => {
                let value = self.state.stack.last().copied().unwrap_or(0);
                self.push(value);
            }
            Op::Drop => {
                self.pop();
            }
            Op::Convert(from, to) => {
                let value = self.pop();
                self.push(arithmetic::convert(from, to, value));
            }
            Op::Negate(number) => {
                let value = self.pop();
                let (value, remark) = arithmetic::negate(number, value);
                if let Some(remark) = remark {
                    self.remark(remark);
                }
                self.push(value);
            }
            Op::Complement(integer) => {
                let value = self.pop();
                self.push(integer.wrap(!value));
            }
            Op::Not(number) => {
                let value = self.pop();
                self.push(u64::from(arithmetic::is_zero(number, value)));
            }
            Op::Truth(number) => {
                let value = self.pop();
                self.push(u64::from(!arithmetic::is_zero(number, value)));
            }
            Op::Element(size) => {
                let (count, address) = (self.pop(), self.pop());
                self.push(moved(address, count.wrapping_mul(size)));
            }
            Op::ElementOf => {
                let (size, count, address) = (self.pop(), self.pop(), self.pop());
                self.push(moved(address, count.wrapping_mul(size)));
            }
            Op::Difference(size) => {
                let (b, a) = (self.pop(), self.pop());
                self.push((a.wrapping_sub(b) as i64 / size as i64) as u64);
            }
            Op::Call(id, count) => self.call(id, count as usize)?,
            Op::CallPointer(count) => {
                let under = self.state.stack.len().saturating_sub(count as usize + 1);
                let address = self.state.stack.get(under).copied().unwrap_or(0);
                let Some(id) = memory::procedure_at(address) else {
                    return Err(Stop::Fault(if address == 0 {
                        Fault::Null
                    } else {
                        Fault::NoProcedure
                    }));
                };
                self.state.stack.remove(under);
                match self.code.natives.get(id.index()) {
                    Some(Some(native)) => self.native(*native, count as usize, 0)?,
                    _ => self.call(id, count as usize)?,
                }
            }
            Op::Native(native, count, doubles) => self.native(native, count as usize, doubles)?,
            Op::Return => {
                let value = self.pop();
                self.leave(Some(value))?;
            }
            Op::ReturnNothing => self.leave(None)?,
            Op::End => {
                let procedure = self.state.frames.last().map(|frame| frame.procedure);
                let returns = procedure
                    .and_then(|id| self.code.procedures[id.index()].as_ref())
                    .is_some_and(|code| code.returns);
                if !returns {
                    self.leave(None)?;
                } else if procedure == self.code.main {
                    self.leave(Some(0))?;
                } else {
                    self.remark(Remark::NoResult);
                    self.leave(Some(0))?;
                }
            }
            Op::VariableArguments => {
                let address = self.pop();
                let cells = self.state.frames.last().map_or(0, |frame| frame.variable_arguments);
                self.state.memory.write(address, 8, cells)?;
            }
            Op::NextArgument => {
                let address = self.pop();
                let (cell, _) = self.state.memory.read(address, 8)?;
                let (value, _) = self.state.memory.read(cell, 8)?;
                self.state.memory.write(address, 8, moved(cell, 8))?;
                self.push(value);
            }
            Op::Assert => {
                if self.pop() == 0 {
                    return Err(Stop::Fault(Fault::Assertion));
                }
            }
            Op::Assume => {
                if self.pop() == 0 {
                    return Err(Stop::Exit(0));
                }
            }
            Op::Choose(_, by) => {
                let value = self.choice(by.map_or(Taker::Other, Taker::Procedure)).unwrap_or(0);
                self.push(value);
            }
            Op::Point(_)
            | Op::Jump(_)
            | Op::JumpIfZero(_)
            | Op::JumpIfNot(_)
            | Op::Constant(_)
            | Op::Slot(..)
            | Op::SetSlot(_)
            | Op::Binary(..) => {}
        }
        Ok(())
    }

    fn stepped(&mut self, step: Step, old: u64) -> Done<u64> {
        let delta = step.delta;
        match step.number {
            Number::Pointer => Ok(moved(old, delta as u64)),
            Number::Integer(integer) if integer.size() < 4 => {
                Ok(integer.wrap(old.wrapping_add(delta as u64)))
            }
            number => {
                let one = match number {
                    Number::Integer(_) => delta as u64,
                    floating => {
                        arithmetic::convert(Number::Integer(Integer::Long), floating, delta as u64)
                    }
                };
                let one = match number {
                    Number::Integer(integer) => integer.wrap(one),
                    _ => one,
                };
                let (value, remark) = arithmetic::binary(Binary::Add, number, old, one)?;
                if let Some(remark) = remark {
                    self.remark(remark);
                }
                Ok(value)
            }
        }
    }

    fn allocate(&mut self, size: u64, origin: Origin, known: bool) -> Done<u64> {
        if self.state.memory.size().saturating_add(size) > self.limits.memory {
            return Err(Stop::Limit(Limit::Memory));
        }
        self.state.memory.allocate(size, origin, known).ok_or(Stop::Limit(Limit::Memory))
    }

    fn call(&mut self, id: ProcedureId, count: usize) -> Done {
        let code = self.code;
        let Some(procedure) = &code.procedures[id.index()] else {
            return Err(Stop::Fault(Fault::NoProcedure));
        };
        if self.state.frames.len() >= DEEPEST {
            return Err(Stop::Fault(Fault::Depth));
        }
        let first = self.state.stack.len().saturating_sub(count);
        let arguments = self.state.stack.split_off(first);
        let base = self.state.slots.len();
        self.state.slots.resize(base + procedure.slots as usize, 0);
        self.state.has.resize(base + procedure.slots as usize, false);
        self.state.frames.push(Frame {
            procedure: id,
            back: self.state.pc,
            base,
            height: self.state.stack.len(),
            temporaries: Vec::new(),
            allocated: Vec::new(),
            variable_arguments: 0,
            point: self.point,
        });
        self.enter(procedure, &arguments)?;
        self.state.pc = procedure.entry;
        Ok(())
    }

    fn enter(&mut self, procedure: &ProcedureCode, arguments: &[u64]) -> Done {
        for (slot, size, variable) in &procedure.objects {
            let address = self.allocate(*size, Origin::Variable(*variable), false)?;
            *self.slot(*slot) = address;
        }
        for ((slot, passing), argument) in procedure.parameters.iter().zip(arguments) {
            let address = *self.slot(*slot);
            match passing {
                Passing::Slot => {
                    let k = self.base() + *slot as usize;
                    self.state.slots[k] = *argument;
                    self.state.has[k] = true;
                }
                Passing::Number(number) => {
                    self.state.memory.write(address, number.size(), *argument)?
                }
                Passing::Record(size) => self.state.memory.copy(address, *argument, *size)?,
            }
        }
        if procedure.variadic {
            let rest = arguments.get(procedure.parameters.len()..).unwrap_or(&[]);
            let cells = self.allocate(rest.len() as u64 * 8, Origin::Temporary, true)?;
            for (k, value) in rest.iter().enumerate() {
                self.state.memory.write(moved(cells, k as u64 * 8), 8, *value)?;
            }
            if let Some(frame) = self.state.frames.last_mut() {
                frame.variable_arguments = cells;
                frame.temporaries.push(cells);
            }
        }
        Ok(())
    }

    /// Returns from a call. A struct is copied to the caller before its object ends.
    fn leave(&mut self, value: Option<u64>) -> Done {
        let Some(frame) = self.state.frames.last() else { return Err(Stop::Exit(0)) };
        if self.state.frames.len() == 1 {
            // The initial values of global variables are there: `main` begins.
            let Some(main) = self.code.main.filter(|_| frame.procedure == ProcedureId(0)) else {
                return Err(Stop::Exit(0));
            };
            self.state.frames[0].procedure = ProcedureId(u32::MAX);
            let count = self.main_arguments(main)?;
            return self.call(main, count);
        }
        let (id, back, base, height) = (frame.procedure, frame.back, frame.base, frame.height);
        let mut value = value;
        let result = &self.tree.procedures[id.index()].signature.result;
        if let (Some(from), crate::types::Type::Record(_)) = (value, result) {
            let size = result.size(&self.tree.records).unwrap_or(0);
            let copy = self.allocate(size, Origin::Temporary, false)?;
            self.state.memory.copy(copy, from, size)?;
            value = Some(copy);
            let callers = self.state.frames.len() - 2;
            let kept = &mut self.state.frames[callers].temporaries;
            kept.push(copy);
            if kept.len() > TEMPORARIES {
                let oldest = kept.remove(0);
                self.state.memory.end(oldest);
            }
        }
        if let Some(code) = &self.code.procedures[id.index()] {
            for (slot, _, _) in &code.objects {
                self.state.memory.end(self.state.slots[base + *slot as usize]);
            }
        }
        let frame = self.state.frames.pop();
        for address in
            frame.iter().flat_map(|frame| frame.temporaries.iter().chain(&frame.allocated))
        {
            self.state.memory.end(*address);
        }
        self.state.slots.truncate(base);
        self.state.has.truncate(base);
        self.state.stack.truncate(height);
        self.state.pc = back;
        if self.state.frames.len() == 1 {
            return Err(Stop::Exit(value.unwrap_or(0) as u8 as i32));
        }
        if let Some(caller) = self.state.frames.last() {
            self.point = caller.point;
        }
        if let Some(value) = value {
            self.push(value);
        }
        Ok(())
    }

    /// `argc`, `argv` and `envp`, as of a program without arguments.
    fn main_arguments(&mut self, main: ProcedureId) -> Done<usize> {
        let count = self.code.procedures[main.index()].as_ref().map_or(0, |p| p.parameters.len());
        if count > 0 {
            let name = self.allocate(8, Origin::Heap, true)?;
            self.state.memory.fill(name, b"program\0")?;
            let list = self.allocate(16, Origin::Heap, true)?;
            self.state.memory.write(list, 8, name)?;
            // An environment without variables ends in a null pointer at once.
            let environment = self.allocate(8, Origin::Heap, true)?;
            for value in [1, list, environment].into_iter().take(count) {
                self.push(value);
            }
        }
        Ok(count.min(3))
    }
}

/// An address, moved by bytes.
fn moved(address: u64, by: u64) -> u64 {
    let low = (address as u32).wrapping_add(by as u32);
    if address >> 32 == 0 {
        address.wrapping_add(by)
    } else {
        address & !0xffff_ffff | u64::from(low)
    }
}

/// A bit-field out of its unit.
fn bits(value: u64, integer: Integer, first: u8, width: u8) -> u64 {
    let shift = 64 - u32::from(width);
    let high = (value >> first) << shift;
    if integer.signed() { (high as i64 >> shift) as u64 } else { high >> shift }
}

impl Machine<'_> {
    /// The name of a variable, for what is told of a run.
    pub fn variable(&self, id: VariableId) -> Option<&str> {
        self.tree.variables.get(id.index()).map(|variable| &*variable.name)
    }
}
