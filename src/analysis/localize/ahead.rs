//! Which transitions of a failing run are correct, by a look ahead of each: from where the run
//! stands behind it, is the correct end still reached? In the check's own kernel, without post\* of
//! the whole program.
//!
//! 1. From the run's own stack of calls. Whoever can be saved behind a transition can be saved
//!    behind all earlier ones, so the last such place is found by a few searches from the run's end
//!    backwards, and all transitions up to it are correct.
//! 2. Behind that place nothing saves this stack. In the first frame that is all there is to say:
//!    the transition is incorrect. In a callee other callers may save it: if from the transition,
//!    whoever the callers are and whatever their locals, the correct end is not reached, it is
//!    incorrect as well.
//! 3. Else a correct run that takes the transition is looked for from the program's start; best one
//!    that takes all open transitions of the frame before it as well.
//! 4. Edges that are on no correct transition so far: incorrect if nobody is saved behind them,
//!    from whatever store; else a correct run over the edge is looked for.
//!
//! All looks go where the end is near by control flow. Those behind a place take short runs first.
//! Runs from the program's start are long, with another stack of calls; they go on wherever the
//! rest of the way is shortest.

use super::correct::none_passes;
use super::supergraph::SuperEdge;
use super::trace::Transition;
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, VarSet};
use crate::encode::{Copy, ProgramDomain, Valuation, symbol};
use crate::lang::model::{Edge, EdgeId, LocationId, Operation, ProcedureId, Program};
use crate::pds::{
    Domain, Entered, Mark, Measure, PendingCall, Point, RankedPostStar, StackSymbol, Way,
};
use crate::util::Bounded;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where correct runs end.
#[derive(Clone, Copy, Debug)]
enum End {
    /// Before this statement, whose checks up to the k-th hold.
    Passes(EdgeId, usize),
    /// Where the program ends.
    Program,
}

/// A call that is pending.
struct Caller {
    call: EdgeId,
    /// The caller's state before the call.
    before: Valuation,
    below: Option<usize>,
    /// How many calls are pending with it.
    depth: usize,
}

/// Where the failing run stands.
#[derive(Clone, Copy)]
struct Place {
    location: LocationId,
    caller: Option<usize>,
}

/// A search for the correct end.
struct Look {
    search: RankedPostStar<ProgramDomain>,
    end: StackSymbol,
    /// The number of the run's first frame.
    first: u32,
    /// What a run must have passed.
    all: u32,
    /// Where it must go along.
    along: Option<Along>,
}

/// A way inside a frame.
#[derive(Clone, Copy)]
struct Along {
    from: StackSymbol,
    before: Bdd,
    after: Bdd,
    /// The frame's cells now.
    now: VarSet,
}

#[derive(Clone, Copy)]
enum Question {
    /// Can the failing run be saved behind its k-th transition?
    Saved(usize),
    /// Can somebody be saved behind this, whoever the callers are?
    Anybody(What),
    /// Is there a correct run that takes it?
    Through(What),
    /// Is there one that takes all of these transitions, one after the other in one frame and its
    /// callees?
    Along(usize, usize),
}

#[derive(Clone, Copy)]
enum What {
    Transition(usize),
    Edge(SuperEdge),
}

/// What it came to.
pub enum Looked {
    /// By transition: is its edge correct, and is it?
    Decided(Vec<(bool, bool)>),
    /// Some are not decided.
    Open,
}

/// Looks ahead of a failing run's transitions, in progress.
pub struct Ahead {
    end: End,
    main: ProcedureId,
    main_is_called: bool,
    transitions: Vec<Transition>,
    places: Vec<Place>,
    callers: Vec<Caller>,
    known: Vec<Option<bool>>,
    edges: BTreeMap<SuperEdge, Option<bool>>,
    /// The run is not saved behind the transitions from this one on.
    lost: usize,
    /// It is saved behind this one; `None`: not looked for, or behind none.
    saved: Option<usize>,
    /// How far back the next look is, until one is saved.
    stride: usize,
    settled: bool,
    question: Option<(Question, Look)>,
}

impl Ahead {
    /// Sets up the looks for the transitions of a failing run that violates the `check`-th check of
    /// `failing`.
    pub fn new(
        program: &Program,
        failing: EdgeId,
        check: usize,
        transitions: &[Transition],
    ) -> Ahead {
        let (mut callers, mut places, mut caller) = (Vec::<Caller>::new(), Vec::new(), None);
        for transition in transitions {
            let id = transition.edge.edge();
            let mut location = program.edge(id).to;
            match (transition.edge, &program.edge(id).operation) {
                (SuperEdge::Enter(call), Operation::Call { callee, .. }) => {
                    location = program.procedure(*callee).entry;
                    let depth = 1 + caller.map_or(0, |number: usize| callers[number].depth);
                    callers.push(Caller {
                        call,
                        before: transition.before.clone(),
                        below: caller,
                        depth,
                    });
                    caller = Some(callers.len() - 1);
                }
                (SuperEdge::Return(_), _) => {
                    caller = caller.and_then(|number: usize| callers[number].below)
                }
                _ => {}
            }
            places.push(Place { location, caller });
        }
        let calls_main = |edge: &Edge| matches!(edge.operation, Operation::Call { callee, .. } if callee == program.main_id());
        let never = none_passes(program, failing, check);
        Ahead {
            end: if never { End::Program } else { End::Passes(failing, check) },
            main: program.main_id(),
            main_is_called: program.edges.iter().any(calls_main),
            places,
            callers,
            known: vec![None; transitions.len()],
            edges: transitions.iter().map(|transition| (transition.edge, None)).collect(),
            lost: transitions.len(),
            saved: None,
            stride: 1,
            settled: false,
            transitions: transitions.to_vec(),
            question: None,
        }
    }

    /// One bounded piece of work. Holds diagrams that nobody else lists: no garbage must be
    /// collected in between.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Option<Looked>> {
        let Some((question, look)) = &mut self.question else { return self.next(reach) };
        let Some(comes_there) = look.step(reach, self.end)? else { return Ok(None) };
        let question = *question;
        self.question = None;
        match (question, comes_there) {
            (Question::Saved(k), true) => self.saved = Some(k),
            (Question::Saved(k), false) => self.lost = k,
            (Question::Anybody(what), true) => return self.somebody(reach, what),
            (Question::Anybody(what), false) => self.nobody(what),
            (Question::Along(from, to), true) => {
                (from..=to).for_each(|k| self.known[k] = Some(true))
            }
            (Question::Along(_, to), false) => return self.through(reach, What::Transition(to)),
            // What was asked is the return before it.
            (Question::Through(What::Transition(k)), comes_there) if self.is_return_before(k) => {
                self.known[k - 1] = Some(comes_there);
                self.known[k] = comes_there.then_some(true);
            }
            (Question::Through(What::Transition(k)), true) => self.known[k] = Some(true),
            (Question::Through(What::Edge(edge)), true) => {
                self.edges.insert(edge, Some(true));
            }
            (Question::Through(what), false) => self.nobody(what),
        }
        Ok(None)
    }

    /// Nobody is saved behind it.
    fn nobody(&mut self, what: What) {
        match what {
            What::Transition(k) => self.known[k] = Some(false),
            What::Edge(edge) => {
                self.edges.insert(edge, Some(false));
            }
        }
    }

    /// Some store and some callers, which may be none of the program's, are saved behind it: is
    /// there a correct run?
    fn somebody(&mut self, reach: &mut Reach, what: What) -> Bounded<Option<Looked>> {
        let What::Transition(to) = what else { return self.through(reach, what) };
        let Some(from) = self.begin_of(to) else { return self.through(reach, what) };
        let program = Rc::clone(&reach.program);
        let [source, target] =
            [program.edge(self.transitions[from].edge.edge()).from, self.places[to].location]
                .map(symbol);
        let [before, after] =
            [now(reach, &self.transitions[from].before)?, now(reach, &self.transitions[to].after)?];
        let mark = Mark { way: Way::Within(source, target), before, after };
        let mut look = self.look_from_start(reach, mark)?;
        let frame =
            &reach.domain.frames[program.location(self.places[to].location).procedure.0 as usize];
        let cells = reach.domain.layout.cells_levels(&frame.tracked, Copy::Now);
        let now = reach.domain.kernel.var_set(&cells);
        look.along = Some(Along { from: source, before, after, now });
        self.question = Some((Question::Along(from, to), look));
        Ok(None)
    }

    /// The first of the open transitions that lead to behind the k-th one from the same frame.
    fn begin_of(&self, k: usize) -> Option<usize> {
        let caller = self.places[k].caller;
        let depth = |caller: Option<usize>| caller.map_or(0, |number| self.callers[number].depth);
        let mut from = None;
        for j in (0..=k).rev().take_while(|j| self.known[*j].is_none()) {
            let before = j.checked_sub(1).and_then(|before| self.places[before].caller);
            if depth(before) < depth(caller) {
                break;
            }
            // A return site is no location of the program.
            if before == caller && !matches!(self.transitions[j].edge, SuperEdge::Onward(_)) {
                from = Some(j);
            }
        }
        from
    }

    /// Is it the way on from a return that is open as well?
    fn is_return_before(&self, k: usize) -> bool {
        let is_onward = matches!(self.transitions[k].edge, SuperEdge::Onward(_));
        is_onward
            && k > 0
            && self.known[k - 1].is_none()
            && matches!(self.transitions[k - 1].edge, SuperEdge::Return(_))
    }

    fn through(&mut self, reach: &mut Reach, what: What) -> Bounded<Option<Looked>> {
        let mark = match what {
            // Whoever takes the return before it takes it as well.
            What::Transition(k) if self.is_return_before(k) => {
                mark_of(reach, &self.transitions[k - 1])?
            }
            What::Transition(k) => mark_of(reach, &self.transitions[k])?,
            What::Edge(edge) => Some(mark_on(reach, edge)),
        };
        let Some(mark) = mark else { return Ok(Some(Looked::Open)) };
        self.question = Some((Question::Through(what), self.look_from_start(reach, mark)?));
        Ok(None)
    }

    fn look_from_start(&self, reach: &mut Reach, mark: Mark<Bdd>) -> Bounded<Look> {
        let program = Rc::clone(&reach.program);
        let entry = program.procedure(self.main).entry;
        let stores = reach.domain.initial(&program)?;
        self.look(reach, entry, stores, &[], Vec::new(), Some(mark))
    }

    /// From a location on, with these calls pending below, the first frame's last.
    fn look(
        &self,
        reach: &mut Reach,
        from: LocationId,
        stores: Bdd,
        frames: &[StackSymbol],
        calls: Vec<PendingCall<Bdd>>,
        mark: Option<Mark<Bdd>>,
    ) -> Bounded<Look> {
        let rules = reach.system.roles.len();
        let is_target = vec![false; reach.system.pds.symbols() as usize];
        // The end is looked for among what was settled. Short runs first: one is enough.
        let measure = Measure { cost: vec![1; rules], passes: vec![0; rules], all: 0, is_target };
        let priority = reach.system.priority.clone();
        let mut search = RankedPostStar::new(
            &mut reach.domain,
            symbol(from),
            stores,
            measure,
            u64::MAX / 2,
            priority,
        )?;
        search.below(frames, calls, &reach.system.pds, &Bdd::TRUE);
        let all = mark.iter().len() as u32;
        if let Some(mark) = mark {
            // Runs with another stack are long, and one rank has the fewest layers.
            search.be_greedy();
            search.require(mark);
        }
        let end = match self.end {
            End::Passes(edge, _) => reach.program.edge(edge).from,
            End::Program => reach.program.procedure(self.main).exit,
        };
        search.head_for(&reach.system.pds, &[symbol(end)]);
        Ok(Look { search, end: symbol(end), first: frames.len() as u32, all, along: None })
    }

    /// Behind the k-th transition, with the failing run's own calls pending.
    fn look_behind(&self, reach: &mut Reach, k: usize) -> Bounded<Look> {
        let Place { location, mut caller } = self.places[k];
        let (mut frames, mut calls) = (Vec::new(), Vec::new());
        while let Some(number) = caller {
            let Caller { call, before, below, .. } = &self.callers[number];
            let weight = now(reach, before)?;
            let callee = frames.len() as u32;
            frames.push(symbol(reach.program.edge(*call).from));
            calls.push(PendingCall {
                callee,
                rule: reach.system.executes[call.0 as usize],
                caller: callee + 1,
                weight,
            });
            caller = *below;
        }
        let stores = now(reach, &self.transitions[k].after)?;
        self.look(reach, location, stores, &frames, calls, None)
    }

    /// From a location on, whoever the callers are, and whatever their locals.
    fn look_of_anybody(&self, reach: &mut Reach, from: LocationId, stores: Bdd) -> Bounded<Look> {
        let program = Rc::clone(&reach.program);
        let procedure = program.location(from).procedure;
        // Behind the frame itself one frame for each procedure.
        let frames: Vec<StackSymbol> =
            program.procedures.iter().map(|procedure| symbol(procedure.entry)).collect();
        let mut calls = Vec::new();
        for id in program.edge_ids() {
            let Operation::Call { callee, .. } = program.edge(id).operation else { continue };
            let (rule, caller) = (reach.system.executes[id.0 as usize], program.owner(id).0 + 1);
            let here = (callee == procedure).then_some(0);
            calls.extend(here.into_iter().chain([callee.0 + 1]).map(|callee| PendingCall {
                callee,
                rule,
                caller,
                weight: Bdd::TRUE,
            }));
        }
        let mut look = self.look(reach, from, stores, &frames, calls, None)?;
        look.first = if procedure == self.main { 0 } else { self.main.0 + 1 };
        Ok(look)
    }

    fn next(&mut self, reach: &mut Reach) -> Bounded<Option<Looked>> {
        // Where is the run saved for the last time?
        let first = self.saved.map_or(0, |saved| saved + 1);
        if first < self.lost {
            let k = match self.saved {
                Some(_) => first + (self.lost - first) / 2,
                None => self.lost.saturating_sub(self.stride),
            };
            self.stride = self.stride.saturating_mul(2);
            self.question = Some((Question::Saved(k), self.look_behind(reach, k)?));
            return Ok(None);
        }
        if !std::mem::replace(&mut self.settled, true) {
            self.settle();
        }
        if let Some(k) = (0..self.known.len()).rev().find(|k| self.known[*k].is_none()) {
            let stores = now(reach, &self.transitions[k].after)?;
            let look = self.look_of_anybody(reach, self.places[k].location, stores)?;
            self.question = Some((Question::Anybody(What::Transition(k)), look));
            return Ok(None);
        }
        for (transition, _) in
            self.transitions.iter().zip(&self.known).filter(|(_, known)| **known == Some(true))
        {
            self.edges.insert(transition.edge, Some(true));
        }
        if let Some((edge, _)) = self.edges.iter().find(|(_, known)| known.is_none()) {
            let edge = *edge;
            let (from, stores) = over(reach, edge)?;
            self.question = Some((
                Question::Anybody(What::Edge(edge)),
                self.look_of_anybody(reach, from, stores)?,
            ));
            return Ok(None);
        }
        let is = |known: Option<&Option<bool>>| known == Some(&Some(true));
        let decided = self
            .transitions
            .iter()
            .zip(&self.known)
            .map(|(transition, known)| (is(self.edges.get(&transition.edge)), is(Some(known))));
        Ok(Some(Looked::Decided(decided.collect())))
    }

    /// What follows from where the run is saved for the last time.
    fn settle(&mut self) {
        let mut correct: BTreeMap<SuperEdge, Vec<usize>> = BTreeMap::new();
        for k in 0..self.lost {
            self.known[k] = Some(true);
            self.edges.insert(self.transitions[k].edge, Some(true));
            correct.entry(self.transitions[k].edge).or_default().push(k);
        }
        for k in self.lost..self.known.len() {
            let transition = &self.transitions[k];
            let same = correct
                .get(&transition.edge)
                .is_some_and(|all| all.iter().any(|j| self.transitions[*j] == *transition));
            self.known[k] = match same {
                true => Some(true),
                // The state is the whole configuration.
                false => (self.places[k].caller.is_none() && !self.main_is_called).then_some(false),
            };
        }
    }
}

impl Look {
    /// One step; whether the correct end is reached, once that is known.
    fn step(&mut self, reach: &mut Reach, end: End) -> Bounded<Option<bool>> {
        if self.search.is_done() {
            return Ok(Some(false));
        }
        self.search.step(&reach.system.pds, &mut reach.domain)?;
        self.go_along(reach)?;
        let here = Point::At(self.end);
        let Some((key, layer)) =
            self.search.latest().filter(|(key, _)| key.passed == self.all && key.point == here)
        else {
            return Ok(None);
        };
        let ended = match end {
            End::Program => key.frame == self.first,
            End::Passes(edge, check) => {
                let program = Rc::clone(&reach.program);
                !reach.domain.passing_checks(&program, edge, check, layer.gained)?.is_false()
            }
        };
        Ok(ended.then_some(true))
    }

    /// From where the way begins to its end.
    fn go_along(&mut self, reach: &mut Reach) -> Bounded<()> {
        let Some(Along { from, before, after, now }) = self.along else { return Ok(()) };
        let Some((_, layer)) =
            self.search.latest().filter(|(key, _)| key.point == Point::At(from) && key.passed == 0)
        else {
            return Ok(());
        };
        let kernel = &mut reach.domain.kernel;
        let here = kernel.and(layer.gained, before)?;
        let entered = kernel.exists(here, now)?;
        let there = kernel.and(entered, after)?;
        self.search.passes(&mut reach.domain, there)
    }
}

fn now(reach: &mut Reach, state: &Valuation) -> Bounded<Bdd> {
    reach.domain.fixed(state.0.keys(), Copy::Now, state)
}

/// Behind an edge, from whatever store.
fn over(reach: &mut Reach, edge: SuperEdge) -> Bounded<(LocationId, Bdd)> {
    let program = Rc::clone(&reach.program);
    let rule = reach.system.executes[edge.edge().0 as usize];
    let statement = program.edge(edge.edge());
    Ok(match (edge, &statement.operation) {
        (SuperEdge::Enter(_), Operation::Call { callee, .. }) => {
            (program.procedure(*callee).entry, reach.domain.starts(&Bdd::TRUE, rule)?)
        }
        (SuperEdge::Step(_), _) => (statement.to, reach.domain.after(&Bdd::TRUE, rule)?),
        _ => (statement.to, Bdd::TRUE),
    })
}

/// A transition as a mark on a search. `None`: one into a callee whose arguments are picked, where
/// what enters says not which are meant on the way back.
fn mark_of(reach: &mut Reach, transition: &Transition) -> Bounded<Option<Mark<Bdd>>> {
    let Transition { edge, before, after } = transition;
    let mut mark = mark_on(reach, *edge);
    match edge {
        SuperEdge::Enter(call) if !reach.program.edge(*call).choices.is_empty() => return Ok(None),
        SuperEdge::Onward(_) => {}
        _ => mark.before = now(reach, before)?,
    }
    mark.after = now(reach, after)?;
    Ok(Some(mark))
}

/// Every transition of an edge.
fn mark_on(reach: &Reach, edge: SuperEdge) -> Mark<Bdd> {
    let rule = reach.system.executes[edge.edge().0 as usize];
    let way = match edge {
        SuperEdge::Step(_) | SuperEdge::Enter(_) => Way::Over(rule),
        SuperEdge::Return(_) | SuperEdge::Onward(_) => Way::Back(rule),
    };
    Mark { way, before: Bdd::TRUE, after: Bdd::TRUE }
}
