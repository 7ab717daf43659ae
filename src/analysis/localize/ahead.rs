//! Which transitions of a failing run are correct, by a look ahead of each: from where the run stands behind it, is the correct end still reached? In the check's own
//! kernel, without post\* of the whole program.
//!
//! 1. From the run's own stack of calls. Whoever can be saved behind a transition can be saved behind all earlier ones, so the last such place is found by
//!    a few searches from the run's end backwards, and all transitions up to it are correct.
//! 2. Behind that place nothing saves this stack. In the first frame that is all there is to say: the transition is incorrect. In a callee other callers may
//!    save it: if from the transition, whoever the callers are and whatever their locals, the correct end is not reached, it is incorrect as well.
//! 3. Edges that are on no correct transition so far: incorrect by the same question from all stores, else a correct run over the edge is searched.
//!
//! What neither way decides stays open ([`Looked::Open`]), and all is left to [`super::correct`].

use super::correct::none_passes;
use super::supergraph::SuperEdge;
use super::trace::Transition;
use crate::analysis::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{Copy, ProgramDomain, Valuation, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId, Program};
use crate::pds::{Domain, Entered, Key, Measure, Point, RankedPostStar};
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
}

/// Where the failing run stands.
#[derive(Clone, Copy)]
struct Place {
    location: LocationId,
    caller: Option<usize>,
}

/// What a look from a place saw.
enum Seen {
    /// The correct end.
    End,
    /// Not the end; the frame is left with this (false: it is not left).
    Left(Bdd),
}

/// A search from a place in a frame on, into callees and to the frame's end.
struct Look {
    search: RankedPostStar<ProgramDomain>,
    procedure: ProcedureId,
    /// Is its frame the run's first one?
    is_first: bool,
    /// What a run must have passed.
    all: u32,
}

enum Question {
    /// Can the failing run be saved behind its k-th transition?
    Saved { k: usize, caller: Option<usize>, look: Look },
    /// Can somebody be saved behind this, whoever the callers are?
    Anybody { what: What, waiting: Vec<(LocationId, Bdd)>, left: BTreeMap<ProcedureId, Bdd>, look: Option<Look> },
    /// Is there a correct run over the edge?
    Over(SuperEdge, Look),
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
    /// By callee.
    calls: BTreeMap<ProcedureId, Vec<EdgeId>>,
    known: Vec<Option<bool>>,
    edges: BTreeMap<SuperEdge, Option<bool>>,
    /// The run is not saved behind the transitions from this one on.
    lost: usize,
    /// It is saved behind this one; `None`: not looked for, or behind none.
    saved: Option<usize>,
    /// How far back the next look is, until one is saved.
    stride: usize,
    settled: bool,
    question: Option<Question>,
}

impl Ahead {
    /// Sets up the looks for the transitions of a failing run that violates the `check`-th check of `failing`.
    pub fn new(program: &Program, failing: EdgeId, check: usize, transitions: &[Transition]) -> Ahead {
        let mut calls: BTreeMap<ProcedureId, Vec<EdgeId>> = BTreeMap::new();
        for id in program.edge_ids() {
            if let Operation::Call { callee, .. } = program.edge(id).operation {
                calls.entry(callee).or_default().push(id);
            }
        }
        let (mut callers, mut places, mut caller) = (Vec::new(), Vec::new(), None);
        for transition in transitions {
            let id = transition.edge.edge();
            let mut location = program.edge(id).to;
            match (transition.edge, &program.edge(id).operation) {
                (SuperEdge::Enter(call), Operation::Call { callee, .. }) => {
                    location = program.procedure(*callee).entry;
                    callers.push(Caller { call, before: transition.before.clone(), below: caller });
                    caller = Some(callers.len() - 1);
                }
                (SuperEdge::Return(_), _) => caller = caller.and_then(|number: usize| callers[number].below),
                _ => {}
            }
            places.push(Place { location, caller });
        }
        let never = none_passes(program, failing, check);
        Ahead {
            end: if never { End::Program } else { End::Passes(failing, check) },
            main: program.main_id(),
            main_is_called: calls.contains_key(&program.main_id()),
            places,
            callers,
            calls,
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

    /// One bounded piece of work. Holds diagrams that nobody else lists: no garbage must be collected in between.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Option<Looked>> {
        let Some(question) = self.question.take() else { return self.next(reach) };
        match question {
            Question::Saved { k, caller, mut look } => {
                self.question = match look.step(reach, self.end)? {
                    None => Some(Question::Saved { k, caller, look }),
                    Some(Seen::End) => {
                        self.saved = Some(k);
                        None
                    }
                    Some(Seen::Left(left)) => {
                        let back = self.back_to(reach, caller, left)?;
                        if back.is_none() {
                            self.lost = k;
                        }
                        back.map(|(caller, look)| Question::Saved { k, caller, look })
                    }
                };
            }
            Question::Anybody { what, mut waiting, mut left, look: Some(mut look) } => match look.step(reach, self.end)? {
                None => self.question = Some(Question::Anybody { what, waiting, left, look: Some(look) }),
                Some(Seen::End) => return self.somebody(reach, what),
                Some(Seen::Left(exits)) => {
                    let program = Rc::clone(&reach.program);
                    let old = left.get(&look.procedure).copied().unwrap_or(Bdd::FALSE);
                    let all = reach.domain.kernel.or(old, exits)?;
                    if all != old {
                        left.insert(look.procedure, all);
                        for call in self.calls.get(&look.procedure).into_iter().flatten() {
                            let stores = reach.domain.return_after(&Bdd::TRUE, reach.system.executes[call.0 as usize], &all)?;
                            waiting.push((program.edge(*call).to, stores));
                        }
                    }
                    self.question = Some(Question::Anybody { what, waiting, left, look: None });
                }
            },
            Question::Anybody { what, mut waiting, left, look: None } => match waiting.pop() {
                Some((location, stores)) => {
                    let is_first = reach.program.location(location).procedure == self.main;
                    let look = Some(Look::new(reach, location, stores, is_first)?);
                    self.question = Some(Question::Anybody { what, waiting, left, look });
                }
                None => self.nobody(what),
            },
            Question::Over(edge, mut look) => match look.step(reach, self.end)? {
                None => self.question = Some(Question::Over(edge, look)),
                Some(Seen::End) => {
                    self.edges.insert(edge, Some(true));
                }
                Some(Seen::Left(_)) => self.nobody(What::Edge(edge)),
            },
        }
        Ok(None)
    }

    /// Back in the caller, after the callee was left like this; `None` if there is none, or it does not go on.
    fn back_to(&self, reach: &mut Reach, caller: Option<usize>, left: Bdd) -> Bounded<Option<(Option<usize>, Look)>> {
        let Some(caller) = caller.map(|caller| &self.callers[caller]).filter(|_| !left.is_false()) else { return Ok(None) };
        let before = now(reach, &caller.before)?;
        let stores = reach.domain.return_after(&before, reach.system.executes[caller.call.0 as usize], &left)?;
        if stores.is_false() {
            return Ok(None);
        }
        let to = reach.program.edge(caller.call).to;
        Ok(Some((caller.below, Look::new(reach, to, stores, caller.below.is_none())?)))
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

    /// Some store and some callers, which may be none of the program's, are saved behind it.
    fn somebody(&mut self, reach: &mut Reach, what: What) -> Bounded<Option<Looked>> {
        let What::Edge(edge @ (SuperEdge::Step(id) | SuperEdge::Enter(id))) = what else { return Ok(Some(Looked::Open)) };
        let program = Rc::clone(&reach.program);
        let mut measure = measure(reach);
        // Short runs first: one is enough.
        measure.cost.fill(1);
        measure.passes[reach.system.executes[id.0 as usize].0 as usize] = 1;
        measure.all = 1;
        let main = program.procedure(self.main);
        let stores = reach.domain.initial(&program)?;
        self.question = Some(Question::Over(edge, Look::by(reach, main.entry, stores, true, measure)?));
        Ok(None)
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
            let Place { location, caller } = self.places[k];
            let stores = now(reach, &self.transitions[k].after)?;
            let look = Look::new(reach, location, stores, caller.is_none())?;
            self.question = Some(Question::Saved { k, caller, look });
            return Ok(None);
        }
        if !std::mem::replace(&mut self.settled, true) {
            self.settle();
        }
        if let Some(k) = (0..self.known.len()).rev().find(|k| self.known[*k].is_none()) {
            let what = What::Transition(k);
            let stores = now(reach, &self.transitions[k].after)?;
            let waiting = vec![(self.places[k].location, stores)];
            self.question = Some(Question::Anybody { what, waiting, left: BTreeMap::new(), look: None });
            return Ok(None);
        }
        if let Some((edge, _)) = self.edges.iter().find(|(_, known)| known.is_none()) {
            let edge = *edge;
            let waiting = vec![over(reach, edge)?];
            self.question = Some(Question::Anybody { what: What::Edge(edge), waiting, left: BTreeMap::new(), look: None });
            return Ok(None);
        }
        let is = |known: Option<&Option<bool>>| known == Some(&Some(true));
        let decided =
            self.transitions.iter().zip(&self.known).map(|(transition, known)| (is(self.edges.get(&transition.edge)), is(Some(known))));
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
            let same = correct.get(&transition.edge).is_some_and(|all| all.iter().any(|j| self.transitions[*j] == *transition));
            self.known[k] = match same {
                true => Some(true),
                // The state is the whole configuration.
                false => (self.places[k].caller.is_none() && !self.main_is_called).then_some(false),
            };
        }
    }
}

impl Look {
    fn new(reach: &mut Reach, from: LocationId, stores: Bdd, is_first: bool) -> Bounded<Look> {
        let measure = measure(reach);
        Look::by(reach, from, stores, is_first, measure)
    }

    fn by(reach: &mut Reach, from: LocationId, stores: Bdd, is_first: bool, measure: Measure) -> Bounded<Look> {
        let (procedure, all, priority) = (reach.program.location(from).procedure, measure.all, reach.system.priority.clone());
        let search = RankedPostStar::new(&mut reach.domain, symbol(from), stores, measure, u64::MAX / 2, priority)?;
        Ok(Look { search, procedure, is_first, all })
    }

    fn step(&mut self, reach: &mut Reach, end: End) -> Bounded<Option<Seen>> {
        if self.search.is_done() {
            let mut left = Bdd::FALSE;
            for layer in self.search.layers(Key { frame: 0, point: Point::End, passed: self.all }) {
                left = reach.domain.kernel.or(left, layer.gained)?;
            }
            return Ok(Some(Seen::Left(left)));
        }
        self.search.step(&reach.system.pds, &mut reach.domain)?;
        let Some((key, layer)) = self.search.latest().filter(|(key, _)| key.passed == self.all) else { return Ok(None) };
        let ended = match end {
            End::Program => self.is_first && key.frame == 0 && key.point == Point::End,
            End::Passes(edge, check) => {
                let program = Rc::clone(&reach.program);
                key.point == Point::At(symbol(program.edge(edge).from))
                    && !reach.domain.passing_checks(&program, edge, check, layer.gained)?.is_false()
            }
        };
        Ok(ended.then_some(Seen::End))
    }
}

/// Nothing is a target: the end is looked for among what was settled.
fn measure(reach: &Reach) -> Measure {
    let rules = reach.system.roles.len();
    let is_target = vec![false; reach.system.pds.symbols() as usize];
    // What comes first matters to nobody, and one rank has the fewest layers.
    Measure { cost: vec![0; rules], passes: vec![0; rules], all: 0, is_target }
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
        (SuperEdge::Enter(_), Operation::Call { callee, .. }) => (program.procedure(*callee).entry, reach.domain.starts(&Bdd::TRUE, rule)?),
        (SuperEdge::Step(_), _) => (statement.to, reach.domain.after(&Bdd::TRUE, rule)?),
        _ => (statement.to, Bdd::TRUE),
    })
}
