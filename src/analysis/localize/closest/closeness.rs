//! How close a correct run is to a failing one, T, computed by executing the correct run.

use super::super::correct::none_passes;
use crate::cfg::live_locals;
use crate::lang::interpreter::{Assignment, ConcreteRun, Configuration, Machine, Stop};
use crate::lang::model::{Edge, EdgeId, Initial, Operation, Program, VariableId};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The cost of leaving T one statement earlier. It exceeds the cost of any run from there on.
pub(super) const STEP: u64 = 1 << 20;

/// A failing run, as the interpreter executed it.
#[derive(Clone, Debug)]
pub struct FailingRun {
    /// The run.
    pub run: ConcreteRun,
    /// Which check of its last statement it violates.
    pub check: usize,
    /// By statement: the variables that were picked just before it (at the start: those with an
    /// arbitrary value) and still matter, with their values.
    pub(super) picks: Vec<Assignment>,
    /// Do correct runs end the program, because no run passes the check? Otherwise they end at T's
    /// last statement, whose check they pass.
    pub ends_with_program: bool,
}

/// How much a correct run agrees with T.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closeness {
    /// How many statements from the start on it executes in the same states as T; `None` if it
    /// starts in another one.
    pub shared: Option<usize>,
    /// Of the variables that may start with any value and matter: how many have other values.
    pub other_picks: u64,
    /// How many statements of T follow after the part that the run also executes.
    pub left: u64,
    /// How many statements it executes after it has left T.
    pub apart: u64,
}

/// The costs of a difference, by the length of T and the number of values that it picks. Each cost
/// outweighs all later ones together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    length: u64,
    /// For a variable with another value.
    pub(super) pick: u64,
    /// For a transition that is not shared.
    pub(super) transition: u64,
}

impl Closeness {
    /// The order of closeness: a smaller value is closer. It agrees with [`FailingRun::cost`].
    pub fn order(&self) -> (Reverse<Option<usize>>, u64, u64, u64) {
        (Reverse(self.shared), self.other_picks, self.left, self.apart)
    }
}

impl Costs {
    pub(super) fn new(length: usize, picks: usize) -> Costs {
        let length = length as u64;
        let pick = (length + 2) * STEP;
        Costs { length, pick, transition: (picks as u64 + 2) * pick }
    }
}

impl FailingRun {
    /// Executes a run that violates the `check`-th check of its last statement. Returns `None` if
    /// the run does not do so.
    pub fn new(program: &Program, run: &ConcreteRun, check: usize) -> Option<FailingRun> {
        let last = run.steps.last()?.edge;
        let picks = picks(program, run)?;
        Some(FailingRun {
            run: run.clone(),
            check,
            picks,
            ends_with_program: none_passes(program, last, check),
        })
    }

    /// How many values it picks that matter.
    pub fn count_picks(&self) -> usize {
        self.picks.iter().map(Vec::len).sum()
    }

    /// The statement and its check that correct runs pass; `None` if correct runs end the program.
    pub fn end(&self) -> Option<(EdgeId, usize)> {
        self.run
            .steps
            .last()
            .filter(|_| !self.ends_with_program)
            .map(|last| (last.edge, self.check))
    }

    pub(super) fn costs(&self) -> Costs {
        Costs::new(self.run.steps.len(), self.count_picks())
    }

    /// By how much a correct run differs, in one number: the cost that
    /// [`super::alignment_program`] minimises. For runs that are not too long for that.
    pub fn cost(&self, closeness: &Closeness) -> u64 {
        let costs = self.costs();
        let unshared = match closeness.shared {
            Some(shared) => costs.length - 1 - (shared as u64).min(costs.length - 1),
            None => costs.length,
        };
        unshared * costs.transition
            + closeness.other_picks * costs.pick
            + closeness.left * STEP
            + closeness.apart
    }

    /// Executes a run and computes how close it is if it ends before one of these statements
    /// (ascending; the run's length means its end). Returns the closest of these ends, or `None` if
    /// it is no run.
    pub fn closest_end(
        &self,
        machine: &Machine<'_>,
        run: &ConcreteRun,
        ends: &[usize],
    ) -> Option<(usize, Closeness)> {
        let failing = &self.run.steps;
        let mut configuration = machine.initial(&run.initial_globals, &run.initial_locals);
        let others = |k: usize, configuration: &Configuration| match self.picks.get(k) {
            Some(picks) => picks
                .iter()
                .filter(|(id, values)| machine.values(configuration, *id) != values.as_slice())
                .count() as u64,
            // T has failed at this point.
            None => 1,
        };
        // The statement after which the run is apart from T.
        let mut apart_from = None;
        let other_picks = others(0, &configuration);
        let starts_alike = other_picks == 0;
        let mut best: Option<(usize, Closeness)> = None;
        let (mut apart, mut next_end) = (0, ends.iter().copied().peekable());
        for k in 0..=*ends.last()? {
            if apart_from.is_none() && k > 0 && others(k, &configuration) > 0 {
                // The state after the same statement differs.
                (apart_from, apart) = (
                    Some(k - 1),
                    u64::from(machine.program().edge(run.steps[k - 1].edge).is_traced()),
                );
            }
            if next_end.next_if_eq(&k).is_some() {
                let way = apart_from.unwrap_or(k.min(failing.len() - 1));
                let left = (failing.len() - 1).saturating_sub(way) as u64;
                let closeness =
                    Closeness { shared: starts_alike.then_some(way), other_picks, left, apart };
                if best.as_ref().is_none_or(|(_, least)| closeness.order() < least.order()) {
                    best = Some((k, closeness));
                }
            }
            let Some(step) = run.steps.get(k).filter(|_| next_end.peek().is_some()) else { break };
            let edge = machine
                .program()
                .edges
                .get(step.edge.0 as usize)
                .filter(|edge| edge.from == configuration.location)?;
            if apart_from.is_none() && failing.get(k).is_none_or(|same| same.edge != step.edge) {
                apart_from = Some(k.min(failing.len() - 1));
            }
            if apart_from.is_some() {
                apart += u64::from(edge.is_traced());
            }
            if machine.stops(&configuration, step.edge, &step.choices).is_some() {
                return None;
            }
            machine.pass(
                &mut configuration,
                step.edge,
                &step.choices,
                step.locals.as_ref().unwrap_or(const { &Vec::new() }),
            );
        }
        best
    }
}

/// By statement of the run: the variables that were picked just before it (at the start: all that
/// any value may have), that still matter, with their values.
fn picks(program: &Program, run: &ConcreteRun) -> Option<Vec<Assignment>> {
    let machine = Machine::new(program);
    let live = live_locals(program);
    let none = Vec::new();
    let mut configuration = machine.initial(&run.initial_globals, &run.initial_locals);
    let main = program.procedure(program.main_id());
    let mut picked: BTreeSet<VariableId> =
        program.globals().filter(|id| program.variable(*id).initial == Initial::Any).collect();
    picked.extend(main.parameters.iter().chain(&main.locals));
    let mut picks = Vec::new();
    for (k, step) in run.steps.iter().enumerate() {
        let edge = program
            .edges
            .get(step.edge.0 as usize)
            .filter(|edge| edge.from == configuration.location)?;
        let matters =
            |id: &VariableId| program.variable(*id).owner.is_none() || live[edge.from].contains(id);
        let values = |id: VariableId| (id, machine.values(&configuration, id).to_vec());
        picks.push(std::mem::take(&mut picked).into_iter().filter(matters).map(values).collect());
        match machine.stops(&configuration, step.edge, &step.choices) {
            Some(Stop::Error(_)) if k + 1 == run.steps.len() => return Some(picks),
            Some(_) => return None,
            None => {}
        }
        let calls: Vec<Option<EdgeId>> =
            configuration.frames.iter().map(|frame| frame.call).collect();
        machine.pass(
            &mut configuration,
            step.edge,
            &step.choices,
            step.locals.as_ref().unwrap_or(&none),
        );
        picked = picked_by(program, edge, &calls, &configuration);
    }
    None
}

/// The variables to which a statement gives a picked value. `calls`: the pending calls before it,
/// outermost first.
fn picked_by(
    program: &Program,
    edge: &Edge,
    calls: &[Option<EdgeId>],
    after: &Configuration,
) -> BTreeSet<VariableId> {
    let mut picked = BTreeSet::new();
    match &edge.operation {
        Operation::Skip | Operation::Assume(_) => {}
        Operation::Assign(_) if edge.choices.is_empty() => {}
        Operation::Assign(pairs) => picked.extend(pairs.iter().map(|(place, _)| place.variable())),
        Operation::Havoc(list) => picked.extend(list),
        Operation::Call { callee, result, .. } => {
            let callee = program.procedure(*callee);
            picked.extend(
                callee
                    .locals
                    .iter()
                    .chain(callee.parameters.iter().filter(|_| !edge.choices.is_empty())),
            );
            // The callee may have returned already.
            picked.extend(result);
        }
    }
    if !picked.is_empty() {
        // The picked value may be the one that is returned.
        if let Some(Some(call)) = calls.get(after.frames.len())
            && let Operation::Call { result, .. } = &program.edge(*call).operation
        {
            picked.extend(result);
        }
    }
    picked.retain(|id| {
        program
            .variable(*id)
            .owner
            .is_none_or(|owner| after.frames.last().is_some_and(|frame| frame.procedure == owner))
    });
    picked
}
