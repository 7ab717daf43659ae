//! A concrete failing run, read backwards off the history of post\*.
//!
//! Each part of each weight appeared at a moment and was derived from parts of earlier moments (see
//! [`crate::pds::History`]), so from a store at an error one finds a store before the last
//! statement with an earlier moment, and so on to the start. At a return site the walk goes through
//! the callee, from its exit back to its entry, with the caller waiting on a stack of its own:
//! recursion in the program costs memory here, not the machine's stack. Where post* summed up the
//! rounds of a loop, their number is halved until single rounds are left, and each is walked in a
//! saturation of its own that goes round once. Models are picked lexicographically, so the run does
//! not depend on node ids.

use super::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, Cell, Copy, ErrorSite, ProgramDomain, RuleRole, Valuation, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId};
use crate::pds::{Entry, Pds, PostStar, Right, RuleId, State, Transition};
use crate::util::{Bounded, Limit};
use std::rc::Rc;

/// Most statements of a run; a longer one is [`Limit::Depth`].
pub const MAX_STEPS: usize = 100_000;

/// One executed edge.
#[derive(Clone, Debug)]
pub struct Step {
    /// Which.
    pub edge: EdgeId,
    /// Globals and the frame's cells before it.
    pub before: Valuation,
    /// After it; for a call, the callee's frame and the globals at its entry; for the failing step,
    /// as before.
    pub after: Valuation,
    /// One bit pattern for each of the edge's choices.
    pub choices: Vec<u64>,
}

/// A run from the start to an error.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The store at the start.
    pub initial: Valuation,
    /// What is executed, in order; the last edge fails `error.check`.
    pub steps: Vec<Step>,
    /// Where it ends.
    pub error: ErrorSite,
}

/// A store at a location in a frame, with the moment at which post* knew of it.
#[derive(Clone, Debug)]
struct Place {
    location: LocationId,
    state: State,
    entry: Valuation,
    now: Valuation,
    moment: u64,
}

/// One way back from a place.
struct Candidate {
    rule: RuleId,
    moment: u64,
    /// Entries and stores before, inside what was known at `moment`.
    stores: Bdd,
    /// For a whole call: what the summary gained, and when.
    summary: Option<Entry<Bdd>>,
}

/// Rounds of a loop that are still to be walked back: from one store at its header to another.
#[derive(Clone, Debug)]
struct Rounds {
    header: LocationId,
    before: Valuation,
    after: Valuation,
    /// At most two to the power of this many, if that is known.
    doublings: Option<usize>,
}

/// A walk back through one saturation.
struct Path {
    place: Place,
    /// Callers whose callee is being walked, with their call edge.
    waiting: Vec<(EdgeId, Place)>,
    /// What lies between the place and what was walked, first rounds first.
    rounds: Vec<Rounds>,
}

/// A walk back through one round of a loop, in a saturation of its own.
struct Detour {
    poststar: PostStar<ProgramDomain>,
    system: Rc<Pds>,
    header: LocationId,
    after: Valuation,
    /// What came back to the header so far and is not `after`; the first part is what started.
    seen: usize,
    /// Once the saturation has come back to the header with `after`.
    path: Option<Path>,
}

/// What one step of a path came to.
enum Next {
    On,
    /// Another statement back.
    Statement(Step),
    /// One round is to be walked first.
    Round(Rounds),
    /// The place is where its saturation started.
    Start,
}

/// A walk back from an error to the start, in progress.
pub struct Walk {
    error: ErrorSite,
    path: Path,
    /// Rounds within rounds, the innermost last.
    detours: Vec<Detour>,
    /// Last statement first.
    steps: Vec<Step>,
}

impl Walk {
    /// Starts at the error that was found first, if one was found.
    pub fn new(reach: &mut Reach) -> Bounded<Option<Walk>> {
        let Some((error, transition, entry)) = reach.first_error()? else { return Ok(None) };
        let program = Rc::clone(&reach.program);
        let state = reach.poststar.automaton().transition(transition).to;
        let from = program.edge(error.edge).from;
        let failed =
            pick_place(reach, from, state, program.owner(error.edge), entry.gained, entry.moment)?;
        let choices =
            reach.domain.choices_of_failure(&program, error.edge, error.check, &failed.now)?;
        let choices = choices.expect("the store was picked among those that fail here");
        let last = Step {
            edge: error.edge,
            before: failed.now.clone(),
            after: failed.now.clone(),
            choices,
        };
        let path = Path::new(locate(reach, failed)?);
        Ok(Some(Walk { error, path, detours: Vec::new(), steps: vec![last] }))
    }

    /// A bounded piece of work. The run, once the start is reached.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Option<Counterexample>> {
        if self.steps.len() > MAX_STEPS {
            return Err(Limit::Depth);
        }
        let next = match self.detours.last_mut() {
            None => self.path.step(reach)?,
            Some(detour) => {
                // The same walk, through the round's saturation.
                std::mem::swap(&mut reach.poststar, &mut detour.poststar);
                let next = detour.step(reach);
                std::mem::swap(&mut reach.poststar, &mut detour.poststar);
                next?
            }
        };
        match next {
            Next::On => {}
            Next::Statement(step) => self.steps.push(step),
            Next::Round(rounds) => self.detours.push(Detour::new(reach, rounds)?),
            Next::Start if self.detours.pop().is_some() => {}
            Next::Start => {
                let mut steps = std::mem::take(&mut self.steps);
                steps.reverse();
                return Ok(Some(Counterexample {
                    initial: self.path.place.now.clone(),
                    steps,
                    error: self.error,
                }));
            }
        }
        Ok(None)
    }

    /// Statements found so far.
    pub fn length(&self) -> usize {
        self.steps.len()
    }
}

impl_roots!(Walk { detours });
impl_roots!(Detour { poststar });

impl Detour {
    fn new(reach: &mut Reach, rounds: Rounds) -> Bounded<Detour> {
        let visible = reach.domain.visible(reach.program.location(rounds.header).procedure);
        let stores = reach.domain.fixed(&visible, Copy::Now, &rounds.before)?;
        let (system, poststar) =
            reach.domain.one_round(symbol(rounds.header), &reach.system.priority, stores)?;
        Ok(Detour {
            poststar,
            system,
            header: rounds.header,
            after: rounds.after,
            seen: 1,
            path: None,
        })
    }

    /// `reach` has the round's saturation.
    fn step(&mut self, reach: &mut Reach) -> Bounded<Next> {
        if let Some(path) = &mut self.path {
            return path.step(reach);
        }
        let procedure = reach.program.location(self.header).procedure;
        let visible = reach.domain.visible(procedure);
        let after = reach.domain.fixed(&visible, Copy::Now, &self.after)?;
        while let Some(entry) = reach.poststar.history().all(0).get(self.seen).cloned() {
            self.seen += 1;
            let stores = reach.domain.kernel.and(entry.gained, after)?;
            if !stores.is_false() {
                let place =
                    pick_place(reach, self.header, reach.start(), procedure, stores, entry.moment)?;
                self.path = Some(Path::new(place));
                return Ok(Next::On);
            }
        }
        assert!(!reach.poststar.is_done(), "one round leads there");
        reach.poststar.step(&self.system, &mut reach.domain)?;
        Ok(Next::On)
    }
}

impl Path {
    fn new(place: Place) -> Path {
        Path { place, waiting: Vec::new(), rounds: Vec::new() }
    }

    /// One statement back, or one step towards it.
    fn step(&mut self, reach: &mut Reach) -> Bounded<Next> {
        if let Some(rounds) = self.rounds.pop() {
            return self.split(reach, rounds);
        }
        let place = self.place.clone();
        let procedure = reach.program.location(place.location).procedure;
        if place.state == reach.start() && self.waiting.is_empty() && starts_here(reach, &place) {
            return Ok(Next::Start);
        }
        if place.location != reach.program.procedure(procedure).entry {
            if reach.poststar.is_accelerated(place.moment) {
                let before = self.before_rounds(reach, &place)?;
                self.rounds.push(Rounds {
                    header: place.location,
                    before: before.now.clone(),
                    after: place.now,
                    doublings: None,
                });
                self.place = before;
                return Ok(Next::On);
            }
            return self.back(reach, place);
        }
        let (edge, caller) = match self.waiting.pop() {
            Some(waiting) => waiting,
            None => leave_to_caller(reach, &place)?,
        };
        let program = reach.program.clone();
        let choices = reach.domain.choices_of_call(&program, edge, &caller.now, &place.now)?;
        let choices = choices.expect("the caller was picked among those that enter like this");
        self.place = caller;
        Ok(Next::Statement(Step {
            edge,
            before: self.place.now.clone(),
            after: place.now,
            choices,
        }))
    }

    /// The place before some rounds of the loop at this place's location, known at an earlier
    /// moment.
    fn before_rounds(&mut self, reach: &mut Reach, place: &Place) -> Bounded<Place> {
        let here = fix(reach, place)?;
        let header = symbol(place.location);
        let stores = reach.domain.before_rounds(header, here)?;
        // Whatever rule: the place before is at the same location.
        let Some(rule) = reach.system.pds.from_head(CONTROL, header).first().copied() else {
            unreachable!("a header is left")
        };
        let found = earliest(reach, None, rule, header, place.state, stores, place.moment, None)?;
        let found = found.expect("rounds start from what was known before");
        let procedure = reach.program.location(place.location).procedure;
        let before =
            pick_place(reach, place.location, place.state, procedure, found.stores, place.moment)?;
        locate(reach, before)
    }

    /// Halves the number of rounds, or goes one.
    fn split(&mut self, reach: &mut Reach, rounds: Rounds) -> Bounded<Next> {
        let procedure = reach.program.location(rounds.header).procedure;
        let visible = reach.domain.visible(procedure);
        let before = reach.domain.fixed(&visible, Copy::Now, &rounds.before)?;
        let after = reach.domain.fixed(&visible, Copy::Now, &rounds.after)?;
        let (doublings, between) =
            reach.domain.split_rounds(symbol(rounds.header), before, after, rounds.doublings)?;
        if doublings == 0 {
            return Ok(Next::Round(rounds));
        }
        // More than 2^(doublings - 1) rounds, with a statement in each.
        if doublings as u32 > MAX_STEPS.ilog2() + 1 {
            return Err(Limit::Depth);
        }
        let (_, between) = pick_stores(reach, procedure, between);
        let halves = Rounds { doublings: Some(doublings - 1), ..rounds };
        self.rounds.push(Rounds { after: between.clone(), ..halves.clone() });
        self.rounds.push(Rounds { before: between, ..halves });
        Ok(Next::On)
    }

    /// Over the edge that led to this place, the one known earliest.
    fn back(&mut self, reach: &mut Reach, place: Place) -> Bounded<Next> {
        let here = fix(reach, &place)?;
        let mut best: Option<Candidate> = None;
        let into = reach.system.pds.to_head(CONTROL, symbol(place.location)).to_vec();
        for rule in into {
            if !matches!(reach.system.pds.rule(rule).right, Right::Step(_)) {
                continue;
            }
            let before = reach.domain.before_step(rule, here)?;
            let from = reach.system.pds.rule(rule).symbol;
            best = earliest(reach, best, rule, from, place.state, before, place.moment, None)?;
        }
        for rule in reach.system.pds.with_below(symbol(place.location)).to_vec() {
            let Right::Push(top, _) = reach.system.pds.rule(rule).right else { continue };
            let Some(middle) = reach.poststar.middle(CONTROL, top) else { continue };
            let summary = Transition { from: CONTROL.into(), symbol: None, to: middle, via: None };
            let Some(summary) = reach.poststar.automaton().find(summary) else { continue };
            for entry in reach.poststar.history().before(summary, place.moment).to_vec() {
                if best.as_ref().is_some_and(|best| best.moment <= entry.moment) {
                    break;
                }
                let before = reach.domain.before_call(rule, entry.gained, here)?;
                let from = reach.system.pds.rule(rule).symbol;
                best = earliest(
                    reach,
                    best,
                    rule,
                    from,
                    place.state,
                    before,
                    place.moment,
                    Some(entry),
                )?;
            }
        }
        let best = best.expect("whatever post* knows was derived from what it knew before");
        let RuleRole::Execute(edge) = reach.system.role(best.rule) else {
            unreachable!("only executed edges lead to locations")
        };
        let from = reach.program.edge(edge).from;
        let procedure = reach.program.owner(edge);
        let before = pick_place(reach, from, place.state, procedure, best.stores, place.moment)?;
        let before = locate(reach, before)?;
        match best.summary {
            None => {
                let program = reach.program.clone();
                let choices =
                    reach.domain.choices_of_step(&program, edge, &before.now, &place.now)?;
                let choices =
                    choices.expect("the store before was picked among those that lead here");
                let step = Step { edge, before: before.now.clone(), after: place.now, choices };
                self.place = before;
                Ok(Next::Statement(step))
            }
            Some(summary) => {
                let exit =
                    enter_callee_from_its_exit(reach, best.rule, edge, &before, &place, &summary)?;
                self.waiting.push((edge, before));
                self.place = exit;
                Ok(Next::On)
            }
        }
    }
}

/// The frame never returned on this run: any caller known before will do; the earliest is taken.
fn leave_to_caller(reach: &mut Reach, place: &Place) -> Bounded<(EdgeId, Place)> {
    let mut best: Option<(u64, Bdd, RuleId, State)> = None;
    // Where callees started with the weight 1, their entries have moments of their own.
    let entered_at = match reach.entered(place.state) {
        Some(_) => Some(entered_at(reach, place)?),
        None => None,
    };
    for id in reach.callers().remove(&place.state).unwrap_or_default() {
        let transition = reach.poststar.automaton().transition(id);
        let rule = transition.via.expect("callers are those with a push rule");
        let procedure = reach.program.location(place.location).procedure;
        let before = callers_entering(reach, rule, procedure, &place.now)?;
        if let Some(moment) = entered_at {
            let calls = reach.domain.kernel.and(*reach.poststar.automaton().weight(id), before)?;
            let history = reach.entered(transition.to).unwrap_or_default().to_vec();
            for (known, entries) in history.into_iter().take_while(|(known, _)| *known < moment) {
                if best.as_ref().is_some_and(|best| best.0 <= known) {
                    break;
                }
                let stores = reach.domain.kernel.and(calls, entries)?;
                if !stores.is_false() {
                    best = Some((known, stores, rule, transition.to));
                    break;
                }
            }
            continue;
        }
        for entry in reach.poststar.history().before(id, place.moment).to_vec() {
            if best.as_ref().is_some_and(|best| best.0 <= entry.moment) {
                break;
            }
            let stores = reach.domain.kernel.and(entry.gained, before)?;
            if !stores.is_false() {
                best = Some((entry.moment, stores, rule, transition.to));
                break;
            }
        }
    }
    let (moment, stores, rule, state) =
        best.expect("a callee is entered only from callers known before");
    let RuleRole::Execute(edge) = reach.system.role(rule) else {
        unreachable!("push rules are calls")
    };
    let procedure = reach.program.owner(edge);
    let moment = if entered_at.is_some() { u64::MAX - 1 } else { moment };
    let caller =
        pick_place(reach, reach.program.edge(edge).from, state, procedure, stores, moment)?;
    Ok((edge, locate(reach, caller)?))
}

/// Is this among the stores with which the saturation started?
fn starts_here(reach: &Reach, place: &Place) -> bool {
    let start = Transition {
        from: CONTROL.into(),
        symbol: Some(symbol(place.location)),
        to: place.state,
        via: None,
    };
    let first = reach
        .poststar
        .automaton()
        .find(start)
        .and_then(|id| reach.poststar.history().all(id).first());
    reach.poststar.automaton().find(start) == Some(0)
        && first.is_some_and(|first| first.moment == place.moment)
}

/// The better of `best` and the earliest stores at `from` before `moment` that lie in `before`.
#[expect(clippy::too_many_arguments, reason = "one search, spelled out")]
fn earliest(
    reach: &mut Reach,
    best: Option<Candidate>,
    rule: RuleId,
    from: crate::pds::StackSymbol,
    state: State,
    before: Bdd,
    moment: u64,
    summary: Option<Entry<Bdd>>,
) -> Bounded<Option<Candidate>> {
    if before.is_false() {
        return Ok(best);
    }
    let transition = Transition { from: CONTROL.into(), symbol: Some(from), to: state, via: None };
    let Some(id) = reach.poststar.automaton().find(transition) else { return Ok(best) };
    let entries = reach.poststar.history().before(id, moment).to_vec();
    for entry in entries {
        let moment = entry.moment.max(summary.as_ref().map_or(0, |summary| summary.moment));
        if best.as_ref().is_some_and(|best| best.moment <= moment) {
            break;
        }
        let stores = reach.domain.kernel.and(entry.gained, before)?;
        if !stores.is_false() {
            return Ok(Some(Candidate { rule, moment, stores, summary }));
        }
    }
    Ok(best)
}

/// The callee at its exit, given the caller before and after the call.
fn enter_callee_from_its_exit(
    reach: &mut Reach,
    rule: RuleId,
    edge: EdgeId,
    before: &Place,
    after: &Place,
    summary: &Entry<Bdd>,
) -> Bounded<Place> {
    let program = reach.program.clone();
    let Operation::Call { callee, .. } = program.edge(edge).operation else {
        unreachable!("only calls have callees")
    };
    let known = known_at_exit(reach, rule, edge, &before.now, &after.now)?;
    let known = reach.domain.kernel.and(known, summary.gained)?;
    // The summary forgot the callee's locals at its exit: look them up.
    let middle = reach
        .poststar
        .middle(CONTROL, symbol(program.procedure(callee).entry))
        .expect("it was called");
    let exit = program.procedure(callee).exit;
    let transition =
        Transition { from: CONTROL.into(), symbol: Some(symbol(exit)), to: middle, via: None };
    let id = reach.poststar.automaton().find(transition).expect("it returned");
    for entry in reach.poststar.history().before(id, summary.moment).to_vec() {
        let stores = reach.domain.kernel.and(entry.gained, known)?;
        if !stores.is_false() {
            return pick_place(reach, exit, middle, callee, stores, entry.moment);
        }
    }
    unreachable!("a summary is made of what reached the exit before")
}

/// The stores in which a call enters its callee with this store.
pub(super) fn callers_entering(
    reach: &mut Reach,
    rule: RuleId,
    callee: ProcedureId,
    entered: &Valuation,
) -> Bounded<Bdd> {
    let frame = reach.domain.frames[callee.0 as usize].clone();
    let outside: Vec<Cell> = frame
        .parameters
        .iter()
        .chain(&frame.changed_globals)
        .chain(&frame.constant_globals)
        .copied()
        .collect();
    let entered = reach.domain.fixed(&outside, Copy::Now, entered)?;
    reach.domain.before_entry(rule, entered)
}

/// What a callee's entry and its store at the exit may be, given its caller before and after the
/// call.
pub(super) fn known_at_exit(
    reach: &mut Reach,
    rule: RuleId,
    edge: EdgeId,
    before: &Valuation,
    after: &Valuation,
) -> Bounded<Bdd> {
    let program = reach.program.clone();
    let Operation::Call { callee, result, .. } = &program.edge(edge).operation else {
        unreachable!("only calls have callees")
    };
    let frame = reach.domain.frames[callee.0 as usize].clone();
    let caller = reach.domain.visible(program.owner(edge));
    // Globals before and after, and the result, are known; the parameters follow from the caller's
    // store.
    let mut known = reach.domain.fixed(&frame.changed_globals, Copy::Entry, before)?;
    let globals = reach.domain.fixed(
        frame.changed_globals.iter().chain(&frame.constant_globals),
        Copy::Now,
        after,
    )?;
    known = reach.domain.kernel.and(known, globals)?;
    let forgotten = &reach.domain.forgotten[edge.0 as usize];
    let target = result
        .map(|variable| Cell { variable, element: 0 })
        .filter(|cell| !forgotten.contains(cell));
    if let (Some(target), Some(cell)) = (target, frame.result) {
        let mut returned = Valuation::default();
        returned.0.insert(cell, after.get(target));
        let returned = reach.domain.fixed([&cell], Copy::Now, &returned)?;
        known = reach.domain.kernel.and(known, returned)?;
    }
    let at_call = reach.domain.fixed(&caller, Copy::Now, before)?;
    let mut arguments = reach.domain.entering(rule, at_call)?;
    let globals: Vec<Cell> =
        frame.changed_globals.iter().chain(&frame.constant_globals).copied().collect();
    let globals =
        reach.domain.kernel.var_set(&reach.domain.layout.cells_levels(&globals, Copy::Now));
    arguments = reach.domain.kernel.exists(arguments, globals)?;
    let (constant, changed): (Vec<Cell>, Vec<Cell>) =
        frame.parameters.iter().copied().partition(|cell| frame.constant_parameters.contains(cell));
    let mut shift = reach.domain.layout.shift(&constant, Copy::Middle, Copy::Now);
    shift.extend(reach.domain.layout.shift(&changed, Copy::Middle, Copy::Entry));
    let shift = reach.domain.kernel.renaming(&shift);
    arguments = reach.domain.kernel.rename(arguments, shift)?;
    reach.domain.kernel.and(known, arguments)
}

/// The moment at which a frame was known to be entered with the store of a place at its entry.
fn entered_at(reach: &mut Reach, place: &Place) -> Bounded<u64> {
    let here = fix(reach, place)?;
    for (moment, entries) in reach.entered(place.state).unwrap_or_default().to_vec() {
        if !reach.domain.kernel.and(entries, here)?.is_false() {
            return Ok(moment);
        }
    }
    unreachable!("weights were cut down to the entries that are known")
}

fn pick_place(
    reach: &mut Reach,
    location: LocationId,
    state: State,
    procedure: ProcedureId,
    stores: Bdd,
    moment: u64,
) -> Bounded<Place> {
    let (entry, now) = pick_stores(reach, procedure, stores);
    Ok(Place { location, state, entry, now, moment })
}

/// The least entry and store of a nonempty set of them.
pub(super) fn pick_stores(
    reach: &Reach,
    procedure: ProcedureId,
    stores: Bdd,
) -> (Valuation, Valuation) {
    let mut cells: Vec<(Cell, Copy)> =
        reach.domain.visible(procedure).into_iter().map(|cell| (cell, Copy::Now)).collect();
    cells.extend(
        reach.domain.frames[procedure.0 as usize].tracked.iter().map(|cell| (*cell, Copy::Entry)),
    );
    let model = reach.domain.pick(stores, &cells).expect("only nonempty stores are picked from");
    let (mut entry, mut now) = (Valuation::default(), Valuation::default());
    for ((cell, copy), bits) in model {
        let valuation = if copy == Copy::Entry { &mut entry } else { &mut now };
        valuation.0.insert(cell, bits);
    }
    (entry, now)
}

/// The exact moment at which post* first knew of a place, which is not after `place.moment`.
fn locate(reach: &mut Reach, place: Place) -> Bounded<Place> {
    let here = fix(reach, &place)?;
    let transition = Transition {
        from: CONTROL.into(),
        symbol: Some(symbol(place.location)),
        to: place.state,
        via: None,
    };
    let id = reach.poststar.automaton().find(transition).expect("the place was found on it");
    for entry in reach.poststar.history().before(id, place.moment + 1).to_vec() {
        if !reach.domain.kernel.and(entry.gained, here)?.is_false() {
            return Ok(Place { moment: entry.moment, ..place });
        }
    }
    unreachable!("the place was picked from what was known by then")
}

/// The diagram of exactly this entry and this store.
fn fix(reach: &mut Reach, place: &Place) -> Bounded<Bdd> {
    let procedure = reach.program.location(place.location).procedure;
    fix_stores(reach, procedure, &place.entry, &place.now)
}

/// The same for a procedure's frame.
pub(super) fn fix_stores(
    reach: &mut Reach,
    procedure: ProcedureId,
    entry: &Valuation,
    now: &Valuation,
) -> Bounded<Bdd> {
    let tracked = reach.domain.frames[procedure.0 as usize].tracked.clone();
    let visible = reach.domain.visible(procedure);
    let entry = reach.domain.fixed(&tracked, Copy::Entry, entry)?;
    let now = reach.domain.fixed(&visible, Copy::Now, now)?;
    reach.domain.kernel.and(entry, now)
}
