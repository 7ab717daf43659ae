//! The discrepancies that are tried: at the branch points of a run, and at its start.

use super::{BranchPoint, DiscrepancySearch, ELEMENTS, KEPT_VALUES, SLOTS, Slot, TRIED, VALUES};
use crate::analysis::suspects::{numbers, spread};
use crate::cfg::{read_by, read_in};
use crate::lang::interpreter::{ConcreteStep, Configuration, Machine};
use crate::lang::model::{EdgeId, Operation, Program, Scalar, VariableId};
use crate::util::order::inserted;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

impl DiscrepancySearch {
    /// Can a run leave T, or T's states, over this edge? The answer no is certain.
    pub(super) fn can_be_otherwise(
        &self,
        machine: &Machine<'_>,
        k: usize,
        configuration: &Configuration,
        taken: Option<EdgeId>,
        id: EdgeId,
    ) -> bool {
        let edge = machine.program().edge(id);
        if Some(id) != taken {
            return !edge.choices.is_empty() || machine.stops(configuration, id, &[]).is_none();
        }
        let frees = match &edge.operation {
            Operation::Havoc(_) => true,
            Operation::Call { callee, .. } => {
                !machine.program().procedure(*callee).locals.is_empty()
            }
            _ => false,
        };
        (frees || !edge.choices.is_empty())
            && self.failing.picks.get(k + 1).is_none_or(|picks| !picks.is_empty())
    }

    /// Executes T and notes its branch points.
    pub(super) fn find_branch_points(&mut self, machine: &Machine<'_>) {
        let failing = Rc::clone(&self.failing);
        let run = &failing.run;
        let (globals, locals) =
            (Rc::new(run.initial_globals.clone()), Rc::new(run.initial_locals.clone()));
        let mut configuration = machine.initial(&globals, &locals);
        let mut kept = 0;
        for (k, step) in run.steps.iter().enumerate() {
            let out = machine.shape().out(configuration.location);
            let ends_here = k + 1 < run.steps.len()
                && self
                    .ends_at(machine, &configuration, None, |id| {
                        self.prepared.executed_before(id, k)
                    })
                    .is_some();
            if ends_here
                || out.iter().any(|id| {
                    self.can_be_otherwise(machine, k, &configuration, Some(step.edge), *id)
                })
            {
                kept += values_of(&configuration);
                if kept > KEPT_VALUES {
                    return;
                }
                self.branch_points.push(BranchPoint {
                    kept: k,
                    own: Vec::new(),
                    executed: FxHashMap::default(),
                    initial_globals: Rc::clone(&globals),
                    initial_locals: Rc::clone(&locals),
                    configuration: configuration.clone(),
                    taken: Some(step.edge),
                    on_failing: true,
                });
            }
            if machine.stops(&configuration, step.edge, &step.choices).is_some() {
                break;
            }
            self.steps += 1;
            machine.pass(
                &mut configuration,
                step.edge,
                &step.choices,
                step.locals.as_ref().unwrap_or(const { &Vec::new() }),
            );
        }
        self.complete = true;
    }

    /// The steps that are tried at a branch point instead of the one that the run takes.
    pub(super) fn others(
        &mut self,
        machine: &Machine<'_>,
        place: &BranchPoint,
        most: usize,
    ) -> Vec<ConcreteStep> {
        let program = machine.program();
        let on_failing = place.on_failing;
        let mut steps: Vec<ConcreteStep> = Vec::new();
        for id in machine.shape().out(place.configuration.location).to_vec() {
            let edge = program.edge(id);
            let is_taken = Some(id) == place.taken;
            if on_failing
                && !self.can_be_otherwise(
                    machine,
                    place.kept,
                    &place.configuration,
                    place.taken,
                    id,
                )
            {
                continue;
            }
            let (choices, freed) = self.prepared.pick(id, self.executed(place, id));
            let choices: Vec<u64> =
                (0..edge.choices.len()).map(|k| choices.get(k).copied().unwrap_or(0)).collect();
            let takes_values =
                matches!(edge.operation, Operation::Call { .. } | Operation::Havoc(_));
            let base =
                ConcreteStep { edge: id, choices, locals: takes_values.then(|| freed.clone()) };
            // The larger the arrays of a step, the fewer steps are tried.
            let size =
                1 + base.locals.iter().flatten().map(|(_, values)| values.len()).sum::<usize>();
            let room = TRIED.min(KEPT_VALUES / size);
            if !is_taken {
                steps.push(base.clone());
            }
            self.other_choices(program, &base, (room, most), &mut steps);
            if is_taken {
                let matters = self.failing.picks.get(place.kept + 1).filter(|_| on_failing);
                let matters = matters.map(|picks| picks.iter().map(|(id, _)| *id).collect());
                self.other_freed_values(program, &base, matters, (room, most), &mut steps);
            }
        }
        steps.truncate(TRIED);
        steps
            .retain(|step| machine.stops(&place.configuration, step.edge, &step.choices).is_none());
        steps
    }

    /// A step with each of its choices changed in turn.
    fn other_choices(
        &mut self,
        program: &Program,
        base: &ConcreteStep,
        (room, most): (usize, usize),
        steps: &mut Vec<ConcreteStep>,
    ) {
        for (k, scalar) in program.edge(base.edge).choices.iter().enumerate() {
            for value in self.values(program, *scalar, base.choices[k], most) {
                if steps.len() >= room {
                    break;
                }
                let mut step = base.clone();
                step.choices[k] = value;
                steps.push(step);
            }
        }
    }

    /// A step with each of the values that it frees changed in turn. `matters`: the variables that
    /// a later statement of the run reads; `None`: all may matter.
    fn other_freed_values(
        &mut self,
        program: &Program,
        base: &ConcreteStep,
        matters: Option<BTreeSet<VariableId>>,
        (room, most): (usize, usize),
        steps: &mut Vec<ConcreteStep>,
    ) {
        for (nth, (id, values)) in base.locals.iter().flatten().enumerate() {
            if matters.as_ref().is_some_and(|matters| !matters.contains(id)) {
                continue;
            }
            let scalar = program.variable(*id).scalar;
            for (element, old) in values.iter().enumerate().take(ELEMENTS) {
                if steps.len() >= room {
                    return;
                }
                for value in self.values(program, scalar, *old, most) {
                    let mut step = base.clone();
                    if let Some(place) = step
                        .locals
                        .as_mut()
                        .and_then(|locals| locals.get_mut(nth)?.1.get_mut(element))
                    {
                        *place = value;
                        steps.push(step);
                    }
                }
            }
        }
    }

    /// The start values that T reads.
    pub(super) fn slots(&self, program: &Program) -> Vec<Slot> {
        let mut read = BTreeSet::new();
        let edges: BTreeSet<EdgeId> = inserted(self.failing.run.steps.iter().map(|step| step.edge));
        for id in edges {
            read_by(&program.edge(id).operation, &mut read);
            program.edge(id).checks.iter().for_each(|check| read_in(&check.condition, &mut read));
        }
        let picks =
            self.failing.picks.first().into_iter().flatten().filter(|(id, _)| read.contains(id));
        let all = picks.flat_map(|(id, values)| {
            let slot = |(element, value): (usize, &u64)| Slot {
                variable: *id,
                element,
                scalar: program.variable(*id).scalar,
                value: *value,
            };
            spread(&values.iter().enumerate().map(slot).collect::<Vec<_>>(), ELEMENTS)
        });
        spread(&all.collect::<Vec<_>>(), SLOTS)
    }

    /// T's start with other values.
    pub(super) fn start(&self, machine: &Machine<'_>, changed: &[(Slot, u64)]) -> BranchPoint {
        let run = &self.failing.run;
        let (mut globals, mut locals) = (run.initial_globals.clone(), run.initial_locals.clone());
        for (slot, value) in changed {
            let variable = machine.program().variable(slot.variable);
            let assignment = if variable.owner.is_none() { &mut globals } else { &mut locals };
            let at = match assignment.iter().position(|(id, _)| *id == slot.variable) {
                Some(at) => at,
                None => {
                    assignment.push((slot.variable, vec![0; variable.elements() as usize]));
                    assignment.len() - 1
                }
            };
            if let Some(place) = assignment[at].1.get_mut(slot.element) {
                *place = *value;
            }
        }
        let configuration = machine.initial(&globals, &locals);
        let (initial_globals, initial_locals) = (Rc::new(globals), Rc::new(locals));
        BranchPoint {
            kept: 0,
            own: Vec::new(),
            executed: FxHashMap::default(),
            initial_globals,
            initial_locals,
            configuration,
            taken: None,
            on_failing: false,
        }
    }

    /// Other values instead of this one, the most promising first.
    pub(super) fn values(
        &mut self,
        program: &Program,
        scalar: Scalar,
        old: u64,
        most: usize,
    ) -> Vec<u64> {
        if scalar.boolean {
            return vec![1 - (old & 1)];
        }
        let run = &self.failing.run;
        let telling = self.telling.get_or_insert_with(|| {
            let number = |id: VariableId, bits: &u64| program.variable(id).scalar.number(*bits);
            let picked = self.failing.picks.iter().flatten().flat_map(|(id, values)| {
                values.iter().take(ELEMENTS).map(|bits| number(*id, bits))
            });
            let mut all: Vec<i128> = picked.take(SLOTS).collect();
            all.extend(
                run.steps
                    .iter()
                    .flat_map(|step| program.edge(step.edge).choices.iter().zip(&step.choices))
                    .map(|(scalar, bits)| scalar.number(*bits))
                    .take(SLOTS),
            );
            all.extend(spread(&numbers(program, &[]), VALUES));
            all.extend(all.clone().into_iter().flat_map(|number| [number + 1, number - 1]));
            all.sort_unstable();
            all.dedup();
            all
        });
        let own = scalar.number(old);
        let mut found: Vec<u64> = Vec::new();
        for number in [0, 1, own + 1, own - 1, -1].into_iter().chain(spread(telling, VALUES)) {
            let value = scalar.wrap(number);
            if value != old & scalar.mask() && !found.contains(&value) {
                found.push(value);
            }
        }
        found.truncate(most);
        found
    }
}

/// How large a configuration is; at least 1.
pub(super) fn values_of(configuration: &Configuration) -> usize {
    1 + configuration
        .globals
        .iter()
        .chain(configuration.frames.iter().flat_map(|frame| &frame.values))
        .map(|values| 1 + values.len())
        .sum::<usize>()
}
