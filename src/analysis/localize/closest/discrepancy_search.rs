//! Searches a correct run close to a failing one, T, by the interpreter alone (Harvey, Ginsberg
//! 1995, *Limited discrepancy search*).
//!
//! A *discrepancy* is another value where T picks one (at the start, by a choice, for a callee's
//! locals), or another edge where several are open. The search executes T with one discrepancy,
//! then with two. After a discrepancy the run picks T's values at the same statements, and zeros
//! elsewhere ([`crate::analysis::repair::execution`]). Late discrepancies come first, because a run
//! that parts later is closer.
//!
//! Each run that is found is a correct run of the program. [`DiscrepancySearch::is_closest`]
//! returns whether it is certain that no run is closer. A budget of executed statements ends the
//! search.
//!
//! Phases: see `Stage`.

mod alternatives;
mod follow;

use super::closeness::{Closeness, FailingRun};
use crate::analysis::repair::execution::Prepared;
use crate::cfg::Distances;
use crate::lang::interpreter::{
    Assignment, ConcreteRun, ConcreteStep, Configuration, Machine, Shape,
};
use crate::lang::model::{EdgeId, LocationId, Operation, Program, Scalar, VariableId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Other values that are tried for one that is picked, and for each of two.
const VALUES: usize = 48;
const VALUES_OF_TWO: usize = 8;
/// Values at the start that are changed, and elements of one variable.
const SLOTS: usize = 200;
const ELEMENTS: usize = 16;
/// Discrepancies that are tried at one branch point, and branch points of one changed run.
const TRIED: usize = 400;
const MOST_BRANCH_POINTS: usize = 24;
/// Values of configurations that are kept.
const KEPT_VALUES: usize = 1 << 20;

/// A correct run that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloseRun {
    /// Where its end is a check, the last step is the statement whose check holds.
    pub run: ConcreteRun,
    /// How close it is.
    pub closeness: Closeness,
}

/// A configuration of a run at which a discrepancy is possible.
#[derive(Clone)]
struct BranchPoint {
    /// Statements of T before it.
    kept: usize,
    /// Statements after the kept ones.
    own: Vec<ConcreteStep>,
    /// How many times `own` executes an edge.
    executed: FxHashMap<EdgeId, usize>,
    initial_globals: Rc<Assignment>,
    initial_locals: Rc<Assignment>,
    configuration: Configuration,
    /// The edge that the run executes here.
    taken: Option<EdgeId>,
    /// Does it lie on T itself?
    on_failing: bool,
}

/// A value at the start.
#[derive(Clone, Copy)]
struct Slot {
    variable: VariableId,
    element: usize,
    scalar: Scalar,
    value: u64,
}

/// The next discrepancies to try.
enum Stage {
    /// The search has not begun.
    Begin,
    /// One discrepancy, at T's branch points up to this one.
    One(usize),
    /// Another value of the start values from this one on.
    Starts(usize),
    /// Two discrepancies, the first at T's branch points up to this one.
    Two(usize),
    /// Another value of this start value, and a second discrepancy.
    TwoStarts(usize),
    Over,
}

/// A search in progress.
pub struct DiscrepancySearch {
    failing: Rc<FailingRun>,
    shape: Arc<Shape>,
    prepared: Prepared,
    stage: Stage,
    /// The branch points of T, in order.
    branch_points: Vec<BranchPoint>,
    /// Are these all branch points of T?
    complete: bool,
    slots: Vec<Slot>,
    /// Numbers from which other values are made, once they are needed.
    telling: Option<Vec<i128>>,
    /// How many times T comes to the statement at which it fails.
    passes: usize,
    best: Option<CloseRun>,
    steps: u64,
    most: u64,
}

impl DiscrepancySearch {
    /// Sets up the search in the program with the halts of earlier rounds; at most so many
    /// statements are executed.
    pub fn new(program: &Program, failing: Rc<FailingRun>, most: u64) -> DiscrepancySearch {
        let last = failing.run.steps.last().map(|step| step.edge);
        DiscrepancySearch {
            shape: Arc::new(Shape::of(program)),
            prepared: Prepared::of(program, &failing.run),
            stage: Stage::Begin,
            branch_points: Vec::new(),
            complete: false,
            slots: Vec::new(),
            telling: None,
            passes: failing.run.steps.iter().filter(|step| Some(step.edge) == last).count(),
            best: None,
            steps: 0,
            most,
            failing,
        }
    }

    /// Statements executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Does one bounded piece of work, and returns whether the search is over. `program` must be
    /// the program for which the search was prepared.
    pub fn step(&mut self, program: &Program) -> bool {
        let machine = Machine::with_shape(program, Arc::clone(&self.shape));
        self.stage = match self.stage {
            Stage::Begin => {
                self.find_branch_points(&machine);
                Stage::One(self.branch_points.len())
            }
            _ if self.steps >= self.most => Stage::Over,
            Stage::One(0) => {
                self.slots = self.slots(program);
                Stage::Starts(0)
            }
            Stage::One(k) => {
                let place = self.branch_points[k - 1].clone();
                self.one_other(&machine, &place);
                if self.best.is_some() { Stage::Over } else { Stage::One(k - 1) }
            }
            Stage::Starts(k) if k < self.slots.len() => {
                self.other_start(&machine, k);
                if self.is_nearest_start() { Stage::Over } else { Stage::Starts(k + 1) }
            }
            Stage::Starts(_) if self.best.is_some() => Stage::Over,
            Stage::Starts(_) => Stage::Two(self.branch_points.len()),
            Stage::Two(0) => Stage::TwoStarts(0),
            Stage::Two(k) => {
                self.two_others(&machine, k - 1);
                if self.best.is_some() { Stage::Over } else { Stage::Two(k - 1) }
            }
            Stage::TwoStarts(k) if k < self.slots.len() => {
                self.two_starts(&machine, k);
                Stage::TwoStarts(k + 1)
            }
            Stage::TwoStarts(_) | Stage::Over => Stage::Over,
        };
        matches!(self.stage, Stage::Over)
    }

    /// The closest run that was found.
    pub fn found(&self) -> Option<&CloseRun> {
        self.best.as_ref()
    }

    /// Is it certain that no correct run is closer than the one that was found? `first_wrong`: the
    /// first statement of T that no correct run executes in T's states, if there is one. No correct
    /// run shares it, so none parts behind the last branch point up to there. From that branch
    /// point no run is shorter than the control-flow graph allows.
    pub fn is_closest(&self, program: &Program, first_wrong: Option<usize>) -> bool {
        let Some(CloseRun { closeness, .. }) = &self.best else { return false };
        if !self.complete {
            return false;
        }
        let latest = self
            .branch_points
            .iter()
            .rfind(|place| first_wrong.is_none_or(|wrong| place.kept <= wrong));
        match (latest, closeness.shared) {
            (Some(place), Some(shared)) => {
                shared == place.kept && self.least_apart(program, place) == Some(closeness.apart)
            }
            (None, None) => self.is_nearest_start(),
            _ => false,
        }
    }

    /// The least number of statements of a run that leaves T here.
    fn least_apart(&self, program: &Program, place: &BranchPoint) -> Option<u64> {
        let machine = Machine::with_shape(program, Arc::clone(&self.shape));
        let exit = program.procedure(program.main_id()).exit;
        let target = self.failing.end().map_or(exit, |(edge, _)| program.edge(edge).from);
        let last = self.failing.run.steps.len() - 1;
        if place.kept == last && self.failing.end().is_some()
            || self.passes_here(&machine, place, None).is_some()
        {
            return Some(0);
        }
        let distances = Distances::to(program, target);
        let calls: Vec<EdgeId> =
            place.configuration.frames.iter().filter_map(|frame| frame.call).collect();
        let over = |id: &EdgeId| {
            let edge = program.edge(*id);
            let sites = calls.iter().map(|call| program.edge(*call).to);
            let further = match &edge.operation {
                Operation::Call { callee, .. } => {
                    let sites: Vec<LocationId> = sites.chain([edge.to]).collect();
                    distances.from(program.procedure(*callee).entry, sites.into_iter())
                }
                _ => distances.from(edge.to, sites),
            };
            Some(further? + u64::from(edge.is_traced()))
        };
        let out = machine.shape().out(place.configuration.location);
        out.iter()
            .filter(|id| {
                self.can_be_otherwise(&machine, place.kept, &place.configuration, place.taken, **id)
            })
            .filter_map(over)
            .min()
    }

    /// Does the best run differ in one value at the start alone, and share T's statements up to the
    /// end? Then no run with another start is closer.
    fn is_nearest_start(&self) -> bool {
        let nearest = |best: &CloseRun| {
            let Closeness { shared, other_picks, left, apart } = best.closeness;
            shared.is_none() && other_picks == 1 && left == 0 && apart == 0
        };
        self.best.as_ref().is_some_and(nearest)
    }

    fn one_other(&mut self, machine: &Machine<'_>, place: &BranchPoint) {
        if place.kept + 1 < self.failing.run.steps.len()
            && let Some(last) = self.passes_here(machine, place, None)
        {
            self.keep(machine, place.clone(), &[place.kept], vec![last]);
        }
        for step in self.others(machine, place, VALUES) {
            if self.steps >= self.most {
                return;
            }
            self.follow(machine, place, Some(step), false);
        }
    }

    fn two_others(&mut self, machine: &Machine<'_>, k: usize) {
        let place = self.branch_points[k].clone();
        for step in self.others(machine, &place, VALUES_OF_TWO) {
            if self.steps >= self.most {
                return;
            }
            let seen = self.follow(machine, &place, Some(step), true);
            self.second_others(machine, seen);
        }
    }

    fn second_others(&mut self, machine: &Machine<'_>, seen: Vec<BranchPoint>) {
        for second in seen.iter().rev() {
            for step in self.others(machine, second, VALUES_OF_TWO) {
                if self.steps >= self.most {
                    return;
                }
                self.follow(machine, second, Some(step), false);
            }
        }
    }

    fn other_start(&mut self, machine: &Machine<'_>, k: usize) {
        let slot = self.slots[k];
        for value in self.values(machine.program(), slot.scalar, slot.value, VALUES) {
            if self.steps >= self.most || self.is_nearest_start() {
                return;
            }
            let start = self.start(machine, &[(slot, value)]);
            self.follow(machine, &start, None, false);
        }
    }

    fn two_starts(&mut self, machine: &Machine<'_>, k: usize) {
        let slot = self.slots[k];
        for value in self.values(machine.program(), slot.scalar, slot.value, VALUES_OF_TWO) {
            let start = self.start(machine, &[(slot, value)]);
            let seen = self.follow(machine, &start, None, true);
            self.second_others(machine, seen);
            for next in k + 1..self.slots.len() {
                let other = self.slots[next];
                for second in
                    self.values(machine.program(), other.scalar, other.value, VALUES_OF_TWO)
                {
                    if self.steps >= self.most {
                        return;
                    }
                    let start = self.start(machine, &[(slot, value), (other, second)]);
                    self.follow(machine, &start, None, false);
                }
            }
        }
    }
}
