//! The focus-statement sequence of one failing run: a backward slice of the run itself (Error
//! Explanation by Focus-Statement Sequences, § 2, Definition 1).
//!
//! The slice goes backward from the failing statement and keeps the set of relevant parts. It uses
//! the notions of [`super::dependence`], as the search for all sequences does. But it walks along a
//! run that was executed, while the search makes up a run. Every sequence that is shown is the
//! sequence of its own run.

use super::dependence::{Dependence, Part, Parts, assign_backward, reads};
use crate::lang::interpreter::Replayed;
use crate::lang::model::{LocationId, Operation, StatementKind, VariableKind};

/// A run's focus statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFocus {
    /// By step: is it a focus statement?
    pub focus: Vec<bool>,
    /// By step: its control parent, a condition or a call. It is known for focus statements.
    pub parents: Vec<Option<usize>>,
}

/// One active call, seen backward.
#[derive(Default)]
struct FrameState {
    locals: Parts,
    /// The focus statements whose control parent has not been met: where they start, and their
    /// steps.
    pending: Vec<(LocationId, usize)>,
    has_focus: bool,
    returned: Option<usize>,
}

/// Slices a run that fails at its last step, by `failed_check`.
pub(super) fn slice(
    dependence: &Dependence,
    steps: &[Replayed],
    failed_check: usize,
) -> TraceFocus {
    let mut slicer = Slicer {
        dependence,
        globals: Parts::new(),
        frames: vec![FrameState::default()],
        found: TraceFocus { focus: vec![false; steps.len()], parents: vec![None; steps.len()] },
    };
    let callers = callers(dependence, steps);
    let Some(last) = steps.len().checked_sub(1) else { return slicer.found };
    // The frames as far as they are known, outermost first. At the end of the run these are the
    // pending ones.
    let mut chain = chain(&callers, last);
    slicer.frames = chain.iter().map(|_| FrameState::default()).collect();
    slicer.frames.push(FrameState::default());
    slicer.fails(steps, failed_check);
    for step in (0..last).rev() {
        let now = self::chain(&callers, step);
        if chain.len() > now.len() {
            // The step is the call of the innermost frame.
            slicer.ascend(steps, step);
        } else {
            // The calls that returned in between, the outermost one last.
            for call in &now[chain.len()..] {
                slicer.descend(steps, *call);
            }
            slicer.step(steps, step);
        }
        chain = now;
    }
    slicer.found
}

/// By step: the call that made its frame.
fn callers(dependence: &Dependence, steps: &[Replayed]) -> Vec<Option<usize>> {
    let mut stack: Vec<usize> = Vec::new();
    let mut callers = Vec::with_capacity(steps.len());
    for (k, step) in steps.iter().enumerate() {
        stack.truncate(step.depth as usize);
        callers.push(stack.last().copied());
        if matches!(dependence.program.edge(step.edge).operation, Operation::Call { .. }) {
            stack.push(k);
        }
    }
    callers
}

fn chain(callers: &[Option<usize>], step: usize) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut here = callers[step];
    while let Some(call) = here {
        chain.push(call);
        here = callers[call];
    }
    chain.reverse();
    chain
}

struct Slicer<'a> {
    dependence: &'a Dependence,
    globals: Parts,
    /// The frames, outermost first.
    frames: Vec<FrameState>,
    found: TraceFocus,
}

impl Slicer<'_> {
    fn is_global(&self, part: &Part) -> bool {
        self.dependence.program.variable(part.variable).kind == VariableKind::Global
    }

    fn relevant(&self) -> Parts {
        let locals = self.frames.last().map(|frame| frame.locals.clone()).unwrap_or_default();
        self.globals.iter().copied().chain(locals).collect()
    }

    fn set_relevant(&mut self, relevant: Parts) {
        let (globals, locals) = relevant.into_iter().partition(|part| self.is_global(part));
        self.globals = globals;
        if let Some(frame) = self.frames.last_mut() {
            frame.locals = locals;
        }
    }

    fn mark(&mut self, steps: &[Replayed], step: usize) {
        let from = self.dependence.program.edge(steps[step].edge).from;
        self.found.focus[step] = true;
        let Some(frame) = self.frames.last_mut() else { return };
        frame.has_focus = true;
        if let Some(returned) = frame.returned.take() {
            self.found.focus[returned] = true;
        }
        frame.pending.push((from, step));
    }

    fn fails(&mut self, steps: &[Replayed], failed_check: usize) {
        let last = steps.len() - 1;
        let edge = self.dependence.program.edge(steps[last].edge);
        let mut relevant = Parts::new();
        for check in self
            .dependence
            .fallible(steps[last].edge)
            .iter()
            .filter(|check| **check <= failed_check)
        {
            reads(&edge.checks[*check].condition, &mut relevant);
        }
        self.set_relevant(relevant);
        self.mark(steps, last);
    }

    /// Goes into the frame of this call, whose end is directly before the current step.
    fn descend(&mut self, steps: &[Replayed], call: usize) {
        let Operation::Call { callee, result, .. } =
            &self.dependence.program.edge(steps[call].edge).operation
        else {
            return;
        };
        let mut frame = FrameState::default();
        if let (Some(result), Some(from)) =
            (result, self.dependence.program.procedure(*callee).result)
            && self
                .frames
                .last_mut()
                .is_some_and(|caller| caller.locals.remove(&Part::scalar(*result)))
        {
            frame.locals.insert(Part::scalar(from));
        }
        self.frames.push(frame);
    }

    /// Goes out of the innermost frame, over its call.
    fn ascend(&mut self, steps: &[Replayed], call: usize) {
        let edge = self.dependence.program.edge(steps[call].edge);
        let (Operation::Call { callee, arguments, .. }, Some(frame)) =
            (&edge.operation, self.frames.pop())
        else {
            return;
        };
        let mut relevant = self.relevant();
        for (parameter, argument) in
            self.dependence.program.procedure(*callee).parameters.iter().zip(arguments)
        {
            if frame.locals.contains(&Part::scalar(*parameter)) {
                reads(argument, &mut relevant);
            }
        }
        for (_, of) in frame.pending {
            self.found.parents[of] = Some(call);
        }
        let picks = self.dependence.picks(*callee, &frame.locals);
        self.passes(steps, call, &mut relevant, frame.has_focus || picks);
    }

    /// Handles the checks that passed, and then the rest of the statement.
    fn passes(&mut self, steps: &[Replayed], step: usize, relevant: &mut Parts, focus: bool) {
        let id = steps[step].edge;
        let checks = self.dependence.fallible(id);
        for check in checks {
            reads(&self.dependence.program.edge(id).checks[*check].condition, relevant);
        }
        self.set_relevant(std::mem::take(relevant));
        if focus || !checks.is_empty() {
            self.mark(steps, step);
        }
    }

    fn step(&mut self, steps: &[Replayed], step: usize) {
        let id = steps[step].edge;
        let edge = self.dependence.program.edge(id);
        let mut relevant = self.relevant();
        let mut focus = false;
        match &edge.operation {
            Operation::Skip => {}
            Operation::Call { .. } => {
                // The callee has executed no statement, so its end is its entry.
                self.descend(steps, step);
                return self.ascend(steps, step);
            }
            Operation::Assign(list) => focus = assign_backward(list, &mut relevant),
            Operation::Havoc(list) => {
                let before = relevant.len();
                relevant.retain(|part| !list.contains(&part.variable));
                focus = relevant.len() < before;
            }
            Operation::Assume(condition) => {
                focus = self.dependence.is_assumption(id)
                    || self.dependence.is_potential(id, &relevant)
                    || self.decide(edge.from, step);
                if focus {
                    self.decide(edge.from, step);
                    reads(condition, &mut relevant);
                }
            }
        }
        if edge.kind == StatementKind::Return
            && let Some(frame) = self.frames.last_mut().filter(|frame| !frame.has_focus && !focus)
        {
            frame.returned = Some(step);
        }
        self.passes(steps, step, &mut relevant, focus);
    }

    /// If this condition is the control parent of focus statements that still lack one, sets it.
    fn decide(&mut self, condition: LocationId, step: usize) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let (own, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut frame.pending)
            .into_iter()
            .partition(|(of, _)| self.dependence.decides(condition, *of));
        frame.pending = rest;
        for (_, of) in &own {
            self.found.parents[*of] = Some(step);
        }
        !own.is_empty()
    }
}
