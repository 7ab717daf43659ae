//! Executes a program on all inputs at once, up to a bound of rounds and nested calls.
//!
//! A state stands for all runs that are at one place. Of the states that wait, the one whose place
//! comes first goes on; at a branch it becomes two, and two at one place become one. So a loop's
//! k-th round is executed once, whatever the runs did before it. (Clarke, Kroening, Lerda 2004
//! unroll loops in the text; here the machine's code is unrolled while it is executed, so that
//! constants end loops, and infeasible rounds are dropped when the solver refutes them.)

use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::input::Input;
use crate::memory::{Object, Origin};
use crate::solver::{Answer, Clock, Solver};
use crate::state::{Frame, Loop, Place, State};
use crate::unroll::Notes;
use crate::value::{Value, Word};
use faultline_c::code::{Code, Op, Passing, ProcedureCode};
use faultline_c::machine::{Fault, Remark};
use faultline_c::tree::{PointId, ProcedureId, TextId, Tree};
use faultline_c::types::Type;
use std::collections::BTreeMap;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Places outside of objects, freed memory, null pointers.
    pub bounds: bool,
    /// Division by zero.
    pub division: bool,
    /// Signed results without a place in their type.
    pub overflow: bool,
    /// Shifts by a negative amount, or by the width or more.
    pub shift: bool,
    /// Reads of what has no value.
    pub initialised: bool,
}

impl Checks {
    /// Is this looked for?
    pub(crate) fn wants(self, failure: Failure) -> bool {
        match failure {
            Failure::Fault(Fault::Assertion) => true,
            Failure::Fault(Fault::Division) => self.division,
            Failure::Fault(_) | Failure::Index | Failure::Length => self.bounds,
            Failure::Overflow => self.overflow,
            Failure::Shift => self.shift,
            Failure::NoValue => self.initialised,
        }
    }
}

/// What a run does that is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// It ends there.
    Fault(Fault),
    /// A signed result has no place in its type.
    Overflow,
    /// A shift by a negative amount, or by the width or more.
    Shift,
    /// Something is read that has no value.
    NoValue,
    /// An index is outside of its array.
    Index,
    /// An array whose length a variable gives has no elements, or fewer.
    Length,
}

impl Failure {
    /// The failure that a remark of a run is.
    pub(crate) fn of(remark: Remark) -> Option<Failure> {
        Some(match remark {
            Remark::NoValue(_) => Failure::NoValue,
            Remark::Overflow => Failure::Overflow,
            Remark::Shift => Failure::Shift,
            Remark::Index => Failure::Index,
            Remark::Length => Failure::Length,
            Remark::Argument | Remark::NoResult => return None,
        })
    }

    /// Is the remark of a run this failure?
    pub fn is(self, remark: Remark) -> bool {
        Failure::of(remark) == Some(self)
    }
}

/// An error, and the condition under which the first error of a run is this one.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub(crate) condition: Lit,
    pub(crate) failure: Failure,
    pub(crate) point: PointId,
    pub(crate) input: Input,
}

/// Why runs were not followed to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// A loop goes round more often.
    Rounds,
    /// Calls nest deeper.
    Depth,
    /// Objects or texts are longer than what was looked at.
    Length,
}

/// What the engine does not do, or not within its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The time is up.
    Time,
    /// The circuit has too many nodes.
    Nodes,
    /// Too many operations.
    Steps,
    /// The solver had too many conflicts.
    Conflicts,
    /// An address is used as a number, or part of one is read.
    Address,
    /// Something of C, or of its library, that has no meaning here.
    Unsupported,
}

pub(crate) type Done<T = ()> = Result<T, Limit>;

/// Nodes of the circuit.
const NODES: usize = 30_000_000;
/// Operations in all.
const STEPS: u64 = 20_000_000;
/// Calls within each other.
const DEEPEST: usize = 3000;
/// Conflicts of a question whether a round can be reached.
const FEASIBLE: u64 = 3000;

pub(crate) struct Engine<'p> {
    pub(crate) tree: &'p Tree,
    pub(crate) code: &'p Code,
    pub(crate) circuit: Circuit,
    pub(crate) solver: Solver,
    pub(crate) checks: Checks,
    pub(crate) clock: Clock,
    /// The most rounds of a loop, and calls of a procedure within itself, that depend on the input.
    pub(crate) rounds: u32,
    pub(crate) obligations: Vec<Obligation>,
    pub(crate) cuts: Vec<(Lit, Cut, PointId)>,
    objects: u32,
    globals: Vec<u32>,
    texts: Vec<u32>,
    queue: BTreeMap<Place, State>,
    /// By operation: does a jump lead here?
    targets: Vec<bool>,
    steps: u64,
    /// What is noted for a picture of the unrolling, if somebody wants one.
    pub(crate) notes: Option<Notes>,
}

impl<'p> Engine<'p> {
    pub(crate) fn new(tree: &'p Tree, code: &'p Code, checks: Checks, clock: Clock) -> Engine<'p> {
        let mut targets = vec![false; code.ops.len() + 1];
        for op in &code.ops {
            if let Op::Jump(target) | Op::JumpIfZero(target) | Op::JumpIfNot(target) = op {
                targets[*target as usize] = true;
            }
        }
        Engine {
            tree,
            code,
            circuit: Circuit::default(),
            solver: Solver::new(clock.clone()),
            checks,
            clock,
            rounds: 1,
            obligations: Vec::new(),
            cuts: Vec::new(),
            objects: 0,
            globals: Vec::new(),
            texts: Vec::new(),
            queue: BTreeMap::new(),
            targets,
            steps: 0,
            notes: None,
        }
    }

    /// Follows all runs within the bound.
    pub(crate) fn explore(&mut self, rounds: u32) -> Done {
        self.rounds = rounds;
        self.obligations.clear();
        self.cuts.clear();
        self.queue.clear();
        self.objects = 0;
        self.steps = 0;
        let first = self.first();
        self.queue.insert(first.place(), first);
        while let Some((_, state)) = self.queue.pop_first() {
            self.run(state)?;
        }
        Ok(())
    }

    fn first(&mut self) -> State {
        let frame = Frame {
            procedure: ProcedureId(0),
            back: 0,
            height: 0,
            slots: Vec::new(),
            has: Vec::new(),
            temporaries: Vec::new(),
            variable_arguments: Value::constant(0),
            point: PointId(0),
            loops: Vec::new(),
            guard: TRUE,
            nested: 0,
        };
        let mut state = State {
            guard: TRUE,
            pc: self.code.start,
            frames: vec![frame],
            stack: Vec::new(),
            objects: Vec::new(),
            input: Input::new(),
            last: Vec::new(),
        };
        self.globals.clear();
        for global in &self.code.globals {
            let object = Object::new(
                Word::Constant(global.size),
                global.size,
                Origin::Variable(global.variable),
                true,
            );
            let id = self.allocate(&mut state, object);
            self.globals.push(id);
        }
        self.texts.clear();
        for text in &self.tree.texts {
            let length = text.len() as u64;
            let mut object = Object::new(Word::Constant(length), length, Origin::Text, true);
            object.fill(0, text);
            let id = self.allocate(&mut state, object);
            self.texts.push(id);
        }
        state
    }

    pub(crate) fn allocate(&mut self, state: &mut State, object: Object) -> u32 {
        let id = self.objects;
        self.objects += 1;
        state.set_object(id, object);
        id
    }

    /// A new object whose bytes have no value: with that not looked for, they have any.
    pub(crate) fn unset(&mut self, size: u64, origin: Origin) -> Object {
        let mut object = Object::new(Word::Constant(size), size, origin, false);
        if !self.checks.initialised {
            object.any(&mut self.circuit);
        }
        object
    }

    fn enqueue(&mut self, state: State) {
        if state.guard == FALSE {
            return;
        }
        let place = state.place();
        let state = match self.queue.remove(&place) {
            Some(other) => other.join(&mut self.circuit, state),
            None => state,
        };
        self.queue.insert(place, state);
    }

    fn limits(&self) -> Done {
        if self.circuit.size() > NODES {
            return Err(Limit::Nodes);
        }
        if self.steps > STEPS {
            return Err(Limit::Steps);
        }
        if (self.clock)() {
            return Err(Limit::Time);
        }
        Ok(())
    }

    /// Executes a state until it ends, splits, or meets another one.
    fn run(&mut self, mut state: State) -> Done {
        loop {
            if state.guard == FALSE {
                return Ok(());
            }
            if self.targets[state.pc as usize]
                && let Some((first, _)) = self.queue.first_key_value()
                && *first <= state.place()
            {
                self.enqueue(state);
                return Ok(());
            }
            self.steps += 1;
            if self.steps.is_multiple_of(256) {
                self.limits()?;
            }
            let op = self.code.ops[state.pc as usize];
            state.pc += 1;
            match op {
                Op::Jump(target) => {
                    if target < state.pc && !self.round(&mut state, target)? {
                        return Ok(());
                    }
                    state.pc = target;
                }
                Op::JumpIfZero(target) | Op::JumpIfNot(target) => {
                    let value = pop(&mut state);
                    let truth = self.circuit.is_true(&value);
                    let leaves = if matches!(op, Op::JumpIfZero(_)) { !truth } else { truth };
                    match leaves.constant() {
                        Some(true) => state.pc = target,
                        Some(false) => {}
                        None => {
                            let mut away = state.clone();
                            away.guard = self.circuit.and(state.guard, leaves);
                            away.pc = target;
                            state.guard = self.circuit.and(state.guard, !leaves);
                            let taken = matches!(op, Op::JumpIfZero(_));
                            away.decided(!taken);
                            state.decided(taken);
                            self.enqueue(away);
                        }
                    }
                }
                Op::Call(id, count) => {
                    if !self.call(&mut state, id, count as usize)? {
                        return Ok(());
                    }
                }
                Op::CallPointer(count) => {
                    self.call_pointer(state, count as usize)?;
                    return Ok(());
                }
                Op::Return | Op::ReturnNothing | Op::End => {
                    let value = match op {
                        Op::Return => Some(pop(&mut state)),
                        Op::ReturnNothing => None,
                        _ => self.end_value(&mut state),
                    };
                    if !self.leave(&mut state, value)? {
                        return Ok(());
                    }
                    // Another one may have come back before it.
                    if !self.queue.is_empty() {
                        self.enqueue(state);
                        return Ok(());
                    }
                }
                other => {
                    if !self.operation(&mut state, other)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Goes back to the start of a loop. Returns whether the state goes on there.
    fn round(&mut self, state: &mut State, target: u32) -> Done<bool> {
        let guard = state.guard;
        let point = self.point(state);
        let end = state.pc;
        let frame = state.frame();
        // Loops inside of this one begin anew.
        frame.loops.retain(|inner| inner.target <= target);
        let rounds = match frame.loops.iter_mut().find(|own| own.target == target) {
            Some(own) if own.guard == guard => {
                own.passes += 1;
                return Ok(true);
            }
            Some(own) => {
                own.passes += 1;
                own.rounds += 1;
                own.guard = guard;
                own.rounds
            }
            None => {
                frame.loops.push(Loop { target, end, rounds: 1, passes: 1, guard });
                1
            }
        };
        if !self.feasible(guard)? {
            return Ok(false);
        }
        if rounds > self.rounds {
            self.cuts.push((guard, Cut::Rounds, point));
            self.note_cut(state, Cut::Rounds);
            return Ok(false);
        }
        Ok(true)
    }

    /// Can a run be here? Where that is hard to say, it can.
    pub(crate) fn feasible(&mut self, guard: Lit) -> Done<bool> {
        match self.solver.solve(&self.circuit, &[guard], FEASIBLE) {
            Answer::Unsatisfiable => Ok(false),
            Answer::Satisfiable => Ok(true),
            Answer::Stopped => {
                self.limits()?;
                Ok(true)
            }
        }
    }

    pub(crate) fn point(&self, state: &State) -> PointId {
        state.frames.last().map_or(PointId(0), |frame| frame.point)
    }

    /// From here on the condition holds; that it does not is an error if the kind is looked for.
    pub(crate) fn require(&mut self, state: &mut State, condition: Lit, failure: Failure) {
        if condition == TRUE {
            return;
        }
        let wanted = self.checks.wants(failure);
        let fatal = matches!(failure, Failure::Fault(_));
        if !wanted && !fatal {
            return;
        }
        let bad = self.circuit.and(state.guard, !condition);
        if bad != FALSE && wanted {
            let point = self.point(state);
            self.note_failure(state, bad);
            self.obligations.push(Obligation {
                condition: bad,
                failure,
                point,
                input: state.input.clone(),
            });
        }
        state.guard = self.circuit.and(state.guard, condition);
    }

    /// Runs under this condition are not followed.
    pub(crate) fn cut(&mut self, state: &mut State, condition: Lit, cut: Cut) {
        let here = self.circuit.and(state.guard, condition);
        if here != FALSE {
            let point = self.point(state);
            self.cuts.push((here, cut, point));
            self.note_cut(state, cut);
            state.guard = self.circuit.and(state.guard, !condition);
        }
    }

    /// Returns whether the call is executed.
    fn call(&mut self, state: &mut State, id: ProcedureId, count: usize) -> Done<bool> {
        let code = self.code;
        let Some(procedure) = &code.procedures[id.index()] else { return Err(Limit::Unsupported) };
        let mut nested = 0;
        if let Some(outer) = state.frames.iter().rev().find(|frame| frame.procedure == id) {
            nested = outer.nested;
            if outer.guard != state.guard {
                nested += 1;
                if !self.feasible(state.guard)? {
                    return Ok(false);
                }
            }
            if nested > self.rounds || state.frames.len() > DEEPEST {
                let point = self.point(state);
                self.cuts.push((state.guard, Cut::Depth, point));
                self.note_cut(state, Cut::Depth);
                return Ok(false);
            }
        }
        let arguments = state.stack.split_off(state.stack.len().saturating_sub(count));
        let slots = procedure.slots as usize;
        state.frames.push(Frame {
            procedure: id,
            back: state.pc,
            height: state.stack.len(),
            slots: vec![Value::constant(0); slots],
            has: vec![FALSE; slots],
            temporaries: Vec::new(),
            variable_arguments: Value::constant(0),
            point: self.point(state),
            loops: Vec::new(),
            guard: state.guard,
            nested,
        });
        self.enter(state, procedure, &arguments)?;
        state.pc = procedure.entry;
        Ok(true)
    }

    fn enter(&mut self, state: &mut State, procedure: &ProcedureCode, arguments: &[Value]) -> Done {
        for (slot, size, variable) in &procedure.objects {
            let object = self.unset(*size, Origin::Variable(*variable));
            let id = self.allocate(state, object);
            state.frame().slots[*slot as usize] = Value::object(id);
        }
        for ((slot, passing), argument) in procedure.parameters.iter().zip(arguments) {
            let slot = *slot as usize;
            match passing {
                Passing::Slot => {
                    state.frame().slots[slot] = argument.clone();
                    state.frame().has[slot] = TRUE;
                }
                Passing::Number(number) => {
                    let place = state.frame().slots[slot].clone();
                    self.write(state, &place, number.size(), argument)?;
                }
                Passing::Record(size) => {
                    let place = state.frame().slots[slot].clone();
                    self.copy(state, &place, argument, *size)?;
                }
            }
        }
        if procedure.variadic {
            let rest = arguments.get(procedure.parameters.len()..).unwrap_or(&[]);
            let size = rest.len() as u64 * 8;
            let mut object = Object::new(Word::Constant(size), size, Origin::Temporary, true);
            for (k, value) in rest.iter().enumerate() {
                object.write(k as u64 * 8, 8, value, TRUE);
            }
            let id = self.allocate(state, object);
            state.frame().variable_arguments = Value::object(id);
            state.frame().temporaries.push(id);
        }
        Ok(())
    }

    fn call_pointer(&mut self, mut state: State, count: usize) -> Done {
        let under = state.stack.len().saturating_sub(count + 1);
        let address = state.stack.remove(under);
        let cases = address.cases();
        let mut known = FALSE;
        for case in cases.iter() {
            if let crate::value::Base::Procedure(_) = case.base {
                known = self.circuit.or(known, case.guard);
            }
        }
        self.require(&mut state, known, Failure::Fault(Fault::NoProcedure));
        for case in cases.iter() {
            let crate::value::Base::Procedure(id) = case.base else { continue };
            let mut one = state.clone();
            one.guard = self.circuit.and(one.guard, case.guard);
            if one.guard == FALSE {
                continue;
            }
            let goes_on = match self.code.natives.get(id as usize) {
                Some(Some(native)) => self.native(&mut one, *native, count)?,
                _ => self.call(&mut one, ProcedureId(id), count)?,
            };
            if goes_on {
                self.enqueue(one);
            }
        }
        Ok(())
    }

    /// The value of a procedure that ends without `return`.
    fn end_value(&mut self, state: &mut State) -> Option<Value> {
        let id = state.frame().procedure;
        let returns = self.code.procedures.get(id.index()).and_then(Option::as_ref)?.returns;
        if !returns {
            return None;
        }
        if Some(id) == self.code.main {
            return Some(Value::constant(0));
        }
        // Its caller may use what stands in the register.
        let bits = self.circuit.word(64);
        Some(Value::Word(Word::new(bits)))
    }

    /// Returns from a call. Returns whether there is a caller.
    fn leave(&mut self, state: &mut State, value: Option<Value>) -> Done<bool> {
        if state.frames.len() == 1 {
            // The initial values of global variables are there: `main` begins.
            let Some(main) = self.code.main else { return Ok(false) };
            if state.frames[0].procedure == ProcedureId(u32::MAX) {
                return Ok(false);
            }
            state.frames[0].procedure = ProcedureId(u32::MAX);
            let count = self.main_arguments(state, main);
            return self.call(state, main, count);
        }
        let id = state.frame().procedure;
        let mut value = value;
        let result = &self.tree.procedures[id.index()].signature.result;
        if let (Some(from), Type::Record(_)) = (&value, result) {
            let size = result.size(&self.tree.records).unwrap_or(0);
            let object = Object::new(Word::Constant(size), size, Origin::Temporary, false);
            let copy = self.allocate(state, object);
            let from = from.clone();
            self.copy(state, &Value::object(copy), &from, size)?;
            value = Some(Value::object(copy));
            let callers = state.frames.len() - 2;
            state.frames[callers].temporaries.push(copy);
        }
        let Some(frame) = state.frames.pop() else { return Ok(false) };
        if let Some(code) = &self.code.procedures[id.index()] {
            for (slot, _, _) in &code.objects {
                self.end_object(state, &frame.slots[*slot as usize]);
            }
        }
        for id in frame.temporaries {
            self.end_object(state, &Value::object(id));
        }
        state.stack.truncate(frame.height);
        state.pc = frame.back;
        if state.frames.len() == 1 {
            return Ok(false);
        }
        if let Some(value) = value {
            state.stack.push(value);
        }
        Ok(true)
    }

    /// The objects that the pointer leads to are gone.
    pub(crate) fn end_object(&mut self, state: &mut State, address: &Value) {
        for case in address.cases().iter() {
            let crate::value::Base::Object(id) = case.base else { continue };
            if let Some(object) = state.object_mut(id) {
                if case.guard == TRUE {
                    object.end(FALSE);
                    object.forget();
                } else {
                    object.alive = self.circuit.and(object.alive, !case.guard);
                }
            }
        }
    }

    /// `argc`, `argv` and `envp`, as of a program without arguments.
    fn main_arguments(&mut self, state: &mut State, main: ProcedureId) -> usize {
        let count = self.code.procedures[main.index()].as_ref().map_or(0, |p| p.parameters.len());
        let parameters = &self.tree.procedures[main.index()].parameters;
        let reads = |op: &Op| match op {
            Op::Slot(_, variable) => parameters.contains(variable),
            _ => false,
        };
        let kept = |id: &faultline_c::tree::VariableId| self.tree.variables[id.index()].addressed;
        if self.code.ops.iter().any(reads) || parameters.iter().any(kept) {
            // There may be more arguments than the program's name.
            let more = self.circuit.input();
            self.cut(state, more, Cut::Length);
        }
        if count > 0 {
            let mut name = Object::new(Word::Constant(8), 8, Origin::Heap, true);
            name.fill(0, b"program\0");
            let name = self.allocate(state, name);
            let mut list = Object::new(Word::Constant(16), 16, Origin::Heap, true);
            list.write(0, 8, &Value::object(name), TRUE);
            let list = self.allocate(state, list);
            let environment = Object::new(Word::Constant(8), 8, Origin::Heap, true);
            let environment = self.allocate(state, environment);
            let values = [Value::constant(1), Value::object(list), Value::object(environment)];
            state.stack.extend(values.into_iter().take(count));
        }
        count.min(3)
    }

    pub(crate) fn global(&self, k: u32) -> u32 {
        self.globals[k as usize]
    }

    pub(crate) fn text(&self, TextId(k): TextId) -> u32 {
        self.texts[k as usize]
    }
}

pub(crate) fn pop(state: &mut State) -> Value {
    state.stack.pop().unwrap_or(Value::constant(0))
}
