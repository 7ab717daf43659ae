//! The focus statements of a failing run, by the definition itself (*Error Explanation by
//! Focus-Statement Sequences*, § 2, Definition 1): the slice of the run with respect to its last
//! statement, and calls and returns around what is in it.
//!
//! Nothing here is shared with `analysis::focus`. Where that walks once backward with a set of what
//! is relevant, here the least set with the properties below is made by asking all statements again
//! until nothing changes; values are followed from each use to what wrote them; postdominators are
//! found by deleting locations.
//!
//! What the definition leaves open, as the product has it (`docs/decisions.md`):
//!
//! * *data*: cells are scalars and array elements. An index that is no constant stands for all
//!   elements: such a use is of the whole array, and no write of an element ends the search for
//!   what wrote it; such a write may have written any element, and hides none.
//! * *control*: of the conditions on which a statement's place is control dependent (Ferrante,
//!   Ottenstein, Warren 1987), the last one that the frame has decided before it; if it has decided
//!   none, the call of the frame.
//! * *potential*: a condition over data counts as well if another outcome could have written a cell
//!   that is in use behind it, before the outcomes come together again, or could have ended the run
//!   there. `*` counts as control parent only.
//! * What can end a run counts: assumptions, and statements with a check. Of a check that can never
//!   fail the definition would not speak; the product sees that of some and not of others, so
//!   [`crate::idle_checks`] takes them out of a program before it is looked at.
//! * A call that starts an uninitialised local which is used is a data dependence of that use.
//! * A return is a focus statement with its call. It is not asked for its own control parent unless
//!   it is in the slice by itself.

use faultline::lang::interpreter::Replay;
use faultline::lang::model::*;
use std::collections::BTreeSet;

/// A scalar or an element, or with no element all of an array, of a frame (the globals have none).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    frame: Option<usize>,
    variable: VariableId,
    element: Option<i128>,
}

impl Cell {
    fn meets(&self, other: &Cell) -> bool {
        self.frame == other.frame
            && self.variable == other.variable
            && (self.element == other.element || self.element.is_none() || other.element.is_none())
    }
}

/// One value that is written at one moment of a run.
#[derive(Debug)]
struct Written {
    cell: Cell,
    /// Is nothing older left of the cell?
    hides: bool,
    uses: Vec<Cell>,
}

/// A moment of a run: a statement, or the return of a frame, which hands the result on.
#[derive(Debug)]
struct Moment {
    step: Option<usize>,
    frame: usize,
    written: Vec<Written>,
}

/// What another outcome of a condition could have done.
#[derive(Clone, Debug, Default)]
struct Otherwise {
    writes: BTreeSet<(VariableId, Option<i128>)>,
    ends: bool,
}

/// A part of the definition left out, to see that runs tell the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// The whole definition.
    Nothing,
    /// Statements have no control parents.
    Control,
    /// Whatever has written a cell counts, even if it was overwritten.
    Hiding,
    /// What another outcome could have written is not asked for.
    Potential,
}

/// What is asked of a program, whatever the run.
pub struct Definition<'p> {
    program: &'p Program,
    /// By location: the conditions that it is control dependent on.
    parents: Vec<BTreeSet<LocationId>>,
    /// By edge, of conditions over data.
    otherwise: Vec<Option<Otherwise>>,
}

fn index_of(index: &Expression) -> Option<i128> {
    match index {
        Expression::Constant(bits, scalar) => {
            Some(scalar.number(*bits)).filter(|number| *number >= 0)
        }
        _ => None,
    }
}

/// What an expression reads: variables, with the element if it is known.
pub fn used(e: &Expression, found: &mut Vec<(VariableId, Option<i128>)>) {
    let mut waiting = vec![e];
    while let Some(e) = waiting.pop() {
        match e {
            Expression::Constant(..) | Expression::Choice(..) => {}
            Expression::Variable(id, _) => found.push((*id, Some(0))),
            Expression::Element(id, index, _) => {
                found.push((*id, index_of(index)));
                waiting.push(index);
            }
            Expression::Unary(_, a) | Expression::Cast(_, a) => waiting.push(a),
            Expression::Binary(_, a, b) => waiting.extend([&**a, &**b]),
            Expression::Conditional(a, b, c) => waiting.extend([&**a, &**b, &**c]),
        }
    }
}

fn place_of(place: &Place) -> (VariableId, Option<i128>) {
    match place {
        Place::Variable(id) => (*id, Some(0)),
        Place::Element(id, index) => (*id, index_of(index)),
    }
}

impl<'p> Definition<'p> {
    /// `None` if some place does not lead to its procedure's end: control dependence says nothing
    /// there.
    pub fn new(program: &'p Program) -> Option<Definition<'p>> {
        let count = program.locations.len();
        let locations = || (0..count as u32).map(LocationId);
        let exit =
            |location: LocationId| program.procedure(program.location(location).procedure).exit;
        let mut out: Vec<Vec<EdgeId>> = vec![Vec::new(); count];
        program.edge_ids().for_each(|id| out[program.edge(id).from.0 as usize].push(id));
        let successors = |location: LocationId| out[location.0 as usize].iter().copied();
        // All places that are passed on some way from here, never through `without`.
        let passed = |from: LocationId, without: Option<LocationId>| {
            let mut seen = BTreeSet::new();
            let mut waiting: Vec<LocationId> =
                Some(from).filter(|from| Some(*from) != without).into_iter().collect();
            while let Some(here) = waiting.pop() {
                if seen.insert(here) {
                    waiting.extend(
                        successors(here)
                            .map(|id| program.edge(id).to)
                            .filter(|to| Some(*to) != without),
                    );
                }
            }
            seen
        };
        if locations().any(|location| !passed(location, None).contains(&exit(location))) {
            return None;
        }
        let on_all_ways: Vec<BTreeSet<LocationId>> = locations()
            .map(|from| {
                passed(from, None)
                    .into_iter()
                    .filter(|n| !passed(from, Some(*n)).contains(&exit(from)))
                    .collect()
            })
            .collect();
        let later = |from: LocationId| {
            on_all_ways[from.0 as usize].iter().copied().filter(move |n| *n != from)
        };
        let mut parents = vec![BTreeSet::new(); count];
        for condition in locations().filter(|location| successors(*location).count() > 1) {
            for outcome in successors(condition) {
                for n in &on_all_ways[program.edge(outcome).to.0 as usize] {
                    if !later(condition).any(|after| after == *n) {
                        parents[n.0 as usize].insert(condition);
                    }
                }
            }
        }
        let is_condition = |id: EdgeId| successors(program.edge(id).from).count() > 1;
        let assumes = |id: EdgeId| matches!(&program.edge(id).operation, Operation::Assume(e) if *e != Expression::truth());
        let ends_itself =
            |id: EdgeId| !program.edge(id).checks.is_empty() || assumes(id) && !is_condition(id);
        // By procedure: what it and those that it calls do.
        let called = |procedure: ProcedureId| {
            let mut seen = BTreeSet::from([procedure]);
            loop {
                let calls = program.edge_ids().filter(|id| seen.contains(&program.owner(*id)));
                let callees: Vec<ProcedureId> = calls
                    .filter_map(|id| match &program.edge(id).operation {
                        Operation::Call { callee, .. } => Some(*callee),
                        _ => None,
                    })
                    .collect();
                let before = seen.len();
                seen.extend(callees);
                if seen.len() == before {
                    return seen;
                }
            }
        };
        let mut otherwise = vec![None; program.edges.len()];
        for id in program.edge_ids().filter(|id| is_condition(*id) && assumes(*id)) {
            let from = program.edge(id).from;
            // The nearest place on all ways.
            let together = later(from).find(|near| {
                later(from).all(|far| far == *near || on_all_ways[near.0 as usize].contains(&far))
            });
            let mut all = Otherwise::default();
            for other in successors(from).filter(|other| *other != id) {
                for here in passed(program.edge(other).to, together) {
                    for passing in successors(here) {
                        let edge = program.edge(passing);
                        all.ends |= ends_itself(passing);
                        match &edge.operation {
                            Operation::Skip | Operation::Assume(_) => {}
                            Operation::Assign(pairs) => {
                                all.writes.extend(pairs.iter().map(|(place, _)| place_of(place)))
                            }
                            Operation::Havoc(list) => {
                                all.writes.extend(list.iter().map(|v| (*v, None)))
                            }
                            Operation::Call { callee, result, .. } => {
                                all.writes.extend(result.iter().map(|v| (*v, None)));
                                let inside = called(*callee);
                                for inner in program
                                    .edge_ids()
                                    .filter(|inner| inside.contains(&program.owner(*inner)))
                                {
                                    all.ends |= ends_itself(inner);
                                    let written: Vec<VariableId> =
                                        match &program.edge(inner).operation {
                                            Operation::Assign(pairs) => pairs
                                                .iter()
                                                .map(|(place, _)| place.variable())
                                                .collect(),
                                            Operation::Havoc(list) => list.clone(),
                                            _ => Vec::new(),
                                        };
                                    let global = |v: &VariableId| {
                                        program.variable(*v).kind == VariableKind::Global
                                    };
                                    all.writes.extend(
                                        written.into_iter().filter(global).map(|v| (v, None)),
                                    );
                                }
                            }
                        }
                    }
                }
            }
            otherwise[id.0 as usize] = Some(all);
        }
        Some(Definition { program, parents, otherwise })
    }

    /// By step: is it a focus statement?
    pub fn focus(&self, run: &Replay, without: Without) -> Vec<bool> {
        let timeline = Timeline::of(self, run);
        let moments = &timeline.moments;
        let mut inside = vec![false; run.steps.len()];
        // Cells that are in use just before a moment.
        let mut in_use: BTreeSet<(usize, Cell)> = BTreeSet::new();
        loop {
            let before = (inside.clone(), in_use.len());
            // Behind each moment: the cells whose value at that time is used later.
            let mut behind: Vec<BTreeSet<Cell>> = vec![BTreeSet::new(); moments.len()];
            for (moment, cell) in in_use.clone() {
                for earlier in (0..moment).rev() {
                    behind[earlier].insert(cell);
                    let mut is_hidden = false;
                    for written in
                        moments[earlier].written.iter().filter(|written| written.cell.meets(&cell))
                    {
                        in_use.extend(written.uses.iter().map(|used| (earlier, *used)));
                        if let Some(step) = moments[earlier].step {
                            inside[step] = true;
                        }
                        is_hidden |= written.hides
                            && (written.cell == cell || written.cell.element.is_none());
                    }
                    if is_hidden && without != Without::Hiding {
                        break;
                    }
                }
            }
            for (at, moment) in moments.iter().enumerate() {
                let Some(step) = moment.step else { continue };
                let id = run.steps[step].edge;
                let edge = self.program.edge(id);
                let frame = moment.frame;
                let last = step + 1 == run.steps.len();
                // The last statement fails a check: those after it are not looked at.
                for check in edge.checks.iter().take(if last {
                    run.failed_check + 1
                } else {
                    edge.checks.len()
                }) {
                    in_use.extend(
                        self.cells(&check.condition, frame).into_iter().map(|cell| (at, cell)),
                    );
                }
                inside[step] |= !edge.checks.is_empty();
                if last {
                    continue;
                }
                // Its body.
                if timeline.made_by(step).is_some_and(|made| {
                    (0..run.steps.len()).any(|k| inside[k] && timeline.is_in(k, made))
                }) {
                    inside[step] = true;
                }
                let Operation::Assume(condition) = &edge.operation else { continue };
                let could_have = self.otherwise[id.0 as usize].as_ref().is_some_and(|other| {
                    let written = other
                        .writes
                        .iter()
                        .map(|(variable, element)| self.cell(*variable, *element, frame));
                    let mut written = written.into_iter().filter(|_| without != Without::Potential);
                    other.ends
                        || written.any(|cell| behind[at].iter().any(|used| used.meets(&cell)))
                });
                let is_parent = without != Without::Control
                    && (step + 1..run.steps.len())
                        .any(|k| inside[k] && self.control_parent(run, &timeline, k) == Some(step));
                let decides = self
                    .program
                    .edge_ids()
                    .filter(|other| self.program.edge(*other).from == edge.from)
                    .count()
                    > 1;
                let must_hold = !decides && *condition != Expression::truth();
                if could_have || is_parent || must_hold {
                    inside[step] = true;
                    in_use.extend(self.cells(condition, frame).into_iter().map(|cell| (at, cell)));
                }
            }
            if before == (inside.clone(), in_use.len()) {
                break;
            }
        }
        // Returns, with their calls.
        for frame in timeline.ended() {
            if (0..run.steps.len()).any(|k| inside[k] && timeline.is_in(k, frame)) {
                let returns = (0..run.steps.len()).rev().find(|k| {
                    timeline.frame(*k) == frame && self.kind(run, *k) == StatementKind::Return
                });
                returns.into_iter().for_each(|k| inside[k] = true);
            }
        }
        inside
    }

    fn kind(&self, run: &Replay, step: usize) -> StatementKind {
        self.program.edge(run.steps[step].edge).kind
    }

    /// The condition of its frame that decided on it; none if the call did.
    fn control_parent(&self, run: &Replay, timeline: &Timeline, step: usize) -> Option<usize> {
        let place = |k: usize| self.program.edge(run.steps[k].edge).from;
        let own = &self.parents[place(step).0 as usize];
        (0..step)
            .rev()
            .find(|k| timeline.frame(*k) == timeline.frame(step) && own.contains(&place(*k)))
    }

    fn cell(&self, variable: VariableId, element: Option<i128>, frame: usize) -> Cell {
        let own = self.program.variable(variable);
        let frame = Some(frame).filter(|_| own.kind != VariableKind::Global);
        Cell { frame, variable, element: if own.is_array() { element } else { Some(0) } }
    }

    fn cells(&self, e: &Expression, frame: usize) -> Vec<Cell> {
        let mut found = Vec::new();
        used(e, &mut found);
        found.into_iter().map(|(variable, element)| self.cell(variable, element, frame)).collect()
    }
}

/// A run with its frames, numbered as they begin, and its moments in order.
struct Timeline {
    /// By frame: the frame and the step that called it.
    callers: Vec<Option<(usize, usize)>>,
    ended: Vec<bool>,
    /// By step.
    frames: Vec<usize>,
    moments: Vec<Moment>,
}

impl Timeline {
    fn of(definition: &Definition, run: &Replay) -> Timeline {
        let program = definition.program;
        let mut timeline = Timeline {
            callers: vec![None],
            ended: vec![false],
            frames: Vec::new(),
            moments: Vec::new(),
        };
        let mut stack = vec![0];
        for (step, replayed) in run.steps.iter().enumerate() {
            let edge = program.edge(replayed.edge);
            let frame = *stack.last().expect("the start's frame stays");
            assert_eq!(stack.len() as u32, replayed.depth + 1);
            timeline.frames.push(frame);
            let mut written = Vec::new();
            let mut here = edge.to;
            match &edge.operation {
                Operation::Skip | Operation::Assume(_) => {}
                Operation::Assign(pairs) => {
                    for (place, value) in pairs {
                        let (variable, element) = place_of(place);
                        let mut uses = definition.cells(value, frame);
                        if let Place::Element(_, index) = place {
                            uses.extend(definition.cells(index, frame));
                        }
                        written.push(Written {
                            cell: definition.cell(variable, element, frame),
                            hides: element.is_some(),
                            uses,
                        });
                    }
                }
                Operation::Havoc(list) => {
                    let all = list.iter().map(|id| (*id, None));
                    written.extend(all.map(|(id, none)| Written {
                        cell: definition.cell(id, none, frame),
                        hides: true,
                        uses: Vec::new(),
                    }));
                }
                Operation::Call { callee, arguments, .. } => {
                    let procedure = program.procedure(*callee);
                    let made = timeline.callers.len();
                    timeline.callers.push(Some((frame, step)));
                    timeline.ended.push(false);
                    stack.push(made);
                    here = procedure.entry;
                    for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                        let uses = definition.cells(argument, frame);
                        written.push(Written {
                            cell: definition.cell(*parameter, Some(0), made),
                            hides: true,
                            uses,
                        });
                    }
                    for local in &procedure.locals {
                        written.push(Written {
                            cell: definition.cell(*local, None, made),
                            hides: true,
                            uses: Vec::new(),
                        });
                    }
                }
            }
            timeline.moments.push(Moment { step: Some(step), frame, written });
            // Returns come at once.
            while let Some(call) = timeline.callers[*stack.last().expect("a frame")] {
                let procedure = program.procedure(program.location(here).procedure);
                if here != procedure.exit {
                    break;
                }
                let done = stack.pop().expect("a frame");
                timeline.ended[done] = true;
                let edge = program.edge(run.steps[call.1].edge);
                here = edge.to;
                let mut written = Vec::new();
                if let (Operation::Call { result: Some(into), .. }, Some(from)) =
                    (&edge.operation, procedure.result)
                {
                    let uses = vec![definition.cell(from, Some(0), done)];
                    written.push(Written {
                        cell: definition.cell(*into, Some(0), call.0),
                        hides: true,
                        uses,
                    });
                }
                timeline.moments.push(Moment { step: None, frame: call.0, written });
            }
        }
        timeline
    }

    fn frame(&self, step: usize) -> usize {
        self.frames[step]
    }

    /// Is the step in this frame, or in one that was called from it?
    fn is_in(&self, step: usize, frame: usize) -> bool {
        let mut here = Some(self.frames[step]);
        while let Some(own) = here {
            if own == frame {
                return true;
            }
            here = self.callers[own].map(|(caller, _)| caller);
        }
        false
    }

    fn made_by(&self, step: usize) -> Option<usize> {
        self.callers.iter().position(|caller| caller.is_some_and(|(_, call)| call == step))
    }

    fn ended(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.callers.len()).filter(|frame| self.ended[*frame])
    }
}
