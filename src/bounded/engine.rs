//! Executes a program on all inputs at once, up to a bound of rounds and nested calls.
//!
//! A state stands for all runs that are at one place. Of the states that wait, the one whose place
//! comes first goes on; at a branch it becomes two, and two at one place become one. So a loop's
//! k-th round is executed once, whatever the runs did before it. (Clarke, Kroening, Lerda 2004
//! unroll loops in the text; here the machine's code is unrolled while it is executed, so that
//! constants end loops, and infeasible rounds are dropped when the solver refutes them.)

use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::failure::{Checks, Cut, Failure, Limit, Obligation};
use crate::input::Input;
use crate::memory::{Object, Origin};
use crate::solver::{Answer, Clock, Solver};
use crate::state::{Frame, Loop, Place, State};
use crate::unroll::Notes;
use crate::value::{Value, Word};
use faultline_c::code::{Code, Op};
use faultline_c::tree::{PointId, ProcedureId, TextId, Tree};
use std::collections::BTreeMap;

pub(crate) type Done<T = ()> = Result<T, Limit>;

/// Nodes of the circuit.
const NODES: usize = 30_000_000;
/// Operations in all.
const STEPS: u64 = 20_000_000;
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

    pub(crate) fn enqueue(&mut self, state: State) {
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
