//! Executes a run from a branch point on, with the values that T picks, and keeps it if it reaches
//! the correct end.

use super::alternatives::values_of;
use super::{BranchPoint, CloseRun, DiscrepancySearch, KEPT_VALUES, MOST_BRANCH_POINTS};
use crate::analysis::repair::execution::{MOST_FRAMES, Onward};
use crate::lang::interpreter::{ConcreteRun, ConcreteStep, Configuration, Machine};
use crate::lang::model::{EdgeId, Operation};

impl DiscrepancySearch {
    /// Returns `Some` if a run at this configuration has reached the correct end, with its last
    /// step if the correct end is a check. `first`: the step that it executes here, if that is
    /// fixed.
    pub(super) fn ends_at(
        &self,
        machine: &Machine<'_>,
        configuration: &Configuration,
        first: Option<&ConcreteStep>,
        executed: impl Fn(EdgeId) -> usize,
    ) -> Option<Option<ConcreteStep>> {
        let Some((id, check)) = self.failing.end() else {
            return machine.has_ended(configuration).then_some(None);
        };
        let edge = machine.program().edge(id);
        if edge.from != configuration.location {
            return None;
        }
        let choices = match first {
            Some(first) if first.edge == id => first.choices.clone(),
            _ => edge
                .choices
                .iter()
                .enumerate()
                .map(|(k, _)| self.prepared.pick(id, executed(id)).0.get(k).copied().unwrap_or(0))
                .collect(),
        };
        let holds = edge
            .checks
            .get(..=check)?
            .iter()
            .all(|check| machine.evaluate(configuration, &check.condition, &choices) == 1);
        holds.then_some(Some(ConcreteStep { edge: id, choices, locals: None }))
    }

    pub(super) fn passes_here(
        &self,
        machine: &Machine<'_>,
        place: &BranchPoint,
        first: Option<&ConcreteStep>,
    ) -> Option<Option<ConcreteStep>> {
        self.ends_at(machine, &place.configuration, first, |id| self.executed(place, id))
    }

    pub(super) fn executed(&self, place: &BranchPoint, id: EdgeId) -> usize {
        self.prepared.executed_before(id, place.kept)
            + place.executed.get(&id).copied().unwrap_or(0)
    }

    /// Executes a run from a branch point on, with this step first, and keeps it if it reaches the
    /// correct end. Returns the branch points of the run if `look` is set.
    pub(super) fn follow(
        &mut self,
        machine: &Machine<'_>,
        from: &BranchPoint,
        first: Option<ConcreteStep>,
        look: bool,
    ) -> Vec<BranchPoint> {
        let mut place = from.clone();
        let (mut ends, mut lasts, mut seen, mut ways) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut first = first;
        let longest = 2 * self.failing.run.steps.len() + 1_000;
        while place.own.len() <= longest && place.configuration.frames.len() <= MOST_FRAMES {
            if let Some(last) = self.passes_here(machine, &place, first.as_ref()) {
                ends.push(place.kept + place.own.len());
                lasts.push(last);
                // After as many passes as T has, no later end is closer.
                if ends.len() >= self.passes || self.failing.ends_with_program {
                    break;
                }
            }
            let is_first = first.is_some();
            let step = match first.take() {
                Some(step) => step,
                None => match self.prepared.onward(
                    machine,
                    &place.configuration,
                    |id| self.executed(&place, id),
                    &mut ways,
                ) {
                    Onward::Passes(edge, choices, freed) => {
                        let takes_values = matches!(
                            machine.program().edge(edge).operation,
                            Operation::Call { .. } | Operation::Havoc(_)
                        );
                        let choices = (0..machine.program().edge(edge).choices.len())
                            .map(|k| choices.get(k).copied().unwrap_or(0))
                            .collect();
                        ConcreteStep { edge, choices, locals: takes_values.then(|| freed.clone()) }
                    }
                    Onward::Fails(..) | Onward::Nowhere => break,
                },
            };
            let is_open = |edge: &EdgeId| {
                *edge != step.edge && machine.stops(&place.configuration, *edge, &[]).is_none()
                    || !machine.program().edge(*edge).choices.is_empty()
            };
            let fits = |place: &BranchPoint| {
                seen.len() < MOST_BRANCH_POINTS.min(KEPT_VALUES / values_of(&place.configuration))
            };
            if look
                && !is_first
                && fits(&place)
                && machine.shape().out(place.configuration.location).iter().any(is_open)
            {
                seen.push(BranchPoint {
                    taken: Some(step.edge),
                    on_failing: false,
                    ..place.clone()
                });
            }
            self.steps += 1;
            machine.pass(
                &mut place.configuration,
                step.edge,
                &step.choices,
                step.locals.as_ref().unwrap_or(const { &Vec::new() }),
            );
            *place.executed.entry(step.edge).or_insert(0) += 1;
            place.own.push(step);
        }
        if !ends.is_empty() {
            self.keep(machine, place, &ends, lasts);
        }
        seen
    }

    /// Keeps a run that reaches the correct end before these statements, if it is the closest so
    /// far.
    pub(super) fn keep(
        &mut self,
        machine: &Machine<'_>,
        place: BranchPoint,
        ends: &[usize],
        mut lasts: Vec<Option<ConcreteStep>>,
    ) {
        let mut steps = self.failing.run.steps[..place.kept].to_vec();
        steps.extend(place.own);
        let (initial_globals, initial_locals) =
            ((*place.initial_globals).clone(), (*place.initial_locals).clone());
        let mut run = ConcreteRun { initial_globals, initial_locals, steps };
        self.steps += run.steps.len() as u64;
        let Some((end, closeness)) = self.failing.closest_end(machine, &run, ends) else { return };
        if self.best.as_ref().is_some_and(|best| best.closeness.order() <= closeness.order()) {
            return;
        }
        run.steps.truncate(end);
        let which = ends.iter().position(|one| *one == end).unwrap_or(0);
        run.steps.extend(lasts.swap_remove(which));
        self.best = Some(CloseRun { run, closeness });
    }
}
