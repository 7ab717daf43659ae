//! One forward search for a correct end: a ranked post\* from some configurations, which stops as
//! soon as the end is reached.

use super::trail::{RunPosition, Trail};
use crate::analysis::localize::supergraph::SuperEdge;
use crate::analysis::localize::trace::Transition;
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, VarSet};
use crate::encode::{Copy, ProgramDomain, Valuation, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation};
use crate::pds::{
    EntrySets, ForwardWeights, FrameMove, FramePosition, PendingCall, RankedPostStar,
    RankedPostStarBuilder, RequiredMove, SearchGoal, StackSymbol,
};
use crate::util::Bounded;
use std::rc::Rc;

/// The place where correct runs end.
#[derive(Clone, Copy, Debug)]
pub(super) enum CorrectEnd {
    /// Before this statement, whose checks up to the k-th hold.
    Passes(EdgeId, usize),
    /// Where the program ends.
    Program,
}

/// A search for the correct end, in progress.
pub(super) struct EndSearch {
    search: RankedPostStar<ProgramDomain>,
    goal: CorrectEnd,
    /// The location of the correct end.
    end: StackSymbol,
    /// The number of the program's first frame in the search.
    first: u32,
    /// The marks that a run must have passed.
    all: u32,
    /// Stretch of the failing run that a run must follow.
    passage: Option<Passage>,
}

/// A stretch of the failing run that starts and ends in the same frame.
#[derive(Clone, Copy)]
struct Passage {
    from: StackSymbol,
    before: Bdd,
    after: Bdd,
    /// The frame's cells now.
    now: VarSet,
}

impl EndSearch {
    /// Searches from the program's start for runs over one transition.
    pub(super) fn through(
        reach: &mut Reach,
        goal: CorrectEnd,
        mark: RequiredMove<Bdd>,
    ) -> Bounded<EndSearch> {
        let program = Rc::clone(&reach.program);
        let entry = program.procedure(program.main_id()).entry;
        let stores = reach.domain.initial(&program)?;
        EndSearch::new(reach, goal, entry, stores, &[], Vec::new(), Some(mark))
    }

    /// Searches from the program's start for runs that take the transitions `from..=to`, which
    /// start and end in one frame.
    pub(super) fn along(
        reach: &mut Reach,
        goal: CorrectEnd,
        trail: &Trail,
        from: usize,
        to: usize,
    ) -> Bounded<EndSearch> {
        let program = Rc::clone(&reach.program);
        let target = trail.positions[to].location;
        let [source, behind] =
            [program.edge(trail.transitions[from].edge.edge()).from, target].map(symbol);
        let [before, after] = [
            now(reach, &trail.transitions[from].before)?,
            now(reach, &trail.transitions[to].after)?,
        ];
        let mark = RequiredMove { step: FrameMove::Within(source, behind), before, after };
        let mut search = EndSearch::through(reach, goal, mark)?;
        let frame = &reach.domain.frames[program.location(target).procedure];
        let cells = reach.domain.layout.cells_levels(&frame.tracked, Copy::Now);
        let now = reach.domain.kernel.var_set(&cells);
        search.passage = Some(Passage { from: source, before, after, now });
        Ok(search)
    }

    /// Searches behind the `k`-th transition, with the failing run's own calls pending.
    pub(super) fn behind(
        reach: &mut Reach,
        goal: CorrectEnd,
        trail: &Trail,
        k: usize,
    ) -> Bounded<EndSearch> {
        let RunPosition { location, mut caller } = trail.positions[k];
        let (mut frames, mut calls) = (Vec::new(), Vec::new());
        while let Some(number) = caller {
            let pending = &trail.callers[number];
            let weight = now(reach, &pending.before)?;
            let callee = frames.len() as u32;
            frames.push(symbol(reach.program.edge(pending.call).from));
            calls.push(PendingCall {
                callee,
                rule: reach.system.executes[pending.call],
                caller: callee + 1,
                weight,
            });
            caller = pending.below;
        }
        let stores = now(reach, &trail.transitions[k].after)?;
        EndSearch::new(reach, goal, location, stores, &frames, calls, None)
    }

    /// Searches from a location on with these stores, for every stack of callers and all values of
    /// their locals. Some of these stacks occur in no run of the program.
    pub(super) fn for_any_caller(
        reach: &mut Reach,
        goal: CorrectEnd,
        from: LocationId,
        stores: Bdd,
    ) -> Bounded<EndSearch> {
        let program = Rc::clone(&reach.program);
        let (procedure, main) = (program.location(from).procedure, program.main_id());
        // For any caller, the search has one frame for each procedure besides the frame itself.
        let frames: Vec<StackSymbol> =
            program.procedures.iter().map(|procedure| symbol(procedure.entry)).collect();
        let mut calls = Vec::new();
        for id in program.edge_ids() {
            let Operation::Call { callee, .. } = program.edge(id).operation else { continue };
            let (rule, caller) = (reach.system.executes[id], program.owner(id).0 + 1);
            let here = (callee == procedure).then_some(0);
            calls.extend(here.into_iter().chain([callee.0 + 1]).map(|callee| PendingCall {
                callee,
                rule,
                caller,
                weight: Bdd::TRUE,
            }));
        }
        let mut search = EndSearch::new(reach, goal, from, stores, &frames, calls, None)?;
        search.first = if procedure == main { 0 } else { main.0 + 1 };
        Ok(search)
    }

    /// Searches from a location on, with these calls pending below, the first frame's last.
    fn new(
        reach: &mut Reach,
        goal: CorrectEnd,
        from: LocationId,
        stores: Bdd,
        frames: &[StackSymbol],
        calls: Vec<PendingCall<Bdd>>,
        mark: Option<RequiredMove<Bdd>>,
    ) -> Bounded<EndSearch> {
        let rules = reach.system.roles.len();
        // The search itself has no target: this code looks for the end in the layers that the
        // search settles.
        let is_target = vec![false; reach.system.pds.symbols() as usize];
        // One run is enough, so short runs come first.
        let wanted = SearchGoal { cost: vec![1; rules], passes: vec![0; rules], all: 0, is_target };
        let end = symbol(match goal {
            CorrectEnd::Passes(edge, _) => reach.program.edge(edge).from,
            CorrectEnd::Program => reach.program.procedure(reach.program.main_id()).exit,
        });
        let mut search = RankedPostStarBuilder::new(symbol(from), stores, wanted)
            .at_most(u64::MAX / 2)
            .priority(reach.system.priority.clone())
            .below(frames, calls, Bdd::TRUE)
            .toward(&[end]);
        let all = mark.iter().len() as u32;
        if let Some(mark) = mark {
            // Runs from the program's start are long, and a greedy search has the fewest layers.
            search = search.greedy().require(mark);
        }
        let search = search.start(&reach.system.pds, &mut reach.domain)?;
        Ok(EndSearch { search, goal, end, first: frames.len() as u32, all, passage: None })
    }

    /// One step; returns whether the correct end is reached, once that is known.
    pub(super) fn step(&mut self, reach: &mut Reach) -> Bounded<Option<bool>> {
        if self.search.is_done() {
            return Ok(Some(false));
        }
        self.search.step(&reach.system.pds, &mut reach.domain)?;
        self.follow_passage(reach)?;
        let here = FramePosition::At(self.end);
        let Some((key, layer)) =
            self.search.latest().filter(|(key, _)| key.passed == self.all && key.position == here)
        else {
            return Ok(None);
        };
        let ended = match self.goal {
            CorrectEnd::Program => key.frame == self.first,
            CorrectEnd::Passes(edge, check) => {
                let program = Rc::clone(&reach.program);
                !reach.domain.passing_checks(&program, edge, check, layer.gained)?.is_false()
            }
        };
        Ok(ended.then_some(true))
    }

    /// Moves runs from the start of the passage to its end in one step: the failing run shows that
    /// this is possible.
    fn follow_passage(&mut self, reach: &mut Reach) -> Bounded<()> {
        let Some(Passage { from, before, after, now }) = self.passage else { return Ok(()) };
        let Some((_, layer)) = self
            .search
            .latest()
            .filter(|(key, _)| key.position == FramePosition::At(from) && key.passed == 0)
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

/// A state as a diagram over the frame's cells now.
pub(super) fn now(reach: &mut Reach, state: &Valuation) -> Bounded<Bdd> {
    reach.domain.fixed(state.0.keys(), Copy::Now, state)
}

/// The location behind an edge, and the stores that reach it over the edge from any store.
pub(super) fn over(reach: &mut Reach, edge: SuperEdge) -> Bounded<(LocationId, Bdd)> {
    let program = Rc::clone(&reach.program);
    let rule = reach.system.executes[edge.edge()];
    let statement = program.edge(edge.edge());
    Ok(match (edge, &statement.operation) {
        (SuperEdge::Enter(_), Operation::Call { callee, .. }) => {
            (program.procedure(*callee).entry, reach.domain.starts(&Bdd::TRUE, rule)?)
        }
        (SuperEdge::Step(_), _) => (statement.to, reach.domain.after(&Bdd::TRUE, rule)?),
        _ => (statement.to, Bdd::TRUE),
    })
}

/// Makes a search pass one transition. Returns `None` for a transition into a callee whose
/// arguments are picked: what enters the callee does not say which arguments are meant on the way
/// back.
pub(super) fn mark_of(
    reach: &mut Reach,
    transition: &Transition,
) -> Bounded<Option<RequiredMove<Bdd>>> {
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

/// Makes a search pass some transition of an edge.
pub(super) fn mark_on(reach: &Reach, edge: SuperEdge) -> RequiredMove<Bdd> {
    let rule = reach.system.executes[edge.edge()];
    let way = match edge {
        SuperEdge::Step(_) | SuperEdge::Enter(_) => FrameMove::Over(rule),
        SuperEdge::Return(_) | SuperEdge::Onward(_) => FrameMove::Back(rule),
    };
    RequiredMove { step: way, before: Bdd::TRUE, after: Bdd::TRUE }
}
