//! Procedure summaries, backward: which focus statements come next before a place inside a
//! procedure (the paper's bsum, § 3.3).
//!
//! The key of a summary is a [`LocalState`]: the location with its Error set, in terms of the
//! procedure. It mentions neither constraints nor callers, so all calls of a procedure and all
//! sequences share it. Statements that are no focus statements are walked once per local state, all
//! chains of them together. A call is one step of such a chain if some path through its callee has
//! no focus statement for the Error set at its end. One saturation for all procedures involved
//! finds these calls (as in Reps, Horwitz, Sagiv 1995), so recursion needs no special case.
//!
//! Differs from the paper: summaries have no valuations. What a sequence assumes about values is in
//! the constraints of the search, which are exact at the program's start. Forward summaries (fsum)
//! could only find earlier that a constraint cannot hold.

use super::dependence::{Dependence, Part, assign_backward, reads};
use super::state::{LocalState, LocalStateId};
use crate::analysis::interner::Interner;
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId, StatementKind, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// What may come next, backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A focus statement. `matters`: is it one because of its effect, and not only because of its
    /// checks? `returned`: the return that becomes an entry because of it.
    Focus { edge: EdgeId, matters: bool, returned: Option<EdgeId>, to: LocalStateId },
    /// A statement that is no focus statement. It occurs only if summaries are off.
    Other { to: LocalStateId },
    /// A call, from its end. `passed`: are ways through it without focus statements already part of
    /// this summary?
    Into { call: EdgeId, exit: LocalStateId, caller: LocalStateId, passed: bool },
    /// The entry of the procedure.
    Entry { to: LocalStateId },
}

/// A step out of a procedure, over a call of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub(super) to: LocalStateId,
    /// The return of the caller. It becomes an entry, too, if the call is the first focus statement
    /// of the caller's frame.
    pub(super) returned: Option<EdgeId>,
    /// Is the call a focus statement?
    pub(super) focus: bool,
}

/// A statement seen backward.
enum Passed {
    Other(LocalState),
    Focus { matters: bool, returned: Option<EdgeId>, to: LocalState },
    Into,
}

/// Everything that can come before a local state without a focus statement in between.
#[derive(Default)]
struct Closure {
    /// The locations that were met, each with the place where the frame returned.
    seen: FxHashSet<(LocationId, Option<EdgeId>)>,
    found: Vec<Next>,
    /// For a closure that begins at a procedure's end: the closures that call it, with the call and
    /// the place where their frame returned.
    callers: Vec<(LocalStateId, EdgeId, Option<EdgeId>)>,
    /// Does a way lead from the procedure's end to its entry without a focus statement?
    is_passed: bool,
    /// Does some way have a focus statement or another effect?
    matters: bool,
    /// The summary, once everything is found.
    next: Option<Rc<[Next]>>,
}

/// All summaries of a program, computed on demand.
pub(super) struct Summaries {
    dependence: Rc<Dependence>,
    local_states: Interner<LocalState>,
    closures: FxHashMap<LocalStateId, Closure>,
    waiting: VecDeque<(LocalStateId, LocationId, Option<EdgeId>)>,
    left: FxHashMap<(LocalStateId, EdgeId, Option<LocalStateId>), Left>,
    /// By procedure: the number of statements that were looked at.
    walked: Vec<u64>,
    is_off: bool,
}

impl Summaries {
    pub(super) fn new(dependence: Rc<Dependence>) -> Summaries {
        Summaries {
            walked: vec![0; dependence.program.procedures.len()],
            dependence,
            local_states: Interner::new(),
            closures: FxHashMap::default(),
            waiting: VecDeque::new(),
            left: FxHashMap::default(),
            is_off: false,
        }
    }

    /// Turns summaries off: every statement is looked at again for every call and every sequence.
    pub(super) fn turn_off(&mut self) {
        self.is_off = true;
    }

    pub(super) fn are_on(&self) -> bool {
        !self.is_off
    }

    /// The number of a procedure's statements that were looked at so far.
    pub(super) fn walked(&self, procedure: ProcedureId) -> u64 {
        self.walked[procedure]
    }

    pub(super) fn number(&mut self, local: LocalState) -> LocalStateId {
        LocalStateId(self.local_states.number(local))
    }

    pub(super) fn local_state(&self, id: LocalStateId) -> &Rc<LocalState> {
        self.local_states.value(id.0)
    }

    fn procedure(&self, location: LocationId) -> ProcedureId {
        self.dependence.program.location(location).procedure
    }

    /// Is it a procedure's entry?
    pub(super) fn is_entry(&self, id: LocalStateId) -> bool {
        let location = self.local_state(id).location;
        self.dependence.program.procedure(self.procedure(location)).entry == location
    }

    /// What comes next before a local state.
    pub(super) fn next(&mut self, id: LocalStateId) -> Rc<[Next]> {
        if self.is_off {
            return self.one_step(id);
        }
        if let Some(next) = self.closures.get(&id).and_then(|closure| closure.next.as_ref()) {
            return Rc::clone(next);
        }
        self.open(id);
        self.saturate();
        let is_there = |next: &&Next| match next {
            Next::Into { exit, passed: true, .. } => {
                self.closures.get(exit).is_none_or(|closure| closure.matters)
            }
            _ => true,
        };
        let found = self.closures.get(&id).map_or(&[][..], |closure| &closure.found);
        let next: Rc<[Next]> = found.iter().filter(is_there).copied().collect();
        if let Some(closure) = self.closures.get_mut(&id) {
            closure.next = Some(Rc::clone(&next));
        }
        next
    }

    fn one_step(&mut self, id: LocalStateId) -> Rc<[Next]> {
        let (dependence, at) = (Rc::clone(&self.dependence), Rc::clone(self.local_state(id)));
        let mut found = Vec::new();
        for edge in dependence.edges_into(at.location) {
            found.push(match self.pass(&at, *edge) {
                Passed::Other(to) => Next::Other { to: self.number(to) },
                Passed::Focus { matters, returned, to } => {
                    Next::Focus { edge: *edge, matters, returned, to: self.number(to) }
                }
                Passed::Into => {
                    let (exit, caller, _) = self.enter(&at, *edge);
                    Next::Into { call: *edge, exit, caller, passed: false }
                }
            });
        }
        if self.is_entry(id) {
            found.push(Next::Entry { to: id });
        }
        found.into()
    }

    fn open(&mut self, id: LocalStateId) {
        let at = Rc::clone(self.local_state(id));
        self.closures.entry(id).or_default();
        self.visit(id, at.location, at.returned);
    }

    fn visit(&mut self, root: LocalStateId, location: LocationId, returned: Option<EdgeId>) {
        if let Some(closure) = self.closures.get_mut(&root)
            && closure.seen.insert((location, returned))
        {
            self.waiting.push_back((root, location, returned));
        }
    }

    /// Continues until no closure grows any more.
    fn saturate(&mut self) {
        let dependence = Rc::clone(&self.dependence);
        while let Some((root, location, returned)) = self.waiting.pop_front() {
            let from = Rc::clone(self.local_state(root));
            let at = LocalState { location, returned, ..(*from).clone() };
            for edge in dependence.edges_into(location) {
                match self.pass(&at, *edge) {
                    Passed::Other(to) => self.visit(root, to.location, to.returned),
                    Passed::Focus { matters, returned, to } => {
                        let to = self.number(to);
                        self.find(root, Next::Focus { edge: *edge, matters, returned, to });
                    }
                    Passed::Into => self.call(root, &at, *edge),
                }
            }
            let procedure = dependence.program.procedure(self.procedure(location));
            if location != procedure.entry {
                continue;
            }
            let result = procedure.result.map(Part::scalar);
            if from.location == procedure.exit
                && !from.has_focus
                && result.is_none_or(|result| !from.relevant.contains(&result))
            {
                self.is_passed(root);
            } else {
                let to = self.number(LocalState { returned: None, ..at });
                self.find(root, Next::Entry { to });
            }
        }
    }

    /// Adds what a path through the procedure meets.
    fn find(&mut self, root: LocalStateId, next: Next) {
        let Some(closure) = self.closures.get_mut(&root) else { return };
        if !closure.found.contains(&next) {
            closure.found.push(next);
        }
        if !matches!(next, Next::Into { passed: true, .. }) {
            self.matters(root);
        }
    }

    /// Marks the closure and the closures that call it.
    fn matters(&mut self, root: LocalStateId) {
        let mut waiting = vec![root];
        while let Some(root) = waiting.pop() {
            if let Some(closure) = self.closures.get_mut(&root)
                && !std::mem::replace(&mut closure.matters, true)
            {
                waiting.extend(closure.callers.iter().map(|(caller, ..)| *caller));
            }
        }
    }

    fn call(&mut self, root: LocalStateId, at: &LocalState, call: EdgeId) {
        let (exit, caller, passed) = self.enter(at, call);
        self.find(root, Next::Into { call, exit, caller, passed });
        if !passed {
            return;
        }
        self.open(exit);
        let Some(callee) = self.closures.get_mut(&exit) else { return };
        callee.callers.push((root, call, at.returned));
        let (is_passed, matters) = (callee.is_passed, callee.matters);
        if matters {
            self.matters(root);
        }
        if is_passed {
            self.pass_call(root, call, at.returned);
        }
    }

    fn is_passed(&mut self, exit: LocalStateId) {
        let Some(closure) = self.closures.get_mut(&exit) else { return };
        if !std::mem::replace(&mut closure.is_passed, true) {
            for (root, call, returned) in closure.callers.clone() {
                self.pass_call(root, call, returned);
            }
        }
    }

    /// Passes a call inside which no statement is a focus statement.
    fn pass_call(&mut self, root: LocalStateId, call: EdgeId, returned: Option<EdgeId>) {
        let location = self.dependence.program.edge(call).from;
        let at = LocalState { location, returned, ..(**self.local_state(root)).clone() };
        let (to, returned, focus) = self.checked(at, call, false);
        if focus {
            let to = self.number(to);
            self.find(root, Next::Focus { edge: call, matters: false, returned, to });
        } else {
            self.visit(root, to.location, to.returned);
        }
    }

    fn pass(&mut self, at: &LocalState, id: EdgeId) -> Passed {
        let dependence = Rc::clone(&self.dependence);
        let edge = dependence.program.edge(id);
        let procedure = self.procedure(edge.from);
        self.walked[procedure] += 1;
        let mut next = LocalState { location: edge.from, ..at.clone() };
        let mut matters = false;
        match &edge.operation {
            Operation::Skip => {}
            Operation::Call { callee, result, .. } => {
                if dependence.may_matter(*callee, *result, &at.relevant) {
                    return Passed::Into;
                }
            }
            Operation::Assign(list) => matters = assign_backward(list, &mut next.relevant),
            Operation::Havoc(list) => {
                next.relevant.retain(|part| !list.contains(&part.variable));
                matters = next.relevant.len() < at.relevant.len();
            }
            Operation::Assume(condition) => {
                next.pending.retain(|of| !dependence.decides(edge.from, *of));
                let decides = next.pending.len() < at.pending.len();
                matters = decides
                    || dependence.is_assumption(id)
                    || dependence.is_potential(id, &at.relevant);
                if matters {
                    reads(condition, &mut next.relevant);
                }
            }
        }
        if edge.kind == StatementKind::Return
            && !matters
            && !next.has_focus
            && dependence.fallible(id).is_empty()
        {
            next.returned = Some(id);
        }
        let (to, returned, focus) = self.checked(next, id, matters);
        if focus { Passed::Focus { matters, returned, to } } else { Passed::Other(to) }
    }

    /// The state before the checks of an edge that the run passes. Returns it with the return of
    /// the frame, and whether the edge is a focus statement.
    fn checked(
        &self,
        mut next: LocalState,
        id: EdgeId,
        matters: bool,
    ) -> (LocalState, Option<EdgeId>, bool) {
        let edge = self.dependence.program.edge(id);
        let (checks, returned) = (self.dependence.fallible(id), next.returned);
        for check in checks {
            reads(&edge.checks[*check].condition, &mut next.relevant);
        }
        let focus = matters || !checks.is_empty();
        if focus {
            next.returned = None;
            next.has_focus = true;
            next.pending.insert(edge.from);
        }
        (next, returned, focus)
    }

    /// Goes into a call, from its end. Returns the callee's local state, the caller's state without
    /// the parts that matter inside the callee, and whether a way through the callee without focus
    /// statements leaves everything for the caller as it is.
    fn enter(&mut self, at: &LocalState, call: EdgeId) -> (LocalStateId, LocalStateId, bool) {
        let dependence = Rc::clone(&self.dependence);
        let program = &dependence.program;
        let edge = program.edge(call);
        let Operation::Call { callee, result, .. } = &edge.operation else {
            let same = self.number(at.clone());
            return (same, same, false);
        };
        let procedure = program.procedure(*callee);
        let mut exit = LocalState::at(procedure.exit);
        let mut caller = LocalState { location: edge.from, ..at.clone() };
        let global = |part: &Part| program.variable(part.variable).kind == VariableKind::Global;
        (exit.relevant, caller.relevant) = at.relevant.iter().copied().partition(global);
        let mut passed = true;
        if let (Some(into), Some(from)) = (result, procedure.result)
            && caller.relevant.remove(&Part::scalar(*into))
        {
            exit.relevant.insert(Part::scalar(from));
            passed = false;
        }
        (self.number(exit), self.number(caller), passed)
    }

    /// Goes out of a procedure, over a call of it. `caller` is the caller's state from when the
    /// call was entered.
    pub(super) fn leave(
        &mut self,
        entry: LocalStateId,
        call: EdgeId,
        caller: Option<LocalStateId>,
    ) -> Left {
        if let Some(left) = self.left.get(&(entry, call, caller)) {
            return *left;
        }
        let dependence = Rc::clone(&self.dependence);
        let program = &dependence.program;
        let edge = program.edge(call);
        let from = Rc::clone(self.local_state(entry));
        let mut next = match caller {
            Some(caller) => (**self.local_state(caller)).clone(),
            None => LocalState::at(edge.from),
        };
        let global = |part: &&Part| program.variable(part.variable).kind == VariableKind::Global;
        next.relevant.extend(from.relevant.iter().filter(global));
        if let Operation::Call { callee, arguments, .. } = &edge.operation {
            for (parameter, argument) in program.procedure(*callee).parameters.iter().zip(arguments)
            {
                if from.relevant.contains(&Part::scalar(*parameter)) {
                    reads(argument, &mut next.relevant);
                }
            }
        }
        let picks = matches!(edge.operation, Operation::Call { callee, .. } if dependence.picks(callee, &from.relevant));
        let (to, returned, focus) = self.checked(next, call, from.has_focus || picks);
        let left = Left { to: self.number(to), returned, focus };
        self.left.insert((entry, call, caller), left);
        left
    }
}
