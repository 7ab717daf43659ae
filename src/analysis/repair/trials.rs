//! An edited program, tried on failing runs that are known, by the interpreter alone.
//!
//! A known run gives the values that it picked, by statement and occasion; the edited program is executed with the same ones where it comes to the
//! same statements, and zeros elsewhere. Whatever happens is a real run of the edited program, so an error that it meets refutes the edit, while a
//! run that does not fail says nothing more.

use crate::lang::interpreter::{Assignment, ConcreteRun, Configuration, Machine, Outcome};
use crate::lang::model::{EdgeId, ErrorKind, Initial, Program, StatementKind, VariableId};
use rustc_hash::FxHashMap;

/// Most steps of a run.
const MOST_STEPS: usize = 20_000;

/// A statement, however the text around it is edited: line, kind, outcome, and which of the several on its line.
type Key = (u32, StatementKind, String, u32);

/// What a known run picked.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    globals: Vec<(String, Vec<u64>)>,
    locals: Vec<(String, Vec<u64>)>,
    /// By statement, in the order of its executions: position in the run, choices, values of freed variables by name.
    picks: FxHashMap<Key, Vec<Pick>>,
}

#[derive(Clone, Debug)]
struct Pick {
    at: usize,
    choices: Vec<u64>,
    freed: Vec<(String, Vec<u64>)>,
}

/// How a run of the edited program goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It fails at this line.
    Fails(u32, ErrorKind),
    /// It does not, as far as it was executed.
    Passes,
}

/// A program made ready for trials.
pub struct Bench<'p> {
    machine: Machine<'p>,
    keys: Vec<Key>,
    out: FxHashMap<u32, Vec<EdgeId>>,
    /// By name, for procedures' variables together with the procedure's.
    variables: FxHashMap<String, VariableId>,
}

fn keys(program: &Program) -> Vec<Key> {
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
        Some(owner) => format!("{}::{}@{}", program.procedure(owner).name, variable.name, variable.span.line),
        None => variable.name.clone(),
    }
}

fn named(program: &Program, assignment: &Assignment) -> Vec<(String, Vec<u64>)> {
    assignment.iter().map(|(id, values)| (name(program, *id), values.clone())).collect()
}

impl Trial {
    /// What a run of the program picked.
    pub fn of(program: &Program, run: &ConcreteRun) -> Trial {
        let keys = keys(program);
        let mut picks: FxHashMap<Key, Vec<Pick>> = FxHashMap::default();
        for (at, step) in run.steps.iter().enumerate() {
            if let Some(key) = keys.get(step.edge.0 as usize) {
                let freed = step.locals.as_ref().map_or(Vec::new(), |locals| named(program, locals));
                picks.entry(key.clone()).or_default().push(Pick { at, choices: step.choices.clone(), freed });
            }
        }
        Trial { globals: named(program, &run.initial_globals), locals: named(program, &run.initial_locals), picks }
    }
}

impl Trial {
    /// The same with one more global's value.
    pub fn with(&self, name: &str, value: u64) -> Trial {
        let mut trial = self.clone();
        trial.globals.push((name.to_string(), vec![value]));
        trial
    }
}

impl<'p> Bench<'p> {
    /// Indexes the program.
    pub fn new(program: &'p Program) -> Bench<'p> {
        let mut out: FxHashMap<u32, Vec<EdgeId>> = FxHashMap::default();
        for id in program.edge_ids() {
            out.entry(program.edge(id).from.0).or_default().push(id);
        }
        let variables = (0..program.variables.len() as u32).map(|k| (name(program, VariableId(k)), VariableId(k))).collect();
        Bench { machine: Machine::new(program), keys: keys(program), out, variables }
    }

    fn assignment(&self, named: &[(String, Vec<u64>)], may: impl Fn(VariableId) -> bool) -> Assignment {
        let program = self.machine.program();
        let known = |(name, values): &(String, Vec<u64>)| {
            let id = *self.variables.get(name)?;
            (values.len() == program.variable(id).elements() as usize && may(id)).then(|| (id, values.clone()))
        };
        named.iter().filter_map(known).collect()
    }

    /// Executes it with what the known run picked.
    pub fn run(&self, trial: &Trial) -> End {
        self.run_observed(trial, |_, _| {})
    }

    /// The same; every executed edge is shown with the configuration before it.
    pub fn run_observed(&self, trial: &Trial, mut observe: impl FnMut(&Configuration, EdgeId)) -> End {
        let program = self.machine.program();
        let open = |id: VariableId| program.variable(id).initial == Initial::Any;
        let mut configuration = self.machine.initial(&self.assignment(&trial.globals, open), &self.assignment(&trial.locals, |_| true));
        let mut executed: FxHashMap<EdgeId, usize> = FxHashMap::default();
        for _ in 0..MOST_STEPS {
            let Some(ways) = self.out.get(&configuration.location.0) else { return End::Passes };
            let pick = |id: EdgeId| trial.picks.get(&self.keys[id.0 as usize])?.get(executed.get(&id).copied().unwrap_or(0));
            // The way that the known run took first.
            let mut ways: Vec<(usize, EdgeId)> = ways.iter().map(|id| (pick(*id).map_or(usize::MAX, |pick| pick.at), *id)).collect();
            ways.sort_unstable();
            let mut next = None;
            for (_, id) in ways {
                let none = (Vec::new(), Vec::new());
                let (choices, freed) = pick(id).map_or(none, |pick| (pick.choices.clone(), self.assignment(&pick.freed, |_| true)));
                match self.machine.execute(&configuration, id, &choices, &freed) {
                    Outcome::Blocked => {}
                    Outcome::Error(check) => {
                        observe(&configuration, id);
                        let check = &program.edge(id).checks[check];
                        return End::Fails(check.line, check.kind);
                    }
                    Outcome::Next(after) => {
                        next = Some((id, after));
                        break;
                    }
                }
            }
            let Some((id, after)) = next else { return End::Passes };
            observe(&configuration, id);
            *executed.entry(id).or_insert(0) += 1;
            configuration = after;
        }
        End::Passes
    }
}
