//! A concrete failing run for a sequence: an explicit search that executes the sequence's
//! statements in order, with values that fulfil its assumptions, and anything in between.
//!
//! The search uses the interpreter alone. The sequence that is sliced from the run must be the
//! given one.

use super::dependence::Dependence;
use super::feasible::Conjunction;
use super::inputs::{Input, Inputs};
use super::trace::{TraceFocus, slice};
use crate::lang::interpreter::{
    Assignment, ConcreteRun, ConcreteStep, Configuration, Machine, Outcome, Replay, replay,
};
use crate::lang::model::{ChoiceId, EdgeId, Operation, VariableId, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The most configurations of one search. A search that tries several values gets a quarter of
/// them.
const MOST_CONFIGURATIONS: usize = 20_000;

/// A run that was executed, with its own sequence.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// What is needed to execute the run again.
    pub run: ConcreteRun,
    /// The run as the interpreter executed it.
    pub replay: Replay,
    /// The focus statements of the run.
    pub focus: TraceFocus,
}

struct Steps {
    step: ConcreteStep,
    before: Option<usize>,
}

/// The values that the assumptions leave open are zero at first. If that finds no run, each of
/// these patterns is tried, because a loop outside of the sequence may never end with zeros.
const PATTERNS: [u64; 3] = [0, 1, u64::MAX];

/// Looks for a run with exactly these focus statements, among the runs that start with the first
/// model of `holds`. It looks for a short run first. If that search has too many configurations, it
/// looks for any run.
pub(super) fn confirm(
    dependence: &Dependence,
    inputs: &Inputs,
    entries: &[EdgeId],
    error: (EdgeId, usize),
    holds: &Conjunction,
) -> Option<Confirmed> {
    let look =
        |order: Order, open: &[u64]| look(dependence, inputs, entries, error, holds, order, open);
    let found = match look(Order::Shortest, &PATTERNS[..1]) {
        (None, true) => look(Order::Deepest, &PATTERNS[..1]).0,
        (found, _) => found,
    };
    found.or_else(|| {
        let from = |first: usize| [&PATTERNS[first..], &PATTERNS[..first]].concat();
        (0..PATTERNS.len()).find_map(|first| look(Order::Shortest, &from(first)).0)
    })
}

/// The order of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// First the run with the fewest steps.
    Shortest,
    /// First the configuration that was found last, and of those one at an entry of the sequence.
    /// This finds long runs of long sequences, but not the shortest ones.
    Deepest,
}

/// Returns a run, if it finds one, and whether there were too many configurations. `open` lists
/// values for everything that has no assumption. The start and the statements of the sequence use
/// the first of them.
fn look(
    dependence: &Dependence,
    inputs: &Inputs,
    entries: &[EdgeId],
    error: (EdgeId, usize),
    holds: &Conjunction,
    order: Order,
    open: &[u64],
) -> (Option<Confirmed>, bool) {
    let program = &*dependence.program;
    let machine = Machine::new(program);
    let values = &Values { inputs, model: holds.model(inputs), program, entries: entries.len() };
    let main = program.procedure(program.main_id());
    let locals: Vec<VariableId> = main.parameters.iter().chain(&main.locals).copied().collect();
    let is_any =
        |id: &VariableId| program.variable(*id).initial == crate::lang::model::Initial::Any;
    let globals: Vec<VariableId> = program.globals().filter(is_any).collect();
    let first = open.first().copied().unwrap_or(0);
    let initial_globals = values.assignment(&globals, first, |id| id);
    let initial_locals = values.assignment(&locals, first, |id| id);
    let start = machine.initial(&initial_globals, &initial_locals);
    let most = if open.len() > 1 { MOST_CONFIGURATIONS / 4 } else { MOST_CONFIGURATIONS };
    let mut seen: FxHashSet<(Configuration, usize)> = FxHashSet::default();
    let mut steps: Vec<Steps> = Vec::new();
    let mut queue: VecDeque<(Configuration, usize, Option<usize>)> =
        VecDeque::from([(start, 0, None)]);
    let mut out: FxHashMap<_, Vec<EdgeId>> = FxHashMap::default();
    for id in program.edge_ids() {
        out.entry(program.edge(id).from).or_default().push(id);
    }
    let pop = |queue: &mut VecDeque<_>| match order {
        Order::Shortest => queue.pop_front(),
        Order::Deepest => queue.pop_back(),
    };
    while let Some((configuration, next, before)) = pop(&mut queue) {
        if seen.len() > most {
            return (None, true);
        }
        if !seen.insert((configuration.clone(), next)) {
            continue;
        }
        let here = out.get(&configuration.location).map_or(&[][..], Vec::as_slice);
        let beside = here.iter().flat_map(|id| {
            // A statement that picks no value has one outcome.
            let ways = if values.picks(*id) { open } else { &open[..open.len().min(1)] };
            ways.iter().map(move |open| (*id, values.step(*id, None, *open), next))
        });
        let entry = here
            .iter()
            .filter(|id| entries.get(next) == Some(*id))
            .map(|id| (*id, values.step(*id, Some(next), first), next + 1));
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

fn own_sequence(
    dependence: &Dependence,
    run: ConcreteRun,
    entries: &[EdgeId],
) -> Option<Confirmed> {
    let replay = replay(&dependence.program, &run).ok()?;
    let focus = slice(dependence, &replay.steps, replay.failed_check);
    let own = replay
        .steps
        .iter()
        .zip(&focus.focus)
        .filter(|(_, focus)| **focus)
        .map(|(step, _)| step.edge);
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
    /// The values that variables start with. `input` gives the number under which the value of a
    /// variable is known.
    fn assignment(
        &self,
        variables: &[VariableId],
        open: u64,
        input: impl Fn(VariableId) -> VariableId,
    ) -> Assignment {
        let value = |id: VariableId, element| {
            let otherwise = || open & self.program.variable(id).scalar.mask();
            self.model.get(&(input(id), element)).copied().unwrap_or_else(otherwise)
        };
        variables
            .iter()
            .map(|id| {
                (
                    *id,
                    (0..self.program.variable(*id).elements())
                        .map(|element| value(*id, element))
                        .collect(),
                )
            })
            .collect()
    }

    /// Does an edge pick anything?
    fn picks(&self, id: EdgeId) -> bool {
        let edge = self.program.edge(id);
        !edge.choices.is_empty()
            || match &edge.operation {
                Operation::Call { callee, .. } => {
                    !self.program.procedure(*callee).locals.is_empty()
                }
                Operation::Havoc(list) => !list.is_empty(),
                _ => false,
            }
    }

    /// Executes a step, as the entry at this position if it is one. Choices without an assumption
    /// get the value `open`.
    fn step(&self, id: EdgeId, position: Option<usize>, open: u64) -> ConcreteStep {
        let edge = self.program.edge(id);
        let ordinal = position.map(|position| (self.entries - 1 - position) as u32);
        let known = |input: &dyn Fn(u32) -> Input| {
            ordinal.and_then(|ordinal| self.inputs.known(input(ordinal)))
        };
        let nobody = VariableId(u32::MAX);
        let choice = |k: usize| {
            let variable = known(&|ordinal| Input::Choice(id, ChoiceId(k as u32), ordinal));
            let otherwise = || open & edge.choices.get(k).map_or(0, |scalar| scalar.mask());
            variable
                .and_then(|variable| self.model.get(&(variable, 0)).copied())
                .unwrap_or_else(otherwise)
        };
        let choices = (0..edge.choices.len()).map(choice).collect();
        let locals = match &edge.operation {
            Operation::Call { callee, .. } => {
                let procedure = self.program.procedure(*callee);
                let own: Vec<VariableId> = procedure
                    .locals
                    .iter()
                    .copied()
                    .filter(|id| self.program.variable(*id).kind != VariableKind::Global)
                    .collect();
                Some(self.assignment(&own, open, |of| {
                    known(&|ordinal| Input::Local(of, ordinal)).unwrap_or(nobody)
                }))
            }
            Operation::Havoc(list) => Some(self.assignment(list, open, |of| {
                known(&|ordinal| Input::Havoc(of, ordinal)).unwrap_or(nobody)
            })),
            _ => None,
        };
        ConcreteStep { edge: id, choices, locals }
    }
}
