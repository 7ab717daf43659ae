//! Trials of an edited program on known failing runs, by the interpreter alone.
//!
//! A known run gives the values that it picked, by statement and by how often the statement was
//! executed before. The interpreter executes the edited program with the same values at the same
//! statements, and zeros elsewhere. The result is a real run of the edited program. So an error
//! refutes the edit; a run that does not fail proves nothing.

pub use super::execution::End;
use super::execution::{MOST_STEPS, Prepared, PreparedPick};
use crate::lang::interpreter::{Assignment, ConcreteRun, Machine};
use crate::lang::model::{EdgeId, Initial, Program, StatementKind, VariableId};
use rustc_hash::FxHashMap;

/// Identifies a statement even if the text around it is edited: by line, kind and outcome, and by
/// its number among the statements of its line that agree in these.
pub(super) type StatementKey = (u32, StatementKind, String, u32);

/// The values that a known run picked.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    globals: Vec<(String, Vec<u64>)>,
    locals: Vec<(String, Vec<u64>)>,
    /// By statement, in the order of its executions: the position in the run, the choices, and the
    /// values of freed variables by name.
    picks: FxHashMap<StatementKey, Vec<Pick>>,
}

#[derive(Clone, Debug)]
struct Pick {
    at: usize,
    choices: Vec<u64>,
    freed: Vec<(String, Vec<u64>)>,
}

/// A program prepared for trials.
pub struct Bench<'p> {
    machine: Machine<'p>,
    edges: FxHashMap<StatementKey, EdgeId>,
    /// Variables by name. Variables of a procedure have the name of the procedure, too.
    variables: FxHashMap<String, VariableId>,
}

/// By edge.
pub(super) fn keys(program: &Program) -> Vec<StatementKey> {
    let mut counts: FxHashMap<(u32, StatementKind, &str), u32> = FxHashMap::default();
    let mut keys = Vec::with_capacity(program.edges.len());
    for edge in &program.edges {
        let count = counts.entry((edge.span.line, edge.kind, &edge.outcome)).or_insert(0);
        keys.push((edge.span.line, edge.kind, edge.outcome.clone(), *count));
        *count += 1;
    }
    keys
}

fn name(program: &Program, id: VariableId) -> String {
    let variable = program.variable(id);
    match variable.owner {
        Some(owner) => {
            format!("{}::{}@{}", program.procedure(owner).name, variable.name, variable.span.line)
        }
        None => variable.name.clone(),
    }
}

fn named(program: &Program, assignment: &Assignment) -> Vec<(String, Vec<u64>)> {
    assignment.iter().map(|(id, values)| (name(program, *id), values.clone())).collect()
}

impl Trial {
    /// The values that a run of the program picked.
    pub fn of(program: &Program, run: &ConcreteRun) -> Trial {
        let keys = keys(program);
        let mut picks: FxHashMap<StatementKey, Vec<Pick>> = FxHashMap::default();
        for (at, step) in run.steps.iter().enumerate() {
            if let Some(key) = keys.get(step.edge.0 as usize) {
                let freed =
                    step.locals.as_ref().map_or(Vec::new(), |locals| named(program, locals));
                picks.entry(key.clone()).or_default().push(Pick {
                    at,
                    choices: step.choices.clone(),
                    freed,
                });
            }
        }
        Trial {
            globals: named(program, &run.initial_globals),
            locals: named(program, &run.initial_locals),
            picks,
        }
    }
}

impl Trial {
    /// Neighbouring runs. In each of them one picked value is replaced: by one of `values` (as
    /// numbers, wrapped to 64 bits), by the value of another pick, or by the number next to it. The
    /// order is fixed. Perhaps none of them is a run of the program; only execution shows that.
    pub fn neighbours(&self, values: &[i128]) -> Vec<Trial> {
        let mut picks: Vec<(&StatementKey, usize, usize, u64)> = Vec::new();
        for (key, list) in &self.picks {
            for (nth, pick) in list.iter().enumerate() {
                picks.extend(
                    pick.choices.iter().enumerate().map(|(k, value)| (key, nth, k, *value)),
                );
            }
        }
        picks.sort_unstable_by_key(|(key, nth, k, _)| (key.0, key.3, *nth, *k));
        let mut all: Vec<u64> = values
            .iter()
            .map(|value| *value as u64)
            .chain(picks.iter().map(|(.., value)| *value))
            .collect();
        let beside: Vec<u64> =
            all.iter().flat_map(|value| [value.wrapping_add(1), value.wrapping_sub(1)]).collect();
        all.extend(beside);
        all.sort_unstable();
        all.dedup();
        let mut found = Vec::new();
        for (key, nth, k, old) in picks.into_iter().take(64) {
            for value in all.iter().filter(|value| **value != old).take(200) {
                let mut trial = self.clone();
                if let Some(choice) =
                    trial.picks.get_mut(key).and_then(|list| list.get_mut(nth)?.choices.get_mut(k))
                {
                    *choice = *value;
                    found.push(trial);
                }
            }
        }
        found
    }

    /// The values that it picks or begins with, in no order of their own but always the same.
    pub fn values(&self) -> Vec<u64> {
        let mut keys: Vec<&StatementKey> = self.picks.keys().collect();
        keys.sort_unstable_by_key(|key| (key.0, key.3));
        let picks = keys.into_iter().flat_map(|key| &self.picks[key]);
        let picked = picks.flat_map(|pick| &pick.choices).copied();
        let begun = self.globals.iter().chain(&self.locals);
        picked.chain(begun.flat_map(|(_, values)| values.iter().copied())).collect()
    }

    /// The same values, with the value of one more global.
    pub fn with(&self, name: &str, value: u64) -> Trial {
        let mut trial = self.clone();
        trial.globals.push((name.to_string(), vec![value]));
        trial
    }
}

impl<'p> Bench<'p> {
    /// Prepares a program for trials.
    pub fn new(program: &'p Program) -> Bench<'p> {
        let edges = keys(program).into_iter().zip(program.edge_ids()).collect();
        let variables = (0..program.variables.len() as u32)
            .map(|k| (name(program, VariableId(k)), VariableId(k)))
            .collect();
        Bench { machine: Machine::new(program), edges, variables }
    }

    fn assignment(
        &self,
        named: &[(String, Vec<u64>)],
        may: impl Fn(VariableId) -> bool,
    ) -> Assignment {
        let program = self.machine.program();
        let known = |(name, values): &(String, Vec<u64>)| {
            let id = *self.variables.get(name)?;
            (values.len() == program.variable(id).elements() as usize && may(id))
                .then(|| (id, values.clone()))
        };
        named.iter().filter_map(known).collect()
    }

    /// Executes the program with the values that the known run picked.
    pub fn run(&self, trial: &Trial) -> End {
        let program = self.machine.program();
        let open = |id: VariableId| program.variable(id).initial == Initial::Any;
        let mut picks = vec![Vec::new(); program.edges.len()];
        for (key, list) in &trial.picks {
            if let Some(edge) = self.edges.get(key) {
                let pick = |pick: &Pick| {
                    let freed = self.assignment(&pick.freed, |_| true);
                    PreparedPick::new(pick.at, pick.choices.clone(), freed)
                };
                picks[*edge] = list.iter().map(pick).collect();
            }
        }
        let (globals, locals) =
            (self.assignment(&trial.globals, open), self.assignment(&trial.locals, |_| true));
        Prepared { globals, locals, picks }.execute(&self.machine, MOST_STEPS, |_, _| {}).0
    }
}
