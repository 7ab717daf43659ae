//! A state of the unrolling: all runs that are at one place, with the condition under which they
//! are there. States that come to the same place are joined.

use crate::circuit::{Circuit, Lit};
use crate::input::Input;
use crate::memory::Object;
use crate::value::Value;
use faultline_c::tree::{PointId, ProcedureId};
use std::rc::Rc;

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) procedure: ProcedureId,
    /// Where it returns to.
    pub(crate) back: u32,
    /// How high the stack was, arguments taken.
    pub(crate) height: usize,
    pub(crate) slots: Vec<Value>,
    pub(crate) has: Vec<Lit>,
    /// Structs that calls returned, and arguments beyond the parameters.
    pub(crate) temporaries: Vec<u32>,
    pub(crate) variable_arguments: Value,
    /// The point that was passed last.
    pub(crate) point: PointId,
    pub(crate) loops: Vec<Loop>,
    /// The condition of the state when it was called.
    pub(crate) guard: Lit,
    /// Calls of the same procedure around it that depend on the input.
    pub(crate) nested: u32,
}

/// How often a loop went round in a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    /// Where it begins.
    pub(crate) target: u32,
    /// The jump back to it.
    pub(crate) end: u32,
    /// Rounds that depend on the input.
    pub(crate) rounds: u32,
    /// All rounds.
    pub(crate) passes: u32,
    /// The condition of the state after its last round.
    pub(crate) guard: Lit,
}

/// Runs at one place.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Under which condition a run is here.
    pub(crate) guard: Lit,
    pub(crate) pc: u32,
    pub(crate) frames: Vec<Frame>,
    pub(crate) stack: Vec<Value>,
    /// By number; none that only other states have.
    pub(crate) objects: Vec<Option<Rc<Object>>>,
    pub(crate) input: Input,
    /// Where it comes from, if the unrolling is drawn.
    pub(crate) last: Vec<Last>,
}

/// The copy of a statement that runs executed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Last {
    /// Its number.
    pub(crate) copy: u32,
    /// The outcome, if it is a condition that the input decides.
    pub(crate) truth: Option<bool>,
}

/// Where a state is: for each call the place in it. States with less go first, so that one inside
/// of a loop or a call is back before those behind it go on, and is joined with them there.
pub(crate) type Place = Vec<u32>;

impl State {
    pub(crate) fn place(&self) -> Place {
        let mut place = Vec::with_capacity(2 * self.frames.len());
        for (k, frame) in self.frames.iter().enumerate() {
            place.push(frame.procedure.0);
            // The operation of the call, not the one behind it.
            place
                .push(self.frames.get(k + 1).map_or(self.pc, |inner| inner.back.saturating_sub(1)));
        }
        place
    }

    /// The condition that was evaluated last has this outcome.
    pub(crate) fn decided(&mut self, truth: bool) {
        let mut copies: Vec<u32> = self.last.iter().map(|last| last.copy).collect();
        copies.sort_unstable();
        copies.dedup();
        let decided = |copy| Last { copy, truth: Some(truth) };
        self.last = copies.into_iter().map(decided).collect();
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(crate) fn object(&self, id: u32) -> Option<&Rc<Object>> {
        self.objects.get(id as usize).and_then(Option::as_ref)
    }

    /// An object that will be changed.
    pub(crate) fn object_mut(&mut self, id: u32) -> Option<&mut Object> {
        self.objects.get_mut(id as usize).and_then(Option::as_mut).map(Rc::make_mut)
    }

    pub(crate) fn set_object(&mut self, id: u32, object: Object) {
        let k = id as usize;
        if self.objects.len() <= k {
            self.objects.resize(k + 1, None);
        }
        self.objects[k] = Some(Rc::new(object));
    }

    /// Joins two states at one place.
    pub(crate) fn join(self, circuit: &mut Circuit, other: State) -> State {
        let condition = circuit.distinguish(self.guard, other.guard);
        let guard = circuit.or(self.guard, other.guard);
        let mut result = self;
        result.guard = guard;
        for (a, b) in result.stack.iter_mut().zip(&other.stack) {
            *a = circuit.choose_value(condition, a, b);
        }
        for (a, b) in result.frames.iter_mut().zip(&other.frames) {
            a.join(circuit, condition, b);
        }
        if result.objects.len() < other.objects.len() {
            result.objects.resize(other.objects.len(), None);
        }
        for (a, b) in result.objects.iter_mut().zip(&other.objects) {
            match (&a, b) {
                (Some(x), Some(y)) if Rc::ptr_eq(x, y) => {}
                (Some(x), Some(y)) => *a = Some(Rc::new(x.join(circuit, condition, y))),
                (None, Some(y)) => {
                    *a = Some(Rc::new(y.under(circuit, !condition)));
                }
                (Some(x), None) => *a = Some(Rc::new(x.under(circuit, condition))),
                (None, None) => {}
            }
        }
        result.input = result.input.join(circuit, condition, &other.input);
        for last in other.last {
            if !result.last.contains(&last) {
                result.last.push(last);
            }
        }
        result
    }
}

impl Frame {
    fn join(&mut self, circuit: &mut Circuit, condition: Lit, other: &Frame) {
        for (a, b) in self.slots.iter_mut().zip(&other.slots) {
            *a = circuit.choose_value(condition, a, b);
        }
        for (a, b) in self.has.iter_mut().zip(&other.has) {
            *a = circuit.choose(condition, *a, *b);
        }
        self.variable_arguments =
            circuit.choose_value(condition, &self.variable_arguments, &other.variable_arguments);
        for temporary in &other.temporaries {
            if !self.temporaries.contains(temporary) {
                self.temporaries.push(*temporary);
            }
        }
        for round in &other.loops {
            match self.loops.iter_mut().find(|own| own.target == round.target) {
                Some(own) => {
                    own.rounds = own.rounds.max(round.rounds);
                    own.passes = own.passes.max(round.passes);
                }
                None => self.loops.push(*round),
            }
        }
    }
}

impl Object {
    /// As it is where the condition holds, and not there elsewhere.
    fn under(&self, circuit: &mut Circuit, condition: Lit) -> Object {
        let mut result = self.clone();
        result.alive = circuit.and(condition, self.alive);
        result
    }
}

impl Circuit {
    /// A literal that holds under the first of two conditions that exclude each other, and not
    /// under the second: the branch condition itself where both are one path and a branch.
    pub(crate) fn distinguish(&self, a: Lit, b: Lit) -> Lit {
        use crate::circuit::Node;
        let parts = |lit: Lit| match (lit.negated(), self.node(lit.node())) {
            (false, Node::And(x, y)) => Some([x, y]),
            _ => None,
        };
        if let (Some(x), Some(y)) = (parts(a), parts(b)) {
            for one in x {
                if y.contains(&!one) {
                    return one;
                }
            }
        }
        a
    }
}
