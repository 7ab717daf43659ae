//! The reason why a statement is on no failing run, with its proof. There are three reasons:
//!
//! 1. *Unreached*: no run executes the statement. The proof is the [`Barrier`]s, the edges at which
//!    the ways to it end.
//! 2. *Cannot fail*: runs execute it, but from no store that arrives the error can be reached,
//!    under any stack of pending calls. The proof is a predicate that separates the two sets of
//!    stores.
//! 3. *Context*: a store arrives from which some stack of pending calls leads on to the error, but
//!    never the stack with which it arrived. The naive projection keeps such a statement (Lal,
//!    Kidd, Reps, Touili 2007, § 2, "the correlation problem"). The proof is the [`Cross`], which
//!    names the callers that the naive projection mixes up.
//!
//! The stores that can fail are read off a pre\* that is *not* kept inside reached stores. It
//! admits the return sites of any call to the procedure, with any values of the caller's locals,
//! and so on outwards. So the second reason makes the strongest claim (no stack at all). The third
//! is given exactly if the naive projection keeps a statement that the exact one does not. No two
//! reasons hold together. `tests/oracle/reasons.rs` compares them with explicit stores.

use super::error_projection::ErrorProjection;
use super::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{CONTROL, Cell, Copy, Valuation, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId};
use crate::pds::State;
use crate::util::Bounded;
use crate::util::order::inserted;
use std::collections::BTreeSet;

/// The most calls up the stack that the search follows to find the place where two contexts part.
const MAX_CLIMB: usize = 24;

/// The reason, with its proof. All sets of stores are over [`Copy::Now`].
#[derive(Clone, Debug)]
pub enum WhyNot {
    /// No run executes the statement.
    Unreached(Vec<Barrier>),
    /// Runs execute the statement, but from no store that arrives the error can be reached.
    CannotFail {
        /// The stores that runs bring before it.
        arriving: Bdd,
        /// The stores from which executing it can fail.
        failing: Bdd,
    },
    /// Stores arrive with which the run would fail under some other stack.
    Context(Cross),
}

/// The end of a way to a statement that is not reached.
#[derive(Clone, Debug)]
pub enum Barrier {
    /// An edge that is reached, but that no arriving store passes: a condition does not hold, or a
    /// check always fails.
    Blocked {
        /// The edge.
        edge: EdgeId,
        /// The stores that runs bring before it.
        arriving: Bdd,
        /// The stores with which the run would go on.
        passing: Bdd,
    },
    /// A call that is entered, but never returned from.
    NoReturn(EdgeId),
    /// A procedure that no statement calls, or only statements after the same barriers.
    NeverCalled(ProcedureId),
    /// A location to which no edge leads.
    NoPath(LocationId),
}

/// A store that arrives, and a stack with which it would fail but does not arrive.
#[derive(Clone, Debug)]
pub struct Cross {
    /// All stores that arrive and from which some stack fails.
    pub stores: Bdd,
    /// One of them.
    pub example: Valuation,
    /// The calls that the two contexts of the example share, innermost first. Above these the
    /// contexts part.
    pub common: Vec<EdgeId>,
    /// The calls by which the example arrives (in the outermost common caller, if there are common
    /// calls).
    pub arrives: Vec<EdgeId>,
    /// Does the example arrive in the first frame, which no call has entered?
    pub at_start: bool,
    /// The calls from which the run would go on to fail.
    pub fails: Vec<EdgeId>,
    /// Calls in both lists, but with different stores of the caller.
    pub parted: Vec<Parted>,
    /// Calls in both lists with the same stores of the caller. The contexts of these part further
    /// up.
    pub further_up: Vec<EdgeId>,
}

/// One call, two disjoint sets of its caller's stores.
#[derive(Clone, Debug)]
pub struct Parted {
    /// The call.
    pub call: EdgeId,
    /// The caller's stores with which the example arrives.
    pub arriving: Bdd,
    /// The caller's stores with which the run would go on to fail.
    pub failing: Bdd,
}

/// The reason for an edge that no failing run executes. `executed` says whether some run executes
/// it; in that case `naive` must be complete.
pub fn why_not(
    reach: &mut Reach,
    naive: Option<&mut ErrorProjection>,
    executed: &[bool],
    edge: EdgeId,
) -> Bounded<Option<WhyNot>> {
    if !executed[edge] {
        return Ok(Some(WhyNot::Unreached(barriers(reach, edge)?)));
    }
    let Some(naive) = naive else { return Ok(None) };
    let from = reach.program.edge(edge).from;
    let arriving = reach.stores_at(from)?;
    let failing = naive.failing_onward(reach, edge)?;
    let both = reach.domain.kernel.and(arriving, failing)?;
    if both.is_false() {
        return Ok(Some(WhyNot::CannotFail { arriving, failing }));
    }
    Ok(cross(reach, naive, edge, both)?.map(WhyNot::Context))
}

/// Where the ways to an edge that is not executed end, in order of edges and procedures.
fn barriers(reach: &mut Reach, edge: EdgeId) -> Bounded<Vec<Barrier>> {
    let program = std::rc::Rc::clone(&reach.program);
    let from = program.edge(edge).from;
    if reached(reach, from) {
        return Ok(vec![blocked(reach, edge)?]);
    }
    let mut into: Vec<Vec<EdgeId>> = vec![Vec::new(); program.locations.len()];
    let mut calls: Vec<Vec<EdgeId>> = vec![Vec::new(); program.procedures.len()];
    for id in program.edge_ids() {
        into[program.edge(id).to].push(id);
        if let Operation::Call { callee, .. } = program.edge(id).operation {
            calls[callee].push(id);
        }
    }
    let (mut edges, mut uncalled, mut lost) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut seen, mut work) = (BTreeSet::from([from]), vec![from]);
    while let Some(location) = work.pop() {
        let procedure = program.location(location).procedure;
        let is_entry = program.procedure(procedure).entry == location;
        let ways = if is_entry { &calls[procedure] } else { &into[location] };
        match (ways.is_empty(), is_entry) {
            (true, true) => drop(uncalled.insert(procedure)),
            (true, false) => drop(lost.insert(location)),
            _ => {}
        }
        for way in ways {
            let before = program.edge(*way).from;
            if reached(reach, before) {
                edges.insert((*way, is_entry));
            } else if seen.insert(before) {
                work.push(before);
            }
        }
    }
    let mut barriers = Vec::new();
    for (edge, entering) in edges {
        barriers.push(match program.edge(edge).operation {
            Operation::Call { .. } if !entering => Barrier::NoReturn(edge),
            _ => blocked(reach, edge)?,
        });
    }
    barriers.extend(uncalled.into_iter().map(Barrier::NeverCalled));
    // If there are other ways, two kinds of barriers are left out: code after a `return` or an
    // endless loop, and a procedure that only itself calls.
    if barriers.is_empty() {
        let called_in_vain = |location: &&LocationId| {
            program.procedure(program.location(**location).procedure).entry == **location
        };
        let closed = seen
            .iter()
            .filter(called_in_vain)
            .map(|location| program.location(*location).procedure);
        barriers.extend(closed.map(Barrier::NeverCalled));
    }
    if barriers.is_empty() {
        barriers.extend(lost.into_iter().chain([from]).take(1).map(Barrier::NoPath));
    }
    Ok(barriers)
}

fn reached(reach: &Reach, location: LocationId) -> bool {
    reach
        .at(symbol(location))
        .iter()
        .any(|(_, id)| !reach.poststar.automaton().weight(*id).is_false())
}

fn blocked(reach: &mut Reach, edge: EdgeId) -> Bounded<Barrier> {
    let arriving = reach.stores_at(reach.program.edge(edge).from)?;
    let rule = reach.system.executes[edge];
    let passing = match reach.program.edge(edge).operation {
        Operation::Call { .. } => reach.domain.before_entry(rule, Bdd::TRUE)?,
        _ => reach.domain.before_step(rule, Bdd::TRUE)?,
    };
    Ok(Barrier::Blocked { edge, arriving, passing })
}

/// How a frame with one store was entered, and how it could be left.
struct Frame {
    procedure: ProcedureId,
    /// By frame state: globals and parameters at its entry, over [`Copy::Now`].
    entered: Vec<(State, Bdd)>,
    /// Globals and result at its end, over [`Copy::Now`].
    left: Bdd,
}

/// A call that leads into the frame, and from which the run may go on to fail.
struct Caller {
    call: EdgeId,
    /// The caller's stores with which it enters the frame like this, and the frame states in which
    /// they are.
    arriving: Bdd,
    states: BTreeSet<State>,
    failing: Bdd,
}

/// Names the cross term: `both` arrives, and fails under some stack. `None` if `both` holds a store
/// with no such pair of contexts.
fn cross(
    reach: &mut Reach,
    naive: &mut ErrorProjection,
    edge: EdgeId,
    both: Bdd,
) -> Bounded<Option<Cross>> {
    let procedure = reach.program.owner(edge);
    let chosen = clearest(reach, naive, edge, both)?;
    let cells: Vec<Cell> = reach.domain.visible(procedure);
    let Some(example) = pick(reach, chosen, &cells) else { return Ok(None) };
    let at = reach.at(symbol(reach.program.edge(edge).from));
    let states: BTreeSet<State> = inserted(at.into_iter().map(|(state, _)| state));
    let mut frame = frame(reach, naive, edge, &example, &states, None)?;
    let mut cross = Cross {
        stores: both,
        example: example.clone(),
        common: Vec::new(),
        arrives: Vec::new(),
        at_start: false,
        fails: Vec::new(),
        parted: Vec::new(),
        further_up: Vec::new(),
    };
    for level in 0.. {
        let callers = callers(reach, naive, &frame)?;
        let mut shared = Vec::new();
        // If one way of arriving goes through no shared call, it distinguishes the contexts.
        let mut apart = frame.entered.iter().any(|(state, _)| *state == reach.start());
        for caller in &callers {
            let meeting = reach.domain.kernel.and(caller.arriving, caller.failing)?;
            if !meeting.is_false() {
                shared.push((caller, meeting));
            } else {
                apart |= !caller.arriving.is_false();
            }
        }
        if let (Some((caller, meeting)), false, true) =
            (shared.first().copied(), apart, level < MAX_CLIMB)
        {
            let owner = reach.program.owner(caller.call);
            let cells = reach.domain.visible(owner);
            let Some(store) = pick(reach, meeting, &cells) else { return Ok(None) };
            cross.common.push(caller.call);
            let summary = reach.domain.end_as_summary(frame.procedure, frame.left)?;
            frame = self::frame(reach, naive, caller.call, &store, &caller.states, Some(summary))?;
            continue;
        }
        cross.further_up = shared.iter().map(|(caller, _)| caller.call).collect();
        cross.at_start = frame.entered.iter().any(|(state, _)| *state == reach.start());
        for caller in callers {
            if !caller.arriving.is_false() {
                cross.arrives.push(caller.call);
            }
            if !caller.failing.is_false() {
                cross.fails.push(caller.call);
            }
            if !caller.arriving.is_false()
                && !caller.failing.is_false()
                && !cross.further_up.contains(&caller.call)
            {
                cross.parted.push(Parted {
                    call: caller.call,
                    arriving: caller.arriving,
                    failing: caller.failing,
                });
            }
        }
        break;
    }
    Ok(Some(cross))
}

/// The stores with contexts that part at the call into their procedure, if there are any. They are
/// the easiest to explain.
fn clearest(
    reach: &mut Reach,
    naive: &mut ErrorProjection,
    edge: EdgeId,
    both: Bdd,
) -> Bounded<Bdd> {
    let procedure = reach.program.owner(edge);
    let from = symbol(reach.program.edge(edge).from);
    let Some(to_end) = naive.to_end(reach, edge, None)? else { return Ok(both) };
    let mut clear = both;
    for call in calls_to(reach, procedure) {
        let rule = reach.system.executes[call];
        let after = naive.failing_after(reach, call)?;
        let context = reach.domain.leaving_context(rule, reach.program.owner(call), after)?;
        let failing = reach.domain.fails_outside(procedure, to_end, context)?;
        let mut arriving = Bdd::FALSE;
        for (state, id) in reach.at(from) {
            let here = *reach.poststar.automaton().weight(id);
            for (_, at_call) in entries(reach, state, call) {
                let entered = reach.domain.as_entries(rule, at_call)?;
                let here = reach.domain.kernel.and(here, entered)?;
                let here = reach.domain.forget_entry(procedure, here)?;
                arriving = reach.domain.kernel.or(arriving, here)?;
            }
        }
        let mixed = reach.domain.kernel.and(arriving, failing)?;
        clear = reach.domain.kernel.difference(clear, mixed)?;
    }
    Ok(if clear.is_false() { both } else { clear })
}

/// How the frame with this store before an edge was entered (in one of these states), and how it
/// can be left after the edge.
fn frame(
    reach: &mut Reach,
    naive: &ErrorProjection,
    edge: EdgeId,
    store: &Valuation,
    states: &BTreeSet<State>,
    summary: Option<Bdd>,
) -> Bounded<Frame> {
    let procedure = reach.program.owner(edge);
    // Locals that no later statement reads may have any value, because they change nothing.
    let live = &crate::cfg::live_locals(&reach.program)[reach.program.edge(edge).from];
    let matters = |cell: &Cell| {
        reach.program.variable(cell.variable).owner.is_none() || live.contains(&cell.variable)
    };
    let cells: Vec<Cell> = reach.domain.visible(procedure).into_iter().filter(matters).collect();
    let now = reach.domain.fixed(&cells, Copy::Now, store)?;
    let mut entered = Vec::new();
    for (state, id) in reach.at(symbol(reach.program.edge(edge).from)) {
        let weight = *reach.poststar.automaton().weight(id);
        let here = reach.domain.kernel.and(weight, now)?;
        if states.contains(&state) && !here.is_false() {
            entered.push((state, reach.domain.entry_of(procedure, here)?));
        }
    }
    let mut left = Bdd::FALSE;
    if let Some(to_end) = naive.to_end(reach, edge, summary)? {
        let before = reach.domain.fixed(&cells, Copy::Entry, store)?;
        let to_end = reach.domain.kernel.and(to_end, before)?;
        left = reach.domain.end_of(procedure, to_end, store)?;
    }
    Ok(Frame { procedure, entered, left })
}

/// Every call of the frame's procedure, with the caller's stores with which it enters the frame,
/// and those with which the run then fails.
fn callers(reach: &mut Reach, naive: &mut ErrorProjection, frame: &Frame) -> Bounded<Vec<Caller>> {
    let mut callers = Vec::new();
    for call in calls_to(reach, frame.procedure) {
        let rule = reach.system.executes[call];
        let owner = reach.program.owner(call);
        let (mut arriving, mut states) = (Bdd::FALSE, BTreeSet::new());
        for (state, entered) in &frame.entered {
            let before = reach.domain.before_entry(rule, *entered)?;
            for (caller, at_call) in entries(reach, *state, call) {
                let here = reach.domain.kernel.and(at_call, before)?;
                let here = reach.domain.forget_entry(owner, here)?;
                if !here.is_false() {
                    states.insert(caller);
                    arriving = reach.domain.kernel.or(arriving, here)?;
                }
            }
        }
        let after = naive.failing_after(reach, call)?;
        let failing = reach.domain.before_call(rule, frame.left, after)?;
        callers.push(Caller { call, arriving, states, failing });
    }
    Ok(callers)
}

fn calls_to(reach: &Reach, procedure: ProcedureId) -> Vec<EdgeId> {
    let called = |edge: &EdgeId| match reach.program.edge(*edge).operation {
        Operation::Call { callee, .. } => callee == procedure,
        _ => false,
    };
    reach.program.edge_ids().filter(called).collect()
}

/// The frame states from which post\* entered a frame state by a call, with the entries and stores
/// at the call.
fn entries(reach: &Reach, callee: State, call: EdgeId) -> Vec<(State, Bdd)> {
    let rule = reach.system.executes[call];
    let entry = match reach.program.edge(call).operation {
        Operation::Call { callee, .. } => reach.program.procedure(callee).entry,
        _ => return Vec::new(),
    };
    if reach.poststar.middle(CONTROL, symbol(entry)) != Some(callee) {
        return Vec::new();
    }
    let automaton = reach.poststar.automaton();
    let found = automaton
        .transitions()
        .iter()
        .enumerate()
        .filter(|(_, t)| t.from == callee && t.via == Some(rule));
    found.map(|(id, t)| (t.to, *automaton.weight(id as u32))).collect()
}

/// The least store of a set, over these cells.
fn pick(reach: &Reach, stores: Bdd, cells: &[Cell]) -> Option<Valuation> {
    let chosen: Vec<(Cell, Copy)> = cells.iter().map(|cell| (*cell, Copy::Now)).collect();
    let model = reach.domain.pick(stores, &chosen)?;
    Some(Valuation(inserted(model.into_iter().map(|((cell, _), bits)| (cell, bits)))))
}
