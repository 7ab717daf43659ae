//! A concrete failing run for a sequence: an explicit search that executes the sequence's statements in order, with values that fulfil
//! its assumptions, and anything in between.
//!
//! It uses the interpreter alone; the run's own sequence, sliced from the run, must be the one that was to be shown.

use super::dependence::Dependence;
use super::feasible::Pieces;
use super::inputs::{Input, Inputs};
use super::trace::{TraceFocus, slice};
use crate::lang::interpreter::{Assignment, ConcreteRun, ConcreteStep, Configuration, Machine, Outcome, Replay, replay};
use crate::lang::model::{ChoiceId, EdgeId, Operation, VariableId, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Most configurations looked at for one sequence.
const MOST_CONFIGURATIONS: usize = 20_000;

/// A run that was executed, and its own sequence.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// Enough to execute it again.
    pub run: ConcreteRun,
    /// As the interpreter saw it.
    pub replay: Replay,
    /// Its focus statements.
    pub focus: TraceFocus,
}

struct Steps {
    step: ConcreteStep,
    before: Option<usize>,
}

/// Looks for a run with exactly these focus statements, among those that start with the first model of `holds`: for a short one first, and
/// if there are too many, for any.
pub(super) fn confirm(
    dependence: &Dependence,
    inputs: &Inputs,
    entries: &[EdgeId],
    error: (EdgeId, usize),
    holds: &Pieces,
) -> Option<Confirmed> {
    match look(dependence, inputs, entries, error, holds, Order::Shortest) {
        (None, true) => look(dependence, inputs, entries, error, holds, Order::Deepest).0,
        (found, _) => found,
    }
}

/// Which configuration is looked at next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// One with the fewest steps.
    Shortest,
    /// The last one found, an entry of the sequence where that is possible: long runs of long sequences are found, though not the shortest.
    Deepest,
}

/// A run, if one was found; were there too many configurations?
fn look(
    dependence: &Dependence,
    inputs: &Inputs,
    entries: &[EdgeId],
    error: (EdgeId, usize),
    holds: &Pieces,
    order: Order,
) -> (Option<Confirmed>, bool) {
    let program = &*dependence.program;
    let machine = Machine::new(program);
    let values = Values { inputs, model: holds.model(inputs), program, entries: entries.len() };
    let main = program.procedure(program.main_id());
    let locals: Vec<VariableId> = main.parameters.iter().chain(&main.locals).copied().collect();
    let open = |id: &VariableId| program.variable(*id).initial == crate::lang::model::Initial::Any;
    let globals: Vec<VariableId> = program.globals().filter(open).collect();
    let initial_globals = values.assignment(&globals, |id| id);
    let initial_locals = values.assignment(&locals, |id| id);
    let start = machine.initial(&initial_globals, &initial_locals);
    let mut seen: FxHashSet<(Configuration, usize)> = FxHashSet::default();
    let mut steps: Vec<Steps> = Vec::new();
    let mut queue: VecDeque<(Configuration, usize, Option<usize>)> = VecDeque::from([(start, 0, None)]);
    let mut out: FxHashMap<_, Vec<EdgeId>> = FxHashMap::default();
    for id in program.edge_ids() {
        out.entry(program.edge(id).from).or_default().push(id);
    }
    let pop = |queue: &mut VecDeque<_>| match order {
        Order::Shortest => queue.pop_front(),
        Order::Deepest => queue.pop_back(),
    };
    while let Some((configuration, next, before)) = pop(&mut queue) {
        if seen.len() > MOST_CONFIGURATIONS {
            return (None, true);
        }
        if !seen.insert((configuration.clone(), next)) {
            continue;
        }
        let here = out.get(&configuration.location).map_or(&[][..], Vec::as_slice);
        let beside = here.iter().map(|id| (*id, values.step(*id, None), next));
        let entry = here.iter().filter(|id| entries.get(next) == Some(*id)).map(|id| (*id, values.step(*id, Some(next)), next + 1));
        let ways: Vec<(EdgeId, ConcreteStep, usize)> = match order {
            Order::Shortest => entry.chain(beside).collect(),
            Order::Deepest => beside.chain(entry).collect(),
        };
        for (id, step, next) in ways {
            let arbitrary = step.locals.clone().unwrap_or_default();
            match machine.execute(&configuration, id, &step.choices, &arbitrary) {
                Outcome::Blocked => {}
                Outcome::Next(after) => {
                    steps.push(Steps { step, before });
                    queue.push_back((after, next, Some(steps.len() - 1)));
                }
                Outcome::Error(check) => {
                    if next == entries.len() && (id, check) == error {
                        let run = ConcreteRun {
                            initial_globals: initial_globals.clone(),
                            initial_locals: initial_locals.clone(),
                            steps: run(&steps, before, step),
                        };
                        if let Some(confirmed) = own_sequence(dependence, run, entries) {
                            return (Some(confirmed), false);
                        }
                    }
                }
            }
        }
    }
    (None, false)
}

fn run(steps: &[Steps], before: Option<usize>, last: ConcreteStep) -> Vec<ConcreteStep> {
    let mut run = vec![last];
    let mut here = before;
    while let Some(k) = here {
        run.push(steps[k].step.clone());
        here = steps[k].before;
    }
    run.reverse();
    run
}

fn own_sequence(dependence: &Dependence, run: ConcreteRun, entries: &[EdgeId]) -> Option<Confirmed> {
    let replay = replay(&dependence.program, &run).ok()?;
    let focus = slice(dependence, &replay.steps, replay.failed_check);
    let own = replay.steps.iter().zip(&focus.focus).filter(|(_, focus)| **focus).map(|(step, _)| step.edge);
    own.eq(entries.iter().copied()).then_some(Confirmed { run, replay, focus })
}

/// The model's values.
struct Values<'a> {
    inputs: &'a Inputs,
    model: FxHashMap<(VariableId, u32), u64>,
    program: &'a crate::lang::model::Program,
    entries: usize,
}

impl Values<'_> {
    /// What variables start with; `input` says under which number their values stand.
    fn assignment(&self, variables: &[VariableId], input: impl Fn(VariableId) -> VariableId) -> Assignment {
        let value = |id: VariableId, element| self.model.get(&(input(id), element)).copied().unwrap_or(0);
        variables.iter().map(|id| (*id, (0..self.program.variable(*id).elements()).map(|element| value(*id, element)).collect())).collect()
    }

    /// A step, as the entry at this position if it is one.
    fn step(&self, id: EdgeId, position: Option<usize>) -> ConcreteStep {
        let edge = self.program.edge(id);
        let ordinal = position.map(|position| (self.entries - 1 - position) as u32);
        let known = |input: &dyn Fn(u32) -> Input| ordinal.and_then(|ordinal| self.inputs.known(input(ordinal)));
        let nobody = VariableId(u32::MAX);
        let choice = |k: usize| {
            let variable = known(&|ordinal| Input::Choice(id, ChoiceId(k as u32), ordinal));
            variable.and_then(|variable| self.model.get(&(variable, 0)).copied()).unwrap_or(0)
        };
        let choices = (0..edge.choices.len()).map(choice).collect();
        let locals = match &edge.operation {
            Operation::Call { callee, .. } => {
                let procedure = self.program.procedure(*callee);
                let own: Vec<VariableId> =
                    procedure.locals.iter().copied().filter(|id| self.program.variable(*id).kind != VariableKind::Global).collect();
                Some(self.assignment(&own, |of| known(&|ordinal| Input::Local(of, ordinal)).unwrap_or(nobody)))
            }
            Operation::Havoc(list) => Some(self.assignment(list, |of| known(&|ordinal| Input::Havoc(of, ordinal)).unwrap_or(nobody))),
            _ => None,
        };
        ConcreteStep { edge: id, choices, locals }
    }
}
